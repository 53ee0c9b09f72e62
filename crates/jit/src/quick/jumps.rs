//! Writes the distances of jumps, which are known once all code is there, and makes short jumps of those that do not go
//! far.

use super::asm::Label;

/// A jump whose distance is still to be written, as four bytes.
pub struct Jump {
    /// Where the distance stands.
    pub at: usize,
    pub label: Label,
    pub is_conditional: bool,
}

/// A jump of which is known where it goes.
struct Way {
    at: usize,
    to: usize,
    /// How many jumps stand before the place to which it goes.
    before: usize,
    is_conditional: bool,
    is_short: bool,
}

impl Way {
    /// Bytes that a short one takes less: three of the distance, and one of the two of what a conditional one is.
    fn can_save(&self) -> usize {
        3 + self.is_conditional as usize
    }

    /// Whether it can be short, when others save what they save now. One that goes back has its own way shortened.
    fn can_be_short(&self, number: usize, saved: &[usize]) -> bool {
        let own = if self.before <= number { self.can_save() as i64 } else { 0 };
        i8::try_from(self.distance(number, saved) + own).is_ok()
    }

    /// From its end to where it goes. `saved`: bytes that the jumps before each one save, and after the last.
    fn distance(&self, number: usize, saved: &[usize]) -> i64 {
        (self.to - saved[self.before]) as i64 - (self.at + 4 - saved[number + 1]) as i64
    }
}

/// The code with the distances of its jumps. None: a label stands nowhere.
pub fn write(code: &[u8], jumps: &[Jump], labels: &[Option<usize>]) -> Option<Vec<u8>> {
    let mut ways = Vec::with_capacity(jumps.len());
    for Jump { at, label, is_conditional } in jumps {
        let to = labels[label.0]?;
        let before = jumps.partition_point(|other| other.at < to);
        ways.push(Way { at: *at, to, before, is_conditional: *is_conditional, is_short: false });
    }
    let saved = shorten(&mut ways);
    let mut bytes = Vec::with_capacity(code.len());
    let mut done = 0;
    for (number, way) in ways.iter().enumerate() {
        let distance = way.distance(number, &saved);
        if way.is_short {
            let (opcode, length) = match way.is_conditional {
                true => (0x70 | code[way.at - 1] & 0xf, 2),
                false => (0xeb, 1),
            };
            bytes.extend_from_slice(&code[done..way.at - length]);
            bytes.extend_from_slice(&[opcode, i8::try_from(distance).ok()? as u8]);
        } else {
            bytes.extend_from_slice(&code[done..way.at]);
            bytes.extend_from_slice(&i32::try_from(distance).ok()?.to_le_bytes());
        }
        done = way.at + 4;
    }
    bytes.extend_from_slice(&code[done..]);
    Some(bytes)
}

/// Finds the jumps that can be short: each one brings others nearer to where they go. What the jumps before each one
/// save, and all.
fn shorten(ways: &mut [Way]) -> Vec<usize> {
    let mut saved = vec![0; ways.len() + 1];
    loop {
        let mut changed = false;
        for number in 0..ways.len() {
            if !ways[number].is_short && ways[number].can_be_short(number, &saved) {
                ways[number].is_short = true;
                changed = true;
            }
        }
        if !changed {
            return saved;
        }
        for (number, way) in ways.iter().enumerate() {
            saved[number + 1] = saved[number] + if way.is_short { way.can_save() } else { 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::quick::asm::{Assembler, Flag, Label};
    use crate::quick::check::chance;

    /// Code of jumps to labels, each behind so many bytes that do nothing; where the labels and the jumps are.
    fn made(parts: &[(usize, usize, bool)], last: usize) -> Vec<u8> {
        let mut asm = Assembler::default();
        let labels: Vec<Label> = (0..=parts.len()).map(|_| asm.label()).collect();
        for (number, (nops, to, is_conditional)) in parts.iter().enumerate() {
            asm.bind(labels[number]);
            asm.bytes.extend(std::iter::repeat_n(0x90, *nops));
            match is_conditional {
                true => asm.jump_if(Flag::EQUAL, labels[*to]),
                false => asm.jump(labels[*to]),
            }
        }
        asm.bind(labels[parts.len()]);
        asm.bytes.extend(std::iter::repeat_n(0x90, last));
        asm.finish().unwrap()
    }

    /// Where each part begins, and where its jump goes, in the bytes.
    fn read(code: &[u8], parts: &[(usize, usize, bool)]) -> (Vec<usize>, Vec<usize>) {
        let (mut starts, mut targets, mut at) = (Vec::new(), Vec::new(), 0);
        for (nops, ..) in parts {
            starts.push(at);
            at += nops;
            let (length, size) = match code[at] {
                0xeb | 0x74 => (1, 1),
                0xe9 => (1, 4),
                _ => (2, 4),
            };
            let bytes = &code[at + length..at + length + size];
            let distance = match size {
                1 => bytes[0] as i8 as i64,
                _ => i32::from_le_bytes(bytes.try_into().unwrap()) as i64,
            };
            at += length + size;
            targets.push((at as i64 + distance) as usize);
        }
        starts.push(at);
        (starts, targets)
    }

    #[test]
    fn jumps_end_where_they_should_and_are_no_longer_than_they_need() {
        let mut seed = 1_u64;
        for _ in 0..2000 {
            let mut random = |n| chance(&mut seed, n);
            let count = random(12) as usize + 1;
            let parts: Vec<(usize, usize, bool)> =
                (0..count).map(|_| (random(90) as usize, random(count as u64 + 1) as usize, random(2) == 0)).collect();
            let code = made(&parts, 5);
            let (starts, targets) = read(&code, &parts);
            for ((_, to, _), target) in parts.iter().zip(&targets) {
                assert_eq!(*target, starts[*to], "{parts:?}");
            }
        }
        assert_eq!(made(&[(0, 1, false)], 0), [0xeb, 0]);
        assert_eq!(made(&[(125, 0, false)], 0)[125..], [0xeb, 0x81]);
        assert_eq!(made(&[(127, 0, false)], 0)[127..128], [0xe9]);
        assert_eq!(made(&[(0, 2, true), (121, 0, true)], 3).len(), 2 + 121 + 2 + 3);
    }
}
