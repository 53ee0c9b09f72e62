//! String: `split`.

use crate::common::{common_encoding, find_chars, frozen_copy, step};
use crate::regexp::search::{Ask, give_captures, run, take_captures};
use rubellite_core_thread::outside::POLL;
use rubellite_regexp::Captures;
use rubellite_vm::object::{Array, Regexp, Str};
use rubellite_vm::warning::Category;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, primitive};

pub static STRING_SPLIT: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[],
    primitives: &[primitive("string_split", Arity::exact(2), split)],
    ..ClassDef::EMPTY
};

/// How a string is split.
enum Separator {
    /// Runs of white space; white space in front counts for nothing.
    Awk,
    Chars,
    Text(Str),
    Pattern(Regexp),
}

/// The parts collected so far.
struct Parts {
    list: Array,
    source: Str,
    /// How many parts there may be; 0: any number, and empty ones at the end are dropped.
    limit: i64,
    splits: i64,
}

impl Parts {
    fn push(&mut self, ctx: &mut Ctx, from: usize, to: usize) {
        let part = self.source.substring(ctx, from..to).value();
        self.list.push(ctx, part);
    }

    /// Counts a split; true when the rest must be the last part.
    fn full(&mut self) -> bool {
        self.splits += 1;
        self.limit > 0 && self.splits >= self.limit
    }

    /// Notes that the rest from `from` on is the last part.
    fn finish(&mut self, ctx: &mut Ctx, from: usize) {
        let len = self.source.len();
        if len > 0 && (self.limit != 0 || len > from) {
            self.push(ctx, from.min(len), len);
        }
    }

    fn poll(&self, ctx: &mut Ctx) -> Result<()> {
        if self.splits % POLL as i64 == 0 { ctx.check_interrupts() } else { Ok(()) }
    }
}

fn separator(ctx: &mut Ctx, s: Str, pattern: Value) -> Result<Separator> {
    let pattern = if pattern.is_nil() {
        let name = ctx.intern("$;");
        let global = ctx.get_global(name)?;
        if !global.is_nil() {
            ctx.warn_category("$; is set to non-nil value", Category::Deprecated)?;
        }
        global
    } else {
        pattern
    };
    if pattern.is_nil() {
        return Ok(Separator::Awk);
    }
    if let Some(re) = Regexp::try_of(pattern) {
        return Ok(match re.state(ctx) {
            Some(state) if state.source.is_empty() => Separator::Chars,
            _ => Separator::Pattern(re),
        });
    }
    let Some(text) = ctx.check_str(pattern)? else {
        let class = ctx.describe_for_conversion(pattern);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected Regexp)")));
    };
    if !text.is_valid(ctx) {
        return Err(ctx.argument_error(&format!("invalid byte sequence in {}", text.encoding().name())));
    }
    common_encoding(ctx, s, text)?;
    let enc = text.encoding();
    Ok(match text.bytes(ctx) {
        b"" => Separator::Chars,
        b" " => Separator::Awk,
        wide if !enc.is_ascii_compatible() && enc.code_point(wide) == Ok((0x20, wide.len())) => Separator::Awk,
        _ => Separator::Text(text),
    })
}

/// `split` without a block; the limit is always given.
fn split(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let limit = ctx.to_int(args.at(1))?;
    if i32::try_from(limit).is_err() {
        let size = if limit < 0 { "small" } else { "big" };
        return Err(ctx.range_error(&format!("integer {limit} too {size} to convert to 'int'")));
    }
    if limit == 1 {
        let list = Array::new(ctx);
        if !s.is_empty() {
            let copy = s.dup(ctx).value();
            list.push(ctx, copy);
        }
        return Ok(list.value());
    }
    let separator = separator(ctx, s, args.at(0))?;
    if !s.is_valid(ctx) {
        return Err(ctx.argument_error(&format!("invalid byte sequence in {}", s.encoding().name())));
    }
    let list = Array::new(ctx);
    // Other threads may change the string at a safepoint.
    let polls = matches!(separator, Separator::Pattern(_)) || s.len() >= POLL;
    let source = if polls { frozen_copy(ctx, s) } else { s };
    let mut parts = Parts { list, source, limit, splits: 1 };
    match separator {
        Separator::Awk => split_awk(ctx, &mut parts)?,
        Separator::Chars => split_chars(ctx, &mut parts)?,
        Separator::Text(text) => split_text(ctx, &mut parts, text)?,
        Separator::Pattern(re) => split_pattern(ctx, &mut parts, re)?,
    }
    if limit == 0 {
        while parts.list.last().and_then(Str::try_of).is_some_and(Str::is_empty) {
            parts.list.pop(ctx);
        }
    }
    Ok(parts.list.value())
}

/// Length of the white space character at `pos`.
fn space_len(ctx: &Ctx, s: Str, ascii: bool, pos: usize) -> usize {
    let bytes = s.bytes(ctx);
    if ascii || s.encoding().is_ascii_compatible() {
        return matches!(bytes[pos], b' ' | b'\t'..=b'\r') as usize;
    }
    match s.encoding().code_point(&bytes[pos..]) {
        Ok((0x20 | 0x09..=0x0D, len)) => len,
        _ => 0,
    }
}

fn char_len(ctx: &Ctx, s: Str, ascii: bool, pos: usize) -> usize {
    if ascii { 1 } else { s.encoding().step_len(&s.bytes(ctx)[pos..]) }
}

fn split_awk(ctx: &mut Ctx, parts: &mut Parts) -> Result<()> {
    let s = parts.source;
    let ascii = s.single_byte_optimizable(ctx);
    let len = s.len();
    let mut pos = 0;
    loop {
        while pos < len {
            match space_len(ctx, s, ascii, pos) {
                0 => break,
                n => pos += n,
            }
        }
        let start = pos;
        if parts.limit > 0 && parts.splits >= parts.limit || pos >= len {
            parts.finish(ctx, start);
            return Ok(());
        }
        while pos < len && space_len(ctx, s, ascii, pos) == 0 {
            pos += char_len(ctx, s, ascii, pos);
        }
        if pos >= len {
            parts.finish(ctx, start);
            return Ok(());
        }
        parts.push(ctx, start, pos);
        parts.splits += 1;
        pos += space_len(ctx, s, ascii, pos);
        parts.poll(ctx)?;
    }
}

fn split_chars(ctx: &mut Ctx, parts: &mut Parts) -> Result<()> {
    let s = parts.source;
    let ascii = s.single_byte_optimizable(ctx);
    let mut pos = 0;
    while pos < s.len() {
        let end = pos + char_len(ctx, s, ascii, pos);
        parts.push(ctx, pos, end);
        pos = end;
        if parts.full() {
            break;
        }
        parts.poll(ctx)?;
    }
    parts.finish(ctx, pos);
    Ok(())
}

fn split_text(ctx: &mut Ctx, parts: &mut Parts, text: Str) -> Result<()> {
    let s = parts.source;
    let needle = text.share(ctx);
    let mut pos = 0;
    while let Some(at) = find_chars(ctx, s, &needle, pos) {
        parts.push(ctx, pos, at);
        pos = at + needle.len();
        if parts.full() {
            break;
        }
        parts.poll(ctx)?;
    }
    parts.finish(ctx, pos);
    Ok(())
}

fn split_pattern(ctx: &mut Ctx, parts: &mut Parts, re: Regexp) -> Result<()> {
    let mut captures = take_captures(ctx);
    let result = split_pattern_in(ctx, parts, re, &mut captures);
    give_captures(ctx, captures);
    result
}

fn split_pattern_in(ctx: &mut Ctx, parts: &mut Parts, re: Regexp, captures: &mut Captures) -> Result<()> {
    let s = parts.source;
    let len = s.len();
    // `begin`: where the next part begins; `from`: where the search goes on. An empty match at `from` first moves
    // the search on by one character, and splits when it is found again.
    let (mut begin, mut from, mut again) = (0, 0, false);
    while run(ctx, re, s, from, Ask::Forward, captures)? {
        let (start, end) = captures.get(0).unwrap_or((len, len));
        if start == end && start == from {
            if len == 0 {
                parts.push(ctx, 0, 0);
                break;
            }
            if !again {
                from += if from == len { 1 } else { step(ctx, s, from) };
                again = true;
                continue;
            }
            let first = if begin < len { step(ctx, s, begin) } else { 0 };
            parts.push(ctx, begin, begin + first);
            begin = from;
        } else {
            parts.push(ctx, begin, start);
            begin = end;
            from = end;
        }
        again = false;
        for group in 1..captures.len() {
            if let Some((start, end)) = captures.get(group) {
                parts.push(ctx, start, end);
            }
        }
        if parts.full() {
            break;
        }
        // A match may cost a pass over the text.
        ctx.check_interrupts()?;
    }
    parts.finish(ctx, begin);
    Ok(())
}
