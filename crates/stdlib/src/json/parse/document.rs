//! JSON: the structure of a document. A loop with a list of open containers, not a recursion: nesting costs no machine
//! stack. The source is a shared buffer, so that whatever runs meanwhile cannot change it.

use super::text::{Mistake, Text, number, string};
use super::{Options, Policy};
use rubellite_encoding::CodeRange;
use rubellite_vm::object::{Array, Hash, Proc, Str, TempArray};
use rubellite_vm::{Ctx, Encoding, Result, Unwind, Value, flags};

/// An open container. The container itself and, for an object, the key whose value comes next lie in `Parser::open`.
struct Frame {
    array: bool,
    /// Where it begins.
    start: usize,
    pairs: usize,
    /// The first key that came again, inspected: noted when keys are not what the text says.
    repeated: Option<String>,
}

/// What stands at a place where a value may stand.
enum Item {
    Value(Value),
    /// A container was opened.
    Opened,
}

/// Warnings that one document gives at most.
const WARNINGS_MAX: u32 = 5;

/// Names are kept for reuse in a table of this many places.
const NAMES: usize = 256;
/// Longer names are not kept.
const NAME_LEN_MAX: usize = 55;

pub struct Parser<'a> {
    bytes: &'a [u8],
    /// Everything is ASCII: so is every string without escapes.
    ascii: bool,
    pos: usize,
    options: &'a Options,
    frames: Vec<Frame>,
    /// Open arrays.
    arrays: usize,
    warnings: u32,
}

/// Containers under construction, which the collector must see.
struct Roots {
    /// For each frame the container and the pending key.
    open: TempArray,
    names: Option<TempArray>,
}

impl<'a> Parser<'a> {
    pub fn new(bytes: &'a [u8], ascii: bool, options: &'a Options) -> Parser<'a> {
        Parser { bytes, ascii, pos: 0, options, frames: Vec::new(), arrays: 0, warnings: 0 }
    }

    /// Reads the whole text: one value.
    pub fn document(mut self, ctx: &mut Ctx) -> Result {
        let mut roots = Roots { open: TempArray::new(ctx), names: None };
        let value = self.values(ctx, &mut roots)?;
        self.skip_space(ctx)?;
        if self.pos < self.bytes.len() {
            return Err(self.fail(ctx, Mistake::new(self.pos, "unexpected token at end of stream ")));
        }
        Ok(value)
    }

    fn values(&mut self, ctx: &mut Ctx, roots: &mut Roots) -> Result {
        loop {
            let mut value = match self.item(ctx, roots)? {
                Item::Opened => continue,
                Item::Value(value) => value,
            };
            ctx.check_interrupts()?;
            // The value is complete, and with it perhaps the containers that it is the last value of.
            loop {
                value = self.loaded(ctx, value)?;
                let Some(frame) = self.frames.last_mut() else { return Ok(value) };
                let at = roots.open.len() - 2;
                let container = roots.open.get(at).unwrap_or(Value::NIL);
                let closed = if frame.array {
                    ctx.expect::<Array>(container)?.push(ctx, value);
                    self.after_element(ctx)?
                } else {
                    let key = roots.open.get(at + 1).unwrap_or(Value::NIL);
                    frame.pairs += 1;
                    ctx.expect::<Hash>(container)?.insert(ctx, key, value)?;
                    self.after_pair(ctx, roots)?
                };
                if !closed {
                    break;
                }
                value = self.close(ctx, roots, container)?;
            }
        }
    }

    /// A scalar, an empty container, or the beginning of a container.
    fn item(&mut self, ctx: &mut Ctx, roots: &mut Roots) -> Result<Item> {
        self.skip_space(ctx)?;
        let start = self.pos;
        let value = match self.peek() {
            Some(b'"') => {
                let text = self.text(ctx)?;
                let string = self.string(ctx, &text).value();
                if self.options.freeze { ctx.call_name(string, "-@", &[])? } else { string }
            }
            Some(b'0'..=b'9') => self.number(ctx, start)?,
            Some(b'-') => {
                if self.options.allow_nan && self.bytes[start..].starts_with(b"-Infinity") {
                    self.pos += 9;
                    ctx.float(f64::NEG_INFINITY)
                } else {
                    self.number(ctx, start)?
                }
            }
            Some(open @ (b'[' | b'{')) => return self.open(ctx, roots, open == b'['),
            Some(b't') => self.word(ctx, b"true", Value::TRUE)?,
            Some(b'f') => self.word(ctx, b"false", Value::FALSE)?,
            Some(b'n') => self.word(ctx, b"null", Value::NIL)?,
            Some(b'N' | b'I') if !self.options.allow_nan => {
                return Err(self.fail(ctx, Mistake::new(start, "unexpected token ")));
            }
            Some(b'N') => {
                let nan = ctx.float(f64::NAN);
                self.word(ctx, b"NaN", nan)?
            }
            Some(b'I') => {
                let infinity = ctx.float(f64::INFINITY);
                self.word(ctx, b"Infinity", infinity)?
            }
            Some(0) => return Err(self.fail(ctx, Mistake::new(start, "unexpected NULL byte: "))),
            Some(_) => return Err(self.fail(ctx, Mistake::new(start, "unexpected character: "))),
            None => return Err(self.fail(ctx, Mistake::plain(start, "unexpected end of input"))),
        };
        Ok(Item::Value(value))
    }

    fn open(&mut self, ctx: &mut Ctx, roots: &mut Roots, array: bool) -> Result<Item> {
        let start = self.pos;
        self.pos += 1;
        self.skip_space(ctx)?;
        let container = if array { Array::new(ctx).value() } else { Hash::new(ctx).value() };
        if self.peek() == Some(if array { b']' } else { b'}' }) {
            self.pos += 1;
            self.freeze(container);
            return Ok(Item::Value(container));
        }
        self.frames.push(Frame { array, start, pairs: 0, repeated: None });
        let depth = self.frames.len();
        if self.options.max_nesting > 0 && depth as i64 > self.options.max_nesting {
            return Err(ctx.raise_error("JSON::NestingError", &format!("nesting of {depth} is too deep")));
        }
        roots.open.push(ctx, container);
        roots.open.push(ctx, Value::NIL);
        if array {
            self.arrays += 1;
        } else {
            self.key(ctx, roots)?;
        }
        Ok(Item::Opened)
    }

    /// What follows an element; true when it was the last.
    fn after_element(&mut self, ctx: &mut Ctx) -> Result<bool> {
        self.skip_space(ctx)?;
        match self.peek() {
            Some(b',') => {
                self.pos += 1;
                self.trailing_comma(ctx, b']')
            }
            Some(b']') => {
                self.pos += 1;
                Ok(true)
            }
            _ => Err(self.fail(ctx, Mistake::plain(self.pos, "expected ',' or ']' after array value"))),
        }
    }

    /// What follows a pair, the next key included; true when it was the last.
    fn after_pair(&mut self, ctx: &mut Ctx, roots: &mut Roots) -> Result<bool> {
        self.skip_space(ctx)?;
        match self.peek() {
            Some(b',') => {
                self.pos += 1;
                if self.trailing_comma(ctx, b'}')? {
                    return Ok(true);
                }
                self.key(ctx, roots)?;
                Ok(false)
            }
            Some(b'}') => {
                self.pos += 1;
                Ok(true)
            }
            _ => Err(self.fail(ctx, Mistake::new(self.pos, "expected ',' or '}' after object value, got: "))),
        }
    }

    /// Whether the container ends behind a comma, where that is allowed.
    fn trailing_comma(&mut self, ctx: &mut Ctx, end: u8) -> Result<bool> {
        if !self.options.allow_trailing_comma {
            return Ok(false);
        }
        self.skip_space(ctx)?;
        let ends = self.peek() == Some(end);
        self.pos += usize::from(ends);
        Ok(ends)
    }

    /// A key and its colon.
    fn key(&mut self, ctx: &mut Ctx, roots: &mut Roots) -> Result<()> {
        self.skip_space(ctx)?;
        let first = self.frames.last().is_none_or(|frame| frame.pairs == 0);
        if self.peek() != Some(b'"') {
            let text = if first { "expected object key, got " } else { "expected object key, got: " };
            return Err(self.fail(ctx, Mistake::new(self.pos, text)));
        }
        let text = self.text(ctx)?;
        let key = self.name(ctx, roots, &text);
        let key = self.loaded(ctx, key)?;
        roots.open.set(ctx, roots.open.len() - 1, key);
        if !self.options.on_load.is_nil() {
            self.note_repeated(ctx, roots, key)?;
        }
        self.skip_space(ctx)?;
        if self.peek() == Some(b':') {
            self.pos += 1;
            return Ok(());
        }
        let mistake = match first {
            true => Mistake::plain(self.pos, "expected ':' after object key"),
            false => Mistake::new(self.pos, "expected ':' after object key, got: "),
        };
        Err(self.fail(ctx, mistake))
    }

    /// Notes a key that is already there.
    fn note_repeated(&mut self, ctx: &mut Ctx, roots: &Roots, key: Value) -> Result<()> {
        let container = roots.open.get(roots.open.len() - 2).unwrap_or(Value::NIL);
        let wanted = self.options.duplicate_key != Policy::Accept
            && self.frames.last().is_some_and(|frame| frame.repeated.is_none());
        if wanted && ctx.expect::<Hash>(container)?.contains(ctx, key)? {
            let shown = ctx.inspect(key)?;
            if let Some(frame) = self.frames.last_mut() {
                frame.repeated = Some(shown);
            }
        }
        Ok(())
    }

    fn close(&mut self, ctx: &mut Ctx, roots: &mut Roots, container: Value) -> Result {
        roots.open.pop(ctx);
        roots.open.pop(ctx);
        if let Some(frame) = self.frames.pop() {
            if frame.array {
                self.arrays -= 1;
            } else if ctx.expect::<Hash>(container)?.len() < frame.pairs {
                self.duplicate(ctx, frame)?;
            }
        }
        self.freeze(container);
        Ok(container)
    }

    fn freeze(&self, container: Value) {
        if let Some(header) = container.header().filter(|_| self.options.freeze) {
            header.set(flags::FROZEN);
        }
    }

    fn loaded(&self, ctx: &mut Ctx, value: Value) -> Result {
        match Proc::try_of(self.options.on_load) {
            Some(proc) => ctx.yield_one(proc.value(), value),
            None => Ok(value),
        }
    }

    // -- strings ------------------------------------------------------------------------

    fn text(&mut self, ctx: &mut Ctx) -> Result<Text<'a>> {
        match string(self.bytes, self.pos + 1, self.options) {
            Ok((text, end)) => {
                self.pos = end;
                Ok(text)
            }
            Err(mistake) => Err(self.fail(ctx, mistake)),
        }
    }

    fn string(&self, ctx: &mut Ctx, text: &Text<'_>) -> Str {
        let string = Str::new(ctx, text.bytes(), Encoding::UTF_8);
        if self.ascii && matches!(text, Text::Plain(_)) {
            string.set_code_range(Some(CodeRange::SevenBit));
        }
        string
    }

    /// The key of an object. Inside arrays objects tend to have the same keys: these are kept.
    fn name(&self, ctx: &mut Ctx, roots: &mut Roots, text: &Text<'_>) -> Value {
        let bytes = text.bytes();
        let keep = self.arrays > 0 && bytes.len() <= NAME_LEN_MAX && bytes.first().is_some_and(u8::is_ascii_alphabetic);
        if !keep {
            return self.new_name(ctx, text);
        }
        let names = match roots.names {
            Some(names) => names,
            None => {
                let names = TempArray::with_capacity(ctx, NAMES);
                for _ in 0..NAMES {
                    names.push(ctx, Value::NIL);
                }
                roots.names = Some(names);
                names
            }
        };
        let place = place(bytes);
        let kept = names.get(place).unwrap_or(Value::NIL);
        let same = match kept.as_symbol() {
            Some(symbol) => ctx.sym_bytes(symbol) == bytes,
            None => Str::try_of(kept).is_some_and(|string| string.bytes(ctx) == bytes),
        };
        if same {
            return kept;
        }
        let name = self.new_name(ctx, text);
        names.set(ctx, place, name);
        name
    }

    fn new_name(&self, ctx: &mut Ctx, text: &Text<'_>) -> Value {
        if self.options.symbolize_names {
            return ctx.dynamic_symbol(text.bytes(), Encoding::UTF_8);
        }
        let string = self.string(ctx, text);
        string.header().set(flags::FROZEN);
        ctx.interned(string).value()
    }

    // -- words, numbers, space ----------------------------------------------------------

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    fn word(&mut self, ctx: &mut Ctx, word: &[u8], value: Value) -> Result {
        if self.bytes[self.pos..].starts_with(word) {
            self.pos += word.len();
            return Ok(value);
        }
        Err(self.fail(ctx, Mistake::new(self.pos, "unexpected token ")))
    }

    fn number(&mut self, ctx: &mut Ctx, start: usize) -> Result {
        let Some(number) = number(self.bytes, start) else {
            return Err(self.fail(ctx, Mistake::new(start, "invalid number: ")));
        };
        self.pos = number.end;
        number.value(ctx, &self.bytes[start..number.end], self.options)
    }

    #[inline]
    fn skip_space(&mut self, ctx: &mut Ctx) -> Result<()> {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\n' | b'\t' | b'\r' => self.pos += 1,
                b'/' => self.comment(ctx)?,
                _ => break,
            }
        }
        Ok(())
    }

    #[cold]
    fn comment(&mut self, ctx: &mut Ctx) -> Result<()> {
        let start = self.pos;
        let token = Mistake::new(start, "unexpected token ");
        if self.options.comments == Policy::Refuse {
            return Err(self.fail(ctx, token));
        }
        let body = &self.bytes[(start + 2).min(self.bytes.len())..];
        match self.bytes.get(start + 1) {
            Some(b'/') => self.pos = memchr::memchr(b'\n', body).map_or(self.bytes.len(), |at| start + 2 + at + 1),
            Some(b'*') => match memchr::memmem::find(body, b"*/") {
                Some(at) => self.pos = start + 2 + at + 2,
                None => {
                    return Err(self.fail(ctx, Mistake::plain(start, "unterminated comment, expected closing '*/'")));
                }
            },
            _ => return Err(self.fail(ctx, token)),
        }
        Ok(())
    }

    // -- errors and warnings --------------------------------------------------------------

    /// An object has a key twice.
    #[cold]
    fn duplicate(&mut self, ctx: &mut Ctx, frame: Frame) -> Result<()> {
        let start = frame.start;
        if self.options.duplicate_key == Policy::Accept
            || self.options.duplicate_key == Policy::Warn && self.warnings >= WARNINGS_MAX
        {
            return Ok(());
        }
        let key = match frame.repeated {
            Some(key) => key,
            None => self.repeated_key(ctx, start)?,
        };
        if self.options.duplicate_key == Policy::Refuse {
            let message = format!("duplicate key {key}");
            return Err(self.error(ctx, start, &message));
        }
        self.warnings += 1;
        let (line, column) = self.place_of(start);
        let message = format!(
            "detected duplicate key {key} in JSON object. This will raise an error in json 3.0 unless enabled via `allow_duplicate_key: true` at line {line} column {column}"
        );
        let module = ctx.named_class("JSON")?.value();
        let text = Str::utf8(ctx, &message).value();
        ctx.call_name(module, "deprecation_warning", &[text])?;
        Ok(())
    }

    /// The first key that the object at `start`, which is known to be well-formed, has twice: inspected.
    fn repeated_key(&self, ctx: &mut Ctx, start: usize) -> Result<String> {
        let mut seen = std::collections::HashSet::new();
        let (mut at, mut depth, mut key_next) = (start, 0, false);
        while at < self.pos {
            match self.bytes[at] {
                b'"' => {
                    let Ok((text, end)) = string(self.bytes, at + 1, self.options) else { break };
                    if depth == 1 && key_next {
                        key_next = false;
                        if !seen.insert(text.bytes().to_vec()) {
                            let key = self.string(ctx, &text).value();
                            return ctx.inspect(key);
                        }
                    }
                    at = end;
                    continue;
                }
                b'{' | b'[' => {
                    depth += 1;
                    key_next = depth == 1;
                }
                b'}' | b']' => depth -= 1,
                b',' if depth == 1 => key_next = true,
                b'/' => {
                    let body = &self.bytes[at + 2..];
                    let end = if self.bytes[at + 1] == b'/' {
                        memchr::memchr(b'\n', body)
                    } else {
                        memchr::memmem::find(body, b"*/")
                    };
                    at += 2 + end.unwrap_or(body.len());
                }
                _ => {}
            }
            at += 1;
        }
        Ok(String::new())
    }

    /// Line and column as messages count them.
    fn place_of(&self, at: usize) -> (usize, usize) {
        let at = at.min(self.bytes.len());
        let before = &self.bytes[..at];
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        let begin = memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
        if self.bytes.get(at) == Some(&b'\n') { (line + 1, 0) } else { (line, at - begin + 1) }
    }

    #[cold]
    #[inline(never)]
    fn fail(&self, ctx: &mut Ctx, mistake: Mistake) -> Unwind {
        let mut message = mistake.text.to_string();
        if mistake.found {
            message.push_str(&self.found(mistake.at));
        }
        self.error(ctx, mistake.at, &message)
    }

    #[cold]
    fn error(&self, ctx: &mut Ctx, at: usize, message: &str) -> Unwind {
        let (line, column) = self.place_of(at);
        let class = ctx.error_class("JSON::ParserError");
        let exception = ctx.new_error(class, &format!("{message} at line {line} column {column}"));
        for (name, value) in [("@line", line), ("@column", column)] {
            let name = ctx.intern(name);
            ctx.ivar_set(exception, name, Value::fixnum(value as i64));
        }
        ctx.raise(exception)
    }

    /// How a message shows what stands at `at`: a word of up to 32 bytes in quotes.
    fn found(&self, at: usize) -> String {
        const SHOWN: usize = 32;
        let rest = &self.bytes[at.min(self.bytes.len())..];
        if rest.is_empty() {
            return "EOF".to_string();
        }
        let word = rest.iter().take(SHOWN).take_while(|b| !matches!(b, 0 | b'\n' | b' ' | b'\t' | b'\r')).count();
        if word == 0 {
            let end = memchr::memchr(0, rest).unwrap_or(rest.len());
            return String::from_utf8_lossy(&rest[..end]).into_owned();
        }
        let mut len = word;
        // A character that may be cut off is left out.
        while len > 1 && rest[len - 1] & 0xC0 == 0x80 {
            len -= 1;
        }
        if rest[len - 1] >= 0xC0 {
            len -= 1;
        }
        format!("'{}'", String::from_utf8_lossy(&rest[..len]))
    }
}

/// Where a name is kept.
#[inline]
fn place(bytes: &[u8]) -> usize {
    let mut word = [0; 8];
    let head = bytes.len().min(8);
    word[..head].copy_from_slice(&bytes[..head]);
    let first = u64::from_le_bytes(word);
    let last = bytes.last().copied().unwrap_or(0) as u64;
    let mixed = (first ^ last << 56 ^ (bytes.len() as u64) << 48).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 56) as usize % NAMES
}
