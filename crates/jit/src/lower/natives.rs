//! Calls of native methods (functions in Rust behind a method) and of primitives.

use super::Lower;
use super::calls::Callee;
use cranelift_codegen::ir::{InstBuilder, Value as Word};
use rubellite_bytecode::Insn;
use rubellite_value::Value;
use rubellite_vm::code::{Site, Target, site_flags};
use rubellite_vm::jit::{self, Native};

impl Lower<'_> {
    /// A native function of the library's own code, by whatever name and class.
    pub(super) fn primitive(&mut self, insn: Insn, a: usize, b: usize) {
        let site = &self.code(self.at.context).sites[insn.c as usize];
        let leaf = site.target.get() == Target::Leaf;
        let general = site.flags & (site_flags::COMPLEX | site_flags::BLOCK_ARG) != 0;
        if self.races && self.tell_primitive(site.method.get(), a, b) {
            return;
        }
        if !general && site.block == 0 && self.entry_primitive(site, a, b) {
            return;
        }
        // A block that was never passed has no code yet.
        if !leaf && site.target.get() != Target::Native
            || general
            || site.block != 0 && self.literal_block(site).is_none()
        {
            return self.step_to(a);
        }
        let word = self.native_result(Native::of(site), leaf, site, b);
        self.define(a, word);
    }

    pub(super) fn call_native_method(&mut self, callee: &Callee, site: &Site, a: usize, b: usize) {
        let word = self.native_of(callee, site, b);
        self.define(a, word);
    }

    /// The result of a native method, whose window begins with the register.
    pub(super) fn native_of(&mut self, callee: &Callee, site: &Site, b: usize) -> Word {
        match &callee.native {
            Some(native) if native.attempt.is_some() && site.block == 0 => self.tried(native, site, b),
            Some(native) => self.native_result(Native { ..*native }, callee.key.target == Target::Leaf, site, b),
            None => self.step(),
        }
    }

    /// The result of a native method that tries without a frame first.
    pub(super) fn tried(&mut self, native: &Native, site: &Site, b: usize) -> Word {
        let (slow, done) = self.ways();
        let record = self.native_record(Native { ..*native });
        self.store_window(b, site.argc as usize);
        let window = self.b.ins().iadd_imm_s(self.base, 8 * b as i64);
        let ctx = self.ctx;
        let word = self.ask(jit::attempt as *const (), &[ctx, record, window]);
        let undone = self.is_word(word, Value::UNDEF.bits());
        self.b.ins().brif(undone, slow, &[], done, &[word.into()]);
        self.start_cold(slow);
        let state = self.state.clone();
        self.forget_exits();
        let word = self.native_result(Native { ..*native }, false, site, b);
        self.b.ins().jump(done, &[word.into()]);
        self.restore(state);
        self.state.forget();
        self.start(done);
        self.b.block_params(done)[0]
    }

    /// The same with the block that a handler stands for; `None`: the literal one of the site.
    pub(super) fn native_given(&mut self, callee: &Callee, site: &Site, b: usize, handler: Option<Word>) -> Word {
        let (Some(native), Some(handler)) = (&callee.native, handler) else { return self.native_of(callee, site, b) };
        let record = self.native_record(Native { ..*native });
        self.flush();
        let (frame, window) = self.frame_and_window(site, b);
        let (ctx, top) = (self.ctx, self.top_of_registers());
        let word = self.ask(jit::native_given as *const (), &[ctx, frame, record, window, handler, top]);
        self.propagate(word);
        self.state.forget();
        word
    }

    /// The address of what is known of a native method, which the unit keeps.
    pub(super) fn native_record(&mut self, native: Native) -> Word {
        let native = Box::new(native);
        let record: *const Native = &raw const *native;
        self.unit.natives.borrow_mut().push(native);
        self.address(record)
    }

    /// The result of a native function, whose window begins with the register. A leaf calls nothing, and needs no
    /// frame.
    pub(super) fn native_result(&mut self, native: Native, leaf: bool, site: &Site, b: usize) -> Word {
        let record = self.native_record(native);
        if !leaf || self.is_protected() {
            self.flush();
        }
        let (frame, window) = self.frame_and_window(site, b);
        let ctx = self.ctx;
        let word = if leaf {
            self.ask(jit::leaf as *const (), &[ctx, frame, record, window])
        } else {
            let block = match self.literal_block(site) {
                Some(block) => self.address(std::ptr::from_ref(block)),
                None => self.integer(0),
            };
            let top = self.top_of_registers();
            self.ask(jit::native as *const (), &[ctx, frame, record, window, block, top])
        };
        self.propagate(word);
        if leaf {
            // `freeze` is one.
            self.state.shapes.forget();
        } else {
            self.state.forget();
        }
        word
    }

    /// The calling frame and the window of a call, whose registers are written.
    pub(super) fn frame_and_window(&mut self, site: &Site, b: usize) -> (Word, Word) {
        self.flush_operands();
        self.store_window(b, site.argc as usize);
        let frame = self.calling_frame();
        (frame, self.b.ins().iadd_imm_s(self.base, 8 * b as i64))
    }

    /// Where the registers of the running frame end.
    fn top_of_registers(&mut self) -> Word {
        let context = self.at.context;
        let end = self.contexts[context].offset + self.code(context).register_count as usize;
        self.b.ins().iadd_imm_s(self.base, 8 * end as i64)
    }

    /// Writes the receiver and so many arguments.
    pub(super) fn store_window(&mut self, b: usize, arguments: usize) {
        (b..=b + arguments).for_each(|register| self.store_if_dirty(register));
    }
}
