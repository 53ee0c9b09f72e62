//! Integer: powers, roots, divisors, rounding.

use super::of;
use super::outside::{Effort, LONG_GCD, compute};
use crate::coerce::coerce_bin;
use crate::num::{self, Num};
use crate::{complex, rational};
use rubellite_vm::object::float::Rounding;
use rubellite_vm::object::{Array, Int, TooBig};
use rubellite_vm::{Args, Ctx, Result, Value};

/// Results of more bits are computed outside the lock.
const LONG_POWER_BITS: usize = 1 << 17;
/// Squares of the modulus in words times bits of the exponent: the same.
const LONG_MODULAR_POWER: usize = 1 << 17;
/// Roots of longer numbers: the same.
const LONG_ROOT_WORDS: usize = 256;

/// `base ** exponent` for an exponent that is not negative; ArgumentError for absurd sizes.
pub fn power(ctx: &mut Ctx, base: &Int, exponent: &Int) -> Result<Int> {
    if let Int::Small(-1..=1) = base {
        let odd = !exponent.is_even();
        return Ok(match base {
            Int::Small(-1) if odd => Int::from(-1i64),
            Int::Small(0) if !exponent.is_zero() => Int::ZERO,
            _ => Int::ONE,
        });
    }
    let result = match exponent.to_u64() {
        Some(n) => {
            let bits = base.bit_length().saturating_mul(n) as usize;
            let base = base.clone();
            compute(ctx, Effort::of(bits, LONG_POWER_BITS), move || base.pow(n))?
        }
        None => Err(TooBig),
    };
    match result {
        Ok(value) => Ok(value),
        Err(TooBig) => Err(ctx.argument_error("exponent is too large")),
    }
}

pub fn op_pow(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    raise_to(ctx, recv, args.at(0))
}

fn raise_to(ctx: &mut Ctx, recv: Value, other: Value) -> Result {
    if let (Some(base), Some(exponent)) = (recv.as_fixnum(), other.as_fixnum())
        && let Ok(exponent) = u32::try_from(exponent)
        && let Some(power) = base.checked_pow(exponent)
    {
        return Ok(ctx.int(power));
    }
    let base = of(recv);
    match num::kind(other) {
        Num::Int(exponent) if exponent.is_negative() => inverse_power(ctx, &base, &exponent),
        Num::Int(exponent) => {
            let power = power(ctx, &base, &exponent)?;
            Ok(power.into_value(ctx))
        }
        Num::Float(exponent) => {
            if exponent == 0.0 || base == Int::ONE {
                return Ok(ctx.float(1.0));
            }
            if base.is_zero() {
                return Ok(ctx.float(if exponent < 0.0 { f64::INFINITY } else { 0.0 }));
            }
            let f = ctx.int_to_f64(&base)?;
            if f < 0.0 && exponent != exponent.round() {
                return complex::polar_pi(ctx, (-f).powf(exponent), exponent);
            }
            Ok(ctx.float(f.powf(exponent)))
        }
        _ => {
            let op = ctx.names().op_pow;
            coerce_bin(ctx, recv, other, op)
        }
    }
}

/// A power with a negative exponent: a Rational.
fn inverse_power(ctx: &mut Ctx, base: &Int, exponent: &Int) -> Result {
    if let Int::Small(1 | -1) = base {
        let value = power(ctx, base, &exponent.neg())?;
        return Ok(value.into_value(ctx));
    }
    if base.is_zero() {
        return Err(ctx.zero_division());
    }
    let den = power(ctx, base, &exponent.neg())?;
    rational::make(ctx, &Int::ONE, &den)
}

/// `pow(exponent)`, `pow(exponent, modulus)`
pub fn pow(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(modulus) = args.get(1) else {
        return raise_to(ctx, recv, args.at(0));
    };
    let Some(exponent) = Int::try_of(args.at(0)) else {
        return Err(ctx.type_error("Integer#pow() 2nd argument not allowed unless a 1st argument is integer"));
    };
    if exponent.is_negative() {
        return Err(ctx.range_error("Integer#pow() 1st argument cannot be negative when 2nd argument specified"));
    }
    let Some(modulus) = Int::try_of(modulus) else {
        return Err(ctx.type_error("Integer#pow() 2nd argument not allowed unless all arguments are integers"));
    };
    let base = of(recv);
    if let (Int::Small(b), Int::Small(e), Int::Small(m @ 1..)) = (&base, &exponent, &modulus) {
        return Ok(ctx.int(power_modulo(*b, *e as u64, *m)));
    }
    let words = modulus.word_count();
    let steps = words.saturating_mul(words).saturating_mul(exponent.bit_length() as usize);
    match compute(ctx, Effort::of(steps, LONG_MODULAR_POWER), move || base.modpow(&exponent, &modulus))? {
        Some(power) => Ok(power.into_value(ctx)),
        None => Err(ctx.zero_division()),
    }
}

/// `base ** exponent % modulus` for a positive modulus.
fn power_modulo(base: i64, mut exponent: u64, modulus: i64) -> i64 {
    let (m, mut square) = (modulus as u64, base.rem_euclid(modulus) as u64);
    let mul = |a: u64, b: u64| match a.checked_mul(b) {
        Some(product) => product % m,
        None => (a as u128 * b as u128 % m as u128) as u64,
    };
    let mut result = 1 % m;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, square);
        }
        square = mul(square, square);
        exponent >>= 1;
    }
    result as i64
}

/// `Integer.sqrt(n)`
pub fn sqrt(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let n = ctx.to_integer(args.at(0))?;
    let n = of(n);
    match compute(ctx, Effort::of(n.word_count(), LONG_ROOT_WORDS), move || n.isqrt())? {
        Some(root) => Ok(root.into_value(ctx)),
        None => Err(ctx.raise_error("Math::DomainError", "Numerical argument is out of domain - \"isqrt\"")),
    }
}

fn integer_argument(ctx: &mut Ctx, value: Value) -> Result<Int> {
    match Int::try_of(value) {
        Some(n) => Ok(n),
        None => Err(ctx.type_error("not an integer")),
    }
}

pub fn gcd(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = integer_argument(ctx, args.at(0))?;
    let (a, words) = (of(recv), of(recv).word_count().saturating_mul(other.word_count()));
    let divisor = compute(ctx, Effort::of(words, LONG_GCD), move || a.gcd(&other))?;
    Ok(divisor.into_value(ctx))
}

pub fn lcm(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = integer_argument(ctx, args.at(0))?;
    let (a, words) = (of(recv), of(recv).word_count().saturating_mul(other.word_count()));
    let multiple = compute(ctx, Effort::of(words, LONG_GCD), move || a.lcm(&other))?;
    Ok(multiple.into_value(ctx))
}

pub fn gcdlcm(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let pair = [gcd(ctx, recv, args)?, lcm(ctx, recv, args)?];
    Ok(Array::from_slice(ctx, &pair).value())
}

/// The quotient rounded up: `-div(0 - other)`.
pub fn ceildiv(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let minus = num::sub(ctx, Value::fixnum(0), args.at(0))?;
    let quotient = ctx.call_name(recv, "div", &[minus])?;
    num::neg(ctx, quotient)
}

// -- rounding -------------------------------------------------------------------------

/// The `ndigits` argument of a rounding method.
pub fn rounding_place(ctx: &mut Ctx, value: Value) -> Result<i32> {
    let n = ctx.to_int(value)?;
    match i32::try_from(n) {
        Ok(n) => Ok(n),
        Err(_) => {
            let size = if n < 0 { "small" } else { "big" };
            Err(ctx.range_error(&format!("integer {n} too {size} to convert to 'int'")))
        }
    }
}

/// The `half:` keyword of a rounding method.
pub fn rounding_mode(ctx: &mut Ctx, args: &Args) -> Result<Rounding> {
    let Some(keywords) = args.keywords() else { return Ok(Rounding::HalfUp) };
    let half = ctx.intern("half");
    let mode = keywords.get_sym(ctx, half);
    args.check_keywords(ctx, &["half"])?;
    let Some(mode) = mode.filter(|m| !m.is_nil()) else { return Ok(Rounding::HalfUp) };
    let text = match mode.as_symbol() {
        Some(sym) => Some(ctx.sym_str(sym)),
        None => match ctx.check_str(mode)? {
            Some(text) => {
                ctx.check_ascii_compatible(text)?;
                Some(text.to_lossy(ctx).into_owned())
            }
            None => None,
        },
    };
    match text.as_deref().map(str::to_ascii_lowercase).as_deref() {
        Some("up") => Ok(Rounding::HalfUp),
        Some("even") => Ok(Rounding::HalfEven),
        Some("down") => Ok(Rounding::HalfDown),
        _ => {
            let text = ctx.to_s(mode)?.to_lossy(ctx).into_owned();
            Err(ctx.argument_error(&format!("invalid rounding mode: {text}")))
        }
    }
}

/// Rounds by `rule` when the place is left of the point; else the Integer is its own rounding.
fn round_with(
    ctx: &mut Ctx,
    recv: Value,
    place: Option<Value>,
    rule: impl FnOnce(&Int, i32) -> std::result::Result<Int, TooBig>,
) -> Result {
    let Some(place) = place else { return Ok(recv) };
    let ndigits = rounding_place(ctx, place)?;
    if ndigits >= 0 {
        return Ok(recv);
    }
    match rule(&of(recv), ndigits) {
        Ok(n) => Ok(n.into_value(ctx)),
        Err(TooBig) => Err(ctx.argument_error("exponent is too large")),
    }
}

pub fn round(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    // Without a place nobody looks at the rule.
    if args.positional().is_empty() {
        return Ok(recv);
    }
    let half = rounding_mode(ctx, &args)?;
    round_with(ctx, recv, args.positional().get(0), |n, ndigits| Ok(n.round_digits(ndigits, half)))
}

pub fn floor(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    round_with(ctx, recv, args.get(0), Int::floor_digits)
}

pub fn ceil(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    round_with(ctx, recv, args.get(0), Int::ceil_digits)
}

pub fn truncate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    round_with(ctx, recv, args.get(0), Int::truncate_digits)
}
