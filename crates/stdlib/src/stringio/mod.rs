//! `stringio`: an IO over a String.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
