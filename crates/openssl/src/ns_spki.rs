//! OpenSSL::Netscape::SPKI: a signed public key with a challenge.

use crate::ffi::asn1::Bytes;
use crate::ffi::x509::{self, NETSCAPE_SPKI};
use crate::ffi::{Der, bio};
use crate::support::{self, Shared, binary, bytes, check, clear_errors, empty, ensure, fail, get, put, want_empty};
use crate::{digest, pkey};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

const ERROR: &str = "OpenSSL::Netscape::SPKIError";

pub static NETSCAPE: ClassDef = ClassDef { name: "OpenSSL::Netscape", superclass: "", ..ClassDef::EMPTY };
pub static SPKI_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static SPKI: ClassDef = ClassDef {
    name: "OpenSSL::Netscape::SPKI",
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(0, 1), initialize),
        method("to_der", Arity::NONE, to_der),
        method("to_pem", Arity::NONE, to_pem),
        method("to_s", Arity::NONE, to_pem),
        method("to_text", Arity::NONE, to_text),
        method("public_key", Arity::NONE, public_key),
        method("public_key=", Arity::ONE, set_public_key),
        method("sign", Arity::exact(2), sign),
        method("verify", Arity::ONE, verify),
        method("challenge", Arity::NONE, challenge),
        method("challenge=", Arity::ONE, set_challenge),
    ],
    ..ClassDef::EMPTY
};

fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<NETSCAPE_SPKI>> {
    get(ctx, value)
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<NETSCAPE_SPKI>(ctx, recv)?;
    let found = if args.is_empty() {
        check(ctx, x509::NETSCAPE_SPKI_new(), ERROR, "NETSCAPE_SPKI_new")?
    } else {
        let text = bytes(ctx, args.at(0))?;
        match x509::spki_of_base64(&text) {
            Some(found) => found,
            None => {
                clear_errors(ctx);
                check(ctx, NETSCAPE_SPKI::decode(&text), ERROR, "")?
            }
        }
    };
    put(ctx, recv, found)?;
    Ok(recv)
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let der = check(ctx, this.encode().filter(|der| !der.is_empty()), ERROR, "i2d_NETSCAPE_SPKI")?;
    Ok(support::string(ctx, der))
}

fn to_pem(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let text = check(ctx, x509::NETSCAPE_SPKI_b64_encode(&this), ERROR, "")?;
    Ok(binary(ctx, text.bytes()))
}

fn to_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let text = check(ctx, bio::written(|out| x509::NETSCAPE_SPKI_print(out, &this) != 0), ERROR, "")?;
    Ok(support::string(ctx, text))
}

fn public_key(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let key = check(ctx, x509::NETSCAPE_SPKI_get_pubkey(&this), ERROR, "")?;
    pkey::wrap(ctx, key)
}

fn set_public_key(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, key) = (of(ctx, recv)?, pkey::of(ctx, args.at(0))?);
    pkey::check_public(ctx, &key)?;
    ensure(ctx, x509::NETSCAPE_SPKI_set_pubkey(&this, &key) == 1, ERROR, "NETSCAPE_SPKI_set_pubkey")?;
    Ok(args.at(0))
}

fn sign(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = pkey::private(ctx, args.at(0))?;
    let md = digest::function(ctx, args.at(1))?;
    let this = of(ctx, recv)?;
    ensure(ctx, x509::NETSCAPE_SPKI_sign(&this, &key, Some(&md)) != 0, ERROR, "NETSCAPE_SPKI_sign")?;
    Ok(recv)
}

fn verify(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, key) = (of(ctx, recv)?, pkey::of(ctx, args.at(0))?);
    pkey::check_public(ctx, &key)?;
    match x509::NETSCAPE_SPKI_verify(&this, &key) {
        0 => {
            clear_errors(ctx);
            Ok(Value::FALSE)
        }
        1 => Ok(Value::TRUE),
        _ => Err(fail(ctx, ERROR, "NETSCAPE_SPKI_verify")),
    }
}

fn challenge(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    Ok(binary(ctx, this.challenge().map_or(&[][..], Bytes::bytes)))
}

fn set_challenge(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = bytes(ctx, args.at(0))?;
    let this = of(ctx, recv)?;
    ensure(ctx, this.challenge().is_some_and(|challenge| challenge.set(&text)), ERROR, "")?;
    Ok(args.at(0))
}
