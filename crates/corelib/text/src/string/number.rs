//! String: integers and floats; `to_r` and `to_c` are `numeric::parse`.

use rubellite_core_numeric::kernel::{LONG_TEXT, integer_of_text, warn_of_range};
use rubellite_vm::object::{Int, Str, float};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, method};

pub static STRING_NUMBER: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("to_i", Arity::range(0, 1), to_i),
        method("to_f", Arity::NONE, to_f),
        method("hex", Arity::NONE, hex),
        method("oct", Arity::NONE, oct),
    ],
    ..ClassDef::EMPTY
};

fn integer(ctx: &mut Ctx, s: Str, base: i32) -> Result {
    ctx.check_ascii_compatible(s)?;
    let n = if s.len() <= LONG_TEXT {
        Int::parse(s.bytes(ctx), base, false)
    } else {
        let bytes = s.share(ctx);
        integer_of_text(ctx, bytes, base, false)?
    };
    let n = n.unwrap_or(Int::ZERO);
    Ok(n.into_value(ctx))
}

fn to_i(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let base = match args.get(0) {
        Some(v) => ctx.to_int(v)?,
        None => 10,
    };
    if base < 0 || base == 1 || base > 36 {
        return Err(ctx.argument_error(&format!("invalid radix {base}")));
    }
    integer(ctx, string, base as i32)
}

fn hex(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    integer(ctx, string, 16)
}

fn oct(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    integer(ctx, string, -8)
}

fn to_f(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    ctx.check_ascii_compatible(s)?;
    warn_of_range(ctx, s, false)?;
    let f = float::parse(s.bytes(ctx), false).unwrap_or(0.0);
    Ok(ctx.float(f))
}
