//! `bigdecimal`: decimal numbers of any length. Arithmetic on plain values is `number`, text is `text`, transcendental
//! functions `functions`; objects come from `convert` and answer in `methods` and `power`; modes are `mode`. The
//! behaviour is that of the library's version 4. What Ruby says best is in `math.rb` and `util.rb`.

mod convert;
mod functions;
mod methods;
mod mode;
mod number;
mod power;
mod text;

use number::Number;
use rubellite_vm::object::Str;
use rubellite_vm::{Arity, Class, ClassDef, Ctx, MethodDef, Result, Value, method};

static BIG_DECIMAL: ClassDef = ClassDef {
    name: "BigDecimal",
    superclass: "Numeric",
    no_new: true,
    methods: methods::METHODS,
    singleton_methods: &[
        method("interpret_loosely", Arity::ONE, convert::interpret_loosely),
        method("mode", Arity::range(1, 2), mode::mode),
        method("limit", Arity::range(0, 1), mode::limit),
        method("double_fig", Arity::NONE, methods::double_fig),
        method("_load", Arity::ONE, convert::load),
        method("save_exception_mode", Arity::NONE, mode::save_exception_mode),
        method("save_rounding_mode", Arity::NONE, mode::save_rounding_mode),
        method("save_limit", Arity::NONE, mode::save_limit),
    ],
    setup: Some(setup),
    ..ClassDef::EMPTY
};

static BIG_MATH: ClassDef = ClassDef {
    name: "BigMath",
    superclass: "",
    module_functions: &[method("exp", Arity::exact(2), power::exp), method("log", Arity::exact(2), power::log)],
    ..ClassDef::EMPTY
};

const KERNEL: &[MethodDef] = &[method("BigDecimal", Arity::range(1, 2).with_keywords(), convert::kernel_bigdecimal)];

pub fn register(ctx: &mut Ctx) {
    use rubellite_core_load::register;
    register(ctx, "bigdecimal", load);
    register(ctx, "bigdecimal/util", |ctx| ruby(ctx, "bigdecimal/util", include_str!("util.rb")));
    register(ctx, "bigdecimal/math", |ctx| ruby(ctx, "bigdecimal/math", include_str!("math.rb")));
}

fn ruby(ctx: &mut Ctx, name: &str, source: &str) -> Result<()> {
    ctx.run_internal(source, name)?;
    Ok(())
}

fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&BIG_DECIMAL)?;
    ctx.install(&BIG_MATH)?;
    ctx.install(&ClassDef { name: "Kernel", superclass: "", module_functions: KERNEL, ..ClassDef::EMPTY })?;
    Ok(())
}

fn setup(ctx: &mut Ctx, class: Class) -> Result<()> {
    let numbers = [
        ("BASE", 1_000_000_000),
        ("EXCEPTION_ALL", mode::ALL as i64),
        ("EXCEPTION_NaN", mode::NAN as i64),
        ("EXCEPTION_INFINITY", mode::INFINITY as i64),
        ("EXCEPTION_UNDERFLOW", mode::UNDERFLOW as i64),
        ("EXCEPTION_OVERFLOW", mode::INFINITY as i64),
        ("EXCEPTION_ZERODIVIDE", mode::ZERO_DIVIDE as i64),
        ("ROUND_MODE", mode::ROUND_MODE),
        ("ROUND_UP", 1),
        ("ROUND_DOWN", 2),
        ("ROUND_HALF_UP", 3),
        ("ROUND_HALF_DOWN", 4),
        ("ROUND_CEILING", 5),
        ("ROUND_FLOOR", 6),
        ("ROUND_HALF_EVEN", 7),
        ("SIGN_NaN", 0),
        ("SIGN_POSITIVE_ZERO", 1),
        ("SIGN_NEGATIVE_ZERO", -1),
        ("SIGN_POSITIVE_FINITE", 2),
        ("SIGN_NEGATIVE_FINITE", -2),
        ("SIGN_POSITIVE_INFINITE", 3),
        ("SIGN_NEGATIVE_INFINITE", -3),
    ];
    for (name, n) in numbers {
        class.set_const(ctx, name, Value::fixnum(n));
    }
    let version = Str::ascii(ctx, "4.0.1").value();
    class.set_const(ctx, "VERSION", version);
    for (name, number) in [("INFINITY", Number::Inf(false)), ("NAN", Number::NaN)] {
        let value = convert::wrap(ctx, number);
        class.set_const(ctx, name, value);
    }
    Ok(())
}
