//! BigDecimal: methods of instances. Powers and logarithms are `power`.

use super::convert::{
    self, DOUBLE_FIGURES, compute, digits_beside, limited, make, must, must_be_finite, number_of, of, operand,
    rounding_floor,
};
use super::mode;
use super::number::{Number, Rounding};
use super::text;
use rubellite_core_numeric::coerce::{coerce_bin, coerce_cmp, coerce_relop};
use rubellite_vm::object::{Array, Float, Hash, Int, Rational, Str, integer::TooBig};
use rubellite_vm::{Args, Arity, Ctx, MethodDef, Result, Value, method};
use std::cmp::Ordering;

pub const METHODS: &[MethodDef] = &[
    method("precision", Arity::NONE, precision),
    method("scale", Arity::NONE, scale),
    method("precision_scale", Arity::NONE, precision_scale),
    method("n_significant_digits", Arity::NONE, n_significant_digits),
    method("add", Arity::exact(2), add),
    method("sub", Arity::exact(2), sub),
    method("mult", Arity::exact(2), mult),
    method("div", Arity::range(1, 2), div),
    method("hash", Arity::NONE, hash),
    method("to_s", Arity::range(0, 1), to_s),
    method("to_i", Arity::NONE, to_i),
    method("to_int", Arity::NONE, to_i),
    method("to_r", Arity::NONE, to_r),
    method("split", Arity::NONE, split),
    method("+", Arity::ONE, op_plus),
    method("-", Arity::ONE, op_minus),
    method("+@", Arity::NONE, itself),
    method("-@", Arity::NONE, op_negate),
    method("*", Arity::ONE, op_times),
    method("/", Arity::ONE, op_div),
    method("quo", Arity::range(1, 2), quo),
    method("%", Arity::ONE, modulo),
    method("modulo", Arity::ONE, modulo),
    method("remainder", Arity::ONE, remainder),
    method("divmod", Arity::ONE, divmod),
    method("clone", Arity::NONE, itself),
    method("dup", Arity::NONE, itself),
    method("to_f", Arity::NONE, to_f),
    method("abs", Arity::NONE, abs),
    method("fix", Arity::NONE, fix),
    method("round", Arity::range(0, 2), round),
    method("frac", Arity::NONE, frac),
    method("floor", Arity::range(0, 1), floor),
    method("ceil", Arity::range(0, 1), ceil),
    method("truncate", Arity::range(0, 1), truncate),
    method("<=>", Arity::ONE, op_cmp),
    method("==", Arity::ONE, op_eq),
    method("===", Arity::ONE, op_eq),
    method("eql?", Arity::ONE, op_eq),
    method("<", Arity::ONE, op_lt),
    method("<=", Arity::ONE, op_le),
    method(">", Arity::ONE, op_gt),
    method(">=", Arity::ONE, op_ge),
    method("zero?", Arity::NONE, zero_p),
    method("nonzero?", Arity::NONE, nonzero_p),
    method("coerce", Arity::ONE, coerce),
    method("inspect", Arity::NONE, inspect),
    method("exponent", Arity::NONE, exponent),
    method("sign", Arity::NONE, sign),
    method("nan?", Arity::NONE, nan_p),
    method("infinite?", Arity::NONE, infinite_p),
    method("finite?", Arity::NONE, finite_p),
    method("_decimal_shift", Arity::ONE, decimal_shift),
    method("_dump", Arity::range(0, 1), dump),
    method("**", Arity::ONE, super::power::op_pow),
    method("power", Arity::range(1, 2), super::power::power),
    method("sqrt", Arity::exact(1), super::power::sqrt),
];

fn itself(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

fn precision(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let n = of(ctx, recv)?.precision_and_scale().0;
    Ok(ctx.int(n))
}

fn scale(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let n = of(ctx, recv)?.precision_and_scale().1;
    Ok(ctx.int(n))
}

fn precision_scale(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (precision, scale) = of(ctx, recv)?.precision_and_scale();
    let pair = [ctx.int(precision), ctx.int(scale)];
    Ok(Array::from_slice(ctx, &pair).value())
}

fn n_significant_digits(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(of(ctx, recv)?.significant() as i64))
}

/// An argument that says how many digits a result has.
pub fn digits(ctx: &mut Ctx, value: Value) -> Result<u64> {
    let n = ctx.to_int(value)?;
    if n < 0 {
        return Err(ctx.argument_error("negative precision"));
    }
    Ok(n as u64)
}

// -- arithmetic -------------------------------------------------------------------------------------

fn sum(ctx: &mut Ctx, me: &Number, other: &Number, digits: u64) -> Result {
    let modes = mode::get(ctx)?;
    let wanted = if digits > 0 { digits } else { modes.limit };
    // What lies between the numbers is written out unless the digits are limited.
    let between = match (me.finite(), other.finite()) {
        (Some(a), Some(b)) if wanted == 0 => a.exponent.abs_diff(b.exponent),
        _ => wanted,
    };
    let work = me.significant().saturating_add(other.significant()).saturating_add(between);
    let (me, other) = (me.clone(), other.clone());
    let result = compute(ctx, work, move || match wanted {
        0 => me.add(&other, rounding_floor(modes.rounding)),
        wanted => me.add_rounded(&other, wanted, modes.rounding),
    })?;
    make(ctx, result)
}

fn is_known(ctx: &Ctx, value: Value) -> bool {
    number_of(ctx, value).is_some()
        || Int::try_of(value).is_some()
        || Float::value_of(value).is_some()
        || Rational::try_of(value).is_some()
}

fn op_plus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !is_known(ctx, args.at(0)) {
        let op = ctx.intern("+");
        return coerce_bin(ctx, recv, args.at(0), op);
    }
    let me = of(ctx, recv)?;
    let other = must(ctx, &me, args.at(0), 0)?;
    sum(ctx, &me, &other, 0)
}

fn op_minus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !is_known(ctx, args.at(0)) {
        let op = ctx.intern("-");
        return coerce_bin(ctx, recv, args.at(0), op);
    }
    let me = of(ctx, recv)?;
    let other = must(ctx, &me, args.at(0), 0)?.neg();
    sum(ctx, &me, &other, 0)
}

fn add(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let digits = digits(ctx, args.at(1))?;
    let me = of(ctx, recv)?;
    let other = must(ctx, &me, args.at(0), digits)?;
    sum(ctx, &me, &other, digits)
}

fn sub(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let digits = digits(ctx, args.at(1))?;
    let me = of(ctx, recv)?;
    let other = must(ctx, &me, args.at(0), digits)?.neg();
    sum(ctx, &me, &other, digits)
}

fn product(ctx: &mut Ctx, me: &Number, other: &Number, digits: u64) -> Result {
    let modes = mode::get(ctx)?;
    let work = me.significant().min(other.significant());
    let (me, other) = (me.clone(), other.clone());
    let result = compute(ctx, work, move || {
        let result = me.mul(&other);
        Ok(if digits > 0 { result.round_digits(digits, modes.rounding, false) } else { limited(result, &modes) })
    })?;
    make(ctx, result)
}

fn op_times(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !is_known(ctx, args.at(0)) {
        let op = ctx.intern("*");
        return coerce_bin(ctx, recv, args.at(0), op);
    }
    let me = of(ctx, recv)?;
    let other = must(ctx, &me, args.at(0), 0)?;
    product(ctx, &me, &other, 0)
}

fn mult(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let digits = digits(ctx, args.at(1))?;
    let me = of(ctx, recv)?;
    let other = must(ctx, &me, args.at(0), digits)?;
    product(ctx, &me, &other, digits)
}

fn divided(ctx: &mut Ctx, recv: Value, other: Value, digits: u64) -> Result {
    let me = of(ctx, recv)?;
    let other = must(ctx, &me, other, digits)?;
    let modes = mode::get(ctx)?;
    let result = convert::quotient(ctx, &me, &other, digits, &modes)?;
    make(ctx, result)
}

fn op_div(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !is_known(ctx, args.at(0)) {
        let op = ctx.intern("/");
        return coerce_bin(ctx, recv, args.at(0), op);
    }
    divided(ctx, recv, args.at(0), 0)
}

fn quo(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let digits = match args.get(1) {
        Some(value) => digits(ctx, value)?,
        None => 0,
    };
    if digits == 0 {
        return op_div(ctx, recv, args);
    }
    divided(ctx, recv, args.at(0), digits)
}

/// `div(other) -> Integer`, `div(other, digits) -> BigDecimal`
fn div(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let Some(value) = args.non_nil(1) {
        let digits = digits(ctx, value)?;
        return divided(ctx, recv, args.at(0), digits);
    }
    match whole_and_rest(ctx, recv, args.at(0), true)? {
        Some((whole, _)) => integer(ctx, &whole),
        None => {
            let op = ctx.intern("div");
            coerce_bin(ctx, recv, args.at(0), op)
        }
    }
}

/// The whole quotient and the rest; none when the operand is no number that is known here.
fn whole_and_rest(ctx: &mut Ctx, recv: Value, other: Value, floor: bool) -> Result<Option<(Number, Number)>> {
    let me = of(ctx, recv)?;
    let Some(other) = operand(ctx, other, digits_beside(&me, 0))? else { return Ok(None) };
    Ok(Some(match (&me, &other) {
        (Number::NaN, _) | (_, Number::NaN) | (Number::Inf(_), Number::Inf(_)) => (Number::NaN, Number::NaN),
        (_, Number::Zero(_)) => return Err(ctx.zero_division()),
        (Number::Inf(a), b) => (Number::Inf(*a != b.is_negative()), Number::NaN),
        (Number::Zero(_), _) => (Number::Zero(false), me),
        (Number::Finite(a), Number::Inf(b)) => {
            if floor && a.negative != *b {
                (Number::from_int(Int::from(-1i64)), other)
            } else {
                (Number::Zero(false), me)
            }
        }
        (Number::Finite(a), Number::Finite(b)) => {
            let work = a.digits().saturating_add(b.digits()).saturating_add(a.point().abs_diff(b.point()));
            let (a, b) = (a.clone(), b.clone());
            compute(ctx, work, move || {
                Number::div_whole(&a, &b, floor).map(|(whole, rest)| (Number::from_int(whole), rest))
            })?
        }
    }))
}

fn modulo(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match whole_and_rest(ctx, recv, args.at(0), true)? {
        Some((_, rest)) => make(ctx, rest),
        None => {
            let op = ctx.intern("%");
            coerce_bin(ctx, recv, args.at(0), op)
        }
    }
}

fn remainder(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match whole_and_rest(ctx, recv, args.at(0), false)? {
        Some((_, rest)) => make(ctx, rest),
        None => {
            let op = ctx.intern("remainder");
            coerce_bin(ctx, recv, args.at(0), op)
        }
    }
}

/// `divmod(other) -> [Integer, BigDecimal]`
fn divmod(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match whole_and_rest(ctx, recv, args.at(0), true)? {
        Some((whole, rest)) => {
            let whole = integer(ctx, &whole)?;
            let rest = make(ctx, rest)?;
            Ok(Array::from_slice(ctx, &[whole, rest]).value())
        }
        None => {
            let op = ctx.intern("divmod");
            coerce_bin(ctx, recv, args.at(0), op)
        }
    }
}

fn op_negate(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = of(ctx, recv)?.neg();
    make(ctx, number)
}

fn abs(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = of(ctx, recv)?.abs();
    make(ctx, number)
}

fn decimal_shift(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let by = ctx.to_int(args.at(0))?;
    let number = of(ctx, recv)?.shift(by);
    make(ctx, number)
}

// -- rounding -----------------------------------------------------------------------------------------

/// An Integer; FloatDomainError for what has none.
pub fn integer(ctx: &mut Ctx, number: &Number) -> Result {
    must_be_finite(ctx, number)?;
    let number = number.clone();
    match compute(ctx, number.significant(), move || Ok(number.to_int().ok()))? {
        Some(int) => Ok(int.into_value(ctx)),
        None => Err(ctx.raise_error("FloatDomainError", "Infinity")),
    }
}

fn fix(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = of(ctx, recv)?;
    let whole = rounded(ctx, number, 0, Rounding::Down)?;
    make(ctx, whole)
}

fn frac(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = of(ctx, recv)?;
    let result = match &number {
        Number::Finite(f) if f.exponent >= 0 => Number::Zero(false),
        Number::Finite(_) => compute(ctx, number.significant(), move || {
            number.add(&number.round_places(0, Rounding::Down).neg(), false)
        })?,
        other => other.clone(),
    };
    make(ctx, result)
}

/// Cuts off to the places that an argument gives; without one to an Integer.
fn cut(ctx: &mut Ctx, recv: Value, args: Args, rounding: Rounding) -> Result {
    let number = of(ctx, recv)?;
    match args.get(0) {
        Some(places) => {
            let places = ctx.to_int(places)?;
            let result = rounded(ctx, number, places, rounding)?;
            make(ctx, result)
        }
        None => {
            let result = rounded(ctx, number, 0, rounding)?;
            integer(ctx, &result)
        }
    }
}

/// `Number::round_places`, outside the lock where the number is long.
fn rounded(ctx: &mut Ctx, number: Number, places: i64, rounding: Rounding) -> Result<Number> {
    compute(ctx, number.significant(), move || Ok(number.round_places(places, rounding)))
}

fn floor(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    cut(ctx, recv, args, Rounding::Floor)
}

fn ceil(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    cut(ctx, recv, args, Rounding::Ceiling)
}

fn truncate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    cut(ctx, recv, args, Rounding::Down)
}

/// `round([places[, mode]])`, the mode also as `half:`.
fn round(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let number = of(ctx, recv)?;
    let mut rounding = mode::get(ctx)?.rounding;
    let mut places = 0;
    let mut whole = true;
    match args.get(0) {
        None => {}
        Some(options) if let Some(options) = Hash::try_of(options) => rounding = mode::half(ctx, options, rounding)?,
        Some(value) => {
            places = ctx.to_int(value)?;
            whole = places < 1 && args.len() == 1;
        }
    }
    if let Some(value) = args.get(1) {
        rounding = match Hash::try_of(value) {
            Some(options) => mode::half(ctx, options, rounding)?,
            None => mode::rounding(ctx, value)?,
        };
    }
    let result = rounded(ctx, number, places, rounding)?;
    if whole { integer(ctx, &result) } else { make(ctx, result) }
}

// -- comparison ---------------------------------------------------------------------------------------

/// The order of two numbers; the outer none: the other object must decide.
fn order(ctx: &mut Ctx, recv: Value, other: Value) -> Result<Option<Option<Ordering>>> {
    let me = of(ctx, recv)?;
    let other = operand(ctx, other, digits_beside(&me, 0))?;
    let Some(other) = other else { return Ok(None) };
    let work = me.significant().min(other.significant());
    compute(ctx, work, move || Ok(me.compare(&other))).map(Some)
}

fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match order(ctx, recv, args.at(0))? {
        Some(order) => Ok(order.map_or(Value::NIL, |o| Value::fixnum(o as i64))),
        None => {
            let op = ctx.intern("<=>");
            coerce_cmp(ctx, recv, args.at(0), op)
        }
    }
}

fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match order(ctx, recv, args.at(0))? {
        Some(order) => Ok(Value::from_bool(order == Some(Ordering::Equal))),
        None => {
            let op = ctx.intern("==");
            let answer = coerce_cmp(ctx, recv, args.at(0), op)?;
            Ok(Value::from_bool(answer.truthy()))
        }
    }
}

fn relation(ctx: &mut Ctx, recv: Value, args: Args, name: &'static str, holds: fn(Ordering) -> bool) -> Result {
    match order(ctx, recv, args.at(0))? {
        Some(order) => Ok(Value::from_bool(order.is_some_and(holds))),
        None => {
            let op = ctx.intern(name);
            coerce_relop(ctx, recv, args.at(0), op)
        }
    }
}

fn op_lt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    relation(ctx, recv, args, "<", Ordering::is_lt)
}

fn op_le(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    relation(ctx, recv, args, "<=", Ordering::is_le)
}

fn op_gt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    relation(ctx, recv, args, ">", Ordering::is_gt)
}

fn op_ge(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    relation(ctx, recv, args, ">=", Ordering::is_ge)
}

fn hash(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    use std::hash::{Hash, Hasher};
    let number = of(ctx, recv)?;
    let mut state = std::hash::DefaultHasher::new();
    ctx.hash_seed().hash(&mut state);
    match &number {
        Number::Finite(f) => (f.negative, f.exponent, f.coefficient.magnitude_words()).hash(&mut state),
        other => sign_number(other).hash(&mut state),
    }
    Ok(Value::fixnum((state.finish() >> 2) as i64))
}

fn coerce(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let me = of(ctx, recv)?;
    let other = must(ctx, &me, args.at(0), 0)?;
    let other = make(ctx, other)?;
    Ok(Array::from_slice(ctx, &[other, recv]).value())
}

// -- questions ----------------------------------------------------------------------------------------

fn zero_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(ctx, recv)?.is_zero()))
}

fn nonzero_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(if of(ctx, recv)?.is_zero() { Value::NIL } else { recv })
}

fn exponent(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = of(ctx, recv)?;
    let n = number.finite().map_or(0, |f| f.point());
    Ok(ctx.int(n))
}

/// The values of `BigDecimal::SIGN_*`.
fn sign_number(number: &Number) -> i64 {
    let size = match number {
        Number::NaN => 0,
        Number::Zero(_) => 1,
        Number::Finite(_) => 2,
        Number::Inf(_) => 3,
    };
    if number.is_negative() { -size } else { size }
}

fn sign(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(sign_number(&of(ctx, recv)?)))
}

fn nan_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(ctx, recv)? == Number::NaN))
}

fn infinite_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(match of(ctx, recv)? {
        Number::Inf(negative) => Value::fixnum(if negative { -1 } else { 1 }),
        _ => Value::NIL,
    })
}

fn finite_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(matches!(of(ctx, recv)?, Number::Finite(_) | Number::Zero(_))))
}

// -- conversion ---------------------------------------------------------------------------------------

fn to_i(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = of(ctx, recv)?;
    integer(ctx, &number)
}

fn to_r(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = of(ctx, recv)?;
    must_be_finite(ctx, &number)?;
    let Some(f) = number.finite() else {
        return Ok(Rational::reduce(ctx, &Int::ZERO, &Int::ONE).map_or(Value::NIL, Rational::value));
    };
    let f = f.clone();
    let work = f.digits().saturating_add(f.exponent.unsigned_abs());
    let (num, den) = compute(ctx, work, move || {
        let power = super::number::power_of_ten(f.exponent.unsigned_abs())?;
        Ok(if f.exponent >= 0 { (f.signed().mul(&power), Int::ONE) } else { (f.signed(), power) })
    })?;
    rubellite_core_numeric::make_rational(ctx, &num, &den)
}

fn to_f(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = of(ctx, recv)?;
    let finite = number.finite().is_some();
    let f = compute(ctx, number.significant(), move || Ok(number.to_f64()))?;
    let exceptions = if finite && (f.is_infinite() || f == 0.0) { mode::get(ctx)?.exceptions } else { 0 };
    if f.is_infinite() && exceptions & mode::INFINITY != 0 || f == 0.0 && exceptions & mode::UNDERFLOW != 0 {
        return Err(ctx.raise_error("FloatDomainError", "BigDecimal to Float conversion"));
    }
    Ok(ctx.float(f))
}

fn written(ctx: &mut Ctx, number: Number, format: text::Format) -> Result {
    let text = text_of(ctx, number, format)?;
    Ok(Str::ascii(ctx, &text).value())
}

/// `text::write`, outside the lock where the number is long.
fn text_of(ctx: &mut Ctx, number: Number, format: text::Format) -> Result<String> {
    compute(ctx, number.significant(), move || text::write(&number, format).ok_or(TooBig))
}

/// `to_s([format])`: digits between blanks, or a String like "+5F".
fn to_s(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let number = of(ctx, recv)?;
    let format = match args.get(0) {
        None => text::Format::default(),
        Some(value) => match Str::try_of(value) {
            Some(string) => text::read_format(string.bytes(ctx)),
            None => {
                let group = ctx.to_int(value)?;
                if group <= 0 {
                    return Err(ctx.argument_error("argument must be positive"));
                }
                text::Format { group: group as usize, ..text::Format::default() }
            }
        },
    };
    written(ctx, number, format)
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = of(ctx, recv)?;
    written(ctx, number, text::Format::default())
}

/// `[sign, digits, 10, exponent]`
fn split(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = of(ctx, recv)?;
    let (digits, point) = match &number {
        Number::NaN => ("NaN".to_string(), 0),
        Number::Inf(_) => ("Infinity".to_string(), 0),
        Number::Zero(_) => ("0".to_string(), 0),
        Number::Finite(f) => {
            let coefficient = f.coefficient.clone();
            (compute(ctx, number.significant(), move || Ok(coefficient.to_radix(10)))?, f.point())
        }
    };
    let sign = if number == Number::NaN {
        0
    } else if number.is_negative() {
        -1
    } else {
        1
    };
    let digits = Str::ascii(ctx, &digits).value();
    let point = ctx.int(point);
    Ok(Array::from_slice(ctx, &[Value::fixnum(sign), digits, Value::fixnum(10), point]).value())
}

/// The form that Marshal stores: a number of digits, a colon, the number.
fn dump(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = of(ctx, recv)?;
    let groups = number.finite().map_or(1, |f| {
        (f.point().rem_euclid(9) as u64).div_ceil(9)
            + f.digits().saturating_sub(f.point().rem_euclid(9) as u64).div_ceil(9)
    });
    let text = text_of(ctx, number, text::Format::default())?;
    Ok(Str::ascii(ctx, &format!("{}:{text}", groups * 9)).value())
}

/// `BigDecimal.double_fig -> 16`
pub fn double_fig(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(DOUBLE_FIGURES as i64))
}
