//! `racc/cparse`: the run time of parsers that racc made.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
