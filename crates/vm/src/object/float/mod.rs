//! Float: layout and values. Most floats are immediates (flonum); the extremes live in cells.

use super::handle::{handle, layout};
use super::hashing::hash_word;
use crate::ctx::{Ctx, header};
use rubellite_value::{Header, Tag, Value, flags};

/// The cell of a float. 32 bytes.
#[repr(C)]
pub struct RFloat {
    header: Header,
    value: f64,
}

layout!(RFloat, Tag::Float);

handle! {
    /// A Float that lives in a cell; see [`Float::value_of`] for floats in general.
    Float: RFloat, Tag::Float
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
