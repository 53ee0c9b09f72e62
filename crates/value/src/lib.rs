//! The value word and the object header: everything that heap, VM and native code agree on.
//!
//! A [`Value`] is one 64-bit word with CRuby's immediate encodings, so that a C interface stays
//! possible. A word is either an immediate (fixnum, flonum, static symbol, nil, true, false, undef)
//! or the address of a heap cell that begins with a [`Header`].
//!
//! Invariants: heap cells are 16-byte aligned and never lie below address 4096, so that a pointer
//! is told from an immediate by its low three bits and by not being `nil` or `false`; `Value` is
//! neither `Send` nor `Sync`, so that a closure that runs outside the VM lock cannot hold one.
//!
//! Layouts of the single object types live in the VM crate; allocation lives in the heap crate.

mod flonum;
mod header;

pub use header::{Flag, Header, Tag, flags};

use std::marker::PhantomData;

/// An interned symbol: an index into the VM's symbol table.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sym(pub u32);

/// One Ruby value: an immediate or a pointer to a heap cell.
#[repr(transparent)]
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Value(u64, PhantomData<*mut ()>);

/// The largest integer that is an immediate (2^62 - 1).
pub const FIXNUM_MAX: i64 = i64::MAX >> 1;
/// The smallest integer that is an immediate (-2^62).
pub const FIXNUM_MIN: i64 = i64::MIN >> 1;

const SYMBOL_TAG: u64 = 0x0c;

impl Value {
    pub const FALSE: Value = Value::word(0x00);
    pub const NIL: Value = Value::word(0x04);
    pub const TRUE: Value = Value::word(0x14);
    /// "No value": an absent argument or an empty slot. Never visible to Ruby code.
    pub const UNDEF: Value = Value::word(0x24);

    /// The class word of a cell that Ruby does not see.
    pub const HIDDEN: Value = Value::FALSE;

    #[inline(always)]
    const fn word(bits: u64) -> Value {
        Value(bits, PhantomData)
    }

    /// The value of a word.
    ///
    /// # Safety
    /// The word is an immediate or the address of a living heap cell. One with other low bits may be made as long as
    /// nobody asks for its header.
    #[inline(always)]
    pub const unsafe fn from_bits(bits: u64) -> Value {
        Value(bits, PhantomData)
    }

    /// The value of a word that is an immediate.
    #[inline(always)]
    pub const fn immediate(bits: u64) -> Option<Value> {
        let value = Value::word(bits);
        let special = matches!(bits, 0x00 | 0x04 | 0x14 | 0x24);
        if special || value.is_fixnum() || value.is_flonum() || value.is_symbol() { Some(value) } else { None }
    }

    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub const fn from_bool(b: bool) -> Value {
        if b { Value::TRUE } else { Value::FALSE }
    }

    /// Everything except `nil` and `false` is true.
    #[inline(always)]
    pub const fn truthy(self) -> bool {
        self.0 & !Value::NIL.0 != 0
    }

    #[inline(always)]
    pub const fn is_nil(self) -> bool {
        self.0 == Value::NIL.0
    }

    #[inline(always)]
    pub const fn is_undef(self) -> bool {
        self.0 == Value::UNDEF.0
    }

    /// This value, or `None` when it is [`Value::UNDEF`].
    #[inline(always)]
    pub const fn defined(self) -> Option<Value> {
        if self.is_undef() { None } else { Some(self) }
    }

    // -- fixnum ---------------------------------------------------------------------------

    #[inline(always)]
    pub const fn is_fixnum(self) -> bool {
        self.0 & 1 != 0
    }

    /// The fixnum `n`, which the caller knows to be within [`FIXNUM_MIN`]..=[`FIXNUM_MAX`].
    #[inline(always)]
    pub const fn fixnum(n: i64) -> Value {
        debug_assert!(n >= FIXNUM_MIN && n <= FIXNUM_MAX);
        Value::word(((n as u64) << 1) | 1)
    }

    /// The fixnum `n`, or `None` when `n` needs a big integer.
    #[inline(always)]
    pub const fn try_fixnum(n: i64) -> Option<Value> {
        if n >= FIXNUM_MIN && n <= FIXNUM_MAX { Some(Value::word(((n as u64) << 1) | 1)) } else { None }
    }

    /// The integer of a word that is known to be a fixnum.
    #[inline(always)]
    pub const fn as_fixnum_unchecked(self) -> i64 {
        (self.0 as i64) >> 1
    }

    #[inline(always)]
    pub const fn as_fixnum(self) -> Option<i64> {
        if self.is_fixnum() { Some(self.as_fixnum_unchecked()) } else { None }
    }

    // -- flonum ---------------------------------------------------------------------------

    #[inline(always)]
    pub const fn is_flonum(self) -> bool {
        self.0 & 3 == 2
    }

    /// The immediate for `f`, or `None` when its exponent does not fit and it needs a heap cell.
    #[inline(always)]
    pub fn try_flonum(f: f64) -> Option<Value> {
        flonum::encode(f).map(Value::word)
    }

    /// The float of a word that is known to be a flonum.
    #[inline(always)]
    pub fn as_flonum_unchecked(self) -> f64 {
        flonum::decode(self.0)
    }

    // -- symbol ---------------------------------------------------------------------------

    #[inline(always)]
    pub const fn is_symbol(self) -> bool {
        self.0 & 0xff == SYMBOL_TAG
    }

    /// nil, true or a symbol: equal to itself alone, whose word tells it from all else.
    #[inline(always)]
    pub const fn is_unique(self) -> bool {
        self.0 & 7 == 4
    }

    #[inline(always)]
    pub const fn symbol(sym: Sym) -> Value {
        Value::word(((sym.0 as u64) << 8) | SYMBOL_TAG)
    }

    #[inline(always)]
    pub const fn as_symbol(self) -> Option<Sym> {
        if self.is_symbol() { Some(Sym((self.0 >> 8) as u32)) } else { None }
    }

    // -- heap -----------------------------------------------------------------------------

    /// Whether this word is the address of a heap cell.
    #[inline(always)]
    pub const fn is_heap(self) -> bool {
        self.0 & 7 == 0 && self.0 != 0
    }

    #[inline(always)]
    pub const fn is_immediate(self) -> bool {
        !self.is_heap()
    }

    /// The value whose cell lies at `ptr`.
    ///
    /// # Safety
    /// A cell of the heap lies there, and it begins with a [`Header`] before anybody looks at the value.
    #[inline(always)]
    pub unsafe fn from_ptr<T>(ptr: *const T) -> Value {
        Value::word(ptr as u64)
    }

    #[inline(always)]
    pub const fn as_ptr<T>(self) -> *mut T {
        self.0 as *mut T
    }

    /// The header of a heap value, or `None` for an immediate.
    #[inline(always)]
    pub fn header(&self) -> Option<&Header> {
        // SAFETY: a heap word is the address of a live cell, and every cell begins with a Header.
        if self.is_heap() { Some(unsafe { &*self.as_ptr::<Header>() }) } else { None }
    }

    /// The header of a word that is known to be a heap value.
    ///
    /// # Safety
    /// `self.is_heap()` must hold.
    #[inline(always)]
    pub unsafe fn header_unchecked(&self) -> &Header {
        // SAFETY: the caller guarantees that this is the address of a live cell.
        unsafe { &*self.as_ptr::<Header>() }
    }

    /// Whether this is a heap value of type `tag`.
    #[inline(always)]
    pub fn has_tag(self, tag: Tag) -> bool {
        // SAFETY: `is_heap` was checked.
        self.is_heap() && unsafe { self.header_unchecked() }.tag() == tag
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Value::NIL => f.write_str("nil"),
            Value::TRUE => f.write_str("true"),
            Value::FALSE => f.write_str("false"),
            Value::UNDEF => f.write_str("undef"),
            v => match (v.as_fixnum(), v.as_symbol()) {
                (Some(n), _) => write!(f, "{n}"),
                (_, Some(s)) => write!(f, "sym:{}", s.0),
                _ if v.is_flonum() => write!(f, "{:?}", v.as_flonum_unchecked()),
                _ => write!(f, "{:?}@{:#x}", v.header().map(Header::tag), v.0),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truthiness_is_decided_by_one_mask() {
        assert!(!Value::NIL.truthy() && !Value::FALSE.truthy());
        assert!(Value::TRUE.truthy() && Value::fixnum(0).truthy());
    }

    #[test]
    fn fixnums_round_trip_at_the_limits() {
        for n in [0, 1, -1, FIXNUM_MAX, FIXNUM_MIN] {
            assert_eq!(Value::try_fixnum(n).and_then(Value::as_fixnum), Some(n));
        }
        assert_eq!(Value::try_fixnum(FIXNUM_MAX + 1), None);
        assert_eq!(Value::try_fixnum(FIXNUM_MIN - 1), None);
    }

    #[test]
    fn immediates_are_disjoint() {
        let all = [Value::NIL, Value::TRUE, Value::FALSE, Value::UNDEF, Value::fixnum(3), Value::symbol(Sym(7))];
        for v in all {
            assert!(v.is_immediate());
            let kinds = [v.is_fixnum(), v.is_flonum(), v.is_symbol()];
            assert!(kinds.iter().filter(|k| **k).count() <= 1);
        }
    }
}
