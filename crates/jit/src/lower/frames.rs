//! Frames: those that inlined code does without until it calls something, and those of callees.
//!
//! `marks` say, at run time, which context's frame stands at each depth above the unit's own; a frame counts only if
//! all below it do. What a call finds missing is pushed by stores in the code itself, in plain code by a function that
//! takes less room.

use super::inline::{DEPTH_MAX, Env};
use super::registers::Standing;
use super::{Lower, Point, plain};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, StackSlot, StackSlotData, StackSlotKind, Value as Word, types};
use rubellite_value::Value;
use rubellite_vm::code::CodeData;
use rubellite_vm::jit::frame::{BASE, BLOCK, CODE, CREF, ENV, ID, METHOD, PC, POS_DST_FLAGS, SIZE, SVAR};
use rubellite_vm::jit::{self, MissingKind};

/// What a frame runs, and how it returns.
pub(super) struct Activation {
    pub code: *const CodeData,
    pub method: Value, // tidy: kept by the unit's roots
    pub cref: Value,   // tidy: as above
    pub pos: u32,
    pub dst: u16,
    pub flags: u16,
}

impl Activation {
    /// The words of its frame that are the same at each call, from `CODE` on.
    fn words(&self) -> [(i32, u64); 8] {
        let (nil, code) = (Value::NIL.bits(), self.code as u64);
        let word = self.pos as u64 | (self.dst as u64) << 32 | (self.flags as u64) << 48;
        let (method, cref) = (self.method.bits(), self.cref.bits());
        [
            (CODE, code),
            (ENV, nil),
            (BLOCK, nil),
            (METHOD, method),
            (CREF, cref),
            (ID, 0),
            (SVAR, nil),
            (POS_DST_FLAGS, word),
        ]
    }
}

impl Lower<'_> {
    pub(super) fn depth(&self, context: usize) -> usize {
        self.contexts[context].missing.len()
    }

    /// No frame stands above the running context's any more, or what stands there belongs to an earlier activation.
    pub(super) fn clear_mark_above(&mut self, context: usize) {
        let depth = self.depth(context);
        if depth < DEPTH_MAX {
            let none = self.integer(0);
            self.b.def_var(self.marks[depth], none);
        }
    }

    /// The frame of inlined code that stands where it begins, if one does, is of an earlier activation. It is taken for
    /// none where that is short and nothing is given blocks; elsewhere it becomes the new one's, which has given no
    /// id yet and has no `$~`.
    pub(super) fn renew_frame(&mut self, start: Point) {
        let depth = self.depth(start.context);
        if self.begins_bare(start) {
            let none = self.integer(0);
            self.b.def_var(self.marks[depth - 1], none);
            return;
        }
        let (zero, nil) = (self.integer(0), self.value(Value::NIL));
        let frame = self.frame;
        self.b.ins().store(plain(), zero, frame, above(depth) + ID);
        self.b.ins().store(plain(), nil, frame, above(depth) + SVAR);
    }

    /// Whether the context has no frame when it goes on at the point: at the beginning of a method in plain code, whose
    /// loops are not lowered in one piece so that a frame would seldom stand from one turn to the next.
    pub(super) fn begins_bare(&self, point: Point) -> bool {
        let context = &self.contexts[point.context];
        let alone = context
            .missing
            .last()
            .is_some_and(|missing| matches!(missing.kind, MissingKind::Method { block, .. } if block.is_null()));
        self.plain && alone && point.pc == context.start && !context.live.is_head(point.pc)
    }

    fn stands(&mut self, depth: usize, context: usize) -> Word {
        let mark = self.b.use_var(self.marks[depth]);
        self.b.ins().icmp_imm_s(IntCC::Equal, mark, context as i64)
    }

    /// How many of the context's frames stand where they belong.
    fn standing_frames(&mut self, context: usize) -> Word {
        let chain = self.contexts[context].chain.clone();
        let mut count = self.integer(0);
        let mut all: Option<Word> = None;
        for (depth, context) in chain.into_iter().enumerate() {
            let stands = self.stands(depth, context);
            let stands = match all {
                Some(below) => self.b.ins().band(below, stands),
                None => stands,
            };
            all = Some(stands);
            let one = self.b.ins().uextend(types::I64, stands);
            count = self.b.ins().iadd(count, one);
        }
        count
    }

    /// On the way out: how many of the running context's frames stand; the environments of all are written.
    pub(super) fn left_frames(&mut self) -> Word {
        let context = self.at.context;
        let count = self.depth(context);
        if count == 0 {
            return self.integer(0);
        }
        self.write_envs(context);
        match self.state.standing {
            Standing::Yes => self.integer(count as i64),
            Standing::No if count == 1 => self.integer(0),
            _ => self.standing_frames(context),
        }
    }

    /// Writes the environments of the frames that a context does without.
    fn write_envs(&mut self, context: usize) {
        let chain = self.contexts[context].chain.clone();
        let envs: Vec<Word> = chain.into_iter().map(|context| self.env(context)).collect();
        let slot = self.env_slot();
        for (i, env) in envs.into_iter().enumerate() {
            self.b.ins().stack_store(types::I64, env, slot, 8 * i as i32);
        }
    }

    fn env_slot(&mut self) -> StackSlot {
        match self.env_slot {
            Some(slot) => slot,
            None => {
                let size = 8 * DEPTH_MAX as u32;
                *self.env_slot.insert(self.b.create_sized_stack_slot(StackSlotData::new(
                    StackSlotKind::ExplicitSlot,
                    size,
                    3,
                )))
            }
        }
    }

    /// The running context's frame: the unit's own, or one that is pushed now, with those below it, unless they stand
    /// already.
    fn topmost_frame(&mut self) -> Word {
        let context = self.at.context;
        let chain = self.contexts[context].chain.clone();
        let Some(last) = chain.len().checked_sub(1) else { return self.frame };
        let top = self.b.ins().iadd_imm_s(self.frame, above(last + 1) as i64);
        if self.state.standing == Standing::Yes {
            return top;
        }
        let bare = self.state.standing == Standing::No;
        // Exits from here on find the frame.
        self.state.standing = Standing::Yes;
        self.forget_exits();
        let pushes: Vec<_> = chain.iter().map(|_| self.b.create_block()).collect();
        let on = self.b.create_block();
        for (depth, inlined) in chain.iter().enumerate() {
            if depth == last && bare {
                self.b.ins().jump(pushes[depth], &[]);
                break;
            }
            let stands = self.stands(depth, *inlined);
            let next = if depth == last { on } else { self.b.create_block() };
            self.b.ins().brif(stands, next, &[], pushes[depth], &[]);
            if depth != last {
                self.start(next);
            }
        }
        for (depth, inlined) in chain.iter().enumerate() {
            self.start(pushes[depth]);
            self.push_inlined(*inlined, depth);
            self.b.ins().jump(pushes.get(depth + 1).copied().unwrap_or(on), &[]);
        }
        self.start(on);
        for (depth, inlined) in chain.into_iter().enumerate() {
            let mark = self.integer(inlined as i64);
            self.b.def_var(self.marks[depth], mark);
            if matches!(self.contexts[inlined].env, Env::Own(_)) {
                let (env, frame) = (self.env(inlined), self.frame);
                self.b.ins().store(plain(), env, frame, above(depth + 1) + ENV);
            }
        }
        top
    }

    /// Pushes the frame of inlined code above those of so many others. The environment that it has of its own is
    /// written afterwards.
    fn push_inlined(&mut self, context: usize, depth: usize) {
        let missing = self.contexts[context].missing[depth];
        let (ctx, frame) = (self.ctx, self.frame);
        let below = self.b.ins().iadd_imm_s(frame, above(depth) as i64);
        let MissingKind::Method { method, pos, cref, block, flags } = missing.kind else {
            return self.push_by_function(context, depth, below);
        };
        if self.plain {
            return self.push_by_function(context, depth, below);
        }
        let pc = self.address(missing.caller_pc);
        self.b.ins().store(plain(), pc, below, PC);
        // SAFETY: the unit keeps the code of blocks that it inlines.
        let block = unsafe { block.as_ref() }.map(|block| self.pass_block(below, block));
        let new = self.b.ins().iadd_imm_s(frame, above(depth + 1) as i64);
        self.fill_frame(new, &Activation { code: missing.code, method, cref, pos, dst: missing.dst, flags });
        let base = self.b.ins().iadd_imm_s(self.base, 8 * missing.base as i64);
        self.b.ins().store(plain(), base, new, BASE);
        if let Some(block) = block {
            self.b.ins().store(plain(), block, new, BLOCK);
        }
        self.b.ins().store(plain(), new, ctx, jit::ctx::FRAME);
    }

    /// The same by a function.
    fn push_by_function(&mut self, context: usize, depth: usize, below: Word) {
        let env = self.env(context);
        let missing = self.address(&raw const self.contexts[context].missing[depth]);
        let (ctx, base) = (self.ctx, self.base);
        self.call_native(jit::push_inlined as *const (), &[ctx, below, base, missing, env], false);
    }

    /// The running context's frame, which now stands behind the running instruction and is the topmost.
    pub fn calling_frame(&mut self) -> Word {
        let frame = self.topmost_frame();
        let code = self.code(self.at.context);
        let next = self.behind(self.at).pc;
        let pc = self.address(code.insns[next..].as_ptr());
        self.b.ins().store(plain(), pc, frame, PC);
        self.clear_mark_above(self.at.context);
        frame
    }

    /// Writes what is the same in a frame at each call from this place. Four copies of two words from memory take
    /// the least time while that is in the processor's caches, which in plain code it seldom is.
    pub(super) fn fill_frame(&mut self, frame: Word, activation: &Activation) {
        let words = activation.words();
        if self.plain {
            for (at, word) in words {
                let word = self.integer(word as i64);
                self.b.ins().store(plain(), word, frame, at);
            }
            return;
        }
        let mut template = [0; 8];
        for (at, word) in words {
            template[((at - CODE) / 8) as usize] = word;
        }
        let template = self.address(self.unit.keep_template(template));
        for at in (0..64).step_by(16) {
            let words = self.b.ins().load(types::I64X2, plain(), template, at);
            self.b.ins().store(plain(), words, frame, CODE + at);
        }
    }
}

/// How far above the unit's own frame the frame of so many more begins, in bytes.
fn above(frames: usize) -> i32 {
    frames as i32 * SIZE as i32
}
