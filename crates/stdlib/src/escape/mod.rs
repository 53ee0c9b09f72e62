//! `erb/escape` and `cgi/escape`: HTML and URL escaping.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
