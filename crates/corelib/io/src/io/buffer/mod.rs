//! IO::Buffer: making buffers, their flags and size. The bytes lie in `memory`, `access` reads and writes them;
//! iteration is `buffer.rb`.

mod access;
mod memory;

use crate::io::{device, open, state as io_state};
use memory::{Buffer, Mapping, Memory, state, with};
use rubellite_vm::object::{Data, Grow, NativeData, Str, fits};
use rubellite_vm::warning::Category;
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, MethodDef, Result, Value, method};

pub static BUFFER: ClassDef = ClassDef {
    name: "IO::Buffer",
    superclass: "Object",
    includes: &["Comparable"],
    alloc: Some(allocate),
    methods: METHODS,
    singleton_methods: &[
        method("for", Arity::exact(1), for_string),
        method("string", Arity::exact(1), string),
        method("map", Arity::range(1, 4), map),
        method("size_of", Arity::exact(1), size_of),
    ],
    setup: Some(setup),
    ruby: include_str!("buffer.rb"),
    ..ClassDef::EMPTY
};

const METHODS: &[MethodDef] = &[
    method("initialize", Arity::range(0, 2), initialize),
    method("initialize_copy", Arity::exact(1), initialize_copy),
    method("to_s", Arity::NONE, to_s),
    method("inspect", Arity::NONE, inspect),
    method("hexdump", Arity::range(0, 3), hexdump),
    method("size", Arity::NONE, size),
    method("valid?", Arity::NONE, valid_p),
    method("transfer", Arity::NONE, transfer),
    method("null?", Arity::NONE, null_p),
    method("empty?", Arity::NONE, empty_p),
    method("external?", Arity::NONE, external_p),
    method("internal?", Arity::NONE, internal_p),
    method("mapped?", Arity::NONE, mapped_p),
    method("shared?", Arity::NONE, shared_p),
    method("locked?", Arity::NONE, locked_p),
    method("private?", Arity::NONE, private_p),
    method("readonly?", Arity::NONE, readonly_p),
    method("locked", Arity::NONE, locked),
    method("slice", Arity::range(0, 2), slice),
    method("<=>", Arity::exact(1), op_cmp),
    method("resize", Arity::exact(1), resize),
    method("free", Arity::NONE, free),
];

fn setup(ctx: &mut Ctx, class: Class) -> Result<()> {
    ctx.define_primitives(access::PRIMITIVES);
    for def in access::METHODS {
        ctx.define_native(class, def);
    }
    let numbers: [(&str, usize); 13] = [
        ("PAGE_SIZE", memory::PAGE_SIZE),
        ("DEFAULT_SIZE", memory::DEFAULT_SIZE),
        ("EXTERNAL", memory::EXTERNAL as usize),
        ("INTERNAL", memory::INTERNAL as usize),
        ("MAPPED", memory::MAPPED as usize),
        ("SHARED", memory::SHARED as usize),
        ("LOCKED", memory::LOCKED as usize),
        ("PRIVATE", memory::PRIVATE as usize),
        ("READONLY", memory::READONLY as usize),
        ("LITTLE_ENDIAN", 4),
        ("BIG_ENDIAN", 8),
        ("HOST_ENDIAN", 4),
        ("NETWORK_ENDIAN", 8),
    ];
    for (name, value) in numbers {
        class.set_const(ctx, name, Value::fixnum(value as i64));
    }
    Ok(())
}

// -- arguments --------------------------------------------------------------------------------

/// A number that is not negative; `what` names it in the messages.
#[inline]
pub fn positive(ctx: &mut Ctx, value: Value, what: &str) -> Result<usize> {
    match value.as_fixnum() {
        Some(number) if number >= 0 => Ok(number as usize),
        _ => positive_slow(ctx, value, what),
    }
}

fn positive_slow(ctx: &mut Ctx, value: Value, what: &str) -> Result<usize> {
    if !rubellite_vm::object::integer::is_integer(value) {
        return Err(ctx.type_error("not an Integer"));
    }
    let number = match rubellite_vm::object::Int::try_of(value) {
        Some(number) if number.is_negative() => return Err(ctx.argument_error(&format!("{what} can't be negative!"))),
        Some(number) if number.bit_length() <= 64 => number.low_u64(),
        _ => ctx.to_int(value)? as u64,
    };
    Ok(number as usize)
}

/// The flags argument; bits that are nobody's are dropped.
fn flags_of(ctx: &mut Ctx, value: Value) -> Result<u32> {
    Ok(positive(ctx, value, "Flags")? as u32 & memory::GIVEN)
}

/// `(offset = 0, length = rest)`
pub fn offset_length(ctx: &mut Ctx, recv: Value, args: Args) -> Result<(usize, usize)> {
    let (length, offset) = read_span(ctx, recv, args.non_nil(1), args.non_nil(0))?;
    Ok((offset, length))
}

/// `(length = rest, offset = 0)`
pub fn length_offset(ctx: &mut Ctx, recv: Value, args: Args) -> Result<(usize, usize)> {
    read_span(ctx, recv, args.non_nil(0), args.non_nil(1))
}

fn read_span(ctx: &mut Ctx, recv: Value, length: Option<Value>, offset: Option<Value>) -> Result<(usize, usize)> {
    let offset = match offset {
        Some(value) => positive(ctx, value, "Offset")?,
        None => 0,
    };
    match length {
        Some(value) => Ok((positive(ctx, value, "Length")?, offset)),
        None => match memory::size(ctx, recv).checked_sub(offset) {
            Some(rest) => Ok((rest, offset)),
            None => Err(ctx.argument_error("The given offset is bigger than the buffer size!")),
        },
    }
}

/// ArgumentError unless the range lies in the buffer, which must be valid.
pub fn check_range(ctx: &mut Ctx, recv: Value, offset: usize, length: usize) -> Result<()> {
    let size = with(ctx, recv, <[u8]>::len)?;
    if offset.checked_add(length).is_none_or(|end| end > size) {
        return Err(ctx.argument_error("Specified offset+length is bigger than the buffer size!"));
    }
    Ok(())
}

/// A copy of a range.
pub fn whole(ctx: &mut Ctx, recv: Value, offset: usize, length: usize) -> Result<Vec<u8>> {
    check_range(ctx, recv, offset, length)?;
    with(ctx, recv, |bytes| bytes[offset..offset + length].to_vec())
}

// -- making -----------------------------------------------------------------------------------

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, Buffer::default()).value())
}

fn make(ctx: &mut Ctx, class: Value, memory: Memory, flags: u32) -> Value {
    let buffer = Buffer::default();
    buffer.put(memory, flags);
    Data::new(ctx, class, buffer).value()
}

/// Gives a buffer its memory, which counts among what objects own.
fn hold(ctx: &mut Ctx, buffer: Value, memory: Memory, flags: u32) -> Result<()> {
    let held = state(ctx, buffer)?;
    let before = held.memory_size();
    held.put(memory, flags);
    let now = held.memory_size();
    ctx.note_malloc(now as isize - before as isize);
    Ok(())
}

/// Takes its memory from a buffer, which keeps its flags.
fn give_up(ctx: &mut Ctx, buffer: Value) -> Result<Memory> {
    let held = state(ctx, buffer)?;
    let bytes = held.memory_size();
    let memory = held.take();
    ctx.note_malloc(-(bytes as isize));
    Ok(memory)
}

/// An internal buffer of these bytes.
pub fn of_bytes(ctx: &mut Ctx, bytes: Vec<u8>) -> Value {
    let class = ctx.error_class("IO::Buffer").value();
    if bytes.is_empty() {
        return make(ctx, class, Memory::Null, 0);
    }
    make(ctx, class, Memory::Owned(bytes), memory::INTERNAL)
}

/// A buffer on memory of somebody else.
///
/// # Safety
/// The `len` bytes at `base` stay as long as the buffer has them, and nobody else writes into them while a method of
/// the buffer runs.
pub unsafe fn on_memory(ctx: &mut Ctx, base: *mut u8, len: usize, flags: u32) -> Value {
    let class = ctx.error_class("IO::Buffer").value();
    make(ctx, class, Memory::External(base, len), memory::EXTERNAL | flags & memory::GIVEN)
}

/// A buffer with fresh memory, zeroed.
///
/// # Errors
/// AllocationError.
pub fn sized(ctx: &mut Ctx, size: usize, flags: u32) -> Result {
    let class = ctx.error_class("IO::Buffer").value();
    let kind = flags & (memory::INTERNAL | memory::MAPPED);
    let flags = if kind == 0 { flags | flags_for(size) } else { flags };
    let (memory, flags) = fresh(ctx, size, flags & memory::GIVEN)?;
    let buffer = allocate(ctx, class)?;
    hold(ctx, buffer, memory, flags)?;
    Ok(buffer)
}

/// Where the bytes lie, how many there are, and the flags.
///
/// # Errors
/// InvalidatedError, and AccessError if they are to be written and may not be.
pub fn bytes_of(ctx: &mut Ctx, buffer: Value, write: bool) -> Result<(*mut u8, usize, u32)> {
    let (base, len) = if write {
        memory::with_mut(ctx, buffer, |bytes| (bytes.as_mut_ptr(), bytes.len()))?
    } else {
        memory::with(ctx, buffer, |bytes| (bytes.as_ptr().cast_mut(), bytes.len()))?
    };
    let state = state(ctx, buffer)?;
    Ok((if state.is_null() { std::ptr::null_mut() } else { base }, len, state.flags.get()))
}

/// Locks a buffer, or unlocks it; false: it was so already.
///
/// # Errors
/// TypeError for what is no buffer.
pub fn set_locked(ctx: &mut Ctx, buffer: Value, locked: bool) -> Result<bool> {
    let state = state(ctx, buffer)?;
    let changes = state.has(memory::LOCKED) != locked;
    if changes {
        state.flags.set(state.flags.get() ^ memory::LOCKED);
    }
    Ok(changes)
}

/// The first `n` bytes of an internal buffer that nobody needs any more: it is null afterwards.
pub fn take_bytes(ctx: &mut Ctx, buffer: Value, n: usize) -> Vec<u8> {
    let Ok(state) = state(ctx, buffer) else { return Vec::new() };
    state.flags.set(0);
    match state.take() {
        Memory::Owned(mut bytes) => {
            bytes.truncate(n);
            bytes
        }
        _ => Vec::new(),
    }
}

fn flags_for(size: usize) -> u32 {
    if size >= memory::PAGE_SIZE { memory::MAPPED } else { memory::INTERNAL }
}

/// Fresh memory, zeroed. AllocationError when the flags name no kind of it or there is none.
fn fresh(ctx: &mut Ctx, size: usize, flags: u32) -> Result<(Memory, u32)> {
    if size == 0 {
        return Ok((Memory::Null, 0));
    }
    if !fits(size) {
        return Err(ctx.no_memory());
    }
    if flags & memory::INTERNAL != 0 {
        #[allow(
            clippy::slow_vector_initialization,
            reason = "without memory for it the program gets an exception; `vec!` would end the process"
        )]
        let mut bytes = Vec::new();
        if bytes.try_make_room(size) {
            bytes.resize(size, 0);
            return Ok((Memory::Owned(bytes), flags));
        }
    } else if flags & memory::MAPPED != 0 {
        let sharing = if flags & memory::SHARED != 0 { libc::MAP_SHARED } else { libc::MAP_PRIVATE };
        return match Mapping::new(size, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_ANONYMOUS | sharing, -1, 0) {
            Ok(mapping) => Ok((Memory::Mapped(mapping), flags)),
            Err(e) => Err(rubellite_core_object::errno::fail(ctx, e, "io_buffer_map_memory:mmap")),
        };
    }
    Err(ctx.raise_error("IO::Buffer::AllocationError", "Could not allocate buffer!"))
}

/// `IO::Buffer.new(size = DEFAULT_SIZE, flags = by size)`
fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !ctx.extension::<io_state::IoTable>().buffer_warned.replace(true) {
        ctx.warn_category(
            "IO::Buffer is experimental and both the Ruby and C interface may change in the future!",
            Category::Experimental,
        )?;
    }
    let size = if args.is_empty() { memory::DEFAULT_SIZE } else { positive(ctx, args.at(0), "Size")? };
    let flags = if args.len() > 1 { flags_of(ctx, args.at(1))? } else { flags_for(size) };
    let (memory, flags) = fresh(ctx, size, flags)?;
    hold(ctx, recv, memory, flags)?;
    Ok(recv)
}

fn initialize_copy(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    let source = memory::Source::Buffer(args.at(0));
    let size = source.len(ctx)?;
    let (memory, flags) = fresh(ctx, size, flags_for(size))?;
    data.install(ctx, Buffer::default());
    hold(ctx, data.value(), memory, flags)?;
    memory::copy(ctx, (data.value(), 0), (source, 0), size);
    Ok(data.value())
}

/// `IO::Buffer.for(string)`: a read-only buffer of its present bytes; with a block one on the string itself, for the
/// block, in which nothing else changes it.
fn for_string(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    if !args.has_block() {
        let frozen = text.dup(ctx);
        frozen.header().set(rubellite_vm::flags::FROZEN);
        return Ok(make(ctx, recv, Memory::Text(frozen), memory::EXTERNAL | memory::READONLY));
    }
    if text.header().frozen() {
        return yield_on(ctx, recv, text, memory::EXTERNAL | memory::READONLY, args.block);
    }
    if text.locked() {
        return Err(ctx.raise_error("RuntimeError", "temporal locking already locked string"));
    }
    text.set_locked(true);
    let outcome = yield_on(ctx, recv, text, memory::EXTERNAL, args.block);
    text.set_locked(false);
    outcome
}

fn yield_on(ctx: &mut Ctx, class: Value, text: Str, flags: u32, block: Value) -> Result {
    let buffer = make(ctx, class, Memory::Text(text), flags);
    ctx.ensure(
        |ctx| ctx.yield_one(block, buffer),
        |ctx| {
            drop(give_up(ctx, buffer)?);
            state(ctx, buffer)?.flags.set(0);
            Ok(())
        },
    )
}

/// `IO::Buffer.string(length) { |buffer| ... } -> string`
fn string(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let length = ctx.to_int(args.at(0))?;
    let Ok(length) = usize::try_from(length) else {
        return Err(ctx.string_size_error());
    };
    if !args.has_block() {
        return Err(ctx.raise_error("LocalJumpError", "no block given"));
    }
    let mut bytes = Vec::new();
    if !bytes.try_make_room(length) {
        return Err(ctx.no_memory());
    }
    bytes.resize(length, 0);
    let text = Str::from_vec(ctx, bytes, rubellite_vm::Encoding::BINARY);
    yield_on(ctx, recv, text, memory::EXTERNAL, args.block)?;
    Ok(text.value())
}

/// `IO::Buffer.map(file, size = rest, offset = 0, flags = 0)`
fn map(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let io = open::to_io(ctx, args.at(0))?;
    let file = io_state::open_state(ctx, io)?;
    device::flush(ctx, &file)?;
    let stat = ctx.call_name(io, "stat", &[])?;
    let stat_size = ctx.call_name(stat, "size", &[])?;
    let file_size = ctx.to_int(stat_size)?.max(0) as usize;
    if file_size == 0 {
        return Err(ctx.argument_error("Invalid negative or zero file size!"));
    }
    let given = match args.non_nil(1) {
        Some(value) => Some(positive(ctx, value, "Size")?),
        None => None,
    };
    match given {
        Some(0) => return Err(ctx.argument_error("Size can't be zero!")),
        Some(size) if size > file_size => return Err(ctx.argument_error("Size can't be larger than file size!")),
        _ => {}
    }
    let offset = if args.len() > 2 { ctx.to_int(args.at(2))? } else { 0 };
    if offset < 0 {
        return Err(ctx.argument_error("Offset can't be negative!"));
    }
    let Some(rest) = file_size.checked_sub(offset as usize).filter(|rest| *rest > 0) else {
        return Err(ctx.argument_error("Offset too large!"));
    };
    let size = given.unwrap_or(rest);
    if size > rest {
        return Err(ctx.argument_error("Offset too large!"));
    }
    let mut flags = memory::MAPPED
        | memory::FILE
        | if args.len() > 3 { flags_of(ctx, args.at(3))? & (memory::READONLY | memory::PRIVATE) } else { 0 };
    let protection = libc::PROT_READ | if flags & memory::READONLY == 0 { libc::PROT_WRITE } else { 0 };
    let sharing = if flags & memory::PRIVATE != 0 { libc::MAP_PRIVATE } else { libc::MAP_SHARED };
    if flags & memory::PRIVATE == 0 {
        flags |= memory::EXTERNAL | memory::SHARED;
    }
    let fd = io_state::open_state(ctx, io)?.fd.get();
    match Mapping::new(size, protection, sharing, fd, offset) {
        Ok(mapping) => Ok(make(ctx, recv, Memory::Mapped(mapping), flags)),
        Err(e) => Err(rubellite_core_object::errno::fail(ctx, e, "io_buffer_map_file:mmap")),
    }
}

/// `IO::Buffer.size_of(type or types) -> bytes`
fn size_of(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let Some(list) = rubellite_vm::object::Array::try_of(args.at(0)) else {
        let kind = access::type_of(ctx, args.at(0))?;
        return Ok(Value::fixnum(kind.bytes as i64));
    };
    let mut total = 0;
    let mut i = 0;
    while let Some(name) = list.get(i) {
        total += access::type_of(ctx, name)?.bytes;
        i += 1;
    }
    Ok(Value::fixnum(total as i64))
}

// -- questions ----------------------------------------------------------------------------------

fn size(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(memory::size(ctx, recv) as i64))
}

fn valid_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(memory::valid(ctx, recv)))
}

fn null_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(state(ctx, recv)?.is_null()))
}

fn empty_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(memory::size(ctx, recv) == 0))
}

macro_rules! flag_questions {
    ($($name:ident: $flag:ident;)*) => {
        $(fn $name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
            Ok(Value::from_bool(state(ctx, recv)?.has(memory::$flag)))
        })*
    };
}

flag_questions! {
    external_p: EXTERNAL;
    internal_p: INTERNAL;
    mapped_p: MAPPED;
    shared_p: SHARED;
    locked_p: LOCKED;
    private_p: PRIVATE;
    readonly_p: READONLY;
}

fn description(ctx: &mut Ctx, recv: Value) -> Result<String> {
    let class = ctx.real_class(recv).inspect(ctx);
    let (at, size, valid) = (memory::address(ctx, recv), memory::size(ctx, recv), memory::valid(ctx, recv));
    let buffer = state(ctx, recv)?;
    let mut text = format!("#<{class} 0x{at:016x}+{size}");
    if buffer.is_null() {
        text.push_str(" NULL");
    }
    for (flag, name) in [
        (memory::EXTERNAL, " EXTERNAL"),
        (memory::INTERNAL, " INTERNAL"),
        (memory::MAPPED, " MAPPED"),
        (memory::FILE, " FILE"),
        (memory::SHARED, " SHARED"),
        (memory::LOCKED, " LOCKED"),
        (memory::PRIVATE, " PRIVATE"),
        (memory::READONLY, " READONLY"),
    ] {
        if buffer.has(flag) {
            text.push_str(name);
        }
    }
    if buffer.is_slice() {
        text.push_str(" SLICE");
    }
    if !valid {
        text.push_str(" INVALID");
    }
    text.push('>');
    Ok(text)
}

fn to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = description(ctx, recv)?;
    Ok(Str::utf8(ctx, &text).value())
}

/// How much of a buffer `inspect` shows.
const INSPECT_MAX: usize = 256;

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let mut text = description(ctx, recv)?;
    let size = memory::size(ctx, recv);
    if memory::valid(ctx, recv) && size > 0 && size <= INSPECT_MAX {
        let bytes = whole(ctx, recv, 0, size)?;
        text.push('\n');
        dump(&mut text, &bytes, 0, 16);
    }
    Ok(Str::utf8(ctx, &text).value())
}

/// Bytes that `hexdump` writes between two looks at what others want.
const DUMPED_AT_ONCE: usize = 1 << 12;

/// Lines of an address, bytes and characters.
fn dump(out: &mut String, bytes: &[u8], from: usize, width: usize) {
    for (i, line) in bytes.chunks(width).enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out.push_str(&format!("0x{:08x} ", from + i * width));
        for at in 0..width {
            match line.get(at) {
                Some(byte) => out.push_str(&format!(" {byte:02x}")),
                None => out.push_str("   "),
            }
        }
        out.push(' ');
        out.extend(line.iter().map(|b| if (32..127).contains(b) { *b as char } else { '.' }));
    }
}

/// `hexdump(offset = 0, length = rest, width = 16)`
fn hexdump(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (offset, length) = offset_length(ctx, recv, args)?;
    let width = if args.len() > 2 { positive(ctx, args.at(2), "Width")? } else { 16 };
    if width < 1 {
        return Err(ctx.argument_error("Width must be at least 1!"));
    }
    if width > 1024 {
        return Err(ctx.argument_error("Width must be at most 1024!"));
    }
    if state(ctx, recv)?.is_null() {
        return Ok(Value::NIL);
    }
    let bytes = whole(ctx, recv, offset, length)?;
    let mut text = String::new();
    for (i, lines) in bytes.chunks(width * (DUMPED_AT_ONCE / width)).enumerate() {
        if i > 0 {
            ctx.check_interrupts()?;
            text.push('\n');
        }
        dump(&mut text, lines, offset + i * (DUMPED_AT_ONCE / width * width), width);
    }
    Ok(Str::utf8(ctx, &text).value())
}

fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let order = memory::with_both(ctx, recv, args.at(0), |mine, theirs| {
        mine.len().cmp(&theirs.len()).then_with(|| mine.cmp(theirs))
    })?;
    Ok(Value::fixnum(order as i64))
}

// -- changes --------------------------------------------------------------------------------------

fn refuse_locked(ctx: &mut Ctx, recv: Value, message: &str) -> Result<()> {
    if state(ctx, recv)?.has(memory::LOCKED) {
        Err(ctx.raise_error("IO::Buffer::LockedError", message))
    } else {
        Ok(())
    }
}

/// `locked { ... }`: meanwhile the memory stays where it is.
fn locked(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    refuse_locked(ctx, recv, "Buffer already locked!")?;
    let buffer = state(ctx, recv)?;
    buffer.flags.set(buffer.flags.get() | memory::LOCKED);
    let block = args.block;
    ctx.ensure(
        |ctx| ctx.yield_one(block, recv),
        |ctx| {
            let buffer = state(ctx, recv)?;
            buffer.flags.set(buffer.flags.get() & !memory::LOCKED);
            Ok(())
        },
    )
}

/// `slice(offset = 0, length = rest)`: a buffer on a part of this one's memory.
fn slice(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (from, len) = offset_length(ctx, recv, args)?;
    check_range(ctx, recv, from, len)?;
    let buffer = state(ctx, recv)?;
    let flags = buffer.flags.get() & memory::READONLY;
    let part = match &*buffer.memory.borrow() {
        Memory::Null => Memory::Null,
        Memory::Text(text) if flags != 0 => Memory::TextPart { text: *text, from, len },
        Memory::TextPart { text, from: first, .. } => Memory::TextPart { text: *text, from: first + from, len },
        _ => Memory::Slice { parent: recv, version: buffer.version.get(), from, len },
    };
    let class = ctx.real_class(recv).value();
    Ok(make(ctx, class, part, flags))
}

/// `transfer -> buffer`: the memory goes to a new object.
fn transfer(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    refuse_locked(ctx, recv, "Cannot transfer ownership of locked buffer!")?;
    let class = ctx.real_class(recv).value();
    let target = allocate(ctx, class)?;
    let memory = give_up(ctx, recv)?;
    let flags = state(ctx, recv)?.flags.replace(0);
    hold(ctx, target, memory, flags)?;
    Ok(target)
}

/// `resize(size) -> self`
fn resize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let size = positive(ctx, args.at(0), "Size")?;
    if !fits(size) {
        return Err(ctx.no_memory());
    }
    with(ctx, recv, |_| ())?;
    refuse_locked(ctx, recv, "Cannot resize locked buffer!")?;
    let buffer = state(ctx, recv)?;
    let (null, external, flags) = (buffer.is_null(), buffer.has(memory::EXTERNAL), buffer.flags.get());
    if null {
        let (memory, flags) = fresh(ctx, size, flags_for(size))?;
        hold(ctx, recv, memory, flags)?;
        return Ok(recv);
    }
    if external {
        return Err(ctx.raise_error("IO::Buffer::AccessError", "Cannot resize external buffer!"));
    }
    let old = give_up(ctx, recv)?;
    let resized = match old {
        _ if size == 0 => Ok((Memory::Null, 0)),
        Memory::Owned(mut bytes) => {
            if size > bytes.len() && !bytes.try_make_room(size - bytes.len()) {
                Err((Memory::Owned(bytes), libc::ENOMEM))
            } else {
                bytes.resize(size, 0);
                Ok((Memory::Owned(bytes), flags))
            }
        }
        Memory::Mapped(old) if flags & memory::FILE != 0 && size > old.len() => {
            // Pages behind the end of a file cannot be touched: the rest is memory of its own.
            match Mapping::new(size, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_ANONYMOUS | libc::MAP_PRIVATE, -1, 0)
            {
                Ok(mut mapping) => {
                    mapping.copy_from(&old);
                    Ok((Memory::Mapped(mapping), flags))
                }
                Err(e) => Err((Memory::Mapped(old), e)),
            }
        }
        Memory::Mapped(mut mapping) => match mapping.resize(size) {
            Ok(()) => Ok((Memory::Mapped(mapping), flags)),
            Err(e) => Err((Memory::Mapped(mapping), e)),
        },
        part => {
            // A slice becomes memory of its own.
            state(ctx, recv)?.put(part, flags);
            let keep = memory::size(ctx, recv).min(size);
            let bytes = whole(ctx, recv, 0, keep)?;
            let (memory, flags) = fresh(ctx, size, flags_for(size))?;
            hold(ctx, recv, memory, flags)?;
            memory::with_mut(ctx, recv, |target| target[..keep].copy_from_slice(&bytes))?;
            return Ok(recv);
        }
    };
    match resized {
        Ok((memory, flags)) => {
            hold(ctx, recv, memory, flags)?;
            Ok(recv)
        }
        Err((memory, e)) => {
            hold(ctx, recv, memory, flags)?;
            Err(rubellite_core_object::errno::fail(ctx, e, "rb_io_buffer_resize:mremap"))
        }
    }
}

/// `free -> self`
fn free(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    refuse_locked(ctx, recv, "Buffer is locked!")?;
    drop(give_up(ctx, recv)?);
    state(ctx, recv)?.flags.set(0);
    Ok(recv)
}
