//! Tables of lines: pairs of a pc and a line, ascending by pc, packed. Backtraces, events and tools read them, code
//! that runs never does; a pair takes two bytes where it would take eight.

/// Pairs of pc and line: the differences to the pair before, as numbers of seven bits to a byte.
#[derive(Clone, Debug, Default)]
pub struct Lines(Box<[u8]>);

impl Lines {
    pub fn iter(&self) -> impl Iterator<Item = (u32, i32)> + '_ {
        let (mut at, mut pc, mut line) = (0, 0u32, 0i32);
        std::iter::from_fn(move || {
            if at == self.0.len() {
                return None;
            }
            pc = pc.wrapping_add(self.number(&mut at));
            let zigzag = self.number(&mut at);
            line = line.wrapping_add((zigzag >> 1) as i32 ^ -((zigzag & 1) as i32));
            Some((pc, line))
        })
    }

    /// Bytes that it takes beside itself.
    pub fn memory_size(&self) -> usize {
        self.0.len()
    }

    fn number(&self, at: &mut usize) -> u32 {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let byte = self.0[*at];
            *at += 1;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    }
}

impl From<&[(u32, i32)]> for Lines {
    fn from(pairs: &[(u32, i32)]) -> Lines {
        let mut bytes = Vec::with_capacity(2 * pairs.len() + 2);
        let mut put = |mut number: u32| {
            while number >= 0x80 {
                bytes.push(number as u8 | 0x80);
                number >>= 7;
            }
            bytes.push(number as u8);
        };
        let mut before = (0u32, 0i32);
        for &(pc, line) in pairs {
            put(pc.wrapping_sub(before.0));
            let difference = line.wrapping_sub(before.1);
            put((difference << 1 ^ difference >> 31) as u32);
            before = (pc, line);
        }
        Lines(bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn gives_what_was_put() {
        let lists: [&[(u32, i32)]; 4] = [
            &[],
            &[(0, 1)],
            &[(0, 100), (3, 101), (7, 99), (8, -5), (300, 70_000), (4_000_000, 70_001)],
            &[(5, i32::MAX), (6, i32::MIN), (7, 0), (u32::MAX, i32::MAX)],
        ];
        for list in lists {
            assert_eq!(Lines::from(list).iter().collect::<Vec<_>>(), list);
        }
        assert_eq!(Lines::from(lists[1]).memory_size(), 2);
    }
}
