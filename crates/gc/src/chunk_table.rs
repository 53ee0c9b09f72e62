//! Which addresses belong to the heap: the test behind the conservative scan.
//!
//! A word is first compared with the lowest and highest chunk, which rejects nearly
//! everything, then its chunk is looked up in a small open-addressing hash set.

use std::ptr::NonNull;

use rubellite_value::Header;

use crate::chunk::{BLOCKS_PER_CHUNK, BlockMeta, CHUNK_BYTES, chunk_base, meta_of};
use crate::header::{self, TAG_FREE};

pub(crate) struct ChunkTable {
    lowest: usize,
    /// Bytes from `lowest` to the end of the highest chunk.
    span: usize,
    /// Chunk addresses, 0 = empty. A power of two long and at most half full.
    slots: Vec<usize>,
    len: usize,
}

impl ChunkTable {
    pub fn new() -> ChunkTable {
        ChunkTable { lowest: usize::MAX, span: 0, slots: vec![0; 16], len: 0 }
    }

    fn slot_of(&self, chunk: usize) -> usize {
        let hash = ((chunk / CHUNK_BYTES) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    pub fn insert(&mut self, chunk: usize) {
        if (self.len + 1) * 2 > self.slots.len() {
            let bigger = vec![0; self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, bigger);
            old.into_iter().filter(|&chunk| chunk != 0).for_each(|chunk| self.place(chunk));
        }
        self.place(chunk);
        self.len += 1;
        let end = (chunk + CHUNK_BYTES).max(self.lowest.saturating_add(self.span));
        let end = if self.span == 0 { chunk + CHUNK_BYTES } else { end };
        self.lowest = self.lowest.min(chunk);
        self.span = end - self.lowest;
    }

    fn place(&mut self, chunk: usize) {
        let mut slot = self.slot_of(chunk);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = chunk;
    }

    fn contains_chunk(&self, chunk: usize) -> bool {
        let mut slot = self.slot_of(chunk);
        loop {
            match self.slots[slot] {
                found if found == chunk => return true,
                0 => return false,
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// The metadata of the block that contains `word`, if `word` is an address in a block.
    #[inline]
    pub fn find_block(&self, word: usize) -> Option<*mut BlockMeta> {
        if word.wrapping_sub(self.lowest) >= self.span {
            return None;
        }
        self.find_block_in_range(word)
    }

    fn find_block_in_range(&self, word: usize) -> Option<*mut BlockMeta> {
        let chunk = chunk_base(word);
        let is_metadata = word - chunk < CHUNK_BYTES / BLOCKS_PER_CHUNK;
        (!is_metadata && self.contains_chunk(chunk)).then(|| meta_of(word))
    }

    /// The object whose cell contains `word`; interior pointers count.
    #[inline]
    pub fn find_cell(&self, word: usize) -> Option<NonNull<Header>> {
        let block = self.find_block(word)?;
        // SAFETY: the chunk is mapped and its metadata initialised, as it is in the table.
        let cell = unsafe { (*block).cell_at(word)? };
        // SAFETY: `cell_at` gives cells of formatted blocks only.
        (unsafe { header::tag(cell.as_ptr()) } != TAG_FREE).then_some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_chunks() {
        let mut table = ChunkTable::new();
        let chunk = |index: usize| (index + 100) * CHUNK_BYTES;
        for index in (0..200).step_by(2) {
            table.insert(chunk(index));
        }
        for index in 0..200 {
            assert_eq!(table.contains_chunk(chunk(index)), index % 2 == 0);
            let inside = chunk(index) + CHUNK_BYTES - 1;
            assert_eq!(table.find_block(inside).is_some(), index % 2 == 0);
            assert!(table.find_block(chunk(index)).is_none(), "metadata is no block");
        }
        assert!(table.find_block(0).is_none());
        assert!(table.find_block(usize::MAX).is_none());
    }
}
