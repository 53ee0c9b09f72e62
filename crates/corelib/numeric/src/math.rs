//! Math: functions of the C library on floats, with CRuby's domain checks.

use super::num;
use rubellite_vm::object::integer::ldexp as scale_float;
use rubellite_vm::object::{Array, Complex, Int, integer};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Unwind, Value, method};
use std::f64::consts::{E, LN_2, LOG10_2, PI};
use std::ffi::c_int;

pub static MATH: ClassDef = ClassDef {
    name: "Math",
    superclass: "",
    module_functions: &[
        method("sin", Arity::ONE, sin),
        method("cos", Arity::ONE, cos),
        method("tan", Arity::ONE, tan),
        method("asin", Arity::ONE, asin),
        method("acos", Arity::ONE, acos),
        method("atan", Arity::ONE, atan),
        method("atan2", Arity::exact(2), atan2),
        method("sinh", Arity::ONE, sinh),
        method("cosh", Arity::ONE, cosh),
        method("tanh", Arity::ONE, tanh),
        method("asinh", Arity::ONE, asinh),
        method("acosh", Arity::ONE, acosh),
        method("atanh", Arity::ONE, atanh),
        method("exp", Arity::ONE, exp),
        method("expm1", Arity::ONE, expm1),
        method("log", Arity::range(1, 2), log),
        method("log1p", Arity::ONE, log1p),
        method("log2", Arity::ONE, log2),
        method("log10", Arity::ONE, log10),
        method("sqrt", Arity::ONE, sqrt),
        method("cbrt", Arity::ONE, cbrt),
        method("frexp", Arity::ONE, frexp),
        method("ldexp", Arity::exact(2), ldexp),
        method("hypot", Arity::exact(2), hypot),
        method("erf", Arity::ONE, erf),
        method("erfc", Arity::ONE, erfc),
        method("gamma", Arity::ONE, gamma),
        method("lgamma", Arity::ONE, lgamma),
    ],
    setup: Some(set_constants),
    ..ClassDef::EMPTY
};

pub static DOMAIN_ERROR: ClassDef =
    ClassDef { name: "Math::DomainError", superclass: "StandardError", ..ClassDef::EMPTY };

fn set_constants(ctx: &mut Ctx, class: Class) -> Result<()> {
    for (name, f) in [("PI", PI), ("E", E)] {
        let value = ctx.float(f);
        class.set_const(ctx, name, value);
    }
    Ok(())
}

/// What the standard library lacks. All of them are pure functions of the C library.
mod c {
    use std::ffi::c_int;

    unsafe extern "C" {
        // The standard library's own versions of these three differ in the last digits.
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn tgamma(x: f64) -> f64;
        /// `sign` must be valid for a write.
        pub fn lgamma_r(x: f64, sign: *mut c_int) -> f64;
    }
}

/// The argument of a function: a real number as a float.
pub fn float_argument(ctx: &mut Ctx, value: Value) -> Result<f64> {
    // An Integer is asked when a program has redefined its to_f.
    let to_f = ctx.names().to_f;
    if integer::is_integer(value) && !ctx.is_builtin(value, to_f) {
        let float = ctx.call(value, to_f, &[])?;
        return ctx.to_float(float);
    }
    ctx.to_float(value)
}

#[cold]
fn domain_error(ctx: &mut Ctx, name: &str) -> Unwind {
    ctx.raise_error("Math::DomainError", &format!("Numerical argument is out of domain - {name}"))
}

fn check(ctx: &mut Ctx, inside: bool, name: &str) -> Result<()> {
    if inside { Ok(()) } else { Err(domain_error(ctx, name)) }
}

/// Functions that are defined everywhere.
macro_rules! total_functions {
    ($($name:ident => $function:expr;)*) => {
        $(fn $name(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
            let x = float_argument(ctx, args.at(0))?;
            let function: fn(f64) -> f64 = $function;
            Ok(ctx.float(function(x)))
        })*
    };
}

total_functions! {
    sin => f64::sin;
    cos => f64::cos;
    tan => f64::tan;
    atan => f64::atan;
    sinh => f64::sinh;
    cosh => f64::cosh;
    tanh => f64::tanh;
    asinh => |x| c::asinh(x);
    exp => f64::exp;
    expm1 => f64::exp_m1;
    erf => |x| c::erf(x);
    erfc => |x| c::erfc(x);
}

/// Functions that are defined where the condition holds; NaN passes through.
macro_rules! partial_functions {
    ($($name:ident => $inside:expr, $function:expr;)*) => {
        $(fn $name(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
            let x = float_argument(ctx, args.at(0))?;
            let inside: fn(f64) -> bool = $inside;
            check(ctx, x.is_nan() || inside(x), stringify!($name))?;
            let function: fn(f64) -> f64 = $function;
            Ok(ctx.float(function(x)))
        })*
    };
}

partial_functions! {
    asin => |x| (-1.0..=1.0).contains(&x), f64::asin;
    acos => |x| (-1.0..=1.0).contains(&x), f64::acos;
    acosh => |x| x >= 1.0, |x| c::acosh(x);
    atanh => |x| (-1.0..=1.0).contains(&x), |x| if x.abs() == 1.0 { f64::INFINITY.copysign(x) } else { c::atanh(x) };
    log1p => |x| x >= -1.0, f64::ln_1p;
}

fn atan2(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (x, y) = (float_argument(ctx, args.at(1))?, float_argument(ctx, args.at(0))?);
    Ok(ctx.float(y.atan2(x)))
}

fn hypot(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (x, y) = (float_argument(ctx, args.at(0))?, float_argument(ctx, args.at(1))?);
    Ok(ctx.float(x.hypot(y)))
}

fn sqrt(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    if let Some(c) = Complex::try_of(args.at(0)) {
        return complex_sqrt(ctx, c);
    }
    let x = float_argument(ctx, args.at(0))?;
    check(ctx, !(x < 0.0), "sqrt")?;
    Ok(ctx.float(if x == 0.0 { 0.0 } else { x.sqrt() }))
}

fn complex_sqrt(ctx: &mut Ctx, c: Complex) -> Result {
    let negative = num::has_minus_sign(ctx, c.imag())?;
    let (real, imag) = (float_argument(ctx, c.real())?, float_argument(ctx, c.imag())?);
    let size = real.hypot(imag);
    let root = ((size - real) / 2.0).sqrt();
    let (real, imag) = (ctx.float(((size + real) / 2.0).sqrt()), ctx.float(if negative { -root } else { root }));
    Ok(super::complex::new(ctx, real, imag))
}

/// One step of Newton's method improves the library's result.
fn cbrt(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let x = float_argument(ctx, args.at(0))?;
    let mut root = x.cbrt();
    if root.is_finite() && root != 0.0 {
        root = (2.0 * root + (x / root / root)) / 3.0;
    }
    Ok(ctx.float(root))
}

// -- logarithms -----------------------------------------------------------------------

/// A number as a float times a power of two, so that big Integers do not become infinite.
fn split(ctx: &mut Ctx, value: Value, name: &str) -> Result<(f64, f64)> {
    let (x, bits) = match Int::try_of(value) {
        Some(n) if !n.is_negative() && n.bit_length() >= f64::MAX_EXP as u64 => {
            let bits = n.bit_length() - f64::MANTISSA_DIGITS as u64;
            (n.shr_bits(bits).to_f64(), bits as f64)
        }
        _ => (float_argument(ctx, value)?, 0.0),
    };
    check(ctx, x.is_nan() || x >= 0.0, name)?;
    Ok((x, bits))
}

fn log(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (x, bits) = split(ctx, args.at(0), "log")?;
    let Some(base) = args.get(1) else {
        return Ok(ctx.float(if x == 0.0 { f64::NEG_INFINITY } else { x.ln() + bits * LN_2 }));
    };
    let (base, base_bits) = split(ctx, base, "log")?;
    if x == 0.0 {
        return Ok(ctx.float(if base == 0.0 { f64::NAN } else { f64::NEG_INFINITY }));
    }
    if base == 0.0 {
        return Ok(ctx.float(-0.0));
    }
    // Binary logarithms are exact for powers of two.
    let result = x.log2() / base.log2() + (bits - base_bits) / base.log2();
    Ok(ctx.float(result))
}

fn log2(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (x, bits) = split(ctx, args.at(0), "log2")?;
    Ok(ctx.float(if x == 0.0 { f64::NEG_INFINITY } else { x.log2() + bits }))
}

fn log10(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (x, bits) = split(ctx, args.at(0), "log10")?;
    Ok(ctx.float(if x == 0.0 { f64::NEG_INFINITY } else { x.log10() + bits * LOG10_2 }))
}

// -- parts of floats ------------------------------------------------------------------

fn frexp(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let x = float_argument(ctx, args.at(0))?;
    let (fraction, exponent) = split_float(x);
    let pair = [ctx.float(fraction), Value::fixnum(exponent)];
    Ok(Array::from_slice(ctx, &pair).value())
}

/// A fraction of at least a half and less than one, and a power of two.
fn split_float(x: f64) -> (f64, i64) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // Subnormal numbers get a full mantissa first.
    let (scaled, shift) = if x.abs() < f64::MIN_POSITIVE { (x * 2f64.powi(64), 64) } else { (x, 0) };
    let bits = scaled.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1022;
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent - shift)
}

fn ldexp(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let x = float_argument(ctx, args.at(0))?;
    let exponent = super::integer::rounding_place(ctx, args.at(1))?;
    Ok(ctx.float(scale_float(x, exponent as i64)))
}

// -- gamma ----------------------------------------------------------------------------

/// The largest n whose (n - 1)! a double holds exactly.
const EXACT_FACTORIALS: f64 = 23.0;

fn gamma(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let x = float_argument(ctx, args.at(0))?;
    check(ctx, x != f64::NEG_INFINITY && !(x < 0.0 && x == x.floor()), "gamma")?;
    if x == f64::INFINITY {
        return Ok(ctx.float(x));
    }
    if x == 0.0 {
        return Ok(ctx.float(f64::INFINITY.copysign(x)));
    }
    if x == x.floor() && (1.0..=EXACT_FACTORIALS).contains(&x) {
        let factorial: f64 = (1..x as u64).map(|n| n as f64).product();
        return Ok(ctx.float(factorial));
    }
    Ok(ctx.float(c::tgamma(x)))
}

fn lgamma(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let x = float_argument(ctx, args.at(0))?;
    check(ctx, x != f64::NEG_INFINITY, "lgamma")?;
    let (value, sign) = if x.is_infinite() {
        (x, 1)
    } else if x == 0.0 {
        (f64::INFINITY, if x.is_sign_negative() { -1 } else { 1 })
    } else {
        let mut sign: c_int = 1;
        // SAFETY: `sign` is a live local variable.
        let value = unsafe { c::lgamma_r(x, &raw mut sign) };
        // At the poles the sign is that of CRuby.
        (value, if value.is_infinite() && x < 0.0 { -1 } else { sign as i64 })
    };
    let pair = [ctx.float(value), Value::fixnum(sign)];
    Ok(Array::from_slice(ctx, &pair).value())
}
