//! Control flow: the blocks of the bytecode, their versions for different types of operands, and jumps between them.

use super::inline::Context;
use super::registers::{Standing, State, Type};
use super::{Lower, Point, plain};
use crate::decode::REGISTERS;
use crate::unit::Reason;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word, types};
use rubellite_value::Value;
use rubellite_vm::jit;

/// Versions of a block at most; the last one takes values of any type.
const VERSIONS_MAX: usize = 4;
/// Words of bytecode in a unit at most; what comes then is left to the interpreter.
const WORDS_MAX: usize = 4000;

/// A block for one combination of types.
pub(crate) struct Version {
    /// Types of the live registers, in their order.
    types: Vec<Type>,
    /// What is known of their values.
    known: Vec<Option<Value>>, // tidy: kept by the unit's roots
    clean: Vec<bool>,
    assumed: bool,
    block: Block,
}

impl Lower<'_> {
    /// The registers that are live before an instruction, those of the contexts around included.
    pub fn live(&self, point: Point) -> Vec<usize> {
        let before = *self.contexts[point.context].live.before(point.pc);
        self.with_callers(point.context, before)
    }

    /// Those that are live while the running instruction runs something else.
    pub fn across(&self) -> Vec<usize> {
        let across = *self.contexts[self.at.context].live.across(self.at.pc);
        self.with_callers(self.at.context, across)
    }

    fn with_callers(&self, context: usize, own: crate::decode::Registers) -> Vec<usize> {
        let mut context = &self.contexts[context];
        let mut all: Vec<usize> = own.iter().map(|register| register + context.offset).collect();
        let mut limit = context.offset;
        while let Some(caller) = context.caller {
            context = &self.contexts[caller.context];
            let across = context.live.across(caller.pc);
            all.extend(across.iter().map(|register| register + context.offset).filter(|register| *register < limit));
            limit = limit.min(context.offset);
        }
        all
    }

    /// Named locals, also of the contexts around, that nothing here reads any more and whose places in the frames do
    /// not hold what they do, though a call behind the point may look at them.
    pub fn hidden(&self, point: Point) -> Vec<usize> {
        let mut context = &self.contexts[point.context];
        let mut shown = *context.live.shown(point.pc);
        let mut all = Vec::new();
        loop {
            all.extend(
                shown
                    .iter()
                    .filter(|register| *register > 0)
                    .map(|register| register + context.offset)
                    .filter(|register| !self.state.clean[*register]),
            );
            let Some(caller) = context.caller else { return all };
            let calls = shown.contains(0);
            context = &self.contexts[caller.context];
            shown = *if calls { context.live.shown(caller.pc) } else { context.live.shown_behind(caller.pc) };
        }
    }

    pub fn start(&mut self, block: Block) {
        self.b.switch_to_block(block);
        self.b.seal_block(block);
    }

    pub fn start_cold(&mut self, block: Block) {
        self.start(block);
        self.b.set_cold_block(block);
    }

    /// Goes on at a point, in the version for what is known now.
    pub fn go(&mut self, point: Point) {
        let live = self.live(point);
        let version = self.version(point, &live);
        let Version { types, clean, assumed, block, .. } = &self.versions[&point][version];
        let (types, clean, assumed, block) = (types.clone(), clean.clone(), *assumed, *block);
        if assumed && !self.state.assumed {
            let here = self.at;
            self.begin(point);
            self.assume();
            self.begin(here);
        }
        for register in self.hidden(point).into_iter().filter(|register| !live.contains(register)) {
            self.store_if_dirty(register);
        }
        for (i, register) in live.into_iter().enumerate() {
            if types[i] == Type::Any && self.state.types[register] == Type::Float {
                let word = self.get(register);
                let variable = self.variable(register, Type::Any);
                self.b.def_var(variable, word);
                self.state.types[register] = Type::Any;
            }
            if clean[i] {
                self.store_if_dirty(register);
            }
        }
        self.b.ins().jump(block, &[]);
        self.done = true;
    }

    /// The version of a block that fits, made if there is room for another one.
    fn version(&mut self, point: Point, live: &[usize]) -> usize {
        let types: Vec<Type> = live.iter().map(|register| self.state.types[*register]).collect();
        let head = self.contexts[point.context].live.is_head(point.pc);
        let clean = live.iter().map(|register| self.state.clean[*register] && (!head || *register == 0)).collect();
        let mut known: Vec<Option<Value>> =
            // tidy: as above
            live.iter().map(|register| if head { None } else { self.state.known[*register] }).collect();
        let assumed = self.state.assumed;
        let list = self.versions.entry(point).or_default();
        let suits = |version: &Version| {
            version.types == types
                && version.known.iter().zip(&known).all(|(wanted, has)| wanted.is_none() || wanted == has)
        };
        let (types, clean) = match list.iter().position(suits) {
            Some(found) => return found,
            None if list.len() < VERSIONS_MAX => (types, clean),
            None => {
                let any = vec![Type::Any; live.len()];
                if let Some(found) =
                    list.iter().position(|version| version.types == any && version.known.iter().all(Option::is_none))
                {
                    return found;
                }
                known.fill(None);
                (any, live.iter().map(|register| *register == 0).collect())
            }
        };
        list.push(Version { types, known, clean, assumed, block: self.b.create_block() });
        self.work.push((point, list.len() - 1));
        list.len() - 1
    }

    /// Another way through the running instruction begins, with what was known before.
    pub fn restore(&mut self, state: State) {
        self.state = state;
        // The other way may have pushed the frame, and both may meet.
        if self.state.standing == Standing::No {
            self.state.standing = Standing::Unknown;
        }
        self.forget_exits();
        self.done = false;
    }

    /// Goes to one of two points.
    pub fn branch(&mut self, condition: Word, yes: Point, no: Point) {
        let (if_true, if_false) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(condition, if_true, &[], if_false, &[]);
        let state = self.state.clone();
        self.start(if_true);
        self.go(yes);
        self.restore(state);
        self.start(if_false);
        self.go(no);
    }

    /// Lowers one version of a block and what follows it up to the next jump.
    pub(super) fn block(&mut self, point: Point, version: usize) {
        let live = self.live(point);
        let Version { types, known, clean, assumed, block } = &self.versions[&point][version];
        let mut state = State::new();
        for (i, register) in live.iter().enumerate() {
            state.types[*register] = types[i];
            state.known[*register] = known[i];
            state.clean[*register] = clean[i];
        }
        state.assumed = *assumed;
        if self.begins_bare(point) {
            state.standing = Standing::No;
        }
        let block = *block;
        let mut around = Some(point.context);
        while let Some(context) = around {
            let Context { me_object, offset, caller, .. } = self.contexts[context];
            state.objects[offset] = me_object && state.types[offset] == Type::Any;
            around = caller.map(|caller| caller.context);
        }
        self.state = state;
        self.b.switch_to_block(block);
        self.done = false;
        let mut pc = point.pc;
        while !self.done {
            let here = Point { context: point.context, pc };
            // Where blocks of others begin this one goes over into them.
            if pc != point.pc && (self.versions.contains_key(&here) || self.contexts[point.context].live.is_head(pc)) {
                return self.go(here);
            }
            self.begin(here);
            if self.words >= WORDS_MAX {
                return self.leave(Reason::Unsupported);
            }
            pc = self.instruction(pc);
        }
    }

    /// Leaves when an interrupt waits.
    pub(super) fn poll(&mut self) {
        let word = self.b.ins().load(types::I64, plain(), self.ctx, jit::ctx::INTERRUPT);
        let mut bits = self.b.ins().load(types::I32, plain(), word, 0);
        if let Some(ticks) = self.tick() {
            let over = self.b.ins().sshr_imm_s(ticks, 63);
            let over = self.b.ins().ireduce(types::I32, over);
            bits = self.b.ins().bor(bits, over);
        }
        self.exit_if(bits, Reason::Poll);
    }

    /// In plain code: counts a tick; negative when they are over.
    pub(super) fn tick(&mut self) -> Option<Word> {
        let at = self.ticks?.as_ptr();
        let at = self.address(at);
        let ticks = self.b.ins().load(types::I64, plain(), at, 0);
        let ticks = self.b.ins().iadd_imm_s(ticks, -1);
        self.b.ins().store(plain(), ticks, at, 0);
        Some(ticks)
    }

    /// Returns the value of a register from the frame, or goes on behind the call of inlined code.
    pub(super) fn return_value(&mut self, register: usize) {
        let context = self.at.context;
        if let Some(caller) = self.contexts[context].caller {
            let Context { result: to, offset, makes, .. } = self.contexts[context];
            // What is made by `new` is what `initialize` was called on.
            self.copy(if makes { offset } else { register }, to);
            return self.go(self.behind(caller));
        }
        self.return_word(register);
    }

    /// Returns the value of a register from the unit's frame.
    pub(super) fn return_word(&mut self, register: usize) {
        let word = self.get(register);
        let below = self.b.ins().iadd_imm_s(self.frame, -jit::frame::SIZE);
        self.b.ins().store(plain(), below, self.ctx, jit::ctx::FRAME);
        self.b.ins().return_(&[word]);
        self.done = true;
    }

    /// The point behind an instruction.
    pub(super) fn behind(&self, point: Point) -> Point {
        let code = self.code(point.context);
        Point { pc: point.pc + crate::decode::length(code.insns[point.pc].op), ..point }
    }
}

const _: () = assert!(REGISTERS <= u16::MAX as usize);
