//! The race detector's questions in compiled code, which is made with them only where races are looked for. The
//! interpreter has a loop of its own for that.
//!
//! In front of an access the detector is asked whether the access tells it anything new. Most do not, and go on; for
//! the others, on a path beside, the frame is made and the access is told from where it stands.

use super::calls::Callee;
use super::registers::Type;
use super::{Lower, Point};
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use rubellite_bytecode::{Insn, Op};
use rubellite_value::Value;
use rubellite_vm::races::{self, Kind};

impl Lower<'_> {
    /// Tells of what the running instruction accesses.
    pub(super) fn tell(&mut self, insn: Insn) {
        let Point { context, .. } = self.at;
        let (own, code) = (self.contexts[context].offset, self.code(context));
        // Variables of the library's own code are not looked at.
        let internal = code.iseq.script.is_internal();
        let [a, b, c] = [insn.a, insn.b, insn.c].map(|operand| operand as usize + own);
        match insn.op {
            Op::GetEnv | Op::SetEnv if !internal => {
                let env = self.env_out(insn.x);
                self.tell_named(env, u32::from(insn.b), insn.op == Op::SetEnv);
            }
            Op::GetIvar | Op::SetIvar if !internal => {
                let me = self.get(own);
                self.tell_named(me, code.names[insn.b as usize].0, insn.op == Op::SetIvar);
            }
            Op::ARef => self.tell_element(b, c, false),
            Op::ASet => self.tell_element(a, b, true),
            Op::SelfAt => self.tell_element(own, b, false),
            Op::Shl => self.tell_of_array(b, Kind::Add),
            Op::SplatArray | Op::ArrayConcat => self.tell_of_array(b, Kind::AllRead),
            Op::ExpandArray => self.tell_of_array(a, Kind::AllRead),
            Op::SelfLen => self.tell_of_array(own, Kind::AllRead),
            _ => {}
        }
    }

    /// Does the running instruction, an access to a global or class variable, and tells of it.
    pub(super) fn step_told(&mut self, register: usize) {
        let word = self.step_by(races::race_step as *const ());
        let code = self.code(self.at.context);
        if crate::decode::effects(code, code.insns[self.at.pc]).result.is_some() {
            self.define(register, word);
        }
    }

    /// Tells of the operands of a primitive, unless its own observer has to be called: whether it was done for that.
    pub(super) fn tell_primitive(&mut self, method: Value, a: usize, b: usize) -> bool {
        match self.vm.observed_primitive(method) {
            None => false,
            Some(Some(kind)) => {
                self.tell_whole(b, kind);
                false
            }
            Some(None) => {
                self.step_told(a);
                true
            }
        }
    }

    /// Tells of the receiver of a native method which is accessed as a whole, and is then called without its observer.
    pub(super) fn tell_receiver(&mut self, callee: &Callee, register: usize) {
        if let Some(kind) = callee.told {
            self.tell_whole(register, kind);
        }
    }

    /// Of a variable of the object or environment, by name or slot.
    pub(super) fn tell_named(&mut self, object: Word, name: u32, writes: bool) {
        let access = self.integer(races::named_access(name, if writes { Kind::Write } else { Kind::Read }) as i64);
        self.tell_unless(races::race_knows_named as *const (), races::race_tell_named as *const (), &[object, access]);
    }

    fn tell_element(&mut self, list: usize, index: usize, writes: bool) {
        if self.state.types[list] != Type::Any {
            return;
        }
        let (list, index, writes) = (self.get(list), self.get(index), self.integer(i64::from(writes)));
        self.tell_unless(
            races::race_knows_element as *const (),
            races::race_tell_element as *const (),
            &[list, index, writes],
        );
    }

    fn tell_of_array(&mut self, register: usize, kind: Kind) {
        if self.state.types[register] == Type::Any {
            let (object, kind) = (self.get(register), self.integer(kind as i64));
            self.tell_unless(
                races::race_knows_array as *const (),
                races::race_tell_whole as *const (),
                &[object, kind],
            );
        }
    }

    fn tell_whole(&mut self, register: usize, kind: Kind) {
        let (object, kind) = (self.get(register), self.integer(kind as i64));
        self.tell_unless(races::race_knows_whole as *const (), races::race_tell_whole as *const (), &[object, kind]);
    }

    fn tell_unless(&mut self, knows: *const (), tell: *const (), what: &[Word]) {
        let mut words = vec![self.ctx];
        words.extend(what);
        let known = self.ask(knows, &words);
        let (telling, on) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(known, on, &[], telling, &[]);
        self.start_cold(telling);
        let state = self.state.clone();
        self.forget_exits();
        // Frames are pushed by what takes the least room.
        let plain = std::mem::replace(&mut self.plain, true);
        self.flush();
        self.flush_operands();
        let frame = self.calling_frame();
        self.plain = plain;
        words.insert(1, frame);
        let word = self.ask(tell, &words);
        self.propagate(word);
        self.b.ins().jump(on, &[]);
        // It runs no code of a program, so that what was known holds still.
        self.restore(state);
        self.start(on);
    }
}
