//! Exits: code that writes the live registers to the frame and leaves to the interpreter. And calls of functions of the
//! VM that may raise or run Ruby, behind which compiled code may have to be left.

use super::registers::{self, Standing};
use super::{Lower, Point, plain};
use crate::leave::{leave, step_aside, step_new_class, still_holds};
use crate::unit::{Exit, Reason, Rest};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, Signature, Type, Value as Word, types};
use cranelift_codegen::isa::CallConv;
use rubellite_vm::jit::{self, EXIT};

/// An exit whose code is written when everything else is: the reasons to take it, each with a block that jumps there.
pub(crate) struct PendingExit {
    point: Point,
    /// Live registers that have to be written, and what they hold.
    dirty: Vec<(usize, registers::Type)>,
    reasons: Vec<(Block, Reason)>,
    /// Of an exit at the entry: the register.
    register: Option<usize>,
    standing: Standing,
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
        let at = match self.current_exit {
            Some(at) => at,
            None => {
                let exit = PendingExit {
                    point: self.at,
                    dirty: self.dirty(),
                    reasons: Vec::new(),
                    register: None,
                    standing: self.state.standing,
                };
                self.exits.push(exit);
                *self.current_exit.insert(self.exits.len() - 1)
            }
        };
        if let Some((block, _)) = self.exits[at].reasons.iter().find(|(_, known)| *known == reason) {
            return *block;
        }
        let block = self.b.create_block();
        self.exits[at].reasons.push((block, reason));
        block
    }

    /// What leaves from here on has other values.
    pub fn forget_exits(&mut self) {
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
        let reasons = vec![(exit, Reason::Entry)];
        self.exits.push(PendingExit {
            point: self.at,
            dirty: self.dirty(),
            reasons,
            register: Some(register),
            standing: Standing::Unknown,
        });
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
        // Most exits leave behind no frame that is missing.
        let mut bare = None;
        let tail = self.b.create_block();
        let [record, standing] = [(); 2].map(|()| self.b.append_block_param(tail, types::I64));
        for PendingExit { point, dirty, reasons, register, standing } in std::mem::take(&mut self.exits) {
            self.at = point;
            let floats = dirty.iter().filter(|(_, kind)| *kind == registers::Type::Float);
            let floats = self.unit.keep_registers(floats.map(|(register, _)| *register as u16).collect());
            let mut records = reasons
                .into_iter()
                .map(|(block, reason)| (block, self.exit_record_of(reason, register, floats)))
                .collect::<Vec<_>>();
            let record = match records[..] {
                [(block, record)] => {
                    self.start_cold(block);
                    self.address(record)
                }
                _ => {
                    let all = self.b.create_block();
                    let record = self.b.append_block_param(all, types::I64);
                    for (block, record) in records.drain(..) {
                        self.start_cold(block);
                        let record = self.address(record);
                        self.b.ins().jump(all, &[record.into()]);
                    }
                    self.start_cold(all);
                    record
                }
            };
            // Floats are written as machine numbers, of which words are made on the way out.
            for (register, kind) in dirty {
                self.state.types[register] = kind;
                let word = self.raw(register);
                self.b.ins().store(plain(), word, self.base, 8 * register as i32);
            }
            self.state.standing = standing;
            if self.depth(point.context) == 0 {
                let (block, _) = *bare.get_or_insert_with(|| {
                    let block = self.b.create_block();
                    (block, self.b.append_block_param(block, types::I64))
                });
                self.b.ins().jump(block, &[record.into()]);
                continue;
            }
            let standing = self.left_frames();
            self.b.ins().jump(tail, &[record.into(), standing.into()]);
        }
        if let Some((block, record)) = bare {
            self.start_cold(block);
            let none = self.integer(0);
            self.b.ins().jump(tail, &[record.into(), none.into()]);
        }
        self.start_cold(tail);
        let envs = match self.env_slot {
            Some(slot) => self.b.ins().stack_addr(types::I64, slot, 0),
            None => self.integer(0),
        };
        let (ctx, frame) = (self.ctx, self.frame);
        let word = self.ask(leave as *const (), &[ctx, frame, record, standing, envs]);
        self.b.ins().return_(&[word]);
        if let Some(block) = self.propagate {
            self.start_cold(block);
            let word = self.integer(EXIT as i64);
            self.b.ins().return_(&[word]);
        }
    }

    /// Live registers, and locals that a binding may show, whose places in the frame do not hold what they do.
    fn dirty(&self) -> Vec<(usize, registers::Type)> {
        let mut all: Vec<usize> =
            self.live(self.at).into_iter().filter(|register| !self.state.clean[*register]).collect();
        all.extend(self.hidden(self.at));
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(|register| (register, self.state.types[register])).collect()
    }

    /// A record of an exit at the running instruction.
    pub fn exit_record(&mut self, reason: Reason) -> Word {
        let record = self.exit_record_of(reason, None, &[]);
        self.address(record)
    }

    /// The same, with what the exit needs to leave.
    fn exit_record_of(&self, reason: Reason, register: Option<usize>, floats: &'static [u16]) -> *const Exit {
        let context = &self.contexts[self.at.context];
        let place = if self.reports() { self.keep_place() } else { 0 };
        self.jit.keep_exit(Exit {
            unit: self.unit,
            assumptions: self.assumptions,
            code: context.code,
            rest: self.jit.keep_rest(Rest { floats, missing: context.missing }),
            count: Default::default(),
            pc: self.at.pc as u32,
            place,
            offset: context.offset as u16,
            register: register.map(|register| register as u16),
            reason,
        })
    }

    /// Whether statistics will be written.
    fn reports(&self) -> bool {
        self.vm.vm().compiler().is_some_and(|compiler| compiler.report)
    }

    /// Keeps the text that names the running instruction.
    fn keep_place(&self) -> u32 {
        let mut places = self.jit.places.borrow_mut();
        places.push(self.place_of_instruction());
        places.len() as u32 - 1
    }

    /// The running instruction, the method it names and its line.
    fn place_of_instruction(&self) -> String {
        let code = self.code(self.at.context);
        let insn = code.insns[self.at.pc];
        let (path, line) = (&code.iseq.script.path, code.iseq.line_at(self.at.pc));
        match crate::decode::site(code, insn) {
            Some(site) => format!("{:?} {} {path}:{line}", insn.op, self.vm.sym_str(site.name)),
            None => format!("{:?} {path}:{line}", insn.op),
        }
    }

    /// Does a call whose receiver is of a new class, which is noted.
    pub(super) fn step_new_class(&mut self, register: usize) {
        let record = self.exit_record(Reason::Class);
        let word = self.step_with(step_new_class as *const (), |_| vec![record]);
        self.define(register, word);
    }

    // -- guards ---------------------------------------------------------------------------

    /// Leaves when something that the code stands on has changed: what calls lead to, constants, operators of core
    /// classes.
    pub fn assume(&mut self) {
        if self.state.assumed {
            return;
        }
        let (look, on) = (self.b.create_block(), self.b.create_block());
        let stale = self.staleness();
        self.b.ins().brif(stale, look, &[], on, &[]);
        self.start_cold(look);
        let (ctx, assumptions) = (self.ctx, self.address(self.assumptions));
        let holds = self.ask(still_holds as *const (), &[ctx, assumptions]);
        let exit = self.exit_block(Reason::Changed);
        self.b.ins().brif(holds, on, &[], exit, &[]);
        self.start(on);
        self.state.assumed = true;
    }

    /// Negative if something was defined since the assumptions were found to hold, else 0.
    pub(super) fn staleness(&mut self) -> Word {
        let at = self.address(self.assumptions.word.as_ptr());
        self.b.ins().load(types::I64, plain(), at, 0)
    }

    /// Leaves unless the word is that of an object.
    pub fn expect_object(&mut self, word: Word, reason: Reason) {
        let object = self.is_object(word);
        self.exit_unless(object, reason);
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

    /// Writes what is live while the running instruction runs something else, and what a binding may show.
    pub fn flush(&mut self) {
        for register in self.across().into_iter().chain(self.hidden(self.at)) {
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
        self.step_with(function, |_| Vec::new())
    }

    /// The same by a function that is given more.
    pub(super) fn step_with(&mut self, function: *const (), more: impl FnOnce(&mut Self) -> Vec<Word>) -> Word {
        self.flush();
        self.flush_operands();
        let frame = self.calling_frame();
        if self.reports() {
            self.count_step();
        }
        let code = self.code(self.at.context);
        let insn = self.address(&raw const code.insns[self.at.pc]);
        let mut arguments = vec![self.ctx, frame, insn];
        arguments.extend(more(self));
        let word = self.ask(function, &arguments);
        self.propagate(word);
        self.state.forget();
        word
    }

    /// Counts the running instruction for statistics.
    fn count_step(&mut self) {
        let record = self.exit_record_of(Reason::Step, None, &[]);
        // SAFETY: what is kept does not move and lives as long as the VM.
        let count = unsafe { (*record).count.as_ptr() };
        let at = self.address(count);
        let counted = self.b.ins().load(types::I64, plain(), at, 0);
        let counted = self.b.ins().iadd_imm_s(counted, 1);
        self.b.ins().store(plain(), counted, at, 0);
    }

    /// The same, with the result in a register, if the instruction has one.
    pub fn step_to(&mut self, register: usize) {
        let word = self.step();
        let code = self.code(self.at.context);
        if crate::decode::effects(code, code.insns[self.at.pc]).result.is_some() {
            self.define(register, word);
        }
    }

    /// In a cold block that a faster way has jumped to: does the running instruction, and leaves behind it if something
    /// that the code stands on has changed meanwhile, since the faster way still relies on it. What is known
    /// afterwards is as before.
    pub fn step_aside(&mut self) -> Word {
        let state = self.state.clone();
        self.forget_exits();
        let code = self.code(self.at.context);
        let result = crate::decode::effects(code, code.insns[self.at.pc]).result;
        let result = result.map(|register| register + self.contexts[self.at.context].offset);
        let word = self.step_with(step_aside as *const (), |lower| {
            let place = match result {
                Some(register) => lower.b.ins().iadd_imm_s(lower.base, 8 * register as i64),
                None => lower.integer(0),
            };
            vec![lower.address(lower.assumptions), place]
        });
        self.restore(state);
        self.state.forget_classes();
        word
    }
}
