//! What C code asks the runtime itself, with the lock or without it: counts of the collector, random numbers,
//! variables of the environment, the thread that runs.
//!
//! Each calls the method that answers and takes an immediate or a number out of the answer, so that nothing new is left
//! in the hands of code outside the lock, whose frames the collector does not look at.

use crate::own;
use crate::state::{api_to_read, light};
use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Encoding, Result, Value};
use std::ffi::{CStr, c_char, c_int, c_uint, c_ulong};

fn ask(ctx: &mut Ctx, constant: &'static str, method: &'static str, args: &[Value]) -> Result {
    let receiver = ctx.named_class(constant)?.value();
    own::call(ctx, receiver, method, args)
}

fn text(ctx: &mut Ctx, bytes: *const c_char) -> Value {
    // SAFETY: a C string.
    let bytes = unsafe { CStr::from_ptr(bytes) }.to_bytes();
    Str::new(ctx, bytes, Encoding::UTF_8).value()
}

/// # Safety
/// As for the functions of `api!`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_thread_current(out: *mut Value) -> c_int {
    let current = |ctx: &Ctx| ctx.thread().value.get();
    light(out, |ctx| Some(current(ctx)), |ctx| Ok(current(ctx)))
}

api_to_read! {
    fn rbl_gc_count(ctx) -> usize {
        let count = ask(ctx, "GC", "count", &[])?;
        Ok(ctx.to_int(count)? as usize)
    }

    /// The number of that name.
    fn rbl_c_gc_number(ctx, key: Value) -> usize {
        let number = ask(ctx, "GC", "stat", &[key])?;
        Ok(ctx.to_int(number)? as usize)
    }

    /// What is told of the last collection by that name: an immediate.
    fn rbl_c_gc_info(ctx, key: Value) -> Value {
        ask(ctx, "GC", "latest_gc_info", &[key])
    }

    fn rbl_random_real(ctx, random: Value) -> f64 {
        let drawn = own::call(ctx, random, "rand", &[])?;
        ctx.to_float(drawn)
    }

    fn rbl_random_int32(ctx, random: Value) -> c_uint {
        let drawn = own::call(ctx, random, "rand", &[Value::fixnum(1 << 32)])?;
        Ok(ctx.to_int(drawn)? as c_uint)
    }

    /// Up to `limit`, that included.
    fn rbl_random_ulong_limited(ctx, random: Value, limit: c_ulong) -> c_ulong {
        if limit == 0 {
            return Ok(0);
        }
        let limit = ctx.uint(limit);
        let count = own::call(ctx, limit, "+", &[Value::fixnum(1)])?;
        let drawn = own::call(ctx, random, "rand", &[count])?;
        crate::object::to_u64(ctx, drawn, "unsigned long")
    }

    /// Sets a variable of the environment; null removes it.
    fn rbl_c_set_variable(ctx, name: *const c_char, value: *const c_char) {
        let name = text(ctx, name);
        let value = if value.is_null() { Value::NIL } else { text(ctx, value) };
        let (object, constant) = (ctx.named_class("Object")?, ctx.intern("ENV"));
        let environment = ctx.const_get(object, constant, true)?;
        own::call(ctx, environment, "[]=", &[name, value]).map(drop)
    }
}
