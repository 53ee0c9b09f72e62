//! Array: reading elements.

use super::super::util::{Fit, add_fixnums, bounds, count_arg, index_range};
use rubellite_core_thread::outside::poll;
use rubellite_vm::object::{Array, Hash, Struct};
use rubellite_vm::{Args, Ctx, Result, Tag, Value};

pub fn at_fast(_ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let index = args.at(0).as_fixnum().unwrap_or(i64::MAX);
    Ok(ary.at(index).unwrap_or(Value::NIL))
}

/// `[sum, position]`: adds fixnums from a position on to a fixnum, as far as there are some and the sum fits a machine
/// word; nil when a program has redefined operators of Integer.
pub fn add_integers(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let position = args.at(1).as_fixnum().unwrap_or(0) as usize;
    let Some(start) = args.at(0).as_fixnum().filter(|_| ctx.integer_operators_intact()) else { return Ok(Value::NIL) };
    let (sum, count) = add_fixnums(ary.slice(ctx).get(position..).unwrap_or_default(), start);
    let sum = ctx.int(sum);
    Ok(Array::from_slice(ctx, &[sum, Value::fixnum((position + count) as i64)]).value())
}

pub fn length(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    Ok(ctx.int(ary.len() as i64))
}

pub fn empty_p(_ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    Ok(Value::from_bool(ary.is_empty()))
}

/// `at(index)`
pub fn at(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let index = ctx.to_int(args.at(0))?;
    Ok(ary.at(index).unwrap_or(Value::NIL))
}

/// The part from `start` (negative: from the end) of at most `len`; none outside.
pub fn part(ctx: &mut Ctx, ary: Array, start: i64, len: i64) -> Option<Array> {
    let size = ary.len() as i64;
    let start = if start < 0 { start + size } else { start };
    if start < 0 || start > size || len < 0 {
        return None;
    }
    let len = len.min(size - start);
    Some(ary.subseq(ctx, start as usize, len as usize))
}

/// `ary[index]`, `[start, length]`, `[range]`, `[arithmetic_sequence]`
pub fn aref(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    if args.len() == 2 {
        let start = ctx.to_int(args.at(0))?;
        let len = ctx.to_int(args.at(1))?;
        return Ok(part(ctx, ary, start, len).map_or(Value::NIL, Array::value));
    }
    let index = args.at(0);
    if let Some(i) = index.as_fixnum() {
        return Ok(ary.at(i).unwrap_or(Value::NIL));
    }
    if let Some(bounds) = index_range(ctx, index, || ary.len(), Fit::Clip)? {
        return Ok(match bounds {
            Some((start, len)) => {
                let len = len.min(ary.len().saturating_sub(start));
                ary.subseq(ctx, start, len).value()
            }
            None => Value::NIL,
        });
    }
    if super::super::is_arithmetic_sequence(ctx, index) {
        return slice_by(ctx, ary, index);
    }
    let i = ctx.to_int(index)?;
    Ok(ary.at(i).unwrap_or(Value::NIL))
}

/// The elements that an arithmetic sequence of indices means.
fn slice_by(ctx: &mut Ctx, ary: Array, sequence: Value) -> Result {
    let (mut begin, mut end) = (ctx.call_name(sequence, "begin", &[])?, ctx.call_name(sequence, "end", &[])?);
    let step = ctx.call_name(sequence, "step", &[])?;
    let step = ctx.to_int(step)?;
    let mut exclude = ctx.call_name(sequence, "exclude_end?", &[])?.truthy();
    if step < 0 {
        if exclude && !end.is_nil() {
            let last = ctx.to_int(end)?;
            end = ctx.int(last.saturating_add(1));
            exclude = false;
        }
        (begin, end) = (end, begin);
    }
    let found = if (-1..=1).contains(&step) {
        bounds(ctx, begin, end, exclude, || ary.len(), Fit::Clip)?
    } else {
        let found = bounds(ctx, begin, end, exclude, || ary.len(), Fit::Grow)?;
        let found = found.filter(|(start, count)| *start <= ary.len() && *count <= ary.len());
        if found.is_none() {
            let text = ctx.inspect(sequence)?;
            return Err(ctx.range_error(&format!("{text} out of range")));
        }
        found
    };
    let Some((start, count)) = found else { return Ok(Value::NIL) };
    let count = count.min(ary.len().saturating_sub(start)) as i64;
    let result = Array::new(ctx);
    let mut at = if step < 0 { count - 1 } else { 0 };
    while (0..count).contains(&at) && step != 0 {
        result.push(ctx, ary.get(start + at as usize).unwrap_or(Value::NIL));
        at += step;
    }
    Ok(result.value())
}

/// One step of `dig`: what `object.dig(key)` finds.
pub fn dig_into(ctx: &mut Ctx, object: Value, keys: Args) -> Result {
    let mut object = object;
    for i in 0..keys.len() {
        if object.is_nil() {
            return Ok(Value::NIL);
        }
        let key = keys.at(i);
        let dig = ctx.names().dig;
        object = match object.header().map(|h| h.tag()) {
            Some(Tag::Array) if ctx.is_builtin(object, dig) => {
                let index = ctx.to_int(key)?;
                ctx.expect::<Array>(object)?.at(index).unwrap_or(Value::NIL)
            }
            Some(Tag::Hash) if ctx.is_builtin(object, dig) => {
                let hash: Hash = ctx.expect(object)?;
                super::super::hash::value_or_default(ctx, hash, key)?
            }
            Some(Tag::Struct) if ctx.is_builtin(object, dig) && Struct::try_of(object).is_some() => {
                return ctx.call_args(object, dig, keys.from(i));
            }
            _ => {
                // Keywords arrive as a Hash.
                return match ctx.check_call(object, dig, keys.from(i).slice())? {
                    Some(found) => Ok(found),
                    None => {
                        let class = ctx.real_class(object).inspect(ctx);
                        Err(ctx.type_error(&format!("{class} does not have #dig method")))
                    }
                };
            }
        };
    }
    Ok(object)
}

pub fn dig(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let index = ctx.to_int(args.at(0))?;
    let found = ary.at(index).unwrap_or(Value::NIL);
    dig_into(ctx, found, args.from(1))
}

const NEGATIVE_SIZE: &str = "negative array size";

/// `first -> object or nil`, `first(n) -> array`
pub fn first(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let Some(n) = args.get(0) else { return Ok(ary.first().unwrap_or(Value::NIL)) };
    let n = count_arg(ctx, n, NEGATIVE_SIZE)?.min(ary.len());
    Ok(ary.subseq(ctx, 0, n).value())
}

/// `last -> object or nil`, `last(n) -> array`
pub fn last(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let Some(n) = args.get(0) else { return Ok(ary.last().unwrap_or(Value::NIL)) };
    let n = count_arg(ctx, n, NEGATIVE_SIZE)?.min(ary.len());
    Ok(ary.subseq(ctx, ary.len() - n, n).value())
}

pub fn take(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let n = count_arg(ctx, args.at(0), "attempt to take negative size")?;
    Ok(ary.subseq(ctx, 0, n.min(ary.len())).value())
}

pub fn drop(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let n = count_arg(ctx, args.at(0), "attempt to drop negative size")?;
    let n = n.min(ary.len());
    Ok(ary.subseq(ctx, n, ary.len() - n).value())
}

/// `values_at(*indices_and_ranges)`
pub fn values_at(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let result = Array::with_capacity(ctx, args.len());
    for i in 0..args.len() {
        let index = args.at(i);
        if let Some(n) = index.as_fixnum() {
            result.push(ctx, ary.at(n).unwrap_or(Value::NIL));
            continue;
        }
        match index_range(ctx, index, || ary.len(), Fit::Grow)? {
            Some(Some((start, len))) => {
                let there = len.min(ary.len().saturating_sub(start));
                let part = ary.subseq(ctx, start.min(ary.len()), there);
                if result.try_reserve(ctx, len).is_err() {
                    return Err(ctx.no_memory());
                }
                result.concat(ctx, part);
                result.set_len(ctx, result.len() + len - there);
            }
            Some(None) => {}
            None => {
                let n = ctx.to_int(index)?;
                result.push(ctx, ary.at(n).unwrap_or(Value::NIL));
            }
        }
    }
    Ok(result.value())
}

/// `fetch(index)`, `fetch(index, default)`, `fetch(index) { |index| }`: what is not plain is left to the method in
/// Ruby.
pub fn fetch(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    if let Some(index) = args.at(0).as_fixnum().filter(|_| args.len() == 1 || !args.has_block()) {
        if let Some(item) = ary.at(index) {
            return Ok(item);
        }
        if let Some(default) = args.get(1) {
            return Ok(default);
        }
    }
    let name = ctx.internal("__fetch");
    ctx.call_args(ary.value(), name, args)
}

pub fn include_p(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    Ok(Value::from_bool(find(ctx, ary, args.at(0))?.is_some()))
}

/// Elements that are compared without a frame, which nobody can interrupt.
const FEW: usize = 256;

/// Among so few elements that need no call to be compared.
pub fn try_include(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let item = args.at(0);
    for other in ary.slice(ctx) {
        if *other == item && !item.is_immediate() {
            return Ok(Value::TRUE);
        }
        match ctx.fast_equal(*other, item) {
            Some(true) => return Ok(Value::TRUE),
            Some(false) if ary.len() <= FEW => {}
            // Small Integers know each other.
            None if other.is_fixnum() && item.is_fixnum() && ary.len() <= FEW => {
                if *other == item {
                    return Ok(Value::TRUE);
                }
            }
            _ => return Ok(Value::UNDEF),
        }
    }
    Ok(Value::FALSE)
}

fn find(ctx: &mut Ctx, ary: Array, item: Value) -> Result<Option<usize>> {
    let mut i = 0;
    while let Some(other) = ary.get(i) {
        // The same NaN is found.
        if other == item && !item.is_immediate() || ctx.equal(other, item)? {
            return Ok(Some(i));
        }
        i += 1;
        poll(ctx, i)?;
    }
    Ok(None)
}

pub fn index_of(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    Ok(find(ctx, ary, args.at(0))?.map_or(Value::NIL, |i| Value::fixnum(i as i64)))
}

pub fn rindex_of(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let mut i = ary.len();
    while i > 0 {
        i -= 1;
        let Some(item) = ary.get(i) else {
            // The comparison has shortened the array.
            i = ary.len();
            continue;
        };
        if ctx.equal(item, args.at(0))? {
            return Ok(Value::fixnum(i as i64));
        }
    }
    Ok(Value::NIL)
}

pub fn count_of(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let (mut i, mut count) = (0, 0);
    while let Some(item) = ary.get(i) {
        count += ctx.equal(item, args.at(0))? as i64;
        i += 1;
        poll(ctx, i)?;
    }
    Ok(Value::fixnum(count))
}

/// The first element that is an array whose element `position` equals `key`.
fn association(ctx: &mut Ctx, ary: Array, key: Value, position: usize, convert: bool) -> Result {
    let mut i = 0;
    while let Some(item) = ary.get(i) {
        let pair = if convert { ctx.check_array(item)? } else { Array::try_of(item) };
        if let Some(candidate) = pair.and_then(|p| p.get(position))
            && ctx.equal(candidate, key)?
        {
            return Ok(pair.map_or(Value::NIL, Array::value));
        }
        i += 1;
    }
    Ok(Value::NIL)
}

pub fn assoc(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    association(ctx, ary, args.at(0), 0, true)
}

pub fn rassoc(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    association(ctx, ary, args.at(0), 1, true)
}
