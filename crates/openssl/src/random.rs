//! OpenSSL::Random.

use crate::ffi::{Text, evp};
use crate::support::{self, bytes, c_string, ensure, fail};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

const ERROR: &str = "OpenSSL::Random::RandomError";

pub static RANDOM: ClassDef = ClassDef {
    name: "OpenSSL::Random",
    superclass: "",
    module_functions: &[
        method("seed", Arity::ONE, seed),
        method("random_add", Arity::exact(2), random_add),
        method("load_random_file", Arity::ONE, load_random_file),
        method("write_random_file", Arity::ONE, write_random_file),
        method("random_bytes", Arity::ONE, random_bytes),
        method("status?", Arity::NONE, status_p),
    ],
    singleton_methods: &[method("pseudo_bytes", Arity::ONE, random_bytes)],
    ..ClassDef::EMPTY
};

pub static RANDOM_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

fn seed(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let seed = bytes(ctx, args.at(0))?;
    evp::add_random(&seed, seed.len() as f64);
    Ok(args.at(0))
}

fn random_add(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let seed = bytes(ctx, args.at(0))?;
    let entropy = ctx.to_float(args.at(1))?;
    evp::add_random(&seed, entropy);
    Ok(recv)
}

fn load_random_file(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let name = c_string(ctx, args.at(0))?;
    ensure(ctx, evp::load_random(Text::from(&*name)), ERROR, "")?;
    Ok(Value::TRUE)
}

fn write_random_file(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let name = c_string(ctx, args.at(0))?;
    ensure(ctx, evp::RAND_write_file(Text::from(&*name)) != -1, ERROR, "")?;
    Ok(Value::TRUE)
}

fn random_bytes(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let len = ctx.to_c_int(args.at(0))?;
    let Ok(len) = usize::try_from(len) else {
        return Err(ctx.string_size_error());
    };
    let mut out = vec![0; len];
    match evp::random(&mut out) {
        0 => Err(fail(ctx, ERROR, "RAND_bytes")),
        -1 => Err(fail(ctx, ERROR, "RAND_bytes is not supported")),
        _ => Ok(support::string(ctx, out)),
    }
}

fn status_p(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(support::bool(evp::RAND_status() == 1))
}
