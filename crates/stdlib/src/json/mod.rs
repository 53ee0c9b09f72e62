//! `json`: generator and parser.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
