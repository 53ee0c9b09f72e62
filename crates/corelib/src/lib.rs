//! The core library: every class that exists without `require`.
//!
//! The classes are in crates below this folder, each of which knows those above it in this list and none behind it. One
//! file per class with a const table (`ClassDef`) that names its methods; parts written in Ruby lie beside it as `.rb`
//! and run at boot under the path `<internal:NAME>`, which backtraces and callers do not show. Layouts of objects live
//! in the VM crate.
//!
//! - `object`: objects, modules, methods, exceptions, the collector as a program sees it
//! - `thread`: threads, fibers, mutexes, queues, fiber schedulers; how native work leaves the lock
//! - `encoding`: encodings and converters
//! - `numeric`: numbers, `format`, random numbers
//! - `text`: strings, symbols, regular expressions, `pack`
//! - `collection`: arrays, hashes, ranges, sets, structs, enumerators
//! - `time`: Time
//! - `io`: IO, File, Dir, ARGF
//! - `load`: `require` and `load`
//! - `lock`: `Rubellite::Lock`
//! - `ractor`: Ractor
//! - `process`: processes, signals, the environment, the end of a program
//! - `marshal`: Marshal
//!
//! This crate puts them together.

mod aliases;
mod hooks;

pub use hooks::{check_regexps, give_warnings, hooks, refusal_of};

use rubellite_core_object::parameters::note_core_script;
use rubellite_vm::{ClassDef, Ctx, Result};

/// The parts in the order in which their classes are made.
static PARTS: &[&[&ClassDef]] = &[
    rubellite_core_object::DEFS,
    rubellite_core_numeric::DEFS,
    rubellite_core_text::DEFS,
    rubellite_core_encoding::DEFS,
    rubellite_core_collection::DEFS,
    rubellite_core_marshal::DEFS,
    rubellite_core_load::DEFS,
    rubellite_core_io::DEFS,
    rubellite_core_process::DEFS,
    rubellite_core_time::DEFS,
    rubellite_core_thread::DEFS,
    rubellite_core_ractor::DEFS,
    rubellite_core_lock::DEFS,
];

/// The name of a class's part in Ruby.
fn script_name(def: &ClassDef) -> String {
    def.name.to_lowercase()
}

/// Makes the core classes: all native methods first, then the Ruby parts.
pub fn boot(ctx: &mut Ctx) -> Result<()> {
    for def in PARTS.iter().flat_map(|part| part.iter()) {
        ctx.install(def)?;
    }
    for def in PARTS.iter().flat_map(|part| part.iter()) {
        if !def.ruby.is_empty() {
            note_core_script(ctx, format!("<internal:{}>", script_name(def)));
            ctx.run_internal(def.ruby, &script_name(def))?;
        }
    }
    aliases::define(ctx)?;
    rubellite_core_collection::make_stand_ins(ctx)?;
    ctx.finish_boot();
    Ok(())
}
