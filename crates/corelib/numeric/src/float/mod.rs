//! Float: operators and comparisons. Rounding and conversions are `convert.rs`. Storage, text and the rounding itself
//! are `vm::object::float`.

mod convert;

pub use convert::{float_argument, flonum_rational, simplest_between, to_integer};

use super::coerce::{coerce_bin, coerce_cmp, coerce_relop};
use super::num::{self, Num};
use super::{complex, integer};
use rubellite_vm::object::{Array, Float, float};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Sym, Value, method};
use std::cmp::Ordering;

pub static FLOAT: ClassDef = ClassDef {
    name: "Float",
    superclass: "Numeric",
    no_new: true,
    methods: &[
        method("+", Arity::ONE, op_plus),
        method("-", Arity::ONE, op_minus),
        method("*", Arity::ONE, op_mul),
        method("/", Arity::ONE, op_div),
        method("quo", Arity::ONE, quo),
        method("fdiv", Arity::ONE, quo),
        method("%", Arity::ONE, modulo),
        method("modulo", Arity::ONE, modulo),
        method("divmod", Arity::ONE, divmod),
        method("**", Arity::ONE, op_pow),
        method("-@", Arity::NONE, op_minus_at).leaf(0),
        method("==", Arity::ONE, op_eq),
        method("===", Arity::ONE, op_eq),
        method("<=>", Arity::ONE, op_cmp),
        method("<", Arity::ONE, op_lt),
        method("<=", Arity::ONE, op_le),
        method(">", Arity::ONE, op_gt),
        method(">=", Arity::ONE, op_ge),
        method("eql?", Arity::ONE, eql_p),
        method("hash", Arity::NONE, hash),
        method("coerce", Arity::ONE, coerce),
        method("to_s", Arity::NONE, convert::to_s),
        method("inspect", Arity::NONE, convert::to_s),
        method("to_f", Arity::NONE, itself).leaf(0),
        method("to_i", Arity::NONE, convert::to_i),
        method("to_int", Arity::NONE, convert::to_i),
        method("to_r", Arity::NONE, convert::to_r),
        method("rationalize", Arity::range(0, 1), convert::rationalize),
        method("numerator", Arity::NONE, convert::numerator),
        method("denominator", Arity::NONE, convert::denominator),
        method("round", Arity::range(0, 1).with_keywords(), convert::round),
        method("floor", Arity::range(0, 1), convert::floor),
        method("ceil", Arity::range(0, 1), convert::ceil),
        method("truncate", Arity::range(0, 1), convert::truncate),
        method("next_float", Arity::NONE, convert::next_float),
        method("prev_float", Arity::NONE, convert::prev_float),
        method("zero?", Arity::NONE, zero_p).leaf(0),
        method("positive?", Arity::NONE, positive_p).leaf(0),
        method("negative?", Arity::NONE, negative_p).leaf(0),
        method("nan?", Arity::NONE, nan_p).leaf(0),
        method("infinite?", Arity::NONE, infinite_p).leaf(0),
        method("finite?", Arity::NONE, finite_p).leaf(0),
        method("abs", Arity::NONE, abs).leaf(0),
        method("magnitude", Arity::NONE, abs).leaf(0),
        method("arg", Arity::NONE, complex::float_arg),
        method("angle", Arity::NONE, complex::float_arg),
        method("phase", Arity::NONE, complex::float_arg),
    ],
    setup: Some(set_constants),
    ..ClassDef::EMPTY
};

fn set_constants(ctx: &mut Ctx, class: Class) -> Result<()> {
    let integers = [
        ("RADIX", 2),
        ("MANT_DIG", f64::MANTISSA_DIGITS as i64),
        ("DIG", f64::DIGITS as i64),
        ("MIN_EXP", f64::MIN_EXP as i64),
        ("MAX_EXP", f64::MAX_EXP as i64),
        ("MIN_10_EXP", f64::MIN_10_EXP as i64),
        ("MAX_10_EXP", f64::MAX_10_EXP as i64),
    ];
    for (name, n) in integers {
        class.set_const(ctx, name, Value::fixnum(n));
    }
    let floats = [
        ("MIN", f64::MIN_POSITIVE),
        ("MAX", f64::MAX),
        ("EPSILON", f64::EPSILON),
        ("INFINITY", f64::INFINITY),
        ("NAN", f64::NAN),
    ];
    for (name, f) in floats {
        let value = ctx.float(f);
        class.set_const(ctx, name, value);
    }
    Ok(())
}

/// The number of a receiver.
#[inline]
pub(super) fn of(recv: Value) -> f64 {
    Float::value_of(recv).unwrap_or(0.0)
}

/// The other operand as a float, when it is an Integer or Float.
#[inline]
fn operand(ctx: &mut Ctx, value: Value) -> Result<Option<f64>> {
    match num::kind(value) {
        Num::Float(f) => Ok(Some(f)),
        Num::Int(i) => ctx.int_to_f64(&i).map(Some),
        _ => Ok(None),
    }
}

fn op_plus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match operand(ctx, args.at(0))? {
        Some(f) => Ok(ctx.float(of(recv) + f)),
        None => {
            let op = ctx.names().op_plus;
            coerce_bin(ctx, recv, args.at(0), op)
        }
    }
}

fn op_minus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match operand(ctx, args.at(0))? {
        Some(f) => Ok(ctx.float(of(recv) - f)),
        None => {
            let op = ctx.names().op_minus;
            coerce_bin(ctx, recv, args.at(0), op)
        }
    }
}

fn op_mul(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match operand(ctx, args.at(0))? {
        Some(f) => Ok(ctx.float(of(recv) * f)),
        None => {
            let op = ctx.names().op_mul;
            coerce_bin(ctx, recv, args.at(0), op)
        }
    }
}

fn op_div(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match operand(ctx, args.at(0))? {
        Some(f) => Ok(ctx.float(of(recv) / f)),
        None => {
            let op = ctx.names().op_div;
            coerce_bin(ctx, recv, args.at(0), op)
        }
    }
}

fn quo(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let op = ctx.names().op_div;
    let again = |ctx: &mut Ctx| {
        let message = format!("recursive call to {}", ctx.sym_str(op));
        Err(ctx.name_error("NameError", &message, recv, op))
    };
    ctx.guard_recursion(op, recv, args.at(0), again, |ctx| num::div(ctx, recv, args.at(0)))
}

/// `x % y` as a Float.
pub fn float_modulo(ctx: &mut Ctx, x: f64, y: f64) -> Result {
    match float::modulo(x, y) {
        Some(f) => Ok(ctx.float(f)),
        None => Err(ctx.zero_division()),
    }
}

/// `x.divmod(y)` as an Array.
pub fn float_divmod(ctx: &mut Ctx, x: f64, y: f64) -> Result {
    let Some((quotient, rest)) = float::divmod(x, y) else {
        return Err(ctx.zero_division());
    };
    let quotient = to_integer(ctx, quotient)?;
    let rest = ctx.float(rest);
    Ok(Array::from_slice(ctx, &[quotient, rest]).value())
}

fn modulo(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match operand(ctx, args.at(0))? {
        Some(f) => float_modulo(ctx, of(recv), f),
        None => {
            let op = ctx.names().op_mod;
            coerce_bin(ctx, recv, args.at(0), op)
        }
    }
}

fn divmod(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match operand(ctx, args.at(0))? {
        Some(f) => float_divmod(ctx, of(recv), f),
        None => {
            let op = ctx.intern("divmod");
            coerce_bin(ctx, recv, args.at(0), op)
        }
    }
}

fn op_pow(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let x = of(recv);
    match operand(ctx, args.at(0))? {
        Some(y) if x < 0.0 && y != y.round() && num::is_float(args.at(0)) => complex::polar_pi(ctx, (-x).powf(y), y),
        Some(y) => Ok(ctx.float(x.powf(y))),
        None => {
            let op = ctx.names().op_pow;
            coerce_bin(ctx, recv, args.at(0), op)
        }
    }
}

fn op_minus_at(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(ctx.float(-of(recv)))
}

fn order(ctx: &Ctx, recv: Value, other: Value) -> Option<Option<Ordering>> {
    if num::is_integer(other) {
        return integer::order(ctx, other, recv).map(|o| o.map(Ordering::reverse));
    }
    ctx.float_value(other).map(|f| of(recv).partial_cmp(&f))
}

fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match order(ctx, recv, args.at(0)) {
        Some(order) => Ok(Value::from_bool(order == Some(Ordering::Equal))),
        None => {
            let op = ctx.names().op_eq;
            let equal = ctx.call(args.at(0), op, &[recv])?;
            Ok(Value::from_bool(equal.truthy()))
        }
    }
}

fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if let Some(order) = order(ctx, recv, other) {
        return Ok(order.map_or(Value::NIL, |o| Value::fixnum(o as i64)));
    }
    if of(recv).is_infinite()
        && let Some(sign) = infinity_sign(ctx, other)?
    {
        let own = of(recv).signum() as i64;
        return Ok(Value::fixnum(if sign == own { 0 } else { own }));
    }
    let op = ctx.names().op_cmp;
    coerce_cmp(ctx, recv, other, op)
}

/// `infinite?` of a foreign number: -1, 0 (finite) or 1; none when the object does not know.
fn infinity_sign(ctx: &mut Ctx, value: Value) -> Result<Option<i64>> {
    let name = ctx.intern("infinite?");
    match ctx.check_call(value, name, &[])? {
        None => Ok(None),
        Some(answer) if !answer.truthy() => Ok(Some(0)),
        Some(answer) => Ok(Some(if num::is_negative(ctx, answer)? { -1 } else { 1 })),
    }
}

fn compare(ctx: &mut Ctx, recv: Value, other: Value, op: Sym, test: impl Fn(Ordering) -> bool) -> Result {
    match order(ctx, recv, other) {
        Some(order) => Ok(Value::from_bool(order.is_some_and(test))),
        None => coerce_relop(ctx, recv, other, op),
    }
}

fn op_lt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let op = ctx.names().op_lt;
    compare(ctx, recv, args.at(0), op, Ordering::is_lt)
}

fn op_le(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let op = ctx.names().op_le;
    compare(ctx, recv, args.at(0), op, Ordering::is_le)
}

fn op_gt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let op = ctx.names().op_gt;
    compare(ctx, recv, args.at(0), op, Ordering::is_gt)
}

fn op_ge(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let op = ctx.names().op_ge;
    compare(ctx, recv, args.at(0), op, Ordering::is_ge)
}

fn eql_p(_ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(Float::value_of(args.at(0)) == Some(of(recv))))
}

fn hash(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(ctx.hash_number(Float::hash(ctx, of(recv))))
}

fn coerce(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let x = float_argument(ctx, args.at(0))?;
    let x = ctx.float(x);
    Ok(Array::from_slice(ctx, &[x, recv]).value())
}

fn itself(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

fn zero_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(recv) == 0.0))
}

fn positive_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(recv) > 0.0))
}

fn negative_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(recv) < 0.0))
}

fn nan_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(recv).is_nan()))
}

fn infinite_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let f = of(recv);
    Ok(if f.is_infinite() { Value::fixnum(f.signum() as i64) } else { Value::NIL })
}

fn finite_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(recv).is_finite()))
}

fn abs(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(ctx.float(of(recv).abs()))
}
