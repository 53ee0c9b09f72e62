//! A cell for shared VM state that only the holder of the VM lock opens.

use std::cell::UnsafeCell;

/// State that is guarded by the VM lock.
///
/// Access goes through short borrows that never span a point where Ruby code may run, a
/// collection may start or the lock may be left; the accessors are `unsafe` to make each such place argue it.
pub struct VmCell<T>(UnsafeCell<T>);

impl<T> VmCell<T> {
    pub const fn new(value: T) -> VmCell<T> {
        VmCell(UnsafeCell::new(value))
    }

    /// # Safety
    /// The VM lock is held, and no `get_mut` borrow of the same cell is alive.
    #[inline(always)]
    pub unsafe fn get(&self) -> &T {
        // SAFETY: passed on to the caller.
        unsafe { &*self.0.get() }
    }

    /// # Safety
    /// The VM lock is held, and no other borrow of the same cell is alive.
    #[allow(clippy::mut_from_ref)]
    #[inline(always)]
    pub unsafe fn get_mut(&self) -> &mut T {
        // SAFETY: passed on to the caller.
        unsafe { &mut *self.0.get() }
    }
}
