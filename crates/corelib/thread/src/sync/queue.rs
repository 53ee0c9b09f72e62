//! Thread::Queue, and what SizedQueue shares with it.

use super::{Waiters, call_one, pass_on, short_name, uncall, wait_on, wake_all};
use crate::support::limit_of;
use rubellite_vm::object::{Array, Data, NativeData};
use rubellite_vm::vmlock::ParkResult;
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, method, private_method};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Instant;

pub static QUEUE: ClassDef = ClassDef {
    name: "Thread::Queue",
    superclass: "Object",
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::range(0, 1), initialize),
        method("push", Arity::ONE, push),
        method("pop", Arity::range(0, 1).with_keywords(), pop),
        method("close", Arity::NONE, close),
        method("closed?", Arity::NONE, closed_p),
        method("clear", Arity::NONE, clear),
        method("empty?", Arity::NONE, empty_p),
        method("length", Arity::NONE, length),
        method("size", Arity::NONE, length),
        method("num_waiting", Arity::NONE, num_waiting),
        method("freeze", Arity::NONE, freeze),
        method("marshal_dump", Arity::NONE, marshal_dump),
    ],
    ruby: include_str!("queue.rb"),
    setup: Some(setup),
    ..ClassDef::EMPTY
};

pub static CLOSED_QUEUE_ERROR: ClassDef =
    ClassDef { name: "ClosedQueueError", superclass: "StopIteration", ..ClassDef::EMPTY };

/// A queue; with a `max` for SizedQueue.
#[derive(Default)]
pub struct Queue {
    pub items: RefCell<VecDeque<Value>>, // tidy: traced below
    pub closed: Cell<bool>,
    pub poppers: Waiters,
    pub pushers: Waiters,
    /// The most items it takes; 0: any number.
    pub max: Cell<usize>,
    /// `initialize` ran.
    pub ready: Cell<bool>,
}

pub struct Handle(pub Rc<Queue>);

impl NativeData for Handle {
    fn tells_stores() -> bool {
        true
    }

    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        self.0.items.borrow().iter().for_each(|v| visit(*v));
        self.0.poppers.trace(visit);
        self.0.pushers.trace(visit);
    }

    fn memory_size(&self) -> usize {
        self.0.items.borrow().capacity() * size_of::<Value>()
    }
}

fn setup(ctx: &mut Ctx, class: Class) -> Result<()> {
    short_name(ctx, class, "Queue")
}

pub fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, Handle(Rc::default())).value())
}

pub fn of(ctx: &mut Ctx, queue: Value) -> Result<Rc<Queue>> {
    match Data::state_of::<Handle>(ctx, queue) {
        Some(handle) if handle.0.ready.get() => Ok(handle.0.clone()),
        _ => {
            let shown = ctx.any_to_s(queue);
            Err(ctx.type_error(&format!("{shown} not initialized")))
        }
    }
}

/// The state of an object whose `initialize` begins.
pub fn initialized(ctx: &mut Ctx, recv: Value) -> Result<Rc<Queue>> {
    if let Some(handle) = Data::state_of::<Handle>(ctx, recv) {
        handle.0.ready.set(true);
    }
    of(ctx, recv)
}

/// `Queue.new(items = [])`
fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let list = match args.get(0) {
        Some(items) => Some(to_array(ctx, items)?),
        None => None,
    };
    let queue = initialized(ctx, recv)?;
    queue.items.borrow_mut().clear();
    let Some(list) = list else { return Ok(recv) };
    for i in 0..list.len() {
        let item = list.get(i).unwrap_or(Value::NIL);
        queue.items.borrow_mut().push_back(item);
        ctx.write_barrier(recv, item);
    }
    Ok(recv)
}

fn to_array(ctx: &mut Ctx, items: Value) -> Result<Array> {
    let to_a = ctx.names().to_a;
    let class = ctx.describe_for_conversion(items);
    if !ctx.respond_to(items, to_a, true)? {
        return Err(ctx.type_error(&format!("can't convert {class} into Array")));
    }
    let list = ctx.call(items, to_a, &[])?;
    match Array::try_of(list) {
        Some(list) => Ok(list),
        None => {
            let got = ctx.real_class(list).inspect(ctx);
            Err(ctx.type_error(&format!("can't convert {class} into Array ({class}#to_a gives {got})")))
        }
    }
}

pub fn closed_error(ctx: &mut Ctx) -> rubellite_vm::Unwind {
    ctx.raise_error("ClosedQueueError", "queue closed")
}

/// Adds an item and wakes one that waits for it.
pub fn put(ctx: &mut Ctx, queue: &Queue, recv: Value, item: Value) -> Result<()> {
    if queue.items.borrow_mut().try_reserve(1).is_err() {
        return Err(ctx.no_memory());
    }
    queue.items.borrow_mut().push_back(item);
    ctx.write_barrier(recv, item);
    uncall(ctx, &queue.pushers, queue.max.get().saturating_sub(queue.items.borrow().len()));
    call_one(ctx, &queue.poppers)
}

fn push(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let queue = of(ctx, recv)?;
    if queue.closed.get() {
        return Err(closed_error(ctx));
    }
    put(ctx, &queue, recv, args.at(0))?;
    Ok(recv)
}

/// How long `pop` and `push` wait: `(non_block = false, timeout: nil)`, the flag at `position`.
pub enum Patience {
    None,
    Until(Option<Instant>),
}

pub fn patience(ctx: &mut Ctx, args: Args, position: usize) -> Result<Patience> {
    args.check_keywords(ctx, &["timeout"])?;
    let non_block = args.positional().get(position).is_some_and(Value::truthy);
    let timeout = args.keyword(ctx, "timeout").filter(|t| !t.is_nil());
    match (non_block, timeout) {
        (true, Some(_)) => Err(ctx.argument_error("can't set a timeout if non_block is enabled")),
        (true, None) => Ok(Patience::None),
        (false, None) => Ok(Patience::Until(None)),
        (false, Some(timeout)) => Ok(Patience::Until(Some(limit_of(ctx, timeout)?))),
    }
}

pub fn pop(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let queue = of(ctx, recv)?;
    if !args.has_keywords() && args.is_empty() && !queue.items.borrow().is_empty() {
        return take(ctx, &queue);
    }
    let patience = patience(ctx, args, 0)?;
    while queue.items.borrow().is_empty() {
        let deadline = match patience {
            Patience::None => return Err(ctx.raise_error("ThreadError", "queue empty")),
            Patience::Until(_) if queue.closed.get() => return Ok(Value::NIL),
            Patience::Until(deadline) => deadline,
        };
        let outcome = wait_on(ctx, &queue.poppers, recv, deadline);
        let empty = queue.items.borrow().is_empty();
        match outcome {
            Ok(ParkResult::TimedOut) if empty => return Ok(Value::NIL),
            Ok(_) => {}
            Err(unwind) if empty => return Err(unwind),
            Err(unwind) => return Err(pass_on(ctx, &queue.poppers, unwind)),
        }
    }
    take(ctx, &queue)
}

/// As many as there are items need to come. Of a closed queue all: they learn that nothing follows.
fn uncall_poppers(ctx: &Ctx, queue: &Queue) {
    if !queue.closed.get() {
        uncall(ctx, &queue.poppers, queue.items.borrow().len());
    }
}

fn take(ctx: &mut Ctx, queue: &Queue) -> Result {
    let item = queue.items.borrow_mut().pop_front().unwrap_or(Value::NIL);
    uncall_poppers(ctx, queue);
    call_one(ctx, &queue.pushers)?;
    Ok(item)
}

pub fn close(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let queue = of(ctx, recv)?;
    if !queue.closed.replace(true) {
        wake_all(ctx, &queue.poppers)?;
        wake_all(ctx, &queue.pushers)?;
    }
    Ok(recv)
}

fn closed_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(ctx, recv)?.closed.get()))
}

pub fn clear(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let queue = of(ctx, recv)?;
    queue.items.borrow_mut().clear();
    uncall_poppers(ctx, &queue);
    wake_all(ctx, &queue.pushers)?;
    Ok(recv)
}

pub fn empty_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(of(ctx, recv)?.items.borrow().is_empty()))
}

pub fn length(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(of(ctx, recv)?.items.borrow().len() as i64))
}

pub fn num_waiting(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let queue = of(ctx, recv)?;
    Ok(Value::fixnum((queue.poppers.everyone() + queue.pushers.everyone()) as i64))
}

pub fn freeze(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let shown = ctx.any_to_s(recv);
    Err(ctx.type_error(&format!("cannot freeze {shown}")))
}

pub fn marshal_dump(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let class = ctx.real_class(recv).inspect(ctx);
    Err(ctx.type_error(&format!("can't dump {class}")))
}
