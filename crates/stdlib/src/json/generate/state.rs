//! JSON: options of writing, and the object that holds them (`JSON::State`).

use super::writer::Writer;
use rubellite_vm::object::{Data, Hash, NativeData, Proc, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, flags, method, primitive, private_method};

pub static STATE: ClassDef = ClassDef {
    name: "JSON::Ext::Generator::State",
    alloc: Some(allocate),
    singleton_methods: &[
        method("from_state", Arity::exact(1), from_state),
        method("generate", Arity::range(2, 3), generate_with),
        method("_generate_no_fallback", Arity::range(2, 3), generate_plain_with),
    ],
    methods: &[
        private_method("initialize_copy", Arity::exact(1), initialize_copy),
        private_method("_configure", Arity::exact(1), configure),
        method("generate", Arity::range(1, 2), generate),
        method("_generate_no_fallback", Arity::range(1, 2), generate_plain),
        method("indent", Arity::NONE, |ctx, recv: Value, _| text_option(ctx, recv, |o| &o.indent)),
        method("space", Arity::NONE, |ctx, recv: Value, _| text_option(ctx, recv, |o| &o.space)),
        method("space_before", Arity::NONE, |ctx, recv: Value, _| text_option(ctx, recv, |o| &o.space_before)),
        method("object_nl", Arity::NONE, |ctx, recv: Value, _| text_option(ctx, recv, |o| &o.object_nl)),
        method("array_nl", Arity::NONE, |ctx, recv: Value, _| text_option(ctx, recv, |o| &o.array_nl)),
        method("as_json", Arity::NONE, |ctx, recv: Value, _| {
            value_option(ctx, recv, |o| if o.as_json.is_nil() { Value::FALSE } else { o.as_json })
        }),
        method("sort_keys", Arity::NONE, |ctx, recv: Value, _| {
            value_option(ctx, recv, |o| if o.sort_keys.is_nil() { Value::FALSE } else { o.sort_keys })
        }),
        method("max_nesting", Arity::NONE, |ctx, recv: Value, _| {
            value_option(ctx, recv, |o| Value::fixnum(o.max_nesting))
        }),
        method("depth", Arity::NONE, |ctx, recv: Value, _| value_option(ctx, recv, |o| Value::fixnum(o.depth))),
        method("buffer_initial_length", Arity::NONE, |ctx, recv: Value, _| {
            value_option(ctx, recv, |o| Value::fixnum(o.buffer_initial_length))
        }),
        method("script_safe", Arity::NONE, |ctx, recv: Value, _| {
            value_option(ctx, recv, |o| Value::from_bool(o.script_safe))
        }),
        method("script_safe?", Arity::NONE, |ctx, recv: Value, _| {
            value_option(ctx, recv, |o| Value::from_bool(o.script_safe))
        }),
        method("strict", Arity::NONE, |ctx, recv: Value, _| value_option(ctx, recv, |o| Value::from_bool(o.strict))),
        method("strict?", Arity::NONE, |ctx, recv: Value, _| value_option(ctx, recv, |o| Value::from_bool(o.strict))),
        method("check_circular?", Arity::NONE, |ctx, recv: Value, _| {
            value_option(ctx, recv, |o| Value::from_bool(o.max_nesting != 0))
        }),
        method("allow_nan?", Arity::NONE, |ctx, recv: Value, _| {
            value_option(ctx, recv, |o| Value::from_bool(o.allow_nan))
        }),
        method("ascii_only?", Arity::NONE, |ctx, recv: Value, _| {
            value_option(ctx, recv, |o| Value::from_bool(o.ascii_only))
        }),
        private_method("allow_duplicate_key?", Arity::NONE, |ctx, recv: Value, _| {
            value_option(ctx, recv, |o| o.duplicate_key)
        }),
    ],
    primitives: &[primitive("json_state_set", Arity::exact(2), set)],
    ..ClassDef::EMPTY
};

/// Options of writing.
#[derive(Clone)]
pub struct Options {
    pub indent: Vec<u8>,
    pub space: Vec<u8>,
    pub space_before: Vec<u8>,
    pub object_nl: Vec<u8>,
    pub array_nl: Vec<u8>,
    /// 0: no limit.
    pub max_nesting: i64,
    pub depth: i64,
    pub buffer_initial_length: i64,
    pub allow_nan: bool,
    pub ascii_only: bool,
    pub script_safe: bool,
    pub strict: bool,
    /// Makes something that can be written of other objects; nil for none.
    pub as_json: Value,
    /// Orders a Hash; nil for none.
    pub sort_keys: Value,
    /// What a key twice is: true accepted, nil a warning, false an error.
    pub duplicate_key: Value,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            indent: Vec::new(),
            space: Vec::new(),
            space_before: Vec::new(),
            object_nl: Vec::new(),
            array_nl: Vec::new(),
            max_nesting: 100,
            depth: 0,
            buffer_initial_length: 1024,
            allow_nan: false,
            ascii_only: false,
            script_safe: false,
            strict: false,
            as_json: Value::NIL,
            sort_keys: Value::NIL,
            duplicate_key: Value::NIL,
        }
    }
}

impl NativeData for Options {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.as_json);
        visit(self.sort_keys);
    }

    fn frozen_shareable(&self) -> bool {
        true
    }
}

impl Options {
    /// The options of a State or a Hash; the defaults for anything else.
    pub fn from_value(ctx: &mut Ctx, given: Value) -> Result<Options> {
        if let Some(options) = Data::state_of::<Options>(ctx, given) {
            return Ok(options.clone());
        }
        let mut options = Options::default();
        if let Some(hash) = Hash::try_of(given) {
            options.configure(ctx, hash)?;
        }
        Ok(options)
    }

    fn configure(&mut self, ctx: &mut Ctx, hash: Hash) -> Result<()> {
        let mut position = 0;
        while let Some(entry) = hash.next_entry(ctx, position) {
            position = entry.position + 1;
            if let Some(name) = entry.key.as_symbol() {
                let name = ctx.sym_bytes(name).to_vec();
                self.set(ctx, &name, entry.value)?;
            }
        }
        Ok(())
    }

    fn set(&mut self, ctx: &mut Ctx, name: &[u8], value: Value) -> Result<()> {
        let on = value.truthy();
        match name {
            b"indent" => self.indent = text(ctx, value)?,
            b"space" => self.space = text(ctx, value)?,
            b"space_before" => self.space_before = text(ctx, value)?,
            b"object_nl" => self.object_nl = text(ctx, value)?,
            b"array_nl" => self.array_nl = text(ctx, value)?,
            b"max_nesting" => self.max_nesting = if on { ctx.to_int(value)? } else { 0 },
            b"depth" => self.depth = depth(ctx, value)?,
            b"buffer_initial_length" => {
                let Some(length) = value.as_fixnum() else { return Err(wrong_type(ctx, value, "Integer")) };
                if length > 0 {
                    self.buffer_initial_length = length;
                }
            }
            b"allow_nan" => self.allow_nan = on,
            b"ascii_only" => self.ascii_only = on,
            b"script_safe" | b"escape_slash" => self.script_safe = on,
            b"strict" => self.strict = on,
            b"allow_duplicate_key" => self.duplicate_key = Value::from_bool(on),
            b"as_json" => self.as_json = if on { to_proc(ctx, value)? } else { Value::NIL },
            b"sort_keys" => self.sort_keys = sorter(ctx, value)?,
            _ => {}
        }
        Ok(())
    }
}

fn wrong_type(ctx: &mut Ctx, value: Value, expected: &str) -> rubellite_vm::Unwind {
    let name = ctx.describe_for_conversion(value);
    ctx.type_error(&format!("wrong argument type {name} (expected {expected})"))
}

fn text(ctx: &mut Ctx, value: Value) -> Result<Vec<u8>> {
    if !value.truthy() {
        return Ok(Vec::new());
    }
    match Str::try_of(value) {
        Some(string) => Ok(string.bytes(ctx).to_vec()),
        None => Err(wrong_type(ctx, value, "String")),
    }
}

fn depth(ctx: &mut Ctx, value: Value) -> Result<i64> {
    if !value.truthy() {
        return Ok(0);
    }
    let depth = ctx.to_int(value)?;
    if depth < 0 {
        return Err(ctx.argument_error(&format!("depth must be >= 0 (got {depth})")));
    }
    if depth > i32::MAX as i64 {
        return Err(ctx.argument_error(&format!("depth is too large (got {depth})")));
    }
    Ok(depth)
}

fn to_proc(ctx: &mut Ctx, value: Value) -> Result {
    if Proc::try_of(value).is_some() {
        return Ok(value);
    }
    let name = ctx.names().to_proc;
    match ctx.check_call(value, name, &[])? {
        Some(proc) if Proc::try_of(proc).is_some() => Ok(proc),
        Some(got) => Err(ctx.bad_conversion(value, got, "Proc", "to_proc")),
        None => {
            let from = ctx.describe_for_conversion(value);
            Err(ctx.type_error(&format!("can't convert {from} into Proc")))
        }
    }
}

fn sorter(ctx: &mut Ctx, value: Value) -> Result {
    if Proc::try_of(value).is_some() {
        return Ok(value);
    }
    match value {
        Value::TRUE => {
            let class = ctx.named_class("JSON::Ext::Generator::State")?.value();
            ctx.call_name(class, "default_sort_keys_proc", &[])
        }
        Value::NIL | Value::FALSE => Ok(Value::NIL),
        _ => Err(ctx.type_error("The `sort_keys` argument must be a boolean or a Proc")),
    }
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, Options::default()).value())
}

/// A new State with these options.
pub fn new_state(ctx: &mut Ctx, options: &Options) -> Result {
    let class = ctx.named_class("JSON::Ext::Generator::State")?.value();
    Ok(Data::new(ctx, class, options.clone()).value())
}

/// Changes the depth of a State.
pub fn set_depth(ctx: &mut Ctx, state: Value, depth: i64) {
    let Some(data) = Data::try_of(state) else { return };
    if let Some(mut options) = data.take::<Options>(ctx) {
        options.depth = depth;
        data.install(ctx, *options);
    }
}

fn initialize_copy(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    let options = options_of(ctx, args.at(0));
    data.install(ctx, options);
    Ok(data.value())
}

fn options_of(ctx: &Ctx, state: Value) -> Options {
    Data::state_of::<Options>(ctx, state).cloned().unwrap_or_default()
}

/// `State.from_state(state, hash or anything)`
fn from_state(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let given = args.at(0);
    if ctx.is_a(given, recv) {
        return Ok(given);
    }
    let new = ctx.names().new;
    let options = if given.has_tag(rubellite_vm::Tag::Hash) { &[given][..] } else { &[] };
    ctx.call(recv, new, options)
}

fn configure(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    ctx.check_frozen(data.value())?;
    let mut options = options_of(ctx, data.value());
    if let Some(hash) = Hash::try_of(args.at(0)) {
        options.configure(ctx, hash)?;
    }
    data.install(ctx, options);
    Ok(data.value())
}

/// `json_state_set(name, value)`: the writers of the Ruby part.
fn set(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    ctx.check_frozen(data.value())?;
    let mut options = options_of(ctx, data.value());
    let name = ctx.to_symbol(args.at(0))?;
    let name = ctx.sym_bytes(name).to_vec();
    options.set(ctx, &name, args.at(1))?;
    data.install(ctx, options);
    Ok(args.at(1))
}

fn text_option(ctx: &mut Ctx, recv: Value, pick: fn(&Options) -> &Vec<u8>) -> Result {
    let bytes = Data::state_of::<Options>(ctx, recv).map_or(Vec::new(), |options| pick(options).clone());
    let text = Str::from_vec(ctx, bytes, Encoding::UTF_8);
    text.header().set(flags::FROZEN);
    Ok(text.value())
}

fn value_option(ctx: &mut Ctx, recv: Value, pick: fn(&Options) -> Value) -> Result {
    Ok(Data::state_of::<Options>(ctx, recv).map_or(Value::NIL, pick))
}

/// The text, or the IO that it was written to.
fn deliver(ctx: &mut Ctx, text: Value, io: Value) -> Result {
    if io.is_nil() {
        return Ok(text);
    }
    let write = ctx.names().write;
    ctx.call(io, write, &[text])?;
    Ok(io)
}

/// `state.generate(object, io = nil)`
fn generate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let options = options_of(ctx, recv);
    let text = Writer::new(options).text(ctx, args.at(0), true)?;
    deliver(ctx, text, args.at(1))
}

fn generate_plain(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let options = options_of(ctx, recv);
    let text = Writer::new(options).text(ctx, args.at(0), false)?;
    deliver(ctx, text, args.at(1))
}

/// `State.generate(object, options, io)`
fn generate_with(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    write_with(ctx, recv, args, true)
}

fn generate_plain_with(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    write_with(ctx, recv, args, false)
}

fn write_with(ctx: &mut Ctx, _recv: Value, args: Args, fallback: bool) -> Result {
    let mut options = Options::default();
    let given = args.at(1);
    if given.truthy() {
        let hash = match Hash::try_of(given) {
            Some(hash) => hash,
            None => convert_to_hash(ctx, given)?,
        };
        options.configure(ctx, hash)?;
    }
    let text = Writer::new(options).text(ctx, args.at(0), fallback)?;
    deliver(ctx, text, args.at(2))
}

fn convert_to_hash(ctx: &mut Ctx, given: Value) -> Result<Hash> {
    for name in [ctx.names().to_hash, ctx.names().to_h] {
        if ctx.respond_to(given, name, false)? {
            let hash = ctx.call(given, name, &[])?;
            return ctx.to_hash(hash);
        }
    }
    let class = ctx.real_class(given).inspect(ctx);
    Err(ctx.type_error(&format!("can't convert {class} into Hash")))
}
