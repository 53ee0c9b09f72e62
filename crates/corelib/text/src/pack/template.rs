//! Templates of `pack` and `unpack`: a letter, modifiers, a count.

use crate::shown::shown;
use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Result, Unwind, Value};

/// How often a directive applies.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Count {
    /// None was given.
    Default,
    Times(usize),
    Star,
}

/// One directive of a template.
#[derive(Copy, Clone, Debug)]
pub struct Directive {
    pub letter: u8,
    pub count: Count,
    /// `_` or `!`: the size of the platform's C type.
    pub native: bool,
    /// `<` or `>` was given: true for big-endian.
    pub big: Option<bool>,
}

/// A directive for integers of a fixed size.
#[derive(Copy, Clone, Debug)]
pub struct IntegerFormat {
    pub size: usize,
    pub signed: bool,
    pub big: bool,
}

impl Directive {
    /// What an integer directive reads or writes; none for other letters.
    pub fn integer(&self) -> Option<IntegerFormat> {
        let size = match (self.letter, self.native) {
            (b'c' | b'C', _) => 1,
            (b's' | b'S' | b'n' | b'v', _) => 2,
            (b'l' | b'L', true) => 8,
            (b'i' | b'I' | b'l' | b'L' | b'N' | b'V', _) => 4,
            (b'q' | b'Q' | b'j' | b'J', _) => 8,
            _ => return None,
        };
        let big = match self.letter {
            b'n' | b'N' => true,
            b'v' | b'V' => false,
            _ => self.big.unwrap_or(false),
        };
        Some(IntegerFormat {
            size,
            signed: self.letter.is_ascii_lowercase() && !matches!(self.letter, b'n' | b'v'),
            big,
        })
    }

    /// Size and byte order of a float directive.
    pub fn float(&self) -> Option<(usize, bool)> {
        Some(match self.letter {
            b'f' | b'F' | b'e' => (4, false),
            b'g' => (4, true),
            b'd' | b'D' | b'E' => (8, false),
            b'G' => (8, true),
            _ => return None,
        })
    }
}

/// A template being read.
pub struct Template<'a> {
    text: &'a [u8],
    pos: usize,
}

impl<'a> Template<'a> {
    pub fn new(text: &'a [u8]) -> Template<'a> {
        Template { text, pos: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.pos).copied()
    }

    /// The next directive; white space and comments do not count.
    pub fn next(&mut self, ctx: &mut Ctx) -> Result<Option<Directive>> {
        loop {
            match self.peek() {
                None => return Ok(None),
                Some(b' ' | b'\t'..=b'\r') => self.pos += 1,
                Some(b'#') => match memchr::memchr(b'\n', &self.text[self.pos..]) {
                    Some(at) => self.pos += at + 1,
                    None => self.pos = self.text.len(),
                },
                Some(_) => break,
            }
        }
        let mut directive = Directive { letter: self.text[self.pos], count: Count::Default, native: false, big: None };
        self.pos += 1;
        self.modifiers(ctx, &mut directive)?;
        directive.count = self.count(ctx)?;
        Ok(Some(directive))
    }

    fn modifiers(&mut self, ctx: &mut Ctx, directive: &mut Directive) -> Result<()> {
        while let Some(modifier) = self.peek() {
            match modifier {
                b'_' | b'!' => {
                    if !b"sSiIlLqQjJ".contains(&directive.letter) {
                        return Err(misplaced(ctx, modifier, "sSiIlLqQjJ"));
                    }
                    directive.native = true;
                }
                b'<' | b'>' => {
                    if !b"sSiIlLqQjJ".contains(&directive.letter) {
                        return Err(misplaced(ctx, modifier, "sSiIlLqQjJ"));
                    }
                    if directive.big.is_some() {
                        return Err(ctx.range_error("Can't use both '<' and '>'"));
                    }
                    directive.big = Some(modifier == b'>');
                }
                _ => break,
            }
            self.pos += 1;
        }
        Ok(())
    }

    fn count(&mut self, ctx: &mut Ctx) -> Result<Count> {
        match self.peek() {
            Some(b'*') => {
                self.pos += 1;
                Ok(Count::Star)
            }
            Some(b'0'..=b'9') => {
                let mut count = 0i64;
                while let Some(digit @ b'0'..=b'9') = self.peek() {
                    self.pos += 1;
                    match count.checked_mul(10).and_then(|n| n.checked_add((digit - b'0') as i64)) {
                        Some(n) => count = n,
                        None => return Err(ctx.range_error("pack length too big")),
                    }
                }
                Ok(Count::Times(count as usize))
            }
            _ => Ok(Count::Default),
        }
    }
}

#[cold]
fn misplaced(ctx: &mut Ctx, modifier: u8, types: &str) -> Unwind {
    ctx.argument_error(&format!("'{}' allowed only after types {types}", modifier as char))
}

/// The template that a method was given.
pub fn text(ctx: &mut Ctx, given: Value) -> Result<Str> {
    let template = ctx.to_str(given)?;
    ctx.check_ascii_compatible(template)?;
    Ok(template)
}

/// "unknown pack directive '\\x7f' in 'a\x7f'"
#[cold]
pub fn unknown_directive(ctx: &mut Ctx, mode: &str, letter: u8, template: Str) -> Unwind {
    let directive =
        if (0x20..0x7F).contains(&letter) { (letter as char).to_string() } else { format!("\\x{letter:02x}") };
    let text = shown(ctx, template.bytes(ctx), template.encoding());
    ctx.argument_error(&format!("unknown {mode} directive '{directive}' in '{text}'"))
}
