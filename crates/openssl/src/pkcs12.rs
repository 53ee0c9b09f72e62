//! OpenSSL::PKCS12: a key with its certificates.

use crate::digest;
use crate::ffi::asn1::{OBJ_txt2nid, UNDEF};
use crate::ffi::pkcs::{self, PKCS12, Parts};
use crate::ffi::{Der, Text};
use crate::pkey;
use crate::support::{self, bytes, c_string, check, empty, ensure, fail, get, put, set_ivar, source, want_empty, wrap};
use crate::x509::certificate;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

const NAME: &str = "OpenSSL::PKCS12";
const ERROR: &str = "OpenSSL::PKCS12::PKCS12Error";
const KEY_EX: i32 = 0x10;
const KEY_SIG: i32 = 0x80;

pub static PKCS12_CLASS: ClassDef = ClassDef {
    name: NAME,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(0, 2), initialize),
        method("initialize_copy", Arity::ONE, initialize_copy),
        method("to_der", Arity::NONE, to_der),
        method("set_mac", Arity::range(1, 4), set_mac),
    ],
    singleton_methods: &[method("create", Arity::range(4, 10), create)],
    setup: Some(|ctx, class| {
        support::constants(ctx, class, crate::constants::PKCS12);
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub static PKCS12_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

fn nid(ctx: &mut Ctx, value: Value) -> Result<i32> {
    if value.is_nil() {
        return Ok(0);
    }
    let name = c_string(ctx, value)?;
    let nid = OBJ_txt2nid(Text::from(&*name));
    let message = format!("Unknown PBE algorithm {}", name.to_string_lossy());
    if nid == UNDEF { Err(fail(ctx, "ArgumentError", &message)) } else { Ok(nid) }
}

fn number(ctx: &mut Ctx, value: Value) -> Result<i32> {
    if value.is_nil() { Ok(0) } else { ctx.to_c_int(value) }
}

/// `create(pass, name, key, cert, ca = nil, key_pbe = nil, cert_pbe = nil, key_iter = nil, mac_iter = nil, keytype =
/// nil) -> pkcs12`
fn create(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let pass = if args.at(0).is_nil() { None } else { Some(c_string(ctx, args.at(0))?) };
    let name = if args.at(1).is_nil() { None } else { Some(c_string(ctx, args.at(1))?) };
    let (key, cert) = (pkey::of(ctx, args.at(2))?, certificate::of(ctx, args.at(3))?);
    let (key_nid, cert_nid) = (nid(ctx, args.at(5))?, nid(ctx, args.at(6))?);
    let (rounds, mac_rounds, kind) = (number(ctx, args.at(7))?, number(ctx, args.at(8))?, number(ctx, args.at(9))?);
    if !matches!(kind, 0 | KEY_SIG | KEY_EX) {
        return Err(fail(ctx, "ArgumentError", &format!("Unknown key usage type {kind}")));
    }
    let chain = if args.at(4).is_nil() { None } else { Some(certificate::stack(ctx, args.at(4))?) };
    let parts = Parts {
        pass: pass.as_deref().map(Text::from),
        name: name.as_deref().map(Text::from),
        key: &key,
        cert: &cert,
        chain: chain.as_ref(),
        key_nid,
        cert_nid,
        rounds,
        mac_rounds,
        kind,
    };
    let made = check(ctx, pkcs::create(&parts), ERROR, "")?;
    let object = wrap(ctx, NAME, made)?;
    fill(ctx, object, [args.at(2), args.at(3), args.at(4)]);
    Ok(object)
}

fn fill(ctx: &Ctx, object: Value, [key, cert, chain]: [Value; 3]) {
    set_ivar(ctx, object, "@key", key);
    set_ivar(ctx, object, "@certificate", cert);
    set_ivar(ctx, object, "@ca_certs", chain);
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<PKCS12>(ctx, recv)?;
    if args.is_empty() {
        let made = check(ctx, pkcs::PKCS12_new(), ERROR, "PKCS12_new")?;
        put(ctx, recv, made)?;
        return Ok(recv);
    }
    let pass = if args.at(1).is_nil() { None } else { Some(c_string(ctx, args.at(1))?) };
    let text = source(ctx, args.at(0))?;
    let found = check(ctx, PKCS12::decode_stream(&text), ERROR, "d2i_PKCS12_bio")?;
    let parts = pkcs::parse(&found, pass.as_deref().map(Text::from));
    put(ctx, recv, found)?;
    let (key, cert, chain) = check(ctx, parts, ERROR, "PKCS12_parse")?;
    let key = match key {
        Some(key) => pkey::wrap(ctx, key)?,
        None => Value::NIL,
    };
    let cert = match cert {
        Some(cert) => certificate::new(ctx, &cert)?,
        None => Value::NIL,
    };
    let chain = match chain {
        Some(chain) => certificate::list(ctx, chain.iter())?,
        None => Value::NIL,
    };
    fill(ctx, recv, [key, cert, chain]);
    Ok(recv)
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<PKCS12>(ctx, recv)?;
    let other = get::<PKCS12>(ctx, args.at(0))?;
    let copy = other.encode().and_then(|der| PKCS12::decode(&der));
    let copy = check(ctx, copy, ERROR, "ASN1_dup")?;
    put(ctx, recv, copy)?;
    Ok(recv)
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<PKCS12>(ctx, recv)?;
    let der = check(ctx, this.encode().filter(|der| !der.is_empty()), ERROR, "")?;
    Ok(support::string(ctx, der))
}

/// `set_mac(pass, salt = nil, iterations = nil, digest = nil) -> nil`
fn set_mac(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ctx.check_frozen(recv)?;
    let this = get::<PKCS12>(ctx, recv)?;
    let pass = bytes(ctx, args.at(0))?;
    let salt = if args.at(1).is_nil() { None } else { Some(bytes(ctx, args.at(1))?) };
    let rounds = number(ctx, args.at(2))?;
    let md = digest::optional(ctx, args.at(3))?;
    ensure(ctx, pkcs::set_mac(&this, &pass, salt.as_deref(), rounds, md.as_deref()), ERROR, "PKCS12_set_mac")?;
    Ok(Value::NIL)
}
