//! Array: equality, order and hash values, element by element.

use super::super::util::{hash_of_element, hash_value, recursive_hash};
use rubellite_core_thread::outside::poll;
use rubellite_vm::object::hashing::{hash_combine, hash_word, of_number};
use rubellite_vm::object::{Array, fast_eql, fast_hash};
use rubellite_vm::{Args, Ctx, Result, Value};

/// Compares element by element while both arrays have as many elements.
fn all_pairs(ctx: &mut Ctx, a: Array, b: Array, same: fn(&mut Ctx, Value, Value) -> Result<bool>) -> Result<bool> {
    if a.len() != b.len() {
        return Ok(false);
    }
    let mut i = 0;
    while let Some(x) = a.get(i) {
        let Some(y) = b.get(i) else { return Ok(false) };
        if !same(ctx, x, y)? {
            return Ok(false);
        }
        i += 1;
        poll(ctx, i)?;
    }
    Ok(a.len() == b.len())
}

/// Elements are equal when they are the same object, too (NaN excepted by `==` itself on floats).
fn equal_elements(ctx: &mut Ctx, a: Value, b: Value) -> Result<bool> {
    if a == b {
        return Ok(true);
    }
    ctx.equal(a, b)
}

fn eql_elements(ctx: &mut Ctx, a: Value, b: Value) -> Result<bool> {
    match fast_eql(ctx, a, b) {
        Some(same) => Ok(same),
        None => ctx.eql(a, b),
    }
}

pub fn op_eq(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let other = args.at(0);
    if ary.value() == other {
        return Ok(Value::TRUE);
    }
    let Some(list) = Array::try_of(other) else {
        let (to_ary, op_eq) = (ctx.names().to_ary, ctx.names().op_eq);
        if other.is_immediate() || !ctx.respond_to(other, to_ary, false)? {
            return Ok(Value::FALSE);
        }
        let equal = ctx.call(other, op_eq, &[ary.value()])?;
        return Ok(Value::from_bool(equal.truthy()));
    };
    let name = ctx.names().op_eq;
    let equal =
        ctx.guard_recursion(name, ary.value(), other, |_| Ok(true), |ctx| all_pairs(ctx, ary, list, equal_elements))?;
    Ok(Value::from_bool(equal))
}

pub fn eql_p(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let other = args.at(0);
    if ary.value() == other {
        return Ok(Value::TRUE);
    }
    let Some(list) = Array::try_of(other) else { return Ok(Value::FALSE) };
    let name = ctx.names().eql_p;
    let equal =
        ctx.guard_recursion(name, ary.value(), other, |_| Ok(true), |ctx| all_pairs(ctx, ary, list, eql_elements))?;
    Ok(Value::from_bool(equal))
}

pub fn op_cmp(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let Some(other) = ctx.check_array(args.at(0))? else { return Ok(Value::NIL) };
    if ary.value() == other.value() {
        return Ok(Value::fixnum(0));
    }
    let name = ctx.names().op_cmp;
    let first = ctx.guard_recursion(
        name,
        ary.value(),
        other.value(),
        |_| Ok(None),
        |ctx| {
            for i in 0..ary.len().min(other.len()) {
                // What a comparison takes away counts as nil.
                let (a, b) = (ary.get(i).unwrap_or(Value::NIL), other.get(i).unwrap_or(Value::NIL));
                let order = ctx.call(a, name, &[b])?;
                if order != Value::fixnum(0) {
                    return Ok(Some(order));
                }
                poll(ctx, i)?;
            }
            Ok(None)
        },
    )?;
    Ok(first.unwrap_or_else(|| Value::fixnum(ary.len().cmp(&other.len()) as i64)))
}

/// The hash value of any value, without a call where that is possible.
pub fn word_of(ctx: &mut Ctx, value: Value) -> Result<u64> {
    match fast_hash(ctx, value) {
        Some(hash) => Ok(hash),
        None => Ok(of_number(ctx.hash_seed(), hash_of_element(ctx, value)?)),
    }
}

/// Sets the hash values of arrays apart from those of their length.
const ARRAY_MARK: u64 = 0xA77A;

pub fn hash(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    let seed = ctx.hash_seed();
    let hash = recursive_hash(ctx, ary.value(), |ctx| {
        // The length is marked, so that an empty array is not as the word 0, which is false.
        let mut hash = hash_combine(seed, hash_word(seed, ary.len() as u64), ARRAY_MARK);
        let mut i = 0;
        while let Some(item) = ary.get(i) {
            let word = word_of(ctx, item)?;
            hash = hash_combine(seed, hash, word);
            i += 1;
            poll(ctx, i)?;
        }
        Ok(hash)
    })?;
    Ok(hash_value(hash))
}
