//! Core classes: concurrency. Threads, fibers, and what they wait for.

mod fiber;
pub mod lock;
pub mod operation;
pub mod ractor;
pub mod scheduler;
mod storage;
pub(crate) mod support;
mod sync;
pub(crate) mod thread;

pub use sync::{Waiters, mutex, wait_on, wake_all};
pub use thread::{adopt, deaf, is_killed, raise_asynchronously, release, terminate_others};

use rubellite_vm::{ClassDef, Ctx};

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[
    &fiber::FIBER_ERROR,
    &fiber::FIBER,
    &thread::THREAD_ERROR,
    &thread::THREAD,
    &thread::THREAD_GROUP,
    &sync::MUTEX,
    &sync::CLOSED_QUEUE_ERROR,
    &sync::QUEUE,
    &sync::SIZED_QUEUE,
    &sync::CONDITION_VARIABLE,
    &sync::MONITOR,
    &ractor::RACTOR,
    &ractor::PORT,
    &lock::RUBELLITE,
    &lock::LOCK,
];

/// In the child of a fork: the other threads are dead, what they held is free, and the lock's trace is the parent's.
pub fn after_fork(ctx: &mut Ctx) {
    lock::trace::after_fork(ctx);
    thread::after_fork(ctx);
    ractor::after_fork(ctx);
    crate::numeric::forget_default_random(ctx);
}
