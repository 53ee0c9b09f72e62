//! The lock across fork(2): no transition is under way when the child gets its copy of the memory, and in the child
//! only the thread that called fork is left.

use crate::core::lock::VmLock;
use crate::core::thread::LockThread;
use crate::core::word;
use crate::policy::{Gathering, Turn};
use crate::sys::{self, Native, NativeThread};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};

impl VmLock {
    /// Runs `fork` (a call of fork(2)) with the lock's inside at rest, so that the child
    /// finds it whole. `survivor` is the caller, and holds the lock; the child calls
    /// `reset_after_fork` next.
    pub fn around_fork<R>(&self, survivor: &LockThread, fork: impl FnOnce() -> R) -> R {
        let _resender = self.resender.at_rest();
        let _thread = survivor.at_rest();
        let _inner = sys::lock(&self.inner);
        // A process inherits the slices of the thread that started it.
        self.forget_slices(survivor);
        fork()
    }

    /// In the child of a fork: only `survivor` exists, and holds the lock.
    pub fn reset_after_fork(&self, survivor: &LockThread) {
        let mut inner = sys::lock(&self.inner);
        let me = survivor.slot();
        inner.table.keep_only(me);
        if let Some(slot) = inner.table.get_mut(me) {
            // Its native thread has another number here.
            slot.native = Some(Native::current());
        }
        inner.timekeeper = None;
        inner.gathering = Gathering::default();
        inner.keep_holds_of(survivor);
        inner.turn = Turn { since_ns: sys::now_ns(), ..Turn::default() };
        self.watched.store(false, SeqCst);
        self.policy.reset_after_fork();
        self.resender.reset();
        survivor.interrupt.clear_lock_bits();
        let held = word::with(self.word.load(Relaxed), word::HELD, me, false);
        self.word.store(held, SeqCst);
    }
}
