//! Hash: equality, hash values and inclusion.

use super::super::array::word_of;
use super::super::util::{hash_value, recursive_hash};
use super::each_entry;
use rubellite_vm::object::hashing::{hash_combine, hash_word};
use rubellite_vm::object::{Hash, fast_eql};
use rubellite_vm::{Args, Ctx, Result, Value};

/// Whether every entry of `a` is in `b` with an equal value.
fn included(ctx: &mut Ctx, a: Hash, b: Hash, eql: bool) -> Result<bool> {
    let mut all = true;
    each_entry(ctx, a, |ctx, key, value| {
        let Some(other) = b.get(ctx, key)? else {
            all = false;
            return Ok(false);
        };
        let same = value == other
            || if eql {
                match fast_eql(ctx, value, other) {
                    Some(same) => same,
                    None => ctx.eql(value, other)?,
                }
            } else {
                ctx.equal(value, other)?
            };
        all = same;
        Ok(same)
    })?;
    Ok(all)
}

fn equal_by(ctx: &mut Ctx, hash: Hash, other: Value, eql: bool) -> Result {
    if hash.value() == other {
        return Ok(Value::TRUE);
    }
    let Some(other_hash) = Hash::try_of(other) else {
        let to_hash = ctx.names().to_hash;
        if other.is_immediate() || !ctx.respond_to(other, to_hash, true)? {
            return Ok(Value::FALSE);
        }
        let op = if eql { ctx.names().eql_p } else { ctx.names().op_eq };
        return Ok(Value::from_bool(ctx.call(other, op, &[hash.value()])?.truthy()));
    };
    if hash.len() != other_hash.len() {
        return Ok(Value::FALSE);
    }
    if hash.is_empty() {
        return Ok(Value::TRUE);
    }
    if hash.is_identity() != other_hash.is_identity() {
        return Ok(Value::FALSE);
    }
    let name = if eql { ctx.names().eql_p } else { ctx.names().op_eq };
    let same =
        ctx.guard_recursion(name, hash.value(), other, |_| Ok(true), |ctx| included(ctx, hash, other_hash, eql))?;
    Ok(Value::from_bool(same))
}

pub fn op_eq(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    equal_by(ctx, hash, args.at(0), false)
}

pub fn eql_p(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    equal_by(ctx, hash, args.at(0), true)
}

/// Independent of the order of the entries.
pub fn hash(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    let seed = ctx.hash_seed();
    let start = hash_word(seed, hash.len() as u64);
    let total = recursive_hash(ctx, hash.value(), |ctx| {
        let mut total = start;
        each_entry(ctx, hash, |ctx, key, value| {
            let (k, v) = (word_of(ctx, key)?, word_of(ctx, value)?);
            total = total.wrapping_add(hash_combine(seed, hash_word(seed, k), v));
            Ok(true)
        })?;
        Ok(total)
    })?;
    Ok(hash_value(total))
}

pub fn subset_p(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let (a, b) = (hash, ctx.to_hash(args.at(0))?);
    Ok(Value::from_bool(a.len() <= b.len() && included(ctx, a, b, false)?))
}

pub fn superset_p(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let (a, b) = (hash, ctx.to_hash(args.at(0))?);
    Ok(Value::from_bool(b.len() <= a.len() && included(ctx, b, a, false)?))
}

pub fn proper_subset_p(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let (a, b) = (hash, ctx.to_hash(args.at(0))?);
    Ok(Value::from_bool(a.len() < b.len() && included(ctx, a, b, false)?))
}

pub fn proper_superset_p(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let (a, b) = (hash, ctx.to_hash(args.at(0))?);
    Ok(Value::from_bool(b.len() < a.len() && included(ctx, b, a, false)?))
}
