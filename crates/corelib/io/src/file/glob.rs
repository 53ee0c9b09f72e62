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

/// Matching with `/` as a separator that `*` and `?` do not cross; `**/` crosses directories. Like `wild` it goes back
/// to the last `**/` only: an earlier one crosses nothing that a later one cannot.
fn match_path(pattern: &[u8], path: &[u8], flags: i64) -> bool {
    let (mut pattern, mut path) = (pattern, path);
    let mut crossing: Option<(&[u8], &[u8])> = None;
    loop {
        if pattern.starts_with(b"**/") {
            while let Some(rest) = pattern.strip_prefix(b"**/") {
                pattern = rest;
            }
            crossing = Some((pattern, path));
        }
        let (pattern_part, pattern_rest) = split_pattern(pattern, flags);
        let (path_part, path_rest) = match path.iter().position(|b| *b == b'/') {
            Some(slash) => (&path[..slash], Some(&path[slash + 1..])),
            None => (path, None),
        };
        if match_part(pattern_part, path_part, flags, true) {
            match (pattern_rest, path_rest) {
                (None, None) => return true,
                (Some(pattern_rest), Some(path_rest)) => {
                    (pattern, path) = (pattern_rest, path_rest);
                    continue;
                }
                _ => {}
            }
        }
        let Some((rest, at)) = crossing else { return false };
        if at.first() == Some(&b'.') && flags & flags::DOT_MATCH == 0 {
            return false;
        }
        let Some(slash) = at.iter().position(|b| *b == b'/') else { return false };
        (pattern, path) = (rest, &at[slash + 1..]);
        crossing = Some((pattern, path));
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
    if hidden
        && !matches!(pattern.first(), Some(b'.'))
        && !(pattern.first() == Some(&b'\\') && pattern.get(1) == Some(&b'.'))
    {
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

/// A bracket expression at the start of the pattern: its length and whether the character is in it; none when it is not
/// closed.
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

/// The patterns that `{a,b}` stands for, one after the other: there may be more of them than there is memory for.
pub struct Braces {
    flags: i64,
    /// What is expanded next.
    pattern: Option<Vec<u8>>,
    /// Groups of which more alternatives follow, the outermost first.
    levels: Vec<Level>,
}

/// A pattern with its first group in braces.
struct Level {
    pattern: Vec<u8>,
    open: usize,
    close: usize,
    /// Where its next alternative begins.
    from: usize,
}

impl Braces {
    pub fn new(pattern: &[u8], flags: i64) -> Braces {
        Braces { flags, pattern: Some(pattern.to_vec()), levels: Vec::new() }
    }

    /// The next pattern. `poll` is asked for each group that is left and may end the expansion.
    pub fn next<E>(&mut self, mut poll: impl FnMut() -> Result<(), E>) -> Result<Option<Vec<u8>>, E> {
        loop {
            poll()?;
            let Some(pattern) = self.pattern.take().or_else(|| self.alternative()) else { return Ok(None) };
            match first_group(&pattern, self.flags) {
                Group::None => return Ok(Some(pattern)),
                // Such a pattern stands for nothing.
                Group::Unclosed => {}
                Group::Found { open, close } => self.levels.push(Level { pattern, open, close, from: open + 1 }),
            }
        }
    }

    /// The innermost group's next alternative with what is around it.
    fn alternative(&mut self) -> Option<Vec<u8>> {
        let level = self.levels.last_mut()?;
        let end = alternative_end(&level.pattern, level.from, level.close, self.flags);
        let one =
            [&level.pattern[..level.open], &level.pattern[level.from..end], &level.pattern[level.close + 1..]].concat();
        level.from = end + 1;
        if end == level.close {
            self.levels.pop();
        }
        Some(one)
    }
}

/// The first group in braces.
enum Group {
    None,
    Unclosed,
    Found { open: usize, close: usize },
}

fn first_group(pattern: &[u8], flags: i64) -> Group {
    let escapes = flags & flags::NO_ESCAPE == 0;
    let (mut open, mut depth) = (0, 0usize);
    let mut i = 0;
    while i < pattern.len() {
        match pattern[i] {
            b'\\' if escapes => i += 1,
            b'{' => {
                if depth == 0 {
                    open = i;
                }
                depth += 1;
            }
            b'}' if depth == 1 => return Group::Found { open, close: i },
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        i += 1;
    }
    if depth > 0 { Group::Unclosed } else { Group::None }
}

/// Where the alternative of a group that begins at `from` ends: at a comma, or where the group closes.
fn alternative_end(pattern: &[u8], from: usize, close: usize, flags: i64) -> usize {
    let escapes = flags & flags::NO_ESCAPE == 0;
    let (mut i, mut depth) = (from, 0usize);
    while i < close {
        match pattern[i] {
            b'\\' if escapes => i += 1,
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return i,
            _ => {}
        }
        i += 1;
    }
    close
}

// -- searching ------------------------------------------------------------------------------------

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::atomic::{AtomicBool, Ordering};

/// One directory level of a pattern.
#[derive(Clone, Debug)]
struct Part {
    name: Name,
    /// How many slashes follow it in the pattern: paths are found with as many.
    slashes: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Name {
    /// No wildcard: escapes removed.
    Plain(Vec<u8>),
    Wild(Vec<u8>),
    /// `**`
    Recursive,
}

/// Where a path stands in the pattern: the part to be matched next, and the slashes before it. A path can stand at
/// several places, because of `**`.
#[derive(Clone, Copy, PartialEq)]
struct Place {
    part: usize,
    slashes: usize,
}

/// What is known of a path, without asking the system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Nothing,
    /// It is there. It may be a link.
    There,
    Dir,
    /// It is there, neither a directory nor a link.
    NoDir,
}

/// Why a search gave nothing.
#[derive(Debug)]
pub enum Stop {
    /// The flag was set.
    Interrupted,
    /// No descriptors or no memory: errno and the directory. Directories that cannot be read for other reasons are
    /// passed over.
    Failed(i32, Vec<u8>),
}

/// What is left to do of a search, in the order of its paths. Paths are deeper than the stack of a fiber.
enum Task {
    /// Find what stands at one of `places`. `below`: a directory above has been listed.
    Walk { path: Vec<u8>, places: Vec<Place>, below: bool, known: Known },
    /// Go one level down, to places that have the same number of slashes.
    Step { path: Vec<u8>, places: Vec<Place>, below: bool },
    /// The whole pattern has matched.
    Arrive { path: Vec<u8>, slashes: usize, known: Known },
}

/// A search under way.
struct Search<'a> {
    base: &'a [u8],
    flags: i64,
    sort: bool,
    parts: Vec<Part>,
    stop: &'a AtomicBool,
    found: Vec<Vec<u8>>,
    /// The next one is the last.
    tasks: Vec<Task>,
}

/// All paths that match the pattern, relative to `base` when the pattern is relative. `named`: the base is a path that
/// the program gave, which an empty pattern stands for.
pub fn glob(
    pattern: &[u8],
    base: &[u8],
    named: bool,
    flags: i64,
    sort: bool,
    stop: &AtomicBool,
) -> Result<Vec<Vec<u8>>, Stop> {
    let flags = flags & !flags::CASE_FOLD;
    let (ahead, behind) = pattern.split_at(recursion(pattern, flags));
    let poll = || if stop.load(Ordering::Relaxed) { Err(Stop::Interrupted) } else { Ok(()) };
    let mut all = Vec::new();
    let mut prefixes = Braces::new(ahead, flags);
    let (mut next_prefix, mut prefixes_met) = (prefixes.next(poll)?, 0usize);
    while let Some(prefix) = next_prefix {
        next_prefix = prefixes.next(poll)?;
        prefixes_met += 1;
        let one = prefixes_met == 1 && next_prefix.is_none() && !behind.is_empty();
        let before = all.len();
        let mut endings = Braces::new(behind, flags);
        let mut endings_met = 0usize;
        while let Some(ending) = endings.next(poll)? {
            endings_met += 1;
            let pattern = [&prefix[..], &ending].concat();
            if pattern.is_empty() {
                if named && std::fs::symlink_metadata(OsStr::from_bytes(base)).is_ok() {
                    all.push(pattern);
                }
                continue;
            }
            let root = pattern.iter().take_while(|b| **b == b'/').count();
            let mut search = Search {
                base,
                flags,
                sort,
                parts: parse(&pattern[root..], flags),
                stop,
                found: Vec::new(),
                tasks: Vec::new(),
            };
            search.run(pattern[..root].to_vec())?;
            all.append(&mut search.found);
        }
        if endings_met > 1 && one {
            // Alternatives below `**` are looked for in one walk, which meets each path once.
            all[before..].sort_by(|a, b| a.split(|c| *c == b'/').cmp(b.split(|c| *c == b'/')));
            let mut met = all.split_off(before);
            met.dedup();
            all.append(&mut met);
        }
    }
    Ok(all)
}

/// Where the first `**/` outside of braces begins, the whole length without one.
fn recursion(pattern: &[u8], flags: i64) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < pattern.len() {
        match pattern[at] {
            b'\\' if flags & flags::NO_ESCAPE == 0 => at += 1,
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'*' if depth == 0 && pattern[at..].starts_with(b"**/") && (at == 0 || pattern[at - 1] == b'/') => {
                return at;
            }
            _ => {}
        }
        at += 1;
    }
    pattern.len()
}

impl Search<'_> {
    /// The path as the system sees it.
    fn real(&self, path: &[u8]) -> Vec<u8> {
        match (path.first(), self.base) {
            (Some(b'/'), _) | (Some(_), b"") => path.to_vec(),
            (None, b"") => b".".to_vec(),
            (None, base) => base.to_vec(),
            (_, base) => [base, b"/", path].concat(),
        }
    }

    /// The directory for messages: without the slash at its end; nothing stands for the working directory.
    fn shown(&self, path: &[u8]) -> Vec<u8> {
        let mut dir = if path.is_empty() { self.base.to_vec() } else { self.real(path) };
        while dir.len() > 1 && dir.ends_with(b"/") {
            dir.pop();
        }
        dir
    }

    fn exists(&self, path: &[u8]) -> bool {
        std::fs::symlink_metadata(OsStr::from_bytes(&self.real(path))).is_ok()
    }

    fn is_dir(&self, path: &[u8]) -> bool {
        std::fs::metadata(OsStr::from_bytes(&self.real(path))).is_ok_and(|m| m.is_dir())
    }

    fn entries(&self, path: &[u8]) -> Result<Vec<(Vec<u8>, Known)>, Stop> {
        let read = match std::fs::read_dir(OsStr::from_bytes(&self.real(path))) {
            Ok(read) => read,
            Err(error) => {
                return match error.raw_os_error() {
                    Some(e @ (libc::EMFILE | libc::ENFILE | libc::ENOMEM)) => Err(Stop::Failed(e, self.shown(path))),
                    _ => Ok(Vec::new()),
                };
            }
        };
        let known = |entry: &std::fs::DirEntry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => Known::Dir,
            Ok(kind) if !kind.is_symlink() => Known::NoDir,
            _ => Known::There,
        };
        let mut names: Vec<(Vec<u8>, Known)> =
            read.flatten().map(|entry| (entry.file_name().into_vec(), known(&entry))).collect();
        if self.sort {
            names.sort();
        }
        Ok(names)
    }

    /// Finds everything from `root` on.
    fn run(&mut self, root: Vec<u8>) -> Result<(), Stop> {
        let mut next = Some(Task::Walk {
            path: root,
            places: vec![Place { part: 0, slashes: 0 }],
            below: false,
            known: Known::Nothing,
        });
        while let Some(task) = next {
            match task {
                Task::Walk { path, places, below, known } => self.walk(path, &places, below, known)?,
                Task::Step { path, places, below } => self.step(&path, &places, below)?,
                Task::Arrive { path, slashes, known } => self.arrive(path, slashes, known),
            }
            next = self.tasks.pop();
        }
        Ok(())
    }

    fn walk(&mut self, path: Vec<u8>, places: &[Place], below: bool, known: Known) -> Result<(), Stop> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        let places = self.with_skipped(places);
        let end = self.parts.len();
        if let Some(place) = places.iter().find(|place| place.part == end) {
            self.arrive(path.clone(), place.slashes, known);
        }
        let from = self.tasks.len();
        let mut seen: Vec<usize> = Vec::new();
        for place in places.iter().filter(|place| place.part < end) {
            // Different numbers of slashes make different paths.
            if !seen.contains(&place.slashes) {
                seen.push(place.slashes);
                let group: Vec<Place> =
                    places.iter().filter(|other| other.part < end && other.slashes == place.slashes).copied().collect();
                self.tasks.push(Task::Step { path: path.clone(), places: group, below });
            }
        }
        self.tasks[from..].reverse();
        Ok(())
    }

    /// `**` also matches no directory at all.
    fn with_skipped(&self, places: &[Place]) -> Vec<Place> {
        let mut all: Vec<Place> = Vec::with_capacity(places.len() + 1);
        for place in places {
            let mut place = *place;
            loop {
                if !all.contains(&place) {
                    all.push(place);
                }
                if !matches!(self.parts.get(place.part), Some(part) if part.name == Name::Recursive) {
                    break;
                }
                place.part += 1;
            }
        }
        all
    }

    /// The whole pattern has matched; with slashes at its end only directories do.
    fn arrive(&mut self, path: Vec<u8>, slashes: usize, known: Known) {
        let dirs_only = self.parts.last().is_some_and(|part| part.slashes > 0);
        if !dirs_only && (known != Known::Nothing || self.exists(&path)) {
            self.found.push(path);
            return;
        }
        let is_dir = match known {
            Known::Dir => true,
            Known::NoDir => false,
            Known::There | Known::Nothing => {
                dirs_only && (!path.is_empty() || !self.base.is_empty()) && self.is_dir(&path)
            }
        };
        if dirs_only && is_dir {
            self.found.push(join(&path, slashes.max(1), b""));
        }
    }

    fn step(&mut self, path: &[u8], places: &[Place], below: bool) -> Result<(), Stop> {
        let slashes = places[0].slashes;
        let plain = |place: &Place| match &self.parts[place.part].name {
            Name::Plain(name) => Some(name.clone()),
            _ => None,
        };
        if places.iter().all(|place| plain(place).is_some()) {
            let mut names: Vec<Vec<u8>> = places.iter().filter_map(plain).collect();
            names.dedup();
            for name in names.into_iter().rev() {
                let next = self.places_after(places, &name, false);
                let path = join(path, slashes, &name);
                if next.iter().any(|place| place.part == self.parts.len()) || self.exists(&path) {
                    self.tasks.push(Task::Walk { path, places: next, below, known: Known::Nothing });
                }
            }
            return Ok(());
        }
        let mut entries = self.entries(path)?;
        let recursive = places.iter().any(|place| self.parts[place.part].name == Name::Recursive);
        if !below && (!recursive || self.flags & flags::DOT_MATCH != 0) {
            // Among the others, in the first directory that is listed.
            let place = if self.sort { entries.partition_point(|(name, _)| name.as_slice() < b".") } else { 0 };
            entries.insert(place, (b".".to_vec(), Known::Nothing));
        }
        let (end, from) = (self.parts.len(), self.tasks.len());
        for (name, known) in entries {
            let next = self.places_after(places, &name, known == Known::Dir);
            let path = || join(path, slashes, &name);
            match &next[..] {
                [] => {}
                [only] if only.part == end && self.tasks.len() == from => self.arrive(path(), only.slashes, known),
                [only] if only.part == end => {
                    self.tasks.push(Task::Arrive { path: path(), slashes: only.slashes, known })
                }
                _ => self.tasks.push(Task::Walk { path: path(), places: next, below: true, known }),
            }
        }
        self.tasks[from..].reverse();
        Ok(())
    }

    /// Where an entry stands when its directory stands at `places`.
    fn places_after(&self, places: &[Place], name: &[u8], is_dir: bool) -> Vec<Place> {
        let dotted = self.flags & flags::DOT_MATCH != 0;
        let mut next = Vec::new();
        for place in places {
            let part = &self.parts[place.part];
            let after = Place { part: place.part + 1, slashes: part.slashes };
            let matched = match &part.name {
                Name::Plain(plain) => plain == name,
                Name::Wild(pattern) => match_part(pattern, name, self.flags, true),
                Name::Recursive => {
                    if is_dir && (dotted || name.first() != Some(&b'.')) {
                        next.push(Place { part: place.part, slashes: 1 });
                    }
                    false
                }
            };
            if matched {
                next.push(after);
            }
        }
        next
    }
}

fn join(path: &[u8], slashes: usize, name: &[u8]) -> Vec<u8> {
    let mut out = path.to_vec();
    out.resize(path.len() + slashes, b'/');
    out.extend_from_slice(name);
    out
}

/// `split_pattern` for searches, where a slash between brackets separates nothing.
fn split_level(pattern: &[u8], flags: i64) -> (&[u8], Option<&[u8]>) {
    let escapes = flags & flags::NO_ESCAPE == 0;
    let mut open = false;
    let mut i = 0;
    while i < pattern.len() {
        match pattern[i] {
            b'\\' if escapes => i += 1,
            b'[' => open = true,
            b']' => open = false,
            b'/' if !open => return (&pattern[..i], Some(&pattern[i + 1..])),
            _ => {}
        }
        i += 1;
    }
    (pattern, None)
}

/// The parts of a pattern without the slashes at its beginning.
fn parse(pattern: &[u8], flags: i64) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut rest = (!pattern.is_empty()).then_some(pattern);
    while let Some(text) = rest {
        let (part, more) = split_level(text, flags);
        rest = more;
        let slashes = usize::from(more.is_some());
        if part.is_empty() {
            if let Some(last) = parts.last_mut() {
                last.slashes += slashes;
            }
            continue;
        }
        let name = if part == b"**" && more.is_some() {
            Name::Recursive
        } else if is_wild(part, flags) {
            Name::Wild(part.to_vec())
        } else {
            Name::Plain(unescape(part, flags))
        };
        if name == Name::Recursive {
            // Slashes behind it count as one.
            if parts.last().is_some_and(|last| last.name == Name::Recursive) {
                continue;
            }
        }
        parts.push(Part { name, slashes });
    }
    for part in &mut parts {
        if part.name == Name::Recursive {
            part.slashes = 1;
        }
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
            b'\\' => out.extend(bytes.next()),
            _ => out.push(*b),
        }
    }
    out
}
