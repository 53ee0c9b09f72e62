//! `psych`: YAML, read and written.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
