//! Every operation on big integers against another library and plain arithmetic, on operands of the shapes at which
//! carries, estimates of quotients and changes of algorithm go wrong: dense, sparse, runs of equal bits, near powers of
//! two, unequal lengths, nearly equal ones.

use super::*;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// A generator of the xorshift family: the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn magnitude(&mut self, words_max: usize) -> Vec<u64> {
        let bound = [3, 40, words_max][self.below(3)];
        let len = 1 + self.below(bound.min(words_max));
        let mut words = vec![0; len];
        match self.below(6) {
            0 => words.fill_with(|| self.next()),
            1 => words.fill_with(|| match self.below(4) {
                0 => 0,
                1 => u64::MAX,
                2 => self.next(),
                _ => 1 << self.below(64),
            }),
            // A power of two with some bits changed, and its complement.
            shape @ (2 | 3) => {
                if shape == 3 {
                    words.fill(u64::MAX);
                }
                words[len - 1] ^= 1 << self.below(64);
                for _ in 0..self.below(4) {
                    let at = self.below(len);
                    words[at] ^= 1 << self.below(64);
                }
            }
            4 => {
                let mut at = 0;
                while at < len {
                    let end = (at + 1 + self.below(len)).min(len);
                    let kind = self.below(3);
                    words[at..end].fill_with(|| [0, u64::MAX, self.next()][kind]);
                    at = end;
                }
            }
            _ => {
                let bits = len * 64 - 1 - self.below(60);
                let n = (BigInt::one() << bits) - (BigInt::one() << self.below(bits + 1)) - self.below(1 << 20);
                words = n.magnitude().to_u64_digits();
            }
        }
        words
    }

    fn pair(&mut self, words_max: usize) -> [(bool, Vec<u64>); 2] {
        let a = self.magnitude(words_max);
        let b = if self.below(4) == 0 {
            let mut near = a[self.below(a.len().max(1)).min(a.len())..].to_vec();
            if let Some(last) = near.len().checked_sub(1) {
                near[self.below(last + 1)] ^= 1 << self.below(64);
            }
            near
        } else {
            self.magnitude(words_max)
        };
        [(self.below(2) == 0, a), (self.below(2) == 0, b)]
    }
}

fn theirs(negative: bool, words: &[u64]) -> BigInt {
    let halves = words.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]).collect();
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, BigUint::new(halves))
}

fn same(what: &str, ours: &Int, expected: &BigInt) {
    let ours = theirs(ours.is_negative(), &ours.magnitude_words());
    assert!(ours == *expected, "{what}: {ours:x} instead of {expected:x}");
}

/// The float nearest to a quotient, ties to even, whose exponent is that of a normal number.
fn nearest(a: &BigInt, b: &BigInt) -> f64 {
    let (n, d) = (a.abs(), b.abs());
    if n.is_zero() {
        return 0.0;
    }
    let mut exponent = n.bits() as i64 - d.bits() as i64 - 53;
    let scaled = |exponent: i64| {
        let (n, d) = if exponent > 0 {
            (n.clone(), &d << exponent as usize)
        } else {
            (&n << exponent.unsigned_abs() as usize, d.clone())
        };
        let (quotient, rest) = n.div_rem(&d);
        (quotient, rest, d)
    };
    let mut parts = scaled(exponent);
    if parts.0.bits() > 53 {
        exponent += 1;
        parts = scaled(exponent);
    }
    let (mut quotient, rest, d) = parts;
    let twice: BigInt = rest * 2;
    if twice > d || twice == d && quotient.is_odd() {
        quotient += 1;
    }
    let size = u64::try_from(&quotient).unwrap() as f64;
    let f = if exponent > 1000 { f64::INFINITY } else { size * 2f64.powi(exponent as i32) };
    if a.is_negative() != b.is_negative() { -f } else { f }
}

fn arithmetic(a: &Int, b: &Int, x: &BigInt, y: &BigInt) {
    same("+", &a.add(b), &(x + y));
    same("-", &a.sub(b), &(x - y));
    same("*", &a.mul(b), &(x * y));
    same("square", &a.mul(&a.clone()), &(x * x));
    same("-@", &a.neg(), &-x);
    assert_eq!(a.cmp(b), x.cmp(y));
    same("gcd", &a.gcd(b), &x.gcd(y));
    same("lcm", &a.lcm(b), &x.lcm(y).abs());
    let divided = a.divmod(b);
    if y.is_zero() {
        assert!(divided.is_none() && a.remainder(b).is_none());
    } else {
        let (quotient, rest) = divided.unwrap();
        let (expected, expected_rest) = x.div_mod_floor(y);
        same("div", &quotient, &expected);
        same("%", &rest, &expected_rest);
        same("remainder", &a.remainder(b).unwrap(), &(x % y));
    }
    if !x.is_negative() {
        same("isqrt", &a.isqrt().unwrap(), &x.sqrt());
    }
}

fn bits(a: &Int, b: &Int, x: &BigInt, y: &BigInt, width: usize) {
    same("&", &a.and(b), &(x & y));
    same("|", &a.or(b), &(x | y));
    same("^", &a.xor(b), &(x ^ y));
    same("~", &a.not(), &(-x - 1));
    same("<<", &a.shl_bits(width as u64).unwrap(), &(x << width));
    same(">>", &a.shr_bits(width as u64), &(x >> width));
    let magnitude = if x.is_negative() { -x - 1 } else { x.clone() };
    assert_eq!(a.bit_length(), magnitude.bits());
    for at in [0, 1, 63, 64, width / 2, width] {
        assert_eq!(a.bit(at as u64), x.bit(at as u64));
    }
}

fn powers(a: &Int, b: &Int, x: &BigInt, y: &BigInt, exponent: u32) {
    same("**", &a.pow(exponent as u64).unwrap(), &x.pow(exponent));
    let power = Int::from(exponent as i64).mul(&Int::from(i64::MAX));
    let expected = (!y.is_zero()).then(|| x.modpow(&(BigInt::from(exponent) * i64::MAX), y));
    let result = a.modpow(&power, b);
    assert_eq!(result.is_some(), expected.is_some());
    if let (Some(result), Some(expected)) = (result, expected) {
        same("pow", &result, &expected);
    }
}

fn text(a: &Int, x: &BigInt, radix: u32) {
    for radix in [radix, 10, 16] {
        let digits = x.to_str_radix(radix);
        assert_eq!(a.to_radix(radix), digits);
        same("parse", &Int::parse(digits.as_bytes(), radix as i32, true).unwrap(), x);
    }
    if !x.is_negative() {
        let base = Int::from(radix as i64);
        let mut sum = BigInt::zero();
        for digit in a.digits(&base).iter().rev() {
            assert!(!digit.is_negative() && *digit < base);
            sum = sum * radix + digit.to_i64().unwrap();
        }
        assert!(sum == *x);
    }
}

fn floats(a: &Int, b: &Int, x: &BigInt, y: &BigInt) {
    assert_eq!(a.to_f64(), nearest(x, &BigInt::one()));
    if !y.is_zero() && x.bits() < 900 && y.bits() < 900 {
        // It may be the quotient of two rounded floats: three roundings, half a unit each.
        let (quotient, exact) = (a.fdiv(b), nearest(x, y));
        assert!((quotient - exact).abs() <= exact.abs() * 1.5 * f64::EPSILON, "{x} / {y}: {quotient}, not {exact}");
        if x.bits() <= 53 && y.bits() <= 53 {
            assert_eq!(quotient, exact, "{x} / {y}");
        }
    }
    let f = a.to_f64();
    if f.is_finite() {
        let back = Int::from_f64(f).unwrap();
        assert_eq!(back.to_f64(), f);
        assert_eq!(a.cmp_f64(f), Some(a.cmp(&back)));
    }
}

fn compare(seed: u64, rounds: usize, words_max: usize) {
    let mut numbers = Numbers(seed);
    for _ in 0..rounds {
        let [(m, a), (n, b)] = numbers.pair(words_max);
        let (x, y) = (theirs(m, &a), theirs(n, &b));
        let (a, b) = (Int::from_words(m, &a), Int::from_words(n, &b));
        let width = numbers.below(a.word_count() * 64 + 70);
        arithmetic(&a, &b, &x, &y);
        bits(&a, &b, &x, &y, width);
        floats(&a, &b, &x, &y);
        text(&a, &x, 2 + numbers.below(35) as u32);
        if words_max < 100 {
            powers(&a, &b, &x, &y, numbers.below(9) as u32);
        }
    }
}

#[test]
fn short_numbers() {
    compare(0x9e37_79b9_7f4a_7c15, 3000, 60);
}

#[test]
fn long_numbers() {
    compare(0x0123_4567_89ab_cdef, 60, 900);
}

#[test]
fn divisors_of_nearly_the_same_length() {
    let power = |n: u64| Int::ONE.shl_bits(n).unwrap();
    let small = Int::from(12_345i64);
    let a = power(10_000).sub(&power(5_000)).sub(&small);
    let b = power(9_975).sub(&power(4_987)).sub(&small);
    let divisor = Int::from(15i64);
    assert_eq!(a.gcd(&b), divisor);
    assert_eq!(a.lcm(&b).mul(&divisor), a.mul(&b));
    assert_eq!(a.mul(&small).gcd(&b.mul(&small)), small.mul(&divisor));
}
