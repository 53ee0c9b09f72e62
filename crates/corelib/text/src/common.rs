//! What the classes of text share: checks before changes, index arithmetic, encoding negotiation, small constructors.

pub use rubellite_core_object::{encoding_label, incompatible, modify_string as modify};
use rubellite_encoding::{Encoding, compatible};
use rubellite_vm::object::{Range, Str, copied};
use rubellite_vm::{Ctx, Result, Tag, Value, flags};

/// The encoding of two strings joined; Encoding::CompatibilityError when there is none.
#[inline]
pub fn common_encoding(ctx: &mut Ctx, a: Str, b: Str) -> Result<Encoding> {
    if a.encoding() == b.encoding() {
        return Ok(a.encoding());
    }
    match compatible(a.side(ctx), b.side(ctx)) {
        Some(encoding) => Ok(encoding),
        None => Err(incompatible(ctx, a.encoding(), b.encoding())),
    }
}

/// An index from either end; none when it lies before the begin.
#[inline]
pub fn from_end(index: i64, len: usize) -> Option<usize> {
    if index >= 0 { Some(index as usize) } else { (index + len as i64).try_into().ok() }
}

/// A Range, or what an object says of itself that answers as one: `begin`, `end` and `exclude_end?`.
pub fn range_like(ctx: &mut Ctx, value: Value) -> Result<Option<Range>> {
    if let Some(range) = Range::try_of(value) {
        return Ok(Some(range));
    }
    let word = |tag| value.has_tag(tag);
    if value.is_immediate() || word(Tag::String) || word(Tag::Float) || word(Tag::Bignum) {
        return Ok(None);
    }
    // A sequence has steps, too.
    if ctx.real_class(value).name(ctx) == Some("Enumerator::ArithmeticSequence") {
        return Ok(None);
    }
    let names = ["begin", "end", "exclude_end?"].map(|name| ctx.intern(name));
    let Some(begin) = ctx.check_call(value, names[0], &[])? else { return Ok(None) };
    let Some(end) = ctx.check_call(value, names[1], &[])? else { return Ok(None) };
    let Some(exclude) = ctx.check_call(value, names[2], &[])? else { return Ok(None) };
    Ok(Some(Range::new(ctx, begin, end, exclude.truthy())))
}

/// Start and length that a Range means in something of `len` elements; none when it lies outside. The length is asked
/// for when the bounds have been converted, which may change it.
pub fn range_span(ctx: &mut Ctx, range: Range, len: impl FnOnce(&Ctx) -> usize) -> Result<Option<(usize, usize)>> {
    let (begin, end) = (range.begin(), range.end());
    let begin = if begin.is_nil() { 0 } else { ctx.to_int(begin)? };
    let endless = end.is_nil();
    let end = if endless { -1 } else { ctx.to_int(end)? };
    let len = len(ctx);
    let Some(begin) = from_end(begin, len).filter(|b| *b <= len) else { return Ok(None) };
    let end = if end < 0 { end + len as i64 } else { end };
    let end = if range.exclude_end() && !endless { end } else { end.saturating_add(1) };
    let end = end.clamp(0, len as i64) as usize;
    Ok(Some((begin, end.saturating_sub(begin))))
}

/// The same; RangeError "1..2 out of range" when it lies outside.
pub fn range_span_checked(ctx: &mut Ctx, range: Range, len: impl FnOnce(&Ctx) -> usize) -> Result<(usize, usize)> {
    match range_span(ctx, range, len)? {
        Some(span) => Ok(span),
        None => {
            let text = ctx.inspect(range.value())?;
            Err(ctx.range_error(&format!("{text} out of range")))
        }
    }
}

/// A new string with these bytes.
pub fn text(ctx: &mut Ctx, bytes: &[u8], encoding: Encoding) -> Value {
    Str::new(ctx, bytes, encoding).value()
}

/// A new string that takes over `bytes`.
pub fn text_of(ctx: &mut Ctx, bytes: Vec<u8>, encoding: Encoding) -> Value {
    Str::from_vec(ctx, bytes, encoding).value()
}

/// A frozen string of class String with the same content: the string itself when it is one already.
pub fn frozen_copy(ctx: &mut Ctx, s: Str) -> Str {
    let plain = s.header().klass.get() == ctx.classes().string.get();
    if s.header().frozen() && plain {
        return s;
    }
    let copy = s.dup(ctx);
    copy.header().set(flags::FROZEN);
    copy
}

/// RuntimeError when the program has changed the length of a string that is being read.
pub fn check_length(ctx: &mut Ctx, s: Str, len: usize) -> Result<()> {
    if s.len() == len { Ok(()) } else { Err(ctx.runtime_error("string modified")) }
}

/// Whether the bytes at `pos` (the end included) begin a character.
pub fn at_boundary(ctx: &Ctx, s: Str, pos: usize) -> bool {
    if pos == 0 || pos == s.len() || s.single_byte_optimizable(ctx) {
        return true;
    }
    s.encoding().is_char_boundary(s.bytes(ctx), pos)
}

/// Length of the character at byte `pos` (1 for broken ones of byte-wise encodings).
#[inline]
pub fn step(ctx: &Ctx, s: Str, pos: usize) -> usize {
    if s.single_byte_optimizable(ctx) { 1 } else { s.encoding().step_len(&s.bytes(ctx)[pos..]) }
}

/// A copy of the bytes, for work that runs Ruby code in between.
pub fn copy_bytes(ctx: &Ctx, s: Str) -> Vec<u8> {
    copied(s.bytes(ctx))
}

/// Searches `needle` in `haystack` from byte `from` on.
#[inline]
pub fn find_bytes(haystack: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let tail = haystack.get(from..)?;
    match needle {
        [] => Some(from),
        [b] => memchr::memchr(*b, tail).map(|at| at + from),
        [first, ..] => find_soon(tail, *first, needle).map(|at| at + from),
    }
}

/// Places that are looked at before a searcher is built, which takes longer than most searches last.
const SOON: usize = 4;

fn find_soon(tail: &[u8], first: u8, needle: &[u8]) -> Option<usize> {
    let mut passed = 0;
    for _ in 0..SOON {
        passed += memchr::memchr(first, &tail[passed..])?;
        if tail[passed..].starts_with(needle) {
            return Some(passed);
        }
        passed += 1;
    }
    memchr::memmem::find(&tail[passed..], needle).map(|at| at + passed)
}

/// `find_chars` of a text: one with broken characters is nowhere.
pub fn find_text(ctx: &Ctx, s: Str, needle: Str, from: usize) -> Option<usize> {
    if needle.is_valid(ctx) { find_chars(ctx, s, needle.bytes(ctx), from) } else { None }
}

/// `rfind_chars` of a text: one with broken characters is nowhere.
pub fn rfind_text(ctx: &Ctx, s: Str, needle: Str, from: usize) -> Option<usize> {
    if needle.is_valid(ctx) { rfind_chars(ctx, s, needle.bytes(ctx), from) } else { None }
}

/// The first place from byte `from` on where `needle` stands as whole characters.
pub fn find_chars(ctx: &Ctx, s: Str, needle: &[u8], mut from: usize) -> Option<usize> {
    let (bytes, encoding) = (s.bytes(ctx), s.encoding());
    // Valid UTF-8 synchronises by itself; only other encodings can match in the middle of a character.
    let exact =
        s.single_byte_optimizable(ctx) || encoding.is_utf8_family() && needle.first().is_none_or(|b| b & 0xC0 != 0x80);
    loop {
        let at = find_bytes(bytes, needle, from)?;
        if exact || at == bytes.len() || encoding.left_adjust(bytes, at) == at {
            return Some(at);
        }
        from = at + 1;
    }
}

/// The last place at byte `from` or before it where `needle` stands as whole characters.
pub fn rfind_chars(ctx: &Ctx, s: Str, needle: &[u8], from: usize) -> Option<usize> {
    let (bytes, encoding) = (s.bytes(ctx), s.encoding());
    if needle.len() > bytes.len() {
        return None;
    }
    let single = s.single_byte_optimizable(ctx);
    let mut from = from.min(bytes.len() - needle.len());
    loop {
        let end = from + needle.len();
        let at = if needle.is_empty() { from } else { memchr::memmem::rfind(&bytes[..end], needle)? };
        if single || at == bytes.len() || encoding.left_adjust(bytes, at) == at {
            return Some(at);
        }
        from = at.checked_sub(1)?;
    }
}
