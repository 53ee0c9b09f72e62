//! What the heap asks of a header: its tag, as a plain number, because the heap looks at
//! free cells too and does not care what the tags mean.

use std::ptr::NonNull;

use crate::config::Protected;
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

/// Which objects are protected, as one look at their first words tells it.
#[derive(Clone, Copy)]
pub(crate) struct Protection {
    /// By type tag: the flags that an object must have. Not even unprotected objects have all.
    needed: [u64; Tag::COUNT],
}

impl Protection {
    pub(crate) fn new(protected: &[Protected; Tag::COUNT]) -> Protection {
        let needed = protected.map(|protected| match protected {
            Protected::None => u64::MAX,
            Protected::All => 0,
            Protected::With(flag) => flag.bit(),
        });
        Protection { needed }
    }

    /// Whether stores into the object are shown to the write barrier.
    ///
    /// # Safety
    /// As for [`tag`].
    #[inline(always)]
    pub(crate) unsafe fn covers(&self, cell: *const Header) -> bool {
        // SAFETY: by contract.
        let word = unsafe { (*cell).word() };
        let needed = self.needed[(word & flags::TAG_MASK) as usize];
        word & needed == needed
    }
}
