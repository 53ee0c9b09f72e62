//! OpenSSL::PKey::DSA.

use super::rsa::key_text;
use super::{ERROR, PKEY, export_public, export_traditional, has, immutable, no_arguments, number, read_kind};
use crate::ffi::pkey;
use crate::support::{self, check, put, want_empty};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub const DSA: &str = "OpenSSL::PKey::DSA";

pub static DSA_CLASS: ClassDef = ClassDef {
    name: DSA,
    superclass: PKEY,
    methods: &[
        method("initialize", Arity::range(0, 2), initialize),
        method("public?", Arity::NONE, |ctx, recv: Value, _| Ok(support::bool(has(ctx, recv, &["pub_key"])?))),
        method("private?", Arity::NONE, |ctx, recv: Value, _| Ok(support::bool(has(ctx, recv, &["priv_key"])?))),
        method("export", Arity::range(0, 2), export),
        method("to_pem", Arity::range(0, 2), export),
        method("to_s", Arity::range(0, 2), export),
        method("to_der", Arity::NONE, to_der),
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
    want_empty::<pkey::EVP_PKEY>(ctx, recv)?;
    if args.is_empty() {
        return Err(no_arguments(ctx, DSA));
    }
    let text = key_text(ctx, args.at(0))?;
    let key = match crate::ffi::err::quietly(|| pkey::read_dsa_public(&text)) {
        Some(dsa) => check(ctx, pkey::of_part(dsa), ERROR, "EVP_PKEY_assign_DSA")?,
        None => read_kind(ctx, &text, args.at(1), args, pkey::DSA_TYPE, "Neither PUB key nor PRIV key")?,
    };
    put(ctx, recv, key)?;
    Ok(recv)
}

fn export(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if has(ctx, recv, &["priv_key"])? {
        export_traditional(ctx, recv, args, false)
    } else {
        export_public(ctx, recv, false)
    }
}

fn to_der(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if has(ctx, recv, &["priv_key"])? {
        export_traditional(ctx, recv, args, true)
    } else {
        export_public(ctx, recv, true)
    }
}
