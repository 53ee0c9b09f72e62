//! Module: defining, aliasing, removing and undefining methods.

use super::super::method_object;
use super::attributes::default_visibility;
use rubellite_vm::class::{Arity, Class, MethodDef, method};
use rubellite_vm::object::Proc;
use rubellite_vm::{Args, Ctx, MethodBody, Result, Sym, Value, Visibility};

pub static METHODS: &[MethodDef] = &[
    method("define_method", Arity::range(1, 2), define_method),
    method("alias_method", Arity::exact(2), alias_method),
    method("remove_method", Arity::ANY, remove_method),
    method("undef_method", Arity::ANY, undef_method),
    rubellite_vm::private_method("ruby2_keywords", Arity::at_least(1), ruby2_keywords),
    method("autoload", Arity::exact(2), super::autoload::module_autoload),
    method("autoload?", Arity::range(1, 2), super::autoload::module_autoload_p),
];

/// `define_method(name, method or proc) -> symbol`, `define_method(name) { } -> symbol`
fn define_method(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let (visibility, module_function) = default_visibility(ctx, class);
    let name = define_method_in(ctx, class, args, visibility)?;
    if let (true, Some(singleton)) = (module_function, Class::singleton_class(ctx, class.value())) {
        define_method_in(ctx, singleton, args, Visibility::Public)?;
    }
    Ok(name)
}

/// Defines a method with the body that the arguments name.
pub fn define_method_in(ctx: &mut Ctx, class: Class, args: Args, visibility: Visibility) -> Result {
    let name = ctx.to_symbol(args.at(0))?;
    let body = match args.get(1) {
        None if args.has_block() => ctx.block_to_value(args.block),
        None => return Err(ctx.argument_error("tried to create Proc object without a block")),
        Some(body) => body,
    };
    if let Some(proc) = Proc::try_of(body) {
        let klass = ctx.classes().proc.get();
        let copy = proc.copy(ctx, klass, proc.is_lambda() || args.len() == 1);
        copy.set_from_method();
        if ctx.shareable(body) {
            ctx.freeze_shareable(copy.value());
        }
        let method = ctx.add_method(class, name, visibility, MethodBody::Proc(copy))?;
        if proc.ruby2_keywords() {
            method.set_ruby2_keywords();
        }
        return Ok(Value::symbol(name));
    }
    let Some(source) = method_object::entry_of(ctx, body) else {
        let given = ctx.real_class(body).inspect(ctx);
        return Err(ctx.type_error(&format!("wrong argument type {given} (expected Proc/Method/UnboundMethod)")));
    };
    let owner = source.owner();
    if !owner.is_module() && !class.inherits(ctx, owner.value()) {
        let text = if owner.is_singleton() {
            "can't bind singleton method to a different class".to_string()
        } else {
            format!("bind argument must be a subclass of {}", owner.inspect(ctx))
        };
        return Err(ctx.type_error(&text));
    }
    let source = source.resolved();
    let body = match source.body() {
        // Code without a body of its own cannot be an alias's original.
        MethodBody::Missing => MethodBody::Missing,
        _ if source.owner() == class => MethodBody::Alias(source),
        // `super` in it goes on from `class`, with the name it had.
        _ => MethodBody::Alias(source.copy_for(ctx, class, source.visibility())),
    };
    ctx.add_method(class, name, visibility, body)?;
    Ok(Value::symbol(name))
}

/// `alias_method(new, old) -> symbol`
fn alias_method(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let (new, old) = (ctx.to_symbol(args.at(0))?, ctx.to_symbol(args.at(1))?);
    ctx.alias_method(class, new, old)?;
    Ok(Value::symbol(new))
}

/// `remove_method(name, ...) -> self`
fn remove_method(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    for name in args.slice() {
        let name = ctx.to_symbol(*name)?;
        ctx.check_frozen_class(class)?;
        ctx.warn_unwise(name, "removing")?;
        let present = class.own_method(ctx, name).is_some_and(|m| !matches!(m.body(), MethodBody::Undef));
        if !present {
            let (text, module) = (ctx.sym_str(name), class.inspect(ctx));
            return Err(ctx.name_error(
                "NameError",
                &format!("method '{text}' not defined in {module}"),
                class.value(),
                name,
            ));
        }
        ctx.warn_of_lost_speed(class, name)?;
        class.remove_method(ctx, name);
        let names = ctx.names();
        ctx.method_hook(class, name, names.method_removed, names.singleton_method_removed)?;
    }
    Ok(class.value())
}

/// `undef_method(name, ...) -> self`
fn undef_method(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    for name in args.slice() {
        let name = ctx.to_symbol(*name)?;
        ctx.undef_method(class, name)?;
    }
    Ok(class.value())
}

/// A name as warnings show it: its characters where its bytes are not those of ASCII.
fn shown_name(ctx: &Ctx, name: Sym) -> String {
    let encoding = ctx.sym_encoding(name);
    if encoding.is_ascii_compatible() {
        return ctx.sym_str(name);
    }
    let codes = encoding.chars(ctx.sym_bytes(name)).filter_map(|c| encoding.code_point(c).ok());
    codes.filter_map(|(code, _)| char::from_u32(code)).collect()
}

/// `ruby2_keywords(name, ...) -> nil`
pub fn ruby2_keywords(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    ctx.check_frozen_class(class)?;
    for name in args.slice() {
        let name = ctx.to_symbol(*name)?;
        let Some(method) = class.own_method(ctx, name) else {
            let object = ctx.classes().object.class();
            // A module is looked through like an object of it would be.
            let elsewhere = class.is_module() && object.find_method(ctx, name).method.is_some();
            if elsewhere || class.find_method(ctx, name).method.is_some() {
                let text = shown_name(ctx, name);
                ctx.warn(&format!(
                    "Skipping set of ruby2_keywords flag for {text} (can only set in method defining module)"
                ))?;
                continue;
            }
            return Err(ctx.undefined_in_class(class, name));
        };
        if !mark_ruby2_keywords(ctx, method.resolved().body()) {
            let text = shown_name(ctx, name);
            let reason = match method.resolved().body() {
                MethodBody::Code { .. } | MethodBody::Proc(_) => {
                    "method accepts keywords or post arguments or method does not accept argument splat"
                }
                _ => "method not defined in Ruby",
            };
            ctx.warn(&format!("Skipping set of ruby2_keywords flag for {text} ({reason})"))?;
        }
        method.resolved().set_ruby2_keywords();
    }
    Ok(Value::NIL)
}

fn mark_ruby2_keywords(ctx: &mut Ctx, body: &MethodBody) -> bool {
    let code = match body {
        MethodBody::Code { code, .. } => *code,
        MethodBody::Proc(proc) => match proc.body() {
            rubellite_vm::object::proc::ProcBody::Code(code) => *code,
            _ => return false,
        },
        _ => return false,
    };
    code.mark_ruby2_keywords(ctx)
}
