//! Counters of one thread: always on, and touched only where a thread waits or
//! hands over, except for the number of acquisitions.

use crate::thread::ThreadId;
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
    pub const ALL: [Reason; Self::COUNT] =
        [Reason::Release, Reason::Region, Reason::Park, Reason::SliceEnd, Reason::Priority, Reason::Yield, Reason::Steal, Reason::Schedule];
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
    /// Times it handed the lock over, by `Reason`.
    pub given: [u64; Reason::COUNT],
    /// Times it was handed the lock, by the `Reason` of the giver.
    pub taken: [u64; Reason::COUNT],
    /// Nanoseconds it queued, by the `Reason` for which it got the lock in the end.
    pub waited_ns_by: [u64; Reason::COUNT],
    /// The longest wait and the last one.
    pub longest_wait: Option<Wait>,
    pub last_wait: Option<Wait>,
}

/// One wait for the lock: how long, who had the lock at its end, and why that thread gave it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    pub ns: u64,
    pub behind: ThreadId,
    pub reason: Reason,
}

/// The counters behind `ThreadStats`. Each has one writer at a time: its own thread, or
/// whoever holds the internal lock.
#[derive(Default)]
pub(crate) struct Counters {
    pub runs: Counter,
    pub waits: Counter,
    pub held_ns: Counter,
    pub waited_ns: Counter,
    pub given: [Counter; Reason::COUNT],
    pub taken: [Counter; Reason::COUNT],
    pub waited_ns_by: [Counter; Reason::COUNT],
    longest_wait: WaitCell,
    last_wait: WaitCell,
}

/// A `Wait` in two words. A reader may see the parts of two waits.
#[derive(Default)]
struct WaitCell {
    ns: Counter,
    /// Zero: none. Otherwise the thread above the reason, plus one.
    behind: Counter,
}

impl WaitCell {
    fn set(&self, ns: u64, behind: ThreadId, reason: Reason) {
        self.ns.0.store(ns, Relaxed);
        self.behind.0.store((u64::from(behind.0) << 8 | reason as u64) + 1, Relaxed);
    }

    fn get(&self) -> Option<Wait> {
        let behind = self.behind.get().checked_sub(1)?;
        let reason = Reason::ALL.get((behind & 0xff) as usize)?;
        Some(Wait { ns: self.ns.get(), behind: ThreadId((behind >> 8) as u32), reason: *reason })
    }
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

    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

impl Counters {
    /// The thread has been handed the lock by `from`.
    pub fn count_grant(&self, waited_ns: u64, from: Option<(u32, Reason)>) {
        self.runs.add(1);
        self.waited_ns.add(waited_ns);
        let Some((behind, reason)) = from else { return };
        self.taken[reason as usize].add(1);
        self.waited_ns_by[reason as usize].add(waited_ns);
        self.last_wait.set(waited_ns, ThreadId(behind), reason);
        if waited_ns > self.longest_wait.ns.get() {
            self.longest_wait.set(waited_ns, ThreadId(behind), reason);
        }
    }

    pub fn read(&self) -> ThreadStats {
        let all = |c: &[Counter; Reason::COUNT]| std::array::from_fn(|i| c[i].get());
        ThreadStats {
            runs: self.runs.get(),
            waits: self.waits.get(),
            held_ns: self.held_ns.get(),
            waited_ns: self.waited_ns.get(),
            given: all(&self.given),
            taken: all(&self.taken),
            waited_ns_by: all(&self.waited_ns_by),
            longest_wait: self.longest_wait.get(),
            last_wait: self.last_wait.get(),
        }
    }
}
