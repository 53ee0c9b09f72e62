//! Complex: from numbers, text and objects that convert; what real numbers can do as complex ones.

use super::{arith, is_exactly_zero, is_real, is_zero, new, not_real, parts};
use crate::kernel::{cannot_convert, convert_by, or_nil, raises};
use crate::num::{self, Num};
use crate::parse;
use rubellite_vm::object::{Array, Complex, Rational, Str};
use rubellite_vm::{Args, Ctx, Result, Value};
use std::f64::consts::PI;

/// A part of a Complex: a real number, or "not a real".
pub fn real_part(ctx: &mut Ctx, value: Value) -> Result {
    match num::kind(value) {
        Num::Complex(c) if is_zero(ctx, c.imag())? => Ok(c.real()),
        Num::Int(_) | Num::Float(_) | Num::Rational(_) => Ok(value),
        _ if is_real(ctx, value)? => Ok(value),
        _ => Err(ctx.type_error("not a real")),
    }
}

/// `Complex.rect(real, imag = 0)`
pub fn rect(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let real = real_part(ctx, args.at(0))?;
    let imag = match args.get(1) {
        Some(imag) => real_part(ctx, imag)?,
        None => Value::fixnum(0),
    };
    Ok(new(ctx, real, imag))
}

/// `Complex(a, b = 0, exception: true)`
pub fn kernel_complex(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let raise = raises(ctx, &args)?;
    let args = args.positional();
    if args.len() == 1 && Complex::try_of(args.at(0)).is_some() {
        return Ok(args.at(0));
    }
    // An imaginary part that is a number makes errors of the real one be raised.
    let plain = args.get(1).is_some_and(|b| matches!(num::kind(b), Num::Int(_) | Num::Float(_) | Num::Rational(_)));
    let text = Str::try_of(args.at(0)).is_some() || args.at(0).is_nil();
    or_nil(ctx, raise || plain && !text, args, |ctx| convert(ctx, args.at(0), args.get(1)))
}

/// The Complex that a text is as a whole.
fn strict(ctx: &mut Ctx, text: Str) -> Result {
    ctx.check_ascii_compatible(text)?;
    let bytes = text.bytes(ctx).to_vec();
    if bytes.contains(&0) {
        return Err(ctx.null_byte_error());
    }
    match parse::complex(ctx, &bytes, true)? {
        Some(value) => Ok(value),
        None => {
            let text = ctx.inspect(text.value())?;
            Err(ctx.argument_error(&format!("invalid value for convert(): {text}")))
        }
    }
}

fn operand(ctx: &mut Ctx, value: Value) -> Result {
    let value = match Str::try_of(value) {
        Some(text) => strict(ctx, text)?,
        None => value,
    };
    match num::kind(value) {
        Num::Complex(c) if is_exactly_zero(ctx, c.imag())? => Ok(c.real()),
        _ => Ok(value),
    }
}

fn convert(ctx: &mut Ctx, a: Value, b: Option<Value>) -> Result {
    if a.is_nil() || b == Some(Value::NIL) {
        return Err(cannot_convert(ctx, Value::NIL, "Complex"));
    }
    let a = operand(ctx, a)?;
    let numeric = ctx.classes().numeric.get();
    let Some(b) = b else {
        if !ctx.is_a(a, numeric) {
            let to_c = ctx.intern("to_c");
            return convert_by(ctx, a, to_c, "Complex", |v| Complex::try_of(v).is_some());
        }
        if !is_real(ctx, a)? {
            return Ok(a);
        }
        let real = real_part(ctx, a)?;
        return Ok(new(ctx, real, Value::fixnum(0)));
    };
    let b = operand(ctx, b)?;
    if Complex::try_of(a).is_some() && is_exactly_zero(ctx, b)? {
        return Ok(a);
    }
    if ctx.is_a(a, numeric) && ctx.is_a(b, numeric) && !(is_real(ctx, a)? && is_real(ctx, b)?) {
        let unit = new(ctx, Value::fixnum(0), Value::fixnum(1));
        let b = arith::mul(ctx, b, unit)?;
        return arith::add(ctx, a, b);
    }
    let (a, b) = (real_part(ctx, a)?, real_part(ctx, b)?);
    Ok(new(ctx, a, b))
}

/// Whether a number that is no zero becomes one by `to_r`.
fn converts_to_zero(ctx: &mut Ctx, value: Value) -> Result<bool> {
    let to_r = ctx.names().to_r;
    let converted = ctx.check_call(value, to_r, &[])?;
    Ok(converted.and_then(Rational::try_of).is_some_and(|r| num::is_exact_zero(r.num())))
}

/// `to_r`: only for numbers without imaginary part, be it exact or not.
pub fn to_r(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    let no_imag = match num::kind(b) {
        Num::Int(i) => i.is_zero(),
        Num::Float(f) => f == 0.0,
        Num::Rational(r) => num::is_exact_zero(r.num()),
        _ => is_zero(ctx, b)? || converts_to_zero(ctx, b)?,
    };
    if !no_imag {
        return Err(not_real(ctx, recv, "Rational"));
    }
    let name = ctx.names().to_r;
    ctx.call(a, name, &[])
}

// -- real numbers as complex ones -----------------------------------------------------

pub fn numeric_to_c(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(new(ctx, recv, Value::fixnum(0)))
}

pub fn numeric_i(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(new(ctx, Value::fixnum(0), recv))
}

pub fn numeric_abs2(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    arith::mul(ctx, recv, recv)
}

pub fn numeric_arg(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if num::is_negative(ctx, recv)? { Ok(ctx.float(PI)) } else { Ok(Value::fixnum(0)) }
}

/// The angle of a Float: that of its sign, which zero has too.
pub fn float_arg(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let f = ctx.float_value(recv).unwrap_or(0.0);
    if f.is_nan() {
        return Ok(recv);
    }
    Ok(if f.is_sign_negative() { ctx.float(PI) } else { Value::fixnum(0) })
}

pub fn numeric_rect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Array::from_slice(ctx, &[recv, Value::fixnum(0)]).value())
}

pub fn numeric_polar(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (size, angle) = (ctx.call_name(recv, "abs", &[])?, ctx.call_name(recv, "arg", &[])?);
    Ok(Array::from_slice(ctx, &[size, angle]).value())
}
