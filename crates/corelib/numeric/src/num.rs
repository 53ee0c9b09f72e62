//! Arithmetic on any numbers: direct for the built-in ones, by method call for others. What Rational,
//! Complex and Numeric are made of.

use super::coerce::compare_failed;
use super::integer;
use rubellite_vm::object::integer as int;
use rubellite_vm::object::{Complex, Int, Rational};
use rubellite_vm::{Ctx, Result, Sym, Tag, Value};

pub use rubellite_vm::object::integer::is_integer;

/// What kind of number a value is.
#[derive(Clone)]
pub enum Num {
    Int(Int),
    Float(f64),
    Rational(Rational),
    Complex(Complex),
    Other,
}

/// The kind and content of a value.
#[inline]
pub fn kind(value: Value) -> Num {
    if let Some(i) = Int::try_of(value) {
        return Num::Int(i);
    }
    if let Some(f) = rubellite_vm::object::Float::value_of(value) {
        return Num::Float(f);
    }
    if let Some(r) = Rational::try_of(value) {
        return Num::Rational(r);
    }
    match Complex::try_of(value) {
        Some(c) => Num::Complex(c),
        None => Num::Other,
    }
}

pub fn is_float(value: Value) -> bool {
    value.is_flonum() || value.has_tag(Tag::Float)
}

pub fn is_rational(value: Value) -> bool {
    value.has_tag(Tag::Rational)
}

/// Whether the value is the exact zero (the Integer 0).
pub fn is_exact_zero(value: Value) -> bool {
    value == Value::fixnum(0)
}

/// Whether the value is the exact one (the Integer 1).
pub fn is_exact_one(value: Value) -> bool {
    value == Value::fixnum(1)
}

pub fn add(ctx: &mut Ctx, a: Value, b: Value) -> Result {
    if is_integer(a) && is_integer(b) {
        return Ok(int::add(ctx, a, b));
    }
    if is_float(a) && is_float(b) {
        return binary_float(ctx, a, b, |x, y| x + y);
    }
    let op = ctx.names().op_plus;
    ctx.call(a, op, &[b])
}

pub fn sub(ctx: &mut Ctx, a: Value, b: Value) -> Result {
    if is_integer(a) && is_integer(b) {
        return Ok(int::sub(ctx, a, b));
    }
    if is_float(a) && is_float(b) {
        return binary_float(ctx, a, b, |x, y| x - y);
    }
    let op = ctx.names().op_minus;
    ctx.call(a, op, &[b])
}

pub fn mul(ctx: &mut Ctx, a: Value, b: Value) -> Result {
    if is_integer(a) && is_integer(b) {
        return integer::multiply(ctx, a, b);
    }
    if is_float(a) && is_float(b) {
        return binary_float(ctx, a, b, |x, y| x * y);
    }
    let op = ctx.names().op_mul;
    ctx.call(a, op, &[b])
}

/// `a.quo(b)`: exact for exact numbers.
pub fn quo(ctx: &mut Ctx, a: Value, b: Value) -> Result {
    if is_float(a) && is_float(b) {
        return binary_float(ctx, a, b, |x, y| x / y);
    }
    ctx.call_name(a, "quo", &[b])
}

pub fn div(ctx: &mut Ctx, a: Value, b: Value) -> Result {
    let op = ctx.names().op_div;
    ctx.call(a, op, &[b])
}

pub fn pow(ctx: &mut Ctx, a: Value, b: Value) -> Result {
    let op = ctx.names().op_pow;
    ctx.call(a, op, &[b])
}

pub fn neg(ctx: &mut Ctx, a: Value) -> Result {
    if is_integer(a) {
        return Ok(int::neg(ctx, a));
    }
    if let Some(f) = ctx.float_value(a) {
        return Ok(ctx.float(-f));
    }
    let op = ctx.names().op_minus_at;
    ctx.call(a, op, &[])
}

/// `a < 0`
pub fn is_negative(ctx: &mut Ctx, a: Value) -> Result<bool> {
    match kind(a) {
        Num::Int(i) => Ok(i.is_negative()),
        Num::Float(f) => Ok(f < 0.0),
        Num::Rational(r) => Ok(r.parts().0.is_negative()),
        _ => {
            let op = ctx.names().op_lt;
            compare_with_zero(ctx, a, op)
        }
    }
}

/// `a < 0` or `a > 0`; ArgumentError when the object has no such operator.
pub fn compare_with_zero(ctx: &mut Ctx, a: Value, op: Sym) -> Result<bool> {
    match ctx.check_call(a, op, &[Value::fixnum(0)])? {
        Some(answer) => Ok(answer.truthy()),
        None => Err(compare_failed(ctx, a, Value::fixnum(0))),
    }
}

/// `a < b` (or another relation) as a truth value.
pub fn relation(ctx: &mut Ctx, a: Value, op: Sym, b: Value) -> Result<bool> {
    Ok(ctx.call(a, op, &[b])?.truthy())
}

/// Whether the number has a sign: negative, or the float -0.0.
pub fn has_minus_sign(ctx: &mut Ctx, a: Value) -> Result<bool> {
    match kind(a) {
        Num::Float(f) => Ok(f.is_sign_negative() && !f.is_nan()),
        _ => is_negative(ctx, a),
    }
}

fn binary_float(ctx: &mut Ctx, a: Value, b: Value, op: impl FnOnce(f64, f64) -> f64) -> Result {
    match (ctx.float_value(a), ctx.float_value(b)) {
        (Some(x), Some(y)) => Ok(ctx.float(op(x, y))),
        _ => Ok(Value::NIL),
    }
}
