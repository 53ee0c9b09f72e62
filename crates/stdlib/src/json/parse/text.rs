//! JSON: strings and numbers.

use super::Options;
use rubellite_core_numeric::kernel::integer_of_text;
use rubellite_vm::object::{Int, Str};
use rubellite_vm::{Ctx, Encoding, Result};

/// Why a text is not JSON: where, and the sentence. With `found`, what stands there is appended.
pub struct Mistake {
    pub at: usize,
    pub text: &'static str,
    pub found: bool,
}

impl Mistake {
    pub fn new(at: usize, text: &'static str) -> Mistake {
        Mistake { at, text, found: true }
    }

    pub fn plain(at: usize, text: &'static str) -> Mistake {
        Mistake { at, text, found: false }
    }
}

type Read<T> = std::result::Result<T, Mistake>;

/// A string of the document.
pub enum Text<'a> {
    /// As it stands there.
    Plain(&'a [u8]),
    /// Escapes have been replaced.
    Unescaped(Vec<u8>),
}

impl Text<'_> {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Text::Plain(bytes) => bytes,
            Text::Unescaped(bytes) => bytes,
        }
    }
}

const CHUNK: usize = 16;

#[inline(always)]
fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The next byte from `at` on that ends a run of plain text; the end when there is none.
#[inline]
fn next_special(bytes: &[u8], mut at: usize) -> usize {
    // Chunks without a branch per byte, which the compiler turns into vector instructions.
    while let Some(chunk) = bytes.get(at..at + CHUNK) {
        let any = chunk.iter().fold(false, |any, byte| any | is_special(*byte));
        if any {
            break;
        }
        at += CHUNK;
    }
    while at < bytes.len() && !is_special(bytes[at]) {
        at += 1;
    }
    at
}

const UNTERMINATED: &str = "unexpected end of input, expected closing \"";

/// Reads the string whose opening quote stands before `start`; gives it and the position behind its closing quote.
#[inline]
pub fn string<'a>(bytes: &'a [u8], start: usize, options: &Options) -> Read<(Text<'a>, usize)> {
    let at = next_special(bytes, start);
    match bytes.get(at) {
        Some(b'"') => Ok((Text::Plain(&bytes[start..at]), at + 1)),
        Some(_) => escaped(bytes, start, at, options),
        None => Err(Mistake::plain(bytes.len(), UNTERMINATED)),
    }
}

/// A string with escapes, whose first special byte is at `at`.
fn escaped<'a>(bytes: &'a [u8], start: usize, mut at: usize, options: &Options) -> Read<(Text<'a>, usize)> {
    let mut out = Vec::with_capacity(at - start + 32);
    let mut run = start;
    loop {
        match bytes.get(at) {
            None => return Err(Mistake::plain(bytes.len(), UNTERMINATED)),
            Some(b'"') => {
                out.extend_from_slice(&bytes[run..at]);
                return Ok((Text::Unescaped(out), at + 1));
            }
            Some(b'\\') => {
                out.extend_from_slice(&bytes[run..at]);
                at = escape(bytes, run, at, &mut out, options)?;
                run = at;
            }
            Some(_) if options.allow_control_characters => at += 1,
            Some(_) => return Err(Mistake::new(at, "invalid ASCII control character in string: ")),
        }
        at = next_special(bytes, at);
    }
}

/// Reads the escape whose backslash is at `at`; gives the position behind it. `run` is where the text before it begins.
fn escape(bytes: &[u8], run: usize, at: usize, out: &mut Vec<u8>, options: &Options) -> Read<usize> {
    let Some(&kind) = bytes.get(at + 1) else { return Err(Mistake::plain(bytes.len(), UNTERMINATED)) };
    let byte = match kind {
        b'"' | b'/' | b'\\' => kind,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'f' => 12,
        b'u' => return unicode_escape(bytes, run, at, out),
        _ if kind < 0x20 && !options.allow_control_characters => {
            let text = if kind == b'\n' {
                "Invalid unescaped newline character (\\n) in string: "
            } else {
                "invalid ASCII control character in string: "
            };
            return Err(Mistake::new(at, text));
        }
        _ if options.allow_invalid_escape => kind,
        _ => return Err(Mistake::new(at, "invalid escape character in string: ")),
    };
    out.push(byte);
    Ok(at + 2)
}

/// Four hexadecimal digits; none when they are not.
fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0, |n, b| Some(n << 4 | (*b as char).to_digit(16)?))
}

fn unicode_escape(bytes: &[u8], run: usize, at: usize, out: &mut Vec<u8>) -> Read<usize> {
    let incomplete = Mistake::new(at, "incomplete unicode character escape sequence at ");
    let Some(mut code) = hex4(bytes, at + 2) else { return Err(incomplete) };
    let mut next = at + 6;
    if code & 0xFC00 == 0xD800 {
        if !bytes[next..].starts_with(b"\\u") || bytes.len() < next + 6 {
            return Err(Mistake::new(run, "incomplete surrogate pair at "));
        }
        let Some(low) = hex4(bytes, next + 2) else { return Err(Mistake::new(next, incomplete.text)) };
        if low & 0xFC00 != 0xDC00 {
            return Err(Mistake::new(run, "invalid surrogate pair at "));
        }
        code = 0x10000 + ((code & 0x3FF) << 10 | low & 0x3FF);
        next += 6;
    }
    match char::from_u32(code) {
        Some(char) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        // A low surrogate alone: three bytes that are not valid text.
        None => out.extend_from_slice(&[
            0xE0 | (code >> 12) as u8,
            0x80 | (code >> 6 & 0x3F) as u8,
            0x80 | (code & 0x3F) as u8,
        ]),
    }
    Ok(next)
}

/// Digits that a 64-bit integer holds for certain.
const FAST_DIGITS: usize = 18;

/// A number of the document.
pub struct Number {
    /// Behind its last character.
    pub end: usize,
    pub float: bool,
    /// The digits as an integer, when they are few enough.
    small: Option<i64>,
}

fn digits(bytes: &[u8], mut at: usize, value: &mut i64) -> usize {
    while let Some(digit) = bytes.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        *value = value.wrapping_mul(10).wrapping_add(digit as i64);
        at += 1;
    }
    at
}

/// Finds the end of the number at `start`; none when it is malformed.
#[inline]
pub fn number(bytes: &[u8], start: usize) -> Option<Number> {
    let negative = bytes[start] == b'-';
    let first = start + usize::from(negative);
    let mut value = 0;
    let mut at = digits(bytes, first, &mut value);
    let count = at - first;
    if count == 0 || count > 1 && bytes[first] == b'0' {
        return None;
    }
    let mut float = false;
    if bytes.get(at) == Some(&b'.') {
        let end = digits(bytes, at + 1, &mut 0);
        if end == at + 1 {
            return None;
        }
        (at, float) = (end, true);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let from = at + 1 + sign;
        let end = digits(bytes, from, &mut 0);
        if end == from {
            return None;
        }
        (at, float) = (end, true);
    }
    let small = (!float && count <= FAST_DIGITS).then(|| if negative { -value } else { value });
    Some(Number { end: at, float, small })
}

impl Number {
    /// The Integer, Float or whatever `decimal_class` makes of it.
    pub fn value(&self, ctx: &mut Ctx, text: &[u8], options: &Options) -> Result {
        if let Some(small) = self.small {
            return Ok(ctx.int(small));
        }
        if !self.float {
            return Ok(integer_of_text(ctx, text.to_vec(), 10, true)?.unwrap_or(Int::ZERO).into_value(ctx));
        }
        if let Some((receiver, name)) = options.decimal {
            let text = Str::new(ctx, text, Encoding::US_ASCII).value();
            return ctx.call(receiver, name, &[text]);
        }
        let float = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok()).unwrap_or(f64::NAN);
        Ok(ctx.float(float))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_special_bytes() {
        let mut bytes = vec![b'x'; 100];
        assert_eq!(next_special(&bytes, 0), 100);
        for at in [0, 15, 16, 17, 63, 99] {
            bytes[at] = b'"';
            assert_eq!(next_special(&bytes, 0), at);
            bytes[at] = 0xFF;
        }
    }

    #[test]
    fn rejects_malformed_numbers() {
        for text in ["-", "01", "-01", "1.", "1.e3", "1e", "1e+", "-.5"] {
            assert!(number(text.as_bytes(), 0).is_none(), "{text}");
        }
        assert_eq!(number(b"-120,", 0).map(|n| n.end), Some(4));
        assert_eq!(number(b"1.5E-3]", 0).map(|n| n.end), Some(6));
    }
}
