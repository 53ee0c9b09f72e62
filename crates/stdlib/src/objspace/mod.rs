//! `objspace`: sizes, counts and descriptions of objects, and where they were made.

mod dump;

use rubellite_core_object::runtime::{living_objects, type_name};
use rubellite_vm::object::integer::is_integer;
use rubellite_vm::object::{Array, Hash, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, method};

static OBJECT_SPACE: ClassDef = ClassDef {
    name: "ObjectSpace",
    superclass: "",
    module_functions: &[
        method("memsize_of", Arity::ONE, memsize_of),
        method("memsize_of_all", Arity::range(0, 1), memsize_of_all),
        method("count_objects_size", Arity::range(0, 1), count_objects_size),
        method("count_tdata_objects", Arity::range(0, 1), count_tdata_objects),
        method("reachable_objects_from", Arity::ONE, reachable_objects_from),
        method("trace_object_allocations_start", Arity::NONE, trace_start),
        method("trace_object_allocations_stop", Arity::NONE, trace_stop),
        method("trace_object_allocations_debug_start", Arity::NONE, trace_start),
        method("trace_object_allocations_clear", Arity::NONE, trace_clear),
        method("allocation_sourcefile", Arity::ONE, allocation_sourcefile),
        method("allocation_sourceline", Arity::ONE, allocation_sourceline),
        method("allocation_class_path", Arity::ONE, allocation_class_path),
        method("allocation_method_id", Arity::ONE, allocation_method_id),
        method("allocation_generation", Arity::ONE, allocation_generation),
        method("_dump", Arity::exact(2), dump::one),
        method("_dump_all", Arity::range(2, 4), dump::all),
        method("_dump_shapes", Arity::exact(2), dump::shapes),
    ],
    ..ClassDef::EMPTY
};

/// What CRuby calls the type of an object, without its `T_`.
fn type_of(ctx: &Ctx, object: Value) -> &'static str {
    if rubellite_core_io::io::state::try_state(ctx, object).is_some() {
        return "FILE";
    }
    type_name(object).map_or("OBJECT", |name| name.strip_prefix("T_").unwrap_or(name))
}

/// The hash that counts go into.
fn result_hash(ctx: &mut Ctx, args: &Args) -> Result<Hash> {
    match args.get(0) {
        None => Ok(Hash::new(ctx)),
        Some(given) => Hash::try_of(given).ok_or_else(|| ctx.type_error("non-hash given")),
    }
}

fn add(ctx: &mut Ctx, hash: Hash, key: Value, more: i64) -> Result<()> {
    let before = hash.get(ctx, key)?.filter(|before| !before.is_nil());
    let more = Value::fixnum(more);
    let sum = match before {
        Some(before) => {
            let plus = ctx.intern("+");
            ctx.call(before, plus, &[more])?
        }
        None => more,
    };
    hash.insert(ctx, key, sum)
}

/// `ObjectSpace.memsize_of_all(module = nil) -> Integer`: bytes of all objects, or of the instances of a module.
fn memsize_of_all(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let module = args.non_nil(0);
    if let Some(module) = module.filter(|module| !Class::is(*module)) {
        let class = ctx.real_class(module).inspect(ctx);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected Class)")));
    }
    let objects = living_objects(ctx, module)?;
    let sum: usize = objects.slice(ctx).iter().map(|object| ctx.memory_size_of(*object)).sum();
    Ok(Value::fixnum(sum as i64))
}

/// `ObjectSpace.count_objects_size(hash = {}) -> hash`: bytes of the objects by type.
fn count_objects_size(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let result = result_hash(ctx, &args)?;
    let objects = living_objects(ctx, None)?;
    let mut sizes: Vec<(&str, usize)> = Vec::new();
    for object in objects.slice(ctx) {
        let (name, size) = (type_of(ctx, *object), ctx.memory_size_of(*object));
        match sizes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += size,
            None => sizes.push((name, size)),
        }
    }
    let total: usize = sizes.iter().map(|(_, size)| size).sum();
    for (name, size) in sizes {
        let key = Value::symbol(ctx.intern_str(&format!("T_{name}")));
        add(ctx, result, key, size as i64)?;
    }
    let key = Value::symbol(ctx.intern("TOTAL"));
    result.insert(ctx, key, Value::fixnum(total as i64))?;
    Ok(result.value())
}

/// `ObjectSpace.count_tdata_objects(hash = {}) -> hash`: objects whose content is the runtime's own, by class.
fn count_tdata_objects(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let result = result_hash(ctx, &args)?;
    let objects = living_objects(ctx, None)?;
    let mut counts: Vec<(Value, i64)> = Vec::new(); // tidy: classes of objects that the list keeps
    for object in objects.slice(ctx) {
        if type_of(ctx, *object) != "DATA" {
            continue;
        }
        let class = ctx.real_class(*object).value();
        match counts.iter_mut().find(|(known, _)| *known == class) {
            Some((_, count)) => *count += 1,
            None => counts.push((class, 1)),
        }
    }
    for (class, count) in counts {
        add(ctx, result, class, count)?;
    }
    Ok(result.value())
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

pub fn register(ctx: &mut Ctx) {
    rubellite_core_load::register_extension(ctx, "objspace", load);
}

fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&OBJECT_SPACE)?;
    ctx.run_internal(include_str!("objspace.rb"), "objspace").map(drop)
}
