//! String: encoding, code range, characters, comparison and hash.

use super::{Str, TERMINATED};
use crate::Encoding;
use crate::ctx::Ctx;
use crate::object::hashing::{hash_bytes, hash_combine};
use std::cmp::Ordering;

pub use rubellite_encoding::CodeRange;

/// The bits of the header's 16-bit number that hold the code range: 0 means unknown.
const RANGE_SHIFT: u16 = 4;
const RANGE_MASK: u16 = 3 << RANGE_SHIFT;
const ENCODING_SHIFT: u16 = 6;
const ENCODING_MASK: u16 = 0xff << ENCODING_SHIFT;

/// The number of a String in that encoding, of whose bytes nothing is known.
#[inline(always)]
pub(super) fn encoding_bits(encoding: Encoding) -> u16 {
    (encoding.index() as u16) << ENCODING_SHIFT
}

fn range_bits(range: Option<CodeRange>) -> u16 {
    let code = match range {
        None => 0,
        Some(CodeRange::SevenBit) => 1,
        Some(CodeRange::Valid) => 2,
        Some(CodeRange::Broken) => 3,
    };
    code << RANGE_SHIFT
}

/// The code range of two strings of one encoding behind each other, as far as it follows.
fn joined(a: Option<CodeRange>, b: Option<CodeRange>) -> Option<CodeRange> {
    match (a?, b?) {
        (CodeRange::SevenBit, b) if b != CodeRange::Broken => Some(b),
        (CodeRange::Valid, CodeRange::SevenBit | CodeRange::Valid) => Some(CodeRange::Valid),
        _ => None,
    }
}

impl Str {
    #[inline(always)]
    /// What decides about joining this string with others.
    pub fn side(self, ctx: &Ctx) -> rubellite_encoding::Side {
        rubellite_encoding::Side { enc: self.encoding(), range: Some(self.code_range(ctx)), empty: self.is_empty() }
    }

    pub fn encoding(self) -> Encoding {
        Encoding::from_index(((self.header().aux() & ENCODING_MASK) >> ENCODING_SHIFT) as usize)
            .unwrap_or(Encoding::BINARY)
    }

    /// Changes the encoding and leaves the bytes as they are.
    pub fn set_encoding(self, encoding: Encoding) {
        if encoding == self.encoding() {
            return;
        }
        let ascii = self.cached_code_range() == Some(CodeRange::SevenBit);
        // SAFETY: no memory depends on the number of a String.
        unsafe { self.header().set_aux(encoding_bits(encoding)) };
        if ascii && encoding.is_ascii_compatible() {
            self.set_code_range(Some(CodeRange::SevenBit));
        }
    }

    // -- code range -----------------------------------------------------------------------

    /// What is already known about the bytes.
    #[inline(always)]
    pub fn cached_code_range(self) -> Option<CodeRange> {
        match self.header().aux() >> RANGE_SHIFT & 3 {
            0 => None,
            1 => Some(CodeRange::SevenBit),
            2 => Some(CodeRange::Valid),
            _ => Some(CodeRange::Broken),
        }
    }

    /// Notes what the caller knows about the bytes in their encoding; `None` forgets.
    #[inline(always)]
    pub fn set_code_range(self, range: Option<CodeRange>) {
        let aux = self.header().aux() & !RANGE_MASK;
        // SAFETY: as in `set_encoding`.
        unsafe { self.header().set_aux(aux | range_bits(range)) };
        // Code in C that asks for the address again may write again.
        self.header().clear(TERMINATED);
    }

    /// The code range; scans the bytes when it is not known yet.
    #[inline]
    pub fn code_range(self, ctx: &Ctx) -> CodeRange {
        match self.cached_code_range() {
            Some(range) => range,
            None => self.scan(ctx),
        }
    }

    #[inline(never)]
    fn scan(self, ctx: &Ctx) -> CodeRange {
        let range = self.encoding().code_range(self.bytes(ctx));
        self.set_code_range(Some(range));
        range
    }

    /// `String#ascii_only?`
    #[inline]
    pub fn is_ascii_only(self, ctx: &Ctx) -> bool {
        self.code_range(ctx) == CodeRange::SevenBit
    }

    /// `String#valid_encoding?`
    #[inline]
    pub fn is_valid(self, ctx: &Ctx) -> bool {
        self.code_range(ctx) != CodeRange::Broken
    }

    /// Whether character positions are byte positions.
    #[inline]
    pub fn single_byte_optimizable(self, ctx: &Ctx) -> bool {
        self.encoding().is_single_byte() || self.is_ascii_only(ctx)
    }

    /// Keeps the code range over an append of `bytes`, as far as it follows from these bytes alone.
    #[inline]
    pub(super) fn note_appended(self, bytes: &[u8]) {
        let known = self.cached_code_range();
        if known.is_none() || known == Some(CodeRange::SevenBit) && bytes.is_ascii() {
            return;
        }
        if known == Some(CodeRange::Broken) {
            return self.set_code_range(None);
        }
        let range = Some(self.encoding().code_range(bytes));
        self.set_code_range(joined(known, range));
    }

    /// The code range that this string will have after `other` was appended.
    pub(super) fn range_after_append(self, other: Str) -> Option<CodeRange> {
        let (mine, theirs) = (self.cached_code_range(), other.cached_code_range());
        if other.is_empty() {
            mine
        } else if self.encoding() == other.encoding()
            || theirs == Some(CodeRange::SevenBit) && self.encoding().is_ascii_compatible()
        {
            joined(mine, theirs)
        } else {
            None
        }
    }

    /// Whether this string, with `other` behind it, has the encoding that it has now, for certain.
    #[inline]
    pub(super) fn keeps_encoding(self, ctx: &Ctx, other: Str) -> bool {
        (self.header().aux() ^ other.header().aux()) & ENCODING_MASK == 0
            || !self.is_empty() && other.is_ascii_only(ctx) && self.encoding().is_ascii_compatible()
    }

    /// Bytes go away: parts of ASCII stay ASCII, other ranges are forgotten.
    #[inline]
    pub(super) fn forget_unless_ascii(self) {
        if self.cached_code_range() != Some(CodeRange::SevenBit) {
            self.set_code_range(None);
        }
    }

    // -- characters -----------------------------------------------------------------------

    /// The length in characters; each byte that belongs to none counts as one.
    #[inline]
    pub fn char_len(self, ctx: &Ctx) -> usize {
        if self.single_byte_optimizable(ctx) {
            return self.len();
        }
        self.encoding().char_count(self.bytes(ctx), self.cached_code_range())
    }

    /// The byte position of the character with index `nth`. The index behind the last character gives the
    /// length, a larger one nothing.
    #[inline]
    pub fn byte_offset(self, ctx: &Ctx, nth: usize) -> Option<usize> {
        if self.single_byte_optimizable(ctx) {
            return Some(nth).filter(|n| *n <= self.len());
        }
        self.encoding().byte_offset(self.bytes(ctx), self.cached_code_range(), nth)
    }

    /// The index of the character that begins at the byte position `pos`.
    #[inline]
    pub fn char_index(self, ctx: &Ctx, pos: usize) -> usize {
        if self.single_byte_optimizable(ctx) {
            return pos;
        }
        let bytes = self.bytes(ctx);
        self.encoding().char_index(bytes, self.cached_code_range(), pos)
    }

    /// The bytes of `len` characters from character `start` on (both clipped at the end); nothing when `start` lies
    /// behind the end. Negative starts are the caller's business.
    pub fn char_span(self, ctx: &Ctx, start: usize, len: usize) -> Option<std::ops::Range<usize>> {
        let from = self.byte_offset(ctx, start)?;
        if self.single_byte_optimizable(ctx) {
            return Some(from..from.saturating_add(len).min(self.len()));
        }
        let rest = &self.bytes(ctx)[from..];
        let count = self.encoding().byte_offset(rest, self.cached_code_range(), len);
        Some(from..count.map_or(self.len(), |n| from + n))
    }

    // -- comparison and hash --------------------------------------------------------------

    /// Whether bytes of these two strings may be compared: equal encodings, or what is not ASCII is in neither of
    /// them or only in one that extends ASCII.
    pub fn comparable(self, ctx: &Ctx, other: Str) -> bool {
        let (mine, theirs) = (self.encoding(), other.encoding());
        if mine == theirs || self.is_empty() || other.is_empty() {
            return true;
        }
        let (ascii, other_ascii) = (self.is_ascii_only(ctx), other.is_ascii_only(ctx));
        ascii && (other_ascii || theirs.is_ascii_compatible()) || other_ascii && mine.is_ascii_compatible()
    }

    /// `String#==` for two strings.
    #[inline]
    pub fn equal(self, ctx: &Ctx, other: Str) -> bool {
        self == other || self.len() == other.len() && self.bytes(ctx) == other.bytes(ctx) && self.comparable(ctx, other)
    }

    /// `String#<=>` for two strings: by bytes, then (when these are equal, but not comparable) by encoding.
    pub fn compare(self, ctx: &Ctx, other: Str) -> Ordering {
        let order = self.bytes(ctx).cmp(other.bytes(ctx));
        if order == Ordering::Equal && !self.comparable(ctx, other) {
            return self.encoding().index().cmp(&other.encoding().index());
        }
        order
    }

    /// The hash value; equal strings have equal ones.
    #[inline]
    pub fn hash(self, ctx: &Ctx) -> u64 {
        let hash = hash_bytes(ctx.hash_seed(), self.bytes(ctx));
        let encoding = self.encoding();
        if encoding == Encoding::UTF_8 || self.is_empty() || self.is_ascii_only(ctx) {
            return hash;
        }
        hash_combine(ctx.hash_seed(), hash, encoding.index() as u64)
    }

    /// The hash value of a String of these bytes.
    pub fn hash_of_bytes(ctx: &Ctx, bytes: &[u8], encoding: Encoding) -> u64 {
        let hash = hash_bytes(ctx.hash_seed(), bytes);
        if encoding == Encoding::UTF_8 || bytes.is_empty() || encoding.is_ascii_compatible() && bytes.is_ascii() {
            return hash;
        }
        hash_combine(ctx.hash_seed(), hash, encoding.index() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_code_ranges() {
        use CodeRange::{Broken, SevenBit, Valid};
        assert_eq!(joined(Some(SevenBit), Some(Valid)), Some(Valid));
        assert_eq!(joined(Some(Valid), Some(SevenBit)), Some(Valid));
        assert_eq!(joined(Some(SevenBit), Some(SevenBit)), Some(SevenBit));
        assert_eq!(joined(Some(Broken), Some(SevenBit)), None);
        assert_eq!(joined(None, Some(SevenBit)), None);
    }
}
