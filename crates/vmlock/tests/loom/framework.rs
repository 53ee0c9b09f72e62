//! What the simulated system takes from loom, which tries everything: threads and locks. Nothing is left to chance.

pub use loom::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64};
pub use loom::sync::{Condvar, Mutex, MutexGuard};
pub use loom::thread;

/// The clock only moves when it is slept on.
pub const READING_NS: u64 = 0;

/// Threads are not bound.
pub fn may_bind() -> bool {
    false
}

/// How often a thread that sleeps until a deadline looks for a wake-up before the deadline comes.
pub fn looks() -> u32 {
    1
}

pub fn shares_processor() -> bool {
    false
}

/// Not known.
pub fn processor() -> Option<u32> {
    None
}
