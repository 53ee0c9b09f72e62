//! OpenSSL::X509::Store.

use super::{certificate, crl};
use crate::ffi::Text;
use crate::ffi::verifier;
use crate::ffi::x509::{self, X509_STORE, X509_VERIFY_PARAM};
use crate::support::{self, Shared, c_string, check, empty, ensure, fail, get, ivar, put, set_ivar, want_empty};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub const STORE: &str = "OpenSSL::X509::Store";
pub const ERROR: &str = "OpenSSL::X509::StoreError";

pub static STORE_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static STORE_CLASS: ClassDef = ClassDef {
    name: STORE,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::ANY, initialize),
        method("verify_callback=", Arity::ONE, set_verify_callback),
        method("flags", Arity::NONE, flags),
        method("flags=", Arity::ONE, set_flags),
        method("clear_flags", Arity::range(0, 1), clear_flags),
        method("purpose=", Arity::ONE, set_purpose),
        method("trust=", Arity::ONE, set_trust),
        method("time=", Arity::ONE, set_time),
        method("add_path", Arity::ONE, add_path),
        method("add_file", Arity::ONE, add_file),
        method("set_default_paths", Arity::NONE, set_default_paths),
        method("add_cert", Arity::ONE, add_cert),
        method("add_crl", Arity::ONE, add_crl),
        method("verify", Arity::range(1, 2), verify),
    ],
    ..ClassDef::EMPTY
};

pub fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<X509_STORE>> {
    get(ctx, value)
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !args.is_empty() {
        ctx.warn("OpenSSL::X509::Store.new does not take any arguments")?;
    }
    want_empty::<X509_STORE>(ctx, recv)?;
    let made = check(ctx, x509::X509_STORE_new(), ERROR, "X509_STORE_new")?;
    made.ask(verifier::verify_by_store);
    put(ctx, recv, made)?;
    for name in ["@verify_callback", "@error", "@error_string", "@chain"] {
        set_ivar(ctx, recv, name, Value::NIL);
    }
    Ok(recv)
}

fn set_verify_callback(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    of(ctx, recv)?;
    set_ivar(ctx, recv, "@verify_callback", args.at(0));
    Ok(args.at(0))
}

/// The parameters of verifications.
fn parameters<R>(ctx: &mut Ctx, recv: Value, f: impl FnOnce(&mut Ctx, &X509_VERIFY_PARAM) -> Result<R>) -> Result<R> {
    let store = of(ctx, recv)?;
    let found = check(ctx, x509::X509_STORE_get0_param(&store), ERROR, "")?;
    f(ctx, found)
}

/// Adds flags; a warning tells that others stay.
pub fn add_flags(ctx: &mut Ctx, parameters: &X509_VERIFY_PARAM, flags: Value) -> Result<()> {
    let flags = ctx.to_int(flags)? as u64;
    let current = x509::X509_VERIFY_PARAM_get_flags(parameters);
    if current | flags != flags {
        ctx.warn(
            "`obj.flags = new_flags` does not clear existing flags; use `obj.clear_flags` first if you want to replace them, \
             or `obj.flags |= new_flags` to indicate that appending flags is intentional",
        )?;
    }
    ensure(ctx, x509::X509_VERIFY_PARAM_set_flags(parameters, flags) != 0, ERROR, "X509_VERIFY_PARAM_set_flags")
}

/// Takes flags away, all without an argument.
pub fn drop_flags(ctx: &mut Ctx, parameters: &X509_VERIFY_PARAM, flags: Option<Value>) -> Result<()> {
    let flags = match flags {
        Some(flags) => ctx.to_int(flags)? as u64,
        None => u64::MAX,
    };
    ensure(ctx, x509::X509_VERIFY_PARAM_clear_flags(parameters, flags) != 0, ERROR, "X509_VERIFY_PARAM_clear_flags")
}

fn flags(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    parameters(ctx, recv, |ctx, found| Ok(ctx.uint(x509::X509_VERIFY_PARAM_get_flags(found))))
}

fn set_flags(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    parameters(ctx, recv, |ctx, found| add_flags(ctx, found, args.at(0)))?;
    Ok(args.at(0))
}

fn clear_flags(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    parameters(ctx, recv, |ctx, found| drop_flags(ctx, found, args.non_nil(0)))?;
    Ok(Value::NIL)
}

fn set_purpose(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let purpose = ctx.to_c_int(args.at(0))?;
    let store = of(ctx, recv)?;
    x509::X509_STORE_set_purpose(&store, purpose);
    Ok(args.at(0))
}

fn set_trust(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let trust = ctx.to_c_int(args.at(0))?;
    let store = of(ctx, recv)?;
    x509::X509_STORE_set_trust(&store, trust);
    Ok(args.at(0))
}

fn set_time(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let seconds = support::seconds(ctx, args.at(0))?;
    parameters(ctx, recv, |_, found| {
        x509::X509_VERIFY_PARAM_set_time(found, seconds);
        Ok(())
    })?;
    Ok(args.at(0))
}

fn add_file(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let store = of(ctx, recv)?;
    let path = c_string(ctx, args.at(0))?;
    match store.add_file(Text::from(&*path)) {
        Ok(()) => Ok(recv),
        Err(step) => Err(fail(ctx, ERROR, step)),
    }
}

fn add_path(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let store = of(ctx, recv)?;
    let path = c_string(ctx, args.at(0))?;
    match store.add_dir(Text::from(&*path)) {
        Ok(()) => Ok(recv),
        Err(step) => Err(fail(ctx, ERROR, step)),
    }
}

fn set_default_paths(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let store = of(ctx, recv)?;
    ensure(ctx, x509::X509_STORE_set_default_paths(&store) == 1, ERROR, "X509_STORE_set_default_paths")?;
    Ok(Value::NIL)
}

fn add_cert(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (cert, store) = (certificate::of(ctx, args.at(0))?, of(ctx, recv)?);
    ensure(ctx, x509::X509_STORE_add_cert(&store, &cert) == 1, ERROR, "X509_STORE_add_cert")?;
    Ok(recv)
}

fn add_crl(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (crl, store) = (crl::of(ctx, args.at(0))?, of(ctx, recv)?);
    ensure(ctx, x509::X509_STORE_add_crl(&store, &crl) == 1, ERROR, "X509_STORE_add_crl")?;
    Ok(recv)
}

/// Runs verifications against the store of an object, whose callback is asked.
pub fn asking<R>(ctx: &mut Ctx, object: Value, store: &X509_STORE, f: impl FnOnce() -> R) -> Result<R> {
    let callback = ivar(ctx, object, "@verify_callback");
    super::context::asking(ctx, callback, store, f)
}

/// `verify(cert, chain = nil) { |accepted, context| } -> true or false`
fn verify(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let class = ctx.named_class(super::context::CONTEXT)?.value();
    let context = ctx.call_name(class, "new", &[recv, args.at(0), args.at(1)])?;
    let callback = if args.has_block() { ctx.block_to_value(args.block) } else { ivar(ctx, recv, "@verify_callback") };
    set_ivar(ctx, context, "@verify_callback", callback);
    let result = ctx.call_name(context, "verify", &[])?;
    for (name, reader) in [("@error", "error"), ("@error_string", "error_string"), ("@chain", "chain")] {
        let value = ctx.call_name(context, reader, &[])?;
        set_ivar(ctx, recv, name, value);
    }
    Ok(result)
}
