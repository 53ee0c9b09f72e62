//! One virtual machine: everything that its threads share.

use crate::cell::VmCell;
use crate::symbols::Symbols;
use rubellite_value::Value;
use std::cell::Cell;

/// The classes that the VM itself needs to name.
pub struct CoreClasses {
    pub array: Cell<Value>,
    pub complex: Cell<Value>,
    pub float: Cell<Value>,
    pub hash: Cell<Value>,
    pub integer: Cell<Value>,
    pub match_data: Cell<Value>,
    pub range: Cell<Value>,
    pub rational: Cell<Value>,
    pub regexp: Cell<Value>,
    pub string: Cell<Value>,
}

pub struct Vm {
    pub(crate) symbols: VmCell<Symbols>,
    pub(crate) classes: CoreClasses,
    /// The key of every hash value of this VM.
    pub(crate) hash_seed: u64,
    pub(crate) pinned: VmCell<Vec<Value>>, // tidy: traced as roots
}
