//! Division of very long numbers by halves (Burnikel and Ziegler). The library's own division fails for divisors of
//! more than 8000 words when a product of two zero blocks comes up, so those are first cut down to safe sizes here.

use dashu_int::ops::{BitTest, DivRem};
use dashu_int::{IBig, Sign, UBig};

/// Divisors of up to this many bits are the library's business.
const SAFE_BITS: usize = 7000 * 64;

/// Quotient rounded towards zero and remainder with the sign of the dividend; `b` is not zero.
pub fn div_rem(a: &IBig, b: &IBig) -> (IBig, IBig) {
    if b.bit_len() <= SAFE_BITS {
        return a.div_rem(b);
    }
    let (a_sign, a) = a.clone().into_parts();
    let (b_sign, b) = b.clone().into_parts();
    let (quotient, rest) = div_rem_long(&a, &b);
    let sign = if a_sign == b_sign { Sign::Positive } else { Sign::Negative };
    (IBig::from_parts(sign, quotient), IBig::from_parts(a_sign, rest))
}

/// Divides the dividend piece by piece, each as long as the divisor, whose length is made divisible by two often
/// enough.
fn div_rem_long(a: &UBig, b: &UBig) -> (UBig, UBig) {
    let mut unit = 1;
    while b.bit_len() / unit > SAFE_BITS / 2 {
        unit *= 2;
    }
    let bits = b.bit_len().next_multiple_of(unit);
    let shift = bits - b.bit_len();
    let (a, b) = (a << shift, b << shift);
    let (mut quotient, mut rest) = (UBig::ZERO, UBig::ZERO);
    for piece in (0..a.bit_len().div_ceil(bits)).rev() {
        let digit = low_bits(&(&a >> (piece * bits)), bits);
        let (q, r) = div_two_by_one(&((rest << bits) | digit), &b, bits);
        quotient = (quotient << bits) | q;
        rest = r;
    }
    (quotient, rest >> shift)
}

fn low_bits(n: &UBig, bits: usize) -> UBig {
    let mut low = n.clone();
    low.clear_high_bits(bits);
    low
}

/// `a / b` for a `b` of exactly `bits` bits and `a < b << bits`.
fn div_two_by_one(a: &UBig, b: &UBig, bits: usize) -> (UBig, UBig) {
    if bits <= SAFE_BITS || bits % 2 == 1 {
        return a.div_rem(b);
    }
    let half = bits / 2;
    let (high, rest) = div_three_by_two(&(a >> half), b, half);
    let (low, rest) = div_three_by_two(&((rest << half) | low_bits(a, half)), b, half);
    ((high << half) | low, rest)
}

/// `a / b` for a `b` of exactly `2 * half` bits and `a < b << half`: the quotient of the upper parts is too large by
/// at most two.
fn div_three_by_two(a: &UBig, b: &UBig, half: usize) -> (UBig, UBig) {
    let (upper, b_high, b_low) = (a >> half, b >> half, low_bits(b, half));
    let (mut quotient, rest) = if &upper >> half >= b_high {
        let quotient = (UBig::ONE << half) - UBig::ONE;
        let rest = upper - (&b_high << half) + &b_high;
        (quotient, rest)
    } else {
        div_two_by_one(&upper, &b_high, half)
    };
    let mut rest = IBig::from((rest << half) | low_bits(a, half)) - IBig::from(&quotient * &b_low);
    while rest.sign() == Sign::Negative {
        rest += IBig::from(b.clone());
        quotient -= UBig::ONE;
    }
    (quotient, rest.into_parts().1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_divisions() {
        let one = || IBig::ONE;
        let cases = [
            (one() << 6_000_000, (one() << 3_000_000) + one()),
            (one() << 6_000_000, one() << 3_000_000),
            (IBig::from(3) << 5_000_001, IBig::from(-5) << 1_000_003),
            (-(one() << 3_000_000), (one() << 2_999_999) - one()),
            (one() << 10, one() << 1_000_000),
        ];
        for (a, b) in cases {
            let (q, r) = div_rem(&a, &b);
            assert!(&q * &b + &r == a);
            assert!(r.clone().into_parts().1 < b.clone().into_parts().1);
            assert!(r == IBig::ZERO || r.sign() == a.sign());
        }
    }
}
