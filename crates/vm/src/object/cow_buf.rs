//! A growable buffer of plain words or bytes with an inline form and copy-on-write sharing: the payload of
//! strings and arrays. It knows nothing of the VM.
//!
//! A buffer is in one of three states:
//! - *inline*: up to 24 bytes lie in the buffer itself;
//! - *owned*: a malloc block of its own, with `front` unused slots before the first element, so that taking elements
//!   off the front is O(1);
//! - *shared*: a window into a reference-counted block that nobody writes to while it has more than one owner. Several
//!   windows, also ones lent to threads outside the VM lock, may look at one block.
//!
//! Bytes that lie somewhere for ever are a window into a block without memory, which has more than one owner always.
//!
//! Invariant: elements outside a buffer's own window are never read through it, so a collector that traces each
//! window is exact.
//!
//! Running out of memory: `try_*` functions say so. The others unwind with [`OutOfMemory`] as payload,
//! without a message; who calls native code turns it into a NoMemoryError.

mod in_cells;

use super::ceiling::fits;
use std::alloc::{self, Layout};
use std::mem::{ManuallyDrop, MaybeUninit, size_of};
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

/// Bytes that lie in the buffer itself.
pub const INLINE_BYTES: usize = 24;

/// Windows smaller than this are copied, not shared.
const SHARE_MIN_BYTES: usize = 128;

/// Windows smaller than this are shared only when they are a good part of the block, so that a
/// short piece does not keep a huge block alive.
const SHARE_ANY_BYTES: usize = 4096;

const HEAP: usize = 1 << (usize::BITS - 1);

/// The system gave no memory, or the size is beyond what can be asked for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl OutOfMemory {
    /// Leaves the native code for good; see the module's documentation.
    #[cold]
    pub fn unwind(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }
}

/// What the library of big integers and the standard library's collections panic with when memory is short or a size is
/// beyond all memory.
const MEMORY_PANICS: [&str; 3] = ["out of memory", "try to allocate too much memory", "capacity overflow"];

/// Whether a panic says that memory is exhausted.
pub fn is_out_of_memory(payload: &(dyn std::any::Any + Send)) -> bool {
    payload.is::<OutOfMemory>() || MEMORY_PANICS.contains(&panic_text(payload))
}

/// The message of a panic.
pub fn panic_text(payload: &(dyn std::any::Any + Send)) -> &str {
    payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied()).unwrap_or("panic")
}

/// Growing by sizes that the program gives: where the system has no memory, these unwind with [`OutOfMemory`]; what
/// `Vec` does itself ends the process.
pub trait Grow<T> {
    /// Makes room for `extra` more elements if it can be had; for those that say for themselves what to do where not.
    fn try_make_room(&mut self, extra: usize) -> bool;

    /// Room for `extra` more elements.
    fn make_room(&mut self, extra: usize);

    /// `push`
    fn put_one(&mut self, item: T);

    /// `extend_from_slice`
    fn put(&mut self, items: &[T]);
}

impl<T: Copy> Grow<T> for Vec<T> {
    #[inline]
    fn try_make_room(&mut self, extra: usize) -> bool {
        self.capacity() - self.len() >= extra || make_room_slow(self, extra)
    }

    #[inline]
    fn make_room(&mut self, extra: usize) {
        if !self.try_make_room(extra) {
            OutOfMemory.unwind()
        }
    }

    #[inline]
    fn put_one(&mut self, item: T) {
        self.make_room(1);
        self.push(item);
    }

    #[inline]
    fn put(&mut self, items: &[T]) {
        self.make_room(items.len());
        self.extend_from_slice(items);
    }
}

#[cold]
#[inline(never)]
fn make_room_slow<T>(items: &mut Vec<T>, extra: usize) -> bool {
    let need = items.len().saturating_add(extra).saturating_mul(size_of::<T>());
    fits(need) && items.try_reserve(extra).is_ok()
}

/// An empty vector with room for so many elements, or unwinds with [`OutOfMemory`].
pub fn room<T>(len: usize) -> Vec<T> {
    let mut out = Vec::new();
    if !fits(len.saturating_mul(size_of::<T>())) || out.try_reserve_exact(len).is_err() {
        OutOfMemory.unwind()
    }
    out
}

/// A copy, or unwinds with [`OutOfMemory`].
pub fn copied<T: Copy>(items: &[T]) -> Vec<T> {
    let mut out = room(items.len());
    out.extend_from_slice(items);
    out
}

/// The block that shared buffers look at.
struct Block<T> {
    refs: AtomicUsize,
    base: *mut T,
    cap: usize,
}

#[derive(Copy, Clone)]
#[repr(C)]
struct Heap<T> {
    ptr: *mut T,
    /// Slots from `ptr` to the end of the block. Meaningless when shared.
    cap: usize,
    /// Owned: `front << 1 | 1`. Shared: the address of the `Block`.
    owner: usize,
}

impl<T> Heap<T> {
    #[inline(always)]
    fn block(&self) -> Option<*mut Block<T>> {
        if self.owner & 1 == 0 { Some(self.owner as *mut Block<T>) } else { None }
    }

    #[inline(always)]
    fn front(&self) -> usize {
        self.owner >> 1
    }
}

#[repr(C)]
union Rep<T: Copy> {
    inline: [MaybeUninit<u64>; INLINE_BYTES / 8],
    heap: ManuallyDrop<Heap<T>>,
}

/// A buffer that takes over a vector keeps so much unused room, however short it is.
const UNUSED_BYTES: usize = 1024;

/// The buffer. 32 bytes.
#[repr(C)]
pub struct CowBuf<T: Copy> {
    /// The length; the top bit says that `rep.heap` is valid.
    word: usize,
    rep: Rep<T>,
}

impl<T: Copy> CowBuf<T> {
    pub const INLINE: usize = INLINE_BYTES / size_of::<T>();
    /// Offsets, for compiled code: the length, whose top bit says that the elements lie where the first word of `rep`
    /// points.
    pub(crate) const WORD: usize = std::mem::offset_of!(CowBuf<T>, word);
    pub(crate) const REP: usize = std::mem::offset_of!(CowBuf<T>, rep);
    /// The owner of such elements: its lowest bit says that it is this buffer.
    pub(crate) const OWNER: usize = Self::REP + std::mem::offset_of!(Heap<T>, owner);

    pub const fn new() -> CowBuf<T> {
        CowBuf { word: 0, rep: Rep { inline: [MaybeUninit::uninit(); INLINE_BYTES / 8] } }
    }

    #[inline]
    pub fn from_slice(items: &[T]) -> CowBuf<T> {
        let mut buf = CowBuf::new();
        buf.extend(items);
        buf
    }

    /// Takes over the memory of `vec`, but for room of which more is unused than used: that goes back, so that what a
    /// program keeps of short messages is short, whatever it read them with.
    pub fn from_vec(mut vec: Vec<T>) -> CowBuf<T> {
        if vec.len() <= Self::INLINE {
            return CowBuf::from_slice(&vec);
        }
        if vec.capacity() - vec.len() > vec.len().max(UNUSED_BYTES / size_of::<T>()) {
            vec.shrink_to_fit();
        }
        let mut vec = ManuallyDrop::new(vec);
        let heap = Heap { ptr: vec.as_mut_ptr(), cap: vec.capacity(), owner: 1 };
        CowBuf { word: vec.len() | HEAP, rep: Rep { heap: ManuallyDrop::new(heap) } }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.word & !HEAP
    }

    #[inline(always)]
    fn is_heap(&self) -> bool {
        self.word & HEAP != 0
    }

    #[inline(always)]
    fn heap(&self) -> Option<Heap<T>> {
        // SAFETY: the top bit of `word` says that the heap form is valid.
        if self.is_heap() { Some(unsafe { *self.rep.heap }) } else { None }
    }

    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        self.heap().is_some_and(|heap| heap.block().is_some())
    }

    #[inline(always)]
    fn ptr(&self) -> *const T {
        match self.heap() {
            Some(heap) => heap.ptr,
            None => (&raw const self.rep).cast(),
        }
    }

    /// The same for writing; the buffer must not be shared.
    #[inline(always)]
    fn ptr_mut(&mut self) -> *mut T {
        match self.heap() {
            Some(heap) => heap.ptr,
            None => (&raw mut self.rep).cast(),
        }
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        // SAFETY: the first `len` elements at `ptr` are initialised in every state.
        unsafe { std::slice::from_raw_parts(self.ptr(), self.len()) }
    }

    /// Slots that can be used without another block. Zero when shared.
    #[inline(always)]
    pub fn capacity(&self) -> usize {
        match self.heap() {
            Some(heap) if heap.block().is_none() => heap.cap,
            Some(_) => 0,
            None => Self::INLINE,
        }
    }

    /// Bytes of malloc memory. Those who share a block have equal parts of it.
    pub fn memory_size(&self) -> usize {
        let Some(heap) = self.heap() else { return 0 };
        let Some(block) = heap.block() else {
            return (heap.front() + heap.cap) * size_of::<T>();
        };
        // SAFETY: a shared buffer holds a reference to its block.
        unsafe { (*block).cap * size_of::<T>() / (*block).refs.load(Ordering::Relaxed).max(1) }
    }

    #[inline(always)]
    fn set_len(&mut self, len: usize) {
        self.word = (self.word & HEAP) | len;
    }

    #[inline(always)]
    fn set_heap(&mut self, heap: Heap<T>, len: usize) {
        self.rep.heap = ManuallyDrop::new(heap);
        self.word = len | HEAP;
    }

    // -- room -----------------------------------------------------------------------------

    /// Makes the buffer writable and gives it room for `extra` more elements at the end.
    #[inline]
    pub fn try_reserve(&mut self, extra: usize) -> Result<(), OutOfMemory> {
        if !self.is_shared() && extra <= self.capacity() - self.len() {
            return Ok(());
        }
        self.reserve_slow(extra)
    }

    #[inline]
    pub fn reserve(&mut self, extra: usize) {
        if let Err(oom) = self.try_reserve(extra) {
            oom.unwind()
        }
    }

    #[cold]
    #[inline(never)]
    fn reserve_slow(&mut self, extra: usize) -> Result<(), OutOfMemory> {
        let len = self.len();
        let need = len.checked_add(extra).ok_or(OutOfMemory)?;
        if self.is_shared() && self.take_back() && need <= self.capacity() {
            return Ok(());
        }
        if self.is_shared() {
            let spare = if extra == 0 { 0 } else { need / 4 };
            return self.move_to_new_block(need.checked_add(spare).ok_or(OutOfMemory)?, 0);
        }
        let cap = self.capacity();
        let grown = need.max(cap + cap / 2).max(64 / size_of::<T>());
        match self.heap() {
            None => self.move_to_new_block(grown, 0),
            Some(heap) if heap.front() >= extra && heap.front() >= len / 2 => {
                self.slide_to_front(heap);
                Ok(())
            }
            Some(heap) if heap.front() == 0 => {
                let ptr = reallocate(heap.ptr, cap, grown).or_else(|_| reallocate(heap.ptr, cap, need));
                let (ptr, cap) = ptr?;
                self.set_heap(Heap { ptr, cap, owner: 1 }, len);
                Ok(())
            }
            Some(_) => self.move_to_new_block(grown, 0),
        }
    }

    /// Moves the elements of an owned buffer over the unused slots before them.
    fn slide_to_front(&mut self, heap: Heap<T>) {
        // SAFETY: `front` slots before `ptr` belong to the block.
        unsafe {
            let base = heap.ptr.sub(heap.front());
            ptr::copy(heap.ptr, base, self.len());
            self.set_heap(Heap { ptr: base, cap: heap.cap + heap.front(), owner: 1 }, self.len());
        }
    }

    /// Copies the elements to a block of their own, `front` slots behind its begin.
    fn move_to_new_block(&mut self, cap: usize, front: usize) -> Result<(), OutOfMemory> {
        let len = self.len();
        let total = cap.checked_add(front).ok_or(OutOfMemory)?;
        let base = allocate::<T>(total.max(1))?;
        // SAFETY: the block has room for `front + cap` elements and `len <= cap`.
        let ptr = unsafe { base.add(front) };
        // SAFETY: as above; the old and the new block are different.
        unsafe { ptr::copy_nonoverlapping(self.ptr(), ptr, len) };
        self.release();
        self.set_heap(Heap { ptr, cap: total.max(1) - front, owner: front << 1 | 1 }, len);
        Ok(())
    }

    /// Gives up the malloc block, if any. The caller sets the new state.
    #[inline]
    fn release(&mut self) {
        let Some(heap) = self.heap() else { return };
        match heap.block() {
            // SAFETY: the buffer owns one reference to the block and forgets it now.
            Some(block) => unsafe { release_block(block) },
            // SAFETY: an owned block begins `front` slots before `ptr` and has `front + cap` slots.
            None => unsafe { deallocate(heap.ptr.sub(heap.front()), heap.front() + heap.cap) },
        }
        self.word = 0;
    }

    /// Turns a shared buffer that is the only owner of its block into an owned one.
    fn take_back(&mut self) -> bool {
        let Some(heap) = self.heap() else { return true };
        let Some(block) = heap.block() else { return true };
        // SAFETY: the buffer holds a reference to the block.
        unsafe {
            // Acquire: reads by former owners happened before our writes.
            if (*block).refs.load(Ordering::Acquire) != 1 {
                return false;
            }
            let block = Box::from_raw(block);
            let front = heap.ptr.offset_from(block.base) as usize;
            self.set_heap(Heap { ptr: heap.ptr, cap: block.cap - front, owner: front << 1 | 1 }, self.len());
        }
        true
    }

    /// Makes the buffer writable where it is, copying it when others share it.
    #[inline]
    fn make_unique(&mut self) {
        if self.is_shared() {
            self.reserve(0);
        }
    }

    /// The elements for writing.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.make_unique();
        // SAFETY: nobody else looks at the elements of an inline or owned buffer.
        unsafe { std::slice::from_raw_parts_mut(self.ptr_mut(), self.len()) }
    }

    /// Sets one element. `index` must be less than the length.
    #[inline]
    pub fn set(&mut self, index: usize, item: T) {
        self.as_mut_slice()[index] = item;
    }

    // -- growing --------------------------------------------------------------------------

    #[inline]
    pub fn push(&mut self, item: T) {
        self.reserve(1);
        let len = self.len();
        // SAFETY: there is room for one more element.
        unsafe { self.ptr_mut().add(len).write(item) };
        self.set_len(len + 1);
    }

    #[inline]
    pub fn extend(&mut self, items: &[T]) {
        self.reserve(items.len());
        let len = self.len();
        // SAFETY: there is room; `items` is borrowed while `self` is borrowed mutably, so they are apart.
        unsafe { ptr::copy_nonoverlapping(items.as_ptr(), self.ptr_mut().add(len), items.len()) };
        self.set_len(len + items.len());
    }

    /// Appends a copy of some of the buffer's own elements.
    pub fn extend_from_within(&mut self, range: Range<usize>) {
        assert!(range.start <= range.end && range.end <= self.len());
        let (len, count) = (self.len(), range.len());
        self.reserve(count);
        let ptr = self.ptr_mut();
        // SAFETY: there is room behind the elements, and the source lies within them.
        unsafe { ptr::copy_nonoverlapping(ptr.add(range.start), ptr.add(len), count) };
        self.set_len(len + count);
    }

    /// Appends `count` copies of `item`.
    pub fn extend_fill(&mut self, count: usize, item: T) {
        self.reserve(count);
        let len = self.len();
        let ptr = self.ptr_mut();
        for i in 0..count {
            // SAFETY: there is room for `count` more elements.
            unsafe { ptr.add(len + i).write(item) };
        }
        self.set_len(len + count);
    }

    /// Puts `items` before the first element, in O(items) amortised.
    pub fn prepend(&mut self, items: &[T]) {
        let (len, count) = (self.len(), items.len());
        let unique = self.take_back();
        if unique
            && let Some(heap) = self.heap()
            && heap.front() >= count
        {
            // SAFETY: `front` slots before `ptr` belong to the block.
            let ptr = unsafe { heap.ptr.sub(count) };
            let owner = (heap.front() - count) << 1 | 1;
            self.set_heap(Heap { ptr, cap: heap.cap + count, owner }, len);
        } else if len + count <= Self::INLINE && !self.is_heap() {
            let ptr = self.ptr_mut();
            // SAFETY: the inline form has room for `len + count` elements.
            unsafe { ptr::copy(ptr, ptr.add(count), len) };
        } else {
            let room = (len + count) / 2 + 4;
            if let Err(oom) = self.move_to_new_block(len + len / 4 + 1, room + count) {
                oom.unwind()
            }
            return self.prepend(items);
        }
        // SAFETY: the `count` slots before the old elements were made free above.
        unsafe { ptr::copy_nonoverlapping(items.as_ptr(), self.ptr_mut(), count) };
        self.set_len(len + count);
    }

    /// Replaces the elements of `range` by `items`, moving the shorter side.
    pub fn splice(&mut self, range: Range<usize>, items: &[T]) {
        if items.is_empty() && range.end == self.len() {
            return self.truncate(range.start);
        }
        if items.is_empty() && range.start == 0 {
            return self.remove_front(range.end);
        }
        self.splice_hole(range.clone(), items.len());
        // SAFETY: the hole has `items.len()` slots, and `items` cannot overlap a buffer borrowed mutably.
        unsafe { ptr::copy_nonoverlapping(items.as_ptr(), self.ptr_mut().add(range.start), items.len()) };
    }

    /// Replaces the elements of `range` by `count` slots that hold copies of old elements or of nothing
    /// yet; every caller fills them at once.
    fn splice_hole(&mut self, range: Range<usize>, count: usize) {
        let len = self.len();
        assert!(range.start <= range.end && range.end <= len);
        let removed = range.len();
        if count <= removed && range.start < len - range.end {
            // Shrinking nearer to the front: move the front part up.
            self.make_unique();
            let ptr = self.ptr_mut();
            let gap = removed - count;
            // SAFETY: the front part moves up by `gap` slots, within the elements.
            unsafe { ptr::copy(ptr, ptr.add(gap), range.start) };
            self.remove_front(gap);
            return;
        }
        self.reserve(count.saturating_sub(removed));
        let ptr = self.ptr_mut();
        // SAFETY: there is room for the tail behind the hole.
        unsafe { ptr::copy(ptr.add(range.end), ptr.add(range.start + count), len - range.end) };
        self.set_len(len - removed + count);
    }

    pub fn insert(&mut self, index: usize, item: T) {
        if index == 0 { self.prepend(&[item]) } else { self.splice(index..index, &[item]) }
    }

    // -- shrinking ------------------------------------------------------------------------

    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        let last = *self.as_slice().last()?;
        self.set_len(self.len() - 1);
        Some(last)
    }

    /// Removes and gives the first element, in O(1).
    #[inline]
    pub fn shift(&mut self) -> Option<T> {
        let first = *self.as_slice().first()?;
        self.remove_front(1);
        Some(first)
    }

    pub fn remove(&mut self, index: usize) -> T {
        let item = self.as_slice()[index];
        self.splice(index..index + 1, &[]);
        item
    }

    #[inline]
    pub fn truncate(&mut self, len: usize) {
        if len < self.len() {
            self.set_len(len);
        }
    }

    /// Forgets everything and gives the block back.
    pub fn clear(&mut self) {
        self.release();
        self.word = 0;
    }

    /// Drops `count` elements at the front, in O(1) unless inline.
    #[inline]
    pub fn remove_front(&mut self, count: usize) {
        let len = self.len();
        assert!(count <= len);
        match self.heap() {
            Some(heap) => {
                // SAFETY: `count` elements from `ptr` on lie within the block.
                let ptr = unsafe { heap.ptr.add(count) };
                let owned = heap.block().is_none();
                let cap = if owned { heap.cap - count } else { 0 };
                let owner = if owned { heap.owner + (count << 1) } else { heap.owner };
                self.set_heap(Heap { ptr, cap, owner }, len - count);
            }
            None => {
                let ptr = self.ptr_mut();
                // SAFETY: both ranges lie in the inline form.
                unsafe { ptr::copy(ptr.add(count), ptr, len - count) };
                self.set_len(len - count);
            }
        }
    }

    /// Makes the buffer writable with a slot of zeros behind its elements, for code in C; the elements stay in place if
    /// there is room.
    pub fn try_terminate(&mut self) -> Result<(), OutOfMemory>
    where
        T: Default,
    {
        self.try_reserve(1)?;
        let len = self.len();
        // SAFETY: there is room for one more element.
        unsafe { self.ptr_mut().add(len).write(T::default()) };
        Ok(())
    }

    /// Sets the length to what code in C has written behind the elements; `len` is at most the capacity, and the slots
    /// up to it were written or hold what was there before.
    ///
    /// # Safety
    /// The buffer is not shared, and the slots below `len` are initialised.
    pub unsafe fn assume_len(&mut self, len: usize) {
        debug_assert!(len <= self.capacity());
        self.set_len(len);
    }

    /// Gives unused room back, when it is worth it.
    pub fn shrink(&mut self) {
        let len = self.len();
        if self.is_shared() || self.memory_size() <= (len + len / 4) * size_of::<T>() + 64 {
            return;
        }
        *self = CowBuf::from_slice(self.as_slice());
    }

    // -- sharing --------------------------------------------------------------------------

    /// A buffer with the elements of `range`: a copy when it is small, else a window into the same block.
    pub fn share(&mut self, range: Range<usize>) -> CowBuf<T> {
        let bytes = range.len() * size_of::<T>();
        let worth = bytes >= SHARE_ANY_BYTES || bytes >= self.len() * size_of::<T>() / 8;
        if bytes < SHARE_MIN_BYTES || !worth {
            return CowBuf::from_slice(&self.as_slice()[range]);
        }
        self.window(range)
    }

    /// A buffer with all elements that stays as it is even while `self` changes, and never copies more
    /// than the inline form: what may be read outside the VM lock.
    pub fn freeze(&mut self) -> CowBuf<T> {
        if self.is_heap() && self.len() > Self::INLINE {
            self.window(0..self.len())
        } else {
            CowBuf::from_slice(self.as_slice())
        }
    }

    fn window(&mut self, range: Range<usize>) -> CowBuf<T> {
        assert!(range.start <= range.end && range.end <= self.len());
        let Some(heap) = self.heap() else { return CowBuf::from_slice(&self.as_slice()[range]) };
        let block = heap.block().unwrap_or_else(|| self.publish(heap));
        // SAFETY: `self` holds a reference to the block.
        unsafe { (*block).refs.fetch_add(1, Ordering::Relaxed) };
        // SAFETY: `range` lies within the elements.
        let ptr = unsafe { heap.ptr.add(range.start) };
        let heap = Heap { ptr, cap: 0, owner: block as usize };
        CowBuf { word: range.len() | HEAP, rep: Rep { heap: ManuallyDrop::new(heap) } }
    }

    /// Makes an owned buffer a shared one with a single owner.
    fn publish(&mut self, heap: Heap<T>) -> *mut Block<T> {
        // SAFETY: an owned block begins `front` slots before `ptr`.
        let base = unsafe { heap.ptr.sub(heap.front()) };
        let block = Block { refs: AtomicUsize::new(1), base, cap: heap.front() + heap.cap };
        let block = Box::into_raw(Box::new(block));
        self.set_heap(Heap { ptr: heap.ptr, cap: 0, owner: block as usize }, self.len());
        block
    }
}

/// The block of bytes that nobody frees.
struct Everlasting(Block<u8>);

// SAFETY: the count alone changes, and is atomic; there is no memory to look at.
unsafe impl Sync for Everlasting {}

static EVERLASTING: Everlasting = Everlasting(Block { refs: AtomicUsize::new(1 << 62), base: ptr::null_mut(), cap: 0 });

impl CowBuf<u8> {
    /// A window on `len` bytes where they are.
    ///
    /// # Safety
    /// They stay there as long as any window on them, and nobody writes to them while one is read.
    pub unsafe fn of_everlasting(bytes: *const u8, len: usize) -> CowBuf<u8> {
        let block = &raw const EVERLASTING.0;
        // SAFETY: the block is a static.
        unsafe { (*block).refs.fetch_add(1, Ordering::Relaxed) };
        let heap = Heap { ptr: bytes.cast_mut(), cap: 0, owner: block as usize };
        CowBuf { word: len | HEAP, rep: Rep { heap: ManuallyDrop::new(heap) } }
    }

    pub fn is_everlasting(&self) -> bool {
        self.heap().is_some_and(|heap| heap.owner == &raw const EVERLASTING.0 as usize)
    }
}

impl<T: Copy> Default for CowBuf<T> {
    fn default() -> CowBuf<T> {
        CowBuf::new()
    }
}

impl<T: Copy> Drop for CowBuf<T> {
    #[inline]
    fn drop(&mut self) {
        self.release();
    }
}

fn layout_of<T>(cap: usize) -> Result<Layout, OutOfMemory> {
    Layout::array::<T>(cap).map_err(|_| OutOfMemory)
}

/// `cap` must not be 0.
fn allocate<T>(cap: usize) -> Result<*mut T, OutOfMemory> {
    let layout = layout_of::<T>(cap)?;
    debug_assert!(layout.size() > 0);
    if !fits(layout.size()) {
        return Err(OutOfMemory);
    }
    // SAFETY: the layout's size is not zero.
    let ptr = unsafe { alloc::alloc(layout) };
    if ptr.is_null() { Err(OutOfMemory) } else { Ok(ptr.cast()) }
}

fn reallocate<T>(ptr: *mut T, old: usize, new: usize) -> Result<(*mut T, usize), OutOfMemory> {
    let (old, new_layout) = (layout_of::<T>(old)?, layout_of::<T>(new)?);
    if !fits(new_layout.size()) {
        return Err(OutOfMemory);
    }
    // SAFETY: `ptr` was allocated with the layout `old`, and the new size is valid and not zero.
    let ptr = unsafe { alloc::realloc(ptr.cast(), old, new_layout.size()) };
    if ptr.is_null() { Err(OutOfMemory) } else { Ok((ptr.cast(), new)) }
}

/// # Safety
/// `ptr` is the begin of a block of `cap` slots that nobody uses any more.
unsafe fn deallocate<T>(ptr: *mut T, cap: usize) {
    // SAFETY: the same layout was valid when the block was allocated; passed on to the caller.
    unsafe { alloc::dealloc(ptr.cast(), Layout::from_size_align_unchecked(cap * size_of::<T>(), align_of::<T>())) };
}

/// # Safety
/// The caller owns one reference to `block` and does not use it afterwards.
unsafe fn release_block<T>(block: *mut Block<T>) {
    // SAFETY: the caller's reference keeps the block alive up to the decrement; the last one frees it.
    unsafe {
        if (*block).refs.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        fence(Ordering::Acquire);
        let block = Box::from_raw(block);
        deallocate(block.base, block.cap);
    }
}

/// Bytes that nobody changes: they may be read outside the VM lock, by any thread.
pub struct SharedBytes(CowBuf<u8>);

// SAFETY: the buffer is inline or a window into a block that is not written while this window exists, and
// its reference count is atomic.
unsafe impl Send for SharedBytes {}
// SAFETY: as above; there is no interior mutability.
unsafe impl Sync for SharedBytes {}

impl SharedBytes {
    pub(crate) fn of(buf: &mut CowBuf<u8>) -> SharedBytes {
        SharedBytes(buf.freeze())
    }

    pub fn from_vec(bytes: Vec<u8>) -> SharedBytes {
        SharedBytes::of(&mut CowBuf::from_vec(bytes))
    }

    pub fn copy_of(bytes: &[u8]) -> SharedBytes {
        SharedBytes::of(&mut CowBuf::from_slice(bytes))
    }

    /// A buffer with the same bytes that does not copy long ones.
    pub(crate) fn to_buf(&self) -> CowBuf<u8> {
        let Some(heap) = self.0.heap() else { return CowBuf::from_slice(self.0.as_slice()) };
        let Some(block) = heap.block() else { return CowBuf::from_slice(self.0.as_slice()) };
        // SAFETY: this window holds a reference to the block.
        unsafe { (*block).refs.fetch_add(1, Ordering::Relaxed) };
        CowBuf { word: self.0.word, rep: Rep { heap: ManuallyDrop::new(heap) } }
    }
}

impl Clone for SharedBytes {
    fn clone(&self) -> SharedBytes {
        SharedBytes(self.to_buf())
    }
}

impl std::ops::Deref for SharedBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.0.as_slice()
    }
}

impl std::fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SharedBytes({} bytes)", self.len())
    }
}

#[cfg(test)]
#[path = "cow_buf_tests.rs"]
mod tests;
