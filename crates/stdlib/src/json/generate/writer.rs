//! JSON: the walk over the objects. Arrays and hashes are walked with a list of open containers, not by recursion, so
//! that depth costs no machine stack; only `to_json` methods of the program nest.

use super::has_own_to_json;
use super::state::{self, Options};
use super::text::{self, Escapes};
use rubellite_encoding::CodeRange;
use rubellite_vm::object::{Array, Hash, Str, Struct, TempArray};
use rubellite_vm::{Ctx, Encoding, Result, Tag, Unwind, Value};

/// An open container; the container itself lies in `Roots`.
struct Frame {
    array: bool,
    /// The next element, or where the next entry may lie.
    next: usize,
    first: bool,
    /// What the first key is.
    keys: Option<KeyKind>,
    /// Keys of several kinds were met and looked at.
    mixed: bool,
}

/// Deeper than this nobody nests on purpose: SystemStackError, also without a limit, for an object that contains
/// itself.
const DEPTH_MAX: usize = 100_000;

#[derive(Copy, Clone, PartialEq, Eq)]
enum KeyKind {
    String,
    Symbol,
    Other,
}

pub struct Writer {
    out: Vec<u8>,
    options: Options,
    escapes: Escapes,
    depth: i64,
    frames: Vec<Frame>,
    /// The object is asking itself, by `to_json`.
    asked: bool,
    /// The State that `to_json` methods are given; nil before the first of them.
    state: Value,
}

impl Writer {
    pub fn new(options: Options) -> Writer {
        let escapes = match (options.ascii_only, options.script_safe) {
            (false, false) => Escapes::Least,
            (false, true) => Escapes::ScriptSafe,
            (true, false) => Escapes::Ascii,
            (true, true) => Escapes::AsciiScriptSafe,
        };
        let depth = options.depth;
        Writer {
            out: Vec::with_capacity(128),
            options,
            escapes,
            depth,
            frames: Vec::new(),
            asked: false,
            state: Value::NIL,
        }
    }

    /// The writer for a `to_json` that was called.
    pub fn asked(mut self) -> Writer {
        self.asked = true;
        self
    }

    /// The JSON of an object. Without `fallback`, an object of a subclass of String, Array or Hash is written as such
    /// even where it has a `to_json` of its own: that is who asks.
    pub fn text(mut self, ctx: &mut Ctx, object: Value, fallback: bool) -> Result {
        let open = TempArray::new(ctx);
        self.value(ctx, open, object, fallback)?;
        while !self.frames.is_empty() {
            ctx.check_interrupts()?;
            if let Some(item) = self.step(ctx, open)? {
                self.value(ctx, open, item, true)?;
            }
        }
        Ok(Str::from_vec(ctx, self.out, Encoding::UTF_8).value())
    }

    /// Goes on in the innermost container: writes what stands before its next value, or closes it.
    fn step(&mut self, ctx: &mut Ctx, open: TempArray) -> Result<Option<Value>> {
        let container = open.get(open.len() - 1).unwrap_or(Value::NIL);
        let Some(frame) = self.frames.last_mut() else { return Ok(None) };
        if frame.array {
            let Some(item) = ctx.expect::<Array>(container)?.get(frame.next) else {
                self.close(ctx, open, b']');
                return Ok(None);
            };
            frame.next += 1;
            if frame.next > 1 {
                self.out.push(b',');
            }
            self.out.extend_from_slice(&self.options.array_nl);
            self.indent();
            return Ok(Some(item));
        }
        let Some(entry) = ctx.expect::<Hash>(container)?.next_entry(ctx, frame.next) else {
            self.close(ctx, open, b'}');
            return Ok(None);
        };
        frame.next = entry.position + 1;
        if !frame.first {
            self.out.push(b',');
        }
        self.out.extend_from_slice(&self.options.object_nl);
        self.indent();
        self.key(ctx, open, container, entry.key)?;
        self.out.extend_from_slice(&self.options.space_before);
        self.out.push(b':');
        self.out.extend_from_slice(&self.options.space);
        Ok(Some(entry.value))
    }

    fn indent(&mut self) {
        if !self.options.indent.is_empty() {
            for _ in 0..self.depth {
                self.out.extend_from_slice(&self.options.indent);
            }
        }
    }

    fn close(&mut self, ctx: &mut Ctx, open: TempArray, bracket: u8) {
        self.frames.pop();
        open.pop(ctx);
        self.depth -= 1;
        let newline = if bracket == b']' { &self.options.array_nl } else { &self.options.object_nl };
        if !newline.is_empty() {
            self.out.extend_from_slice(newline);
            self.indent();
        }
        self.out.push(bracket);
    }

    fn open(&mut self, ctx: &mut Ctx, open: TempArray, container: Value, array: bool) -> Result<()> {
        let mut container = container;
        if !array && !self.options.sort_keys.is_nil() {
            container = ctx.yield_one(self.options.sort_keys, container)?;
            if Hash::try_of(container).is_none() {
                let name = ctx.describe_for_conversion(container);
                return Err(ctx.type_error(&format!("wrong argument type {name} (expected Hash)")));
            }
        }
        self.deeper(ctx)?;
        let empty =
            if array { ctx.expect::<Array>(container)?.is_empty() } else { ctx.expect::<Hash>(container)?.is_empty() };
        if empty {
            self.out.extend_from_slice(if array { b"[]" } else { b"{}" });
            self.depth -= 1;
            return Ok(());
        }
        self.out.push(if array { b'[' } else { b'{' });
        open.push(ctx, container);
        self.frames.push(Frame { array, next: 0, first: true, keys: None, mixed: false });
        Ok(())
    }

    fn deeper(&mut self, ctx: &mut Ctx) -> Result<()> {
        self.depth += 1;
        if self.options.max_nesting != 0 && self.depth > self.options.max_nesting {
            let message = format!(
                "nesting of {} is too deep. Did you try to serialize objects with circular references?",
                self.depth
            );
            return Err(ctx.raise_error("JSON::NestingError", &message));
        }
        if self.frames.len() >= DEPTH_MAX {
            return Err(ctx.stack_overflow());
        }
        Ok(())
    }

    // -- values -------------------------------------------------------------------------

    /// Writes a value; a container is only opened.
    fn value(&mut self, ctx: &mut Ctx, open: TempArray, value: Value, fallback: bool) -> Result<()> {
        let mut value = value;
        let mut converted = false;
        loop {
            match value {
                Value::NIL => self.out.extend_from_slice(b"null"),
                Value::TRUE => self.out.extend_from_slice(b"true"),
                Value::FALSE => self.out.extend_from_slice(b"false"),
                _ if value.is_fixnum() => text::integer(&mut self.out, value.as_fixnum_unchecked()),
                _ => {
                    let classes = ctx.classes();
                    let class = ctx.class_of(value);
                    let plain = |expected: Value| !fallback || class == expected;
                    if let Some(string) = Str::try_of(value).filter(|_| plain(classes.string.get())) {
                        match self.checked_string(ctx, string, converted, false)? {
                            same if same == value => self.write_string(ctx, string),
                            other if converted => return Err(self.malformed(ctx, other)),
                            other => {
                                (value, converted) = (other, true);
                                continue;
                            }
                        }
                    } else if value.has_tag(Tag::Array) && plain(classes.array.get()) {
                        self.open(ctx, open, value, true)?;
                    } else if value.has_tag(Tag::Hash) && plain(classes.hash.get()) {
                        self.open(ctx, open, value, false)?;
                    } else if let Some(f) = ctx.float_value(value) {
                        self.float(ctx, value, f)?;
                    } else if value.is_symbol() && self.options.strict {
                        value = ctx.call_name(value, "name", &[])?;
                        continue;
                    } else if rubellite_vm::object::integer::is_integer(value) {
                        let text = ctx.call_name(value, "to_s", &[])?;
                        let text = ctx.to_str(text)?;
                        self.out.extend_from_slice(text.bytes(ctx));
                    } else if let Some(fragment) = self.fragment(ctx, value)? {
                        self.out.extend_from_slice(fragment.bytes(ctx));
                    } else if self.options.strict {
                        if self.options.as_json.is_nil() || converted {
                            return Err(self.refused(ctx, value));
                        }
                        (value, converted) = (self.as_json(ctx, value, false)?, true);
                        continue;
                    } else {
                        return self.by_method(ctx, open, value, !fallback && self.asked);
                    }
                }
            }
            return Ok(());
        }
    }

    /// An object that is none of JSON's own kinds: its `to_json`, or its text. One that has `asked` is in its own
    /// `to_json`, which goes on to ours.
    fn by_method(&mut self, ctx: &mut Ctx, open: TempArray, value: Value, asked: bool) -> Result<()> {
        if asked || has_own_to_json(ctx, value) {
            // Nobody has redefined `to_json` for this class, or who has goes on to this one.
            if !asked && (value.has_tag(Tag::Array) || value.has_tag(Tag::Hash)) {
                return self.open(ctx, open, value, value.has_tag(Tag::Array));
            }
            let text = match Str::try_of(value) {
                Some(text) => text,
                None => self.to_s(ctx, value)?,
            };
            let text = self.valid_string(ctx, text)?;
            self.write_string(ctx, text);
            return Ok(());
        }
        let to_json = ctx.intern("to_json");
        if !ctx.respond_to(value, to_json, false)? {
            let text = self.to_s(ctx, value)?;
            let text = self.valid_string(ctx, text)?;
            self.write_string(ctx, text);
            return Ok(());
        }
        if self.state.is_nil() {
            self.state = state::new_state(ctx, &self.options)?;
        }
        state::set_depth(ctx, self.state, self.depth);
        let text = ctx.call(value, to_json, &[self.state])?;
        match Str::try_of(text) {
            Some(text) => {
                self.out.extend_from_slice(text.bytes(ctx));
                Ok(())
            }
            None => {
                let name = ctx.describe_for_conversion(text);
                Err(ctx.type_error(&format!("wrong argument type {name} (expected String)")))
            }
        }
    }

    fn to_s(&mut self, ctx: &mut Ctx, value: Value) -> Result<Str> {
        let name = ctx.names().to_s;
        let text = ctx.call(value, name, &[])?;
        match Str::try_of(text) {
            Some(text) => Ok(text),
            None => {
                let name = ctx.describe_for_conversion(text);
                Err(ctx.type_error(&format!("wrong argument type {name} (expected String)")))
            }
        }
    }

    fn as_json(&mut self, ctx: &mut Ctx, value: Value, is_key: bool) -> Result {
        ctx.yield_values(self.options.as_json, &[value, Value::from_bool(is_key)])
    }

    /// The text of a `JSON::Fragment`.
    fn fragment(&mut self, ctx: &mut Ctx, value: Value) -> Result<Option<Str>> {
        if Struct::try_of(value).is_none() || ctx.class_of(value) != ctx.named_class("JSON::Fragment")?.value() {
            return Ok(None);
        }
        let text = ctx.call_name(value, "json", &[])?;
        match Str::try_of(text) {
            Some(text) => Ok(Some(text)),
            None => {
                let name = ctx.describe_for_conversion(text);
                Err(ctx.type_error(&format!("wrong argument type {name} (expected String)")))
            }
        }
    }

    fn float(&mut self, ctx: &mut Ctx, value: Value, f: f64) -> Result<()> {
        if f.is_finite() {
            text::float(&mut self.out, f);
            return Ok(());
        }
        let shown = if f.is_nan() {
            "NaN"
        } else if f > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        };
        if self.options.allow_nan {
            self.out.extend_from_slice(shown.as_bytes());
            return Ok(());
        }
        if self.options.strict && !self.options.as_json.is_nil() {
            let other = self.as_json(ctx, value, false)?;
            if other != value {
                self.deeper(ctx)?;
                let options = Options { depth: self.depth, ..self.options.clone() };
                let text = Writer::new(options).text(ctx, other, true)?;
                self.out.extend_from_slice(ctx.expect::<Str>(text)?.bytes(ctx));
                self.depth -= 1;
                return Ok(());
            }
        }
        Err(self.error(ctx, value, &format!("{shown} not allowed in JSON")))
    }

    // -- strings ------------------------------------------------------------------------

    fn write_string(&mut self, ctx: &Ctx, string: Str) {
        text::string(&mut self.out, string.bytes(ctx), self.escapes);
    }

    fn is_valid(ctx: &Ctx, string: Str) -> bool {
        match string.code_range(ctx) {
            CodeRange::SevenBit => string.encoding().is_ascii_compatible(),
            CodeRange::Valid => string.encoding() == Encoding::UTF_8,
            CodeRange::Broken => false,
        }
    }

    fn valid_string(&mut self, ctx: &mut Ctx, string: Str) -> Result<Str> {
        let checked = self.checked_string(ctx, string, true, false)?;
        ctx.expect(checked)
    }

    /// The string itself when it can be written; otherwise what takes its place: a conversion, or what `as_json` says.
    fn checked_string(&mut self, ctx: &mut Ctx, string: Str, converted: bool, is_key: bool) -> Result {
        if Self::is_valid(ctx, string) {
            return Ok(string.value());
        }
        if !converted && self.options.strict && !self.options.as_json.is_nil() {
            let other = self.as_json(ctx, string.value(), false)?;
            if other != string.value() {
                return match Str::try_of(other) {
                    Some(text) if !Self::is_valid(ctx, text) => Err(self.malformed(ctx, string.value())),
                    None if is_key => Err(self.refused_key(ctx, other)),
                    _ => Ok(other),
                };
            }
        }
        if string.encoding() == Encoding::BINARY && Encoding::UTF_8.is_valid(string.bytes(ctx)) {
            if !string.is_ascii_only(ctx) {
                ctx.warn(
                    "JSON.generate: UTF-8 string passed as BINARY, this will raise an encoding error in json 3.0",
                )?;
            }
            let copy = string.dup(ctx);
            copy.set_encoding(Encoding::UTF_8);
            return Ok(copy.value());
        }
        if string.encoding() == Encoding::UTF_8 {
            return Err(self.malformed(ctx, string.value()));
        }
        let standard_error = ctx.classes().standard_error.get();
        let utf8 = rubellite_core_text::encoding_object(ctx, Encoding::UTF_8);
        let value = string.value();
        ctx.rescue(
            standard_error,
            |ctx| ctx.call_name(value, "encode", &[utf8]),
            |ctx, error| {
                let message = ctx.call_name(error, "message", &[])?;
                let message = ctx.to_s(message)?.to_lossy(ctx).into_owned();
                let before = ctx.errinfo();
                ctx.set_errinfo(error);
                let unwind = generator_error(ctx, value, &message);
                ctx.set_errinfo(before);
                Err(unwind)
            },
        )
    }

    // -- keys ---------------------------------------------------------------------------

    fn key(&mut self, ctx: &mut Ctx, open: TempArray, hash: Value, key: Value) -> Result<()> {
        let mut key = key;
        let mut converted = false;
        let text = loop {
            if let Some(string) = Str::try_of(key) {
                self.note_key(ctx, hash, KeyKind::String)?;
                break if ctx.class_of(key) == ctx.classes().string.get() { string } else { self.key_text(ctx, key)? };
            }
            if let Some(symbol) = key.as_symbol() {
                self.note_key(ctx, hash, KeyKind::Symbol)?;
                break Str::of_symbol(ctx, symbol);
            }
            self.note_key(ctx, hash, KeyKind::Other)?;
            if !self.options.strict {
                break self.key_text(ctx, key)?;
            }
            if self.options.as_json.is_nil() || converted {
                return Err(self.refused_key(ctx, key));
            }
            (key, converted) = (self.as_json(ctx, key, true)?, true);
        };
        let checked = self.checked_string(ctx, text, converted, true)?;
        let checked = ctx.to_str(checked)?;
        if ctx.class_of(checked.value()) != ctx.classes().string.get() {
            return self.by_method(ctx, open, checked.value(), false);
        }
        self.write_string(ctx, checked);
        Ok(())
    }

    /// A key that is neither String nor Symbol is written as its `to_s`.
    fn key_text(&mut self, ctx: &mut Ctx, key: Value) -> Result<Str> {
        let name = ctx.names().to_s;
        let text = ctx.call(key, name, &[])?;
        match Str::try_of(text) {
            Some(text) => Ok(text),
            None => Err(ctx.bad_conversion(key, text, "String", "to_s")),
        }
    }

    /// A Hash with both `:a` and `"a"` would give an object with a key twice.
    fn note_key(&mut self, ctx: &mut Ctx, hash: Value, kind: KeyKind) -> Result<()> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.first = false;
        match frame.keys {
            None => frame.keys = Some(kind),
            Some(first) if first == kind || kind == KeyKind::Other || frame.mixed => {}
            Some(_) => {
                frame.mixed = true;
                if self.options.duplicate_key != Value::TRUE {
                    let module = ctx.named_class("JSON")?.value();
                    let refuse = Value::from_bool(self.options.duplicate_key == Value::FALSE);
                    ctx.call_name(module, "on_mixed_keys_hash", &[hash, refuse])?;
                }
            }
        }
        Ok(())
    }

    // -- errors ---------------------------------------------------------------------------

    #[cold]
    fn error(&self, ctx: &mut Ctx, object: Value, message: &str) -> Unwind {
        generator_error(ctx, object, message)
    }

    #[cold]
    fn malformed(&self, ctx: &mut Ctx, string: Value) -> Unwind {
        self.error(ctx, string, "source sequence is illegal/malformed utf-8")
    }

    #[cold]
    fn refused(&self, ctx: &mut Ctx, object: Value) -> Unwind {
        let class = ctx.real_class(object).inspect(ctx);
        self.error(ctx, object, &format!("{class} not allowed in JSON"))
    }

    #[cold]
    fn refused_key(&self, ctx: &mut Ctx, key: Value) -> Unwind {
        let class = ctx.real_class(key).inspect(ctx);
        self.error(ctx, key, &format!("{class} not allowed as object key in JSON"))
    }
}

#[cold]
fn generator_error(ctx: &mut Ctx, object: Value, message: &str) -> Unwind {
    let class = ctx.error_class("JSON::GeneratorError");
    let exception = ctx.new_error(class, message);
    let name = ctx.intern("@invalid_object");
    ctx.ivar_set(exception, name, object);
    ctx.raise(exception)
}
