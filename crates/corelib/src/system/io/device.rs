//! Reads, writes and waits on descriptors: where input and output meet the VM lock.
//!
//! A descriptor that cannot make others wait (a regular file) or that is non-blocking is tried while the lock
//! is held; the lock is left only to wait, or for large transfers of regular files. A blocking descriptor is
//! asked with poll(2) first, and read outside the lock when nothing is there.
//!
//! Closing: who waits is on the list of the IO's state. `close` marks the state, interrupts the listed
//! threads and waits until the list is empty; only then the descriptor is closed, so its number cannot be reused
//! under a waiter.

use super::state::{IoState, io_error, mode};
use crate::system::errno;
use rubellite_vm::thread::interrupt_bits;
use rubellite_vm::vmlock::{Kind, RegionSite, Unblock};
use rubellite_vm::{Ctx, Result, Value};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Bytes asked for when a buffer is filled.
const READ_CHUNK: usize = 16 * 1024;
/// Buffered output is written when it reaches this size.
pub const WRITE_BUFFER: usize = 64 * 1024;
/// Transfers of regular files above this size leave the lock.
const INSIDE_MAX: usize = 128 * 1024;
/// A blocking pipe or terminal that polls as writable takes at least this much (PIPE_BUF).
const PIPE_ATOMIC: usize = 4096;

static READ_SITE: RegionSite = RegionSite::new("read of a file");
static WRITE_SITE: RegionSite = RegionSite::new("write to a file");

/// What a wait on a descriptor came to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Waited {
    Ready(i16),
    TimedOut,
}

/// Waits until the descriptor is ready for `events` (poll bits) or the deadline passes. The caller's IO may have been
/// closed meanwhile: that raises.
pub fn wait(ctx: &mut Ctx, io: &Rc<IoState>, fd: i32, events: i16, deadline: Option<Instant>) -> Result<Waited> {
    loop {
        let outcome = listed(ctx, io, |ctx| ctx.try_blocking(Kind::Long, Unblock::Signal, move || poll_once(fd, events, deadline)))?;
        match outcome {
            Some(Ok(0)) => {
                if deadline.is_some_and(|d| d <= Instant::now()) {
                    return Ok(Waited::TimedOut);
                }
            }
            Some(Ok(revents)) => return Ok(Waited::Ready(revents)),
            Some(Err(libc::EINTR)) | None => ctx.check_interrupts()?,
            Some(Err(e)) => return Err(errno::fail(ctx, e, "")),
        }
    }
}

/// Runs `wait` with the thread on the list of those who wait for this IO.
fn listed<T>(ctx: &mut Ctx, io: &Rc<IoState>, wait: impl FnOnce(&mut Ctx) -> Result<T>) -> Result<T> {
    let me = ctx.thread().clone();
    io.waiters.borrow_mut().push(me.clone());
    let outcome = wait(ctx);
    io.waiters.borrow_mut().retain(|t| t.id != me.id);
    if io.closing.get() {
        let pending = outcome.is_err();
        if !pending {
            return Err(io_error(ctx, "stream closed in another thread"));
        }
    }
    outcome
}

fn poll_once(fd: i32, events: i16, deadline: Option<Instant>) -> std::result::Result<i16, i32> {
    let timeout_ms = match deadline {
        None => -1,
        Some(at) => at.saturating_duration_since(Instant::now()).as_micros().div_ceil(1000).min(i32::MAX as u128) as i32,
    };
    poll_now(fd, events, timeout_ms)
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

/// The deadline that `IO#timeout` sets for one wait.
pub fn io_deadline(ctx: &mut Ctx, io: &IoState) -> Result<Option<Instant>> {
    let timeout = io.timeout.get();
    if timeout.is_nil() {
        return Ok(None);
    }
    let seconds = crate::system::process::clock::duration_of(ctx, timeout)?;
    Ok(Instant::now().checked_add(seconds))
}

/// Reads once into `buf`, waiting if nothing is there; 0 at the end of the file. `buf` is no Ruby object's memory.
pub fn read_into(ctx: &mut Ctx, io: &Rc<IoState>, buf: &mut Vec<u8>, want: usize) -> Result<usize> {
    buf.reserve(want);
    loop {
        if io.closing.get() || io.fd.get() < 0 {
            return Err(io_error(ctx, "stream closed in another thread"));
        }
        let fd = io.fd.get();
        let got = if io.has(mode::REGULAR) && want <= INSIDE_MAX || io.has(mode::NONBLOCK) {
            read_fd(fd, buf, want)
        } else {
            match poll_now(fd, libc::POLLIN, if io.has(mode::REGULAR) { -1 } else { 0 }) {
                Ok(0) => Err(libc::EAGAIN),
                Ok(_) => read_outside(ctx, io, fd, buf, want)?,
                Err(e) => Err(e),
            }
        };
        match got {
            Ok(n) => return Ok(n),
            Err(libc::EINTR) => ctx.check_interrupts()?,
            Err(libc::EAGAIN) => {
                let deadline = io_deadline(ctx, io)?;
                if wait(ctx, io, fd, libc::POLLIN, deadline)? == Waited::TimedOut {
                    return Err(ctx.raise_error("IO::TimeoutError", "Blocking operation timed out!"));
                }
                if !io.has(mode::NONBLOCK | mode::REGULAR) {
                    match read_outside(ctx, io, fd, buf, want)? {
                        Ok(n) => return Ok(n),
                        Err(libc::EINTR | libc::EAGAIN) => {}
                        Err(e) => return Err(read_error(ctx, io, e)),
                    }
                }
            }
            Err(e) => return Err(read_error(ctx, io, e)),
        }
    }
}

fn read_error(ctx: &mut Ctx, io: &IoState, e: i32) -> rubellite_vm::Unwind {
    let path = path_bytes(ctx, io);
    errno::fail_at(ctx, e, "io_fread", &path)
}

/// A read(2) outside the lock: of a blocking descriptor that another process may drain first, or a large one.
fn read_outside(ctx: &mut Ctx, io: &Rc<IoState>, fd: i32, buf: &mut Vec<u8>, want: usize) -> Result<std::result::Result<usize, i32>> {
    let mut own = std::mem::take(buf);
    let kind = if io.has(mode::REGULAR) { Kind::Short(&READ_SITE) } else { Kind::Long };
    let outcome = listed(ctx, io, |ctx| {
        ctx.try_blocking(kind, Unblock::Signal, move || {
            let got = read_fd(fd, &mut own, want);
            (own, got)
        })
    })?;
    Ok(match outcome {
        Some((own, got)) => {
            *buf = own;
            got
        }
        None => Err(libc::EINTR),
    })
}

fn read_fd(fd: i32, buf: &mut Vec<u8>, want: usize) -> std::result::Result<usize, i32> {
    buf.reserve(want);
    let spare = buf.spare_capacity_mut();
    // SAFETY: at least `want` spare bytes are reserved.
    let n = unsafe { libc::read(fd, spare.as_mut_ptr().cast(), want) };
    if n < 0 {
        return Err(errno::last());
    }
    // SAFETY: the kernel has written n bytes behind the old length.
    unsafe { buf.set_len(buf.len() + n as usize) };
    Ok(n as usize)
}

/// Adds a chunk to the read buffer; false at the end of the file.
pub fn fill(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<bool> {
    fill_want(ctx, io, READ_CHUNK)
}

fn fill_want(ctx: &mut Ctx, io: &Rc<IoState>, want: usize) -> Result<bool> {
    flush_tied(ctx, io)?;
    if io.decoder.borrow().is_some() {
        return fill_decoded(ctx, io, want);
    }
    let mut own = std::mem::take(&mut io.rbuf.borrow_mut().data);
    let pos = std::mem::take(&mut io.rbuf.borrow_mut().pos);
    if pos > 0 {
        own.drain(..pos);
    }
    let outcome = read_into(ctx, io, &mut own, want);
    let mut rbuf = io.rbuf.borrow_mut();
    if !rbuf.is_empty() {
        // Another thread has put something there meanwhile.
        own.extend_from_slice(rbuf.bytes());
    }
    rbuf.data = own;
    rbuf.pos = 0;
    drop(rbuf);
    Ok(outcome? > 0)
}

fn fill_decoded(ctx: &mut Ctx, io: &Rc<IoState>, want: usize) -> Result<bool> {
    loop {
        let mut raw = Vec::new();
        let n = read_into(ctx, io, &mut raw, want)?;
        let before = io.rbuf.borrow().len();
        let fed = {
            let mut rbuf = io.rbuf.borrow_mut();
            let mut decoder = io.decoder.borrow_mut();
            let Some(decoder) = decoder.as_mut() else { return Ok(n > 0) };
            decoder.feed(&raw, &mut rbuf.data, n == 0)
        };
        if let Err(failure) = fed {
            return Err(super::decode::raise(ctx, &failure));
        }
        if io.rbuf.borrow().len() > before {
            return Ok(true);
        }
        if n == 0 {
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

/// Reads everything that is left.
pub fn read_all(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<Vec<u8>> {
    let size = remaining_size(io);
    while fill_want(ctx, io, size.max(READ_CHUNK))? {}
    let mut rbuf = io.rbuf.borrow_mut();
    let n = rbuf.len();
    Ok(rbuf.take(n))
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
        io.rbuf.borrow_mut().clear();
    }
}

// -- writing --------------------------------------------------------------------------------

/// Appends to the write buffer, and writes it out when it is full or the IO wants it.
pub fn write(ctx: &mut Ctx, io: &Rc<IoState>, bytes: &[u8]) -> Result<()> {
    let direct = io.has(mode::SYNC) || bytes.len() >= WRITE_BUFFER;
    let newline = io.has(mode::LINE) && memchr::memchr(b'\n', bytes).is_some();
    io.wbuf.borrow_mut().extend_from_slice(bytes);
    if direct || newline || io.wbuf.borrow().len() >= WRITE_BUFFER {
        flush(ctx, io)?;
    }
    Ok(())
}

/// Writes the whole write buffer out. What an interrupt keeps from being written stays buffered; what the
/// system refuses is dropped.
pub fn flush(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<()> {
    while io.flushing.get() {
        // Another thread is at it; its turn ends soon or it waits for the descriptor.
        ctx.park(Some(Instant::now() + Duration::from_millis(1)))?;
    }
    while !io.wbuf.borrow().is_empty() {
        io.flushing.set(true);
        let mut bytes = std::mem::take(&mut *io.wbuf.borrow_mut());
        let (written, outcome) = write_all(ctx, io, &mut bytes);
        io.flushing.set(false);
        bytes.drain(..written);
        // What others have added meanwhile comes behind.
        let mut wbuf = io.wbuf.borrow_mut();
        bytes.extend_from_slice(&wbuf);
        *wbuf = bytes;
        drop(wbuf);
        outcome?;
    }
    Ok(())
}

/// Writes `bytes`; returns how many were written and what ended it. The vector's content is not changed, but it may be
/// moved outside the lock meanwhile.
fn write_all(ctx: &mut Ctx, io: &Rc<IoState>, bytes: &mut Vec<u8>) -> (usize, Result<()>) {
    let mut done = 0;
    while done < bytes.len() {
        if io.closing.get() || io.out_fd() < 0 {
            return (done, Err(io_error(ctx, "stream closed in another thread")));
        }
        match write_some(ctx, io, bytes, done) {
            Err(unwind) => return (done, Err(unwind)),
            Ok(Ok(n)) => done += n,
            Ok(Err(libc::EINTR)) => {
                if let Err(unwind) = ctx.check_interrupts() {
                    return (done, Err(unwind));
                }
            }
            Ok(Err(libc::EAGAIN)) => {
                let waited = io_deadline(ctx, io).and_then(|deadline| wait(ctx, io, io.out_fd(), libc::POLLOUT, deadline));
                match waited {
                    Ok(Waited::Ready(_)) => {}
                    Ok(Waited::TimedOut) => return (done, Err(ctx.raise_error("IO::TimeoutError", "Blocking operation timed out!"))),
                    Err(unwind) => return (done, Err(unwind)),
                }
            }
            Ok(Err(e)) => {
                let path = path_bytes(ctx, io);
                let unwind = if path.is_empty() { errno::fail(ctx, e, "") } else { errno::fail_at(ctx, e, "rb_sys_fail_on_write", &path) };
                return (bytes.len(), Err(unwind));
            }
        }
    }
    (done, Ok(()))
}

/// One write(2), inside the lock when it cannot wait.
fn write_some(ctx: &mut Ctx, io: &Rc<IoState>, bytes: &mut Vec<u8>, from: usize) -> Result<std::result::Result<usize, i32>> {
    let fd = io.out_fd();
    let left = bytes.len() - from;
    let inside = if io.has(mode::REGULAR) {
        left <= INSIDE_MAX
    } else if io.has(mode::NONBLOCK) {
        true
    } else {
        left <= PIPE_ATOMIC && poll_now(fd, libc::POLLOUT, 0).is_ok_and(|r| r != 0)
    };
    if inside {
        return Ok(write_fd(fd, &bytes[from..]));
    }
    let own = std::mem::take(bytes);
    let kind = if io.has(mode::REGULAR) { Kind::Short(&WRITE_SITE) } else { Kind::Long };
    // The bytes come back even when an interrupt arrives: they are kept beside the region.
    let back = std::sync::Arc::new(own);
    let shared = back.clone();
    let outcome = listed(ctx, io, |ctx| ctx.try_blocking(kind, Unblock::Signal, move || write_fd(fd, &shared[from..])));
    *bytes = std::sync::Arc::try_unwrap(back).unwrap_or_else(|still| still.to_vec());
    Ok(outcome?.unwrap_or(Err(libc::EINTR)))
}

/// One write(2).
pub fn write_fd(fd: i32, bytes: &[u8]) -> std::result::Result<usize, i32> {
    // SAFETY: the slice is valid for its length.
    let n = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
    if n < 0 { Err(errno::last()) } else { Ok(n as usize) }
}

// -- closing --------------------------------------------------------------------------------

/// Closes both descriptors after flushing. Who waits on them gets an IOError first.
pub fn close(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<()> {
    if io.closed() || io.closing.get() {
        return Ok(());
    }
    let flushed = if io.has(mode::WRITE) { flush(ctx, io) } else { Ok(()) };
    let saved = if flushed.is_err() { Some(ctx.take_pending()) } else { None };
    let outcome = evict(ctx, io);
    let standard = io.has(mode::STANDARD) && io.fd.get() <= 2;
    let keep = io.has(mode::KEEP_OPEN) || standard;
    for cell in [&io.fd, &io.write_fd] {
        let fd = cell.replace(-1);
        if fd >= 0 && !(keep && fd <= 2) && !io.has(mode::KEEP_OPEN) {
            // SAFETY: the descriptor belongs to this IO; nobody waits on it any more.
            unsafe { libc::close(fd) };
        }
    }
    io.closing.set(false);
    io.rbuf.borrow_mut().clear();
    io.wbuf.borrow_mut().clear();
    outcome?;
    match saved {
        Some(pending) => Err(ctx.set_pending(pending)),
        None => Ok(()),
    }
}

/// Makes every thread that waits on the IO give up, and waits until they have.
pub fn evict(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<()> {
    io.closing.set(true);
    loop {
        let waiting: Vec<_> = io.waiters.borrow().clone();
        if waiting.is_empty() {
            return Ok(());
        }
        for thread in &waiting {
            thread.lock_thread.interrupt(interrupt_bits::ASYNC);
        }
        ctx.yield_lock()?;
        if !io.waiters.borrow().is_empty() {
            ctx.park(Some(Instant::now() + Duration::from_millis(1)))?;
        }
    }
}

/// Bytes of the IO's path, for messages.
pub fn path_bytes(ctx: &Ctx, io: &IoState) -> Vec<u8> {
    rubellite_vm::object::Str::try_of(io.path.get()).map(|s| s.bytes(ctx).to_vec()).unwrap_or_default()
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
