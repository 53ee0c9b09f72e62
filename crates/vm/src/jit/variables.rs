//! Class variables and `defined?` for compiled code. The functions raise and call nothing, so that no frame is needed.

use super::EXIT;
use crate::class::Class;
use crate::ctx::Ctx;
use rubellite_bytecode::DefinedKind;
use rubellite_value::{Sym, Value};

/// Value of a class variable in a lexical scope; EXIT: the interpreter's function is to be asked.
///
/// # Safety
/// The context is the running thread's, which holds the lock.
pub unsafe extern "C" fn class_variable(ctx: *const Ctx, scope: u64, name: u64) -> u64 {
    // SAFETY: by contract.
    let (ctx, scope, name) = unsafe { (&*ctx, Value::from_bits(scope), Sym(name as u32)) };
    let owner = ctx.cvar_class(scope).and_then(|class| owner(ctx, class, name));
    match owner.filter(|_| ctx.in_main_ractor()).and_then(|owner| owner.own_cvar(ctx, name)) {
        Some(value) => value.bits(),
        None => EXIT,
    }
}

/// What `defined?` says of a variable of `me`, or of a class variable in a lexical scope: a String or nil. EXIT: the
/// interpreter's function is to be asked.
///
/// # Safety
/// As for [`class_variable`].
pub unsafe extern "C" fn defined_variable(ctx: *const Ctx, scope: u64, me: u64, name: u64, kind: u64) -> u64 {
    // SAFETY: by contract.
    let (ctx, scope, me, name) = unsafe { (&*ctx, Value::from_bits(scope), Value::from_bits(me), Sym(name as u32)) };
    let defined = if kind == DefinedKind::Ivar as u64 {
        !ctx.ivar_get(me, name).is_undef()
    } else {
        match ctx.cvar_class(scope) {
            Some(class) => class.cvar_owner(ctx, name).is_some(),
            None => return EXIT,
        }
    };
    if !defined {
        return Value::NIL.bits();
    }
    match ctx.known_defined_text(kind as usize) {
        text if text.is_nil() => EXIT,
        text => text.bits(),
    }
}

/// The one module that holds a class variable.
fn owner(ctx: &Ctx, class: Class, name: Sym) -> Option<Class> {
    class.cvar_owners(ctx, name).filter(|owners| owners.nearest == owners.shared).map(|owners| owners.shared)
}
