//! The heap itself: its parts, and allocation. Collection is in `collect`, sweeping in
//! `sweep`, the decision when to collect in `pacing`.

use std::ptr::{self, NonNull};
use std::time::Duration;

use rubellite_value::Header;

use crate::barrier::BarrierState;
use crate::chunk::{BLOCKS_PER_CHUNK, BlockMeta, Chunk, FreeRun, is_marked};
use crate::chunk_table::ChunkTable;
use crate::config::{HeapConfig, HeapHooks, OutOfMemory};
use crate::header::{self, TAG_FREE};
use crate::marker::{MarkBuffers, Suspended};
use crate::pacing::Pacing;
use crate::poison;
use crate::size_class::SizeClass;

/// The allocator of one size class: the run of free cells in use, and those to use next.
#[derive(Clone, Copy)]
pub(crate) struct Bump {
    cursor: *mut u8,
    limit: *mut u8,
    runs: *mut FreeRun,
}

/// The index of a bump is masked with this instead of checked.
const BUMP_MASK: usize = 7;
const _: () = assert!(SizeClass::COUNT <= BUMP_MASK + 1);

const NO_BUMP: Bump = Bump { cursor: ptr::null_mut(), limit: ptr::null_mut(), runs: ptr::null_mut() };

/// The blocks of one size class.
#[derive(Default)]
pub(crate) struct ClassBlocks {
    pub blocks: Vec<*mut BlockMeta>,
    /// `blocks[unswept_at..]` are unswept, the first of them perhaps in part.
    pub unswept_at: usize,
    /// Swept blocks whose free runs nobody uses yet.
    pub partial: Vec<*mut BlockMeta>,
}

/// Totals since the heap was made.
#[derive(Default)]
pub(crate) struct Counters {
    /// Cells of the runs handed to `Bump`s; those not yet popped are counted too.
    pub cells_handed_out: u64,
    pub freed_objects: u64,
    pub collections: u64,
    pub minor_collections: u64,
    pub mark_time: Duration,
    pub sweep_time: Duration,
}

/// A failure that a test asked for, see [`Heap::fail_allocation_at`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum InjectedFailure {
    None,
    /// The allocation fails that finds 1 here.
    After(u64),
    /// An allocation has failed; its second attempt fails too.
    Pending,
}

/// A garbage-collected heap of cells. See the crate's documentation.
pub struct Heap {
    /// Indexed by size class.
    bumps: [Bump; BUMP_MASK + 1],
    pub(crate) classes: [ClassBlocks; SizeClass::COUNT],
    pub(crate) table: ChunkTable,
    pub(crate) chunks: Vec<Chunk>,
    /// Blocks of no size class.
    pub(crate) free_blocks: Vec<*mut BlockMeta>,
    /// For what is allocated to tell that an allocation has failed, see [`Heap::take_reserve`].
    reserve: Option<Chunk>,
    pub(crate) barrier: NonNull<BarrierState>,
    pub(crate) hooks: HeapHooks,
    pub(crate) config: HeapConfig,
    pub(crate) pacing: Pacing,
    pub(crate) counters: Counters,
    pub(crate) mark_buffers: MarkBuffers,
    /// A full collection that has begun to mark.
    pub(crate) steps: Option<Box<Suspended>>,
    /// The next slow allocation sweeps some blocks.
    pub(crate) sweep_step_due: bool,
    injected: InjectedFailure,
    /// See [`Heap::set_traced`].
    traced: bool,
    /// See [`Heap::set_context`].
    pub(crate) context: *const (),
}

// SAFETY: the heap owns its chunks and its barrier state; nothing in it is tied to a
// thread. Hooks are plain functions, and the context is passed on, not used.
unsafe impl Send for Heap {}

impl Heap {
    /// An empty heap. No memory is mapped before the first allocation.
    pub fn new(config: HeapConfig, mut hooks: HeapHooks) -> Heap {
        hooks.needs_drop[usize::from(TAG_FREE)] = false;
        let barrier = NonNull::from(Box::leak(Box::new(BarrierState::new(&hooks))));
        Heap {
            bumps: [NO_BUMP; BUMP_MASK + 1],
            classes: Default::default(),
            table: ChunkTable::new(),
            chunks: Vec::new(),
            free_blocks: Vec::new(),
            reserve: None,
            barrier,
            hooks,
            pacing: Pacing::new(&config),
            config,
            counters: Counters::default(),
            mark_buffers: MarkBuffers::default(),
            steps: None,
            sweep_step_due: false,
            context: std::ptr::null(),
            injected: InjectedFailure::None,
            traced: false,
        }
    }

    /// Says which context collects from now on: what [`Marker::context`](crate::Marker::context) gives.
    pub fn set_context(&mut self, context: *const ()) {
        self.context = context;
    }

    /// The settings.
    pub fn config(&self) -> &HeapConfig {
        &self.config
    }

    /// Lets collections become due again after [`Heap::disable`].
    pub fn enable(&mut self) {
        self.pacing.enabled = true;
    }

    /// From here on no collection becomes due; one that is asked for still takes place.
    pub fn disable(&mut self) {
        self.pacing.enabled = false;
    }

    /// Whether collections become due.
    pub fn is_enabled(&self) -> bool {
        self.pacing.enabled
    }

    /// Switches stress mode: a collection at every allocation.
    pub fn set_stress(&mut self, stress: bool) {
        self.config.stress = stress;
        self.pacing.stress = stress;
        self.retire_bumps();
    }

    /// Switches the mode in which each allocation makes a step of a full collection.
    pub fn set_stress_steps(&mut self, stress: bool) {
        self.config.stress_steps = stress;
        self.pacing.stress = stress;
        self.retire_bumps();
    }

    /// While this is on [`Heap::alloc`] gives nothing: all cells come from [`Heap::alloc_grow`], whose callers see each
    /// of them.
    pub fn set_traced(&mut self, traced: bool) {
        self.traced = traced;
        self.retire_bumps();
    }

    pub fn is_traced(&self) -> bool {
        self.traced
    }

    /// A cell, or `None` if a collection is due (then collect and use
    /// [`Heap::alloc_grow`]). Its first two words are zero, the rest is undefined; it must
    /// be a complete object before the next allocation.
    #[inline(always)]
    pub fn alloc(&mut self, class: SizeClass) -> Option<NonNull<u8>> {
        match self.bump(class) {
            Some(cell) => Some(cell),
            None => self.alloc_slow(class),
        }
    }

    /// [`Heap::alloc`] for an object of type `T`.
    #[inline(always)]
    pub fn alloc_object<T>(&mut self) -> Option<NonNull<T>> {
        self.alloc(const { SizeClass::of::<T>() }).map(NonNull::cast)
    }

    /// A cell without asking whether a collection is due: after one, or where none may
    /// happen. The same contract as [`Heap::alloc`]; fails if the system has no memory.
    pub fn alloc_grow(&mut self, class: SizeClass) -> Result<NonNull<u8>, OutOfMemory> {
        if self.injected != InjectedFailure::None && self.injected_failure_hits() {
            self.injected = InjectedFailure::None;
            return Err(OutOfMemory);
        }
        self.pop(class)
    }

    /// Lets the `n`th allocation from now (counted from 1) fail once, both in
    /// [`Heap::alloc`] and in the [`Heap::alloc_grow`] that follows it. 0 calls it off.
    pub fn fail_allocation_at(&mut self, n: u64) {
        self.injected = if n == 0 { InjectedFailure::None } else { InjectedFailure::After(n) };
        self.retire_bumps();
    }

    /// The object whose cell contains `word`, if it is an address in one: for values from
    /// unsure sources. Interior pointers count.
    #[inline]
    pub fn find_cell(&self, word: usize) -> Option<NonNull<Header>> {
        let cell = self.table.find_cell(word)?;
        self.is_live(cell).then_some(cell)
    }

    /// Whether the cell holds an object that the last collection has not found dead.
    pub(crate) fn is_live(&self, cell: NonNull<Header>) -> bool {
        let block = crate::chunk::meta_of(cell.as_ptr() as usize);
        // SAFETY: `find_cell` gave a cell of this heap.
        unsafe { (cell.as_ptr() as usize) < (*block).swept_to || is_marked(cell) }
    }

    #[inline(always)]
    fn bump(&mut self, class: SizeClass) -> Option<NonNull<u8>> {
        let bump = &mut self.bumps[class.index() & BUMP_MASK];
        let cell = bump.cursor;
        let next = cell.wrapping_add(class.bytes());
        if next > bump.limit {
            return None;
        }
        bump.cursor = next;
        poison::allow(cell, class.bytes());
        // SAFETY: `cursor..limit` is a run of free cells of a block of this heap.
        unsafe {
            cell.cast::<[u64; 2]>().write([0, 0]);
            Some(NonNull::new_unchecked(cell))
        }
    }

    #[cold]
    #[inline(never)]
    fn alloc_slow(&mut self, class: SizeClass) -> Option<NonNull<u8>> {
        if self.sweep_step_due {
            self.sweep_step();
        }
        if self.should_collect() || crate::reserve::is_spent() {
            return None;
        }
        if self.injected != InjectedFailure::None && self.injected_failure_hits() {
            self.injected = InjectedFailure::Pending;
            return None;
        }
        if self.traced {
            return None;
        }
        self.pop(class).ok()
    }

    fn injected_failure_hits(&mut self) -> bool {
        match self.injected {
            InjectedFailure::None => false,
            InjectedFailure::After(1) | InjectedFailure::Pending => true,
            InjectedFailure::After(n) => {
                self.injected = InjectedFailure::After(n - 1);
                false
            }
        }
    }

    /// One cell from wherever there is one.
    fn pop(&mut self, class: SizeClass) -> Result<NonNull<u8>, OutOfMemory> {
        let cell = match self.bump(class) {
            Some(cell) => cell,
            None => {
                self.refill(class)?;
                self.bump(class).ok_or(OutOfMemory)?
            }
        };
        if self.pacing.stress || self.traced || self.injected != InjectedFailure::None {
            // The next allocation shall take the slow path again.
            self.retire_bump(class);
        }
        Ok(cell)
    }

    /// Finds a run of free cells: in the block in use, in swept blocks, in the next unswept
    /// block, at last in a new block.
    fn refill(&mut self, class: SizeClass) -> Result<(), OutOfMemory> {
        let index = class.index();
        loop {
            let run = self.bumps[index].runs;
            if !run.is_null() {
                // SAFETY: a run on the list is a free cell that holds a `FreeRun`.
                let (cells, next) = unsafe { ((*run).cells(), (*run).next) };
                let cursor = run.cast::<u8>();
                let limit = cursor.wrapping_add(cells * class.bytes());
                self.bumps[index] = Bump { cursor, limit, runs: next };
                self.hand_out(class, cells);
                return Ok(());
            }
            if let Some(block) = self.classes[index].partial.pop() {
                // SAFETY: blocks of a class are initialised and the heap's own.
                self.bumps[index].runs = unsafe { std::mem::replace(&mut (*block).free_runs, ptr::null_mut()) };
            } else if let Some(block) = self.sweep_next(class) {
                // SAFETY: as above.
                self.bumps[index].runs = unsafe { std::mem::replace(&mut (*block).free_runs, ptr::null_mut()) };
            } else {
                return self.use_new_block(class);
            }
        }
    }

    fn use_new_block(&mut self, class: SizeClass) -> Result<(), OutOfMemory> {
        let blocks = &mut self.classes[class.index()];
        blocks.blocks.try_reserve(1).map_err(|_| OutOfMemory)?;
        blocks.partial.try_reserve(blocks.blocks.len() + 1).map_err(|_| OutOfMemory)?;
        let block = self.take_block()?;
        // SAFETY: a block of `free_blocks` holds no object and belongs to nobody.
        let (cursor, limit) = unsafe {
            (*block).format(class);
            (*block).whole_run()
        };
        let blocks = &mut self.classes[class.index()];
        debug_assert_eq!(blocks.unswept_at, blocks.blocks.len());
        blocks.blocks.push(block);
        blocks.unswept_at = blocks.blocks.len();
        self.bumps[class.index()] = Bump { cursor, limit, runs: ptr::null_mut() };
        self.hand_out(class, (limit as usize - cursor as usize) / class.bytes());
        Ok(())
    }

    fn take_block(&mut self) -> Result<*mut BlockMeta, OutOfMemory> {
        if self.free_blocks.is_empty() {
            let barrier = self.barrier.as_ptr();
            let blocks_in_all = (self.chunks.len() + 1) * BLOCKS_PER_CHUNK;
            self.chunks.try_reserve(1).map_err(|_| OutOfMemory)?;
            self.free_blocks.try_reserve(blocks_in_all).map_err(|_| OutOfMemory)?;
            let chunk = Chunk::map(barrier).ok_or(OutOfMemory)?;
            self.add_chunk(chunk);
            if self.reserve.is_none() {
                self.reserve = Chunk::map(barrier);
            }
        }
        self.free_blocks.pop().ok_or(OutOfMemory)
    }

    /// There is room for it on the lists.
    fn add_chunk(&mut self, chunk: Chunk) {
        self.table.insert(chunk.address());
        self.chunks.push(chunk);
        self.free_blocks.extend(chunk.blocks().rev());
    }

    /// After an allocation that failed: makes the cells of the reserve available, with which the failure can be told.
    /// False: they have been used up since the system gave memory last.
    pub fn take_reserve(&mut self) -> bool {
        let blocks_in_all = (self.chunks.len() + 1) * BLOCKS_PER_CHUNK;
        if self.chunks.try_reserve(1).is_err() || self.free_blocks.try_reserve(blocks_in_all).is_err() {
            return false;
        }
        match self.reserve.take() {
            Some(chunk) => {
                self.add_chunk(chunk);
                true
            }
            None => false,
        }
    }

    fn hand_out(&mut self, class: SizeClass, cells: usize) {
        self.counters.cells_handed_out += cells as u64;
        self.pacing.cell_bytes += cells * class.bytes();
    }

    /// Cells that were handed out to bumps and not popped yet.
    pub(crate) fn cells_in_bumps(&self) -> u64 {
        SizeClass::all()
            .map(|class| {
                let bump = &self.bumps[class.index()];
                ((bump.limit as usize - bump.cursor as usize) / class.bytes()) as u64
            })
            .sum()
    }

    /// Puts the run in use back on the list so that the next allocation is a slow one.
    fn retire_bump(&mut self, class: SizeClass) {
        let bump = &mut self.bumps[class.index()];
        let cells = (bump.limit as usize - bump.cursor as usize) / class.bytes();
        if cells > 0 {
            let run = bump.cursor.cast::<FreeRun>();
            // SAFETY: `cursor..limit` is a run of free cells, each large enough.
            unsafe { run.write(FreeRun::new(cells, bump.runs)) };
            *bump = Bump { runs: run, ..NO_BUMP };
            self.counters.cells_handed_out -= cells as u64;
            self.pacing.cell_bytes = self.pacing.cell_bytes.saturating_sub(cells * class.bytes());
        }
    }

    pub(crate) fn retire_bumps(&mut self) {
        SizeClass::all().for_each(|class| self.retire_bump(class));
    }

    /// Forgets all free runs: a collection is about to find them anew by sweeping.
    pub(crate) fn forget_free_runs(&mut self) {
        self.retire_bumps();
        self.bumps = [NO_BUMP; BUMP_MASK + 1];
        for class in &mut self.classes {
            class.partial.clear();
        }
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        self.finish_sweep();
        let hooks = self.hooks;
        for block in self.classes.iter().flat_map(|class| &class.blocks) {
            // SAFETY: blocks of a class are initialised; every cell with a tag is an
            // object as all are swept, and nothing uses it after the heap.
            unsafe {
                for cell in (**block).each_cell() {
                    let tag = header::tag(cell.as_ptr());
                    if tag != TAG_FREE && hooks.needs_drop[usize::from(tag)] {
                        (hooks.drop)(cell.as_ptr());
                    }
                }
            }
        }
        for chunk in self.chunks.drain(..).chain(self.reserve.take()) {
            // SAFETY: the heap goes away and with it all that refers to the chunk.
            unsafe { chunk.unmap() };
        }
        // SAFETY: made by `Box::leak` in `new`; the chunks that pointed to it are gone.
        drop(unsafe { Box::from_raw(self.barrier.as_ptr()) });
    }
}
