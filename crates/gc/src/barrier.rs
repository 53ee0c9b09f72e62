//! The write barrier and the generational mode ("sticky marks").
//!
//! The barrier is called after a reference is stored into an object. It costs one load and one test: objects for which
//! it has something to do have `flags::OLD`.
//!
//! Generational mode: an object that has survived two collections is old, and so is what an old object refers to. Old
//! objects stay marked. A minor collection clears all other marks, does not trace the old ones again, and goes on from
//! the roots and from the old objects that may refer to new ones by now. Nothing is moved. Its cost is that of the
//! objects that are not old. A full collection clears all marks; it takes place when the survivors have grown since the
//! last one (`pacing`).
//!
//! Some objects are changed without the barrier; the VM names the others as protected. Old objects that are
//! not protected are listed and traced by each minor collection, and so are single objects that were [exposed](expose).
//!
//! - Invariant: between collections, everything that a protected old object refers to is old, or the object is
//!   remembered: on a list of [`BarrierState`], itself without `flags::OLD`, so that further stores into it cost
//!   nothing.
//! - The barrier keeps it by remembering an old parent that receives a child. Remembered objects are traced by the next
//!   collection, which makes their children old, too. Of a long parent the child is listed instead: it survives the
//!   next minor collection even if it is forgotten before.
//!
//! While a collection marks in steps (`steps`) the program runs between them, and the barrier has a second task:
//! nothing that was traced may refer to what is not marked. All protected objects that were traced have `flags::OLD`
//! then, the young ones, too. A child that is stored into one of them is marked at once and traced by the next step,
//! whoever else forgets it meanwhile (Dijkstra's barrier: On-the-fly garbage collection, 1978); one into which unknown
//! children are stored is traced again. Unprotected and exposed objects, like the roots, are looked at once more when
//! the rest is done.

use std::collections::HashSet;
use std::ptr::NonNull;

use rubellite_value::{Header, Value, flags};

use crate::HeapHooks;
use crate::chunk::{ChunkHeader, chunk_base, is_marked, is_old, set_aged, set_mark};
use crate::header;
use crate::protection::Protection;

/// While fewer than this part of a long object's references are listed as stored, they are listed in its place.
const LISTED_PART: usize = 4;

/// What stores have left for the next collection.
#[derive(Default)]
pub(crate) struct Listed {
    /// Old objects that may refer to new ones, in steps traced ones that may refer to unmarked ones.
    pub remembered: Vec<NonNull<Header>>,
    /// New objects that were stored into long old ones, which are not remembered for them: a minor collection takes
    /// them for reachable and makes them old.
    pub adopted: Vec<NonNull<Header>>,
    /// There was no memory to list an object: a minor collection would miss what it refers to.
    pub incomplete: bool,
}

/// What the barrier knows of a heap. Its address is in every chunk header.
pub(crate) struct BarrierState {
    listed: Listed,
    /// A collection marks in steps.
    pub marking: bool,
    /// What the barrier has marked since the last step; the next one traces it.
    pub shaded: Vec<NonNull<Header>>,
    /// There was no memory to list something: all that is marked must be traced again.
    pub lost: bool,
    /// Objects of protected types into which references are stored without the barrier all the same.
    exposed: HashSet<NonNull<Header>>,
    protection: Protection,
    many: unsafe fn(*mut Header) -> usize,
}

impl BarrierState {
    pub fn new(hooks: &HeapHooks) -> BarrierState {
        BarrierState {
            listed: Listed::default(),
            marking: false,
            shaded: Vec::new(),
            lost: false,
            exposed: HashSet::new(),
            protection: Protection::new(&hooks.protected),
            many: hooks.many,
        }
    }

    /// Takes what is listed for the next collection.
    pub fn take_listed(&mut self) -> Listed {
        std::mem::take(&mut self.listed)
    }

    /// Whether a minor collection would miss something.
    pub fn is_incomplete(&self) -> bool {
        self.listed.incomplete
    }

    /// How many objects are listed.
    pub fn len(&self) -> usize {
        self.listed.remembered.len() + self.listed.adopted.len()
    }

    /// The exposed objects that are old, or marked.
    pub fn exposed(&self, old: bool) -> impl Iterator<Item = NonNull<Header>> {
        // SAFETY: dead ones are forgotten before they are freed.
        self.exposed.iter().copied().filter(move |cell| unsafe { if old { is_old(*cell) } else { is_marked(*cell) } })
    }

    /// Whether stores into the object are shown to the barrier.
    ///
    /// # Safety
    /// It is an object of this heap. Code in C has a use of its own for `flags::OLD` in its objects, none of which is
    /// protected.
    unsafe fn is_protected(&self, cell: NonNull<Header>) -> bool {
        // SAFETY: by contract.
        unsafe { self.protection.covers(cell.as_ptr()) }
    }

    /// The object has `flags::OLD`, and something was or will be stored into it: sees to it that it is traced again.
    ///
    /// # Safety
    /// As for [`write_barrier`].
    unsafe fn remember(&mut self, cell: NonNull<Header>) {
        // SAFETY: by contract.
        unsafe {
            if !self.is_protected(cell) {
                return;
            }
            if if self.marking { is_marked(cell) } else { is_old(cell) } {
                if self.listed.remembered.try_reserve(1).is_ok() {
                    self.listed.remembered.push(cell);
                } else if self.marking {
                    self.lost = true;
                } else {
                    self.listed.incomplete = true;
                }
            }
            // A young one has it from the steps of a collection that is over.
            (*cell.as_ptr()).clear(flags::OLD);
        }
    }

    fn shade(&mut self, cell: NonNull<Header>) {
        if self.shaded.try_reserve(1).is_ok() {
            self.shaded.push(cell);
        } else {
            self.lost = true;
        }
    }

    /// The same for a known child. The parent stays as it is where that can be marked: it may be large.
    ///
    /// # Safety
    /// As for [`write_barrier`].
    unsafe fn store(&mut self, parent: NonNull<Header>, child: NonNull<Header>) {
        // SAFETY: by contract.
        unsafe {
            if !self.marking {
                if !is_old(child) && !self.adopt(parent, child) {
                    self.remember(parent);
                }
            } else if is_marked(parent)
                && self.is_protected(parent)
                && (set_mark(child) | (is_old(parent) && set_aged(child)))
            {
                self.shade(child);
            }
        }
    }

    /// Lists the child, if the parent is so long that tracing it would cost more; says whether it did.
    ///
    /// # Safety
    /// As for [`write_barrier`].
    unsafe fn adopt(&mut self, parent: NonNull<Header>, child: NonNull<Header>) -> bool {
        // SAFETY: by contract.
        let many =
            unsafe { if is_old(parent) && self.is_protected(parent) { (self.many)(parent.as_ptr()) } else { 0 } };
        let adopted = &mut self.listed.adopted;
        let adopts = adopted.len() < many / LISTED_PART && adopted.try_reserve(1).is_ok();
        if adopts {
            adopted.push(child);
        }
        adopts
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

/// To be called before references are stored into the object `parent`, with no allocation in between: the write barrier
/// for stores that it does not see one by one.
///
/// # Safety
/// As for [`write_barrier`].
#[inline(always)]
pub unsafe fn will_change(parent: *mut Header) {
    // SAFETY: the caller's promise.
    if unsafe { (*parent).has(flags::OLD) } {
        // SAFETY: as above.
        unsafe { will_change_slow(parent) }
    }
}

/// To be called before elements of the object `parent` change their places, if it may be [traced in
/// parts](crate::Marker::trace_in_parts): one that is not traced yet may come to lie where all are.
///
/// # Safety
/// As for [`write_barrier`].
#[inline(always)]
pub unsafe fn will_reorder(parent: *mut Header) {
    // SAFETY: the caller's promise.
    if unsafe { (*parent).has(flags::OLD) } {
        // SAFETY: as above.
        unsafe { will_reorder_slow(parent) }
    }
}

/// From now on references are stored into the object `parent` without the write barrier, for as long as it lives: code
/// in C has the address of its elements.
///
/// # Safety
/// As for [`write_barrier`].
pub unsafe fn expose(parent: *mut Header) {
    let Some(cell) = NonNull::new(parent) else { return };
    // SAFETY: by contract.
    unsafe { state_of(cell) }.exposed.insert(cell);
}

/// The state of the heap that an object belongs to.
///
/// # Safety
/// As for [`write_barrier`]; the reference must be gone before anything else looks at the heap.
unsafe fn state_of<'s>(cell: NonNull<Header>) -> &'s mut BarrierState {
    let chunk = chunk_base(cell.as_ptr() as usize) as *const ChunkHeader;
    // SAFETY: an object's chunk is mapped and begins with its header; the state lives as long as the chunk, and the
    // caller holds the heap's lock.
    unsafe { &mut *(*chunk).barrier }
}

/// # Safety
/// As for [`write_barrier`].
#[cold]
unsafe fn will_change_slow(parent: *mut Header) {
    let Some(cell) = NonNull::new(parent) else { return };
    // SAFETY: by contract.
    unsafe { state_of(cell).remember(cell) }
}

/// # Safety
/// As for [`write_barrier`].
#[cold]
unsafe fn will_reorder_slow(parent: *mut Header) {
    let Some(cell) = NonNull::new(parent) else { return };
    // SAFETY: by contract.
    let state = unsafe { state_of(cell) };
    if state.marking {
        // SAFETY: by contract.
        unsafe { state.remember(cell) }
    }
}

/// # Safety
/// As for [`write_barrier`].
#[cold]
unsafe fn write_barrier_slow(parent: *mut Header, child: Value) {
    let (Some(cell), Some(child)) = (NonNull::new(parent), header::heap_cell(child)) else { return };
    // SAFETY: both are objects of the heap whose lock the caller holds.
    unsafe { state_of(cell).store(cell, child) }
}
