//! Pathname, which programs find without `require`: the constant loads it when it is first used. It is
//! written in Ruby, but for what leaves matches to its caller. A file `pathname.rb` found before this library adds to
//! the class, as in CRuby.

use rubellite_core_load as load;
use rubellite_vm::call::CallKind;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

static KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: "",
    module_functions: &[method("Pathname", Arity::ONE, kernel_pathname)],
    ..ClassDef::EMPTY
};

static PATHNAME: ClassDef =
    ClassDef { name: "Pathname", superclass: "Object", methods: &[method("sub", Arity::ANY, sub)], ..ClassDef::EMPTY };

/// `sub(pattern, replacement) -> Pathname`, `sub(pattern) { } -> Pathname`: the match is the caller's `$~`.
fn sub(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.intern("@path");
    let path = ctx.ivar_get(recv, name);
    let name = ctx.intern("sub");
    let changed = ctx.call_full(path, name, args.slice(), args.has_keywords(), args.block, CallKind::Public)?;
    let class = ctx.real_class(recv).value();
    ctx.call_name(class, "new", &[changed])
}

fn load_pathname(ctx: &mut Ctx) -> Result<()> {
    ctx.run_internal(include_str!("pathname.rb"), "pathname")?;
    ctx.install(&PATHNAME).map(drop)
}

pub fn register(ctx: &mut Ctx) {
    load::register_extension(ctx, "pathname", load_pathname);
    load::register_for_older(ctx, "pathname", |ctx| load::require(ctx, b"pathname.so").map(drop));
    // These fail only for lack of memory or when the classes do not exist.
    let _ = ctx.install(&KERNEL);
    let _ = load::announce(ctx, "Pathname", "pathname.so");
}

/// `Pathname(path) -> Pathname`; a Pathname is itself.
fn kernel_pathname(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    load::require(ctx, b"pathname.so")?;
    let class = ctx.named_class("Pathname")?.value();
    if ctx.real_class(args.at(0)).value() == class {
        return Ok(args.at(0));
    }
    ctx.call_name(class, "new", &[args.at(0)])
}
