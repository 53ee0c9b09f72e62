//! The keyed hash function behind `hash`, Hash tables and symbol tables.
//!
//! Folded multiplication: two words, each mixed with a part of the key, are multiplied to 128 bits and the halves
//! are combined. The key is random in each VM, so that a program's input cannot be prepared to collide; both
//! factors carry key material, so that no input word can make a factor zero at will.
//!
//! Hash values have 63 bits, as many as a fixnum. Keys whose hash value a table knows without a call and keys whose
//! method `hash` it asks must be filed alike where that method gives the same number: `number` makes a method's number
//! of a hash value, `of_number` is its inverse. The number is not the hash value itself because programs' own methods
//! give numbers whose bits are not spread.

const K1: u64 = 0xa076_1d64_78bd_642f;
const K2: u64 = 0xe703_7ed1_a0b4_28db;

/// The bits of a hash value.
const BITS: u64 = u64::MAX >> 1;

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = (a as u128).wrapping_mul(b as u128);
    product as u64 ^ (product >> 64) as u64
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

#[inline(always)]
fn half(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word) as u64
}

/// The hash of one word under a key.
#[inline(always)]
pub fn hash_word(seed: u64, word: u64) -> u64 {
    fold(word ^ seed, seed.rotate_left(32) ^ K1) & BITS
}

/// The hash of a running value and one more word: for composite keys.
#[inline(always)]
pub fn hash_combine(seed: u64, hash: u64, word: u64) -> u64 {
    fold(hash ^ seed ^ K2, word ^ seed.rotate_left(32)) & BITS
}

/// The hash of bytes under a key.
#[inline]
pub fn hash_bytes(seed: u64, bytes: &[u8]) -> u64 {
    let (k0, k1) = (seed ^ K1, seed.rotate_left(32) ^ K2);
    let len = bytes.len();
    let (a, b, state) = match len {
        0 => (0, 0, k0),
        1..4 => {
            let three = (bytes[0] as u64) << 16 | (bytes[len / 2] as u64) << 8 | bytes[len - 1] as u64;
            (three, 0, k0)
        }
        4..8 => (half(bytes, 0), half(bytes, len - 4), k0),
        8..=16 => (word(bytes, 0), word(bytes, len - 8), k0),
        _ => (word(bytes, len - 16), word(bytes, len - 8), hash_long(bytes, k0, k1)),
    };
    fold(fold(a ^ k1, b ^ state) ^ len as u64 ^ k0, k1) & BITS
}

/// The hash value of a key whose method `hash` gives `number`. Its upper half depends on every bit of the number.
#[inline]
pub fn of_number(seed: u64, number: u64) -> u64 {
    let word = number.wrapping_mul(seed | 1) & BITS;
    (word ^ word >> 32).wrapping_mul(K1) & BITS
}

/// The number that the method `hash` of a key gives whose hash value is `hash`. It is a fixnum.
pub fn number(seed: u64, hash: u64) -> i64 {
    const K1_INVERSE: u64 = inverse(K1);
    let word = hash.wrapping_mul(K1_INVERSE) & BITS;
    let number = (word ^ word >> 32).wrapping_mul(inverse(seed | 1));
    (number as i64) << 1 >> 1
}

/// The inverse of an odd word, by Newton's iteration: it begins with three right bits, and each step doubles them.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut bits = 3;
    while bits < 64 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse
}

/// The state after all but the last 1 to 16 bytes of more than 16.
fn hash_long(bytes: &[u8], k0: u64, k1: u64) -> u64 {
    let (mut s0, mut s1) = (k0, k1);
    let mut rest = bytes;
    while rest.len() > 32 {
        s0 = fold(word(rest, 0) ^ k1, word(rest, 8) ^ s0);
        s1 = fold(word(rest, 16) ^ k0, word(rest, 24) ^ s1);
        rest = &rest[32..];
    }
    if rest.len() > 16 {
        s0 = fold(word(rest, 0) ^ k1, word(rest, 8) ^ s0);
    }
    s0 ^ s1.rotate_left(17)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_length_and_position_counts() {
        let mut seen = HashSet::new();
        for len in 0..100 {
            let mut bytes = vec![b'a'; len];
            assert!(seen.insert(hash_bytes(42, &bytes)));
            for i in 0..len {
                bytes[i] ^= 1;
                assert!(seen.insert(hash_bytes(42, &bytes)), "{len} {i}");
                bytes[i] ^= 1;
            }
        }
    }

    #[test]
    fn low_bits_spread() {
        let mut low = HashSet::new();
        for i in 0..4096u64 {
            low.insert(hash_word(7, i << 1 | 1) & 0xffff);
        }
        assert!(low.len() > 3800, "{}", low.len());
    }

    #[test]
    fn numbers_lead_back() {
        for seed in [0, 1, 42, u64::MAX, 0x8000_0000_0000_0000] {
            for i in 0..1000 {
                let hash = hash_word(seed, i);
                let number = number(seed, hash);
                assert!((-1 << 62..1 << 62).contains(&number));
                assert_eq!(of_number(seed, number as u64), hash);
            }
        }
    }

    #[test]
    fn every_bit_of_a_number_reaches_the_upper_half() {
        for bit in 0..58 {
            let seen: HashSet<u64> = (0..64u64).map(|i| of_number(42, i.rotate_left(bit)) >> 32 & 0xffff).collect();
            assert!(seen.len() > 56, "{bit}: {}", seen.len());
        }
    }

    #[test]
    fn the_key_matters() {
        assert_ne!(hash_bytes(1, b"abc"), hash_bytes(2, b"abc"));
        assert_ne!(hash_combine(1, 2, 3), hash_combine(1, 3, 2));
    }
}
