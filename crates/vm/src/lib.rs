//! The virtual machine: object layouts, classes, calls, the interpreter, threads.
//!
//! The VM knows neither the compiler nor the libraries: both are reached through hooks that the
//! embedder installs. All state hangs on [`Vm`] or on a thread and is reached through [`Ctx`];
//! there are no statics.
//!
//! Invariant: whoever holds a `&mut Ctx` holds the VM lock, and nobody else runs Ruby code or touches
//! an object meanwhile. `&mut Ctx` = may allocate, run Ruby, raise or switch threads; `&Ctx` = none of these.

mod cell;
pub mod ctx;
pub mod object;
mod symbols;
mod unwind;
mod vm;

pub use ctx::Ctx;
pub use rubellite_encoding::Encoding;
pub use rubellite_value::{FIXNUM_MAX, FIXNUM_MIN, Header, Sym, Tag, Value, flags};
pub use unwind::{Result, Unwind};
pub use vm::Vm;
