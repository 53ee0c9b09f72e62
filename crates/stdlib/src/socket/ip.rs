//! IPSocket, TCPSocket, TCPServer, UDPSocket.

use super::resolve::{self, Hints, Resolved};
use super::{address, basic, constants, sys};
use rubellite_core_io::io::read;
use rubellite_core_object::errno;
use rubellite_core_thread::interval::duration_of;
use rubellite_vm::object::{Array, Data, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, primitive, private_method};
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::{Duration, Instant};

pub static IP_SOCKET: ClassDef = ClassDef {
    name: "IPSocket",
    superclass: "BasicSocket",
    methods: &[
        method("addr", Arity::range(0, 1), addr),
        method("peeraddr", Arity::range(0, 1), peeraddr),
        method("recvfrom", Arity::range(1, 3), recvfrom),
        method("inspect", Arity::NONE, inspect),
    ],
    singleton_methods: &[method("getaddress", Arity::exact(1), getaddress)],
    setup: Some(|ctx, class| {
        // Nobody's identity is known at the other end of a network.
        class.undefine(ctx, "getpeereid");
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub static TCP_SOCKET: ClassDef = ClassDef {
    name: "TCPSocket",
    superclass: "IPSocket",
    methods: &[private_method("initialize", Arity::range(2, 4).with_keywords(), tcp_initialize)],
    singleton_methods: &[method("gethostbyname", Arity::exact(1), tcp_gethostbyname)],
    ..ClassDef::EMPTY
};

pub static TCP_SERVER: ClassDef = ClassDef {
    name: "TCPServer",
    superclass: "TCPSocket",
    methods: &[
        private_method("initialize", Arity::range(1, 2), server_initialize),
        method("accept", Arity::NONE, accept),
        method("sysaccept", Arity::NONE, sysaccept),
        method("listen", Arity::exact(1), listen),
    ],
    primitives: &[primitive("tcp_server_accept_nonblock", Arity::exact(1), accept_nonblock)],
    ..ClassDef::EMPTY
};

pub static UDP_SOCKET: ClassDef = ClassDef {
    name: "UDPSocket",
    superclass: "IPSocket",
    methods: &[
        private_method("initialize", Arity::range(0, 1), udp_initialize),
        method("connect", Arity::exact(2), udp_connect),
        method("bind", Arity::exact(2), udp_bind),
        method("send", Arity::range(2, 4), udp_send),
    ],
    primitives: &[primitive("udp_socket_recvfrom_nonblock", Arity::exact(4), udp_recvfrom_nonblock)],
    ..ClassDef::EMPTY
};

/// RFC 8305: the pause between the starts of two attempts.
const ATTEMPT_DELAY: Duration = Duration::from_millis(250);

/// The moment at which a timeout in seconds is over.
pub fn deadline_of(ctx: &mut Ctx, timeout: Value) -> Result<Option<Instant>> {
    if timeout.is_nil() {
        return Ok(None);
    }
    Ok(Instant::now().checked_add(duration_of(ctx, timeout)?))
}

// -- IPSocket -----------------------------------------------------------------------------------

fn addr(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    let lookup = basic::lookup_wanted(ctx, recv, args.at(0))?;
    match sys::local_name(io.fd.get()) {
        Ok(addr) => resolve::ip_array(ctx, &addr, lookup),
        Err(e) => Err(errno::fail(ctx, e, "getsockname(2)")),
    }
}

fn peeraddr(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    let lookup = basic::lookup_wanted(ctx, recv, args.at(0))?;
    match sys::peer_name(io.fd.get()) {
        Ok(addr) => resolve::ip_array(ctx, &addr, lookup),
        Err(e) => Err(errno::fail(ctx, e, "getpeername(2)")),
    }
}

/// `recvfrom(maxlen, flags = 0, outbuf = nil) -> [bytes, address]`; the address of a stream is nil.
fn recvfrom(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match basic::receive_from(ctx, recv, args)? {
        None => Ok(Value::NIL),
        Some(got) => received(ctx, recv, got.buffer, got.bytes, &got.from),
    }
}

fn received(ctx: &mut Ctx, socket: Value, buffer: Option<Str>, bytes: Vec<u8>, from: &[u8]) -> Result {
    let bytes = basic::deliver(ctx, buffer, bytes)?;
    let from = if from.is_empty() {
        Value::NIL
    } else {
        let lookup = basic::lookup_wanted(ctx, socket, Value::NIL)?;
        resolve::ip_array(ctx, from, lookup)?
    };
    Ok(Array::from_slice(ctx, &[bytes, from]).value())
}

fn inspect(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let owner = ctx.named_class("IPSocket")?;
    let inspect = ctx.names().inspect;
    let text = ctx.call_super(recv, owner, inspect, args)?;
    let mut text = ctx.to_str(text)?.to_lossy(ctx).into_owned();
    let name = match rubellite_core_io::io::state::try_state(ctx, recv) {
        Some(io) if !io.closed() => sys::local_name(io.fd.get()).ok(),
        _ => None,
    };
    if let (Some(name), true) = (name, text.ends_with('>')) {
        text.pop();
        let family = resolve::family_text(address::family(&name).unwrap_or(0));
        let host = address::ip_text(&name).unwrap_or_default();
        text += &format!(", {family}, {host}, {}>", address::port(&name).unwrap_or(0));
    }
    Ok(Str::utf8(ctx, &text).value())
}

/// `IPSocket.getaddress(host)`
fn getaddress(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let hints = Hints::stream(libc::AF_UNSPEC, 0);
    let addr = basic::first_address(ctx, args.at(0), Value::NIL, hints)?;
    let text = address::ip_text(&addr).unwrap_or_default();
    Ok(Str::ascii(ctx, &text).value())
}

fn tcp_gethostbyname(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.warn("TCPSocket.gethostbyname is deprecated; use Addrinfo.getaddrinfo instead.")?;
    super::generic::host_entry(ctx, args.at(0), true)
}

// -- connecting ---------------------------------------------------------------------------------

/// What a client asks for.
struct Target {
    host: Value,
    service: Value,
    local_host: Value,
    local_service: Value,
}

/// When to give up.
struct Limits {
    resolve: Option<Instant>,
    connect: Value,
    whole: Option<Instant>,
    staggered: bool,
}

/// `TCPSocket.new(host, service, local_host = nil, local_service = nil, resolv_timeout:, connect_timeout:,
/// open_timeout:, fast_fallback:)`
fn tcp_initialize(ctx: &mut Ctx, socket: Data, args: Args) -> Result {
    basic::warn_of_block(ctx, socket.value(), args)?;
    // The last one is CRuby's own tests': it simulates resolvers, and has no effect here.
    args.check_keywords(
        ctx,
        &["resolv_timeout", "connect_timeout", "open_timeout", "fast_fallback", "test_mode_settings"],
    )?;
    let word = |ctx: &mut Ctx, name: &'static str| args.keyword(ctx, name).unwrap_or(Value::NIL);
    let (resolv, connect, open) =
        (word(ctx, "resolv_timeout"), word(ctx, "connect_timeout"), word(ctx, "open_timeout"));
    let separate = !resolv.is_nil() || !connect.is_nil();
    if separate && !open.is_nil() {
        return Err(ctx.argument_error("Cannot specify open_timeout along with connect_timeout or resolv_timeout"));
    }
    let staggered = args.keyword(ctx, "fast_fallback") != Some(Value::FALSE);
    let whole = deadline_of(ctx, open)?;
    let limits = Limits { resolve: deadline_of(ctx, resolv)?.or(whole), connect, whole, staggered };
    let args = args.positional();
    let target = Target { host: args.at(0), service: args.at(1), local_host: args.at(2), local_service: args.at(3) };
    match open_client(ctx, &target, &limits, "getaddrinfo(3)")? {
        Ok(fd) => {
            sys::install(ctx, socket, fd);
            Ok(socket.value())
        }
        Err((e, call, _)) => {
            let (host, service) = if call == "bind(2)" {
                (target.local_host, target.local_service)
            } else {
                (target.host, target.service)
            };
            let text = basic::for_host(ctx, call, host, service)?;
            Err(errno::fail(ctx, e, &text))
        }
    }
}

/// The part of `Socket.tcp`: the arguments by position.
pub fn socket_tcp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let whole = deadline_of(ctx, args.at(6))?;
    let limits = Limits {
        resolve: deadline_of(ctx, args.at(5))?.or(whole),
        connect: args.at(4),
        whole,
        staggered: args.at(7).truthy(),
    };
    let target = Target { host: args.at(0), service: args.at(1), local_host: args.at(2), local_service: args.at(3) };
    match open_client(ctx, &target, &limits, "getaddrinfo")? {
        Ok(fd) => Ok(sys::wrap(ctx, recv, fd)),
        Err((e, call, addr)) => Err(errno::fail(ctx, e, &basic::for_address(call, &addr))),
    }
}

type Attempted = std::result::Result<OwnedFd, (i32, &'static str, Vec<u8>)>;

/// Resolves and connects. Raises when there is no address or the time is over; `call` is for the message.
fn open_client(ctx: &mut Ctx, target: &Target, limits: &Limits, call: &str) -> Result<Attempted> {
    let hints = Hints::stream(libc::AF_UNSPEC, 0);
    let found = match resolve::resolve_within(ctx, target.host, target.service, hints, false, limits.resolve, call) {
        Ok(found) => found,
        Err(_) if limits.resolve.is_some_and(|d| d <= Instant::now()) && ctx.pending_exception().is_some() => {
            ctx.clear_pending();
            return Err(user_timeout(ctx, target)?);
        }
        Err(unwind) => return Err(unwind),
    };
    let local = if target.local_host.is_nil() && target.local_service.is_nil() {
        Vec::new()
    } else {
        resolve::resolve(ctx, target.local_host, target.local_service, hints, false)?
    };
    let only = match found.as_slice() {
        [one] => Some(address::inspect(&one.addr)),
        _ => None,
    };
    let mut race = Race { waiting: interleave(found, limits.staggered), local, ..Race::default() };
    let connect_limit = deadline_of(ctx, limits.connect)?;
    let deadline = match (connect_limit, limits.whole) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    match (race.run(ctx, deadline, limits.staggered)?, race.failure) {
        (Some(fd), _) => Ok(Ok(fd)),
        (None, Some(failure)) => Ok(Err(failure)),
        // Socket.tcp words it by the address when there is only one.
        (None, None) => match only.filter(|_| call == "getaddrinfo") {
            Some(addr) => Err(errno::fail(ctx, libc::ETIMEDOUT, &format!("user specified timeout for {addr}"))),
            None => Err(user_timeout(ctx, target)?),
        },
    }
}

/// IO::TimeoutError "user specified timeout for host:port"
fn user_timeout(ctx: &mut Ctx, target: &Target) -> Result<rubellite_vm::Unwind> {
    let host = ctx.to_s(target.host)?.to_lossy(ctx).into_owned();
    let service = ctx.to_s(target.service)?.to_lossy(ctx).into_owned();
    Ok(ctx.raise_error("IO::TimeoutError", &format!("user specified timeout for {host}:{service}")))
}

/// Families in turn, beginning with the one that the resolver put first (RFC 8305, section 4).
fn interleave(found: Vec<Resolved>, staggered: bool) -> Vec<Resolved> {
    let Some(first) = found.first().map(|r| r.family) else { return found };
    if !staggered {
        return found;
    }
    let (mut a, mut b): (Vec<_>, Vec<_>) = found.into_iter().partition(|r| r.family == first);
    let mut out = Vec::with_capacity(a.len() + b.len());
    a.reverse();
    b.reverse();
    while !(a.is_empty() && b.is_empty()) {
        out.extend(a.pop());
        out.extend(b.pop());
    }
    out
}

/// Attempts to connect, one after the other without waiting for the one before longer than the delay. The
/// first to succeed wins; the others are closed.
#[derive(Default)]
struct Race {
    waiting: Vec<Resolved>,
    local: Vec<Resolved>,
    running: Vec<(OwnedFd, Vec<u8>)>,
    /// The last failure: errno, the call and its address.
    failure: Option<(i32, &'static str, Vec<u8>)>,
}

impl Race {
    /// `None`: every attempt failed (`failure` says how), or the deadline passed (`failure` is `None`).
    fn run(&mut self, ctx: &mut Ctx, deadline: Option<Instant>, staggered: bool) -> Result<Option<OwnedFd>> {
        self.waiting.reverse();
        loop {
            if let Some(fd) = self.start_next(ctx) {
                return Ok(Some(fd));
            }
            if self.running.is_empty() {
                if self.waiting.is_empty() {
                    return Ok(None);
                }
                continue;
            }
            let next = if staggered && !self.waiting.is_empty() { Some(Instant::now() + ATTEMPT_DELAY) } else { None };
            let until = match (next, deadline) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            if let Some(fd) = self.wait(ctx, until)? {
                return Ok(Some(fd));
            }
            if deadline.is_some_and(|d| d <= Instant::now()) && !self.running.is_empty() {
                self.failure = None;
                return Ok(None);
            }
        }
    }

    /// Starts the next attempt; a socket that connects at once is returned.
    fn start_next(&mut self, ctx: &mut Ctx) -> Option<OwnedFd> {
        let next = self.waiting.pop()?;
        let local = self.local.iter().find(|l| l.family == next.family).map(|l| l.addr.clone());
        if local.is_none()
            && !self.local.is_empty()
            && self.waiting.iter().any(|r| self.local.iter().any(|l| l.family == r.family))
        {
            return None;
        }
        let fd = match sys::socket(ctx, next.family, next.socktype, next.protocol) {
            Ok(fd) => fd,
            Err(e) => {
                self.failure = Some((e, "socket(2)", next.addr));
                return None;
            }
        };
        if let Some(local) = local {
            let bound = sys::set_flag(fd.as_raw_fd(), libc::SOL_SOCKET, libc::SO_REUSEADDR, true)
                .and_then(|()| sys::bind(fd.as_raw_fd(), &local));
            if let Err(e) = bound {
                self.failure = Some((e, "bind(2)", local));
                return None;
            }
        }
        match sys::start_connect(fd.as_raw_fd(), &next.addr) {
            Ok(true) => Some(fd),
            Ok(false) => {
                self.running.push((fd, next.addr));
                None
            }
            Err(e) => {
                self.failure = Some((e, "connect(2)", next.addr));
                None
            }
        }
    }

    /// Waits until an attempt ends or the time is over; returns the winner.
    fn wait(&mut self, ctx: &mut Ctx, until: Option<Instant>) -> Result<Option<OwnedFd>> {
        let mut polls: Vec<_> = self
            .running
            .iter()
            .map(|(fd, _)| libc::pollfd { fd: fd.as_raw_fd(), events: libc::POLLOUT, revents: 0 })
            .collect();
        match sys::wait_all(ctx, &mut polls, until)? {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(e) => return Err(errno::fail(ctx, e, "poll(2)")),
        }
        for i in (0..polls.len()).rev() {
            if polls[i].revents == 0 {
                continue;
            }
            let (fd, addr) = self.running.swap_remove(i);
            match sys::connect_result(fd.as_raw_fd()) {
                Ok(()) => return Ok(Some(fd)),
                Err(e) => self.failure = Some((e, "connect(2)", addr)),
            }
        }
        Ok(None)
    }
}

// -- TCPServer ----------------------------------------------------------------------------------

/// `TCPServer.new(host = nil, service)`
fn server_initialize(ctx: &mut Ctx, socket: Data, args: Args) -> Result {
    basic::warn_of_block(ctx, socket.value(), args)?;
    let (host, service) = if args.len() == 2 { (args.at(0), args.at(1)) } else { (Value::NIL, args.at(0)) };
    let found = resolve::resolve(ctx, host, service, Hints::stream(libc::AF_UNSPEC, libc::AI_PASSIVE), false)?;
    let mut failure = (libc::EADDRNOTAVAIL, "bind(2)");
    for one in &found {
        match sys::bound(ctx, one.family, one.socktype, one.protocol, &one.addr) {
            Ok(fd) => match sys::listen(fd.as_raw_fd(), SERVER_BACKLOG) {
                Ok(()) => {
                    sys::install(ctx, socket, fd);
                    return Ok(socket.value());
                }
                Err(e) => failure = (e, "listen(2)"),
            },
            Err(e) => failure = e,
        }
    }
    let text = basic::for_host(ctx, failure.1, host, service)?;
    Err(errno::fail(ctx, failure.0, &text))
}

/// `Socket::SOMAXCONN`
pub const SERVER_BACKLOG: i32 = libc::SOMAXCONN;

pub fn accept_raw(ctx: &mut Ctx, recv: Value) -> Result<(OwnedFd, Vec<u8>)> {
    let io = basic::readable(ctx, recv, "accept")?;
    match sys::accept(ctx, &io)? {
        Ok(pair) => Ok(pair),
        Err(e) => Err(errno::fail(ctx, e, "accept(2)")),
    }
}

/// `accept` of a server whose connections are of class `name`.
pub fn accept_as(ctx: &mut Ctx, recv: Value, name: &'static str) -> Result {
    let (fd, _) = accept_raw(ctx, recv)?;
    let class = ctx.named_class(name)?.value();
    Ok(sys::wrap(ctx, class, fd))
}

/// The part of `accept_nonblock` in the same way.
pub fn accept_nonblock_as(ctx: &mut Ctx, recv: Value, exception: Value, name: &'static str) -> Result {
    let io = basic::readable(ctx, recv, "accept")?;
    match sys::accept_now(ctx, &io) {
        Ok((fd, _)) => {
            let class = ctx.named_class(name)?.value();
            Ok(sys::wrap(ctx, class, fd))
        }
        Err(e) => accept_failed(ctx, e, exception),
    }
}

fn accept(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    accept_as(ctx, recv, "TCPSocket")
}

fn accept_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    accept_nonblock_as(ctx, recv, args.at(0), "TCPSocket")
}

/// A failed non-blocking accept: for what only this connection is to blame, the next may be waited for.
pub fn accept_failed(ctx: &mut Ctx, e: i32, exception: Value) -> Result {
    let e = if matches!(e, libc::ECONNABORTED | libc::EPROTO) { libc::EAGAIN } else { e };
    basic::would_block(ctx, e, exception, true, "accept(2)")
}

pub fn sysaccept(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    use std::os::fd::IntoRawFd;
    let (fd, _) = accept_raw(ctx, recv)?;
    Ok(Value::fixnum(fd.into_raw_fd() as i64))
}

pub fn listen(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let backlog = ctx.to_c_int(args.at(0))?;
    let io = sys::open(ctx, recv)?;
    match sys::listen(io.fd.get(), backlog) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::fail(ctx, e, "listen(2)")),
    }
}

// -- UDPSocket ----------------------------------------------------------------------------------

/// `UDPSocket.new(family = AF_INET)`
fn udp_initialize(ctx: &mut Ctx, socket: Data, args: Args) -> Result {
    basic::warn_of_block(ctx, socket.value(), args)?;
    let family = args.get(0).map_or(Ok(libc::AF_INET), |v| constants::family(ctx, v))?;
    match sys::socket(ctx, family, libc::SOCK_DGRAM, 0) {
        Ok(fd) => {
            sys::install(ctx, socket, fd);
            Ok(socket.value())
        }
        Err(e) => Err(errno::fail(ctx, e, "socket(2) - udp")),
    }
}

fn udp_found(ctx: &mut Ctx, fd: i32, host: Value, service: Value) -> Result<Vec<Resolved>> {
    let hints = Hints { family: sys::family_of(fd), socktype: libc::SOCK_DGRAM, ..Hints::default() };
    resolve::resolve(ctx, host, service, hints, false)
}

fn udp_connect(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    let mut failure = libc::EADDRNOTAVAIL;
    let found = udp_found(ctx, io.fd.get(), args.at(0), args.at(1))?;
    // Looking the address up may have closed it.
    let io = sys::open(ctx, recv)?;
    for one in found {
        match sys::connect(ctx, &io, &one.addr)? {
            Ok(()) => return Ok(Value::fixnum(0)),
            Err(e) => failure = e,
        }
    }
    let text = basic::for_host(ctx, "connect(2)", args.at(0), args.at(1))?;
    Err(errno::fail(ctx, failure, &text))
}

fn udp_bind(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = sys::open(ctx, recv)?;
    let mut failure = libc::EADDRNOTAVAIL;
    let found = udp_found(ctx, io.fd.get(), args.at(0), args.at(1))?;
    let io = sys::open(ctx, recv)?;
    for one in found {
        match sys::bind(io.fd.get(), &one.addr) {
            Ok(()) => return Ok(Value::fixnum(0)),
            Err(e) => failure = e,
        }
    }
    let text = basic::for_host(ctx, "bind(2)", args.at(0), args.at(1))?;
    Err(errno::fail(ctx, failure, &text))
}

/// `send(mesg, flags)`, `send(mesg, flags, sockaddr)`, `send(mesg, flags, host, port)`
fn udp_send(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if args.len() < 4 {
        return basic::send(ctx, recv, args);
    }
    let text = ctx.to_str(args.at(0))?;
    let flags = ctx.to_c_int(args.at(1))?;
    let io = basic::writable(ctx, recv)?;
    let bytes = text.bytes(ctx).to_vec();
    let mut failure = libc::EADDRNOTAVAIL;
    let found = udp_found(ctx, io.fd.get(), args.at(2), args.at(3))?;
    let io = basic::writable(ctx, recv)?;
    for one in found {
        match sys::send(ctx, &io, &bytes, flags, &one.addr)? {
            Ok(n) => return Ok(Value::fixnum(n as i64)),
            Err(e) => failure = e,
        }
    }
    let text = basic::for_host(ctx, "sendto(2)", args.at(2), args.at(3))?;
    Err(errno::fail(ctx, failure, &text))
}

/// The part of `recvfrom_nonblock`: maxlen, flags, buffer, exception.
fn udp_recvfrom_nonblock(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let max = basic::length_arg(ctx, args.at(0))?;
    let flags = ctx.to_c_int(args.at(1))?;
    let buffer = read::buffer_arg(ctx, args.at(2))?;
    let io = basic::readable(ctx, recv, "recvfrom")?;
    match sys::receive_now(io.fd.get(), max, flags) {
        Ok((bytes, from)) => received(ctx, recv, buffer, bytes, &from),
        Err(e) => basic::would_block(ctx, e, args.at(3), true, "recvfrom(2)"),
    }
}
