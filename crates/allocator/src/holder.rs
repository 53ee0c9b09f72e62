//! The heaps of the VM lock's holder. One thread at a time runs Ruby code, so that one heap serves all of them, and
//! what it allocates and frees takes no atomic operation. An allocator that has a heap for each native thread gives
//! every one of sixteen threads a page in part unused for each size of block, and nearly all blocks are freed by
//! another thread than the one that allocated them, through a list with atomic operations.
//!
//! Blocks of up to 8 KiB lie in one range of addresses, which is cut into pages of 64 KiB, longer ones of up to 128
//! KiB in another, with pages of 1 MiB: two heaps that know nothing of each other. The blocks of a page have one
//! size, of 48 sizes, four to each power of two. Each size has a page in use, whose free blocks are a list, and other
//! pages that have free blocks. Who does not hold the lock allocates elsewhere; blocks of these heaps that it frees
//! go on a list of their own, which the holder takes over when a page is used up. The scheme (pages with lists of
//! their own, blocks that come back from other threads gathered apart) is that of Leijen, Zorn and de Moura,
//! "Mimalloc: Free List Sharding in Action", 2019; here the owner of all pages is whoever holds the lock.
//!
//! Invariants: a page is in use, in the list of its size ("at hand" in both cases), full, or empty; a page at hand that
//! is not in use has a free block and one that is not free; no block of a full page is free.

use rubellite_vmlock::{designate_next, holds_designated};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicPtr, AtomicUsize};

/// Short blocks are at most so large, in bytes.
pub const SHORT_MAX: usize = 8 << 10;
/// And long ones.
pub const LONG_MAX: usize = 128 << 10;
/// The alignment of all blocks, in bytes.
pub const ALIGN: usize = 16;

pub static SHORT: HoldersHeap<{ 64 << 10 }> = HoldersHeap::new();
pub static LONG: HoldersHeap<{ 1 << 20 }> = HoldersHeap::new();

/// The addresses that each heap sets aside. Only what is used takes memory.
const RANGE_BYTES: usize = 64 << 30;
/// Pages are made usable by so many bytes at a time.
const STEP_BYTES: usize = 1 << 20;
/// The sizes of blocks: the multiples of 16 up to 128 bytes, then four to each power of two.
const SIZES: usize = 48;
/// Blocks of a page that go on its list at a time: as many as lie in so many bytes.
const FRESH_BYTES: usize = 1024;
/// Empty pages keep their memory as long as they have less than this together, or are less than a quarter of all, or
/// are no more than were wanted again soon after pages had lost theirs; those have at most `WANTED_BYTES`.
const KEPT_BYTES: usize = 1 << 20;
const WANTED_BYTES: usize = 16 << 20;
/// After so many times as many pages were taken as are kept it is looked how many of these were not needed for that.
/// Between two collections about as many are taken as are kept.
const ROUNDS: usize = 4;
const SYSTEM_PAGE_BYTES: usize = 4096;

/// A free block.
struct Block {
    next: *mut Block,
}

/// The head of a page. Its blocks lie behind it.
#[repr(C, align(64))]
struct Page {
    free: *mut Block,
    /// The blocks from here on were never on the list.
    fresh: usize,
    end: usize,
    /// Blocks that are not free.
    used: u32,
    size: u8,
    at_hand: bool,
    /// In the list of the size, or of the empty pages.
    next: *mut Page,
    previous: *mut Page,
}

/// The pages of one size of blocks that have free ones.
struct AtHand {
    in_use: *mut Page,
    others: *mut Page,
}

struct Heap<const PAGE_BYTES: usize> {
    sizes: [AtHand; SIZES],
    empty: *mut Page,
    empty_count: usize,
    /// Empty pages that are kept since pages without memory were wanted.
    wanted: usize,
    /// How many pages were taken since it was looked how many are wanted, and how few were empty meanwhile.
    taken: usize,
    least_empty: usize,
    /// Empty pages whose memory was given back, but for the part with the head.
    bare: *mut Page,
    page_count: usize,
    /// Where the pages begin that were never used.
    unused: usize,
    /// Where the pages begin that are not usable yet.
    usable_end: usize,
    /// Where the range ends.
    range_end: usize,
}

/// A heap for blocks of some sizes, with pages of so many bytes, a power of two.
pub struct HoldersHeap<const PAGE_BYTES: usize> {
    heap: UnsafeCell<Heap<PAGE_BYTES>>,
    /// Where the range begins.
    base: AtomicUsize,
    /// How many bytes it has.
    span: AtomicUsize,
    /// Blocks that were freed without the lock.
    freed_outside: AtomicPtr<Block>,
}

// SAFETY: only the thread that holds the designated lock looks at what is in `heap`.
unsafe impl<const PAGE_BYTES: usize> Sync for HoldersHeap<PAGE_BYTES> {}

/// Sets the ranges aside and has the next lock that is made be the designated one. Called once, while the process has
/// one thread. Where addresses are limited and there is no such range, everything is allocated elsewhere.
pub fn prepare() {
    let is_prepared = [SHORT.prepare(), LONG.prepare()];
    if is_prepared != [false, false] {
        designate_next();
    }
}

impl<const PAGE_BYTES: usize> HoldersHeap<PAGE_BYTES> {
    const fn new() -> HoldersHeap<PAGE_BYTES> {
        HoldersHeap {
            heap: UnsafeCell::new(Heap {
                sizes: [const { AtHand { in_use: ptr::null_mut(), others: ptr::null_mut() } }; SIZES],
                empty: ptr::null_mut(),
                empty_count: 0,
                wanted: 0,
                taken: 0,
                least_empty: 0,
                bare: ptr::null_mut(),
                page_count: 0,
                unused: 0,
                usable_end: 0,
                range_end: 0,
            }),
            base: AtomicUsize::new(0),
            span: AtomicUsize::new(0),
            freed_outside: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Sets the range aside, while the process has one thread. False: there is none.
    fn prepare(&self) -> bool {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a fresh mapping; no address is asked for.
        let range = unsafe { libc::mmap(ptr::null_mut(), RANGE_BYTES + PAGE_BYTES, libc::PROT_NONE, flags, -1, 0) };
        if range == libc::MAP_FAILED {
            return false;
        }
        let base = (range as usize).next_multiple_of(PAGE_BYTES);
        // SAFETY: there is no designated lock yet, and thus nobody who uses the heap.
        let heap = unsafe { &mut *self.heap.get() };
        heap.unused = base;
        heap.usable_end = base;
        heap.range_end = base + RANGE_BYTES;
        self.base.store(base, Release);
        self.span.store(RANGE_BYTES, Release);
        true
    }

    /// Whether the block lies in this heap.
    #[inline(always)]
    pub fn has(&self, block: *mut u8) -> bool {
        (block as usize).wrapping_sub(self.base.load(Relaxed)) < self.span.load(Relaxed)
    }

    /// A block for so many bytes. Null: the calling thread does not hold the lock, or there is no room.
    #[inline(always)]
    pub fn allocate(&self, bytes: usize) -> *mut u8 {
        if !holds_designated() {
            return ptr::null_mut();
        }
        let size = size_for(bytes);
        // SAFETY: this thread holds the lock.
        unsafe {
            let page = (*self.heap.get()).sizes[size].in_use;
            if !page.is_null()
                && let block = pop(page)
                && !block.is_null()
            {
                return block;
            }
            self.allocate_slow(size)
        }
    }

    /// A block, where the list of the page in use is empty. Null: there is no room.
    ///
    /// # Safety
    /// The caller holds the lock.
    #[cold]
    #[inline(never)]
    unsafe fn allocate_slow(&self, size: usize) -> *mut u8 {
        // SAFETY: the caller's contract is passed on; pages that are at hand are usable.
        unsafe {
            self.take_freed_outside();
            let heap = &mut *self.heap.get();
            let mut page = heap.sizes[size].in_use;
            if page.is_null() || !refill(page) {
                page = heap.next_page(size);
                if page.is_null() {
                    return ptr::null_mut();
                }
                refill(page);
            }
            pop(page)
        }
    }

    /// Frees a block.
    ///
    /// # Safety
    /// The block is of this heap, and nobody uses it any more.
    #[inline(always)]
    pub unsafe fn free(&self, block: *mut u8) {
        // SAFETY: where the lock is needed this thread holds it; for the block the caller answers.
        unsafe {
            if holds_designated() {
                self.free_held(block.cast());
            } else {
                self.free_outside(block.cast());
            }
        }
    }

    /// # Safety
    /// The caller holds the lock, and nobody uses the block.
    #[inline(always)]
    unsafe fn free_held(&self, block: *mut Block) {
        // SAFETY: the caller's contract.
        unsafe {
            let page = Self::page_of(block.cast());
            if push(page, block) {
                (*self.heap.get()).freed_one(page);
            }
        }
    }

    /// # Safety
    /// Nobody uses the block.
    #[cold]
    #[inline(never)]
    unsafe fn free_outside(&self, block: *mut Block) {
        let mut first = self.freed_outside.load(Relaxed);
        loop {
            // SAFETY: the caller's contract.
            unsafe { (*block).next = first };
            match self.freed_outside.compare_exchange_weak(first, block, Release, Relaxed) {
                Ok(_) => return,
                Err(changed) => first = changed,
            }
        }
    }

    /// # Safety
    /// The caller holds the lock.
    unsafe fn take_freed_outside(&self) {
        if self.freed_outside.load(Relaxed).is_null() {
            return;
        }
        let mut block = self.freed_outside.swap(ptr::null_mut(), Acquire);
        while !block.is_null() {
            // SAFETY: blocks of this heap that nobody uses.
            unsafe {
                let next = (*block).next;
                self.free_held(block);
                block = next;
            }
        }
    }

    /// How many bytes the block has room for.
    ///
    /// # Safety
    /// The block is of this heap and in use.
    #[inline(always)]
    pub unsafe fn room(&self, block: *mut u8) -> usize {
        // SAFETY: a page does not change its size of blocks while one of them is in use.
        bytes_of(usize::from(unsafe { (*Self::page_of(block)).size }))
    }

    #[inline(always)]
    fn page_of(block: *mut u8) -> *mut Page {
        (block as usize & !(PAGE_BYTES - 1)) as *mut Page
    }

    /// See [`give_up_addresses`]. The caller holds the lock.
    fn give_up_addresses(&self) {
        // SAFETY: this thread holds the lock.
        let heap = unsafe { &mut *self.heap.get() };
        let unused = heap.range_end - heap.usable_end;
        // First of all: the system may give these addresses to others at once.
        self.span.store(heap.usable_end - self.base.load(Relaxed), SeqCst);
        if unused > 0 {
            // SAFETY: pages of the range that nobody uses, and nobody will.
            unsafe { libc::munmap(heap.usable_end as *mut _, unused) };
            heap.range_end = heap.usable_end;
        }
    }

    /// See [`trim`]. The caller holds the lock.
    fn trim(&self) {
        // SAFETY: this thread holds the lock.
        unsafe {
            self.take_freed_outside();
            let heap = &mut *self.heap.get();
            while !heap.empty.is_null() {
                let page = heap.pop_empty();
                heap.give_back(page);
            }
            heap.wanted = 0;
        }
    }
}

#[inline(always)]
fn size_for(bytes: usize) -> usize {
    let last = bytes.max(1) - 1;
    if last < 128 {
        return last / 16;
    }
    let power = last.ilog2() as usize;
    8 + (power - 7) * 4 + (last >> (power - 2) & 3)
}

fn bytes_of(size: usize) -> usize {
    if size < 8 {
        return (size + 1) * 16;
    }
    let (power, quarter) = (7 + (size - 8) / 4, (size - 8) % 4);
    (1 << power) + ((quarter + 1) << (power - 2))
}

/// Takes a block off the page's list; null if that is empty.
///
/// # Safety
/// The caller holds the lock.
#[inline(always)]
unsafe fn pop(page: *mut Page) -> *mut u8 {
    // SAFETY: what is on the list is nobody's.
    unsafe {
        let block = (*page).free;
        if !block.is_null() {
            let next = (*block).next;
            // What is allocated next is read then; most free blocks have left the cache.
            prefetch(next);
            (*page).free = next;
            (*page).used += 1;
        }
        block.cast()
    }
}

#[inline(always)]
fn prefetch(block: *mut Block) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, for any address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(block.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = block;
}

/// Puts a block on its page's list. True: the page was full, or has no blocks in use any more.
///
/// # Safety
/// The caller holds the lock, and nobody uses the block.
#[inline(always)]
unsafe fn push(page: *mut Page, block: *mut Block) -> bool {
    // SAFETY: the caller's contract.
    unsafe {
        (*block).next = (*page).free;
        (*page).free = block;
        (*page).used -= 1;
        !(*page).at_hand || (*page).used == 0
    }
}

/// All functions: the caller holds the lock.
impl<const PAGE_BYTES: usize> Heap<PAGE_BYTES> {
    /// Puts another page to use for that size; the one that was is full. Null: there is no room.
    unsafe fn next_page(&mut self, size: usize) -> *mut Page {
        // SAFETY: pages of this heap.
        unsafe {
            let full = self.sizes[size].in_use;
            if !full.is_null() {
                (*full).at_hand = false;
            }
            let mut page = self.sizes[size].others;
            if page.is_null() {
                page = self.new_page(size);
            } else {
                self.unlist(page);
            }
            if !page.is_null() {
                (*page).at_hand = true;
            }
            self.sizes[size].in_use = page;
            page
        }
    }

    /// A page without blocks in use, at hand nowhere. Null: there is no room.
    unsafe fn new_page(&mut self, size: usize) -> *mut Page {
        let mut page = self.empty;
        // SAFETY: an empty page is nobody's; one behind `unused` that is usable was nobody's yet.
        unsafe {
            if !page.is_null() {
                self.pop_empty();
                self.least_empty = self.least_empty.min(self.empty_count);
            } else if !self.bare.is_null() {
                page = self.bare;
                self.bare = (*page).next;
                self.wanted = (self.wanted + 1).min(WANTED_BYTES / PAGE_BYTES);
                self.least_empty = 0;
            } else if self.unused < self.usable_end || self.extend() {
                page = self.unused as *mut Page;
                self.unused += PAGE_BYTES;
                self.page_count += 1;
            } else {
                return ptr::null_mut();
            }
            let (fresh, end) = (page as usize + size_of::<Page>(), page as usize + PAGE_BYTES);
            let (next, previous) = (ptr::null_mut(), ptr::null_mut());
            let free = ptr::null_mut();
            page.write(Page { free, fresh, end, used: 0, size: size as u8, at_hand: false, next, previous });
        }
        self.taken += 1;
        if self.taken >= ROUNDS * self.kept() {
            self.look_what_is_wanted();
        }
        page
    }

    /// How many empty pages keep their memory.
    fn kept(&self) -> usize {
        (KEPT_BYTES / PAGE_BYTES).max(self.page_count / 4).max(self.wanted)
    }

    /// Half of the empty pages that were not taken for long are wanted no more.
    #[cold]
    fn look_what_is_wanted(&mut self) {
        self.wanted -= self.wanted.min(self.least_empty.div_ceil(2));
        (self.taken, self.least_empty) = (0, self.empty_count);
    }

    /// Makes more pages usable.
    fn extend(&mut self) -> bool {
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: pages of the range that nobody uses.
        let extended = self.range_end - self.usable_end >= STEP_BYTES
            && unsafe { libc::mprotect(self.usable_end as *mut _, STEP_BYTES, rights) } == 0;
        if extended {
            self.usable_end += STEP_BYTES;
        }
        extended
    }

    /// A block of the page was freed, and the page was full or has no blocks in use any more.
    #[cold]
    #[inline(never)]
    unsafe fn freed_one(&mut self, page: *mut Page) {
        // SAFETY: a page of this heap.
        unsafe {
            if self.sizes[usize::from((*page).size)].in_use == page {
                return;
            }
            if (*page).used > 0 {
                return self.list(page);
            }
            if (*page).at_hand {
                self.unlist(page);
            }
            if self.empty_count >= self.kept() {
                if self.empty_count > self.kept() {
                    let another = self.pop_empty();
                    self.give_back(another);
                }
                return self.give_back(page);
            }
            (*page).next = self.empty;
            self.empty = page;
            self.empty_count += 1;
        }
    }

    /// Takes the first empty page that has memory off its list; the caller has seen that there is one.
    unsafe fn pop_empty(&mut self) -> *mut Page {
        let page = self.empty;
        // SAFETY: an empty page is nobody's.
        self.empty = unsafe { (*page).next };
        self.empty_count -= 1;
        page
    }

    /// Gives the memory of an empty page, which is in no list, back to the system, but for the part with the head.
    unsafe fn give_back(&mut self, page: *mut Page) {
        let (from, bytes) = (page as usize + SYSTEM_PAGE_BYTES, PAGE_BYTES - SYSTEM_PAGE_BYTES);
        // SAFETY: nobody uses what lies in the page.
        unsafe {
            libc::madvise(from as *mut _, bytes, libc::MADV_DONTNEED);
            (*page).next = self.bare;
        }
        self.bare = page;
    }

    unsafe fn list(&mut self, page: *mut Page) {
        // SAFETY: a page of this heap that is in no list.
        unsafe {
            let first = &mut self.sizes[usize::from((*page).size)].others;
            (*page).previous = ptr::null_mut();
            (*page).next = *first;
            if !first.is_null() {
                (**first).previous = page;
            }
            *first = page;
            (*page).at_hand = true;
        }
    }

    unsafe fn unlist(&mut self, page: *mut Page) {
        // SAFETY: a page in the list of its size.
        unsafe {
            let (next, previous) = ((*page).next, (*page).previous);
            if previous.is_null() {
                self.sizes[usize::from((*page).size)].others = next;
            } else {
                (*previous).next = next;
            }
            if !next.is_null() {
                (*next).previous = previous;
            }
            (*page).at_hand = false;
        }
    }
}

/// Puts some of the page's blocks on its empty list that were never there. False: there are none.
///
/// # Safety
/// The caller holds the lock.
unsafe fn refill(page: *mut Page) -> bool {
    // SAFETY: blocks from `fresh` on are nobody's, and a page that is at hand is usable.
    unsafe {
        if !(*page).free.is_null() {
            return true;
        }
        let bytes = bytes_of(usize::from((*page).size));
        let count = (FRESH_BYTES / bytes).max(1).min(((*page).end - (*page).fresh) / bytes);
        let fresh = (*page).fresh;
        (*page).fresh = fresh + count * bytes;
        for at in (0..count).rev() {
            let block = (fresh + at * bytes) as *mut Block;
            block.write(Block { next: (*page).free });
            (*page).free = block;
        }
        count > 0
    }
}

/// Gives the addresses back that are set aside and not used: they are limited now, and what is allocated from now on
/// lies elsewhere once the pages that are there are full. Does nothing if the calling thread does not hold the lock.
pub fn give_up_addresses() {
    if holds_designated() {
        SHORT.give_up_addresses();
        LONG.give_up_addresses();
    }
}

/// Gives the memory of empty pages back to the system, if the calling thread holds the lock.
pub fn trim() {
    if holds_designated() {
        SHORT.trim();
        LONG.trim();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_room_for_what_it_is_chosen_for() {
        assert_eq!(bytes_of(SIZES - 1), LONG_MAX);
        for bytes in 0..=LONG_MAX {
            let size = size_for(bytes);
            assert!(bytes_of(size) >= bytes);
            assert!(size == 0 || bytes_of(size - 1) < bytes, "{bytes} bytes have a smaller size");
            assert_eq!(bytes_of(size) % ALIGN, 0);
        }
    }
}
