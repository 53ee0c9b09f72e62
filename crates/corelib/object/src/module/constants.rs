//! Module: constants by name.

use super::super::support::{is_const_name, is_const_symbol, location, symbol_list};
use rubellite_vm::class::{Arity, Class, ConstEntry, MethodDef, method};
use rubellite_vm::object::Array;
use rubellite_vm::warning::Category;
use rubellite_vm::{Args, Ctx, Result, Sym, Value};
use rustc_hash::FxHashSet;

pub static METHODS: &[MethodDef] = &[
    method("const_get", Arity::range(1, 2), const_get),
    method("const_set", Arity::exact(2), const_set),
    method("const_defined?", Arity::range(1, 2), const_defined_p),
    method("const_missing", Arity::ONE, const_missing),
    method("const_source_location", Arity::range(1, 2), const_source_location),
    method("constants", Arity::range(0, 1), constants),
    rubellite_vm::private_method("remove_const", Arity::ONE, remove_const),
    method("private_constant", Arity::ANY, private_constant),
    method("public_constant", Arity::ANY, public_constant),
    method("deprecate_constant", Arity::ANY, deprecate_constant),
];

fn wrong_name(ctx: &mut Ctx, recv: Value, text: &str) -> rubellite_vm::Unwind {
    let sym = ctx.intern_str(text);
    ctx.name_error("NameError", &format!("wrong constant name {text}"), recv, sym)
}

/// The parts of a name like "A::B", and whether it began with "::". A Symbol has one part.
fn path_of(ctx: &mut Ctx, recv: Value, name: Value) -> Result<(Vec<Sym>, bool)> {
    if let Some(sym) = ctx.pinned(name) {
        if !is_const_symbol(ctx, sym) {
            let text = ctx.sym_str(sym);
            return Err(wrong_name(ctx, recv, &text));
        }
        return Ok((vec![sym], false));
    }
    let text = ctx.to_str(name)?;
    if !text.encoding().is_ascii_compatible() {
        return Err(ctx.argument_error("invalid class path encoding (non ASCII)"));
    }
    let (whole, encoding) = (text.bytes(ctx).to_vec(), text.encoding());
    let (mut rest, rooted) = match whole.strip_prefix(b"::") {
        Some(rest) => (rest, true),
        None => (&whole[..], false),
    };
    let mut parts = Vec::new();
    loop {
        let end = rest.windows(2).position(|pair| pair == b"::");
        let part = &rest[..end.unwrap_or(rest.len())];
        if !is_const_name(part, encoding) {
            if !text.is_valid(ctx) {
                let shown = ctx.inspect(text.value())?;
                let message = format!("invalid symbol in encoding {} :{shown}", encoding.name());
                return Err(ctx.raise_error("EncodingError", &message));
            }
            let text = text.to_lossy(ctx).into_owned();
            return Err(wrong_name(ctx, recv, &text));
        }
        parts.push(ctx.intern_bytes(part, encoding));
        match end {
            Some(end) => rest = &rest[end + 2..],
            None => return Ok((parts, rooted)),
        }
    }
}

fn inherits(args: Args) -> bool {
    args.get(1).is_none_or(Value::truthy)
}

/// `const_get(name, inherit = true) -> object`
fn const_get(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let inherit = inherits(args);
    let (parts, rooted) = path_of(ctx, recv, args.at(0))?;
    let mut at = if rooted { ctx.classes().object.get() } else { recv };
    for (i, part) in parts.iter().enumerate() {
        let Some(class) = Class::try_of(at) else {
            let text = ctx.inspect(at)?;
            return Err(ctx.type_error(&format!("{text} does not refer to class/module")));
        };
        at = if i == 0 || !inherit { ctx.const_get(class, *part, inherit)? } else { nested(ctx, class, *part)? };
    }
    Ok(at)
}

/// A later part of a path: Object's constants do not count, unless the part is looked up in Object.
fn nested(ctx: &mut Ctx, class: Class, name: Sym) -> Result {
    if class.find_const(ctx, name, false).is_some() {
        return ctx.const_get(class, name, true);
    }
    let missing = ctx.names().const_missing;
    ctx.call(class.value(), missing, &[Value::symbol(name)])
}

/// `const_set(name, object) -> object`
fn const_set(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.to_symbol(args.at(0))?;
    if !is_const_symbol(ctx, name) {
        let text = ctx.sym_str(name);
        return Err(wrong_name(ctx, recv, &text));
    }
    ctx.set_const_checked(recv, name, args.at(1))?;
    Ok(args.at(1))
}

/// `const_defined?(name, inherit = true) -> true or false`
fn const_defined_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let inherit = inherits(args);
    let (parts, rooted) = path_of(ctx, recv, args.at(0))?;
    let mut at = if rooted { ctx.classes().object.get() } else { recv };
    for (i, part) in parts.iter().enumerate() {
        let Some(class) = Class::try_of(at) else {
            let text = ctx.inspect(at)?;
            return Err(ctx.type_error(&format!("{text} does not refer to class/module")));
        };
        let Some((owner, _)) = lookup(ctx, class, *part, inherit, i == 0)? else { return Ok(Value::FALSE) };
        if i + 1 == parts.len() {
            return Ok(Value::TRUE);
        }
        at = ctx.const_get(owner, *part, false)?;
    }
    Ok(Value::TRUE)
}

fn lookup(ctx: &mut Ctx, class: Class, name: Sym, inherit: bool, first: bool) -> Result<Option<(Class, ConstEntry)>> {
    ctx.visible_const(class, name, inherit.then_some(first))
}

/// `const_missing(name)`
fn const_missing(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.to_symbol(args.at(0))?;
    let unwind = ctx.uninitialized_constant(recv, name);
    super::super::exception::hide_innermost(ctx);
    Err(unwind)
}

/// `const_source_location(name, inherit = true) -> [file, line], [] or nil`
fn const_source_location(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let inherit = inherits(args);
    let (parts, rooted) = path_of(ctx, recv, args.at(0))?;
    let mut at = if rooted { ctx.classes().object.get() } else { recv };
    for (i, part) in parts.iter().enumerate() {
        let Some(class) = Class::try_of(at) else {
            let text = ctx.inspect(at)?;
            return Err(ctx.type_error(&format!("{text} does not refer to class/module")));
        };
        let found = match lookup(ctx, class, *part, inherit, i == 0)? {
            Some(found) => Some(found),
            // What is just being loaded is where `autoload` was called.
            None if inherit => class.find_const(ctx, *part, i == 0).map(|(owner, entry)| (owner, entry.clone())),
            None => class.own_const(ctx, *part).map(|entry| (class, entry.clone())),
        };
        let Some((owner, entry)) = found else { return Ok(Value::NIL) };
        if i + 1 == parts.len() {
            return Ok(match &entry.file {
                Some(file) => location(ctx, file, entry.line as i32),
                None => Array::new(ctx).value(),
            });
        }
        at = ctx.const_get(owner, *part, false)?;
    }
    Ok(Value::NIL)
}

/// `constants(inherit = true) -> array`
fn constants(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let mut names = Names::default();
    let inherit = args.get(0).is_none_or(Value::truthy);
    let object = ctx.classes().object.class();
    let modules = if inherit { class.mro(ctx).to_vec() } else { vec![class] }; // tidy: rooted by the class
    for module in modules {
        if module == object && class != object {
            break;
        }
        add_names(ctx, module, &mut names);
    }
    Ok(symbol_list(ctx, &names.list))
}

/// Names of constants, each once, in the order in which they were found.
#[derive(Default)]
struct Names {
    list: Vec<Sym>,
    known: FxHashSet<Sym>,
}

fn add_names(ctx: &Ctx, module: Class, names: &mut Names) {
    for name in module.own_const_names(ctx) {
        let public = module.own_const(ctx, name).is_some_and(|e| !e.flags.private);
        if public && is_const_symbol(ctx, name) && names.known.insert(name) {
            names.list.push(name);
        }
    }
}

/// `Module.constants -> array`: the constants that the calling code sees; with an argument, those of Module itself.
pub fn module_constants(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    if !args.is_empty() || class.value() != ctx.classes().module.get() {
        return constants(ctx, class, args);
    }
    let mut names = Names::default();
    let mut at = ctx.caller_cref();
    let mut innermost = None;
    while let Some(scope) = at {
        if let Some(class) = Class::try_of(scope.module()).filter(|_| !scope.is_eval()) {
            innermost.get_or_insert(class);
            add_names(ctx, class, &mut names);
        }
        at = rubellite_vm::object::Cref::try_of(scope.parent());
    }
    if let Some(class) = innermost {
        for module in class.mro(ctx).to_vec() {
            add_names(ctx, module, &mut names);
        }
    }
    Ok(symbol_list(ctx, &names.list))
}

/// `remove_const(name) -> object`
fn remove_const(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let name = ctx.to_symbol(args.at(0))?;
    let text = ctx.sym_str(name);
    if !is_const_symbol(ctx, name) {
        return Err(ctx.name_error(
            "NameError",
            &format!("'{text}' is not allowed as a constant name"),
            class.value(),
            name,
        ));
    }
    ctx.check_frozen_class(class)?;
    match class.remove_const(ctx, name) {
        Some(entry) => {
            if entry.flags.deprecated {
                let full = if class.value() == ctx.classes().object.get() {
                    format!("::{text}")
                } else {
                    format!("{}::{text}", class.inspect(ctx))
                };
                ctx.warn_category(&format!("constant {full} is deprecated"), Category::Deprecated)?;
            }
            Ok(if entry.flags.autoload { Value::NIL } else { entry.value })
        }
        None => {
            let module = class.inspect(ctx);
            Err(ctx.name_error("NameError", &format!("constant {module}::{text} not defined"), class.value(), name))
        }
    }
}

/// Changes the flags of the named constants of the module itself.
fn change_flags(ctx: &mut Ctx, class: Class, args: Args, change: fn(&mut rubellite_vm::class::ConstFlags)) -> Result {
    ctx.check_frozen_class(class)?;
    for name in args.slice() {
        let sym = ctx.to_symbol(*name)?;
        match class.const_entry_mut(ctx, sym) {
            Some(entry) => change(&mut entry.flags),
            None => {
                let (text, module) = (ctx.sym_str(sym), class.inspect(ctx));
                return Err(ctx.name_error(
                    "NameError",
                    &format!("constant {module}::{text} not defined"),
                    class.value(),
                    sym,
                ));
            }
        }
    }
    Ok(Value::NIL)
}

/// `private_constant(name, ...) -> nil`
fn private_constant(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    if args.is_empty() {
        ctx.warn("private_constant with no argument is just ignored")?;
    }
    change_flags(ctx, class, args, |flags| flags.private = true)
}

/// `public_constant(name, ...) -> nil`
fn public_constant(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    change_flags(ctx, class, args, |flags| flags.private = false)
}

/// `deprecate_constant(name, ...) -> self`
fn deprecate_constant(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    change_flags(ctx, class, args, |flags| flags.deprecated = true)?;
    Ok(class.value())
}
