//! Array: changing elements in place.

use super::super::util::{Fit, count_arg, index_range};
use super::index::part;
use super::{BATCH, fill_in_batches};
use rubellite_core_thread::outside::poll;
use rubellite_vm::object::{Array, normalize_index};
use rubellite_vm::{Args, Ctx, Result, Unwind, Value, flags};

/// The receiver as an array that may be changed.
#[inline]
fn writable(ctx: &mut Ctx, ary: Array) -> Result<Array> {
    ctx.check_frozen(ary.value())?;
    Ok(ary)
}

pub fn freeze(_ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    ary.header().set(flags::FROZEN);
    Ok(ary.value())
}

pub fn replace(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let ary = writable(ctx, ary)?;
    let other = ctx.to_ary(args.at(0))?;
    ary.replace(ctx, other);
    Ok(ary.value())
}

/// Stores at a position within or right behind the elements.
pub fn put(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let ary = writable(ctx, ary)?;
    if let Some(index) = args.at(0).as_fixnum().filter(|i| *i >= 0) {
        ary.set(ctx, index as usize, args.at(1));
    }
    Ok(Value::NIL)
}

/// The end of a filtering in place: elements `0..kept` stay, those from `next` on move behind them.
pub fn keep_compacted(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let (kept, next) =
        (args.at(0).as_fixnum().unwrap_or(0).max(0) as usize, args.at(1).as_fixnum().unwrap_or(0).max(0) as usize);
    let len = ary.len();
    if kept < next && kept <= len {
        ctx.check_frozen(ary.value())?;
        ary.splice(ctx, kept..next.min(len), &[]);
    }
    Ok(Value::NIL)
}

#[cold]
fn too_small(ctx: &mut Ctx, index: i64, len: usize) -> Unwind {
    ctx.index_error(&format!("index {index} too small for array; minimum: {}", -(len as i64)))
}

#[cold]
fn too_big(ctx: &mut Ctx, index: i64) -> Unwind {
    ctx.index_error(&format!("index {index} too big"))
}

/// The position that an index to store at means.
fn store_position(ctx: &mut Ctx, index: i64, len: usize) -> Result<usize> {
    let position = if index < 0 { index + len as i64 } else { index };
    if position < 0 {
        return Err(too_small(ctx, index, len));
    }
    if position as usize >= Array::MAX_LEN {
        return Err(too_big(ctx, position));
    }
    Ok(position as usize)
}

fn reserve_for(ctx: &mut Ctx, ary: Array, position: usize) -> Result<()> {
    if position > ary.len() && ary.try_reserve(ctx, position - ary.len() + 1).is_err() {
        return Err(ctx.no_memory());
    }
    Ok(())
}

/// `ary[index] = value`, `[start, length] = value`, `[range] = value`
pub fn aset(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let ary = writable(ctx, ary)?;
    if args.len() == 3 {
        let start = ctx.to_int(args.at(0))?;
        let len = ctx.to_int(args.at(1))?;
        if len < 0 {
            return Err(ctx.index_error(&format!("negative length ({len})")));
        }
        let start = store_position(ctx, start, ary.len())?;
        return splice(ctx, ary, start, len as usize, args.at(2));
    }
    let (index, value) = (args.at(0), args.at(1));
    if !index.is_fixnum()
        && let Some(bounds) = index_range(ctx, index, || ary.len(), Fit::Grow)?
    {
        let (start, len) = bounds.unwrap_or((0, 0));
        return splice(ctx, ary, start, len, value);
    }
    let index = ctx.to_int(index)?;
    let position = store_position(ctx, index, ary.len())?;
    reserve_for(ctx, ary, position)?;
    ctx.check_frozen(ary.value())?;
    ary.set(ctx, position, value);
    Ok(value)
}

/// Replaces a part by the elements of `value` (by to_ary) or by `value` itself.
fn splice(ctx: &mut Ctx, ary: Array, start: usize, len: usize, value: Value) -> Result {
    let items = ctx.check_array(value)?;
    if start >= Array::MAX_LEN {
        return Err(too_big(ctx, start as i64));
    }
    ctx.check_frozen(ary.value())?;
    reserve_for(ctx, ary, start)?;
    let range = start..start.saturating_add(len);
    match items {
        Some(items) => ary.splice_array(ctx, range, items),
        None => ary.splice(ctx, range, &[value]),
    }
    Ok(value)
}

pub fn push(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    writable(ctx, ary)?.extend(ctx, args.slice());
    Ok(ary.value())
}

pub fn push_op(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    writable(ctx, ary)?.push(ctx, args.at(0));
    Ok(ary.value())
}

const NEGATIVE_SIZE: &str = "negative array size";

pub fn pop(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let ary = writable(ctx, ary)?;
    let Some(n) = args.get(0) else { return Ok(ary.pop(ctx).unwrap_or(Value::NIL)) };
    let n = count_arg(ctx, n, NEGATIVE_SIZE)?.min(ary.len());
    let kept = ary.len() - n;
    let taken = ary.subseq(ctx, kept, n);
    ary.truncate(ctx, kept);
    Ok(taken.value())
}

pub fn shift(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let ary = writable(ctx, ary)?;
    let Some(n) = args.get(0) else { return Ok(ary.shift(ctx).unwrap_or(Value::NIL)) };
    let n = count_arg(ctx, n, NEGATIVE_SIZE)?.min(ary.len());
    let taken = ary.subseq(ctx, 0, n);
    ary.splice(ctx, 0..n, &[]);
    Ok(taken.value())
}

pub fn unshift(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    writable(ctx, ary)?.splice(ctx, 0..0, args.slice());
    Ok(ary.value())
}

/// `insert(index, *items)`: before a position, or behind it when the index is negative.
pub fn insert(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let ary = writable(ctx, ary)?;
    let index = ctx.to_int(args.at(0))?;
    if args.len() == 1 {
        return Ok(ary.value());
    }
    let len = ary.len();
    let position = if index < 0 { index + len as i64 + 1 } else { index };
    if position < 0 {
        return Err(ctx.index_error(&format!("index {index} too small for array; minimum: -{}", len + 1)));
    }
    if position as usize >= Array::MAX_LEN {
        return Err(too_big(ctx, position));
    }
    let position = position as usize;
    reserve_for(ctx, ary, position)?;
    ary.splice(ctx, position..position, args.from(1).slice());
    Ok(ary.value())
}

pub fn concat(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let ary = writable(ctx, ary)?;
    let all = Array::new(ctx);
    for i in 0..args.len() {
        let other = ctx.to_ary(args.at(i))?;
        all.concat(ctx, other);
    }
    writable(ctx, ary)?;
    ary.concat(ctx, all);
    Ok(ary.value())
}

pub fn clear(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    writable(ctx, ary)?.clear(ctx);
    Ok(ary.value())
}

/// `delete(item)`: the last equal element, or what the block gives when there is none.
pub fn delete(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let item = args.at(0);
    let (mut kept, mut next, mut found) = (0, 0, None);
    while let Some(element) = ary.get(next) {
        if ctx.equal(element, item)? {
            found = Some(element);
        } else {
            if kept != next {
                ctx.check_frozen(ary.value())?;
                ary.set(ctx, kept, element);
            }
            kept += 1;
        }
        next += 1;
        poll(ctx, next)?;
    }
    let Some(found) = found else {
        return if args.has_block() { ctx.yield_one(args.block, item) } else { Ok(Value::NIL) };
    };
    ctx.check_frozen(ary.value())?;
    ary.truncate(ctx, kept);
    Ok(found)
}

pub fn delete_at(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let index = ctx.to_int(args.at(0))?;
    let position = normalize_index(index, ary.len());
    if position.is_none() {
        return Ok(Value::NIL);
    }
    let ary = writable(ctx, ary)?;
    Ok(position.and_then(|i| ary.delete_at(ctx, i)).unwrap_or(Value::NIL))
}

/// `slice!(index)`, `(start, length)`, `(range)`
pub fn slice_bang(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let ary = writable(ctx, ary)?;
    let (start, len) = if args.len() == 2 {
        let (start, len) = (ctx.to_int(args.at(0))?, ctx.to_int(args.at(1))?);
        let size = ary.len() as i64;
        let start = if start < 0 { start + size } else { start };
        if start < 0 || start > size || len < 0 {
            return Ok(Value::NIL);
        }
        (start as usize, len as usize)
    } else {
        match index_range(ctx, args.at(0), || ary.len(), Fit::Clip)? {
            Some(Some(bounds)) => bounds,
            Some(None) => return Ok(Value::NIL),
            None => return delete_at(ctx, ary, args),
        }
    };
    let removed = part(ctx, ary, start as i64, len.min(i64::MAX as usize) as i64);
    let Some(removed) = removed else { return Ok(Value::NIL) };
    ary.splice(ctx, start..start + removed.len(), &[]);
    Ok(removed.value())
}

/// Removes nils; says whether there were any.
fn remove_nils(ctx: &mut Ctx, ary: Array) -> bool {
    let keep: Vec<bool> = ary.slice(ctx).iter().map(|v| !v.is_nil()).collect();
    let changed = keep.contains(&false);
    if changed {
        ary.retain_marked(ctx, &keep);
    }
    changed
}

pub fn compact(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    let copy = ary.dup(ctx);
    remove_nils(ctx, copy);
    Ok(copy.value())
}

pub fn compact_bang(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    let ary = writable(ctx, ary)?;
    Ok(if remove_nils(ctx, ary) { ary.value() } else { Value::NIL })
}

pub fn reverse(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    if ary.len() > BATCH {
        return Ok(reversed_in_batches(ctx, ary)?.value());
    }
    let copy = ary.dup(ctx);
    copy.reverse(ctx);
    Ok(copy.value())
}

/// The elements as they are now, back to front, with safepoints in between.
fn reversed_in_batches(ctx: &mut Ctx, ary: Array) -> Result<Array> {
    let source = ary.dup(ctx);
    let mut left = source.len();
    let list = Array::new(ctx);
    if list.try_reserve(ctx, left).is_err() {
        return Err(ctx.no_memory());
    }
    while left > 0 {
        let from = left.saturating_sub(BATCH);
        let part = source.subseq(ctx, from, left - from);
        part.reverse(ctx);
        list.concat(ctx, part);
        left = from;
        ctx.check_interrupts()?;
    }
    Ok(list)
}

pub fn reverse_bang(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    writable(ctx, ary)?.reverse(ctx);
    Ok(ary.value())
}

fn rotation(ctx: &mut Ctx, args: Args) -> Result<i64> {
    match args.get(0) {
        Some(n) => ctx.to_int(n),
        None => Ok(1),
    }
}

fn rotate_by(ctx: &mut Ctx, ary: Array, by: i64) {
    let len = ary.len();
    if len > 1 {
        ary.rotate(ctx, by.rem_euclid(len as i64) as usize);
    }
}

pub fn rotate(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let by = rotation(ctx, args)?;
    let copy = ary.dup(ctx);
    rotate_by(ctx, copy, by);
    Ok(copy.value())
}

pub fn rotate_bang(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let by = rotation(ctx, args)?;
    let ary = writable(ctx, ary)?;
    rotate_by(ctx, ary, by);
    Ok(ary.value())
}

/// `fill(item)`, `(item, start, length = nil)`, `(item, range)`, and the same with a block instead of the item
pub fn fill(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let (item, rest) = if args.has_block() {
        if args.len() > 2 {
            return Err(ctx.arity_error(args.len(), 0, Some(2)));
        }
        (None, args)
    } else {
        if args.is_empty() {
            return Err(ctx.arity_error(0, 1, Some(3)));
        }
        (Some(args.at(0)), args.from(1))
    };
    let bounds = fill_bounds(ctx, ary, rest)?;
    let ary = writable(ctx, ary)?;
    let Some((start, len)) = bounds else { return Ok(ary.value()) };
    if start >= Array::MAX_LEN || len > Array::MAX_LEN - start {
        return Err(ctx.argument_error("argument too big"));
    }
    let end = start + len;
    if end > ary.len() && ary.try_reserve(ctx, end - ary.len()).is_err() {
        return Err(ctx.no_memory());
    }
    if len == 0 {
        // Nothing to fill, but the array reaches up to there.
        if end > ary.len() {
            let old = ary.len();
            ary.fill(ctx, old..end, Value::NIL);
        }
        return Ok(ary.value());
    }
    match item {
        Some(item) => fill_in_batches(ctx, ary, start, end, item)?,
        None => {
            if end > ary.len() {
                let old = ary.len();
                ary.fill(ctx, old..end, Value::NIL);
            }
            let name = ctx.internal("__fill_by_block");
            let (first, last) = (ctx.int(start as i64), ctx.int(end as i64));
            ctx.call_with_block(ary.value(), name, &[first, last], args.block)?;
        }
    }
    Ok(ary.value())
}

/// Where to fill, and how many; none where the length is negative or the array ends before its start.
fn fill_bounds(ctx: &mut Ctx, ary: Array, rest: Args) -> Result<Option<(usize, usize)>> {
    let first = rest.at(0);
    if rest.len() == 1 {
        // The length from before the conversions, as elsewhere: what is filled may grow.
        let size = ary.len();
        if let Some(bounds) = index_range(ctx, first, || size, Fit::Grow)? {
            return Ok(bounds);
        }
    }
    let start = if first.is_nil() { 0 } else { ctx.to_int(first)? };
    // The conversion may have changed the array.
    let size = ary.len();
    let start = if start < 0 { (start + size as i64).max(0) } else { start } as usize;
    let len = match rest.non_nil(1) {
        Some(len) => usize::try_from(ctx.to_int(len)?).ok(),
        None => size.checked_sub(start),
    };
    Ok(len.map(|len| (start, len)))
}
