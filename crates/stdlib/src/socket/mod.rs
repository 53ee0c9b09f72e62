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

use rubellite_core_load as load;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub fn register(ctx: &mut Ctx) {
    load::register(ctx, "socket", load);
}

static SOCKET_ERROR: ClassDef = ClassDef { name: "SocketError", superclass: "StandardError", ..ClassDef::EMPTY };

static RESOLUTION_ERROR: ClassDef = ClassDef {
    name: "Socket::ResolutionError",
    superclass: "SocketError",
    methods: &[method("error_code", Arity::NONE, error_code)],
    ..ClassDef::EMPTY
};

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

/// Methods in Ruby, by the name of the file that holds them.
const PARTS: &[(&str, &str)] = &[
    ("socket/basic", include_str!("basic.rb")),
    ("socket/option", include_str!("option.rb")),
    ("socket/ancillary", include_str!("ancillary.rb")),
    ("socket/addrinfo", include_str!("addrinfo.rb")),
    ("socket/socket", include_str!("socket.rb")),
];

fn load(ctx: &mut Ctx) -> Result<()> {
    for class in CLASSES {
        ctx.install(class)?;
    }
    ctx.define_primitives(message::PRIMITIVES);
    ctx.define_primitives(option::PRIMITIVES);
    for (name, source) in PARTS {
        ctx.run_internal(source, name)?;
    }
    Ok(())
}

/// `error_code`: the number of getaddrinfo(3).
fn error_code(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = ctx.internal("__error_code");
    Ok(ctx.ivar_get(recv, name).defined().unwrap_or(Value::NIL))
}
