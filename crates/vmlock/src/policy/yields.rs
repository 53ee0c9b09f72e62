//! When a thread may yield the processor again. A yield costs 0.3 us where nobody else wants to run there, and a whole
//! slice of another thread where somebody computes: then the rests between two yields grow.

use super::crowding::{Crowding, Limits};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A yield that lasts longer let somebody run who computes.
pub(super) const LONG_YIELD_NS: u64 = 1_000_000;

/// The rests between two yields.
#[derive(Clone, Copy)]
pub(super) struct Rests {
    /// After one that did not last.
    pub usual_ns: u64,
    /// After ones that lasted.
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
    pub fn note(&self, lasted_ns: u64, now_ns: u64, rests: Rests) {
        if lasted_ns < LONG_YIELD_NS {
            self.crowding.relax();
            self.next_ns.store(now_ns + rests.usual_ns, Relaxed);
        } else {
            self.crowding.seen(now_ns, rests.long);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_yields_become_rare_and_a_short_one_ends_that() {
        let rests = Rests { usual_ns: 100, long: Limits { first: 2_000, most: 200_000, free_after: u32::MAX } };
        let clock = YieldClock::default();
        let mut now_ns = 0;
        let mut rest_after = |lasted_ns| {
            now_ns += 1_000_000;
            clock.note(lasted_ns, now_ns, rests);
            (0..).find(|rest_ns| clock.is_due(now_ns + rest_ns)).unwrap_or(0)
        };
        assert_eq!(rest_after(0), 100);
        assert_eq!([rest_after(LONG_YIELD_NS), rest_after(LONG_YIELD_NS)], [2_000, 4_000]);
        assert_eq!((0..20).map(|_| rest_after(4_000_000)).max(), Some(200_000));
        assert_eq!(rest_after(LONG_YIELD_NS - 1), 100);
        assert_eq!(rest_after(LONG_YIELD_NS), 2_000);
    }
}
