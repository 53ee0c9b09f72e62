//! Ties as CRuby sees them. Its conversion of doubles to few decimal digits (David Gay's `dtoa` with a change of its
//! own) looks at the digits behind the last one in double arithmetic first: a rest that this arithmetic cannot tell
//! from one half is a tie, and ties go to the even digit. 2.675 is a little less than it says, yet `%.2f` gives 2.68.

/// Where the last digit stands.
#[derive(Clone, Copy)]
pub enum Place {
    /// This number of digits behind the decimal point.
    AfterPoint(usize),
    /// This number of digits from the first one that is not zero.
    Significant(usize),
}

/// Above this number of digits only exact arithmetic decides.
const QUICK_MAX: i64 = 14;

/// Digits that are looked at behind the last one: no double is nearer to a tie of at most `QUICK_MAX` digits than that.
pub const BEHIND: usize = 30;

/// 10 to the powers 0 to 15, and to 16, 32, 64, 128, 256: each is exact or the nearest double.
const TENS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
const BIG_TENS: [f64; 5] = [1e16, 1e32, 1e64, 1e128, 1e256];

/// Whether the digits of `f` (positive, finite) behind `place` pass for one half.
pub fn is_tie(f: f64, place: Place) -> bool {
    if f == 0.0 || f.is_subnormal() {
        return false;
    }
    let (power, sure) = power_of_ten(f);
    let count = match place {
        Place::AfterPoint(digits) => digits as i64 + power + 1,
        Place::Significant(digits) => digits as i64,
    };
    if !(1..=QUICK_MAX).contains(&count) {
        return false;
    }
    let (mut rest, mut steps) = scaled(f, power);
    let mut count = count;
    if !sure && rest < 1.0 {
        if matches!(place, Place::AfterPoint(_)) {
            count -= 1;
        }
        if count <= 0 {
            return false;
        }
        rest *= 10.0;
        steps += 1;
    }
    // The bound of the error, in units of the last digit.
    let error = (f64::from(steps) * rest + 7.0) * f64::EPSILON / 2.0 * TENS[count as usize - 1];
    for at in 1..=count {
        rest -= rest.trunc();
        if rest == 0.0 {
            return false;
        }
        if at < count {
            rest *= 10.0;
        }
    }
    rest <= 0.5 + error && rest >= 0.5 - error
}

/// The exponent of the first decimal digit; when it is not sure, one less may be right.
fn power_of_ten(f: f64) -> (i64, bool) {
    let bits = f.to_bits();
    let exponent = (bits >> 52) as i64 - 1023;
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    let estimate =
        (mantissa - 1.5) * 0.289_529_654_602_168 + 0.176_091_259_055_8 + exponent as f64 * 0.301_029_995_663_981;
    let power = estimate.floor() as i64;
    if (0..=22).contains(&power) { (power - i64::from(f < 10f64.powi(power as i32)), true) } else { (power, false) }
}

/// `f` with its first digit in front of the point, and how many roundings that took, counted carefully.
fn scaled(f: f64, power: i64) -> (f64, u32) {
    let size = power.unsigned_abs() as usize;
    let mut steps = 2;
    let mut rest = f;
    let mut divisor = TENS[size & 15];
    let mut high = size >> 4;
    if power < 0 {
        rest *= divisor;
    } else if high & 16 != 0 {
        rest /= BIG_TENS[4];
        high &= 15;
        steps += 1;
    }
    for big in BIG_TENS {
        if high & 1 != 0 {
            steps += 1;
            if power < 0 {
                rest *= big;
            } else {
                divisor *= big;
            }
        }
        high >>= 1;
    }
    if power > 0 {
        rest /= divisor;
    }
    (rest, steps)
}

/// The decimal digits of a tie, rounded to even: `digits(n)` writes the number with `n` digits more than wanted. The
/// second value says that the carry went past the first digit, which is then a new 1.
pub fn rounded(digits: impl Fn(usize) -> String) -> (String, bool) {
    let mut text = digits(BEHIND).into_bytes();
    text.truncate(text.len() - BEHIND);
    if text.last() == Some(&b'.') {
        text.pop();
    }
    let odd = text.last().is_some_and(|digit| digit & 1 == 1);
    let carried = odd && increment(&mut text);
    (String::from_utf8(text).unwrap_or_default(), carried)
}

/// Adds one to the last digit; true when a digit had to be put in front.
fn increment(text: &mut Vec<u8>) -> bool {
    for digit in text.iter_mut().rev() {
        match *digit {
            b'.' => {}
            b'9' => *digit = b'0',
            _ => {
                *digit += 1;
                return false;
            }
        }
    }
    text.insert(0, b'1');
    true
}
