//! Settings of a heap and the hooks through which it reaches objects.

use std::fmt;

use rubellite_value::{Header, Tag};

use crate::marker::{Marker, Part};
use crate::protection::Protected;

/// What `HeapHooks::drop` says of a dead object whose cell is not to be used anew yet.
pub const KEPT: usize = usize::MAX;

/// How the heap traces and drops objects. Given once, at creation.
#[derive(Clone, Copy)]
pub struct HeapHooks {
    /// Marks everything that the object refers to, its class included.
    pub trace: unsafe fn(*mut Header, &mut Marker),
    /// Marks what the next [`PART`](crate::PART) elements of an object refer to, for which the hook above has called
    /// [`Marker::trace_in_parts`]; false if they were the last ones. Whoever moves elements that are not traced yet to
    /// where some are says so with [`will_reorder`](crate::will_reorder) or changes the object's generation.
    pub trace_part: unsafe fn(&mut Part, &mut Marker) -> bool,
    /// How many references an object holds if they are so many that it is worth remembering single ones that were
    /// stored; else 0.
    pub many: unsafe fn(*mut Header) -> usize,
    /// Releases the malloc memory of a dead object and returns how many bytes that
    /// were (0 if they were never told to [`crate::Heap::note_malloc`]). It must not
    /// touch any other cell: those may be dead and reused already. With [`KEPT`] the
    /// cell stays what it is until a later sweep asks again; it refers to nothing then.
    pub drop: unsafe fn(*mut Header) -> usize,
    /// By type tag: whether `drop` has anything to do. Cells of other tags are freed
    /// without a call.
    pub needs_drop: [bool; Tag::COUNT],
    /// By type tag: the malloc memory of such objects holds no references, so that marking never reads it.
    pub leaf: [bool; Tag::COUNT],
    /// By type tag: whether references are only stored into such objects with the write barrier. The generational mode
    /// does not trace the old ones again; see `barrier`.
    pub protected: [Protected; Tag::COUNT],
}

/// Settings of a heap.
#[derive(Clone, Copy, Debug)]
pub struct HeapConfig {
    /// Bytes that may be allocated between two collections however small the heap is.
    pub min_heap: usize,
    /// The same when long blocks of malloc memory (64 KiB and more) are all that is allocated, at least `min_heap`;
    /// more beside many living cells. A collection costs what the living cells cost: a program that makes a few
    /// dozen long strings would spend an eighth of its time collecting if their bytes counted like those of short
    /// ones. Those are better reused soon, while they are in the cache.
    pub min_long: usize,
    /// Bytes that may be allocated between two collections of generational heaps however large the heap is, or more if
    /// it is so large that going through its blocks costs more.
    pub young_most: usize,
    /// Bytes of living cells from which on a full collection is made in steps. At once it takes some 3 ms for 8 MiB.
    pub steps_from: usize,
    /// How far the heap may grow over what survived the last collection: 2.0 collects
    /// when it has doubled.
    pub growth_factor: f64,
    /// Collect at every allocation, poison freed cells, check every reference that is
    /// marked. For tests.
    pub stress: bool,
    /// A step of a full collection at every allocation, and checks that no store was missed. For tests.
    pub stress_steps: bool,
    /// Minor collections keep old objects marked and do not trace them, see `barrier`.
    pub generational: bool,
    /// Most entries of the mark work list; beyond it marking rescans the heap.
    pub mark_stack_max: usize,
}

impl Default for HeapConfig {
    fn default() -> Self {
        HeapConfig {
            min_heap: 2 << 20,
            min_long: 8 << 20,
            young_most: 16 << 20,
            steps_from: 8 << 20,
            growth_factor: 1.6,
            stress: false,
            stress_steps: false,
            generational: true,
            mark_stack_max: usize::MAX,
        }
    }
}

/// The operating system gives no more memory, or a test asked for this failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed to allocate memory")
    }
}

impl std::error::Error for OutOfMemory {}
