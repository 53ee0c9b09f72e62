//! Threads as the VM knows them: a native thread, its context, its place among the living.
//!
//! Behaviour (`Thread#kill`, locals, report_on_exception ...) lives in the core library, which keeps its
//! own data behind `ThreadState::value`.

use crate::ctx::Ctx;
use crate::fiber::Registers;
use crate::frame::Stack;
use crate::unwind::Pending;
use crate::vm::Vm;
use crate::{Result, Unwind};
use rubellite_value::Value;
use rubellite_vmlock::{Kind, LockThread, Unblock};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::ptr::NonNull;
use std::sync::Arc;

/// Bits of the interrupt word that belong to the VM.
pub mod interrupt_bits {
    /// Something lies in the thread's queue: an exception to raise, a kill.
    pub const ASYNC: u32 = 1 << 16;
    /// A signal handler waits to run (main thread).
    pub const SIGNAL: u32 = 1 << 17;
    /// Finalizers or other deferred jobs wait.
    pub const JOB: u32 = 1 << 18;
    /// Switch at every safepoint (stress).
    pub const STRESS: u32 = 1 << 19;
}

/// Called at a safepoint when the embedder's bits are set.
pub type InterruptHandler = fn(&mut Ctx, u32) -> Result<()>;

pub struct ThreadState {
    pub lock_thread: Arc<LockThread>,
    /// The context while the thread lives; null before and after.
    ctx: Cell<*mut Ctx>,
    /// The Thread object.
    pub value: Cell<Value>,
    pub id: u64,
}

// SAFETY: the cells are opened only by the holder of the VM lock.
unsafe impl Send for ThreadState {}
// SAFETY: as above.
unsafe impl Sync for ThreadState {}

/// The living threads of a VM.
#[derive(Default)]
pub struct Threads {
    living: FxHashMap<u64, Arc<ThreadState>>,
    next_id: u64,
    pub main: Option<Arc<ThreadState>>,
    pub handler: Option<InterruptHandler>,
    /// Registers of the fibers that are not running.
    pub(crate) suspended: FxHashMap<u64, Registers>,
}

/// Value and frame stack sizes of the main thread and of others.
const MAIN_VALUES: usize = 1 << 20;
const MAIN_FRAMES: usize = 120_000;
const THREAD_VALUES: usize = 1 << 17;
const THREAD_FRAMES: usize = 12_000;

impl Threads {
    pub fn living(&self) -> impl Iterator<Item = &Arc<ThreadState>> {
        self.living.values()
    }

    pub fn count(&self) -> usize {
        self.living.len()
    }
}

impl ThreadState {
    pub fn ctx_ptr(&self) -> Option<NonNull<Ctx>> {
        NonNull::new(self.ctx.get())
    }
}

impl Ctx {
    /// The table of threads, for a short look.
    #[allow(clippy::mut_from_ref)]
    pub fn threads(&self) -> &mut Threads {
        // SAFETY: the lock is held; callers end the borrow before they run Ruby code or switch threads.
        unsafe { self.vm().threads.get_mut() }
    }

    /// Registers a thread that is about to start. The new native thread then calls [`attach_thread`].
    pub fn new_thread_state(&mut self, name: &str, value: Value) -> Arc<ThreadState> {
        let lock_thread = self.vm().lock.prepare(name);
        register(self.vm(), lock_thread, value)
    }

    /// Leaves the lock, runs `work`, takes the lock again. `unblock` ends the work early when somebody interrupts
    /// the thread. Interrupts that came meanwhile are handled before this returns: then the work's
    /// result is dropped and the exit is pending.
    pub fn blocking<R: Send>(&mut self, kind: Kind, unblock: Unblock<'_>, work: impl FnOnce() -> R + Send) -> Result<R> {
        let outcome = self.outside(|thread| thread.blocking(kind, unblock, work));
        self.check_interrupts()?;
        match outcome {
            Ok(result) => Ok(result),
            // Interrupted before it began, and the interrupt turned out to be harmless: the caller tries again.
            Err(_) => Err(self.retry_blocking()),
        }
    }

    /// Like `blocking`, but says `None` when an interrupt that raised nothing ended the wait before it began.
    pub fn try_blocking<R: Send>(&mut self, kind: Kind, unblock: Unblock<'_>, work: impl FnOnce() -> R + Send) -> Result<Option<R>> {
        let outcome = self.outside(|thread| thread.blocking(kind, unblock, work));
        self.check_interrupts()?;
        Ok(outcome.ok())
    }

    #[cold]
    fn retry_blocking(&mut self) -> Unwind {
        self.raise_error("ThreadError", "interrupted before a blocking operation began")
    }

    /// Runs `f`, in which the lock may be left: spills registers and notes the stack pointer for the collector.
    pub(crate) fn outside<R>(&mut self, f: impl FnOnce(&LockThread) -> R) -> R {
        let thread = self.thread.clone();
        let result = rubellite_gc::stack::spill_and_sp(|sp| {
            self.native_sp = sp as usize;
            f(&thread.lock_thread)
        });
        result
    }

    /// Sleeps until unparked, the deadline, or an interrupt; handles interrupts.
    pub fn park(&mut self, deadline: Option<std::time::Instant>) -> Result<rubellite_vmlock::ParkResult> {
        let result = self.outside(|thread| thread.park(deadline));
        self.check_interrupts()?;
        Ok(result)
    }

    /// Whether a safepoint has something to do.
    #[inline(always)]
    pub fn interrupted(&self) -> bool {
        // SAFETY: the word belongs to the thread's LockThread, which `self.thread` keeps alive.
        unsafe { std::sync::atomic::AtomicU32::from_ptr(self.interrupt.cast_mut()) }.load(std::sync::atomic::Ordering::Relaxed) != 0
    }

    /// The safepoint of native code: hands over the lock, handles signals and asynchronous exceptions.
    #[inline]
    pub fn check_interrupts(&mut self) -> Result<()> {
        if self.interrupted() { self.safepoint_slow() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn safepoint_slow(&mut self) -> Result<()> {
        let saved = std::mem::replace(&mut self.pending, Pending::None);
        let bits = self.outside(|thread| thread.safepoint_slow());
        let outcome = match (bits, self.threads().handler) {
            (0, _) | (_, None) => Ok(()),
            (bits, Some(handler)) => handler(self, bits),
        };
        if outcome.is_ok() {
            self.pending = saved;
        }
        outcome
    }

    /// `Thread.pass`
    pub fn yield_lock(&mut self) -> Result<()> {
        self.outside(|thread| thread.yield_now());
        self.check_interrupts()
    }

    /// Ends this thread's life in the VM: takes it off the list and gives the lock back.
    pub(crate) fn finish_thread(self: Box<Ctx>) {
        let thread = self.thread.clone();
        self.threads().living.remove(&thread.id);
        thread.ctx.set(std::ptr::null_mut());
        drop(self);
        thread.lock_thread.detach();
    }
}

fn register(vm: &Vm, lock_thread: Arc<LockThread>, value: Value) -> Arc<ThreadState> {
    // SAFETY: the caller holds the lock, or the VM is being made by this thread alone.
    let threads = unsafe { vm.threads.get_mut() };
    threads.next_id += 1;
    let state = Arc::new(ThreadState { lock_thread, ctx: Cell::new(std::ptr::null_mut()), value: Cell::new(value), id: threads.next_id });
    threads.living.insert(state.id, state.clone());
    state
}

/// Takes the lock for the calling native thread and makes its context.
///
/// # Errors
/// `None` when the stacks cannot be reserved.
pub fn attach_thread(vm: NonNull<Vm>, state: &Arc<ThreadState>) -> Option<Box<Ctx>> {
    state.lock_thread.bind();
    state.lock_thread.acquire();
    make_ctx(vm, state, false)
}

/// Makes the main thread's context; the calling thread then holds the lock.
pub(crate) fn attach_main(vm: NonNull<Vm>) -> Option<Box<Ctx>> {
    // SAFETY: the VM was just made.
    let vm_ref = unsafe { vm.as_ref() };
    let lock_thread = vm_ref.lock.attach("main");
    lock_thread.acquire();
    let state = register(vm_ref, lock_thread, Value::NIL);
    // SAFETY: this thread holds the lock.
    unsafe { vm_ref.threads.get_mut() }.main = Some(state.clone());
    make_ctx(vm, &state, true)
}

fn make_ctx(vm: NonNull<Vm>, state: &Arc<ThreadState>, main: bool) -> Option<Box<Ctx>> {
    let stack = if main { Stack::new(MAIN_VALUES, MAIN_FRAMES) } else { Stack::new(THREAD_VALUES, THREAD_FRAMES) }?;
    let (low, high) = rubellite_gc::stack::bounds().map_or((0, usize::MAX), |(l, h)| (l as usize, h as usize));
    let mut ctx = Box::new(Ctx {
        vm,
        interrupt: state.lock_thread.interrupt.as_ptr(),
        frame: stack.frames.wrapping_sub(1),
        sp: stack.values,
        values_limit: stack.values_limit,
        frames_limit: stack.frames_limit,
        pending: Pending::None,
        errinfo: Value::NIL,
        native_limit: low.saturating_add(NATIVE_RESERVE.min((high - low) / 4)),
        native_base: high,
        native_sp: high,
        next_frame_id: state.id << 40,
        catch_tags: Vec::new(),
        stack,
        thread: state.clone(),
        recursion: Vec::new(),
        fiber: Value::NIL,
        root_fiber: Value::NIL,
        switch: Default::default(),
        waiting: false,
        in_gc: false,
        trace_event: None,
    });
    state.ctx.set(&raw mut *ctx);
    Some(ctx)
}

/// Machine stack kept for native code below the point where recursion is refused.
const NATIVE_RESERVE: usize = 256 * 1024;
