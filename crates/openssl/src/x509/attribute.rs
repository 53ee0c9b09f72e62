//! OpenSSL::X509::Attribute.

use super::copy_into;
use crate::asn1;
use crate::ffi::asn1 as raw;
use crate::ffi::stack::LooseStack;
use crate::ffi::x509::{self, X509_ATTRIBUTE};
use crate::ffi::{Der, Text};
use crate::support::{
    self, Shared, c_string, check, check_kind, der_or_bytes, empty, ensure, get, put, to_der as der_of, want_empty,
    wrap,
};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub const ATTRIBUTE: &str = "OpenSSL::X509::Attribute";
const ERROR: &str = "OpenSSL::X509::AttributeError";

pub static ATTRIBUTE_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static ATTRIBUTE_CLASS: ClassDef = ClassDef {
    name: ATTRIBUTE,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(1, 2), initialize),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| {
            copy_into(ctx, recv, args.at(0), x509::X509_ATTRIBUTE_dup, ERROR, "X509_ATTRIBUTE_dup")
        }),
        method("oid=", Arity::ONE, set_oid),
        method("oid", Arity::NONE, oid),
        method("value=", Arity::ONE, set_value),
        method("value", Arity::NONE, value),
        method("to_der", Arity::NONE, to_der),
    ],
    ..ClassDef::EMPTY
};

pub fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<X509_ATTRIBUTE>> {
    get(ctx, value)
}

/// A new object with a copy.
pub fn new(ctx: &mut Ctx, attribute: &X509_ATTRIBUTE) -> Result {
    let copy = check(ctx, x509::X509_ATTRIBUTE_dup(attribute), ERROR, "X509_ATTRIBUTE_dup")?;
    wrap(ctx, ATTRIBUTE, copy)
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<X509_ATTRIBUTE>(ctx, recv)?;
    if args.len() == 1 {
        let der = der_or_bytes(ctx, args.at(0))?;
        let found = check(ctx, X509_ATTRIBUTE::decode(&der), ERROR, "d2i_X509_ATTRIBUTE")?;
        put(ctx, recv, found)?;
        return Ok(recv);
    }
    let made = check(ctx, x509::X509_ATTRIBUTE_new(), ERROR, "X509_ATTRIBUTE_new")?;
    put(ctx, recv, made)?;
    ctx.call_name(recv, "oid=", &[args.at(0)])?;
    ctx.call_name(recv, "value=", &[args.at(1)])?;
    Ok(recv)
}

fn set_oid(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let this = of(ctx, recv)?;
    let name = c_string(ctx, args.at(0))?;
    let object = check(ctx, raw::OBJ_txt2obj(Text::from(&*name), 0), ERROR, "")?;
    ensure(ctx, x509::X509_ATTRIBUTE_set1_object(&this, &object) != 0, ERROR, "X509_ATTRIBUTE_set1_object")?;
    Ok(args.at(0))
}

fn oid(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let object = check(ctx, x509::X509_ATTRIBUTE_get0_object(&this), ERROR, "")?;
    asn1::object_name(ctx, object)
}

fn set_value(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mut this = of(ctx, recv)?;
    check_kind(ctx, args.at(0), asn1::DATA.name)?;
    let der = der_of(ctx, args.at(0))?;
    let set = check(ctx, raw::decode_set(&der), ERROR, "attribute value must be ASN1::Set")?;
    if x509::X509_ATTRIBUTE_count(&this) != 0 {
        let made = check(ctx, x509::X509_ATTRIBUTE_new(), ERROR, "X509_ATTRIBUTE_create_by_OBJ")?;
        let object = check(ctx, x509::X509_ATTRIBUTE_get0_object(&this), ERROR, "")?;
        ensure(ctx, x509::X509_ATTRIBUTE_set1_object(&made, object) != 0, ERROR, "X509_ATTRIBUTE_create_by_OBJ")?;
        put(ctx, recv, made)?;
        this = of(ctx, recv)?;
    }
    for value in set.iter() {
        ensure(ctx, this.add(value), ERROR, "X509_ATTRIBUTE_set1_data")?;
    }
    Ok(args.at(0))
}

fn value(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let set = check(ctx, LooseStack::new(), ERROR, "sk_new")?;
    for at in 0..x509::X509_ATTRIBUTE_count(&this) {
        let value = check(ctx, x509::X509_ATTRIBUTE_get0_type(&this, at), ERROR, "")?;
        // SAFETY: the attribute has the value for longer than this function has the list.
        let done = unsafe { set.push(value) };
        ensure(ctx, done, ERROR, "")?;
    }
    let der = check(ctx, raw::encode_set(&set), ERROR, "")?;
    asn1::decode_bytes(ctx, &der)
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let this = of(ctx, recv)?;
    let der = check(ctx, this.encode().filter(|der| !der.is_empty()), ERROR, "")?;
    Ok(support::string(ctx, der))
}
