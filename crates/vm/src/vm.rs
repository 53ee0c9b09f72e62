//! One virtual machine: everything that its threads share.

use crate::cell::VmCell;
use crate::class::Class;
use crate::ctx::Ctx;
use crate::epoch::Epochs;
use crate::interp::UnusedBlocks;
use crate::object::ivars::GenericIvars;
use crate::primitive::Primitives;
use crate::shape::Shapes;
use crate::symbols::Symbols;
use crate::thread::Threads;
use crate::warning::Category;
use crate::{Encoding, Result};
use rubellite_bytecode::ISeq;
use rubellite_gc::Heap;
use rubellite_value::{Sym, Value};
use rubellite_vmlock::VmLock;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::sync::Arc;

/// A class or module that the VM itself names; nil until boot has made it.
pub struct CoreClass(Cell<Value>);

impl CoreClass {
    #[inline(always)]
    pub fn get(&self) -> Value {
        self.0.get()
    }

    #[inline(always)]
    pub fn class(&self) -> Class {
        Class::known(self.0.get())
    }

    pub(crate) fn set(&self, class: Value) {
        self.0.set(class);
    }
}

macro_rules! core_classes {
    ($($field:ident = $name:literal,)*) => {
        /// The classes and modules that the VM itself names; nil until boot has made them.
        pub struct CoreClasses { $(pub $field: CoreClass,)* }

        impl Default for CoreClasses {
            fn default() -> CoreClasses {
                CoreClasses { $($field: CoreClass(Cell::new(Value::NIL)),)* }
            }
        }

        impl CoreClasses {
            /// Fields with the names of their constants.
            pub fn all(&self) -> impl Iterator<Item = (&'static str, &CoreClass)> {
                [$(($name, &self.$field),)*].into_iter()
            }
        }
    };
}

core_classes! {
    basic_object = "BasicObject", object = "Object", module = "Module", class = "Class", kernel = "Kernel",
    comparable = "Comparable", enumerable = "Enumerable",
    nil = "NilClass", true_class = "TrueClass", false_class = "FalseClass",
    numeric = "Numeric", integer = "Integer", float = "Float", rational = "Rational", complex = "Complex",
    string = "String", symbol = "Symbol", regexp = "Regexp", match_data = "MatchData", encoding = "Encoding",
    array = "Array", hash = "Hash", range = "Range", struct_class = "Struct", data = "Data", set = "Set",
    proc = "Proc", method = "Method", unbound_method = "UnboundMethod", binding = "Binding",
    exception = "Exception", standard_error = "StandardError", thread = "Thread", fiber = "Fiber",
    io = "IO", file = "File", time = "Time", refinement = "Refinement", enumerator = "Enumerator", random = "Random",
}

/// What the VM needs from the crates above it.
pub struct Hooks {
    /// Compiles source; on a syntax error leaves the SyntaxError pending.
    pub compile: fn(&mut Ctx, CompileRequest) -> Result<Arc<ISeq>>,
    pub new_regexp: fn(&mut Ctx, &[u8], Encoding, u8) -> Result,
    /// The encoding that a piece of a Regexp literal fixes.
    pub regexp_piece: fn(&mut Ctx, crate::object::Str, u8) -> Result<Option<Encoding>>,
    /// Makes a Regexp literal of its joined pieces.
    pub joined_regexp: fn(&mut Ctx, &[u8], Encoding, u8) -> Result,
    pub encoding_object: fn(&mut Ctx, Encoding) -> Value,
    /// A part of a MatchData as a String or nil.
    pub match_part: fn(&mut Ctx, Value, MatchPart) -> Value,
    /// Loads the file of an autoload; true when it defined the constant's file anew.
    pub autoload: fn(&mut Ctx, &str) -> Result<bool>,
    /// Whether the file of an autoload is still to be loaded: it is not loaded, nor is this thread or fiber loading
    /// it.
    pub autoload_pending: fn(&mut Ctx, &str) -> Result<bool>,
    /// Waits until `autoload_done` of the same module (its bits) and name. It may return early.
    pub autoload_wait: fn(&mut Ctx, u64, Sym) -> Result<()>,
    /// The loading of an autoload has ended.
    pub autoload_done: fn(&mut Ctx, u64, Sym) -> Result<()>,
    /// Whether the running fiber has a scheduler with whose help it waits for other fibers of its thread.
    pub fiber_waits: fn(&Ctx) -> bool,
    /// Runs work that a fiber scheduler may have done elsewhere (`Leave::offered`), or leaves it alone.
    pub offer: crate::stop::Offer,
    /// Writes what the VM itself has to say to `$stderr`.
    pub complain: fn(&mut Ctx, crate::object::Str) -> Result<()>,
    /// Whether `$stderr` is a terminal.
    pub stderr_is_terminal: fn(&mut Ctx) -> bool,
    /// Runs the handlers of the signals that have come.
    pub run_signals: fn(&mut Ctx) -> Result<()>,
    /// Tells where the thread is, which was asked.
    pub look: fn(&mut Ctx),
    /// Waits for a child process, as waitpid(2) with these flags, and notes its status.
    pub reap_child: fn(&mut Ctx, i32, i32) -> Result<()>,
    /// What Marshal makes of an object, in pieces that follow each other; long strings are shared.
    pub dump_pieces: fn(&mut Ctx, Value) -> Result<Vec<crate::object::SharedBytes>>,
    /// The block of the running thread's ractor came to this: ends the ractor.
    pub ractor_ended: fn(&mut Ctx, Result) -> Result,
    /// The thread that runs the block of the running thread's ractor.
    pub ractor_lead: fn(&Ctx) -> Option<Value>,
    /// Ends the process as after the main script, which came to this: in the child of a fork.
    pub end_child: fn(&mut Ctx, Result<()>) -> !,
}

/// Which part of the last match.
#[derive(Copy, Clone)]
pub enum MatchPart {
    /// `$1` ...
    Group(usize),
    /// 1 `$&`, 2 "$`", 3 `$'`, 4 `$+`
    Special(u8),
}

/// What to compile.
pub struct CompileRequest<'a> {
    pub source: &'a [u8],
    pub path: &'a str,
    pub line: i32,
    pub kind: rubellite_bytecode::ISeqKind,
    /// Local variables by environment, innermost first, for eval.
    pub scopes: Vec<Vec<rubellite_bytecode::Text>>,
    pub encoding: Encoding,
    /// The code of an eval belongs to a method or has a block: `yield` is allowed.
    pub in_method: bool,
    /// Parameters of the method that the code of an eval belongs to, for `super` without arguments.
    pub method_params: Option<&'a rubellite_bytecode::Params>,
    /// The code that an eval belongs to: backtraces call both the same.
    pub around: Option<&'a Arc<rubellite_bytecode::ISeq>>,
    /// The main script (DATA, command-line options apply).
    pub main: bool,
    pub origin: rubellite_bytecode::Origin,
}

impl<'a> CompileRequest<'a> {
    /// A whole program in UTF-8.
    pub fn program(source: &'a [u8], path: &'a str, kind: rubellite_bytecode::ISeqKind) -> CompileRequest<'a> {
        let encoding = Encoding::UTF_8;
        CompileRequest {
            source,
            path,
            line: 1,
            kind,
            scopes: Vec::new(),
            encoding,
            in_method: false,
            method_params: None,
            around: None,
            main: false,
            origin: rubellite_bytecode::Origin::Program,
        }
    }
}

/// Built-in operations of which programs are told, when they ask for it, that redefining them costs speed.
const WARNED: [&[u8]; 30] = [
    b"+",
    b"-",
    b"*",
    b"/",
    b"%",
    b"==",
    b"===",
    b"<",
    b"<=",
    b">",
    b">=",
    b"<<",
    b">>",
    b"[]",
    b"[]=",
    b"length",
    b"size",
    b"empty?",
    b"succ",
    b"=~",
    b"freeze",
    b"-@",
    b"max",
    b"min",
    b"hash",
    b"&",
    b"|",
    b"nil?",
    b"<=>",
    b"include?",
];

/// Bits of `Vm::redefined`: a basic operation of a core class no longer is the built-in one.
pub mod basic_op {
    pub const INTEGER: u32 = 1;
    pub const FLOAT: u32 = 2;
    pub const STRING: u32 = 4;
    pub const ARRAY: u32 = 8;
    pub const HASH: u32 = 16;
    pub const SYMBOL: u32 = 32;
    pub const SPECIAL: u32 = 64;
    /// Integer#to_s, as interpolation uses it.
    pub const INTEGER_TO_S: u32 = 128;
    /// String#freeze and String#-@, as literals use them.
    pub const STRING_FREEZE: u32 = 256;
}

/// The methods of core classes that the interpreter has fast paths for.
const OPERATORS: [&[u8]; 24] = [
    b"+", b"-", b"*", b"/", b"%", b"<", b"<=", b">", b">=", b"==", b"===", b"<=>", b"default", b"!=", b"!", b"[]",
    b"[]=", b"<<", b">>", b"&", b"|", b"^", b"-@", b"nil?",
];

/// A global variable that is computed.
#[derive(Copy, Clone)]
pub struct GlobalHooks {
    pub get: fn(&mut Ctx, Sym) -> Result,
    /// `None`: read-only ("$x is a read-only variable").
    pub set: Option<fn(&mut Ctx, Sym, Value) -> Result<()>>,
}

#[derive(Default)]
pub struct Globals {
    // tidy: traced as roots
    pub values: FxHashMap<Sym, Value>,
    /// Those that a ractor other than the main one has for itself.
    // tidy: traced as roots
    pub of_ractors: FxHashMap<(u32, Sym), Value>,
    pub hooks: FxHashMap<Sym, GlobalHooks>,
    pub aliases: FxHashMap<Sym, Sym>,
    /// Arrays of the commands of `trace_var`, latest first.
    // tidy: traced as roots
    pub traces: FxHashMap<Sym, Value>,
    pub order: indexmap::IndexSet<Sym, rustc_hash::FxBuildHasher>,
}

pub struct Vm {
    pub(crate) lock: Arc<VmLock>,
    pub(crate) heap: VmCell<Heap>,
    pub(crate) symbols: VmCell<Symbols>,
    pub(crate) spelled: crate::symbols::Spelled,
    pub(crate) method_epochs: VmCell<Epochs>,
    pub(crate) recently_found: crate::class::RecentlyFound,
    pub(crate) defined_texts: crate::interp::defined::Texts,
    pub(crate) sym_lists: VmCell<crate::code::SymLists>,
    /// Counts whatever may change what compiled code stands on: definitions of methods and constants, redefined
    /// operators.
    pub(crate) definitions: Cell<u64>,
    /// Words of compiled code that the next definition makes `jit::STALE`.
    pub(crate) fresh: Cell<Vec<&'static Cell<u64>>>,
    pub(crate) const_epochs: VmCell<Epochs>,
    pub(crate) shapes: VmCell<Shapes>,
    pub(crate) generic_ivars: VmCell<GenericIvars>,
    pub(crate) globals: VmCell<Globals>,
    /// Every living class and module, weakly.
    pub(crate) modules: VmCell<Vec<Class>>, // tidy: weak, pruned after marking
    pub(crate) pinned: VmCell<Vec<Value>>, // tidy: traced as roots
    pub(crate) object_ids: VmCell<crate::object::ids::ObjectIds>,
    pub(crate) threads: VmCell<Threads>,
    pub(crate) classes: CoreClasses,
    pub(crate) names: crate::names::Names,
    pub(crate) primitives: VmCell<Primitives>,
    /// See [`basic_op`].
    pub(crate) redefined: Cell<u32>,
    /// The same without what tracing adds while it reports native methods.
    pub(crate) redefined_by_program: Cell<u32>,
    /// BasicObject's own `==` and `!=`.
    pub(crate) identity: Cell<[Value; 2]>, // tidy: pinned
    pub(crate) booted: Cell<bool>,
    /// The class of what a deadlock or a bug of ours raises; no constant names it.
    pub fatal: Cell<Value>,
    /// Events that some hook wants; see `trace.rs`.
    pub(crate) traced: Cell<u32>,
    /// Which of its copies the interpreter's loop runs in; one of [`loop_mode`].
    pub(crate) loop_mode: Cell<u8>,
    /// While races are looked for; see `races`.
    pub(crate) races: VmCell<Option<Box<crate::races::Races>>>, // tidy: traced as roots
    /// Where objects were made; see `births`.
    pub(crate) births: VmCell<crate::births::Births>,
    pub(crate) heap_events: crate::heap_events::HeapEvents,
    pub(crate) trace_hooks: VmCell<Vec<crate::trace::Hook>>, // tidy: traced as roots
    /// See `turns.rs`.
    pub(crate) thread_event_hook: Cell<Option<crate::thread_events::ThreadEventHook>>,
    pub(crate) job_hook: Cell<Option<crate::thread_events::JobHook>>,
    /// `GC.disable`
    pub(crate) gc_disabled: Cell<bool>,
    /// Native code holds references that the collector does not find; see `Ctx::without_collecting`.
    pub(crate) gc_held: Cell<bool>,
    /// See `VmConfig::memory_limit`.
    pub(crate) memory_limit: usize,
    pub(crate) hooks: Hooks,
    /// Compiles hot code, if something does.
    pub(crate) compiler: Option<crate::jit::Compiler>,
    /// Any refinement was ever activated.
    pub(crate) refinements_used: Cell<bool>,
    /// Lists of active refinements so far.
    pub(crate) refinement_lists: Cell<u32>,
    /// Names of the methods that refinements have or had: call sites of these look at the scope.
    pub(crate) refined_names: VmCell<FxHashSet<Sym>>,
    /// A second ractor was made.
    pub(crate) ractors: Cell<bool>,
    pub verbose: Cell<Value>,
    pub(crate) warning_categories: crate::warning::Categories,
    /// Sources of programs that are compiled now count their branches.
    pub counts_branches: Cell<bool>,
    /// They do it while this is true.
    pub coverage_runs: Cell<bool>,
    /// `$DEBUG`; while it is true exceptions are told of where they are raised.
    pub debug: Cell<Value>,
    pub unused_blocks: UnusedBlocks,
    pub main_object: Cell<Value>,
    /// A frozen Array of nothing, for splats of nil and rests without names; programs do not get at it.
    pub(crate) no_elements: Cell<Value>,
    /// State that the core library keeps with the VM, by type.
    pub(crate) extensions: VmCell<FxHashMap<std::any::TypeId, Box<dyn Extension>>>,
    /// Names of methods that some class has a faster form of: they are looked up anew when an `each` is defined.
    pub(crate) stand_in_names: VmCell<FxHashSet<Sym>>,
    /// Symbol Procs (`:name.to_proc`), one per name.
    // tidy: traced as roots
    pub(crate) symbol_procs: VmCell<FxHashMap<Sym, Value>>,
    pub(crate) hash_seed: u64,
    pub(crate) frozen_string_literal_default: Cell<Option<bool>>,
    /// String literals of code that is compiled from now on note where they were made.
    pub(crate) notes_literals: Cell<bool>,
    /// Whether the zone of the process counts leap seconds; none: unknown since the zone has changed.
    pub counts_leap_seconds: Cell<Option<bool>>,
    /// Hidden environment of the main script, for TOPLEVEL_BINDING.
    pub toplevel_binding: Cell<Value>,
}

/// The copies of the interpreter's loop.
pub(crate) mod loop_mode {
    pub const PLAIN: u8 = 0;
    /// It reports events; see `trace`.
    pub const TRACED: u8 = 1;
    /// It tells of accesses to variables; see `races`.
    pub const RACES: u8 = 2;
}

/// State of a library that hangs on the VM; values in it are traced.
pub trait Extension: std::any::Any {
    fn trace(&self, mark: &mut dyn FnMut(Value));
    /// Words that may be references and may be anything else: variables of C code.
    fn trace_words(&self, _mark: &mut dyn FnMut(usize)) {}
    /// Called after marking: drop what is dead.
    fn prune(&mut self, _alive: &dyn Fn(Value) -> bool) {}
}

// SAFETY: all fields that are not Sync are opened only by the holder of the VM lock (VmCell, Cell through Ctx).
unsafe impl Send for Vm {}
// SAFETY: as above.
unsafe impl Sync for Vm {}

impl Vm {
    pub fn hooks(&self) -> &Hooks {
        &self.hooks
    }

    /// The most that one allocation of program-sized data may ask for; see `object::ceiling`.
    pub(crate) fn allocation_ceiling(&self) -> usize {
        if self.memory_limit == 0 { usize::MAX } else { self.memory_limit }
    }

    pub fn compiler(&self) -> Option<crate::jit::Compiler> {
        self.compiler
    }

    pub fn lock(&self) -> &Arc<VmLock> {
        &self.lock
    }
}

impl Ctx {
    /// The state of type `T` that a library keeps with the VM, made at first use.
    pub fn extension<T: Extension + Default>(&self) -> &T {
        // SAFETY: the lock is held; boxes do not move when the table grows, and entries are never removed.
        let table = unsafe { self.vm().extensions.get_mut() };
        let entry = table.entry(std::any::TypeId::of::<T>()).or_insert_with(|| Box::new(T::default()));
        let state: *const dyn Extension = &raw const **entry;
        // SAFETY: the table is keyed by type, so the box holds a `T`, which lives as long as the VM.
        unsafe { &*state.cast::<T>() }
    }

    /// Keeps `value` alive as long as the VM lives.
    pub fn pin(&self, value: Value) -> Value {
        // SAFETY: the lock is held; the borrow ends here.
        unsafe { self.vm().pinned.get_mut() }.push(value);
        value
    }

    /// `class` is BasicObject, and its methods are defined.
    pub fn note_identity(&mut self, class: Class) {
        let names = self.names();
        let own = [names.op_eq, names.op_neq]
            .map(|name| class.own_method(self, name).map_or(Value::NIL, |method| self.pin(method.value())));
        self.vm().identity.set(own);
    }

    /// Whether this is a class of numbers or strings whose operators have fast paths; for `note_redefinition`.
    fn basic_class_bit(&self, class: Class) -> u32 {
        let classes = self.classes();
        let v = class.value();
        if v == classes.integer.get() {
            basic_op::INTEGER
        } else if v == classes.float.get() {
            basic_op::FLOAT
        } else if v == classes.string.get() {
            basic_op::STRING
        } else if v == classes.array.get() {
            basic_op::ARRAY
        } else if v == classes.hash.get() {
            basic_op::HASH
        } else if v == classes.symbol.get() {
            basic_op::SYMBOL
        } else if [&classes.nil, &classes.true_class, &classes.false_class].iter().any(|c| c.get() == v) {
            basic_op::SPECIAL
        } else {
            0
        }
    }

    /// Whether changing the method `name` of `class` ends the fast path of a built-in operation.
    fn is_fast_operation(&self, class: Class, name: Sym) -> bool {
        let fast = self.basic_class_bit(class) != 0 && WARNED.contains(&self.sym_bytes(name));
        fast && class.find_method(self, name).method.is_some_and(|method| method.body().is_of_core())
    }

    /// With the category "performance" says that a built-in operation becomes slow.
    pub fn warn_of_lost_speed(&mut self, class: Class, name: Sym) -> crate::Result<()> {
        if !self.is_fast_operation(class, name) {
            return Ok(());
        }
        let label = class.qualify(self, &self.sym_str(name));
        self.warn_category(
            &format!("Redefining '{label}' disables interpreter and JIT optimizations"),
            Category::Performance,
        )
    }

    /// Turns fast paths off when a program redefines an operator of a core class.
    pub(crate) fn note_redefinition(&self, class: Class, name: Sym) {
        if !self.vm().booted.get() {
            return;
        }
        if class.is_module() {
            if class.data(self).refined_class() == self.classes().integer.get() && self.sym_bytes(name) == b"to_s" {
                // Interpolation honours refinements: their scopes are looked at again.
                self.note_redefined(basic_op::INTEGER_TO_S);
            }
            // Where the refinement is active, its operators are called.
            if let Some(refined) = Class::try_of(class.data(self).refined_class()).filter(|c| !c.is_module()) {
                self.note_redefinition(refined, name);
            }
            // A module that is prepended to a core class redefines that class's operators.
            for dependent in class.data(self).dependents.clone() {
                let mro = &dependent.data(self).mro;
                let place = |of: Class| mro.iter().position(|m| *m == of);
                if !dependent.is_module() && place(class) < place(dependent) {
                    self.note_redefinition(dependent, name);
                }
            }
            return;
        }
        let bit = self.basic_class_bit(class);
        if bit == basic_op::INTEGER && self.sym_bytes(name) == b"to_s" {
            self.note_redefined(basic_op::INTEGER_TO_S);
        }
        if bit == basic_op::STRING && [b"freeze".as_slice(), b"-@"].contains(&self.sym_bytes(name)) {
            self.note_redefined(basic_op::STRING_FREEZE);
        }
        if bit != 0 && OPERATORS.contains(&self.sym_bytes(name)) {
            self.note_redefined(bit);
            let vm = self.vm();
            vm.redefined_by_program.set(vm.redefined_by_program.get() | bit);
        }
    }

    fn note_redefined(&self, bits: u32) {
        self.vm().redefined.set(self.vm().redefined.get() | bits);
        self.note_definition();
    }
}
