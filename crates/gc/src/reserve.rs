//! Address space that is kept for the moment when the system gives no more (RLIMIT_AS, `ulimit -v`). The limit is the
//! process's, and so is this.
//!
//! States and transitions: *held* -`spend`-> *spent* -`restore`-> *held*. An allocation that fails spends it and is
//! tried again, so that what grows little by little in the runtime, in places that cannot say that memory is short,
//! goes on; the heap then gives no more cells without its owner, who collects and calls `restore`. Where there is no
//! room for the reserve even then, the program is told (NoMemoryError) while there is memory for that. `settle` ends
//! the state *spent* without the reserve: the next failure finds none.
//!
//! It holds no memory: its pages cannot be touched. Without a limit there is none, for the system then never refuses
//! what is small. Rejected: making every growth fallible. The places are too many, and those in crates are not ours;
//! large requests are fallible where they are made, and do not spend what cannot serve them.

use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};

/// Of the limit so large a part is kept.
const PART: usize = 12;
/// And no more than this.
const MOST: usize = 1 << 30;
/// Below this it would serve nobody.
const LEAST: usize = 4 << 20;

static PAGES: AtomicPtr<libc::c_void> = AtomicPtr::new(ptr::null_mut());
static BYTES: AtomicUsize = AtomicUsize::new(0);
static SPENT: AtomicBool = AtomicBool::new(false);
/// What gives memory that the allocator keeps back to the system.
static TRIM: OnceLock<fn()> = OnceLock::new();

/// Keeps a part of `limit` bytes of address space, if nothing is kept yet. `trim` gives memory that the allocator has
/// kept back to the system.
pub fn hold(limit: usize, trim: Option<fn()>) {
    if let Some(trim) = trim {
        TRIM.get_or_init(|| trim);
    }
    let bytes = (limit / PART).min(MOST) & !4095;
    if limit != usize::MAX && bytes >= LEAST && BYTES.swap(bytes, SeqCst) == 0 {
        map(bytes);
    }
}

/// Has the allocator give the memory back to the system that it keeps for the calling thread.
pub fn trim() {
    if let Some(trim) = TRIM.get() {
        trim();
    }
}

/// True: the reserve is held.
fn map(bytes: usize) -> bool {
    // SAFETY: a fresh mapping at an address of the system's choice, which nobody may touch.
    let pages = unsafe {
        libc::mmap(
            ptr::null_mut(),
            bytes,
            libc::PROT_NONE,
            libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if pages == libc::MAP_FAILED {
        return false;
    }
    if PAGES.compare_exchange(ptr::null_mut(), pages, SeqCst, SeqCst).is_err() {
        // SAFETY: the mapping just made; another thread was faster.
        unsafe { libc::munmap(pages, bytes) };
    }
    true
}

/// A request for so many bytes has failed. True: it may succeed now.
#[cold]
#[inline(never)]
pub fn spend(bytes: usize) -> bool {
    let kept = BYTES.load(SeqCst);
    if kept == 0 || bytes > kept - kept / 8 {
        return false;
    }
    let pages = PAGES.swap(ptr::null_mut(), SeqCst);
    if !pages.is_null() {
        SPENT.store(true, SeqCst);
        // SAFETY: the mapping of `hold` or `restore`, which nobody else has taken.
        unsafe { libc::munmap(pages, kept) };
    }
    // Somebody else may have spent it just now.
    !pages.is_null() || SPENT.load(SeqCst)
}

/// Whether it was spent, and nobody has looked after that yet.
#[inline]
pub fn is_spent() -> bool {
    SPENT.load(Relaxed)
}

/// Takes the reserve back where there is room for it. Call it after a collection. True: it is held, or there is to be
/// none.
pub fn restore() -> bool {
    let bytes = BYTES.load(SeqCst);
    if bytes == 0 || !PAGES.load(SeqCst).is_null() {
        return true;
    }
    trim();
    map(bytes)
}

/// The owner of the heap has seen that the reserve was spent.
pub fn settle() {
    SPENT.store(false, SeqCst);
}
