//! OpenSSL::ASN1: values and their classes, to and from DER.
//!
//! An object of one of the classes is an ordinary object with instance variables; the class says which universal type
//! it is. Numbers, identifiers and times are the library's to encode; headers and the rest are simple enough here.

mod encode;

use crate::bn;
use crate::ffi::asn1::{
    self, ASN1_BIT_STRING, ASN1_ENUMERATED, ASN1_INTEGER, ASN1_NULL, ASN1_OBJECT, ASN1_TIME, Bytes, Head,
};
use crate::ffi::bn::Big;
use crate::ffi::{Der, Owned, Text};
use crate::support::{self, binary, c_string, check, der_or_bytes, fail, ivar, set_ivar};
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Encoding, Extension, Result, Value, method};
use std::cell::RefCell;

pub const ERROR: &str = "OpenSSL::ASN1::ASN1Error";
const DEPTH_MAX: usize = 200;

pub static ASN1: ClassDef = ClassDef {
    name: "OpenSSL::ASN1",
    superclass: "",
    module_functions: &[
        method("traverse", Arity::ONE, traverse),
        method("decode", Arity::ONE, decode),
        method("decode_all", Arity::ONE, decode_all),
    ],
    setup: Some(|ctx, module| {
        let names = Array::new(ctx);
        for (tag, (name, _)) in TYPES.iter().enumerate() {
            if name.is_empty() {
                names.push(ctx, Value::NIL);
                continue;
            }
            module.set_const(ctx, name, Value::fixnum(tag as i64));
            let name = binary(ctx, name.as_bytes());
            ctx.call_name(name, "freeze", &[])?;
            names.push(ctx, name);
        }
        ctx.call_name(names.value(), "freeze", &[])?;
        module.set_const(ctx, "UNIVERSAL_TAG_NAME", names.value());
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub static ASN1_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static DATA: ClassDef = ClassDef {
    name: "OpenSSL::ASN1::ASN1Data",
    methods: &[method("initialize", Arity::exact(3), initialize_data), method("to_der", Arity::NONE, encode::data)],
    ..ClassDef::EMPTY
};
pub static PRIMITIVE: ClassDef = ClassDef {
    name: "OpenSSL::ASN1::Primitive",
    superclass: "OpenSSL::ASN1::ASN1Data",
    methods: &[method("initialize", Arity::range(1, 4), initialize), method("to_der", Arity::NONE, encode::primitive)],
    ..ClassDef::EMPTY
};
pub static CONSTRUCTIVE: ClassDef = ClassDef {
    name: "OpenSSL::ASN1::Constructive",
    superclass: "OpenSSL::ASN1::ASN1Data",
    includes: &["Enumerable"],
    methods: &[
        method("initialize", Arity::range(1, 4), initialize),
        method("to_der", Arity::NONE, encode::constructive),
    ],
    ..ClassDef::EMPTY
};

/// Name and class of each universal type, by tag.
const TYPES: [(&str, &str); 31] = [
    ("EOC", "EndOfContent"),
    ("BOOLEAN", "Boolean"),
    ("INTEGER", "Integer"),
    ("BIT_STRING", "BitString"),
    ("OCTET_STRING", "OctetString"),
    ("NULL", "Null"),
    ("OBJECT", "ObjectId"),
    ("OBJECT_DESCRIPTOR", ""),
    ("EXTERNAL", ""),
    ("REAL", ""),
    ("ENUMERATED", "Enumerated"),
    ("EMBEDDED_PDV", ""),
    ("UTF8STRING", "UTF8String"),
    ("RELATIVE_OID", ""),
    ("", ""),
    ("", ""),
    ("SEQUENCE", "Sequence"),
    ("SET", "Set"),
    ("NUMERICSTRING", "NumericString"),
    ("PRINTABLESTRING", "PrintableString"),
    ("T61STRING", "T61String"),
    ("VIDEOTEXSTRING", "VideotexString"),
    ("IA5STRING", "IA5String"),
    ("UTCTIME", "UTCTime"),
    ("GENERALIZEDTIME", "GeneralizedTime"),
    ("GRAPHICSTRING", "GraphicString"),
    ("ISO64STRING", "ISO64String"),
    ("GENERALSTRING", "GeneralString"),
    ("UNIVERSALSTRING", "UniversalString"),
    ("CHARACTER_STRING", ""),
    ("BMPSTRING", "BMPString"),
];

pub mod tag {
    pub const EOC: usize = 0;
    pub const BOOLEAN: usize = 1;
    pub const INTEGER: usize = 2;
    pub const BIT_STRING: usize = 3;
    pub const NULL: usize = 5;
    pub const OBJECT: usize = 6;
    pub const ENUMERATED: usize = 10;
    pub const SEQUENCE: usize = 16;
    pub const SET: usize = 17;
    pub const UTC_TIME: usize = 23;
    pub const GENERALIZED_TIME: usize = 24;
}

/// The classes of the universal types.
#[derive(Default)]
struct Classes(RefCell<Vec<(Value, usize)>>); // tidy: traced below

impl Extension for Classes {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.0.borrow().iter().for_each(|(class, _)| mark(*class));
    }
}

/// Makes the classes of the universal types, and a function of each name that makes an object.
pub fn load(ctx: &mut Ctx) -> Result<()> {
    for (number, (_, name)) in TYPES.iter().enumerate().filter(|(_, (_, name))| !name.is_empty()) {
        let superclass = match number {
            tag::EOC => &DATA,
            tag::SEQUENCE | tag::SET => &CONSTRUCTIVE,
            _ => &PRIMITIVE,
        };
        let superclass = ctx.named_class(superclass.name)?;
        let class = Class::new_class(ctx, Some(superclass));
        ctx.named_class("OpenSSL::ASN1")?.set_const(ctx, name, class.value());
        ctx.extension::<Classes>().0.borrow_mut().push((class.value(), number));
    }
    let end = ctx.named_class("OpenSSL::ASN1::EndOfContent")?;
    ctx.define_native(end, &method("initialize", Arity::NONE, initialize_end));
    ctx.define_native(end, &method("to_der", Arity::NONE, |ctx, _: Value, _| Ok(binary(ctx, &[0, 0]))));
    let object = ctx.named_class("OpenSSL::ASN1::ObjectId")?;
    for def in [
        method("sn", Arity::NONE, sn),
        method("ln", Arity::NONE, ln),
        method("oid", Arity::NONE, oid),
        method("==", Arity::ONE, op_equal),
    ] {
        ctx.define_native(object, &def);
    }
    if let Some(singleton) = Class::singleton_class(ctx, object.value()) {
        ctx.define_native(singleton, &method("register", Arity::exact(3), register));
    }
    Ok(())
}

/// The universal type of an object by its class.
fn default_tag(ctx: &Ctx, object: Value) -> Option<usize> {
    let classes = ctx.extension::<Classes>().0.borrow();
    let mut at = Some(ctx.dispatch_class(object));
    while let Some(class) = at {
        if let Some((_, number)) = classes.iter().find(|(value, _)| *value == class.value()) {
            return Some(*number);
        }
        at = class.superclass(ctx);
    }
    None
}

fn class_of_tag(ctx: &Ctx, number: usize) -> Option<Value> {
    ctx.extension::<Classes>().0.borrow().iter().find(|(_, tag)| *tag == number).map(|(class, _)| *class)
}

fn symbol(ctx: &Ctx, name: &'static str) -> Value {
    Value::symbol(ctx.intern(name))
}

fn fill(ctx: &mut Ctx, recv: Value, value: Value, tag: Value, class: Value) {
    set_ivar(ctx, recv, "@tag", tag);
    set_ivar(ctx, recv, "@value", value);
    set_ivar(ctx, recv, "@tag_class", class);
    set_ivar(ctx, recv, "@indefinite_length", Value::FALSE);
}

/// `ASN1Data.new(value, tag, tag_class)`
fn initialize_data(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !args.at(2).is_symbol() {
        return Err(fail(ctx, ERROR, "invalid tag class"));
    }
    fill(ctx, recv, args.at(0), args.at(1), args.at(2));
    Ok(recv)
}

/// `initialize(value, tag = nil, tagging = nil, tag_class = nil)` of primitive and constructed values.
fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let default = default_tag(ctx, recv);
    let (mut tag, mut tagging, mut class) = (args.at(1), args.at(2), args.at(3));
    match default {
        Some(number) if args.len() == 1 => {
            tag = Value::fixnum(number as i64);
            tagging = Value::NIL;
            class = symbol(ctx, "UNIVERSAL");
        }
        _ => {
            if tag.is_nil() {
                return Err(fail(ctx, ERROR, "must specify tag number"));
            }
            if !tagging.is_nil() && !tagging.is_symbol() {
                return Err(fail(ctx, ERROR, "invalid tagging method"));
            }
            if class.is_nil() {
                class = symbol(ctx, if tagging.is_nil() { "UNIVERSAL" } else { "CONTEXT_SPECIFIC" });
            }
            if !class.is_symbol() {
                return Err(fail(ctx, ERROR, "invalid tag class"));
            }
        }
    }
    fill(ctx, recv, args.at(0), tag, class);
    set_ivar(ctx, recv, "@tagging", tagging);
    if default == Some(tag::BIT_STRING) {
        set_ivar(ctx, recv, "@unused_bits", Value::fixnum(0));
    }
    Ok(recv)
}

fn initialize_end(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let value = binary(ctx, b"");
    let class = symbol(ctx, "UNIVERSAL");
    fill(ctx, recv, value, Value::fixnum(0), class);
    set_ivar(ctx, recv, "@tagging", Value::NIL);
    Ok(recv)
}

// -- decoding -----------------------------------------------------------------------------

/// Reads elements of some bytes.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Who is told of each element.
    block: Option<Value>,
}

impl Reader<'_> {
    /// The element at the position, of which at most `max` bytes may be read, and how many were.
    fn element(&mut self, ctx: &mut Ctx, max: usize, depth: usize) -> Result<(Value, usize)> {
        if depth > DEPTH_MAX {
            return Err(fail(ctx, ERROR, &format!("nesting depth {depth} exceeds limit")));
        }
        ctx.check_native_stack()?;
        let rest = &self.bytes[self.at..self.at + max];
        let Some(head) = asn1::head(rest) else { return Err(fail(ctx, ERROR, "")) };
        if head.len > max {
            return Err(fail(ctx, ERROR, "value is too short"));
        }
        if let Some(block) = self.block {
            let told = self.told(ctx, &head, depth);
            ctx.yield_one(block, told)?;
        }
        let (value, read) = if head.constructed {
            self.at += head.own;
            let (value, read) = self.constructed(ctx, &head, max - head.own, depth)?;
            (value, read + head.own)
        } else {
            if head.indefinite && head.len == 0 {
                return Err(fail(ctx, ERROR, "indefinite length for primitive value"));
            }
            if head.own + head.len > max {
                return Err(fail(ctx, ERROR, "value is too short"));
            }
            let value = self.primitive(ctx, &head)?;
            (value, head.own + head.len)
        };
        if head.len != 0 && read != head.own + head.len {
            let text = format!("Type mismatch. Bytes read: {read} Bytes available: {}", head.own + head.len);
            return Err(fail(ctx, ERROR, &text));
        }
        Ok((value, read))
    }

    fn told(&self, ctx: &mut Ctx, head: &Head, depth: usize) -> Value {
        let class = class_symbol(ctx, head.class);
        let number = |n: usize| Value::fixnum(n as i64);
        let parts = [
            number(depth),
            number(self.at),
            number(head.own),
            number(head.len),
            support::bool(head.constructed),
            class,
            Value::fixnum(head.tag.into()),
        ];
        Array::from_slice(ctx, &parts).value()
    }

    fn constructed(&mut self, ctx: &mut Ctx, head: &Head, max: usize, depth: usize) -> Result<(Value, usize)> {
        let items = Array::new(ctx);
        let indefinite = head.indefinite;
        let mut left = if indefinite { max } else { head.len.min(max) };
        let mut total = 0;
        while left > 0 {
            let (item, read) = self.element(ctx, left, depth + 1)?;
            total += read;
            left -= read;
            if indefinite {
                if ivar(ctx, item, "@tag") == Value::fixnum(0)
                    && ivar(ctx, item, "@tag_class") == symbol(ctx, "UNIVERSAL")
                {
                    break;
                }
                if left == 0 {
                    return Err(fail(ctx, ERROR, "EOC missing in indefinite length encoding"));
                }
            }
            items.push(ctx, item);
        }
        let universal = head.class == 0;
        let class = match head.tag as usize {
            number @ (tag::SEQUENCE | tag::SET) if universal => class_of_tag(ctx, number),
            _ if universal => Some(ctx.named_class(CONSTRUCTIVE.name)?.value()),
            _ => None,
        };
        let value = self.object(ctx, class, items.value(), head)?;
        set_ivar(ctx, value, "@indefinite_length", support::bool(indefinite));
        Ok((value, total))
    }

    /// An object of the class, or of ASN1Data.
    fn object(&self, ctx: &mut Ctx, class: Option<Value>, value: Value, head: &Head) -> Result {
        let known = class.is_some();
        let class = match class {
            Some(class) => class,
            None => ctx.named_class(DATA.name)?.value(),
        };
        let Some(handle) = Class::try_of(class) else { return Ok(Value::NIL) };
        let object = ctx.allocate(handle)?;
        let tag_class = class_symbol(ctx, head.class);
        fill(ctx, object, value, Value::fixnum(head.tag.into()), tag_class);
        if known {
            set_ivar(ctx, object, "@tagging", Value::NIL);
        }
        Ok(object)
    }

    fn primitive(&mut self, ctx: &mut Ctx, head: &Head) -> Result {
        let whole = &self.bytes[self.at..self.at + head.own + head.len];
        self.at += whole.len();
        let number =
            if head.class == 0 { usize::try_from(head.tag).ok().filter(|tag| *tag < TYPES.len()) } else { None };
        let mut unused = 0;
        let value = match number {
            Some(number) => universal(ctx, number, whole, head.own, &mut unused)?,
            None => binary(ctx, &whole[head.own..]),
        };
        let class = number.and_then(|number| class_of_tag(ctx, number));
        let object = self.object(ctx, class, value, head)?;
        if number == Some(tag::BIT_STRING) {
            set_ivar(ctx, object, "@unused_bits", Value::fixnum(unused));
        }
        Ok(object)
    }
}

/// The value of an element of a universal type; `own` bytes of it are its beginning.
fn universal(ctx: &mut Ctx, number: usize, whole: &[u8], own: usize, unused: &mut i64) -> Result {
    match number {
        tag::EOC if whole == [0, 0] => Ok(binary(ctx, b"")),
        tag::EOC => Err(fail(ctx, ERROR, "")),
        tag::BOOLEAN if whole.len() != 3 => Err(fail(ctx, ERROR, "invalid length for BOOLEAN")),
        tag::BOOLEAN if whole[..2] != [1, 1] => Err(fail(ctx, ERROR, "invalid BOOLEAN")),
        tag::BOOLEAN => Ok(support::bool(whole[2] != 0)),
        tag::INTEGER => {
            let found = check(ctx, ASN1_INTEGER::decode(whole), ERROR, "")?;
            integer_to_num(ctx, Some(&found))
        }
        tag::ENUMERATED => {
            let found = check(ctx, ASN1_ENUMERATED::decode(whole), ERROR, "")?;
            let found = check(ctx, asn1::ASN1_ENUMERATED_to_BN(&found, None), support::ERROR, "")?;
            support::wrap(ctx, bn::BN, found)
        }
        tag::BIT_STRING => {
            let found = check(ctx, ASN1_BIT_STRING::decode(whole), ERROR, "d2i_ASN1_BIT_STRING")?;
            *unused = found.unused_bits().into();
            Ok(binary(ctx, found.bytes()))
        }
        tag::NULL => {
            check(ctx, ASN1_NULL::decode(whole), ERROR, "")?;
            Ok(Value::NIL)
        }
        tag::OBJECT => {
            let found = check(ctx, ASN1_OBJECT::decode(whole), ERROR, "d2i_ASN1_OBJECT")?;
            object_name(ctx, &found)
        }
        tag::UTC_TIME | tag::GENERALIZED_TIME => {
            let found = check(ctx, ASN1_TIME::decode(whole), ERROR, "")?;
            to_time(ctx, &found)
        }
        _ => Ok(binary(ctx, &whole[own..])),
    }
}

fn class_symbol(ctx: &Ctx, class: i32) -> Value {
    let name = match class & 0xc0 {
        0xc0 => "PRIVATE",
        0x80 => "CONTEXT_SPECIFIC",
        0x40 => "APPLICATION",
        _ => "UNIVERSAL",
    };
    symbol(ctx, name)
}

fn all_read(ctx: &mut Ctx, len: usize, read: usize) -> Result<()> {
    if len != 0 && read != len {
        let text = format!("Type mismatch. Total bytes read: {read} Bytes available: {len} Offset: {read}");
        return Err(fail(ctx, ERROR, &text));
    }
    Ok(())
}

fn traverse(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = der_or_bytes(ctx, args.at(0))?;
    let (_, read) = Reader { bytes: &bytes, at: 0, block: Some(args.block) }.element(ctx, bytes.len(), 0)?;
    all_read(ctx, bytes.len(), read)?;
    Ok(Value::NIL)
}

fn decode(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = der_or_bytes(ctx, args.at(0))?;
    decode_bytes(ctx, &bytes)
}

/// The value of these bytes, which hold one element.
pub fn decode_bytes(ctx: &mut Ctx, bytes: &[u8]) -> Result {
    let (value, read) = Reader { bytes, at: 0, block: None }.element(ctx, bytes.len(), 0)?;
    all_read(ctx, bytes.len(), read)?;
    Ok(value)
}

fn decode_all(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let bytes = der_or_bytes(ctx, args.at(0))?;
    let list = Array::new(ctx);
    let mut reader = Reader { bytes: &bytes, at: 0, block: None };
    let mut total = 0;
    while total < bytes.len() {
        let (value, read) = reader.element(ctx, bytes.len() - total, 0)?;
        list.push(ctx, value);
        total += read;
    }
    all_read(ctx, bytes.len(), total)?;
    Ok(list.value())
}

// -- what others need ---------------------------------------------------------------------

/// The short name of an object identifier, or its numbers.
pub fn object_name(ctx: &mut Ctx, object: &ASN1_OBJECT) -> Result {
    match known(object).and_then(|nid| asn1::OBJ_nid2sn(nid)) {
        Some(name) => Ok(binary(ctx, name.bytes())),
        None => dotted(ctx, object),
    }
}

/// The long name of an object identifier, or its numbers.
pub fn object_long_name(ctx: &mut Ctx, object: &ASN1_OBJECT) -> Result {
    match known(object).and_then(|nid| asn1::OBJ_nid2ln(nid)) {
        Some(name) => Ok(binary(ctx, name.bytes())),
        None => dotted(ctx, object),
    }
}

fn known(object: &ASN1_OBJECT) -> Option<i32> {
    Some(asn1::OBJ_obj2nid(object)).filter(|nid| *nid != asn1::UNDEF)
}

fn dotted(ctx: &mut Ctx, object: &ASN1_OBJECT) -> Result {
    let text = check(ctx, object.dotted(), support::ERROR, "OBJ_obj2txt")?;
    Ok(Str::new(ctx, &text, Encoding::US_ASCII).value())
}

/// The identifier of a name or of numbers.
pub fn to_object(ctx: &mut Ctx, value: Value) -> Result<Owned<ASN1_OBJECT>> {
    let text = c_string(ctx, value)?;
    let name = Text::from(&*text);
    let found = asn1::OBJ_txt2obj(name, 0).or_else(|| asn1::OBJ_txt2obj(name, 1));
    let message = format!("invalid OBJECT ID {}", text.to_string_lossy());
    check(ctx, found, ERROR, &message)
}

/// A Time in UTC.
pub fn to_time(ctx: &mut Ctx, time: &ASN1_TIME) -> Result {
    let parts = check(ctx, asn1::parts(time), ERROR, "ASN1_TIME_to_tm")?.map(Value::fixnum);
    let class = ctx.named_class("Time")?.value();
    let failure = ctx.named_class("ArgumentError")?.value();
    ctx.rescue(failure, |ctx| ctx.call_name(class, "utc", &parts), |ctx, _| Err(ctx.raise_error(ERROR, "invalid time")))
}

/// A Time or an Integer as days and seconds of the day.
pub fn split_time(ctx: &mut Ctx, time: Value) -> Result<(i32, i64)> {
    let seconds = support::seconds(ctx, time)?;
    match i32::try_from(seconds / 86400) {
        Ok(days) => Ok((days, seconds % 86400)),
        Err(_) => Err(ctx.range_error(&format!("integer {} too big to convert to 'int'", seconds / 86400))),
    }
}

/// A Time or an Integer as certificates have it.
pub fn from_time(ctx: &mut Ctx, time: Value) -> Result<Option<Owned<ASN1_TIME>>> {
    let (days, seconds) = split_time(ctx, time)?;
    Ok(asn1::time(days, seconds))
}

/// A BN.
pub fn integer_to_num(ctx: &mut Ctx, number: Option<&ASN1_INTEGER>) -> Result {
    let Some(number) = number else { return Err(fail(ctx, "TypeError", "ASN1_INTEGER is NULL!")) };
    let number: Big = check(ctx, asn1::ASN1_INTEGER_to_BN(number, None), support::ERROR, "")?;
    support::wrap(ctx, bn::BN, number)
}

/// The number of a BN or an Integer.
pub fn num_to_integer(ctx: &mut Ctx, value: Value) -> Result<Owned<ASN1_INTEGER>> {
    if value.is_nil() {
        return Err(fail(ctx, "TypeError", "Can't convert nil into Integer"));
    }
    let number = bn::of(ctx, value)?;
    check(ctx, asn1::number_of(&number), support::ERROR, "")
}

// -- object identifiers -------------------------------------------------------------------

fn name_of(ctx: &mut Ctx, recv: Value, name: fn(i32) -> Option<Text<'static>>) -> Result {
    let value = ivar(ctx, recv, "@value");
    let text = c_string(ctx, value)?;
    let nid = asn1::OBJ_txt2nid(Text::from(&*text));
    Ok(if nid == asn1::UNDEF { Value::NIL } else { support::text(ctx, name(nid)) })
}

fn sn(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    name_of(ctx, recv, |nid| asn1::OBJ_nid2sn(nid))
}

fn ln(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    name_of(ctx, recv, |nid| asn1::OBJ_nid2ln(nid))
}

fn oid(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let value = ivar(ctx, recv, "@value");
    let object = to_object(ctx, value)?;
    dotted(ctx, &object)
}

fn op_equal(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !support::is_kind(ctx, args.at(0), "OpenSSL::ASN1::ObjectId")? {
        return Ok(Value::FALSE);
    }
    let (a, b) = (oid(ctx, recv, args)?, oid(ctx, args.at(0), args)?);
    Ok(support::bool(ctx.equal(a, b)?))
}

/// `ObjectId.register(oid, short_name, long_name) -> true`
fn register(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (oid, short, long) = (c_string(ctx, args.at(0))?, c_string(ctx, args.at(1))?, c_string(ctx, args.at(2))?);
    let nid = asn1::OBJ_create(Text::from(&*oid), Text::from(&*short), Text::from(&*long));
    support::ensure(ctx, nid != 0, ERROR, "")?;
    Ok(Value::TRUE)
}
