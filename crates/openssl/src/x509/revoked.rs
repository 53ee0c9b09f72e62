//! OpenSSL::X509::Revoked.

use super::{Extensions, copy_into, time};
use crate::asn1;
use crate::ffi::x509::{self, X509_REVOKED};
use crate::ffi::{Der, Owned};
use crate::support::{self, Shared, check, empty, ensure, get, put, want_empty, wrap};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub const REVOKED: &str = "OpenSSL::X509::Revoked";
const ERROR: &str = "OpenSSL::X509::RevokedError";

pub static REVOKED_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static REVOKED_CLASS: ClassDef = ClassDef {
    name: REVOKED,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::ANY, initialize),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| {
            copy_into(ctx, recv, args.at(0), x509::X509_REVOKED_dup, ERROR, "X509_REVOKED_dup")
        }),
        method("serial", Arity::NONE, serial),
        method("serial=", Arity::ONE, set_serial),
        method("time", Arity::NONE, revoked_at),
        method("time=", Arity::ONE, set_time),
        method("extensions", Arity::NONE, extensions),
        method("extensions=", Arity::ONE, set_extensions),
        method("add_extension", Arity::ONE, add_extension),
        method("to_der", Arity::NONE, to_der),
    ],
    ..ClassDef::EMPTY
};

const EXTENSIONS: Extensions<X509_REVOKED> = Extensions {
    count: x509::X509_REVOKED_get_ext_count,
    get: x509::X509_REVOKED_get_ext,
    delete: x509::X509_REVOKED_delete_ext,
    add: x509::X509_REVOKED_add_ext,
    error: ERROR,
    message: "X509_REVOKED_add_ext",
};

fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<X509_REVOKED>> {
    get(ctx, value)
}

/// A new object with a copy.
pub fn new(ctx: &mut Ctx, revoked: &X509_REVOKED) -> Result {
    let copy = check(ctx, x509::X509_REVOKED_dup(revoked), ERROR, "X509_REVOKED_dup")?;
    wrap(ctx, REVOKED, copy)
}

/// A copy of what the object holds.
pub fn copy(ctx: &mut Ctx, value: Value) -> Result<Owned<X509_REVOKED>> {
    let this = of(ctx, value)?;
    check(ctx, x509::X509_REVOKED_dup(&this), ERROR, "")
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !args.is_empty() {
        ctx.warn("OpenSSL::X509::Revoked.new does not take any arguments")?;
    }
    want_empty::<X509_REVOKED>(ctx, recv)?;
    let made = check(ctx, x509::X509_REVOKED_new(), ERROR, "X509_REVOKED_new")?;
    put(ctx, recv, made)?;
    Ok(recv)
}

fn serial(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    asn1::integer_to_num(ctx, x509::X509_REVOKED_get0_serialNumber(&this))
}

fn set_serial(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    let number = asn1::num_to_integer(ctx, args.at(0))?;
    ensure(ctx, x509::X509_REVOKED_set_serialNumber(&this, &number) != 0, ERROR, "X509_REVOKED_set_serialNumber")?;
    Ok(args.at(0))
}

fn revoked_at(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    time(ctx, x509::X509_REVOKED_get0_revocationDate(&this))
}

fn set_time(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, time) = (of(ctx, recv)?, asn1::from_time(ctx, args.at(0))?);
    ensure(
        ctx,
        x509::X509_REVOKED_set_revocationDate(&this, time.as_deref()) != 0,
        ERROR,
        "X509_REVOKED_set_revocationDate",
    )?;
    Ok(args.at(0))
}

fn extensions(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    EXTENSIONS.list(ctx, &this)
}

fn set_extensions(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    EXTENSIONS.replace(ctx, &this, args.at(0))
}

fn add_extension(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    EXTENSIONS.append(ctx, &this, args.at(0))
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let der = check(ctx, this.encode().filter(|der| !der.is_empty()), ERROR, "i2d_X509_REVOKED")?;
    Ok(support::string(ctx, der))
}
