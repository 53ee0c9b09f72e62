//! Help for the kernel's scheduler, which knows nothing of the lock: threads ask the kernel for shorter or longer time
//! slices, and call sched_yield(2) at moments at which the kernel would not look who should run. A *slice* in this file
//! is the kernel's, of a processor; the lock's own slices are `fairness`.
//!
//! The problem. Thread B waits for I/O, and thread C computes on the processor on which B wakes up. The kernel compares
//! the two when B wakes. If C may go on, because B has just run or C's slice is young, the kernel compares them again
//! only at its next tick, up to 4 ms later. Whoever waits for an answer of B waits as long.
//!
//! Three things help:
//!
//! 1. **Short slices** for threads that mostly wait, and **long ones** for threads that compute outside the lock
//!    (`Slices`). When a thread wakes up the kernel prefers the one with the shorter slice. All threads that compute
//!    have slices of one length: a thread with a usual one would run for long each time that one with a long slice
//!    yields.
//! 2. **A thread that has the lock again and goes on computing yields first** (`goes_on_computing`): after its turn was
//!    cut short for a thread back from a wait, at the beginning of its turn, and when its lent lock was taken. The
//!    kernel then compares at once. A yield costs 0.3 us where nobody else wants the processor. Round trips beside two
//!    threads that compute, median p99 of several runs: 0.3 to 1.3 ms instead of 0.7 to 2.1 ms. Beside four threads
//!    that search with regular expressions, 6200 round trips with yields of the thread cut short alone and with all: 74
//!    and 37 took more than 0.35 ms, 37 and 6 more than 1 ms.
//! 3. **A thread that computes outside the lock yields when it comes back to it** (`back_from_region`), several
//!    thousand times a second, as long as there are threads that wait for I/O and the yields are short.
//!    Round trips beside 2 and 4 threads that compress, p99 of runs in turn: 0.33 to 0.49 ms instead of 3 to 8 ms.
//!
//! A yield that lasts shows that another process computes on the processor. Then the intervals between yields grow
//! (`yields`), and threads have the usual slices for a while: with long ones the processor would go to the other
//! process each time. Whether a thread outside the lock computes or waits is told by the processor time that it uses
//! there from one sleep to the next. Round trips beside 2 and 4 threads that compress, p99 of some thousand: 0.32 and
//! 0.31 ms instead of 0.44 and 0.60, with slices of 20 ms.
//!
//! Rejected: short slices for all threads, and long ones without the yields: beside four that compress the p99 was 0.4
//! to 8 ms, for a holder that is not running keeps the lock for a whole slice of another; to sleep at once, and not to
//! yield, where a thread back from a wait finds that it shares the processor with the holder: more slow round trips,
//! not less.

use super::crowding::{Crowding, Limits};
use super::mechanism::Mechanism;
use super::yields::{Intervals, YieldClock};
use crate::core::lock::{Inner, VmLock};
use crate::core::thread::{Entry, LockThread};
use crate::sys;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

/// A thread mostly waits if it used the lock for less than this in the last 100 ms.
const MOSTLY_WAITING_NS: f64 = 1e7;
/// A thread that has the lock again yields at most so often, which costs it 0.1 % where nobody else wants the
/// processor; where other processes compute a yield may cost the rest of a kernel slice.
const TURN_INTERVALS: Intervals =
    Intervals { usual_ns: 500_000, long: Limits { first: 5_000_000, most: 5_000_000, free_after: u32::MAX } };
/// The same after native work.
const WORK_INTERVALS: Intervals =
    Intervals { usual_ns: 100_000, long: Limits { first: 2_000_000, most: 200_000_000, free_after: u32::MAX } };
/// The kernel keeps what it owes to a thread that sleeps, which may be more than one yield gives up: the thread goes on
/// at once then, though others want the processor. So it yields up to so many times. A change of turns takes 1.7 us
/// longer for it, of 5 ms.
const YIELDS: u32 = 3;
/// When a yield lasts longer somebody has run meanwhile: that takes two switches.
const SWITCHED_NS: u64 = 2_000;

/// A thread computes outside the lock if it used so much of a processor there for each time that it slept; one that
/// answers others uses 20 to 60 us.
const COMPUTES_NS: u64 = 100_000;
/// How often that is looked at, which takes a system call.
const LOOK_EVERY_NS: u64 = 20_000_000;
/// What was seen so long ago no longer says what the thread does.
const FORGOTTEN_NS: u64 = 5 * LOOK_EVERY_NS;
/// When a thread that waits for I/O came back so recently there are such threads.
const RECENT_NS: u64 = 1_000_000_000;
/// How exactly that time is kept, since all threads write it.
const NOTED_EVERY_NS: u64 = 1_000_000;
/// When a yield of a thread with long slices lasts longer another process has run.
const CROWDED_NS: u64 = 5_000_000;
/// For how long the processors then count as crowded.
const CROWDED: Limits = Limits { first: 200_000_000, most: 6_400_000_000, free_after: u32::MAX };
/// After so many times as long without such a yield the shortest time counts again.
const FREE_TIMES: u64 = 4;

/// What the threads of a lock know together.
#[derive(Default)]
pub(super) struct SharedSlices {
    /// About when a thread last came back from waiting for I/O.
    waited_ns: AtomicU64,
    /// Other processes compute on the processors.
    crowding: Crowding,
}

/// The slices that a thread asks of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slices {
    /// Those that the kernel gives to everybody.
    Usual,
    /// The thread runs soon after it wakes, and not for long.
    Short,
    /// The thread runs after everybody else, and then for long.
    Long,
    /// As `Long`, of a thread that takes turns with others on one processor; see `affinity`.
    Turns,
}

/// Kept by the thread itself.
#[derive(Default)]
pub(super) struct OwnSlices {
    /// The slices that the thread has: `Slices` as a number.
    has: AtomicU8,
    /// Of late the thread computed while it was outside the lock; it did not wait there.
    computes: AtomicBool,
    looked_ns: AtomicU64,
    /// What `sys::thread_usage` said then, and how long the thread had held the lock.
    used_ns: AtomicU64,
    sleeps: AtomicU64,
    held_ns: AtomicU64,
    /// Its yields when it has the lock again, and after native work.
    turn_yields: YieldClock,
    work_yields: YieldClock,
}

impl OwnSlices {
    pub fn has(&self, slices: Slices) -> bool {
        self.has.load(Relaxed) == slices as u8
    }

    /// Does the calling thread compute outside the lock? This is its part; it has held the lock for so long by now.
    fn computes(&self, held_ns: u64, now_ns: u64) -> bool {
        if now_ns.saturating_sub(self.looked_ns.load(Relaxed)) >= LOOK_EVERY_NS {
            self.looked_ns.store(now_ns, Relaxed);
            let (used_ns, sleeps) = sys::thread_usage();
            self.note_usage(used_ns, held_ns, sleeps);
        }
        self.computes.load(Relaxed)
    }

    /// The thread has used so much of a processor by now, held the lock for so long and slept so often.
    fn note_usage(&self, used_ns: u64, held_ns: u64, sleeps: u64) {
        let since = |then: &AtomicU64, now: u64| now.saturating_sub(then.swap(now, Relaxed));
        let outside_ns = since(&self.used_ns, used_ns).saturating_sub(since(&self.held_ns, held_ns));
        self.computes.store(outside_ns / (1 + since(&self.sleeps, sleeps)) >= COMPUTES_NS, Relaxed);
    }
}

impl VmLock {
    /// Has a thread that comes back with this entry mostly waited of late, and does not have its slices yet? Then
    /// `wait_in_short_slices` is to follow, without the mutex.
    pub(crate) fn mostly_waits(&self, inner: &Inner, thread: &LockThread, entry: Entry, now_ns: u64) -> bool {
        entry == Entry::Priority
            && !thread.policy.slices.has(Slices::Short)
            && inner.table.get(thread.slot()).is_some_and(|slot| slot.usage.at(now_ns) < MOSTLY_WAITING_NS)
    }

    /// The calling thread mostly waits: it asks for short slices, unless it computes outside the lock.
    pub(crate) fn wait_in_short_slices(&self, thread: &LockThread) {
        if !thread.policy.slices.computes.load(Relaxed) {
            self.use_slices(thread, Slices::Short);
        }
    }

    /// The calling thread waits for something else than its turn.
    pub(crate) fn ends_turns(&self, thread: &LockThread) {
        if thread.policy.slices.has(Slices::Turns) {
            self.use_slices(thread, Slices::Usual);
        }
    }

    /// The calling thread has the usual slices from now on: a process inherits those of the thread that started it.
    pub(crate) fn forget_slices(&self, thread: &LockThread) {
        self.use_slices(thread, Slices::Usual);
    }

    /// The calling thread comes back from a region without the lock. If it computed there, whoever woke on its
    /// processor meanwhile goes first.
    pub(crate) fn back_from_region(&self, thread: &LockThread) {
        let policy = &self.policy;
        let any = [Mechanism::YieldWork, Mechanism::LongSlices, Mechanism::ShortSlices];
        if !any.into_iter().any(|mechanism| policy.on(mechanism)) {
            return;
        }
        let own = &thread.policy.slices;
        let now_ns = sys::stamp_ns();
        let waited_ns = now_ns.saturating_sub(policy.slices.waited_ns.load(Relaxed));
        if !own.computes(thread.counters.held_ns.get(), now_ns) {
            if waited_ns > NOTED_EVERY_NS {
                policy.slices.waited_ns.store(now_ns, Relaxed);
            }
            if own.has(Slices::Long) || own.has(Slices::Turns) {
                self.use_slices(thread, Slices::Usual);
            }
            return;
        }
        let others_wait = waited_ns < RECENT_NS;
        if others_wait && policy.on(Mechanism::YieldWork) && own.work_yields.is_due(now_ns) {
            self.yield_after_work(own, now_ns);
        }
        let long = others_wait && !policy.slices.crowding.lasts(now_ns);
        self.use_slices(thread, if long { Slices::Long } else { Slices::Usual });
    }

    fn yield_after_work(&self, own: &OwnSlices, now_ns: u64) {
        sys::yield_cpu();
        let after_ns = sys::stamp_ns();
        let lasted_ns = after_ns.saturating_sub(now_ns);
        own.work_yields.note(lasted_ns, after_ns, WORK_INTERVALS);
        if lasted_ns > CROWDED_NS && own.has(Slices::Long) {
            self.policy.slices.crowding.seen_apart(after_ns, CROWDED, FREE_TIMES);
        }
    }

    /// Asks the kernel for such slices for the calling thread, where it has others.
    pub(super) fn use_slices(&self, thread: &LockThread, slices: Slices) {
        let own = &thread.policy.slices;
        if own.has(slices) {
            return;
        }
        let on = |mechanism| self.policy.on(mechanism);
        let kept = |number| match number {
            n if n == Slices::Short as u8 && on(Mechanism::ShortSlices) => Slices::Short,
            n if n == Slices::Long as u8 && on(Mechanism::LongSlices) => Slices::Long,
            n if n == Slices::Turns as u8 && on(Mechanism::LongSlices) => Slices::Turns,
            _ => Slices::Usual,
        };
        let before = kept(own.has.swap(slices as u8, Relaxed));
        if before != kept(slices as u8) {
            sys::use_slices(kept(slices as u8));
        }
    }

    /// The calling thread has the lock, perhaps after one that came back from a wait, and goes on computing: whoever
    /// woke on its processor meanwhile goes first.
    pub(crate) fn goes_on_computing(&self, thread: &LockThread) {
        let own = &thread.policy.slices;
        let yields = self.policy.on(Mechanism::YieldTurn);
        if own.has(Slices::Short) || !(yields || own.has(Slices::Long)) {
            return;
        }
        let now_ns = sys::stamp_ns();
        if own.has(Slices::Long) && now_ns.saturating_sub(own.looked_ns.load(Relaxed)) > FORGOTTEN_NS {
            // It has not been in a region for long.
            self.use_slices(thread, Slices::Usual);
        }
        if yields && own.turn_yields.is_due(now_ns) {
            let after_ns = yield_to_others(now_ns);
            own.turn_yields.note(after_ns.saturating_sub(now_ns), after_ns, TURN_INTERVALS);
        }
    }
}

/// Yields until somebody has run, or nobody seems to want to; returns the time after it.
fn yield_to_others(now_ns: u64) -> u64 {
    let mut after_ns = now_ns;
    for _ in 0..YIELDS {
        let before_ns = after_ns;
        sys::yield_cpu();
        after_ns = sys::stamp_ns();
        if after_ns.saturating_sub(before_ns) > SWITCHED_NS {
            break;
        }
    }
    after_ns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_works_computes_and_one_that_sleeps_does_not() {
        let own = OwnSlices::default();
        let computes = |used_ns, held_ns, sleeps| {
            own.note_usage(used_ns, held_ns, sleeps);
            own.computes.load(Relaxed)
        };
        assert!(!computes(COMPUTES_NS - 1, 0, 0));
        assert!(computes(20 * COMPUTES_NS, 0, 3), "seldom asleep");
        assert!(!computes(40 * COMPUTES_NS, 0, 103), "each time for less");
        assert!(!computes(40 * COMPUTES_NS, 0, 104), "at rest");
        assert!(!computes(60 * COMPUTES_NS, 25 * COMPUTES_NS, 105), "with the lock, and put aside meanwhile");
        assert!(computes(70 * COMPUTES_NS, 26 * COMPUTES_NS, 106), "outside again");
    }
}
