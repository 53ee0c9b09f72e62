//! Writes to descriptors: the write buffer of an IO, whose turn it is to write it out, and write(2) beside the VM lock.
//!
//! One thread at a time writes to an IO (`flusher`); the others wait in `flush_queue`, first come, first served. As in
//! `device`, a write is tried with the lock held in a way that cannot wait; the lock is left to wait, and for large
//! writes.

use super::device::{Attempt, INSIDE_MAX, fail, knows_no_nowait, poll_now, wait_within_timeout};
use super::state::{IoState, closed_elsewhere, io_error, mode};
use super::waiting;
use rubellite_core_object::errno;
use rubellite_core_thread::scheduler;
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Ctx, Result, Value};
use std::rc::Rc;

/// Buffered output is written when it reaches this size.
pub const WRITE_BUFFER: usize = 64 * 1024;
/// How much of a long text is written at once.
const PIECE: usize = 1 << 20;
/// The function that errors of a write name.
const WRITE: &str = "rb_sys_fail_on_write";
/// A blocking terminal that polls as writable takes at least this much.
const PIPE_ATOMIC: usize = 4096;

static WRITE_SITE: RegionSite = RegionSite::new("write to a file");

/// Appends to the write buffer, and writes it out when it is full or the IO wants it.
pub fn write(ctx: &mut Ctx, io: &Rc<IoState>, bytes: &[u8]) -> Result<()> {
    let direct = io.has(mode::SYNC) || bytes.len() >= WRITE_BUFFER;
    let shown = io.has(mode::TTY);
    if direct && io.flusher.get() != 0 {
        // The bytes stay this thread's until their turn comes: a kill or a close takes them back, and no forked child
        // has them.
        await_turn(ctx, io)?;
    }
    let outcome = write_in_turn(ctx, io, bytes, direct, shown);
    pass_turn(ctx, io);
    outcome
}

fn write_in_turn(ctx: &mut Ctx, io: &Rc<IoState>, mut bytes: &[u8], direct: bool, shown: bool) -> Result<()> {
    let long = bytes.len() >= WRITE_BUFFER;
    if direct && io.wbuf.borrow().is_empty() && io.flusher.get() == 0 && scheduler::current(ctx).is_none() {
        // What the descriptor takes at once need not be copied.
        bytes = &bytes[write_at_once(io, bytes)..];
        if bytes.is_empty() {
            return Ok(());
        }
    }
    if !io.has(mode::SYNC) && io.wbuf.borrow().len() + bytes.len() >= WRITE_BUFFER {
        // When the system refuses what is there, the new text is not taken.
        flush(ctx, io)?;
    }
    if long && io.wbuf.borrow().is_empty() && io.flusher.get() == 0 {
        return write_pieces(ctx, io, bytes);
    }
    io.wbuf.borrow_mut().extend_from_slice(bytes);
    if direct || shown || io.wbuf.borrow().len() >= WRITE_BUFFER {
        flush(ctx, io)?;
    }
    Ok(())
}

/// A long text goes through a buffer in pieces. What the system refuses or an interrupt keeps from being written is
/// dropped.
fn write_pieces(ctx: &mut Ctx, io: &Rc<IoState>, text: &[u8]) -> Result<()> {
    let mut done = 0;
    flushing(ctx, io, |ctx, io| {
        let mut piece = Vec::new();
        while done < text.len() {
            piece.clear();
            piece.extend_from_slice(&text[done..text.len().min(done + PIECE)]);
            let written = write_all(ctx, io, &mut piece, WRITE);
            done += written.bytes;
            written.outcome?;
        }
        Ok(())
    })
}

/// Writes the whole write buffer out. What an interrupt keeps from being written stays buffered, and so does
/// what the system refuses, unless the IO has `sync`; what a close cuts short is dropped. A signal handler that writes
/// to the IO that its thread writes to leaves its bytes to that. What goes past the buffer (`sync`, long texts) is not
/// waited for: neither a fork nor a `close_write` hangs behind a thread that is stuck in such a write.
pub fn flush(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<()> {
    flush_for(ctx, io, WRITE)
}

/// `flush` by the function that errors name.
pub(super) fn flush_for(ctx: &mut Ctx, io: &Rc<IoState>, function: &str) -> Result<()> {
    let nothing_buffered = io.wbuf.borrow().is_empty() && !io.draining.get();
    if nothing_buffered || !await_turn(ctx, io)? {
        return Ok(());
    }
    if io.wbuf.borrow().is_empty() {
        pass_turn(ctx, io);
        return Ok(());
    }
    flushing(ctx, io, |ctx, io| flush_mine(ctx, io, function))
}

/// Waits until no other thread writes to the IO. False: this one does, further down on its stack. IOError if the IO is
/// closed meanwhile.
fn await_turn(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<bool> {
    let me = ctx.thread().clone();
    let closes = io.closes.get();
    while io.flusher.get() != 0 {
        if io.flusher.get() == me.id {
            return Ok(false);
        }
        let mut waited = io.flush_queue.enter(me.clone(), || ctx.park(None));
        if waited.is_ok() && (io.closed() || io.closes.get() != closes) {
            waited = Err(io_error(ctx, "closed stream"));
        }
        if let Err(unwind) = waited {
            pass_turn(ctx, io);
            return Err(unwind);
        }
    }
    Ok(true)
}

/// Wakes the next thread that waits to write if nobody writes now, all of them for a close.
fn pass_turn(ctx: &Ctx, io: &IoState) {
    while io.flusher.get() == 0 {
        let Some(next) = io.flush_queue.pop_front() else { return };
        ctx.wake(&next);
        if io.closing.get() == 0 {
            return;
        }
    }
}

/// Runs `work` as the only one that writes to the IO; nobody does so now.
fn flushing(ctx: &mut Ctx, io: &Rc<IoState>, work: impl FnOnce(&mut Ctx, &Rc<IoState>) -> Result<()>) -> Result<()> {
    io.flusher.set(ctx.thread().id);
    let outcome = work(ctx, io);
    io.flusher.set(0);
    pass_turn(ctx, io);
    outcome
}

fn flush_mine(ctx: &mut Ctx, io: &Rc<IoState>, function: &str) -> Result<()> {
    while !io.wbuf.borrow().is_empty() {
        let mut bytes = std::mem::take(&mut *io.wbuf.borrow_mut());
        io.draining.set(!io.has(mode::SYNC));
        let written = write_all(ctx, io, &mut bytes, function);
        io.draining.set(false);
        let lost = written.outcome.is_err() && (io.has(mode::SYNC) || io.closed());
        bytes.drain(..if lost { bytes.len() } else { written.bytes });
        let mut wbuf = io.wbuf.borrow_mut();
        if !bytes.is_empty() {
            // What others have added meanwhile comes behind.
            bytes.extend_from_slice(&wbuf);
            *wbuf = bytes;
        } else if wbuf.is_empty() {
            *wbuf = bytes;
        }
        drop(wbuf);
        written.outcome?;
    }
    Ok(())
}

/// Writes `bytes` past the write buffer, behind what it holds: an errno if the system refuses. What cannot be written
/// is dropped.
pub fn write_through(ctx: &mut Ctx, io: &Rc<IoState>, bytes: &mut Vec<u8>) -> Result<std::result::Result<(), i32>> {
    flush(ctx, io)?;
    let mut done = 0;
    while done < bytes.len() {
        match write_some(ctx, io, bytes, done)? {
            Ok(n) => done += n,
            Err(e) => return Ok(Err(e)),
        }
    }
    Ok(Ok(()))
}

/// What came of a write of some bytes.
struct Written {
    /// How many were written.
    bytes: usize,
    outcome: Result<()>,
}

/// Writes `bytes`; an error of the system names `function`. The vector's content is not changed, but it may be moved
/// outside the lock meanwhile.
fn write_all(ctx: &mut Ctx, io: &Rc<IoState>, bytes: &mut Vec<u8>, function: &str) -> Written {
    let mut done = 0;
    while done < bytes.len() {
        match write_some(ctx, io, bytes, done) {
            Err(unwind) => return Written { bytes: done, outcome: Err(unwind) },
            Ok(Ok(n)) => done += n,
            Ok(Err(e)) => {
                let unwind = fail(ctx, io, e, function);
                if e == libc::EPIPE && io.has(mode::STANDARD) && io.fd.get() == 1 {
                    note_broken_stdout(ctx);
                }
                return Written { bytes: done, outcome: Err(unwind) };
            }
        }
    }
    Written { bytes: done, outcome: Ok(()) }
}

/// The process that ends by this exception ends by SIGPIPE, as other filters do.
fn note_broken_stdout(ctx: &mut Ctx) {
    let signo = ctx.intern("signo");
    if let Some(exception) = ctx.take_exception() {
        ctx.ivar_set(exception, signo, Value::fixnum(libc::SIGPIPE as i64));
        ctx.raise(exception);
    }
}

/// One write(2), waiting if the descriptor takes nothing: bytes written, or an errno that is not to be tried again.
pub fn write_some(
    ctx: &mut Ctx,
    io: &Rc<IoState>,
    bytes: &mut Vec<u8>,
    from: usize,
) -> Result<std::result::Result<usize, i32>> {
    // A write is a wait for `handle_interrupt`, also one that need not wait.
    ctx.before_wait()?;
    loop {
        let fd = io.out_fd();
        if fd < 0 || io.closing.get() > 0 {
            return Err(closed_elsewhere(ctx));
        }
        let wrote = match write_by_scheduler(ctx, io, &bytes[from..], None)? {
            Some(wrote) => wrote,
            None => match write_now(io, fd, &bytes[from..]) {
                // A socket polls as writable only when most of its buffer is free; a write(2) that waits goes on with
                // less.
                Attempt::Done(Err(libc::EAGAIN)) if bytes.len() - from > INSIDE_MAX && may_block(ctx, io) => {
                    write_outside(ctx, io, fd, bytes, from)?
                }
                Attempt::Done(wrote) => wrote,
                Attempt::Outside => write_outside(ctx, io, fd, bytes, from)?,
            },
        };
        match wrote {
            Err(libc::EINTR) => ctx.after_wait()?,
            Err(libc::EAGAIN) => wait_within_timeout(ctx, io, fd, libc::POLLOUT)?,
            // A scheduler that wrote nothing.
            Ok(0) if from < bytes.len() => wait_within_timeout(ctx, io, fd, libc::POLLOUT)?,
            done => return Ok(done),
        }
    }
}

/// Whether a write(2) to the descriptor may wait for as long as it likes.
fn may_block(ctx: &Ctx, io: &IoState) -> bool {
    !io.has(mode::NONBLOCK) && io.timeout.get().is_nil() && scheduler::current(ctx).is_none()
}

/// Writes once if that cannot wait.
fn write_now(io: &IoState, fd: i32, bytes: &[u8]) -> Attempt {
    if io.has(mode::REGULAR) {
        return if bytes.len() <= INSIDE_MAX { Attempt::Done(write_fd(fd, bytes)) } else { Attempt::Outside };
    }
    if !io.has(mode::NO_NOWAIT) {
        match write_nowait(io, fd, bytes) {
            Err(e) if knows_no_nowait(e) => io.set(mode::NO_NOWAIT, true),
            done => return Attempt::Done(done),
        }
    }
    if io.has(mode::NONBLOCK) {
        return Attempt::Done(write_fd(fd, bytes));
    }
    match poll_now(fd, libc::POLLOUT, 0) {
        Ok(0) => Attempt::Done(Err(libc::EAGAIN)),
        Ok(_) if bytes.len() <= PIPE_ATOMIC => Attempt::Done(write_fd(fd, bytes)),
        Ok(_) => Attempt::Outside,
        Err(e) => Attempt::Done(Err(e)),
    }
}

/// A write that answers EAGAIN rather than wait, whatever the descriptor's flags are.
fn write_nowait(io: &IoState, fd: i32, bytes: &[u8]) -> std::result::Result<usize, i32> {
    let wrote = |n: isize| if n < 0 { Err(errno::last()) } else { Ok(n as usize) };
    if io.has(mode::SOCKET) {
        // SAFETY: the slice is valid for its length.
        match wrote(unsafe { libc::send(fd, bytes.as_ptr().cast(), bytes.len(), libc::MSG_DONTWAIT) }) {
            Err(libc::ENOTSOCK) => io.set(mode::SOCKET, false),
            done => return done,
        }
    }
    let part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    // SAFETY: one part, valid for its length, which the kernel only reads; the position -1 is the file's own.
    wrote(unsafe { libc::pwritev2(fd, &part, 1, -1, libc::RWF_NOWAIT) })
}

/// A write(2) outside the lock. The bytes come back even when an interrupt arrives.
fn write_outside(
    ctx: &mut Ctx,
    io: &Rc<IoState>,
    fd: i32,
    bytes: &mut Vec<u8>,
    from: usize,
) -> Result<std::result::Result<usize, i32>> {
    let kind = if io.has(mode::REGULAR) { Kind::Short(&WRITE_SITE) } else { Kind::Long };
    let back = std::sync::Arc::new(std::mem::take(bytes));
    let shared = back.clone();
    let outcome = waiting::on_list(ctx, io, fd, kind, move || write_fd(fd, &shared[from..]));
    *bytes = std::sync::Arc::try_unwrap(back).unwrap_or_else(|still| still.to_vec());
    Ok(outcome?.unwrap_or(Err(libc::EINTR)))
}

/// One write(2).
pub fn write_fd(fd: i32, bytes: &[u8]) -> std::result::Result<usize, i32> {
    // SAFETY: the slice is valid for its length.
    let n = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
    if n < 0 { Err(errno::last()) } else { Ok(n as usize) }
}

/// Writes what the IO takes without waiting, past its buffer, which is empty; returns how many bytes.
pub fn write_at_once(io: &IoState, bytes: &[u8]) -> usize {
    match write_now(io, io.out_fd(), bytes) {
        Attempt::Done(Ok(n)) => n,
        _ => 0,
    }
}

/// `write_some` that does not wait for a non-blocking IO.
pub fn write_once(
    ctx: &mut Ctx,
    io: &Rc<IoState>,
    bytes: &mut Vec<u8>,
    from: usize,
) -> Result<std::result::Result<usize, i32>> {
    let fd = io.out_fd();
    if io.has(mode::NONBLOCK) && fd >= 0 { Ok(write_fd(fd, &bytes[from..])) } else { write_some(ctx, io, bytes, from) }
}

/// A write by the scheduler of the running fiber, if it has one that writes.
pub fn write_by_scheduler(
    ctx: &mut Ctx,
    io: &IoState,
    bytes: &[u8],
    offset: Option<i64>,
) -> Result<Option<std::result::Result<usize, i32>>> {
    match scheduler::current(ctx) {
        Some(scheduler) => super::scheduled::io_write(ctx, scheduler, io.object.get(), bytes, offset),
        None => Ok(None),
    }
}
