//! Tests of integer arithmetic against identities and machine arithmetic.

use super::*;

fn int(text: &str) -> Int {
    Int::parse(text.as_bytes(), 10, true).unwrap_or(Int::ZERO)
}

/// Numbers of all sizes, with the limits of the representations among them.
fn samples() -> Vec<Int> {
    let mut all = Vec::new();
    for bits in [0u64, 1, 5, 31, 61, 62, 63, 64, 65, 100, 127, 128, 200, 1000] {
        let power = Int::ONE.shl_bits(bits).unwrap_or(Int::ZERO);
        for delta in -2i64..=2 {
            let n = power.add(&Int::from(delta));
            all.extend([n.neg(), n]);
        }
    }
    all
}

#[test]
fn division_rounds_down() {
    for (a, b, q, r) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (6, -3, -2, 0)] {
        assert_eq!(Int::from(a as i64).divmod(&Int::from(b as i64)), Some((Int::from(q as i64), Int::from(r as i64))));
    }
    for a in samples() {
        for b in samples() {
            let Some((q, r)) = a.divmod(&b) else {
                assert!(b.is_zero());
                continue;
            };
            assert_eq!(q.mul(&b).add(&r), a);
            assert!(r.abs() < b.abs() && (r.is_zero() || r.is_negative() == b.is_negative()));
            let rest = a.remainder(&b);
            assert!(rest.is_some_and(|rest| rest.is_zero() || rest.is_negative() == a.is_negative()));
        }
    }
}

#[test]
fn numbers_are_normal() {
    for a in samples() {
        for b in samples() {
            for n in [a.add(&b), a.sub(&b), a.mul(&b), a.and(&b), a.or(&b), a.xor(&b), a.not(), a.neg()] {
                assert!(!matches!(&n, Int::Big(big) if i64::try_from(&**big).is_ok()), "{n:?}");
            }
            assert_eq!(a.add(&b).sub(&b), a);
            assert_eq!(a.cmp(&b), a.sub(&b).cmp(&Int::ZERO));
            // a + b = (a ^ b) + 2 (a & b), and a | b = a ^ b ^ (a & b)
            let (and, xor) = (a.and(&b), a.xor(&b));
            assert_eq!(a.add(&b), xor.add(&and.add(&and)));
            assert_eq!(a.or(&b), xor.xor(&and));
        }
    }
}

#[test]
fn shifts_round_down() {
    for a in samples() {
        for width in [0u64, 1, 31, 62, 63, 64, 65, 500] {
            let power = Int::ONE.shl_bits(width).unwrap_or(Int::ZERO);
            assert_eq!(Some(a.shr_bits(width)), a.div_floor(&power));
            assert_eq!(a.shl_bits(width), Ok(a.mul(&power)));
            assert_eq!(a.bit(width), !a.shr_bits(width).is_even());
        }
    }
    assert_eq!(Int::ONE.shl(&int("99999999999999999999")), Err(TooBig));
    assert_eq!(Int::from(-5i64).shr(&int("99999999999999999999")), Ok(Int::from(-1i64)));
    assert_eq!(Int::ZERO.shl(&int("99999999999999999999")), Ok(Int::ZERO));
}

#[test]
fn bit_lengths() {
    for (n, bits) in [(0i64, 0), (1, 1), (-1, 0), (255, 8), (-256, 8), (-257, 9), (i64::MAX, 63), (i64::MIN, 63)] {
        assert_eq!(Int::from(n).bit_length(), bits);
    }
    assert_eq!(Int::ONE.shl_bits(100).map(|n| n.neg().bit_length()), Ok(100));
    assert_eq!(Int::ONE.shl_bits(100).map(|n| n.bit_length()), Ok(101));
}

#[test]
fn powers() {
    assert_eq!(Int::from(3i64).pow(5), Ok(Int::from(243i64)));
    assert_eq!(Int::from(-2i64).pow(63), Ok(Int::from(i64::MIN)));
    assert_eq!(Int::from(10i64).pow(30), Ok(int("1000000000000000000000000000000")));
    assert_eq!(Int::from(10i64).pow(1 << 40), Err(TooBig));
    assert_eq!(Int::from(-1i64).pow(u64::MAX), Ok(Int::from(-1i64)));
    let m = int("1000000007");
    assert_eq!(int("123456789123456789").modpow(&int("98765432198765432198"), &m), Some(int("300434049")));
    assert_eq!(Int::from(2i64).modpow(&Int::from(10i64), &Int::from(-1000i64)), Some(Int::from(-976i64)));
}

#[test]
fn text_round_trips() {
    for a in samples() {
        for radix in [2, 3, 8, 10, 16, 36] {
            let text = a.to_radix(radix);
            assert_eq!(Int::parse(text.as_bytes(), radix as i32, true), Some(a.clone()), "{text}");
        }
    }
}

#[test]
fn parses_as_ruby_does() {
    let strict = |text: &str, base| Int::parse(text.as_bytes(), base, true);
    let lenient = |text: &str, base| Int::parse(text.as_bytes(), base, false);
    let some = |n: i64| Some(Int::from(n));
    assert_eq!(strict(" 0x1f ", 0), some(31));
    assert_eq!(strict("0b101", 0), some(5));
    assert_eq!(strict("-0o17", 0), some(-15));
    assert_eq!(strict("017", 0), some(15));
    assert_eq!(strict("0_7", 0), some(7));
    assert_eq!(strict("1__2", 10), None);
    assert_eq!(strict("1_2", 10), some(12));
    assert_eq!(strict("_12", 10), None);
    assert_eq!(strict("12_", 10), None);
    assert_eq!(strict("", 10), None);
    assert_eq!(strict("0", 0), some(0));
    assert_eq!(strict("0x", 0), None);
    assert_eq!(strict("08", 0), None);
    assert_eq!(strict("1 2", 10), None);
    assert_eq!(lenient("12abc", 10), some(12));
    assert_eq!(lenient("abc", 10), some(0));
    assert_eq!(lenient("0x1A", 16), some(26));
    assert_eq!(lenient("0b2", 2), some(0));
    assert_eq!(lenient("  -1_000_x", 10), some(-1000));
    assert_eq!(lenient("z", 36), some(35));
    assert_eq!(lenient("0b12", 16), some(2834));
    assert_eq!(lenient("0b", 16), some(11));
    for (text, loose) in
        [("08", 0), ("0__7", 0), ("0x_1", 0), ("0b12", 1), ("0_", 0), ("1_", 1), ("00x1", 0), ("- 1", 0)]
    {
        assert_eq!(strict(text, 0), None, "{text}");
        assert_eq!(lenient(text, 0), some(loose), "{text}");
    }
    assert_eq!(strict("0_7", -8), some(7));
    assert_eq!(strict("-0x1", -8), some(-1));
}

#[test]
fn floats_compare_exactly() {
    let big = Int::ONE.shl_bits(60).unwrap_or(Int::ZERO).add(&Int::ONE);
    assert_eq!(big.cmp_f64(1152921504606846976.0), Some(Ordering::Greater));
    assert_eq!(Int::from(1i64).cmp_f64(1.5), Some(Ordering::Less));
    assert_eq!(Int::from(-1i64).cmp_f64(-1.5), Some(Ordering::Greater));
    assert_eq!(Int::from(1i64).cmp_f64(f64::NAN), None);
    assert_eq!(Int::from_f64(1e20), Some(int("100000000000000000000")));
    assert_eq!(Int::from_f64(-1.9), Some(Int::from(-1i64)));
}

#[test]
fn converts_to_the_nearest_float() {
    for (text, f) in [
        ("9007199254740993", 9007199254740992.0),
        ("9007199254740995", 9007199254740996.0),
        ("100000000000000000000000", 1e23),
        ("-36893488147419107329", -36893488147419111424.0),
    ] {
        assert_eq!(int(text).to_f64(), f, "{text}");
    }
    let huge = Int::from(10i64).pow(400).unwrap_or(Int::ZERO);
    assert_eq!(huge.to_f64(), f64::INFINITY);
    assert_eq!(huge.neg().to_f64(), f64::NEG_INFINITY);
    assert_eq!(huge.fdiv(&huge.mul(&Int::from(3i64))), 1.0 / 3.0);
    assert_eq!(Int::ONE.fdiv(&huge), 0.0);
    assert_eq!(huge.mul(&Int::from(7i64)).neg().fdiv(&huge), -7.0);
}

#[test]
fn number_theory() {
    assert_eq!(
        int("123456789012345678901234567890").gcd(&int("987654321098765432109876543210")),
        int("9000000000900000000090")
    );
    assert_eq!(Int::from(-4i64).lcm(&Int::from(6i64)), Int::from(12i64));
    assert_eq!(Int::from(i64::MIN).gcd(&Int::ZERO), int("9223372036854775808"));
    for a in samples() {
        if let Some(root) = a.isqrt() {
            let next = root.add(&Int::ONE);
            assert!(root.mul(&root) <= a && next.mul(&next) > a);
        }
        if !a.is_negative() {
            for base in [2i64, 7, 10, 1 << 40] {
                let base = Int::from(base);
                let digits = a.digits(&base);
                let back = digits.iter().rev().fold(Int::ZERO, |n, d| n.mul(&base).add(d));
                assert_eq!(back, a);
                assert!(digits.len() == 1 || digits.last().is_some_and(|d| !d.is_zero()));
            }
        }
    }
}
