//! What a program sees of the runtime itself: constants, the collector, the heap, compiled code.

pub mod constants;
mod gc;
mod object_space;
mod ruby_vm;
mod weak;

pub use constants::CONSTANTS;
pub use gc::{GC, PROFILER};
pub use object_space::{
    OBJECT_SPACE, copy_finalizers, living_objects, run_all_finalizers, run_pending_finalizers, type_name,
};
pub use ruby_vm::{
    ABSTRACT_SYNTAX_TREE, INSTRUCTION_SEQUENCE, RUBY_VM, compiled_code, keeps_lines, kind_name,
    make as instruction_sequence,
};
pub use weak::{WEAK_KEY_MAP, WEAK_MAP};
