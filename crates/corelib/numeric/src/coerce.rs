//! The coercion protocol: what numeric operators do with operands that they do not know.

use rubellite_vm::object::Array;
use rubellite_vm::{Ctx, Result, Sym, Unwind, Value};

/// How messages of failed coercions name an operand: special constants and floats by value, others by class.
fn describe(ctx: &mut Ctx, value: Value) -> Result<String> {
    if value.is_immediate() || ctx.float_value(value).is_some() {
        ctx.inspect(value)
    } else {
        Ok(ctx.class_title(value))
    }
}

/// "String can't be coerced into Integer"
#[cold]
pub fn coerce_failed(ctx: &mut Ctx, x: Value, y: Value) -> Unwind {
    match describe(ctx, y) {
        Ok(text) => {
            let class = ctx.class_title(x);
            ctx.type_error(&format!("{text} can't be coerced into {class}"))
        }
        Err(unwind) => unwind,
    }
}

/// "comparison of Integer with nil failed"
#[cold]
pub fn compare_failed(ctx: &mut Ctx, x: Value, y: Value) -> Unwind {
    match describe(ctx, y) {
        Ok(text) => {
            let class = ctx.class_title(x);
            ctx.argument_error(&format!("comparison of {class} with {text} failed"))
        }
        Err(unwind) => unwind,
    }
}

/// `y.coerce(x)` as a pair; none when `y` does not coerce and that is no error.
pub fn coerce(ctx: &mut Ctx, x: Value, y: Value, must: bool) -> Result<Option<(Value, Value)>> {
    let name = ctx.names().coerce;
    let pair = match ctx.check_call(y, name, &[x])? {
        None if must => return Err(coerce_failed(ctx, x, y)),
        None => return Ok(None),
        Some(pair) => pair,
    };
    if pair.is_nil() && !must {
        return Ok(None);
    }
    match Array::try_of(pair).map(|a| (a.len(), a.get(0), a.get(1))) {
        Some((2, Some(a), Some(b))) => Ok(Some((a, b))),
        _ => Err(ctx.type_error("coerce must return [x, y]")),
    }
}

/// A binary operation on coerced operands.
#[cold]
pub fn coerce_bin(ctx: &mut Ctx, x: Value, y: Value, op: Sym) -> Result {
    match coerce(ctx, x, y, true)? {
        Some((a, b)) => ctx.call(a, op, &[b]),
        None => Ok(Value::NIL),
    }
}

/// `<=>` on coerced operands: nil when they do not coerce.
#[cold]
pub fn coerce_cmp(ctx: &mut Ctx, x: Value, y: Value, op: Sym) -> Result {
    match coerce(ctx, x, y, false)? {
        Some((a, b)) => ctx.call(a, op, &[b]),
        None => Ok(Value::NIL),
    }
}

/// `<`, `<=`, `>`, `>=` on coerced operands: an error when they cannot be compared.
#[cold]
pub fn coerce_relop(ctx: &mut Ctx, x: Value, y: Value, op: Sym) -> Result {
    if let Some((a, b)) = coerce(ctx, x, y, false)? {
        let result = ctx.call(a, op, &[b])?;
        if !result.is_nil() {
            return Ok(result);
        }
    }
    Err(compare_failed(ctx, x, y))
}

/// `&`, `|`, `^` on coerced operands, which must have the operator.
#[cold]
pub fn coerce_bit(ctx: &mut Ctx, x: Value, y: Value, op: Sym) -> Result {
    let Some((a, b)) = coerce(ctx, x, y, true)? else { return Ok(Value::NIL) };
    let again = |ctx: &mut Ctx| {
        let message = format!("recursive call to {}", ctx.sym_str(op));
        Err(ctx.name_error("NameError", &message, a, op))
    };
    match ctx.guard_recursion(op, a, b, again, |ctx| ctx.check_call(a, op, &[b]))? {
        Some(value) => Ok(value),
        None => Err(coerce_failed(ctx, x, y)),
    }
}
