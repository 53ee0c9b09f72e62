//! Core classes: system.

use rubellite_vm::ClassDef;

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[];

use rubellite_vm::{Ctx, Result};

/// Requires the file of an autoload.
pub fn autoload(ctx: &mut Ctx, _path: &str) -> Result<bool> {
    Err(ctx.not_implemented("autoload"))
}
