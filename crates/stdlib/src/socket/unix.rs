//! UNIXSocket and UNIXServer, and descriptors that travel through them.

use super::{address, basic, constants, ip, message, sys};
use rubellite_core_io::io::state;
use rubellite_core_object::errno;
use rubellite_vm::object::{Array, Data, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, primitive, private_method};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};

pub static UNIX_SOCKET: ClassDef = ClassDef {
    name: "UNIXSocket",
    superclass: "BasicSocket",
    methods: &[
        private_method("initialize", Arity::exact(1), initialize),
        method("path", Arity::NONE, path),
        method("addr", Arity::NONE, addr),
        method("peeraddr", Arity::NONE, peeraddr),
        method("inspect", Arity::NONE, inspect),
        method("recvfrom", Arity::range(1, 3), recvfrom),
        method("send_io", Arity::exact(1), send_io),
        method("recv_io", Arity::range(0, 2), recv_io),
    ],
    singleton_methods: &[method("pair", Arity::range(0, 2), pair), method("socketpair", Arity::range(0, 2), pair)],
    ..ClassDef::EMPTY
};

pub static UNIX_SERVER: ClassDef = ClassDef {
    name: "UNIXServer",
    superclass: "UNIXSocket",
    methods: &[
        private_method("initialize", Arity::exact(1), server_initialize),
        method("accept", Arity::NONE, accept),
        method("sysaccept", Arity::NONE, ip::sysaccept),
        method("listen", Arity::exact(1), ip::listen),
    ],
    primitives: &[primitive("unix_server_accept_nonblock", Arity::exact(1), accept_nonblock)],
    ..ClassDef::EMPTY
};

fn path_arg(ctx: &mut Ctx, value: Value) -> Result<(Str, Vec<u8>)> {
    let path = rubellite_core_io::file::path::get_path(ctx, value).or_else(|unwind| {
        // An abstract name begins with a NUL byte, which paths may not have.
        match Str::try_of(value) {
            Some(text) if text.byte(0) == Some(0) => {
                ctx.clear_pending();
                Ok(text)
            }
            _ => Err(unwind),
        }
    })?;
    let bytes = path.bytes(ctx).to_vec();
    match address::pack_unix_for_call(&bytes) {
        Some(addr) => Ok((path, addr)),
        None => {
            let text = format!(
                "too long unix socket path ({}bytes given but {}bytes max)",
                bytes.len(),
                address::UNIX_PATH_MAX
            );
            Err(ctx.argument_error(&text))
        }
    }
}

/// `UNIXSocket.new(path)`
fn initialize(ctx: &mut Ctx, socket: Data, args: Args) -> Result {
    basic::warn_of_block(ctx, socket.value(), args)?;
    let (path, addr) = path_arg(ctx, args.at(0))?;
    let failed = |ctx: &mut Ctx, e: i32, call: &str| {
        let path = path.to_lossy(ctx).into_owned();
        errno::fail(ctx, e, &format!("{call} for {path}"))
    };
    let fd = sys::socket(ctx, libc::AF_UNIX, libc::SOCK_STREAM, 0).map_err(|e| failed(ctx, e, "socket(2)"))?;
    sys::install(ctx, socket, fd);
    let io = sys::open(ctx, socket.value())?;
    if let Err(e) = sys::connect(ctx, &io, &addr)? {
        rubellite_core_io::io::device::close(ctx, &io)?;
        return Err(failed(ctx, e, "connect(2)"));
    }
    Ok(socket.value())
}

/// `UNIXServer.new(path)`
fn server_initialize(ctx: &mut Ctx, socket: Data, args: Args) -> Result {
    basic::warn_of_block(ctx, socket.value(), args)?;
    let (path, addr) = path_arg(ctx, args.at(0))?;
    let bound = sys::bound(ctx, libc::AF_UNIX, libc::SOCK_STREAM, 0, &addr);
    let listening =
        bound.and_then(|fd| sys::listen(fd.as_raw_fd(), ip::SERVER_BACKLOG).map(|()| fd).map_err(|e| (e, "listen(2)")));
    match listening {
        Ok(fd) => {
            sys::install(ctx, socket, fd);
            let copy = path.dup(ctx);
            state::state(ctx, socket.value())?.path.set(copy.value());
            ctx.write_barrier(socket.value(), copy.value());
            Ok(socket.value())
        }
        Err((e, call)) => {
            let path = path.to_lossy(ctx).into_owned();
            let call = if call == "bind(2)" { "connect(2)" } else { call };
            Err(errno::fail(ctx, e, &format!("{call} for {path}")))
        }
    }
}

fn accept(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    ip::accept_as(ctx, recv, "UNIXSocket")
}

fn accept_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ip::accept_nonblock_as(ctx, recv, args.at(0), "UNIXSocket")
}

/// `UNIXSocket.pair(type = :STREAM, protocol = 0)`; with a block both are closed after it.
fn pair(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let kind = args.non_nil(0).map_or(Ok(libc::SOCK_STREAM), |v| constants::socktype(ctx, v))?;
    let protocol = args.non_nil(1).map_or(Ok(0), |v| ctx.to_c_int(v))?;
    pair_of(ctx, recv, libc::AF_UNIX, kind, protocol, args.block)
}

pub fn pair_of(ctx: &mut Ctx, class: Value, family: i32, kind: i32, protocol: i32, block: Value) -> Result {
    let (a, b) = match sys::socketpair(ctx, family, kind, protocol) {
        Ok(pair) => pair,
        Err(e) => return Err(errno::fail(ctx, e, "socketpair(2)")),
    };
    let both = [sys::wrap(ctx, class, a), sys::wrap(ctx, class, b)];
    let list = Array::from_slice(ctx, &both);
    if block.is_nil() {
        return Ok(list.value());
    }
    ctx.ensure(
        |ctx| ctx.yield_one(block, list.value()),
        |ctx| {
            for socket in [list.get(0), list.get(1)].into_iter().flatten() {
                ctx.call_name(socket, "close", &[])?;
            }
            Ok(())
        },
    )
}

// -- addresses ------------------------------------------------------------------------------

fn path_of(ctx: &mut Ctx, addr: &[u8]) -> Value {
    let path = address::unix_path(addr).unwrap_or_default();
    Str::binary(ctx, path).value()
}

fn named(ctx: &mut Ctx, addr: &[u8]) -> Value {
    let family = Str::ascii(ctx, "AF_UNIX").value();
    let path = path_of(ctx, addr);
    Array::from_slice(ctx, &[family, path]).value()
}

fn path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    if let Some(path) = Str::try_of(io.path.get()) {
        return Ok(path.dup(ctx).value());
    }
    match sys::local_name(io.fd.get()) {
        Ok(addr) => {
            // From now on `inspect` shows it, too.
            let path = path_of(ctx, &addr);
            io.path.set(path);
            ctx.write_barrier(recv, path);
            Ok(ctx.expect::<Str>(path)?.dup(ctx).value())
        }
        Err(e) => Err(errno::fail(ctx, e, "getsockname(2)")),
    }
}

fn addr(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    match sys::local_name(io.fd.get()) {
        Ok(addr) => Ok(named(ctx, &addr)),
        Err(e) => Err(errno::fail(ctx, e, "getsockname(2)")),
    }
}

fn peeraddr(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    match sys::peer_name(io.fd.get()) {
        Ok(addr) => Ok(named(ctx, &addr)),
        Err(e) => Err(errno::fail(ctx, e, "getpeername(2)")),
    }
}

fn inspect(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let owner = ctx.named_class("UNIXSocket")?;
    let inspect = ctx.names().inspect;
    ctx.call_super(recv, owner, inspect, args)
}

/// `recvfrom(maxlen, flags = 0, outbuf = nil) -> [bytes, ["AF_UNIX", path]]`
fn recvfrom(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(got) = basic::receive_from(ctx, recv, args)? else { return Ok(Value::NIL) };
    let bytes = basic::deliver(ctx, got.buffer, got.bytes)?;
    let family = if got.from.is_empty() { libc::AF_UNIX } else { address::family(&got.from).unwrap_or(0) };
    let from = if family == libc::AF_UNIX { named(ctx, &got.from) } else { Value::NIL };
    Ok(Array::from_slice(ctx, &[bytes, from]).value())
}

// -- descriptors ----------------------------------------------------------------------------

/// `send_io(io or fd)`
fn send_io(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let given = args.at(0);
    let fd = match state::try_state(ctx, given) {
        Some(_) => state::open_state(ctx, given)?.fd.get(),
        None if given.is_fixnum() => ctx.to_c_int(given)?,
        None => return Err(ctx.type_error("neither IO nor file descriptor")),
    };
    let io = basic::writable(ctx, recv)?;
    let control = message::rights(&[fd]);
    match message::send(ctx, &io, &[0], 0, &[], &control)? {
        Ok(_) => Ok(Value::NIL),
        Err(e) => Err(errno::fail(ctx, e, "sendmsg(2)")),
    }
}

/// `recv_io(class = IO, mode = nil)`: an object of `class` for the descriptor that comes, the number itself for nil.
fn recv_io(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let class = match args.get(0) {
        None => ctx.classes().io.get(),
        Some(class) => class,
    };
    let io = basic::readable(ctx, recv, "recv_io")?;
    let got = match message::receive(ctx, &io, 1, 0, message::rights_space(1))? {
        Ok(got) => got,
        Err(e) => return Err(errno::fail(ctx, e, "recvmsg(2)")),
    };
    if got.bytes.is_empty() && got.controls.is_empty() {
        return Err(ctx.raise_error(
            "SocketError",
            "file descriptor was not passed (msg_controllen=0 smaller than sizeof(struct cmsghdr)=16)",
        ));
    }
    let fds = got.take_descriptors();
    let mut fds = fds.into_iter();
    let fd: OwnedFd = match fds.next() {
        Some(fd) => fd,
        None => {
            return Err(ctx.raise_error(
                "SocketError",
                "file descriptor was not passed (msg_controllen=0 smaller than sizeof(struct cmsghdr)=16)",
            ));
        }
    };
    if class.is_nil() {
        return Ok(Value::fixnum(fd.into_raw_fd() as i64));
    }
    let raw = fd.as_raw_fd();
    let number = Value::fixnum(raw as i64);
    let object = match args.non_nil(1) {
        Some(mode) => ctx.call_name(class, "for_fd", &[number, mode]),
        None => ctx.call_name(class, "for_fd", &[number]),
    };
    match object {
        Ok(object) => {
            // The object owns the descriptor now.
            let _ = fd.into_raw_fd();
            Ok(object)
        }
        Err(unwind) => Err(unwind),
    }
}

/// Takes over a descriptor that the kernel has just made for this process.
///
/// # Safety
/// Nobody else owns the descriptor.
pub unsafe fn own(fd: i32) -> OwnedFd {
    // SAFETY: by contract.
    unsafe { OwnedFd::from_raw_fd(fd) }
}
