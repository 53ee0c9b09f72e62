//! Plain objects: instances that own nothing but instance variables.
//!
//! The cell holds `aux` inline slots. An object that gets more variables than its cell has room for sets OVERFLOWS:
//! `aux` is one less then, the block of malloc memory holds all variables from slot `aux` on, and the last inline slot
//! holds the address at which slot 0 of the block would lie if the inline slots were in it, too. Compiled code finds a
//! variable there without knowing `aux`. Which slot a variable has is the shape's business (`shape.rs`); what an
//! object's shape names has room.

use super::handle::handle;
use crate::ctx::{Ctx, Layout};
use rubellite_value::{Flag, Header, Tag, Value, flags};
use std::cell::Cell;

/// A plain object with `N` inline slots.
#[repr(C)]
pub struct RObject<const N: usize> {
    header: Header,
    slots: [Cell<Value>; N],
}

/// The slot after the last inline one holds the address of a block.
const OVERFLOWS: Flag = flags::TYPE_0;

/// Slots in malloc memory: the first word says how many follow.
#[derive(Copy, Clone)]
struct Block(*mut u64);

impl Block {
    /// A block with room for `count` variables, none of them set.
    fn new(count: usize) -> Block {
        // A boxed slice aborts where the system has no memory, as all small allocations do.
        let mut words = vec![Value::UNDEF.bits(); count + 1].into_boxed_slice(); // tidy: traced by RObject
        words[0] = count as u64;
        Block(Box::into_raw(words).cast())
    }

    fn count(self) -> usize {
        // SAFETY: the block lives as long as its object has OVERFLOWS, and nobody has a `Block` beyond that.
        unsafe { *self.0 as usize }
    }

    fn slots(self) -> *mut Value {
        // SAFETY: as above; the slots follow the first word.
        unsafe { self.0.add(1).cast() }
    }

    /// # Safety
    /// Nobody uses the block afterwards.
    unsafe fn free(self) {
        // SAFETY: made by `new` as a boxed slice of so many words.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(self.0, self.count() + 1)) });
    }
}

// SAFETY: repr(C), begins with a Header, at most 256 bytes for N <= 30.
unsafe impl<const N: usize> Layout for RObject<N> {
    const TAG: Tag = Tag::Object;
}

handle! {
    /// Handle of a plain object.
    Object "Object": RObject<0>, Tag::Object
}

impl Object {
    /// A new instance of `klass` with room for about `hint` variables in its cell.
    pub fn new(ctx: &mut Ctx, klass: Value, hint: usize) -> Value {
        match hint {
            0..=2 => Self::with_slots::<2>(ctx, klass),
            3..=4 => Self::with_slots::<4>(ctx, klass),
            5..=6 => Self::with_slots::<6>(ctx, klass),
            7..=10 => Self::with_slots::<10>(ctx, klass),
            11..=14 => Self::with_slots::<14>(ctx, klass),
            15..=22 => Self::with_slots::<22>(ctx, klass),
            _ => Self::with_slots::<30>(ctx, klass),
        }
    }

    /// The inline slots of an object that is made with the hint.
    pub fn room(hint: usize) -> u16 {
        [2, 4, 6, 10, 14, 22].into_iter().find(|room| hint <= *room as usize).unwrap_or(30)
    }

    #[inline]
    fn with_slots<const N: usize>(ctx: &mut Ctx, klass: Value) -> Value {
        let header = Header::new(Tag::Object, klass);
        // SAFETY: the cell is made with N slots.
        unsafe { header.set_aux(N as u16) };
        ctx.alloc(RObject::<N> { header, slots: [const { Cell::new(Value::UNDEF) }; N] })
    }

    #[inline(always)]
    fn inline_slot(&self, slot: usize) -> &Cell<Value> {
        // SAFETY: the caller checked `slot < aux`, the number of slots that the cell was made with.
        unsafe { &*self.raw().slots.as_ptr().add(slot) }
    }

    /// The variable in `slot`, or undef when it is not set.
    #[inline(always)]
    pub fn slot(self, slot: usize) -> Value {
        let inline = self.raw().header.aux() as usize;
        if slot < inline {
            return self.inline_slot(slot).get();
        }
        match self.overflow() {
            // SAFETY: the slot is one of the block's; nobody changes it while it is read here.
            Some(block) if slot - inline < block.count() => unsafe { *block.slots().add(slot - inline) },
            _ => Value::UNDEF,
        }
    }

    #[inline(always)]
    fn overflow(self) -> Option<Block> {
        let header = &self.raw().header;
        if !header.has(OVERFLOWS) {
            return None;
        }
        let inline = header.aux() as usize;
        let slots = self.inline_slot(inline).get().bits() as usize + inline * size_of::<Value>();
        Some(Block((slots - size_of::<u64>()) as *mut u64))
    }

    /// Makes `block` the object's, which has `aux` inline slots and one more for it.
    fn set_block(self, block: Block) {
        let inline = self.raw().header.aux() as usize;
        let word = block.slots() as usize - inline * size_of::<Value>();
        // SAFETY: the slot is not counted among the variables, and only `overflow` and compiled code look at it.
        self.inline_slot(inline).set(unsafe { Value::from_bits(word as u64) });
    }

    #[inline(always)]
    pub fn set_slot(self, ctx: &Ctx, slot: usize, value: Value) {
        let inline = self.raw().header.aux() as usize;
        if slot < inline {
            self.inline_slot(slot).set(value);
        } else {
            self.set_overflow(slot - inline, value);
        }
        ctx.will_change(self.0);
    }

    #[cold]
    fn set_overflow(self, index: usize, value: Value) {
        let header = &self.raw().header;
        let Some(block) = self.overflow() else {
            let last = header.aux() - 1;
            let block = Block::new((index + 2).next_power_of_two());
            // SAFETY: the block has room for both; the slot is one of the cell's.
            unsafe {
                *block.slots() = self.inline_slot(last as usize).get();
                *block.slots().add(index + 1) = value;
                header.set_aux(last);
            }
            self.set_block(block);
            header.set(OVERFLOWS);
            return;
        };
        let count = block.count();
        let block = if index < count {
            block
        } else {
            let larger = Block::new((index + 1).max(count * 2));
            // SAFETY: both are blocks of so many slots at least; the former one is the object's no more.
            unsafe {
                std::ptr::copy_nonoverlapping(block.slots(), larger.slots(), count);
                self.set_block(larger);
                block.free();
            }
            larger
        };
        // SAFETY: the slot is one of the block's.
        unsafe { *block.slots().add(index) = value };
    }

    pub(crate) fn trace(self, mut mark: impl FnMut(Value)) {
        for slot in 0..self.raw().header.aux() as usize {
            mark(self.inline_slot(slot).get());
        }
        if let Some(block) = self.overflow() {
            // SAFETY: the block belongs to this object, and has so many slots.
            unsafe { std::slice::from_raw_parts(block.slots(), block.count()) }.iter().for_each(|v| mark(*v));
        }
    }

    pub(crate) fn release(self) {
        if let Some(block) = self.overflow() {
            self.raw().header.clear(OVERFLOWS);
            // SAFETY: it is given up here, once.
            unsafe { block.free() };
        }
    }
}
