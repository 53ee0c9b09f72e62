//! `Marshal.load`: bytes to objects.
//!
//! Every object gets its number when its bytes begin, links refer to these numbers. An object is partial until its last
//! byte: it is frozen and shown to the caller's proc only then, and links to it meanwhile are not shown.

mod names;

use super::compat::{self, Builder};
use super::number::{parse_float, read_integer};
use super::source::Reader;
use super::{MAJOR, MINOR};
use rubellite_core_collection::members_of;
use rubellite_core_text::{class_at, regexp_from_string};
use rubellite_vm::class::Class;
use rubellite_vm::growing::Roomy;
use rubellite_vm::object::{Array, Hash, Regexp, Str, Struct, TempArray};
use rubellite_vm::{Ctx, Encoding, Result, Sym, Tag, Value, flags};
use rustc_hash::{FxHashMap, FxHashSet};

struct Loader {
    reader: Reader,
    /// Symbols by number.
    symbols: TempArray,
    /// Objects by number; undef while one is announced but not made.
    entries: TempArray,
    proc: Value,
    freeze: bool,
    /// Addresses of objects that are not complete, kept when somebody asks for complete ones.
    partial: FxHashSet<u64>,
    classes: FxHashMap<Sym, Value>, // tidy: constants; forgotten when code of the program runs
    names: Names,
}

struct Names {
    short: Sym,
    encoding: Sym,
    keywords: Sym,
}

/// How an object is read.
#[derive(Copy, Clone)]
struct Mode {
    /// More of the object follows (its variables, the modules that extend it): it is not complete at its own end.
    partial: bool,
    /// The object stands behind `I`.
    variables: bool,
    /// The subclass that `C` named, or nil.
    class: Value,
    /// Modules that extend the object.
    extensions: Option<TempArray>,
}

const WHOLE: Mode = Mode { partial: false, variables: false, class: Value::NIL, extensions: None };

/// An object, and whether its variables still follow.
type Read = (Value, bool);

/// Reads one object from a String or IO.
pub fn load(ctx: &mut Ctx, source: Value, proc: Value, freeze: bool) -> Result {
    let mut reader = Reader::new(ctx, source)?;
    let (major, minor) = (reader.byte(ctx)?, reader.byte(ctx)?);
    if major != MAJOR || minor > MINOR {
        let versions = format!("\tformat version {MAJOR}.{MINOR} required; {major}.{minor} given");
        return Err(ctx.type_error(&format!("incompatible marshal file format (can't be read)\n{versions}")));
    }
    if minor != MINOR {
        let versions = format!("\tformat version {MAJOR}.{MINOR} required; {major}.{minor} given");
        ctx.warn_verbose(&format!("incompatible marshal file format (can be read)\n{versions}"))?;
    }
    let names = Names { short: ctx.intern("E"), encoding: ctx.intern("encoding"), keywords: ctx.intern("K") };
    let entries = TempArray::new(ctx);
    let symbols = TempArray::new(ctx);
    let (partial, classes) = (FxHashSet::default(), FxHashMap::default());
    let mut loader = Loader { reader, symbols, entries, proc, freeze, partial, classes, names };
    loader.object(ctx)
}

impl Loader {
    // -- tables and completion ------------------------------------------------------------

    fn watching(&self) -> bool {
        self.freeze || !self.proc.is_nil()
    }

    /// Gives the next number to an object that is about to be read.
    fn enter(&mut self, ctx: &mut Ctx, object: Value) -> Value {
        self.entries.push(ctx, object);
        if self.watching() {
            self.partial.room_for(1);
            self.partial.insert(object.bits());
        }
        object
    }

    /// Announces an object: its number is taken before its bytes are read.
    fn prepare(&mut self, ctx: &mut Ctx) -> usize {
        self.entries.push(ctx, Value::UNDEF);
        self.entries.len() - 1
    }

    fn enter_at(&mut self, ctx: &mut Ctx, number: usize, object: Value) {
        self.entries.set(ctx, number, object);
        if self.watching() {
            self.partial.room_for(1);
            self.partial.insert(object.bits());
        }
    }

    /// The end of an object's own bytes.
    fn leave(&mut self, ctx: &mut Ctx, object: Value, partial: bool) -> Result {
        if partial || !self.watching() {
            return Ok(object);
        }
        self.partial.remove(&object.bits());
        let mut object = object;
        if self.freeze {
            object = freeze(ctx, object);
        }
        self.show(ctx, object)
    }

    /// What the caller's proc makes of a complete object.
    fn show(&mut self, ctx: &mut Ctx, object: Value) -> Result {
        if self.proc.is_nil() {
            return Ok(object);
        }
        self.classes.clear();
        ctx.call_name(self.proc, "call", &[object])
    }

    fn program(&mut self, ctx: &mut Ctx, receiver: Value, name: &'static str, argument: Value) -> Result {
        self.classes.clear();
        ctx.call_name(receiver, name, &[argument])
    }

    // -- objects --------------------------------------------------------------------------

    /// A whole object.
    fn object(&mut self, ctx: &mut Ctx) -> Result {
        let kind = self.reader.byte(ctx)?;
        // The frequent kinds need neither room on the stack nor a mode.
        match kind {
            b'0' => self.leave(ctx, Value::NIL, false),
            b'T' => self.leave(ctx, Value::TRUE, false),
            b'F' => self.leave(ctx, Value::FALSE, false),
            b'i' => self.small(ctx),
            b';' => self.old_symbol(ctx),
            _ => Ok(self.object_of(ctx, kind, WHOLE)?.0),
        }
    }

    fn object_in(&mut self, ctx: &mut Ctx, mode: Mode) -> Result<Read> {
        let kind = self.reader.byte(ctx)?;
        self.object_of(ctx, kind, mode)
    }

    fn object_of(&mut self, ctx: &mut Ctx, kind: u8, mode: Mode) -> Result<Read> {
        ctx.check_native_stack()?;
        ctx.check_interrupts()?;
        let partial = mode.partial;
        let object = match kind {
            b'@' => self.link(ctx)?,
            b'I' => self.with_variables(ctx, mode)?,
            b'e' => self.extended(ctx, mode)?,
            b'C' => self.user_class(ctx, mode)?,
            b'0' => self.leave(ctx, Value::NIL, false)?,
            b'T' => self.leave(ctx, Value::TRUE, false)?,
            b'F' => self.leave(ctx, Value::FALSE, false)?,
            b'i' => self.small(ctx)?,
            b'f' => self.float(ctx)?,
            b'l' => self.integer(ctx)?,
            b'"' => {
                let string = self.reader.string(ctx)?;
                self.enter(ctx, string.value());
                // A subclass is set after this: such a string is not shared with equal ones.
                if self.freeze && !partial && !mode.class.is_nil() {
                    string.header().set(flags::FROZEN);
                    self.partial.remove(&string.value().bits());
                    self.show(ctx, string.value())?
                } else {
                    self.leave(ctx, string.value(), partial)?
                }
            }
            b'/' => return Ok((self.regexp(ctx, mode)?, false)),
            b'[' => self.array(ctx, partial)?,
            b'{' | b'}' => self.hash(ctx, kind == b'}', false, partial)?,
            b'S' => self.record(ctx, partial)?,
            b'u' => return Ok((self.by_load(ctx, mode)?, false)),
            b'U' => self.by_marshal_load(ctx, mode)?,
            b'o' => self.plain_object(ctx, partial)?,
            b'd' => self.data(ctx, mode)?,
            b'M' | b'c' | b'm' => return self.module_object(ctx, kind, mode),
            b':' => {
                let symbol = self.new_symbol(ctx, mode.variables)?;
                return Ok((self.leave(ctx, symbol, partial)?, false));
            }
            b';' => self.old_symbol(ctx)?,
            _ => return Err(ctx.argument_error(&format!("dump format error(0x{kind:x})"))),
        };
        if object.is_undef() {
            return Err(ctx.argument_error("dump format error (bad link)"));
        }
        Ok((object, mode.variables))
    }

    fn link(&mut self, ctx: &mut Ctx) -> Result {
        let number = self.reader.long(ctx)?;
        let Some(object) = usize::try_from(number).ok().and_then(|n| self.entries.get(n)) else {
            return Err(ctx.argument_error("dump format error (unlinked)"));
        };
        if object.is_undef() || !self.watching() || self.partial.contains(&object.bits()) {
            return Ok(object);
        }
        let object = if self.freeze && object.has_tag(Tag::String) { freeze(ctx, object) } else { object };
        self.show(ctx, object)
    }

    fn with_variables(&mut self, ctx: &mut Ctx, mode: Mode) -> Result {
        let inner = Mode { partial: true, variables: true, class: Value::NIL, extensions: mode.extensions };
        let (object, follow) = self.object_in(ctx, inner)?;
        if follow {
            self.variables(ctx, object, &mut Builder::Plain)?;
        }
        self.leave(ctx, object, mode.partial)
    }

    fn extended(&mut self, ctx: &mut Ctx, mode: Mode) -> Result {
        let name = self.symbol(ctx)?;
        let module = self.module(ctx, name)?;
        let list = match mode.extensions {
            Some(list) => list,
            None => TempArray::new(ctx),
        };
        let inner = Mode { partial: true, ..WHOLE };
        let object;
        if module.is_module() {
            list.push(ctx, module.value());
            object = self.object_in(ctx, Mode { extensions: Some(list), ..inner })?.0;
            while let Some(module) = list.pop(ctx) {
                self.extend(ctx, object, module)?;
            }
        } else {
            // The class's own name stands behind the modules in front of it.
            object = self.object_in(ctx, inner)?.0;
            let class = ctx.dispatch_class(object);
            if class != module || class.is_singleton() {
                let (path, class) = (ctx.sym_str(name), class.real(ctx).inspect(ctx));
                return Err(ctx.argument_error(&format!("prepended class {path} differs from class {class}")));
            }
            while let Some(module) = list.pop(ctx) {
                let Some(singleton) = Class::singleton_class(ctx, object) else {
                    return Err(ctx.type_error("can't define singleton"));
                };
                let module = ctx.expect(module)?;
                if singleton.prepend(ctx, module).is_err() {
                    return Err(ctx.argument_error("cyclic prepend detected"));
                }
            }
        }
        self.leave(ctx, object, mode.partial)
    }

    fn extend(&mut self, ctx: &mut Ctx, object: Value, module: Value) -> Result<()> {
        let Some(singleton) = Class::singleton_class(ctx, object) else {
            return Err(ctx.type_error("can't define singleton"));
        };
        let module = ctx.expect(module)?;
        match singleton.include(ctx, module) {
            Ok(()) => Ok(()),
            Err(_) => Err(ctx.argument_error("cyclic include detected")),
        }
    }

    fn user_class(&mut self, ctx: &mut Ctx, mode: Mode) -> Result {
        let name = self.symbol(ctx)?;
        let class = self.class(ctx, name)?;
        if class.is_singleton() {
            return Err(ctx.type_error("singleton can't be loaded"));
        }
        let kind = self.reader.byte(ctx)?;
        let is_hash = class.value() == ctx.classes().hash.get();
        if is_hash && matches!(kind, b'{' | b'}') {
            return self.hash(ctx, kind == b'}', true, mode.partial);
        }
        let inner = Mode { partial: mode.partial, variables: false, class: class.value(), extensions: mode.extensions };
        let (object, _) = self.object_of(ctx, kind, inner)?;
        let tag = object.header().map(|h| h.tag());
        if !matches!(tag, Some(Tag::String | Tag::Array | Tag::Hash | Tag::Regexp)) || !self.fits(ctx, object, class)? {
            return Err(ctx.argument_error("dump format error (user class)"));
        }
        if let Some(header) = object.header() {
            header.klass.set(class.value());
            ctx.write_barrier(object, class.value());
        }
        Ok(object)
    }

    /// Whether instances of `class` have the layout of `object`.
    fn fits(&mut self, ctx: &mut Ctx, object: Value, class: Class) -> Result<bool> {
        if class.inherits(ctx, ctx.class_of(object)) {
            return Ok(true);
        }
        let other = ctx.allocate(class)?;
        Ok(other.header().map(|h| h.tag()) == object.header().map(|h| h.tag()))
    }

    // -- numbers and strings --------------------------------------------------------------

    fn small(&mut self, ctx: &mut Ctx) -> Result {
        let n = self.reader.long(ctx)?;
        self.leave(ctx, Value::fixnum(n), false)
    }

    fn float(&mut self, ctx: &mut Ctx) -> Result {
        let f = self.reader.bytes(ctx, |_, text| parse_float(text))?;
        let f = ctx.float(f);
        self.enter(ctx, f);
        self.leave(ctx, f, false)
    }

    fn integer(&mut self, ctx: &mut Ctx) -> Result {
        let negative = match self.reader.byte(ctx)? {
            b'+' => false,
            b'-' => true,
            _ => return Err(ctx.argument_error("invalid Bignum sign")),
        };
        let words = self.reader.count(ctx, 2)?;
        let number = self.reader.exactly(ctx, words as i64 * 2, |_, bytes| read_integer(negative, bytes))?;
        let number = number.into_value(ctx);
        self.enter(ctx, number);
        self.leave(ctx, number, false)
    }

    fn regexp(&mut self, ctx: &mut Ctx, mode: Mode) -> Result {
        let source = self.reader.string(ctx)?;
        let options = self.reader.byte(ctx)?;
        let number = self.prepare(ctx);
        let encoded = mode.variables && self.variables(ctx, source.value(), &mut Builder::Plain)?;
        if !encoded {
            let old = without_old_escapes(source.bytes(ctx));
            source.set_bytes(ctx, &old);
        }
        let class = if mode.class.is_nil() { ctx.classes().regexp.get() } else { mode.class };
        let regexp = Regexp::new_empty(ctx, class);
        let made = regexp_from_string(ctx, source, options as u32)?;
        if let Some(state) = made.state(ctx).cloned() {
            regexp.init(ctx, state);
        }
        ctx.ivar_copy(source.value(), regexp.value());
        self.enter_at(ctx, number, regexp.value());
        self.leave(ctx, regexp.value(), mode.partial)
    }

    // -- containers -----------------------------------------------------------------------

    fn array(&mut self, ctx: &mut Ctx, partial: bool) -> Result {
        let len = self.reader.count(ctx, 1)?;
        let array = Array::with_capacity(ctx, self.reader.room_for(len, 1));
        self.enter(ctx, array.value());
        self.reader.readable += len as i64 - 1;
        for _ in 0..len {
            let item = self.object(ctx)?;
            array.push(ctx, item);
            self.reader.readable -= 1;
        }
        let object = self.leave(ctx, array.value(), partial)?;
        self.reader.readable += 1;
        Ok(object)
    }

    fn hash(&mut self, ctx: &mut Ctx, default: bool, identity: bool, partial: bool) -> Result {
        let len = self.reader.count(ctx, 2)?;
        let hash = Hash::with_capacity(ctx, self.reader.room_for(len, 2));
        if identity {
            hash.compare_by_identity(ctx)?;
        }
        self.enter(ctx, hash.value());
        self.reader.readable += (len as i64 - 1) * 2;
        for _ in 0..len {
            let key = self.object(ctx)?;
            let value = self.object(ctx)?;
            hash.store(ctx, key, value)?;
            self.reader.readable -= 2;
        }
        self.reader.readable += 2;
        if default {
            let default = self.object(ctx)?;
            hash.set_default(ctx, default);
        }
        self.leave(ctx, hash.value(), partial)
    }

    fn record(&mut self, ctx: &mut Ctx, partial: bool) -> Result {
        let number = self.prepare(ctx);
        let name = self.symbol(ctx)?;
        let class = self.class(ctx, name)?;
        let len = self.reader.count(ctx, 2)?;
        let record = ctx.allocate(class)?;
        let path = class.inspect(ctx);
        let Some(record) = Struct::try_of(record) else {
            return Err(ctx.type_error(&format!("class {path} not a struct")));
        };
        let members = members_of(ctx, class)?;
        if members.len() != len {
            return Err(ctx.type_error(&format!("struct {path} not compatible (struct size differs)")));
        }
        self.reader.readable += (len as i64 - 1) * 2;
        self.enter_at(ctx, number, record.value());
        for i in 0..len {
            let member = members.get(i).and_then(Value::as_symbol).unwrap_or(name);
            let given = self.symbol(ctx)?;
            if given != member {
                let (given, member) = (ctx.sym_str(given), ctx.sym_str(member));
                return Err(ctx.type_error(&format!("struct {path} not compatible (:{given} for :{member})")));
            }
            let value = self.object(ctx)?;
            record.set(ctx, i, value);
            self.reader.readable -= 2;
        }
        if ctx.is_a(record.value(), ctx.classes().data.get()) {
            record.header().set(flags::FROZEN);
        }
        let object = self.leave(ctx, record.value(), partial)?;
        self.reader.readable += 2;
        Ok(object)
    }

    // -- objects of the program -----------------------------------------------------------

    fn plain_object(&mut self, ctx: &mut Ctx, partial: bool) -> Result {
        let number = self.prepare(ctx);
        let name = self.symbol(ctx)?;
        let class = self.class(ctx, name)?;
        let mut builder;
        let object;
        if let Some(mut parts) = Builder::of_number(ctx, class.value()) {
            self.variables(ctx, Value::NIL, &mut parts)?;
            object = parts.number(ctx)?;
            self.enter_at(ctx, number, object);
            return self.leave(ctx, object, partial);
        }
        if class.name(ctx) == Some("Process::Status") {
            object = rubellite_core_process::wait::new_status_in(ctx, class.value());
            builder = Builder::Status { object, status: Value::NIL, pid: Value::NIL };
        } else {
            object = ctx.allocate(class)?;
            builder = match Builder::of(ctx, object) {
                Some(builder) => builder,
                None => return Err(ctx.argument_error("dump format error")),
            };
        }
        self.enter_at(ctx, number, object);
        self.variables(ctx, object, &mut builder)?;
        builder.finish(ctx)?;
        self.leave(ctx, object, partial)
    }

    fn by_load(&mut self, ctx: &mut Ctx, mode: Mode) -> Result {
        let name = self.symbol(ctx)?;
        if ctx.sym_bytes(name) == b"NameError::message" {
            // The message of a NameError that the runtime raised: the text itself.
            let text = self.reader.string(ctx)?;
            if mode.variables {
                self.variables(ctx, text.value(), &mut Builder::Plain)?;
            }
            return Ok(self.enter(ctx, text.value()));
        }
        let class = self.class(ctx, name)?;
        let load = ctx.intern("_load");
        if !ctx.respond_to(class.value(), load, true)? {
            let path = ctx.sym_str(name);
            return Err(ctx.type_error(&format!("class {path} needs to have method '_load'")));
        }
        let text = self.reader.string(ctx)?;
        if mode.variables {
            self.variables(ctx, text.value(), &mut Builder::Plain)?;
        }
        let mut object = self.program(ctx, class.value(), "_load", text.value())?;
        self.enter(ctx, object);
        if class.value() == ctx.classes().encoding.get() {
            let encoding = rubellite_core_text::to_encoding(ctx, object)?;
            object = rubellite_core_text::encoding_object(ctx, encoding);
        }
        if mode.partial {
            return Ok(object);
        }
        if let (true, Some(header)) = (self.freeze, object.header()) {
            header.set(flags::FROZEN);
        }
        self.show(ctx, object)
    }

    fn by_marshal_load(&mut self, ctx: &mut Ctx, mode: Mode) -> Result {
        let name = self.symbol(ctx)?;
        let class = self.class(ctx, name)?;
        if class.value() == ctx.classes().rational.get() || class.value() == ctx.classes().complex.get() {
            let number = self.prepare(ctx);
            let parts = self.object(ctx)?;
            let object = compat::number_of_parts(ctx, class.value(), parts)?;
            self.enter_at(ctx, number, object);
            ctx.ivar_copy(parts, object);
            return self.show(ctx, object);
        }
        let object = ctx.allocate(class)?;
        if let Some(list) = mode.extensions {
            for i in (0..list.len()).rev() {
                let module = list.get(i).unwrap_or(Value::NIL);
                self.extend(ctx, object, module)?;
            }
        }
        let load = ctx.intern("marshal_load");
        if !ctx.respond_to(object, load, true)? {
            let path = ctx.sym_str(name);
            return Err(ctx.type_error(&format!("instance of {path} needs to have method 'marshal_load'")));
        }
        self.enter(ctx, object);
        let content = self.object(ctx)?;
        self.program(ctx, object, "marshal_load", content)?;
        self.copy_variables(ctx, content, object)?;
        if let (true, Some(header)) = (self.freeze, object.header()) {
            header.set(flags::FROZEN);
        }
        let object = self.show(ctx, object)?;
        if let Some(list) = mode.extensions {
            list.clear(ctx);
        }
        Ok(object)
    }

    /// Variables of what `marshal_load` got that the object does not have.
    fn copy_variables(&mut self, ctx: &mut Ctx, from: Value, to: Value) -> Result<()> {
        if from.header().is_none_or(|h| h.shape() == 0) {
            return Ok(());
        }
        for (name, value) in ctx.ivar_pairs(from) {
            if ctx.ivar_get(to, name).is_undef() {
                ctx.check_frozen(to)?;
                ctx.ivar_set(to, name, value);
            }
        }
        Ok(())
    }

    fn data(&mut self, ctx: &mut Ctx, mode: Mode) -> Result {
        let name = self.symbol(ctx)?;
        let class = self.class(ctx, name)?;
        let object = ctx.allocate(class)?;
        if !object.has_tag(Tag::Data) && !object.has_tag(Tag::CData) {
            return Err(ctx.argument_error("dump format error"));
        }
        self.enter(ctx, object);
        let load = ctx.intern("_load_data");
        if !ctx.respond_to(object, load, true)? {
            let path = ctx.sym_str(name);
            return Err(ctx.type_error(&format!("class {path} needs to have instance method '_load_data'")));
        }
        let inner = Mode { partial: mode.partial, extensions: mode.extensions, ..WHOLE };
        let (content, _) = self.object_in(ctx, inner)?;
        self.program(ctx, object, "_load_data", content)?;
        self.leave(ctx, object, mode.partial)
    }

    /// A class or module itself.
    fn module_object(&mut self, ctx: &mut Ctx, kind: u8, mode: Mode) -> Result<Read> {
        let path = self.reader.string(ctx)?;
        let mut follow = mode.variables;
        if follow && kind != b'M' {
            let mut left = self.reader.long(ctx)?;
            if left > 0 {
                let name = self.symbol(ctx)?;
                let value = self.object(ctx)?;
                if let Some(encoding) = self.encoding(ctx, name, value)? {
                    path.set_encoding(encoding);
                    left -= 1;
                }
            }
            follow = left > 0;
        }
        let bytes = path.bytes(ctx).to_vec();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let object = class_at(ctx, &bytes)?;
        let word = match kind {
            b'c' => "class",
            b'm' => "module",
            _ => "class/module",
        };
        if kind != b'M' && ctx.expect::<Class>(object)?.is_module() != (kind == b'm') {
            return Err(ctx.argument_error(&format!("{text} does not refer to {word}")));
        }
        if follow {
            return Err(ctx.type_error(&format!("can't override instance variable of {word} '{text}'")));
        }
        self.enter(ctx, object);
        Ok((self.leave(ctx, object, mode.partial)?, false))
    }

    // -- variables ------------------------------------------------------------------------

    /// Reads variables into `object`; says whether one of them told an encoding.
    fn variables(&mut self, ctx: &mut Ctx, object: Value, builder: &mut Builder) -> Result<bool> {
        let count = self.reader.long(ctx)?;
        if let Some(class) = Class::try_of(object).filter(|_| count > 0) {
            let (kind, name) = (if class.is_module() { "module" } else { "class" }, class.inspect(ctx));
            return Err(ctx.type_error(&format!("can't override instance variable of {kind} '{name}'")));
        }
        let mut encoded = false;
        for _ in 0..count.max(0) {
            let name = self.symbol(ctx)?;
            let value = self.object(ctx)?;
            if builder.take(ctx, name, value) {
                continue;
            }
            if name == self.names.short || name == self.names.encoding {
                if let Some(encoding) = self.encoding(ctx, name, value)? {
                    set_encoding(ctx, object, encoding)?;
                    encoded = true;
                    continue;
                }
            } else if name == self.names.keywords {
                let Some(hash) = Hash::try_of(object) else {
                    let text = ctx.to_s(object)?.to_lossy(ctx).into_owned();
                    return Err(ctx.argument_error(&format!("ruby2_keywords flag is given but {text} is not a Hash")));
                };
                hash.set_ruby2_keywords(true);
                continue;
            }
            ctx.check_frozen(object)?;
            ctx.ivar_set(object, name, value);
        }
        Ok(encoded)
    }
}

fn set_encoding(ctx: &mut Ctx, object: Value, encoding: Encoding) -> Result<()> {
    match object.header().map(|h| h.tag()) {
        Some(Tag::String) => {
            let string: Str = ctx.expect(object)?;
            if string.encoding() != encoding {
                ctx.check_frozen(object)?;
                string.set_encoding(encoding);
            }
            Ok(())
        }
        Some(Tag::Regexp) => Ok(()),
        _ => {
            let text = ctx.to_s(object)?.to_lossy(ctx).into_owned();
            Err(ctx.argument_error(&format!("{text} is not enc_capable")))
        }
    }
}

/// Freezes a complete object; plain Strings become the one String of their content.
fn freeze(ctx: &mut Ctx, object: Value) -> Value {
    let Some(header) = object.header() else { return object };
    let plain = header.klass.get() == ctx.classes().string.get() && header.shape() == 0;
    if let Some(string) = Str::try_of(object).filter(|_| plain) {
        return ctx.interned(string).value();
    }
    if !Class::is(object) {
        header.set(flags::FROZEN);
    }
    object
}

/// A source of the time before encodings: escapes that meant the letter itself then are taken away.
fn without_old_escapes(source: &[u8]) -> Vec<u8> {
    const LETTERS: &[u8] = b"ghijklmoquypEFHIJKLNOPQRSTUVXY";
    let mut out = Vec::with_capacity(source.len());
    let mut escaped = false;
    for byte in source {
        if *byte == b'\\' {
            escaped = !escaped;
        } else {
            if escaped && LETTERS.contains(byte) {
                out.pop();
            }
            escaped = false;
        }
        out.push(*byte);
    }
    out
}
