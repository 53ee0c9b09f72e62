//! `autoload`: registering files that define constants. Loading them is the VM's business when the constant is looked
//! up.

use super::super::support::is_const_symbol;
use rubellite_vm::class::Class;
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Ctx, Extension, Result, Sym, Value};
use std::cell::RefCell;

/// Constants of Object that the runtime itself loads when they are first used. To programs they are there from the
/// start.
#[derive(Default)]
struct Announced(RefCell<Vec<Sym>>);

// It holds symbols of constants that are there, no other values.
impl Extension for Announced {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// Says that the constant of Object whose file has just been registered is one of the runtime's own.
pub fn announced(ctx: &Ctx, name: Sym) {
    ctx.extension::<Announced>().0.borrow_mut().push(name);
}

fn is_announced(ctx: &Ctx, class: Class, name: Sym) -> bool {
    class.value() == ctx.classes().object.get() && ctx.extension::<Announced>().0.borrow().contains(&name)
}

/// Registers `path` as the file that defines `class::name`.
pub fn autoload(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let name = ctx.to_symbol(args.at(0))?;
    let path = path_argument(ctx, args.at(1))?;
    if !is_const_symbol(ctx, name) {
        let text = ctx.sym_str(name);
        return Err(ctx.name_error(
            "NameError",
            &format!("autoload must be constant name: {text}"),
            class.value(),
            name,
        ));
    }
    if path.is_empty() {
        return Err(ctx.argument_error("empty feature name"));
    }
    if class.own_const(ctx, name).is_some_and(|e| !e.flags.autoload || is_announced(ctx, class, name)) {
        return Ok(Value::NIL);
    }
    ctx.check_frozen_class(class)?;
    let path = path.dup(ctx).value();
    let path = super::super::exception::frozen(path);
    let entry = ctx.autoload_entry(path);
    class.set_const_raw(ctx, name, entry);
    let hook = ctx.names().const_added;
    if !ctx.is_builtin(class.value(), hook) {
        ctx.call(class.value(), hook, &[Value::symbol(name)])?;
    }
    Ok(Value::NIL)
}

fn path_argument(ctx: &mut Ctx, value: Value) -> Result<Str> {
    let name = ctx.names().to_path;
    if ctx.check_str(value)?.is_none()
        && let Some(path) = ctx.check_call(value, name, &[])?
    {
        return ctx.to_str(path);
    }
    ctx.to_str(value)
}

/// The file registered for `class::name`, or nil.
pub fn autoload_p(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let name = ctx.to_symbol(args.at(0))?;
    let inherit = args.get(1).is_none_or(Value::truthy);
    let entry = ctx.visible_const(class, name, inherit.then_some(true))?;
    let entry = entry.filter(|(owner, e)| e.flags.autoload && !is_announced(ctx, *owner, name));
    Ok(entry.map_or(Value::NIL, |(_, e)| e.value))
}

/// `Module#autoload(name, path) -> nil`
pub fn module_autoload(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    autoload(ctx, class, args)
}

/// `Module#autoload?(name, inherit = true) -> string or nil`
pub fn module_autoload_p(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    autoload_p(ctx, class, args)
}
