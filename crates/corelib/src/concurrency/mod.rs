//! Core classes: concurrency.

mod fiber;
mod storage;
mod support;

use rubellite_vm::ClassDef;

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[&fiber::FIBER_ERROR, &fiber::FIBER];
