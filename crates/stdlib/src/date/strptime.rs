//! Dates: reading by a pattern (`_strptime`). The result is a Hash of the parts that were found; making a date of them
//! is the part in Ruby.

use super::zone;
use rubellite_core_numeric::integer::outside::{Effort, compute};
use rubellite_core_numeric::kernel::LONG_TEXT;
use rubellite_core_time::strftime::{DAYS, MONTHS};
use rubellite_vm::object::{Hash, Int, Rational, Str};
use rubellite_vm::{Args, Ctx, Encoding, Result, Value};

/// A value that a directive gave.
enum Part {
    Int(Int),
    /// A fraction.
    Ratio(Int, Int),
    Text(Vec<u8>),
    /// Seconds of a zone, or nil.
    Offset(Option<(i64, i64)>),
}

/// The text that is read, and what was found in it.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    parts: Vec<(&'static str, Part)>,
}

/// `date_strptime(text, pattern) -> Hash or nil`
pub fn strptime(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    let pattern = ctx.to_str(args.at(1))?;
    for (string, name) in [(text, "string"), (pattern, "format")] {
        if !string.encoding().is_ascii_compatible() {
            return Err(ctx.argument_error(&format!("{name} should have ASCII compatible encoding")));
        }
    }
    let (bytes, pattern) = (text.bytes(ctx).to_vec(), pattern.bytes(ctx).to_vec());
    // A long text may be a number of as many digits.
    let effort = Effort::of(bytes.len(), LONG_TEXT);
    match compute(ctx, effort, move || read(&bytes, &pattern))? {
        Some(parts) => into_hash(ctx, parts, text.encoding()),
        None => Ok(Value::NIL),
    }
}

/// What the text says by the pattern, and what is left of it; none where it does not fit.
fn read(text: &[u8], pattern: &[u8]) -> Option<Vec<(&'static str, Part)>> {
    let mut reader = Reader { text, at: 0, parts: Vec::new() };
    reader.read(pattern)?;
    if reader.at < text.len() {
        reader.set("leftover", Part::Text(text[reader.at..].to_vec()));
    }
    Some(reader.parts)
}

fn into_hash(ctx: &mut Ctx, parts: Vec<(&'static str, Part)>, encoding: Encoding) -> Result {
    let hash = Hash::new(ctx);
    for (name, part) in parts {
        let value = match part {
            Part::Int(n) => n.into_value(ctx),
            Part::Ratio(num, den) => Rational::reduce(ctx, &num, &den).map_or(Value::NIL, Rational::value),
            Part::Text(text) => Str::new(ctx, &text, encoding).value(),
            Part::Offset(seconds) => zone::diff_value(ctx, seconds),
        };
        let key = Value::symbol(ctx.intern(name));
        hash.insert(ctx, key, value)?;
    }
    Ok(hash.value())
}

impl Reader<'_> {
    /// Reads by a pattern; none when the text does not fit.
    fn read(&mut self, pattern: &[u8]) -> Option<()> {
        let mut i = 0;
        while i < pattern.len() {
            if pattern[i].is_ascii_whitespace() || pattern[i] == 0x0b {
                self.skip_space();
                i += 1;
                continue;
            }
            if self.at >= self.text.len() {
                return None;
            }
            if pattern[i] != b'%' || i + 1 >= pattern.len() {
                self.literal(pattern[i])?;
                i += 1;
                continue;
            }
            let letter = letter_at(pattern, i + 1)?;
            match letter {
                Some(at) => {
                    self.directive(pattern[at], &pattern[at + 1..])?;
                    i = at + 1;
                }
                // Not a directive: the sign stands for itself.
                None => {
                    self.literal(b'%')?;
                    i += 1;
                }
            }
        }
        Some(())
    }

    fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(|b| b.is_ascii_whitespace() || *b == 0x0b) {
            self.at += 1;
        }
    }

    fn literal(&mut self, byte: u8) -> Option<()> {
        (self.text.get(self.at) == Some(&byte)).then(|| self.at += 1)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn set(&mut self, name: &'static str, part: Part) {
        match self.parts.iter_mut().find(|(known, _)| *known == name) {
            Some(entry) => entry.1 = part,
            None => self.parts.push((name, part)),
        }
    }

    fn set_int(&mut self, name: &'static str, n: i64) {
        self.set(name, Part::Int(Int::from(n)));
    }

    /// At most `width` digits.
    fn digits(&mut self, width: usize) -> Option<Int> {
        let rest = &self.text[self.at..];
        let count = rest.iter().take(width).take_while(|b| b.is_ascii_digit()).count();
        if count == 0 {
            return None;
        }
        self.at += count;
        Int::from_digits(&rest[..count], 10)
    }

    /// A number of at most `width` digits within a range.
    fn ranged(&mut self, name: &'static str, width: usize, range: std::ops::RangeInclusive<i64>) -> Option<()> {
        let n = self.digits(width)?.to_i64().filter(|n| range.contains(n))?;
        self.set_int(name, n);
        Some(())
    }

    /// The same; a blank may stand for the first of the two digits.
    fn blank_ranged(&mut self, name: &'static str, range: std::ops::RangeInclusive<i64>) -> Option<()> {
        let blank = self.peek() == Some(b' ');
        self.at += blank as usize;
        self.ranged(name, if blank { 1 } else { 2 }, range)
    }

    fn sign(&mut self, plus: bool) -> bool {
        let minus = self.peek() == Some(b'-');
        if minus || plus && self.peek() == Some(b'+') {
            self.at += 1;
        }
        minus
    }

    /// As many digits as are wanted when the pattern goes on with a number, else all.
    fn wide(&mut self, width: usize, rest: &[u8]) -> Option<Int> {
        self.digits(if number_follows(rest) { width } else { usize::MAX })
    }

    /// The number of a name, in full or in its first three letters.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let rest = &self.text[self.at..];
        let starts = |name: &str| rest.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name.as_bytes()));
        let (at, len) = names.iter().enumerate().find_map(|(i, name)| {
            let len = if starts(name) { name.len() } else { 3 };
            starts(&name[..len]).then_some((i as i64, len))
        })?;
        self.at += len;
        Some(at)
    }

    fn directive(&mut self, letter: u8, rest: &[u8]) -> Option<()> {
        match letter {
            b'A' | b'a' => {
                let day = self.name(&DAYS)?;
                self.set_int("wday", day);
            }
            b'B' | b'b' | b'h' => {
                let month = self.name(&MONTHS)?;
                self.set_int("mon", month + 1);
            }
            b'C' => {
                let century = self.wide(2, rest)?;
                self.set("_cent", Part::Int(century));
            }
            b'd' | b'e' => self.blank_ranged("mday", 1..=31)?,
            b'G' => {
                let year = self.wide(4, rest)?;
                self.set("cwyear", Part::Int(year));
            }
            b'g' => self.short_year("cwyear")?,
            b'H' | b'k' => self.blank_ranged("hour", 0..=24)?,
            b'I' | b'l' => self.blank_ranged("hour", 1..=12)?,
            b'j' => self.ranged("yday", 3, 1..=366)?,
            b'L' => self.fraction(3, rest)?,
            b'N' => self.fraction(9, rest)?,
            b'M' => self.ranged("min", 2, 0..=59)?,
            b'm' => self.ranged("mon", 2, 1..=12)?,
            b'n' | b't' => self.skip_space(),
            b'P' | b'p' => self.half_of_day()?,
            b'S' => self.ranged("sec", 2, 0..=60)?,
            b'U' => self.ranged("wnum0", 2, 0..=53)?,
            b'W' => self.ranged("wnum1", 2, 0..=53)?,
            b'u' => self.ranged("cwday", 1, 1..=7)?,
            b'V' => self.ranged("cweek", 2, 1..=53)?,
            b'w' => self.ranged("wday", 1, 0..=6)?,
            b'y' => self.short_year("year")?,
            b'Y' => {
                let minus = self.sign(true);
                let year = self.wide(4, rest)?;
                self.set("year", Part::Int(if minus { year.neg() } else { year }));
            }
            b's' | b'Q' => self.epoch(letter)?,
            b'Z' | b'z' => self.zone()?,
            b'%' => self.literal(b'%')?,
            _ => return self.composed(letter),
        }
        Some(())
    }

    fn composed(&mut self, letter: u8) -> Option<()> {
        match letter {
            b'c' => self.read(b"%a %b %e %H:%M:%S %Y"),
            b'D' | b'x' => self.read(b"%m/%d/%y"),
            b'F' => self.read(b"%Y-%m-%d"),
            b'R' => self.read(b"%H:%M"),
            b'r' => self.read(b"%I:%M:%S %p"),
            b'T' | b'X' => self.read(b"%H:%M:%S"),
            b'v' => self.read(b"%e-%b-%Y"),
            b'+' => self.read(b"%a %b %e %H:%M:%S %Z %Y"),
            // Not a directive: both characters stand for themselves.
            _ => {
                self.literal(b'%')?;
                if self.at >= self.text.len() {
                    return None;
                }
                self.literal(letter)
            }
        }
    }

    /// Two digits of a year; the century follows unless one was read.
    fn short_year(&mut self, name: &'static str) -> Option<()> {
        let n = self.digits(2)?.to_i64()?;
        self.set_int(name, n);
        if !self.parts.iter().any(|(known, _)| *known == "_cent") {
            self.set_int("_cent", if n >= 69 { 19 } else { 20 });
        }
        Some(())
    }

    fn fraction(&mut self, width: usize, rest: &[u8]) -> Option<()> {
        let minus = self.sign(true);
        let before = self.at;
        let n = self.wide(width, rest)?;
        let den = Int::power_of_ten((self.at - before) as u64).ok()?;
        self.set("sec_fraction", Part::Ratio(if minus { n.neg() } else { n }, den));
        Some(())
    }

    fn epoch(&mut self, letter: u8) -> Option<()> {
        let minus = self.sign(false);
        let n = self.digits(usize::MAX)?;
        let n = if minus { n.neg() } else { n };
        self.set("seconds", if letter == b'Q' { Part::Ratio(n, Int::from(1000i64)) } else { Part::Int(n) });
        Some(())
    }

    /// "am", "pm", "a.m." or "p.m."
    fn half_of_day(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let hour = match rest.first()?.to_ascii_lowercase() {
            b'a' => 0,
            b'p' => 12,
            _ => return None,
        };
        let lower = |i: usize| rest.get(i).map(u8::to_ascii_lowercase);
        let used = match (lower(1), lower(2), lower(3)) {
            (Some(b'm'), _, _) => 2,
            (Some(b'.'), Some(b'm'), Some(b'.')) => 4,
            _ => return None,
        };
        self.at += used;
        self.set_int("_merid", hour);
        Some(())
    }

    fn zone(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let len = numeric_zone(rest).or_else(|| long_zone(rest)).or_else(|| short_zone(rest))?;
        let name = rest[..len].to_vec();
        self.at += len;
        let offset = zone::diff(&name);
        self.set("zone", Part::Text(name));
        self.set("offset", Part::Offset(offset));
        Some(())
    }
}

/// Where the letter of a directive stands, past modifiers and colons; `Some(None)` when `%` is no directive, none when
/// nothing can match.
fn letter_at(pattern: &[u8], mut i: usize) -> Option<Option<usize>> {
    loop {
        match pattern.get(i)? {
            b'E' if pattern.get(i + 1).is_some_and(|c| b"cCxXyY".contains(c)) => i += 1,
            b'O' if pattern.get(i + 1).is_some_and(|c| b"deHImMSuUVwWy".contains(c)) => i += 1,
            b'E' | b'O' => return Some(None),
            b':' => {
                let colons = pattern[i..].iter().take(3).take_while(|b| **b == b':').count();
                return if pattern.get(i + colons) == Some(&b'z') { Some(Some(i + colons)) } else { None };
            }
            _ => return Some(Some(i)),
        }
    }
}

/// Whether a pattern goes on with digits or with a directive that reads digits.
fn number_follows(rest: &[u8]) -> bool {
    match rest {
        [c, ..] if c.is_ascii_digit() => true,
        [b'%', more @ ..] => {
            let more = match more {
                [b'E' | b'O', rest @ ..] => rest,
                _ => more,
            };
            more.first().is_some_and(|c| c.is_ascii_digit() || b"CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy".contains(c))
        }
        _ => false,
    }
}

fn digit_count(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

fn is_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// "+9", "utc-09:30", "+9.5": the length, none when there is no such zone.
fn numeric_zone(text: &[u8]) -> Option<usize> {
    let starts = |word: &[u8]| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    let prefix = if starts(b"gmt") || starts(b"utc") {
        3
    } else if starts(b"ut") {
        2
    } else {
        0
    };
    let mut at = prefix;
    if !matches!(text.get(at), Some(b'+' | b'-')) {
        return None;
    }
    at += 1;
    let digits = digit_count(&text[at..]);
    if digits == 0 {
        return None;
    }
    at += digits;
    if !matches!(text.get(at), Some(b',' | b'.' | b':')) {
        return Some(at);
    }
    let minutes = digit_count(&text[at + 1..]);
    if minutes == 0 {
        return Some(at);
    }
    at += 1 + minutes;
    if text.get(at) == Some(&b':') {
        let seconds = digit_count(&text[at + 1..]);
        if seconds > 0 {
            at += 1 + seconds;
        }
    }
    Some(at)
}

/// "Eastern Daylight Time": the length.
fn long_zone(text: &[u8]) -> Option<usize> {
    let run = text.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'.' || b.is_ascii_whitespace()).count();
    (1..run).rev().find_map(|at| {
        let word = &text[at..];
        let starts = |w: &[u8]| word.get(..w.len()).is_some_and(|head| head.eq_ignore_ascii_case(w));
        if !starts(b"standard") && !starts(b"daylight") {
            return None;
        }
        let spaces = word[8..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let time = 8 + spaces;
        let fits = spaces > 0
            && word.get(time..time + 4).is_some_and(|w| w.eq_ignore_ascii_case(b"time"))
            && !is_word(word.get(time + 4));
        fits.then_some(at + time + 4)
    })
}

/// "EST", "est dst": the length.
fn short_zone(text: &[u8]) -> Option<usize> {
    let letters = text.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    if letters == 0 {
        return None;
    }
    let spaces = text[letters..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let end = letters + spaces + 3;
    let summer =
        spaces > 0 && text.get(end - 3..end).is_some_and(|w| w.eq_ignore_ascii_case(b"dst")) && !is_word(text.get(end));
    if summer {
        return Some(end);
    }
    (!is_word(text.get(letters))).then_some(letters)
}
