//! `stringio`: an IO over a String. State and its checks are `state.rs`, reading `read.rs` and `lines.rs`, writing
//! `write.rs`; what yields per element is `stringio.rb`.

mod lines;
mod read;
mod state;
mod write;

use rubellite_core_io::io::mode;
use rubellite_core_io::io::read::eof_error;
use rubellite_core_object::errno;
use rubellite_vm::object::{Data, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Encoding, Result, Value, method, primitive, private_method};
use state::{Stream, StringIo, bits};
use std::cell::Cell;
use std::rc::Rc;

static GENERIC_READABLE: ClassDef = ClassDef {
    name: "IO::generic_readable",
    superclass: "",
    methods: &[
        method("readchar", Arity::NONE, readchar),
        method("readbyte", Arity::NONE, readbyte),
        method("readline", Arity::ANY.with_keywords(), readline),
        method("sysread", Arity::ANY.with_keywords(), sysread),
        method("readpartial", Arity::ANY.with_keywords(), sysread),
        method("read_nonblock", Arity::range(1, 2).with_keywords(), read::read_nonblock),
    ],
    ..ClassDef::EMPTY
};

static GENERIC_WRITABLE: ClassDef = ClassDef {
    name: "IO::generic_writable",
    superclass: "",
    methods: &[
        method("<<", Arity::exact(1), write::op_shl),
        method("print", Arity::ANY, rubellite_core_io::io::write::io_print),
        method("printf", Arity::ANY, rubellite_core_io::io::write::io_printf),
        method("puts", Arity::ANY, rubellite_core_io::io::write::io_puts),
        method("syswrite", Arity::exact(1), write::syswrite),
        method("write_nonblock", Arity::exact(1).with_keywords(), write::syswrite),
    ],
    ..ClassDef::EMPTY
};

static STRING_IO: ClassDef = ClassDef {
    name: "StringIO",
    superclass: "Object",
    includes: &["Enumerable", "IO::generic_readable", "IO::generic_writable"],
    alloc: Some(state::allocate),
    singleton_methods: &[
        method("new", Arity::ANY.with_keywords(), new),
        method("open", Arity::ANY.with_keywords(), open),
    ],
    methods: &[
        private_method("initialize", Arity::range(0, 2).with_keywords(), initialize),
        private_method("initialize_copy", Arity::exact(1), initialize_copy),
        method("reopen", Arity::range(0, 2).with_keywords(), reopen),
        method("string", Arity::NONE, string),
        method("string=", Arity::exact(1), set_string),
        method("lineno", Arity::NONE, lineno),
        method("lineno=", Arity::exact(1), set_lineno),
        method("binmode", Arity::NONE, binmode),
        method("close", Arity::NONE, close),
        method("close_read", Arity::NONE, close_read),
        method("close_write", Arity::NONE, close_write),
        method("closed?", Arity::NONE, closed_p),
        method("closed_read?", Arity::NONE, closed_read_p),
        method("closed_write?", Arity::NONE, closed_write_p),
        method("eof", Arity::NONE, eof_p),
        method("eof?", Arity::NONE, eof_p),
        method("fcntl", Arity::ANY, fcntl),
        method("flush", Arity::NONE, itself),
        method("fsync", Arity::NONE, zero),
        method("pos", Arity::NONE, pos),
        method("tell", Arity::NONE, pos),
        method("pos=", Arity::exact(1), set_pos),
        method("rewind", Arity::NONE, rewind),
        method("seek", Arity::range(1, 2), seek),
        method("sync", Arity::NONE, sync),
        method("sync=", Arity::exact(1), set_sync),
        method("isatty", Arity::NONE, no),
        method("tty?", Arity::NONE, no),
        method("pid", Arity::NONE, nothing),
        method("fileno", Arity::NONE, nothing),
        method("size", Arity::NONE, size),
        method("length", Arity::NONE, size),
        method("truncate", Arity::exact(1), write::truncate),
        method("external_encoding", Arity::NONE, external_encoding),
        method("internal_encoding", Arity::NONE, nothing),
        method("set_encoding", Arity::range(1, 2).with_keywords(), set_encoding),
        method("set_encoding_by_bom", Arity::NONE, set_encoding_by_bom),
        method("getc", Arity::NONE, read::getc),
        method("getbyte", Arity::NONE, read::getbyte),
        method("ungetc", Arity::exact(1), read::ungetc),
        method("ungetbyte", Arity::exact(1), read::ungetbyte),
        method("read", Arity::range(0, 2), read::read),
        method("pread", Arity::range(2, 3), read::pread),
        method("gets", Arity::range(0, 2).with_keywords(), lines::gets),
        method("readlines", Arity::range(0, 2).with_keywords(), lines::readlines),
        method("write", Arity::ANY, write::write),
        method("putc", Arity::exact(1), write::putc),
        // For the Ruby part.
    ],
    setup: Some(setup),
    primitives: &[
        primitive("stringio_line_args", Arity::range(0, 2).with_keywords(), lines::line_args_array),
        primitive("stringio_getline", Arity::exact(3), lines::getline_step),
        primitive("stringio_getc", Arity::NONE, read::getc),
        primitive("stringio_getbyte", Arity::NONE, read::getbyte),
        primitive("stringio_codepoint", Arity::NONE, read::codepoint),
        primitive("stringio_check_readable", Arity::NONE, check_readable),
    ],
    ..ClassDef::EMPTY
};

pub fn register(ctx: &mut Ctx) {
    rubellite_core_load::register(ctx, "stringio", load);
}

fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&GENERIC_READABLE)?;
    ctx.install(&GENERIC_WRITABLE)?;
    ctx.install(&STRING_IO)?;
    ctx.run_internal(include_str!("stringio.rb"), "stringio")?;
    Ok(())
}

fn setup(ctx: &mut Ctx, class: Class) -> Result<()> {
    let version = Str::ascii(ctx, "3.2.0").value();
    class.set_const(ctx, "VERSION", version);
    let longest = ctx.int(i64::MAX);
    class.set_const(ctx, "MAX_LENGTH", longest);
    Ok(())
}

// -- making -------------------------------------------------------------------------------

/// `StringIO.new(string = "", mode = "r+", **options)`
fn new(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if args.has_block() {
        let name = ctx.to_s(recv)?.to_lossy(ctx).into_owned();
        ctx.warn(&format!("{name}::new() does not take block; use {name}::open() instead"))?;
    }
    make(ctx, recv, args)
}

fn make(ctx: &mut Ctx, class: Value, args: Args) -> Result {
    let object = match ctx.expect::<Class>(class)?.alloc_fn(ctx) {
        Some(alloc) => alloc(ctx, class)?,
        None => state::allocate(ctx, class)?,
    };
    let name = ctx.names().initialize;
    ctx.call_args(object, name, args.with_block(Value::NIL))?;
    Ok(object)
}

/// `StringIO.open(...) { |io| } -> what the block answers`; the stream loses its string afterwards.
fn open(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let object = make(ctx, recv, args)?;
    if !args.has_block() {
        return Ok(object);
    }
    ctx.ensure(
        |ctx| ctx.yield_one(args.block, object),
        |ctx| {
            if let Some(stream) = Stream::try_of(ctx, object) {
                stream.set_string(ctx, Value::NIL);
                stream.shared.flags.set(stream.shared.flags.get() & !bits::READ_WRITE);
            }
            Ok(())
        },
    )
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    StringIo::install(ctx, recv);
    init(ctx, recv, args)
}

fn init(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let positional = args.positional();
    let mode_keyword = args.keyword(ctx, "mode").filter(|v| !v.is_nil());
    let mode = mode::parse(ctx, positional.at(1), Value::NIL, args.keywords())?;
    let mode_given = positional.non_nil(1).is_some() || mode_keyword.is_some();
    let string = match positional.get(0) {
        Some(Value::NIL) => Value::NIL,
        Some(given) => ctx.to_str(given)?.value(),
        None => {
            let encoding = rubellite_core_text::default_external(ctx);
            Str::new(ctx, b"", encoding).value()
        }
    };
    let mut flags = 0;
    if mode.readable() {
        flags |= bits::READ;
    }
    if mode.writable() {
        flags |= bits::WRITE;
    }
    if mode.flags & libc::O_APPEND != 0 {
        flags |= bits::APPEND;
    }
    let frozen = string.header().is_some_and(|h| h.frozen());
    if !string.is_nil() && frozen {
        if flags & bits::WRITE != 0 {
            return Err(errno::fail(ctx, libc::EACCES, ""));
        }
    } else if !mode_given {
        flags |= bits::WRITE;
    }
    if let Some(text) = Str::try_of(string).filter(|_| mode.flags & libc::O_TRUNC != 0) {
        ctx.check_frozen(string)?;
        text.truncate(ctx, 0);
    }
    let stream = Stream::of(ctx, recv)?;
    stream.set_string(ctx, string);
    let shared = &stream.shared;
    let named = mode.internal.or(mode.external).or(mode.binary.then_some(Encoding::BINARY));
    shared.encoding.set(match Str::try_of(string) {
        Some(text) if positional.len() == 1 => Some(text.encoding()),
        _ => named,
    });
    shared.pos.set(0);
    shared.lineno.set(0);
    shared.flags.set(flags);
    stream.own.set(flags & bits::READ_WRITE);
    if mode.bom {
        apply_bom(ctx, &stream);
    }
    Ok(recv)
}

/// `dup`: both streams share string, position and line number.
fn initialize_copy(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    copy_from(ctx, data, args.at(0))
}

fn copy_from(ctx: &mut Ctx, data: Data, other: Value) -> Result {
    let original = if other.has_tag(rubellite_vm::Tag::Data) {
        other
    } else {
        let name = ctx.intern("to_strio");
        match ctx.check_call(other, name, &[])? {
            Some(stream) if stream.has_tag(rubellite_vm::Tag::Data) => stream,
            Some(got) => return Err(ctx.bad_conversion(other, got, "StringIO", "to_strio")),
            None => {
                let from = ctx.describe_for_conversion(other);
                return Err(ctx.type_error(&format!("can't convert {from} into StringIO")));
            }
        }
    };
    if original == data.value() {
        return Ok(data.value());
    }
    let class = ctx.named_class("StringIO")?.value();
    if !ctx.is_a(original, class) {
        let name = ctx.real_class(original).inspect(ctx);
        return Err(ctx.type_error(&format!("wrong argument type {name} (expected strio)")));
    }
    let stream = Stream::of(ctx, original)?;
    ctx.check_frozen(data.value())?;
    let own = Rc::new(Cell::new(stream.own.get()));
    data.install(ctx, StringIo { stream: Stream { own, ..stream } });
    Ok(data.value())
}

/// `reopen(other)`, `reopen(string, mode)`
fn reopen(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    ctx.check_frozen(data.value())?;
    if let [only] = args.slice()
        && !only.has_tag(rubellite_vm::Tag::String)
    {
        return copy_from(ctx, data, *only);
    }
    Stream::of(ctx, data.value())?;
    init(ctx, data.value(), args)
}

// -- string and state ---------------------------------------------------------------------

fn string(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Stream::of(ctx, recv)?.value())
}

fn set_string(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::changeable(ctx, recv)?;
    let string = ctx.to_str(args.at(0))?.value();
    let frozen = string.header().is_some_and(|h| h.frozen());
    stream.shared.flags.set(if frozen { bits::READ } else { bits::READ_WRITE });
    stream.shared.pos.set(0);
    stream.shared.lineno.set(0);
    stream.set_string(ctx, string);
    Ok(string)
}

fn lineno(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let n = Stream::of(ctx, recv)?.shared.lineno.get();
    Ok(ctx.int(n))
}

fn set_lineno(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::changeable(ctx, recv)?;
    let n = ctx.to_int(args.at(0))?;
    stream.shared.lineno.set(n);
    Ok(args.at(0))
}

fn close(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Stream::changeable(ctx, recv)?.own.set(0);
    Ok(Value::NIL)
}

fn close_read(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    close_side(ctx, recv, bits::READ, "closing non-duplex IO for reading")
}

fn close_write(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    close_side(ctx, recv, bits::WRITE, "closing non-duplex IO for writing")
}

fn close_side(ctx: &mut Ctx, recv: Value, side: u8, refusal: &str) -> Result {
    let stream = Stream::changeable(ctx, recv)?;
    if stream.shared.flags.get() & side == 0 {
        return Err(ctx.raise_error("IOError", refusal));
    }
    stream.own.set(stream.own.get() & !side);
    Ok(Value::NIL)
}

fn closed_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::of(ctx, recv)?;
    Ok(Value::from_bool(stream.is_closed()))
}

fn closed_read_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::of(ctx, recv)?;
    Ok(Value::from_bool(!stream.allows(bits::READ)))
}

fn closed_write_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::of(ctx, recv)?;
    Ok(Value::from_bool(!stream.allows(bits::WRITE)))
}

fn eof_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::readable(ctx, recv)?;
    Ok(Value::from_bool(stream.at_end()))
}

fn check_readable(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Stream::readable(ctx, recv)?;
    Ok(Value::NIL)
}

fn fcntl(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Stream::of(ctx, recv)?;
    Err(ctx.unimplemented_function("fcntl"))
}

fn itself(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Stream::of(ctx, recv)?;
    Ok(recv)
}

fn zero(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Stream::of(ctx, recv)?;
    Ok(Value::fixnum(0))
}

fn no(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Stream::of(ctx, recv)?;
    Ok(Value::FALSE)
}

fn nothing(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Stream::of(ctx, recv)?;
    Ok(Value::NIL)
}

fn sync(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Stream::of(ctx, recv)?;
    Ok(Value::TRUE)
}

fn set_sync(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Stream::of(ctx, recv)?;
    Ok(args.at(0))
}

fn size(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::of(ctx, recv)?;
    Ok(Value::fixnum(stream.string().map_or(0, Str::len) as i64))
}

// -- positions ----------------------------------------------------------------------------

fn pos(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::of(ctx, recv)?;
    Ok(ctx.int(stream.shared.pos.get() as i64))
}

fn set_pos(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::changeable(ctx, recv)?;
    let Ok(at) = usize::try_from(ctx.to_int(args.at(0))?) else {
        return Err(errno::fail(ctx, libc::EINVAL, ""));
    };
    stream.shared.pos.set(at);
    Ok(args.at(0))
}

fn rewind(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::changeable(ctx, recv)?;
    stream.shared.pos.set(0);
    stream.shared.lineno.set(0);
    Ok(Value::fixnum(0))
}

/// `seek(amount, whence = IO::SEEK_SET) -> 0`
fn seek(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::changeable(ctx, recv)?;
    let amount = ctx.to_int(args.at(0))?;
    if stream.is_closed() {
        return Err(ctx.raise_error("IOError", "closed stream"));
    }
    let whence = match args.at(1) {
        Value::NIL => 0,
        given => ctx.to_int(given)?,
    };
    let base = match whence {
        0 => 0,
        1 => stream.shared.pos.get() as i64,
        2 => stream.string().map_or(0, Str::len) as i64,
        _ => return Err(errno::fail(ctx, libc::EINVAL, "invalid whence")),
    };
    match amount.checked_add(base).and_then(|at| usize::try_from(at).ok()) {
        Some(at) => stream.shared.pos.set(at),
        None => return Err(errno::fail(ctx, libc::EINVAL, "")),
    }
    Ok(Value::fixnum(0))
}

// -- encodings ----------------------------------------------------------------------------

fn external_encoding(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::of(ctx, recv)?;
    Ok(mode::encoding_object(ctx, stream.encoding()))
}

fn binmode(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::changeable(ctx, recv)?;
    stream.shared.encoding.set(Some(Encoding::BINARY));
    if let Some(string) = stream.string().filter(|_| stream.allows(bits::WRITE)) {
        ctx.check_frozen(string.value())?;
        string.set_encoding(Encoding::BINARY);
    }
    Ok(recv)
}

/// `set_encoding(external, internal = nil)`: only the external one matters.
fn set_encoding(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let stream = Stream::changeable(ctx, recv)?;
    let given = args.at(0);
    let encoding = match given {
        Value::NIL => rubellite_core_text::default_external(ctx),
        _ => named_encoding(ctx, given)?,
    };
    stream.shared.encoding.set(Some(encoding));
    if let Some(string) = stream.string().filter(|s| stream.allows(bits::WRITE) && s.chilled().is_none()) {
        ctx.check_frozen(string.value())?;
        string.set_encoding(encoding);
    }
    Ok(recv)
}

/// An Encoding, its name, or "external:internal".
fn named_encoding(ctx: &mut Ctx, given: Value) -> Result<Encoding> {
    if let Some(text) = Str::try_of(given) {
        let bytes = text.bytes(ctx).to_vec();
        if bytes.contains(&b':') {
            let mut mode = mode::OpenMode::default();
            mode::parse_encodings(ctx, &bytes, &mut mode)?;
            return Ok(mode.external.unwrap_or_else(|| rubellite_core_text::default_external(ctx)));
        }
    }
    rubellite_core_text::to_encoding(ctx, given)
}

fn set_encoding_by_bom(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let stream = Stream::changeable(ctx, recv)?;
    let found = apply_bom(ctx, &stream);
    Ok(mode::encoding_object(ctx, found))
}

/// Skips a byte order mark and takes the encoding that it means.
fn apply_bom(ctx: &mut Ctx, stream: &Stream) -> Option<Encoding> {
    let found = stream.string().and_then(|string| byte_order_mark(string.bytes(ctx)));
    if let (Some((encoding, len)), Some(string)) = (found, stream.string()) {
        stream.shared.pos.set(len);
        if stream.shared.flags.get() & bits::WRITE != 0 {
            string.set_encoding(encoding);
        }
    }
    let encoding = found.map(|(encoding, _)| encoding);
    stream.shared.encoding.set(encoding);
    encoding
}

fn byte_order_mark(bytes: &[u8]) -> Option<(Encoding, usize)> {
    match bytes {
        [0xEF, 0xBB, 0xBF, ..] => Some((Encoding::UTF_8, 3)),
        [0xFE, 0xFF, ..] => Some((Encoding::UTF_16BE, 2)),
        [0xFF, 0xFE, 0, 0, ..] => Some((Encoding::UTF_32LE, 4)),
        [0xFF, 0xFE, ..] => Some((Encoding::UTF_16LE, 2)),
        [0, 0, 0xFE, 0xFF, ..] => Some((Encoding::UTF_32BE, 4)),
        _ => None,
    }
}

// -- the readers that raise at the end ------------------------------------------------------

fn or_eof(ctx: &mut Ctx, value: Value) -> Result {
    if value.is_nil() { Err(eof_error(ctx)) } else { Ok(value) }
}

fn readchar(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let char = ctx.call_name(recv, "getc", &[])?;
    or_eof(ctx, char)
}

fn readbyte(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let byte = ctx.call_name(recv, "getbyte", &[])?;
    or_eof(ctx, byte)
}

fn readline(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.intern("gets");
    let line = ctx.call_args(recv, name, args)?;
    or_eof(ctx, line)
}

fn sysread(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.intern("read");
    let bytes = ctx.call_args(recv, name, args)?;
    or_eof(ctx, bytes)
}
