//! Thread: creation, what the native thread runs, its end, waiting for it, killing it.

use super::state::{Handle, Life, Settings, ThreadData, current, data, put, try_data};
use super::{group, inspect, interrupts};
use crate::io_waiter::IoWaiter;
use crate::support::{limit_of, proc_place};
use crate::sync;
use crate::{scheduler, storage};
use rubellite_vm::object::{Array, Data};
use rubellite_vm::thread::{ThreadState, interrupt_bits};
use rubellite_vm::vmlock::ParkResult;
use rubellite_vm::{Args, Class, Ctx, Pending, Result, Unwind, Value};
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// The kernel's id of the calling native thread.
pub fn native_id() -> i64 {
    // SAFETY: a plain query.
    unsafe { libc::syscall(libc::SYS_gettid) as i64 }
}

/// `Thread.new(*args) { |*args| ... }`
pub fn new(ctx: &mut Ctx, recv: Class, args: Args) -> Result {
    let thread = Data::new(ctx, recv.value(), Handle(Rc::new(ThreadData::default()))).value();
    let initialize = ctx.names().initialize;
    ctx.call_args(thread, initialize, args)?;
    if data(ctx, thread)?.life.get() == Life::Unborn {
        let class = recv.inspect(ctx);
        return Err(ctx.raise_error("ThreadError", &format!("uninitialized thread - check '{class}#initialize'")));
    }
    Ok(thread)
}

/// `Thread.start`, `Thread.fork`: without `initialize`.
pub fn start(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !args.has_block() {
        return Err(ctx.argument_error("tried to create Proc object without a block"));
    }
    let thread = Data::new(ctx, recv, Handle(Rc::new(ThreadData::default()))).value();
    create(ctx, thread, args)?;
    Ok(thread)
}

pub fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !args.has_block() {
        return Err(ctx.raise_error("ThreadError", "must be called with a block"));
    }
    let data = data(ctx, recv)?;
    if data.life.get() != Life::Unborn {
        let place = data.place.borrow().clone();
        let message = match place {
            Some(place) => format!("already initialized thread - {place}"),
            None => "already initialized thread".to_string(),
        };
        return Err(ctx.raise_error("ThreadError", &message));
    }
    create(ctx, recv, args)?;
    Ok(recv)
}

/// Starts the native thread of a new Thread object.
fn create(ctx: &mut Ctx, thread: Value, args: Args) -> Result<()> {
    let data = data(ctx, thread)?;
    let parent = current(ctx)?;
    let group = match parent.group.get() {
        Value::NIL => group::default(ctx)?,
        group => group,
    };
    group::check_start(ctx, group)?;
    let body = ctx.block_to_value(args.block);
    let list = Array::from_slice(ctx, args.slice()).value();
    put(ctx, thread, &data.body, body);
    put(ctx, thread, &data.args, list);
    data.keywords.set(args.has_keywords());
    put(ctx, thread, &data.group, group);
    let inherited = storage::inherited(ctx)?;
    put(ctx, thread, &data.storage, inherited);
    let masks = parent.masks.borrow().clone();
    masks.iter().for_each(|mask| ctx.write_barrier(thread, *mask));
    *data.masks.borrow_mut() = masks;
    data.priority.set(parent.priority.get());
    let place = proc_place(ctx, body).map(|(path, line)| format!("{path}:{line}"));
    let state = launch(ctx, thread, &data, place, run)?;
    state.lock_thread.set_priority(data.priority.get());
    Ok(())
}

/// Starts a native thread that runs `body` for a Thread object whose block, arguments and group are there.
fn launch(
    ctx: &mut Ctx,
    thread: Value,
    data: &ThreadData,
    place: Option<String>,
    body: fn(&mut Ctx),
) -> Result<Arc<ThreadState>> {
    data.report.set(ctx.extension::<Settings>().report.get());
    data.life.set(Life::Alive);
    // As with `ThreadData::waiter`: the first list that it waits on is to cost it no memory of its own.
    data.waits_on.borrow_mut().reserve(4);
    let label = place.clone().unwrap_or_default();
    *data.place.borrow_mut() = place;
    match ctx.spawn_thread(&label, thread, body) {
        Some(state) => {
            *data.waiter.borrow_mut() = Some(IoWaiter::of(state.clone()));
            *data.state.borrow_mut() = Some(state.clone());
            Ok(state)
        }
        None => {
            data.life.set(Life::Dead);
            Err(ctx.raise_error("ThreadError", "can't create Thread: Resource temporarily unavailable"))
        }
    }
}

/// Starts the thread that runs the block of a new ractor; the ractor has a thread group of its own and inherits
/// nothing.
pub fn start_lead(ctx: &mut Ctx, ractor: u32, body: Value, args: Array, label: &str) -> Result {
    let class = ctx.classes().thread.get();
    let thread = Data::new(ctx, class, Handle(Rc::new(ThreadData::default()))).value();
    let data = data(ctx, thread)?;
    let group = group::new(ctx)?;
    put(ctx, thread, &data.body, body);
    put(ctx, thread, &data.args, args.value());
    put(ctx, thread, &data.group, group);
    let state = launch(ctx, thread, &data, Some(label.to_string()), run_lead)?;
    // It has not run yet: this thread holds the lock.
    state.ractor.set(ractor);
    Ok(thread)
}

/// What the native thread of a ractor's block runs.
fn run_lead(ctx: &mut Ctx) {
    let thread = ctx.thread().value.get();
    let Some(data) = try_data(ctx, thread) else { return };
    data.native_id.set(native_id());
    let outcome = run_body(ctx, &data);
    let outcome = ctx.ensure(|_| outcome, scheduler::finish);
    let outcome = (ctx.vm().hooks().ractor_ended)(ctx, outcome);
    finish(ctx, thread, &data, outcome);
}

/// Ends the other threads of the running one's ractor and waits for them.
pub fn terminate_siblings(ctx: &mut Ctx) -> Result<()> {
    let (me, ractor) = (ctx.thread().id, ctx.ractor_id());
    let siblings: Vec<_> =
        ctx.threads().living().filter(|state| state.id != me && state.ractor.get() == ractor).cloned().collect();
    for state in &siblings {
        interrupts::send(ctx, state.value.get(), interrupts::TERMINATE);
        // The end of the VM has a limit, too.
        if ctx.thread().is_expired() {
            state.expire();
        }
    }
    for state in siblings {
        let thread = state.value.get();
        let Some(data) = try_data(ctx, thread) else { continue };
        while data.life.get() == Life::Alive {
            sync::wait_on(ctx, &data.joiners, thread, None)?;
        }
    }
    Ok(())
}

/// What the native thread runs.
fn run(ctx: &mut Ctx) {
    let thread = ctx.thread().value.get();
    let Some(data) = try_data(ctx, thread) else { return };
    data.native_id.set(native_id());
    let mut outcome = ctx.trace_thread(true).and_then(|()| run_body(ctx, &data));
    outcome = ctx.ensure(|_| outcome, scheduler::finish);
    if ctx.trace_thread(false).is_err() {
        outcome = Err(Unwind);
    }
    if ctx.threads().main.as_ref().is_some_and(|main| main.id == ctx.thread().id) {
        // This is the child of a fork that this thread made.
        (ctx.vm().hooks().end_child)(ctx, outcome.map(drop));
    }
    finish(ctx, thread, &data, outcome);
}

fn run_body(ctx: &mut Ctx, data: &ThreadData) -> Result {
    storage::install(ctx, data.storage.replace(Value::NIL))?;
    ctx.check_interrupts()?;
    let list = data.args.replace(Value::NIL);
    let args = Array::try_of(list).map(|a| a.slice(ctx)).unwrap_or_default();
    let args: SmallVec<[Value; 4]> = SmallVec::from_slice(args); // tidy: rooted by `list`
    let result = ctx.call_block_full(data.body.get(), &args, data.keywords.get(), Value::NIL);
    std::hint::black_box(list);
    result
}

/// The end of a thread: its result, its report, everybody who waits for it.
pub(super) fn finish(ctx: &mut Ctx, thread: Value, data: &ThreadData, outcome: Result) {
    match outcome {
        Ok(value) => put(ctx, thread, &data.result, value),
        Err(Unwind) => {
            let pending = ctx.take_pending();
            let killed = matches!(pending, Pending::Kill);
            if let Pending::Raise(exception) = pending {
                put(ctx, thread, &data.error, exception);
                // It shows a thread that was killed and then raised as "aborting".
                failed(ctx, thread, data, exception);
            }
            data.aborting.set(killed);
        }
    }
    data.life.set(Life::Dead);
    data.pending.borrow_mut().clear();
    data.masks.borrow_mut().clear();
    data.body.set(Value::NIL);
    // A scheduler of another thread is told of that thread. It may raise; that does not keep this one from ending.
    while let Some(waiter) = data.joiners.pop_front() {
        if sync::wake(ctx, &waiter, waiter.thread.value.get()).is_err() {
            // It counts as the thread's own end.
            if let Pending::Raise(exception) = ctx.take_pending() {
                put(ctx, thread, &data.error, exception);
                failed(ctx, thread, data, exception);
            }
        }
    }
    sync::release_all(ctx, data);
    if ctx.extension::<Settings>().terminating.get()
        && let Some(main) = ctx.threads().main.clone()
    {
        ctx.wake(&main);
    }
    ctx.clear_pending();
    inspect::deadlock_without(ctx);
}

/// A thread ended by an exception: reported, or handed to the main thread.
fn failed(ctx: &mut Ctx, thread: Value, data: &ThreadData, exception: Value) {
    let exit = ctx.error_class("SystemExit").value();
    let to_main = if ctx.is_a(exception, exit) {
        true
    } else {
        if data.report.get() {
            inspect::report(ctx, thread, exception);
            ctx.clear_pending();
        }
        data.abort.get() || ctx.extension::<Settings>().abort.get() || ctx.vm().debug.get().truthy()
    };
    let main = match ctx.in_main_ractor() {
        true => ctx.threads().main.as_ref().map(|main| main.value.get()),
        false => (ctx.vm().hooks().ractor_lead)(ctx).filter(|lead| *lead != thread),
    };
    if let (true, Some(main)) = (to_main, main) {
        interrupts::send(ctx, main, exception);
    }
}

/// The Thread objects of the living, oldest first.
pub fn living(ctx: &mut Ctx) -> Array {
    let mut states: Vec<Arc<rubellite_vm::thread::ThreadState>> = ctx.threads().living().cloned().collect();
    states.sort_by_key(|state| state.id);
    let list = Array::with_capacity(ctx, states.len());
    for state in states {
        let thread = state.value.get();
        if state.ractor.get() == ctx.ractor_id() && try_data(ctx, thread).is_some_and(|d| d.life.get() == Life::Alive) {
            list.push(ctx, thread);
        }
    }
    list
}

/// `join(limit = nil) -> thread or nil`
pub fn join(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let deadline = match args.non_nil(0) {
        None => None,
        Some(limit) => Some(limit_of(ctx, limit)?),
    };
    Ok(if wait_for(ctx, recv, deadline)? { recv } else { Value::NIL })
}

pub fn value(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    wait_for(ctx, recv, None)?;
    Ok(data(ctx, recv)?.result.get())
}

/// Waits until the thread has ended; false when the deadline comes first. What ended the thread is raised here.
fn wait_for(ctx: &mut Ctx, thread: Value, deadline: Option<Instant>) -> Result<bool> {
    let data = data(ctx, thread)?;
    if ctx.thread().value.get() == thread {
        return Err(ctx.raise_error("ThreadError", "Target thread must not be current thread"));
    }
    if ctx.threads().main.as_ref().is_some_and(|main| main.value.get() == thread) {
        return Err(ctx.raise_error("ThreadError", "Target thread must not be main thread"));
    }
    while data.life.get() == Life::Alive {
        let result = sync::wait_on(ctx, &data.joiners, thread, deadline)?;
        if result == ParkResult::TimedOut && data.life.get() == Life::Alive {
            return Ok(false);
        }
    }
    match data.error.get() {
        Value::NIL => Ok(true),
        error => Err(ctx.raise(error)),
    }
}

/// `kill`, `exit`, `terminate`
pub fn kill(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let data = data(ctx, recv)?;
    if data.aborting.get() || data.life.get() == Life::Dead {
        return Ok(recv);
    }
    if ctx.threads().main.as_ref().is_some_and(|main| main.value.get() == recv) {
        let message = super::text(ctx, "exit");
        return Err(rubellite_core_object::raise_exit(ctx, 0, message));
    }
    if ctx.thread().value.get() == recv {
        data.aborting.set(true);
        return Err(ctx.set_pending(Pending::Kill));
    }
    interrupts::send(ctx, recv, Value::NIL);
    Ok(recv)
}

/// The main thread ends: ends the others and waits until they have run their ensure clauses. What interrupts the wait
/// (a second signal, say) is dropped, and ends those ensure clauses too.
pub fn terminate_others(ctx: &mut Ctx) {
    ctx.extension::<Settings>().terminating.set(true);
    if let Ok(data) = current(ctx) {
        data.life.set(Life::Dead);
        sync::release_all(ctx, &data);
    }
    while ctx.threads().count() > 1 {
        terminate_all(ctx);
        while ctx.threads().count() > 1 {
            // The last one to end wakes this thread.
            let deadline = ctx.now() + std::time::Duration::from_secs(1);
            if ctx.park(Some(deadline)).is_err() {
                ctx.clear_pending();
                break;
            }
        }
    }
    ctx.extension::<Settings>().terminating.set(false);
}

fn terminate_all(ctx: &mut Ctx) {
    let me = ctx.thread().id;
    let others: Vec<_> = ctx.threads().living().filter(|state| state.id != me).cloned().collect();
    for state in others {
        interrupts::send(ctx, state.value.get(), interrupts::TERMINATE);
    }
}

/// In the child of a fork: the other threads are dead, and what they held is free.
pub fn after_fork(ctx: &mut Ctx) {
    let gone = ctx.keep_only_this_thread();
    let dead: Vec<_> = gone.iter().filter_map(|thread| try_data(ctx, *thread)).collect();
    dead.iter().for_each(|data| sync::forget_waits(data));
    for thread in gone {
        if let Some(data) = try_data(ctx, thread) {
            data.life.set(Life::Dead);
            data.scheduler.set(Value::NIL);
            sync::release_all(ctx, &data);
        }
    }
    ctx.thread().lock_thread.interrupt.take(interrupt_bits::ASYNC);
    if let Ok(data) = current(ctx) {
        data.native_id.set(native_id());
        if !data.scheduler.replace(Value::NIL).is_nil() {
            // The running fiber is on its own now.
            let fiber = ctx.known_fiber();
            if let Some(state) = ctx.fiber_state(fiber) {
                state.blocking.set(true);
            }
        }
    }
}
