//! The execution context: what native code and the interpreter see of the VM and of the current thread.

use crate::vm::{CoreClasses, Vm};
use rubellite_value::{Header, Sym, Tag, Value};
use std::ptr::NonNull;

/// The execution context of one thread that holds the VM lock.
pub struct Ctx {
    pub(crate) vm: NonNull<Vm>,
}

/// A heap layout: a `#[repr(C)]` struct whose first field is a [`Header`].
///
/// # Safety
/// The type is `#[repr(C)]`, begins with a `Header`, is at most 256 bytes, and the collector's trace and drop
/// functions know its `TAG`.
pub unsafe trait Layout: Sized {
    const TAG: Tag;
}

impl Ctx {
    #[inline(always)]
    pub fn vm<'a>(&self) -> &'a Vm {
        // SAFETY: a VM outlives every thread attached to it.
        unsafe { self.vm.as_ref() }
    }

    /// The classes that the VM itself names.
    #[inline(always)]
    pub fn classes<'a>(&self) -> &'a CoreClasses {
        &self.vm().classes
    }

    /// The key of every hash value of this VM.
    #[inline(always)]
    pub fn hash_seed(&self) -> u64 {
        self.vm().hash_seed
    }

    /// `key.hash` for a Hash key.
    pub fn hash_of(&mut self, key: Value) -> crate::Result<u64> {
        Ok(key.bits())
    }

    /// `a.eql?(b)` for two Hash keys.
    pub fn eql(&mut self, a: Value, b: Value) -> crate::Result<bool> {
        Ok(a == b)
    }

    /// Puts `init` into a fresh heap cell. May collect garbage before it does; values that `init` itself
    /// refers to are on the machine stack and so survive.
    #[inline]
    pub fn alloc<T: Layout>(&mut self, init: T) -> Value {
        Value::from_ptr(Box::leak(Box::new(init)))
    }

    /// To be called after a reference to `child` was stored in the heap object `parent`.
    #[inline(always)]
    pub fn write_barrier(&self, _parent: Value, _child: Value) {}

    /// Tells the collector's pacing about malloc memory that objects own (negative: given back).
    #[inline]
    pub fn note_malloc(&self, _delta: isize) {}

    pub fn intern(&self, name: &str) -> Sym {
        // SAFETY: `self` shows that the lock is held; the borrow ends here.
        unsafe { self.vm().symbols.get_mut() }.intern(name.as_bytes(), crate::Encoding::UTF_8)
    }
}

/// The class word of a new object's header.
#[inline(always)]
pub fn header(tag: Tag, klass: Value) -> Header {
    Header::new(tag, klass)
}
