//! The write barrier and the generational mode ("sticky marks").
//!
//! The barrier is called after a reference is stored into an object. It costs one load and one test: objects for which it has
//! something to do have `flags::OLD`.
//!
//! Generational mode: an object that has survived two collections is old, and so is what an old object refers to. Old
//! objects stay marked. A minor collection clears all other marks, does not trace the old ones again, and goes on from the roots and
//! from the old objects that may refer to new ones by now. Nothing is moved. Its cost is that of the objects that are not
//! old. A full collection clears all marks; it takes place when the survivors have grown since the last one (`pacing`).
//!
//! Objects of some types are changed without the barrier; the VM names the others as protected. Old objects that are not
//! protected are listed and traced by each minor collection, and so are single objects that were [exposed](expose).
//!
//! - Invariant: between collections, everything that a protected old object refers to is old, or the object is remembered:
//!   on the list of [`BarrierState`], and without `flags::OLD`, so that further stores into it cost nothing.
//! - The barrier keeps it by remembering an old parent that receives a child. Remembered objects are traced by the
//!   next collection, which makes their children old, too.

use std::collections::HashSet;
use std::ptr::NonNull;

use rubellite_value::{Header, Tag, Value, flags};

use crate::chunk::{ChunkHeader, chunk_base, is_marked, is_old};
use crate::header;

/// Old objects that may refer to new ones. Its address is in every chunk header.
pub(crate) struct BarrierState {
    remembered: Vec<NonNull<Header>>,
    /// Objects of protected types into which references are stored without the barrier all the same.
    exposed: HashSet<NonNull<Header>>,
    /// As in [`HeapHooks`](crate::HeapHooks).
    protected: [bool; Tag::COUNT],
}

impl BarrierState {
    pub fn new(protected: [bool; Tag::COUNT]) -> BarrierState {
        BarrierState { remembered: Vec::new(), exposed: HashSet::new(), protected }
    }

    /// Takes the remembered objects.
    pub fn take_remembered(&mut self) -> Vec<NonNull<Header>> {
        std::mem::take(&mut self.remembered)
    }

    pub fn len(&self) -> usize {
        self.remembered.len()
    }

    /// The exposed objects that are old.
    pub fn exposed(&self) -> impl Iterator<Item = NonNull<Header>> {
        // SAFETY: dead ones are forgotten before they are freed.
        self.exposed.iter().copied().filter(|cell| unsafe { is_old(*cell) })
    }

    /// Forgets exposed objects that did not survive the marking.
    pub fn forget_dead(&mut self) {
        // SAFETY: as above.
        self.exposed.retain(|cell| unsafe { is_marked(*cell) });
    }
}

/// To be called after `child` was stored into the object `parent`, before the next
/// allocation. The class word of the header is a reference like any other.
///
/// # Safety
/// `parent` must be an object of a heap whose lock is held.
#[inline(always)]
pub unsafe fn write_barrier(parent: *mut Header, child: Value) {
    // SAFETY: the caller's promise.
    if unsafe { (*parent).has(flags::OLD) } {
        // SAFETY: as above.
        unsafe { write_barrier_slow(parent, child) }
    }
}

/// To be called before references are stored into the object `parent`, with no allocation in between: the write barrier for
/// stores that it does not see one by one.
///
/// # Safety
/// As for [`write_barrier`].
#[inline(always)]
pub unsafe fn will_change(parent: *mut Header) {
    // SAFETY: the caller's promise.
    if unsafe { (*parent).has(flags::OLD) } {
        // SAFETY: as above.
        unsafe { remember(parent) }
    }
}

/// From now on references are stored into the object `parent` without the write barrier, for as long as it lives: code in C has the
/// address of its elements.
///
/// # Safety
/// As for [`write_barrier`].
pub unsafe fn expose(parent: *mut Header) {
    let Some(cell) = NonNull::new(parent) else { return };
    let chunk = chunk_base(parent as usize) as *const ChunkHeader;
    // SAFETY: an object's chunk is mapped and begins with its header; the state lives as long as the chunk, and the caller holds
    // the heap's lock.
    unsafe { (*(*chunk).barrier).exposed.insert(cell) };
}

/// # Safety
/// As for [`write_barrier`].
#[cold]
unsafe fn remember(parent: *mut Header) {
    let Some(cell) = NonNull::new(parent) else { return };
    let chunk = chunk_base(parent as usize) as *const ChunkHeader;
    // SAFETY: an object's chunk is mapped and begins with its header; the state lives as long as the chunk, and the caller holds
    // the heap's lock.
    unsafe {
        let state = &mut *(*chunk).barrier;
        // Code in C has a use of its own for the bit in its objects, none of which is protected.
        if is_old(cell) && state.protected[usize::from(header::tag(parent))] {
            (*parent).clear(flags::OLD);
            state.remembered.push(cell);
        }
    }
}

/// # Safety
/// As for [`write_barrier`].
#[cold]
unsafe fn write_barrier_slow(parent: *mut Header, child: Value) {
    let Some(child) = header::heap_cell(child) else { return };
    // SAFETY: both are objects of the heap whose lock the caller holds.
    unsafe {
        if !is_old(child) {
            remember(parent);
        }
    }
}
