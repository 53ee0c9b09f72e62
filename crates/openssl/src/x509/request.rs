//! OpenSSL::X509::Request.

use super::{attribute, copy_into, name, read_into, sign_with, verify_with};
use crate::ffi::x509::{self, Pem, X509_REQ};
use crate::ffi::{Der, asn1 as raw, bio};
use crate::support::{self, Shared, array, check, check_kind, empty, ensure, get};
use crate::{asn1, pkey};
use rubellite_vm::object::Array;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

const ERROR: &str = "OpenSSL::X509::RequestError";

pub static REQUEST_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static REQUEST_CLASS: ClassDef = ClassDef {
    name: "OpenSSL::X509::Request",
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(0, 1), |ctx, recv: Value, args| {
            read_into::<X509_REQ>(ctx, recv, args, x509::X509_REQ_new, ERROR, ["X509_REQ_new", "PEM_read_bio_X509_REQ"])
        }),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| {
            copy_into(ctx, recv, args.at(0), x509::X509_REQ_dup, ERROR, "")
        }),
        method("to_pem", Arity::NONE, to_pem),
        method("to_s", Arity::NONE, to_pem),
        method("to_der", Arity::NONE, to_der),
        method("to_text", Arity::NONE, to_text),
        method("version", Arity::NONE, version),
        method("version=", Arity::ONE, set_version),
        method("subject", Arity::NONE, subject),
        method("subject=", Arity::ONE, set_subject),
        method("signature_algorithm", Arity::NONE, signature_algorithm),
        method("public_key", Arity::NONE, public_key),
        method("public_key=", Arity::ONE, set_public_key),
        method("sign", Arity::exact(2), sign),
        method("verify", Arity::ONE, verify),
        method("attributes", Arity::NONE, attributes),
        method("attributes=", Arity::ONE, set_attributes),
        method("add_attribute", Arity::ONE, add_attribute),
    ],
    ..ClassDef::EMPTY
};

fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<X509_REQ>> {
    get(ctx, value)
}

fn to_pem(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let pem = check(ctx, this.pem(), ERROR, "")?;
    Ok(support::string(ctx, pem))
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let der = check(ctx, this.encode().filter(|der| !der.is_empty()), ERROR, "")?;
    Ok(support::string(ctx, der))
}

fn to_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let text = check(ctx, bio::written(|out| x509::X509_REQ_print(out, &this) != 0), ERROR, "")?;
    Ok(support::string(ctx, text))
}

fn version(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    Ok(ctx.int(x509::X509_REQ_get_version(&this)))
}

fn set_version(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let version = super::version(ctx, args.at(0), ERROR)?;
    let this = of(ctx, recv)?;
    ensure(ctx, x509::X509_REQ_set_version(&this, version) != 0, ERROR, "X509_REQ_set_version")?;
    Ok(args.at(0))
}

fn subject(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let found = check(ctx, x509::X509_REQ_get_subject_name(&this), ERROR, "")?;
    name::new(ctx, found)
}

fn set_subject(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, name) = (of(ctx, recv)?, name::of(ctx, args.at(0))?);
    ensure(ctx, x509::X509_REQ_set_subject_name(&this, &name) != 0, ERROR, "")?;
    Ok(args.at(0))
}

fn signature_algorithm(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let object = check(ctx, this.algorithm().and_then(raw::algorithm), ERROR, "")?;
    asn1::object_long_name(ctx, object)
}

fn public_key(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let key = check(ctx, x509::X509_REQ_get_pubkey(&this), ERROR, "")?;
    pkey::wrap(ctx, key)
}

fn set_public_key(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, key) = (of(ctx, recv)?, pkey::of(ctx, args.at(0))?);
    pkey::check_public(ctx, &key)?;
    ensure(ctx, x509::X509_REQ_set_pubkey(&this, &key) != 0, ERROR, "X509_REQ_set_pubkey")?;
    Ok(args.at(0))
}

fn sign(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    sign_with(ctx, &**this, args, x509::X509_REQ_sign, ERROR, "X509_REQ_sign")?;
    Ok(recv)
}

fn verify(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    verify_with(ctx, &**this, args.at(0), x509::X509_REQ_verify, ERROR)
}

fn attributes(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let list = Array::new(ctx);
    for at in 0..x509::X509_REQ_get_attr_count(&this) {
        if let Some(found) = x509::X509_REQ_get_attr(&this, at) {
            let object = attribute::new(ctx, found)?;
            list.push(ctx, object);
        }
    }
    Ok(list.value())
}

fn set_attributes(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let list = array(ctx, args.at(0))?;
    support::each(ctx, list, |ctx, item| check_kind(ctx, item, attribute::ATTRIBUTE))?;
    let this = of(ctx, recv)?;
    while x509::X509_REQ_get_attr_count(&this) > 0 && x509::X509_REQ_delete_attr(&this, 0).is_some() {}
    support::each(ctx, list, |ctx, item| {
        let item = attribute::of(ctx, item)?;
        ensure(ctx, x509::X509_REQ_add1_attr(&this, &item) != 0, ERROR, "X509_REQ_add1_attr")
    })?;
    Ok(args.at(0))
}

fn add_attribute(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, item) = (of(ctx, recv)?, attribute::of(ctx, args.at(0))?);
    ensure(ctx, x509::X509_REQ_add1_attr(&this, &item) != 0, ERROR, "")?;
    Ok(args.at(0))
}
