//! String: changing parts by character.

use super::concat::append_string;
use super::index::char_range;
use crate::common::{common_encoding, find_text, modify, range_span, range_span_checked};
use crate::regexp::search::{Ask, search_setting};
use rubellite_encoding::CodeRange;
use rubellite_vm::object::{MatchData, Range, Regexp, Str, room};
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Ends, Leave, Result, Tag, Value, method};

pub static STRING_STORE: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("[]=", Arity::range(2, 3), op_aset),
        method("slice!", Arity::range(1, 2), slice_bang),
        method("insert", Arity::exact(2), insert),
    ],
    ..ClassDef::EMPTY
};

/// Replaces bytes by a string, with a check of encodings.
pub fn replace_bytes(ctx: &mut Ctx, s: Str, range: std::ops::Range<usize>, value: Str) -> Result<()> {
    let encoding = common_encoding(ctx, s, value)?;
    s.splice_str(ctx, range, value);
    s.set_encoding(encoding);
    Ok(())
}

/// Replaces `len` characters from `start` on.
fn replace_chars(ctx: &mut Ctx, s: Str, start: i64, len: i64, value: Str) -> Result<()> {
    if len < 0 {
        return Err(ctx.index_error(&format!("negative length {len}")));
    }
    common_encoding(ctx, s, value)?;
    match char_range(ctx, s, start, len) {
        Some(range) => replace_bytes(ctx, s, range, value),
        None => Err(ctx.index_error(&format!("index {start} out of string"))),
    }
}

fn op_aset(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = modify(ctx, string)?;
    let first = args.at(0);
    if args.len() == 3 {
        if let Some(re) = Regexp::try_of(first) {
            return set_regexp(ctx, s, re, args.at(1), args.at(2));
        }
        let (start, len) = (ctx.to_int(first)?, ctx.to_int(args.at(1))?);
        let value = ctx.to_str(args.at(2))?;
        let s = modify(ctx, string)?;
        replace_chars(ctx, s, start, len, value)?;
        return Ok(args.at(2));
    }
    let given = args.at(1);
    if let Some(re) = Regexp::try_of(first) {
        return set_regexp(ctx, s, re, Value::fixnum(0), given);
    }
    if let Some(other) = Str::try_of(first) {
        let value = ctx.to_str(given)?;
        common_encoding(ctx, s, other)?;
        let at = find_text(ctx, s, other, 0);
        let Some(at) = at else { return Err(ctx.index_error("string not matched")) };
        replace_bytes(ctx, s, at..at + other.len(), value)?;
        return Ok(given);
    }
    if let Some(range) = Range::try_of(first) {
        let (start, len) = range_span_checked(ctx, range, |ctx| s.char_len(ctx))?;
        let value = ctx.to_str(given)?;
        replace_chars(ctx, s, start as i64, len as i64, value)?;
        return Ok(given);
    }
    let n = ctx.to_int(first)?;
    let value = ctx.to_str(given)?;
    common_encoding(ctx, s, value)?;
    let total = s.char_len(ctx) as i64;
    // An index right behind the end appends nothing: it is out of the string, unless the string is empty there.
    if n > total || n < -total {
        return Err(ctx.index_error(&format!("index {n} out of string")));
    }
    replace_chars(ctx, s, n, 1, value)?;
    Ok(given)
}

/// The number of a group of a match, as `s[re, group] = value` names it.
fn group_index(ctx: &mut Ctx, m: MatchData, group: Value) -> Result<usize> {
    if group.is_symbol() || group.has_tag(Tag::String) {
        return crate::regexp::group_number(ctx, m, group);
    }
    let n = ctx.to_int(group)?;
    let count = m.spans(ctx).len() as i64;
    let index = if n < 0 { n + count } else { n };
    if n >= count || index <= 0 && n < 0 {
        return Err(ctx.index_error(&format!("index {n} out of regexp")));
    }
    Ok(index as usize)
}

fn set_regexp(ctx: &mut Ctx, s: Str, re: Regexp, group: Value, given: Value) -> Result {
    let Some(m) = search_setting(ctx, re, s, 0, Ask::Forward)? else {
        return Err(ctx.index_error("regexp not matched"));
    };
    let n = group_index(ctx, m, group)?;
    let Some(range) = m.group(ctx, n) else {
        return Err(ctx.index_error(&format!("regexp group {n} not matched")));
    };
    let value = ctx.to_str(given)?;
    if range.end > s.len() {
        return Err(ctx.runtime_error("string modified"));
    }
    replace_bytes(ctx, s, range, value)?;
    Ok(given)
}

fn slice_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = modify(ctx, string)?;
    let first = args.at(0);
    let range = if let Some(re) = Regexp::try_of(first) {
        match search_setting(ctx, re, s, 0, Ask::Forward)? {
            Some(m) => slice_group(ctx, m, args.get(1))?,
            None => None,
        }
    } else if let Some(second) = args.get(1) {
        let (start, len) = (ctx.to_int(first)?, ctx.to_int(second)?);
        char_range(ctx, s, start, len)
    } else if let Some(other) = Str::try_of(first) {
        common_encoding(ctx, s, other)?;
        let at = find_text(ctx, s, other, 0);
        match at {
            Some(at) => {
                let (copy, range) = (other.dup(ctx), at..at + other.len());
                cut(ctx, string, range)?;
                return Ok(copy.value());
            }
            None => None,
        }
    } else if let Some(range) = Range::try_of(first) {
        match range_span(ctx, range, |ctx| s.char_len(ctx))? {
            Some((start, len)) => char_range(ctx, s, start as i64, len as i64),
            None => None,
        }
    } else {
        let n = ctx.to_int(first)?;
        char_range(ctx, s, n, 1).filter(|r| !r.is_empty())
    };
    let Some(range) = range.filter(|r| r.end <= s.len()) else { return Ok(Value::NIL) };
    let part = s.substring(ctx, range.clone());
    cut(ctx, string, range)?;
    Ok(part.value())
}

static CUT_SITE: RegionSite = RegionSite::new("String#slice!");
/// What is left is copied outside the lock from this length on.
const CUT_OUTSIDE: usize = 2 << 20;

/// Takes `range`, which must exist, out of a string that may be changed.
fn cut(ctx: &mut Ctx, string: Str, range: std::ops::Range<usize>) -> Result<()> {
    let inner = range.start > 0 && range.end < string.len();
    if !inner || string.len() < CUT_OUTSIDE || !string.is_shared(ctx) {
        string.splice(ctx, range, b"");
        return Ok(());
    }
    // The bytes are copied in any case.
    let before = string.share(ctx);
    let rest = ctx.outside(Leave::new(Kind::Short(&CUT_SITE), Ends::Never), |_| {
        let mut rest = room(before.len() - range.len());
        rest.extend_from_slice(&before[..range.start]);
        rest.extend_from_slice(&before[range.end..]);
        Some(rest)
    })?;
    let s = modify(ctx, string)?;
    if std::ptr::eq(s.bytes(ctx), &before[..]) {
        let range = s.cached_code_range().filter(|range| *range == CodeRange::SevenBit);
        s.set_vec(ctx, rest);
        s.set_code_range(range);
    } else if range.end <= s.len() {
        // Another thread has changed it meanwhile.
        s.splice(ctx, range, b"");
    }
    Ok(())
}

fn slice_group(ctx: &mut Ctx, m: MatchData, group: Option<Value>) -> Result<Option<std::ops::Range<usize>>> {
    let Some(group) = group else { return Ok(m.group(ctx, 0)) };
    if group.is_symbol() || group.has_tag(Tag::String) {
        let n = crate::regexp::group_number(ctx, m, group)?;
        return Ok(m.group(ctx, n));
    }
    let n = ctx.to_int(group)?;
    let count = m.spans(ctx).len();
    let found = crate::common::from_end(n, count).filter(|at| n >= 0 || *at > 0);
    Ok(found.and_then(|n| m.group(ctx, n)))
}

fn insert(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = modify(ctx, string)?;
    let n = ctx.to_int(args.at(0))?;
    let value = ctx.to_str(args.at(1))?;
    if n == -1 {
        append_string(ctx, s, value)?;
        return Ok(string.value());
    }
    common_encoding(ctx, s, value)?;
    let start = if n < 0 { n + 1 } else { n };
    match char_range(ctx, s, start, 0) {
        Some(range) => replace_bytes(ctx, s, range, value)?,
        None => return Err(ctx.index_error(&format!("index {start} out of string"))),
    }
    Ok(string.value())
}
