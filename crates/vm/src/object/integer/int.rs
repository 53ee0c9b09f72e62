//! Integers of any size as plain Rust values: what arithmetic is done with. They are `Send`, so that long
//! multiplications and conversions can run outside the VM lock. The Ruby values are `mod.rs`; parsing and
//! conversions are `convert.rs`.
//!
//! Invariant: a number is `Big` exactly if it does not fit into an `i64`.

use super::super::ceiling::fits;
use super::super::cow_buf::OutOfMemory;
use super::division;
use dashu_int::fast_div::ConstDivisor;
use dashu_int::ops::{BitTest, Gcd, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, Sign, UBig};
use std::cmp::Ordering;
use std::sync::Arc;

/// Results of more bits than this are refused.
pub const MAX_BITS: u64 = 1 << 32;

/// Unwinds with [`OutOfMemory`] where the embedder allows no number of so many bits.
#[inline]
fn check_room(bits: u64) {
    if !fits((bits / 8) as usize) {
        OutOfMemory.unwind()
    }
}

/// The result would have more than [`MAX_BITS`] bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TooBig;

/// Roots of longer numbers are not the library's business (see `division.rs`).
const LONG_ROOT_WORDS: usize = 7000;

/// An integer of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Int {
    Small(i64),
    Big(Arc<IBig>),
}

use Int::{Big, Small};

/// Both operands as big integers: borrowed when they are, made when not.
macro_rules! with_big {
    ($a:expr, $b:expr, |$x:ident, $y:ident| $body:expr) => {
        match ($a, $b) {
            (Big($x), Big($y)) => {
                let ($x, $y) = (&**$x, &**$y);
                $body
            }
            (Big($x), Small($y)) => {
                let ($x, $y) = (&**$x, &IBig::from(*$y));
                $body
            }
            (Small($x), Big($y)) => {
                let ($x, $y) = (&IBig::from(*$x), &**$y);
                $body
            }
            (Small($x), Small($y)) => {
                let ($x, $y) = (&IBig::from(*$x), &IBig::from(*$y));
                $body
            }
        }
    };
}

impl From<i64> for Int {
    #[inline]
    fn from(n: i64) -> Int {
        Small(n)
    }
}

impl From<u64> for Int {
    fn from(n: u64) -> Int {
        i64::try_from(n).map_or_else(|_| Int::from(IBig::from(n)), Small)
    }
}

impl From<usize> for Int {
    fn from(n: usize) -> Int {
        Int::from(n as u64)
    }
}

impl From<i128> for Int {
    #[inline]
    fn from(n: i128) -> Int {
        i64::try_from(n).map_or_else(|_| Big(Arc::new(IBig::from(n))), Small)
    }
}

impl From<IBig> for Int {
    #[inline]
    fn from(n: IBig) -> Int {
        i64::try_from(&n).map_or_else(|_| Big(Arc::new(n)), Small)
    }
}

impl From<UBig> for Int {
    fn from(n: UBig) -> Int {
        Int::from(IBig::from(n))
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (self, other) {
            (Small(a), Small(b)) => a.cmp(b),
            // What is big lies outside all small numbers.
            (Small(_), Big(b)) => {
                if b.sign() == Sign::Negative {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Big(a), Small(_)) => {
                if a.sign() == Sign::Negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Big(a), Big(b)) => a.cmp(b),
        }
    }
}

impl Int {
    pub const ZERO: Int = Small(0);
    pub const ONE: Int = Small(1);

    // -- sign and size --------------------------------------------------------------------

    #[inline]
    pub fn is_zero(&self) -> bool {
        *self == Small(0)
    }

    #[inline]
    pub fn is_negative(&self) -> bool {
        match self {
            Small(n) => *n < 0,
            Big(n) => n.sign() == Sign::Negative,
        }
    }

    pub fn is_even(&self) -> bool {
        !self.bit(0)
    }

    /// How many 64-bit words the magnitude needs.
    pub fn word_count(&self) -> usize {
        match self {
            Small(_) => 1,
            Big(n) => n.as_sign_words().1.len(),
        }
    }

    /// `Integer#bit_length`: bits without the sign bit in two's complement.
    pub fn bit_length(&self) -> u64 {
        match self {
            Small(n) => 64 - (if *n < 0 { !*n } else { *n }).leading_zeros() as u64,
            Big(n) if n.sign() == Sign::Negative => (!&**n).bit_len() as u64,
            Big(n) => n.bit_len() as u64,
        }
    }

    fn magnitude_bits(&self) -> u64 {
        match self {
            Small(n) => 64 - n.unsigned_abs().leading_zeros() as u64,
            Big(n) => n.bit_len() as u64,
        }
    }

    pub(super) fn to_ibig(&self) -> IBig {
        match self {
            Small(n) => IBig::from(*n),
            Big(n) => (**n).clone(),
        }
    }

    fn magnitude(&self) -> UBig {
        match self {
            Small(n) => UBig::from(n.unsigned_abs()),
            Big(n) => (&**n).unsigned_abs(),
        }
    }

    // -- arithmetic -----------------------------------------------------------------------

    #[inline]
    pub fn add(&self, other: &Int) -> Int {
        if let (Small(a), Small(b)) = (self, other) {
            return Int::from(*a as i128 + *b as i128);
        }
        with_big!(self, other, |a, b| Int::from(a + b))
    }

    #[inline]
    pub fn sub(&self, other: &Int) -> Int {
        if let (Small(a), Small(b)) = (self, other) {
            return Int::from(*a as i128 - *b as i128);
        }
        with_big!(self, other, |a, b| Int::from(a - b))
    }

    #[inline]
    pub fn mul(&self, other: &Int) -> Int {
        match (self, other) {
            (Small(a), Small(b)) => Int::from(*a as i128 * *b as i128),
            (Big(a), Big(b)) => {
                check_room(self.magnitude_bits() + other.magnitude_bits());
                if Arc::ptr_eq(a, b) { Int::from(a.sqr()) } else { Int::from(&**a * &**b) }
            }
            _ => with_big!(self, other, |a, b| Int::from(a * b)),
        }
    }

    pub fn neg(&self) -> Int {
        match self {
            Small(n) => Int::from(-(*n as i128)),
            Big(n) => Int::from(-&**n),
        }
    }

    pub fn abs(&self) -> Int {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Quotient rounded down and remainder with the sign of the divisor; nothing for a zero divisor.
    pub fn divmod(&self, other: &Int) -> Option<(Int, Int)> {
        if other.is_zero() {
            return None;
        }
        if let (Small(a), Small(b)) = (self, other) {
            let (a, b) = (*a as i128, *b as i128);
            let (q, r) = (a / b, a % b);
            let down = r != 0 && (r < 0) != (b < 0);
            return Some((Int::from(q - down as i128), Int::from(if down { r + b } else { r })));
        }
        let (q, r) = with_big!(self, other, |a, b| division::div_rem(a, b));
        let (q, r) = (Int::from(q), Int::from(r));
        if !r.is_zero() && r.is_negative() != other.is_negative() {
            return Some((q.sub(&Int::ONE), r.add(other)));
        }
        Some((q, r))
    }

    /// `Integer#div`: the quotient rounded down.
    pub fn div_floor(&self, other: &Int) -> Option<Int> {
        Some(self.divmod(other)?.0)
    }

    /// `Integer#%`: the remainder with the sign of the divisor.
    pub fn modulo(&self, other: &Int) -> Option<Int> {
        Some(self.divmod(other)?.1)
    }

    /// `Integer#remainder`: the remainder with the sign of the dividend.
    pub fn remainder(&self, other: &Int) -> Option<Int> {
        if other.is_zero() {
            return None;
        }
        if let (Small(a), Small(b)) = (self, other) {
            return Some(Small(a.wrapping_rem(*b)));
        }
        Some(with_big!(self, other, |a, b| Int::from(division::div_rem(a, b).1)))
    }

    /// `self ** exponent`.
    pub fn pow(&self, exponent: u64) -> Result<Int, TooBig> {
        match self {
            _ if exponent == 0 => return Ok(Int::ONE),
            Small(0 | 1) => return Ok(self.clone()),
            Small(-1) => return Ok(Small(if exponent.is_multiple_of(2) { 1 } else { -1 })),
            _ => {}
        }
        let bits = self.magnitude_bits();
        if exponent.checked_mul(bits).is_none_or(|n| n > MAX_BITS) {
            return Err(TooBig);
        }
        check_room(exponent * bits);
        match self {
            Small(n) if exponent * bits < 63 => Ok(Small(n.pow(exponent as u32))),
            _ => Ok(Int::from(self.to_ibig().pow(exponent as usize))),
        }
    }

    /// `Integer#pow(exponent, modulus)` with an exponent that is not negative; the result has the sign of the
    /// modulus. Nothing for the modulus zero.
    pub fn modpow(&self, exponent: &Int, modulus: &Int) -> Option<Int> {
        debug_assert!(!exponent.is_negative());
        if modulus.is_zero() {
            return None;
        }
        let size = modulus.magnitude();
        if size == UBig::ONE {
            return Some(Int::ZERO);
        }
        // The ring divides by one word without asking whether the quotient fits into one.
        let base = self.modulo(&Int::from(size.clone()))?;
        let ring = ConstDivisor::new(size);
        let power = Int::from(ring.reduce(base.to_ibig()).pow(&exponent.magnitude()).residue());
        if modulus.is_negative() && !power.is_zero() { Some(power.add(modulus)) } else { Some(power) }
    }

    /// `Integer.sqrt`: nothing for negative numbers.
    pub fn isqrt(&self) -> Option<Int> {
        if self.is_negative() {
            return None;
        }
        match self {
            Small(n) => Some(Small(n.isqrt())),
            Big(_) if self.word_count() > LONG_ROOT_WORDS => Some(self.long_isqrt()),
            Big(n) => Some(Int::from(SquareRoot::sqrt(&**n))),
        }
    }

    /// The root of a very long number by Newton's method, from the root of its upper half on: that one, rounded up,
    /// is an estimate from above, and the first step that does not go down ends at the root.
    fn long_isqrt(&self) -> Int {
        let half = self.bit_length() / 4;
        let upper = self.shr_bits(2 * half).isqrt().unwrap_or(Int::ZERO);
        let mut root = upper.add(&Int::ONE).shl_bits(half).unwrap_or(Int::ONE);
        loop {
            let next = root.add(&self.div_floor(&root).unwrap_or(Int::ZERO)).shr_bits(1);
            if next >= root {
                return root;
            }
            root = next;
        }
    }

    pub fn gcd(&self, other: &Int) -> Int {
        if self.is_zero() {
            return other.abs();
        }
        if other.is_zero() {
            return self.abs();
        }
        match (self, other) {
            (Small(a), Small(b)) => Int::from(gcd_words(a.unsigned_abs(), b.unsigned_abs())),
            // One division makes both small.
            (Big(_), Small(b)) => {
                let rest = self.remainder(other).and_then(|r| r.to_i64()).unwrap_or(0);
                Int::from(gcd_words(b.unsigned_abs(), rest.unsigned_abs()))
            }
            (Small(_), Big(_)) => other.gcd(self),
            (Big(a), Big(b)) => {
                // Without their factors of two, numbers have no long runs of zeros at the end (see `division.rs`).
                let twos = |n: &IBig| n.trailing_zeros().unwrap_or(0);
                let (i, j) = (twos(a), twos(b));
                let odd = (&**a >> i).gcd(&**b >> j);
                Int::from(IBig::from(odd) << i.min(j))
            }
        }
    }

    pub fn lcm(&self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        let part = self.abs().div_floor(&self.gcd(other)).unwrap_or(Int::ZERO);
        part.mul(&other.abs())
    }

    // -- bits -----------------------------------------------------------------------------

    pub fn and(&self, other: &Int) -> Int {
        match (self, other) {
            (Small(a), Small(b)) => Small(a & b),
            // A mask that is not negative leaves only low bits.
            (Small(mask), Big(big)) | (Big(big), Small(mask)) if *mask >= 0 => Small(mask & low_word(big) as i64),
            _ => with_big!(self, other, |a, b| Int::from(a & b)),
        }
    }

    pub fn or(&self, other: &Int) -> Int {
        match (self, other) {
            (Small(a), Small(b)) => Small(a | b),
            _ => with_big!(self, other, |a, b| Int::from(a | b)),
        }
    }

    pub fn xor(&self, other: &Int) -> Int {
        match (self, other) {
            (Small(a), Small(b)) => Small(a ^ b),
            _ => with_big!(self, other, |a, b| Int::from(a ^ b)),
        }
    }

    pub fn not(&self) -> Int {
        match self {
            Small(n) => Small(!n),
            Big(n) => Int::from(!&**n),
        }
    }

    /// Bit `n` in two's complement.
    pub fn bit(&self, n: u64) -> bool {
        match self {
            Small(i) => i >> n.min(63) & 1 != 0,
            Big(i) if n >= i.bit_len() as u64 => i.sign() == Sign::Negative,
            Big(i) => i.bit(n as usize),
        }
    }

    /// Shifts to the left; negative widths shift to the right, rounding down.
    pub fn shl(&self, width: &Int) -> Result<Int, TooBig> {
        match width {
            Small(width) if *width < 0 => Ok(self.shr_bits(width.unsigned_abs())),
            Small(width) => self.shl_bits(*width as u64),
            Big(_) if width.is_negative() => Ok(self.shr_bits(u64::MAX)),
            Big(_) => self.shl_bits(u64::MAX),
        }
    }

    /// Shifts to the right, rounding down; negative widths shift to the left.
    pub fn shr(&self, width: &Int) -> Result<Int, TooBig> {
        self.shl(&width.neg())
    }

    pub fn shl_bits(&self, width: u64) -> Result<Int, TooBig> {
        if self.is_zero() {
            return Ok(Int::ZERO);
        }
        let bits = self.magnitude_bits();
        if width.checked_add(bits).is_none_or(|n| n > MAX_BITS) {
            return Err(TooBig);
        }
        check_room(width + bits);
        match self {
            Small(n) if bits + width < 64 => Ok(Small(n << width)),
            Small(n) => Ok(Int::from(IBig::from(*n) << width as usize)),
            Big(n) => Ok(Int::from(&**n << width as usize)),
        }
    }

    pub fn shr_bits(&self, width: u64) -> Int {
        match self {
            Small(n) => Small(n >> width.min(63)),
            Big(n) if width >= n.bit_len() as u64 => Small(if self.is_negative() { -1 } else { 0 }),
            Big(n) => Int::from(&**n >> width as usize),
        }
    }
}

/// Euclid's algorithm.
fn gcd_words(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The low 64 bits in two's complement.
pub(super) fn low_word(n: &IBig) -> u64 {
    let (sign, words) = n.as_sign_words();
    let low = words.first().copied().unwrap_or(0);
    if sign == Sign::Negative { low.wrapping_neg() } else { low }
}
