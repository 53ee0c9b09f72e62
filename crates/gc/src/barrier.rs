//! The write barrier and the generational mode ("sticky marks").
//!
//! The barrier is called after a reference is stored into an object. While the heap is
//! not generational it costs one load and one test.
//!
//! Generational mode: objects of the types that the VM names as lasting are old once they have survived a collection, and
//! stay marked. A minor collection clears all other marks and does not trace the old objects again: it marks what they
//! refer to besides each other, which is listed, and goes on from there and from the roots. Nothing is moved. Its cost is
//! that of the objects that are not lasting. So the types to name are those that most of a program's heap consists of, that are
//! seldom stored to and seldom die: its code. A full collection clears all marks; it takes place when
//! the survivors have grown since the last one (`pacing`).
//!
//! - Invariant: between collections, everything that an old object refers to is old or on the list of what old ones hold, or
//!   the old object is remembered (its bit is set and it is on that list).
//! - The barrier keeps it by remembering an old parent that receives a child. Remembered objects are traced again by the
//!   next collection, and what they held before stays listed until a full one.

use std::ptr::NonNull;

use rubellite_value::{Header, Value};

use crate::chunk::{ChunkHeader, bit_of, chunk_base, is_old, meta_of, set_remembered};
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

/// To be called before references are stored into the object `parent`, with no allocation in between: the write barrier for
/// stores that it does not see one by one.
///
/// # Safety
/// As for [`write_barrier`].
#[inline(always)]
pub unsafe fn will_change(parent: *mut Header) {
    let chunk = chunk_base(parent as usize) as *const ChunkHeader;
    // SAFETY: an object's chunk is mapped and begins with its header.
    let state = unsafe { (*chunk).barrier };
    if let Some(parent) = NonNull::new(parent).filter(|_| !state.is_null()) {
        // SAFETY: the caller's promise; the state lives as long as the chunk.
        unsafe { remember(state, parent) }
    }
}

/// # Safety
/// As for [`write_barrier`]; `state` must be that of the parent's heap.
unsafe fn remember(state: *mut BarrierState, parent: NonNull<Header>) {
    // SAFETY: the caller's promise.
    unsafe {
        if is_old(parent) && set_remembered(parent) {
            (*state).remembered.push(parent);
        }
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
        if !is_old(child) {
            remember(state, parent);
        }
    }
}
