//! The interrupt word: every reason for a thread to stop at its next safepoint,
//! in one word that costs one relaxed load to poll. What the reasons mean lies
//! with their owners: the three lowest bits are the lock's, `EMBEDDER` is the
//! interpreter's.

use crate::sys::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, SeqCst};

/// One atomic word per thread. Non-zero means: call `LockThread::safepoint_slow`.
#[repr(transparent)]
pub struct InterruptWord(AtomicU32);

impl InterruptWord {
    /// The slice is over: give way to the next waiter. The lock's own bit.
    pub const PREEMPT: u32 = 1;
    /// A thread with priority waits. The lock's own bit.
    pub const PRIORITY: u32 = 2;
    /// A thread that its holder woke waits in its sleep: it is to be deferred soon. The lock's own bit.
    pub const TIMEKEEPER: u32 = 4;
    /// The holder was asked to give way.
    pub(crate) const ASKED: u32 = Self::PREEMPT | Self::PRIORITY;
    pub(crate) const LOCK: u32 = Self::ASKED | Self::TIMEKEEPER;
    /// The bits that the embedder may use as it likes.
    pub const EMBEDDER: u32 = 0xffff_0000;

    pub(crate) fn new() -> Self {
        InterruptWord(AtomicU32::new(0))
    }

    /// Is there any reason to stop? The poll of a safepoint.
    #[inline(always)]
    pub fn pending(&self) -> bool {
        self.0.load(Relaxed) != 0
    }

    /// All bits, the lock's included.
    #[inline]
    pub fn bits(&self) -> u32 {
        self.0.load(SeqCst)
    }

    /// Sets bits of the embedder without waking the thread. See
    /// `LockThread::interrupt` for the one that wakes.
    #[inline]
    pub fn set(&self, bits: u32) {
        debug_assert_eq!(bits & !Self::EMBEDDER, 0, "bits of the lock");
        self.raise(bits & Self::EMBEDDER);
    }

    /// Clears bits of the embedder and returns those of them that were set.
    #[inline]
    pub fn take(&self, bits: u32) -> u32 {
        let bits = bits & Self::EMBEDDER;
        self.0.fetch_and(!bits, SeqCst) & bits
    }

    /// The raw word, for an interpreter or generated code that polls it in place.
    /// Valid as long as the `LockThread`.
    #[inline]
    pub fn as_ptr(&self) -> *const u32 {
        (&raw const self.0).cast()
    }

    pub(crate) fn raise(&self, bits: u32) {
        self.0.fetch_or(bits, SeqCst);
    }

    pub(crate) fn clear_lock_bits(&self) {
        if self.0.load(Acquire) & Self::LOCK != 0 {
            self.0.fetch_and(!Self::LOCK, SeqCst);
        }
    }
}
