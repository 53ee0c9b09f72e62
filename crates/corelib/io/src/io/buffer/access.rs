//! IO::Buffer: numbers, strings and bit masks in the bytes, and transfers from and to IOs.

use super::memory::{self, Source, with, with_mut};
use super::{length_offset, offset_length, positive, whole};
use crate::io::{device, mode, open, state};
use rubellite_core_thread::scheduler;
use rubellite_vm::object::{Array, Int, Str};
use rubellite_vm::{Args, Arity, Ctx, Encoding, MethodDef, PrimitiveDef, Result, Unwind, Value, method, primitive};

/// Values that are read between two looks at what others want.
const VALUES_AT_ONCE: usize = 1 << 14;

/// What the Ruby parts are built on.
pub const PRIMITIVES: &[PrimitiveDef] =
    &[primitive("buffer_each", Arity::exact(3), each), primitive("buffer_each_byte", Arity::exact(2), each_byte)];

pub const METHODS: &[MethodDef] = &[
    method("get_value", Arity::exact(2), get_value),
    method("set_value", Arity::exact(3), set_value),
    method("get_values", Arity::exact(2), get_values),
    method("set_values", Arity::exact(3), set_values),
    method("values", Arity::range(0, 3), values),
    method("get_string", Arity::range(0, 3), get_string),
    method("set_string", Arity::range(1, 4), set_string),
    method("copy", Arity::range(1, 4), copy),
    method("clear", Arity::range(0, 3), clear),
    method("&", Arity::exact(1), op_and),
    method("|", Arity::exact(1), op_or),
    method("^", Arity::exact(1), op_xor),
    method("~", Arity::NONE, op_not),
    method("and!", Arity::exact(1), and_bang),
    method("or!", Arity::exact(1), or_bang),
    method("xor!", Arity::exact(1), xor_bang),
    method("not!", Arity::NONE, not_bang),
    method("read", Arity::range(1, 3), read),
    method("pread", Arity::range(2, 4), pread),
    method("write", Arity::range(1, 3), write),
    method("pwrite", Arity::range(2, 4), pwrite),
];

/// A type of number: `:U8`, `:s16` (little endian), `:S16` (big endian) ...
#[derive(Copy, Clone)]
pub struct Type {
    pub bytes: usize,
    signed: bool,
    float: bool,
    big_endian: bool,
}

impl Type {
    const fn new(letter: u8, bits: usize) -> Type {
        Type {
            bytes: bits / 8,
            signed: letter.eq_ignore_ascii_case(&b's'),
            float: letter.eq_ignore_ascii_case(&b'f'),
            big_endian: letter.is_ascii_uppercase(),
        }
    }
}

/// ArgumentError for what names no type.
pub fn type_of(ctx: &mut Ctx, value: Value) -> Result<Type> {
    let Some(sym) = value.as_symbol() else {
        let given = ctx.describe_for_conversion(value);
        return Err(ctx.type_error(&format!("wrong argument type {given} (expected Symbol)")));
    };
    let name = ctx.sym_bytes(sym);
    let (letter, digits) = name.split_first().unwrap_or((&0, b""));
    let bits = match digits {
        b"8" => 8,
        b"16" => 16,
        b"32" => 32,
        b"64" => 64,
        _ => 0,
    };
    let known = match letter {
        b'U' | b'S' => bits >= 8,
        b'u' | b's' => bits >= 16,
        b'f' | b'F' => bits >= 32,
        _ => false,
    };
    if known { Ok(Type::new(*letter, bits)) } else { Err(ctx.argument_error("Invalid type name!")) }
}

#[cold]
fn beyond_end(ctx: &mut Ctx, recv: Value, offset: usize) -> Unwind {
    let size = memory::size(ctx, recv);
    ctx.argument_error(&format!("Type extends beyond end of buffer! (offset={offset} > size={size})"))
}

/// The raw bytes of a number; none: they are not all in the buffer.
#[inline]
fn raw_at(bytes: &[u8], kind: Type, offset: usize) -> Option<[u8; 8]> {
    let here = bytes.get(offset..)?;
    let mut raw = [0u8; 8];
    // Lengths known beforehand make one load each.
    match kind.bytes {
        1 => raw[..1].copy_from_slice(here.first_chunk::<1>()?),
        2 => raw[..2].copy_from_slice(here.first_chunk::<2>()?),
        4 => raw[..4].copy_from_slice(here.first_chunk::<4>()?),
        _ => raw = *here.first_chunk::<8>()?,
    }
    Some(raw)
}

#[inline]
fn decode(ctx: &mut Ctx, kind: Type, raw: [u8; 8]) -> Value {
    let spare = 64 - 8 * kind.bytes as u32;
    let bits = if kind.big_endian { u64::from_be_bytes(raw) >> spare } else { u64::from_le_bytes(raw) };
    if kind.float {
        let number = if kind.bytes == 4 { f32::from_bits(bits as u32) as f64 } else { f64::from_bits(bits) };
        return ctx.float(number);
    }
    if kind.signed { ctx.int((bits << spare) as i64 >> spare) } else { ctx.uint(bits) }
}

#[inline]
fn fetch(ctx: &mut Ctx, recv: Value, kind: Type, offset: usize) -> Result {
    match with(ctx, recv, |bytes| raw_at(bytes, kind, offset))? {
        Some(raw) => Ok(decode(ctx, kind, raw)),
        None => Err(beyond_end(ctx, recv, offset)),
    }
}

fn check_type(ctx: &mut Ctx, recv: Value, kind: Type, offset: usize) -> Result<()> {
    if offset.checked_add(kind.bytes).is_none_or(|end| end > memory::size(ctx, recv)) {
        return Err(beyond_end(ctx, recv, offset));
    }
    Ok(())
}

/// The bits of a number in a type, RangeError when it does not fit.
fn encode(ctx: &mut Ctx, kind: Type, value: Value) -> Result<u64> {
    match (kind.float, kind.bytes) {
        (true, 4) => Ok((ctx.to_float(value)? as f32).to_bits() as u64),
        (true, _) => Ok(ctx.to_float(value)?.to_bits()),
        (false, 8) => {
            if let Some(number) = value.as_fixnum() {
                return Ok(number as u64);
            }
            let number = ctx.to_integer(value)?;
            Ok(Int::try_of(number).map_or(0, |n| n.low_u64()))
        }
        (false, _) => {
            let number = ctx.to_int(value)?;
            let fits = if kind.signed {
                i32::try_from(number).is_ok()
            } else {
                (i32::MIN as i64..=u32::MAX as i64).contains(&number)
            };
            if !fits {
                let (size, name) =
                    (if number < 0 { "small" } else { "big" }, if kind.signed { "int" } else { "unsigned int" });
                return Err(ctx.range_error(&format!("integer {number} too {size} to convert to '{name}'")));
            }
            Ok(number as u64)
        }
    }
}

/// Puts a number into the buffer, which must be writable.
fn put(ctx: &mut Ctx, recv: Value, kind: Type, offset: usize, value: Value) -> Result<()> {
    if !value.is_fixnum() {
        check_type(ctx, recv, kind, offset)?;
    }
    let bits = encode(ctx, kind, value)?;
    let (little, big) = (bits.to_le_bytes(), bits.to_be_bytes());
    let raw = if kind.big_endian { &big[8 - kind.bytes..] } else { &little[..kind.bytes] };
    // The conversion may have changed the buffer.
    let stored = with_mut(ctx, recv, |bytes| {
        let here = bytes.get_mut(offset..).and_then(|rest| rest.get_mut(..raw.len()));
        here.map(|here| here.copy_from_slice(raw))
    })?;
    if stored.is_some() { Ok(()) } else { Err(beyond_end(ctx, recv, offset)) }
}

/// `get_value(type, offset) -> number`
fn get_value(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let offset = positive(ctx, args.at(1), "Offset")?;
    let kind = type_of(ctx, args.at(0))?;
    fetch(ctx, recv, kind, offset)
}

/// `set_value(type, offset, number) -> offset behind it`
fn set_value(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let offset = positive(ctx, args.at(1), "Offset")?;
    let kind = type_of(ctx, args.at(0))?;
    if !args.at(2).is_fixnum() {
        memory::check_writable(ctx, recv)?;
    }
    put(ctx, recv, kind, offset, args.at(2))?;
    Ok(Value::fixnum((offset + kind.bytes) as i64))
}

/// `get_values(types, offset) -> numbers`, one behind the other
fn get_values(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mut offset = positive(ctx, args.at(1), "Offset")?;
    let Some(types) = Array::try_of(args.at(0)) else {
        return Err(ctx.argument_error("Argument buffer_types should be an array!"));
    };
    let found = Array::with_capacity(ctx, types.len());
    let mut i = 0;
    while let Some(name) = types.get(i) {
        let kind = type_of(ctx, name)?;
        let value = fetch(ctx, recv, kind, offset)?;
        found.push(ctx, value);
        offset += kind.bytes;
        i += 1;
    }
    Ok(found.value())
}

/// `set_values(types, offset, numbers) -> offset behind them`
fn set_values(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(types) = Array::try_of(args.at(0)) else {
        return Err(ctx.argument_error("Argument buffer_types should be an array!"));
    };
    let mut offset = positive(ctx, args.at(1), "Offset")?;
    let Some(values) = Array::try_of(args.at(2)) else {
        return Err(ctx.argument_error("Argument values should be an array!"));
    };
    if types.len() != values.len() {
        return Err(ctx.argument_error("Argument buffer_types and values should have the same length!"));
    }
    memory::check_writable(ctx, recv)?;
    let mut i = 0;
    while let (Some(name), Some(value)) = (types.get(i), values.get(i)) {
        let kind = type_of(ctx, name)?;
        put(ctx, recv, kind, offset, value)?;
        offset += kind.bytes;
        i += 1;
    }
    Ok(Value::fixnum(offset as i64))
}

/// `(offset = 0, count = as many as there are)` of elements of `width` bytes
fn offset_count(ctx: &mut Ctx, recv: Value, offset: Value, count: Value, width: usize) -> Result<(usize, usize)> {
    let offset = if offset.is_nil() { 0 } else { positive(ctx, offset, "Offset")? };
    if !count.is_nil() {
        return Ok((offset, positive(ctx, count, "Count")?));
    }
    match memory::size(ctx, recv).checked_sub(offset) {
        Some(rest) => Ok((offset, rest / width)),
        None => Err(ctx.argument_error("The given offset is bigger than the buffer size!")),
    }
}

/// `values(type = :U8, offset = 0, count = rest) -> numbers`
fn values(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let kind = if args.is_empty() { Type::new(b'U', 8) } else { type_of(ctx, args.at(0))? };
    let (offset, count) = offset_count(ctx, recv, args.at(1), args.at(2), kind.bytes)?;
    with(ctx, recv, |_| ())?;
    let room = memory::size(ctx, recv).saturating_sub(offset) / kind.bytes;
    let found = Array::with_capacity(ctx, count.min(room));
    // Nothing runs meanwhile that could change the bytes, so they are copied once.
    let bytes =
        with(ctx, recv, |bytes| bytes.get(offset..).map(|rest| rest[..(count.min(room) * kind.bytes)].to_vec()))?
            .unwrap_or_default();
    for i in 0..count {
        if i % VALUES_AT_ONCE == VALUES_AT_ONCE - 1 {
            ctx.check_interrupts()?;
        }
        let Some(raw) = raw_at(&bytes, kind, i * kind.bytes) else {
            return Err(beyond_end(ctx, recv, offset + i * kind.bytes));
        };
        let value = decode(ctx, kind, raw);
        found.push(ctx, value);
    }
    Ok(found.value())
}

/// The part of `each`: type, offset, count; yields offset and number.
fn each(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let kind = type_of(ctx, args.at(0))?;
    let (mut offset, count) = offset_count(ctx, recv, args.at(1), args.at(2), kind.bytes)?;
    with(ctx, recv, |_| ())?;
    let block = args.block;
    for number in 0..count {
        if number % VALUES_AT_ONCE == VALUES_AT_ONCE - 1 {
            ctx.check_interrupts()?;
        }
        let value = fetch(ctx, recv, kind, offset)?;
        ctx.yield_values(block, &[Value::fixnum(offset as i64), value])?;
        offset += kind.bytes;
    }
    Ok(recv)
}

/// The part of `each_byte`: offset, count.
fn each_byte(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (offset, count) = offset_count(ctx, recv, args.at(0), args.at(1), 1)?;
    if offset.checked_add(count).is_none_or(|end| end > memory::size(ctx, recv)) {
        return Err(ctx.argument_error("Specified offset+count is bigger than the buffer size!"));
    }
    let block = args.block;
    for at in offset..offset + count {
        if at % VALUES_AT_ONCE == VALUES_AT_ONCE - 1 {
            ctx.check_interrupts()?;
        }
        let value = fetch(ctx, recv, Type::new(b'U', 8), at)?;
        ctx.yield_one(block, value)?;
    }
    Ok(recv)
}

/// `get_string(offset = 0, length = rest, encoding = BINARY)`
fn get_string(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (offset, length) = offset_length(ctx, recv, args)?;
    let encoding = match args.non_nil(2) {
        Some(encoding) => mode::encoding_of(ctx, encoding)?,
        None => Encoding::BINARY,
    };
    let bytes = whole(ctx, recv, offset, length)?;
    Ok(Str::from_vec(ctx, bytes, encoding).value())
}

/// `set_string(string, offset = 0, length = all, source_offset = 0) -> bytes`
fn set_string(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let source = ctx.to_str(args.at(0))?;
    copy_from(ctx, recv, Source::Text(source), args)
}

/// `copy(buffer, offset = 0, length = all, source_offset = 0) -> bytes`
fn copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    copy_from(ctx, recv, Source::Buffer(args.at(0)), args)
}

fn copy_from(ctx: &mut Ctx, recv: Value, source: Source, args: Args) -> Result {
    let number =
        |i: usize| if args.len() > i { args.at(i).as_fixnum().and_then(|n| usize::try_from(n).ok()) } else { Some(0) };
    if let (Some(offset), Some(from), 1 | 3.., Some(length)) = (number(1), number(3), args.len(), number(2)) {
        let length = (args.len() > 2).then_some(length);
        if let Some(copied) = memory::copy_now(ctx, (recv, offset), (source, from), length) {
            return Ok(Value::fixnum(copied as i64));
        }
    }
    // Something is unusual or wrong: one check after the other.
    let size = source.len(ctx)?;
    let offset = if args.len() > 1 { positive(ctx, args.at(1), "Offset")? } else { 0 };
    let from = if args.len() > 3 { positive(ctx, args.at(3), "Offset")? } else { 0 };
    if from > size {
        return Err(ctx.argument_error("The given source offset is bigger than the source itself!"));
    }
    let length = match args.non_nil(2) {
        Some(length) => positive(ctx, length, "Length")?,
        None => size - from,
    };
    memory::check_writable(ctx, recv)?;
    super::check_range(ctx, recv, offset, length)?;
    if !memory::copy(ctx, (recv, offset), (source, from), length) {
        return Err(ctx.argument_error("The computed source range exceeds the size of the source buffer!"));
    }
    Ok(Value::fixnum(length as i64))
}

/// `clear(byte = 0, offset = 0, length = rest) -> self`
fn clear(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let byte = if args.is_empty() { 0 } else { encode(ctx, Type::new(b'U', 8), args.at(0))? as u8 };
    if args.len() <= 1 {
        with_mut(ctx, recv, |bytes| bytes.fill(byte))?;
        return Ok(recv);
    }
    let (offset, length) = offset_length(ctx, recv, args.from(1))?;
    memory::check_writable(ctx, recv)?;
    super::check_range(ctx, recv, offset, length)?;
    with_mut(ctx, recv, |bytes| bytes[offset..offset + length].fill(byte))?;
    Ok(recv)
}

// -- masks ------------------------------------------------------------------------------------

/// The mask, repeated as a whole until it is long enough to be combined by the vector.
fn mask_of(ctx: &mut Ctx, value: Value) -> Result<Vec<u8>> {
    const ENOUGH: usize = 256;
    let mask = with(ctx, value, |mask| match mask.len() {
        0 => Vec::new(),
        len => mask.repeat(ENOUGH.div_ceil(len)),
    })?;
    if mask.is_empty() { Err(ctx.raise_error("IO::Buffer::MaskError", "Zero-length mask given!")) } else { Ok(mask) }
}

fn combine_in(target: &mut [u8], mask: &[u8], combine: impl Fn(u8, u8) -> u8) {
    for part in target.chunks_mut(mask.len()) {
        part.iter_mut().zip(mask).for_each(|(a, b)| *a = combine(*a, *b));
    }
}

fn masked(ctx: &mut Ctx, recv: Value, mask: Value, combine: impl Fn(u8, u8) -> u8) -> Result {
    let mask = mask_of(ctx, mask)?;
    let mut bytes = with(ctx, recv, <[u8]>::to_vec)?;
    combine_in(&mut bytes, &mask, combine);
    Ok(super::of_bytes(ctx, bytes))
}

fn mask_in_place(ctx: &mut Ctx, recv: Value, mask: Value, combine: impl Fn(u8, u8) -> u8) -> Result {
    let bytes = mask_of(ctx, mask)?;
    memory::check_writable(ctx, recv)?;
    let (here, there) = (memory::address(ctx, recv), memory::address(ctx, mask));
    if here < there + memory::size(ctx, mask) && there < here + memory::size(ctx, recv) {
        return Err(ctx.raise_error("IO::Buffer::MaskError", "Mask overlaps source buffer!"));
    }
    with_mut(ctx, recv, |target| combine_in(target, &bytes, combine))?;
    Ok(recv)
}

macro_rules! masks {
    ($($name:ident $bang:ident: $combine:expr;)*) => {
        $(fn $name(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
            masked(ctx, recv, args.at(0), $combine)
        }

        fn $bang(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
            mask_in_place(ctx, recv, args.at(0), $combine)
        })*
    };
}

masks! {
    op_and and_bang: |a, b| a & b;
    op_or or_bang: |a, b| a | b;
    op_xor xor_bang: |a, b| a ^ b;
}

fn op_not(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let bytes = with(ctx, recv, |bytes| bytes.iter().map(|b| !b).collect())?;
    Ok(super::of_bytes(ctx, bytes))
}

fn not_bang(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with_mut(ctx, recv, |bytes| bytes.iter_mut().for_each(|b| *b = !*b))?;
    Ok(recv)
}

// -- transfers ----------------------------------------------------------------------------------

/// What a transfer answers for an open IO that was not opened for it, as the system call does: `elsewhere` for what is
/// no file.
fn refused(ctx: &mut Ctx, io: Value, way: u32, elsewhere: i32) -> Result<Option<Value>> {
    let state = state::open_or_frozen(ctx, io)?;
    let error = if state.has(state::mode::REGULAR) { libc::EBADF } else { elsewhere };
    Ok((!state.has(way)).then(|| Value::fixnum(-i64::from(error))))
}

/// `read(io, length = rest, offset = 0) -> bytes read`: at least `length` of them unless the file ends; 0 reads once.
/// What a non-blocking IO does not have yet is an error number with its sign changed.
fn read(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (length, offset) = length_offset(ctx, recv, args.from(1))?;
    super::check_range(ctx, recv, offset, length)?;
    if let Some(answer) = scheduler::io_buffer(ctx, "io_read", args.at(0), recv, None, length, offset)? {
        return Ok(answer);
    }
    let room = memory::size(ctx, recv) - offset;
    let io = open::to_io(ctx, args.at(0))?;
    if let Some(refused) = refused(ctx, io, state::mode::READ, libc::EBADF)? {
        return Ok(refused);
    }
    let io = state::readable(ctx, io)?;
    let mut bytes = Vec::new();
    loop {
        let left = room - bytes.len();
        if left == 0 {
            break;
        }
        match device::read_once(ctx, &io, &mut bytes, left)? {
            Err(e) if bytes.is_empty() => return Ok(Value::fixnum(-i64::from(e))),
            Ok(n) if n > 0 && bytes.len() < length => {}
            _ => break,
        }
    }
    store(ctx, recv, offset, &bytes)
}

/// `pread(io, from, length = rest, offset = 0) -> bytes read`: as `read`.
fn pread(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let from = ctx.to_int(args.at(1))?;
    let (length, offset) = length_offset(ctx, recv, args.from(2))?;
    super::check_range(ctx, recv, offset, length)?;
    if let Some(answer) = scheduler::io_buffer(ctx, "io_pread", args.at(0), recv, Some(args.at(1)), length, offset)? {
        return Ok(answer);
    }
    let room = memory::size(ctx, recv) - offset;
    let io = open::to_io(ctx, args.at(0))?;
    if let Some(refused) = refused(ctx, io, state::mode::READ, libc::ESPIPE)? {
        return Ok(refused);
    }
    let io = state::readable(ctx, io)?;
    let mut bytes = Vec::new();
    loop {
        let left = room - bytes.len();
        if left == 0 {
            break;
        }
        match device::pread(ctx, &io, left, from + bytes.len() as i64)? {
            Ok(part) => bytes.extend_from_slice(&part),
            Err(e) if bytes.is_empty() => return Ok(Value::fixnum(-i64::from(e))),
            Err(_) => break,
        }
        if bytes.len() >= length || room - bytes.len() == left {
            break;
        }
    }
    store(ctx, recv, offset, &bytes)
}

/// Puts what was read into the buffer, which may have changed while the thread waited.
fn store(ctx: &mut Ctx, recv: Value, offset: usize, bytes: &[u8]) -> Result {
    with_mut(ctx, recv, |_| ())?;
    super::check_range(ctx, recv, offset, bytes.len())?;
    with_mut(ctx, recv, |target| target[offset..offset + bytes.len()].copy_from_slice(bytes))?;
    Ok(Value::fixnum(bytes.len() as i64))
}

/// `write(io, length = rest, offset = 0) -> bytes written`: what lies behind the offset, until at least `length` are
/// written; 0 writes once. It goes past what the IO has buffered, and answers as `read` does where a non-blocking IO
/// takes nothing.
fn write(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (length, offset) = length_offset(ctx, recv, args.from(1))?;
    super::check_range(ctx, recv, offset, length)?;
    if let Some(answer) = scheduler::io_buffer(ctx, "io_write", args.at(0), recv, None, length, offset)? {
        return Ok(answer);
    }
    let room = memory::size(ctx, recv) - offset;
    let mut bytes = whole(ctx, recv, offset, room)?;
    let io = open::to_io(ctx, args.at(0))?;
    if let Some(refused) = refused(ctx, io, state::mode::WRITE, libc::EBADF)? {
        return Ok(refused);
    }
    let io = state::writable(ctx, io)?;
    let mut done = 0;
    while done < bytes.len() {
        match device::write_once(ctx, &io, &mut bytes, done)? {
            Ok(n) => done += n,
            Err(e) if done == 0 => return Ok(Value::fixnum(-i64::from(e))),
            Err(_) => break,
        }
        if done >= length {
            break;
        }
    }
    Ok(Value::fixnum(done as i64))
}

/// `pwrite(io, to, length = rest, offset = 0) -> bytes written`: as `write`.
fn pwrite(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (length, offset) = length_offset(ctx, recv, args.from(2))?;
    super::check_range(ctx, recv, offset, length)?;
    if let Some(answer) = scheduler::io_buffer(ctx, "io_pwrite", args.at(0), recv, Some(args.at(1)), length, offset)? {
        return Ok(answer);
    }
    let room = memory::size(ctx, recv) - offset;
    let bytes = whole(ctx, recv, offset, room)?;
    let text = Str::from_vec(ctx, bytes, Encoding::BINARY).value();
    let io = open::to_io(ctx, args.at(0))?;
    if let Some(refused) = refused(ctx, io, state::mode::WRITE, libc::ESPIPE)? {
        return Ok(refused);
    }
    ctx.call_name(io, "pwrite", &[text, args.at(1)])
}
