//! Numeric: what every number can do, by way of the operators that its class has. Stepping is `numeric.rb`.

use super::coerce::{coerce, coerce_bin, coerce_failed};
use super::float::{self, float_argument};
use super::num::{self, Num};
use super::{complex, kernel};
use rubellite_vm::object::{Array, Float};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, primitive};

pub static NUMERIC: ClassDef = ClassDef {
    name: "Numeric",
    superclass: "Object",
    includes: &["Comparable"],
    methods: &[
        method("+@", Arity::NONE, op_plus_at),
        method("-@", Arity::NONE, op_minus_at),
        method("<=>", Arity::ONE, op_cmp),
        method("%", Arity::ONE, modulo),
        method("modulo", Arity::ONE, modulo),
        method("div", Arity::ONE, div),
        method("divmod", Arity::ONE, divmod),
        method("fdiv", Arity::ONE, fdiv),
        method("quo", Arity::ONE, quo),
        method("remainder", Arity::ONE, remainder),
        method("abs", Arity::NONE, abs),
        method("magnitude", Arity::NONE, abs),
        method("coerce", Arity::ONE, coerce_method),
        method("eql?", Arity::ONE, eql_p),
        method("integer?", Arity::NONE, no).leaf(0),
        method("real?", Arity::NONE, yes).leaf(0),
        method("finite?", Arity::NONE, yes).leaf(0),
        method("infinite?", Arity::NONE, nothing).leaf(0),
        method("zero?", Arity::NONE, zero_p),
        method("nonzero?", Arity::NONE, nonzero_p),
        method("positive?", Arity::NONE, positive_p),
        method("negative?", Arity::NONE, negative_p),
        method("to_int", Arity::NONE, to_int),
        method("numerator", Arity::NONE, numerator),
        method("denominator", Arity::NONE, denominator),
        method("round", Arity::range(0, 1).with_keywords(), round),
        method("floor", Arity::range(0, 1), floor),
        method("ceil", Arity::range(0, 1), ceil),
        method("truncate", Arity::range(0, 1), truncate),
        method("clone", Arity::NONE.with_keywords(), clone),
        method("dup", Arity::NONE, itself).leaf(0),
        method("to_c", Arity::NONE, complex::numeric_to_c),
        method("i", Arity::NONE, complex::numeric_i),
        method("real", Arity::NONE, itself).leaf(0),
        method("imaginary", Arity::NONE, zero).leaf(0),
        method("imag", Arity::NONE, zero).leaf(0),
        method("conj", Arity::NONE, itself).leaf(0),
        method("conjugate", Arity::NONE, itself).leaf(0),
        method("abs2", Arity::NONE, complex::numeric_abs2),
        method("arg", Arity::NONE, complex::numeric_arg),
        method("angle", Arity::NONE, complex::numeric_arg),
        method("phase", Arity::NONE, complex::numeric_arg),
        method("rectangular", Arity::NONE, complex::numeric_rect),
        method("rect", Arity::NONE, complex::numeric_rect),
        method("polar", Arity::NONE, complex::numeric_polar),
    ],
    primitives: &[
        primitive("numeric_interval_size", Arity::exact(3), interval_size),
        primitive("numeric_step_descending", Arity::ONE, step_descending),
        primitive("numeric_float_step_size", Arity::exact(4), float_step_size_method),
    ],
    ruby: include_str!("numeric.rb"),
    ..ClassDef::EMPTY
};

fn op_plus_at(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

fn op_minus_at(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let minus = ctx.names().op_minus;
    coerce_bin(ctx, Value::fixnum(0), recv, minus)
}

fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let same = recv == args.at(0) || ctx.equal(recv, args.at(0))?;
    Ok(if same { Value::fixnum(0) } else { Value::NIL })
}

fn modulo(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let quotient = ctx.call_name(recv, "div", &[args.at(0)])?;
    let product = num::mul(ctx, args.at(0), quotient)?;
    num::sub(ctx, recv, product)
}

fn div(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if ctx.equal(Value::fixnum(0), args.at(0))? {
        return Err(ctx.zero_division());
    }
    let quotient = num::div(ctx, recv, args.at(0))?;
    ctx.call_name(quotient, "floor", &[])
}

fn divmod(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let quotient = ctx.call_name(recv, "div", &[args.at(0)])?;
    let modulo = ctx.names().op_mod;
    let rest = ctx.call(recv, modulo, &[args.at(0)])?;
    Ok(Array::from_slice(ctx, &[quotient, rest]).value())
}

fn fdiv(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let float = kernel::to_float(ctx, recv)?;
    num::div(ctx, float, args.at(0))
}

fn quo(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let Num::Complex(_) = num::kind(recv) {
        return num::div(ctx, recv, args.at(0));
    }
    if num::is_float(args.at(0)) {
        return ctx.call_name(recv, "fdiv", &[args.at(0)]);
    }
    let to_r = ctx.names().to_r;
    let exact = kernel::convert_by(ctx, recv, to_r, "Rational", num::is_rational)?;
    num::div(ctx, exact, args.at(0))
}

/// The remainder with the sign of the receiver.
pub fn remainder(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (mut x, mut y) = (recv, args.at(0));
    let numeric = ctx.classes().numeric.get();
    if !ctx.is_a(y, numeric)
        && let Some(pair) = coerce(ctx, x, y, true)?
    {
        (x, y) = pair;
    }
    let modulo = ctx.names().op_mod;
    let z = ctx.call(x, modulo, &[y])?;
    if ctx.equal(z, Value::fixnum(0))? || !signs_differ(ctx, x, y)? {
        return Ok(z);
    }
    if Float::value_of(y).is_some_and(f64::is_infinite) {
        return Ok(x);
    }
    num::sub(ctx, z, y)
}

fn signs_differ(ctx: &mut Ctx, x: Value, y: Value) -> Result<bool> {
    if num::is_negative(ctx, x)? && is_positive(ctx, y)? {
        return Ok(true);
    }
    Ok(is_positive(ctx, x)? && num::is_negative(ctx, y)?)
}

fn is_positive(ctx: &mut Ctx, value: Value) -> Result<bool> {
    match num::kind(value) {
        Num::Int(i) => Ok(!i.is_negative() && !i.is_zero()),
        Num::Float(f) => Ok(f > 0.0),
        _ => {
            let op = ctx.names().op_gt;
            num::compare_with_zero(ctx, value, op)
        }
    }
}

fn abs(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if num::is_negative(ctx, recv)? { num::neg(ctx, recv) } else { Ok(recv) }
}

fn coerce_method(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if ctx.class_of(recv) == ctx.class_of(other) {
        return Ok(Array::from_slice(ctx, &[other, recv]).value());
    }
    let x = kernel::to_float(ctx, recv)?;
    let y = kernel::to_float(ctx, other)?;
    Ok(Array::from_slice(ctx, &[y, x]).value())
}

fn eql_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    let same_kind = match (num::kind(recv), num::kind(other)) {
        (Num::Int(_), Num::Int(_)) | (Num::Float(_), Num::Float(_)) => true,
        (Num::Rational(_), Num::Rational(_)) | (Num::Complex(_), Num::Complex(_)) => true,
        (Num::Other, Num::Other) => recv.header().map(|h| h.tag()) == other.header().map(|h| h.tag()),
        _ => false,
    };
    Ok(Value::from_bool(same_kind && ctx.equal(recv, other)?))
}

fn itself(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

fn yes(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::TRUE)
}

fn no(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::FALSE)
}

fn nothing(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::NIL)
}

fn zero(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(0))
}

fn zero_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.equal(recv, Value::fixnum(0))?))
}

fn nonzero_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let zero = ctx.call_name(recv, "zero?", &[])?;
    Ok(if zero.truthy() { Value::NIL } else { recv })
}

fn positive_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(is_positive(ctx, recv)?))
}

fn negative_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(num::is_negative(ctx, recv)?))
}

fn to_int(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let to_i = ctx.names().to_i;
    ctx.call(recv, to_i, &[])
}

fn numerator(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let exact = ctx.call_name(recv, "to_r", &[])?;
    ctx.call_name(exact, "numerator", &[])
}

fn denominator(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let exact = ctx.call_name(recv, "to_r", &[])?;
    ctx.call_name(exact, "denominator", &[])
}

/// Rounding is that of the number as a Float.
fn as_float(ctx: &mut Ctx, recv: Value, name: &'static str, args: Args) -> Result {
    let float = kernel::to_float(ctx, recv)?;
    let name = ctx.intern(name);
    ctx.call_args(float, name, args)
}

fn round(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    as_float(ctx, recv, "round", args)
}

fn floor(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    as_float(ctx, recv, "floor", args)
}

fn ceil(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    as_float(ctx, recv, "ceil", args)
}

fn truncate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    as_float(ctx, recv, "truncate", args)
}

/// `clone(freeze: true)`: numbers are frozen and stay so.
fn clone(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match args.keyword(ctx, "freeze") {
        None | Some(Value::NIL | Value::TRUE) => Ok(recv),
        Some(Value::FALSE) => {
            let class = ctx.class_title(recv);
            Err(ctx.argument_error(&format!("can't unfreeze {class}")))
        }
        Some(other) => {
            let class = ctx.class_title(other);
            Err(ctx.argument_error(&format!("unexpected value for freeze: {class}")))
        }
    }
}

// -- stepping -------------------------------------------------------------------------

/// How many floats lie between `begin` and `end` in steps of `unit`, with tolerance for rounding errors.
pub fn float_step_size(begin: f64, end: f64, unit: f64, exclude_end: bool) -> f64 {
    if unit == 0.0 {
        return f64::INFINITY;
    }
    if unit.is_infinite() {
        let any = if unit > 0.0 { begin <= end } else { begin >= end };
        return any as i64 as f64;
    }
    let n = (end - begin) / unit;
    let error = ((begin.abs() + end.abs() + (end - begin).abs()) / unit.abs() * f64::EPSILON).min(0.5);
    if exclude_end && n <= 0.0 || n < 0.0 {
        return 0.0;
    }
    let mut n = match exclude_end {
        true if n < 1.0 => 0.0,
        true => (n - error).floor(),
        false => (n + error).floor(),
    };
    let next = (n + 1.0) * unit + begin;
    let inside = match (begin < end, begin > end, exclude_end) {
        (true, _, true) => next < end,
        (true, _, false) => next <= end,
        (_, true, true) => next > end,
        (_, true, false) => next >= end,
        _ => false,
    };
    if inside {
        n += 1.0;
    }
    n + 1.0
}

/// How many numbers a step from `from` to `to` visits: Integer or infinite Float.
pub fn step_size(ctx: &mut Ctx, from: Value, to: Value, step: Value, exclude_end: bool) -> Result {
    if num::is_float(from) || num::is_float(to) || num::is_float(step) {
        let (from, to, step) = (ctx.to_float(from)?, ctx.to_float(to)?, ctx.to_float(step)?);
        let n = float_step_size(from, to, step, exclude_end);
        return if n.is_infinite() { Ok(ctx.float(n)) } else { float::to_integer(ctx, n) };
    }
    let descending = match sign_of_step(ctx, step)? {
        0 => return Ok(ctx.float(f64::INFINITY)),
        sign => sign < 0,
    };
    let beyond = if descending { ctx.names().op_lt } else { ctx.names().op_gt };
    if num::relation(ctx, from, beyond, to)? {
        return Ok(Value::fixnum(0));
    }
    let distance = num::sub(ctx, to, from)?;
    let count = ctx.call_name(distance, "div", &[step])?;
    if exclude_end {
        let offset = num::mul(ctx, count, step)?;
        let last = num::add(ctx, from, offset)?;
        if !num::relation(ctx, to, beyond, last)? {
            return Ok(count);
        }
    }
    num::add(ctx, count, Value::fixnum(1))
}

fn sign_of_step(ctx: &mut Ctx, step: Value) -> Result<i64> {
    let op = ctx.names().op_cmp;
    let order = ctx.call(step, op, &[Value::fixnum(0)])?;
    if order.is_nil() {
        return Err(coerce_failed(ctx, step, Value::fixnum(0)));
    }
    if num::is_exact_zero(order) { Ok(0) } else { Ok(if num::is_negative(ctx, order)? { -1 } else { 1 }) }
}

fn interval_size(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    step_size(ctx, recv, args.at(0), args.at(1), args.at(2).truthy())
}

/// Whether a step goes down: it must be comparable with zero.
fn step_descending(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let step = args.at(0);
    let op = ctx.names().op_gt;
    match ctx.check_call(step, op, &[Value::fixnum(0)])? {
        Some(up) => Ok(Value::from_bool(!up.truthy())),
        None => Err(coerce_failed(ctx, step, Value::fixnum(0))),
    }
}

/// `numeric_float_step_size(begin, end, unit, exclude_end)` as a Float.
fn float_step_size_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let begin = float_argument(ctx, args.at(0))?;
    let end = float_argument(ctx, args.at(1))?;
    let unit = float_argument(ctx, args.at(2))?;
    let n = float_step_size(begin, end, unit, args.at(3).truthy());
    Ok(ctx.float(n))
}
