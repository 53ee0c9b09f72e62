//! Socket system calls: tried while the lock is held, which is left only to wait.
//!
//! Sockets of ours are non-blocking from the start. Calls that take flags say MSG_DONTWAIT, so that they do not block
//! on others either; connect and accept make a blocking descriptor non-blocking first.
//!
//! A descriptor that is not in an IO object yet is an `OwnedFd`: an interrupt during a wait drops and so closes it.

use super::address;
pub use rubellite_core_io::descriptors::Sys;
use rubellite_core_io::descriptors::with_room;
use rubellite_core_io::io::device;
use rubellite_core_io::io::methods::set_nonblock;
use rubellite_core_io::io::state;
use rubellite_core_io::io::state::{IoState, closed_elsewhere, io_error, mode};
use rubellite_core_object::errno;
use rubellite_vm::object::{Data, Grow};
use rubellite_vm::outside::once;
use rubellite_vm::vmlock::Kind;
use rubellite_vm::{Ctx, Encoding, Ends, Leave, Result, Value};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Room for any socket address.
const ADDRESS_MAX: usize = size_of::<libc::sockaddr_storage>();

fn check(n: libc::c_int) -> Sys<i32> {
    if n < 0 { Err(errno::last()) } else { Ok(n) }
}

pub fn socket(ctx: &mut Ctx, family: i32, kind: i32, protocol: i32) -> Sys<OwnedFd> {
    with_room(ctx, || {
        // SAFETY: a plain call; the descriptor is new and ours.
        unsafe {
            check(libc::socket(family, kind | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK, protocol))
                .map(|fd| OwnedFd::from_raw_fd(fd))
        }
    })
}

pub fn socketpair(ctx: &mut Ctx, family: i32, kind: i32, protocol: i32) -> Sys<(OwnedFd, OwnedFd)> {
    with_room(ctx, || {
        let mut fds = [0; 2];
        // SAFETY: two descriptors are written; both are new and ours.
        unsafe {
            check(libc::socketpair(
                family,
                kind | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK,
                protocol,
                fds.as_mut_ptr(),
            ))?;
            Ok((OwnedFd::from_raw_fd(fds[0]), OwnedFd::from_raw_fd(fds[1])))
        }
    })
}

pub fn bind(fd: i32, addr: &[u8]) -> Sys<()> {
    // SAFETY: the address is valid for its length.
    check(unsafe { libc::bind(fd, addr.as_ptr().cast(), addr.len() as libc::socklen_t) }).map(drop)
}

pub fn listen(fd: i32, backlog: i32) -> Sys<()> {
    // SAFETY: a plain call.
    check(unsafe { libc::listen(fd, backlog) }).map(drop)
}

pub fn shutdown(fd: i32, how: i32) -> Sys<()> {
    // SAFETY: a plain call.
    check(unsafe { libc::shutdown(fd, how) }).map(drop)
}

type NameCall = unsafe extern "C" fn(libc::c_int, *mut libc::sockaddr, *mut libc::socklen_t) -> libc::c_int;

fn name(fd: i32, call: NameCall) -> Sys<Vec<u8>> {
    let mut addr = vec![0u8; ADDRESS_MAX];
    let mut len = ADDRESS_MAX as libc::socklen_t;
    // SAFETY: the buffer is as long as `len` says.
    check(unsafe { call(fd, addr.as_mut_ptr().cast(), &mut len) })?;
    addr.truncate(len as usize);
    Ok(addr)
}

pub fn local_name(fd: i32) -> Sys<Vec<u8>> {
    name(fd, libc::getsockname)
}

pub fn peer_name(fd: i32) -> Sys<Vec<u8>> {
    name(fd, libc::getpeername)
}

pub fn set_option(fd: i32, level: i32, option: i32, data: &[u8]) -> Sys<()> {
    // SAFETY: the data is valid for its length.
    check(unsafe { libc::setsockopt(fd, level, option, data.as_ptr().cast(), data.len() as libc::socklen_t) }).map(drop)
}

pub fn set_flag(fd: i32, level: i32, option: i32, on: bool) -> Sys<()> {
    set_option(fd, level, option, &i32::from(on).to_ne_bytes())
}

/// What is large enough for the options that there are.
pub type OptionBytes = [u8; 256];

/// The bytes of an option.
pub fn option(fd: i32, level: i32, option: i32, data: &mut OptionBytes) -> Sys<&[u8]> {
    let mut len = data.len() as libc::socklen_t;
    // SAFETY: the buffer is as long as `len` says.
    check(unsafe { libc::getsockopt(fd, level, option, data.as_mut_ptr().cast(), &mut len) })?;
    Ok(&data[..data.len().min(len as usize)])
}

pub fn int_option(fd: i32, level: i32, name: i32) -> Sys<i32> {
    let mut value = 0i32;
    let mut len = size_of::<i32>() as libc::socklen_t;
    // SAFETY: the number is as long as `len` says.
    check(unsafe { libc::getsockopt(fd, level, name, (&raw mut value).cast(), &mut len) })?;
    Ok(value)
}

/// The family of a socket, AF_UNSPEC when it cannot be asked.
pub fn family_of(fd: i32) -> i32 {
    int_option(fd, libc::SOL_SOCKET, libc::SO_DOMAIN).unwrap_or(libc::AF_UNSPEC)
}

/// `family_of` an open socket, which is asked once.
pub fn family(io: &IoState) -> i32 {
    let known = (io.mode.get() & mode::FAMILY) >> mode::FAMILY_SHIFT;
    if known != 0 {
        return known as i32;
    }
    let family = family_of(io.fd.get());
    if (1..256).contains(&family) {
        io.set((family as u32) << mode::FAMILY_SHIFT, true);
    }
    family
}

/// Whether receiving nothing is the end of a connection, and no empty message.
pub fn has_end(fd: i32) -> bool {
    int_option(fd, libc::SOL_SOCKET, libc::SO_TYPE) != Ok(libc::SOCK_DGRAM)
}

/// Whether the socket carries a stream, in which messages have no bounds.
pub fn is_stream(fd: i32) -> bool {
    int_option(fd, libc::SOL_SOCKET, libc::SO_TYPE) == Ok(libc::SOCK_STREAM)
}

// -- making IO objects ------------------------------------------------------------------------

/// A new socket object of `class` around the descriptor.
pub fn wrap(ctx: &mut Ctx, class: Value, fd: OwnedFd) -> Value {
    let io = Data::new_empty(ctx, class);
    install(ctx, io, fd);
    io.value()
}

/// Gives an allocated socket object its descriptor.
pub fn install(ctx: &mut Ctx, io: Data, fd: OwnedFd) {
    let bits = mode::READ | mode::WRITE | mode::SYNC | mode::BINARY | mode::BINMODE_CALLED | mode::NONBLOCK;
    let state = IoState::new(fd.into_raw_fd(), bits);
    state.external.set(Some(Encoding::BINARY));
    state::attach(ctx, io, state);
    super::basic::note_lookup_default(ctx, io.value());
}

/// The state of an open socket, IOError "closed stream" otherwise.
pub fn open(ctx: &mut Ctx, socket: Value) -> Result<Rc<IoState>> {
    state::open_state(ctx, socket)
}

// -- waiting ------------------------------------------------------------------------------------

/// Waits for an IO within its own timeout.
pub fn wait(ctx: &mut Ctx, io: &Rc<IoState>, events: i16) -> Result<()> {
    device::wait_within_timeout(ctx, io, io.fd.get(), events)
}

/// Waits for descriptors that nobody else knows; false after the deadline. `polls` gets the events.
pub fn wait_all(ctx: &mut Ctx, polls: &mut Vec<libc::pollfd>, deadline: Option<Instant>) -> Result<Sys<bool>> {
    loop {
        let timeout_ms = match deadline {
            None => -1,
            Some(at) => {
                at.saturating_duration_since(Instant::now()).as_micros().div_ceil(1000).min(i32::MAX as u128) as i32
            }
        };
        let outcome = ctx.outside(
            Leave::new(Kind::Long, Ends::Signal),
            once(|| {
                // SAFETY: the vector is valid for its length.
                check(unsafe { libc::poll(polls.as_mut_ptr(), polls.len() as libc::nfds_t, timeout_ms) })
            }),
        )?;
        match outcome {
            Ok(n) if n > 0 => return Ok(Ok(true)),
            Ok(_) if deadline.is_some_and(|d| d <= Instant::now()) => return Ok(Ok(false)),
            Ok(_) | Err(libc::EINTR) => {}
            Err(e) => return Ok(Err(e)),
        }
    }
}

// -- connecting -----------------------------------------------------------------------------------

/// One connect(2): true when it is done, false when it goes on.
pub fn start_connect(fd: i32, addr: &[u8]) -> Sys<bool> {
    // SAFETY: the address is valid for its length.
    match check(unsafe { libc::connect(fd, addr.as_ptr().cast(), addr.len() as libc::socklen_t) }) {
        Ok(_) => Ok(true),
        Err(libc::EINPROGRESS | libc::EINTR) => Ok(false),
        Err(e) => Err(e),
    }
}

/// How a connect that went on has ended.
pub fn connect_result(fd: i32) -> Sys<()> {
    match int_option(fd, libc::SOL_SOCKET, libc::SO_ERROR)? {
        0 => Ok(()),
        e => Err(e),
    }
}

/// Connects the socket of an IO, waiting for it.
pub fn connect(ctx: &mut Ctx, io: &Rc<IoState>, addr: &[u8]) -> Result<Sys<()>> {
    let blocking = !io.has(mode::NONBLOCK);
    if blocking {
        set_nonblock(io, true);
    }
    let mut outcome = connect_waiting(ctx, io, addr);
    while let Ok(Err(libc::EAGAIN)) = outcome {
        // A local socket whose queue is full: there is nothing to poll for.
        outcome =
            ctx.park(Some(Instant::now() + Duration::from_millis(1))).and_then(|_| connect_waiting(ctx, io, addr));
    }
    if blocking && io.fd.get() >= 0 {
        set_nonblock(io, false);
    }
    outcome
}

fn connect_waiting(ctx: &mut Ctx, io: &Rc<IoState>, addr: &[u8]) -> Result<Sys<()>> {
    match start_connect(io.fd.get(), addr) {
        Ok(true) => Ok(Ok(())),
        Ok(false) => {
            wait(ctx, io, libc::POLLOUT)?;
            Ok(connect_result(io.fd.get()))
        }
        Err(e) => Ok(Err(e)),
    }
}

// -- accepting --------------------------------------------------------------------------------------

/// One accept(2): the descriptor and its peer's address.
fn accept_once(fd: i32, flags: i32) -> Sys<(OwnedFd, Vec<u8>)> {
    let mut addr = vec![0u8; ADDRESS_MAX];
    let mut len = ADDRESS_MAX as libc::socklen_t;
    // SAFETY: the buffer is as long as `len` says; the descriptor is new and ours.
    unsafe {
        let new = check(libc::accept4(fd, addr.as_mut_ptr().cast(), &mut len, flags | libc::SOCK_CLOEXEC))?;
        addr.truncate((len as usize).min(ADDRESS_MAX));
        Ok((OwnedFd::from_raw_fd(new), addr))
    }
}

/// Accepts without waiting. EAGAIN: nobody is there.
pub fn accept_now(ctx: &mut Ctx, io: &Rc<IoState>) -> Sys<(OwnedFd, Vec<u8>)> {
    if !io.has(mode::NONBLOCK) {
        set_nonblock(io, true);
    }
    let fd = io.fd.get();
    with_room(ctx, || accept_once(fd, libc::SOCK_NONBLOCK))
}

/// Accepts, waiting for somebody to come.
pub fn accept(ctx: &mut Ctx, io: &Rc<IoState>) -> Result<Sys<(OwnedFd, Vec<u8>)>> {
    loop {
        if io.fd.get() < 0 {
            return Err(io_error(ctx, "closed stream"));
        }
        match accept_now(ctx, io) {
            Err(libc::EAGAIN) => wait(ctx, io, libc::POLLIN)?,
            Err(libc::EINTR | libc::ECONNABORTED | libc::EPROTO) => ctx.check_interrupts()?,
            other => return Ok(other),
        }
    }
}

// -- transfers --------------------------------------------------------------------------------------

/// One recvfrom(2) that does not wait: bytes and the sender's address.
pub fn receive_now(fd: i32, max: usize, flags: i32) -> Sys<(Vec<u8>, Vec<u8>)> {
    let mut bytes: Vec<u8> = Vec::new();
    if !bytes.try_make_room(max) {
        return Err(libc::ENOMEM);
    }
    let mut addr = vec![0u8; ADDRESS_MAX];
    let mut len = ADDRESS_MAX as libc::socklen_t;
    // SAFETY: both buffers are as long as said; the kernel has filled what it returns.
    unsafe {
        let n = libc::recvfrom(
            fd,
            bytes.as_mut_ptr().cast(),
            max,
            flags | libc::MSG_DONTWAIT,
            addr.as_mut_ptr().cast(),
            &mut len,
        );
        if n < 0 {
            return Err(errno::last());
        }
        // MSG_TRUNC makes the call return more than it has written.
        bytes.set_len((n as usize).min(max));
    }
    addr.truncate((len as usize).min(ADDRESS_MAX));
    Ok((bytes, addr))
}

/// Receives, waiting for something to come.
pub fn receive(ctx: &mut Ctx, io: &Rc<IoState>, max: usize, flags: i32) -> Result<Sys<(Vec<u8>, Vec<u8>)>> {
    let patient = flags & libc::MSG_DONTWAIT == 0;
    loop {
        if io.fd.get() < 0 {
            return Err(closed_elsewhere(ctx));
        }
        match receive_now(io.fd.get(), max, flags) {
            Err(libc::EAGAIN) if patient => wait(ctx, io, libc::POLLIN)?,
            Err(libc::EINTR) => ctx.check_interrupts()?,
            other => return Ok(other),
        }
    }
}

/// Sends once, waiting for room; `to` is empty for a connected socket. Returns how much was taken.
pub fn send(ctx: &mut Ctx, io: &Rc<IoState>, bytes: &[u8], flags: i32, to: &[u8]) -> Result<Sys<usize>> {
    let patient = flags & libc::MSG_DONTWAIT == 0;
    loop {
        if io.fd.get() < 0 {
            return Err(closed_elsewhere(ctx));
        }
        let (at, len) = if to.is_empty() { (std::ptr::null(), 0) } else { (to.as_ptr(), to.len()) };
        let flags = flags | libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
        // SAFETY: data and address are valid for their lengths.
        let n = unsafe {
            libc::sendto(io.fd.get(), bytes.as_ptr().cast(), bytes.len(), flags, at.cast(), len as libc::socklen_t)
        };
        if n >= 0 {
            return Ok(Ok(n as usize));
        }
        match errno::last() {
            libc::EAGAIN if patient => wait(ctx, io, libc::POLLOUT)?,
            libc::EINTR => ctx.check_interrupts()?,
            e => return Ok(Err(e)),
        }
    }
}

/// Makes a listening stream socket: reusable address, bound.
pub fn bound(
    ctx: &mut Ctx,
    family: i32,
    kind: i32,
    protocol: i32,
    addr: &[u8],
) -> std::result::Result<OwnedFd, (i32, &'static str)> {
    let fd = socket(ctx, family, kind, protocol).map_err(|e| (e, "socket(2)"))?;
    if address::family(addr) != Some(libc::AF_UNIX) && kind == libc::SOCK_STREAM {
        set_flag(fd.as_raw_fd(), libc::SOL_SOCKET, libc::SO_REUSEADDR, true)
            .map_err(|e| (e, "setsockopt(SO_REUSEADDR)"))?;
    }
    bind(fd.as_raw_fd(), addr).map_err(|e| (e, "bind(2)"))?;
    Ok(fd)
}
