//! Thread::ConditionVariable.

use super::{Waiters, short_name, wake_all, wake_one};
use rubellite_vm::object::{Data, NativeData};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, method, private_method};
use std::rc::Rc;

pub static CONDITION_VARIABLE: ClassDef = ClassDef {
    name: "Thread::ConditionVariable",
    superclass: "Object",
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::NONE, initialize),
        method("wait", Arity::range(1, 2), wait),
        method("signal", Arity::NONE, signal),
        method("broadcast", Arity::NONE, broadcast),
        method("marshal_dump", Arity::NONE, super::queue::marshal_dump),
    ],
    ruby: "class Thread::ConditionVariable; undef_method :initialize_copy; end",
    setup: Some(setup),
    ..ClassDef::EMPTY
};

struct Handle(Rc<Waiters>);

impl NativeData for Handle {
    fn tells_stores() -> bool {
        true
    }

    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        self.0.trace(visit);
    }
}

fn setup(ctx: &mut Ctx, class: Class) -> Result<()> {
    short_name(ctx, class, "ConditionVariable")
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, Handle(Rc::default())).value())
}

fn initialize(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

fn waiters(ctx: &mut Ctx, recv: Value) -> Result<Rc<Waiters>> {
    match Data::state_of::<Handle>(ctx, recv) {
        Some(handle) => Ok(handle.0.clone()),
        None => Err(ctx.type_error("uninitialized Thread::ConditionVariable")),
    }
}

/// `wait(mutex, timeout = nil)`: what `mutex.sleep(timeout)` answers. A fiber waits for the mutex, as its scheduler
/// hears.
fn wait(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let waiters = waiters(ctx, recv)?;
    let sleep = ctx.intern("sleep");
    waiters.enter(ctx, recv, args.at(0), |ctx| ctx.call(args.at(0), sleep, &[args.at(1)]))
}

fn signal(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let waiters = waiters(ctx, recv)?;
    wake_one(ctx, &waiters)?;
    Ok(recv)
}

fn broadcast(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let waiters = waiters(ctx, recv)?;
    wake_all(ctx, &waiters)?;
    Ok(recv)
}
