//! Has something paid off of late? A score goes up by one point each time that it would have, and down by two each time
//! that it would not.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A count of hits that misses take away twice as fast. Shared by threads without order: a lost update costs one wrong
/// guess.
#[derive(Debug, Default)]
pub struct Score(AtomicU32);

impl Score {
    /// The most that it remembers.
    pub const MOST: u32 = 8;
    const MISS: u32 = 2;

    /// The points now, at most `MOST`.
    #[inline]
    pub fn points(&self) -> u32 {
        self.0.load(Relaxed)
    }

    /// It paid, or it did not.
    #[inline]
    pub fn note(&self, paid: bool) {
        let points = self.points();
        let points = if paid { (points + 1).min(Self::MOST) } else { points.saturating_sub(Self::MISS) };
        self.0.store(points, Relaxed);
    }

    /// Nothing is known any more.
    pub fn forget(&self) {
        self.0.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_miss_takes_two_hits_away() {
        let score = Score::default();
        score.note(false);
        assert_eq!(score.points(), 0);
        (0..20).for_each(|_| score.note(true));
        assert_eq!(score.points(), Score::MOST);
        score.note(false);
        assert_eq!(score.points(), Score::MOST - 2);
        score.forget();
        score.note(true);
        assert_eq!(score.points(), 1);
    }
}
