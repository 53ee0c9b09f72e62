//! Leaving compiled code, and calling what may raise or run Ruby.

use super::registers::State;
use super::{Lower, Point, plain};
use crate::unit::{Exit, Reason, note_class, note_entry, note_exit};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, Signature, StackSlotData, StackSlotKind, Type, Value as Word, types};
use cranelift_codegen::isa::CallConv;
use rubellite_vm::jit::{self, EXIT};

/// An exit whose code is written when everything else is.
pub(crate) struct PendingExit {
    block: Block,
    point: Point,
    state: State,
    /// Of an exit at the entry: the register. Others get their record as a parameter.
    register: Option<usize>,
}

/// A reason to take an exit.
pub(crate) struct PendingReason {
    block: Block,
    exit: Block,
    at: Point,
    reason: Reason,
}

/// Parameters and result of a function that is called.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    words: usize,
    /// The last parameter is a machine number.
    number: bool,
    result: bool,
}

impl Lower<'_> {
    // -- exits ----------------------------------------------------------------------------

    /// The block that leaves in front of the running instruction. All reasons share the code that writes the registers.
    pub fn exit_block(&mut self, reason: Reason) -> Block {
        if let Some((_, block)) = self.current_exits.iter().find(|(known, _)| *known == reason) {
            return *block;
        }
        let exit = match self.current_exit {
            Some(exit) => exit,
            None => {
                let block = self.b.create_block();
                self.b.append_block_param(block, types::I64);
                self.exits.push(PendingExit { block, point: self.at, state: self.state.clone(), register: None });
                self.current_exit = Some(block);
                block
            }
        };
        let block = self.b.create_block();
        self.reasons.push(PendingReason { block, exit, at: self.at, reason });
        self.current_exits.push((reason, block));
        block
    }

    /// What leaves from here on has other values.
    pub fn forget_exits(&mut self) {
        self.current_exits.clear();
        self.current_exit = None;
    }

    pub fn exit_if(&mut self, condition: Word, reason: Reason) {
        let (exit, on) = (self.exit_block(reason), self.b.create_block());
        let condition = self.unlucky_or(condition, reason);
        self.b.ins().brif(condition, exit, &[], on, &[]);
        self.start(on);
    }

    pub fn exit_unless(&mut self, condition: Word, reason: Reason) {
        let (exit, on) = (self.exit_block(reason), self.b.create_block());
        if self.fail != 0 && reason != Reason::Poll {
            let other = self.b.create_block();
            let unlucky = self.unlucky();
            self.b.ins().brif(unlucky, exit, &[], other, &[]);
            self.start(other);
        }
        self.b.ins().brif(condition, on, &[], exit, &[]);
        self.start(on);
    }

    pub fn exit_entry_unless(&mut self, condition: Word, register: usize) {
        let (exit, on) = (self.b.create_block(), self.b.create_block());
        self.exits.push(PendingExit { block: exit, point: self.at, state: self.state.clone(), register: Some(register) });
        self.b.ins().brif(condition, on, &[], exit, &[]);
        self.start(on);
    }

    /// In the mode for tests: guards fail now and then.
    fn unlucky_or(&mut self, condition: Word, reason: Reason) -> Word {
        if self.fail == 0 || reason == Reason::Poll {
            return condition;
        }
        let unlucky = self.unlucky();
        let kind = self.b.func.dfg.value_type(condition);
        let zero = self.b.ins().iconst(kind, 0);
        let fails = self.b.ins().icmp(IntCC::NotEqual, condition, zero);
        self.b.ins().bor(fails, unlucky)
    }

    fn unlucky(&mut self) -> Word {
        let at = self.address(self.jit.luck.as_ptr());
        let left = self.b.ins().load(types::I64, plain(), at, 0);
        let left = self.b.ins().iadd_imm_s(left, -1);
        let none = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, left, 0);
        let full = self.integer(self.fail as i64);
        let left = self.b.ins().select(none, full, left);
        self.b.ins().store(plain(), left, at, 0);
        none
    }

    /// The interpreter goes on with the running instruction.
    pub fn leave(&mut self, reason: Reason) {
        let exit = self.exit_block(reason);
        self.b.ins().jump(exit, &[]);
        self.done = true;
    }

    /// Writes the code of all exits.
    pub(super) fn write_exits(&mut self) {
        for PendingReason { block, exit, at, reason } in std::mem::take(&mut self.reasons) {
            self.start_cold(block);
            self.at = at;
            let record = if reason == Reason::Poll { self.integer(0) } else { self.exit_record(reason) };
            self.b.ins().jump(exit, &[record.into()]);
        }
        for exit in std::mem::take(&mut self.exits) {
            self.start_cold(exit.block);
            self.state = exit.state;
            self.at = exit.point;
            self.write_live();
            let (ctx, base) = (self.ctx, self.base);
            match exit.register {
                Some(register) => {
                    let (record, register) = (self.exit_record(Reason::Entry), self.integer(register as i64));
                    self.call_native(note_entry as *const (), &[ctx, record, register], false);
                }
                None => {
                    let record = self.b.block_params(exit.block)[0];
                    self.call_native(note_exit as *const (), &[ctx, record, base], false);
                }
            }
            let frame = self.left_frame();
            let code = self.code(exit.point.context);
            let pc = self.address(&raw const code.insns[exit.point.pc]);
            self.b.ins().store(plain(), pc, frame, jit::frame::PC);
            self.b.ins().store(plain(), frame, self.ctx, jit::ctx::FRAME);
            let word = self.integer(EXIT as i64);
            self.b.ins().return_(&[word]);
        }
        if let Some(block) = self.propagate {
            self.start_cold(block);
            let word = self.integer(EXIT as i64);
            self.b.ins().return_(&[word]);
        }
    }

    /// On the way out: writes all live registers to the frame. Floats are written as machine numbers first and made words together.
    fn write_live(&mut self) {
        let mut floats = Vec::new();
        for register in self.live(self.at) {
            if self.state.clean[register] {
                continue;
            }
            let word = self.raw(register);
            self.b.ins().store(plain(), word, self.base, 8 * register as i32);
            if self.state.types[register] == super::registers::Type::Float {
                floats.push(register as u16);
            }
        }
        if !floats.is_empty() {
            let (ctx, base, count) = (self.ctx, self.base, self.integer(floats.len() as i64));
            let list = self.unit.keep_registers(floats);
            let list = self.address(list.as_ptr());
            self.call_native(jit::box_floats as *const (), &[ctx, base, list, count], false);
        }
    }

    /// On the way out: the running context's frame. Those that do not stand yet are pushed.
    fn left_frame(&mut self) -> Word {
        let context = self.at.context;
        let count = self.contexts[context].missing.len();
        if count == 0 {
            return self.frame;
        }
        let standing = self.standing_frames(context);
        self.push_frames(context, standing);
        self.b.ins().iadd_imm_s(self.frame, count as i64 * jit::frame::SIZE)
    }

    /// A record of an exit at the running instruction.
    pub fn exit_record(&mut self, reason: Reason) -> Word {
        let context = &self.contexts[self.at.context];
        let code = self.code(self.at.context);
        let place = match self.vm.vm().compiler().is_some_and(|compiler| compiler.report) {
            true => format!("{:?} {}:{}", code.insns[self.at.pc].op, code.iseq.script.path, code.iseq.line_at(self.at.pc)),
            false => String::new(),
        };
        let exit = Exit { unit: self.unit, code: context.code, pc: self.at.pc, offset: context.offset, reason, place, count: Default::default() };
        let record = self.jit.keep_exit(exit);
        self.address(record)
    }

    /// Notes that a call's receiver is of a new class; leaves if the code is to be made anew.
    pub(super) fn note_new_class(&mut self, receiver: Word) {
        let record = self.exit_record(Reason::Class);
        let ctx = self.ctx;
        let anew = self.ask(note_class as *const (), &[ctx, record, receiver]);
        self.exit_if(anew, Reason::Poll);
    }

    // -- guards ---------------------------------------------------------------------------

    /// Leaves when an operator of a core class was redefined.
    pub fn assume_operators(&mut self) {
        if self.state.operators {
            return;
        }
        let at = self.address(jit::redefined_address(self.vm));
        let bits = self.b.ins().load(types::I32, plain(), at, 0);
        let bits = self.b.ins().band_imm_s(bits, jit::ASSUMED as i64);
        self.exit_if(bits, Reason::Changed);
        self.state.operators = true;
    }

    /// Leaves unless the word is that of an object.
    pub fn expect_object(&mut self, word: Word, reason: Reason) {
        let low = self.b.ins().band_imm_s(word, 7);
        self.exit_if(low, reason);
        let none = self.b.ins().icmp_imm_s(IntCC::Equal, word, 0);
        self.exit_if(none, reason);
    }

    // -- calling --------------------------------------------------------------------------

    /// Calls a function of words.
    pub fn call_native(&mut self, function: *const (), arguments: &[Word], result: bool) -> Option<Word> {
        let signature = self.signature(Shape { words: arguments.len(), number: false, result });
        let at = self.address(function);
        let call = self.b.ins().call_indirect(signature, at, arguments);
        if result { Some(self.b.inst_results(call)[0]) } else { None }
    }

    /// The result of a function of words.
    pub fn ask(&mut self, function: *const (), arguments: &[Word]) -> Word {
        match self.call_native(function, arguments, true) {
            Some(word) => word,
            None => self.integer(0),
        }
    }

    /// Calls a function of the context and a number.
    pub fn call_float(&mut self, function: *const (), number: Word) -> Word {
        let signature = self.signature(Shape { words: 1, number: true, result: true });
        let at = self.address(function);
        let call = self.b.ins().call_indirect(signature, at, &[self.ctx, number]);
        self.b.inst_results(call)[0]
    }

    fn signature(&mut self, shape: Shape) -> cranelift_codegen::ir::SigRef {
        if let Some(known) = self.signatures.get(&shape) {
            return *known;
        }
        let mut signature = Signature::new(CallConv::SystemV);
        let of = |kind: Type| AbiParam::new(kind);
        signature.params.extend(vec![of(types::I64); shape.words]);
        signature.params.extend(shape.number.then(|| of(types::F64)));
        signature.returns.extend(shape.result.then(|| of(types::I64)));
        let signature = self.b.import_signature(signature);
        self.signatures.insert(shape, signature);
        signature
    }

    /// The running context's frame: the unit's own, or one that is pushed now, with those below it, unless they stand already.
    pub fn topmost_frame(&mut self) -> Word {
        let context = self.at.context;
        let count = self.contexts[context].missing.len();
        if count == 0 {
            return self.frame;
        }
        let standing = self.standing_frames(context);
        let (push, on) = (self.b.create_block(), self.b.create_block());
        let all = self.b.ins().icmp_imm_s(IntCC::Equal, standing, count as i64);
        self.b.ins().brif(all, on, &[], push, &[]);
        self.start(push);
        self.push_frames(context, standing);
        self.b.ins().jump(on, &[]);
        self.start(on);
        self.set_marks(context);
        let top = self.b.ins().iadd_imm_s(self.frame, count as i64 * jit::frame::SIZE);
        let chain = self.contexts[context].chain.clone();
        for (i, context) in chain.into_iter().enumerate() {
            if matches!(self.contexts[context].env, super::inline::Env::Own(_)) {
                let (env, frame) = (self.env(context), self.frame);
                self.b.ins().store(plain(), env, frame, (i as i32 + 1) * jit::frame::SIZE as i32 + jit::frame::ENV);
            }
        }
        top
    }

    /// Has the frames that a context does without pushed; so many of them stand.
    fn push_frames(&mut self, context: usize, standing: Word) {
        let count = self.contexts[context].missing.len();
        let envs = self.missing_envs(context);
        let slot = match self.env_slot {
            Some(slot) => slot,
            None => {
                let size = 8 * super::inline::DEPTH_MAX as u32;
                *self.env_slot.insert(self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3)))
            }
        };
        for (i, env) in envs.into_iter().enumerate() {
            self.b.ins().stack_store(types::I64, env, slot, 8 * i as i32);
        }
        let envs = self.b.ins().stack_addr(types::I64, slot, 0);
        let list = self.address(self.contexts[context].missing.as_ptr());
        let (ctx, frame) = (self.ctx, self.frame);
        let count = self.integer(count as i64);
        self.call_native(jit::push_missing as *const (), &[ctx, frame, list, count, standing, envs], false);
    }

    /// The running context's frame, which now stands behind the running instruction and is the topmost.
    pub fn calling_frame(&mut self) -> Word {
        let frame = self.topmost_frame();
        let code = self.code(self.at.context);
        let next = self.behind(self.at).pc;
        let pc = self.address(code.insns[next..].as_ptr());
        self.b.ins().store(plain(), pc, frame, jit::frame::PC);
        self.clear_mark_above(self.at.context);
        frame
    }

    /// Writes what is live while the running instruction runs something else.
    pub fn flush(&mut self) {
        for register in self.across() {
            self.store_if_dirty(register);
        }
    }

    /// Writes the operands of the running instruction.
    pub fn flush_operands(&mut self) {
        let context = &self.contexts[self.at.context];
        let (offset, code) = (context.offset, self.code(self.at.context));
        let effects = crate::decode::effects(code, code.insns[self.at.pc]);
        for register in effects.reads.iter() {
            self.store_if_dirty(register + offset);
        }
    }

    /// Returns EXIT if the word says so.
    pub fn propagate(&mut self, word: Word) {
        let left = self.b.ins().icmp_imm_s(IntCC::Equal, word, EXIT as i64);
        let exit = match self.propagate {
            Some(block) => block,
            None => {
                let block = self.b.create_block();
                self.propagate = Some(block);
                block
            }
        };
        let on = self.b.create_block();
        self.b.ins().brif(left, exit, &[], on, &[]);
        self.start(on);
    }

    /// Has the running instruction done by the interpreter's functions; its result.
    pub fn step(&mut self) -> Word {
        self.step_by(jit::step as *const ())
    }

    /// The same by a function that knows more.
    pub fn step_by(&mut self, function: *const ()) -> Word {
        self.flush();
        self.flush_operands();
        let frame = self.calling_frame();
        let code = self.code(self.at.context);
        let insn = self.address(&raw const code.insns[self.at.pc]);
        let ctx = self.ctx;
        let word = self.ask(function, &[ctx, frame, insn]);
        self.propagate(word);
        self.state.forget();
        word
    }

    /// The same, with the result in a register, if the instruction has one.
    pub fn step_to(&mut self, register: usize) {
        let word = self.step();
        let code = self.code(self.at.context);
        if crate::decode::effects(code, code.insns[self.at.pc]).result.is_some() {
            self.define(register, word);
        }
    }

    /// In a cold block that a faster way has jumped to: does the running instruction, and leaves behind it if an
    /// operator was redefined meanwhile, since the faster way still relies on them. What is known afterwards is as before.
    pub fn step_aside(&mut self) -> Word {
        let state = self.state.clone();
        self.forget_exits();
        let word = self.step();
        if state.operators {
            let at = self.address(jit::redefined_address(self.vm));
            let bits = self.b.ins().load(types::I32, plain(), at, 0);
            let bits = self.b.ins().band_imm_s(bits, jit::ASSUMED as i64);
            let (exit, on) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(bits, exit, &[], on, &[]);
            self.start_cold(exit);
            self.leave_behind(word);
            self.start(on);
        }
        self.restore(state);
        self.state.classes.fill(None);
        word
    }

    /// Leaves behind the running instruction, which has been done by `step`; the word is its result.
    fn leave_behind(&mut self, word: Word) {
        let context = self.at.context;
        let code = self.code(context);
        if let Some(result) = crate::decode::effects(code, code.insns[self.at.pc]).result {
            let register = result + self.contexts[context].offset;
            self.b.ins().store(plain(), word, self.base, 8 * register as i32);
        }
        let exit = self.integer(EXIT as i64);
        self.b.ins().return_(&[exit]);
    }
}
