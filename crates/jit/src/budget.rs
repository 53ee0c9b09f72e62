//! How much time compiling may take: a burst at the beginning, and a part of the processor time that the process uses, a greater one when it has
//! run for a while and is no program of a second, or one that still loads its files.
//!
//! A token bucket of nanoseconds. One compilation may overdraw it, since nobody knows beforehand what it takes; the next ones then
//! wait until the debt is paid. What is compiled while it is empty waits for its next turn, so that the hottest units, which
//! ask most often, come first.

use std::cell::Cell;

/// From this threshold on the time for compiling is limited; lower ones are for tests.
pub const BUDGETED: u32 = 10;

/// Nanoseconds to begin with, and at most.
const BURST: i64 = 20_000_000;
/// One of so many nanoseconds of the process is for compiling, in its first seconds.
const PART: u64 = 20;
/// The same afterwards.
const LATER_PART: u64 = 5;
/// Nanoseconds after which a process runs for long.
const LONG: u64 = 2_000_000_000;

/// Time for compiling, in nanoseconds.
pub struct Budget {
    left: Cell<i64>,
    /// Processor time of the process when it was last looked at.
    looked: Cell<u64>,
    /// How often something had to wait.
    pub postponed: Cell<u64>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { left: Cell::new(BURST), looked: Cell::new(0), postponed: Cell::new(0) }
    }
}

impl Budget {
    /// Whether something may be compiled when the process has used `now` nanoseconds; what may not is counted.
    pub fn allows(&self, now: u64) -> bool {
        // A forked child's time begins anew.
        let part = if now < LONG { PART } else { LATER_PART };
        let earned = now.saturating_sub(self.looked.get()) / part;
        // What is left over is less than one nanosecond.
        self.looked.set(now);
        let earned = i64::try_from(earned).unwrap_or(BURST);
        self.left.set(self.left.get().saturating_add(earned).min(BURST));
        let allowed = self.left.get() > 0;
        if !allowed {
            self.postponed.set(self.postponed.get() + 1);
        }
        allowed
    }

    /// Compiling has taken so many nanoseconds.
    pub fn spend(&self, nanoseconds: u64) {
        let spent = i64::try_from(nanoseconds).unwrap_or(i64::MAX);
        self.left.set(self.left.get().saturating_sub(spent));
    }
}

/// Processor time of the thread, in nanoseconds.
pub fn thread_time() -> u64 {
    time(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// What a clock of the system says, in nanoseconds.
pub fn time(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::{BURST, Budget};

    const MILLISECOND: u64 = 1_000_000;

    #[test]
    fn begins_with_a_burst() {
        let budget = Budget::default();
        assert!(budget.allows(0));
        budget.spend(BURST as u64 / 2);
        assert!(budget.allows(0));
        budget.spend(BURST as u64 / 2);
        assert!(!budget.allows(0));
        assert_eq!(budget.postponed.get(), 1);
    }

    #[test]
    fn a_debt_is_paid_by_the_time_of_the_process() {
        let budget = Budget::default();
        budget.spend(BURST as u64 + 5 * MILLISECOND);
        assert!(!budget.allows(50 * MILLISECOND));
        assert!(!budget.allows(100 * MILLISECOND));
        assert!(budget.allows(101 * MILLISECOND));
    }

    #[test]
    fn nothing_is_saved_beyond_the_burst() {
        let budget = Budget::default();
        assert!(budget.allows(60_000 * MILLISECOND));
        budget.spend(BURST as u64);
        assert!(!budget.allows(60_000 * MILLISECOND));
    }

    #[test]
    fn at_most_a_twentieth_of_the_first_seconds_and_a_fifth_of_others() {
        let budget = Budget::default();
        let mut spent = 0;
        for tick in 0..100_000 {
            if tick == 20_000 {
                assert!((110..=130).contains(&spent), "{spent} ms of 2 s");
            }
            if budget.allows(tick * MILLISECOND / 10) {
                budget.spend(3 * MILLISECOND);
                spent += 3;
            }
        }
        assert!((1710..=1730).contains(&spent), "{spent} ms of 10 s");
    }

    #[test]
    fn goes_on_in_a_forked_child() {
        let budget = Budget::default();
        assert!(budget.allows(1_000 * MILLISECOND));
        budget.spend(BURST as u64 + MILLISECOND);
        assert!(!budget.allows(0));
        assert!(budget.allows(21 * MILLISECOND));
    }
}
