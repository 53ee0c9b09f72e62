//! Liveness: which registers may still be read, before and during each instruction of a code object. Only these have to
//! be kept and written to the frame.

use crate::decode::{Registers, effects, length, target};
use rubellite_bytecode::{CatchEntry, Insn, Op, Place, is_end};
use rubellite_vm::code::{CodeData, Target};
use rubellite_vm::is_plain_name;

/// Live registers of one code object by instruction.
pub struct Live {
    /// Before the instruction.
    before: Vec<Registers>,
    /// While the instruction runs something else: what is live behind it, without its result, in handlers around it,
    /// and in bindings of its block.
    across: Vec<Registers>,
    /// Before the instruction: named locals whose places in the frame a call may look at (a binding of the frame, a
    /// debugger) before they are written again, and self, if there is such a call at all.
    shown: Vec<Registers>,
    /// The same behind the instruction, without its result.
    shown_behind: Vec<Registers>,
    /// Targets of `Loop`.
    heads: Vec<bool>,
}

impl Live {
    pub fn of(code: &CodeData) -> Live {
        let count = code.insns.len();
        let none = || vec![Registers::default(); count + 1];
        let mut live =
            Live { before: none(), across: none(), shown: none(), shown_behind: none(), heads: vec![false; count + 1] };
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
            let (mut set, mut shown) = (Registers::default(), Registers::default());
            let follows = (!is_end(insn.op)).then_some(next);
            for following in follows.into_iter().chain(target(&code.insns, pc)) {
                set.join(&self.before[following]);
                shown.join(&self.shown[following]);
            }
            let effects = effects(code, insn);
            for register in effects.result.iter().copied().chain(effects.writes.iter()) {
                set.remove(register);
                shown.remove(register);
            }
            for entry in code.iseq.catches.iter().filter(|entry| covers(entry, pc, next)) {
                let mut handler = self.before[entry.handler as usize];
                handler.remove(entry.reg as usize);
                handler.remove(entry.reg as usize + 1);
                set.join(&handler);
                shown.join(&self.shown[entry.handler as usize]);
            }
            self.shown_behind[pc] = shown;
            if may_look(code, insn) {
                shown.add(0);
                named_locals(code).for_each(|register| shown.add(register));
            }
            changed |= self.shown[pc] != shown;
            self.shown[pc] = shown;
            if passes_block(code, insn) {
                named_locals(code)
                    .filter(|register| effects.result != Some(*register))
                    .for_each(|register| set.add(register));
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

    /// Named locals that must be in their places before the instruction, for somebody may look; and self, if there is a
    /// call that may.
    pub fn shown(&self, pc: usize) -> &Registers {
        &self.shown[pc]
    }

    /// Those that must be there while code that was inlined at the instruction runs.
    pub fn shown_behind(&self, pc: usize) -> &Registers {
        &self.shown_behind[pc]
    }

    pub fn is_head(&self, pc: usize) -> bool {
        self.heads[pc]
    }
}

/// Whether a call passes a literal block, whose binding sees every local.
fn passes_block(code: &CodeData, insn: Insn) -> bool {
    is_call(insn.op) && code.sites[insn.c as usize].block != 0
}

fn is_call(op: Op) -> bool {
    matches!(op, Op::Call | Op::Super | Op::Primitive | Op::Yield)
}

/// Whether a call may run code that sees the locals of its caller: not where as far as is known it leads to a variable
/// of an object, or to a function that calls nothing.
fn may_look(code: &CodeData, insn: Insn) -> bool {
    is_call(insn.op)
        && !matches!(code.sites[insn.c as usize].target.get(), Target::AttrReader | Target::AttrWriter | Target::Leaf)
}

/// The registers of locals that a program can name.
fn named_locals(code: &CodeData) -> impl Iterator<Item = usize> + '_ {
    code.iseq.locals.iter().filter_map(|local| match local.place {
        Place::Reg(register) if is_plain_name(local.name.bytes()) => Some(register as usize),
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
