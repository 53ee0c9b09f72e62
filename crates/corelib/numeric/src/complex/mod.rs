//! Complex: operators and comparisons. Powers and polar forms are `polar.rs`; making Complexes from anything and what
//! real numbers can do as complex ones is `make.rs`. Storage is `vm::object::complex`.

mod arith;
mod make;
mod polar;

pub use make::{
    float_arg, kernel_complex, numeric_abs2, numeric_arg, numeric_i, numeric_polar, numeric_rect, numeric_to_c,
};
pub use polar::{polar, polar_pi};

use super::coerce::{coerce_bin, coerce_cmp};
use super::num::{self, Num};
use super::{integer, math};
use rubellite_vm::object::hashing::{hash_combine, hash_word};
use rubellite_vm::object::{Array, Complex, Int, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Sym, Unwind, Value, method, private_method};

pub static COMPLEX: ClassDef = ClassDef {
    name: "Complex",
    superclass: "Numeric",
    no_new: true,
    methods: &[
        method("real", Arity::NONE, real),
        method("imaginary", Arity::NONE, imaginary),
        method("imag", Arity::NONE, imaginary),
        method("-@", Arity::NONE, op_minus_at),
        method("+", Arity::ONE, op_plus),
        method("-", Arity::ONE, op_minus),
        method("*", Arity::ONE, op_mul),
        method("/", Arity::ONE, op_div),
        method("quo", Arity::ONE, op_div),
        method("fdiv", Arity::ONE, fdiv),
        method("**", Arity::ONE, polar::op_pow),
        method("==", Arity::ONE, op_eq),
        method("<=>", Arity::ONE, op_cmp),
        method("coerce", Arity::ONE, coerce),
        method("eql?", Arity::ONE, eql_p),
        method("hash", Arity::NONE, hash),
        method("abs", Arity::NONE, polar::abs),
        method("magnitude", Arity::NONE, polar::abs),
        method("abs2", Arity::NONE, polar::abs2),
        method("arg", Arity::NONE, polar::arg),
        method("angle", Arity::NONE, polar::arg),
        method("phase", Arity::NONE, polar::arg),
        method("polar", Arity::NONE, polar::to_polar),
        method("rectangular", Arity::NONE, rectangular),
        method("rect", Arity::NONE, rectangular),
        method("conjugate", Arity::NONE, conjugate),
        method("conj", Arity::NONE, conjugate),
        method("real?", Arity::NONE, real_p),
        method("finite?", Arity::NONE, finite_p),
        method("infinite?", Arity::NONE, infinite_p),
        method("numerator", Arity::NONE, numerator),
        method("denominator", Arity::NONE, denominator),
        method("to_s", Arity::NONE, to_s),
        method("inspect", Arity::NONE, inspect),
        method("to_i", Arity::NONE, to_i),
        method("to_f", Arity::NONE, to_f),
        method("to_r", Arity::NONE, make::to_r),
        method("rationalize", Arity::range(0, 1), rationalize),
        method("to_c", Arity::NONE, itself),
        private_method("marshal_dump", Arity::NONE, rectangular),
    ],
    singleton_methods: &[
        method("rect", Arity::range(1, 2), make::rect),
        method("rectangular", Arity::range(1, 2), make::rect),
        method("polar", Arity::range(1, 2), polar::from_polar),
    ],
    setup: Some(set_up),
    ..ClassDef::EMPTY
};

/// What only makes sense for real numbers is taken away.
fn set_up(ctx: &mut Ctx, class: Class) -> Result<()> {
    let unit = new(ctx, Value::fixnum(0), Value::fixnum(1));
    class.set_const(ctx, "I", unit);
    let absent = [
        "%",
        "div",
        "divmod",
        "floor",
        "ceil",
        "modulo",
        "remainder",
        "round",
        "step",
        "truncate",
        "i",
        "positive?",
        "negative?",
        "<",
        "<=",
        ">",
        ">=",
        "between?",
        "clamp",
    ];
    for name in absent {
        class.undefine(ctx, name);
    }
    super::undefine_allocate(ctx, class)
}

/// The Complex with these parts, which are real.
pub fn new(ctx: &mut Ctx, real: Value, imag: Value) -> Value {
    Complex::new(ctx, real, imag).value()
}

fn parts(recv: Value) -> (Value, Value) {
    Complex::try_of(recv).map_or((recv, Value::fixnum(0)), |c| (c.real(), c.imag()))
}

/// Whether a value is a number of a real class.
fn is_real(ctx: &mut Ctx, value: Value) -> Result<bool> {
    match num::kind(value) {
        Num::Complex(_) => Ok(false),
        Num::Other => {
            let numeric = ctx.classes().numeric.get();
            Ok(ctx.is_a(value, numeric) && ctx.call_name(value, "real?", &[])?.truthy())
        }
        _ => Ok(true),
    }
}

fn is_zero(ctx: &mut Ctx, value: Value) -> Result<bool> {
    match num::kind(value) {
        Num::Int(i) => Ok(i.is_zero()),
        Num::Float(f) => Ok(f == 0.0),
        Num::Rational(r) => Ok(num::is_exact_zero(r.num())),
        _ => ctx.equal(value, Value::fixnum(0)),
    }
}

/// Whether a number is zero and no Float.
fn is_exactly_zero(ctx: &mut Ctx, value: Value) -> Result<bool> {
    Ok(!num::is_float(value) && is_zero(ctx, value)?)
}

fn real(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(parts(recv).0)
}

fn imaginary(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(parts(recv).1)
}

fn itself(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

// -- arithmetic -----------------------------------------------------------------------

fn op_minus_at(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    let (a, b) = (num::neg(ctx, a)?, num::neg(ctx, b)?);
    Ok(new(ctx, a, b))
}

/// `real + complex`
pub fn real_plus(ctx: &mut Ctx, real: Value, complex: Complex) -> Result {
    let sum = arith::add(ctx, real, complex.real())?;
    Ok(new(ctx, sum, complex.imag()))
}

/// `real * complex`
pub fn real_times(ctx: &mut Ctx, real: Value, complex: Complex) -> Result {
    let a = arith::mul(ctx, real, complex.real())?;
    let b = arith::mul(ctx, real, complex.imag())?;
    Ok(new(ctx, a, b))
}

fn op_plus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (other, (a, b)) = (args.at(0), parts(recv));
    if let Some(c) = Complex::try_of(other) {
        let (a, b) = (arith::add(ctx, a, c.real())?, arith::add(ctx, b, c.imag())?);
        return Ok(new(ctx, a, b));
    }
    if is_real(ctx, other)? {
        let a = arith::add(ctx, a, other)?;
        return Ok(new(ctx, a, b));
    }
    let op = ctx.names().op_plus;
    coerce_bin(ctx, recv, other, op)
}

fn op_minus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (other, (a, b)) = (args.at(0), parts(recv));
    if let Some(c) = Complex::try_of(other) {
        let (a, b) = (arith::sub(ctx, a, c.real())?, arith::sub(ctx, b, c.imag())?);
        return Ok(new(ctx, a, b));
    }
    if is_real(ctx, other)? {
        let a = arith::sub(ctx, a, other)?;
        return Ok(new(ctx, a, b));
    }
    let op = ctx.names().op_minus;
    coerce_bin(ctx, recv, other, op)
}

/// A product in which zero times infinity keeps its sign instead of becoming NaN.
fn safe_mul(ctx: &mut Ctx, a: Value, b: Value) -> Result {
    let (a_zero, b_zero) = (is_zero(ctx, a)?, is_zero(ctx, b)?);
    let unit = |ctx: &mut Ctx, v: Value| match ctx.float_value(v) {
        Some(f) if !f.is_nan() => ctx.float(1f64.copysign(f)),
        _ => v,
    };
    let x = if !a_zero && b_zero { unit(ctx, a) } else { a };
    let y = if !b_zero && a_zero { unit(ctx, b) } else { b };
    arith::mul(ctx, x, y)
}

/// The parts of a product.
fn product(ctx: &mut Ctx, (a, b): (Value, Value), (c, d): (Value, Value)) -> Result<(Value, Value)> {
    let (ac, bd) = (safe_mul(ctx, a, c)?, safe_mul(ctx, b, d)?);
    let (ad, bc) = (safe_mul(ctx, a, d)?, safe_mul(ctx, b, c)?);
    Ok((arith::sub(ctx, ac, bd)?, arith::add(ctx, ad, bc)?))
}

fn op_mul(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if let Some(c) = Complex::try_of(other) {
        let (a, b) = product(ctx, parts(recv), (c.real(), c.imag()))?;
        return Ok(new(ctx, a, b));
    }
    if is_real(ctx, other)? {
        let (a, b) = parts(recv);
        let (a, b) = (arith::mul(ctx, a, other)?, arith::mul(ctx, b, other)?);
        return Ok(new(ctx, a, b));
    }
    let op = ctx.names().op_mul;
    coerce_bin(ctx, recv, other, op)
}

/// A whole Rational as an Integer.
fn canonical(value: Value) -> Value {
    match num::kind(value) {
        Num::Rational(r) if num::is_exact_one(r.den()) => r.num(),
        _ => value,
    }
}

type Divide = fn(&mut Ctx, Value, Value) -> Result;

fn divide(ctx: &mut Ctx, recv: Value, other: Value, div: Divide, op: Sym) -> Result {
    let (a, b) = parts(recv);
    if let Some(c) = Complex::try_of(other) {
        return divide_complex(ctx, (a, b), (c.real(), c.imag()), div);
    }
    if is_real(ctx, other)? {
        let (a, b) = (div(ctx, a, other)?, div(ctx, b, other)?);
        return Ok(new(ctx, canonical(a), canonical(b)));
    }
    coerce_bin(ctx, recv, other, op)
}

/// Division by the larger part of the divisor first, so that nothing overflows on the way.
fn divide_complex(ctx: &mut Ctx, (a, b): (Value, Value), (c, d): (Value, Value), div: Divide) -> Result {
    let inexact = [a, b, c, d].into_iter().any(num::is_float);
    let (size_c, size_d) = (ctx.call_name(c, "abs", &[])?, ctx.call_name(d, "abs", &[])?);
    let op = ctx.names().op_gt;
    let by_real = num::relation(ctx, size_c, op, size_d)?;
    let (major, minor) = if by_real { (c, d) } else { (d, c) };
    let r = div(ctx, minor, major)?;
    let square = arith::mul(ctx, r, r)?;
    let n = arith::add(ctx, Value::fixnum(1), square)?;
    let n = arith::mul(ctx, major, n)?;
    let (x, y) = if by_real {
        let (br, ar) = (arith::mul(ctx, b, r)?, arith::mul(ctx, a, r)?);
        (arith::add(ctx, a, br)?, arith::sub(ctx, b, ar)?)
    } else {
        let (ar, br) = (arith::mul(ctx, a, r)?, arith::mul(ctx, b, r)?);
        (arith::add(ctx, ar, b)?, arith::sub(ctx, br, a)?)
    };
    let (x, y) = (div(ctx, x, n)?, div(ctx, y, n)?);
    if inexact { Ok(new(ctx, x, y)) } else { Ok(new(ctx, canonical(x), canonical(y))) }
}

fn op_div(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let op = ctx.intern("quo");
    divide(ctx, recv, args.at(0), num::quo, op)
}

fn fdiv(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let op = ctx.intern("fdiv");
    divide(ctx, recv, args.at(0), |ctx, a, b| ctx.call_name(a, "fdiv", &[b]), op)
}

// -- comparison -----------------------------------------------------------------------

fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (other, (a, b)) = (args.at(0), parts(recv));
    let equal = if let Some(c) = Complex::try_of(other) {
        ctx.equal(a, c.real())? && ctx.equal(b, c.imag())?
    } else if is_real(ctx, other)? {
        ctx.equal(a, other)? && is_zero(ctx, b)?
    } else {
        ctx.equal(other, recv)?
    };
    Ok(Value::from_bool(equal))
}

fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (other, (a, b)) = (args.at(0), parts(recv));
    let op = ctx.names().op_cmp;
    let numeric = ctx.classes().numeric.get();
    if !ctx.is_a(other, numeric) {
        return coerce_cmp(ctx, recv, other, op);
    }
    if !is_zero(ctx, b)? {
        return Ok(Value::NIL);
    }
    match Complex::try_of(other) {
        Some(c) if is_zero(ctx, c.imag())? => ctx.call(a, op, &[c.real()]),
        Some(_) => Ok(Value::NIL),
        None if is_real(ctx, other)? => ctx.call(a, op, &[other]),
        None => coerce_cmp(ctx, a, other, op),
    }
}

fn coerce(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if let Num::Complex(_) = num::kind(other) {
        return Ok(Array::from_slice(ctx, &[other, recv]).value());
    }
    if is_real(ctx, other)? {
        let other = new(ctx, other, Value::fixnum(0));
        return Ok(Array::from_slice(ctx, &[other, recv]).value());
    }
    let class = ctx.real_class(other).inspect(ctx);
    Err(ctx.type_error(&format!("{class} can't be coerced into Complex")))
}

fn eql_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(c) = Complex::try_of(args.at(0)) else { return Ok(Value::FALSE) };
    let (a, b) = parts(recv);
    let same = |ctx: &Ctx, x, y| ctx.real_class(x) == ctx.real_class(y);
    let same = same(ctx, a, c.real()) && same(ctx, b, c.imag());
    Ok(Value::from_bool(same && ctx.equal(recv, c.value())?))
}

fn hash(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    let (a, b) = (ctx.hash_of(a)?, ctx.hash_of(b)?);
    let seed = ctx.hash_seed();
    Ok(integer::hash_value(hash_combine(seed, hash_word(seed ^ 0x434f_4d50, a), b)))
}

// -- parts, conversions ---------------------------------------------------------------

fn rectangular(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    Ok(Array::from_slice(ctx, &[a, b]).value())
}

fn conjugate(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    let b = num::neg(ctx, b)?;
    Ok(new(ctx, a, b))
}

fn real_p(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::FALSE)
}

fn part_is(ctx: &mut Ctx, value: Value, name: &'static str) -> Result<bool> {
    Ok(ctx.call_name(value, name, &[])?.truthy())
}

fn finite_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    Ok(Value::from_bool(part_is(ctx, a, "finite?")? && part_is(ctx, b, "finite?")?))
}

fn infinite_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    let infinite = part_is(ctx, a, "infinite?")? || part_is(ctx, b, "infinite?")?;
    Ok(if infinite { Value::fixnum(1) } else { Value::NIL })
}

fn common_denominator(ctx: &mut Ctx, recv: Value) -> Result {
    let (a, b) = parts(recv);
    let (a, b) = (ctx.call_name(a, "denominator", &[])?, ctx.call_name(b, "denominator", &[])?);
    match (Int::try_of(a), Int::try_of(b)) {
        (Some(a), Some(b)) => Ok(a.lcm(&b).into_value(ctx)),
        _ => Err(ctx.type_error("not an integer")),
    }
}

fn denominator(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    common_denominator(ctx, recv)
}

fn numerator(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let common = common_denominator(ctx, recv)?;
    let scaled = |ctx: &mut Ctx, part: Value| {
        let (n, d) = (ctx.call_name(part, "numerator", &[])?, ctx.call_name(part, "denominator", &[])?);
        let factor = num::div(ctx, common, d)?;
        arith::mul(ctx, n, factor)
    };
    let (a, b) = parts(recv);
    let (a, b) = (scaled(ctx, a)?, scaled(ctx, b)?);
    Ok(new(ctx, a, b))
}

fn text(ctx: &mut Ctx, recv: Value, inspect: bool) -> Result<String> {
    let (a, b) = parts(recv);
    let show = |ctx: &mut Ctx, v: Value| match inspect {
        true => ctx.inspect(v),
        false => Ok(ctx.to_s(v)?.to_lossy(ctx).into_owned()),
    };
    let sign = if num::has_minus_sign(ctx, b)? { '-' } else { '+' };
    let size = ctx.call_name(b, "abs", &[])?;
    let (a, b) = (show(ctx, a)?, show(ctx, size)?);
    let star = if b.ends_with(|c: char| c.is_ascii_digit()) { "" } else { "*" };
    Ok(format!("{a}{sign}{b}{star}i"))
}

fn to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = text(ctx, recv, false)?;
    Ok(Str::ascii(ctx, &text).value())
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = text(ctx, recv, true)?;
    Ok(Str::ascii(ctx, &format!("({text})")).value())
}

/// "can't convert 1+2i into Integer"
#[cold]
fn not_real(ctx: &mut Ctx, recv: Value, target: &str) -> Unwind {
    match text(ctx, recv, false) {
        Ok(text) => ctx.range_error(&format!("can't convert {text} into {target}")),
        Err(unwind) => unwind,
    }
}

fn to_i(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    if !is_exactly_zero(ctx, b)? {
        return Err(not_real(ctx, recv, "Integer"));
    }
    let name = ctx.names().to_i;
    ctx.call(a, name, &[])
}

fn to_f(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    if !is_exactly_zero(ctx, b)? {
        return Err(not_real(ctx, recv, "Float"));
    }
    let name = ctx.names().to_f;
    ctx.call(a, name, &[])
}

fn rationalize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (a, b) = parts(recv);
    if !is_exactly_zero(ctx, b)? {
        return Err(not_real(ctx, recv, "Rational"));
    }
    ctx.call_name(a, "rationalize", args.slice())
}

/// The length of the vector, by the library function.
fn hypot(ctx: &mut Ctx, a: Value, b: Value) -> Result {
    let (x, y) = (math::float_argument(ctx, a)?, math::float_argument(ctx, b)?);
    Ok(ctx.float(x.hypot(y)))
}
