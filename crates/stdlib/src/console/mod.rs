//! `io/console`, `io/wait`, `io/nonblock` and `pty`: terminals.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
