//! NilClass, TrueClass, FalseClass.

use super::exception::frozen;
use rubellite_vm::class::{Arity, ClassDef, method};
use rubellite_vm::object::{Array, Hash, Rational, Str};
use rubellite_vm::{Args, Ctx, Encoding, Result, Value};

pub static NIL: ClassDef = ClassDef {
    name: "NilClass",
    methods: &[
        method("to_s", Arity::NONE, nil_to_s),
        method("to_a", Arity::NONE, nil_to_a),
        method("to_h", Arity::NONE, nil_to_h),
        method("to_i", Arity::NONE, nil_to_i).leaf(0),
        method("to_f", Arity::NONE, nil_to_f),
        method("to_r", Arity::NONE, nil_to_r),
        method("rationalize", Arity::range(0, 1), nil_to_r),
        method("inspect", Arity::NONE, nil_inspect),
        method("nil?", Arity::NONE, nil_p).leaf(0),
        method("=~", Arity::ONE, nil_match),
        method("&", Arity::ONE, false_and),
        method("|", Arity::ONE, false_or),
        method("^", Arity::ONE, false_or),
        method("===", Arity::ONE, identical),
    ],
    no_new: true,
    ..ClassDef::EMPTY
};

pub static TRUE: ClassDef = ClassDef {
    name: "TrueClass",
    methods: &[
        method("to_s", Arity::NONE, true_to_s),
        method("inspect", Arity::NONE, true_to_s),
        method("&", Arity::ONE, true_and),
        method("|", Arity::ONE, true_or),
        method("^", Arity::ONE, true_xor),
        method("!", Arity::NONE, true_not),
        method("===", Arity::ONE, identical),
    ],
    no_new: true,
    ..ClassDef::EMPTY
};

pub static FALSE: ClassDef = ClassDef {
    name: "FalseClass",
    methods: &[
        method("to_s", Arity::NONE, false_to_s),
        method("inspect", Arity::NONE, false_to_s),
        method("&", Arity::ONE, false_and),
        method("|", Arity::ONE, false_or),
        method("^", Arity::ONE, false_or),
        method("===", Arity::ONE, identical),
    ],
    no_new: true,
    ..ClassDef::EMPTY
};

/// The one frozen String of a constant text.
fn constant_text(ctx: &mut Ctx, text: &'static str) -> Result {
    if let Some((_, string)) = ctx.extension::<Texts>().0.borrow().iter().find(|(t, _)| *t == text) {
        return Ok(*string);
    }
    let string = frozen(Str::new(ctx, text.as_bytes(), Encoding::US_ASCII).value());
    ctx.extension::<Texts>().0.borrow_mut().push((text, string));
    Ok(string)
}

/// Texts of nil, true and false.
#[derive(Default)]
struct Texts(std::cell::RefCell<Vec<(&'static str, Value)>>); // tidy: traced below

impl rubellite_vm::Extension for Texts {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.0.borrow().iter().for_each(|(_, value)| mark(*value));
    }
}

fn nil_to_s(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    constant_text(ctx, "")
}

fn true_to_s(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    constant_text(ctx, "true")
}

fn false_to_s(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    constant_text(ctx, "false")
}

fn nil_inspect(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Str::ascii(ctx, "nil").value())
}

fn nil_to_a(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Array::new(ctx).value())
}

fn nil_to_h(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Hash::new(ctx).value())
}

fn nil_to_i(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(0))
}

fn nil_to_f(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(ctx.float(0.0))
}

fn nil_to_r(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Rational::new(ctx, Value::fixnum(0), Value::fixnum(1)).value())
}

fn nil_p(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::TRUE)
}

fn nil_match(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::NIL)
}

fn false_and(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::FALSE)
}

/// `false | object`, `false ^ object`, the same for nil.
fn false_or(_ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(args.at(0).truthy()))
}

fn true_and(_ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(args.at(0).truthy()))
}

fn true_or(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::TRUE)
}

fn true_xor(_ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(!args.at(0).truthy()))
}

fn true_not(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Value::FALSE)
}

fn identical(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(recv == args.at(0) || ctx.equal(recv, args.at(0))?))
}
