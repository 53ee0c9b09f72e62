//! Which objects are protected: whether all stores of references into them are shown to the write barrier.

use rubellite_value::{Flag, Header, Tag, flags};

/// Which objects of a type are protected: references are only stored into them with the write barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protected {
    None,
    All,
    /// Those that have the flag, which is set before references are stored into one and never cleared.
    With(Flag),
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
    /// `cell` must be the start of a cell of a formatted block.
    #[inline(always)]
    pub(crate) unsafe fn covers(&self, cell: *const Header) -> bool {
        // SAFETY: by contract.
        let word = unsafe { (*cell).word() };
        let needed = self.needed[(word & flags::TAG_MASK) as usize];
        word & needed == needed
    }
}
