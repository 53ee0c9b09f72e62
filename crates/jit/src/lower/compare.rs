//! Comparisons and `!`, alone and fused with a jump.

use super::registers::Type;
use super::{Lower, Point};
use crate::decode::target;
use crate::unit::{Reason, seen};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word, types};
use cranelift_frontend::Switch;
use rubellite_bytecode::{Insn, Op};
use rubellite_value::Value;
use rubellite_vm::jit;

/// Integers beyond this are no Floats exactly.
const EXACT: i64 = 1 << 53;

/// What is compared with.
#[derive(Copy, Clone)]
enum Other {
    Register(usize),
    Number(i64),
}

/// What a comparison comes to: a method may return anything.
enum Outcome {
    Truth(Word),
    Value(Word),
}

impl Lower<'_> {
    pub(super) fn comparison(&mut self, insn: Insn, [a, b, c]: [usize; 3], next: usize) {
        use Op::*;
        let context = self.at.context;
        self.assume();
        if insn.op == BrWhen && self.case(b) {
            return;
        }
        let (outcome, to) = match insn.op {
            Not => return self.not(a, b),
            BrWhen => (Outcome::Truth(self.when(insn, b)), a),
            BrLt | BrLe | BrGt | BrGe | BrEq | BrNeq => {
                let other = if insn.x & 2 != 0 { Other::Number(insn.b as i16 as i64) } else { Other::Register(b) };
                (self.compare(insn.op, a, other), a)
            }
            _ => (self.compare(insn.op, b, Other::Register(c)), a),
        };
        let condition = match outcome {
            Outcome::Value(word) => return self.define(to, word),
            Outcome::Truth(condition) if !rubellite_bytecode::is_compare_branch(insn.op) => {
                return self.define_truth(to, condition);
            }
            Outcome::Truth(condition) => condition,
        };
        let target = target(&self.code(context).insns, self.at.pc).unwrap_or(next);
        let [target, next] = [target, next].map(|pc| Point { context, pc });
        if insn.x & 1 != 0 { self.branch(condition, target, next) } else { self.branch(condition, next, target) }
    }

    /// `!` of what no program has given another meaning; of objects their methods decide.
    fn not(&mut self, a: usize, b: usize) {
        if self.state.types[b] != Type::Any {
            return self.constant(a, Value::FALSE);
        }
        let word = self.get(b);
        let (slow, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, types::I64);
        let low = self.b.ins().band_imm_s(word, 7);
        let low = self.b.ins().icmp_imm_s(IntCC::NotEqual, low, 0);
        let none = self.b.ins().icmp_imm_s(IntCC::Equal, word, 0);
        let immediate = self.b.ins().bor(low, none);
        self.continue_if(immediate, slow);
        let truth = self.word_truth(word);
        let (yes, no) = (self.value(Value::TRUE), self.value(Value::FALSE));
        let not = self.b.ins().select(truth, no, yes);
        self.b.ins().jump(done, &[not.into()]);
        self.start_cold(slow);
        let word = self.step_aside();
        self.b.ins().jump(done, &[word.into()]);
        self.start(done);
        let word = self.b.block_params(done)[0];
        self.define(a, word);
    }

    /// What a comparison comes to.
    fn compare(&mut self, op: Op, a: usize, other: Other) -> Outcome {
        let right = match other {
            Other::Register(b) => Some(b),
            Other::Number(_) => None,
        };
        let left = self.kinds(a, 0);
        let right_kinds = right.map_or(seen::INTEGER, |b| self.kinds(b, seen::RIGHT));
        let both = left | right_kinds;
        let equality = matches!(op, Op::Eq | Op::Neq | Op::BrEq | Op::BrNeq);
        if both & seen::OTHER != 0 {
            return self.compare_any(op, a, other);
        }
        if left == seen::FLOAT || right_kinds == seen::FLOAT {
            return Outcome::Truth(self.compare_floats(op, a, other));
        }
        // Of what is compared for equality the least is known beforehand.
        if both & seen::FLOAT != 0 || equality && (left == 0 || right_kinds == 0) {
            return self.compare_any(op, a, other);
        }
        let x = self.expect_integer(a);
        Outcome::Truth(self.compare_integers(op, x, other, true))
    }

    /// The number of an operand that is compared with a Float. Integers that are no Float exactly are left to the
    /// interpreter.
    fn compared_number(&mut self, register: usize, shift: u32) -> Word {
        let kinds = self.kinds(register, shift);
        if kinds & seen::INTEGER == 0 && kinds != 0 {
            return self.expect_float(register);
        }
        if let Some(n) = self.state.constants[register].filter(|n| n.abs() <= EXACT) {
            return self.b.ins().f64const(n as f64);
        }
        if kinds == seen::INTEGER {
            self.expect_integer(register);
        }
        let word = self.get(register);
        let number = self.expect_number(register);
        // In terms of tagged words, so that those of Floats, whose tag is another one, pass as well.
        let moved = self.b.ins().iadd_imm_s(word, EXACT << 1);
        let beyond = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, moved, (EXACT << 2) + 1);
        let integer = self.b.ins().band_imm_s(word, 1);
        let integer = self.b.ins().icmp_imm_s(IntCC::NotEqual, integer, 0);
        let inexact = self.b.ins().band(beyond, integer);
        self.exit_if(inexact, Reason::Type);
        number
    }

    fn compare_floats(&mut self, op: Op, a: usize, other: Other) -> Word {
        use Op::*;
        let x = self.compared_number(a, 0);
        let y = match other {
            Other::Register(b) => self.compared_number(b, seen::RIGHT),
            Other::Number(n) => self.b.ins().f64const(n as f64),
        };
        let how = match op {
            Lt | BrLt => FloatCC::LessThan,
            Le | BrLe => FloatCC::LessThanOrEqual,
            Gt | BrGt => FloatCC::GreaterThan,
            Ge | BrGe => FloatCC::GreaterThanOrEqual,
            Eq | BrEq => FloatCC::Equal,
            _ => FloatCC::NotEqual,
        };
        self.b.ins().fcmp(how, x, y)
    }

    fn compare_integers(&mut self, op: Op, x: Word, other: Other, expect: bool) -> Word {
        use Op::*;
        let how = match op {
            Lt | BrLt => IntCC::SignedLessThan,
            Le | BrLe => IntCC::SignedLessThanOrEqual,
            Gt | BrGt => IntCC::SignedGreaterThan,
            Ge | BrGe => IntCC::SignedGreaterThanOrEqual,
            Eq | BrEq => IntCC::Equal,
            _ => IntCC::NotEqual,
        };
        match other {
            Other::Number(n) => self.b.ins().icmp_imm_s(how, x, Value::fixnum(n).bits() as i64),
            Other::Register(b) => {
                let y = if expect { self.expect_integer(b) } else { self.get(b) };
                self.b.ins().icmp(how, x, y)
            }
        }
    }

    /// Operands of several types: small Integers, and symbols, nil, true and false for equality, are compared here, the
    /// rest by the interpreter's functions.
    fn compare_any(&mut self, op: Op, a: usize, other: Other) -> Outcome {
        let x = self.get(a);
        let y = match other {
            Other::Register(b) => self.get(b),
            Other::Number(n) => self.integer(Value::fixnum(n).bits() as i64),
        };
        let branch = rubellite_bytecode::is_compare_branch(op);
        let (slow, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, if branch { types::I8 } else { types::I64 });
        let both = self.b.ins().band(x, y);
        let mut here = self.b.ins().band_imm_s(both, 1);
        let equality = matches!(op, Op::Eq | Op::Neq | Op::BrEq | Op::BrNeq);
        if equality {
            let unique = self.is_unique(x);
            let integers = self.b.ins().icmp_imm_s(IntCC::NotEqual, here, 0);
            here = self.b.ins().bor(integers, unique);
        }
        self.continue_if(here, slow);
        let truth = self.compare_integers(op, x, other, false);
        self.compared(truth, branch, done);
        let mut aside = slow;
        if equality {
            self.start_cold(slow);
            aside = self.b.create_block();
            let ctx = self.ctx;
            let word = self.ask(jit::equal as *const (), &[ctx, x, y]);
            let found = self.b.ins().icmp_imm_s(IntCC::NotEqual, word, jit::EXIT as i64);
            self.continue_if(found, aside);
            let wanted = if matches!(op, Op::Eq | Op::BrEq) { Value::TRUE } else { Value::FALSE };
            let truth = self.b.ins().icmp_imm_s(IntCC::Equal, word, wanted.bits() as i64);
            self.compared(truth, branch, done);
        }
        if branch { Outcome::Truth(self.truth_aside(aside, done)) } else { Outcome::Value(self.slow_way(aside, done)) }
    }

    /// Goes on in `done` with a truth, as a word unless it decides a branch.
    fn compared(&mut self, truth: Word, branch: bool, done: Block) {
        let outcome = if branch { truth } else { self.truth_word(truth) };
        self.b.ins().jump(done, &[outcome.into()]);
    }

    /// Ends the slow way of a comparison, which the interpreter's function decides, and goes on in `done` with the
    /// truth of either way.
    fn truth_aside(&mut self, slow: Block, done: Block) -> Word {
        self.start_cold(slow);
        let state = self.state.clone();
        let word = self.step();
        let truth = self.word_truth(word);
        self.b.ins().jump(done, &[truth.into()]);
        self.restore(state);
        self.state.forget();
        self.start(done);
        self.b.block_params(done)[0]
    }

    /// Whether the word is nil, true, false or a symbol, which are equal to themselves alone.
    fn is_unique(&mut self, word: Word) -> Word {
        let low = self.b.ins().band_imm_s(word, 7);
        self.b.ins().icmp_imm_s(IntCC::Equal, low, 4)
    }

    /// Goes where the run of comparisons of a register leads that begins here. False: there is none. Values whose way
    /// the comparisons decide go on with these, if there ever were such. Ways that nobody went leave the code the
    /// first times.
    fn case(&mut self, b: usize) -> bool {
        let Point { context, pc } = self.at;
        let code = self.code(context);
        let Some(case) = code.case(self.vm, pc) else { return false };
        if self.state.types[b] == Type::Float {
            return false;
        }
        let word = self.get(b);
        let state = self.state.clone();
        let [number, unique, none, other] = [(); 4].map(|()| self.b.create_block());
        // Blocks of the ways that have a word or a text, and of the way of all other values.
        let mut ways: Vec<Option<Block>> = vec![None; case.targets().len()];
        let last = ways.len() - 1;
        ways[last] = Some(none);
        let mut words: Vec<(Value, usize)> = case.words().collect(); // tidy: numbers and symbols of the code's literals
        words.sort_unstable_by_key(|(literal, _)| literal.bits());
        let (mut numbers, mut uniques) = (Switch::new(), Switch::new());
        for (literal, way) in words {
            let block = *ways[way].get_or_insert_with(|| self.b.create_block());
            match literal.as_fixnum() {
                Some(n) => numbers.set_entry(n as u64 as u128, block),
                None => uniques.set_entry(literal.bits() as u128, block),
            }
        }
        let bit = self.b.ins().band_imm_s(word, 1);
        self.b.ins().brif(bit, number, &[], unique, &[]);
        self.start(number);
        let untagged = self.b.ins().sshr_imm_s(word, 1);
        numbers.emit(&mut self.b, untagged, none);
        self.start(unique);
        let rest = self.b.create_block();
        uniques.emit(&mut self.b, word, rest);
        self.start(rest);
        let decided = self.is_unique(word);
        if case.has_texts() {
            let text = self.b.create_block();
            self.b.ins().brif(decided, none, &[], text, &[]);
            self.start(text);
            let (ctx, record) = (self.ctx, self.address(case));
            let way = self.ask(jit::case_way as *const (), &[ctx, record, word]);
            let mut switch = Switch::new();
            for number in 0..last {
                let block = *ways[number].get_or_insert_with(|| self.b.create_block());
                switch.set_entry(number as u128, block);
            }
            switch.set_entry(last as u128, none);
            switch.emit(&mut self.b, way, other);
        } else {
            self.b.ins().brif(decided, none, &[], other, &[]);
        }
        // What is put last is lowered first: ways that were gone get the room that there is.
        let wary = self.unit.is_wary();
        let (gone, others): (Vec<_>, Vec<_>) = ways.into_iter().enumerate().partition(|(way, _)| case.was_taken(*way));
        for (way, block) in others.into_iter().chain(gone) {
            let Some(block) = block else { continue };
            self.start(block);
            if wary || case.was_taken(way) {
                self.go(Point { context, pc: case.targets()[way] as usize });
            } else {
                self.leave(Reason::Class);
            }
            self.restore(state.clone());
        }
        self.start_cold(other);
        if case.was_undecided() {
            return false;
        }
        self.leave(Reason::Type);
        true
    }

    /// A literal `===` the register.
    fn when(&mut self, insn: Insn, b: usize) -> Word {
        let literal = self.code(self.at.context).literal(insn.a as usize);
        let word = self.get(b);
        if literal.is_unique() {
            return self.b.ins().icmp_imm_s(IntCC::Equal, word, literal.bits() as i64);
        }
        if !literal.is_fixnum() {
            let word = self.step();
            return self.word_truth(word);
        }
        if self.state.types[b] == Type::Integer {
            return self.b.ins().icmp_imm_s(IntCC::Equal, word, literal.bits() as i64);
        }
        let (slow, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, types::I8);
        let bit = self.b.ins().band_imm_s(word, 1);
        self.continue_if(bit, slow);
        let equal = self.b.ins().icmp_imm_s(IntCC::Equal, word, literal.bits() as i64);
        self.b.ins().jump(done, &[equal.into()]);
        self.truth_aside(slow, done)
    }
}
