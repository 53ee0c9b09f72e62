//! Module: ancestry and names here; methods, constants, class variables, visibility and refinements in files of their
//! own.

mod attributes;
mod autoload;
mod constants;
mod cvars;
mod definition;
pub mod evaluation;
mod methods;
mod refinement;
mod visibility;

pub use autoload::{announced, autoload, autoload_p};
pub use definition::define_method_in;
pub use evaluation::eval_string;
pub use refinement::REFINEMENT;
pub use visibility::TOPLEVEL;

use super::support::{class_list, string, value_list};
use rubellite_vm::class::{Arity, Class, ClassDef, IncludeError, MethodDef, method, private_method};
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Ctx, Encoding, Result, Tag, Value};

pub static MODULE: ClassDef = ClassDef {
    name: "Module",
    methods: METHODS,
    alloc: Some(allocate),
    singleton_methods: &[method("nesting", Arity::NONE, nesting)],
    ..ClassDef::EMPTY
};
pub static ATTRIBUTES: ClassDef = ClassDef { name: "Module", methods: attributes::METHODS, ..ClassDef::EMPTY };
pub static CONSTANTS: ClassDef = ClassDef {
    name: "Module",
    methods: constants::METHODS,
    singleton_methods: &[method("constants", Arity::range(0, 1), constants::module_constants)],
    ..ClassDef::EMPTY
};
pub static CVARS: ClassDef = ClassDef { name: "Module", methods: cvars::METHODS, ..ClassDef::EMPTY };
pub static DEFINITION: ClassDef = ClassDef { name: "Module", methods: definition::METHODS, ..ClassDef::EMPTY };
pub static EVALUATION: ClassDef = ClassDef { name: "Module", methods: evaluation::METHODS, ..ClassDef::EMPTY };
pub static METHOD_LISTS: ClassDef = ClassDef { name: "Module", methods: methods::METHODS, ..ClassDef::EMPTY };
pub static REFINEMENTS: ClassDef = ClassDef {
    name: "Module",
    methods: refinement::METHODS,
    singleton_methods: &[
        method("used_modules", Arity::NONE, refinement::used_modules),
        method("used_refinements", Arity::NONE, refinement::used_refinements),
    ],
    ..ClassDef::EMPTY
};
pub static VISIBILITY: ClassDef = ClassDef { name: "Module", methods: visibility::METHODS, ..ClassDef::EMPTY };

static METHODS: &[MethodDef] = &[
    private_method("initialize", Arity::NONE, initialize),
    private_method("initialize_copy", Arity::ONE, initialize_copy),
    method("name", Arity::NONE, name),
    method("to_s", Arity::NONE, to_s),
    method("inspect", Arity::NONE, to_s),
    method("set_temporary_name", Arity::ONE, set_temporary_name),
    method("===", Arity::ONE, op_case_eq).leaf(1),
    method("==", Arity::ONE, op_eq),
    method("<", Arity::ONE, op_lt),
    method("<=", Arity::ONE, op_le),
    method(">", Arity::ONE, op_gt),
    method(">=", Arity::ONE, op_ge),
    method("<=>", Arity::ONE, op_cmp),
    method("freeze", Arity::NONE, freeze),
    method("ancestors", Arity::NONE, ancestors),
    method("included_modules", Arity::NONE, included_modules),
    method("include?", Arity::ONE, include_p),
    method("include", Arity::ANY, include),
    method("prepend", Arity::ANY, prepend),
    method("singleton_class?", Arity::NONE, singleton_class_p),
    private_method("append_features", Arity::ONE, append_features),
    private_method("prepend_features", Arity::ONE, prepend_features),
    private_method("extend_object", Arity::ONE, extend_object),
    private_method("included", Arity::ONE, hook),
    private_method("extended", Arity::ONE, hook),
    private_method("prepended", Arity::ONE, hook),
    private_method("const_added", Arity::ONE, hook),
    private_method("method_added", Arity::ONE, hook),
    private_method("method_removed", Arity::ONE, hook),
    private_method("method_undefined", Arity::ONE, hook),
];

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Class::new_module(ctx, class).value())
}

/// A hook that does nothing until a program redefines it.
pub fn hook(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::NIL)
}

/// `Module.new { |module| }`
fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    evaluate_body(ctx, recv, args)?;
    Ok(Value::NIL)
}

/// Runs the block of `Module.new` or `Class.new` in the new module.
pub fn evaluate_body(ctx: &mut Ctx, module: Value, args: Args) -> Result<()> {
    if args.has_block() {
        evaluation::yield_in_module(ctx, module, args.block, &[module], false)?;
    }
    Ok(())
}

/// `initialize_copy(module)`: takes over the members of the other module.
fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let original = args.at(0);
    if recv == original {
        return Ok(recv);
    }
    let (Some(to), Some(from)) = (Class::try_of(recv), Class::try_of(original)) else {
        return Err(ctx.copy_of_other_class_error());
    };
    if original == ctx.classes().basic_object.get() {
        return Err(ctx.type_error("can't copy the root class"));
    }
    if !from.is_module() && from.is_singleton() {
        return Err(ctx.type_error("can't copy singleton class"));
    }
    if ctx.real_class(recv) != ctx.real_class(original) {
        return Err(ctx.copy_of_other_class_error());
    }
    if !from.is_module() {
        to.copy_class(ctx, from);
    }
    super::kernel::copy_members(ctx, from, to)?;
    let meta = ctx.dispatch_class(original);
    if meta.is_singleton()
        && meta.attached(ctx) == original
        && let Some(own) = Class::singleton_class(ctx, recv)
    {
        super::kernel::copy_members(ctx, meta, own)?;
    }
    Ok(recv)
}

/// `name -> string or nil`
fn name(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    Ok(name_string(ctx, class))
}

/// The name as a frozen String, which is the same one each time; nil where there is none.
pub fn name_string(ctx: &mut Ctx, class: Class) -> Value {
    if class.is_singleton() {
        return Value::NIL;
    }
    let Some(name) = class.name(ctx).map(str::to_string) else { return Value::NIL };
    let known = class.data(ctx).name_string.0;
    if Str::try_of(known).is_some_and(|text| text.bytes(ctx) == name.as_bytes()) {
        return known;
    }
    let encoding = if name.is_ascii() { Encoding::US_ASCII } else { Encoding::UTF_8 };
    let text = super::exception::frozen(Str::new(ctx, name.as_bytes(), encoding).value());
    class.set_name_string(ctx, text);
    text
}

/// `to_s -> string`
fn to_s(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    if class.is_singleton() {
        let attached = class.attached(ctx);
        if !Class::is(attached) {
            let text = ctx.any_to_s(attached);
            return Ok(string(ctx, &format!("#<Class:{text}>")));
        }
        // A class may show itself in a way of its own.
        let text = ctx.inspect(attached)?;
        return Ok(string(ctx, &format!("#<Class:{text}>")));
    }
    let text = class.inspect(ctx);
    Ok(string(ctx, &text))
}

/// `set_temporary_name(string or nil) -> self`
fn set_temporary_name(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    if class.has_permanent_name(ctx) {
        return Err(ctx.runtime_error("can't change permanent name"));
    }
    if args.at(0).is_nil() {
        class.set_temporary_name(ctx, None);
        return Ok(class.value());
    }
    let text = ctx.to_str(args.at(0))?.to_lossy(ctx).into_owned();
    if text.is_empty() {
        return Err(ctx.argument_error("empty class/module name"));
    }
    if text
        .strip_prefix("::")
        .unwrap_or(&text)
        .split("::")
        .all(|part| super::support::is_const_name(part.as_bytes(), Encoding::UTF_8))
    {
        return Err(ctx.argument_error("the temporary name must not be a constant path to avoid confusion"));
    }
    class.set_temporary_name(ctx, Some(&text));
    Ok(class.value())
}

/// `module === object -> true or false`
fn op_case_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(ctx.is_a(args.at(0), recv)))
}

fn op_eq(_ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(recv == args.at(0)))
}

/// The other operand of a comparison of modules.
fn compared(ctx: &mut Ctx, value: Value) -> Result<Class> {
    match Class::try_of(value) {
        Some(class) => Ok(class),
        None => Err(ctx.type_error("compared with non class/module")),
    }
}

/// Whether `a` inherits from `b` (true), the other way round (false), or neither (nil).
fn relation(ctx: &Ctx, a: Class, b: Class) -> Value {
    if a.inherits(ctx, b.value()) {
        Value::TRUE
    } else if b.inherits(ctx, a.value()) {
        Value::FALSE
    } else {
        Value::NIL
    }
}

fn op_lt(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let other = compared(ctx, args.at(0))?;
    Ok(if class.value() == other.value() { Value::FALSE } else { relation(ctx, class, other) })
}

fn op_le(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let other = compared(ctx, args.at(0))?;
    Ok(relation(ctx, class, other))
}

fn op_gt(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let other = compared(ctx, args.at(0))?;
    Ok(if class.value() == other.value() { Value::FALSE } else { relation(ctx, other, class) })
}

fn op_ge(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let other = compared(ctx, args.at(0))?;
    Ok(relation(ctx, other, class))
}

/// `module <=> other -> -1, 0, 1 or nil`
fn op_cmp(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let Some(other) = Class::try_of(args.at(0)) else { return Ok(Value::NIL) };
    if class.value() == other.value() {
        return Ok(Value::fixnum(0));
    }
    Ok(match relation(ctx, class, other) {
        Value::TRUE => Value::fixnum(-1),
        Value::FALSE => Value::fixnum(1),
        _ => Value::NIL,
    })
}

/// `freeze -> self`: the name becomes known first.
fn freeze(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    super::kernel::freeze(ctx, recv, args)
}

/// `ancestors -> array`
fn ancestors(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    let mro = class.mro(ctx).to_vec(); // tidy: rooted by the class
    Ok(class_list(ctx, &mro))
}

// tidy: modules in the ancestry of a class that the caller keeps
fn modules_of(ctx: &Ctx, class: Class) -> Vec<Class> {
    class.mro(ctx).iter().copied().filter(|m| *m != class && m.is_module()).collect()
}

/// `included_modules -> array`
fn included_modules(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    let modules = modules_of(ctx, class);
    Ok(class_list(ctx, &modules))
}

/// `include?(module) -> true or false`
fn include_p(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let Some(module) = Class::try_of(args.at(0)).filter(|module| module.is_module()) else {
        return Err(super::support::wrong_type(ctx, args.at(0), "Module"));
    };
    Ok(Value::from_bool(modules_of(ctx, class).contains(&module)))
}

/// Raises unless `module` is a module that may be put among the ancestors of something.
pub fn check_includable(ctx: &mut Ctx, module: Value, operation: &str) -> Result<()> {
    if !module.has_tag(Tag::Module) {
        return Err(super::support::wrong_type(ctx, module, "Module"));
    }
    let refinement = ctx.classes().refinement.get();
    if ctx.is_a(module, refinement) {
        let what = match operation {
            "extend" => "extend object with refinement",
            "prepend" => "prepend refinement",
            _ => "include refinement",
        };
        return Err(ctx.type_error(&format!("Cannot {what}")));
    }
    Ok(())
}

/// `include(module, ...) -> self`
pub fn include(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let names = ctx.names();
    bring_in(ctx, recv, args, "include", [names.append_features, names.included])
}

/// `prepend(module, ...) -> self`
fn prepend(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let names = ctx.names();
    bring_in(ctx, recv, args, "prepend", [names.prepend_features, names.prepended])
}

fn bring_in(ctx: &mut Ctx, recv: Value, args: Args, operation: &str, calls: [rubellite_vm::Sym; 2]) -> Result {
    let refinement = ctx.classes().refinement.get();
    if ctx.is_a(recv, refinement) {
        return Err(ctx.type_error(&format!("Refinement#{operation} has been removed")));
    }
    if args.is_empty() {
        return Err(ctx.arity_error(0, 1, None));
    }
    for module in args.slice() {
        check_includable(ctx, *module, operation)?;
    }
    for module in args.slice().iter().rev() {
        for call in calls {
            ctx.call(*module, call, &[recv])?;
        }
    }
    Ok(recv)
}

fn target(ctx: &mut Ctx, value: Value) -> Result<Class> {
    match Class::try_of(value) {
        Some(class) => Ok(class),
        None => Err(super::support::wrong_type(ctx, value, "Class or Module")),
    }
}

fn check_cycle(ctx: &mut Ctx, outcome: std::result::Result<(), IncludeError>, operation: &str) -> Result<()> {
    outcome.map_err(|IncludeError::Cyclic| ctx.argument_error(&format!("cyclic {operation} detected")))
}

/// These methods may have been bound to a class.
fn check_module(ctx: &mut Ctx, recv: Value) -> Result<()> {
    if recv.has_tag(Tag::Module) { Ok(()) } else { Err(super::support::wrong_type(ctx, recv, "Module")) }
}

/// `append_features(module) -> self`: what `include` does.
fn append_features(ctx: &mut Ctx, recv: Class, args: Args) -> Result {
    check_module(ctx, recv.value())?;
    let class = target(ctx, args.at(0))?;
    ctx.check_frozen_class(class)?;
    let outcome = class.include(ctx, recv);
    check_cycle(ctx, outcome, "include")?;
    Ok(recv.value())
}

/// `prepend_features(module) -> self`: what `prepend` does.
fn prepend_features(ctx: &mut Ctx, recv: Class, args: Args) -> Result {
    check_module(ctx, recv.value())?;
    let class = target(ctx, args.at(0))?;
    ctx.check_frozen_class(class)?;
    let outcome = class.prepend(ctx, recv);
    check_cycle(ctx, outcome, "prepend")?;
    Ok(recv.value())
}

/// `extend_object(object) -> object`: what `extend` does.
fn extend_object(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    check_module(ctx, class.value())?;
    let object = args.at(0);
    let singleton = ctx.singleton_of(object)?;
    if object.header().is_some_and(|h| h.frozen()) {
        return Err(ctx.frozen_error(object));
    }
    let outcome = singleton.include(ctx, class);
    check_cycle(ctx, outcome, "include")?;
    Ok(object)
}

/// `singleton_class? -> true or false`
fn singleton_class_p(_ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    Ok(Value::from_bool(class.is_singleton()))
}

/// `Module.nesting -> array`: the modules around the calling code, innermost first.
fn nesting(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let mut modules = Vec::new(); // tidy: rooted by the scopes
    let mut at = ctx.caller_cref();
    while let Some(scope) = at {
        if scope.parent().is_nil() {
            break;
        }
        if !scope.is_eval() {
            modules.push(scope.module());
        }
        at = rubellite_vm::object::Cref::try_of(scope.parent());
    }
    Ok(value_list(ctx, &modules))
}
