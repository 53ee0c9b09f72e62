//! Generating machine code outside the VM's lock, on a native thread.
//!
//! Lowering reads the program's objects and happens with the lock. What it makes refers to objects of the VM by numbers
//! only, so that the longer part, from there to bytes, is done by one native thread, which starts with the first unit
//! and ends with the VM. When bytes are ready it sets COMPILED in the interrupt word of the thread that had asked. At
//! that thread's next safepoint, or when something else is compiled, the bytes are put where they run. Until then the
//! interpreter goes on, or the unit's former code.

use crate::budget::thread_time;
use cranelift_codegen::Context;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::OwnedTargetIsa;
use rubellite_value::Value;
use rubellite_vm::address_space;
use rubellite_vm::complain;
use rubellite_vm::thread::interrupt_bits;
use rubellite_vm::vmlock::{LockThread, block_signals, spawn_native};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Units that wait at most; others are asked for again later, and the hottest ask most often.
const WAITING_MAX: usize = 16;

/// After so long without an order the native thread gives back what the generator needed: some 10 MB in a Rails
/// application.
const IDLE: Duration = Duration::from_millis(300);

/// The stack of the native thread. Cranelift's passes recurse little.
const STACK_BYTES: usize = 2 << 20;

/// What was lowered.
pub struct Job {
    pub function: Box<Function>,
    pub words: usize,
    /// The name under which it is to be shown, if it is.
    pub asm: Option<String>,
}

/// What became of it.
pub struct Made<U> {
    pub unit: U,
    pub words: usize,
    pub outcome: Outcome,
    /// Processor time that it took.
    pub nanoseconds: u64,
}

pub enum Outcome {
    /// Machine code.
    Bytes(Vec<u8>),
    /// It cannot be compiled.
    Refused,
    /// The native thread that had it is in the process that has forked this one.
    Lost,
}

/// Which unit something is for, by its number among the pending ones: the native thread knows no units.
type Number = u64;

struct Order {
    number: Number,
    job: Job,
    asker: Arc<LockThread>,
}

#[derive(Default)]
struct Bench {
    orders: VecDeque<Order>,
    made: Vec<Made<Number>>,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    bench: Mutex<Bench>,
    came: Condvar,
}

impl Shared {
    fn bench(&self) -> MutexGuard<'_, Bench> {
        self.bench.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The native thread of this process.
struct Worker {
    shared: Arc<Shared>,
    process: u32,
}

struct Pending<U> {
    number: Number,
    unit: U,
    /// The object that keeps the unit's code.
    code: Value, // tidy: traced by Beside
}

/// The holder of the lock's side. `U`: what it calls a unit.
pub struct Beside<U> {
    worker: RefCell<Option<Worker>>,
    pending: RefCell<Vec<Pending<U>>>,
    lost: RefCell<Vec<Pending<U>>>,
}

impl<U> Default for Beside<U> {
    fn default() -> Beside<U> {
        Beside { worker: RefCell::default(), pending: RefCell::default(), lost: RefCell::default() }
    }
}

impl<U> Beside<U> {
    /// Whether another unit can be taken.
    pub fn has_room(&self) -> bool {
        self.pending.borrow().len() < WAITING_MAX
    }

    pub fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.pending.borrow().iter().chain(self.lost.borrow().iter()).for_each(|pending| mark(pending.code));
    }

    /// Has a unit's machine code generated, for a thread that is told when it is ready. The job comes back where no
    /// native thread can be had.
    pub fn order(
        &self,
        isa: &OwnedTargetIsa,
        unit: U,
        code: Value,
        job: Job,
        asker: Arc<LockThread>,
    ) -> Result<(), Job> {
        self.lose_parents_orders();
        let mut worker = self.worker.borrow_mut();
        if worker.is_none() {
            *worker = Worker::start(isa.clone());
        }
        let Some(worker) = &*worker else { return Err(job) };
        let mut pending = self.pending.borrow_mut();
        let number = pending.last().map_or(1, |pending| pending.number + 1);
        pending.push(Pending { number, unit, code });
        worker.shared.bench().orders.push_back(Order { number, job, asker });
        worker.shared.came.notify_one();
        Ok(())
    }

    /// What is ready, or lost.
    pub fn take(&self) -> Vec<Made<U>> {
        self.lose_parents_orders();
        let mut list: Vec<Made<U>> = self
            .lost
            .borrow_mut()
            .drain(..)
            .map(|lost| Made { unit: lost.unit, words: 0, outcome: Outcome::Lost, nanoseconds: 0 })
            .collect();
        let worker = self.worker.borrow();
        let Some(worker) = &*worker else { return list };
        let made = std::mem::take(&mut worker.shared.bench().made);
        let mut pending = self.pending.borrow_mut();
        list.extend(made.into_iter().filter_map(|Made { unit: number, words, outcome, nanoseconds }| {
            let at = pending.iter().position(|pending| pending.number == number)?;
            Some(Made { unit: pending.remove(at).unit, words, outcome, nanoseconds })
        }));
        list
    }

    /// In a forked child the native thread is gone, perhaps with its mutex held.
    fn lose_parents_orders(&self) {
        let mut worker = self.worker.borrow_mut();
        if let Some(parents) = worker.take_if(|worker| worker.process != std::process::id()) {
            std::mem::forget(parents);
            self.lost.borrow_mut().append(&mut self.pending.borrow_mut());
        }
    }
}

impl<U> Drop for Beside<U> {
    fn drop(&mut self) {
        if let Some(worker) = self.worker.get_mut().take_if(|worker| worker.process == std::process::id()) {
            worker.shared.bench().closed = true;
            worker.shared.came.notify_one();
        } else {
            std::mem::forget(self.worker.get_mut().take());
        }
    }
}

impl Worker {
    fn start(isa: OwnedTargetIsa) -> Option<Worker> {
        let shared = Arc::<Shared>::default();
        let theirs = shared.clone();
        let started = spawn_native("jit", STACK_BYTES, move || work(&theirs, &isa));
        started.then(|| Worker { shared, process: std::process::id() })
    }
}

/// The native thread's life.
fn work(shared: &Shared, isa: &OwnedTargetIsa) {
    block_signals();
    let mut trimmed = true;
    loop {
        let mut bench = shared.bench();
        let order = loop {
            if bench.closed {
                return;
            }
            if let Some(order) = bench.orders.pop_front() {
                break order;
            }
            if trimmed {
                bench = shared.came.wait(bench).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let (still, wait) = shared.came.wait_timeout(bench, IDLE).unwrap_or_else(PoisonError::into_inner);
            bench = still;
            if wait.timed_out() && bench.orders.is_empty() {
                drop(bench);
                address_space::trim();
                trimmed = true;
                bench = shared.bench();
            }
        };
        drop(bench);
        trimmed = false;
        let Order { number, job, asker } = order;
        let words = job.words;
        let before = thread_time();
        let outcome = generate(isa, job);
        let nanoseconds = thread_time() - before;
        shared.bench().made.push(Made { unit: number, words, outcome, nanoseconds });
        asker.interrupt.set(interrupt_bits::COMPILED);
    }
}

/// Cranelift's intermediate form to machine code. Needs no lock. `asm`: both are shown under this name. Where memory
/// ends the generator panics; the unit is then one that cannot be compiled.
pub fn generate(isa: &OwnedTargetIsa, job: Job) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| generate_bytes(isa, job))).unwrap_or(Outcome::Refused)
}

fn generate_bytes(isa: &OwnedTargetIsa, Job { function, asm, .. }: Job) -> Outcome {
    let mut context = Context::for_function(*function);
    if let Some(name) = asm {
        complain!("; {name}\n{}", context.func.display());
        context.set_disasm(true);
    }
    match context.compile(&**isa, &mut ControlPlane::default()) {
        Ok(compiled) => {
            if let Some(text) = &compiled.vcode {
                complain!("{text}");
            }
            let mut bytes = compiled.code_buffer().to_vec();
            for constant in compiled.buffer.relocs() {
                // Numbers stand as distances from the symbol whose address is zero.
                debug_assert_eq!(constant.kind, Reloc::Abs8);
                let at = constant.offset as usize;
                bytes[at..at + 8].copy_from_slice(&constant.addend.to_ne_bytes());
            }
            Outcome::Bytes(bytes)
        }
        Err(error) => {
            debug_assert!(false, "{:?}", error.inner);
            Outcome::Refused
        }
    }
}
