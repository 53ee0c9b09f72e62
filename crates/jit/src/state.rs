//! What the compiler keeps with one VM: its units, the memory for code, settings of the code generator, and counts.

use crate::area::Area;
use crate::assume::Assumptions;
use crate::beside::Beside;
use crate::budget::{BUDGETED, Budget, time};
use crate::low::Low;
use crate::quick;
use crate::unit::{Exit, Rest, Unit};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use rubellite_value::Value;
use rubellite_vm::complain;
use rubellite_vm::{Ctx, Extension, address_space};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// Of a limit on address space the area for machine code takes at most so large a part, twice.
const AREA_PART: usize = 64;

/// What the compiler keeps with a VM.
#[derive(Default)]
pub struct Jit {
    isa: RefCell<Option<OwnedTargetIsa>>,
    area: RefCell<Option<Area>>,
    /// Areas of the process that has forked this one: their code still runs.
    inherited: RefCell<Vec<Area>>,
    /// No code can be made: the system gives no memory for it, or the limit is reached.
    pub full: Cell<bool>,
    /// By the number of the code and the slot.
    pub units: RefCell<FxHashMap<(u64, usize), Box<Unit>>>,
    /// Numbers given to codes.
    pub codes: Cell<u64>,
    /// Exits of all code that was ever made, what some of them have, and texts for statistics.
    exits: Low<Exit>,
    rests: Low<Rest>,
    last_rest: Cell<Option<&'static Rest>>,
    pub places: RefCell<Vec<String>>,
    /// Assumptions of all code that was ever made.
    #[allow(clippy::vec_box, reason = "compiled code holds their addresses")]
    assumptions: RefCell<Vec<Box<Assumptions>>>,
    /// Words that compiled code reads or counts.
    pub words: Low<Cell<u64>>,
    pub compiled: Cell<u64>,
    pub refused: Cell<u64>,
    pub nanoseconds: Cell<u64>,
    pub bytes: Cell<usize>,
    pub budget: Budget,
    /// What is compiled beside the lock.
    pub beside: Beside<&'static Unit>,
    /// Units that were given up, since they left again and again.
    pub retired: Cell<u64>,
    /// Methods of core classes that code does by itself, by native function and number of arguments: places in the
    /// table of `lower::builtins`.
    pub builtins: RefCell<FxHashMap<(usize, usize), usize>>,
    /// Primitives that code does by itself, by their functions: places in the table of `lower::entries`.
    pub entries: RefCell<FxHashMap<usize, usize>>,
    /// Counts guards down to the next one that fails without a reason.
    pub luck: Cell<u64>,
}

impl Extension for Jit {
    /// Units refer only to what their code keeps; code that is being compiled stays.
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.beside.trace(mark);
    }
}

impl Jit {
    /// The state of the VM, which lives as long as it.
    pub fn of<'a>(ctx: &Ctx) -> &'a Jit {
        let state: *const Jit = ctx.extension::<Jit>();
        // SAFETY: extensions live as long as the VM, and nobody runs without it.
        unsafe { &*state }
    }

    /// What code is generated for, made at the first use. `None`: this processor is not supported.
    pub fn isa(&self) -> Option<OwnedTargetIsa> {
        let mut isa = self.isa.borrow_mut();
        if isa.is_none() {
            *isa = make_isa();
        }
        isa.clone()
    }

    /// Whether the unit may be compiled now. With a low threshold everything may: tests ask for that.
    pub fn may_compile(&self, ctx: &Ctx, unit: &Unit) -> bool {
        let at_once = quick::IS_AT_HAND && unit.heat.is_plain();
        if !at_once && !self.beside.has_room() {
            self.budget.postponed.set(self.budget.postponed.get() + 1);
            return false;
        }
        ctx.vm().compiler().is_some_and(|compiler| compiler.calls < BUDGETED)
            || self.budget.allows(time(libc::CLOCK_PROCESS_CPUTIME_ID), unit.heat.is_plain())
    }

    /// Compiling a unit has taken so many nanoseconds.
    pub fn spend(&self, unit: &Unit, nanoseconds: u64) {
        self.nanoseconds.set(self.nanoseconds.get() + nanoseconds);
        unit.nanoseconds.set(unit.nanoseconds.get() + nanoseconds);
        self.budget.spend(nanoseconds, unit.heat.is_plain());
    }

    /// Puts code where it can run. `None`: there is no more room.
    pub fn put(&self, code: &[u8], limit: usize) -> Option<usize> {
        let mut area = self.area.borrow_mut();
        if let Some(parents) = area.take_if(|area| !area.is_own()) {
            self.inherited.borrow_mut().push(parents);
        }
        if area.is_none() {
            // Where the address space is limited the area, which is mapped twice, leaves the rest to the program; less
            // is better than nothing.
            let limit = address_space::portion(limit, AREA_PART);
            *area = [1, 2, 4, 8, 16, 32].into_iter().find_map(|part| Area::new(limit / part));
            if area.is_none() {
                self.full.set(true);
                complain!("rubellite: warning: no memory for machine code: the JIT is off");
                return None;
            }
        }
        let at = area.as_mut()?.put(code);
        if at.is_none() {
            self.full.set(true);
        }
        at
    }

    /// Keeps an exit as long as the VM lives.
    pub fn keep_exit(&self, exit: Exit) -> *const Exit {
        self.exits.put(exit)
    }

    /// Keeps what an exit has to do besides writing registers; most often it is what the last one had. None: nothing.
    pub fn keep_rest(&self, rest: Rest) -> Option<&'static Rest> {
        if rest.floats.is_empty() && rest.missing.is_empty() {
            return None;
        }
        let last = self.last_rest.get().filter(|last| last.is(&rest));
        self.last_rest.set(Some(last.unwrap_or_else(|| self.rests.put(rest))));
        self.last_rest.get()
    }

    /// Keeps assumptions as long as the VM lives.
    pub fn keep_assumptions(&self, assumptions: Assumptions) -> &'static Assumptions {
        let assumptions = Box::new(assumptions);
        let at: *const Assumptions = &raw const *assumptions;
        self.assumptions.borrow_mut().push(assumptions);
        // SAFETY: boxes do not move; what is compiled runs only while the VM lives.
        unsafe { &*at }
    }

    /// Shows all exits.
    pub fn each_exit(&self, mut show: impl FnMut(&Exit)) {
        self.exits.each(|exit| show(exit));
    }
}

fn make_isa() -> Option<OwnedTargetIsa> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    let wanted = [
        ("opt_level", "none"),
        ("regalloc_algorithm", "backtracking"),
        ("enable_verifier", verify),
        ("is_pic", "false"),
        ("unwind_info", "false"),
        ("enable_probestack", "false"),
    ];
    for (name, value) in wanted {
        flags.set(name, value).ok()?;
    }
    cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()
}
