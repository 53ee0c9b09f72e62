//! Operators of classes whose methods they are: a program's own, and natives of strings and the like. They are called
//! as other methods are, with a window behind the registers of the running code.

use super::calls::Callee;
use super::registers::Type;
use super::{Lower, Point};
use crate::decode::{REGISTERS, target};
use crate::unit::seen;
use cranelift_codegen::ir::Block;
use rubellite_bytecode::{Insn, Op};
use rubellite_value::Value;
use rubellite_vm::code::{Site, Target};
use rubellite_vm::frame::frame_flags;

/// Classes of receivers that one operator is compiled for at most.
const CALLEES_MAX: usize = 2;

/// What an operator is given.
#[derive(Copy, Clone)]
enum Operand {
    Register(usize),
    Number(i64),
}

impl Lower<'_> {
    /// Calls the methods that the running operator was seen to lead to. Other receivers go on here, with the ways for
    /// those that need no call.
    pub(super) fn operator_calls(&mut self, insn: Insn, next: usize) {
        let Some((receiver, operands)) = self.operands(insn) else { return };
        let seen = self.unit.seen(self.key());
        if self.state.types[receiver] != Type::Any || seen & seen::KINDS != 0 && seen & seen::OTHER == 0 {
            return;
        }
        let (context, code) = (self.at.context, self.code(self.at.context));
        let site = &code.sites[code.insns[self.at.pc + 1].a as usize];
        let window = self.contexts[context].offset + code.register_count as usize;
        let mut callees = self.callees(site, None);
        // Whether natives are not equal is asked without a call.
        let unequal = matches!(insn.op, Op::Neq | Op::BrNeq);
        callees.retain(|callee| {
            self.is_called(callee, window) && (!unequal || !matches!(callee.key.target, Target::Native | Target::Leaf))
        });
        if insn.op == Op::Shl && !self.races {
            // Strings are appended without a call, as Arrays are.
            let string = self.vm.classes().string.get();
            callees.retain(|callee| callee.class != string || callee.key.target != Target::Native);
        }
        callees.truncate(CALLEES_MAX);
        if !callees.is_empty() {
            self.assume();
            // Also where the method turns out to be one that is not compiled.
            self.unit.expect_others(self.key());
        }
        for callee in callees {
            let before = self.state.clone();
            let other = self.b.create_block();
            self.expect_callee(&callee, site, receiver, other);
            self.copy(receiver, window);
            for (i, operand) in operands.iter().enumerate() {
                match operand {
                    Operand::Register(register) => self.copy(*register, window + 1 + i),
                    Operand::Number(number) => self.constant(window + 1 + i, Value::fixnum(*number)),
                }
            }
            self.call_operator(insn, next, &callee, site, window, other);
            self.start(other);
            self.restore(before);
        }
    }

    /// The register of the receiver of an operator that may be a method, and the operands.
    fn operands(&self, insn: Insn) -> Option<(usize, Vec<Operand>)> {
        use Op::*;
        let offset = self.contexts[self.at.context].offset;
        let register = |r: u16| Operand::Register(r as usize + offset);
        let (receiver, operands) = match insn.op {
            Add | Sub | Mul | Div | Mod | And | Or | Xor | Shl | Shr | Eq | Neq | Lt | Le | Gt | Ge => {
                (insn.b, vec![register(insn.c)])
            }
            ARef if insn.x == 0 => (insn.b, vec![register(insn.c)]),
            AddInt | SubInt => (insn.b, vec![Operand::Number(insn.c as i16 as i64)]),
            Neg | Not => (insn.b, Vec::new()),
            ASet => (insn.a, vec![register(insn.b), register(insn.c)]),
            BrLt | BrLe | BrGt | BrGe | BrEq | BrNeq if insn.x & 2 != 0 => {
                (insn.a, vec![Operand::Number(insn.b as i16 as i64)])
            }
            BrLt | BrLe | BrGt | BrGe | BrEq | BrNeq => (insn.a, vec![register(insn.b)]),
            _ => return None,
        };
        Some((receiver as usize + offset, operands))
    }

    fn is_called(&self, callee: &Callee, window: usize) -> bool {
        let classes = self.vm.classes();
        if callee.class == classes.integer.get() || callee.class == classes.float.get() {
            return false;
        }
        let registers = match callee.key.target {
            Target::SimpleCode => callee.code().register_count as usize,
            Target::Native | Target::Leaf | Target::NotIdentical => 3,
            _ => return false,
        };
        window + registers + 8 < REGISTERS
    }

    fn call_operator(&mut self, insn: Insn, next: usize, callee: &Callee, site: &Site, window: usize, other: Block) {
        let context = self.at.context;
        let branches = rubellite_bytecode::is_compare_branch(insn.op);
        let flags = if branches {
            frame_flags::BRANCH
        } else if insn.op == Op::ASet {
            frame_flags::DISCARD
        } else {
            let a = insn.a as usize + self.contexts[context].offset;
            self.call_known(callee, site, a, window, other);
            if !self.done {
                self.go(Point { context, pc: next });
            }
            return;
        };
        let word = match callee.key.target {
            Target::SimpleCode => {
                let entry = self.entry_or(callee, other);
                self.enter_code(callee, site, entry, window, (0, flags), None)
            }
            Target::NotIdentical => {
                self.not_identical(window, window);
                self.get(window)
            }
            _ => {
                self.tell_receiver(callee, window);
                if self.builtin(callee, site, window, window, other) {
                    self.get(window)
                } else {
                    self.native_of(callee, site, window)
                }
            }
        };
        if !branches {
            return self.go(Point { context, pc: next });
        }
        let truth = self.word_truth(word);
        let target = target(&self.code(context).insns, self.at.pc).unwrap_or(next);
        let [target, next] = [target, next].map(|pc| Point { context, pc });
        if insn.x & 1 != 0 { self.branch(truth, target, next) } else { self.branch(truth, next, target) }
    }
}
