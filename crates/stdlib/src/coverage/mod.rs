//! `coverage`, `objspace` and other small windows into the runtime.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
