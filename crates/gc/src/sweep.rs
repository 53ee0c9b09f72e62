//! Sweeping: dead objects are dropped and their cells become runs of free cells. Blocks
//! are swept one by one as allocation needs them, or all at once before a collection.

use std::ptr;
use std::time::Instant;

use crate::chunk::{BLOCK_BYTES, BlockMeta, FreeRun};
use crate::config::HeapHooks;
use crate::header::{self, TAG_FREE};
use crate::heap::Heap;
use crate::pacing;
use crate::poison;
use crate::size_class::SizeClass;

/// What the sweep of a block found.
#[derive(Default)]
struct Swept {
    free_cells: usize,
    freed_objects: u64,
    malloc_bytes: usize,
    /// The part of it that long leaves were.
    leaf_bytes: usize,
}

impl Heap {
    /// Sweeps everything that is left to sweep and gives unused blocks back.
    pub fn finish_sweep(&mut self) {
        let started = Instant::now();
        for class in SizeClass::all() {
            self.finish_class(class);
        }
        self.pacing.update_budget();
        self.release_spare_blocks();
        self.counters.sweep_time += started.elapsed();
    }

    fn finish_class(&mut self, class: SizeClass) {
        let index = class.index();
        let first = self.classes[index].unswept_at;
        let mut kept = first;
        for at in first..self.classes[index].blocks.len() {
            let block = self.classes[index].blocks[at];
            let free_cells = self.sweep_block(block);
            // SAFETY: a block of a class is initialised and this heap's own.
            if free_cells == unsafe { (*block).cell_count } as usize {
                self.free_blocks.push(block);
                // SAFETY: as above; no object is left in it.
                unsafe { detach(block) };
                continue;
            }
            let blocks = &mut self.classes[index];
            blocks.blocks[kept] = block;
            kept += 1;
            if free_cells > 0 {
                blocks.partial.push(block);
            }
        }
        self.classes[index].blocks.truncate(kept);
        self.classes[index].unswept_at = kept;
    }

    /// Sweeps blocks of `class` until one has a free cell, and returns that.
    pub(crate) fn sweep_next(&mut self, class: SizeClass) -> Option<*mut BlockMeta> {
        let index = class.index();
        let started = Instant::now();
        let mut found = None;
        while found.is_none() && self.classes[index].unswept_at < self.classes[index].blocks.len() {
            let block = self.classes[index].blocks[self.classes[index].unswept_at];
            self.classes[index].unswept_at += 1;
            found = (self.sweep_block(block) > 0).then_some(block);
        }
        self.counters.sweep_time += started.elapsed();
        found
    }

    /// Sweeps a few of the unswept blocks, ahead of need: malloc memory has grown and dead objects may hold some. There are
    /// 64 such steps to a budget, since a block of objects that own memory takes 0.15 ms, in which no other thread gets
    /// the lock.
    pub(crate) fn sweep_step(&mut self) {
        self.sweep_step_due = false;
        for class in SizeClass::all() {
            let index = class.index();
            let unswept = self.classes[index].blocks.len() - self.classes[index].unswept_at;
            for _ in 0..unswept.min(unswept / 32 + 1) {
                if let Some(block) = self.sweep_next(class) {
                    self.classes[index].partial.push(block);
                }
            }
        }
        self.pacing.update_budget();
    }

    /// Sweeps one block; returns how many of its cells are free.
    fn sweep_block(&mut self, block: *mut BlockMeta) -> usize {
        let fill = self.config.stress || cfg!(debug_assertions);
        // SAFETY: a block of a class is initialised, and no other reference to its
        // metadata exists while the heap is borrowed.
        let swept = unsafe { sweep_cells(&mut *block, &self.hooks, fill) };
        self.counters.freed_objects += swept.freed_objects;
        self.pacing.swept_malloc(swept.malloc_bytes, swept.leaf_bytes);
        swept.free_cells
    }

    /// Keeps about as many unused blocks as one cycle's least budget, gives the memory of
    /// the others back to the system.
    fn release_spare_blocks(&mut self) {
        let kept = self.config.min_heap / BLOCK_BYTES;
        let mut dirty = 0;
        for &block in self.free_blocks.iter().rev() {
            // SAFETY: blocks of `free_blocks` hold no object and belong to nobody else.
            unsafe {
                if !(*block).zeroed {
                    dirty += 1;
                    if dirty > kept {
                        (*block).release_memory();
                    }
                }
            }
        }
    }
}

/// Takes an empty block out of its class.
///
/// # Safety
/// The block must be swept and hold no object.
unsafe fn detach(block: *mut BlockMeta) {
    // SAFETY: the caller's block is initialised metadata.
    unsafe {
        (*block).free_runs = ptr::null_mut();
        (*block).cell_count = 0;
    }
}

/// Frees the unmarked objects of a block and links its free cells into runs, in address
/// order.
///
/// # Safety
/// Marking must be complete and the block unswept; `hooks` must be those of its heap.
unsafe fn sweep_cells(block: &mut BlockMeta, hooks: &HeapHooks, fill: bool) -> Swept {
    block.swept = true;
    let cell_bytes = block.cell_bytes as usize;
    let cell_count = block.cell_count as usize;
    let live_cells = block.marked_cells();
    let free_cells = cell_count - live_cells;
    let mut swept = Swept { free_cells, ..Swept::default() };
    // Reading the cells of a block that nobody used since costs a cache miss for each.
    if free_cells == 0 || block.is_unchanged(live_cells) {
        return swept;
    }
    block.free_runs = ptr::null_mut();
    block.live_cells = live_cells as u32;
    // Where the link to the next run is to be written.
    let mut link: *mut *mut FreeRun = &mut block.free_runs;
    let mut start = 0;
    while start < cell_count {
        let end = block.next_marked(start);
        if end > start {
            let first = block.cells.wrapping_add(start * cell_bytes);
            // SAFETY: the cells from `start` to `end` are not marked, so dead or free; the
            // first holds the run, and `link` points into the metadata or into the first
            // cell of the run before.
            unsafe {
                for index in 0..end - start {
                    let cell = first.add(index * cell_bytes);
                    free_cell(cell, cell_bytes, hooks, fill, &mut swept);
                }
                let run = first.cast::<FreeRun>();
                run.write(FreeRun::new(end - start, ptr::null_mut()));
                *link = run;
                link = &raw mut (*run).next;
            }
        }
        start = end + 1;
        // Live objects side by side: testing each is cheaper than searching.
        while start < cell_count && block.is_marked_at(start) {
            start += 1;
        }
    }
    swept
}

/// Drops the object in the cell, if there is one, and makes the cell a free one.
///
/// # Safety
/// `cell` must be a cell of `cell_bytes` that holds a dead object or none.
#[inline(always)]
unsafe fn free_cell(cell: *mut u8, cell_bytes: usize, hooks: &HeapHooks, fill: bool, swept: &mut Swept) {
    // SAFETY: the first word of a cell is always initialised; the object is dead, so its
    // memory is the heap's from here on.
    unsafe {
        let tag = header::tag(cell.cast());
        // No branch on "free or dead": it would be mispredicted.
        swept.freed_objects += u64::from(tag != TAG_FREE);
        if hooks.needs_drop[usize::from(tag)] {
            let bytes = (hooks.drop)(cell.cast());
            swept.malloc_bytes += bytes;
            swept.leaf_bytes += if hooks.leaf[usize::from(tag)] { pacing::if_long(bytes) } else { 0 };
        }
        if fill && tag != TAG_FREE {
            poison::fill(cell, cell_bytes);
        }
        poison::forbid(cell, cell_bytes);
        cell.cast::<u64>().write(0);
    }
}
