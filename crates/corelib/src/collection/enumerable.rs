//! Enumerable: the natives that the Ruby parts of the collections build on. They are private and their names begin
//! with two underscores; what programs see is `enumerable.rb`.

use super::array;
use super::util::{compare, count_arg, elements, order_of};
use rubellite_vm::class::Class;
use rubellite_vm::method::Method;
use rubellite_vm::object::{Array, Hash, Range};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, private_method};

pub static ENUMERABLE: ClassDef = ClassDef {
    name: "Enumerable",
    superclass: "",
    methods: &[
        private_method("__enum", Arity::range(0, 7), enum_of_caller),
        private_method("__try_array", Arity::ONE, try_array),
        private_method("__to_array", Arity::ONE, to_array),
        private_method("__elements", Arity::ONE, elements_of),
        private_method("__to_index", Arity::ONE, to_index),
        private_method("__size_arg", Arity::ONE, size_arg),
        private_method("__check_frozen", Arity::NONE, check_frozen),
        private_method("__order", Arity::exact(3), order),
        private_method("__compare", Arity::exact(2), compare_values),
        private_method("__below", Arity::exact(2), below),
        private_method("__pick", Arity::exact(2), pick),
        private_method("__total", Arity::exact(2), total),
        private_method("__sort_keys", Arity::exact(2), sort_keys),
        private_method("__sorted_list", Arity::ONE, sorted_list),
        private_method("__zip", Arity::at_least(1), zip),
        private_method("__add_new", Arity::exact(3), add_new),
        private_method("__values", Arity::ONE, values),
        private_method("__wants_pair", Arity::NONE, wants_pair),
        private_method("__takes_two", Arity::NONE, takes_two),
        private_method("__same", Arity::exact(2), same),
        private_method("__clip", Arity::exact(2), clip),
        private_method("__count", Arity::exact(2), count),
    ],
    ruby: include_str!("enumerable.rb"),
    ..ClassDef::EMPTY
};

/// The Enumerator of the calling method, which may be a copy under another name; the block gives the size.
fn enum_of_caller(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.direct_caller_method().map_or(Value::NIL, |m| Value::symbol(m.name()));
    let mut words = [Value::NIL; 8];
    words[0] = name;
    let count = args.len().min(7);
    words[1..=count].copy_from_slice(&args.slice()[..count]);
    let to_enum = ctx.names().to_enum;
    if ctx.is_builtin(recv, to_enum) {
        let size = if args.has_block() { ctx.block_to_value(args.block) } else { Value::NIL };
        return super::enumerator::over(ctx, recv, name, args.slice(), None, size);
    }
    ctx.call_with_block(recv, to_enum, &words[..=count], args.block)
}

/// `__copy(new, old)`: the same method under a second name, as core methods with two names have it. An alias
/// would keep the first name.
fn copy_method(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let (Some(new), Some(old)) = (args.at(0).as_symbol(), args.at(1).as_symbol()) else { return Ok(Value::NIL) };
    if let Some(original) = class.own_method(ctx, old) {
        let copy = Method::new(ctx, new, class, original.visibility(), *original.body());
        class.set_method(ctx, new, copy);
    }
    Ok(Value::NIL)
}

pub static MODULE: ClassDef = ClassDef { name: "Module", methods: &[private_method("__copy", Arity::exact(2), copy_method)], ..ClassDef::EMPTY };

fn try_array(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(ctx.check_array(args.at(0))?.map_or(Value::NIL, Array::value))
}

fn to_array(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(ctx.to_ary(args.at(0))?.value())
}

fn elements_of(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(elements(ctx, args.at(0))?.value())
}

fn to_index(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let n = ctx.to_int(args.at(0))?;
    Ok(ctx.int(n))
}

/// The count that `min(n)` and the like take.
fn size_arg(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let n = ctx.to_int(args.at(0))?;
    if n < 0 {
        return Err(ctx.argument_error(&format!("negative size ({n})")));
    }
    count_arg(ctx, args.at(0), "negative size").map(|n| Value::fixnum(n as i64))
}

fn check_frozen(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    ctx.check_frozen(recv)?;
    Ok(recv)
}

fn order(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::fixnum(order_of(ctx, args.at(0), args.at(1), args.at(2))? as i64))
}

fn compare_values(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::fixnum(compare(ctx, args.at(0), args.at(1))? as i64))
}

fn below(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let limit = args.at(1).as_fixnum().unwrap_or(1).max(1) as usize;
    array::Dice::of(ctx, args.at(0)).below(ctx, limit).map(|n| Value::fixnum(n as i64))
}

fn list_arg(args: Args, i: usize) -> Option<Array> {
    Array::try_of(args.at(i))
}

/// `__count(hash, item)`: one more.
fn count(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let hash = ctx.expect(args.at(0))?;
    array::count(ctx, hash, args.at(1))?;
    Ok(Value::NIL)
}

fn pick(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    match (list_arg(args, 0), list_arg(args, 1)) {
        (Some(list), Some(at)) => array::pick(ctx, list, at),
        _ => Ok(Value::NIL),
    }
}

fn total(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    match list_arg(args, 0) {
        Some(list) => array::sum(ctx, list, args.at(1)),
        None => Ok(args.at(1)),
    }
}

fn sort_keys(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    match (list_arg(args, 0), list_arg(args, 1)) {
        (Some(list), Some(keys)) => Ok(array::sort_by_keys(ctx, list, keys)?.value()),
        _ => Ok(Value::NIL),
    }
}

fn sorted_list(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let list = elements(ctx, args.at(0))?;
    let sorted = if args.has_block() { array::sort_list_with_block(ctx, list, args.block)? } else { array::sort_list(ctx, list)? };
    Ok(sorted.value())
}

fn zip(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    match list_arg(args, 0) {
        Some(list) => array::zip(ctx, list, args.from(1)),
        None => Ok(Value::NIL),
    }
}

/// Stores a pair in a Hash unless the key is there; says whether it was stored.
fn add_new(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let Some(table) = Hash::try_of(args.at(0)) else { return Ok(Value::NIL) };
    if table.contains(ctx, args.at(1))? {
        return Ok(Value::FALSE);
    }
    super::hash::store(ctx, table, args.at(1), args.at(2))?;
    Ok(Value::TRUE)
}

fn values(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Hash::try_of(args.at(0)).map_or(Value::NIL, |table| table.values(ctx).value()))
}

/// Whether the block takes a pair as two values: it is no lambda and has more than one parameter.
fn wants_pair(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let lambda = rubellite_vm::object::Proc::try_of(args.block).is_some_and(|p| p.is_lambda());
    Ok(Value::from_bool(!lambda && args.has_block() && ctx.block_arity(args.block) > 1))
}

/// Whether the block, lambda or not, has more than one parameter.
fn takes_two(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(args.has_block() && ctx.block_arity(args.block) > 1))
}

/// Identity, which objects cannot redefine.
fn same(_ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(args.at(0) == args.at(1)))
}

/// First position and count that an index Range means in a number of elements, or nil.
fn clip(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let len = args.at(1).as_fixnum().unwrap_or(0).max(0) as usize;
    debug_assert!(Range::try_of(args.at(0)).is_some());
    match super::util::index_range(ctx, args.at(0), len, super::util::Fit::Clip)? {
        Some(Some((start, count))) => {
            let (start, count) = (ctx.int(start as i64), ctx.int(count as i64));
            Ok(Array::from_slice(ctx, &[start, count]).value())
        }
        _ => Ok(Value::NIL),
    }
}
