//! Range: what needs no block. Layout is `vm::object::range`; iteration is `range.rb`.

use super::array::word_of;
use super::util::{append, append_inspect, builtin_order, compare, count_arg, hash_value};
use rubellite_vm::object::hashing::{hash_combine, hash_word};
use rubellite_vm::object::{Array, Int, Range, Str, fast_eql, integer};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Tag, Value, flags, method, primitive, private_method};
use std::cmp::Ordering;

pub static RANGE: ClassDef = ClassDef {
    name: "Range",
    superclass: "Object",
    includes: &["Enumerable"],
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::range(2, 3), initialize),
        private_method("initialize_copy", Arity::ONE, initialize_copy),
        method("begin", Arity::NONE, begin).leaf(0),
        method("end", Arity::NONE, end).leaf(0),
        method("exclude_end?", Arity::NONE, exclude_end_p).leaf(0),
        method("==", Arity::ONE, op_eq),
        method("eql?", Arity::ONE, eql_p),
        method("hash", Arity::NONE, hash),
        method("to_s", Arity::NONE, to_s),
        method("inspect", Arity::NONE, inspect),
        method("cover?", Arity::ONE, cover_p),
        method("count", Arity::range(0, 1), count),
        method("min", Arity::range(0, 1), min),
        method("max", Arity::range(0, 1), max),
        method("minmax", Arity::NONE, minmax),
        method("size", Arity::NONE, size),
        method("first", Arity::range(0, 1), first),
        method("last", Arity::range(0, 1), last),
        method("include?", Arity::ONE, include_p),
        method("member?", Arity::ONE, include_p),
        method("sum", Arity::range(0, 1), sum),
        method("overlap?", Arity::ONE, overlap_p),
        method("===", Arity::ONE, case_eq),
    ],
    primitives: &[
        primitive("range_begin", Arity::NONE, begin).leaf(0),
        primitive("range_end", Arity::NONE, end).leaf(0),
        primitive("range_excl", Arity::NONE, exclude_end_p).leaf(0),
        primitive("range_order", Arity::ONE, order_or_nil),
        primitive("string_try_convert", Arity::NONE, try_string),
        primitive("range_ints", Arity::NONE, integers),
        primitive("float_bits", Arity::NONE, float_bits),
        primitive("float_of_bits", Arity::NONE, bits_float),
        primitive("range_last_ints", Arity::ONE, last_integers),
    ],
    ruby: include_str!("range.rb"),
    ..ClassDef::EMPTY
};

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Range::new_empty(ctx, class).value())
}

/// `Range.new(begin, end, exclude_end = false)`
fn initialize(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    if range.is_initialized() {
        return Err(ctx.frozen_error(range.value()));
    }
    ctx.check_frozen(range.value())?;
    ctx.check_range_ends(args.at(0), args.at(1))?;
    range.init(ctx, args.at(0), args.at(1), args.at(2).truthy());
    if ctx.real_class(range.value()).value() == ctx.classes().range.get() {
        range.header().set(flags::FROZEN);
    }
    Ok(Value::NIL)
}

fn initialize_copy(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    ctx.check_frozen(range.value())?;
    if range.is_initialized() {
        return Err(ctx.raise_error("NameError", "'initialize' called twice"));
    }
    match Range::try_of(args.at(0)) {
        Some(other) => range.init(ctx, other.begin(), other.end(), other.exclude_end()),
        None => return Err(ctx.copy_of_other_class_error()),
    }
    Ok(range.value())
}

fn begin(_ctx: &mut Ctx, range: Range, _args: Args) -> Result {
    Ok(range.begin())
}

fn end(_ctx: &mut Ctx, range: Range, _args: Args) -> Result {
    Ok(range.end())
}

fn exclude_end_p(_ctx: &mut Ctx, range: Range, _args: Args) -> Result {
    Ok(Value::from_bool(range.exclude_end()))
}

/// The general form of a method, written in Ruby.
fn general(ctx: &mut Ctx, recv: Value, name: &str, args: Args) -> Result {
    let name = ctx.internal(name);
    ctx.call_args(recv, name, args)
}

/// Whether Enumerable has its own method of this name, which is done here.
fn enumerable_has(ctx: &mut Ctx, name: &'static str) -> bool {
    let (enumerable, name) = (ctx.classes().enumerable.class(), ctx.intern(name));
    let method = enumerable.own_method(ctx, name).map(|method| method.resolved());
    method.is_some_and(|method| method.body().is_of_core())
}

/// Both ends, when they are fixnums that compare as they always do.
fn fixnum_ends(ctx: &Ctx, range: Range) -> Option<(i64, i64)> {
    let ends = (range.begin().as_fixnum()?, range.end().as_fixnum()?);
    ctx.is_builtin(range.begin(), ctx.names().op_cmp).then_some(ends)
}

/// The first and the last integer of a range of fixnums that are called without arguments and block; the last is below
/// the first when there are none.
fn plain_integers(ctx: &Ctx, range: Range, args: Args) -> Option<(i64, i64)> {
    let (first, last) = fixnum_ends(ctx, range).filter(|_| args.is_empty() && !args.has_block())?;
    // Fixnums have 63 bits: nothing overflows.
    Some((first, last - i64::from(range.exclude_end())))
}

/// How many integers a range of fixnums has, or what the method in Ruby says.
fn length(ctx: &mut Ctx, range: Range, args: Args, name: &str) -> Result {
    match plain_integers(ctx, range, args) {
        Some((first, last)) => Ok(Int::from((last as i128 - first as i128 + 1).max(0)).into_value(ctx)),
        None => general(ctx, range.value(), name, args),
    }
}

/// `count`, `count(item)`, `count { |item| }`
fn count(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    length(ctx, range, args, "__count_of")
}

fn size(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    length(ctx, range, args, "__size_of")
}

/// `max`, `max(n)`, `max { |a, b| }`
fn max(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    match plain_integers(ctx, range, args) {
        Some((first, last)) => Ok(if last < first { Value::NIL } else { ctx.int(last) }),
        None => general(ctx, range.value(), "__greatest", args),
    }
}

/// `minmax`, `minmax { |a, b| }`
fn minmax(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    let plain = ctx.is_builtin(range.value(), ctx.intern("min")) && ctx.is_builtin(range.value(), ctx.intern("max"));
    match plain_integers(ctx, range, args).filter(|_| plain) {
        Some((first, last)) => {
            let pair = if last < first { [Value::NIL; 2] } else { [ctx.int(first), ctx.int(last)] };
            Ok(Array::from_slice(ctx, &pair).value())
        }
        None => general(ctx, range.value(), "__extremes", args),
    }
}

/// `first`, `first(n)`
fn first(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    let begin = range.begin();
    if args.is_empty() && !begin.is_nil() { Ok(begin) } else { general(ctx, range.value(), "__first_of", args) }
}

/// `last`, `last(n)`
fn last(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    let end = range.end();
    if args.is_empty() && !end.is_nil() { Ok(end) } else { general(ctx, range.value(), "__last_of", args) }
}

fn include_p(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    match plain_integers(ctx, range, Args::none()) {
        Some((first, last)) if args.at(0).is_fixnum() => {
            Ok(Value::from_bool((first..=last).contains(&args.at(0).as_fixnum_unchecked())))
        }
        _ => general(ctx, range.value(), "__includes_item", args),
    }
}

/// `sum(init = 0)`, `sum { |item| }`
fn sum(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    let start = args.get(0).unwrap_or(Value::fixnum(0)).as_fixnum();
    match (plain_integers(ctx, range, Args::none()), start) {
        (Some((first, last)), Some(start)) if !args.has_block() => {
            let (first, last) = (first as i128, last as i128);
            let total = if last < first { 0 } else { (last - first + 1) * (last + first) / 2 };
            Ok(Int::from(total + start as i128).into_value(ctx))
        }
        _ => general(ctx, range.value(), "__sum_of", args),
    }
}

/// `min`, `min(n)`, `min { |a, b| }`
fn min(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    match fixnum_ends(ctx, range) {
        Some((first, last)) if args.is_empty() && !args.has_block() => {
            let empty = first > last || first == last && range.exclude_end();
            Ok(if empty { Value::NIL } else { range.begin() })
        }
        _ if enumerable_has(ctx, "min") => general(ctx, range.value(), "__least", args),
        _ => {
            let (class, name) = (ctx.classes().range.class(), ctx.intern("min"));
            ctx.call_super(range.value(), class, name, args)
        }
    }
}

fn overlap_p(ctx: &mut Ctx, a: Range, args: Args) -> Result {
    let Some(b) = Range::try_of(args.at(0)) else {
        let class = ctx.real_class(args.at(0)).inspect(ctx);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected Range)")));
    };
    if !meets(ctx, a.begin(), b)? || !meets(ctx, b.begin(), a)? {
        return Ok(Value::FALSE);
    }
    if !a.begin().is_nil() && !b.begin().is_nil() {
        match order(ctx, a.begin(), b.begin())? {
            None => return Ok(Value::FALSE),
            Some(Ordering::Equal) => return Ok(Value::TRUE),
            Some(_) => {}
        }
    }
    if a.begin().is_nil() && b.begin().is_nil() && !a.end().is_nil() && !b.end().is_nil() {
        return Ok(Value::from_bool(order(ctx, a.end(), b.end())?.is_some()));
    }
    Ok(Value::from_bool(!holds_nothing(ctx, a)? && !holds_nothing(ctx, b)?))
}

/// Whether `low` is no later than the end of the range.
fn meets(ctx: &mut Ctx, low: Value, range: Range) -> Result<bool> {
    let high = range.end();
    if low.is_nil() || high.is_nil() {
        return Ok(true);
    }
    Ok(match order(ctx, low, high)? {
        Some(Ordering::Less) => true,
        Some(Ordering::Equal) => !range.exclude_end(),
        _ => false,
    })
}

/// Whether the range is empty. One without a begin is when it ends before the least value of its kind.
fn holds_nothing(ctx: &mut Ctx, range: Range) -> Result<bool> {
    if !range.begin().is_nil() {
        return Ok(!meets(ctx, range.begin(), range)?);
    }
    let end = range.end();
    let least = match (Str::try_of(end), Array::try_of(end)) {
        (Some(text), _) => text.is_empty(),
        (_, Some(list)) => list.is_empty(),
        _ => ctx.float_value(end) == Some(f64::NEG_INFINITY),
    };
    Ok(least && range.exclude_end())
}

fn op_eq(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    same(ctx, range, args.at(0), |ctx, a, b| ctx.equal(a, b))
}

fn eql_p(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    same(ctx, range, args.at(0), |ctx, a, b| match fast_eql(ctx, a, b) {
        Some(same) => Ok(same),
        None => ctx.eql(a, b),
    })
}

fn same(ctx: &mut Ctx, range: Range, other: Value, eq: fn(&mut Ctx, Value, Value) -> Result<bool>) -> Result {
    if range.value() == other {
        return Ok(Value::TRUE);
    }
    let (a, Some(b)) = (range, Range::try_of(other)) else { return Ok(Value::FALSE) };
    if a.exclude_end() != b.exclude_end() {
        return Ok(Value::FALSE);
    }
    let name = ctx.names().op_eq;
    let same = ctx.guard_recursion(
        name,
        range.value(),
        other,
        |_| Ok(true),
        |ctx| Ok(eq(ctx, a.begin(), b.begin())? && eq(ctx, a.end(), b.end())?),
    )?;
    Ok(Value::from_bool(same))
}

fn hash(ctx: &mut Ctx, range: Range, _args: Args) -> Result {
    let (seed, name) = (ctx.hash_seed(), ctx.names().hash);
    let hash = ctx.guard_recursion(
        name,
        range.value(),
        Value::NIL,
        |ctx| Ok(hash_word(ctx.hash_seed(), 3)),
        |ctx| {
            let (b, e) = (word_of(ctx, range.begin())?, word_of(ctx, range.end())?);
            let hash = hash_combine(seed, hash_word(seed, range.exclude_end() as u64), b);
            Ok(hash_combine(seed, hash, e))
        },
    )?;
    Ok(hash_value(hash))
}

fn dots(range: Range) -> &'static [u8] {
    if range.exclude_end() { b"..." } else { b".." }
}

fn to_s(ctx: &mut Ctx, range: Range, _args: Args) -> Result {
    let text = Str::utf8(ctx, "");
    let first = ctx.to_s(range.begin())?;
    append(ctx, text, first)?;
    text.append(ctx, dots(range));
    let last = ctx.to_s(range.end())?;
    append(ctx, text, last)?;
    Ok(text.value())
}

fn inspect(ctx: &mut Ctx, range: Range, _args: Args) -> Result {
    let name = ctx.names().inspect;
    let again = if range.exclude_end() { "(... ... ...)" } else { "(... .. ...)" };
    let text = ctx.guard_recursion(
        name,
        range.value(),
        Value::NIL,
        |ctx| Ok(Str::utf8(ctx, again)),
        |ctx| {
            let text = Str::ascii(ctx, "");
            if !range.begin().is_nil() || range.end().is_nil() {
                append_inspect(ctx, text, range.begin())?;
            }
            text.append(ctx, dots(range));
            if range.begin().is_nil() || !range.end().is_nil() {
                append_inspect(ctx, text, range.end())?;
            }
            Ok(text)
        },
    )?;
    Ok(text.value())
}

/// `a <=> b`, none when they do not compare.
fn order(ctx: &mut Ctx, a: Value, b: Value) -> Result<Option<Ordering>> {
    let alike = a.is_fixnum() && b.is_fixnum() || a.has_tag(Tag::String) && b.has_tag(Tag::String);
    if alike && builtin_order(ctx, a) {
        return compare(ctx, a, b).map(Some);
    }
    let cmp = ctx.names().op_cmp;
    let result = ctx.call(a, cmp, &[b])?;
    if result.is_nil() {
        return Ok(None);
    }
    rubellite_core_object::ordering(ctx, result, a, b).map(Some)
}

fn order_or_nil(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(order(ctx, recv, args.at(0))?.map_or(Value::NIL, |o| Value::fixnum(o as i64)))
}

/// Whether the value lies between the ends.
pub fn covers(ctx: &mut Ctx, range: Range, value: Value) -> Result<bool> {
    if !range.begin().is_nil() && !matches!(order(ctx, range.begin(), value)?, Some(Ordering::Less | Ordering::Equal)) {
        return Ok(false);
    }
    if range.end().is_nil() {
        return Ok(true);
    }
    Ok(match order(ctx, value, range.end())? {
        Some(Ordering::Less) => true,
        Some(Ordering::Equal) => !range.exclude_end(),
        _ => false,
    })
}

/// Whether every value of `inner` lies in `outer`.
fn covers_range(ctx: &mut Ctx, outer: Range, inner: Range) -> Result<bool> {
    let (begin, end, inner_begin, inner_end) = (outer.begin(), outer.end(), inner.begin(), inner.end());
    if (!end.is_nil() && inner_end.is_nil()) || (!begin.is_nil() && inner_begin.is_nil()) {
        return Ok(false);
    }
    if !inner_begin.is_nil() && !inner_end.is_nil() {
        match order(ctx, inner_begin, inner_end)? {
            Some(Ordering::Less) => {}
            Some(Ordering::Equal) if !inner.exclude_end() => {}
            _ => return Ok(false),
        }
    }
    if !inner_begin.is_nil() && !covers(ctx, outer, inner_begin)? {
        return Ok(false);
    }
    // An end that is nil lies above all others.
    let ends = match (end.is_nil(), inner_end.is_nil()) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Greater),
        _ => order(ctx, end, inner_end)?,
    };
    let Some(ends) = ends else { return Ok(false) };
    if outer.exclude_end() == inner.exclude_end() {
        return Ok(ends.is_ge());
    }
    if outer.exclude_end() {
        return Ok(ends.is_gt());
    }
    if ends.is_ge() {
        return Ok(true);
    }
    // The last value of the inner range decides.
    let error = ctx.error_class("TypeError").value();
    let last = ctx.rescue(error, |ctx| ctx.call_name(inner.value(), "max", &[]), |_, _| Ok(Value::NIL))?;
    if last.is_nil() {
        return Ok(false);
    }
    Ok(order(ctx, end, last)?.is_some_and(Ordering::is_ge))
}

fn cover_p(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    let covered = match Range::try_of(args.at(0)) {
        Some(inner) => covers_range(ctx, range, inner)?,
        None => covers(ctx, range, args.at(0))?,
    };
    Ok(Value::from_bool(covered))
}

fn case_eq(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    let name = ctx.intern("cover?");
    if !ctx.is_builtin(range.value(), name) {
        return Ok(Value::from_bool(ctx.call(range.value(), name, &[args.at(0)])?.truthy()));
    }
    Ok(Value::from_bool(covers(ctx, range, args.at(0))?))
}

fn try_string(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(ctx.check_str(recv)?.map_or(Value::NIL, Str::value))
}

/// All integers of a range of machine integers as an array, or nil when the ends are something else.
fn integers(ctx: &mut Ctx, range: Range, _args: Args) -> Result {
    let (Some(first), Some(last)) = (range.begin().as_fixnum(), range.end().as_fixnum()) else { return Ok(Value::NIL) };
    if ctx.is_replaced(range.value(), ctx.names().each) {
        return Ok(Value::NIL);
    }
    let last = last - range.exclude_end() as i64;
    let list = Array::new(ctx);
    if last >= first && list.try_reserve(ctx, (last - first) as usize + 1).is_err() {
        return Err(ctx.no_memory());
    }
    for n in first..=last {
        list.push(ctx, Value::fixnum(n));
        rubellite_core_thread::outside::poll(ctx, list.len())?;
    }
    Ok(list.value())
}

/// The last `n` integers; nil where the program has its own `each`.
fn last_integers(ctx: &mut Ctx, range: Range, args: Args) -> Result {
    if ctx.is_replaced(range.value(), ctx.names().each) {
        return Ok(Value::NIL);
    }
    let n = count_arg(ctx, args.at(0), "negative array size")?;
    let list = Array::new(ctx);
    let mut at = range.end();
    if range.exclude_end() {
        at = integer::sub(ctx, at, Value::fixnum(1));
    }
    let beginless = range.begin().is_nil();
    while list.len() < n && (beginless || integer::cmp(at, range.begin()).is_ge()) {
        list.push(ctx, at);
        at = integer::sub(ctx, at, Value::fixnum(1));
        rubellite_core_thread::outside::poll(ctx, list.len())?;
    }
    list.reverse(ctx);
    Ok(list.value())
}

/// A Float's place in the order of all floats.
fn float_bits(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let bits = (ctx.to_float(recv)? + 0.0).to_bits() as i64;
    Ok(ctx.int(if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }))
}

/// The Float at a place in that order.
fn bits_float(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let place = ctx.to_int(recv)?;
    let bits = if place < 0 { i64::MIN.wrapping_sub(place) } else { place };
    Ok(ctx.float(f64::from_bits(bits as u64)))
}
