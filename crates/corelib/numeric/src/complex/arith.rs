//! Complex: arithmetic on the parts. The exact zero and one are neutral, so that they take neither the sign from a
//! zero nor the form from a fraction.

use crate::num::{self, is_exact_one, is_exact_zero, is_float, is_integer, is_rational};
use rubellite_vm::{Ctx, Result, Sym, Value};

/// Whether a program has redefined an operator of the number's class.
fn redefined(ctx: &Ctx, x: Value, op: Sym) -> bool {
    let intact =
        if is_rational(x) { ctx.is_builtin(x, op) } else { ctx.number_operators_intact() || ctx.is_builtin(x, op) };
    !intact
}

pub fn add(ctx: &mut Ctx, x: Value, y: Value) -> Result {
    let op = ctx.names().op_plus;
    if redefined(ctx, x, op) {
        return ctx.call(x, op, &[y]);
    }
    if is_exact_zero(x) {
        return Ok(y);
    }
    if is_exact_zero(y) && (is_integer(x) || is_float(x) || is_rational(x)) {
        return Ok(x);
    }
    num::add(ctx, x, y)
}

pub fn sub(ctx: &mut Ctx, x: Value, y: Value) -> Result {
    let op = ctx.names().op_minus;
    if redefined(ctx, x, op) {
        return ctx.call(x, op, &[y]);
    }
    if is_exact_zero(y) {
        return Ok(x);
    }
    num::sub(ctx, x, y)
}

pub fn mul(ctx: &mut Ctx, x: Value, y: Value) -> Result {
    let op = ctx.names().op_mul;
    if redefined(ctx, x, op) {
        return ctx.call(x, op, &[y]);
    }
    if is_integer(x) && (is_exact_zero(y) || is_exact_zero(x) && is_integer(y)) {
        return Ok(Value::fixnum(0));
    }
    if is_exact_one(x) {
        return Ok(y);
    }
    if is_exact_one(y) {
        return Ok(x);
    }
    num::mul(ctx, x, y)
}
