//! Complex: polar forms and powers.

use super::{arith, canonical, hypot, is_real, is_zero, new, parts, product};
use crate::coerce::coerce_bin;
use crate::math;
use crate::num::{self, Num};
use rubellite_vm::object::{Array, Complex, Int};
use rubellite_vm::{Args, Ctx, Result, Value};
use std::f64::consts::{FRAC_PI_2, PI};

/// The Complex of a length and an angle, both real. Right angles give exact parts.
pub fn polar(ctx: &mut Ctx, size: Value, angle: Value) -> Result {
    if is_zero(ctx, size)? || is_zero(ctx, angle)? {
        let zero = ctx.float(0.0);
        return Ok(new(ctx, size, zero));
    }
    let Some(theta) = ctx.float_value(angle) else {
        let theta = math::float_argument(ctx, angle)?;
        let (cos, sin) = (ctx.float(theta.cos()), ctx.float(theta.sin()));
        let (a, b) = (arith::mul(ctx, size, cos)?, arith::mul(ctx, size, sin)?);
        return Ok(new(ctx, a, b));
    };
    let zero_float = ctx.float(0.0);
    if theta == PI {
        let size = num::neg(ctx, size)?;
        return Ok(new(ctx, size, zero_float));
    }
    if theta == FRAC_PI_2 {
        return Ok(new(ctx, zero_float, size));
    }
    if theta == FRAC_PI_2 + PI {
        let size = num::neg(ctx, size)?;
        return Ok(new(ctx, zero_float, size));
    }
    let (cos, sin) = (ctx.float(theta.cos()), ctx.float(theta.sin()));
    let (a, b) = (arith::mul(ctx, size, cos)?, arith::mul(ctx, size, sin)?);
    Ok(new(ctx, a, b))
}

/// The number of a length and an angle in units of pi: what a negative float has as a power with a fraction.
pub fn polar_pi(ctx: &mut Ctx, size: f64, angle: f64) -> Result {
    let (whole, fraction) = (angle.trunc(), angle.fract());
    let odd = (whole / 2.0).fract() != 0.0;
    if fraction.abs() == 0.5 {
        // A quarter turn to one side or the other.
        let down = odd != (fraction < 0.0);
        let (real, imag) = (ctx.float(0.0), ctx.float(if down { -size } else { size }));
        return Ok(new(ctx, real, imag));
    }
    if fraction == 0.0 {
        return Ok(ctx.float(if odd { -size } else { size }));
    }
    let (sin, cos) = (sin_pi(angle), cos_pi(angle));
    let (real, imag) = (ctx.float(size * cos), ctx.float(size * sin));
    Ok(new(ctx, real, imag))
}

fn cos_pi(x: f64) -> f64 {
    (x * PI).cos()
}

fn sin_pi(x: f64) -> f64 {
    (x * PI).sin()
}

/// `Complex.polar(abs, arg = 0)`
pub fn from_polar(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let size = super::make::real_part(ctx, args.at(0))?;
    let angle = match args.get(1) {
        Some(angle) => super::make::real_part(ctx, angle)?,
        None => Value::fixnum(0),
    };
    polar(ctx, size, angle)
}

pub fn abs(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    for (zero, other) in [(a, b), (b, a)] {
        if is_zero(ctx, zero)? {
            let size = ctx.call_name(other, "abs", &[])?;
            if num::is_float(zero) && !num::is_float(other) {
                return ctx.call_name(size, "to_f", &[]);
            }
            return Ok(size);
        }
    }
    hypot(ctx, a, b)
}

pub fn abs2(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    let (a, b) = (arith::mul(ctx, a, a)?, arith::mul(ctx, b, b)?);
    arith::add(ctx, a, b)
}

pub fn arg(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (a, b) = parts(recv);
    let (x, y) = (math::float_argument(ctx, a)?, math::float_argument(ctx, b)?);
    Ok(ctx.float(y.atan2(x)))
}

pub fn to_polar(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let pair = [abs(ctx, recv, args)?, arg(ctx, recv, args)?];
    Ok(Array::from_slice(ctx, &pair).value())
}

// -- powers ---------------------------------------------------------------------------

/// An exponent in its simplest form: whole Rationals as Integers, Complexes without imaginary part as real.
fn simple_exponent(other: Value) -> Value {
    match num::kind(canonical(other)) {
        Num::Complex(c) if num::is_exact_zero(c.imag()) => c.real(),
        _ => canonical(other),
    }
}

pub fn op_pow(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if num::is_exact_zero(args.at(0)) {
        return Ok(new(ctx, Value::fixnum(1), Value::fixnum(0)));
    }
    let other = simple_exponent(args.at(0));
    let (a, b) = parts(recv);
    if num::is_exact_one(other) {
        return Ok(new(ctx, a, b));
    }
    if let Some(exponent) = Int::try_of(other)
        && let Some(power) = special_angle(ctx, (a, b), other, &exponent)?
    {
        return Ok(power);
    }
    if let Some(c) = Complex::try_of(other) {
        return complex_power(ctx, recv, (c.real(), c.imag()), args);
    }
    if let Some(n) = other.as_fixnum() {
        return integer_power(ctx, recv, n);
    }
    if is_real(ctx, other)? {
        if num::is_integer(other) {
            ctx.warn("in a**b, b may be too big")?;
        }
        let (size, angle) = (abs(ctx, recv, args)?, arg(ctx, recv, args)?);
        let size = num::pow(ctx, size, other)?;
        let angle = arith::mul(ctx, angle, other)?;
        return polar(ctx, size, angle);
    }
    let op = ctx.names().op_pow;
    coerce_bin(ctx, recv, other, op)
}

/// Powers of numbers on the axes and diagonals of the plane, which stay on them.
fn special_angle(ctx: &mut Ctx, (a, b): (Value, Value), other: Value, exponent: &Int) -> Result<Option<Value>> {
    let minus_b = num::neg(ctx, b)?;
    let (mut x, mut direction) = if is_zero(ctx, b)? {
        (a, 0)
    } else if is_zero(ctx, a)? {
        (b, 2)
    } else if ctx.equal(a, b)? {
        (a, 1)
    } else if ctx.equal(a, minus_b)? {
        (b, 3)
    } else {
        return Ok(None);
    };
    if num::is_negative(ctx, x)? {
        x = num::neg(ctx, x)?;
        direction += 4;
    }
    let size = if direction % 2 == 0 {
        num::pow(ctx, x, other)?
    } else {
        let twice = arith::mul(ctx, Value::fixnum(2), x)?;
        let square = arith::mul(ctx, twice, x)?;
        let half = exponent.div_floor(&Int::from(2i64)).unwrap_or(Int::ZERO).into_value(ctx);
        let power = num::pow(ctx, square, half)?;
        if exponent.is_even() { power } else { arith::mul(ctx, power, x)? }
    };
    let turn = Int::from(direction as i64).mul(exponent).modulo(&Int::from(8i64)).and_then(|t| t.to_i64()).unwrap_or(0);
    const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let (u, v) = DIRECTIONS[turn as usize & 7];
    let (real, imag) = (component(ctx, size, u)?, component(ctx, size, v)?);
    Ok(Some(new(ctx, real, imag)))
}

fn component(ctx: &mut Ctx, size: Value, factor: i8) -> Result {
    match factor {
        1 => Ok(size),
        -1 => num::neg(ctx, size),
        _ if num::is_float(size) => Ok(ctx.float(0.0)),
        _ if num::is_rational(size) => crate::rational::make(ctx, &Int::ZERO, &Int::ONE),
        _ => Ok(Value::fixnum(0)),
    }
}

fn complex_power(ctx: &mut Ctx, recv: Value, (c, d): (Value, Value), args: Args) -> Result {
    let (size, angle) = (abs(ctx, recv, args)?, arg(ctx, recv, args)?);
    let log = math::float_argument(ctx, size)?.ln();
    let log = ctx.float(log);
    let (c_log, d_angle) = (arith::mul(ctx, c, log)?, arith::mul(ctx, d, angle)?);
    let exponent = arith::sub(ctx, c_log, d_angle)?;
    let new_size = math::float_argument(ctx, exponent)?.exp();
    let (c_angle, d_log) = (arith::mul(ctx, angle, c)?, arith::mul(ctx, d, log)?);
    let new_angle = arith::add(ctx, c_angle, d_log)?;
    let new_size = ctx.float(new_size);
    polar(ctx, new_size, new_angle)
}

/// Repeated squaring.
fn integer_power(ctx: &mut Ctx, recv: Value, exponent: i64) -> Result {
    let mut base = recv;
    if exponent < 0 {
        base = num::quo(ctx, Value::fixnum(1), recv)?;
    }
    if exponent == 0 {
        return Ok(new(ctx, Value::fixnum(1), Value::fixnum(0)));
    }
    let (mut x, mut z) = (parts(base), parts(base));
    let mut n = exponent.unsigned_abs() - 1;
    while n > 0 {
        while n.is_multiple_of(2) {
            x = squared(ctx, x)?;
            n /= 2;
        }
        z = product(ctx, z, x)?;
        n -= 1;
    }
    Ok(new(ctx, z.0, z.1))
}

fn squared(ctx: &mut Ctx, (a, b): (Value, Value)) -> Result<(Value, Value)> {
    let (aa, bb) = (arith::mul(ctx, a, a)?, arith::mul(ctx, b, b)?);
    let twice = arith::mul(ctx, Value::fixnum(2), a)?;
    Ok((arith::sub(ctx, aa, bb)?, arith::mul(ctx, twice, b)?))
}
