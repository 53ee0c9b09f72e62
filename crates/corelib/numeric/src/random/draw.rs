//! Random: numbers below a limit or in a range, from any generator. The order in which words are drawn is part of
//! the behaviour: equal seeds give CRuby's sequences.

use super::mt::{Twister, mask_of, real_exclusive, real_inclusive};
use super::{Generator, with_default};
use crate::num;
use rubellite_vm::object::{Data, Int, Range, Str};
use rubellite_vm::{Ctx, Result, Unwind, Value};

/// Where random words come from.
#[derive(Copy, Clone)]
pub enum Source {
    Default,
    /// A Random.
    Object(Value),
    /// Any object with a method `bytes`.
    Bytes(Value),
}

impl Source {
    pub fn of(ctx: &Ctx, value: Value) -> Source {
        if value == ctx.classes().random.get() {
            Source::Default
        } else if Data::state_of::<Generator>(ctx, value).is_some() {
            Source::Object(value)
        } else {
            Source::Bytes(value)
        }
    }
}

/// The next 32 bits.
pub fn next_word(ctx: &mut Ctx, source: Source) -> Result<u32> {
    match source {
        Source::Bytes(object) => Ok(foreign_bytes(ctx, object, 4)? as u32),
        _ => with_own(ctx, source, Twister::next_u32),
    }
}

/// Up to eight bytes of a foreign generator as a little-endian number.
fn foreign_bytes(ctx: &mut Ctx, object: Value, count: usize) -> Result<u64> {
    let bytes = ctx.call_name(object, "bytes", &[Value::fixnum(count as i64)])?;
    let Some(text) = Str::try_of(bytes) else {
        let class = ctx.real_class(bytes).inspect(ctx);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected String)")));
    };
    let given = text.len();
    if given < count {
        return Err(ctx.range_error(&format!("random data too short {given}")));
    }
    if given > count {
        return Err(ctx.range_error(&format!("random data too long {given}")));
    }
    Ok(text.bytes(ctx).iter().rev().fold(0, |n, b| n << 8 | *b as u64))
}

fn real(ctx: &mut Ctx, source: Source, exclude_end: bool) -> Result<f64> {
    let (a, b) = match source {
        Source::Bytes(object) => {
            let bits = foreign_bytes(ctx, object, 8)?;
            (bits as u32, (bits >> 32) as u32)
        }
        _ => (next_word(ctx, source)?, next_word(ctx, source)?),
    };
    Ok(if exclude_end { real_exclusive(a, b) } else { real_inclusive(a, b) })
}

/// The source that a generator of ours with the `rand` it came with is; none for other objects.
pub fn own_source(ctx: &mut Ctx, random: Value) -> Option<Source> {
    let rand = ctx.names().rand;
    match Source::of(ctx, random) {
        Source::Bytes(_) => None,
        source => ctx.is_builtin(random, rand).then_some(source),
    }
}

/// A number from 0 to `limit`.
pub fn below(ctx: &mut Ctx, source: Source, limit: u64) -> Result<u64> {
    match source {
        _ if limit == 0 => Ok(0),
        Source::Bytes(object) => below_foreign(ctx, object, limit),
        _ => with_own(ctx, source, |twister| twister.below(limit)),
    }
}

/// Runs `body` with the generator behind a source that is one of ours.
pub fn with_own<T: Default>(ctx: &mut Ctx, source: Source, body: impl FnOnce(&mut Twister) -> T) -> Result<T> {
    match source {
        Source::Default => with_default(ctx, |generator| body(&mut generator.twister.borrow_mut())),
        Source::Object(object) => {
            Ok(Data::state_of::<Generator>(ctx, object).map_or_else(T::default, |g| body(&mut g.twister.borrow_mut())))
        }
        Source::Bytes(_) => Ok(T::default()),
    }
}

/// The same from foreign bytes: each piece of them that is as wide as the limit is one try.
fn below_foreign(ctx: &mut Ctx, object: Value, limit: u64) -> Result<u64> {
    let width = 64 - limit.leading_zeros();
    let size = if width > 32 { 8 } else { 4 };
    let (mask, full) = (mask_of(limit), if size == 8 { u64::MAX } else { u32::MAX as u64 });
    let (mut bits, mut rest) = (0u64, 0u64);
    loop {
        if mask & !rest != 0 {
            bits = foreign_bytes(ctx, object, size)?;
            rest = full;
        }
        let value = bits & mask;
        bits = bits.checked_shr(width).unwrap_or(0);
        rest = rest.checked_shr(width).unwrap_or(0);
        if value <= limit {
            return Ok(value);
        }
    }
}

/// The same for limits beyond 64 bits.
fn below_big(ctx: &mut Ctx, source: Source, limit: &Int) -> Result<Int> {
    let mut words: Vec<u32> = limit.magnitude_words().iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
    while words.last() == Some(&0) {
        words.pop();
    }
    'retry: loop {
        let (mut mask, mut boundary) = (0, true);
        let mut drawn = words.clone();
        for (i, limit) in words.iter().enumerate().rev() {
            mask = if mask != 0 { u32::MAX } else { mask_of(*limit as u64) as u32 };
            let word = if mask == 0 { 0 } else { next_word(ctx, source)? & mask };
            if boundary && mask != 0 {
                if word > *limit {
                    continue 'retry;
                }
                boundary = word == *limit;
            }
            drawn[i] = word;
        }
        let wide: Vec<u64> =
            drawn.chunks(2).map(|w| w[0] as u64 | (w.get(1).copied().unwrap_or(0) as u64) << 32).collect();
        return Ok(Int::from_words(false, &wide));
    }
}

/// A number from 0 to `limit` (not negative) of any size.
fn below_int(ctx: &mut Ctx, source: Source, limit: &Int) -> Result {
    match limit.to_u64().filter(|_| limit.to_i64().is_some()) {
        Some(limit) => {
            let value = below(ctx, source, limit)?;
            Ok(ctx.uint(value))
        }
        None => Ok(below_big(ctx, source, limit)?.into_value(ctx)),
    }
}

/// A number from 0 to `limit` for `shuffle` and `sample`: `random` is their generator (none: the default one), a
/// Random or any object with a method `rand`.
pub fn limited(ctx: &mut Ctx, random: Option<Value>, limit: u64) -> Result<u64> {
    let source = match random {
        None => Source::Default,
        Some(random) => Source::of(ctx, random),
    };
    let Source::Bytes(object) = source else {
        return below(ctx, source, limit);
    };
    let max = ctx.uint(limit.saturating_add(1));
    let drawn = ctx.call_name(object, "rand", &[max])?;
    let drawn = ctx.to_integer(drawn)?;
    let number = Int::try_of(drawn).unwrap_or(Int::ZERO);
    let text = number.to_radix(10);
    match number.to_u64() {
        Some(n) if n <= limit => Ok(n),
        Some(_) => Err(ctx.range_error(&format!("random number too big {text}"))),
        None if number.is_negative() => Err(ctx.range_error(&format!("random number too small {text}"))),
        None => Err(ctx.range_error(&format!("random number too big {text}"))),
    }
}

// -- arguments ------------------------------------------------------------------------

#[cold]
fn domain_error(ctx: &mut Ctx) -> Unwind {
    let class = ctx.error_class("Errno::EDOM");
    match ctx.call_name(class.value(), "new", &[]) {
        Ok(error) => ctx.raise(error),
        Err(unwind) => unwind,
    }
}

#[cold]
fn invalid_argument(ctx: &mut Ctx, value: Value) -> Unwind {
    match ctx.to_s(value).map(|text| text.to_lossy(ctx).into_owned()) {
        Ok(text) => ctx.argument_error(&format!("invalid argument - {text}")),
        Err(unwind) => unwind,
    }
}

/// An Integer by to_int, or none when the object does not convert.
fn check_to_int(ctx: &mut Ctx, value: Value) -> Result<Option<Int>> {
    if let Some(n) = Int::try_of(value) {
        return Ok(Some(n));
    }
    if value.has_tag(rubellite_vm::Tag::String) || matches!(value, Value::NIL | Value::TRUE | Value::FALSE) {
        return Ok(None);
    }
    let to_int = ctx.names().to_int;
    Ok(ctx.check_call(value, to_int, &[])?.filter(|v| num::is_integer(*v)).and_then(Int::try_of))
}

/// A float of a Numeric, or none.
fn check_to_float(ctx: &mut Ctx, value: Value) -> Result<Option<f64>> {
    let numeric = ctx.classes().numeric.get();
    if !ctx.is_a(value, numeric) {
        return Ok(None);
    }
    ctx.to_float(value).map(Some)
}

fn finite(ctx: &mut Ctx, f: f64) -> Result<f64> {
    if f.is_finite() { Ok(f) } else { Err(domain_error(ctx)) }
}

/// What a limit or range gives.
enum Drawn {
    Value(Value),
    /// The limit is of the right kind, but nothing lies below it.
    Empty,
    /// The argument is neither a number nor a range.
    NoLimit,
}

/// `Random#rand` and its kin.
fn draw(ctx: &mut Ctx, source: Source, limit: Option<Value>) -> Result<Drawn> {
    let Some(limit) = limit else {
        let f = real(ctx, source, true)?;
        return Ok(Drawn::Value(ctx.float(f)));
    };
    if limit.is_nil() {
        return Ok(Drawn::Empty);
    }
    if !num::is_float(limit)
        && let Some(max) = check_to_int(ctx, limit)?
    {
        if max <= Int::ZERO {
            return Ok(Drawn::Empty);
        }
        return below_int(ctx, source, &max.sub(&Int::ONE)).map(Drawn::Value);
    }
    if let Some(max) = check_to_float(ctx, limit)? {
        let max = finite(ctx, max)?;
        if max < 0.0 {
            return Ok(Drawn::Empty);
        }
        let f = real(ctx, source, true)?;
        return Ok(Drawn::Value(ctx.float(if max > 0.0 { f * max } else { f })));
    }
    draw_range(ctx, source, limit)
}

fn draw_range(ctx: &mut Ctx, source: Source, range: Value) -> Result<Drawn> {
    let Some(range) = Range::try_of(range) else { return Ok(Drawn::NoLimit) };
    let (begin, end, exclude_end) = (range.begin(), range.end(), range.exclude_end());
    if begin.is_nil() || end.is_nil() {
        return Err(domain_error(ctx));
    }
    let minus = ctx.names().op_minus;
    let Some(width) = ctx.check_call(end, minus, &[begin])? else { return Ok(Drawn::NoLimit) };
    if !num::is_float(width)
        && let Some(width) = check_to_int(ctx, width)?
    {
        let limit = if exclude_end { width.sub(&Int::ONE) } else { width };
        if limit.is_negative() {
            return Ok(Drawn::Empty);
        }
        let offset = below_int(ctx, source, &limit)?;
        return num::add(ctx, begin, offset).map(Drawn::Value);
    }
    let Some(width) = check_to_float(ctx, width)? else { return Ok(Drawn::Empty) };
    if width.is_infinite() {
        return wide_range(ctx, source, begin, end, exclude_end);
    }
    if width.is_nan() {
        return Err(domain_error(ctx));
    }
    let offset = if width > 0.0 {
        real(ctx, source, exclude_end)? * width
    } else if width == 0.0 && !exclude_end {
        0.0
    } else {
        return Ok(Drawn::Empty);
    };
    if let Some(begin) = check_to_float(ctx, begin)? {
        return Ok(Drawn::Value(ctx.float(offset + begin)));
    }
    let offset = ctx.float(offset);
    num::add(ctx, begin, offset).map(Drawn::Value)
}

/// A range of floats whose width is no float: halves are drawn.
fn wide_range(ctx: &mut Ctx, source: Source, begin: Value, end: Value, exclude_end: bool) -> Result<Drawn> {
    let min = ctx.to_float(begin)?;
    let min = finite(ctx, min)? / 2.0;
    let max = ctx.to_float(end)?;
    let max = finite(ctx, max)? / 2.0;
    let (middle, width) = (max + min, max - min);
    if width <= 0.0 {
        return Ok(Drawn::Empty);
    }
    let f = real(ctx, source, exclude_end)?;
    Ok(Drawn::Value(ctx.float((f - 0.5) * width * 2.0 + middle)))
}

/// `Random#rand(limit)`: bad limits are errors.
pub fn draw_number(ctx: &mut Ctx, source: Source, limit: Option<Value>) -> Result {
    match draw(ctx, source, limit)? {
        Drawn::Value(value) => Ok(value),
        Drawn::Empty => Err(invalid_argument(ctx, limit.unwrap_or(Value::NIL))),
        Drawn::NoLimit => {
            let limit = limit.unwrap_or(Value::NIL);
            // The message is that of the conversion to an integer.
            ctx.to_int(limit)?;
            Err(invalid_argument(ctx, limit))
        }
    }
}

/// `Random::Formatter#random_number(limit)`: empty limits count as none.
pub fn draw_lenient(ctx: &mut Ctx, source: Source, limit: Option<Value>) -> Result {
    match draw(ctx, source, limit)? {
        Drawn::Value(value) => Ok(value),
        Drawn::Empty => {
            let f = real(ctx, source, true)?;
            Ok(ctx.float(f))
        }
        Drawn::NoLimit => Err(invalid_argument(ctx, limit.unwrap_or(Value::NIL))),
    }
}

/// `Kernel#rand(limit)`: the sign of a limit does not count, and zero and nil are no limit.
pub fn draw_kernel(ctx: &mut Ctx, limit: Option<Value>) -> Result {
    let source = Source::Default;
    if let Some(limit) = limit.filter(|v| !v.is_nil()) {
        match draw_range(ctx, source, limit)? {
            Drawn::Value(value) => return Ok(value),
            Drawn::Empty => return Ok(Value::NIL),
            Drawn::NoLimit => {}
        }
        let max = ctx.to_integer(limit)?;
        let max = Int::try_of(max).unwrap_or(Int::ZERO).abs();
        if !max.is_zero() {
            return below_int(ctx, source, &max.sub(&Int::ONE));
        }
    }
    let f = real(ctx, source, true)?;
    Ok(ctx.float(f))
}
