//! The two words that begin every heap cell.

use crate::Value;
use std::cell::Cell;

/// What lies in a heap cell. The numbers are internal; `Free` must be 0.
#[repr(u8)]
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum Tag {
    /// An unused cell.
    Free = 0,
    /// An instance with instance variables and nothing else.
    Object,
    Class,
    Module,
    /// The stand-in for a module in the ancestry of a class.
    IClass,
    Float,
    String,
    Regexp,
    Array,
    Hash,
    Bignum,
    Range,
    Rational,
    Complex,
    Proc,
    /// Method and UnboundMethod.
    Method,
    MatchData,
    Exception,
    /// Instances of Struct and Data.
    Struct,
    /// Native data with its own trace and drop functions (IO, Thread, Time, Encoding ...).
    Data,
    /// Captured local variables of one activation.
    Env,
    /// Lexical class nesting.
    Cref,
    /// Linked code.
    Code,
    /// A method's definition.
    MethodEntry,
    /// A pending non-local exit, kept while an ensure clause runs.
    Unwind,
    Binding,
}

impl Tag {
    pub const COUNT: usize = 32;

    #[inline(always)]
    pub fn from_u8(n: u8) -> Tag {
        debug_assert!(n <= Tag::Binding as u8);
        // SAFETY: the header's low five bits are only ever written from a Tag.
        unsafe { std::mem::transmute::<u8, Tag>(n) }
    }
}

/// Bits of the flags word.
pub mod flags {
    pub const TAG_MASK: u64 = 0x1f;
    /// The object refuses modification.
    pub const FROZEN: u64 = 1 << 5;
    /// Instance variables of this cell live in the VM's side table.
    pub const GENERIC_IVARS: u64 = 1 << 6;
    /// A singleton class; an object of such a class.
    pub const SINGLETON: u64 = 1 << 7;
    /// The object has been given an object_id, kept in the VM's side table.
    pub const HAS_ID: u64 = 1 << 8;
    /// A finalizer is registered for the object.
    pub const FINALIZER: u64 = 1 << 9;
    /// Bits 10..=14 belong to the type.
    pub const TYPE_0: u64 = 1 << 10;
    pub const TYPE_1: u64 = 1 << 11;
    pub const TYPE_2: u64 = 1 << 12;
    pub const TYPE_3: u64 = 1 << 13;
    pub const TYPE_4: u64 = 1 << 14;
    /// Several ractors may see the object.
    pub const SHAREABLE: u64 = 1 << 15;
    /// Bits 16..=31: a 16-bit number that belongs to the type (embedded length, encoding ...).
    pub const AUX_SHIFT: u32 = 16;
    pub const AUX_MASK: u64 = 0xffff << AUX_SHIFT;
    /// Bits 32..=63: the shape of the instance variables.
    pub const SHAPE_SHIFT: u32 = 32;
}

/// The first two words of every heap cell.
#[repr(C)]
pub struct Header {
    pub flags: Cell<u64>,
    /// The object's class (its singleton class when it has one).
    pub klass: Cell<Value>,
}

impl Header {
    #[inline(always)]
    pub fn new(tag: Tag, klass: Value) -> Header {
        Header { flags: Cell::new(tag as u64), klass: Cell::new(klass) }
    }

    #[inline(always)]
    pub fn tag(&self) -> Tag {
        Tag::from_u8((self.flags.get() & flags::TAG_MASK) as u8)
    }

    #[inline(always)]
    pub fn has(&self, flag: u64) -> bool {
        self.flags.get() & flag != 0
    }

    #[inline(always)]
    pub fn set(&self, flag: u64) {
        self.flags.set(self.flags.get() | flag);
    }

    #[inline(always)]
    pub fn clear(&self, flag: u64) {
        self.flags.set(self.flags.get() & !flag);
    }

    #[inline(always)]
    pub fn put(&self, flag: u64, on: bool) {
        if on { self.set(flag) } else { self.clear(flag) }
    }

    #[inline(always)]
    pub fn frozen(&self) -> bool {
        self.has(flags::FROZEN)
    }

    /// The 16 bits that belong to the type.
    #[inline(always)]
    pub fn aux(&self) -> u16 {
        (self.flags.get() >> flags::AUX_SHIFT) as u16
    }

    #[inline(always)]
    pub fn set_aux(&self, n: u16) {
        self.flags.set((self.flags.get() & !flags::AUX_MASK) | ((n as u64) << flags::AUX_SHIFT));
    }

    /// The shape of the instance variables.
    #[inline(always)]
    pub fn shape(&self) -> u32 {
        (self.flags.get() >> flags::SHAPE_SHIFT) as u32
    }

    #[inline(always)]
    pub fn set_shape(&self, shape: u32) {
        let low = self.flags.get() & 0xffff_ffff;
        self.flags.set(low | ((shape as u64) << flags::SHAPE_SHIFT));
    }
}
