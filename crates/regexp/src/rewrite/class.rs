//! Bracket classes and properties. `\w \d \s` are written out, for they mean ASCII; what the engine says of ranges that
//! begin or end in a class is said here for those.

use super::{Range, Rewriter};
use crate::ages;
use crate::comments::{is_overlong, posix_len};
use crate::extent::Extent;

/// What stands in front of the next part of a class.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Before {
    /// Nothing that could begin a range.
    Whole,
    Char,
    /// A character and a hyphen.
    Open,
}

impl Rewriter<'_> {
    /// A property in an encoding whose tables know few of them and only in one spelling, while Ruby takes any.
    pub(super) fn property(&mut self, text: &[u8]) {
        const NAMES: [&str; 20] = [
            "Alnum", "Alpha", "Blank", "Cntrl", "Digit", "Graph", "Lower", "Print", "Punct", "Space", "Upper",
            "XDigit", "ASCII", "Word", "Hiragana", "Katakana", "Han", "Latin", "Greek", "Cyrillic",
        ];
        let given = &text[3..text.len() - 1];
        let negated = given.starts_with(b"^");
        let plain = &given[negated as usize..];
        let known = NAMES.iter().find(|name| name.as_bytes().eq_ignore_ascii_case(plain));
        self.out.extend_from_slice(&text[..3]);
        self.out.extend_from_slice(&given[..negated as usize]);
        self.out.extend_from_slice(known.map_or(plain, |name| name.as_bytes()));
        self.out.push(b'}');
        self.pos += text.len();
    }

    /// The characters of an age, in place of the property of `len` bytes.
    pub(super) fn age(&mut self, mut class: Vec<u8>, inverse: bool, len: usize) {
        if inverse {
            class.splice(..0, *b"[^");
            class.push(b']');
        }
        self.out.extend(class);
        self.pos += len;
    }

    /// A bracket class with everything nested in it.
    pub(super) fn class(&mut self) {
        self.mark_solid();
        let atom = self.out.len();
        let wrap = self.range == Range::Ascii;
        if wrap {
            self.out.extend_from_slice(b"(?P:");
        }
        let mut depth = 0;
        let mut first = false;
        let mut before = Before::Whole;
        while let Some(&b) = self.rest().first() {
            let rest = self.rest();
            let at_start = std::mem::take(&mut first);
            let front = before;
            before = behind(front, rest);
            match b {
                // The joiners of Unicode are parts of words.
                b'[' if rest.starts_with(b"[:word:]") && depth > 0 && !wrap && self.enc.is_utf8_family() => {
                    self.out.extend_from_slice("\u{200c}\u{200d}".as_bytes());
                    self.copy(b"[:word:]".len());
                }
                b'[' if rest.starts_with(b"[:") && depth > 0 && posix_len(rest) > 0 => self.copy(posix_len(rest)),
                // To the engine longer names are such, too.
                b'[' if depth > 0 && is_overlong(rest) => {
                    self.out.push(b'\\');
                    self.copy(1);
                }
                b'[' => {
                    depth += 1;
                    self.copy(1);
                    if self.rest().first() == Some(&b'^') {
                        self.copy(1);
                    }
                    first = true;
                }
                b']' if at_start && rest[1..].contains(&b']') => self.copy(1),
                b']' => {
                    depth -= 1;
                    self.copy(1);
                    if depth == 0 {
                        break;
                    }
                }
                b'\\' if rest.len() > 1 => self.class_escape(rest[1], front),
                _ => self.copy(self.enc.step_len(rest).max(1)),
            }
        }
        if wrap {
            self.out.push(b')');
        }
        self.atom_end(atom, false, Extent::CLASS);
    }

    fn class_escape(&mut self, b: u8, front: Before) {
        let expansion: &[u8] = match b {
            b'w' => b"a-zA-Z0-9_",
            b'W' => b"[^a-zA-Z0-9_]",
            b'd' => b"0-9",
            b'D' => b"[^0-9]",
            b's' => b"\\t-\\r\\x20",
            b'S' => b"[^\\t-\\r\\x20]",
            _ => b"",
        };
        let rest = self.rest();
        let age = match rest.iter().position(|c| *c == b'}') {
            Some(end) if matches!(b, b'p' | b'P') && rest.get(2) == Some(&b'{') && self.enc.is_utf8_family() => {
                ages::class(&rest[3..end]).map(|class| (class, end + 1))
            }
            _ => None,
        };
        match (b, age) {
            (_, Some((class, len))) => self.age(class, b == b'P', len),
            (b'N' | b'O' | b'Q' | b'E' | b'o', _) => {
                self.out.push(b);
                self.pos += 2;
            }
            _ if expansion.is_empty() || self.range != Range::Default => {
                self.copy(1 + self.enc.step_len(&self.rest()[1..]).max(1));
            }
            _ => {
                if front == Before::Open {
                    self.error = Some("char-class value at end of range");
                } else if opens_range(&rest[2..]) {
                    self.error = Some("unmatched range specifier in char-class");
                }
                self.out.extend_from_slice(expansion);
                self.pos += 2;
            }
        }
    }
}

/// What is in front of the part behind the one with which `rest` begins.
fn behind(front: Before, rest: &[u8]) -> Before {
    match rest {
        [b'-', ..] if front == Before::Char => Before::Open,
        [b'[' | b']', ..] | [b'&', b'&', ..] => Before::Whole,
        [b'\\', letter, ..] if b"wWdDsShHpPRX".contains(letter) => Before::Whole,
        _ if front == Before::Open => Before::Whole,
        _ => Before::Char,
    }
}

/// A hyphen and what would be the end of a range.
fn opens_range(rest: &[u8]) -> bool {
    rest.first() == Some(&b'-') && !matches!(rest[1..], [] | [b']' | b'[', ..] | [b'&', b'&', ..])
}
