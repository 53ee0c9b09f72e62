//! The most that one allocation of program-sized data may ask for: the memory limit of the VM in which the native
//! thread is.
//!
//! The heap's own count (`Ctx::memory_exceeded`) is looked at when memory has been taken. A single request beyond the
//! limit must be refused before: `[0] * 2**28` under a limit of 64 MiB. Buffers grow in places that know no context, so
//! the ceiling belongs to the native thread; it is there only while the thread is inside a VM that has a limit.

use std::cell::Cell;

/// Requests below this are not looked at: what they add up to is the heap's to count.
const ASKED_FROM: usize = 1 << 20;

thread_local! {
    static CEILING: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Whether so many bytes may be asked for at once.
#[inline(always)]
pub fn fits(bytes: usize) -> bool {
    bytes < ASKED_FROM || below_ceiling(bytes)
}

#[cold]
#[inline(never)]
fn below_ceiling(bytes: usize) -> bool {
    CEILING.get() >= bytes
}

/// Sets the ceiling of this native thread and returns the one before.
pub(crate) fn replace(bytes: usize) -> usize {
    CEILING.replace(bytes)
}

/// `work` for another native thread, under the ceiling of this one.
pub fn under_this_ceiling<R>(work: impl FnOnce() -> R) -> impl FnOnce() -> R {
    let ceiling = CEILING.get();
    move || {
        let before = replace(ceiling);
        let result = work();
        replace(before);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::{fits, replace};

    #[test]
    fn small_requests_always_fit_and_large_ones_below_the_ceiling() {
        assert!(fits(usize::MAX), "no ceiling");
        let before = replace(2 << 20);
        assert!(fits(2 << 20) && !fits((2 << 20) + 1));
        assert_eq!(replace(0), 2 << 20);
        assert!(fits((1 << 20) - 1), "not looked at");
        replace(before);
    }
}
