//! Properties of characters by name and by number, for C code that asks for the engine's tables. The numbers are the
//! engine's, and behind them there are numbers for the ages, which `ages.rs` knows. Patterns do not come here.

use crate::engine::table;
use crate::{ages, engine};
use onig_sys as onig;
use rubellite_encoding::Encoding;
use std::ffi::c_int;

/// The first number of an age.
const AGES: u32 = 1 << 16;

/// What a property is true of.
pub struct Points {
    /// The first code point of which the ranges tell. What lies before it is asked one by one.
    pub first: u32,
    /// In order, both ends inside.
    pub ranges: Vec<(u32, u32)>,
}

/// The number of a property's name, in whatever spelling, if the encoding has it.
pub fn property(enc: Encoding, name: &[u8]) -> Option<u32> {
    engine::initialize();
    if enc.is_unicode()
        && let Some(age) = ages::number(name)
    {
        return Some(AGES + u32::from(age));
    }
    let span = name.as_ptr_range();
    // SAFETY: the table is one of the library's, initialized above; its function reads the bytes of the name.
    let number = unsafe {
        let table = table(enc);
        ((*table).property_name_to_ctype?)(table, span.start.cast_mut(), span.end.cast_mut())
    };
    // The property of line ends has a number and, in Ruby, no name.
    u32::try_from(number).ok().filter(|number| *number > 0)
}

/// The code points of a property. None where the encoding has no ranges of it.
pub fn points(enc: Encoding, property: u32) -> Option<Points> {
    engine::initialize();
    if property >= AGES {
        let ranges = ages::points(u16::try_from(property - AGES).ok()?)?;
        return Some(Points { first: 0, ranges });
    }
    let mut first = 0;
    let mut list: *const onig::OnigCodePoint = std::ptr::null();
    // SAFETY: a table of the library's, initialized above; its function knows its numbers, and writes where it gives 0.
    let status: c_int = unsafe { ((*table(enc)).get_ctype_code_range?)(property, &raw mut first, &raw mut list) };
    if status != 0 || list.is_null() {
        return None;
    }
    // SAFETY: the list is constant: the number of ranges, and that many pairs.
    let words = unsafe { std::slice::from_raw_parts(list, 1 + 2 * *list as usize) };
    Some(Points { first, ranges: words[1..].chunks_exact(2).map(|pair| (pair[0], pair[1])).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(name: &[u8]) -> Option<u32> {
        let found = points(Encoding::UTF_8, property(Encoding::UTF_8, name)?)?;
        Some(found.ranges.iter().map(|(start, end)| end - start + 1).sum())
    }

    #[test]
    fn names_and_their_points() {
        assert_eq!(property(Encoding::UTF_8, b"Alpha"), Some(1));
        assert_eq!(property(Encoding::UTF_8, b"x-di_GIT"), Some(11));
        assert_eq!(count(b"ASCII"), Some(128));
        assert_eq!(count(b"Any"), Some(0x11_0000));
        assert_eq!(count(b"Surrogate"), Some(2048));
        assert_eq!(count(b"Age=1.1"), Some(33_979));
        for name in ["", "Newline", "^Alpha", "nothing", "Age=99.0", "Gr\u{fc}n"] {
            assert_eq!(property(Encoding::UTF_8, name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn other_encodings_and_numbers() {
        assert!(property(Encoding::EUC_JP, b"Hiragana").is_some());
        assert!(points(Encoding::US_ASCII, 1).is_none());
        assert!(points(Encoding::UTF_8, 60_000).is_none());
        assert!(points(Encoding::UTF_8, AGES).is_none());
        assert!(points(Encoding::UTF_8, u32::MAX).is_none());
    }
}
