//! Which encoding two objects share when they are joined (`Encoding.compatible?`).

use crate::{CodeRange, Encoding};

/// One of the two objects.
#[derive(Copy, Clone, Debug)]
pub struct Side {
    pub enc: Encoding,
    /// The code range of a string; `None` for an object that is no string (Symbol, Regexp,
    /// Encoding).
    pub range: Option<CodeRange>,
    /// Whether it is an empty string.
    pub empty: bool,
}

impl Side {
    /// Describes a string by its bytes; scans them.
    pub fn string(enc: Encoding, bytes: &[u8]) -> Side {
        Side { enc, range: Some(enc.code_range(bytes)), empty: bytes.is_empty() }
    }

    /// Describes an object that is no string.
    pub fn object(enc: Encoding) -> Side {
        Side { enc, range: None, empty: false }
    }
}

/// The encoding of `a` joined with `b`, or none where they do not go together.
pub fn compatible(a: Side, b: Side) -> Option<Encoding> {
    if a.enc == b.enc {
        return Some(a.enc);
    }
    if b.range.is_some() && b.empty {
        return Some(a.enc);
    }
    let seven_bit = |side: Side| side.range == Some(CodeRange::SevenBit);
    if a.range.is_some() && b.range.is_some() && a.empty {
        return Some(if a.enc.is_ascii_compatible() && seven_bit(b) { a.enc } else { b.enc });
    }
    if !a.enc.is_ascii_compatible() || !b.enc.is_ascii_compatible() {
        return None;
    }
    match (a.range, b.range) {
        (_, None) if b.enc == Encoding::US_ASCII => Some(a.enc),
        (None, _) if a.enc == Encoding::US_ASCII => Some(b.enc),
        (Some(_), Some(_)) if seven_bit(b) => Some(a.enc),
        (Some(_), _) if seven_bit(a) => Some(b.enc),
        (None, Some(_)) if seven_bit(b) => Some(b.enc),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        let s = Side::string;
        let (u, e, b) = (Encoding::UTF_8, Encoding::EUC_JP, Encoding::BINARY);
        assert_eq!(compatible(s(u, b"a"), s(e, b"b")), Some(u));
        assert_eq!(compatible(s(u, b"a"), s(e, b"\xA4\xA2")), Some(e));
        assert_eq!(compatible(s(u, "é".as_bytes()), s(e, b"\xA4\xA2")), None);
        assert_eq!(compatible(s(u, b""), s(b, b"\xFF")), Some(b));
        assert_eq!(compatible(s(u, b""), s(b, b"a")), Some(u));
        assert_eq!(compatible(s(u, "é".as_bytes()), s(Encoding::UTF_16LE, b"")), Some(u));
        assert_eq!(compatible(s(u, b"a"), s(Encoding::UTF_16LE, b"a\0")), None);
    }

    #[test]
    fn objects() {
        let regexp = Side::object(Encoding::US_ASCII);
        assert_eq!(compatible(Side::string(Encoding::UTF_8, "é".as_bytes()), regexp), Some(Encoding::UTF_8));
        let fixed = Side::object(Encoding::EUC_JP);
        assert_eq!(compatible(Side::string(Encoding::UTF_8, b"a"), fixed), Some(Encoding::EUC_JP));
        assert_eq!(compatible(fixed, Side::object(Encoding::UTF_8)), None);
    }
}
