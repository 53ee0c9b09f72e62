//! Register bytecode: opcodes, the code object ([`ISeq`]) and its disassembler.
//!
//! A code object is immutable and `Send`: it holds no `Value`. The VM links it, which makes its
//! literal objects, call sites and inline caches. The compiler is the only producer.
//!
//! # Registers
//! A frame's registers lie on the VM stack. `R[0]` is self; `R[1..]` are the parameters in the order
//! of [`Params`] (required, optional, rest, post, keywords, keyword rest, block), then the other
//! locals, then temporaries. A call's window is `R[b]` = receiver, `R[b+1..]` = arguments; the
//! callee's frame begins at that window, so arguments are not copied. The callee may overwrite the
//! whole window and everything above it: the compiler allocates `b` above every live temporary.
//!
//! # Captured variables
//! A local variable that an inner block, an eval or a binding may see lives in the heap-allocated
//! environment of its scope (`Place::Env`), all others in registers. A scope with `env_size > 0` gets a fresh
//! environment at entry, whose parent is the environment that the code was created in.
//! `GETENV`/`SETENV` count environments outwards: depth 0 is the innermost scope that has one (the current
//! scope's own when `env_size > 0`). A captured parameter arrives in its register and is copied by the prologue.

#![forbid(unsafe_code)]

mod disasm;
mod iseq;
mod lines;
mod op;
mod size;
mod verify;

pub use disasm::disassemble;
pub use iseq::*;
pub use lines::Lines;
pub use op::{Insn, Op};
pub use rubellite_encoding::Encoding;
pub use verify::{has_ext, is_compare_branch, is_end, is_jump, verify};
