//! Zlib::GzipReader: the header, reading by bytes and characters, putting back, the footer's checks. Lines are
//! `lines.rs`.
//!
//! Compressed bytes wait in the stream's `input`, contents in its output. Whoever takes contents adds them to the
//! checksum, except for those that were put back.

use super::super::checksum;
use super::super::deflate::{DEFAULT_LEVEL, MAX_WBITS};
use super::super::stream::{Kind, Stream, flush};
use super::super::zstream::{checked, no_bytes, u64_value};
use super::{Gz, GzState, gzip_error, header, lines, swallow};
use rubellite_core_io::io::mode;
use rubellite_vm::object::{Data, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Unwind, Value, method, primitive};

/// A method that runs while no other thread reads: what it finds waiting is there when it takes it.
macro_rules! in_turn {
    ($method:ident) => {
        |ctx, recv, args| Gz::in_turn(ctx, recv, |ctx, gz| $method(ctx, gz, args))
    };
}

pub static GZIP_READER: ClassDef = ClassDef {
    name: "Zlib::GzipReader",
    superclass: "Zlib::GzipFile",
    includes: &["Enumerable"],
    alloc: Some(|ctx, class| super::allocate(ctx, class, Kind::Inflate)),
    methods: &[
        method("initialize", Arity::ONE.with_keywords(), initialize),
        method("rewind", Arity::NONE, in_turn!(rewind)),
        method("unused", Arity::NONE, unused),
        method("read", Arity::range(0, 2), in_turn!(read)),
        method("readpartial", Arity::range(1, 2), in_turn!(readpartial)),
        method("getc", Arity::NONE, in_turn!(getc)),
        method("getbyte", Arity::NONE, in_turn!(getbyte)),
        method("ungetc", Arity::ONE, in_turn!(ungetc)),
        method("ungetbyte", Arity::ONE, in_turn!(ungetbyte)),
        method("gets", Arity::range(0, 2), lines::gets),
        method("lineno", Arity::NONE, lineno),
        method("lineno=", Arity::ONE, set_lineno),
        method("eof", Arity::NONE, eof_in_turn),
        method("eof?", Arity::NONE, eof_in_turn),
        method("pos", Arity::NONE, pos),
        method("tell", Arity::NONE, pos),
        method("external_encoding", Arity::NONE, external_encoding),
    ],
    primitives: &[primitive("gzip_reader_gets", Arity::range(0, 2), lines::gets_quietly)],
    ..ClassDef::EMPTY
};

/// How many compressed bytes are read at a time.
const READ_SIZE: i64 = 16 << 10;
const UNEXPECTED_END: &str = "unexpected end of file";

/// `Zlib::GzipReader.new(io, **encodings)`: reads the header.
fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let made = Stream::inflate(-MAX_WBITS);
    let stream = checked(ctx, made)?;
    let gz = Gz(recv);
    let io = args.at(0);
    gz.state(ctx).z.open(stream);
    gz.keep(ctx, |s| &s.io, io);
    read_header(ctx, gz)?;
    gz.set_encodings(ctx, args)?;
    gz.set_path(ctx)?;
    Ok(recv)
}

// -- compressed bytes -----------------------------------------------------------------------

/// The next piece of the file: by `readpartial`, or by `read` when the object has no such method. None at its end.
fn read_raw(ctx: &mut Ctx, gz: Gz) -> Result<Option<Str>> {
    let (io, size) = (gz.io(ctx), Value::fixnum(READ_SIZE));
    let piece = match ctx.call_name(io, "readpartial", &[size]) {
        Ok(piece) => piece,
        Err(unwind) => {
            let missing = ctx.error_class("NoMethodError").value();
            match ctx.pending_exception() {
                Some(exception) if ctx.is_a(exception, missing) => {
                    ctx.take_exception();
                    let piece = ctx.call_name(io, "read", &[size])?;
                    if piece.is_nil() {
                        return Ok(None);
                    }
                    piece
                }
                _ => {
                    swallow(ctx, unwind, "EOFError")?;
                    return Ok(None);
                }
            }
        }
    };
    match Str::try_of(piece) {
        Some(piece) => Ok(Some(piece)),
        None => {
            let what = ctx.describe(piece);
            Err(ctx.type_error(&format!("wrong argument type {what} (expected String)")))
        }
    }
}

/// Sees to it that `len` compressed bytes wait. False at the end of the file.
fn ensure(ctx: &mut Ctx, gz: Gz, len: usize) -> Result<bool> {
    while gz.stream().look(ctx, |s| s.input.len())? < len {
        let Some(piece) = read_raw(ctx, gz)? else { return Ok(false) };
        let piece = piece.share(ctx);
        gz.stream().look(ctx, |s| s.input.extend_from_slice(&piece))?;
    }
    Ok(true)
}

fn ensure_or_fail(ctx: &mut Ctx, gz: Gz, len: usize) -> Result<()> {
    if ensure(ctx, gz, len)? { Ok(()) } else { Err(gzip_error(ctx, UNEXPECTED_END)) }
}

/// Takes compressed bytes that wait.
fn take_input(ctx: &mut Ctx, gz: Gz, len: usize) -> Result<Vec<u8>> {
    gz.stream().look(ctx, |s| s.input.drain(..len).collect())
}

/// An error that carries the compressed bytes as `input`.
fn error_with_input(ctx: &mut Ctx, gz: Gz, class: &'static str, message: &str) -> Unwind {
    let Ok(waiting) = gz.stream().look(ctx, |s| s.input.clone()) else { return Unwind };
    let class = match ctx.named_class(class) {
        Ok(class) => class,
        Err(unwind) => return unwind,
    };
    let exception = ctx.new_error(class, message);
    if !waiting.is_empty() {
        let input = Str::from_vec(ctx, waiting, Encoding::BINARY).value();
        let name = ctx.intern("@input");
        ctx.ivar_set(exception, name, input);
    }
    ctx.raise(exception)
}

// -- header and footer ----------------------------------------------------------------------

fn read_header(ctx: &mut Ctx, gz: Gz) -> Result<()> {
    if !ensure(ctx, gz, header::SIZE)? || gz.stream().look(ctx, |s| s.input[..2] != header::MAGIC)? {
        return Err(error_with_input(ctx, gz, "Zlib::GzipFile::Error", "not in gzip format"));
    }
    let head = gz.stream().look(ctx, |s| s.input[..header::SIZE].to_vec())?;
    if let Err(message) = check_header(&head) {
        return Err(gzip_error(ctx, &message));
    }
    take_input(ctx, gz, header::SIZE)?;
    let state = gz.state(ctx);
    state.level.set(match head[8] {
        extra if extra & header::FASTEST != 0 => 1,
        extra if extra & header::SLOWEST != 0 => 9,
        _ => DEFAULT_LEVEL,
    });
    state.mtime.set(u32::from_le_bytes([head[4], head[5], head[6], head[7]]));
    state.os_code.set(head[9]);
    if head[3] & header::EXTRA != 0 {
        ensure_or_fail(ctx, gz, 2)?;
        let len = gz.stream().look(ctx, |s| u16::from_le_bytes([s.input[0], s.input[1]]))? as usize;
        ensure_or_fail(ctx, gz, 2 + len)?;
        take_input(ctx, gz, 2 + len)?;
    }
    if head[3] & header::NAME != 0 {
        let name = read_text(ctx, gz)?;
        gz.keep(ctx, |s| &s.orig_name, name);
    }
    if head[3] & header::COMMENT != 0 {
        let comment = read_text(ctx, gz)?;
        gz.keep(ctx, |s| &s.comment, comment);
    }
    if gz.stream().look(ctx, |s| !s.input.is_empty())? {
        run(ctx, gz, None)?;
    }
    Ok(())
}

/// What is wrong with a header's fixed part.
pub(super) fn check_header(head: &[u8]) -> std::result::Result<(), String> {
    let flags = head[3];
    if head[2] != header::DEFLATE {
        Err(format!("unsupported compression method {}", head[2]))
    } else if flags & header::MULTI_PART != 0 {
        Err("multi-part gzip file is not supported".into())
    } else if flags & header::ENCRYPTED != 0 {
        Err("encrypted gzip file is not supported".into())
    } else if flags & header::UNKNOWN != 0 {
        Err(format!("unknown flags 0x{flags:02x}"))
    } else {
        Ok(())
    }
}

/// A text that ends with a zero byte.
fn read_text(ctx: &mut Ctx, gz: Gz) -> Result {
    let mut searched = 0;
    loop {
        ensure_or_fail(ctx, gz, searched + 1)?;
        let (found, len) =
            gz.stream().look(ctx, |s| (s.input[searched..].iter().position(|b| *b == 0), s.input.len()))?;
        if let Some(at) = found {
            let mut text = take_input(ctx, gz, searched + at + 1)?;
            text.pop();
            return Ok(Str::from_vec(ctx, text, Encoding::BINARY).value());
        }
        searched = len;
    }
}

/// Checks the contents against the footer, once they are used up.
fn check_footer(ctx: &mut Ctx, gz: Gz) -> Result<()> {
    gz.state(ctx).footer_done.set(true);
    if !ensure(ctx, gz, header::FOOTER_SIZE)? {
        return Err(error_with_input(ctx, gz, "Zlib::GzipFile::NoFooter", "footer is not found"));
    }
    let footer = take_input(ctx, gz, header::FOOTER_SIZE)?;
    let total = gz.stream().look(ctx, |s| s.total_out())?;
    let state = gz.state(ctx);
    state.extra_in.set(header::FOOTER_SIZE as u64);
    let crc = state.crc.get();
    compare_footer(ctx, &footer, crc, total)
}

pub(super) fn compare_footer(ctx: &mut Ctx, footer: &[u8], crc: u32, total: u64) -> Result<()> {
    if footer[..4] != crc.to_le_bytes() {
        return Err(ctx.raise_error("Zlib::GzipFile::CRCError", "invalid compressed data -- crc error"));
    }
    if footer[4..8] != (total as u32).to_le_bytes() {
        return Err(ctx.raise_error("Zlib::GzipFile::LengthError", "invalid compressed data -- length error"));
    }
    Ok(())
}

pub(super) fn end(ctx: &mut Ctx, gz: Gz) -> Result<()> {
    if is_finished(ctx, gz)? && !gz.state(ctx).footer_done.get() {
        check_footer(ctx, gz)?;
    }
    Ok(())
}

// -- contents -------------------------------------------------------------------------------

fn run(ctx: &mut Ctx, gz: Gz, piece: Option<Str>) -> Result<()> {
    let bytes = match piece {
        Some(piece) => piece.share(ctx),
        None => no_bytes(),
    };
    gz.stream().run(ctx, &bytes, flush::SYNC, usize::MAX, &mut |_| Ok(()))
}

/// The end of the contents was reached and all of them were taken.
pub(super) fn is_finished(ctx: &mut Ctx, gz: Gz) -> Result<bool> {
    gz.stream().look(ctx, |s| s.finished && s.filled() == 0)
}

pub(super) fn filled(ctx: &mut Ctx, gz: Gz) -> Result<usize> {
    gz.stream().look(ctx, |s| s.filled())
}

/// Whether everything was decompressed, taken or not.
pub(super) fn all_read(ctx: &mut Ctx, gz: Gz) -> Result<bool> {
    gz.stream().look(ctx, |s| s.finished)
}

/// Reads until there is more of the contents, or their end.
pub(super) fn read_more(ctx: &mut Ctx, gz: Gz) -> Result<()> {
    let before = filled(ctx, gz)?;
    while !all_read(ctx, gz)? {
        let Some(piece) = read_raw(ctx, gz)? else { return Err(gzip_error(ctx, UNEXPECTED_END)) };
        if !piece.is_empty() {
            run(ctx, gz, Some(piece))?;
        }
        if filled(ctx, gz)? > before {
            break;
        }
    }
    Ok(())
}

/// Sees to it that `len` bytes of the contents wait, or all that are left: says how many. None at their end.
pub(super) fn fill(ctx: &mut Ctx, gz: Gz, len: usize) -> Result<Option<usize>> {
    while !all_read(ctx, gz)? && filled(ctx, gz)? < len {
        read_more(ctx, gz)?;
    }
    if at_end(ctx, gz)? { Ok(None) } else { Ok(Some(filled(ctx, gz)?.min(len))) }
}

/// `is_finished`, with the footer's checks.
fn at_end(ctx: &mut Ctx, gz: Gz) -> Result<bool> {
    if !is_finished(ctx, gz)? {
        return Ok(false);
    }
    if !gz.state(ctx).footer_done.get() {
        check_footer(ctx, gz)?;
    }
    Ok(true)
}

/// Takes contents that wait.
pub(super) fn take(ctx: &mut Ctx, gz: Gz, len: usize) -> Result<Vec<u8>> {
    let bytes = gz.stream().look(ctx, |s| s.take_front(len))?;
    let state = gz.state(ctx);
    let known = state.put_back.get().min(bytes.len());
    state.put_back.set(state.put_back.get() - known);
    state.crc.set(checksum::crc32(state.crc.get(), &bytes[known..]));
    Ok(bytes)
}

/// A String of contents in the reader's encoding.
pub(super) fn text(ctx: &mut Ctx, gz: Gz, bytes: Vec<u8>) -> Result {
    let state = gz.state(ctx);
    let (encoding, source) = (state.encoding.get(), state.source_encoding.get());
    let Some(source) = source else { return Ok(Str::from_vec(ctx, bytes, encoding).value()) };
    let options = state.convert_options.get();
    let string = Str::from_vec(ctx, bytes, source).value();
    let target = mode::encoding_object(ctx, Some(encoding));
    if options.is_nil() {
        return ctx.call_name(string, "encode", &[target]);
    }
    let encode = ctx.internal("__encode");
    ctx.call(gz.0, encode, &[string, target, options])
}

/// Puts what was read into the buffer of the call, or into a new binary String.
fn place(ctx: &mut Ctx, buffer: Option<Str>, bytes: Vec<u8>) -> Value {
    match buffer {
        Some(buffer) => {
            buffer.set_vec(ctx, bytes);
            buffer.value()
        }
        None => Str::from_vec(ctx, bytes, Encoding::BINARY).value(),
    }
}

fn buffer_arg(ctx: &mut Ctx, value: Value) -> Result<Option<Str>> {
    if value.is_nil() {
        return Ok(None);
    }
    let buffer = ctx.to_str(value)?;
    ctx.check_frozen(buffer.value())?;
    Ok(Some(buffer))
}

fn length_arg(ctx: &mut Ctx, value: Value) -> Result<usize> {
    let len = ctx.to_int(value)?;
    match usize::try_from(len) {
        Ok(len) => Ok(len),
        Err(_) => Err(ctx.argument_error(&format!("negative length {len} given"))),
    }
}

/// `read(length = nil, buffer = nil) -> string or nil`
fn read(ctx: &mut Ctx, gz: Gz, args: Args) -> Result {
    let buffer = buffer_arg(ctx, args.at(1))?;
    if args.at(0).is_nil() {
        return read_all(ctx, gz, buffer);
    }
    let len = length_arg(ctx, args.at(0))?;
    if len == 0 {
        return Ok(place(ctx, buffer, Vec::new()));
    }
    match fill(ctx, gz, len)? {
        Some(len) => {
            let bytes = take(ctx, gz, len)?;
            Ok(place(ctx, buffer, bytes))
        }
        None => {
            place(ctx, buffer, Vec::new());
            Ok(Value::NIL)
        }
    }
}

/// All that is left, in the reader's encoding.
fn read_all(ctx: &mut Ctx, gz: Gz, buffer: Option<Str>) -> Result {
    while !all_read(ctx, gz)? {
        read_more(ctx, gz)?;
    }
    if at_end(ctx, gz)? {
        return Ok(place(ctx, buffer, Vec::new()));
    }
    let bytes = take(ctx, gz, usize::MAX)?;
    if buffer.is_some() {
        return Ok(place(ctx, buffer, bytes));
    }
    text(ctx, gz, bytes)
}

/// All that is left; nil when nothing is.
pub(super) fn rest(ctx: &mut Ctx, gz: Gz) -> Result {
    let all = read_all(ctx, gz, None)?;
    Ok(if ctx.expect::<Str>(all)?.is_empty() { Value::NIL } else { all })
}

/// `readpartial(length, buffer = nil) -> string`
fn readpartial(ctx: &mut Ctx, gz: Gz, args: Args) -> Result {
    let len = length_arg(ctx, args.at(0))?;
    let buffer = buffer_arg(ctx, args.at(1))?;
    if len == 0 {
        return Ok(place(ctx, buffer, Vec::new()));
    }
    while !all_read(ctx, gz)? && filled(ctx, gz)? == 0 {
        read_more(ctx, gz)?;
    }
    if at_end(ctx, gz)? {
        place(ctx, buffer, Vec::new());
        return Err(ctx.raise_error("EOFError", "end of file reached"));
    }
    let bytes = take(ctx, gz, len)?;
    Ok(place(ctx, buffer, bytes))
}

/// The longest character of any encoding.
const CHAR_MAX: usize = 8;

/// `getc -> string or nil`
fn getc(ctx: &mut Ctx, gz: Gz, _args: Args) -> Result {
    if fill(ctx, gz, CHAR_MAX)?.is_none() {
        return Ok(Value::NIL);
    }
    let state = gz.state(ctx);
    let encoding = state.source_encoding.get().unwrap_or(state.encoding.get());
    let len = gz.stream().look(ctx, |s| encoding.step_len(s.waiting_output()))?;
    let bytes = take(ctx, gz, len.max(1))?;
    text(ctx, gz, bytes)
}

/// `getbyte -> integer or nil`
fn getbyte(ctx: &mut Ctx, gz: Gz, _args: Args) -> Result {
    if fill(ctx, gz, 1)?.is_none() {
        return Ok(Value::NIL);
    }
    Ok(Value::fixnum(take(ctx, gz, 1)?[0] as i64))
}

fn put_back(ctx: &mut Ctx, gz: Gz, bytes: &[u8]) -> Result<()> {
    gz.stream().look(ctx, |s| s.unread(bytes))?;
    let state = gz.state(ctx);
    state.put_back.set(state.put_back.get() + bytes.len());
    Ok(())
}

/// `ungetc(string_or_byte) -> nil`
fn ungetc(ctx: &mut Ctx, gz: Gz, args: Args) -> Result {
    if args.at(0).is_fixnum() {
        return ungetbyte(ctx, gz, args);
    }
    let mut string = ctx.to_str(args.at(0))?;
    if let Some(source) = gz.state(ctx).source_encoding.get().filter(|e| *e != Encoding::BINARY) {
        let target = mode::encoding_object(ctx, Some(source));
        let converted = ctx.call_name(string.value(), "encode", &[target])?;
        string = ctx.to_str(converted)?;
    }
    let bytes = string.share(ctx);
    put_back(ctx, gz, &bytes)?;
    Ok(Value::NIL)
}

/// `ungetbyte(byte) -> nil`
fn ungetbyte(ctx: &mut Ctx, gz: Gz, args: Args) -> Result {
    let byte = match Str::try_of(args.at(0)).map(|s| s.byte(0)) {
        Some(Some(byte)) => byte,
        _ => ctx.to_int(args.at(0))? as u8,
    };
    put_back(ctx, gz, &[byte])?;
    Ok(Value::NIL)
}

// -- positions ------------------------------------------------------------------------------

/// `rewind -> 0`: goes back to where the compressed contents begin.
fn rewind(ctx: &mut Ctx, gz: Gz, _args: Args) -> Result {
    let read = gz.stream().look(ctx, |s| s.total_in() + s.waiting_input() as u64)? + gz.state(ctx).extra_in.get();
    let io = gz.io(ctx);
    ctx.call_name(io, "seek", &[Value::fixnum(-(read as i64)), Value::fixnum(libc::SEEK_CUR as i64)])?;
    let outcome = gz.stream().look(ctx, Stream::reset)?;
    checked(ctx, outcome)?;
    let state = gz.state(ctx);
    state.crc.set(0);
    state.lineno.set(0);
    state.put_back.set(0);
    state.extra_in.set(0);
    state.footer_done.set(false);
    Ok(Value::fixnum(0))
}

/// `unused -> string or nil`: what was read behind the end of the gzip file.
fn unused(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if !Data::state_of::<GzState>(ctx, recv).is_some_and(|s| s.z.is_ready()) {
        return Ok(Value::NIL);
    }
    Gz::in_turn(ctx, recv, |ctx, gz| {
        if !at_end(ctx, gz)? {
            return Ok(Value::NIL);
        }
        let waiting = gz.stream().look(ctx, |s| s.input.clone())?;
        if waiting.is_empty() {
            return Ok(Value::NIL);
        }
        Ok(Str::from_vec(ctx, waiting, Encoding::BINARY).value())
    })
}

fn eof_in_turn(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Gz::in_turn(ctx, recv, |ctx, gz| eof_p(ctx, gz, args))
}

fn eof_p(ctx: &mut Ctx, gz: Gz, _args: Args) -> Result {
    while !all_read(ctx, gz)? && filled(ctx, gz)? == 0 {
        read_more(ctx, gz)?;
    }
    Ok(Value::from_bool(is_finished(ctx, gz)?))
}

/// `pos -> integer`: bytes of the contents that were taken.
fn pos(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let gz = Gz::open(ctx, recv)?;
    let (total, waiting) = gz.stream().look(ctx, |s| (s.total_out(), s.filled() as u64))?;
    if waiting > total {
        return Ok(Value::fixnum(-((waiting - total) as i64)));
    }
    Ok(u64_value(ctx, total - waiting))
}

fn lineno(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(Gz::open(ctx, recv)?.state(ctx).lineno.get()))
}

fn set_lineno(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let gz = Gz::open(ctx, recv)?;
    let lineno = ctx.to_int(args.at(0))?;
    gz.state(ctx).lineno.set(lineno);
    Ok(args.at(0))
}

fn external_encoding(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let encoding = Gz::open(ctx, recv)?.state(ctx).encoding.get();
    Ok(mode::encoding_object(ctx, Some(encoding)))
}
