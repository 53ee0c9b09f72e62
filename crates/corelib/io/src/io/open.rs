//! Opening descriptors and making IO objects: `IO.new`, `File.new`, `open`, `IO.sysopen`.

use super::mode::{OpenMode, parse};
use super::state::{self, IoState, attach};
use crate::descriptors;
use crate::file::path::{PathBytes, get_path, path_bytes, to_cstring};
use rubellite_core_object::errno;
use rubellite_core_thread::is_killed;
use rubellite_vm::object::{Data, Str};
use rubellite_vm::outside::Stop;
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Args, Ctx, Ends, Leave, Result, Tag, Value};
use std::os::fd::{FromRawFd, IntoRawFd, OwnedFd};

static OPEN_SITE: RegionSite = RegionSite::new("open");

/// The allocator of IO and its subclasses.
pub fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new_empty(ctx, class).value())
}

/// open(2) that leaves the lock when opening may wait (a FIFO), with one collection when descriptors run out.
pub fn open_fd(ctx: &mut Ctx, path: &PathBytes, flags: i32, perm: u32) -> Result<i32> {
    let name = to_cstring(ctx, path)?;
    let mut collected = false;
    loop {
        let at = name.clone();
        let call = move || {
            // SAFETY: the path is a C string.
            let fd = unsafe { libc::open(at.as_ptr(), flags | libc::O_CLOEXEC, perm) };
            // SAFETY: an open descriptor that nobody else has.
            if fd < 0 { Err(errno::last()) } else { Ok(unsafe { OwnedFd::from_raw_fd(fd) }) }
        };
        let open = |_: &Stop<'_>| match call() {
            Err(libc::EINTR) => None,
            outcome => Some(outcome),
        };
        match ctx.outside(Leave::new(Kind::Short(&OPEN_SITE), Ends::Signal).offered(), open)? {
            Ok(fd) => return Ok(fd.into_raw_fd()),
            Err(libc::EMFILE | libc::ENFILE) if !collected => {
                collected = true;
                ctx.collect_and_sweep();
            }
            Err(e) => return Err(errno::fail_at(ctx, e, "rb_sysopen", path)),
        }
    }
}

/// Opens `path` and gives the allocated object `io` its state.
pub fn open_file_into(ctx: &mut Ctx, io: Value, path: Str, mode: &OpenMode) -> Result<()> {
    let bytes = PathBytes::of(ctx, path);
    let fd = open_fd(ctx, &bytes, mode.flags, mode.perm)?;
    let state = IoState::new(fd, mode.state_bits());
    // A nameless file lies in a directory and has no path.
    if mode.flags & libc::O_TMPFILE != libc::O_TMPFILE {
        let copy = path.dup(ctx);
        state.path.set(copy.value());
    }
    install(ctx, io, state, mode)
}

/// Installs the state and applies encodings; a failure closes the descriptor again.
pub fn install(ctx: &mut Ctx, io: Value, io_state: IoState, mode: &OpenMode) -> Result<()> {
    let data = ctx.expect(io)?;
    attach(ctx, data, io_state);
    let shared = state::state(ctx, io)?;
    mode.apply(ctx, &shared)?;
    if mode.bom && mode.readable() {
        let found = super::methods::skip_bom(ctx, &shared)?;
        if found.is_some() && mode.internal.is_some() && found != mode.internal {
            // The encoding that was named is the internal one, which the file turned out not to have.
            shared.internal.set(mode.internal);
            super::mode::refresh_decoder(ctx, &shared)?;
        }
    }
    Ok(())
}

/// A new object of `class` for the file.
pub fn open_file(ctx: &mut Ctx, class: Value, path: Str, mode: &OpenMode) -> Result {
    let io = allocate(ctx, class)?;
    open_file_into(ctx, io, path, mode)?;
    Ok(io)
}

/// `IO.new(fd, mode = "r", **options)`
pub fn io_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    warn_of_block(ctx, recv, args)?;
    let keywords = args.keywords();
    let positional = args.positional();
    let fd = ctx.to_c_int(positional.at(0))?;
    // SAFETY: a plain query.
    let actual = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    if actual < 0 {
        return Err(errno::fail(ctx, errno::last(), ""));
    }
    let mode_arg = positional.at(1);
    let mode_keyword = args.keyword(ctx, "mode").is_some_and(|v| !v.is_nil());
    let mut mode = parse(ctx, mode_arg, Value::NIL, keywords)?;
    if mode_arg.is_nil() && !mode_keyword {
        mode.flags = mode.flags & !libc::O_ACCMODE | actual & libc::O_ACCMODE;
    } else {
        check_access(ctx, mode.flags, actual)?;
    }
    let state = IoState::new(fd, mode.state_bits());
    state.path.set(mode.path);
    // SAFETY: a plain call.
    unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFD);
        if fd > 2 && flags >= 0 {
            libc::fcntl(fd, libc::F_SETFD, flags | libc::FD_CLOEXEC);
        }
    }
    install(ctx, recv, state, &mode)?;
    if fd <= 2 {
        state::state(ctx, recv)?.set(state::mode::SYNC, fd == 2);
    }
    Ok(recv)
}

/// EINVAL when the mode asks for more than the descriptor allows.
fn check_access(ctx: &mut Ctx, wanted: i32, actual: i32) -> Result<()> {
    let (wanted, actual) = (wanted & libc::O_ACCMODE, actual & libc::O_ACCMODE);
    if actual != libc::O_RDWR && wanted != actual {
        return Err(errno::fail(ctx, libc::EINVAL, ""));
    }
    Ok(())
}

/// `File.new(path, mode = "r", perm = 0666, **options)`; an Integer is a descriptor.
pub fn file_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if state::try_state(ctx, recv).is_some() {
        return Err(ctx.runtime_error("reinitializing File"));
    }
    let positional = args.positional();
    if !(1..=3).contains(&positional.len()) {
        return Err(ctx.arity_error(positional.len(), 1, Some(3)));
    }
    let given = positional.at(0);
    let to_int = ctx.names().to_int;
    if given.is_fixnum() || !given.has_tag(Tag::String) && ctx.respond_to(given, to_int, true)? {
        if positional.len() > 2 {
            return Err(ctx.arity_error(positional.len(), 1, Some(2)));
        }
        return io_initialize(ctx, recv, args);
    }
    warn_of_block(ctx, recv, args)?;
    let path = get_path(ctx, positional.at(0))?;
    let mode = parse(ctx, positional.at(1), positional.at(2), args.keywords())?;
    open_file_into(ctx, recv, path, &mode)?;
    Ok(recv)
}

/// `IO.sysopen(path, mode = "r", perm = 0666)`
pub fn sysopen(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = path_bytes(ctx, args.at(0))?;
    let mode = parse(ctx, args.at(1), args.at(2), None)?;
    let fd = open_fd(ctx, &path, mode.flags, mode.perm)?;
    Ok(Value::fixnum(fd as i64))
}

/// `open` with a block: closes the IO afterwards, whatever happens.
pub fn with_block(ctx: &mut Ctx, io: Value, block: Value) -> Result {
    if block.is_nil() {
        return Ok(io);
    }
    ctx.ensure(
        |ctx| ctx.yield_one(block, io),
        |ctx| {
            let Some(open) = state::try_state(ctx, io).filter(|s| !s.closed()) else { return Ok(()) };
            if open.pid.get() > 0 && is_killed(ctx) {
                // Whoever kills a thread does not wait for its child.
                (ctx.vm().hooks().reap_child)(ctx, open.pid.replace(0), libc::WNOHANG)?;
            }
            let io_error = ctx.error_class("IOError").value();
            ctx.rescue(io_error, |ctx| ctx.call_name(io, "close", &[]), ignore_closed_stream)?;
            Ok(())
        },
    )
}

/// A `close` that finds the stream closed is as good as any.
fn ignore_closed_stream(ctx: &mut Ctx, error: Value) -> Result {
    let message = ctx.names().message;
    let text = ctx.call(error, message, &[])?;
    if Str::try_of(text).is_some_and(|text| text.bytes(ctx) == b"closed stream") {
        Ok(Value::NIL)
    } else {
        Err(ctx.raise(error))
    }
}

/// `new` with a block warns: the block is for `open`.
fn warn_of_block(ctx: &mut Ctx, recv: Value, args: Args) -> Result<()> {
    if !args.has_block() {
        return Ok(());
    }
    let class = ctx.real_class(recv).inspect(ctx);
    ctx.warn(&format!("{class}::new() does not take block; use {class}::open() instead"))
}

/// `IO.open`, `File.open`
pub fn open_class(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let new = ctx.names().new;
    let io = ctx.call_args(recv, new, args.with_block(Value::NIL))?;
    with_block(ctx, io, args.block)
}

/// `IO.for_fd`
pub fn for_fd(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let new = ctx.names().new;
    ctx.call_args(recv, new, args.with_block(Value::NIL))
}

/// `IO#initialize_copy`: a second descriptor for the same file.
pub fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    let from = state::open_state(ctx, other)?;
    if recv == other {
        return Ok(recv);
    }
    ctx.check_frozen(recv)?;
    if from.has(state::mode::WRITE) {
        super::device::flush(ctx, &from)?;
    }
    super::device::unread_to_file(&from);
    let mut duplicate = |fd: i32| descriptors::duplicate(ctx, fd, 3).map_err(|e| errno::fail(ctx, e, ""));
    let fd = duplicate(from.fd.get())?;
    let write_fd = if from.write_fd.get() >= 0 { Some(duplicate(from.write_fd.get())?) } else { None };
    let bits = from.mode.get() & !(state::mode::STANDARD | state::mode::KEEP_OPEN);
    let copy = IoState::new(fd.into_raw_fd(), bits);
    copy.write_fd.set(write_fd.map_or(-1, OwnedFd::into_raw_fd));
    copy.path.set(from.path.get());
    copy.lineno.set(from.lineno.get());
    copy.external.set(from.external.get());
    copy.internal.set(from.internal.get());
    copy.newline.set(from.newline.get());
    copy.convert_options.set(from.convert_options.get());
    copy.timeout.set(from.timeout.get());
    let data = ctx.expect(recv)?;
    attach(ctx, data, copy);
    let shared = state::state(ctx, recv)?;
    super::mode::refresh_decoder(ctx, &shared)?;
    Ok(recv)
}

/// An IO from an object: `to_io` when it is none. TypeError as CRuby words it.
pub fn to_io(ctx: &mut Ctx, value: Value) -> Result {
    match io_by(ctx, value, false)? {
        Some(io) => Ok(io),
        None => Err(ctx.conversion_error(value, "IO")),
    }
}

pub fn check_io(ctx: &mut Ctx, value: Value) -> Result<Option<Value>> {
    io_by(ctx, value, true)
}

fn io_by(ctx: &mut Ctx, value: Value, or_nil: bool) -> Result<Option<Value>> {
    let class = ctx.classes().io.get();
    if value.is_heap() && ctx.is_a(value, class) {
        return Ok(Some(value));
    }
    let name = ctx.intern("to_io");
    match ctx.check_call(value, name, &[])? {
        None => Ok(None),
        Some(Value::NIL) if or_nil => Ok(None),
        Some(io) if io.is_heap() && ctx.is_a(io, class) => Ok(Some(io)),
        Some(other) => Err(ctx.bad_conversion(value, other, "IO", "to_io")),
    }
}
