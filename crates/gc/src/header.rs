//! What the heap needs to know of `rubellite-value`: where the tag of a header is and
//! whether a value points to a cell. Everything else about values lives there.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A Ruby value: one word.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Value(pub u64);

/// The first two words of every object.
#[repr(C)]
pub struct Header {
    pub flags: AtomicU64,
    pub klass: AtomicU64,
}

/// The bits of `Header::flags` that hold the type tag.
pub const TAG_MASK: u64 = 0x1f;
/// The tag of a free cell.
pub const TAG_FREE: u8 = 0;
/// How many tags there can be.
pub const TAG_COUNT: usize = 32;

/// The words of a value.
#[inline(always)]
pub(crate) fn bits(value: Value) -> u64 {
    // SAFETY: `Value` is `repr(transparent)` over one 64-bit word.
    unsafe { std::mem::transmute::<Value, u64>(value) }
}

/// The cell that `value` points to; `None` for immediates.
#[inline(always)]
pub(crate) fn heap_cell(value: Value) -> Option<NonNull<Header>> {
    let word = bits(value);
    if word & 7 != 0 || word < 4096 {
        return None;
    }
    NonNull::new(word as usize as *mut Header)
}

/// The type tag of a cell, `TAG_FREE` if it holds no object.
///
/// # Safety
/// `cell` must be the start of a cell of a formatted block.
#[inline(always)]
pub(crate) unsafe fn tag(cell: *const Header) -> u8 {
    // SAFETY: the caller gives a cell, whose first word is always initialised.
    (unsafe { (*cell).flags.load(Relaxed) } & TAG_MASK) as u8
}
