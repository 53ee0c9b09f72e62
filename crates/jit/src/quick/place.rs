//! Register allocation: each value gets one register or one word of the machine stack for all of its life.

use super::order::Order;
use super::ranges::{NONE, Range, Ranges};
use cranelift_codegen::ir::{Function, InstructionData, Opcode, types};

/// A register, by its number in the encoding.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Reg(pub u8);

pub const RAX: Reg = Reg(0);
pub const RCX: Reg = Reg(1);
pub const RDX: Reg = Reg(2);
pub const RSP: Reg = Reg(4);
/// Beside the first one, what is not given to values: for what lasts no longer than an instruction.
pub const R11: Reg = Reg(11);

/// Registers of the first six words that a function is given.
pub const ARGUMENTS: [Reg; 6] = [Reg(7), Reg(6), Reg(2), Reg(1), Reg(8), Reg(9)];
/// Those that a call leaves with other contents, without the two that are not given away.
pub const LOST: [Reg; 7] = [Reg(7), Reg(6), Reg(2), Reg(1), Reg(8), Reg(9), Reg(10)];
/// Those that a function has to give back as they were.
const KEPT: [Reg; 6] = [Reg(3), Reg(5), Reg(12), Reg(13), Reg(14), Reg(15)];

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    Reg(Reg),
    /// A word of the machine stack.
    Word(u32),
}

pub struct Places {
    /// By the numbers of values.
    pub places: Vec<Place>,
    /// Words of the machine stack.
    pub words: u32,
    /// Registers that are to be given back as they were.
    pub kept: Vec<Reg>,
}

struct Scan<'a> {
    ranges: &'a [Range],
    places: Vec<Option<Place>>,
    /// By the number of the register.
    holders: [u32; 16],
    /// Values that others are moved to or from, which best lie in the same register.
    partners: Vec<u32>,
    /// The first operands of what makes values, whose registers are best changed where they are.
    sources: Vec<u32>,
}

impl Places {
    pub fn of(function: &Function, order: &Order, ranges: &Ranges) -> Places {
        let count = ranges.ranges.len();
        let mut scan = Scan {
            ranges: &ranges.ranges,
            places: vec![None; count],
            holders: [NONE; 16],
            partners: partners(function, order, ranges),
            sources: sources(function, order, ranges),
        };
        let mut sorted: Vec<u32> = (0..count as u32).collect();
        sorted.sort_unstable_by_key(|number| ranges.ranges[*number as usize].start);
        let entry = order.emission.first().map_or(&[][..], |entry| function.dfg.block_params(*entry));
        let given: Vec<u32> = entry.iter().map(|value| ranges.numbers[*value]).collect();
        for number in &sorted {
            let hint = given.iter().position(|given| given == number).map(|at| ARGUMENTS[at]);
            scan.place(*number, hint);
        }
        let words = scan.share_words(&sorted);
        let places: Vec<Place> = scan.places.into_iter().flatten().collect();
        let kept = KEPT.into_iter().filter(|reg| places.contains(&Place::Reg(*reg))).collect();
        Places { places, words, kept }
    }
}

fn partners(function: &Function, order: &Order, ranges: &Ranges) -> Vec<u32> {
    let mut partners = vec![NONE; ranges.ranges.len()];
    for block in &order.allocation {
        let Some(last) = function.layout.last_inst(*block) else { continue };
        let dfg = &function.dfg;
        if !matches!(dfg.insts[last].opcode(), Opcode::Jump | Opcode::Brif) {
            continue;
        }
        for call in dfg.insts[last].branch_destination(&dfg.jump_tables, &dfg.exception_tables) {
            let params = dfg.block_params(call.block(&dfg.value_lists));
            for (arg, param) in call.args(&dfg.value_lists).zip(params) {
                let pair = arg.as_value().and_then(|arg| ranges.number_of(arg)).zip(ranges.number_of(*param));
                if let Some((arg, param)) = pair {
                    partners[arg as usize] = param;
                    partners[param as usize] = arg;
                }
            }
        }
    }
    partners
}

/// The first operand of each operation of two that makes a value.
fn sources(function: &Function, order: &Order, ranges: &Ranges) -> Vec<u32> {
    let mut sources = vec![NONE; ranges.ranges.len()];
    for line in &order.lines {
        if let InstructionData::Binary { args, .. } = function.dfg.insts[line.inst]
            && let [result, ..] = function.dfg.inst_results(line.inst)
            && let Some(result) = ranges.number_of(*result)
        {
            let first = args.into_iter().find(|arg| order.constants[*arg].is_none());
            sources[result as usize] = first.map_or(NONE, |first| ranges.numbers[first]);
        }
    }
    sources
}

impl Scan<'_> {
    fn place(&mut self, number: u32, hint: Option<Reg>) {
        let range = self.ranges[number as usize];
        for holder in &mut self.holders {
            if *holder != NONE && self.ranges[*holder as usize].end < range.start {
                *holder = NONE;
            }
        }
        if range.kind == types::F64 {
            self.places[number as usize] = Some(Place::Word(0));
            return;
        }
        let reg_of = |other: u32| match self.places.get(other as usize) {
            Some(Some(Place::Reg(reg))) => Some(*reg),
            _ => None,
        };
        let [partner, source] = [&self.partners, &self.sources].map(|others| reg_of(others[number as usize]));
        let lost = if range.crosses { &[][..] } else { &LOST[..] };
        let is_allowed = |reg: &Reg| lost.contains(reg) || KEPT.contains(reg);
        let is_free = |reg: &Reg| self.holders[reg.0 as usize] == NONE;
        let wanted = [hint, partner, source].into_iter().flatten().find(|reg| is_allowed(reg) && is_free(reg));
        let free = wanted.or_else(|| lost.iter().chain(&KEPT).copied().find(is_free));
        let reg = match free {
            Some(reg) => reg,
            None => {
                let all = lost.iter().chain(&KEPT).copied();
                let Some(cheapest) = all.min_by_key(|reg| self.worth(self.holders[reg.0 as usize])) else { return };
                let holder = self.holders[cheapest.0 as usize];
                if self.worth(holder) >= self.worth(number) {
                    self.places[number as usize] = Some(Place::Word(0));
                    return;
                }
                self.places[holder as usize] = Some(Place::Word(0));
                cheapest
            }
        };
        self.holders[reg.0 as usize] = number;
        self.places[number as usize] = Some(Place::Reg(reg));
    }

    /// What it is worth to have a value in a register, beside what it takes from others.
    fn worth(&self, number: u32) -> u64 {
        let range = self.ranges[number as usize];
        ((range.uses as u64) << 20) / (range.end - range.start + 4) as u64
    }

    /// Gives words of the machine stack, the same one to values that do not live at the same time; how many there are.
    fn share_words(&mut self, sorted: &[u32]) -> u32 {
        let mut ends: Vec<u32> = Vec::new();
        for number in sorted {
            let range = self.ranges[*number as usize];
            if !matches!(self.places[*number as usize], Some(Place::Word(_))) {
                continue;
            }
            let free = ends.iter().position(|end| *end < range.start).unwrap_or_else(|| {
                ends.push(0);
                ends.len() - 1
            });
            ends[free] = range.end;
            self.places[*number as usize] = Some(Place::Word(free as u32));
        }
        ends.len() as u32
    }
}
