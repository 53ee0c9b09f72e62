//! Integer: operators and comparisons. Bits are `bits.rs`, text and conversions `convert.rs`, number theory and
//! rounding `theory.rs`; iteration is `integer.rb`. Storage and the arithmetic itself are `vm::object::integer`.
//!
//! Long multiplications, divisions, powers and conversions run outside the VM lock: `outside.rs`.

mod bits;
mod convert;
pub mod outside;
mod theory;

pub use convert::big_to_radix;
pub use theory::{power, rounding_mode, rounding_place};

use super::coerce::{coerce_bin, coerce_cmp, coerce_relop};
use super::num::{self, Num};
use outside::{Effort, compute};
use rubellite_vm::object::integer as int;
use rubellite_vm::object::{Array, Int, Rational};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Sym, Value, method};
use std::cmp::Ordering;

pub static INTEGER: ClassDef = ClassDef {
    name: "Integer",
    superclass: "Numeric",
    no_new: true,
    methods: &[
        method("+", Arity::ONE, op_plus),
        method("-", Arity::ONE, op_minus),
        method("*", Arity::ONE, op_mul),
        method("/", Arity::ONE, op_div),
        method("%", Arity::ONE, modulo),
        method("modulo", Arity::ONE, modulo),
        method("div", Arity::ONE, div),
        method("divmod", Arity::ONE, divmod),
        method("remainder", Arity::ONE, remainder),
        method("fdiv", Arity::ONE, fdiv),
        method("**", Arity::ONE, theory::op_pow),
        method("pow", Arity::range(1, 2), theory::pow),
        method("-@", Arity::NONE, op_minus_at).leaf(0),
        method("==", Arity::ONE, op_eq),
        method("===", Arity::ONE, op_eq),
        method("<=>", Arity::ONE, op_cmp),
        method("<", Arity::ONE, op_lt),
        method("<=", Arity::ONE, op_le),
        method(">", Arity::ONE, op_gt),
        method(">=", Arity::ONE, op_ge),
        method("coerce", Arity::ONE, convert::coerce),
        method("hash", Arity::NONE, hash),
        method("&", Arity::ONE, bits::op_and),
        method("|", Arity::ONE, bits::op_or),
        method("^", Arity::ONE, bits::op_xor),
        method("~", Arity::NONE, bits::op_tilde),
        method("<<", Arity::ONE, bits::op_shl),
        method(">>", Arity::ONE, bits::op_shr),
        method("[]", Arity::range(1, 2), bits::op_aref),
        method("allbits?", Arity::ONE, bits::allbits_p),
        method("anybits?", Arity::ONE, bits::anybits_p),
        method("nobits?", Arity::ONE, bits::nobits_p),
        method("bit_length", Arity::NONE, bits::bit_length),
        method("size", Arity::NONE, bits::size).leaf(0),
        method("to_s", Arity::range(0, 1), convert::to_s),
        method("inspect", Arity::range(0, 1), convert::to_s),
        method("to_i", Arity::NONE, itself).leaf(0),
        method("to_int", Arity::NONE, itself).leaf(0),
        method("to_f", Arity::NONE, convert::to_f),
        method("to_r", Arity::NONE, convert::to_r),
        method("rationalize", Arity::range(0, 1), convert::to_r),
        method("numerator", Arity::NONE, itself).leaf(0),
        method("denominator", Arity::NONE, convert::denominator).leaf(0),
        method("chr", Arity::range(0, 1), convert::chr),
        method("ord", Arity::NONE, itself).leaf(0),
        method("digits", Arity::range(0, 1), convert::digits),
        method("integer?", Arity::NONE, integer_p).leaf(0),
        method("zero?", Arity::NONE, zero_p).leaf(0),
        method("even?", Arity::NONE, even_p).leaf(0),
        method("odd?", Arity::NONE, odd_p).leaf(0),
        method("abs", Arity::NONE, abs).leaf(0),
        method("magnitude", Arity::NONE, abs).leaf(0),
        method("succ", Arity::NONE, succ).leaf(0),
        method("next", Arity::NONE, succ).leaf(0),
        method("pred", Arity::NONE, pred).leaf(0),
        method("gcd", Arity::ONE, theory::gcd),
        method("lcm", Arity::ONE, theory::lcm),
        method("gcdlcm", Arity::ONE, theory::gcdlcm),
        method("ceildiv", Arity::ONE, theory::ceildiv),
        method("round", Arity::range(0, 1).with_keywords(), theory::round),
        method("floor", Arity::range(0, 1), theory::floor),
        method("ceil", Arity::range(0, 1), theory::ceil),
        method("truncate", Arity::range(0, 1), theory::truncate),
    ],
    singleton_methods: &[
        method("sqrt", Arity::ONE, theory::sqrt),
        method("try_convert", Arity::ONE, convert::try_convert),
    ],
    ruby: include_str!("../integer.rb"),
    ..ClassDef::EMPTY
};

/// The number of a receiver.
#[inline]
pub(super) fn of(recv: Value) -> Int {
    Int::try_of(recv).unwrap_or(Int::ZERO)
}

/// `a * b` for two Integers.
pub fn multiply(ctx: &mut Ctx, a: Value, b: Value) -> Result {
    if a.is_fixnum() || b.is_fixnum() {
        return Ok(int::mul(ctx, a, b));
    }
    let (x, y) = (of(a), of(b));
    let product = compute(ctx, Effort::of(int::product_words(a, b), int::LONG_PRODUCT), move || x.mul(&y))?;
    Ok(product.into_value(ctx))
}

fn op_plus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if num::is_integer(other) {
        return Ok(int::add(ctx, recv, other));
    }
    match num::kind(other) {
        Num::Float(f) => {
            let int = ctx.int_to_f64(&of(recv))?;
            Ok(ctx.float(int + f))
        }
        Num::Complex(c) if recv.is_fixnum() => super::complex::real_plus(ctx, recv, c),
        _ => bin(ctx, recv, other, |n| n.op_plus),
    }
}

fn op_minus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if num::is_integer(other) {
        return Ok(int::sub(ctx, recv, other));
    }
    match num::kind(other) {
        Num::Float(f) => {
            let int = ctx.int_to_f64(&of(recv))?;
            Ok(ctx.float(int - f))
        }
        _ => bin(ctx, recv, other, |n| n.op_minus),
    }
}

fn op_mul(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if num::is_integer(other) {
        return multiply(ctx, recv, other);
    }
    match num::kind(other) {
        Num::Float(f) => {
            let int = ctx.int_to_f64(&of(recv))?;
            Ok(ctx.float(int * f))
        }
        Num::Complex(c) if recv.is_fixnum() => super::complex::real_times(ctx, recv, c),
        _ => bin(ctx, recv, other, |n| n.op_mul),
    }
}

fn bin(ctx: &mut Ctx, recv: Value, other: Value, op: impl Fn(&rubellite_vm::names::Names) -> Sym) -> Result {
    let op = op(ctx.names());
    coerce_bin(ctx, recv, other, op)
}

/// Word counts of quotient and divisor whose product is larger make a division long.
const LONG_DIVISION: usize = 1 << 19;

/// Quotient and remainder, outside the lock when that is long; ZeroDivisionError.
pub fn divide(ctx: &mut Ctx, a: &Int, b: &Int) -> Result<(Int, Int)> {
    let words = a.word_count().saturating_sub(b.word_count()).saturating_mul(b.word_count());
    let (a, b) = (a.clone(), b.clone());
    match compute(ctx, Effort::of(words, LONG_DIVISION), move || a.divmod(&b))? {
        Some(pair) => Ok(pair),
        None => Err(ctx.zero_division()),
    }
}

fn op_div(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    match num::kind(other) {
        Num::Int(i) => quotient(ctx, recv, other, &i),
        Num::Float(f) => {
            let int = ctx.int_to_f64(&of(recv))?;
            Ok(ctx.float(int / f))
        }
        Num::Rational(r) if num::is_exact_zero(r.num()) => Err(ctx.zero_division()),
        _ => bin(ctx, recv, other, |n| n.op_div),
    }
}

fn quotient(ctx: &mut Ctx, recv: Value, other: Value, i: &Int) -> Result {
    if recv.is_fixnum() && other.is_fixnum() {
        return match int::div_floor(ctx, recv, other) {
            Some(value) => Ok(value),
            None => Err(ctx.zero_division()),
        };
    }
    let (quotient, _) = divide(ctx, &of(recv), i)?;
    Ok(quotient.into_value(ctx))
}

fn div(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    match num::kind(other) {
        Num::Int(i) => quotient(ctx, recv, other, &i),
        Num::Float(0.0) => Err(ctx.zero_division()),
        Num::Float(f) => {
            let quotient = ctx.int_to_f64(&of(recv))? / f;
            // Big numbers are rounded towards zero here, as CRuby does it.
            let quotient = if recv.is_fixnum() { quotient.floor() } else { quotient };
            super::float::to_integer(ctx, quotient)
        }
        _ => {
            let name = ctx.intern("div");
            coerce_bin(ctx, recv, other, name)
        }
    }
}

fn modulo(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    match num::kind(other) {
        Num::Int(i) => {
            if recv.is_fixnum()
                && other.is_fixnum()
                && let Some(value) = int::modulo(ctx, recv, other)
            {
                return Ok(value);
            }
            let (_, rest) = divide(ctx, &of(recv), &i)?;
            Ok(rest.into_value(ctx))
        }
        Num::Float(f) => {
            let int = ctx.int_to_f64(&of(recv))?;
            super::float::float_modulo(ctx, int, f)
        }
        _ => bin(ctx, recv, other, |n| n.op_mod),
    }
}

fn divmod(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    match num::kind(other) {
        Num::Int(i) => {
            let (quotient, rest) = divide(ctx, &of(recv), &i)?;
            let quotient = quotient.into_value(ctx);
            let rest = rest.into_value(ctx);
            Ok(Array::from_slice(ctx, &[quotient, rest]).value())
        }
        Num::Float(f) => {
            let int = ctx.int_to_f64(&of(recv))?;
            super::float::float_divmod(ctx, int, f)
        }
        _ => {
            let name = ctx.intern("divmod");
            coerce_bin(ctx, recv, other, name)
        }
    }
}

fn remainder(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    match num::kind(other) {
        Num::Int(i) => match of(recv).remainder(&i) {
            Some(rest) => Ok(rest.into_value(ctx)),
            None => Err(ctx.zero_division()),
        },
        _ if recv.is_fixnum() => super::numeric::remainder(ctx, recv, args),
        _ => {
            let name = ctx.intern("remainder");
            coerce_bin(ctx, recv, other, name)
        }
    }
}

fn fdiv(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    match num::kind(other) {
        Num::Int(i) => Ok(ctx.float(of(recv).fdiv(&i))),
        Num::Float(f) => {
            let numerator = of(recv).to_f64();
            let quotient =
                if numerator.is_infinite() && !f.is_nan() { beyond_floats(ctx, &of(recv), f)? } else { numerator / f };
            Ok(ctx.float(quotient))
        }
        _ => {
            let name = ctx.intern("fdiv");
            let quotient = coerce_bin(ctx, recv, other, name)?;
            let quotient = ctx.to_float(quotient)?;
            Ok(ctx.float(quotient))
        }
    }
}

/// `int / f` for an Integer that no Float can hold: the Float is taken as the fraction that it is.
fn beyond_floats(ctx: &mut Ctx, int: &Int, f: f64) -> Result<f64> {
    if f.is_infinite() {
        return Err(ctx.float_domain_error(f));
    }
    if f == 0.0 {
        return Err(ctx.zero_division());
    }
    let bits = f.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, (bits & ((1 << 52) - 1)) as i64);
    let (digits, scale) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let digits = Int::from(if f < 0.0 { -digits } else { digits });
    let shift = scale.unsigned_abs();
    let quotient = if scale < 0 {
        int.shl_bits(shift).map(|int| int.fdiv(&digits))
    } else {
        digits.shl_bits(shift).map(|digits| int.fdiv(&digits))
    };
    quotient.map_err(|_| ctx.range_error("shift width too big"))
}

fn op_minus_at(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(int::neg(ctx, recv))
}

fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if num::is_integer(other) {
        return Ok(Value::from_bool(int::equal(recv, other)));
    }
    if let Some(f) = ctx.float_value(other) {
        return Ok(Value::from_bool(of(recv).cmp_f64(f) == Some(Ordering::Equal)));
    }
    let op = ctx.names().op_eq;
    let result = ctx.call(other, op, &[recv])?;
    Ok(Value::from_bool(result.truthy()))
}

/// The order of an Integer and another Integer or Float; none for NaN or anything else.
pub fn order(ctx: &Ctx, recv: Value, other: Value) -> Option<Option<Ordering>> {
    if num::is_integer(other) {
        return Some(Some(int::cmp(recv, other)));
    }
    ctx.float_value(other).map(|f| of(recv).cmp_f64(f))
}

fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match order(ctx, recv, args.at(0)) {
        Some(order) => Ok(order.map_or(Value::NIL, |o| Value::fixnum(o as i64))),
        None => {
            let op = ctx.names().op_cmp;
            coerce_cmp(ctx, recv, args.at(0), op)
        }
    }
}

fn compare(ctx: &mut Ctx, recv: Value, other: Value, op: Sym, test: impl Fn(Ordering) -> bool) -> Result {
    match order(ctx, recv, other) {
        Some(order) => Ok(Value::from_bool(order.is_some_and(test))),
        None => coerce_relop(ctx, recv, other, op),
    }
}

fn op_lt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let op = ctx.names().op_lt;
    compare(ctx, recv, args.at(0), op, Ordering::is_lt)
}

fn op_le(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let op = ctx.names().op_le;
    compare(ctx, recv, args.at(0), op, Ordering::is_le)
}

fn op_gt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let op = ctx.names().op_gt;
    compare(ctx, recv, args.at(0), op, Ordering::is_gt)
}

fn op_ge(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let op = ctx.names().op_ge;
    compare(ctx, recv, args.at(0), op, Ordering::is_ge)
}

fn hash(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(ctx.hash_number(rubellite_vm::object::fast_hash(ctx, recv).unwrap_or(0)))
}

/// A hash value as an Integer: two bits shorter, so that it is a fixnum.
pub fn hash_value(hash: u64) -> Value {
    Value::fixnum(hash as i64 >> 2)
}

fn itself(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

fn integer_p(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::TRUE)
}

fn zero_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(num::is_exact_zero(recv)))
}

fn even_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(recv).is_even()))
}

fn odd_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(!of(recv).is_even()))
}

fn abs(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(of(recv).abs().into_value(ctx))
}

fn succ(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(int::add(ctx, recv, Value::fixnum(1)))
}

fn pred(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(int::sub(ctx, recv, Value::fixnum(1)))
}

/// The Integer as a Rational.
pub fn to_rational(ctx: &mut Ctx, value: Value) -> Rational {
    Rational::new(ctx, value, Value::fixnum(1))
}
