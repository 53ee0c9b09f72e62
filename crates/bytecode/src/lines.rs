//! Tables of lines: pairs of a pc and a line, ascending by pc, packed. Backtraces, events and tools read them, code
//! that runs never does; a pair takes two bytes where it would take eight.

/// Pairs of pc and line: how many there are, and for each the differences to the one before, as numbers of seven bits
/// to a byte. Behind them a mark for each `PART`th pair, so that nobody reads a long table from its beginning.
#[derive(Clone, Debug, Default)]
pub struct Lines(Box<[u8]>);

/// Pairs from one mark to the next.
const PART: usize = 64;
/// Bytes of a mark: pc, line, and where the next pair lies.
const MARK: usize = 12;

impl Lines {
    pub fn iter(&self) -> Pairs<'_> {
        let mut pairs = Pairs { bytes: &self.0, at: 0, left: 0, pc: 0, line: 0 };
        if !self.0.is_empty() {
            pairs.left = pairs.number() as usize;
        }
        pairs
    }

    /// The pairs from one on that lies before `pc`, if there is one; all pairs with this pc are among them.
    pub fn near(&self, pc: u32) -> impl Iterator<Item = (u32, i32)> + '_ {
        let all = self.iter();
        let marks = self.marks(all.left);
        let number = |i: usize, word: usize| {
            let bytes = &marks[MARK * i + 4 * word..][..4];
            u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        };
        let (mut before, mut end) = (0, marks.len() / MARK);
        while before < end {
            let middle = (before + end) / 2;
            if number(middle, 0) < pc { before = middle + 1 } else { end = middle }
        }
        let (first, rest) = match before {
            0 => (None, all),
            count => {
                let (pc, line, at) = (number(count - 1, 0), number(count - 1, 1) as i32, number(count - 1, 2));
                (Some((pc, line)), Pairs { at: at as usize, left: all.left - count * PART - 1, pc, line, ..all })
            }
        };
        first.into_iter().chain(rest)
    }

    /// The marks of a table of so many pairs.
    fn marks(&self, pairs: usize) -> &[u8] {
        &self.0[self.0.len() - pairs.saturating_sub(1) / PART * MARK..]
    }

    /// Bytes that it takes beside itself.
    pub fn memory_size(&self) -> usize {
        self.0.len()
    }
}

/// Pairs of a table.
pub struct Pairs<'a> {
    bytes: &'a [u8],
    at: usize,
    left: usize,
    pc: u32,
    line: i32,
}

impl Pairs<'_> {
    fn number(&mut self) -> u32 {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let byte = self.bytes[self.at];
            self.at += 1;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    }
}

impl Iterator for Pairs<'_> {
    type Item = (u32, i32);

    fn next(&mut self) -> Option<(u32, i32)> {
        self.left = self.left.checked_sub(1)?;
        self.pc = self.pc.wrapping_add(self.number());
        let zigzag = self.number();
        self.line = self.line.wrapping_add((zigzag >> 1) as i32 ^ -((zigzag & 1) as i32));
        Some((self.pc, self.line))
    }
}

impl From<&[(u32, i32)]> for Lines {
    fn from(pairs: &[(u32, i32)]) -> Lines {
        if pairs.is_empty() {
            return Lines::default();
        }
        let mut bytes = Vec::with_capacity(2 * pairs.len() + 2);
        let mut marks = Vec::new();
        put(&mut bytes, pairs.len() as u32);
        let mut before = (0u32, 0i32);
        for (index, &(pc, line)) in pairs.iter().enumerate() {
            put(&mut bytes, pc.wrapping_sub(before.0));
            let difference = line.wrapping_sub(before.1);
            put(&mut bytes, (difference << 1 ^ difference >> 31) as u32);
            before = (pc, line);
            if index > 0 && index % PART == 0 {
                marks.extend([pc, line as u32, bytes.len() as u32].iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        bytes.append(&mut marks);
        Lines(bytes.into())
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
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
        assert_eq!(Lines::from(lists[1]).memory_size(), 3);
    }

    #[test]
    fn long_tables_are_read_near_a_pc() {
        for count in [1, 2, 63, 64, 65, 66, 128, 129, 130, 1_000] {
            // Some have the same pc, also across marks.
            let list: Vec<(u32, i32)> = (0..count).map(|i| (i / 3 * 5, (i * 7 % 50) as i32)).collect();
            let lines = Lines::from(&list[..]);
            assert_eq!(lines.iter().collect::<Vec<_>>(), list);
            for pc in 0..count * 2 {
                let last = |pairs: &mut dyn Iterator<Item = (u32, i32)>| pairs.take_while(|(at, _)| *at <= pc).last();
                assert_eq!(last(&mut lines.near(pc)), last(&mut list.iter().copied()), "{count} {pc}");
                let same: Vec<_> = lines.near(pc).filter(|(at, _)| *at == pc).collect();
                assert_eq!(same, list.iter().copied().filter(|(at, _)| *at == pc).collect::<Vec<_>>());
                assert!(lines.near(pc).take_while(|(at, _)| *at < pc).count() <= 64);
            }
        }
    }
}
