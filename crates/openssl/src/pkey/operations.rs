//! Signatures, encryption and agreement with keys of any kind.

use super::{ERROR, apply_options, check_public, of, private};
use crate::digest;
use crate::ffi::evp::{self, EVP_MD, EVP_MD_CTX};
use crate::ffi::pkey::{self, EVP_PKEY, EVP_PKEY_CTX};
use crate::ffi::{Owned, err, sign};
use crate::support::{self, bytes, check, ensure, fail, outside};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Ctx, Result, Value};

static SIGN: RegionSite = RegionSite::new("OpenSSL::PKey::PKey#sign");
static VERIFY: RegionSite = RegionSite::new("OpenSSL::PKey::PKey#verify");
static OTHER: RegionSite = RegionSite::new("OpenSSL::PKey::PKey");

fn digest_state(ctx: &mut Ctx) -> Result<Owned<EVP_MD_CTX>> {
    check(ctx, evp::EVP_MD_CTX_new(), ERROR, "EVP_MD_CTX_new")
}

/// True or false, or the error of the library.
pub fn answer(ctx: &mut Ctx, verified: i32, message: &str) -> Result {
    match verified {
        0 => {
            err::clear();
            Ok(Value::FALSE)
        }
        1.. => Ok(Value::TRUE),
        _ => Err(fail(ctx, ERROR, message)),
    }
}

/// `sign(digest, data, options = nil) -> string`
pub fn sign(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = private(ctx, recv)?;
    let md = digest::optional(ctx, args.at(0))?;
    let data = bytes(ctx, args.at(1))?;
    let state = digest_state(ctx)?;
    let operation = check(ctx, sign::begin(&state, md.as_deref(), &key), ERROR, "EVP_DigestSignInit")?;
    apply_options(ctx, operation, args.at(2))?;
    let signature = outside(ctx, &SIGN, || sign::sign(&state, &data))?;
    let signature = check(ctx, signature, ERROR, "EVP_DigestSign")?;
    Ok(support::string(ctx, signature))
}

/// `verify(digest, signature, data, options = nil) -> true or false`
pub fn verify(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = of(ctx, recv)?;
    check_public(ctx, &key)?;
    let md = digest::optional(ctx, args.at(0))?;
    let (signature, data) = (bytes(ctx, args.at(1))?, bytes(ctx, args.at(2))?);
    let state = digest_state(ctx)?;
    let operation = check(ctx, sign::begin_verifying(&state, md.as_deref(), &key), ERROR, "EVP_DigestVerifyInit")?;
    apply_options(ctx, operation, args.at(3))?;
    let verified = outside(ctx, &VERIFY, || sign::verify(&state, &signature, &data))?;
    answer(ctx, verified, "EVP_DigestVerify")
}

/// An operation with a key, begun and with its digest and options set.
fn begun(
    ctx: &mut Ctx,
    key: &EVP_PKEY,
    begin: (extern "C" fn(&EVP_PKEY_CTX) -> i32, &str),
    md: Option<&EVP_MD>,
    options: Value,
) -> Result<Owned<EVP_PKEY_CTX>> {
    let operation = check(ctx, pkey::context(key), ERROR, "EVP_PKEY_CTX_new")?;
    ensure(ctx, begin.0(&operation) > 0, ERROR, begin.1)?;
    if let Some(md) = md {
        ensure(ctx, pkey::EVP_PKEY_CTX_set_signature_md(&operation, md) > 0, ERROR, "EVP_PKEY_CTX_set_signature_md")?;
    }
    apply_options(ctx, &operation, options)?;
    Ok(operation)
}

/// `sign_raw(digest, data, options = nil) -> string`: data is a digest already.
pub fn sign_raw(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = private(ctx, recv)?;
    let md = digest::optional(ctx, args.at(0))?;
    let data = bytes(ctx, args.at(1))?;
    let operation = begun(ctx, &key, (pkey::EVP_PKEY_sign_init, "EVP_PKEY_sign_init"), md.as_deref(), args.at(2))?;
    let signature = outside(ctx, &SIGN, || operation.sign(&data))?;
    let signature = check(ctx, signature, ERROR, "EVP_PKEY_sign")?;
    Ok(support::string(ctx, signature))
}

/// `verify_raw(digest, signature, data, options = nil) -> true or false`
pub fn verify_raw(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = of(ctx, recv)?;
    check_public(ctx, &key)?;
    let md = digest::optional(ctx, args.at(0))?;
    let (signature, data) = (bytes(ctx, args.at(1))?, bytes(ctx, args.at(2))?);
    let operation = begun(ctx, &key, (pkey::EVP_PKEY_verify_init, "EVP_PKEY_verify_init"), md.as_deref(), args.at(3))?;
    let verified = outside(ctx, &VERIFY, || operation.verify(&signature, &data))?;
    answer(ctx, verified, "EVP_PKEY_verify")
}

/// `verify_recover(digest, signature, options = nil) -> string`
pub fn verify_recover(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = of(ctx, recv)?;
    check_public(ctx, &key)?;
    let md = digest::optional(ctx, args.at(0))?;
    let signature = bytes(ctx, args.at(1))?;
    let operation = begun(
        ctx,
        &key,
        (pkey::EVP_PKEY_verify_recover_init, "EVP_PKEY_verify_recover_init"),
        md.as_deref(),
        args.at(2),
    )?;
    let data = outside(ctx, &VERIFY, || operation.recover(&signature))?;
    let data = check(ctx, data, ERROR, "EVP_PKEY_verify_recover")?;
    Ok(support::string(ctx, data))
}

/// `derive(peer) -> string`: the secret that both have.
pub fn derive(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (key, peer) = (of(ctx, recv)?, of(ctx, args.at(0))?);
    let operation = begun(ctx, &key, (pkey::EVP_PKEY_derive_init, "EVP_PKEY_derive_init"), None, Value::NIL)?;
    ensure(ctx, pkey::EVP_PKEY_derive_set_peer(&operation, &peer) > 0, ERROR, "EVP_PKEY_derive_set_peer")?;
    let secret = outside(ctx, &OTHER, || operation.derive())?;
    let secret = check(ctx, secret, ERROR, "EVP_PKEY_derive")?;
    Ok(support::string(ctx, secret))
}

/// `encrypt(data, options = nil) -> string`
pub fn encrypt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = of(ctx, recv)?;
    let data = bytes(ctx, args.at(0))?;
    let operation = begun(ctx, &key, (pkey::EVP_PKEY_encrypt_init, "EVP_PKEY_encrypt_init"), None, args.at(1))?;
    let out = outside(ctx, &OTHER, || operation.encrypt(&data))?;
    let out = check(ctx, out, ERROR, "EVP_PKEY_encrypt")?;
    Ok(support::string(ctx, out))
}

/// `decrypt(data, options = nil) -> string`
pub fn decrypt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = of(ctx, recv)?;
    let data = bytes(ctx, args.at(0))?;
    let operation = begun(ctx, &key, (pkey::EVP_PKEY_decrypt_init, "EVP_PKEY_decrypt_init"), None, args.at(1))?;
    let out = outside(ctx, &SIGN, || operation.decrypt(&data))?;
    let out = check(ctx, out, ERROR, "EVP_PKEY_decrypt")?;
    Ok(support::string(ctx, out))
}
