//! Floats to and from text, as Ruby writes and reads them.

use crate::object::integer::{Int, ldexp, trim_start};
use std::fmt::Write;

/// Floats below `10 ** FIXED_MAX` are written without an exponent (and longer ones whose digits reach
/// behind the point).
const FIXED_MAX: i32 = 15;
/// Floats from `10 ** FIXED_MIN` on are written without an exponent.
const FIXED_MIN: i32 = -4;

/// The shortest decimal digits that read back as `f` (finite, sign ignored; of two equally near ones the even one),
/// and the exponent `e` so that the value is 0.DIGITS times ten to the `e`.
pub fn shortest_digits(f: f64) -> (String, i32) {
    if f == 0.0 {
        return ("0".into(), 1);
    }
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(f.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let digits = all.trim_start_matches('0');
    let point = whole.len() as i32 - (all.len() - digits.len()) as i32 + exponent.parse::<i32>().unwrap_or(0);
    (digits.trim_end_matches('0').into(), point)
}

/// `Float#to_s`.
pub fn to_s(f: f64) -> String {
    if f.is_nan() {
        return "NaN".into();
    }
    if f.is_infinite() {
        return if f > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    let (digits, point) = shortest_digits(f);
    let mut out = String::with_capacity(26);
    if f.is_sign_negative() {
        out.push('-');
    }
    let count = digits.len() as i32;
    if point > 0 && point < count {
        let (whole, fraction) = digits.split_at(point as usize);
        out.extend([whole, ".", fraction]);
    } else if point > 0 && point <= FIXED_MAX {
        out.push_str(&digits);
        out.extend(std::iter::repeat_n('0', (point - count) as usize));
        out.push_str(".0");
    } else if point > FIXED_MIN && point <= 0 {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', -point as usize));
        out.push_str(&digits);
    } else {
        let (first, rest) = digits.split_at(1);
        let rest = if rest.is_empty() { "0" } else { rest };
        let exponent = point - 1;
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "{first}.{rest}e{sign}{:02}", exponent.abs());
    }
    out
}

/// The number at the begin of `text`, as `String#to_f` (lenient: what follows is ignored, no number is 0.0) and
/// `Kernel#Float` (strict: nothing unless all of the text is one number) read it.
pub fn parse(text: &[u8], strict: bool) -> Option<f64> {
    let text = trim_start(text);
    if !strict && is_hex(text) {
        return Some(0.0);
    }
    let negative = text.first() == Some(&b'-');
    let rest = if let Some(b'+' | b'-') = text.first() { &text[1..] } else { text };
    let (number, used) = if is_hex(rest) { scan_hex(rest) } else { scan_decimal(rest) };
    if used == 0 && !strict {
        return Some(0.0);
    }
    if strict && (used == 0 || !trim_start(&rest[used..]).is_empty()) {
        return None;
    }
    Some(if negative { -number } else { number })
}

/// The numbers in front of `text` that no Float can hold, as CRuby reads them: up to the first underscore, and once
/// more without underscores when anything follows.
pub fn out_of_range(text: &[u8], strict: bool) -> Vec<Vec<u8>> {
    let text = trim_start(text);
    let sign = matches!(text.first(), Some(b'+' | b'-')) as usize;
    let rest = &text[sign..];
    let (number, used) = if is_hex(rest) { scan_hex(rest) } else { scan_decimal(rest) };
    if used == 0 || !strict && is_hex(text) {
        return Vec::new();
    }
    let whole = &text[..sign + used];
    let digits =
        whole.strip_prefix(b"0x").unwrap_or(whole).iter().take_while(|byte| !matches!(byte, b'e' | b'E' | b'p' | b'P'));
    let lost =
        |number: f64| number.is_infinite() || number == 0.0 && digits.clone().any(|byte| matches!(byte, b'1'..=b'9'));
    let first = whole.split(|byte| *byte == b'_').next().unwrap_or(whole);
    let mut found = Vec::new();
    if lost(if first.len() < whole.len() { parse(first, true).unwrap_or(1.0) } else { number }) {
        found.push(first.to_vec());
    }
    let read_again = text.len() > first.len() && (!strict || trim_start(&rest[used..]).is_empty());
    if read_again && lost(number) {
        found.push(whole.iter().copied().filter(|byte| *byte != b'_').collect());
    }
    found
}

fn is_hex(text: &[u8]) -> bool {
    matches!(text, [b'0', b'x' | b'X', ..])
}

/// Copies the digits at the begin of `text`, without single underscores between them; says how many bytes
/// they took.
fn take_digits(text: &[u8], radix: u32, out: &mut String) -> usize {
    let digit = |at: usize| text.get(at).is_some_and(|b| (*b as char).is_digit(radix));
    let mut used = 0;
    while digit(used) || used > 0 && text.get(used) == Some(&b'_') && digit(used - 1) && digit(used + 1) {
        if text[used] != b'_' {
            out.push(text[used] as char);
        }
        used += 1;
    }
    used
}

/// An exponent part (`e5`, `P-3`) in front of `text`: its digits with a sign, and how many bytes it took.
fn take_exponent(text: &[u8], letter: u8) -> Option<(String, usize)> {
    if text.first()?.to_ascii_lowercase() != letter {
        return None;
    }
    let mut out = String::new();
    let sign = matches!(text.get(1), Some(b'+' | b'-')) as usize;
    if text[sign] == b'-' {
        out.push('-');
    }
    let digits = take_digits(&text[1 + sign..], 10, &mut out);
    if digits == 0 { None } else { Some((out, 1 + sign + digits)) }
}

/// The number and the bytes it took, 0 for none.
fn scan_decimal(text: &[u8]) -> (f64, usize) {
    let mut clean = String::with_capacity(text.len().min(32) + 1);
    let whole = take_digits(text, 10, &mut clean);
    let mut used = whole;
    if text.get(used) == Some(&b'.') {
        clean.push('.');
        let fraction = take_digits(&text[used + 1..], 10, &mut clean);
        if whole == 0 && fraction == 0 {
            return (0.0, 0);
        }
        used += 1 + fraction;
    }
    if used == 0 {
        return (0.0, 0);
    }
    if let Some((exponent, length)) = take_exponent(&text[used..], b'e') {
        clean.push('e');
        clean.push_str(&exponent);
        used += length;
    }
    (clean.parse().unwrap_or(0.0), used)
}

/// The same for `0x1.8p3`.
fn scan_hex(text: &[u8]) -> (f64, usize) {
    let mut digits = String::new();
    let mut used = 2 + take_digits(&text[2..], 16, &mut digits);
    let mut exponent = 0;
    if text.get(used) == Some(&b'.') {
        let whole = digits.len();
        let fraction = take_digits(&text[used + 1..], 16, &mut digits);
        exponent = -4 * (digits.len() - whole) as i64;
        used += 1 + fraction;
    }
    let Some(mantissa) = Int::from_digits(digits.as_bytes(), 16) else {
        return (0.0, 0);
    };
    if let Some((power, length)) = take_exponent(&text[used..], b'p') {
        exponent += power.parse().unwrap_or(if power.starts_with('-') { -1 << 40 } else { 1 << 40 });
        used += length;
    }
    // A mantissa beyond the range of floats is cut first; 128 bits decide the rounding, with a sticky bit.
    let excess = mantissa.bit_length().saturating_sub(128);
    if excess == 0 {
        return (ldexp(mantissa.to_f64(), exponent), used);
    }
    let top = mantissa.shr_bits(excess);
    let sticky = top.shl_bits(excess).is_ok_and(|back| back != mantissa);
    let top = if sticky { top.or(&Int::ONE) } else { top };
    (ldexp(top.to_f64(), exponent + excess as i64), used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_as_ruby_does() {
        for (f, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (100000000000000.0, "100000000000000.0"),
            (1e15, "1.0e+15"),
            (1e16, "1.0e+16"),
            (123456789012345.0, "123456789012345.0"),
            (1234567890123456.0, "1.234567890123456e+15"),
            (1234567890123456.7, "1234567890123456.8"),
            (0.0001, "0.0001"),
            (0.00001, "1.0e-05"),
            (0.000123, "0.000123"),
            (1.5e-7, "1.5e-07"),
            (1e100, "1.0e+100"),
            (5e-324, "5.0e-324"),
            (0.1 + 0.2, "0.30000000000000004"),
            (-2.5, "-2.5"),
            // Exactly between two candidates: the even digit.
            (-777215196761939.25, "-777215196761939.2"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(to_s(f), text);
        }
    }

    #[test]
    fn reads_as_ruby_does() {
        for (text, strict, lenient) in [
            ("0x1A", Some(26.0), 0.0),
            ("0x1.8p3", Some(12.0), 0.0),
            ("-0x1p-2", Some(-0.25), -0.25),
            ("0x", None, 0.0),
            ("0x.8", Some(0.5), 0.0),
            ("0xp1", None, 0.0),
            ("0x1p", None, 0.0),
            ("0x_1", None, 0.0),
            ("0x1.8_8p1", Some(3.0625), 0.0),
            ("0x1.00000000000018p0", Some(1.0000000000000004), 0.0),
            ("0x1ffffffffffffff", Some(1.4411518807585587e+17), 0.0),
            ("1.", Some(1.0), 1.0),
            ("1.e5", Some(1e5), 1e5),
            (".5", Some(0.5), 0.5),
            ("-.5", Some(-0.5), -0.5),
            (".", None, 0.0),
            ("1e", None, 1.0),
            ("1e+", None, 1.0),
            ("1_000.5", Some(1000.5), 1000.5),
            ("1__0", None, 1.0),
            ("1_", None, 1.0),
            ("_1", None, 0.0),
            ("1._5", None, 1.0),
            ("1.5_5", Some(1.55), 1.55),
            ("1_.5", None, 1.0),
            ("1e1_0", Some(1e10), 1e10),
            ("1e_1", None, 1.0),
            ("1e1_", None, 10.0),
            ("1e400", Some(f64::INFINITY), f64::INFINITY),
            (" 12 ", Some(12.0), 12.0),
            ("12abc", None, 12.0),
            ("Infinity", None, 0.0),
            ("", None, 0.0),
            ("-", None, 0.0),
            ("1\u{0}", None, 1.0),
            ("+1", Some(1.0), 1.0),
            ("1e99999999999999999999", Some(f64::INFINITY), f64::INFINITY),
        ] {
            assert_eq!(parse(text.as_bytes(), true), strict, "{text}");
            assert_eq!(parse(text.as_bytes(), false), Some(lenient), "{text}");
        }
    }

    #[test]
    fn text_round_trips() {
        let mut x = 12345u64;
        for _ in 0..20_000 {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let f = f64::from_bits(x ^ x >> 31);
            if f.is_finite() {
                assert_eq!(parse(to_s(f).as_bytes(), true).map(f64::to_bits), Some(f.to_bits()));
            }
        }
    }
}
