//! Counters of one thread: always on, and touched only where a thread waits or
//! hands over, except for the number of acquisitions.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Why the lock went from one thread to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// The holder called `release`.
    Release,
    /// The holder entered a long region.
    Region,
    /// The holder parked itself.
    Park,
    /// The holder's slice was over.
    SliceEnd,
    /// A thread with priority asked for it.
    Priority,
    /// The holder called `yield_now`.
    Yield,
    /// The lock was lent and the region lasted.
    Steal,
    /// The schedule in control decided so.
    Schedule,
}

impl Reason {
    /// How many reasons there are.
    pub const COUNT: usize = 8;
    /// All reasons, in the order of the arrays in `ThreadStats`.
    pub const ALL: [Reason; Self::COUNT] = [
        Reason::Release,
        Reason::Region,
        Reason::Park,
        Reason::SliceEnd,
        Reason::Priority,
        Reason::Yield,
        Reason::Steal,
        Reason::Schedule,
    ];
}

/// A reading of one thread's counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadStats {
    /// Times it got the lock, a lent lock that it took back not counted.
    pub runs: u64,
    /// Times it had to queue for the lock.
    pub waits: u64,
    /// Nanoseconds it held the lock while others waited. Without a waiter the clock is not
    /// read; with a trace installed every stretch is measured.
    pub held_ns: u64,
    /// Nanoseconds it queued for the lock.
    pub waited_ns: u64,
    /// The longest of these waits.
    pub waited_ns_max: u64,
    /// Times it handed the lock over, by `Reason`.
    pub given: [u64; Reason::COUNT],
    /// Times it was handed the lock, by the `Reason` of the giver.
    pub taken: [u64; Reason::COUNT],
    /// Nanoseconds it queued, by the `Reason` for which it got the lock in the end.
    pub waited_ns_by: [u64; Reason::COUNT],
}

/// The counters behind `ThreadStats`. Each has one writer at a time: its own thread, or
/// whoever holds the internal lock.
#[derive(Default)]
pub(crate) struct Counters {
    pub runs: Counter,
    pub waits: Counter,
    pub held_ns: Counter,
    pub waited_ns: Counter,
    pub waited_ns_max: Counter,
    pub given: [Counter; Reason::COUNT],
    pub taken: [Counter; Reason::COUNT],
    pub waited_ns_by: [Counter; Reason::COUNT],
}

/// A counter with one writer at a time: no read-modify-write is needed.
pub(crate) struct Counter(AtomicU64);

impl Default for Counter {
    fn default() -> Self {
        Counter(AtomicU64::new(0))
    }
}

impl Counter {
    #[inline(always)]
    pub fn add(&self, n: u64) {
        self.0.store(self.0.load(Relaxed).wrapping_add(n), Relaxed);
    }

    pub fn raise_to(&self, n: u64) {
        if n > self.0.load(Relaxed) {
            self.0.store(n, Relaxed);
        }
    }

    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

impl Counters {
    pub fn read(&self) -> ThreadStats {
        let all = |c: &[Counter; Reason::COUNT]| std::array::from_fn(|i| c[i].get());
        ThreadStats {
            runs: self.runs.get(),
            waits: self.waits.get(),
            held_ns: self.held_ns.get(),
            waited_ns: self.waited_ns.get(),
            waited_ns_max: self.waited_ns_max.get(),
            given: all(&self.given),
            taken: all(&self.taken),
            waited_ns_by: all(&self.waited_ns_by),
        }
    }
}
