//! What is questionable in a pattern, as warnings say it under `-w`: characters that a class names twice, letters whose
//! escape means nothing, properties without braces. The engine itself says the rest (`engine.rs`).
//!
//! Whether parts of a class overlap is found out by trying: all that are not written out (properties, brackets, `\w`)
//! on the first characters of Unicode and on those that the class writes out.

use crate::comments::{Place, posix_len};
use crate::regex::{Regex, Subject};
use crate::{Captures, Direction, Options};
use rubellite_encoding::Encoding;
use std::collections::{BTreeMap, BTreeSet};

const DUPLICATED: &str = "character class has duplicated range";

/// Classes within classes, beyond which a pattern is not read: each takes stack.
const DEPTH_MAX: usize = 32;

/// The characters on which parts are always tried.
const SAMPLE: std::ops::Range<u32> = 0..0x400;

/// Letters that mean something behind a backslash, outside of classes and in them.
const LETTERS: &[u8] = b"ABCDGHKMPQRSWXZabcdefghknoprstuvwxz";
const CLASS_LETTERS: &[u8] = b"CDHMPSWabcdefhnoprstuvwx";

/// What only `-w` warns of, without the pattern; read anew each time.
pub fn doubts(regex: &Regex) -> Vec<String> {
    let (text, enc, extended) = regex.read();
    about(text, enc, extended)
}

/// The doubts about a pattern whose escapes of bytes and Unicode have been read.
fn about(text: &[u8], enc: Encoding, extended: bool) -> Vec<String> {
    let mut doubts = Vec::new();
    let mut place = Place::new(extended);
    let mut duplicated = !(enc.is_utf8_family() || text.is_ascii());
    let mut pos = 0;
    while pos < text.len() {
        let rest = &text[pos..];
        pos += match rest {
            _ if place.comment(rest).is_some() => place.comment(rest).unwrap_or(1),
            [b'\\', letter, ..] => {
                escape(rest, *letter, LETTERS, &mut doubts);
                2
            }
            [b'[', ..] => {
                let mut class =
                    Classes { text: rest, pos: 1, depth: 0, doubts: &mut doubts, duplicated: &mut duplicated };
                match class.class() {
                    Some(_) => class.pos,
                    // What this reader does not know.
                    None => return doubts,
                }
            }
            [byte, ..] if byte.is_ascii() => place.pass(rest),
            _ => enc.step_len(rest).max(1),
        };
    }
    doubts
}

/// Notes what is to be said of a backslash and a letter.
fn escape(rest: &[u8], letter: u8, known: &[u8], doubts: &mut Vec<String>) {
    if matches!(letter, b'p' | b'P') {
        if rest.get(2) != Some(&b'{') {
            doubts.push(format!("invalid Unicode Property \\{}", letter as char));
        }
    } else if letter.is_ascii_alphabetic() && !known.contains(&letter) {
        doubts.push(format!("Unknown escape \\{} is ignored", letter as char));
    }
}

/// A part of a class.
enum Item<'a> {
    Chars(u32, u32),
    /// Its text, in the pattern's own words.
    Named(&'a [u8]),
    /// The parts of a nested class.
    Nested(Set<'a>),
}

/// A class: alternatives of parts, all of which must hold.
struct Set<'a> {
    negated: bool,
    all: Vec<Vec<Item<'a>>>,
}

/// Reads one class of a pattern.
struct Classes<'a, 'b> {
    text: &'a [u8],
    pos: usize,
    depth: usize,
    doubts: &'b mut Vec<String>,
    /// That has been said, or is not to be said.
    duplicated: &'b mut bool,
}

impl<'a> Classes<'a, '_> {
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.pos..).unwrap_or(&[])
    }

    /// The class behind the bracket that has been read. `None`: something in it is unknown here.
    fn class(&mut self) -> Option<Set<'a>> {
        let negated = self.rest().first() == Some(&b'^');
        self.pos += negated as usize;
        let mut set = Set { negated, all: vec![Vec::new()] };
        let mut first = true;
        loop {
            let rest = self.rest();
            let item = match rest {
                [] => return None,
                [b']', ..] if !first => {
                    self.pos += 1;
                    break;
                }
                [b'&', b'&', ..] => {
                    self.pos += 2;
                    set.all.push(Vec::new());
                    continue;
                }
                [b'[', b':', ..] if posix_len(rest) > 0 => {
                    self.pos += posix_len(rest);
                    Item::Named(&rest[..posix_len(rest)])
                }
                [b'[', ..] => {
                    self.pos += 1;
                    self.depth += 1;
                    if self.depth > DEPTH_MAX {
                        return None;
                    }
                    let nested = self.class()?;
                    self.depth -= 1;
                    Item::Nested(nested)
                }
                _ => self.item()?,
            };
            first = false;
            if let Some(part) = set.all.last_mut() {
                part.push(item);
            }
        }
        if !*self.duplicated && set.all.iter().any(|part| overlaps(part)) {
            *self.duplicated = true;
            self.doubts.push(DUPLICATED.to_string());
        }
        Some(set)
    }

    /// A character, a range of them, or an escape that stands for several.
    fn item(&mut self) -> Option<Item<'a>> {
        let start = self.pos;
        let Some(low) = self.character()? else { return Some(Item::Named(&self.text[start..self.pos])) };
        let rest = self.rest();
        if rest.first() != Some(&b'-')
            || matches!(rest.get(1), None | Some(b']' | b'['))
            || rest[1..].starts_with(b"&&")
        {
            return Some(Item::Chars(low, low));
        }
        self.pos += 1;
        self.character()?.map(|high| Item::Chars(low, high))
    }

    /// The character that comes next; `Some(None)`: what stands for several.
    fn character(&mut self) -> Option<Option<u32>> {
        let rest = self.rest();
        if rest.first() != Some(&b'\\') {
            let len = Encoding::UTF_8.step_len(rest).max(1);
            self.pos += len;
            let text = std::str::from_utf8(rest.get(..len)?).ok()?;
            return text.chars().next().map(|c| Some(c as u32));
        }
        let letter = *rest.get(1)?;
        escape(rest, letter, CLASS_LETTERS, self.doubts);
        self.pos += 2;
        Some(Some(match letter {
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' | b'h' | b'H' => return Some(None),
            b'p' | b'P' if rest.get(2) == Some(&b'{') => {
                self.pos += rest[2..].iter().position(|b| *b == b'}')? + 1;
                return Some(None);
            }
            b'a' => 7,
            b'b' => 8,
            b't' => 9,
            b'n' => 10,
            b'v' => 11,
            b'f' => 12,
            b'r' => 13,
            b'e' => 27,
            b'0'..=b'7' => {
                let digits = rest[1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
                self.pos += digits - 1;
                rest[1..=digits].iter().fold(0, |n, b| n * 8 + u32::from(b - b'0'))
            }
            b'x' => {
                let digits = rest[2..].iter().take(2).take_while(|b| b.is_ascii_hexdigit()).count();
                self.pos += digits;
                rest[2..2 + digits].iter().fold(0, |n, b| n * 16 + (*b as char).to_digit(16).unwrap_or(0))
            }
            b'c' | b'C' | b'M' | b'u' => return None,
            letter if letter.is_ascii() => u32::from(letter),
            _ => {
                self.pos -= 1;
                return self.character();
            }
        }))
    }
}

/// Whether a character belongs to two parts, in the order in which the engine adds them up: a single character that
/// stands before nested classes comes after them.
fn overlaps(part: &[Item]) -> bool {
    if part.len() < 2 {
        return false;
    }
    let mut sample: BTreeSet<u32> = BTreeSet::new();
    part.iter().for_each(|item| ends(item, &mut sample));
    if part.iter().any(|item| !matches!(item, Item::Chars(..))) {
        sample.extend(SAMPLE);
    }
    sample.retain(|code| char::from_u32(*code).is_some());
    let mut seen = BTreeSet::new();
    let mut waiting = None;
    for item in part {
        let twice = match item {
            Item::Nested(set) => merge(&mut seen, set, members(item, &sample), &sample),
            Item::Chars(low, high) if low == high => {
                waiting.replace(item).is_some_and(|item| add(&mut seen, members(item, &sample)))
            }
            _ => {
                let before = waiting.take().is_some_and(|item| add(&mut seen, members(item, &sample)));
                before || add(&mut seen, members(item, &sample))
            }
        };
        if twice {
            return true;
        }
    }
    waiting.is_some_and(|item| add(&mut seen, members(item, &sample)))
}

/// Adds what is written out, or a name. Whether some of it was there.
fn add(seen: &mut BTreeSet<u32>, codes: BTreeSet<u32>) -> bool {
    codes.into_iter().any(|code| !seen.insert(code))
}

/// Adds what a nested class has. Only characters of several bytes count as named twice then, and only where it names
/// some of them.
fn merge(seen: &mut BTreeSet<u32>, set: &Set, codes: BTreeSet<u32>, sample: &BTreeSet<u32>) -> bool {
    let written = |item: &Item| members(item, sample).iter().any(|code| *code >= 0x80);
    let counts = !set.negated || set.all.iter().flatten().any(written);
    codes.into_iter().any(|code| !seen.insert(code) && counts && code >= 0x80)
}

/// The ends of all ranges.
fn ends(item: &Item, sample: &mut BTreeSet<u32>) {
    match item {
        Item::Chars(low, high) => sample.extend([*low, *high]),
        Item::Named(_) => {}
        Item::Nested(set) => set.all.iter().flatten().for_each(|item| ends(item, sample)),
    }
}

fn members(item: &Item, sample: &BTreeSet<u32>) -> BTreeSet<u32> {
    match item {
        Item::Chars(low, high) if low > high => BTreeSet::new(),
        Item::Chars(low, high) => sample.range(low..=high).copied().collect(),
        Item::Named(text) => named(text, sample),
        Item::Nested(set) => {
            let inside =
                |part: &Vec<Item>| -> BTreeSet<u32> { part.iter().flat_map(|item| members(item, sample)).collect() };
            let parts: Vec<BTreeSet<u32>> = set.all.iter().map(inside).collect();
            sample.iter().copied().filter(|code| parts.iter().all(|part| part.contains(code)) != set.negated).collect()
        }
    }
}

/// What the engine says of a part that is not written out.
fn named(text: &[u8], sample: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let class = [b"[", text, b"]"].concat();
    let Ok(regex) = Regex::new(&class, Options::default(), Encoding::UTF_8) else { return found };
    let mut subject = String::new();
    let mut codes = BTreeMap::new();
    for code in sample {
        codes.insert(subject.len(), *code);
        subject.extend(char::from_u32(*code));
    }
    let mut captures = Captures::new();
    let mut start = 0;
    while start < subject.len() {
        let Ok(text) = Subject::new(subject.as_bytes(), Encoding::UTF_8) else { break };
        match regex.search(text, start, Direction::Forward, &mut captures, &mut || None) {
            Ok(Some(_)) => {}
            _ => break,
        }
        let Some((at, end)) = captures.get(0) else { break };
        found.extend(codes.get(&at));
        start = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pattern: &str) -> String {
        about(pattern.as_bytes(), Encoding::UTF_8, false).join("; ")
    }

    #[test]
    fn classes_that_name_a_character_twice() {
        let twice = [
            "[aa]",
            r"[\w\d]",
            "[a-cb-d]",
            "[[:alpha:]a]",
            "[あ-うい]",
            r"[a\p{L}]",
            "[a[a]]",
            "[^aa]",
            "[aa&&b]",
            r"[\W\s]",
            r"[\D\x{3042}あ]",
            "[[^a]b]",
            "[a[^b]]",
            "[a[b][a]]",
            "[[a]a]",
            "[[あ][あ]]",
            r"[[^\0-\177]é]",
            r"[あa[^b]]",
            r"[\n\r\n]",
            "[a][bb]",
        ];
        for pattern in twice.iter().filter(|pattern| !pattern.contains("x{")) {
            assert_eq!(said(pattern), DUPLICATED, "{pattern}");
        }
        let once = [
            r"[\wあ]",
            "[a-a]",
            "[aA]",
            "[a-z&&[b]]",
            "[a[^a]]",
            r"[^\s\S]",
            "[あいう]",
            r"[\D]",
            "[.-.]",
            "[a&&]",
            "[[a][a]]",
            "[ab[a]]",
            "[a-c[b]]",
            r"[\w[a]]",
            "[[^a][^b]]",
            "[[^a][b]]",
            r"[[あ][^\0-\177]]",
            r"[[:alpha:]_[^\0-\177]]",
        ];
        for pattern in once {
            assert_eq!(said(pattern), "", "{pattern}");
        }
    }

    #[test]
    fn escapes_that_mean_nothing() {
        assert_eq!(said(r"\q[\A]"), r"Unknown escape \q is ignored; Unknown escape \A is ignored");
        assert_eq!(said(r"\Q\R\X\k<a>\o\_"), "");
        assert_eq!(said(r"\pL[\P]"), r"invalid Unicode Property \p; invalid Unicode Property \P");
    }
}
