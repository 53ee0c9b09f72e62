//! `coverage` and `objspace`: small windows into the runtime. Coverage is written in Ruby, on trace points; branches are counted by the
//! code itself, which is compiled so while they are wanted.

use rubellite_vm::object::integer::is_integer;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, primitive};

static OBJECT_SPACE: ClassDef = ClassDef {
    name: "ObjectSpace",
    superclass: "",
    module_functions: &[method("memsize_of", Arity::ONE, memsize_of), method("reachable_objects_from", Arity::ONE, reachable_objects_from)],
    ..ClassDef::EMPTY
};

static COVERAGE: ClassDef = ClassDef {
    name: "Coverage",
    superclass: "",
    primitives: &[primitive("coverage_counts_branches", Arity::ONE, counts_branches), primitive("coverage_runs", Arity::ONE, runs)],
    ..ClassDef::EMPTY
};

/// `coverage_counts_branches(coverage, bool)`: whether sources of programs that are compiled from now on count their branches.
fn counts_branches(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.vm().counts_branches.set(args.at(0).truthy());
    Ok(Value::NIL)
}

/// `coverage_runs(coverage, bool)`: whether they do it now.
fn runs(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.vm().coverage_runs.set(args.at(0).truthy());
    Ok(Value::NIL)
}

fn load_coverage(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&COVERAGE)?;
    ctx.run_internal(include_str!("coverage.rb"), "coverage").map(drop)
}

pub fn register(ctx: &mut Ctx) {
    use rubellite_core_load::register_extension;
    register_extension(ctx, "coverage", load_coverage);
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
