//! Struct.

use super::super::util::{Fit, index_range};
use super::members::{
    collect_names, define_singletons, finish_class, make_class, members, members_of, position, record_info,
};
use super::record;
use rubellite_vm::class::Class;
use rubellite_vm::object::{Array, Hash, Str, Struct};
use rubellite_vm::{
    Args, Arity, ClassDef, Ctx, Result, Sym, Tag, Unwind, Value, method, no_allocator, primitive, private_method,
};

pub static STRUCT: ClassDef = ClassDef {
    name: "Struct",
    superclass: "Object",
    includes: &["Enumerable"],
    // The classes that `new` makes have one.
    alloc: Some(no_allocator),
    singleton_methods: &[method("new", Arity::ANY.with_keywords(), new)],
    methods: &[
        private_method("initialize", Arity::ANY.with_keywords(), initialize),
        private_method("initialize_copy", Arity::ONE, record::initialize_copy),
        method("==", Arity::ONE, record::op_eq),
        method("eql?", Arity::ONE, record::eql_p),
        method("hash", Arity::NONE, record::hash),
        method("inspect", Arity::NONE, inspect),
        method("to_s", Arity::NONE, inspect),
        method("to_a", Arity::NONE, record::to_a),
        method("deconstruct", Arity::NONE, record::to_a),
        method("values", Arity::NONE, record::to_a),
        method("to_h", Arity::NONE, record::to_h),
        method("deconstruct_keys", Arity::ONE, record::deconstruct_keys),
        method("members", Arity::NONE, record::members_method),
        method("size", Arity::NONE, size).leaf(0),
        method("length", Arity::NONE, size).leaf(0),
        method("[]", Arity::ONE, aref).tries(try_aref),
        method("[]=", Arity::exact(2), aset),
        method("dig", Arity::at_least(1), dig),
        method("values_at", Arity::ANY, values_at),
    ],
    primitives: &[
        primitive("struct_slot", Arity::ONE, slot).leaf(1),
        primitive("struct_set_slot", Arity::exact(2), set_slot),
    ],
    ruby: include_str!("../struct.rb"),
    ..ClassDef::EMPTY
};

/// `Struct.new(class_name = nil, *members, keyword_init: nil) { ... }`
fn new(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mut plain = args.positional();
    let setting = keyword_init_setting(ctx, args)?;
    let mut constant = None;
    if let Some(first) = plain.get(0)
        && !first.is_symbol()
    {
        constant = if first.is_nil() { None } else { Some(ctx.to_str(first)?) };
        plain = plain.from(1);
    }
    let names = collect_names(ctx, plain, "struct")?;
    let class = make_class(ctx, recv, names, setting, true)?;
    define_singletons(
        ctx,
        class,
        &["new", "[]"],
        &[
            method("members", Arity::NONE, record::class_members),
            method("keyword_init?", Arity::NONE, keyword_init_p),
            method("inspect", Arity::NONE, class_inspect),
        ],
    );
    if let Some(name) = constant {
        name_class(ctx, recv, class, name)?;
    }
    finish_class(ctx, recv, class, args.block)?;
    Ok(class.value())
}

fn keyword_init_setting(ctx: &mut Ctx, args: Args) -> Result {
    let Some(keywords) = args.keywords() else { return Ok(Value::NIL) };
    let known = ctx.intern("keyword_init");
    args.check_keywords(ctx, &["keyword_init"])?;
    Ok(match keywords.get_sym(ctx, known) {
        None | Some(Value::NIL) => Value::NIL,
        Some(value) => Value::from_bool(value.truthy()),
    })
}

/// Makes the class a constant of its superclass.
fn name_class(ctx: &mut Ctx, owner: Value, class: Class, name: Str) -> Result<()> {
    let text = name.to_lossy(ctx).into_owned();
    if !text.starts_with(|c: char| c.is_uppercase()) {
        let message = format!("identifier {text} needs to be constant");
        let sym = ctx.intern_str(&text);
        return Err(ctx.name_error("NameError", &message, owner, sym));
    }
    let sym = ctx.intern_str(&text);
    if let Some(holder) = Class::try_of(owner).filter(|owner| owner.own_const(ctx, sym).is_some()) {
        let owner_name = holder.inspect(ctx);
        ctx.warn(&format!("redefining constant {owner_name}::{text}"))?;
        holder.remove_const(ctx, sym);
    }
    let set = ctx.intern("const_set");
    ctx.call(owner, set, &[Value::symbol(sym), class.value()])?;
    Ok(())
}

fn setting_of(ctx: &Ctx, class: Class) -> Value {
    record_info(ctx, class).and_then(|info| info.get(1)).unwrap_or(Value::NIL)
}

fn keyword_init_p(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    Ok(setting_of(ctx, class))
}

fn class_inspect(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    let mut text = class.inspect(ctx);
    if setting_of(ctx, class) == Value::TRUE {
        text.push_str("(keyword_init: true)");
    }
    Ok(Str::utf8(ctx, &text).value())
}

fn initialize(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    ctx.check_frozen(record.value())?;
    let class = ctx.real_class(record.value());
    let names = members_of(ctx, class)?;
    let setting = setting_of(ctx, class);
    if setting == Value::TRUE {
        let by_hash = if args.has_keywords() { args.keywords() } else { Hash::try_of(args.at(0)) };
        let extra = args.positional().len();
        if extra > 1 || (extra == 1 && by_hash.is_none()) || (args.has_keywords() && extra > 0) {
            return Err(ctx.arity_error(args.len(), 0, Some(0)));
        }
        return match by_hash {
            Some(hash) => fill_by_keywords(ctx, record, names, hash, record.value()),
            None => Ok(record.value()),
        };
    }
    if let (Value::NIL, 1, Some(hash)) = (setting, args.len(), args.keywords()) {
        return fill_by_keywords(ctx, record, names, hash, record.value());
    }
    if args.len() > names.len() {
        return Err(ctx.argument_error("struct size differs"));
    }
    for i in 0..record.len() {
        record.set(ctx, i, args.at(i));
    }
    Ok(record.value())
}

fn fill_by_keywords(ctx: &mut Ctx, record: Struct, names: Array, hash: Hash, recv: Value) -> Result {
    let keys = hash.keys(ctx);
    let mut unknown = Vec::new();
    for i in 0..keys.len() {
        let key = keys.get(i).unwrap_or(Value::NIL);
        let name = if key.has_tag(Tag::String) { Some(ctx.to_symbol(key)?) } else { key.as_symbol() };
        let found = name.and_then(|name| position(ctx, names, name));
        match found {
            Some(at) => {
                let value = hash.get(ctx, key)?.unwrap_or(Value::NIL);
                record.set(ctx, at, value);
            }
            None => {
                let text = ctx.to_s(key)?;
                unknown.push(text.to_lossy(ctx).into_owned());
            }
        }
    }
    if unknown.is_empty() {
        Ok(recv)
    } else {
        Err(ctx.argument_error(&format!("unknown keywords: {}", unknown.join(", "))))
    }
}

fn inspect(ctx: &mut Ctx, record: Struct, _args: Args) -> Result {
    record::inspect(ctx, record, "struct")
}

fn size(_ctx: &mut Ctx, record: Struct, _args: Args) -> Result {
    Ok(Value::fixnum(record.len() as i64))
}

/// The value at a position, for the Ruby part.
fn slot(_ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    let at = args.at(0).as_fixnum().unwrap_or(0).max(0) as usize;
    Ok(record.get(at).unwrap_or(Value::NIL))
}

fn set_slot(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    ctx.check_frozen(record.value())?;
    let at = args.at(0).as_fixnum().unwrap_or(0).max(0) as usize;
    record.set(ctx, at, args.at(1));
    Ok(args.at(1))
}

#[cold]
fn no_member(ctx: &mut Ctx, recv: Value, name: Sym) -> Unwind {
    let text = ctx.sym_str(name);
    ctx.name_error("NameError", &format!("no member '{text}' in struct"), recv, name)
}

/// The position that a name or an index means.
fn locate(ctx: &mut Ctx, record: Struct, key: Value) -> Result<usize> {
    if key.is_symbol() || key.has_tag(Tag::String) {
        let name = ctx.to_symbol(key)?;
        let names = members(ctx, record.value())?;
        return match position(ctx, names, name) {
            Some(at) => Ok(at),
            None => Err(no_member(ctx, record.value(), name)),
        };
    }
    let index = i64::from(ctx.to_c_int(key)?);
    let len = record.len() as i64;
    let at = if index < 0 { index + len } else { index };
    if at < 0 {
        return Err(ctx.index_error(&format!("offset {index} too small for struct(size:{len})")));
    }
    if at >= len {
        return Err(ctx.index_error(&format!("offset {index} too large for struct(size:{len})")));
    }
    Ok(at as usize)
}

fn aref(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    let at = locate(ctx, record, args.at(0))?;
    Ok(record.get(at).unwrap_or(Value::NIL))
}

/// Of a symbol that is a member, or an index from the beginning.
fn try_aref(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    let key = args.at(0);
    let at = match key.as_symbol() {
        Some(name) => {
            let class = ctx.real_class(record.value());
            let members = record_info(ctx, class).and_then(|info| Array::try_of(info.get(0)?));
            members.and_then(|members| position(ctx, members, name))
        }
        None => key.as_fixnum().and_then(|at| usize::try_from(at).ok()),
    };
    Ok(at.and_then(|at| record.get(at)).unwrap_or(Value::UNDEF))
}

fn aset(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    let at = locate(ctx, record, args.at(0))?;
    ctx.check_frozen(record.value())?;
    record.set(ctx, at, args.at(1));
    Ok(args.at(1))
}

fn dig(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    let key = args.at(0);
    let found = if key.is_symbol() || key.has_tag(Tag::String) {
        let name = ctx.to_symbol(key)?;
        let names = members(ctx, record.value())?;
        match position(ctx, names, name) {
            Some(at) => record.get(at),
            None => None,
        }
    } else {
        let index = ctx.to_int(key)?;
        let len = record.len() as i64;
        let at = if index < 0 { index + len } else { index };
        if at < 0 { None } else { record.get(at as usize) }
    };
    super::super::array::dig_into(ctx, found.unwrap_or(Value::NIL), args.from(1))
}

fn values_at(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    let list = Array::new(ctx);
    for i in 0..args.len() {
        let key = args.at(i);
        if let Some(bounds) = index_range(ctx, key, || record.len(), Fit::Grow)? {
            let Some((start, count)) = bounds else { continue };
            if start > record.len() {
                let text = ctx.inspect(key)?;
                return Err(ctx.range_error(&format!("{text} out of range")));
            }
            for at in start..start.saturating_add(count) {
                list.push(ctx, record.get(at).unwrap_or(Value::NIL));
            }
            continue;
        }
        let index = ctx.to_int(key)?;
        let index = ctx.int(index);
        let at = locate(ctx, record, index)?;
        list.push(ctx, record.get(at).unwrap_or(Value::NIL));
    }
    Ok(list.value())
}
