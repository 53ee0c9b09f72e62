//! StringIO: reading lines.

use super::state::Stream;
use rubellite_core_io::globals;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Args, Ctx, Encoding, Result, Value};

/// What `gets` and its kin were asked for.
#[derive(Copy, Clone)]
struct LineArgs {
    /// A String, or nil: everything.
    separator: Value,
    /// Negative: none.
    limit: i64,
    chomp: bool,
}

fn line_args(ctx: &mut Ctx, stream: &Stream, args: Args) -> Result<LineArgs> {
    let chomp = chomp_keyword(ctx, args)?;
    let args = args.positional();
    let default = globals::input_separator(ctx);
    let mut limit = -1;
    let mut separator = default;
    match args.len() {
        0 => {}
        1 => match args.at(0) {
            Value::NIL => separator = Value::NIL,
            only => match ctx.check_str(only)? {
                Some(text) => separator = text.value(),
                None => limit = ctx.to_int(only)?,
            },
        },
        _ => {
            separator = if args.at(0).is_nil() { Value::NIL } else { ctx.to_str(args.at(0))?.value() };
            if !args.at(1).is_nil() {
                limit = ctx.to_int(args.at(1))?;
            }
        }
    }
    // Without a separator there is nothing to chomp, unless it is `$/` that is nil.
    let chomp = chomp && (args.is_empty() || !args.at(0).is_nil());
    let separator = adapt(ctx, stream, separator, default)?;
    Ok(LineArgs { separator, limit, chomp })
}

/// The separator in the stream's encoding; ArgumentError when it cannot occur there.
fn adapt(ctx: &mut Ctx, stream: &Stream, separator: Value, default: Value) -> Result {
    let (Some(text), Some(encoding)) = (Str::try_of(separator), stream.string().and(stream.encoding())) else {
        return Ok(separator);
    };
    let own = text.encoding();
    if own == encoding || text.is_ascii_only(ctx) && (text.is_empty() || encoding.is_ascii_compatible()) {
        return Ok(separator);
    }
    if separator != default {
        let message = format!("encoding mismatch: {} IO with {} RS", encoding.name(), own.name());
        return Err(ctx.argument_error(&message));
    }
    let mut newline = Vec::with_capacity(4);
    if encoding.encode_code_point(b'\n' as u32, &mut newline).is_err() {
        newline = b"\n".to_vec();
    }
    Ok(Str::new(ctx, &newline, encoding).value())
}

fn chomp_keyword(ctx: &mut Ctx, args: Args) -> Result<bool> {
    let Some(keywords) = args.keywords() else { return Ok(false) };
    args.check_keywords(ctx, &["chomp"])?;
    let chomp = ctx.intern("chomp");
    Ok(keywords.get_sym(ctx, chomp).is_some_and(Value::truthy))
}

/// Where a line lies: its text, and where the next one begins.
struct Line {
    start: usize,
    end: usize,
    next: usize,
}

/// The next line of `bytes` from `pos` (which lies inside) on.
fn find_line(
    bytes: &[u8],
    pos: usize,
    separator: Option<&[u8]>,
    limit: i64,
    chomp: bool,
    encoding: Encoding,
) -> Option<Line> {
    let mut end = bytes.len();
    if limit > 0 && (limit as usize) < end - pos {
        let rest = &bytes[pos..];
        let cut = encoding.left_adjust(rest, limit as usize);
        end = pos + if cut < limit as usize { cut + encoding.step_len(&rest[cut..]) } else { cut };
    }
    let line = &bytes[pos..end];
    match separator {
        None => {
            let width = if chomp { newline_width(line) } else { 0 };
            Some(Line { start: pos, end: end - width, next: end })
        }
        Some([]) => paragraph(bytes, pos, end, chomp),
        Some([byte]) => match memchr::memchr(*byte, line) {
            Some(at) => {
                let width = if chomp { 1 + usize::from(at > 0 && line[at - 1] == b'\r') } else { 0 };
                Some(Line { start: pos, end: pos + at + 1 - width, next: pos + at + 1 })
            }
            None => Some(Line { start: pos, end, next: end }),
        },
        Some(text) => match memchr::memmem::find(line, text) {
            Some(at) => {
                let next = pos + at + text.len();
                Some(Line { start: pos, end: if chomp { pos + at } else { next }, next })
            }
            None => Some(Line { start: pos, end, next: end }),
        },
    }
}

fn newline_width(line: &[u8]) -> usize {
    match line {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n'] => 1,
        _ => 0,
    }
}

/// Length of the line end that `bytes` begin with.
fn line_end(bytes: &[u8]) -> usize {
    match bytes {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    }
}

/// Leading newlines are skipped; the paragraph ends with two or more of them, all of which belong to it.
fn paragraph(bytes: &[u8], pos: usize, end: usize, chomp: bool) -> Option<Line> {
    let skipped = bytes[pos..end].iter().take_while(|b| **b == b'\n').count();
    let start = pos + skipped;
    if start == end {
        return None;
    }
    let mut at = start;
    while let Some(newline) = memchr::memchr(b'\n', &bytes[at..end]) {
        let after = at + newline + 1;
        let mut next = after;
        loop {
            match line_end(&bytes[next..end]) {
                0 => break,
                width => next += width,
            }
        }
        if next > after {
            let text_end = after - newline_width(&bytes[start..after]);
            return Some(Line { start, end: if chomp { text_end } else { next }, next });
        }
        at = after;
    }
    Some(Line { start, end, next: end })
}

fn getline(ctx: &mut Ctx, stream: &Stream, how: LineArgs) -> Value {
    let Some(string) = stream.rest() else { return Value::NIL };
    let encoding = stream.encoding().unwrap_or(Encoding::BINARY);
    let separator = Str::try_of(how.separator).map(|s| s.bytes(ctx));
    let Some(line) = find_line(string.bytes(ctx), stream.pos(), separator, how.limit, how.chomp, encoding) else {
        return Value::NIL;
    };
    stream.shared.pos.set(line.next);
    stream.shared.lineno.set(stream.shared.lineno.get().wrapping_add(1));
    stream.part(ctx, line.start, line.end - line.start, encoding)
}

/// `gets(sep = $/, limit = nil, chomp: false)`; sets `$_`.
pub fn gets(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::readable(ctx, recv)?;
    let how = line_args(ctx, &stream, args)?;
    if how.limit == 0 {
        return Ok(match stream.encoding().filter(|_| stream.string().is_some()) {
            Some(encoding) => Str::new(ctx, b"", encoding).value(),
            None => Value::NIL,
        });
    }
    let line = getline(ctx, &stream, how);
    ctx.set_last_line(line);
    Ok(line)
}

/// `readlines(sep = $/, limit = nil, chomp: false)`
pub fn readlines(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::readable(ctx, recv)?;
    let how = line_args(ctx, &stream, args)?;
    if how.limit == 0 {
        return Err(ctx.argument_error("invalid limit: 0 for readlines"));
    }
    let list = Array::new(ctx);
    loop {
        let line = getline(ctx, &stream, how);
        if line.is_nil() {
            return Ok(list.value());
        }
        list.push(ctx, line);
        if list.len().is_multiple_of(1024) {
            ctx.check_interrupts()?;
        }
    }
}

/// `[separator, limit, chomp]` for `each_line`.
pub fn line_args_array(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::readable(ctx, recv)?;
    let how = line_args(ctx, &stream, args)?;
    if how.limit == 0 {
        return Err(ctx.argument_error("invalid limit: 0 for each_line"));
    }
    let limit = ctx.int(how.limit);
    Ok(Array::from_slice(ctx, &[how.separator, limit, Value::from_bool(how.chomp)]).value())
}

/// One step of `each_line` with the values of `line_args_array`.
pub fn getline_step(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::of(ctx, recv)?;
    let limit = ctx.to_int(args.at(1))?;
    Ok(getline(ctx, &stream, LineArgs { separator: args.at(0), limit, chomp: args.at(2).truthy() }))
}
