//! Enumerable: the primitives that the Ruby parts of the collections build on; what programs see is `enumerable.rb`.

use super::array;
use super::util::{compare, elements};
use rubellite_core_object::proc::block_arity;
use rubellite_vm::class::Class;
use rubellite_vm::method::Method;
use rubellite_vm::object::{Array, Hash};
use rubellite_vm::{Args, Arity, CallKind, ClassDef, Ctx, Result, Value, primitive};

pub static ENUMERABLE: ClassDef = ClassDef {
    name: "Enumerable",
    superclass: "",
    methods: &[],
    primitives: &[
        primitive("enumerator_of_call", Arity::range(0, 7), enum_of_caller),
        primitive("call_public", Arity::exact(2), call_public),
        primitive("array_try_convert", Arity::NONE, try_array),
        primitive("array_convert", Arity::NONE, to_array),
        primitive("integer_convert", Arity::NONE, to_index),
        primitive("enumerable_size_arg", Arity::ONE, size_arg),
        primitive("object_check_frozen", Arity::NONE, check_frozen),
        primitive("enumerable_order", Arity::exact(2), order),
        primitive("enumerable_compare", Arity::ONE, compare_values),
        primitive("random_below", Arity::ONE, below),
        primitive("array_pick", Arity::ONE, pick),
        primitive("array_total", Arity::ONE, total),
        primitive("array_sort_keys", Arity::ONE, sort_keys),
        primitive("enumerable_sort", Arity::NONE, sorted_list),
        primitive("array_zip", Arity::ANY, array::zip),
        primitive("hash_add_new", Arity::exact(2), add_new),
        primitive("hash_values", Arity::NONE, values),
        primitive("block_wants_pair", Arity::NONE, wants_pair),
        primitive("block_plain_arity", Arity::NONE, plain_arity),
        primitive("block_takes_two", Arity::NONE, takes_two),
        primitive("hash_count", Arity::ONE, count),
        primitive("tally_table", Arity::NONE, tally_table),
        primitive("integer_of", Arity::NONE, to_integer),
        primitive("symbol_convert", Arity::NONE, to_symbol),
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

/// `(name, argument)`: calls a method that is not private.
fn call_public(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(name) = args.at(0).as_symbol() else { return Ok(Value::NIL) };
    ctx.call_full(recv, name, &[args.at(1)], false, Value::NIL, CallKind::Public)
}

/// `(class, new, old)`: the same method under a second name, as core methods with two names have it. An alias
/// would keep the first name.
fn copy_method(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    let (Some(new), Some(old)) = (args.at(0).as_symbol(), args.at(1).as_symbol()) else { return Ok(Value::NIL) };
    if let Some(original) = class.own_method(ctx, old) {
        let copy = Method::new(ctx, new, class, original.visibility(), *original.body());
        class.set_method(ctx, new, copy);
    }
    Ok(Value::NIL)
}

pub static MODULE: ClassDef = ClassDef {
    name: "Module",
    methods: &[],
    primitives: &[primitive("module_copy_method", Arity::exact(2), copy_method)],
    ..ClassDef::EMPTY
};

/// The Hash that a tally is added to.
fn tally_table(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = ctx.to_hash(recv)?.value();
    ctx.check_frozen(table)?;
    Ok(table)
}

/// An Integer of any size.
fn to_integer(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    ctx.to_integer(recv)
}

fn to_symbol(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::symbol(ctx.to_symbol(recv)?))
}

fn try_array(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(ctx.check_array(recv)?.map_or(Value::NIL, Array::value))
}

fn to_array(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(ctx.to_ary(recv)?.value())
}

fn to_index(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let n = ctx.to_int(recv)?;
    Ok(ctx.int(n))
}

/// `(N)`: the count that `min(n)` and the like take. CRuby keeps up to four times as many elements of N words.
fn size_arg(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let n = ctx.to_int(recv)?;
    if n < 0 {
        return Err(ctx.argument_error(&format!("negative size ({n})")));
    }
    let most = i64::MAX / 4 / ctx.to_int(args.at(0))?.max(1);
    if n > most {
        return Err(ctx.argument_error("too big size"));
    }
    if n > most / size_of::<Value>() as i64 {
        return Err(ctx.array_too_big());
    }
    Ok(Value::fixnum(n))
}

fn check_frozen(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    ctx.check_frozen(recv)?;
    Ok(recv)
}

fn order(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::fixnum(rubellite_core_object::ordering(ctx, recv, args.at(0), args.at(1))? as i64))
}

fn compare_values(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::fixnum(compare(ctx, recv, args.at(0))? as i64))
}

fn below(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let limit = args.at(0).as_fixnum().unwrap_or(1).max(1) as usize;
    array::Dice::of(ctx, recv).below(ctx, limit).map(|n| Value::fixnum(n as i64))
}

/// One more of the item in a table of counts.
fn count(ctx: &mut Ctx, table: Hash, args: Args) -> Result {
    array::count(ctx, table, args.at(0))?;
    Ok(Value::NIL)
}

fn pick(ctx: &mut Ctx, list: Array, args: Args) -> Result {
    let at = ctx.expect(args.at(0))?;
    array::pick(ctx, list, at)
}

fn total(ctx: &mut Ctx, list: Array, args: Args) -> Result {
    array::sum(ctx, list, args.at(0))
}

fn sort_keys(ctx: &mut Ctx, list: Array, args: Args) -> Result {
    let keys = ctx.expect(args.at(0))?;
    Ok(array::sort_by_keys(ctx, list, keys)?.value())
}

fn sorted_list(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let list = elements(ctx, recv)?;
    let sorted = if args.has_block() {
        array::sort_list_with_block(ctx, list, args.block)?
    } else {
        array::sort_list(ctx, list)?
    };
    Ok(sorted.value())
}

/// Stores a pair in a Hash unless the key is there; says whether it was stored.
fn add_new(ctx: &mut Ctx, table: Hash, args: Args) -> Result {
    if table.contains(ctx, args.at(0))? {
        return Ok(Value::FALSE);
    }
    table.store(ctx, args.at(0), args.at(1))?;
    Ok(Value::TRUE)
}

fn values(ctx: &mut Ctx, table: Hash, _args: Args) -> Result {
    Ok(table.values(ctx).value())
}

/// Whether the block takes a pair as two values: it is no lambda and has more than one parameter.
fn wants_pair(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let lambda = rubellite_vm::object::Proc::try_of(args.block).is_some_and(|p| p.is_lambda());
    Ok(Value::from_bool(!lambda && args.has_block() && ctx.block_arity(args.block) > 1))
}

/// How many parameters a block has that is no lambda and has required ones alone, else nil.
fn plain_arity(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(ctx.plain_block_arity(args.block).map_or(Value::NIL, |count| Value::fixnum(i64::from(count))))
}

/// Whether the block, lambda or method or not, has more than one parameter that must be given.
fn takes_two(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let arity = if args.has_block() { block_arity(ctx, args.block) } else { 0 };
    Ok(Value::from_bool(!(-2..=1).contains(&arity)))
}
