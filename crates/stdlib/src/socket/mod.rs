//! `socket`: stream, datagram and local sockets, addresses, name resolution.
//!
//! Sockets are IO objects: their state, buffers and waits are the core library's (`system::io`). System calls are in
//! `sys` and `message`, names and addresses in `resolve` and `address`; what only combines these is Ruby (`*.rb`).

mod address;
mod addrinfo;
mod basic;
mod constants;
mod generic;
mod helpers;
mod ifaddr;
mod ip;
mod message;
mod option;
mod resolve;
mod sys;
mod unix;

use rubellite_corelib::system::load;
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Unwind, Value, method};

pub fn register(ctx: &mut Ctx) {
    load::register(ctx, "socket", load);
    load::register(ctx, "socket.so", |ctx| ctx.run_source(b"require 'socket'", "<internal:socket>", false).map(drop));
}

static SOCKET_ERROR: ClassDef = ClassDef { name: "SocketError", superclass: "StandardError", ..ClassDef::EMPTY };

static RESOLUTION_ERROR: ClassDef =
    ClassDef { name: "Socket::ResolutionError", superclass: "SocketError", methods: &[method("error_code", Arity::NONE, error_code)], ..ClassDef::EMPTY };

static OPTION: ClassDef = ClassDef { name: "Socket::Option", ..ClassDef::EMPTY };
static ANCILLARY_DATA: ClassDef = ClassDef { name: "Socket::AncillaryData", ..ClassDef::EMPTY };
static UDP_SOURCE: ClassDef = ClassDef { name: "Socket::UDPSource", ..ClassDef::EMPTY };

/// Superclasses first.
static CLASSES: &[&ClassDef] = &[
    &SOCKET_ERROR,
    &basic::BASIC_SOCKET,
    &ip::IP_SOCKET,
    &ip::TCP_SOCKET,
    &ip::TCP_SERVER,
    &ip::UDP_SOCKET,
    &unix::UNIX_SOCKET,
    &unix::UNIX_SERVER,
    &generic::SOCKET,
    &RESOLUTION_ERROR,
    &OPTION,
    &ANCILLARY_DATA,
    &UDP_SOURCE,
    &ifaddr::IFADDR,
    &addrinfo::ADDRINFO,
];

/// Methods in Ruby, by the file that holds them.
const PARTS: &[(&str, &str)] = &[
    ("<internal:socket/basic>", include_str!("basic.rb")),
    ("<internal:socket/option>", include_str!("option.rb")),
    ("<internal:socket/ancillary>", include_str!("ancillary.rb")),
    ("<internal:socket/addrinfo>", include_str!("addrinfo.rb")),
    ("<internal:socket/socket>", include_str!("socket.rb")),
];

fn load(ctx: &mut Ctx) -> Result<()> {
    for class in CLASSES {
        ctx.install(class)?;
    }
    let basic = ctx.named_class("BasicSocket")?;
    for def in message::METHODS {
        ctx.define_native(basic, def);
    }
    let option = ctx.named_class("Socket::Option")?;
    let singleton = Class::singleton_class(ctx, option.value()).ok_or(Unwind)?;
    for def in option::SINGLETON {
        ctx.define_native(singleton, def);
    }
    for (path, source) in PARTS {
        ctx.run_source(source.as_bytes(), path, false)?;
    }
    Ok(())
}

/// `error_code`: the number of getaddrinfo(3).
fn error_code(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = ctx.intern("__error_code");
    Ok(ctx.ivar_get(recv, name).defined().unwrap_or(Value::NIL))
}
