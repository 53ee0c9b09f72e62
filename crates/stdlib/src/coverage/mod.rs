//! `coverage` and `objspace`: small windows into the runtime. Coverage is written in Ruby, on trace points.

use rubellite_vm::object::integer::is_integer;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

static OBJECT_SPACE: ClassDef = ClassDef {
    name: "ObjectSpace",
    superclass: "",
    module_functions: &[method("memsize_of", Arity::ONE, memsize_of), method("reachable_objects_from", Arity::ONE, reachable_objects_from)],
    ..ClassDef::EMPTY
};

pub fn register(ctx: &mut Ctx) {
    use rubellite_core_load::register_extension;
    register_extension(ctx, "coverage", |ctx| ctx.run_internal(include_str!("coverage.rb"), "coverage").map(drop));
    register_extension(ctx, "objspace", load_objspace);
}

fn load_objspace(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&OBJECT_SPACE)?;
    ctx.run_internal(include_str!("objspace.rb"), "objspace").map(drop)
}

/// `ObjectSpace.memsize_of(object) -> Integer`: bytes of its cell and of what it owns; 0 for immediates.
fn memsize_of(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::fixnum(ctx.memory_size_of(args.at(0)) as i64))
}

/// `ObjectSpace.reachable_objects_from(object) -> array or nil`
fn reachable_objects_from(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let value = args.at(0);
    if !value.is_heap() || is_integer(value) {
        return Ok(Value::NIL);
    }
    Ok(ctx.reachable_from(value).value())
}
