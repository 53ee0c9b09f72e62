//! Kernel: instance variables by name.

use super::super::support::{is_ivar_name, name_error_for, symbol_list};
use rubellite_vm::class::{Arity, MethodDef, method};
use rubellite_vm::{Args, Ctx, Result, Sym, Value};

pub static METHODS: &[MethodDef] = &[
    method("instance_variable_get", Arity::ONE, get),
    method("instance_variable_set", Arity::exact(2), set),
    method("instance_variable_defined?", Arity::ONE, defined_p),
    method("instance_variables", Arity::NONE, all),
    method("remove_instance_variable", Arity::ONE, remove),
];

fn ivar_name(ctx: &mut Ctx, recv: Value, name: Value) -> Result<Sym> {
    let sym = ctx.to_symbol(name)?;
    if !is_ivar_name(ctx.sym_bytes(sym)) {
        let text = ctx.sym_str(sym);
        return Err(name_error_for(ctx, &format!("'{text}' is not allowed as an instance variable name"), recv, name));
    }
    Ok(sym)
}

/// `instance_variable_get(name) -> object or nil`
fn get(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ivar_name(ctx, recv, args.at(0))?;
    Ok(ctx.ivar_read(recv, name)?.defined().unwrap_or(Value::NIL))
}

/// `instance_variable_set(name, object) -> object`
fn set(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ivar_name(ctx, recv, args.at(0))?;
    ctx.check_frozen(recv)?;
    ctx.check_ivar_write(recv)?;
    ctx.ivar_set(recv, name, args.at(1));
    Ok(args.at(1))
}

/// `instance_variable_defined?(name) -> true or false`
fn defined_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ivar_name(ctx, recv, args.at(0))?;
    Ok(Value::from_bool(!ctx.ivar_get(recv, name).is_undef()))
}

/// `instance_variables -> array`
fn all(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let names: Vec<Sym> = super::object::visible_pairs(ctx, recv).into_iter().map(|(name, _)| name).collect();
    Ok(symbol_list(ctx, &names))
}

/// `remove_instance_variable(name) -> object`
fn remove(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ivar_name(ctx, recv, args.at(0))?;
    ctx.check_frozen(recv)?;
    match ctx.ivar_remove(recv, name) {
        Some(value) => Ok(value),
        None => {
            let text = ctx.sym_str(name);
            Err(ctx.name_error("NameError", &format!("instance variable {text} not defined"), recv, name))
        }
    }
}
