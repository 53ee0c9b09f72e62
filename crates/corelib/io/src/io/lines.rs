//! IO: reading lines. Separators, limits and `chomp:` are those of `gets`, `readline`, `each_line` and `readlines`.

use super::device;
use super::read::{chomp_keyword, eof_error, read_encoding};
use super::state::{self, IoState};
use crate::file::path::get_path;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Args, Arity, Ctx, Encoding, MethodDef, PrimitiveDef, Result, Value, method, primitive};
use smallvec::SmallVec;
use std::rc::Rc;

/// What the Ruby parts are built on.
pub const PRIMITIVES: &[PrimitiveDef] = &[
    primitive("io_each_gets", Arity::range(0, 3), each_gets),
    primitive("io_line_arguments", Arity::range(0, 2), line_arguments),
    primitive("file_path_convert", Arity::NONE, path),
];

pub const METHODS: &[MethodDef] = &[
    method("gets", Arity::range(0, 2).with_keywords(), gets),
    method("readline", Arity::range(0, 2).with_keywords(), readline),
    method("readlines", Arity::range(0, 2).with_keywords(), readlines),
    method("lineno", Arity::NONE, lineno),
    method("lineno=", Arity::exact(1), set_lineno),
];

fn path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(get_path(ctx, recv)?.value())
}

/// What ends a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Separator {
    /// Nothing: the rest of the file is one line.
    None,
    /// Empty lines (`""`).
    Paragraph,
    Bytes(SmallVec<[u8; 8]>),
}

/// How to read lines.
#[derive(Clone, Debug)]
pub struct LineArgs {
    pub separator: Separator,
    /// The encoding of a separator that is not the default one.
    pub separator_encoding: Option<Encoding>,
    /// `None`: no limit.
    pub limit: Option<usize>,
    pub chomp: bool,
}

/// Reads `(sep = $/, limit = nil)`.
pub fn line_args(ctx: &mut Ctx, args: Args, chomp: bool) -> Result<LineArgs> {
    let (mut separator, mut limit) = (None, Value::NIL);
    match args.len() {
        0 => {}
        1 => {
            let only = args.at(0);
            if only.is_nil() {
                separator = Some(Value::NIL);
            } else {
                match ctx.check_str(only)? {
                    Some(string) => separator = Some(string.value()),
                    None => limit = only,
                }
            }
        }
        _ => {
            separator = Some(if args.at(0).is_nil() { Value::NIL } else { ctx.to_str(args.at(0))?.value() });
            limit = args.at(1);
        }
    }
    let default = crate::globals::input_separator(ctx);
    let separator = separator.unwrap_or(default);
    let separator_encoding = Str::try_of(separator).filter(|_| separator != default).map(|s| s.encoding());
    let limit = if limit.is_nil() { None } else { Some(ctx.to_int(limit)?) };
    let separator = match Str::try_of(separator) {
        None => Separator::None,
        Some(s) if s.is_empty() => Separator::Paragraph,
        Some(s) => Separator::Bytes(SmallVec::from_slice(s.bytes(ctx))),
    };
    Ok(LineArgs { separator, separator_encoding, limit: limit.and_then(|n| usize::try_from(n).ok()), chomp })
}

/// A newline in the IO's encoding.
fn newline(encoding: Encoding) -> &'static [u8] {
    match encoding {
        Encoding::UTF_16LE => b"\n\0",
        Encoding::UTF_16BE => b"\0\n",
        Encoding::UTF_32LE => b"\n\0\0\0",
        Encoding::UTF_32BE => b"\0\0\0\n",
        _ => b"\n",
    }
}

/// A separator that the program gave must be text of the IO's encoding.
fn check_separator(ctx: &mut Ctx, how: &LineArgs, encoding: Encoding) -> Result<()> {
    let (Separator::Bytes(bytes), Some(given)) = (&how.separator, how.separator_encoding) else { return Ok(()) };
    let ascii = given.is_ascii_compatible() && bytes.is_ascii();
    if given == encoding || ascii && encoding.is_ascii_compatible() {
        return Ok(());
    }
    Err(ctx.argument_error(&format!("encoding mismatch: {} IO with {} RS", encoding.name(), given.name())))
}

/// The next line, or none at the end of the file.
pub fn next_line(ctx: &mut Ctx, io: &Rc<IoState>, how: &LineArgs) -> Result<Option<Str>> {
    let encoding = read_encoding(ctx, io)?;
    check_separator(ctx, how, encoding)?;
    if how.limit == Some(0) {
        return Ok(Some(Str::new(ctx, b"", encoding)));
    }
    let line = match &how.separator {
        Separator::None => whole(ctx, io, how, encoding)?,
        Separator::Paragraph => paragraph(ctx, io, how, encoding)?,
        Separator::Bytes(sep) => {
            let sep: &[u8] = if **sep == *b"\n" { newline(encoding) } else { sep };
            let found = until(ctx, io, sep, how.limit, encoding)?;
            found.map(|Found { end, cut }| Line { text: take_line(ctx, io, end, sep, how.chomp, encoding), cut })
        }
    };
    let Some(Line { text, cut }) = line else { return Ok(None) };
    // What the limit ended is not a line.
    io.lineno.set(io.lineno.get() + i64::from(!cut));
    Ok(Some(text))
}

/// A line; `cut`: the limit ended it.
struct Line {
    text: Str,
    cut: bool,
}

/// How many bytes of the buffer are the next line.
struct Found {
    end: usize,
    cut: bool,
}

fn whole(ctx: &mut Ctx, io: &Rc<IoState>, how: &LineArgs, encoding: Encoding) -> Result<Option<Line>> {
    let bytes = match how.limit {
        None => device::read_all(ctx, io)?,
        Some(limit) => {
            let n = limited(ctx, io, limit, encoding)?;
            io.text().borrow_mut().take(n)
        }
    };
    let cut = how.limit.is_some_and(|limit| bytes.len() >= limit);
    Ok(if bytes.is_empty() { None } else { Some(Line { text: Str::from_vec(ctx, bytes, encoding), cut }) })
}

/// A character that the limit cuts may take this many bytes beyond it.
const LIMIT_EXTRA: usize = 16;

/// Where a line of at most `limit` bytes ends without cutting a character: it may be longer. `None`: that depends on
/// bytes which are not there yet.
fn limited_end(bytes: &[u8], limit: usize, encoding: Encoding) -> Option<usize> {
    use rubellite_encoding::CharLen;
    if limit > bytes.len() {
        return None;
    }
    if encoding.is_single_byte() {
        return Some(limit);
    }
    let mut head = character_before(bytes, limit, encoding);
    let mut end = limit;
    loop {
        while head < end {
            head += match encoding.char_len(&bytes[head..end]) {
                CharLen::Valid(n) => n,
                CharLen::Invalid(n) => n.max(1).min(end - head),
                _ => break,
            };
        }
        if head >= end || end == limit + LIMIT_EXTRA {
            return Some(end);
        }
        if end == bytes.len() {
            return None;
        }
        end += 1;
    }
}

/// Where a character begins, near `limit` in UTF-8: no byte but a trailing one lies within a character. Other encodings
/// are walked from the front.
fn character_before(bytes: &[u8], limit: usize, encoding: Encoding) -> usize {
    if !encoding.is_utf8_family() {
        return 0;
    }
    let from = limit.saturating_sub(LIMIT_EXTRA);
    bytes[from..limit].iter().rposition(|byte| byte & 0xC0 != 0x80).map_or(0, |at| from + at)
}

/// More text for a line that may end elsewhere than at a newline (`exact`): then nothing behind it is decoded, so that
/// the position in the file is right and bytes can be read next.
fn more(ctx: &mut Ctx, io: &Rc<IoState>, exact: bool) -> Result<bool> {
    if exact && io.internal.get().is_some() { device::fill_character(ctx, io) } else { device::fill_text(ctx, io) }
}

/// `limited_end` that reads what it takes; the end of the file is one, too.
fn limited(ctx: &mut Ctx, io: &Rc<IoState>, limit: usize, encoding: Encoding) -> Result<usize> {
    loop {
        let found = limited_end(io.text().borrow().bytes(), limit, encoding);
        match found {
            Some(end) => return Ok(end),
            None if !more(ctx, io, true)? => return Ok(io.text().borrow().len().min(limit + LIMIT_EXTRA)),
            None => {}
        }
    }
}

fn until(
    ctx: &mut Ctx,
    io: &Rc<IoState>,
    sep: &[u8],
    limit: Option<usize>,
    encoding: Encoding,
) -> Result<Option<Found>> {
    let mut searched = 0;
    let exact = limit.is_some() || !sep.ends_with(b"\n");
    loop {
        let (found, have, consumed) = {
            let buffer = io.text().borrow();
            (find(buffer.bytes(), sep, searched, encoding), buffer.len(), buffer.consumed)
        };
        if let Some(end) = found
            && limit.is_none_or(|limit| end <= limit)
        {
            return Ok(Some(Found { end, cut: false }));
        }
        if let Some(limit) = limit.filter(|limit| found.is_some() || have >= *limit) {
            let end = limited(ctx, io, limit, encoding)?;
            return Ok(Some(Found { end, cut: true }));
        }
        searched = (have + 1).saturating_sub(sep.len());
        let more = more(ctx, io, exact)?;
        if io.text().borrow().consumed != consumed {
            // Another thread has taken from the buffer meanwhile.
            searched = 0;
        }
        if !more {
            let end = io.text().borrow().len();
            return Ok((end > 0).then_some(Found { end, cut: false }));
        }
    }
}

/// End of the first separator at or after `from`.
fn find(bytes: &[u8], sep: &[u8], from: usize, encoding: Encoding) -> Option<usize> {
    if let [byte] = sep {
        return memchr::memchr(*byte, &bytes[from.min(bytes.len())..]).map(|i| from + i + 1);
    }
    let step = encoding.min_len();
    let mut start = from.min(bytes.len());
    loop {
        let at = memchr::memmem::find(&bytes[start..], sep)? + start;
        if step == 1 || at.is_multiple_of(step) {
            return Some(at + sep.len());
        }
        start = at + 1;
    }
}

fn take_line(ctx: &mut Ctx, io: &IoState, end: usize, sep: &[u8], chomp: bool, encoding: Encoding) -> Str {
    if end >= super::state::LONG && !chomp {
        let line = io.text().borrow_mut().take(end);
        return Str::from_vec(ctx, line, encoding);
    }
    let line = {
        let buffer = io.text().borrow();
        let mut bytes = &buffer.bytes()[..end];
        if let Some(rest) = bytes.strip_suffix(sep).filter(|_| chomp) {
            bytes = if sep == b"\n" { rest.strip_suffix(b"\r").unwrap_or(rest) } else { rest };
        }
        Str::new(ctx, bytes, encoding)
    };
    io.text().borrow_mut().consume(end);
    line
}

/// A paragraph: leading newlines are skipped, the line ends with two, or where the limit says, further ones are
/// swallowed.
fn paragraph(ctx: &mut Ctx, io: &Rc<IoState>, how: &LineArgs, encoding: Encoding) -> Result<Option<Line>> {
    let newline = newline(encoding);
    let end = newline.repeat(2);
    skip_newlines(ctx, io, newline)?;
    let Some(Found { end: len, cut }) = until(ctx, io, &end, how.limit, encoding)? else { return Ok(None) };
    let mut line = io.text().borrow_mut().take(len);
    let complete = line.ends_with(&end);
    if complete || cut {
        skip_newlines(ctx, io, newline)?;
    }
    if how.chomp && complete {
        while line.ends_with(newline) {
            line.truncate(line.len() - newline.len());
        }
    }
    Ok(Some(Line { text: Str::from_vec(ctx, line, encoding), cut }))
}

fn skip_newlines(ctx: &mut Ctx, io: &Rc<IoState>, newline: &[u8]) -> Result<()> {
    loop {
        let n = io.text().borrow().bytes().chunks_exact(newline.len()).take_while(|c| *c == newline).count()
            * newline.len();
        let rest = io.text().borrow().len() - n;
        io.text().borrow_mut().consume(n);
        // One character at a time: what is no newline may be read as bytes.
        if rest >= newline.len() || !device::fill_character(ctx, io)? {
            return Ok(());
        }
    }
}

fn remember_lineno(ctx: &mut Ctx, io: &IoState) {
    crate::globals::set_last_lineno(ctx, io.lineno.get());
}

/// Reads one line and notes `$.`.
pub fn gets_from(ctx: &mut Ctx, recv: Value, how: &LineArgs) -> Result<Option<Value>> {
    let io = state::readable(ctx, recv)?;
    let before = io.lineno.get();
    let line = next_line(ctx, &io, how)?;
    if io.lineno.get() != before {
        remember_lineno(ctx, &io);
    }
    Ok(line.map(Str::value))
}

/// `gets(sep = $/, limit = nil, chomp: false)`; sets `$_`.
fn gets(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let chomp = chomp_keyword(ctx, args.keywords());
    let how = line_args(ctx, args.positional(), chomp)?;
    let line = gets_from(ctx, recv, &how)?.unwrap_or(Value::NIL);
    ctx.set_last_line(line);
    Ok(line)
}

/// `readline`: like gets, EOFError at the end.
fn readline(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &["chomp"])?;
    let line = gets(ctx, recv, args)?;
    if line.is_nil() { Err(eof_error(ctx)) } else { Ok(line) }
}

/// `readlines`
fn readlines(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let chomp = chomp_keyword(ctx, args.keywords());
    let how = line_args(ctx, args.positional(), chomp)?;
    state::open_state(ctx, recv)?;
    if how.limit == Some(0) {
        return Err(ctx.argument_error("invalid limit: 0 for readlines"));
    }
    let io = state::readable(ctx, recv)?;
    all_lines(ctx, &io, &how)
}

/// All remaining lines as an Array.
pub fn all_lines(ctx: &mut Ctx, io: &Rc<IoState>, how: &LineArgs) -> Result {
    let lines = Array::new(ctx);
    while let Some(line) = next_line(ctx, io, how)? {
        lines.push(ctx, line.value());
        remember_lineno(ctx, io);
        rubellite_core_thread::outside::poll(ctx, lines.len())?;
    }
    Ok(lines.value())
}

/// One step of `each_line`: `__each_gets(chomp, *args)`; false at the end.
fn each_gets(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let how = line_args(ctx, args.from(1), args.at(0).truthy())?;
    state::open_state(ctx, recv)?;
    if how.limit == Some(0) {
        return Err(ctx.argument_error("invalid limit: 0 for each_line"));
    }
    Ok(gets_from(ctx, recv, &how)?.unwrap_or(Value::FALSE))
}

/// `io_line_arguments(sep = $/, limit = nil) -> array`: as the conversions of each give them, for reading line by line.
fn line_arguments(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let converted = Array::new(ctx);
    for at in 0..args.len() {
        let given = args.at(at);
        let separator = match at {
            0 if args.len() == 1 => ctx.check_str(given)?,
            0 if !given.is_nil() => Some(ctx.to_str(given)?),
            _ => None,
        };
        let value = match separator {
            Some(string) => string.value(),
            None if given.is_nil() => given,
            None => {
                let limit = ctx.to_int(given)?;
                ctx.int(limit)
            }
        };
        converted.push(ctx, value);
    }
    Ok(converted.value())
}

fn lineno(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::readable(ctx, recv)?;
    Ok(Value::fixnum(io.lineno.get()))
}

fn set_lineno(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = state::readable(ctx, recv)?;
    let n = ctx.to_c_int(args.at(0))?;
    io.lineno.set(i64::from(n));
    Ok(args.at(0))
}
