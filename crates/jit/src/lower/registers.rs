//! The values of the bytecode's registers while code is made: in which variable of the intermediate form each lies, and
//! what is known of its type.

use super::{Lower, plain};
use crate::unit::{Reason, seen};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value as Word, types};
use cranelift_frontend::Variable;
use rubellite_value::{Sym, Tag, Value};
use rubellite_vm::jit;
use std::ops::{Index, IndexMut};

/// What is known of the type of a register.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Type {
    Any,
    /// A small Integer, tagged.
    Integer,
    /// A Float, as a machine number.
    Float,
}

/// What is noted for each register. Of those behind the last one for which something was noted the same holds.
#[derive(Clone)]
pub(crate) struct Notes<T> {
    list: Vec<T>,
    other: T,
}

impl<T: Copy> Notes<T> {
    pub fn new(other: T) -> Notes<T> {
        Notes { list: Vec::new(), other }
    }

    /// The same holds for all registers.
    pub fn forget(&mut self) {
        self.list.clear();
    }
}

impl<T> Index<usize> for Notes<T> {
    type Output = T;

    fn index(&self, register: usize) -> &T {
        self.list.get(register).unwrap_or(&self.other)
    }
}

impl<T: Copy> IndexMut<usize> for Notes<T> {
    fn index_mut(&mut self, register: usize) -> &mut T {
        if register >= self.list.len() {
            self.list.resize(register + 1, self.other);
        }
        &mut self.list[register]
    }
}

/// What is known at one place of the code.
#[derive(Clone)]
pub(crate) struct State {
    pub types: Notes<Type>,
    /// The frame's register holds the value.
    pub clean: Notes<bool>,
    /// Known small Integers, within a block.
    pub constants: Notes<Option<i64>>,
    /// Known symbols, within a block.
    pub symbols: Notes<Option<Sym>>,
    /// The words of Floats, within a block, where they are known.
    pub words: Notes<Option<Word>>,
    /// Known values: classes, and undef of arguments that are not given.
    pub known: Notes<Option<Value>>, // tidy: kept by the unit's roots
    /// Known classes, until something else runs.
    pub classes: Notes<Option<Value>>, // tidy: kept by the unit's roots
    /// Known to be objects, not immediates. What runs meanwhile does not change that.
    pub objects: Notes<bool>,
    /// Known shapes of plain objects, until something else runs.
    pub shapes: Notes<Option<Shaped>>,
    /// What the code stands on has been looked at.
    pub assumed: bool,
    /// Whether the running context's own frame stands, within a block.
    pub standing: Standing,
}

/// Whether the frame of inlined code stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// The marks say it at run time.
    Unknown,
    /// Not since the code was entered.
    No,
    /// With all below it.
    Yes,
}

/// What is known of a plain object's header.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) struct Shaped {
    pub shape: u32,
    /// Inline slots.
    pub room: u16,
    /// It is not frozen.
    pub thawed: bool,
}

impl State {
    pub fn new() -> State {
        State {
            types: Notes::new(Type::Any),
            clean: Notes::new(true),
            constants: Notes::new(None),
            symbols: Notes::new(None),
            words: Notes::new(None),
            known: Notes::new(None),
            classes: Notes::new(None),
            objects: Notes::new(false),
            shapes: Notes::new(None),
            assumed: false,
            standing: Standing::Unknown,
        }
    }

    /// Something else has run: objects may have other classes and shapes, and what the code stands on may have changed.
    pub fn forget(&mut self) {
        self.forget_classes();
        self.assumed = false;
    }

    pub fn forget_classes(&mut self) {
        self.classes.forget();
        self.shapes.forget();
    }
}

/// What a register held.
pub(crate) struct Taken {
    word: Word,
    tagged: Option<Word>,
    kind: Type,
    constant: Option<i64>,
    symbol: Option<Sym>,
    known: Option<Value>, // tidy: kept by the unit's roots
    class: Option<Value>, // tidy: as above
    object: bool,
    shape: Option<Shaped>,
}

/// The immediate that stands for 0.0.
const ZERO: i64 = 0x8000_0000_0000_0002_u64 as i64;

impl Lower<'_> {
    /// The variable of the intermediate form in which a register lies.
    pub fn variable(&mut self, register: usize, kind: Type) -> Variable {
        let (known, kind) =
            if kind == Type::Float { (&mut self.numbers, types::F64) } else { (&mut self.tagged, types::I64) };
        *known[register].get_or_insert_with(|| self.b.declare_var(kind))
    }

    // -- writing --------------------------------------------------------------------------

    /// The register gets a word that its place in the frame has already.
    pub fn load(&mut self, register: usize, word: Word) {
        self.define(register, word);
        self.state.clean[register] = true;
    }

    /// The register gets a value of no known type.
    pub fn define(&mut self, register: usize, word: Word) {
        self.define_as(register, word, Type::Any);
    }

    pub fn define_as(&mut self, register: usize, word: Word, kind: Type) {
        let variable = self.variable(register, kind);
        self.b.def_var(variable, word);
        self.state.types[register] = kind;
        self.state.clean[register] = false;
        self.state.constants[register] = None;
        self.state.symbols[register] = None;
        self.state.words[register] = None;
        self.state.known[register] = None;
        self.state.classes[register] = None;
        self.state.objects[register] = false;
        self.state.shapes[register] = None;
    }

    pub fn constant(&mut self, register: usize, value: Value) {
        if value.is_flonum() {
            let number = self.b.ins().f64const(value.as_flonum_unchecked());
            return self.define_as(register, number, Type::Float);
        }
        let word = self.value(value);
        self.define_as(register, word, if value.is_fixnum() { Type::Integer } else { Type::Any });
        self.state.constants[register] = value.as_fixnum();
        self.state.symbols[register] = value.as_symbol();
        if value.is_undef() || value.has_tag(Tag::Class) {
            self.state.known[register] = Some(value);
        }
    }

    pub fn copy(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        let taken = self.take(from);
        self.put(to, taken);
    }

    /// What a register holds, to be put into another one.
    pub fn take(&mut self, from: usize) -> Taken {
        let state = &self.state;
        let (constant, known, class, kind) =
            (state.constants[from], state.known[from], state.classes[from], state.types[from]);
        let (object, shape, symbol) = (state.objects[from], state.shapes[from], state.symbols[from]);
        Taken { tagged: state.words[from], word: self.raw(from), kind, constant, symbol, known, class, object, shape }
    }

    pub fn put(&mut self, to: usize, taken: Taken) {
        self.define_as(to, taken.word, taken.kind);
        self.state.constants[to] = taken.constant;
        self.state.symbols[to] = taken.symbol;
        self.state.words[to] = taken.tagged;
        self.state.known[to] = taken.known;
        self.state.classes[to] = taken.class;
        self.state.objects[to] = taken.object;
        self.state.shapes[to] = taken.shape;
    }

    pub fn define_truth(&mut self, register: usize, condition: Word) {
        let word = self.truth_word(condition);
        self.define(register, word);
    }

    /// true or false
    pub fn truth_word(&mut self, condition: Word) -> Word {
        let (yes, no) = (self.value(Value::TRUE), self.value(Value::FALSE));
        self.b.ins().select(condition, yes, no)
    }

    // -- reading --------------------------------------------------------------------------

    /// The register as its type has it.
    pub fn raw(&mut self, register: usize) -> Word {
        let variable = self.variable(register, self.state.types[register]);
        self.b.use_var(variable)
    }

    /// The tagged word.
    pub fn get(&mut self, register: usize) -> Word {
        let word = self.raw(register);
        if self.state.types[register] != Type::Float {
            return word;
        }
        if let Some(word) = self.state.words[register] {
            return word;
        }
        let word = self.tag_float(word);
        self.state.words[register] = Some(word);
        word
    }

    pub fn truth(&mut self, register: usize) -> Word {
        match self.state.types[register] {
            Type::Any => {
                let word = self.get(register);
                self.word_truth(word)
            }
            _ => self.b.ins().iconst(types::I8, 1),
        }
    }

    pub fn word_truth(&mut self, word: Word) -> Word {
        let rest = self.b.ins().band_imm_s(word, !(Value::NIL.bits() as i64));
        self.b.ins().icmp_imm_s(IntCC::NotEqual, rest, 0)
    }

    /// The tagged small Integer of a register, which the code expects there.
    pub fn expect_integer(&mut self, register: usize) -> Word {
        let word = self.get(register);
        if self.state.types[register] != Type::Integer {
            let bit = self.b.ins().band_imm_s(word, 1);
            self.exit_unless(bit, Reason::Type);
            self.state.types[register] = Type::Integer;
            let variable = self.variable(register, Type::Any);
            self.b.def_var(variable, word);
        }
        word
    }

    /// The number of a register that holds a Float or a small Integer, one of which the code expects there.
    pub fn expect_number(&mut self, register: usize) -> Word {
        if self.state.types[register] != Type::Any {
            return self.expect_float(register);
        }
        let word = self.get(register);
        let (integer, float, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, types::F64);
        let bit = self.b.ins().band_imm_s(word, 1);
        self.b.ins().brif(bit, integer, &[], float, &[]);
        self.start(integer);
        let number = self.b.ins().sshr_imm_s(word, 1);
        let number = self.b.ins().fcvt_from_sint(types::F64, number);
        self.b.ins().jump(done, &[number.into()]);
        self.start(float);
        let number = self.untag_float(word);
        self.b.ins().jump(done, &[number.into()]);
        self.start(done);
        self.b.block_params(done)[0]
    }

    /// The number of a register that holds a Float, which the code expects there, or a small Integer known as such.
    pub fn expect_float(&mut self, register: usize) -> Word {
        match self.state.types[register] {
            Type::Float => self.raw(register),
            Type::Integer => {
                let word = self.raw(register);
                let number = self.b.ins().sshr_imm_s(word, 1);
                self.b.ins().fcvt_from_sint(types::F64, number)
            }
            Type::Any => {
                let word = self.get(register);
                let number = self.untag_float(word);
                let variable = self.variable(register, Type::Float);
                self.b.def_var(variable, number);
                self.state.types[register] = Type::Float;
                self.state.words[register] = Some(word);
                number
            }
        }
    }

    /// The kinds of numbers that an operand of the running instruction is expected to be, as bits of [`seen`]; 0:
    /// nothing is known. `shift`: 0 for the left one, [`seen::RIGHT`] for the right one.
    pub fn kinds(&self, register: usize, shift: u32) -> u8 {
        match self.state.types[register] {
            Type::Float => seen::FLOAT,
            Type::Integer => seen::INTEGER,
            Type::Any => match self.unit.seen(self.key()) >> shift & seen::KINDS {
                0 => self.last_kind(register),
                kinds => kinds,
            },
        }
    }

    /// What lay in the place of a register when the code was asked for: most often what the last round has left there.
    /// A guess.
    pub fn last_kind(&self, register: usize) -> u8 {
        let last = self.last.get(register).copied().unwrap_or(Value::NIL);
        if last.is_fixnum() {
            seen::INTEGER
        } else if last.is_flonum() {
            seen::FLOAT
        } else if self.unit.is_wary() {
            seen::OTHER
        } else {
            0
        }
    }

    /// At the entry of the code: the register has the type that it has now.
    pub fn expect_at_entry(&mut self, register: usize, integer: bool) {
        let word = self.get(register);
        let fits = if integer {
            self.b.ins().band_imm_s(word, 1)
        } else {
            let tag = self.b.ins().band_imm_s(word, 3);
            self.b.ins().icmp_imm_s(IntCC::Equal, tag, 2)
        };
        self.exit_entry_unless(fits, register);
        if integer {
            self.state.types[register] = Type::Integer;
        } else {
            let number = self.decode_float(word);
            let variable = self.variable(register, Type::Float);
            self.b.def_var(variable, number);
            self.state.types[register] = Type::Float;
            self.state.words[register] = Some(word);
        }
    }

    /// At the entry of code whose self is an object now: it is one each time.
    pub fn expect_object_at_entry(&mut self, now: Value) {
        if !now.is_heap() || self.unit.varies(0) || !self.live(self.at).contains(&0) {
            return;
        }
        let word = self.get(0);
        let object = self.is_object(word);
        self.exit_entry_unless(object, 0);
        self.state.objects[0] = true;
        self.contexts[0].me_object = true;
        self.contexts[0].class = Some(self.vm.class_of(now));
    }

    // -- Floats ---------------------------------------------------------------------------

    /// The number of an immediate.
    fn decode_float(&mut self, word: Word) -> Word {
        let sign = self.b.ins().ushr_imm_s(word, 63);
        let two = self.integer(2);
        let top = self.b.ins().isub(two, sign);
        let rest = self.b.ins().band_imm_s(word, !3);
        let bits = self.b.ins().bor(top, rest);
        let bits = self.b.ins().rotr_imm_s(bits, 3);
        let is_zero = self.b.ins().icmp_imm_s(IntCC::Equal, word, ZERO);
        let zero = self.integer(0);
        let bits = self.b.ins().select(is_zero, zero, bits);
        self.b.ins().bitcast(types::F64, MemFlagsData::new(), bits)
    }

    /// The number of a Float that is expected, an immediate or an object.
    fn untag_float(&mut self, word: Word) -> Word {
        let (plainly, other, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, types::F64);
        let tag = self.b.ins().band_imm_s(word, 3);
        let immediate = self.b.ins().icmp_imm_s(IntCC::Equal, tag, 2);
        self.b.ins().brif(immediate, plainly, &[], other, &[]);
        self.start(plainly);
        let number = self.decode_float(word);
        self.b.ins().jump(done, &[number.into()]);
        self.start_cold(other);
        self.expect_object(word, Reason::Type);
        let header = self.b.ins().load(types::I64, plain(), word, 0);
        let tag = self.b.ins().band_imm_s(header, rubellite_value::flags::TAG_MASK as i64);
        let float = self.b.ins().icmp_imm_s(IntCC::Equal, tag, rubellite_value::Tag::Float as i64);
        self.exit_unless(float, Reason::Type);
        let number = self.b.ins().load(types::F64, plain(), word, jit::object::FLOAT);
        self.b.ins().jump(done, &[number.into()]);
        self.start(done);
        self.b.block_params(done)[0]
    }

    /// The word of a number: an immediate, or a new object for the rare ones that are none.
    pub fn tag_float(&mut self, number: Word) -> Word {
        let bits = self.b.ins().bitcast(types::I64, MemFlagsData::new(), number);
        // Exponents in the middle: bits 60 to 62 are 3 or 4.
        let top = self.b.ins().ushr_imm_s(bits, 60);
        let top = self.b.ins().band_imm_s(top, 7);
        let top = self.b.ins().iadd_imm_s(top, -3);
        let middle = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, top, 2);
        let rotated = self.b.ins().rotl_imm_s(bits, 3);
        let rotated = self.b.ins().band_imm_s(rotated, !3);
        let word = self.b.ins().bor_imm_s(rotated, 2);
        // One number would have the word of zero.
        let other = self.b.ins().icmp_imm_s(IntCC::NotEqual, word, ZERO);
        let fits = self.b.ins().band(middle, other);
        let (slow, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, types::I64);
        self.b.ins().brif(fits, done, &[word.into()], slow, &[]);
        self.start_cold(slow);
        let boxed = self.call_float(jit::box_float as *const (), number);
        self.b.ins().jump(done, &[boxed.into()]);
        self.start(done);
        self.b.block_params(done)[0]
    }

    // -- the frame's registers ------------------------------------------------------------

    /// Writes the register to the frame.
    pub fn store(&mut self, register: usize) {
        let word = self.get(register);
        self.b.ins().store(plain(), word, self.base, 8 * register as i32);
        self.state.clean[register] = true;
    }

    pub fn store_if_dirty(&mut self, register: usize) {
        if !self.state.clean[register] {
            self.store(register);
        }
    }
}
