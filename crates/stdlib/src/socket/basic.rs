//! BasicSocket: what all sockets can do. Messages with control data are `message`.

use super::addrinfo::{self, AddrState};
use super::{address, constants, resolve, sys};
use rubellite_core_io::io::read::{buffer_arg, filling};
use rubellite_core_io::io::state::{IoState, io_error, mode};
use rubellite_core_io::io::{device, methods};
use rubellite_core_object::errno;
use rubellite_vm::object::{Data, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Extension, Result, Value, method, primitive, private_method};
use std::cell::Cell;
use std::os::fd::{FromRawFd, OwnedFd};
use std::rc::Rc;

pub static BASIC_SOCKET: ClassDef = ClassDef {
    name: "BasicSocket",
    superclass: "IO",
    methods: &[
        private_method("initialize", Arity::ANY, initialize),
        method("send", Arity::range(2, 3), send),
        method("recv", Arity::range(1, 3), recv),
        method("getsockopt", Arity::exact(2), getsockopt),
        method("setsockopt", Arity::range(1, 3), setsockopt),
        method("getsockname", Arity::NONE, getsockname),
        method("getpeername", Arity::NONE, getpeername),
        method("getpeereid", Arity::NONE, getpeereid),
        method("local_address", Arity::NONE, local_address),
        method("remote_address", Arity::NONE, remote_address),
        method("shutdown", Arity::range(0, 1), shutdown),
        method("close_read", Arity::NONE, close_read),
        method("close_write", Arity::NONE, close_write),
        method("do_not_reverse_lookup", Arity::NONE, do_not_reverse_lookup),
        method("do_not_reverse_lookup=", Arity::exact(1), set_do_not_reverse_lookup),
    ],
    singleton_methods: &[
        method("for_fd", Arity::exact(1), for_fd),
        method("do_not_reverse_lookup", Arity::NONE, class_do_not_reverse_lookup),
        method("do_not_reverse_lookup=", Arity::exact(1), class_set_do_not_reverse_lookup),
    ],
    primitives: &[
        primitive("basic_socket_recv_nonblock", Arity::exact(4), recv_nonblock),
        primitive("basic_socket_read_nonblock", Arity::exact(3), read_nonblock),
        primitive("basic_socket_write_nonblock", Arity::exact(2), write_nonblock),
    ],
    ..ClassDef::EMPTY
};

/// A socket of no particular kind cannot be made.
fn initialize(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = ctx.names().initialize;
    Err(ctx.undefined_method(recv, name, false))
}

/// `BasicSocket.do_not_reverse_lookup`
pub struct Defaults {
    no_lookup: Cell<bool>,
}

impl Default for Defaults {
    fn default() -> Defaults {
        Defaults { no_lookup: Cell::new(true) }
    }
}

impl Extension for Defaults {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

const NO_LOOKUP: &str = "__no_lookup";

/// A new socket keeps the default of this moment, if it is not the usual one.
pub fn note_lookup_default(ctx: &mut Ctx, socket: Value) {
    if !ctx.extension::<Defaults>().no_lookup.get() {
        let name = ctx.internal(NO_LOOKUP);
        ctx.ivar_set(socket, name, Value::FALSE);
    }
}

/// `BasicSocket.do_not_reverse_lookup`
pub fn lookup_off(ctx: &Ctx) -> bool {
    ctx.extension::<Defaults>().no_lookup.get()
}

fn no_lookup(ctx: &Ctx, socket: Value) -> bool {
    let name = ctx.internal(NO_LOOKUP);
    ctx.ivar_get(socket, name) != Value::FALSE
}

/// Whether an address is to be shown with its host's name: the argument of `addr` and others, or the socket's setting.
pub fn lookup_wanted(ctx: &mut Ctx, socket: Value, argument: Value) -> Result<bool> {
    match argument {
        Value::TRUE => Ok(true),
        Value::FALSE => Ok(false),
        Value::NIL => Ok(!no_lookup(ctx, socket)),
        _ => lookup_flag(ctx, argument),
    }
}

fn lookup_flag(ctx: &mut Ctx, argument: Value) -> Result<bool> {
    let Some(sym) = argument.as_symbol() else {
        let class = ctx.describe_for_conversion(argument);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected Symbol)")));
    };
    match ctx.sym_bytes(sym) {
        b"hostname" => Ok(true),
        b"numeric" => Ok(false),
        other => {
            let text = String::from_utf8_lossy(other).into_owned();
            Err(ctx.argument_error(&format!("invalid reverse_lookup flag: :{text}")))
        }
    }
}

fn do_not_reverse_lookup(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    sys::open(ctx, recv)?;
    Ok(Value::from_bool(no_lookup(ctx, recv)))
}

fn set_do_not_reverse_lookup(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    sys::open(ctx, recv)?;
    let name = ctx.internal(NO_LOOKUP);
    ctx.ivar_set(recv, name, Value::from_bool(args.at(0).truthy()));
    Ok(args.at(0))
}

fn class_do_not_reverse_lookup(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(ctx.extension::<Defaults>().no_lookup.get()))
}

fn class_set_do_not_reverse_lookup(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.extension::<Defaults>().no_lookup.set(args.at(0).truthy());
    Ok(args.at(0))
}

/// `for_fd(fd)`: a socket object for an open descriptor.
fn for_fd(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let fd = ctx.to_c_int(args.at(0))?;
    check_socket(ctx, fd)?;
    // SAFETY: the caller gives the descriptor to the new object; it was open a moment ago.
    Ok(sys::wrap(ctx, recv, unsafe { OwnedFd::from_raw_fd(fd) }))
}

/// EBADF for a closed descriptor and for one that is no socket.
pub fn check_socket(ctx: &mut Ctx, fd: i32) -> Result<()> {
    // SAFETY: a plain query; the stat buffer is ours.
    let (answer, kind) = unsafe {
        let mut st: libc::stat = std::mem::zeroed();
        (libc::fstat(fd, &mut st), st.st_mode & libc::S_IFMT)
    };
    if answer < 0 {
        return Err(errno::fail(ctx, errno::last(), "fstat(2)"));
    }
    if kind != libc::S_IFSOCK {
        return Err(errno::fail(ctx, libc::EBADF, "not a socket file descriptor"));
    }
    Ok(())
}

// -- addresses ------------------------------------------------------------------------------

/// The bytes of an address argument: an Addrinfo or a packed String.
pub fn address_arg(ctx: &mut Ctx, value: Value) -> Result<Vec<u8>> {
    match Data::state_of::<AddrState>(ctx, value) {
        Some(state) => Ok(state.addr.clone()),
        None => Ok(ctx.to_str(value)?.bytes(ctx).to_vec()),
    }
}

fn getsockname(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    match sys::local_name(io.fd.get()) {
        Ok(addr) => Ok(Str::binary(ctx, &addr).value()),
        Err(e) => Err(errno::fail(ctx, e, "getsockname(2)")),
    }
}

fn getpeername(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    match sys::peer_name(io.fd.get()) {
        Ok(addr) => Ok(Str::binary(ctx, &addr).value()),
        Err(e) => Err(errno::fail(ctx, e, "getpeername(2)")),
    }
}

/// `getpeereid -> [euid, egid]`
fn getpeereid(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    match sys::option(io.fd.get(), libc::SOL_SOCKET, libc::SO_PEERCRED, &mut [0; size_of::<sys::OptionBytes>()]) {
        Ok(data) => {
            let word = |at: usize| data.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_ne_bytes);
            let pair = [Value::fixnum(word(4) as i64), Value::fixnum(word(8) as i64)];
            Ok(rubellite_vm::object::Array::from_slice(ctx, &pair).value())
        }
        Err(e) => Err(errno::fail(ctx, e, "getsockopt(SO_PEERCRED)")),
    }
}

/// The Addrinfo of an address of this socket.
pub fn addrinfo_of(ctx: &mut Ctx, fd: i32, addr: Vec<u8>) -> Result {
    let socktype = sys::int_option(fd, libc::SOL_SOCKET, libc::SO_TYPE).unwrap_or(0);
    let family = address::family(&addr).unwrap_or_else(|| sys::family_of(fd));
    addrinfo::make(ctx, AddrState { pfamily: family, socktype, ..AddrState::of(addr) })
}

fn local_address(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    match sys::local_name(io.fd.get()) {
        Ok(addr) => addrinfo_of(ctx, io.fd.get(), addr),
        Err(e) => Err(errno::fail(ctx, e, "getsockname(2)")),
    }
}

fn remote_address(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    match sys::peer_name(io.fd.get()) {
        Ok(addr) => addrinfo_of(ctx, io.fd.get(), addr),
        Err(e) => Err(errno::fail(ctx, e, "getpeername(2)")),
    }
}

// -- options --------------------------------------------------------------------------------

/// `getsockopt(level, optname) -> Socket::Option`
fn getsockopt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    let family = sys::family(&io);
    let level = constants::level(ctx, family, args.at(0))?;
    let name = constants::option_name(ctx, family, level, args.at(1))?;
    // The conversions may have closed it.
    let io = sys::open(ctx, recv)?;
    let mut bytes = [0; size_of::<sys::OptionBytes>()];
    match sys::option(io.fd.get(), level, name, &mut bytes) {
        Ok(data) => {
            let data = Str::binary(ctx, data).value();
            super::option::make(ctx, [family, level, name], data)
        }
        Err(e) => Err(errno::fail(ctx, e, "getsockopt(2)")),
    }
}

/// `setsockopt(level, optname, value)`, `setsockopt(option)`
fn setsockopt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (level, name, value) = match args.len() {
        1 => {
            let part = |ctx: &mut Ctx, name: &'static str| ctx.call_name(args.at(0), name, &[]);
            (part(ctx, "level")?, part(ctx, "optname")?, part(ctx, "data")?)
        }
        3 => (args.at(0), args.at(1), args.at(2)),
        n => return Err(ctx.arity_error(n, 3, Some(3))),
    };
    let io = sys::open(ctx, recv)?;
    let family = sys::family(&io);
    let level = constants::level(ctx, family, level)?;
    let name = constants::option_name(ctx, family, level, name)?;
    let number = match value {
        Value::TRUE => 1i32.to_ne_bytes(),
        Value::FALSE => 0i32.to_ne_bytes(),
        _ if value.is_fixnum() => ctx.to_c_int(value)?.to_ne_bytes(),
        _ => [0; 4],
    };
    let text = if value.is_fixnum() || value == Value::TRUE || value == Value::FALSE {
        None
    } else {
        Some(ctx.to_str(value)?)
    };
    // The conversions may have closed it.
    let io = sys::open(ctx, recv)?;
    let data = text.map_or(&number[..], |text| text.bytes(ctx));
    match sys::set_option(io.fd.get(), level, name, data) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::fail_named(ctx, e, "setsockopt(2)")),
    }
}

// -- transfers ------------------------------------------------------------------------------

/// `send(mesg, flags, dest_sockaddr = nil) -> bytes taken`
pub fn send(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    let flags = ctx.to_c_int(args.at(1))?;
    let to = match args.non_nil(2) {
        Some(to) => address_arg(ctx, to)?,
        None => Vec::new(),
    };
    let io = writable(ctx, recv)?;
    let bytes = text.bytes(ctx).to_vec();
    match sys::send(ctx, &io, &bytes, flags, &to)? {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(e) if to.is_empty() => Err(errno::fail(ctx, e, "send(2)")),
        Err(e) => Err(errno::fail(ctx, e, "sendto(2)")),
    }
}

/// A socket that may be written to.
pub fn writable(ctx: &mut Ctx, socket: Value) -> Result<Rc<IoState>> {
    let io = sys::open(ctx, socket)?;
    if !io.has(mode::WRITE) {
        return Err(io_error(ctx, "not opened for writing"));
    }
    Ok(io)
}

/// A socket with nothing in its buffer: IOError "recv for buffered IO" otherwise. The system says whether one can read
/// from it.
pub fn readable(ctx: &mut Ctx, socket: Value, call: &str) -> Result<Rc<IoState>> {
    let io = sys::open(ctx, socket)?;
    if !io.rbuf.borrow().is_empty() {
        return Err(io_error(ctx, &format!("{call} for buffered IO")));
    }
    Ok(io)
}

/// The length argument of receiving methods.
pub fn length_arg(ctx: &mut Ctx, value: Value) -> Result<usize> {
    let n = ctx.to_c_int(value)?;
    usize::try_from(n).map_err(|_| ctx.string_size_error())
}

/// Puts received bytes into the caller's buffer, or a new String.
pub fn deliver(ctx: &mut Ctx, buffer: Option<Str>, bytes: Vec<u8>) -> Result {
    match buffer {
        Some(string) => {
            ctx.check_frozen(string.value())?;
            string.set_vec(ctx, bytes);
            Ok(string.value())
        }
        None => Ok(Str::from_vec(ctx, bytes, Encoding::BINARY).value()),
    }
}

/// `recv(maxlen, flags = 0, outbuf = nil)`; nil at the end of a stream.
fn recv(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let max = length_arg(ctx, args.at(0))?;
    let flags = args.non_nil(1).map_or(Ok(0), |v| ctx.to_c_int(v))?;
    let buffer = buffer_arg(ctx, args.at(2))?;
    let io = readable(ctx, recv, "recv")?;
    match filling(ctx, buffer, |ctx| sys::receive(ctx, &io, max, flags))? {
        Ok((bytes, _)) if bytes.is_empty() && max > 0 && sys::has_end(io.fd.get()) => {
            deliver(ctx, buffer, bytes)?;
            Ok(Value::NIL)
        }
        Ok((bytes, _)) => deliver(ctx, buffer, bytes),
        Err(e) => Err(errno::fail(ctx, e, "recvfrom(2)")),
    }
}

/// The part of `recv_nonblock`: maxlen, flags, buffer, exception.
fn recv_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let max = length_arg(ctx, args.at(0))?;
    let flags = ctx.to_c_int(args.at(1))?;
    let buffer = buffer_arg(ctx, args.at(2))?;
    let io = readable(ctx, recv, "recvfrom")?;
    match sys::receive_now(io.fd.get(), max, flags) {
        Ok((bytes, _)) if bytes.is_empty() && max > 0 && sys::has_end(io.fd.get()) => Ok(Value::NIL),
        Ok((bytes, _)) => deliver(ctx, buffer, bytes),
        Err(e) => would_block(ctx, e, args.at(3), true, "recvfrom(2)"),
    }
}

/// The part of `read_nonblock`: maxlen, buffer, exception. Takes what is buffered first; the descriptor's own mode
/// stays.
fn read_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let max = ctx.to_int(args.at(0))?;
    if max < 0 {
        return Err(ctx.argument_error(&format!("negative length {max} given")));
    }
    let max = max as usize;
    let buffer = buffer_arg(ctx, args.at(1))?;
    // A half that is closed is not asked about: there is the end of the stream.
    let io = sys::open(ctx, recv)?;
    if max == 0 {
        return deliver(ctx, buffer, Vec::new());
    }
    let buffered = io.rbuf.borrow_mut().take(max);
    if !buffered.is_empty() {
        return deliver(ctx, buffer, buffered);
    }
    match sys::receive_now(io.fd.get(), max.min(1 << 20), 0) {
        Ok((bytes, _)) if bytes.is_empty() && args.at(2) == Value::FALSE => Ok(Value::NIL),
        Ok((bytes, _)) if bytes.is_empty() => Err(ctx.raise_error("EOFError", "end of file reached")),
        Ok((bytes, _)) => deliver(ctx, buffer, bytes),
        Err(libc::EAGAIN) => would_block(ctx, libc::EAGAIN, args.at(2), true, "read"),
        Err(e) => Err(errno::fail(ctx, e, "")),
    }
}

/// The part of `write_nonblock`: text, exception.
fn write_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = ctx.to_s(args.at(0))?;
    let io = writable(ctx, recv)?;
    device::flush(ctx, &io)?;
    let bytes = text.bytes(ctx).to_vec();
    match sys::send(ctx, &io, &bytes, libc::MSG_DONTWAIT, &[])? {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(libc::EAGAIN) => would_block(ctx, libc::EAGAIN, args.at(1), false, "write"),
        Err(e) => Err(errno::fail(ctx, e, "")),
    }
}

/// Warns that `new` ignores its block, which `open` would not.
pub fn warn_of_block(ctx: &mut Ctx, socket: Value, args: Args) -> Result<()> {
    if !args.has_block() {
        return Ok(());
    }
    let name = ctx.real_class(socket).inspect(ctx);
    ctx.warn(&format!("{name}::new() does not take block; use {name}::open() instead"))
}

/// A failed non-blocking call: EAGAIN is a Symbol or an exception that says what to wait for, others are errors.
pub fn would_block(ctx: &mut Ctx, e: i32, exception: Value, reading: bool, call: &str) -> Result {
    if e != libc::EAGAIN {
        return Err(errno::fail(ctx, e, call));
    }
    let (symbol, class) =
        if reading { ("wait_readable", "IO::EAGAINWaitReadable") } else { ("wait_writable", "IO::EAGAINWaitWritable") };
    if exception == Value::FALSE {
        return Ok(Value::symbol(ctx.intern(symbol)));
    }
    Err(methods::would_block(ctx, class, &format!("{call} would block")))
}

// -- closing --------------------------------------------------------------------------------

/// `shutdown(how = SHUT_RDWR)`
fn shutdown(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let how = match args.get(0) {
        None => libc::SHUT_RDWR,
        Some(how) => constants::shutdown_how(ctx, how)?,
    };
    if !(libc::SHUT_RD..=libc::SHUT_RDWR).contains(&how) {
        return Err(ctx.argument_error("`how' should be either :SHUT_RD, :SHUT_WR, :SHUT_RDWR"));
    }
    let io = sys::open(ctx, recv)?;
    match sys::shutdown(io.fd.get(), how) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::fail(ctx, e, "shutdown(2)")),
    }
}

fn close_read(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    close_half(ctx, recv, libc::SHUT_RD)
}

fn close_write(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    close_half(ctx, recv, libc::SHUT_WR)
}

/// Ends one direction; when the other has ended too, the socket is closed.
fn close_half(ctx: &mut Ctx, socket: Value, how: i32) -> Result {
    let io = sys::open(ctx, socket)?;
    let (mine, other) = if how == libc::SHUT_RD { (mode::READ, mode::WRITE) } else { (mode::WRITE, mode::READ) };
    if how == libc::SHUT_WR {
        device::flush(ctx, &io)?;
    }
    if io.has(other) {
        if let Err(e) = sys::shutdown(io.fd.get(), how)
            && e != libc::ENOTCONN
        {
            return Err(errno::fail(ctx, e, ""));
        }
        io.set(mine, false);
        return Ok(Value::NIL);
    }
    ctx.call_name(socket, "close", &[])
}

/// The text for failures of a host and port: `connect(2) for "host" port 80`.
pub fn for_host(ctx: &mut Ctx, call: &str, host: Value, service: Value) -> Result<String> {
    let host = ctx.inspect(host)?;
    let service = ctx.to_s(service)?.to_lossy(ctx).into_owned();
    Ok(format!("{call} for {host} port {service}"))
}

/// Numeric reading of an address for messages.
pub fn for_address(call: &str, addr: &[u8]) -> String {
    format!("{call} for {}", address::inspect(addr))
}

/// The result of looking addresses up, first only.
pub fn first_address(ctx: &mut Ctx, host: Value, service: Value, hints: resolve::Hints) -> Result<Vec<u8>> {
    let list = resolve::resolve(ctx, host, service, hints, true)?;
    Ok(list.into_iter().next().map(|r| r.addr).unwrap_or_default())
}

/// What a blocking `recvfrom(maxlen, flags = 0, outbuf = nil)` received: the descriptor, the buffer to deliver into,
/// the bytes and the sender's address. None: the stream has ended.
pub fn receive_from(ctx: &mut Ctx, recv: Value, args: Args) -> Result<Option<Received>> {
    let max = length_arg(ctx, args.at(0))?;
    let flags = args.non_nil(1).map_or(Ok(0), |v| ctx.to_c_int(v))?;
    let buffer = buffer_arg(ctx, args.at(2))?;
    let io = readable(ctx, recv, "recvfrom")?;
    match filling(ctx, buffer, |ctx| sys::receive(ctx, &io, max, flags))? {
        Ok((bytes, _)) if bytes.is_empty() && max > 0 && sys::has_end(io.fd.get()) => Ok(None),
        Ok((bytes, from)) => Ok(Some(Received { fd: io.fd.get(), buffer, bytes, from })),
        Err(e) => Err(errno::fail(ctx, e, "recvfrom(2)")),
    }
}

/// See [`receive_from`].
pub struct Received {
    pub fd: i32,
    pub buffer: Option<Str>,
    pub bytes: Vec<u8>,
    pub from: Vec<u8>,
}
