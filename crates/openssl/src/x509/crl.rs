//! OpenSSL::X509::CRL.

use super::{Extensions, copy_into, name, read_into, revoked, sign_with, time, verify_with};
use crate::asn1;
use crate::ffi::x509::{self, Pem, X509_CRL};
use crate::ffi::{Der, asn1 as raw, bio};
use crate::support::{self, Shared, array, check, check_kind, empty, ensure, get, wrap};
use rubellite_vm::object::Array;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub const CRL: &str = "OpenSSL::X509::CRL";
const ERROR: &str = "OpenSSL::X509::CRLError";

pub static CRL_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static CRL_CLASS: ClassDef = ClassDef {
    name: CRL,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(0, 1), |ctx, recv: Value, args| {
            read_into::<X509_CRL>(ctx, recv, args, x509::X509_CRL_new, ERROR, ["X509_CRL_new", "PEM_read_bio_X509_CRL"])
        }),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| {
            copy_into(ctx, recv, args.at(0), x509::X509_CRL_dup, ERROR, "")
        }),
        method("version", Arity::NONE, version),
        method("version=", Arity::ONE, set_version),
        method("signature_algorithm", Arity::NONE, signature_algorithm),
        method("issuer", Arity::NONE, issuer),
        method("issuer=", Arity::ONE, set_issuer),
        method("last_update", Arity::NONE, last_update),
        method("last_update=", Arity::ONE, set_last_update),
        method("next_update", Arity::NONE, next_update),
        method("next_update=", Arity::ONE, set_next_update),
        method("revoked", Arity::NONE, revoked_list),
        method("revoked=", Arity::ONE, set_revoked),
        method("by_serial", Arity::ONE, by_serial),
        method("add_revoked", Arity::ONE, add_revoked),
        method("sign", Arity::exact(2), sign),
        method("verify", Arity::ONE, verify),
        method("to_der", Arity::NONE, to_der),
        method("to_pem", Arity::NONE, to_pem),
        method("to_s", Arity::NONE, to_pem),
        method("to_text", Arity::NONE, to_text),
        method("extensions", Arity::NONE, extensions),
        method("extensions=", Arity::ONE, set_extensions),
        method("add_extension", Arity::ONE, add_extension),
    ],
    ..ClassDef::EMPTY
};

const EXTENSIONS: Extensions<X509_CRL> = Extensions {
    count: x509::X509_CRL_get_ext_count,
    get: x509::X509_CRL_get_ext,
    delete: x509::X509_CRL_delete_ext,
    add: x509::X509_CRL_add_ext,
    error: ERROR,
    message: "X509_CRL_add_ext",
};

pub fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<X509_CRL>> {
    get(ctx, value)
}

/// A new object with a copy.
pub fn new(ctx: &mut Ctx, crl: &X509_CRL) -> Result {
    let copy = check(ctx, x509::X509_CRL_dup(crl), ERROR, "X509_CRL_dup")?;
    wrap(ctx, CRL, copy)
}

fn version(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    Ok(ctx.int(x509::X509_CRL_get_version(&this)))
}

fn set_version(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let version = super::version(ctx, args.at(0), ERROR)?;
    let this = of(ctx, recv)?;
    ensure(ctx, x509::X509_CRL_set_version(&this, version) != 0, ERROR, "")?;
    Ok(args.at(0))
}

fn signature_algorithm(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let object = check(ctx, this.algorithm().and_then(raw::algorithm), ERROR, "")?;
    asn1::object_long_name(ctx, object)
}

fn issuer(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let found = check(ctx, x509::X509_CRL_get_issuer(&this), ERROR, "")?;
    name::new(ctx, found)
}

fn set_issuer(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, name) = (of(ctx, recv)?, name::of(ctx, args.at(0))?);
    ensure(ctx, x509::X509_CRL_set_issuer_name(&this, &name) != 0, ERROR, "")?;
    Ok(args.at(0))
}

fn last_update(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    time(ctx, x509::X509_CRL_get0_lastUpdate(&this))
}

fn set_last_update(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, time) = (of(ctx, recv)?, asn1::from_time(ctx, args.at(0))?);
    ensure(ctx, x509::X509_CRL_set1_lastUpdate(&this, time.as_deref()) != 0, ERROR, "X509_CRL_set_lastUpdate")?;
    Ok(args.at(0))
}

fn next_update(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    time(ctx, x509::X509_CRL_get0_nextUpdate(&this))
}

fn set_next_update(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, time) = (of(ctx, recv)?, asn1::from_time(ctx, args.at(0))?);
    ensure(ctx, x509::X509_CRL_set1_nextUpdate(&this, time.as_deref()) != 0, ERROR, "X509_CRL_set_nextUpdate")?;
    Ok(args.at(0))
}

fn revoked_list(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let list = Array::new(ctx);
    if let Some(found) = x509::X509_CRL_get_REVOKED(&this) {
        for item in found.iter() {
            let object = revoked::new(ctx, item)?;
            list.push(ctx, object);
        }
    }
    Ok(list.value())
}

fn append(ctx: &mut Ctx, this: &X509_CRL, item: Value) -> Result<()> {
    let item = revoked::copy(ctx, item)?;
    ensure(ctx, this.add(item), ERROR, "X509_CRL_add0_revoked")
}

fn set_revoked(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let list = array(ctx, args.at(0))?;
    support::each(ctx, list, |ctx, item| check_kind(ctx, item, revoked::REVOKED))?;
    let this = of(ctx, recv)?;
    this.clear();
    support::each(ctx, list, |ctx, item| append(ctx, &this, item))?;
    x509::X509_CRL_sort(&this);
    Ok(args.at(0))
}

fn add_revoked(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    append(ctx, &this, args.at(0))?;
    x509::X509_CRL_sort(&this);
    Ok(args.at(0))
}

fn by_serial(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    let serial = asn1::num_to_integer(ctx, args.at(0))?;
    match this.by_serial(&serial) {
        Some(found) => revoked::new(ctx, found),
        None => Ok(Value::NIL),
    }
}

fn sign(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    sign_with(ctx, &**this, args, x509::X509_CRL_sign, ERROR, "X509_CRL_sign")?;
    Ok(recv)
}

fn verify(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    verify_with(ctx, &**this, args.at(0), x509::X509_CRL_verify, ERROR)
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let der = check(ctx, this.encode().filter(|der| !der.is_empty()), ERROR, "")?;
    Ok(support::string(ctx, der))
}

fn to_pem(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let pem = check(ctx, this.pem(), ERROR, "")?;
    Ok(support::string(ctx, pem))
}

fn to_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let text = check(ctx, bio::written(|out| x509::X509_CRL_print(out, &this) != 0), ERROR, "")?;
    Ok(support::string(ctx, text))
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
