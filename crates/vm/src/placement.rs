//! At which offsets within a page the context, the stacks and the frames of a thread begin: they must not hinder each
//! other in the processor.
//!
//! A load that agrees in the low twelve bits of its address with a store shortly before it is taken for a load of what
//! was stored, until the whole addresses are compared: it waits, or is done again (4K aliasing, as the processors'
//! optimization guides call it). So the context, the frames, the machine stack of the interpreter and the value stack
//! of a thread begin at different offsets within their pages:
//!
//! ```text
//! 0x000 context   0x200 frames, 28 in the first page   ..0xa20 machine stack, downwards   0xc00 values
//! ```
//!
//! It is the same for all threads and fibers: none is slower than another. With frames and values both at the beginning
//! of a page, and contexts wherever the allocator had room, a loop of block calls took 10 % longer, and 25 % in one
//! thread of ten.

use crate::ctx::Ctx;
use crate::frame::Stack;
use crate::object::ceiling;
use std::hint::black_box;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;

pub(crate) const PAGE: usize = 4096;
/// Of the first frame, in the first page of the stacks; before it there is room for a context.
pub(crate) const FRAMES_AT: usize = 0x200;
/// Of the first value, in its page.
pub(crate) const VALUES_AT: usize = 0xc00;
/// Of the machine stack where `with_placed_stack` calls its work: the interpreter's frame is to lie at 0x900 or so,
/// where it lies in a thread whose stack begins with a page.
const MACHINE_AT: Range<usize> = 0x000..0x0c0;
/// More than lead through a page.
const MOST_STEPS: u32 = 100;

const _: () = assert!(size_of::<Ctx>() <= FRAMES_AT);

/// The context of a native thread, which owns it. It lies at the head of the thread's root stacks.
pub struct OwnedCtx(NonNull<Ctx>);

impl OwnedCtx {
    /// Moves the context to the head of the root stacks that it owns.
    pub(crate) fn new(ctx: Ctx) -> OwnedCtx {
        let place = ctx.root_stack.head().cast::<Ctx>();
        // SAFETY: the head is page aligned memory for a context (asserted above) that nobody else uses.
        unsafe { place.write(ctx) };
        OwnedCtx(place)
    }

    pub(crate) fn as_ptr(&self) -> *mut Ctx {
        self.0.as_ptr()
    }

    /// Ends the context. What is left are its root stacks.
    pub(crate) fn into_stack(self) -> Stack {
        let place = ManuallyDrop::new(self).0.as_ptr();
        // SAFETY: the context is used here for the last time. Its stacks, in which it lies, are taken out first, and so
        // live on.
        unsafe {
            let stack = ManuallyDrop::take(&mut (*place).root_stack);
            ceiling::replace((*place).outer_ceiling);
            place.drop_in_place();
            stack
        }
    }
}

impl Drop for OwnedCtx {
    fn drop(&mut self) {
        drop(OwnedCtx(self.0).into_stack());
    }
}

impl Deref for OwnedCtx {
    type Target = Ctx;

    fn deref(&self) -> &Ctx {
        // SAFETY: a context lives as long as its owner.
        unsafe { self.0.as_ref() }
    }
}

impl DerefMut for OwnedCtx {
    fn deref_mut(&mut self) -> &mut Ctx {
        // SAFETY: as above; nobody else has it.
        unsafe { self.0.as_mut() }
    }
}

/// Calls `work` with the machine stack at the offset within a page that suits the rest: a process's first stack begins
/// anywhere.
pub fn with_placed_stack<R>(work: impl FnOnce() -> R) -> R {
    step(Box::new(work), MOST_STEPS)
}

/// Uses a part of the stack that is much shorter than the wanted range.
#[inline(never)]
fn step<R>(work: Box<dyn FnOnce() -> R + '_>, left: u32) -> R {
    let here = [0_u8; 32];
    let at = black_box(&here).as_ptr() as usize % PAGE;
    let result = if left == 0 || MACHINE_AT.contains(&at) { work() } else { step(work, left - 1) };
    // Here is needed until then: the steps do not become one.
    black_box(&here);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stack_is_placed_wherever_it_begins() {
        fn here() -> usize {
            let local = [0_u8; 16];
            black_box(&local).as_ptr() as usize % PAGE
        }
        #[inline(never)]
        fn at_depth(depth: u32) -> usize {
            let local = [0_u8; 48];
            let at = if depth > 0 { at_depth(depth - 1) } else { with_placed_stack(here) };
            black_box(&local);
            at
        }
        for depth in 0..100 {
            let at = at_depth(depth);
            assert!((MACHINE_AT.end + PAGE - at) % PAGE < MACHINE_AT.len() + 0x200, "{depth}: {at:x}");
        }
    }
}
