//! Ractor: the data of a Ractor object, and how it is reached.

use rubellite_core_thread::Waiters;
use rubellite_vm::object::{Data, NativeData};
use rubellite_vm::{Ctx, Extension, Result, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What a Ractor object knows. It outlives the ractor's threads.
pub struct RactorData {
    pub id: u32,
    /// A String or nil.
    pub name: Cell<Value>,
    /// "file:line" of `Ractor.new`; none: the main ractor.
    pub place: Option<String>,
    /// The thread that runs its block.
    pub lead: Cell<Value>,
    /// Its block is over and its threads have ended.
    pub ended: Cell<bool>,
    /// What the block came to, or the exception that ended it.
    pub outcome: Cell<Value>,
    pub failed: Cell<bool>,
    /// The ractor that has asked for the outcome first: only that one gets it.
    pub successor: Cell<u32>,
    pub default_port: Cell<Value>,
    pub next_port: Cell<u64>,
    /// Ports that are told of its end.
    pub monitors: RefCell<Vec<Value>>, // tidy: traced below
    /// Its threads that wait for a message.
    pub receivers: Waiters,
    /// Ractor-local storage: a Hash or nil.
    pub locals: Cell<Value>,
    /// A Mutex for `store_if_absent`, or nil.
    pub locals_mutex: Cell<Value>,
}

impl RactorData {
    pub fn new(id: u32, name: Value, place: Option<String>) -> RactorData {
        let nil = || Cell::new(Value::NIL);
        RactorData {
            id,
            name: Cell::new(name),
            place,
            lead: nil(),
            ended: Cell::new(false),
            outcome: nil(),
            failed: Cell::new(false),
            successor: Cell::new(0),
            default_port: nil(),
            next_port: Cell::new(0),
            monitors: RefCell::default(),
            receivers: Waiters::default(),
            locals: nil(),
            locals_mutex: nil(),
        }
    }
}

/// The native data of a Ractor object.
pub struct Handle(pub Rc<RactorData>);

impl NativeData for Handle {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        let data = &self.0;
        [&data.name, &data.lead, &data.outcome, &data.default_port, &data.locals, &data.locals_mutex]
            .into_iter()
            .for_each(|cell| visit(cell.get()));
        data.monitors.borrow().iter().for_each(|port| visit(*port));
        data.receivers.trace(visit);
    }
}

/// The ractors of a VM.
#[derive(Default)]
pub struct Table {
    pub main: Cell<Option<Value>>,
    /// Those that have not ended, the main one excepted.
    pub living: RefCell<Vec<Value>>, // tidy: traced below
    pub last_id: Cell<u32>,
}

impl Extension for Table {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.main.get().into_iter().for_each(&mut *mark);
        self.living.borrow().iter().for_each(|ractor| mark(*ractor));
    }
}

/// The data of a Ractor object.
pub fn data(ctx: &mut Ctx, ractor: Value) -> Result<Rc<RactorData>> {
    match try_data(ctx, ractor) {
        Some(data) => Ok(data),
        None => Err(ctx.type_error("uninitialized Ractor")),
    }
}

pub fn try_data(ctx: &Ctx, ractor: Value) -> Option<Rc<RactorData>> {
    Data::state_of::<Handle>(ctx, ractor).map(|handle| handle.0.clone())
}

/// The Ractor object with this number, while it has not ended.
pub fn by_id(ctx: &Ctx, id: u32) -> Option<Value> {
    let table = ctx.extension::<Table>();
    if id == rubellite_vm::ractor::MAIN {
        return table.main.get();
    }
    let living = table.living.borrow();
    living.iter().copied().find(|ractor| try_data(ctx, *ractor).is_some_and(|data| data.id == id))
}

/// The Ractor object of the running thread.
pub fn current(ctx: &Ctx) -> Value {
    by_id(ctx, ctx.ractor_id()).unwrap_or(Value::NIL)
}

/// The data of the running thread's ractor.
pub fn current_data(ctx: &mut Ctx) -> Result<Rc<RactorData>> {
    let ractor = current(ctx);
    data(ctx, ractor)
}

/// An error class, by its path.
pub fn error(ctx: &mut Ctx, path: &'static str, message: &str) -> rubellite_vm::Unwind {
    match ctx.named_class(path) {
        Ok(class) => {
            let exception = ctx.new_error(class, message);
            ctx.raise(exception)
        }
        Err(unwind) => unwind,
    }
}

/// Stores a value in a cell of a Ractor object.
pub fn put(ctx: &Ctx, ractor: Value, cell: &Cell<Value>, value: Value) {
    cell.set(value);
    ctx.write_barrier(ractor, value);
}
