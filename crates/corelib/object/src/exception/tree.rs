//! The exception classes and the attributes that some of them carry.

use super::{hidden, initialize, set_hidden};
use rubellite_vm::class::{Arity, ClassDef, MethodDef, method, private_method};
use rubellite_vm::code::Code;
use rubellite_vm::object::integer::is_integer;
use rubellite_vm::object::{Array, Exception};
use rubellite_vm::{Args, Ctx, Result, Value};

const fn plain(name: &'static str, superclass: &'static str) -> ClassDef {
    ClassDef { name, superclass, ..ClassDef::EMPTY }
}

const fn with(name: &'static str, superclass: &'static str, methods: &'static [MethodDef]) -> ClassDef {
    ClassDef { name, superclass, methods, ..ClassDef::EMPTY }
}

/// Superclasses first.
pub static TREE: &[ClassDef] = &[
    plain("NoMemoryError", "Exception"),
    plain("ScriptError", "Exception"),
    with("LoadError", "ScriptError", &[method("path", Arity::NONE, path)]),
    plain("NotImplementedError", "ScriptError"),
    with(
        "SyntaxError",
        "ScriptError",
        &[private_method("initialize", Arity::range(0, 1), syntax_error_initialize), method("path", Arity::NONE, path)],
    ),
    plain("SecurityError", "Exception"),
    with("SystemExit", "Exception", SYSTEM_EXIT),
    plain("SystemStackError", "Exception"),
    plain("StandardError", "Exception"),
    plain("ArgumentError", "StandardError"),
    with("UncaughtThrowError", "ArgumentError", UNCAUGHT_THROW),
    plain("EncodingError", "StandardError"),
    plain("FiberError", "StandardError"),
    plain("IOError", "StandardError"),
    plain("EOFError", "IOError"),
    plain("IndexError", "StandardError"),
    with("KeyError", "IndexError", KEY_ERROR),
    with("StopIteration", "IndexError", &[method("result", Arity::NONE, result)]),
    plain("ClosedQueueError", "StopIteration"),
    with("LocalJumpError", "StandardError", LOCAL_JUMP),
    with("NameError", "StandardError", NAME_ERROR),
    with("NoMethodError", "NameError", NO_METHOD_ERROR),
    plain("RangeError", "StandardError"),
    plain("FloatDomainError", "RangeError"),
    plain("RegexpError", "StandardError"),
    plain("RuntimeError", "StandardError"),
    with("FrozenError", "RuntimeError", FROZEN_ERROR),
    plain("ThreadError", "StandardError"),
    plain("TypeError", "StandardError"),
    plain("ZeroDivisionError", "StandardError"),
    plain("NoMatchingPatternError", "StandardError"),
    with("NoMatchingPatternKeyError", "NoMatchingPatternError", NO_MATCHING_KEY),
];

static SYSTEM_EXIT: &[MethodDef] = &[
    private_method("initialize", Arity::ANY, system_exit_initialize),
    method("status", Arity::NONE, status),
    method("success?", Arity::NONE, success_p),
];
static UNCAUGHT_THROW: &[MethodDef] = &[
    private_method("initialize", Arity::at_least(2), uncaught_initialize),
    method("tag", Arity::NONE, tag),
    method("value", Arity::NONE, value),
    method("to_s", Arity::NONE, uncaught_to_s),
];
static KEY_ERROR: &[MethodDef] = &[
    private_method("initialize", Arity::range(0, 1).with_keywords(), key_error_initialize),
    method("receiver", Arity::NONE, receiver),
    method("key", Arity::NONE, key),
];
static LOCAL_JUMP: &[MethodDef] =
    &[method("exit_value", Arity::NONE, exit_value), method("reason", Arity::NONE, reason)];
static NAME_ERROR: &[MethodDef] = &[
    private_method("initialize", Arity::range(0, 2).with_keywords(), name_error_initialize),
    method("name", Arity::NONE, name),
    method("receiver", Arity::NONE, receiver),
    method("local_variables", Arity::NONE, local_variables),
];
static NO_METHOD_ERROR: &[MethodDef] = &[
    private_method("initialize", Arity::range(0, 4).with_keywords(), no_method_initialize),
    method("args", Arity::NONE, args_method),
    method("private_call?", Arity::NONE, private_call_p),
];
static FROZEN_ERROR: &[MethodDef] = &[
    private_method("initialize", Arity::range(0, 1).with_keywords(), frozen_error_initialize),
    method("receiver", Arity::NONE, receiver),
];
static NO_MATCHING_KEY: &[MethodDef] = &[
    private_method("initialize", Arity::range(0, 1).with_keywords(), no_matching_initialize),
    method("matchee", Arity::NONE, matchee),
    method("key", Arity::NONE, key),
];

/// Sets the message from the first positional argument and hidden attributes from keywords: `__receiver` from
/// `receiver`.
fn initialize_with(ctx: &mut Ctx, recv: Value, args: Args, keywords: &[&'static str]) -> Result {
    let positional = args.positional();
    let message = Args::none();
    let first = if positional.is_empty() { message } else { positional };
    initialize(ctx, recv, first)?;
    args.check_keywords(ctx, keywords)?;
    for keyword in keywords {
        if let Some(value) = args.keyword(ctx, keyword) {
            set_hidden(ctx, recv, &format!("__{keyword}"), value);
        }
    }
    Ok(Value::NIL)
}

fn attribute(ctx: &mut Ctx, recv: Value, name: &str) -> Result {
    Ok(hidden(ctx, recv, name).unwrap_or(Value::NIL))
}

fn required(ctx: &mut Ctx, recv: Value, name: &str, what: &str) -> Result {
    match hidden(ctx, recv, name) {
        Some(value) => Ok(value),
        None => Err(ctx.argument_error(&format!("no {what} is available"))),
    }
}

fn receiver(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    required(ctx, recv, "__receiver", "receiver")
}

fn key(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    required(ctx, recv, "__key", "key")
}

fn matchee(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    required(ctx, recv, "__matchee", "matchee")
}

fn key_error_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    initialize_with(ctx, recv, args, &["receiver", "key"])
}

fn no_matching_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    initialize_with(ctx, recv, args, &["matchee", "key"])
}

fn frozen_error_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    initialize_with(ctx, recv, args, &["receiver"])
}

fn name_error_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    initialize_with(ctx, recv, args, &["receiver"])?;
    set_hidden(ctx, recv, "__name", args.positional().at(1));
    Ok(Value::NIL)
}

fn no_method_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    name_error_initialize(ctx, recv, args)?;
    let positional = args.positional();
    set_hidden(ctx, recv, "__args", positional.at(2));
    set_hidden(ctx, recv, "__private_call", Value::from_bool(positional.at(3).truthy()));
    Ok(Value::NIL)
}

fn name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    attribute(ctx, recv, "__name")
}

/// `local_variables -> array`: those of the code that raised, for suggestions.
fn local_variables(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let names = Array::new(ctx);
    let positions = Exception::try_of(recv).and_then(Exception::positions).unwrap_or_default();
    let code = positions.iter().filter_map(|position| Code::try_of(position.code));
    let mut level = u32::MAX;
    for code in code {
        // The blocks around a block are further out on the stack, if they still run; an eval is as deep as what it
        // belongs to.
        let iseq = code.iseq();
        if u32::from(iseq.block_level) >= level {
            continue;
        }
        level = u32::from(iseq.block_level) + u32::from(iseq.kind == rubellite_bytecode::ISeqKind::Eval);
        for local in &iseq.locals {
            let name = Value::symbol(ctx.intern_text(&local.name));
            names.push(ctx, name);
        }
        // A block parameter that is only passed on has no place.
        let block = iseq.params.described.iter().find(|(kind, _)| *kind == "block").and_then(|(_, name)| name.as_ref());
        if let Some(block) = block.filter(|block| iseq.locals.iter().all(|local| local.name != **block)) {
            let name = Value::symbol(ctx.intern_text(block));
            names.push(ctx, name);
        }
        if level == 0 {
            break;
        }
    }
    Ok(names.value())
}

fn args_method(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    match hidden(ctx, recv, "__args") {
        Some(list) => Ok(list),
        None => Ok(Array::new(ctx).value()),
    }
}

fn private_call_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(attribute(ctx, recv, "__private_call")?.truthy()))
}

fn result(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    attribute(ctx, recv, "__result")
}

fn path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let ivar = ctx.intern("@path");
    Ok(match ctx.ivar_get(recv, ivar).defined() {
        Some(path) => path,
        None => attribute(ctx, recv, "__path")?,
    })
}

fn syntax_error_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    initialize(ctx, recv, args)?;
    if args.is_empty() {
        let text = super::string(ctx, "compile error");
        if let Some(e) = rubellite_vm::object::Exception::try_of(recv) {
            e.set_message(ctx, text);
        }
    }
    Ok(Value::NIL)
}

fn exit_value(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    attribute(ctx, recv, "__exit_value")
}

fn reason(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    attribute(ctx, recv, "__reason")
}

fn tag(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    attribute(ctx, recv, "__tag")
}

fn value(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    attribute(ctx, recv, "__value")
}

/// `UncaughtThrowError.new(tag, value, message = ...)`
fn uncaught_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    set_hidden(ctx, recv, "__tag", args.at(0));
    set_hidden(ctx, recv, "__value", args.at(1));
    initialize(ctx, recv, args.from(2))
}

/// `to_s -> string`: a message with "%p" shows the tag.
fn uncaught_to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stored = rubellite_vm::object::Exception::try_of(recv).map_or(Value::UNDEF, |e| e.message());
    if stored.is_undef() {
        let class = ctx.real_class(recv).inspect(ctx);
        return Ok(super::string(ctx, &class));
    }
    let text = ctx.to_s(stored)?.to_lossy(ctx).into_owned();
    if !text.contains("%p") {
        return Ok(super::string(ctx, &text));
    }
    let tag = attribute(ctx, recv, "__tag")?;
    let shown = ctx.inspect(tag)?;
    Ok(super::string(ctx, &text.replacen("%p", &shown, 1)))
}

/// `SystemExit.new(status = 0, message = nil)`: status may be true or false.
fn system_exit_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (status, used) = match args.get(0) {
        Some(Value::TRUE) => (Value::fixnum(0), 1),
        Some(Value::FALSE) => (Value::fixnum(1), 1),
        Some(n) if n.is_fixnum() => (n, 1),
        Some(n) if is_integer(n) => (n, 1),
        Some(n) if !n.is_nil() => {
            let to_int = ctx.names().to_int;
            match ctx.check_call(n, to_int, &[])?.filter(|status| is_integer(*status)) {
                Some(status) => (status, 1),
                None => (Value::fixnum(0), 0),
            }
        }
        _ => (Value::fixnum(0), 0),
    };
    let rest = args.from(used);
    if rest.len() > 1 {
        return Err(ctx.arity_error(rest.len(), 0, Some(1)));
    }
    initialize(ctx, recv, rest)?;
    set_hidden(ctx, recv, "__status", status);
    Ok(Value::NIL)
}

fn status(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    attribute(ctx, recv, "__status")
}

fn success_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let status = attribute(ctx, recv, "__status")?;
    Ok(Value::from_bool(status.is_nil() || status == Value::fixnum(0)))
}
