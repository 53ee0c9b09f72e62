//! String: what takes off or adds at the ends.

use super::concat::{REPEATED_PART, repeat};
use crate::common::{at_boundary, common_encoding, modify};
use rubellite_encoding::{CType, CodeRange, is_ctype};
use rubellite_vm::object::{Grow, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};
use std::ops::Range;

pub static STRING_TRIM: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("strip", Arity::ANY, strip),
        method("strip!", Arity::ANY, strip_bang),
        method("lstrip", Arity::ANY, lstrip),
        method("lstrip!", Arity::ANY, lstrip_bang),
        method("rstrip", Arity::ANY, rstrip),
        method("rstrip!", Arity::ANY, rstrip_bang),
        method("chomp", Arity::range(0, 1), chomp),
        method("chomp!", Arity::range(0, 1), chomp_bang),
        method("chop", Arity::NONE, chop),
        method("chop!", Arity::NONE, chop_bang),
        method("delete_prefix", Arity::ONE, delete_prefix),
        method("delete_prefix!", Arity::ONE, delete_prefix_bang),
        method("delete_suffix", Arity::ONE, delete_suffix),
        method("delete_suffix!", Arity::ONE, delete_suffix_bang),
        method("ljust", Arity::range(1, 2), ljust),
        method("rjust", Arity::range(1, 2), rjust),
        method("center", Arity::range(1, 2), center),
    ],
    ..ClassDef::EMPTY
};

/// Which part of a string a method keeps; it may raise.
type Keep = fn(&mut Ctx, Str, Args) -> Result<Range<usize>>;

fn copy_kept(ctx: &mut Ctx, s: Str, args: Args, keep: Keep) -> Result {
    let range = keep(ctx, s, args)?;
    Ok(s.substring(ctx, range).value())
}

fn cut_in_place(ctx: &mut Ctx, string: Str, args: Args, keep: Keep) -> Result {
    let s = modify(ctx, string)?;
    let range = keep(ctx, s, args)?;
    // The conversion of an argument may have frozen it.
    modify(ctx, string)?;
    if range == (0..s.len()) {
        return Ok(Value::NIL);
    }
    s.truncate(ctx, range.end);
    s.remove_front(ctx, range.start);
    Ok(string.value())
}

// -- white space --------------------------------------------------------------------------

fn is_space(ctx: &Ctx, s: Str, at: usize) -> Option<usize> {
    let bytes = &s.bytes(ctx)[at..];
    let (code, len) = s.encoding().code_point(bytes).ok()?;
    (code < 0x80 && (code == 0 || is_ctype(s.encoding(), code, CType::Space))).then_some(len)
}

fn left_end(ctx: &Ctx, s: Str) -> usize {
    let mut at = 0;
    if s.encoding().is_ascii_compatible() {
        let bytes = s.bytes(ctx);
        return bytes.iter().position(|b| !matches!(b, 0 | b' ' | b'\t'..=b'\r')).unwrap_or(bytes.len());
    }
    while at < s.len() {
        match is_space(ctx, s, at) {
            Some(len) => at += len,
            None => break,
        }
    }
    at
}

fn right_end(ctx: &Ctx, s: Str, from: usize) -> usize {
    let mut end = s.len();
    if s.single_byte_optimizable(ctx) || s.encoding().is_utf8_family() {
        let bytes = s.bytes(ctx);
        while end > from && matches!(bytes[end - 1], 0 | b' ' | b'\t'..=b'\r') {
            end -= 1;
        }
        return end;
    }
    while end > from {
        let Some(start) = s.encoding().prev_char(s.bytes(ctx), end) else { break };
        if is_space(ctx, s, start).is_none() {
            break;
        }
        end = start;
    }
    end
}

fn left(ctx: &mut Ctx, s: Str, sets: &Option<super::tr::Sets>) -> Result<usize> {
    let end = match sets {
        None => left_end(ctx, s),
        Some(sets) => sets.prefix_len(ctx, s)?,
    };
    if end < s.len() && s.code_range(ctx) == CodeRange::Broken && s.encoding().code_point(&s.bytes(ctx)[end..]).is_err()
    {
        return Err(ctx.argument_error(&format!("invalid byte sequence in {}", s.encoding().name())));
    }
    Ok(end)
}

fn right(ctx: &mut Ctx, s: Str, from: usize, sets: &Option<super::tr::Sets>) -> Result<usize> {
    let problem = match s.encoding() {
        encoding if encoding.is_dummy() => {
            Some(format!("incompatible encoding with this operation: {}", encoding.name()))
        }
        encoding if !s.is_valid(ctx) => Some(format!("invalid byte sequence in {}", encoding.name())),
        _ => None,
    };
    if let Some(problem) = problem {
        return Err(ctx.raise_error("Encoding::CompatibilityError", &problem));
    }
    match sets {
        None => Ok(right_end(ctx, s, from)),
        Some(sets) => sets.suffix_start(ctx, s, from),
    }
}

fn selectors(ctx: &mut Ctx, s: Str, args: Args) -> Result<Option<super::tr::Sets>> {
    if args.is_empty() { Ok(None) } else { super::tr::Sets::new(ctx, s, args).map(Some) }
}

fn keep_strip(ctx: &mut Ctx, s: Str, args: Args) -> Result<Range<usize>> {
    let sets = selectors(ctx, s, args)?;
    let start = left(ctx, s, &sets)?;
    Ok(start..right(ctx, s, start, &sets)?)
}

fn keep_lstrip(ctx: &mut Ctx, s: Str, args: Args) -> Result<Range<usize>> {
    let sets = selectors(ctx, s, args)?;
    Ok(left(ctx, s, &sets)?..s.len())
}

fn keep_rstrip(ctx: &mut Ctx, s: Str, args: Args) -> Result<Range<usize>> {
    let sets = selectors(ctx, s, args)?;
    Ok(0..right(ctx, s, 0, &sets)?)
}

fn strip(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    copy_kept(ctx, string, args, keep_strip)
}

fn strip_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    cut_in_place(ctx, string, args, keep_strip)
}

fn lstrip(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    copy_kept(ctx, string, args, keep_lstrip)
}

fn lstrip_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    cut_in_place(ctx, string, args, keep_lstrip)
}

fn rstrip(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    copy_kept(ctx, string, args, keep_rstrip)
}

fn rstrip_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    cut_in_place(ctx, string, args, keep_rstrip)
}

// -- line ends ----------------------------------------------------------------------------

/// The length without one line end (`\n`, `\r\n`, `\r`).
fn without_newline(ctx: &Ctx, s: Str) -> usize {
    let unit = s.encoding().min_len();
    if unit == 1 {
        return match s.bytes(ctx) {
            [rest @ .., b'\r', b'\n'] | [rest @ .., b'\n' | b'\r'] => rest.len(),
            all => all.len(),
        };
    }
    let code_before = |end: usize| {
        let start = s.encoding().prev_char(s.bytes(ctx), end)?;
        Some((s.encoding().code_point(&s.bytes(ctx)[start..end]).ok()?.0, start))
    };
    match code_before(s.len()) {
        Some((0x0A, start)) => match code_before(start) {
            Some((0x0D, before)) => before,
            _ => start,
        },
        Some((0x0D, start)) => start,
        _ => s.len(),
    }
}

fn keep_chomp(ctx: &mut Ctx, s: Str, args: Args) -> Result<Range<usize>> {
    let separator = match args.get(0) {
        Some(v) => v,
        None => {
            let name = ctx.intern("$/");
            let global = ctx.get_global(name)?;
            if global.is_nil() || Str::try_of(global).is_some_and(|g| g.bytes(ctx) == b"\n") {
                return Ok(0..without_newline(ctx, s));
            }
            global
        }
    };
    if separator.is_nil() {
        return Ok(0..s.len());
    }
    let separator = ctx.to_str(separator)?;
    let (given, bytes) = (separator.encoding(), separator.bytes(ctx));
    let newline = bytes.len() == given.min_len() && matches!(given.code_point(bytes), Ok((0x0A, _)));
    match bytes {
        _ if newline => Ok(0..without_newline(ctx, s)),
        b"" => {
            let mut end = s.len();
            while let Some(newline) = char_before(ctx, s, end, 0x0A) {
                end = char_before(ctx, s, newline, 0x0D).unwrap_or(newline);
            }
            Ok(0..end)
        }
        _ if bytes.len() > s.len() => Ok(0..s.len()),
        _ => keep_without_suffix(ctx, s, separator),
    }
}

/// Where the character that ends at `end` begins, if it is the one of this code.
fn char_before(ctx: &Ctx, s: Str, end: usize, code: u32) -> Option<usize> {
    let (encoding, bytes) = (s.encoding(), s.bytes(ctx));
    let start = encoding.prev_char(bytes, end)?;
    matches!(encoding.code_point(&bytes[start..end]), Ok((found, _)) if found == code).then_some(start)
}

fn chomp(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    copy_kept(ctx, string, args, keep_chomp)
}

fn chomp_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    cut_in_place(ctx, string, args, keep_chomp)
}

fn keep_chop(ctx: &mut Ctx, s: Str, _: Args) -> Result<Range<usize>> {
    let Some(last) = s.encoding().prev_char(s.bytes(ctx), s.len()) else { return Ok(0..0) };
    let bytes = s.bytes(ctx);
    let newline = matches!(s.encoding().code_point(&bytes[last..]), Ok((0x0A, _)));
    if newline
        && let Some(before) = s.encoding().prev_char(bytes, last)
        && matches!(s.encoding().code_point(&bytes[before..last]), Ok((0x0D, _)))
    {
        return Ok(0..before);
    }
    Ok(0..last)
}

fn chop(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    copy_kept(ctx, string, args, keep_chop)
}

fn chop_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    cut_in_place(ctx, string, args, keep_chop)
}

// -- prefix and suffix --------------------------------------------------------------------

fn keep_delete_prefix(ctx: &mut Ctx, s: Str, args: Args) -> Result<Range<usize>> {
    let prefix = ctx.to_str(args.at(0))?;
    if !prefix.is_valid(ctx) && s.is_valid(ctx) {
        return Ok(0..s.len());
    }
    common_encoding(ctx, s, prefix)?;
    let found = s.bytes(ctx).starts_with(prefix.bytes(ctx)) && at_boundary(ctx, s, prefix.len());
    Ok(if found { prefix.len() } else { 0 }..s.len())
}

fn keep_delete_suffix(ctx: &mut Ctx, s: Str, args: Args) -> Result<Range<usize>> {
    let suffix = ctx.to_str(args.at(0))?;
    if !suffix.is_valid(ctx) {
        return Ok(0..s.len());
    }
    keep_without_suffix(ctx, s, suffix)
}

fn keep_without_suffix(ctx: &mut Ctx, s: Str, suffix: Str) -> Result<Range<usize>> {
    common_encoding(ctx, s, suffix)?;
    let found = suffix.is_valid(ctx)
        && s.bytes(ctx).ends_with(suffix.bytes(ctx))
        && at_boundary(ctx, s, s.len() - suffix.len());
    Ok(0..if found { s.len() - suffix.len() } else { s.len() })
}

fn delete_prefix(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    copy_kept(ctx, string, args, keep_delete_prefix)
}

fn delete_prefix_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    cut_in_place(ctx, string, args, keep_delete_prefix)
}

fn delete_suffix(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    copy_kept(ctx, string, args, keep_delete_suffix)
}

fn delete_suffix_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    cut_in_place(ctx, string, args, keep_delete_suffix)
}

// -- padding ------------------------------------------------------------------------------

/// Appends `count` characters of the pad, from its begin.
fn push_pad(ctx: &Ctx, out: &mut Vec<u8>, pad: Str, pad_chars: usize, count: usize) {
    let bytes = pad.bytes(ctx);
    if let [byte] = *bytes {
        out.resize(out.len() + count, byte);
        return;
    }
    for _ in 0..count / pad_chars {
        out.extend_from_slice(bytes);
    }
    if let Some(rest) = pad.char_span(ctx, 0, count % pad_chars) {
        out.extend_from_slice(&bytes[rest]);
    }
}

/// The string with padding; `split` says how much of it goes to the left.
fn justify(ctx: &mut Ctx, s: Str, args: Args, split: fn(usize) -> usize) -> Result {
    let width = ctx.to_int(args.at(0))?;
    let pad = match args.get(1) {
        Some(v) => ctx.to_str(v)?,
        None => Str::new(ctx, b" ", rubellite_encoding::Encoding::US_ASCII),
    };
    let encoding = if args.len() > 1 { common_encoding(ctx, s, pad)? } else { s.encoding() };
    if pad.is_empty() {
        return Err(ctx.argument_error("zero width padding"));
    }
    let len = s.char_len(ctx);
    let Some(total) = usize::try_from(width).ok().and_then(|w| w.checked_sub(len)).filter(|n| *n > 0) else {
        return Ok(s.dup(ctx).value());
    };
    if total.checked_mul(pad.len()).is_none_or(|n| n > Str::MAX_LEN - s.len()) {
        return Err(ctx.argument_error("argument too big"));
    }
    let pad = if args.len() > 1 || encoding.is_ascii_compatible() { pad } else { wide_space(ctx, encoding) };
    let pad_chars = pad.char_len(ctx);
    let mut out = Vec::new();
    let size = total / pad_chars * pad.len() + pad.len() + s.len();
    let left = split(total);
    if size > REPEATED_PART {
        let bytes = |count: usize| {
            count / pad_chars * pad.len() + pad.char_span(ctx, 0, count % pad_chars).map_or(0, |rest| rest.len())
        };
        let (before, behind) = (bytes(left), bytes(total - left));
        let result = Str::with_capacity(ctx, size, encoding).map_err(|_| ctx.no_memory())?;
        for (part, count) in [(pad, before), (s, s.len()), (pad, behind)] {
            repeat(ctx, result, part, count)?;
        }
        return Ok(result.value());
    }
    if !out.try_make_room(size) {
        return Err(ctx.no_memory());
    }
    push_pad(ctx, &mut out, pad, pad_chars, left);
    out.extend_from_slice(s.bytes(ctx));
    push_pad(ctx, &mut out, pad, pad_chars, total - left);
    Ok(Str::from_vec(ctx, out, encoding).value())
}

/// A space in an encoding that does not extend ASCII.
fn wide_space(ctx: &mut Ctx, encoding: rubellite_encoding::Encoding) -> Str {
    let mut out = Vec::new();
    if encoding.encode_code_point(0x20, &mut out).is_err() {
        out = vec![b' '];
    }
    Str::from_vec(ctx, out, encoding)
}

fn ljust(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    justify(ctx, string, args, |_| 0)
}

fn rjust(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    justify(ctx, string, args, |total| total)
}

fn center(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    justify(ctx, string, args, |total| total / 2)
}
