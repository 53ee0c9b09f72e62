//! OpenSSL::X509::Extension and its factory.

use super::certificate;
use super::copy_into;
use crate::ffi::asn1::{self as raw, Bytes};
use crate::ffi::x509::{self, Subjects, X509_CRL, X509_EXTENSION, X509_REQ};
use crate::ffi::{Der, Text, bio};
use crate::support::{
    self, binary, bytes, c_string, check, der_or_bytes, empty, ensure, get, ivar, put, set_ivar, want_empty, wrap,
};
use crate::{asn1, config};
use rubellite_vm::object::Object;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};
use std::ffi::CString;

pub const EXTENSION: &str = "OpenSSL::X509::Extension";
const ERROR: &str = "OpenSSL::X509::ExtensionError";

pub static EXTENSION_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static FACTORY_CLASS: ClassDef = ClassDef {
    name: "OpenSSL::X509::ExtensionFactory",
    methods: &[
        method("initialize", Arity::range(0, 4), factory_initialize),
        method("issuer_certificate=", Arity::ONE, |ctx, recv: Value, args| set_part(ctx, recv, 0, args.at(0))),
        method("subject_certificate=", Arity::ONE, |ctx, recv: Value, args| set_part(ctx, recv, 1, args.at(0))),
        method("subject_request=", Arity::ONE, |ctx, recv: Value, args| set_part(ctx, recv, 2, args.at(0))),
        method("crl=", Arity::ONE, |ctx, recv: Value, args| set_part(ctx, recv, 3, args.at(0))),
        method("create_ext", Arity::range(2, 3), create_ext),
    ],
    ..ClassDef::EMPTY
};

pub static EXTENSION_CLASS: ClassDef = ClassDef {
    name: EXTENSION,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(1, 3), initialize),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| {
            copy_into(ctx, recv, args.at(0), x509::X509_EXTENSION_dup, ERROR, "X509_EXTENSION_dup")
        }),
        method("oid=", Arity::ONE, set_oid),
        method("value=", Arity::ONE, set_value),
        method("critical=", Arity::ONE, set_critical),
        method("oid", Arity::NONE, oid),
        method("value", Arity::NONE, value),
        method("value_der", Arity::NONE, value_der),
        method("critical?", Arity::NONE, critical_p),
        method("to_der", Arity::NONE, to_der),
    ],
    ..ClassDef::EMPTY
};

/// A new object with a copy.
pub fn new(ctx: &mut Ctx, extension: &X509_EXTENSION) -> Result {
    let copy = check(ctx, x509::X509_EXTENSION_dup(extension), ERROR, "X509_EXTENSION_dup")?;
    wrap(ctx, EXTENSION, copy)
}

const PARTS: [&str; 4] = ["@issuer_certificate", "@subject_certificate", "@subject_request", "@crl"];

fn set_part(ctx: &mut Ctx, recv: Value, part: usize, value: Value) -> Result {
    match part {
        0 | 1 => drop(certificate::of(ctx, value)?),
        2 => drop(get::<X509_REQ>(ctx, value)?),
        _ => drop(get::<X509_CRL>(ctx, value)?),
    }
    set_ivar(ctx, recv, PARTS[part], value);
    Ok(value)
}

fn factory_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    debug_assert!(Object::is(recv));
    for part in 0..PARTS.len() {
        if let Some(value) = args.non_nil(part) {
            set_part(ctx, recv, part, value)?;
        }
    }
    Ok(recv)
}

/// `create_ext(oid, value, critical = false) -> extension`
fn create_ext(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let value = bytes(ctx, args.at(1))?;
    let oid = c_string(ctx, args.at(0))?;
    let nid = raw::OBJ_ln2nid(Text::from(&*oid));
    let name = if nid == raw::UNDEF { None } else { raw::OBJ_nid2sn(nid) };
    let critical: &[u8] = if args.at(2).truthy() { b"critical," } else { b"" };
    let Ok(text) = CString::new([critical, &value].concat()) else {
        return Err(ctx.null_byte_error());
    };
    let parts = PARTS.map(|part| ivar(ctx, recv, part));
    let issuer = if parts[0].is_nil() { None } else { Some(certificate::of(ctx, parts[0])?) };
    let subject = if parts[1].is_nil() { None } else { Some(certificate::of(ctx, parts[1])?) };
    let request = if parts[2].is_nil() { None } else { Some(get::<X509_REQ>(ctx, parts[2])?) };
    let crl = if parts[3].is_nil() { None } else { Some(get::<X509_CRL>(ctx, parts[3])?) };
    let conf = ivar(ctx, recv, "@config");
    let conf = if conf.is_nil() { None } else { Some(config::of(ctx, conf)?) };
    let subjects = Subjects {
        issuer: issuer.as_ref().map(|part| &***part),
        subject: subject.as_ref().map(|part| &***part),
        request: request.as_ref().map(|part| &***part),
        crl: crl.as_ref().map(|part| &***part),
    };
    let made = x509::extension(
        &subjects,
        conf.as_ref().map(|conf| &***conf),
        name.unwrap_or(Text::from(&*oid)),
        Text::from(&*text),
    );
    let message = format!("{} = {}", oid.to_string_lossy(), text.to_string_lossy());
    let made = check(ctx, made, ERROR, &message)?;
    wrap(ctx, EXTENSION, made)
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<X509_EXTENSION>(ctx, recv)?;
    if args.len() == 1 {
        let der = der_or_bytes(ctx, args.at(0))?;
        let found = check(ctx, X509_EXTENSION::decode(&der), ERROR, "d2i_X509_EXTENSION")?;
        put(ctx, recv, found)?;
        return Ok(recv);
    }
    let made = check(ctx, x509::X509_EXTENSION_new(), ERROR, "X509_EXTENSION_new")?;
    put(ctx, recv, made)?;
    ctx.call_name(recv, "oid=", &[args.at(0)])?;
    ctx.call_name(recv, "value=", &[args.at(1)])?;
    if let Some(critical) = args.get(2) {
        ctx.call_name(recv, "critical=", &[critical])?;
    }
    Ok(recv)
}

fn set_oid(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = get::<X509_EXTENSION>(ctx, recv)?;
    let name = c_string(ctx, args.at(0))?;
    let object = check(ctx, raw::OBJ_txt2obj(Text::from(&*name), 0), ERROR, "OBJ_txt2obj")?;
    ensure(ctx, x509::X509_EXTENSION_set_object(&this, &object) != 0, ERROR, "X509_EXTENSION_set_object")?;
    Ok(args.at(0))
}

fn set_value(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = get::<X509_EXTENSION>(ctx, recv)?;
    let data = der_or_bytes(ctx, args.at(0))?;
    let octets = check(ctx, raw::ASN1_OCTET_STRING_new(), ERROR, "ASN1_OCTET_STRING_new")?;
    ensure(ctx, octets.set(&data), ERROR, "ASN1_OCTET_STRING_set")?;
    ensure(ctx, x509::X509_EXTENSION_set_data(&this, &octets) != 0, ERROR, "X509_EXTENSION_set_data")?;
    Ok(args.at(0))
}

fn set_critical(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = get::<X509_EXTENSION>(ctx, recv)?;
    x509::X509_EXTENSION_set_critical(&this, args.at(0).truthy().into());
    Ok(args.at(0))
}

fn oid(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<X509_EXTENSION>(ctx, recv)?;
    let object = check(ctx, x509::X509_EXTENSION_get_object(&this), ERROR, "")?;
    asn1::object_name(ctx, object)
}

fn value(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<X509_EXTENSION>(ctx, recv)?;
    let text = bio::written(|out| {
        if x509::X509V3_EXT_print(out, &this, 0, 0) == 0
            && let Some(data) = x509::X509_EXTENSION_get_data(&this)
        {
            raw::ASN1_STRING_print(out, data);
        }
        true
    });
    let text = check(ctx, text, ERROR, "")?;
    Ok(support::string(ctx, text))
}

fn value_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<X509_EXTENSION>(ctx, recv)?;
    let data = check(ctx, x509::X509_EXTENSION_get_data(&this), ERROR, "")?;
    Ok(binary(ctx, data.bytes()))
}

fn critical_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<X509_EXTENSION>(ctx, recv)?;
    Ok(support::bool(x509::X509_EXTENSION_get_critical(&this) == 1))
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = get::<X509_EXTENSION>(ctx, recv)?;
    let der = check(ctx, this.encode().filter(|der| !der.is_empty()), ERROR, "")?;
    Ok(support::string(ctx, der))
}
