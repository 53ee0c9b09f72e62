//! Calls of native methods by compiled code: without a frame for leaf methods (`leaf`, `attempt`), else with one
//! (`native`).

use super::EXIT;
use super::runtime::{guarded, making};
use crate::call::Args;
use crate::class::{Leaf, NativeFn};
use crate::code::{CodeData, Site};
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_block};
use crate::method::{Method, MethodBody};
use rubellite_value::Value;

/// What compiled code knew of a native method when it was made.
pub struct Native {
    pub function: NativeFn,
    pub method: Method,
    pub pos: u32,
    pub argc: usize,
    /// What does the same without a frame where it can.
    pub attempt: Option<NativeFn>,
}

impl Native {
    /// Of a site that leads to a native method.
    pub fn of(site: &Site) -> Native {
        // SAFETY: `direct` of such a site was made from a NativeFn.
        let function = unsafe { std::mem::transmute::<*const (), NativeFn>(site.direct.get()) };
        let attempt = match site.method().body() {
            MethodBody::Native { leaf: Leaf::Tries(attempt), .. } => Some(*attempt),
            _ => None,
        };
        Native { function, method: site.method(), pos: site.pos.get(), argc: site.argc as usize, attempt }
    }
}

/// Calls a native method without a frame of its own; `frame` is the topmost.
///
/// # Safety
/// As for `step`; the window holds receiver and arguments.
pub unsafe extern "C" fn leaf(ctx: *mut Ctx, frame: *mut Frame, native: *const Native, window: *mut Value) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let native = &*native;
        (*ctx).frame = frame;
        guarded(&mut *ctx, |ctx| {
            (native.function)(ctx, *window, Args::new(window.add(1), native.argc, false, Value::NIL))
        })
    }
}

/// Has a native method tried without a frame. Undef: nothing was done, and it is to be called.
///
/// # Safety
/// As for `leaf`; the method has an attempt. Registers need not have been written.
pub unsafe extern "C" fn attempt(ctx: *mut Ctx, native: *const Native, window: *mut Value) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let native = &*native;
        let Some(attempt) = native.attempt else { return Value::UNDEF.bits() };
        let word =
            making(&mut *ctx, |ctx| attempt(ctx, *window, Args::new(window.add(1), native.argc, false, Value::NIL)));
        if word == EXIT { Value::UNDEF.bits() } else { word }
    }
}

/// Calls a native method, with a literal block of `block` unless that is null.
///
/// # Safety
/// As for `native_given`.
pub unsafe extern "C" fn native(
    ctx: *mut Ctx,
    frame: *mut Frame,
    native: *const Native,
    window: *mut Value,
    block: *const CodeData,
    top: *mut Value,
) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let handler = if block.is_null() {
            Value::NIL
        } else {
            (*ctx).frame_id(frame);
            (*frame).block_code = block;
            frame_block(frame)
        };
        native_given(ctx, frame, native, window, handler.bits(), top)
    }
}

/// Calls a native method with the block that a handler stands for.
///
/// # Safety
/// As for `leaf`; the handler is one of this frame's, whose registers end at `top`. (Compiled code knows it; to read it
/// from the frame's code is a miss of the cache.)
pub unsafe extern "C" fn native_given(
    ctx: *mut Ctx,
    frame: *mut Frame,
    native: *const Native,
    window: *mut Value,
    handler: u64,
    top: *mut Value,
) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let (ctx, native, handler) = (&mut *ctx, &*native, Value::from_bits(handler));
        debug_assert_eq!(top, (*frame).top());
        ctx.frame = frame;
        ctx.sp = top;
        guarded(ctx, |ctx| {
            ctx.run_native::<false>(
                window,
                native.method,
                native.pos,
                native.function,
                native.argc,
                false,
                Value::NIL,
                handler,
            )
        })
    }
}
