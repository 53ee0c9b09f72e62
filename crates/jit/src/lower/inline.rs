//! Inlining: methods and blocks whose code is lowered in the place of a call or a `yield`. A *context* is the unit's
//! own code, or one such piece inside another.
//!
//! Inlined code has no frame until somebody may look: until it calls something or leaves. Frames that were pushed stay
//! where they are, above the unit's own, until a call from further below takes their place (`frames`).

use super::calls::{Callee, Made};
use super::literals::EXPANDED_MAX;
use super::{Lower, Point, plain};
use crate::decode::REGISTERS;
use crate::leave::note_exit;
use crate::live::Live;
use crate::unit::{Reason, seen};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word, types};
use cranelift_frontend::Variable;
use rubellite_bytecode::{CatchEntry, CatchKind, ISeqKind, Insn, Op};
use rubellite_value::Value;
use rubellite_vm::code::{CodeData, Site, Target, site_flags};
use rubellite_vm::frame::frame_flags;
use rubellite_vm::jit::{self, EXIT, Missing, MissingKind};
use std::rc::Rc;

/// Frames that inlined code may do without.
pub(crate) const DEPTH_MAX: usize = 6;
/// Words of a method that is lowered in the place of its calls.
const CALLEE_MAX: usize = 40;
/// The same in plain code: what takes less room than a call.
const PLAIN_MAX: usize = 6;
/// Words of a method that is given a literal block, and of the block.
const LOOP_MAX: usize = 160;
/// Methods in the place of calls, one in the other.
const CALLS_MAX: usize = 3;
/// How often code lies in itself: methods that are given blocks, and others. A recursion that is entered half as often
/// gains more than one that is entered a quarter as often, for twice the code.
const LOOPS_DEEP: usize = 3;
const METHODS_DEEP: usize = 2;
/// Words of a unit beyond which nothing more is inlined.
const WORDS_MAX: usize = 1200;
/// The same in instructions of the intermediate form.
const INSTS_MAX: usize = 4000;
/// Classes of receivers beyond which no method is lowered in the place of a call.
pub(crate) const CROWD: usize = 4;

/// Whether code was given a block.
pub(crate) enum Given {
    Known(bool),
    /// The handler, or nil.
    Word(Word),
}

/// The block that a call passes.
#[derive(Copy, Clone)]
pub(crate) enum Passed {
    /// The literal one of the site, or none.
    Literal,
    /// That which the calling method was given.
    Own,
}

/// Whether code in the place of a call was given a block, where that is no literal one that is known.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Gives {
    Nothing,
    Something,
    /// What the unit's frame was given.
    Frame,
}

/// Code that is lowered at one place.
pub(crate) struct Context {
    pub code: *const CodeData,
    /// Where its registers begin, among those of the unit.
    pub offset: usize,
    /// The call or yield in whose place it is.
    pub caller: Option<Point>,
    /// The register of the result.
    pub result: usize,
    pub live: Rc<Live>,
    /// Frames that it does without, outermost first.
    pub missing: &'static [Missing],
    /// The contexts of those frames, itself the last.
    pub chain: Vec<usize>,
    pub env: Env,
    pub scope: Scope,
    pub me: Me,
    /// Self is an object, no immediate.
    pub me_object: bool,
    /// The class of self that was expected when it was lowered. A guess where the context is a block's, or the unit's
    /// own.
    pub class: Option<Value>, // tidy: kept by the unit's roots
    /// The literal block that it was given.
    pub block: Option<Block>,
    /// Methods around it that were lowered in the place of calls, those that were given blocks aside.
    pub calls: usize,
    /// An `initialize`, whose result is its receiver.
    pub makes: bool,
    pub gives: Gives,
    /// Where it begins.
    pub start: usize,
}

/// The environment of a context.
#[derive(Copy, Clone)]
pub(crate) enum Env {
    /// The frame's.
    Frame,
    /// The same as another context's.
    Of(usize),
    None,
    /// That of the Proc of which a method was made.
    Known(Value),
    Own(Variable),
}

/// Where a context's self is.
#[derive(Copy, Clone)]
pub(crate) enum Me {
    /// In its first register.
    Register,
    /// Of a frame below the unit's.
    Own(Variable),
}

/// The lexical scope of a context.
#[derive(Copy, Clone)]
pub(crate) enum Scope {
    /// The frame's.
    Frame,
    Known(Value),
    /// The same as another context's.
    Of(usize),
    Own(Variable),
}

/// A literal block and the context in which it was written.
#[derive(Copy, Clone)]
pub(crate) struct Block {
    pub code: *const CodeData,
    pub home: usize,
}

impl Context {
    pub fn root(code: &CodeData, live: Rc<Live>) -> Context {
        Context {
            code,
            offset: 0,
            caller: None,
            result: 0,
            live,
            missing: &[],
            chain: Vec::new(),
            env: Env::Frame,
            scope: Scope::Frame,
            me: Me::Register,
            me_object: false,
            class: None,
            block: None,
            calls: 0,
            makes: false,
            gives: Gives::Nothing,
            start: 0,
        }
    }
}

impl Lower<'_> {
    /// The environment of a context.
    pub fn env(&mut self, context: usize) -> Word {
        match self.contexts[context].env {
            Env::Frame => {
                let frame = self.frame;
                self.b.ins().load(types::I64, plain(), frame, jit::frame::ENV)
            }
            Env::Of(other) => self.env(other),
            Env::None => self.value(Value::NIL),
            Env::Known(env) => self.value(env),
            Env::Own(variable) => self.b.use_var(variable),
        }
    }

    /// The lexical scope of a context.
    pub fn scope(&mut self, context: usize) -> Word {
        match self.contexts[context].scope {
            Scope::Frame => {
                let frame = self.frame;
                self.b.ins().load(types::I64, plain(), frame, jit::frame::CREF)
            }
            Scope::Known(scope) => self.value(scope),
            Scope::Of(other) => self.scope(other),
            Scope::Own(variable) => self.b.use_var(variable),
        }
    }

    /// The same, if it is known now.
    pub fn known_scope(&self, context: usize) -> Option<Value> {
        match self.contexts[context].scope {
            Scope::Known(scope) => Some(scope),
            Scope::Of(other) => self.known_scope(other),
            Scope::Frame | Scope::Own(_) => None,
        }
    }

    /// The lexical scope that the running code most likely has.
    pub(super) fn expected_scope(&self) -> Option<Value> {
        if self.unit.seen(self.key()) & seen::SCOPES != 0 {
            return None;
        }
        let mut context = self.at.context;
        loop {
            // SAFETY: the running frame is live.
            let (own, given) = unsafe { jit::scopes(self.running) };
            match self.contexts[context].scope {
                Scope::Known(scope) => return Some(scope),
                Scope::Of(other) => context = other,
                Scope::Frame => return Some(own),
                Scope::Own(_) => return given,
            }
        }
    }

    /// Leaves where the running code has another lexical scope.
    pub(super) fn expect_scope(&mut self, expected: Value) {
        if self.known_scope(self.at.context) != Some(expected) {
            let scope = self.scope(self.at.context);
            self.keep(expected);
            let same = self.is_word(scope, expected.bits());
            self.exit_unless(same, Reason::Scope);
        }
    }

    /// Whether the running code was given a block, if that can be said.
    pub(super) fn is_block_given(&mut self) -> Option<Given> {
        let mut context = &self.contexts[self.at.context];
        loop {
            if context.block.is_some() {
                return Some(Given::Known(true));
            }
            match context.scope {
                // A literal block has the block of its method.
                Scope::Of(home) => context = &self.contexts[home],
                Scope::Known(_) if context.gives != Gives::Frame => {
                    return Some(Given::Known(context.gives == Gives::Something));
                }
                Scope::Own(_) => return None,
                Scope::Known(_) | Scope::Frame => {
                    let frame = self.frame;
                    return Some(Given::Word(self.b.ins().load(types::I64, plain(), frame, jit::frame::BLOCK)));
                }
            }
        }
    }

    // -- inlining -------------------------------------------------------------------------

    /// The block that a site passes, if a method that is lowered in the place of the call can have it.
    pub(super) fn passed(&self, site: &Site) -> Option<Passed> {
        if site.flags & site_flags::BLOCK_ARG == 0 {
            return Some(Passed::Literal);
        }
        // The argument is evaluated last: nothing comes between.
        let code = self.code(self.at.context);
        let [before, call] = [code.insns.get(self.at.pc.checked_sub(1)?)?, &code.insns[self.at.pc]];
        let own = before.op == Op::GetBlock && before.x != 0 && before.a == call.b + site.argc + 1;
        (own && self.giver().is_some()).then_some(Passed::Own)
    }

    /// The context of the method around the running code, whose block is that of the code, if it is known.
    pub(super) fn giver(&self) -> Option<usize> {
        let mut at = self.at.context;
        while let Scope::Of(home) = self.contexts[at].scope {
            at = home;
        }
        (!matches!(self.contexts[at].scope, Scope::Own(_))).then_some(at)
    }

    /// Lowers a method in the place of its call; whether it was. `made`: the object that `new` has made, for
    /// `initialize`.
    pub(super) fn inline_method(
        &mut self,
        callee: &Callee,
        site: &Site,
        passed: Passed,
        a: usize,
        b: usize,
        made: Made,
    ) -> bool {
        let (code, caller) = (callee.code(), self.at);
        let around = &self.contexts[caller.context];
        let block = match passed {
            Passed::Literal => self.literal_block(site).map(|code| Block { code, home: caller.context }),
            Passed::Own => self.giver().and_then(|giver| self.contexts[giver].block),
        };
        let loops = block.filter(|_| yields(code));
        let calls = around.calls + loops.is_none() as usize;
        let most = if loops.is_some() { LOOP_MAX } else { CALLEE_MAX };
        // An exit for want of memory for an environment begins the call again, which is too late when arguments have
        // been moved.
        let moves = callee.key.target == Target::Placed || made.is_some();
        // SAFETY: the unit keeps the code of blocks that are given.
        let looped = loops.map(|block| unsafe { &*block.code });
        let fits = (code.simple || callee.key.target == Target::Placed)
            && !(moves && code.env_size > 0)
            && self.may_inline(code, b, most)
            && calls <= CALLS_MAX
            && looped
                .is_none_or(|block| takes(block) && self.may_inline(block, b + code.register_count as usize, LOOP_MAX));
        if !fits {
            return false;
        }
        let key = (std::ptr::from_ref(code).cast(), callee.key.pos);
        let context = match self.inlined.get(&(caller, key.0, key.1)) {
            Some(known) => *known,
            None => self.method_context(callee, (passed, block), key, a, b, made, calls),
        };
        if let Some(class) = made {
            self.make(class, b);
        }
        if callee.key.target == Target::Placed {
            self.place_arguments(callee, site, b);
        }
        self.enter_inlined(context, None);
        true
    }

    /// The context of a method that is lowered in the place of a call.
    fn method_context(
        &mut self,
        callee: &Callee,
        (passed, block): (Passed, Option<Block>),
        key: (*const (), u32),
        a: usize,
        b: usize,
        made: Made,
        calls: usize,
    ) -> usize {
        let (method, pos, cref) = (callee.key.method, callee.key.pos, callee.cref);
        let own = matches!(passed, Passed::Own);
        let kind = if own {
            MissingKind::Passed { method, pos, cref }
        } else {
            let flags = frame_flags::METHOD | if made.is_some() { frame_flags::NEW } else { 0 };
            MissingKind::Method { method, pos, cref, block: block.map_or(std::ptr::null(), |block| block.code), flags }
        };
        if let Some(block) = block {
            self.keep_code(block.code);
        }
        let result = a - self.contexts[self.at.context].offset;
        let known = (Env::None, Scope::Known(cref));
        let context = self.new_context(
            callee.code(),
            key,
            b,
            a,
            result,
            kind,
            self.has_objects(callee.class),
            known,
            block,
            calls,
        );
        let gives = self.giver().filter(|_| own).map_or(Gives::Nothing, |giver| match self.contexts[giver].caller {
            Some(_) => self.contexts[giver].gives,
            None => Gives::Frame,
        });
        let made_one = &mut self.contexts[context];
        made_one.class = made.or(Some(callee.class));
        made_one.makes = made.is_some();
        made_one.start = callee.key.start;
        made_one.gives = gives;
        context
    }

    /// Lowers a method that was made of a Proc in the place of its call; whether it was.
    pub(super) fn inline_body(&mut self, callee: &Callee, a: usize, b: usize) -> bool {
        let Some((proc, code)) = callee.body else { return false };
        let caller = self.at;
        let around = &self.contexts[caller.context];
        let (calls, result) = (around.calls + 1, a - around.offset);
        if !self.may_inline(code, b, CALLEE_MAX) || calls > CALLS_MAX {
            return false;
        }
        let captured = proc.captured();
        // Methods of the same code differ by what they have captured.
        let key = (proc.value().bits() as *const (), callee.key.pos);
        let context = match self.inlined.get(&(caller, key.0, key.1)) {
            Some(known) => *known,
            None => {
                let known = (Env::Known(captured.env), Scope::Known(captured.cref));
                let kind = MissingKind::Body { method: callee.key.method, pos: callee.key.pos };
                let context =
                    self.new_context(code, key, b, a, result, kind, self.has_objects(callee.class), known, None, calls);
                self.contexts[context].class = Some(callee.class);
                self.contexts[context].gives = if captured.block.is_nil() { Gives::Nothing } else { Gives::Something };
                context
            }
        };
        let parent = self.value(captured.env);
        self.enter_inlined(context, Some(parent));
        true
    }

    fn keep_code(&mut self, code: *const CodeData) {
        // SAFETY: the code is one that the unit's code leads to.
        let cell = unsafe { (*code).cell.get() };
        self.keep(cell);
    }

    /// Whether code may be lowered with its registers from a place on. Loops lie in one another, a method once in
    /// itself.
    fn may_inline(&self, code: &CodeData, offset: usize, most: usize) -> bool {
        let (mut at, mut around) = (Some(self.at.context), 0);
        while let Some(context) = at {
            around += std::ptr::eq(self.contexts[context].code, code) as usize;
            at = self.contexts[context].caller.map(|caller| caller.context);
        }
        around < if most == LOOP_MAX { LOOPS_DEEP } else { METHODS_DEEP }
            && !self.crowded
            && self.b.func.dfg.num_insts() < INSTS_MAX
            && code.insns.len() <= if self.plain { most.min(PLAIN_MAX) } else { most }
            && self.words + code.insns.len() <= WORDS_MAX
            && offset + code.register_count as usize + 8 < REGISTERS
            && self.depth(self.at.context) + 2 <= DEPTH_MAX
    }

    #[allow(clippy::too_many_arguments)]
    fn new_context(
        &mut self,
        code: &'static CodeData,
        key: (*const (), u32),
        offset: usize,
        result: usize,
        dst: usize,
        kind: MissingKind,
        me_object: bool,
        (env, scope): (Env, Scope),
        block: Option<Block>,
        calls: usize,
    ) -> usize {
        let (caller, id) = (self.at, self.contexts.len());
        let outer = self.code(caller.context);
        let next = self.behind(caller).pc;
        let mut missing: Vec<Missing> = self.contexts[caller.context].missing.to_vec();
        missing.push(Missing { code, base: offset, caller_pc: outer.insns[next..].as_ptr(), dst: dst as u16, kind });
        let missing = self.unit.keep_missing(missing);
        let mut chain = self.contexts[caller.context].chain.clone();
        chain.push(id);
        let env = if code.env_size > 0 { Env::Own(self.b.declare_var(types::I64)) } else { env };
        self.keep_code(code);
        let live = Rc::new(Live::of(code));
        self.contexts.push(Context {
            code,
            offset,
            caller: Some(caller),
            result,
            live,
            missing,
            chain,
            env,
            scope,
            me: Me::Register,
            me_object,
            class: None,
            block,
            calls,
            makes: false,
            gives: Gives::Nothing,
            start: 0,
        });
        self.inlined.insert((caller, key.0, key.1), id);
        id
    }

    /// Goes on at the beginning of inlined code, whose arguments are in their registers.
    fn enter_inlined(&mut self, context: usize, parent: Option<Word>) {
        let code = self.code(context);
        let offset = self.contexts[context].offset;
        if let Env::Own(variable) = self.contexts[context].env {
            let parent = match parent {
                Some(parent) => parent,
                None => self.value(Value::NIL),
            };
            let (ctx, at) = (self.ctx, self.address(std::ptr::from_ref(code)));
            let env = self.ask(jit::new_env as *const (), &[ctx, at, parent]);
            let failed = self.b.ins().icmp_imm_s(IntCC::Equal, env, EXIT as i64);
            self.exit_if(failed, Reason::Memory);
            self.b.def_var(variable, env);
        }
        for register in code.first_local..code.local_end {
            self.constant(offset + register as usize, Value::NIL);
        }
        let start = Point { context, pc: self.contexts[context].start };
        self.renew_frame(start);
        self.clear_mark_above(context);
        self.go(start);
    }

    /// Lowers the literal block that the running context was given in the place of a yield; whether it was.
    pub(super) fn inline_block(&mut self, insn: Insn) -> bool {
        let caller = self.at;
        let around = &self.contexts[caller.context];
        let Some(Block { code, home }) = around.block else { return false };
        // SAFETY: the unit keeps the code of blocks that it inlines.
        let code: &'static CodeData = unsafe { &*code };
        let site = &self.code(caller.context).sites[insn.c as usize];
        let (given, required) = (site.argc as usize, code.required as usize);
        let expands = given == 1 && (required > 1 || code.iseq.params.excess_comma);
        // As for calls, an exit for want of memory comes too late when the argument has been taken apart.
        let may_expand = required <= EXPANDED_MAX && code.env_size == 0;
        let (a, b) = (insn.a as usize + around.offset, insn.b as usize + around.offset);
        let packed = code.iseq.params.packed;
        if site.flags & (site_flags::COMPLEX | site_flags::BLOCK_ARG) != 0
            || expands && !may_expand
            || packed && given != 1
            || !takes(code)
            || !self.may_inline(code, b, LOOP_MAX)
        {
            return false;
        }
        let calls = self.contexts[home].calls;
        let key = (std::ptr::from_ref(code).cast(), 0);
        let context = match self.inlined.get(&(caller, key.0, key.1)) {
            Some(known) => *known,
            None => {
                let Context { block, me_object, .. } = self.contexts[home];
                self.new_context(
                    code,
                    key,
                    b,
                    a,
                    insn.a as usize,
                    MissingKind::Block,
                    me_object,
                    (Env::Of(home), Scope::Of(home)),
                    block,
                    calls,
                )
            }
        };
        let before = self.state.clone();
        let other = self.b.create_block();
        if expands {
            self.expand_argument(b + 1, required, other);
        } else if packed {
            // One value is not packed. What yields from there looks at the frame's register, live or not.
            self.constant(b + 2, Value::NIL);
            let nil = self.value(Value::NIL);
            self.b.ins().store(plain(), nil, self.base, 8 * (b + 2) as i32);
        } else {
            (given..required).for_each(|missing| self.constant(b + 1 + missing, Value::NIL));
        }
        self.copy_self(home, b);
        let parent = self.env(home);
        self.enter_inlined(context, Some(parent));
        if expands {
            // What is no array, or too short, is the interpreter's.
            self.start_cold(other);
            self.restore(before);
            let word = self.step_by(jit::step_yield as *const ());
            self.define(a, word);
            let next = self.behind(caller);
            self.go(next);
        }
        true
    }

    /// `R[b]` = self of the context.
    fn copy_self(&mut self, context: usize, b: usize) {
        match self.contexts[context].me {
            Me::Register => {
                let own = self.contexts[context].offset;
                self.copy(own, b);
            }
            Me::Own(variable) => {
                let me = self.b.use_var(variable);
                self.define(b, me);
            }
        }
    }

    /// Takes the only argument of a yield apart: an array that has an element for each register goes on, others go to
    /// the block.
    fn expand_argument(&mut self, first: usize, count: usize, other: cranelift_codegen::ir::Block) {
        let (elements, length) = self.elements(first, false, other);
        let enough = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, length, count as i64);
        self.continue_if(enough, other);
        let words: Vec<_> =
            (0..count).map(|i| self.b.ins().load(types::I64, plain(), elements, 8 * i as i32)).collect();
        for (i, word) in words.into_iter().enumerate() {
            self.define(first + i, word);
        }
    }
}

impl Lower<'_> {
    /// `break`, and `return` out of a block: a jump where what it leaves was lowered here, with nothing to be done on
    /// the way. Otherwise the interpreter does it, which is no reason to make the code anew.
    pub(super) fn leave_block(&mut self, op: Op, register: usize) {
        let context = self.at.context;
        let left = if op == Op::Break { self.left_by_break() } else { self.left_by_return() };
        let Some(left) = left.filter(|left| self.passes_no_ensure(*left)) else {
            return match self.contexts[context].caller {
                None => self.leave_lambda(register),
                Some(_) => self.leave(Reason::Poll),
            };
        };
        match self.contexts[left].caller {
            Some(caller) => {
                let Context { result, offset, makes, .. } = self.contexts[left];
                self.copy(if makes { offset } else { register }, result);
                self.go(self.behind(caller));
            }
            None => self.return_word(register),
        }
    }

    /// The same in a block that is the unit's own code: that of a lambda, or of a method made of it, it ends.
    fn leave_lambda(&mut self, register: usize) {
        if self.code(0).iseq.kind == ISeqKind::Block && self.code(0).iseq.catches.is_empty() {
            let frame = self.frame;
            let flags = self.b.ins().uload16(types::I64, plain(), frame, jit::frame::FLAGS);
            let lambda = self.b.ins().band_imm_s(flags, frame_flags::LAMBDA as i64);
            self.exit_unless(lambda, Reason::Poll);
            return self.return_word(register);
        }
        self.leave(Reason::Poll);
    }

    /// The context in which a literal block was written.
    fn home(&self, context: usize) -> Option<usize> {
        if let Scope::Of(home) = self.contexts[context].scope { Some(home) } else { None }
    }

    /// Whether the context is that of a method made of a Proc.
    fn is_body(&self, context: usize) -> bool {
        matches!(self.contexts[context].missing.last(), Some(Missing { kind: MissingKind::Body { .. }, .. }))
            && self.home(context).is_none()
    }

    /// The method whose call `break` ends: that which was given the running block.
    fn left_by_break(&self) -> Option<usize> {
        let running = self.at.context;
        let Some(home) = self.home(running) else { return self.is_body(running).then_some(running) };
        let mut at = running;
        loop {
            let given = self.contexts[at].caller?.context;
            let by = self.contexts[given].caller;
            let is_it = |block: Block| block.home == home && std::ptr::eq(block.code, self.contexts[running].code);
            if self.home(given).is_none()
                && self.contexts[given].block.is_some_and(is_it)
                && by.is_some_and(|by| by.context == home)
            {
                return Some(given);
            }
            at = given;
        }
    }

    /// The method that `return` in the running block ends.
    fn left_by_return(&self) -> Option<usize> {
        let mut at = self.at.context;
        while let Some(home) = self.home(at) {
            at = home;
        }
        let context = &self.contexts[at];
        let own = matches!(context.scope, Scope::Frame) && self.code(0).iseq.kind == ISeqKind::Method;
        (own || context.caller.is_some()).then_some(at)
    }

    /// Whether nothing is to be run on the way out of the running context and those around it, up to the last one.
    fn passes_no_ensure(&self, last: usize) -> bool {
        let mut at = self.at;
        loop {
            let next = self.behind(at).pc as u32;
            let ensured =
                |entry: &CatchEntry| entry.kind == CatchKind::Ensure && at.pc as u32 <= entry.end && entry.start < next;
            if self.code(at.context).iseq.catches.iter().any(ensured) {
                return false;
            }
            if at.context == last {
                return true;
            }
            match self.contexts[at.context].caller {
                Some(caller) => at = caller,
                None => return false,
            }
        }
    }

    /// At the entry of code that yields and was given a literal block: where that is the block of this frame too, it is
    /// lowered in the place of yields. The context for that case, in which lowering goes on; the other case goes on
    /// at the point.
    pub(super) fn guess_block(&mut self, point: Point) -> usize {
        let code = self.code(0);
        // SAFETY: the running frame is live.
        let Some(block) = (unsafe { jit::given_block(self.running) }).filter(|_| yields(code)) else { return 0 };
        let [me, env, scope] = [(); 3].map(|()| self.b.declare_var(types::I64));
        let live = self.contexts[0].live.clone();
        let home = Context {
            env: Env::Own(env),
            scope: Scope::Own(scope),
            me: Me::Own(me),
            ..Context::root(block, live.clone())
        };
        let given = Some(Block { code: block, home: 1 });
        self.contexts.push(home);
        let me_object = self.contexts[0].me_object;
        self.contexts.push(Context { block: given, me_object, ..Context::root(code, live) });
        self.keep(block.cell.get());
        let (literal, same, other) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let frame = self.frame;
        let handler = self.b.ins().load(types::I64, plain(), frame, jit::frame::BLOCK);
        let is_literal = self.is_literal_block(handler);
        self.b.ins().brif(is_literal, literal, &[], other, &[]);
        self.start(literal);
        let below = self.b.ins().iadd_imm_s(handler, -(jit::FRAME_BLOCK as i64));
        let given = self.b.ins().load(types::I64, plain(), below, jit::frame::BLOCK_CODE);
        let is_same = self.is_word(given, std::ptr::from_ref(block) as u64);
        self.b.ins().brif(is_same, same, &[], other, &[]);
        self.start(other);
        let state = self.state.clone();
        if !self.unit.is_wary() {
            let record = self.exit_record(Reason::Block);
            let (ctx, frame) = (self.ctx, self.frame);
            self.call_native(note_exit as *const (), &[ctx, record, frame], false);
        }
        self.go(point);
        self.restore(state);
        self.start(same);
        let registers = self.b.ins().load(types::I64, plain(), below, jit::frame::BASE);
        let word = self.b.ins().load(types::I64, plain(), registers, 0);
        self.b.def_var(me, word);
        for (variable, at) in [(env, jit::frame::ENV), (scope, jit::frame::CREF)] {
            let word = self.b.ins().load(types::I64, plain(), below, at);
            self.b.def_var(variable, word);
        }
        2
    }
}

/// Whether the code yields.
fn yields(code: &CodeData) -> bool {
    code.insns.iter().any(|insn| insn.op == Op::Yield)
}

/// Whether a block that is given plain arguments may be lowered in the place of a yield.
fn takes(code: &CodeData) -> bool {
    code.simple || code.iseq.params.packed
}
