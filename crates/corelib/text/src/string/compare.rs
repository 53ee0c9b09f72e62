//! String: equality, order, hash, patterns, tests of begin and end.

use crate::common::{at_boundary, common_encoding, find_text};
use crate::regexp::search::{Ask, search_setting};
use crate::regexp::{from_string, search};
use rubellite_core_thread::outside::{self, Stop};
use rubellite_encoding::{Encoding, casecmp_ascii, casecmp_fold_until, compatible};
use rubellite_vm::object::{MatchData, Regexp, Str};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Tag, Value, method};
use std::cmp::Ordering;

static CASECMP_SITE: RegionSite = RegionSite::new("String#casecmp");

pub static STRING_COMPARE: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("==", Arity::ONE, op_eq),
        method("===", Arity::ONE, op_eq),
        method("eql?", Arity::ONE, eql_p),
        method("hash", Arity::NONE, hash),
        method("<=>", Arity::ONE, op_cmp),
        method("casecmp", Arity::ONE, casecmp),
        method("casecmp?", Arity::ONE, casecmp_p),
        method("=~", Arity::ONE, op_match),
        method("match", Arity::ANY, match_),
        method("match?", Arity::range(1, 2), match_p),
        method("empty?", Arity::NONE, empty_p).leaf(0),
        method("include?", Arity::ONE, include_p),
        method("start_with?", Arity::ANY, start_with_p),
        method("end_with?", Arity::ANY, end_with_p),
    ],
    ..ClassDef::EMPTY
};

fn op_eq(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let other = args.at(0);
    if let Some(other) = Str::try_of(other) {
        return Ok(Value::from_bool(string.equal(ctx, other)));
    }
    if other.is_immediate() {
        return Ok(Value::FALSE);
    }
    let to_str = ctx.names().to_str;
    if !ctx.respond_to(other, to_str, false)? {
        return Ok(Value::FALSE);
    }
    let op = ctx.names().op_eq;
    Ok(Value::from_bool(ctx.call(other, op, &[string.value()])?.truthy()))
}

fn eql_p(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let equal = Str::try_of(args.at(0)).is_some_and(|other| string.equal(ctx, other));
    Ok(Value::from_bool(equal))
}

fn hash(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    Ok(ctx.hash_number(string.hash(ctx)))
}

fn order(o: Ordering) -> Value {
    Value::fixnum(o as i64)
}

fn op_cmp(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let other = args.at(0);
    if let Some(other) = ctx.check_str(other)? {
        return Ok(order(string.compare(ctx, other)));
    }
    let op = ctx.names().op_cmp;
    let reversed = ctx.guard_recursion(
        op,
        string.value(),
        other,
        |_| Ok(None),
        |ctx| ctx.check_call(other, op, &[string.value()]),
    )?;
    match reversed {
        None | Some(Value::NIL) => Ok(Value::NIL),
        Some(v) => Ok(order(rubellite_core_object::ordering(ctx, v, string.value(), other)?.reverse())),
    }
}

fn casecmp(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let (a, Some(b)) = (string, ctx.check_str(args.at(0))?) else { return Ok(Value::NIL) };
    let Some(encoding) = compatible(a.side(ctx), b.side(ctx)) else { return Ok(Value::NIL) };
    // A byte of a letter may be part of another character, unless these are UTF-8.
    let bytewise = encoding.is_utf8_family() || encoding.max_len() == 1;
    if bytewise {
        return Ok(order(casecmp_ascii(a.bytes(ctx), b.bytes(ctx))));
    }
    outside::on_both(ctx, (a, b), &CASECMP_SITE, |a, b, stop| casecmp_chars(encoding, a, b, stop)).map(order)
}

/// `casecmp_ascii` character by character; nothing when it was stopped.
fn casecmp_chars(encoding: Encoding, a: &[u8], b: &[u8], stop: &Stop) -> Option<Ordering> {
    let ascii =
        |c: &[u8]| encoding.code_point(c).ok().and_then(|(code, _)| u8::try_from(code).ok()).filter(u8::is_ascii);
    let (mut left, mut right) = (encoding.chars(a), encoding.chars(b));
    for step in 0.. {
        if stop.requested_at(step) {
            return None;
        }
        let (x, y) = match (left.next(), right.next()) {
            (Some(x), Some(y)) => (x, y),
            (x, y) => return Some(x.is_some().cmp(&y.is_some())),
        };
        let order = match (ascii(x), ascii(y)) {
            (Some(x), Some(y)) => x.to_ascii_lowercase().cmp(&y.to_ascii_lowercase()),
            _ => x.cmp(y),
        };
        if order.is_ne() {
            return Some(order);
        }
    }
    None
}

fn casecmp_p(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let (a, Some(b)) = (string, ctx.check_str(args.at(0))?) else { return Ok(Value::NIL) };
    let Some(encoding) = compatible(a.side(ctx), b.side(ctx)) else { return Ok(Value::NIL) };
    if a.is_ascii_only(ctx) && b.is_ascii_only(ctx) {
        return Ok(Value::from_bool(a.bytes(ctx).eq_ignore_ascii_case(b.bytes(ctx))));
    }
    match outside::on_both(ctx, (a, b), &CASECMP_SITE, |a, b, stop| {
        casecmp_fold_until(encoding, a, b, &|| stop.requested())
    })? {
        Ok(equal) => Ok(Value::from_bool(equal)),
        Err(_) => Err(ctx.argument_error(rubellite_encoding::CaseError::MESSAGE)),
    }
}

fn op_match(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let pattern = args.at(0);
    if pattern.has_tag(Tag::String) {
        return Err(ctx.type_error("type mismatch: String given"));
    }
    let op = ctx.names().op_match;
    if let Some(re) = Regexp::try_of(pattern)
        && ctx.is_builtin(pattern, op)
    {
        let found = search_setting(ctx, re, string, 0, Ask::Forward)?;
        return Ok(found.map_or(Value::NIL, |m| {
            let start = search::whole(ctx, m).start;
            Value::fixnum(string.char_index(ctx, start) as i64)
        }));
    }
    ctx.call(pattern, op, &[string.value()])
}

/// A pattern argument as a Regexp: strings are regexp source here.
fn pattern(ctx: &mut Ctx, v: Value) -> Result<Regexp> {
    if let Some(re) = Regexp::try_of(v) {
        return Ok(re);
    }
    match ctx.check_str(v)? {
        Some(s) => from_string(ctx, s, 0),
        None => {
            let class = ctx.describe_for_conversion(v);
            Err(ctx.type_error(&format!("wrong argument type {class} (expected Regexp)")))
        }
    }
}

fn match_(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if args.is_empty() {
        return Err(ctx.arity_error(0, 1, Some(2)));
    }
    let re = pattern(ctx, args.at(0))?;
    let name = ctx.intern("match");
    let mut list = vec![recv]; // tidy: the receiver and arguments of this call, which are roots
    list.extend_from_slice(args.from(1).slice());
    let found = ctx.call(re.value(), name, &list)?;
    if found.is_nil() || args.block.is_nil() { Ok(found) } else { ctx.yield_one(args.block, found) }
}

fn match_p(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let re = pattern(ctx, args.at(0))?;
    crate::regexp::matches_from(ctx, re, string, args.get(1))
}

fn empty_p(_: &mut Ctx, string: Str, _: Args) -> Result {
    Ok(Value::from_bool(string.is_empty()))
}

fn include_p(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let (s, other) = (string, ctx.to_str(args.at(0))?);
    common_encoding(ctx, s, other)?;
    Ok(Value::from_bool(find_text(ctx, s, other, 0).is_some()))
}

fn start_with_p(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    for i in 0..args.len() {
        let prefix = args.at(i);
        if let Some(re) = Regexp::try_of(prefix) {
            let found = search::match_data(ctx, re, s, 0, Ask::At)?;
            ctx.set_last_match(found.map_or(Value::NIL, MatchData::value));
            if found.is_some() {
                return Ok(Value::TRUE);
            }
            continue;
        }
        let prefix = ctx.to_str(prefix)?;
        common_encoding(ctx, s, prefix)?;
        if s.bytes(ctx).starts_with(prefix.bytes(ctx)) && ends_between_chars(ctx, s, prefix.len()) {
            return Ok(Value::TRUE);
        }
    }
    Ok(Value::FALSE)
}

/// Whether a prefix of `len` bytes ends where a character ends.
pub fn ends_between_chars(ctx: &Ctx, s: Str, len: usize) -> bool {
    at_boundary(ctx, s, len)
}

fn end_with_p(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    for i in 0..args.len() {
        let suffix = ctx.to_str(args.at(i))?;
        common_encoding(ctx, s, suffix)?;
        if s.bytes(ctx).ends_with(suffix.bytes(ctx)) && at_boundary(ctx, s, s.len() - suffix.len()) {
            return Ok(Value::TRUE);
        }
    }
    Ok(Value::FALSE)
}
