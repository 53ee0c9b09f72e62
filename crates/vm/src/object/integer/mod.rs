//! Integer: values. A fixnum is an immediate; everything else lives in a Bignum cell. The arithmetic itself is
//! `int.rs` (plain Rust numbers that may cross to other threads); here lie the fast paths on fixnums and the way
//! between values and numbers.
//!
//! Invariants: an integer that fits into a fixnum is never a cell, so two integers are equal exactly if their words are
//! or both are cells with equal numbers. Cells are frozen and never change.

mod convert;
mod decimal;
#[cfg(test)]
mod differential;
mod division;
mod int;
#[cfg(test)]
mod tests;

pub use convert::ldexp;
pub(crate) use convert::trim_start;
pub use int::{Int, MAX_BITS, TooBig};

use super::handle::{handle, layout};
use super::hashing::{hash_combine, hash_word};
use crate::ctx::{Ctx, header};
use dashu_int::IBig;
use rubellite_value::{Header, Tag, Value, flags};
use std::cmp::Ordering;
use std::sync::Arc;

/// The cell of an integer that is no fixnum. 32 bytes. The number is shared, so that it can be read
/// outside the VM lock.
#[repr(C)]
pub struct RBignum {
    header: Header,
    number: Arc<IBig>,
}

/// The number of positive bignums' headers, the others have 0: extensions in Rust read the sign there, as CRuby keeps
/// it.
const POSITIVE: u16 = 1 << 1;

layout!(RBignum, Tag::Bignum);

handle! {
    /// An Integer that lives in a cell; see [`Int::try_of`] for integers in general.
    Bignum "Integer": RBignum, Tag::Bignum
}

impl RBignum {
    pub(crate) fn memory_size(&self) -> usize {
        size_of::<IBig>() + self.number.as_sign_words().1.len() * 8
    }
}

impl Bignum {
    /// The hash value of the number.
    pub fn hash(self, ctx: &Ctx) -> u64 {
        let seed = ctx.hash_seed();
        let (sign, words) = self.raw().number.as_sign_words();
        words.iter().fold(hash_word(seed, sign as u64), |hash, word| hash_combine(seed, hash, *word))
    }

    /// How many 64-bit words the magnitude has.
    #[inline]
    pub fn word_count(self) -> usize {
        self.raw().number.as_sign_words().1.len()
    }

    pub fn equal(self, other: Bignum) -> bool {
        self.raw().number == other.raw().number
    }
}

impl Int {
    /// The number of an Integer value.
    #[inline]
    pub fn try_of(value: Value) -> Option<Int> {
        if let Some(n) = value.as_fixnum() {
            return Some(Int::Small(n));
        }
        let big = Bignum::try_of(value)?;
        let number = &big.raw().number;
        Some(i64::try_from(&**number).map_or_else(|_| Int::Big(number.clone()), Int::Small))
    }

    /// The Integer value of this number.
    #[inline]
    pub fn into_value(self, ctx: &mut Ctx) -> Value {
        if let Int::Small(n) = self
            && let Some(value) = Value::try_fixnum(n)
        {
            return value;
        }
        ctx.bignum(self)
    }
}

impl Ctx {
    #[cold]
    #[inline(never)]
    fn bignum(&mut self, number: Int) -> Value {
        let number = match number {
            Int::Small(n) => Arc::new(IBig::from(n)),
            Int::Big(n) => n,
        };
        self.note_leaf((number.as_sign_words().1.len() * 8) as isize);
        let header = header(Tag::Bignum, self.classes().integer.get());
        header.set(flags::FROZEN);
        if number.as_sign_words().0 == dashu_int::Sign::Positive {
            // SAFETY: the runtime reads nothing from the number of a bignum.
            unsafe { header.set_aux(POSITIVE) };
        }
        self.alloc(RBignum { header, number })
    }

    /// The Integer `n`.
    #[inline(always)]
    pub fn int(&mut self, n: i64) -> Value {
        match Value::try_fixnum(n) {
            Some(value) => value,
            None => self.bignum(Int::Small(n)),
        }
    }

    /// The Integer `n`.
    #[inline]
    pub fn uint(&mut self, n: u64) -> Value {
        match i64::try_from(n) {
            Ok(n) => self.int(n),
            Err(_) => self.bignum(Int::from(n)),
        }
    }
}

/// Whether a value is an Integer.
#[inline(always)]
pub fn is_integer(value: Value) -> bool {
    value.is_fixnum() || value.has_tag(Tag::Bignum)
}

/// Word counts whose product is larger make a multiplication or division long.
pub const LONG_PRODUCT: usize = 1 << 20;

/// The product of the lengths of two Integers in words; 0 when one is small. Above `LONG_PRODUCT` multiplying them
/// takes so long that it should be done outside the VM lock.
#[inline]
pub fn product_words(a: Value, b: Value) -> usize {
    match (Bignum::try_of(a), Bignum::try_of(b)) {
        (Some(a), Some(b)) => a.word_count().saturating_mul(b.word_count()),
        _ => 0,
    }
}

/// Whether multiplying or dividing two Integers takes so long that it should be done outside the VM lock.
#[inline]
pub fn is_long(a: Value, b: Value) -> bool {
    product_words(a, b) > LONG_PRODUCT
}

/// The number of a value that is known to be an Integer.
#[inline]
fn number(value: Value) -> Int {
    debug_assert!(is_integer(value));
    Int::try_of(value).unwrap_or(Int::ZERO)
}

/// `a + b` for two Integers.
#[inline]
pub fn add(ctx: &mut Ctx, a: Value, b: Value) -> Value {
    match (a.as_fixnum(), b.as_fixnum()) {
        // Two fixnums never overflow 64 bits.
        (Some(a), Some(b)) => ctx.int(a + b),
        _ => number(a).add(&number(b)).into_value(ctx),
    }
}

/// `a - b` for two Integers.
#[inline]
pub fn sub(ctx: &mut Ctx, a: Value, b: Value) -> Value {
    match (a.as_fixnum(), b.as_fixnum()) {
        (Some(a), Some(b)) => ctx.int(a - b),
        _ => number(a).sub(&number(b)).into_value(ctx),
    }
}

/// `a * b` for two Integers.
#[inline]
pub fn mul(ctx: &mut Ctx, a: Value, b: Value) -> Value {
    if let (Some(a), Some(b)) = (a.as_fixnum(), b.as_fixnum())
        && let Some(n) = a.checked_mul(b)
    {
        return ctx.int(n);
    }
    number(a).mul(&number(b)).into_value(ctx)
}

/// `a.div(b)` for two Integers; nothing when `b` is zero.
#[inline]
pub fn div_floor(ctx: &mut Ctx, a: Value, b: Value) -> Option<Value> {
    if let (Some(a), Some(b)) = (a.as_fixnum(), b.as_fixnum()) {
        if b == 0 {
            return None;
        }
        let (q, r) = (a / b, a % b);
        return Some(ctx.int(q - (r != 0 && (r ^ b) < 0) as i64));
    }
    Some(number(a).div_floor(&number(b))?.into_value(ctx))
}

/// `a % b` for two Integers; nothing when `b` is zero.
#[inline]
pub fn modulo(ctx: &mut Ctx, a: Value, b: Value) -> Option<Value> {
    if let (Some(a), Some(b)) = (a.as_fixnum(), b.as_fixnum()) {
        if b == 0 {
            return None;
        }
        let r = a % b;
        return Some(ctx.int(if r != 0 && (r ^ b) < 0 { r + b } else { r }));
    }
    Some(number(a).modulo(&number(b))?.into_value(ctx))
}

/// `-a` for an Integer.
#[inline]
pub fn neg(ctx: &mut Ctx, a: Value) -> Value {
    match a.as_fixnum() {
        Some(a) => ctx.int(-a),
        None => number(a).neg().into_value(ctx),
    }
}

/// `a <=> b` for two Integers.
#[inline]
pub fn cmp(a: Value, b: Value) -> Ordering {
    match (a.as_fixnum(), b.as_fixnum()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => number(a).cmp(&number(b)),
    }
}

/// `a == b` for two Integers.
#[inline]
pub fn equal(a: Value, b: Value) -> bool {
    a == b || matches!((Bignum::try_of(a), Bignum::try_of(b)), (Some(a), Some(b)) if a.equal(b))
}
