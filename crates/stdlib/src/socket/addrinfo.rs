//! Addrinfo: an address with what it is for. Connecting, binding and listening are `addrinfo.rb`.

use super::resolve::{self, Hints, Resolved};
use super::{address, basic, constants};
use rubellite_vm::object::{Array, Data, NativeData, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, method, primitive, private_method};
use std::net::{Ipv4Addr, Ipv6Addr};

pub static ADDRINFO: ClassDef = ClassDef {
    name: "Addrinfo",
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::range(1, 4), initialize),
        method("inspect", Arity::NONE, inspect),
        method("inspect_sockaddr", Arity::NONE, inspect_sockaddr),
        method("afamily", Arity::NONE, afamily),
        method("pfamily", Arity::NONE, pfamily),
        method("socktype", Arity::NONE, socktype),
        method("protocol", Arity::NONE, protocol),
        method("to_sockaddr", Arity::NONE, to_sockaddr),
        method("to_s", Arity::NONE, to_sockaddr),
        method("canonname", Arity::NONE, canonname),
        method("ip?", Arity::NONE, ip_p),
        method("ipv4?", Arity::NONE, ipv4_p),
        method("ipv6?", Arity::NONE, ipv6_p),
        method("unix?", Arity::NONE, unix_p),
        method("ip_address", Arity::NONE, ip_address),
        method("ip_port", Arity::NONE, ip_port),
        method("ip_unpack", Arity::NONE, ip_unpack),
        method("unix_path", Arity::NONE, unix_path),
        method("getnameinfo", Arity::range(0, 1), getnameinfo),
        method("ipv4_private?", Arity::NONE, |c, v: Value, _| v4_is(c, v, |a| a.is_private())),
        method("ipv4_loopback?", Arity::NONE, |c, v: Value, _| v4_is(c, v, |a| a.is_loopback())),
        method("ipv4_multicast?", Arity::NONE, |c, v: Value, _| v4_is(c, v, |a| a.is_multicast())),
        method("ipv6_unspecified?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| a.is_unspecified())),
        method("ipv6_loopback?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| a.is_loopback())),
        method("ipv6_multicast?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| a.is_multicast())),
        method("ipv6_linklocal?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| a.segments()[0] & 0xffc0 == 0xfe80)),
        method("ipv6_sitelocal?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| a.segments()[0] & 0xffc0 == 0xfec0)),
        method("ipv6_unique_local?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| a.segments()[0] & 0xfe00 == 0xfc00)),
        method("ipv6_v4mapped?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| a.to_ipv4_mapped().is_some())),
        method("ipv6_v4compat?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| v4_compatible(a).is_some())),
        method("ipv6_mc_nodelocal?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| multicast_scope(a, 1))),
        method("ipv6_mc_linklocal?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| multicast_scope(a, 2))),
        method("ipv6_mc_sitelocal?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| multicast_scope(a, 5))),
        method("ipv6_mc_orglocal?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| multicast_scope(a, 8))),
        method("ipv6_mc_global?", Arity::NONE, |c, v: Value, _| v6_is(c, v, |a| multicast_scope(a, 14))),
        method("ipv6_to_ipv4", Arity::NONE, ipv6_to_ipv4),
    ],
    singleton_methods: &[
        method("getaddrinfo", Arity::range(2, 6).with_keywords(), class_getaddrinfo),
        method("ip", Arity::exact(1), class_ip),
        method("tcp", Arity::exact(2), class_tcp),
        method("udp", Arity::exact(2), class_udp),
        method("unix", Arity::range(1, 2), class_unix),
    ],
    primitives: &[
        primitive("addrinfo_inspect_name", Arity::NONE, inspect_name),
        primitive("addrinfo_restore", Arity::exact(6), restore),
    ],
    ..ClassDef::EMPTY
};

/// What an Addrinfo holds.
#[derive(Clone, Default)]
pub struct AddrState {
    pub addr: Vec<u8>,
    pub pfamily: i32,
    pub socktype: i32,
    pub protocol: i32,
    pub canonname: Option<Vec<u8>>,
    /// What the address was made from, when that was a name.
    pub name: Option<Vec<u8>>,
}

impl NativeData for AddrState {
    fn tells_stores() -> bool {
        true
    }

    fn frozen_shareable(&self) -> bool {
        true
    }
}

impl AddrState {
    pub fn of(addr: Vec<u8>) -> AddrState {
        AddrState { pfamily: address::family(&addr).unwrap_or(0), addr, ..AddrState::default() }
    }

    fn afamily(&self) -> i32 {
        address::family(&self.addr).unwrap_or(libc::AF_UNSPEC)
    }

    fn is_ip(&self) -> bool {
        constants::is_ip(self.afamily())
    }
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new_empty(ctx, class).value())
}

/// A new Addrinfo.
pub fn make(ctx: &mut Ctx, state: AddrState) -> Result {
    let class = ctx.named_class("Addrinfo")?.value();
    Ok(Data::new(ctx, class, state).value())
}

fn state(ctx: &mut Ctx, value: Value) -> Result<AddrState> {
    match Data::state_of::<AddrState>(ctx, value) {
        Some(state) => Ok(state.clone()),
        None => Err(ctx.type_error("uninitialized socket address")),
    }
}

/// `Addrinfo.new(sockaddr, family = nil, socktype = 0, protocol = 0)`; the address is packed or an array as of `addr`.
fn initialize(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    if Data::state_of::<AddrState>(ctx, data.value()).is_some() {
        return Err(ctx.type_error("already initialized socket address"));
    }
    let family = args.non_nil(1).map_or(Ok(libc::PF_UNSPEC), |v| constants::family(ctx, v))?;
    let socktype = args.non_nil(2).map_or(Ok(0), |v| constants::socktype(ctx, v))?;
    let protocol = args.non_nil(3).map_or(Ok(0), |v| ctx.to_c_int(v))?;
    let state = match ctx.check_array(args.at(0))? {
        Some(list) => from_array(ctx, list, family, socktype, protocol)?,
        None => {
            let addr = ctx.to_str(args.at(0))?.bytes(ctx).to_vec();
            AddrState { addr, pfamily: family, socktype, protocol, ..AddrState::default() }
        }
    };
    data.install(ctx, state);
    Ok(Value::NIL)
}

fn from_array(ctx: &mut Ctx, list: Array, pfamily: i32, socktype: i32, protocol: i32) -> Result<AddrState> {
    let item = |i: usize| list.get(i).unwrap_or(Value::NIL);
    let family_name = ctx.to_str(item(0))?.to_lossy(ctx).into_owned();
    let family_value = item(0);
    let family = match constants::family(ctx, family_value) {
        Ok(family) => family,
        Err(_) => {
            ctx.clear_pending();
            return Err(ctx.raise_error("SocketError", &format!("unknown address family: {family_name}")));
        }
    };
    match family {
        libc::AF_INET | libc::AF_INET6 => {
            let (service, node, numeric) = (item(1), item(2), item(3));
            ctx.to_str(numeric)?;
            let service = if service.is_fixnum() { service } else { ctx.to_integer(service)? };
            let hints = Hints {
                family: if pfamily == 0 { family } else { pfamily },
                socktype,
                protocol,
                flags: libc::AI_NUMERICHOST,
            };
            let found = resolve::resolve(ctx, numeric, service, hints, true)?.into_iter().next();
            let addr = found.map(|r| r.addr).unwrap_or_default();
            let mut name = None;
            if !node.is_nil() {
                let node = ctx.to_str(node)?.bytes(ctx).to_vec();
                if ctx.to_str(numeric)?.bytes(ctx) != node {
                    name = Some(node);
                }
            }
            let pfamily = if pfamily == 0 { family } else { pfamily };
            Ok(AddrState { addr, pfamily, socktype, protocol, canonname: None, name })
        }
        libc::AF_UNIX => {
            let path = ctx.to_str(item(1))?.bytes(ctx).to_vec();
            let addr = unix_addr(ctx, &path)?;
            Ok(AddrState { addr, pfamily: libc::PF_UNIX, socktype: libc::SOCK_STREAM, ..AddrState::default() })
        }
        _ => Err(ctx.raise_error("SocketError", "unexpected address family")),
    }
}

fn unix_addr(ctx: &mut Ctx, path: &[u8]) -> Result<Vec<u8>> {
    match address::pack_unix(path) {
        Some(addr) => Ok(addr),
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

// -- making -----------------------------------------------------------------------------------

fn from_resolved(found: Resolved, name: Option<Vec<u8>>) -> AddrState {
    AddrState {
        addr: found.addr,
        pfamily: found.family,
        socktype: found.socktype,
        protocol: found.protocol,
        canonname: found.canonname,
        name,
    }
}

/// What `inspect` shows of the names that an address was found by.
fn shown_name(ctx: &mut Ctx, host: Value, service: Value) -> Result<Option<Vec<u8>>> {
    let host = Str::try_of(host).map(|text| text.bytes(ctx).to_vec());
    let service = match Str::try_of(service) {
        Some(text) => Some(text.bytes(ctx).to_vec()),
        None if service.is_fixnum() && service != Value::fixnum(0) => {
            Some(service.as_fixnum_unchecked().to_string().into_bytes())
        }
        None => None,
    };
    Ok(match (host, service) {
        (Some(mut host), Some(service)) => {
            host.push(b':');
            host.extend(service);
            Some(host)
        }
        (Some(host), None) => Some(host),
        (None, Some(service)) => Some([b":", service.as_slice()].concat()),
        (None, None) => None,
    })
}

/// `Addrinfo.getaddrinfo(node, service, family = nil, socktype = nil, protocol = nil, flags = nil, timeout: nil)`
fn class_getaddrinfo(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let timeout = args.keyword(ctx, "timeout").unwrap_or(Value::NIL);
    let args = args.positional();
    let hints = Hints {
        family: args.non_nil(2).map_or(Ok(0), |v| constants::family(ctx, v))?,
        socktype: args.non_nil(3).map_or(Ok(0), |v| constants::socktype(ctx, v))?,
        protocol: args.non_nil(4).map_or(Ok(0), |v| ctx.to_c_int(v))?,
        flags: args.non_nil(5).map_or(Ok(0), |v| ctx.to_c_int(v))?,
    };
    let deadline = super::ip::deadline_of(ctx, timeout)?;
    let list = resolve::resolve_within(ctx, args.at(0), args.at(1), hints, false, deadline, "getaddrinfo")?;
    let name = shown_name(ctx, args.at(0), args.at(1))?;
    let out = Array::new(ctx);
    for found in list {
        let info = make(ctx, from_resolved(found, name.clone()))?;
        out.push(ctx, info);
    }
    Ok(out.value())
}

fn first(ctx: &mut Ctx, host: Value, service: Value, hints: Hints) -> Result<AddrState> {
    let found = resolve::resolve(ctx, host, service, hints, true)?;
    let name = shown_name(ctx, host, service)?;
    match found.into_iter().next() {
        Some(found) => Ok(from_resolved(found, name)),
        None => Err(ctx.raise_error("SocketError", "host not found")),
    }
}

fn class_ip(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let found = first(ctx, args.at(0), Value::NIL, Hints::default())?;
    make(ctx, AddrState { socktype: 0, protocol: 0, ..found })
}

fn class_tcp(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let hints = Hints { socktype: libc::SOCK_STREAM, protocol: libc::IPPROTO_TCP, ..Hints::default() };
    let found = first(ctx, args.at(0), args.at(1), hints)?;
    make(ctx, found)
}

fn class_udp(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let hints = Hints { socktype: libc::SOCK_DGRAM, protocol: libc::IPPROTO_UDP, ..Hints::default() };
    let found = first(ctx, args.at(0), args.at(1), hints)?;
    make(ctx, found)
}

/// `Addrinfo.unix(path, socktype = :STREAM)`
fn class_unix(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = ctx.to_str(args.at(0))?.bytes(ctx).to_vec();
    let socktype = args.non_nil(1).map_or(Ok(libc::SOCK_STREAM), |v| constants::socktype(ctx, v))?;
    let addr = unix_addr(ctx, &path)?;
    make(ctx, AddrState { addr, pfamily: libc::PF_UNIX, socktype, ..AddrState::default() })
}

// -- plain questions --------------------------------------------------------------------------

fn afamily(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(state(ctx, recv)?.afamily() as i64))
}

fn pfamily(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(state(ctx, recv)?.pfamily as i64))
}

fn socktype(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(state(ctx, recv)?.socktype as i64))
}

fn protocol(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(state(ctx, recv)?.protocol as i64))
}

fn to_sockaddr(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    Ok(Str::binary(ctx, &state.addr).value())
}

fn canonname(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(match state(ctx, recv)?.canonname {
        Some(name) => Str::new(ctx, &name, Encoding::UTF_8).value(),
        None => Value::NIL,
    })
}

fn ip_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(state(ctx, recv)?.is_ip()))
}

fn ipv4_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(state(ctx, recv)?.afamily() == libc::AF_INET))
}

fn ipv6_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(state(ctx, recv)?.afamily() == libc::AF_INET6))
}

fn unix_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(state(ctx, recv)?.afamily() == libc::AF_UNIX))
}

fn ip_state(ctx: &mut Ctx, recv: Value) -> Result<AddrState> {
    let state = state(ctx, recv)?;
    if state.is_ip() { Ok(state) } else { Err(ctx.raise_error("SocketError", "need IPv4 or IPv6 address")) }
}

fn ip_address(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = ip_state(ctx, recv)?;
    let text = address::ip_text(&state.addr).unwrap_or_default();
    Ok(Str::ascii(ctx, &text).value())
}

fn ip_port(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = ip_state(ctx, recv)?;
    Ok(Value::fixnum(address::port(&state.addr).unwrap_or(0) as i64))
}

fn ip_unpack(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let pair = [ip_address(ctx, recv, args)?, ip_port(ctx, recv, args)?];
    Ok(Array::from_slice(ctx, &pair).value())
}

fn unix_path(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    match address::unix_path(&state.addr) {
        Some(path) => Ok(Str::binary(ctx, path).value()),
        None => Err(ctx.raise_error("SocketError", "need AF_UNIX address")),
    }
}

/// `getnameinfo(flags = 0) -> [host, service]`
fn getnameinfo(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let state = state(ctx, recv)?;
    let mut flags = args.non_nil(0).map_or(Ok(0), |v| ctx.to_c_int(v))?;
    if state.socktype == libc::SOCK_DGRAM {
        flags |= libc::NI_DGRAM;
    }
    if state.afamily() == libc::AF_UNIX {
        let host = super::generic::hostname(ctx)?;
        let path = address::unix_path(&state.addr).unwrap_or_default().to_vec();
        let path = Str::binary(ctx, &path).value();
        return Ok(Array::from_slice(ctx, &[host, path]).value());
    }
    match resolve::getnameinfo(ctx, &state.addr, flags)? {
        Ok((host, service)) => {
            let host = Str::new(ctx, &host, Encoding::UTF_8).value();
            let service = Str::new(ctx, &service, Encoding::UTF_8).value();
            Ok(Array::from_slice(ctx, &[host, service]).value())
        }
        Err(failure) => Err(resolve::raise(ctx, "getnameinfo", failure)),
    }
}

fn v4_is(ctx: &mut Ctx, recv: Value, test: fn(&Ipv4Addr) -> bool) -> Result {
    let state = state(ctx, recv)?;
    Ok(Value::from_bool(address::v4(&state.addr).is_some_and(|ip| test(&ip.into()))))
}

fn v6_is(ctx: &mut Ctx, recv: Value, test: fn(&Ipv6Addr) -> bool) -> Result {
    let state = state(ctx, recv)?;
    Ok(Value::from_bool(address::v6(&state.addr).is_some_and(|ip| test(&ip.into()))))
}

fn multicast_scope(ip: &Ipv6Addr, scope: u16) -> bool {
    ip.is_multicast() && ip.segments()[0] & 15 == scope
}

/// The IPv4 address in `::a.b.c.d`, which neither `::` nor `::1` is.
fn v4_compatible(ip: &Ipv6Addr) -> Option<Ipv4Addr> {
    let words = ip.segments();
    let low = u32::from(words[6]) << 16 | u32::from(words[7]);
    if words[..6].iter().all(|w| *w == 0) && low > 1 { Some(Ipv4Addr::from(low)) } else { None }
}

/// The IPv4 address that an IPv6 address carries, without a port, or nil.
fn ipv6_to_ipv4(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    let Some(ip) = address::v6(&state.addr).map(Ipv6Addr::from) else { return Ok(Value::NIL) };
    match ip.to_ipv4_mapped().or_else(|| v4_compatible(&ip)) {
        Some(v4) => make(
            ctx,
            AddrState {
                socktype: state.socktype,
                protocol: state.protocol,
                ..AddrState::of(address::pack_v4(v4.octets(), 0))
            },
        ),
        None => Ok(Value::NIL),
    }
}

// -- text -------------------------------------------------------------------------------------

fn inspect_sockaddr(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = address::inspect(&state(ctx, recv)?.addr);
    Ok(Str::utf8(ctx, &text).value())
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    let mut text = format!("#<{}: {}", ctx.real_class(recv).inspect(ctx), address::inspect(&state.addr));
    text += &purpose(&state);
    if let Some(canon) = &state.canonname {
        text += &format!(" {}", String::from_utf8_lossy(canon));
    }
    if let Some(name) = shown(&state) {
        text += &format!(" ({})", String::from_utf8_lossy(&name));
    }
    text.push('>');
    Ok(Str::utf8(ctx, &text).value())
}

/// The name behind an address, unless it says what the address says.
fn shown(state: &AddrState) -> Option<Vec<u8>> {
    let name = state.name.clone()?;
    let numeric = address::ip_text(&state.addr).unwrap_or_default();
    let port = address::port(&state.addr).unwrap_or(0);
    let plain = [numeric.clone(), format!("{numeric}:{port}"), format!(":{port}")];
    if plain.iter().any(|p| p.as_bytes() == name.as_slice()) {
        return None;
    }
    if name.starts_with(format!("{numeric}:").as_bytes()) {
        return Some(name[numeric.len()..].to_vec());
    }
    match name.strip_suffix(format!(":{port}").as_bytes()) {
        Some(host) if !host.is_empty() => Some(host.to_vec()),
        _ => Some(name),
    }
}

/// Family, type and protocol as far as the address does not say them.
fn purpose(state: &AddrState) -> String {
    let mut out = String::new();
    if state.pfamily != state.afamily() && state.pfamily != libc::PF_UNSPEC {
        match constants::full_name("PF_", state.pfamily as i64) {
            Some(name) => out += &format!(" {name}"),
            None => out += &format!(" PF_{}", state.pfamily),
        }
    }
    let internet = matches!(state.pfamily, libc::PF_INET | libc::PF_INET6);
    match (state.socktype, state.protocol) {
        (libc::SOCK_STREAM, 0 | libc::IPPROTO_TCP) if internet => out + " TCP",
        (libc::SOCK_DGRAM, 0 | libc::IPPROTO_UDP) if internet => out + " UDP",
        (socktype, protocol) => {
            if socktype != 0 {
                match constants::full_name("SOCK_", socktype as i64) {
                    Some(name) => out += &format!(" {name}"),
                    None => out += &format!(" unknown socktype {socktype}"),
                }
            }
            if protocol != 0 {
                match constants::full_name("IPPROTO_", protocol as i64).filter(|_| internet) {
                    Some(name) => out += &format!(" {name}"),
                    None => out += &format!(" UNKNOWN_PROTOCOL({protocol})"),
                }
            }
            out
        }
    }
}

fn inspect_name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(match shown(&state(ctx, recv)?) {
        Some(name) => Str::new(ctx, &name, Encoding::UTF_8).value(),
        None => Value::NIL,
    })
}

/// The part of `marshal_load`: packed address, family, type, protocol, canonical name, inspected name.
fn restore(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    if Data::state_of::<AddrState>(ctx, data.value()).is_some() {
        return Err(ctx.type_error("already initialized socket address"));
    }
    let text = |ctx: &mut Ctx, i: usize| match args.non_nil(i) {
        Some(value) => ctx.to_str(value).map(|s| Some(s.bytes(ctx).to_vec())),
        None => Ok(None),
    };
    let state = AddrState {
        addr: basic::address_arg(ctx, args.at(0))?,
        pfamily: ctx.to_c_int(args.at(1))?,
        socktype: ctx.to_c_int(args.at(2))?,
        protocol: ctx.to_c_int(args.at(3))?,
        canonname: text(ctx, 4)?,
        name: text(ctx, 5)?,
    };
    data.install(ctx, state);
    Ok(data.value())
}
