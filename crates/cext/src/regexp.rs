//! Matching for C code that runs the engine itself: a Regexp, a String, and a part of it that begins anywhere; and the
//! engine's properties of characters.

use crate::encoding::{Structure, encoding_of, range};
use crate::state::api;
use rubellite_core_text::regexp::properties;
use rubellite_core_text::regexp::search::{Ask, give_captures, run_part, take_captures};
use rubellite_vm::object::{MatchData, Regexp};
use rubellite_vm::{Ctx, Value};
use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_long, c_uint, c_void};
use std::sync::Mutex;

/// `struct re_registers`.
#[repr(C)]
pub struct Registers {
    allocated: c_int,
    count: c_int,
    begin: *mut isize,
    end: *mut isize,
}

/// Fills the registers, whose arrays are of malloc.
///
/// # Safety
/// `registers` is null or the address of registers.
unsafe fn fill(
    ctx: &mut Ctx,
    registers: *mut Registers,
    count: usize,
    group: impl Fn(usize) -> Option<(usize, usize)>,
) -> rubellite_vm::Result<()> {
    // SAFETY: by contract.
    let Some(registers) = (unsafe { registers.as_mut() }) else { return Ok(()) };
    if (registers.allocated as usize) < count {
        let bytes = count * size_of::<isize>();
        // SAFETY: the arrays are null or of malloc.
        unsafe {
            registers.begin = libc::realloc(registers.begin.cast::<c_void>(), bytes).cast();
            registers.end = libc::realloc(registers.end.cast::<c_void>(), bytes).cast();
        }
        if registers.begin.is_null() || registers.end.is_null() {
            return Err(ctx.no_memory());
        }
        registers.allocated = count as c_int;
    }
    registers.count = count as c_int;
    for i in 0..count {
        let (begin, end) = group(i).map_or((-1, -1), |(begin, end)| (begin as isize, end as isize));
        // SAFETY: both arrays have room for `count` words.
        unsafe {
            *registers.begin.add(i) = begin;
            *registers.end.add(i) = end;
        }
    }
    Ok(())
}

/// What C code has asked for, and keeps: the first point, and the number of ranges before their ends.
type Lists = BTreeMap<(usize, c_uint), Option<(u32, &'static [u32])>>;

static LISTS: Mutex<Lists> = Mutex::new(BTreeMap::new());

api! {
    /// The number of a property, or -1.
    fn rbl_c_property(ctx, start: *const c_char, end: *const c_char, structure: *const Structure) -> c_int {
        // SAFETY: one of ours, and the C code's bytes.
        let (encoding, name) = unsafe { (encoding_of(structure), range(start, end)) };
        Ok(properties::property(encoding, name).map_or(-1, |number| number as c_int))
    }

    /// The list of a property's ranges, which lives for ever; null where there is none.
    fn rbl_c_property_list(ctx, property: c_uint, first: *mut u32, structure: *const Structure) -> *const u32 {
        // SAFETY: one of ours.
        let encoding = unsafe { encoding_of(structure) };
        let mut lists = LISTS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = lists.entry((encoding.index(), property)).or_insert_with(|| {
            let points = properties::points(encoding, property)?;
            let pairs = points.ranges.iter().flat_map(|(start, end)| [*start, *end]);
            let list: Vec<u32> = std::iter::once(points.ranges.len() as u32).chain(pairs).collect();
            Some((points.first, &*list.leak()))
        });
        let Some((point, list)) = *known else { return Ok(std::ptr::null()) };
        // SAFETY: the shim's variable.
        unsafe { first.write(point) };
        Ok(list.as_ptr())
    }

    /// Matches at `at`, or searches from there, in the part of the string that begins at `base`, from which all
    /// positions count: the
    /// position of the match, for a match at one position its length, or -1.
    fn rbl_c_reg_part(
        ctx, regexp: Value, string: Value, base: c_long, at: c_long, search: c_int, registers: *mut Registers,
    ) -> c_long {
        let string = crate::text::str_of(ctx, string)?;
        let Some(regexp) = Regexp::try_of(regexp) else {
            return Err(ctx.type_error("wrong argument type (expected Regexp)"));
        };
        let ask = if search == 0 { Ask::At } else { Ask::Forward };
        let mut captures = take_captures(ctx);
        let outcome = run_part(ctx, regexp, string, base.max(0) as usize, at.max(0) as usize, ask, &mut captures);
        let mut found = -1;
        if outcome == Ok(true) {
            if let Some((begin, end)) = captures.get(0) {
                found = if search == 0 { end as c_long - at } else { begin as c_long };
            }
            // SAFETY: null or the C code's registers.
            unsafe { fill(ctx, registers, captures.len(), |i| captures.get(i))? };
        }
        give_captures(ctx, captures);
        outcome?;
        Ok(found)
    }

    /// The groups of a match.
    fn rbl_c_match_groups(ctx, matched: Value, registers: *mut Registers) {
        let Some(matched) = MatchData::try_of(matched) else {
            return Err(ctx.type_error("wrong argument type (expected MatchData)"));
        };
        let ends = |range: std::ops::Range<usize>| (range.start, range.end);
        let groups: Vec<Option<(usize, usize)>> =
            matched.spans(ctx).iter().map(|span| span.range().map(ends)).collect();
        // SAFETY: the shim's registers.
        unsafe { fill(ctx, registers, groups.len(), |i| groups[i]) }
    }
}
