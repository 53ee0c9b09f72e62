//! Kernel: calls by name, lists of methods, singleton methods.

use super::super::method_object;
use super::super::support::symbol_list;
use rubellite_vm::class::{Arity, Class, MethodDef, method, private_method};
use rubellite_vm::{Args, CallKind, Ctx, Method, MethodBody, Result, Sym, Value, Visibility};
use std::collections::HashSet;

pub static METHODS: &[MethodDef] = &[
    method("public_send", Arity::ANY, public_send),
    method("respond_to?", Arity::range(1, 2), respond_to_p),
    private_method("respond_to_missing?", Arity::exact(2), respond_to_missing_p),
    method("methods", Arity::range(0, 1), methods),
    method("public_methods", Arity::range(0, 1), public_methods),
    method("private_methods", Arity::range(0, 1), private_methods),
    method("protected_methods", Arity::range(0, 1), protected_methods),
    method("singleton_methods", Arity::range(0, 1), singleton_methods),
    method("method", Arity::ONE, method_named),
    method("public_method", Arity::ONE, public_method),
    method("singleton_method", Arity::ONE, singleton_method),
    method("define_singleton_method", Arity::range(1, 2), define_singleton_method),
];

/// `send` is done by the interpreter.
pub fn define_send(ctx: &mut Ctx, kernel: Class) -> Result<()> {
    let name = ctx.names().send;
    let entry = Method::new(ctx, name, kernel, Visibility::Public, MethodBody::Send);
    kernel.set_method(ctx, name, entry);
    Ok(())
}

/// Calls the method that the first argument names with the others.
fn dispatch(ctx: &mut Ctx, recv: Value, args: Args, kind: CallKind) -> Result {
    let Some(name) = args.get(0) else {
        return Err(ctx.argument_error("no method name given"));
    };
    let name = ctx.to_symbol(name)?;
    let rest = args.from(1);
    let class = ctx.dispatch_class(recv);
    if let Some(found) = ctx.find_refined_by_caller(class, name)
        && let Some(method) = found.method
    {
        if kind == CallKind::Any || method.visibility() == Visibility::Public {
            return ctx.call_method(method, found.pos, recv, rest);
        }
        return Err(ctx.no_such_method(recv, found, name, true, false));
    }
    ctx.call_full(recv, name, rest.slice(), rest.has_keywords(), args.block, kind)
}

/// `public_send(name, ...) -> object`
fn public_send(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    dispatch(ctx, recv, args, CallKind::Public)
}

/// `respond_to?(name, include_all = false) -> true or false`
fn respond_to_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.to_symbol(args.at(0))?;
    let include_all = args.at(1).truthy();
    let class = ctx.dispatch_class(recv);
    if let Some(refined) = ctx.find_refined_by_caller(class, name).and_then(|found| found.method) {
        return Ok(Value::from_bool(include_all || refined.visibility() == Visibility::Public));
    }
    Ok(Value::from_bool(ctx.responds(recv, name, include_all)?))
}

/// `respond_to_missing?(name, include_all) -> false`
fn respond_to_missing_p(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::FALSE)
}

/// Names of methods in `modules`, nearest first, whose visibility `wanted` accepts. Undefined ones hide those behind
/// them.
pub fn visible_names(ctx: &mut Ctx, modules: &[Class], wanted: fn(Visibility) -> bool) -> Vec<Sym> {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for &module in modules {
        for name in module.own_method_names(ctx) {
            let Some(method) = module.own_method(ctx, name) else { continue };
            if matches!(method.body(), MethodBody::Refined) || ctx.is_internal_symbol(name) || !seen.insert(name) {
                continue;
            }
            if !matches!(method.body(), MethodBody::Undef) && wanted(method.visibility()) {
                names.push(name);
            }
        }
    }
    names
}

fn listed(ctx: &mut Ctx, recv: Value, all: bool, wanted: fn(Visibility) -> bool) -> Result {
    let class = ctx.dispatch_class(recv);
    let mut modules = class.mro(ctx).to_vec(); // tidy: rooted by the class
    if !all {
        // The singleton class, its modules, and the class itself.
        let real = class.real(ctx);
        let end = modules.iter().position(|m| *m == real).map_or(modules.len(), |p| p + 1);
        modules.truncate(end);
    }
    let names = visible_names(ctx, &modules, wanted);
    Ok(symbol_list(ctx, &names))
}

/// `methods(regular = true) -> array`
fn methods(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if args.get(0).is_some_and(|regular| !regular.truthy()) {
        return singleton_names(ctx, recv, false);
    }
    listed(ctx, recv, true, |v| v != Visibility::Private)
}

/// `public_methods(all = true) -> array`
fn public_methods(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    listed(ctx, recv, args.get(0).is_none_or(Value::truthy), |v| v == Visibility::Public)
}

/// `private_methods(all = true) -> array`
fn private_methods(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    listed(ctx, recv, args.get(0).is_none_or(Value::truthy), |v| v == Visibility::Private)
}

/// `protected_methods(all = true) -> array`
fn protected_methods(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    listed(ctx, recv, args.get(0).is_none_or(Value::truthy), |v| v == Visibility::Protected)
}

/// `singleton_methods(all = true) -> array`
fn singleton_methods(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    singleton_names(ctx, recv, args.get(0).is_none_or(Value::truthy))
}

fn singleton_names(ctx: &mut Ctx, recv: Value, all: bool) -> Result {
    if Class::try_of(recv).is_some_and(Class::is_singleton) {
        // It answers to what the class of its object answers, by a singleton class of its own.
        Class::singleton_class(ctx, recv);
    }
    let class = ctx.dispatch_class(recv);
    let mut modules = Vec::new(); // tidy: rooted by the class
    if class.is_singleton() && class.attached(ctx) == recv {
        if all {
            // The chains of the singleton class and, for a class, of those of its ancestors.
            let mut at = Some(class);
            while let Some(singleton) = at.filter(|c| c.is_singleton()) {
                modules.extend_from_slice(&singleton.data(ctx).chain);
                at = singleton.superclass(ctx);
            }
        } else {
            modules.push(class);
        }
    }
    let names = visible_names(ctx, &modules, |v| v != Visibility::Private);
    Ok(symbol_list(ctx, &names))
}

/// `method(name) -> method`
fn method_named(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    method_object::of_receiver(ctx, recv, args.at(0), false)
}

/// `public_method(name) -> method`
fn public_method(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    method_object::of_receiver(ctx, recv, args.at(0), true)
}

/// `singleton_method(name) -> method`
fn singleton_method(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.to_symbol(args.at(0))?;
    let class = ctx.dispatch_class(recv);
    if class.is_singleton() && class.attached(ctx) == recv {
        let chain = class.data(ctx).chain.clone(); // tidy: rooted by the class
        let found = chain.iter().enumerate().find_map(|(pos, module)| module.own_method(ctx, name).map(|m| (pos, m)));
        if let Some((pos, method)) = found.filter(|(_, m)| !matches!(m.body(), MethodBody::Undef)) {
            return Ok(method_object::bound(ctx, recv, method, pos as u32));
        }
    }
    let (text, target) = (ctx.sym_str(name), ctx.inspect(recv)?);
    Err(ctx.name_error("NameError", &format!("undefined singleton method '{text}' for '{target}'"), recv, name))
}

/// `define_singleton_method(name, method) -> symbol`, `define_singleton_method(name) { } -> symbol`
fn define_singleton_method(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let class = ctx.singleton_of(recv)?;
    if recv.header().is_some_and(|h| h.frozen()) {
        let text = ctx.inspect(recv)?;
        return Err(ctx.raise_error("FrozenError", &format!("can't modify frozen object: {text}")));
    }
    super::super::module::define_method_in(ctx, class, args, Visibility::Public)
}
