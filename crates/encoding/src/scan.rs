//! Fast scans of whole strings: ASCII prefixes and code ranges. Single characters are
//! `chars.rs`.

use crate::{CharLen, Encoding, Family};

/// What is known about a string's bytes in its encoding.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CodeRange {
    /// Only ASCII characters, in an ASCII-compatible encoding.
    SevenBit,
    /// Valid, with at least one character that is not ASCII.
    Valid,
    /// At least one byte that belongs to no character.
    Broken,
}

/// Number of leading bytes below 0x80.
pub fn ascii_prefix_len(bytes: &[u8]) -> usize {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut chunks = bytes.chunks_exact(32);
    let mut done = 0;
    for chunk in &mut chunks {
        let mut any = 0;
        for word in chunk.chunks_exact(8) {
            any |= u64::from_ne_bytes(word.try_into().unwrap_or([0xFF; 8]));
        }
        if any & HIGH != 0 {
            break;
        }
        done += 32;
    }
    let rest = &bytes[done..];
    done + rest.iter().position(|&b| b >= 0x80).unwrap_or(rest.len())
}

pub fn is_ascii(bytes: &[u8]) -> bool {
    bytes.is_ascii()
}

impl Encoding {
    /// Scans a whole string.
    pub fn code_range(self, bytes: &[u8]) -> CodeRange {
        if self.is_ascii_compatible() {
            let ascii = ascii_prefix_len(bytes);
            if ascii == bytes.len() {
                return CodeRange::SevenBit;
            }
            return match self.family() {
                Family::SingleByte => CodeRange::Valid,
                Family::UsAscii => CodeRange::Broken,
                Family::Utf8 if simdutf8::basic::from_utf8(&bytes[ascii..]).is_ok() => CodeRange::Valid,
                Family::Utf8 => CodeRange::Broken,
                _ => self.code_range_slow(&bytes[ascii..]),
            };
        }
        self.code_range_slow(bytes)
    }

    fn code_range_slow(self, bytes: &[u8]) -> CodeRange {
        let mut pos = 0;
        while pos < bytes.len() {
            match self.char_len(&bytes[pos..]) {
                CharLen::Valid(n) => pos += n,
                _ => return CodeRange::Broken,
            }
        }
        if bytes.is_empty() && self.is_ascii_compatible() { CodeRange::SevenBit } else { CodeRange::Valid }
    }

    /// `String#valid_encoding?`
    pub fn is_valid(self, bytes: &[u8]) -> bool {
        self.code_range(bytes) != CodeRange::Broken
    }

    /// `String#ascii_only?`
    pub fn is_ascii_only(self, bytes: &[u8]) -> bool {
        self.is_ascii_compatible() && is_ascii(bytes)
    }
}
