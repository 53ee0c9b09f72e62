//! Kernel: the methods that every object has. Input and output, processes and `require` are the system part's,
//! `Integer()` and friends the numeric part's, enumerators the collection part's.

mod control;
mod convert;
mod copy;
mod eval;
mod ivars;
mod methods;
mod object;
mod warn;

pub use copy::{clone, copy_members, copy_singleton, freeze};
pub use methods::visible_names;
pub use object::object_id;

use rubellite_vm::ClassDef;

/// Methods of objects: identity, class, text.
pub static KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: "",
    methods: object::METHODS,
    ruby: include_str!("kernel.rb"),
    ..ClassDef::EMPTY
};
/// `dup`, `clone`, `freeze`.
pub static COPY: ClassDef = ClassDef { name: "Kernel", superclass: "", methods: copy::METHODS, ..ClassDef::EMPTY };
/// Instance variables.
pub static IVARS: ClassDef = ClassDef { name: "Kernel", superclass: "", methods: ivars::METHODS, ..ClassDef::EMPTY };
/// Calls by name and lists of methods.
pub static CALLS: ClassDef = ClassDef {
    name: "Kernel",
    superclass: "",
    methods: methods::METHODS,
    setup: Some(methods::define_send),
    ..ClassDef::EMPTY
};
/// `raise`, `throw`, blocks.
pub static CONTROL: ClassDef =
    ClassDef { name: "Kernel", superclass: "", module_functions: control::FUNCTIONS, ..ClassDef::EMPTY };
/// `eval`, `binding`, `caller`.
pub static EVAL: ClassDef =
    ClassDef { name: "Kernel", superclass: "", module_functions: eval::FUNCTIONS, ..ClassDef::EMPTY };
/// `Array()`, `Hash()`, `String()`.
pub static CONVERT: ClassDef =
    ClassDef { name: "Kernel", superclass: "", module_functions: convert::FUNCTIONS, ..ClassDef::EMPTY };
pub use warn::{WARN, WARNING};
