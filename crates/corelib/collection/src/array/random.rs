//! Array: shuffling and sampling. Numbers are drawn in CRuby's order: equal seeds give equal results.

use rubellite_core_numeric::random::{Source, below, own_source, with_own};
use rubellite_core_thread::outside::poll;
use rubellite_vm::object::Array;
use rubellite_vm::{Args, CallKind, Ctx, Result, Value};
use rustc_hash::FxHashMap;

/// Up to so many elements are picked by numbers in ascending order, more by swapping.
const FEW: usize = 10;
/// Swaps are kept in a table when less than one element in so many is picked.
const SPARSE: usize = 32;
/// How many numbers are drawn at a time.
const BATCH: usize = 256;

/// A generator of numbers below a limit.
pub struct Dice {
    random: Value,
    own: Option<Source>,
}

impl Dice {
    /// `random` stays rooted by the caller.
    pub fn of(ctx: &mut Ctx, random: Value) -> Dice {
        Dice { random, own: own_source(ctx, random) }
    }

    /// The next number below `limit`, which is at least 1.
    pub fn below(&self, ctx: &mut Ctx, limit: usize) -> Result<usize> {
        if let Some(source) = self.own {
            return Ok(below(ctx, source, limit as u64 - 1)? as usize);
        }
        let bound = ctx.int(limit as i64);
        let rand = ctx.intern("rand");
        let number = ctx.call_full(self.random, rand, &[bound], false, Value::NIL, CallKind::Public)?;
        let n = ctx.to_int(number)?;
        if n < 0 {
            return Err(ctx.range_error(&format!("random number too small {n}")));
        }
        if n as usize >= limit {
            return Err(ctx.range_error(&format!("random number too big {n}")));
        }
        Ok(n as usize)
    }

    /// Draws numbers below `limit`, below `limit - 1` and so on, at most down to 2 and as many as there is room for:
    /// how many. Of a generator that may run Ruby it is one.
    fn batch(&self, ctx: &mut Ctx, limit: usize, drawn: &mut [usize]) -> Result<usize> {
        let Some(source) = self.own else {
            drawn[0] = self.below(ctx, limit)?;
            return Ok(1);
        };
        let count = drawn.len().min(limit - 1);
        with_own(ctx, source, |twister| {
            for (i, slot) in drawn[..count].iter_mut().enumerate() {
                *slot = twister.below((limit - i) as u64 - 1) as usize;
            }
        })?;
        Ok(count)
    }
}

/// `array_shuffle_bang(random)`
pub fn shuffle_bang(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    ctx.check_frozen(ary.value())?;
    let dice = Dice::of(ctx, args.at(0));
    let len = ary.len();
    let (mut left, mut drawn) = (len, [0; BATCH]);
    while left > 1 {
        let count = dice.batch(ctx, left, &mut drawn)?;
        poll(ctx, left)?;
        if ary.len() != len {
            return Err(ctx.runtime_error("modified during shuffle"));
        }
        for at in &drawn[..count] {
            left -= 1;
            ary.swap(ctx, *at, left);
        }
        if count == BATCH {
            ctx.check_interrupts()?;
        }
    }
    Ok(ary.value())
}

/// `array_shuffle(random)`: a shuffled copy.
pub fn shuffle(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let copy = ary.dup(ctx);
    shuffle_bang(ctx, copy, args)
}

/// `sample`, `sample(n, random: Random)`
pub fn sample(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    if !args.is_empty() {
        let name = ctx.internal("__sample");
        return ctx.call_args(ary.value(), name, args);
    }
    let len = ary.len();
    if len < 2 {
        return Ok(ary.first().unwrap_or(Value::NIL));
    }
    let random = ctx.classes().random.get();
    let at = Dice::of(ctx, random).below(ctx, len)?;
    Ok(ary.get(at).unwrap_or(Value::NIL))
}

/// `(list, n, random)`: `n` elements, at most all. The generator may change the array meanwhile; when most of it is
/// wanted they are drawn from a copy.
pub fn draw(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let n = ary.len().min(args.at(0).as_fixnum().unwrap_or(0).max(0) as usize);
    let ary = if n > FEW { ary.dup(ctx) } else { ary };
    let dice = Dice::of(ctx, args.at(1));
    let positions = if n <= FEW { ascending(ctx, &dice, ary, n)? } else { swapped(ctx, &dice, ary.len(), n)? };
    let result = Array::with_capacity(ctx, positions.len());
    for at in positions {
        result.push(ctx, ary.get(at).unwrap_or(Value::NIL));
    }
    Ok(result.value())
}

/// Each number counts the positions that are not taken yet. None when the array became too short.
fn ascending(ctx: &mut Ctx, dice: &Dice, ary: Array, n: usize) -> Result<Vec<usize>> {
    let len = ary.len();
    let mut draws = Vec::with_capacity(n);
    for i in 0..n {
        draws.push(dice.below(ctx, len - i)?);
    }
    if draws.iter().any(|at| *at >= ary.len()) {
        return Ok(Vec::new());
    }
    let mut taken: Vec<usize> = Vec::with_capacity(n);
    for draw in &mut draws {
        let mut place = 0;
        while place < taken.len() && *draw >= taken[place] {
            *draw += 1;
            place += 1;
        }
        taken.insert(place, *draw);
    }
    Ok(draws)
}

/// The front of what swapping each position with a later one gives.
fn swapped(ctx: &mut Ctx, dice: &Dice, len: usize, n: usize) -> Result<Vec<usize>> {
    if n > len / SPARSE {
        let mut order: Vec<usize> = (0..len).collect();
        draw_later(ctx, dice, len, n, |i, at| order.swap(i, at))?;
        order.truncate(n);
        return Ok(order);
    }
    let mut positions = Vec::with_capacity(n);
    let mut moved: FxHashMap<usize, usize> = FxHashMap::with_capacity_and_hasher(n, Default::default());
    draw_later(ctx, dice, len, n, |i, at| {
        let here = moved.get(&i).copied().unwrap_or(i);
        positions.push(moved.insert(at, here).unwrap_or(at));
    })?;
    Ok(positions)
}

/// Draws for each of the first `n` of `len` positions one that is not before it.
fn draw_later(ctx: &mut Ctx, dice: &Dice, len: usize, n: usize, mut each: impl FnMut(usize, usize)) -> Result<()> {
    let (mut i, mut drawn) = (0, [0; BATCH]);
    while i < n {
        poll(ctx, i)?;
        if len - i == 1 {
            each(i, i);
            break;
        }
        let count = dice.batch(ctx, len - i, &mut drawn[..BATCH.min(n - i)])?;
        for at in &drawn[..count] {
            each(i, i + at);
            i += 1;
        }
        if count == BATCH {
            ctx.check_interrupts()?;
        }
    }
    Ok(())
}
