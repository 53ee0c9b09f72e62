//! StringIO: reading bytes and characters, and putting them back. Lines are `lines.rs`.

use super::state::Stream;
use super::write::{convert, too_big};
use rubellite_core_io::io::read::eof_error;
use rubellite_core_object::errno;
use rubellite_core_text::{code_point_error, modify_string};
use rubellite_vm::object::{Int, Str, integer};
use rubellite_vm::{Args, Ctx, Encoding, Result, Value};

/// `getc -> one character or nil`
pub fn getc(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::readable(ctx, recv)?;
    let Some(string) = stream.rest() else { return Ok(Value::NIL) };
    let encoding = stream.encoding().unwrap_or(Encoding::BINARY);
    let pos = stream.pos();
    let len = encoding.step_len(&string.bytes(ctx)[pos..]);
    stream.shared.pos.set(pos + len);
    Ok(stream.part(ctx, pos, len, encoding))
}

/// `getbyte -> 0..255 or nil`
pub fn getbyte(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::readable(ctx, recv)?;
    let pos = stream.pos();
    match stream.string().and_then(|string| string.byte(pos)) {
        Some(byte) => {
            stream.shared.pos.set(pos + 1);
            Ok(Value::fixnum(byte as i64))
        }
        None => Ok(Value::NIL),
    }
}

/// The next code point, nil at the end.
pub fn codepoint(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::readable(ctx, recv)?;
    let Some(string) = stream.rest() else { return Ok(Value::NIL) };
    let encoding = stream.encoding().unwrap_or(Encoding::BINARY);
    match encoding.code_point(&string.bytes(ctx)[stream.pos()..]) {
        Ok((code, len)) => {
            stream.shared.pos.set(stream.pos() + len);
            Ok(Value::fixnum(code as i64))
        }
        Err(error) => Err(code_point_error(ctx, error, 0, encoding)),
    }
}

/// `ungetc(char or code point) -> nil`
pub fn ungetc(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::readable(ctx, recv)?;
    stream.check_modifiable(ctx)?;
    let given = args.at(0);
    let Some(string) = stream.string().filter(|_| !given.is_nil()) else { return Ok(Value::NIL) };
    let encoding = string.encoding();
    let bytes = if integer::is_integer(given) {
        let code = ctx.to_c_int(given)?;
        let mut bytes = Vec::with_capacity(4);
        if let Err(error) = encoding.encode_code_point(code as u32, &mut bytes) {
            return Err(code_point_error(ctx, error, code as u32, encoding));
        }
        bytes
    } else {
        let text = ctx.to_str(given)?;
        if text.is_empty() {
            return Ok(Value::NIL);
        }
        if text.encoding() != encoding && encoding != Encoding::BINARY {
            convert(ctx, text, encoding).unwrap_or_else(|| text.bytes(ctx).to_vec())
        } else {
            text.bytes(ctx).to_vec()
        }
    };
    unread(ctx, &stream, &bytes)
}

/// `ungetbyte(byte or bytes) -> nil`
pub fn ungetbyte(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::readable(ctx, recv)?;
    stream.check_modifiable(ctx)?;
    let given = args.at(0);
    if stream.string().is_none() || given.is_nil() {
        return Ok(Value::NIL);
    }
    if integer::is_integer(given) {
        let low = Int::try_of(given).map_or(0, |n| n.low_u64()) as u8;
        return unread(ctx, &stream, &[low]);
    }
    let bytes = ctx.to_str(given)?.bytes(ctx).to_vec();
    unread(ctx, &stream, &bytes)
}

/// Lays bytes before the position: over what was read, or in front when there is no room.
fn unread(ctx: &mut Ctx, stream: &Stream, bytes: &[u8]) -> Result {
    let Some(string) = stream.string().filter(|_| !bytes.is_empty()) else { return Ok(Value::NIL) };
    // A conversion that ran Ruby may have frozen it.
    modify_string(ctx, string)?;
    let (pos, len) = (stream.pos(), string.len());
    if bytes.len() > pos {
        string.splice(ctx, 0..pos.min(len), bytes);
        stream.shared.pos.set(0);
        return Ok(Value::NIL);
    }
    let start = pos - bytes.len();
    if pos > len {
        if string.try_reserve(ctx, pos - len).is_err() {
            return Err(too_big(ctx));
        }
        string.set_len(ctx, pos, 0);
    }
    string.splice(ctx, start..pos, bytes);
    stream.shared.pos.set(start);
    Ok(Value::NIL)
}

/// A length argument: ArgumentError for a negative one.
fn length(ctx: &mut Ctx, value: Value) -> Result<usize> {
    let len = ctx.to_int(value)?;
    match usize::try_from(len) {
        Ok(len) => Ok(len),
        Err(_) => Err(ctx.argument_error(&format!("negative length {len} given"))),
    }
}

/// A buffer to fill, ready to be changed.
fn buffer(ctx: &mut Ctx, value: Value) -> Result<Option<Str>> {
    if value.is_nil() {
        return Ok(None);
    }
    let string = ctx.to_str(value)?;
    modify_string(ctx, string).map(Some)
}

/// `read(length = nil, buffer = nil)`: bytes in BINARY with a length, text to the end without.
pub fn read(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::readable(ctx, recv)?;
    read_from(ctx, &stream, args)
}

fn read_from(ctx: &mut Ctx, stream: &Stream, args: Args) -> Result {
    let buffer = buffer(ctx, args.at(1))?;
    if args.at(0).is_nil() {
        return read_text(ctx, stream, buffer);
    }
    let len = length(ctx, args.at(0))?;
    if stream.at_end() {
        if let Some(buffer) = buffer {
            buffer.truncate(ctx, 0);
        }
        return if len > 0 {
            Ok(Value::NIL)
        } else {
            Ok(buffer.map_or_else(|| Str::binary(ctx, b"").value(), Str::value))
        };
    }
    let pos = stream.pos();
    let taken = len.min(stream.string().map_or(0, Str::len) - pos);
    let result = match buffer {
        None => stream.part(ctx, pos, taken, Encoding::BINARY),
        Some(buffer) => fill(ctx, stream, buffer, pos, taken),
    };
    stream.shared.pos.set(pos + taken);
    Ok(result)
}

/// The rest as text, in the buffer when there is one.
fn read_text(ctx: &mut Ctx, stream: &Stream, buffer: Option<Str>) -> Result {
    let (Some(string), Some(encoding)) = (stream.string(), stream.encoding()) else { return Ok(Value::NIL) };
    let pos = stream.pos();
    let rest = string.len().saturating_sub(pos);
    let result = match buffer {
        None => stream.part(ctx, pos, rest, encoding),
        Some(buffer) if rest == 0 => {
            buffer.truncate(ctx, 0);
            buffer.set_encoding(encoding);
            buffer.value()
        }
        Some(buffer) => {
            let filled = fill(ctx, stream, buffer, pos, rest);
            buffer.set_encoding(string.encoding());
            filled
        }
    };
    stream.shared.pos.set(pos + rest);
    Ok(result)
}

fn fill(ctx: &mut Ctx, stream: &Stream, buffer: Str, start: usize, len: usize) -> Value {
    let bytes = stream.string().map_or(Vec::new(), |s| s.bytes(ctx)[start..start + len].to_vec());
    buffer.set_vec(ctx, bytes);
    buffer.value()
}

/// `pread(length, offset, buffer = nil)`: does not move the position.
pub fn pread(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let len = ctx.to_int(args.at(0))?;
    let offset = ctx.to_int(args.at(1))?;
    let Ok(len) = usize::try_from(len) else {
        return Err(ctx.argument_error(&format!("negative string size (or size too big): {len}")));
    };
    if len == 0 {
        return Ok(args.non_nil(2).unwrap_or_else(|| Str::binary(ctx, b"").value()));
    }
    let Ok(offset) = usize::try_from(offset) else {
        return Err(errno::fail(ctx, libc::EINVAL, &format!("pread: Invalid offset argument: {offset}")));
    };
    let buffer = buffer(ctx, args.at(2))?;
    let stream = Stream::readable(ctx, recv)?;
    let total = stream.string().map_or(0, Str::len);
    if offset >= total {
        return Err(eof_error(ctx));
    }
    let len = len.min(total - offset);
    match buffer {
        None => Ok(stream.part(ctx, offset, len, Encoding::BINARY)),
        Some(buffer) => {
            let result = fill(ctx, &stream, buffer, offset, len);
            buffer.set_encoding(Encoding::BINARY);
            Ok(result)
        }
    }
}

/// `read_nonblock(length, buffer = nil, exception: true)`: never has to wait; nil instead of EOFError on request.
pub fn read_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::readable(ctx, recv)?;
    let bytes = read_from(ctx, &stream, args.positional())?;
    if bytes.is_nil() && args.keyword(ctx, "exception") != Some(Value::FALSE) {
        return Err(eof_error(ctx));
    }
    Ok(bytes)
}
