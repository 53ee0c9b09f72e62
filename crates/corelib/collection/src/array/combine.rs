//! Array: building new arrays from several ones.

use rubellite_core_thread::outside::poll;
use rubellite_vm::growing::Roomy;
use rubellite_vm::object::{Array, Grow, TempArray};
use rubellite_vm::{Args, Ctx, Result, Value};
use rustc_hash::FxHashSet;

pub fn plus(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let other = ctx.to_ary(args.at(0))?;
    let sum = Array::with_capacity(ctx, ary.len() + other.len());
    sum.concat(ctx, ary);
    sum.concat(ctx, other);
    Ok(sum.value())
}

/// `ary * count`, `ary * separator`
pub fn times(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    if let Some(separator) = ctx.check_str(args.at(0))? {
        return super::convert::join_with(ctx, ary, separator.value());
    }
    let count = ctx.to_int(args.at(0))?;
    if count < 0 {
        return Err(ctx.argument_error("negative argument"));
    }
    let total = ary.len().checked_mul(count as usize).filter(|n| *n <= Array::MAX_LEN);
    let Some(total) = total else { return Err(ctx.argument_error("argument too big")) };
    let result = Array::new(ctx);
    if result.try_reserve(ctx, total).is_err() {
        return Err(ctx.no_memory());
    }
    if total == 0 {
        return Ok(result.value());
    }
    result.concat(ctx, ary);
    while result.len() < total {
        let piece = result.len().min(total - result.len());
        let part = if piece == result.len() { result } else { result.subseq(ctx, 0, piece) };
        result.concat(ctx, part);
    }
    Ok(result.value())
}

/// Up to this number arrays within each other are looked at one by one.
const SHALLOW: usize = 16;

/// The elements of `ary` with nested arrays spread down to `level` (negative: all); says whether any was.
fn flatten_to(ctx: &mut Ctx, ary: Array, level: i64, out: Array) -> Result<bool> {
    // The arrays under way and where their reading stands.
    let open = TempArray::from_slice(ctx, &[ary.value()]);
    let mut positions = vec![0usize];
    // The arrays under way once they are many: whether one is among them must not take longer the deeper it is. `open`
    // keeps them alive.
    let mut deep = FxHashSet::default();
    let (mut changed, mut round) = (false, 0);
    while let (Some(current), Some(position)) =
        (positions.len().checked_sub(1).and_then(|i| open.get(i)), positions.last_mut())
    {
        let Some(item) = Array::try_of(current).and_then(|list| list.get(*position)) else {
            positions.pop();
            open.pop(ctx);
            deep.remove(&current.bits());
            continue;
        };
        *position += 1;
        round += 1;
        poll(ctx, round)?;
        if level >= 0 && positions.len() as i64 > level {
            out.push(ctx, item);
            continue;
        }
        match ctx.check_array(item)? {
            None => out.push(ctx, item),
            Some(nested) => {
                changed = true;
                let nested = nested.value();
                let is_open = || {
                    if deep.is_empty() {
                        open.array().contains_identical(ctx, nested)
                    } else {
                        deep.contains(&nested.bits())
                    }
                };
                if level < 0 && is_open() {
                    return Err(ctx.argument_error("tried to flatten recursive array"));
                }
                open.push(ctx, nested);
                positions.put_one(0);
                if level < 0 && positions.len() == SHALLOW {
                    deep.extend((0..SHALLOW).filter_map(|i| open.get(i)).map(Value::bits));
                } else if !deep.is_empty() {
                    deep.room_for(1);
                    deep.insert(nested.bits());
                }
            }
        }
    }
    Ok(changed)
}

fn flatten_level(ctx: &mut Ctx, args: Args) -> Result<i64> {
    match args.non_nil(0) {
        Some(level) => ctx.to_c_int(level).map(i64::from),
        None => Ok(-1),
    }
}

pub fn flatten(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let level = flatten_level(ctx, args)?;
    if level == 0 {
        return Ok(ary.dup(ctx).value());
    }
    let out = Array::new(ctx);
    flatten_to(ctx, ary, level, out)?;
    Ok(out.value())
}

pub fn flatten_bang(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    ctx.check_frozen(ary.value())?;
    let level = flatten_level(ctx, args)?;
    if level == 0 {
        return Ok(Value::NIL);
    }
    let out = Array::new(ctx);
    if !flatten_to(ctx, ary, level, out)? {
        return Ok(Value::NIL);
    }
    ctx.check_frozen(ary.value())?;
    ary.replace(ctx, out);
    Ok(ary.value())
}

pub fn transpose(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    let result = Array::new(ctx);
    let mut width = None;
    let mut row = 0;
    while let Some(item) = ary.get(row) {
        let line = ctx.to_ary(item)?;
        let expected = *width.get_or_insert(line.len());
        if row == 0 {
            for _ in 0..expected {
                let column = Array::with_capacity(ctx, ary.len());
                result.push(ctx, column.value());
            }
        }
        if line.len() != expected {
            return Err(ctx.index_error(&format!("element size differs ({} should be {expected})", line.len())));
        }
        for i in 0..expected {
            let value = line.get(i).unwrap_or(Value::NIL);
            if let Some(column) = result.get(i).and_then(Array::try_of) {
                column.push(ctx, value);
            }
        }
        row += 1;
        poll(ctx, row)?;
    }
    Ok(result.value())
}

/// All combinations of one element of each array, the receiver first.
pub fn product(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let lists = TempArray::from_slice(ctx, &[recv]);
    for i in 0..args.len() {
        let list = ctx.to_ary(args.at(i))?;
        lists.push(ctx, list.value());
    }
    let count = lists.len();
    let list_at = |i: usize| lists.get(i).and_then(Array::try_of);
    let len_of = |i: usize| list_at(i).map_or(0, Array::len);
    let mut total = 1usize;
    for i in 0..count {
        match total.checked_mul(len_of(i)).filter(|n| *n <= Array::MAX_LEN) {
            Some(n) => total = n,
            None if (0..count).any(|i| len_of(i) == 0) => return Ok(Array::new(ctx).value()),
            None => return Err(ctx.range_error("too big to product")),
        }
    }
    let result = Array::new(ctx);
    if result.try_reserve(ctx, total).is_err() {
        return Err(ctx.no_memory());
    }
    let mut counters = vec![0usize; count];
    for round in 0..total {
        let row = Array::with_capacity(ctx, count);
        for (i, at) in counters.iter().enumerate() {
            let item = list_at(i).and_then(|list| list.get(*at)).unwrap_or(Value::NIL);
            row.push(ctx, item);
        }
        result.push(ctx, row.value());
        for i in (0..count).rev() {
            counters[i] += 1;
            if counters[i] < len_of(i) {
                break;
            }
            counters[i] = 0;
        }
        poll(ctx, round)?;
    }
    Ok(result.value())
}

/// Rows of a list's elements with those of further arrays at the same position.
pub fn zip(ctx: &mut Ctx, ary: Array, others: Args) -> Result {
    let result = Array::with_capacity(ctx, ary.len());
    let mut i = 0;
    while let Some(item) = ary.get(i) {
        let row = Array::with_capacity(ctx, others.len() + 1);
        row.push(ctx, item);
        for j in 0..others.len() {
            let other = Array::try_of(others.at(j)).and_then(|a| a.get(i)).unwrap_or(Value::NIL);
            row.push(ctx, other);
        }
        result.push(ctx, row.value());
        i += 1;
        poll(ctx, i)?;
    }
    Ok(result.value())
}

/// Up to this number elements are picked on the machine stack.
const SHORT_PICK: usize = 24;

/// The elements of a list at the positions in an array of indices, none of which is negative.
pub fn pick(ctx: &mut Ctx, ary: Array, indices: Array) -> Result {
    if indices.len() <= SHORT_PICK {
        let mut picked = [Value::NIL; SHORT_PICK]; // tidy: on the machine stack until the Array has them
        let (items, positions) = (ary.slice(ctx), indices.slice(ctx));
        for (to, at) in picked.iter_mut().zip(positions) {
            let at = at.as_fixnum().and_then(|at| usize::try_from(at).ok());
            *to = at.and_then(|at| items.get(at)).copied().unwrap_or(Value::NIL);
        }
        let count = positions.len();
        return Ok(Array::from_slice(ctx, &picked[..count]).value());
    }
    let result = Array::with_capacity(ctx, indices.len());
    for i in 0..indices.len() {
        let at = indices.get(i).and_then(Value::as_fixnum).unwrap_or(i64::MAX);
        result.push(ctx, ary.at(at).unwrap_or(Value::NIL));
        poll(ctx, i)?;
    }
    Ok(result.value())
}
