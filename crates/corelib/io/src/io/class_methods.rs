//! IO: methods of the class that open, work and close again (`IO.read`, `IO.write` ...), pipes.

use super::lines::{all_lines, line_args};
use super::methods::sys_seek;
use super::mode::parse;
use super::read::{chomp_keyword, read_encoding};
use super::state::{self, IoState, mode};
use super::{device, open, write};
use crate::descriptors;
use crate::file::path::get_path;
use rubellite_core_object::errno;
use rubellite_vm::object::{Array, Hash, Str};
use rubellite_vm::{Args, Arity, Ctx, Encoding, MethodDef, Result, Value, method};
use std::os::fd::{AsRawFd, IntoRawFd, OwnedFd};

pub const SINGLETON: &[MethodDef] = &[
    method("read", Arity::range(1, 3).with_keywords(), class_read),
    method("binread", Arity::range(1, 3), class_binread),
    method("readlines", Arity::range(1, 3).with_keywords(), class_readlines),
    method("write", Arity::range(2, 3).with_keywords(), class_write),
    method("binwrite", Arity::range(2, 3).with_keywords(), class_binwrite),
    method("pipe", Arity::range(0, 2).with_keywords(), pipe),
    method("copy_stream", Arity::range(2, 4), super::copy::copy_stream),
    method("try_convert", Arity::exact(1), try_convert),
];

/// Opens the file of a class method for reading.
fn open_for(ctx: &mut Ctx, path: Value, keywords: Option<Hash>, default_flags: i32) -> Result {
    let path = get_path(ctx, path)?;
    let file = ctx.classes().file.get();
    let open_args = ctx.intern("open_args");
    if let Some(list) = keywords.and_then(|hash| hash.get_sym(ctx, open_args)).filter(|v| !v.is_nil()) {
        // They stand for all other options.
        let list = ctx.to_ary(list)?;
        let arguments = Array::from_slice(ctx, &[path.value()]);
        let mut i = 0;
        let mut has_keywords = false;
        while let Some(argument) = list.get(i) {
            i += 1;
            has_keywords = i == list.len() && Hash::try_of(argument).is_some();
            arguments.push(ctx, argument);
        }
        let new = ctx.names().new;
        let slice = arguments.slice(ctx).to_vec(); // tidy: `arguments` keeps them alive
        let opened = ctx.call_full(file, new, &slice, has_keywords, Value::NIL, rubellite_vm::CallKind::Any);
        let _kept = arguments;
        return opened;
    }
    let mut mode = parse(ctx, Value::NIL, Value::NIL, keywords)?;
    let given = keywords.is_some_and(|hash| {
        let sym = ctx.intern("mode");
        hash.get_sym(ctx, sym).is_some_and(|v| !v.is_nil())
    });
    if !given {
        mode.flags |= default_flags;
    }
    open::open_file(ctx, file, path, &mode)
}

/// Runs `body` with an open IO and closes it.
fn closing<T>(ctx: &mut Ctx, io: Value, body: impl FnOnce(&mut Ctx) -> Result<T>) -> Result<T> {
    ctx.ensure(body, |ctx| {
        let io = state::state(ctx, io)?;
        device::close(ctx, &io)
    })
}

/// `IO.read(path, length = nil, offset = 0, **options)`
fn class_read(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let positional = args.positional();
    read_file(ctx, positional, args.keywords(), false)
}

fn class_binread(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    read_file(ctx, args, None, true)
}

fn read_file(ctx: &mut Ctx, args: Args, keywords: Option<Hash>, binary: bool) -> Result {
    let length = match args.non_nil(1) {
        Some(v) => Some(ctx.to_int(v)?),
        None => None,
    };
    let offset = match args.non_nil(2) {
        Some(v) => Some(ctx.to_int(v)?),
        None => None,
    };
    if let Some(negative) = offset.filter(|o| *o < 0 && !binary) {
        return Err(ctx.argument_error(&format!("negative offset {negative} given")));
    }
    if let Some(negative) = length.filter(|n| *n < 0) {
        return Err(ctx.argument_error(&format!("negative length {negative} given")));
    }
    let io = open_for(ctx, args.at(0), keywords, 0)?;
    closing(ctx, io, |ctx| {
        let io = state::readable(ctx, io)?;
        if binary {
            io.set(mode::BINARY, true);
            io.external.set(Some(Encoding::BINARY));
            io.internal.set(None);
            *io.decoder.borrow_mut() = None;
        }
        if let Some(offset) = offset {
            sys_seek(ctx, &io, offset, libc::SEEK_SET, "rb_io_seek")?;
        }
        match length {
            None => {
                let encoding = read_encoding(ctx, &io)?;
                let bytes = device::read_all(ctx, &io)?;
                Ok(Str::from_vec(ctx, bytes, encoding).value())
            }
            Some(length) => {
                super::read::check_size(ctx, length as usize)?;
                let bytes = super::read::read_exact(ctx, &io, length as usize)?;
                if bytes.is_empty() && length > 0 {
                    return Ok(Value::NIL);
                }
                Ok(Str::from_vec(ctx, bytes, Encoding::BINARY).value())
            }
        }
    })
}

/// `IO.readlines(path, sep = $/, limit = nil, chomp: false, **options)`
fn class_readlines(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let chomp = chomp_keyword(ctx, args.keywords());
    let how = line_args(ctx, args.positional().from(1), chomp)?;
    if how.limit == Some(0) {
        return Err(ctx.argument_error("invalid limit: 0 for readlines"));
    }
    let io = open_for(ctx, args.at(0), args.keywords(), 0)?;
    closing(ctx, io, |ctx| {
        let io = state::readable(ctx, io)?;
        all_lines(ctx, &io, &how)
    })
}

/// `IO.write(path, object, offset = nil, **options) -> bytes`
fn class_write(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    write_file(ctx, args, false)
}

fn class_binwrite(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    write_file(ctx, args, true)
}

fn write_file(ctx: &mut Ctx, args: Args, binary: bool) -> Result {
    let keywords = args.keywords();
    let args = args.positional();
    let offset = match args.non_nil(2) {
        Some(v) => Some(ctx.to_int(v)?),
        None => None,
    };
    let flags = libc::O_WRONLY | libc::O_CREAT | if offset.is_none() { libc::O_TRUNC } else { 0 };
    let io = open_for(ctx, args.at(0), keywords, flags)?;
    closing(ctx, io, |ctx| {
        let io = state::writable(ctx, io)?;
        if binary {
            io.external.set(Some(Encoding::BINARY));
        }
        if let Some(offset) = offset {
            sys_seek(ctx, &io, offset, libc::SEEK_SET, "rb_io_seek")?;
        }
        let n = write::write_value(ctx, &io, args.at(1))?;
        Ok(Value::fixnum(n as i64))
    })
}

/// The object for one end of a pipe. Subclasses may have an `initialize` of their own.
fn pipe_end(ctx: &mut Ctx, klass: Value, fd: OwnedFd, access: i32) -> Result {
    let initialize = ctx.intern("initialize");
    let io = open::allocate(ctx, klass)?;
    if ctx.is_builtin(io, initialize) {
        let bits = if access == libc::O_RDONLY { mode::READ } else { mode::WRITE | mode::SYNC };
        let data = ctx.expect(io)?;
        state::attach_known(ctx, data, IoState::new(fd.into_raw_fd(), bits | mode::NONBLOCK));
        return Ok(io);
    }
    let arguments = [Value::fixnum(fd.as_raw_fd() as i64), Value::fixnum(access as i64)];
    let outcome = ctx.call_full(io, initialize, &arguments, false, Value::NIL, rubellite_vm::CallKind::Any);
    let attached = state::try_state(ctx, io);
    if attached.is_some() {
        let _objects = fd.into_raw_fd();
    }
    outcome?;
    if let Some(shared) = attached {
        shared.set(mode::SYNC, access == libc::O_WRONLY);
    }
    Ok(io)
}

/// `IO.pipe(external = nil, internal = nil, **options) -> [reader, writer]`
fn pipe(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let positional = args.positional();
    let (read_fd, write_fd) = descriptors::pipe(ctx, libc::O_NONBLOCK).map_err(|e| errno::fail(ctx, e, ""))?;
    let reader = pipe_end(ctx, recv, read_fd, libc::O_RDONLY)?;
    let writer = pipe_end(ctx, recv, write_fd, libc::O_WRONLY)?;
    let binary = args.keyword(ctx, "binmode").is_some_and(Value::truthy);
    if !positional.is_empty() {
        let name = ctx.intern("set_encoding");
        ctx.call_args(reader, name, args.with_block(Value::NIL))?;
    } else {
        let io = state::state(ctx, reader)?;
        let mut open_mode = parse(ctx, Value::NIL, Value::NIL, args.keywords())?;
        open_mode.flags = libc::O_RDONLY;
        open_mode.binary = false;
        open_mode.apply(ctx, &io)?;
    }
    for end in [reader, writer].into_iter().filter(|_| binary) {
        if positional.is_empty() {
            ctx.call_name(end, "binmode", &[])?;
        } else {
            state::state(ctx, end)?.set(mode::BINARY | mode::BINMODE_CALLED, true);
        }
    }
    let pair = Array::from_slice(ctx, &[reader, writer]).value();
    if !args.has_block() {
        return Ok(pair);
    }
    ctx.ensure(
        |ctx| ctx.yield_one(args.block, pair),
        |ctx| {
            for io in [reader, writer] {
                let io = state::state(ctx, io)?;
                device::close(ctx, &io)?;
            }
            Ok(())
        },
    )
}

fn try_convert(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(open::check_io(ctx, args.at(0))?.unwrap_or(Value::NIL))
}
