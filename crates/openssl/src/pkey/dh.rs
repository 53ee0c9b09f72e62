//! OpenSSL::PKey::DH.

use super::rsa::key_text;
use super::{ERROR, PKEY, has, immutable, no_arguments, number, of, read_kind};
use crate::ffi::pkey::{self, DH as Parameters, EVP_PKEY};
use crate::ffi::{Der, bio, err};
use crate::support::{self, check, outside, put, want_empty};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub const DH: &str = "OpenSSL::PKey::DH";

static SITE: RegionSite = RegionSite::new("OpenSSL::PKey::DH#params_ok?");

pub static DH_CLASS: ClassDef = ClassDef {
    name: DH,
    superclass: PKEY,
    methods: &[
        method("initialize", Arity::range(0, 1), initialize),
        method("public?", Arity::NONE, |ctx, recv: Value, _| Ok(support::bool(has(ctx, recv, &["pub_key"])?))),
        method("private?", Arity::NONE, |ctx, recv: Value, _| Ok(support::bool(has(ctx, recv, &["priv_key"])?))),
        method("export", Arity::NONE, export),
        method("to_pem", Arity::NONE, export),
        method("to_s", Arity::NONE, export),
        method("to_der", Arity::NONE, to_der),
        method("params_ok?", Arity::NONE, params_ok_p),
        method("p", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "p")),
        method("q", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "q")),
        method("g", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "g")),
        method("pub_key", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "pub_key")),
        method("priv_key", Arity::NONE, |ctx, recv: Value, _| number(ctx, recv, "priv_key")),
        method("set_pqg", Arity::exact(3), immutable),
        method("set_key", Arity::exact(2), immutable),
    ],
    ..ClassDef::EMPTY
};

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<EVP_PKEY>(ctx, recv)?;
    if args.is_empty() {
        return Err(no_arguments(ctx, DH));
    }
    let text = key_text(ctx, args.at(0))?;
    let key = match err::quietly(|| Parameters::decode(&text)) {
        Some(dh) => check(ctx, pkey::of_part(dh), ERROR, "EVP_PKEY_assign_DH")?,
        None => read_kind(ctx, &text, Value::NIL, args, pkey::DH_TYPE, "could not parse pkey")?,
    };
    put(ctx, recv, key)?;
    Ok(recv)
}

const NONE: &str = "failed to get DH from EVP_PKEY";

fn export(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let key = of(ctx, recv)?;
    let dh = check(ctx, pkey::EVP_PKEY_get0_DH(&key), ERROR, NONE)?;
    let text = check(ctx, bio::written(|out| pkey::PEM_write_bio_DHparams(out, dh) == 1), ERROR, "")?;
    Ok(support::string(ctx, text))
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let key = of(ctx, recv)?;
    let dh = check(ctx, pkey::EVP_PKEY_get0_DH(&key), ERROR, NONE)?;
    let der = check(ctx, dh.encode(), ERROR, "")?;
    Ok(support::string(ctx, der))
}

fn params_ok_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let key = of(ctx, recv)?;
    let operation = check(ctx, pkey::context(&key), ERROR, "EVP_PKEY_CTX_new")?;
    let fine = outside(ctx, &SITE, || pkey::EVP_PKEY_param_check(&operation))? == 1;
    if !fine {
        err::clear();
    }
    Ok(support::bool(fine))
}
