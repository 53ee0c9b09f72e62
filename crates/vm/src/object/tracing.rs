//! What the collector does with the layouts: tracing and freeing by type tag.

use super::*;
use rubellite_value::{Header, Tag, Value};

/// A view of the cell as layout `T`.
///
/// # Safety
/// The cell's tag is that of `T`, and the cell is live.
unsafe fn cell<'a, T>(value: Value) -> &'a T {
    // SAFETY: passed on to the caller.
    unsafe { &*value.as_ptr::<T>() }
}

/// Shows what the cell refers to, its class aside.
pub(crate) fn trace_layout(value: Value, mark: &mut dyn FnMut(Value)) {
    let Some(header) = value.header() else { return };
    // SAFETY: each arm reads the layout that belongs to the tag.
    unsafe {
        match header.tag() {
            Tag::Array => cell::<RArray>(value).trace(mark),
            Tag::Hash => cell::<RHash>(value).trace(mark),
            Tag::Range => cell::<RRange>(value).trace(mark),
            Tag::Rational => cell::<RRational>(value).trace(mark),
            Tag::Complex => cell::<RComplex>(value).trace(mark),
            Tag::MatchData => cell::<RMatch>(value).trace(mark),
            Tag::Data => cell::<RData>(value).trace(mark),
            Tag::Struct => strukt::trace_cell(value.as_ptr::<Header>(), mark),
            Tag::Binding => Binding::of(value).trace(mark),
            _ => {}
        }
    }
}

/// Frees what the cell owns; returns the bytes given back.
///
/// # Safety
/// The cell is being swept: nobody uses it any more, and this is called once.
pub(crate) unsafe fn release_layout(value: Value) -> usize {
    let Some(header) = value.header() else { return 0 };
    /// Drops the cell's content in place.
    unsafe fn drop_as<T>(value: Value, size: impl FnOnce(&T) -> usize) -> usize {
        let cell = value.as_ptr::<T>();
        // SAFETY: the tag says that this is a `T`; swept once.
        unsafe {
            let bytes = size(&*cell);
            std::ptr::drop_in_place(cell);
            bytes
        }
    }
    // SAFETY: each arm drops the layout that belongs to the tag.
    unsafe {
        match header.tag() {
            Tag::String => drop_as::<RString>(value, RString::memory_size),
            Tag::Array => drop_as::<RArray>(value, RArray::memory_size),
            Tag::Hash => drop_as::<RHash>(value, RHash::memory_size),
            Tag::Bignum => drop_as::<RBignum>(value, RBignum::memory_size),
            Tag::Regexp => drop_as::<RRegexp>(value, RRegexp::memory_size),
            Tag::MatchData => drop_as::<RMatch>(value, RMatch::memory_size),
            Tag::Data => drop_as::<RData>(value, RData::memory_size),
            Tag::Struct => {
                let bytes = Struct::of(value).memory_size();
                strukt::drop_cell(value.as_ptr::<Header>());
                bytes
            }
            _ => 0,
        }
    }
}
