//! OpenSSL::OCSP.

use crate::ffi::Der;
use crate::ffi::asn1::{ASN1_OCTET_STRING, ASN1_TIME, Bytes};
use crate::ffi::ocsp::{
    self, OCSP_BASICRESP, OCSP_CERTID, OCSP_REQUEST, OCSP_RESPONSE, OCSP_SINGLERESP, REVOKED, Signs, Status,
};
use crate::ffi::x509::X509_EXTENSION;
use crate::ffi::{Foreign, Owned, err};
use crate::support::{
    self, bytes, check, check_kind, der_or_bytes, empty, ensure, fail, get, put, want_empty, wrap, wrap_in,
};
use crate::x509::{certificate, extension, store};
use crate::{asn1, digest, hmac, pkey};
use rubellite_vm::object::Array;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

const ERROR: &str = "OpenSSL::OCSP::OCSPError";
const BASIC: &str = "OpenSSL::OCSP::BasicResponse";
const SINGLE: &str = "OpenSSL::OCSP::SingleResponse";
const ID: &str = "OpenSSL::OCSP::CertificateId";

pub static OCSP: ClassDef = ClassDef {
    name: "OpenSSL::OCSP",
    superclass: "",
    setup: Some(|ctx, module| {
        support::constants(ctx, module, crate::constants::OCSP);
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub static OCSP_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static REQUEST: ClassDef = ClassDef {
    name: "OpenSSL::OCSP::Request",
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(0, 1), |ctx, recv: Value, args| {
            read_or_make(ctx, recv, args, ocsp::OCSP_REQUEST_new, ["OCSP_REQUEST_new", "d2i_OCSP_REQUEST"])
        }),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| copy::<OCSP_REQUEST>(ctx, recv, args)),
        method("add_nonce", Arity::range(0, 1), add_nonce),
        method("check_nonce", Arity::ONE, check_nonce),
        method("add_certid", Arity::ONE, add_certid),
        method("certid", Arity::NONE, certids),
        method("signed?", Arity::NONE, signed_p),
        method("sign", Arity::range(2, 5), |ctx, recv: Value, args| {
            sign::<OCSP_REQUEST>(ctx, recv, args, "OCSP_request_sign")
        }),
        method("verify", Arity::range(2, 3), |ctx, recv: Value, args| verify::<OCSP_REQUEST>(ctx, recv, args)),
        method("to_der", Arity::NONE, |ctx, recv: Value, _| to_der::<OCSP_REQUEST>(ctx, recv)),
    ],
    ..ClassDef::EMPTY
};

pub static RESPONSE: ClassDef = ClassDef {
    name: "OpenSSL::OCSP::Response",
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(0, 1), |ctx, recv: Value, args| {
            read_or_make(ctx, recv, args, ocsp::OCSP_RESPONSE_new, ["OCSP_RESPONSE_new", "d2i_OCSP_RESPONSE"])
        }),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| copy::<OCSP_RESPONSE>(ctx, recv, args)),
        method("status", Arity::NONE, status),
        method("status_string", Arity::NONE, status_string),
        method("basic", Arity::NONE, basic),
        method("to_der", Arity::NONE, |ctx, recv: Value, _| to_der::<OCSP_RESPONSE>(ctx, recv)),
    ],
    singleton_methods: &[method("create", Arity::exact(2), create)],
    ..ClassDef::EMPTY
};

pub static BASIC_RESPONSE: ClassDef = ClassDef {
    name: BASIC,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(0, 1), |ctx, recv: Value, args| {
            read_or_make(ctx, recv, args, ocsp::OCSP_BASICRESP_new, ["OCSP_BASICRESP_new", "d2i_OCSP_BASICRESP"])
        }),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| copy::<OCSP_BASICRESP>(ctx, recv, args)),
        method("copy_nonce", Arity::ONE, copy_nonce),
        method("add_nonce", Arity::range(0, 1), basic_add_nonce),
        method("add_status", Arity::exact(7), add_status),
        method("status", Arity::NONE, statuses),
        method("responses", Arity::NONE, responses),
        method("find_response", Arity::ONE, find_response),
        method("sign", Arity::range(2, 5), |ctx, recv: Value, args| {
            sign::<OCSP_BASICRESP>(ctx, recv, args, "OCSP_basic_sign")
        }),
        method("verify", Arity::range(2, 3), |ctx, recv: Value, args| verify::<OCSP_BASICRESP>(ctx, recv, args)),
        method("to_der", Arity::NONE, |ctx, recv: Value, _| to_der::<OCSP_BASICRESP>(ctx, recv)),
    ],
    ..ClassDef::EMPTY
};

pub static SINGLE_RESPONSE: ClassDef = ClassDef {
    name: SINGLE,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::ONE, single_initialize),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| copy::<OCSP_SINGLERESP>(ctx, recv, args)),
        method("check_validity", Arity::range(0, 2), check_validity),
        method("certid", Arity::NONE, single_id),
        method("cert_status", Arity::NONE, |ctx, recv: Value, _| {
            told(ctx, recv, |_, status| Ok(Value::fixnum(status.status.into())))
        }),
        method("this_update", Arity::NONE, |ctx, recv: Value, _| told(ctx, recv, |ctx, status| time(ctx, status.this))),
        method("next_update", Arity::NONE, |ctx, recv: Value, _| told(ctx, recv, |ctx, status| time(ctx, status.next))),
        method("revocation_time", Arity::NONE, |ctx, recv: Value, _| {
            revoked(ctx, recv, |ctx, status| time(ctx, status.revoked))
        }),
        method("revocation_reason", Arity::NONE, |ctx, recv: Value, _| {
            revoked(ctx, recv, |_, status| Ok(Value::fixnum(status.reason.into())))
        }),
        method("extensions", Arity::NONE, extensions),
        method("to_der", Arity::NONE, |ctx, recv: Value, _| to_der::<OCSP_SINGLERESP>(ctx, recv)),
    ],
    ..ClassDef::EMPTY
};

pub static CERTIFICATE_ID: ClassDef = ClassDef {
    name: ID,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(1, 3), id_initialize),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| copy::<OCSP_CERTID>(ctx, recv, args)),
        method("cmp", Arity::ONE, |ctx, recv: Value, args| same(ctx, recv, args, ocsp::OCSP_id_cmp)),
        method("cmp_issuer", Arity::ONE, |ctx, recv: Value, args| same(ctx, recv, args, ocsp::OCSP_id_issuer_cmp)),
        method("serial", Arity::NONE, id_serial),
        method("issuer_name_hash", Arity::NONE, |ctx, recv: Value, _| hash_of(ctx, recv, |id| id.identity().name)),
        method("issuer_key_hash", Arity::NONE, |ctx, recv: Value, _| hash_of(ctx, recv, |id| id.identity().key)),
        method("hash_algorithm", Arity::NONE, hash_algorithm),
        method("to_der", Arity::NONE, |ctx, recv: Value, _| to_der::<OCSP_CERTID>(ctx, recv)),
    ],
    ..ClassDef::EMPTY
};

// -- for all of them ----------------------------------------------------------------------

fn read_or_make<T: Der + 'static>(
    ctx: &mut Ctx,
    recv: Value,
    args: Args,
    new: extern "C" fn() -> Option<Owned<T>>,
    messages: [&str; 2],
) -> Result {
    want_empty::<T>(ctx, recv)?;
    let found = match args.non_nil(0) {
        None => check(ctx, new(), ERROR, messages[0])?,
        Some(value) => {
            let der = der_or_bytes(ctx, value)?;
            check(ctx, T::decode(&der), ERROR, messages[1])?
        }
    };
    put(ctx, recv, found)?;
    Ok(recv)
}

fn copy<T: Der + 'static>(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<T>(ctx, recv)?;
    let other = get::<T>(ctx, args.at(0))?;
    let made = duplicate(ctx, &**other)?;
    put(ctx, recv, made)?;
    Ok(recv)
}

fn duplicate<T: Der + 'static>(ctx: &mut Ctx, this: &T) -> Result<Owned<T>> {
    let copy = this.encode().and_then(|der| T::decode(&der));
    check(ctx, copy, ERROR, "ASN1_item_dup")
}

fn to_der<T: Der + 'static>(ctx: &mut Ctx, recv: Value) -> Result {
    let this = get::<T>(ctx, recv)?;
    let der = check(ctx, this.encode().filter(|der| !der.is_empty()), ERROR, "")?;
    Ok(support::string(ctx, der))
}

fn number(ctx: &mut Ctx, value: Value, default: i32) -> Result<i32> {
    if value.is_nil() { Ok(default) } else { ctx.to_c_int(value) }
}

/// `sign(cert, key, certs = nil, flags = 0, digest = nil) -> self`
fn sign<T: Signs + Foreign>(ctx: &mut Ctx, recv: Value, args: Args, message: &str) -> Result {
    let this = get::<T>(ctx, recv)?;
    let (cert, key) = (certificate::of(ctx, args.at(0))?, pkey::private(ctx, args.at(1))?);
    let mut flags = number(ctx, args.at(3), 0)? as u64;
    let md = digest::optional(ctx, args.at(4))?;
    let certs = if args.at(2).is_nil() {
        flags |= ocsp::NOCERTS;
        None
    } else {
        Some(certificate::stack(ctx, args.at(2))?)
    };
    ensure(ctx, this.sign(&cert, &key, md.as_deref(), certs.as_ref(), flags), ERROR, message)?;
    Ok(recv)
}

/// `verify(certs, store, flags = 0) -> true or false`
fn verify<T: Signs + Foreign>(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, store) = (get::<T>(ctx, recv)?, store::of(ctx, args.at(1))?);
    let flags = number(ctx, args.at(2), 0)? as u64;
    let certs = certificate::stack(ctx, args.at(0))?;
    let fine = store::asking(ctx, args.at(1), &store, || this.verify(&certs, &store, flags))?;
    if !fine {
        err::clear();
    }
    Ok(support::bool(fine))
}

fn new_id(ctx: &mut Ctx, id: Option<&OCSP_CERTID>) -> Result {
    let copy = check(ctx, id.and_then(|id| ocsp::OCSP_CERTID_dup(id)), ERROR, "OCSP_CERTID_dup")?;
    wrap(ctx, ID, copy)
}

fn time(ctx: &mut Ctx, time: Option<&ASN1_TIME>) -> Result {
    match time {
        Some(time) => asn1::to_time(ctx, time),
        None => Ok(Value::NIL),
    }
}

// -- requests -----------------------------------------------------------------------------

fn nonce(ctx: &mut Ctx, args: Args) -> Result<Option<Vec<u8>>> {
    match args.non_nil(0) {
        Some(value) => bytes(ctx, value).map(Some),
        None => Ok(None),
    }
}

fn add_nonce(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (nonce, this) = (nonce(ctx, args)?, get::<OCSP_REQUEST>(ctx, recv)?);
    ensure(ctx, this.add_nonce(nonce.as_deref()), ERROR, "")?;
    Ok(recv)
}

fn check_nonce(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, response) = (get::<OCSP_REQUEST>(ctx, recv)?, get::<OCSP_BASICRESP>(ctx, args.at(0))?);
    Ok(Value::fixnum(ocsp::OCSP_check_nonce(&this, &response).into()))
}

fn add_certid(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, id) = (get::<OCSP_REQUEST>(ctx, recv)?, get::<OCSP_CERTID>(ctx, args.at(0))?);
    let copy = check(ctx, ocsp::OCSP_CERTID_dup(&id), ERROR, "OCSP_CERTID_dup")?;
    ensure(ctx, this.add(copy), ERROR, "OCSP_request_add0_id")?;
    Ok(recv)
}

fn certids(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<OCSP_REQUEST>(ctx, recv)?;
    let count = ocsp::OCSP_request_onereq_count(&this);
    ensure(ctx, count >= 0, ERROR, "OCSP_request_onereq_count")?;
    if count == 0 {
        return Ok(Value::NIL);
    }
    let list = Array::new(ctx);
    for at in 0..count {
        let object = new_id(ctx, this.id(at))?;
        list.push(ctx, object);
    }
    Ok(list.value())
}

fn signed_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<OCSP_REQUEST>(ctx, recv)?;
    Ok(support::bool(ocsp::OCSP_request_is_signed(&this) != 0))
}

// -- responses ----------------------------------------------------------------------------

/// `Response.create(status, basic_response = nil) -> response`
fn create(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let status = ctx.to_c_int(args.at(0))?;
    let basic = if args.at(1).is_nil() { None } else { Some(get::<OCSP_BASICRESP>(ctx, args.at(1))?) };
    let made = ocsp::OCSP_response_create(status, basic.as_ref().map(|basic| &***basic));
    let made = check(ctx, made, ERROR, "OCSP_response_create")?;
    Ok(wrap_in(ctx, recv, made))
}

fn status(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<OCSP_RESPONSE>(ctx, recv)?;
    Ok(Value::fixnum(ocsp::OCSP_response_status(&this).into()))
}

fn status_string(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<OCSP_RESPONSE>(ctx, recv)?;
    let text = ocsp::OCSP_response_status_str(ocsp::OCSP_response_status(&this).into());
    Ok(support::text(ctx, text))
}

fn basic(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<OCSP_RESPONSE>(ctx, recv)?;
    match ocsp::OCSP_response_get1_basic(&this) {
        Some(basic) => wrap(ctx, BASIC, basic),
        None => {
            support::clear_errors(ctx);
            Ok(Value::NIL)
        }
    }
}

fn copy_nonce(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, request) = (get::<OCSP_BASICRESP>(ctx, recv)?, get::<OCSP_REQUEST>(ctx, args.at(0))?);
    Ok(Value::fixnum(ocsp::OCSP_copy_nonce(&this, &request).into()))
}

fn basic_add_nonce(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (nonce, this) = (nonce(ctx, args)?, get::<OCSP_BASICRESP>(ctx, recv)?);
    ensure(ctx, this.add_nonce(nonce.as_deref()), ERROR, "")?;
    Ok(recv)
}

/// Seconds from now, or a Time.
fn moment(ctx: &mut Ctx, value: Value) -> Result<Owned<ASN1_TIME>> {
    let made = if support::integer(value).is_some() {
        ocsp::from_now(ctx.to_c_int(value)?.into())
    } else {
        asn1::from_time(ctx, value)?
    };
    check(ctx, made, ERROR, "")
}

/// `add_status(id, status, reason, revocation_time, this_update, next_update, extensions) -> self`
fn add_status(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (this, id) = (get::<OCSP_BASICRESP>(ctx, recv)?, get::<OCSP_CERTID>(ctx, args.at(0))?);
    let status = ctx.to_c_int(args.at(1))?;
    let further = if args.at(6).is_nil() { None } else { Some(ctx.to_ary(args.at(6))?) };
    if let Some(list) = further {
        support::each(ctx, list, |ctx, item| check_kind(ctx, item, extension::EXTENSION))?;
    }
    let (mut reason, mut since) = (0, None);
    if status == REVOKED {
        reason = ctx.to_c_int(args.at(2))?;
        since = Some(moment(ctx, args.at(3))?);
    }
    let now = moment(ctx, args.at(4))?;
    let next = if args.at(5).is_nil() { None } else { Some(moment(ctx, args.at(5))?) };
    let single =
        ocsp::OCSP_basic_add1_status(&this, &id, status, reason, since.as_deref(), Some(&now), next.as_deref());
    let single = check(ctx, single, ERROR, "")?;
    if let Some(list) = further {
        support::each(ctx, list, |ctx, item| {
            let item = get::<X509_EXTENSION>(ctx, item)?;
            ensure(ctx, ocsp::OCSP_SINGLERESP_add_ext(single, &item, -1) != 0, ERROR, "")
        })?;
    }
    Ok(recv)
}

fn extension_list(ctx: &mut Ctx, single: &OCSP_SINGLERESP) -> Result {
    let list = Array::new(ctx);
    for at in 0..ocsp::OCSP_SINGLERESP_get_ext_count(single) {
        if let Some(found) = ocsp::OCSP_SINGLERESP_get_ext(single, at) {
            let object = extension::new(ctx, found)?;
            list.push(ctx, object);
        }
    }
    Ok(list.value())
}

/// Id, status, reason, times and extensions of each certificate.
fn statuses(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<OCSP_BASICRESP>(ctx, recv)?;
    let list = Array::new(ctx);
    for at in 0..ocsp::OCSP_resp_count(&this) {
        let single = check(ctx, ocsp::OCSP_resp_get0(&this, at), ERROR, "")?;
        let status = check(ctx, single.status(), ERROR, "OCSP_single_get0_status")?;
        let row = Array::new(ctx);
        let id = new_id(ctx, ocsp::OCSP_SINGLERESP_get0_id(single))?;
        row.extend(ctx, &[id, Value::fixnum(status.status.into()), Value::fixnum(status.reason.into())]);
        for moment in [status.revoked, status.this, status.next] {
            let moment = time(ctx, moment)?;
            row.push(ctx, moment);
        }
        let further = extension_list(ctx, single)?;
        row.push(ctx, further);
        list.push(ctx, row.value());
    }
    Ok(list.value())
}

fn new_single(ctx: &mut Ctx, single: Option<&OCSP_SINGLERESP>) -> Result {
    let single = check(ctx, single, ERROR, "")?;
    let copy = duplicate(ctx, single)?;
    wrap(ctx, SINGLE, copy)
}

fn responses(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<OCSP_BASICRESP>(ctx, recv)?;
    let list = Array::new(ctx);
    for at in 0..ocsp::OCSP_resp_count(&this) {
        let object = new_single(ctx, ocsp::OCSP_resp_get0(&this, at))?;
        list.push(ctx, object);
    }
    Ok(list.value())
}

fn find_response(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (id, this) = (get::<OCSP_CERTID>(ctx, args.at(0))?, get::<OCSP_BASICRESP>(ctx, recv)?);
    match ocsp::OCSP_resp_find(&this, &id, -1) {
        -1 => Ok(Value::NIL),
        at => new_single(ctx, ocsp::OCSP_resp_get0(&this, at)),
    }
}

// -- what is said of one certificate ------------------------------------------------------

fn single_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<OCSP_SINGLERESP>(ctx, recv)?;
    let der = der_or_bytes(ctx, args.at(0))?;
    let found = check(ctx, OCSP_SINGLERESP::decode(&der), ERROR, "d2i_OCSP_SINGLERESP")?;
    put(ctx, recv, found)?;
    Ok(recv)
}

fn told(ctx: &mut Ctx, recv: Value, f: impl FnOnce(&mut Ctx, &Status) -> Result) -> Result {
    let this = get::<OCSP_SINGLERESP>(ctx, recv)?;
    let status = check(ctx, this.status(), ERROR, "OCSP_single_get0_status")?;
    f(ctx, &status)
}

fn revoked(ctx: &mut Ctx, recv: Value, f: impl FnOnce(&mut Ctx, &Status) -> Result) -> Result {
    told(ctx, recv, |ctx, status| {
        if status.status != REVOKED {
            return Err(fail(ctx, ERROR, "certificate is not revoked"));
        }
        f(ctx, status)
    })
}

/// `check_validity(nsec = 0, maxsec = -1) -> true or false`
fn check_validity(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (slack, most) = (number(ctx, args.at(0), 0)?, number(ctx, args.at(1), -1)?);
    told(ctx, recv, |_, status| {
        let fine = ocsp::OCSP_check_validity(status.this, status.next, slack.into(), most.into()) != 0;
        if !fine {
            err::clear();
        }
        Ok(support::bool(fine))
    })
}

fn single_id(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<OCSP_SINGLERESP>(ctx, recv)?;
    new_id(ctx, ocsp::OCSP_SINGLERESP_get0_id(&this))
}

fn extensions(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<OCSP_SINGLERESP>(ctx, recv)?;
    extension_list(ctx, &this)
}

// -- which certificate --------------------------------------------------------------------

/// `CertificateId.new(der)` or `CertificateId.new(cert, issuer, digest = nil)`
fn id_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<OCSP_CERTID>(ctx, recv)?;
    let found = if args.len() == 1 {
        let der = der_or_bytes(ctx, args.at(0))?;
        check(ctx, OCSP_CERTID::decode(&der), ERROR, "d2i_OCSP_CERTID")?
    } else {
        let (subject, issuer) = (certificate::of(ctx, args.at(0))?, certificate::of(ctx, args.at(1))?);
        let md = digest::optional(ctx, args.at(2))?;
        check(ctx, ocsp::OCSP_cert_to_id(md.as_deref(), &subject, &issuer), ERROR, "OCSP_cert_to_id")?
    };
    put(ctx, recv, found)?;
    Ok(recv)
}

fn same(ctx: &mut Ctx, recv: Value, args: Args, compare: extern "C" fn(&OCSP_CERTID, &OCSP_CERTID) -> i32) -> Result {
    let (a, b) = (get::<OCSP_CERTID>(ctx, recv)?, get::<OCSP_CERTID>(ctx, args.at(0))?);
    Ok(support::bool(compare(&a, &b) == 0))
}

fn id_serial(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<OCSP_CERTID>(ctx, recv)?;
    asn1::integer_to_num(ctx, this.identity().serial)
}

fn hash_of(ctx: &mut Ctx, recv: Value, part: for<'a> fn(&'a OCSP_CERTID) -> Option<&'a ASN1_OCTET_STRING>) -> Result {
    let this = get::<OCSP_CERTID>(ctx, recv)?;
    let hash = part(&this).map_or(&[][..], Bytes::bytes);
    Ok(support::string(ctx, hmac::hex(hash)))
}

fn hash_algorithm(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<OCSP_CERTID>(ctx, recv)?;
    let object = check(ctx, this.identity().md, ERROR, "")?;
    asn1::object_long_name(ctx, object)
}
