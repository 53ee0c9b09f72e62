//! Psych::Parser: calls a handler for every event of a YAML text.
//!
//! One parse owns one parser of libyaml, which a guard deletes however the parse ends; events are copied into values
//! and deleted before the handler is called.

use super::{text_string, utf8};
use rubellite_vm::object::{Array, Data, NativeData, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Unwind, Value, method, private_method};
use std::cell::Cell;
use std::ffi::c_void;
use std::mem::MaybeUninit;

pub static PARSER: ClassDef = ClassDef {
    name: "Psych::Parser",
    alloc: Some(allocate),
    methods: &[
        private_method("_native_parse", Arity::exact(3), native_parse),
        method("parse", Arity::range(1, 2), parse),
        method("mark", Arity::NONE, mark),
    ],
    setup: Some(|ctx, parser| {
        for (name, n) in [("ANY", 0), ("UTF8", 1), ("UTF16LE", 2), ("UTF16BE", 3)] {
            parser.set_const(ctx, name, Value::fixnum(n));
        }
        Ok(())
    }),
    ..ClassDef::EMPTY
};

/// Where the parser is: index, line and column.
#[derive(Default)]
struct Position(Cell<[u64; 3]>);

impl NativeData for Position {}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, Position::default()).value())
}

/// A parser of libyaml.
struct Parser(Box<MaybeUninit<unsafe_libyaml::yaml_parser_t>>);

impl Parser {
    fn new() -> Parser {
        let mut parser = Parser(Box::new(MaybeUninit::zeroed()));
        // SAFETY: the memory is ours; initialisation only fails for lack of memory, which the allocator reports itself.
        let _ = unsafe { unsafe_libyaml::yaml_parser_initialize(parser.ptr()) };
        parser
    }

    fn ptr(&mut self) -> *mut unsafe_libyaml::yaml_parser_t {
        self.0.as_mut_ptr()
    }
}

impl Drop for Parser {
    fn drop(&mut self) {
        // SAFETY: `new` initialised it, and nobody else deletes it.
        unsafe { unsafe_libyaml::yaml_parser_delete(self.ptr()) }
    }
}

/// An event of libyaml, deleted at its end.
struct Event(MaybeUninit<unsafe_libyaml::yaml_event_t>);

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: events are only made for `parse`, which fills them in or leaves them empty (zeros).
        unsafe { unsafe_libyaml::yaml_event_delete(self.0.as_mut_ptr()) }
    }
}

/// What is read from, and what reading or an interrupt raised.
struct Source {
    ctx: *mut Ctx,
    /// An IO-like object, unless there is a text.
    io: Value,
    /// A text, and how much of it has been read.
    text: Option<(Vec<u8>, usize)>,
    failed: Option<Unwind>,
}

impl Source {
    /// As much of the text as the buffer takes; none: there is no text.
    fn read_text(&mut self, buffer: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let (bytes, at) = self.text.as_mut()?;
        let some = &bytes[*at..];
        let some = &some[..some.len().min(buffer.len())];
        buffer[..some.len()].write_copy_of_slice(some);
        *at += some.len();
        Some(some.len())
    }
}

/// libyaml's reader: at most `size` bytes of the text or by `io.read(size)`. libyaml reads some kilobytes at a time, so
/// that here is the place to look at what other threads want.
unsafe fn read(data: *mut c_void, buffer: *mut u8, size: u64, size_read: *mut u64) -> i32 {
    // SAFETY: `data` is the `Source` of the parse that runs; its `ctx` is the one that `yaml_parser_parse` was called
    // with, and nobody uses it meanwhile.
    let source = unsafe { &mut *data.cast::<Source>() };
    // SAFETY: as above.
    let ctx = unsafe { &mut *source.ctx };
    let size = size as usize;
    // SAFETY: libyaml gives a place for the number.
    unsafe { *size_read = 0 };
    if let Err(unwind) = ctx.check_interrupts() {
        source.failed = Some(unwind);
        return 0;
    }
    // SAFETY: libyaml's buffer has room for `size` bytes.
    let room = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<MaybeUninit<u8>>(), size) };
    if let Some(len) = source.read_text(room) {
        // SAFETY: as above.
        unsafe { *size_read = len as u64 };
        return 1;
    }
    let answer = ctx
        .call_name(source.io, "read", &[Value::fixnum(size as i64)])
        .and_then(|value| if value.is_nil() { Ok(None) } else { ctx.to_str(value).map(Some) });
    match answer {
        Ok(None) => 1,
        Ok(Some(string)) => {
            let bytes = string.bytes(ctx);
            // More than was asked for is cut off before a character that does not fit.
            let mut len = bytes.len().min(size);
            while len < bytes.len() && len > 0 && bytes[len] & 0xc0 == 0x80 {
                len -= 1;
            }
            // SAFETY: the buffer has room for `size` bytes, and `len` is at most that.
            unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer, len);
                *size_read = len as u64;
            }
            1
        }
        Err(unwind) => {
            source.failed = Some(unwind);
            0
        }
    }
}

/// `parse(yaml[, path])` of older psychs.
fn parse(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = args.at(0);
    let path = match args.get(1) {
        Some(path) => path,
        None => {
            let name = ctx.intern("path");
            if ctx.respond_to(text, name, false)? {
                ctx.call(text, name, &[])?
            } else {
                Str::ascii(ctx, "<unknown>").value()
            }
        }
    };
    let handler = ctx.call_name(recv, "handler", &[])?;
    run(ctx, recv, handler, text, path)
}

fn native_parse(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    run(ctx, recv, args.at(0), args.at(1), args.at(2))
}

fn run(ctx: &mut Ctx, recv: Value, handler: Value, text: Value, path: Value) -> Result {
    let mut parser = Parser::new();
    let mut source = Source { ctx: std::ptr::from_mut(ctx), io: text, text: None, failed: None };
    let read_name = ctx.intern("read");
    let encoding = if ctx.respond_to(text, read_name, false)? {
        io_encoding(ctx, text)?
    } else {
        let string = ctx.to_str(text)?;
        let encoding = match string.encoding() {
            Encoding::UTF_16LE => unsafe_libyaml::YAML_UTF16LE_ENCODING,
            Encoding::UTF_16BE => unsafe_libyaml::YAML_UTF16BE_ENCODING,
            _ => unsafe_libyaml::YAML_UTF8_ENCODING,
        };
        let string = if encoding == unsafe_libyaml::YAML_UTF8_ENCODING { utf8(ctx, string)? } else { string };
        source.text = Some((string.bytes(ctx).to_vec(), 0));
        encoding
    };
    // SAFETY: the parser is initialised; `source` stays where it is until the parser's last use below.
    unsafe {
        unsafe_libyaml::yaml_parser_set_encoding(parser.ptr(), encoding);
        unsafe_libyaml::yaml_parser_set_input(parser.ptr(), read, std::ptr::from_mut(&mut source).cast());
    }
    loop {
        let mut event = Event(MaybeUninit::zeroed());
        source.ctx = std::ptr::from_mut(ctx);
        // SAFETY: both are initialised; the reader may use `ctx`, which is lent to it for this call.
        let done = unsafe { unsafe_libyaml::yaml_parser_parse(parser.ptr(), event.0.as_mut_ptr()) };
        if let Some(unwind) = source.failed.take() {
            return Err(unwind);
        }
        if !done.ok {
            return Err(syntax_error(ctx, &mut parser, path));
        }
        // SAFETY: a successful parse has filled the event in.
        if deliver(ctx, recv, handler, unsafe { event.0.assume_init_ref() })? {
            return Ok(recv);
        }
        ctx.check_interrupts()?;
    }
}

fn io_encoding(ctx: &mut Ctx, io: Value) -> Result<unsafe_libyaml::yaml_encoding_t> {
    let name = ctx.intern("external_encoding");
    let encoding = match ctx.check_call(io, name, &[])? {
        Some(encoding) if !encoding.is_nil() => ctx.to_s(encoding)?.to_lossy(ctx).into_owned(),
        _ => String::new(),
    };
    Ok(match encoding.as_str() {
        "UTF-8" | "US-ASCII" => unsafe_libyaml::YAML_UTF8_ENCODING,
        "UTF-16LE" => unsafe_libyaml::YAML_UTF16LE_ENCODING,
        "UTF-16BE" => unsafe_libyaml::YAML_UTF16BE_ENCODING,
        _ => unsafe_libyaml::YAML_ANY_ENCODING,
    })
}

/// Psych::SyntaxError for what the parser complains about.
fn syntax_error(ctx: &mut Ctx, parser: &mut Parser, path: Value) -> Unwind {
    // SAFETY: the parser is initialised; its texts are constants of libyaml.
    let (line, column, offset, problem, context) = unsafe {
        let p = &*parser.ptr();
        let text = |at: *const std::ffi::c_char| {
            if at.is_null() { None } else { Some(std::ffi::CStr::from_ptr(at).to_string_lossy().into_owned()) }
        };
        (
            p.context_mark.line + 1,
            p.context_mark.column + 1,
            p.problem_offset,
            text(p.problem.cast()),
            text(p.context.cast()),
        )
    };
    let mut words = [Value::NIL; 2];
    for (word, text) in words.iter_mut().zip([problem, context]) {
        if let Some(text) = text {
            *word = Str::ascii(ctx, &text).value();
        }
    }
    let class = match constant(ctx, "SyntaxError") {
        Ok(class) => class,
        Err(unwind) => return unwind,
    };
    let numbers = [line, column, offset].map(|n| Value::fixnum(n as i64));
    match ctx.call_name(class, "new", &[path, numbers[0], numbers[1], numbers[2], words[0], words[1]]) {
        Ok(exception) => ctx.raise(exception),
        Err(unwind) => unwind,
    }
}

/// A constant of Psych that its Ruby files define.
fn constant(ctx: &mut Ctx, name: &'static str) -> Result {
    let psych = ctx.named_class("Psych")?.value();
    let name = Value::symbol(ctx.intern(name));
    ctx.call_name(psych, "const_get", &[name])
}

/// A C string of an event as a String, nil for none.
///
/// # Safety
/// The pointer is null or leads to a C string.
unsafe fn text(ctx: &mut Ctx, at: *const u8) -> Result {
    if at.is_null() {
        return Ok(Value::NIL);
    }
    // SAFETY: by contract.
    let bytes = unsafe { std::ffi::CStr::from_ptr(at.cast()) }.to_bytes();
    text_string(ctx, bytes)
}

/// Tells the handler about one event; whether it was the last.
fn deliver(ctx: &mut Ctx, recv: Value, handler: Value, event: &unsafe_libyaml::yaml_event_t) -> Result<bool> {
    let (start, end) = (event.start_mark, event.end_mark);
    if let Some(position) = Data::state_of::<Position>(ctx, recv) {
        position.0.set([end.index, end.line, end.column]);
    }
    let location = [start.line, start.column, end.line, end.column].map(|n| Value::fixnum(n as i64));
    ctx.call_name(handler, "event_location", &location)?;
    // SAFETY: the type says which part of the union is filled in; its strings are C strings or null.
    unsafe {
        match event.type_ {
            unsafe_libyaml::YAML_STREAM_START_EVENT => {
                let encoding = event.data.stream_start.encoding as i64;
                ctx.call_name(handler, "start_stream", &[Value::fixnum(encoding)])?;
            }
            unsafe_libyaml::YAML_DOCUMENT_START_EVENT => start_document(ctx, handler, event)?,
            unsafe_libyaml::YAML_DOCUMENT_END_EVENT => {
                let implicit = Value::from_bool(event.data.document_end.implicit);
                ctx.call_name(handler, "end_document", &[implicit])?;
            }
            unsafe_libyaml::YAML_ALIAS_EVENT => {
                let anchor = text(ctx, event.data.alias.anchor)?;
                ctx.call_name(handler, "alias", &[anchor])?;
            }
            unsafe_libyaml::YAML_SCALAR_EVENT => {
                let s = event.data.scalar;
                let value = text_string(ctx, std::slice::from_raw_parts(s.value, s.length as usize))?;
                let anchor = text(ctx, s.anchor)?;
                let tag = text(ctx, s.tag)?;
                let (plain, quoted) = (Value::from_bool(s.plain_implicit), Value::from_bool(s.quoted_implicit));
                ctx.call_name(handler, "scalar", &[value, anchor, tag, plain, quoted, Value::fixnum(s.style as i64)])?;
            }
            unsafe_libyaml::YAML_SEQUENCE_START_EVENT => {
                let s = event.data.sequence_start;
                let anchor = text(ctx, s.anchor)?;
                let tag = text(ctx, s.tag)?;
                ctx.call_name(
                    handler,
                    "start_sequence",
                    &[anchor, tag, Value::from_bool(s.implicit), Value::fixnum(s.style as i64)],
                )?;
            }
            unsafe_libyaml::YAML_MAPPING_START_EVENT => {
                let s = event.data.mapping_start;
                let anchor = text(ctx, s.anchor)?;
                let tag = text(ctx, s.tag)?;
                ctx.call_name(
                    handler,
                    "start_mapping",
                    &[anchor, tag, Value::from_bool(s.implicit), Value::fixnum(s.style as i64)],
                )?;
            }
            unsafe_libyaml::YAML_SEQUENCE_END_EVENT => {
                ctx.call_name(handler, "end_sequence", &[])?;
            }
            unsafe_libyaml::YAML_MAPPING_END_EVENT => {
                ctx.call_name(handler, "end_mapping", &[])?;
            }
            unsafe_libyaml::YAML_STREAM_END_EVENT => {
                ctx.call_name(handler, "end_stream", &[])?;
                return Ok(true);
            }
            _ => {
                ctx.call_name(handler, "empty", &[])?;
            }
        }
    }
    Ok(false)
}

/// `start_document(version, tag_directives, implicit)`
///
/// # Safety
/// The event is a document's start.
unsafe fn start_document(ctx: &mut Ctx, handler: Value, event: &unsafe_libyaml::yaml_event_t) -> Result<()> {
    // SAFETY: by contract; the directives are an array of pairs of C strings.
    unsafe {
        let document = event.data.document_start;
        let version = Array::new(ctx);
        if let Some(directive) = document.version_directive.as_ref() {
            version.push(ctx, Value::fixnum(directive.major as i64));
            version.push(ctx, Value::fixnum(directive.minor as i64));
        }
        let tags = Array::new(ctx);
        let mut at = document.tag_directives.start;
        while !at.is_null() && at != document.tag_directives.end {
            let handle = text(ctx, (*at).handle)?;
            let prefix = text(ctx, (*at).prefix)?;
            let pair = Array::from_slice(ctx, &[handle, prefix]).value();
            tags.push(ctx, pair);
            at = at.add(1);
        }
        ctx.call_name(
            handler,
            "start_document",
            &[version.value(), tags.value(), Value::from_bool(document.implicit)],
        )?;
    }
    Ok(())
}

/// `mark -> Psych::Parser::Mark`
fn mark(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let position = Data::state_of::<Position>(ctx, recv).map_or([0; 3], |p| p.0.get());
    let parser = ctx.real_class(recv).value();
    let name = Value::symbol(ctx.intern("Mark"));
    let class = ctx.call_name(parser, "const_get", &[name])?;
    ctx.call_name(class, "new", &position.map(|n| Value::fixnum(n as i64)))
}
