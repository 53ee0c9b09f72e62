//! The Mersenne Twister MT19937 of Matsumoto and Nishimura, as `Random` draws from it.

const N: usize = 624;
const M: usize = 397;

/// All bits up to the highest one of `limit`.
pub fn mask_of(limit: u64) -> u64 {
    u64::MAX.checked_shr(limit.leading_zeros()).unwrap_or(0)
}

/// The state of one generator.
#[derive(Clone, PartialEq)]
pub struct Twister {
    state: [u32; N],
    /// How many words are left before the state is generated anew, plus one.
    left: usize,
}

impl Twister {
    /// A generator seeded by one word.
    pub fn from_word(seed: u32) -> Twister {
        let mut state = [seed; N];
        for i in 1..N {
            let last = state[i - 1];
            state[i] = 1_812_433_253u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(i as u32);
        }
        Twister { state, left: 1 }
    }

    /// A generator seeded by the words of a number, lowest first; there is at least one.
    pub fn from_words(key: &[u32]) -> Twister {
        let mut twister = Twister::from_word(19_650_218);
        let state = &mut twister.state;
        let (mut i, mut j) = (1, 0);
        for _ in 0..N.max(key.len()) {
            let last = state[i - 1];
            state[i] =
                (state[i] ^ (last ^ (last >> 30)).wrapping_mul(1_664_525)).wrapping_add(key[j]).wrapping_add(j as u32);
            i = step(state, i);
            j = (j + 1) % key.len();
        }
        for _ in 1..N {
            let last = state[i - 1];
            state[i] = (state[i] ^ (last ^ (last >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i = step(state, i);
        }
        state[0] = 0x8000_0000;
        twister
    }

    /// The next 32 bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        self.left -= 1;
        if self.left == 0 {
            self.regenerate();
        }
        let mut y = self.state[N - self.left];
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c_5680;
        y ^= y << 15 & 0xefc6_0000;
        y ^ y >> 18
    }

    /// A number from 0 to `limit`: the first one drawn that is not above it.
    pub fn below(&mut self, limit: u64) -> u64 {
        if limit == 0 {
            return 0;
        }
        let mask = mask_of(limit);
        loop {
            let mut value = 0;
            if limit > u32::MAX as u64 {
                value = (self.next_u32() as u64) << 32 & mask;
                if value > limit {
                    continue;
                }
            }
            value |= self.next_u32() as u64;
            value &= mask;
            if value <= limit {
                return value;
            }
        }
    }

    #[cold]
    fn regenerate(&mut self) {
        for i in 0..N - M {
            self.twist(i, i + 1, i + M);
        }
        for i in N - M..N - 1 {
            self.twist(i, i + 1, i + M - N);
        }
        self.twist(N - 1, 0, M - 1);
        self.left = N;
    }

    #[inline(always)]
    fn twist(&mut self, i: usize, next: usize, far: usize) {
        let y = self.state[i] & 0x8000_0000 | self.state[next] & 0x7fff_ffff;
        self.state[i] = self.state[far] ^ y >> 1 ^ (y & 1).wrapping_neg() & 0x9908_b0df;
    }

    /// The state for `marshal_dump`.
    pub fn dump(&self) -> (&[u32], usize) {
        (&self.state, self.left)
    }

    /// The generator of a dumped state, if it is one.
    pub fn load(words: &[u32], left: usize) -> Option<Twister> {
        if words.len() > N || !(1..=N).contains(&left) {
            return None;
        }
        let mut state = [0; N];
        state[..words.len()].copy_from_slice(words);
        Some(Twister { state, left })
    }
}

/// The place behind `i`; behind the last one the state wraps round.
fn step(state: &mut [u32; N], i: usize) -> usize {
    if i + 1 < N {
        return i + 1;
    }
    state[0] = state[N - 1];
    1
}

/// A float in 0...1 from 64 random bits.
pub fn real_exclusive(a: u32, b: u32) -> f64 {
    ((a >> 5) as f64 * 67_108_864.0 + (b >> 6) as f64) / 9_007_199_254_740_992.0
}

/// A float in 0..1 from 64 random bits.
pub fn real_inclusive(a: u32, b: u32) -> f64 {
    let x = (a as u128) << 32 | b as u128;
    let scaled = (x * (1u128 << 53 | 1)) >> 64;
    scaled as u64 as f64 / 9_007_199_254_740_992.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sequences() {
        let mut one = Twister::from_word(5489);
        assert_eq!((one.next_u32(), one.next_u32()), (3_499_211_612, 581_869_302));
        let mut many = Twister::from_words(&[0x123, 0x234, 0x345, 0x456]);
        assert_eq!((many.next_u32(), many.next_u32()), (1_067_595_299, 955_945_823));
    }
}
