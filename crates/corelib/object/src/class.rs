//! Class: making classes and instances. What classes share with modules is in `module`.

use super::module::{evaluate_body, hook};
use super::support::class_list;
use rubellite_vm::class::{Arity, Class, ClassDef, method, private_method};
use rubellite_vm::{Args, Ctx, Method, MethodBody, Result, Unwind, Value, Visibility};

pub static CLASS: ClassDef = ClassDef {
    name: "Class",
    superclass: "Module",
    methods: &[
        private_method("initialize", Arity::range(0, 1), initialize),
        method("allocate", Arity::NONE, allocate),
        method("superclass", Arity::NONE, superclass),
        method("subclasses", Arity::NONE, subclasses),
        method("attached_object", Arity::NONE, attached_object),
        private_method("inherited", Arity::ONE, hook),
    ],
    singleton_methods: &[method("allocate", Arity::NONE, allocate)],
    alloc: Some(allocate_class),
    setup: Some(set_up),
    ..ClassDef::EMPTY
};

fn set_up(ctx: &mut Ctx, class: Class) -> Result<()> {
    let name = ctx.names().new;
    let entry = Method::new(ctx, name, class, Visibility::Public, MethodBody::New);
    class.set_method(ctx, name, entry);
    for name in ["module_function", "append_features", "prepend_features", "extend_object", "refine"] {
        class.undefine(ctx, name);
    }
    // A module is made by `new` alone.
    let module = ctx.named_class("Module")?;
    let singleton = Class::singleton_class(ctx, module.value()).ok_or(Unwind)?;
    singleton.undefine(ctx, "allocate");
    Ok(())
}

/// A class without superclass yet: `initialize` completes it.
fn allocate_class(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Class::new_uninitialized(ctx, class).value())
}

/// `Class.new(superclass = Object) { |class| }`
fn initialize(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    if class.is_initialized(ctx) {
        return Err(ctx.type_error("already initialized class"));
    }
    let parent = args.get(0).unwrap_or_else(|| ctx.classes().object.get());
    ctx.check_inheritable(parent)?;
    let parent = ctx.expect(parent)?;
    class.set_superclass(ctx, parent);
    ctx.call_inherited(class)?;
    evaluate_body(ctx, class.value(), args)?;
    Ok(Value::NIL)
}

/// `allocate -> object`
fn allocate(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    ctx.allocate(class)
}

/// `superclass -> class or nil`
fn superclass(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    match class.superclass(ctx) {
        Some(parent) => Ok(parent.value()),
        None if class.value() == ctx.classes().basic_object.get() => Ok(Value::NIL),
        None => Err(ctx.type_error("uninitialized class")),
    }
}

/// `subclasses -> array`: the direct ones, latest first.
fn subclasses(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    let is_direct = |below: &Class| !below.is_module() && !below.is_singleton() && below.superclass(ctx) == Some(class);
    let list: Vec<Class> = class.data(ctx).dependents.iter().rev().copied().filter(is_direct).collect();
    Ok(class_list(ctx, &list))
}

/// `attached_object -> object`
fn attached_object(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    if !class.is_singleton() {
        let text = class.inspect(ctx);
        return Err(ctx.type_error(&format!("'{text}' is not a singleton class")));
    }
    Ok(class.attached(ctx))
}
