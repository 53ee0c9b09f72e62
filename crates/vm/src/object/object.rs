//! Plain objects: instances that own nothing but instance variables.
//!
//! The cell holds `aux` inline slots. An object that gets more variables than its cell has room for sets OVERFLOWS: its
//! last inline slot then holds the pointer to a malloc block, `aux` is one less, and the block holds all variables
//! from slot `aux` on. Which slot a variable has is the shape's business (`shape.rs`).

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

/// The slot after the last inline one holds a pointer to an `Overflow`.
const OVERFLOWS: Flag = flags::TYPE_0;

struct Overflow {
    slots: Vec<Value>, // tidy: traced by RObject
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
            // SAFETY: the block belongs to this object until it is dropped; nobody changes it while it is read here.
            Some(block) => unsafe { &*block }.slots.get(slot - inline).copied().unwrap_or(Value::UNDEF),
            None => Value::UNDEF,
        }
    }

    #[inline(always)]
    fn overflow(self) -> Option<*mut Overflow> {
        let header = &self.raw().header;
        if !header.has(OVERFLOWS) {
            return None;
        }
        Some(self.inline_slot(header.aux() as usize).get().bits() as *mut Overflow)
    }

    #[inline(always)]
    pub fn set_slot(self, ctx: &Ctx, slot: usize, value: Value) {
        let inline = self.raw().header.aux() as usize;
        if slot < inline {
            self.inline_slot(slot).set(value);
        } else {
            self.set_overflow(slot - inline, value);
        }
        ctx.write_barrier(self.0, value);
    }

    #[cold]
    fn set_overflow(self, index: usize, value: Value) {
        let Some(block) = self.overflow() else {
            let header = &self.raw().header;
            let last = header.aux() - 1;
            let mut slots = vec![self.inline_slot(last as usize).get()];
            slots.resize(index + 2, Value::UNDEF);
            slots[index + 1] = value;
            let block = Box::into_raw(Box::new(Overflow { slots }));
            // SAFETY: the slot is no longer counted among the variables, and only `overflow` looks at it.
            self.inline_slot(last as usize).set(unsafe { Value::from_bits(block as u64) });
            // SAFETY: one slot less than before.
            unsafe { header.set_aux(last) };
            header.set(OVERFLOWS);
            return;
        };
        // SAFETY: the block belongs to this object until it is dropped; nobody else borrows it now.
        let overflow = unsafe { &mut *block };
        if overflow.slots.len() <= index {
            overflow.slots.resize(index + 1, Value::UNDEF);
        }
        overflow.slots[index] = value;
    }

    pub(crate) fn trace(self, mut mark: impl FnMut(Value)) {
        for slot in 0..self.raw().header.aux() as usize {
            mark(self.inline_slot(slot).get());
        }
        if let Some(block) = self.overflow() {
            // SAFETY: see `slot`.
            unsafe { &*block }.slots.iter().for_each(|v| mark(*v));
        }
    }

    pub(crate) fn release(self) {
        if let Some(block) = self.overflow() {
            self.raw().header.clear(OVERFLOWS);
            // SAFETY: the block came from Box::into_raw and is given up here, once.
            drop(unsafe { Box::from_raw(block) });
        }
    }
}
