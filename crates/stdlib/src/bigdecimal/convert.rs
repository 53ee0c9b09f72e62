//! BigDecimal: from other objects, and the values that results become.

use super::mode::{self, Modes};
use super::number::{Finite, Number, Rounding};
use super::text;
use rubellite_core_numeric::integer::outside;
use rubellite_core_numeric::integer::outside::Effort;
use rubellite_vm::object::integer::TooBig;
use rubellite_vm::object::{Complex, Data, Float, Int, NativeData, Rational, Str, float};
use rubellite_vm::{Args, Ctx, Result, Unwind, Value, flags};

/// The state of a BigDecimal.
pub struct Decimal(pub Number);

impl NativeData for Decimal {
    fn tells_stores() -> bool {
        true
    }

    fn frozen_shareable(&self) -> bool {
        true
    }

    fn memory_size(&self) -> usize {
        self.0.finite().map_or(0, |f| f.coefficient.word_count() * 8)
    }
}

/// Digits of a double that can be relied on.
pub const DOUBLE_FIGURES: u64 = 16;

/// Numbers of more digits are computed outside the lock.
const LONG_DIGITS: usize = 3000;
/// How much more than one product of so many digits a series, a root or a power is.
pub const SERIES: u64 = 8;

/// Runs arithmetic whose time grows with `digits`, outside the lock when it is long, where interrupts end it; a result
/// that is too long is refused.
pub fn compute<T: Send + 'static>(
    ctx: &mut Ctx,
    digits: u64,
    work: impl FnOnce() -> std::result::Result<T, TooBig> + Send + 'static,
) -> Result<T> {
    match outside::compute(ctx, Effort::of(digits as usize, LONG_DIGITS), work)? {
        Ok(result) => Ok(result),
        Err(TooBig) => Err(too_big(ctx)),
    }
}

#[cold]
pub fn too_big(ctx: &mut Ctx) -> Unwind {
    ctx.no_memory()
}

/// A number as an object; what the modes refuse raises FloatDomainError.
pub fn make(ctx: &mut Ctx, number: Number) -> Result {
    if !matches!(number, Number::Finite(_) | Number::Zero(_)) {
        check(ctx, &number, false)?;
    }
    Ok(wrap(ctx, number))
}

/// A number as an object, whatever the modes say.
pub fn wrap(ctx: &mut Ctx, number: Number) -> Value {
    let class = match ctx.named_class("BigDecimal") {
        Ok(class) => class.value(),
        Err(_) => {
            // The program has removed it.
            ctx.clear_pending();
            return Value::NIL;
        }
    };
    let data = Data::new(ctx, class, Decimal(number));
    data.header().set(flags::FROZEN);
    data.value()
}

/// FloatDomainError for NaN and infinities, when the modes ask for it or `always`.
pub fn check(ctx: &mut Ctx, number: &Number, always: bool) -> Result<()> {
    let (bit, text) = match number {
        Number::NaN => (mode::NAN, "Computation results in 'NaN' (Not a Number)"),
        Number::Inf(false) => (mode::INFINITY, "Computation results in 'Infinity'"),
        Number::Inf(true) => (mode::INFINITY, "Computation results in '-Infinity'"),
        _ => return Ok(()),
    };
    if always || mode::get(ctx)?.exceptions & bit != 0 {
        return Err(ctx.raise_error("FloatDomainError", text));
    }
    Ok(())
}

pub fn number_of(ctx: &Ctx, value: Value) -> Option<&Number> {
    Data::state_of::<Decimal>(ctx, value).map(|d| &d.0)
}

/// The receiver's number.
pub fn of(ctx: &mut Ctx, recv: Value) -> Result<Number> {
    match number_of(ctx, recv) {
        Some(number) => Ok(number.clone()),
        None => Err(cannot_coerce(ctx, recv)),
    }
}

#[cold]
pub fn cannot_coerce(ctx: &mut Ctx, value: Value) -> Unwind {
    let what = ctx.describe_for_conversion(value);
    ctx.type_error(&format!("{what} can't be coerced into BigDecimal"))
}

/// The number of an operand: a BigDecimal, Integer, Float, or a Rational to `digits` digits; none for others.
pub fn operand(ctx: &mut Ctx, value: Value, digits: u64) -> Result<Option<Number>> {
    if let Some(number) = number_of(ctx, value) {
        return Ok(Some(number.clone()));
    }
    if let Some(int) = Int::try_of(value) {
        return Ok(Some(Number::from_int(int)));
    }
    if let Some(f) = Float::value_of(value) {
        let number = from_float(f);
        check(ctx, &number, false)?;
        return Ok(Some(number));
    }
    match Rational::try_of(value) {
        Some(rational) => Ok(Some(from_rational(ctx, rational, digits)?)),
        None => Ok(None),
    }
}

/// How many digits of a Rational count beside a number.
pub fn digits_beside(number: &Number, digits: u64) -> u64 {
    // The number's own digits, in the groups of nine that its source keeps.
    let own = number.finite().map_or(9, |f| (f.point().rem_euclid(9) as u64 + f.digits()).div_ceil(9) * 9);
    (if digits == 0 { own } else { digits }).max(2 * DOUBLE_FIGURES)
}

/// Like `operand`; TypeError "X can't be coerced into BigDecimal".
pub fn must(ctx: &mut Ctx, me: &Number, value: Value, digits: u64) -> Result<Number> {
    match operand(ctx, value, digits_beside(me, digits))? {
        Some(number) => Ok(number),
        None => Err(cannot_coerce(ctx, value)),
    }
}

/// The shortest digits that give the float back.
pub fn from_float(f: f64) -> Number {
    if f.is_nan() {
        return Number::NaN;
    }
    if f.is_infinite() {
        return Number::Inf(f < 0.0);
    }
    if f == 0.0 {
        return Number::Zero(f.is_sign_negative());
    }
    let (digits, point) = float::shortest_digits(f.abs());
    // The last of seventeen digits is not kept.
    let kept = &digits[..digits.len().min(DOUBLE_FIGURES as usize)];
    let coefficient = Int::from_digits(kept.as_bytes(), 10).unwrap_or(Int::ZERO);
    Number::new(if f < 0.0 { coefficient.neg() } else { coefficient }, point as i64 - kept.len() as i64, f < 0.0)
}

fn from_rational(ctx: &mut Ctx, rational: Rational, digits: u64) -> Result<Number> {
    let (num, den) = rational.parts();
    let modes = mode::get(ctx)?;
    quotient(ctx, &Number::from_int(num), &Number::from_int(den), digits, &modes)
}

/// `a / b` to `digits` digits; 0: as many as `/` gives.
pub fn quotient(ctx: &mut Ctx, a: &Number, b: &Number, digits: u64, modes: &Modes) -> Result<Number> {
    let negative = a.is_negative() != b.is_negative();
    Ok(match (a, b) {
        (Number::NaN, _) | (_, Number::NaN) | (Number::Inf(_), Number::Inf(_)) | (Number::Zero(_), Number::Zero(_)) => {
            Number::NaN
        }
        (Number::Inf(_), _) => Number::Inf(negative),
        (_, Number::Inf(_)) | (Number::Zero(_), _) => Number::Zero(negative),
        (_, Number::Zero(_)) => {
            if modes.exceptions & mode::ZERO_DIVIDE != 0 {
                return Err(ctx.raise_error("FloatDomainError", "Divide by zero"));
            }
            Number::Inf(negative)
        }
        (Number::Finite(x), Number::Finite(y)) => {
            let digits = if digits == 0 { quotient_digits(a, b, modes.limit) } else { digits };
            let rounding = modes.rounding;
            let (x, y) = (x.clone(), y.clone());
            let work = digits.saturating_add(x.digits()).saturating_add(y.digits());
            compute(ctx, work, move || Number::div_digits(&x, &y, digits, rounding))?
        }
    })
}

fn quotient_digits(a: &Number, b: &Number, limit: u64) -> u64 {
    let longest = a.precision_and_scale().0.max(b.precision_and_scale().0).max(0) as u64;
    let digits = longest.saturating_add(DOUBLE_FIGURES).max(2 * DOUBLE_FIGURES);
    if limit > 0 { digits.min(limit) } else { digits }
}

/// A Float to `digits` significant digits.
fn float_digits(f: f64, digits: u64) -> Number {
    if digits == 0 || !f.is_finite() || f == 0.0 {
        return from_float(f);
    }
    let digits = digits as usize;
    let text = match halved(f, digits) {
        Some(text) => text,
        None => format!("{:.*e}", digits - 1, f),
    };
    text::parse(text.as_bytes()).unwrap_or(Number::NaN)
}

/// Digits up to which CRuby rounds a Float by arithmetic of Floats.
const QUICK_DIGITS: usize = 14;

/// The number rounded to even, where what follows its first `digits` digits is a half as far as arithmetic of Floats
/// can tell: CRuby takes 2.675 for a half behind 2.67, though it is a little less.
fn halved(f: f64, digits: usize) -> Option<String> {
    if digits > QUICK_DIGITS {
        return None;
    }
    let exact = format!("{:.*e}", digits + QUICK_DIGITS, f.abs());
    let (mantissa, exponent) = exact.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    if !is_about_half(f.abs(), exponent, digits) {
        return None;
    }
    let first: String = mantissa.chars().filter(char::is_ascii_digit).take(digits).collect();
    let first: u64 = first.parse().ok()?;
    let even = first + (first & 1);
    Some(format!("{}{even}e{}", if f < 0.0 { "-" } else { "" }, exponent + 1 - digits as i32))
}

/// Whether `x` (above zero, its first digit worth 10 ** `exponent`) is a half behind its first `digits` digits, within
/// what the steps of the reckoning may be wrong by: the bound that Gay gives for his conversion of binary numbers to
/// decimal ones ("Correctly Rounded Binary-Decimal and Decimal-Binary Conversions", 1990).
fn is_about_half(x: f64, exponent: i32, digits: usize) -> bool {
    const POWERS: [f64; 5] = [1e16, 1e32, 1e64, 1e128, 1e256];
    let size = exponent.unsigned_abs();
    let small = 10f64.powi((size & 15) as i32);
    let large = POWERS.iter().enumerate().filter(|(bit, _)| size >> 4 >> bit & 1 == 1).map(|(_, power)| *power);
    let steps = 2.0 + large.clone().count() as f64;
    let mut left = if exponent >= 0 {
        large.rev().fold(x, |x, power| x / power) / small
    } else {
        large.fold(x * small, |x, power| x * power)
    };
    let tolerance = (steps * left + 7.0) * f64::EPSILON * 10f64.powi(digits as i32 - 1);
    for _ in 1..digits {
        left = left.fract() * 10.0;
    }
    (left.fract() - 0.5).abs() <= tolerance
}

/// `BigDecimal(value[, digits], exception: true)`
pub fn kernel_bigdecimal(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let raises = args.keyword(ctx, "exception").is_none_or(|v| v != Value::FALSE);
    let given = args.positional();
    let digits = match given.get(1) {
        None => None,
        Some(value) => {
            let n = ctx.to_int(value)?;
            if n < 0 {
                return if raises { Err(ctx.argument_error("negative precision")) } else { Ok(Value::NIL) };
            }
            Some(n as u64)
        }
    };
    convert(ctx, given.at(0), digits, raises)
}

fn convert(ctx: &mut Ctx, value: Value, digits: Option<u64>, raises: bool) -> Result {
    if let Some(number) = number_of(ctx, value).cloned() {
        check(ctx, &number, false)?;
        return Ok(value);
    }
    if let Some(int) = Int::try_of(value) {
        return make(ctx, Number::from_int(int));
    }
    if let Some(f) = Float::value_of(value) {
        let digits = digits.unwrap_or(0);
        if digits > DOUBLE_FIGURES && f.is_finite() && f != 0.0 {
            return if raises { Err(ctx.argument_error("precision too large.")) } else { Ok(Value::NIL) };
        }
        return make(ctx, float_digits(f, digits));
    }
    if let Some(rational) = Rational::try_of(value) {
        let Some(digits) = digits else {
            return if raises {
                Err(ctx.argument_error("can't omit precision for a Rational."))
            } else {
                Ok(Value::NIL)
            };
        };
        let number = from_rational(ctx, rational, digits)?;
        return make(ctx, number);
    }
    if let Some(complex) = Complex::try_of(value) {
        if !Int::try_of(complex.imag()).is_some_and(|n| n.is_zero()) {
            return Err(ctx.argument_error("Unable to make a BigDecimal from non-zero imaginary number"));
        }
        return convert(ctx, complex.real(), digits, raises);
    }
    let text = if value.is_immediate() { None } else { ctx.check_str(value)? };
    match text {
        Some(text) => from_text(ctx, text, raises),
        None if raises => {
            let what = ctx.describe_for_conversion(value);
            Err(ctx.type_error(&format!("can't convert {what} into BigDecimal")))
        }
        None => Ok(Value::NIL),
    }
}

/// What `parse` makes of a text, outside the lock where that is long.
fn read<T: Send + 'static>(ctx: &mut Ctx, string: Str, parse: fn(&[u8]) -> T) -> Result<T> {
    if string.len() <= LONG_DIGITS {
        return Ok(parse(string.bytes(ctx)));
    }
    let bytes = string.bytes(ctx).to_vec();
    compute(ctx, bytes.len() as u64, move || Ok(parse(&bytes)))
}

fn from_text(ctx: &mut Ctx, string: Str, raises: bool) -> Result {
    if string.bytes(ctx).contains(&0) {
        return Err(ctx.null_byte_error());
    }
    match read(ctx, string, text::parse)? {
        Some(number) => make(ctx, number),
        None if raises => {
            let text = string.to_lossy(ctx).into_owned();
            Err(ctx.argument_error(&format!("invalid value for BigDecimal(): \"{text}\"")))
        }
        None => Ok(Value::NIL),
    }
}

/// `BigDecimal.interpret_loosely(string) -> BigDecimal`
pub fn interpret_loosely(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let string = ctx.to_str(args.at(0))?;
    let number = read(ctx, string, text::parse_loosely)?;
    make(ctx, number)
}

/// `BigDecimal._load(text) -> BigDecimal`
pub fn load(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let string = ctx.to_str(args.at(0))?;
    let bytes = string.bytes(ctx);
    let colon = bytes.iter().position(|b| *b == b':').unwrap_or(bytes.len());
    if !bytes[..colon].iter().all(u8::is_ascii_digit) {
        return Err(ctx.type_error("load failed: invalid character in the marshaled string"));
    }
    let rest = bytes[(colon + 1).min(bytes.len())..].to_vec();
    let rest = Str::new(ctx, &rest, string.encoding());
    from_text(ctx, rest, true)
}

/// A finite operand, or a FloatDomainError.
pub fn must_be_finite(ctx: &mut Ctx, number: &Number) -> Result<()> {
    check(ctx, number, true)
}

/// Rounds a result to the limit of digits.
pub fn limited(number: Number, modes: &Modes) -> Number {
    if modes.limit > 0 { number.round_digits(modes.limit, modes.rounding, false) } else { number }
}

pub fn is_odd_integer(f: &Finite) -> bool {
    f.exponent == 0 && !f.coefficient.is_even()
}

pub fn is_integer(f: &Finite) -> bool {
    f.exponent >= 0
}

pub fn rounding_floor(mode: Rounding) -> bool {
    mode == Rounding::Floor
}
