//! IO: methods that write. `puts` and `print` of other objects that stand in for an IO call `write` on them.

use super::decode::encode_for;
use super::device;
use super::state::{self, IoState, IoTable, mode};
use crate::globals;
use rubellite_core_object::errno;
use rubellite_core_thread::scheduler;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::outside::once;
use rubellite_vm::vmlock::Kind;
use rubellite_vm::{Args, Arity, Ctx, Ends, Leave, MethodDef, Result, Value, method};
use std::borrow::Cow;
use std::rc::Rc;

pub const METHODS: &[MethodDef] = &[
    method("write", Arity::ANY, io_write),
    method("<<", Arity::exact(1), op_shl),
    method("print", Arity::ANY, io_print),
    method("puts", Arity::ANY, io_puts),
    method("putc", Arity::exact(1), io_putc),
    method("printf", Arity::ANY, io_printf),
    method("flush", Arity::NONE, io_flush),
    method("fsync", Arity::NONE, io_fsync),
    method("fdatasync", Arity::NONE, io_fdatasync),
    method("syswrite", Arity::exact(1), syswrite),
    method("write_nonblock", Arity::exact(1).with_keywords(), write_nonblock),
    method("pwrite", Arity::exact(2), pwrite),
    method("sync", Arity::NONE, sync),
    method("sync=", Arity::exact(1), set_sync),
];

/// Writes one object's `to_s`; returns the number of bytes before conversion.
pub fn write_value(ctx: &mut Ctx, io: &Rc<IoState>, value: Value) -> Result<usize> {
    let string = ctx.to_s(value)?;
    if io.external.get().is_none() && io.newline.get() == state::Newline::None && io.convert_options.get().is_nil() {
        return write_plain(ctx, io, string);
    }
    let converted = match encode_for(ctx, io, string)? {
        Cow::Borrowed(_) => None,
        Cow::Owned(bytes) => Some(bytes),
    };
    let Some(bytes) = converted else { return write_plain(ctx, io, string) };
    device::write(ctx, io, &bytes)?;
    Ok(bytes.len())
}

fn write_plain(ctx: &mut Ctx, io: &Rc<IoState>, string: Str) -> Result<usize> {
    let len = string.len();
    let small = len < device::WRITE_BUFFER && !io.has(mode::SYNC | mode::TTY);
    if small && io.wbuf.borrow().len() + len < device::WRITE_BUFFER {
        io.wbuf.borrow_mut().extend_from_slice(string.bytes(ctx));
        return Ok(len);
    }
    let quick =
        io.has(mode::SYNC) && scheduler::current(ctx).is_none() && io.wbuf.borrow().is_empty() && io.flusher.get() == 0;
    let done = if quick { device::write_at_once(io, string.bytes(ctx)) } else { 0 };
    if done < len {
        let text = string.share(ctx);
        device::write(ctx, io, &text[done..])?;
    }
    Ok(len)
}

/// `write(*objects) -> bytes written`
fn io_write(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let [only] = args.slice() {
        let n = write_one(ctx, recv, *only)?;
        return Ok(Value::fixnum(n as i64));
    }
    let io = state::writable(ctx, recv)?;
    if io.has(mode::SYNC) {
        return Ok(Value::fixnum(write_together(ctx, &io, args)? as i64));
    }
    let mut total = 0;
    for i in 0..args.len() {
        total += write_value(ctx, &io, args.at(i))?;
    }
    Ok(Value::fixnum(total as i64))
}

/// Writes several objects where nothing is buffered: short ones go to the system together.
fn write_together(ctx: &mut Ctx, io: &Rc<IoState>, args: Args) -> Result<usize> {
    let (mut total, mut together) = (0, Vec::new());
    for i in 0..args.len() {
        let string = ctx.to_s(args.at(i))?;
        if string.len() < device::WRITE_BUFFER {
            let bytes = encode_for(ctx, io, string)?;
            total += bytes.len();
            together.extend_from_slice(&bytes);
        }
        let long = string.len() >= device::WRITE_BUFFER;
        if !together.is_empty() && (long || together.len() >= device::WRITE_BUFFER || i + 1 == args.len()) {
            device::write(ctx, io, &together)?;
            together.clear();
        }
        if long {
            total += write_value(ctx, io, string.value())?;
        }
    }
    Ok(total)
}

/// `write` of one object: nothing is written to a stream of any mode.
fn write_one(ctx: &mut Ctx, recv: Value, value: Value) -> Result<usize> {
    // The text is made before the stream is looked at: `to_s` may close it.
    let string = ctx.to_s(value)?;
    state::state(ctx, recv)?;
    if string.is_empty() {
        return Ok(0);
    }
    let io = state::writable(ctx, recv)?;
    write_value(ctx, &io, string.value())
}

/// Writes to any object: an IO whose `write` is the built-in one directly, others by calling it.
pub fn write_to(ctx: &mut Ctx, out: Value, value: Value) -> Result<()> {
    let write = ctx.names().write;
    match state::try_state(ctx, out) {
        Some(_) if ctx.is_builtin(out, write) => {
            write_one(ctx, out, value)?;
        }
        _ => {
            ctx.call(out, write, &[value])?;
        }
    }
    Ok(())
}

/// What the VM itself has to say, to `$stderr`. While that is STDERR, or STDERR is closed, it goes straight to the
/// descriptor: no method of STDERR is called, and what the system refuses is lost.
pub fn complain(ctx: &mut Ctx, message: Str) -> Result<()> {
    let err = globals::get_raw(ctx, "$stderr");
    let original =
        ctx.extension::<IoTable>().stderr.get().and_then(|original| Some((original, state::try_state(ctx, original)?)));
    let closed = original.as_ref().map_or(err.is_nil(), |(_, io)| io.closed());
    let io = match original {
        _ if closed => Rc::new(IoState::new(2, mode::WRITE | mode::SYNC | mode::KEEP_OPEN)),
        Some((original, io)) if original == err => io,
        _ => return write_to(ctx, err, message.value()),
    };
    let text = message.share(ctx);
    let refused = ctx.error_class("SystemCallError").value();
    ctx.rescue(refused, |ctx| device::write(ctx, &io, &text), |_, _| Ok(()))?;
    ctx.rescue(refused, |ctx| device::flush(ctx, &io), |_, _| Ok(()))
}

/// `io << object -> io`
fn op_shl(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    write_to(ctx, recv, args.at(0))?;
    Ok(recv)
}

/// `print(*objects)`: `$_` without arguments; `$,` between, `$\` behind.
pub fn io_print(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (ofs, ors) = (globals::output_field_separator(ctx), globals::output_record_separator(ctx));
    if args.is_empty() {
        let line = ctx.last_line();
        write_to(ctx, recv, line)?;
    }
    for i in 0..args.len() {
        if i > 0 && !ofs.is_nil() {
            write_to(ctx, recv, ofs)?;
        }
        write_to(ctx, recv, args.at(i))?;
    }
    if !ors.is_nil() {
        write_to(ctx, recv, ors)?;
    }
    Ok(Value::NIL)
}

/// `puts(*objects)`
pub fn io_puts(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    // For `handle_interrupt` it is a wait, also when all goes into the buffer; `p` is none.
    ctx.before_wait()?;
    if args.is_empty() {
        let newline = Str::ascii(ctx, "\n").value();
        write_to(ctx, recv, newline)?;
        return Ok(Value::NIL);
    }
    for i in 0..args.len() {
        puts_one(ctx, recv, args.at(i))?;
    }
    Ok(Value::NIL)
}

fn puts_one(ctx: &mut Ctx, out: Value, value: Value) -> Result<()> {
    if let Some(string) = Str::try_of(value) {
        return puts_line(ctx, out, string);
    }
    if let Some(list) = ctx.check_array(value)? {
        return puts_array(ctx, out, value, list);
    }
    let string = ctx.to_s(value)?;
    puts_line(ctx, out, string)
}

/// The items of what `to_ary` of `value` gave, which may be a new Array each time.
fn puts_array(ctx: &mut Ctx, out: Value, value: Value, list: Array) -> Result<()> {
    let operation = ctx.intern("puts");
    ctx.guard_recursion(
        operation,
        value,
        Value::NIL,
        |ctx| {
            let text = Str::ascii(ctx, "[...]");
            puts_line(ctx, out, text)
        },
        |ctx| {
            let mut i = 0;
            while let Some(item) = list.get(i) {
                puts_one(ctx, out, item)?;
                i += 1;
            }
            Ok(())
        },
    )
}

/// Calls `write` with two strings, or twice where the method takes but one.
fn write_both(ctx: &mut Ctx, out: Value, line: Value, newline: Value) -> Result<()> {
    let write = ctx.names().write;
    let takes_one = {
        let name = Value::symbol(write);
        let method = ctx.call_name(out, "method", &[name])?;
        ctx.call_name(method, "arity", &[])? == Value::fixnum(1)
    };
    if !takes_one {
        ctx.call(out, write, &[line, newline])?;
        return Ok(());
    }
    let class = ctx.real_class(out).inspect(ctx);
    ctx.warn_verbose(&format!("{class}#write is outdated interface which accepts just one argument"))?;
    ctx.call(out, write, &[line])?;
    ctx.call(out, write, &[newline])?;
    Ok(())
}

/// One line with its newline, in one write.
fn puts_line(ctx: &mut Ctx, out: Value, line: Str) -> Result<()> {
    let ended = match line.encoding().is_ascii_compatible() {
        true => line.bytes(ctx).last() == Some(&b'\n'),
        false => {
            let mut end = Vec::new();
            line.encoding().encode_code_point(0x0A, &mut end).is_ok() && line.bytes(ctx).ends_with(&end)
        }
    };
    let write = ctx.names().write;
    let builtin = state::try_state(ctx, out).is_some() && ctx.is_builtin(out, write);
    if !builtin {
        if ended {
            ctx.call(out, write, &[line.value()])?;
        } else {
            let newline = Str::ascii(ctx, "\n").value();
            write_both(ctx, out, line.value(), newline)?;
        }
        return Ok(());
    }
    let io = state::writable(ctx, out)?;
    let wide = !line.encoding().is_ascii_compatible();
    if ended || wide {
        write_value(ctx, &io, line.value())?;
        if wide && !ended {
            let newline = Str::ascii(ctx, "\n").value();
            write_value(ctx, &io, newline)?;
        }
        return Ok(());
    }
    let mut bytes = encode_for(ctx, &io, line)?.into_owned();
    match io.newline.get() {
        // In the encoding of the file.
        _ if io.external.get().is_some_and(|to| !to.is_ascii_compatible()) => {
            let newline = Str::ascii(ctx, "\n");
            bytes.extend_from_slice(&encode_for(ctx, &io, newline)?);
        }
        state::Newline::Crlf => bytes.extend_from_slice(b"\r\n"),
        state::Newline::Cr => bytes.push(b'\r'),
        _ => bytes.push(b'\n'),
    }
    device::write(ctx, &io, &bytes)
}

/// `putc(object) -> object`
pub fn io_putc(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let given = args.at(0);
    let text = if let Some(string) = Str::try_of(given) {
        match string.char_span(ctx, 0, 1) {
            Some(span) => string.substring(ctx, span),
            None => string,
        }
    } else {
        let code = ctx.to_int(given)?;
        Str::binary(ctx, &[code as u8])
    };
    write_to(ctx, recv, text.value())?;
    Ok(given)
}

/// `printf(format, *objects)`
pub fn io_printf(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let kernel = ctx.classes().kernel.get();
    let name = ctx.intern("format");
    let text = ctx.call_args(kernel, name, args.with_block(Value::NIL))?;
    write_to(ctx, recv, text)?;
    Ok(Value::NIL)
}

fn io_flush(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    if io.has(mode::WRITE) {
        device::flush(ctx, &io)?;
    }
    Ok(recv)
}

fn io_fsync(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    sync_to_disk(ctx, recv, |fd| {
        // SAFETY: a plain call.
        unsafe { libc::fsync(fd) }
    })
}

fn io_fdatasync(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    sync_to_disk(ctx, recv, |fd| {
        // SAFETY: a plain call.
        unsafe { libc::fdatasync(fd) }
    })
}

fn sync_to_disk(ctx: &mut Ctx, recv: Value, call: impl Fn(i32) -> i32 + Send + Copy) -> Result {
    let io = state::open_state(ctx, recv)?;
    device::flush(ctx, &io)?;
    let fd = io.out_fd();
    let work = once(move || if call(fd) < 0 { errno::last() } else { 0 });
    match ctx.outside(Leave::new(Kind::Long, Ends::Never), work)? {
        0 => Ok(Value::fixnum(0)),
        e => Err(device::fail(ctx, &io, e, "rb_io_fsync")),
    }
}

/// `syswrite(string) -> bytes`: one write(2) past the buffer.
fn syswrite(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let bytes = ctx.to_s(args.at(0))?.bytes(ctx).to_vec();
    let io = state::writable(ctx, recv)?;
    if !io.wbuf.borrow().is_empty() {
        ctx.warn("syswrite for buffered IO")?;
    }
    let mut bytes = bytes;
    match device::write_some(ctx, &io, &mut bytes, 0)? {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(e) => Err(device::fail(ctx, &io, e, "rb_io_syswrite")),
    }
}

/// `write_nonblock(string, exception: true)`
fn write_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let bytes = ctx.to_s(args.at(0))?.bytes(ctx).to_vec();
    let io = state::writable(ctx, recv)?;
    let exception = super::read::exception_keyword(ctx, args)?;
    device::flush(ctx, &io)?;
    super::methods::set_nonblock(&io, true);
    match device::write_fd(io.out_fd(), &bytes) {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(libc::EAGAIN) => {
            if !exception {
                return Ok(Value::symbol(ctx.intern("wait_writable")));
            }
            Err(super::methods::would_block(ctx, "IO::EAGAINWaitWritable", "write would block"))
        }
        Err(e) => Err(device::fail(ctx, &io, e, "io_write_nonblock")),
    }
}

/// `pwrite(object, offset)`
fn pwrite(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let bytes = ctx.to_s(args.at(0))?.bytes(ctx).to_vec();
    let offset = ctx.to_int(args.at(1))?;
    let io = state::writable(ctx, recv)?;
    let done = match device::write_by_scheduler(ctx, &io, &bytes, Some(offset))? {
        Some(done) => done,
        None => {
            // SAFETY: the vector is valid for its length.
            let n = unsafe { libc::pwrite(io.out_fd(), bytes.as_ptr().cast(), bytes.len(), offset) };
            usize::try_from(n).map_err(|_| errno::last())
        }
    };
    match done {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(e) => Err(device::fail(ctx, &io, e, "rb_io_pwrite")),
    }
}

fn sync(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    Ok(Value::from_bool(io.has(mode::SYNC)))
}

fn set_sync(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = state::open_state(ctx, recv)?;
    io.set(mode::SYNC, args.at(0).truthy());
    Ok(args.at(0))
}

/// The current `$stdout`.
pub fn stdout(ctx: &Ctx) -> Value {
    let name = ctx.intern("$stdout");
    ctx.raw_global(name).or(ctx.extension::<IoTable>().stdout.get()).unwrap_or(Value::NIL)
}

/// `puts` of one object on any stream.
pub fn io_puts_value(ctx: &mut Ctx, out: Value, value: Value) -> Result<()> {
    puts_one(ctx, out, value)
}
