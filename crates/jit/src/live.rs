//! Which registers are live where.

use crate::decode::{Registers, effects, length, target};
use rubellite_bytecode::{CatchEntry, Insn, Op, Place, is_end};
use rubellite_vm::code::CodeData;
use rubellite_vm::is_plain_name;

/// Live registers of one code object by instruction.
pub struct Live {
    /// Before the instruction.
    before: Vec<Registers>,
    /// While the instruction runs something else: what is live behind it, without its result, in handlers around it, and in bindings of its block.
    across: Vec<Registers>,
    /// Targets of `Loop`.
    heads: Vec<bool>,
}

impl Live {
    pub fn of(code: &CodeData) -> Live {
        let count = code.insns.len();
        let mut live = Live { before: vec![Registers::default(); count + 1], across: vec![Registers::default(); count + 1], heads: vec![false; count + 1] };
        for pc in starts(code) {
            if code.insns[pc].op == Op::Loop {
                live.heads[target(&code.insns, pc).unwrap_or(0)] = true;
            }
        }
        let starts: Vec<usize> = starts(code).collect();
        while live.pass(code, &starts) {}
        live
    }

    /// Goes through the code once, from its end; whether something changed.
    fn pass(&mut self, code: &CodeData, starts: &[usize]) -> bool {
        let mut changed = false;
        for &pc in starts.iter().rev() {
            let insn = code.insns[pc];
            let next = pc + length(insn.op);
            let mut set = Registers::default();
            if !is_end(insn.op) {
                set.join(&self.before[next]);
            }
            if let Some(target) = target(&code.insns, pc) {
                set.join(&self.before[target]);
            }
            let effects = effects(code, insn);
            effects.result.iter().for_each(|register| set.remove(*register));
            effects.writes.iter().for_each(|register| set.remove(register));
            for entry in code.iseq.catches.iter().filter(|entry| covers(entry, pc, next)) {
                let mut handler = self.before[entry.handler as usize];
                handler.remove(entry.reg as usize);
                handler.remove(entry.reg as usize + 1);
                set.join(&handler);
            }
            if passes_block(code, insn) {
                named_locals(code).filter(|register| effects.result != Some(*register)).for_each(|register| set.add(register));
            }
            self.across[pc] = set;
            set.join(&effects.reads);
            if effects.reads_all {
                (0..code.register_count as usize).for_each(|register| set.add(register));
            }
            changed |= self.before[pc] != set;
            self.before[pc] = set;
        }
        changed
    }

    pub fn before(&self, pc: usize) -> &Registers {
        &self.before[pc]
    }

    pub fn across(&self, pc: usize) -> &Registers {
        &self.across[pc]
    }

    pub fn is_head(&self, pc: usize) -> bool {
        self.heads[pc]
    }
}

/// Whether a call passes a literal block, whose binding sees every local.
fn passes_block(code: &CodeData, insn: Insn) -> bool {
    matches!(insn.op, Op::Call | Op::Super | Op::Primitive | Op::Yield) && code.sites[insn.c as usize].block != 0
}

/// The registers of locals that a program can name.
fn named_locals(code: &CodeData) -> impl Iterator<Item = usize> + '_ {
    code.iseq.locals.iter().filter_map(|local| match local.place {
        Place::Reg(register) if is_plain_name(&local.name.bytes) => Some(register as usize),
        _ => None,
    })
}

/// Where instructions begin.
pub fn starts(code: &CodeData) -> impl Iterator<Item = usize> + '_ {
    let mut pc = 0;
    std::iter::from_fn(move || {
        let at = pc;
        let insn = code.insns.get(at)?;
        pc += length(insn.op);
        Some(at)
    })
}

/// Whether an exit out of the instruction, or in front of it, may go to the handler of the entry.
fn covers(entry: &CatchEntry, pc: usize, next: usize) -> bool {
    pc as u32 <= entry.end && entry.start < next as u32
}
