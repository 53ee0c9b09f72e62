//! Loads and stores: local and captured variables, instance and global variables, constants, and elements of arrays,
//! each behind the guards that it needs.

use super::inline::Context;
use super::registers::{Shaped, Type};
use super::{Lower, plain};
use crate::leave::{read_variable, write_slot, write_variable};
use crate::unit::{Reason, SHAPES_MAX, seen};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word, types};
use rubellite_bytecode::{Insn, Op};
use rubellite_value::{Sym, Tag, Value, flags};
use rubellite_vm::jit;

/// Where an instance variable lies, for one shape.
#[derive(Copy, Clone)]
pub(crate) struct Place {
    pub shape: u32,
    /// Inline slots of the objects.
    pub room: u16,
    /// None: objects of the shape do not have it.
    pub slot: Option<u16>,
    /// The shape after a write.
    pub next: u32,
}

/// What a site or a cache knows of a variable's place: the shape, the slot, and the shape after a write.
pub(crate) type Cached = (u32, u32, u32);

impl Place {
    /// The header of such objects that are not frozen, without its other flags.
    fn header(self) -> u64 {
        (self.shape as u64) << flags::SHAPE_SHIFT | (self.room as u64) << flags::AUX_SHIFT | Tag::Object as u64
    }
}

/// In which byte of an object `OLD` lies.
const OLD_BYTE: i32 = 1;
const _: () = assert!(flags::OLD.bit() >> 8 < 256 && flags::OLD.bit() >= 256);

impl Lower<'_> {
    pub(super) fn memory(&mut self, insn: Insn, [a, b, c]: [usize; 3]) {
        let (context, code) = (self.at.context, self.code(self.at.context));
        let own = self.contexts[context].offset;
        match insn.op {
            Op::GetEnv => {
                let env = self.env_out(insn.x);
                let slots = self.b.ins().load(types::I64, plain(), env, jit::object::ENV_SLOTS);
                let word = self.b.ins().load(types::I64, plain(), slots, 8 * insn.b as i32);
                self.define(a, word);
            }
            Op::SetEnv => {
                let env = self.env_out(insn.x);
                let slots = self.b.ins().load(types::I64, plain(), env, jit::object::ENV_SLOTS);
                let word = self.get(a);
                self.b.ins().store(plain(), word, slots, 8 * insn.b as i32);
                self.barrier(env, word, a, true);
            }
            Op::GetIvar | Op::SetIvar => {
                let name = code.names[insn.b as usize];
                let cache = &code.caches[insn.c as usize];
                let cached = (cache.shape.get(), cache.slot.get(), cache.next_shape.get());
                let Context { class, caller, .. } = self.contexts[context];
                let me = self.last.first().copied().filter(|_| caller.is_none() && context != 1);
                let places = self.places(cached, me, class, name, insn.op == Op::SetIvar);
                if insn.op == Op::GetIvar {
                    let word = self.read_variable(own, &places, name);
                    self.define(a, word);
                } else {
                    self.write_variable(own, &places, name, a);
                }
            }
            Op::GetConst | Op::GetConstTop | Op::GetConstFrom => self.constant_of(insn, a),
            Op::GetCvar => {
                let (ctx, scope, name) = (self.ctx, self.scope(context), self.name(insn.b));
                self.asked_first(jit::class_variable as *const (), &[ctx, scope, name], a);
            }
            Op::ARef => self.element(insn, a, b, c),
            Op::ASet => self.set_element(a, b, c),
            Op::SelfLen => {
                let (slow, done) = self.ways();
                let (_, length) = self.elements(own, false, slow);
                let word = self.tag_integer(length);
                self.b.ins().jump(done, &[word.into()]);
                self.finish_ways(slow, done, a);
            }
            _ => {
                let (slow, done) = self.ways();
                let word = self.element_at(own, b, false, slow);
                self.b.ins().jump(done, &[word.into()]);
                self.finish_ways(slow, done, a);
            }
        }
    }

    /// The word of a name.
    pub(super) fn name(&mut self, index: u16) -> Word {
        let name = self.code(self.at.context).names[index as usize];
        self.integer(i64::from(name.0))
    }

    /// Asks a function that needs no frame, and the interpreter's when it gives EXIT.
    pub(super) fn asked_first(&mut self, function: *const (), arguments: &[Word], register: usize) {
        let (slow, done) = self.ways();
        let word = self.ask(function, arguments);
        let found = self.b.ins().icmp_imm_s(IntCC::NotEqual, word, jit::EXIT as i64);
        self.continue_if(found, slow);
        self.b.ins().jump(done, &[word.into()]);
        self.finish_ways(slow, done, register);
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

    /// The environment so many levels out.
    pub(super) fn env_out(&mut self, levels: u8) -> Word {
        let mut env = self.env(self.at.context);
        for _ in 0..levels {
            env = self.b.ins().load(types::I64, plain(), env, jit::object::ENV_PARENT);
        }
        env
    }

    /// The write barrier for a word, the value of a register, that is stored into an object. A small object is
    /// remembered whatever the word is: the next stores have less to ask then.
    pub(super) fn barrier(&mut self, object: Word, word: Word, register: usize, small: bool) {
        let known = self.state.known[register].is_some_and(|value| !value.is_heap());
        if known || self.state.types[register] == Type::Integer {
            return;
        }
        let flags = self.b.ins().load(types::I8, plain(), object, OLD_BYTE);
        let old = self.b.ins().band_imm_s(flags, (flags::OLD.bit() >> (8 * OLD_BYTE)) as i64);
        let (remember, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(old, remember, &[], done, &[]);
        self.start_cold(remember);
        if !small {
            let child = self.is_object(word);
            self.continue_if(child, done);
        }
        if small {
            self.call_native(jit::remember as *const (), &[object], false);
        } else {
            self.call_native(jit::stored as *const (), &[object, word], false);
        }
        self.b.ins().jump(done, &[]);
        self.start(done);
    }

    // -- instance variables ---------------------------------------------------------------

    /// The places of a variable in objects of the shapes that were seen: that of the cache, and those that were noted.
    /// `object`, `class`: what is known at the moment of an object that has the cache's shape, most likely.
    pub(super) fn places(
        &mut self,
        (shape, slot, next): Cached,
        object: Option<Value>,
        class: Option<Value>,
        name: Sym,
        write: bool,
    ) -> Vec<Place> {
        let mut places = Vec::new();
        let noted = self.unit.shapes(self.key());
        if shape != u32::MAX && noted.iter().all(|(known, _)| *known != shape) {
            let header = object.as_ref().and_then(|object| object.header());
            let header = header.filter(|header| header.tag() == Tag::Object && header.shape() == shape);
            let room = header
                .map(|header| header.aux())
                .or_else(|| class.and_then(|class| jit::expected_room(self.vm, class, shape)));
            places.extend(room.zip(u16::try_from(slot).ok()).map(|(room, slot)| Place {
                shape,
                room,
                slot: Some(slot),
                next,
            }));
        }
        for (shape, room) in noted {
            let (slot, next) = self.vm.variable_place(shape, name, write);
            match slot.map(u16::try_from) {
                Some(Ok(slot)) => places.push(Place { shape, room, slot: Some(slot), next }),
                None if !write => places.push(Place { shape, room, slot: None, next }),
                _ => {}
            }
        }
        places.truncate(SHAPES_MAX);
        places
    }

    /// The variable of the object in a register that has it at one of the places, most likely.
    pub(super) fn read_variable(&mut self, register: usize, places: &[Place], name: Sym) -> Word {
        if let Some(place) = self.only_place(register, places, name, false) {
            let Some(slot) = place.slot else { return self.value(Value::NIL) };
            let object = self.get(register);
            let (holder, at) = self.place_of(object, place, slot);
            let word = self.b.ins().load(types::I64, plain(), holder, at);
            // It was removed.
            let unset = self.b.ins().icmp_imm_s(IntCC::Equal, word, Value::UNDEF.bits() as i64);
            self.exit_if(unset, Reason::Shape);
            return word;
        }
        let object = self.get(register);
        let (slow, done) = self.ways();
        self.each_shape(register, places, false, slow, |lower, place| {
            let Some(slot) = place.slot else {
                let nil = lower.value(Value::NIL);
                lower.b.ins().jump(done, &[nil.into()]);
                return;
            };
            let (holder, at) = lower.place_of(object, place, slot);
            let word = lower.b.ins().load(types::I64, plain(), holder, at);
            let set = lower.b.ins().icmp_imm_s(IntCC::NotEqual, word, Value::UNDEF.bits() as i64);
            lower.b.ins().brif(set, done, &[word.into()], slow, &[]);
        });
        self.start_cold(slow);
        let (ctx, record, name) = (self.ctx, self.exit_record(Reason::Shape), self.integer(name.0 as i64));
        let word = self.ask(read_variable as *const (), &[ctx, record, object, name]);
        self.end_variable(word, done)
    }

    /// Writes the value of the register `from` into a variable of the object in `register`.
    pub(super) fn write_variable(&mut self, register: usize, places: &[Place], name: Sym, from: usize) {
        let (object, word) = (self.get(register), self.get(from));
        if let Some(place) = self.only_place(register, places, name, true)
            && let Some(slot) = place.slot
        {
            self.write_at(object, place, slot, word, from);
            if place.next != place.shape {
                let known = self.state.shapes[register];
                // Other registers may hold the same object. An object that gets a block has less room in its cell.
                self.state.shapes.forget();
                self.state.shapes[register] =
                    known.filter(|_| slot < place.room).map(|known| Shaped { shape: place.next, ..known });
            }
            return;
        }
        let (slow, done) = self.ways();
        self.each_shape(register, places, true, slow, |lower, place| {
            match place.slot {
                Some(slot) => lower.write_at(object, place, slot, word, from),
                None => return,
            };
            lower.b.ins().jump(done, &[word.into()]);
        });
        self.start_cold(slow);
        let (ctx, record, name) = (self.ctx, self.exit_record(Reason::Shape), self.integer(name.0 as i64));
        let written = self.ask(write_variable as *const (), &[ctx, record, object, name, word]);
        self.end_variable(written, done);
        self.state.shapes.forget();
    }

    /// Writes the word, the value of the register `from`, into the variable of an object that has the place's shape.
    fn write_at(&mut self, object: Word, place: Place, slot: u16, word: Word, from: usize) {
        if slot >= place.room && place.next != place.shape {
            let (ctx, to, next) = (self.ctx, self.integer(slot as i64), self.integer(place.next as i64));
            self.call_native(write_slot as *const (), &[ctx, object, to, word, next], false);
            return;
        }
        let (holder, at) = self.place_of(object, place, slot);
        self.b.ins().store(plain(), word, holder, at);
        if place.next != place.shape {
            let next = self.b.ins().iconst(types::I32, place.next as i64);
            self.b.ins().store(plain(), next, object, flags::SHAPE_SHIFT as i32 / 8);
        }
        self.barrier(object, word, from, true);
    }

    /// The place of a variable where the object's shape is known, or the code is left if it is not the only one that
    /// was seen. None: there are several, or the unit was left too often.
    fn only_place(&mut self, register: usize, places: &[Place], name: Sym, change: bool) -> Option<Place> {
        if let Some(Shaped { shape, room, thawed }) =
            self.state.shapes[register].filter(|known| known.thawed || !change)
        {
            let known = places.iter().find(|place| place.shape == shape && place.room == room).copied();
            return known.or_else(|| {
                let (slot, next) = self.vm.variable_place(shape, name, change);
                let slot = slot.map(u16::try_from).transpose().ok()?;
                Some(Place { shape, room, slot, next: if thawed { next } else { shape } })
            });
        }
        let [place] = places else { return None };
        if self.unit.is_wary() || change && place.slot.is_none() {
            return None;
        }
        let other = self.exit_block(Reason::Shape);
        self.object_or(register, other);
        self.state.objects[register] = self.state.types[register] == Type::Any;
        let found = self.shape_of(register, change);
        let fits = self.is_word(found, place.header());
        self.exit_unless(fits, Reason::Shape);
        self.state.shapes[register] = Some(Shaped { shape: place.shape, room: place.room, thawed: change });
        Some(*place)
    }

    /// Ends the slow way of an access, whose word says whether the code is left.
    fn end_variable(&mut self, word: Word, done: Block) -> Word {
        let left = self.b.ins().icmp_imm_s(IntCC::Equal, word, jit::EXIT as i64);
        self.exit_if(left, Reason::Shape);
        self.b.ins().jump(done, &[word.into()]);
        self.start(done);
        self.b.block_params(done)[0]
    }

    /// What is compared with [`Place::header`]: of the header of the object in a register.
    fn shape_of(&mut self, register: usize, change: bool) -> Word {
        let object = self.get(register);
        let header = self.b.ins().load(types::I64, plain(), object, 0);
        let frozen = if change { flags::FROZEN.bit() } else { 0 };
        let mask = self
            .immediate(((u32::MAX as u64) << flags::SHAPE_SHIFT | flags::AUX_MASK | flags::TAG_MASK | frozen) as i64);
        self.b.ins().band(header, mask)
    }

    /// Does something for plain objects of each of the shapes, not frozen if they are to be changed; others go to the
    /// block.
    fn each_shape(
        &mut self,
        register: usize,
        places: &[Place],
        change: bool,
        other: Block,
        mut access: impl FnMut(&mut Self, Place),
    ) {
        self.object_or(register, other);
        let found = self.shape_of(register, change);
        for (i, place) in places.iter().enumerate() {
            let (hit, next) =
                (self.b.create_block(), if i + 1 == places.len() { other } else { self.b.create_block() });
            let fits = self.is_word(found, place.header());
            self.b.ins().brif(fits, hit, &[], next, &[]);
            self.start(hit);
            access(self, *place);
            if next != other {
                self.start(next);
            }
        }
        if places.is_empty() {
            self.b.ins().jump(other, &[]);
        }
    }

    /// Where a variable lies: an address, and what is added to it.
    fn place_of(&mut self, object: Word, place: Place, slot: u16) -> (Word, i32) {
        if slot < place.room {
            return (object, jit::object::SLOTS + 8 * slot as i32);
        }
        let block = self.b.ins().load(types::I64, plain(), object, jit::object::SLOTS + 8 * place.room as i32);
        (block, 8 * slot as i32)
    }

    /// Objects go on, immediates to the block. Where the ways meet again nothing is known, so that the caller notes
    /// what it knows.
    pub(super) fn object_or(&mut self, register: usize, other: Block) {
        if self.state.objects[register] {
            return;
        }
        let word = self.get(register);
        let object = self.is_object(word);
        self.continue_if(object, other);
    }

    /// Objects with the tag go on, others to the block.
    pub(super) fn tag_or(&mut self, register: usize, tag: Tag, other: Block) {
        self.object_or(register, other);
        let word = self.get(register);
        let header = self.b.ins().load(types::I64, plain(), word, 0);
        let found = self.b.ins().band_imm_s(header, flags::TAG_MASK as i64);
        let fits = self.b.ins().icmp_imm_s(IntCC::Equal, found, tag as i64);
        self.continue_if(fits, other);
    }

    /// Whether a word is that of an object: neither one of the lowest three bits is set, nor is it 0, which is false.
    pub(super) fn is_object(&mut self, word: Word) -> Word {
        // What is less than 8 becomes negative; the sign is put beside the bits.
        let less = self.b.ins().iadd_imm_s(word, -8);
        let turned = self.b.ins().rotl_imm_s(less, 1);
        let bits = self.b.ins().band_imm_s(turned, 15);
        self.b.ins().icmp_imm_s(IntCC::Equal, bits, 0)
    }

    // -- constants ------------------------------------------------------------------------

    fn constant_of(&mut self, insn: Insn, a: usize) {
        let cache = &self.code(self.at.context).caches[insn.c as usize];
        let Some(epoch) = cache.current.get().filter(|epoch| epoch.get() == cache.epoch.get()) else {
            return self.step_to(a);
        };
        self.assume();
        if insn.op != Op::GetConstTop {
            let expected = cache.key.get();
            let known = if insn.op == Op::GetConst { self.known_scope(self.at.context) } else { self.state.known[a] };
            if known != Some(expected) {
                // A block that runs in several scopes may find another constant in each.
                if self.unit.seen(self.key()) & seen::SCOPES != 0 {
                    return self.step_to(a);
                }
                let scope = if insn.op == Op::GetConst { self.scope(self.at.context) } else { self.get(a) };
                self.keep(expected);
                let same = self.is_word(scope, expected.bits());
                self.exit_unless(same, Reason::Scope);
            }
        }
        self.assumptions.add_counter(epoch.address(), epoch.get());
        self.constant(a, cache.value.get());
    }

    // -- arrays ---------------------------------------------------------------------------

    /// Elements and length of the array in a register, a plain one if the program may have made it; others go to the
    /// block.
    pub(super) fn elements(&mut self, register: usize, plain_class: bool, other: Block) -> (Word, Word) {
        self.tag_or(register, Tag::Array, other);
        let list = self.get(register);
        if plain_class {
            let class = self.b.ins().load(types::I64, plain(), list, jit::object::CLASS);
            let wanted = self.vm.classes().array.get();
            self.keep(wanted);
            let same = self.is_word(class, wanted.bits());
            self.continue_if(same, other);
        }
        self.buffer(list)
    }

    /// Where the bytes of a String begin, and how many it has; what is no String goes to the block.
    pub(super) fn bytes(&mut self, register: usize, other: Block) -> (Word, Word) {
        self.tag_or(register, Tag::String, other);
        let string = self.get(register);
        self.buffer(string)
    }

    /// Where the content of an Array or String begins, and how long it is.
    fn buffer(&mut self, object: Word) -> (Word, Word) {
        let word = self.b.ins().load(types::I64, plain(), object, jit::object::BUFFER_WORD);
        let inline = self.b.ins().iadd_imm_s(object, jit::object::BUFFER_REP as i64);
        let block = self.b.ins().load(types::I64, plain(), object, jit::object::BUFFER_REP);
        let apart = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, word, 0);
        let elements = self.b.ins().select(apart, block, inline);
        let length = self.b.ins().ishl_imm_s(word, 1);
        (elements, self.b.ins().ushr_imm_s(length, 1))
    }

    /// The element at the tagged index in a register; what is not within the array goes to the block.
    fn element_at(&mut self, list: usize, index: usize, plain_class: bool, other: Block) -> Word {
        let register = index;
        let index = self.get(register);
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
        self.assume();
        let (list, index) = (self.get(b), self.get(c));
        let (slow, done) = self.ways();
        if insn.x != 0 {
            // A literal key is no key of a Hash that compares by identity.
            let ctx = self.ctx;
            let word = self.ask(jit::aref_literal as *const (), &[ctx, list, index]);
            let found = self.b.ins().icmp_imm_s(IntCC::NotEqual, word, jit::EXIT as i64);
            self.b.ins().brif(found, done, &[word.into()], slow, &[]);
            return self.finish_ways(slow, done, a);
        }
        if self.state.types[c] != Type::Float && self.state.types[b] != Type::Float {
            if self.state.types[b] == Type::Any {
                let other = self.b.create_block();
                let word = self.element_at(b, c, true, other);
                self.b.ins().jump(done, &[word.into()]);
                self.start_cold(other);
            }
            self.bit_of(list, index, done);
        }
        let ctx = self.ctx;
        let word = self.ask(jit::aref as *const (), &[ctx, list, index]);
        let found = self.b.ins().icmp_imm_s(IntCC::NotEqual, word, jit::EXIT as i64);
        self.b.ins().brif(found, done, &[word.into()], slow, &[]);
        self.finish_ways(slow, done, a);
    }

    /// Goes on in `done` with a bit of a small Integer, if both words are such.
    fn bit_of(&mut self, number: Word, index: Word, done: Block) {
        let (integers, other) = (self.b.create_block(), self.b.create_block());
        let both = self.b.ins().band(number, index);
        let both = self.b.ins().band_imm_s(both, 1);
        self.b.ins().brif(both, integers, &[], other, &[]);
        self.start(integers);
        let (number, index) = (self.b.ins().sshr_imm_s(number, 1), self.b.ins().sshr_imm_s(index, 1));
        // Beyond the highest bit all are like the sign.
        let last = self.integer(63);
        let by = self.b.ins().umin(index, last);
        let bits = self.b.ins().sshr(number, by);
        let below = self.b.ins().sshr_imm_s(index, 63);
        let bits = self.b.ins().band_not(bits, below);
        let bit = self.b.ins().band_imm_s(bits, 1);
        let word = self.tag_integer(bit);
        self.b.ins().jump(done, &[word.into()]);
        self.start(other);
    }

    /// Where an element of a plain array lies that may be written in its place; what cannot goes to the block.
    fn place_in_array(&mut self, list: usize, index: usize, other: Block) -> Word {
        let number = self.get(index);
        if self.state.types[index] != Type::Integer {
            let bit = self.b.ins().band_imm_s(number, 1);
            self.continue_if(bit, other);
        }
        let (elements, length) = self.elements(list, true, other);
        let object = self.get(list);
        let header = self.b.ins().load(types::I64, plain(), object, 0);
        let frozen = self.b.ins().band_imm_s(header, flags::FROZEN.bit() as i64);
        let word = self.b.ins().load(types::I64, plain(), object, jit::object::BUFFER_WORD);
        let owner = self.b.ins().load(types::I64, plain(), object, jit::object::ARRAY_OWNER);
        // Elements in a block that others may look at: the top bit says that there is one, the lowest of its owner that
        // it is this array's alone.
        let apart = self.b.ins().ushr_imm_s(word, 63);
        let shared = self.b.ins().band_not(apart, owner);
        let number = self.b.ins().sshr_imm_s(number, 1);
        let beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, number, length);
        let beyond = self.b.ins().uextend(types::I64, beyond);
        let bad = self.b.ins().bor(frozen, shared);
        let bad = self.b.ins().bor(bad, beyond);
        let good = self.b.ins().icmp_imm_s(IntCC::Equal, bad, 0);
        self.continue_if(good, other);
        let bytes = self.b.ins().ishl_imm_s(number, 3);
        self.b.ins().iadd(elements, bytes)
    }

    /// `R[a][R[b]] = R[c]`
    fn set_element(&mut self, a: usize, b: usize, c: usize) {
        self.assume();
        let (list, index, item) = (self.get(a), self.get(b), self.get(c));
        let (slow, done) = self.ways();
        let other = self.b.create_block();
        if self.state.types[b] != Type::Float {
            let before = self.state.clone();
            let at = self.place_in_array(a, b, other);
            self.b.ins().store(plain(), item, at, 0);
            self.barrier(list, item, c, false);
            self.b.ins().jump(done, &[item.into()]);
            self.state = before;
            self.start_cold(other);
        }
        let ctx = self.ctx;
        let stored = self.ask(jit::store as *const (), &[ctx, list, index, item]);
        self.b.ins().brif(stored, done, &[item.into()], slow, &[]);
        self.slow_way(slow, done);
    }
}
