//! Where objects were made, while somebody wants to know (`ObjectSpace.trace_object_allocations`): the heap then takes
//! its slow path at every allocation, which notes the place. Nothing is paid otherwise.
//!
//! `trace` notes and tells them. Everything is keyed by addresses of cells, which do not move; what is dead after a
//! marking is forgotten (`prune`), before its cell can become another object. Nothing here refers to objects.

use rubellite_bytecode::Script;
use rubellite_value::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Where an object was made.
#[derive(Clone)]
pub struct Birth {
    pub script: Arc<Script>,
    pub line: i32,
    /// The class or module that has the method which was running, if that has a name.
    pub class: Option<Box<str>>,
    pub method: Option<Box<str>>,
    /// Collections before it.
    pub generation: u64,
}

#[derive(Default)]
pub(crate) struct Births {
    /// How many have asked for it.
    pub(crate) wanted: usize,
    pub(crate) known: FxHashMap<usize, Birth>,
}

impl Births {
    pub(crate) fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        // SAFETY: the address is that of a cell that was alive when the last marking ended.
        self.known.retain(|address, _| alive(unsafe { Value::from_ptr(*address as *mut u8) }));
    }
}
