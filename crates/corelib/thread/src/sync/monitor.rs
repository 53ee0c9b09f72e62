//! Monitor: a mutex that its owner may enter again. MonitorMixin and its condition variable are the library's,
//! or `monitor_mixin.rb`.

use super::mutex;
use rubellite_vm::object::{Data, NativeData};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, primitive};
use std::cell::Cell;

pub static MONITOR: ClassDef = ClassDef {
    name: "Monitor",
    superclass: "Object",
    alloc: Some(allocate),
    methods: &[
        method("enter", Arity::NONE, enter),
        method("try_enter", Arity::NONE, try_enter),
        method("exit", Arity::NONE, exit),
        method("mon_locked?", Arity::NONE, locked_p),
        method("mon_owned?", Arity::NONE, owned_p),
        method("mon_check_owner", Arity::NONE, check_owner),
        method("wait_for_cond", Arity::exact(2), wait_for_cond),
        // For the Ruby part, which programs do not redefine.
    ],
    primitives: &[primitive("monitor_enter", Arity::NONE, enter), primitive("monitor_exit", Arity::NONE, exit)],
    ruby: include_str!("monitor.rb"),
    ..ClassDef::EMPTY
};

struct State {
    /// A Mutex of its own; whoever owns it owns the monitor.
    mutex: Value,
    /// How often the owner has entered.
    count: Cell<usize>,
}

impl NativeData for State {
    fn tells_stores() -> bool {
        true
    }

    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.mutex);
    }
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let mutex_class = ctx.named_class("Thread::Mutex")?.value();
    let mutex = mutex::allocate(ctx, mutex_class)?;
    let monitor = Data::new(ctx, class, State { mutex, count: Cell::new(0) }).value();
    std::hint::black_box(mutex);
    Ok(monitor)
}

fn of(ctx: &mut Ctx, monitor: Value) -> Result<&State> {
    if Data::state_of::<State>(ctx, monitor).is_none() {
        return Err(ctx.type_error("uninitialized Monitor"));
    }
    Data::state_of::<State>(ctx, monitor).ok_or(rubellite_vm::Unwind)
}

fn is_owned(ctx: &Ctx, mutex: Value) -> bool {
    mutex::lock_of(ctx, mutex).is_some_and(|lock| lock.is_owned(ctx))
}

fn enter(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mutex = of(ctx, recv)?.mutex;
    if !is_owned(ctx, mutex) {
        mutex::lock_anywhere(ctx, mutex, args)?;
        of(ctx, recv)?.count.set(0);
    }
    let state = of(ctx, recv)?;
    state.count.set(state.count.get() + 1);
    Ok(Value::NIL)
}

fn try_enter(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mutex = of(ctx, recv)?.mutex;
    if !is_owned(ctx, mutex) {
        if !mutex::try_lock(ctx, mutex, args)?.truthy() {
            return Ok(Value::FALSE);
        }
        of(ctx, recv)?.count.set(0);
    }
    let state = of(ctx, recv)?;
    state.count.set(state.count.get() + 1);
    Ok(Value::TRUE)
}

fn exit(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    check_owner(ctx, recv, args)?;
    let state = of(ctx, recv)?;
    let (mutex, count) = (state.mutex, state.count.get().saturating_sub(1));
    state.count.set(count);
    if count == 0 {
        mutex::unlock(ctx, mutex, args)?;
    }
    Ok(Value::NIL)
}

fn locked_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let mutex = of(ctx, recv)?.mutex;
    Ok(Value::from_bool(mutex::lock_of(ctx, mutex).is_some_and(|lock| lock.is_locked())))
}

fn owned_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let mutex = of(ctx, recv)?.mutex;
    Ok(Value::from_bool(is_owned(ctx, mutex)))
}

fn check_owner(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let mutex = of(ctx, recv)?.mutex;
    if !is_owned(ctx, mutex) {
        return Err(ctx.raise_error("ThreadError", "current fiber not owner"));
    }
    Ok(Value::NIL)
}

/// `wait_for_cond(condition, timeout)`: waits with the monitor left however often it was entered.
fn wait_for_cond(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let state = of(ctx, recv)?;
    let (mutex, count) = (state.mutex, state.count.replace(0));
    let (condition, timeout) = (args.at(0), args.at(1));
    ctx.ensure(
        |ctx| {
            let slept = ctx.call_name(condition, "wait", &[mutex, timeout])?;
            Ok(Value::from_bool(slept.truthy()))
        },
        |ctx| {
            of(ctx, recv)?.count.set(count);
            Ok(())
        },
    )
}
