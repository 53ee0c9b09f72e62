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

/// Makes the core classes: all native methods first, then the Ruby parts.
pub fn boot(ctx: &mut Ctx) -> Result<()> {
    for def in PARTS.iter().flat_map(|part| part.iter()) {
        ctx.install(def)?;
    }
    for def in PARTS.iter().flat_map(|part| part.iter()) {
        if !def.ruby.is_empty() {
            let path = format!("<internal:{}>", def.name.to_lowercase());
            ctx.run_source(def.ruby.as_bytes(), &path, false)?;
        }
    }
    collection::make_stand_ins(ctx)?;
    ctx.finish_boot();
    Ok(())
}
