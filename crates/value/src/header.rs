//! The two words that begin every heap cell.

use crate::Value;
use std::cell::Cell;

/// What lies in a heap cell. What CRuby has a type for bears CRuby's number, because extensions in C index their own
/// tables by it. `Free` must be 0. The others have numbers that no cell bears there.
#[repr(u8)]
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum Tag {
    /// An unused cell.
    Free = 0,
    /// An instance with instance variables and nothing else.
    Object = 1,
    Class = 2,
    Module = 3,
    Float = 4,
    String = 5,
    Regexp = 6,
    Array = 7,
    Hash = 8,
    /// Instances of Struct and Data.
    Struct = 9,
    Bignum = 10,
    /// Data of an extension in C.
    CData = 12,
    MatchData = 13,
    Complex = 14,
    Rational = 15,
    Range = 16,
    /// Linked code.
    Code = 17,
    /// A method's definition.
    MethodEntry = 18,
    /// A pending non-local exit, kept while an ensure clause runs.
    Unwind = 19,
    /// Native data with its own trace and drop functions (IO, Thread, Time, Encoding ...).
    Data = 22,
    Proc = 23,
    /// Method and UnboundMethod.
    Method = 24,
    Exception = 25,
    /// Captured local variables of one activation.
    Env = 26,
    /// Lexical class nesting.
    Cref = 27,
    /// The stand-in for a module in the ancestry of a class.
    IClass = 28,
    Binding = 31,
}

impl Tag {
    pub const COUNT: usize = 32;
    /// A bit for each number that is a tag.
    const KNOWN: u32 = !(1 << 11 | 1 << 20 | 1 << 21 | 1 << 29 | 1 << 30);

    #[inline(always)]
    pub fn from_u8(n: u8) -> Tag {
        debug_assert!(Tag::KNOWN >> n & 1 == 1);
        // SAFETY: the header's low five bits are only ever written from a Tag.
        unsafe { std::mem::transmute::<u8, Tag>(n) }
    }
}

/// One bit of the flags word. There are those of [`flags`] and no others, so that no bit of the tag can be set as one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Flag(u64);

impl Flag {
    /// The bit in the word.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        self.0
    }
}

/// Both bits: `has` asks for either.
impl std::ops::BitOr for Flag {
    type Output = Flag;

    #[inline(always)]
    fn bitor(self, other: Flag) -> Flag {
        Flag(self.0 | other.0)
    }
}

/// Bits of the flags word.
pub mod flags {
    use super::Flag;

    pub const TAG_MASK: u64 = 0x1f;
    /// The object refuses modification.
    pub const FROZEN: Flag = Flag(1 << 5);
    /// Instance variables of this cell live in the VM's side table.
    pub const GENERIC_IVARS: Flag = Flag(1 << 6);
    /// A singleton class; an object of such a class.
    pub const SINGLETON: Flag = Flag(1 << 7);
    /// The object has been given an object_id, kept in the VM's side table.
    pub const HAS_ID: Flag = Flag(1 << 8);
    /// A finalizer is registered for the object.
    pub const FINALIZER: Flag = Flag(1 << 9);
    /// Bits 10..=13 belong to the type.
    pub const TYPE_0: Flag = Flag(1 << 10);
    pub const TYPE_1: Flag = Flag(1 << 11);
    pub const TYPE_2: Flag = Flag(1 << 12);
    pub const TYPE_3: Flag = Flag(1 << 13);
    /// The collector's: a reference that is stored into the object must be told to it, see `write_barrier` of the crate
    /// `gc`.
    pub const OLD: Flag = Flag(1 << 14);
    /// Several ractors may see the object.
    pub const SHAREABLE: Flag = Flag(1 << 15);
    /// Bits 16..=31: a 16-bit number that belongs to the type (embedded length, encoding ...).
    pub const AUX_SHIFT: u32 = 16;
    pub const AUX_MASK: u64 = 0xffff << AUX_SHIFT;
    /// The highest bit of that number, for types whose numbers are smaller.
    pub const AUX_TOP: Flag = Flag(1 << 31);
    /// Bits 32..=63: the shape of the instance variables.
    pub const SHAPE_SHIFT: u32 = 32;
}

/// The first two words of every heap cell.
#[repr(C)]
pub struct Header {
    flags: Cell<u64>,
    /// The object's class (its singleton class when it has one).
    pub klass: Cell<Value>,
}

impl Header {
    #[inline(always)]
    pub fn new(tag: Tag, klass: Value) -> Header {
        Header { flags: Cell::new(tag as u64), klass: Cell::new(klass) }
    }

    /// The whole word: tag, flags, number and shape.
    #[inline(always)]
    pub fn word(&self) -> u64 {
        self.flags.get()
    }

    /// # Safety
    /// The cell is of the type that the word says.
    #[inline(always)]
    pub unsafe fn set_word(&self, word: u64) {
        self.flags.set(word);
    }

    /// Whether the word is the first of a cell with that tag.
    pub fn is_of(word: u64, tag: Tag) -> bool {
        word & flags::TAG_MASK == tag as u64
    }

    #[inline(always)]
    pub fn tag(&self) -> Tag {
        Tag::from_u8((self.flags.get() & flags::TAG_MASK) as u8)
    }

    #[inline(always)]
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.get() & flag.0 != 0
    }

    #[inline(always)]
    pub fn set(&self, flag: Flag) {
        self.flags.set(self.flags.get() | flag.0);
    }

    #[inline(always)]
    pub fn clear(&self, flag: Flag) {
        self.flags.set(self.flags.get() & !flag.0);
    }

    #[inline(always)]
    pub fn put(&self, flag: Flag, on: bool) {
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

    /// # Safety
    /// What the number says of the cell is true, as far as memory depends on it.
    #[inline(always)]
    pub unsafe fn set_aux(&self, n: u16) {
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
