//! Decimal numbers as text: reading (strictly or as far as it goes) and writing.

use super::number::{Finite, Number};
use rubellite_vm::object::Int;

fn is_space(b: u8) -> bool {
    b.is_ascii_whitespace() || b == 0x0b
}

/// Reads a whole text; none when it is no number.
pub fn parse(text: &[u8]) -> Option<Number> {
    read(text, true)
}

/// Reads as much of the text as is a number, 0 at least.
pub fn parse_loosely(text: &[u8]) -> Number {
    read(text, false).unwrap_or(Number::Zero(false))
}

/// "Infinity" and "NaN", with nothing but blanks behind.
fn special(text: &[u8]) -> Option<Number> {
    let end = text.iter().rposition(|b| !is_space(*b)).map_or(0, |p| p + 1);
    match &text[..end] {
        b"Infinity" | b"+Infinity" => Some(Number::Inf(false)),
        b"-Infinity" => Some(Number::Inf(true)),
        b"NaN" => Some(Number::NaN),
        _ => None,
    }
}

/// The text, a place in it, and whether it must be a number to its end.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    strict: bool,
    /// What follows does not belong to the number.
    ended: bool,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied().filter(|_| !self.ended)
    }

    /// Digits with single underscores between them; none for a misplaced underscore in strict reading. `last`: an
    /// underscore may also end them.
    fn digits(&mut self, last: bool) -> Option<Vec<u8>> {
        let mut digits = Vec::new();
        while let Some(b) = self.peek() {
            if b == b'_' {
                let next = self.text.get(self.at + 1).copied();
                let fits = next.is_some_and(|n| n.is_ascii_digit()) || last && next.is_none_or(is_space);
                if digits.is_empty() || !fits {
                    self.ended = true;
                    return if self.strict { None } else { Some(digits) };
                }
            } else if b.is_ascii_digit() {
                digits.push(b);
            } else {
                break;
            }
            self.at += 1;
        }
        Some(digits)
    }

    fn sign(&mut self) -> bool {
        let negative = self.peek() == Some(b'-');
        if matches!(self.peek(), Some(b'-' | b'+')) {
            self.at += 1;
        }
        negative
    }
}

fn read(text: &[u8], strict: bool) -> Option<Number> {
    let start = text.iter().position(|b| !is_space(*b)).unwrap_or(text.len());
    if let Some(number) = special(&text[start..]) {
        return Some(number);
    }
    let mut reader = Reader { text, at: start, strict, ended: false };
    let negative = reader.sign();
    let mut digits = reader.digits(true)?;
    let mut scale = 0i64;
    if reader.peek() == Some(b'.') {
        reader.at += 1;
        let fraction = reader.digits(false)?;
        scale = fraction.len() as i64;
        digits.extend_from_slice(&fraction);
    }
    let mut exponent = Some(0i64);
    if matches!(reader.peek(), Some(b'e' | b'E' | b'd' | b'D')) {
        reader.at += 1;
        let minus = reader.sign();
        let power = reader.digits(false)?;
        if strict && power.is_empty() {
            return None;
        }
        let text = std::str::from_utf8(&power).unwrap_or("");
        exponent = if text.is_empty() { Some(0) } else { text.parse::<i64>().ok().map(|n| if minus { -n } else { n }) };
        if exponent.is_none() && digits.iter().any(|d| *d != b'0') {
            return Some(if minus { Number::Zero(negative) } else { Number::Inf(negative) });
        }
    }
    let tail = text[reader.at.min(text.len())..].iter().any(|b| !is_space(*b));
    if strict && (digits.is_empty() || tail || reader.ended) {
        return None;
    }
    let coefficient = if digits.is_empty() { Int::ZERO } else { Int::from_digits(&digits, 10)? };
    let coefficient = if negative { coefficient.neg() } else { coefficient };
    match exponent.unwrap_or(0).checked_sub(scale) {
        Some(exponent) => Some(Number::new(coefficient, exponent, negative)),
        None => Some(Number::Zero(negative)),
    }
}

/// How a number is written: `to_s` takes it as "+5F" and the like.
#[derive(Copy, Clone, Default)]
pub struct Format {
    /// "123.45" instead of "0.12345e3".
    pub plain: bool,
    /// What stands before a number that is not negative.
    pub plus: Option<char>,
    /// Digits between blanks, 0 for none.
    pub group: usize,
}

/// Reads the format that `to_s` takes.
pub fn read_format(text: &[u8]) -> Format {
    let mut format = Format::default();
    let mut rest = text;
    match rest.first() {
        Some(b' ') => format.plus = Some(' '),
        Some(b'+') => format.plus = Some('+'),
        _ => {}
    }
    if format.plus.is_some() {
        rest = &rest[1..];
    }
    for b in rest {
        match b {
            b if is_space(*b) => {}
            b'0'..=b'9' => format.group = format.group.saturating_mul(10).saturating_add((b - b'0') as usize),
            b => {
                format.plain = matches!(b, b'F' | b'f');
                break;
            }
        }
    }
    format
}

/// Digits in groups; `from_end`: the first group may be short, else the last.
fn grouped(digits: &str, size: usize, from_end: bool) -> String {
    if size == 0 || digits.len() <= size {
        return digits.to_string();
    }
    let head = if from_end { digits.len() % size } else { 0 };
    let mut groups: Vec<&str> = Vec::with_capacity(digits.len() / size + 2);
    if head > 0 {
        groups.push(&digits[..head]);
    }
    let mut at = head;
    while at < digits.len() {
        let end = digits.len().min(at + size);
        groups.push(&digits[at..end]);
        at = end;
    }
    groups.join(" ")
}

/// The text of a number; none when it would be too long.
pub fn write(number: &Number, format: Format) -> Option<String> {
    let sign = match format.plus {
        _ if number.is_negative() => "-".to_string(),
        Some(plus) => plus.to_string(),
        None => String::new(),
    };
    let body = match number {
        Number::NaN => return Some("NaN".into()),
        Number::Inf(_) => "Infinity".into(),
        Number::Zero(_) => "0.0".into(),
        Number::Finite(f) if format.plain => plain(f, format.group)?,
        Number::Finite(f) => format!("0.{}e{}", grouped(&f.coefficient.to_radix(10), format.group, false), f.point()),
    };
    Some(sign + &body)
}

fn plain(f: &Finite, group: usize) -> Option<String> {
    const LONGEST: i64 = 1 << 30;
    let digits = f.coefficient.to_radix(10);
    let point = f.point();
    if point.abs() > LONGEST {
        return None;
    }
    let (whole, fraction) = if point <= 0 {
        ("0".to_string(), "0".repeat(point.unsigned_abs() as usize) + &digits)
    } else if f.exponent >= 0 {
        (digits + &"0".repeat(f.exponent as usize), "0".to_string())
    } else {
        let (whole, fraction) = digits.split_at(point as usize);
        (whole.to_string(), fraction.to_string())
    };
    Some(format!("{}.{}", grouped(&whole, group, true), grouped(&fraction, group, false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let text = |s: &str| parse(s.as_bytes()).and_then(|n| write(&n, Format::default()));
        assert_eq!(text(" -1_000.50e2 "), Some("-0.10005e6".into()));
        assert_eq!(text("1__0"), None);
        assert_eq!(text("1e"), None);
        assert_eq!(text("-0"), Some("-0.0".into()));
        assert_eq!(write(&parse_loosely(b"12abc"), Format::default()), Some("0.12e2".into()));
        let plain = |s: &str, f: &str| parse(s.as_bytes()).and_then(|n| write(&n, read_format(f.as_bytes())));
        assert_eq!(plain("1234567901234567.1234567", "5F"), Some("1 23456 79012 34567.12345 67".into()));
    }
}
