//! Dates: offsets from UTC, as names of zones, as "+09:00" and the like, and as fractions of a day.

use super::{DAY_SECONDS, zonetab::ZONES};
use rubellite_vm::object::{Float, Int, Rational, Str};
use rubellite_vm::{Args, Ctx, Result, Value};

/// Longer names are in no table.
const NAME_MAX: usize = 17;

/// The offset that an argument of DateTime names: a String or a fraction of a day. What is none is ignored with a
/// warning; TypeError "invalid offset" for what cannot be one.
pub fn offset(ctx: &mut Ctx, value: Value) -> Result<i32> {
    let day = DAY_SECONDS;
    let seconds = if let Some(n) = value.as_fixnum() {
        (-1..=1).contains(&n).then_some(n * day)
    } else if let Some(f) = Float::value_of(value) {
        let seconds = (f * day as f64).round();
        (seconds.abs() <= day as f64).then_some(seconds as i64)
    } else if let Some(text) = Str::try_of(value) {
        match diff(text.bytes(ctx)) {
            Some((num, den)) => Some(num.div_euclid(den)).filter(|n| n.abs() <= day),
            None => None,
        }
    } else if let Some(rational) = Rational::try_of(value) {
        let (num, den) = rational.parts();
        // Rounded half away from zero.
        let twice = num.mul(&Int::from(2 * day));
        let half = if num.is_negative() { den.neg() } else { den.clone() };
        let seconds = twice.add(&half).divmod(&den.add(&den)).and_then(|(n, rest)| {
            let n = n.to_i64()?;
            Some(n + (num.is_negative() && !rest.is_zero()) as i64)
        });
        seconds.filter(|n| n.abs() <= day)
    } else {
        let numeric = ctx.classes().numeric.get();
        if value.is_nil() || !ctx.is_a(value, numeric) {
            return Err(ctx.type_error("expected numeric"));
        }
        let rational = ctx.call_name(value, "to_r", &[])?;
        if Rational::try_of(rational).is_none() {
            return Err(ctx.type_error("expected numeric"));
        }
        return offset(ctx, rational);
    };
    match seconds {
        Some(seconds) => Ok(seconds as i32),
        None => {
            ctx.warn_verbose("invalid offset is ignored")?;
            Ok(0)
        }
    }
}

/// `date_zone_to_diff(text) -> Integer, Rational or nil`
pub fn zone_to_diff(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    let found = diff(text.bytes(ctx));
    Ok(diff_value(ctx, found))
}

/// Seconds as an Integer or a Rational; nil for none.
pub fn diff_value(ctx: &mut Ctx, seconds: Option<(i64, i64)>) -> Value {
    match seconds {
        None => Value::NIL,
        Some((num, 1)) => Value::fixnum(num),
        Some((num, den)) => rubellite_core_time::exact::number(ctx, &Int::from(num), &Int::from(den)),
    }
}

/// The offset of a zone in seconds, a fraction.
pub fn diff(text: &[u8]) -> Option<(i64, i64)> {
    let (name, summer) = strip_suffix(text);
    let words: Vec<&[u8]> = name.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty()).collect();
    let key = words.join(&b' ').to_ascii_lowercase();
    if key.len() <= NAME_MAX
        && let Ok(at) = ZONES.binary_search_by(|(zone, _)| zone.as_bytes().cmp(&key))
    {
        return Some((ZONES[at].1 as i64 + if summer { 3600 } else { 0 }, 1));
    }
    let prefix = name.get(..3).map(<[u8]>::to_ascii_lowercase);
    let name = match prefix.as_deref() {
        Some(b"gmt" | b"utc") if name.len() > 3 => &name[3..],
        _ => name,
    };
    match name.first()? {
        b'+' => numeric(&name[1..], 1),
        b'-' => numeric(&name[1..], -1),
        _ => None,
    }
}

/// Takes " standard time", " daylight time" or " dst" from the end; the last two mean summer.
fn strip_suffix(text: &[u8]) -> (&[u8], bool) {
    let Some(rest) = without_word(text, b"time") else {
        return match without_word(text, b"dst") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
    };
    if let Some(rest) = without_word(rest, b"standard") {
        return (rest, false);
    }
    match without_word(rest, b"daylight") {
        Some(rest) => (rest, true),
        None => (text, false),
    }
}

/// The text before a last word and the space before it.
fn without_word<'a>(text: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let at = text.len().checked_sub(word.len())?;
    if at == 0 || !text[at - 1].is_ascii_whitespace() || !text[at..].eq_ignore_ascii_case(word) {
        return None;
    }
    let end = text[..at].iter().rposition(|b| !b.is_ascii_whitespace()).map_or(0, |p| p + 1);
    Some(&text[..end])
}

fn number(text: &[u8]) -> (i64, usize) {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let value = text[..digits].iter().fold(0i64, |n, b| n.saturating_mul(10).saturating_add((b - b'0') as i64));
    (value, digits)
}

/// "9", "0930", "09:30:15" or "9.5" after the sign.
fn numeric(text: &[u8], sign: i64) -> Option<(i64, i64)> {
    let (hour, used) = number(text);
    match text.get(used) {
        Some(b':') => clock(hour, &text[used + 1..]).map(|n| (sign * n, 1)),
        Some(b',' | b'.') => fraction(hour, &text[used + 1..], sign),
        _ if text.len() > 2 => {
            let odd = text.len() % 2;
            let pair = |from: usize, len: usize| text.get(from..).map_or(0, |t| number(&t[..len.min(t.len())]).0);
            let (hour, min) = (pair(0, 2 - odd), pair(2 - odd, 2));
            let sec = if text.len() >= 5 { pair(4 - odd, 2) } else { 0 };
            Some((sign * (hour * 3600 + min * 60 + sec), 1))
        }
        _ => Some((sign * hour * 3600, 1)),
    }
}

fn clock(hour: i64, rest: &[u8]) -> Option<i64> {
    let (min, used) = number(rest);
    let sec = if rest.get(used) == Some(&b':') { number(&rest[used + 1..]).0 } else { 0 };
    (hour <= 23 && min <= 59 && sec <= 59).then_some(hour * 3600 + min * 60 + sec)
}

/// A fraction of an hour: seven digits count, the eighth rounds half to even.
fn fraction(hour: i64, digits: &[u8], sign: i64) -> Option<(i64, i64)> {
    if hour > 23 {
        return None;
    }
    let len = digits.len().min(7);
    let (mut part, used) = number(&digits[..len]);
    if digits.get(used).is_some_and(|d| d.is_ascii_digit() && *d >= b'5' + (part % 2 == 0) as u8) {
        part += 1;
    }
    let den = 10i64.pow(used as u32);
    let num = sign * (hour * 3600 * den + part * 3600);
    let (num, den) = match gcd(num.abs(), den) {
        0 => (num, 1),
        g => (num / g, den / g),
    };
    Some((num, den))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones() {
        assert!(ZONES.is_sorted());
        let seconds = |text: &str| diff(text.as_bytes());
        assert_eq!(seconds("jst"), Some((32_400, 1)));
        assert_eq!(seconds("EST"), Some((-18_000, 1)));
        assert_eq!(seconds("E. South  America Standard Time"), Some((-10_800, 1)));
        assert_eq!(seconds("eastern daylight time"), Some((-14_400, 1)));
        assert_eq!(seconds("+09:30"), Some((34_200, 1)));
        assert_eq!(seconds("-0930"), Some((-34_200, 1)));
        assert_eq!(seconds("utc+9"), Some((32_400, 1)));
        assert_eq!(seconds("+9.5"), Some((34_200, 1)));
        assert_eq!(seconds("+25:00"), None);
        assert_eq!(seconds("xyzzy"), None);
    }
}
