//! sendmsg and recvmsg: messages with control data, in which descriptors travel.
//!
//! Control data is a sequence of `cmsghdr` records, each padded to the size of a word. Descriptors that arrive
//! belong to `Received` until somebody takes them: dropped, they are closed.

use super::addrinfo::AddrState;
use super::{basic, constants, sys, unix};
use rubellite_core_io::io::state;
use rubellite_core_io::io::state::{IoState, closed_elsewhere};
use rubellite_core_io::io::{open, read};
use rubellite_core_object::errno;
use rubellite_vm::object::{Array, Grow, Str};
use rubellite_vm::{Args, Arity, Ctx, PrimitiveDef, Result, Value, primitive};
use std::os::fd::{AsRawFd, IntoRawFd, OwnedFd};
use std::rc::Rc;
use sys::Sys;

/// What the Ruby parts are built on.
pub const PRIMITIVES: &[PrimitiveDef] = &[
    primitive("basic_socket_sendmsg", Arity::exact(6), sendmsg),
    primitive("basic_socket_recvmsg", Arity::exact(6), recvmsg),
];

const HEADER: usize = size_of::<libc::cmsghdr>();
const WORD: usize = size_of::<usize>();
/// Room for control data when the caller does not say how much, and data likewise.
const CONTROL_DEFAULT: usize = 4096;
const DATA_DEFAULT: usize = 4096;
/// The most that a receive without a given length grows to.
const GROW_MAX: usize = 1 << 24;

/// One control message.
pub struct Control {
    pub level: i32,
    pub kind: i32,
    pub data: Vec<u8>,
    pub descriptors: Vec<OwnedFd>,
}

/// What recvmsg gave.
pub struct Received {
    pub bytes: Vec<u8>,
    pub from: Vec<u8>,
    pub flags: i32,
    pub controls: Vec<Control>,
}

impl Received {
    pub fn take_descriptors(self) -> Vec<OwnedFd> {
        self.controls.into_iter().flat_map(|c| c.descriptors).collect()
    }
}

fn padded(n: usize) -> usize {
    n.div_ceil(WORD) * WORD
}

/// Appends one control message.
fn push_control(out: &mut Vec<u8>, level: i32, kind: i32, data: &[u8]) {
    out.extend((HEADER + data.len()).to_ne_bytes());
    out.extend(level.to_ne_bytes());
    out.extend(kind.to_ne_bytes());
    out.extend_from_slice(data);
    out.resize(padded(out.len()), 0);
}

/// Control data that passes descriptors.
pub fn rights(fds: &[i32]) -> Vec<u8> {
    let data: Vec<u8> = fds.iter().flat_map(|fd| fd.to_ne_bytes()).collect();
    let mut out = Vec::new();
    push_control(&mut out, libc::SOL_SOCKET, libc::SCM_RIGHTS, &data);
    out
}

/// Room for `n` descriptors.
pub fn rights_space(n: usize) -> usize {
    HEADER + padded(n * 4)
}

/// Takes control data apart; descriptors in it become owned.
fn parse_controls(mut bytes: &[u8]) -> Vec<Control> {
    let mut out = Vec::new();
    while bytes.len() >= HEADER {
        let mut len = [0; WORD];
        len.copy_from_slice(&bytes[..WORD]);
        let len = usize::from_ne_bytes(len);
        if len < HEADER || len > bytes.len() {
            break;
        }
        let word = |at: usize| i32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (level, kind) = (word(WORD), word(WORD + 4));
        let data = bytes[HEADER..len].to_vec();
        let mut descriptors = Vec::new();
        if level == libc::SOL_SOCKET && kind == libc::SCM_RIGHTS {
            for fd in data.chunks_exact(4) {
                // SAFETY: the kernel has just made these descriptors for this process.
                descriptors.push(unsafe { unix::own(i32::from_ne_bytes([fd[0], fd[1], fd[2], fd[3]])) });
            }
        }
        out.push(Control { level, kind, data, descriptors });
        bytes = &bytes[padded(len).min(bytes.len())..];
    }
    out
}

fn send_now(fd: i32, bytes: &[u8], flags: i32, to: &[u8], control: &[u8]) -> Sys<usize> {
    let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    // SAFETY: all parts are valid for their lengths and are only read.
    unsafe {
        let mut header: libc::msghdr = std::mem::zeroed();
        header.msg_iov = &mut part;
        header.msg_iovlen = 1;
        if !to.is_empty() {
            header.msg_name = to.as_ptr().cast_mut().cast();
            header.msg_namelen = to.len() as libc::socklen_t;
        }
        if !control.is_empty() {
            header.msg_control = control.as_ptr().cast_mut().cast();
            header.msg_controllen = control.len() as _;
        }
        let n = libc::sendmsg(fd, &header, flags | libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL);
        if n < 0 { Err(errno::last()) } else { Ok(n as usize) }
    }
}

/// Sends one message, waiting for room unless the flags say otherwise.
pub fn send(
    ctx: &mut Ctx,
    io: &Rc<IoState>,
    bytes: &[u8],
    flags: i32,
    to: &[u8],
    control: &[u8],
) -> Result<Sys<usize>> {
    loop {
        if io.fd.get() < 0 {
            return Err(closed_elsewhere(ctx));
        }
        match send_now(io.fd.get(), bytes, flags, to, control) {
            Err(libc::EAGAIN) if flags & libc::MSG_DONTWAIT == 0 => sys::wait(ctx, io, libc::POLLOUT)?,
            Err(libc::EINTR) => ctx.check_interrupts()?,
            other => return Ok(other),
        }
    }
}

fn receive_now(fd: i32, max: usize, flags: i32, control_max: usize) -> Sys<Received> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut control: Vec<u8> = Vec::new();
    if !bytes.try_make_room(max) || !control.try_make_room(control_max) {
        return Err(libc::ENOMEM);
    }
    let mut addr = vec![0u8; size_of::<libc::sockaddr_storage>()];
    let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: max };
    // SAFETY: the buffers are as long as said; the kernel has filled what it returns.
    let got = unsafe {
        let mut header: libc::msghdr = std::mem::zeroed();
        header.msg_name = addr.as_mut_ptr().cast();
        header.msg_namelen = addr.len() as libc::socklen_t;
        header.msg_iov = &mut part;
        header.msg_iovlen = 1;
        header.msg_control = control.as_mut_ptr().cast();
        header.msg_controllen = control_max as _;
        let n = libc::recvmsg(fd, &mut header, flags | libc::MSG_DONTWAIT | libc::MSG_CMSG_CLOEXEC);
        if n < 0 {
            return Err(errno::last());
        }
        bytes.set_len((n as usize).min(max));
        control.set_len((header.msg_controllen as usize).min(control_max));
        addr.truncate((header.msg_namelen as usize).min(addr.len()));
        header.msg_flags
    };
    Ok(Received { bytes, from: addr, flags: got, controls: parse_controls(&control) })
}

/// Receives one message, waiting for it unless the flags say otherwise.
pub fn receive(ctx: &mut Ctx, io: &Rc<IoState>, max: usize, flags: i32, control_max: usize) -> Result<Sys<Received>> {
    loop {
        if io.fd.get() < 0 {
            return Err(closed_elsewhere(ctx));
        }
        match receive_now(io.fd.get(), max, flags, control_max) {
            Err(libc::EAGAIN) if flags & libc::MSG_DONTWAIT == 0 => sys::wait(ctx, io, libc::POLLIN)?,
            Err(libc::EINTR) => ctx.check_interrupts()?,
            other => return Ok(other),
        }
    }
}

/// Receives one message of any length: looks at it first, with more room each time, then takes it.
fn receive_whole(
    ctx: &mut Ctx,
    io: &Rc<IoState>,
    max: Option<usize>,
    flags: i32,
    control_max: usize,
) -> Result<Sys<Received>> {
    let datagram = !sys::is_stream(io.fd.get());
    let mut room = max.unwrap_or(DATA_DEFAULT);
    while max.is_none() && datagram {
        match receive(ctx, io, room, flags | libc::MSG_PEEK, CONTROL_DEFAULT)? {
            Ok(seen) if seen.flags & libc::MSG_TRUNC != 0 && room < GROW_MAX => room *= 2,
            Ok(_) => break,
            Err(e) => return Ok(Err(e)),
        }
    }
    receive(ctx, io, room, flags, control_max)
}

/// The part of `sendmsg`: message, flags, address, controls, non-blocking, exception.
fn sendmsg(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    let mut flags = args.non_nil(1).map_or(Ok(0), |v| ctx.to_c_int(v))?;
    let to = match args.non_nil(2) {
        Some(to) => basic::address_arg(ctx, to)?,
        None => Vec::new(),
    };
    let io = basic::writable(ctx, recv)?;
    let family = sys::family(&io);
    let control = control_arg(ctx, args.at(3), family)?;
    if args.at(4).truthy() {
        flags |= libc::MSG_DONTWAIT;
    }
    let bytes = text.bytes(ctx).to_vec();
    match send(ctx, &io, &bytes, flags, &to, &control)? {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(e) if args.at(4).truthy() => basic::would_block(ctx, e, args.at(5), false, "sendmsg(2)"),
        Err(e) => Err(errno::fail(ctx, e, "sendmsg(2)")),
    }
}

/// Control messages given as AncillaryData or `[level, type, data]`.
fn control_arg(ctx: &mut Ctx, list: Value, family: i32) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let Some(list) = Array::try_of(list) else { return Ok(out) };
    let mut i = 0;
    while let Some(item) = list.get(i) {
        i += 1;
        let (level, kind, data) = match ctx.check_array(item)? {
            Some(parts) if parts.len() == 3 => (parts.get(0), parts.get(1), parts.get(2)),
            Some(_) => return Err(ctx.argument_error("an element of controls should be 3-elements array")),
            None => {
                let level = ctx.call_name(item, "level", &[])?;
                let kind = ctx.call_name(item, "type", &[])?;
                let data = ctx.call_name(item, "data", &[])?;
                (Some(level), Some(kind), Some(data))
            }
        };
        let level = constants::level(ctx, family, level.unwrap_or(Value::NIL))?;
        let kind = constants::message_type(ctx, family, level, kind.unwrap_or(Value::NIL))?;
        let data = ctx.to_str(data.unwrap_or(Value::NIL))?.bytes(ctx).to_vec();
        push_control(&mut out, level, kind, &data);
    }
    Ok(out)
}

/// The part of `recvmsg`: maxlen, flags, maxcontrollen, scm_rights, non-blocking, exception. Returns
/// `[bytes, address, flags, control ...]` or nil at the end of a stream.
fn recvmsg(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let max = match args.non_nil(0) {
        Some(value) => Some(size_arg(ctx, value)?),
        None => None,
    };
    let mut flags = args.non_nil(1).map_or(Ok(0), |v| ctx.to_c_int(v))?;
    let control_max = match args.non_nil(2) {
        Some(value) => size_arg(ctx, value)?,
        None => CONTROL_DEFAULT,
    };
    let io = basic::readable(ctx, recv, "recvmsg")?;
    if args.at(4).truthy() {
        flags |= libc::MSG_DONTWAIT;
    }
    let got = match receive_whole(ctx, &io, max, flags, control_max)? {
        Ok(got) => got,
        Err(e) if args.at(4).truthy() => return basic::would_block(ctx, e, args.at(5), true, "recvmsg(2)"),
        Err(e) => return Err(errno::fail(ctx, e, "recvmsg(2)")),
    };
    if got.bytes.is_empty() && got.controls.is_empty() && max != Some(0) && sys::has_end(io.fd.get()) {
        return Ok(Value::NIL);
    }
    let list = Array::new(ctx);
    let bytes = Str::from_vec(ctx, got.bytes, rubellite_vm::Encoding::BINARY).value();
    list.push(ctx, bytes);
    let from = sender(ctx, io.fd.get(), got.from)?;
    list.push(ctx, from);
    list.push(ctx, Value::fixnum((got.flags & !libc::MSG_CMSG_CLOEXEC | got.flags & libc::MSG_CMSG_CLOEXEC) as i64));
    let family = sys::family(&io);
    for control in got.controls {
        let item = ancillary(ctx, family, control, args.at(3).truthy())?;
        list.push(ctx, item);
    }
    Ok(list.value())
}

/// How much room the program wants.
fn size_arg(ctx: &mut Ctx, value: Value) -> Result<usize> {
    let n = ctx.to_int(value)?;
    let n = usize::try_from(n).map_err(|_| ctx.string_size_error())?;
    read::check_size(ctx, n)?;
    Ok(n)
}

fn sender(ctx: &mut Ctx, fd: i32, from: Vec<u8>) -> Result {
    if !from.is_empty() {
        return basic::addrinfo_of(ctx, fd, from);
    }
    let socktype = sys::int_option(fd, libc::SOL_SOCKET, libc::SO_TYPE).unwrap_or(0);
    super::addrinfo::make(ctx, AddrState { socktype, ..AddrState::default() })
}

/// An AncillaryData of a control message; its descriptors become IO objects when they are wanted, else they are closed.
fn ancillary(ctx: &mut Ctx, family: i32, control: Control, wanted: bool) -> Result {
    let data = Str::binary(ctx, &control.data).value();
    let class = ctx.named_class("Socket::AncillaryData")?.value();
    let new = ctx.names().new;
    let numbers = [family, control.level, control.kind].map(|n| Value::fixnum(n as i64));
    let object = ctx.call(class, new, &[numbers[0], numbers[1], numbers[2], data])?;
    if wanted && control.level == libc::SOL_SOCKET && control.kind == libc::SCM_RIGHTS {
        let list = Array::new(ctx);
        for fd in control.descriptors {
            let io = io_of(ctx, fd)?;
            list.push(ctx, io);
        }
        let writer = ctx.internal("__rights=");
        ctx.call(object, writer, &[list.value()])?;
    }
    Ok(object)
}

/// An IO, or a Socket for a socket.
fn io_of(ctx: &mut Ctx, fd: OwnedFd) -> Result {
    let class = match basic::check_socket(ctx, fd.as_raw_fd()) {
        Ok(()) => ctx.named_class("Socket")?.value(),
        Err(_) => {
            ctx.clear_pending();
            ctx.classes().io.get()
        }
    };
    let number = Value::fixnum(fd.as_raw_fd() as i64);
    let io = ctx.call_name(class, "for_fd", &[number])?;
    let _ = fd.into_raw_fd();
    Ok(io)
}

/// The descriptor of an IO argument: TypeError "IO expected".
pub fn descriptor_of(ctx: &mut Ctx, value: Value) -> Result<i32> {
    match open::check_io(ctx, value)? {
        Some(io) => Ok(state::open_state(ctx, io)?.fd.get()),
        None => Err(ctx.type_error("IO expected")),
    }
}
