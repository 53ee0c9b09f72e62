//! ARGF: the files of the command line as one stream. All of it is Ruby; the natives here are what Ruby cannot say.

use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, GlobalHooks, Result, Value, primitive};

pub static ARGF: ClassDef = ClassDef {
    name: "Kernel",
    superclass: "",
    setup: Some(setup),
    primitives: &[primitive("kernel_set_last_line", Arity::ONE, set_last_line)],
    ruby: include_str!("argf.rb"),
    ..ClassDef::EMPTY
};

fn setup(ctx: &mut Ctx, _kernel: Class) -> Result<()> {
    // The part in Ruby opens it again.
    let object = ctx.named_class("Object")?;
    let class = Class::new_class(ctx, Some(object));
    class.set_own_name(ctx, "ARGF.class");
    object.set_const(ctx, "ARGF__", class.value());
    ctx.hook_global("$<", GlobalHooks { get: argf, set: None });
    ctx.hook_global("$-i", GlobalHooks { get: inplace, set: Some(set_inplace) });
    Ok(())
}

/// Sets `$_` of the code that called the prelude's `gets`.
fn set_last_line(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.set_last_line(args.at(0));
    Ok(args.at(0))
}

/// `$-i`: the extension of edits in place.
fn inplace(ctx: &mut Ctx, name: rubellite_vm::Sym) -> Result {
    let argf = argf(ctx, name)?;
    ctx.call_name(argf, "inplace_mode", &[])
}

fn set_inplace(ctx: &mut Ctx, name: rubellite_vm::Sym, value: Value) -> Result<()> {
    let argf = argf(ctx, name)?;
    ctx.call_name(argf, "inplace_mode=", &[value]).map(|_| ())
}

/// `$. = number` is also the number of ARGF's last line.
pub fn note_lineno(ctx: &mut Ctx, number: Value) -> Result<()> {
    let name = ctx.intern("$<");
    let argf = argf(ctx, name)?;
    let lineno = ctx.intern("@lineno");
    ctx.ivar_set(argf, lineno, number);
    Ok(())
}

fn argf(ctx: &mut Ctx, _name: rubellite_vm::Sym) -> Result {
    let object = ctx.named_class("Object")?;
    let name = ctx.intern("ARGF");
    ctx.const_get(object, name, false)
}
