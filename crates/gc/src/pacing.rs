//! When to collect. One budget covers cells and the malloc memory that objects own: a
//! collection is due when as much was allocated since the last one as the growth factor
//! allows, and never before `min_heap` bytes. New long blocks of malloc memory are charged only as far as they exceed
//! `min_long`, or `LONG_PER_CELL` times the living cells. Long leaves (the bytes of strings, no references) cost
//! a collection nothing, however many bytes they have: those that survived do not count towards growth. So dead ones
//! are reused while they are in the cache, also beside a gigabyte of living ones.

use crate::config::HeapConfig;
use crate::heap::Heap;

/// Malloc growth is looked at so often in a budget, in steps of at least so many bytes.
const MALLOC_STEPS: usize = 256;
const MALLOC_STEP_MIN: usize = 16 << 10;
/// From this size on a block of malloc memory is long.
const LONG_BYTES: usize = 64 << 10;

/// A collection costs what the living cells cost; to fill this many bytes of long blocks for each byte of them costs
/// several times that.
const LONG_PER_CELL: usize = 8;

/// Beside large heaps the bytes allocated between two collections are this part of the living cells' at most, or
/// `young_most`: what of them survives is marked at once.
const YOUNG_PART: usize = 16;

/// The survivors may grow by what the growth factor allows over this before a full collection is due: it bounds what
/// dead old objects hold.
const OLD_GROWTH: usize = 2;

/// While a full collection is made in steps one is due after so many bytes.
const STEP_BYTES: usize = 128 << 10;
/// A step that sweeps what the one before has left is due after so many.
const SWEEP_BYTES: usize = 32 << 10;
/// Such a collection is to be over when as much is charged as lets a full one become due, over this.
const STEPS_GRACE: usize = 4;

/// Bytes that are allowed beyond several times the growth: a few long blocks, made while steps are few, do no harm.
const PRESSED: usize = 64 << 20;

pub(crate) struct Pacing {
    min_heap: usize,
    min_long: usize,
    growth: f64,
    generational: bool,
    /// What had survived the last full collection; `None` until it is swept.
    full_survivors: Option<usize>,
    /// Bytes that may be allocated between collections.
    budget: usize,
    young_most: usize,
    /// The survivors may grow by so many bytes before a full collection is due.
    full_growth: usize,
    /// The bytes charged at which the next step of a collection is due; 0: none has begun.
    step_at: usize,
    /// The bytes charged when a collection in steps began.
    steps_from: usize,
    /// Objects that its steps were to trace so far.
    granted: usize,
    /// What of it is charged once more after such a collection: it is as young as what comes.
    carried: usize,
    /// A step's objects for each byte charged.
    objects_per_byte: f64,
    /// Objects that survived the last collection.
    live_cells: usize,
    /// Bytes of long blocks that may be acquired between collections and are not charged to the budget.
    free_of_charge: usize,
    /// Bytes of the free runs handed out since the last collection.
    pub cell_bytes: usize,
    /// Bytes of the cells that survived the last collection.
    pub live_cell_bytes: usize,
    /// Malloc memory that objects own, as far as it was told.
    pub malloc_bytes: usize,
    /// Growth of it since the last collection.
    pub malloc_increase: usize,
    /// The part of `malloc_bytes` that long leaves are, and its growth since the last collection.
    leaf_bytes: usize,
    leaf_increase: usize,
    /// The part of `malloc_increase` that long blocks are.
    long_increase: usize,
    /// The value of `malloc_increase` at which the allocator is sent to its slow path.
    malloc_step_at: usize,
    /// False: no collection is ever due.
    pub enabled: bool,
    /// A collection is always due.
    pub stress: bool,
}

impl Pacing {
    pub fn new(config: &HeapConfig) -> Pacing {
        let mut pacing = Pacing {
            min_heap: config.min_heap,
            min_long: config.min_long,
            growth: config.growth_factor,
            generational: config.generational,
            full_survivors: None,
            budget: 0,
            young_most: config.young_most,
            full_growth: 0,
            step_at: 0,
            granted: 0,
            steps_from: 0,
            carried: 0,
            objects_per_byte: 0.0,
            live_cells: 0,
            free_of_charge: 0,
            cell_bytes: 0,
            live_cell_bytes: 0,
            malloc_bytes: 0,
            malloc_increase: 0,
            leaf_bytes: 0,
            leaf_increase: 0,
            long_increase: 0,
            malloc_step_at: 0,
            enabled: true,
            stress: config.stress,
        };
        pacing.update_budget();
        pacing.arm_malloc_step();
        pacing
    }

    /// What survived the last collection, as far as is known: malloc memory of dead
    /// objects is part of it until they are swept.
    fn survived_bytes(&self) -> usize {
        self.live_cell_bytes + self.malloc_bytes.saturating_sub(self.malloc_increase)
    }

    pub fn update_budget(&mut self) {
        let growth = self.growth_bytes();
        let young = self.young_most.max(self.live_cell_bytes / YOUNG_PART);
        self.full_growth = self.min_heap.max(growth) / OLD_GROWTH;
        self.budget = self.min_heap.max(if self.generational { growth.min(young) } else { growth });
        let long_budget = self.min_long.max(LONG_PER_CELL * self.live_cell_bytes);
        self.free_of_charge = long_budget.saturating_sub(self.budget);
    }

    /// A full collection begins to mark in steps: it is to be over when a part of the budget more is charged.
    pub fn begin_steps(&mut self) {
        let grace = (self.full_growth / STEPS_GRACE).max(4 * STEP_BYTES);
        self.objects_per_byte = self.live_cells as f64 / grace as f64;
        self.steps_from = self.charged_bytes();
        self.granted = 0;
        self.next_step();
    }

    /// The next step of a collection is due a little later.
    pub fn next_step(&mut self) {
        self.step_at = self.charged_bytes() + STEP_BYTES;
    }

    /// The same where there is something left to sweep before: what that frees is allocated again meanwhile.
    pub fn next_sweep(&mut self) {
        self.step_at = self.charged_bytes() + SWEEP_BYTES;
    }

    /// How many objects the next step is to trace: as many as are owed for what was charged, within bounds.
    pub fn objects_due(&mut self, least: usize, most: usize) -> usize {
        let owed = (self.charged_bytes().saturating_sub(self.steps_from) as f64 * self.objects_per_byte) as usize;
        let due = owed.saturating_sub(self.granted).clamp(least, most);
        self.granted += due;
        due
    }

    /// Whether the program allocates so much more than it should while a collection is in steps that this must end.
    pub fn is_pressed(&self) -> bool {
        self.charged_bytes() > self.budget + 4 * self.full_growth + PRESSED
    }

    /// The same while there is something left to sweep, from which cells are taken again.
    pub fn is_pressed_to_sweep(&self) -> bool {
        self.charged_bytes() > self.budget + 4 * (self.full_growth + PRESSED)
    }

    /// How far the heap may grow over what survived, long leaves apart.
    fn growth_bytes(&self) -> usize {
        let leaves_survived = self.leaf_bytes.saturating_sub(self.leaf_increase);
        let counted = self.survived_bytes().saturating_sub(leaves_survived);
        (counted as f64 * (self.growth - 1.0).max(0.0)) as usize
    }

    /// Whether a minor collection is enough. Everything is swept.
    pub fn minor_suffices(&mut self, any_before: bool) -> bool {
        if !self.generational || !any_before {
            return false;
        }
        let survived = self.survived_bytes();
        let base = *self.full_survivors.get_or_insert(survived);
        survived <= base + self.full_growth
    }

    fn arm_malloc_step(&mut self) {
        self.malloc_step_at = self.malloc_increase + (self.budget / MALLOC_STEPS).max(MALLOC_STEP_MIN);
    }

    #[inline]
    pub fn is_due(&self) -> bool {
        self.enabled
            && (self.stress || self.charged_bytes() >= if self.step_at == 0 { self.budget } else { self.step_at })
    }

    fn charged_bytes(&self) -> usize {
        self.cell_bytes
            + self.carried
            + self.malloc_increase.saturating_sub(self.long_increase.min(self.free_of_charge))
    }

    /// Marking is over. `in_steps`: the program ran meanwhile.
    pub fn collected(&mut self, live_cells: usize, live_cell_bytes: usize, minor: bool, in_steps: bool) {
        let young = if in_steps { self.charged_bytes() - self.steps_from.min(self.charged_bytes()) } else { 0 };
        if !minor {
            self.full_survivors = None;
        }
        self.live_cells = live_cells;
        self.live_cell_bytes = live_cell_bytes;
        self.step_at = 0;
        self.cell_bytes = 0;
        self.malloc_increase = 0;
        self.long_increase = 0;
        self.leaf_increase = 0;
        self.update_budget();
        self.carried = young.min(self.budget / 2);
        self.arm_malloc_step();
    }

    /// Memory that drop hooks gave back, and the part of it that long leaves were.
    pub fn swept_malloc(&mut self, bytes: usize, leaf_bytes: usize) {
        self.malloc_bytes = self.malloc_bytes.saturating_sub(bytes);
        self.leaf_bytes = self.leaf_bytes.saturating_sub(leaf_bytes);
    }
}

/// The bytes of a block of malloc memory if it is long.
#[inline]
pub(crate) fn if_long(bytes: usize) -> usize {
    if bytes >= LONG_BYTES { bytes } else { 0 }
}

impl Heap {
    /// Whether the budget is spent. [`Heap::alloc`] asks this by itself; call it at
    /// safepoints only if much is done without allocating.
    #[inline]
    pub fn should_collect(&self) -> bool {
        self.pacing.is_due()
    }

    /// An object has acquired `bytes` of malloc memory. Its drop hook must return what it
    /// gives back.
    #[inline]
    pub fn note_malloc(&mut self, bytes: usize) {
        self.note_taken(bytes, if_long(bytes));
    }

    /// The same of many short blocks at once.
    pub fn note_short_blocks(&mut self, bytes: usize) {
        self.note_taken(bytes, 0);
    }

    #[inline]
    fn note_taken(&mut self, bytes: usize, long_bytes: usize) {
        let pacing = &mut self.pacing;
        pacing.malloc_bytes += bytes;
        pacing.malloc_increase += bytes;
        pacing.long_increase += long_bytes;
        if pacing.malloc_increase >= pacing.malloc_step_at {
            self.malloc_step();
        }
    }

    /// A living object now shares `bytes` of memory with others: it no longer returns them when it dies, but they still
    /// count as having been taken since the last collection. `leaf`: the memory holds no references.
    pub fn note_shared(&mut self, bytes: usize, leaf: bool) {
        self.pacing.swept_malloc(bytes, if leaf { if_long(bytes) } else { 0 });
    }

    /// A collection has freed `bytes` of malloc memory that no object owned.
    pub fn note_swept(&mut self, bytes: usize) {
        self.pacing.swept_malloc(bytes, 0);
    }

    /// A living object has given back `bytes` of malloc memory (not for drop hooks).
    #[inline]
    pub fn note_free(&mut self, bytes: usize) {
        self.pacing.malloc_bytes = self.pacing.malloc_bytes.saturating_sub(bytes);
        self.pacing.malloc_increase = self.pacing.malloc_increase.saturating_sub(bytes);
        self.pacing.long_increase = self.pacing.long_increase.saturating_sub(if_long(bytes));
    }

    /// `note_malloc` of memory that holds no references, of an object whose tag is in
    /// [`HeapHooks::leaf`](crate::HeapHooks::leaf).
    #[inline]
    pub fn note_leaf(&mut self, bytes: usize) {
        self.pacing.leaf_bytes += if_long(bytes);
        self.pacing.leaf_increase += if_long(bytes);
        self.note_malloc(bytes);
    }

    /// `note_free` of such memory.
    #[inline]
    pub fn note_leaf_free(&mut self, bytes: usize) {
        self.pacing.leaf_bytes = self.pacing.leaf_bytes.saturating_sub(if_long(bytes));
        self.pacing.leaf_increase = self.pacing.leaf_increase.saturating_sub(if_long(bytes));
        self.note_free(bytes);
    }

    /// Malloc memory grows: the next allocation shall look whether a collection is due, and
    /// sweep some blocks, as dead objects may hold much of it.
    #[cold]
    #[inline(never)]
    fn malloc_step(&mut self) {
        self.pacing.arm_malloc_step();
        self.sweep_step_due = true;
        self.retire_bumps();
    }
}
