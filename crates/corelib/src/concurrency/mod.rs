//! Core classes: concurrency. Threads, fibers, and what they wait for.

mod fiber;
mod storage;
mod support;
mod sync;
mod thread;

pub use thread::{after_fork, terminate_others};

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
    &sync::MONITOR_MIXIN,
];
