//! StringScanner: moving forward.

use super::{Scanner, extract};
use rubellite_core_text::regexp::search::{Ask, run_part};
use rubellite_encoding::compatible;
use rubellite_vm::object::{Int, Regexp, Str};
use rubellite_vm::{Args, Ctx, Result, Value};
use std::rc::Rc;

/// What a scan does beside matching.
#[derive(Copy, Clone)]
struct How {
    /// The position moves behind the match.
    advance: bool,
    /// The answer is the text, not its length.
    text: bool,
    /// The match begins at the position.
    here: bool,
}

const fn how(advance: bool, text: bool, here: bool) -> How {
    How { advance, text, here }
}

pub fn scan(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    run(ctx, recv, args.at(0), how(true, true, true))
}

pub fn match_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    run(ctx, recv, args.at(0), how(false, false, true))
}

pub fn skip(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    run(ctx, recv, args.at(0), how(true, false, true))
}

pub fn check(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    run(ctx, recv, args.at(0), how(false, true, true))
}

/// `scan_full(pattern, advance, text)`
pub fn scan_full(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    run(ctx, recv, args.at(0), how(args.at(1).truthy(), args.at(2).truthy(), true))
}

pub fn scan_until(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    run(ctx, recv, args.at(0), how(true, true, false))
}

pub fn exist_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    run(ctx, recv, args.at(0), how(false, false, false))
}

pub fn skip_until(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    run(ctx, recv, args.at(0), how(true, false, false))
}

pub fn check_until(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    run(ctx, recv, args.at(0), how(false, true, false))
}

/// `search_full(pattern, advance, text)`
pub fn search_full(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    run(ctx, recv, args.at(0), how(args.at(1).truthy(), args.at(2).truthy(), false))
}

fn run(ctx: &mut Ctx, recv: Value, pattern: Value, how: How) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    scanner.clear_match();
    let curr = scanner.curr.get();
    if curr > string.len() {
        return Ok(Value::NIL);
    }
    let found = if let Some(regexp) = Regexp::try_of(pattern) {
        by_regexp(ctx, recv, &scanner, string, regexp, how)?
    } else {
        by_string(ctx, &scanner, string, pattern, how)?
    };
    let Some(end) = found else { return Ok(Value::NIL) };
    scanner.prev.set(curr);
    if how.advance {
        scanner.curr.set(end);
    }
    if how.text { Ok(extract(ctx, string, curr, end)) } else { Ok(Value::fixnum(end as i64 - curr as i64)) }
}

/// The end of the match.
fn by_regexp(
    ctx: &mut Ctx,
    recv: Value,
    scanner: &Rc<Scanner>,
    string: Str,
    regex: Regexp,
    how: How,
) -> Result<Option<usize>> {
    scanner.regex.set(regex.value());
    ctx.write_barrier(recv, regex.value());
    let curr = scanner.curr.get();
    let base = if scanner.fixed_anchor.get() { 0 } else { curr };
    let mut captures = scanner.captures.take().unwrap_or_default();
    let ask = if how.here { Ask::At } else { Ask::Forward };
    let found = run_part(ctx, regex, string, base, curr - base, ask, &mut captures);
    let whole = captures.get(0);
    scanner.captures.set(Some(captures));
    let (true, Some((start, end))) = (found?, whole) else { return Ok(None) };
    scanner.base.set(base);
    scanner.grouped.set(true);
    scanner.whole.set(Some((base + start, base + end)));
    Ok(Some(base + end))
}

fn by_string(ctx: &mut Ctx, scanner: &Rc<Scanner>, string: Str, pattern: Value, how: How) -> Result<Option<usize>> {
    let pattern = ctx.to_str(pattern)?;
    if string.encoding() != pattern.encoding() && compatible(string.side(ctx), pattern.side(ctx)).is_none() {
        return Err(rubellite_core_text::incompatible(ctx, string.encoding(), pattern.encoding()));
    }
    let curr = scanner.curr.get();
    // `to_str` may have changed the string.
    let Some(rest) = string.bytes(ctx).get(curr..) else { return Ok(None) };
    let wanted = pattern.bytes(ctx);
    let at = if how.here {
        if rest.starts_with(wanted) { 0 } else { return Ok(None) }
    } else {
        let encoding = string.encoding();
        let mut from = 0;
        loop {
            let Some(found) = memchr::memmem::find(&rest[from..], wanted).map(|i| i + from) else { return Ok(None) };
            // In most encodings a character's bytes cannot be part of another.
            if encoding.is_single_byte() || encoding.is_utf8_family() || encoding.is_char_boundary(rest, found) {
                break found;
            }
            from = found + 1;
        }
    };
    let (start, end) = (curr + at, curr + at + wanted.len());
    scanner.note_plain(start, end);
    Ok(Some(end))
}

/// Moves over `len` bytes.
fn step(scanner: &Scanner, len: usize) -> (usize, usize) {
    let start = scanner.curr.get();
    scanner.prev.set(start);
    scanner.curr.set(start + len);
    scanner.note_plain(start, start + len);
    (start, start + len)
}

/// `getch -> one character or nil`
pub fn getch(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    scanner.clear_match();
    let Some(rest) = string.bytes(ctx).get(scanner.curr.get()..).filter(|rest| !rest.is_empty()) else {
        return Ok(Value::NIL);
    };
    let len = string.encoding().step_len(rest);
    let (start, end) = step(&scanner, len);
    Ok(extract(ctx, string, start, end))
}

/// `get_byte -> a String of one byte or nil`
pub fn get_byte(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    scanner.clear_match();
    if scanner.curr.get() >= string.len() {
        return Ok(Value::NIL);
    }
    let (start, end) = step(&scanner, 1);
    Ok(extract(ctx, string, start, end))
}

/// `scan_byte -> 0..255 or nil`
pub fn scan_byte(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    scanner.clear_match();
    let Some(byte) = string.byte(scanner.curr.get()) else { return Ok(Value::NIL) };
    step(&scanner, 1);
    Ok(Value::fixnum(byte as i64))
}

/// `peek_byte -> 0..255 or nil`
pub fn peek_byte(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    Ok(string.byte(scanner.curr.get()).map_or(Value::NIL, |byte| Value::fixnum(byte as i64)))
}

/// `peek(length) -> string`
pub fn peek(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    let len = ctx.to_int(args.at(0))?;
    let at = scanner.curr.get();
    if at >= string.len() {
        return Ok(Str::new(ctx, b"", string.encoding()).value());
    }
    match usize::try_from(len) {
        Ok(len) => Ok(extract(ctx, string, at, at.saturating_add(len))),
        Err(_) => Err(ctx.string_size_error()),
    }
}

/// `scan_integer`
pub fn scan_decimal(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    scan_integer(ctx, recv, 10)
}

/// `scan_integer(base: 16)`
pub fn scan_hexadecimal(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    scan_integer(ctx, recv, 16)
}

fn scan_integer(ctx: &mut Ctx, recv: Value, base: u32) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    scanner.clear_match();
    ctx.check_ascii_compatible(string)?;
    let rest = string.bytes(ctx).get(scanner.curr.get()..).unwrap_or(b"");
    let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
    let is_digit = |b: &u8| (*b as char).is_digit(base);
    let mut start = sign;
    if base == 16 && rest[start..].starts_with(b"0x") && rest.get(start + 2).is_some_and(is_digit) {
        start += 2;
    }
    let digits = rest[start..].iter().take_while(|b| is_digit(b)).count();
    if digits == 0 {
        return Ok(Value::NIL);
    }
    let end = start + digits;
    let small = (base == 10 && digits <= 18) || (base == 16 && digits <= 15);
    let number = if small {
        let magnitude = rest[start..end]
            .iter()
            .fold(0i64, |n, b| n * base as i64 + (*b as char).to_digit(base).unwrap_or(0) as i64);
        ctx.int(if rest[0] == b'-' { -magnitude } else { magnitude })
    } else {
        let negative = rest[0] == b'-';
        let int = Int::from_digits(&rest[start..end], base).unwrap_or(Int::from(0i64));
        let int = if negative { int.neg() } else { int };
        int.into_value(ctx)
    };
    step(&scanner, end);
    Ok(number)
}
