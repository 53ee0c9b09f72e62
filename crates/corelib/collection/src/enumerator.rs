//! Enumerator and its kin. They are written in Ruby (`enumerator.rb`, `lazy.rb`); here are the few natives.
//!
//! State lies in instance variables whose names begin with `@__`, which `instance_variables` leaves out. External
//! iteration (`next`, `peek`) runs the enumeration in a Fiber.

use rubellite_vm::object::{Array, Hash, Object};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Extension, Result, Value, method, primitive};
use std::cell::Cell;

pub static KERNEL: ClassDef = ClassDef {
    name: "Kernel",
    superclass: "",
    methods: &[
        method("to_enum", Arity::ANY.with_keywords(), to_enum),
        method("enum_for", Arity::ANY.with_keywords(), to_enum),
    ],
    ..ClassDef::EMPTY
};

pub static ENUMERATOR: ClassDef = ClassDef {
    name: "Enumerator",
    superclass: "Object",
    includes: &["Enumerable"],
    methods: &[],
    singleton_methods: &[],
    primitives: &[
        primitive("enumerator_guarded", Arity::exact(2), guarded),
        primitive("enumerator_stop_iteration", Arity::ONE, stop_iteration),
        primitive("enumerator_ask", Arity::NONE, ask),
        primitive("called_name", Arity::NONE, called_name),
        primitive("enumerator_give", Arity::NONE, give),
        primitive("enumerator_over", Arity::exact(5), class_over),
    ],
    ruby: include_str!("enumerator.rb"),
    ..ClassDef::EMPTY
};

pub static LAZY: ClassDef =
    ClassDef { name: "Enumerator::Lazy", superclass: "Enumerator", ruby: include_str!("lazy.rb"), ..ClassDef::EMPTY };

pub static ARITHMETIC_SEQUENCE: ClassDef = ClassDef {
    name: "Enumerator::ArithmeticSequence",
    superclass: "Enumerator",
    no_new: true,
    singleton_methods: &[],
    primitives: &[primitive("arithmetic_sequence_new", Arity::exact(7), new_sequence)],
    ..ClassDef::EMPTY
};

/// The shape of a fresh Enumerator.
#[derive(Default)]
struct Shape(Cell<u32>);

impl Extension for Shape {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// `to_enum(method = :each, *args, **options) { size }`
fn to_enum(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let size = if args.has_block() { ctx.block_to_value(args.block) } else { Value::NIL };
    let positional = args.positional();
    let name = match positional.get(0).or(args.keywords().map(Hash::value)) {
        Some(name) => Value::symbol(ctx.to_symbol(name)?),
        None => Value::symbol(ctx.names().each),
    };
    over(ctx, recv, name, positional.from(1).slice(), args.keywords(), size)
}

/// The Enumerator of a call; `size` is a Proc, a number or nil.
pub fn over(
    ctx: &mut Ctx,
    receiver: Value,
    method: Value,
    args: &[Value],
    options: Option<Hash>,
    size: Value,
) -> Result {
    let list = Array::from_slice(ctx, args).value();
    let options = match options {
        Some(options) => options.value(),
        None => Hash::new(ctx).value(),
    };
    let class = ctx.classes().enumerator.get();
    make(ctx, class, [receiver, method, list, options, size])
}

/// `enumerator_over(receiver, method, args, options, size)`
fn class_over(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    make(ctx, recv, [args.at(0), args.at(1), args.at(2), args.at(3), args.at(4)])
}

fn make(ctx: &mut Ctx, class: Value, state: [Value; 5]) -> Result {
    let class = ctx.expect(class)?;
    let enumerator = ctx.allocate(class)?;
    let names = ctx.names();
    let names = [names.enum_receiver, names.enum_method, names.enum_args, names.enum_options, names.enum_size];
    ctx.ivar_init(enumerator, names, state, &ctx.extension::<Shape>().0);
    Ok(enumerator)
}

/// `arithmetic_sequence_new(receiver, method, args, begin, end, step, exclude_end)`: what `Range#step` and
/// `Numeric#step` return.
fn new_sequence(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let sequence = Object::new(ctx, recv, 9);
    let setup = ctx.internal("__setup");
    ctx.call_args(sequence, setup, args)?;
    Ok(sequence)
}

/// The name by which the method was called whose code asks.
fn called_name(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(ctx.own_called_name().map_or(Value::NIL, Value::symbol))
}

/// `enumerator_ask(fiber)`: has the fiber of an enumeration go on to its next value; it is told who asks.
fn ask(ctx: &mut Ctx, fiber: Value, _args: Args) -> Result {
    let asker = ctx.current_fiber_object()?;
    let passed = |ctx: &mut Ctx, is_new| if is_new { Array::from_slice(ctx, &[asker]).value() } else { asker };
    ctx.resume_fiber(fiber, false, passed)
}

/// `enumerator_give(values)`: from the fiber of an enumeration to whoever has asked.
fn give(ctx: &mut Ctx, values: Value, _args: Args) -> Result {
    ctx.yield_fiber(values)
}

/// Runs the block unless the receiver is under the same operation already; then gives the second argument.
pub fn guarded(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(operation) = args.at(0).as_symbol() else { return Ok(Value::NIL) };
    let again = args.at(1);
    if operation == ctx.intern_str("inspect") && is_being_printed(ctx, recv)? {
        return Ok(again);
    }
    ctx.guard_recursion(operation, recv, Value::NIL, |_| Ok(again), |ctx| ctx.yield_values(args.block, &[]))
}

/// The library `pp` notes what it is about to print where CRuby notes what is inspected: an enumerator, which it has
/// inspected, finds itself there.
fn is_being_printed(ctx: &mut Ctx, recv: Value) -> Result<bool> {
    let operations = rubellite_core_thread::thread::locals::of_running_fiber(ctx, "__recursive_key__")?;
    let Some(operations) = Hash::try_of(operations) else { return Ok(false) };
    let inspect = ctx.intern_str("inspect");
    let Some(objects) = operations.get_sym(ctx, inspect).and_then(Hash::try_of) else { return Ok(false) };
    Ok(objects.get(ctx, recv)?.is_some())
}

/// The exception that ends external iteration, with the result of the enumeration.
fn stop_iteration(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let class = ctx.error_class("StopIteration");
    let exception = ctx.new_error(class, "iteration reached an end");
    let name = ctx.internal("__result");
    ctx.ivar_set(exception, name, args.at(0));
    Ok(exception)
}
