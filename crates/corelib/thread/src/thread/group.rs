//! ThreadGroup: a label that threads inherit and that may be closed.

use super::life::living;
use super::state::{Settings, data, of_argument, put};
use rubellite_vm::object::{Data, NativeData};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, method};
use std::cell::Cell;

pub static THREAD_GROUP: ClassDef = ClassDef {
    name: "ThreadGroup",
    superclass: "Object",
    alloc: Some(allocate),
    methods: &[
        method("add", Arity::ONE, add),
        method("list", Arity::NONE, list),
        method("enclose", Arity::NONE, enclose),
        method("enclosed?", Arity::NONE, enclosed_p),
    ],
    setup: Some(setup),
    ..ClassDef::EMPTY
};

#[derive(Default)]
struct Group {
    enclosed: Cell<bool>,
}

impl NativeData for Group {}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, Group::default()).value())
}

fn setup(ctx: &mut Ctx, class: Class) -> Result<()> {
    let default = allocate(ctx, class.value())?;
    class.set_const(ctx, "Default", default);
    ctx.extension::<Settings>().default_group.set(default);
    let main = ctx.thread().value.get();
    let data = data(ctx, main)?;
    put(ctx, main, &data.group, default);
    Ok(())
}

/// A new group.
pub fn new(ctx: &mut Ctx) -> Result {
    let class = ctx.named_class("ThreadGroup")?;
    allocate(ctx, class.value())
}

/// `ThreadGroup::Default`
pub fn default(ctx: &mut Ctx) -> Result {
    Ok(ctx.extension::<Settings>().default_group.get())
}

fn is_enclosed(ctx: &Ctx, group: Value) -> bool {
    Data::state_of::<Group>(ctx, group).is_some_and(|g| g.enclosed.get())
}

fn is_frozen(group: Value) -> bool {
    group.header().is_some_and(|h| h.frozen())
}

/// Raises when no thread may be started in the group.
pub fn check_start(ctx: &mut Ctx, group: Value) -> Result<()> {
    if is_frozen(group) {
        return Err(ctx.raise_error("ThreadError", "can't start a new thread (frozen ThreadGroup)"));
    }
    Ok(())
}

/// `thread.group`
pub fn of_thread(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(data(ctx, recv)?.group.get())
}

fn add(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let thread = args.at(0);
    let data = of_argument(ctx, thread)?;
    let from = data.group.get();
    let refusal = match () {
        _ if is_frozen(recv) => Some("can't move to the frozen thread group"),
        _ if is_enclosed(ctx, recv) => Some("can't move to the enclosed thread group"),
        _ if is_frozen(from) => Some("can't move from the frozen thread group"),
        _ if is_enclosed(ctx, from) => Some("can't move from the enclosed thread group"),
        _ => None,
    };
    match refusal {
        Some(message) => Err(ctx.raise_error("ThreadError", message)),
        None => {
            put(ctx, thread, &data.group, recv);
            Ok(recv)
        }
    }
}

fn list(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let threads = living(ctx);
    for i in (0..threads.len()).rev() {
        let thread = threads.get(i).unwrap_or(Value::NIL);
        if data(ctx, thread)?.group.get() != recv {
            threads.delete_at(ctx, i);
        }
    }
    Ok(threads.value())
}

fn enclose(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if let Some(group) = Data::state_of::<Group>(ctx, recv) {
        group.enclosed.set(true);
    }
    Ok(recv)
}

fn enclosed_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(is_enclosed(ctx, recv)))
}
