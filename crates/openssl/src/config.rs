//! OpenSSL::Config: a configuration file in memory.

use crate::ffi::conf::{self, CONF};
use crate::ffi::{Text, bio};
use crate::support::{self, Shared, binary, c_string, check, clear_errors, fail, get, source, stream, wrap_in};
use rubellite_vm::object::{Array, Hash};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

const ERROR: &str = "OpenSSL::ConfigError";

pub static CONFIG: ClassDef = ClassDef {
    name: "OpenSSL::Config",
    includes: &["Enumerable"],
    alloc: Some(allocate),
    methods: &[
        method("initialize", Arity::range(0, 1), initialize),
        method("initialize_copy", Arity::ONE, initialize_copy),
        method("get_value", Arity::exact(2), get_value),
        method("[]", Arity::ONE, section),
        method("sections", Arity::NONE, sections),
        method("to_s", Arity::NONE, to_s),
        method("each", Arity::NONE, each),
        method("inspect", Arity::NONE, inspect),
    ],
    singleton_methods: &[method("parse", Arity::ONE, parse), method("parse_config", Arity::ONE, parse_config)],
    setup: Some(|ctx, class| {
        let path = conf::CONF_get1_default_config_file();
        let path = binary(ctx, path.as_ref().map_or(&[], |path| path.bytes()));
        ctx.call_name(path, "freeze", &[])?;
        class.set_const(ctx, "DEFAULT_CONFIG_FILE", path);
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub static CONFIG_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

/// The configuration of an object of this class.
pub fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<CONF>> {
    get(ctx, value)
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let conf = check(ctx, conf::new(), ERROR, "NCONF_new")?;
    Ok(wrap_in(ctx, class, conf))
}

fn load(ctx: &mut Ctx, conf: &CONF, bio: &bio::BIO) -> Result<()> {
    match conf::load(conf, bio) {
        Ok(()) => {
            clear_errors(ctx);
            Ok(())
        }
        Err(0) => Err(fail(ctx, ERROR, "wrong config format")),
        Err(line) => Err(fail(ctx, ERROR, &format!("error in line {line}"))),
    }
}

fn parse(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let object = allocate(ctx, recv)?;
    let text = source(ctx, args.at(0))?;
    let bio = stream(ctx, &text)?;
    let conf = of(ctx, object)?;
    load(ctx, &conf, &bio)?;
    ctx.call_name(object, "freeze", &[])
}

fn parse_config(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let object = parse(ctx, recv, args)?;
    let conf = of(ctx, object)?;
    let all = Hash::new(ctx);
    for name in conf::sections(&conf) {
        let name = binary(ctx, &name);
        let entries = entries(ctx, &conf, name)?;
        all.insert(ctx, name, entries)?;
    }
    Ok(all.value())
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ctx.check_frozen(recv)?;
    if let Some(name) = args.non_nil(0) {
        let name = c_string(ctx, name)?;
        let bio = check(ctx, bio::BIO_new_file(Text::from(&*name), Text::from(c"rb")), ERROR, "BIO_new_file")?;
        let conf = of(ctx, recv)?;
        load(ctx, &conf, &bio)?;
    }
    ctx.call_name(recv, "freeze", &[])
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = ctx.call_name(args.at(0), "to_s", &[])?;
    ctx.check_frozen(recv)?;
    let text = source(ctx, text)?;
    let bio = stream(ctx, &text)?;
    let conf = of(ctx, recv)?;
    load(ctx, &conf, &bio)?;
    ctx.call_name(recv, "freeze", &[])
}

fn get_value(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let conf = of(ctx, recv)?;
    let (section, key) = (c_string(ctx, args.at(0))?, c_string(ctx, args.at(1))?);
    let section = (!section.is_empty()).then_some(&*section).map(Text::from);
    match conf::NCONF_get_string(&conf, section, Text::from(&*key)) {
        Some(value) => Ok(binary(ctx, value.bytes())),
        None => {
            clear_errors(ctx);
            Ok(Value::NIL)
        }
    }
}

fn section(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let conf = of(ctx, recv)?;
    entries(ctx, &conf, args.at(0))
}

/// The entries of a section as a Hash.
fn entries(ctx: &mut Ctx, conf: &CONF, name: Value) -> Result {
    let name = c_string(ctx, name)?;
    let hash = Hash::new(ctx);
    match conf::NCONF_get_section(conf, Text::from(&*name)) {
        Some(section) => {
            for (name, value) in conf::entries(section) {
                let name = binary(ctx, &name.unwrap_or_default());
                let value = binary(ctx, &value.unwrap_or_default());
                hash.insert(ctx, name, value)?;
            }
        }
        None => clear_errors(ctx),
    }
    Ok(hash.value())
}

fn sections(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let conf = of(ctx, recv)?;
    Ok(crate::digest::names(ctx, conf::sections(&conf)))
}

/// Name and entries of each section.
fn all(conf: &CONF) -> Vec<(Vec<u8>, Vec<(Option<Vec<u8>>, Option<Vec<u8>>)>)> {
    let of_name = |name: Vec<u8>| {
        let text = std::ffi::CString::new(name.clone()).ok()?;
        Some((name, conf::entries(conf::NCONF_get_section(conf, Text::from(&*text))?)))
    };
    conf::sections(conf).into_iter().filter_map(of_name).collect()
}

fn to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let conf = of(ctx, recv)?;
    let mut out = Vec::new();
    for (section, entries) in all(&conf) {
        out.extend([b"[ ", &*section, b" ]\n"].concat());
        for (name, value) in entries {
            let (name, value) = (name.unwrap_or(b"None".to_vec()), value.unwrap_or(b"None".to_vec()));
            out.extend([&*name, b"=", &value, b"\n"].concat());
        }
        out.push(b'\n');
    }
    Ok(support::string(ctx, out))
}

fn each(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !args.has_block() {
        let name = ctx.intern("each");
        return ctx.call_name(recv, "to_enum", &[Value::symbol(name)]);
    }
    let conf = of(ctx, recv)?;
    for (section, entries) in all(&conf) {
        let section = binary(ctx, &section);
        for (name, value) in entries {
            let name = name.map_or(Value::NIL, |name| binary(ctx, &name));
            let value = value.map_or(Value::NIL, |value| binary(ctx, &value));
            let triple = Array::from_slice(ctx, &[section, name, value]).value();
            ctx.yield_one(args.block, triple)?;
        }
    }
    Ok(recv)
}

fn inspect(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let sections = sections(ctx, recv, args)?;
    let (class, sections) = (ctx.real_class(recv).inspect(ctx), ctx.inspect(sections)?);
    Ok(binary(ctx, format!("#<{class} sections={sections}>").as_bytes()))
}
