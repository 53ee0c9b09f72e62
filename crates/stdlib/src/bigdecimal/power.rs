//! BigDecimal: powers and roots; BigMath's exponential and logarithm.

use super::convert::{DOUBLE_FIGURES, SERIES, compute, is_integer, is_odd_integer, make, number_of, of, operand};
use super::functions::{self, GUARD};
use super::mode::{self, Modes};
use super::number::{Finite, Number, Rounding};
use rubellite_core_numeric::coerce::coerce_bin;
use rubellite_vm::object::{Complex, Float, Int, Rational};
use rubellite_vm::{Args, Ctx, Result, Unwind, Value};

/// A number of digits: `name` is the method that takes it.
fn digits(ctx: &mut Ctx, value: Value, name: &str, zero: bool) -> Result<u64> {
    let n = ctx.to_int(value)?;
    if n < 0 && zero {
        return Err(ctx.argument_error(&format!("Negative precision for {name}")));
    }
    if n <= 0 && !zero {
        return Err(ctx.argument_error(&format!("Zero or negative precision for {name}")));
    }
    Ok(n as u64)
}

#[cold]
fn domain_error(ctx: &mut Ctx, message: &str) -> Unwind {
    ctx.raise_error("Math::DomainError", message)
}

/// An infinite result, if the modes allow it.
fn infinity(ctx: &mut Ctx, negative: bool) -> Result<Number> {
    if mode::get(ctx)?.exceptions & mode::INFINITY != 0 {
        return Err(ctx.raise_error("FloatDomainError", "Computation results in 'Infinity'"));
    }
    Ok(Number::Inf(negative))
}

fn not_a_number(ctx: &mut Ctx) -> Result<Number> {
    if mode::get(ctx)?.exceptions & mode::NAN != 0 {
        return Err(ctx.raise_error("FloatDomainError", "Computation results to 'NaN'"));
    }
    Ok(Number::NaN)
}

/// `decimal ** other`
pub fn op_pow(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if other.is_nil() {
        return Err(ctx.type_error("wrong argument type NilClass"));
    }
    let known = number_of(ctx, other).is_some()
        || Int::try_of(other).is_some()
        || Float::value_of(other).is_some()
        || Rational::try_of(other).is_some();
    if !known {
        let op = ctx.intern("**");
        return coerce_bin(ctx, recv, other, op);
    }
    raised(ctx, recv, other, 0)
}

/// `power(other[, digits]) -> BigDecimal`
pub fn power(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let wanted = match args.get(1) {
        Some(value) => digits(ctx, value, "power", true)?,
        None => 0,
    };
    raised(ctx, recv, args.at(0), wanted)
}

fn raised(ctx: &mut Ctx, recv: Value, other: Value, wanted: u64) -> Result {
    let x = of(ctx, recv)?;
    let y = argument(ctx, other, if wanted > 0 { wanted } else { x.significant() })?;
    let result = power_of(ctx, &x, &y, wanted)?;
    make(ctx, result)
}

/// A number that is an argument of a function; ArgumentError for others.
fn argument(ctx: &mut Ctx, value: Value, digits: u64) -> Result<Number> {
    match operand(ctx, value, digits.max(2 * DOUBLE_FIGURES))? {
        Some(number) => Ok(number),
        None => {
            let text = ctx.inspect(value)?;
            Err(ctx.argument_error(&format!("{text} can't be coerced into BigDecimal")))
        }
    }
}

fn power_of(ctx: &mut Ctx, x: &Number, y: &Number, wanted: u64) -> Result<Number> {
    let base = match (x, y) {
        (Number::NaN, _) | (_, Number::NaN) => return not_a_number(ctx),
        (_, Number::Zero(_)) => return Ok(Number::one()),
        (_, Number::Inf(negative)) => return infinite_power(ctx, x, *negative),
        (Number::Finite(base), _) => base,
        (_, Number::Finite(power)) => {
            // Zero or infinity: the sign of the result is the base's for odd powers.
            let negative = x.is_negative() && is_odd_integer(power);
            return if x.is_zero() == power.negative {
                infinity(ctx, negative)
            } else {
                Ok(Number::Zero(negative && x.is_zero() == power.negative))
            };
        }
    };
    let Number::Finite(power) = y else { return Ok(Number::NaN) };
    if base.negative {
        if !is_integer(power) {
            return Err(domain_error(ctx, "Computation results in complex number"));
        }
        let result = positive_power(ctx, &Finite { negative: false, ..base.clone() }, power, wanted)?;
        return Ok(if is_odd_integer(power) { result.neg() } else { result });
    }
    positive_power(ctx, base, power, wanted)
}

fn infinite_power(ctx: &mut Ctx, x: &Number, negative: bool) -> Result<Number> {
    let one = Number::one();
    let size = x.abs().compare(&one);
    if x.is_negative() && !x.is_zero() {
        return match (size, negative) {
            (Some(std::cmp::Ordering::Greater), true) | (Some(std::cmp::Ordering::Less), false) => {
                Ok(Number::Zero(false))
            }
            _ => Err(domain_error(ctx, "Result undefined for negative base raised to infinite power")),
        };
    }
    match size {
        Some(std::cmp::Ordering::Equal) => Ok(one),
        Some(std::cmp::Ordering::Less) if negative => infinity(ctx, false),
        Some(std::cmp::Ordering::Greater) if !negative => infinity(ctx, false),
        _ => Ok(Number::Zero(false)),
    }
}

fn positive_power(ctx: &mut Ctx, x: &Finite, y: &Finite, wanted: u64) -> Result<Number> {
    if x.exponent == 0 && x.coefficient == Int::ONE {
        return Ok(Number::one());
    }
    let modes = mode::get(ctx)?;
    let number = Number::Finite(y.clone());
    if is_integer(y) && wanted == 0 && modes.limit == 0 {
        return exact_power(ctx, x, y, &modes);
    }
    let mut digits = wanted;
    if digits == 0 {
        digits = x.digits().max(y.digits()).max(DOUBLE_FIGURES) + DOUBLE_FIGURES;
        if modes.limit > 0 {
            digits = digits.min(modes.limit);
        }
    }
    let carried = digits + GUARD;
    if y.negative {
        let inverse = positive_power(ctx, x, &Finite { negative: false, ..y.clone() }, carried)?;
        return match &inverse {
            Number::Inf(_) => Ok(Number::Zero(false)),
            Number::Zero(_) => infinity(ctx, false),
            _ => super::convert::quotient(ctx, &Number::one(), &inverse, digits, &modes),
        };
    }
    if is_integer(y)
        && (y.point() as f64) < (digits as f64).ln() * 5.0 + 20.0
        && let Some(n) = number.to_int().ok().and_then(|n| n.to_u64())
    {
        let places = carried + y.point() as u64;
        let x = x.clone();
        let result = compute(ctx, places.saturating_mul(SERIES), move || {
            Ok(functions::power_rounded(&x, n, places, modes.rounding))
        })?;
        return Ok(result.round_digits(digits, modes.rounding, false));
    }
    // exp(y ln x) needs as many digits more as y ln x has before the point.
    let more = (y.point() + (x.point().unsigned_abs().max(1) as f64).log10().ceil() as i64 + 1).max(0) as u64;
    if more > 40 {
        return if x.point() > 0 { infinity(ctx, false) } else { Ok(Number::Zero(false)) };
    }
    let x = x.clone();
    let log =
        compute(ctx, carried.saturating_mul(SERIES), move || functions::log(&x, carried + more, Rounding::HalfEven))?;
    let product = log.mul(&number).round_digits(carried + more, Rounding::HalfEven, false);
    exponential(ctx, &product, digits, modes.rounding)
}

fn exact_power(ctx: &mut Ctx, x: &Finite, y: &Finite, modes: &Modes) -> Result<Number> {
    let n = Number::Finite(Finite { negative: false, ..y.clone() }).to_int().ok().and_then(|n| n.to_u64());
    let grows = x.point() > 0;
    let Some(n) = n.filter(|n| (x.point().unsigned_abs().saturating_sub(1) as u128) * (*n as u128) < i64::MAX as u128)
    else {
        return if grows != y.negative { infinity(ctx, false) } else { Ok(Number::Zero(false)) };
    };
    let base = x.clone();
    let result = compute(ctx, x.digits().saturating_mul(n), move || functions::power_exact(&base, n))?;
    match (&result, y.negative) {
        (_, false) => Ok(result),
        (Number::Inf(_), true) => Ok(Number::Zero(false)),
        (Number::Zero(_), true) => infinity(ctx, false),
        _ => super::convert::quotient(ctx, &Number::one(), &result, 0, modes),
    }
}

/// `sqrt(digits) -> BigDecimal`
pub fn sqrt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mut wanted = digits(ctx, args.at(0), "sqrt", true)?;
    let x = of(ctx, recv)?;
    match &x {
        Number::Inf(false) => {
            let result = infinity(ctx, false)?;
            make(ctx, result)
        }
        Number::NaN => Err(ctx.raise_error("FloatDomainError", "sqrt of 'NaN'(Not a Number)")),
        Number::Zero(_) => Ok(recv),
        Number::Finite(f) if !f.negative => {
            let modes = mode::get(ctx)?;
            if wanted == 0 {
                wanted = f.digits() + DOUBLE_FIGURES;
                if modes.limit > 0 {
                    wanted = wanted.min(modes.limit);
                }
            }
            let f = f.clone();
            let work = wanted.saturating_add(f.digits()).saturating_mul(SERIES);
            let result = compute(ctx, work, move || functions::sqrt(&f, wanted, modes.rounding))?;
            make(ctx, result)
        }
        _ => Err(ctx.raise_error("FloatDomainError", "sqrt of negative value")),
    }
}

fn exponential(ctx: &mut Ctx, x: &Number, digits: u64, rounding: Rounding) -> Result<Number> {
    match x {
        Number::NaN => not_a_number(ctx),
        Number::Inf(true) => Ok(Number::Zero(false)),
        Number::Inf(false) => infinity(ctx, false),
        Number::Zero(_) => Ok(Number::one()),
        Number::Finite(f) if f.point() >= 21 && !f.negative => infinity(ctx, false),
        Number::Finite(f) if f.point() >= 21 => {
            if mode::get(ctx)?.exceptions & mode::UNDERFLOW != 0 {
                return Err(ctx.raise_error("FloatDomainError", "Exponent underflow"));
            }
            Ok(Number::Zero(false))
        }
        Number::Finite(f) => {
            let far = -f.point() > digits as i64 + 2;
            // So near to 1 that only the rounding sees the difference.
            let result = if far {
                let tiny = Number::Finite(Finite {
                    negative: f.negative,
                    coefficient: Int::ONE,
                    exponent: -(digits as i64) - 2,
                });
                compute(ctx, digits, move || {
                    Ok(Number::one().add(&tiny, false)?.round_digits(digits, rounding, false))
                })?
            } else {
                let f = f.clone();
                compute(ctx, digits.saturating_mul(SERIES), move || functions::exp(&f, digits, rounding))?
            };
            Ok(result)
        }
    }
}

/// `BigMath.exp(number, digits) -> BigDecimal`
pub fn exp(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let digits = digits(ctx, args.at(1), "exp", false)?;
    let x = argument(ctx, args.at(0), digits)?;
    let rounding = mode::get(ctx)?.rounding;
    let result = exponential(ctx, &x, digits, rounding)?;
    make(ctx, result)
}

/// `BigMath.log(number, digits) -> BigDecimal`
pub fn log(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let digits = digits(ctx, args.at(1), "log", false)?;
    if Complex::try_of(args.at(0)).is_some() {
        return Err(domain_error(ctx, "Complex argument for BigMath.log"));
    }
    let x = argument(ctx, args.at(0), digits)?;
    let result = match &x {
        Number::NaN => not_a_number(ctx)?,
        Number::Zero(_) => infinity(ctx, true)?,
        n if n.is_negative() => return Err(domain_error(ctx, "Negative argument for log")),
        Number::Inf(_) => infinity(ctx, false)?,
        Number::Finite(f) if f.exponent == 0 && f.coefficient == Int::ONE => Number::Zero(false),
        Number::Finite(f) => {
            let rounding = mode::get(ctx)?.rounding;
            let f = f.clone();
            compute(ctx, digits.saturating_mul(SERIES), move || functions::log(&f, digits, rounding))?
        }
    };
    make(ctx, result)
}
