//! OpenSSL::HMAC.

use crate::digest::{self, OUTSIDE_MIN};
use crate::ffi::evp::{self, EVP_MD_CTX};
use crate::ffi::{pkey, sign};
use crate::support::{self, bytes, check, ensure, get, outside_with, put, wrap_in};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

const ERROR: &str = "OpenSSL::HMACError";

static SITE: RegionSite = RegionSite::new("OpenSSL::HMAC");

pub static HMAC_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static HMAC: ClassDef = ClassDef {
    name: "OpenSSL::HMAC",
    alloc: Some(allocate),
    methods: &[
        method("initialize", Arity::exact(2), initialize),
        method("initialize_copy", Arity::ONE, initialize_copy),
        method("reset", Arity::NONE, reset),
        method("update", Arity::ONE, update),
        method("<<", Arity::ONE, update),
        method("digest", Arity::NONE, digest),
        method("hexdigest", Arity::NONE, hexdigest),
        method("inspect", Arity::NONE, hexdigest),
        method("to_s", Arity::NONE, hexdigest),
    ],
    ..ClassDef::EMPTY
};

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let state = check(ctx, evp::EVP_MD_CTX_new(), ERROR, "EVP_MD_CTX")?;
    Ok(wrap_in(ctx, class, state))
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = bytes(ctx, args.at(0))?;
    let md = digest::function(ctx, args.at(1))?;
    let state = get::<EVP_MD_CTX>(ctx, recv)?;
    let key = check(ctx, pkey::hmac_key(&key), ERROR, "EVP_PKEY_new_raw_private_key")?;
    ensure(ctx, sign::begin(&state, Some(&md), &key).is_some(), ERROR, "EVP_DigestSignInit")?;
    Ok(recv)
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ctx.check_frozen(recv)?;
    if recv == args.at(0) {
        return Ok(recv);
    }
    let other = get::<EVP_MD_CTX>(ctx, args.at(0))?;
    let state = check(ctx, evp::EVP_MD_CTX_new(), ERROR, "EVP_MD_CTX")?;
    ensure(ctx, evp::EVP_MD_CTX_copy_ex(&state, &other) == 1, ERROR, "EVP_MD_CTX_copy")?;
    put(ctx, recv, state)?;
    Ok(recv)
}

fn reset(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let state = get::<EVP_MD_CTX>(ctx, recv)?;
    ensure(ctx, sign::begin_again(&state), ERROR, "EVP_DigestSignInit")?;
    Ok(recv)
}

fn update(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let string = ctx.to_str(args.at(0))?;
    let done = if string.len() < OUTSIDE_MIN {
        let state = get::<EVP_MD_CTX>(ctx, recv)?;
        sign::update(&state, string.bytes(ctx))
    } else {
        let shared = string.share(ctx);
        outside_with::<EVP_MD_CTX, _>(ctx, recv, &SITE, |state| sign::update(state, &shared))?
    };
    ensure(ctx, done, ERROR, "EVP_DigestSignUpdate")?;
    Ok(recv)
}

fn finish(ctx: &mut Ctx, recv: Value) -> Result<Vec<u8>> {
    let state = get::<EVP_MD_CTX>(ctx, recv)?;
    check(ctx, sign::finish(&state), ERROR, "EVP_DigestSignFinal")
}

fn digest(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let digest = finish(ctx, recv)?;
    Ok(support::string(ctx, digest))
}

fn hexdigest(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let digest = finish(ctx, recv)?;
    Ok(support::string(ctx, hex(&digest)))
}

/// The bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]).collect()
}
