//! Looking at the heap: walking its objects and counting.

use std::ptr::NonNull;

use rubellite_value::{Header, Tag};

use crate::chunk::{BLOCK_BYTES, BLOCKS_PER_CHUNK, CHUNK_BYTES};
use crate::header::{self, TAG_FREE};
use crate::heap::Heap;
use crate::size_class::SizeClass;

/// Figures of a heap, see [`Heap::stat`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HeapStat {
    /// Collections since the heap was made, minor ones included.
    pub count: u64,
    pub minor_count: u64,
    /// Blocks of 64 KiB in use.
    pub heap_allocated_pages: usize,
    /// Blocks that are mapped but not in use.
    pub heap_empty_pages: usize,
    /// Address space of the heap in bytes.
    pub mapped_bytes: usize,
    pub total_allocated_objects: u64,
    /// Objects freed so far; dead ones that are not swept yet are not counted.
    pub total_freed_objects: u64,
    /// Bytes of cells that survived the last collection.
    pub live_cell_bytes: usize,
    /// Bytes of cells allocated since the last collection.
    pub allocated_cell_bytes: usize,
    /// Malloc memory that objects own.
    pub malloc_bytes: usize,
    /// Growth of it since the last collection.
    pub malloc_increase: usize,
    /// Old objects that the write barrier has recorded.
    pub remembered_objects: usize,
    pub mark_time_ns: u64,
    pub sweep_time_ns: u64,
}

/// Figures of the cells of one size.
#[derive(Copy, Clone, Debug, Default)]
pub struct CellStat {
    pub cell_bytes: usize,
    /// Blocks of 64 KiB that have such cells.
    pub pages: usize,
    /// Cells in them.
    pub cells: usize,
}

impl Heap {
    /// Calls `visit` with every live object: those that are not known to be dead. The
    /// callback cannot allocate, as the heap is borrowed.
    pub fn each_object(&mut self, visit: &mut dyn FnMut(NonNull<Header>)) {
        self.finish_sweep();
        for block in self.classes.iter().flat_map(|class| &class.blocks) {
            // SAFETY: blocks of a class are initialised and the heap's own.
            let cells = unsafe { (**block).each_cell() };
            for cell in cells {
                // SAFETY: `each_cell` gives cells of this heap.
                if unsafe { header::tag(cell.as_ptr()) } != TAG_FREE {
                    visit(cell);
                }
            }
        }
    }

    /// Addresses of the blocks that hold objects, for [`each_object_in`](Heap::each_object_in).
    pub fn object_blocks(&mut self) -> Vec<usize> {
        self.finish_sweep();
        let blocks = self.classes.iter().flat_map(|class| &class.blocks);
        // SAFETY: blocks of a class are initialised and the heap's own.
        blocks.map(|block| unsafe { (**block).cells } as usize).collect()
    }

    /// The same as [`each_object`](Heap::each_object) for some of the blocks that `object_blocks` has named, so that a
    /// walk may go on after others have used the heap: objects never move, and a block is named once. What is in a
    /// block is shown, whatever has become of it.
    pub fn each_object_in(&mut self, blocks: &[usize], visit: &mut dyn FnMut(NonNull<Header>)) {
        self.finish_sweep();
        for &address in blocks {
            let Some(block) = self.table.find_block(address) else { continue };
            // SAFETY: the table only knows blocks whose metadata is initialised; cells of a block without objects are
            // free.
            for cell in unsafe { (*block).each_cell() } {
                // SAFETY: `each_cell` gives cells of this heap.
                if unsafe { header::tag(cell.as_ptr()) } != TAG_FREE {
                    visit(cell);
                }
            }
        }
    }

    /// Calls `visit` with every object that the last collection has found dead and that is not swept yet. It is whole,
    /// and what it refers to may be dead as well.
    pub fn each_dead(&mut self, visit: &mut dyn FnMut(NonNull<Header>)) {
        for block in self.classes.iter().flat_map(|class| &class.blocks) {
            // SAFETY: blocks of a class are initialised and the heap's own.
            let cells = unsafe { (**block).each_cell() };
            cells.filter(|cell| self.is_unswept(cell.as_ptr())).for_each(&mut *visit);
        }
    }

    /// Whether the cell, which is one of this heap's, has an object that is dead and not swept yet.
    pub fn is_unswept(&self, cell: *mut Header) -> bool {
        // SAFETY: a cell of this heap by contract.
        NonNull::new(cell).is_some_and(|cell| !self.is_live(cell) && unsafe { header::tag(cell.as_ptr()) } != TAG_FREE)
    }

    /// Bytes of the cell that an address lies in; 0 outside the heap.
    pub fn cell_bytes(&self, address: usize) -> usize {
        // SAFETY: the table only knows blocks whose metadata is initialised.
        self.table.find_block(address).map_or(0, |block| unsafe { (*block).cell_bytes } as usize)
    }

    /// Live objects by type tag.
    pub fn count_by_tag(&mut self) -> [usize; Tag::COUNT] {
        let mut counts = [0; Tag::COUNT];
        self.each_object(&mut |cell| {
            // SAFETY: `each_object` gives objects.
            counts[usize::from(unsafe { header::tag(cell.as_ptr()) })] += 1;
        });
        counts
    }

    /// Figures of the cells by size, the smallest first.
    pub fn cell_stats(&self) -> [CellStat; SizeClass::COUNT] {
        let mut stats = [CellStat::default(); SizeClass::COUNT];
        for ((stat, class), &cell_bytes) in stats.iter_mut().zip(&self.classes).zip(&SizeClass::SIZES) {
            let pages = class.blocks.len();
            let cell_bytes = usize::from(cell_bytes);
            *stat = CellStat { cell_bytes, pages, cells: pages * (BLOCK_BYTES / cell_bytes) };
        }
        stats
    }

    /// Figures, all at hand without walking the heap.
    pub fn stat(&self) -> HeapStat {
        let in_use: usize = self.classes.iter().map(|class| class.blocks.len()).sum();
        let blocks = self.chunks.len() * (BLOCKS_PER_CHUNK - 1);
        let unpopped = self.cells_in_bumps();
        HeapStat {
            count: self.counters.collections,
            minor_count: self.counters.minor_collections,
            heap_allocated_pages: in_use,
            heap_empty_pages: blocks - in_use,
            mapped_bytes: self.chunks.len() * CHUNK_BYTES,
            total_allocated_objects: self.counters.cells_handed_out - unpopped,
            total_freed_objects: self.counters.freed_objects,
            live_cell_bytes: self.pacing.live_cell_bytes,
            allocated_cell_bytes: self.pacing.cell_bytes,
            malloc_bytes: self.pacing.malloc_bytes,
            malloc_increase: self.pacing.malloc_increase,
            // SAFETY: the barrier state is the heap's own.
            remembered_objects: unsafe { self.barrier.as_ref() }.len(),
            mark_time_ns: self.counters.mark_time.as_nanos() as u64,
            sweep_time_ns: self.counters.sweep_time.as_nanos() as u64,
        }
    }
}
