//! Environments: the captured local variables of one activation, and the link to the enclosing one.

use super::handle::handle;
use crate::ctx::{Ctx, Layout};
use rubellite_value::{Flag, Header, Tag, Value, flags};
use std::cell::Cell;

const INLINE: usize = 6;

/// The environment of a block that was cut off from its scope.
const ISOLATED: Flag = flags::TYPE_0;

/// A small environment lives in its cell; a large one in a boxed slice.
#[repr(C)]
pub struct REnv {
    header: Header,
    parent: Value,
    /// The code whose variables these are, so that bindings find their names.
    owner: Cell<Value>,
    slots: *mut Cell<Value>,
    inline: [Cell<Value>; INLINE],
    /// Length of a boxed slice; 0 when the slots are inline.
    boxed: usize,
}

// SAFETY: repr(C), begins with a Header, 96 bytes (16 + 8 + 8 + 8 + 48 + 8).
unsafe impl Layout for REnv {
    const TAG: Tag = Tag::Env;
}

impl REnv {
    /// Offsets, for compiled code.
    pub(crate) const PARENT: usize = std::mem::offset_of!(REnv, parent);
    pub(crate) const SLOTS: usize = std::mem::offset_of!(REnv, slots);
}

handle! {
    /// Handle of an environment.
    Env "Env": REnv, Tag::Env
}

impl Env {
    /// A new environment of `size` variables, all nil. `parent` is an environment or nil.
    #[inline]
    pub fn new(ctx: &mut Ctx, size: usize, parent: Value) -> Value {
        let (slots, boxed) = if size > INLINE {
            // tidy: becomes the traced storage of the cell
            let boxed = vec![const { Cell::new(Value::NIL) }; size].into_boxed_slice();
            (Box::into_raw(boxed).cast::<Cell<Value>>(), size)
        } else {
            (std::ptr::null_mut(), 0)
        };
        let value = ctx.alloc(REnv {
            header: Header::new(Tag::Env, Value::FALSE),
            parent,
            owner: Cell::new(Value::NIL),
            slots,
            inline: [const { Cell::new(Value::NIL) }; INLINE],
            boxed,
        });
        if boxed == 0 {
            let raw = value.as_ptr::<REnv>();
            // SAFETY: just allocated; nobody else knows the cell, and it never moves.
            unsafe { (*raw).slots = (&raw mut (*raw).inline).cast() };
        }
        value
    }

    #[inline(always)]
    pub fn parent(self) -> Value {
        self.raw().parent
    }

    pub fn owner(self) -> Value {
        self.raw().owner.get()
    }

    #[inline(always)]
    pub fn set_owner(self, ctx: &Ctx, code: Value) {
        self.raw().owner.set(code);
        ctx.write_barrier(self.0, code);
    }

    pub fn isolated(self) -> bool {
        self.raw().header.has(ISOLATED)
    }

    pub fn set_isolated(self) {
        self.raw().header.set(ISOLATED);
    }

    #[inline(always)]
    fn len(self) -> usize {
        let boxed = self.raw().boxed;
        if boxed == 0 { INLINE } else { boxed }
    }

    /// Variable `slot`; nil for one that the environment has no room for.
    pub fn get(self, slot: usize) -> Value {
        // SAFETY: the slot is below the length.
        if slot < self.len() { unsafe { self.get_unchecked(slot) } } else { Value::NIL }
    }

    /// Stores in variable `slot`, if there is one.
    pub fn set(self, ctx: &Ctx, slot: usize, value: Value) {
        if slot < self.len() {
            // SAFETY: as above.
            unsafe { self.set_unchecked(ctx, slot, value) };
        }
    }

    /// # Safety
    /// `slot` is below the size that this environment was made with.
    #[inline(always)]
    pub(crate) unsafe fn get_unchecked(self, slot: usize) -> Value {
        // SAFETY: by contract.
        unsafe { (*self.raw().slots.add(slot)).get() }
    }

    /// # Safety
    /// As `get_unchecked`.
    #[inline(always)]
    pub(crate) unsafe fn set_unchecked(self, ctx: &Ctx, slot: usize, value: Value) {
        // SAFETY: by contract.
        unsafe { (*self.raw().slots.add(slot)).set(value) };
        ctx.will_change(self.0);
    }

    /// The environment `depth` levels out.
    ///
    /// # Safety
    /// There are so many.
    #[inline(always)]
    pub(crate) unsafe fn up(self, depth: usize) -> Env {
        let mut env = self;
        for _ in 0..depth {
            // SAFETY: the parent of an environment that is not the outermost is one, too.
            env = unsafe { Env::of_unchecked(env.parent()) };
        }
        env
    }

    pub(crate) fn trace(self, mut mark: impl FnMut(Value)) {
        let raw = self.raw();
        mark(raw.parent);
        mark(raw.owner.get());
        for slot in 0..self.len() {
            mark(self.get(slot));
        }
    }

    pub(crate) fn release(self) {
        let raw = self.raw();
        if raw.boxed != 0 {
            // SAFETY: made by Box::into_raw of a slice of this length in `new`; the cell is being freed.
            drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(raw.slots, raw.boxed)) });
        }
    }
}
