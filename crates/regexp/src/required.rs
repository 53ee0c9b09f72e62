//! Text that every match of a pattern holds. Where it does not occur the engine need not be asked, which would try each
//! position.
//!
//! Only what stands in a row is read: the longest run of characters outside of alternatives, of groups that may be left
//! out and of what looks around. A pattern that begins with its text is left to the engine, which looks for that by
//! itself.

use crate::extent::{bounds, ignored_len, quantifier_len};
use crate::source::Options;
use memchr::memmem::Finder;
use rubellite_encoding::Encoding;

struct Reader<'a> {
    text: &'a [u8],
    pos: usize,
    enc: Encoding,
    extended: bool,
    run: Vec<u8>,
    /// Where the run begins.
    start: usize,
    best: Vec<u8>,
    best_start: usize,
    depth: usize,
}

/// Groups within groups that are read.
const DEPTH_MAX: usize = 50;

/// How a group behaves for what is around it.
enum Group {
    /// It is its content.
    Content,
    /// Nothing is known about it.
    Opaque,
}

/// The text that is in every match of a pattern, which has been read by `source.rs`.
pub(crate) fn required(text: &[u8], enc: Encoding, options: Options) -> Option<Finder<'static>> {
    let unfit = options.ignorecase || !enc.is_ascii_compatible() || text.windows(3).any(|w| w == b"(?#");
    if unfit || is_divided(text) {
        return None;
    }
    let mut reader = Reader {
        text,
        pos: 0,
        enc,
        extended: options.extended,
        run: Vec::new(),
        start: 0,
        best: Vec::new(),
        best_start: 0,
        depth: 0,
    };
    reader.sequence()?;
    if reader.pos < text.len() {
        return None;
    }
    (!reader.best.is_empty() && reader.best_start > 0).then(|| Finder::new(&reader.best).into_owned())
}

/// Whether options within the pattern may change what its characters mean, or there is a condition.
fn is_divided(text: &[u8]) -> bool {
    text.windows(3).any(|w| matches!(w, [b'(', b'?', b'a'..=b'z' | b'-' | b'(']))
}

impl Reader<'_> {
    fn rest(&self) -> &[u8] {
        &self.text[self.pos..]
    }

    /// Reads to the end or to the parenthesis that closes a group; `None` where there are alternatives.
    fn sequence(&mut self) -> Option<()> {
        while let Some(&b) = self.rest().first() {
            match b {
                b'|' => return None,
                b')' => return Some(()),
                b'(' => self.group()?,
                b'[' => {
                    self.end_run();
                    self.skip_class();
                    self.quantifier();
                }
                b'\\' => self.escape()?,
                b'.' | b'^' | b'$' => {
                    self.end_run();
                    self.pos += 1;
                    self.quantifier();
                }
                b' ' | b'\t'..=b'\r' | b'#' if self.extended => self.skip_ignored(),
                b'*' | b'+' | b'?' | b'{' => {
                    self.end_run();
                    self.pos += 1;
                }
                _ => {
                    let len = self.enc.step_len(self.rest()).max(1).min(self.rest().len());
                    self.character(len, len);
                }
            }
        }
        self.end_run();
        Some(())
    }

    /// A character whose last `literal` bytes of `len` stand for themselves.
    fn character(&mut self, len: usize, literal: usize) {
        let (at, end) = (self.pos, self.pos + len);
        self.pos = end;
        let bytes = self.text[end - literal..end].to_vec();
        match self.quantifier() {
            None => self.push(at, &bytes),
            Some(0) => self.end_run(),
            Some(_) => {
                self.push(at, &bytes);
                self.end_run();
            }
        }
    }

    fn push(&mut self, at: usize, bytes: &[u8]) {
        if self.run.is_empty() {
            self.start = at;
        }
        self.run.extend_from_slice(bytes);
    }

    fn end_run(&mut self) {
        if self.run.len() > self.best.len() {
            (self.best, self.best_start) = (std::mem::take(&mut self.run), self.start);
        }
        self.run.clear();
    }

    fn escape(&mut self) -> Option<()> {
        let rest = self.rest();
        let len = match rest.get(1)? {
            b if b.is_ascii_punctuation() => {
                self.character(2, 1);
                return Some(());
            }
            b'k' | b'g' | b'p' | b'P' => {
                let close = match rest.get(2)? {
                    b'<' => b'>',
                    b'{' => b'}',
                    b'\'' => b'\'',
                    _ => return None,
                };
                4 + rest[3..].iter().position(|&b| b == close)?
            }
            b'x' => 2 + rest[2..].iter().take(2).take_while(|b| b.is_ascii_hexdigit()).count(),
            b'0'..=b'9' => 1 + rest[1..].iter().take_while(|b| b.is_ascii_digit()).count(),
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' | b'h' | b'H' | b'b' | b'B' | b'A' | b'z' | b'Z' | b'G' | b'R'
            | b'X' | b'K' => 2,
            b'n' | b't' | b'r' | b'f' | b'v' | b'a' | b'e' => 2,
            _ => return None,
        };
        self.end_run();
        self.pos += len;
        self.quantifier();
        Some(())
    }

    fn skip_ignored(&mut self) {
        if self.extended {
            self.pos += ignored_len(self.rest());
        }
    }

    /// Reads the quantifiers behind an atom: how often it occurs at least.
    fn quantifier(&mut self) -> Option<usize> {
        let mut least: Option<usize> = None;
        loop {
            self.skip_ignored();
            let rest = self.rest();
            let len = quantifier_len(rest);
            if len == 0 {
                return least;
            }
            // Lazy and possessive ones too are taken as quantifiers of their own.
            let min = bounds(&rest[..len]).0;
            least = Some(least.map_or(min, |least| least.min(min)));
            self.pos += len;
        }
    }

    fn skip_class(&mut self) {
        let mut depth = 0;
        let mut first = false;
        while let Some(&b) = self.rest().first() {
            let at_start = std::mem::take(&mut first);
            let mut len = self.enc.step_len(self.rest()).max(1);
            match b {
                b'[' => {
                    depth += 1;
                    len += (self.rest().get(1) == Some(&b'^')) as usize;
                    first = true;
                }
                b']' if at_start => {}
                b']' => depth -= 1,
                b'\\' => len = 1 + self.rest().get(1..).map_or(0, |rest| self.enc.step_len(rest).max(1)),
                _ => {}
            }
            self.pos = (self.pos + len).min(self.text.len());
            if depth == 0 {
                return;
            }
        }
    }

    fn group(&mut self) -> Option<()> {
        self.end_run();
        let rest = self.rest();
        let (kind, len) = match rest {
            [b'(', b'?', b':' | b'>', ..] => (Group::Content, 3),
            [b'(', b'?', b'<', b'=' | b'!', ..] => (Group::Opaque, 4),
            [b'(', b'?', b'<', name @ ..] => (Group::Content, 3 + name.iter().position(|&b| b == b'>')? + 1),
            [b'(', b'?', ..] => (Group::Opaque, 3),
            _ => (Group::Content, 1),
        };
        // What it holds counts only when it is known how often the group occurs.
        let known = (self.best.clone(), self.best_start);
        self.pos += len;
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return None;
        }
        let sure = self.alternatives()?;
        self.depth -= 1;
        let content = (std::mem::replace(&mut self.best, known.0), std::mem::replace(&mut self.best_start, known.1));
        let occurs = self.quantifier().is_none_or(|least| least > 0);
        if sure && occurs && matches!(kind, Group::Content) && content.0.len() > self.best.len() {
            (self.best, self.best_start) = content;
        }
        Some(())
    }

    /// Reads the content of a group and the parenthesis behind it; tells whether there was one alternative only.
    fn alternatives(&mut self) -> Option<bool> {
        let mut sure = true;
        loop {
            let read = self.sequence();
            self.end_run();
            match self.rest().first()? {
                b')' => {
                    self.pos += 1;
                    return Some(sure && read.is_some());
                }
                b'|' => {
                    sure = false;
                    self.pos += 1;
                }
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pattern: &str) -> Option<String> {
        let options = Options { extended: pattern.contains("extended"), ..Options::default() };
        required(pattern.as_bytes(), Encoding::UTF_8, options)
            .map(|finder| String::from_utf8_lossy(finder.needle()).into_owned())
    }

    #[test]
    fn what_must_occur() {
        let known = [
            (r"[a-z]+#", Some("#")),
            (r"(\w+)@(\w+)\.com", Some(".com")),
            (r"\d+ab?", Some("a")),
            (r"\d+(?:foo)+bar", Some("foo")),
            (r"\d+(?:foo|bar)x", Some("x")),
            (r"\d+(?:foo)*xy", Some("xy")),
            (r"\d+(?:foo){0,2}x", Some("x")),
            (r"\d+a+b", Some("a")),
            (r"\d\x41\k'name'c", Some("c")),
            (r"[]a]+é=", Some("é=")),
            (r"[^]x[:alpha:]\]]ab", Some("ab")),
            (r"\s*(?<name>abc)", Some("abc")),
            (r"\s+(?!abc)d", Some("d")),
            (r"\d+a # extended b", Some("a")),
            (r"\d+a{2}{0}b", Some("b")),
        ];
        for (pattern, text) in known {
            assert_eq!(of(pattern).as_deref(), text, "{pattern}");
        }
    }

    #[test]
    fn nothing_is_known() {
        for pattern in [
            r"abc\d",
            r"\d+a|b",
            r"\d(?i)abc",
            r"\d(?i:abc)",
            r"\d+a?",
            r"\d+(?:a?)",
            r"\d(?#b)a",
            r"(?<!x)",
            r"\w+",
            r"(a)?\d(?(1)bc)",
            r"\d+\u3042",
            r"\d\cab",
        ] {
            assert_eq!(of(pattern), None, "{pattern}");
        }
    }
}
