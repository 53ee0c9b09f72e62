//! OpenSSL::KDF: keys of passwords and of other keys, derived outside the lock.

use crate::digest;
use crate::ffi::{evp, pkey};
use crate::support::{self, bytes, ensure, fail, keywords, outside};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

const ERROR: &str = "OpenSSL::KDF::KDFError";

static SITE: RegionSite = RegionSite::new("OpenSSL::KDF");

pub static KDF: ClassDef = ClassDef {
    name: "OpenSSL::KDF",
    superclass: "",
    module_functions: &[
        method("pbkdf2_hmac", Arity::exact(1).with_keywords(), pbkdf2_hmac),
        method("scrypt", Arity::exact(1).with_keywords(), scrypt),
        method("hkdf", Arity::exact(1).with_keywords(), hkdf),
    ],
    ..ClassDef::EMPTY
};

pub static KDF_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

/// Room for a key of so many bytes.
fn room(ctx: &mut Ctx, len: i64) -> Result<Vec<u8>> {
    match usize::try_from(len) {
        Ok(len) if len <= isize::MAX as usize / 2 => Ok(vec![0; len]),
        _ => Err(ctx.string_size_error()),
    }
}

fn pbkdf2_hmac(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let [salt, rounds, len, hash] = keywords(ctx, args, ["salt", "iterations", "length", "hash"], 4)?;
    let (pass, salt) = (bytes(ctx, args.at(0))?, bytes(ctx, salt)?);
    let (rounds, len) = (ctx.to_c_int(rounds)?, ctx.to_c_int(len)?);
    let md = digest::function(ctx, hash)?;
    let mut out = room(ctx, len.into())?;
    let done = outside(ctx, &SITE, || {
        let done = evp::pbkdf2(&pass, &salt, rounds, &md, &mut out);
        (done, out)
    })?;
    ensure(ctx, done.0, ERROR, "PKCS5_PBKDF2_HMAC")?;
    Ok(support::string(ctx, done.1))
}

fn scrypt(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let found = keywords(ctx, args, ["salt", "N", "r", "p", "length"], 5)?;
    let [salt, n, r, p, len] = found;
    let (pass, salt) = (bytes(ctx, args.at(0))?, bytes(ctx, salt)?);
    let cost = [ctx.to_int(n)? as u64, ctx.to_int(r)? as u64, ctx.to_int(p)? as u64];
    let len = ctx.to_int(len)?;
    let mut out = room(ctx, len)?;
    let done = outside(ctx, &SITE, || {
        let done = evp::scrypt(&pass, &salt, cost, &mut out);
        (done, out)
    })?;
    ensure(ctx, done.0, ERROR, "EVP_PBE_scrypt")?;
    Ok(support::string(ctx, done.1))
}

fn hkdf(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let [salt, info, len, hash] = keywords(ctx, args, ["salt", "info", "length", "hash"], 4)?;
    let (key, salt, info) = (bytes(ctx, args.at(0))?, bytes(ctx, salt)?, bytes(ctx, info)?);
    let len = ctx.to_int(len)?;
    if len < 0 {
        return Err(ctx.argument_error("length must be non-negative"));
    }
    let md = digest::function(ctx, hash)?;
    match pkey::hkdf(&md, &salt, &key, &info, room(ctx, len)?) {
        Ok(out) => Ok(support::string(ctx, out)),
        Err(step) => Err(fail(ctx, ERROR, step)),
    }
}
