//! Module: lists of methods and questions about them.

use super::super::kernel::visible_names;
use super::super::method_object;
use super::super::support::symbol_list;
use rubellite_vm::class::{Arity, Class, MethodDef, method};
use rubellite_vm::{Args, Ctx, Method, MethodBody, Result, Sym, Value, Visibility};

pub static METHODS: &[MethodDef] = &[
    method("instance_methods", Arity::range(0, 1), instance_methods),
    method("public_instance_methods", Arity::range(0, 1), public_instance_methods),
    method("private_instance_methods", Arity::range(0, 1), private_instance_methods),
    method("protected_instance_methods", Arity::range(0, 1), protected_instance_methods),
    method("undefined_instance_methods", Arity::NONE, undefined_instance_methods),
    method("method_defined?", Arity::range(1, 2), method_defined_p),
    method("public_method_defined?", Arity::range(1, 2), public_method_defined_p),
    method("private_method_defined?", Arity::range(1, 2), private_method_defined_p),
    method("protected_method_defined?", Arity::range(1, 2), protected_method_defined_p),
    method("instance_method", Arity::ONE, instance_method),
    method("public_instance_method", Arity::ONE, public_instance_method),
];

fn listed(ctx: &mut Ctx, class: Class, args: Args, wanted: fn(Visibility) -> bool) -> Result {
    let inherit = args.get(0).is_none_or(Value::truthy);
    let mut modules = if inherit { class.mro(ctx).to_vec() } else { own_part(ctx, class) }; // tidy: rooted by the class
    if let (true, Some(refined)) = (inherit, Class::try_of(class.data(ctx).refined_class())) {
        modules.extend_from_slice(refined.mro(ctx));
    }
    let names = visible_names(ctx, &modules, wanted);
    Ok(symbol_list(ctx, &names))
}

/// The modules prepended to the class, and the class: where its own methods are seen.
// tidy: modules in the chain of a class that the caller keeps
fn own_part(ctx: &Ctx, class: Class) -> Vec<Class> {
    let chain = &class.data(ctx).chain;
    let own = chain.iter().position(|m| *m == class).unwrap_or(0);
    chain[..=own].to_vec()
}

fn instance_methods(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    listed(ctx, class, args, |v| v != Visibility::Private)
}

fn public_instance_methods(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    listed(ctx, class, args, |v| v == Visibility::Public)
}

fn private_instance_methods(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    listed(ctx, class, args, |v| v == Visibility::Private)
}

fn protected_instance_methods(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    listed(ctx, class, args, |v| v == Visibility::Protected)
}

/// `undefined_instance_methods -> array`
fn undefined_instance_methods(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    let names: Vec<Sym> = class
        .own_method_names(ctx)
        .into_iter()
        .filter(|n| class.own_method(ctx, *n).is_some_and(|m| matches!(m.body(), MethodBody::Undef)))
        .collect();
    Ok(symbol_list(ctx, &names))
}

fn found(ctx: &mut Ctx, class: Class, args: Args) -> Result<Option<Method>> {
    let name = ctx.to_symbol(args.at(0))?;
    if args.get(1).is_none_or(Value::truthy) {
        return Ok(class.find_method(ctx, name).method.filter(|m| !matches!(m.body(), MethodBody::Refined)));
    }
    // Modules put before the class do not count.
    Ok(class.own_method(ctx, name).filter(|method| !matches!(method.body(), MethodBody::Undef | MethodBody::Refined)))
}

fn defined(ctx: &mut Ctx, class: Class, args: Args, wanted: fn(Visibility) -> bool) -> Result {
    Ok(Value::from_bool(found(ctx, class, args)?.is_some_and(|m| wanted(m.visibility()) && !m.is_unimplemented())))
}

fn method_defined_p(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    defined(ctx, class, args, |v| v != Visibility::Private)
}

fn public_method_defined_p(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    defined(ctx, class, args, |v| v == Visibility::Public)
}

fn private_method_defined_p(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    defined(ctx, class, args, |v| v == Visibility::Private)
}

fn protected_method_defined_p(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    defined(ctx, class, args, |v| v == Visibility::Protected)
}

/// `instance_method(name) -> unbound_method`
fn instance_method(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    method_object::of_class(ctx, class, args.at(0), false)
}

/// `public_instance_method(name) -> unbound_method`
fn public_instance_method(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    method_object::of_class(ctx, class, args.at(0), true)
}
