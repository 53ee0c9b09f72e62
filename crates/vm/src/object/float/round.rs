//! Rounding of numbers to decimal digits, and division of floats with a remainder, as CRuby computes them.

use super::{Rounded, Rounding};
use crate::object::integer::{Int, TooBig};
use std::cmp::Ordering;

/// Up to this many digits the power of ten is exact enough to work with floats; beyond, integers are used.
const FLOAT_DIGITS_MAX: i32 = 14;

/// The exponent `e` with 0.5 <= |f| / 2^e < 1, for a finite number that is not zero.
fn binary_exponent(f: f64) -> i32 {
    let biased = (f.to_bits() >> 52 & 0x7ff) as i32;
    if biased != 0 {
        return biased - 1022;
    }
    let mantissa = f.to_bits() & ((1 << 52) - 1);
    -1010 - mantissa.leading_zeros() as i32
}

/// Whether the number has no digits behind position `ndigits`, by an estimate from its binary exponent.
fn has_fewer_digits(ndigits: i32, exponent: i32) -> bool {
    ndigits >= 17 - if exponent > 0 { exponent / 4 } else { exponent / 3 - 1 }
}

/// Whether the number is surely less than half of the last digit.
fn vanishes(ndigits: i32, exponent: i32) -> bool {
    ndigits < -(if exponent > 0 { exponent / 3 + 1 } else { exponent / 4 })
}

/// Rounds to the nearest multiple of `1 / scale`, and gives that multiple's count. Ties are decided by what
/// the candidates are as floats, not by the scaled value, which is inexact.
fn nearest(f: f64, scale: f64, half: Rounding) -> f64 {
    let size = f.abs();
    let count = match half {
        Rounding::HalfUp => {
            let n = (size * scale).round();
            if scale != 1.0 && (n + 0.5) / scale <= size { n + 1.0 } else { n }
        }
        Rounding::HalfDown => {
            let n = (size * scale).round();
            if (n - 0.5) / scale >= size { n - 1.0 } else { n }
        }
        Rounding::HalfEven => nearest_even(size, scale),
    };
    count.copysign(f)
}

fn nearest_even(size: f64, scale: f64) -> f64 {
    let (whole, part) = (size.trunc() * scale, size.fract() * scale);
    let below = part.floor();
    let n = whole + below;
    let rest = part - below;
    let up = if rest > 0.5 {
        1.0
    } else if rest == 0.5 || (n + 0.5) / scale <= size {
        n % 2.0
    } else {
        0.0
    };
    whole + (below + up)
}

/// What a float is rounded to.
#[derive(Copy, Clone)]
enum Goal {
    Nearest(Rounding),
    Down,
    Up,
}

/// The exact result with integers: the float nearest to the rounded decimal fraction.
fn round_exactly(f: f64, ndigits: i32, goal: Goal) -> f64 {
    let Some((num, den)) = super::fraction(f) else { return f };
    let Ok(scale) = Int::power_of_ten(ndigits as u64) else { return f };
    let scaled = num.mul(&scale);
    let Some((below, rest)) = scaled.divmod(&den) else { return f };
    let up = match goal {
        Goal::Down => false,
        Goal::Up => !rest.is_zero(),
        Goal::Nearest(half) => match rest.add(&rest).cmp(&den) {
            Ordering::Equal => tie_goes_up(&below, half),
            order => order == Ordering::Greater,
        },
    };
    let count = if up { below.add(&Int::ONE) } else { below };
    count.fdiv(&scale)
}

/// Whether the middle between `below` and the next integer is rounded to the latter.
fn tie_goes_up(below: &Int, half: Rounding) -> bool {
    match half {
        Rounding::HalfUp => !below.is_negative(),
        Rounding::HalfDown => below.is_negative(),
        Rounding::HalfEven => !below.is_even(),
    }
}

/// The number without change when it has no more digits, 0 when it vanishes (and the goal lets it), else what `f`
/// computes.
fn with_digits(number: f64, ndigits: i32, goal: Goal, compute: impl FnOnce(f64) -> f64) -> f64 {
    if !number.is_finite() || number == 0.0 {
        return number;
    }
    let exponent = binary_exponent(number);
    if has_fewer_digits(ndigits, exponent) {
        return number;
    }
    let to_zero = match goal {
        Goal::Nearest(_) => true,
        Goal::Down => number > 0.0,
        Goal::Up => number < 0.0,
    };
    if to_zero && vanishes(ndigits, exponent) {
        return 0.0;
    }
    if ndigits > FLOAT_DIGITS_MAX {
        return round_exactly(number, ndigits, goal);
    }
    compute(10f64.powi(ndigits))
}

/// `Float#round`. Nothing when an integer is asked for and the number is not finite.
pub fn round(f: f64, ndigits: i32, half: Rounding) -> Result<Option<Rounded>, TooBig> {
    if ndigits > 0 {
        let rounded = with_digits(f, ndigits, Goal::Nearest(half), |scale| nearest(f, scale, half) / scale);
        return Ok(Some(Rounded::Float(rounded)));
    }
    let whole = if ndigits == 0 { nearest(f, 1.0, half) } else { f };
    integer(whole, |n| Ok(if ndigits < 0 { n.round_digits(ndigits, half) } else { n }))
}

/// `Float#floor`. Nothing when an integer is asked for and the number is not finite.
pub fn floor(f: f64, ndigits: i32) -> Result<Option<Rounded>, TooBig> {
    if ndigits > 0 {
        let rounded = with_digits(f, ndigits, Goal::Down, |scale| {
            let n = (f * scale).floor();
            let next = (n + 1.0) / scale;
            if next > f { n / scale } else { next }
        });
        return Ok(Some(Rounded::Float(rounded)));
    }
    integer(f.floor(), |n| n.floor_digits(ndigits))
}

/// `Float#ceil`. Nothing when an integer is asked for and the number is not finite.
pub fn ceil(f: f64, ndigits: i32) -> Result<Option<Rounded>, TooBig> {
    if ndigits > 0 {
        let rounded = with_digits(f, ndigits, Goal::Up, |scale| (f * scale).ceil() / scale);
        return Ok(Some(Rounded::Float(rounded)));
    }
    integer(f.ceil(), |n| n.ceil_digits(ndigits))
}

/// `Float#truncate`. Nothing when an integer is asked for and the number is not finite.
pub fn truncate(f: f64, ndigits: i32) -> Result<Option<Rounded>, TooBig> {
    if f.is_sign_negative() { ceil(f, ndigits) } else { floor(f, ndigits) }
}

fn integer(f: f64, then: impl FnOnce(Int) -> Result<Int, TooBig>) -> Result<Option<Rounded>, TooBig> {
    Int::from_f64(f).map(|n| then(n).map(Rounded::Int)).transpose()
}

impl Int {
    /// Rounds to the nearest multiple of ten to the `-ndigits`; the number itself when `ndigits` is not negative.
    pub fn round_digits(&self, ndigits: i32, half: Rounding) -> Int {
        let digits = ndigits.min(0).unsigned_abs() as u64;
        // Ten to the `digits` has more than three times as many bits: half of it is larger than the number.
        if digits * 3 > self.bit_length() + 4 {
            return Int::ZERO;
        }
        let Ok(unit) = Int::power_of_ten(digits) else { return Int::ZERO };
        let Some((below, rest)) = self.divmod(&unit) else { return self.clone() };
        let up = match rest.add(&rest).cmp(&unit) {
            Ordering::Equal => tie_goes_up(&below, half),
            order => order == Ordering::Greater,
        };
        (if up { below.add(&Int::ONE) } else { below }).mul(&unit)
    }

    /// Rounds down to a multiple of ten to the `-ndigits`.
    pub fn floor_digits(&self, ndigits: i32) -> Result<Int, TooBig> {
        if ndigits >= 0 {
            return Ok(self.clone());
        }
        let digits = ndigits.unsigned_abs() as u64;
        if !self.is_negative() && digits * 3 > self.bit_length() {
            return Ok(Int::ZERO);
        }
        let unit = Int::power_of_ten(digits)?;
        Ok(self.div_floor(&unit).unwrap_or(Int::ZERO).mul(&unit))
    }

    /// Rounds up to a multiple of ten to the `-ndigits`.
    pub fn ceil_digits(&self, ndigits: i32) -> Result<Int, TooBig> {
        Ok(self.neg().floor_digits(ndigits)?.neg())
    }

    /// Rounds towards zero to a multiple of ten to the `-ndigits`.
    pub fn truncate_digits(&self, ndigits: i32) -> Result<Int, TooBig> {
        if self.is_negative() { self.ceil_digits(ndigits) } else { self.floor_digits(ndigits) }
    }
}

/// `Float#%`: the remainder with the sign of the divisor. Nothing for a zero divisor (ZeroDivisionError).
pub fn modulo(x: f64, y: f64) -> Option<f64> {
    if y == 0.0 {
        return None;
    }
    let rest = remainder(x, y);
    Some(if y * rest < 0.0 { rest + y } else { rest })
}

/// The remainder with the sign of the dividend.
fn remainder(x: f64, y: f64) -> f64 {
    if x == 0.0 && !y.is_nan() || y.is_infinite() && !x.is_infinite() { x } else { x % y }
}

/// `Float#divmod`: the quotient rounded down (NaN and infinities are the caller's FloatDomainError) and the
/// remainder. Nothing for a zero divisor (ZeroDivisionError).
pub fn divmod(x: f64, y: f64) -> Option<(f64, f64)> {
    if y.is_nan() {
        return Some((y, y));
    }
    if y == 0.0 {
        return None;
    }
    let rest = remainder(x, y);
    let quotient = if x.is_infinite() && !y.is_infinite() { x } else { ((x - rest) / y).round() };
    if y * rest < 0.0 { Some((quotient - 1.0, rest + y)) } else { Some((quotient, rest)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(f: f64, ndigits: i32, half: Rounding) -> String {
        text(round(f, ndigits, half))
    }

    fn text(result: Result<Option<Rounded>, TooBig>) -> String {
        match result {
            Ok(Some(Rounded::Float(f))) => super::super::to_s(f),
            Ok(Some(Rounded::Int(n))) => n.to_radix(10),
            Ok(None) => "not finite".into(),
            Err(TooBig) => "too big".into(),
        }
    }

    #[test]
    fn rounds_halves() {
        use Rounding::*;
        for (f, ndigits, up, down, even) in [
            (2.5, 0, "3", "2", "2"),
            (3.5, 0, "4", "3", "4"),
            (-2.5, 0, "-3", "-2", "-2"),
            (0.49999999999999994, 0, "0", "0", "0"),
            (1.005, 2, "1.01", "1.0", "1.0"),
            (2.675, 2, "2.68", "2.67", "2.68"),
            (5.015, 2, "5.02", "5.01", "5.02"),
            (25.0, -1, "30", "20", "20"),
            (-25.0, -1, "-30", "-20", "-20"),
            (12345.678, -2, "12300", "12300", "12300"),
            (1e300, 2, "1.0e+300", "1.0e+300", "1.0e+300"),
            (0.1, -5, "0", "0", "0"),
            (1e-20, 5, "0.0", "0.0", "0.0"),
            (0.5e-9, 9, "1.0e-09", "0.0", "0.0"),
        ] {
            assert_eq!(rounded(f, ndigits, HalfUp), up, "{f} {ndigits}");
            assert_eq!(rounded(f, ndigits, HalfDown), down, "{f} {ndigits}");
            assert_eq!(rounded(f, ndigits, HalfEven), even, "{f} {ndigits}");
        }
        assert_eq!(rounded(f64::NAN, 0, HalfUp), "not finite");
        assert_eq!(rounded(f64::INFINITY, 3, HalfUp), "Infinity");
    }

    #[test]
    fn floors_and_ceils() {
        assert_eq!(text(floor(-0.5, -2)), "-100");
        assert_eq!(text(floor(12345.6789, 2)), "12345.67");
        assert_eq!(text(ceil(12345.6711, 2)), "12345.68");
        assert_eq!(text(ceil(-1.5, 0)), "-1");
        assert_eq!(text(truncate(-1234.567, 1)), "-1234.5");
        assert_eq!(text(floor(291.4, 1)), "291.4");
    }

    #[test]
    fn divides_with_remainder() {
        assert_eq!(divmod(7.5, 2.0), Some((3.0, 1.5)));
        assert_eq!(divmod(-7.5, 2.0), Some((-4.0, 0.5)));
        assert_eq!(divmod(7.5, -2.0), Some((-4.0, -0.5)));
        assert_eq!(divmod(1.0, 0.0), None);
        assert_eq!(modulo(-1.0, f64::INFINITY), Some(f64::INFINITY));
        assert_eq!(modulo(1.0, 0.0), None);
        assert!(modulo(0.0, f64::NAN).is_some_and(f64::is_nan));
    }
}
