//! Live ranges: from where to where in a function a value is needed, in the order in which places are given out
//! (`place`).
//!
//! Values that are read in other blocks than their own are followed along the edges, so that loops are taken into
//! account.

use super::order::{Fate, Line, Order, successors};
use cranelift_codegen::entity::SecondaryMap;
use cranelift_codegen::ir::{Block, Function, Inst, Type, Value};
use rustc_hash::FxHashMap;

/// No number.
pub const NONE: u32 = u32::MAX;

/// What a use counts in a block that is not cold.
const HOT: u32 = 8;

/// Positions: operands of the n-th instruction are read at 2n, its results written at 2n + 1.
#[derive(Copy, Clone, Debug)]
pub struct Range {
    pub start: u32,
    pub end: u32,
    pub uses: u32,
    /// It lives while a call of a block runs that is not cold.
    pub crosses: bool,
    pub kind: Type,
}

pub struct Ranges {
    /// Numbers of values that need a place.
    pub numbers: SecondaryMap<Value, u32>,
    pub ranges: Vec<Range>,
    /// Which of them live while the call of a cold block runs.
    pub saved: FxHashMap<Inst, Vec<u32>>,
    /// How many of them, those with the lowest numbers, are read in other blocks than their own.
    shared: usize,
    /// Numbers of what lines read, as their operands are listed, and of what they write.
    reads: Vec<u32>,
    writes: Vec<[u32; 2]>,
}

/// Sets of numbers.
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    fn add(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    fn remove(&mut self, number: u32) {
        self.0[number as usize / 64] &= !(1 << (number % 64));
    }

    fn has(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 != 0
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(64 * i as u32 + bit)
            })
        })
    }
}

impl Ranges {
    pub fn of(function: &Function, order: &Order) -> Ranges {
        let mut ranges = Ranges {
            numbers: SecondaryMap::with_default(NONE),
            ranges: Vec::new(),
            saved: FxHashMap::default(),
            shared: 0,
            reads: Vec::new(),
            writes: Vec::new(),
        };
        ranges.number(function, order);
        let numbers = &ranges.numbers;
        ranges.reads = order.operands.iter().map(|value| numbers[*value]).collect();
        let written = |line: &Line| {
            let results = function.dfg.inst_results(line.inst);
            [0, 1].map(|at| results.get(at).map_or(NONE, |value| numbers[*value]))
        };
        ranges.writes = order.lines.iter().map(written).collect();
        let outs = ranges.flow(function, order);
        ranges.measure(function, order, &outs);
        ranges
    }

    /// The number of a value, if it has a place.
    pub fn number_of(&self, value: Value) -> Option<u32> {
        Some(self.numbers[value]).filter(|number| *number != NONE)
    }

    /// Gives numbers: first to values that are read in several blocks.
    fn number(&mut self, function: &Function, order: &Order) {
        let mut homes: SecondaryMap<Value, u32> = SecondaryMap::with_default(NONE);
        let mut all = Vec::new();
        for (i, (block, lines)) in order.allocation.iter().zip(&order.blocks).enumerate() {
            let results = order.lines[lines.clone()].iter().flat_map(|line| {
                let results = function.dfg.inst_results(line.inst);
                // What is only in the flags, or never made, has no place.
                &results[..match order.fates[line.inst] {
                    Fate::Flags => results.len() - 1,
                    Fate::Mask | Fate::Memory => 0,
                    _ => results.len(),
                }]
            });
            for value in function.dfg.block_params(*block).iter().chain(results) {
                if order.is_used(*value) {
                    homes[*value] = i as u32;
                    all.push(*value);
                }
            }
        }
        let mut shared: SecondaryMap<Value, bool> = SecondaryMap::new();
        for (i, lines) in order.blocks.iter().enumerate() {
            for line in &order.lines[lines.clone()] {
                for value in &order.operands[line.operands.clone()] {
                    if homes[*value] != i as u32 {
                        shared[*value] = true;
                    }
                }
            }
        }
        for wanted in [true, false] {
            for value in all.iter().filter(|value| shared[**value] == wanted) {
                self.numbers[*value] = self.ranges.len() as u32;
                let kind = function.dfg.value_type(*value);
                self.ranges.push(Range { start: u32::MAX, end: 0, uses: 0, crosses: false, kind });
            }
            self.shared = if wanted { self.ranges.len() } else { self.shared };
        }
    }

    /// Which shared values live where each block ends.
    fn flow(&self, function: &Function, order: &Order) -> SecondaryMap<Block, Vec<u64>> {
        let mut outs: SecondaryMap<Block, Vec<u64>> = SecondaryMap::new();
        let mut ins: SecondaryMap<Block, Vec<u64>> = SecondaryMap::new();
        let words = self.shared.div_ceil(64);
        let own: Vec<(Bits, Bits)> =
            (0..order.allocation.len()).map(|block| self.own(function, order, block)).collect();
        for block in &order.allocation {
            (outs[*block], ins[*block]) = (vec![0; words], vec![0; words]);
        }
        loop {
            let mut changed = false;
            for (block, (reads, writes)) in order.allocation.iter().zip(&own).rev() {
                let mut out = std::mem::take(&mut outs[*block]);
                for next in successors(function, *block) {
                    out.iter_mut().zip(&ins[next]).for_each(|(word, more)| *word |= more);
                }
                for (i, word) in out.iter().enumerate() {
                    let live = word & !writes.0[i] | reads.0[i];
                    changed |= ins[*block][i] != live;
                    ins[*block][i] = live;
                }
                outs[*block] = out;
            }
            if !changed {
                return outs;
            }
        }
    }

    /// Shared values that a block reads before it writes them, and those that it writes.
    fn own(&self, function: &Function, order: &Order, block: usize) -> (Bits, Bits) {
        let (mut reads, mut writes) = (Bits::new(self.shared), Bits::new(self.shared));
        let shared = |number: &u32| (*number as usize) < self.shared;
        let params = function.dfg.block_params(order.allocation[block]).iter().map(|value| self.numbers[*value]);
        params.filter(shared).for_each(|number| writes.add(number));
        for at in order.blocks[block].clone() {
            for number in self.reads[order.lines[at].operands.clone()].iter().filter(|number| shared(number)) {
                if !writes.has(*number) {
                    reads.add(*number);
                }
            }
            self.writes[at].into_iter().filter(shared).for_each(|number| writes.add(number));
        }
        (reads, writes)
    }

    fn measure(&mut self, function: &Function, order: &Order, outs: &SecondaryMap<Block, Vec<u64>>) {
        let Ranges { numbers, ranges, saved, reads, writes, .. } = self;
        let mut at = 0;
        let mut live = Bits::new(ranges.len());
        for (block, lines) in order.allocation.iter().zip(&order.blocks) {
            let start = at;
            at += 2 * lines.len() as u32 + 4;
            live.0.fill(0);
            live.0[..outs[*block].len()].copy_from_slice(&outs[*block]);
            live.iter().for_each(|number| touch(ranges, number, at - 2));
            let cold = order.is_cold(*block);
            for (i, line) in lines.clone().enumerate().rev() {
                let here = start + 2 * i as u32 + 2;
                for number in writes[line].into_iter().filter(|number| *number != NONE) {
                    touch(ranges, number, here + 1);
                    live.remove(number);
                }
                let line = &order.lines[line];
                if function.dfg.insts[line.inst].opcode().is_call() {
                    if cold {
                        saved.insert(line.inst, live.iter().collect());
                    } else {
                        live.iter().for_each(|number| ranges[number as usize].crosses = true);
                    }
                }
                for number in reads[line.operands.clone()].iter().copied().filter(|number| *number != NONE) {
                    touch(ranges, number, here);
                    ranges[number as usize].uses += if cold { 1 } else { HOT };
                    live.add(number);
                }
            }
            let params = function.dfg.block_params(*block).iter().map(|value| numbers[*value]);
            for number in params.filter(|number| *number != NONE) {
                touch(ranges, number, start);
                live.remove(number);
            }
            live.iter().for_each(|number| touch(ranges, number, start));
        }
    }
}

/// The value lives at a position.
fn touch(ranges: &mut [Range], number: u32, at: u32) {
    let range = &mut ranges[number as usize];
    range.start = range.start.min(at);
    range.end = range.end.max(at);
}
