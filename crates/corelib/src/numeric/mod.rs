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

use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Method, MethodBody, Result, Value, Visibility, method};

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
    methods: &[method("to_r", Arity::NONE, nil_to_r), method("rationalize", Arity::range(0, 1), nil_to_r), method("to_c", Arity::NONE, nil_to_c)],
    ..ClassDef::EMPTY
};

fn nil_to_r(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(integer::to_rational(ctx, Value::fixnum(0)).value())
}

fn nil_to_c(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(complex::new(ctx, Value::fixnum(0), Value::fixnum(0)))
}

/// `undef_method` of a class in its set-up.
fn undefine(ctx: &mut Ctx, class: Class, name: &str) {
    let sym = ctx.intern(name);
    let undef = Method::new(ctx, sym, class, Visibility::Public, MethodBody::Undef);
    class.set_method(ctx, sym, undef);
}

/// What classes without instances of their own do: no `new`, and `allocate` is a TypeError.
fn refuse_allocation(ctx: &mut Ctx, class: Value) -> Result {
    let name = Class::of(class).inspect(ctx);
    Err(ctx.type_error(&format!("allocator undefined for {name}")))
}

/// Takes `new` away from a class.
fn undefine_new(ctx: &mut Ctx, class: Class) {
    if let Some(singleton) = Class::singleton_class(ctx, class.value()) {
        undefine(ctx, singleton, "new");
    }
}
