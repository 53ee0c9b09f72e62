//! Integer: text and conversions.

use super::of;
use super::outside::{Effort, compute};
use crate::{float, num};
use rubellite_core_encoding::{default_internal, to_encoding};
use rubellite_vm::object::{Array, Int, Str};
use rubellite_vm::{Args, Ctx, Encoding, Result, Value};

/// Numbers of more words are converted to and from decimal digits outside the lock.
const LONG_TEXT_WORDS: usize = 512;

/// The digits of a number, made outside the lock when there are many.
pub fn big_to_radix(ctx: &mut Ctx, n: &Int, radix: u32) -> Result<String> {
    let words = if radix.is_power_of_two() { 0 } else { n.word_count() };
    let n = n.clone();
    compute(ctx, Effort::of(words, LONG_TEXT_WORDS), move || n.to_radix(radix))
}

pub fn to_s(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let (Some(number), None) = (recv.as_fixnum(), args.get(0)) {
        return Ok(Str::decimal(ctx, number).value());
    }
    let radix = match args.get(0) {
        Some(radix) => ctx.to_c_int(radix)? as i64,
        None => 10,
    };
    if !(2..=36).contains(&radix) {
        return Err(ctx.argument_error(&format!("invalid radix {radix}")));
    }
    let text = big_to_radix(ctx, &of(recv), radix as u32)?;
    Ok(Str::ascii(ctx, &text).value())
}

pub fn to_f(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let f = ctx.int_to_f64(&of(recv))?;
    Ok(ctx.float(f))
}

pub fn to_r(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(super::to_rational(ctx, recv).value())
}

pub fn denominator(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(1))
}

pub fn coerce(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if num::is_integer(other) {
        return Ok(Array::from_slice(ctx, &[other, recv]).value());
    }
    let x = float::float_argument(ctx, other)?;
    let y = ctx.int_to_f64(&of(recv))?;
    let (x, y) = (ctx.float(x), ctx.float(y));
    Ok(Array::from_slice(ctx, &[x, y]).value())
}

pub fn try_convert(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let value = args.at(0);
    if num::is_integer(value) {
        return Ok(value);
    }
    let name = ctx.names().to_int;
    match ctx.check_call(value, name, &[])? {
        None | Some(Value::NIL) => Ok(Value::NIL),
        Some(result) if num::is_integer(result) => Ok(result),
        Some(other) => Err(ctx.bad_conversion(value, other, "Integer", "to_int")),
    }
}

pub fn digits(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let n = of(recv);
    if n.is_negative() {
        return Err(ctx.raise_error("Math::DomainError", "out of domain"));
    }
    let base = match args.get(0) {
        Some(base) => {
            let base = ctx.to_integer(base)?;
            of(base)
        }
        None => Int::from(10i64),
    };
    if base.is_negative() {
        return Err(ctx.argument_error("negative radix"));
    }
    if base < Int::from(2i64) {
        let text = base.to_radix(10);
        return Err(ctx.argument_error(&format!("invalid radix {text}")));
    }
    if let (Int::Small(n), Int::Small(base)) = (&n, &base) {
        return Ok(small_digits(ctx, *n, *base));
    }
    let digits = compute(ctx, Effort::of(n.word_count(), LONG_TEXT_WORDS), move || n.digits(&base))?;
    let list = Array::with_capacity(ctx, digits.len());
    for digit in digits {
        let digit = digit.into_value(ctx);
        list.push(ctx, digit);
    }
    Ok(list.value())
}

fn small_digits(ctx: &mut Ctx, mut n: i64, base: i64) -> Value {
    let list = Array::new(ctx);
    loop {
        // A digit of a 64-bit number need not be a fixnum when the base is large.
        let digit = ctx.int(n % base);
        list.push(ctx, digit);
        n /= base;
        if n == 0 {
            return list.value();
        }
    }
}

/// `chr`, `chr(encoding)`
pub fn chr(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let code = match recv.as_fixnum() {
        Some(n) => match u32::try_from(n) {
            Ok(code) => code,
            Err(_) => return Err(ctx.range_error(&format!("{n} out of char range"))),
        },
        None => return Err(ctx.range_error("bignum out of char range")),
    };
    if let Some(encoding) = args.get(0) {
        let encoding = to_encoding(ctx, encoding)?;
        return char_of(ctx, code, encoding);
    }
    if code > 0xff {
        return match default_internal(ctx) {
            Some(encoding) => char_of(ctx, code, encoding),
            None => Err(ctx.range_error(&format!("{code} out of char range"))),
        };
    }
    let encoding = if code < 0x80 { Encoding::US_ASCII } else { Encoding::BINARY };
    Ok(Str::new(ctx, &[code as u8], encoding).value())
}

/// The character of a code point in an encoding; RangeError when there is none.
pub fn char_of(ctx: &mut Ctx, code: u32, encoding: Encoding) -> Result {
    let mut bytes = Vec::with_capacity(8);
    match encoding.encode_code_point(code, &mut bytes) {
        Ok(_) => Ok(Str::new(ctx, &bytes, encoding).value()),
        Err(error) => Err(ctx.range_error(&error.message(code, encoding))),
    }
}
