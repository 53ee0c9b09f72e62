//! OpenSSL::Timestamp.

use crate::ffi::asn1::{self as raw, ASN1_OBJECT, Bytes};
use crate::ffi::pkcs::{PKCS7_cert_from_signer_info, PKCS7_get_signer_info};
use crate::ffi::tsp::{self, TS_MSG_IMPRINT, TS_REQ, TS_RESP, TS_TST_INFO};
use crate::ffi::{Der, Owned, bio};
use crate::support::{
    self, Shared, binary, bytes, check, clear_errors, empty, ensure, fail, get, ivar, put, stream, to_der as der_of,
    want_empty, wrap,
};
use crate::x509::{certificate, store};
use crate::{asn1, digest, pkcs7, pkey};
use rubellite_vm::object::Array;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

const ERROR: &str = "OpenSSL::Timestamp::TimestampError";
const RESPONSE_NAME: &str = "OpenSSL::Timestamp::Response";
const TOKEN_INFO_NAME: &str = "OpenSSL::Timestamp::TokenInfo";

pub static TIMESTAMP: ClassDef = ClassDef { name: "OpenSSL::Timestamp", superclass: "", ..ClassDef::EMPTY };
pub static TIMESTAMP_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static REQUEST: ClassDef = ClassDef {
    name: "OpenSSL::Timestamp::Request",
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(0, 1), initialize),
        method("version=", Arity::ONE, set_version),
        method("version", Arity::NONE, version),
        method("algorithm=", Arity::ONE, set_algorithm),
        method("algorithm", Arity::NONE, algorithm),
        method("message_imprint=", Arity::ONE, set_message_imprint),
        method("message_imprint", Arity::NONE, message_imprint),
        method("policy_id=", Arity::ONE, set_policy_id),
        method("policy_id", Arity::NONE, policy_id),
        method("nonce=", Arity::ONE, set_nonce),
        method("nonce", Arity::NONE, nonce),
        method("cert_requested=", Arity::ONE, set_cert_requested),
        method("cert_requested?", Arity::NONE, cert_requested_p),
        method("to_der", Arity::NONE, to_der),
        method("to_text", Arity::NONE, to_text),
    ],
    ..ClassDef::EMPTY
};

pub static RESPONSE: ClassDef = ClassDef {
    name: RESPONSE_NAME,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::ONE, |ctx, recv: Value, args| read::<TS_RESP>(ctx, recv, args.at(0), "response")),
        method("status", Arity::NONE, status),
        method("failure_info", Arity::NONE, failure_info),
        method("status_text", Arity::NONE, status_text),
        method("token", Arity::NONE, token),
        method("token_info", Arity::NONE, token_info),
        method("tsa_certificate", Arity::NONE, tsa_certificate),
        method("to_der", Arity::NONE, |ctx, recv: Value, _| written::<TS_RESP>(ctx, recv)),
        method("to_text", Arity::NONE, response_to_text),
        method("verify", Arity::range(2, 3), verify),
    ],
    setup: Some(|ctx, class| {
        support::constants(ctx, class, crate::constants::TS);
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub static TOKEN_INFO: ClassDef = ClassDef {
    name: TOKEN_INFO_NAME,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::ONE, |ctx, recv: Value, args| {
            read::<TS_TST_INFO>(ctx, recv, args.at(0), "token info")
        }),
        method("version", Arity::NONE, info_version),
        method("policy_id", Arity::NONE, info_policy_id),
        method("algorithm", Arity::NONE, info_algorithm),
        method("message_imprint", Arity::NONE, info_message_imprint),
        method("serial_number", Arity::NONE, serial_number),
        method("gen_time", Arity::NONE, gen_time),
        method("ordering", Arity::NONE, ordering),
        method("nonce", Arity::NONE, info_nonce),
        method("to_der", Arity::NONE, |ctx, recv: Value, _| written::<TS_TST_INFO>(ctx, recv)),
        method("to_text", Arity::NONE, info_to_text),
    ],
    ..ClassDef::EMPTY
};

pub static FACTORY: ClassDef = ClassDef {
    name: "OpenSSL::Timestamp::Factory",
    methods: &[method("create_timestamp", Arity::exact(3), create_timestamp)],
    ..ClassDef::EMPTY
};

// -- for all of them ----------------------------------------------------------------------

fn read<T: Der + 'static>(ctx: &mut Ctx, recv: Value, text: Value, what: &str) -> Result {
    want_empty::<T>(ctx, recv)?;
    let text = pkey::rsa::key_text(ctx, text)?;
    let message = format!("Error when decoding the timestamp {what}");
    let found = check(ctx, T::decode_stream(&text), ERROR, &message)?;
    put(ctx, recv, found)?;
    Ok(recv)
}

fn written<T: Der + 'static>(ctx: &mut Ctx, recv: Value) -> Result {
    let this = get::<T>(ctx, recv)?;
    let der = check(ctx, this.encode().filter(|der| !der.is_empty()), ERROR, "Error when encoding to DER")?;
    Ok(support::string(ctx, der))
}

fn printed(ctx: &mut Ctx, print: impl FnOnce(&bio::BIO) -> bool) -> Result {
    let text = check(ctx, bio::written(print), ERROR, "")?;
    Ok(support::string(ctx, text))
}

fn imprint_algorithm(ctx: &mut Ctx, imprint: Option<&TS_MSG_IMPRINT>) -> Result {
    let object = imprint.and_then(|imprint| tsp::TS_MSG_IMPRINT_get_algo(imprint)).and_then(raw::algorithm);
    let object = check(ctx, object, ERROR, "")?;
    asn1::object_name(ctx, object)
}

fn imprint_message(ctx: &mut Ctx, imprint: Option<&TS_MSG_IMPRINT>) -> Value {
    let message = imprint.and_then(|imprint| tsp::TS_MSG_IMPRINT_get_msg(imprint));
    binary(ctx, message.map_or(&[][..], Bytes::bytes))
}

// -- requests -----------------------------------------------------------------------------

fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<TS_REQ>> {
    get(ctx, value)
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !args.is_empty() {
        return read::<TS_REQ>(ctx, recv, args.at(0), "request");
    }
    want_empty::<TS_REQ>(ctx, recv)?;
    let made = check(ctx, tsp::TS_REQ_new(), ERROR, "TS_REQ_new")?;
    ensure(ctx, tsp::TS_REQ_set_version(&made, 1) == 1, ERROR, "TS_REQ_set_version")?;
    ensure(ctx, tsp::TS_REQ_set_cert_req(&made, 1) == 1, ERROR, "TS_REQ_set_cert_req")?;
    put(ctx, recv, made)?;
    Ok(recv)
}

fn algorithm(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    imprint_algorithm(ctx, tsp::TS_REQ_get_msg_imprint(&this))
}

fn set_algorithm(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, object) = (of(ctx, recv)?, asn1::to_object(ctx, args.at(0))?);
    let done = tsp::TS_REQ_get_msg_imprint(&this).is_some_and(|imprint| imprint.set_algorithm(object));
    ensure(ctx, done, ERROR, "X509_ALGOR_set0")?;
    Ok(args.at(0))
}

fn message_imprint(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    Ok(imprint_message(ctx, tsp::TS_REQ_get_msg_imprint(&this)))
}

fn set_message_imprint(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (message, this) = (bytes(ctx, args.at(0))?, of(ctx, recv)?);
    let done = tsp::TS_REQ_get_msg_imprint(&this).is_some_and(|imprint| imprint.set_message(&message));
    ensure(ctx, done, ERROR, "TS_MSG_IMPRINT_set_msg")?;
    Ok(args.at(0))
}

fn version(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    Ok(ctx.int(tsp::TS_REQ_get_version(&this)))
}

fn set_version(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let version = ctx.to_int(args.at(0))?;
    if version < 0 {
        return Err(fail(ctx, ERROR, "version must be >= 0!"));
    }
    let this = of(ctx, recv)?;
    ensure(ctx, tsp::TS_REQ_set_version(&this, version) == 1, ERROR, "TS_REQ_set_version")?;
    Ok(args.at(0))
}

fn policy_id(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    match tsp::TS_REQ_get_policy_id(&this) {
        Some(policy) => asn1::object_name(ctx, policy),
        None => Ok(Value::NIL),
    }
}

fn set_policy_id(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, policy) = (of(ctx, recv)?, asn1::to_object(ctx, args.at(0))?);
    ensure(ctx, tsp::TS_REQ_set_policy_id(&this, &policy) == 1, ERROR, "TS_REQ_set_policy_id")?;
    Ok(args.at(0))
}

fn nonce(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    match tsp::TS_REQ_get_nonce(&this) {
        Some(nonce) => asn1::integer_to_num(ctx, Some(nonce)),
        None => Ok(Value::NIL),
    }
}

fn set_nonce(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, nonce) = (of(ctx, recv)?, asn1::num_to_integer(ctx, args.at(0))?);
    ensure(ctx, tsp::TS_REQ_set_nonce(&this, &nonce) == 1, ERROR, "")?;
    Ok(args.at(0))
}

fn cert_requested_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    Ok(support::bool(tsp::TS_REQ_get_cert_req(&this) != 0))
}

fn set_cert_requested(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    tsp::TS_REQ_set_cert_req(&this, args.at(0).truthy().into());
    Ok(args.at(0))
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let imprint = tsp::TS_REQ_get_msg_imprint(&this);
    let object = imprint.and_then(|imprint| tsp::TS_MSG_IMPRINT_get_algo(imprint)).and_then(raw::algorithm);
    let known = object.is_some_and(|object| raw::OBJ_obj2nid(object) != raw::UNDEF);
    ensure(ctx, known, ERROR, "Message imprint missing algorithm")?;
    let message = imprint.and_then(|imprint| tsp::TS_MSG_IMPRINT_get_msg(imprint));
    let there = message.is_some_and(|message| !message.bytes().is_empty());
    ensure(ctx, there, ERROR, "Message imprint missing hashed message")?;
    written::<TS_REQ>(ctx, recv)
}

fn to_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    printed(ctx, |out| tsp::TS_REQ_print_bio(out, &this) != 0)
}

// -- responses ----------------------------------------------------------------------------

fn response(ctx: &mut Ctx, value: Value) -> Result<Shared<TS_RESP>> {
    get(ctx, value)
}

fn status(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = response(ctx, recv)?;
    let status = tsp::TS_RESP_get_status_info(&this).and_then(|info| tsp::TS_STATUS_INFO_get0_status(info));
    asn1::integer_to_num(ctx, status)
}

const FAILURES: [(&str, i32); 8] = [
    ("BAD_ALG", 0),
    ("BAD_REQUEST", 2),
    ("BAD_DATA_FORMAT", 5),
    ("TIME_NOT_AVAILABLE", 14),
    ("UNACCEPTED_POLICY", 15),
    ("UNACCEPTED_EXTENSION", 16),
    ("ADD_INFO_NOT_AVAILABLE", 17),
    ("SYSTEM_FAILURE", 25),
];

fn failure_info(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = response(ctx, recv)?;
    let bits = tsp::TS_RESP_get_status_info(&this).and_then(|info| tsp::TS_STATUS_INFO_get0_failure_info(info));
    let Some(bits) = bits else { return Ok(Value::NIL) };
    match FAILURES.iter().find(|(_, bit)| tsp::ASN1_BIT_STRING_get_bit(bits, *bit) != 0) {
        Some((name, _)) => Ok(Value::symbol(ctx.intern(name))),
        None => Err(fail(ctx, ERROR, "Unrecognized failure info.")),
    }
}

fn status_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = response(ctx, recv)?;
    let list = Array::new(ctx);
    if let Some(texts) = tsp::TS_RESP_get_status_info(&this).and_then(|info| tsp::TS_STATUS_INFO_get0_text(info)) {
        for text in texts.iter() {
            let text = binary(ctx, text.bytes());
            list.push(ctx, text);
        }
    }
    Ok(list.value())
}

fn token(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = response(ctx, recv)?;
    match tsp::TS_RESP_get_token(&this) {
        Some(token) => pkcs7::new(ctx, token),
        None => Ok(Value::NIL),
    }
}

fn token_info(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = response(ctx, recv)?;
    let Some(info) = tsp::TS_RESP_get_tst_info(&this) else { return Ok(Value::NIL) };
    let copy = check(ctx, tsp::TS_TST_INFO_dup(info), ERROR, "TS_TST_INFO_dup")?;
    wrap(ctx, TOKEN_INFO_NAME, copy)
}

fn tsa_certificate(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = response(ctx, recv)?;
    let Some(token) = tsp::TS_RESP_get_token(&this) else { return Ok(Value::NIL) };
    let signer = PKCS7_get_signer_info(token).and_then(|signers| signers.get(0));
    match signer.and_then(|signer| PKCS7_cert_from_signer_info(token, signer)) {
        Some(cert) => certificate::new(ctx, cert),
        None => Ok(Value::NIL),
    }
}

fn response_to_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = response(ctx, recv)?;
    printed(ctx, |out| tsp::TS_RESP_print_bio(out, &this) != 0)
}

/// `verify(request, store, intermediates = nil) -> self`
fn verify(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, request, store) = (response(ctx, recv)?, of(ctx, args.at(0))?, store::of(ctx, args.at(1))?);
    let certs = if args.at(2).is_nil() { Array::new(ctx).value() } else { args.at(2) };
    let certs = certificate::stack(ctx, certs)?;
    let token = check(ctx, tsp::TS_RESP_get_token(&this), ERROR, "TS_RESP_get_token")?;
    if let Some(further) = token.certs() {
        for cert in further.iter() {
            let shared = check(ctx, cert.share(), ERROR, "sk_X509_push")?;
            ensure(ctx, certs.push(shared), ERROR, "sk_X509_push")?;
        }
    }
    let shared = check(ctx, store.share(), ERROR, "X509_STORE_up_ref")?;
    let verified = store::asking(ctx, args.at(1), &store, || tsp::verify(&this, &request, shared, certs))?;
    let verified = check(ctx, verified, ERROR, "Error when creating the verification context.")?;
    ensure(ctx, verified, ERROR, "TS_RESP_verify_response")?;
    Ok(recv)
}

// -- tokens -------------------------------------------------------------------------------

fn info(ctx: &mut Ctx, value: Value) -> Result<Shared<TS_TST_INFO>> {
    get(ctx, value)
}

fn info_version(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = info(ctx, recv)?;
    Ok(ctx.int(tsp::TS_TST_INFO_get_version(&this)))
}

fn info_policy_id(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = info(ctx, recv)?;
    let policy = check(ctx, tsp::TS_TST_INFO_get_policy_id(&this), ERROR, "")?;
    asn1::object_name(ctx, policy)
}

fn info_algorithm(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = info(ctx, recv)?;
    imprint_algorithm(ctx, tsp::TS_TST_INFO_get_msg_imprint(&this))
}

fn info_message_imprint(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = info(ctx, recv)?;
    Ok(imprint_message(ctx, tsp::TS_TST_INFO_get_msg_imprint(&this)))
}

fn serial_number(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = info(ctx, recv)?;
    asn1::integer_to_num(ctx, tsp::TS_TST_INFO_get_serial(&this))
}

fn gen_time(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = info(ctx, recv)?;
    let time = check(ctx, tsp::TS_TST_INFO_get_time(&this), ERROR, "")?;
    asn1::to_time(ctx, time)
}

fn ordering(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = info(ctx, recv)?;
    Ok(support::bool(tsp::TS_TST_INFO_get_ordering(&this) != 0))
}

fn info_nonce(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = info(ctx, recv)?;
    match tsp::TS_TST_INFO_get_nonce(&this) {
        Some(nonce) => asn1::integer_to_num(ctx, Some(nonce)),
        None => Ok(Value::NIL),
    }
}

fn info_to_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = info(ctx, recv)?;
    printed(ctx, |out| tsp::TS_TST_INFO_print_bio(out, &this) != 0)
}

// -- making them --------------------------------------------------------------------------

/// `create_timestamp(key, certificate, request) -> response`
fn create_timestamp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (cert, key, request) =
        (certificate::of(ctx, args.at(1))?, pkey::private(ctx, args.at(0))?, of(ctx, args.at(2))?);
    let time = ivar(ctx, recv, "@gen_time");
    let class = ctx.named_class("Time")?;
    if ctx.real_class(time) != class {
        return Err(fail(ctx, ERROR, "@gen_time must be a Time."));
    }
    let seconds = ctx.call_name(time, "to_i", &[])?;
    let seconds = ctx.to_int(seconds)?;
    let serial = ivar(ctx, recv, "@serial_number");
    if serial.is_nil() {
        return Err(fail(ctx, ERROR, "@serial_number must be set."));
    }
    let serial = asn1::num_to_integer(ctx, serial)?;
    let default = ivar(ctx, recv, "@default_policy_id");
    let asked = tsp::TS_REQ_get_policy_id(&request);
    let default: Option<Owned<ASN1_OBJECT>> = match asked {
        Some(_) => None,
        None if default.is_nil() => {
            return Err(fail(ctx, ERROR, "No policy id in the request and no default policy set"));
        }
        None => Some(asn1::to_object(ctx, default)?),
    };
    let factory = check(ctx, tsp::TS_RESP_CTX_new(), ERROR, "Memory allocation failed.")?;
    let signs = tsp::TS_RESP_CTX_set_signer_cert(&factory, &cert) == 1;
    ensure(ctx, signs, ERROR, "Certificate does not contain the timestamping extension")?;
    let further = ivar(ctx, recv, "@additional_certs");
    if Array::is(further) {
        let certs = certificate::stack(ctx, further)?;
        factory.set_certs(&certs);
    }
    tsp::TS_RESP_CTX_set_signer_key(&factory, &key);
    if let Some(policy) = asked.or(default.as_deref()) {
        tsp::TS_RESP_CTX_set_def_policy(&factory, policy);
    }
    if let Some(allowed) = Array::try_of(ivar(ctx, recv, "@allowed_digests")) {
        support::each(ctx, allowed, |ctx, item| {
            let md = digest::function(ctx, item)?;
            ensure(ctx, tsp::TS_RESP_CTX_add_md(&factory, &md) == 1, ERROR, "TS_RESP_CTX_add_md")
        })?;
    }
    let der = der_of(ctx, args.at(2))?;
    let input = stream(ctx, &der)?;
    let made = tsp::create(&factory, &input, serial, seconds);
    let made = check(ctx, made, ERROR, "Error during response generation")?;
    clear_errors(ctx);
    wrap(ctx, RESPONSE_NAME, made)
}
