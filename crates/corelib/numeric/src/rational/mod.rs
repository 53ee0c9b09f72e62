//! Rational: operators, comparisons, rounding. Making Rationals from anything is `make.rs`; text is `../parse.rs`.
//! Storage is `vm::object::rational`.

mod make;

use make::effort;
pub use make::{kernel_rational, make, rationalize_within, to_rational};

use super::coerce::{coerce_bin, coerce_cmp};
use super::integer;
use super::integer::outside::compute;
use super::num::{self, Num};
use rubellite_vm::object::float::Rounding;
use rubellite_vm::object::hashing::{hash_combine, hash_word};
use rubellite_vm::object::{Array, Int, Rational, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, private_method};
use std::cmp::Ordering;

pub static RATIONAL: ClassDef = ClassDef {
    name: "Rational",
    superclass: "Numeric",
    no_new: true,
    setup: Some(super::undefine_allocate),
    methods: &[
        method("numerator", Arity::NONE, numerator),
        method("denominator", Arity::NONE, denominator),
        method("-@", Arity::NONE, op_minus_at),
        method("+", Arity::ONE, op_plus),
        method("-", Arity::ONE, op_minus),
        method("*", Arity::ONE, op_mul),
        method("/", Arity::ONE, op_div),
        method("quo", Arity::ONE, op_div),
        method("fdiv", Arity::ONE, fdiv),
        method("**", Arity::ONE, op_pow),
        method("<=>", Arity::ONE, op_cmp),
        method("==", Arity::ONE, op_eq),
        method("coerce", Arity::ONE, coerce),
        method("hash", Arity::NONE, hash),
        method("positive?", Arity::NONE, positive_p),
        method("negative?", Arity::NONE, negative_p),
        method("abs", Arity::NONE, abs),
        method("magnitude", Arity::NONE, abs),
        method("floor", Arity::range(0, 1), floor),
        method("ceil", Arity::range(0, 1), ceil),
        method("truncate", Arity::range(0, 1), truncate),
        method("round", Arity::range(0, 1).with_keywords(), round),
        method("to_i", Arity::NONE, to_i),
        method("to_f", Arity::NONE, to_f),
        method("to_r", Arity::NONE, itself),
        method("rationalize", Arity::range(0, 1), rationalize),
        method("to_s", Arity::NONE, to_s),
        method("inspect", Arity::NONE, inspect),
        private_method("marshal_dump", Arity::NONE, marshal_dump),
    ],
    ..ClassDef::EMPTY
};

/// Numerator and denominator of a receiver.
fn of(recv: Value) -> (Int, Int) {
    Rational::try_of(recv).map_or((Int::ZERO, Int::ONE), Rational::parts)
}

fn float_of(recv: Value) -> f64 {
    let (n, d) = of(recv);
    n.fdiv_reduced(&d)
}

fn numerator(_ctx: &mut Ctx, rational: Rational, _args: Args) -> Result {
    Ok(rational.num())
}

fn denominator(_ctx: &mut Ctx, rational: Rational, _args: Args) -> Result {
    Ok(rational.den())
}

fn itself(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

// -- arithmetic -----------------------------------------------------------------------

fn op_minus_at(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (n, d) = of(recv);
    make(ctx, &n.neg(), &d)
}

/// An operand as a fraction, when it is exact.
fn exact(value: Value) -> Option<(Int, Int)> {
    match num::kind(value) {
        Num::Int(i) => Some((i, Int::ONE)),
        Num::Rational(r) => Some(r.parts()),
        _ => None,
    }
}

/// The sum or difference of two fractions in lowest terms. Common factors are looked for in the smaller numbers
/// first: what the denominators have in common is all that the result can be reduced by.
fn sum(ctx: &mut Ctx, (n, d): (Int, Int), (m, e): (Int, Int), op: fn(&Int, &Int) -> Int) -> Result {
    let effort = effort(&[&n, &d, &m, &e]);
    let (num, den) = compute(ctx, effort, move || {
        let common = d.gcd(&e);
        let (d_rest, e_rest) = (quotient(&d, &common), quotient(&e, &common));
        let num = op(&n.mul(&e_rest), &m.mul(&d_rest));
        let factor = num.gcd(&common);
        let den = d_rest.mul(&quotient(&e, &factor));
        (quotient(&num, &factor), den)
    })?;
    Ok(lowest(ctx, num, den))
}

/// The product of two fractions in lowest terms.
fn product(ctx: &mut Ctx, (n, d): (Int, Int), (m, e): (Int, Int)) -> Result {
    let effort = effort(&[&n, &d, &m, &e]);
    let (num, den) = compute(ctx, effort, move || {
        let (g, h) = (n.gcd(&e), m.gcd(&d));
        (quotient(&n, &g).mul(&quotient(&m, &h)), quotient(&d, &h).mul(&quotient(&e, &g)))
    })?;
    Ok(lowest(ctx, num, den))
}

/// An exact quotient; the divisor is not zero unless both are.
fn quotient(a: &Int, b: &Int) -> Int {
    if *b == Int::ONE { a.clone() } else { a.div_floor(b).unwrap_or(Int::ZERO) }
}

/// The Rational of a fraction in lowest terms with a positive denominator.
fn lowest(ctx: &mut Ctx, num: Int, den: Int) -> Value {
    let num = num.into_value(ctx);
    let den = den.into_value(ctx);
    Rational::new(ctx, num, den).value()
}

fn op_plus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (n, d) = of(recv);
    if let Some(other) = exact(args.at(0)) {
        return sum(ctx, (n, d), other, Int::add);
    }
    if let Some(f) = ctx.float_value(args.at(0)) {
        return Ok(ctx.float(n.fdiv(&d) + f));
    }
    let op = ctx.names().op_plus;
    coerce_bin(ctx, recv, args.at(0), op)
}

fn op_minus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (n, d) = of(recv);
    if let Some(other) = exact(args.at(0)) {
        return sum(ctx, (n, d), other, Int::sub);
    }
    if let Some(f) = ctx.float_value(args.at(0)) {
        return Ok(ctx.float(n.fdiv(&d) - f));
    }
    let op = ctx.names().op_minus;
    coerce_bin(ctx, recv, args.at(0), op)
}

fn op_mul(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (n, d) = of(recv);
    if let Some(other) = exact(args.at(0)) {
        return product(ctx, (n, d), other);
    }
    if let Some(f) = ctx.float_value(args.at(0)) {
        return Ok(ctx.float(n.fdiv(&d) * f));
    }
    let op = ctx.names().op_mul;
    coerce_bin(ctx, recv, args.at(0), op)
}

fn op_div(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (n, d) = of(recv);
    if let Some((m, e)) = exact(args.at(0)) {
        if m.is_zero() {
            return Err(ctx.zero_division());
        }
        let inverse = if m.is_negative() { (e.neg(), m.neg()) } else { (e, m) };
        return product(ctx, (n, d), inverse);
    }
    if let Some(f) = ctx.float_value(args.at(0)) {
        return Ok(ctx.float(n.fdiv(&d) / f));
    }
    let op = ctx.names().op_div;
    coerce_bin(ctx, recv, args.at(0), op)
}

fn fdiv(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if ctx.equal(other, Value::fixnum(0))? {
        let f = float_of(recv) / 0.0;
        return Ok(ctx.float(f));
    }
    let quotient = num::div(ctx, recv, other)?;
    if num::is_float(quotient) {
        return Ok(quotient);
    }
    let to_f = ctx.names().to_f;
    ctx.call(quotient, to_f, &[])
}

fn op_pow(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mut other = args.at(0);
    if let Some(r) = Rational::try_of(other)
        && num::is_exact_one(r.den())
    {
        other = r.num();
    }
    if num::is_exact_zero(other) {
        return make(ctx, &Int::ONE, &Int::ONE);
    }
    let (n, d) = of(recv);
    if d == Int::ONE
        && (num::is_integer(other) || num::is_rational(other))
        && let Some(value) = simple_power(ctx, &n, other)?
    {
        return Ok(value);
    }
    match num::kind(other) {
        Num::Int(Int::Small(exponent)) if other.is_fixnum() => {
            let exponent_size = Int::from(exponent.unsigned_abs());
            let n = integer::power(ctx, &n, &exponent_size)?;
            let d = integer::power(ctx, &d, &exponent_size)?;
            if exponent < 0 { make(ctx, &d, &n) } else { make(ctx, &n, &d) }
        }
        Num::Int(_) => Err(ctx.argument_error("exponent is too large")),
        Num::Float(_) | Num::Rational(_) => {
            let f = float_of(recv);
            let f = ctx.float(f);
            num::pow(ctx, f, other)
        }
        _ => {
            let op = ctx.names().op_pow;
            coerce_bin(ctx, recv, other, op)
        }
    }
}

/// Powers of 0, 1 and -1, whatever the size of the exponent.
fn simple_power(ctx: &mut Ctx, n: &Int, exponent: Value) -> Result<Option<Value>> {
    match n {
        Int::Small(1) => make(ctx, &Int::ONE, &Int::ONE).map(Some),
        Int::Small(-1) if num::is_integer(exponent) => {
            let even = Int::try_of(exponent).is_none_or(|e| e.is_even());
            make(ctx, &Int::from(if even { 1i64 } else { -1 }), &Int::ONE).map(Some)
        }
        Int::Small(0) if num::is_negative(ctx, exponent)? => Err(ctx.zero_division()),
        Int::Small(0) => make(ctx, &Int::ZERO, &Int::ONE).map(Some),
        _ => Ok(None),
    }
}

// -- comparison -----------------------------------------------------------------------

fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (n, d) = of(recv);
    let order = match exact(args.at(0)) {
        Some((m, e)) => {
            let effort = effort(&[&n, &d, &m, &e]);
            Some(compute(ctx, effort, move || n.mul(&e).cmp(&m.mul(&d)))?)
        }
        None => match ctx.float_value(args.at(0)) {
            Some(f) => n.fdiv(&d).partial_cmp(&f),
            None => {
                let op = ctx.names().op_cmp;
                return coerce_cmp(ctx, recv, args.at(0), op);
            }
        },
    };
    Ok(order.map_or(Value::NIL, |o: Ordering| Value::fixnum(o as i64)))
}

fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (n, d) = of(recv);
    if let Some((m, e)) = exact(args.at(0)) {
        return Ok(Value::from_bool(n == m && d == e));
    }
    if let Some(f) = ctx.float_value(args.at(0)) {
        return Ok(Value::from_bool(n.fdiv(&d) == f));
    }
    let op = ctx.names().op_eq;
    let equal = ctx.call(args.at(0), op, &[recv])?;
    Ok(Value::from_bool(equal.truthy()))
}

fn coerce(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    let pair = match num::kind(other) {
        Num::Int(i) => [make(ctx, &i, &Int::ONE)?, recv],
        Num::Float(_) => {
            let f = float_of(recv);
            [other, ctx.float(f)]
        }
        Num::Rational(_) => [other, recv],
        Num::Complex(c) if num::is_exact_zero(c.imag()) => [to_rational(ctx, c.real())?, recv],
        Num::Complex(_) => [other, super::complex::new(ctx, recv, Value::fixnum(0))],
        Num::Other => {
            let class = ctx.real_class(other).inspect(ctx);
            return Err(ctx.type_error(&format!("{class} can't be coerced into Rational")));
        }
    };
    Ok(Array::from_slice(ctx, &pair).value())
}

fn hash(ctx: &mut Ctx, r: Rational, _args: Args) -> Result {
    let part = |ctx: &Ctx, v| rubellite_vm::object::fast_hash(ctx, v).unwrap_or(0);
    let seed = ctx.hash_seed();
    let hash = hash_combine(seed, hash_word(seed ^ 0x5241_5449, part(ctx, r.num())), part(ctx, r.den()));
    Ok(integer::hash_value(hash))
}

fn positive_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (n, _) = of(recv);
    Ok(Value::from_bool(n > Int::ZERO))
}

fn negative_p(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(recv).0.is_negative()))
}

fn abs(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (n, d) = of(recv);
    make(ctx, &n.abs(), &d)
}

// -- rounding -------------------------------------------------------------------------

fn floor_of(n: &Int, d: &Int) -> Int {
    n.div_floor(d).unwrap_or(Int::ZERO)
}

fn ceil_of(n: &Int, d: &Int) -> Int {
    floor_of(&n.neg(), d).neg()
}

fn truncate_of(n: &Int, d: &Int) -> Int {
    if n.is_negative() { ceil_of(n, d) } else { floor_of(n, d) }
}

fn round_of(n: &Int, d: &Int, half: Rounding) -> Int {
    let two = Int::from(2i64);
    let (below, rest) = n.abs().divmod(d).unwrap_or((Int::ZERO, Int::ZERO));
    let up = match rest.mul(&two).cmp(d) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => match half {
            Rounding::HalfUp => true,
            Rounding::HalfDown => false,
            Rounding::HalfEven => !below.is_even(),
        },
    };
    let size = if up { below.add(&Int::ONE) } else { below };
    if n.is_negative() { size.neg() } else { size }
}

/// Rounds at a decimal place: to an Integer unless digits behind the point were asked for.
fn round_at(ctx: &mut Ctx, recv: Value, place: Option<Value>, rule: impl Fn(&Int, &Int) -> Int) -> Result {
    let (n, d) = of(recv);
    let Some(place) = place else {
        return Ok(rule(&n, &d).into_value(ctx));
    };
    let Some(digits) = Int::try_of(place) else {
        return Err(ctx.type_error("not an integer"));
    };
    let scale = integer::power(ctx, &Int::from(10i64), &digits.abs())?;
    if digits.is_negative() {
        let whole = rule(&n, &d.mul(&scale)).mul(&scale);
        return Ok(whole.into_value(ctx));
    }
    let scaled = rule(&n.mul(&scale), &d);
    if digits.is_zero() { Ok(scaled.into_value(ctx)) } else { make(ctx, &scaled, &scale) }
}

fn floor(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    round_at(ctx, recv, args.get(0), floor_of)
}

fn ceil(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    round_at(ctx, recv, args.get(0), ceil_of)
}

fn truncate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    round_at(ctx, recv, args.get(0), truncate_of)
}

fn round(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let half = integer::rounding_mode(ctx, &args)?;
    round_at(ctx, recv, args.positional().get(0), |n, d| round_of(n, d, half))
}

fn to_i(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (n, d) = of(recv);
    Ok(truncate_of(&n, &d).into_value(ctx))
}

fn to_f(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(ctx.float(float_of(recv)))
}

fn rationalize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(eps) = args.get(0) else { return Ok(recv) };
    let (n, d) = of(recv);
    let positive = make(ctx, &n.abs(), &d)?;
    let result = rationalize_within(ctx, positive, eps)?;
    if n.is_negative() { num::neg(ctx, result) } else { Ok(result) }
}

fn text(ctx: &mut Ctx, recv: Value) -> Result<String> {
    let (n, d) = of(recv);
    let n = integer::big_to_radix(ctx, &n, 10)?;
    let d = integer::big_to_radix(ctx, &d, 10)?;
    Ok(format!("{n}/{d}"))
}

fn to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = text(ctx, recv)?;
    Ok(Str::ascii(ctx, &text).value())
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = text(ctx, recv)?;
    Ok(Str::ascii(ctx, &format!("({text})")).value())
}

fn marshal_dump(ctx: &mut Ctx, r: Rational, _args: Args) -> Result {
    Ok(Array::from_slice(ctx, &[r.num(), r.den()]).value())
}
