//! The block that a method was given, and `&block` arguments: blocks that are handed on as they are, without a Proc.

use super::inline::Gives;
use super::{Lower, plain};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value as Word, types};
use rubellite_bytecode::Insn;
use rubellite_value::Value;
use rubellite_vm::code::{Site, site_flags};
use rubellite_vm::jit;

impl Lower<'_> {
    /// `R[a]` = the handler of the block that the method was given.
    pub(super) fn get_block(&mut self, insn: Insn, a: usize) {
        match self.giver().filter(|_| insn.x != 0) {
            Some(giver) => {
                let handler = self.own_block(giver);
                self.define(a, handler);
                if self.is_given_nothing(giver) {
                    self.state.known[a] = Some(Value::NIL);
                }
            }
            None => self.step_to(a),
        }
    }

    /// Whether the context, that of a method, was given no block.
    fn is_given_nothing(&self, giver: usize) -> bool {
        let context = &self.contexts[giver];
        context.caller.is_some() && context.block.is_none() && context.gives == Gives::Nothing
    }

    /// The handler of the block of the context, that of the method around the running code.
    pub(super) fn own_block(&mut self, giver: usize) -> Word {
        if self.is_given_nothing(giver) {
            return self.value(Value::NIL);
        }
        let context = &self.contexts[giver];
        let of_unit = context.caller.is_none() || context.block.is_none() && context.gives == Gives::Frame;
        // Frames of blocks have the block of their method.
        let frame = if of_unit { self.frame } else { self.calling_frame() };
        self.b.ins().load(types::I64, plain(), frame, jit::frame::BLOCK)
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
}
