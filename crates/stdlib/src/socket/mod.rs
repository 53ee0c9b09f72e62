//! `socket`: stream, datagram and local sockets, addresses, name resolution.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
