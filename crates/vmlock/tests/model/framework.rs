//! What the simulated system takes from shuttle, which chooses at random: threads, locks, and chance.

use shuttle::rand::Rng;

pub use shuttle::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64};
pub use shuttle::sync::{Condvar, Mutex, MutexGuard};
pub use shuttle::thread;

/// Every reading of the clock takes this long.
pub const READING_NS: u64 = 150;

/// Whether the system binds a thread to a processor: it refuses now and then.
pub fn may_bind() -> bool {
    shuttle::rand::thread_rng().gen_bool(0.75)
}

/// How often a thread that sleeps until a deadline looks for a wake-up before the deadline comes.
pub fn looks() -> u32 {
    shuttle::rand::thread_rng().gen_range(1..4)
}

pub fn shares_processor() -> bool {
    shuttle::rand::thread_rng().gen_range(0..4) == 0
}

pub fn processor() -> Option<u32> {
    Some(shuttle::rand::thread_rng().gen_range(0..2))
}
