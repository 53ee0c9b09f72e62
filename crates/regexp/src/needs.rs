//! Bytes that a match needs, read from all of a pattern when a search has become dear.
//!
//! A pattern that backtracks heavily is often refuted by a look at the text: behind the part that explodes stands
//! something that does not occur. What is read is a set of bytes for each atom that every match passes, of which the
//! text must hold one at or behind the begin of the search, and the set of those that a match can begin with. Where the
//! syntax is not understood nothing is known. `required.rs` looks for longer text in patterns of a simpler form, before
//! the engine is asked.

use crate::extent::{bounds, ignored_len, quantifier_len};
use crate::simple::Set;
use crate::source::Options;
use rubellite_encoding::Encoding;

/// Groups within groups that are read.
const DEPTH_MAX: usize = 50;

/// What is known of the matches of a pattern, or of a part.
#[derive(Default)]
pub(crate) struct Needs {
    /// A match holds a byte of each of these sets.
    sets: Vec<Set>,
    /// What it begins with, when it cannot be empty.
    pub first: Option<Set>,
    /// It is empty: an assertion.
    empty: bool,
}

impl Needs {
    const UNKNOWN: Needs = Needs { sets: Vec::new(), first: None, empty: false };
    const EMPTY: Needs = Needs { sets: Vec::new(), first: None, empty: true };

    fn one(set: Set) -> Needs {
        Needs { sets: vec![set], first: Some(set), empty: false }
    }

    /// What every match of a pattern needs, whose text has been read by `source.rs`.
    pub(crate) fn of(text: &[u8], enc: Encoding, options: Options) -> Needs {
        let unfit = !enc.is_ascii_compatible() || text.windows(3).any(|w| w == b"(?#");
        let mut reader =
            Reader { text, pos: 0, enc, extended: options.extended, ignorecase: options.ignorecase, depth: 0 };
        match reader.alternatives() {
            Some(needs) if !unfit && reader.pos == text.len() => needs,
            _ => Needs::UNKNOWN,
        }
    }

    /// Whether a text lacks something of it.
    pub(crate) fn lacking(&self, text: &[u8]) -> bool {
        if self.sets.is_empty() {
            return false;
        }
        let held = Set::of(text.iter().copied());
        self.sets.iter().any(|set| set.disjoint(&held))
    }

    /// One of several ways: what the narrowest sets of both have together.
    fn or(self, other: Needs) -> Needs {
        let narrowest = |sets: &[Set]| sets.iter().copied().min_by_key(Set::len);
        let both = narrowest(&self.sets).zip(narrowest(&other.sets));
        let first = self.first.zip(other.first);
        Needs {
            sets: both.map(|(a, b)| a.union(b)).into_iter().collect(),
            first: first.map(|(a, b)| a.union(b)),
            empty: self.empty && other.empty,
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    pos: usize,
    enc: Encoding,
    extended: bool,
    ignorecase: bool,
    depth: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &[u8] {
        &self.text[self.pos..]
    }

    /// Reads to the end or to the parenthesis that closes a group.
    fn alternatives(&mut self) -> Option<Needs> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return None;
        }
        let mut all = self.sequence()?;
        while self.rest().first() == Some(&b'|') {
            self.pos += 1;
            all = all.or(self.sequence()?);
        }
        self.depth -= 1;
        Some(all)
    }

    fn sequence(&mut self) -> Option<Needs> {
        let mut all = Needs::EMPTY;
        loop {
            self.skip_ignored();
            let atom = match self.rest().first() {
                None | Some(b'|' | b')') => return Some(all),
                Some(b'(') => self.group()?,
                Some(b'[') => self.class(),
                Some(b'\\') => self.escape()?,
                Some(b'.') => self.skip(1, Needs::UNKNOWN),
                Some(b'^' | b'$') => self.skip(1, Needs::EMPTY),
                Some(b'*' | b'+' | b'?') => return None,
                Some(&b) => {
                    let len = self.enc.step_len(self.rest()).clamp(1, self.rest().len());
                    self.skip(len, Needs::one(self.character(b)))
                }
            };
            if !self.occurs() {
                all.empty = false;
                continue;
            }
            if all.empty {
                all.first = atom.first;
            }
            all.empty &= atom.empty;
            all.sets.extend(atom.sets);
        }
    }

    fn skip(&mut self, len: usize, needs: Needs) -> Needs {
        self.pos = (self.pos + len).min(self.text.len());
        needs
    }

    /// The bytes with which a character can be written in a text.
    fn character(&self, b: u8) -> Set {
        match b {
            0x80.. => Set::BEYOND_ASCII,
            b if self.ignorecase && b.is_ascii_alphabetic() => {
                Set::of([b.to_ascii_lowercase(), b.to_ascii_uppercase()]).union(Set::BEYOND_ASCII)
            }
            b => Set::of([b]),
        }
    }

    fn ascii(&self, holds: impl Fn(u8) -> bool) -> Set {
        let set = Set::of((0..0x80).filter(|b| holds(*b)));
        if self.ignorecase { set.union(Set::BEYOND_ASCII) } else { set }
    }

    /// Reads the quantifiers behind an atom: whether it must occur.
    fn occurs(&mut self) -> bool {
        let mut occurs = true;
        loop {
            self.skip_ignored();
            let len = quantifier_len(self.rest());
            if len == 0 {
                return occurs;
            }
            occurs &= bounds(&self.rest()[..len]).0 > 0;
            self.pos += len;
        }
    }

    fn skip_ignored(&mut self) {
        if self.extended {
            self.pos += ignored_len(self.rest());
        }
    }

    fn escape(&mut self) -> Option<Needs> {
        let rest = self.rest();
        let (len, needs) = match *rest.get(1)? {
            b if b.is_ascii_punctuation() => (2, Needs::one(Set::of([b]))),
            b'd' => (2, Needs::one(self.ascii(|b| b.is_ascii_digit()))),
            b'h' => (2, Needs::one(self.ascii(|b| b.is_ascii_hexdigit()))),
            b's' => (2, Needs::one(self.ascii(|b| matches!(b, b' ' | b'\t'..=b'\r')))),
            b'n' => (2, Needs::one(Set::of([b'\n']))),
            b't' => (2, Needs::one(Set::of([b'\t']))),
            b'r' => (2, Needs::one(Set::of([b'\r']))),
            b'A' | b'z' | b'Z' | b'b' | b'B' | b'G' | b'K' => (2, Needs::EMPTY),
            b'w' | b'W' | b'D' | b'H' | b'S' | b'R' | b'X' | b'f' | b'v' | b'a' | b'e' => (2, Needs::UNKNOWN),
            b'x' => (2 + rest[2..].iter().take(2).take_while(|b| b.is_ascii_hexdigit()).count(), Needs::UNKNOWN),
            b'0'..=b'9' => (1 + rest[1..].iter().take_while(|b| b.is_ascii_digit()).count(), Needs::UNKNOWN),
            b'k' | b'g' | b'p' | b'P' => {
                let close = match rest.get(2)? {
                    b'<' => b'>',
                    b'{' => b'}',
                    b'\'' => b'\'',
                    _ => return None,
                };
                (4 + rest[3..].iter().position(|&b| b == close)?, Needs::UNKNOWN)
            }
            _ => return None,
        };
        Some(self.skip(len, needs))
    }

    /// A bracket class: its bytes if it is a plain list of characters and ranges.
    fn class(&mut self) -> Needs {
        let rest = self.rest();
        let end = rest.iter().position(|&b| b == b']').unwrap_or(0);
        let list = rest.get(1..end).unwrap_or_default();
        let plain = !list.is_empty()
            && list[0] != b'^'
            && list.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b',' | b'.' | b' '));
        if !plain {
            self.pos += class_len(rest, self.enc);
            return Needs::UNKNOWN;
        }
        let mut set = Set::EMPTY;
        let mut at = 0;
        while at < list.len() {
            let last = if list.get(at + 1) == Some(&b'-') { list.get(at + 2).copied() } else { None };
            let (last, len) = last.map_or((list[at], 1), |last| (last, 3));
            set = (list[at]..=last).fold(set, |set, b| set.union(self.character(b)));
            at += len;
        }
        self.skip(end + 1, Needs::one(set))
    }

    fn group(&mut self) -> Option<Needs> {
        let outer = (self.extended, self.ignorecase);
        let rest = self.rest();
        let (len, counts, looks) = match rest {
            [b'(', b'?', b':' | b'>', ..] => (3, true, false),
            [b'(', b'?', b'=', ..] => (3, true, true),
            [b'(', b'?', b'!', ..] => (3, false, true),
            [b'(', b'?', b'<', b'=' | b'!', ..] => (4, false, true),
            [b'(', b'?', b'~', ..] => (3, false, false),
            [b'(', b'?', quote @ (b'<' | b'\''), name @ ..] => {
                let close = if *quote == b'<' { b'>' } else { b'\'' };
                (3 + name.iter().position(|b| *b == close)? + 1, true, false)
            }
            [b'(', b'?', ..] => {
                let (len, closed) = self.options()?;
                if closed {
                    // They hold for the rest of the group around, its alternatives included.
                    self.pos += len;
                    let needs = self.alternatives()?;
                    (self.extended, self.ignorecase) = outer;
                    return Some(needs);
                }
                (len, true, false)
            }
            _ => (1, true, false),
        };
        self.pos += len;
        let content = self.alternatives()?;
        (self.extended, self.ignorecase) = outer;
        if self.rest().first() != Some(&b')') {
            return None;
        }
        self.pos += 1;
        Some(match (counts, looks) {
            (true, true) => Needs { sets: content.sets, first: None, empty: true },
            (true, false) => content,
            (false, true) => Needs::EMPTY,
            (false, false) => Needs::UNKNOWN,
        })
    }

    /// `(?imx-imx:` or `(?imx-imx)`: its length, and whether it is the latter.
    fn options(&mut self) -> Option<(usize, bool)> {
        let (mut on, mut len) = (true, 2);
        loop {
            let b = *self.rest().get(len)?;
            len += 1;
            match b {
                b'-' => on = false,
                b'i' => self.ignorecase = on,
                b'x' => self.extended = on,
                b'm' => {}
                b':' | b')' => return Some((len, b == b')')),
                _ => return None,
            }
        }
    }
}

/// Length of the bracket class at the front, with everything nested in it.
fn class_len(text: &[u8], enc: Encoding) -> usize {
    let (mut depth, mut first, mut pos) = (0, false, 0);
    while let Some(&b) = text.get(pos) {
        let at_start = std::mem::take(&mut first);
        let rest = &text[pos..];
        let mut len = enc.step_len(rest).max(1);
        match b {
            b'[' => {
                depth += 1;
                len += (rest.get(1) == Some(&b'^')) as usize;
                first = true;
            }
            b']' if at_start => {}
            b']' => depth -= 1,
            b'\\' => len = 1 + rest.get(1..).map_or(0, |rest| enc.step_len(rest).max(1)),
            _ => {}
        }
        pos += len;
        if depth == 0 {
            break;
        }
    }
    pos.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacking(pattern: &str, text: &str) -> bool {
        Needs::of(pattern.as_bytes(), Encoding::UTF_8, Options::default()).lacking(text.as_bytes())
    }

    #[test]
    fn what_must_occur() {
        for pattern in [
            r"((a+)+)\2needle",
            r"(a+)+(?:b|cd)",
            r"^(?=(a+)+$)(?=b)",
            r"(a+)+(?i:b)",
            r"(a+)+(?i)b|c",
            r"(a+)+[bc-e]",
            r"(a+)+\d",
            r"(a+)+(b|c)(?:de)+",
            r"(a+)+b{2}",
            r"(a+)+\n",
        ] {
            assert!(lacking(pattern, "aaaa!"), "{pattern}");
        }
    }

    #[test]
    fn what_need_not() {
        for pattern in [
            r"(a+)+b?",
            r"(a+)+(?:b|)",
            r"(a+)+(?!b)",
            r"(?<=b)a",
            r"(a+)+[^b]",
            r"a(?~b)",
            r"(a+)+(?i:A)",
            r"(a)(b)?(?(2)b|a)",
            r"(a+)+[b!]",
            r"a|b",
            r"a(?i)b|A",
            r"(a+)+(?:b|[[:alpha:]])",
            r"\x61",
            r"(?:b){0}a",
        ] {
            assert!(!lacking(pattern, "aaaa!"), "{pattern}");
        }
        assert!(!lacking("(?i)k", "\u{212a}") && !lacking("(?i)ss", "ß"));
    }

    #[test]
    fn what_it_begins_with() {
        let first = |pattern: &str| Needs::of(pattern.as_bytes(), Encoding::UTF_8, Options::default()).first;
        assert_eq!(first("^(?=a)b"), Some(Set::of(*b"b")));
        assert_eq!(first("(?:b|c)+d"), Some(Set::of(*b"bc")));
        for pattern in ["a?b", "(?:a|)b", "(?=a)", ".b", r"(\g<1>?a)", "(?<!a)", "a*", "(?:)?b"] {
            assert_eq!(first(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn deep_groups_are_not_read() {
        let deep = "(".repeat(100_000) + "b" + &")".repeat(100_000);
        assert!(!lacking(&deep, "a"));
    }
}
