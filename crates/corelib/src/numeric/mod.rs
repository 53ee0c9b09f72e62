//! Core classes: numbers, arithmetic, random numbers, formatting.
//!
//! `num` is arithmetic on any numbers, `coerce` the protocol between classes that do not know each other.

mod coerce;
mod complex;
mod float;
pub mod format;
mod integer;
mod kernel;
mod num;
mod numeric;
mod random;
mod rational;

use rubellite_vm::ClassDef;

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[&numeric::NUMERIC, &integer::INTEGER, &float::FLOAT, &kernel::KERNEL];
