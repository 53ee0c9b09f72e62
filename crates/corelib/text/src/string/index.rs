//! String: reading parts by character. Changes are `store.rs`, bytes are `bytes.rs`.

use crate::common::{
    at_boundary, common_encoding, find_bytes, find_text, from_end, range_like, range_span, rfind_text,
};
use crate::regexp::group_string;
use crate::regexp::search::{Ask, search_setting, whole};
use rubellite_core_thread::outside;
use rubellite_vm::object::{Array, Regexp, Str};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

static SITE: RegionSite = RegionSite::new("index");
/// How much is searched between two looks at interrupts.
const PIECE: usize = 1 << 20;

pub static STRING_INDEX: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("[]", Arity::range(1, 2), op_aref),
        method("slice", Arity::range(1, 2), op_aref),
        method("chr", Arity::NONE, chr),
        method("index", Arity::range(1, 2), index),
        method("rindex", Arity::range(1, 2), rindex),
        method("byteindex", Arity::range(1, 2), byteindex),
        method("byterindex", Arity::range(1, 2), byterindex),
        method("partition", Arity::ONE, partition),
        method("rpartition", Arity::ONE, rpartition),
    ],
    ..ClassDef::EMPTY
};

/// The bytes of `len` characters from character `start` (perhaps counted from the end) on; none when that lies outside.
pub fn char_range(ctx: &Ctx, s: Str, start: i64, len: i64) -> Option<std::ops::Range<usize>> {
    let len = usize::try_from(len).ok()?;
    if s.single_byte_optimizable(ctx) {
        let total = s.len();
        let start = from_end(start, total).filter(|n| *n <= total)?;
        return Some(start..start.saturating_add(len).min(total));
    }
    let start = if start < 0 { from_end(start, s.char_len(ctx))? } else { start as usize };
    s.char_span(ctx, start, len)
}

/// `s[start, len]`
pub fn substring_value(ctx: &mut Ctx, s: Str, start: i64, len: i64) -> Value {
    match char_range(ctx, s, start, len) {
        Some(range) => s.substring(ctx, range).value(),
        None => Value::NIL,
    }
}

/// `s[n]`
fn char_at(ctx: &mut Ctx, s: Str, n: i64) -> Value {
    match char_range(ctx, s, n, 1).filter(|r| !r.is_empty()) {
        Some(range) => s.substring(ctx, range).value(),
        None => Value::NIL,
    }
}

/// The number of characters, for index arithmetic.
pub fn char_count(ctx: &Ctx, s: Str) -> usize {
    s.char_len(ctx)
}

fn op_aref(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let first = args.at(0);
    if let Some(second) = args.get(1) {
        if let Some(re) = Regexp::try_of(first) {
            return regexp_part(ctx, s, re, second);
        }
        let start = ctx.to_int(first)?;
        let len = ctx.to_int(second)?;
        return Ok(substring_value(ctx, s, start, len));
    }
    if let Some(n) = first.as_fixnum() {
        return Ok(char_at(ctx, s, n));
    }
    if let Some(re) = Regexp::try_of(first) {
        return regexp_part(ctx, s, re, Value::fixnum(0));
    }
    if let Some(other) = Str::try_of(first) {
        common_encoding(ctx, s, other)?;
        return Ok(match find_text(ctx, s, other, 0) {
            Some(_) => other.dup(ctx).value(),
            None => Value::NIL,
        });
    }
    if let Some(range) = range_like(ctx, first)? {
        return Ok(match range_span(ctx, range, |ctx| s.char_len(ctx))? {
            Some((start, len)) => substring_value(ctx, s, start as i64, len as i64),
            None => Value::NIL,
        });
    }
    let n = ctx.to_int(first)?;
    Ok(char_at(ctx, s, n))
}

fn regexp_part(ctx: &mut Ctx, s: Str, re: Regexp, group: Value) -> Result {
    match search_setting(ctx, re, s, 0, Ask::Forward)? {
        Some(m) if group == Value::fixnum(0) => Ok(group_string(ctx, m, 0)),
        Some(m) => crate::regexp::capture_argument(ctx, m, group),
        None => Ok(Value::NIL),
    }
}

fn chr(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    Ok(substring_value(ctx, string, 0, 1))
}

// -- search -------------------------------------------------------------------------------

fn index(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let start = match args.get(1) {
        Some(v) => ctx.to_int(v)?,
        None => 0,
    };
    let len = if start < 0 { char_count(ctx, s) } else { 0 };
    let from = from_end(start, len).and_then(|n| s.byte_offset(ctx, n));
    let Some(from) = from else { return not_found(ctx, args.at(0)) };
    let found = find_far(ctx, s, args.at(0), from)?;
    Ok(found.map_or(Value::NIL, |at| Value::fixnum(s.char_index(ctx, at.min(s.len())) as i64)))
}

/// A start outside of the string: a regexp then still clears `$~`.
fn not_found(ctx: &mut Ctx, pattern: Value) -> Result {
    if Regexp::try_of(pattern).is_some() {
        ctx.set_last_match(Value::NIL);
    }
    Ok(Value::NIL)
}

/// The byte position of the first match from byte `from` on. A regexp sets `$~`.
fn find(ctx: &mut Ctx, s: Str, pattern: Value, from: usize) -> Result<Option<usize>> {
    if let Some(re) = Regexp::try_of(pattern) {
        let m = search_setting(ctx, re, s, from, Ask::Forward)?;
        return Ok(m.map(|m| whole(ctx, m).start));
    }
    let needle = ctx.to_str(pattern)?;
    common_encoding(ctx, s, needle)?;
    Ok(find_text(ctx, s, needle, from))
}

/// `find`, which searches long texts of single bytes for strings outside the lock, a piece at a time. The text may be
/// another one when it returns.
fn find_far(ctx: &mut Ctx, s: Str, pattern: Value, from: usize) -> Result<Option<usize>> {
    let far = s.len() - from.min(s.len()) >= outside::BYTES_MIN && s.single_byte_optimizable(ctx);
    let Some(needle) = Str::try_of(pattern).filter(|needle| far && needle.is_valid(ctx)) else {
        return find(ctx, s, pattern, from);
    };
    common_encoding(ctx, s, needle)?;
    let needle = needle.share(ctx);
    outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
        let mut at = from;
        loop {
            let end = bytes.len().min(at.saturating_add(PIECE).saturating_add(needle.len()));
            if let Some(found) = find_bytes(&bytes[..end], &needle, at) {
                return Some(Some(found));
            }
            if end == bytes.len() {
                return Some(None);
            }
            if stop.requested() {
                return None;
            }
            at += PIECE;
        }
    })
}

fn rindex(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let from = match args.get(1) {
        Some(v) => {
            let n = ctx.to_int(v)?;
            let count = char_count(ctx, s);
            match from_end(n, count) {
                Some(n) => s.byte_offset(ctx, n.min(count)).unwrap_or(s.len()),
                None => return not_found(ctx, args.at(0)),
            }
        }
        None => s.len(),
    };
    let found = rfind_far(ctx, s, args.at(0), from)?;
    Ok(found.map_or(Value::NIL, |at| Value::fixnum(s.char_index(ctx, at.min(s.len())) as i64)))
}

fn rfind(ctx: &mut Ctx, s: Str, pattern: Value, from: usize) -> Result<Option<usize>> {
    if let Some(re) = Regexp::try_of(pattern) {
        let m = search_setting(ctx, re, s, from, Ask::Backward)?;
        return Ok(m.map(|m| whole(ctx, m).start));
    }
    let needle = ctx.to_str(pattern)?;
    common_encoding(ctx, s, needle)?;
    Ok(rfind_text(ctx, s, needle, from))
}

/// `rfind` as `find_far` is `find`.
fn rfind_far(ctx: &mut Ctx, s: Str, pattern: Value, from: usize) -> Result<Option<usize>> {
    let far = from.min(s.len()) >= outside::BYTES_MIN && s.single_byte_optimizable(ctx);
    let needle = Str::try_of(pattern)
        .filter(|needle| far && !needle.is_empty() && needle.len() <= s.len() && needle.is_valid(ctx));
    let Some(needle) = needle else { return rfind(ctx, s, pattern, from) };
    common_encoding(ctx, s, needle)?;
    let needle = needle.share(ctx);
    outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
        let mut last = from.min(bytes.len() - needle.len());
        loop {
            let first = last.saturating_sub(PIECE);
            if let Some(found) = memchr::memmem::rfind(&bytes[first..last + needle.len()], &needle) {
                return Some(Some(first + found));
            }
            if first == 0 {
                return Some(None);
            }
            if stop.requested() {
                return None;
            }
            last = first - 1;
        }
    })
}

#[cold]
fn not_a_boundary(ctx: &mut Ctx, pos: usize) -> rubellite_vm::Unwind {
    ctx.index_error(&format!("offset {pos} does not land on character boundary"))
}

fn byteindex(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let start = match args.get(1) {
        Some(v) => ctx.to_int(v)?,
        None => 0,
    };
    let Some(from) = from_end(start, s.len()).filter(|n| *n <= s.len()) else { return not_found(ctx, args.at(0)) };
    if !at_boundary(ctx, s, from) {
        return Err(not_a_boundary(ctx, from));
    }
    let found = find(ctx, s, args.at(0), from)?;
    Ok(found.map_or(Value::NIL, |at| Value::fixnum(at as i64)))
}

fn byterindex(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let from = match args.get(1) {
        Some(v) => {
            let n = ctx.to_int(v)?;
            match from_end(n, s.len()) {
                Some(n) => n.min(s.len()),
                None => return not_found(ctx, args.at(0)),
            }
        }
        None => s.len(),
    };
    if !at_boundary(ctx, s, from) {
        return Err(not_a_boundary(ctx, from));
    }
    let found = rfind_far(ctx, s, args.at(0), from)?;
    Ok(found.map_or(Value::NIL, |at| Value::fixnum(at as i64)))
}

// -- partition ----------------------------------------------------------------------------

/// What stands before, in and behind `range`; `middle` stands for what is in it.
fn three_parts(ctx: &mut Ctx, s: Str, range: std::ops::Range<usize>, middle: Option<Str>) -> Value {
    let before = s.substring(ctx, 0..range.start).value();
    let mid = match middle {
        Some(given) => given.value(),
        None => s.substring(ctx, range.clone()).value(),
    };
    let after = s.substring(ctx, range.end..s.len()).value();
    Array::from_slice(ctx, &[before, mid, after]).value()
}

fn whole_and_empty(ctx: &mut Ctx, s: Str, last: bool) -> Value {
    let copy = s.dup(ctx).value();
    let (a, b) = (s.substring(ctx, 0..0).value(), s.substring(ctx, 0..0).value());
    let items = if last { [a, b, copy] } else { [copy, a, b] };
    Array::from_slice(ctx, &items).value()
}

fn partition(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    if let Some(re) = Regexp::try_of(args.at(0)) {
        return Ok(match search_setting(ctx, re, s, 0, Ask::Forward)? {
            Some(m) => {
                let range = whole(ctx, m);
                three_parts(ctx, s, range, None)
            }
            None => whole_and_empty(ctx, s, false),
        });
    }
    let separator = partition_string(ctx, args.at(0))?;
    common_encoding(ctx, s, separator)?;
    Ok(match find_text(ctx, s, separator, 0) {
        Some(at) => three_parts(ctx, s, at..at + separator.len(), Some(separator)),
        None => whole_and_empty(ctx, s, false),
    })
}

fn partition_string(ctx: &mut Ctx, v: Value) -> Result<Str> {
    match ctx.check_str(v)? {
        Some(s) => Ok(s),
        None => {
            let class = ctx.describe_for_conversion(v);
            Err(ctx.type_error(&format!("wrong argument type {class} (expected Regexp)")))
        }
    }
}

fn rpartition(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    if let Some(re) = Regexp::try_of(args.at(0)) {
        return Ok(match search_setting(ctx, re, s, s.len(), Ask::Backward)? {
            Some(m) => {
                let range = whole(ctx, m);
                three_parts(ctx, s, range, None)
            }
            None => whole_and_empty(ctx, s, true),
        });
    }
    let separator = partition_string(ctx, args.at(0))?;
    common_encoding(ctx, s, separator)?;
    Ok(match rfind_text(ctx, s, separator, s.len()) {
        Some(at) => three_parts(ctx, s, at..at + separator.len(), Some(separator)),
        None => whole_and_empty(ctx, s, true),
    })
}
