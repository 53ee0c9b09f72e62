//! Variables, constants and elements of arrays.

use super::registers::Type;
use super::{Lower, plain};
use crate::unit::{Reason, SHAPES_MAX, read_variable, write_slot, write_variable};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word, types};
use rubellite_bytecode::{Insn, Op};
use rubellite_value::{Sym, Tag, Value, flags};
use rubellite_vm::code::Cache;
use rubellite_vm::jit;

/// Where an instance variable lies, for one shape.
#[derive(Copy, Clone)]
pub(crate) struct Place {
    pub shape: u32,
    /// None: objects of the shape do not have it.
    pub slot: Option<u16>,
    /// The shape after a write.
    pub next: u32,
}

impl Place {
    pub fn new(shape: u32, slot: u32, next: u32) -> Option<Place> {
        (shape != u32::MAX).then(|| u16::try_from(slot).ok()).flatten().map(|slot| Place { shape, slot: Some(slot), next })
    }

    fn of(cache: &Cache) -> Option<Place> {
        Place::new(cache.shape.get(), cache.slot.get(), cache.next_shape.get())
    }
}

impl Lower<'_> {
    pub(super) fn memory(&mut self, insn: Insn, [a, b, c]: [usize; 3]) {
        let (context, code) = (self.at.context, self.code(self.at.context));
        let own = self.contexts[context].offset;
        match insn.op {
            Op::GetEnv => {
                let slots = self.env_slots(insn.x);
                let word = self.b.ins().load(types::I64, plain(), slots, 8 * insn.b as i32);
                self.define(a, word);
            }
            Op::SetEnv => {
                let slots = self.env_slots(insn.x);
                let word = self.get(a);
                self.b.ins().store(plain(), word, slots, 8 * insn.b as i32);
            }
            Op::GetIvar | Op::SetIvar => {
                let name = code.names[insn.b as usize];
                let places = self.places(Place::of(&code.caches[insn.c as usize]), name, insn.op == Op::SetIvar);
                let me = self.get(own);
                if insn.op == Op::GetIvar {
                    let word = self.read_variable(me, &places, name);
                    self.define(a, word);
                } else {
                    let word = self.get(a);
                    self.write_variable(me, &places, name, word);
                }
            }
            Op::GetConst | Op::GetConstTop => self.constant_of(insn, a),
            Op::ARef => self.element(insn, a, b, c),
            Op::ASet => self.set_element(a, b, c),
            Op::SelfLen => {
                let list = self.get(own);
                let (slow, done) = self.ways();
                let (_, length) = self.elements(list, false, slow);
                let word = self.tag_integer(length);
                self.b.ins().jump(done, &[word.into()]);
                self.finish_ways(slow, done, a);
            }
            _ => {
                let (list, index) = (self.get(own), self.get(b));
                let (slow, done) = self.ways();
                let word = self.element_at(list, index, false, slow, b);
                self.b.ins().jump(done, &[word.into()]);
                self.finish_ways(slow, done, a);
            }
        }
    }

    /// A block for the slow way of the running instruction, and one for what follows with the result.
    pub(super) fn ways(&mut self) -> (Block, Block) {
        let (slow, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, types::I64);
        (slow, done)
    }

    /// Writes the slow way, the interpreter's, and goes on with the result in a register.
    pub(super) fn finish_ways(&mut self, slow: Block, done: Block, register: usize) {
        let word = self.slow_way(slow, done);
        self.define(register, word);
    }

    pub(super) fn slow_way(&mut self, slow: Block, done: Block) -> Word {
        self.start_cold(slow);
        let word = self.step_aside();
        self.b.ins().jump(done, &[word.into()]);
        self.start(done);
        self.b.block_params(done)[0]
    }

    // -- captured variables ---------------------------------------------------------------

    /// The variables of the environment so many levels out.
    fn env_slots(&mut self, levels: u8) -> Word {
        let mut env = self.env(self.at.context);
        for _ in 0..levels {
            env = self.b.ins().load(types::I64, plain(), env, jit::object::ENV_PARENT);
        }
        self.b.ins().load(types::I64, plain(), env, jit::object::ENV_SLOTS)
    }

    // -- instance variables ---------------------------------------------------------------

    /// The places of a variable in objects of the shapes that were seen: that of the cache, and those that were noted.
    pub(super) fn places(&mut self, first: Option<Place>, name: Sym, write: bool) -> Vec<Place> {
        let mut places: Vec<Place> = first.into_iter().collect();
        for shape in self.unit.shapes(self.key()) {
            if places.iter().any(|place| place.shape == shape) {
                continue;
            }
            let (slot, next) = self.vm.variable_place(shape, name, write);
            match slot.map(u16::try_from) {
                Some(Ok(slot)) => places.push(Place { shape, slot: Some(slot), next }),
                None => places.push(Place { shape, slot: None, next }),
                Some(Err(_)) => {}
            }
        }
        places.truncate(SHAPES_MAX);
        places
    }

    /// The variable of an object that has it at one of the places, most likely.
    pub(super) fn read_variable(&mut self, object: Word, places: &[Place], name: Sym) -> Word {
        let (slow, done) = self.ways();
        self.each_shape(object, places, false, slow, |lower, header, place| {
            let Some(slot) = place.slot else {
                let nil = lower.value(Value::NIL);
                lower.b.ins().jump(done, &[nil.into()]);
                return;
            };
            let (within, inside, outside) = (lower.is_within_cell(header, slot), lower.b.create_block(), lower.b.create_block());
            lower.b.ins().brif(within, inside, &[], outside, &[]);
            lower.start(outside);
            let block = lower.outside_cell(object, header);
            let word = lower.b.ins().load(types::I64, plain(), block, 8 * slot as i32);
            let set = lower.b.ins().icmp_imm_s(IntCC::NotEqual, word, Value::UNDEF.bits() as i64);
            lower.b.ins().brif(set, done, &[word.into()], slow, &[]);
            lower.start(inside);
            let word = lower.b.ins().load(types::I64, plain(), object, jit::object::SLOTS + 8 * slot as i32);
            let set = lower.b.ins().icmp_imm_s(IntCC::NotEqual, word, Value::UNDEF.bits() as i64);
            lower.b.ins().brif(set, done, &[word.into()], slow, &[]);
        });
        self.start_cold(slow);
        let (ctx, record, name) = (self.ctx, self.exit_record(Reason::Shape), self.integer(name.0 as i64));
        let word = self.ask(read_variable as *const (), &[ctx, record, object, name]);
        self.end_variable(word, done)
    }

    pub(super) fn write_variable(&mut self, object: Word, places: &[Place], name: Sym, word: Word) {
        let (slow, done) = self.ways();
        self.each_shape(object, places, true, slow, |lower, header, place| {
            let Some(slot) = place.slot else {
                lower.b.ins().jump(slow, &[]);
                return;
            };
            let (within, inside, outside) = (lower.is_within_cell(header, slot), lower.b.create_block(), lower.b.create_block());
            lower.b.ins().brif(within, inside, &[], outside, &[]);
            if place.next == place.shape {
                lower.start(outside);
                let block = lower.outside_cell(object, header);
                lower.b.ins().store(plain(), word, block, 8 * slot as i32);
            } else {
                lower.start_cold(outside);
                let (ctx, to, next) = (lower.ctx, lower.integer(slot as i64), lower.integer(place.next as i64));
                lower.call_native(write_slot as *const (), &[ctx, object, to, word, next], false);
            }
            lower.b.ins().jump(done, &[word.into()]);
            lower.start(inside);
            lower.b.ins().store(plain(), word, object, jit::object::SLOTS + 8 * slot as i32);
            if place.next != place.shape {
                let next = lower.b.ins().iconst(types::I32, place.next as i64);
                lower.b.ins().store(plain(), next, object, flags::SHAPE_SHIFT as i32 / 8);
            }
            lower.b.ins().jump(done, &[word.into()]);
        });
        self.start_cold(slow);
        let (ctx, record, name) = (self.ctx, self.exit_record(Reason::Shape), self.integer(name.0 as i64));
        let written = self.ask(write_variable as *const (), &[ctx, record, object, name, word]);
        self.end_variable(written, done);
    }

    /// Ends the slow way of an access, whose word says whether the code is left.
    fn end_variable(&mut self, word: Word, done: Block) -> Word {
        let left = self.b.ins().icmp_imm_s(IntCC::Equal, word, jit::EXIT as i64);
        self.exit_if(left, Reason::Shape);
        self.b.ins().jump(done, &[word.into()]);
        self.start(done);
        self.b.block_params(done)[0]
    }

    /// Does something for plain objects of each of the shapes, not frozen if they are to be changed; others go to the block.
    fn each_shape(&mut self, object: Word, places: &[Place], change: bool, other: Block, mut access: impl FnMut(&mut Self, Word, Place)) {
        self.object_or(object, other);
        let header = self.b.ins().load(types::I64, plain(), object, 0);
        let frozen = if change { flags::FROZEN.bit() } else { 0 };
        let mask = self.integer(((u32::MAX as u64) << flags::SHAPE_SHIFT | flags::TAG_MASK | frozen) as i64);
        let found = self.b.ins().band(header, mask);
        for place in places {
            let (hit, next) = (self.b.create_block(), self.b.create_block());
            let wanted = self.integer(((place.shape as u64) << flags::SHAPE_SHIFT | Tag::Object as u64) as i64);
            let fits = self.b.ins().icmp(IntCC::Equal, found, wanted);
            self.b.ins().brif(fits, hit, &[], next, &[]);
            self.start(hit);
            access(self, header, *place);
            self.start(next);
        }
        self.b.ins().jump(other, &[]);
    }

    /// Whether an object with this header has a variable in its cell.
    fn is_within_cell(&mut self, header: Word, slot: u16) -> Word {
        let count = self.b.ins().ushr_imm_s(header, flags::AUX_SHIFT as i64);
        let count = self.b.ins().band_imm_s(count, 0xffff);
        self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, count, slot as i64)
    }

    /// What is added to for a variable of the object's shape that is not in its cell.
    fn outside_cell(&mut self, object: Word, header: Word) -> Word {
        let count = self.b.ins().ushr_imm_s(header, flags::AUX_SHIFT as i64);
        let count = self.b.ins().band_imm_s(count, 0xffff);
        let bytes = self.b.ins().ishl_imm_s(count, 3);
        let behind = self.b.ins().iadd(object, bytes);
        self.b.ins().load(types::I64, plain(), behind, jit::object::SLOTS)
    }

    /// Words of objects go on, others to the block.
    pub(super) fn object_or(&mut self, word: Word, other: Block) {
        let low = self.b.ins().band_imm_s(word, 7);
        let aligned = self.b.ins().icmp_imm_s(IntCC::Equal, low, 0);
        self.continue_if(aligned, other);
        let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, word, 0);
        self.continue_if(some, other);
    }

    // -- constants ------------------------------------------------------------------------

    fn constant_of(&mut self, insn: Insn, a: usize) {
        let cache = &self.code(self.at.context).caches[insn.c as usize];
        let Some(epoch) = cache.current.get().filter(|epoch| epoch.get() == cache.epoch.get()) else { return self.step_to(a) };
        if insn.op == Op::GetConst {
            let scope = self.scope(self.at.context);
            let expected = cache.key.get();
            let expected = self.value(expected);
            let same = self.b.ins().icmp(IntCC::Equal, scope, expected);
            self.exit_unless(same, Reason::Changed);
        }
        self.expect_epoch(epoch.address(), epoch.get());
        self.constant(a, cache.value.get());
    }

    /// Leaves when a method or constant of some name was defined since.
    pub(super) fn expect_epoch(&mut self, counter: *const u32, now: u32) {
        let at = self.address(counter);
        let current = self.b.ins().load(types::I32, plain(), at, 0);
        let changed = self.b.ins().icmp_imm_s(IntCC::NotEqual, current, now as i32 as i64);
        self.exit_if(changed, Reason::Changed);
    }

    // -- arrays ---------------------------------------------------------------------------

    /// Elements and length of an array, a plain one if the program may have made it; others go to the block.
    fn elements(&mut self, list: Word, plain_class: bool, other: Block) -> (Word, Word) {
        self.object_or(list, other);
        let header = self.b.ins().load(types::I64, plain(), list, 0);
        let tag = self.b.ins().band_imm_s(header, flags::TAG_MASK as i64);
        let array = self.b.ins().icmp_imm_s(IntCC::Equal, tag, Tag::Array as i64);
        self.continue_if(array, other);
        if plain_class {
            let class = self.b.ins().load(types::I64, plain(), list, jit::object::CLASS);
            let wanted = self.vm.classes().array.get();
            let wanted = self.value(wanted);
            let same = self.b.ins().icmp(IntCC::Equal, class, wanted);
            self.continue_if(same, other);
        }
        let word = self.b.ins().load(types::I64, plain(), list, jit::object::ARRAY_WORD);
        let inline = self.b.ins().iadd_imm_s(list, jit::object::ARRAY_REP as i64);
        let block = self.b.ins().load(types::I64, plain(), list, jit::object::ARRAY_REP);
        let apart = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, word, 0);
        let elements = self.b.ins().select(apart, block, inline);
        let length = self.b.ins().ishl_imm_s(word, 1);
        (elements, self.b.ins().ushr_imm_s(length, 1))
    }

    /// The element at a tagged index; what is not within the array goes to the block.
    fn element_at(&mut self, list: Word, index: Word, plain_class: bool, other: Block, register: usize) -> Word {
        if self.state.types[register] != Type::Integer {
            let bit = self.b.ins().band_imm_s(index, 1);
            self.continue_if(bit, other);
        }
        let (elements, length) = self.elements(list, plain_class, other);
        let number = self.b.ins().sshr_imm_s(index, 1);
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, number, length);
        self.continue_if(within, other);
        let bytes = self.b.ins().ishl_imm_s(number, 3);
        let at = self.b.ins().iadd(elements, bytes);
        self.b.ins().load(types::I64, plain(), at, 0)
    }

    /// `R[a] = R[b][R[c]]`
    fn element(&mut self, insn: Insn, a: usize, b: usize, c: usize) {
        self.assume_operators();
        if insn.x != 0 {
            return self.step_to(a);
        }
        let (list, index) = (self.get(b), self.get(c));
        let (slow, done) = self.ways();
        if self.state.types[c] == Type::Integer || self.state.types[c] == Type::Any {
            let other = self.b.create_block();
            let word = self.element_at(list, index, true, other, c);
            self.b.ins().jump(done, &[word.into()]);
            self.start_cold(other);
        }
        let ctx = self.ctx;
        let word = self.ask(jit::aref as *const (), &[ctx, list, index]);
        let found = self.b.ins().icmp_imm_s(IntCC::NotEqual, word, jit::EXIT as i64);
        self.b.ins().brif(found, done, &[word.into()], slow, &[]);
        self.finish_ways(slow, done, a);
    }

    /// `R[a][R[b]] = R[c]`
    fn set_element(&mut self, a: usize, b: usize, c: usize) {
        self.assume_operators();
        let (list, index, item) = (self.get(a), self.get(b), self.get(c));
        let (slow, done) = self.ways();
        let ctx = self.ctx;
        let stored = self.ask(jit::store as *const (), &[ctx, list, index, item]);
        self.b.ins().brif(stored, done, &[item.into()], slow, &[]);
        self.slow_way(slow, done);
    }
}
