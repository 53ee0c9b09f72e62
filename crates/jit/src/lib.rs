//! Compiles hot code to machine code.
//!
//! The VM counts entries of methods, blocks and loops, and asks for code when one is hot (`rubellite_vm::jit`). A unit
//! is what is compiled for one such entry. `compile` is the way from the bytecode to machine code: `decode` and `live`
//! say what instructions read and write, `lower` makes Cranelift's intermediate form of them, `area` takes the bytes;
//! `beside` generates them outside the VM's lock, `quick` at once where little time is to be spent. What compiled code
//! meets that it was not made for, it leaves to the interpreter; `unit` notes that, and units that leave often are
//! compiled again with what was learnt.
//!
//! All state hangs on the VM (`state`). Everything but the generation of bytes is done by the holder of the VM's lock
//! alone.

mod area;
mod assume;
mod beside;
mod budget;
mod compile;
mod decode;
mod leave;
mod live;
mod low;
mod lower;
mod quick;
mod report;
mod ruby;
mod settings;
mod state;
mod tier;
mod unit;

pub use report::report;
pub use ruby::define;
pub use settings::Settings;
