//! `bigdecimal`: decimal numbers of any precision.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
