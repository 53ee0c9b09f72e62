//! The text of a regular expression as Ruby reads it before any engine sees it: escapes of
//! bytes and of Unicode become characters, and they fix the encoding.

use crate::comments::Place;
use rubellite_encoding::{CharLen, Encoding, Family, is_printable};

/// The options of a literal or of `Regexp.new`.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    pub ignorecase: bool,
    pub extended: bool,
    pub multiline: bool,
    /// `Regexp::FIXEDENCODING`: the source's encoding is the pattern's (flags e, s, u).
    pub fixed_encoding: bool,
    /// `Regexp::NOENCODING`: flag n.
    pub no_encoding: bool,
}

impl Options {
    pub const IGNORECASE: u32 = 1;
    pub const EXTENDED: u32 = 2;
    pub const MULTILINE: u32 = 4;
    pub const FIXEDENCODING: u32 = 16;
    pub const NOENCODING: u32 = 32;

    pub fn from_bits(bits: u32) -> Options {
        Options {
            ignorecase: bits & Self::IGNORECASE != 0,
            extended: bits & Self::EXTENDED != 0,
            multiline: bits & Self::MULTILINE != 0,
            fixed_encoding: bits & Self::FIXEDENCODING != 0,
            no_encoding: bits & Self::NOENCODING != 0,
        }
    }

    pub fn bits(self) -> u32 {
        let flag = |on: bool, bit: u32| if on { bit } else { 0 };
        flag(self.ignorecase, Self::IGNORECASE)
            | flag(self.extended, Self::EXTENDED)
            | flag(self.multiline, Self::MULTILINE)
            | flag(self.fixed_encoding, Self::FIXEDENCODING)
            | flag(self.no_encoding, Self::NOENCODING)
    }

    /// The letters behind the closing slash, without encodings: in the order m, i, x.
    pub fn letters(self) -> String {
        let letters = [(self.multiline, 'm'), (self.ignorecase, 'i'), (self.extended, 'x')];
        letters.into_iter().filter(|l| l.0).map(|l| l.1).collect()
    }
}

/// Why a pattern does not compile: the whole message of the RegexpError.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    pub message: String,
}

impl SyntaxError {
    /// An error with the pattern shown behind it.
    pub(crate) fn about(reason: &str, source: &[u8], enc: Encoding, options: Options) -> SyntaxError {
        let shown = describe_source(source, enc);
        SyntaxError { message: format!("{reason}: /{shown}/{}", options.letters()) }
    }
}

/// The source between slashes, as `Regexp#inspect` shows it: as it stands if all of it can be shown, else with escapes
/// for what cannot and for all that is not ASCII.
pub fn describe_source(source: &[u8], enc: Encoding) -> String {
    let shown = |byte: u8| byte < 0x80 && byte != b'/' && is_printable(byte as u32, enc);
    if enc.is_utf8_family()
        && source.iter().all(|byte| *byte >= 0x80 || shown(*byte))
        && let Ok(text) = std::str::from_utf8(source)
    {
        return text.to_string();
    }
    let mut out = String::with_capacity(source.len());
    let mut pos = 0;
    while pos < source.len() {
        let rest = &source[pos..];
        match rest[0] {
            b'\\' if rest.len() > 1 => {
                let len = 1 + enc.step_len(&rest[1..]);
                out.push_str(&String::from_utf8_lossy(&rest[..len]));
                pos += len;
                continue;
            }
            b'/' => out.push_str("\\/"),
            b if shown(b) || b.is_ascii_whitespace() || b == 0x0B => out.push(b as char),
            b if b < 0x80 => out.push_str(&format!("\\x{b:02X}")),
            b => match enc.code_point(rest) {
                Ok((code, len)) if len > 1 => {
                    out.push_str(&match code {
                        _ if !enc.is_utf8_family() => format!("\\x{{{code:X}}}"),
                        0..0x10000 => format!("\\u{code:04X}"),
                        _ => format!("\\u{{{code:X}}}"),
                    });
                    pos += len;
                    continue;
                }
                _ => out.push_str(&format!("\\x{b:02X}")),
            },
        }
        pos += 1;
    }
    out
}

/// `Regexp.escape`. Works on any ASCII-compatible encoding whose characters `enc` delimits.
pub fn escape(bytes: &[u8], enc: Encoding) -> Vec<u8> {
    escape_until(bytes, enc, &|| false).unwrap_or_default()
}

/// The same, and asks now and then whether it should stop: then nothing comes back.
pub fn escape_until(bytes: &[u8], enc: Encoding, stop: &dyn Fn() -> bool) -> Option<Vec<u8>> {
    const STEPS: usize = 1 << 16;
    let mut out = Vec::with_capacity(bytes.len() + 8);
    if enc.is_ascii_compatible() && bytes.is_ascii() {
        for (index, part) in bytes.chunks(STEPS).enumerate() {
            if index > 0 && stop() {
                return None;
            }
            part.iter().for_each(|byte| escape_byte(*byte, &mut out));
        }
        return Some(out);
    }
    for (step, c) in enc.chars(bytes).enumerate() {
        if step % STEPS == STEPS - 1 && stop() {
            return None;
        }
        match c {
            [byte] => escape_byte(*byte, &mut out),
            _ if enc.min_len() > 1 => escape_wide(c, enc, &mut out),
            _ => out.extend_from_slice(c),
        }
    }
    Some(out)
}

/// A character of an encoding whose smallest unit is more than a byte.
fn escape_wide(c: &[u8], enc: Encoding, out: &mut Vec<u8>) {
    let mut escaped = Vec::with_capacity(2);
    match enc.code_point(c) {
        Ok((code, _)) if code < 0x80 => escape_byte(code as u8, &mut escaped),
        _ => return out.extend_from_slice(c),
    }
    for byte in escaped {
        // ASCII characters are in every such encoding.
        let _ = enc.encode_code_point(u32::from(byte), out);
    }
}

#[inline(always)]
fn escape_byte(byte: u8, out: &mut Vec<u8>) {
    match byte {
        b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'|' | b'-' | b'*' | b'.' | b'\\' | b'?' | b'+' | b'^' | b'$'
        | b'#' | b' ' => out.extend([b'\\', byte]),
        b'\t' => out.extend(b"\\t"),
        b'\n' => out.extend(b"\\n"),
        b'\r' => out.extend(b"\\r"),
        0x0C => out.extend(b"\\f"),
        0x0B => out.extend(b"\\v"),
        _ => out.push(byte),
    }
}

/// A source after reading: escapes of characters resolved, and the encoding they ask for.
pub(crate) struct Read {
    pub text: Vec<u8>,
    /// The encoding that characters beyond ASCII fix, if there are any.
    pub fixed: Option<Encoding>,
}

/// Reads a source. The errors are bare reasons.
pub(crate) fn read(source: &[u8], enc: Encoding, extended: bool) -> Result<Read, String> {
    if enc.is_dummy() {
        return Err("can't make regexp with dummy encoding".to_string());
    }
    let mut reader = Reader {
        place: Place::new(extended),
        source,
        pos: 0,
        enc,
        fixed: None,
        has_property: false,
        meta: false,
        control: false,
        out: Vec::new(),
    };
    reader.run()?;
    let fixed = match reader.fixed {
        None if reader.has_property => Some(enc),
        fixed => fixed,
    };
    Ok(Read { text: reader.out, fixed })
}

struct Reader<'a> {
    place: Place,
    source: &'a [u8],
    pos: usize,
    enc: Encoding,
    fixed: Option<Encoding>,
    has_property: bool,
    /// Prefixes of the escape that is being read.
    meta: bool,
    control: bool,
    out: Vec<u8>,
}

impl Reader<'_> {
    fn run(&mut self) -> Result<(), String> {
        while self.pos < self.source.len() {
            let rest = &self.source[self.pos..];
            let CharLen::Valid(len) = self.enc.char_len(rest) else {
                return Err("invalid multibyte character".into());
            };
            if let Some(comment) = self.place.comment(rest) {
                self.comment(comment)?;
            } else if len > 1 || rest[0] >= 0x80 {
                self.out.extend_from_slice(&rest[..len]);
                self.pos += len;
                self.fix(self.enc, "non ASCII character in UTF-8 regexp")?;
            } else if rest[0] == b'\\' {
                self.pos += 1;
                self.escape()?;
            } else {
                let len = self.place.pass(rest);
                self.out.extend_from_slice(&rest[..len]);
                self.pos += len;
            }
        }
        Ok(())
    }

    /// Copies a comment: escapes mean nothing in it.
    fn comment(&mut self, len: usize) -> Result<(), String> {
        let text = &self.source[self.pos..self.pos + len];
        self.out.extend_from_slice(text);
        self.pos += len;
        if text.is_ascii() { Ok(()) } else { self.fix(self.enc, "non ASCII character in UTF-8 regexp") }
    }

    fn fix(&mut self, enc: Encoding, reason: &str) -> Result<(), String> {
        match self.fixed {
            Some(fixed) if fixed != enc => Err(reason.into()),
            _ => {
                self.fixed = Some(enc);
                Ok(())
            }
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<(), String> {
        let Some(&b) = self.source.get(self.pos) else {
            return Err("too short escape sequence".into());
        };
        match b {
            b'1'..=b'7' if self.octal() <= 0o177 => self.keep(1),
            b'0'..=b'7' | b'x' | b'c' | b'C' | b'M' => {
                self.pos -= 1;
                // US-ASCII has no characters for these bytes: they stay as they are written, for the matcher.
                if self.enc == Encoding::US_ASCII {
                    let start = self.pos;
                    self.escaped_byte()?;
                    let raw = &self.source[start..self.pos];
                    self.out.extend_from_slice(raw);
                    return Ok(());
                }
                return self.escaped_character();
            }
            b'u' => {
                self.pos += 1;
                return self.unicode_escape();
            }
            b'p' | b'P' => {
                self.has_property |= self.fixed.is_none();
                self.keep(1);
            }
            _ => {
                let len = match self.enc.char_len(&self.source[self.pos..]) {
                    CharLen::Valid(len) => len,
                    _ => return Err("invalid multibyte character".into()),
                };
                if len > 1 || b >= 0x80 {
                    self.fix(self.enc, "non ASCII character in UTF-8 regexp")?;
                }
                self.keep(len);
            }
        }
        Ok(())
    }

    /// Copies a backslash and the next bytes.
    fn keep(&mut self, len: usize) {
        self.out.push(b'\\');
        self.out.extend_from_slice(&self.source[self.pos..self.pos + len]);
        self.pos += len;
    }

    /// The value of up to three octal digits at the position.
    fn octal(&self) -> u32 {
        let digits = self.source[self.pos..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7'));
        digits.fold(0, |value, &b| value * 8 + (b - b'0') as u32)
    }

    /// A byte written as an escape, the backslash included.
    fn escaped_byte(&mut self) -> Result<u8, String> {
        (self.meta, self.control) = (false, false);
        self.prefixed_byte()
    }

    /// The same behind prefixes.
    fn prefixed_byte(&mut self) -> Result<u8, String> {
        let too_short = || "too short escaped multibyte character".to_string();
        if self.source.get(self.pos) != Some(&b'\\') {
            return Err(too_short());
        }
        self.pos += 1;
        let Some(&b) = self.source.get(self.pos) else {
            return Err("too short escape sequence".into());
        };
        self.pos += 1;
        Ok(match b {
            b'\\' => b'\\',
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'f' => 0x0C,
            b'v' => 0x0B,
            b'a' => 0x07,
            b'e' => 0x1B,
            b'0'..=b'7' => {
                self.pos -= 1;
                let value = self.octal();
                let digits = self.source[self.pos..].iter().take(3);
                self.pos += digits.take_while(|b| matches!(b, b'0'..=b'7')).count();
                u8::try_from(value).map_err(|_| "invalid escape code".to_string())?
            }
            b'x' => {
                let digits = self.hex(2);
                if digits.is_empty() {
                    return Err("invalid hex escape".into());
                }
                digits.iter().fold(0, |value, &d| value << 4 | hex_value(d) as u8)
            }
            b'M' => {
                if std::mem::replace(&mut self.meta, true) {
                    return Err("duplicate meta escape".into());
                }
                self.modified(b'-', "too short meta escape")? | 0x80
            }
            b'C' | b'c' if std::mem::replace(&mut self.control, true) => {
                return Err("duplicate control escape".into());
            }
            b'C' => control(self.modified(b'-', "too short control escape")?),
            b'c' => {
                let Some(&next) = self.source.get(self.pos) else {
                    return Err("too short control escape".into());
                };
                control(self.plain_or_escaped(next)?)
            }
            _ => return Err("unexpected escape sequence".into()),
        })
    }

    /// The character behind `\M-` or `\C-`.
    fn modified(&mut self, dash: u8, reason: &str) -> Result<u8, String> {
        if self.source.get(self.pos) != Some(&dash) {
            return Err(reason.into());
        }
        self.pos += 1;
        match self.source.get(self.pos) {
            Some(&next) => self.plain_or_escaped(next),
            None => Err(reason.into()),
        }
    }

    fn plain_or_escaped(&mut self, next: u8) -> Result<u8, String> {
        if next == b'\\' {
            return self.prefixed_byte();
        }
        self.pos += 1;
        Ok(next)
    }

    /// Up to `max` hexadecimal digits.
    fn hex(&mut self, max: usize) -> &[u8] {
        let rest = &self.source[self.pos..];
        let len = rest.iter().take(max).take_while(|b| b.is_ascii_hexdigit()).count();
        self.pos += len;
        &rest[..len]
    }

    /// One character written as escaped bytes.
    fn escaped_character(&mut self) -> Result<(), String> {
        let mut bytes = vec![self.escaped_byte()?];
        while bytes.len() < self.enc.max_len() && self.enc.char_len(&bytes) == CharLen::NeedMore {
            bytes.push(self.escaped_byte()?);
        }
        match self.enc.char_len(&bytes) {
            CharLen::Invalid(_) => Err("invalid multibyte escape".into()),
            _ if bytes.len() > 1 || bytes[0] >= 0x80 => {
                self.out.extend_from_slice(&bytes);
                self.fix(self.enc, "escaped non ASCII character in UTF-8 regexp")
            }
            _ => {
                self.out.extend_from_slice(format!("\\x{:02X}", bytes[0]).as_bytes());
                Ok(())
            }
        }
    }

    /// `\uXXXX` and `\u{X X ...}`, behind the u.
    fn unicode_escape(&mut self) -> Result<(), String> {
        if self.pos == self.source.len() {
            return Err("too short escape sequence".into());
        }
        if self.source[self.pos] != b'{' {
            let digits = self.hex(4);
            if digits.len() != 4 {
                return Err("invalid Unicode escape".into());
            }
            let code = hex_number(digits);
            return self.unicode(code);
        }
        self.pos += 1;
        let mut any = false;
        loop {
            while self.source.get(self.pos).is_some_and(|b| b.is_ascii_whitespace()) {
                self.pos += 1;
            }
            let digits = self.hex(7);
            if digits.is_empty() {
                break;
            }
            let (long, code) = (digits.len() > 6, hex_number(digits));
            if long {
                return Err("invalid Unicode range".into());
            }
            self.unicode(code)?;
            any = true;
        }
        if !any || self.source.get(self.pos) != Some(&b'}') {
            return Err("invalid Unicode list".into());
        }
        self.pos += 1;
        Ok(())
    }

    fn unicode(&mut self, code: u32) -> Result<(), String> {
        let Some(c) = char::from_u32(code) else {
            return Err("invalid Unicode range".into());
        };
        if code < 0x80 {
            self.out.extend_from_slice(format!("\\x{code:02X}").as_bytes());
            return Ok(());
        }
        self.out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        self.fix(Encoding::UTF_8, "UTF-8 character in non UTF-8 regexp")
    }
}

fn control(b: u8) -> u8 {
    if b == b'?' { 0x7F } else { b & 0x9F }
}

fn hex_value(digit: u8) -> u32 {
    (digit as char).to_digit(16).unwrap_or(0)
}

fn hex_number(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |value, &d| value << 4 | hex_value(d))
}

/// The encoding a pattern has and whether it is fixed, from what its characters ask for.
pub(crate) fn pattern_encoding(read: &Read, enc: Encoding, options: &mut Options) -> Result<Encoding, &'static str> {
    match read.fixed {
        Some(fixed) => {
            let clash = (options.fixed_encoding && fixed != enc) || (options.no_encoding && fixed != Encoding::BINARY);
            if clash {
                return Err("incompatible character encoding");
            }
            options.fixed_encoding |= fixed != Encoding::BINARY || enc == Encoding::BINARY;
            Ok(if fixed == Encoding::BINARY { enc } else { fixed })
        }
        None if options.fixed_encoding => Ok(enc),
        None if !enc.is_ascii_compatible() => {
            options.fixed_encoding = true;
            Ok(enc)
        }
        None => Ok(Encoding::US_ASCII),
    }
}

/// Whether the engine's tables for an encoding treat non-ASCII bytes one by one.
pub(crate) fn is_bytewise(enc: Encoding) -> bool {
    matches!(enc.family(), Family::SingleByte | Family::UsAscii)
}
