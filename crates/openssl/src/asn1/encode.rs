//! Values to DER.

use super::{ERROR, default_tag, num_to_integer, split_time, tag, to_object};
use crate::ffi::Der;
use crate::ffi::asn1::{self, Bytes};
use crate::support::{self, bytes, check, der_or_bytes, fail, is_kind, ivar};
use rubellite_vm::object::Array;
use rubellite_vm::{Args, Ctx, Result, Value};

/// `ASN1Data#to_der`: constructed when the value is an Array.
pub fn data(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let value = ivar(ctx, recv, "@value");
    if Array::is(value) {
        return constructive(ctx, recv, args);
    }
    if ivar(ctx, recv, "@indefinite_length").truthy() {
        return Err(fail(ctx, ERROR, "indefinite length form cannot be used with primitive encoding"));
    }
    primitive(ctx, recv, args)
}

pub fn primitive(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let body = match default_tag(ctx, recv) {
        None => {
            let value = ivar(ctx, recv, "@value");
            bytes(ctx, value)?
        }
        Some(number) => content(ctx, recv, number)?,
    };
    wrapped(ctx, recv, false, false, &body)
}

pub fn constructive(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let indefinite = ivar(ctx, recv, "@indefinite_length").truthy();
    let value = ivar(ctx, recv, "@value");
    let items = match Array::try_of(value) {
        Some(items) => items,
        None => to_a(ctx, value)?,
    };
    let mut body = Vec::new();
    let mut at = 0;
    while let Some(item) = items.get(at) {
        at += 1;
        if indefinite && is_kind(ctx, item, "OpenSSL::ASN1::EndOfContent")? {
            if at != items.len() {
                return Err(fail(ctx, ERROR, "illegal EOC octets in value"));
            }
            break;
        }
        body.extend(der_or_bytes(ctx, item)?);
    }
    wrapped(ctx, recv, true, indefinite, &body)
}

fn to_a(ctx: &mut Ctx, value: Value) -> Result<Array> {
    let name = ctx.intern("to_a");
    let converted = match ctx.check_call(value, name, &[])? {
        Some(converted) => converted,
        None => return Err(ctx.conversion_error(value, "Array")),
    };
    match Array::try_of(converted) {
        Some(items) => Ok(items),
        None => Err(ctx.bad_conversion(value, converted, "Array", "to_a")),
    }
}

/// What follows the header of a value of a universal type.
fn content(ctx: &mut Ctx, recv: Value, number: usize) -> Result<Vec<u8>> {
    let value = ivar(ctx, recv, "@value");
    match number {
        tag::BOOLEAN if value.is_nil() => Err(fail(ctx, "TypeError", "Can't convert nil into Boolean")),
        tag::BOOLEAN => Ok(vec![if value.truthy() { 0xff } else { 0 }]),
        tag::INTEGER | tag::ENUMERATED => {
            let number = num_to_integer(ctx, value)?;
            let der = check(ctx, number.encode(), ERROR, "i2d_ASN1_TYPE")?;
            Ok(body_of(&der))
        }
        tag::BIT_STRING => bits(ctx, recv, value),
        tag::NULL if !value.is_nil() => Err(fail(ctx, ERROR, "nil expected")),
        tag::NULL => Ok(Vec::new()),
        tag::OBJECT => Ok(to_object(ctx, value)?.content().to_vec()),
        tag::UTC_TIME => {
            let (days, seconds) = split_time(ctx, value)?;
            Ok(check(ctx, asn1::utc_time(days, seconds), ERROR, "")?.bytes().to_vec())
        }
        tag::GENERALIZED_TIME => {
            let (days, seconds) = split_time(ctx, value)?;
            Ok(check(ctx, asn1::generalized_time(days, seconds), ERROR, "")?.bytes().to_vec())
        }
        tag::EOC => Err(fail(ctx, ERROR, "unsupported ASN.1 type")),
        _ => bytes(ctx, value),
    }
}

/// The number of bits of the last byte that do not count, and the bytes, in which these are zero.
fn bits(ctx: &mut Ctx, recv: Value, value: Value) -> Result<Vec<u8>> {
    let unused = ivar(ctx, recv, "@unused_bits");
    let unused = ctx.to_c_int(unused)?;
    let Ok(unused @ 0..=7) = u8::try_from(unused) else {
        return Err(fail(ctx, ERROR, "unused_bits for a bitstring value must be in the range 0 to 7"));
    };
    let mut body = vec![unused];
    body.extend(bytes(ctx, value)?);
    match body.len() {
        1 => body[0] = 0,
        len => body[len - 1] &= 0xff << unused,
    }
    Ok(body)
}

fn body_of(der: &[u8]) -> Vec<u8> {
    asn1::head(der).map_or(Vec::new(), |head| der[head.own..].to_vec())
}

/// A header with its body; an indefinite length has its end marked.
fn wrapped(ctx: &mut Ctx, recv: Value, constructed: bool, indefinite: bool, body: &[u8]) -> Result {
    let class = tag_class(ctx, recv)?;
    let number = ivar(ctx, recv, "@tag");
    if number.is_nil() {
        return Err(fail(ctx, ERROR, "tag number not specified"));
    }
    let number = ctx.to_c_int(number)? as u32;
    let tagging = ivar(ctx, recv, "@tagging");
    let named = |ctx: &Ctx, name: &'static str| tagging == Value::symbol(ctx.intern(name));
    let mut out = Vec::with_capacity(body.len() + 16);
    if named(ctx, "EXPLICIT") {
        let Some(default) = default_tag(ctx, recv) else {
            return Err(fail(ctx, ERROR, "explicit tagging of unknown tag"));
        };
        let mut inner = Vec::new();
        put_header(&mut inner, 0, constructed, indefinite, default as u32, body.len());
        inner.extend_from_slice(body);
        if indefinite {
            inner.extend([0, 0]);
        }
        put_header(&mut out, class, true, indefinite, number, inner.len());
        out.extend(inner);
    } else if tagging.is_nil() || named(ctx, "IMPLICIT") {
        put_header(&mut out, class, constructed, indefinite, number, body.len());
        out.extend_from_slice(body);
    } else {
        return Err(fail(ctx, ERROR, "invalid tagging method"));
    }
    if indefinite {
        out.extend([0, 0]);
    }
    Ok(support::string(ctx, out))
}

fn tag_class(ctx: &mut Ctx, recv: Value) -> Result<u8> {
    let class = ivar(ctx, recv, "@tag_class");
    let name = class.as_symbol().map(|name| ctx.sym_str(name));
    match name.as_deref() {
        Some("UNIVERSAL") => Ok(0),
        Some("APPLICATION") => Ok(0x40),
        Some("CONTEXT_SPECIFIC") => Ok(0x80),
        Some("PRIVATE") => Ok(0xc0),
        None if class.is_nil() => Ok(0),
        _ => Err(fail(ctx, ERROR, "invalid tag class")),
    }
}

fn put_header(out: &mut Vec<u8>, class: u8, constructed: bool, indefinite: bool, number: u32, len: usize) {
    let first = class | if constructed { 0x20 } else { 0 };
    if number < 31 {
        out.push(first | number as u8);
    } else {
        out.push(first | 31);
        let groups = (1..5).rev().filter(|group| number >> (7 * group) != 0);
        out.extend(groups.map(|group| 0x80 | (number >> (7 * group) & 0x7f) as u8));
        out.push((number & 0x7f) as u8);
    }
    if indefinite {
        out.push(0x80);
    } else if len < 128 {
        out.push(len as u8);
    } else {
        let bytes = len.to_be_bytes();
        let skip = bytes.iter().take_while(|byte| **byte == 0).count();
        out.push(0x80 | (bytes.len() - skip) as u8);
        out.extend(&bytes[skip..]);
    }
}
