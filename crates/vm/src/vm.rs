//! One virtual machine: everything that its threads share.

use crate::cell::VmCell;
use crate::symbols::Symbols;
use rubellite_value::Value;

/// The classes that the VM itself needs to name.
#[derive(Default)]
pub struct CoreClasses {}

pub struct Vm {
    pub(crate) symbols: VmCell<Symbols>,
    pub(crate) pinned: VmCell<Vec<Value>>, // tidy: traced as roots
}
