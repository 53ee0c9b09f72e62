//! StringIO: writing.

use super::state::{Stream, bits};
use rubellite_core_object::errno;
use rubellite_core_text::{append_string, incompatible, modify_string};
use rubellite_encoding::transcode::{EncodeOptions, encode};
use rubellite_encoding::{CodeRange, compatible};
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Ctx, Encoding, Result, Unwind, Value};

#[cold]
pub fn too_big(ctx: &mut Ctx) -> Unwind {
    ctx.argument_error("string size too big")
}

/// The bytes of `text` in `encoding`; none when they do not convert.
pub fn convert(ctx: &Ctx, text: Str, encoding: Encoding) -> Option<Vec<u8>> {
    let bytes = text.bytes(ctx);
    if encoding == Encoding::BINARY || encoding.is_ascii_compatible() && text.is_ascii_only(ctx) {
        return Some(bytes.to_vec());
    }
    encode(bytes, text.encoding(), encoding, &EncodeOptions::default(), None).ok()
}

/// Writes one object; answers with the number of bytes.
fn write_value(ctx: &mut Ctx, recv: Value, value: Value) -> Result<usize> {
    let text = ctx.to_s(value)?;
    let stream = Stream::writable(ctx, recv)?;
    let Some(encoding) = stream.encoding() else { return Ok(0) };
    let own = text.encoding();
    let same = own == encoding || encoding == Encoding::BINARY || encoding == Encoding::US_ASCII;
    if same || encoding.is_ascii_compatible() && text.is_ascii_only(ctx) {
        return put(ctx, &stream, text, encoding);
    }
    match convert(ctx, text, encoding) {
        Some(bytes) => {
            let converted = Str::from_vec(ctx, bytes, encoding);
            put(ctx, &stream, converted, encoding)
        }
        None => {
            let object = rubellite_encoding::Side { enc: encoding, range: Some(CodeRange::Valid), empty: false };
            let plain = own == Encoding::BINARY || own == Encoding::US_ASCII;
            if !plain && compatible(object, text.side(ctx)).is_none() {
                return Err(incompatible(ctx, encoding, own));
            }
            put(ctx, &stream, text, encoding)
        }
    }
}

fn put(ctx: &mut Ctx, stream: &Stream, text: Str, encoding: Encoding) -> Result<usize> {
    let len = text.len();
    if len == 0 {
        return Ok(0);
    }
    stream.check_modifiable(ctx)?;
    let Some(string) = stream.string() else { return Ok(len) };
    let end = string.len();
    if stream.shared.flags.get() & bits::APPEND != 0 {
        stream.shared.pos.set(end);
    }
    let pos = stream.pos();
    if pos == end {
        if encoding == Encoding::BINARY || text.encoding() == Encoding::BINARY {
            let known = string.cached_code_range() == Some(CodeRange::SevenBit) && text.is_ascii_only(ctx);
            let own = string.encoding();
            string.append_str(ctx, text);
            string.set_encoding(own);
            string.set_code_range(known.then_some(CodeRange::SevenBit));
        } else {
            append_string(ctx, string, text)?;
        }
    } else {
        overwrite(ctx, string, pos, text)?;
    }
    stream.shared.pos.set(pos + len);
    Ok(len)
}

/// Writes over the bytes from `pos` on; what lies between the end and `pos` becomes NUL.
fn overwrite(ctx: &mut Ctx, string: Str, pos: usize, text: Str) -> Result<()> {
    let (end, len) = (string.len(), text.len());
    let Some(total) = pos.checked_add(len).filter(|total| *total <= Str::MAX_LEN) else { return Err(too_big(ctx)) };
    if pos > end {
        if string.try_reserve(ctx, total - end).is_err() {
            return Err(ctx.no_memory());
        }
        string.set_len(ctx, pos, 0);
    }
    string.splice_str(ctx, pos..total.min(string.len()), text);
    Ok(())
}

/// `write(*objects) -> bytes`
pub fn write(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mut total = 0;
    for i in 0..args.len() {
        total += write_value(ctx, recv, args.at(i))?;
    }
    Ok(Value::fixnum(total as i64))
}

/// `syswrite(object)`, `write_nonblock(object)`: through `write`.
pub fn syswrite(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.names().write;
    ctx.call(recv, name, &[args.at(0)])
}

/// `io << object -> io`
pub fn op_shl(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.names().write;
    ctx.call(recv, name, &[args.at(0)])?;
    Ok(recv)
}

/// `putc(char or byte) -> what was given`
pub fn putc(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::writable(ctx, recv)?;
    stream.check_modifiable(ctx)?;
    let given = args.at(0);
    let text = match Str::try_of(given) {
        Some(string) => match string.char_span(ctx, 0, 1) {
            Some(span) => string.substring(ctx, span),
            None => string,
        },
        None => {
            let code = ctx.to_int(given)?;
            Str::binary(ctx, &[code as u8])
        }
    };
    if stream.string().is_some() {
        write_value(ctx, recv, text.value())?;
    }
    Ok(given)
}

/// `truncate(length) -> 0`
pub fn truncate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::writable(ctx, recv)?;
    let Ok(len) = usize::try_from(ctx.to_int(args.at(0))?) else {
        return Err(errno::fail(ctx, libc::EINVAL, "negative length"));
    };
    let Some(string) = stream.string() else { return Ok(Value::fixnum(0)) };
    modify_string(ctx, string)?;
    if len > string.len() {
        if len > Str::MAX_LEN || string.try_reserve(ctx, len - string.len()).is_err() {
            return Err(ctx.no_memory());
        }
        string.set_len(ctx, len, 0);
    } else {
        string.truncate(ctx, len);
    }
    Ok(Value::fixnum(0))
}
