//! Core classes: numbers, arithmetic, random numbers, formatting.
//!
//! `num` is arithmetic on any numbers, `coerce` the protocol between classes that do not know each other.

pub mod coerce;
mod complex;
mod float;
pub mod format;
pub mod integer;
pub mod kernel;
mod math;
mod num;
mod numeric;
mod parse;
pub mod random;
mod rational;

pub use random::forget_default as forget_default_random;
pub use rational::make as make_rational;

use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Unwind, Value, method};

/// Every class of this part, superclasses first.
pub static DEFS: &[&ClassDef] = &[
    &numeric::NUMERIC,
    &integer::INTEGER,
    &float::FLOAT,
    &rational::RATIONAL,
    &complex::COMPLEX,
    &math::MATH,
    &math::DOMAIN_ERROR,
    &random::RANDOM,
    &random::FORMATTER,
    &NIL,
    &parse::STRING,
    &kernel::KERNEL,
];

/// nil as a number.
static NIL: ClassDef = ClassDef {
    name: "NilClass",
    methods: &[
        method("to_r", Arity::NONE, nil_to_r),
        method("rationalize", Arity::range(0, 1), nil_to_r),
        method("to_c", Arity::NONE, nil_to_c),
    ],
    ..ClassDef::EMPTY
};

fn nil_to_r(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(integer::to_rational(ctx, Value::fixnum(0)).value())
}

fn nil_to_c(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(complex::new(ctx, Value::fixnum(0), Value::fixnum(0)))
}

/// Takes `allocate` away from a class.
fn undefine_allocate(ctx: &mut Ctx, class: Class) -> Result<()> {
    let singleton = Class::singleton_class(ctx, class.value()).ok_or(Unwind)?;
    singleton.undefine(ctx, "allocate");
    Ok(())
}
