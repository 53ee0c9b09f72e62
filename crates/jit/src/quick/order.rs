//! Which instructions of a function are emitted, and in which order: skips what nobody reads, and joins a comparison
//! with the jump behind it.

use cranelift_codegen::entity::{EntitySet, SecondaryMap};
use cranelift_codegen::ir::{
    Block, Function, GlobalValueData, Inst, InstructionData, Opcode, StackSlot, Value, ValueDef, types,
};
use std::ops::Range;

/// What becomes of an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Fate {
    /// Nothing: nobody reads its result, or it is a constant, which whoever reads it makes.
    #[default]
    Skipped,
    Emitted,
    /// Emitted, with its last result in the flags, which the next one that is emitted reads.
    Flags,
    /// An intersection that the next one compares with zero, and does along with that.
    Mask,
    /// A word of memory that the next one compares where it lies.
    Memory,
}

/// A value that is no place's content.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Constant {
    Number(i64),
    /// An address on the machine stack: bytes behind where a slot begins.
    Slot(StackSlot, i32),
}

/// An instruction, and which operands are its.
pub struct Line {
    pub inst: Inst,
    pub operands: Range<usize>,
}

#[derive(Default)]
pub struct Order {
    /// Blocks that are reached: those that are not cold, then the cold ones.
    pub emission: Vec<Block>,
    /// The same, each cold block behind the first one that leads to it. What is used on the way out of a function would
    /// else count as used up to its end.
    pub allocation: Vec<Block>,
    /// Blocks to which only cold ones lead are cold, too.
    cold: EntitySet<Block>,
    pub fates: SecondaryMap<Inst, Fate>,
    /// What is not skipped, block by block as in `allocation`; which lines are whose.
    pub lines: Vec<Line>,
    pub blocks: Vec<Range<usize>>,
    /// What the lines read from places.
    pub operands: Vec<Value>,
    pub constants: SecondaryMap<Value, Option<Constant>>,
    /// How often values are used.
    uses: SecondaryMap<Value, u32>,
}

impl Order {
    /// Of a function without aliases of values.
    pub fn of(function: &Function) -> Order {
        let mut order = Order::default();
        order.arrange(function);
        order.count(function);
        order.drop_unused(function);
        for block in order.emission.clone() {
            order.join(function, block);
        }
        order.list(function);
        order
    }

    pub fn is_used(&self, value: Value) -> bool {
        self.uses[value] != 0
    }

    pub fn is_cold(&self, block: Block) -> bool {
        self.cold.contains(block)
    }

    fn arrange(&mut self, function: &Function) {
        let reach = |all: bool| {
            let mut reached: EntitySet<Block> = EntitySet::new();
            let mut work: Vec<Block> = function.layout.entry_block().into_iter().collect();
            while let Some(block) = work.pop() {
                if reached.insert(block) {
                    work.extend(successors(function, block).filter(|next| all || !function.layout.is_cold(*next)));
                }
            }
            reached
        };
        let (reached, warm) = (reach(true), reach(false));
        let (hot, cold): (Vec<Block>, Vec<Block>) =
            function.layout.blocks().filter(|block| reached.contains(*block)).partition(|block| warm.contains(*block));
        cold.iter().for_each(|block| _ = self.cold.insert(*block));
        let mut placed: EntitySet<Block> = EntitySet::new();
        let mut work = Vec::new();
        for block in &hot {
            work.push(*block);
            while let Some(block) = work.pop() {
                if placed.insert(block) {
                    self.allocation.push(block);
                    work.extend(successors(function, block).filter(|block| self.cold.contains(*block)));
                }
            }
        }
        self.emission = hot;
        self.emission.extend(cold);
    }

    fn count(&mut self, function: &Function) {
        for block in &self.emission {
            for inst in function.layout.block_insts(*block) {
                each_value(function, inst, |value| self.uses[value] += 1);
            }
        }
    }

    /// Finds constants, and what is there for nothing.
    fn drop_unused(&mut self, function: &Function) {
        for block in self.emission.iter().rev() {
            let mut at = function.layout.last_inst(*block);
            while let Some(inst) = at {
                at = function.layout.prev_inst(inst);
                let data = &function.dfg.insts[inst];
                let results = function.dfg.inst_results(inst);
                if let Some(constant) = constant(function, data) {
                    self.constants[results[0]] = Some(constant);
                } else if !acts(data.opcode()) && results.iter().all(|result| self.uses[*result] == 0) {
                    each_value(function, inst, |value| self.uses[value] -= 1);
                } else {
                    self.fates[inst] = Fate::Emitted;
                }
            }
        }
    }

    fn list(&mut self, function: &Function) {
        for block in &self.allocation {
            let first = self.lines.len();
            for inst in function.layout.block_insts(*block).filter(|inst| self.fates[*inst] != Fate::Skipped) {
                let start = self.operands.len();
                each_value(function, inst, |value| {
                    if self.constants[value].is_none() {
                        self.operands.push(value);
                    }
                });
                self.lines.push(Line { inst, operands: start..self.operands.len() });
            }
            self.blocks.push(first..self.lines.len());
        }
    }

    /// Finds what is done along with the instruction behind it.
    fn join(&mut self, function: &Function, block: Block) {
        let mut last = None;
        for inst in function.layout.block_insts(block) {
            if self.fates[inst] == Fate::Skipped {
                continue;
            }
            let (before, at) = (last, 0);
            last = Some(inst);
            let Some(before) = before else { continue };
            let first = function.dfg.inst_args(inst).first().copied();
            let Some(value) = first.filter(|value| self.uses[*value] == 1) else { continue };
            let ValueDef::Result(by, result) = function.dfg.value_def(value) else { continue };
            if by != before {
                continue;
            }
            let makes = function.dfg.insts[before].opcode();
            match function.dfg.insts[inst].opcode() {
                Opcode::Brif | Opcode::Select
                    if makes == Opcode::Icmp && result == at || overflows(makes) && result == 1 =>
                {
                    self.fates[before] = Fate::Flags;
                }
                Opcode::Brif | Opcode::Select if makes == Opcode::Band => self.fates[before] = Fate::Mask,
                Opcode::Icmp if makes == Opcode::Load && function.dfg.value_type(value) == types::I64 => {
                    self.fates[before] = Fate::Memory;
                }
                Opcode::Icmp
                    if makes == Opcode::Band
                        && self.constants[function.dfg.inst_args(inst)[1]] == Some(Constant::Number(0)) =>
                {
                    self.fates[before] = Fate::Mask;
                }
                _ => {}
            }
        }
    }
}

/// Shows what an instruction reads, the arguments of jumps included.
fn each_value(function: &Function, inst: Inst, mut show: impl FnMut(Value)) {
    let dfg = &function.dfg;
    let data = &dfg.insts[inst];
    dfg.inst_args(inst).iter().for_each(|value| show(*value));
    if data.opcode().is_branch() {
        for call in data.branch_destination(&dfg.jump_tables, &dfg.exception_tables) {
            call.args(&dfg.value_lists).filter_map(|arg| arg.as_value()).for_each(&mut show);
        }
    }
}

/// The blocks that a block leads to.
pub fn successors(function: &Function, block: Block) -> impl DoubleEndedIterator<Item = Block> + '_ {
    let dfg = &function.dfg;
    let last = function.layout.last_inst(block);
    let calls =
        last.map_or(&[][..], |last| dfg.insts[last].branch_destination(&dfg.jump_tables, &dfg.exception_tables));
    calls.iter().map(|call| call.block(&dfg.value_lists))
}

/// Operations that say beside their result whether it is right.
pub fn overflows(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::SaddOverflow | Opcode::SsubOverflow | Opcode::SmulOverflow)
}

/// Whether the instruction does more than to make its results.
fn acts(opcode: Opcode) -> bool {
    opcode.is_terminator() || opcode.is_call() || opcode.can_store()
}

fn constant(function: &Function, data: &InstructionData) -> Option<Constant> {
    Some(match *data {
        InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Constant::Number(imm.bits()),
        InstructionData::UnaryIeee64 { opcode: Opcode::F64const, imm } => Constant::Number(imm.bits() as i64),
        InstructionData::UnaryGlobalValue { opcode: Opcode::SymbolValue, global_value } => {
            match function.global_values[global_value] {
                GlobalValueData::Symbol { offset, .. } => Constant::Number(offset.bits()),
                _ => return None,
            }
        }
        InstructionData::StackAddr { opcode: Opcode::StackAddr, stack_slot, offset } => {
            Constant::Slot(stack_slot, offset.into())
        }
        _ => return None,
    })
}
