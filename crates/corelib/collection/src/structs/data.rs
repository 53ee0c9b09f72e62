//! Data: immutable records.

use super::members::{collect_names, define_singletons, finish_class, make_class, members_of, position};
use super::record;
use rubellite_vm::class::Class;
use rubellite_vm::object::{Array, Hash, Str, Struct};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Unwind, Value, flags, method, private_method};

pub static DATA: ClassDef = ClassDef {
    name: "Data",
    superclass: "Object",
    // The classes that `define` makes have both.
    no_new: true,
    singleton_methods: &[method("define", Arity::ANY, define)],
    methods: &[
        private_method("initialize", Arity::ANY.with_keywords(), initialize),
        private_method("initialize_copy", Arity::ONE, initialize_copy),
        method("==", Arity::ONE, record::op_eq),
        method("eql?", Arity::ONE, record::eql_p),
        method("hash", Arity::NONE, record::hash),
        method("inspect", Arity::NONE, inspect),
        method("to_s", Arity::NONE, inspect),
        method("to_h", Arity::NONE, record::to_h),
        method("deconstruct", Arity::NONE, record::to_a),
        method("deconstruct_keys", Arity::ONE, record::data_deconstruct_keys),
        method("members", Arity::NONE, record::members_method),
        method("with", Arity::ANY.with_keywords(), with),
    ],
    ..ClassDef::EMPTY
};

/// `Data.define(*members) { ... }`
fn define(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let names = collect_names(ctx, args, "data")?;
    let class = make_class(ctx, recv, names, Value::NIL, false)?;
    define_singletons(
        ctx,
        class,
        &[],
        &[
            method("new", Arity::ANY.with_keywords(), new),
            method("[]", Arity::ANY.with_keywords(), new),
            method("members", Arity::NONE, record::class_members),
        ],
    );
    finish_class(ctx, recv, class, args.block)?;
    let define = ctx.intern("define");
    // A class that was made here has no `define` to begin with; C code makes others below it all the same.
    if let Some(singleton) = Class::singleton_class(ctx, class.value())
        .filter(|singleton| singleton.find_method(ctx, define).method.is_some())
    {
        let name = ctx.intern("undef_method");
        ctx.call(singleton.value(), name, &[Value::symbol(define)])?;
    }
    Ok(class.value())
}

/// `new(*values)` and `new(**values)`: `initialize` always gets keywords.
fn new(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let object = ctx.allocate(class)?;
    let initialize = ctx.names().initialize;
    if args.has_keywords() {
        if !args.positional().is_empty() {
            return Err(ctx.arity_error(args.len(), 0, Some(0)));
        }
        ctx.call_args(object, initialize, args)?;
        return Ok(object);
    }
    let names = members_of(ctx, class)?;
    if args.len() > names.len() {
        return Err(ctx.arity_error(args.len(), 0, Some(names.len())));
    }
    let hash = Hash::with_capacity(ctx, args.len());
    for i in 0..args.len() {
        hash.insert(ctx, names.get(i).unwrap_or(Value::NIL), args.at(i))?;
    }
    initialize_with(ctx, object, hash, args.block)?;
    Ok(object)
}

fn initialize_with(ctx: &mut Ctx, object: Value, hash: Hash, block: Value) -> Result<()> {
    let initialize = ctx.names().initialize;
    if hash.is_empty() {
        ctx.call_with_block(object, initialize, &[], block)?;
    } else {
        ctx.call_full(object, initialize, &[hash.value()], true, block, rubellite_vm::CallKind::Any)?;
    }
    Ok(())
}

/// "missing keywords: :x, :y", "unknown keyword: :z"
#[cold]
fn keyword_problem(ctx: &mut Ctx, what: &str, names: Array) -> Unwind {
    let mut texts = Vec::new();
    for i in 0..names.len() {
        match ctx.inspect(names.get(i).unwrap_or(Value::NIL)) {
            Ok(text) => texts.push(text),
            Err(unwind) => return unwind,
        }
    }
    let plural = if texts.len() > 1 { "s" } else { "" };
    ctx.argument_error(&format!("{what} keyword{plural}: {}", texts.join(", ")))
}

fn initialize(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    ctx.check_frozen(record.value())?;
    let class = ctx.real_class(record.value());
    let names = members_of(ctx, class)?;
    let given = match args.keywords().or_else(|| Hash::try_of(args.at(0))) {
        Some(hash) if args.len() == 1 => hash,
        None if args.is_empty() => Hash::new(ctx),
        _ => return Err(ctx.arity_error(args.len(), 0, Some(0))),
    };
    let (unknown, mut seen) = (Array::new(ctx), vec![false; names.len()]);
    let keys = given.keys(ctx);
    for i in 0..keys.len() {
        let key = keys.get(i).unwrap_or(Value::NIL);
        let text = if key.is_symbol() { None } else { ctx.check_str(key)? };
        let shown = text.map_or(key, Str::value);
        let name = ctx.to_symbol(shown)?;
        match position(ctx, names, name) {
            Some(at) => {
                let value = given.get(ctx, key)?.unwrap_or(Value::NIL);
                record.set(ctx, at, value);
                seen[at] = true;
            }
            None => unknown.push(ctx, shown),
        }
    }
    if seen.contains(&false) {
        let missing = Array::new(ctx);
        for (i, _) in seen.iter().enumerate().filter(|(_, seen)| !**seen) {
            let name = names.get(i).unwrap_or(Value::NIL);
            missing.push(ctx, name);
        }
        return Err(keyword_problem(ctx, "missing", missing));
    }
    if !unknown.is_empty() {
        return Err(keyword_problem(ctx, "unknown", unknown));
    }
    record.header().set(flags::FROZEN);
    Ok(record.value())
}

fn initialize_copy(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    record::initialize_copy(ctx, record.value(), args)?;
    record.header().set(flags::FROZEN);
    Ok(record.value())
}

fn inspect(ctx: &mut Ctx, record: Struct, _args: Args) -> Result {
    record::inspect(ctx, record, "data")
}

/// `with(**changes)`
fn with(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    if !args.positional().is_empty() {
        return Err(ctx.arity_error(args.positional().len(), 0, Some(0)));
    }
    let Some(changes) = args.keywords() else { return Ok(record.value()) };
    let all = record::to_h(ctx, record, Args::none())?;
    let hash: Hash = ctx.expect(all)?;
    super::super::hash::each_entry(ctx, changes, |ctx, key, value| hash.insert(ctx, key, value).map(|()| true))?;
    let class = ctx.real_class(record.value());
    let object = ctx.allocate(class)?;
    initialize_with(ctx, object, hash, Value::NIL)?;
    Ok(object)
}
