//! Decimal numbers as plain Rust values: exact arithmetic, rounding, digits. Nothing here knows of objects or modes.
//!
//! Invariant: the coefficient of a finite number is positive and does not end with a zero.

use rubellite_vm::object::{Int, integer::TooBig};
use std::cmp::Ordering;

/// A decimal number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    NaN,
    /// Infinity; negative or not.
    Inf(bool),
    /// Zero; negative or not.
    Zero(bool),
    Finite(Finite),
}

/// `coefficient * 10 ** exponent`, negated or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finite {
    pub negative: bool,
    pub coefficient: Int,
    pub exponent: i64,
}

/// How a number between two is rounded; the values are those of `BigDecimal::ROUND_*`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Rounding {
    Up = 1,
    Down = 2,
    HalfUp = 3,
    HalfDown = 4,
    Ceiling = 5,
    Floor = 6,
    HalfEven = 7,
}

impl Rounding {
    pub fn from_number(n: i64) -> Option<Rounding> {
        use Rounding::*;
        [Up, Down, HalfUp, HalfDown, Ceiling, Floor, HalfEven].into_iter().find(|mode| *mode as i64 == n)
    }
}

/// More digits than this between two numbers are not written out.
const GAP_MAX: u64 = 1 << 29;

pub fn power_of_ten(n: u64) -> Result<Int, TooBig> {
    if n > GAP_MAX { Err(TooBig) } else { Int::power_of_ten(n) }
}

/// How many decimal digits a positive number has.
pub fn digit_count(n: &Int) -> u64 {
    if let Some(small) = n.to_u64() {
        return small.checked_ilog10().map_or(1, |d| d as u64 + 1);
    }
    let bits = n.bit_length();
    // The logarithm by the topmost bits. It is wrong by some 1e-6 at most, since fewer than 2 ** 33 bits can be had:
    // where it is not that near a whole number, it decides.
    let words = n.magnitude_words();
    let [.., below, top] = words[..] else { return 0 };
    let leading = (u128::from(top) << 64 | u128::from(below)) as f64;
    let logarithm = leading.log10() + (words.len() as f64 - 2.0) * 64.0 * std::f64::consts::LOG10_2;
    if (logarithm - logarithm.round()).abs() > 1e-4 {
        return logarithm as u64 + 1;
    }
    // 2 ** (bits - 1) <= n < 2 ** bits; log10(2) as a fraction of 2 ** 64.
    let digits = (((bits - 1) as u128 * 5_553_023_288_523_357_132) >> 64) as u64;
    match Int::power_of_ten(digits + 1) {
        Ok(power) if compare(n, &power) == Ordering::Less => digits + 1,
        _ => digits + 2,
    }
}

fn compare(a: &Int, b: &Int) -> Ordering {
    let difference = a.sub(b);
    if difference.is_negative() {
        Ordering::Less
    } else if difference.is_zero() {
        Ordering::Equal
    } else {
        Ordering::Greater
    }
}

/// How many zeros a positive number ends with, and the number without them.
fn strip_zeros(n: Int) -> (Int, u64) {
    if let Some(mut small) = n.to_i64() {
        let mut count = 0;
        while small % 10 == 0 {
            small /= 10;
            count += 1;
        }
        return (Int::from(small), count);
    }
    // As many zeros at the end as twos divide it, at most: halves of that are tried, from the largest.
    let twos = n.magnitude_words().iter().take_while(|w| **w == 0).count() as u64 * 64
        + n.magnitude_words().iter().find(|w| **w != 0).map_or(0, |w| w.trailing_zeros() as u64);
    let mut step = 1u64;
    while step * 2 <= twos {
        step *= 2;
    }
    let (mut n, mut count) = (n, 0);
    while step > 0 {
        if count + step <= twos
            && let Ok(power) = Int::power_of_ten(step)
            && let Some((quotient, rest)) = n.divmod(&power)
            && rest.is_zero()
        {
            n = quotient;
            count += step;
            continue;
        }
        step /= 2;
    }
    (n, count)
}

impl Finite {
    /// The exponent of the form 0.123e3.
    pub fn point(&self) -> i64 {
        self.exponent.saturating_add(self.digits() as i64)
    }

    pub fn digits(&self) -> u64 {
        digit_count(&self.coefficient)
    }

    pub fn signed(&self) -> Int {
        if self.negative { self.coefficient.neg() } else { self.coefficient.clone() }
    }
}

impl Number {
    /// `coefficient * 10 ** exponent` of a signed coefficient; `zero_negative` is the sign of a zero.
    pub fn new(coefficient: Int, exponent: i64, zero_negative: bool) -> Number {
        if coefficient.is_zero() {
            return Number::Zero(zero_negative);
        }
        let negative = coefficient.is_negative();
        let (coefficient, zeros) = strip_zeros(coefficient.abs());
        match exponent.checked_add(zeros as i64) {
            Some(exponent) => Number::Finite(Finite { negative, coefficient, exponent }),
            None => Number::Inf(negative),
        }
    }

    pub fn from_int(n: Int) -> Number {
        Number::new(n, 0, false)
    }

    pub fn one() -> Number {
        Number::from_int(Int::ONE)
    }

    pub fn is_negative(&self) -> bool {
        match self {
            Number::NaN => false,
            Number::Inf(negative) | Number::Zero(negative) => *negative,
            Number::Finite(f) => f.negative,
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self, Number::Zero(_))
    }

    pub fn finite(&self) -> Option<&Finite> {
        match self {
            Number::Finite(f) => Some(f),
            _ => None,
        }
    }

    pub fn neg(&self) -> Number {
        match self {
            Number::NaN => Number::NaN,
            Number::Inf(negative) => Number::Inf(!negative),
            Number::Zero(negative) => Number::Zero(!negative),
            Number::Finite(f) => Number::Finite(Finite { negative: !f.negative, ..f.clone() }),
        }
    }

    pub fn abs(&self) -> Number {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Moves the decimal point.
    pub fn shift(&self, by: i64) -> Number {
        match self {
            Number::Finite(f) => match f.exponent.checked_add(by) {
                Some(exponent) => Number::Finite(Finite { exponent, ..f.clone() }),
                None if by > 0 => Number::Inf(f.negative),
                None => Number::Zero(f.negative),
            },
            other => other.clone(),
        }
    }

    /// Significant digits, 0 for what has none.
    pub fn significant(&self) -> u64 {
        self.finite().map_or(0, Finite::digits)
    }

    /// Digits before and after the point, and those after it.
    pub fn precision_and_scale(&self) -> (i64, i64) {
        let Some(f) = self.finite() else { return (0, 0) };
        let scale = f.exponent.saturating_neg().max(0);
        let whole = f.point();
        let precision = if whole > 0 { whole.saturating_add(scale) } else { scale };
        (precision, scale)
    }

    /// The sum; of zeros and infinities as IEEE 754 says. `floor`: an exact zero is negative.
    pub fn add(&self, other: &Number, floor: bool) -> Result<Number, TooBig> {
        Ok(match (self, other) {
            (Number::NaN, _) | (_, Number::NaN) => Number::NaN,
            (Number::Inf(a), Number::Inf(b)) => {
                if a == b {
                    Number::Inf(*a)
                } else {
                    Number::NaN
                }
            }
            (Number::Inf(a), _) => Number::Inf(*a),
            (_, Number::Inf(b)) => Number::Inf(*b),
            (Number::Zero(a), Number::Zero(b)) => Number::Zero(if a == b { *a } else { floor }),
            (Number::Zero(_), b) => b.clone(),
            (a, Number::Zero(_)) => a.clone(),
            (Number::Finite(a), Number::Finite(b)) => {
                let low = a.exponent.min(b.exponent);
                let raised = |f: &Finite| -> Result<Int, TooBig> {
                    let gap = f.exponent.abs_diff(low);
                    Ok(if gap == 0 { f.signed() } else { f.signed().mul(&power_of_ten(gap)?) })
                };
                Number::new(raised(a)?.add(&raised(b)?), low, floor)
            }
        })
    }

    /// The sum with at most `digits` digits that count: what is far below the last of them only decides the rounding.
    pub fn add_rounded(&self, other: &Number, digits: u64, mode: Rounding) -> Result<Number, TooBig> {
        let floor = mode == Rounding::Floor;
        if let (Number::Finite(a), Number::Finite(b)) = (self, other) {
            let (big, small) = if a.point() >= b.point() { (a, b) } else { (b, a) };
            let last = big.exponent.min(big.point().saturating_sub(digits as i64)).saturating_sub(2);
            if small.point() < last {
                let small = Number::Finite(Finite { negative: small.negative, coefficient: Int::ONE, exponent: last });
                return Ok(Number::Finite(big.clone()).add(&small, floor)?.round_digits(digits, mode, false));
            }
        }
        Ok(self.add(other, floor)?.round_digits(digits, mode, false))
    }

    pub fn mul(&self, other: &Number) -> Number {
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Number::NaN, _) | (_, Number::NaN) => Number::NaN,
            (Number::Inf(_), Number::Zero(_)) | (Number::Zero(_), Number::Inf(_)) => Number::NaN,
            (Number::Inf(_), _) | (_, Number::Inf(_)) => Number::Inf(negative),
            (Number::Zero(_), _) | (_, Number::Zero(_)) => Number::Zero(negative),
            (Number::Finite(a), Number::Finite(b)) => match a.exponent.checked_add(b.exponent) {
                Some(exponent) => Number::new(a.signed().mul(&b.signed()), exponent, negative),
                None if a.exponent > 0 => Number::Inf(negative),
                None => Number::Zero(negative),
            },
        }
    }

    /// The quotient of finite numbers to `digits` significant digits.
    pub fn div_digits(a: &Finite, b: &Finite, digits: u64, mode: Rounding) -> Result<Number, TooBig> {
        let negative = a.negative != b.negative;
        let shift = (digits + 1 + b.digits()).saturating_sub(a.digits());
        let raised = a.coefficient.mul(&power_of_ten(shift)?);
        let Some((quotient, rest)) = raised.divmod(&b.coefficient) else { return Ok(Number::NaN) };
        let exponent = a.exponent as i128 - b.exponent as i128 - shift as i128;
        let Ok(exponent) = i64::try_from(exponent) else {
            return Ok(if exponent > 0 { Number::Inf(negative) } else { Number::Zero(negative) });
        };
        let quotient = Finite { negative, coefficient: quotient, exponent };
        Ok(round_at(&quotient, quotient.point() - digits as i64, mode, !rest.is_zero()))
    }

    /// Whole quotient and rest; `floor`: rounded down, else towards zero.
    pub fn div_whole(a: &Finite, b: &Finite, floor: bool) -> Result<(Int, Number), TooBig> {
        if a.point() < b.point() && (!floor || a.negative == b.negative) {
            return Ok((Int::ZERO, Number::Finite(a.clone())));
        }
        let low = a.exponent.min(b.exponent);
        let left = a.coefficient.mul(&power_of_ten(a.exponent.abs_diff(low))?);
        let right = b.coefficient.mul(&power_of_ten(b.exponent.abs_diff(low))?);
        let left = if a.negative { left.neg() } else { left };
        let right = if b.negative { right.neg() } else { right };
        let (mut quotient, mut rest) = left.divmod(&right).unwrap_or((Int::ZERO, Int::ZERO));
        if !floor && !rest.is_zero() && a.negative != b.negative {
            quotient = quotient.add(&Int::ONE);
            rest = rest.sub(&right);
        }
        Ok((quotient, Number::new(rest, low, false)))
    }

    /// Rounded to `digits` significant digits.
    pub fn round_digits(&self, digits: u64, mode: Rounding, rest: bool) -> Number {
        match self {
            Number::Finite(f) if digits > 0 => round_at(f, f.point().saturating_sub(digits as i64), mode, rest),
            other => other.clone(),
        }
    }

    /// Rounded to `places` digits after the point.
    pub fn round_places(&self, places: i64, mode: Rounding) -> Number {
        match self {
            Number::Finite(f) => round_at(f, places.saturating_neg(), mode, false),
            other => other.clone(),
        }
    }

    /// The order; none with NaN.
    pub fn compare(&self, other: &Number) -> Option<Ordering> {
        let rank = |n: &Number| match n {
            Number::NaN => 9,
            Number::Zero(_) => 0,
            Number::Inf(negative) => {
                if *negative {
                    -2
                } else {
                    2
                }
            }
            Number::Finite(f) => {
                if f.negative {
                    -1
                } else {
                    1
                }
            }
        };
        if matches!(self, Number::NaN) || matches!(other, Number::NaN) {
            return None;
        }
        let order = rank(self).cmp(&rank(other));
        let (Number::Finite(a), Number::Finite(b), Ordering::Equal) = (self, other, order) else { return Some(order) };
        let size = a.point().cmp(&b.point()).then_with(|| {
            let low = a.exponent.min(b.exponent);
            let raised = |f: &Finite| match f.exponent.abs_diff(low) {
                0 => f.coefficient.clone(),
                gap => power_of_ten(gap).map_or_else(|_| f.coefficient.clone(), |power| f.coefficient.mul(&power)),
            };
            compare(&raised(a), &raised(b))
        });
        Some(if a.negative { size.reverse() } else { size })
    }

    /// The whole part, towards zero. TooBig for numbers of too many digits.
    pub fn to_int(&self) -> Result<Int, TooBig> {
        let Number::Finite(f) = self else { return Ok(Int::ZERO) };
        if f.exponent >= 0 {
            return Ok(f.signed().mul(&power_of_ten(f.exponent as u64)?));
        }
        match self.round_places(0, Rounding::Down) {
            Number::Finite(f) => Ok(f.signed().mul(&power_of_ten(f.exponent.max(0) as u64)?)),
            _ => Ok(Int::ZERO),
        }
    }

    pub fn to_f64(&self) -> f64 {
        match self {
            Number::NaN => f64::NAN,
            Number::Inf(negative) => {
                if *negative {
                    f64::NEG_INFINITY
                } else {
                    f64::INFINITY
                }
            }
            Number::Zero(negative) => {
                if *negative {
                    -0.0
                } else {
                    0.0
                }
            }
            Number::Finite(f) => {
                let sign = if f.negative { "-" } else { "" };
                // More digits than these cannot change the nearest double but for a tie, which the last one breaks.
                let mut digits = f.coefficient.to_radix(10);
                let mut exponent = f.exponent;
                if digits.len() > 800 {
                    exponent = exponent.saturating_add((digits.len() - 800) as i64);
                    digits.truncate(799);
                    digits.push('1');
                }
                format!("{sign}{digits}e{exponent}").parse().unwrap_or(0.0)
            }
        }
    }
}

/// Rounds so that `10 ** place` is the unit of the last digit; `rest`: the number is a little larger than it says.
fn round_at(f: &Finite, place: i64, mode: Rounding, rest: bool) -> Number {
    let zero = Number::Zero(f.negative);
    if place <= f.exponent {
        if !rest {
            return Number::new(f.signed(), f.exponent, f.negative);
        }
        // Below the last digit there is something that is less than a half.
        let up = matches!((mode, f.negative), (Rounding::Up, _) | (Rounding::Ceiling, false) | (Rounding::Floor, true));
        if !up {
            return Number::new(f.signed(), f.exponent, f.negative);
        }
        let raised = f.coefficient.mul(&power_of_ten(f.exponent.abs_diff(place)).unwrap_or(Int::ONE)).add(&Int::ONE);
        return Number::new(if f.negative { raised.neg() } else { raised }, place, f.negative);
    }
    let gap = place.abs_diff(f.exponent);
    let (kept, half) = if gap > f.digits() {
        (Int::ZERO, Ordering::Less)
    } else {
        let Ok(unit) = power_of_ten(gap) else { return zero };
        let Some((kept, cut)) = f.coefficient.divmod(&unit) else { return zero };
        if cut.is_zero() && !rest {
            return Number::new(if f.negative { kept.neg() } else { kept }, place, f.negative);
        }
        let order = compare(&cut.add(&cut), &unit);
        (kept, if order == Ordering::Equal && rest { Ordering::Greater } else { order })
    };
    let up = match mode {
        Rounding::Up => true,
        Rounding::Down => false,
        Rounding::HalfUp => half != Ordering::Less,
        Rounding::HalfDown => half == Ordering::Greater,
        Rounding::HalfEven => half == Ordering::Greater || half == Ordering::Equal && !kept.is_even(),
        Rounding::Ceiling => !f.negative,
        Rounding::Floor => f.negative,
    };
    let kept = if up { kept.add(&Int::ONE) } else { kept };
    Number::new(if f.negative { kept.neg() } else { kept }, place, f.negative)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(coefficient: i64, exponent: i64) -> Number {
        Number::new(Int::from(coefficient), exponent, false)
    }

    #[test]
    fn rounds() {
        let n = number(-12_345, -2);
        assert_eq!(n.round_places(1, Rounding::HalfUp), number(-1235, -1));
        assert_eq!(n.round_places(1, Rounding::HalfEven), number(-1234, -1));
        assert_eq!(n.round_places(1, Rounding::Ceiling), number(-1234, -1));
        assert_eq!(n.round_places(-3, Rounding::HalfUp), Number::Zero(true));
        assert_eq!(n.round_digits(1, Rounding::Up, false), number(-2, 2));
    }

    #[test]
    fn counts_digits_of_long_numbers() {
        let mut n = Int::from(7i64);
        for times in 1..300u64 {
            n = n.mul(&Int::from(9_223_372_036_854_775_783i64));
            assert_eq!(digit_count(&n), n.to_radix(10).len() as u64, "{times}");
        }
    }

    #[test]
    fn counts_digits() {
        for n in 0..200u64 {
            let power = Int::power_of_ten(n).expect("small");
            assert_eq!(digit_count(&power), n + 1);
            assert_eq!(digit_count(&power.sub(&Int::ONE)).max(1), n.max(1));
            assert_eq!(strip_zeros(power.mul(&Int::from(12i64))), (Int::from(12i64), n));
        }
    }

    #[test]
    fn divides() {
        let (Number::Finite(a), Number::Finite(b)) = (number(1, 0), number(3, 0)) else { panic!() };
        assert_eq!(Number::div_digits(&a, &b, 5, Rounding::HalfUp), Ok(number(33_333, -5)));
        assert_eq!(Number::div_digits(&a, &b, 5, Rounding::Up), Ok(number(33_334, -5)));
    }
}
