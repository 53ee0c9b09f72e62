//! Integer: bits. Numbers behave as two's complement of unlimited width.

use super::of;
use crate::coerce::coerce_bit;
use crate::num;
use rubellite_vm::object::integer as int;
use rubellite_vm::object::{Int, Range, TooBig};
use rubellite_vm::{Args, Ctx, Result, Value};

pub fn op_and(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match (recv.as_fixnum(), args.at(0).as_fixnum(), Int::try_of(args.at(0))) {
        (Some(a), Some(b), _) => Ok(Value::fixnum(a & b)),
        (_, _, Some(other)) => Ok(of(recv).and(&other).into_value(ctx)),
        _ => {
            let op = ctx.names().op_and;
            coerce_bit(ctx, recv, args.at(0), op)
        }
    }
}

pub fn op_or(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match (recv.as_fixnum(), args.at(0).as_fixnum(), Int::try_of(args.at(0))) {
        (Some(a), Some(b), _) => Ok(Value::fixnum(a | b)),
        (_, _, Some(other)) => Ok(of(recv).or(&other).into_value(ctx)),
        _ => {
            let op = ctx.names().op_or;
            coerce_bit(ctx, recv, args.at(0), op)
        }
    }
}

pub fn op_xor(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    match (recv.as_fixnum(), args.at(0).as_fixnum(), Int::try_of(args.at(0))) {
        (Some(a), Some(b), _) => Ok(Value::fixnum(a ^ b)),
        (_, _, Some(other)) => Ok(of(recv).xor(&other).into_value(ctx)),
        _ => {
            let op = ctx.names().op_xor;
            coerce_bit(ctx, recv, args.at(0), op)
        }
    }
}

pub fn op_tilde(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    match recv.as_fixnum() {
        Some(n) => Ok(Value::fixnum(!n)),
        None => Ok(of(recv).not().into_value(ctx)),
    }
}

pub fn op_shl(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let width = ctx.to_integer(args.at(0))?;
    shifted(ctx, of(recv).shl(&of(width)))
}

pub fn op_shr(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let width = ctx.to_integer(args.at(0))?;
    shifted(ctx, of(recv).shr(&of(width)))
}

fn shifted(ctx: &mut Ctx, result: std::result::Result<Int, TooBig>) -> Result {
    match result {
        Ok(value) => Ok(value.into_value(ctx)),
        Err(TooBig) => Err(ctx.range_error("shift width too big")),
    }
}

/// `int[offset]`, `int[offset, size]`, `int[range]`
pub fn op_aref(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let Some(size) = args.get(1) {
        return field(ctx, recv, args.at(0), size);
    }
    if let Some(range) = Range::try_of(args.at(0)) {
        return range_field(ctx, recv, range);
    }
    let n = of(recv);
    let index = match recv.is_fixnum() || num::is_integer(args.at(0)) {
        true => {
            let index = ctx.to_integer(args.at(0))?;
            of(index)
        }
        false => Int::from(ctx.to_int(args.at(0))?),
    };
    let bit = match index {
        Int::Small(i) if i < 0 => false,
        Int::Small(i) => n.bit(i as u64),
        index => !index.is_negative() && n.is_negative(),
    };
    Ok(Value::fixnum(bit as i64))
}

/// The `size` bits from `begin` on. Bits that a big integer does not have cost nothing.
fn field(ctx: &mut Ctx, recv: Value, begin: Value, size: Value) -> Result {
    let shifted = shift_right(ctx, recv, begin)?;
    let size = ctx.to_integer(size)?;
    let width = of(size).to_u64().filter(|_| !recv.is_fixnum() && !of(recv).is_negative());
    if width.is_some_and(|width| of(shifted).bit_length() <= width) {
        return Ok(shifted);
    }
    let mask = low_mask(ctx, size)?;
    Ok(of(shifted).and(&mask).into_value(ctx))
}

fn shift_right(ctx: &mut Ctx, recv: Value, width: Value) -> Result {
    let width = ctx.to_integer(width)?;
    shifted(ctx, of(recv).shr(&of(width)))
}

/// `(1 << size) - 1`
fn low_mask(ctx: &mut Ctx, size: Value) -> Result<Int> {
    let size = ctx.to_integer(size)?;
    let power = shifted(ctx, Int::ONE.shl(&of(size)))?;
    Ok(of(power).sub(&Int::ONE))
}

fn range_field(ctx: &mut Ctx, recv: Value, range: Range) -> Result {
    let (begin, end) = (range.begin(), range.end());
    if begin.is_nil() {
        let negative_end = !end.is_nil() && num::is_negative(ctx, end)?;
        if !negative_end {
            let last = ctx.to_integer(end)?;
            let last = if range.exclude_end() { last } else { int::add(ctx, last, Value::fixnum(1)) };
            let mask = low_mask(ctx, last)?;
            if of(recv).and(&mask).is_zero() {
                return Ok(Value::fixnum(0));
            }
            return Err(ctx.argument_error("The beginless range for Integer#[] results in infinity"));
        }
        return Ok(Value::fixnum(0));
    }
    let begin = ctx.to_integer(begin)?;
    if end.is_nil() {
        return shift_right(ctx, recv, begin);
    }
    let end = ctx.to_integer(end)?;
    if int::cmp(begin, end).is_gt() {
        return shift_right(ctx, recv, begin);
    }
    let width = int::sub(ctx, end, begin);
    let width = if range.exclude_end() { width } else { int::add(ctx, width, Value::fixnum(1)) };
    field(ctx, recv, begin, width)
}

pub fn allbits_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mask = ctx.to_integer(args.at(0))?;
    let mask = of(mask);
    Ok(Value::from_bool(of(recv).and(&mask) == mask))
}

pub fn anybits_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mask = ctx.to_integer(args.at(0))?;
    Ok(Value::from_bool(!of(recv).and(&of(mask)).is_zero()))
}

pub fn nobits_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mask = ctx.to_integer(args.at(0))?;
    Ok(Value::from_bool(of(recv).and(&of(mask)).is_zero()))
}

pub fn bit_length(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let bits = of(recv).bit_length();
    Ok(ctx.uint(bits))
}

/// The bytes of a machine word, or of the words that a big number needs.
pub fn size(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    match recv.is_fixnum() {
        true => Ok(Value::fixnum(8)),
        false => {
            let bits = of(recv).abs().bit_length();
            Ok(Value::fixnum(bits.div_ceil(8).max(8) as i64))
        }
    }
}
