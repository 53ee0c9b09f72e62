//! Socket: the general class, packed addresses, name services. Convenience methods are `socket.rb`.

use super::resolve::{self, Hints};
use super::{address, basic, constants, ip, sys, unix};
use rubellite_core_io::io::methods::would_block;
use rubellite_core_io::io::read;
use rubellite_core_object::errno;
use rubellite_vm::object::{Array, Data, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Encoding, Result, Value, method, primitive, private_method};
use std::ffi::{CStr, CString};
use std::os::fd::OwnedFd;

pub static SOCKET: ClassDef = ClassDef {
    name: "Socket",
    superclass: "BasicSocket",
    methods: &[
        private_method("initialize", Arity::range(2, 3), initialize),
        method("bind", Arity::exact(1), bind),
        method("connect", Arity::exact(1), connect),
        method("listen", Arity::exact(1), ip::listen),
        method("accept", Arity::NONE, accept),
        method("sysaccept", Arity::NONE, sysaccept),
        method("recvfrom", Arity::range(1, 3), recvfrom),
    ],
    singleton_methods: &[
        method("pair", Arity::range(2, 3), pair),
        method("socketpair", Arity::range(2, 3), pair),
        method("gethostname", Arity::NONE, |ctx, _: Value, _| hostname(ctx)),
        method("gethostbyname", Arity::exact(1), gethostbyname),
        method("gethostbyaddr", Arity::range(1, 2), gethostbyaddr),
        method("getservbyname", Arity::range(1, 2), getservbyname),
        method("getservbyport", Arity::range(1, 2), getservbyport),
        method("getaddrinfo", Arity::range(2, 7), getaddrinfo),
        method("getnameinfo", Arity::range(1, 2), getnameinfo),
        method("sockaddr_in", Arity::exact(2), pack_sockaddr_in),
        method("pack_sockaddr_in", Arity::exact(2), pack_sockaddr_in),
        method("unpack_sockaddr_in", Arity::exact(1), unpack_sockaddr_in),
        method("sockaddr_un", Arity::exact(1), pack_sockaddr_un),
        method("pack_sockaddr_un", Arity::exact(1), pack_sockaddr_un),
        method("unpack_sockaddr_un", Arity::exact(1), unpack_sockaddr_un),
        method("getifaddrs", Arity::NONE, super::ifaddr::getifaddrs),
        method("ip_address_list", Arity::NONE, super::ifaddr::ip_address_list),
    ],
    setup: Some(setup),
    primitives: &[
        primitive("socket_connect_nonblock", Arity::exact(2), connect_nonblock),
        primitive("socket_accept_nonblock", Arity::exact(1), accept_nonblock),
        primitive("socket_recvfrom_nonblock", Arity::exact(4), recvfrom_nonblock),
        primitive("socket_tcp", Arity::exact(8), ip::socket_tcp),
    ],
    ..ClassDef::EMPTY
};

static CONSTANTS: ClassDef = ClassDef { name: "Socket::Constants", ..ClassDef::EMPTY };

fn setup(ctx: &mut Ctx, socket: Class) -> Result<()> {
    let module = ctx.install(&CONSTANTS)?;
    constants::define(ctx, socket, module);
    Ok(())
}

/// `Socket.new(family, socktype, protocol = 0)`
fn initialize(ctx: &mut Ctx, socket: Data, args: Args) -> Result {
    let family = constants::family(ctx, args.at(0))?;
    let kind = constants::socktype(ctx, args.at(1))?;
    let protocol = args.get(2).map_or(Ok(0), |v| ctx.to_c_int(v))?;
    match sys::socket(ctx, family, kind, protocol) {
        Ok(fd) => {
            sys::install(ctx, socket, fd);
            Ok(socket.value())
        }
        Err(e) => Err(errno::fail(ctx, e, "socket(2)")),
    }
}

/// `Socket.pair(family, socktype, protocol = 0)`
fn pair(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let family = constants::family(ctx, args.at(0))?;
    let kind = constants::socktype(ctx, args.at(1))?;
    let protocol = args.non_nil(2).map_or(Ok(0), |v| ctx.to_c_int(v))?;
    unix::pair_of(ctx, recv, family, kind, protocol, args.block)
}

fn bind(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let addr = basic::address_arg(ctx, args.at(0))?;
    let io = sys::open(ctx, recv)?;
    match sys::bind(io.fd.get(), &addr) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::fail(ctx, e, &basic::for_address("bind(2)", &addr))),
    }
}

fn connect(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let addr = basic::address_arg(ctx, args.at(0))?;
    let io = sys::open(ctx, recv)?;
    match sys::connect(ctx, &io, &addr)? {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::fail(ctx, e, &basic::for_address("connect(2)", &addr))),
    }
}

/// The part of `connect_nonblock`: address, exception.
fn connect_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let addr = basic::address_arg(ctx, args.at(0))?;
    let io = sys::open(ctx, recv)?;
    rubellite_core_io::io::methods::set_nonblock(&io, true);
    let quiet = args.at(1) == Value::FALSE;
    match sys::start_connect(io.fd.get(), &addr) {
        Ok(true) => Ok(Value::fixnum(0)),
        Err(libc::EISCONN) if quiet => Ok(Value::fixnum(0)),
        Ok(false) if quiet => Ok(Value::symbol(ctx.intern("wait_writable"))),
        Ok(false) => Err(would_block(ctx, "IO::EINPROGRESSWaitWritable", "connect(2) would block")),
        Err(e) => Err(errno::fail(ctx, e, &basic::for_address("connect(2)", &addr))),
    }
}

fn accepted(ctx: &mut Ctx, fd: OwnedFd, from: Vec<u8>) -> Result {
    use std::os::fd::AsRawFd;
    let raw = fd.as_raw_fd();
    let class = ctx.named_class("Socket")?.value();
    let socket = sys::wrap(ctx, class, fd);
    let from = basic::addrinfo_of(ctx, raw, from)?;
    Ok(Array::from_slice(ctx, &[socket, from]).value())
}

fn accept(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (fd, from) = ip::accept_raw(ctx, recv)?;
    accepted(ctx, fd, from)
}

fn accept_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = basic::readable(ctx, recv, "accept")?;
    match sys::accept_now(ctx, &io) {
        Ok((fd, from)) => accepted(ctx, fd, from),
        Err(e) => ip::accept_failed(ctx, e, args.at(0)),
    }
}

/// `sysaccept -> [fd, address]`
fn sysaccept(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    use std::os::fd::{AsRawFd, IntoRawFd};
    let (fd, from) = ip::accept_raw(ctx, recv)?;
    let from = basic::addrinfo_of(ctx, fd.as_raw_fd(), from)?;
    Ok(Array::from_slice(ctx, &[Value::fixnum(fd.into_raw_fd() as i64), from]).value())
}

/// `recvfrom(maxlen, flags = 0, outbuf = nil) -> [bytes, Addrinfo]`
fn recvfrom(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match basic::receive_from(ctx, recv, args)? {
        None => Ok(Value::NIL),
        Some(got) => received(ctx, got.fd, got.buffer, got.bytes, got.from),
    }
}

fn received(ctx: &mut Ctx, fd: i32, buffer: Option<Str>, bytes: Vec<u8>, from: Vec<u8>) -> Result {
    let bytes = basic::deliver(ctx, buffer, bytes)?;
    let from = basic::addrinfo_of(ctx, fd, from)?;
    Ok(Array::from_slice(ctx, &[bytes, from]).value())
}

/// The part of `recvfrom_nonblock`: maxlen, flags, buffer, exception.
fn recvfrom_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let max = basic::length_arg(ctx, args.at(0))?;
    let flags = ctx.to_c_int(args.at(1))?;
    let buffer = read::buffer_arg(ctx, args.at(2))?;
    let io = basic::readable(ctx, recv, "recvfrom")?;
    match sys::receive_now(io.fd.get(), max, flags) {
        Ok((bytes, _)) if bytes.is_empty() && max > 0 && sys::has_end(io.fd.get()) => Ok(Value::NIL),
        Ok((bytes, from)) => received(ctx, io.fd.get(), buffer, bytes, from),
        Err(e) => basic::would_block(ctx, e, args.at(3), true, "recvfrom(2)"),
    }
}

// -- packed addresses -----------------------------------------------------------------------

/// `Socket.sockaddr_in(port, host)`
fn pack_sockaddr_in(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let addr = basic::first_address(ctx, args.at(1), args.at(0), Hints::default())?;
    Ok(Str::binary(ctx, &addr).value())
}

/// `Socket.unpack_sockaddr_in(addr) -> [port, host]`
fn unpack_sockaddr_in(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let addr = basic::address_arg(ctx, args.at(0))?;
    match address::family(&addr) {
        None => return Err(ctx.argument_error("too short sockaddr")),
        Some(libc::AF_INET | libc::AF_INET6) => {}
        Some(_) => return Err(ctx.argument_error("not an AF_INET/AF_INET6 sockaddr")),
    }
    let (Some(port), Some(host)) = (address::port(&addr), address::ip_text(&addr)) else {
        return Err(resolve::raise(ctx, "getnameinfo", resolve::Failure { code: libc::EAI_FAMILY, errno: 0 }));
    };
    let host = Str::ascii(ctx, &host).value();
    Ok(Array::from_slice(ctx, &[Value::fixnum(port as i64), host]).value())
}

/// `Socket.sockaddr_un(path)`
fn pack_sockaddr_un(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = ctx.to_str(args.at(0))?.bytes(ctx).to_vec();
    match address::pack_unix(&path) {
        Some(addr) => Ok(Str::binary(ctx, &addr).value()),
        None => {
            let text = format!(
                "too long unix socket path ({} bytes given but {} bytes max)",
                path.len(),
                address::UNIX_PATH_MAX
            );
            Err(ctx.argument_error(&text))
        }
    }
}

/// `Socket.unpack_sockaddr_un(addr) -> path`
fn unpack_sockaddr_un(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let addr = basic::address_arg(ctx, args.at(0))?;
    match address::family(&addr) {
        None => return Err(ctx.argument_error("too short sockaddr")),
        Some(libc::AF_UNIX) => {}
        Some(_) => return Err(ctx.argument_error("not an AF_UNIX sockaddr")),
    }
    let whole = size_of::<libc::sockaddr_un>();
    if addr.len() > whole {
        return Err(ctx.type_error(&format!("too long sockaddr_un - {} longer than {whole}", addr.len())));
    }
    let path = address::unix_path(&addr).unwrap_or_default();
    Ok(Str::binary(ctx, path).value())
}

// -- names ----------------------------------------------------------------------------------

/// `Socket.gethostname`
pub fn hostname(ctx: &mut Ctx) -> Result {
    let mut name = [0 as libc::c_char; 1025];
    // SAFETY: the buffer is longer than said, so that it ends with a NUL.
    let text = unsafe {
        if libc::gethostname(name.as_mut_ptr(), name.len() - 1) != 0 {
            return Err(errno::fail(ctx, errno::last(), "gethostname(3)"));
        }
        CStr::from_ptr(name.as_ptr()).to_bytes().to_vec()
    };
    Ok(Str::new(ctx, &text, Encoding::UTF_8).value())
}

/// `Socket.getaddrinfo(host, service, family = nil, socktype = nil, protocol = nil, flags = nil, reverse_lookup = nil)`
fn getaddrinfo(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let hints = Hints {
        family: args.non_nil(2).map_or(Ok(0), |v| constants::family(ctx, v))?,
        socktype: args.non_nil(3).map_or(Ok(0), |v| constants::socktype(ctx, v))?,
        protocol: args.non_nil(4).map_or(Ok(0), |v| ctx.to_c_int(v))?,
        flags: args.non_nil(5).map_or(Ok(0), |v| ctx.to_c_int(v))?,
    };
    let lookup = match args.non_nil(6) {
        Some(flag) => basic::lookup_wanted(ctx, recv, flag)?,
        None => !basic::lookup_off(ctx),
    };
    let found = resolve::resolve(ctx, args.at(0), args.at(1), hints, false)?;
    let out = Array::new(ctx);
    for one in found {
        let Some(row) = Array::try_of(resolve::ip_array(ctx, &one.addr, lookup)?) else { continue };
        for number in [one.family, one.socktype, one.protocol] {
            row.push(ctx, Value::fixnum(number as i64));
        }
        out.push(ctx, row.value());
    }
    Ok(out.value())
}

/// `Socket.getnameinfo(sockaddr, flags = 0) -> [host, service]`; the address is packed or an array as of `addr`.
fn getnameinfo(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let flags = args.non_nil(1).map_or(Ok(0), |v| ctx.to_c_int(v))?;
    let addr = match ctx.check_array(args.at(0))? {
        Some(list) => name_array(ctx, list, flags)?,
        None => basic::address_arg(ctx, args.at(0))?,
    };
    match resolve::getnameinfo(ctx, &addr, flags)? {
        Ok((host, service)) => {
            let host = Str::new(ctx, &host, Encoding::UTF_8).value();
            let service = Str::new(ctx, &service, Encoding::UTF_8).value();
            Ok(Array::from_slice(ctx, &[host, service]).value())
        }
        Err(failure) => Err(resolve::raise(ctx, "getnameinfo", failure)),
    }
}

/// `["AF_INET", port, host]` or `["AF_INET", port, host, number]` as an address.
fn name_array(ctx: &mut Ctx, list: Array, flags: i32) -> Result<Vec<u8>> {
    let item = |i: usize| list.get(i).unwrap_or(Value::NIL);
    let (family, service, host) = match list.len() {
        3 => (item(0), item(1), item(2)),
        4 => (item(0), item(1), if item(3).is_nil() { item(2) } else { item(3) }),
        n => return Err(ctx.argument_error(&format!("array size should be 3 or 4, {n} given"))),
    };
    let family = if family.is_nil() { 0 } else { constants::family(ctx, family)? };
    let socktype = if flags & libc::NI_DGRAM != 0 { libc::SOCK_DGRAM } else { libc::SOCK_STREAM };
    basic::first_address(ctx, host, service, Hints { family, socktype, ..Hints::default() })
}

/// `[name, aliases, family, address ...]` of a host; addresses are text for TCPSocket and packed for Socket.
pub fn host_entry(ctx: &mut Ctx, host: Value, text: bool) -> Result {
    let hints = Hints::stream(libc::AF_UNSPEC, libc::AI_CANONNAME);
    let found = resolve::resolve(ctx, host, Value::NIL, hints, true)?;
    let family = found.first().map_or(0, |r| r.family);
    let name = match found.first().and_then(|r| r.canonname.clone()) {
        Some(name) => name,
        None => resolve::host_text(ctx, host)?.0.unwrap_or_default(),
    };
    let list = Array::new(ctx);
    let name = Str::new(ctx, &name, Encoding::UTF_8).value();
    list.push(ctx, name);
    let aliases = Array::new(ctx).value();
    list.push(ctx, aliases);
    list.push(ctx, Value::fixnum(family as i64));
    for one in found.iter().filter(|r| r.family == family) {
        let value = match text {
            true => {
                let ip = address::ip_text(&one.addr).unwrap_or_default();
                Str::ascii(ctx, &ip).value()
            }
            false => {
                let ip =
                    address::v4(&one.addr).map(|a| a.to_vec()).or_else(|| address::v6(&one.addr).map(|a| a.to_vec()));
                Str::binary(ctx, &ip.unwrap_or_default()).value()
            }
        };
        list.push(ctx, value);
    }
    Ok(list.value())
}

fn gethostbyname(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.warn("Socket.gethostbyname is deprecated; use Addrinfo.getaddrinfo instead.")?;
    host_entry(ctx, args.at(0), false)
}

/// `Socket.gethostbyaddr(packed address, family = by its length)`
fn gethostbyaddr(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.warn("Socket.gethostbyaddr is deprecated; use Addrinfo#getnameinfo instead.")?;
    let bytes = ctx.to_str(args.at(0))?.bytes(ctx).to_vec();
    let family = args
        .non_nil(1)
        .map_or(Ok(if bytes.len() == 16 { libc::AF_INET6 } else { libc::AF_INET }), |v| constants::family(ctx, v))?;
    let addr = match (family, bytes.len()) {
        (libc::AF_INET, 4) => bytes.as_slice().try_into().ok().map(|ip| address::pack_v4(ip, 0)),
        (libc::AF_INET6, 16) => bytes.as_slice().try_into().ok().map(|ip| address::pack_v6(ip, 0, 0)),
        _ => None,
    };
    let Some(addr) = addr else { return Err(ctx.raise_error("SocketError", "host not found")) };
    match resolve::getnameinfo(ctx, &addr, libc::NI_NAMEREQD)? {
        Ok((host, _)) => {
            let host = Str::new(ctx, &host, Encoding::UTF_8).value();
            let aliases = Array::new(ctx).value();
            let packed = Str::binary(ctx, &bytes).value();
            Ok(Array::from_slice(ctx, &[host, aliases, Value::fixnum(family as i64), packed]).value())
        }
        Err(_) => Err(ctx.raise_error("SocketError", "host not found")),
    }
}

fn name_arg(ctx: &mut Ctx, value: Value) -> Result<CString> {
    let bytes = ctx.to_str(value)?.bytes(ctx).to_vec();
    rubellite_core_io::file::path::to_cstring(ctx, &bytes)
}

/// `Socket.getservbyname(name, protocol = "tcp") -> port`
fn getservbyname(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let name = name_arg(ctx, args.at(0))?;
    let protocol = args.get(1).map_or(Ok(c"tcp".to_owned()), |v| name_arg(ctx, v))?;
    // SAFETY: the entry is static data of the C library, read at once.
    let port = unsafe {
        let entry = libc::getservbyname(name.as_ptr(), protocol.as_ptr());
        if entry.is_null() { None } else { Some(u16::from_be((*entry).s_port as u16)) }
    };
    let number = port.map(i64::from).or_else(|| name.to_str().ok().and_then(|n| n.parse().ok()));
    match number {
        Some(port) => Ok(Value::fixnum(port)),
        None => {
            let text = format!("no such service {}/{}", name.to_string_lossy(), protocol.to_string_lossy());
            Err(ctx.raise_error("SocketError", &text))
        }
    }
}

/// `Socket.getservbyport(port, protocol = "tcp") -> name`
fn getservbyport(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let port = ctx.to_int(args.at(0))?;
    let Ok(short) = u16::try_from(port).or_else(|_| i16::try_from(port).map(|n| n as u16)) else {
        let side = if port < 0 { "small" } else { "big" };
        return Err(ctx.range_error(&format!("integer {port} too {side} to convert into 'int16_t'")));
    };
    let protocol = args.get(1).map_or(Ok(c"tcp".to_owned()), |v| name_arg(ctx, v))?;
    // SAFETY: the entry is static data of the C library, copied at once.
    let name = unsafe {
        let entry = libc::getservbyport(libc::c_int::from(short.to_be()), protocol.as_ptr());
        if entry.is_null() { None } else { Some(CStr::from_ptr((*entry).s_name).to_bytes().to_vec()) }
    };
    match name {
        Some(name) => Ok(Str::new(ctx, &name, Encoding::UTF_8).value()),
        None => {
            Err(ctx
                .raise_error("SocketError", &format!("no such service for port {port}/{}", protocol.to_string_lossy())))
        }
    }
}
