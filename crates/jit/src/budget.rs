//! How much time compiling may take: a burst at the beginning, and a part of the processor time that the process uses.
//! For units that are compiled plainly it is a small one in the first seconds: a program of a second, or one that still
//! loads its files, gains nothing from most of them.
//!
//! Token buckets of nanoseconds. One compilation may overdraw them, since nobody knows beforehand what it takes; the
//! next ones then wait until the debt is paid. What is asked for meanwhile asks again some entries later, so that the
//! hottest units, which ask most often, come first.

use std::cell::Cell;

/// From this threshold on the time for compiling is limited; lower ones are for tests.
pub const BUDGETED: u32 = 10;

/// Nanoseconds to begin with, and at most.
const BURST: i64 = 20_000_000;
/// One of so many nanoseconds of the process is for compiling.
const PART: u64 = 4;
/// The same in the first seconds for units that are compiled plainly.
const FIRST_PART: u64 = 20;
/// The first seconds, in nanoseconds.
const FIRST: u64 = 2_000_000_000;

/// Time for compiling, in nanoseconds.
pub struct Budget {
    /// What is left for all units, and what of it for those that are compiled plainly.
    left: Cell<i64>,
    plain_left: Cell<i64>,
    /// Processor time of the process when it was last looked at.
    looked: Cell<u64>,
    /// How often something had to wait.
    pub postponed: Cell<u64>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { left: Cell::new(BURST), plain_left: Cell::new(BURST), looked: Cell::new(0), postponed: Cell::new(0) }
    }
}

impl Budget {
    /// Whether a unit may be compiled, plainly or not, when the process has used `now` nanoseconds; what may not is
    /// counted.
    pub fn allows(&self, now: u64, plain: bool) -> bool {
        // A forked child's time begins anew.
        let used = now.saturating_sub(self.looked.replace(now));
        let earn = |bucket: &Cell<i64>, part: u64| {
            // What is left over is less than one nanosecond.
            let earned = i64::try_from(used / part).unwrap_or(BURST);
            bucket.set(bucket.get().saturating_add(earned).min(BURST));
            bucket.get() > 0
        };
        let for_plain = earn(&self.plain_left, if now < FIRST { FIRST_PART } else { PART });
        let allowed = earn(&self.left, PART) && (for_plain || !plain);
        if !allowed {
            self.postponed.set(self.postponed.get() + 1);
        }
        allowed
    }

    /// Compiling a unit, plainly or not, has taken so many nanoseconds.
    pub fn spend(&self, nanoseconds: u64, plain: bool) {
        let spent = i64::try_from(nanoseconds).unwrap_or(i64::MAX);
        self.left.set(self.left.get().saturating_sub(spent));
        if plain {
            self.plain_left.set(self.plain_left.get().saturating_sub(spent));
        }
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
        assert!(budget.allows(0, true));
        budget.spend(BURST as u64 / 2, true);
        assert!(budget.allows(0, true));
        budget.spend(BURST as u64 / 2, true);
        assert!(!budget.allows(0, true) && !budget.allows(0, false));
        assert_eq!(budget.postponed.get(), 2);
    }

    #[test]
    fn a_debt_is_paid_by_the_time_of_the_process() {
        let budget = Budget::default();
        budget.spend(BURST as u64 + 5 * MILLISECOND, true);
        assert!(!budget.allows(19 * MILLISECOND, false));
        assert!(budget.allows(21 * MILLISECOND, false));
        assert!(!budget.allows(100 * MILLISECOND, true));
        assert!(budget.allows(101 * MILLISECOND, true));
    }

    #[test]
    fn nothing_is_saved_beyond_the_burst() {
        let budget = Budget::default();
        assert!(budget.allows(60_000 * MILLISECOND, false));
        budget.spend(BURST as u64, false);
        assert!(!budget.allows(60_000 * MILLISECOND, false));
    }

    /// Milliseconds of the first two seconds and of ten that may be spent.
    fn spent(plain: bool) -> (u64, u64) {
        let budget = Budget::default();
        let (mut spent, mut first) = (0, 0);
        for tick in 0..100_000 {
            if tick == 20_000 {
                first = spent;
            }
            if budget.allows(tick * MILLISECOND / 10, plain) {
                budget.spend(3 * MILLISECOND, plain);
                spent += 3;
            }
        }
        (first, spent)
    }

    #[test]
    fn plain_code_gets_a_twentieth_of_the_first_seconds_and_all_a_quarter_of_others() {
        let (first, all) = spent(true);
        assert!((110..=130).contains(&first) && (2110..=2140).contains(&all), "{first} ms of 2 s, {all} of 10 s");
        let (first, all) = spent(false);
        assert!((510..=530).contains(&first) && (2510..=2540).contains(&all), "{first} ms of 2 s, {all} of 10 s");
    }

    #[test]
    fn goes_on_in_a_forked_child() {
        let budget = Budget::default();
        assert!(budget.allows(1_000 * MILLISECOND, true));
        budget.spend(BURST as u64 + MILLISECOND, true);
        assert!(!budget.allows(0, true));
        assert!(budget.allows(21 * MILLISECOND, true));
    }
}
