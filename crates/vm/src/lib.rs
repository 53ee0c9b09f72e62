//! The virtual machine: object layouts, classes, calls, the interpreter, threads.
//!
//! The VM knows neither the compiler nor the libraries: both are reached through hooks that the
//! embedder installs. All state hangs on [`Vm`] or on a thread and is reached through [`Ctx`];
//! there are no statics.
//!
//! Invariant: whoever holds a `&mut Ctx` holds the VM lock, and nobody else runs Ruby code or touches
//! an object meanwhile. `&mut Ctx` = may allocate, run Ruby, raise or switch threads; `&Ctx` = none of these.

/// Writes a line to standard error, which may be closed or full: nobody reads it then.
#[macro_export]
macro_rules! complain {
    ($($text:tt)*) => {{
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{}\n", format_args!($($text)*)));
    }};
}

pub mod address_space;
pub mod births;
mod boot;
pub mod call;
mod cell;
pub mod class;
pub mod code;
mod convert;
pub mod ctx;
mod epoch;
mod error;
mod eval;
pub mod fiber;
pub mod frame;
mod gc;
pub mod glimpse;
pub mod heap_events;
pub use object::growing;
mod guards;
mod interp;
pub mod jit;
pub mod method;
pub mod names;
mod native;
pub mod object;
pub mod outside;
pub mod placement;
mod primitive;
pub mod profile;
pub mod races;
pub mod ractor;
mod receiver;
mod roots;
mod shape;
mod stop;
mod symbols;
pub mod thread;
pub mod thread_events;
pub mod trace;
mod unwind;
pub mod vm;
pub mod warning;

pub use boot::{VmConfig, VmHandle};
pub use call::{Args, CallKind};
pub use class::{
    Arity, Class, ClassDef, MethodDef, NativeFn, constant_method, method, no_allocator, private_method,
    protected_method, unimplemented,
};
pub use ctx::Ctx;
pub use eval::is_plain_name;
pub use method::{CFunction, Method, MethodBody, Visibility};
pub use outside::{Ends, Leave, Stop};
pub use primitive::{PrimitiveDef, primitive};
pub use receiver::Receiver;
pub use rubellite_encoding::Encoding;
pub use rubellite_gc::Marker;
pub use rubellite_value::{FIXNUM_MAX, FIXNUM_MIN, Header, Sym, Tag, Value};
pub use rubellite_vmlock as vmlock;
pub use unwind::{Pending, Result, Unwind};
pub use vm::{CompileRequest, Extension, GlobalHooks, Hooks, MatchPart, Vm};

/// The flags that objects of all types have. Those that belong to a type are its layout's business: they say where its
/// parts lie.
pub mod flags {
    pub use rubellite_value::flags::{FINALIZER, FROZEN, GENERIC_IVARS, HAS_ID, SHAREABLE, SINGLETON};
}
