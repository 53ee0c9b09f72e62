//! IO::Buffer: numbers, strings and bit masks in the bytes, and transfers from and to IOs.

use super::memory::{self, with, with_mut};
use super::{length_offset, offset_length, positive, whole};
use crate::concurrency::scheduler;
use crate::system::io::{device, mode, open, state};
use rubellite_vm::object::{Int, Str};
use rubellite_vm::{Args, Arity, Ctx, Encoding, MethodDef, Result, Value, method};

pub const METHODS: &[MethodDef] = &[
    method("get_value", Arity::exact(2), get_value),
    method("set_value", Arity::exact(3), set_value),
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

/// ArgumentError for what names no type.
pub fn type_of(ctx: &mut Ctx, value: Value) -> Result<Type> {
    let name = value.as_symbol().map(|sym| ctx.sym_str(sym)).unwrap_or_default();
    let bits = name.get(1..).and_then(|digits| digits.parse::<usize>().ok()).unwrap_or(0);
    let letter = name.bytes().next().unwrap_or(0);
    let float = letter.eq_ignore_ascii_case(&b'f');
    let known = match letter {
        b'U' | b'S' => matches!(bits, 8 | 16 | 32 | 64),
        b'u' | b's' => matches!(bits, 16 | 32 | 64),
        b'f' | b'F' => matches!(bits, 32 | 64),
        _ => false,
    };
    if !known {
        return Err(ctx.argument_error("Invalid type name!"));
    }
    Ok(Type { bytes: bits / 8, signed: letter.eq_ignore_ascii_case(&b's'), float, big_endian: letter.is_ascii_uppercase() })
}

fn check_type(ctx: &mut Ctx, recv: Value, kind: Type, offset: usize) -> Result<()> {
    let size = memory::size(ctx, recv);
    if offset.checked_add(kind.bytes).is_none_or(|end| end > size) {
        return Err(ctx.argument_error(&format!("Type extends beyond end of buffer! (offset={offset} > size={size})")));
    }
    Ok(())
}

/// `get_value(type, offset) -> number`
fn get_value(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let offset = positive(ctx, args.at(1), "Offset")?;
    let kind = type_of(ctx, args.at(0))?;
    with(ctx, recv, |_| ())?;
    check_type(ctx, recv, kind, offset)?;
    let mut raw = [0u8; 8];
    with(ctx, recv, |bytes| raw[..kind.bytes].copy_from_slice(&bytes[offset..offset + kind.bytes]))?;
    if kind.big_endian {
        raw[..kind.bytes].reverse();
    }
    let bits = u64::from_le_bytes(raw);
    if kind.float {
        let number = if kind.bytes == 4 { f32::from_bits(bits as u32) as f64 } else { f64::from_bits(bits) };
        return Ok(ctx.float(number));
    }
    let spare = 64 - 8 * kind.bytes as u32;
    Ok(if kind.signed { ctx.int((bits << spare) as i64 >> spare) } else { ctx.uint(bits) })
}

/// `set_value(type, offset, number) -> offset behind it`
fn set_value(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let offset = positive(ctx, args.at(1), "Offset")?;
    let kind = type_of(ctx, args.at(0))?;
    with_mut(ctx, recv, |_| ())?;
    check_type(ctx, recv, kind, offset)?;
    let bits = match (kind.float, kind.bytes) {
        (true, 4) => (ctx.to_float(args.at(2))? as f32).to_bits() as u64,
        (true, _) => ctx.to_float(args.at(2))?.to_bits(),
        (false, 8) => {
            let number = ctx.to_integer(args.at(2))?;
            Int::of(number).map_or(0, |n| n.low_u64())
        }
        (false, _) => {
            let number = ctx.to_int(args.at(2))?;
            let fits = if kind.signed { i32::try_from(number).is_ok() } else { (i32::MIN as i64..=u32::MAX as i64).contains(&number) };
            if !fits {
                let (size, name) = (if number < 0 { "small" } else { "big" }, if kind.signed { "int" } else { "unsigned int" });
                return Err(ctx.range_error(&format!("integer {number} too {size} to convert to '{name}'")));
            }
            number as u64
        }
    };
    let mut raw = bits.to_le_bytes();
    if kind.big_endian {
        raw[..kind.bytes].reverse();
    }
    // The conversion may have changed the buffer.
    check_type(ctx, recv, kind, offset)?;
    with_mut(ctx, recv, |bytes| bytes[offset..offset + kind.bytes].copy_from_slice(&raw[..kind.bytes]))?;
    Ok(Value::fixnum((offset + kind.bytes) as i64))
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
    let source = ctx.to_str(args.at(0))?.bytes(ctx).to_vec();
    copy_from(ctx, recv, &source, args)
}

/// `copy(buffer, offset = 0, length = all, source_offset = 0) -> bytes`
fn copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let source = with(ctx, args.at(0), <[u8]>::to_vec)?;
    copy_from(ctx, recv, &source, args)
}

fn copy_from(ctx: &mut Ctx, recv: Value, source: &[u8], args: Args) -> Result {
    let offset = if args.len() > 1 { positive(ctx, args.at(1), "Offset")? } else { 0 };
    let from = if args.len() > 3 { positive(ctx, args.at(3), "Offset")? } else { 0 };
    if from > source.len() {
        return Err(ctx.argument_error("The given source offset is bigger than the source itself!"));
    }
    let length = match args.non_nil(2) {
        Some(length) => positive(ctx, length, "Length")?,
        None => source.len() - from,
    };
    with_mut(ctx, recv, |_| ())?;
    super::check_range(ctx, recv, offset, length)?;
    if from.checked_add(length).is_none_or(|end| end > source.len()) {
        return Err(ctx.argument_error("The computed source range exceeds the size of the source buffer!"));
    }
    with_mut(ctx, recv, |bytes| bytes[offset..offset + length].copy_from_slice(&source[from..from + length]))?;
    Ok(Value::fixnum(length as i64))
}

/// `clear(byte = 0, offset = 0, length = rest) -> self`
fn clear(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let byte = if args.is_empty() { 0 } else { ctx.to_int(args.at(0))? as u8 };
    let (offset, length) = offset_length(ctx, recv, args.from(1.min(args.len())))?;
    with_mut(ctx, recv, |_| ())?;
    super::check_range(ctx, recv, offset, length)?;
    with_mut(ctx, recv, |bytes| bytes[offset..offset + length].fill(byte))?;
    Ok(recv)
}

// -- masks ------------------------------------------------------------------------------------

fn mask_of(ctx: &mut Ctx, value: Value) -> Result<Vec<u8>> {
    let mask = with(ctx, value, <[u8]>::to_vec)?;
    if mask.is_empty() { Err(ctx.raise_error("IO::Buffer::MaskError", "Zero-length mask given!")) } else { Ok(mask) }
}

fn masked(ctx: &mut Ctx, recv: Value, mask: Value, combine: fn(u8, u8) -> u8) -> Result {
    let mask = mask_of(ctx, mask)?;
    let bytes = with(ctx, recv, |bytes| bytes.iter().zip(mask.iter().cycle()).map(|(a, b)| combine(*a, *b)).collect())?;
    Ok(super::of_bytes(ctx, bytes))
}

fn mask_in_place(ctx: &mut Ctx, recv: Value, mask: Value, combine: fn(u8, u8) -> u8) -> Result {
    let bytes = mask_of(ctx, mask)?;
    with_mut(ctx, recv, |_| ())?;
    let (here, there) = (memory::address(ctx, recv), memory::address(ctx, mask));
    if here < there + bytes.len() && there < here + memory::size(ctx, recv) {
        return Err(ctx.raise_error("IO::Buffer::MaskError", "Mask overlaps source buffer!"));
    }
    with_mut(ctx, recv, |target| target.iter_mut().zip(bytes.iter().cycle()).for_each(|(a, b)| *a = combine(*a, *b)))?;
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

/// `write(io, length = rest, offset = 0) -> bytes written`: at least `length` of those behind the offset; 0 writes once. It
/// goes past what the IO has buffered, and answers as `read` does where a non-blocking IO takes nothing.
fn write(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (length, offset) = length_offset(ctx, recv, args.from(1))?;
    super::check_range(ctx, recv, offset, length)?;
    if let Some(answer) = scheduler::io_buffer(ctx, "io_write", args.at(0), recv, None, length, offset)? {
        return Ok(answer);
    }
    let room = memory::size(ctx, recv) - offset;
    let mut bytes = whole(ctx, recv, offset, if length == 0 { room } else { length })?;
    let io = open::to_io(ctx, args.at(0))?;
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
    let bytes = whole(ctx, recv, offset, if length == 0 { room } else { length })?;
    let text = Str::from_vec(ctx, bytes, Encoding::BINARY).value();
    let io = open::to_io(ctx, args.at(0))?;
    ctx.call_name(io, "pwrite", &[text, args.at(1)])
}
