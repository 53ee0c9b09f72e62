//! `date`: Date and DateTime.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
