//! Fiber schedulers: which one a thread has, when its hooks are called, and `Fiber.set_scheduler` and friends.
//!
//! A scheduler is any object with the hooks `block`, `unblock`, `kernel_sleep` and `io_wait`; it belongs to a thread.
//! Where a thread would wait and a non-blocking fiber runs on it, the wait asks the hook instead (`current` says
//! whether), and the hook switches to another fiber. Waiters in the lists of `sync` know their fiber, and who wakes
//! them calls `unblock`. The waits themselves are in `sync`, `thread::life`, and in the parts for input and
//! output (`corelib/io`) and for processes.

use super::thread::deaf;
use super::thread::state::{current as current_thread, put, try_data};
use rubellite_vm::{Args, CallKind, Ctx, Result, Value};
use std::time::Instant;

/// The scheduler of the running thread, or nil.
fn of_thread(ctx: &Ctx) -> Value {
    try_data(ctx, ctx.thread().value.get()).map_or(Value::NIL, |data| data.scheduler.get())
}

/// The scheduler that a wait of the running fiber has to ask: none in a blocking fiber.
#[inline]
pub fn current(ctx: &Ctx) -> Option<Value> {
    // A thread's root fiber is always a blocking one.
    let fiber = ctx.current_fiber();
    if fiber.is_nil() { None } else { current_of(ctx, fiber) }
}

fn current_of(ctx: &Ctx, fiber: Value) -> Option<Value> {
    if ctx.fiber_state(fiber)?.blocking.get() {
        return None;
    }
    Some(of_thread(ctx)).filter(|scheduler| !scheduler.is_nil())
}

/// `Fiber.set_scheduler(scheduler)`
pub fn fiber_set_scheduler(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    set(ctx, args.at(0))
}

/// `Fiber.scheduler`: the thread's, or nil.
pub fn fiber_scheduler(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(of_thread(ctx))
}

/// `Fiber.current_scheduler`: the thread's if the running fiber is a non-blocking one.
pub fn fiber_current_scheduler(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(current(ctx).unwrap_or(Value::NIL))
}

/// `Fiber.schedule(...) { }`: what the scheduler's `fiber` makes of the block.
pub fn fiber_schedule(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let scheduler = of_thread(ctx);
    if scheduler.is_nil() {
        return Err(ctx.raise_error("RuntimeError", "No scheduler is available!"));
    }
    let name = ctx.intern("fiber");
    ctx.call_full(scheduler, name, args.slice(), args.has_keywords(), args.block, CallKind::Any)
}

/// `Fiber.set_scheduler(scheduler)`: the old one is closed first, which runs its fibers to their end.
pub fn set(ctx: &mut Ctx, scheduler: Value) -> Result {
    if !scheduler.is_nil() {
        verify(ctx, scheduler)?;
    }
    let old = of_thread(ctx);
    if !old.is_nil() {
        ctx.ensure(|ctx| close(ctx, old), |ctx| store(ctx, Value::NIL))?;
    }
    store(ctx, scheduler)?;
    Ok(scheduler)
}

fn store(ctx: &mut Ctx, scheduler: Value) -> Result<()> {
    let thread = ctx.thread().value.get();
    let data = current_thread(ctx)?;
    put(ctx, thread, &data.scheduler, scheduler);
    Ok(())
}

fn verify(ctx: &mut Ctx, scheduler: Value) -> Result<()> {
    for hook in ["block", "unblock", "kernel_sleep", "io_wait"] {
        let name = ctx.intern(hook);
        if !ctx.respond_to(scheduler, name, false)? {
            return Err(ctx.argument_error(&format!("Scheduler must implement #{hook}")));
        }
    }
    let name = ctx.intern("fiber_interrupt");
    if !ctx.respond_to(scheduler, name, false)? {
        ctx.warn("Scheduler should implement #fiber_interrupt")?;
    }
    Ok(())
}

/// Closes a scheduler: its `scheduler_close`, or else its `close`.
fn close(ctx: &mut Ctx, scheduler: Value) -> Result {
    for hook in ["scheduler_close", "close"] {
        if let Some(result) = call_if_there(ctx, scheduler, hook, &[])? {
            return Ok(result);
        }
    }
    Ok(Value::NIL)
}

/// At the end of a thread: its scheduler runs what is left.
pub fn finish(ctx: &mut Ctx) -> Result<()> {
    if of_thread(ctx).is_nil() { Ok(()) } else { set(ctx, Value::NIL).map(drop) }
}

/// Calls an optional hook; `None` when the scheduler has none of that name.
fn call_if_there(ctx: &mut Ctx, scheduler: Value, hook: &'static str, args: &[Value]) -> Result<Option<Value>> {
    if !knows(ctx, scheduler, hook)? {
        return Ok(None);
    }
    ctx.call_name(scheduler, hook, args).map(Some)
}

// -- hooks --------------------------------------------------------------------------------------

/// Seconds until a deadline as a hook takes them: nil is for ever.
pub fn seconds_until(ctx: &mut Ctx, deadline: Option<Instant>) -> Value {
    match deadline {
        None => Value::NIL,
        Some(at) => ctx.float(at.saturating_duration_since(ctx.now()).as_secs_f64()),
    }
}

/// The fiber waits for `blocker` until `unblock`, or for `timeout` seconds.
pub fn block(ctx: &mut Ctx, scheduler: Value, blocker: Value, timeout: Value) -> Result {
    ctx.call_name(scheduler, "block", &[blocker, timeout])
}

/// Says that a fiber which waits for `blocker` may go on. Interrupts wait meanwhile: one that came between would leave
/// the fiber asleep for ever.
pub fn unblock(ctx: &mut Ctx, scheduler: Value, blocker: Value, fiber: Value) -> Result<()> {
    deaf(ctx, |ctx| ctx.call_name(scheduler, "unblock", &[blocker, fiber]).map(drop))
}

/// A fiber that waits on an IO is to raise `exception`: false when the scheduler knows no such hook.
pub fn fiber_interrupt(ctx: &mut Ctx, scheduler: Value, fiber: Value, exception: Value) -> Result<bool> {
    let mut known = false;
    deaf(ctx, |ctx| {
        known = call_if_there(ctx, scheduler, "fiber_interrupt", &[fiber, exception])?.is_some();
        Ok(())
    })?;
    Ok(known)
}

/// `Kernel#sleep` and `Mutex#sleep` with the arguments given.
pub fn kernel_sleep(ctx: &mut Ctx, scheduler: Value, args: &[Value]) -> Result {
    ctx.call_name(scheduler, "kernel_sleep", args)
}

/// `Thread.pass`: the optional hook `yield`, or a sleep of no length.
pub fn pass(ctx: &mut Ctx, scheduler: Value) -> Result<()> {
    if call_if_there(ctx, scheduler, "yield", &[])?.is_none() {
        kernel_sleep(ctx, scheduler, &[Value::fixnum(0)])?;
    }
    Ok(())
}

/// Waits until `io` is ready for `events` (bits of IO::READABLE and so on), or for `timeout` seconds (nil: for ever):
/// the ready events, or false.
pub fn io_wait(ctx: &mut Ctx, scheduler: Value, io: Value, events: i64, timeout: Value) -> Result {
    ctx.call_name(scheduler, "io_wait", &[io, Value::fixnum(events), timeout])
}

/// `io_wait` for events and what is ready in bits of poll(2); `Ok(0)`: the time ran out.
pub fn io_poll(ctx: &mut Ctx, scheduler: Value, io: Value, events: i16, deadline: Option<Instant>) -> Result<i16> {
    let bits = |from: i64, to: fn(&(i64, i16)) -> (i64, i64)| {
        POLL_BITS.iter().map(to).filter(|(a, _)| from & a != 0).fold(0, |all, (_, b)| all | b)
    };
    let wanted = bits(events as i64, |(event, poll)| (*poll as i64, *event));
    let timeout = seconds_until(ctx, deadline);
    let ready = io_wait(ctx, scheduler, io, wanted, timeout)?;
    Ok(match ready.as_fixnum() {
        Some(ready) => bits(ready, |(event, poll)| (*event, *poll as i64)) as i16,
        None if ready.truthy() => events,
        None => 0,
    })
}

/// IO::READABLE and so on beside the bits of poll(2).
const POLL_BITS: [(i64, i16); 3] = [(1, libc::POLLIN), (2, libc::POLLPRI), (4, libc::POLLOUT)];

/// An IO was closed while fibers waited for it: each raises `exception`. One whose scheduler has no hook for it gets it
/// with its thread.
pub fn interrupt_all(ctx: &mut Ctx, waiters: &super::Waiters, exception: Value) -> Result<()> {
    while let Some(waiter) = waiters.pop_front() {
        let thread = waiter.thread.value.get();
        let scheduler = try_data(ctx, thread).map_or(Value::NIL, |data| data.scheduler.get());
        if !scheduler.is_nil() && !fiber_interrupt(ctx, scheduler, waiter.fiber, exception)? {
            super::thread::send(ctx, thread, exception);
        }
    }
    Ok(())
}

/// What a transfer came to: bytes, or an errno.
pub type Transfer<T> = std::result::Result<T, i32>;

/// Calls one of the four hooks: (io, buffer, [from,] length, offset), of which the length says how much must be
/// transferred at least (nothing) and the offset where in the buffer. It answers bytes, or an errno with its sign
/// changed.
pub fn transfer(
    ctx: &mut Ctx,
    scheduler: Value,
    hook: &'static str,
    io: Value,
    memory: Value,
    offset: Option<i64>,
) -> Result<Transfer<usize>> {
    let zero = Value::fixnum(0);
    let answer = match offset {
        Some(from) => {
            let from = ctx.int(from);
            ctx.call_name(scheduler, hook, &[io, memory, from, zero, zero])?
        }
        None => ctx.call_name(scheduler, hook, &[io, memory, zero, zero])?,
    };
    let n = ctx.to_int(answer)?;
    Ok(usize::try_from(n).map_err(|_| n.unsigned_abs() as i32))
}

/// A transfer between an IO and a buffer of the program's, by the running fiber's scheduler if it knows the hook: what
/// that answers. `from` is the place in the file.
pub fn io_buffer(
    ctx: &mut Ctx,
    hook: &'static str,
    io: Value,
    memory: Value,
    from: Option<Value>,
    length: usize,
    offset: usize,
) -> Result<Option<Value>> {
    let Some(scheduler) = current(ctx) else { return Ok(None) };
    if !knows(ctx, scheduler, hook)? {
        return Ok(None);
    }
    let (length, offset) = (Value::fixnum(length as i64), Value::fixnum(offset as i64));
    match from {
        Some(from) => ctx.call_name(scheduler, hook, &[io, memory, from, length, offset]),
        None => ctx.call_name(scheduler, hook, &[io, memory, length, offset]),
    }
    .map(Some)
}

/// Whether the scheduler has an optional hook.
pub fn knows(ctx: &mut Ctx, scheduler: Value, hook: &'static str) -> Result<bool> {
    let name = ctx.intern(hook);
    ctx.respond_to(scheduler, name, true)
}

/// `IO.select` with its arguments, if the scheduler does that.
pub fn io_select(ctx: &mut Ctx, scheduler: Value, args: &[Value]) -> Result<Option<Value>> {
    call_if_there(ctx, scheduler, "io_select", args)
}

/// Closes a descriptor, if the scheduler does that: what the hook answers.
pub fn io_close(ctx: &mut Ctx, scheduler: Value, fd: i32) -> Result<Option<Value>> {
    call_if_there(ctx, scheduler, "io_close", &[Value::fixnum(fd as i64)])
}

/// Waits for a child, if the scheduler does that: a Process::Status.
pub fn process_wait(ctx: &mut Ctx, scheduler: Value, pid: i32, flags: i32) -> Result<Option<Value>> {
    call_if_there(ctx, scheduler, "process_wait", &[Value::fixnum(pid as i64), Value::fixnum(flags as i64)])
}

/// The addresses of a host as an Array of Strings, if the scheduler resolves names.
pub fn address_resolve(ctx: &mut Ctx, scheduler: Value, host: Value) -> Result<Option<Value>> {
    call_if_there(ctx, scheduler, "address_resolve", &[host])
}
