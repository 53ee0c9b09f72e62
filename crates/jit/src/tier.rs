//! How thoroughly a unit is compiled.
//!
//! Most code of a large program runs now and then. There what counts is how little compiling takes and how few bytes
//! the processor has to fetch: such units are compiled *plainly*, without other methods and blocks in the place of
//! calls. Units that run all the time are compiled *thoroughly*. Which is which is told by how long a number of entries
//! takes, first in the interpreter, then by ticks that plain code counts when it begins and at each turn of a loop.

use crate::budget::{BUDGETED, time};
use std::cell::Cell;

/// A unit that is entered, or turns, every so many nanoseconds or more often is hot.
const HOT_PERIOD: u64 = 30_000;

/// Ticks of plain code between two looks at the clock.
const TICKS: u64 = 10_000;

/// The same for each call of the threshold when that is low, for tests: then every unit is hot when they are over.
const TEST_TICKS: u64 = 20;

/// What a unit is compiled for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Tier {
    /// How often it runs is not known yet.
    Unknown,
    Plain,
    Thorough,
}

/// The tier of a unit, and what it is decided by.
pub struct Heat {
    tier: Cell<Tier>,
    /// Processor time of the process when it was looked at last, in nanoseconds.
    since: Cell<u64>,
}

impl Default for Heat {
    fn default() -> Heat {
        Heat { tier: Cell::new(Tier::Unknown), since: Cell::new(0) }
    }
}

impl Heat {
    pub fn is_plain(&self) -> bool {
        self.tier.get() == Tier::Plain
    }

    /// The unit is asked for after `threshold` entries, and again `some` entries later, if that is what is returned:
    /// the tier is decided then. `threshold`: of calls.
    pub fn ask(&self, threshold: u32, some: u32) -> Option<u32> {
        if self.tier.get() != Tier::Unknown {
            return None;
        }
        if threshold < BUDGETED {
            // With the lowest one everything is compiled at once, and thoroughly.
            self.tier.set(if threshold == 1 { Tier::Thorough } else { Tier::Plain });
            return None;
        }
        let now = time(libc::CLOCK_PROCESS_CPUTIME_ID);
        let before = self.since.replace(now);
        if before == 0 {
            return Some(some);
        }
        self.decide(now.saturating_sub(before), some as u64);
        None
    }

    /// The ticks of plain code are over: whether it has become hot.
    pub fn has_risen(&self, threshold: u32) -> bool {
        if threshold >= BUDGETED {
            let now = time(libc::CLOCK_PROCESS_CPUTIME_ID);
            let before = self.since.replace(now);
            self.decide(now.saturating_sub(before), TICKS);
        } else {
            self.tier.set(Tier::Thorough);
        }
        !self.is_plain()
    }

    /// It stays as it is until the ticks are over again.
    pub fn keep_plain(&self) {
        self.tier.set(Tier::Plain);
    }

    fn decide(&self, nanoseconds: u64, entries: u64) {
        self.tier.set(if nanoseconds <= entries * HOT_PERIOD { Tier::Thorough } else { Tier::Plain });
    }
}

/// With how many ticks plain code begins. `threshold`: of calls.
pub fn ticks(threshold: u32) -> u64 {
    if threshold < BUDGETED { TEST_TICKS * threshold as u64 } else { TICKS }
}

#[cfg(test)]
mod tests {
    use super::{HOT_PERIOD, Heat, TICKS, Tier};

    #[test]
    fn what_is_entered_all_the_time_is_hot() {
        let heat = Heat::default();
        assert_eq!(heat.ask(1000, 250), Some(250));
        assert_eq!(heat.ask(1000, 250), None);
        assert_eq!(heat.tier.get(), Tier::Thorough);
    }

    #[test]
    fn what_is_entered_now_and_then_is_plain_until_it_is_hot() {
        let heat = Heat::default();
        heat.decide(251 * HOT_PERIOD, 250);
        assert!(heat.is_plain());
        heat.decide(TICKS * HOT_PERIOD, TICKS);
        assert!(!heat.is_plain());
    }

    #[test]
    fn low_thresholds_are_for_tests() {
        let heat = Heat::default();
        assert_eq!(heat.ask(1, 1), None);
        assert!(!heat.is_plain());
        let heat = Heat::default();
        assert_eq!(heat.ask(3, 1), None);
        assert!(heat.is_plain() && heat.has_risen(3));
    }
}
