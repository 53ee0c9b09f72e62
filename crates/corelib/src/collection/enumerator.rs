//! Enumerator and its kin. They are written in Ruby (`enumerator.rb`, `lazy.rb`); here are the few natives.
//!
//! State lies in instance variables whose names begin with `@__`, which `instance_variables` leaves out. External
//! iteration (`next`, `peek`) runs the enumeration in a Fiber.

use rubellite_vm::object::Object;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, private_method};

pub static ENUMERATOR: ClassDef = ClassDef {
    name: "Enumerator",
    superclass: "Object",
    includes: &["Enumerable"],
    methods: &[private_method("__guarded", Arity::exact(2), guarded), private_method("__stop_iteration", Arity::ONE, stop_iteration)],
    ruby: include_str!("enumerator.rb"),
    ..ClassDef::EMPTY
};

pub static LAZY: ClassDef = ClassDef { name: "Enumerator::Lazy", superclass: "Enumerator", ruby: include_str!("lazy.rb"), ..ClassDef::EMPTY };

pub static ARITHMETIC_SEQUENCE: ClassDef = ClassDef {
    name: "Enumerator::ArithmeticSequence",
    superclass: "Enumerator",
    no_new: true,
    singleton_methods: &[private_method("__new", Arity::exact(7), new_sequence)],
    ..ClassDef::EMPTY
};

/// `__new(receiver, method, args, begin, end, step, exclude_end)`: what `Range#step` and `Numeric#step` return.
fn new_sequence(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let sequence = Object::new(ctx, recv, 9);
    let setup = ctx.intern("__setup");
    ctx.call_args(sequence, setup, args)?;
    Ok(sequence)
}

/// Runs the block unless the receiver is under the same operation already; then gives the second argument.
pub fn guarded(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(operation) = args.at(0).as_symbol() else { return Ok(Value::NIL) };
    let again = args.at(1);
    ctx.guard_recursion(operation, recv, Value::NIL, |_| Ok(again), |ctx| ctx.yield_values(args.block, &[]))
}

/// The exception that ends external iteration, with the result of the enumeration.
fn stop_iteration(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let class = ctx.error_class("StopIteration");
    let exception = ctx.new_error(class, "iteration reached an end");
    let name = ctx.intern("__result");
    ctx.ivar_set(exception, name, args.at(0));
    Ok(exception)
}
