//! What several collection classes share: comparison by `<=>`, bounds of index ranges, joining of encodings.

use rubellite_core_encoding::object::{default_external, default_internal};
use rubellite_core_object::ordering;
use rubellite_core_text::common::range_like;
use rubellite_core_text::shown::escaped;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Ctx, Encoding, Pending, Result, Tag, Unwind, Value};
use std::cmp::Ordering;

/// `a <=> b` for ordering; ArgumentError when they do not compare.
#[inline]
pub fn compare(ctx: &mut Ctx, a: Value, b: Value) -> Result<Ordering> {
    if a.is_fixnum() && b.is_fixnum() && ctx.order_intact(a) {
        return Ok(a.as_fixnum_unchecked().cmp(&b.as_fixnum_unchecked()));
    }
    if let (Some(x), Some(y)) = (Str::try_of(a), Str::try_of(b))
        && builtin_order(ctx, a)
    {
        return Ok(x.compare(ctx, y));
    }
    let cmp = ctx.names().op_cmp;
    if let (Some(x), Some(y)) = (plain_number(ctx, a), plain_number(ctx, b))
        && builtin_order(ctx, a)
    {
        return Ok(x.partial_cmp(&y).unwrap_or(Ordering::Equal));
    }
    let result = ctx.call(a, cmp, &[b])?;
    ordering(ctx, result, a, b)
}

/// Adds the leading fixnums of `items` to `start` as far as the sum fits a machine word: the sum, and how many they
/// are.
pub fn add_fixnums(items: &[Value], start: i64) -> (i64, usize) {
    let mut sum = start;
    for (i, item) in items.iter().enumerate() {
        match item.as_fixnum().and_then(|n| sum.checked_add(n)) {
            Some(next) => sum = next,
            None => return (sum, i),
        }
    }
    (sum, items.len())
}

/// Whether `<=>` of this element is one of ours.
#[inline]
pub fn builtin_order(ctx: &Ctx, value: Value) -> bool {
    ctx.order_intact(value) || ctx.is_builtin(value, ctx.names().op_cmp)
}

/// A Float that is a number, or an Integer that is exact as one.
#[inline]
fn plain_number(ctx: &Ctx, value: Value) -> Option<f64> {
    match value.as_fixnum() {
        Some(n) => (n.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS).then_some(n as f64),
        None => ctx.float_value(value).filter(|f| !f.is_nan()),
    }
}

/// Which elements all values are: chooses a comparison without calls.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Kind {
    Fixnums,
    /// Floats that are numbers, and Integers that are exact as Floats.
    Floats,
    Strings,
    Mixed,
}

/// The kind of a list, `Mixed` when the program has changed `<=>` of its class.
pub fn kind_of(ctx: &Ctx, items: &[Value]) -> Kind {
    let Some(first) = items.first().copied() else { return Kind::Mixed };
    if !builtin_order(ctx, first) {
        return Kind::Mixed;
    }
    if first.is_fixnum() && items.iter().all(|v| v.is_fixnum()) {
        return Kind::Fixnums;
    }
    if plain_number(ctx, first).is_some() {
        let numbers = items.iter().all(|v| plain_number(ctx, *v).is_some());
        let other = items.iter().find(|v| v.is_fixnum() != first.is_fixnum());
        return if numbers && other.is_none_or(|v| builtin_order(ctx, *v)) { Kind::Floats } else { Kind::Mixed };
    }
    let string = ctx.classes().string.get();
    if items.iter().all(|v| v.has_tag(Tag::String) && ctx.class_of(*v) == string) {
        return Kind::Strings;
    }
    Kind::Mixed
}

/// The number that an element of `Kind::Floats` is.
#[inline]
pub fn number_of(ctx: &Ctx, value: Value) -> f64 {
    match value.as_fixnum() {
        Some(n) => n as f64,
        None => ctx.float_value(value).unwrap_or(0.0),
    }
}

/// The order of two values of a kind that is not `Mixed`.
#[inline]
pub fn compare_kind(ctx: &Ctx, kind: Kind, a: Value, b: Value) -> Ordering {
    match kind {
        Kind::Fixnums => a.as_fixnum_unchecked().cmp(&b.as_fixnum_unchecked()),
        Kind::Floats => {
            let (x, y) = (number_of(ctx, a), number_of(ctx, b));
            x.partial_cmp(&y).unwrap_or(Ordering::Equal)
        }
        Kind::Strings => match (Str::try_of(a), Str::try_of(b)) {
            (Some(a), Some(b)) => a.compare(ctx, b),
            _ => Ordering::Equal,
        },
        Kind::Mixed => Ordering::Equal,
    }
}

/// What to do with an index range that does not fit.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Fit {
    /// None when it begins outside; the end is cut off at the length.
    Clip,
    /// RangeError when it begins before the start; the end may lie behind the length.
    Grow,
}

/// Start and count of the positions that an index Range means in `len` elements; `None` in the first level when
/// `value` is no Range, in the second when it lies outside. The length is asked for when the bounds have been
/// converted.
pub fn index_range(
    ctx: &mut Ctx,
    value: Value,
    len: impl FnOnce() -> usize,
    fit: Fit,
) -> Result<Option<Option<(usize, usize)>>> {
    let Some(range) = range_like(ctx, value)? else { return Ok(None) };
    let bounds = bounds(ctx, range.begin(), range.end(), range.exclude_end(), len, fit)?;
    if bounds.is_none() && fit == Fit::Grow {
        let text = ctx.inspect(value)?;
        return Err(ctx.range_error(&format!("{text} out of range")));
    }
    Ok(Some(bounds))
}

/// The same for the parts of a range; none also where `Grow` does not fit.
pub fn bounds(
    ctx: &mut Ctx,
    begin: Value,
    end: Value,
    exclude: bool,
    len: impl FnOnce() -> usize,
    fit: Fit,
) -> Result<Option<(usize, usize)>> {
    let begin = if begin.is_nil() { 0 } else { ctx.to_int(begin)? };
    let (end, exclude) = if end.is_nil() { (-1, false) } else { (ctx.to_int(end)?, exclude) };
    let len = len() as i64;
    let start = if begin < 0 { begin + len } else { begin };
    if start < 0 || (fit == Fit::Clip && start > len) {
        return Ok(None);
    }
    let mut end = if end < 0 { end + len } else { end };
    if !exclude {
        end = end.saturating_add(1);
    }
    if fit == Fit::Clip {
        end = end.min(len);
    }
    Ok(Some((start as usize, end.saturating_sub(start).max(0) as usize)))
}

/// The hash value of something that may contain itself. Where it does, the outermost such object has a fixed hash
/// value, so that equal structures that begin at different points agree; the ones between are left at once.
pub fn recursive_hash(ctx: &mut Ctx, recv: Value, body: impl FnOnce(&mut Ctx) -> Result<u64>) -> Result<u64> {
    let name = ctx.names().hash;
    hash_within(ctx, name, recv, body)
}

/// The `hash` of an element by a method of the program, which may lead back to the collection.
pub fn hash_of_element(ctx: &mut Ctx, element: Value) -> Result<u64> {
    if ctx.is_builtin(element, ctx.names().hash) {
        return ctx.hash_of(element);
    }
    let name = ctx.internal("__hash_of_element");
    hash_within(ctx, name, element, |ctx| ctx.hash_of(element))
}

fn hash_within(
    ctx: &mut Ctx,
    name: rubellite_vm::Sym,
    recv: Value,
    body: impl FnOnce(&mut Ctx) -> Result<u64>,
) -> Result<u64> {
    let outermost = ctx.begin_hash();
    let again = |ctx: &mut Ctx| {
        let tag = recursion_tag(ctx);
        Err(ctx.set_pending(Pending::Throw { tag, value: Value::NIL }))
    };
    let result = ctx.guard_recursion(name, recv, Value::NIL, again, body);
    ctx.end_hash();
    if outermost
        && result.is_err()
        && let Pending::Throw { tag, .. } = *ctx.pending()
        && tag == recursion_tag(ctx)
    {
        ctx.clear_pending();
        return Ok(0x5eed);
    }
    result
}

/// No program has this symbol: a `catch` does not end the way out.
fn recursion_tag(ctx: &mut Ctx) -> Value {
    Value::symbol(ctx.internal("__recursive_hash"))
}

/// "incompatible character encodings: UTF-8 and BINARY (ASCII-8BIT)"
#[cold]
fn incompatible(ctx: &mut Ctx, a: Str, b: Str) -> Unwind {
    let name = |s: Str| {
        let name = s.encoding().name();
        if name == "ASCII-8BIT" || name == "BINARY" { "BINARY (ASCII-8BIT)".to_string() } else { name.to_string() }
    };
    let message = format!("incompatible character encodings: {} and {}", name(a), name(b));
    ctx.raise_error("Encoding::CompatibilityError", &message)
}

/// Appends `piece` to `text`; the result has the encoding that both share.
pub fn append(ctx: &mut Ctx, text: Str, piece: Str) -> Result<()> {
    if text.encoding() != piece.encoding() {
        match rubellite_encoding::compatible(text.side(ctx), piece.side(ctx)) {
            Some(encoding) => text.set_encoding(encoding),
            None => return Err(incompatible(ctx, text, piece)),
        }
    }
    text.append_str(ctx, piece);
    Ok(())
}

/// Whether a text has no more than opening brackets.
fn is_begun(ctx: &Ctx, text: Str) -> bool {
    text.len() <= 1 || text.bytes(ctx).iter().rev().all(|byte| matches!(byte, b'[' | b'{'))
}

/// Appends `value.inspect` to `text`. A text of nothing but opening brackets takes the encoding of what comes first.
pub fn append_inspect(ctx: &mut Ctx, text: Str, value: Value) -> Result<()> {
    if let Some(n) = value.as_fixnum().filter(|_| ctx.is_builtin(value, ctx.names().inspect)) {
        if is_begun(ctx, text) {
            text.set_encoding(Encoding::US_ASCII);
        }
        text.append(ctx, n.to_string().as_bytes());
        return Ok(());
    }
    let piece = ctx.inspect_str(value)?;
    append_shown(ctx, text, piece)
}

/// Appends what is shown of an object: escaped when the encoding of the program's output cannot hold it.
pub fn append_shown(ctx: &mut Ctx, text: Str, piece: Str) -> Result<()> {
    let output = default_internal(ctx).unwrap_or_else(|| default_external(ctx));
    let piece = if piece.encoding() != output && !piece.is_ascii_only(ctx) {
        let escaped = escaped(piece.bytes(ctx), piece.encoding());
        Str::ascii(ctx, &escaped)
    } else {
        piece
    };
    if is_begun(ctx, text) {
        text.set_encoding(piece.encoding());
    }
    append(ctx, text, piece)
}

/// A count argument: Integer by to_int, not negative.
pub fn count_arg(ctx: &mut Ctx, value: Value, message: &str) -> Result<usize> {
    let n = ctx.to_int(value)?;
    if n < 0 { Err(ctx.argument_error(message)) } else { Ok(n as usize) }
}

/// An Array of any value's elements, for natives that take enumerables: to_ary, or to_a.
pub fn elements(ctx: &mut Ctx, value: Value) -> Result<Array> {
    if let Some(list) = ctx.check_array(value)? {
        return Ok(list);
    }
    let to_a = ctx.names().to_a;
    let list = ctx.call(value, to_a, &[])?;
    match Array::try_of(list) {
        Some(list) => Ok(list),
        None => Err(ctx.conversion_error(value, "Array")),
    }
}

/// A hash value of 64 bits as the Integer that `hash` methods return.
pub fn hash_value(hash: u64) -> Value {
    Value::fixnum((hash as i64) >> 2)
}
