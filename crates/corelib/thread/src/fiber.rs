//! Fiber: methods. Stacks and switching are `vm::fiber`; storage is `storage.rs`, schedulers are `scheduler.rs`.

use super::support::{backtrace_value, exception_from, is_range, proc_place};
use super::{scheduler, storage};
use rubellite_vm::fiber::{FiberState, FiberStatus};
use rubellite_vm::object::exception::Positions;
use rubellite_vm::object::proc::ProcBody;
use rubellite_vm::object::{Array, Data, Proc, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, private_method};

pub static FIBER: ClassDef = ClassDef {
    name: "Fiber",
    superclass: "Object",
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::ANY.with_keywords(), initialize),
        method("resume", Arity::ANY, resume),
        method("transfer", Arity::ANY, transfer),
        method("raise", Arity::ANY, raise),
        method("kill", Arity::NONE, kill),
        method("alive?", Arity::NONE, alive_p).tries(try_alive_p),
        method("blocking?", Arity::NONE, blocking_p),
        method("backtrace", Arity::range(0, 2), backtrace),
        method("backtrace_locations", Arity::range(0, 2), backtrace_locations),
        method("inspect", Arity::NONE, inspect),
        method("to_s", Arity::NONE, inspect),
        method("storage", Arity::NONE, storage::storage),
        method("storage=", Arity::ONE, storage::set_storage),
    ],
    singleton_methods: &[
        method("yield", Arity::ANY, fiber_yield),
        method("current", Arity::NONE, current).tries(try_current),
        method("blocking?", Arity::NONE, current_blocking_p),
        method("blocking", Arity::NONE, blocking),
        method("set_scheduler", Arity::ONE, scheduler::fiber_set_scheduler),
        method("scheduler", Arity::NONE, scheduler::fiber_scheduler),
        method("current_scheduler", Arity::NONE, scheduler::fiber_current_scheduler),
        method("schedule", Arity::ANY, scheduler::fiber_schedule),
        method("[]", Arity::ONE, storage::get),
        method("[]=", Arity::exact(2), storage::set),
    ],
    ..ClassDef::EMPTY
};

pub static FIBER_ERROR: ClassDef = ClassDef { name: "FiberError", superclass: "StandardError", ..ClassDef::EMPTY };

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new_empty(ctx, class).value())
}

/// `Fiber.new(blocking: false, storage: true) { |*args| ... }`; `pool:` is taken and has no effect: there is one pool.
fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !args.has_block() {
        return Err(ctx.argument_error("tried to create Proc object without a block"));
    }
    args.check_keywords(ctx, &["blocking", "pool", "storage"])?;
    let body = ctx.block_to_value(args.block);
    let blocking = args.keyword(ctx, "blocking").is_some_and(Value::truthy);
    let storage = match args.keyword(ctx, "storage") {
        None | Some(Value::TRUE) => storage::inherited(ctx)?,
        Some(given) => storage::checked(ctx, given)?,
    };
    let Some(data) = Data::try_of(recv) else { return Err(ctx.type_error("not a fiber")) };
    ctx.init_fiber(data, body, storage, blocking)?;
    Ok(Value::NIL)
}

fn state(ctx: &mut Ctx, fiber: Value) -> Result<&FiberState> {
    if Data::state_of::<FiberState>(ctx, fiber).is_none() {
        return Err(ctx.raise_error("FiberError", "uninitialized fiber"));
    }
    match ctx.fiber_state(fiber) {
        Some(state) => Ok(state),
        None => unreachable_state(),
    }
}

/// The state was there a moment ago and nothing ran since.
fn unreachable_state<'a>() -> Result<&'a FiberState> {
    Err(rubellite_vm::Unwind)
}

/// What the arguments of `resume`, `transfer` and `yield` come to for one that goes on: nothing is nil, several are an
/// Array.
fn composed(ctx: &mut Ctx, args: Args) -> Value {
    match args.len() {
        0 => Value::NIL,
        1 => args.at(0),
        _ => Array::from_slice(ctx, args.slice()).value(),
    }
}

/// The arguments as a fiber takes them: an Array for one that has not begun.
fn passed(ctx: &mut Ctx, is_new: bool, args: Args) -> Value {
    if is_new { Array::from_slice(ctx, args.slice()).value() } else { composed(ctx, args) }
}

fn resume(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ctx.resume_fiber(recv, args.has_keywords(), |ctx, is_new| passed(ctx, is_new, args))
}

fn transfer(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let is_new = ctx.fiber_state(recv).is_some_and(|state| state.status.get() == FiberStatus::Created);
    let value = passed(ctx, is_new, args);
    ctx.transfer_fiber(recv, value, args.has_keywords(), Value::UNDEF)
}

fn fiber_yield(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let value = composed(ctx, args);
    ctx.yield_fiber(value)
}

/// `raise`, `raise(message)`, `raise(class, message = nil, backtrace = nil, cause: ...)`
fn raise(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    state(ctx, recv)?;
    let exception = exception_from(ctx, args)?;
    ctx.raise_in_fiber(recv, exception)
}

fn kill(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let killed = ctx.kill_fiber(recv)?;
    Ok(if killed { recv } else { Value::FALSE })
}

fn alive_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let status = state(ctx, recv)?.status.get();
    Ok(Value::from_bool(status != FiberStatus::Terminated))
}

fn try_alive_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let status = ctx.fiber_state(recv).map(|state| state.status.get());
    Ok(status.map_or(Value::UNDEF, |status| Value::from_bool(status != FiberStatus::Terminated)))
}

fn blocking_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(state(ctx, recv)?.blocking.get()))
}

fn current(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    ctx.current_fiber_object()
}

/// A root fiber gets its object when it is first asked for.
fn try_current(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let fiber = ctx.known_fiber();
    Ok(if fiber.is_nil() { Value::UNDEF } else { fiber })
}

/// `Fiber.blocking?`: false or the number of blocking fibers (1).
fn current_blocking_p(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let fiber = ctx.current_fiber_object()?;
    let blocking = state(ctx, fiber)?.blocking.get();
    Ok(if blocking { Value::fixnum(1) } else { Value::FALSE })
}

/// `Fiber.blocking { |fiber| ... }`: the running fiber counts as blocking meanwhile.
fn blocking(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let fiber = ctx.current_fiber_object()?;
    let before = state(ctx, fiber)?.blocking.replace(true);
    let block = args.block;
    ctx.ensure(
        |ctx| ctx.yield_one(block, fiber),
        |ctx| {
            state(ctx, fiber)?.blocking.set(before);
            Ok(())
        },
    )
}

fn backtrace(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    levels(ctx, recv, "backtrace", args)
}

fn backtrace_locations(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    levels(ctx, recv, "backtrace_locations", args)
}

/// A part of the fiber's stack. One that has ended has no levels, whatever levels are asked for, and no ranges of them.
fn levels(ctx: &mut Ctx, recv: Value, method: &str, args: Args) -> Result {
    if state(ctx, recv)?.status.get() != FiberStatus::Terminated {
        let positions = ctx.fiber_positions(recv);
        return backtrace_value(ctx, positions, method, args);
    }
    backtrace_value(ctx, Positions::new(), method, args)?;
    Ok(if is_range(args) { Value::NIL } else { Array::new(ctx).value() })
}

/// "#<Fiber:0x... file:line (status)>"
fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (status, body) = {
        let state = state(ctx, recv)?;
        (state.status.get(), state.body())
    };
    let status = match status {
        FiberStatus::Created => "created",
        FiberStatus::Resumed => "resumed",
        FiberStatus::Suspended => "suspended",
        FiberStatus::Terminated => "terminated",
    };
    let head = ctx.any_to_s(recv);
    let place = match Proc::try_of(body).map(|body| *body.body()) {
        Some(ProcBody::Symbol(name)) => format!("(&{})", ctx.inspect(Value::symbol(name))?),
        _ => proc_place(ctx, body).map_or(String::new(), |(path, line)| format!(" {path}:{line}")),
    };
    let text = format!("{}{place} ({status})>", head.trim_end_matches('>'));
    Ok(Str::utf8(ctx, &text).value())
}
