//! Struct and Data instances: layout. The number of slots is fixed when the instance is made. Up to 14 slots lie in
//! the cell, whose size is the smallest that fits; more lie in a block of their own.
//!
//! Invariant: the header's 16-bit number is the count of slots. With the flag `BOXED` the word behind the header is
//! the address of the slots, else they begin there.

use super::handle::handle;
use crate::ctx::{Ctx, Layout, header};
use rubellite_value::{Flag, Header, Tag, Value, flags};
use std::cell::Cell;

/// The cell of an instance with room for `N` slots.
#[repr(C)]
pub struct RStruct<const N: usize> {
    header: Header,
    slots: [Cell<Value>; N],
}

/// The cell of an instance whose slots lie elsewhere, as one block that this cell owns.
#[repr(C)]
struct RStructBoxed {
    header: Header,
    slots: *mut Cell<Value>,
}

// SAFETY: `#[repr(C)]`, begins with a header, 32 bytes; `trace_cell` and `drop_cell` know it.
unsafe impl Layout for RStructBoxed {
    const TAG: Tag = Tag::Struct;
}

// SAFETY: `#[repr(C)]`, begins with a header; only made with up to 14 slots: at most 128 bytes.
unsafe impl<const N: usize> Layout for RStruct<N> {
    const TAG: Tag = Tag::Struct;
}

handle! {
    /// An instance of a Struct or Data class.
    Struct "Struct": RStruct<0>, Tag::Struct
}

const BOXED: Flag = flags::TYPE_0;

impl Struct {
    /// Where the slots are, or their address if the flag `BOXED` is set: for compiled code.
    pub(crate) const SLOTS: usize = std::mem::offset_of!(RStruct<2>, slots);
    pub(crate) const BOXED: u64 = BOXED.bit();
    const _SAME_PLACE: () = assert!(Struct::SLOTS == std::mem::offset_of!(RStructBoxed, slots));
    /// The largest number of slots in the cell.
    pub(crate) const INLINE_MAX: usize = 14;
    /// The largest number of slots.
    pub const MAX_LEN: usize = u16::MAX as usize;

    /// A new instance of class `klass` with `len` slots, all nil. `len` is at most `MAX_LEN`.
    pub fn new(ctx: &mut Ctx, klass: Value, len: usize) -> Struct {
        let header = header(Tag::Struct, klass);
        assert!(len <= Struct::MAX_LEN);
        // SAFETY: the cell made below has so many slots.
        unsafe { header.set_aux(len as u16) };
        Struct(match len {
            0..=2 => alloc_inline::<2>(ctx, header),
            3..=4 => alloc_inline::<4>(ctx, header),
            5..=6 => alloc_inline::<6>(ctx, header),
            7..=10 => alloc_inline::<10>(ctx, header),
            11..=Struct::INLINE_MAX => alloc_inline::<14>(ctx, header),
            _ => {
                header.set(BOXED);
                // tidy: becomes the traced storage of the cell
                let slots: Box<[Cell<Value>]> = (0..len).map(|_| Cell::new(Value::NIL)).collect();
                ctx.note_malloc((len * 8) as isize);
                ctx.alloc(RStructBoxed { header, slots: Box::into_raw(slots).cast() })
            }
        })
    }

    #[inline(always)]
    pub fn len(self) -> usize {
        self.header().aux() as usize
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    #[inline(always)]
    fn slots(&self) -> &[Cell<Value>] {
        // SAFETY: a handle is only made for a live cell with this tag.
        unsafe { slots_of(self.0.as_ptr()) }
    }

    #[inline(always)]
    pub fn get(self, index: usize) -> Option<Value> {
        self.slots().get(index).map(Cell::get)
    }

    /// Stores in a slot; says whether there is such a slot.
    #[inline(always)]
    pub fn set(self, ctx: &mut Ctx, index: usize, value: Value) -> bool {
        let Some(slot) = self.slots().get(index) else { return false };
        slot.set(value);
        ctx.write_barrier(self.0, value);
        true
    }

    /// Copies the slots of an instance with the same number of slots.
    pub fn copy_from(self, ctx: &mut Ctx, other: Struct) {
        for (mine, theirs) in self.slots().iter().zip(other.slots()) {
            mine.set(theirs.get());
            ctx.write_barrier(self.0, theirs.get());
        }
    }

    /// Bytes of malloc memory.
    pub(crate) fn memory_size(self) -> usize {
        if self.header().has(BOXED) { self.len() * 8 } else { 0 }
    }
}

fn alloc_inline<const N: usize>(ctx: &mut Ctx, header: Header) -> Value {
    ctx.alloc(RStruct::<N> { header, slots: [const { Cell::new(Value::NIL) }; N] })
}

/// The slots of a cell.
///
/// # Safety
/// `cell` is the address of a live cell with the tag `Struct`.
#[inline(always)]
unsafe fn slots_of<'a>(cell: *const Header) -> &'a [Cell<Value>] {
    // SAFETY: every cell begins with a header.
    let header = unsafe { &*cell };
    debug_assert!(header.tag() == Tag::Struct);
    let behind = cell.wrapping_add(1);
    let slots: *const Cell<Value> = if header.has(BOXED) {
        // SAFETY: with the flag the word behind the header is the address of the block.
        unsafe { *behind.cast::<*const Cell<Value>>() }
    } else {
        behind.cast()
    };
    // SAFETY: the header counts the slots that lie there; they are as old as the cell.
    unsafe { std::slice::from_raw_parts(slots, header.aux() as usize) }
}

/// Shows every slot to the collector.
///
/// # Safety
/// `cell` is the address of a live cell with the tag `Struct`.
pub(crate) unsafe fn trace_cell<F: FnMut(Value)>(cell: *const Header, mut visit: F) {
    // SAFETY: passed on to the caller.
    for slot in unsafe { slots_of(cell) } {
        visit(slot.get());
    }
}

/// Frees what a Struct cell owns.
///
/// # Safety
/// The cell is dead and has the tag `Struct`; it is not used afterwards.
pub(crate) unsafe fn drop_cell(cell: *const Header) {
    // SAFETY: passed on to the caller.
    let (header, slots) = unsafe { (&*cell, slots_of(cell)) };
    if header.has(BOXED) {
        let slots: *const [Cell<Value>] = slots;
        // SAFETY: the block was made by `Box::into_raw` of a slice of this length and is freed once.
        drop(unsafe { Box::from_raw(slots.cast_mut()) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_the_sizes_of_size_classes() {
        assert_eq!(size_of::<RStruct<2>>(), 32);
        assert_eq!(size_of::<RStruct<4>>(), 48);
        assert_eq!(size_of::<RStruct<6>>(), 64);
        assert_eq!(size_of::<RStruct<10>>(), 96);
        assert_eq!(size_of::<RStruct<14>>(), 128);
    }
}
