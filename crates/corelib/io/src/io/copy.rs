//! `IO.copy_stream`: from descriptor to descriptor inside the kernel where it can, by reading and writing where it
//! cannot, and by method calls where one side is no IO.
//!
//! The ways between two descriptors, each of which gives up to the next when the kernel refuses it: copy_file_range(2)
//! between regular files, sendfile(2) from a regular file, splice(2) when one side is a pipe, what a socket holds into
//! a regular file, read and write. Each step is a system call or a few outside the lock with the thread on the lists of
//! both IOs, so that interrupts and closes end it; what it has moved counts. The end of the input is believed only when
//! read(2) says so (files of /proc are empty to the others).

use super::mode::OpenMode;
use super::state::{self, IoState, mode};
use super::{device, methods, open, waiting};
use crate::file::path::get_path;
use rubellite_core_object::errno;
use rubellite_core_thread::operation::offload;
use rubellite_core_thread::scheduler;
use rubellite_vm::object::Str;
use rubellite_vm::outside::Stop;
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Args, Ctx, Encoding, Result, Value};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::rc::Rc;

/// Bytes that go through memory at a time.
const CHUNK: usize = 64 * 1024;
/// Bytes that the kernel moves in one call.
const STEP: usize = 16 * 1024 * 1024;
/// Bytes taken from a socket at a time.
const RECEIVED: usize = 128 * 1024;
/// Bytes asked of an object that is no IO.
const OBJECT_CHUNK: usize = 16 * 1024;

static COPY_SITE: RegionSite = RegionSite::new("copy of a file");

/// One end of the copy.
struct Side {
    object: Value,
    /// `None`: an object with `readpartial`, `read` or `write`.
    io: Option<Rc<IoState>>,
    /// It was opened for this copy.
    opened: bool,
}

/// What is left to do and what was done, in bytes. An object may say that it has written more than it was given, or
/// less than nothing: both can be negative.
struct Progress {
    left: Option<i64>,
    /// Where to read in the source; `None`: at its position.
    at: Option<i64>,
    total: i64,
}

impl Progress {
    fn want(&self, most: usize) -> usize {
        self.left.map_or(most, |left| usize::try_from(left).unwrap_or(0).min(most))
    }

    fn advance(&mut self, n: usize) {
        self.at = self.at.map(|at| at + n as i64);
        self.count(n as i64);
    }

    /// What an object says that it has written.
    fn count(&mut self, n: i64) {
        self.total = self.total.wrapping_add(n);
        self.left = self.left.map(|left| left.wrapping_sub(n));
    }
}

/// How bytes go from one descriptor to the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    CopyFileRange,
    Sendfile,
    Splice,
    /// recv(2) and write(2) in turns, from a socket into a regular file.
    Receive,
    Memory,
}

/// `IO.copy_stream(source, target, length = nil, offset = nil) -> bytes copied`
pub fn copy_stream(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    // What is negative counts as not given.
    let left = match args.non_nil(2) {
        Some(v) => Some(ctx.to_int(v)?).filter(|n| *n >= 0),
        None => None,
    };
    let at = match args.non_nil(3) {
        Some(v) => Some(ctx.to_int(v)?).filter(|at| *at >= 0),
        None => None,
    };
    let mut progress = Progress { left, at, total: 0 };
    let source = side(ctx, args.at(0), false)?;
    let done = match side(ctx, args.at(1), true) {
        Ok(target) => {
            let outcome = run(ctx, &source, &target, &mut progress);
            finish(ctx, &target, outcome)
        }
        Err(unwind) => Err(unwind),
    };
    finish(ctx, &source, done)?;
    Ok(ctx.int(progress.total))
}

/// Closes what was opened for the copy, whatever came of it.
fn finish(ctx: &mut Ctx, side: &Side, outcome: Result<()>) -> Result<()> {
    let Some(io) = side.io.as_ref().filter(|_| side.opened) else { return outcome };
    match outcome {
        Ok(()) => device::close(ctx, io),
        // The first error is the one to tell.
        Err(_) => ctx.ensure(|_| outcome, |ctx| device::close(ctx, io).or(Ok(()))),
    }
}

/// An IO, a file by its name (or what has a path and converts to an IO), or an object that is to read or write.
fn side(ctx: &mut Ctx, value: Value, writes: bool) -> Result<Side> {
    let is_io = state::try_state(ctx, value).is_some();
    let is_file = is_io || value.has_tag(rubellite_vm::Tag::String) || {
        let to_path = ctx.intern("to_path");
        ctx.respond_to(value, to_path, true)?
    };
    if !is_file {
        return Ok(Side { object: value, io: None, opened: false });
    }
    let found = if is_io { Some(value) } else { open::check_io(ctx, value)? };
    let (object, opened) = match found {
        Some(io) => (io, false),
        None => {
            let path = get_path(ctx, value)?;
            let mut mode = OpenMode { binary: true, ..OpenMode::default() };
            if writes {
                mode.flags = libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC;
            }
            let file = ctx.classes().file.get();
            (open::open_file(ctx, file, path, &mode)?, true)
        }
    };
    let io = if writes { state::writable(ctx, object)? } else { state::byte_readable(ctx, object)? };
    Ok(Side { object, io: Some(io), opened })
}

fn run(ctx: &mut Ctx, source: &Side, target: &Side, progress: &mut Progress) -> Result<()> {
    if source.io.is_none() && progress.at.is_some() {
        return Err(ctx.argument_error("cannot specify src_offset for non-IO"));
    }
    if let Some(from) = source.io.as_ref().filter(|_| progress.at.is_none()) {
        let read_ahead = from.rbuf.borrow().len();
        let buffered = from.rbuf.borrow_mut().take(progress.want(read_ahead));
        if !buffered.is_empty() {
            let n = buffered.len();
            put(ctx, target, buffered)?;
            progress.advance(n);
        }
    }
    if let Some(to) = &target.io {
        device::flush(ctx, to)?;
        methods::make_binary(ctx, to)?;
    }
    let outcome = match (&source.io, &target.io) {
        (Some(from), Some(to)) => between_descriptors(ctx, from, to, progress),
        _ => by_methods(ctx, source, target, progress),
    };
    std::hint::black_box((source.object, target.object));
    outcome
}

/// Bytes of the source's buffer go the way of all writes to the target.
fn put(ctx: &mut Ctx, target: &Side, bytes: Vec<u8>) -> Result<()> {
    match &target.io {
        Some(to) => device::write(ctx, to, &bytes),
        None => {
            let text = Str::from_vec(ctx, bytes, Encoding::BINARY).value();
            let write = ctx.names().write;
            ctx.call(target.object, write, &[text])?;
            Ok(())
        }
    }
}

// -- between descriptors ----------------------------------------------------------------------

impl Way {
    fn first(from: u32, to: u32, at: Option<i64>) -> Way {
        match (from, to) {
            (libc::S_IFREG, libc::S_IFREG) => Way::CopyFileRange,
            (libc::S_IFREG, _) => Way::Sendfile,
            (libc::S_IFIFO, _) | (_, libc::S_IFIFO) if at.is_none() => Way::Splice,
            (libc::S_IFSOCK, libc::S_IFREG) if at.is_none() => Way::Receive,
            _ => Way::Memory,
        }
    }

    fn next(self) -> Way {
        if self == Way::CopyFileRange { Way::Sendfile } else { Way::Memory }
    }

    /// One step: bytes moved, or errno; its negative when bytes that were read could not be written.
    fn step(self, from: i32, to: i32, at: Option<i64>, want: usize) -> std::result::Result<usize, i32> {
        let mut at = at;
        let at = at.as_mut().map_or(std::ptr::null_mut(), |at| at as *mut i64);
        // SAFETY: plain calls; the position is ours or null, which means the file's own.
        let n = unsafe {
            match self {
                Way::CopyFileRange => libc::copy_file_range(from, at, to, std::ptr::null_mut(), want, 0),
                Way::Sendfile => libc::sendfile(to, from, at, want),
                Way::Splice => libc::splice(from, at, to, std::ptr::null_mut(), want, libc::SPLICE_F_MOVE),
                Way::Receive => return receive(from, to, want),
                Way::Memory => return Err(libc::ENOSYS),
            }
        };
        if n < 0 { Err(errno::last()) } else { Ok(n as usize) }
    }
}

/// Moves what the socket holds, at most `want` bytes, without waiting for more.
fn receive(from: i32, to: i32, want: usize) -> std::result::Result<usize, i32> {
    let mut piece = vec![0; RECEIVED.min(want)];
    let mut moved = 0;
    while moved < want {
        let room = piece.len().min(want - moved);
        // SAFETY: the buffer is ours and has that much room.
        let n = unsafe { libc::recv(from, piece.as_mut_ptr().cast(), room, libc::MSG_DONTWAIT) };
        match usize::try_from(n) {
            Ok(0) => break,
            Ok(n) => write_whole(to, &piece[..n])?,
            Err(_) if moved > 0 => break,
            Err(_) => return Err(errno::last()),
        }
        moved += n as usize;
    }
    Ok(moved)
}

/// Writes all of it to a regular file; its errno, negative, otherwise.
fn write_whole(fd: i32, mut bytes: &[u8]) -> std::result::Result<(), i32> {
    while !bytes.is_empty() {
        match device::write_fd(fd, bytes) {
            Ok(n) => bytes = &bytes[n..],
            Err(libc::EINTR) => {}
            Err(e) => return Err(-e),
        }
    }
    Ok(())
}

/// Errors of the target that no other way would spare.
fn is_final(e: i32) -> bool {
    matches!(e, libc::EPIPE | libc::ECONNRESET | libc::ENOSPC | libc::EDQUOT | libc::EFBIG | libc::EIO)
}

fn between_descriptors(ctx: &mut Ctx, from: &Rc<IoState>, to: &Rc<IoState>, progress: &mut Progress) -> Result<()> {
    let (from_type, to_type) = (state::file_type(from.fd.get()), state::file_type(to.out_fd()));
    let mut way = Way::first(from_type, to_type, progress.at);
    let kind =
        if from_type == libc::S_IFREG && to_type == libc::S_IFREG { Kind::Short(&COPY_SITE) } else { Kind::Long };
    while way != Way::Memory {
        let want = progress.want(STEP);
        if want == 0 {
            return Ok(());
        }
        ready(ctx, from, from.fd.get(), libc::POLLIN)?;
        ready(ctx, to, to.out_fd(), libc::POLLOUT)?;
        let (from_fd, to_fd, at) = (from.fd.get(), to.out_fd(), progress.at);
        let sides = [(from, from_fd), (to, to_fd)];
        let moved = match by_hook(ctx, kind, way, [from_fd, to_fd], at, want)? {
            Some(moved) => Some(moved),
            None => waiting::on_both_lists(ctx, sides, kind, move || way.step(from_fd, to_fd, at, want))?,
        };
        match moved.unwrap_or(Err(libc::EINTR)) {
            Ok(0) => way = Way::Memory,
            Ok(n) => {
                progress.advance(n);
                ctx.after_wait()?;
            }
            Err(libc::EINTR) => ctx.after_wait()?,
            Err(libc::EAGAIN) => {}
            Err(e) if e < 0 => return Err(errno::fail(ctx, -e, "write")),
            Err(e) if is_final(e) => {
                return Err(errno::fail(
                    ctx,
                    e,
                    if way == Way::CopyFileRange { "copy_file_range" } else { "sendfile" },
                ));
            }
            Err(_) => way = way.next(),
        }
    }
    through_memory(ctx, from, to, progress)
}

/// A step by the fiber's scheduler, if that has such work done elsewhere. The step has descriptors of its own: a close
/// ends the copy at the next one.
fn by_hook(
    ctx: &mut Ctx,
    kind: Kind,
    way: Way,
    fds: [i32; 2],
    at: Option<i64>,
    want: usize,
) -> Result<Option<std::result::Result<usize, i32>>> {
    if scheduler::current(ctx).is_none() {
        return Ok(None);
    }
    // SAFETY: both are open, and the borrow ends here.
    let copies = fds.map(|fd| unsafe { BorrowedFd::borrow_raw(fd) }.try_clone_to_owned());
    let [Ok(from), Ok(to)] = copies else { return Ok(None) };
    let mut done = None;
    let mut step = |_: &Stop<'_>| match way.step(from.as_raw_fd(), to.as_raw_fd(), at, want) {
        Err(libc::EINTR) => {}
        moved => done = Some(moved),
    };
    offload(ctx, kind, true, &mut step)?;
    Ok(done)
}

/// Waits until the descriptor is ready, as long as `IO#timeout` allows; regular files always are.
fn ready(ctx: &mut Ctx, io: &Rc<IoState>, fd: i32, events: i16) -> Result<()> {
    if io.has(mode::REGULAR) || matches!(device::poll_now(fd, events, 0), Ok(found) if found != 0) {
        return Ok(());
    }
    device::wait_within_timeout(ctx, io, fd, events)
}

fn through_memory(ctx: &mut Ctx, from: &Rc<IoState>, to: &Rc<IoState>, progress: &mut Progress) -> Result<()> {
    loop {
        let want = progress.want(CHUNK);
        if want == 0 {
            return Ok(());
        }
        let mut chunk = chunk_of(ctx, from, want, progress.at)?;
        if chunk.is_empty() {
            return Ok(());
        }
        let n = chunk.len();
        if let Err(e) = device::write_through(ctx, to, &mut chunk)? {
            return Err(errno::fail(ctx, e, "write"));
        }
        progress.advance(n);
        ctx.check_interrupts()?;
    }
}

fn chunk_of(ctx: &mut Ctx, from: &Rc<IoState>, want: usize, at: Option<i64>) -> Result<Vec<u8>> {
    match at {
        Some(at) => match device::pread(ctx, from, want, at)? {
            Ok(bytes) => Ok(bytes),
            Err(e) => Err(errno::fail(ctx, e, "pread")),
        },
        None => {
            let mut chunk = Vec::new();
            match device::try_read_into(ctx, from, &mut chunk, want)? {
                Ok(_) => Ok(chunk),
                Err(e) => Err(errno::fail(ctx, e, "read")),
            }
        }
    }
}

// -- by methods -------------------------------------------------------------------------------

/// `write` says how much it took; the end is an EOFError of `readpartial`, or what `read` gives there.
fn by_methods(ctx: &mut Ctx, source: &Side, target: &Side, progress: &mut Progress) -> Result<()> {
    let readpartial = ctx.intern("readpartial");
    let partial = source.io.is_none() && ctx.respond_to(source.object, readpartial, true)?;
    let reader = if partial { readpartial } else { ctx.intern("read") };
    let write = ctx.names().write;
    loop {
        let want = progress.left.map_or(OBJECT_CHUNK as i64, |left| left.min(OBJECT_CHUNK as i64));
        if want == 0 {
            return Ok(());
        }
        let chunk = match &source.io {
            Some(_) if want < 0 => return Err(errno::fail(ctx, libc::EFAULT, "read")),
            Some(from) => {
                let bytes = chunk_of(ctx, from, want as usize, progress.at)?;
                if bytes.is_empty() {
                    return Ok(());
                }
                progress.at = progress.at.map(|at| at + bytes.len() as i64);
                Str::from_vec(ctx, bytes, Encoding::BINARY)
            }
            None => {
                let buffer = Str::binary(ctx, b"");
                let arguments = [Value::fixnum(want), buffer.value()];
                let eof = ctx.error_class("EOFError").value();
                let got = if partial {
                    ctx.rescue(
                        eof,
                        |ctx| ctx.call(source.object, reader, &arguments).map(|_| Value::TRUE),
                        |_, _| Ok(Value::NIL),
                    )?
                } else {
                    ctx.call(source.object, reader, &arguments)?
                };
                if got.is_nil() {
                    return Ok(());
                }
                buffer
            }
        };
        let wrote = ctx.call(target.object, write, &[chunk.value()])?;
        let wrote = ctx.to_int(wrote)?;
        progress.count(wrote);
        if source.io.is_none() && !partial && chunk.is_empty() {
            return Ok(());
        }
    }
}
