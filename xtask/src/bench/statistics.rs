//! The median of differences between pairs, and its interval by the bootstrap: what the median would be of as many
//! pairs drawn from these, often enough.

/// Draws.
const DRAWS: usize = 4000;
/// What lies outside the interval on each side.
const TAIL: f64 = 0.025;

/// Percent of the first of each pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub low: f64,
    pub median: f64,
    pub high: f64,
}

impl Difference {
    pub fn negated(self) -> Difference {
        Difference { low: -self.high, median: -self.median, high: -self.low }
    }
}

/// By how many percent the second of a pair is larger than the first; there is at least one pair.
pub fn differences(pairs: &[(f64, f64)]) -> Difference {
    let percent: Vec<f64> = pairs.iter().map(|(first, second)| 100.0 * (second - first) / first).collect();
    // The same draws every time: the same pairs have the same interval.
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        percent[(state % percent.len() as u64) as usize]
    };
    let mut medians: Vec<f64> = (0..DRAWS).map(|_| median((0..percent.len()).map(|_| draw()).collect())).collect();
    medians.sort_by(f64::total_cmp);
    let at = |share: f64| medians[((DRAWS - 1) as f64 * share).round() as usize];
    Difference { low: at(TAIL), median: median(percent.clone()), high: at(1.0 - TAIL) }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_differences_have_no_width() {
        let pairs = [(100.0, 110.0), (10.0, 11.0), (1000.0, 1100.0)];
        let Difference { low, median, high } = differences(&pairs);
        assert!((low - 10.0).abs() < 1e-9 && (median - 10.0).abs() < 1e-9 && (high - 10.0).abs() < 1e-9);
    }

    #[test]
    fn the_interval_holds_the_median_and_narrows_with_more_pairs() {
        let pairs = |count: usize| -> Vec<(f64, f64)> {
            (0..count).map(|i| (100.0, 100.0 + ((i * 7919) % 101) as f64)).collect()
        };
        let (few, many) = (differences(&pairs(8)), differences(&pairs(400)));
        assert!(few.low <= few.median && few.median <= few.high);
        assert!(many.high - many.low < few.high - few.low);
        assert!((many.median - 50.0).abs() < 5.0);
        assert_eq!(few.negated().low, -few.high);
    }
}
