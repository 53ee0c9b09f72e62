//! Fiber storage: variables that a new fiber or thread inherits as a copy.

use super::support::symbol_key;
use rubellite_vm::object::Hash;
use rubellite_vm::{Args, Ctx, Result, Value};

/// A copy of the running fiber's storage for a new fiber or thread; nil when there is none.
pub fn inherited(ctx: &mut Ctx) -> Result {
    let fiber = ctx.known_fiber();
    let own = ctx.fiber_state(fiber).map_or(Value::NIL, |s| s.storage.get());
    Ok(match Hash::try_of(own) {
        Some(hash) => hash.dup(ctx).value(),
        None => Value::NIL,
    })
}

/// Gives the running (root) fiber of a new thread what it inherits.
pub fn install(ctx: &mut Ctx, storage: Value) -> Result<()> {
    if storage.is_nil() {
        return Ok(());
    }
    put(ctx, storage)
}

fn put(ctx: &mut Ctx, storage: Value) -> Result<()> {
    let fiber = ctx.current_fiber_object()?;
    if let Some(state) = ctx.fiber_state(fiber) {
        state.storage.set(storage);
    }
    ctx.write_barrier(fiber, storage);
    Ok(())
}

/// A copy of storage that a program gives.
pub fn checked(ctx: &mut Ctx, given: Value) -> Result {
    if given.is_nil() {
        return Ok(Value::NIL);
    }
    let Some(hash) = Hash::try_of(given) else {
        return Err(ctx.type_error("storage must be a hash"));
    };
    if given.header().is_some_and(|h| h.frozen()) {
        return Err(ctx.raise_error("FrozenError", "storage must not be frozen"));
    }
    let keys = hash.keys(ctx);
    for i in 0..keys.len() {
        let key = keys.get(i).unwrap_or(Value::NIL);
        if !key.is_symbol() {
            let class = ctx.describe_for_conversion(key);
            return Err(ctx.type_error(&format!("wrong argument type {class} (expected Symbol)")));
        }
    }
    Ok(hash.dup(ctx).value())
}

fn check_own(ctx: &mut Ctx, fiber: Value) -> Result<()> {
    let current = ctx.current_fiber_object()?;
    if current != fiber {
        return Err(ctx.argument_error("Fiber storage can only be accessed from the Fiber it belongs to"));
    }
    Ok(())
}

fn own(ctx: &mut Ctx) -> Option<Hash> {
    let fiber = ctx.known_fiber();
    let storage = ctx.fiber_state(fiber)?.storage.get();
    Hash::try_of(storage)
}

/// `storage`: a copy.
pub fn storage(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    check_own(ctx, recv)?;
    Ok(match own(ctx) {
        Some(hash) => hash.dup(ctx).value(),
        None => Value::NIL,
    })
}

/// `storage = hash`
pub fn set_storage(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    super::support::warn_experimental(ctx, "Fiber#storage= is experimental and may be removed in the future!")?;
    check_own(ctx, recv)?;
    let storage = checked(ctx, args.at(0))?;
    put(ctx, storage)?;
    Ok(args.at(0))
}

/// `Fiber[key]`
pub fn get(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let key = symbol_key(ctx, args.at(0))?;
    Ok(own(ctx).and_then(|hash| hash.get_sym(ctx, key)).unwrap_or(Value::NIL))
}

/// `Fiber[key] = value`; nil deletes.
pub fn set(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let key = symbol_key(ctx, args.at(0))?;
    let value = args.at(1);
    match own(ctx) {
        Some(hash) if value.is_nil() => drop(hash.delete(ctx, Value::symbol(key))?),
        Some(hash) => hash.insert(ctx, Value::symbol(key), value)?,
        None if value.is_nil() => {}
        None => {
            let hash = Hash::new(ctx);
            hash.insert(ctx, Value::symbol(key), value)?;
            put(ctx, hash.value())?;
        }
    }
    Ok(value)
}
