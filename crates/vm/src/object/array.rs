//! Array: layout and primitive operations. The methods are `corelib`'s; the buffer is `cow_buf.rs`.
//!
//! Nothing here checks for frozen arrays or for indices beyond [`Array::MAX_LEN`]: callers do, because they know
//! the message. No slice is held across anything that may run Ruby: `slice` borrows the `Ctx`.
//!
//! An array whose class word is 0 is hidden from Ruby; [`TempArray`] is such an array.

use super::cow_buf::{CowBuf, OutOfMemory};
use super::handle::{handle, layout};
use crate::ctx::{Ctx, header};
use rubellite_gc::SizeClass;
use rubellite_value::{Header, Tag, Value};
use std::cell::UnsafeCell;
use std::ops::Range;

/// The cell of an array. 48 bytes.
#[repr(C)]
pub struct RArray {
    header: Header,
    buf: UnsafeCell<CowBuf<Value>>,
}

layout!(RArray, Tag::Array);

handle! {
    /// An Array.
    Array "Array": RArray, Tag::Array
}

impl RArray {
    /// Where the buffer lies in the cell, for compiled code.
    pub(crate) const BUFFER: usize = std::mem::offset_of!(RArray, buf);

    /// The elements, for the collector.
    pub(crate) fn elements(&self) -> &[Value] {
        // SAFETY: the collector runs while nobody changes objects.
        unsafe { &*self.buf.get() }.as_slice()
    }

    /// Shows every element to the collector.
    pub(crate) fn trace<F: FnMut(Value)>(&self, visit: F) {
        self.elements().iter().copied().for_each(visit);
    }

    pub(crate) fn memory_size(&self) -> usize {
        // SAFETY: the borrow ends here, and the VM lock is held.
        unsafe { &*self.buf.get() }.memory_size()
    }
}

/// The position that a Ruby index means in an array of `len` elements; negative ones count from the end.
#[inline]
pub fn normalize_index(index: i64, len: usize) -> Option<usize> {
    if index >= 0 {
        return Some(index as usize).filter(|i| *i < len);
    }
    len.checked_sub(index.unsigned_abs() as usize)
}

impl Array {
    /// The largest length an array may have; a larger index is refused by the caller ("index ... too big").
    pub const MAX_LEN: usize = isize::MAX as usize / 8;

    // -- making ---------------------------------------------------------------------------

    /// A new empty array.
    #[inline]
    pub fn new(ctx: &mut Ctx) -> Array {
        let klass = ctx.classes().array.get();
        Array::new_in(ctx, klass)
    }

    /// A new empty array of class `klass` (0: hidden from Ruby).
    #[inline]
    pub fn new_in(ctx: &mut Ctx, klass: Value) -> Array {
        let cell = RArray { header: header(Tag::Array, klass), buf: UnsafeCell::new(CowBuf::new()) };
        Array(ctx.alloc(cell))
    }

    /// A new empty array with room for `cap` elements.
    pub fn with_capacity(ctx: &mut Ctx, cap: usize) -> Array {
        let ary = Array::new(ctx);
        ary.edit(ctx, |buf| buf.reserve(cap));
        ary
    }

    /// A new array of `items`, which must be on a stack that the collector scans.
    #[inline]
    pub fn from_slice(ctx: &mut Ctx, items: &[Value]) -> Array {
        let klass = ctx.classes().array.get();
        Array::from_slice_in(ctx, klass, items)
    }

    /// The same in class `klass`.
    pub fn from_slice_in(ctx: &mut Ctx, klass: Value, items: &[Value]) -> Array {
        if items.len() <= CowBuf::<Value>::INLINE {
            return Array::short(ctx, klass, items);
        }
        // The cell comes first: a malloc buffer is not scanned while the cell is allocated.
        let ary = Array::new_in(ctx, klass);
        ary.edit(ctx, |buf| buf.extend(items));
        ary
    }

    /// A new array of as few elements as lie in the cell.
    #[inline(always)]
    fn short(ctx: &mut Ctx, klass: Value, items: &[Value]) -> Array {
        // They lie in registers or on the machine stack until the cell is there, and then word by word in it: what is
        // written in small pieces and read at once in larger ones is waited for.
        let mut words = [Value::NIL; CowBuf::<Value>::INLINE];
        for (word, item) in words.iter_mut().zip(items) {
            // SAFETY: an element of the slice.
            *word = unsafe { (&raw const *item).read_volatile() };
        }
        let len = items.len();
        Array(ctx.alloc_bytes(const { SizeClass::of::<RArray>() }, |cell| {
            let cell = cell.cast::<RArray>();
            // SAFETY: the cell is fresh and has room for an array.
            unsafe {
                (&raw mut (*cell).header).write(header(Tag::Array, klass));
                CowBuf::write_words(UnsafeCell::raw_get(&raw const (*cell).buf), words, len);
            }
        }))
    }

    /// A new array of `len` times `item`.
    pub fn filled(ctx: &mut Ctx, len: usize, item: Value) -> Result<Array, OutOfMemory> {
        let ary = Array::new(ctx);
        ary.try_reserve(ctx, len)?;
        ary.edit(ctx, |buf| buf.extend_fill(len, item));
        Ok(ary)
    }

    /// A new array with the same elements, sharing a long buffer.
    pub fn dup(self, ctx: &mut Ctx) -> Array {
        self.subseq(ctx, 0, self.len())
    }

    /// A new array with the `len` elements from `start` on, which must exist; long ones are shared.
    pub fn subseq(self, ctx: &mut Ctx, start: usize, len: usize) -> Array {
        let klass = ctx.classes().array.get();
        self.subseq_in(ctx, klass, start, len)
    }

    /// The same in class `klass`.
    pub fn subseq_in(self, ctx: &mut Ctx, klass: Value, start: usize, len: usize) -> Array {
        if len <= CowBuf::<Value>::INLINE {
            let items: *const [Value] = &raw const self.slice(ctx)[start..start + len];
            // SAFETY: read before anything else is done, see `short`.
            let items = unsafe { &*items };
            return Array::short(ctx, klass, items);
        }
        let copy = Array::new_in(ctx, klass);
        let part = self.edit_sharing(ctx, |buf| buf.share(start..start + len));
        copy.edit(ctx, |buf| *buf = part);
        copy
    }

    // -- reading --------------------------------------------------------------------------

    /// The elements. The slice must not be held across anything that takes `&mut Ctx`.
    #[inline(always)]
    pub fn slice(self, _ctx: &Ctx) -> &[Value] {
        // SAFETY: writers take `&mut Ctx`, which the borrow of `ctx` excludes.
        unsafe { &*self.raw().buf.get() }.as_slice()
    }

    #[inline(always)]
    pub fn len(self) -> usize {
        // SAFETY: the borrow ends here, and nobody else runs while we hold the VM lock.
        unsafe { &*self.raw().buf.get() }.len()
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The element at a position.
    #[inline(always)]
    pub fn get(self, index: usize) -> Option<Value> {
        // SAFETY: the borrow ends here, and nobody else runs while we hold the VM lock.
        unsafe { &*self.raw().buf.get() }.as_slice().get(index).copied()
    }

    /// The element that a Ruby index means; negative ones count from the end.
    #[inline(always)]
    pub fn at(self, index: i64) -> Option<Value> {
        self.get(normalize_index(index, self.len())?)
    }

    #[inline]
    pub fn first(self) -> Option<Value> {
        self.get(0)
    }

    #[inline]
    pub fn last(self) -> Option<Value> {
        self.at(-1)
    }

    /// Whether one of the elements is this very word.
    pub fn contains_identical(self, ctx: &Ctx, item: Value) -> bool {
        self.slice(ctx).contains(&item)
    }

    // -- writing --------------------------------------------------------------------------

    /// Runs `f` on the buffer. `f` neither allocates cells nor runs Ruby: it has no `Ctx`.
    #[inline(always)]
    fn edit<R>(self, ctx: &mut Ctx, f: impl FnOnce(&mut CowBuf<Value>) -> R) -> R {
        // SAFETY: `&mut Ctx` excludes every slice that was lent, and `f` cannot reach the array.
        let buf = unsafe { &mut *self.raw().buf.get() };
        let before = buf.capacity();
        let result = f(buf);
        let after = buf.capacity();
        if after != before {
            ctx.note_malloc((after as isize - before as isize) * 8);
        }
        result
    }

    /// `edit` for what makes this array share its buffer with others. The memory stays taken until all of them are
    /// gone.
    fn edit_sharing<R>(self, ctx: &mut Ctx, f: impl FnOnce(&mut CowBuf<Value>) -> R) -> R {
        // SAFETY: as in `edit`.
        let buf = unsafe { &mut *self.raw().buf.get() };
        let before = buf.capacity();
        let result = f(buf);
        ctx.note_shared(before.saturating_sub(buf.capacity()) * size_of::<Value>(), false);
        result
    }

    /// Tells the collector about elements that were stored in bulk.
    #[inline]
    fn stored(self, ctx: &Ctx, items: &[Value]) {
        for &item in items {
            ctx.write_barrier(self.0, item);
        }
    }

    /// Makes room for `extra` more elements; for sizes that the program chose.
    pub fn try_reserve(self, ctx: &mut Ctx, extra: usize) -> Result<(), OutOfMemory> {
        if self.len().saturating_add(extra) > Array::MAX_LEN {
            return Err(OutOfMemory);
        }
        self.edit(ctx, |buf| buf.try_reserve(extra))
    }

    #[inline]
    pub fn push(self, ctx: &mut Ctx, item: Value) {
        self.edit(ctx, |buf| buf.push(item));
        ctx.write_barrier(self.0, item);
    }

    #[inline]
    pub fn pop(self, ctx: &mut Ctx) -> Option<Value> {
        self.edit(ctx, |buf| buf.pop())
    }

    #[inline]
    pub fn shift(self, ctx: &mut Ctx) -> Option<Value> {
        ctx.will_reorder(self.0);
        self.edit(ctx, |buf| buf.shift())
    }

    pub fn unshift(self, ctx: &mut Ctx, item: Value) {
        self.edit(ctx, |buf| buf.prepend(&[item]));
        ctx.write_barrier(self.0, item);
    }

    /// Stores at a position; a gap behind the end is filled with nil.
    #[inline]
    pub fn set(self, ctx: &mut Ctx, index: usize, item: Value) {
        self.edit(ctx, |buf| {
            let len = buf.len();
            if index < len {
                return buf.set(index, item);
            }
            buf.extend_fill(index - len, Value::NIL);
            buf.push(item);
        });
        ctx.write_barrier(self.0, item);
    }

    /// Inserts before a position; a gap behind the end is filled with nil.
    pub fn insert(self, ctx: &mut Ctx, index: usize, item: Value) {
        ctx.will_reorder(self.0);
        if index >= self.len() {
            return self.set(ctx, index, item);
        }
        self.edit(ctx, |buf| buf.insert(index, item));
        ctx.write_barrier(self.0, item);
    }

    pub fn delete_at(self, ctx: &mut Ctx, index: usize) -> Option<Value> {
        ctx.will_reorder(self.0);
        self.edit(ctx, |buf| if index < buf.len() { Some(buf.remove(index)) } else { None })
    }

    /// Appends `items`, which lie on a stack.
    pub fn extend(self, ctx: &mut Ctx, items: &[Value]) {
        self.edit(ctx, |buf| buf.extend(items));
        self.stored(ctx, items);
    }

    /// Replaces the elements of `range` (within the length, or behind it: then the gap becomes nil) by
    /// `items`, which lie on a stack.
    pub fn splice(self, ctx: &mut Ctx, range: Range<usize>, items: &[Value]) {
        ctx.will_reorder(self.0);
        self.edit(ctx, |buf| splice_filling(buf, range, items));
        self.stored(ctx, items);
    }

    /// The same with the elements of `other`, which may be the same array.
    pub fn splice_array(self, ctx: &mut Ctx, range: Range<usize>, other: Array) {
        // A frozen window stays as it is while this array changes, even if both are one.
        let items = other.edit_sharing(ctx, |buf| buf.freeze());
        self.splice(ctx, range, items.as_slice());
    }

    /// Appends the elements of `other`, which may be the same array.
    pub fn concat(self, ctx: &mut Ctx, other: Array) {
        if other == self {
            let len = self.len();
            self.edit(ctx, |buf| buf.extend_from_within(0..len));
            return;
        }
        // SAFETY: the other array's buffer is not touched while this one is extended.
        let items = unsafe { &*other.raw().buf.get() }.as_slice();
        self.edit(ctx, |buf| buf.extend(items));
        self.stored(ctx, items);
    }

    /// Takes over the elements of `other`, sharing a long buffer.
    pub fn replace(self, ctx: &mut Ctx, other: Array) {
        if other == self {
            return;
        }
        let len = other.len();
        let items = other.edit_sharing(ctx, |buf| buf.share(0..len));
        self.stored(ctx, items.as_slice());
        self.edit(ctx, |buf| *buf = items);
    }

    /// Stores `item` in every position of `range`, growing the array when needed.
    pub fn fill(self, ctx: &mut Ctx, range: Range<usize>, item: Value) {
        if range.is_empty() {
            return;
        }
        self.edit(ctx, |buf| {
            if range.end > buf.len() {
                buf.extend_fill(range.end - buf.len(), Value::NIL);
            }
            buf.as_mut_slice()[range].fill(item);
        });
        ctx.write_barrier(self.0, item);
    }

    #[inline]
    pub fn truncate(self, ctx: &mut Ctx, len: usize) {
        self.edit(ctx, |buf| buf.truncate(len));
    }

    /// Shortens to `len`, or fills up with nil.
    pub fn set_len(self, ctx: &mut Ctx, len: usize) {
        self.edit(ctx, |buf| {
            buf.truncate(len);
            buf.extend_fill(len - buf.len(), Value::NIL);
        });
    }

    pub fn clear(self, ctx: &mut Ctx) {
        self.edit(ctx, CowBuf::clear);
    }

    /// The elements for reordering in place. Storing values that were not in the array needs `set`.
    pub fn slice_mut(self, ctx: &mut Ctx) -> &mut [Value] {
        ctx.will_reorder(self.0);
        // SAFETY: `&mut Ctx` is borrowed for as long as the slice lives, so nobody else reads or writes.
        unsafe { &mut *self.raw().buf.get() }.as_mut_slice()
    }

    pub fn reverse(self, ctx: &mut Ctx) {
        self.slice_mut(ctx).reverse();
    }

    /// Rotates so that the element at `by` becomes the first; `by` is at most the length.
    pub fn rotate(self, ctx: &mut Ctx, by: usize) {
        self.slice_mut(ctx).rotate_left(by);
    }

    pub fn swap(self, ctx: &mut Ctx, a: usize, b: usize) {
        self.slice_mut(ctx).swap(a, b);
    }

    /// Keeps the elements whose mark in `keep` (one for each element) is set.
    pub fn retain_marked(self, ctx: &mut Ctx, keep: &[bool]) {
        ctx.will_reorder(self.0);
        self.edit(ctx, |buf| {
            let items = buf.as_mut_slice();
            let mut kept = 0;
            for i in 0..items.len() {
                if keep.get(i).copied().unwrap_or(true) {
                    items[kept] = items[i];
                    kept += 1;
                }
            }
            buf.truncate(kept);
        });
    }

    /// Gives unused memory back.
    pub fn shrink(self, ctx: &mut Ctx) {
        self.edit(ctx, CowBuf::shrink);
    }
}

/// Replaces `range` by `items`; what lies between the end and the range's start becomes nil.
fn splice_filling(buf: &mut CowBuf<Value>, range: Range<usize>, items: &[Value]) {
    if range.start > buf.len() {
        buf.extend_fill(range.start - buf.len(), Value::NIL);
    }
    let end = range.end.clamp(range.start, buf.len());
    if range.start == end && end == 0 { buf.prepend(items) } else { buf.splice(range.start..end, items) }
}

/// A rooted list of values for native code: what natives use instead of a `Vec<Value>`, which the collector does
/// not see. It is an array hidden from Ruby and lives as long as this handle lies on the stack.
#[derive(Copy, Clone)]
pub struct TempArray(Array);

impl TempArray {
    #[inline]
    pub fn new(ctx: &mut Ctx) -> TempArray {
        TempArray(Array::new_in(ctx, Value::HIDDEN))
    }

    pub fn with_capacity(ctx: &mut Ctx, cap: usize) -> TempArray {
        let list = TempArray::new(ctx);
        list.0.edit(ctx, |buf| buf.reserve(cap));
        list
    }

    pub fn from_slice(ctx: &mut Ctx, items: &[Value]) -> TempArray {
        TempArray(Array::from_slice_in(ctx, Value::HIDDEN, items))
    }

    #[inline]
    pub fn push(self, ctx: &mut Ctx, item: Value) {
        self.0.push(ctx, item);
    }

    #[inline]
    pub fn pop(self, ctx: &mut Ctx) -> Option<Value> {
        self.0.pop(ctx)
    }

    #[inline]
    pub fn get(self, index: usize) -> Option<Value> {
        self.0.get(index)
    }

    #[inline]
    pub fn set(self, ctx: &mut Ctx, index: usize, item: Value) {
        self.0.set(ctx, index, item);
    }

    #[inline]
    pub fn len(self) -> usize {
        self.0.len()
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub fn slice(self, ctx: &Ctx) -> &[Value] {
        self.0.slice(ctx)
    }

    pub fn slice_mut(self, ctx: &mut Ctx) -> &mut [Value] {
        self.0.slice_mut(ctx)
    }

    pub fn clear(self, ctx: &mut Ctx) {
        self.0.clear(ctx);
    }

    /// The hidden array itself, for the array operations that this list does not repeat. It must not
    /// become visible to Ruby.
    #[inline]
    pub fn array(self) -> Array {
        self.0
    }

    /// Shows the list to Ruby: from now on it is an ordinary Array.
    pub fn into_array(self, ctx: &mut Ctx) -> Array {
        let klass = ctx.classes().array.get();
        self.0.header().klass.set(klass);
        ctx.write_barrier(self.0.value(), klass);
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_indices_count_from_the_end() {
        assert_eq!(normalize_index(2, 3), Some(2));
        assert_eq!(normalize_index(3, 3), None);
        assert_eq!(normalize_index(-3, 3), Some(0));
        assert_eq!(normalize_index(-4, 3), None);
        assert_eq!(normalize_index(i64::MIN, 3), None);
    }

    #[test]
    fn cells_are_small() {
        assert_eq!(size_of::<RArray>(), 48);
    }

    #[test]
    fn splicing_behind_the_end_fills_with_nil() {
        let mut buf = CowBuf::from_slice(&[Value::TRUE]);
        splice_filling(&mut buf, 3..9, &[Value::FALSE]);
        assert_eq!(buf.as_slice(), [Value::TRUE, Value::NIL, Value::NIL, Value::FALSE]);
        splice_filling(&mut buf, 1..9, &[]);
        assert_eq!(buf.as_slice(), [Value::TRUE]);
    }
}
