//! What the heap asks of a header: its tag, as a plain number, because the heap looks at
//! free cells too and does not care what the tags mean.

use std::ptr::NonNull;

use rubellite_value::{Header, Tag, Value, flags};

/// The tag of a cell that holds no object.
pub(crate) const TAG_FREE: u8 = Tag::Free as u8;
const _: () = assert!(TAG_FREE == 0 && flags::TAG_MASK + 1 == Tag::COUNT as u64);

/// The cell that `value` points to; `None` for immediates.
#[inline(always)]
pub(crate) fn heap_cell(value: Value) -> Option<NonNull<Header>> {
    if value.is_heap() { NonNull::new(value.as_ptr()) } else { None }
}

/// The tag of a cell, `TAG_FREE` if it holds no object; below `Tag::COUNT`.
///
/// # Safety
/// `cell` must be the start of a cell of a formatted block.
#[inline(always)]
pub(crate) unsafe fn tag(cell: *const Header) -> u8 {
    // SAFETY: the caller gives a cell, whose first word is always initialised.
    (unsafe { (*cell).word() } & flags::TAG_MASK) as u8
}
