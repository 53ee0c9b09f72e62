//! Kernel: functions that make numbers (`Integer`, `Float`, `Rational`, `Complex`), `format`, `rand`.

use super::integer::outside::{Effort, compute};
use super::num::{self, Num};
use super::{complex, format, random, rational};
use rubellite_vm::object::{Array, Int, Str, float};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Sym, Unwind, Value, method};
use std::ops::Deref;

pub static KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: "",
    module_functions: &[
        method("Integer", Arity::range(1, 2).with_keywords(), integer),
        method("Float", Arity::ONE.with_keywords(), float),
        method("Rational", Arity::range(1, 2).with_keywords(), rational::kernel_rational),
        method("Complex", Arity::range(1, 2).with_keywords(), complex::kernel_complex),
        method("format", Arity::ANY, kernel_format),
        method("sprintf", Arity::ANY, kernel_format),
        method("rand", Arity::range(0, 1), random::kernel_rand),
        method("srand", Arity::range(0, 1), random::srand),
    ],
    ..ClassDef::EMPTY
};

/// Whether `exception: false` was not given; the keyword must be true or false.
pub fn raises(ctx: &mut Ctx, args: &Args) -> Result<bool> {
    let Some(keywords) = args.keywords() else { return Ok(true) };
    let name = ctx.names().exception;
    let given = keywords.get_sym(ctx, name);
    if keywords.len() > given.is_some() as usize {
        args.check_keywords(ctx, &["exception"])?;
    }
    match given {
        None | Some(Value::TRUE) => Ok(true),
        Some(Value::FALSE) => Ok(false),
        Some(other) => {
            let text = ctx.inspect(other)?;
            Err(ctx.argument_error(&format!("expected true or false as exception: {text}")))
        }
    }
}

/// "can't convert nil into Integer"
#[cold]
pub fn cannot_convert(ctx: &mut Ctx, value: Value, target: &str) -> Unwind {
    let from = ctx.describe_for_conversion(value);
    ctx.type_error(&format!("can't convert {from} into {target}"))
}

/// Runs a conversion and forgets the exception (a StandardError) that it raises.
pub fn quietly<T>(ctx: &mut Ctx, body: impl FnOnce(&mut Ctx) -> Result<Option<T>>) -> Result<Option<T>> {
    let class = ctx.classes().standard_error.get();
    ctx.rescue(class, body, |_, _| Ok(None))
}

/// `convert`, or nil instead of an exception unless `raise`. Texts of a wrong encoding are errors all the same.
pub fn or_nil(ctx: &mut Ctx, raise: bool, args: Args, convert: impl FnOnce(&mut Ctx) -> Result) -> Result {
    if raise {
        return convert(ctx);
    }
    let mut parses = false;
    for value in args.slice() {
        if let Some(text) = Str::try_of(*value) {
            ctx.check_ascii_compatible(text)?;
            parses = true;
        }
    }
    let converted = quietly(ctx, |ctx| if parses { ctx.untold(convert) } else { convert(ctx) }.map(Some))?;
    Ok(converted.unwrap_or(Value::NIL))
}

// -- Integer --------------------------------------------------------------------------

/// `Integer(value, base = 0, exception: true)`
fn integer(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let raise = raises(ctx, &args)?;
    let args = args.positional();
    let base = match args.get(1) {
        Some(base) => ctx.to_int(base)?,
        None => 0,
    };
    if let Some(text) = Str::try_of(args.at(0)).filter(|_| !raise) {
        return Ok(read_integer(ctx, text, base)?.map_or(Value::NIL, |n| n.into_value(ctx)));
    }
    or_nil(ctx, raise, args, |ctx| convert_integer(ctx, args.at(0), base))
}

/// What `Kernel#Integer` makes of a value.
pub fn to_integer(ctx: &mut Ctx, value: Value) -> Result {
    if num::is_integer(value) { Ok(value) } else { convert_integer(ctx, value, 0) }
}

fn convert_integer(ctx: &mut Ctx, value: Value, base: i64) -> Result {
    let mut value = value;
    if base != 0 {
        match ctx.check_str(value)? {
            Some(text) => value = text.value(),
            None => return Err(ctx.argument_error("base specified for non string value")),
        }
    }
    if num::is_integer(value) {
        return Ok(value);
    }
    if let Some(f) = ctx.float_value(value) {
        return super::float::to_integer(ctx, f);
    }
    if let Some(text) = Str::try_of(value) {
        return parse_integer(ctx, text, base);
    }
    if value.is_nil() {
        return Err(cannot_convert(ctx, value, "Integer"));
    }
    let to_int = ctx.names().to_int;
    if let Some(int) = quietly(ctx, |ctx| ctx.check_call(value, to_int, &[]))?
        && num::is_integer(int)
    {
        return Ok(int);
    }
    if let Some(text) = ctx.check_str(value)? {
        return parse_integer(ctx, text, base);
    }
    let to_i = ctx.names().to_i;
    convert_by(ctx, value, to_i, "Integer", num::is_integer)
}

/// Calls a conversion method; TypeError when there is none or it gives something else.
pub fn convert_by(ctx: &mut Ctx, value: Value, name: Sym, target: &str, is_target: fn(Value) -> bool) -> Result {
    match ctx.check_call(value, name, &[])? {
        Some(result) if is_target(result) => Ok(result),
        Some(other) => {
            let method = ctx.sym_str(name);
            Err(ctx.bad_conversion(value, other, target, &method))
        }
        None => Err(cannot_convert(ctx, value, target)),
    }
}

/// Up to this length a text is read where it lies.
const SHORT_TEXT: usize = 64;
/// Bytes of a text longer than this are converted outside the lock.
pub const LONG_TEXT: usize = 12_000;

/// The number that a text is, outside the lock where the text is long.
///
/// # Errors
/// Whatever an interrupt raises meanwhile.
pub fn integer_of_text(
    ctx: &mut Ctx,
    text: impl Deref<Target = [u8]> + Send + 'static,
    base: i32,
    strict: bool,
) -> Result<Option<Int>> {
    compute(ctx, Effort::of(text.len(), LONG_TEXT), move || Int::parse(&text, base, strict))
}

/// The number that a text is, if it is one. An ArgumentError about the base.
fn read_integer(ctx: &mut Ctx, text: Str, base: i64) -> Result<Option<Int>> {
    ctx.check_ascii_compatible(text)?;
    if base == 1 || base.unsigned_abs() > 36 {
        return Err(ctx.argument_error(&format!("invalid radix {}", base.abs())));
    }
    if text.len() <= SHORT_TEXT {
        return Ok(Int::parse(text.bytes(ctx), base as i32, true));
    }
    let bytes = text.bytes(ctx).to_vec();
    integer_of_text(ctx, bytes, base as i32, true)
}

fn parse_integer(ctx: &mut Ctx, text: Str, base: i64) -> Result {
    match read_integer(ctx, text, base)? {
        Some(n) => Ok(n.into_value(ctx)),
        None => {
            let text = ctx.inspect(text.value())?;
            Err(ctx.argument_error(&format!("invalid value for Integer(): {text}")))
        }
    }
}

// -- Float ----------------------------------------------------------------------------

/// `Float(value, exception: true)`
fn float(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let raise = raises(ctx, &args)?;
    if let Some(text) = Str::try_of(args.at(0)).filter(|_| !raise) {
        ctx.check_ascii_compatible(text)?;
        warn_of_range(ctx, text, true)?;
        let number =
            Some(text.bytes(ctx)).filter(|bytes| !bytes.contains(&0)).and_then(|bytes| float::parse(bytes, true));
        return Ok(number.map_or(Value::NIL, |f| ctx.float(f)));
    }
    or_nil(ctx, raise, args, |ctx| to_float(ctx, args.at(0)))
}

/// What `Kernel#Float` makes of a value.
pub fn to_float(ctx: &mut Ctx, value: Value) -> Result {
    match num::kind(value) {
        Num::Float(_) => return Ok(value),
        Num::Int(i) => {
            let f = ctx.int_to_f64(&i)?;
            return Ok(ctx.float(f));
        }
        _ => {}
    }
    if let Some(text) = Str::try_of(value) {
        return parse_float(ctx, text);
    }
    let numeric = ctx.classes().numeric.get();
    if value.is_immediate() || !ctx.is_a(value, numeric) {
        return not_numeric(ctx, value);
    }
    let to_f = ctx.names().to_f;
    convert_by(ctx, value, to_f, "Float", num::is_float)
}

/// Objects that are no numbers convert by to_f all the same, unless they are special constants.
fn not_numeric(ctx: &mut Ctx, value: Value) -> Result {
    if value.is_immediate() {
        return Err(cannot_convert(ctx, value, "Float"));
    }
    let to_f = ctx.names().to_f;
    convert_by(ctx, value, to_f, "Float", num::is_float)
}

/// Under -w: warns of a number in front of the text that no Float can hold.
pub fn warn_of_range(ctx: &mut Ctx, text: Str, strict: bool) -> Result<()> {
    if ctx.vm().verbose.get() == Value::TRUE {
        for number in float::out_of_range(text.bytes(ctx), strict) {
            let number = String::from_utf8_lossy(&number);
            let (shown, more) =
                number.split_at_checked(20).filter(|(_, more)| !more.is_empty()).unwrap_or((&number, ""));
            ctx.warn(&format!("Float {shown}{} out of range", if more.is_empty() { "" } else { "..." }))?;
        }
    }
    Ok(())
}

fn parse_float(ctx: &mut Ctx, text: Str) -> Result {
    ctx.check_ascii_compatible(text)?;
    if text.bytes(ctx).contains(&0) {
        return Err(ctx.argument_error("string for Float contains null byte"));
    }
    warn_of_range(ctx, text, true)?;
    match float::parse(text.bytes(ctx), true) {
        Some(f) => Ok(ctx.float(f)),
        None => {
            let text = ctx.inspect(text.value())?;
            Err(ctx.argument_error(&format!("invalid value for Float(): {text}")))
        }
    }
}

// -- format ---------------------------------------------------------------------------

/// `format(fmt, *args)`
fn kernel_format(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let Some(fmt) = args.get(0) else {
        return Err(ctx.argument_error("too few arguments"));
    };
    let fmt = ctx.to_str(fmt)?;
    let list = Array::from_slice(ctx, args.from(1).slice());
    Ok(format::format(ctx, fmt, list)?.value())
}
