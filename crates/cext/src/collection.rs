//! Arrays, hashes and ranges.

use crate::state::{api, api_to_read, enter, state};
use rubellite_vm::object::{Array, Hash};
use rubellite_vm::{Ctx, Result, Value};
use std::ffi::{c_int, c_long};

fn array(ctx: &mut Ctx, value: Value) -> Result<Array> {
    match Array::try_of(value) {
        Some(array) => Ok(array),
        None => {
            let text = ctx.describe_for_conversion(value);
            Err(ctx.type_error(&format!("wrong argument type {text} (expected Array)")))
        }
    }
}

fn changeable(ctx: &mut Ctx, value: Value) -> Result<Array> {
    let array = array(ctx, value)?;
    ctx.check_frozen(value)?;
    Ok(array)
}

fn hash(ctx: &mut Ctx, value: Value) -> Result<Hash> {
    match Hash::try_of(value) {
        Some(hash) => Ok(hash),
        None => {
            let text = ctx.describe_for_conversion(value);
            Err(ctx.type_error(&format!("wrong argument type {text} (expected Hash)")))
        }
    }
}

/// Mark functions may call it.
///
/// # Safety
/// As for the functions of `api!`, or called by a mark function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_hash_size_num(table: Value, out: *mut usize) -> c_int {
    if let Some(table) = Hash::try_of(table) {
        // SAFETY: the shim's variable.
        unsafe { out.write(table.len()) };
        return 0;
    }
    enter(out, |ctx| Ok(hash(ctx, table)?.len()))
}

/// Mark functions may call it.
///
/// # Safety
/// As for the functions of `api!`, or called by a mark function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_ary_entry(value: Value, index: c_long, out: *mut Value) -> c_int {
    if let Some(array) = Array::try_of(value) {
        // SAFETY: the shim's variable.
        unsafe { out.write(array.at(index).unwrap_or(Value::NIL)) };
        return 0;
    }
    enter(out, |ctx| Ok(array(ctx, value)?.at(index).unwrap_or(Value::NIL)))
}

/// The address of the elements, for C code to write to.
fn elements(ctx: &mut Ctx, value: Value) -> Result<*mut Value> {
    let array = array(ctx, value)?;
    let address = array.slice_mut(ctx).as_mut_ptr();
    crate::barrier::unprotected(ctx, value);
    Ok(address)
}

type PairFunction = unsafe extern "C" fn(Value, Value, Value) -> c_int;

const ST_STOP: c_int = 1;

/// `rb_hash_foreach` in a mark function, where it is a reader of the table alone.
///
/// # Safety
/// Called by the shim while a collector marks; function and argument go together.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_c_hash_each_marking(table: Value, function: PairFunction, argument: Value) {
    let (Some(marker), Some(table)) = (crate::data::current_marker(), Hash::try_of(table)) else { return };
    let mut position = 0;
    while let Some(entry) = table.next_entry_marking(marker, position) {
        position = entry.position + 1;
        // SAFETY: by contract. A mark function's functions do not jump: they have no context to fail in.
        if unsafe { function(entry.key, entry.value, argument) } == ST_STOP {
            break;
        }
    }
}

/// The first pair at `position` or behind it, and the position behind that: 1; 0 when there is none.
///
/// # Safety
/// Called by the shim with the lock; `position` and `pair` are its variables.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_c_hash_next(table: Value, position: *mut usize, pair: *mut [Value; 2]) -> c_int {
    let ctx = state().now.ctx;
    let Some(table) = Hash::try_of(table).filter(|_| !ctx.is_null()) else { return 0 };
    // SAFETY: the context of this thread, which holds the lock while C code runs; the variables by contract.
    unsafe {
        let Some(entry) = table.next_entry(&*ctx, *position) else { return 0 };
        *position = entry.position + 1;
        *pair = [entry.key, entry.value];
    }
    1
}

/// Ends what `rbl_c_hash_iter_enter` began, also on the way of an exit.
#[unsafe(no_mangle)]
pub extern "C" fn rbl_c_hash_iter_leave(table: Value) {
    if let Some(table) = Hash::try_of(table) {
        table.iter_leave();
    }
}

api_to_read! {
    fn rbl_hash_lookup(ctx, table: Value, key: Value) -> Value {
        Ok(hash(ctx, table)?.get(ctx, key)?.unwrap_or(Value::NIL))
    }

    fn rbl_hash_lookup2(ctx, table: Value, key: Value, default: Value) -> Value {
        Ok(hash(ctx, table)?.get(ctx, key)?.unwrap_or(default))
    }
}

/// An empty array with room for so many elements.
fn array_for(ctx: &mut Ctx, capacity: c_long) -> Result<Array> {
    if capacity < 0 {
        return Err(ctx.argument_error("negative array size (or size too big)"));
    }
    if capacity as usize > Array::MAX_LEN {
        return Err(ctx.array_too_big());
    }
    Ok(Array::with_capacity(ctx, capacity as usize))
}

/// One that no walk over the heap shows: it has no class.
fn hidden_array(ctx: &mut Ctx, capacity: c_long) -> Result {
    let array = array_for(ctx, capacity)?;
    array.header().klass.set(Value::FALSE);
    Ok(array.value())
}

api! {
    /// Begins an iteration: while it lasts the table takes no new keys.
    fn rbl_c_hash_iter_enter(ctx, table: Value) {
        ctx.check_native_stack()?;
        hash(ctx, table)?.iter_enter();
        Ok(())
    }

    fn rbl_c_hash_remove(ctx, table: Value, key: Value) {
        hash(ctx, table)?.delete(ctx, key)?;
        Ok(())
    }

    fn rbl_ary_new(ctx) -> Value {
        Ok(Array::new(ctx).value())
    }

    fn rbl_ary_new_capa(ctx, capacity: c_long) -> Value {
        Ok(array_for(ctx, capacity)?.value())
    }

    fn rbl_ary_new_from_values(ctx, len: c_long, values: *const Value) -> Value {
        // SAFETY: the C code's values, which it keeps alive.
        let values = unsafe { crate::call::arguments(len as c_int, values) };
        Ok(Array::from_slice(ctx, values).value())
    }

    fn rbl_ary_hidden_new(ctx, capacity: c_long) -> Value {
        hidden_array(ctx, capacity)
    }

    fn rbl_ary_tmp_new(ctx, capacity: c_long) -> Value {
        hidden_array(ctx, capacity)
    }

    fn rbl_assoc_new(ctx, a: Value, b: Value) -> Value {
        Ok(Array::from_slice(ctx, &[a, b]).value())
    }

    fn rbl_check_array_type(ctx, value: Value) -> Value {
        Ok(ctx.check_array(value)?.map_or(Value::NIL, Array::value))
    }

    /// The elements for writing.
    fn rbl_ary_writable_ptr(ctx, value: Value) -> *mut Value {
        elements(ctx, value)
    }

    fn rbl_ary_ptr_use_start(ctx, value: Value) -> *mut Value {
        elements(ctx, value)
    }

    /// The address stays good, and so does what `rbl_ary_ptr_use_start` has said.
    fn rbl_ary_ptr_use_end(ctx, value: Value) {
        let _ = value;
        Ok(())
    }

    /// `RARRAY_ASET`: no look at the frozen flag.
    fn rbl_ary_write(ctx, value: Value, index: c_long, item: Value) {
        let array = array(ctx, value)?;
        let len = array.len();
        match usize::try_from(index) {
            Ok(at) if at < len => array.set(ctx, at, item),
            _ => return Err(ctx.index_error(&format!("index {index} outside of array of {len}"))),
        }
        Ok(())
    }

    fn rbl_ary_push(ctx, value: Value, item: Value) -> Value {
        changeable(ctx, value)?.push(ctx, item);
        Ok(value)
    }

    fn rbl_ary_cat(ctx, value: Value, items: *const Value, len: c_long) -> Value {
        // SAFETY: as above; they are copied first, as they may be the array's own.
        let items = unsafe { crate::call::arguments(len as c_int, items) }.to_vec(); // tidy: rooted by the caller
        changeable(ctx, value)?.extend(ctx, &items);
        Ok(value)
    }

    fn rbl_ary_pop(ctx, value: Value) -> Value {
        Ok(changeable(ctx, value)?.pop(ctx).unwrap_or(Value::NIL))
    }

    fn rbl_ary_shift(ctx, value: Value) -> Value {
        Ok(changeable(ctx, value)?.shift(ctx).unwrap_or(Value::NIL))
    }

    fn rbl_ary_unshift(ctx, value: Value, item: Value) -> Value {
        changeable(ctx, value)?.unshift(ctx, item);
        Ok(value)
    }

    fn rbl_ary_store(ctx, value: Value, index: c_long, item: Value) {
        let array = changeable(ctx, value)?;
        let len = array.len() as c_long;
        let at = if index < 0 { index + len } else { index };
        if at < 0 {
            return Err(ctx.index_error(&format!("index {index} too small for array; minimum: -{len}")));
        }
        if at as usize >= Array::MAX_LEN {
            return Err(ctx.index_error(&format!("index {at} too big")));
        }
        array.set(ctx, at as usize, item);
        Ok(())
    }

    fn rbl_ary_clear(ctx, value: Value) -> Value {
        changeable(ctx, value)?.clear(ctx);
        Ok(value)
    }

    fn rbl_ary_dup(ctx, value: Value) -> Value {
        Ok(array(ctx, value)?.dup(ctx).value())
    }

    fn rbl_ary_modify(ctx, value: Value) {
        changeable(ctx, value).map(drop)
    }

    fn rbl_ary_resize(ctx, value: Value, len: c_long) -> Value {
        let array = changeable(ctx, value)?;
        if len < 0 || len as usize > Array::MAX_LEN {
            return Err(ctx.index_error(&format!("index {len} too big")));
        }
        if len as usize <= array.len() { array.truncate(ctx, len as usize) } else { array.set_len(ctx, len as usize) }
        Ok(value)
    }

    fn rbl_ary_subseq(ctx, value: Value, start: c_long, len: c_long) -> Value {
        let array = array(ctx, value)?;
        let total = array.len() as c_long;
        if start > total || start < 0 || len < 0 {
            return Ok(Value::NIL);
        }
        let len = len.min(total - start);
        Ok(array.subseq(ctx, start as usize, len as usize).value())
    }

    fn rbl_ary_freeze(ctx, value: Value) -> Value {
        crate::own::call(ctx, value, "freeze", &[])
    }

    // -- hashes ---------------------------------------------------------------------------

    fn rbl_hash_new(ctx) -> Value {
        Ok(Hash::new(ctx).value())
    }

    fn rbl_hash_new_capa(ctx, capacity: c_long) -> Value {
        if capacity < 0 {
            return Err(ctx.runtime_error("st_table too big"));
        }
        Ok(Hash::with_capacity(ctx, capacity as usize).value())
    }

    fn rbl_ident_hash_new(ctx) -> Value {
        let table = Hash::new(ctx);
        table.compare_by_identity(ctx)?;
        Ok(table.value())
    }

    fn rbl_hash_aref(ctx, table: Value, key: Value) -> Value {
        match hash(ctx, table)?.get(ctx, key)? {
            Some(value) => Ok(value),
            None => ctx.call_name(table, "default", &[key]),
        }
    }

    fn rbl_hash_aset(ctx, table: Value, key: Value, value: Value) -> Value {
        let handle = hash(ctx, table)?;
        ctx.check_frozen(table)?;
        handle.store(ctx, key, value)?;
        Ok(value)
    }

    fn rbl_hash_delete(ctx, table: Value, key: Value) -> Value {
        let handle = hash(ctx, table)?;
        ctx.check_frozen(table)?;
        Ok(handle.delete(ctx, key)?.unwrap_or(Value::NIL))
    }

    fn rbl_hash_clear(ctx, table: Value) -> Value {
        crate::own::call(ctx, table, "clear", &[])
    }

    fn rbl_hash_size(ctx, table: Value) -> Value {
        let len = hash(ctx, table)?.len();
        Ok(ctx.int(len as i64))
    }

    fn rbl_hash_set_ifnone(ctx, table: Value, value: Value) -> Value {
        hash(ctx, table)?.set_default(ctx, value);
        Ok(table)
    }

    fn rbl_hash_ifnone(ctx, table: Value) -> Value {
        let handle = hash(ctx, table)?;
        Ok(handle.default_proc().unwrap_or_else(|| handle.default_value()))
    }

    fn rbl_check_hash_type(ctx, value: Value) -> Value {
        Ok(ctx.check_hash(value)?.map_or(Value::NIL, Hash::value))
    }

    fn rbl_hash_bulk_insert(ctx, len: c_long, values: *const Value, table: Value) {
        // SAFETY: the C code's values, which it keeps alive.
        let values = unsafe { crate::call::arguments(len as c_int, values) };
        let handle = hash(ctx, table)?;
        for pair in values.chunks_exact(2) {
            let key = ctx.hash_key(table, pair[0]);
            handle.insert(ctx, key, pair[1])?;
        }
        Ok(())
    }

    fn rbl_range_new(ctx, low: Value, high: Value, exclusive: c_int) -> Value {
        ctx.new_range_checked(low, high, exclusive != 0)
    }
}
