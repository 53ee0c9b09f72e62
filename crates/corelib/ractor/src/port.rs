//! Ractor::Port: a queue of messages that any ractor sends to and one ractor receives from.

use super::state::{self, RactorData, current, current_data, error};
use super::transfer;
use rubellite_core_thread::{wait_on, wake_all};
use rubellite_vm::object::{Array, Data, NativeData, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, method, private_method};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

pub static PORT: ClassDef = ClassDef {
    name: "Ractor::Port",
    superclass: "Object",
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::NONE, initialize),
        private_method("initialize_copy", Arity::ONE, initialize_copy),
        method("receive", Arity::NONE, receive),
        method("send", Arity::range(1, 1).with_keywords(), send),
        method("<<", Arity::range(1, 1).with_keywords(), send),
        method("close", Arity::NONE, close),
        method("closed?", Arity::NONE, closed_p),
        method("inspect", Arity::NONE, inspect),
        method("to_s", Arity::NONE, inspect),
    ],
    setup: Some(setup),
    ..ClassDef::EMPTY
};

/// The main ractor is older than this class.
fn setup(ctx: &mut Ctx, _class: Class) -> Result<()> {
    let main = current(ctx);
    let data = state::data(ctx, main)?;
    let port = new(ctx, main, &data)?;
    state::put(ctx, main, &data.default_port, port);
    Ok(())
}

pub struct Port {
    /// The Ractor object that receives.
    owner: Value,
    id: u64,
    messages: RefCell<VecDeque<Value>>, // tidy: traced below
    closed: Cell<bool>,
}

struct Handle(Rc<Port>);

impl NativeData for Handle {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.0.owner);
        self.0.messages.borrow().iter().for_each(|message| visit(*message));
    }

    fn memory_size(&self) -> usize {
        self.0.messages.borrow().capacity() * size_of::<Value>()
    }
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new_empty(ctx, class).value())
}

fn install(ctx: &mut Ctx, port: Data, owner: Value, data: &RactorData) {
    let id = data.next_port.get() + 1;
    data.next_port.set(id);
    port.install(ctx, Handle(Rc::new(Port { owner, id, messages: RefCell::default(), closed: Cell::new(false) })));
    ctx.freeze_shareable(port.value());
}

/// A new port of a ractor.
pub fn new(ctx: &mut Ctx, owner: Value, data: &RactorData) -> Result {
    let class = ctx.named_class("Ractor::Port")?;
    let port = Data::new_empty(ctx, class.value());
    install(ctx, port, owner, data);
    Ok(port.value())
}

fn initialize(ctx: &mut Ctx, port: Data, _args: Args) -> Result {
    let owner = current(ctx);
    let data = state::data(ctx, owner)?;
    install(ctx, port, owner, &data);
    Ok(port.value())
}

fn initialize_copy(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    let port = of(ctx, args.at(0))?;
    data.install(ctx, Handle(port));
    ctx.freeze_shareable(data.value());
    Ok(data.value())
}

pub fn of(ctx: &mut Ctx, port: Value) -> Result<Rc<Port>> {
    match Data::state_of::<Handle>(ctx, port) {
        Some(handle) => Ok(handle.0.clone()),
        None => {
            let class = ctx.real_class(port).inspect(ctx);
            Err(ctx.type_error(&format!("uninitialized {class}")))
        }
    }
}

fn closed_error(ctx: &mut Ctx) -> rubellite_vm::Unwind {
    error(ctx, "Ractor::ClosedError", "The port was already closed")
}

impl Port {
    /// Closed by its ractor, or with it.
    fn is_closed(&self, ctx: &Ctx) -> bool {
        self.closed.get() || state::try_data(ctx, self.owner).is_none_or(|owner| owner.ended.get())
    }
}

/// Puts a message that the receiver may have as it is into a port, unless the port is closed.
pub fn deliver(ctx: &mut Ctx, recv: Value, message: Value) -> Result<bool> {
    let port = of(ctx, recv)?;
    if port.is_closed(ctx) {
        return Ok(false);
    }
    port.messages.borrow_mut().push_back(message);
    ctx.write_barrier(recv, message);
    let owner = state::data(ctx, port.owner)?;
    wake_all(ctx, &owner.receivers)?;
    Ok(true)
}

/// `send(message, move: false) -> self`
///
/// # Errors
/// Ractor::ClosedError; Ractor::Error when the message can be neither copied nor moved.
fn send(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &["move"])?;
    let moves = args.keyword(ctx, "move").is_some_and(|given| given.truthy());
    of(ctx, recv)?;
    let message = transfer::message(ctx, args.at(0), moves)?;
    if deliver(ctx, recv, message)? { Ok(recv) } else { Err(closed_error(ctx)) }
}

/// `receive -> message`: waits for one.
///
/// # Errors
/// Ractor::ClosedError when the port is closed and empty, Ractor::Error in a ractor that did not make the port.
fn receive(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (_, message) = receive_any(ctx, &[recv])?;
    Ok(message)
}

/// Waits until one of the ports, which are reachable for the caller, has a message.
fn receive_any(ctx: &mut Ctx, ports: &[Value]) -> Result<(Value, Value)> {
    let mut known = Vec::with_capacity(ports.len());
    for port in ports {
        known.push(of(ctx, *port)?);
    }
    let me = current(ctx);
    if known.iter().any(|port| port.owner != me) {
        return Err(error(ctx, "Ractor::Error", "only allowed from the creator Ractor of this port"));
    }
    let data = current_data(ctx)?;
    loop {
        for (value, port) in ports.iter().zip(&known) {
            let message = port.messages.borrow_mut().pop_front();
            match message {
                Some(message) => return Ok((*value, message)),
                None if port.is_closed(ctx) => return Err(closed_error(ctx)),
                None => {}
            }
        }
        wait_on(ctx, &data.receivers, me, None)?;
    }
}

/// `Ractor.__select(ports) -> [port, message]`
pub fn select(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let ports = ctx.to_ary(args.at(0))?;
    let list = ports.slice(ctx).to_vec(); // tidy: the Array keeps them
    let (port, message) = receive_any(ctx, &list)?;
    std::hint::black_box(ports);
    Ok(Array::from_slice(ctx, &[port, message]).value())
}

/// `close -> self`
fn close(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let port = of(ctx, recv)?;
    if port.owner != current(ctx) {
        return Err(error(ctx, "Ractor::Error", "closing port by other ractors is not allowed"));
    }
    if !port.closed.replace(true) {
        let data = current_data(ctx)?;
        wake_all(ctx, &data.receivers)?;
    }
    Ok(recv)
}

fn closed_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let port = of(ctx, recv)?;
    Ok(Value::from_bool(port.is_closed(ctx)))
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let port = of(ctx, recv)?;
    let owner = state::data(ctx, port.owner)?;
    Ok(Str::utf8(ctx, &format!("#<Ractor::Port to:#{} id:{}>", owner.id, port.id)).value())
}
