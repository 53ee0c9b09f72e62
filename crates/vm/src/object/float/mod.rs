//! Float: layout and values. Most floats are immediates (flonum); the extremes live in cells. Text is `text.rs`,
//! rounding and division with a remainder are `round.rs`.

mod round;
mod text;

pub use round::{ceil, divmod, floor, modulo, round, truncate};
pub use text::{out_of_range, parse, shortest_digits, to_s};

use super::handle::{handle, layout};
use super::hashing::hash_word;
use super::integer::Int;
use crate::ctx::{Ctx, header};
use rubellite_value::{Header, Tag, Value, flags};

/// The cell of a float. 32 bytes.
#[repr(C)]
pub struct RFloat {
    header: Header,
    value: f64,
}

layout!(RFloat, Tag::Float);

/// Where the number lies in the cell.
pub(crate) const fn float_offset() -> usize {
    std::mem::offset_of!(RFloat, value)
}

handle! {
    /// A Float that lives in a cell; see [`Float::value_of`] for floats in general.
    Float "Float": RFloat, Tag::Float
}

/// What decides between two candidates that are equally near (`half:` of the rounding methods).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// Away from zero.
    HalfUp,
    /// Towards zero.
    HalfDown,
    HalfEven,
}

/// A rounded float: a Float when digits behind the point were asked for, else an Integer.
#[derive(Clone, PartialEq, Debug)]
pub enum Rounded {
    Float(f64),
    Int(Int),
}

/// The exact fraction that a finite float is, in lowest terms with a positive denominator.
pub fn fraction(f: f64) -> Option<(Int, Int)> {
    if !f.is_finite() {
        return None;
    }
    let bits = f.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i64;
    let low = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) = if biased == 0 { (low, -1074) } else { (low | 1 << 52, biased - 1075) };
    if mantissa == 0 {
        return Some((Int::ZERO, Int::ONE));
    }
    let twos = mantissa.trailing_zeros() as i64;
    let mantissa = Int::from((mantissa >> twos) * if f < 0.0 { -1 } else { 1 });
    let exponent = exponent + twos;
    let power = |width: i64, n: Int| n.shl_bits(width as u64).ok();
    if exponent >= 0 {
        Some((power(exponent, mantissa)?, Int::ONE))
    } else {
        Some((mantissa, power(-exponent, Int::ONE)?))
    }
}

impl Float {
    /// The number in this cell.
    #[inline(always)]
    pub fn get(self) -> f64 {
        self.raw().value
    }

    /// The number, when `value` is a Float of either form.
    #[inline(always)]
    pub fn value_of(value: Value) -> Option<f64> {
        if value.is_flonum() {
            return Some(value.as_flonum_unchecked());
        }
        Float::try_of(value).map(Float::get)
    }

    /// The hash value of a number: one for both zeros.
    #[inline]
    pub fn hash(ctx: &Ctx, f: f64) -> u64 {
        let f = if f == 0.0 { 0.0 } else { f };
        hash_word(ctx.hash_seed() ^ 0x464c_4f41_5400, f.to_bits())
    }
}

impl Ctx {
    /// The Float `f`: an immediate whenever its exponent allows.
    #[inline(always)]
    pub fn float(&mut self, f: f64) -> Value {
        match Value::try_flonum(f) {
            Some(value) => value,
            None => self.float_cell(f),
        }
    }

    #[cold]
    #[inline(never)]
    fn float_cell(&mut self, f: f64) -> Value {
        let header = header(Tag::Float, self.classes().float.get());
        header.set(flags::FROZEN);
        self.alloc(RFloat { header, value: f })
    }
}
