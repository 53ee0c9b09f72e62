//! Operators of numbers.

use super::Lower;
use super::registers::Type;
use crate::unit::{Reason, seen};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word, types};
use rubellite_bytecode::{Insn, Op};
use rubellite_value::Value;
use rubellite_vm::jit;

impl Lower<'_> {
    pub(super) fn arithmetic(&mut self, insn: Insn, a: usize, b: usize, c: usize) {
        use Op::*;
        let right = match insn.op {
            AddInt | SubInt => Right::Number(insn.c as i16 as i64),
            Neg => Right::None,
            _ => Right::Register(c),
        };
        let seen = self.unit.seen(self.key());
        let left = self.kinds(b, 0);
        let right_kinds = right.register().map_or(seen::INTEGER, |c| self.kinds(c, seen::RIGHT));
        let both = left | right_kinds;
        self.assume();
        let has_floats = matches!(insn.op, Add | Sub | Mul | Div | AddInt | SubInt | Neg);
        if has_floats && (left == seen::FLOAT || right_kinds == seen::FLOAT) && both & seen::OTHER == 0 {
            return self.float_arithmetic(insn, a, b, right);
        }
        if insn.op == Shl && self.state.types[b] == Type::Any && left & seen::INTEGER == 0 {
            return self.append(a, b, c);
        }
        let is_float = |register: usize| self.state.types[register] == Type::Float;
        if !has_floats && (is_float(b) || right.register().is_some_and(is_float)) {
            return self.step_to(a);
        }
        if both & !seen::INTEGER != 0 || seen & seen::RANGE != 0 {
            return self.guarded_arithmetic(insn, a, b, right);
        }
        let x = self.expect_integer(b);
        let y = self.right_word(right, true);
        let (word, bad) = self.integer_arithmetic(insn.op, x, y, right);
        if let Some(bad) = bad {
            self.exit_if(bad, Reason::Range);
        }
        self.define_as(a, word, Type::Integer);
    }

    /// The number of an operand of an operator whose other operand, at least, is a Float.
    fn float_operand(&mut self, register: usize, shift: u32) -> Word {
        match self.kinds(register, shift) {
            seen::FLOAT => self.expect_float(register),
            seen::INTEGER => {
                self.expect_integer(register);
                self.expect_float(register)
            }
            _ => self.expect_number(register),
        }
    }

    fn float_arithmetic(&mut self, insn: Insn, a: usize, b: usize, right: Right) {
        use Op::*;
        let x = self.float_operand(b, 0);
        let y = match right {
            Right::Register(c) => self.float_operand(c, seen::RIGHT),
            Right::Number(n) => self.b.ins().f64const(n as f64),
            Right::None => x,
        };
        let number = match insn.op {
            Add | AddInt => self.b.ins().fadd(x, y),
            Sub | SubInt => self.b.ins().fsub(x, y),
            Mul => self.b.ins().fmul(x, y),
            Neg => self.b.ins().fneg(x),
            _ => self.b.ins().fdiv(x, y),
        };
        self.define_as(a, number, Type::Float);
    }

    /// The tagged word of the right operand.
    fn right_word(&mut self, right: Right, expect: bool) -> Word {
        match right {
            Right::Register(c) if expect => self.expect_integer(c),
            Right::Register(c) => self.get(c),
            Right::Number(n) => self.integer(Value::fixnum(n).bits() as i64),
            Right::None => self.integer(1),
        }
    }

    /// Operands or results are of several types: small Integers are done here, the rest by the interpreter's functions.
    fn guarded_arithmetic(&mut self, insn: Insn, a: usize, b: usize, right: Right) {
        let (x, y) = (self.get(b), self.right_word(right, false));
        let (slow, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, types::I64);
        let both = self.b.ins().band(x, y);
        let both = self.b.ins().band_imm_s(both, 1);
        self.continue_if(both, slow);
        let (word, bad) = self.integer_arithmetic(insn.op, x, y, right);
        match bad {
            Some(bad) => self.b.ins().brif(bad, slow, &[], done, &[word.into()]),
            None => self.b.ins().jump(done, &[word.into()]),
        };
        self.start_cold(slow);
        if !matches!(right, Right::None) {
            let step = self.b.create_block();
            let (ctx, op) = (self.ctx, self.integer(insn.op as i64));
            let word = self.ask(jit::arithmetic as *const (), &[ctx, op, x, y]);
            let none = self.b.ins().icmp_imm_s(IntCC::Equal, word, jit::EXIT as i64);
            self.b.ins().brif(none, step, &[], done, &[word.into()]);
            self.start_cold(step);
        }
        let word = self.step_aside();
        self.b.ins().jump(done, &[word.into()]);
        self.start(done);
        let word = self.b.block_params(done)[0];
        self.define(a, word);
    }

    /// Goes on here if the condition holds, else to the block, which is sealed later.
    pub(super) fn continue_if(&mut self, condition: Word, other: cranelift_codegen::ir::Block) {
        let on = self.b.create_block();
        self.b.ins().brif(condition, on, &[], other, &[]);
        self.start(on);
    }

    /// The tagged result of two tagged small Integers, and what is not zero if it is none.
    fn integer_arithmetic(&mut self, op: Op, x: Word, y: Word, right: Right) -> (Word, Option<Word>) {
        use Op::*;
        let constant = match right {
            Right::Register(c) => self.state.constants[c],
            Right::Number(n) => Some(n),
            Right::None => None,
        };
        match op {
            Add | AddInt => {
                let y = self.without_tag(y, constant);
                let (word, over) = self.b.ins().sadd_overflow(x, y);
                (word, Some(over))
            }
            Sub | SubInt => {
                let y = self.without_tag(y, constant);
                let (word, over) = self.b.ins().ssub_overflow(x, y);
                (word, Some(over))
            }
            Neg => {
                let two = self.integer(2);
                let (word, over) = self.b.ins().ssub_overflow(two, x);
                (word, Some(over))
            }
            Mul => {
                let x = self.b.ins().sshr_imm_s(x, 1);
                let y = self.without_tag(y, constant);
                let (word, over) = self.b.ins().smul_overflow(x, y);
                (self.b.ins().bor_imm_s(word, 1), Some(over))
            }
            And => (self.b.ins().band(x, y), None),
            Or => (self.b.ins().bor(x, y), None),
            Xor => {
                let word = self.b.ins().bxor(x, y);
                (self.b.ins().bor_imm_s(word, 1), None)
            }
            Shl => self.shift_left(x, y, constant),
            Shr => self.shift_right(x, y, constant),
            Div => self.divide(x, y, constant),
            _ => self.modulo(x, y, constant),
        }
    }

    /// Twice the number of a tagged word.
    fn without_tag(&mut self, word: Word, constant: Option<i64>) -> Word {
        match constant {
            Some(n) => self.integer(2 * n),
            None => self.b.ins().iadd_imm_s(word, -1),
        }
    }

    fn shift_left(&mut self, x: Word, y: Word, constant: Option<i64>) -> (Word, Option<Word>) {
        let bits = self.b.ins().iadd_imm_s(x, -1);
        let (by, bad) = match constant {
            Some(n) if (0..62).contains(&n) => (self.integer(n), None),
            _ => {
                let by = self.b.ins().sshr_imm_s(y, 1);
                (by, Some(self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, by, 62)))
            }
        };
        let shifted = self.b.ins().ishl(bits, by);
        let back = self.b.ins().sshr(shifted, by);
        let lost = self.b.ins().icmp(IntCC::NotEqual, back, bits);
        let bad = match bad {
            Some(bad) => self.b.ins().bor(bad, lost),
            None => lost,
        };
        (self.b.ins().bor_imm_s(shifted, 1), Some(bad))
    }

    fn shift_right(&mut self, x: Word, y: Word, constant: Option<i64>) -> (Word, Option<Word>) {
        let (word, bad) = match constant {
            Some(n) if n >= 0 => (self.b.ins().sshr_imm_s(x, n.min(63)), None),
            _ => {
                let by = self.b.ins().sshr_imm_s(y, 1);
                let bad = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, by, 64);
                (self.b.ins().sshr(x, by), Some(bad))
            }
        };
        (self.b.ins().bor_imm_s(word, 1), bad)
    }

    /// The operands of a division as numbers, and what is not zero if it is not done here: the divisor is 0, or -1,
    /// whose quotient may be no small Integer.
    fn division(&mut self, x: Word, y: Word, constant: Option<i64>) -> (Word, Word, Option<Word>) {
        let x = self.b.ins().sshr_imm_s(x, 1);
        if let Some(n) = constant.filter(|n| *n != 0 && *n != -1) {
            return (x, self.integer(n), None);
        }
        let y = self.b.ins().sshr_imm_s(y, 1);
        let above = self.b.ins().iadd_imm_s(y, 1);
        let bad = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, above, 1);
        // What is divided by then does not matter.
        let one = self.integer(1);
        let safe = self.b.ins().select(bad, one, y);
        (x, safe, Some(bad))
    }

    /// The floored quotient.
    fn divide(&mut self, x: Word, y: Word, constant: Option<i64>) -> (Word, Option<Word>) {
        if let Some(n) = constant.filter(|n| n.count_ones() == 1 && *n > 0) {
            let word = self.b.ins().sshr_imm_s(x, n.trailing_zeros() as i64);
            return (self.b.ins().bor_imm_s(word, 1), None);
        }
        let (x, y, bad) = self.division(x, y, constant);
        let quotient = self.b.ins().sdiv(x, y);
        let back = self.b.ins().imul(quotient, y);
        let rest = self.b.ins().isub(x, back);
        let below = self.b.ins().iadd_imm_s(quotient, -1);
        let quotient = self.if_signs_differ(rest, y, below, quotient);
        (self.tag_integer(quotient), bad)
    }

    /// The rest with the sign of the divisor.
    fn modulo(&mut self, x: Word, y: Word, constant: Option<i64>) -> (Word, Option<Word>) {
        if let Some(n) = constant.filter(|n| n.count_ones() == 1 && *n > 0) {
            return (self.b.ins().band_imm_s(x, (n - 1) << 1 | 1), None);
        }
        let (x, y, bad) = self.division(x, y, constant);
        let rest = self.b.ins().srem(x, y);
        let moved = self.b.ins().iadd(rest, y);
        let rest = self.if_signs_differ(rest, y, moved, rest);
        (self.tag_integer(rest), bad)
    }

    /// `yes` if a rest is not zero and has another sign than the divisor, else `no`.
    fn if_signs_differ(&mut self, rest: Word, divisor: Word, yes: Word, no: Word) -> Word {
        let signs = self.b.ins().bxor(rest, divisor);
        let differ = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
        let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
        let both = self.b.ins().band(differ, some);
        self.b.ins().select(both, yes, no)
    }

    pub(super) fn tag_integer(&mut self, number: Word) -> Word {
        let twice = self.b.ins().ishl_imm_s(number, 1);
        self.b.ins().bor_imm_s(twice, 1)
    }

    /// `R[a] = R[b] << R[c]` of what is an Array most of the time.
    fn append(&mut self, a: usize, b: usize, c: usize) {
        let (list, item) = (self.get(b), self.get(c));
        let (slow, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, types::I64);
        // What is asked for the running frame's code stands for all code that was inlined into it.
        let ctx = self.ctx;
        let appended = self.ask(jit::append as *const (), &[ctx, list, item]);
        self.b.ins().brif(appended, done, &[list.into()], slow, &[]);
        self.start_cold(slow);
        let word = self.step_aside();
        self.b.ins().jump(done, &[word.into()]);
        self.start(done);
        let word = self.b.block_params(done)[0];
        self.define(a, word);
    }
}

/// The right operand.
#[derive(Copy, Clone)]
enum Right {
    Register(usize),
    Number(i64),
    None,
}

impl Right {
    fn register(self) -> Option<usize> {
        match self {
            Right::Register(register) => Some(register),
            _ => None,
        }
    }
}
