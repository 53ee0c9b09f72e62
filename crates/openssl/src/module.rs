//! The module itself: versions, debug mode, the queue of errors, FIPS mode, comparison in constant time.

use crate::ffi::{self, err, evp};
use crate::support::{self, Debug, ERROR, bytes, debugging, fail};
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, method};

pub static OPENSSL: ClassDef = ClassDef {
    name: "OpenSSL",
    superclass: "",
    singleton_methods: &[method("fixed_length_secure_compare", Arity::exact(2), fixed_length_secure_compare)],
    module_functions: &[
        method("debug", Arity::NONE, debug),
        method("debug=", Arity::ONE, set_debug),
        method("errors", Arity::NONE, errors),
        method("fips_mode", Arity::NONE, fips_mode),
        method("fips_mode=", Arity::ONE, set_fips_mode),
    ],
    setup: Some(|ctx, module| {
        let version = Str::ascii(ctx, &ffi::OpenSSL_version(0).lossy()).value();
        ctx.call_name(version, "freeze", &[])?;
        module.set_const(ctx, "OPENSSL_VERSION", version);
        module.set_const(ctx, "OPENSSL_LIBRARY_VERSION", version);
        let number = ctx.int(ffi::OpenSSL_version_num() as i64);
        module.set_const(ctx, "OPENSSL_VERSION_NUMBER", number);
        module.set_const(ctx, "OPENSSL_FIPS", Value::TRUE);
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub static OPENSSL_ERROR: ClassDef = ClassDef {
    name: ERROR,
    superclass: "StandardError",
    methods: &[method("detailed_message", Arity::ANY.with_keywords(), detailed_message)],
    ..ClassDef::EMPTY
};

fn debug(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(support::bool(debugging(ctx)))
}

fn set_debug(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.extension::<Debug>().0.set(args.at(0).truthy());
    Ok(args.at(0))
}

/// `OpenSSL.errors -> array`: what is left in the library's queue.
fn errors(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let list = Array::new(ctx);
    for line in err::take_lines() {
        let line = Str::binary(ctx, line.as_bytes()).value();
        list.push(ctx, line);
    }
    Ok(list.value())
}

fn fips_mode(_ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(support::bool(evp::fips()))
}

fn set_fips_mode(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let on = args.at(0).truthy();
    if !evp::set_fips(on) {
        return Err(fail(ctx, ERROR, if on { "Turning on FIPS mode failed" } else { "Turning off FIPS mode failed" }));
    }
    Ok(args.at(0))
}

fn fixed_length_secure_compare(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (a, b) = (bytes(ctx, args.at(0))?, bytes(ctx, args.at(1))?);
    if a.len() != b.len() {
        return Err(ctx.argument_error("inputs must be of equal length"));
    }
    Ok(support::bool(ffi::same(&a, &b)))
}

/// The message with the entries of the library's queue at the time the exception was made.
fn detailed_message(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let owner = ctx.named_class(ERROR)?;
    let name = ctx.intern("detailed_message");
    let text = ctx.call_super(recv, owner, name, args)?;
    let Some(errors) = Array::try_of(support::ivar(ctx, recv, "@errors")) else { return Ok(text) };
    let mut out = ctx.to_str(text)?.bytes(ctx).to_vec();
    out.extend_from_slice(format!("\nOpenSSL error queue reported {} errors:", errors.len()).as_bytes());
    support::each(ctx, errors, |ctx, line| {
        out.push(b'\n');
        out.extend_from_slice(&bytes(ctx, line)?);
        Ok(())
    })?;
    Ok(Str::new(ctx, &out, Encoding::UTF_8).value())
}
