//! `Marshal.dump`: objects to bytes.
//!
//! Invariant: a position in `links` is the number under which a later occurrence of the object is written, so every
//! object that a reader enters in its table is entered here at the same moment. The table holds addresses: they stay
//! true because what is being dumped hangs on the argument, until the program's own code runs; from then on `kept`
//! holds every object.

use super::number::{float_text, write_integer};
use super::{MAJOR, MINOR, compat};
use rubellite_core_collection::members_of;
use rubellite_core_object::marshal_words::write_long;
use rubellite_vm::class::Class;
use rubellite_vm::growing::Roomy;
use rubellite_vm::object::{Array, Float, Grow, Hash, Int, Regexp, SharedBytes, Str, Struct, TempArray};
use rubellite_vm::{Ctx, Encoding, Result, Sym, Tag, Value};
use rustc_hash::FxHashMap;

/// Objects between two safepoints, a millisecond or two. Shorter dumps are done in one go, as nobody expects others to
/// change what is being dumped; in longer ones each array and hash is written as it was when the first safepoint came.
const STEPS: u32 = 1 << 13;

/// Bytes are handed to an IO when this many have gathered.
const FLUSH: usize = 8192;

/// What is known about a class while no code of the program runs.
#[derive(Copy, Clone, Default)]
struct Known {
    /// Neither `marshal_dump` nor `_dump`, and nobody asks for them by `respond_to?`.
    plain: bool,
    /// The class's name, found to lead back to it.
    path: Option<Sym>,
}

pub struct Dumper {
    out: Vec<u8>,
    /// What comes before `out`, when long strings are not to be copied.
    pieces: Option<Vec<SharedBytes>>,
    port: Value,
    symbols: FxHashMap<Sym, u32>,
    links: FxHashMap<Value, u32>, // tidy: reachable from what is dumped, or in `kept`
    /// Number of the next object.
    count: u32,
    /// Names of encodings, each written as an object of its own: encoding number to link.
    encodings: Vec<(Encoding, u32)>,
    classes: FxHashMap<u64, Known>,
    /// Objects whose `_dump` is under way: its result has variables that lead back to them.
    under_dump: Vec<u64>,
    /// The arrays and hashes that are being written, the innermost last.
    open: Vec<Value>, // tidy: reachable from what is dumped, or in `kept`
    /// The elements, or the keys and values, of those that were open at a safepoint, as they were at the first one;
    /// and how many were open down to there.
    copies: Vec<(usize, Array, Array)>, // tidy: in `kept`
    /// The number of objects at which the next safepoint comes.
    pause_at: u32,
    kept: Option<TempArray>,
    names: Names,
}

struct Names {
    marshal_dump: Sym,
    dump: Sym,
    short: Sym,
    encoding: Sym,
    keywords: Sym,
}

/// Strings of this length and more are pieces of their own.
const PIECE_MIN: usize = 1024;

/// The bytes of `object` in pieces that follow each other; long strings are not copied, and are as they are now.
pub fn dump_pieces(ctx: &mut Ctx, object: Value) -> Result<Vec<SharedBytes>> {
    let mut dumper = Dumper::new(ctx, Value::NIL);
    dumper.pieces = Some(Vec::new());
    dumper.object(ctx, object, -1)?;
    let mut pieces = dumper.pieces.take().unwrap_or_default();
    pieces.push(SharedBytes::from_vec(dumper.out));
    Ok(pieces)
}

/// Writes `object` to `port`, or gives a String when it is nil. A `limit` that is not negative bounds the depth.
pub fn dump(ctx: &mut Ctx, object: Value, port: Value, limit: i64) -> Result {
    if !port.is_nil() {
        let (write, binmode) = (ctx.intern("write"), ctx.intern("binmode"));
        if !ctx.respond_to(port, write, false)? {
            return Err(super::io_needed(ctx));
        }
        ctx.check_call(port, binmode, &[])?;
    }
    let mut dumper = Dumper::new(ctx, port);
    dumper.object(ctx, object, limit)?;
    if port.is_nil() {
        return Ok(Str::from_vec(ctx, dumper.out, Encoding::BINARY).value());
    }
    dumper.flush(ctx)?;
    Ok(port)
}

impl Dumper {
    fn new(ctx: &mut Ctx, port: Value) -> Dumper {
        let names = Names {
            marshal_dump: ctx.intern("marshal_dump"),
            dump: ctx.intern("_dump"),
            short: ctx.intern("E"),
            encoding: ctx.intern("encoding"),
            keywords: ctx.intern("K"),
        };
        Dumper {
            out: vec![MAJOR, MINOR],
            pieces: None,
            port,
            symbols: FxHashMap::default(),
            links: FxHashMap::default(),
            count: 0,
            encodings: Vec::new(),
            classes: FxHashMap::default(),
            under_dump: Vec::new(),
            open: Vec::new(),
            copies: Vec::new(),
            pause_at: STEPS,
            kept: None,
            names,
        }
    }

    // -- bytes ----------------------------------------------------------------------------

    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        self.out.put_one(byte);
    }

    #[inline]
    pub(super) fn long(&mut self, n: usize) {
        write_long(&mut self.out, n as i64);
    }

    /// A length, refused beyond what the format holds.
    pub(super) fn length(&mut self, ctx: &mut Ctx, n: usize) -> Result<()> {
        if i32::try_from(n).is_err() {
            return Err(ctx.type_error("long too big to dump"));
        }
        self.long(n);
        Ok(())
    }

    fn bytes(&mut self, ctx: &mut Ctx, bytes: &[u8]) -> Result<()> {
        self.length(ctx, bytes.len())?;
        self.out.put(bytes);
        Ok(())
    }

    fn string_bytes(&mut self, ctx: &mut Ctx, string: Str) -> Result<()> {
        self.length(ctx, string.len())?;
        if let Some(pieces) = self.pieces.as_mut().filter(|_| string.len() >= PIECE_MIN) {
            pieces.push(SharedBytes::from_vec(std::mem::take(&mut self.out)));
            pieces.push(string.share(ctx));
            return Ok(());
        }
        // Room for what follows, too: a long buffer is not moved for a few bytes.
        self.out.make_room(string.len() + 64);
        self.out.put(string.bytes(ctx));
        if !self.port.is_nil() && self.out.len() >= FLUSH {
            self.flush(ctx)?;
        }
        Ok(())
    }

    fn flush(&mut self, ctx: &mut Ctx) -> Result<()> {
        let text = Str::from_vec(ctx, std::mem::take(&mut self.out), Encoding::BINARY);
        self.before_program(ctx);
        ctx.call_name(self.port, "write", &[text.value()])?;
        Ok(())
    }

    // -- tables ---------------------------------------------------------------------------

    /// Enters an object: the next number is its link.
    fn remember(&mut self, ctx: &mut Ctx, object: Value) {
        self.links.room_for(1);
        self.links.insert(object, self.count);
        self.count += 1;
        if let Some(kept) = self.kept {
            kept.push(ctx, object);
        }
    }

    /// Code of the program is about to run: objects may be dropped and made, methods defined.
    fn before_program(&mut self, ctx: &mut Ctx) {
        self.classes.clear();
        if self.kept.is_none() {
            let kept = TempArray::with_capacity(ctx, self.links.len());
            for object in self.links.keys() {
                kept.push(ctx, *object);
            }
            for symbol in self.symbols.keys() {
                kept.push(ctx, Value::symbol(*symbol));
            }
            self.kept = Some(kept);
        }
    }

    /// A safepoint. Other threads may change what is being written: its elements are noted before.
    #[cold]
    fn pause(&mut self, ctx: &mut Ctx) -> Result<()> {
        self.pause_at = self.count.saturating_add(STEPS);
        if !ctx.interrupted() {
            return Ok(());
        }
        self.before_program(ctx);
        let known = self.copies.last().map_or(0, |copy| copy.0);
        for depth in known..self.open.len() {
            let container = self.open[depth];
            let (first, second) = match (Hash::try_of(container), Array::try_of(container)) {
                (Some(hash), _) => {
                    let parts = (hash.keys(ctx), hash.values(ctx));
                    hash.iter_leave();
                    parts
                }
                (_, Some(array)) => {
                    let copy = array.dup(ctx);
                    (copy, copy)
                }
                _ => continue,
            };
            if let Some(kept) = self.kept {
                kept.push(ctx, first.value());
                kept.push(ctx, second.value());
            }
            self.copies.push((depth + 1, first, second));
        }
        ctx.check_interrupts()
    }

    /// What the innermost open container was at the first safepoint, if there was one.
    #[inline(always)]
    fn copy(&self) -> Option<(Array, Array)> {
        let (depth, first, second) = *self.copies.last()?;
        (depth == self.open.len()).then_some((first, second))
    }

    /// Closes the innermost container. True: nobody was let in meanwhile.
    fn close(&mut self) -> bool {
        let copied = self.copy().is_some();
        if copied {
            self.copies.pop();
        }
        self.open.pop();
        !copied
    }

    /// Calls a method of the program.
    pub(super) fn call(&mut self, ctx: &mut Ctx, object: Value, name: Sym, args: &[Value]) -> Result {
        self.before_program(ctx);
        let result = ctx.call(object, name, args)?;
        if let Some(kept) = self.kept {
            kept.push(ctx, result);
        }
        Ok(result)
    }

    fn known(&self, class: Value) -> Known {
        self.classes.get(&class.bits()).copied().unwrap_or_default()
    }

    // -- symbols and names ----------------------------------------------------------------

    /// A symbol, or the number of one that was written before.
    pub(super) fn symbol(&mut self, ctx: &mut Ctx, symbol: Sym) -> Result<()> {
        if let Some(number) = self.symbols.get(&symbol) {
            self.out.push(b';');
            write_long(&mut self.out, *number as i64);
            return Ok(());
        }
        let encoding = ctx.sym_encoding(symbol);
        let tagged = encoding != Encoding::BINARY && encoding != Encoding::US_ASCII;
        if tagged {
            self.byte(b'I');
        }
        self.byte(b':');
        let bytes = ctx.sym_bytes(symbol).to_vec();
        self.bytes(ctx, &bytes)?;
        self.symbols.room_for(1);
        self.symbols.insert(symbol, self.symbols.len() as u32);
        if tagged {
            self.long(1);
            self.encoding(ctx, encoding)?;
        }
        Ok(())
    }

    /// The variable that tells an encoding: `E` for UTF-8 and US-ASCII, else its name.
    fn encoding(&mut self, ctx: &mut Ctx, encoding: Encoding) -> Result<()> {
        if encoding == Encoding::UTF_8 || encoding == Encoding::US_ASCII {
            self.symbol(ctx, self.names.short)?;
            self.byte(if encoding == Encoding::UTF_8 { b'T' } else { b'F' });
            return Ok(());
        }
        self.symbol(ctx, self.names.encoding)?;
        if let Some((_, number)) = self.encodings.iter().find(|(known, _)| *known == encoding) {
            self.out.push(b'@');
            write_long(&mut self.out, *number as i64);
            return Ok(());
        }
        self.encodings.push((encoding, self.count));
        self.count += 1;
        self.byte(b'"');
        self.bytes(ctx, encoding.name().as_bytes())
    }

    /// The name of a class or module, which must lead back to it.
    fn path_of(&mut self, ctx: &mut Ctx, class: Class) -> Result<Sym> {
        if let Some(path) = self.known(class.value()).path {
            return Ok(path);
        }
        let path = class.inspect(ctx);
        if path.starts_with('#') {
            let kind = if class.is_module() { "module" } else { "class" };
            return Err(ctx.type_error(&format!("can't dump anonymous {kind} {path}")));
        }
        if rubellite_core_text::class_at(ctx, path.as_bytes())? != class.value() {
            return Err(ctx.type_error(&format!("{path} can't be referred to")));
        }
        let path = ctx.intern_str(&path);
        self.classes.entry(class.value().bits()).or_default().path = Some(path);
        Ok(path)
    }

    /// The modules that extend the object itself. Methods of its own cannot be dumped.
    fn extensions(&mut self, ctx: &mut Ctx, object: Value) -> Result<()> {
        let singleton = ctx.dispatch_class(object);
        if !singleton.is_singleton() {
            return Ok(());
        }
        if !singleton.data(ctx).methods.is_empty() || !ctx.ivar_pairs(singleton.value()).is_empty() {
            return Err(ctx.type_error("singleton can't be dumped"));
        }
        let chain = singleton.data(ctx).chain.clone(); // tidy: rooted by the singleton class
        let own = chain.iter().position(|m| *m == singleton).unwrap_or(0);
        for (i, &module) in chain.iter().enumerate() {
            // Modules in front are told from the others by the class's own name behind them.
            let named = match i == own {
                true if own == 0 => continue,
                true => singleton.real(ctx),
                false => module,
            };
            self.byte(b'e');
            let path = named.inspect(ctx);
            if path.starts_with('#') {
                return Err(ctx.type_error(&format!("can't dump anonymous class {path}")));
            }
            let path = ctx.intern_str(&path);
            self.symbol(ctx, path)?;
        }
        Ok(())
    }

    /// A type byte and the name of the object's class.
    pub(super) fn class(&mut self, ctx: &mut Ctx, kind: u8, object: Value, extensions: bool) -> Result<()> {
        if extensions {
            self.extensions(ctx, object)?;
        }
        self.byte(kind);
        let class = ctx.real_class(object);
        let path = self.path_of(ctx, class)?;
        self.symbol(ctx, path)
    }

    /// The class of a String, Array ... when it is a subclass.
    fn user_class(&mut self, ctx: &mut Ctx, object: Value, base: Value) -> Result<()> {
        if ctx.class_of(object) == base {
            return Ok(());
        }
        self.extensions(ctx, object)?;
        let class = ctx.real_class(object);
        if class.value() != base {
            self.byte(b'C');
            let path = self.path_of(ctx, class)?;
            self.symbol(ctx, path)?;
        }
        Ok(())
    }

    // -- objects --------------------------------------------------------------------------

    /// Any object.
    pub(super) fn object(&mut self, ctx: &mut Ctx, object: Value, limit: i64) -> Result<()> {
        if limit == 0 {
            return Err(ctx.argument_error("exceed depth limit"));
        }
        if object.is_immediate() && !object.is_flonum() {
            self.immediate(ctx, object)?;
        } else if let Some(number) = self.links.get(&object) {
            self.out.push(b'@');
            write_long(&mut self.out, *number as i64);
        } else if object.is_flonum() {
            self.remember(ctx, object);
            self.float(object.as_flonum_unchecked());
        } else {
            ctx.check_native_stack()?;
            if self.count >= self.pause_at {
                self.pause(ctx)?;
            }
            self.heap_object(ctx, object, if limit > 0 { limit - 1 } else { limit })?;
        }
        if !self.port.is_nil() && self.out.len() >= FLUSH {
            self.flush(ctx)?;
        }
        Ok(())
    }

    fn immediate(&mut self, ctx: &mut Ctx, object: Value) -> Result<()> {
        if let Some(n) = object.as_fixnum() {
            // Like CRuby's, numbers of more than 31 bits are big integers, without a link of their own.
            if (-(1 << 30)..1 << 30).contains(&n) {
                self.byte(b'i');
                write_long(&mut self.out, n);
            } else {
                self.byte(b'l');
                write_integer(&mut self.out, n < 0, &[n.unsigned_abs()]);
                self.count += 1;
            }
            return Ok(());
        }
        match object.as_symbol() {
            Some(symbol) => {
                if let Some(kept) = self.kept {
                    kept.push(ctx, object);
                }
                self.symbol(ctx, symbol)
            }
            None => {
                self.byte(match object {
                    Value::TRUE => b'T',
                    Value::FALSE => b'F',
                    _ => b'0',
                });
                Ok(())
            }
        }
    }

    fn float(&mut self, f: f64) {
        self.byte(b'f');
        let text = float_text(f);
        self.long(text.len());
        self.out.put(text.as_bytes());
    }

    fn heap_object(&mut self, ctx: &mut Ctx, object: Value, limit: i64) -> Result<()> {
        let class = ctx.class_of(object);
        if !self.known(class).plain {
            if ctx.respond_to(object, self.names.marshal_dump, true)? {
                return self.by_marshal_dump(ctx, object, limit);
            }
            if ctx.respond_to(object, self.names.dump, true)? {
                return self.by_dump(ctx, object, limit);
            }
            let names = ctx.names();
            let asks = ctx.overridden(object, names.respond_to) || ctx.overridden(object, names.respond_to_missing);
            if !asks {
                self.classes.entry(class.bits()).or_default().plain = true;
            }
        }
        self.remember(ctx, object);
        self.plain_object(ctx, object, limit)
    }

    fn by_marshal_dump(&mut self, ctx: &mut Ctx, object: Value, limit: i64) -> Result<()> {
        self.remember(ctx, object);
        let content = self.call(ctx, object, self.names.marshal_dump, &[])?;
        self.check_other(ctx, object, content, "marshal_dump")?;
        self.class(ctx, b'U', object, false)?;
        self.object(ctx, content, limit)
    }

    fn check_other(&mut self, ctx: &mut Ctx, object: Value, content: Value, method: &str) -> Result<()> {
        if ctx.class_of(object) == ctx.class_of(content) {
            let class = ctx.dispatch_class(object).inspect(ctx);
            return Err(ctx.runtime_error(&format!("{class}#{method} returned same class instance")));
        }
        Ok(())
    }

    fn by_dump(&mut self, ctx: &mut Ctx, object: Value, limit: i64) -> Result<()> {
        if self.under_dump.contains(&object.bits()) {
            return Err(ctx.runtime_error("can't dump recursive object using _dump()"));
        }
        let text = self.call(ctx, object, self.names.dump, &[Value::fixnum(limit)])?;
        self.check_other(ctx, object, text, "_dump")?;
        let Some(string) = Str::try_of(text) else {
            return Err(ctx.type_error("_dump() must return string"));
        };
        let plain =
            matches!(object.header().map(|h| h.tag()), Some(Tag::Object | Tag::Class | Tag::Module | Tag::Exception));
        let own = if plain { 0 } else { self.variable_count(ctx, object)? };
        let theirs = self.variable_count(ctx, text)?;
        let (bearer, count) = if theirs > 0 { (text, theirs) } else { (object, own) };
        if count > 0 {
            self.byte(b'I');
        }
        self.class(ctx, b'u', object, false)?;
        self.string_bytes(ctx, string)?;
        if count > 0 {
            self.under_dump.push(object.bits());
            self.variables(ctx, bearer, count, limit)?;
            self.under_dump.pop();
        }
        self.remember(ctx, object);
        Ok(())
    }

    fn plain_object(&mut self, ctx: &mut Ctx, object: Value, limit: i64) -> Result<()> {
        let tag = object.header().map_or(Tag::Object, |h| h.tag());
        if matches!(tag, Tag::Object | Tag::Class | Tag::Module | Tag::Exception) {
            return self.without_variables(ctx, object, tag, limit);
        }
        let count = self.variable_count(ctx, object)?;
        if count > 0 {
            self.byte(b'I');
        }
        self.without_variables(ctx, object, tag, limit)?;
        if count > 0 {
            self.variables(ctx, object, count, limit)?;
        }
        Ok(())
    }

    /// The object itself; variables that do not belong to its kind follow.
    fn without_variables(&mut self, ctx: &mut Ctx, object: Value, tag: Tag, limit: i64) -> Result<()> {
        let classes = ctx.classes();
        match tag {
            Tag::String => {
                self.user_class(ctx, object, classes.string.get())?;
                self.byte(b'"');
                let string = ctx.expect(object)?;
                self.string_bytes(ctx, string)
            }
            Tag::Array => {
                let ary = ctx.expect(object)?;
                self.array(ctx, ary, limit)
            }
            Tag::Hash => {
                let hash = ctx.expect(object)?;
                self.hash(ctx, hash, limit)
            }
            Tag::Object if !compat::is_native(ctx, object) => {
                self.class(ctx, b'o', object, true)?;
                let names = compat::variable_names(ctx, object)?;
                self.long(names.len());
                self.named_variables(ctx, object, &names, limit)
            }
            Tag::Float => {
                self.float(ctx.expect::<Float>(object)?.get());
                Ok(())
            }
            Tag::Bignum => {
                self.byte(b'l');
                let n = Int::try_of(object).unwrap_or(Int::ZERO);
                if write_integer(&mut self.out, n.is_negative(), &n.magnitude_words()) {
                    return Ok(());
                }
                Err(ctx.type_error("too big Bignum can't be dumped"))
            }
            Tag::Struct => {
                let record = ctx.expect(object)?;
                self.record(ctx, record, limit)
            }
            Tag::Regexp => self.regexp(ctx, object),
            Tag::Class | Tag::Module => {
                let module = ctx.expect(object)?;
                self.module(ctx, module)
            }
            _ => compat::dump(self, ctx, object, limit),
        }
    }

    fn array(&mut self, ctx: &mut Ctx, array: Array, limit: i64) -> Result<()> {
        self.user_class(ctx, array.value(), ctx.classes().array.get())?;
        self.byte(b'[');
        let len = array.len();
        self.length(ctx, len)?;
        self.open.push(array.value());
        let written = self.elements(ctx, array, len, limit);
        self.close();
        written
    }

    fn elements(&mut self, ctx: &mut Ctx, array: Array, len: usize, limit: i64) -> Result<()> {
        for i in 0..len {
            // Numbers and symbols do not count as objects.
            if i % STEPS as usize == STEPS as usize - 1 {
                self.pause(ctx)?;
            }
            let source = self.copy().map_or(array, |(copy, _)| copy);
            let item = source.get(i).unwrap_or(Value::NIL);
            self.object(ctx, item, limit)?;
            if self.copy().is_none() && array.len() != len {
                return Err(ctx.runtime_error("array modified during dump"));
            }
        }
        Ok(())
    }

    fn hash(&mut self, ctx: &mut Ctx, hash: Hash, limit: i64) -> Result<()> {
        self.user_class(ctx, hash.value(), ctx.classes().hash.get())?;
        if hash.default_proc().is_some() {
            return Err(ctx.type_error("can't dump hash with default proc"));
        }
        let default = hash.default_value();
        self.hash_body(ctx, hash, default, None, limit)
    }

    /// The entries of a hash and its default value. With `value` it stands for the value of every entry.
    pub(super) fn hash_body(
        &mut self,
        ctx: &mut Ctx,
        hash: Hash,
        default: Value,
        value: Option<Value>,
        limit: i64,
    ) -> Result<()> {
        if hash.is_identity() {
            self.byte(b'C');
            let name = ctx.intern("Hash");
            self.symbol(ctx, name)?;
        }
        self.byte(if default.is_nil() { b'{' } else { b'}' });
        self.length(ctx, hash.len())?;
        hash.iter_enter();
        self.open.push(hash.value());
        let written = self.entries(ctx, hash, value, limit);
        if self.close() {
            hash.iter_leave();
        }
        written?;
        if default.is_nil() { Ok(()) } else { self.object(ctx, default, limit) }
    }

    fn entries(&mut self, ctx: &mut Ctx, hash: Hash, value: Option<Value>, limit: i64) -> Result<()> {
        let mut position = 0;
        for number in 0.. {
            if number % STEPS as usize == STEPS as usize - 1 {
                self.pause(ctx)?;
            }
            let (key, own) = match self.copy() {
                Some((keys, values)) => match keys.get(number).zip(values.get(number)) {
                    Some(entry) => entry,
                    None => break,
                },
                None => match hash.next_entry(ctx, position) {
                    Some(entry) => {
                        position = entry.position + 1;
                        (entry.key, entry.value)
                    }
                    None => break,
                },
            };
            self.object(ctx, key, limit)?;
            self.object(ctx, value.unwrap_or(own), limit)?;
        }
        Ok(())
    }

    /// An object that travels as a plain one of its class: how many variables follow.
    pub(super) fn object_head(&mut self, ctx: &mut Ctx, object: Value, variables: usize) -> Result<()> {
        self.class(ctx, b'o', object, true)?;
        self.long(variables);
        Ok(())
    }

    /// One variable of an object.
    pub(super) fn variable(&mut self, ctx: &mut Ctx, name: &'static str, value: Value, limit: i64) -> Result<()> {
        let name = ctx.intern(name);
        self.symbol(ctx, name)?;
        self.object(ctx, value, limit)
    }

    /// Enters an object that exists only in the bytes.
    pub(super) fn skip_number(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }

    fn record(&mut self, ctx: &mut Ctx, record: Struct, limit: i64) -> Result<()> {
        self.class(ctx, b'S', record.value(), true)?;
        let class = ctx.real_class(record.value());
        let members = members_of(ctx, class)?;
        self.long(record.len());
        for i in 0..record.len() {
            let name = members.get(i).and_then(Value::as_symbol).unwrap_or(self.names.short);
            self.symbol(ctx, name)?;
            self.object(ctx, record.get(i).unwrap_or(Value::NIL), limit)?;
        }
        Ok(())
    }

    fn regexp(&mut self, ctx: &mut Ctx, object: Value) -> Result<()> {
        self.user_class(ctx, object, ctx.classes().regexp.get())?;
        let Some(state) = ctx.expect::<Regexp>(object)?.state(ctx) else {
            return Err(ctx.type_error("uninitialized Regexp"));
        };
        let (source, options) = (state.source.clone(), state.options as u8);
        self.byte(b'/');
        self.bytes(ctx, &source)?;
        self.byte(options);
        Ok(())
    }

    fn module(&mut self, ctx: &mut Ctx, class: Class) -> Result<()> {
        if class.is_singleton() {
            return Err(ctx.type_error("singleton class can't be dumped"));
        }
        let path = self.path_of(ctx, class)?;
        let tagged = !ctx.sym_bytes(path).is_ascii();
        if tagged {
            self.byte(b'I');
        }
        self.byte(if class.is_module() { b'm' } else { b'c' });
        let bytes = ctx.sym_bytes(path).to_vec();
        self.bytes(ctx, &bytes)?;
        if tagged {
            self.long(1);
            self.encoding(ctx, ctx.sym_encoding(path))?;
        }
        Ok(())
    }

    // -- variables ------------------------------------------------------------------------

    /// The encoding that is told about an object; nothing for bytes without one.
    fn encoding_of(ctx: &Ctx, object: Value) -> Option<Encoding> {
        let encoding = match object.header()?.tag() {
            Tag::String => Str::try_of(object)?.encoding(),
            Tag::Regexp => Regexp::try_of(object)?.state(ctx)?.encoding,
            _ => return None,
        };
        Some(encoding).filter(|e| *e != Encoding::BINARY)
    }

    /// How many variables are written beside what belongs to the object's kind.
    fn variable_count(&self, ctx: &mut Ctx, object: Value) -> Result<usize> {
        let encoding = Dumper::encoding_of(ctx, object).is_some() as usize;
        let keywords = Hash::try_of(object).is_some_and(Hash::is_ruby2_keywords) as usize;
        let more = match object.header() {
            Some(header) if header.shape() != 0 => compat::variable_names(ctx, object)?.len(),
            _ => 0,
        };
        Ok(encoding + keywords + more)
    }

    fn variables(&mut self, ctx: &mut Ctx, object: Value, count: usize, limit: i64) -> Result<()> {
        self.long(count);
        if let Some(encoding) = Dumper::encoding_of(ctx, object) {
            self.encoding(ctx, encoding)?;
        }
        if Hash::try_of(object).is_some_and(Hash::is_ruby2_keywords) {
            self.symbol(ctx, self.names.keywords)?;
            self.byte(b'T');
        }
        if object.header().is_some_and(|h| h.shape() != 0) {
            let names = compat::variable_names(ctx, object)?;
            self.named_variables(ctx, object, &names, limit)?;
        }
        Ok(())
    }

    /// Variables of `object` by name, with the values that they have before the first of them is written: the program
    /// may change and remove some while it is asked how others are dumped.
    pub(super) fn named_variables(&mut self, ctx: &mut Ctx, object: Value, names: &[Sym], limit: i64) -> Result<()> {
        const FEW: usize = 8;
        let mut few = [Value::NIL; FEW];
        let many = if names.len() > FEW { Some(TempArray::new(ctx)) } else { None };
        for (index, name) in names.iter().enumerate() {
            let value = ctx.ivar_get(object, *name).defined().unwrap_or(Value::NIL);
            match many {
                Some(values) => values.push(ctx, value),
                None => few[index] = value,
            }
        }
        for (index, name) in names.iter().enumerate() {
            self.symbol(ctx, *name)?;
            let value = many.map_or_else(|| few[index], |values| values.get(index).unwrap_or(Value::NIL));
            self.object(ctx, value, limit)?;
        }
        Ok(())
    }
}
