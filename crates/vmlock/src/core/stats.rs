//! Counters of one thread: how often it got the lock, and how long it held it, waited for it and was outside. They are
//! always on. The number of acquisitions is counted on the fast path, all else only where a thread waits, hands the
//! lock over or is outside for long.
//!
//! The life of a thread consists of phases: it holds the lock, queues for it, or is outside. Where the phase changes
//! the clock is read, and the time since the last change is added to the phase that ends. So the three sums add up to
//! the time since the thread was bound. Where no decision of the lock needs the time, the reading is a stamp of the
//! processor's counter (`sys::clock`). Neither a short region that nobody steals nor a `release` that meets no waiter
//! changes the phase: reading the clock would cost more than they do. The feature `uncounted` leaves all of this out,
//! for measuring what it costs.

use crate::core::thread::ThreadId;
use crate::sys::stamp_ns;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

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
    /// Nanoseconds it held the lock. Short regions in which it kept the lock are part of it, and so is
    /// the time between a `release` and an `acquire` that both met nobody.
    pub held_ns: u64,
    /// Nanoseconds it queued for the lock.
    pub waited_ns: u64,
    /// Nanoseconds it spent otherwise: in long regions, in stolen ones, parked.
    pub outside_ns: u64,
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

impl ThreadStats {
    /// Adds another thread's counters; of the waits, the longest and the latest stay.
    pub fn add(&mut self, other: &ThreadStats) {
        self.runs += other.runs;
        self.waits += other.waits;
        self.held_ns += other.held_ns;
        self.waited_ns += other.waited_ns;
        self.outside_ns += other.outside_ns;
        for i in 0..Reason::COUNT {
            self.given[i] += other.given[i];
            self.taken[i] += other.taken[i];
            self.waited_ns_by[i] += other.waited_ns_by[i];
        }
        self.longest_wait = self.longest_wait.into_iter().chain(other.longest_wait).max_by_key(|wait| wait.ns);
        self.last_wait = self.last_wait.into_iter().chain(other.last_wait).max_by_key(|wait| wait.at_ns);
    }
}

/// One wait for the lock: how long, who had the lock at its end, and why that thread gave it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    pub ns: u64,
    pub behind: ThreadId,
    pub reason: Reason,
    /// When it ended, on the monotonic clock: a slot of `behind` that was bound later is another thread's.
    pub at_ns: u64,
}

/// What a thread does, as its account knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Phase {
    /// It has the lock; at first a thread is taken to have it, for binding and acquiring are one thing.
    Held,
    Waiting,
    Outside,
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
    outside_ns: Counter,
    /// When the thread got its slot.
    bound_ns: Counter,
    phase: AtomicU32,
    /// When the phase began; zero: the thread is not bound yet.
    phase_since_ns: Counter,
    longest_wait: WaitCell,
    last_wait: WaitCell,
}

/// A `Wait` in three words. A reader may see the parts of two waits.
#[derive(Default)]
struct WaitCell {
    ns: Counter,
    /// Zero: none. Otherwise the thread above the reason, plus one.
    behind: Counter,
    at_ns: Counter,
}

impl WaitCell {
    fn set(&self, ns: u64, behind: ThreadId, reason: Reason, at_ns: u64) {
        self.ns.0.store(ns, Relaxed);
        self.at_ns.0.store(at_ns, Relaxed);
        self.behind.0.store((u64::from(behind.0) << 8 | reason as u64) + 1, Relaxed);
    }

    fn get(&self) -> Option<Wait> {
        let behind = self.behind.get().checked_sub(1)?;
        let reason = Reason::ALL.get((behind & 0xff) as usize)?;
        Some(Wait {
            ns: self.ns.get(),
            behind: ThreadId((behind >> 8) as u32),
            reason: *reason,
            at_ns: self.at_ns.get(),
        })
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
        if cfg!(feature = "uncounted") {
            return;
        }
        self.0.store(self.0.load(Relaxed).wrapping_add(n), Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

impl Counters {
    /// The thread has been handed the lock by `from`.
    pub fn count_grant(&self, waited_ns: u64, from: Option<(u32, Reason)>, now_ns: u64) {
        if cfg!(feature = "uncounted") {
            return;
        }
        self.runs.add(1);
        let Some((behind, reason)) = from else { return };
        self.taken[reason as usize].add(1);
        self.waited_ns_by[reason as usize].add(waited_ns);
        self.last_wait.set(waited_ns, ThreadId(behind), reason, now_ns);
        if waited_ns > self.longest_wait.ns.get() {
            self.longest_wait.set(waited_ns, ThreadId(behind), reason, now_ns);
        }
    }

    /// The thread got its slot: the first phase begins.
    pub fn bound(&self, now_ns: u64) {
        self.bound_ns.0.store(now_ns, Relaxed);
        self.begin(Phase::Held, now_ns);
    }

    pub fn bound_ns(&self) -> u64 {
        self.bound_ns.get()
    }

    /// Is the thread outside, as far as its account knows?
    #[inline(always)]
    pub fn is_outside(&self) -> bool {
        self.phase.load(Relaxed) == Phase::Outside as u32
    }

    /// `begin` at this moment.
    #[inline(always)]
    pub fn begin_now(&self, phase: Phase) {
        if !cfg!(feature = "uncounted") {
            self.begin(phase, stamp_ns());
        }
    }

    /// When the present phase began; zero: unknown.
    pub fn phase_since_ns(&self) -> u64 {
        self.phase_since_ns.get()
    }

    /// How long the present phase has lasted; zero: unknown.
    pub fn phase_lasted_ns(&self, now_ns: u64) -> u64 {
        match self.phase_since_ns.get() {
            0 => 0,
            since_ns => now_ns.saturating_sub(since_ns),
        }
    }

    /// The present phase ends, and this one begins.
    pub fn begin(&self, phase: Phase, now_ns: u64) {
        if cfg!(feature = "uncounted") {
            return;
        }
        let since_ns = self.phase_since_ns.get();
        // A stamp may lie a little before the clock's reading that came first.
        let now_ns = now_ns.max(since_ns);
        let past_ns = if since_ns == 0 { 0 } else { now_ns - since_ns };
        self.sum_of(self.phase.load(Relaxed)).add(past_ns);
        // One writer at a time: no read-modify-write is needed.
        self.phase_since_ns.0.store(now_ns, Relaxed);
        self.phase.store(phase as u32, Relaxed);
    }

    fn sum_of(&self, phase: u32) -> &Counter {
        [&self.held_ns, &self.waited_ns, &self.outside_ns][phase.min(2) as usize]
    }

    /// The counters, with the phase that has not ended. Another thread may change them meanwhile: then
    /// they are read again, a few times.
    pub fn read(&self, now_ns: u64) -> ThreadStats {
        let mut stats = ThreadStats::default();
        for _ in 0..8 {
            let (phase, since_ns) = (self.phase.load(Relaxed), self.phase_since_ns.get());
            stats = self.read_sums();
            if since_ns == self.phase_since_ns.get() && since_ns != 0 {
                let running_ns = now_ns.saturating_sub(since_ns);
                *[&mut stats.held_ns, &mut stats.waited_ns, &mut stats.outside_ns][phase.min(2) as usize] += running_ns;
                break;
            }
        }
        stats
    }

    fn read_sums(&self) -> ThreadStats {
        let all = |c: &[Counter; Reason::COUNT]| std::array::from_fn(|i| c[i].get());
        ThreadStats {
            runs: self.runs.get(),
            waits: self.waits.get(),
            held_ns: self.held_ns.get(),
            waited_ns: self.waited_ns.get(),
            outside_ns: self.outside_ns.get(),
            given: all(&self.given),
            taken: all(&self.taken),
            waited_ns_by: all(&self.waited_ns_by),
            longest_wait: self.longest_wait.get(),
            last_wait: self.last_wait.get(),
        }
    }
}
