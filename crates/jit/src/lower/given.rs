//! Blocks that are handed on: `&block` arguments, and `super`, which hands on the block of its method.

use super::calls::Callee;
use super::{Lower, Point, plain};
use crate::unit::{CLASSES_MAX, Reason};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word, types};
use rubellite_bytecode::{ISeqKind, Insn};
use rubellite_value::Value;
use rubellite_vm::code::{Site, Target, site_flags};
use rubellite_vm::jit;

impl Lower<'_> {
    /// `R[a]` = the handler of the block that the method was given.
    pub(super) fn get_block(&mut self, insn: Insn, a: usize) {
        if insn.x == 0 || self.at.context != 0 {
            return self.step_to(a);
        }
        let handler = self.b.ins().load(types::I64, plain(), self.frame, jit::frame::BLOCK);
        self.define(a, handler);
    }

    /// The handler of the block argument of a call, in its register from now on: the interpreter may still do the call.
    pub(super) fn hand_on(&mut self, site: &Site, b: usize) -> Option<Word> {
        if site.flags & site_flags::BLOCK_ARG == 0 {
            return None;
        }
        let register = b + site.argc as usize + 1;
        if self.state.known[register].is_some_and(Value::is_nil) {
            return Some(self.get(register));
        }
        let word = self.get(register);
        let (other, on) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(on, types::I64);
        let nil = self.b.ins().icmp_imm_s(IntCC::Equal, word, Value::NIL.bits() as i64);
        let literal = self.is_literal_block(word);
        let ready = self.b.ins().bor(nil, literal);
        self.b.ins().brif(ready, on, &[word.into()], other, &[]);
        self.start_cold(other);
        let state = self.state.clone();
        self.flush();
        self.flush_operands();
        let frame = self.calling_frame();
        let ctx = self.ctx;
        let made = self.ask(jit::block_argument as *const (), &[ctx, frame, word]);
        self.propagate(made);
        self.restore(state);
        self.b.ins().jump(on, &[made.into()]);
        self.start(on);
        let handler = self.b.block_params(on)[0];
        self.define(register, handler);
        self.store_if_dirty(register);
        Some(handler)
    }

    /// Whether a handler is that of a literal block: the address of a frame with a mark.
    pub(super) fn is_literal_block(&mut self, handler: Word) -> Word {
        let tag = self.b.ins().band_imm_s(handler, 15);
        let marked = self.b.ins().icmp_imm_s(IntCC::Equal, tag, jit::FRAME_BLOCK as i64);
        let some = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, handler, 4096);
        self.b.ins().band(marked, some)
    }

    /// `R[a] = super(...)`, for receivers of the classes and from the places where it was called before.
    pub(super) fn call_super(&mut self, insn: Insn, next: usize) {
        let code = self.code(self.at.context);
        let site = &code.sites[insn.c as usize];
        // The method of a block's frame is that of another one, and the frame of code in the place of a call is not there.
        let own = self.at.context == 0 && matches!(code.iseq.kind, ISeqKind::Method);
        let callees = if own { self.super_callees(site) } else { Vec::new() };
        if callees.is_empty() {
            return self.step_to(insn.a as usize + self.contexts[self.at.context].offset);
        }
        let (a, b) = (insn.a as usize, insn.b as usize);
        self.assume();
        let next = Point { context: 0, pc: next };
        let before = self.state.clone();
        let (method, pos) = (site.cref.get(), site.slot.get());
        let slow = self.b.create_block();
        let found = self.b.ins().load(types::I64, plain(), self.frame, jit::frame::METHOD);
        self.keep(method);
        let same = self.is_word(found, method.bits());
        self.continue_if(same, slow);
        let found = self.b.ins().load(types::I32, plain(), self.frame, jit::frame::POS_DST_FLAGS);
        let same = self.b.ins().icmp_imm_s(IntCC::Equal, found, pos as i32 as i64);
        self.continue_if(same, slow);
        let checked = self.state.clone();
        for (i, (callee, resolved)) in callees.iter().enumerate() {
            let other = if i + 1 == callees.len() { slow } else { self.b.create_block() };
            self.class_or(0, callee.class, other);
            let (counter, stands) = callee.epoch;
            self.assumptions.add_counter(counter, stands);
            [callee.class, callee.key.method, callee.cref].into_iter().for_each(|value| self.keep(value));
            self.copy(0, b);
            let handler = match self.hand_on(site, b) {
                // A leaf looks at no block.
                _ if callee.key.target == Target::Leaf => None,
                None if site.block == 0 => Some(self.b.ins().load(types::I64, plain(), self.frame, jit::frame::BLOCK)),
                handler => handler,
            };
            if callee.native.is_some() {
                let word = self.native_given(callee, resolved, b, handler);
                self.define(a, word);
            } else {
                let entry = self.entry_or(callee, slow);
                let word = self.enter_code(callee, resolved, entry, b, (a, 0), handler);
                self.define(a, word);
            }
            self.go(next);
            self.restore(checked.clone());
            if other != slow {
                self.start(other);
            }
        }
        self.restore(before);
        self.start_cold(slow);
        let object = self.b.ins().load(types::I64, plain(), self.base, 0);
        let more = callees.len() < CLASSES_MAX / 2 && self.unit.classes(self.key()).len() < CLASSES_MAX / 2;
        if more {
            self.step_new_super(a, object)
        } else {
            self.step_to(a)
        }
        self.go(next);
    }

    /// What `super` at a site leads to for receivers of the classes that were seen.
    fn super_callees(&mut self, site: &Site) -> Vec<(Callee, Site)> {
        let (method, pos, first) = (site.cref.get(), site.slot.get(), site.klass.get());
        if first.is_undef() || site.flags & site_flags::COMPLEX != 0 {
            return Vec::new();
        }
        let mut classes = vec![first]; // tidy: kept by the site, and by the unit's code
        classes.extend(self.unit.classes(self.key()).into_iter().filter(|class| *class != first));
        let mut callees = Vec::new();
        for class in classes.into_iter().take(CLASSES_MAX / 2) {
            let Some(resolved) = self.vm.resolve_super(site, class, method, pos) else { continue };
            let Some(callee) = Callee::of(self.vm, &resolved) else { continue };
            let direct = match callee.key.target {
                Target::SimpleCode => true,
                Target::Placed => !callee.code().iseq.params.block,
                Target::Native | Target::Leaf => true,
                _ => false,
            };
            if direct && (site.block == 0 || self.literal_block(site).is_some()) {
                callees.push((callee, resolved));
            }
        }
        callees
    }

    /// Does `super` for a receiver of a new class, which is noted.
    fn step_new_super(&mut self, a: usize, object: Word) {
        let record = self.exit_record(Reason::Class);
        let word = self.step_with(crate::leave::step_new_super as *const (), |_| vec![record, object]);
        self.define(a, word);
    }
}
