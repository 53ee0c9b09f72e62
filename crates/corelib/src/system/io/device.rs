//! Reads and writes on descriptors: where input and output meet the VM lock.
//!
//! Every transfer is tried while the lock is held, in a way that cannot wait: with RWF_NOWAIT (which asks the
//! kernel whatever the descriptor's flags say), O_NONBLOCK, or after poll(2). The lock is left only to wait (`waiting`), for
//! large transfers of regular files, and for descriptors that know none of these ways.
//!
//! Bytes that arrive go into the IO's buffer with the lock held, so that two readers of one IO neither lose nor
//! swap any.

use super::decode::{Extent, end_of_text};
use super::state::{IoState, closed_elsewhere, io_error, mode};
use super::waiting::{self, evict};
use crate::concurrency::scheduler;
use crate::system::errno;
use crate::system::file::path::PathBytes;
use rubellite_vm::object::Str;
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Ctx, Result, Unwind, Value};
use std::rc::Rc;
use std::time::Instant;

pub use super::waiting::{Waited, wait};

/// Bytes asked for when a buffer is filled.
const READ_CHUNK: usize = 16 * 1024;
/// Buffered output is written when it reaches this size.
pub const WRITE_BUFFER: usize = 64 * 1024;
/// Transfers of regular files above this size leave the lock.
const INSIDE_MAX: usize = 128 * 1024;
/// So much of a long text is written at once.
const PIECE: usize = 1 << 20;
/// The function that errors of a write name.
const WRITE: &str = "rb_sys_fail_on_write";
/// A blocking terminal that polls as writable takes at least this much.
const PIPE_ATOMIC: usize = 4096;

static READ_SITE: RegionSite = RegionSite::new("read of a file");
static WRITE_SITE: RegionSite = RegionSite::new("write to a file");

/// What an attempt with the lock held came to.
enum Attempt {
    /// The system call's result; EAGAIN: to be waited for.
    Done(std::result::Result<usize, i32>),
    /// It may wait: to be done outside.
    Outside,
}

/// One poll(2): the ready events, 0 after the timeout, or errno.
pub fn poll_now(fd: i32, events: i16, timeout_ms: i32) -> std::result::Result<i16, i32> {
    let mut poll = libc::pollfd { fd, events, revents: 0 };
    // SAFETY: one valid pollfd.
    match unsafe { libc::poll(&mut poll, 1, timeout_ms) } {
        -1 => Err(errno::last()),
        0 => Ok(0),
        _ if poll.revents & libc::POLLNVAL != 0 => Err(libc::EBADF),
        _ => Ok(poll.revents),
    }
}

/// One poll(2) of several descriptors, which waits for none: how many are ready, or errno.
pub fn poll_many(polls: &mut [libc::pollfd]) -> std::result::Result<usize, i32> {
    // SAFETY: the slice is valid for its length.
    let n = unsafe { libc::poll(polls.as_mut_ptr(), polls.len() as libc::nfds_t, 0) };
    usize::try_from(n).map_err(|_| errno::last())
}

/// The deadline that `IO#timeout` sets for one wait.
pub fn io_deadline(ctx: &mut Ctx, io: &IoState) -> Result<Option<Instant>> {
    let timeout = io.timeout.get();
    if timeout.is_nil() {
        return Ok(None);
    }
    let seconds = crate::system::process::clock::duration_of(ctx, timeout)?;
    Ok(Instant::now().checked_add(seconds))
}

/// Waits for `events` as long as `IO#timeout` allows.
pub fn wait_within_timeout(ctx: &mut Ctx, io: &Rc<IoState>, fd: i32, events: i16) -> Result<()> {
    let deadline = io_deadline(ctx, io)?;
    match wait(ctx, io, fd, events, deadline)? {
        Waited::Ready(_) => Ok(()),
        Waited::TimedOut => Err(ctx.raise_error("IO::TimeoutError", "Blocking operation timed out!")),
    }
}

/// The errors by which a file says that it knows no RWF_NOWAIT.
fn knows_no_nowait(e: i32) -> bool {
    matches!(e, libc::EOPNOTSUPP | libc::ENOSYS | libc::EINVAL | libc::ESPIPE)
}

// -- reading ----------------------------------------------------------------------------------

/// Reads once behind `buf`'s content if that cannot wait.
fn read_now(io: &IoState, fd: i32, buf: &mut Vec<u8>, want: usize) -> Attempt {
    if io.has(mode::REGULAR) {
        return if want <= INSIDE_MAX { Attempt::Done(read_fd(fd, buf, want)) } else { Attempt::Outside };
    }
    if !io.has(mode::NO_NOWAIT) {
        // SAFETY: the slot is valid for `want` bytes.
        match read_with(buf, want, |slot| unsafe { read_nowait(fd, slot, want) }) {
            Err(e) if knows_no_nowait(e) => io.set(mode::NO_NOWAIT, true),
            done => return Attempt::Done(done),
        }
    }
    if io.has(mode::NONBLOCK) {
        return Attempt::Done(read_fd(fd, buf, want));
    }
    match poll_now(fd, libc::POLLIN, 0) {
        Ok(0) => Attempt::Done(Err(libc::EAGAIN)),
        Ok(_) => Attempt::Outside,
        Err(e) => Attempt::Done(Err(e)),
    }
}

/// Reads once into `buf`, waiting if nothing is there; 0 at the end of the file. `buf` is no Ruby object's memory.
pub fn read_into(ctx: &mut Ctx, io: &Rc<IoState>, buf: &mut Vec<u8>, want: usize) -> Result<usize> {
    loop {
        let fd = io.fd.get();
        if fd < 0 {
            return Err(closed_elsewhere(ctx));
        }
        let attempt = match read_by_scheduler(ctx, io, want, None)? {
            Some(read) => Attempt::Done(read.map(|bytes| {
                buf.extend_from_slice(&bytes);
                bytes.len()
            })),
            None => read_now(io, fd, buf, want),
        };
        if let Some(n) = after_attempt(ctx, io, fd, attempt, buf, want)? {
            return Ok(n);
        }
    }
}

/// `read_into` that does not wait for a non-blocking IO: bytes read, or an errno.
pub fn read_once(ctx: &mut Ctx, io: &Rc<IoState>, buf: &mut Vec<u8>, want: usize) -> Result<std::result::Result<usize, i32>> {
    if io.has(mode::NONBLOCK) && io.fd.get() >= 0 { Ok(read_fd(io.fd.get(), buf, want)) } else { read_into(ctx, io, buf, want).map(Ok) }
}

/// `write_some` that does not wait for a non-blocking IO.
pub fn write_once(ctx: &mut Ctx, io: &Rc<IoState>, bytes: &mut Vec<u8>, from: usize) -> Result<std::result::Result<usize, i32>> {
    let fd = io.out_fd();
    if io.has(mode::NONBLOCK) && fd >= 0 { Ok(write_fd(fd, &bytes[from..])) } else { write_some(ctx, io, bytes, from) }
}

/// A read by the scheduler of the running fiber, if it has one that reads.
fn read_by_scheduler(ctx: &mut Ctx, io: &IoState, want: usize, offset: Option<i64>) -> Result<Option<std::result::Result<Vec<u8>, i32>>> {
    match scheduler::current(ctx) {
        Some(scheduler) => scheduler::io_read(ctx, scheduler, io.object.get(), want, offset),
        None => Ok(None),
    }
}

/// A write by the scheduler of the running fiber, if it has one that writes.
pub fn write_by_scheduler(ctx: &mut Ctx, io: &IoState, bytes: &[u8], offset: Option<i64>) -> Result<Option<std::result::Result<usize, i32>>> {
    match scheduler::current(ctx) {
        Some(scheduler) => scheduler::io_write(ctx, scheduler, io.object.get(), bytes, offset),
        None => Ok(None),
    }
}

/// Finishes an attempt to read: waits, reads outside, raises. `None`: to be tried again.
fn after_attempt(ctx: &mut Ctx, io: &Rc<IoState>, fd: i32, attempt: Attempt, buf: &mut Vec<u8>, want: usize) -> Result<Option<usize>> {
    let got = match attempt {
        Attempt::Done(got) => got,
        Attempt::Outside => read_outside(ctx, io, fd, buf, want)?,
    };
    match got {
        Ok(n) => return Ok(Some(n)),
        Err(libc::EINTR) => ctx.after_wait()?,
        Err(libc::EAGAIN) => wait_within_timeout(ctx, io, fd, libc::POLLIN)?,
        Err(e) => {
            let path = path_bytes(ctx, io);
            return Err(errno::fail_at(ctx, e, "io_fread", &path));
        }
    }
    Ok(None)
}

/// A read(2) outside the lock: of a blocking descriptor that another process may drain first, or a large one.
fn read_outside(ctx: &mut Ctx, io: &Rc<IoState>, fd: i32, buf: &mut Vec<u8>, want: usize) -> Result<std::result::Result<usize, i32>> {
    let mut own = std::mem::take(buf);
    let kind = if io.has(mode::REGULAR) { Kind::Short(&READ_SITE) } else { Kind::Long };
    let outcome = waiting::outside(ctx, io, fd, kind, || read_fd(fd, &mut own, want));
    *buf = own;
    Ok(outcome?.unwrap_or(Err(libc::EINTR)))
}

fn read_fd(fd: i32, buf: &mut Vec<u8>, want: usize) -> std::result::Result<usize, i32> {
    // SAFETY: the slot is valid for `want` bytes.
    read_with(buf, want, |slot| unsafe { libc::read(fd, slot.cast(), want) })
}

/// What a read buffer that has no memory yet asks for. It stays as small as the messages are, which counts when thousands of connections
/// wait; the first read that finds more than this makes it large.
const FIRST_BYTES: usize = 1024;

/// `read_now` for a read buffer.
fn fill_now(io: &IoState, fd: i32, buf: &mut Vec<u8>, want: usize) -> Attempt {
    if buf.capacity() - buf.len() >= want || io.has(mode::REGULAR | mode::NO_NOWAIT) {
        return read_now(io, fd, buf, want);
    }
    let mut first = [0; FIRST_BYTES];
    // SAFETY: the slot is valid for its length.
    let n = unsafe { read_nowait(fd, first.as_mut_ptr(), FIRST_BYTES) };
    match usize::try_from(n) {
        Ok(n) => {
            if n == FIRST_BYTES {
                buf.reserve(n + want);
            }
            buf.extend_from_slice(&first[..n]);
            Attempt::Done(Ok(n))
        }
        Err(_) if knows_no_nowait(errno::last()) => read_now(io, fd, buf, want),
        Err(_) => Attempt::Done(Err(errno::last())),
    }
}

/// A read that answers EAGAIN rather than wait, whatever the descriptor's flags are.
///
/// # Safety
/// `slot` is valid for `want` bytes.
unsafe fn read_nowait(fd: i32, slot: *mut u8, want: usize) -> isize {
    let part = libc::iovec { iov_base: slot.cast(), iov_len: want };
    // SAFETY: one part, valid by contract; the position -1 is the file's own.
    unsafe { libc::preadv2(fd, &part, 1, -1, libc::RWF_NOWAIT) }
}

/// Appends what `read` writes to the slot of `want` bytes that it gets.
fn read_with(buf: &mut Vec<u8>, want: usize, read: impl FnOnce(*mut u8) -> isize) -> std::result::Result<usize, i32> {
    buf.reserve(want);
    let n = read(buf.spare_capacity_mut().as_mut_ptr().cast());
    if n < 0 {
        return Err(errno::last());
    }
    // SAFETY: the kernel has written n <= want bytes behind the old length.
    unsafe { buf.set_len(buf.len() + n as usize) };
    Ok(n as usize)
}

/// pread(2), inside the lock when it is short: the bytes or an errno.
pub fn pread(ctx: &mut Ctx, io: &Rc<IoState>, want: usize, offset: i64) -> Result<std::result::Result<Vec<u8>, i32>> {
    if let Some(done) = read_by_scheduler(ctx, io, want, Some(offset))? {
        return Ok(done);
    }
    let fd = io.fd.get();
    let read = move || {
        let mut bytes = Vec::new();
        // SAFETY: the slot is valid for `want` bytes.
        read_with(&mut bytes, want, |slot| unsafe { libc::pread(fd, slot.cast(), want, offset) }).map(|_| bytes)
    };
    loop {
        let done = if io.has(mode::REGULAR) && want <= INSIDE_MAX {
            read()
        } else {
            waiting::outside(ctx, io, fd, Kind::Short(&READ_SITE), read)?.unwrap_or(Err(libc::EINTR))
        };
        match done {
            Err(libc::EINTR) => ctx.after_wait()?,
            done => return Ok(done),
        }
    }
}

/// Adds a chunk to the read buffer; false at the end of the file. Another thread may have read from the buffer meanwhile.
pub fn fill(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<bool> {
    fill_want(ctx, io, READ_CHUNK)
}

fn fill_want(ctx: &mut Ctx, io: &Rc<IoState>, want: usize) -> Result<bool> {
    flush_tied(ctx, io)?;
    loop {
        let fd = io.fd.get();
        if fd < 0 {
            return Err(closed_elsewhere(ctx));
        }
        let by_scheduler = read_by_scheduler(ctx, io, want, None)?;
        let attempt = {
            let mut rbuf = io.rbuf.borrow_mut();
            rbuf.compact();
            match by_scheduler {
                Some(read) => Attempt::Done(read.map(|bytes| {
                    rbuf.data.extend_from_slice(&bytes);
                    bytes.len()
                })),
                None => fill_now(io, fd, &mut rbuf.data, want),
            }
        };
        if let Attempt::Done(Ok(n)) = attempt {
            return Ok(n > 0);
        }
        // Another thread may fill the buffer meanwhile: this one brings its bytes along. Its memory, if it is empty, need not stay.
        let before = io.rbuf.borrow().len();
        let mut own = if before == 0 { std::mem::take(&mut io.rbuf.borrow_mut().data) } else { Vec::new() };
        let got = after_attempt(ctx, io, fd, attempt, &mut own, want)?;
        let mut rbuf = io.rbuf.borrow_mut();
        if rbuf.is_empty() {
            (rbuf.data, rbuf.pos) = (own, 0);
        } else {
            rbuf.data.extend_from_slice(&own);
        }
        if got.is_some() || rbuf.len() > before {
            // If it was another thread that read, its bytes are as good.
            return Ok(got != Some(0));
        }
    }
}

/// Bytes that hold a character of any encoding.
const CHARACTER_AHEAD: usize = 64;

/// Adds to the buffer of characters; false at the end of the file. Decodes a line at a time, so that the
/// position in the file stays near what has been read.
pub fn fill_text(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<bool> {
    fill_decoded(ctx, io, Extent::All)
}

/// `fill_text` for one character, if the text is decoded.
pub fn fill_character(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<bool> {
    fill_decoded(ctx, io, Extent::Character)
}

fn fill_decoded(ctx: &mut Ctx, io: &Rc<IoState>, extent: Extent) -> Result<bool> {
    if io.decoder.borrow().is_none() {
        return fill(ctx, io);
    }
    loop {
        let failure = io.decoder.borrow_mut().as_mut().and_then(|decoder| decoder.take_failure());
        if let Some(failure) = failure {
            // The text before it belonged to whoever wanted more.
            io.cbuf.borrow_mut().clear();
            return Err(super::decode::raise(ctx, &failure));
        }
        let last = io.rbuf.borrow().is_empty() && !fill(ctx, io)?;
        let before = io.cbuf.borrow().len();
        let failed = {
            let mut rbuf = io.rbuf.borrow_mut();
            let ahead = rbuf.bytes();
            let ahead = if extent == Extent::Character { &ahead[..ahead.len().min(CHARACTER_AHEAD)] } else { ahead };
            let line = memchr::memchr(b'\n', ahead).map_or(ahead.len(), |at| at + 1);
            let mut raw = &ahead[..line];
            let mut decoder = io.decoder.borrow_mut();
            let Some(decoder) = decoder.as_mut() else { return Ok(!last) };
            decoder.feed(&mut raw, &mut io.cbuf.borrow_mut().data, last, extent);
            let used = line - raw.len();
            if io.internal.get().is_none() {
                let mut kept = io.raw_text.borrow_mut();
                if before == 0 {
                    kept.clear();
                }
                kept.extend_from_slice(&ahead[..used]);
            }
            rbuf.consume(used);
            let again = decoder.failed();
            if let Some(again) = &again {
                rbuf.unread(again);
            }
            again.is_some()
        };
        if failed && io.cbuf.borrow().len() == before {
            continue;
        }
        if io.cbuf.borrow().len() > before {
            return Ok(true);
        }
        if last {
            return Ok(false);
        }
    }
}

/// Reading from a terminal shows what standard output holds first.
fn flush_tied(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<()> {
    if io.has(mode::TTY) {
        let stdout = ctx.extension::<super::state::IoTable>().stdout.get();
        if let Some(out) = stdout.and_then(|v| super::state::try_state(ctx, v)).filter(|s| s.has(mode::TTY)) {
            flush(ctx, &out)?;
        }
    }
    Ok(())
}

/// Reads everything that is left, decoded.
pub fn read_all(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<Vec<u8>> {
    loop {
        let want = match remaining_size(io) {
            0 => READ_CHUNK,
            size => size,
        };
        if !fill_want(ctx, io, want)? {
            break;
        }
    }
    if io.decoder.borrow().is_some() {
        while fill_text(ctx, io)? {}
    }
    let mut text = io.text().borrow_mut();
    let n = text.len();
    Ok(text.take(n))
}

/// How much a regular file still has, one more byte to meet its end at once.
fn remaining_size(io: &IoState) -> usize {
    if !io.has(mode::REGULAR) {
        return 0;
    }
    let fd = io.fd.get();
    // SAFETY: plain queries; the stat buffer is ours.
    unsafe {
        let mut st: libc::stat = std::mem::zeroed();
        if libc::fstat(fd, &mut st) != 0 || st.st_size <= 0 {
            return 0;
        }
        let pos = libc::lseek(fd, 0, libc::SEEK_CUR);
        (st.st_size - pos.max(0)).clamp(0, 1 << 30) as usize + 1
    }
}

/// Seeks back over what was read ahead, so that the descriptor stands where the program thinks it does.
pub fn unread_to_file(io: &IoState) {
    let ahead = io.rbuf.borrow().len();
    if ahead > 0 && io.has(mode::REGULAR) {
        // SAFETY: a plain call.
        unsafe { libc::lseek(io.fd.get(), -(ahead as i64), libc::SEEK_CUR) };
        io.clear_read();
    }
}

// -- writing --------------------------------------------------------------------------------

/// Appends to the write buffer, and writes it out when it is full or the IO wants it.
pub fn write(ctx: &mut Ctx, io: &Rc<IoState>, bytes: &[u8]) -> Result<()> {
    let direct = io.has(mode::SYNC) || bytes.len() >= WRITE_BUFFER;
    let newline = io.has(mode::LINE) && memchr::memchr(b'\n', bytes).is_some();
    if direct && io.flusher.get() != 0 {
        // The bytes stay this thread's until their turn comes: a kill or a close takes them back, and no forked child has them.
        await_turn(ctx, io)?;
    }
    let outcome = write_in_turn(ctx, io, bytes, direct, newline);
    pass_turn(ctx, io);
    outcome
}

fn write_in_turn(ctx: &mut Ctx, io: &Rc<IoState>, mut bytes: &[u8], direct: bool, newline: bool) -> Result<()> {
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
    if direct || newline || io.wbuf.borrow().len() >= WRITE_BUFFER {
        flush(ctx, io)?;
    }
    Ok(())
}

/// A long text goes through a buffer in pieces. What the system refuses is dropped; what an interrupt keeps from being written
/// stays buffered, unless the IO has `sync`.
fn write_pieces(ctx: &mut Ctx, io: &Rc<IoState>, text: &[u8]) -> Result<()> {
    let (mut done, mut refused) = (0, false);
    let outcome = flushing(ctx, io, |ctx, io| {
        let mut piece = Vec::new();
        while done < text.len() {
            piece.clear();
            piece.extend_from_slice(&text[done..text.len().min(done + PIECE)]);
            let written = write_all(ctx, io, &mut piece, WRITE);
            done += written.bytes;
            refused = written.refused;
            written.outcome?;
        }
        Ok(())
    });
    if outcome.is_err() && !refused && !io.has(mode::SYNC) && !io.closed() && io.closing.get() == 0 {
        // What others have added meanwhile comes behind.
        io.wbuf.borrow_mut().splice(..0, text[done..].iter().copied());
    }
    outcome
}

/// Writes the whole write buffer out. What an interrupt keeps from being written stays buffered, and so does
/// what the system refuses, unless the IO has `sync`; what a close cuts short is dropped. A signal handler that writes to the IO
/// that its thread writes to leaves its bytes to that.
pub fn flush(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<()> {
    flush_for(ctx, io, WRITE)
}

/// `flush` by the function that errors name.
fn flush_for(ctx: &mut Ctx, io: &Rc<IoState>, function: &str) -> Result<()> {
    if !await_turn(ctx, io)? {
        return Ok(());
    }
    if io.wbuf.borrow().is_empty() {
        pass_turn(ctx, io);
        return Ok(());
    }
    flushing(ctx, io, |ctx, io| flush_mine(ctx, io, function))
}

/// Waits until no other thread writes to the IO. False: this one does, further down on its stack. IOError if the IO is closed meanwhile.
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
        let written = write_all(ctx, io, &mut bytes, function);
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

/// Writes `bytes` past the write buffer, behind what it holds: an errno if the system refuses. What cannot be written is dropped.
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
    /// The system has refused the rest.
    refused: bool,
    outcome: Result<()>,
}

/// Writes `bytes`; an error of the system names `function`. The vector's content is not changed, but it may be moved outside the lock
/// meanwhile.
fn write_all(ctx: &mut Ctx, io: &Rc<IoState>, bytes: &mut Vec<u8>, function: &str) -> Written {
    let mut done = 0;
    while done < bytes.len() {
        match write_some(ctx, io, bytes, done) {
            Err(unwind) => return Written { bytes: done, refused: false, outcome: Err(unwind) },
            Ok(Ok(n)) => done += n,
            Ok(Err(e)) => {
                let unwind = fail(ctx, io, e, function);
                if e == libc::EPIPE && io.has(mode::STANDARD) && io.fd.get() == 1 {
                    note_broken_stdout(ctx);
                }
                return Written { bytes: done, refused: true, outcome: Err(unwind) };
            }
        }
    }
    Written { bytes: done, refused: false, outcome: Ok(()) }
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
pub fn write_some(ctx: &mut Ctx, io: &Rc<IoState>, bytes: &mut Vec<u8>, from: usize) -> Result<std::result::Result<usize, i32>> {
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
                // A socket polls as writable only when most of its buffer is free; a write(2) that waits goes on with less.
                Attempt::Done(Err(libc::EAGAIN)) if bytes.len() - from > INSIDE_MAX && may_block(ctx, io) => write_outside(ctx, io, fd, bytes, from)?,
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
        let part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
        // SAFETY: one part, valid for its length, which the kernel only reads; the position -1 is the file's own.
        let n = unsafe { libc::pwritev2(fd, &part, 1, -1, libc::RWF_NOWAIT) };
        match if n < 0 { Err(errno::last()) } else { Ok(n as usize) } {
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

/// A write(2) outside the lock. The bytes come back even when an interrupt arrives.
fn write_outside(ctx: &mut Ctx, io: &Rc<IoState>, fd: i32, bytes: &mut Vec<u8>, from: usize) -> Result<std::result::Result<usize, i32>> {
    let kind = if io.has(mode::REGULAR) { Kind::Short(&WRITE_SITE) } else { Kind::Long };
    let back = std::sync::Arc::new(std::mem::take(bytes));
    let shared = back.clone();
    let outcome = waiting::outside(ctx, io, fd, kind, move || write_fd(fd, &shared[from..]));
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

// -- closing --------------------------------------------------------------------------------

/// Closes both descriptors after flushing. Who waits on them gets an IOError first.
pub fn close(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<()> {
    if io.closed() {
        return Ok(());
    }
    if io.flusher.get() != 0 && io.flusher.get() != ctx.thread().id {
        io.closing.set(io.closing.get() + 1);
        io.closes.set(io.closes.get().wrapping_add(1));
        let stopped = stop_writers(ctx, io);
        io.closing.set(io.closing.get() - 1);
        stopped?;
        if io.closed() {
            return Ok(());
        }
    }
    if io.has(mode::WRITE) {
        let end = end_of_text(io);
        io.wbuf.borrow_mut().extend_from_slice(&end);
    }
    let flushed = if io.has(mode::WRITE) && !io.closed() { flush_for(ctx, io, "fptr_finalize_flush") } else { Ok(()) };
    if io.closed() && flushed.is_err() {
        // Another thread has closed it while this one flushed.
        ctx.clear_pending();
        return Ok(());
    }
    ctx.ensure(
        |_| flushed,
        |ctx| {
            let outcome = give_up_fds(ctx, io);
            io.clear_read();
            io.wbuf.borrow_mut().clear();
            outcome
        },
    )
}

/// For a close: threads that are stuck in a write and those that wait for them give up.
fn stop_writers(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<()> {
    while io.flusher.get() != 0 && !io.closed() {
        evict(ctx, io, &[io.out_fd()], false)?;
        if io.flusher.get() != 0 {
            let me = ctx.thread().clone();
            io.flush_queue.enter(me, || ctx.park(None))?;
        }
    }
    Ok(())
}

fn give_up_fds(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<()> {
    let keep = io.has(mode::KEEP_OPEN) || io.has(mode::STANDARD) && io.fd.get() <= 2;
    let fds: Vec<i32> = [&io.fd, &io.write_fd].into_iter().map(|cell| cell.replace(-1)).filter(|fd| *fd >= 0).collect();
    evict(ctx, io, &fds, !keep)
}

/// In the child of a fork: who waited for an IO or wrote to it is gone.
pub fn after_fork(ctx: &mut Ctx) {
    let all: Vec<u64> = ctx.extension::<super::state::IoTable>().open.borrow().iter().copied().collect();
    let me = ctx.thread().id;
    for bits in all {
        let Some(io) = super::state::try_state(ctx, Value::from_bits(bits)) else { continue };
        io.waiters.forget();
        io.flush_queue.forget();
        io.closing.set(0);
        if io.flusher.get() != me {
            io.flusher.set(0);
        }
    }
}

/// Bytes of the IO's path, for messages.
pub fn path_bytes(ctx: &Ctx, io: &IoState) -> Vec<u8> {
    rubellite_vm::object::Str::try_of(io.path.get()).map(|s| s.bytes(ctx).to_vec()).unwrap_or_default()
}

/// An error of the system on the IO, in the function that CRuby names; an IO without a path has neither in its message.
#[cold]
pub fn fail(ctx: &mut Ctx, io: &IoState, e: i32, function: &str) -> Unwind {
    match Str::try_of(io.path.get()) {
        Some(path) => {
            let path = PathBytes::of(ctx, path);
            errno::fail_at(ctx, e, function, &path)
        }
        None => errno::fail(ctx, e, ""),
    }
}

/// Flushes every open IO without raising: at the end of the process and before fork and exec.
pub fn flush_all(ctx: &mut Ctx) {
    let all: Vec<u64> = ctx.extension::<super::state::IoTable>().open.borrow().iter().copied().collect();
    for bits in all {
        let Some(io) = super::state::try_state(ctx, Value::from_bits(bits)) else { continue };
        let bytes = std::mem::take(&mut *io.wbuf.borrow_mut());
        super::state::write_out(io.out_fd(), &bytes);
    }
}
