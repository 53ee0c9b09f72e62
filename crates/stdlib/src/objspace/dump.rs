//! Descriptions of objects as JSON, one line each, as the tools that read heap dumps of CRuby know them.

use super::type_of;
use rubellite_core_object::is_frozen;
use rubellite_core_object::runtime::living_objects;
use rubellite_encoding::Encoding;
use rubellite_encoding::transcode::{EncodeOptions, encode};
use rubellite_vm::object::{Array, CodeRange, Float, Hash, Str, float};
use rubellite_vm::{Args, Class, Ctx, Result, Value};
use std::borrow::Cow;
use std::io::Write;

/// Bytes that are gathered before they are written.
const CHUNK: usize = 64 << 10;
/// Objects that are described between two looks at what others want.
const OBJECTS: usize = 256;

/// `_dump(object, output) -> output`
pub fn one(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let (object, output) = (args.at(0), args.at(1));
    let mut text = Vec::new();
    describe(ctx, object, &mut text);
    write(ctx, output, &text)?;
    Ok(output)
}

/// `_dump_all(output, full, since = nil, shapes = nil) -> output`: a line for each object, those alone that are known
/// to be made in the collection `since` or later if it is given. What is internal has none, nor has a slot that is
/// free, so `full` changes nothing; shapes belong to the runtime and are not described.
pub fn all(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let output = args.at(0);
    let since = match args.non_nil(2) {
        Some(since) => Some(u64::try_from(ctx.to_int(since)?).unwrap_or(0)),
        None => None,
    };
    let objects = living_objects(ctx, None)?;
    let mut text = Vec::with_capacity(CHUNK + 1024);
    for index in 0..objects.len() {
        let Some(object) = objects.get(index) else { break };
        if since.is_none_or(|since| ctx.birth_of(object).is_some_and(|birth| birth.generation >= since)) {
            describe(ctx, object, &mut text);
            text.push(b'\n');
        }
        if text.len() >= CHUNK {
            write(ctx, output, &text)?;
            text.clear();
        }
        if index % OBJECTS == 0 {
            ctx.check_interrupts()?;
        }
    }
    write(ctx, output, &text)?;
    let flush = ctx.intern("flush");
    if ctx.respond_to(output, flush, false)? {
        ctx.call(output, flush, &[])?;
    }
    Ok(output)
}

/// `_dump_shapes(output, since) -> output`
pub fn shapes(_ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(args.at(0))
}

fn write(ctx: &mut Ctx, output: Value, text: &[u8]) -> Result<()> {
    if let Some(string) = Str::try_of(output) {
        string.append(ctx, text);
        return Ok(());
    }
    let text = Str::new(ctx, text, Encoding::UTF_8).value();
    let write = ctx.intern("write");
    ctx.call(output, write, &[text]).map(drop)
}

/// The members of a JSON object.
struct Members<'a> {
    out: &'a mut Vec<u8>,
}

impl Members<'_> {
    fn name(&mut self, name: &str) -> &mut Vec<u8> {
        let before: &[u8] = if self.out.last() == Some(&b'{') { b"\"" } else { b", \"" };
        self.out.extend_from_slice(before);
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    fn text(&mut self, name: &str, text: &[u8]) {
        quote(self.name(name), text);
    }

    fn number(&mut self, name: &str, number: impl std::fmt::Display) {
        // A Vec takes what is written.
        let _ = write!(self.name(name), "{number}");
    }

    fn address(&mut self, name: &str, object: Value) {
        address(self.name(name), object);
    }

    /// Left out where it is false.
    fn flag(&mut self, name: &str, on: bool) {
        if on {
            self.name(name).extend_from_slice(b"true");
        }
    }
}

fn quote(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for &byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            0..0x20 | 0x7f => {
                let _ = write!(out, "\\u{byte:04x}");
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

fn address(out: &mut Vec<u8>, object: Value) {
    let _ = write!(out, "\"0x{:x}\"", object.bits());
}

/// Appends the description of any value. It changes nothing and calls nothing of the program.
fn describe(ctx: &Ctx, object: Value, out: &mut Vec<u8>) {
    if let Some(symbol) = object.as_symbol() {
        out.extend_from_slice(b"{\"type\":\"SYMBOL\", ");
        out.extend_from_slice(b"\"value\":");
        quote(out, ctx.sym_bytes(symbol));
        return out.push(b'}');
    }
    if !object.is_heap() {
        return immediate(object, out);
    }
    out.push(b'{');
    let kind = type_of(ctx, object);
    let class = ctx.real_class(object).value();
    let mut members = Members { out };
    members.address("address", object);
    members.text("type", kind.as_bytes());
    let bytes = ctx.cell_bytes_of(object);
    members.number("slot_size", bytes);
    members.address("class", class);
    members.flag("frozen", is_frozen(object));
    members.flag("embedded", ctx.memory_size_of(object) == bytes && !Class::is(object));
    content(ctx, object, kind, &mut members);
    references(ctx, object, class, &mut members);
    birth(ctx, object, &mut members);
    members.number("memsize", ctx.memory_size_of(object));
    if ctx.is_old(object) {
        members.name("flags").extend_from_slice(b"{\"old\":true}");
    }
    out.push(b'}');
}

/// nil, true, false, and numbers that fit into the word of a value.
fn immediate(object: Value, out: &mut Vec<u8>) {
    let _ = match (object.as_fixnum(), Float::value_of(object)) {
        (Some(number), _) => write!(out, "{number}"),
        (_, Some(number)) => write!(out, "{number:.5}"),
        _ if object.is_nil() => write!(out, "null"),
        _ => write!(out, "{}", object.truthy()),
    };
}

/// What depends on the type.
fn content(ctx: &Ctx, object: Value, kind: &str, members: &mut Members) {
    if let Some(string) = Str::try_of(object) {
        return text(ctx, string, members);
    }
    if let Some(array) = Array::try_of(object) {
        members.number("length", array.len());
    } else if let Some(hash) = Hash::try_of(object) {
        members.number("size", hash.len());
    } else if let Some(class) = Class::try_of(object) {
        if let Some(name) = class.name(ctx) {
            members.text("name", name.as_bytes());
        }
        if let Some(superclass) = class.superclass(ctx) {
            members.address("superclass", superclass.value());
        }
    } else if let Some(number) = Float::try_of(object).map(Float::get) {
        match number {
            number if number.is_nan() => members.text("value", b"NaN"),
            number if number.is_infinite() => members.text("value", if number > 0.0 { b"Inf" } else { b"-Inf" }),
            number => members.number("value", float::to_s(number)),
        }
    } else if let Some(io) = rubellite_core_io::io::state::try_state(ctx, object).filter(|io| !io.closed()) {
        members.number("fd", io.fd.get());
    } else if kind == "OBJECT" {
        members.number("ivars", ctx.ivar_pairs(object).len());
    }
}

fn text(ctx: &Ctx, string: Str, members: &mut Members) {
    members.flag("fstring", string.is_interned());
    members.flag("chilled", string.chilled().is_some());
    let range = match string.cached_code_range() {
        None => "unknown",
        Some(CodeRange::SevenBit) => "7bit",
        Some(CodeRange::Valid) => "valid",
        Some(CodeRange::Broken) => "broken",
    };
    members.number("bytesize", string.len());
    let encoding = string.encoding();
    if !string.is_valid(ctx) {
        members.flag("broken", true);
    } else if let Some(value) = in_utf8(ctx, string) {
        members.text("value", &value);
    }
    if encoding != Encoding::BINARY {
        members.text("encoding", encoding.name().as_bytes());
    }
    members.text("coderange", range.as_bytes());
}

fn in_utf8(ctx: &Ctx, string: Str) -> Option<Cow<'_, [u8]>> {
    let (bytes, encoding) = (string.bytes(ctx), string.encoding());
    if encoding == Encoding::UTF_8 || encoding.is_ascii_compatible() && string.is_ascii_only(ctx) {
        return Some(Cow::Borrowed(bytes));
    }
    encode(bytes, encoding, Encoding::UTF_8, &EncodeOptions::default(), None).ok().map(Cow::Owned)
}

/// Addresses of the objects that it refers to, its class left out.
fn references(ctx: &Ctx, object: Value, class: Value, members: &mut Members) {
    let mut any = false;
    ctx.each_reference(object, &mut |other| {
        if other == class {
            return;
        }
        let out = if any { &mut *members.out } else { members.name("references") };
        out.extend_from_slice(if any { b", " } else { b"[" });
        address(out, other);
        any = true;
    });
    if any {
        members.out.push(b']');
    }
}

/// Where it was made, if that was noted.
fn birth(ctx: &Ctx, object: Value, members: &mut Members) {
    let Some(birth) = ctx.birth_of(object) else { return };
    members.text("file", birth.script.path.as_bytes());
    members.number("line", birth.line);
    if let Some(method) = &birth.method {
        members.text("method", method.as_bytes());
    }
    members.number("generation", birth.generation);
}
