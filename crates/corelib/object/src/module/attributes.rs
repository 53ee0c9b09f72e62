//! Module: `attr_reader`, `attr_writer`, `attr_accessor`, `attr`.

use super::super::support::{is_const_name, is_local_name, symbol_list};
use rubellite_vm::class::{Arity, Class, MethodDef, method};
use rubellite_vm::{Args, Ctx, Encoding, MethodBody, Result, Sym, Tag, Value, Visibility};

pub static METHODS: &[MethodDef] = &[
    method("attr_reader", Arity::ANY, reader),
    method("attr_writer", Arity::ANY, writer),
    method("attr_accessor", Arity::ANY, accessor),
    method("attr", Arity::ANY, attr),
];

/// The visibility that methods defined now get; `private` without arguments changes it. It counts where the class is
/// `self`, as in its body.
pub fn default_visibility(ctx: &Ctx, class: Class) -> (Visibility, bool) {
    match ctx.definition_scope() {
        Some(scope) if scope.module() == class.value() && ctx.direct_caller_self() == class.value() => {
            (scope.visibility(), scope.module_function())
        }
        _ => (Visibility::Public, false),
    }
}

fn define(ctx: &mut Ctx, class: Class, name: Value, reads: bool, writes: bool, made: &mut Vec<Sym>) -> Result<()> {
    let sym = ctx.to_symbol(name)?;
    let bytes = &*ctx.sym_bytes(sym).to_vec();
    if !is_local_name(bytes) && !is_const_name(bytes, Encoding::UTF_8) {
        let text = ctx.sym_str(sym);
        return Err(ctx.name_error("NameError", &format!("invalid attribute name '{text}'"), class.value(), sym));
    }
    let encoding = ctx.sym_encoding(sym);
    let ivar = ctx.intern_bytes(&[b"@", bytes].concat(), encoding);
    let (visibility, module_function) = default_visibility(ctx, class);
    if module_function {
        ctx.warn_verbose("attribute accessor as module_function")?;
    }
    if reads {
        ctx.add_method(class, sym, visibility, MethodBody::AttrReader(ivar))?;
        made.push(sym);
    }
    if writes {
        let setter = ctx.intern_bytes(&[bytes, b"="].concat(), encoding);
        ctx.add_method(class, setter, visibility, MethodBody::AttrWriter(ivar))?;
        made.push(setter);
    }
    Ok(())
}

fn define_all(ctx: &mut Ctx, class: Class, names: &[Value], reads: bool, writes: bool) -> Result {
    let mut made = Vec::new();
    for name in names {
        define(ctx, class, *name, reads, writes, &mut made)?;
    }
    Ok(symbol_list(ctx, &made))
}

fn reader(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    define_all(ctx, class, args.slice(), true, false)
}

fn writer(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    define_all(ctx, class, args.slice(), false, true)
}

fn accessor(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    define_all(ctx, class, args.slice(), true, true)
}

/// `attr(name, ...)`, and the old form `attr(name, true)`
fn attr(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    if args.len() == 2 && matches!(args.at(1), Value::TRUE | Value::FALSE) {
        debug_assert!(!args.at(1).has_tag(Tag::String));
        ctx.warn_verbose("optional boolean argument is obsoleted")?;
        return define_all(ctx, class, &args.slice()[..1], true, args.at(1) == Value::TRUE);
    }
    define_all(ctx, class, args.slice(), true, false)
}
