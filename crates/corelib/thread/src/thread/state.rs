//! Thread: the data of a Thread object, and how it is reached.

use crate::io_waiter::IoWaiter;
use crate::sync::Waiters;
use rubellite_vm::object::{Data, NativeData};
use rubellite_vm::thread::{Activity, ThreadState};
use rubellite_vm::{Ctx, Extension, Result, Value};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// Where a Thread is in its life.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Life {
    /// Allocated only.
    Unborn,
    Alive,
    Dead,
}

/// What a Thread object knows. It outlives the native thread.
pub struct ThreadData {
    pub state: RefCell<Option<Arc<ThreadState>>>,
    pub life: Cell<Life>,
    /// It was killed and runs its ensure clauses.
    pub aborting: Cell<bool>,
    pub body: Cell<Value>,
    pub args: Cell<Value>,
    pub keywords: Cell<bool>,
    /// What the block came to.
    pub result: Cell<Value>,
    /// The exception that ended it, or nil.
    pub error: Cell<Value>,
    /// Variables of the root fiber: a Hash or nil.
    pub locals: Cell<Value>,
    /// Variables of the thread: a Hash or nil.
    pub variables: Cell<Value>,
    /// Fiber storage that it starts with.
    pub storage: Cell<Value>,
    /// What `Fiber.set_scheduler` has set, or nil.
    pub scheduler: Cell<Value>,
    pub group: Cell<Value>,
    pub name: Cell<Value>,
    pub report: Cell<bool>,
    pub abort: Cell<bool>,
    pub priority: Cell<i32>,
    pub native_id: Cell<i64>,
    /// What others have sent: exceptions to raise; nil is a kill.
    pub pending: RefCell<VecDeque<Value>>, // tidy: traced below
    /// Hashes of `handle_interrupt`, innermost last.
    pub masks: RefCell<Vec<Value>>, // tidy: traced below
    /// Mutexes and monitors that it holds. One that nobody refers to any more leaves the list when it dies
    /// (`HeldLists`): nobody can wait for it.
    pub held: RefCell<Vec<Value>>, // tidy: not traced, pruned after marking
    /// The mutex or queue that it waits for, or nil; for the report of a deadlock and for whoever looks from outside.
    pub waits_for: Cell<Value>,
    /// The lists that the thread is on, innermost last.
    pub waits_on: RefCell<Vec<*const Waiters>>,
    /// Threads and fibers in `join`.
    pub joiners: Waiters,
    /// While above zero no asynchronous exception is delivered.
    pub deaf: Cell<u32>,
    /// "file:line" of the block, for `inspect`.
    pub place: RefCell<Option<String>>,
    /// What it waits for descriptors with. The thread that starts it makes it (see `Room` of the VM's threads).
    pub waiter: RefCell<Option<Rc<IoWaiter>>>,
}

impl Default for ThreadData {
    fn default() -> Self {
        let nil = || Cell::new(Value::NIL);
        ThreadData {
            state: RefCell::new(None),
            life: Cell::new(Life::Unborn),
            aborting: Cell::new(false),
            body: nil(),
            args: nil(),
            keywords: Cell::new(false),
            result: nil(),
            error: nil(),
            locals: nil(),
            variables: nil(),
            storage: nil(),
            scheduler: nil(),
            group: nil(),
            name: nil(),
            report: Cell::new(true),
            abort: Cell::new(false),
            priority: Cell::new(0),
            native_id: Cell::new(0),
            pending: RefCell::default(),
            masks: RefCell::default(),
            held: RefCell::default(),
            waits_for: nil(),
            waits_on: RefCell::default(),
            joiners: Waiters::default(),
            deaf: Cell::new(0),
            place: RefCell::new(None),
            waiter: RefCell::new(None),
        }
    }
}

impl ThreadData {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        let cells = [&self.body, &self.args, &self.result, &self.error, &self.locals, &self.variables, &self.storage];
        let more = [&self.scheduler, &self.group, &self.name, &self.waits_for];
        cells.into_iter().chain(more).for_each(|cell| visit(cell.get()));
        self.pending.borrow().iter().for_each(|v| visit(*v));
        self.masks.borrow().iter().for_each(|v| visit(*v));
        self.joiners.trace(visit);
    }

    pub fn living(&self) -> Option<Arc<ThreadState>> {
        if self.life.get() == Life::Alive { self.state.borrow().clone() } else { None }
    }

    pub fn activity(&self) -> Option<Activity> {
        self.living().map(|state| state.activity())
    }
}

/// The lists of held mutexes of all threads that hold, or held, any.
#[derive(Default)]
struct HeldLists(RefCell<Vec<Weak<ThreadData>>>);

impl Extension for HeldLists {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}

    fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        self.0.get_mut().retain(|thread| match thread.upgrade() {
            Some(data) => {
                data.held.borrow_mut().retain(|mutex| alive(*mutex));
                true
            }
            None => false,
        });
    }
}

/// The thread of this data holds the mutex from now on.
#[inline]
pub fn hold(ctx: &Ctx, data: &Rc<ThreadData>, mutex: Value) {
    let mut held = data.held.borrow_mut();
    // The list has room from the first time on.
    if held.capacity() == 0 {
        ctx.extension::<HeldLists>().0.borrow_mut().push(Rc::downgrade(data));
    }
    held.push(mutex);
}

/// The native data of a Thread object.
pub struct Handle(pub Rc<ThreadData>);

impl NativeData for Handle {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        self.0.trace(visit);
    }
}

/// Settings of all threads of a VM.
pub struct Settings {
    pub report: Cell<bool>,
    pub abort: Cell<bool>,
    pub ignore_deadlock: Cell<bool>,
    pub default_group: Cell<Value>,
    /// The main thread waits for the end of the others.
    pub terminating: Cell<bool>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            report: Cell::new(true),
            abort: Cell::new(false),
            ignore_deadlock: Cell::new(false),
            default_group: Cell::new(Value::NIL),
            terminating: Cell::new(false),
        }
    }
}

impl Extension for Settings {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.default_group.get());
    }
}

/// The data of a Thread object.
pub fn data(ctx: &mut Ctx, thread: Value) -> Result<Rc<ThreadData>> {
    match try_data(ctx, thread) {
        Some(data) => Ok(data),
        None => Err(ctx.raise_error("ThreadError", "uninitialized thread")),
    }
}

/// The data of an argument that has to be a Thread.
pub fn of_argument(ctx: &mut Ctx, thread: Value) -> Result<Rc<ThreadData>> {
    match try_data(ctx, thread) {
        Some(data) => Ok(data),
        None => {
            let class = ctx.describe_for_conversion(thread);
            Err(ctx.type_error(&format!("wrong argument type {class} (expected VM/thread)")))
        }
    }
}

pub fn try_data(ctx: &Ctx, thread: Value) -> Option<Rc<ThreadData>> {
    peek(ctx, thread).cloned()
}

/// `try_data` while nothing runs that may change objects.
#[inline]
pub fn peek(ctx: &Ctx, thread: Value) -> Option<&Rc<ThreadData>> {
    Data::state_of::<Handle>(ctx, thread).map(|h| &h.0)
}

/// The data of the running thread.
pub fn current(ctx: &mut Ctx) -> Result<Rc<ThreadData>> {
    let thread = ctx.thread().value.get();
    data(ctx, thread)
}

/// Stores a value in a cell of a Thread object.
pub fn put(ctx: &Ctx, thread: Value, cell: &Cell<Value>, value: Value) {
    cell.set(value);
    ctx.write_barrier(thread, value);
}
