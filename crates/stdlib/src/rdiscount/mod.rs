//! `rdiscount`: Markdown to HTML.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}
