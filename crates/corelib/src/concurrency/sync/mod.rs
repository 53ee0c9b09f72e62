//! What threads wait for: mutexes, monitors, queues, condition variables. All of it runs under the VM lock, so a wait list
//! needs no lock of its own, and sleeping is `Ctx::park_for_thread`.
//!
//! A waiter that was taken off a list and woken, but leaves without what it waited for (an exception, a
//! deadline), passes the wake on to the next; otherwise that one would sleep beside a free mutex or a full queue.

mod condition;
mod lock;
mod monitor;
mod mutex;
mod queue;
mod sized_queue;

pub use condition::CONDITION_VARIABLE;
pub use monitor::{MONITOR, MONITOR_MIXIN};
pub use mutex::MUTEX;
pub use queue::{CLOSED_QUEUE_ERROR, QUEUE};
pub use sized_queue::SIZED_QUEUE;

use super::thread::state::ThreadData;
use rubellite_vm::thread::ThreadState;
use rubellite_vm::vmlock::list::WaitList;
use rubellite_vm::{Class, Ctx, Result, Value};
use std::sync::Arc;

type Waiters = WaitList<Arc<ThreadState>>;

/// Frees what a dead thread held.
pub fn release_all(ctx: &mut Ctx, data: &ThreadData) {
    let held = std::mem::take(&mut *data.held.borrow_mut());
    for mutex in held {
        if let Some(lock) = mutex::lock_of(ctx, mutex) {
            lock.release(ctx);
        }
    }
}

/// How many threads wait for a mutex.
pub fn waiters_of(ctx: &Ctx, mutex: Value) -> usize {
    mutex::lock_of(ctx, mutex).map_or(0, |lock| lock.waiters.len())
}

/// Wakes the one that has waited longest.
fn wake_one(ctx: &Ctx, waiters: &Waiters) -> bool {
    match waiters.pop_front() {
        Some(thread) => {
            ctx.wake(&thread);
            true
        }
        None => false,
    }
}

fn wake_all(ctx: &Ctx, waiters: &Waiters) {
    while wake_one(ctx, waiters) {}
}

/// Gives a constant of Thread its short name at toplevel, as `Mutex` for `Thread::Mutex`.
fn short_name(ctx: &mut Ctx, class: Class, name: &str) -> Result<()> {
    let object = Class::of(ctx.classes().object.get());
    object.set_const(ctx, name, class.value());
    Ok(())
}
