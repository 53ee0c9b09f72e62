//! JSON: reading. `JSON::Ext::ParserConfig` holds options; the document itself is `document.rs`, strings and numbers
//! are `text.rs`.

mod document;
mod text;

use document::Parser;
use rubellite_vm::object::{Data, Hash, NativeData, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Encoding, Result, Sym, Value, method, private_method};

static CONFIG: ClassDef = ClassDef {
    name: "JSON::Ext::ParserConfig",
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::range(0, 1), initialize),
        method("parse", Arity::exact(1), config_parse),
    ],
    ..ClassDef::EMPTY
};

static PARSER: ClassDef = ClassDef {
    name: "JSON::Ext::Parser",
    singleton_methods: &[method("parse", Arity::range(1, 2), parser_parse)],
    ..ClassDef::EMPTY
};

pub fn install(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&CONFIG)?;
    ctx.install(&PARSER)?;
    Ok(())
}

/// What is done about something that the next major version refuses.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Policy {
    Accept,
    Warn,
    Refuse,
}

/// Options of reading.
#[derive(Clone)]
struct Options {
    /// 0: no limit.
    max_nesting: i64,
    allow_nan: bool,
    allow_trailing_comma: bool,
    comments: Policy,
    allow_control_characters: bool,
    allow_invalid_escape: bool,
    symbolize_names: bool,
    freeze: bool,
    duplicate_key: Policy,
    /// Is given every value that was read and answers with what takes its place; nil for none.
    on_load: Value,
    /// Receiver and method that make numbers with a fraction or an exponent.
    decimal: Option<(Value, Sym)>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_nesting: 100,
            allow_nan: false,
            allow_trailing_comma: false,
            comments: Policy::Accept,
            allow_control_characters: false,
            allow_invalid_escape: false,
            symbolize_names: false,
            freeze: false,
            duplicate_key: Policy::Warn,
            on_load: Value::NIL,
            decimal: None,
        }
    }
}

impl NativeData for Options {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.on_load);
        if let Some((receiver, _)) = self.decimal {
            visit(receiver);
        }
    }

    fn frozen_shareable(&self) -> bool {
        true
    }
}

fn options(ctx: &mut Ctx, given: Value) -> Result<Options> {
    let mut options = Options::default();
    if given.is_nil() {
        return Ok(options);
    }
    let Some(hash) = Hash::try_of(given) else {
        let name = ctx.describe_for_conversion(given);
        return Err(ctx.type_error(&format!("wrong argument type {name} (expected Hash)")));
    };
    let mut position = 0;
    while let Some(entry) = hash.next_entry(ctx, position) {
        position = entry.position + 1;
        if let Some(name) = entry.key.as_symbol() {
            let name = ctx.sym_bytes(name).to_vec();
            set_option(ctx, &mut options, &name, entry.value)?;
        }
    }
    Ok(options)
}

fn set_option(ctx: &mut Ctx, options: &mut Options, name: &[u8], value: Value) -> Result<()> {
    let on = value.truthy();
    let accept = if on { Policy::Accept } else { Policy::Refuse };
    match name {
        b"max_nesting" => options.max_nesting = if on { ctx.to_int(value)? } else { 0 },
        b"allow_nan" => options.allow_nan = on,
        b"allow_trailing_comma" => options.allow_trailing_comma = on,
        b"allow_comments" => options.comments = accept,
        b"allow_control_characters" => options.allow_control_characters = on,
        b"allow_invalid_escape" => options.allow_invalid_escape = on,
        b"symbolize_names" => options.symbolize_names = on,
        b"freeze" => options.freeze = on,
        b"allow_duplicate_key" => options.duplicate_key = accept,
        b"on_load" => options.on_load = if on { value } else { Value::NIL },
        b"decimal_class" => options.decimal = if on { decimal_maker(ctx, value)? } else { None },
        _ => {}
    }
    Ok(())
}

/// How objects of a class are made from text: `try_convert`, `new`, or the function that is called like the class.
fn decimal_maker(ctx: &mut Ctx, class: Value) -> Result<Option<(Value, Sym)>> {
    for name in ["try_convert", "new"] {
        let name = ctx.intern(name);
        if ctx.respond_to(class, name, false)? {
            return Ok(Some((class, name)));
        }
    }
    let Some(name) = Class::try_of(class).and_then(|c| c.name(ctx)).map(str::to_string) else { return Ok(None) };
    let (owner, last) = match name.rsplit_once("::") {
        Some((owner, last)) => {
            let object = ctx.classes().object.get();
            let owner = Str::utf8(ctx, owner).value();
            (ctx.call_name(object, "const_get", &[owner])?, last)
        }
        None => (ctx.classes().kernel.get(), name.as_str()),
    };
    Ok(Some((owner, ctx.intern_str(last))))
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, Options::default()).value())
}

fn initialize(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    ctx.check_frozen(data.value())?;
    let options = options(ctx, args.at(0))?;
    data.install(ctx, options);
    Ok(data.value())
}

/// `config.parse(source)`
fn config_parse(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let options = Data::state_of::<Options>(ctx, recv).cloned().unwrap_or_default();
    parse(ctx, args.at(0), &options)
}

/// `Parser.parse(source, options)`
fn parser_parse(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let options = options(ctx, args.at(1))?;
    parse(ctx, args.at(0), &options)
}

fn parse(ctx: &mut Ctx, source: Value, options: &Options) -> Result {
    let source = ctx.to_str(source)?;
    let encoding = source.encoding();
    let source = if encoding == Encoding::UTF_8 || encoding == Encoding::BINARY {
        source
    } else {
        let utf8 = rubellite_core_text::encoding_object(ctx, Encoding::UTF_8);
        let converted = ctx.call_name(source.value(), "encode", &[utf8])?;
        ctx.to_str(converted)?
    };
    let ascii = source.is_ascii_only(ctx);
    let text = source.share(ctx);
    Parser::new(&text, ascii, options).document(ctx)
}
