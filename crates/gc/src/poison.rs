//! Making uses of freed cells show. In debug builds and stress mode a freed cell is filled
//! with a pattern; with the `asan` feature AddressSanitizer is told which cells are free
//! and reports every access to one. The first two words of a cell, its header, are always
//! accessible: the heap reads tags of free cells and keeps its runs there.

/// What freed cells are filled with behind the header.
const PATTERN: u8 = 0xdb;
const HEADER_BYTES: usize = 16;

/// Fills a cell that was just freed.
///
/// # Safety
/// `cell` must be a free cell of `cell_bytes`, not yet forbidden.
pub(crate) unsafe fn fill(cell: *mut u8, cell_bytes: usize) {
    // SAFETY: the range is the cell's.
    unsafe { cell.add(HEADER_BYTES).write_bytes(PATTERN, cell_bytes - HEADER_BYTES) };
}

#[cfg(feature = "asan")]
unsafe extern "C" {
    fn __asan_poison_memory_region(start: *const u8, bytes: usize);
    fn __asan_unpoison_memory_region(start: *const u8, bytes: usize);
}

/// From here on the cell is free and must not be accessed.
#[inline(always)]
pub(crate) fn forbid(cell: *const u8, cell_bytes: usize) {
    #[cfg(feature = "asan")]
    // SAFETY: changes only the sanitizer's idea of memory that is the heap's.
    unsafe {
        __asan_poison_memory_region(cell.wrapping_add(HEADER_BYTES), cell_bytes - HEADER_BYTES);
    }
    #[cfg(not(feature = "asan"))]
    let _ = (cell, cell_bytes);
}

/// From here on the memory may be accessed.
#[inline(always)]
pub(crate) fn allow(start: *const u8, bytes: usize) {
    #[cfg(feature = "asan")]
    // SAFETY: as in `forbid`.
    unsafe {
        __asan_unpoison_memory_region(start, bytes);
    }
    #[cfg(not(feature = "asan"))]
    let _ = (start, bytes);
}
