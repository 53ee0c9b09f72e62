//! Zlib::Deflate and Zlib::Inflate. What they share is `zstream.rs`; whole strings are `whole.rs` and `parallel.rs`.

use super::parallel;
use super::stream::{Kind, Stream, flush};
use super::whole;
use super::zstream::{Target, ZState, checked, int_arg, no_bytes, owner, plain_state};
use rubellite_vm::object::{Data, Hash, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, method};

pub static DEFLATE: ClassDef = ClassDef {
    name: "Zlib::Deflate",
    superclass: "Zlib::ZStream",
    alloc: Some(allocate_deflate),
    singleton_methods: &[method("deflate", Arity::range(1, 2).with_keywords(), deflate_string)],
    methods: &[
        method("initialize", Arity::range(0, 4), deflate_initialize),
        method("initialize_copy", Arity::ONE, initialize_copy),
        method("deflate", Arity::range(1, 2), deflate),
        method("<<", Arity::ONE, deflate_append),
        method("flush", Arity::range(0, 1), deflate_flush),
        method("params", Arity::exact(2), params),
        method("set_dictionary", Arity::ONE, set_dictionary),
    ],
    ..ClassDef::EMPTY
};

pub static INFLATE: ClassDef = ClassDef {
    name: "Zlib::Inflate",
    superclass: "Zlib::ZStream",
    alloc: Some(allocate_inflate),
    singleton_methods: &[method("inflate", Arity::ONE, inflate_string)],
    methods: &[
        method("initialize", Arity::range(0, 1), inflate_initialize),
        method("initialize_copy", Arity::ONE, initialize_copy),
        method("add_dictionary", Arity::ONE, add_dictionary),
        method("inflate", Arity::ONE.with_keywords(), inflate),
        method("<<", Arity::ONE, inflate_append),
        method("sync", Arity::ONE, sync),
        method("sync_point?", Arity::NONE, sync_point_p),
        method("set_dictionary", Arity::ONE, set_dictionary),
    ],
    ..ClassDef::EMPTY
};

pub const DEFAULT_LEVEL: i32 = -1;
pub const MAX_WBITS: i32 = 15;
pub const DEFAULT_MEMORY: i32 = 8;

fn allocate_deflate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, ZState::new(Kind::Deflate)).value())
}

fn allocate_inflate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, ZState::new(Kind::Inflate)).value())
}

fn open(ctx: &mut Ctx, recv: Value, stream: std::result::Result<Stream, super::stream::Failure>) -> Result {
    let stream = checked(ctx, stream)?;
    ctx.note_malloc(stream.memory_size() as isize);
    if let Some(z) = plain_state(ctx, recv) {
        z.open(stream);
    }
    Ok(recv)
}

/// `Zlib::Deflate.new(level = nil, wbits = nil, memlevel = nil, strategy = nil)`
fn deflate_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let level = int_arg(ctx, args.at(0), DEFAULT_LEVEL)?;
    let wbits = int_arg(ctx, args.at(1), MAX_WBITS)?;
    let memory = int_arg(ctx, args.at(2), DEFAULT_MEMORY)?;
    let strategy = int_arg(ctx, args.at(3), 0)?;
    open(ctx, recv, Stream::deflate(level, wbits, memory, strategy))
}

/// `Zlib::Inflate.new(wbits = Zlib::MAX_WBITS)`
fn inflate_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let wbits = int_arg(ctx, args.at(0), MAX_WBITS)?;
    open(ctx, recv, Stream::inflate(wbits))
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if recv == args.at(0) {
        return Ok(recv);
    }
    let from = owner(ctx, args.at(0))?;
    let copy = from.look(ctx, |stream| stream.copy())?;
    let dictionaries = from.z(ctx).map_or(Value::NIL, |z| z.dictionaries.get());
    if plain_state(ctx, recv).map(ZState::kind) != from.z(ctx).map(ZState::kind) {
        return Err(ctx.copy_of_other_class_error());
    }
    let dictionaries = match Hash::try_of(dictionaries) {
        Some(hash) => ctx.call_name(hash.value(), "dup", &[])?,
        None => Value::NIL,
    };
    if let Some(z) = plain_state(ctx, recv) {
        z.dictionaries.set(dictionaries);
        ctx.write_barrier(recv, dictionaries);
    }
    open(ctx, recv, copy)
}

// -- deflate --------------------------------------------------------------------------------

/// `Zlib::Deflate.deflate(string, level = nil, threads: 1) -> string`. With `threads:` the stream is made of blocks
/// that are compressed at the same time; any inflater reads it. A block gets the output in pieces.
pub fn deflate_string(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let threads = parallel::threads_arg(ctx, args)?;
    let positional = args.positional();
    let level = int_arg(ctx, positional.at(1), DEFAULT_LEVEL)?;
    let source = ctx.to_str(positional.at(0))?;
    if args.has_block() {
        let made = Stream::deflate(level, MAX_WBITS, DEFAULT_MEMORY, 0);
        return for_block(ctx, args, made, Kind::Deflate, source, &[flush::FINISH]);
    }
    let bytes = if threads > 1 && source.len() > parallel::BLOCK {
        parallel::zlib(ctx, source, level, threads)?
    } else {
        whole::deflate(ctx, source, level)?
    };
    Ok(Str::from_vec(ctx, bytes, Encoding::BINARY).value())
}

/// A whole string for a block, which gets the output in pieces.
fn for_block(
    ctx: &mut Ctx,
    args: Args,
    made: std::result::Result<Stream, super::stream::Failure>,
    kind: Kind,
    source: Str,
    flushes: &[i32],
) -> Result {
    let class = ctx.named_class("Zlib::ZStream")?.value();
    let object = Data::new(ctx, class, ZState::new(kind)).value();
    open(ctx, object, made)?;
    let (owner, target) = (owner(ctx, object)?, Target::of(args));
    let mut bytes = source.share(ctx);
    for &flush in flushes {
        if !owner.look(ctx, |stream| stream.finished)? {
            owner.run_for_block(ctx, &bytes, flush, &target)?;
        }
        bytes = no_bytes();
    }
    owner.detach(ctx, &target)
}

fn feed_deflate(ctx: &mut Ctx, recv: Value, source: Value, flush: i32, target: &Target) -> Result<()> {
    let owner = owner(ctx, recv)?;
    if source.is_nil() {
        return owner.run_for_block(ctx, &no_bytes(), flush::FINISH, target);
    }
    let source = ctx.to_str(source)?;
    if flush == flush::NONE && source.is_empty() {
        return Ok(());
    }
    let bytes = source.share(ctx);
    owner.run_for_block(ctx, &bytes, flush, target)
}

/// `deflate(string, flush = Zlib::NO_FLUSH) -> string`, `deflate(...) { |piece| } -> nil`
fn deflate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let flush = int_arg(ctx, args.at(1), flush::NONE)?;
    let (owner, target) = (owner(ctx, recv)?, Target::of(args));
    owner.in_turn(ctx, |ctx| {
        feed_deflate(ctx, recv, args.at(0), flush, &target)?;
        owner.detach(ctx, &target)
    })
}

/// `deflate << string -> deflate`
fn deflate_append(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    feed_deflate(ctx, recv, args.at(0), flush::NONE, &Target::of(Args::none()))?;
    Ok(recv)
}

/// `flush(flush = Zlib::SYNC_FLUSH) -> string`
fn deflate_flush(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let flush = int_arg(ctx, args.at(0), flush::SYNC)?;
    let (owner, target) = (owner(ctx, recv)?, Target::of(args));
    if flush != flush::NONE {
        owner.run_for_block(ctx, &no_bytes(), flush, &target)?;
    }
    owner.detach(ctx, &target)
}

/// `params(level, strategy) -> nil`
fn params(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let owner = owner(ctx, recv)?;
    let level = int_arg(ctx, args.at(0), DEFAULT_LEVEL)?;
    let strategy = int_arg(ctx, args.at(1), 0)?;
    let outcome = owner.look(ctx, |stream| stream.params(level, strategy))?;
    checked(ctx, outcome)?;
    Ok(Value::NIL)
}

/// `set_dictionary(string) -> string`
fn set_dictionary(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let owner = owner(ctx, recv)?;
    let dictionary = ctx.to_str(args.at(0))?.share(ctx);
    let outcome = owner.look(ctx, |stream| stream.set_dictionary(&dictionary))?;
    checked(ctx, outcome)?;
    Ok(args.at(0))
}

// -- inflate --------------------------------------------------------------------------------

/// `Zlib::Inflate.inflate(string) -> string`
pub fn inflate_string(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let source = ctx.to_str(args.at(0))?;
    if args.has_block() {
        // Finishing tells a stream that is cut short.
        return for_block(ctx, args, Stream::inflate(MAX_WBITS), Kind::Inflate, source, &[flush::SYNC, flush::FINISH]);
    }
    let bytes = whole::inflate(ctx, source)?;
    Ok(Str::from_vec(ctx, bytes, Encoding::BINARY).value())
}

fn feed_inflate(ctx: &mut Ctx, recv: Value, source: Value, target: &Target) -> Result<()> {
    let owner = owner(ctx, recv)?;
    if source.is_nil() {
        owner.run_for_block(ctx, &no_bytes(), flush::FINISH, target)?;
    } else {
        let source = ctx.to_str(source)?;
        if source.is_empty() && owner.look(ctx, |stream| stream.waiting_input() == 0)? {
            return Ok(());
        }
        let bytes = source.share(ctx);
        owner.run_for_block(ctx, &bytes, flush::SYNC, target)?;
    }
    Ok(())
}

/// What follows the stream's end passes through.
fn pass_through(ctx: &mut Ctx, recv: Value) -> Result<()> {
    owner(ctx, recv)?.look(ctx, |stream| {
        if stream.finished {
            let rest = stream.take_input();
            stream.append_output(&rest);
        }
    })
}

/// `inflate(string, buffer: nil) -> string`, `inflate(...) { |piece| } -> nil`
fn inflate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let buffer = match args.keyword(ctx, "buffer").filter(|v| !v.is_nil()) {
        Some(buffer) => {
            let buffer = ctx.to_str(buffer)?;
            ctx.check_frozen(buffer.value())?;
            Some(buffer)
        }
        None => None,
    };
    let (owner, target) = (owner(ctx, recv)?, Target { buffer, ..Target::of(args) });
    let source = args.positional().at(0);
    owner.in_turn(ctx, |ctx| {
        if !owner.look(ctx, |stream| stream.finished)? {
            feed_inflate(ctx, recv, source, &target)?;
            let output = owner.detach(ctx, &target)?;
            pass_through(ctx, recv)?;
            return Ok(output);
        }
        if source.is_nil() {
            return owner.detach(ctx, &target);
        }
        let more = ctx.to_str(source)?.share(ctx);
        owner.look(ctx, |stream| stream.append_output(&more))?;
        match target.buffer {
            Some(buffer) => {
                buffer.clear(ctx);
                Ok(buffer.value())
            }
            None => Ok(Str::binary(ctx, b"").value()),
        }
    })
}

/// `inflate << string -> inflate`
fn inflate_append(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let owner = owner(ctx, recv)?;
    let source = args.at(0);
    if owner.look(ctx, |stream| stream.finished)? {
        if !source.is_nil() {
            let more = ctx.to_str(source)?.share(ctx);
            owner.look(ctx, |stream| stream.append_output(&more))?;
        }
    } else {
        feed_inflate(ctx, recv, source, &Target::of(Args::none()))?;
        pass_through(ctx, recv)?;
    }
    Ok(recv)
}

/// `add_dictionary(string) -> inflate`: used when a stream asks for it.
fn add_dictionary(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let dictionary = ctx.to_str(args.at(0))?;
    let checksum = super::checksum::adler32(1, dictionary.bytes(ctx));
    let known = plain_state(ctx, recv).map_or(Value::NIL, |z| z.dictionaries.get());
    let known = match Hash::try_of(known) {
        Some(hash) => hash,
        None => {
            let hash = Hash::new(ctx);
            if let Some(z) = plain_state(ctx, recv) {
                z.dictionaries.set(hash.value());
            }
            ctx.write_barrier(recv, hash.value());
            hash
        }
    };
    ctx.call_name(known.value(), "[]=", &[Value::fixnum(checksum as i64), dictionary.value()])?;
    Ok(recv)
}

/// `sync(string) -> true or false`: skips to a point from which inflating can go on.
fn sync(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let owner = owner(ctx, recv)?;
    let source = ctx.to_str(args.at(0))?.share(ctx);
    let outcome = owner.look(ctx, |stream| stream.sync(&source))?;
    Ok(Value::from_bool(checked(ctx, outcome)?))
}

fn sync_point_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let outcome = owner(ctx, recv)?.look(ctx, Stream::sync_point)?;
    Ok(Value::from_bool(checked(ctx, outcome)?))
}
