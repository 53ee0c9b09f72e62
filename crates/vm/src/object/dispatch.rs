//! What the collector does with cells of the types in this folder whose layout is plain: tracing, freeing and
//! measuring by tag. Types with a life of their own (classes, procs, environments, code) see to themselves.

use super::{
    RArray, RBignum, RCData, RComplex, RData, RFloat, RHash, RMatch, RRange, RRational, RRegexp, RString, Struct,
    strukt,
};
use rubellite_gc::{Marker, PART, Part};
use rubellite_value::{Header, Tag, Value};

/// Shows the values that `cell` refers to, its class excepted.
pub(crate) fn trace_layout<F: FnMut(Value)>(cell: Value, visit: F) {
    let Some(header) = cell.header() else { return };
    // SAFETY: the tag names the layout of the cell, which is alive.
    unsafe {
        match header.tag() {
            Tag::Array => (*cell.as_ptr::<RArray>()).trace(visit),
            Tag::Hash => (*cell.as_ptr::<RHash>()).trace(visit),
            Tag::Range => (*cell.as_ptr::<RRange>()).trace(visit),
            Tag::Rational => (*cell.as_ptr::<RRational>()).trace(visit),
            Tag::Complex => (*cell.as_ptr::<RComplex>()).trace(visit),
            Tag::MatchData => (*cell.as_ptr::<RMatch>()).trace(visit),
            Tag::Struct => strukt::trace_cell(cell.as_ptr::<Header>(), visit),
            Tag::Data => (*cell.as_ptr::<RData>()).trace(visit),
            Tag::Binding => super::Binding::known(cell).trace(visit),
            _ => {}
        }
    }
}

/// Arrays and Hashes with more elements are traced in parts.
const LONG: usize = 4 * PART;

/// How many elements an Array or a Hash has for the collector, and the generation of their places.
fn extent(cell: Value) -> (u32, usize) {
    // SAFETY: the tag names the layout of the cell, which is alive.
    unsafe {
        match cell.header().map(Header::tag) {
            Some(Tag::Array) => (0, (*cell.as_ptr::<RArray>()).elements().len()),
            Some(Tag::Hash) => (*cell.as_ptr::<RHash>()).extent(),
            _ => (0, 0),
        }
    }
}

/// The generation of an Array or a Hash that is so long that it is traced in parts.
pub(crate) fn long_generation(cell: Value) -> Option<u32> {
    let (generation, len) = extent(cell);
    (len > LONG).then_some(generation)
}

/// The number of elements of an Array or of entries of a Hash if it is long, else 0.
///
/// # Safety
/// `cell` is a live cell.
pub(crate) unsafe fn many(cell: *mut Header) -> usize {
    // SAFETY: by contract.
    let (_, len) = extent(unsafe { Value::from_ptr(cell) });
    if len > LONG { len } else { 0 }
}

/// Marks what the next elements of a long Array or Hash refer to; false if they were the last ones. The elements of a
/// Hash whose places have changed are marked from the first one on.
pub(crate) fn trace_part(cell: Value, part: &mut Part, marker: &mut Marker) -> bool {
    let (generation, len) = extent(cell);
    if generation != part.generation {
        (part.at, part.generation) = (0, generation);
    }
    let positions = part.at.min(len)..(part.at + PART).min(len);
    part.at = positions.end;
    // SAFETY: the tag names the layout of the cell, which is alive.
    unsafe {
        match cell.header().map(Header::tag) {
            Some(Tag::Array) => {
                marker.mark_slice((*cell.as_ptr::<RArray>()).elements().get(positions).unwrap_or_default())
            }
            Some(Tag::Hash) => (*cell.as_ptr::<RHash>()).trace_some(positions, |v| marker.mark(v)),
            _ => {}
        }
    }
    part.at < len
}

/// Bytes of malloc memory that `cell` owns.
pub(crate) fn layout_memory_size(cell: Value) -> usize {
    let Some(header) = cell.header() else { return 0 };
    // SAFETY: the tag names the layout of the cell, which is alive.
    unsafe {
        match header.tag() {
            Tag::String => (*cell.as_ptr::<RString>()).memory_size(),
            Tag::Array => (*cell.as_ptr::<RArray>()).memory_size(),
            Tag::Hash => (*cell.as_ptr::<RHash>()).memory_size(),
            Tag::Bignum => (*cell.as_ptr::<RBignum>()).memory_size(),
            Tag::Regexp => (*cell.as_ptr::<RRegexp>()).memory_size(),
            Tag::MatchData => (*cell.as_ptr::<RMatch>()).memory_size(),
            Tag::Struct => Struct::known(cell).memory_size(),
            Tag::Data => (*cell.as_ptr::<RData>()).memory_size(),
            Tag::CData => (*cell.as_ptr::<RCData>()).memory_size(),
            _ => 0,
        }
    }
}

/// Frees what `cell` owns; returns the malloc bytes given back.
///
/// # Safety
/// The cell is dead and its content intact; it is not used afterwards.
#[inline]
pub(crate) unsafe fn release_layout(cell: Value) -> usize {
    let Some(header) = cell.header() else { return 0 };
    // An extension's own function may look at objects that this one refers to, which may be gone; what it has asked for
    // it gives back itself.
    let bytes = if header.tag() == Tag::CData { 0 } else { layout_memory_size(cell) };
    // SAFETY: the tag names the layout; the caller guarantees that this happens once.
    unsafe {
        match header.tag() {
            Tag::String => cell.as_ptr::<RString>().drop_in_place(),
            Tag::Array => cell.as_ptr::<RArray>().drop_in_place(),
            Tag::Hash => cell.as_ptr::<RHash>().drop_in_place(),
            Tag::Bignum => cell.as_ptr::<RBignum>().drop_in_place(),
            Tag::Float => cell.as_ptr::<RFloat>().drop_in_place(),
            Tag::Regexp => cell.as_ptr::<RRegexp>().drop_in_place(),
            Tag::MatchData => cell.as_ptr::<RMatch>().drop_in_place(),
            Tag::Struct => strukt::drop_cell(cell.as_ptr::<Header>()),
            Tag::Data => cell.as_ptr::<RData>().drop_in_place(),
            Tag::CData => return if (*cell.as_ptr::<RCData>()).free() { 0 } else { rubellite_gc::KEPT },
            _ => {}
        }
    }
    bytes
}
