//! Parallel moves: copies that have to happen all at once, as at a call or a jump with arguments, become a list of
//! copies one after the other.

use super::asm::{Mem, Rm};
use super::place::{RAX, Reg};

/// What is read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    Reg(Reg),
    Mem(Mem),
    Number(i64),
    /// An address on the machine stack.
    Address(Mem),
}

/// A copy.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Item {
    pub from: Operand,
    pub to: Rm,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Step {
    Copy(Item),
    Exchange(Reg, Reg),
}

impl Item {
    pub fn is_done(&self) -> bool {
        self.reads(self.to)
    }

    fn reads(&self, place: Rm) -> bool {
        match (self.from, place) {
            (Operand::Reg(from), Rm::Reg(to)) => from == to,
            (Operand::Mem(from), Rm::Mem(to)) => from == to,
            _ => false,
        }
    }

    fn read_from(&mut self, place: Rm) {
        self.from = match place {
            Rm::Reg(reg) => Operand::Reg(reg),
            Rm::Mem(mem) => Operand::Mem(mem),
        };
    }

    fn is_constant(&self) -> bool {
        matches!(self.from, Operand::Number(_) | Operand::Address(_))
    }
}

/// The order in which to copy. All targets are different, and none is the first register, which rings of copies use if
/// they go through memory.
pub fn ordered(items: Vec<Item>) -> Vec<Step> {
    let mut steps = Vec::new();
    let (constants, mut items): (Vec<Item>, Vec<Item>) = items.into_iter().partition(Item::is_constant);
    items.retain(|item| !item.is_done());
    while let Some(first) = items.first().copied() {
        let free = items.iter().position(|item| !items.iter().any(|other| other.reads(item.to)));
        if let Some(free) = free {
            steps.push(Step::Copy(items.remove(free)));
            continue;
        }
        // Only rings are left.
        match (first.from, first.to) {
            (Operand::Reg(from), Rm::Reg(to)) => {
                steps.push(Step::Exchange(from, to));
                items.remove(0);
                items.iter_mut().filter(|item| item.reads(first.to)).for_each(|item| item.read_from(Rm::Reg(from)));
                items.retain(|item| !item.is_done());
            }
            _ => {
                let mut aside = Item { from: first.from, to: Rm::Reg(RAX) };
                aside.read_from(first.to);
                steps.push(Step::Copy(aside));
                items.iter_mut().filter(|item| item.reads(first.to)).for_each(|item| item.read_from(Rm::Reg(RAX)));
            }
        }
    }
    steps.extend(constants.into_iter().map(Step::Copy));
    steps
}

#[cfg(test)]
mod tests {
    use super::{Item, Operand, Reg, Rm, Step, ordered};
    use crate::quick::asm::Mem;
    use crate::quick::check::chance;
    use crate::quick::place::RSP;

    /// What is in registers and words after the steps; before, each holds its own number, words from 100 on.
    fn run(steps: &[Step]) -> Vec<i64> {
        let mut cells: Vec<i64> = (0..200).collect();
        let at = |rm: Rm| match rm {
            Rm::Reg(reg) => reg.0 as usize,
            Rm::Mem(mem) => 100 + mem.at as usize,
        };
        for step in steps {
            match *step {
                Step::Exchange(one, other) => cells.swap(one.0 as usize, other.0 as usize),
                Step::Copy(Item { from, to }) => {
                    cells[at(to)] = match from {
                        Operand::Reg(reg) => cells[reg.0 as usize],
                        Operand::Mem(mem) => cells[100 + mem.at as usize],
                        Operand::Number(number) => number,
                        Operand::Address(_) => -1,
                    }
                }
            }
        }
        cells
    }

    #[test]
    fn nothing_is_lost_in_rings_and_chains() {
        let place = |n: usize| match n {
            0..10 => Rm::Reg(Reg(n as u8 + 1)),
            _ => Rm::Mem(Mem { base: RSP, at: n as i32 }),
        };
        let operand = |n: usize| match place(n) {
            Rm::Reg(reg) => Operand::Reg(reg),
            Rm::Mem(mem) => Operand::Mem(mem),
        };
        let mut seed = 1_u64;
        for _ in 0..2000 {
            let mut random = |n| chance(&mut seed, n);
            let count = random(8) as usize + 1;
            let mut places: Vec<usize> = (5..15).collect();
            for i in (1..places.len()).rev() {
                places.swap(i, random(i as u64 + 1) as usize);
            }
            let items: Vec<Item> = places[..count]
                .iter()
                .map(|to| {
                    let from = if random(6) == 0 { Operand::Number(-7) } else { operand(5 + random(10) as usize) };
                    Item { from, to: place(*to) }
                })
                .collect();
            let before = run(&[]);
            let after = run(&ordered(items.clone()));
            for Item { from, to } in items {
                let index = |rm: Rm| match rm {
                    Rm::Reg(reg) => reg.0 as usize,
                    Rm::Mem(mem) => 100 + mem.at as usize,
                };
                let wanted = match from {
                    Operand::Reg(reg) => before[reg.0 as usize],
                    Operand::Mem(mem) => before[100 + mem.at as usize],
                    Operand::Number(number) => number,
                    Operand::Address(_) => -1,
                };
                assert_eq!(after[index(to)], wanted);
            }
        }
    }
}
