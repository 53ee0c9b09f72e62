//! OpenSSL::PKey::RSA.

use super::operations::answer;
use super::{
    ERROR, PKEY, export_public, export_traditional, has, immutable, no_arguments, number, of, private, read_kind,
};
use crate::digest;
use crate::ffi::{Owned, evp, pkey, sign};
use crate::support::{self, bytes, check, der_or_bytes, fail, keywords, outside, put, source, want_empty};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub const RSA: &str = "OpenSSL::PKey::RSA";

static SITE: RegionSite = RegionSite::new("OpenSSL::PKey::RSA#sign_pss");

pub static RSA_CLASS: ClassDef = ClassDef {
    name: RSA,
    superclass: PKEY,
    methods: &[
        method("initialize", Arity::range(0, 2), initialize),
        method("public?", Arity::NONE, public_p),
        method("private?", Arity::NONE, private_p),
        method("export", Arity::range(0, 2), export),
        method("to_pem", Arity::range(0, 2), export),
        method("to_s", Arity::range(0, 2), export),
        method("to_der", Arity::NONE, to_der),
        method("sign_pss", Arity::exact(2).with_keywords(), sign_pss),
        method("verify_pss", Arity::exact(3).with_keywords(), verify_pss),
        method("n", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "n")),
        method("e", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "e")),
        method("d", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "d")),
        method("p", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "p")),
        method("q", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "q")),
        method("dmp1", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "dmp1")),
        method("dmq1", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "dmq1")),
        method("iqmp", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "iqmp")),
        method("set_key", Arity::exact(3), immutable),
        method("set_factors", Arity::exact(2), immutable),
        method("set_crt_params", Arity::exact(3), immutable),
    ],
    ..ClassDef::EMPTY
};

/// The text of a key: of something with `to_der`, an IO or a String.
pub fn key_text(ctx: &mut Ctx, value: Value) -> Result<Vec<u8>> {
    let name = ctx.intern("to_der");
    if ctx.respond_to(value, name, false)? { der_or_bytes(ctx, value) } else { source(ctx, value) }
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<pkey::EVP_PKEY>(ctx, recv)?;
    if args.is_empty() {
        return Err(no_arguments(ctx, RSA));
    }
    let text = key_text(ctx, args.at(0))?;
    let key = match crate::ffi::err::quietly(|| pkey::read_rsa_public(&text)) {
        Some(rsa) => check(ctx, pkey::of_part(rsa), ERROR, "EVP_PKEY_assign_RSA")?,
        None => read_kind(ctx, &text, args.at(1), args, pkey::RSA_TYPE, "Neither PUB key nor PRIV key")?,
    };
    put(ctx, recv, key)?;
    Ok(recv)
}

fn public_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    of(ctx, recv)?;
    Ok(Value::TRUE)
}

fn private_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(support::bool(has(ctx, recv, &["e", "d"])?))
}

const WHOLE: &[&str] = &["n", "e", "d", "p", "q", "dmp1", "dmq1", "iqmp"];

fn export(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if has(ctx, recv, WHOLE)? { export_traditional(ctx, recv, args, false) } else { export_public(ctx, recv, false) }
}

fn to_der(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if has(ctx, recv, WHOLE)? { export_traditional(ctx, recv, args, true) } else { export_public(ctx, recv, true) }
}

/// Salt length and mask digest of the keywords; `longest` names the length that the library chooses.
fn pss_options(ctx: &mut Ctx, args: Args, longest: &str) -> Result<(i32, Owned<evp::EVP_MD>)> {
    let [salt, mask] = keywords(ctx, args, ["salt_length", "mgf1_hash"], 2)?;
    let name = salt.as_symbol().map(|name| ctx.sym_str(name));
    let salt = match name.as_deref() {
        Some(name) if name == longest => -2,
        Some("digest") => -1,
        _ => ctx.to_c_int(salt)?,
    };
    Ok((salt, digest::function(ctx, mask)?))
}

/// `sign_pss(digest, data, salt_length:, mgf1_hash:) -> string`
fn sign_pss(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (salt, mask) = pss_options(ctx, args, "max")?;
    let key = private(ctx, recv)?;
    let md = digest::function(ctx, args.at(0))?;
    let data = bytes(ctx, args.at(1))?;
    let state = check(ctx, evp::EVP_MD_CTX_new(), ERROR, "")?;
    if !sign::begin(&state, Some(&md), &key).is_some_and(|operation| operation.set_pss(salt, &mask)) {
        return Err(fail(ctx, ERROR, ""));
    }
    let signature = outside(ctx, &SITE, || sign::sign(&state, &data))?;
    let signature = check(ctx, signature, ERROR, "")?;
    Ok(support::string(ctx, signature))
}

/// `verify_pss(digest, signature, data, salt_length:, mgf1_hash:) -> true or false`
fn verify_pss(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (salt, mask) = pss_options(ctx, args, "auto")?;
    let key = of(ctx, recv)?;
    let md = digest::function(ctx, args.at(0))?;
    let (signature, data) = (bytes(ctx, args.at(1))?, bytes(ctx, args.at(2))?);
    let state = check(ctx, evp::EVP_MD_CTX_new(), ERROR, "")?;
    if !sign::begin_verifying(&state, Some(&md), &key).is_some_and(|operation| operation.set_pss(salt, &mask)) {
        return Err(fail(ctx, ERROR, ""));
    }
    let verified = sign::verify(&state, &signature, &data);
    answer(ctx, verified, "EVP_DigestVerifyFinal")
}
