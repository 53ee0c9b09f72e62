//! What threads wait for: mutexes, monitors, queues, condition variables. All of it runs under the VM lock, so a wait
//! list needs no lock of its own, and sleeping is `Ctx::park_for_thread`, or the `block` hook of a fiber's scheduler
//! (`wait_on`).
//!
//! A waiter that was taken off a list and woken, but leaves without what it waited for (an exception, a
//! deadline), passes the wake on to the next; otherwise that one would sleep beside a free mutex or a full queue.

mod condition;
mod lock;
mod monitor;
pub mod mutex;
mod queue;
mod sized_queue;

pub use condition::CONDITION_VARIABLE;
pub use monitor::MONITOR;
pub use mutex::MUTEX;
pub use queue::{CLOSED_QUEUE_ERROR, QUEUE};
pub use sized_queue::SIZED_QUEUE;

use super::scheduler;
use super::thread::state::{ThreadData, try_data};
use rubellite_vm::thread::ThreadState;
use rubellite_vm::vmlock::ParkResult;
use rubellite_vm::vmlock::list::WaitList;
use rubellite_vm::{Class, Ctx, Result, Unwind, Value};
use std::sync::Arc;
use std::time::Instant;

/// Who waits: a thread, or a fiber of it that left the thread to its scheduler.
#[derive(Clone)]
pub struct Waiter {
    pub thread: Arc<ThreadState>,
    /// Nil: the thread itself sleeps.
    pub fiber: Value,
    /// What the fiber's scheduler is told that it is woken for.
    blocker: Value,
}

impl Waiter {
    /// A fiber whose thread has ended, or has no scheduler any more: it will not go on.
    fn is_lost(&self, ctx: &Ctx) -> bool {
        let data = try_data(ctx, self.thread.value.get());
        !self.fiber.is_nil() && data.is_none_or(|data| data.scheduler.get().is_nil())
    }
}

/// A list of those who wait. A waiting fiber's node lies on the fiber's own stack; the object that the list belongs to
/// traces it, so that neither outlives the other.
#[derive(Default)]
pub struct Waiters(WaitList<Waiter>);

impl Waiters {
    pub fn trace(&self, visit: &mut dyn FnMut(Value)) {
        self.0.each(|waiter| {
            visit(waiter.fiber);
            visit(waiter.blocker);
        });
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many wait, those included who were called and have not come yet.
    pub fn everyone(&self) -> usize {
        self.len() + self.called()
    }

    /// How many threads were woken by `call_one` and have not come yet.
    pub fn called(&self) -> usize {
        self.0.called()
    }

    pub fn pop_front(&self) -> Option<Waiter> {
        self.0.pop_front()
    }

    pub fn snapshot(&self) -> Vec<Waiter> {
        self.0.snapshot()
    }

    /// Is on the list while `wait` runs, or until somebody takes it off: the running fiber if it has a scheduler, else
    /// the running thread. `owner` is the object that the list belongs to, `blocker` what the scheduler is told of.
    pub fn enter<R>(&self, ctx: &mut Ctx, owner: Value, blocker: Value, wait: impl FnOnce(&mut Ctx) -> R) -> R {
        let thread = ctx.thread().clone();
        if scheduler::current(ctx).is_some() {
            let fiber = ctx.current_fiber();
            return self.0.enter(Waiter { thread, fiber, blocker }, || {
                ctx.write_barrier(owner, fiber);
                ctx.write_barrier(owner, blocker);
                wait(ctx)
            });
        }
        let data = try_data(ctx, thread.value.get());
        if let Some(data) = &data {
            data.waits_on.borrow_mut().push(self);
        }
        let result = self.0.enter(Waiter { thread, fiber: Value::NIL, blocker: Value::NIL }, || wait(ctx));
        if let Some(data) = &data {
            let mut lists = data.waits_on.borrow_mut();
            if let Some(at) = lists.iter().rposition(|list| std::ptr::eq(*list, self)) {
                lists.remove(at);
            }
        }
        result
    }
}

/// Waits on a list until somebody takes the waiter off and wakes it, the deadline, or an interrupt. `blocker` is the
/// object that is waited for, as whoever looks at the thread is told, and to which the list belongs. It may return
/// early.
pub fn wait_on(ctx: &mut Ctx, waiters: &Waiters, blocker: Value, deadline: Option<Instant>) -> Result<ParkResult> {
    let Some(scheduler) = scheduler::current(ctx) else {
        let data = try_data(ctx, ctx.thread().value.get());
        let before = data.as_ref().map(|data| data.waits_for.replace(blocker));
        let outcome = waiters.enter(ctx, blocker, Value::NIL, |ctx| ctx.park_for_thread(deadline));
        data.iter().for_each(|data| data.waits_for.set(before.unwrap_or(Value::NIL)));
        return outcome;
    };
    let timeout = scheduler::seconds_until(ctx, deadline);
    waiters.enter(ctx, blocker, blocker, |ctx| scheduler::block(ctx, scheduler, blocker, timeout))?;
    ctx.check_interrupts()?;
    let late = deadline.is_some_and(|at| at <= ctx.now());
    Ok(if late { ParkResult::TimedOut } else { ParkResult::Unparked })
}

/// Wakes one that was taken off a list. A fiber's scheduler is told of `blocker` and may raise.
pub fn wake(ctx: &mut Ctx, waiter: &Waiter, blocker: Value) -> Result<()> {
    if !waiter.fiber.is_nil() {
        let scheduler = try_data(ctx, waiter.thread.value.get()).map_or(Value::NIL, |data| data.scheduler.get());
        if !scheduler.is_nil() {
            return scheduler::unblock(ctx, scheduler, blocker, waiter.fiber);
        }
    }
    ctx.wake(&waiter.thread);
    Ok(())
}

/// Frees what a dead thread held.
pub fn release_all(ctx: &mut Ctx, data: &ThreadData) {
    let held = std::mem::take(&mut *data.held.borrow_mut());
    for mutex in held {
        if let Some(lock) = mutex::lock_of(ctx, mutex)
            && lock.release(ctx).is_err()
        {
            ctx.clear_pending();
        }
    }
}

/// How many threads wait for a mutex.
pub fn waiters_of(ctx: &Ctx, mutex: Value) -> usize {
    mutex::lock_of(ctx, mutex).map_or(0, |lock| lock.waiters.len())
}

/// Whether that is a Mutex: threads wait for queues as well.
pub fn is_mutex(ctx: &Ctx, value: Value) -> bool {
    mutex::lock_of(ctx, value).is_some()
}

/// Wakes the one that has waited longest.
fn wake_one(ctx: &mut Ctx, waiters: &Waiters) -> Result<()> {
    while let Some(waiter) = waiters.pop_front() {
        if !waiter.is_lost(ctx) {
            return wake(ctx, &waiter, waiter.blocker);
        }
    }
    Ok(())
}

/// `wake_one` for what another thread may take before the woken one comes; then `uncall` lets that one sleep on. A
/// fiber is only woken: its scheduler takes nothing back.
fn call_one(ctx: &mut Ctx, waiters: &Waiters) -> Result<()> {
    let Some(waiter) = waiters.0.call_front(|waiter| waiter.fiber.is_nil()) else { return wake_one(ctx, waiters) };
    ctx.wake(&waiter.thread);
    Ok(())
}

/// Takes back calls until `needed` of those who were called are left. The others sleep on as if nobody had called them,
/// and wait where they waited before.
fn uncall(ctx: &Ctx, waiters: &Waiters, needed: usize) {
    while waiters.called() > needed && waiters.0.uncall_last(|waiter| ctx.unwake(&waiter.thread)) {}
}

/// In the child of a fork: takes a thread that is gone off the lists that it waited on.
pub fn forget_waits(data: &ThreadData) {
    for list in data.waits_on.take() {
        // SAFETY: the list belongs to an object that a frame of the thread keeps alive; the frame is gone, but nothing
        // was collected since, and its memory is still as the thread left it: the child has just begun.
        let list = unsafe { &*list };
        list.0.retain(|waiter| waiter.thread.ctx_ptr().is_some());
    }
}

/// Wakes those who wait now; one that comes back meanwhile is not woken again.
pub fn wake_all(ctx: &mut Ctx, waiters: &Waiters) -> Result<()> {
    for _ in 0..waiters.len() {
        wake_one(ctx, waiters)?;
    }
    Ok(())
}

/// Passes a wake on when `unwind` makes a woken waiter leave; the exit goes on.
#[cold]
fn pass_on(ctx: &mut Ctx, waiters: &Waiters, unwind: Unwind) -> Unwind {
    if waiters.is_empty() {
        return unwind;
    }
    let outcome: Result<()> = ctx.ensure(|_| Err(unwind), |ctx| wake_one(ctx, waiters));
    outcome.err().unwrap_or(Unwind)
}

/// Gives a constant of Thread its short name at toplevel, as `Mutex` for `Thread::Mutex`.
fn short_name(ctx: &mut Ctx, class: Class, name: &str) -> Result<()> {
    let object = ctx.classes().object.class();
    object.set_const(ctx, name, class.value());
    Ok(())
}
