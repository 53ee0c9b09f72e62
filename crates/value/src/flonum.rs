//! Floats as immediates: the exponent's top bits are rotated into the tag.
//!
//! A double whose exponent lies in the middle of the range (about 1.7e-77 to 1.15e77) and zero fit
//! into the 62 bits beside the tag `10`; all others need a heap cell. The encoding is CRuby's.

const ZERO: u64 = 0x8000_0000_0000_0002;

/// The tagged word for `f`, or `None` when the exponent is out of range (also -0.0, NaN, infinity).
#[inline(always)]
pub fn encode(f: f64) -> Option<u64> {
    let bits = f.to_bits();
    // Bits 60..=62 tell the range: 3 and 4 are the middle of the exponents.
    let range = (bits >> 60) & 7;
    if range == 3 || range == 4 {
        // 1.7272337110188893e-77 would collide with the code for zero.
        if bits != 0x3000_0000_0000_0000 {
            return Some((bits.rotate_left(3) & !3) | 2);
        }
        return None;
    }
    if bits == 0 { Some(ZERO) } else { None }
}

#[inline(always)]
pub fn decode(word: u64) -> f64 {
    if word == ZERO {
        return 0.0;
    }
    let top = word >> 63;
    f64::from_bits(((2 - top) | (word & !3)).rotate_right(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        for f in [0.0, 1.0, -1.0, 0.1, 3.5e70, -2.25e-70, 1e10, std::f64::consts::PI, 2.0, -2.0, 4.0, 0.5] {
            assert_eq!(encode(f).map(decode).map(f64::to_bits), Some(f.to_bits()), "{f}");
        }
    }

    #[test]
    fn leaves_extremes_to_the_heap() {
        for f in [-0.0, f64::NAN, f64::INFINITY, 1e300, 1e-300, 5e-324] {
            assert_eq!(encode(f), None, "{f}");
        }
    }
}
