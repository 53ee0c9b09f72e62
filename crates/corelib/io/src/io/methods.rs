//! IO: closing, positions, flags, encodings, descriptor matters.

use super::mode::{
    OpenMode, default_external, encoding_object, encoding_of, named_encoding, needs_binmode, parse,
    parse_encoding_value, parse_encodings, refresh_decoder,
};
use super::open;
use super::state::{self, IoState, io_error, mode};
use super::{device, waiting};
use rubellite_core_object::errno;
use rubellite_vm::object::{Hash, Int, Str};
use rubellite_vm::{Args, Arity, Ctx, Encoding, MethodDef, Result, Unwind, Value, method};
use std::rc::Rc;
use std::time::Instant;

pub const METHODS: &[MethodDef] = &[
    method("initialize", Arity::range(1, 2).with_keywords(), open::io_initialize),
    method("initialize_copy", Arity::exact(1), open::initialize_copy),
    method("close", Arity::NONE, close),
    method("closed?", Arity::NONE, closed_p),
    method("close_read", Arity::NONE, close_read),
    method("close_write", Arity::NONE, close_write),
    method("fileno", Arity::NONE, fileno),
    method("to_i", Arity::NONE, fileno),
    method("to_io", Arity::NONE, to_io),
    method("path", Arity::NONE, path),
    method("to_path", Arity::NONE, path),
    method("tty?", Arity::NONE, tty_p),
    method("isatty", Arity::NONE, tty_p),
    method("pid", Arity::NONE, pid),
    method("pos", Arity::NONE, pos),
    method("tell", Arity::NONE, pos),
    method("pos=", Arity::exact(1), set_pos),
    method("seek", Arity::range(1, 2), seek),
    method("sysseek", Arity::range(1, 2), sysseek),
    method("rewind", Arity::NONE, rewind),
    method("binmode", Arity::NONE, binmode),
    method("binmode?", Arity::NONE, binmode_p),
    method("autoclose?", Arity::NONE, autoclose_p),
    method("autoclose=", Arity::exact(1), set_autoclose),
    method("close_on_exec?", Arity::NONE, close_on_exec_p),
    method("close_on_exec=", Arity::exact(1), set_close_on_exec),
    method("fcntl", Arity::range(1, 2), fcntl),
    method("ioctl", Arity::range(1, 2), ioctl),
    method("external_encoding", Arity::NONE, external_encoding),
    method("internal_encoding", Arity::NONE, internal_encoding),
    method("set_encoding", Arity::range(1, 2).with_keywords(), set_encoding),
    method("set_encoding_by_bom", Arity::NONE, set_encoding_by_bom),
    method("inspect", Arity::NONE, inspect),
    method("stat", Arity::NONE, stat),
    method("reopen", Arity::range(1, 2).with_keywords(), super::reopen::reopen),
    method("timeout", Arity::NONE, timeout),
    method("timeout=", Arity::exact(1), set_timeout),
    method("advise", Arity::range(1, 3), advise),
    method("wait_readable", Arity::range(0, 1), wait_readable),
    method("wait_writable", Arity::range(0, 1), wait_writable),
    method("wait_priority", Arity::range(0, 1), wait_priority),
    method("wait", Arity::ANY, wait),
    method("nonblock?", Arity::NONE, nonblock_p),
    method("nonblock=", Arity::exact(1), set_nonblock_method),
    method("ready?", Arity::NONE, ready_p),
    method("nread", Arity::NONE, nread),
];

// -- closing ----------------------------------------------------------------------------------

fn close(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::state(ctx, recv)?;
    device::close(ctx, &io)?;
    ctx.extension::<state::IoTable>().open.borrow_mut().remove(&recv);
    let pid = io.pid.replace(0);
    if pid > 0 {
        (ctx.vm().hooks().reap_child)(ctx, pid, 0)?;
    }
    Ok(Value::NIL)
}

fn closed_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::state(ctx, recv)?;
    Ok(Value::from_bool(io.closed()))
}

fn is_socket(fd: i32) -> bool {
    state::file_type(fd) == libc::S_IFSOCK
}

fn close_read(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = state::thawed(ctx, recv)?;
    if io.closed() {
        return Ok(Value::NIL);
    }
    if is_socket(io.fd.get()) && io.has(mode::READ) {
        // SAFETY: a plain call.
        unsafe { libc::shutdown(io.fd.get(), libc::SHUT_RD) };
        io.set(mode::READ, false);
        return if io.has(mode::WRITE) { Ok(Value::NIL) } else { close(ctx, recv, args) };
    }
    if io.write_fd.get() >= 0 {
        let fd = io.fd.replace(io.write_fd.replace(-1));
        io.set(mode::READ, false);
        io.rbuf.borrow_mut().clear();
        waiting::evict(ctx, &io, &[fd], true)?;
        return Ok(Value::NIL);
    }
    // A half that a command's IO does not have (any more) stands for the whole.
    if io.pid.get() > 0 || io.has(mode::READ) && !io.has(mode::WRITE) {
        return close(ctx, recv, args);
    }
    Err(io_error(ctx, "closing non-duplex IO for reading"))
}

fn close_write(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = state::thawed(ctx, recv)?;
    if io.closed() {
        return Ok(Value::NIL);
    }
    if is_socket(io.fd.get()) && io.has(mode::WRITE) {
        device::flush(ctx, &io)?;
        // SAFETY: a plain call.
        unsafe { libc::shutdown(io.fd.get(), libc::SHUT_WR) };
        io.set(mode::WRITE, false);
        return if io.has(mode::READ) { Ok(Value::NIL) } else { close(ctx, recv, args) };
    }
    if io.write_fd.get() >= 0 {
        device::flush(ctx, &io)?;
        let fd = io.write_fd.replace(-1);
        io.set(mode::WRITE, false);
        waiting::evict(ctx, &io, &[fd], true)?;
        return Ok(Value::NIL);
    }
    if io.pid.get() > 0 || !io.has(mode::READ) {
        return close(ctx, recv, args);
    }
    Err(io_error(ctx, "closing non-duplex IO for writing"))
}

// -- plain questions ----------------------------------------------------------------------------

fn fileno(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_or_frozen(ctx, recv)?;
    Ok(Value::fixnum(io.fd.get() as i64))
}

fn to_io(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

fn path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::state(ctx, recv)?;
    match Str::try_of(io.path.get()) {
        Some(path) => Ok(path.dup(ctx).value()),
        None => Ok(Value::NIL),
    }
}

fn tty_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    // SAFETY: a plain query.
    Ok(Value::from_bool(unsafe { libc::isatty(io.fd.get()) } == 1))
}

fn pid(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    Ok(if io.pid.get() > 0 { Value::fixnum(io.pid.get() as i64) } else { Value::NIL })
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let class = ctx.real_class(recv).inspect(ctx);
    let Some(io) = state::try_state(ctx, recv) else {
        let text = ctx.any_to_s(recv);
        return Ok(Str::utf8(ctx, &text).value());
    };
    let path = device::path_bytes(ctx, &io);
    let mut text = format!("#<{class}:").into_bytes();
    if io.path.get().is_nil() {
        if io.closed() {
            text.extend_from_slice(b"(closed)");
        } else {
            text.extend_from_slice(format!("fd {}", io.fd.get()).as_bytes());
        }
    } else {
        text.extend_from_slice(&path);
        if io.closed() {
            text.extend_from_slice(b" (closed)");
        }
    }
    text.push(b'>');
    let named = Str::try_of(io.path.get()).filter(|path| !path.is_ascii_only(ctx));
    Ok(Str::from_vec(ctx, text, named.map_or(Encoding::BINARY, Str::encoding)).value())
}

fn stat(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    crate::file::stat::of_fd(ctx, io.fd.get())
}

// -- positions ------------------------------------------------------------------------------------

/// lseek(2); `function` is the one that CRuby names in the message.
pub fn sys_seek(ctx: &mut Ctx, io: &IoState, offset: i64, whence: i32, function: &str) -> Result<i64> {
    // SAFETY: a plain call.
    let at = unsafe { libc::lseek(io.fd.get(), offset, whence) };
    if at < 0 { Err(device::fail(ctx, io, errno::last(), function)) } else { Ok(at) }
}

/// Position as the program sees it: buffers are written out or counted off.
pub fn position(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<i64> {
    device::flush(ctx, io)?;
    let at = sys_seek(ctx, io, 0, libc::SEEK_CUR, "rb_io_tell")?;
    Ok(at - unread(io))
}

/// How many bytes of the file have been read ahead. What is pushed back counts, too: a position can be negative.
fn unread(io: &IoState) -> i64 {
    (io.rbuf.borrow().len() + io.text_in_bytes()) as i64
}

/// `pos -> integer`: a file that can be sought stands there afterwards, with nothing read ahead.
fn pos(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    let at = position(ctx, &io)?;
    if io.cbuf.borrow().is_empty() && unread(&io) > 0 && at >= 0 {
        seek_to(ctx, &io, 0, libc::SEEK_CUR, "rb_io_tell")?;
    }
    Ok(ctx.int(at))
}

fn seek_to(ctx: &mut Ctx, io: &Rc<IoState>, offset: i64, whence: i32, function: &str) -> Result<i64> {
    device::flush(ctx, io)?;
    let ahead = unread(io);
    let offset = if whence == libc::SEEK_CUR { offset - ahead } else { offset };
    let at = sys_seek(ctx, io, offset, whence, function)?;
    io.clear_read();
    refresh_decoder(ctx, io)?;
    Ok(at)
}

fn set_pos(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let offset = ctx.to_int(args.at(0))?;
    let io = state::open_state(ctx, recv)?;
    let at = seek_to(ctx, &io, offset, libc::SEEK_SET, "rb_io_set_pos")?;
    Ok(ctx.int(at))
}

fn whence(ctx: &mut Ctx, value: Option<Value>) -> Result<i32> {
    let Some(value) = value else { return Ok(libc::SEEK_SET) };
    let name = value.as_symbol().map(|sym| ctx.sym_bytes(sym));
    match name {
        Some(b"SET") => Ok(libc::SEEK_SET),
        Some(b"CUR") => Ok(libc::SEEK_CUR),
        Some(b"END") => Ok(libc::SEEK_END),
        Some(b"DATA") => Ok(libc::SEEK_DATA),
        Some(b"HOLE") => Ok(libc::SEEK_HOLE),
        _ => ctx.to_c_int(value),
    }
}

fn seek(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let offset = ctx.to_int(args.at(0))?;
    let whence = whence(ctx, args.get(1))?;
    let io = state::open_state(ctx, recv)?;
    seek_to(ctx, &io, offset, whence, "rb_io_seek")?;
    Ok(Value::fixnum(0))
}

fn sysseek(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let offset = ctx.to_int(args.at(0))?;
    let whence = whence(ctx, args.get(1))?;
    let io = state::open_state(ctx, recv)?;
    if io.has(mode::READ) && io.has_buffered() {
        return Err(io_error(ctx, "sysseek for buffered IO"));
    }
    if io.has(mode::WRITE) && !io.wbuf.borrow().is_empty() {
        ctx.warn("sysseek for buffered IO")?;
    }
    let at = sys_seek(ctx, &io, offset, whence, "rb_io_sysseek")?;
    Ok(ctx.int(at))
}

fn rewind(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    seek_to(ctx, &io, 0, libc::SEEK_SET, "rb_io_rewind")?;
    io.lineno.set(0);
    Ok(Value::fixnum(0))
}

// -- flags ----------------------------------------------------------------------------------------

fn binmode(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    make_binary(ctx, &io)?;
    Ok(recv)
}

/// From now on the IO's text is bytes.
pub fn make_binary(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<()> {
    io.set(mode::BINARY | mode::BINMODE_CALLED, true);
    io.external.set(Some(Encoding::BINARY));
    io.internal.set(None);
    io.newline.set(state::Newline::None);
    refresh_decoder(ctx, io)
}

fn binmode_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    Ok(Value::from_bool(io.has(mode::BINMODE_CALLED)))
}

fn autoclose_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_or_frozen(ctx, recv)?;
    Ok(Value::from_bool(!io.has(mode::KEEP_OPEN)))
}

fn set_autoclose(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    io.set(mode::KEEP_OPEN, !args.at(0).truthy());
    Ok(args.at(0))
}

fn close_on_exec_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    // SAFETY: a plain query.
    let flags = unsafe { libc::fcntl(io.out_fd(), libc::F_GETFD) };
    Ok(Value::from_bool(flags >= 0 && flags & libc::FD_CLOEXEC != 0))
}

fn set_close_on_exec(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    for fd in [io.fd.get(), io.write_fd.get()] {
        if fd >= 0 {
            // SAFETY: plain calls.
            unsafe { libc::fcntl(fd, libc::F_SETFD, if args.at(0).truthy() { libc::FD_CLOEXEC } else { 0 }) };
        }
    }
    Ok(args.at(0))
}

/// Turns O_NONBLOCK of the descriptors on or off.
pub fn set_nonblock(io: &IoState, on: bool) {
    for fd in [io.fd.get(), io.write_fd.get()] {
        if fd >= 0 {
            // SAFETY: plain calls.
            unsafe {
                let flags = libc::fcntl(fd, libc::F_GETFL);
                let wanted = if on { flags | libc::O_NONBLOCK } else { flags & !libc::O_NONBLOCK };
                if flags >= 0 && wanted != flags {
                    libc::fcntl(fd, libc::F_SETFL, wanted);
                }
            }
        }
    }
    if !io.has(mode::REGULAR) {
        io.set(mode::NONBLOCK, on);
    }
}

fn nonblock_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_or_frozen(ctx, recv)?;
    // SAFETY: a plain query.
    let flags = unsafe { libc::fcntl(io.fd.get(), libc::F_GETFL) };
    Ok(Value::from_bool(flags >= 0 && flags & libc::O_NONBLOCK != 0))
}

fn set_nonblock_method(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = state::open_or_frozen(ctx, recv)?;
    set_nonblock(&io, args.at(0).truthy());
    Ok(args.at(0))
}

/// "read would block" as one of the classes that say what to wait for.
#[cold]
pub fn would_block(ctx: &mut Ctx, class: &'static str, detail: &str) -> Unwind {
    let class = ctx.error_class(class);
    let text = Str::utf8(ctx, detail).value();
    let new = ctx.names().new;
    match ctx.call(class.value(), new, &[text]) {
        Ok(exception) => ctx.raise(exception),
        Err(unwind) => unwind,
    }
}

/// The argument of fcntl and ioctl: an Integer, a buffer that is updated, or truth.
/// A call whose argument is a number or a buffer, which gets at least `least` bytes.
fn control(ctx: &mut Ctx, io: &IoState, args: Args, least: usize, call: impl Fn(usize) -> i32) -> Result {
    let argument = args.at(1);
    let result = match argument {
        Value::NIL | Value::FALSE => call(0),
        Value::TRUE => call(1),
        _ => match ctx.check_str(argument)? {
            Some(string) => {
                let mut bytes = string.bytes(ctx).to_vec();
                let len = bytes.len().max(least);
                bytes.resize(len.max(256), 0);
                let result = call(bytes.as_mut_ptr() as usize);
                bytes.truncate(len);
                if string.bytes(ctx) != bytes.as_slice() {
                    ctx.check_frozen(argument)?;
                    string.set_bytes(ctx, &bytes);
                }
                result
            }
            None => call(ctx.to_int(argument)? as usize),
        },
    };
    if result < 0 {
        let e = errno::last();
        return Err(device::fail(ctx, io, e, "finish_narg"));
    }
    Ok(Value::fixnum(result as i64))
}

fn fcntl(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let command = ctx.to_c_int(args.at(0))?;
    let io = state::open_state(ctx, recv)?;
    let fd = io.fd.get();
    // SAFETY: the argument is a number or points to a buffer of at least 256 bytes that outlives the call.
    let result = control(ctx, &io, args, 0, |argument| unsafe { libc::fcntl(fd, command, argument) })?;
    io.examine();
    Ok(result)
}

fn ioctl(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let command = Int::try_of(ctx.to_integer(args.at(0))?);
    let fits = command.as_ref().is_some_and(|i| i.bit_length() <= 64);
    if !fits {
        return Err(ctx.range_error("bignum too big to convert into 'unsigned long'"));
    }
    let command = command.map_or(0, |i| i.low_u64());
    let io = state::open_state(ctx, recv)?;
    let fd = io.fd.get();
    // Newer requests carry the size of their argument in the upper half; older ones are given 256 bytes.
    let size = (command >> 16 & 0x3fff) as usize;
    let least = if size > 0 { size.min(256) } else { 256 };
    // SAFETY: as for fcntl.
    control(ctx, &io, args, least, |argument| unsafe { libc::ioctl(fd, command as libc::c_ulong, argument) })
}

fn advise(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(sym) = args.at(0).as_symbol() else {
        return Err(ctx.type_error("advice must be a Symbol"));
    };
    let (offset, len) = (args.non_nil(1), args.non_nil(2));
    let offset = match offset {
        Some(v) => ctx.to_int(v)?,
        None => 0,
    };
    let len = match len {
        Some(v) => ctx.to_int(v)?,
        None => 0,
    };
    let advice = match ctx.sym_bytes(sym) {
        b"normal" => libc::POSIX_FADV_NORMAL,
        b"sequential" => libc::POSIX_FADV_SEQUENTIAL,
        b"random" => libc::POSIX_FADV_RANDOM,
        b"willneed" => libc::POSIX_FADV_WILLNEED,
        b"dontneed" => libc::POSIX_FADV_DONTNEED,
        b"noreuse" => libc::POSIX_FADV_NOREUSE,
        _ => {
            let text = ctx.inspect(args.at(0))?;
            return Err(ctx.not_implemented(&format!("Unsupported advice: {text}")));
        }
    };
    let io = state::open_state(ctx, recv)?;
    // SAFETY: a plain call.
    let refused = unsafe { libc::posix_fadvise(io.fd.get(), offset, len, advice) };
    if refused != 0 {
        let name = String::from_utf8_lossy(ctx.sym_bytes(sym)).into_owned();
        let detail = [device::path_bytes(ctx, &io), format!(" ({offset}, {len}, {name})").into_bytes()].concat();
        return Err(errno::fail_named(ctx, refused, &detail));
    }
    Ok(Value::NIL)
}

// -- encodings ------------------------------------------------------------------------------------

fn external_encoding(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::thawed(ctx, recv)?;
    let encoding = match io.external.get() {
        Some(encoding) => Some(encoding),
        None if io.has(mode::WRITE) => None,
        None => Some(super::mode::default_external(ctx)?),
    };
    Ok(encoding_object(ctx, encoding))
}

fn internal_encoding(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::thawed(ctx, recv)?;
    let internal = io.internal.get();
    Ok(encoding_object(ctx, internal))
}

fn set_encoding(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    state::open_state(ctx, recv)?;
    let positional = args.positional();
    let mut given = OpenMode::default();
    match (positional.get(0), positional.get(1)) {
        (Some(ext), Some(int)) => {
            if !ext.is_nil() {
                given.external = named_or_object(ctx, ext)?;
            }
            if !int.is_nil() {
                given.internal_given = true;
                let dash = Str::try_of(int).is_some_and(|s| s.bytes(ctx) == b"-");
                given.internal = if dash { None } else { named_or_object(ctx, int)? };
            }
        }
        (Some(Value::NIL), None) => {}
        (Some(both), None) => match ctx.check_str(both)? {
            Some(text) if !text.encoding().is_ascii_compatible() => {
                given.external = Some(encoding_of(ctx, text.value())?);
            }
            Some(text) => {
                let bytes = text.bytes(ctx).to_vec();
                parse_encodings(ctx, &bytes, &mut given)?;
            }
            None => parse_encoding_value(ctx, both, &mut given)?,
        },
        _ => {}
    }
    let io = state::open_state(ctx, recv)?;
    if positional.get(1).is_some_and(|int| !int.is_nil()) && positional.at(0).is_nil() {
        return Err(ctx.conversion_error(Value::NIL, "String"));
    }
    let two = positional.get(1).is_some_and(|int| !int.is_nil()) && given.external != Some(Encoding::BINARY);
    let (external, internal) = if two {
        (given.external, given.internal.filter(|int| Some(*int) != given.external))
    } else {
        given.encodings(ctx)?
    };
    let implied = match external {
        Some(encoding) => encoding,
        None => default_external(ctx)?,
    };
    let wide = !implied.is_ascii_compatible() && internal.is_none();
    if wide && io.has(mode::READ) && !io.has(mode::BINMODE_CALLED) {
        return Err(needs_binmode(ctx));
    }
    if let Some(hash) = args.keywords() {
        let newline = newline_of(ctx, hash, io.newline.get())?;
        if newline != io.newline.get() && io.has(mode::BINARY) {
            return Err(ctx.argument_error("newline decorator with binary mode"));
        }
        io.convert_options.set(hash.value());
        ctx.write_barrier(recv, hash.value());
        io.newline.set(newline);
    }
    io.external.set(external);
    io.internal.set(internal);
    *io.writer.borrow_mut() = None;
    refresh_decoder(ctx, &io)?;
    Ok(recv)
}

/// An unknown name is a warning and no encoding, but for names that cannot be read.
fn named_or_object(ctx: &mut Ctx, value: Value) -> Result<Option<Encoding>> {
    match ctx.check_str(value)? {
        Some(text) if text.encoding().is_ascii_compatible() => {
            let text = text.bytes(ctx).to_vec();
            if text.contains(&0) {
                return Err(ctx.argument_error("invalid encoding name (NUL byte)"));
            }
            named_encoding(ctx, &text)
        }
        _ => encoding_of(ctx, value).map(Some),
    }
}

fn newline_of(ctx: &mut Ctx, hash: Hash, old: state::Newline) -> Result<state::Newline> {
    let parsed = parse(ctx, Value::NIL, Value::NIL, Some(hash));
    Ok(match parsed {
        Ok(mode) if mode.newline != state::Newline::None => mode.newline,
        Ok(_) => old,
        Err(unwind) => return Err(unwind),
    })
}

/// Skips a byte order mark at the present position and takes the encoding that it names.
pub fn skip_bom(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<Option<Encoding>> {
    while io.rbuf.borrow().len() < 4 && device::fill(ctx, io)? {}
    let found = {
        let rbuf = io.rbuf.borrow();
        match rbuf.bytes() {
            [0xEF, 0xBB, 0xBF, ..] => Some((3, Encoding::UTF_8)),
            [0xFF, 0xFE, 0, 0, ..] => Some((4, Encoding::UTF_32LE)),
            [0xFF, 0xFE, ..] => Some((2, Encoding::UTF_16LE)),
            [0xFE, 0xFF, ..] => Some((2, Encoding::UTF_16BE)),
            [0, 0, 0xFE, 0xFF, ..] => Some((4, Encoding::UTF_32BE)),
            _ => None,
        }
    };
    if let Some((len, encoding)) = found {
        io.rbuf.borrow_mut().consume(len);
        io.external.set(Some(encoding));
        refresh_decoder(ctx, io)?;
    }
    Ok(found.map(|(_, encoding)| encoding))
}

fn set_encoding_by_bom(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    if !io.has(mode::BINARY) {
        return Err(needs_binmode(ctx));
    }
    if io.internal.get().is_some() {
        return Err(ctx.argument_error("encoding conversion is set"));
    }
    if let Some(set) = io.external.get().filter(|e| *e != Encoding::BINARY) {
        return Err(ctx.argument_error(&format!("encoding is set to {} already", set.name())));
    }
    if !io.has(mode::READ) {
        return Ok(Value::NIL);
    }
    let found = skip_bom(ctx, &io)?;
    Ok(encoding_object(ctx, found))
}

// -- waiting --------------------------------------------------------------------------------------

fn timeout(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(state::state(ctx, recv)?.timeout.get())
}

fn set_timeout(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = state::state(ctx, recv)?;
    if !args.at(0).is_nil() {
        rubellite_core_thread::interval::duration_of(ctx, args.at(0))?;
    }
    io.timeout.set(args.at(0));
    ctx.write_barrier(recv, args.at(0));
    Ok(args.at(0))
}

fn deadline_arg(ctx: &mut Ctx, value: Value) -> Result<Option<Instant>> {
    if value.is_nil() {
        return Ok(None);
    }
    let duration = rubellite_core_thread::interval::duration_of(ctx, value)?;
    Ok(Instant::now().checked_add(duration))
}

fn wait_events(ctx: &mut Ctx, recv: Value, events: i16, deadline: Option<Instant>) -> Result<i16> {
    let io = state::open_state(ctx, recv)?;
    if events & libc::POLLIN != 0 && io.has_buffered() {
        return Ok(libc::POLLIN);
    }
    let fd = if events & libc::POLLIN == 0 { io.out_fd() } else { io.fd.get() };
    match device::wait(ctx, &io, fd, events, deadline)? {
        device::Waited::Ready(revents) => Ok(if revents & events != 0 { revents & events } else { events }),
        device::Waited::TimedOut => Ok(0),
    }
}

fn wait_readable(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = state::readable(ctx, recv)?;
    let deadline = deadline_arg(ctx, args.at(0))?;
    if io.has_buffered() {
        return Ok(Value::TRUE);
    }
    let ready = wait_events(ctx, recv, libc::POLLIN, deadline)?;
    Ok(if ready != 0 { recv } else { Value::NIL })
}

fn wait_writable(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    state::writable(ctx, recv)?;
    let deadline = deadline_arg(ctx, args.at(0))?;
    let ready = wait_events(ctx, recv, libc::POLLOUT, deadline)?;
    Ok(if ready != 0 { recv } else { Value::NIL })
}

fn wait_priority(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let deadline = deadline_arg(ctx, args.at(0))?;
    let ready = wait_events(ctx, recv, libc::POLLPRI, deadline)?;
    Ok(if ready != 0 { recv } else { Value::NIL })
}

/// `wait(events, timeout)` gives the ready events; `wait(timeout = nil, mode = :read)` the IO.
fn wait(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if args.len() == 2 && args.at(0).is_fixnum() && (args.at(1).is_nil() || !args.at(1).is_symbol()) {
        let events = args.at(0).as_fixnum_unchecked();
        if events <= 0 {
            return Err(ctx.argument_error("Events must be positive integer!"));
        }
        let mut bits = 0;
        for (flag, poll) in [(1, libc::POLLIN), (2, libc::POLLPRI), (4, libc::POLLOUT)] {
            if events & flag != 0 {
                bits |= poll;
            }
        }
        let deadline = deadline_arg(ctx, args.at(1))?;
        let ready = wait_events(ctx, recv, bits, deadline)?;
        let mut out = 0;
        for (flag, poll) in [(1, libc::POLLIN), (2, libc::POLLPRI), (4, libc::POLLOUT)] {
            if ready & poll != 0 {
                out |= flag;
            }
        }
        return Ok(if out == 0 { Value::NIL } else { Value::fixnum(out) });
    }
    let (mut events, mut limit) = (0, Value::NIL);
    for i in 0..args.len() {
        match args.at(i).as_symbol() {
            Some(sym) => {
                events |= match ctx.sym_bytes(sym) {
                    b"r" | b"read" | b"readable" => libc::POLLIN,
                    b"w" | b"write" | b"writable" => libc::POLLOUT,
                    b"rw" | b"read_write" | b"readable_writable" => libc::POLLIN | libc::POLLOUT,
                    _ => {
                        let text = ctx.sym_str(sym);
                        return Err(ctx.argument_error(&format!("unsupported mode: {text}")));
                    }
                }
            }
            None if limit.is_nil() => limit = args.at(i),
            None => return Err(ctx.argument_error("timeout given more than once")),
        }
    }
    let deadline = deadline_arg(ctx, limit)?;
    if events & libc::POLLIN != 0 || events == 0 {
        let io = state::open_state(ctx, recv)?;
        if io.has_buffered() {
            return Ok(Value::TRUE);
        }
    }
    let ready = wait_events(ctx, recv, if events == 0 { libc::POLLIN } else { events }, deadline)?;
    Ok(if ready != 0 { recv } else { Value::NIL })
}

fn ready_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let ready = wait_events(ctx, recv, libc::POLLIN, Some(Instant::now()))?;
    Ok(if ready != 0 { recv } else { Value::NIL })
}

fn nread(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::readable(ctx, recv)?;
    let buffered = io.rbuf.borrow().len();
    if buffered > 0 {
        return Ok(Value::fixnum(buffered as i64));
    }
    let mut count: libc::c_int = 0;
    // SAFETY: FIONREAD writes an int.
    unsafe { libc::ioctl(io.fd.get(), libc::FIONREAD, &mut count) };
    Ok(Value::fixnum(count as i64))
}
