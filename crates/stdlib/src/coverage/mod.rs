//! `coverage` and `objspace`: small windows into the runtime. Coverage is written in Ruby, on trace points; branches
//! are counted by the code itself, which is compiled so while they are wanted.

use rubellite_vm::object::integer::is_integer;
use rubellite_vm::object::{Array, CodeRange, Hash, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, primitive};

static OBJECT_SPACE: ClassDef = ClassDef {
    name: "ObjectSpace",
    superclass: "",
    module_functions: &[
        method("memsize_of", Arity::ONE, memsize_of),
        method("reachable_objects_from", Arity::ONE, reachable_objects_from),
        method("trace_object_allocations_start", Arity::NONE, trace_start),
        method("trace_object_allocations_stop", Arity::NONE, trace_stop),
        method("trace_object_allocations_clear", Arity::NONE, trace_clear),
        method("allocation_sourcefile", Arity::ONE, allocation_sourcefile),
        method("allocation_sourceline", Arity::ONE, allocation_sourceline),
        method("allocation_class_path", Arity::ONE, allocation_class_path),
        method("allocation_method_id", Arity::ONE, allocation_method_id),
        method("allocation_generation", Arity::ONE, allocation_generation),
    ],
    primitives: &[primitive("object_cell", Arity::NONE, cell), primitive("object_type", Arity::NONE, type_name)],
    ..ClassDef::EMPTY
};

/// `object_cell(object) -> hash`: what a description says of the memory of an object.
fn cell(ctx: &mut Ctx, object: Value, _args: Args) -> Result {
    let bytes = ctx.cell_bytes_of(object);
    let mut parts = vec![("slot_size", bytes.to_string())];
    let mut flag = |name, on: bool| {
        if on {
            parts.push((name, "true".to_string()));
        }
    };
    flag("embedded", ctx.memory_size_of(object) == bytes && !ctx.is_a(object, ctx.classes().module.get()));
    flag("old", ctx.is_old(object));
    if let Some(string) = Str::try_of(object) {
        flag("fstring", string.is_interned());
        flag("chilled", string.chilled().is_some());
        let range = match string.cached_code_range() {
            None => "unknown",
            Some(CodeRange::SevenBit) => "7bit",
            Some(CodeRange::Valid) => "valid",
            Some(CodeRange::Broken) => "broken",
        };
        parts.push(("coderange", range.to_string()));
    }
    let hash = Hash::new(ctx);
    for (name, text) in parts {
        let (name, text) = (Value::symbol(ctx.intern(name)), Str::utf8(ctx, &text).value());
        hash.insert(ctx, name, text)?;
    }
    Ok(hash.value())
}

/// `object_type(object) -> string or nil`: as CRuby calls the type of an object on the heap.
fn type_name(ctx: &mut Ctx, object: Value, _args: Args) -> Result {
    Ok(rubellite_core_object::runtime::type_name(object).map_or(Value::NIL, |name| Str::utf8(ctx, name).value()))
}

/// `ObjectSpace.trace_object_allocations_start`: from now on it is noted where objects are made.
fn trace_start(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    ctx.begin_births();
    Ok(Value::NIL)
}

/// `ObjectSpace.trace_object_allocations_stop`, as often as it was started.
fn trace_stop(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    ctx.end_births();
    Ok(Value::NIL)
}

/// `ObjectSpace.trace_object_allocations_clear`: forgets what was noted.
fn trace_clear(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    ctx.forget_births();
    Ok(Value::NIL)
}

/// `ObjectSpace.allocation_sourcefile(object) -> string or nil`
fn allocation_sourcefile(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(ctx.birth_of(args.at(0)).map_or(Value::NIL, |birth| Str::utf8(ctx, &birth.script.path).value()))
}

/// `ObjectSpace.allocation_sourceline(object) -> integer or nil`
fn allocation_sourceline(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(ctx.birth_of(args.at(0)).map_or(Value::NIL, |birth| Value::fixnum(birth.line as i64)))
}

/// `ObjectSpace.allocation_class_path(object) -> string or nil`: of the class that has the method which made the
/// object.
fn allocation_class_path(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(ctx.birth_of(args.at(0)).and_then(|birth| birth.class).map_or(Value::NIL, |name| Str::utf8(ctx, &name).value()))
}

/// `ObjectSpace.allocation_method_id(object) -> symbol or nil`
fn allocation_method_id(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(ctx
        .birth_of(args.at(0))
        .and_then(|birth| birth.method)
        .map_or(Value::NIL, |name| Value::symbol(ctx.intern_str(&name))))
}

/// `ObjectSpace.allocation_generation(object) -> integer or nil`: collections before the object was made.
fn allocation_generation(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(ctx.birth_of(args.at(0)).map_or(Value::NIL, |birth| Value::fixnum(birth.generation as i64)))
}

static COVERAGE: ClassDef = ClassDef {
    name: "Coverage",
    superclass: "",
    primitives: &[
        primitive("coverage_counts_branches", Arity::ONE, counts_branches),
        primitive("coverage_runs", Arity::ONE, runs),
    ],
    ..ClassDef::EMPTY
};

/// `coverage_counts_branches(coverage, bool)`: whether sources of programs that are compiled from now on count their
/// branches.
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
    if !value.is_heap() {
        return Ok(Value::NIL);
    }
    if is_integer(value) {
        let class = ctx.class_of(value);
        return Ok(Array::from_slice(ctx, &[class]).value());
    }
    Ok(ctx.reachable_from(value).value())
}
