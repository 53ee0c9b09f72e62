//! Core classes: objects, modules, methods, procs, exceptions, and what looks into the VM.

mod basic_object;
mod binding;
mod class;
mod comparable;
pub mod errno;
pub mod exception;
mod kernel;
pub mod marshal_words;
pub mod method_object;
mod module;
pub mod parameters;
pub mod proc;
pub mod program_name;
pub mod runtime;
mod signatures;
pub mod slot;
mod special;
mod support;
mod trace_func;
pub mod trace_point;

pub use comparable::{comparison_failed, ordering};
pub use exception::{SIGNALS, encoding_label, error_text, incompatible, raise_exit, report, system_call_error};
pub use kernel::{clone, copy_singleton};
pub use module::{announced, name_string};

pub use support::{is_frozen, modify_string, wrong_type};

use rubellite_vm::{Class, ClassDef, Ctx, Result};

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[
    &basic_object::BASIC_OBJECT,
    &OBJECT,
    &kernel::KERNEL,
    &kernel::COPY,
    &kernel::IVARS,
    &kernel::CALLS,
    &kernel::CONTROL,
    &kernel::EVAL,
    &kernel::CONVERT,
    &kernel::WARN,
    &module::MODULE,
    &module::ATTRIBUTES,
    &module::CONSTANTS,
    &module::CVARS,
    &module::DEFINITION,
    &module::EVALUATION,
    &module::METHOD_LISTS,
    &module::REFINEMENTS,
    &module::VISIBILITY,
    &module::REFINEMENT,
    &class::CLASS,
    &comparable::COMPARABLE,
    &special::NIL,
    &special::TRUE,
    &special::FALSE,
    &exception::EXCEPTION,
    &exception::SYSTEM_CALL_ERROR,
    &exception::ERRNO,
    &exception::SIGNAL_EXCEPTION,
    &exception::INTERRUPT,
    &exception::backtrace::THREAD,
    &exception::backtrace::BACKTRACE,
    &exception::backtrace::LOCATION,
    &method_object::METHOD,
    &method_object::METHOD_SHARED,
    &method_object::UNBOUND_METHOD,
    &method_object::UNBOUND_SHARED,
    &proc::PROC,
    &binding::BINDING,
    &kernel::WARNING,
    &trace_func::KERNEL,
    &trace_func::THREAD,
    &trace_point::TRACE_POINT,
    &runtime::CONSTANTS,
    &runtime::GC,
    &runtime::PROFILER,
    &runtime::OBJECT_SPACE,
    &runtime::WEAK_MAP,
    &runtime::WEAK_KEY_MAP,
    &runtime::RUBY_VM,
    &runtime::INSTRUCTION_SEQUENCE,
    &runtime::ABSTRACT_SYNTAX_TREE,
];

static OBJECT: ClassDef = ClassDef {
    name: "Object",
    superclass: "BasicObject",
    includes: &["Kernel"],
    setup: Some(define_main),
    ..ClassDef::EMPTY
};

/// The methods that only the main object has.
fn define_main(ctx: &mut Ctx, object: Class) -> Result<()> {
    let main = ctx.vm().main_object.get();
    if let Some(singleton) = Class::singleton_class(ctx, main) {
        for def in module::TOPLEVEL {
            ctx.define_native(singleton, def);
        }
    }
    let toplevel = ctx.make_toplevel_binding();
    object.set_const(ctx, "TOPLEVEL_BINDING", toplevel);
    Ok(())
}
