//! Float: rounding and conversions.

use super::of;
use crate::integer::{rounding_mode, rounding_place};
use crate::num::{self, Num};
use crate::{kernel, rational};
use rubellite_vm::object::float::{self, Rounded};
use rubellite_vm::object::{Int, Rational, Str, TooBig};
use rubellite_vm::{Args, Ctx, Result, Value};

/// The Float that `Kernel#Float` makes of a value: what arithmetic with unknown operands begins with.
pub fn float_argument(ctx: &mut Ctx, value: Value) -> Result<f64> {
    match num::kind(value) {
        Num::Float(f) => Ok(f),
        Num::Int(i) => ctx.int_to_f64(&i),
        _ => {
            let float = kernel::to_float(ctx, value)?;
            Ok(of(float))
        }
    }
}

/// The Integer without the fraction; FloatDomainError.
pub fn to_integer(ctx: &mut Ctx, f: f64) -> Result {
    match Int::from_f64(f) {
        Some(n) => Ok(n.into_value(ctx)),
        None => Err(ctx.float_domain_error(f)),
    }
}

pub fn to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = float::to_s(of(recv));
    Ok(Str::ascii(ctx, &text).value())
}

pub fn to_i(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    to_integer(ctx, of(recv))
}

/// The exact value as a Rational; FloatDomainError.
pub fn flonum_rational(ctx: &mut Ctx, f: f64) -> Result<Rational> {
    match float::fraction(f) {
        Some((n, d)) => {
            let n = n.into_value(ctx);
            let d = d.into_value(ctx);
            Ok(Rational::new(ctx, n, d))
        }
        None => Err(ctx.float_domain_error(f)),
    }
}

pub fn to_r(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(flonum_rational(ctx, of(recv))?.value())
}

pub fn numerator(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if !of(recv).is_finite() {
        return Ok(recv);
    }
    Ok(flonum_rational(ctx, of(recv))?.num())
}

pub fn denominator(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if !of(recv).is_finite() {
        return Ok(Value::fixnum(1));
    }
    Ok(flonum_rational(ctx, of(recv))?.den())
}

/// The simplest fraction between two fractions (both included), all as numerator and denominator.
///
/// The partial quotients of both are equal up to the place where the simplest one ends.
pub fn simplest_between(low: (Int, Int), high: (Int, Int)) -> (Int, Int) {
    let (mut low, mut high) = (low, high);
    let (mut p0, mut p1, mut q0, mut q1) = (Int::ZERO, Int::ONE, Int::ONE, Int::ZERO);
    loop {
        let Some((floor, rest)) = low.0.divmod(&low.1) else { return (p1, q1) };
        let ceil = if rest.is_zero() { floor.clone() } else { floor.add(&Int::ONE) };
        if ceil.mul(&high.1) <= high.0 {
            return (ceil.mul(&p1).add(&p0), ceil.mul(&q1).add(&q0));
        }
        let k = ceil.sub(&Int::ONE);
        let (p2, q2) = (k.mul(&p1).add(&p0), k.mul(&q1).add(&q0));
        let next_low = (high.1.clone(), high.0.sub(&k.mul(&high.1)));
        high = (low.1.clone(), low.0.sub(&k.mul(&low.1)));
        low = next_low;
        (p0, p1, q0, q1) = (p1, p2, q1, q2);
    }
}

/// `rationalize`, `rationalize(eps)`
pub fn rationalize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let f = of(recv);
    if let Some(eps) = args.get(0) {
        let exact = flonum_rational(ctx, f.abs())?;
        let result = rational::rationalize_within(ctx, exact.value(), eps)?;
        return if f < 0.0 { num::neg(ctx, result) } else { Ok(result) };
    }
    let Some((n, d)) = float::fraction(f.abs()) else { return Err(ctx.float_domain_error(f.abs())) };
    if n.is_zero() || d == Int::ONE {
        let n = if f < 0.0 { n.neg() } else { n };
        return rational::make(ctx, &n, &d);
    }
    // Half a unit in the last place of the 53 bit mantissa to both sides.
    let bits = f.abs().to_bits();
    let biased = (bits >> 52 & 0x7ff) as i64;
    let mantissa = if biased == 0 { bits & ((1 << 52) - 1) } else { bits & ((1 << 52) - 1) | 1 << 52 };
    // Subnormal numbers are taken as if they had all 53 bits, too.
    let shift = mantissa.leading_zeros() as i64 - 11;
    let (mantissa, exponent) = (mantissa << shift, biased.max(1) - 1075 - shift);
    let two = Int::from(mantissa).add(&Int::from(mantissa));
    let den = Int::ONE.shl_bits((1 - exponent).max(0) as u64).unwrap_or(Int::ONE);
    let low = (two.sub(&Int::ONE), den.clone());
    let high = (two.add(&Int::ONE), den);
    let (n, d) = simplest_between(low, high);
    rational::make(ctx, &if f < 0.0 { n.neg() } else { n }, &d)
}

// -- rounding -------------------------------------------------------------------------

/// What a rounding of `f` gave, as a value.
pub fn rounded_value(ctx: &mut Ctx, f: f64, rounded: std::result::Result<Option<Rounded>, TooBig>) -> Result {
    match rounded {
        Ok(Some(Rounded::Float(f))) => Ok(ctx.float(f)),
        Ok(Some(Rounded::Int(n))) => Ok(n.into_value(ctx)),
        Ok(None) => Err(ctx.float_domain_error(f)),
        Err(TooBig) => Err(ctx.argument_error("exponent is too large")),
    }
}

fn place(ctx: &mut Ctx, args: &Args) -> Result<i32> {
    match args.get(0) {
        Some(place) => rounding_place(ctx, place),
        None => Ok(0),
    }
}

pub fn round(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let half = rounding_mode(ctx, &args)?;
    let ndigits = place(ctx, &args.positional())?;
    let f = of(recv);
    rounded_value(ctx, f, float::round(f, ndigits, half))
}

pub fn floor(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (f, ndigits) = (of(recv), place(ctx, &args)?);
    rounded_value(ctx, f, float::floor(f, ndigits))
}

pub fn ceil(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (f, ndigits) = (of(recv), place(ctx, &args)?);
    rounded_value(ctx, f, float::ceil(f, ndigits))
}

pub fn truncate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (f, ndigits) = (of(recv), place(ctx, &args)?);
    rounded_value(ctx, f, float::truncate(f, ndigits))
}

pub fn next_float(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let next = of(recv).next_up();
    Ok(ctx.float(next))
}

pub fn prev_float(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let previous = of(recv).next_down();
    Ok(ctx.float(previous))
}
