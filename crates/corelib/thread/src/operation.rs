//! `Fiber::Scheduler#blocking_operation_wait`: native work outside the lock is offered to the scheduler of a
//! non-blocking fiber, which may have it done on another thread while its fibers go on.
//!
//! The hook gets an operation, an object of a class without a name that knows `call`. The work lies on the native stack
//! of the fiber that offers it. States of an operation:
//!
//! queued -> running -> done
//! queued -> withdrawn
//!
//! Only a running one touches the work, and `offload` does not return while it runs: it withdraws a queued one, and
//! stops a running one and waits. A fiber that is never resumed after its hook keeps its stack as long as the operation
//! can be reached, since the operation marks it, and whoever runs it holds it.
//!
//! An operation that was not run, or did not come to its end, is the caller's to do: it has lost nothing.

use super::scheduler;
use rubellite_vm::object::{Data, NativeData};
use rubellite_vm::outside::{self, Stop};
use rubellite_vm::thread::{ThreadState, interrupt_bits};
use rubellite_vm::vmlock::Kind;
use rubellite_vm::{Args, Arity, Class, Ctx, Ends, Leave, MethodDef, Result, Value, method};
use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

type Work<'a> = dyn FnMut(&Stop<'_>) + Send + 'a;

/// The work of an operation, wherever it lies.
#[derive(Copy, Clone)]
struct Job(*mut Work<'static>);

// SAFETY: the work is `Send`, and `Progress` lets one thread at a time use it.
unsafe impl Send for Job {}

impl Job {
    /// Does the work, unless it was withdrawn.
    fn run(self, progress: &Progress) {
        if progress.pass(QUEUED, Progress::running_here()) {
            // SAFETY: whoever offered it does not leave it while the state says that it runs, and one thread alone
            // passes from queued to running.
            unsafe { (*self.0)(&Stop::of(&progress.stop)) };
            progress.state.store(DONE, Release);
        }
    }
}

const QUEUED: u64 = 0;
const WITHDRAWN: u64 = 1;
const DONE: u64 = 2;
/// Running: this bit, and the number of the process above it, which tells the child of a fork that nobody runs it
/// there.
const RUNNING: u64 = 4;

/// What the fiber that waits and the thread that works tell each other outside the lock.
#[derive(Default)]
struct Progress {
    state: AtomicU64,
    stop: AtomicBool,
}

impl Progress {
    fn pass(&self, from: u64, to: u64) -> bool {
        self.state.compare_exchange(from, to, Acquire, Relaxed).is_ok()
    }

    fn running_here() -> u64 {
        u64::from(std::process::id()) << 8 | RUNNING
    }
}

/// An operation for C code that runs it on native threads of its own, without a context.
pub struct Handle {
    job: Job,
    by_signal: bool,
    progress: Arc<Progress>,
}

impl Handle {
    /// Does the work on the calling thread, which does not have the lock. False: not, for it was done or withdrawn
    /// already, or it waits in system calls, which only the signals that threads of the VM get would end; then it
    /// is left to whoever has offered it.
    pub fn execute(&self) -> bool {
        if self.by_signal || self.progress.state.load(Acquire) != QUEUED {
            return false;
        }
        self.job.run(&self.progress);
        true
    }

    /// Asks the work to stop. Whether it ran.
    pub fn cancel(&self) -> bool {
        self.progress.stop.store(true, Relaxed);
        self.progress.state.load(Acquire) & RUNNING != 0
    }
}

/// The handle of an operation, which lives as long as that; none for another object, or for one whose work was taken
/// back.
pub fn handle(ctx: &Ctx, operation: Value) -> Option<*const Handle> {
    let state = Data::state_of::<Operation>(ctx, operation)?;
    let job = state.job.get()?;
    let handle = state
        .handle
        .get_or_init(|| Box::new(Handle { job, by_signal: state.by_signal, progress: state.progress.clone() }));
    Some(std::ptr::from_ref(&**handle))
}

/// Native data of an operation.
struct Operation {
    job: Cell<Option<Job>>,
    /// It waits in system calls, which a signal ends; else it asks whether to stop.
    by_signal: bool,
    kind: Kind,
    called: Cell<bool>,
    handle: OnceCell<Box<Handle>>,
    progress: Arc<Progress>,
    executor: RefCell<Option<Arc<ThreadState>>>,
    /// The fiber on whose stack the work lies.
    fiber: Value,
}

impl NativeData for Operation {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.fiber);
    }
}

/// The class of operations, once it is made.
#[derive(Default)]
struct OperationClass(rubellite_core_object::slot::Slot);

impl rubellite_vm::Extension for OperationClass {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.0.get());
    }
}

static CALL: MethodDef = method("call", Arity::NONE, call);

fn class(ctx: &mut Ctx) -> Value {
    let known = ctx.extension::<OperationClass>().0.get();
    if !known.is_nil() {
        return known;
    }
    let class = Class::new_class(ctx, Some(ctx.classes().object.class()));
    class.set_alloc(ctx, Some(|ctx, class| Ok(Data::new_empty(ctx, class).value())));
    ctx.define_native(class, &CALL);
    ctx.extension::<OperationClass>().0.set(class.value());
    class.value()
}

/// What `Leave::offered` asks: offers work to the running fiber's scheduler. Work that was not run, saw its flag set,
/// or that nobody has run to its end is the caller's to do.
///
/// # Errors
/// What the hook raised.
pub fn offload(ctx: &mut Ctx, kind: Kind, by_signal: bool, work: &mut Work<'_>) -> Result<()> {
    let Some(scheduler) = scheduler::current(ctx) else { return Ok(()) };
    if scheduler::knows(ctx, scheduler, "blocking_operation_wait")? {
        offer(ctx, scheduler, kind, by_signal, work)
    } else {
        Ok(())
    }
}

fn offer(ctx: &mut Ctx, scheduler: Value, kind: Kind, by_signal: bool, work: &mut Work<'_>) -> Result<()> {
    let work: *mut Work<'_> = work;
    // SAFETY: only the lifetime changes. The pointer is used while the operation runs, and this function does not
    // return before that is over (see the head of the file for fibers that are left for ever).
    let job = Job(unsafe { std::mem::transmute::<*mut Work<'_>, *mut Work<'static>>(work) });
    let progress = Arc::new(Progress::default());
    let class = class(ctx);
    let fiber = ctx.current_fiber();
    let state = Operation {
        job: Cell::new(Some(job)),
        by_signal,
        kind,
        called: Cell::new(false),
        handle: OnceCell::new(),
        progress: progress.clone(),
        executor: RefCell::default(),
        fiber,
    };
    let operation = Data::new(ctx, class, state).value();
    let outcome = ctx.call_name(scheduler, "blocking_operation_wait", &[operation]);
    let lost = withdraw(ctx, operation, &progress);
    std::hint::black_box(operation);
    outcome?;
    if lost { Err(ctx.runtime_error("the thread of a blocking operation is gone")) } else { Ok(()) }
}

/// Takes the work back from the operation. True: the thread that ran it stayed in another process.
fn withdraw(ctx: &mut Ctx, operation: Value, progress: &Arc<Progress>) -> bool {
    let mut executor = None;
    let mut by_signal = false;
    if let Some(state) = Data::state_of::<Operation>(ctx, operation) {
        state.job.set(None);
        by_signal = state.by_signal;
        executor = state.executor.take();
    }
    if progress.pass(QUEUED, WITHDRAWN) {
        return false;
    }
    while progress.state.load(Acquire) & RUNNING != 0 {
        if progress.state.load(Acquire) != Progress::running_here() {
            return true;
        }
        progress.stop.store(true, Relaxed);
        if let Some(thread) = executor.as_ref().filter(|_| by_signal) {
            thread.lock_thread.interrupt(interrupt_bits::NUDGE);
        }
        let seen = progress.clone();
        let wait = outside::once(move || {
            for _ in 0..50 {
                if seen.state.load(Acquire) & RUNNING == 0 {
                    break;
                }
                std::thread::sleep(Duration::from_micros(100));
            }
        });
        // A wait without callbacks raises nothing.
        let _ = ctx.outside(Leave::new(Kind::Long, Ends::Never).quiet(), wait);
    }
    false
}

/// `operation.call -> nil`: does the work, outside the lock.
fn call(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let Some(state) = Data::state_of::<Operation>(ctx, recv) else {
        return Err(ctx.runtime_error("Blocking operation has no function to execute!"));
    };
    if state.called.get() {
        return Err(ctx.runtime_error("Blocking operation has already been executed!"));
    }
    let Some(job) = state.job.get() else {
        return Err(ctx.runtime_error("Blocking operation has no function to execute!"));
    };
    state.called.set(true);
    state.executor.replace(Some(ctx.thread().clone()));
    let (progress, kind, by_signal) = (state.progress.clone(), state.kind, state.by_signal);
    let shared = &*progress;
    let stop = || shared.stop.store(true, Relaxed);
    let ends = if by_signal { Ends::Signal } else { Ends::Fn(&stop) };
    ctx.outside(Leave::new(kind, ends), outside::once(move || job.run(shared)))?;
    std::hint::black_box(recv);
    Ok(Value::NIL)
}
