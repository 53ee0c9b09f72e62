//! Comparable: comparisons by `<=>`.

use rubellite_vm::class::{Arity, ClassDef, method};
use rubellite_vm::object::{Int, Range};
use rubellite_vm::{Args, Ctx, Result, Unwind, Value};
use std::cmp::Ordering;

pub static COMPARABLE: ClassDef = ClassDef {
    name: "Comparable",
    superclass: "",
    methods: &[
        method("==", Arity::ONE, op_eq),
        method(">", Arity::ONE, op_gt),
        method(">=", Arity::ONE, op_ge),
        method("<", Arity::ONE, op_lt),
        method("<=", Arity::ONE, op_le),
        method("between?", Arity::exact(2), between_p),
        method("clamp", Arity::range(1, 2), clamp),
    ],
    ..ClassDef::EMPTY
};

/// "comparison of Foo with 1 failed"
#[cold]
pub fn comparison_failed(ctx: &mut Ctx, a: Value, b: Value) -> Unwind {
    let special = b.is_immediate() || ctx.float_value(b).is_some();
    let text = if special {
        match ctx.inspect(b) {
            Ok(text) => text,
            Err(unwind) => return unwind,
        }
    } else {
        ctx.class_title(b)
    };
    let class = ctx.class_title(a);
    ctx.argument_error(&format!("comparison of {class} with {text} failed"))
}

/// What the result of `a <=> b` says.
pub fn ordering(ctx: &mut Ctx, result: Value, a: Value, b: Value) -> Result<Ordering> {
    if let Some(n) = result.as_fixnum() {
        return Ok(n.cmp(&0));
    }
    if result.is_nil() {
        return Err(comparison_failed(ctx, a, b));
    }
    if let Some(int) = Int::try_of(result) {
        return Ok(int.to_f64().partial_cmp(&0.0).unwrap_or(Ordering::Equal));
    }
    let (op_gt, op_lt) = (ctx.names().op_gt, ctx.names().op_lt);
    if ctx.call(result, op_gt, &[Value::fixnum(0)])?.truthy() {
        return Ok(Ordering::Greater);
    }
    if ctx.call(result, op_lt, &[Value::fixnum(0)])?.truthy() {
        return Ok(Ordering::Less);
    }
    Ok(Ordering::Equal)
}

fn compare(ctx: &mut Ctx, a: Value, b: Value) -> Result<Ordering> {
    let name = ctx.names().op_cmp;
    let result = ctx.call(a, name, &[b])?;
    ordering(ctx, result, a, b)
}

/// `object == other -> true or false`
fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if recv == other {
        return Ok(Value::TRUE);
    }
    let (operation, name) = (ctx.intern("Comparable#=="), ctx.names().op_cmp);
    let result =
        ctx.guard_recursion(operation, recv, other, |_| Ok(Value::NIL), |ctx| ctx.call(recv, name, &[other]))?;
    if result.is_nil() {
        return Ok(Value::FALSE);
    }
    Ok(Value::from_bool(ordering(ctx, result, recv, other)? == Ordering::Equal))
}

fn op_gt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(compare(ctx, recv, args.at(0))? == Ordering::Greater))
}

fn op_ge(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(compare(ctx, recv, args.at(0))? != Ordering::Less))
}

fn op_lt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(compare(ctx, recv, args.at(0))? == Ordering::Less))
}

fn op_le(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(compare(ctx, recv, args.at(0))? != Ordering::Greater))
}

/// `between?(min, max) -> true or false`
fn between_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if compare(ctx, recv, args.at(0))? == Ordering::Less {
        return Ok(Value::FALSE);
    }
    Ok(Value::from_bool(compare(ctx, recv, args.at(1))? != Ordering::Greater))
}

/// `clamp(min, max) -> object`, `clamp(range) -> object`
fn clamp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (min, max) = if args.len() == 1 {
        let Some(range) = Range::try_of(args.at(0)) else {
            return Err(super::support::wrong_type(ctx, args.at(0), "Range"));
        };
        if !range.end().is_nil() && range.exclude_end() {
            return Err(ctx.argument_error("cannot clamp with an exclusive range"));
        }
        (range.begin(), range.end())
    } else {
        (args.at(0), args.at(1))
    };
    if !min.is_nil() && !max.is_nil() && compare(ctx, min, max)? == Ordering::Greater {
        return Err(ctx.argument_error("min argument must be less than or equal to max argument"));
    }
    if !min.is_nil() {
        match compare(ctx, recv, min)? {
            Ordering::Equal => return Ok(recv),
            Ordering::Less => return Ok(min),
            Ordering::Greater => {}
        }
    }
    if !max.is_nil() && compare(ctx, recv, max)? == Ordering::Greater {
        return Ok(max);
    }
    Ok(recv)
}
