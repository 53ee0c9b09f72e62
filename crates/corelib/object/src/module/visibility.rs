//! Module: `public`, `private`, `protected`, `module_function` and their relatives; the same at toplevel.

use super::super::support::string;
use rubellite_vm::class::{Arity, Class, MethodDef, method, private_method};
use rubellite_vm::object::Array;
use rubellite_vm::{Args, Ctx, Method, MethodBody, Result, Sym, Value, Visibility};

pub static METHODS: &[MethodDef] = &[
    private_method("public", Arity::ANY, public),
    private_method("private", Arity::ANY, private),
    private_method("protected", Arity::ANY, protected),
    private_method("module_function", Arity::ANY, module_function),
    method("public_class_method", Arity::ANY, public_class_method),
    method("private_class_method", Arity::ANY, private_class_method),
];

/// Singleton methods of the main object.
pub static TOPLEVEL: &[MethodDef] = &[
    method("to_s", Arity::NONE, main_to_s),
    method("inspect", Arity::NONE, main_to_s),
    private_method("public", Arity::ANY, main_public),
    private_method("private", Arity::ANY, main_private),
    private_method("include", Arity::ANY, main_include),
    private_method("define_method", Arity::range(1, 2), main_define_method),
    private_method("ruby2_keywords", Arity::at_least(1), main_ruby2_keywords),
    private_method("using", Arity::ONE, super::refinement::main_using),
];

/// The names that the arguments give: symbols and strings, or one Array of them.
fn names_of(ctx: &mut Ctx, args: &[Value]) -> Result<Vec<Sym>> {
    // tidy: rooted by the arguments
    let list: Vec<Value> = match args {
        [lone] => match Array::try_of(*lone) {
            Some(array) => array.slice(ctx).to_vec(),
            None => vec![*lone],
        },
        _ => args.to_vec(),
    };
    let mut names = Vec::with_capacity(list.len());
    for value in list {
        names.push(ctx.to_symbol(value)?);
    }
    Ok(names)
}

/// What `private :a, :b` returns: the argument, the Array of them, or nil.
fn echo(ctx: &mut Ctx, args: Args) -> Value {
    match args.len() {
        0 => Value::NIL,
        1 => args.at(0),
        _ => Array::from_slice(ctx, args.slice()).value(),
    }
}

/// Gives the named methods of `class` another visibility; an inherited one gets an entry of its own.
pub fn set_visibility(ctx: &mut Ctx, class: Class, name: Sym, visibility: Visibility) -> Result<()> {
    ctx.check_frozen_class(class)?;
    if let Some(own) = class.own_method(ctx, name)
        && !matches!(own.body(), MethodBody::Undef)
    {
        if own.visibility() != visibility {
            own.set_visibility(visibility);
            class.set_method(ctx, name, own);
        }
        return Ok(());
    }
    let mut found = class.find_method(ctx, name).method;
    if found.is_none() && class.is_module() {
        found = ctx.fallback_class(class).find_method(ctx, name).method;
    }
    match found {
        None => Err(ctx.undefined_in_class(class, name)),
        Some(method) if method.visibility() == visibility => Ok(()),
        Some(_) => {
            let entry = Method::new(ctx, name, class, visibility, MethodBody::ZSuper);
            class.set_method(ctx, name, entry);
            let names = ctx.names();
            ctx.method_hook(class, name, names.method_added, names.singleton_method_added)
        }
    }
}

/// Without arguments these change how the calling code defines methods: within a method that ends with it.
fn warn_inside_method(ctx: &mut Ctx, word: &str) -> Result<()> {
    if ctx.called_in_method_body() {
        ctx.warn(&format!("calling {word} without arguments inside a method may not have the intended effect"))?;
    }
    Ok(())
}

fn change(ctx: &mut Ctx, class: Class, args: Args, visibility: Visibility) -> Result {
    if args.is_empty() {
        let word = match visibility {
            Visibility::Public => "public",
            Visibility::Private => "private",
            Visibility::Protected => "protected",
        };
        warn_inside_method(ctx, word)?;
        if let Some(scope) = ctx.definition_scope() {
            scope.set_visibility(visibility);
        }
        return Ok(Value::NIL);
    }
    for name in names_of(ctx, args.slice())? {
        set_visibility(ctx, class, name, visibility)?;
    }
    Ok(echo(ctx, args))
}

fn public(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    change(ctx, class, args, Visibility::Public)
}

fn private(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    change(ctx, class, args, Visibility::Private)
}

fn protected(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    change(ctx, class, args, Visibility::Protected)
}

/// `module_function`, `module_function(name, ...)`
fn module_function(ctx: &mut Ctx, module: Class, args: Args) -> Result {
    if !module.is_module() {
        return Err(ctx.type_error("module_function must be called for modules"));
    }
    if args.is_empty() {
        warn_inside_method(ctx, "module_function")?;
        if let Some(scope) = ctx.definition_scope() {
            scope.set_module_function();
        }
        return Ok(Value::NIL);
    }
    let singleton = Class::singleton_class(ctx, module.value());
    for name in names_of(ctx, args.slice())? {
        set_visibility(ctx, module, name, Visibility::Private)?;
        let mut found = module.find_method(ctx, name);
        if found.method.is_none() {
            found = ctx.classes().object.class().find_method(ctx, name);
        }
        let mut method = found.method;
        if method.is_some_and(|m| matches!(m.body(), MethodBody::ZSuper)) {
            let object = ctx.classes().object.class();
            let next = module.find_method_from(ctx, name, found.pos as usize + 1).method;
            method = next.or_else(|| object.find_method(ctx, name).method);
        }
        if let (Some(method), Some(singleton)) = (method, singleton) {
            ctx.add_method(singleton, name, Visibility::Public, *method.resolved().body())?;
        }
    }
    Ok(echo(ctx, args))
}

fn change_class_methods(ctx: &mut Ctx, recv: Value, args: Args, visibility: Visibility) -> Result {
    if let Some(singleton) = Class::singleton_class(ctx, recv) {
        for name in names_of(ctx, args.slice())? {
            set_visibility(ctx, singleton, name, visibility)?;
        }
    }
    Ok(Value::NIL)
}

fn public_class_method(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    change_class_methods(ctx, recv, args, Visibility::Public)
}

fn private_class_method(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    change_class_methods(ctx, recv, args, Visibility::Private)
}

// -- toplevel

fn main_to_s(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(string(ctx, "main"))
}

fn object_class(ctx: &Ctx) -> Class {
    ctx.classes().object.class()
}

/// What code at toplevel changes: Object, or the module around a wrapped load, whose `self` is a copy of main.
fn toplevel_class(ctx: &Ctx, recv: Value) -> Class {
    let wrapper = ctx.caller_cref().and_then(|scope| Class::try_of(scope.module()));
    match wrapper {
        Some(wrapper) if recv != ctx.vm().main_object.get() => wrapper,
        _ => object_class(ctx),
    }
}

/// `toplevel_class` for `public` and `private`.
fn visibility_class(ctx: &mut Ctx, recv: Value, name: &str) -> Result<Class> {
    let class = toplevel_class(ctx, recv);
    if class != object_class(ctx) {
        ctx.warn_verbose(&format!("main.{name} in the wrapped load is effective only in wrapper module"))?;
    }
    Ok(class)
}

fn main_public(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let class = visibility_class(ctx, recv, "public")?;
    change(ctx, class, args, Visibility::Public)
}

fn main_private(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let class = visibility_class(ctx, recv, "private")?;
    change(ctx, class, args, Visibility::Private)
}

fn main_include(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let class = toplevel_class(ctx, recv).value();
    super::include(ctx, class, args)
}

fn main_define_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let class = object_class(ctx);
    super::define_method_in(ctx, class, args, Visibility::Public)
}

fn main_ruby2_keywords(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let class = object_class(ctx);
    super::definition::ruby2_keywords(ctx, class, args)
}
