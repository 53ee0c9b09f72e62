//! OpenSSL::X509::Certificate.

use super::{Extensions, copy_into, name, read_into, sign_with, time, verified, verify_with};
use crate::ffi::x509::{self, Pem, X509, X509_NAME};
use crate::ffi::{Der, Owned, asn1 as raw, bio, err};
use crate::support::{self, Shared, check, clear_errors, empty, ensure, fail, get, is_kind, source, stream, wrap};
use crate::{asn1, pkey};
use rubellite_vm::object::Array;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub const CERTIFICATE: &str = "OpenSSL::X509::Certificate";
pub const ERROR: &str = "OpenSSL::X509::CertificateError";

pub static CERTIFICATE_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static CERTIFICATE_CLASS: ClassDef = ClassDef {
    name: CERTIFICATE,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(0, 1), |ctx, recv: Value, args| {
            read_into::<X509>(ctx, recv, args, x509::X509_new, ERROR, ["X509_new", "PEM_read_bio_X509"])
        }),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| {
            copy_into(ctx, recv, args.at(0), x509::X509_dup, ERROR, "X509_dup")
        }),
        method("to_der", Arity::NONE, to_der),
        method("to_pem", Arity::NONE, to_pem),
        method("to_s", Arity::NONE, to_pem),
        method("to_text", Arity::NONE, to_text),
        method("version", Arity::NONE, version),
        method("version=", Arity::ONE, set_version),
        method("signature_algorithm", Arity::NONE, signature_algorithm),
        method("serial", Arity::NONE, serial),
        method("serial=", Arity::ONE, set_serial),
        method("subject", Arity::NONE, |ctx, recv: Value, _| name_of(ctx, recv, x509::X509_get_subject_name)),
        method("subject=", Arity::ONE, |ctx, recv: Value, args| set_name(ctx, recv, args, x509::X509_set_subject_name)),
        method("issuer", Arity::NONE, |ctx, recv: Value, _| name_of(ctx, recv, x509::X509_get_issuer_name)),
        method("issuer=", Arity::ONE, |ctx, recv: Value, args| set_name(ctx, recv, args, x509::X509_set_issuer_name)),
        method("not_before", Arity::NONE, not_before),
        method("not_before=", Arity::ONE, set_not_before),
        method("not_after", Arity::NONE, not_after),
        method("not_after=", Arity::ONE, set_not_after),
        method("public_key", Arity::NONE, public_key),
        method("public_key=", Arity::ONE, set_public_key),
        method("sign", Arity::exact(2), sign),
        method("verify", Arity::ONE, verify),
        method("check_private_key", Arity::ONE, check_private_key),
        method("extensions", Arity::NONE, extensions),
        method("extensions=", Arity::ONE, set_extensions),
        method("add_extension", Arity::ONE, add_extension),
        method("==", Arity::ONE, op_equal),
        method("tbs_bytes", Arity::NONE, tbs_bytes),
    ],
    singleton_methods: &[method("load", Arity::ONE, load)],
    ..ClassDef::EMPTY
};

const EXTENSIONS: Extensions<X509> = Extensions {
    count: x509::X509_get_ext_count,
    get: x509::X509_get_ext,
    delete: x509::X509_delete_ext,
    add: x509::X509_add_ext,
    error: ERROR,
    message: "X509_add_ext",
};

pub fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<X509>> {
    get(ctx, value)
}

/// A new object with a copy.
pub fn new(ctx: &mut Ctx, cert: &X509) -> Result {
    let copy = check(ctx, x509::X509_dup(cert), ERROR, "X509_dup")?;
    wrap(ctx, CERTIFICATE, copy)
}

/// An Array of new objects.
pub fn list<'a>(ctx: &mut Ctx, certs: impl Iterator<Item = &'a X509>) -> Result {
    let list = Array::new(ctx);
    for cert in certs {
        let object = new(ctx, cert)?;
        list.push(ctx, object);
    }
    Ok(list.value())
}

/// The library's list of an Array of certificates.
pub fn stack(ctx: &mut Ctx, certs: Value) -> Result<crate::ffi::stack::OwnedStack<X509>> {
    let list = support::array(ctx, certs)?;
    let out = check(ctx, crate::ffi::stack::OwnedStack::new(), support::ERROR, "")?;
    support::each(ctx, list, |ctx, item| {
        support::check_kind(ctx, item, CERTIFICATE)?;
        let shared = of(ctx, item)?.share();
        let cert = check(ctx, shared, support::ERROR, "")?;
        ensure(ctx, out.push(cert), support::ERROR, "")
    })?;
    Ok(out)
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cert = of(ctx, recv)?;
    let der = check(ctx, cert.encode().filter(|der| !der.is_empty()), ERROR, "")?;
    Ok(support::string(ctx, der))
}

fn to_pem(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cert = of(ctx, recv)?;
    let pem = check(ctx, cert.pem(), ERROR, "")?;
    Ok(support::string(ctx, pem))
}

fn to_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cert = of(ctx, recv)?;
    let text = check(ctx, bio::written(|out| x509::X509_print(out, &cert) != 0), ERROR, "")?;
    Ok(support::string(ctx, text))
}

fn version(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cert = of(ctx, recv)?;
    Ok(ctx.int(x509::X509_get_version(&cert)))
}

fn set_version(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let version = super::version(ctx, args.at(0), ERROR)?;
    let cert = of(ctx, recv)?;
    ensure(ctx, x509::X509_set_version(&cert, version) != 0, ERROR, "")?;
    Ok(args.at(0))
}

fn signature_algorithm(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cert = of(ctx, recv)?;
    let object = x509::X509_get0_tbs_sigalg(&cert).and_then(raw::algorithm);
    let object = check(ctx, object, ERROR, "")?;
    asn1::object_long_name(ctx, object)
}

fn serial(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cert = of(ctx, recv)?;
    asn1::integer_to_num(ctx, x509::X509_get_serialNumber(&cert))
}

fn set_serial(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let cert = of(ctx, recv)?;
    let number = asn1::num_to_integer(ctx, args.at(0))?;
    ensure(ctx, x509::X509_set_serialNumber(&cert, &number) != 0, ERROR, "")?;
    Ok(args.at(0))
}

fn name_of(ctx: &mut Ctx, recv: Value, get: for<'a> extern "C" fn(&'a X509) -> Option<&'a X509_NAME>) -> Result {
    let cert = of(ctx, recv)?;
    let found = check(ctx, get(&cert), ERROR, "")?;
    name::new(ctx, found)
}

fn set_name(ctx: &mut Ctx, recv: Value, args: Args, set: extern "C" fn(&X509, &X509_NAME) -> i32) -> Result {
    let (cert, name) = (of(ctx, recv)?, name::of(ctx, args.at(0))?);
    ensure(ctx, set(&cert, &name) != 0, ERROR, "")?;
    Ok(args.at(0))
}

fn not_before(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cert = of(ctx, recv)?;
    time(ctx, x509::X509_get0_notBefore(&cert))
}

fn set_not_before(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (cert, time) = (of(ctx, recv)?, asn1::from_time(ctx, args.at(0))?);
    ensure(ctx, x509::X509_set1_notBefore(&cert, time.as_deref()) != 0, ERROR, "X509_set_notBefore")?;
    Ok(args.at(0))
}

fn not_after(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cert = of(ctx, recv)?;
    time(ctx, x509::X509_get0_notAfter(&cert))
}

fn set_not_after(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (cert, time) = (of(ctx, recv)?, asn1::from_time(ctx, args.at(0))?);
    ensure(ctx, x509::X509_set1_notAfter(&cert, time.as_deref()) != 0, ERROR, "X509_set_notAfter")?;
    Ok(args.at(0))
}

fn public_key(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cert = of(ctx, recv)?;
    let key = check(ctx, x509::X509_get_pubkey(&cert), ERROR, "")?;
    pkey::wrap(ctx, key)
}

fn set_public_key(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (cert, key) = (of(ctx, recv)?, pkey::of(ctx, args.at(0))?);
    pkey::check_public(ctx, &key)?;
    ensure(ctx, x509::X509_set_pubkey(&cert, &key) != 0, ERROR, "X509_set_pubkey")?;
    Ok(args.at(0))
}

fn sign(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let cert = of(ctx, recv)?;
    sign_with(ctx, &**cert, args, x509::X509_sign, ERROR, "X509_sign")?;
    Ok(recv)
}

fn verify(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let cert = of(ctx, recv)?;
    verify_with(ctx, &**cert, args.at(0), x509::X509_verify, ERROR)
}

fn check_private_key(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (key, cert) = (pkey::private(ctx, args.at(0))?, of(ctx, recv)?);
    verified(ctx, (x509::X509_check_private_key(&cert, &key) == 1).into(), ERROR)
}

fn extensions(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cert = of(ctx, recv)?;
    EXTENSIONS.list(ctx, &cert)
}

fn set_extensions(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let cert = of(ctx, recv)?;
    EXTENSIONS.replace(ctx, &cert, args.at(0))
}

fn add_extension(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let cert = of(ctx, recv)?;
    EXTENSIONS.append(ctx, &cert, args.at(0))
}

fn op_equal(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let cert = of(ctx, recv)?;
    if !is_kind(ctx, args.at(0), CERTIFICATE)? {
        return Ok(Value::FALSE);
    }
    let other = of(ctx, args.at(0))?;
    Ok(support::bool(x509::X509_cmp(&cert, &other) == 0))
}

fn tbs_bytes(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let cert = of(ctx, recv)?;
    let der = check(ctx, cert.tbs(), ERROR, "i2d_re_X509_tbs")?;
    Ok(support::string(ctx, der))
}

const LIBRARY_PEM: u64 = 9;
const NO_START_LINE: u64 = 108;

/// Whether the last error says that no more text in PEM was found.
fn at_end() -> bool {
    let code = err::last();
    err::library_of(code) == LIBRARY_PEM && err::reason_of(code) == NO_START_LINE
}

/// `Certificate.load(text) -> array`: one in DER or any number in PEM.
fn load(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let text = source(ctx, args.at(0))?;
    let list = Array::new(ctx);
    if let Some(cert) = X509::decode(&text) {
        return push(ctx, list, cert).map(|()| list.value());
    }
    clear_errors(ctx);
    let bio = stream(ctx, &text)?;
    while let Some(cert) = X509::read_pem(&bio) {
        push(ctx, list, cert)?;
    }
    if at_end() {
        clear_errors(ctx);
        if list.is_empty() {
            return Err(fail(ctx, ERROR, "Could not detect format of certificate data!"));
        }
        return Ok(list.value());
    }
    if !list.is_empty() && bio.ended() && err::last() == 0 {
        return Ok(list.value());
    }
    if list.is_empty() && err::last() == 0 {
        return Err(fail(ctx, ERROR, "Could not detect format of certificate data!"));
    }
    Err(fail(ctx, ERROR, ""))
}

fn push(ctx: &mut Ctx, list: Array, cert: Owned<X509>) -> Result<()> {
    let object = wrap(ctx, CERTIFICATE, cert)?;
    list.push(ctx, object);
    Ok(())
}
