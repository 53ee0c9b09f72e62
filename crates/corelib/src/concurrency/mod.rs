//! Core classes: concurrency.

use rubellite_vm::ClassDef;

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[];
