//! IO: methods that read bytes and characters. Lines are in `lines.rs`.

use super::device;
use super::mode::default_external;
use super::state::{self, IoState, check_readable, io_error};
use rubellite_vm::object::{Grow, Hash, Str};
use rubellite_vm::{Args, Arity, Ctx, Encoding, MethodDef, Result, Value, method};
use std::rc::Rc;

pub const METHODS: &[MethodDef] = &[
    method("read", Arity::range(0, 2), io_read),
    method("readpartial", Arity::range(1, 2), readpartial),
    method("read_nonblock", Arity::range(1, 2).with_keywords(), read_nonblock),
    method("sysread", Arity::range(1, 2), sysread),
    method("pread", Arity::range(2, 3), pread),
    method("getc", Arity::NONE, getc),
    method("readchar", Arity::NONE, readchar),
    method("getbyte", Arity::NONE, getbyte),
    method("readbyte", Arity::NONE, readbyte),
    method("ungetc", Arity::exact(1), ungetc),
    method("ungetbyte", Arity::exact(1), ungetbyte),
    method("eof", Arity::NONE, eof),
    method("eof?", Arity::NONE, eof),
];

/// The encoding of strings that text reads return.
pub fn read_encoding(ctx: &mut Ctx, io: &IoState) -> Result<Encoding> {
    match io.internal.get().or(io.external.get()) {
        Some(encoding) => Ok(encoding),
        None => default_external(ctx),
    }
}

#[cold]
pub fn eof_error(ctx: &mut Ctx) -> rubellite_vm::Unwind {
    ctx.raise_error("EOFError", "end of file reached")
}

/// A String argument as the place to read into: emptied and kept, or none.
pub fn buffer_arg(ctx: &mut Ctx, value: Value) -> Result<Option<Str>> {
    if value.is_nil() {
        return Ok(None);
    }
    let string = ctx.to_str(value)?;
    ctx.check_frozen(string.value())?;
    Ok(Some(string))
}

/// NoMemoryError when there is no room for a read of `n` bytes, as if it were made before: what is read takes as much
/// memory as it is long.
pub fn check_size(ctx: &mut Ctx, n: usize) -> Result<()> {
    if n < SIZE_CHECKED || Vec::<u8>::new().try_make_room(n) { Ok(()) } else { Err(ctx.no_memory()) }
}

/// Smaller reads always have room.
const SIZE_CHECKED: usize = 1 << 30;

/// Does what may wait. The string that is to be filled refuses changes meanwhile.
pub fn filling<R>(ctx: &mut Ctx, buffer: Option<Str>, read: impl FnOnce(&mut Ctx) -> R) -> R {
    let Some(string) = buffer else { return read(ctx) };
    string.set_locked(true);
    let outcome = read(ctx);
    string.set_locked(false);
    outcome
}

fn deliver(ctx: &mut Ctx, buffer: Option<Str>, bytes: Vec<u8>, encoding: Encoding, keep_encoding: bool) -> Result {
    match buffer {
        Some(string) => {
            ctx.check_frozen(string.value())?;
            string.set_vec(ctx, bytes);
            if !keep_encoding {
                string.set_encoding(encoding);
            }
            Ok(string.value())
        }
        None => Ok(Str::from_vec(ctx, bytes, encoding).value()),
    }
}

/// What a read of nothing returns: the buffer as it is.
fn untouched(ctx: &mut Ctx, buffer: Option<Str>) -> Result {
    match buffer {
        Some(string) => Ok(string.value()),
        None => Ok(Str::binary(ctx, b"").value()),
    }
}

/// A read that found nothing or failed leaves an empty buffer behind.
fn empty_buffer(ctx: &mut Ctx, buffer: Option<Str>) {
    if let Some(string) = buffer {
        string.clear(ctx);
    }
}

/// `read(length = nil, buffer = nil)`
fn io_read(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let length = args.at(0);
    if length.is_nil() {
        let buffer = buffer_arg(ctx, args.at(1))?;
        let io = state::readable(ctx, recv)?;
        let encoding = read_encoding(ctx, &io)?;
        let bytes = filling(ctx, buffer, |ctx| device::read_all(ctx, &io))?;
        return deliver(ctx, buffer, bytes, encoding, false);
    }
    let length = ctx.to_int(length)?;
    if length < 0 {
        return Err(ctx.argument_error(&format!("negative length {length} given")));
    }
    let buffer = buffer_arg(ctx, args.at(1))?;
    let io = state::byte_readable(ctx, recv)?;
    if length == 0 {
        return deliver(ctx, buffer, Vec::new(), Encoding::BINARY, true);
    }
    check_size(ctx, length as usize)?;
    let bytes = filling(ctx, buffer, |ctx| read_exact(ctx, &io, length as usize))?;
    if bytes.is_empty() {
        if let Some(string) = buffer {
            string.clear(ctx);
        }
        return Ok(Value::NIL);
    }
    deliver(ctx, buffer, bytes, Encoding::BINARY, true)
}

/// Up to `n` bytes, fewer only at the end of the file. Reads no further than that, so that the descriptor stands
/// where the program thinks it does. What has come before an exit or an error is there for the next read.
pub fn read_exact(ctx: &mut Ctx, io: &Rc<IoState>, n: usize) -> Result<Vec<u8>> {
    let mut bytes = io.rbuf.borrow_mut().take(n);
    while bytes.len() < n {
        let want = n - bytes.len();
        // What never waits, such as a device, comes to no safepoint by itself.
        let read = match ctx.check_interrupts() {
            Ok(()) => device::read_into(ctx, io, &mut bytes, want.min(1 << 20), "io_fread"),
            exit => exit.map(|()| 0),
        };
        match read {
            Ok(0) => break,
            Ok(_) => {}
            Err(exit) => {
                if !io.closed() {
                    io.rbuf.borrow_mut().unread(&bytes);
                }
                return Err(exit);
            }
        }
    }
    Ok(bytes)
}

/// `readpartial(maxlen, buffer = nil)`
fn readpartial(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let max = ctx.to_int(args.at(0))?;
    if max < 0 {
        return Err(ctx.argument_error(&format!("negative length {max} given")));
    }
    let buffer = buffer_arg(ctx, args.at(1))?;
    let io = state::byte_readable(ctx, recv)?;
    if max == 0 {
        return deliver(ctx, buffer, Vec::new(), Encoding::BINARY, true);
    }
    check_size(ctx, max as usize)?;
    let mut bytes = io.rbuf.borrow_mut().take(max as usize);
    if bytes.is_empty() {
        filling(ctx, buffer, |ctx| {
            device::read_into(ctx, &io, &mut bytes, (max as usize).min(1 << 20), "io_getpartial")
        })?;
    }
    if bytes.is_empty() {
        if let Some(string) = buffer {
            string.clear(ctx);
        }
        return Err(eof_error(ctx));
    }
    deliver(ctx, buffer, bytes, Encoding::BINARY, true)
}

/// The `exception:` keyword of the methods that do not wait.
pub fn exception_keyword(ctx: &mut Ctx, args: Args) -> Result<bool> {
    args.check_keywords(ctx, &["exception"])?;
    match args.keyword(ctx, "exception") {
        None | Some(Value::TRUE) => Ok(true),
        Some(Value::FALSE) => Ok(false),
        Some(other) => {
            let text = ctx.inspect(other)?;
            Err(ctx.argument_error(&format!("expected true or false as exception: {text}")))
        }
    }
}

/// `read_nonblock(maxlen, buffer = nil, exception: true)`
fn read_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let positional = args.positional();
    let max = ctx.to_int(positional.at(0))?;
    let no_exception = !exception_keyword(ctx, args)?;
    if max < 0 {
        return Err(ctx.argument_error(&format!("negative length {max} given")));
    }
    let buffer = buffer_arg(ctx, positional.at(1))?;
    let io = state::byte_readable(ctx, recv)?;
    if max == 0 {
        return deliver(ctx, buffer, Vec::new(), Encoding::BINARY, true);
    }
    check_size(ctx, max as usize)?;
    let mut bytes = io.rbuf.borrow_mut().take(max as usize);
    if bytes.is_empty() {
        super::methods::set_nonblock(&io, true);
        let outcome = device::read_fd(io.fd.get(), &mut bytes, (max as usize).min(1 << 20));
        if bytes.is_empty() {
            if outcome.is_ok() {
                empty_buffer(ctx, buffer);
            }
            return match outcome {
                Ok(_) if no_exception => Ok(Value::NIL),
                Ok(_) => Err(eof_error(ctx)),
                Err(libc::EAGAIN) if no_exception => Ok(Value::symbol(ctx.intern("wait_readable"))),
                Err(libc::EAGAIN) => {
                    Err(super::methods::would_block(ctx, "IO::EAGAINWaitReadable", "read would block"))
                }
                Err(e) => Err(device::fail(ctx, &io, e, "io_read_nonblock")),
            };
        }
    }
    deliver(ctx, buffer, bytes, Encoding::BINARY, true)
}

/// `sysread(maxlen, buffer = nil)`
fn sysread(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let max = ctx.to_int(args.at(0))?;
    if max < 0 {
        return Err(ctx.string_size_error());
    }
    let buffer = buffer_arg(ctx, args.at(1))?;
    if max == 0 {
        return untouched(ctx, buffer);
    }
    let io = state::byte_readable(ctx, recv)?;
    if !io.rbuf.borrow().is_empty() {
        return Err(io_error(ctx, "sysread for buffered IO"));
    }
    check_size(ctx, max as usize)?;
    let mut bytes = Vec::new();
    let outcome = filling(ctx, buffer, |ctx| {
        device::read_into(ctx, &io, &mut bytes, (max as usize).min(1 << 20), "rb_io_sysread")
    });
    if bytes.is_empty() {
        empty_buffer(ctx, buffer);
        outcome?;
        return Err(eof_error(ctx));
    }
    deliver(ctx, buffer, bytes, Encoding::BINARY, true)
}

/// `pread(maxlen, offset, buffer = nil)`
fn pread(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (max, offset) = (ctx.to_int(args.at(0))?, ctx.to_int(args.at(1))?);
    if max < 0 {
        return Err(ctx.string_size_error());
    }
    let buffer = buffer_arg(ctx, args.at(2))?;
    let io = state::readable(ctx, recv)?;
    if max == 0 {
        return untouched(ctx, buffer);
    }
    check_size(ctx, max as usize)?;
    let outcome = filling(ctx, buffer, |ctx| device::pread(ctx, &io, max as usize, offset))?;
    match outcome {
        Ok(bytes) if bytes.is_empty() => Err(eof_error(ctx)),
        Ok(bytes) => deliver(ctx, buffer, bytes, Encoding::BINARY, true),
        Err(e) => Err(device::fail(ctx, &io, e, "rb_io_pread")),
    }
}

/// Length in bytes of the first character of the buffer, reading as much as it takes; 0 at the end of the file.
pub fn first_char_len(ctx: &mut Ctx, io: &Rc<IoState>, encoding: Encoding) -> Result<usize> {
    loop {
        {
            let rbuf = io.text().borrow();
            let bytes = rbuf.bytes();
            if !bytes.is_empty() {
                use rubellite_encoding::CharLen;
                match encoding.char_len(bytes) {
                    CharLen::Valid(n) => return Ok(n),
                    CharLen::Invalid(_) => return Ok(1),
                    _ if bytes.len() >= encoding.max_len() => return Ok(1),
                    _ => {}
                }
            }
        }
        if !device::fill_character(ctx, io)? {
            // The beginning of a character, or nothing.
            return Ok(io.text().borrow().len());
        }
    }
}

fn read_char(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<Option<Value>> {
    let encoding = read_encoding(ctx, io)?;
    let n = first_char_len(ctx, io, encoding)?;
    if n == 0 {
        return Ok(None);
    }
    let character = Str::new(ctx, &io.text().borrow().bytes()[..n], encoding);
    io.text().borrow_mut().consume(n);
    Ok(Some(character.value()))
}

fn getc(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::readable(ctx, recv)?;
    Ok(read_char(ctx, &io)?.unwrap_or(Value::NIL))
}

fn readchar(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::readable(ctx, recv)?;
    match read_char(ctx, &io)? {
        Some(c) => Ok(c),
        None => Err(eof_error(ctx)),
    }
}

fn read_byte(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<Option<u8>> {
    if io.rbuf.borrow().is_empty() && !device::fill(ctx, io)? {
        return Ok(None);
    }
    let byte = io.rbuf.borrow().bytes().first().copied();
    io.rbuf.borrow_mut().consume(byte.is_some() as usize);
    Ok(byte)
}

fn getbyte(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::byte_readable(ctx, recv)?;
    Ok(read_byte(ctx, &io)?.map_or(Value::NIL, |b| Value::fixnum(b as i64)))
}

fn readbyte(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::byte_readable(ctx, recv)?;
    match read_byte(ctx, &io)? {
        Some(byte) => Ok(Value::fixnum(byte as i64)),
        None => Err(eof_error(ctx)),
    }
}

/// `ungetc(string or code point)`
fn ungetc(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = state::readable(ctx, recv)?;
    let given = args.at(0);
    let string = if rubellite_vm::object::integer::is_integer(given) {
        let encoding = read_encoding(ctx, &io)?;
        let code = ctx.to_c_uint(given)?;
        let object = super::mode::encoding_object(ctx, Some(encoding));
        let text = ctx.call_name(Value::fixnum(i64::from(code)), "chr", &[object])?;
        ctx.to_str(text)?
    } else {
        ctx.to_str(given)?
    };
    let bytes = string.bytes(ctx).to_vec();
    check_room(ctx, io.text(), &bytes)?;
    io.push_text_back(&bytes);
    Ok(Value::NIL)
}

/// A buffer takes so many bytes back before what it holds.
const PUSHED_MAX: usize = 64 * 1024;

fn check_room(ctx: &mut Ctx, buffer: &std::cell::RefCell<state::ReadBuf>, bytes: &[u8]) -> Result<()> {
    let buffer = buffer.borrow();
    if buffer.pos < bytes.len() && !buffer.is_empty() && buffer.len() + bytes.len() > PUSHED_MAX {
        return Err(state::io_error(ctx, "ungetbyte failed"));
    }
    Ok(())
}

fn push_bytes_back(ctx: &mut Ctx, io: &IoState, bytes: &[u8]) -> Result {
    check_room(ctx, &io.rbuf, bytes)?;
    io.rbuf.borrow_mut().unread(bytes);
    Ok(Value::NIL)
}

/// `ungetbyte(string or byte)`
fn ungetbyte(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = state::byte_readable(ctx, recv)?;
    let given = args.at(0);
    if given.is_nil() {
        return Ok(Value::NIL);
    }
    if rubellite_vm::object::integer::is_integer(given) {
        let low = rubellite_vm::object::Int::try_of(given).map_or(0, |i| i.low_u64()) as u8;
        return push_bytes_back(ctx, &io, &[low]);
    }
    let bytes = ctx.to_str(given)?.bytes(ctx).to_vec();
    push_bytes_back(ctx, &io, &bytes)
}

/// `eof?`
fn eof(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::readable(ctx, recv)?;
    check_readable(ctx, &io)?;
    if io.has_buffered() {
        return Ok(Value::FALSE);
    }
    Ok(Value::from_bool(!device::fill(ctx, &io)?))
}

/// The `chomp:` keyword.
pub fn chomp_keyword(ctx: &mut Ctx, keywords: Option<Hash>) -> bool {
    let sym = ctx.intern("chomp");
    keywords.and_then(|hash| hash.get_sym(ctx, sym)).is_some_and(Value::truthy)
}
