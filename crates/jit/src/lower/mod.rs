//! Bytecode to Cranelift's intermediate form.
//!
//! Blocks are lowered once for each combination of operand types that reaches them. The types come from what the
//! code itself proves, from the registers at the moment of compilation, and from what earlier exits have seen. Values
//! lie in variables of the intermediate form, Floats as machine numbers, and are written to the frame's registers when
//! somebody else may look: before calls the live ones, at exits on the way out.
//!
//! By topic: `registers` (values and types), `flow` (blocks and jumps), `exits` (leaving, and calling what may run
//! Ruby), `arithmetic`, `compare`, `memory` (variables, constants, arrays), `entries` (of Hashes), `records` (members
//! of Structs), `literals`, `calls`, `frames`, `given` (blocks that are handed on), `supers`, `builtins` (methods of
//! core classes without a call), `operators` (those that are methods), `races` (what is told where they are looked
//! for), `inline`.

mod arithmetic;
pub(crate) mod builtins;
mod calls;
mod compare;
pub(crate) mod entries;
mod exits;
mod flow;
mod frames;
mod given;
mod inline;
mod literals;
mod memory;
mod natives;
mod operators;
mod races;
mod records;
mod registers;
mod supers;

use crate::assume::Assumptions;
use crate::decode::{REGISTERS, length, target};
use crate::live::Live;
use crate::state::Jit;
use crate::unit::{At, Reason, Unit};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::immediates::Imm64;
use cranelift_codegen::ir::{
    Block, ExternalName, GlobalValueData, InstBuilder, MemFlagsData, SigRef, StackSlot, UserExternalName,
    UserExternalNameRef, Value as Word, types,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use exits::PendingExit;
use flow::Version;
use inline::Context;
use registers::{Notes, State};
use rubellite_bytecode::{Insn, Op};
use rubellite_value::Value;
use rubellite_vm::Ctx;
use rubellite_vm::code::CodeData;
use rubellite_vm::frame::Frame;
use rubellite_vm::jit::layout;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;

/// Memory operations of compiled code never fail.
pub(crate) fn plain() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// Where something is lowered: a context and an instruction of its code.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Point {
    pub context: usize,
    pub pc: usize,
}

/// One unit being lowered.
pub(crate) struct Lower<'a> {
    pub b: FunctionBuilder<'a>,
    pub vm: &'a mut Ctx,
    pub jit: &'static Jit,
    pub unit: &'static Unit,
    /// What the code stands on.
    pub assumptions: &'static Assumptions,
    /// The frame that stands at the slot now.
    running: *mut Frame,
    slot: usize,
    /// Words of the value stack from the frame's registers on as they are now. Only their tags are looked at.
    last: Vec<Value>, // tidy: looked at for their tags alone
    pub contexts: Vec<Context>,
    /// Contexts by the place of the call or yield, the code or the Proc that is a method, and where its method stands
    /// among the receiver's ancestors.
    inlined: FxHashMap<(Point, *const (), u32), usize>,
    /// Which context's frame stands at each depth above the unit's own; 0: none.
    marks: Vec<Variable>,
    tagged: Notes<Option<Variable>>,
    numbers: Notes<Option<Variable>>,
    // Parameters of the function.
    pub ctx: Word,
    pub frame: Word,
    pub base: Word,
    pub state: State,
    /// The instruction that is lowered.
    pub at: Point,
    versions: FxHashMap<Point, Vec<Version>>,
    work: Vec<(Point, usize)>,
    /// The exit of the running instruction, and all whose code is still to come.
    current_exit: Option<usize>,
    exits: Vec<PendingExit>,
    /// Returns EXIT.
    propagate: Option<Block>,
    /// Where the environments of frames that are pushed lie meanwhile.
    env_slot: Option<StackSlot>,
    /// Where elements lie that are handed over to a function.
    handed: Option<StackSlot>,
    /// The symbol whose address is zero.
    zero: Option<UserExternalNameRef>,
    entry_signature: SigRef,
    signatures: FxHashMap<exits::Shape, SigRef>,
    roots: Vec<Value>, // tidy: given to the code when it is done; found on the machine stack's referents until then
    /// Words lowered so far.
    words: usize,
    /// The running call has too many callees for them to be lowered in its place.
    crowded: bool,
    /// The running call enters compiled code, if there is some.
    has_entry: bool,
    /// The running block is complete.
    done: bool,
    /// One of so many guards fails.
    fail: u32,
    /// What plain code counts down.
    ticks: Option<&'static Cell<u64>>,
    /// The code is to be short, and soon made.
    plain: bool,
    /// It tells of accesses to variables.
    races: bool,
}

impl<'a> Lower<'a> {
    pub fn new(
        mut b: FunctionBuilder<'a>,
        vm: &'a mut Ctx,
        jit: &'static Jit,
        code: &CodeData,
        slot: usize,
        running: *mut Frame,
    ) -> Lower<'a> {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let parameters = b.block_params(entry).to_vec();
        let entry_signature = b.import_signature(crate::compile::signature());
        let marks: Vec<Variable> = (0..inline::DEPTH_MAX).map(|_| b.declare_var(types::I64)).collect();
        // SAFETY: the running frame is live, and its stack ends behind what is read.
        let last = unsafe { layout::words_from(vm, running, REGISTERS) };
        let fail = vm.vm().compiler().map_or(0, |compiler| compiler.fail);
        let assumptions = jit.keep_assumptions(Assumptions::new(vm, &jit.words));
        let unit = jit.unit(code, slot);
        let plain = unit.heat.is_plain();
        let threshold = vm.vm().compiler().map_or(1, |compiler| compiler.calls);
        let races = vm.looks_for_races();
        let ticks = plain.then(|| unit.ticks(&jit.words, threshold));
        Lower {
            b,
            assumptions,
            vm,
            jit,
            unit,
            plain,
            races,
            ticks,
            running,
            slot,
            last,
            inlined: FxHashMap::default(),
            marks,
            contexts: vec![Context::root(code, Rc::new(Live::of(code)))],
            tagged: Notes::new(None),
            numbers: Notes::new(None),
            ctx: parameters[0],
            frame: parameters[1],
            base: parameters[2],
            state: State::new(),
            at: Point { context: 0, pc: code.places[slot] as usize },
            versions: FxHashMap::default(),
            work: Vec::new(),
            current_exit: None,
            exits: Vec::new(),
            propagate: None,
            env_slot: None,
            handed: None,
            zero: None,
            entry_signature,
            signatures: FxHashMap::default(),
            roots: Vec::new(),
            words: 0,
            crowded: false,
            has_entry: false,
            done: false,
            fail,
        }
    }

    /// Lowers everything that the slot leads to.
    pub fn all(&mut self) {
        self.enter();
        while let Some((point, version)) = self.work.pop() {
            self.block(point, version);
        }
        self.write_exits();
    }

    /// Ends the function: its words of bytecode and the objects that it refers to.
    pub fn finish(mut self, config: TargetFrontendConfig) -> (usize, Vec<Value>) {
        self.b.seal_all_blocks();
        self.b.finalize(config);
        (self.words, self.roots)
    }

    /// Loads what is live and looks at the types that the registers have now.
    fn enter(&mut self) {
        let point = self.at;
        let code = self.code(0);
        // SAFETY: the running frame stands at the slot.
        let now = unsafe { layout::registers(self.running) };
        let mut known = Vec::new();
        let live = self.live(point);
        let beginning = self.slot_is_beginning();
        for register in live {
            let local = register >= code.first_local as usize && register < code.local_end as usize;
            if beginning && local {
                let nil = self.value(Value::NIL);
                self.define(register, nil);
                continue;
            }
            let word = self.b.ins().load(types::I64, plain(), self.base, 8 * register as i32);
            self.load(register, word);
            if (now[register].is_fixnum() || now[register].is_flonum()) && !self.unit.varies(register) {
                known.push((register, now[register].is_fixnum()));
            }
        }
        let none = self.integer(0);
        for depth in 0..inline::DEPTH_MAX {
            self.b.def_var(self.marks[depth], none);
        }
        self.begin_unit(beginning);
        for (register, integer) in known {
            self.expect_at_entry(register, integer);
        }
        self.expect_object_at_entry(now[0]);
        let context = self.guess_block(point);
        self.go(Point { context, ..point });
    }

    /// Whether the slot is where a method or block begins, not the head of a loop.
    fn slot_is_beginning(&self) -> bool {
        let code = self.code(0);
        self.at.pc == 0 || code.iseq.params.opt_table.contains(&code.places[self.slot])
    }

    /// The code of a context.
    pub fn code(&self, context: usize) -> &'static CodeData {
        // SAFETY: a unit's code and what it inlines are kept while it is compiled, and by it from then on.
        unsafe { &*self.contexts[context].code }
    }

    /// The key of the running instruction in the unit's notes.
    pub fn key(&self) -> At {
        (std::ptr::from_ref(self.code(self.at.context)) as usize, self.at.pc)
    }

    pub fn integer(&mut self, number: i64) -> Word {
        self.b.ins().iconst(types::I64, number)
    }

    pub fn address<T: ?Sized>(&mut self, at: *const T) -> Word {
        self.integer(at.cast::<u8>() as i64)
    }

    /// The same number in the code itself, whatever it is used for: Cranelift puts great ones that are compared into
    /// memory beside the code, which in a large program is seldom in the processor's caches.
    pub fn immediate(&mut self, number: i64) -> Word {
        if i32::try_from(number).is_ok() {
            return self.integer(number);
        }
        let name = *self.zero.get_or_insert_with(|| {
            self.b.func.declare_imported_user_function(UserExternalName { namespace: 0, index: 0 })
        });
        let symbol = GlobalValueData::Symbol {
            name: ExternalName::user(name),
            offset: Imm64::new(number),
            colocated: false,
            tls: false,
        };
        let symbol = self.b.create_global_value(symbol);
        self.b.ins().symbol_value(types::I64, symbol)
    }

    /// Whether a word has these bits.
    pub fn is_word(&mut self, word: Word, bits: u64) -> Word {
        let wanted = self.immediate(bits as i64);
        self.b.ins().icmp(IntCC::Equal, word, wanted)
    }

    /// The word of a value, which the code keeps.
    pub fn value(&mut self, value: Value) -> Word {
        self.keep(value);
        self.integer(value.bits() as i64)
    }

    /// Keeps an object or a symbol as long as the code lives.
    pub fn keep(&mut self, value: Value) {
        if (value.is_heap() || value.is_symbol()) && !self.roots.contains(&value) {
            self.roots.push(value);
        }
    }

    /// Begins an instruction.
    fn begin(&mut self, point: Point) {
        self.forget_exits();
        self.at = point;
    }

    /// Lowers the instruction at `pc` of the running context; where the next one is.
    fn instruction(&mut self, pc: usize) -> usize {
        let context = self.at.context;
        let code = self.code(context);
        let insn = code.insns[pc];
        let next = pc + length(insn.op);
        self.words += next - pc;
        if self.races {
            self.tell(insn);
        }
        if !self.greater_of_two(insn, next) {
            self.lower(insn, next);
        }
        next
    }

    fn lower(&mut self, insn: Insn, next: usize) {
        use Op::*;
        self.operator_calls(insn, next);
        let offset = self.contexts[self.at.context].offset;
        let [a, b, c] = [insn.a, insn.b, insn.c].map(|operand| operand as usize + offset);
        match insn.op {
            Nop | Ext => {}
            Move => self.copy(b, a),
            LoadNil => self.constant(a, Value::NIL),
            LoadTrue => self.constant(a, Value::TRUE),
            LoadFalse => self.constant(a, Value::FALSE),
            LoadUndef => self.constant(a, Value::UNDEF),
            LoadInt => self.constant(a, Value::fixnum(insn.bc() as i64)),
            LoadConst | FrozenString => {
                if insn.op == FrozenString {
                    self.assume();
                }
                let literal = self.code(self.at.context).literal(insn.literal());
                self.constant(a, literal);
            }
            Jump | Loop | JumpIf | JumpUnless | JumpNil | JumpNotNil | JumpGiven | Return => self.jump(insn, a, next),
            Add | Sub | Mul | Div | Mod | And | Or | Xor | Shl | Shr | AddInt | SubInt | Neg => {
                self.arithmetic(insn, a, b, c)
            }
            Eq | Neq | Lt | Le | Gt | Ge | Not | BrLt | BrLe | BrGt | BrGe | BrEq | BrNeq | BrWhen => {
                self.comparison(insn, [a, b, c], next)
            }
            GetGlobal | SetGlobal | GetCvar | SetCvar if self.races => self.step_told(a),
            GetEnv | SetEnv | GetIvar | SetIvar | GetConst | GetConstTop | GetConstFrom | GetCvar | ARef | ASet
            | SelfLen | SelfAt => self.memory(insn, [a, b, c]),
            Call => self.call(insn, next),
            Super => self.call_super(insn, next),
            GetBlock => self.get_block(insn, a),
            Yield => self.yield_to_block(insn),
            Once | DefMethod | DefSingleton | DefClass | SClass | Alias | AliasGlobal | Undef | Rethrow => {
                self.leave(Reason::Unsupported)
            }
            ReturnFar | Break => self.leave_block(insn.op, a),
            OnceSet => self.leave(Reason::Unsupported),
            NewArray | StrCat | NewString | DupLiteral | ToStr | SplatArray | ExpandArray | Defined => {
                self.literal(insn, [a, b, c])
            }
            Primitive => self.primitive(insn, a, b),
            _ => self.step_to(a),
        }
    }

    /// Jumps, and returning.
    fn jump(&mut self, insn: Insn, a: usize, next: usize) {
        use Op::*;
        let context = self.at.context;
        let to = target(&self.code(context).insns, self.at.pc).unwrap_or(next);
        let [to, next] = [to, next].map(|pc| Point { context, pc });
        match insn.op {
            Jump => self.go(to),
            Loop => {
                self.assume();
                self.poll();
                self.go(to);
            }
            Return => self.return_value(a),
            JumpIf | JumpUnless => {
                let truth = self.truth(a);
                if insn.op == JumpIf { self.branch(truth, to, next) } else { self.branch(truth, next, to) }
            }
            JumpGiven if self.state.known[a].is_some() || self.state.types[a] != registers::Type::Any => {
                self.go(if self.state.known[a] == Some(Value::UNDEF) { next } else { to });
            }
            _ => {
                let word = self.get(a);
                let special = if insn.op == JumpGiven { Value::UNDEF } else { Value::NIL };
                let is = self.b.ins().icmp_imm_s(IntCC::Equal, word, special.bits() as i64);
                if insn.op == JumpNil { self.branch(is, to, next) } else { self.branch(is, next, to) }
            }
        }
    }
}
