//! Zlib::GzipReader: lines.

use super::Gz;
use super::reader::{all_read, fill, filled, is_finished, read_more, rest, take, text};
use rubellite_core_io::io::lines::{LineArgs, Separator, line_args};
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Ctx, Result, Value};

/// `gets(separator = $/, limit = nil) -> string or nil`
pub fn gets(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let line = gets_quietly(ctx, recv, args)?;
    if !line.is_nil() {
        ctx.set_last_line(line);
    }
    Ok(line)
}

/// The same without `$_`.
pub fn gets_quietly(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Gz::open(ctx, recv)?;
    let how = line_args(ctx, args, false)?;
    if how.limit == Some(0) {
        return Ok(Str::binary(ctx, b"").value());
    }
    Gz::in_turn(ctx, recv, |ctx, gz| next(ctx, gz, &how))
}

fn next(ctx: &mut Ctx, gz: Gz, how: &LineArgs) -> Result {
    let line = match &how.separator {
        Separator::None => slurp(ctx, gz, how.limit)?,
        Separator::Paragraph => {
            skip_newlines(ctx, gz)?;
            let line = search(ctx, gz, b"\n\n", how)?;
            skip_newlines(ctx, gz)?;
            line
        }
        Separator::Bytes(separator) => search(ctx, gz, separator, how)?,
    };
    if !line.is_nil() {
        let lineno = &gz.state(ctx).lineno;
        lineno.set(lineno.get() + 1);
    }
    Ok(line)
}

/// Everything, or as much as the limit allows.
fn slurp(ctx: &mut Ctx, gz: Gz, limit: Option<usize>) -> Result {
    let Some(limit) = limit else { return rest(ctx, gz) };
    let Some(len) = fill(ctx, gz, limit)? else { return Ok(Value::NIL) };
    let len = whole_char(ctx, gz, len)?;
    let bytes = take(ctx, gz, len)?;
    text(ctx, gz, bytes)
}

/// The contents up to the separator, the limit or the end.
fn search(ctx: &mut Ctx, gz: Gz, separator: &[u8], how: &LineArgs) -> Result {
    let mut from = 0;
    let len = loop {
        let (found, len) = gz.stream().look(ctx, |s| {
            let waiting = s.waiting_output();
            let seen = &waiting[..how.limit.map_or(waiting.len(), |limit| waiting.len().min(limit))];
            (find(&seen[from.min(seen.len())..], separator), waiting.len())
        })?;
        if let Some(at) = found {
            break from + at + separator.len();
        }
        if let Some(limit) = how.limit.filter(|limit| len >= *limit) {
            break whole_char(ctx, gz, limit)?;
        }
        if all_read(ctx, gz)? {
            break len;
        }
        from = len.saturating_sub(separator.len() - 1);
        read_more(ctx, gz)?;
    };
    match fill(ctx, gz, len.max(1))? {
        None => Ok(Value::NIL),
        Some(len) => {
            let bytes = take(ctx, gz, len)?;
            text(ctx, gz, bytes)
        }
    }
}

fn find(bytes: &[u8], separator: &[u8]) -> Option<usize> {
    if let [byte] = separator {
        return bytes.iter().position(|b| b == byte);
    }
    bytes.windows(separator.len()).position(|window| window == separator)
}

/// `len`, or some bytes more, so that it does not cut a character.
fn whole_char(ctx: &mut Ctx, gz: Gz, len: usize) -> Result<usize> {
    const CHAR_MAX: usize = 8;
    let encoding = gz.state(ctx).encoding.get();
    if fill(ctx, gz, len + CHAR_MAX)?.is_none() {
        return Ok(len);
    }
    gz.stream().look(ctx, |s| {
        let waiting = s.waiting_output();
        let more =
            (0..CHAR_MAX).find(|more| len + more >= waiting.len() || encoding.is_char_boundary(waiting, len + more));
        (len + more.unwrap_or(0)).min(waiting.len().max(len))
    })
}

fn skip_newlines(ctx: &mut Ctx, gz: Gz) -> Result<()> {
    loop {
        while filled(ctx, gz)? == 0 {
            if is_finished(ctx, gz)? {
                return Ok(());
            }
            read_more(ctx, gz)?;
        }
        let (newlines, waiting) = gz.stream().look(ctx, |s| {
            let waiting = s.waiting_output();
            (waiting.iter().take_while(|b| **b == b'\n').count(), waiting.len())
        })?;
        if newlines > 0 {
            take(ctx, gz, newlines)?;
        }
        if newlines < waiting {
            return Ok(());
        }
    }
}
