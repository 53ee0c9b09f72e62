//! Calls of `send` by compiled code, where the name is known only at run time.

use super::runtime::run_entered;
use super::step;
use crate::code::{Site, Target, site_flags};
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::method::{Method, MethodBody};
use crate::object::{Array, Hash};
use rubellite_bytecode::Insn;
use rubellite_value::Value;

/// Whether `step_send` is for a call that leads to the method: `send`, without keywords and blocks, whose arguments are
/// given one by one or are the elements of one Array.
pub fn is_plain_send(site: &Site, method: Value) -> bool {
    let (splat, general) = (site.flags & site_flags::SPLAT != 0, site_flags::COMPLEX | site_flags::BLOCK_ARG);
    let plain = site.flags & general & !site_flags::SPLAT == 0
        && site.block == 0
        && site.argc > 0
        && (!splat || site.argc == 1);
    plain && Method::try_of(method).is_some_and(|method| matches!(method.body(), MethodBody::Send))
}

/// `step` of such a call.
///
/// # Safety
/// As for `step`.
pub unsafe extern "C" fn step_send(ctx: *mut Ctx, frame: *mut Frame, insn: *const Insn) -> u64 {
    // SAFETY: by contract.
    unsafe { send_simple(&mut *ctx, frame, &*insn).unwrap_or_else(|| step(ctx, frame, insn)) }
}

/// Enters the compiled code of a method with required parameters alone. None: nothing was done.
///
/// # Safety
/// As for `step`.
unsafe fn send_simple(ctx: &mut Ctx, frame: *mut Frame, insn: &Insn) -> Option<u64> {
    ctx.frame = frame;
    // SAFETY: by contract; the instruction's site is one of the frame's code, and its window lies within the frame's
    // registers.
    let (site, window) = unsafe { (&(&(*(*frame).code).sites)[insn.c as usize], (*frame).base.add(insn.b as usize)) };
    // SAFETY: the window begins with the receiver, behind which lies what is given.
    let (receiver, first) = unsafe { (*window, *window.add(1)) };
    let class = ctx.dispatch_class(receiver);
    if site.target.get() != Target::Other
        || site.klass.get() != class.value()
        || !site.is_current(ctx)
        || !is_plain_send(site, site.method.get())
    {
        return None;
    }
    let list = (site.flags & site_flags::SPLAT != 0)
        .then(|| Array::try_of(first))
        .map(|list| list.ok_or(()))
        .transpose()
        .ok()?;
    let (name, given) = match list {
        Some(list) => (list.get(0)?, list.len() - 1),
        None => (first, site.argc as usize - 1),
    };
    let name = name.as_symbol().filter(|name| !ctx.may_be_refined(*name))?;
    let found = class.find_method(ctx, name);
    let method = found.method?;
    let MethodBody::Code { code, cref } = method.body() else { return None };
    let code = code.data_ptr();
    // SAFETY: the method keeps its code; what is not linked has no data.
    let simple = unsafe { code.as_ref() }?;
    if !simple.simple
        || simple.required as usize != given
        || !simple.start.is_compiled()
        || ctx.vm().traced.get() != 0
        || !ctx.has_room(window, simple)
    {
        return None;
    }
    // The Hash of a method that passes keywords on would become keywords.
    let flagged =
        |list: Array| list.slice(ctx).last().and_then(|last| Hash::try_of(*last)).is_some_and(Hash::is_ruby2_keywords);
    if list.is_some_and(flagged) {
        return None;
    }
    let entry = ctx.compiled_entry(code, 0, frame)?;
    // SAFETY: there is room for the frame and its registers; items of an Array do not lie on the value stack. Compiled
    // code sets locals to nil by itself.
    unsafe {
        match list {
            Some(list) => std::ptr::copy_nonoverlapping(list.slice(ctx)[1..].as_ptr(), window.add(1), given),
            None => std::ptr::copy(window.add(2), window.add(1), given),
        }
        let new = ctx.push_frame(
            window,
            simple,
            0,
            method.value(),
            found.pos,
            *cref,
            Value::NIL,
            insn.a,
            frame_flags::METHOD,
        );
        Some(run_entered(ctx, frame, new, simple, entry, Value::NIL))
    }
}
