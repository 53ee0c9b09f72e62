//! When a thread may yield its processor again: backoff for sched_yield(2). A yield costs 0.3 us where nobody else
//! wants the processor. Where somebody computes there it lasts for a whole slice of that thread: then the interval
//! until the next yield doubles each time, up to a limit, until a yield is short again.

use super::crowding::{Crowding, Limits};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A yield that lasts longer let somebody run who computes.
pub(super) const LONG_YIELD_NS: u64 = 1_000_000;

/// The intervals from one yield to the next.
#[derive(Clone, Copy)]
pub(super) struct Intervals {
    /// After a short yield.
    pub usual_ns: u64,
    /// After yields that lasted.
    pub long: Limits,
}

/// The clock of one thread's yields.
#[derive(Default)]
pub(super) struct YieldClock {
    next_ns: AtomicU64,
    crowding: Crowding,
}

impl YieldClock {
    /// May the thread yield now?
    pub fn is_due(&self, now_ns: u64) -> bool {
        now_ns >= self.next_ns.load(Relaxed) && !self.crowding.lasts(now_ns)
    }

    /// A yield has ended that lasted so long.
    pub fn note(&self, lasted_ns: u64, now_ns: u64, intervals: Intervals) {
        if lasted_ns < LONG_YIELD_NS {
            self.crowding.relax();
            self.next_ns.store(now_ns + intervals.usual_ns, Relaxed);
        } else {
            self.crowding.seen(now_ns, intervals.long);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_yields_become_rare_and_a_short_one_ends_that() {
        let intervals = Intervals { usual_ns: 100, long: Limits { first: 2_000, most: 200_000, free_after: u32::MAX } };
        let clock = YieldClock::default();
        let mut now_ns = 0;
        let mut interval_after = |lasted_ns| {
            now_ns += 1_000_000;
            clock.note(lasted_ns, now_ns, intervals);
            (0..).find(|interval_ns| clock.is_due(now_ns + interval_ns)).unwrap_or(0)
        };
        assert_eq!(interval_after(0), 100);
        assert_eq!([interval_after(LONG_YIELD_NS), interval_after(LONG_YIELD_NS)], [2_000, 4_000]);
        assert_eq!((0..20).map(|_| interval_after(4_000_000)).max(), Some(200_000));
        assert_eq!(interval_after(LONG_YIELD_NS - 1), 100);
        assert_eq!(interval_after(LONG_YIELD_NS), 2_000);
    }
}
