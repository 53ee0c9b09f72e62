//! Integers to and from machine numbers, floats and text. The arithmetic is `int.rs`.

use super::decimal;
use super::int::Int::{Big, Small};
use super::int::{Int, TooBig, low_word};
use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign, UBig};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Numbers of more words are converted to text piece by piece.
const LONG_WORDS: usize = 6000;

const TWO_63: f64 = 9_223_372_036_854_775_808.0;

/// `f * 2^exponent`, without an intermediate overflow or underflow.
pub fn ldexp(mut f: f64, mut exponent: i64) -> f64 {
    while exponent > 1000 && f.is_finite() && f != 0.0 {
        f *= 2f64.powi(1000);
        exponent -= 1000;
    }
    while exponent < -1000 && f != 0.0 {
        // Down to the subnormal numbers in one step, so that only the last one rounds.
        let step = exponent.max(-1000);
        f *= 2f64.powi(step as i32);
        exponent -= step;
    }
    f * 2f64.powi(exponent.clamp(-1000, 1000) as i32)
}

impl Int {
    // -- machine numbers ------------------------------------------------------------------

    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Small(n) => Some(*n),
            Big(_) => None,
        }
    }

    pub fn to_u64(&self) -> Option<u64> {
        match self {
            Small(n) => u64::try_from(*n).ok(),
            Big(n) => u64::try_from(&**n).ok(),
        }
    }

    pub fn to_i128(&self) -> Option<i128> {
        match self {
            Small(n) => Some(*n as i128),
            Big(n) => i128::try_from(&**n).ok(),
        }
    }

    /// The low 64 bits in two's complement: what `pack` writes.
    pub fn low_u64(&self) -> u64 {
        match self {
            Small(n) => *n as u64,
            Big(n) => low_word(n),
        }
    }

    /// The magnitude as little-endian 64-bit words, without leading zeros.
    pub fn magnitude_words(&self) -> Vec<u64> {
        match self {
            Small(0) => Vec::new(),
            Small(n) => vec![n.unsigned_abs()],
            Big(n) => n.as_sign_words().1.to_vec(),
        }
    }

    /// The number with this sign and these little-endian words.
    pub fn from_words(negative: bool, words: &[u64]) -> Int {
        let sign = if negative { Sign::Negative } else { Sign::Positive };
        Int::from(IBig::from_parts(sign, UBig::from_words(words)))
    }

    // -- floats ---------------------------------------------------------------------------

    /// The nearest float, ties to even; infinite beyond the range.
    pub fn to_f64(&self) -> f64 {
        match self {
            Small(n) => *n as f64,
            Big(n) => words_to_f64(n.as_sign_words()),
        }
    }

    /// The number without its fraction; nothing for NaN and infinities.
    pub fn from_f64(f: f64) -> Option<Int> {
        if !f.is_finite() {
            return None;
        }
        if f.abs() < TWO_63 {
            return Some(Small(f as i64));
        }
        let bits = f.to_bits();
        let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
        let exponent = (bits >> 52 & 0x7ff) as usize - 1075;
        let n = IBig::from(mantissa) << exponent;
        Some(Int::from(if f < 0.0 { -n } else { n }))
    }

    /// The exact order of this number and a float; nothing for NaN.
    pub fn cmp_f64(&self, f: f64) -> Option<Ordering> {
        if f.is_nan() {
            return None;
        }
        let Some(whole) = Int::from_f64(f) else {
            return Some(if f > 0.0 { Ordering::Less } else { Ordering::Greater });
        };
        let fraction = f.fract();
        Some(self.cmp(&whole).then_with(|| 0.0f64.partial_cmp(&fraction).unwrap_or(Ordering::Equal)))
    }

    /// `Integer#fdiv`, and the float that a Rational is. As in CRuby it is the quotient of the two floats, which need
    /// not be the float nearest to the quotient, unless the divisor is none or both are Bignums.
    pub fn fdiv(&self, other: &Int) -> f64 {
        const EXACT: u64 = 1 << 53;
        match (self, other) {
            (Small(a), Small(b)) if a.unsigned_abs().max(b.unsigned_abs()) < EXACT => *a as f64 / *b as f64,
            (_, Small(0)) => self.to_f64() / 0.0,
            (Small(0), _) => 0.0 / other.to_f64(),
            _ => {
                let common = self.gcd(other);
                self.exact_quotient(&common).fdiv_reduced(&other.exact_quotient(&common))
            }
        }
    }

    fn exact_quotient(&self, divisor: &Int) -> Int {
        if *divisor == Int::ONE { self.clone() } else { Int::from(self.to_ibig() / divisor.to_ibig()) }
    }

    /// The same of two numbers without a common divisor, of which the second is not 0. It takes time only where they
    /// are copied.
    pub fn fdiv_reduced(&self, other: &Int) -> f64 {
        const EXACT: u64 = 1 << 53;
        let fixnum = |int: &Int| matches!(int, Small(n) if (-(1 << 62)..1 << 62).contains(n));
        let of_floats = match other {
            Small(divisor) if fixnum(self) => divisor.unsigned_abs() < EXACT,
            _ => fixnum(other) && self.to_f64().is_finite(),
        };
        if of_floats { self.to_f64() / other.to_f64() } else { self.fdiv_big(other) }
    }

    /// The quotient of the first 64 bits of the divisor and at least as many more of the dividend.
    fn fdiv_big(&self, other: &Int) -> f64 {
        let shifted = |int: IBig, by: i64| {
            if by > 0 { int >> by as usize } else { int << by.unsigned_abs() as usize }
        };
        let bits = |int: &Int| int.abs().to_ibig().bit_len() as i64;
        let by_divisor = bits(other) - 64;
        let by = match bits(self) - 128 {
            excess if excess > 64 => excess - 64,
            excess => excess.min(0),
        };
        let quotient = Int::from(shifted(self.to_ibig(), by) / shifted(other.to_ibig(), by_divisor));
        ldexp(quotient.to_f64(), by - by_divisor)
    }

    // -- text -----------------------------------------------------------------------------

    /// The digits in a radix from 2 to 36, with a minus sign.
    pub fn to_radix(&self, radix: u32) -> String {
        match self {
            Small(n) if radix == 10 => n.to_string(),
            Small(n) => small_to_radix(*n, radix),
            Big(_) if self.word_count() > LONG_WORDS && !radix.is_power_of_two() => self.long_to_radix(radix),
            Big(n) if radix == 10 && self.word_count() <= decimal::MOST_WORDS => {
                let (sign, words) = n.as_sign_words();
                decimal::digits(sign == Sign::Negative, &mut SmallVec::<[u64; 32]>::from_slice(words))
            }
            Big(n) if radix == 10 => n.to_string(),
            Big(n) => n.in_radix(radix as u8).to_string(),
        }
    }

    /// The digits of a very long number: by halves, down to pieces that the library can do (see `division.rs`).
    fn long_to_radix(&self, radix: u32) -> String {
        let digits = 300_000 / (radix.ilog2() as usize + 1);
        let mut powers = Vec::new();
        let mut power = Small(radix as i64).pow(digits as u64).unwrap_or(Int::ONE);
        let size = self.abs();
        while power <= size {
            let square = power.mul(&power);
            powers.push(power);
            power = square;
        }
        let mut out = String::from(if self.is_negative() { "-" } else { "" });
        append_pieces(&size, &powers, digits, radix, true, &mut out);
        out
    }

    /// The number that digits of a radix from 2 to 36 stand for: nothing but digits, at least one.
    pub fn from_digits(digits: &[u8], radix: u32) -> Option<Int> {
        if digits.is_empty() || !digits.iter().all(|d| (*d as char).is_digit(radix)) {
            return None;
        }
        let text = std::str::from_utf8(digits).ok()?;
        match i64::from_str_radix(text, radix) {
            Ok(n) => Some(Small(n)),
            Err(_) => IBig::from_str_radix(text, radix).ok().map(Int::from),
        }
    }

    /// The number at the begin of `text`, as `String#to_i` (lenient: what follows is ignored, no digits are 0) and
    /// `Kernel#Integer` (strict: nothing unless all of the text is one number) read it. A base of 0 or a
    /// negative one takes the base from the prefix, else the absolute value or 10.
    pub fn parse(text: &[u8], base: i32, strict: bool) -> Option<Int> {
        let fail = if strict { None } else { Some(Int::ZERO) };
        let mut rest = trim_start(text);
        let negative = rest.first() == Some(&b'-');
        if let Some(b'+' | b'-') = rest.first() {
            rest = &rest[1..];
        }
        let (radix, digits) = split_prefix(rest, base);
        let (clean, used) = collect_digits(digits, radix);
        if strict && !trim_start(&digits[used..]).is_empty() {
            return None;
        }
        match Int::from_digits(&clean, radix) {
            Some(n) if negative => Some(n.neg()),
            Some(n) => Some(n),
            None => fail,
        }
    }

    /// `Integer#digits`: from the lowest on, for a number that is not negative and a base of at least 2.
    pub fn digits(&self, base: &Int) -> Vec<Int> {
        let mut out = Vec::new();
        let mut powers = vec![base.clone()];
        while powers[powers.len() - 1].bit_length() * 2 <= self.bit_length() + 1 {
            let last = &powers[powers.len() - 1];
            powers.push(last.mul(last));
        }
        split_digits(self, &powers, powers.len(), &mut out);
        while out.len() > 1 && out.last().is_some_and(Int::is_zero) {
            out.pop();
        }
        out
    }

    /// `10 ** n`.
    pub fn power_of_ten(n: u64) -> Result<Int, TooBig> {
        Small(10).pow(n)
    }
}

/// The nearest float of a sign and little-endian words, the last of which is not 0: the upper 64 bits, with one more
/// set at their end if any below them is, round as the whole number does.
fn words_to_f64((sign, words): (Sign, &[u64])) -> f64 {
    let Some((top, lower)) = words.split_last() else { return 0.0 };
    let free = top.leading_zeros();
    let next = lower.last().copied().unwrap_or(0);
    let upper = if free == 0 { *top } else { top << free | next >> (64 - free) };
    let cut_off = next << free != 0 || lower.iter().rev().skip(1).any(|word| *word != 0);
    let exponent = lower.len() as i64 * 64 - free as i64;
    let size = ldexp((upper | cut_off as u64) as f64, exponent);
    if sign == Sign::Negative { -size } else { size }
}

/// Appends the digits of a number below the square of the last power; all but the first piece are filled with zeros.
fn append_pieces(n: &Int, powers: &[Int], digits: usize, radix: u32, first: bool, out: &mut String) {
    let Some((power, smaller)) = powers.split_last() else {
        let text = n.to_radix(radix);
        if !first {
            out.extend(std::iter::repeat_n('0', digits - text.len().min(digits)));
        }
        return out.push_str(&text);
    };
    let (high, low) = n.divmod(power).unwrap_or((Int::ZERO, Int::ZERO));
    if first && high.is_zero() {
        return append_pieces(&low, smaller, digits, radix, true, out);
    }
    append_pieces(&high, smaller, digits, radix, first, out);
    append_pieces(&low, smaller, digits, radix, false, out);
}

/// Appends exactly `2^level` digits, or fewer for the highest part: `powers[i]` is the base to the `2^i`.
fn split_digits(n: &Int, powers: &[Int], level: usize, out: &mut Vec<Int>) {
    let Some(power) = level.checked_sub(1).and_then(|i| powers.get(i)) else {
        return out.push(n.clone());
    };
    let (high, low) = n.divmod(power).unwrap_or((Int::ZERO, Int::ZERO));
    split_digits(&low, powers, level - 1, out);
    split_digits(&high, powers, level - 1, out);
}

fn small_to_radix(n: i64, radix: u32) -> String {
    let mut digits = [0; 65];
    let mut at = digits.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b"0123456789abcdefghijklmnopqrstuvwxyz"[(rest % radix as u64) as usize];
        rest /= radix as u64;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    digits[at..].iter().map(|d| *d as char).collect()
}

/// The text without leading white space as Ruby's number parsers know it.
pub(crate) fn trim_start(text: &[u8]) -> &[u8] {
    let n = text.iter().position(|b| !matches!(b, b' ' | b'\t'..=b'\r')).unwrap_or(text.len());
    &text[n..]
}

/// The radix, and the digits behind a prefix that agrees with the base.
fn split_prefix(text: &[u8], base: i32) -> (u32, &[u8]) {
    let letter = match text {
        [b'0', letter, ..] => letter.to_ascii_lowercase(),
        _ => 0,
    };
    let prefix = match letter {
        b'x' => 16,
        b'b' => 2,
        b'o' => 8,
        b'd' => 10,
        _ => 0,
    };
    if base <= 0 {
        return match (prefix, letter) {
            (0, b'0'..=b'9' | b'_') => (8, text),
            (0, _) if base < -1 => (base.unsigned_abs(), text),
            (0, _) => (10, text),
            _ => (prefix, prefixed_digits(text)),
        };
    }
    if prefix == base as u32 { (prefix, prefixed_digits(text)) } else { (base as u32, text) }
}

/// What follows a two-letter prefix: it must begin with a digit, so an underscore makes it empty.
fn prefixed_digits(text: &[u8]) -> &[u8] {
    &text[2..]
}

/// The digits at the begin without single underscores between them, and how many bytes they took.
fn collect_digits(text: &[u8], radix: u32) -> (Vec<u8>, usize) {
    let mut digits = Vec::with_capacity(text.len().min(64));
    let mut used = 0;
    loop {
        match text.get(used) {
            Some(b) if (*b as char).is_digit(radix) => digits.push(*b),
            Some(b'_')
                if !digits.is_empty()
                    && text[used - 1] != b'_'
                    && text.get(used + 1).is_some_and(|b| (*b as char).is_digit(radix)) => {}
            _ => return (digits, used),
        }
        used += 1;
    }
}
