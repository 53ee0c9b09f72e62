//! OpenSSL::X509::Name.

use super::copy_into;
use crate::asn1;
use crate::ffi::asn1::Bytes;
use crate::ffi::x509::{self, X509_NAME};
use crate::ffi::{Der, Text, bio};
use crate::support::{
    self, Shared, array, binary, bytes, c_string, check, der_or_bytes, empty, ensure, fail, get, is_kind, keywords,
    put, want_empty, wrap,
};
use rubellite_vm::object::{Array, Hash, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, method};

pub const NAME: &str = "OpenSSL::X509::Name";
const ERROR: &str = "OpenSSL::X509::NameError";

const PRINTABLE: i64 = 19;
const UTF8: i64 = 12;
const IA5: i64 = 22;
const RFC2253: u64 = 0x0111_0317;
const ESCAPE_MSB: u64 = 4;
const COMPAT: u64 = 0;

pub static NAME_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static NAME_CLASS: ClassDef = ClassDef {
    name: NAME,
    includes: &["Comparable"],
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(0, 2), initialize),
        method("initialize_copy", Arity::ONE, |ctx, recv: Value, args| {
            copy_into(ctx, recv, args.at(0), x509::X509_NAME_dup, ERROR, "X509_NAME_dup")
        }),
        method("add_entry", Arity::range(2, 3).with_keywords(), add_entry),
        method("to_s", Arity::range(0, 1), to_s),
        method("to_utf8", Arity::NONE, to_utf8),
        method("inspect", Arity::NONE, inspect),
        method("to_a", Arity::NONE, to_a),
        method("cmp", Arity::ONE, cmp),
        method("<=>", Arity::ONE, cmp),
        method("eql?", Arity::ONE, eql_p),
        method("hash", Arity::NONE, hash),
        method("hash_old", Arity::NONE, hash_old),
        method("to_der", Arity::NONE, to_der),
    ],
    setup: Some(|ctx, class| {
        class.set_const(ctx, "DEFAULT_OBJECT_TYPE", Value::fixnum(UTF8));
        let kinds = Hash::new(ctx);
        kinds.set_default(ctx, Value::fixnum(UTF8));
        let known = [
            ("C", PRINTABLE),
            ("countryName", PRINTABLE),
            ("serialNumber", PRINTABLE),
            ("dnQualifier", PRINTABLE),
            ("DC", IA5),
            ("domainComponent", IA5),
            ("emailAddress", IA5),
        ];
        for (name, kind) in known {
            let name = binary(ctx, name.as_bytes());
            kinds.insert(ctx, name, Value::fixnum(kind))?;
        }
        ctx.call_name(kinds.value(), "freeze", &[])?;
        class.set_const(ctx, "OBJECT_TYPE_TEMPLATE", kinds.value());
        let styles = [("COMPAT", COMPAT), ("RFC2253", RFC2253), ("ONELINE", 0x0082_031f), ("MULTILINE", 0x02a4_0006)];
        for (name, flags) in styles {
            class.set_const(ctx, name, Value::fixnum(flags as i64));
        }
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<X509_NAME>> {
    get(ctx, value)
}

/// A new object with a copy.
pub fn new(ctx: &mut Ctx, name: &X509_NAME) -> Result {
    let copy = check(ctx, x509::X509_NAME_dup(name), ERROR, "X509_NAME_dup")?;
    wrap(ctx, NAME, copy)
}

fn constant(ctx: &mut Ctx, name: &'static str) -> Result {
    let class = ctx.named_class(NAME)?;
    let name = ctx.intern(name);
    Ok(class.own_const(ctx, name).map_or(Value::NIL, |entry| entry.value))
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<X509_NAME>(ctx, recv)?;
    let entries = match args.get(0) {
        None => None,
        Some(value) => match ctx.check_array(value)? {
            Some(entries) => Some(entries),
            None => {
                let der = der_or_bytes(ctx, value)?;
                let name = check(ctx, X509_NAME::decode(&der), ERROR, "d2i_X509_NAME")?;
                put(ctx, recv, name)?;
                return Ok(recv);
            }
        },
    };
    let name = check(ctx, x509::X509_NAME_new(), ERROR, "X509_NAME_new")?;
    put(ctx, recv, name)?;
    let Some(entries) = entries else { return Ok(recv) };
    let kinds = match args.non_nil(1) {
        Some(kinds) => kinds,
        None => constant(ctx, "OBJECT_TYPE_TEMPLATE")?,
    };
    support::each(ctx, entries, |ctx, entry| {
        let entry = array(ctx, entry)?;
        let part = |at: usize| entry.get(at).unwrap_or(Value::NIL);
        let mut kind = part(2);
        if kind.is_nil() {
            kind = ctx.call_name(kinds, "[]", &[part(0)])?;
        }
        if kind.is_nil() {
            kind = constant(ctx, "DEFAULT_OBJECT_TYPE")?;
        }
        add(ctx, recv, [part(0), part(1), kind], -1, 0)
    })?;
    Ok(recv)
}

fn add(ctx: &mut Ctx, recv: Value, [field, value, kind]: [Value; 3], at: i32, set: i32) -> Result<()> {
    let (field_name, bytes) = (c_string(ctx, field)?, bytes(ctx, value)?);
    let kind = if kind.is_nil() {
        let kinds = constant(ctx, "OBJECT_TYPE_TEMPLATE")?;
        ctx.call_name(kinds, "[]", &[field])?
    } else {
        kind
    };
    let kind = ctx.to_c_int(kind)?;
    let name = of(ctx, recv)?;
    ensure(ctx, name.add(Text::from(&*field_name), kind, &bytes, at, set), ERROR, "X509_NAME_add_entry_by_txt")
}

/// `add_entry(oid, value, type = nil, loc: -1, set: 0) -> self`
fn add_entry(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let [at, set] = keywords(ctx, args, ["loc", "set"], 0)?;
    let at = if at.is_undef() { -1 } else { ctx.to_c_int(at)? };
    let set = if set.is_undef() { 0 } else { ctx.to_c_int(set)? };
    let given = args.positional();
    add(ctx, recv, [given.at(0), given.at(1), given.at(2)], at, set)?;
    Ok(recv)
}

fn printed(ctx: &mut Ctx, recv: Value, flags: u64) -> Result<Vec<u8>> {
    let name = of(ctx, recv)?;
    let text = bio::written(|out| {
        let done = x509::X509_NAME_print_ex(out, &name, 0, flags);
        done > 0 || done == 0 && flags != COMPAT
    });
    check(ctx, text, ERROR, "X509_NAME_print_ex")
}

/// `to_s(format = nil) -> string`
fn to_s(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let Some(flags) = args.non_nil(0) {
        let flags = ctx.to_int(flags)? as u64;
        let text = printed(ctx, recv, flags)?;
        return Ok(support::string(ctx, text));
    }
    let name = of(ctx, recv)?;
    let line = check(ctx, name.line(), ERROR, "X509_NAME_oneline")?;
    Ok(binary(ctx, line.bytes()))
}

fn to_utf8(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = printed(ctx, recv, RFC2253 & !ESCAPE_MSB)?;
    Ok(Str::from_vec(ctx, text, Encoding::UTF_8).value())
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let class = ctx.real_class(recv).inspect(ctx);
    let text = printed(ctx, recv, RFC2253 & !ESCAPE_MSB)?;
    let whole = [b"#<", class.as_bytes(), b" ", &text, b">"].concat();
    Ok(Str::from_vec(ctx, whole, Encoding::UTF_8).value())
}

fn to_a(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = of(ctx, recv)?;
    let list = Array::new(ctx);
    for at in 0..x509::X509_NAME_entry_count(&name) {
        let entry = check(ctx, x509::X509_NAME_get_entry(&name, at), ERROR, "X509_NAME_get_entry")?;
        let (object, data) = (x509::X509_NAME_ENTRY_get_object(entry), x509::X509_NAME_ENTRY_get_data(entry));
        let (Some(object), Some(data)) = (object, data) else { return Err(fail(ctx, ERROR, "X509_NAME_get_entry")) };
        let field = asn1::object_name(ctx, object)?;
        let value = binary(ctx, data.bytes());
        let triple = Array::from_slice(ctx, &[field, value, Value::fixnum(data.kind().into())]).value();
        list.push(ctx, triple);
    }
    Ok(list.value())
}

fn compared(ctx: &mut Ctx, recv: Value, other: Value) -> Result<i32> {
    let (a, b) = (of(ctx, recv)?, of(ctx, other)?);
    match x509::X509_NAME_cmp(&a, &b) {
        -2 => Err(fail(ctx, ERROR, "")),
        order => Ok(order.signum()),
    }
}

fn cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !is_kind(ctx, args.at(0), NAME)? {
        return Ok(Value::NIL);
    }
    Ok(Value::fixnum(compared(ctx, recv, args.at(0))?.into()))
}

fn eql_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(support::bool(is_kind(ctx, args.at(0), NAME)? && compared(ctx, recv, args.at(0))? == 0))
}

fn hash(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = of(ctx, recv)?;
    Ok(ctx.uint(name.hash()))
}

fn hash_old(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = of(ctx, recv)?;
    Ok(ctx.uint(x509::X509_NAME_hash_old(&name)))
}

fn to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let name = of(ctx, recv)?;
    let der = check(ctx, name.encode().filter(|der| !der.is_empty()), ERROR, "")?;
    Ok(support::string(ctx, der))
}
