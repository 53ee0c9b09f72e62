//! String: sets of characters (`tr`, `delete`, `squeeze`, `count`).

use crate::common::{common_encoding, modify};
use rubellite_core_thread::outside::{self, Stop, poll};
use rubellite_encoding::Encoding;
use rubellite_vm::object::{Grow, Str, room};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};
use std::collections::BTreeMap;

static SITE: RegionSite = RegionSite::new("characters");

pub static STRING_TR: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("tr", Arity::exact(2), tr),
        method("tr!", Arity::exact(2), tr_bang),
        method("tr_s", Arity::exact(2), tr_s),
        method("tr_s!", Arity::exact(2), tr_s_bang),
        method("delete", Arity::at_least(0), delete),
        method("delete!", Arity::at_least(0), delete_bang),
        method("squeeze", Arity::ANY, squeeze),
        method("squeeze!", Arity::ANY, squeeze_bang),
        method("count", Arity::at_least(0), count),
    ],
    ..ClassDef::EMPTY
};

/// A set as its text says: `a-z`, `^a-z`, `\-`.
struct Selector {
    negated: bool,
    /// Ranges of code points, in the order of the text.
    ranges: Vec<(u32, u32)>,
    /// How many characters come before each range.
    starts: Vec<usize>,
    /// The same characters in order, so that looking one up takes few steps however long the text is.
    sorted: Vec<Segment>,
}

/// Characters of a set that follow each other, and the place of the first one in the text.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Segment {
    first: u32,
    last: u32,
    place: usize,
}

/// The characters of the ranges in order. Of a character that occurs several times the last place counts.
fn sort(ctx: &mut Ctx, ranges: &[(u32, u32)], starts: &[usize]) -> Result<Vec<Segment>> {
    let mut sorted = Vec::new();
    // What the ranges behind have taken, joined.
    let mut taken: BTreeMap<u32, u32> = BTreeMap::new();
    for (i, &(first, last)) in ranges.iter().enumerate().rev() {
        poll(ctx, i)?;
        let (mut from, mut join) = (first, (first, last));
        if let Some((&a, &b)) = taken.range(..=first).next_back() {
            if b >= last {
                continue;
            }
            if b >= first {
                (from, join.0) = (b + 1, a);
            }
        }
        let mut add = |from: u32, last: u32| {
            sorted.push(Segment { first: from, last, place: starts[i] + (from - first) as usize })
        };
        let mut is_open = true;
        while let Some((&a, &b)) = taken.range(from..=last).next() {
            if from < a {
                add(from, a - 1);
            }
            taken.remove(&a);
            join.1 = join.1.max(b);
            is_open = b < last;
            if !is_open {
                break;
            }
            from = b + 1;
        }
        if is_open {
            add(from, last);
        }
        taken.insert(join.0, join.1);
    }
    sorted.sort_unstable();
    Ok(sorted)
}

/// The code points of a text; broken bytes count as themselves, above all code points.
fn codes(encoding: Encoding, bytes: &[u8]) -> Vec<u32> {
    let mut out = Vec::with_capacity(bytes.len());
    for c in encoding.chars(bytes) {
        out.push(code_of(encoding, c));
    }
    out
}

const BROKEN: u32 = 0x8000_0000;

fn code_of(encoding: Encoding, c: &[u8]) -> u32 {
    match encoding.code_point(c) {
        Ok((code, _)) => code,
        Err(_) => BROKEN | c.iter().fold(0, |code, b| code << 8 | *b as u32),
    }
}

/// No character has more bytes.
const CHARACTER_MAX: usize = 8;

fn push_code(encoding: Encoding, code: u32, out: &mut Vec<u8>) {
    out.make_room(CHARACTER_MAX);
    if code & BROKEN != 0 {
        out.push(code as u8);
    } else if encoding.encode_code_point(code, out).is_err() {
        out.push(code as u8);
    }
}

/// Calls `visit` with each character of a valid text and its code. `None`: it was asked to stop.
#[inline(always)]
fn walk<'a>(encoding: Encoding, bytes: &'a [u8], stop: &Stop, mut visit: impl FnMut(&'a [u8], u32)) -> Option<()> {
    // Where a character begins, a byte below 0x80 is one.
    let (ascii, utf8) = (encoding.is_ascii_compatible(), encoding.is_utf8_family());
    let (mut rest, mut step) = (bytes, 0);
    while let Some(&first) = rest.first() {
        if stop.requested_at(step) {
            return None;
        }
        step += 1;
        if ascii && first < 0x80 {
            visit(&rest[..1], first as u32);
            rest = &rest[1..];
        } else if utf8 && let Some((c, code)) = two_bytes(rest) {
            visit(c, code);
            rest = &rest[2..];
        } else {
            let c = encoding.chars(rest).next().unwrap_or(rest);
            visit(c, code_of(encoding, c));
            rest = &rest[c.len()..];
        }
    }
    Some(())
}

/// The first character of valid UTF-8 when it has two bytes.
#[inline]
fn two_bytes(bytes: &[u8]) -> Option<(&[u8], u32)> {
    match *bytes {
        [a @ 0xC2..=0xDF, b @ 0x80..=0xBF, ..] => Some((&bytes[..2], (a as u32 & 0x1F) << 6 | (b as u32 & 0x3F))),
        _ => None,
    }
}

#[inline]
fn push(out: &mut Vec<u8>, c: &[u8]) {
    match *c {
        [byte] => out.put_one(byte),
        _ => out.put(c),
    }
}

/// Sets consist of whole characters, and so do the texts they are looked for in.
fn check_valid(ctx: &mut Ctx, text: Str) -> Result<()> {
    if text.is_valid(ctx) {
        return Ok(());
    }
    Err(ctx.argument_error(&format!("invalid byte sequence in {}", text.encoding().name())))
}

/// Ranges wider than this are not looked into.
const GAPS_MAX: u32 = 1 << 20;

/// Adds the characters from `first` to `last`: not all numbers between them are characters of every encoding.
fn push_range(encoding: Encoding, first: u32, last: u32, ranges: &mut Vec<(u32, u32)>) {
    if encoding.is_unicode() || encoding.max_len() == 1 || last < 0x80 || last - first > GAPS_MAX {
        return ranges.push((first, last));
    }
    let mut bytes = Vec::new();
    let mut is_character = |code: u32| {
        bytes.clear();
        encoding.encode_code_point(code, &mut bytes).is_ok()
    };
    let mut begin = first;
    for code in first..=last {
        if !is_character(code) {
            if begin < code {
                ranges.push((begin, code - 1));
            }
            begin = code + 1;
        }
    }
    if begin <= last {
        ranges.push((begin, last));
    }
}

impl Selector {
    /// Reads a set; an empty range raises ArgumentError.
    fn parse(ctx: &mut Ctx, text: Str, encoding: Encoding) -> Result<Selector> {
        check_valid(ctx, text)?;
        let encoding = if text.is_ascii_only(ctx) { text.encoding() } else { encoding };
        let codes = codes(encoding, text.bytes(ctx));
        let negated = codes.len() > 1 && codes[0] == b'^' as u32;
        let mut at = negated as usize;
        let mut ranges = Vec::new();
        // A backslash takes the meaning from what follows it, and from itself.
        let read = |at: &mut usize| {
            if codes[*at] == b'\\' as u32 && *at + 1 < codes.len() {
                *at += 1;
            }
            let code = codes[*at];
            *at += 1;
            code
        };
        while at < codes.len() {
            poll(ctx, at)?;
            let first = read(&mut at);
            if at + 1 < codes.len() && codes[at] == b'-' as u32 {
                at += 1;
                let last = read(&mut at);
                if first > last {
                    return Err(bad_range(ctx, first, last));
                }
                push_range(encoding, first, last, &mut ranges);
            } else {
                ranges.push((first, first));
            }
        }
        let starts = ranges
            .iter()
            .scan(0usize, |next, (a, b)| Some(std::mem::replace(next, *next + (b - a) as usize + 1)))
            .collect::<Vec<_>>();
        let sorted = sort(ctx, &ranges, &starts)?;
        Ok(Selector { negated, ranges, starts, sorted })
    }

    fn listed(&self, code: u32) -> bool {
        self.position(code).is_some()
    }

    fn contains(&self, code: u32) -> bool {
        self.listed(code) != self.negated
    }

    /// `contains` of all codes below 0x80, a bit for each.
    fn ascii(&self) -> u128 {
        let low = self.ranges.iter().filter(|(first, last)| *first < 0x80 && first <= last);
        let listed =
            low.fold(0, |bits, (first, last)| bits | (u128::MAX >> (127 - ((*last).min(127) - first))) << first);
        if self.negated { !listed } else { listed }
    }

    /// The place of a character in the set; the last one counts.
    fn position(&self, code: u32) -> Option<usize> {
        let behind = self.sorted.partition_point(|segment| segment.first <= code);
        let segment = self.sorted[..behind].last()?;
        (code <= segment.last).then(|| segment.place + (code - segment.first) as usize)
    }

    fn at(&self, position: usize) -> Option<u32> {
        let behind = self.starts.partition_point(|start| *start <= position);
        let ((first, last), start) = (*self.ranges[..behind].last()?, self.starts[behind - 1]);
        Some(first + (position - start).min((last - first) as usize) as u32)
    }
}

#[cold]
fn bad_range(ctx: &mut Ctx, first: u32, last: u32) -> rubellite_vm::Unwind {
    match (u8::try_from(first), u8::try_from(last)) {
        (Ok(first), Ok(last)) if first.is_ascii() && last.is_ascii() => ctx
            .argument_error(&format!("invalid range \"{}-{}\" in string transliteration", first as char, last as char)),
        _ => ctx.argument_error("invalid range in string transliteration"),
    }
}

/// The intersection of the sets of `delete`, `count` and `squeeze`.
pub struct Sets {
    list: Vec<Selector>,
    /// Which bytes below 0x80 are in all sets, a bit for each.
    ascii: u128,
}

impl Sets {
    pub fn new(ctx: &mut Ctx, s: Str, args: Args) -> Result<Sets> {
        let mut list = Vec::with_capacity(args.len());
        for i in 0..args.len() {
            let text = ctx.to_str(args.at(i))?;
            let encoding = common_encoding(ctx, s, text)?;
            list.push(Selector::parse(ctx, text, encoding)?);
        }
        let ascii = list.iter().fold(u128::MAX, |all, set| all & set.ascii());
        Ok(Sets { list, ascii })
    }

    fn contains(&self, code: u32) -> bool {
        match code {
            0..0x80 => self.ascii >> code & 1 != 0,
            _ => self.list.iter().all(|set| set.contains(code)),
        }
    }

    /// The only ASCII character of the sets, when there is just one.
    fn lone_ascii(&self) -> Option<u8> {
        (self.ascii.count_ones() == 1).then(|| self.ascii.trailing_zeros() as u8)
    }

    /// Which bytes below 0x80 are in all sets, one for each.
    fn ascii_table(&self) -> [bool; 256] {
        std::array::from_fn(|byte| byte < 0x80 && self.contains(byte as u32))
    }

    /// How many bytes at the front are characters of the sets.
    pub fn prefix_len(&self, ctx: &mut Ctx, s: Str) -> Result<usize> {
        let encoding = s.encoding();
        outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
            let mut len = 0;
            for (step, c) in encoding.chars(bytes).enumerate() {
                if !self.contains(code_of(encoding, c)) {
                    break;
                }
                if stop.requested_at(step) {
                    return None;
                }
                len += c.len();
            }
            Some(len)
        })
    }

    /// Where the characters of the sets at the end begin, not before `from`.
    pub fn suffix_start(&self, ctx: &mut Ctx, s: Str, from: usize) -> Result<usize> {
        let encoding = s.encoding();
        outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
            let (mut end, mut step) = (bytes.len(), 0);
            while end > from {
                match encoding.prev_char(bytes, end) {
                    Some(start) if self.contains(code_of(encoding, &bytes[start..end])) => end = start,
                    _ => break,
                }
                if stop.requested_at(step) {
                    return None;
                }
                step += 1;
            }
            Some(end)
        })
    }
}

/// Replaces the content when there is a new one; nil when nothing changed.
fn store(ctx: &mut Ctx, string: Str, new: Option<Vec<u8>>) -> Result {
    let Some(bytes) = new else { return Ok(Value::NIL) };
    let s = modify(ctx, string)?;
    s.set_vec(ctx, bytes);
    Ok(string.value())
}

fn copy(ctx: &mut Ctx, s: Str, new: Option<Vec<u8>>) -> Value {
    match new {
        Some(bytes) => Str::from_vec(ctx, bytes, s.encoding()).value(),
        None => s.dup(ctx).value(),
    }
}

#[cold]
fn no_sets(ctx: &mut Ctx) -> rubellite_vm::Unwind {
    ctx.argument_error("wrong number of arguments (given 0, expected 1+)")
}

// -- delete, squeeze, count ---------------------------------------------------------------

fn deleted(ctx: &mut Ctx, s: Str, args: Args) -> Result<Option<Vec<u8>>> {
    if args.is_empty() {
        return Err(no_sets(ctx));
    }
    if s.is_empty() {
        return Ok(None);
    }
    let sets = Sets::new(ctx, s, args)?;
    check_valid(ctx, s)?;
    if s.is_ascii_only(ctx) {
        if s.len() < TABLE_MIN {
            return outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
                kept(bytes, stop, |byte| !sets.contains(byte.into()))
            });
        }
        let unwanted = sets.ascii_table();
        return outside::on_bytes(ctx, s, &SITE, |bytes, stop| kept(bytes, stop, |byte| !unwanted[byte as usize]));
    }
    without(ctx, s, |code| sets.contains(code))
}

/// The bytes that `keep` names; nothing when they are all.
fn kept(bytes: &[u8], stop: &Stop, mut keep: impl FnMut(u8) -> bool) -> Option<Option<Vec<u8>>> {
    let mut out = room(bytes.len());
    out.resize(bytes.len(), 0);
    let mut len = 0;
    for chunk in bytes.chunks(1 << 20) {
        for byte in chunk {
            // Written whether it is kept or not: no branch depends on the text.
            out[len] = *byte;
            len += usize::from(keep(*byte));
        }
        if stop.requested() {
            return None;
        }
    }
    out.truncate(len);
    Some((len != bytes.len()).then_some(out))
}

/// The bytes without the characters that `unwanted` names; nothing when there are none.
fn without(ctx: &mut Ctx, s: Str, unwanted: impl Fn(u32) -> bool + Send + Sync) -> Result<Option<Vec<u8>>> {
    let encoding = s.encoding();
    outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
        let mut out = room(bytes.len());
        walk(encoding, bytes, stop, |c, code| {
            if !unwanted(code) {
                push(&mut out, c);
            }
        })?;
        Some((out.len() != bytes.len()).then_some(out))
    })
}

fn delete(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let new = deleted(ctx, string, args)?;
    Ok(copy(ctx, string, new))
}

fn delete_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = modify(ctx, string)?;
    let new = deleted(ctx, s, args)?;
    store(ctx, string, new)
}

fn squeezed(ctx: &mut Ctx, s: Str, args: Args) -> Result<Option<Vec<u8>>> {
    let sets = if args.is_empty() { None } else { Some(Sets::new(ctx, s, args)?) };
    check_valid(ctx, s)?;
    if s.is_ascii_only(ctx) && s.len() >= TABLE_MIN {
        let squeezed = sets.map_or([true; 256], |sets| sets.ascii_table());
        return outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
            let mut last = None;
            kept(bytes, stop, |byte| last.replace(byte) != Some(byte) || !squeezed[byte as usize])
        });
    }
    let encoding = s.encoding();
    outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
        let mut out = room(bytes.len());
        let mut last = None;
        walk(encoding, bytes, stop, |c, code| {
            if last != Some(code) || sets.as_ref().is_some_and(|sets| !sets.contains(code)) {
                push(&mut out, c);
            }
            last = Some(code);
        })?;
        Some((out.len() != bytes.len()).then_some(out))
    })
}

fn squeeze(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let new = squeezed(ctx, string, args)?;
    Ok(copy(ctx, string, new))
}

fn squeeze_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = modify(ctx, string)?;
    let new = squeezed(ctx, s, args)?;
    store(ctx, string, new)
}

fn count(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    if args.is_empty() {
        return Err(no_sets(ctx));
    }
    let sets = Sets::new(ctx, s, args)?;
    check_valid(ctx, s)?;
    let (encoding, ascii) = (s.encoding(), s.is_ascii_only(ctx));
    let count = outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
        let mut count = 0;
        if ascii {
            let lone = sets.lone_ascii();
            for chunk in bytes.chunks(1 << 20) {
                count += match lone {
                    Some(byte) => memchr::memchr_iter(byte, chunk).count(),
                    None => chunk.iter().filter(|b| sets.contains(**b as u32)).count(),
                };
                if stop.requested() {
                    return None;
                }
            }
            return Some(count);
        }
        walk(encoding, bytes, stop, |_, code| count += usize::from(sets.contains(code)))?;
        Some(count)
    })?;
    Ok(Value::fixnum(count as i64))
}

/// From this length on a table of what becomes of ASCII pays.
const TABLE_MIN: usize = 128;

// -- tr -----------------------------------------------------------------------------------

/// The transliterated bytes and their encoding; nothing when nothing changed.
fn transliterated(ctx: &mut Ctx, s: Str, args: Args, squeeze: bool) -> Result<Option<(Vec<u8>, Encoding)>> {
    let (from, to) = (ctx.to_str(args.at(0))?, ctx.to_str(args.at(1))?);
    if s.is_empty() {
        return Ok(None);
    }
    if to.is_empty() {
        let only_from = args.from(0);
        return Ok(deleted_by(ctx, s, only_from)?.map(|bytes| (bytes, s.encoding())));
    }
    let (first, second) = (common_encoding(ctx, s, from)?, common_encoding(ctx, s, to)?);
    let encoding = if first == second { first } else { common_encoding(ctx, from, to)? };
    if from.is_empty() {
        check_valid(ctx, s)?;
        return Ok(None);
    }
    let source = Selector::parse(ctx, from, encoding)?;
    let target = parse_target(ctx, to, encoding)?;
    check_valid(ctx, s)?;
    let replace = |code: u32| match (source.negated, source.position(code)) {
        (false, Some(position)) => target.at(position),
        (true, None) => target.ranges.last().map(|r| r.1),
        _ => None,
    };
    let own = s.encoding();
    let by_table = !squeeze && own == encoding && s.is_ascii_only(ctx);
    let ascii: Option<[Option<u32>; 128]> =
        (s.len() >= TABLE_MIN).then(|| std::array::from_fn(|code| replace(code as u32)));
    outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
        if let Some(ascii) = ascii.as_ref().filter(|_| by_table) {
            return Some(transliterated_ascii(encoding, bytes, stop, ascii)?.map(|bytes| (bytes, encoding)));
        }
        let mut out = room(bytes.len());
        let (mut changed, mut last) = (false, None);
        let replaced = |code: u32| {
            ascii.as_ref().and_then(|ascii| ascii.get(code as usize).copied()).unwrap_or_else(|| replace(code))
        };
        walk(own, bytes, stop, |c, code| match replaced(code) {
            Some(new) if squeeze && last == Some(new) => changed = true,
            Some(new) => {
                last = Some(new);
                changed |= new != code || own != encoding;
                if new < 0x80 && encoding.is_ascii_compatible() {
                    out.put_one(new as u8);
                } else {
                    push_code(encoding, new, &mut out);
                }
            }
            None => {
                last = None;
                push(&mut out, c);
            }
        })?;
        Some(changed.then_some((out, encoding)))
    })
}

/// ASCII text through a table; characters beyond ASCII are encoded as they come. `None`: it was asked to stop.
fn transliterated_ascii(
    encoding: Encoding,
    bytes: &[u8],
    stop: &Stop,
    replaced: &[Option<u32>; 128],
) -> Option<Option<Vec<u8>>> {
    let table: [u32; 128] = std::array::from_fn(|code| replaced[code].unwrap_or(code as u32));
    if !bytes.iter().any(|b| table[*b as usize & 127] != *b as u32) {
        return Some(None);
    }
    let single: Option<Vec<u8>> = table.iter().map(|code| u8::try_from(*code).ok().filter(u8::is_ascii)).collect();
    let mut out = room(bytes.len());
    for chunk in bytes.chunks(1 << 20) {
        match &single {
            Some(table) => out.extend(chunk.iter().map(|b| table[*b as usize & 127])),
            None => chunk.iter().for_each(|b| push_code(encoding, table[*b as usize & 127], &mut out)),
        }
        if stop.requested() {
            return None;
        }
    }
    Some(Some(out))
}

/// The replacing set: `^` means nothing special there.
fn parse_target(ctx: &mut Ctx, to: Str, encoding: Encoding) -> Result<Selector> {
    let mut target = Selector::parse(ctx, to, encoding)?;
    if target.negated {
        let mut bytes = b"\\".to_vec();
        bytes.extend_from_slice(to.bytes(ctx));
        let escaped = Str::from_vec(ctx, bytes, to.encoding());
        target = Selector::parse(ctx, escaped, encoding)?;
    }
    Ok(target)
}

/// `tr(from, "")` deletes.
fn deleted_by(ctx: &mut Ctx, s: Str, args: Args) -> Result<Option<Vec<u8>>> {
    let from = ctx.to_str(args.at(0))?;
    let encoding = common_encoding(ctx, s, from)?;
    let set = Selector::parse(ctx, from, encoding)?;
    check_valid(ctx, s)?;
    without(ctx, s, |code| set.contains(code))
}

fn tr_with(ctx: &mut Ctx, s: Str, args: Args, squeeze: bool) -> Result {
    Ok(match transliterated(ctx, s, args, squeeze)? {
        Some((bytes, encoding)) => Str::from_vec(ctx, bytes, encoding).value(),
        None => s.dup(ctx).value(),
    })
}

fn tr_in_place(ctx: &mut Ctx, string: Str, args: Args, squeeze: bool) -> Result {
    let s = modify(ctx, string)?;
    match transliterated(ctx, s, args, squeeze)? {
        Some((bytes, encoding)) => {
            s.set_vec(ctx, bytes);
            s.set_encoding(encoding);
            Ok(string.value())
        }
        None => Ok(Value::NIL),
    }
}

fn tr(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    tr_with(ctx, string, args, false)
}

fn tr_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    tr_in_place(ctx, string, args, false)
}

fn tr_s(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    tr_with(ctx, string, args, true)
}

fn tr_s_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    tr_in_place(ctx, string, args, true)
}
