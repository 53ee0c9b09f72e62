//! Kernel: copies of objects and freezing.

use rubellite_vm::class::{Arity, Class, MethodDef, method, private_method};
use rubellite_vm::object::{Array, Exception, Hash, Str};
use rubellite_vm::{Args, CallKind, Ctx, Method, MethodBody, Result, Sym, Tag, Value, flags};

pub static METHODS: &[MethodDef] = &[
    method("dup", Arity::NONE, dup),
    method("clone", Arity::NONE.with_keywords(), clone),
    method("freeze", Arity::NONE, freeze),
    private_method("initialize_copy", Arity::ONE, initialize_copy),
    private_method("initialize_dup", Arity::ONE, initialize_dup),
    private_method("initialize_clone", Arity::ONE.with_keywords(), initialize_clone),
];

/// Whether copies of the value are the value itself: numbers, symbols, nil, true, false.
fn is_special(value: Value) -> bool {
    value.is_immediate()
        || matches!(value.header().map(|h| h.tag()), Some(Tag::Float | Tag::Bignum | Tag::Rational | Tag::Complex))
}

/// A fresh instance of the same class with the same instance variables.
fn blank_copy(ctx: &mut Ctx, recv: Value) -> Result {
    let class = ctx.real_class(recv);
    let copy = match recv.header().map(|h| h.tag()) {
        Some(Tag::Class) => ctx.allocate(class)?,
        _ => ctx.allocate(class)?,
    };
    ctx.ivar_copy(recv, copy);
    super::super::runtime::copy_finalizers(ctx, recv, copy);
    if let (Some(from), Some(to)) = (Exception::try_of(recv), Exception::try_of(copy)) {
        to.copy_from(ctx, from);
    }
    Ok(copy)
}

/// `dup -> object`
pub fn dup(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if is_special(recv) {
        return Ok(recv);
    }
    if let Some(copy) = plain_copy(ctx, recv) {
        return Ok(copy);
    }
    let copy = blank_copy(ctx, recv)?;
    let name = ctx.names().initialize_dup;
    initialize(ctx, copy, name, recv)?;
    Ok(copy)
}

/// Calls `initialize_dup` or `initialize_clone` of a fresh copy, which is of the original's class. Kernel's own ask
/// `initialize_copy` alone, and Kernel's of that does nothing: neither is called where nobody can see it.
fn initialize(ctx: &mut Ctx, copy: Value, name: Sym, original: Value) -> Result<()> {
    let class = ctx.dispatch_class(copy);
    let kernel = ctx.classes().kernel.class();
    let found = |name| class.find_method(ctx, name).method.filter(|m| matches!(m.body(), MethodBody::Native { .. }));
    let inner = ctx.names().initialize_copy;
    let (outer, copies) = (found(name), found(inner));
    let traced = ctx.is_traced();
    // What is copied so raises nothing.
    let plain = original.has_tag(Tag::Hash) || original.has_tag(Tag::Array);
    let unseen = |method: Method| !traced && (plain || method.owner() == kernel);
    match copies {
        Some(method) if unseen(method) && outer.is_some_and(|outer| outer.owner() == kernel) => {
            if method.owner() != kernel {
                ctx.call(copy, inner, &[original])?;
            }
        }
        _ => {
            ctx.call(copy, name, &[original])?;
        }
    }
    Ok(())
}

/// A copy of a String or an Array without calls: none when it has a class, instance variables or finalizers of its own.
/// How Strings are copied does not change with `initialize_copy`, as little as in CRuby.
fn plain_copy(ctx: &mut Ctx, recv: Value) -> Option<Value> {
    let header = recv.header()?;
    let class = match header.tag() {
        Tag::String => ctx.classes().string.class(),
        Tag::Array => ctx.classes().array.class(),
        _ => return None,
    };
    if ctx.real_class(recv) != class || header.shape() != 0 || header.has(flags::FINALIZER) {
        return None;
    }
    if let Some(string) = Str::try_of(recv) {
        return Some(string.dup(ctx).value());
    }
    let (ary, names) = (Array::try_of(recv)?, ctx.names());
    let ours = |name| {
        class.find_method(ctx, name).method.is_some_and(|m| matches!(m.resolved().body(), MethodBody::Native { .. }))
    };
    (ours(names.initialize_dup) && ours(names.initialize_copy)).then(|| ary.dup(ctx).value())
}

/// `clone(freeze: nil) -> object`
pub fn clone(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let freeze = freeze_option(ctx, args)?;
    if is_special(recv) {
        return match freeze {
            Some(false) => {
                let class = ctx.class_title(recv);
                Err(ctx.argument_error(&format!("can't unfreeze {class}")))
            }
            _ => Ok(recv),
        };
    }
    let copy = blank_copy(ctx, recv)?;
    copy_singleton(ctx, recv, copy)?;
    let name = ctx.names().initialize_clone;
    match freeze {
        Some(_) if keeps_default(ctx, copy, name) => initialize(ctx, copy, name, recv)?,
        Some(given) => {
            let options = Hash::new(ctx);
            let key = Value::symbol(ctx.names().freeze);
            options.insert(ctx, key, Value::from_bool(given))?;
            ctx.call_full(copy, name, &[recv, options.value()], true, Value::NIL, CallKind::Any)?;
        }
        None => initialize(ctx, copy, name, recv)?,
    }
    let frozen = freeze.unwrap_or_else(|| recv.header().is_some_and(|h| h.frozen()));
    if frozen {
        set_frozen(copy);
    }
    Ok(copy)
}

/// Whether Kernel's own method of the name is called for the object: the option `freeze` is then nobody's business.
fn keeps_default(ctx: &Ctx, object: Value, name: Sym) -> bool {
    let found = ctx.dispatch_class(object).find_method(ctx, name).method;
    found.is_some_and(|m| m.owner() == ctx.classes().kernel.class() && matches!(m.body(), MethodBody::Native { .. }))
}

fn freeze_option(ctx: &mut Ctx, args: Args) -> Result<Option<bool>> {
    args.check_keywords(ctx, &["freeze"])?;
    match args.keyword(ctx, "freeze") {
        None | Some(Value::NIL) => Ok(None),
        Some(Value::TRUE) => Ok(Some(true)),
        Some(Value::FALSE) => Ok(Some(false)),
        Some(other) => {
            let class = ctx.class_title(other);
            Err(ctx.argument_error(&format!("unexpected value for freeze: {class}")))
        }
    }
}

/// Gives `copy` a singleton class with the methods and modules of `recv`'s.
pub fn copy_singleton(ctx: &mut Ctx, recv: Value, copy: Value) -> Result<()> {
    let from = ctx.dispatch_class(recv);
    if !from.is_singleton() || from.attached(ctx) != recv || recv.has_tag(Tag::Class) {
        return Ok(());
    }
    let Some(to) = Class::singleton_class(ctx, copy) else { return Ok(()) };
    copy_members(ctx, from, to)?;
    // As CRuby does, no more than one of singleton classes' own goes along.
    let outer = ctx.dispatch_class(from.value());
    if !outer.is_singleton() || outer.attached(ctx) != from.value() {
        return Ok(());
    }
    let Some(to) = Class::singleton_class(ctx, to.value()) else { return Ok(()) };
    copy_members(ctx, outer, to)
}

/// Copies methods, constants, class variables and the modules in front of and behind `from` to `to`.
pub fn copy_members(ctx: &mut Ctx, from: Class, to: Class) -> Result<()> {
    let chain = from.data(ctx).chain.clone(); // tidy: rooted by `from`
    let own = chain.iter().position(|m| *m == from).unwrap_or(0);
    for &module in chain[own + 1..].iter().rev() {
        let _ = to.include(ctx, module);
    }
    for &module in chain[..own].iter().rev() {
        let _ = to.prepend(ctx, module);
    }
    for name in from.own_method_names(ctx) {
        if let Some(method) = from.own_method(ctx, name) {
            let copy = method.copy_for(ctx, to, method.visibility());
            to.set_method(ctx, name, copy);
        }
    }
    for name in from.own_const_names(ctx) {
        if let Some(entry) = from.own_const(ctx, name).cloned() {
            to.set_const_raw(ctx, name, entry);
        }
    }
    for name in from.own_cvar_names(ctx) {
        if let Some(value) = from.own_cvar(ctx, name) {
            to.set_own_cvar(ctx, name, value);
        }
    }
    Ok(())
}

fn set_frozen(value: Value) {
    if let Some(header) = value.header() {
        header.set(flags::FROZEN);
        if let Some(class) =
            Class::try_of(header.klass.get()).filter(|k| k.is_singleton() && !value.has_tag(Tag::Class))
            && let Some(header) = class.value().header()
        {
            header.set(flags::FROZEN);
        }
    }
}

/// `freeze -> self`
pub fn freeze(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    set_frozen(recv);
    Ok(recv)
}

/// `initialize_copy(original) -> self`
fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let original = args.at(0);
    if recv == original {
        return Ok(recv);
    }
    ctx.check_frozen(recv)?;
    if ctx.real_class(recv) != ctx.real_class(original) {
        return Err(ctx.copy_of_other_class_error());
    }
    Ok(recv)
}

/// `initialize_dup(original) -> self`
fn initialize_dup(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.names().initialize_copy;
    ctx.call(recv, name, &[args.at(0)])?;
    Ok(recv)
}

/// `initialize_clone(original, freeze: nil) -> self`
fn initialize_clone(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    freeze_option(ctx, args)?;
    let name = ctx.names().initialize_copy;
    ctx.call(recv, name, &[args.at(0)])?;
    Ok(recv)
}
