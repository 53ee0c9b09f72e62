//! Exponential backoff for what pays only on a free processor. Who spins, binds a thread or yields tells when it meets
//! somebody else that wants the processor (`seen`). From then on the processor counts as crowded (`lasts`), each time
//! for twice as long as the time before, until it has been free for long enough and the first, short time counts again.
//! Times are given in any unit that only grows: nanoseconds, or how often something has happened.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// For how long the processor counts as crowded.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The first time.
    pub first: u64,
    /// However often it is seen.
    pub most: u64,
    /// After so many signs that the processor is free the next time counts as the first.
    pub free_after: u32,
}

/// Whether a processor is crowded. Threads share it without any order: a lost update costs one wrong guess.
#[derive(Debug, Default)]
pub struct Crowding {
    until: AtomicU64,
    /// For how long the last time; zero: the next time is the first one again.
    lasted: AtomicU64,
    /// Signs of a free processor since then.
    free: AtomicU32,
}

impl Crowding {
    /// Somebody else wants the processor now.
    pub fn seen(&self, now: u64, limits: Limits) {
        let lasts = (2 * self.lasted.load(Relaxed)).clamp(limits.first, limits.most);
        self.lasted.store(lasts, Relaxed);
        self.until.store(now + lasts, Relaxed);
        self.free.store(0, Relaxed);
    }

    /// `seen` where one cause is seen many times: a call while the processor counts as crowded says nothing new. After
    /// `times` as long without a call the next time counts as the first.
    pub fn seen_apart(&self, now: u64, limits: Limits, times: u64) {
        let until = self.until.load(Relaxed);
        if now < until {
            return;
        }
        if now - until > times * self.lasted.load(Relaxed) {
            self.relax();
        }
        self.seen(now, limits);
    }

    /// A sign that the processor is free.
    pub fn free(&self, limits: Limits) {
        let free = self.free.load(Relaxed).saturating_add(1);
        self.free.store(free, Relaxed);
        if free == limits.free_after {
            self.relax();
        }
    }

    /// The processor has been free for long: the next time counts as the first.
    pub fn relax(&self) {
        self.lasted.store(0, Relaxed);
    }

    /// Does the processor count as crowded?
    #[inline]
    pub fn lasts(&self, now: u64) -> bool {
        now < self.until.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { first: 100, most: 350, free_after: 3 };

    fn lasts_for(crowding: &Crowding, now: u64, expected: u64) -> bool {
        crowding.lasts(now + expected - 1) && !crowding.lasts(now + expected)
    }

    #[test]
    fn it_is_remembered_longer_each_time() {
        let crowding = Crowding::default();
        assert!(!crowding.lasts(0));
        for lasts in [100, 200, 350, 350] {
            crowding.seen(1000, LIMITS);
            assert!(lasts_for(&crowding, 1000, lasts));
        }
        crowding.relax();
        assert!(crowding.lasts(1349), "what was seen is not forgotten");
        crowding.seen(2000, LIMITS);
        assert!(lasts_for(&crowding, 2000, 100));
    }

    #[test]
    fn signs_of_a_free_processor_end_it_if_nothing_comes_between() {
        let crowding = Crowding::default();
        crowding.seen(0, LIMITS);
        (0..2).for_each(|_| crowding.free(LIMITS));
        crowding.seen(0, LIMITS);
        assert!(lasts_for(&crowding, 0, 200));
        (0..3).for_each(|_| crowding.free(LIMITS));
        crowding.seen(0, LIMITS);
        assert!(lasts_for(&crowding, 0, 100));
    }

    #[test]
    fn one_cause_counts_once() {
        let crowding = Crowding::default();
        let seen = |now| crowding.seen_apart(now, LIMITS, 4);
        seen(1000);
        seen(1050);
        assert!(lasts_for(&crowding, 1000, 100), "known already");
        seen(1100);
        assert!(lasts_for(&crowding, 1100, 200));
        seen(1300 + 4 * 200);
        assert!(lasts_for(&crowding, 2100, 350), "not gone for long enough");
        seen(2450 + 4 * 350 + 1);
        assert!(lasts_for(&crowding, 3851, 100), "gone for long enough");
    }
}
