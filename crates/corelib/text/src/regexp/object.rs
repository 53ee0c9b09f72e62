//! Regexp: instances. Compilation, comparison, inspection, matching methods. `Regexp.union` and its like are
//! `class_methods.rs`.

use super::search::{Ask, matches_at_all, search_setting};
use crate::common::{copy_bytes, from_end, text, text_of};
use crate::{default_external, default_internal};
use rubellite_bytecode::regexp_flags;
use rubellite_core_thread::apart;
use rubellite_encoding::Encoding;
use rubellite_regexp::{Options, Regex, describe_source};
use rubellite_vm::object::{Array, Hash, MatchData, Regexp, RegexpState, SharedBytes, Str, copied, hashing};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Extension, Result, Sym, Value, method, private_method};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

pub static REGEXP: ClassDef = ClassDef {
    name: "Regexp",
    superclass: "Object",
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::range(1, 2).with_keywords(), initialize),
        private_method("initialize_copy", Arity::ONE, initialize_copy),
        method("==", Arity::ONE, op_eq),
        method("eql?", Arity::ONE, op_eq),
        method("hash", Arity::NONE, hash),
        method("===", Arity::ONE, op_case_eq),
        method("=~", Arity::ONE, op_match),
        method("~", Arity::NONE, op_tilde),
        method("match", Arity::range(1, 2), match_),
        method("match?", Arity::range(1, 2), match_p),
        method("source", Arity::NONE, source),
        method("to_s", Arity::NONE, to_s),
        method("inspect", Arity::NONE, inspect),
        method("options", Arity::NONE, options),
        method("casefold?", Arity::NONE, casefold_p),
        method("encoding", Arity::NONE, encoding),
        method("fixed_encoding?", Arity::NONE, fixed_encoding_p),
        method("names", Arity::NONE, names),
        method("named_captures", Arity::NONE, named_captures),
        method("timeout", Arity::NONE, timeout),
    ],
    setup: Some(set_constants),
    ..ClassDef::EMPTY
};

/// Compiled programs by what they were compiled from.
#[derive(Default)]
struct Programs {
    table: RefCell<HashMap<(Box<[u8]>, Encoding, u32), Arc<Regex>>>,
}

const PROGRAMS_MAX: usize = 512;

impl Extension for Programs {
    fn trace(&self, _: &mut dyn FnMut(Value)) {}
}

fn set_constants(ctx: &mut Ctx, class: rubellite_vm::Class) -> Result<()> {
    let flags = [
        ("IGNORECASE", Options::IGNORECASE),
        ("EXTENDED", Options::EXTENDED),
        ("MULTILINE", Options::MULTILINE),
        ("FIXEDENCODING", Options::FIXEDENCODING),
        ("NOENCODING", Options::NOENCODING),
    ];
    for (name, bits) in flags {
        class.set_const(ctx, name, Value::fixnum(bits as i64));
    }
    Ok(())
}

fn allocate(ctx: &mut Ctx, klass: Value) -> Result {
    Ok(Regexp::new_empty(ctx, klass).value())
}

/// The compiled program of a source; RegexpError when it has none.
pub fn program_of(ctx: &mut Ctx, source: &[u8], encoding: Encoding, bits: u32) -> Result<Arc<Regex>> {
    let key = (copied(source).into_boxed_slice(), encoding, bits);
    if let Some(program) = ctx.extension::<Programs>().table.borrow().get(&key) {
        return Ok(program.clone());
    }
    let made = match source.len() {
        ..APART_LEN => Regex::new(source, Options::from_bits(bits), encoding),
        _ => {
            let source = copied(source);
            apart::run(ctx, "regexp", APART_STACK, move || Regex::new(&source, Options::from_bits(bits), encoding))?
        }
    };
    match made {
        Ok(program) => {
            let program = Arc::new(program);
            let mut table = ctx.extension::<Programs>().table.borrow_mut();
            if table.len() >= PROGRAMS_MAX {
                table.clear();
            }
            table.insert(key, program.clone());
            Ok(program)
        }
        // The pattern follows.
        Err(error) if error.message.starts_with(NO_MEMORY) => Err(ctx.no_memory()),
        Err(error) => Err(ctx.raise_error("RegexpError", &error.message)),
    }
}

/// Sources from this length on, some milliseconds of work, are compiled outside the lock, on a thread that an interrupt
/// leaves behind.
const APART_LEN: usize = 1 << 14;
/// Oniguruma goes down as deep as groups are nested, which it bounds.
const APART_STACK: usize = 8 << 20;

/// How Oniguruma says that the system gave it no memory.
const NO_MEMORY: &str = "fail to memory allocation";

/// Everything that a Regexp with this source is.
pub fn compile(
    ctx: &mut Ctx,
    source: &[u8],
    encoding: Encoding,
    bits: u32,
    timeout: Option<Duration>,
) -> Result<RegexpState> {
    let bits = bits & OPTION_BITS;
    let encoding = source_encoding(ctx, source, encoding, bits)?;
    let program = program_of(ctx, source, encoding, bits)?;
    let names: Vec<(Sym, Vec<u32>)> = program
        .names()
        .iter()
        .map(|(name, groups)| {
            let enc = if name.is_ascii() { Encoding::US_ASCII } else { program.encoding() };
            (ctx.intern_bytes(name, enc), groups.iter().map(|g| *g as u32).collect())
        })
        .collect();
    Ok(RegexpState {
        source: SharedBytes::copy_of(source),
        encoding: program.encoding(),
        options: program.options().bits(),
        fixed_encoding: program.is_fixed_encoding(),
        timeout,
        names: names.into(),
        groups: program.captures_len() as u32,
        compiled: program,
    })
}

const NO_ENCODING: &str = "/.../n has a non escaped non ASCII character in non ASCII-8BIT script";

/// The encoding to read a source in: `/n` reads ASCII sources as bytes.
fn source_encoding(ctx: &mut Ctx, source: &[u8], encoding: Encoding, bits: u32) -> Result<Encoding> {
    if bits & Options::NOENCODING == 0 || encoding == Encoding::BINARY {
        return Ok(encoding);
    }
    if !source.is_ascii() {
        let shown = describe_source(source, encoding);
        let message = format!("{NO_ENCODING}: /{shown}/");
        return Err(ctx.raise_error("RegexpError", &message));
    }
    Ok(Encoding::BINARY)
}

/// The options that a program can have; literals have further flags.
const OPTION_BITS: u32 =
    Options::IGNORECASE | Options::EXTENDED | Options::MULTILINE | Options::FIXEDENCODING | Options::NOENCODING;

/// Makes a Regexp from source and flags: a literal without interpolation.
pub fn new_regexp(ctx: &mut Ctx, source: &[u8], encoding: Encoding, flags: u8) -> Result {
    let named = regexp_flags::encoding(flags).filter(|named| *named != Encoding::BINARY);
    let encoding = match named {
        Some(named) => named,
        None if encoding == Encoding::US_ASCII && !source.is_ascii() => Encoding::UTF_8,
        None => encoding,
    };
    joined_regexp(ctx, source, encoding, flags)
}

/// Makes a Regexp of what pieces that [`piece_encoding`] has read give together.
pub fn joined_regexp(ctx: &mut Ctx, source: &[u8], encoding: Encoding, flags: u8) -> Result {
    let state = compile(ctx, source, encoding, flags as u32, None)?;
    let re = Regexp::new(ctx, state);
    re.set_literal();
    Ok(re.value())
}

/// Reads a piece of a literal with interpolation by itself: the encoding that its characters fix, if they fix one.
/// ArgumentError for a piece that cannot be read, as CRuby raises it before there is a pattern to complain about.
pub fn piece_encoding(ctx: &mut Ctx, piece: Str, flags: u8) -> Result<Option<Encoding>> {
    let (bytes, own) = (piece.share(ctx), piece.encoding());
    let ascii = own.is_ascii_compatible() && bytes.is_ascii();
    let encoding = if flags & regexp_flags::NO_ENCODING == 0 || own == Encoding::BINARY {
        own
    } else if ascii {
        Encoding::BINARY
    } else {
        return Err(ctx.raise_error("RegexpError", NO_ENCODING));
    };
    // Only backslashes and what is not ASCII say something about encodings.
    if ascii && !bytes.contains(&b'\\') {
        return Ok(None);
    }
    Regex::read_piece(&bytes, encoding, flags & regexp_flags::EXTENDED != 0)
        .map_err(|reason| ctx.raise_error("ArgumentError", &reason))
}

/// A Regexp that matches what the string says as it stands in the regexp language.
pub fn from_string(ctx: &mut Ctx, s: Str, bits: u32) -> Result<Regexp> {
    let (source, encoding) = (copy_bytes(ctx, s), s.encoding());
    let state = compile(ctx, &source, encoding, bits, None)?;
    Ok(Regexp::new(ctx, state))
}

/// The state of a receiver; TypeError for one that is not initialised.
pub fn state_of(ctx: &mut Ctx, re: Value) -> Result<RegexpState> {
    match ctx.expect::<Regexp>(re)?.state(ctx) {
        Some(state) => Ok(state.clone()),
        None => Err(ctx.type_error("uninitialized Regexp")),
    }
}

fn initialize(ctx: &mut Ctx, re: Regexp, args: Args) -> Result {
    ctx.check_frozen(re.value())?;
    if re.state(ctx).is_some() {
        return Err(ctx.type_error("already initialized regexp"));
    }
    args.check_keywords(ctx, &["timeout"])?;
    let timeout = match args.keyword(ctx, "timeout") {
        Some(v) if !v.is_nil() => Some(super::class_methods::timeout_of(ctx, v)?),
        _ => None,
    };
    let args = args.positional();
    let pattern = args.at(0);
    if let Some(other) = Regexp::try_of(pattern) {
        if args.len() > 1 && !args.at(1).is_nil() {
            ctx.warn("flags ignored")?;
        }
        let state = state_of(ctx, other.value())?;
        re.init(ctx, RegexpState { timeout: timeout.or(state.timeout), ..state });
        return Ok(re.value());
    }
    let bits = match args.get(1) {
        Some(v) => option_bits(ctx, v)?,
        None => 0,
    };
    let s = ctx.to_str(pattern)?;
    let (source, encoding) = (copy_bytes(ctx, s), s.encoding());
    let state = compile(ctx, &source, encoding, bits, timeout)?;
    re.init(ctx, state);
    for warning in warnings_about(ctx, re.value()) {
        ctx.warn(&warning)?;
    }
    Ok(re.value())
}

/// What is questionable in a Regexp's pattern, as warnings say it.
pub fn warnings_about(ctx: &Ctx, re: Value) -> Vec<String> {
    let Some(state) = Regexp::try_of(re).and_then(|re| re.state(ctx)) else { return Vec::new() };
    let Some(program) = state.compiled.downcast_ref::<Regex>() else { return Vec::new() };
    let doubts = if ctx.vm().verbose.get().truthy() { rubellite_regexp::doubts(program) } else { Vec::new() };
    let all = program.warnings().iter().chain(&doubts);
    all.map(|reason| format!("{reason}: /{}/", shown_pattern(&state.source))).collect()
}

/// A pattern in one line: what does not print is written as its number, a slash as in a literal.
fn shown_pattern(source: &[u8]) -> String {
    let mut shown = String::new();
    let text = String::from_utf8_lossy(source);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                shown.push(c);
                shown.extend(chars.next());
            }
            '/' => shown.push_str("\\/"),
            c if c.is_ascii_control() => shown.push_str(&format!("\\x{:02x}", c as u32)),
            c => shown.push(c),
        }
    }
    shown
}

/// The second argument of `Regexp.new`.
fn option_bits(ctx: &mut Ctx, v: Value) -> Result<u32> {
    if let Some(n) = v.as_fixnum() {
        return Ok(n as u32 & 0xff);
    }
    if let Some(s) = ctx.check_str(v)? {
        let letters = s.to_lossy(ctx).into_owned();
        let mut bits = 0;
        for c in letters.chars() {
            bits |= match c {
                'i' => Options::IGNORECASE,
                'm' => Options::MULTILINE,
                'x' => Options::EXTENDED,
                _ => {
                    return Err(ctx.argument_error(&format!("unknown regexp option: {letters}")));
                }
            };
        }
        return Ok(bits);
    }
    if v.truthy() && v != Value::TRUE {
        let text = ctx.inspect(v)?;
        ctx.warn_verbose(&format!("expected true or false as ignorecase: {text}"))?;
    }
    Ok(if v.truthy() { Options::IGNORECASE } else { 0 })
}

fn initialize_copy(ctx: &mut Ctx, regexp: Regexp, args: Args) -> Result {
    let (re, other) = (regexp, args.at(0));
    if regexp.value() == other {
        return Ok(regexp.value());
    }
    ctx.check_frozen(regexp.value())?;
    if Regexp::try_of(other).is_none() {
        return Err(ctx.copy_of_other_class_error());
    }
    if re.state(ctx).is_some() {
        return Err(ctx.type_error("already initialized regexp"));
    }
    let state = state_of(ctx, other)?;
    re.init(ctx, state);
    Ok(regexp.value())
}

fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if Regexp::try_of(args.at(0)).is_none() {
        return Ok(Value::FALSE);
    }
    let (a, b) = (state_of(ctx, recv)?, state_of(ctx, args.at(0))?);
    let same = (a.options ^ b.options) & !Options::NOENCODING == 0;
    let equal = same && a.encoding == b.encoding && a.source[..] == b.source[..];
    Ok(Value::from_bool(equal))
}

fn hash(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let state = state_of(ctx, recv)?;
    let seed = ctx.hash_seed();
    let hash = hashing::hash_combine(
        seed,
        hashing::hash_bytes(seed, &state.source),
        (state.options & !Options::NOENCODING) as u64,
    );
    Ok(Value::fixnum((hash >> 2) as i64))
}

/// What a regexp is matched against: a String, a Symbol's name, or nothing for nil.
fn subject(ctx: &mut Ctx, v: Value) -> Result<Option<Str>> {
    if v.is_nil() {
        return Ok(None);
    }
    if let Some(sym) = v.as_symbol() {
        return Ok(Some(Str::of_symbol(ctx, sym)));
    }
    ctx.to_str(v).map(Some)
}

fn op_case_eq(ctx: &mut Ctx, regexp: Regexp, args: Args) -> Result {
    let v = args.at(0);
    let s = if v.is_symbol() { subject(ctx, v)? } else { ctx.check_str(v)? };
    let Some(s) = s else {
        ctx.set_last_match(Value::NIL);
        return Ok(Value::FALSE);
    };
    let found = search_setting(ctx, regexp, s, 0, Ask::Forward)?;
    Ok(Value::from_bool(found.is_some()))
}

fn op_match(ctx: &mut Ctx, regexp: Regexp, args: Args) -> Result {
    match subject(ctx, args.at(0))? {
        Some(s) => match_index(ctx, regexp, s),
        None => {
            ctx.set_last_match(Value::NIL);
            Ok(Value::NIL)
        }
    }
}

/// `re =~ s`: the character index of the match.
pub fn match_index(ctx: &mut Ctx, re: Regexp, s: Str) -> Result {
    match search_setting(ctx, re, s, 0, Ask::Forward)? {
        Some(m) => {
            let start = super::search::whole(ctx, m).start;
            Ok(Value::fixnum(s.char_index(ctx, start) as i64))
        }
        None => Ok(Value::NIL),
    }
}

fn op_tilde(ctx: &mut Ctx, regexp: Regexp, _: Args) -> Result {
    let line = ctx.last_line();
    match Str::try_of(line) {
        Some(s) => match_index(ctx, regexp, s),
        None => {
            ctx.set_last_match(Value::NIL);
            Ok(Value::NIL)
        }
    }
}

/// The byte position of a character index argument; none when it lies outside.
fn start_position(ctx: &mut Ctx, s: Str, v: Option<Value>) -> Result<Option<usize>> {
    let Some(v) = v else { return Ok(Some(0)) };
    let n = ctx.to_int(v)?;
    if n == 0 {
        return Ok(Some(0));
    }
    let len = if n < 0 { s.char_len(ctx) } else { 0 };
    Ok(from_end(n, len).and_then(|n| s.byte_offset(ctx, n)))
}

fn match_(ctx: &mut Ctx, regexp: Regexp, args: Args) -> Result {
    match subject(ctx, args.at(0))? {
        Some(s) => match_string(ctx, regexp, s, args.from(1)),
        None => {
            ctx.set_last_match(Value::NIL);
            Ok(Value::NIL)
        }
    }
}

/// `re.match(s, pos) { |m| ... }` with the arguments behind the string.
pub fn match_string(ctx: &mut Ctx, re: Regexp, s: Str, args: Args) -> Result {
    let start = start_position(ctx, s, args.get(0))?;
    let found = match start {
        Some(start) => search_setting(ctx, re, s, start, Ask::Forward)?,
        None => {
            ctx.set_last_match(Value::NIL);
            None
        }
    };
    match found {
        Some(m) if args.has_block() => ctx.yield_one(args.block, m.value()),
        Some(m) => Ok(m.value()),
        None => Ok(Value::NIL),
    }
}

fn match_p(ctx: &mut Ctx, regexp: Regexp, args: Args) -> Result {
    match subject(ctx, args.at(0))? {
        Some(s) => matches_from(ctx, regexp, s, args.get(1)),
        None => Ok(Value::FALSE),
    }
}

/// `re.match?(s, pos)`
pub fn matches_from(ctx: &mut Ctx, re: Regexp, s: Str, pos: Option<Value>) -> Result {
    match start_position(ctx, s, pos)? {
        Some(start) => Ok(Value::from_bool(matches_at_all(ctx, re, s, start)?)),
        None => Ok(Value::FALSE),
    }
}

fn source(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let state = state_of(ctx, recv)?;
    let klass = ctx.classes().string.get();
    Ok(Str::from_shared(ctx, klass, &state.source, state.encoding).value())
}

/// The flags m, i, x that are on, and those that are off behind a dash.
fn flag_text(bits: u32) -> String {
    let letters = [(Options::MULTILINE, 'm'), (Options::IGNORECASE, 'i'), (Options::EXTENDED, 'x')];
    let pick = |on: bool| letters.iter().filter(|l| (bits & l.0 != 0) == on).map(|l| l.1).collect::<String>();
    let (on, off) = (pick(true), pick(false));
    if off.is_empty() { on } else { format!("{on}-{off}") }
}

/// The options and the inner source of a source that is one group with options, `(?m-ix:...)`, or stands behind
/// options that hold for all of it, `(?m-ix)`.
fn unwrap_group(source: &[u8], encoding: Encoding, bits: u32) -> Option<(u32, &[u8])> {
    let mut bits = bits;
    let mut rest = source.strip_prefix(b"(?")?;
    let mut on = true;
    loop {
        let (first, tail) = rest.split_first()?;
        rest = tail;
        let bit = match first {
            b'm' => Options::MULTILINE,
            b'i' => Options::IGNORECASE,
            b'x' => Options::EXTENDED,
            b'-' if on => {
                on = false;
                continue;
            }
            b':' => break,
            b')' => {
                let inner = unwrap_group(rest, encoding, bits);
                return inner.or(Some((bits, rest)));
            }
            _ => return None,
        };
        bits = if on { bits | bit } else { bits & !bit };
    }
    let inner = rest.strip_suffix(b")")?;
    Regex::new(inner, Options::from_bits(bits & 7), encoding).ok()?;
    Some((bits, inner))
}

fn to_s(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let state = state_of(ctx, recv)?;
    let out = embedded(&state, true);
    Ok(text_of(ctx, out, state.encoding))
}

/// `(?-mix:source)`: the regexp as a part of another one, all in its encoding. `shown`: with slashes escaped, as texts
/// show it.
pub fn embedded(state: &RegexpState, shown: bool) -> Vec<u8> {
    let (bits, source) =
        unwrap_group(&state.source, state.encoding, state.options).unwrap_or((state.options, &state.source));
    let head = format!("(?{}:", flag_text(bits));
    if !state.encoding.is_ascii_compatible() {
        let mut out = Vec::new();
        let put = |text: &str, out: &mut Vec<u8>| {
            text.bytes().for_each(|byte| _ = state.encoding.encode_code_point(u32::from(byte), out));
        };
        put(&head, &mut out);
        out.extend_from_slice(source);
        put(")", &mut out);
        return out;
    }
    let mut out = head.into_bytes();
    if shown {
        out.extend(slashed(source, state.encoding));
    } else {
        out.extend_from_slice(source);
    }
    out.push(b')');
    out
}

/// The source with `/` and control characters escaped, as text in the source's own encoding.
fn slashed(source: &[u8], encoding: Encoding) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len());
    let mut pos = 0;
    while pos < source.len() {
        let mut len = encoding.step_len(&source[pos..]);
        if source[pos] == b'\\' && pos + 1 < source.len() {
            len = 1 + encoding.step_len(&source[pos + 1..]);
        } else if source[pos] == b'/' {
            out.push(b'\\');
        } else if len == 1 && source[pos].is_ascii_control() && !matches!(source[pos], b'\t'..=b'\r') {
            out.extend(format!("\\x{:02X}", source[pos]).bytes());
            pos += 1;
            continue;
        }
        out.extend_from_slice(&source[pos..pos + len]);
        pos += len;
    }
    out
}

fn inspect(ctx: &mut Ctx, regexp: Regexp, _: Args) -> Result {
    let Some(state) = regexp.state(ctx).cloned() else {
        let text = ctx.any_to_s(regexp.value());
        return Ok(Str::utf8(ctx, &text).value());
    };
    let options = Options::from_bits(state.options);
    let none = if options.no_encoding { "n" } else { "" };
    let (internal, external) = (default_internal(ctx), default_external(ctx));
    let plain = state.encoding.is_utf8_family()
        || matches!(state.encoding, Encoding::US_ASCII | Encoding::BINARY)
        || state.source.is_ascii();
    // Characters are shown where texts are usually in the regexp's encoding.
    if plain || state.encoding != internal.unwrap_or(external) {
        let shown = format!("/{}/{}{none}", describe_source(&state.source, state.encoding), options.letters());
        let encoding = if state.encoding.is_ascii_compatible() { state.encoding } else { Encoding::US_ASCII };
        return Ok(text(ctx, shown.as_bytes(), encoding));
    }
    let mut out = vec![b'/'];
    out.extend(slashed(&state.source, state.encoding));
    out.extend(format!("/{}{none}", options.letters()).bytes());
    Ok(text_of(ctx, out, state.encoding))
}

fn options(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    Ok(Value::fixnum(state_of(ctx, recv)?.options as i64))
}

fn casefold_p(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let bits = state_of(ctx, recv)?.options;
    Ok(Value::from_bool(bits & Options::IGNORECASE != 0))
}

fn encoding(ctx: &mut Ctx, regexp: Regexp, _: Args) -> Result {
    let encoding = regexp.state(ctx).map_or(Encoding::BINARY, |s| s.encoding);
    Ok(crate::encoding_object(ctx, encoding))
}

fn fixed_encoding_p(ctx: &mut Ctx, regexp: Regexp, _: Args) -> Result {
    Ok(Value::from_bool(regexp.state(ctx).is_some_and(|state| state.fixed_encoding)))
}

/// A symbol's name as a String.
pub fn name_string(ctx: &mut Ctx, sym: Sym) -> Value {
    Str::of_symbol(ctx, sym).value()
}

fn names(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let state = state_of(ctx, recv)?;
    let list = Array::new(ctx);
    for (name, _) in state.names.iter() {
        let name = name_string(ctx, *name);
        list.push(ctx, name);
    }
    Ok(list.value())
}

fn named_captures(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let state = state_of(ctx, recv)?;
    let hash = Hash::new(ctx);
    for (name, groups) in state.names.iter() {
        let numbers = Array::new(ctx);
        for group in groups {
            numbers.push(ctx, Value::fixnum(*group as i64));
        }
        let name = name_string(ctx, *name);
        let key = ctx.hash_key(hash.value(), name);
        hash.insert(ctx, key, numbers.value())?;
    }
    Ok(hash.value())
}

fn timeout(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    Ok(match state_of(ctx, recv)?.timeout {
        Some(t) => ctx.float(t.as_secs_f64()),
        None => Value::NIL,
    })
}

/// Whether a value is a MatchData; for `last_match`.
pub fn is_match(v: Value) -> Option<MatchData> {
    MatchData::try_of(v)
}
