//! Rational: from numbers, text and objects that convert.

use crate::float;
use crate::integer::outside::{Effort, LONG_GCD, compute};
use crate::kernel::{cannot_convert, convert_by, or_nil, quietly, raises};
use crate::num::{self, Num};
use crate::parse;
use rubellite_vm::object::{Int, Rational, Str, lowest_terms};
use rubellite_vm::{Args, Ctx, Result, Value};

/// The work of divisors and products of these numbers.
pub(super) fn effort(numbers: &[&Int]) -> Effort {
    let words: usize = numbers.iter().map(|number| number.word_count()).sum();
    Effort::of(words.saturating_mul(words) / 4, LONG_GCD)
}

/// The fraction `n / d` as a Rational in lowest terms; ZeroDivisionError.
pub fn make(ctx: &mut Ctx, n: &Int, d: &Int) -> Result {
    let effort = effort(&[n, d]);
    if effort == Effort::Short {
        return match Rational::reduce(ctx, n, d) {
            Some(r) => Ok(r.value()),
            None => Err(ctx.zero_division()),
        };
    }
    let (n, d) = (n.clone(), d.clone());
    match compute(ctx, effort, move || lowest_terms(&n, &d))? {
        Some((n, d)) => Ok(super::lowest(ctx, n, d)),
        None => Err(ctx.zero_division()),
    }
}

/// The simplest Rational within `eps` of `value`, which is not negative.
pub fn rationalize_within(ctx: &mut Ctx, value: Value, eps: Value) -> Result {
    let eps = ctx.call_name(eps, "abs", &[])?;
    let low = num::sub(ctx, value, eps)?;
    let high = num::add(ctx, value, eps)?;
    if ctx.equal(low, high)? {
        return Ok(value);
    }
    let (low, high) = (to_rational(ctx, low)?, to_rational(ctx, high)?);
    match (Rational::try_of(low), Rational::try_of(high)) {
        (Some(low), Some(high)) => {
            let (n, d) = float::simplest_between(low.parts(), high.parts());
            make(ctx, &n, &d)
        }
        _ => Ok(value),
    }
}

/// The Rational that `to_r` makes of a value.
pub fn to_rational(ctx: &mut Ctx, value: Value) -> Result {
    match num::kind(value) {
        Num::Int(i) => make(ctx, &i, &Int::ONE),
        Num::Rational(_) => Ok(value),
        Num::Float(f) => Ok(float::flonum_rational(ctx, f)?.value()),
        _ => {
            let to_r = ctx.names().to_r;
            convert_by(ctx, value, to_r, "Rational", num::is_rational)
        }
    }
}

/// `Rational(a, b = 1, exception: true)`
pub fn kernel_rational(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let raise = raises(ctx, &args)?;
    let args = args.positional();
    // Between numbers nothing has to be converted: their errors are always raised.
    let numbers = args.slice().iter().all(|v| is_numeric(ctx, *v));
    or_nil(ctx, raise || numbers, args, |ctx| convert(ctx, args.at(0), args.get(1)))
}

fn is_numeric(ctx: &Ctx, value: Value) -> bool {
    ctx.is_a(value, ctx.classes().numeric.get())
}

/// One operand of `Rational()`, made exact where that is simple.
fn operand(ctx: &mut Ctx, value: Value) -> Result {
    let value = match num::kind(value) {
        Num::Complex(c) if num::is_exact_zero(c.imag()) => c.real(),
        _ => value,
    };
    match num::kind(value) {
        Num::Float(f) => return Ok(float::flonum_rational(ctx, f)?.value()),
        Num::Other => {}
        _ => return Ok(value),
    }
    if let Some(text) = Str::try_of(value) {
        return strict(ctx, text);
    }
    let to_r = ctx.names().to_r;
    if !ctx.respond_to(value, to_r, false)? {
        let to_int = ctx.names().to_int;
        if let Some(int) = quietly(ctx, |ctx| ctx.check_call(value, to_int, &[]))?
            && num::is_integer(int)
        {
            return Ok(int);
        }
    }
    Ok(value)
}

/// The Rational that a text is as a whole.
fn strict(ctx: &mut Ctx, text: Str) -> Result {
    ctx.check_ascii_compatible(text)?;
    let bytes = text.bytes(ctx).to_vec();
    match parse::rational(&bytes, true) {
        Ok(Some(parsed)) => parsed.into_value(ctx),
        Ok(None) => {
            let text = ctx.inspect(text.value())?;
            Err(ctx.argument_error(&format!("invalid value for convert(): {text}")))
        }
        Err(parse::ZeroDenominator) => Err(ctx.zero_division()),
    }
}

fn convert(ctx: &mut Ctx, a: Value, b: Option<Value>) -> Result {
    if a.is_nil() || b == Some(Value::NIL) {
        return Err(cannot_convert(ctx, Value::NIL, "Rational"));
    }
    let a = operand(ctx, a)?;
    let Some(b) = b else {
        return to_rational(ctx, a);
    };
    let b = operand(ctx, b)?;
    if num::is_rational(a) && num::is_exact_one(b) {
        return Ok(a);
    }
    let a = numeric_or_rational(ctx, a)?;
    let b = numeric_or_rational(ctx, b)?;
    if is_numeric(ctx, a) && is_numeric(ctx, b) && !(is_integral(ctx, a)? && is_integral(ctx, b)?) {
        let exact = quietly(ctx, |ctx| to_rational(ctx, a).map(Some))?;
        return num::div(ctx, exact.unwrap_or(a), b);
    }
    let (n, d) = (integer_part(ctx, a)?, integer_part(ctx, b)?);
    make(ctx, &n, &d)
}

/// What is no number converts by to_r, if it can.
fn numeric_or_rational(ctx: &mut Ctx, value: Value) -> Result {
    if is_numeric(ctx, value) {
        return Ok(value);
    }
    let to_r = ctx.names().to_r;
    match ctx.check_call(value, to_r, &[])? {
        Some(result) if num::is_rational(result) => Ok(result),
        Some(Value::NIL) | None => Ok(value),
        Some(other) => Err(ctx.bad_conversion(value, other, "Rational", "to_r")),
    }
}

fn is_integral(ctx: &mut Ctx, value: Value) -> Result<bool> {
    if num::is_integer(value) {
        return Ok(true);
    }
    Ok(ctx.call_name(value, "integer?", &[])?.truthy())
}

fn integer_part(ctx: &mut Ctx, value: Value) -> Result<Int> {
    if let Some(n) = Int::try_of(value) {
        return Ok(n);
    }
    if !is_numeric(ctx, value) || !is_integral(ctx, value)? {
        return Err(ctx.type_error("not an integer"));
    }
    let to_i = ctx.names().to_i;
    let int = ctx.call(value, to_i, &[])?;
    Int::try_of(int).ok_or_else(|| ctx.type_error("not an integer"))
}
