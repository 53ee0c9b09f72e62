//! OpenSSL::PKCS7: signed and encrypted messages.

use crate::ffi::asn1::Bytes;
use crate::ffi::err;
use crate::ffi::pkcs::{self, PKCS7, PKCS7_RECIP_INFO, PKCS7_SIGNER_INFO};
use crate::ffi::x509::Pem;
use crate::ffi::{Der, bio};
use crate::support::{
    self, Shared, binary, check, clear_errors, empty, ensure, fail, get, ivar, put, set_ivar, source, stream,
    want_empty, wrap, wrap_in,
};
use crate::x509::{certificate, crl, name, store};
use crate::{asn1, cipher, digest, pkey};
use rubellite_vm::object::Array;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

const NAME: &str = "OpenSSL::PKCS7";
const ERROR: &str = "OpenSSL::PKCS7::PKCS7Error";
const SIGNER: &str = "OpenSSL::PKCS7::SignerInfo";
const RECIPIENT: &str = "OpenSSL::PKCS7::RecipientInfo";
const FLAG_DETACHED: i32 = 0x40;

pub static PKCS7_CLASS: ClassDef = ClassDef {
    name: NAME,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(0, 1), initialize),
        method("initialize_copy", Arity::ONE, initialize_copy),
        method("type=", Arity::ONE, set_type),
        method("type", Arity::NONE, kind),
        method("detached=", Arity::ONE, set_detached),
        method("detached", Arity::NONE, detached_p),
        method("detached?", Arity::NONE, detached_p),
        method("cipher=", Arity::ONE, set_cipher),
        method("add_signer", Arity::ONE, add_signer),
        method("signers", Arity::NONE, signers),
        method("add_recipient", Arity::ONE, add_recipient),
        method("recipients", Arity::NONE, recipients),
        method("add_certificate", Arity::ONE, add_certificate),
        method("certificates=", Arity::ONE, set_certificates),
        method("certificates", Arity::NONE, certificates),
        method("add_crl", Arity::ONE, add_crl),
        method("crls=", Arity::ONE, set_crls),
        method("crls", Arity::NONE, crls),
        method("add_data", Arity::ONE, add_data),
        method("data=", Arity::ONE, add_data),
        method("verify", Arity::range(2, 4), verify),
        method("decrypt", Arity::range(1, 3), decrypt),
        method("to_pem", Arity::NONE, to_pem),
        method("to_s", Arity::NONE, to_pem),
        method("to_der", Arity::NONE, to_der),
        method("to_text", Arity::NONE, to_text),
    ],
    singleton_methods: &[
        method("read_smime", Arity::ONE, read_smime),
        method("write_smime", Arity::range(1, 3), write_smime),
        method("sign", Arity::range(3, 5), sign),
        method("encrypt", Arity::range(2, 4), encrypt),
    ],
    setup: Some(|ctx, class| {
        support::constants(ctx, class, crate::constants::PKCS7);
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub static PKCS7_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static SIGNER_CLASS: ClassDef = ClassDef {
    name: SIGNER,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::exact(3), signer_initialize),
        method("issuer", Arity::NONE, signer_issuer),
        method("serial", Arity::NONE, signer_serial),
        method("signed_time", Arity::NONE, signed_time),
    ],
    setup: Some(|ctx, class| {
        ctx.named_class(NAME)?.set_const(ctx, "Signer", class.value());
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub static RECIPIENT_CLASS: ClassDef = ClassDef {
    name: RECIPIENT,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::ONE, recipient_initialize),
        method("issuer", Arity::NONE, recipient_issuer),
        method("serial", Arity::NONE, recipient_serial),
        method("enc_key", Arity::NONE, enc_key),
    ],
    ..ClassDef::EMPTY
};

fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<PKCS7>> {
    get(ctx, value)
}

/// A new object with a copy.
pub fn new(ctx: &mut Ctx, message: &PKCS7) -> Result {
    let copy = check(ctx, pkcs::PKCS7_dup(message), ERROR, "PKCS7_dup")?;
    wrap(ctx, NAME, copy)
}

fn flags(ctx: &mut Ctx, value: Value) -> Result<i32> {
    if value.is_nil() { Ok(0) } else { ctx.to_c_int(value) }
}

fn read_smime(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = source(ctx, args.at(0))?;
    let (message, content) = check(ctx, pkcs::read_smime(&text), ERROR, "Could not parse the PKCS7")?;
    ensure(ctx, message.has_content(), ERROR, "No content in PKCS7")?;
    let object = wrap_in(ctx, recv, message);
    let data = content.map_or(Value::NIL, |content| support::string(ctx, content.written()));
    set_ivar(ctx, object, "@data", data);
    set_ivar(ctx, object, "@error_string", Value::NIL);
    Ok(object)
}

/// `write_smime(pkcs7, data = nil, flags = nil) -> string`
fn write_smime(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let mut flags = flags(ctx, args.at(2))?;
    let data = if args.at(1).is_nil() { ivar(ctx, args.at(0), "@data") } else { args.at(1) };
    let message = of(ctx, args.at(0))?;
    if !data.is_nil() && message.kind() == pkcs::SIGNED && message.detached() {
        flags |= FLAG_DETACHED;
    }
    let text = if data.is_nil() { None } else { Some(source(ctx, data)?) };
    let input = match &text {
        Some(text) => Some(stream(ctx, text)?),
        None => None,
    };
    let out = bio::written(|out| pkcs::SMIME_write_PKCS7(out, &message, input.as_deref(), flags) == 1);
    let out = check(ctx, out, ERROR, "")?;
    Ok(support::string(ctx, out))
}

/// `sign(cert, key, data, certs = nil, flags = nil) -> pkcs7`
fn sign(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (cert, key) = (certificate::of(ctx, args.at(0))?, pkey::private(ctx, args.at(1))?);
    let flags = flags(ctx, args.at(4))?;
    let text = source(ctx, args.at(2))?;
    let certs = if args.at(3).is_nil() { None } else { Some(certificate::stack(ctx, args.at(3))?) };
    let input = stream(ctx, &text)?;
    let message = check(ctx, pkcs::sign(&cert, &key, certs.as_ref(), &input, flags), ERROR, "")?;
    let object = wrap_in(ctx, recv, message);
    let data = support::string(ctx, text);
    set_ivar(ctx, object, "@data", data);
    set_ivar(ctx, object, "@error_string", Value::NIL);
    Ok(object)
}

/// `encrypt(certs, data, cipher, flags = nil) -> pkcs7`
fn encrypt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if args.at(2).is_nil() {
        return Err(
            ctx.argument_error("cipher must be specified. Before version 3.3, the default cipher was RC2-40-CBC.")
        );
    }
    let cipher = cipher::function(ctx, args.at(2))?;
    let flags = flags(ctx, args.at(3))?;
    let text = source(ctx, args.at(1))?;
    let certs = certificate::stack(ctx, args.at(0))?;
    let input = stream(ctx, &text)?;
    let message = check(ctx, pkcs::encrypt(&certs, &input, &cipher, flags), ERROR, "")?;
    let object = wrap_in(ctx, recv, message);
    let data = support::string(ctx, text);
    set_ivar(ctx, object, "@data", data);
    Ok(object)
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<PKCS7>(ctx, recv)?;
    if args.is_empty() {
        let made = check(ctx, pkcs::PKCS7_new(), ERROR, "PKCS7_new")?;
        put(ctx, recv, made)?;
        return Ok(recv);
    }
    let text = pkey::rsa::key_text(ctx, args.at(0))?;
    let found = check(ctx, PKCS7::read(&text), ERROR, "Could not parse the PKCS7")?;
    clear_errors(ctx);
    ensure(ctx, found.has_content(), ERROR, "No content in PKCS7")?;
    put(ctx, recv, found)?;
    set_ivar(ctx, recv, "@data", Value::NIL);
    set_ivar(ctx, recv, "@error_string", Value::NIL);
    Ok(recv)
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<PKCS7>(ctx, recv)?;
    let other = of(ctx, args.at(0))?;
    let copy = check(ctx, pkcs::PKCS7_dup(&other), ERROR, "PKCS7_dup")?;
    put(ctx, recv, copy)?;
    Ok(recv)
}

const KINDS: [(&str, i32); 6] = [
    ("signed", pkcs::SIGNED),
    ("data", pkcs::DATA),
    ("signedAndEnveloped", pkcs::SIGNED_AND_ENVELOPED),
    ("enveloped", pkcs::ENVELOPED),
    ("encrypted", pkcs::ENCRYPTED),
    ("digest", pkcs::DIGEST),
];

fn set_type(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    let name = if args.at(0).is_symbol() { ctx.to_s(args.at(0))? } else { ctx.to_str(args.at(0))? };
    let name = name.to_lossy(ctx).into_owned();
    let Some((_, kind)) = KINDS.iter().find(|(known, _)| *known == name) else {
        return Err(fail(ctx, ERROR, &format!("unknown type \"{name}\"")));
    };
    ensure(ctx, pkcs::PKCS7_set_type(&this, *kind) == 1, ERROR, "")?;
    Ok(args.at(0))
}

fn kind(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let kind = of(ctx, recv)?.kind();
    match KINDS.iter().find(|(_, known)| *known == kind && kind != pkcs::DIGEST) {
        Some((name, _)) => Ok(Value::symbol(ctx.intern(name))),
        None => Ok(Value::NIL),
    }
}

fn set_detached(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    if args.at(0) != Value::TRUE && args.at(0) != Value::FALSE {
        return Err(fail(ctx, ERROR, "must specify a boolean"));
    }
    ensure(ctx, this.set_detached(args.at(0) == Value::TRUE), ERROR, "")?;
    Ok(args.at(0))
}

fn detached_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    Ok(support::bool(this.kind() == pkcs::SIGNED && this.detached()))
}

fn set_cipher(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, cipher) = (of(ctx, recv)?, cipher::function(ctx, args.at(0))?);
    ensure(ctx, pkcs::PKCS7_set_cipher(&this, &cipher) == 1, ERROR, "PKCS7_set_cipher")?;
    Ok(args.at(0))
}

fn add_signer(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, signer) = (of(ctx, recv)?, get::<PKCS7_SIGNER_INFO>(ctx, args.at(0))?);
    let copy = check(ctx, signer.copy(), ERROR, "PKCS7_SIGNER_INFO_dup")?;
    ensure(ctx, this.add_signer(copy), ERROR, "PKCS7_add_signer")?;
    Ok(recv)
}

fn signers(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let list = Array::new(ctx);
    if let Some(found) = pkcs::PKCS7_get_signer_info(&this) {
        for signer in found.iter() {
            let copy = check(ctx, signer.copy(), ERROR, "ASN1_dup")?;
            let object = wrap(ctx, SIGNER, copy)?;
            list.push(ctx, object);
        }
    }
    Ok(list.value())
}

fn add_recipient(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, recipient) = (of(ctx, recv)?, get::<PKCS7_RECIP_INFO>(ctx, args.at(0))?);
    let copy = check(ctx, recipient.copy(), ERROR, "PKCS7_RECIP_INFO_dup")?;
    ensure(ctx, this.add_recipient(copy), ERROR, "PKCS7_add_recipient_info")?;
    Ok(recv)
}

fn recipients(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let list = Array::new(ctx);
    if let Some(found) = this.recipients() {
        for recipient in found.iter() {
            let copy = check(ctx, recipient.copy(), ERROR, "ASN1_dup")?;
            let object = wrap(ctx, RECIPIENT, copy)?;
            list.push(ctx, object);
        }
    }
    Ok(list.value())
}

fn add_certificate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, cert) = (of(ctx, recv)?, certificate::of(ctx, args.at(0))?);
    ensure(ctx, pkcs::PKCS7_add_certificate(&this, &cert) == 1, ERROR, "")?;
    Ok(recv)
}

fn set_certificates(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    if let Some(list) = this.certs() {
        // SAFETY: the list owns its items.
        while unsafe { list.pop() }.is_some() {}
    }
    let list = support::enumerated(ctx, args.at(0))?;
    support::each(ctx, list, |ctx, item| {
        let cert = certificate::of(ctx, item)?;
        ensure(ctx, pkcs::PKCS7_add_certificate(&this, &cert) == 1, ERROR, "")
    })?;
    Ok(args.at(0))
}

fn certificates(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    match this.certs() {
        Some(certs) => certificate::list(ctx, certs.iter()),
        None => Ok(Value::NIL),
    }
}

fn add_crl(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, crl) = (of(ctx, recv)?, crl::of(ctx, args.at(0))?);
    ensure(ctx, pkcs::PKCS7_add_crl(&this, &crl) == 1, ERROR, "")?;
    Ok(recv)
}

fn set_crls(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    if let Some(list) = this.crls() {
        // SAFETY: the list owns its items.
        while unsafe { list.pop() }.is_some() {}
    }
    let list = support::enumerated(ctx, args.at(0))?;
    support::each(ctx, list, |ctx, item| {
        let crl = crl::of(ctx, item)?;
        ensure(ctx, pkcs::PKCS7_add_crl(&this, &crl) == 1, ERROR, "")
    })?;
    Ok(args.at(0))
}

fn crls(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let Some(found) = this.crls() else { return Ok(Value::NIL) };
    let list = Array::new(ctx);
    for item in found.iter() {
        let object = crl::new(ctx, item)?;
        list.push(ctx, object);
    }
    Ok(list.value())
}

/// `verify(certs, store, data = nil, flags = nil) -> true or false`
fn verify(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, store) = (of(ctx, recv)?, store::of(ctx, args.at(1))?);
    let flags = flags(ctx, args.at(3))?;
    let data = if args.at(2).is_nil() { ivar(ctx, recv, "@data") } else { args.at(2) };
    let text = if data.is_nil() { None } else { Some(source(ctx, data)?) };
    let input = match &text {
        Some(text) => Some(stream(ctx, text)?),
        None => None,
    };
    let certs = if args.at(0).is_nil() { None } else { Some(certificate::stack(ctx, args.at(0))?) };
    let out = check(ctx, bio::BIO::memory(), ERROR, "")?;
    let fine =
        store::asking(ctx, args.at(1), &store, || this.verify(certs.as_ref(), &store, input.as_deref(), &out, flags))?;
    let data = support::string(ctx, out.written());
    set_ivar(ctx, recv, "@data", data);
    let told =
        if fine { Value::NIL } else { err::first_reason().map_or(Value::NIL, |reason| binary(ctx, reason.as_bytes())) };
    set_ivar(ctx, recv, "@error_string", told);
    clear_errors(ctx);
    Ok(support::bool(fine))
}

/// `decrypt(key, cert = nil, flags = nil) -> string`
fn decrypt(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let key = pkey::private(ctx, args.at(0))?;
    let cert = if args.at(1).is_nil() { None } else { Some(certificate::of(ctx, args.at(1))?) };
    let flags = flags(ctx, args.at(2))?;
    let this = of(ctx, recv)?;
    let cert = cert.as_ref().map(|cert| &***cert);
    let out = bio::written(|out| pkcs::PKCS7_decrypt(&this, &key, cert, out, flags) == 1);
    let out = check(ctx, out, ERROR, "")?;
    Ok(support::string(ctx, out))
}

fn add_data(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    let text = source(ctx, args.at(0))?;
    if let Err(step) = this.fill(&text) {
        return Err(fail(ctx, ERROR, step));
    }
    set_ivar(ctx, recv, "@data", Value::NIL);
    Ok(args.at(0))
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
    let text = check(ctx, bio::written(|out| this.print(out)), ERROR, "")?;
    Ok(support::string(ctx, text))
}

// -- signers and recipients ---------------------------------------------------------------

/// `SignerInfo.new(cert, key, digest)`
fn signer_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<PKCS7_SIGNER_INFO>(ctx, recv)?;
    let (key, cert) = (pkey::private(ctx, args.at(1))?, certificate::of(ctx, args.at(0))?);
    let md = digest::function(ctx, args.at(2))?;
    let made = check(ctx, pkcs::PKCS7_SIGNER_INFO_new(), ERROR, "PKCS7_SIGNER_INFO_new")?;
    ensure(ctx, pkcs::PKCS7_SIGNER_INFO_set(&made, &cert, &key, &md) > 0, ERROR, "PKCS7_SIGNER_INFO_set")?;
    put(ctx, recv, made)?;
    Ok(recv)
}

fn signer_issuer(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<PKCS7_SIGNER_INFO>(ctx, recv)?;
    let (issuer, _) = check(ctx, this.who(), ERROR, "")?;
    name::new(ctx, issuer)
}

fn signer_serial(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<PKCS7_SIGNER_INFO>(ctx, recv)?;
    asn1::integer_to_num(ctx, this.who().map(|(_, serial)| serial))
}

fn signed_time(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<PKCS7_SIGNER_INFO>(ctx, recv)?;
    match check(ctx, this.signed_at(), ERROR, "")? {
        Some(time) => asn1::to_time(ctx, time),
        None => Ok(Value::NIL),
    }
}

fn recipient_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<PKCS7_RECIP_INFO>(ctx, recv)?;
    let cert = certificate::of(ctx, args.at(0))?;
    let made = check(ctx, pkcs::PKCS7_RECIP_INFO_new(), ERROR, "PKCS7_RECIP_INFO_new")?;
    ensure(ctx, pkcs::PKCS7_RECIP_INFO_set(&made, &cert) > 0, ERROR, "")?;
    put(ctx, recv, made)?;
    Ok(recv)
}

fn recipient_issuer(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<PKCS7_RECIP_INFO>(ctx, recv)?;
    let (issuer, _) = check(ctx, this.who(), ERROR, "")?;
    name::new(ctx, issuer)
}

fn recipient_serial(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<PKCS7_RECIP_INFO>(ctx, recv)?;
    asn1::integer_to_num(ctx, this.who().map(|(_, serial)| serial))
}

fn enc_key(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<PKCS7_RECIP_INFO>(ctx, recv)?;
    Ok(binary(ctx, this.key().map_or(&[][..], Bytes::bytes)))
}
