//! Pathname, which programs find without `require`: the constant loads it when it is first used. It is written in Ruby.

use rubellite_corelib::system::load;
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

static KERNEL: ClassDef = ClassDef { name: "Kernel", superclass: "", module_functions: &[method("Pathname", Arity::ONE, kernel_pathname)], ..ClassDef::EMPTY };

pub fn register(ctx: &mut Ctx) {
    load::register(ctx, "pathname", |ctx| ctx.run_source(include_bytes!("pathname.rb"), "<internal:pathname>", false).map(drop));
    load::register(ctx, "pathname.so", |ctx| load::require(ctx, b"pathname").map(drop));
    // These fail only for lack of memory or when the classes do not exist.
    let _ = ctx.install(&KERNEL);
    let object = ctx.classes().object.get();
    let name = Value::symbol(ctx.intern("Pathname"));
    let file = Str::ascii(ctx, "pathname").value();
    let _ = ctx.call_name(object, "autoload", &[name, file]);
}

/// `Pathname(path) -> Pathname`; a Pathname is itself.
fn kernel_pathname(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    load::require(ctx, b"pathname")?;
    let class = ctx.named_class("Pathname")?.value();
    if ctx.real_class(args.at(0)).value() == class {
        return Ok(args.at(0));
    }
    ctx.call_name(class, "new", &[args.at(0)])
}
