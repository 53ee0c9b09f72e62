//! Array: operations on arrays as sets, by `hash` and `eql?`. Short arrays are searched by `eql?`.

use super::index_of_elements;
use rubellite_core_thread::outside::poll;
use rubellite_vm::object::{Array, Hash, Int, TempArray, fast_eql};
use rubellite_vm::{Args, Ctx, Result, Value};

/// Up to this length a search by `eql?` is used instead of a table.
const SMALL: usize = 16;

/// Something to ask whether it contains a value.
enum Lookup {
    List(Array),
    Table(Hash),
}

fn lookup(ctx: &mut Ctx, list: Array) -> Result<Lookup> {
    if list.len() <= SMALL { Ok(Lookup::List(list)) } else { Ok(Lookup::Table(index_of_elements(ctx, list)?)) }
}

impl Lookup {
    fn contains(&self, ctx: &mut Ctx, item: Value) -> Result<bool> {
        match self {
            Lookup::Table(table) => table.contains(ctx, item),
            Lookup::List(list) => {
                let mut i = 0;
                while let Some(other) = list.get(i) {
                    let same = match fast_eql(ctx, item, other) {
                        Some(same) => same,
                        None => ctx.eql(item, other)?,
                    };
                    if same {
                        return Ok(true);
                    }
                    i += 1;
                }
                Ok(false)
            }
        }
    }
}

fn without(ctx: &mut Ctx, ary: Array, other: Array) -> Result<Array> {
    let lookup = lookup(ctx, other)?;
    let result = Array::new(ctx);
    let mut i = 0;
    while let Some(item) = ary.get(i) {
        if !lookup.contains(ctx, item)? {
            result.push(ctx, item);
        }
        i += 1;
        poll(ctx, i)?;
    }
    Ok(result)
}

pub fn minus(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let other = ctx.to_ary(args.at(0))?;
    Ok(without(ctx, ary, other)?.value())
}

pub fn difference(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let mut result = ary.dup(ctx);
    for i in 0..args.len() {
        let other = ctx.to_ary(args.at(i))?;
        result = without(ctx, result, other)?;
    }
    Ok(result.value())
}

/// The elements of `ary`, each once, that `other` contains.
fn common(ctx: &mut Ctx, ary: Array, other: Array) -> Result<Array> {
    let result = Array::new(ctx);
    if other.is_empty() {
        return Ok(result);
    }
    if ary.len() <= SMALL && other.len() <= SMALL {
        let lookup = Lookup::List(other);
        let mut i = 0;
        while let Some(item) = ary.get(i) {
            if lookup.contains(ctx, item)? && !Lookup::List(result).contains(ctx, item)? {
                result.push(ctx, item);
            }
            i += 1;
        }
        return Ok(result);
    }
    let table = index_of_elements(ctx, other)?;
    let mut i = 0;
    while let Some(item) = ary.get(i) {
        if table.delete(ctx, item)?.is_some() {
            result.push(ctx, item);
        }
        i += 1;
        poll(ctx, i)?;
    }
    Ok(result)
}

pub fn and(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let other = ctx.to_ary(args.at(0))?;
    Ok(common(ctx, ary, other)?.value())
}

pub fn intersection(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let mut result = distinct(ctx, ary)?;
    for i in 0..args.len() {
        let other = ctx.to_ary(args.at(i))?;
        result = common(ctx, result, other)?;
    }
    Ok(result.value())
}

pub fn intersect_p(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let other = ctx.to_ary(args.at(0))?;
    let (shorter, longer) = if ary.len() > other.len() { (other, ary) } else { (ary, other) };
    let lookup = lookup(ctx, shorter)?;
    let mut i = 0;
    while let Some(item) = longer.get(i) {
        if lookup.contains(ctx, item)? {
            return Ok(Value::TRUE);
        }
        i += 1;
        poll(ctx, i)?;
    }
    Ok(Value::FALSE)
}

/// The elements, each once, in the order of their first appearance.
pub fn distinct(ctx: &mut Ctx, ary: Array) -> Result<Array> {
    if ary.len() <= 1 {
        return Ok(ary.dup(ctx));
    }
    let table = index_of_elements(ctx, ary)?;
    Ok(table.keys_of_hidden(ctx))
}

/// Adds the elements of `list` that `result` does not contain, by `eql?` alone.
fn add_missing(ctx: &mut Ctx, result: Array, list: Array) -> Result<()> {
    let mut i = 0;
    while let Some(item) = list.get(i) {
        if !Lookup::List(result).contains(ctx, item)? {
            result.push(ctx, item);
        }
        i += 1;
    }
    Ok(())
}

fn union_of(ctx: &mut Ctx, ary: Array, others: Args) -> Result {
    let lists = TempArray::new(ctx);
    for i in 0..others.len() {
        let other = ctx.to_ary(others.at(i))?;
        lists.push(ctx, other.value());
    }
    let total: usize =
        (0..lists.len()).filter_map(|i| lists.get(i).and_then(Array::try_of)).map(|list| list.len()).sum();
    if ary.len() + total <= SMALL {
        let result = Array::new(ctx);
        add_missing(ctx, result, ary)?;
        for i in 0..lists.len() {
            let Some(other) = lists.get(i).and_then(Array::try_of) else { continue };
            add_missing(ctx, result, other)?;
        }
        return Ok(result.value());
    }
    let table = index_of_elements(ctx, ary)?;
    for i in 0..lists.len() {
        let Some(other) = lists.get(i).and_then(Array::try_of) else { continue };
        let mut j = 0;
        while let Some(item) = other.get(j) {
            if !table.contains(ctx, item)? {
                table.insert(ctx, item, item)?;
            }
            j += 1;
            poll(ctx, j)?;
        }
    }
    Ok(table.keys_of_hidden(ctx).value())
}

pub fn or(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    union_of(ctx, ary, args)
}

pub fn union(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    union_of(ctx, ary, args)
}

pub fn uniq(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    Ok(distinct(ctx, ary)?.value())
}

pub fn uniq_bang(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    ctx.check_frozen(ary.value())?;
    let result = distinct(ctx, ary)?;
    if result.len() == ary.len() {
        return Ok(Value::NIL);
    }
    ctx.check_frozen(ary.value())?;
    ary.replace(ctx, result);
    Ok(ary.value())
}

/// `(list, hash)`: counts the elements in a Hash, which it gives back.
pub fn tally(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let hash: Hash = ctx.expect(args.at(0))?;
    let mut i = 0;
    while let Some(item) = ary.get(i) {
        count(ctx, hash, item)?;
        i += 1;
        poll(ctx, i)?;
    }
    Ok(hash.value())
}

/// Counts one more in a tally.
pub fn count(ctx: &mut Ctx, hash: Hash, item: Value) -> Result<()> {
    let Some(entry) = hash.position(ctx, item)?.and_then(|at| hash.entry_at(ctx, at)) else {
        return hash.store(ctx, item, Value::fixnum(1));
    };
    let more = match entry.value.as_fixnum() {
        Some(n) => ctx.int(n + 1),
        None if Int::try_of(entry.value).is_some() => ctx.call_name(entry.value, "+", &[Value::fixnum(1)])?,
        None => {
            let class = ctx.real_class(entry.value).inspect(ctx);
            return Err(ctx.type_error(&format!("wrong argument type {class} (expected Integer)")));
        }
    };
    hash.set_value_at(ctx, entry.position, more);
    Ok(())
}
