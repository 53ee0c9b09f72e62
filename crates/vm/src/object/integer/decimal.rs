//! Decimal digits of integers of some words, by repeated division by 10^19.
//!
//! One pass over the words divides by 10^57: three steps, each of which divides what the one before left. A step waits
//! for its own remainder of the word before and nothing else, so the processor works on several at once. The reciprocal
//! is that of Möller and Granlund, "Improved division by invariant integers" (2011); 10^19 has its high bit set as they
//! ask.

/// Numbers of more words are halved first (by `dashu-int`): here the time grows with the square of their number.
pub(super) const MOST_WORDS: usize = 200;

const DIGITS: usize = 19;
const POWER: u64 = 10u64.pow(DIGITS as u32);
/// (2^128 - 1) / POWER - 2^64
const RECIPROCAL: u64 = (u128::MAX / POWER as u128 - (1 << 64)) as u64;
/// Steps of one pass.
const STEPS: usize = 3;

const PAIRS: [u8; 200] = pairs();

/// The digits of the number whose little-endian words are `words`, not all of them 0 and the last one not 0; `words` is
/// used up.
pub(super) fn digits(negative: bool, words: &mut [u64]) -> String {
    // A step takes 63 bits off, and the last pass may have steps left over.
    let pieces = words.len() * 64 / 63 + 1 + STEPS;
    let mut out = vec![b'0'; pieces * DIGITS + 1];
    let mut end = words.len();
    let mut at = out.len();
    while end > 0 {
        let mut rests = [0; STEPS];
        for word in words[..end].iter_mut().rev() {
            for rest in &mut rests {
                (*word, *rest) = divide(*rest, *word);
            }
        }
        for rest in rests {
            at -= DIGITS;
            write(rest, &mut out[at..at + DIGITS]);
        }
        while end > 0 && words[end - 1] == 0 {
            end -= 1;
        }
    }
    while out[at] == b'0' {
        at += 1;
    }
    if negative {
        at -= 1;
        out[at] = b'-';
    }
    String::from_utf8_lossy(&out[at..]).into_owned()
}

/// Quotient and remainder of `high`, which is less than `POWER`, and `low` as one number of two words.
#[inline(always)]
fn divide(high: u64, low: u64) -> (u64, u64) {
    let estimate = RECIPROCAL as u128 * high as u128 + ((high as u128) << 64 | low as u128);
    let quotient = ((estimate >> 64) as u64).wrapping_add(1);
    let rest = low.wrapping_sub(quotient.wrapping_mul(POWER));
    let over = rest > estimate as u64;
    let quotient = quotient.wrapping_sub(over as u64);
    let rest = if over { rest.wrapping_add(POWER) } else { rest };
    if rest >= POWER { one_more(quotient, rest) } else { (quotient, rest) }
}

/// A call, so that the common path has a branch that is never taken and no wait for the comparison.
#[cold]
#[inline(never)]
fn one_more(quotient: u64, rest: u64) -> (u64, u64) {
    (quotient + 1, rest - POWER)
}

/// Writes a number below 10^19 with all its zeros.
fn write(mut n: u64, out: &mut [u8]) {
    for place in out[1..].rchunks_exact_mut(2) {
        let pair = (n % 100) as usize * 2;
        n /= 100;
        place.copy_from_slice(&PAIRS[pair..pair + 2]);
    }
    out[0] = b'0' + n as u8;
}

const fn pairs() -> [u8; 200] {
    let mut pairs = [b'0'; 200];
    let mut n = 0;
    while n < 100 {
        pairs[2 * n] = b'0' + (n / 10) as u8;
        pairs[2 * n + 1] = b'0' + (n % 10) as u8;
        n += 1;
    }
    pairs
}
