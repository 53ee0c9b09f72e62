//! What Struct and Data instances have in common: equality, hash values, text, conversion.

use super::super::array::{append_nested, word_of};
use super::super::util::{hash_value, recursive_hash};
use super::members::{append_name, members, members_of};
use rubellite_vm::class::Class;
use rubellite_vm::object::hashing::{hash_combine, hash_word};
use rubellite_vm::object::{Array, Hash, Str, Struct, fast_eql, normalize_index};
use rubellite_vm::{Args, Ctx, Result, Tag, Value};

fn same(ctx: &mut Ctx, record: Struct, other: Value, eql: bool) -> Result {
    if record.value() == other {
        return Ok(Value::TRUE);
    }
    let (a, Some(b)) = (record, Struct::try_of(other)) else { return Ok(Value::FALSE) };
    if ctx.real_class(record.value()) != ctx.real_class(other) {
        return Ok(Value::FALSE);
    }
    let name = if eql { ctx.names().eql_p } else { ctx.names().op_eq };
    let equal = ctx.guard_recursion(
        name,
        record.value(),
        other,
        |_| Ok(true),
        |ctx| {
            for i in 0..a.len() {
                let (x, y) = (a.get(i).unwrap_or(Value::NIL), b.get(i).unwrap_or(Value::NIL));
                let equal = match if eql { fast_eql(ctx, x, y) } else { None } {
                    Some(known) => known,
                    None if eql => ctx.eql(x, y)?,
                    None => ctx.equal(x, y)?,
                };
                if !equal {
                    return Ok(false);
                }
            }
            Ok(true)
        },
    )?;
    Ok(Value::from_bool(equal))
}

pub fn op_eq(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    same(ctx, record, args.at(0), false)
}

pub fn eql_p(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    same(ctx, record, args.at(0), true)
}

pub fn hash(ctx: &mut Ctx, record: Struct, _args: Args) -> Result {
    let seed = ctx.hash_seed();
    let class = ctx.real_class(record.value()).value();
    let start = hash_word(seed, class.bits());
    let hash = recursive_hash(ctx, record.value(), |ctx| {
        let mut hash = start;
        for i in 0..record.len() {
            let word = word_of(ctx, record.get(i).unwrap_or(Value::NIL))?;
            hash = hash_combine(seed, hash, word);
        }
        Ok(hash)
    })?;
    Ok(hash_value(hash))
}

/// `#<struct Name a=1, b=2>`; `word` is "struct" or "data".
pub fn inspect(ctx: &mut Ctx, record: Struct, word: &str) -> Result {
    let class = ctx.real_class(record.value());
    let shown = class.name(ctx).filter(|_| class.has_permanent_name(ctx));
    let start = match shown {
        Some(name) => format!("#<{word} {name}"),
        None => format!("#<{word} "),
    };
    let name = ctx.names().inspect;
    let named = shown.is_some();
    let again = format!("#<{word} {}:...>", class.inspect(ctx));
    let list = members(ctx, record.value())?;
    let text = ctx.guard_recursion(
        name,
        record.value(),
        Value::NIL,
        |ctx| Ok(Str::utf8(ctx, &again)),
        |ctx| {
            let text = Str::utf8(ctx, &start);
            for i in 0..record.len() {
                if i > 0 {
                    text.append(ctx, b", ");
                } else if named {
                    text.append(ctx, b" ");
                }
                append_name(ctx, text, list.get(i).unwrap_or(Value::NIL))?;
                text.append(ctx, b"=");
                append_nested(ctx, text, record.get(i).unwrap_or(Value::NIL))?;
            }
            text.append(ctx, b">");
            Ok(text)
        },
    )?;
    Ok(text.value())
}

/// Members and values as a Hash; with a block the pairs that it gives.
pub fn to_h(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    let list = members(ctx, record.value())?;
    let hash = Hash::with_capacity(ctx, record.len());
    for i in 0..record.len() {
        let (name, value) = (list.get(i).unwrap_or(Value::NIL), record.get(i).unwrap_or(Value::NIL));
        if !args.has_block() {
            hash.insert(ctx, name, value)?;
            continue;
        }
        let result = ctx.yield_values(args.block, &[name, value])?;
        let Some(pair) = ctx.check_array(result)? else {
            let class = ctx.describe_for_conversion(result);
            return Err(ctx.type_error(&format!("wrong element type {class} (expected array)")));
        };
        if pair.len() != 2 {
            return Err(ctx.argument_error(&format!("element has wrong array length (expected 2, was {})", pair.len())));
        }
        hash.store(ctx, pair.get(0).unwrap_or(Value::NIL), pair.get(1).unwrap_or(Value::NIL))?;
    }
    Ok(hash.value())
}

/// Where the member lies that a name, or for a Struct a number, means.
fn wanted_position(ctx: &mut Ctx, list: Array, key: Value, numbers: bool) -> Result<Option<usize>> {
    if !numbers || key.is_symbol() || key.has_tag(Tag::String) {
        let name = Value::symbol(ctx.to_symbol(key)?);
        return Ok(list.slice(ctx).iter().position(|m| *m == name));
    }
    let index = ctx.to_int(key)?;
    Ok(normalize_index(index, list.len()))
}

/// `deconstruct_keys(array_of_names or nil)`
pub fn deconstruct_keys(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    deconstruct(ctx, record, args, true)
}

/// The same for Data, which has no numbers.
pub fn data_deconstruct_keys(ctx: &mut Ctx, record: Struct, args: Args) -> Result {
    deconstruct(ctx, record, args, false)
}

fn deconstruct(ctx: &mut Ctx, record: Struct, args: Args, numbers: bool) -> Result {
    let wanted = args.at(0);
    if wanted.is_nil() {
        return to_h(ctx, record, Args::none());
    }
    let Some(wanted) = Array::try_of(wanted) else {
        let class = ctx.real_class(wanted).inspect(ctx);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected Array or nil)")));
    };
    let list = members(ctx, record.value())?;
    let hash = Hash::new(ctx);
    if wanted.len() > list.len() {
        return Ok(hash.value());
    }
    for i in 0..wanted.len() {
        let mut name = wanted.get(i).unwrap_or(Value::NIL);
        if !numbers && !name.is_symbol() {
            name = ctx.check_str(name)?.map_or(name, Str::value);
        }
        let position = wanted_position(ctx, list, name, numbers)?;
        let Some(value) = position.and_then(|p| record.get(p)) else { break };
        hash.store(ctx, name, value)?;
    }
    Ok(hash.value())
}

/// The members as a fresh Array.
pub fn members_method(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(members(ctx, recv)?.dup(ctx).value())
}

/// The members of a class as a fresh Array.
pub fn class_members(ctx: &mut Ctx, class: Class, _args: Args) -> Result {
    Ok(members_of(ctx, class)?.dup(ctx).value())
}

pub fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if recv == args.at(0) {
        return Ok(recv);
    }
    ctx.check_frozen(recv)?;
    match (Struct::try_of(recv), Struct::try_of(args.at(0))) {
        (Some(_), Some(_)) if ctx.real_class(recv) != ctx.real_class(args.at(0)) => {
            Err(ctx.copy_of_other_class_error())
        }
        (Some(copy), Some(other)) if copy.len() == other.len() => {
            copy.copy_from(ctx, other);
            Ok(recv)
        }
        (_, None) => Err(ctx.copy_of_other_class_error()),
        _ => Err(ctx.type_error("struct size mismatch")),
    }
}

/// The values as an Array.
pub fn to_a(ctx: &mut Ctx, record: Struct, _args: Args) -> Result {
    let list = Array::with_capacity(ctx, record.len());
    for i in 0..record.len() {
        list.push(ctx, record.get(i).unwrap_or(Value::NIL));
    }
    Ok(list.value())
}
