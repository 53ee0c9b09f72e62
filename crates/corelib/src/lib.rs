//! The core library: every class that exists without `require`.
//!
//! One file per class with a const table (`ClassDef`) that names its methods; parts written in Ruby lie beside
//! it as `.rb` and run at boot under the path `<internal:NAME>`, which backtraces and callers do not show.
//! Layouts of objects live in the VM crate.

pub mod collection;
pub mod concurrency;
mod hooks;
pub mod numeric;
pub mod object;
pub mod outside;
pub mod system;
pub mod text;

pub use hooks::{check_regexps, give_warnings, hooks};

use rubellite_vm::{ClassDef, Ctx, Result};

/// The parts in the order in which their classes are made.
static PARTS: &[&[&ClassDef]] = &[object::DEFS, numeric::DEFS, text::DEFS, collection::DEFS, system::DEFS, concurrency::DEFS];

/// The name of a class's part in Ruby.
fn script_name(def: &ClassDef) -> String {
    def.name.to_lowercase()
}

/// Whether the VM's own Ruby code at this path belongs to a class of the core.
pub(crate) fn is_core_script(path: &str) -> bool {
    let Some(name) = path.strip_prefix("<internal:").and_then(|rest| rest.strip_suffix('>')) else { return false };
    PARTS.iter().flat_map(|part| part.iter()).any(|def| !def.ruby.is_empty() && script_name(def) == name)
}

/// Makes the core classes: all native methods first, then the Ruby parts.
pub fn boot(ctx: &mut Ctx) -> Result<()> {
    for def in PARTS.iter().flat_map(|part| part.iter()) {
        ctx.install(def)?;
    }
    for def in PARTS.iter().flat_map(|part| part.iter()) {
        if !def.ruby.is_empty() {
            ctx.run_internal(def.ruby, &script_name(def))?;
        }
    }
    collection::make_stand_ins(ctx)?;
    ctx.finish_boot();
    Ok(())
}
