//! Literals, interpolation and destructuring: what makes or takes apart strings and arrays without calling anything.
//!
//! The functions that are called here run no Ruby and need no frame. Elements are handed over on the machine stack,
//! which the collector looks at as well. Where one fails nothing has happened yet, and the interpreter's function does
//! it all again.

use super::calls::Callee;
use super::registers::Type;
use super::{Lower, Point, plain};
use crate::decode::{length, target};
use crate::live::starts;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value as Word, types};
use rubellite_bytecode::{DefinedKind, Insn, Op};
use rubellite_value::{Tag, Value};
use rubellite_vm::code::{Site, site_flags};
use rubellite_vm::{MethodBody, jit};

/// Elements that are handed over at most.
const HANDED_MAX: usize = 32;
/// Elements that are taken out of an array in place at most.
pub(super) const EXPANDED_MAX: usize = 8;
/// In the operand of `ExpandArray`: there is a splat.
const SPLAT: u8 = 0x80;

impl Lower<'_> {
    pub(super) fn literal(&mut self, insn: Insn, [a, b, _]: [usize; 3]) {
        match insn.op {
            Op::NewArray | Op::StrCat if insn.c as usize > HANDED_MAX => self.step_to(a),
            Op::NewArray => {
                let items = self.hand_over(b, insn.c as usize);
                let (ctx, count) = (self.ctx, self.integer(insn.c as i64));
                self.made(jit::new_array as *const (), &[ctx, items, count], a);
            }
            Op::DupLiteral => {
                let literal = self.code(self.at.context).literal(insn.literal());
                let (ctx, literal) = (self.ctx, self.value(literal));
                self.made(jit::copy_literal as *const (), &[ctx, literal], a);
            }
            Op::StrCat => {
                let items = self.hand_over(b, insn.c as usize);
                let code = self.code(self.at.context);
                let (ctx, count, code) =
                    (self.ctx, self.integer(insn.c as i64), self.address(std::ptr::from_ref(code)));
                self.made(jit::interpolate as *const (), &[ctx, items, count, code], a);
            }
            Op::NewString => {
                let code = self.code(self.at.context);
                let (ctx, insn) = (self.ctx, self.address(&raw const code.insns[self.at.pc]));
                let code = self.address(std::ptr::from_ref(code));
                self.made(jit::new_string as *const (), &[ctx, code, insn], a);
            }
            Op::ToStr => self.to_string(a, b),
            Op::SplatArray if insn.x == 0 => {
                let (slow, done) = self.ways();
                self.tag_or(b, Tag::Array, slow);
                let word = self.get(b);
                self.b.ins().jump(done, &[word.into()]);
                self.finish_ways(slow, done, a);
            }
            Op::ExpandArray => self.expand_array(insn, a, b),
            Op::Defined => self.defined(insn, a),
            _ => self.step_to(a),
        }
    }

    /// The result of a function that makes an object; where it fails the interpreter's does it again.
    fn made(&mut self, function: *const (), arguments: &[Word], register: usize) {
        let (slow, done) = self.ways();
        let word = self.ask(function, arguments);
        let failed = self.b.ins().icmp_imm_s(IntCC::Equal, word, jit::EXIT as i64);
        self.b.ins().brif(failed, slow, &[], done, &[word.into()]);
        self.finish_ways(slow, done, register);
    }

    /// Where the words of registers lie on the machine stack.
    fn hand_over(&mut self, first: usize, count: usize) -> Word {
        let slot = match self.handed {
            Some(slot) => slot,
            None => {
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 8 * HANDED_MAX as u32, 3);
                *self.handed.insert(self.b.create_sized_stack_slot(data))
            }
        };
        for i in 0..count {
            let word = self.get(first + i);
            self.b.ins().stack_store(types::I64, word, slot, 8 * i as i32);
        }
        self.b.ins().stack_addr(types::I64, slot, 0)
    }

    /// A part of an interpolation: strings and small Integers are taken as they are.
    fn to_string(&mut self, a: usize, b: usize) {
        self.assume();
        if self.state.types[b] == Type::Integer {
            return self.copy(b, a);
        }
        let (slow, done) = self.ways();
        let word = self.get(b);
        let other = self.b.create_block();
        let bit = self.b.ins().band_imm_s(word, 1);
        self.b.ins().brif(bit, done, &[word.into()], other, &[]);
        self.start(other);
        if let Some(is) = self.is_usual_immediate(word) {
            let string = self.b.create_block();
            self.b.ins().brif(is, done, &[word.into()], string, &[]);
            self.start(string);
        }
        self.tag_or(b, Tag::String, slow);
        self.b.ins().jump(done, &[word.into()]);
        self.finish_ways(slow, done, a);
    }

    /// Whether the word is of the class that the running `ToStr` has seen last, if that is nil's, true's, false's or
    /// Symbol, with the class's own `to_s`, and what takes the result is a string literal, which writes such values
    /// itself.
    fn is_usual_immediate(&mut self, word: Word) -> Option<Word> {
        let (context, pc) = (self.at.context, self.at.pc);
        let code = self.code(context);
        let (to, site) = (code.insns[pc].a, &code.sites[code.insns[pc + 1].a as usize]);
        let takes = |insn: &&Insn| {
            matches!(insn.op, Op::StrCat | Op::NewRegexp | Op::Intrinsic) && (insn.b..insn.b + insn.c).contains(&to)
        };
        let taker = starts(code).skip_while(|at| *at <= pc).map(|at| &code.insns[at]).find(takes)?;
        let (core, class) = (self.vm.classes(), site.klass.get());
        let special = [(&core.nil, Value::NIL), (&core.true_class, Value::TRUE), (&core.false_class, Value::FALSE)];
        let special = special.into_iter().find(|(known, _)| known.get() == class).map(|(_, value)| value);
        if taker.op != Op::StrCat
            || special.is_none() && class != core.symbol.get()
            || !self.leads_to_own_native(site, class)
        {
            return None;
        }
        Some(match special {
            Some(value) => self.b.ins().icmp_imm_s(IntCC::Equal, word, value.bits() as i64),
            None => {
                let tag = self.b.ins().band_imm_s(word, 0xff);
                self.b.ins().icmp_imm_s(IntCC::Equal, tag, 0x0c)
            }
        })
    }

    /// Whether the site leads to a native method of the core class itself, on which the code stands from now on.
    fn leads_to_own_native(&mut self, site: &Site, class: Value) -> bool {
        let Some(callee) = Callee::of(self.vm, site).filter(|callee| callee.class == class && callee.native.is_some())
        else {
            return false;
        };
        let method = site.method();
        let own = method.owner().value() == class && matches!(method.body(), MethodBody::Native { .. });
        if own {
            self.stand_on(&callee, site);
        }
        own
    }

    /// `[a, b].max` and `min` of small Integers, which need no Array, where that is what the running instruction and
    /// the next one are.
    pub(super) fn greater_of_two(&mut self, insn: Insn, next: usize) -> bool {
        let context = self.at.context;
        let (code, offset) = (self.code(context), self.contexts[context].offset);
        let Some(call) = code.insns.get(next).copied().filter(|_| insn.op == Op::NewArray && insn.c == 2) else {
            return false;
        };
        if call.op != Op::Call || call.b != insn.a {
            return false;
        }
        let site = &code.sites[call.c as usize];
        let greater = match self.vm.sym_bytes(site.name) {
            b"max" => true,
            b"min" => false,
            _ => return false,
        };
        let plain =
            site.argc == 0 && site.block == 0 && site.flags & (site_flags::COMPLEX | site_flags::BLOCK_ARG) == 0;
        let array = self.vm.classes().array.get();
        let (left, right) = (insn.b as usize + offset, insn.b as usize + offset + 1);
        let numbers = [left, right].iter().any(|register| self.state.types[*register] == Type::Float);
        if !plain || numbers || !self.leads_to_own_native(site, array) {
            return false;
        }
        self.assume();
        let after = Point { context, pc: next + length(call.op) };
        let (fast, slow) = (self.b.create_block(), self.b.create_block());
        let (one, other) = (self.get(left), self.get(right));
        let both = self.b.ins().band(one, other);
        let small = self.b.ins().band_imm_s(both, 1);
        self.b.ins().brif(small, fast, &[], slow, &[]);
        let before = self.state.clone();
        self.start(fast);
        let more =
            self.b.ins().icmp(if greater { IntCC::SignedGreaterThan } else { IntCC::SignedLessThan }, one, other);
        let word = self.b.ins().select(more, one, other);
        self.define_as(call.a as usize + offset, word, Type::Integer);
        self.go(after);
        self.restore(before);
        self.start_cold(slow);
        self.literal(insn, [insn.a as usize + offset, left, 0]);
        self.begin(Point { context, pc: next });
        self.call(call, after.pc);
        if !self.done {
            self.go(after);
        }
        true
    }

    /// Destructuring writes several registers. Arrays that have an element for each are taken apart here.
    fn expand_array(&mut self, insn: Insn, a: usize, b: usize) {
        let count = insn.c as usize;
        if insn.x & SPLAT != 0 || insn.x != 0 || count == 0 || count > EXPANDED_MAX {
            self.step();
            return self.load_results(insn);
        }
        let (slow, done) = (self.b.create_block(), self.b.create_block());
        for _ in 0..count {
            self.b.append_block_param(done, types::I64);
        }
        let before = self.state.clone();
        let (elements, length) = self.elements(a, false, slow);
        let enough = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, length, count as i64);
        self.continue_if(enough, slow);
        let words: Vec<_> =
            (0..count).map(|i| self.b.ins().load(types::I64, plain(), elements, 8 * i as i32).into()).collect();
        self.b.ins().jump(done, &words);
        self.start_cold(slow);
        self.state = before;
        self.step_aside();
        let words: Vec<_> =
            (0..count).map(|i| self.b.ins().load(types::I64, plain(), self.base, 8 * (b + i) as i32).into()).collect();
        self.b.ins().jump(done, &words);
        self.start(done);
        for i in 0..count {
            let word = self.b.block_params(done)[i];
            self.define(b + i, word);
        }
    }

    /// What an instruction has written to the frame's registers.
    fn load_results(&mut self, insn: Insn) {
        let offset = self.contexts[self.at.context].offset;
        let effects = crate::decode::effects(self.code(self.at.context), insn);
        for register in effects.writes.iter() {
            let register = register + offset;
            let word = self.b.ins().load(types::I64, plain(), self.base, 8 * register as i32);
            self.load(register, word);
        }
    }

    /// `defined?(yield)` as a condition, in code that has the unit's frame, or of which the block is known.
    fn defined(&mut self, insn: Insn, a: usize) {
        if [DefinedKind::Ivar as u8, DefinedKind::Cvar as u8].contains(&insn.x) {
            return self.variable_defined(insn, a);
        }
        let (context, mut next) = (&self.contexts[self.at.context], self.behind(self.at).pc);
        let insns = &self.code(self.at.context).insns;
        if insns[next].op == Op::Jump {
            next = target(insns, next).unwrap_or(next);
        }
        let branch = insns[next];
        let decides = matches!(branch.op, Op::JumpIf | Op::JumpUnless)
            && branch.a == insn.a
            && !context.live.across(next).iter().any(|r| r == insn.a as usize);
        if insn.x != DefinedKind::Yield as u8 || !decides {
            return self.step_to(a);
        }
        if context.block.is_some() {
            return self.constant(a, Value::TRUE);
        }
        if context.caller.is_some() {
            return self.step_to(a);
        }
        let frame = self.frame;
        let handler = self.b.ins().load(types::I64, plain(), frame, jit::frame::BLOCK);
        let given = self.b.ins().icmp_imm_s(IntCC::NotEqual, handler, Value::NIL.bits() as i64);
        let (yes, no) = (self.value(Value::TRUE), self.value(Value::NIL));
        let word = self.b.ins().select(given, yes, no);
        self.define(a, word);
    }

    /// `defined?` of an instance or class variable.
    fn variable_defined(&mut self, insn: Insn, a: usize) {
        let own = self.contexts[self.at.context].offset;
        let (ctx, scope, me) = (self.ctx, self.scope(self.at.context), self.get(own));
        let (name, kind) = (self.name(insn.b), self.integer(i64::from(insn.x)));
        self.asked_first(jit::defined_variable as *const (), &[ctx, scope, me, name, kind], a);
    }
}
