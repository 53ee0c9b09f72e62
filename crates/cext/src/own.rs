//! Calls of what the core classes do themselves.
//!
//! Functions of the interface that stand for an implementation of the runtime's call that one, whatever subclasses,
//! singleton classes and prepended modules make of the method, and whatever a program or an extension has put in its
//! place: extensions define such methods by these functions.

use rubellite_vm::{CallKind, Class, Ctx, Method, Result, Sym, Value, Visibility};

/// The runtime's own method, with its place in the ancestry.
fn find(ctx: &Ctx, receiver: Value, name: Sym) -> Option<(Method, u32)> {
    let found = Class::try_of(ctx.class_of(receiver))?.find_core_method(ctx, name)?;
    // What is private in Object are functions that a program calls everywhere: `sleep` of a mutex is none of them.
    let everywhere = || ctx.classes().object.class().find_core_method(ctx, name).is_some_and(|(own, _)| own == found.0);
    (found.0.visibility() == Visibility::Public || !everywhere()).then_some(found)
}

/// Calls that method; the receiver's own where core classes have none.
pub fn call_with_block(
    ctx: &mut Ctx,
    receiver: Value,
    name: Sym,
    args: &[Value],
    keywords: bool,
    block: Value,
) -> Result {
    match find(ctx, receiver, name) {
        Some((method, pos)) => ctx.call_entry(method, pos, receiver, args, keywords, block),
        None => ctx.call_full(receiver, name, args, keywords, block, CallKind::Any),
    }
}

/// The same by text.
pub fn call(ctx: &mut Ctx, receiver: Value, name: &'static str, args: &[Value]) -> Result {
    let name = ctx.intern(name);
    call_with_block(ctx, receiver, name, args, false, Value::NIL)
}
