//! Epochs by symbol: counters that say when caches about a name went stale.

use rubellite_value::Sym;
use std::cell::Cell;

const CHUNK: usize = 1024;

/// One counter per symbol, at an address that never changes.
#[derive(Default)]
pub struct Epochs {
    chunks: Vec<Box<[Cell<u32>]>>,
}

/// The address of one counter. It lives as long as the VM.
#[derive(Copy, Clone)]
pub struct EpochRef(*const Cell<u32>);

impl EpochRef {
    /// Where the counter lies, for compiled code.
    pub fn address(self) -> *const u32 {
        // SAFETY: see `get`.
        unsafe { (*self.0).as_ptr() }
    }

    #[inline(always)]
    pub fn get(self) -> u32 {
        // SAFETY: chunks are never freed or moved while the VM lives, and code does not outlive it.
        unsafe { (*self.0).get() }
    }
}

impl Epochs {
    #[inline]
    pub fn at(&mut self, sym: Sym) -> EpochRef {
        let (chunk, index) = (sym.0 as usize / CHUNK, sym.0 as usize % CHUNK);
        if self.chunks.len() <= chunk {
            self.grow(chunk);
        }
        EpochRef(&raw const self.chunks[chunk][index])
    }

    /// The counter of a symbol that was asked for before.
    ///
    /// # Safety
    /// `at` was called with the symbol or a later one.
    #[inline(always)]
    pub unsafe fn known(&self, sym: Sym) -> u32 {
        // SAFETY: by contract the chunk is there, and all have the same length.
        unsafe { self.chunks.get_unchecked(sym.0 as usize / CHUNK).get_unchecked(sym.0 as usize % CHUNK).get() }
    }

    #[cold]
    fn grow(&mut self, chunk: usize) {
        self.chunks.resize_with(chunk + 1, || vec![const { Cell::new(0) }; CHUNK].into_boxed_slice());
    }

    /// Makes every cache stale.
    pub fn bump_all(&mut self) {
        for cell in self.chunks.iter().flat_map(|chunk| chunk.iter()) {
            cell.set(cell.get().wrapping_add(1));
        }
    }

    pub fn bump(&mut self, sym: Sym) {
        let at = self.at(sym);
        // SAFETY: see `EpochRef::get`.
        let cell = unsafe { &*at.0 };
        cell.set(cell.get().wrapping_add(1));
    }
}
