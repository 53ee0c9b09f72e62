//! `pstore`: transactions on a file of marshalled objects.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
