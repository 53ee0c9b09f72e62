//! Calls of what the core classes do themselves.
//!
//! Functions of the interface that stand for an implementation of the runtime's call that one, whatever subclasses,
//! singleton classes and prepended modules make of the method: extensions define such methods by these functions.

use rubellite_vm::{CallKind, Class, Ctx, Method, Result, Sym, Tag, Value, Visibility};

/// The method that the nearest core class among the receiver's has or inherits, with its place in the ancestry.
fn find(ctx: &Ctx, receiver: Value, name: Sym) -> Option<(Method, u32)> {
    let class = Class::try_of(ctx.class_of(receiver))?;
    let is_core = |ancestor: &Class| {
        let value = ancestor.value();
        value.has_tag(Tag::Class) && ctx.classes().all().any(|(_, core)| core.get() == value)
    };
    let at = class.mro(ctx).iter().position(is_core)?;
    let found = class.find_method_from(ctx, name, at);
    // What is private in Object are functions that a program calls everywhere: `sleep` of a mutex is none of them.
    let plain = class.mro(ctx)[at].value() == ctx.classes().object.get();
    let method = found.method.filter(|method| !plain || method.visibility() == Visibility::Public);
    method.map(|method| (method, found.pos))
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
