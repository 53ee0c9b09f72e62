//! Core classes: threads, fibers, and what they wait for; how native work leaves the lock (`outside`).

pub mod apart;
mod fiber;
pub mod interval;
pub mod io_waiter;
pub mod operation;
pub mod outside;
pub mod races;
pub mod schedule;
pub mod scheduler;
mod storage;
pub mod support;
mod sync;
pub mod thread;

pub use sync::{Waiters, is_mutex, mutex, wait_on, wake_all};
pub use thread::{adopt, after_fork, anything_waits, deaf, is_killed, raise_asynchronously, release, terminate_others};

use rubellite_vm::ClassDef;

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
];
