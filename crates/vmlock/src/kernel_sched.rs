//! What a thread does for the kernel's scheduler, which knows nothing of the lock.
//!
//! A thread that mostly waits asks for short slices, so that it runs soon after it wakes, also where others compute on
//! its processor. A thread that computes lets those go first that woke on its processor while one back from a wait had the lock: the one that
//! was answered, often. The kernel compares it with the running thread when it wakes, finds that it has just
//! run itself, and compares again at the next tick, up to 4 ms later. A yield makes it compare now, and
//! costs 0.3 us where nobody waits for the processor. Round trips beside two threads that compute, median p99 of several runs:
//! 0.3 to 1.3 ms instead of 0.7 to 2.1 ms. That concerns every thread that goes on computing with the lock: the one that was cut short, one whose slice
//! begins at home, and one whose lent lock was taken. Round trips beside four threads that search with regular expressions, 6200 with yields of the first
//! alone and of all: 74 and 37 took more than 0.35 ms, 37 and 6 more than 1 ms.
//!
//! Where native work fills every processor the kernel would decide alone: whoever woke beside a thread that computes and is not chosen at once,
//! because it has just run itself or the other's slice is nearly over, waits for the next tick. So threads that compute outside the lock yield
//! when they come back to it, several thousand times a second, as long as there are threads that wait for the outside world and the yields are short:
//! one that lasts shows that others compute on the processor, too. Round trips beside 2 and 4 threads that compress, p99 of runs in turn: 0.33 to 0.49
//! ms instead of 3 to 8 ms. A yield costs the rest of a slice at most, and only where others want the processor.
//!
//! Whether a thread computes or waits outside the lock is told by what it used of a processor there for each time that it slept.
//!
//! Such threads have long slices. The kernel then prefers everybody else: whoever was
//! put aside for the thread that answered, whoever sent the request for instance, goes on before a thread that computes. All of them have the
//! same, for one with a usual slice would run for long each time that one with a long slice yields. A yield that lasts for long shows
//! that another process computes on the processor, which would get a long slice each time: then the slices are the usual ones for a while.
//! Round trips beside 2 and 4 threads that compress, p99 of some thousand: 0.32 and 0.31 ms instead of 0.44 and 0.60, with slices of 20 ms.
//!
//! Rejected: short slices for all threads, and long ones without the yields: beside four that compress the p99 was 0.4 to 8 ms,
//! for a holder that is not running keeps the lock for a whole slice of another; to sleep at once, and not to yield, where a thread back from
//! a wait finds that it shares the processor with the holder: more slow round trips, not less.

use crate::crowding::Limits;
use crate::lock::{Inner, VmLock};
use crate::sys;
use crate::thread::LockThread;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

/// A thread mostly waits if it used the lock for less than this in the last 100 ms.
const MOSTLY_WAITING_NS: f64 = 1e7;
/// A thread that has the lock again lets others run at most so often, which costs it 0.1 % where nobody else wants the processor.
const LETS_RUN_EVERY_NS: u64 = 500_000;
/// Where other processes compute on the processor that may cost the rest of a kernel slice, and happens at most so often.
const GIVES_WAY_EVERY_NS: u64 = 5_000_000;
/// The kernel keeps what it owes to a thread that sleeps, which may be more than one yield gives up: it goes on at once then, though others
/// want the processor. So it yields up to so many times. A change of turns takes 1.7 us longer for it, of 5 ms.
const YIELDS: u32 = 3;
/// A yield that lasts longer let somebody run: it takes two switches.
const SWITCHED_NS: u64 = 2_000;

/// A thread computes outside the lock if it used so much of a processor there for each time that it slept; one that answers others uses 20 to 60 us.
const COMPUTES_NS: u64 = 100_000;
/// How often that is looked at, which takes a system call.
const LOOK_EVERY_NS: u64 = 20_000_000;
/// What was seen so long ago says nothing of the thread now.
const FORGOTTEN_NS: u64 = 5 * LOOK_EVERY_NS;
/// A thread that waits for the outside world came back so recently: there are such threads.
const RECENT_NS: u64 = 1_000_000_000;
/// How exactly that is kept, for all threads write it.
const NOTED_EVERY_NS: u64 = 1_000_000;
/// A yield that lasts longer let somebody run who computes.
const LONG_YIELD_NS: u64 = 1_000_000;
/// The rest between two yields after native work; it doubles with each long yield, and ends with a short one.
const REST_MIN_NS: u64 = 100_000;
const REST_MAX_NS: u64 = 200_000_000;
/// A yield of a thread with long slices that lasts longer let another process run.
const CROWDED_NS: u64 = 5_000_000;
/// How long that is remembered, the first time and at most.
const CROWDED: Limits = Limits { first_ns: 200_000_000, most_ns: 6_400_000_000 };
/// It is forgotten when nobody else has computed for so many times as long as it was remembered.
const FREE_TIMES: u64 = 4;

/// What the threads of a lock know together.
#[derive(Default)]
pub(crate) struct Surroundings {
    /// When a thread came back from waiting for the outside world, nearly.
    waited_ns: AtomicU64,
    /// Until then others are taken to compute on the processors, too.
    crowded_until_ns: AtomicU64,
    /// For how long the last time.
    crowded_for_ns: AtomicU64,
}

impl Surroundings {
    /// Others compute on the processors now. It is remembered longer each time, until it was not so for long enough.
    fn crowded(&self, now_ns: u64) {
        let until_ns = self.crowded_until_ns.load(Relaxed);
        if now_ns < until_ns {
            return;
        }
        let last_ns = self.crowded_for_ns.load(Relaxed);
        let forgotten = now_ns - until_ns > FREE_TIMES * last_ns;
        let lasts_ns = CROWDED.after(if forgotten { 0 } else { last_ns });
        self.crowded_for_ns.store(lasts_ns, Relaxed);
        self.crowded_until_ns.store(now_ns + lasts_ns, Relaxed);
    }

    fn is_crowded(&self, now_ns: u64) -> bool {
        now_ns < self.crowded_until_ns.load(Relaxed)
    }
}

/// The slices that a thread asks of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slices {
    /// What the kernel gives to everybody.
    Usual,
    /// Soon, and not for long.
    Short,
    /// After everybody else.
    Long,
    /// Long ones, of a thread that takes turns with others on one processor; see `rotation`.
    Turns,
}

/// Kept by the thread itself.
#[derive(Default)]
pub(crate) struct KernelSched {
    /// The slices that it has: `Slices` as a number.
    slices: AtomicU8,
    /// When it lets others run again.
    lets_run_ns: AtomicU64,
    /// Of late it computed outside the lock, rather than to wait there.
    computes: AtomicBool,
    looked_ns: AtomicU64,
    /// What `sys::thread_usage` said then, and how long the thread had held the lock.
    used_ns: AtomicU64,
    sleeps: AtomicU64,
    held_ns: AtomicU64,
    /// When it may yield again after native work, and how long it rests between two yields.
    yields_ns: AtomicU64,
    rest_ns: AtomicU64,
}

impl KernelSched {
    pub(crate) fn has(&self, slices: Slices) -> bool {
        self.slices.load(Relaxed) == slices as u8
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

    /// A yield after native work lasted so long.
    fn rest_after(&self, lasted_ns: u64, now_ns: u64) {
        let rest_ns = if lasted_ns < LONG_YIELD_NS { REST_MIN_NS } else { (2 * self.rest_ns.load(Relaxed).max(LONG_YIELD_NS)).min(REST_MAX_NS) };
        self.rest_ns.store(rest_ns, Relaxed);
        self.yields_ns.store(now_ns + rest_ns, Relaxed);
    }
}

impl Inner {
    /// Has that thread mostly waited of late?
    pub(crate) fn mostly_waits(&self, id: u32, now_ns: u64) -> bool {
        self.table.get(id).is_some_and(|slot| slot.usage.at(now_ns) < MOSTLY_WAITING_NS)
    }
}

impl VmLock {
    /// The calling thread mostly waits: it asks for short slices, unless it computes outside the lock.
    pub(crate) fn wait_in_short_slices(&self, thread: &LockThread) {
        if !thread.kernel_sched.computes.load(Relaxed) {
            self.use_slices(thread, Slices::Short);
        }
    }

    /// The calling thread comes back from a region without the lock. If it computed there, whoever woke on its processor meanwhile goes first.
    pub(crate) fn back_from_region(&self, thread: &LockThread) {
        if !self.short_kernel_slices {
            return;
        }
        let sched = &thread.kernel_sched;
        let now_ns = sys::stamp_ns();
        let waited_ns = now_ns.saturating_sub(self.surroundings.waited_ns.load(Relaxed));
        if !sched.computes(thread.counters.held_ns.get(), now_ns) {
            if waited_ns > NOTED_EVERY_NS {
                self.surroundings.waited_ns.store(now_ns, Relaxed);
            }
            if sched.has(Slices::Long) || sched.has(Slices::Turns) {
                self.use_slices(thread, Slices::Usual);
            }
            return;
        }
        let others_wait = waited_ns < RECENT_NS;
        if others_wait && now_ns >= sched.yields_ns.load(Relaxed) {
            self.yield_after_work(sched, now_ns);
        }
        self.use_slices(thread, if others_wait && !self.surroundings.is_crowded(now_ns) { Slices::Long } else { Slices::Usual });
    }

    fn yield_after_work(&self, sched: &KernelSched, now_ns: u64) {
        sys::yield_cpu();
        let after_ns = sys::stamp_ns();
        let lasted_ns = after_ns.saturating_sub(now_ns);
        sched.rest_after(lasted_ns, after_ns);
        if lasted_ns > CROWDED_NS && sched.has(Slices::Long) {
            self.surroundings.crowded(after_ns);
        }
    }

    /// Asks the kernel for such slices for the calling thread, where it has others.
    pub(crate) fn use_slices(&self, thread: &LockThread, slices: Slices) {
        if self.short_kernel_slices && thread.kernel_sched.slices.swap(slices as u8, Relaxed) != slices as u8 {
            sys::use_slices(slices);
        }
    }

    /// The calling thread has the lock, perhaps after one that came back from a wait, and goes on computing: whoever woke on its processor
    /// meanwhile goes first.
    pub(crate) fn let_others_run(&self, thread: &LockThread) {
        let sched = &thread.kernel_sched;
        if !self.short_kernel_slices || sched.has(Slices::Short) {
            return;
        }
        let now_ns = sys::stamp_ns();
        if sched.has(Slices::Long) && now_ns.saturating_sub(sched.looked_ns.load(Relaxed)) > FORGOTTEN_NS {
            // It has not been in a region for long.
            self.use_slices(thread, Slices::Usual);
        }
        if now_ns >= sched.lets_run_ns.load(Relaxed) {
            let after_ns = yield_to_others(now_ns);
            let others_compute = after_ns.saturating_sub(now_ns) >= LONG_YIELD_NS;
            let rest_ns = if others_compute { GIVES_WAY_EVERY_NS } else { LETS_RUN_EVERY_NS };
            sched.lets_run_ns.store(after_ns + rest_ns, Relaxed);
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
    fn long_yields_become_rare_and_a_short_one_ends_that() {
        let sched = KernelSched::default();
        let rest = |lasted_ns| {
            sched.rest_after(lasted_ns, 1_000);
            sched.yields_ns.load(Relaxed) - 1_000
        };
        assert_eq!(rest(0), REST_MIN_NS);
        assert_eq!([rest(LONG_YIELD_NS), rest(LONG_YIELD_NS)], [2 * LONG_YIELD_NS, 4 * LONG_YIELD_NS]);
        assert_eq!((0..20).map(|_| rest(4_000_000)).max(), Some(REST_MAX_NS));
        assert_eq!(rest(LONG_YIELD_NS - 1), REST_MIN_NS);
    }

    #[test]
    fn other_processes_are_remembered_longer_each_time() {
        let surroundings = Surroundings::default();
        let mut now_ns = 1_000_000_000;
        let mut seen_after = |rest_ns: u64| {
            now_ns += rest_ns;
            surroundings.crowded(now_ns);
            surroundings.crowded(now_ns + 1);
            let lasts_ns = surroundings.crowded_until_ns.load(Relaxed) - now_ns;
            assert!(surroundings.is_crowded(now_ns + lasts_ns - 1) && !surroundings.is_crowded(now_ns + lasts_ns));
            now_ns += lasts_ns;
            lasts_ns
        };
        assert_eq!(seen_after(0), CROWDED.first_ns);
        assert_eq!([seen_after(20_000_000), seen_after(20_000_000)], [2 * CROWDED.first_ns, 4 * CROWDED.first_ns]);
        assert_eq!((0..20).map(|_| seen_after(20_000_000)).max(), Some(CROWDED.most_ns));
        assert_eq!(seen_after(CROWDED.most_ns), CROWDED.most_ns, "not for long enough");
        assert_eq!(seen_after(FREE_TIMES * CROWDED.most_ns + 1), CROWDED.first_ns, "alone for long enough");
    }

    #[test]
    fn a_thread_that_works_computes_and_one_that_sleeps_does_not() {
        let sched = KernelSched::default();
        let computes = |used_ns, held_ns, sleeps| {
            sched.note_usage(used_ns, held_ns, sleeps);
            sched.computes.load(Relaxed)
        };
        assert!(!computes(COMPUTES_NS - 1, 0, 0));
        assert!(computes(20 * COMPUTES_NS, 0, 3), "seldom asleep");
        assert!(!computes(40 * COMPUTES_NS, 0, 103), "each time for less");
        assert!(!computes(40 * COMPUTES_NS, 0, 104), "at rest");
        assert!(!computes(60 * COMPUTES_NS, 25 * COMPUTES_NS, 105), "with the lock, and put aside meanwhile");
        assert!(computes(70 * COMPUTES_NS, 26 * COMPUTES_NS, 106), "outside again");
    }
}
