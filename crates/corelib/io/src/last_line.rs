//! Kernel: `sub`, `gsub`, `chop` and `chomp` of `$_`, which there are under `-n` and `-p` only.

use rubellite_vm::{Args, Arity, CallKind, Class, Ctx, MethodDef, Result, Tag, Unwind, Value, Visibility, method};

const FUNCTIONS: &[MethodDef] = &[
    method("sub", Arity::ANY, sub),
    method("gsub", Arity::ANY, gsub),
    method("chop", Arity::NONE, chop),
    method("chomp", Arity::ANY, chomp),
];

/// Defines them: the program is one of a loop over lines.
pub fn define(ctx: &mut Ctx) -> Result<()> {
    let kernel = ctx.named_class("Kernel")?;
    let singleton = Class::singleton_class(ctx, kernel.value()).ok_or(Unwind)?;
    for def in FUNCTIONS {
        ctx.define_native(singleton, def);
        ctx.define_native(kernel, &MethodDef { visibility: Visibility::Private, ..*def });
    }
    Ok(())
}

/// `$_ = $_.name(*args)`
fn change(ctx: &mut Ctx, name: &'static str, args: Args) -> Result {
    let line = ctx.last_line();
    if !line.has_tag(Tag::String) {
        let class = if line.is_nil() { "nil".to_string() } else { ctx.real_class(line).inspect(ctx) };
        return Err(ctx.type_error(&format!("$_ value need to be String ({class} given)")));
    }
    let name = ctx.intern(name);
    let changed = ctx.call_full(line, name, args.slice(), args.has_keywords(), args.block, CallKind::Public)?;
    ctx.set_last_line(changed);
    Ok(changed)
}

fn sub(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    change(ctx, "sub", args)
}

fn gsub(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    change(ctx, "gsub", args)
}

fn chop(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    change(ctx, "chop", args)
}

fn chomp(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    change(ctx, "chomp", args)
}
