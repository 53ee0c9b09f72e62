//! MatchData.

use super::object::{from_string, name_string};
use crate::common::{from_end, range_span};
use crate::shown::{escaped, is_shown_plain};
use rubellite_regexp::escape;
use rubellite_vm::object::{Array, Exception, Hash, MatchData, Range, Regexp, Str, hashing};
use rubellite_vm::{
    Args, Arity, Class, ClassDef, Ctx, MatchPart, Result, Sym, Tag, Unwind, Value, method, private_method,
};

pub static MATCH_DATA: ClassDef = ClassDef {
    name: "MatchData",
    superclass: "Object",
    alloc: Some(allocate),
    setup: Some(forbid_new),
    methods: &[
        private_method("initialize_copy", Arity::ONE, initialize_copy),
        method("regexp", Arity::NONE, regexp),
        method("names", Arity::NONE, names),
        method("size", Arity::NONE, size).leaf(0),
        method("length", Arity::NONE, size).leaf(0),
        method("offset", Arity::ONE, offset),
        method("byteoffset", Arity::ONE, byteoffset),
        method("begin", Arity::ONE, begin),
        method("end", Arity::ONE, end),
        method("bytebegin", Arity::ONE, bytebegin),
        method("byteend", Arity::ONE, byteend),
        method("to_a", Arity::NONE, to_a),
        method("captures", Arity::NONE, captures),
        method("deconstruct", Arity::NONE, captures),
        method("named_captures", Arity::NONE.with_keywords(), named_captures),
        method("deconstruct_keys", Arity::ONE, deconstruct_keys),
        method("[]", Arity::range(1, 2), op_aref),
        method("integer_at", Arity::range(1, 2), integer_at),
        method("values_at", Arity::ANY, values_at),
        method("match", Arity::ONE, match_),
        method("match_length", Arity::ONE, match_length),
        method("pre_match", Arity::NONE, pre_match),
        method("post_match", Arity::NONE, post_match),
        method("to_s", Arity::NONE, to_s),
        method("string", Arity::NONE, string),
        method("inspect", Arity::NONE, inspect),
        method("hash", Arity::NONE, hash),
        method("==", Arity::ONE, op_eq),
        method("eql?", Arity::ONE, op_eq),
    ],
    ..ClassDef::EMPTY
};

/// What `dup` starts from: a match of nothing.
fn allocate(ctx: &mut Ctx, klass: Value) -> Result {
    let empty = Str::new(ctx, b"", rubellite_encoding::Encoding::US_ASCII);
    empty.header().set(rubellite_vm::flags::FROZEN);
    let m = MatchData::new(ctx, empty.value(), empty, &[]);
    m.header().klass.set(klass);
    ctx.write_barrier(m.value(), klass);
    Ok(m.value())
}

/// Programs make no matches by hand.
fn forbid_new(ctx: &mut Ctx, class: Class) -> Result<()> {
    let singleton = Class::singleton_class(ctx, class.value()).ok_or(Unwind)?;
    singleton.undefine(ctx, "new");
    singleton.undefine(ctx, "allocate");
    Ok(())
}

fn subject(m: MatchData) -> Str {
    m.string()
}

/// Group `n` as a new String, or nil.
pub fn group_string(ctx: &mut Ctx, m: MatchData, n: usize) -> Value {
    match m.group(ctx, n) {
        Some(range) => subject(m).substring(ctx, range).value(),
        None => Value::NIL,
    }
}

fn slice(ctx: &mut Ctx, m: MatchData, range: std::ops::Range<usize>) -> Value {
    subject(m).substring(ctx, range).value()
}

/// A part of a MatchData as a String or nil: `$1`, `$&` and their like.
pub fn match_part(ctx: &mut Ctx, matched: Value, part: MatchPart) -> Value {
    let Some(m) = MatchData::try_of(matched) else { return Value::NIL };
    let whole = super::search::whole(ctx, m);
    match part {
        MatchPart::Group(n) => group_string(ctx, m, n),
        MatchPart::Special(1) => group_string(ctx, m, 0),
        MatchPart::Special(2) => slice(ctx, m, 0..whole.start),
        MatchPart::Special(3) => slice(ctx, m, whole.end..subject(m).len()),
        MatchPart::Special(_) => {
            let last = (1..m.spans(ctx).len()).rev().find(|n| m.group(ctx, *n).is_some());
            last.map_or(Value::NIL, |n| group_string(ctx, m, n))
        }
    }
}

/// The number of a named group: the last of its groups that took part.
fn named_group(ctx: &Ctx, m: MatchData, name: Sym) -> Option<usize> {
    let re = Regexp::try_of(m.regexp())?;
    let numbers = re.group_numbers(ctx, name);
    let matched = numbers.iter().rev().find(|n| m.group(ctx, **n as usize).is_some());
    matched.or(numbers.last()).map(|n| *n as usize)
}

#[cold]
fn undefined_group(ctx: &mut Ctx, name: Value) -> Unwind {
    let text = match name.as_symbol() {
        Some(sym) => Ok(Str::of_symbol(ctx, sym)),
        None => ctx.to_str(name),
    };
    let name = match text {
        Ok(name) => name,
        Err(unwind) => return unwind,
    };
    let (bytes, encoding) = (name.bytes(ctx), name.encoding());
    let plain = is_shown_plain(ctx, bytes, encoding);
    let shown = if plain { bytes.to_vec() } else { escaped(bytes, encoding).into_bytes() };
    let message = Str::new(ctx, &[b"undefined group name reference: ", &*shown].concat(), encoding);
    let class = ctx.error_class("IndexError").value();
    let error = Exception::new(ctx, class, message.value());
    ctx.raise(error.value())
}

/// The symbol that a group name argument stands for, if there is one; `None` within: no such symbol is known.
fn name_of(ctx: &Ctx, v: Value) -> Option<Option<Sym>> {
    if let Some(sym) = v.as_symbol() {
        return Some(Some(sym));
    }
    let s = Str::try_of(v)?;
    let bytes = s.bytes(ctx);
    let encoding = if bytes.is_ascii() { rubellite_encoding::Encoding::US_ASCII } else { s.encoding() };
    Some(ctx.find_symbol(bytes, encoding))
}

fn group_of_name(ctx: &mut Ctx, m: MatchData, v: Value) -> Result<Option<usize>> {
    let Some(sym) = name_of(ctx, v) else { return Ok(None) };
    match sym.and_then(|sym| named_group(ctx, m, sym)) {
        Some(n) => Ok(Some(n)),
        None => Err(undefined_group(ctx, v)),
    }
}

/// The group that an argument of `begin` and its like names.
pub fn group_number(ctx: &mut Ctx, m: MatchData, v: Value) -> Result<usize> {
    if let Some(n) = group_of_name(ctx, m, v)? {
        return Ok(n);
    }
    let n = ctx.to_int(v)?;
    if n < 0 || n as usize >= m.spans(ctx).len() {
        return Err(ctx.index_error(&format!("index {n} out of matches")));
    }
    Ok(n as usize)
}

/// `s[regexp, group]`: negative numbers do not reach the whole match.
pub fn capture_argument(ctx: &mut Ctx, m: MatchData, v: Value) -> Result {
    if let Some(n) = group_of_name(ctx, m, v)? {
        return Ok(group_string(ctx, m, n));
    }
    let n = ctx.to_int(v)?;
    let found = from_end(n, m.spans(ctx).len()).filter(|at| n >= 0 || *at > 0);
    Ok(found.map_or(Value::NIL, |n| group_string(ctx, m, n)))
}

/// `m[n]` for one Integer or name.
pub fn group_argument(ctx: &mut Ctx, m: Value, v: Value) -> Result {
    let m: MatchData = ctx.expect(m)?;
    if let Some(n) = group_of_name(ctx, m, v)? {
        return Ok(group_string(ctx, m, n));
    }
    let n = ctx.to_int(v)?;
    Ok(numbered(ctx, m, n))
}

/// A group by its number, from the end when it is negative: the whole match has no negative number.
fn numbered(ctx: &mut Ctx, m: MatchData, n: i64) -> Value {
    let group = from_end(n, m.spans(ctx).len()).filter(|group| n >= 0 || *group > 0);
    group.map_or(Value::NIL, |group| group_string(ctx, m, group))
}

fn initialize_copy(ctx: &mut Ctx, matched: MatchData, args: Args) -> Result {
    if matched.value() == args.at(0) {
        return Ok(matched.value());
    }
    ctx.check_frozen(matched.value())?;
    match MatchData::try_of(args.at(0)) {
        Some(other) => matched.replace(ctx, other),
        None => return Err(ctx.copy_of_other_class_error()),
    }
    Ok(matched.value())
}

fn regexp(ctx: &mut Ctx, m: MatchData, _: Args) -> Result {
    let Some(pattern) = Str::try_of(m.regexp()) else { return Ok(m.regexp()) };
    // The match came from a String pattern: its Regexp is made when somebody asks.
    let source = escape(pattern.bytes(ctx), pattern.encoding());
    let source = Str::from_vec(ctx, source, pattern.encoding());
    let re = from_string(ctx, source, 0)?;
    let spans: Vec<_> = m.spans(ctx).to_vec();
    let full = MatchData::new(ctx, re.value(), m.string(), &spans);
    m.replace(ctx, full);
    Ok(re.value())
}

fn group_names(ctx: &Ctx, m: MatchData) -> Vec<Sym> {
    let state = Regexp::try_of(m.regexp()).and_then(|re| re.state(ctx));
    state.map_or_else(Vec::new, |state| state.names.iter().map(|n| n.0).collect())
}

fn names(ctx: &mut Ctx, matched: MatchData, _: Args) -> Result {
    let list = Array::new(ctx);
    for name in group_names(ctx, matched) {
        let name = name_string(ctx, name);
        list.push(ctx, name);
    }
    Ok(list.value())
}

fn size(ctx: &mut Ctx, matched: MatchData, _: Args) -> Result {
    Ok(Value::fixnum(matched.spans(ctx).len() as i64))
}

/// Both ends of a group, counted by `count`, as a pair.
fn pair(ctx: &mut Ctx, m: MatchData, arg: Value, count: fn(&Ctx, Str, usize) -> usize) -> Result {
    let n = group_number(ctx, m, arg)?;
    let items = match m.group(ctx, n) {
        Some(r) => [r.start, r.end].map(|at| Value::fixnum(count(ctx, subject(m), at) as i64)),
        None => [Value::NIL; 2],
    };
    Ok(Array::from_slice(ctx, &items).value())
}

fn characters(ctx: &Ctx, s: Str, at: usize) -> usize {
    s.char_index(ctx, at)
}

fn bytes(_: &Ctx, _: Str, at: usize) -> usize {
    at
}

fn offset(ctx: &mut Ctx, matched: MatchData, args: Args) -> Result {
    pair(ctx, matched, args.at(0), characters)
}

fn byteoffset(ctx: &mut Ctx, matched: MatchData, args: Args) -> Result {
    pair(ctx, matched, args.at(0), bytes)
}

/// One end of a group.
fn edge(ctx: &mut Ctx, m: MatchData, arg: Value, end: bool, count: fn(&Ctx, Str, usize) -> usize) -> Result {
    let n = group_number(ctx, m, arg)?;
    Ok(match m.group(ctx, n) {
        Some(r) => Value::fixnum(count(ctx, subject(m), if end { r.end } else { r.start }) as i64),
        None => Value::NIL,
    })
}

fn begin(ctx: &mut Ctx, matched: MatchData, args: Args) -> Result {
    edge(ctx, matched, args.at(0), false, characters)
}

fn end(ctx: &mut Ctx, matched: MatchData, args: Args) -> Result {
    edge(ctx, matched, args.at(0), true, characters)
}

fn bytebegin(ctx: &mut Ctx, matched: MatchData, args: Args) -> Result {
    edge(ctx, matched, args.at(0), false, bytes)
}

fn byteend(ctx: &mut Ctx, matched: MatchData, args: Args) -> Result {
    edge(ctx, matched, args.at(0), true, bytes)
}

/// The groups from `first` on as an Array.
fn groups(ctx: &mut Ctx, m: MatchData, first: usize) -> Array {
    let count = m.spans(ctx).len();
    let list = Array::with_capacity(ctx, count);
    for n in first..count {
        let group = group_string(ctx, m, n);
        list.push(ctx, group);
    }
    list
}

fn to_a(ctx: &mut Ctx, matched: MatchData, _: Args) -> Result {
    Ok(groups(ctx, matched, 0).value())
}

fn captures(ctx: &mut Ctx, matched: MatchData, _: Args) -> Result {
    Ok(groups(ctx, matched, 1).value())
}

fn named_captures(ctx: &mut Ctx, m: MatchData, args: Args) -> Result {
    let symbols = args.keyword(ctx, "symbolize_names").is_some_and(Value::truthy);
    let hash = Hash::new(ctx);
    for name in group_names(ctx, m) {
        let value = match named_group(ctx, m, name) {
            Some(n) => group_string(ctx, m, n),
            None => Value::NIL,
        };
        let key = if symbols {
            Value::symbol(name)
        } else {
            let key = name_string(ctx, name);
            ctx.hash_key(hash.value(), key)
        };
        hash.insert(ctx, key, value)?;
    }
    Ok(hash.value())
}

fn deconstruct_keys(ctx: &mut Ctx, m: MatchData, args: Args) -> Result {
    let hash = Hash::new(ctx);
    let wanted = args.at(0);
    if wanted.is_nil() {
        for name in group_names(ctx, m) {
            let value = named_group(ctx, m, name).map_or(Value::NIL, |n| group_string(ctx, m, n));
            hash.insert(ctx, Value::symbol(name), value)?;
        }
        return Ok(hash.value());
    }
    let Some(keys) = Array::try_of(wanted) else {
        let class = ctx.describe_for_conversion(wanted);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected Array)")));
    };
    if group_names(ctx, m).len() < keys.len() {
        return Ok(hash.value());
    }
    for i in 0..keys.len() {
        let key = keys.get(i).unwrap_or(Value::NIL);
        let Some(sym) = key.as_symbol() else {
            let class = ctx.real_class(key).inspect(ctx);
            return Err(ctx.type_error(&format!("wrong argument type {class} (expected Symbol)")));
        };
        let Some(n) = named_group(ctx, m, sym) else { break };
        let value = group_string(ctx, m, n);
        hash.insert(ctx, key, value)?;
    }
    Ok(hash.value())
}

fn op_aref(ctx: &mut Ctx, m: MatchData, args: Args) -> Result {
    if args.len() == 2 {
        let name = ctx.names().op_aref;
        let all = groups(ctx, m, 0).value();
        return ctx.call(all, name, &[args.at(0), args.at(1)]);
    }
    let v = args.at(0);
    if let Some(n) = v.as_fixnum() {
        return Ok(numbered(ctx, m, n));
    }
    if let Some(range) = Range::try_of(v) {
        return Ok(match range_span(ctx, range, |ctx| m.spans(ctx).len())? {
            Some((start, count)) => {
                let all = groups(ctx, m, 0);
                all.subseq(ctx, start, count).value()
            }
            None => Value::NIL,
        });
    }
    if v.is_symbol() || v.has_tag(Tag::String) || v.is_immediate() {
        return group_argument(ctx, m.value(), v);
    }
    let name = ctx.names().op_aref;
    let all = groups(ctx, m, 0).value();
    ctx.call(all, name, &[v])
}

/// A group as `String#to_i` reads it.
fn integer_at(ctx: &mut Ctx, matched: MatchData, args: Args) -> Result {
    let (m, v) = (matched, args.at(0));
    let group = match v.as_fixnum() {
        Some(n) => numbered(ctx, m, n),
        None => group_argument(ctx, matched.value(), v)?,
    };
    if group.is_nil() {
        return Ok(group);
    }
    let to_i = ctx.intern("to_i");
    ctx.call(group, to_i, args.get(1).as_slice())
}

fn values_at(ctx: &mut Ctx, m: MatchData, args: Args) -> Result {
    let list = Array::new(ctx);
    for i in 0..args.len() {
        let v = args.at(i);
        if v.has_tag(Tag::Range) {
            let name = ctx.intern("values_at");
            let all = groups(ctx, m, 0).value();
            let part = ctx.call(all, name, &[v])?;
            if let Some(part) = Array::try_of(part) {
                list.concat(ctx, part);
            }
        } else {
            let item = group_argument(ctx, m.value(), v)?;
            list.push(ctx, item);
        }
    }
    Ok(list.value())
}

fn match_(ctx: &mut Ctx, m: MatchData, args: Args) -> Result {
    let n = group_number(ctx, m, args.at(0))?;
    Ok(group_string(ctx, m, n))
}

fn match_length(ctx: &mut Ctx, m: MatchData, args: Args) -> Result {
    let n = group_number(ctx, m, args.at(0))?;
    Ok(match m.group(ctx, n) {
        Some(r) => {
            let s = subject(m);
            Value::fixnum((s.char_index(ctx, r.end) - s.char_index(ctx, r.start)) as i64)
        }
        None => Value::NIL,
    })
}

fn pre_match(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    Ok(match_part(ctx, recv, MatchPart::Special(2)))
}

fn post_match(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    Ok(match_part(ctx, recv, MatchPart::Special(3)))
}

fn to_s(ctx: &mut Ctx, matched: MatchData, _: Args) -> Result {
    Ok(group_string(ctx, matched, 0))
}

fn string(_: &mut Ctx, matched: MatchData, _: Args) -> Result {
    Ok(matched.string().value())
}

fn inspect(ctx: &mut Ctx, m: MatchData, _: Args) -> Result {
    let class = ctx.real_class(m.value()).inspect(ctx);
    let state = Regexp::try_of(m.regexp()).and_then(|re| re.state(ctx)).map(|s| s.names.clone());
    let names = state.unwrap_or_else(|| Vec::new().into());
    let mut out = format!("#<{class}");
    for n in 0..m.spans(ctx).len() {
        out.push(' ');
        if n > 0 {
            match names.iter().find(|(_, groups)| groups.contains(&(n as u32))) {
                Some((name, _)) => out.push_str(&ctx.sym_str(*name)),
                None => out.push_str(&n.to_string()),
            }
            out.push(':');
        }
        let group = group_string(ctx, m, n);
        out.push_str(&ctx.inspect(group)?);
    }
    out.push('>');
    Ok(Str::utf8(ctx, &out).value())
}

fn hash(ctx: &mut Ctx, m: MatchData, _: Args) -> Result {
    let re = regexp(ctx, m, Args::none())?;
    let seed = ctx.hash_seed();
    let mut hash = subject(m).hash(ctx);
    let pattern = ctx.hash_of(re)?;
    hash = hashing::hash_combine(seed, hash, pattern);
    for n in 0..m.spans(ctx).len() {
        let r = m.group(ctx, n).unwrap_or(usize::MAX..usize::MAX);
        hash = hashing::hash_combine(seed, hash, (r.start as u64) << 32 ^ r.end as u64);
    }
    Ok(Value::fixnum((hash >> 2) as i64))
}

fn op_eq(ctx: &mut Ctx, a: MatchData, args: Args) -> Result {
    let Some(b) = MatchData::try_of(args.at(0)) else { return Ok(Value::FALSE) };
    if a == b {
        return Ok(Value::TRUE);
    }
    if !subject(a).equal(ctx, subject(b)) || a.spans(ctx) != b.spans(ctx) {
        return Ok(Value::FALSE);
    }
    let (x, y) = (regexp(ctx, a, Args::none())?, regexp(ctx, b, Args::none())?);
    Ok(Value::from_bool(ctx.equal(x, y)?))
}
