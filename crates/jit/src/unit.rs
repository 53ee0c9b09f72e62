//! Units: what is compiled for one slot (a method or block from its beginning, or a loop). A unit keeps its code's
//! address and what the exits of its code have taught: types, classes and shapes that were seen. From them follows when
//! it is compiled again, and when it is given up.

use crate::assume::Assumptions;
use crate::budget::time;
use crate::low::Low;
use crate::state::Jit;
use crate::tier::{Heat, ticks};
use rubellite_bytecode::{Insn, Op};
use rubellite_value::{Tag, Value};
use rubellite_vm::Ctx;
use rubellite_vm::code::CodeData;
use rubellite_vm::jit::{Left, Missing, Native};
use rubellite_vm::thread::interrupt_bits;
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};

/// Compiled again so many times at most.
const COMPILES_MAX: u32 = 12;
/// From this compilation on operators of unknown operands take any.
const WARY: u32 = 3;
/// Exits after which a unit is compiled again for the first time; then after twice as many each time.
const EXITS: u32 = 8;
/// When compiling it again has to wait it asks after twice as many exits, so many times at most.
const PATIENCE_MAX: u32 = 8;
/// After so many exits, or twice as many for each time, a unit is compiled again whatever time compiling has taken.
const EXITS_PRESSING: u32 = 500;
/// Exits of a unit that is not compiled again between two looks at the clock.
const EXITS_LOOK: u32 = 500;
/// A unit that is left every so many nanoseconds gains nothing and is retired: it stays interpreted.
const EXIT_PERIOD: u64 = 2_000;
/// Classes that one call site is compiled for at most.
pub const CLASSES_MAX: usize = 8;
/// Shapes that one access is compiled for at most.
pub const SHAPES_MAX: usize = 4;

/// Why compiled code was left.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// An interrupt waits.
    Poll,
    /// At the beginning: an interrupt waits, a stack is nearly full, or something was defined that the code stands on.
    Begin,
    /// An operand is of another type than before.
    Type,
    /// A register had another type when the code was entered.
    Entry,
    /// A result is no small Integer.
    Range,
    /// A method or constant was defined meanwhile, or an operator redefined.
    Changed,
    /// A constant is asked for in another scope than before.
    Scope,
    /// The receiver's class is a new one.
    Class,
    /// An object has another shape; counted, but no exit.
    Shape,
    /// A literal block is another one: the code for any block goes on. Counted the first times, but no exit.
    Block,
    /// Memory is exhausted.
    Memory,
    /// The instruction is not compiled.
    Unsupported,
    /// The interpreter's functions do the instruction; counted for statistics alone, and no exit.
    Step,
}

/// What was seen of the operands of an instruction: kinds of the left one, and of the right one `RIGHT` bits above.
pub mod seen {
    pub const INTEGER: u8 = 1;
    pub const FLOAT: u8 = 2;
    /// Of receivers of calls: numbers that are objects.
    pub const OTHER: u8 = 4;
    pub const KINDS: u8 = INTEGER | FLOAT | OTHER;
    pub const RIGHT: u32 = 4;
    /// A result was no small Integer.
    pub const RANGE: u8 = 8;
    /// A constant was asked for in several scopes.
    pub const SCOPES: u8 = 128;
}

/// One exit of compiled code. 64 bytes: there are some ten of them for each unit.
pub struct Exit {
    pub unit: *const Unit,
    pub assumptions: &'static Assumptions,
    pub code: *const CodeData,
    /// What there is to do besides writing registers.
    pub rest: Option<&'static Rest>,
    pub count: Cell<u64>,
    pub pc: u32,
    /// For statistics: the number of the text that names instruction and line.
    pub place: u32,
    /// Where the registers of the code begin, among those of the unit.
    pub offset: u16,
    /// At the entry: the register that had another type than was expected.
    pub register: Option<u16>,
    pub reason: Reason,
}

const _: () = assert!(size_of::<Exit>() <= 64);

/// What few exits have.
pub struct Rest {
    /// Registers of the unit's frame in which machine numbers lie.
    pub floats: &'static [u16],
    /// Frames that the code did without.
    pub missing: &'static [Missing],
}

impl Rest {
    /// Whether both lie at the same places.
    pub fn is(&self, other: &Rest) -> bool {
        std::ptr::eq(self.floats, other.floats) && std::ptr::eq(self.missing, other.missing)
    }
}

impl Exit {
    /// Where it leaves to.
    pub fn left(&self) -> Left {
        let (floats, missing) = self.rest.map_or((&[][..], &[][..]), |rest| (rest.floats, rest.missing));
        // SAFETY: code lives as long as what was compiled of it runs.
        Left { floats, missing, pc: unsafe { &raw const (&(*self.code).insns)[self.pc as usize] } }
    }

    /// The place of the instruction.
    pub fn at(&self) -> At {
        (self.code as usize, self.pc as usize)
    }
}

/// A shape, and the inline slots of the objects that have it.
pub type Shape = (u32, u16);

/// The place of an instruction, also of one in inlined code.
pub type At = (usize, usize);

/// What is known of a slot.
pub struct Unit {
    pub code: *const CodeData,
    pub slot: usize,
    pub name: String,
    pub compiles: Cell<u32>,
    exits: Cell<u32>,
    /// When the clock was looked at last, in nanoseconds.
    looked: Cell<u64>,
    pub retired: Cell<bool>,
    /// How often compiling it again had to wait: it asks less and less often.
    patience: Cell<u32>,
    /// A class or shape was seen that the code was not made for.
    pub news: Cell<bool>,
    feedback: RefCell<FxHashMap<At, u8>>,
    /// Registers whose types at the entry varied.
    varied: RefCell<Vec<usize>>,
    /// Classes of receivers seen where calls went elsewhere; kept by the code.
    classes: RefCell<FxHashMap<At, Vec<Value>>>, // tidy: kept by the code of the unit
    /// Shapes of objects whose instance variables were asked for.
    shapes: RefCell<FxHashMap<At, Vec<Shape>>>,
    /// What the code refers to.
    #[allow(clippy::vec_box, reason = "compiled code holds their addresses")]
    pub natives: RefCell<Vec<Box<Native>>>,
    #[allow(clippy::vec_box, reason = "compiled code holds their addresses")]
    templates: RefCell<Vec<Box<[u64; 8]>>>,
    missing: RefCell<Vec<Box<[Missing]>>>,
    registers: RefCell<Vec<Box<[u16]>>>,
    /// It is to be compiled again.
    pub again: Cell<bool>,
    /// The assumptions of code that is left until then.
    doubted: Cell<Option<&'static Assumptions>>,
    /// What the code stands on that runs while its successor is being made.
    former: Cell<Option<&'static Assumptions>>,
    /// Code is being generated beside the lock.
    pub queued: Cell<bool>,
    /// Where its code lies; 0: there is none yet.
    pub address: Cell<usize>,
    pub heat: Heat,
    /// What plain code counts down.
    ticks: OnceCell<&'static Cell<u64>>,
    /// What compiled code calls, once some does: the address while that is to be run, or 0.
    entry: OnceCell<&'static Cell<u64>>,
    pub words: Cell<usize>,
    pub bytes: Cell<usize>,
    pub nanoseconds: Cell<u64>,
}

impl Unit {
    pub fn new(code: &CodeData, slot: usize) -> Unit {
        let (name, path) = (String::from_utf8_lossy(code.iseq.name.bytes()), &code.iseq.script.path);
        let place = code.places[slot] as usize;
        let name = match place {
            0 => format!("{name} {path}:{}", code.iseq.line),
            _ => format!("{name} {path}:{}", code.iseq.line_at(place)),
        };
        Unit {
            code,
            slot,
            name,
            compiles: Cell::new(0),
            exits: Cell::new(0),
            looked: Cell::new(0),
            retired: Cell::new(false),
            patience: Cell::new(0),
            news: Cell::new(false),
            feedback: RefCell::default(),
            varied: RefCell::default(),
            classes: RefCell::default(),
            shapes: RefCell::default(),
            natives: RefCell::default(),
            templates: RefCell::default(),
            missing: RefCell::default(),
            registers: RefCell::default(),
            again: Cell::new(false),
            doubted: Cell::new(None),
            former: Cell::new(None),
            queued: Cell::new(false),
            address: Cell::new(0),
            heat: Heat::default(),
            ticks: OnceCell::new(),
            entry: OnceCell::new(),
            words: Cell::new(0),
            bytes: Cell::new(0),
            nanoseconds: Cell::new(0),
        }
    }

    /// The word with the address that compiled code calls; 0: the interpreter is to be asked.
    pub fn entry(&self, words: &Low<Cell<u64>>) -> &'static Cell<u64> {
        // SAFETY: whoever asks keeps the code.
        let compiled = unsafe { &*self.code }.slot(self.slot).is_compiled();
        self.entry.get_or_init(|| words.put(Cell::new(if compiled { self.address.get() as u64 } else { 0 })))
    }

    /// The word that plain code counts down to below zero.
    pub fn ticks(&self, words: &Low<Cell<u64>>, threshold: u32) -> &'static Cell<u64> {
        self.ticks.get_or_init(|| words.put(Cell::new(ticks(threshold))))
    }

    /// Plain code was left, perhaps since its ticks are over: if it has become hot it is made anew.
    pub fn look_at_ticks(&self, ctx: &Ctx, assumptions: &'static Assumptions) {
        let Some(left) = self.ticks.get().filter(|ticks| (ticks.get() as i64) < 0) else { return };
        let threshold = ctx.vm().compiler().map_or(1, |compiler| compiler.calls);
        left.set(ticks(threshold));
        if !self.heat.is_plain() || self.queued.get() || self.again.get() || !self.heat.has_risen(threshold) {
            return;
        }
        if Jit::of(ctx).may_compile(ctx, self) {
            self.compiles.set(0);
            self.make_again(ctx, assumptions);
        } else {
            self.heat.keep_plain();
        }
    }

    /// The code is made anew when it is entered the next time.
    fn make_again(&self, ctx: &Ctx, assumptions: &'static Assumptions) {
        self.exits.set(0);
        self.patience.set(0);
        self.again.set(true);
        // SAFETY: a unit's code is live while it runs.
        unsafe { &*self.code }.slot(self.slot).count_down(1);
        self.publish(0);
        // A loop is left when it looks at what it stands on, or at its next turn.
        assumptions.doubt();
        self.doubted.set(Some(assumptions));
        ctx.thread().lock_thread.interrupt.set(interrupt_bits::COMPILED);
    }

    /// From now on compiled code calls this address; 0: it asks the interpreter.
    pub fn publish(&self, address: usize) {
        if let Some(entry) = self.entry.get() {
            entry.set(address as u64);
        }
    }

    /// It is compiled: its former code goes on until the new one is ready.
    pub fn begin(&self) {
        self.again.set(false);
        let former = self.doubted.take();
        if let Some(assumptions) = former {
            assumptions.trust();
        }
        self.former.set(former);
        self.compiles.set(self.compiles.get() + 1);
        self.news.set(false);
    }

    /// The code that was made beside the former one can run: a loop in that one is left as soon as it looks at what it
    /// stands on. The safepoint at which this became known may have been one of a method that the loop has called.
    pub fn succeed(&self) {
        if let Some(former) = self.former.take() {
            former.doubt();
        }
    }

    /// Keeps words of frames as long as the unit.
    pub fn keep_template(&self, template: [u64; 8]) -> *const [u64; 8] {
        let template = Box::new(template);
        let at: *const [u64; 8] = &raw const *template;
        self.templates.borrow_mut().push(template);
        at
    }

    /// Keeps descriptions of frames as long as the unit.
    pub fn keep_missing(&self, list: Vec<Missing>) -> &'static [Missing] {
        let list = list.into_boxed_slice();
        let at: *const [Missing] = &raw const *list;
        self.missing.borrow_mut().push(list);
        // SAFETY: boxes do not move; units, and what they keep, live as long as the VM, whose threads alone run its
        // code.
        unsafe { &*at }
    }

    /// Keeps numbers of registers as long as the unit.
    pub fn keep_registers(&self, list: Vec<u16>) -> &'static [u16] {
        if list.is_empty() {
            return &[];
        }
        let list = list.into_boxed_slice();
        let at: *const [u16] = &raw const *list;
        self.registers.borrow_mut().push(list);
        // SAFETY: as above.
        unsafe { &*at }
    }

    pub fn seen(&self, at: At) -> u8 {
        self.feedback.borrow().get(&at).copied().unwrap_or(0)
    }

    /// Operands that are no numbers are expected at an operator.
    pub fn expect_others(&self, at: At) {
        *self.feedback.borrow_mut().entry(at).or_insert(0) |= seen::OTHER;
    }

    /// Whether so much was not as expected that nothing is expected any more.
    pub fn is_wary(&self) -> bool {
        self.compiles.get() >= WARY
    }

    pub fn shapes(&self, at: At) -> Vec<Shape> {
        self.shapes.borrow().get(&at).cloned().unwrap_or_default()
    }

    pub fn varies(&self, register: usize) -> bool {
        self.varied.borrow().contains(&register)
    }

    pub fn classes(&self, at: At) -> Vec<Value> {
        self.classes.borrow().get(&at).cloned().unwrap_or_default()
    }

    /// Counts an exit; now and then the code is to be made anew with what was learnt, which is said once.
    pub fn count(&self, ctx: &Ctx, assumptions: &'static Assumptions) {
        if self.queued.get() || self.again.get() {
            return;
        }
        let exits = self.exits.get() + 1;
        self.exits.set(exits);
        if self.compiles.get() < COMPILES_MAX {
            let most = EXITS << (self.compiles.get() + self.patience.get());
            if exits < most {
                return;
            }
            // So many exits take more time than compiling does.
            let pressing = exits >= EXITS_PRESSING << self.compiles.get() && Jit::of(ctx).beside.has_room();
            if !pressing && !Jit::of(ctx).may_compile(ctx, self) {
                self.patience.set((self.patience.get() + 1).min(PATIENCE_MAX));
                return;
            }
            return self.make_again(ctx, assumptions);
        }
        if exits.is_multiple_of(EXITS_LOOK) && !self.retired.get() {
            let now = time(libc::CLOCK_MONOTONIC);
            if now.saturating_sub(self.looked.get()) < EXIT_PERIOD * EXITS_LOOK as u64 {
                self.retired.set(true);
                let jit = Jit::of(ctx);
                jit.retired.set(jit.retired.get() + 1);
                // SAFETY: a unit's code is live while it runs.
                unsafe { &*self.code }.slot(self.slot).count_down(0);
                self.publish(0);
            }
            self.looked.set(now);
        }
    }

    /// Counts what was met beside the expected way, if something of it is new since the code was made.
    pub fn count_news(&self, ctx: &Ctx, assumptions: &'static Assumptions) {
        if self.news.get() {
            self.count(ctx, assumptions);
        }
    }

    /// A register had another type at the entry than the code was made for.
    pub fn note_varied(&self, register: usize) {
        if !self.varies(register) {
            self.varied.borrow_mut().push(register);
        }
    }

    /// A call had a receiver of a class that the code was not made for.
    pub fn note_class(&self, ctx: &Ctx, exit: &Exit, receiver: Value) {
        let class = ctx.class_of(receiver);
        let mut classes = self.classes.borrow_mut();
        let list = classes.entry(exit.at()).or_default();
        if list.len() < CLASSES_MAX && !list.contains(&class) {
            // SAFETY: a unit's code is live while it runs.
            let code = unsafe { &*self.code };
            code.kept.keep(ctx, code, class);
            list.push(class);
            self.news.set(true);
        }
    }

    /// An instance variable was asked for in an object of a shape that the code was not made for.
    pub fn note_shape(&self, exit: &Exit, shape: Shape) {
        let mut shapes = self.shapes.borrow_mut();
        let list = shapes.entry(exit.at()).or_default();
        if list.len() < SHAPES_MAX && !list.contains(&shape) {
            list.push(shape);
            self.news.set(true);
        }
    }

    /// `registers` are those of the unit's frame.
    pub fn learn(&self, ctx: &Ctx, exit: &Exit, registers: *const Value) {
        // SAFETY: the code is live, since a unit that runs holds it; an exit's live registers have been written.
        let (insn, register) =
            unsafe { ((&(*exit.code).insns)[exit.pc as usize], |r: u16| *registers.add((exit.offset + r) as usize)) };
        let mut bits = self.seen(exit.at());
        match exit.reason {
            Reason::Type => {
                for (operand, shift) in operands(insn).into_iter().zip([0, seen::RIGHT]) {
                    bits |= operand.map_or(0, |r| kind(register(r))) << shift;
                }
            }
            Reason::Range => bits |= seen::RANGE,
            Reason::Scope => bits |= seen::SCOPES,
            Reason::Class if insn.op == Op::Call => {
                let receiver = register(insn.b);
                self.note_class(ctx, exit, receiver);
                if !receiver.has_tag(Tag::Bignum) && !receiver.has_tag(Tag::Float) {
                    return;
                }
                bits |= seen::OTHER;
            }
            Reason::Shape => {
                let object = register(if insn.op == Op::Call { insn.b } else { 0 });
                if let Some(header) = object.header().filter(|header| header.tag() == Tag::Object) {
                    self.note_shape(exit, (header.shape(), header.aux()));
                }
                return;
            }
            _ => return,
        }
        self.feedback.borrow_mut().insert(exit.at(), bits);
    }
}

fn kind(value: Value) -> u8 {
    if value.is_fixnum() {
        seen::INTEGER
    } else if value.is_flonum() || value.has_tag(Tag::Float) {
        seen::FLOAT
    } else {
        seen::OTHER
    }
}

/// The registers of an operator's operands.
fn operands(insn: Insn) -> [Option<u16>; 2] {
    use Op::*;
    match insn.op {
        BrLt | BrLe | BrGt | BrGe | BrEq | BrNeq => [Some(insn.a), (insn.x & 2 == 0).then_some(insn.b)],
        AddInt | SubInt | Neg | Not | SelfAt | Call => [Some(insn.b), None],
        ASet => [Some(insn.b), None],
        ARef => [Some(insn.c), None],
        _ => [Some(insn.b), Some(insn.c)],
    }
}

impl Jit {
    /// The unit of a slot, made when it is first asked for.
    pub fn unit(&self, code: &CodeData, slot: usize) -> &Unit {
        let mut units = self.units.borrow_mut();
        if code.kept.number.get() == 0 {
            // Addresses of code that has died are used again.
            self.codes.set(self.codes.get() + 1);
            code.kept.number.set(self.codes.get());
        }
        let unit = units.entry((code.kept.number.get(), slot)).or_insert_with(|| Box::new(Unit::new(code, slot)));
        // SAFETY: boxes do not move, and units are never removed.
        unsafe { &*std::ptr::from_ref::<Unit>(unit) }
    }
}
