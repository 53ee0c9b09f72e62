//! The allocator of the command: heaps of their own for whoever holds the VM lock, mimalloc for the other threads and
//! for blocks of more than 128 KiB, pages of their own for what is large. A large block goes back to the system the
//! moment it is freed and grows by moving its pages and not its bytes, so that a table or string that doubles never
//! costs its old and its new size in memory.

mod holder;

use holder::{ALIGN, LONG, LONG_MAX, SHORT, SHORT_MAX};
use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::ptr;
use std::sync::OnceLock;

/// Blocks of at least this many bytes get pages of their own: faulting 1,024 pages in costs some 0.3 ms, about
/// what writing them once costs, so that the detour never dominates.
const LARGE: usize = 4 << 20;

/// Blocks of at least this many bytes get the processor's large pages (2 MiB) where the system has some to give: the
/// first touch of 24 MiB takes a quarter of the time, and whoever copies them holds the lock for so much less. What is
/// wasted is less than one such page, a quarter of the smallest of these blocks.
const HUGE: usize = 8 << 20;

/// The global allocator of the command.
pub struct Allocator;

// SAFETY: a block belongs to the page mapper by the size in its layout, and callers hand the same layout back; else to
// the holder's heap or to mimalloc by its address. All give memory that is aligned and as large as asked.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let block = allocate_held(layout);
        if !block.is_null() {
            return block;
        }
        if is_large(layout) {
            return map(layout.size());
        }
        // SAFETY: the caller's contract is passed on.
        let block = unsafe { MiMalloc.alloc(layout) };
        // SAFETY: as above.
        if block.is_null() && relieved(layout.size()) { unsafe { MiMalloc.alloc(layout) } } else { block }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let block = allocate_held(layout);
        if !block.is_null() {
            // SAFETY: a new block of at least this size.
            unsafe { ptr::write_bytes(block, 0, layout.size()) };
            return block;
        }
        if is_large(layout) {
            return map(layout.size());
        }
        // SAFETY: the caller's contract is passed on.
        let block = unsafe { MiMalloc.alloc_zeroed(layout) };
        // SAFETY: as above.
        if block.is_null() && relieved(layout.size()) { unsafe { MiMalloc.alloc_zeroed(layout) } } else { block }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_short(layout) && SHORT.has(block) {
            // SAFETY: the caller's contract is passed on; the block is that heap's.
            return unsafe { SHORT.free(block) };
        }
        if is_long(layout) && LONG.has(block) {
            // SAFETY: as above.
            return unsafe { LONG.free(block) };
        }
        if is_large(layout) {
            // SAFETY: the block came from `map` with this size and nobody uses it any more.
            unsafe { libc::munmap(block.cast(), layout.size()) };
            return;
        }
        // SAFETY: the caller's contract is passed on; the block is mimalloc's.
        unsafe { MiMalloc.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller promises that `new_size`, rounded up to the alignment, does not overflow.
        let new_layout = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        let (is_short, is_long) = (is_short(layout) && SHORT.has(block), is_long(layout) && LONG.has(block));
        if is_short || is_long {
            // SAFETY: the block is that heap's, and in use.
            let room = unsafe { if is_short { SHORT.room(block) } else { LONG.room(block) } };
            // A block stays in the heap that its new size says.
            if (room / 2..=room).contains(&new_size) && is_long == is_long_size(new_size) {
                return block;
            }
            // SAFETY: the caller's contract is passed on.
            return unsafe { self.move_to_new(block, layout, new_layout) };
        }
        match (is_large(layout), is_large(new_layout)) {
            // SAFETY: the caller's contract is passed on; the block is mimalloc's.
            (false, false) => unsafe {
                let moved = MiMalloc.realloc(block, layout, new_size);
                // The block is as it was.
                if moved.is_null() && relieved(new_size) { MiMalloc.realloc(block, layout, new_size) } else { moved }
            },
            (true, true) => {
                // SAFETY: the block came from `map` with the old size; it is given up if it moves.
                let grow = || unsafe { libc::mremap(block.cast(), layout.size(), new_size, libc::MREMAP_MAYMOVE) };
                let mut moved = grow();
                if moved == libc::MAP_FAILED && relieved(new_size) {
                    moved = grow();
                }
                if moved == libc::MAP_FAILED {
                    return ptr::null_mut();
                }
                if layout.size() < HUGE {
                    advise(moved, new_size);
                }
                moved.cast()
            }
            // SAFETY: the caller's contract is passed on.
            _ => unsafe { self.move_to_new(block, layout, new_layout) },
        }
    }
}

impl Allocator {
    /// A new block with what is in the old one, which is freed. Null: there is none, and the old one is as it was.
    ///
    /// # Safety
    /// That of `GlobalAlloc::realloc`.
    unsafe fn move_to_new(&self, block: *mut u8, layout: Layout, new_layout: Layout) -> *mut u8 {
        // SAFETY: both blocks are valid for the smaller of the two sizes and do not overlap.
        unsafe {
            let moved = self.alloc(new_layout);
            if !moved.is_null() {
                ptr::copy_nonoverlapping(block, moved, layout.size().min(new_layout.size()));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

/// A block of a holder's heap. Null: the lock is not held, or the size is none of theirs.
#[inline(always)]
fn allocate_held(layout: Layout) -> *mut u8 {
    if is_short(layout) {
        SHORT.allocate(layout.size())
    } else if is_long(layout) {
        LONG.allocate(layout.size())
    } else {
        ptr::null_mut()
    }
}

/// For the holder's heap of short blocks, if there is one and the lock is held.
#[inline(always)]
fn is_short(layout: Layout) -> bool {
    layout.size() <= SHORT_MAX && layout.align() <= ALIGN
}

/// For that of long ones.
#[inline(always)]
fn is_long(layout: Layout) -> bool {
    is_long_size(layout.size()) && layout.align() <= ALIGN
}

#[inline(always)]
fn is_long_size(bytes: usize) -> bool {
    (SHORT_MAX + 1..=LONG_MAX).contains(&bytes)
}

/// Prepares the heaps for whoever holds the first VM's lock. Called once, before there is a VM or another thread;
/// without it all threads share what is left.
pub fn prepare() {
    holder::prepare();
}

/// Pages are aligned to 4 KiB; what asks for more is left to mimalloc.
#[inline(always)]
fn is_large(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= 4096
}

#[cold]
fn map(size: usize) -> *mut u8 {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a fresh anonymous mapping; no address is asked for.
    let map =
        || unsafe { libc::mmap(ptr::null_mut(), size, protection, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) };
    let mut pages = map();
    if pages == libc::MAP_FAILED && relieved(size) {
        pages = map();
    }
    if pages == libc::MAP_FAILED {
        return ptr::null_mut();
    }
    advise(pages, size);
    pages.cast()
}

/// Asks for large pages for a mapping that is worth them. A system without them, or with none left, gives small ones.
fn advise(pages: *mut libc::c_void, size: usize) {
    if size >= HUGE {
        // SAFETY: the mapping is ours; the advice changes nothing that can be read.
        unsafe { libc::madvise(pages, size, libc::MADV_HUGEPAGE) };
    }
}

/// What is asked when the system gives no memory.
static ON_FAILURE: OnceLock<fn(usize) -> bool> = OnceLock::new();

/// From now on `relieve` is told when a request for so many bytes has failed; when it answers true, that is tried once
/// more. It must not allocate. The first one counts, for the allocator is the process's.
pub fn on_failure(relieve: fn(usize) -> bool) {
    ON_FAILURE.get_or_init(|| relieve);
}

#[cold]
#[inline(never)]
fn relieved(size: usize) -> bool {
    ON_FAILURE.get().is_some_and(|relieve| relieve(size))
}

/// Gives memory that nobody uses back to the system.
pub fn trim() {
    holder::trim();
    // SAFETY: looks at the calling thread's heap alone.
    unsafe { mi_collect(true) };
}

/// Addresses are limited from now on (RLIMIT_AS): what is set aside and not used goes back.
pub fn limited() {
    holder::give_up_addresses();
}

/// What the allocator reserves of a limited address space at a time, as a part of all of it. With the usual 1 GiB, or
/// the 128 MiB that mimalloc falls back to, there would be nothing left for stacks.
const RESERVED_PART: u64 = 8;
/// mimalloc reserves no less than this; where the part is smaller it maps what it needs.
const RESERVED_MIN: u64 = 32 << 20;
/// `mi_option_arena_reserve`; in KiB.
const ARENA_RESERVE: libc::c_int = 23;
/// `mi_option_purge_delay`; in milliseconds.
const PURGE_DELAY: libc::c_int = 15;
/// Free pages of mimalloc go back to the system after this time. Its own second leaves a server after its start with
/// what the parser and the compilers needed, some 4 MB; at 0 large blocks that come and go cost four times as much.
const PURGE_DELAY_MS: libc::c_long = 50;

unsafe extern "C" {
    fn mi_collect(force: bool);
    fn mi_option_set(option: libc::c_int, value: libc::c_long);
}

/// Runs before the first allocation.
extern "C" fn set_options() {
    // SAFETY: sets a number; nothing has been allocated yet.
    unsafe { mi_option_set(PURGE_DELAY, PURGE_DELAY_MS) };
    fit_address_space();
}

fn fit_address_space() {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the structure is ours.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) } == 0;
    if known && limit.rlim_cur != libc::RLIM_INFINITY {
        let part = limit.rlim_cur / RESERVED_PART;
        let reserved = if part < RESERVED_MIN { 0 } else { part.min(1 << 30) };
        // SAFETY: sets a number; nothing has been allocated yet.
        unsafe { mi_option_set(ARENA_RESERVE, (reserved >> 10) as libc::c_long) };
    }
}

#[used]
#[cfg(target_os = "linux")]
// SAFETY: the section holds addresses of functions that the loader calls before `main`.
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = set_options;
