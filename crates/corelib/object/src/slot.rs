//! A cell for a value that is nil at first, for state that hangs on the VM.

use rubellite_vm::Value;
use std::cell::Cell;

pub struct Slot(Cell<Value>);

impl Default for Slot {
    fn default() -> Slot {
        Slot(Cell::new(Value::NIL))
    }
}

impl Slot {
    pub fn get(&self) -> Value {
        self.0.get()
    }

    pub fn set(&self, value: Value) {
        self.0.set(value);
    }
}
