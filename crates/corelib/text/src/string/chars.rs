//! String: characters, lines and grapheme clusters as lists, or as parts of such lists, which `string.rb` yields from.

use super::concat::code_point_error;
use crate::common::{common_encoding, find_bytes, frozen_copy};
use rubellite_core_thread::outside::{self, POLL, Stop, poll};
use rubellite_encoding::{CharLen, Encoding, grapheme_clusters_until};
use rubellite_vm::object::{Array, Str, copied, room};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, primitive};

pub static STRING_CHARS: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("length", Arity::NONE, length).leaf(0),
        method("size", Arity::NONE, length).leaf(0),
        method("ord", Arity::NONE, ord),
        method("reverse", Arity::NONE, reverse),
        method("reverse!", Arity::NONE, reverse_bang),
    ],
    primitives: &[
        primitive("string_steady", Arity::NONE, steady_string),
        primitive("string_single_byte", Arity::NONE, single_byte),
        primitive("string_separator", Arity::ONE, separator),
        primitive("string_chars", Arity::range(0, 1), chars),
        primitive("string_codepoints", Arity::range(0, 1), codepoints),
        primitive("string_lines", Arity::range(2, 3), lines),
        primitive("string_grapheme_clusters", Arity::range(0, 1), clusters),
    ],
    ..ClassDef::EMPTY
};

fn length(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    Ok(Value::fixnum(string.char_len(ctx) as i64))
}

fn ord(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    match s.encoding().code_point(s.bytes(ctx)) {
        Ok((code, _)) => Ok(Value::fixnum(code as i64)),
        Err(error) => Err(code_point_error(ctx, error, 0, s.encoding())),
    }
}

static REVERSE_SITE: RegionSite = RegionSite::new("String#reverse");

/// The string back to front, by characters.
fn reversed(ctx: &mut Ctx, s: Str) -> Result<Vec<u8>> {
    let (encoding, single) = (s.encoding(), s.single_byte_optimizable(ctx));
    outside::on_bytes(ctx, s, &REVERSE_SITE, |bytes, stop| {
        if single {
            let mut out = copied(bytes);
            out.reverse();
            return Some(out);
        }
        let mut out: Vec<u8> = room(bytes.len());
        out.resize(bytes.len(), 0);
        let mut end = bytes.len();
        for (step, c) in encoding.chars(bytes).enumerate() {
            if stop.requested_at(step) {
                return None;
            }
            out[end - c.len()..end].copy_from_slice(c);
            end -= c.len();
        }
        Some(out)
    })
}

fn reverse(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    let (range, encoding) = (s.cached_code_range(), s.encoding());
    let out = reversed(ctx, s)?;
    let result = Str::from_vec(ctx, out, encoding);
    result.set_code_range(range.filter(|r| *r != rubellite_encoding::CodeRange::Broken));
    Ok(result.value())
}

fn reverse_bang(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    let s = crate::common::modify(ctx, string)?;
    let out = reversed(ctx, s)?;
    // Another thread may have changed or frozen it meanwhile.
    let s = crate::common::modify(ctx, string)?;
    let range = s.cached_code_range().filter(|_| s.len() == out.len());
    s.set_vec(ctx, out);
    s.set_code_range(range.filter(|r| *r != rubellite_encoding::CodeRange::Broken));
    Ok(string.value())
}

/// The string as it is now, where so much can be made of it that a safepoint comes in between: other threads may change
/// it there.
fn steady(ctx: &mut Ctx, s: Str) -> Str {
    if s.len() < POLL { s } else { frozen_copy(ctx, s) }
}

fn steady_string(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    Ok(steady(ctx, string).value())
}

/// Whether each byte is a character.
fn single_byte(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    Ok(Value::from_bool(string.single_byte_optimizable(ctx)))
}

/// The separator of `each_line` as a String that nobody changes while the lines are yielded, or nil.
fn separator(ctx: &mut Ctx, _string: Str, args: Args) -> Result {
    if args.at(0).is_nil() {
        return Ok(Value::NIL);
    }
    let separator = ctx.to_str(args.at(0))?;
    Ok(frozen_copy(ctx, separator).value())
}

/// How much a list takes in: the whole string, or some pieces from a byte position on. The latter ends with the
/// position behind its pieces, or nil at the end of the string.
#[derive(Copy, Clone)]
struct Part {
    from: usize,
    max: usize,
}

/// Pieces of a part: no more than a string can have that is not copied by `steady`.
const PART: usize = POLL;

impl Part {
    /// The whole string for nil.
    fn of(from: Value) -> Part {
        match from.as_fixnum() {
            Some(from) => Part { from: from as usize, max: PART },
            None => Part { from: 0, max: usize::MAX },
        }
    }

    fn is_whole(self) -> bool {
        self.max == usize::MAX
    }

    fn finish(self, ctx: &mut Ctx, list: Array, next: Option<usize>) -> Value {
        if !self.is_whole() {
            list.push(ctx, next.map_or(Value::NIL, |next| Value::fixnum(next as i64)));
        }
        list.value()
    }
}

/// Pieces of a `steady` string that end at the given byte positions, in order.
fn pieces(ctx: &mut Ctx, s: Str, part: Part, mut next: impl FnMut(&Ctx, usize) -> Option<(usize, usize)>) -> Result {
    let list = Array::new(ctx);
    let mut pos = part.from;
    while list.len() < part.max {
        let Some((end, resume)) = next(ctx, pos) else { return Ok(part.finish(ctx, list, None)) };
        let piece = s.substring(ctx, pos..end).value();
        list.push(ctx, piece);
        poll(ctx, list.len())?;
        pos = resume;
    }
    Ok(part.finish(ctx, list, Some(pos)))
}

fn chars(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = steady(ctx, string);
    let single = s.single_byte_optimizable(ctx);
    pieces(ctx, s, Part::of(args.at(0)), |ctx, pos| {
        if pos >= s.len() {
            return None;
        }
        let end = if single { pos + 1 } else { pos + s.encoding().step_len(&s.bytes(ctx)[pos..]) };
        Some((end, end))
    })
}

fn codepoints(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = steady(ctx, string);
    let part = Part::of(args.at(0));
    let list = Array::with_capacity(ctx, s.len().saturating_sub(part.from).min(part.max));
    let mut pos = part.from;
    while pos < s.len() && list.len() < part.max {
        match s.encoding().code_point(&s.bytes(ctx)[pos..]) {
            Ok((code, len)) => {
                list.push(ctx, Value::fixnum(code as i64));
                pos += len;
            }
            // The block gets those before it first.
            Err(_) if !part.is_whole() && !list.is_empty() => break,
            Err(error) => return Err(code_point_error(ctx, error, 0, s.encoding())),
        }
        poll(ctx, list.len())?;
    }
    Ok(part.finish(ctx, list, (pos < s.len()).then_some(pos)))
}

/// Bytes at the end that begin a character which is not there as a whole.
fn cut_off(encoding: Encoding, bytes: &[u8]) -> usize {
    let starts = bytes.len().saturating_sub(encoding.max_len())..bytes.len();
    starts
        .rev()
        .find(|start| encoding.char_len(&bytes[*start..]) == CharLen::NeedMore)
        .map_or(0, |start| bytes.len() - start)
}

static CLUSTERS_SITE: RegionSite = RegionSite::new("String#grapheme_clusters");

/// The lengths of the clusters from `from` on, before `end`: at least one, and not many more than `PART`. One that is
/// long is looked for outside the lock.
fn cluster_lengths(ctx: &mut Ctx, s: Str, from: usize, end: usize) -> Result<Vec<usize>> {
    // Where a cluster ends shows in the character behind it, so all but the last one of a longer text's front are
    // final; a character that is cut at the end of the front has fewer bytes than this.
    const OPEN: usize = 16;
    let encoding = s.encoding();
    let mut window = PART + OPEN;
    while from + window < end {
        let work = |bytes: &[u8], stop: &Stop| {
            let bytes = &bytes[from..end];
            let front = &bytes[..encoding.left_adjust(bytes, window)];
            Some((grapheme_clusters_until(encoding, front, &|| stop.requested())?, front.len()))
        };
        let (mut lengths, front) = match window {
            ..outside::BYTES_MIN => work(s.bytes(ctx), &Stop::NEVER).unwrap_or_default(),
            _ => outside::on_bytes(ctx, s, &CLUSTERS_SITE, work)?,
        };
        let mut end = front;
        while end + OPEN > front {
            match lengths.pop() {
                Some(len) => end -= len,
                None => break,
            }
        }
        if !lengths.is_empty() {
            return Ok(lengths);
        }
        window = window.saturating_mul(2);
    }
    let rest = |bytes: &[u8], stop: &Stop| grapheme_clusters_until(encoding, &bytes[from..end], &|| stop.requested());
    match end - from {
        ..outside::BYTES_MIN => Ok(rest(s.bytes(ctx), &Stop::NEVER).unwrap_or_default()),
        _ => outside::on_bytes(ctx, s, &CLUSTERS_SITE, rest),
    }
}

fn clusters(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = steady(ctx, string);
    let part = Part::of(args.at(0));
    // A character that is cut off at the end belongs to no cluster.
    let cut = match s.encoding() {
        encoding if encoding.is_unicode() && !s.is_valid(ctx) => cut_off(encoding, s.bytes(ctx)),
        _ => 0,
    };
    let end = s.len() - cut;
    let list = Array::new(ctx);
    let mut pos = part.from;
    while pos < end && list.len() < part.max {
        for len in cluster_lengths(ctx, s, pos, end)? {
            let piece = s.substring(ctx, pos..pos + len).value();
            list.push(ctx, piece);
            pos += len;
            poll(ctx, list.len())?;
        }
    }
    Ok(part.finish(ctx, list, (pos < end).then_some(pos)))
}

/// Lines with a separator (nil: the whole text; empty: paragraphs), chomped or not.
fn lines(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let (chomp, part) = (args.at(1).truthy(), Part::of(args.at(2)));
    // Without a byte order nobody knows where a line ends.
    if args.at(0).is_nil() || matches!(s.encoding(), Encoding::UTF_16 | Encoding::UTF_32) && !s.is_empty() {
        let whole = s.dup(ctx).value();
        let list = Array::from_slice(ctx, &[whole]);
        return Ok(part.finish(ctx, list, None));
    }
    let separator = ctx.to_str(args.at(0))?;
    if s.is_empty() {
        let list = Array::new(ctx);
        return Ok(part.finish(ctx, list, None));
    }
    let separator = line_separator(ctx, s, separator)?;
    let s = steady(ctx, s);
    if separator.is_empty() {
        return paragraphs(ctx, s, part, chomp);
    }
    let default = separator.bytes(ctx) == b"\n" && s.encoding().min_len() == 1;
    let needle = separator.share(ctx);
    pieces(ctx, s, part, |ctx, pos| {
        let bytes = s.bytes(ctx);
        if pos >= bytes.len() {
            return None;
        }
        let mut from = pos;
        let end = loop {
            match find_bytes(bytes, &needle, from) {
                Some(at) if !default && !on_boundary(s.encoding(), &bytes[pos..], at - pos) => from = at + 1,
                Some(at) => break Some(at),
                None => break None,
            }
        };
        let Some(at) = end else { return Some((line_end(bytes, bytes.len(), false, chomp && default), bytes.len())) };
        let resume = at + needle.len();
        let end = if !chomp { resume } else { line_end(bytes, at, default, default) };
        Some((end.max(pos), resume))
    })
}

/// The separator in the encoding of the text.
fn line_separator(ctx: &mut Ctx, s: Str, separator: Str) -> Result<Str> {
    if separator.bytes(ctx) == b"\n"
        && !s.encoding().is_ascii_compatible()
        && separator.encoding().is_ascii_compatible()
    {
        let target = s.encoding();
        let mut bytes = Vec::new();
        if target.is_dummy() || target.encode_code_point(0x0A, &mut bytes).is_err() {
            return Err(rubellite_core_encoding::converter_not_found(ctx, "ASCII-8BIT", target.name(), &[]));
        }
        return Ok(Str::from_vec(ctx, bytes, s.encoding()));
    }
    common_encoding(ctx, s, separator)?;
    Ok(separator)
}

fn on_boundary(encoding: Encoding, bytes: &[u8], at: usize) -> bool {
    encoding.is_utf8_family() || encoding.left_adjust(bytes, at) == at
}

/// Where a chomped line ends: a carriage return before the newline goes too.
fn line_end(bytes: &[u8], end: usize, newline: bool, chomp: bool) -> usize {
    if newline && chomp && end > 0 && bytes[end - 1] == b'\r' { end - 1 } else { end }
}

fn paragraphs(ctx: &mut Ctx, s: Str, part: Part, chomp: bool) -> Result {
    let encoding = s.encoding();
    pieces(ctx, s, part, |ctx, pos| {
        let bytes = s.bytes(ctx);
        if pos >= bytes.len() {
            return None;
        }
        let Some(at) = paragraph_break(encoding, bytes, pos) else { return Some((bytes.len(), bytes.len())) };
        let mut end = at;
        for _ in 0..2 {
            end += newline_len(encoding, bytes, end).unwrap_or(0);
        }
        let mut resume = end;
        while let Some(len) = newline_len(encoding, bytes, resume) {
            resume += len;
        }
        Some((if chomp { at } else { end }, resume))
    })
}

fn newline_len(encoding: Encoding, bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    if !encoding.is_ascii_compatible() {
        let is = |b: u32, rest: &[u8]| encoding.code_point(rest).is_ok_and(|(code, _)| code == b);
        let unit = encoding.min_len();
        return match is(0x0A, rest) {
            true => Some(unit),
            false if is(0x0D, rest) && is(0x0A, &rest[unit..]) => Some(2 * unit),
            false => None,
        };
    }
    match rest {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// Where two newlines stand behind each other.
fn paragraph_break(encoding: Encoding, bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    if !encoding.is_ascii_compatible() {
        while at < bytes.len() {
            match newline_len(encoding, bytes, at) {
                Some(len) if newline_len(encoding, bytes, at + len).is_some() => return Some(at),
                _ => at += encoding.step_len(&bytes[at..]),
            }
        }
        return None;
    }
    loop {
        let newline = find_bytes(bytes, b"\n", at)?;
        if newline_len(encoding, bytes, newline + 1).is_some() {
            let start = if newline > from && bytes[newline - 1] == b'\r' { newline - 1 } else { newline };
            return Some(start);
        }
        at = newline + 1;
    }
}
