//! A compiled regular expression and the strategy of searching.
//!
//! Oniguruma cannot be asked to stop, so every search is made of pieces that are short, with
//! [`Poll`] asked between them:
//!
//! 1. A plain search with a limit of retries (about 10 ms). Nearly every search ends here, at the engine's full speed.
//!    On texts longer than [`LONG_TEXT`] it has a check point at each start position, because loops that leave no
//!    alternatives are not counted as retries; such a loop costs at most one pass over the text between two polls.
//!    Where that may have become dear, the search goes on with a form in which they do.
//! 2. Where the limit stops it and the start position has moved on, the search goes on from there: a long scan, in
//!    slices. Only the current start position is tried again.
//! 3. Where one start position alone uses up the limit, or slices advance too slowly, the pattern backtracks heavily.
//!    It is searched with check points behind all quantifiers and groups, each of which may end the search. In patterns
//!    without back-references and the like, failures at check points are remembered (`memory.rs`), so that the search
//!    becomes linear in the text. The same when the stack grows large.
//!
//! Cost: at worst the retries of one limit are made twice. Rejected: growing the limit and
//! starting over, since the last attempt then runs for any length of time uninterrupted.

use std::sync::{Arc, Mutex, OnceLock};

use memchr::memmem::Finder;
use rubellite_encoding::{CodeRange, Encoding};

use crate::engine::{self, Captures, Ending, Pass, Program, Verdict};
use crate::memory::Memory;
use crate::needs::Needs;
use crate::points::{Kind, Traits};
use crate::required::required;
use crate::rewrite::{Checks, rewrite};
use crate::simple::{Answer, Simple};
use crate::source::{Options, SyntaxError, is_bytewise, pattern_encoding, read};

/// Retries of one slice, about 10 ms.
const SLICE_RETRIES: u64 = 1_000_000;
/// Steps that may have been made before a search goes on in the form whose steps are counted.
const SPENT_MAX: u64 = 1 << 24;
/// From here on, untried start positions are check points.
const LONG_TEXT: usize = 4096;
/// From here on a search begins with the text that every match must hold.
const FILTERED_TEXT: usize = 128;
/// A slice that tries fewer start positions than this is one of heavy backtracking.
const SLOW_SLICE: usize = 256;
/// Check points passed between two polls, about 0.1 ms.
const POLL_INTERVAL: u32 = 4096;

/// The same in patterns that call groups, where the way from one to the next may be as long as the engine's stack.
const CALLS_POLL_INTERVAL: u32 = 16;

/// Asked every few milliseconds of a long match; the answer ends it.
pub type Poll<'a> = &'a mut dyn FnMut() -> Option<MatchError>;

/// Why a match ended without an answer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum MatchError {
    /// `Regexp.timeout` is over: Regexp::TimeoutError "regexp match timeout".
    Timeout,
    /// Another thread wants this one to stop.
    Interrupted,
    /// A limit of the engine: memory for backtracking, or a text above 2 GB.
    StackLimit,
    /// The text is broken: ArgumentError "invalid byte sequence in ENC".
    Broken(Encoding),
    /// Encoding::CompatibilityError.
    Incompatible { pattern: Encoding, text: Encoding },
}

impl MatchError {
    /// The sentence of the exception.
    pub fn message(&self) -> String {
        match self {
            MatchError::Timeout => "regexp match timeout".to_string(),
            MatchError::Interrupted => "regexp match interrupted".to_string(),
            MatchError::StackLimit => "Stack overflow in regexp matcher".to_string(),
            MatchError::Broken(enc) => format!("invalid byte sequence in {}", enc.name()),
            MatchError::Incompatible { pattern, text } => {
                let shown = |enc: Encoding| match enc {
                    Encoding::BINARY => "BINARY (ASCII-8BIT)",
                    _ => enc.name(),
                };
                let (pattern, text) = (shown(*pattern), shown(*text));
                format!("incompatible encoding regexp match ({pattern} regexp with {text} string)")
            }
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Direction {
    Forward,
    Backward,
}

/// A text that is known to be valid in its encoding.
#[derive(Copy, Clone, Debug)]
pub struct Subject<'a> {
    bytes: &'a [u8],
    enc: Encoding,
    seven_bit: bool,
    hurried: bool,
}

impl<'a> Subject<'a> {
    /// Checks the text, which costs a pass over it.
    pub fn new(bytes: &'a [u8], enc: Encoding) -> Result<Subject<'a>, MatchError> {
        match enc.code_range(bytes) {
            CodeRange::Broken => Err(MatchError::Broken(enc)),
            range => Ok(Subject { bytes, enc, seven_bit: range == CodeRange::SevenBit, hurried: false }),
        }
    }

    /// A text whose code range is known.
    ///
    /// # Safety
    /// `range` must be what [`Encoding::code_range`] gives for `bytes`: the engine may read
    /// past the end of text that is not valid.
    pub unsafe fn with_range(bytes: &'a [u8], enc: Encoding, range: CodeRange) -> Result<Subject<'a>, MatchError> {
        match range {
            CodeRange::Broken => Err(MatchError::Broken(enc)),
            range => Ok(Subject { bytes, enc, seven_bit: range == CodeRange::SevenBit, hurried: false }),
        }
    }

    /// Whether the answers of [`Poll`] are wanted sooner than a slice takes: then a long text is searched with all
    /// check points at once, which is slower.
    #[must_use]
    pub fn hurried(self, hurried: bool) -> Subject<'a> {
        Subject { hurried, ..self }
    }

    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub fn encoding(&self) -> Encoding {
        self.enc
    }
}

/// The programs of a pattern for one encoding of texts.
struct Variant {
    enc: Encoding,
    plain: Program,
    /// With a check point at each start position, and with all. Compiled when first needed;
    /// nothing where the engine does not take the check points.
    head: Checked,
    counted: Checked,
    full: Checked,
}

type Checked = OnceLock<Option<Box<(Program, Traits)>>>;

/// The variant that one search uses.
enum Picked<'a> {
    Own(&'a Variant),
    Other(Arc<Variant>),
}

impl std::ops::Deref for Picked<'_> {
    type Target = Variant;

    fn deref(&self) -> &Variant {
        match self {
            Picked::Own(variant) => variant,
            Picked::Other(variant) => variant,
        }
    }
}

/// A compiled regular expression. What is made when it is needed lies elsewhere: most are matched in one way, in one
/// encoding.
pub struct Regex {
    warnings: Vec<String>,
    source: Box<[u8]>,
    /// The source after its escapes have been read.
    text: Box<[u8]>,
    enc: Encoding,
    options: Options,
    traits: Traits,
    names: Vec<(Vec<u8>, Vec<usize>)>,
    captures: usize,
    own: Variant,
    /// What `simple.rs` makes of it, once somebody has matched at one position.
    simple: OnceLock<Option<Box<Simple>>>,
    /// Text that every match holds.
    required: OnceLock<Option<Box<Finder<'static>>>>,
    /// What a match needs, once a search has become dear.
    needs: OnceLock<Box<Needs>>,
    others: Mutex<Vec<Arc<Variant>>>,
}

impl Regex {
    /// Compiles the text of `Regexp#source`, which is in `enc`.
    pub fn new(source: &[u8], options: Options, enc: Encoding) -> Result<Regex, SyntaxError> {
        let mut effective = options;
        let error = |reason: &str| SyntaxError::about(reason, source, enc, options);
        let read = read(source, enc, options.extended).map_err(|reason| error(&reason))?;
        let pattern_enc = pattern_encoding(&read, enc, &mut effective).map_err(error)?;
        let traits =
            rewrite(&read.text, pattern_enc, options.extended, Checks::None).map_err(|reason| error(&reason))?.traits;
        engine::take_warnings();
        let variant = Variant::new(&read.text, pattern_enc, effective)
            .map_err(|reason| error(if overruns(&read.text, &reason) { INVALID_BACKREF } else { &reason }))?;
        Ok(Regex {
            warnings: engine::take_warnings(),
            source: source.into(),
            text: read.text.into(),
            enc: pattern_enc,
            options: effective,
            traits,
            names: variant.plain.names(),
            captures: variant.plain.captures(),
            own: variant,
            simple: OnceLock::new(),
            required: OnceLock::new(),
            needs: OnceLock::new(),
            others: Mutex::default(),
        })
    }

    /// The source after its escapes have been read, its encoding, and whether option x holds.
    pub(crate) fn read(&self) -> (&[u8], Encoding, bool) {
        (&self.text, self.enc, self.options.extended)
    }

    /// What is questionable in the pattern, as warnings say it without the pattern.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Reads a piece of a pattern: the encoding that its characters fix, if they fix one. The reason where it cannot be
    /// read: an escape that is incomplete, a broken character.
    pub fn read_piece(piece: &[u8], enc: Encoding, extended: bool) -> Result<Option<Encoding>, String> {
        read(piece, enc, extended).map(|read| read.fixed)
    }

    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// `Regexp#encoding`
    pub fn encoding(&self) -> Encoding {
        self.enc
    }

    /// `Regexp#fixed_encoding?`
    pub fn is_fixed_encoding(&self) -> bool {
        self.options.fixed_encoding
    }

    /// The options, with `fixed_encoding` set where characters of the source fix it.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Number of groups that capture.
    pub fn captures_len(&self) -> usize {
        self.captures
    }

    /// Names with the numbers of their groups, in order of appearance.
    pub fn names(&self) -> &[(Vec<u8>, Vec<usize>)] {
        &self.names
    }

    /// The groups of a name.
    pub fn groups_of(&self, name: &[u8]) -> Option<&[usize]> {
        self.names.iter().find(|n| n.0 == name).map(|n| n.1.as_slice())
    }

    /// `Regexp.linear_time?` of this pattern.
    pub fn is_linear_time(&self) -> bool {
        self.traits.is_linear()
    }

    /// The encoding to match a text with, or why the two do not go together.
    fn matching_encoding(&self, subject: &Subject<'_>) -> Result<Encoding, MatchError> {
        let incompatible = MatchError::Incompatible { pattern: self.enc, text: subject.enc };
        if self.enc == subject.enc || (subject.seven_bit && self.enc == Encoding::US_ASCII) {
            return Ok(self.enc);
        }
        if !subject.enc.is_ascii_compatible() {
            return Err(incompatible);
        }
        if self.options.fixed_encoding {
            let shared = self.enc.is_ascii_compatible() && subject.seven_bit;
            return if shared { Ok(self.enc) } else { Err(incompatible) };
        }
        Ok(subject.enc)
    }

    fn variant(&self, subject: &Subject<'_>) -> Result<Picked<'_>, MatchError> {
        let enc = self.matching_encoding(subject)?;
        let same_tables = is_bytewise(enc) && enc == Encoding::BINARY && is_bytewise(self.own.enc);
        if enc == self.own.enc || (same_tables && self.text.is_ascii() && !self.options.ignorecase) {
            return Ok(Picked::Own(&self.own));
        }
        // A poisoned lock still holds whole entries.
        let mut others = self.others.lock().unwrap_or_else(|poison| poison.into_inner());
        if let Some(variant) = others.iter().find(|variant| variant.enc == enc) {
            return Ok(Picked::Other(variant.clone()));
        }
        let incompatible = MatchError::Incompatible { pattern: self.enc, text: subject.enc };
        let variant = Arc::new(Variant::new(&self.text, enc, self.options).map_err(|_| incompatible)?);
        others.push(variant.clone());
        Ok(Picked::Other(variant))
    }

    /// Searches for a match that begins at `start` or, by `direction`, behind or before it.
    /// `start` is a character boundary. The answer is the position of the match, and
    /// `captures` holds its groups.
    pub fn search(
        &self,
        subject: Subject<'_>,
        start: usize,
        direction: Direction,
        captures: &mut Captures,
        poll: Poll<'_>,
    ) -> Result<Option<usize>, MatchError> {
        let mut start = start;
        if direction == Direction::Forward {
            match self.quick_search(subject, start, captures)? {
                Ok(found) => return Ok(found),
                Err(reached) => start = reached,
            }
            if self.is_ruled_out(&subject, start) {
                self.matching_encoding(&subject)?;
                captures.clear();
                return Ok(None);
            }
        }
        let variant = self.variant(&subject)?;
        let hurried = subject.hurried && subject.bytes.len() >= LONG_TEXT;
        let mut search = Search { regex: self, variant: &variant, text: subject.bytes, hurried, captures, poll };
        let found = match direction {
            Direction::Forward => search.forward(start),
            Direction::Backward => search.backward(start),
        };
        if !matches!(found, Ok(Some(_))) {
            captures.clear();
        }
        found
    }

    /// Whether a text that is not short lacks what every match holds.
    fn is_ruled_out(&self, subject: &Subject<'_>, start: usize) -> bool {
        subject.bytes.get(start..).is_some_and(|text| text.len() >= FILTERED_TEXT && self.lacks_required(text))
    }

    fn lacks_required(&self, text: &[u8]) -> bool {
        let required = self.required.get_or_init(|| required(&self.text, self.enc, self.options).map(Box::new));
        required.as_ref().is_some_and(|finder| finder.find(text).is_none())
    }

    /// What is known without the engine about matches in this text, and whether its characters are those of UTF-8.
    #[inline]
    fn simple(&self, subject: &Subject<'_>, at: usize) -> Result<Option<(&Simple, bool)>, MatchError> {
        let Some(simple) = self.simple.get_or_init(|| Simple::new(&self.source, self.options).map(Box::new)) else {
            return Ok(None);
        };
        let enc = subject.enc;
        let wide = enc.is_utf8_family();
        if at > subject.bytes.len() || !(wide || enc.is_single_byte() || subject.seven_bit && enc.is_ascii_compatible())
        {
            return Ok(None);
        }
        self.matching_encoding(subject)?;
        Ok(Some((simple, wide)))
    }

    /// Searches forward without the engine, in a bounded time. `Err` says from where on the engine has to search.
    pub fn quick_search(
        &self,
        subject: Subject<'_>,
        start: usize,
        captures: &mut Captures,
    ) -> Result<Result<Option<usize>, usize>, MatchError> {
        let Some((simple, wide)) = self.simple(&subject, start)? else { return Ok(Err(start)) };
        match simple.search(subject.bytes, start, wide) {
            Ok(Some((begin, end))) if captures.set_whole(begin, end) => Ok(Ok(Some(begin))),
            Ok(None) => {
                captures.clear();
                Ok(Ok(None))
            }
            Ok(Some(_)) => Ok(Err(start)),
            Err(reached) => Ok(Err(reached)),
        }
    }

    /// `match_at` without the engine, where that is possible.
    #[inline]
    fn simply(
        &self,
        subject: &Subject<'_>,
        at: usize,
        captures: &mut Captures,
    ) -> Result<Option<Option<usize>>, MatchError> {
        let Some((simple, wide)) = self.simple(subject, at)? else { return Ok(None) };
        match simple.match_at(subject.bytes, at, wide) {
            Answer::Match(end) if captures.set_whole(at, end) => Ok(Some(Some(end))),
            Answer::None => {
                captures.clear();
                Ok(Some(None))
            }
            _ => Ok(None),
        }
    }

    /// Matches at one position only; gives the end of the match.
    pub fn match_at(
        &self,
        subject: Subject<'_>,
        at: usize,
        captures: &mut Captures,
        poll: Poll<'_>,
    ) -> Result<Option<usize>, MatchError> {
        if let Some(found) = self.simply(&subject, at, captures)? {
            return Ok(found);
        }
        let variant = self.variant(&subject)?;
        let hurried = subject.hurried && subject.bytes.len() >= LONG_TEXT;
        let mut search = Search { regex: self, variant: &variant, text: subject.bytes, hurried, captures, poll };
        let found = search.at(at);
        match found {
            Ok(Some(_)) => Ok(captures.get(0).map(|whole| whole.1)),
            other => {
                captures.clear();
                other
            }
        }
    }
}

impl Variant {
    fn new(text: &[u8], enc: Encoding, options: Options) -> Result<Variant, String> {
        let plain = rewrite(text, enc, options.extended, Checks::None)?;
        Ok(Variant {
            enc,
            plain: Program::compile(&plain.text, enc, options)?,
            head: OnceLock::new(),
            counted: OnceLock::new(),
            full: OnceLock::new(),
        })
    }

    fn head(&self, regex: &Regex) -> Option<&(Program, Traits)> {
        self.head.get_or_init(|| self.checked(regex, Checks::Head).map(Box::new)).as_deref()
    }

    fn counted(&self, regex: &Regex) -> Option<&(Program, Traits)> {
        self.counted.get_or_init(|| self.checked(regex, Checks::Counted).map(Box::new)).as_deref()
    }

    fn full(&self, regex: &Regex) -> Option<&(Program, Traits)> {
        self.full.get_or_init(|| self.checked(regex, Checks::Full).map(Box::new)).as_deref()
    }

    fn checked(&self, regex: &Regex, checks: Checks) -> Option<(Program, Traits)> {
        let rewritten = rewrite(&regex.text, self.enc, regex.options.extended, checks).ok()?;
        let program = Program::compile(&rewritten.text, self.enc, regex.options).ok()?;
        Some((program, rewritten.traits))
    }
}

/// One search.
struct Search<'a> {
    regex: &'a Regex,
    variant: &'a Variant,
    text: &'a [u8],
    hurried: bool,
    captures: &'a mut Captures,
    poll: Poll<'a>,
}

type Found = Result<Option<usize>, MatchError>;

/// Turns an ending into an answer, where it is one.
fn answer(ending: Ending) -> Option<Found> {
    match ending {
        Ending::At(at) => Some(Ok(Some(at))),
        Ending::None => Some(Ok(None)),
        Ending::Failed => Some(Err(MatchError::StackLimit)),
        Ending::RetryLimit | Ending::Aborted => None,
    }
}

impl Search<'_> {
    fn ask(&mut self) -> Result<(), MatchError> {
        (self.poll)().map_or(Ok(()), Err)
    }

    fn forward(&mut self, start: usize) -> Found {
        if start > self.text.len() {
            return Ok(None);
        }
        if self.hurried {
            self.ask()?;
            return self.heavy(start, true);
        }
        let long = if self.regex.traits.isolating { LONG_TEXT / 16 } else { LONG_TEXT };
        if self.text.len() - start <= long {
            let ending = self.variant.plain.search(self.text, start, self.captures, SLICE_RETRIES, None);
            if let Some(found) = answer(ending) {
                return found;
            }
            self.ask()?;
            return self.heavy(start, true);
        }
        self.forward_long(start)
    }

    /// Steps 1 and 2 on a long text.
    fn forward_long(&mut self, start: usize) -> Found {
        let (regex, text) = (self.regex, self.text);
        let mut counted = false;
        let mut spent = 0u64;
        let mut from = start;
        loop {
            let program = if counted { self.variant.counted(regex) } else { self.variant.head(regex) };
            let Some((head, traits)) = program else {
                return self.heavy(start, true);
            };
            let mut begins = vec![0; traits.points.iter().map(|point| point.group + 1).max().unwrap_or(0)];
            let uncounted = (traits.loops || traits.isolating) && !counted && !regex.traits.search_start;
            let limit = slice_retries(uncounted, text.len());
            let mut reached = from;
            let mut tried = 0;
            let mut since_poll = 0u64;
            let mut stop = None;
            let (mut isolated, mut heavy) = (0, false);
            let poll = &mut self.poll;
            let mut visit = |number: usize, position: usize, _: Pass| {
                if number > 1 {
                    // The engine counts no retries for what an isolating group does when it matches.
                    let point = traits.points[number - 1];
                    if point.kind == Kind::Begin {
                        begins[point.group] = position;
                    } else {
                        let length = position.saturating_sub(begins[point.group]);
                        (isolated, since_poll) = (isolated + length, since_poll + length as u64);
                        if isolated > SLICE_RETRIES as usize {
                            heavy = tried < SLOW_SLICE;
                            (isolated, tried) = (0, 0);
                        }
                    }
                    return if heavy { Verdict::Abort } else { Verdict::Continue };
                }
                // What a start position costs without being counted is at most a pass over
                // the text.
                let cost = 64 + (text.len() - position) as u64 / 4;
                (since_poll, spent) = (since_poll + cost, spent + cost);
                if uncounted && spent > SPENT_MAX {
                    return Verdict::Abort;
                }
                reached = position;
                tried += 1;
                if since_poll < 1 << 20 {
                    return Verdict::Continue;
                }
                since_poll = 0;
                stop = poll();
                if stop.is_some() { Verdict::Abort } else { Verdict::Continue }
            };
            let ending = head.search(text, from, self.captures, limit, Some(&mut visit));
            if let Some(found) = answer(ending).or(stop.map(Err)) {
                return found;
            }
            self.ask()?;
            if heavy && !regex.traits.search_start {
                return self.heavy(reached, true);
            }
            if uncounted && (spent > SPENT_MAX || tried < SLOW_SLICE) {
                (counted, from) = (true, reached);
                continue;
            }
            if regex.traits.search_start || tried < SLOW_SLICE {
                return self.heavy(if regex.traits.search_start { from } else { reached }, true);
            }
            from = reached;
        }
    }

    /// Step 3, by search or at one position.
    fn heavy(&mut self, start: usize, search: bool) -> Found {
        let needs =
            self.regex.needs.get_or_init(|| Box::new(Needs::of(&self.regex.text, self.regex.enc, self.regex.options)));
        if self.text.get(start..).is_some_and(|text| self.regex.lacks_required(text) || needs.lacking(text)) {
            return Ok(None);
        }
        let Some((program, traits)) = self.variant.full(self.regex) else {
            // Cannot be interrupted; the engine's own limits remain.
            let plain = &self.variant.plain;
            let ending = match search {
                true => plain.search(self.text, start, self.captures, 0, None),
                false => plain.match_at(self.text, start, self.captures, 0, None),
            };
            return answer(ending).unwrap_or(Err(MatchError::StackLimit));
        };
        let mut memory = Memory::new(traits, self.text.len());
        let mut passed = 0u32;
        let mut stop = None;
        let (poll, text) = (&mut self.poll, self.text);
        let interval = if self.regex.traits.subexp_call { CALLS_POLL_INTERVAL } else { POLL_INTERVAL };
        let mut visit = |number: usize, position: usize, pass: Pass| {
            if pass == Pass::Back {
                memory.retract(number);
                return Verdict::Continue;
            }
            passed += 1;
            if passed >= interval {
                passed = 0;
                stop = poll();
                if stop.is_some() {
                    return Verdict::Abort;
                }
            }
            // The point in front is where a match begins.
            if number == 1 && needs.first.is_some_and(|first| text.get(position).is_none_or(|byte| !first.has(*byte))) {
                return Verdict::Backtrack;
            }
            if memory.enter(number, position) { Verdict::Continue } else { Verdict::Backtrack }
        };
        let ending = match search {
            true => program.search(self.text, start, self.captures, 0, Some(&mut visit)),
            false => program.match_at(self.text, start, self.captures, 0, Some(&mut visit)),
        };
        match answer(ending) {
            Some(found) => found,
            None => Err(stop.unwrap_or(MatchError::StackLimit)),
        }
    }

    fn at(&mut self, at: usize) -> Found {
        if self.hurried {
            self.ask()?;
            return self.heavy(at, false);
        }
        let ending = self.variant.plain.match_at(self.text, at, self.captures, SLICE_RETRIES, None);
        if let Some(found) = answer(ending) {
            return found;
        }
        self.ask()?;
        self.heavy(at, false)
    }

    /// The engine's own backward search would not look behind `start`, so each position is
    /// tried by itself.
    fn backward(&mut self, start: usize) -> Found {
        let mut at = start.min(self.text.len());
        let mut cost = 0;
        // `\G` is where the search begins, and nowhere else.
        let pinned = self.regex.text.starts_with(b"\\G") && !self.regex.text.contains(&b'|');
        loop {
            if let Some(found) = self.at(at)? {
                return Ok(Some(found));
            }
            if pinned {
                return Ok(None);
            }
            cost += 64 + (self.text.len() - at) / 4;
            if cost >= 1 << 20 {
                cost = 0;
                self.ask()?;
            }
            match self.variant.enc.prev_char(self.text, at) {
                Some(previous) => at = previous,
                None => return Ok(None),
            }
        }
    }
}

const INVALID_BACKREF: &str = "invalid backref number/name";

/// Whether a pattern is refused for a condition `(?(9)` of which CRuby sees before its names that there is no such
/// group.
fn overruns(text: &[u8], reason: &str) -> bool {
    let Some(at) = memchr::memmem::find(text, b"(?(").filter(|_| reason.starts_with("numbered backref")) else {
        return false;
    };
    let digits: Vec<u8> = text[at + 3..].iter().copied().take_while(u8::is_ascii_digit).collect();
    let groups = (0..text.len())
        .filter(|i| text[*i] == b'(' && (*i == 0 || text[i - 1] != b'\\'))
        .filter(|i| !matches!(text[i + 1..], [b'?', b'<', b'=' | b'!', ..]))
        .filter(|i| !matches!(text[i + 1..], [b'?', c, ..] if c != b'<'))
        .count();
    let number = std::str::from_utf8(&digits).ok().and_then(|digits| digits.parse::<u64>().ok());
    number.is_some_and(|number| number > groups as u64)
}

/// Retries in one go: each may cost a pass over the text.
fn slice_retries(uncounted: bool, text_len: usize) -> u64 {
    if uncounted { (SPENT_MAX / text_len as u64).clamp(256, SLICE_RETRIES) } else { SLICE_RETRIES }
}

#[cfg(test)]
mod tests;
