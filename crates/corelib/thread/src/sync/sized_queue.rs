//! Thread::SizedQueue: a queue whose `push` waits while it is full.

use super::queue::{
    Patience, clear, close, closed_error, empty_p, initialized, length, num_waiting, of, patience, pop, put,
};
use super::{call_one, pass_on, short_name, wait_on};
use rubellite_vm::vmlock::ParkResult;
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, method, private_method};

pub static SIZED_QUEUE: ClassDef = ClassDef {
    name: "Thread::SizedQueue",
    superclass: "Thread::Queue",
    methods: &[
        private_method("initialize", Arity::ONE, initialize),
        method("max", Arity::NONE, max),
        method("max=", Arity::ONE, set_max),
        method("push", Arity::range(1, 2).with_keywords(), push),
        method("pop", Arity::range(0, 1).with_keywords(), pop),
        method("close", Arity::NONE, close),
        method("clear", Arity::NONE, clear),
        method("empty?", Arity::NONE, empty_p),
        method("length", Arity::NONE, length),
        method("size", Arity::NONE, length),
        method("num_waiting", Arity::NONE, num_waiting),
    ],
    ruby: include_str!("sized_queue.rb"),
    setup: Some(setup),
    ..ClassDef::EMPTY
};

fn setup(ctx: &mut Ctx, class: Class) -> Result<()> {
    short_name(ctx, class, "SizedQueue")
}

fn size_argument(ctx: &mut Ctx, value: Value) -> Result<usize> {
    match ctx.to_int(value)? {
        n if n > 0 => Ok(n as usize),
        _ => Err(ctx.argument_error("queue size must be positive")),
    }
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let size = size_argument(ctx, args.at(0))?;
    initialized(ctx, recv)?.max.set(size);
    Ok(recv)
}

fn max(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(of(ctx, recv)?.max.get() as i64))
}

fn set_max(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let size = size_argument(ctx, args.at(0))?;
    let queue = of(ctx, recv)?;
    let more = size.saturating_sub(queue.max.replace(size));
    for _ in 0..more.min(queue.pushers.len()) {
        call_one(ctx, &queue.pushers)?;
    }
    Ok(args.at(0))
}

/// `push(object, non_block = false, timeout: nil)`; nil when the time ran out.
fn push(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let queue = of(ctx, recv)?;
    let patience = patience(ctx, args, 1)?;
    loop {
        if queue.closed.get() {
            return Err(closed_error(ctx));
        }
        let is_full = || queue.items.borrow().len() >= queue.max.get();
        if !is_full() {
            put(ctx, &queue, recv, args.at(0))?;
            return Ok(recv);
        }
        let Patience::Until(deadline) = patience else {
            return Err(ctx.raise_error("ThreadError", "queue full"));
        };
        let outcome = wait_on(ctx, &queue.pushers, recv, deadline);
        match outcome {
            Ok(ParkResult::TimedOut) if is_full() && !queue.closed.get() => return Ok(Value::NIL),
            Ok(_) => {}
            Err(unwind) if is_full() => return Err(unwind),
            Err(unwind) => return Err(pass_on(ctx, &queue.pushers, unwind)),
        }
    }
}
