//! Socket::Ifaddr: the addresses of this machine's interfaces.

use super::addrinfo::{self, AddrState};
use super::{address, constants};
use rubellite_core_object::errno;
use rubellite_vm::object::{Array, Data, NativeData, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, method};
use std::ffi::CStr;

pub static IFADDR: ClassDef = ClassDef {
    name: "Socket::Ifaddr",
    no_new: true,
    methods: &[
        method("name", Arity::NONE, name),
        method("ifindex", Arity::NONE, ifindex),
        method("flags", Arity::NONE, flags),
        method("addr", Arity::NONE, |c, v: Value, _| part(c, v, |s| &s.addr)),
        method("netmask", Arity::NONE, |c, v: Value, _| part(c, v, |s| &s.netmask)),
        method("broadaddr", Arity::NONE, |c, v: Value, _| part(c, v, broadcast)),
        method("dstaddr", Arity::NONE, |c, v: Value, _| part(c, v, destination)),
        method("inspect", Arity::NONE, inspect),
    ],
    ..ClassDef::EMPTY
};

#[derive(Clone)]
struct Interface {
    name: Vec<u8>,
    flags: u32,
    addr: Option<Vec<u8>>,
    netmask: Option<Vec<u8>>,
    /// The broadcast address, or the other end of a point-to-point link: the flags say which.
    other: Option<Vec<u8>>,
}

impl NativeData for Interface {}

const NONE: &Option<Vec<u8>> = &None;

fn broadcast(interface: &Interface) -> &Option<Vec<u8>> {
    if interface.flags & libc::IFF_BROADCAST as u32 != 0 { &interface.other } else { NONE }
}

fn destination(interface: &Interface) -> &Option<Vec<u8>> {
    if interface.flags & libc::IFF_POINTOPOINT as u32 != 0 { &interface.other } else { NONE }
}

/// Copies an address; its length follows from its family.
///
/// # Safety
/// The pointer is null or leads to an address of getifaddrs(3).
unsafe fn copy(at: *const libc::sockaddr) -> Option<Vec<u8>> {
    if at.is_null() {
        return None;
    }
    // SAFETY: by contract; every address has a family.
    let len = match unsafe { (*at).sa_family } as i32 {
        libc::AF_INET => size_of::<libc::sockaddr_in>(),
        libc::AF_INET6 => size_of::<libc::sockaddr_in6>(),
        libc::AF_PACKET => size_of::<libc::sockaddr_ll>(),
        _ => return None,
    };
    // SAFETY: an address of that family is that long.
    let bytes = unsafe { std::slice::from_raw_parts(at.cast::<u8>(), len) };
    Some(bytes.to_vec())
}

fn interfaces() -> super::sys::Sys<Vec<Interface>> {
    let mut out = Vec::new();
    // SAFETY: the list is walked before it is freed, once; names are C strings.
    unsafe {
        let mut list = std::ptr::null_mut();
        if libc::getifaddrs(&mut list) != 0 {
            return Err(errno::last());
        }
        let mut at = list;
        while !at.is_null() {
            let one = &*at;
            out.push(Interface {
                name: CStr::from_ptr(one.ifa_name).to_bytes().to_vec(),
                flags: one.ifa_flags,
                addr: copy(one.ifa_addr),
                netmask: copy(one.ifa_netmask),
                other: copy(one.ifa_ifu),
            });
            at = one.ifa_next;
        }
        libc::freeifaddrs(list);
    }
    Ok(out)
}

/// `Socket.getifaddrs`
pub fn getifaddrs(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let list = match interfaces() {
        Ok(list) => list,
        Err(e) => return Err(errno::fail(ctx, e, "getifaddrs")),
    };
    let class = ctx.named_class("Socket::Ifaddr")?.value();
    let out = Array::new(ctx);
    for interface in list {
        let object = Data::new(ctx, class, interface).value();
        out.push(ctx, object);
    }
    Ok(out.value())
}

/// `Socket.ip_address_list`: the IP addresses of all interfaces.
pub fn ip_address_list(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let list = match interfaces() {
        Ok(list) => list,
        Err(e) => return Err(errno::fail(ctx, e, "getifaddrs")),
    };
    let out = Array::new(ctx);
    for addr in list.into_iter().filter_map(|i| i.addr) {
        if address::family(&addr).is_some_and(constants::is_ip) {
            let info = addrinfo::make(ctx, AddrState::of(addr))?;
            out.push(ctx, info);
        }
    }
    Ok(out.value())
}

fn state(ctx: &mut Ctx, value: Value) -> Result<Interface> {
    match Data::state_of::<Interface>(ctx, value) {
        Some(state) => Ok(state.clone()),
        None => Err(ctx.type_error("uninitialized ifaddr")),
    }
}

fn name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    Ok(Str::new(ctx, &state.name, Encoding::UTF_8).value())
}

fn ifindex(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    let name = rubellite_core_io::file::path::to_cstring(ctx, &state.name)?;
    // SAFETY: a C string.
    match unsafe { libc::if_nametoindex(name.as_ptr()) } {
        0 => Err(ctx.argument_error(&format!("invalid interface name: {}", name.to_string_lossy()))),
        index => Ok(Value::fixnum(index as i64)),
    }
}

fn flags(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(state(ctx, recv)?.flags as i64))
}

fn part(ctx: &mut Ctx, recv: Value, which: fn(&Interface) -> &Option<Vec<u8>>) -> Result {
    match which(&state(ctx, recv)?) {
        Some(addr) => addrinfo::make(ctx, AddrState::of(addr.clone())),
        None => Ok(Value::NIL),
    }
}

/// Flags by name, in the order of their bits; the rest as a number.
const FLAGS: [(u32, &str); 16] = [
    (1, "UP"),
    (2, "BROADCAST"),
    (4, "DEBUG"),
    (8, "LOOPBACK"),
    (16, "POINTOPOINT"),
    (32, "NOTRAILERS"),
    (64, "RUNNING"),
    (128, "NOARP"),
    (256, "PROMISC"),
    (512, "ALLMULTI"),
    (1024, "MASTER"),
    (2048, "SLAVE"),
    (4096, "MULTICAST"),
    (8192, "PORTSEL"),
    (16384, "AUTOMEDIA"),
    (32768, "DYNAMIC"),
];

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = state(ctx, recv)?;
    let mut words: Vec<String> =
        FLAGS.iter().filter(|(bit, _)| state.flags & bit != 0).map(|(_, name)| (*name).to_string()).collect();
    let rest = state.flags & !0xffff;
    if rest != 0 {
        words.push(format!("{rest:#x}"));
    }
    let mut text = format!("#<Socket::Ifaddr {}", String::from_utf8_lossy(&state.name));
    if !words.is_empty() {
        text += &format!(" {}", words.join(","));
    }
    let shown = [
        ("", &state.addr),
        ("netmask=", &state.netmask),
        ("broadcast=", broadcast(&state)),
        ("dstaddr=", destination(&state)),
    ];
    for (label, addr) in shown {
        if let Some(addr) = addr {
            text += &format!(" {label}{}", address::inspect(addr));
        }
    }
    text.push('>');
    Ok(Str::utf8(ctx, &text).value())
}
