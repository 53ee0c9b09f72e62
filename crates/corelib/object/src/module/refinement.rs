//! Refinements: `refine`, `using`, the class Refinement.
//!
//! A refinement is a module that knows the class that it refines. `using` adds pairs (refined class,
//! refinement) to the lexical scope of the caller; calls look there before the class's own methods.

use super::super::support::wrong_type;
use rubellite_vm::class::{Arity, Class, ClassDef, MethodDef, method, private_method};
use rubellite_vm::object::{Array, Cref};
use rubellite_vm::{Args, Ctx, MethodBody, Result, Value};

pub static METHODS: &[MethodDef] = &[
    private_method("refine", Arity::ONE, refine),
    private_method("using", Arity::ONE, using),
    method("refinements", Arity::NONE, refinements),
];

pub static REFINEMENT: ClassDef = ClassDef {
    name: "Refinement",
    superclass: "Module",
    methods: &[method("target", Arity::NONE, target), private_method("import_methods", Arity::ANY, import_methods)],
    no_new: true,
    setup: Some(undefine_inclusion),
    ..ClassDef::EMPTY
};

/// Refinements cannot be included, prepended or extended with.
fn undefine_inclusion(ctx: &mut Ctx, refinement: Class) -> Result<()> {
    for name in ["append_features", "prepend_features", "extend_object"] {
        refinement.undefine(ctx, name);
    }
    Ok(())
}

/// `refine(class) { } -> refinement`
fn refine(ctx: &mut Ctx, owner: Class, args: Args) -> Result {
    if !args.has_block() {
        return Err(ctx.argument_error("no block given"));
    }
    if !ctx.is_literal_block(args.block) {
        return Err(ctx.argument_error("can't pass a Proc as a block to Module#refine"));
    }
    let Some(refined) = Class::try_of(args.at(0)) else {
        return Err(wrong_type(ctx, args.at(0), "Class or Module"));
    };
    if !owner.is_module() {
        return Err(ctx.undefined_method(owner.value(), ctx.intern("refine"), false));
    }
    let known = owner
        .data(ctx)
        .refinements()
        .iter()
        .find(|(class, _)| *class == refined.value())
        .map(|(_, refinement)| *refinement);
    let refinement = match known {
        Some(refinement) => refinement,
        None => Class::new_refinement(ctx, owner, refined).value(),
    };
    ctx.set_hooks_used(true);
    // All refinements of the module are active in the blocks: they share one list, which grows.
    let key = ctx.internal("__refinements");
    let active = match Array::try_of(ctx.ivar_get(owner.value(), key)) {
        Some(list) => list,
        None => {
            let list = Array::new(ctx);
            if let Some(inherited) = ctx.caller_cref().and_then(|scope| Array::try_of(scope.refinements())) {
                list.concat(ctx, inherited);
            }
            ctx.ivar_set(owner.value(), key, list.value());
            list
        }
    };
    if known.is_none() {
        active.push(ctx, refined.value());
        active.push(ctx, refinement);
    }
    ctx.yield_with_refinements(args.block, refinement, active.value())?;
    Ok(refinement)
}

/// `refinements -> array`: those made in this module.
fn refinements(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    // tidy: rooted by the module
    let list: Vec<Value> = class.data(ctx).refinements().iter().map(|(_, refinement)| *refinement).collect();
    Ok(Array::from_slice(ctx, &list).value())
}

fn module_argument(ctx: &mut Ctx, value: Value) -> Result<Class> {
    match Class::try_of(value).filter(|module| module.is_module()) {
        Some(module) => Ok(module),
        None => Err(wrong_type(ctx, value, "Module")),
    }
}

/// Activates the refinements of `module` in the caller's scope.
fn activate(ctx: &mut Ctx, module: Value) -> Result<()> {
    let module = module_argument(ctx, module)?;
    let refinement_class = ctx.classes().refinement.get();
    if ctx.is_a(module.value(), refinement_class) {
        return Err(ctx.argument_error("refinement object is not permitted"));
    }
    let Some(scope) = ctx.renew_caller_cref() else { return Ok(()) };
    let active = Array::new(ctx);
    if let Some(old) = Array::try_of(scope.refinements()) {
        active.concat(ctx, old);
    }
    let mut modules = module.mro(ctx).to_vec(); // tidy: rooted by the module
    modules.reverse();
    for module in modules {
        for (class, refinement) in module.data(ctx).refinements().to_vec() {
            active.push(ctx, class);
            active.push(ctx, refinement);
        }
    }
    scope.set_refinements(ctx, active.value());
    if let Some(binding) = scope.binding() {
        binding.use_refinements(ctx, active.value());
    }
    ctx.set_hooks_used(true);
    for i in 0..active.len() / 2 {
        if let Some(refinement) = active.get(i * 2 + 1) {
            ctx.expect::<Class>(refinement)?.touch_methods(ctx);
        }
    }
    Ok(())
}

/// `using(module) -> self` in a class or module body.
fn using(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if ctx.caller_method().is_some() {
        return Err(ctx.runtime_error("Module#using is not permitted in methods"));
    }
    if ctx.caller_self() != recv {
        return Err(ctx.runtime_error("Module#using is not called on self"));
    }
    activate(ctx, args.at(0))?;
    Ok(recv)
}

/// `using(module) -> self` at toplevel.
pub fn main_using(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if ctx.caller_method().is_some() || ctx.in_class_body() {
        return Err(ctx.runtime_error("main.using is permitted only at toplevel"));
    }
    activate(ctx, args.at(0))?;
    Ok(recv)
}

/// The active refinements of the calling code, latest first.
// tidy: the scope keeps its refinements
fn active(ctx: &Ctx) -> Vec<Value> {
    let Some(list) = ctx.caller_cref().and_then(|scope| Array::try_of(scope.refinements())) else { return Vec::new() };
    (0..list.len() / 2).rev().filter_map(|i| list.get(i * 2 + 1)).collect()
}

/// `Module.used_modules -> array`
pub fn used_modules(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let list = Array::new(ctx);
    for refinement in active(ctx) {
        let owner = ctx.expect::<Class>(refinement)?.lexical_parent(ctx);
        if !list.contains_identical(ctx, owner) {
            list.push(ctx, owner);
        }
    }
    Ok(list.value())
}

/// `Module.used_refinements -> array`
pub fn used_refinements(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let list = Array::new(ctx);
    for refinement in active(ctx) {
        if !list.contains_identical(ctx, refinement) {
            list.push(ctx, refinement);
        }
    }
    Ok(list.value())
}

/// `target -> class`
fn target(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    Ok(class.data(ctx).refined_class())
}

/// `import_methods(module, ...) -> self`: copies methods written in Ruby.
fn import_methods(ctx: &mut Ctx, refinement: Class, args: Args) -> Result {
    for module in args.slice() {
        module_argument(ctx, *module)?;
    }
    // The copies see the refinements of the module that the refinement belongs to.
    let owner = refinement.lexical_parent(ctx);
    let key = ctx.internal("__refinements");
    let active = ctx.ivar_get(owner, key).defined().unwrap_or(Value::NIL);
    for module in args.slice() {
        let module = module_argument(ctx, *module)?;
        check_importable(ctx, module)?;
        for name in module.own_method_names(ctx) {
            let Some(method) = module.own_method(ctx, name) else { continue };
            let body = match *method.resolved().body() {
                MethodBody::Code { code, cref } => {
                    let scope = ctx.expect::<Cref>(cref)?.copy(ctx);
                    scope.set_refinements(ctx, active);
                    MethodBody::Code { code, cref: scope.value() }
                }
                body => body,
            };
            ctx.add_method(refinement, name, method.visibility(), body)?;
        }
    }
    Ok(refinement.value())
}

/// Only methods written in Ruby can be imported.
fn check_importable(ctx: &mut Ctx, module: Class) -> Result<()> {
    if module.mro(ctx).len() > 1 {
        let text = module.inspect(ctx);
        ctx.warn(&format!("{text} has ancestors, but Refinement#import_methods doesn't import their methods"))?;
    }
    for name in module.own_method_names(ctx) {
        let Some(method) = module.own_method(ctx, name) else { continue };
        let method = method.resolved();
        let in_ruby = matches!(method.body(), MethodBody::Code { .. } | MethodBody::Proc(_));
        if !in_ruby || method.body().is_of_core() {
            let (text, owner) = (ctx.sym_str(name), module.inspect(ctx));
            return Err(
                ctx.argument_error(&format!("Can't import method which is not defined with Ruby code: {owner}#{text}"))
            );
        }
    }
    Ok(())
}
