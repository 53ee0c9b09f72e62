//! Matching of file names (`File.fnmatch`) and searching directories for patterns (`Dir.glob`).

/// Flags of `fnmatch` and `glob`.
pub mod flags {
    pub const NO_ESCAPE: i64 = 1;
    pub const PATHNAME: i64 = 2;
    pub const DOT_MATCH: i64 = 4;
    pub const CASE_FOLD: i64 = 8;
    pub const EXT_GLOB: i64 = 16;
}

/// `File.fnmatch(pattern, path, flags)`, braces aside.
pub fn matches(pattern: &[u8], path: &[u8], flags: i64) -> bool {
    if flags & flags::PATHNAME == 0 {
        return match_part(pattern, path, flags, true);
    }
    match_path(pattern, path, flags)
}

/// Matching with `/` as a separator that `*` and `?` do not cross; `**/` crosses directories.
fn match_path(pattern: &[u8], path: &[u8], flags: i64) -> bool {
    if let Some(rest) = pattern.strip_prefix(b"**/") {
        let mut rest = rest;
        while let Some(more) = rest.strip_prefix(b"**/") {
            rest = more;
        }
        let mut at = path;
        loop {
            if match_path(rest, at, flags) {
                return true;
            }
            if at.first() == Some(&b'.') && flags & flags::DOT_MATCH == 0 {
                return false;
            }
            match at.iter().position(|b| *b == b'/') {
                Some(slash) => at = &at[slash + 1..],
                None => return false,
            }
        }
    }
    let (pattern_part, pattern_rest) = split_pattern(pattern, flags);
    let (path_part, path_rest) = match path.iter().position(|b| *b == b'/') {
        Some(slash) => (&path[..slash], Some(&path[slash + 1..])),
        None => (path, None),
    };
    if !match_part(pattern_part, path_part, flags, true) {
        return false;
    }
    match (pattern_rest, path_rest) {
        (None, None) => true,
        (Some(pattern), Some(path)) => match_path(pattern, path, flags),
        _ => false,
    }
}

/// The pattern up to its first separator, and what follows it.
fn split_pattern(pattern: &[u8], flags: i64) -> (&[u8], Option<&[u8]>) {
    let escapes = flags & flags::NO_ESCAPE == 0;
    let mut i = 0;
    while i < pattern.len() {
        match pattern[i] {
            b'\\' if escapes => i += 1,
            b'/' => return (&pattern[..i], Some(&pattern[i + 1..])),
            _ => {}
        }
        i += 1;
    }
    (pattern, None)
}

/// Matches one name; `first`: a leading dot must be matched by a dot.
pub fn match_part(pattern: &[u8], name: &[u8], flags: i64, first: bool) -> bool {
    let hidden = first && name.first() == Some(&b'.') && flags & flags::DOT_MATCH == 0;
    if hidden && !matches!(pattern.first(), Some(b'.')) && !(pattern.first() == Some(&b'\\') && pattern.get(1) == Some(&b'.')) {
        return false;
    }
    wild(pattern, name, flags)
}

/// Backtracks to the last `*` only: enough, because an earlier one can absorb nothing that a later cannot.
fn wild(pattern: &[u8], name: &[u8], flags: i64) -> bool {
    let escapes = flags & flags::NO_ESCAPE == 0;
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        let step = match pattern.get(p) {
            Some(b'*') => {
                p += 1;
                star = Some((p, n));
                continue;
            }
            None if n == name.len() => return true,
            None => None,
            _ if n == name.len() => None,
            Some(b'?') => Some((1, char_len(&name[n..]))),
            Some(b'[') => match bracket(&pattern[p..], &name[n..], flags) {
                Some((used, true)) => Some((used, char_len(&name[n..]))),
                Some((_, false)) => None,
                // An unterminated bracket matches nothing.
                None => return false,
            },
            Some(b'\\') if escapes && p + 1 < pattern.len() => literal(&pattern[p + 1..], &name[n..], flags, 1),
            Some(_) => literal(&pattern[p..], &name[n..], flags, 0),
        };
        match step {
            Some((dp, dn)) => {
                p += dp;
                n += dn;
            }
            None => match star {
                Some((sp, sn)) if sn < name.len() => {
                    let next = sn + char_len(&name[sn..]);
                    star = Some((sp, next));
                    p = sp;
                    n = next;
                }
                _ => return false,
            },
        }
    }
}

/// Length of the first UTF-8 character, 1 where there is none.
fn char_len(bytes: &[u8]) -> usize {
    let len = match bytes.first() {
        Some(0xC2..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF4) => 4,
        _ => return 1,
    };
    if len <= bytes.len() && std::str::from_utf8(&bytes[..len]).is_ok() { len } else { 1 }
}

fn char_at(bytes: &[u8]) -> u32 {
    let len = char_len(bytes);
    match std::str::from_utf8(&bytes[..len]).ok().and_then(|s| s.chars().next()) {
        Some(c) => c as u32,
        None => bytes[0] as u32,
    }
}

fn fold(c: u32, flags: i64) -> u32 {
    if flags & flags::CASE_FOLD == 0 {
        return c;
    }
    char::from_u32(c).and_then(|c| c.to_lowercase().next()).map_or(c, |c| c as u32)
}

/// Compares one character; returns bytes used of pattern (`extra` for an escape) and name.
fn literal(pattern: &[u8], name: &[u8], flags: i64, extra: usize) -> Option<(usize, usize)> {
    if name.is_empty() || pattern.is_empty() {
        return None;
    }
    let same = fold(char_at(pattern), flags) == fold(char_at(name), flags);
    same.then(|| (char_len(pattern) + extra, char_len(name)))
}

/// A bracket expression at the start of the pattern: its length and whether the character is in it; none when it is not closed.
fn bracket(pattern: &[u8], name: &[u8], flags: i64) -> Option<(usize, bool)> {
    let escapes = flags & flags::NO_ESCAPE == 0;
    let c = fold(char_at(name), flags);
    let mut i = 1;
    let negated = matches!(pattern.get(i), Some(b'!' | b'^'));
    if negated {
        i += 1;
    }
    let mut found = false;
    let start = i;
    let take = |i: &mut usize| -> Option<u32> {
        if escapes && pattern.get(*i) == Some(&b'\\') {
            *i += 1;
        }
        let rest = pattern.get(*i..).filter(|r| !r.is_empty())?;
        *i += char_len(rest);
        Some(char_at(rest))
    };
    loop {
        if pattern.get(i) == Some(&b']') && i > start {
            return Some((i + 1, found != negated));
        }
        let low = take(&mut i)?;
        let mut high = low;
        if pattern.get(i) == Some(&b'-') && pattern.get(i + 1).is_some_and(|b| *b != b']') {
            i += 1;
            high = take(&mut i)?;
        }
        found |= (fold(low, flags)..=fold(high, flags)).contains(&c);
    }
}

/// Expands `{a,b}` into all patterns.
pub fn braces(pattern: &[u8], flags: i64) -> Vec<Vec<u8>> {
    let escapes = flags & flags::NO_ESCAPE == 0;
    let (mut open, mut depth) = (None, 0);
    let mut commas = Vec::new();
    let mut i = 0;
    while i < pattern.len() {
        match pattern[i] {
            b'\\' if escapes => i += 1,
            b'{' => {
                if depth == 0 {
                    open = Some(i);
                    commas.clear();
                }
                depth += 1;
            }
            b',' if depth == 1 => commas.push(i),
            b'}' if depth > 0 => {
                depth -= 1;
                if let (0, Some(start)) = (depth, open) {
                    commas.push(i);
                    let mut out = Vec::new();
                    let mut from = start + 1;
                    for comma in &commas {
                        let one = [&pattern[..start], &pattern[from..*comma], &pattern[i + 1..]].concat();
                        out.extend(braces(&one, flags));
                        from = comma + 1;
                    }
                    return out;
                }
            }
            _ => {}
        }
        i += 1;
    }
    vec![pattern.to_vec()]
}

// -- searching ------------------------------------------------------------------------------------

use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// One directory level of a pattern.
#[derive(Clone, Debug)]
enum Part {
    /// No wildcard: escapes removed.
    Plain(Vec<u8>),
    Wild(Vec<u8>),
    /// `**`
    Recursive,
    /// The pattern ends with a slash: directories only.
    Directory,
}

/// A search under way.
pub struct Search<'a> {
    base: &'a [u8],
    flags: i64,
    sort: bool,
    pub found: Vec<Vec<u8>>,
}

/// All paths that match the pattern, relative to `base` when the pattern is relative.
pub fn glob(pattern: &[u8], base: &[u8], flags: i64, sort: bool) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for pattern in braces(pattern, flags) {
        let mut search = Search { base, flags, sort, found: Vec::new() };
        search.run(&pattern);
        all.append(&mut search.found);
    }
    all
}

impl Search<'_> {
    fn run(&mut self, pattern: &[u8]) {
        if pattern.is_empty() {
            return;
        }
        let slashes = pattern.iter().take_while(|b| **b == b'/').count();
        let mut parts = parse(&pattern[slashes..], self.flags);
        if parts.is_empty() && slashes > 0 {
            if self.exists(&pattern[..slashes]) {
                self.found.push(pattern[..slashes].to_vec());
            }
            return;
        }
        parts.dedup_by(|a, b| matches!((a, b), (Part::Recursive, Part::Recursive)));
        let root = pattern[..slashes.min(1)].to_vec();
        self.walk(&root, &parts);
    }

    /// The path as the system sees it.
    fn real(&self, path: &[u8]) -> Vec<u8> {
        match (path.first(), self.base) {
            (Some(b'/'), _) | (_, b"") => {
                if path.is_empty() {
                    b".".to_vec()
                } else {
                    path.to_vec()
                }
            }
            (None, base) => base.to_vec(),
            (_, base) => [base, b"/", path].concat(),
        }
    }

    fn exists(&self, path: &[u8]) -> bool {
        std::fs::symlink_metadata(std::ffi::OsStr::from_bytes(&self.real(path))).is_ok()
    }

    fn is_dir(&self, path: &[u8]) -> bool {
        std::fs::metadata(std::ffi::OsStr::from_bytes(&self.real(path))).is_ok_and(|m| m.is_dir())
    }

    /// Whether the path is a directory itself, not a link to one.
    fn is_real_dir(&self, path: &[u8]) -> bool {
        std::fs::symlink_metadata(std::ffi::OsStr::from_bytes(&self.real(path))).is_ok_and(|m| m.is_dir())
    }

    fn entries(&self, path: &[u8]) -> Vec<Vec<u8>> {
        let read = std::fs::read_dir(std::ffi::OsStr::from_bytes(&self.real(path)));
        let mut names: Vec<Vec<u8>> = read.into_iter().flatten().flatten().map(|e| e.file_name().into_vec()).collect();
        if self.sort {
            names.sort();
        }
        names
    }

    fn walk(&mut self, path: &[u8], parts: &[Part]) {
        let Some((first, rest)) = parts.split_first() else {
            self.found.push(path.to_vec());
            return;
        };
        match first {
            Part::Directory => {
                if !path.is_empty() && self.is_dir(path) {
                    let mut path = path.to_vec();
                    path.push(b'/');
                    self.found.push(path);
                }
            }
            Part::Plain(name) => {
                let next = join(path, name);
                let last = rest.is_empty() || matches!(rest, [Part::Directory]);
                if last && self.exists(&next) || !last && self.is_dir(&next) {
                    self.walk(&next, rest);
                }
            }
            Part::Wild(pattern) => self.walk_wild(path, pattern, rest),
            Part::Recursive => {
                self.walk(path, rest);
                self.descend(path, rest);
            }
        }
    }

    fn walk_wild(&mut self, path: &[u8], pattern: &[u8], rest: &[Part]) {
        let mut names = self.entries(path);
        if self.flags & flags::DOT_MATCH != 0 || pattern.first() == Some(&b'.') {
            names.insert(0, b".".to_vec());
        }
        for name in names {
            let directory = matches!(rest, [Part::Directory]) && pattern.first() == Some(&b'.');
            if name == b"." && !(pattern == b"." || rest.is_empty() || directory) {
                continue;
            }
            if match_part(pattern, &name, self.flags, true) {
                let next = join(path, &name);
                if rest.is_empty() || self.is_dir(&next) {
                    self.walk(&next, rest);
                }
            }
        }
    }

    /// Goes into every directory below `path`, links excepted.
    fn descend(&mut self, path: &[u8], rest: &[Part]) {
        for name in self.entries(path) {
            let hidden = name.first() == Some(&b'.');
            if hidden && self.flags & flags::DOT_MATCH == 0 {
                continue;
            }
            let next = join(path, &name);
            if self.is_real_dir(&next) {
                self.walk_below(&next, rest);
                self.descend(&next, rest);
            }
        }
    }

    /// Like `walk`, but with `.` not counted as an entry of directories below the first.
    fn walk_below(&mut self, path: &[u8], rest: &[Part]) {
        if let [Part::Wild(pattern), more @ ..] = rest {
            for name in self.entries(path) {
                if match_part(pattern, &name, self.flags, true) {
                    let next = join(path, &name);
                    if more.is_empty() || self.is_dir(&next) {
                        self.walk(&next, more);
                    }
                }
            }
        } else {
            self.walk(path, rest);
        }
    }
}

fn join(path: &[u8], name: &[u8]) -> Vec<u8> {
    if path.is_empty() {
        return name.to_vec();
    }
    let mut out = path.to_vec();
    if out.last() != Some(&b'/') {
        out.push(b'/');
    }
    out.extend_from_slice(name);
    out
}

fn parse(pattern: &[u8], flags: i64) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = Some(pattern);
    while let Some(text) = rest {
        let (part, more) = split_pattern(text, flags);
        rest = more;
        if part.is_empty() {
            if more.is_none() && !parts.is_empty() {
                parts.push(Part::Directory);
            }
            continue;
        }
        parts.push(if part == b"**" && more.is_some() {
            Part::Recursive
        } else if is_wild(part, flags) {
            Part::Wild(part.to_vec())
        } else {
            Part::Plain(unescape(part, flags))
        });
    }
    parts
}

fn is_wild(part: &[u8], flags: i64) -> bool {
    let fold = flags & flags::CASE_FOLD != 0;
    part.iter().any(|b| matches!(b, b'*' | b'?' | b'[') || fold && b.is_ascii_alphabetic())
}

fn unescape(part: &[u8], flags: i64) -> Vec<u8> {
    if flags & flags::NO_ESCAPE != 0 {
        return part.to_vec();
    }
    let mut out = Vec::with_capacity(part.len());
    let mut bytes = part.iter();
    while let Some(b) = bytes.next() {
        match b {
            b'\\' => out.extend(bytes.next().or(Some(b))),
            _ => out.push(*b),
        }
    }
    out
}
