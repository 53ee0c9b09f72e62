//! String: `inspect`, `dump` and `undump`.

use crate::shown::control_letter;
use rubellite_core_thread::outside::{self, Stop};
use rubellite_encoding::{Encoding, is_printable};
use rubellite_vm::object::{Grow, Str, copied, room};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};
use std::fmt::Write;

pub static STRING_INSPECT: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("inspect", Arity::NONE, inspect),
        method("dump", Arity::NONE, dump),
        method("undump", Arity::NONE, undump),
    ],
    ..ClassDef::EMPTY
};

fn escape_byte(b: u8, out: &mut Vec<u8>) {
    out.extend(format!("\\x{b:02X}").bytes());
}

/// What becomes of a character is no longer, nor the quote at the end.
const ESCAPED_MAX: usize = 24;

/// The text with quotes that `inspect` shows, in the encoding `result`.
pub fn inspect_bytes(bytes: &[u8], encoding: Encoding, result: Encoding) -> Vec<u8> {
    inspect_until(bytes, encoding, result, &Stop::NEVER).unwrap_or_default()
}

/// The same; nothing when it was stopped.
fn inspect_until(bytes: &[u8], encoding: Encoding, result: Encoding, stop: &Stop) -> Option<Vec<u8>> {
    let mut out: Vec<u8> = room(bytes.len() + 2);
    out.push(b'"');
    let unicode = encoding.is_unicode() && !encoding.is_dummy();
    let reads_ascii = encoding.is_ascii_compatible() || unicode;
    let (mut pos, mut step) = (0, 0);
    while pos < bytes.len() {
        if stop.requested_at(step) {
            return None;
        }
        step += 1;
        if encoding.is_ascii_compatible() {
            let plain = bytes[pos..]
                .iter()
                .take_while(|b| matches!(b, 0x20..0x7F) && !matches!(b, b'"' | b'\\' | b'#'))
                .count();
            out.put(&bytes[pos..pos + plain]);
            pos += plain;
            if pos == bytes.len() {
                break;
            }
        }
        out.make_room(ESCAPED_MAX);
        // What a dummy encoding's bytes mean is not known.
        let found = if encoding.is_dummy() { Ok((bytes[pos] as u32, 1)) } else { encoding.code_point(&bytes[pos..]) };
        let Ok((code, len)) = found else {
            let len = encoding.min_len().min(bytes.len() - pos);
            bytes[pos..pos + len].iter().for_each(|b| escape_byte(*b, &mut out));
            pos += len;
            continue;
        };
        let here = &bytes[pos..pos + len];
        pos += len;
        let special = match u8::try_from(code) {
            Ok(b'#') if reads_ascii => matches!(encoding.code_point(&bytes[pos..]), Ok((0x24 | 0x40 | 0x7B, _))),
            Ok(b) => reads_ascii && matches!(b, b'"' | b'\\'),
            Err(_) => false,
        };
        if special {
            out.extend([b'\\', code as u8]);
        } else if let Some(letter) = control_letter(code) {
            out.extend([b'\\', letter]);
        } else if reads_ascii && (0x20..0x7F).contains(&code) {
            out.push(code as u8);
        } else if encoding == result && is_printable(code, encoding) {
            out.extend_from_slice(here);
        } else {
            out.extend(escaped_code(code, unicode).bytes());
        }
    }
    out.push(b'"');
    Some(out)
}

fn escaped_code(code: u32, unicode: bool) -> String {
    match (unicode, code) {
        (true, 0x10000..) => format!("\\u{{{code:X}}}"),
        (true, _) => format!("\\u{code:04X}"),
        (false, 0x100..) => format!("\\x{{{code:X}}}"),
        (false, _) => format!("\\x{code:02X}"),
    }
}

/// `inspect` of any string as a new String.
pub fn inspect_string(ctx: &mut Ctx, s: Str) -> Value {
    let result = crate::inspect_encoding(ctx);
    let out = inspect_bytes(s.bytes(ctx), s.encoding(), result);
    Str::from_vec(ctx, out, result).value()
}

static SITE: RegionSite = RegionSite::new("String#inspect");

fn inspect(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    let (encoding, result) = (s.encoding(), crate::inspect_encoding(ctx));
    let out = outside::on_bytes(ctx, s, &SITE, |bytes, stop| inspect_until(bytes, encoding, result, stop))?;
    Ok(Str::from_vec(ctx, out, result).value())
}

fn dump(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    let encoding = s.encoding();
    let out = outside::on_bytes(ctx, s, &SITE, |bytes, stop| dump_until(bytes, encoding, stop))?;
    let encoding = if encoding.is_ascii_compatible() { encoding } else { Encoding::BINARY };
    Ok(Str::from_vec(ctx, out, encoding).value())
}

/// The dumped text; nothing when it was stopped.
fn dump_until(bytes: &[u8], encoding: Encoding, stop: &Stop) -> Option<Vec<u8>> {
    let utf8 = encoding.is_utf8_family();
    let mut out = vec![b'"'];
    let (mut pos, mut step) = (0, 0);
    while pos < bytes.len() {
        if stop.requested_at(step) {
            return None;
        }
        step += 1;
        let b = bytes[pos];
        pos += 1;
        out.make_room(ESCAPED_MAX);
        match b {
            b'"' | b'\\' => out.extend([b'\\', b]),
            b'#' => {
                if matches!(bytes.get(pos), Some(b'$' | b'@' | b'{')) {
                    out.push(b'\\');
                }
                out.push(b);
            }
            _ if control_letter(b as u32).is_some() => out.extend([b'\\', control_letter(b as u32).unwrap_or(b'n')]),
            0x20..0x7F => out.push(b),
            _ => match encoding.code_point(&bytes[pos - 1..]) {
                Ok((code, len)) if utf8 && len > 1 => {
                    pos += len - 1;
                    let text = if code > 0xFFFF { format!("\\u{{{code:X}}}") } else { format!("\\u{code:04X}") };
                    out.extend(text.bytes());
                }
                _ => escape_byte(b, &mut out),
            },
        }
    }
    out.push(b'"');
    if !encoding.is_ascii_compatible() {
        let mut tail = String::new();
        // Writing to a String does not fail.
        _ = write!(tail, ".dup.force_encoding(\"{}\")", encoding.name());
        out.extend(tail.bytes());
    }
    Some(out)
}

// -- undump -------------------------------------------------------------------------------

/// The state of reading a dumped string.
struct Undump<'a> {
    bytes: &'a [u8],
    pos: usize,
    out: Vec<u8>,
    encoding: Encoding,
    /// `\u` was seen: the result is UTF-8.
    unicode: bool,
    /// `\x` was seen.
    binary: bool,
}

const INVALID: &str = "invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form";

impl Undump<'_> {
    fn hex(&mut self, max: usize) -> Option<u32> {
        let mut value = 0;
        let mut used = 0;
        while used < max {
            let Some(digit) = self.bytes.get(self.pos).and_then(|b| (*b as char).to_digit(16)) else { break };
            value = value << 4 | digit;
            self.pos += 1;
            used += 1;
        }
        (used > 0).then_some(value)
    }

    fn escape(&mut self) -> std::result::Result<(), &'static str> {
        let Some(&b) = self.bytes.get(self.pos) else { return Err("invalid escape") };
        self.pos += 1;
        match b {
            b'\\' | b'"' | b'#' => self.out.push(b),
            b'n' => self.out.push(b'\n'),
            b'r' => self.out.push(b'\r'),
            b't' => self.out.push(b'\t'),
            b'f' => self.out.push(0x0C),
            b'v' => self.out.push(0x0B),
            b'b' => self.out.push(0x08),
            b'a' => self.out.push(0x07),
            b'e' => self.out.push(0x1B),
            b'u' => return self.unicode_escape(),
            b'x' => {
                let start = self.pos;
                let byte = self.hex(2).ok_or("invalid hex escape")?;
                if self.pos - start != 2 {
                    return Err("invalid hex escape");
                }
                // An ASCII character says nothing about the encoding.
                if byte >= 0x80 {
                    if self.unicode {
                        return Err("hex escape and Unicode escape are mixed");
                    }
                    self.binary = true;
                }
                self.out.push(byte as u8);
            }
            _ => self.out.extend([b'\\', b]),
        }
        Ok(())
    }

    fn unicode_escape(&mut self) -> std::result::Result<(), &'static str> {
        if self.binary {
            return Err("hex escape and Unicode escape are mixed");
        }
        self.unicode = true;
        if self.bytes.get(self.pos) != Some(&b'{') {
            let start = self.pos;
            let code = self.hex(4).ok_or("invalid Unicode escape")?;
            if self.pos - start != 4 {
                return Err("invalid Unicode escape");
            }
            return self.push_code(code);
        }
        self.pos += 1;
        loop {
            while self.bytes.get(self.pos).is_some_and(u8::is_ascii_whitespace) {
                self.pos += 1;
            }
            match self.bytes.get(self.pos) {
                None => return Err("unterminated Unicode escape"),
                Some(b'}') => {
                    self.pos += 1;
                    return Ok(());
                }
                Some(_) => {
                    let code = self.hex(8).ok_or("invalid Unicode escape")?;
                    self.push_code(code)?;
                }
            }
        }
    }

    fn push_code(&mut self, code: u32) -> std::result::Result<(), &'static str> {
        if code > 0x10FFFF {
            return Err("invalid Unicode codepoint (too large)");
        }
        if (0xD800..0xE000).contains(&code) {
            return Err("invalid Unicode codepoint");
        }
        let target = if self.encoding.is_unicode() { self.encoding } else { Encoding::UTF_8 };
        self.encoding = target;
        target.encode_code_point(code, &mut self.out).map(drop).map_err(|_| "invalid Unicode codepoint")
    }

    /// Reads from behind the opening quote to the end.
    fn run(&mut self) -> std::result::Result<(), String> {
        loop {
            let Some(&b) = self.bytes.get(self.pos) else { return Err("unterminated dumped string".into()) };
            self.pos += 1;
            match b {
                b'"' => break,
                b'\\' => self.escape().map_err(str::to_string)?,
                _ => self.out.push(b),
            }
        }
        self.tail()
    }

    /// `.dup.force_encoding("NAME")` behind the closing quote, in the old form without dup too.
    fn tail(&mut self) -> std::result::Result<(), String> {
        let rest = &self.bytes[self.pos..];
        if rest.is_empty() {
            return Ok(());
        }
        let rest = rest.strip_prefix(b".dup").unwrap_or(rest);
        let Some(rest) = rest.strip_prefix(b".force_encoding(\"") else { return Err(INVALID.into()) };
        if self.unicode {
            return Err("dumped string contained Unicode escape but used force_encoding".into());
        }
        let Some(end) = rest.iter().position(|b| *b == b'"') else {
            return Err("unterminated dumped string".into());
        };
        if &rest[end..] != b"\")" {
            return Err(INVALID.into());
        }
        match Encoding::find(&rest[..end]) {
            Some(encoding) => self.encoding = encoding,
            None => return Err("dumped string has unknown encoding name".into()),
        }
        Ok(())
    }
}

fn undump(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    ctx.check_ascii_compatible(s)?;
    if !s.is_ascii_only(ctx) {
        return Err(ctx.runtime_error("non-ASCII character detected"));
    }
    let bytes = copied(s.bytes(ctx));
    if bytes.contains(&0) {
        return Err(ctx.runtime_error("string contains null byte"));
    }
    if bytes.first() != Some(&b'"') {
        return Err(ctx.runtime_error(INVALID));
    }
    let mut state =
        Undump { bytes: &bytes, pos: 1, out: room(bytes.len()), encoding: s.encoding(), unicode: false, binary: false };
    match state.run() {
        Ok(()) => {
            let (out, encoding) = (state.out, state.encoding);
            Ok(Str::from_vec(ctx, out, encoding).value())
        }
        Err(message) => Err(ctx.runtime_error(&message)),
    }
}
