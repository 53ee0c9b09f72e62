//! Kernel: raising, throwing, and the functions about blocks.

use super::super::exception;
use rubellite_vm::class::{Arity, MethodDef, method};
use rubellite_vm::object::{Exception, Object, Proc};
use rubellite_vm::warning::Category;
use rubellite_vm::{Args, Ctx, Pending, Result, Unwind, Value};

pub static FUNCTIONS: &[MethodDef] = &[
    method("raise", Arity::ANY.with_keywords(), raise),
    method("fail", Arity::ANY.with_keywords(), raise),
    method("catch", Arity::range(0, 1), catch),
    method("throw", Arity::range(1, 2), throw),
    method("proc", Arity::NONE, proc),
    method("lambda", Arity::NONE, lambda),
    method("block_given?", Arity::NONE, block_given_p),
    method("iterator?", Arity::NONE, iterator_p),
];

/// `raise`, `raise(message)`, `raise(class, message = nil, backtrace = nil, cause: $!)`
fn raise(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (exception, cause) = exception::from_arguments(ctx, args)?;
    Err(raise_exception(ctx, exception, cause)?)
}

/// Raises an exception from the frame of `raise`, which its backtrace does not show.
fn raise_exception(ctx: &mut Ctx, exception: Value, cause: Option<Value>) -> Result<Unwind> {
    let Some(mut e) = Exception::try_of(exception) else { return Ok(ctx.raise(exception)) };
    if cause.is_some_and(|cause| cause != exception && e.is_in_causes(cause)) {
        return Err(ctx.argument_error("circular causes"));
    }
    // One that was raised and frozen since goes out as a copy, which can have a cause.
    if e.is_frozen() && e.has_backtrace() {
        let dup = ctx.intern("dup");
        let copy = ctx.call(exception, dup, &[])?;
        e = Exception::try_of(copy).unwrap_or(e);
    }
    exception::ask_backtrace(ctx, e)?;
    let first = !e.has_backtrace() && !e.is_frozen();
    ctx.record_backtrace(e, 1);
    let name = ctx.names().set_backtrace;
    if first && !ctx.is_builtin(e.value(), name) {
        exception::tell_backtrace(ctx, e)?;
    }
    match cause {
        Some(cause) => {
            // An explicit nil takes no cause away.
            if cause != exception && !cause.is_nil() && !e.is_frozen() {
                e.settle_cause(ctx, cause);
            }
            Ok(ctx.raise_again(e.value()))
        }
        None => Ok(ctx.raise(e.value())),
    }
}

/// `catch(tag = Object.new) { |tag| } -> object`
fn catch(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let tag = match args.get(0) {
        Some(tag) => tag,
        None => {
            let object = ctx.classes().object.get();
            Object::new(ctx, object, 0)
        }
    };
    if !args.has_block() {
        return Err(ctx.raise_error("LocalJumpError", "no block given"));
    }
    ctx.push_catch_tag(tag);
    let outcome = ctx.yield_one(args.block, tag);
    ctx.pop_catch_tag();
    match outcome {
        Err(unwind) => match *ctx.pending() {
            Pending::Throw { tag: thrown, value } if thrown == tag => {
                ctx.clear_pending();
                Ok(value)
            }
            _ => Err(unwind),
        },
        ok => ok,
    }
}

/// `throw(tag, object = nil)`
fn throw(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (tag, value) = (args.at(0), args.at(1));
    if ctx.has_catch_tag(tag) {
        return Err(ctx.set_pending(Pending::Throw { tag, value }));
    }
    let text = ctx.inspect(tag)?;
    let class = ctx.error_class("UncaughtThrowError");
    let error = ctx.new_error(class, &format!("uncaught throw {text}"));
    let (tag_name, value_name) = (ctx.internal("__tag"), ctx.internal("__value"));
    ctx.ivar_set(error, tag_name, tag);
    ctx.ivar_set(error, value_name, value);
    Err(ctx.raise(error))
}

/// `proc { } -> proc`
fn proc(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    if !args.has_block() {
        return Err(ctx.argument_error("tried to create Proc object without a block"));
    }
    Ok(ctx.block_to_value(args.block))
}

/// `lambda { } -> lambda`
fn lambda(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    if !args.has_block() {
        return Err(ctx.argument_error("tried to create Proc object without a block"));
    }
    let literal = ctx.is_literal_block(args.block);
    let proc = ctx.block_to_lambda(args.block);
    if !literal && !Proc::try_of(proc).is_some_and(Proc::is_lambda) {
        return Err(ctx.argument_error("the lambda method requires a literal block"));
    }
    Ok(proc)
}

/// `block_given? -> true or false`
fn block_given_p(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(!ctx.direct_caller_block().is_nil()))
}

/// `iterator? -> true or false`: the old name.
fn iterator_p(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let given = !ctx.direct_caller_block().is_nil();
    ctx.warn_category("iterator? is deprecated; use block_given? instead", Category::Deprecated)?;
    Ok(Value::from_bool(given))
}
