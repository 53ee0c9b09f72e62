//! Chunks and blocks: memory from the operating system, and the address arithmetic
//! that leads from a cell to its metadata. Which blocks are in use and by whom is
//! decided in `heap`.

use std::ptr::{self, NonNull};

use rubellite_value::Header;

use crate::barrier::BarrierState;
use crate::poison;
use crate::size_class::SizeClass;

pub(crate) const CHUNK_BYTES: usize = 2 << 20;
pub(crate) const BLOCK_BYTES: usize = 64 << 10;
const BLOCK_SHIFT: u32 = BLOCK_BYTES.trailing_zeros();
/// Slots of a chunk; slot 0 holds the metadata.
pub(crate) const BLOCKS_PER_CHUNK: usize = CHUNK_BYTES / BLOCK_BYTES;
/// Cells start at least this far apart, so a bit per granule is a bit per cell.
const GRANULE_SHIFT: u32 = 5;
const BITMAP_WORDS: usize = (BLOCK_BYTES >> GRANULE_SHIFT) / 64;

/// Slot 0 of the metadata.
#[repr(C, align(64))]
pub(crate) struct ChunkHeader {
    /// Where the write barrier lists old objects.
    pub barrier: *mut BarrierState,
}

/// Metadata of a block. `Copy` of a pointer to it is how blocks are named.
#[repr(C, align(64))]
pub(crate) struct BlockMeta {
    /// One bit per granule; set at a cell's start if the object is marked.
    pub marks: [u64; BITMAP_WORDS],
    /// The same for old objects, see `barrier`.
    pub old: [u64; BITMAP_WORDS],
    /// While marking: the same for objects that become old when they are traced.
    pub aged: [u64; BITMAP_WORDS],
    /// First run of free cells, null if there is none or an allocator has taken them. Before sweeping begins: what
    /// the last sweep left, which still holds unless an object of the block has died.
    pub free_runs: *mut FreeRun,
    /// Start of the block's cells.
    pub cells: *mut u8,
    /// `ceil(2^32 / cell_bytes)`, to divide by multiplying; see `BlockMeta::divide`.
    reciprocal: u64,
    pub cell_bytes: u32,
    /// 0 for a block that belongs to no size class.
    pub cell_count: u32,
    /// Objects that the last sweep left in the block, `UNKNOWN` if it was swept in several stretches.
    pub live_cells: u32,
    /// How far the block is swept since the last collection, an address: `UNSWEPT`, between two cells, or `SWEPT`.
    pub swept_to: usize,
    /// All objects that the last marking has found are old.
    pub all_old: bool,
    /// True if the memory is known to be zero (fresh, or given back to the system).
    pub zeroed: bool,
}

/// Of a block whose sweeping has not begun.
pub(crate) const UNSWEPT: usize = 0;
/// Of a block that is swept.
pub(crate) const SWEPT: usize = usize::MAX;
/// A number of live cells that no block has.
pub(crate) const UNKNOWN: u32 = u32::MAX;

const _: () = assert!(BLOCKS_PER_CHUNK * size_of::<BlockMeta>() <= BLOCK_BYTES);
const _: () = assert!(size_of::<ChunkHeader>() <= size_of::<BlockMeta>());

/// A run of free cells, written into its first cell. The first word keeps the tag bits 0.
#[repr(C)]
pub(crate) struct FreeRun {
    cells_shifted: u64,
    pub next: *mut FreeRun,
}

impl FreeRun {
    const SHIFT: u32 = 8;

    pub fn new(cells: usize, next: *mut FreeRun) -> FreeRun {
        FreeRun { cells_shifted: (cells as u64) << Self::SHIFT, next }
    }

    pub fn cells(&self) -> usize {
        (self.cells_shifted >> Self::SHIFT) as usize
    }
}

/// Start of the chunk that `address` lies in.
#[inline(always)]
pub(crate) fn chunk_base(address: usize) -> usize {
    address & !(CHUNK_BYTES - 1)
}

/// The metadata of the block that `address` lies in. Only meaningful for an address in
/// a chunk of a heap; for the chunk's first block it names the chunk header.
#[inline(always)]
pub(crate) fn meta_of(address: usize) -> *mut BlockMeta {
    let slot = (address >> BLOCK_SHIFT) & (BLOCKS_PER_CHUNK - 1);
    (chunk_base(address) + slot * size_of::<BlockMeta>()) as *mut BlockMeta
}

/// Word index and mask of a cell's bit in the bitmaps.
#[inline(always)]
pub(crate) fn bit_of(address: usize) -> (usize, u64) {
    let granule = (address & (BLOCK_BYTES - 1)) >> GRANULE_SHIFT;
    (granule / 64, 1 << (granule % 64))
}

/// Sets the mark bit of a cell; true if it was clear.
///
/// # Safety
/// `cell` must be the start of a cell of a living heap whose lock is held.
#[inline(always)]
pub(crate) unsafe fn set_mark(cell: NonNull<Header>) -> bool {
    let address = cell.as_ptr() as usize;
    let (word, mask) = bit_of(address);
    // SAFETY: the metadata of a cell's block is initialised and nobody else uses it.
    let word = unsafe { &mut (*meta_of(address)).marks[word] };
    if *word & mask != 0 {
        return false;
    }
    *word |= mask;
    true
}

/// Whether the mark bit of a cell is set.
///
/// # Safety
/// As for [`set_mark`].
#[inline(always)]
pub(crate) unsafe fn is_marked(cell: NonNull<Header>) -> bool {
    let address = cell.as_ptr() as usize;
    let (word, mask) = bit_of(address);
    // SAFETY: as in `set_mark`.
    unsafe { (*meta_of(address)).marks[word] & mask != 0 }
}

/// Whether a cell is old.
///
/// # Safety
/// As for [`set_mark`].
#[inline(always)]
pub(crate) unsafe fn is_old(cell: NonNull<Header>) -> bool {
    let address = cell.as_ptr() as usize;
    let (word, mask) = bit_of(address);
    // SAFETY: as in `set_mark`.
    unsafe { (*meta_of(address)).old[word] & mask != 0 }
}

/// What being traced makes of an object.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Age {
    Young,
    /// It has become old just now.
    Aged,
    Old,
}

/// Makes a cell old that is to become so.
///
/// # Safety
/// As for [`set_mark`].
#[inline(always)]
pub(crate) unsafe fn grow_old(cell: NonNull<Header>) -> Age {
    let address = cell.as_ptr() as usize;
    let (word, mask) = bit_of(address);
    // SAFETY: as in `set_mark`.
    let block = unsafe { &mut *meta_of(address) };
    if block.old[word] & mask != 0 {
        return Age::Old;
    }
    if block.aged[word] & mask == 0 {
        return Age::Young;
    }
    block.old[word] |= mask;
    Age::Aged
}

/// Notes that a cell is to become old when it is traced; false if it is or will be anyhow.
///
/// # Safety
/// As for [`set_mark`].
#[inline(always)]
pub(crate) unsafe fn set_aged(cell: NonNull<Header>) -> bool {
    let address = cell.as_ptr() as usize;
    let (word, mask) = bit_of(address);
    // SAFETY: as in `set_mark`.
    let block = unsafe { &mut *meta_of(address) };
    if (block.old[word] | block.aged[word]) & mask != 0 {
        return false;
    }
    block.aged[word] |= mask;
    true
}

impl BlockMeta {
    /// Makes the block one of `class`, with every cell free and no free run.
    ///
    /// # Safety
    /// The block must hold no object.
    pub unsafe fn format(&mut self, class: SizeClass) {
        let cell_bytes = class.bytes();
        let cell_count = BLOCK_BYTES / cell_bytes;
        poison::allow(self.cells, BLOCK_BYTES);
        if !self.zeroed {
            for index in 0..cell_count {
                // SAFETY: `index * cell_bytes` is inside the block, which holds no object.
                unsafe { self.cells.add(index * cell_bytes).cast::<u64>().write(0) };
            }
        }
        self.zeroed = false;
        self.cell_bytes = cell_bytes as u32;
        self.cell_count = cell_count as u32;
        self.reciprocal = (1u64 << 32).div_ceil(cell_bytes as u64);
        self.free_runs = ptr::null_mut();
        self.live_cells = UNKNOWN;
        self.all_old = false;
        self.swept_to = SWEPT;
        self.marks.fill(0);
        self.old.fill(0);
        self.aged.fill(0);
        if cfg!(feature = "asan") {
            self.each_cell().for_each(|cell| poison::forbid(cell.as_ptr().cast(), cell_bytes));
        }
    }

    /// The whole block, just formatted, as one run: first cell and end of the last.
    pub fn whole_run(&self) -> (*mut u8, *mut u8) {
        let bytes = self.cell_bytes as usize * self.cell_count as usize;
        (self.cells, self.cells.wrapping_add(bytes))
    }

    /// The cell that contains `address` (an address in this block), if the block has one there.
    #[inline]
    pub fn cell_at(&self, address: usize) -> Option<NonNull<Header>> {
        let index = self.divide(address & (BLOCK_BYTES - 1));
        if index >= self.cell_count as usize {
            return None;
        }
        NonNull::new(self.cells.wrapping_add(index * self.cell_bytes as usize).cast())
    }

    /// `offset / cell_bytes`. Exact as long as `offset * 256 < 2^32`: the reciprocal times
    /// `cell_bytes` exceeds 2^32 by less than `cell_bytes`, which is at most 256.
    #[inline(always)]
    fn divide(&self, offset: usize) -> usize {
        ((offset as u64 * self.reciprocal) >> 32) as usize
    }

    /// Whether the cell of this index is marked.
    #[inline(always)]
    pub fn is_marked_at(&self, index: usize) -> bool {
        let granule = (index * self.cell_bytes as usize) >> GRANULE_SHIFT;
        self.marks[granule / 64] & 1 << (granule % 64) != 0
    }

    /// Index of the first marked cell from `start` on; `cell_count` if there is none.
    #[inline]
    pub fn next_marked(&self, start: usize) -> usize {
        let granule = (start * self.cell_bytes as usize) >> GRANULE_SHIFT;
        let mut word = granule / 64;
        let mut bits = match self.marks.get(word) {
            Some(bits) => bits & (u64::MAX << (granule % 64)),
            None => return self.cell_count as usize,
        };
        while bits == 0 {
            word += 1;
            match self.marks.get(word) {
                Some(&next) => bits = next,
                None => return self.cell_count as usize,
            }
        }
        let granule = word * 64 + bits.trailing_zeros() as usize;
        // The cell starts within the granule: round up.
        self.divide((granule << GRANULE_SHIFT) + self.cell_bytes as usize - 1)
    }

    /// Whether the free runs of the last sweep are those that a sweep would find, given how many cells are marked now:
    /// nothing was allocated in the block since, and everything in it still lives.
    pub fn is_unchanged(&self, marked_cells: usize) -> bool {
        !self.free_runs.is_null() && self.live_cells as usize == marked_cells
    }

    /// Whether a minor collection finds in the block what the last collection has left: old objects, and nothing new.
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.all_old && self.live_cells != UNKNOWN && (self.live_cells == self.cell_count || !self.free_runs.is_null())
    }

    /// How many cells are marked.
    pub fn marked_cells(&self) -> usize {
        self.marks.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The cells of the block in address order.
    pub fn each_cell(&self) -> impl Iterator<Item = NonNull<Header>> + use<> {
        let (start, bytes) = (self.cells, self.cell_bytes as usize);
        (0..self.cell_count as usize).filter_map(move |index| NonNull::new(start.wrapping_add(index * bytes).cast()))
    }

    /// Gives the block's memory back to the system; it reads as zero afterwards.
    ///
    /// # Safety
    /// The block must hold no object.
    pub unsafe fn release_memory(&mut self) {
        // SAFETY: the range is this block's, a whole number of pages, and holds no object.
        let failed = unsafe { libc::madvise(self.cells.cast(), BLOCK_BYTES, libc::MADV_DONTNEED) };
        self.zeroed = cfg!(target_os = "linux") && failed == 0;
    }
}

/// A chunk, owned: unmapped by `Chunk::unmap`.
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    base: NonNull<u8>,
}

impl Chunk {
    /// Maps a chunk and initialises its metadata; `None` if the system has no memory.
    pub fn map(barrier: *mut BarrierState) -> Option<Chunk> {
        let base = map_aligned()?;
        let chunk = Chunk { base };
        // SAFETY: the chunk is fresh zeroed memory of ours, slot 0 is for metadata, and
        // all-zero is a valid `BlockMeta`.
        unsafe {
            base.cast::<ChunkHeader>().write(ChunkHeader { barrier });
            for slot in 1..BLOCKS_PER_CHUNK {
                let cells = base.as_ptr().add(slot * BLOCK_BYTES);
                let meta = meta_of(cells as usize);
                (*meta).cells = cells;
                (*meta).swept_to = SWEPT;
                (*meta).zeroed = true;
            }
        }
        Some(chunk)
    }

    pub fn address(self) -> usize {
        self.base.as_ptr() as usize
    }

    /// The chunk's blocks.
    pub fn blocks(self) -> impl DoubleEndedIterator<Item = *mut BlockMeta> {
        let base = self.address();
        (1..BLOCKS_PER_CHUNK).map(move |slot| meta_of(base + slot * BLOCK_BYTES))
    }

    /// Gives the chunk back to the system.
    ///
    /// # Safety
    /// Nothing may refer to the chunk afterwards.
    pub unsafe fn unmap(self) {
        poison::allow(self.base.as_ptr(), CHUNK_BYTES);
        // SAFETY: the range was mapped by `map_aligned` and the caller gives it up.
        unsafe { libc::munmap(self.base.as_ptr().cast(), CHUNK_BYTES) };
    }
}

/// Maps `CHUNK_BYTES` of zeroed memory aligned to `CHUNK_BYTES`: maps twice as much and
/// unmaps what lies before and behind.
fn map_aligned() -> Option<NonNull<u8>> {
    let total = 2 * CHUNK_BYTES;
    // SAFETY: an anonymous mapping at an address of the system's choice touches nothing.
    let start = unsafe {
        libc::mmap(
            ptr::null_mut(),
            total,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if start == libc::MAP_FAILED {
        return None;
    }
    let before = (start as usize).next_multiple_of(CHUNK_BYTES) - start as usize;
    let base = start.wrapping_byte_add(before);
    let behind = total - before - CHUNK_BYTES;
    // SAFETY: both ranges lie inside the mapping just made and outside the chunk.
    unsafe {
        if before > 0 {
            libc::munmap(start, before);
        }
        if behind > 0 {
            libc::munmap(base.wrapping_byte_add(CHUNK_BYTES), behind);
        }
    }
    NonNull::new(base.cast())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interior_pointers_round_down() {
        let chunk = Chunk::map(ptr::null_mut()).unwrap();
        for (class, block) in SizeClass::all().zip(chunk.blocks()) {
            // SAFETY: the chunk is fresh and ours alone.
            let meta = unsafe {
                (*block).format(class);
                &mut *block
            };
            for offset in 0..BLOCK_BYTES {
                let address = meta.cells as usize + offset;
                let expected = offset / class.bytes();
                let found = meta.cell_at(address).map(|cell| cell.as_ptr() as usize);
                if expected < meta.cell_count as usize {
                    assert_eq!(found, Some(meta.cells as usize + expected * class.bytes()));
                } else {
                    assert_eq!(found, None);
                }
            }
        }
        // SAFETY: nothing refers to the chunk any more.
        unsafe { chunk.unmap() };
    }

    #[test]
    fn marked_cells_are_found() {
        let chunk = Chunk::map(ptr::null_mut()).unwrap();
        for (class, block) in SizeClass::all().zip(chunk.blocks()) {
            // SAFETY: the chunk is fresh and ours alone.
            let meta = unsafe {
                (*block).format(class);
                &mut *block
            };
            let count = meta.cell_count as usize;
            assert_eq!(meta.next_marked(0), count);
            let cells: Vec<_> = meta.each_cell().collect();
            for index in (0..count).filter(|index| index % 3 == 1 || *index == count - 1) {
                // SAFETY: a cell of a chunk that only this test uses.
                assert!(unsafe { set_mark(cells[index]) });
            }
            for start in 0..count {
                let expected = (start..count).find(|index| index % 3 == 1 || *index == count - 1);
                assert_eq!(meta.next_marked(start), expected.unwrap());
            }
            assert_eq!(meta.next_marked(count), count);
        }
        // SAFETY: nothing refers to the chunk any more.
        unsafe { chunk.unmap() };
    }

    #[test]
    fn every_cell_has_its_own_bit() {
        for class in SizeClass::all() {
            let mut seen = std::collections::HashSet::new();
            for index in 0..BLOCK_BYTES / class.bytes() {
                assert!(seen.insert(bit_of(index * class.bytes())));
            }
        }
    }
}
