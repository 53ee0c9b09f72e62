//! Reads on descriptors, and closing: where input and output meet the VM lock. Writes lie in `writing`.
//!
//! Every transfer is tried while the lock is held, in a way that cannot wait: with RWF_NOWAIT (which asks the
//! kernel whatever the descriptor's flags say), O_NONBLOCK, or after poll(2). The lock is left only to wait
//! (`waiting`), for large transfers of regular files, and for descriptors that know none of these ways.
//!
//! Bytes that arrive go into the IO's buffer with the lock held, so that two readers of one IO neither lose nor
//! swap any.

use super::decode::{Extent, end_of_text};
use super::state::{IoState, Newline, closed_elsewhere, mode};
use super::waiting::{self, evict};
use crate::file::path::PathBytes;
use rubellite_core_object::errno;
use rubellite_core_thread::scheduler;
use rubellite_vm::object::{Grow, Str};
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Ctx, Result, Unwind, Value};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

pub use super::waiting::{Waited, wait};
use super::writing::flush_for;
pub use super::writing::{
    WRITE_BUFFER, flush, write, write_at_once, write_by_scheduler, write_fd, write_once, write_some, write_through,
};

/// Bytes asked for when a buffer is filled.
const READ_CHUNK: usize = 16 * 1024;
/// Transfers of regular files above this size leave the lock.
pub(super) const INSIDE_MAX: usize = 128 * 1024;

static READ_SITE: RegionSite = RegionSite::new("read of a file");

/// What an attempt with the lock held came to.
pub(super) enum Attempt {
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
    let seconds = rubellite_core_thread::interval::duration_of(ctx, timeout)?;
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
pub(super) fn knows_no_nowait(e: i32) -> bool {
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
        match read_with(buf, want, |slot| unsafe { read_nowait(io, fd, slot, want) }) {
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
/// `function` is the one that CRuby names in the message.
pub fn read_into(ctx: &mut Ctx, io: &Rc<IoState>, buf: &mut Vec<u8>, want: usize, function: &str) -> Result<usize> {
    try_read_into(ctx, io, buf, want)?.map_err(|e| fail(ctx, io, e, function))
}

/// `read_into` that leaves an errno of the system to the caller.
pub fn try_read_into(
    ctx: &mut Ctx,
    io: &Rc<IoState>,
    buf: &mut Vec<u8>,
    want: usize,
) -> Result<std::result::Result<usize, i32>> {
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
        if let Some(got) = after_attempt(ctx, io, fd, attempt, buf, want)? {
            return Ok(got);
        }
    }
}

/// `read_into` that does not wait for a non-blocking IO: bytes read, or an errno.
pub fn read_once(
    ctx: &mut Ctx,
    io: &Rc<IoState>,
    buf: &mut Vec<u8>,
    want: usize,
) -> Result<std::result::Result<usize, i32>> {
    if io.has(mode::NONBLOCK) && io.fd.get() >= 0 {
        Ok(read_fd(io.fd.get(), buf, want))
    } else {
        try_read_into(ctx, io, buf, want)
    }
}

/// A read by the scheduler of the running fiber, if it has one that reads.
fn read_by_scheduler(
    ctx: &mut Ctx,
    io: &IoState,
    want: usize,
    offset: Option<i64>,
) -> Result<Option<std::result::Result<Vec<u8>, i32>>> {
    match scheduler::current(ctx) {
        Some(scheduler) => super::scheduled::io_read(ctx, scheduler, io.object.get(), want, offset),
        None => Ok(None),
    }
}

/// Finishes an attempt to read: waits, reads outside. `None`: to be tried again.
fn after_attempt(
    ctx: &mut Ctx,
    io: &Rc<IoState>,
    fd: i32,
    attempt: Attempt,
    buf: &mut Vec<u8>,
    want: usize,
) -> Result<Option<std::result::Result<usize, i32>>> {
    let got = match attempt {
        Attempt::Done(got) => got,
        Attempt::Outside => read_outside(ctx, io, fd, buf, want)?,
    };
    match got {
        Err(libc::EINTR) => ctx.after_wait()?,
        Err(libc::EAGAIN) => wait_within_timeout(ctx, io, fd, libc::POLLIN)?,
        done => return Ok(Some(done)),
    }
    Ok(None)
}

/// A read(2) outside the lock: of a blocking descriptor that another process may drain first, or a large one.
fn read_outside(
    ctx: &mut Ctx,
    io: &Rc<IoState>,
    fd: i32,
    buf: &mut Vec<u8>,
    want: usize,
) -> Result<std::result::Result<usize, i32>> {
    // Who waits for the descriptor must not be left behind.
    buf.make_room(want);
    let mut own = std::mem::take(buf);
    let kind = if io.has(mode::REGULAR) { Kind::Short(&READ_SITE) } else { Kind::Long };
    let outcome = waiting::on_list(ctx, io, fd, kind, || read_fd(fd, &mut own, want));
    *buf = own;
    Ok(outcome?.unwrap_or(Err(libc::EINTR)))
}

/// One read(2) of at most `want` bytes behind `buf`'s content: how many came, or an errno.
pub(super) fn read_fd(fd: i32, buf: &mut Vec<u8>, want: usize) -> std::result::Result<usize, i32> {
    // SAFETY: the slot is valid for `want` bytes.
    read_with(buf, want, |slot| unsafe { libc::read(fd, slot.cast(), want) })
}

/// What a read buffer that has no memory yet asks for. It stays as small as the messages are, which counts when
/// thousands of connections wait; a read that finds more than this makes it large.
const FIRST_BYTES: usize = 1024;

/// `read_now` for a read buffer.
fn fill_now(io: &IoState, fd: i32, buf: &mut Vec<u8>, want: usize) -> Attempt {
    if buf.capacity() - buf.len() >= want || io.has(mode::REGULAR | mode::NO_NOWAIT) {
        return read_now(io, fd, buf, want);
    }
    let mut first = [0; FIRST_BYTES];
    // SAFETY: the slot is valid for its length.
    let n = unsafe { read_nowait(io, fd, first.as_mut_ptr(), FIRST_BYTES) };
    match usize::try_from(n) {
        Ok(n) => {
            let more = n == FIRST_BYTES && buf.try_reserve(want).is_ok();
            buf.extend_from_slice(&first[..n]);
            if !more {
                return Attempt::Done(Ok(n));
            }
            // There was more than that: what is there already comes along, and whatever stops this read the next one
            // meets again.
            // SAFETY: the slot is valid for the bytes that it is asked for.
            let rest = read_with(buf, want - n, |slot| unsafe { read_nowait(io, fd, slot, want - n) });
            Attempt::Done(Ok(n + rest.unwrap_or(0)))
        }
        Err(_) if knows_no_nowait(errno::last()) => read_now(io, fd, buf, want),
        Err(_) => Attempt::Done(Err(errno::last())),
    }
}

/// A read that answers EAGAIN rather than wait, whatever the descriptor's flags are.
///
/// # Safety
/// `slot` is valid for `want` bytes.
unsafe fn read_nowait(io: &IoState, fd: i32, slot: *mut u8, want: usize) -> isize {
    if io.has(mode::SOCKET) {
        // SAFETY: the slot is valid by contract.
        let n = unsafe { libc::recv(fd, slot.cast(), want, libc::MSG_DONTWAIT) };
        if n >= 0 || errno::last() != libc::ENOTSOCK {
            return n;
        }
        io.set(mode::SOCKET, false);
    }
    let part = libc::iovec { iov_base: slot.cast(), iov_len: want };
    // SAFETY: one part, valid by contract; the position -1 is the file's own.
    unsafe { libc::preadv2(fd, &part, 1, -1, libc::RWF_NOWAIT) }
}

/// Appends what `read` writes to the slot of `want` bytes that it gets.
fn read_with(buf: &mut Vec<u8>, want: usize, read: impl FnOnce(*mut u8) -> isize) -> std::result::Result<usize, i32> {
    buf.make_room(want);
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
            waiting::on_list(ctx, io, fd, Kind::Short(&READ_SITE), read)?.unwrap_or(Err(libc::EINTR))
        };
        match done {
            Err(libc::EINTR) => ctx.after_wait()?,
            done => return Ok(done),
        }
    }
}

/// Adds a chunk to the read buffer; false at the end of the file. Another thread may have read from the buffer
/// meanwhile.
pub fn fill(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<bool> {
    fill_want(ctx, io, READ_CHUNK, false)
}

/// `whole`: for all of a file of which nothing was read before, which shows in the message of an error.
fn fill_want(ctx: &mut Ctx, io: &Rc<IoState>, want: usize, whole: bool) -> Result<bool> {
    flush_tied(ctx, io)?;
    // What never waits, such as a device, comes to no safepoint by itself.
    ctx.check_interrupts()?;
    loop {
        let fd = io.fd.get();
        if fd < 0 {
            return Err(closed_elsewhere(ctx));
        }
        make_room(ctx, &io.rbuf, want)?;
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
        // Another thread may fill the buffer meanwhile: this one brings its bytes along. Its memory, if it is empty,
        // need not stay.
        let before = io.rbuf.borrow().len();
        let mut own = if before == 0 { std::mem::take(&mut io.rbuf.borrow_mut().data) } else { Vec::new() };
        let got = match after_attempt(ctx, io, fd, attempt, &mut own, want)? {
            Some(got) => {
                Some(got.map_err(|e| if whole { fail(ctx, io, e, "io_fread") } else { fill_failed(ctx, io, e) })?)
            }
            None => None,
        };
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

/// A buffer that is shorter grows by what little is read at a time.
const LONG_BUFFER: usize = 1 << 20;

/// NoMemoryError when a long buffer cannot grow by `want` bytes. What it holds is given up: a program that goes on has
/// need of the memory.
fn make_room(ctx: &mut Ctx, buffer: &RefCell<super::state::ReadBuf>, want: usize) -> Result<()> {
    {
        let mut buffer = buffer.borrow_mut();
        if buffer.len() < LONG_BUFFER || buffer.data.try_make_room(want) {
            return Ok(());
        }
        buffer.clear();
        buffer.data = Vec::new();
    }
    Err(ctx.no_memory())
}

/// Bytes that hold a character of any encoding.
const CHARACTER_AHEAD: usize = 64;

/// Adds to the buffer of characters; false at the end of the file. Decodes a line at a time, so that the
/// position in the file stays near what has been read.
pub fn fill_text(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<bool> {
    // A byte that looks like a newline is none where characters have several.
    let wide = io.internal.get().and(io.external.get()).is_some_and(|from| from.min_len() > 1);
    fill_decoded(ctx, io, if wide { Extent::Character } else { Extent::All })
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
        make_room(ctx, &io.cbuf, before)?;
        let failed = {
            let mut rbuf = io.rbuf.borrow_mut();
            let ahead = rbuf.bytes();
            let most = match extent {
                Extent::All => ahead.len(),
                // The step that changes line ends would pass on whole runs of characters.
                Extent::Character if io.newline.get() == Newline::Universal && io.internal.get().is_some() => 1,
                Extent::Character => CHARACTER_AHEAD,
            };
            let ahead = &ahead[..ahead.len().min(most)];
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
    let none_yet = io.rbuf.borrow().is_empty();
    loop {
        let want = match remaining_size(io) {
            0 => READ_CHUNK,
            size => size,
        };
        let whole = none_yet && io.decoder.borrow().is_none();
        if !fill_want(ctx, io, want, whole)? {
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
    // Standard input, output and error stay open, whoever closes them.
    let keep = io.has(mode::KEEP_OPEN) || io.fd.get() <= 2;
    let fds: Vec<i32> = [&io.fd, &io.write_fd].into_iter().map(|cell| cell.replace(-1)).filter(|fd| *fd >= 0).collect();
    evict(ctx, io, &fds, !keep)
}

/// In the child of a fork: who waited for an IO or wrote to it is gone.
pub fn after_fork(ctx: &mut Ctx) {
    // tidy: the objects are alive, and nothing is collected meanwhile
    let all: Vec<Value> = ctx.extension::<super::state::IoTable>().open.borrow().iter().copied().collect();
    let me = ctx.thread().id;
    for object in all {
        let Some(io) = super::state::try_state(ctx, object) else { continue };
        io.waiters.forget();
        io.flush_queue.forget();
        io.closing.set(0);
        if io.flusher.get() != me {
            io.flusher.set(0);
            io.draining.set(false);
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

/// The same for the buffer that characters and lines come from: the descriptor is named before the path, also without
/// one.
#[cold]
fn fill_failed(ctx: &mut Ctx, io: &IoState, e: i32) -> Unwind {
    let mut name = PathBytes::of_system(format!("fd:{} ", io.fd.get()).into_bytes());
    if let Some(path) = Str::try_of(io.path.get()) {
        name.encoding = path.encoding();
        name.bytes.extend_from_slice(path.bytes(ctx));
    }
    errno::fail_at(ctx, e, "io_fillbuf", &name)
}

/// Flushes every open IO without raising: at the end of the process and before fork and exec.
pub fn flush_all(ctx: &mut Ctx) {
    // tidy: the objects are alive, and nothing is collected meanwhile
    let all: Vec<Value> = ctx.extension::<super::state::IoTable>().open.borrow().iter().copied().collect();
    for object in all {
        let Some(io) = super::state::try_state(ctx, object) else { continue };
        let bytes = std::mem::take(&mut *io.wbuf.borrow_mut());
        super::state::write_out(io.out_fd(), &bytes);
    }
}
