//! Thread: variables, of the running fiber (`[]`) and of the whole thread (`thread_variable_get`).

use super::state::{data, put};
use crate::support::{keys_of, symbol_key};
use rubellite_vm::object::{Array, Hash};
use rubellite_vm::{Args, Ctx, Result, Sym, Value};

/// The Hash of the running fiber's variables; nil when there are none.
fn table(ctx: &mut Ctx, thread: Value) -> Result {
    let data = data(ctx, thread)?;
    let fiber = data.living().map_or(Value::NIL, |state| ctx.fiber_of_thread(&state));
    Ok(ctx.fiber_state(fiber).map_or(data.locals.get(), |state| state.locals.get()))
}

fn made_table(ctx: &mut Ctx, thread: Value) -> Result<Hash> {
    if let Some(hash) = Hash::try_of(table(ctx, thread)?) {
        return Ok(hash);
    }
    let hash = Hash::new(ctx);
    let data = data(ctx, thread)?;
    let fiber = data.living().map_or(Value::NIL, |state| ctx.fiber_of_thread(&state));
    match ctx.fiber_state(fiber) {
        Some(state) => {
            state.locals.set(hash.value());
            ctx.write_barrier(fiber, hash.value());
        }
        None => put(ctx, thread, &data.locals, hash.value()),
    }
    Ok(hash)
}

fn check_thawed(ctx: &mut Ctx, thread: Value) -> Result<()> {
    if thread.header().is_some_and(|h| h.frozen()) {
        return Err(ctx.raise_error("FrozenError", "can't modify frozen thread locals"));
    }
    Ok(())
}

fn find(ctx: &mut Ctx, thread: Value, key: Sym) -> Result<Option<Value>> {
    let table = table(ctx, thread)?;
    Ok(Hash::try_of(table).and_then(|hash| hash.get_sym(ctx, key)))
}

/// A variable of the fiber that runs; nil when it has none of that name.
pub fn of_running_fiber(ctx: &mut Ctx, name: &str) -> Result {
    let thread = ctx.thread().value.get();
    let key = ctx.intern_str(name);
    Ok(find(ctx, thread, key)?.unwrap_or(Value::NIL))
}

/// `thread[key]`
pub fn get(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = symbol_key(ctx, args.at(0))?;
    Ok(find(ctx, recv, key)?.unwrap_or(Value::NIL))
}

/// The same for a Symbol.
pub fn try_get(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(key) = args.at(0).as_symbol() else { return Ok(Value::UNDEF) };
    Ok(find(ctx, recv, key)?.unwrap_or(Value::NIL))
}

/// `thread[key] = value`; nil deletes.
pub fn set(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    check_thawed(ctx, recv)?;
    let key = Value::symbol(symbol_key(ctx, args.at(0))?);
    store(ctx, args.at(1), key, |ctx| made_table(ctx, recv))
}

fn store(ctx: &mut Ctx, value: Value, key: Value, table: impl FnOnce(&mut Ctx) -> Result<Hash>) -> Result {
    let hash = table(ctx)?;
    if value.is_nil() {
        hash.delete(ctx, key)?;
    } else {
        hash.insert(ctx, key, value)?;
    }
    Ok(value)
}

pub fn key_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = symbol_key(ctx, args.at(0))?;
    Ok(Value::from_bool(find(ctx, recv, key)?.is_some()))
}

pub fn try_key(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(key) = args.at(0).as_symbol() else { return Ok(Value::UNDEF) };
    Ok(Value::from_bool(find(ctx, recv, key)?.is_some()))
}

pub fn keys(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = table(ctx, recv)?;
    Ok(keys_of(ctx, table))
}

/// `fetch(key)`, `fetch(key, default)`, `fetch(key) { |key| default }`
pub fn fetch(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = symbol_key(ctx, args.at(0))?;
    if args.has_block() && args.len() == 2 {
        ctx.warn("block supersedes default value argument")?;
    }
    if let Some(found) = find(ctx, recv, key)? {
        return Ok(found);
    }
    if args.has_block() {
        return ctx.yield_one(args.block, args.at(0));
    }
    if let Some(default) = args.get(1) {
        return Ok(default);
    }
    let shown = ctx.inspect(args.at(0))?;
    let class = ctx.error_class("KeyError");
    let error = ctx.new_error(class, &format!("key not found: {shown}"));
    let (receiver, name) = (ctx.internal("__receiver"), ctx.internal("__key"));
    ctx.ivar_set(error, receiver, recv);
    ctx.ivar_set(error, name, args.at(0));
    Err(ctx.raise(error))
}

pub fn variable_get(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = symbol_key(ctx, args.at(0))?;
    let table = data(ctx, recv)?.variables.get();
    Ok(Hash::try_of(table).and_then(|hash| hash.get_sym(ctx, key)).unwrap_or(Value::NIL))
}

pub fn variable_set(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    check_thawed(ctx, recv)?;
    let key = Value::symbol(symbol_key(ctx, args.at(0))?);
    store(ctx, args.at(1), key, |ctx| {
        let data = data(ctx, recv)?;
        if data.variables.get().is_nil() {
            let hash = Hash::new(ctx).value();
            put(ctx, recv, &data.variables, hash);
        }
        ctx.expect(data.variables.get())
    })
}

pub fn variable_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = symbol_key(ctx, args.at(0))?;
    let table = data(ctx, recv)?.variables.get();
    Ok(Value::from_bool(Hash::try_of(table).is_some_and(|hash| hash.get_sym(ctx, key).is_some())))
}

pub fn variables(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = data(ctx, recv)?.variables.get();
    Ok(match Hash::try_of(table) {
        Some(hash) => hash.keys(ctx).value(),
        None => Array::new(ctx).value(),
    })
}
