//! The designated lock of the process. "Does the calling native thread hold it?" takes a few instructions and needs no
//! `LockThread`. An allocator asks this, which lies below everything else and keeps memory for the lock's holder.

use crate::core::lock::VmLock;
use crate::core::word;
use crate::sys::AtomicU64;
use std::cell::Cell;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicPtr};

/// The next lock that is made becomes the designated one.
static WANTED: AtomicBool = AtomicBool::new(false);
/// The word of the designated lock, which is never freed.
static WORD: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());

thread_local! {
    /// `word::holder` of the word while the thread that is bound to this native thread holds the lock; 0 when none is.
    static HELD: Cell<u64> = const { Cell::new(0) };
}

/// The next lock that this process makes is the designated one, for good. To be called once.
pub fn designate_next() {
    debug_assert!(WORD.load(Relaxed).is_null(), "a second designated lock");
    WANTED.store(true, Release);
}

/// Whether this native thread holds the designated lock and has begun its turn: then nobody else does before this
/// thread gives it up.
#[inline(always)]
pub fn holds_designated() -> bool {
    let held = HELD.get();
    // SAFETY: a thread was bound to the designated lock, so that there is one, and its word is never freed.
    held != 0 && word::holder(unsafe { &*WORD.load(Relaxed) }.load(Relaxed)) == held
}

/// A lock was made.
pub(crate) fn made(lock: &Arc<VmLock>) {
    if WANTED.load(Relaxed) && WANTED.swap(false, AcqRel) {
        std::mem::forget(Arc::clone(lock));
        WORD.store((&raw const *lock.word).cast_mut(), Release);
    }
}

/// A thread with that slot is bound to the calling native thread.
pub(crate) fn bound(lock: &VmLock, slot: u32) {
    if is_designated(lock) {
        HELD.set(word::held_by(slot));
    }
}

/// The thread with that slot, which others may get now, is no longer bound to a native thread. If it was to this one,
/// nothing may be left of it.
pub(crate) fn unbound(lock: &VmLock, slot: u32) {
    if is_designated(lock) && HELD.get() == word::held_by(slot) {
        HELD.set(0);
    }
}

fn is_designated(lock: &VmLock) -> bool {
    ptr::eq(WORD.load(Acquire), &*lock.word)
}
