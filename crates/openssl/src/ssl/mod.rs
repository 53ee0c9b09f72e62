//! OpenSSL::SSL: TLS on sockets.
//!
//! An operation on a connection (`operation.rs`) is one call of the library on a descriptor that does not block. It
//! runs outside the VM lock, on a duplicate of the socket's descriptor, so that a close by another thread ends at once
//! and cannot hand the number to another file meanwhile; while it runs other threads that want the connection wait. To
//! wait for the peer is the socket's own business, as in `IO#read`. When the library asks Ruby (`callbacks.rs`) the
//! lock is taken for as long as the answer takes.

mod callbacks;
pub mod context;
mod operation;
pub mod session;
pub mod socket;

use crate::support;
use rubellite_vm::ClassDef;

pub const ERROR: &str = "OpenSSL::SSL::SSLError";
pub const CONTEXT: &str = "OpenSSL::SSL::SSLContext";
pub const SOCKET: &str = "OpenSSL::SSL::SSLSocket";

pub static MODULE: ClassDef = ClassDef {
    name: "OpenSSL::SSL",
    superclass: "",
    setup: Some(|ctx, module| {
        support::constants(ctx, module, crate::constants::SSL);
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub static SSL_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };
pub static WAIT_READABLE: ClassDef = ClassDef {
    name: "OpenSSL::SSL::SSLErrorWaitReadable",
    superclass: ERROR,
    includes: &["IO::WaitReadable"],
    ..ClassDef::EMPTY
};
pub static WAIT_WRITABLE: ClassDef = ClassDef {
    name: "OpenSSL::SSL::SSLErrorWaitWritable",
    superclass: ERROR,
    includes: &["IO::WaitWritable"],
    ..ClassDef::EMPTY
};
