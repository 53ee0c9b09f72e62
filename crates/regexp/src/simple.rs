//! Patterns that need no engine when they are matched at one position.
//!
//! A scanner tries many short patterns at each position, most of which fail at the first byte. Calling the engine
//! costs more than such a match. So the common part of the syntax (ASCII characters and classes, groups, alternatives,
//! greedy repetition) is read here once more, and gives two things:
//!
//! - the set of bytes that a match can begin with, when it cannot be empty;
//! - a matcher without backtracking, where at no choice more than one way can lead to a match. With a choice goes what
//!   may come behind it ([`Follow`]): a repetition is determined if none of its items can begin with what may follow
//!   it, or if what follows cannot fail; then the longest repetition is the engine's answer too.
//!
//! Everything that is not understood gives neither, and the engine decides. Rejected: reading all of the syntax here,
//! which would have to agree with the engine in every corner.

use std::cell::Cell;

use crate::source::Options;

/// Bytes by value; all non-ASCII characters are in a set or none.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Set([u64; 4]);

impl Set {
    pub(crate) const EMPTY: Set = Set([0; 4]);
    pub(crate) const BEYOND_ASCII: Set = Set([0, 0, u64::MAX, u64::MAX]);
    const ALL: Set = Set([u64::MAX; 4]);

    pub(crate) fn of(bytes: impl IntoIterator<Item = u8>) -> Set {
        let mut set = Set::EMPTY;
        for byte in bytes {
            set.0[(byte >> 6) as usize] |= 1 << (byte & 63);
        }
        set
    }

    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    pub(crate) fn has(&self, byte: u8) -> bool {
        self.0[(byte >> 6) as usize] >> (byte & 63) & 1 != 0
    }

    pub(crate) fn union(self, other: Set) -> Set {
        Set(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    fn without(self) -> Set {
        Set(self.0.map(|word| !word))
    }

    pub(crate) fn disjoint(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & b == 0)
    }
}

#[derive(Debug)]
enum Node {
    Set(Set),
    Seq(Vec<Node>),
    Alt(Vec<Node>),
    Repeat {
        node: Box<Node>,
        min: u32,
        max: u32,
        greedy: bool,
    },
    /// A group that captures.
    Capture(Box<Node>),
    /// Matches nothing or fails: anchors, look-around.
    Assert,
}

const MANY: u32 = u32::MAX;
/// Groups within groups that are read.
const DEPTH_MAX: usize = 16;
/// Bytes that one match passes at most: longer ones are the engine's, which can be interrupted.
const LEN_MAX: usize = 1 << 20;

/// The same for each try of a search, and how many tries and bytes without a match a search makes before it asks the
/// engine.
const TRY_LEN_MAX: usize = 4096;
const TRIES_MAX: usize = 4096;

/// What is known about a pattern.
pub(crate) struct Simple {
    first: Option<Set>,
    /// The bytes of `first`, when they are few enough to be looked for together.
    needles: Vec<u8>,
    program: Option<Node>,
}

/// The answer of [`Simple::match_at`].
pub(crate) enum Answer {
    /// A match that ends here, without groups.
    Match(usize),
    None,
    /// The engine has to decide.
    Unknown,
}

impl Simple {
    /// Reads the text of `Regexp#source`; nothing when nothing can be said.
    pub(crate) fn new(source: &[u8], options: Options) -> Option<Simple> {
        if options.ignorecase || options.extended || !source.is_ascii() {
            return None;
        }
        let mut reader = Reader { source, at: 0, multiline: options.multiline, depth: 0 };
        let node = reader.alternatives()?;
        if reader.at < source.len() {
            return None;
        }
        let (first, nullable) = first(&node);
        let end = Follow { first: Set::EMPTY, may_end: true };
        let determined = determined(&node, end);
        let first = (!nullable).then_some(first);
        if first.is_none() && !determined {
            return None;
        }
        let needles: Vec<u8> = first.map_or(Vec::new(), |set| (0..=255).filter(|b| set.has(*b)).take(4).collect());
        Some(Simple { first, needles, program: determined.then_some(node) })
    }

    /// Searches forward for a match that begins at `start` or behind it; gives where it begins and ends, `Ok(None)` for
    /// none. The engine has to go on at the position of an error.
    pub(crate) fn search(&self, text: &[u8], start: usize, wide: bool) -> Result<Option<(usize, usize)>, usize> {
        let (Some(first), Some(program)) = (&self.first, &self.program) else { return Err(start) };
        let mut at = start;
        for _ in 0..TRIES_MAX {
            let window = &text[at..text.len().min(at + LEN_MAX)];
            match self.candidate(first, window) {
                Some(offset) => at += offset,
                None if at + window.len() == text.len() => return Ok(None),
                None => return Err(start),
            }
            // A character begins here: only the first position may lie inside one.
            if at == start || !(wide && matches!(text[at], 0x80..=0xBF)) {
                let limit = text.len().min(at + TRY_LEN_MAX);
                match Matcher::run_to(text, limit, wide, program, at) {
                    Some(Some(end)) => return Ok(Some((at, end))),
                    Some(None) => {}
                    None => return Err(at),
                }
            }
            at += 1;
        }
        Err(at)
    }

    #[inline]
    fn candidate(&self, first: &Set, window: &[u8]) -> Option<usize> {
        match *self.needles.as_slice() {
            [a] => memchr::memchr(a, window),
            [a, b] => memchr::memchr2(a, b, window),
            [a, b, c] => memchr::memchr3(a, b, c, window),
            _ => window.iter().position(|byte| first.has(*byte)),
        }
    }

    /// Matches at `at`. `wide`: characters beyond ASCII are those of UTF-8, otherwise single bytes.
    #[inline]
    pub(crate) fn match_at(&self, text: &[u8], at: usize, wide: bool) -> Answer {
        if let Some(first) = &self.first {
            match text.get(at) {
                Some(byte) if first.has(*byte) => {}
                _ => return Answer::None,
            }
        }
        let Some(program) = &self.program else { return Answer::Unknown };
        let limit = text.len().min(at + LEN_MAX);
        match Matcher::run_to(text, limit, wide, program, at) {
            Some(Some(end)) => Answer::Match(end),
            Some(None) => Answer::None,
            None => Answer::Unknown,
        }
    }
}

// -- what can be said about a pattern -------------------------------------------------------

/// With what bytes a match can begin, and whether it can be empty.
fn first(node: &Node) -> (Set, bool) {
    match node {
        Node::Set(set) => (*set, false),
        Node::Seq(nodes) => {
            let mut all = Set::EMPTY;
            for node in nodes {
                let (set, nullable) = first(node);
                all = all.union(set);
                if !nullable {
                    return (all, false);
                }
            }
            (all, true)
        }
        Node::Alt(nodes) => nodes.iter().map(first).fold((Set::EMPTY, false), |a, b| (a.0.union(b.0), a.1 | b.1)),
        Node::Repeat { node, min, .. } => {
            let (set, nullable) = first(node);
            (set, nullable || *min == 0)
        }
        Node::Capture(node) => first(node),
        Node::Assert => (Set::EMPTY, true),
    }
}

/// What comes behind a node.
#[derive(Copy, Clone)]
struct Follow {
    /// What it can begin with.
    first: Set,
    /// It can be empty, and so cannot fail.
    may_end: bool,
}

/// Whether matching without backtracking gives the engine's answer.
fn determined(node: &Node, follow: Follow) -> bool {
    match node {
        Node::Set(_) => true,
        Node::Seq(nodes) => {
            let mut follow = follow;
            for node in nodes.iter().rev() {
                if !determined(node, follow) {
                    return false;
                }
                let (set, nullable) = first(node);
                follow = if nullable {
                    Follow { first: set.union(follow.first), may_end: follow.may_end }
                } else {
                    Follow { first: set, may_end: false }
                };
            }
            true
        }
        Node::Alt(nodes) => {
            let mut seen = Set::EMPTY;
            let mut disjoint = true;
            for node in nodes {
                let (set, nullable) = first(node);
                if nullable || !determined(node, follow) {
                    return false;
                }
                disjoint &= seen.disjoint(&set);
                seen = seen.union(set);
            }
            disjoint || follow.may_end
        }
        Node::Repeat { node, min, max, greedy } => {
            let (set, nullable) = first(node);
            let choice = min != max;
            if nullable || choice && !(*greedy && (follow.may_end || set.disjoint(&follow.first))) {
                return false;
            }
            let again = if *max > 1 { set } else { Set::EMPTY };
            determined(node, Follow { first: again.union(follow.first), may_end: follow.may_end && *min <= 1 })
        }
        Node::Capture(_) | Node::Assert => false,
    }
}

// -- matching -------------------------------------------------------------------------------

struct Matcher<'a> {
    text: &'a [u8],
    wide: bool,
    /// The end of the text has been looked at.
    at_end: Cell<bool>,
}

impl Matcher<'_> {
    /// Matches in the text up to `limit`; nothing when what lies behind might have changed the answer.
    fn run_to(text: &[u8], limit: usize, wide: bool, program: &Node, at: usize) -> Option<Option<usize>> {
        let matcher = Matcher { text: &text[..limit], wide, at_end: Cell::new(false) };
        let end = matcher.run(program, at);
        (limit == text.len() || !matcher.at_end.get()).then_some(end)
    }

    fn run(&self, node: &Node, at: usize) -> Option<usize> {
        match node {
            Node::Set(set) => self.one(set, at),
            Node::Seq(nodes) => nodes.iter().try_fold(at, |at, node| self.run(node, at)),
            Node::Alt(nodes) => nodes.iter().find_map(|node| self.run(node, at)),
            Node::Repeat { node, min, max, .. } => self.repeat(node, *min, *max, at),
            Node::Capture(_) | Node::Assert => None,
        }
    }

    /// One character of the set.
    #[inline]
    fn one(&self, set: &Set, at: usize) -> Option<usize> {
        let Some(&byte) = self.text.get(at) else {
            self.at_end.set(true);
            return None;
        };
        if !set.has(byte) {
            return None;
        }
        let len = match byte {
            0xC0..=0xDF if self.wide => 2,
            0xE0..=0xEF if self.wide => 3,
            0xF0..=0xFF if self.wide => 4,
            _ => 1,
        };
        if at + len > self.text.len() {
            self.at_end.set(true);
        }
        Some((at + len).min(self.text.len()))
    }

    fn repeat(&self, node: &Node, min: u32, max: u32, at: usize) -> Option<usize> {
        if let (Node::Set(set), 0 | 1, MANY) = (node, min, max) {
            // The bytes of one character are all in the set or none.
            let rest = &self.text[at..];
            let len = rest.iter().position(|byte| !set.has(*byte)).unwrap_or_else(|| {
                self.at_end.set(true);
                rest.len()
            });
            return (len >= min as usize).then_some(at + len);
        }
        let (mut at, mut count) = (at, 0);
        while count < max {
            match self.run(node, at) {
                Some(end) => at = end,
                None => break,
            }
            count += 1;
        }
        (count >= min).then_some(at)
    }
}

// -- reading --------------------------------------------------------------------------------

struct Reader<'a> {
    source: &'a [u8],
    at: usize,
    multiline: bool,
    depth: usize,
}

fn shorthand(letter: u8) -> Option<Set> {
    let set = match letter.to_ascii_lowercase() {
        b'd' => Set::of(b'0'..=b'9'),
        b'w' => Set::of((0..128).filter(|b: &u8| b.is_ascii_alphanumeric() || *b == b'_')),
        b's' => Set::of([b' ', b'\t', b'\r', b'\n', 11, 12]),
        b'h' => Set::of((0..128).filter(u8::is_ascii_hexdigit)),
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() { set.without() } else { set })
}

/// The byte that a letter behind a backslash means, and any sign means itself.
fn escaped_byte(letter: u8) -> Option<u8> {
    Some(match letter {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'f' => 12,
        b'v' => 11,
        b'a' => 7,
        b'e' => 27,
        _ if letter.is_ascii_alphanumeric() => return None,
        _ => letter,
    })
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn eat(&mut self, text: &[u8]) -> bool {
        let eats = self.source[self.at..].starts_with(text);
        if eats {
            self.at += text.len();
        }
        eats
    }

    fn alternatives(&mut self) -> Option<Node> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return None;
        }
        let mut list = vec![self.sequence()?];
        while self.eat(b"|") {
            list.push(self.sequence()?);
        }
        self.depth -= 1;
        if list.len() == 1 { list.pop() } else { Some(Node::Alt(list)) }
    }

    fn sequence(&mut self) -> Option<Node> {
        let mut list = Vec::new();
        while !matches!(self.peek(), None | Some(b'|' | b')')) {
            let atom = self.atom()?;
            list.push(self.quantified(atom)?);
        }
        Some(Node::Seq(list))
    }

    fn atom(&mut self) -> Option<Node> {
        Some(match self.next()? {
            b'.' => Node::Set(if self.multiline { Set::ALL } else { Set::of([b'\n']).without() }),
            b'^' | b'$' => Node::Assert,
            b'[' => Node::Set(self.class()?),
            b'(' => self.group()?,
            b'\\' => match self.next()? {
                b'A' | b'z' | b'Z' | b'b' | b'B' | b'G' => Node::Assert,
                letter => Node::Set(shorthand(letter).or_else(|| escaped_byte(letter).map(|b| Set::of([b])))?),
            },
            b'*' | b'+' | b'?' | b'{' | b'}' | b']' => return None,
            byte => Node::Set(Set::of([byte])),
        })
    }

    fn group(&mut self) -> Option<Node> {
        let look = [&b"?="[..], b"?!", b"?<=", b"?<!"].iter().any(|kind| self.eat(kind));
        let plain = !look && (self.eat(b"?:") || self.eat(b"?>"));
        let named = !look && !plain && self.eat(b"?<");
        if named {
            while self.next()? != b'>' {}
        } else if !look && !plain && self.peek() == Some(b'?') {
            return None;
        }
        let inner = self.alternatives()?;
        if !self.eat(b")") {
            return None;
        }
        Some(match (look, plain) {
            (true, _) => Node::Assert,
            (_, true) => inner,
            _ => Node::Capture(Box::new(inner)),
        })
    }

    fn quantified(&mut self, atom: Node) -> Option<Node> {
        let (min, max) = match self.peek() {
            Some(b'*') => (0, MANY),
            Some(b'+') => (1, MANY),
            Some(b'?') => (0, 1),
            // Counted repetition has corners of its own.
            Some(b'{') => return None,
            _ => return Some(atom),
        };
        self.at += 1;
        let greedy = !self.eat(b"?");
        // A possessive one takes as much as a greedy one, and where that is determined, it is the same.
        let _possessive = greedy && self.eat(b"+");
        if matches!(self.peek(), Some(b'*' | b'+' | b'?' | b'{')) {
            return None;
        }
        Some(Node::Repeat { node: Box::new(atom), min, max, greedy })
    }

    /// A class behind its bracket.
    fn class(&mut self) -> Option<Set> {
        let negated = self.eat(b"^");
        let mut set = Set::EMPTY;
        let mut empty = true;
        loop {
            let byte = match self.next()? {
                b']' if !empty => break,
                b'[' | b']' => return None,
                b'&' if self.peek() == Some(b'&') => return None,
                b'\\' => {
                    let letter = self.next()?;
                    if let Some(more) = shorthand(letter) {
                        set = set.union(more);
                        empty = false;
                        // A range cannot begin with it.
                        if self.peek() == Some(b'-') && self.source.get(self.at + 1) != Some(&b']') {
                            return None;
                        }
                        continue;
                    }
                    if letter == b'b' { 8 } else { escaped_byte(letter)? }
                }
                byte => byte,
            };
            empty = false;
            if self.peek() == Some(b'-') && self.source.get(self.at + 1).is_some_and(|b| *b != b']') {
                self.at += 1;
                let last = match self.next()? {
                    b'[' => return None,
                    b'\\' => escaped_byte(self.next()?)?,
                    last => last,
                };
                set = set.union(Set::of(byte..=last));
            } else {
                set = set.union(Set::of([byte]));
            }
        }
        Some(if negated { set.without() } else { set })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> Options {
        Options::from_bits(0)
    }

    #[test]
    fn understands_common_tokens() {
        for source in [
            "\\s+",
            "[A-Za-z_]\\w*[?!]?",
            "\\d+(?:\\.\\d+)?",
            "\"(?:[^\"\\\\]|\\\\.)*\"",
            "#[^\\n]*",
            "=>|[-+*\\/<>=!?:.,|(){}\\[\\]]",
        ] {
            let simple = Simple::new(source.as_bytes(), plain());
            assert!(simple.is_some_and(|s| s.program.is_some()), "{source}");
        }
    }

    #[test]
    fn leaves_choices_to_the_engine() {
        for source in ["a*a", "\".*?\"", "(?:ab)?a", "(?:ab+)?b", "(a)", "a\\b", "(?:a|ab)c", "(?:a|b*)c", "a{2}"] {
            let simple = Simple::new(source.as_bytes(), plain());
            assert!(simple.is_none_or(|s| s.program.is_none()), "{source}");
        }
    }

    #[test]
    fn searches() {
        let search = |source: &str, text: &str, start: usize| match Simple::new(source.as_bytes(), plain()) {
            Some(simple) => simple.search(text.as_bytes(), start, true).ok(),
            None => None,
        };
        assert_eq!(search("\\d+", "ab 12 é34", 0), Some(Some((3, 5))));
        assert_eq!(search("\\d+", "ab 12 é34", 5), Some(Some((8, 10))));
        assert_eq!(search("[^a-z ]", "ab é", 0), Some(Some((3, 5))));
        assert_eq!(search("x", "abc", 0), Some(None));
        let long = "a".repeat(10_000);
        assert_eq!(search("a+b", &long, 0), None);
        assert_eq!(search("aa", &long, 5000), Some(Some((5000, 5002))));
    }

    #[test]
    fn knows_first_bytes() {
        let simple = Simple::new(b"\\b(?<x>a|[bc]d)?e", plain());
        let first = simple.and_then(|s| s.first);
        assert_eq!(first, Some(Set::of(*b"abce")));
        assert!(Simple::new(b"(x)?", plain()).is_none());
    }
}
