//! The write barrier and the generational mode ("sticky marks").
//!
//! The barrier is called after a reference is stored into an object. While the heap is
//! not generational it costs one load and one test.
//!
//! Generational mode: mark bits survive the collection, so "marked" means "old" and
//! nothing is moved. A minor collection does not clear the marks; it marks from the roots
//! and from the remembered objects, and stops at whatever is marked. Its cost is that of
//! the new objects. All survivors become old at once. A full collection clears the marks
//! first and takes place when the old objects have grown by the growth factor since the
//! last one.
//!
//! - Invariant: between collections, an old object that refers to a new one is
//!   remembered (its bit is set and it is on the list), or its tag is unprotected.
//! - The barrier keeps it by remembering an old parent that receives a new child.
//! - After a minor collection nothing is new, so the list is emptied.
//! - Objects of unprotected tags (stacks, anything written without the barrier) are
//!   listed when they become old, and traced again in every minor collection.

use std::ptr::NonNull;

use rubellite_value::{Header, Value};

use crate::chunk::{ChunkHeader, bit_of, chunk_base, is_marked, meta_of, set_remembered};
use crate::header;

/// Old objects that may refer to new ones. Its address is in every chunk header.
#[derive(Default)]
pub(crate) struct BarrierState {
    remembered: Vec<NonNull<Header>>,
}

impl BarrierState {
    /// Takes the remembered objects and clears their bits.
    pub fn take_remembered(&mut self) -> Vec<NonNull<Header>> {
        for cell in &self.remembered {
            let address = cell.as_ptr() as usize;
            let (word, mask) = bit_of(address);
            // SAFETY: remembered objects are cells of this heap and old, so they were
            // not freed since they were remembered.
            unsafe { (*meta_of(address)).remembered[word] &= !mask };
        }
        std::mem::take(&mut self.remembered)
    }

    pub fn len(&self) -> usize {
        self.remembered.len()
    }
}

/// To be called after `child` was stored into the object `parent`, before the next
/// allocation. The class word of the header is a reference like any other.
///
/// # Safety
/// `parent` must be an object of a heap whose lock is held.
#[inline(always)]
pub unsafe fn write_barrier(parent: *mut Header, child: Value) {
    let chunk = chunk_base(parent as usize) as *const ChunkHeader;
    // SAFETY: an object's chunk is mapped and begins with its header.
    let state = unsafe { (*chunk).barrier };
    if !state.is_null() {
        // SAFETY: the caller's promise; the state lives as long as the chunk.
        unsafe { write_barrier_slow(state, parent, child) }
    }
}

/// # Safety
/// As for [`write_barrier`]; `state` must be that of the parent's heap.
#[cold]
unsafe fn write_barrier_slow(state: *mut BarrierState, parent: *mut Header, child: Value) {
    let (Some(parent), Some(child)) = (NonNull::new(parent), header::heap_cell(child)) else {
        return;
    };
    // SAFETY: both are objects of the heap whose lock the caller holds.
    unsafe {
        if is_marked(parent) && !is_marked(child) && set_remembered(parent) {
            (*state).remembered.push(parent);
        }
    }
}
