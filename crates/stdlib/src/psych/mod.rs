//! `psych.so`: what the Ruby files of psych need natively: the event parser, the emitter and a few helpers. YAML itself
//! is libyaml's, in the crate `unsafe-libyaml`, so that events, messages and output are CRuby's. Loading and dumping of
//! objects are psych's own Ruby files.

mod emitter;
mod parser;

use rubellite_core_text::{default_internal, encoding_object};
use rubellite_vm::object::{Array, Exception, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Encoding, Result, Value, method, private_method};

static PSYCH: ClassDef = ClassDef {
    name: "Psych",
    superclass: "",
    singleton_methods: &[method("libyaml_version", Arity::NONE, libyaml_version)],
    setup: Some(|ctx, psych| {
        let name = Str::ascii(ctx, "libyaml").value();
        psych.set_const(ctx, "BACKEND", name);
        Ok(())
    }),
    ..ClassDef::EMPTY
};
static HANDLER: ClassDef = ClassDef { name: "Psych::Handler", ..ClassDef::EMPTY };
static CLASS_LOADER: ClassDef = ClassDef {
    name: "Psych::ClassLoader",
    methods: &[private_method("path2class", Arity::ONE, path2class)],
    ..ClassDef::EMPTY
};
static VISITORS: ClassDef = ClassDef { name: "Psych::Visitors", superclass: "", ..ClassDef::EMPTY };
static VISITOR: ClassDef = ClassDef { name: "Psych::Visitors::Visitor", ..ClassDef::EMPTY };
static TO_RUBY: ClassDef = ClassDef {
    name: "Psych::Visitors::ToRuby",
    superclass: "Psych::Visitors::Visitor",
    methods: &[
        private_method("build_exception", Arity::exact(2), build_exception),
        private_method("init_struct", Arity::exact(2), init_struct),
    ],
    ..ClassDef::EMPTY
};
static YAML_TREE: ClassDef = ClassDef {
    name: "Psych::Visitors::YAMLTree",
    superclass: "Psych::Visitors::Visitor",
    methods: &[private_method("private_iv_get", Arity::exact(2), private_iv_get)],
    ..ClassDef::EMPTY
};

pub fn register(ctx: &mut Ctx) {
    rubellite_core_load::register_extension(ctx, "psych", load);
}

fn load(ctx: &mut Ctx) -> Result<()> {
    for class in
        [&PSYCH, &HANDLER, &parser::PARSER, &emitter::EMITTER, &CLASS_LOADER, &VISITORS, &VISITOR, &TO_RUBY, &YAML_TREE]
    {
        ctx.install(class)?;
    }
    ctx.run_internal(include_str!("core.rb"), "psych")?;
    Ok(())
}

fn libyaml_version(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Array::from_slice(ctx, &[0, 2, 5].map(Value::fixnum)).value())
}

/// The class of a path like "A::B"; ArgumentError "undefined class/module A::".
fn path2class(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = ctx.to_str(args.at(0))?.bytes(ctx).to_vec();
    rubellite_core_text::class_at(ctx, &path)
}

/// An exception with a message, made without its `initialize`.
fn build_exception(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let Some(class) = Class::try_of(args.at(0)) else { return Err(ctx.type_error("class or module required")) };
    let exception = ctx.allocate(class)?;
    match Exception::try_of(exception) {
        Some(handle) => handle.set_message(ctx, args.at(1)),
        None => return Err(ctx.type_error("exception class required")),
    }
    Ok(exception)
}

/// Sets the members of a Struct without its `initialize`.
fn init_struct(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let members = ctx.to_hash(args.at(1))?;
    let mut position = 0;
    while let Some(entry) = members.next_entry(ctx, position) {
        position = entry.position + 1;
        ctx.call_name(args.at(0), "[]=", &[entry.key, entry.value])?;
    }
    Ok(args.at(0))
}

/// The instance variable of an object; the message of an exception under "mesg".
fn private_iv_get(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let name = ctx.to_str(args.at(1))?.to_lossy(ctx).into_owned();
    match Exception::try_of(args.at(0)) {
        Some(exception) if name == "mesg" => Ok(exception.message()),
        _ => {
            let name = Str::utf8(ctx, &format!("@{name}")).value();
            ctx.call_name(args.at(0), "instance_variable_get", &[name])
        }
    }
}

/// A text of YAML as a String: in the default internal encoding when there is one that has all its characters.
fn text_string(ctx: &mut Ctx, bytes: &[u8]) -> Result {
    let text = Str::new(ctx, bytes, Encoding::UTF_8).value();
    let Some(internal) = default_internal(ctx).filter(|to| *to != Encoding::UTF_8) else { return Ok(text) };
    let internal = encoding_object(ctx, internal);
    let failure = ctx.named_class("EncodingError")?.value();
    ctx.rescue(failure, |ctx| ctx.call_name(text, "encode", &[internal]), |_, _| Ok(text))
}

/// The bytes of a String in UTF-8, as far as they can be had.
fn utf8(ctx: &mut Ctx, string: Str) -> Result<Str> {
    let encoding = string.encoding();
    if encoding == Encoding::UTF_8 || string.is_ascii_only(ctx) || encoding == Encoding::BINARY {
        return Ok(string);
    }
    let target = Str::ascii(ctx, "UTF-8").value();
    let converted = ctx.call_name(string.value(), "encode", &[target])?;
    Ok(Str::try_of(converted).unwrap_or(string))
}
