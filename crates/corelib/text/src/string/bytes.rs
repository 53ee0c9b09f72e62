//! String: bytes.

use crate::common::{at_boundary, common_encoding, from_end, frozen_copy, modify, range_span, range_span_checked};
use rubellite_core_thread::outside::{POLL, poll};
use rubellite_encoding::{CodeRange, Encoding};
use rubellite_vm::object::{Array, Int, Range, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Tag, Value, method, primitive};

pub static STRING_BYTES: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("bytesize", Arity::NONE, bytesize).leaf(0),
        method("getbyte", Arity::ONE, getbyte),
        method("setbyte", Arity::exact(2), setbyte).tries(try_setbyte),
        method("byteslice", Arity::range(1, 2), byteslice),
        method("bytesplice", Arity::range(2, 5), bytesplice),
        method("b", Arity::NONE, b),
        method("sum", Arity::range(0, 1), sum),
        method("ascii_only?", Arity::NONE, ascii_only_p).leaf(0),
        method("valid_encoding?", Arity::NONE, valid_encoding_p),
    ],
    primitives: &[primitive("string_bytes", Arity::NONE, bytes)],
    ..ClassDef::EMPTY
};

fn bytesize(_: &mut Ctx, string: Str, _: Args) -> Result {
    Ok(Value::fixnum(string.len() as i64))
}

fn getbyte(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let n = ctx.to_int(args.at(0))?;
    let byte = from_end(n, s.len()).and_then(|n| s.byte(n));
    Ok(byte.map_or(Value::NIL, |b| Value::fixnum(b as i64)))
}

fn setbyte(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let n = ctx.to_int(args.at(0))?;
    let byte = ctx.to_integer(args.at(1))?;
    let byte = Int::try_of(byte).map_or(0, |i| i.low_u64()) as u8;
    let s = modify(ctx, string)?;
    match from_end(n, s.len()).filter(|n| *n < s.len()) {
        Some(n) => replace_byte(ctx, s, n, byte),
        None => return Err(ctx.index_error(&format!("index {n} out of string"))),
    }
    Ok(args.at(1))
}

/// A byte that is there, of a string that may be changed.
fn try_setbyte(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (at, byte) = (args.at(0).as_fixnum(), args.at(1).as_fixnum());
    if let (Some(s), Some(at), Some(byte)) = (Str::try_of(recv).filter(|s| !s.guarded()), at, byte)
        && let Some(at) = from_end(at, s.len()).filter(|at| *at < s.len())
    {
        replace_byte(ctx, s, at, byte as u8);
        return Ok(args.at(1));
    }
    Ok(Value::UNDEF)
}

/// The code range stays known when the bytes of the character around the byte are still characters.
fn replace_byte(ctx: &mut Ctx, s: Str, at: usize, byte: u8) {
    let known = s.cached_code_range();
    if known == Some(CodeRange::Valid) && s.encoding() == Encoding::UTF_8 {
        let bytes = s.bytes(ctx);
        let is_start = |at: &usize| bytes[*at] & 0xC0 != 0x80;
        let start = (0..=at).rev().find(is_start).unwrap_or(0);
        let end = (at + 1..bytes.len()).find(is_start).unwrap_or(bytes.len());
        // Then the characters beyond ASCII are elsewhere.
        let was_ascii = bytes[at].is_ascii();
        s.bytes_mut(ctx)[at] = byte;
        let range = s.encoding().code_range(&s.bytes(ctx)[start..end]);
        let valid = range == CodeRange::Valid || range == CodeRange::SevenBit && was_ascii;
        return s.set_code_range(valid.then_some(CodeRange::Valid));
    }
    s.bytes_mut(ctx)[at] = byte;
    if known == Some(CodeRange::SevenBit) && byte.is_ascii() {
        s.set_code_range(known);
    }
}

fn bytes(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    // The bytes as they are now: another thread may change the string at a safepoint.
    let s = if s.len() < POLL { s } else { frozen_copy(ctx, s) };
    let list = Array::with_capacity(ctx, s.len());
    for at in 0..s.len() {
        let byte = s.byte(at).unwrap_or(0);
        list.push(ctx, Value::fixnum(byte as i64));
        poll(ctx, at)?;
    }
    Ok(list.value())
}

/// The byte range of a start and a length; none when it lies outside.
fn byte_range(s: Str, start: i64, len: i64) -> Option<std::ops::Range<usize>> {
    let len = usize::try_from(len).ok()?;
    let start = from_end(start, s.len()).filter(|n| *n <= s.len())?;
    Some(start..start.saturating_add(len).min(s.len()))
}

fn byteslice(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let first = args.at(0);
    let range = if let Some(len) = args.get(1) {
        let (start, len) = (ctx.to_int(first)?, ctx.to_int(len)?);
        byte_range(s, start, len)
    } else if let Some(range) = Range::try_of(first) {
        range_span(ctx, range, |_| s.len())?.map(|(start, len)| start..start + len)
    } else {
        let n = ctx.to_int(first)?;
        byte_range(s, n, 1).filter(|r| !r.is_empty())
    };
    Ok(match range {
        Some(range) => s.substring(ctx, range).value(),
        None => Value::NIL,
    })
}

/// The bytes that a pair of arguments means.
fn splice_range(ctx: &mut Ctx, s: Str, start: Value, len: Value) -> Result<std::ops::Range<usize>> {
    let (start, len) = (ctx.to_int(start)?, ctx.to_int(len)?);
    if len < 0 {
        return Err(ctx.index_error(&format!("negative length {len}")));
    }
    match byte_range(s, start, len) {
        Some(range) => checked_boundaries(ctx, s, range),
        None => Err(ctx.index_error(&format!("index {start} out of string"))),
    }
}

/// The part of a range that a string still has.
fn still_inside(ctx: &mut Ctx, s: Str, range: std::ops::Range<usize>) -> Result<std::ops::Range<usize>> {
    if range.start > s.len() {
        return Err(ctx.index_error(&format!("index {} out of string", range.start)));
    }
    checked_boundaries(ctx, s, range.start..range.end.min(s.len()))
}

fn checked_boundaries(ctx: &mut Ctx, s: Str, range: std::ops::Range<usize>) -> Result<std::ops::Range<usize>> {
    for pos in [range.start, range.end] {
        if !at_boundary(ctx, s, pos) {
            return Err(ctx.index_error(&format!("offset {pos} does not land on character boundary")));
        }
    }
    Ok(range)
}

fn range_argument(ctx: &mut Ctx, s: Str, v: Value) -> Result<std::ops::Range<usize>> {
    let range = ctx.expect(v)?;
    let (start, len) = range_span_checked(ctx, range, |_| s.len())?;
    checked_boundaries(ctx, s, start..start + len)
}

fn bytesplice(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let (range, value, part) = match args.len() {
        4 => return Err(ctx.argument_error("wrong number of arguments (given 4, expected 2, 3, or 5)")),
        2 => {
            let range = range_argument(ctx, s, args.at(0))?;
            let value = ctx.to_str(args.at(1))?;
            (range, value, 0..value.len())
        }
        3 if args.at(0).has_tag(Tag::Range) => {
            let range = range_argument(ctx, s, args.at(0))?;
            let value = ctx.to_str(args.at(1))?;
            let part = range_argument(ctx, value, args.at(2))?;
            (range, value, part)
        }
        3 => {
            let value = ctx.to_str(args.at(2))?;
            let range = splice_range(ctx, s, args.at(0), args.at(1))?;
            (range, value, 0..value.len())
        }
        _ => {
            let value = ctx.to_str(args.at(2))?;
            let range = splice_range(ctx, s, args.at(0), args.at(1))?;
            let part = splice_range(ctx, value, args.at(3), args.at(4))?;
            (range, value, part)
        }
    };
    let s = modify(ctx, s)?;
    // A conversion may have changed either string meanwhile.
    let range = still_inside(ctx, s, range)?;
    let part = still_inside(ctx, value, part)?;
    let encoding = common_encoding(ctx, s, value)?;
    let part = value.substring(ctx, part);
    s.splice_str(ctx, range, part);
    s.set_encoding(encoding);
    Ok(s.value())
}

fn b(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    let copy = string.dup(ctx);
    copy.set_encoding(Encoding::BINARY);
    Ok(copy.value())
}

fn sum(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let bits = match args.get(0) {
        Some(v) => ctx.to_c_int(v)?,
        None => 16,
    };
    let total: u64 = string.bytes(ctx).iter().map(|b| *b as u64).sum();
    let kept = if (1..64).contains(&bits) { total & ((1 << bits) - 1) } else { total };
    Ok(ctx.uint(kept))
}

fn ascii_only_p(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    Ok(Value::from_bool(string.is_ascii_only(ctx)))
}

fn valid_encoding_p(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    Ok(Value::from_bool(string.code_range(ctx) != CodeRange::Broken))
}
