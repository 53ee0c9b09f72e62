//! Array: sorting, extremes, sums.
//!
//! Lists of one plain kind (integers, floats, strings) are sorted by the standard library. Everything else goes
//! through a merge sort of our own on positions: a comparison may run Ruby code, fail, or contradict itself,
//! which the standard library's sorts do not allow. The elements meanwhile lie in a rooted copy.

use super::super::util::{Kind, add_fixnums, builtin_order, compare, compare_kind, kind_of, number_of};
use rubellite_core_thread::outside::poll;
use rubellite_vm::object::{Array, Int, TempArray, integer};
use rubellite_vm::vmlock::{self, RegionSite};
use rubellite_vm::{Args, Ctx, Ends, Leave, Result, Tag, Value};
use std::cmp::Ordering;

/// Runs shorter than this are sorted by insertion.
const RUN: usize = 8;
/// From this length on plain lists are sorted outside the lock or with safepoints in between: a tenth of a millisecond.
const MANY: usize = 1 << 12;
/// How many elements are sorted at once: some milliseconds at most.
const PIECE: usize = 1 << 15;
/// The same of strings: each comparison looks at memory in two places.
const STRING_PIECE: usize = 1 << 14;

/// Sorted numbers become elements so many at a time.
const TAKEN: usize = 256;

static SITE: RegionSite = RegionSite::new("sort");

/// Sorts positions by a comparison that may fail. Stable.
fn merge_sort(
    ctx: &mut Ctx,
    order: &mut Vec<u32>,
    less_or_equal: &mut dyn FnMut(&mut Ctx, u32, u32) -> Result<bool>,
) -> Result<()> {
    let len = order.len();
    for start in (0..len).step_by(RUN) {
        for i in start + 1..(start + RUN).min(len) {
            let mut j = i;
            while j > start && !less_or_equal(ctx, order[j - 1], order[j])? {
                order.swap(j - 1, j);
                j -= 1;
            }
        }
        ctx.check_interrupts()?;
    }
    merge_runs(ctx, order, RUN, less_or_equal)
}

/// The second half of `merge_sort`: every `width` positions are in order already.
fn merge_runs(
    ctx: &mut Ctx,
    order: &mut Vec<u32>,
    mut width: usize,
    less_or_equal: &mut dyn FnMut(&mut Ctx, u32, u32) -> Result<bool>,
) -> Result<()> {
    let len = order.len();
    let mut spare = order.clone();
    while width < len {
        for start in (0..len).step_by(2 * width) {
            let (middle, end) = ((start + width).min(len), (start + 2 * width).min(len));
            let (mut left, mut right) = (start, middle);
            for (at, slot) in (start..end).zip(&mut spare[start..end]) {
                let take_left = right >= end || (left < middle && less_or_equal(ctx, order[left], order[right])?);
                let from = if take_left { &mut left } else { &mut right };
                *slot = order[*from];
                *from += 1;
                poll(ctx, at)?;
            }
        }
        std::mem::swap(order, &mut spare);
        width *= 2;
    }
    Ok(())
}

/// The list's elements in the given order.
fn arrange(ctx: &mut Ctx, items: TempArray, order: &[u32]) -> Array {
    let sorted = Array::with_capacity(ctx, order.len());
    for at in order {
        let item = items.get(*at as usize).unwrap_or(Value::NIL);
        sorted.push(ctx, item);
    }
    sorted
}

/// A new sorted array with the elements of `ary`.
pub fn sort_list(ctx: &mut Ctx, ary: Array) -> Result<Array> {
    let kind = kind_of(ctx, ary.slice(ctx));
    if kind != Kind::Mixed {
        return sort_plain(ctx, ary, kind);
    }
    sort_slow(ctx, ary, &mut |ctx, a, b| compare(ctx, a, b))
}

/// A copy sorted without calls. Numbers are sorted outside the lock when they are many, strings with safepoints in
/// between: other threads may change them meanwhile.
fn sort_plain(ctx: &mut Ctx, ary: Array, kind: Kind) -> Result<Array> {
    match kind {
        Kind::Fixnums if ary.len() >= MANY => {
            let numbers: Vec<i64> = ary.slice(ctx).iter().map(|v| v.as_fixnum_unchecked()).collect();
            let sorted = sort_outside(ctx, &numbers, |a, b| a.cmp(b))?;
            let result = Array::with_capacity(ctx, sorted.len());
            let mut some = [Value::NIL; TAKEN];
            for piece in sorted.chunks(TAKEN) {
                some.iter_mut().zip(piece).for_each(|(slot, number)| *slot = Value::fixnum(*number));
                result.extend(ctx, &some[..piece.len()]);
                ctx.check_interrupts()?;
            }
            Ok(result)
        }
        Kind::Fixnums => {
            let copy = ary.dup(ctx);
            copy.slice_mut(ctx).sort_unstable_by_key(|v| v.as_fixnum_unchecked());
            Ok(copy)
        }
        _ => {
            let items = hidden_copy(ctx, ary);
            let order = plain_order(ctx, items.array(), kind)?;
            Ok(arrange(ctx, items, &order))
        }
    }
}

/// The positions of a list of one plain kind in the order of its elements; equal ones stay in theirs. The list is not
/// changed meanwhile.
fn plain_order(ctx: &mut Ctx, list: Array, kind: Kind) -> Result<Vec<u32>> {
    let many = list.len() >= MANY;
    if kind == Kind::Fixnums {
        let mut keys: Vec<(i64, u32)> =
            list.slice(ctx).iter().zip(0..).map(|(v, at)| (v.as_fixnum_unchecked(), at)).collect();
        if !many {
            keys.sort_unstable();
            return Ok(keys.into_iter().map(|(_, at)| at).collect());
        }
        return Ok(sort_outside(ctx, &keys, |a, b| a.cmp(b))?.into_iter().map(|(_, at)| at).collect());
    }
    if many && kind == Kind::Floats {
        let keys: Vec<(f64, u32)> = list.slice(ctx).iter().zip(0..).map(|(v, at)| (number_of(ctx, *v), at)).collect();
        let by_number =
            |a: &(f64, u32), b: &(f64, u32)| a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal).then(a.1.cmp(&b.1));
        return Ok(sort_outside(ctx, &keys, by_number)?.into_iter().map(|(_, at)| at).collect());
    }
    let mut order: Vec<u32> = (0..list.len() as u32).collect();
    if !many {
        let items = list.slice(ctx);
        order.sort_by(|a, b| compare_kind(ctx, kind, items[*a as usize], items[*b as usize]));
        return Ok(order);
    }
    for piece in order.chunks_mut(STRING_PIECE) {
        let items = list.slice(ctx);
        piece.sort_by(|a, b| compare_kind(ctx, kind, items[*a as usize], items[*b as usize]));
        ctx.check_interrupts()?;
    }
    merge_runs(ctx, &mut order, STRING_PIECE, &mut |ctx, a, b| {
        let items = list.slice(ctx);
        Ok(compare_kind(ctx, kind, items[a as usize], items[b as usize]) != Ordering::Greater)
    })?;
    Ok(order)
}

/// Sorts numbers outside the lock, in pieces that are then merged, so that an interrupt is seen soon.
fn sort_outside<T: Copy + Send + Sync>(
    ctx: &mut Ctx,
    items: &[T],
    compare: impl Fn(&T, &T) -> Ordering + Send + Sync,
) -> Result<Vec<T>> {
    ctx.outside(Leave::new(vmlock::Kind::Short(&SITE), Ends::Flag), |stop| {
        let mut sorted = items.to_vec();
        for piece in sorted.chunks_mut(PIECE) {
            piece.sort_unstable_by(&compare);
            if stop.requested() {
                return None;
            }
        }
        let mut spare = sorted.clone();
        let mut width = PIECE;
        while width < sorted.len() {
            for (from, to) in sorted.chunks(2 * width).zip(spare.chunks_mut(2 * width)) {
                let (mut left, mut right) = from.split_at(width.min(from.len()));
                for (step, slot) in to.iter_mut().enumerate() {
                    let take_left = match (left.first(), right.first()) {
                        (Some(a), Some(b)) => compare(a, b) != Ordering::Greater,
                        (left, _) => left.is_some(),
                    };
                    let side = if take_left { &mut left } else { &mut right };
                    *slot = side[0];
                    *side = &side[1..];
                    if stop.requested_at(step) {
                        return None;
                    }
                }
            }
            std::mem::swap(&mut sorted, &mut spare);
            width *= 2;
        }
        Some(sorted)
    })
}

fn sort_slow(
    ctx: &mut Ctx,
    ary: Array,
    cmp: &mut dyn FnMut(&mut Ctx, Value, Value) -> Result<Ordering>,
) -> Result<Array> {
    let items = hidden_copy(ctx, ary);
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    merge_sort(ctx, &mut order, &mut |ctx, a, b| {
        let (x, y) = (items.get(a as usize).unwrap_or(Value::NIL), items.get(b as usize).unwrap_or(Value::NIL));
        Ok(cmp(ctx, x, y)? != Ordering::Greater)
    })?;
    Ok(arrange(ctx, items, &order))
}

/// The same in the order that a block gives.
pub fn sort_list_with_block(ctx: &mut Ctx, ary: Array, block: Value) -> Result<Array> {
    sort_slow(ctx, ary, &mut |ctx, a, b| {
        let result = ctx.yield_values(block, &[a, b])?;
        rubellite_core_object::ordering(ctx, result, a, b)
    })
}

fn sorted_by(ctx: &mut Ctx, ary: Array, args: Args) -> Result<Array> {
    if args.has_block() { sort_list_with_block(ctx, ary, args.block) } else { sort_list(ctx, ary) }
}

pub fn sort(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    Ok(sorted_by(ctx, ary, args)?.value())
}

pub fn sort_bang(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    ctx.check_frozen(ary.value())?;
    if ary.len() > 1 {
        let sorted = sorted_by(ctx, ary, args)?;
        if ary.header().frozen() {
            return Err(ctx.raise_error("FrozenError", "array frozen during sort"));
        }
        ary.replace(ctx, sorted);
    }
    Ok(ary.value())
}

/// The elements in the order of the keys, one for each element.
pub fn sort_by_keys(ctx: &mut Ctx, items: Array, keys: Array) -> Result<Array> {
    let items = hidden_copy(ctx, items);
    let kind = kind_of(ctx, keys.slice(ctx));
    let mut order: Vec<u32> = (0..items.len().min(keys.len()) as u32).collect();
    if kind != Kind::Mixed && keys.len() <= items.len() {
        order = plain_order(ctx, keys, kind)?;
    } else if kind == Kind::Mixed {
        merge_sort(ctx, &mut order, &mut |ctx, a, b| {
            let (x, y) = (keys.get(a as usize).unwrap_or(Value::NIL), keys.get(b as usize).unwrap_or(Value::NIL));
            Ok(compare(ctx, x, y)? != Ordering::Greater)
        })?;
    } else {
        let list = keys.slice(ctx);
        order.sort_by(|a, b| compare_kind(ctx, kind, list[*a as usize], list[*b as usize]));
    }
    Ok(arrange(ctx, items, &order))
}

/// `wanted` is the order of what is better to what is worse. Equal elements: the first.
fn extreme(ctx: &mut Ctx, ary: Array, wanted: Ordering) -> Result {
    let Some(mut best) = ary.first() else { return Ok(Value::NIL) };
    let mut start = 0;
    loop {
        let items = ary.slice(ctx);
        let piece = &items[start.min(items.len())..(start + PIECE).min(items.len())];
        if piece.is_empty() {
            return Ok(best);
        }
        let integer = if best.is_fixnum() && builtin_order(ctx, best) { fixnum_extreme(piece, wanted) } else { None };
        if let Some(found) = integer.filter(|_| items.len() <= PIECE) {
            return Ok(found);
        }
        let found = match integer {
            Some(found) => found,
            None => match kind_of(ctx, piece) {
                Kind::Mixed => return extreme_from(ctx, ary, start, best, wanted),
                kind => plain_extreme(ctx, piece, kind, wanted),
            },
        };
        if start == 0 || compare(ctx, best, found)? == wanted.reverse() {
            best = found;
        }
        start += PIECE;
        ctx.check_interrupts()?;
    }
}

/// The extreme of fixnums, none when something else is among them. Their words are in the order of the numbers.
fn fixnum_extreme(items: &[Value], wanted: Ordering) -> Option<Value> {
    let words = || items.iter().map(|v| (v.bits() as i64, v.is_fixnum()));
    let found = match wanted {
        Ordering::Greater => {
            words().fold((i64::MIN, true), |(best, all), (word, fixnum)| (best.max(word), all & fixnum))
        }
        _ => words().fold((i64::MAX, true), |(best, all), (word, fixnum)| (best.min(word), all & fixnum)),
    };
    found.1.then_some(Value::fixnum(found.0 >> 1))
}

/// The extreme of some elements of one plain kind.
fn plain_extreme(ctx: &Ctx, items: &[Value], kind: Kind, wanted: Ordering) -> Value {
    let first = items[0];
    match kind {
        Kind::Fixnums => fixnum_extreme(items, wanted).unwrap_or(first),
        Kind::Floats => {
            let (mut best, mut number) = (first, number_of(ctx, first));
            for item in &items[1..] {
                let other = number_of(ctx, *item);
                if other.partial_cmp(&number) == Some(wanted) {
                    (best, number) = (*item, other);
                }
            }
            best
        }
        _ => items[1..]
            .iter()
            .fold(first, |best, item| if compare_kind(ctx, kind, *item, best) == wanted { *item } else { best }),
    }
}

/// The same from a position on, by calls.
fn extreme_from(ctx: &mut Ctx, ary: Array, start: usize, mut best: Value, wanted: Ordering) -> Result {
    let mut i = start.max(1);
    while let Some(item) = ary.get(i) {
        if compare(ctx, best, item)? == wanted.reverse() {
            best = item;
        }
        i += 1;
        poll(ctx, i)?;
    }
    Ok(best)
}

/// `min`, `min(n)`, `min { |a, b| }`
pub fn min(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    extreme_or(ctx, ary, args, Ordering::Less, "__min_of")
}

/// `max`, `max(n)`, `max { |a, b| }`
pub fn max(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    extreme_or(ctx, ary, args, Ordering::Greater, "__max_of")
}

/// With a number or a block the method written in Ruby decides.
fn extreme_or(ctx: &mut Ctx, ary: Array, args: Args, wanted: Ordering, general: &str) -> Result {
    if args.has_block() || args.non_nil(0).is_some() {
        let name = ctx.internal(general);
        return ctx.call_args(ary.value(), name, args);
    }
    extreme(ctx, ary, wanted)
}

/// A sum of floats with compensation (Kahan and Babuska), infinities and NaN apart.
#[derive(Default)]
pub struct FloatSum {
    sum: f64,
    compensation: f64,
}

impl FloatSum {
    pub fn new(start: f64) -> FloatSum {
        FloatSum { sum: start, compensation: 0.0 }
    }

    pub fn add(&mut self, x: f64) {
        if self.sum.is_nan() {
            return;
        }
        if x.is_nan() {
            self.sum = x;
        } else if x.is_infinite() {
            self.sum = if self.sum.is_infinite() && (x < 0.0) != (self.sum < 0.0) { f64::NAN } else { x };
        } else if !self.sum.is_infinite() {
            let total = self.sum + x;
            self.compensation +=
                if self.sum.abs() >= x.abs() { (self.sum - total) + x } else { (x - total) + self.sum };
            self.sum = total;
        }
    }

    pub fn total(&self) -> f64 {
        if self.sum.is_finite() { self.sum + self.compensation } else { self.sum }
    }
}

/// A number that a float sum takes up.
fn addend(ctx: &mut Ctx, value: Value) -> Result<Option<f64>> {
    if let Some(f) = ctx.float_value(value) {
        return Ok(Some(f));
    }
    if let Some(n) = value.as_fixnum() {
        return Ok(Some(n as f64));
    }
    match value.header().map(|h| h.tag()) {
        Some(Tag::Bignum) => Ok(Int::try_of(value).map(|i| i.to_f64())),
        Some(Tag::Rational) => ctx.to_float(value).map(Some),
        _ => Ok(None),
    }
}

/// `sum(init = 0)`; with a block the method written in Ruby decides.
pub fn sum_method(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    if args.has_block() {
        let name = ctx.internal("__sum_by");
        return ctx.call_args(ary.value(), name, args);
    }
    sum(ctx, ary, args.get(0).unwrap_or(Value::fixnum(0)))
}

/// The sum of the leading small integers of a list and their number, when the total is one, too.
fn small_sum(ctx: &Ctx, ary: Array, init: Value) -> Option<(Value, usize)> {
    let items = ary.slice(ctx);
    let (total, count) = add_fixnums(&items[..items.len().min(PIECE)], init.as_fixnum()?);
    Some((Value::try_fixnum(total)?, count))
}

/// The sum of a list from `init` on.
pub fn sum(ctx: &mut Ctx, ary: Array, init: Value) -> Result {
    let mut total = init;
    let plus = ctx.names().op_plus;
    let mut i = 0;
    if !ctx.integer_operators_intact() && !ctx.is_builtin(Value::fixnum(0), plus) {
        return add_rest(ctx, ary, total, 0);
    }
    if let Some((sum, count)) = small_sum(ctx, ary, total) {
        (total, i) = (sum, count);
        if i == ary.len() {
            return Ok(total);
        }
    }
    if integer::is_integer(total) {
        while let Some(item) = ary.get(i).filter(|v| integer::is_integer(*v)) {
            total = integer::add(ctx, total, item);
            i += 1;
            poll(ctx, i)?;
        }
    }
    while let Some(item) = ary.get(i).filter(|v| v.has_tag(Tag::Rational) || integer::is_integer(*v)) {
        if !(integer::is_integer(total) || total.has_tag(Tag::Rational)) {
            break;
        }
        total = ctx.call(total, plus, &[item])?;
        i += 1;
    }
    let floats =
        ary.get(i).is_some_and(|v| ctx.float_value(v).is_some()) || (ctx.float_value(total).is_some() && i < ary.len());
    if floats && let Some(start) = addend(ctx, total)? {
        let mut sum = FloatSum::new(start);
        while let Some(item) = ary.get(i) {
            let Some(x) = addend(ctx, item)? else { break };
            sum.add(x);
            i += 1;
            poll(ctx, i)?;
        }
        total = ctx.float(sum.total());
    }
    add_rest(ctx, ary, total, i)
}

/// Adds the elements from `i` on by calls of `+`.
fn add_rest(ctx: &mut Ctx, ary: Array, mut total: Value, mut i: usize) -> Result {
    let plus = ctx.names().op_plus;
    while let Some(item) = ary.get(i) {
        total = ctx.call(total, plus, &[item])?;
        i += 1;
        poll(ctx, i)?;
    }
    Ok(total)
}

/// A rooted copy that programs do not reach.
fn hidden_copy(ctx: &mut Ctx, ary: Array) -> TempArray {
    let copy = TempArray::new(ctx);
    copy.array().replace(ctx, ary);
    copy
}
