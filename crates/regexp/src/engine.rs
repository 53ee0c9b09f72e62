//! All contact with Oniguruma: compiling, matching, captures. Everything unsafe is here, but for the tables of letters
//! (`letters.rs`, `wide_letters.rs`).
//!
//! Oniguruma keeps a compiled pattern unchanged while it matches, and each match has its own
//! stack, captures and parameters; so a [`Program`] is shared freely between threads. Encodings
//! are initialized once per process, before the first use.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

use corosensei::stack::DefaultStack;
use onig_sys as onig;
use rubellite_encoding::{Encoding, Family};

use crate::letters::{self, Table};
use crate::source::Options;
use crate::wide_letters;

/// The captures of the last match, with the whole match as number 0: Oniguruma's "region". With them the parameters of
/// matches without a visitor, which cost more to make than a short match takes.
pub struct Captures {
    raw: NonNull<onig::OnigRegion>,
    /// With their limits.
    param: Option<(Limits, MatchParam)>,
}

// SAFETY: captures own their memory and have no ties to a thread; access follows `&`/`&mut`.
unsafe impl Send for Captures {}
// SAFETY: `&Captures` only reads.
unsafe impl Sync for Captures {}

impl Captures {
    pub fn new() -> Captures {
        // SAFETY: has no precondition; the result is checked.
        let raw = unsafe { onig::onig_region_new() };
        match NonNull::new(raw) {
            Some(raw) => Captures { raw, param: None },
            None => std::alloc::handle_alloc_error(std::alloc::Layout::new::<onig::OnigRegion>()),
        }
    }

    /// Number of groups of the last match, the whole match included; 0 before any match.
    pub fn len(&self) -> usize {
        // SAFETY: `raw` points to a region that lives as long as `self`.
        unsafe { self.raw.as_ref().num_regs.max(0) as usize }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Byte offsets of a group, if it took part in the match.
    pub fn get(&self, group: usize) -> Option<(usize, usize)> {
        if group >= self.len() {
            return None;
        }
        // SAFETY: `beg` and `end` hold `num_regs` numbers each, and `group` is below that.
        let (start, end) = unsafe {
            let region = self.raw.as_ref();
            (*region.beg.add(group), *region.end.add(group))
        };
        (start >= 0 && end >= 0).then_some((start as usize, end as usize))
    }

    /// Parameters with these limits, and nothing else.
    fn param(&mut self, limits: Limits) -> Option<*mut onig::OnigMatchParam> {
        if self.param.as_ref().is_none_or(|(known, _)| *known != limits) {
            self.param = Some((limits, MatchParam::new(limits)?));
        }
        self.param.as_ref().map(|(_, param)| param.0.as_ptr())
    }

    /// Notes a match without groups; false when that is not possible.
    pub(crate) fn set_whole(&mut self, start: usize, end: usize) -> bool {
        let (Ok(start), Ok(end)) = (c_int::try_from(start), c_int::try_from(end)) else { return false };
        // SAFETY: `raw` points to a region that is exclusively ours; the number is in range after the first call.
        unsafe {
            onig::onig_region_resize(self.raw.as_ptr(), 1) == 0
                && onig::onig_region_set(self.raw.as_ptr(), 0, start, end) == 0
        }
    }

    pub(crate) fn clear(&mut self) {
        // SAFETY: `raw` points to a region that is exclusively ours.
        unsafe { onig::onig_region_clear(self.raw.as_ptr()) }
    }
}

impl Default for Captures {
    fn default() -> Self {
        Captures::new()
    }
}

impl Clone for Captures {
    fn clone(&self) -> Captures {
        let copy = Captures::new();
        // SAFETY: both point to regions; the source is only read.
        unsafe { onig::onig_region_copy(copy.raw.as_ptr(), self.raw.as_ptr()) };
        copy
    }
}

impl Drop for Captures {
    fn drop(&mut self) {
        // SAFETY: the region came from onig_region_new and is freed once, itself included.
        unsafe { onig::onig_region_free(self.raw.as_ptr(), 1) }
    }
}

/// How a match or search ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// Position of the match.
    At(usize),
    None,
    /// The limit of retries is used up, or that of the stack which goes with it.
    RetryLimit,
    /// A check point ended it.
    Aborted,
    /// No memory, or a limit of the engine.
    Failed,
}

/// Entries of the engine's stack, of some 40 bytes, in a match with a limit of retries.
const STACK_MAX: u32 = 1 << 22;
/// The same in patterns that call groups: the return from a call looks for it on the stack, which is no retry.
const CALLS_STACK_MAX: u32 = 1 << 14;
/// Entries for each byte of the text that calls may fill in a match without a limit of retries: calls that match
/// nothing would go on until there is no memory.
const CALLS_STACK_PER_BYTE: usize = 64;

/// The limits of one match; 0 is none.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Limits {
    retries: u64,
    stack: u32,
}

/// What check points call: the number of the point, the position and which way.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(usize, usize, Pass) -> Verdict;

/// How the engine passes a check point.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Pass {
    On,
    /// It backtracks; the verdict can only end the match.
    Back,
}

#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Continue,
    Backtrack,
    Abort,
}

/// A compiled pattern.
pub(crate) struct Program {
    raw: NonNull<onig::OnigRegexType>,
    /// It may call groups.
    calls: bool,
}

// SAFETY: matching only reads the compiled pattern (see the head of this file).
unsafe impl Send for Program {}
// SAFETY: as above.
unsafe impl Sync for Program {}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: `raw` came from onig_new and is freed once.
        unsafe { onig::onig_free(self.raw.as_ptr()) }
    }
}

pub(crate) fn table(enc: Encoding) -> Table {
    use onig::*;
    letters::table(enc).unwrap_or(match enc.family() {
        Family::Utf8 | Family::Cesu8 => &raw mut OnigEncodingUTF8,
        Family::Utf16Be => &raw mut OnigEncodingUTF16_BE,
        Family::Utf16Le => &raw mut OnigEncodingUTF16_LE,
        Family::Utf32Be => &raw mut OnigEncodingUTF32_BE,
        Family::Utf32Le => &raw mut OnigEncodingUTF32_LE,
        Family::EucJp => &raw mut OnigEncodingEUC_JP,
        Family::EucKr => &raw mut OnigEncodingEUC_KR,
        Family::EucTw => &raw mut OnigEncodingEUC_TW,
        Family::ShiftJis => &raw mut OnigEncodingSJIS,
        Family::Big5 | Family::Cp949 => &raw mut OnigEncodingBIG5,
        Family::Gbk | Family::Gb18030 => &raw mut OnigEncodingGB18030,
        Family::SingleByte | Family::UsAscii | Family::EmacsMule => &raw mut OnigEncodingASCII,
    })
}

/// Ruby's syntax without what Oniguruma adds, with options and callouts for `rewrite.rs`.
struct Syntax(onig::OnigSyntaxType);

// SAFETY: plain numbers, written once before they are shared.
unsafe impl Send for Syntax {}
// SAFETY: as above.
unsafe impl Sync for Syntax {}

thread_local! {
    /// What the engine says about the pattern that this thread compiles.
    static SAID: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

unsafe extern "C" fn note_warning(text: *const c_char) {
    // SAFETY: the library passes a string that ends with a NUL.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    // The pattern behind it is the rewritten one.
    let reason = text.split_once(": /").map_or(&*text, |(reason, _)| reason);
    SAID.with_borrow_mut(|said| said.push(in_ruby(reason)));
}

/// A warning of the engine as Ruby words it.
fn in_ruby(reason: &str) -> String {
    let nested = || {
        let (inner, rest) = reason.strip_prefix("nested repeat operator ")?.split_once(" and ")?;
        let (outer, rest) = rest.split_once(" was replaced with ")?;
        Some(format!("nested repeat operator '{inner}' and '{outer}' was replaced with {rest} in regular expression"))
    };
    match reason {
        "redundant nested repeat operator" => format!("regular expression has {reason}"),
        _ => nested().unwrap_or_else(|| reason.to_string()),
    }
}

/// What the engine said about patterns since the last call, without the patterns.
pub(crate) fn take_warnings() -> Vec<String> {
    SAID.take()
}

unsafe extern "C" fn always_valid(_: *const u8, _: *const u8) -> c_int {
    1
}

/// Initializes the engine, if that has not been done.
pub(crate) fn initialize() {
    syntax();
}

/// Initializes the engine once and gives its syntax.
fn syntax() -> &'static Syntax {
    static SYNTAX: OnceLock<Syntax> = OnceLock::new();
    SYNTAX.get_or_init(|| {
        let mut tables: Vec<Table> = Encoding::all().map(table).collect();
        tables.sort();
        tables.dedup();
        // SAFETY: the array holds that many pointers to encodings of the library, which are
        // initialized here before any other use, by one thread (OnceLock).
        unsafe { onig::onig_initialize(tables.as_mut_ptr(), tables.len() as c_int) };
        // Some of its tables refuse characters of an encoding that it has no name for; patterns are checked by
        // `source.rs`.
        for table in &tables {
            // SAFETY: the tables are the library's own, written here before any other use.
            unsafe { (**table).is_valid_mbc_string = Some(always_valid) };
        }
        // SAFETY: no pattern has been compiled, and one thread does this (OnceLock).
        unsafe { wide_letters::extend() };
        // SAFETY: sets functions of the library, before any pattern is compiled.
        unsafe {
            onig::onig_set_warn_func(Some(note_warning));
            onig::onig_set_verb_warn_func(Some(note_warning));
        }
        // The engine takes a call beyond this depth for one that does not match. The limits of the stack, which end a
        // match with an error, come first: each call under way has an entry on it.
        // SAFETY: sets a number of the library, before any match.
        unsafe { onig::onig_set_subexp_call_max_nest_level(c_int::MAX) };
        // SAFETY: the library's table is only read, after its initialization.
        let mut syntax = unsafe { (&raw const onig::OnigSyntaxRuby).read() };
        syntax.op &= !(onig::ONIG_SYN_OP_ESC_X_BRACE_HEX8 | onig::ONIG_SYN_OP_ESC_O_BRACE_OCTAL);
        syntax.op2 |= onig::ONIG_SYN_OP2_OPTION_ONIGURUMA | onig::ONIG_SYN_OP2_QMARK_BRACE_CALLOUT_CONTENTS;
        Syntax(syntax)
    })
}

impl Program {
    /// Compiles a pattern of `rewrite.rs`. The error is the bare reason.
    pub(crate) fn compile(text: &[u8], enc: Encoding, options: Options) -> Result<Program, String> {
        let flag = |on: bool, bit: u32| if on { bit } else { 0 };
        let bits = flag(options.ignorecase, onig::ONIG_OPTION_IGNORECASE)
            | flag(options.extended, onig::ONIG_OPTION_EXTEND)
            | flag(options.multiline, onig::ONIG_OPTION_MULTILINE);
        let syntax = syntax();
        let mut raw: onig::OnigRegex = ptr::null_mut();
        let mut info = onig::OnigErrorInfo { enc: ptr::null_mut(), par: ptr::null_mut(), par_end: ptr::null_mut() };
        let range = text.as_ptr_range();
        let compile = || {
            // SAFETY: the range is that of a live slice; onig_new only reads the syntax, whose
            // pointer is mutable in C's declaration alone; `raw` and `info` outlive the call.
            unsafe {
                onig::onig_new(
                    &mut raw,
                    range.start,
                    range.end,
                    bits,
                    table(enc),
                    (&raw const syntax.0).cast_mut(),
                    &mut info,
                )
            }
        };
        let Some(code) = with_stack(text, compile) else { return Err("too deep nest level".to_string()) };
        match NonNull::new(raw) {
            Some(raw) if code == 0 => Ok(Program { raw, calls: text.windows(2).any(|w| w == b"\\g") }),
            _ => Err(reason(code, &info)),
        }
    }

    pub(crate) fn captures(&self) -> usize {
        // SAFETY: `raw` is a compiled pattern.
        unsafe { onig::onig_number_of_captures(self.raw.as_ptr()).max(0) as usize }
    }

    /// Names with their group numbers, in the order of the groups.
    pub(crate) fn names(&self) -> Vec<(Vec<u8>, Vec<usize>)> {
        unsafe extern "C" fn collect(
            name: *const u8,
            name_end: *const u8,
            count: c_int,
            groups: *mut c_int,
            _regex: onig::OnigRegex,
            arg: *mut c_void,
        ) -> c_int {
            // SAFETY: the library passes the bounds of one name and an array of `count`
            // numbers; `arg` is the vector below, which nothing else touches meanwhile.
            unsafe {
                let names = &mut *arg.cast::<Vec<(Vec<u8>, Vec<usize>)>>();
                let len = name_end.offset_from(name).max(0) as usize;
                let name = crate::names::decode(std::slice::from_raw_parts(name, len));
                let groups = std::slice::from_raw_parts(groups, count.max(0) as usize);
                names.push((name, groups.iter().map(|&g| g.max(0) as usize).collect()));
            }
            0
        }
        let mut names: Vec<(Vec<u8>, Vec<usize>)> = Vec::new();
        // SAFETY: `collect` has the expected signature and `names` outlives the call.
        unsafe { onig::onig_foreach_name(self.raw.as_ptr(), Some(collect), (&raw mut names).cast()) };
        names.sort_by_key(|name| name.1.first().copied());
        names
    }

    /// Searches forward for a match that begins in `start..=text.len()`. `text` must be
    /// valid in the pattern's encoding. A `retry_limit` of 0 is none.
    pub(crate) fn search(
        &self,
        text: &[u8],
        start: usize,
        captures: &mut Captures,
        retry_limit: u64,
        visit: Option<Visit<'_>>,
    ) -> Ending {
        self.run(text, start, true, captures, retry_limit, visit)
    }

    /// Matches at one position only.
    pub(crate) fn match_at(
        &self,
        text: &[u8],
        at: usize,
        captures: &mut Captures,
        retry_limit: u64,
        visit: Option<Visit<'_>>,
    ) -> Ending {
        self.run(text, at, false, captures, retry_limit, visit)
    }

    fn limits(&self, retries: u64, len: usize) -> Limits {
        let stack = match (self.calls, retries > 0) {
            (false, true) => STACK_MAX,
            (false, false) => 0,
            (true, true) => CALLS_STACK_MAX,
            (true, false) => u32::try_from(len.saturating_mul(CALLS_STACK_PER_BYTE)).unwrap_or(u32::MAX).max(STACK_MAX),
        };
        Limits { retries, stack }
    }

    fn run(
        &self,
        text: &[u8],
        start: usize,
        search: bool,
        captures: &mut Captures,
        retry_limit: u64,
        visit: Option<Visit<'_>>,
    ) -> Ending {
        if start > text.len() || text.len() > c_int::MAX as usize {
            return if start > text.len() { Ending::None } else { Ending::Failed };
        }
        let limits = self.limits(retry_limit, text.len());
        let mut visitor = visit.map(|visit| Visitor { visit, panic: None });
        let own = match &mut visitor {
            Some(visitor) => {
                let Some(param) = MatchParam::new(limits) else { return Ending::Failed };
                param.set_visitor(visitor);
                Some(param)
            }
            None => None,
        };
        let param = own.as_ref().map(|param| param.0.as_ptr()).or_else(|| captures.param(limits));
        let Some(mp) = param else { return Ending::Failed };
        let range = text.as_ptr_range();
        let (regex, regs) = (self.raw.as_ptr(), captures.raw.as_ptr());
        // SAFETY: `start` lies within the slice; captures, parameters and visitor outlive the
        // call and are not aliased by Rust while it runs.
        let code = unsafe {
            let at = range.start.add(start);
            if search {
                onig::onig_search_with_param(regex, range.start, range.end, at, range.end, regs, 0, mp)
            } else {
                onig::onig_match_with_param(regex, range.start, range.end, at, regs, 0, mp)
            }
        };
        if let Some(panic) = visitor.and_then(|visitor| visitor.panic) {
            std::panic::resume_unwind(panic);
        }
        match code {
            0.. if search => Ending::At(code as usize),
            0.. => Ending::At(start),
            onig::ONIG_MISMATCH => Ending::None,
            onig::ONIG_ABORT => Ending::Aborted,
            onig::ONIGERR_MATCH_STACK_LIMIT_OVER
            | onig::ONIGERR_RETRY_LIMIT_IN_MATCH_OVER
            | onig::ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER => Ending::RetryLimit,
            _ => Ending::Failed,
        }
    }
}

/// What compiling takes of the machine stack for each level of a pattern, generously, and what every caller has left.
const LEVEL_BYTES: usize = 2048;
const CALLER_BYTES: usize = 32 * 1024;
/// More than any pattern within the limits of the engine asks for.
const STACK_BYTES_MAX: usize = 512 << 20;

/// Calls the compiler of the engine, which recurses by the depth of a pattern: on a stack of its own where that of a
/// fiber might not do. Calls of groups make the depth a matter of the whole pattern, so everything that may nest counts
/// as a level. `None` when there is no memory for the stack.
fn with_stack<R>(text: &[u8], compile: impl FnOnce() -> R) -> Option<R> {
    let levels = text.iter().filter(|b| matches!(b, b'(' | b'[' | b'*' | b'+' | b'?' | b'{')).count();
    if levels <= CALLER_BYTES / LEVEL_BYTES {
        return Some(compile());
    }
    let bytes = (levels.saturating_mul(LEVEL_BYTES) + 2 * CALLER_BYTES).min(STACK_BYTES_MAX);
    let stack = DefaultStack::new(bytes).ok()?;
    Some(corosensei::on_stack(stack, compile))
}

/// The sentence for an error of compiling.
fn reason(code: c_int, info: &onig::OnigErrorInfo) -> String {
    let mut buffer = [0u8; onig::ONIG_MAX_ERROR_MESSAGE_LEN as usize + 8];
    // SAFETY: the buffer has the size that the library asks for; `info` was filled by the
    // call that failed and points into the pattern, which is still alive.
    let len = unsafe { onig::onig_error_code_to_str(buffer.as_mut_ptr(), code, ptr::from_ref(info)) };
    let len = (len.max(0) as usize).min(buffer.len());
    crate::names::decode_message(&String::from_utf8_lossy(&buffer[..len]))
}

struct MatchParam(NonNull<onig::OnigMatchParam>);

impl MatchParam {
    fn new(limits: Limits) -> Option<MatchParam> {
        // SAFETY: has no precondition; the result is checked before it is used.
        let param = MatchParam(NonNull::new(unsafe { onig::onig_new_match_param() })?);
        // SAFETY: the parameters are ours alone.
        unsafe {
            onig::onig_initialize_match_param(param.0.as_ptr());
            onig::onig_set_retry_limit_in_match_of_match_param(param.0.as_ptr(), 0);
            onig::onig_set_retry_limit_in_search_of_match_param(param.0.as_ptr(), limits.retries as _);
            onig::onig_set_match_stack_limit_size_of_match_param(param.0.as_ptr(), limits.stack);
        }
        Some(param)
    }

    fn set_visitor(&self, visitor: &mut Visitor<'_>) {
        // SAFETY: the parameters are ours alone; the caller keeps the visitor alive and
        // untouched while a match runs with them.
        unsafe {
            onig::onig_set_progress_callout_of_match_param(self.0.as_ptr(), Some(visited));
            onig::onig_set_retraction_callout_of_match_param(self.0.as_ptr(), Some(visited));
            onig::onig_set_callout_user_data_of_match_param(self.0.as_ptr(), ptr::from_mut(visitor).cast());
        }
    }
}

impl Drop for MatchParam {
    fn drop(&mut self) {
        // SAFETY: came from onig_new_match_param and is freed once.
        unsafe { onig::onig_free_match_param(self.0.as_ptr()) }
    }
}

struct Visitor<'a> {
    visit: Visit<'a>,
    panic: Option<Box<dyn Any + Send>>,
}

/// The callout: asks the visitor, and keeps panics from crossing C frames.
unsafe extern "C" fn visited(args: *mut onig::OnigCalloutArgs, data: *mut c_void) -> c_int {
    // SAFETY: `data` is the visitor that `set_visitor` passed, used by this match alone, and
    // `args` describes the callout that is running.
    let (visitor, number, position, pass) = unsafe {
        let start = onig::onig_get_string_by_callout_args(args);
        let current = onig::onig_get_current_by_callout_args(args);
        let number = onig::onig_get_callout_num_by_callout_args(args);
        let back = onig::onig_get_callout_in_by_callout_args(args) == onig::OnigCalloutIn_ONIG_CALLOUT_IN_RETRACTION;
        let pass = if back { Pass::Back } else { Pass::On };
        (&mut *data.cast::<Visitor<'_>>(), number.max(0) as usize, current.offset_from(start).max(0) as usize, pass)
    };
    match catch_unwind(AssertUnwindSafe(|| (visitor.visit)(number, position, pass))) {
        Ok(Verdict::Continue) => onig::OnigCalloutResult_ONIG_CALLOUT_SUCCESS as c_int,
        Ok(Verdict::Backtrack) => onig::OnigCalloutResult_ONIG_CALLOUT_FAIL as c_int,
        Ok(Verdict::Abort) => onig::ONIG_ABORT,
        Err(panic) => {
            visitor.panic = Some(panic);
            onig::ONIG_ABORT
        }
    }
}
