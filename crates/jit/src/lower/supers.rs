//! `super`: what it leads to is known from the running method, its place among the ancestors and the receiver's class.
//! In code that was lowered in the place of a call the first two are known; in the unit's own they are compared with
//! what was seen.

use super::calls::Callee;
use super::inline::Passed;
use super::{Lower, Point, plain};
use crate::assume::Way;
use crate::unit::{CLASSES_MAX, Reason};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word, types};
use rubellite_bytecode::{ISeqKind, Insn};
use rubellite_value::Value;
use rubellite_vm::code::{Site, Target, site_flags};
use rubellite_vm::jit::{self, MissingKind};
use rubellite_vm::{Class, Method, MethodBody};

/// The method that says `super`.
#[derive(Copy, Clone)]
struct Speaker {
    /// The context in which it runs.
    context: usize,
    method: Value, // tidy: kept by the unit's roots
    pos: u32,
}

/// What `super` leads to for one class.
struct Next {
    callee: Callee,
    site: Site,
    pos: u32,
}

impl Lower<'_> {
    /// `R[a] = super(...)`, for receivers of the classes and from the places where it was called before.
    pub(super) fn call_super(&mut self, insn: Insn, next: usize) {
        let context = self.at.context;
        let offset = self.contexts[context].offset;
        let (a, b) = (insn.a as usize + offset, insn.b as usize + offset);
        let site = &self.code(context).sites[insn.c as usize];
        let Some(speaker) = self.speaker(site) else { return self.step_to(a) };
        let known = self.contexts[speaker.context].caller.is_some();
        let all = self.super_callees(site, speaker, known);
        if all.is_empty() {
            return self.step_to(a);
        }
        self.assume();
        let next = Point { context, pc: next };
        let before = self.state.clone();
        let [slow, uncompiled] = [(); 2].map(|()| self.b.create_block());
        self.has_entry = false;
        self.keep(speaker.method);
        let place = if known { None } else { Some(self.expect_speaker(speaker, slow)) };
        let checked = self.state.clone();
        for (i, found) in all.iter().enumerate() {
            let other = if i + 1 == all.len() { slow } else { self.b.create_block() };
            if let Some(place) = place {
                let same = self.b.ins().icmp_imm_s(IntCC::Equal, place, found.pos as i32 as i64);
                self.continue_if(same, other);
            }
            self.class_or(offset, found.callee.class, other);
            let way = Way::Super(speaker.method, found.pos);
            self.assumptions.add_callee(site, (found.callee.class, way), found.callee.key, found.callee.epoch);
            [found.callee.class, found.callee.key.method, found.callee.cref]
                .into_iter()
                .for_each(|value| self.keep(value));
            self.copy(offset, b);
            self.call_next(found, speaker, a, b, uncompiled);
            if !self.done {
                self.go(next);
            }
            self.restore(checked.clone());
            if other != slow {
                self.start(other);
            }
        }
        self.restore(before.clone());
        if self.has_entry {
            self.start_cold(uncompiled);
            self.step_to(a);
            self.go(next);
            self.restore(before);
        }
        self.start_cold(slow);
        let more = all.len() < CLASSES_MAX / 2 && self.unit.classes(self.key()).len() < CLASSES_MAX / 2;
        if more {
            let object = self.get(offset);
            self.step_new_super(a, object)
        } else {
            self.step_to(a)
        }
        self.go(next);
    }

    /// The method around the running code, if its `super` can be followed: literal blocks say it for their method.
    fn speaker(&self, site: &Site) -> Option<Speaker> {
        let context = self.giver()?;
        let implicit = site.flags & site_flags::ZSUPER != 0;
        if self.contexts[context].caller.is_some() {
            return match self.contexts[context].missing.last()?.kind {
                MissingKind::Method { method, pos, .. } | MissingKind::Passed { method, pos, .. } => {
                    Some(Speaker { context, method, pos })
                }
                MissingKind::Body { method, pos } if !implicit => Some(Speaker { context, method, pos }),
                _ => None,
            };
        }
        let (method, pos) = site.super_caller();
        let body = Method::try_of(method).filter(|_| !site.klass.get().is_undef())?;
        // Where the method was made of a Proc arguments are not passed on.
        let may = match self.code(context).iseq.kind {
            ISeqKind::Method => true,
            ISeqKind::Block => !implicit || matches!(body.body(), MethodBody::Code { .. }),
            _ => false,
        };
        may.then_some(Speaker { context, method, pos })
    }

    /// Goes on if the unit's frame is one of the method; its place among the ancestors.
    fn expect_speaker(&mut self, speaker: Speaker, other: Block) -> Word {
        let frame = self.frame;
        let found = self.b.ins().load(types::I64, plain(), frame, jit::frame::METHOD);
        let same = self.is_word(found, speaker.method.bits());
        self.continue_if(same, other);
        self.b.ins().load(types::I32, plain(), frame, jit::frame::POS_DST_FLAGS)
    }

    /// What `super` at a site leads to for receivers of the class that is known, or of those that were seen.
    fn super_callees(&mut self, site: &Site, speaker: Speaker, known: bool) -> Vec<Next> {
        let general = site_flags::COMPLEX & !site_flags::KEYWORDS;
        if site.flags & general != 0 || site.block != 0 && self.literal_block(site).is_none() {
            return Vec::new();
        }
        let Some(owner) = Method::try_of(speaker.method).map(|method| method.owner()) else { return Vec::new() };
        let mut classes =
            if known { Vec::from_iter(self.contexts[speaker.context].class) } else { vec![site.klass.get()] };
        classes.extend(self.unit.classes(self.key()));
        let mut all: Vec<Next> = Vec::new();
        for class in classes.into_iter().take(CLASSES_MAX / 2) {
            // In blocks whose self was changed the interpreter may have to raise an error.
            let Some(of) = Class::try_of(class).filter(|of| of.inherits(self.vm, owner.value())) else { continue };
            let place = of.mro(self.vm).iter().position(|module| *module == owner);
            let pos = if known || class == site.klass.get() {
                speaker.pos
            } else {
                place.map_or(speaker.pos, |place| place as u32)
            };
            if all.iter().any(|next| next.callee.class == class) {
                continue;
            }
            let Some(resolved) = self.vm.resolve_super(site, class, speaker.method, pos) else { continue };
            let Some(callee) = Callee::of(self.vm, &resolved) else { continue };
            let direct = match callee.key.target {
                Target::Other | Target::NotIdentical => false,
                // The block that is passed on would have to be made an object.
                Target::Placed => !callee.code().iseq.params.block,
                _ => true,
            };
            if direct && self.calls_directly(&callee, &resolved) {
                all.push(Next { callee, site: resolved, pos });
            }
        }
        all
    }

    /// Calls what `super` leads to.
    fn call_next(&mut self, next: &Next, speaker: Speaker, a: usize, b: usize, uncompiled: Block) {
        let Next { callee, site, .. } = next;
        let core = self.vm.classes().basic_object.get();
        if callee.native.is_some()
            && site.argc == 0
            && site.name == self.vm.names().initialize
            && site.method().owner().value() == core
        {
            return self.constant(a, Value::NIL);
        }
        let implied = site.block == 0 && site.flags & site_flags::BLOCK_ARG == 0;
        match callee.key.target {
            Target::SimpleCode | Target::Placed => {
                let passed = if implied { Some(Passed::Own) } else { self.passed(site) };
                if passed.is_some_and(|passed| self.inline_method(callee, site, passed, a, b, None)) {
                    return;
                }
                let handler = if implied { Some(self.own_block(speaker.context)) } else { self.hand_on(site, b) };
                let entry = self.entry_or(callee, uncompiled);
                let result = a - self.contexts[self.at.context].offset;
                let word = self.enter_code(callee, site, entry, b, (result, 0), handler);
                self.define(a, word);
            }
            Target::Native => {
                let handler = if implied { Some(self.own_block(speaker.context)) } else { self.hand_on(site, b) };
                let word = self.native_given(callee, site, b, handler);
                self.define(a, word);
            }
            // None of these looks at a block.
            _ => self.call_known(callee, site, a, b, uncompiled),
        }
    }

    /// Does `super` for a receiver of a new class, which is noted.
    fn step_new_super(&mut self, a: usize, object: Word) {
        let record = self.exit_record(Reason::Class);
        let word = self.step_with(crate::leave::step_new_super as *const (), |_| vec![record, object]);
        self.define(a, word);
    }
}
