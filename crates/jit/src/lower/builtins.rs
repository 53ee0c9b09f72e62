//! Methods of core classes that code does by itself, in the place of a call.
//!
//! A method is known by its native function, which the table's class and name lead to when the core classes have been
//! made; what a program does with the names later is the business of the guards in front of every call. A lowering is
//! asked where the receiver is an instance of `Call::class`. It writes the result to register `a` and says true, or it
//! writes no code at all and says false: then the method is called.
//!
//! To add one: a line in the table, its function, a line in `tests/jit/builtins.rb`. What the code does not decide goes
//! to the block `slow` of `Lower::aside`, where the native method is called as ever.

use super::calls::Callee;
use super::inline::Given;
use super::records::{struct_aref, struct_aset};
use super::registers::Type;
use super::{Lower, Point, plain};
use crate::decode::{effects, target};
use crate::live::starts;
use crate::unit::{Reason, seen};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word, types};
use rubellite_bytecode::Op;
use rubellite_value::{Sym, Tag, Value, flags};
use rubellite_vm::code::{Site, Target};
use rubellite_vm::jit;
use rubellite_vm::vm::{CoreClass, CoreClasses};
use rubellite_vm::{Class, Ctx, MethodBody, NativeFn};
use rustc_hash::FxHashMap;

/// A call of a method that the table may name.
#[derive(Copy, Clone)]
pub(super) struct Call<'a> {
    /// The receiver's class.
    pub(super) class: Value,
    /// The register of the result, and that of the receiver, behind which the arguments lie.
    a: usize,
    pub(super) b: usize,
    callee: &'a Callee,
    site: &'a Site,
    /// Where the interpreter does the whole call: a guard of the lowering's own does not hold any more.
    other: Block,
}

impl Call<'_> {
    pub(super) fn function(&self) -> Option<NativeFn> {
        self.callee.native.as_ref().map(|native| native.function)
    }
}

/// Writes the code for a call.
type Lowering = fn(&mut Lower, Call) -> bool;

/// One method of a core class.
struct Builtin {
    class: fn(&CoreClasses) -> &CoreClass,
    name: &'static str,
    argc: usize,
    lowering: Lowering,
}

const fn builtin(
    class: fn(&CoreClasses) -> &CoreClass,
    name: &'static str,
    argc: usize,
    lowering: Lowering,
) -> Builtin {
    Builtin { class, name, argc, lowering }
}

const TABLE: &[Builtin] = &[
    builtin(|core| &core.basic_object, "!", 0, op_not),
    builtin(|core| &core.basic_object, "==", 1, identical),
    builtin(|core| &core.basic_object, "equal?", 1, identical),
    builtin(|core| &core.kernel, "block_given?", 0, block_given_p),
    builtin(|core| &core.kernel, "class", 0, class),
    builtin(|core| &core.kernel, "eql?", 1, identical),
    builtin(|core| &core.kernel, "frozen?", 0, frozen_p),
    builtin(|core| &core.kernel, "instance_of?", 1, instance_of_p),
    builtin(|core| &core.kernel, "instance_variable_get", 1, instance_variable_get),
    builtin(|core| &core.kernel, "instance_variable_set", 2, instance_variable_set),
    builtin(|core| &core.kernel, "is_a?", 1, is_a_p),
    builtin(|core| &core.kernel, "itself", 0, itself),
    builtin(|core| &core.kernel, "kind_of?", 1, is_a_p),
    builtin(|core| &core.kernel, "nil?", 0, nil_p),
    builtin(|core| &core.kernel, "public_send", 1, public_send),
    builtin(|core| &core.kernel, "public_send", 2, public_send),
    builtin(|core| &core.kernel, "public_send", 3, public_send),
    builtin(|core| &core.kernel, "respond_to?", 1, respond_to_p),
    builtin(|core| &core.nil, "nil?", 0, nil_p),
    builtin(|core| &core.module, "===", 1, module_case_eq),
    builtin(|core| &core.numeric, "finite?", 0, yes),
    builtin(|core| &core.numeric, "imaginary", 0, zero),
    builtin(|core| &core.numeric, "infinite?", 0, nothing),
    builtin(|core| &core.numeric, "integer?", 0, no),
    builtin(|core| &core.numeric, "negative?", 0, negative_p),
    builtin(|core| &core.numeric, "positive?", 0, positive_p),
    builtin(|core| &core.numeric, "real?", 0, yes),
    builtin(|core| &core.struct_class, "[]", 1, struct_aref),
    builtin(|core| &core.struct_class, "[]=", 2, struct_aset),
    builtin(|core| &core.integer, "<=>", 1, integer_cmp),
    builtin(|core| &core.integer, "===", 1, integer_eq),
    builtin(|core| &core.integer, "~", 0, integer_complement),
    builtin(|core| &core.integer, "abs", 0, integer_abs),
    builtin(|core| &core.integer, "denominator", 0, one),
    builtin(|core| &core.integer, "even?", 0, even_p),
    builtin(|core| &core.integer, "integer?", 0, yes),
    builtin(|core| &core.integer, "magnitude", 0, integer_abs),
    builtin(|core| &core.integer, "next", 0, succ),
    builtin(|core| &core.integer, "odd?", 0, odd_p),
    builtin(|core| &core.integer, "ord", 0, itself),
    builtin(|core| &core.integer, "pred", 0, pred),
    builtin(|core| &core.integer, "succ", 0, succ),
    builtin(|core| &core.integer, "to_f", 0, integer_to_f),
    builtin(|core| &core.integer, "to_i", 0, itself),
    builtin(|core| &core.integer, "to_int", 0, itself),
    builtin(|core| &core.integer, "zero?", 0, integer_zero_p),
    builtin(|core| &core.float, "abs", 0, float_abs),
    builtin(|core| &core.float, "floor", 0, float_floor),
    builtin(|core| &core.float, "magnitude", 0, float_abs),
    builtin(|core| &core.float, "nan?", 0, nan_p),
    builtin(|core| &core.float, "negative?", 0, float_negative_p),
    builtin(|core| &core.float, "positive?", 0, float_positive_p),
    builtin(|core| &core.float, "to_f", 0, itself),
    builtin(|core| &core.float, "to_i", 0, float_to_i),
    builtin(|core| &core.float, "to_int", 0, float_to_i),
    builtin(|core| &core.float, "truncate", 0, float_to_i),
    builtin(|core| &core.float, "zero?", 0, float_zero_p),
    builtin(|core| &core.symbol, "to_sym", 0, itself),
    builtin(|core| &core.string, "bytesize", 0, string_bytesize),
    builtin(|core| &core.string, "empty?", 0, string_empty_p),
    builtin(|core| &core.string, "getbyte", 1, string_getbyte),
    builtin(|core| &core.array, "empty?", 0, array_empty_p),
    builtin(|core| &core.array, "first", 0, array_first),
    builtin(|core| &core.array, "last", 0, array_last),
    builtin(|core| &core.array, "length", 0, array_length),
    builtin(|core| &core.array, "size", 0, array_length),
];

/// The places of the table's methods, as the core classes have them now, by native function and number of arguments.
pub(crate) fn find(ctx: &Ctx) -> FxHashMap<(usize, usize), usize> {
    let mut found = FxHashMap::default();
    for (place, Builtin { class, name, argc, .. }) in TABLE.iter().enumerate() {
        let method = class(ctx.classes()).class().own_method(ctx, ctx.intern(name));
        debug_assert!(method.is_some(), "{name}");
        if let Some(MethodBody::Native { function, .. }) = method.as_ref().map(|method| method.body()) {
            found.insert((*function as usize, *argc), place);
        }
    }
    found
}

impl Lower<'_> {
    /// Does what a native method would do, if the table has it; whether it was done.
    pub(super) fn builtin(&mut self, callee: &Callee, site: &Site, a: usize, b: usize, other: Block) -> bool {
        let Some(native) = callee.native.as_ref().filter(|_| site.block == 0) else { return false };
        let place = self.jit.builtins.borrow().get(&(native.function as usize, native.argc)).copied();
        let call = Call { class: callee.class, a, b, callee, site, other };
        match place {
            Some(place) => (TABLE[place].lowering)(self, call),
            None => self.accessor(call),
        }
    }

    /// `!=` of an object that is compared by identity.
    pub(super) fn not_identical(&mut self, a: usize, b: usize) {
        let (counter, stands) = self.vm.method_counter(self.vm.names().op_eq);
        self.assumptions.add_counter(counter, stands);
        let (x, y) = (self.get(b), self.get(b + 1));
        let unlike = self.b.ins().icmp(IntCC::NotEqual, x, y);
        self.end_truth(a, unlike);
    }

    /// Ends a call with a truth that is known now. A jump that asks for it is decided at once.
    fn end_constant(&mut self, a: usize, truth: bool) -> bool {
        self.constant(a, Value::from_bool(truth));
        if let Some([yes, no]) = self.asked_next(a) {
            self.go(if truth { yes } else { no });
        }
        true
    }

    /// Ends a call with a truth that is known at run time, and does the jump that asks for it.
    fn end_truth(&mut self, a: usize, condition: Word) -> bool {
        self.define_truth(a, condition);
        if let Some([yes, no]) = self.asked_next(a) {
            self.branch(condition, yes, no);
        }
        true
    }

    /// Where the next instruction goes if the register holds something true, and otherwise, if that is what it asks.
    fn asked_next(&self, a: usize) -> Option<[Point; 2]> {
        let next = self.behind(self.at);
        let code = self.code(next.context);
        let insn = *code.insns.get(next.pc)?;
        if !matches!(insn.op, Op::JumpIf | Op::JumpUnless) || insn.a as usize + self.contexts[next.context].offset != a
        {
            return None;
        }
        let [to, on] = [target(&code.insns, next.pc)?, next.pc + 1].map(|pc| Point { pc, ..next });
        Some(if insn.op == Op::JumpIf { [to, on] } else { [on, to] })
    }

    /// Ends the fast way of a call: what went to `slow` calls the native method, and goes on in `done` as well with the
    /// result.
    pub(super) fn aside(&mut self, call: Call, slow: Block, done: Block) -> bool {
        self.start_cold(slow);
        let state = self.state.clone();
        self.forget_exits();
        let word = self.native_of(call.callee, call.site, call.b);
        self.b.ins().jump(done, &[word.into()]);
        self.restore(state);
        if call.callee.key.target == Target::Leaf {
            self.state.shapes.forget();
        } else {
            self.state.forget();
        }
        self.start(done);
        let word = self.b.block_params(done)[0];
        self.define(call.a, word);
        true
    }

    /// The Symbol that lies in a register of the running context because the code has just put that literal there:
    /// nothing jumps in between.
    pub(super) fn literal_symbol(&self, register: usize) -> Option<Sym> {
        let code = self.code(self.at.context);
        let own = register.checked_sub(self.contexts[self.at.context].offset)?;
        let writes = |pc: usize| {
            let effects = effects(code, code.insns[pc]);
            effects.result == Some(own) || effects.writes.iter().any(|register| register == own)
        };
        let writer = starts(code).take_while(|pc| *pc < self.at.pc).filter(|pc| writes(*pc)).last()?;
        let between = |pc: usize| writer < pc && pc <= self.at.pc;
        let entered = starts(code).any(|pc| target(&code.insns, pc).is_some_and(between));
        if entered
            || code.places.iter().any(|place| between(*place as usize))
            || code.iseq.catches.iter().any(|entry| between(entry.handler as usize))
        {
            return None;
        }
        let insn = code.insns[writer];
        let literal = if insn.op == Op::LoadConst { code.literal(insn.literal()) } else { return None };
        literal.as_symbol()
    }
}

// -- objects --------------------------------------------------------------------------------

fn itself(lower: &mut Lower, call: Call) -> bool {
    lower.copy(call.b, call.a);
    true
}

fn nil_p(lower: &mut Lower, call: Call) -> bool {
    let nil = lower.vm.classes().nil.get();
    lower.end_constant(call.a, call.class == nil)
}

fn op_not(lower: &mut Lower, call: Call) -> bool {
    let classes = lower.vm.classes();
    let truth = call.class == classes.nil.get() || call.class == classes.false_class.get();
    lower.end_constant(call.a, truth)
}

/// Whether both are the same object. Floats may lie in registers as machine numbers, which are no objects.
fn identical(lower: &mut Lower, call: Call) -> bool {
    if [call.b, call.b + 1].iter().any(|register| lower.state.types[*register] == Type::Float) {
        return false;
    }
    let (x, y) = (lower.get(call.b), lower.get(call.b + 1));
    let same = lower.b.ins().icmp(IntCC::Equal, x, y);
    lower.end_truth(call.a, same)
}

fn class(lower: &mut Lower, call: Call) -> bool {
    let Some(class) = Class::try_of(call.class) else { return false };
    let real = class.real(lower.vm).value();
    lower.constant(call.a, real);
    true
}

fn frozen_p(lower: &mut Lower, call: Call) -> bool {
    if !lower.has_objects(call.class) {
        return lower.end_constant(call.a, true);
    }
    let object = lower.get(call.b);
    let header = lower.b.ins().load(types::I64, plain(), object, 0);
    let bit = lower.b.ins().band_imm_s(header, flags::FROZEN.bit() as i64);
    let frozen = lower.b.ins().icmp_imm_s(IntCC::NotEqual, bit, 0);
    lower.end_truth(call.a, frozen)
}

/// Whether instances of the class are instances of the class or module, where that cannot change: a class may get more
/// modules.
fn is_instance(lower: &Lower, class: Value, module: Value) -> Option<bool> {
    let (class, of) = (Class::try_of(class)?, Class::try_of(module)?);
    let is = class.inherits(lower.vm, module);
    (is || !of.is_module()).then_some(is)
}

fn is_a_p(lower: &mut Lower, call: Call) -> bool {
    let Some(module) = lower.state.known[call.b + 1] else { return false };
    let Some(is) = is_instance(lower, call.class, module) else { return false };
    lower.end_constant(call.a, is)
}

fn instance_of_p(lower: &mut Lower, call: Call) -> bool {
    let Some(wanted) = lower.state.known[call.b + 1].and_then(Class::try_of) else { return false };
    let Some(class) = Class::try_of(call.class) else { return false };
    let is = class.real(lower.vm) == wanted;
    lower.end_constant(call.a, is)
}

/// `Class === object`: an instance of the very class is known as such, and an object that is no instance of a class of
/// immediates alone.
fn module_case_eq(lower: &mut Lower, call: Call) -> bool {
    let object = call.b + 1;
    let Some(module) = lower.state.known[call.b].filter(|module| module.has_tag(Tag::Class)) else { return false };
    let core = lower.vm.classes();
    let [integer, float, symbol] = [&core.integer, &core.float, &core.symbol].map(|class| class.get());
    let special = [(&core.nil, Value::NIL), (&core.true_class, Value::TRUE), (&core.false_class, Value::FALSE)];
    let special = special.into_iter().find(|(class, _)| class.get() == module).map(|(_, value)| value);
    let known = match lower.state.types[object] {
        Type::Integer => Some(integer),
        Type::Float => Some(float),
        Type::Any => lower.state.classes[object],
    };
    if let Some(class) = known {
        let Some(is) = is_instance(lower, class, module) else { return false };
        return lower.end_constant(call.a, is);
    }
    let word = lower.get(object);
    if let Some(value) = special {
        let is = lower.b.ins().icmp_imm_s(IntCC::Equal, word, value.bits() as i64);
        return lower.end_truth(call.a, is);
    }
    if module == symbol {
        let tag = lower.b.ins().band_imm_s(word, 0xff);
        let is = lower.b.ins().icmp_imm_s(IntCC::Equal, tag, 0x0c);
        return lower.end_truth(call.a, is);
    }
    let (slow, done) = lower.ways();
    let yes = lower.value(Value::TRUE);
    if module == integer || module == float {
        let (mask, tag) = if module == integer { (1, 1) } else { (3, 2) };
        let bits = lower.b.ins().band_imm_s(word, mask);
        let is = lower.b.ins().icmp_imm_s(IntCC::Equal, bits, tag);
        let other = lower.b.create_block();
        lower.b.ins().brif(is, done, &[yes.into()], other, &[]);
        lower.start(other);
        let low = lower.b.ins().band_imm_s(word, 7);
        let object = lower.b.ins().icmp_imm_s(IntCC::Equal, low, 0);
        let no = lower.value(Value::FALSE);
        lower.b.ins().brif(object, slow, &[], done, &[no.into()]);
    } else {
        lower.object_or(object, slow);
        let found = lower.b.ins().load(types::I64, plain(), word, jit::object::CLASS);
        let wanted = lower.value(module);
        let same = lower.b.ins().icmp(IntCC::Equal, found, wanted);
        lower.b.ins().brif(same, done, &[yes.into()], slow, &[]);
    }
    lower.start_cold(slow);
    let (ctx, module) = (lower.ctx, lower.value(module));
    let is = lower.ask(jit::is_instance as *const (), &[ctx, word, module]);
    lower.b.ins().jump(done, &[is.into()]);
    lower.start(done);
    let is = lower.b.block_params(done)[0];
    lower.define(call.a, is);
    true
}

/// `respond_to?` of a literal name: the answer stays while no method of the names that it asks for is defined, in a
/// refinement neither.
fn respond_to_p(lower: &mut Lower, call: Call) -> bool {
    let Some(name) = lower.literal_symbol(call.b + 1) else { return false };
    let Some(responds) = lower.vm.response(call.class, name) else { return false };
    let missing = lower.vm.names().respond_to_missing;
    for asked in [Some(name), (!responds).then_some(missing)].into_iter().flatten() {
        let (counter, stands) = lower.vm.method_counter(asked);
        lower.assumptions.add_counter(counter, stands);
    }
    lower.end_constant(call.a, responds)
}

fn public_send(lower: &mut Lower, call: Call) -> bool {
    lower.call_named(call.class, call.site, call.a, call.b, call.other, true)
}

fn block_given_p(lower: &mut Lower, call: Call) -> bool {
    let Some(given) = lower.is_block_given() else { return false };
    match given {
        Given::Known(given) => lower.end_constant(call.a, given),
        Given::Word(word) => {
            let given = lower.b.ins().icmp_imm_s(IntCC::NotEqual, word, Value::NIL.bits() as i64);
            lower.end_truth(call.a, given)
        }
    }
}

/// No inline cache says where a variable is.
const NOT_CACHED: (u32, u32, u32) = (u32::MAX, 0, 0);

fn instance_variable_get(lower: &mut Lower, call: Call) -> bool {
    let Some(name) = variable_name(lower, call) else { return false };
    let places = lower.places(NOT_CACHED, None, Some(call.class), name, false);
    let word = lower.read_variable(call.b, &places, name);
    lower.define(call.a, word);
    true
}

fn instance_variable_set(lower: &mut Lower, call: Call) -> bool {
    let Some(name) = variable_name(lower, call) else { return false };
    let places = lower.places(NOT_CACHED, None, Some(call.class), name, true);
    lower.write_variable(call.b, &places, name, call.b + 2);
    lower.copy(call.b + 2, call.a);
    true
}

/// The literal name of an instance variable, for objects that are not immediates.
fn variable_name(lower: &Lower, call: Call) -> Option<Sym> {
    let name = lower.literal_symbol(call.b + 1).filter(|_| lower.has_objects(call.class))?;
    let text = lower.vm.sym_bytes(name);
    let plain = text.len() > 1
        && text[0] == b'@'
        && text[1..].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && !text[1].is_ascii_digit();
    plain.then_some(name)
}

// -- numbers --------------------------------------------------------------------------------

fn yes(lower: &mut Lower, call: Call) -> bool {
    lower.end_constant(call.a, true)
}

fn no(lower: &mut Lower, call: Call) -> bool {
    lower.end_constant(call.a, false)
}

fn nothing(lower: &mut Lower, call: Call) -> bool {
    lower.constant(call.a, Value::NIL);
    true
}

fn zero(lower: &mut Lower, call: Call) -> bool {
    lower.constant(call.a, Value::fixnum(0));
    true
}

fn one(lower: &mut Lower, call: Call) -> bool {
    lower.constant(call.a, Value::fixnum(1));
    true
}

fn positive_p(lower: &mut Lower, call: Call) -> bool {
    sign(lower, call, IntCC::SignedGreaterThan)
}

fn negative_p(lower: &mut Lower, call: Call) -> bool {
    sign(lower, call, IntCC::SignedLessThan)
}

/// How a small Integer compares with zero, whose `>` and `<` other numbers ask for.
fn sign(lower: &mut Lower, call: Call, how: IntCC) -> bool {
    if call.class != lower.vm.classes().integer.get() {
        return false;
    }
    let word = lower.get(call.b);
    let is = lower.b.ins().icmp_imm_s(how, word, Value::fixnum(0).bits() as i64);
    lower.end_truth(call.a, is)
}

// -- Integer --------------------------------------------------------------------------------

fn even_p(lower: &mut Lower, call: Call) -> bool {
    parity(lower, call, IntCC::Equal)
}

fn odd_p(lower: &mut Lower, call: Call) -> bool {
    parity(lower, call, IntCC::NotEqual)
}

fn parity(lower: &mut Lower, call: Call, how: IntCC) -> bool {
    let word = lower.get(call.b);
    let bit = lower.b.ins().band_imm_s(word, 2);
    let is = lower.b.ins().icmp_imm_s(how, bit, 0);
    lower.end_truth(call.a, is)
}

fn integer_zero_p(lower: &mut Lower, call: Call) -> bool {
    let word = lower.get(call.b);
    let is = lower.b.ins().icmp_imm_s(IntCC::Equal, word, Value::fixnum(0).bits() as i64);
    lower.end_truth(call.a, is)
}

fn succ(lower: &mut Lower, call: Call) -> bool {
    integer_result(lower, call, |lower, word| {
        let two = lower.integer(2);
        lower.b.ins().sadd_overflow(word, two)
    })
}

fn pred(lower: &mut Lower, call: Call) -> bool {
    integer_result(lower, call, |lower, word| {
        let two = lower.integer(2);
        lower.b.ins().ssub_overflow(word, two)
    })
}

fn integer_abs(lower: &mut Lower, call: Call) -> bool {
    integer_result(lower, call, |lower, word| {
        let two = lower.integer(2);
        let (negated, over) = lower.b.ins().ssub_overflow(two, word);
        let negative = lower.b.ins().icmp_imm_s(IntCC::SignedLessThan, word, 0);
        let over = lower.b.ins().band(over, negative);
        (lower.b.ins().select(negative, negated, word), over)
    })
}

/// A small Integer, which the function makes of the receiver's tagged word, and whether it is none.
fn integer_result(lower: &mut Lower, call: Call, make: fn(&mut Lower, Word) -> (Word, Word)) -> bool {
    if lower.unit.seen(lower.key()) & seen::RANGE != 0 {
        return false;
    }
    let word = lower.get(call.b);
    let (word, over) = make(lower, word);
    lower.exit_if(over, Reason::Range);
    lower.define_as(call.a, word, Type::Integer);
    true
}

fn integer_complement(lower: &mut Lower, call: Call) -> bool {
    let word = lower.get(call.b);
    let word = lower.b.ins().bxor_imm_s(word, -2);
    lower.define_as(call.a, word, Type::Integer);
    true
}

fn integer_to_f(lower: &mut Lower, call: Call) -> bool {
    let word = lower.get(call.b);
    let number = lower.b.ins().sshr_imm_s(word, 1);
    let number = lower.b.ins().fcvt_from_sint(types::F64, number);
    lower.define_as(call.a, number, Type::Float);
    true
}

fn integer_eq(lower: &mut Lower, call: Call) -> bool {
    let (slow, done) = lower.ways();
    let (x, y) = both_integers(lower, call, slow);
    let same = lower.b.ins().icmp(IntCC::Equal, x, y);
    let word = lower.truth_word(same);
    lower.b.ins().jump(done, &[word.into()]);
    lower.aside(call, slow, done)
}

fn integer_cmp(lower: &mut Lower, call: Call) -> bool {
    let (slow, done) = lower.ways();
    let (x, y) = both_integers(lower, call, slow);
    let more = lower.b.ins().icmp(IntCC::SignedGreaterThan, x, y);
    let less = lower.b.ins().icmp(IntCC::SignedLessThan, x, y);
    let [more, less] = [more, less].map(|bit| lower.b.ins().uextend(types::I64, bit));
    let order = lower.b.ins().isub(more, less);
    let word = lower.tag_integer(order);
    lower.b.ins().jump(done, &[word.into()]);
    lower.aside(call, slow, done)
}

/// The words of the receiver, a small Integer, and of the argument if that is one.
fn both_integers(lower: &mut Lower, call: Call, slow: Block) -> (Word, Word) {
    let (x, y) = (lower.get(call.b), lower.get(call.b + 1));
    if lower.state.types[call.b + 1] != Type::Integer {
        let bit = lower.b.ins().band_imm_s(y, 1);
        lower.continue_if(bit, slow);
    }
    (x, y)
}

// -- Float ----------------------------------------------------------------------------------

fn float_zero_p(lower: &mut Lower, call: Call) -> bool {
    compare_with_zero(lower, call, FloatCC::Equal)
}

fn float_positive_p(lower: &mut Lower, call: Call) -> bool {
    compare_with_zero(lower, call, FloatCC::GreaterThan)
}

fn float_negative_p(lower: &mut Lower, call: Call) -> bool {
    compare_with_zero(lower, call, FloatCC::LessThan)
}

fn compare_with_zero(lower: &mut Lower, call: Call, how: FloatCC) -> bool {
    let number = lower.expect_float(call.b);
    let zero = lower.b.ins().f64const(0.0);
    let is = lower.b.ins().fcmp(how, number, zero);
    lower.end_truth(call.a, is)
}

fn nan_p(lower: &mut Lower, call: Call) -> bool {
    let number = lower.expect_float(call.b);
    let is = lower.b.ins().fcmp(FloatCC::NotEqual, number, number);
    lower.end_truth(call.a, is)
}

fn float_abs(lower: &mut Lower, call: Call) -> bool {
    let number = lower.expect_float(call.b);
    let number = lower.b.ins().fabs(number);
    lower.define_as(call.a, number, Type::Float);
    true
}

fn float_to_i(lower: &mut Lower, call: Call) -> bool {
    rounded(lower, call, false)
}

fn float_floor(lower: &mut Lower, call: Call) -> bool {
    rounded(lower, call, true)
}

/// The Float without its fraction, as a small Integer if it is one.
fn rounded(lower: &mut Lower, call: Call, down: bool) -> bool {
    /// Numbers below it, and their floors, are small Integers.
    const LIMIT: f64 = (1u64 << 61) as f64;
    let number = lower.expect_float(call.b);
    let (slow, done) = lower.ways();
    let (magnitude, limit) = (lower.b.ins().fabs(number), lower.b.ins().f64const(LIMIT));
    let small = lower.b.ins().fcmp(FloatCC::LessThan, magnitude, limit);
    lower.continue_if(small, slow);
    let mut whole = lower.b.ins().fcvt_to_sint_sat(types::I64, number);
    if down {
        let back = lower.b.ins().fcvt_from_sint(types::F64, whole);
        let above = lower.b.ins().fcmp(FloatCC::GreaterThan, back, number);
        let one = lower.b.ins().uextend(types::I64, above);
        whole = lower.b.ins().isub(whole, one);
    }
    let word = lower.tag_integer(whole);
    lower.b.ins().jump(done, &[word.into()]);
    lower.aside(call, slow, done)
}

// -- String ---------------------------------------------------------------------------------

/// Where the content of what is in a register begins, and how long it is; what is of another type goes to the block.
type Content = fn(&mut Lower, usize, Block) -> (Word, Word);

fn length(lower: &mut Lower, call: Call, content: Content) -> bool {
    let (slow, done) = lower.ways();
    let (_, length) = content(lower, call.b, slow);
    let word = lower.tag_integer(length);
    lower.b.ins().jump(done, &[word.into()]);
    lower.aside(call, slow, done)
}

fn is_empty(lower: &mut Lower, call: Call, content: Content) -> bool {
    let (slow, done) = lower.ways();
    let (_, length) = content(lower, call.b, slow);
    let is = lower.b.ins().icmp_imm_s(IntCC::Equal, length, 0);
    let word = lower.truth_word(is);
    lower.b.ins().jump(done, &[word.into()]);
    lower.aside(call, slow, done)
}

fn string_bytesize(lower: &mut Lower, call: Call) -> bool {
    length(lower, call, |lower, register, other| lower.bytes(register, other))
}

fn string_empty_p(lower: &mut Lower, call: Call) -> bool {
    is_empty(lower, call, |lower, register, other| lower.bytes(register, other))
}

/// Of an index that counts from the beginning and lies within the bytes.
fn string_getbyte(lower: &mut Lower, call: Call) -> bool {
    let index = lower.get(call.b + 1);
    let (slow, done) = lower.ways();
    if lower.state.types[call.b + 1] != Type::Integer {
        let bit = lower.b.ins().band_imm_s(index, 1);
        lower.continue_if(bit, slow);
    }
    let (bytes, length) = lower.bytes(call.b, slow);
    let number = lower.b.ins().sshr_imm_s(index, 1);
    let within = lower.b.ins().icmp(IntCC::UnsignedLessThan, number, length);
    lower.continue_if(within, slow);
    let at = lower.b.ins().iadd(bytes, number);
    let byte = lower.b.ins().uload8(types::I64, plain(), at, 0);
    let word = lower.tag_integer(byte);
    lower.b.ins().jump(done, &[word.into()]);
    lower.aside(call, slow, done)
}

// -- Array ----------------------------------------------------------------------------------

fn array_length(lower: &mut Lower, call: Call) -> bool {
    length(lower, call, |lower, register, other| lower.elements(register, false, other))
}

fn array_empty_p(lower: &mut Lower, call: Call) -> bool {
    is_empty(lower, call, |lower, register, other| lower.elements(register, false, other))
}

fn array_first(lower: &mut Lower, call: Call) -> bool {
    array_end(lower, call, false)
}

fn array_last(lower: &mut Lower, call: Call) -> bool {
    array_end(lower, call, true)
}

/// The first or last element of what is not empty.
fn array_end(lower: &mut Lower, call: Call, last: bool) -> bool {
    let (slow, done) = lower.ways();
    let (elements, length) = lower.elements(call.b, false, slow);
    lower.continue_if(length, slow);
    let at = if last {
        let bytes = lower.b.ins().ishl_imm_s(length, 3);
        let end = lower.b.ins().iadd(elements, bytes);
        lower.b.ins().iadd_imm_s(end, -8)
    } else {
        elements
    };
    let word = lower.b.ins().load(types::I64, plain(), at, 0);
    lower.b.ins().jump(done, &[word.into()]);
    lower.aside(call, slow, done)
}
