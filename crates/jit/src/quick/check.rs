//! Tests with random functions: the machine code of this generator does the same as Cranelift's.

use super::generate;
use crate::area::Area;
use crate::beside::{Job, Outcome};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, Block, Function, InstBuilder, MemFlagsData, SigRef, Signature, StackSlot, StackSlotData, StackSlotKind,
    UserFuncName, Value, types,
};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// Words of the memory that functions work on.
const WORDS: usize = 8;
/// Words whose addresses functions know.
static KNOWN: [AtomicI64; 3] = [const { AtomicI64::new(0) }; 3];

struct Maker<'a> {
    b: FunctionBuilder<'a>,
    seed: u64,
    /// Integers and floating-point numbers that can be used.
    words: Vec<Value>,
    floats: Vec<Value>,
    memory: Value,
    slot: StackSlot,
    callee: SigRef,
}

extern "C" fn mix(memory: *mut i64, x: i64, y: i64) -> i64 {
    // SAFETY: the functions hand on what they are given.
    unsafe { *memory = (*memory).wrapping_add(x ^ y) };
    x.wrapping_mul(31).wrapping_sub(y)
}

fn plain() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// The next of a row of numbers below `n` that looks like chance and is the same for each seed.
pub fn chance(seed: &mut u64, n: u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 33) % n
}

impl Maker<'_> {
    fn random(&mut self, n: usize) -> usize {
        chance(&mut self.seed, n as u64) as usize
    }

    fn pick(&mut self) -> Value {
        match self.random(5) {
            0 => {
                let numbers = [0, 1, -1, 8, 127, 128, -129, 1 << 20, 1 << 31, i64::MIN, 0x1234_5678_9abc_def0];
                let number = numbers[self.random(numbers.len())];
                self.b.ins().iconst(types::I64, number)
            }
            _ => {
                let at = self.random(self.words.len());
                self.words[at]
            }
        }
    }

    fn float(&mut self) -> Value {
        if self.floats.is_empty() || self.random(4) == 0 {
            return self.b.ins().f64const(1.5);
        }
        let at = self.random(self.floats.len());
        self.floats[at]
    }

    fn condition(&mut self) -> Value {
        let (x, y) = (self.pick(), self.pick());
        let conditions = [
            IntCC::Equal,
            IntCC::NotEqual,
            IntCC::SignedLessThan,
            IntCC::UnsignedGreaterThan,
            IntCC::SignedGreaterThanOrEqual,
        ];
        let cond = conditions[self.random(conditions.len())];
        match self.random(4) {
            0 => {
                let both = self.b.ins().band(x, y);
                self.b.ins().icmp_imm_s(cond, both, 0)
            }
            1 => self.b.ins().icmp_imm_s(cond, x, 100),
            2 => {
                let [x, y] = [x, y].map(|word| self.b.ins().ireduce(types::I32, word));
                self.b.ins().icmp(cond, x, y)
            }
            _ => self.b.ins().icmp(cond, x, y),
        }
    }

    fn extended(&mut self, value: Value) -> Value {
        self.b.ins().uextend(types::I64, value)
    }

    /// Another value.
    fn operation(&mut self) {
        let (x, y) = (self.pick(), self.pick());
        let by = self.random(64) as i64;
        let word = match self.random(26) {
            0 => self.b.ins().iadd(x, y),
            1 => self.b.ins().isub(x, y),
            2 => self.b.ins().band(x, y),
            3 => self.b.ins().bor(x, y),
            4 => self.b.ins().bxor(x, y),
            5 => self.b.ins().imul(x, y),
            6 => self.b.ins().ishl(x, y),
            7 => self.b.ins().sshr(x, y),
            8 => self.b.ins().ushr_imm_s(x, by),
            9 => self.b.ins().rotl_imm_s(x, by),
            10 => self.b.ins().umin(x, y),
            11 => self.b.ins().band_not(x, y),
            12 => self.b.ins().ineg(x),
            13 => self.b.ins().iadd_imm_s(x, -8),
            14 => {
                let condition = self.condition();
                self.extended(condition)
            }
            15 => {
                let condition = self.condition();
                self.b.ins().select(condition, x, y)
            }
            16 => {
                let (sum, over) =
                    if by & 1 == 0 { self.b.ins().sadd_overflow(x, y) } else { self.b.ins().ssub_overflow(x, y) };
                let over = self.extended(over);
                self.b.ins().iadd(sum, over)
            }
            17 => {
                let divisor = self.b.ins().iconst(types::I64, by + 2);
                if by & 1 == 0 { self.b.ins().sdiv(x, divisor) } else { self.b.ins().srem(x, divisor) }
            }
            18 => return self.write(x),
            19 => return self.write_narrow(x),
            20 | 21 => self.read(),
            22 => return self.float_operation(x),
            23 => {
                let (f, g) = (self.float(), self.float());
                let conditions = [FloatCC::Equal, FloatCC::NotEqual, FloatCC::LessThan, FloatCC::GreaterThanOrEqual];
                let is = self.b.ins().fcmp(conditions[by as usize % 4], f, g);
                self.extended(is)
            }
            24 => {
                let float = self.float();
                let float = if by & 1 == 0 { self.b.ins().fneg(float) } else { self.b.ins().fabs(float) };
                self.b.ins().bitcast(types::I64, MemFlagsData::new(), float)
            }
            _ => self.call(x, y),
        };
        self.words.push(word);
    }

    fn float_operation(&mut self, x: Value) {
        let (f, g) = (self.float(), self.float());
        let float = match self.random(3) {
            0 => self.b.ins().fcvt_from_sint(types::F64, x),
            1 => self.b.ins().fadd(f, g),
            _ => self.b.ins().fsub(f, g),
        };
        self.floats.push(float);
    }

    fn call(&mut self, x: Value, y: Value) -> Value {
        let at = self.b.ins().iconst(types::I64, mix as *const () as i64);
        let call = self.b.ins().call_indirect(self.callee, at, &[self.memory, x, y]);
        self.b.inst_results(call)[0]
    }

    fn write(&mut self, x: Value) {
        let at = 8 * self.random(WORDS) as i32;
        if self.random(3) == 0 {
            let address = self.b.ins().stack_addr(types::I64, self.slot, 8);
            self.b.ins().store(plain(), x, address, 0);
        } else {
            self.b.ins().store(plain(), x, self.memory, at);
        }
    }

    fn write_narrow(&mut self, x: Value) {
        let at = 4 * self.random(2 * WORDS) as i32;
        let kind = if self.random(2) == 0 { types::I8 } else { types::I32 };
        let x = self.b.ins().ireduce(kind, x);
        self.b.ins().store(plain(), x, self.memory, at);
    }

    fn read(&mut self) -> Value {
        let at = 4 * self.random(2 * WORDS - 1) as i32;
        match self.random(7) {
            0 => self.b.ins().uload8(types::I64, plain(), self.memory, at),
            1 => self.b.ins().uload16(types::I64, plain(), self.memory, at),
            2 => self.b.ins().uload32(plain(), self.memory, at),
            3 => {
                let half = self.b.ins().load(types::I32, plain(), self.memory, at);
                self.extended(half)
            }
            4 => {
                let address = self.b.ins().stack_addr(types::I64, self.slot, 8);
                self.b.ins().load(types::I64, plain(), address, 0)
            }
            5 => {
                let (one, other) = (self.known(), self.known());
                let word = self.b.ins().load(types::I64, plain(), one, 0);
                let word = self.b.ins().iadd_imm_s(word, -1);
                self.b.ins().store(plain(), word, other, 0);
                self.b.ins().load(types::I64, plain(), one, 0)
            }
            _ => self.b.ins().load(types::I64, plain(), self.memory, at),
        }
    }

    fn operations(&mut self, count: usize) {
        for _ in 0..count {
            self.operation();
        }
    }

    /// A value that either of two ways makes, one of which may be cold.
    fn diamond(&mut self, depth: usize) {
        let [yes, no, join] = [(); 3].map(|()| self.b.create_block());
        let [one, other] = [(); 2].map(|()| self.b.append_block_param(join, types::I64));
        let number = self.b.append_block_param(join, types::F64);
        let condition = self.truth();
        let way = [(); 2].map(|()| self.b.create_block());
        self.b.ins().brif(condition, way[0], &[], no, &[]);
        if self.random(2) == 0 {
            self.b.set_cold_block(no);
        }
        // Blocks that only jump on.
        for (block, next) in [(way[0], way[1]), (way[1], yes)] {
            self.b.switch_to_block(block);
            self.b.ins().jump(next, &[]);
        }
        for block in [yes, no] {
            self.branch(block, join, depth);
        }
        self.b.switch_to_block(join);
        self.words.extend([one, other]);
        self.floats.push(number);
    }

    /// What a jump asks for, which may be more than a comparison.
    fn truth(&mut self) -> Value {
        let (x, y, at) = (self.pick(), self.pick(), 8 * self.random(WORDS) as i32);
        match self.random(3) {
            0 => self.b.ins().band(x, y),
            1 => {
                let word = self.b.ins().load(types::I64, plain(), self.memory, at);
                let cond = [IntCC::Equal, IntCC::SignedLessThan, IntCC::UnsignedGreaterThan][self.random(3)];
                self.b.ins().icmp(cond, word, x)
            }
            _ => self.condition(),
        }
    }

    /// The address of a word that is there always.
    fn known(&mut self) -> Value {
        let at = self.random(KNOWN.len());
        self.b.ins().iconst(types::I64, KNOWN[at].as_ptr() as i64)
    }

    fn branch(&mut self, block: Block, join: Block, depth: usize) {
        let known = (self.words.len(), self.floats.len());
        self.b.switch_to_block(block);
        self.body(depth + 1);
        let (x, y, float) = (self.pick(), self.pick(), self.float());
        self.b.ins().jump(join, &[x.into(), y.into(), float.into()]);
        self.words.truncate(known.0);
        self.floats.truncate(known.1);
    }

    /// Some turns in which values change places.
    fn turns(&mut self, depth: usize) {
        let [head, body, end] = [(); 3].map(|()| self.b.create_block());
        let params = [(); 4].map(|()| self.b.append_block_param(head, types::I64));
        let (count, x, y, z) = (self.b.ins().iconst(types::I64, 5), self.pick(), self.pick(), self.pick());
        self.b.ins().jump(head, &[count.into(), x.into(), y.into(), z.into()]);
        self.b.switch_to_block(head);
        let known = (self.words.len(), self.floats.len());
        self.words.extend(&params[1..]);
        self.b.ins().brif(params[0], body, &[], end, &[]);
        self.b.switch_to_block(body);
        self.body(depth + 1);
        let left = self.b.ins().iadd_imm_s(params[0], -1);
        let x = self.pick();
        let turned = if self.random(2) == 0 { [params[2], params[3], params[1]] } else { [params[2], params[1], x] };
        self.b.ins().jump(head, &[left.into(), turned[0].into(), turned[1].into(), turned[2].into()]);
        self.b.switch_to_block(end);
        self.words.truncate(known.0 + 3);
        self.floats.truncate(known.1);
    }

    fn body(&mut self, depth: usize) {
        let count = self.random(8) + 1;
        self.operations(count);
        if depth < 3 {
            for _ in 0..self.random(3) {
                if self.random(3) == 0 {
                    self.turns(depth)
                } else {
                    self.diamond(depth)
                }
                self.operations(2);
            }
        }
    }

    /// Returns something that all values have part in.
    fn end(&mut self) {
        let mut all = self.b.ins().iconst(types::I64, 1);
        for word in self.words.clone() {
            let turned = self.b.ins().rotl_imm_s(all, 7);
            all = self.b.ins().bxor(turned, word);
        }
        for float in self.floats.clone() {
            let word = self.b.ins().bitcast(types::I64, MemFlagsData::new(), float);
            all = self.b.ins().iadd(all, word);
        }
        self.b.ins().return_(&[all]);
    }
}

/// Three words to one.
fn signature() -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params.extend([AbiParam::new(types::I64); 3]);
    signature.returns.push(AbiParam::new(types::I64));
    signature
}

fn make(isa: &OwnedTargetIsa, seed: u64) -> Function {
    let mut function = Function::with_name_signature(UserFuncName::user(0, 0), signature());
    let mut frontend = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut function, &mut frontend);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params = b.block_params(entry).to_vec();
    let callee = b.import_signature(signature());
    let slot = b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 16, 3));
    let address = b.ins().stack_addr(types::I64, slot, 8);
    b.ins().store(plain(), params[1], address, 0);
    let words = vec![params[1], params[2]];
    let mut maker = Maker { b, seed, words, floats: Vec::new(), memory: params[0], slot, callee };
    maker.body(0);
    maker.end();
    maker.b.seal_all_blocks();
    maker.b.finalize(isa.frontend_config());
    function
}

fn run(at: usize, x: i64, y: i64) -> (i64, [i64; WORDS], [i64; KNOWN.len()]) {
    KNOWN.iter().zip([0, -5, 1 << 50]).for_each(|(word, number)| word.store(number, Relaxed));
    let mut memory = [7, -1, 0x55, i64::MAX, 3, 0, 1 << 40, -9];
    // SAFETY: the bytes are a function of this type.
    let function = unsafe { std::mem::transmute::<usize, extern "C" fn(*mut i64, i64, i64) -> i64>(at) };
    let word = function(memory.as_mut_ptr(), x, y);
    (word, memory, [0, 1, 2].map(|at| KNOWN[at].load(Relaxed)))
}

#[test]
#[cfg(target_arch = "x86_64")]
fn does_what_cranelift_does() {
    let mut flags = settings::builder();
    flags.set("opt_level", "none").unwrap();
    let isa = cranelift_native::builder().unwrap().finish(settings::Flags::new(flags)).unwrap();
    let mut area = Area::new(64 << 20).unwrap();
    for seed in 0..1500 {
        let mut function = make(&isa, seed);
        let job = Job { function: Box::new(function.clone()), words: 0, asm: None };
        let Outcome::Bytes(thorough) = crate::beside::generate(&isa, job) else { panic!("refused") };
        let quick = generate(&mut function).unwrap_or_else(|| panic!("{seed}: {}", function.display()));
        let (thorough, quick) = (area.put(&thorough).unwrap(), area.put(&quick).unwrap());
        for (x, y) in [(0, 1), (-3, 5), (i64::MAX, i64::MIN), (1 << 33, 100), (99, 0x7fff_ffff)] {
            assert_eq!(run(quick, x, y), run(thorough, x, y), "{seed}, {x}, {y}:\n{}", function.display());
        }
    }
}
