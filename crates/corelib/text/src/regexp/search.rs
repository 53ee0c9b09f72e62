//! Matching: the one place where strings meet the regular expression engine.
//!
//! Short texts are matched while the VM lock is held; a match that turns out to be long, and any match in a long text,
//! runs outside the lock on a shared buffer and can be interrupted and timed out.

use crate::common::frozen_copy;
use rubellite_encoding::{CodeRange, Encoding};
use rubellite_regexp::{Captures, Direction, MatchError, Regex, Subject};
use rubellite_vm::object::{MatchData, Regexp, Span, Str};
use rubellite_vm::outside::Stop;
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Ctx, Ends, Extension, Leave, Result, Unwind, Value};
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// From this length on a text is matched outside the lock. A search passes about a gigabyte a second, so a shorter text
/// costs less than a change of the lock's holder.
const OUTSIDE_LEN_MIN: usize = 32 * 1024;

static SITE: RegionSite = RegionSite::new("regexp");

/// State of regular expressions that belongs to the VM.
#[derive(Default)]
pub struct RegexpGlobals {
    /// `Regexp.timeout`
    pub timeout: Cell<Option<Duration>>,
    spare: Cell<Option<Captures>>,
}

impl Extension for RegexpGlobals {
    fn trace(&self, _: &mut dyn FnMut(Value)) {}
}

/// What is asked of the engine.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Ask {
    Forward,
    Backward,
    /// At this position only.
    At,
}

/// The compiled program of a Regexp; TypeError for one that is not initialised.
pub fn program(ctx: &mut Ctx, re: Regexp) -> Result<Arc<Regex>> {
    match re.compiled::<Regex>(ctx) {
        Some(program) => Ok(program),
        None => Err(ctx.type_error("uninitialized Regexp")),
    }
}

/// Runs one search from byte `start`. True when it matched: then `captures` holds the groups.
#[inline]
pub fn run(ctx: &mut Ctx, re: Regexp, s: Str, start: usize, ask: Ask, captures: &mut Captures) -> Result<bool> {
    // The common case holds no reference count: short ASCII text, no `/n`.
    let range = s.code_range(ctx);
    if range == CodeRange::SevenBit
        && s.len() < OUTSIDE_LEN_MIN
        && start <= s.len()
        && let Some(program) = re.state(ctx).and_then(|state| state.compiled.downcast_ref::<Regex>())
        && let Ok(found) =
            attempt(program, s.bytes(ctx), s, range, start, ask, captures, &mut || Some(MatchError::Interrupted))
    {
        return Ok(found);
    }
    run_any(ctx, re, s, start, ask, captures)
}

/// The same for any text, and for matches that turned out to be long.
fn run_any(ctx: &mut Ctx, re: Regexp, s: Str, start: usize, ask: Ask, captures: &mut Captures) -> Result<bool> {
    let program = program(ctx, re)?;
    if start > s.len() {
        return Ok(false);
    }
    let deadline = deadline_of(ctx, re);
    let range = s.code_range(ctx);
    if range != CodeRange::SevenBit
        && program.options().no_encoding
        && s.encoding() != Encoding::BINARY
        && !program.is_fixed_encoding()
    {
        ctx.warn(&format!("historical binary regexp match /.../n against {} string", s.encoding().name()))?;
    }
    if s.len() < OUTSIDE_LEN_MIN && range != CodeRange::SevenBit {
        match attempt(&program, s.bytes(ctx), s, range, start, ask, captures, &mut || Some(MatchError::Interrupted)) {
            Ok(found) => return Ok(found),
            Err(MatchError::Interrupted) => {}
            Err(error) => return Err(match_error(ctx, error)),
        }
    }
    outside(ctx, &program, s, range, start, ask, captures, deadline)
}

#[allow(clippy::too_many_arguments)]
fn attempt(
    program: &Regex,
    bytes: &[u8],
    s: Str,
    range: CodeRange,
    start: usize,
    ask: Ask,
    captures: &mut Captures,
    poll: &mut dyn FnMut() -> Option<MatchError>,
) -> std::result::Result<bool, MatchError> {
    // SAFETY: `range` is what the string knows about exactly these bytes in its encoding.
    let subject = unsafe { Subject::with_range(bytes, s.encoding(), range) }?;
    search(program, subject, start, ask, captures, poll)
}

fn search(
    program: &Regex,
    subject: Subject<'_>,
    start: usize,
    ask: Ask,
    captures: &mut Captures,
    poll: &mut dyn FnMut() -> Option<MatchError>,
) -> std::result::Result<bool, MatchError> {
    let found = match ask {
        Ask::Forward => program.search(subject, start, Direction::Forward, captures, poll)?,
        Ask::Backward => program.search(subject, start, Direction::Backward, captures, poll)?,
        Ask::At => program.match_at(subject, start, captures, poll)?,
    };
    Ok(found.is_some())
}

/// The same outside the lock, as often as interrupts that raise nothing end it.
#[allow(clippy::too_many_arguments)]
fn outside(
    ctx: &mut Ctx,
    program: &Regex,
    s: Str,
    range: CodeRange,
    start: usize,
    ask: Ask,
    captures: &mut Captures,
    deadline: Option<Instant>,
) -> Result<bool> {
    let (shared, encoding) = (s.share(ctx), s.encoding());
    let found = ctx.outside(Leave::new(Kind::Short(&SITE), Ends::Flag), |stop| {
        // SAFETY: the shared bytes are those that `range` was computed for, and nobody changes them.
        let subject = unsafe { Subject::with_range(&shared, encoding, range) };
        let subject = subject.map(|subject| subject.hurried(is_near(deadline)));
        done(subject.and_then(|subject| search(program, subject, start, ask, captures, &mut || asked(stop, deadline))))
    })?;
    found.map_err(|error| match_error(ctx, error))
}

/// What ends a search outside the lock.
fn asked(stop: &Stop<'_>, deadline: Option<Instant>) -> Option<MatchError> {
    if deadline.is_some_and(|d| Instant::now() >= d) {
        return Some(MatchError::Timeout);
    }
    stop.requested().then_some(MatchError::Interrupted)
}

/// When a match that begins now must have ended.
fn deadline_of(ctx: &Ctx, re: Regexp) -> Option<Instant> {
    let own = re.state(ctx).and_then(|state| state.timeout);
    own.or_else(|| ctx.extension::<RegexpGlobals>().timeout.get()).map(|t| Instant::now() + t)
}

/// Whether the time is up before a search asks of itself.
fn is_near(deadline: Option<Instant>) -> bool {
    const SLICE: Duration = Duration::from_millis(10);
    deadline.is_some_and(|deadline| deadline.saturating_duration_since(Instant::now()) < SLICE)
}

/// The outcome of a search that was not stopped.
fn done(outcome: std::result::Result<bool, MatchError>) -> Option<std::result::Result<bool, MatchError>> {
    if matches!(outcome, Err(MatchError::Interrupted)) { None } else { Some(outcome) }
}

/// A match in the part of a string that begins at byte `base`, as if nothing lay before it; `at` counts from there, and
/// so do the groups. Matching at one position, and searching a short rest, begin under the lock however long the string
/// is.
pub fn run_part(
    ctx: &mut Ctx,
    re: Regexp,
    s: Str,
    base: usize,
    at: usize,
    ask: Ask,
    captures: &mut Captures,
) -> Result<bool> {
    let len = s.len();
    if base.saturating_add(at) > len {
        return Ok(false);
    }
    if base == 0 && len < OUTSIDE_LEN_MIN {
        return run(ctx, re, s, at, ask, captures);
    }
    let range = s.code_range(ctx);
    let deadline = deadline_of(ctx, re);
    if len - base - at < OUTSIDE_LEN_MIN || ask == Ask::At && !is_near(deadline) {
        let Some(program) = re.state(ctx).and_then(|state| state.compiled.downcast_ref::<Regex>()) else {
            return Err(ctx.type_error("uninitialized Regexp"));
        };
        match attempt_part(program, s.bytes(ctx), s.encoding(), range, base, at, ask, false, captures, &mut || {
            Some(MatchError::Interrupted)
        }) {
            Ok(found) => return Ok(found),
            Err(MatchError::Interrupted) => {}
            Err(error) => return Err(match_error(ctx, error)),
        }
    }
    let program = program(ctx, re)?;
    let mut at = at;
    if ask == Ask::Forward && at_boundary(s.bytes(ctx), s.encoding(), range, base) {
        // SAFETY: as in `attempt_part`.
        let subject = unsafe { Subject::with_range(&s.bytes(ctx)[base..], s.encoding(), range) };
        match subject.and_then(|subject| program.quick_search(subject, at, captures)) {
            Ok(Ok(found)) => return Ok(found.is_some()),
            Ok(Err(reached)) => at = reached,
            Err(error) => return Err(match_error(ctx, error)),
        }
    }
    let (shared, encoding) = (s.share(ctx), s.encoding());
    let found = ctx.outside(Leave::new(Kind::Short(&SITE), Ends::Flag), |stop| {
        let hurried = is_near(deadline);
        done(attempt_part(&program, &shared, encoding, range, base, at, ask, hurried, captures, &mut || {
            asked(stop, deadline)
        }))
    })?;
    found.map_err(|error| match_error(ctx, error))
}

/// Whether the text from `base` on may be given to the engine as it is. A part that ends where a valid text ends is
/// walked within its bounds in these encodings even when it begins inside a character: a trailing byte of UTF-8 counts
/// as a character of its own.
fn at_boundary(bytes: &[u8], encoding: Encoding, range: CodeRange, base: usize) -> bool {
    let walkable = range == CodeRange::SevenBit || encoding.is_single_byte() || encoding.is_utf8_family();
    walkable || encoding.is_char_boundary(bytes, base)
}

/// `range` is the code range of all of `bytes`.
#[allow(clippy::too_many_arguments)]
fn attempt_part(
    program: &Regex,
    bytes: &[u8],
    encoding: Encoding,
    range: CodeRange,
    base: usize,
    at: usize,
    ask: Ask,
    hurried: bool,
    captures: &mut Captures,
    poll: &mut dyn FnMut() -> Option<MatchError>,
) -> std::result::Result<bool, MatchError> {
    if at_boundary(bytes, encoding, range, base) {
        // SAFETY: by what `at_boundary` says, the engine reads no byte behind this part, as in text that is valid.
        let subject = unsafe { Subject::with_range(&bytes[base..], encoding, range) }?.hurried(hurried);
        return search(program, subject, at, ask, captures, poll);
    }
    const LONGEST_CHAR: usize = 8;
    let len = bytes.len() - base;
    let mut padded = Vec::with_capacity(len + LONGEST_CHAR);
    padded.extend_from_slice(&bytes[base..]);
    padded.resize(len + LONGEST_CHAR, 0);
    // SAFETY: what the engine may read behind a character that is cut off lies in the padding.
    let subject = unsafe { Subject::with_range(&padded[..len], encoding, range) }?;
    search(program, subject, at, ask, captures, poll)
}

#[cold]
fn match_error(ctx: &mut Ctx, error: MatchError) -> Unwind {
    let message = error.message();
    match error {
        MatchError::Timeout => ctx.raise_error("Regexp::TimeoutError", &message),
        MatchError::Broken(_) => ctx.argument_error(&message),
        MatchError::Incompatible { .. } => ctx.raise_error("Encoding::CompatibilityError", &message),
        MatchError::StackLimit | MatchError::Interrupted => ctx.raise_error("RegexpError", &message),
    }
}

/// A buffer for the groups of matches, reused from search to search.
pub fn take_captures(ctx: &Ctx) -> Captures {
    ctx.extension::<RegexpGlobals>().spare.take().unwrap_or_default()
}

pub fn give_captures(ctx: &Ctx, captures: Captures) {
    ctx.extension::<RegexpGlobals>().spare.set(Some(captures));
}

/// Whether there is a match from byte `start` on; leaves `$~` alone.
pub fn matches_at_all(ctx: &mut Ctx, re: Regexp, s: Str, start: usize) -> Result<bool> {
    let mut captures = take_captures(ctx);
    let found = run(ctx, re, s, start, Ask::Forward, &mut captures);
    give_captures(ctx, captures);
    found
}

/// A search that makes a MatchData; leaves `$~` alone.
pub fn match_data(ctx: &mut Ctx, re: Regexp, s: Str, start: usize, ask: Ask) -> Result<Option<MatchData>> {
    let mut captures = take_captures(ctx);
    let found = run(ctx, re, s, start, ask, &mut captures);
    let result = match found {
        Ok(true) => Ok(Some(make(ctx, re.value(), s, &captures))),
        Ok(false) => Ok(None),
        Err(unwind) => Err(unwind),
    };
    give_captures(ctx, captures);
    result
}

/// A MatchData of the groups in `captures`.
pub fn make(ctx: &mut Ctx, re: Value, s: Str, captures: &Captures) -> MatchData {
    let copy = frozen_copy(ctx, s);
    make_in(ctx, re, copy, captures)
}

/// The same for a string that is frozen already.
pub fn make_in(ctx: &mut Ctx, re: Value, frozen: Str, captures: &Captures) -> MatchData {
    let mut few = [Span::NONE; 8];
    let count = captures.len();
    let span = |i: usize| captures.get(i).map_or(Span::NONE, |(a, b)| Span::new(a, b));
    if count <= few.len() {
        for (i, slot) in few.iter_mut().enumerate().take(count) {
            *slot = span(i);
        }
        return MatchData::new(ctx, re, frozen, &few[..count]);
    }
    let spans: Vec<Span> = (0..count).map(span).collect();
    MatchData::new(ctx, re, frozen, &spans)
}

/// A search that sets `$~`. Gives the byte position of the match.
pub fn search_setting(ctx: &mut Ctx, re: Regexp, s: Str, start: usize, ask: Ask) -> Result<Option<MatchData>> {
    let found = match_data(ctx, re, s, start, ask)?;
    ctx.set_last_match(found.map_or(Value::NIL, MatchData::value));
    Ok(found)
}

/// The whole match of a MatchData.
pub fn whole(ctx: &Ctx, m: MatchData) -> std::ops::Range<usize> {
    m.group(ctx, 0).unwrap_or(0..0)
}
