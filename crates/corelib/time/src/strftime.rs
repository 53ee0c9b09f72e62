//! strftime of Time and of the dates: directives with their flags (`-0^#_:`), widths and the ignored modifiers `E`
//! and `O`.

use super::civil::Civil;
use super::zone::{Zone, offset_text};
use rubellite_vm::object::Int;

/// What is shown.
pub struct Fields<'a> {
    pub civil: Civil,
    /// The year; the one of `civil` is not read.
    pub year: Int,
    /// Year and week of ISO 8601.
    pub iso_week: (Int, u32),
    /// The directives that only dates have: `%Q` and `%+`.
    pub date: bool,
    pub nanos: u32,
    /// Digits behind the nanoseconds are zeros unless this fraction gives them.
    pub sub: Option<(&'a Int, &'a Int)>,
    /// Whole seconds since 1970.
    pub seconds: Int,
    pub zone: &'a Zone,
    pub zone_name: &'a str,
}

/// The days of a week in English, from its first.
pub const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// The months in English.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Widths above this are refused; what is no width of a C int is no directive.
pub const WIDTH_MAX: usize = 3_932_160;

/// Why a pattern is refused.
pub enum Refusal {
    /// A width is too large (Errno::ERANGE).
    TooWide,
    /// The pattern ends within a directive (ArgumentError); dates show it as it stands.
    Cut,
}

#[derive(Copy, Clone, Default)]
struct Spec {
    pad: Option<u8>,
    no_pad: bool,
    /// The flag `-` was there, whatever came after it.
    unknown: bool,
    upper: bool,
    swap: bool,
    colons: usize,
    width: Option<usize>,
}

impl Spec {
    /// Fits no directive.
    const INVALID: Spec =
        Spec { colons: usize::MAX, pad: None, no_pad: false, unknown: false, upper: false, swap: false, width: None };

    /// Some that `%z` may have.
    fn has_colons(&self) -> bool {
        self.colons > 0 && self.colons != TOO_MANY
    }
}

/// Formats.
///
/// # Errors
/// The pattern asks for what cannot be.
pub fn format(pattern: &[u8], fields: &Fields) -> Result<Vec<u8>, Refusal> {
    let mut out = Vec::with_capacity(pattern.len() * 2);
    let mut i = 0;
    while i < pattern.len() {
        if pattern[i] != b'%' {
            out.push(pattern[i]);
            i += 1;
            continue;
        }
        let start = i;
        let (spec, end) = read_spec(pattern, i + 1, fields.date)?;
        match pattern.get(end).filter(|c| directive(**c, &spec, fields, &mut out)) {
            Some(_) => i = end + 1,
            None => {
                if end == pattern.len()
                    && !fields.date
                    && pattern[start + 1..].iter().all(|b| b"-_^#:0123456789".contains(b))
                {
                    return Err(Refusal::Cut);
                }
                // Not a directive: the text stands for itself.
                let stop = (end + 1).min(pattern.len());
                out.extend_from_slice(&pattern[start..stop]);
                i = stop;
            }
        }
    }
    Ok(out)
}

/// Colons of which there are more than `%z` takes: a Time ignores them before other directives.
const TOO_MANY: usize = 4;

/// The colons that begin a text, which a Time takes before `z` only, or four of them.
fn colons(text: &[u8]) -> Option<usize> {
    match text.iter().take(TOO_MANY).take_while(|b| **b == b':').count() {
        TOO_MANY => Some(TOO_MANY),
        count => (text.get(count) == Some(&b'z')).then_some(count),
    }
}

/// Flags, width and modifiers; the index of the directive's letter.
fn read_spec(pattern: &[u8], mut i: usize, date: bool) -> Result<(Spec, usize), Refusal> {
    let mut spec = Spec::default();
    while let Some(c) = pattern.get(i) {
        match c {
            // Flags come before the width, colons last.
            b'-' | b'_' | b'^' | b'#' if spec.width.is_some() || spec.has_colons() => return Ok((Spec::INVALID, i)),
            b'0'..=b'9' if spec.has_colons() => return Ok((Spec::INVALID, i)),
            b'-' => {
                spec.no_pad = true;
                spec.unknown = true;
                spec.pad = None;
            }
            b'0' => spec.pad = Some(b'0'),
            b'_' => spec.pad = Some(b' '),
            b'^' => spec.upper = true,
            b'#' => spec.swap = true,
            b':' if date => spec.colons += 1,
            b':' => match colons(&pattern[i..]) {
                None => return Ok((Spec::INVALID, i)),
                Some(count) => {
                    spec.colons = count;
                    i += count - 1;
                }
            },
            b'1'..=b'9' => {
                let digits = pattern[i..].iter().take_while(|b| b.is_ascii_digit()).count();
                let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<i32>().ok();
                match number(&pattern[i..i + digits]) {
                    Some(width) if width as usize > WIDTH_MAX => return Err(Refusal::TooWide),
                    Some(width) => spec.width = Some(width as usize),
                    None => return Ok((Spec::INVALID, i + digits)),
                }
                i += digits - 1;
            }
            b'E' if pattern.get(i + 1).is_some_and(|c| b"cCxXyY".contains(c)) => {}
            b'O' if pattern.get(i + 1).is_some_and(|c| b"deHkIlmMSuUVwWy".contains(c)) => {}
            _ => break,
        }
        i += 1;
    }
    Ok((spec, i))
}

/// Writes one directive; false when there is none of that letter.
fn directive(c: u8, spec: &Spec, f: &Fields, out: &mut Vec<u8>) -> bool {
    let t = &f.civil;
    let hour12 = match t.hour % 12 {
        0 => 12,
        h => h,
    } as i64;
    if spec.colons > 0 && !(c == b'z' && spec.colons <= 3) && (c == b'z' || spec.colons != TOO_MANY || f.date) {
        return false;
    }
    match c {
        b'Y' => year(&f.year, spec, out),
        b'C' => integer(&centuries(&f.year).0, 2, b'0', spec, out),
        b'y' => integer(&centuries(&f.year).1, 2, b'0', spec, out),
        b'm' => number(t.mon as i64, 2, b'0', spec, out),
        b'B' => text(MONTHS[t.mon as usize - 1], spec, out),
        b'b' | b'h' => text(&MONTHS[t.mon as usize - 1][..3], spec, out),
        b'd' => number(t.mday as i64, 2, b'0', spec, out),
        b'e' => number(t.mday as i64, 2, b' ', spec, out),
        b'j' => number(t.yday as i64, 3, b'0', spec, out),
        b'H' => number(t.hour as i64, 2, b'0', spec, out),
        b'k' => number(t.hour as i64, 2, b' ', spec, out),
        b'I' => number(hour12, 2, b'0', spec, out),
        b'l' => number(hour12, 2, b' ', spec, out),
        b'M' => number(t.min as i64, 2, b'0', spec, out),
        b'S' => number(t.sec as i64, 2, b'0', spec, out),
        b'L' => fraction(f, spec.width.unwrap_or(3), out),
        b'N' => fraction(f, spec.width.unwrap_or(9), out),
        b'z' => zone_offset(f, spec, out),
        b'Z' if f.zone_name.is_empty() => {}
        b'Z' => text(
            &if spec.swap { f.zone_name.to_lowercase() } else { f.zone_name.to_string() },
            &Spec { swap: false, ..*spec },
            out,
        ),
        b'A' => text(DAYS[t.wday as usize], spec, out),
        b'a' => text(&DAYS[t.wday as usize][..3], spec, out),
        b'p' => text(if t.hour < 12 { "AM" } else { "PM" }, &Spec { upper: spec.upper && !spec.swap, ..*spec }, out),
        b'P' => text(if t.hour < 12 { "am" } else { "pm" }, spec, out),
        b'u' => number(if t.wday == 0 { 7 } else { t.wday as i64 }, 1, b'0', spec, out),
        b'w' => number(t.wday as i64, 1, b'0', spec, out),
        b'G' => year(&f.iso_week.0, spec, out),
        b'g' => integer(&centuries(&f.iso_week.0).1, 2, b'0', spec, out),
        b'V' => number(f.iso_week.1 as i64, 2, b'0', spec, out),
        b'U' => number(t.week(0) as i64, 2, b'0', spec, out),
        b'W' => number(t.week(1) as i64, 2, b'0', spec, out),
        b's' => integer(&f.seconds, 1, b'0', spec, out),
        b'Q' if f.date => {
            let millis = f.seconds.mul(&Int::from(1000i64)).add(&Int::from(f.nanos as i64 / 1_000_000));
            integer(&millis, 1, b'0', spec, out);
        }
        b'n' => padded(b"\n", spec, out),
        b't' => padded(b"\t", spec, out),
        b'%' => padded(b"%", spec, out),
        _ => return composed(c, spec, f, out),
    }
    true
}

/// Directives that stand for others.
fn composed(c: u8, spec: &Spec, f: &Fields, out: &mut Vec<u8>) -> bool {
    let pattern: &[u8] = match c {
        b'c' => b"%a %b %e %H:%M:%S %Y",
        b'D' | b'x' => b"%m/%d/%y",
        b'F' => b"%Y-%m-%d",
        b'T' | b'X' => b"%H:%M:%S",
        b'R' => b"%H:%M",
        b'r' => b"%I:%M:%S %p",
        b'v' => b"%e-%^b-%4Y",
        b'+' if f.date => b"%a %b %e %H:%M:%S %Z %Y",
        _ => return false,
    };
    let inner = format(pattern, f).unwrap_or_default();
    let inner = if spec.upper { inner.to_ascii_uppercase() } else { inner };
    // The flag `-` of a Time holds for numbers only.
    padded(&inner, &Spec { no_pad: spec.no_pad && f.date, ..*spec }, out);
    true
}

/// Text padded on the left with blanks (or zeros on request).
fn padded(text: &[u8], spec: &Spec, out: &mut Vec<u8>) {
    let width = if spec.no_pad { 0 } else { spec.width.unwrap_or(0) };
    let fill = spec.pad.unwrap_or(b' ');
    out.extend(std::iter::repeat_n(fill, width.saturating_sub(text.len())));
    out.extend_from_slice(text);
}

fn text(value: &str, spec: &Spec, out: &mut Vec<u8>) {
    let value = if spec.upper {
        value.to_ascii_uppercase()
    } else if spec.swap {
        // Only AM and PM become lower case; everything else is capitals.
        if matches!(value, "AM" | "PM") { value.to_ascii_lowercase() } else { value.to_ascii_uppercase() }
    } else {
        value.to_string()
    };
    padded(value.as_bytes(), spec, out);
}

/// Quotient and remainder by 100.
fn centuries(year: &Int) -> (Int, Int) {
    match year.to_i64() {
        Some(year) => (Int::from(year.div_euclid(100)), Int::from(year.rem_euclid(100))),
        None => year.divmod(&Int::from(100i64)).unwrap_or((Int::ZERO, Int::ZERO)),
    }
}

fn number(value: i64, digits: usize, fill: u8, spec: &Spec, out: &mut Vec<u8>) {
    let (mut text, mut rest) = ([0; 20], value.unsigned_abs());
    let mut at = text.len();
    while rest > 0 || at == text.len() {
        at -= 1;
        text[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    decimal(value < 0, &text[at..], digits, fill, spec, out);
}

fn integer(value: &Int, digits: usize, fill: u8, spec: &Spec, out: &mut Vec<u8>) {
    match value.to_i64() {
        Some(value) => number(value, digits, fill, spec, out),
        None => decimal(value.is_negative(), value.abs().to_radix(10).as_bytes(), digits, fill, spec, out),
    }
}

/// A number of which sign and digits are known.
fn decimal(sign: bool, plain: &[u8], digits: usize, fill: u8, spec: &Spec, out: &mut Vec<u8>) {
    let fill = spec.pad.unwrap_or(fill);
    let width = if spec.no_pad { 0 } else { spec.width.unwrap_or(digits) };
    let missing = width.saturating_sub(plain.len() + sign as usize);
    if sign && fill == b'0' {
        out.push(b'-');
    }
    out.extend(std::iter::repeat_n(fill, missing));
    if sign && fill != b'0' {
        out.push(b'-');
    }
    out.extend_from_slice(plain);
}

/// Years have four digits at least, five with a minus.
fn year(value: &Int, spec: &Spec, out: &mut Vec<u8>) {
    integer(value, if value.is_negative() { 5 } else { 4 }, b'0', spec, out);
}

/// The first digits of the fraction of a second.
fn fraction(f: &Fields, digits: usize, out: &mut Vec<u8>) {
    let text = format!("{:09}", f.nanos);
    if digits <= 9 {
        out.extend_from_slice(&text.as_bytes()[..digits]);
        return;
    }
    out.extend_from_slice(text.as_bytes());
    let more = digits - 9;
    let Some((num, den)) = f.sub else {
        out.extend(std::iter::repeat_n(b'0', more));
        return;
    };
    let ten = Int::from(10i64);
    let mut rest = num.clone();
    for _ in 0..more {
        let digit = match rest.mul(&ten).divmod(den) {
            Some((digit, left)) => {
                rest = left;
                digit.low_u64() as u8
            }
            None => 0,
        };
        out.push(b'0' + digit);
    }
}

/// `%z` and its forms with colons; padding goes between sign and hours. The flag `-` says of a date that its hours have
/// no leading zero, and gives the UTC of a Time the minus of an offset that nobody knows (RFC 3339).
fn zone_offset(f: &Fields, spec: &Spec, out: &mut Vec<u8>) {
    let offset = f.zone.rounded_offset();
    let short = f.date && spec.no_pad;
    let unknown = !f.date && spec.unknown && *f.zone == Zone::Utc;
    let n = offset.abs();
    let (h, m, s) = (n / 3600, n / 60 % 60, n % 60);
    let colons = match spec.colons {
        3 if s == 0 && m == 0 => 4,
        3 if s == 0 => 1,
        3 => 2,
        c => c,
    };
    let tail = match colons {
        0 => format!("{m:02}"),
        1 => format!(":{m:02}"),
        2 => format!(":{m:02}:{s:02}"),
        _ => String::new(),
    };
    let sign = if offset < 0 || unknown { b'-' } else { b'+' };
    let blank = spec.pad == Some(b' ');
    let hours = if blank || short { h.to_string() } else { format!("{h:02}") };
    let least = if blank { 3 + tail.len() } else { 0 };
    let missing = spec.width.unwrap_or(0).max(least).saturating_sub(1 + hours.len() + tail.len());
    if blank {
        out.extend(std::iter::repeat_n(b' ', missing));
        out.push(sign);
    } else {
        out.push(sign);
        out.extend(std::iter::repeat_n(b'0', missing));
    }
    out.extend_from_slice(hours.as_bytes());
    out.extend_from_slice(tail.as_bytes());
}

/// "+0900" for `to_s`, with seconds for `inspect`.
pub fn offset_suffix(zone: &Zone, seconds: bool) -> String {
    match zone {
        Zone::Utc => " UTC".into(),
        zone => {
            let mut text = offset_text(zone.rounded_offset(), 0);
            text.truncate(if seconds { 7 } else { 5 });
            format!(" {text}")
        }
    }
}
