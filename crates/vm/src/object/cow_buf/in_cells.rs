//! Buffers that are written into the cell of a new object, where it lies, instead of being built elsewhere and copied.

use super::{CowBuf, INLINE_BYTES};
use std::mem::{MaybeUninit, size_of};
use std::ptr;

impl<T: Copy> CowBuf<T> {
    /// Whether all elements lie in the buffer itself.
    #[inline(always)]
    pub(crate) fn is_inline(&self) -> bool {
        !self.is_heap()
    }

    /// Writes the buffer to memory, word by word: a processor waits where it reads at once what it has just written in
    /// smaller pieces, as copies of whole buffers do.
    ///
    /// # Safety
    /// The buffer is inline, or is not used any more; `to` is memory for one.
    #[inline(always)]
    pub(crate) unsafe fn write_to(&self, to: *mut CowBuf<T>) {
        let from: *const MaybeUninit<u64> = (&raw const *self).cast();
        for i in 0..size_of::<CowBuf<T>>() / 8 {
            // SAFETY: both are buffers; a word of one may have no value.
            unsafe { to.cast::<MaybeUninit<u64>>().add(i).write_volatile(*from.add(i)) };
        }
    }

    /// Writes an inline buffer with these elements to memory.
    ///
    /// # Safety
    /// As many as fit; `to` is memory for a buffer.
    #[inline(always)]
    pub(crate) unsafe fn write_inline(to: *mut CowBuf<T>, items: &[T]) {
        debug_assert!(items.len() <= Self::INLINE);
        // SAFETY: by contract; the elements lie elsewhere.
        unsafe {
            (&raw mut (*to).word).write(items.len());
            ptr::copy_nonoverlapping(items.as_ptr(), (&raw mut (*to).rep).cast(), items.len());
        }
    }

    /// Writes an inline buffer with the first `len` of these elements, one word each, to memory.
    ///
    /// # Safety
    /// `to` is memory for a buffer.
    #[inline(always)]
    pub(crate) unsafe fn write_words<const N: usize>(to: *mut CowBuf<T>, items: [T; N], len: usize) {
        const { assert!(size_of::<T>() == 8 && N == INLINE_BYTES / 8) };
        // SAFETY: by contract.
        unsafe {
            (&raw mut (*to).word).write(len);
            for (i, item) in items.into_iter().enumerate() {
                (&raw mut (*to).rep).cast::<T>().add(i).write_volatile(item);
            }
        }
    }
}
