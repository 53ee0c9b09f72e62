//! `Kernel#format`, `String#%`: the engine. This file reads the format string and finds the arguments; numbers are
//! `integer.rs` and `float.rs`.
//!
//! A specification is read from left to right; flags, width, precision and the argument's number or name may
//! come in many orders, and each misuse has its own message.

mod float;
mod integer;
mod tie;

use rubellite_encoding::{Side, compatible};
use rubellite_vm::object::{Array, Exception, Grow, Hash, Str};
use rubellite_vm::{Ctx, Encoding, Result, Unwind, Value};

/// Formats `args` by `fmt`.
pub fn format(ctx: &mut Ctx, fmt: Str, args: Array) -> Result<Str> {
    ctx.check_ascii_compatible(fmt)?;
    let source = fmt.bytes(ctx).to_vec();
    let formatter = Formatter {
        source: &source,
        at: 0,
        out: Vec::with_capacity(source.len() + 32),
        encoding: fmt.encoding(),
        args,
        next: 0,
        style: Style::Unknown,
        hash: None,
    };
    formatter.run(ctx)
}

/// The largest width and precision.
const SIZE_MAX: i64 = i32::MAX as i64;

/// How arguments have been chosen so far; the ways do not mix.
#[derive(Copy, Clone, PartialEq)]
enum Style {
    Unknown,
    /// In order; the number of the last one.
    Unnumbered(usize),
    Numbered,
    Named,
}

/// Flags, width and precision of one specification.
#[derive(Default)]
pub(super) struct Spec {
    pub space: bool,
    pub sharp: bool,
    pub plus: bool,
    pub minus: bool,
    pub zero: bool,
    pub width: Option<usize>,
    pub precision: Option<usize>,
    has_precision: bool,
}

impl Spec {
    fn is_plain(&self) -> bool {
        !(self.space
            || self.sharp
            || self.plus
            || self.minus
            || self.zero
            || self.width.is_some()
            || self.has_precision)
    }
}

struct Formatter<'a> {
    source: &'a [u8],
    at: usize,
    out: Vec<u8>,
    encoding: Encoding,
    args: Array,
    /// How many arguments were taken in order.
    next: usize,
    style: Style,
    hash: Option<Hash>,
}

impl Formatter<'_> {
    fn run(mut self, ctx: &mut Ctx) -> Result<Str> {
        while self.at < self.source.len() {
            let rest = &self.source[self.at..];
            let plain = rest.iter().position(|b| *b == b'%').unwrap_or(rest.len());
            self.out.extend_from_slice(&rest[..plain]);
            self.at += plain;
            if self.at == self.source.len() {
                break;
            }
            self.at += 1;
            if self.at == self.source.len() {
                return Err(ctx.argument_error("incomplete format specifier; use %% (double %) instead"));
            }
            self.specification(ctx)?;
        }
        self.check_leftovers(ctx)?;
        Ok(Str::from_vec(ctx, self.out, self.encoding))
    }

    /// "too many arguments": an error with $DEBUG, a warning with $VERBOSE.
    fn check_leftovers(&self, ctx: &mut Ctx) -> Result<()> {
        let hash_only = self.args.len() == 1 && self.args.get(0).is_some_and(|v| v.has_tag(rubellite_vm::Tag::Hash));
        if !matches!(self.style, Style::Unknown | Style::Unnumbered(_)) || self.next >= self.args.len() || hash_only {
            return Ok(());
        }
        const MESSAGE: &str = "too many arguments for format string";
        if ctx.vm().debug.get().truthy() {
            return Err(ctx.argument_error(MESSAGE));
        }
        ctx.warn_verbose(MESSAGE)
    }

    /// One specification, behind its `%`.
    fn specification(&mut self, ctx: &mut Ctx) -> Result<()> {
        let mut spec = Spec::default();
        let mut value: Option<Value> = None;
        let mut name: Option<Vec<u8>> = None;
        loop {
            let byte = self.source.get(self.at).copied().unwrap_or(0);
            match byte {
                b' ' | b'#' | b'+' | b'-' | b'0' => self.flag(ctx, &mut spec, byte)?,
                b'1'..=b'9' => self.width_or_number(ctx, &mut spec, &mut value)?,
                b'<' | b'{' => {
                    value = Some(self.named(ctx, byte, &mut name)?);
                    if byte == b'{' {
                        return self.string(ctx, &spec, value, false);
                    }
                }
                b'*' => self.star_width(ctx, &mut spec)?,
                b'.' => self.precision(ctx, &mut spec)?,
                _ => {
                    self.at += 1;
                    return self.convert(ctx, spec, value, byte);
                }
            }
        }
    }

    fn convert(&mut self, ctx: &mut Ctx, spec: Spec, value: Option<Value>, letter: u8) -> Result<()> {
        match letter {
            b'%' if spec.is_plain() => {
                self.out.push(b'%');
                Ok(())
            }
            b'%' => Err(ctx.argument_error("invalid format character - %")),
            b'c' => self.character(ctx, spec, value),
            b's' => self.string(ctx, &spec, value, false),
            b'p' => self.string(ctx, &spec, value, true),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
                let value = self.argument(ctx, value)?;
                integer::convert(ctx, &mut self.out, spec, value, letter)
            }
            b'f' | b'g' | b'G' | b'e' | b'E' | b'a' | b'A' => {
                let value = self.argument(ctx, value)?;
                float::convert(ctx, &mut self.out, &spec, value, letter)
            }
            _ => Err(self.malformed(ctx, letter)),
        }
    }

    #[cold]
    fn malformed(&self, ctx: &mut Ctx, letter: u8) -> Unwind {
        if letter.is_ascii_graphic() && self.at <= self.source.len() {
            return ctx.argument_error(&format!("malformed format string - %{}", letter as char));
        }
        ctx.argument_error("malformed format string")
    }

    // -- flags, width, precision ----------------------------------------------------------

    fn flag(&mut self, ctx: &mut Ctx, spec: &mut Spec, byte: u8) -> Result<()> {
        if spec.width.is_some() {
            return Err(ctx.argument_error("flag after width"));
        }
        if spec.has_precision {
            return Err(ctx.argument_error("flag after precision"));
        }
        match byte {
            b' ' => spec.space = true,
            b'#' => spec.sharp = true,
            b'+' => spec.plus = true,
            b'-' => spec.minus = true,
            _ => spec.zero = true,
        }
        self.at += 1;
        Ok(())
    }

    /// Digits as a number; `what` is too big when they do not fit into 31 bits.
    fn number(&mut self, ctx: &mut Ctx, what: &str) -> Result<usize> {
        let mut n: i64 = 0;
        while let Some(digit) = self.source.get(self.at).filter(|b| b.is_ascii_digit()) {
            n = n * 10 + (digit - b'0') as i64;
            if n > SIZE_MAX {
                return Err(ctx.argument_error(&format!("{what} too big")));
            }
            self.at += 1;
        }
        if self.at >= self.source.len() {
            return Err(ctx.argument_error("malformed format string - %*[0-9]"));
        }
        Ok(n as usize)
    }

    fn check_width(&self, ctx: &mut Ctx, spec: &Spec) -> Result<()> {
        if spec.width.is_some() {
            return Err(ctx.argument_error("width given twice"));
        }
        if spec.has_precision {
            return Err(ctx.argument_error("width after precision"));
        }
        Ok(())
    }

    fn width_or_number(&mut self, ctx: &mut Ctx, spec: &mut Spec, value: &mut Option<Value>) -> Result<()> {
        let n = self.number(ctx, "width")?;
        if self.source[self.at] == b'$' {
            if value.is_some() {
                return Err(ctx.argument_error(&format!("value given twice - {n}$")));
            }
            *value = Some(self.numbered(ctx, n)?);
            self.at += 1;
            return Ok(());
        }
        self.check_width(ctx, spec)?;
        spec.width = Some(n);
        Ok(())
    }

    /// The argument that a `*` stands for, as a number.
    fn star(&mut self, ctx: &mut Ctx, what: &str) -> Result<i64> {
        self.at += 1;
        let start = self.at;
        let n = self.number(ctx, what)?;
        let value = if self.source[self.at] == b'$' {
            self.at += 1;
            self.numbered(ctx, n)?
        } else {
            self.at = start;
            self.argument(ctx, None)?
        };
        int_argument(ctx, value)
    }

    fn star_width(&mut self, ctx: &mut Ctx, spec: &mut Spec) -> Result<()> {
        self.check_width(ctx, spec)?;
        let width = self.star(ctx, "width")?;
        if width.unsigned_abs() > SIZE_MAX as u64 {
            return Err(ctx.argument_error("width too big"));
        }
        spec.minus |= width < 0;
        spec.width = Some(width.unsigned_abs() as usize);
        Ok(())
    }

    fn precision(&mut self, ctx: &mut Ctx, spec: &mut Spec) -> Result<()> {
        if spec.has_precision {
            return Err(ctx.argument_error("precision given twice"));
        }
        spec.has_precision = true;
        self.at += 1;
        if self.source.get(self.at) == Some(&b'*') {
            let precision = self.star(ctx, "prec")?;
            // A negative one counts as none.
            spec.precision = usize::try_from(precision).ok();
        } else {
            spec.precision = Some(self.number(ctx, "precision")?);
        }
        Ok(())
    }

    // -- arguments ------------------------------------------------------------------------

    /// The argument that was chosen already, or the next one.
    fn argument(&mut self, ctx: &mut Ctx, chosen: Option<Value>) -> Result {
        if let Some(value) = chosen {
            return Ok(value);
        }
        match self.style {
            Style::Numbered => {
                return Err(ctx.argument_error(&format!("unnumbered({}) mixed with numbered", self.next + 1)));
            }
            Style::Named => return Err(ctx.argument_error(&format!("unnumbered({}) mixed with named", self.next + 1))),
            _ => {}
        }
        self.next += 1;
        self.style = Style::Unnumbered(self.next);
        let n = self.next;
        self.at_index(ctx, n)
    }

    /// Argument `n`, counted from 1.
    fn at_index(&self, ctx: &mut Ctx, n: usize) -> Result {
        match self.args.get(n - 1) {
            Some(value) => Ok(value),
            None => Err(ctx.argument_error("too few arguments")),
        }
    }

    fn numbered(&mut self, ctx: &mut Ctx, n: usize) -> Result {
        match self.style {
            Style::Unnumbered(last) => {
                return Err(ctx.argument_error(&format!("numbered({n}) after unnumbered({last})")));
            }
            Style::Named => return Err(ctx.argument_error(&format!("numbered({n}) after named"))),
            _ if n < 1 => return Err(ctx.argument_error(&format!("invalid index - {n}$"))),
            _ => {}
        }
        self.style = Style::Numbered;
        self.at_index(ctx, n)
    }

    /// The value of `<name>` or `{name}`, whose bracket is at the cursor.
    fn named(&mut self, ctx: &mut Ctx, open: u8, earlier: &mut Option<Vec<u8>>) -> Result {
        let close = if open == b'<' { b'>' } else { b'}' };
        let start = self.at;
        let Some(length) = self.source[start..].iter().position(|b| *b == close) else {
            return Err(ctx.argument_error("malformed name - unmatched parenthesis"));
        };
        self.at = start + length + 1;
        let bracketed = &self.source[start..self.at];
        let name = &self.source[start + 1..start + length];
        if let Some(earlier) = earlier {
            return Err(self.misplaced(ctx, &[b"named", bracketed, b" after <", earlier, b">"]));
        }
        match self.style {
            Style::Unnumbered(last) => {
                let last = last.to_string();
                return Err(self.misplaced(ctx, &[b"named", bracketed, b" after unnumbered(", last.as_bytes(), b")"]));
            }
            Style::Numbered => return Err(self.misplaced(ctx, &[b"named", bracketed, b" after numbered"])),
            _ => self.style = Style::Named,
        }
        *earlier = Some(name.to_vec());
        let hash = self.named_arguments(ctx)?;
        let key = ctx.dynamic_symbol(name, self.encoding);
        if let Some(value) = hash.get(ctx, key)? {
            return Ok(value);
        }
        let default = ctx.call_name(hash.value(), "default", &[key])?;
        if default.is_nil() {
            let message = Str::new(ctx, &[b"key", bracketed, b" not found"].concat(), self.encoding);
            return Err(key_error(ctx, message, hash.value(), key));
        }
        Ok(default)
    }

    /// ArgumentError with a text in the encoding of the format.
    fn misplaced(&self, ctx: &mut Ctx, parts: &[&[u8]]) -> Unwind {
        let class = ctx.error_class("ArgumentError").value();
        let message = Str::new(ctx, &parts.concat(), self.encoding).value();
        let exception = Exception::new(ctx, class, message).value();
        ctx.raise(exception)
    }

    fn named_arguments(&mut self, ctx: &mut Ctx) -> Result<Hash> {
        if let Some(hash) = self.hash {
            return Ok(hash);
        }
        let hash = match (self.args.len(), self.args.get(0)) {
            (1, Some(value)) => ctx.check_hash(value)?,
            _ => None,
        };
        match hash {
            Some(hash) => {
                self.hash = Some(hash);
                Ok(hash)
            }
            None => Err(ctx.argument_error("one hash required")),
        }
    }

    // -- strings and characters -----------------------------------------------------------

    fn string(&mut self, ctx: &mut Ctx, spec: &Spec, value: Option<Value>, inspect: bool) -> Result<()> {
        let value = self.argument(ctx, value)?;
        let text = if inspect { ctx.inspect_str(value)? } else { ctx.to_s(value)? };
        self.append_text(ctx, spec, text)
    }

    /// Appends a string, cut to the precision and padded to the width, both in characters.
    fn append_text(&mut self, ctx: &mut Ctx, spec: &Spec, text: Str) -> Result<()> {
        self.encoding = self.common_encoding(ctx, text)?;
        let mut len = text.char_len(ctx);
        let mut bytes = text.len();
        if let Some(precision) = spec.precision.filter(|p| *p < len) {
            bytes = text.byte_offset(ctx, precision).unwrap_or(bytes);
            len = precision;
        }
        let fill = spec.width.unwrap_or(0).saturating_sub(len);
        self.reserve(ctx, bytes, fill)?;
        if !spec.minus {
            self.out.resize(self.out.len() + fill, b' ');
        }
        self.out.extend_from_slice(&text.bytes(ctx)[..bytes]);
        if spec.minus {
            self.out.resize(self.out.len() + fill, b' ');
        }
        Ok(())
    }

    fn reserve(&mut self, ctx: &mut Ctx, bytes: usize, fill: usize) -> Result<()> {
        reserve(ctx, &mut self.out, bytes.saturating_add(fill))
    }

    /// The encoding of what was written so far together with `text`.
    fn common_encoding(&self, ctx: &mut Ctx, text: Str) -> Result<Encoding> {
        if text.encoding() == self.encoding {
            return Ok(self.encoding);
        }
        let written = Side::string(self.encoding, &self.out);
        match compatible(written, text.side(ctx)) {
            Some(encoding) => Ok(encoding),
            None => Err(rubellite_core_object::incompatible(ctx, self.encoding, text.encoding())),
        }
    }

    fn character(&mut self, ctx: &mut Ctx, mut spec: Spec, value: Option<Value>) -> Result<()> {
        let value = self.argument(ctx, value)?;
        if let Some(text) = ctx.check_str(value)? {
            spec.precision = Some(1);
            return self.append_text(ctx, &spec, text);
        }
        if value.is_nil() {
            return Err(ctx.type_error("no implicit conversion from nil to integer"));
        }
        let code = int_argument(ctx, value)?;
        let Ok(code) = u32::try_from(code) else {
            return Err(ctx.argument_error("invalid character"));
        };
        if self.encoding == Encoding::US_ASCII && (0x80..0x100).contains(&code) {
            self.encoding = Encoding::BINARY;
        }
        let mut bytes = Vec::with_capacity(8);
        if self.encoding.encode_code_point(code, &mut bytes).is_err() {
            match code {
                0xd800..=0xdfff if self.encoding == Encoding::UTF_8 => {
                    bytes = vec![0xed, 0x80 | (code >> 6 & 0x3f) as u8, 0x80 | (code & 0x3f) as u8];
                }
                _ if self.encoding.max_len() == 1 => return Err(ctx.range_error(&format!("{code} out of char range"))),
                _ => return Err(ctx.argument_error("invalid character")),
            }
        }
        let fill = spec.width.unwrap_or(0).saturating_sub(1);
        self.reserve(ctx, bytes.len(), fill)?;
        if !spec.minus {
            self.out.resize(self.out.len() + fill, b' ');
        }
        self.out.extend_from_slice(&bytes);
        if spec.minus {
            self.out.resize(self.out.len() + fill, b' ');
        }
        Ok(())
    }
}

/// An argument as a number of 32 bits.
fn int_argument(ctx: &mut Ctx, value: Value) -> Result<i64> {
    let n = ctx.to_int(value)?;
    if i32::try_from(n).is_err() {
        let size = if n < 0 { "small" } else { "big" };
        return Err(ctx.range_error(&format!("integer {n} too {size} to convert to 'int'")));
    }
    Ok(n)
}

/// Makes room for `extra` bytes, or raises.
pub fn reserve(ctx: &mut Ctx, out: &mut Vec<u8>, extra: usize) -> Result<()> {
    if out.try_make_room(extra) { Ok(()) } else { Err(ctx.no_memory()) }
}

fn key_error(ctx: &mut Ctx, message: Str, receiver: Value, key: Value) -> Unwind {
    let class = ctx.error_class("KeyError").value();
    let exception = Exception::new(ctx, class, message.value()).value();
    let (receiver_name, key_name) = (ctx.internal("__receiver"), ctx.internal("__key"));
    ctx.ivar_set(exception, receiver_name, receiver);
    ctx.ivar_set(exception, key_name, key);
    ctx.raise(exception)
}
