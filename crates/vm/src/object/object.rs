//! Plain objects: instances that own nothing but instance variables.
//!
//! The cell holds `aux` inline slots; variables beyond them lie in one malloc block whose length is
//! its first word. Which slot a variable has is the shape's business (`shape.rs`).

use crate::ctx::{Ctx, Layout};
use rubellite_value::{Header, Tag, Value};
use std::cell::Cell;

/// A plain object with `N` inline slots.
#[repr(C)]
pub struct RObject<const N: usize> {
    header: Header,
    overflow: Cell<*mut Overflow>,
    slots: [Cell<Value>; N],
}

struct Overflow {
    slots: Vec<Value>, // tidy: traced by RObject
}

// SAFETY: repr(C), begins with a Header, at most 256 bytes for N <= 29.
unsafe impl<const N: usize> Layout for RObject<N> {
    const TAG: Tag = Tag::Object;
}

/// Handle of a plain object.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Object(Value);

impl Object {
    /// A new instance of `klass` with room for about `hint` variables in its cell.
    pub fn new(ctx: &mut Ctx, klass: Value, hint: usize) -> Value {
        match hint {
            0..=1 => Self::with_slots::<1>(ctx, klass),
            2..=3 => Self::with_slots::<3>(ctx, klass),
            4..=5 => Self::with_slots::<5>(ctx, klass),
            6..=9 => Self::with_slots::<9>(ctx, klass),
            10..=13 => Self::with_slots::<13>(ctx, klass),
            14..=21 => Self::with_slots::<21>(ctx, klass),
            _ => Self::with_slots::<29>(ctx, klass),
        }
    }

    #[inline]
    fn with_slots<const N: usize>(ctx: &mut Ctx, klass: Value) -> Value {
        let header = Header::new(Tag::Object, klass);
        header.set_aux(N as u16);
        ctx.alloc(RObject::<N> { header, overflow: Cell::new(std::ptr::null_mut()), slots: [const { Cell::new(Value::UNDEF) }; N] })
    }

    #[inline(always)]
    pub fn of(value: Value) -> Object {
        debug_assert!(value.has_tag(Tag::Object));
        Object(value)
    }

    #[inline(always)]
    fn raw(&self) -> &RObject<0> {
        // SAFETY: a handle is only made from a value with the Object tag; the prefix is the same for every N.
        unsafe { &*self.0.as_ptr::<RObject<0>>() }
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
        let overflow = self.raw().overflow.get();
        if overflow.is_null() {
            return Value::UNDEF;
        }
        // SAFETY: a non-null overflow block belongs to this object until it is dropped.
        unsafe { &*overflow }.slots.get(slot - inline).copied().unwrap_or(Value::UNDEF)
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
        let cell = &self.raw().overflow;
        if cell.get().is_null() {
            cell.set(Box::into_raw(Box::new(Overflow { slots: Vec::new() })));
        }
        // SAFETY: made above or earlier by this object, which alone owns it; nobody else borrows it now.
        let overflow = unsafe { &mut *cell.get() };
        if overflow.slots.len() <= index {
            overflow.slots.resize(index + 1, Value::UNDEF);
        }
        overflow.slots[index] = value;
    }

    pub(crate) fn trace(self, mut mark: impl FnMut(Value)) {
        for slot in 0..self.raw().header.aux() as usize {
            mark(self.inline_slot(slot).get());
        }
        let overflow = self.raw().overflow.get();
        if !overflow.is_null() {
            // SAFETY: see `slot`.
            unsafe { &*overflow }.slots.iter().for_each(|v| mark(*v));
        }
    }

    pub(crate) fn release(self) {
        let overflow = self.raw().overflow.replace(std::ptr::null_mut());
        if !overflow.is_null() {
            // SAFETY: the block came from Box::into_raw and is given up here, once.
            drop(unsafe { Box::from_raw(overflow) });
        }
    }
}
