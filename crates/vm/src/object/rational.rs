//! Rational: layout. Two Integers in lowest terms with a positive denominator; never changed. Keeping them so is
//! the business of whoever makes one (`Rational::reduce` does).

use super::handle::{handle, layout};
use super::integer::Int;
use crate::ctx::{Ctx, header};
use rubellite_value::{Header, Tag, Value, flags};

/// The cell of a rational number. 32 bytes.
#[repr(C)]
pub struct RRational {
    header: Header,
    num: Value,
    den: Value,
}

layout!(RRational, Tag::Rational);

handle! {
    /// A Rational.
    Rational "Rational": RRational, Tag::Rational
}

impl RRational {
    pub(crate) fn trace<F: FnMut(Value)>(&self, mut visit: F) {
        visit(self.num);
        visit(self.den);
    }
}

impl Rational {
    /// A new Rational of two Integers that are already in lowest terms, `den` positive.
    pub fn new(ctx: &mut Ctx, num: Value, den: Value) -> Rational {
        let header = header(Tag::Rational, ctx.classes().rational.get());
        header.set(flags::FROZEN);
        Rational(ctx.alloc(RRational { header, num, den }))
    }

    /// A new Rational in lowest terms; nothing when `den` is zero.
    pub fn reduce(ctx: &mut Ctx, num: &Int, den: &Int) -> Option<Rational> {
        let (num, den) = lowest_terms(num, den)?;
        let num = num.into_value(ctx);
        let den = den.into_value(ctx);
        Some(Rational::new(ctx, num, den))
    }

    /// The numerator, an Integer.
    #[inline]
    pub fn num(self) -> Value {
        self.raw().num
    }

    /// The denominator, a positive Integer.
    #[inline]
    pub fn den(self) -> Value {
        self.raw().den
    }

    /// Both as plain numbers.
    pub fn parts(self) -> (Int, Int) {
        let part = |v| Int::try_of(v).unwrap_or(Int::ONE);
        (part(self.num()), part(self.den()))
    }
}

/// The fraction in lowest terms with a positive denominator; nothing when `den` is zero.
pub fn lowest_terms(num: &Int, den: &Int) -> Option<(Int, Int)> {
    let gcd = num.gcd(den);
    let (num, den) = (num.div_floor(&gcd)?, den.div_floor(&gcd)?);
    match (den.is_zero(), den.is_negative()) {
        (true, _) => None,
        (_, true) => Some((num.neg(), den.neg())),
        _ => Some((num, den)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduces() {
        let terms = |a: i64, b: i64| lowest_terms(&Int::from(a), &Int::from(b));
        assert_eq!(terms(6, -4), Some((Int::from(-3i64), Int::from(2i64))));
        assert_eq!(terms(0, 5), Some((Int::ZERO, Int::ONE)));
        assert_eq!(terms(5, 0), None);
        assert_eq!(terms(0, 0), None);
    }
}
