//! Module: class variables by name.

use super::super::support::{is_cvar_name, name_error_for, symbol_list};
use rubellite_vm::class::{Arity, Class, MethodDef, method};
use rubellite_vm::{Args, Ctx, Result, Sym, Value};

pub static METHODS: &[MethodDef] = &[
    method("class_variable_get", Arity::ONE, get),
    method("class_variable_set", Arity::exact(2), set),
    method("class_variable_defined?", Arity::ONE, defined_p),
    method("class_variables", Arity::range(0, 1), all),
    method("remove_class_variable", Arity::ONE, remove),
];

fn cvar_name(ctx: &mut Ctx, recv: Value, name: Value) -> Result<Sym> {
    let sym = ctx.to_symbol(name)?;
    if !is_cvar_name(ctx.sym_bytes(sym)) {
        let text = ctx.sym_str(sym);
        return Err(name_error_for(ctx, &format!("'{text}' is not allowed as a class variable name"), recv, name));
    }
    Ok(sym)
}

/// `class_variable_get(name) -> object`
fn get(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let name = cvar_name(ctx, class.value(), args.at(0))?;
    ctx.cvar_get(class, name)
}

/// `class_variable_set(name, object) -> object`
fn set(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let name = cvar_name(ctx, class.value(), args.at(0))?;
    ctx.check_frozen_class(class)?;
    ctx.cvar_set(class, name, args.at(1))?;
    Ok(args.at(1))
}

/// `class_variable_defined?(name) -> true or false`
fn defined_p(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let name = cvar_name(ctx, class.value(), args.at(0))?;
    Ok(Value::from_bool(class.cvar_owner(ctx, name).is_some()))
}

/// `class_variables(inherit = true) -> array`
fn all(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let mut modules = vec![class]; // tidy: rooted by the class
    if args.get(0).is_none_or(Value::truthy) {
        match Class::try_of(class.attached(ctx)).filter(|_| class.is_singleton()) {
            Some(attached) => modules.extend_from_slice(attached.mro(ctx)),
            None => modules = class.mro(ctx).to_vec(), // tidy: rooted by the class
        }
    }
    let mut names: Vec<Sym> = Vec::new();
    for module in modules {
        for name in module.own_cvar_names(ctx) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(symbol_list(ctx, &names))
}

/// `remove_class_variable(name) -> object`
fn remove(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let name = cvar_name(ctx, class.value(), args.at(0))?;
    ctx.check_frozen_class(class)?;
    if let Some(value) = class.remove_cvar(ctx, name) {
        return Ok(value);
    }
    let (text, module) = (ctx.sym_str(name), class.inspect(ctx));
    if class.cvar_owner(ctx, name).is_some() {
        return Err(ctx.name_error("NameError", &format!("cannot remove {text} for {module}"), class.value(), name));
    }
    Err(ctx.name_error("NameError", &format!("class variable {text} not defined for {module}"), class.value(), name))
}
