//! Hash: natives by position, on which the iterating methods in Ruby are built.

use rubellite_vm::object::{Array, Hash};
use rubellite_vm::{Args, Ctx, Result, Value};

pub fn enter(_ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    hash.iter_enter();
    Ok(Value::NIL)
}

pub fn leave(_ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    if hash.is_iterating() {
        hash.iter_leave();
    }
    Ok(Value::NIL)
}

fn position(args: Args) -> usize {
    args.at(0).as_fixnum().unwrap_or(0).max(0) as usize
}

/// The first filled position at a position or behind it, or nil.
pub fn next(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    Ok(hash.next_entry(ctx, position(args)).map_or(Value::NIL, |e| Value::fixnum(e.position as i64)))
}

pub fn key_at(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    Ok(hash.entry_at(ctx, position(args)).map_or(Value::NIL, |e| e.key))
}

pub fn value_at(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    Ok(hash.entry_at(ctx, position(args)).map_or(Value::NIL, |e| e.value))
}

/// Key and value at a position as an array.
pub fn pair_of(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    match hash.entry_at(ctx, position(args)) {
        Some(e) => Ok(Array::from_slice(ctx, &[e.key, e.value]).value()),
        None => Ok(Value::NIL),
    }
}

pub fn set_value_at(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    ctx.check_frozen(hash.value())?;
    hash.set_value_at(ctx, position(args), args.at(1));
    Ok(Value::NIL)
}

/// `hash_put_values(hash, list)`: gives the entries of a Hash, which Ruby code has not seen yet, the values of a list
/// in their order.
pub fn put_values(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let list: Array = ctx.expect(args.at(0))?;
    let (mut at, mut i) = (0, 0);
    while let Some(entry) = hash.next_entry(ctx, at) {
        hash.set_value_at(ctx, entry.position, list.get(i).unwrap_or(Value::NIL));
        (at, i) = (entry.position + 1, i + 1);
    }
    Ok(hash.value())
}

pub fn delete_at(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    ctx.check_frozen(hash.value())?;
    hash.delete_at(ctx, position(args));
    Ok(Value::NIL)
}

/// The value of a key or the second argument; no default of the Hash is asked.
pub fn get_or(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    Ok(hash.get(ctx, args.at(0))?.unwrap_or(args.at(1)))
}

/// A plain Hash with the same entries in the same identity mode, without default.
pub fn bare_copy(ctx: &mut Ctx, hash: Hash) -> Hash {
    let copy = Hash::new(ctx);
    copy.replace_entries(ctx, hash);
    copy
}

/// An empty plain Hash in the same identity mode, without default.
pub fn empty_like(ctx: &mut Ctx, hash: Hash) -> Result<Hash> {
    let empty = Hash::new(ctx);
    if hash.is_identity() {
        empty.compare_by_identity(ctx)?;
    }
    Ok(empty)
}

pub fn plain_copy(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    Ok(bare_copy(ctx, hash).value())
}

/// A copy of the same class with its default and instance variables; no method of the program runs.
pub fn same_copy(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    let class = ctx.real_class(hash.value()).value();
    let copy = hash.dup_in(ctx, class).value();
    ctx.ivar_copy(hash.value(), copy);
    Ok(copy)
}
