//! String: `sub`, `gsub`, `scan` and their like.

use crate::common::{check_length, common_encoding, find_chars, frozen_copy, incompatible, modify, step};
use crate::regexp::group_string;
use crate::regexp::search::{Ask, give_captures, make_in, run, take_captures};
use rubellite_encoding::Encoding;
use rubellite_regexp::Captures;
use rubellite_vm::object::{Array, Grow, MatchData, Regexp, Span, Str, room};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub static STRING_SUBST: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("sub", Arity::ANY, sub),
        method("sub!", Arity::ANY, sub_bang),
        method("gsub", Arity::range(1, 2), gsub),
        method("gsub!", Arity::range(1, 2), gsub_bang),
        method("scan", Arity::ONE, scan),
    ],
    ..ClassDef::EMPTY
};

/// What is searched: a Regexp, or the text of a String as it stands.
#[derive(Copy, Clone)]
enum Pattern {
    Regexp(Regexp),
    Text(Str),
}

fn pattern(ctx: &mut Ctx, v: Value) -> Result<Pattern> {
    if let Some(re) = Regexp::try_of(v) {
        return Ok(Pattern::Regexp(re));
    }
    match ctx.check_str(v)? {
        Some(s) if s.is_valid(ctx) => Ok(Pattern::Text(s)),
        Some(s) => {
            let shown = rubellite_regexp::describe_source(s.bytes(ctx), s.encoding());
            Err(ctx.raise_error("RegexpError", &format!("invalid multibyte character: /{shown}/")))
        }
        None => {
            let class = ctx.describe_for_conversion(v);
            Err(ctx.type_error(&format!("wrong argument type {class} (expected Regexp)")))
        }
    }
}

/// A search through one frozen text, match by match.
struct Scan {
    pattern: Pattern,
    text: Str,
    captures: Captures,
    /// Where the next search begins; beyond the text after an empty match at its end.
    from: usize,
    /// Where the last search began.
    searched: usize,
    range: std::ops::Range<usize>,
}

impl Scan {
    fn new(ctx: &mut Ctx, pattern: Pattern, text: Str) -> Result<Scan> {
        if let Pattern::Text(needle) = pattern {
            common_encoding(ctx, text, needle)?;
        }
        Ok(Scan { pattern, text, captures: take_captures(ctx), from: 0, searched: 0, range: 0..0 })
    }

    /// Finds the next match.
    fn next(&mut self, ctx: &mut Ctx) -> Result<bool> {
        if self.from > self.text.len() {
            return Ok(false);
        }
        self.searched = self.from;
        self.range = match self.pattern {
            Pattern::Regexp(re) => {
                if !run(ctx, re, self.text, self.from, Ask::Forward, &mut self.captures)? {
                    return Ok(false);
                }
                self.captures.get(0).map_or(0..0, |(a, b)| a..b)
            }
            Pattern::Text(needle) => match find_chars(ctx, self.text, needle.bytes(ctx), self.from) {
                Some(at) => at..at + needle.len(),
                None => return Ok(false),
            },
        };
        self.from = self.range.end;
        if self.range.is_empty() {
            self.from += if self.range.end < self.text.len() { step(ctx, self.text, self.range.end) } else { 1 };
        }
        Ok(true)
    }

    /// The MatchData of the current match.
    fn matched(&self, ctx: &mut Ctx) -> MatchData {
        match self.pattern {
            Pattern::Regexp(re) => make_in(ctx, re.value(), self.text, &self.captures),
            Pattern::Text(needle) => {
                let needle = frozen_copy(ctx, needle);
                let span = Span::new(self.range.start, self.range.end);
                MatchData::new(ctx, needle.value(), self.text, &[span])
            }
        }
    }

    fn finish(self, ctx: &Ctx) {
        give_captures(ctx, self.captures);
    }
}

/// What a match is replaced by.
#[derive(Copy, Clone)]
enum Replacement {
    Text(Str),
    /// A text without backslashes.
    Plain(Str),
    Table(Value),
    Block(Value),
}

fn replacement(ctx: &mut Ctx, args: Args) -> Result<Option<Replacement>> {
    let Some(v) = args.get(1) else {
        return Ok(args.has_block().then_some(Replacement::Block(args.block)));
    };
    if Str::try_of(v).is_none()
        && let Some(hash) = ctx.check_hash(v)?
    {
        return Ok(Some(Replacement::Table(hash.value())));
    }
    let text = ctx.to_str(v)?;
    Ok(Some(if text.bytes(ctx).contains(&b'\\') { Replacement::Text(text) } else { Replacement::Plain(text) }))
}

/// The result under construction.
struct Output {
    bytes: Vec<u8>,
    encoding: Encoding,
    /// All text so far, and what is left of the source, is ASCII.
    ascii: bool,
}

impl Output {
    /// Appends replacing text, which may change the encoding of the result: of all matches where nothing but ASCII is
    /// before it (nothing at all, where one of the encodings is not compatible with ASCII), of one where nothing
    /// but ASCII is left of the source.
    fn push(&mut self, ctx: &mut Ctx, text: Str, source: Str, done: usize, all: bool) -> Result<()> {
        if text.encoding() != self.encoding && !text.is_empty() {
            let plain = text.is_ascii_only(ctx) && self.encoding.is_ascii_compatible();
            if !plain {
                let compatible = self.encoding.is_ascii_compatible();
                let fits = match all {
                    true if compatible && text.encoding().is_ascii_compatible() => self.ascii || self.bytes.is_ascii(),
                    true => self.bytes.is_empty(),
                    false => self.ascii || compatible && self.bytes.is_ascii() && source.bytes(ctx)[done..].is_ascii(),
                };
                if !fits {
                    return Err(incompatible(ctx, self.encoding, text.encoding()));
                }
                self.encoding = text.encoding();
            }
        }
        if self.ascii && !text.is_ascii_only(ctx) {
            self.ascii = false;
        }
        self.bytes.put(text.bytes(ctx));
        Ok(())
    }

    /// Appends what lies between two matches, or behind the last.
    fn put_source(&mut self, ctx: &mut Ctx, source: Str, range: std::ops::Range<usize>, all: bool) -> Result<()> {
        let piece = &source.bytes(ctx)[range];
        let compatible = self.encoding.is_ascii_compatible() && source.encoding().is_ascii_compatible();
        if all && self.encoding != source.encoding() && !piece.is_empty() && !(compatible && piece.is_ascii()) {
            if !compatible || !self.bytes.is_ascii() {
                return Err(incompatible(ctx, self.encoding, source.encoding()));
            }
            self.encoding = source.encoding();
        }
        self.bytes.put(piece);
        Ok(())
    }
}

/// Appends a replacing text with its references to groups resolved.
fn expand(ctx: &mut Ctx, out: &mut Vec<u8>, template: Str, scan: &Scan) -> Result<()> {
    let enc = template.encoding();
    let template = template.share(ctx);
    let groups = match scan.pattern {
        Pattern::Regexp(_) => scan.captures.len(),
        Pattern::Text(_) => 1,
    };
    let group = |n: usize| match scan.pattern {
        Pattern::Regexp(_) => scan.captures.get(n).map(|(a, b)| a..b),
        Pattern::Text(_) => (n == 0).then(|| scan.range.clone()),
    };
    let mut pos = 0;
    while let Some((at, behind)) = backslash(enc, &template, pos) {
        out.put(&template[pos..at]);
        let Some((letter, len)) = ascii_char(enc, &template[behind..]) else {
            // What is no ASCII stands for itself, and the backslash with it.
            let len = if behind < template.len() { enc.step_len(&template[behind..]) } else { 0 };
            out.put(&template[at..behind + len]);
            pos = behind + len;
            continue;
        };
        pos = behind + len;
        let range = match letter {
            b'0' => group(0),
            // Groups that have names have no numbers.
            b'1'..=b'9' if has_names(ctx, scan.pattern)? => None,
            b'1'..=b'9' => group((letter - b'0') as usize),
            b'&' => group(0),
            b'`' => Some(0..scan.range.start),
            b'\'' => Some(scan.range.end..scan.text.len()),
            b'+' => (1..groups).rev().find_map(group),
            b'\\' => {
                out.put(&template[at..behind]);
                None
            }
            b'k' => match named_reference(enc, &template[pos..]) {
                Reference::Named { name, len } => {
                    let name = &template[pos + name.start..pos + name.end];
                    pos += len;
                    match named_group(ctx, scan, name)? {
                        Some(n) => group(n),
                        None => None,
                    }
                }
                Reference::Open => {
                    return Err(ctx.raise_error("RuntimeError", "invalid group name reference format"));
                }
                Reference::None => {
                    out.put(&template[at..pos]);
                    None
                }
            },
            _ => {
                out.put(&template[at..pos]);
                None
            }
        };
        if let Some(range) = range {
            out.put(&scan.text.bytes(ctx)[range]);
        }
    }
    out.put(&template[pos..]);
    Ok(())
}

fn has_names(ctx: &mut Ctx, pattern: Pattern) -> Result<bool> {
    Ok(match pattern {
        Pattern::Regexp(re) => !crate::regexp::search::program(ctx, re)?.names().is_empty(),
        Pattern::Text(_) => false,
    })
}

/// The character at the front and its length, if it is ASCII.
fn ascii_char(enc: Encoding, bytes: &[u8]) -> Option<(u8, usize)> {
    let first = *bytes.first()?;
    if enc.is_ascii_compatible() {
        return first.is_ascii().then_some((first, 1));
    }
    let (code, len) = enc.code_point(bytes).ok()?;
    u8::try_from(code).ok().filter(u8::is_ascii).map(|b| (b, len))
}

/// Where the next backslash begins and ends. In some encodings that byte also ends other characters.
fn backslash(enc: Encoding, template: &[u8], from: usize) -> Option<(usize, usize)> {
    if enc.is_utf8_family() || enc.is_single_byte() {
        return memchr::memchr(b'\\', &template[from..]).map(|at| (from + at, from + at + 1));
    }
    let mut pos = from;
    while pos < template.len() {
        match ascii_char(enc, &template[pos..]) {
            Some((b'\\', len)) => return Some((pos, pos + len)),
            Some((_, len)) => pos += len,
            None => pos += enc.step_len(&template[pos..]),
        }
    }
    None
}

/// What stands behind `\k`.
enum Reference {
    /// Where a name lies, and the length of all of `<name>`.
    Named {
        name: std::ops::Range<usize>,
        len: usize,
    },
    /// A name without an end.
    Open,
    None,
}

fn named_reference(enc: Encoding, bytes: &[u8]) -> Reference {
    let Some((b'<', begin)) = ascii_char(enc, bytes) else { return Reference::None };
    let mut pos = begin;
    while pos < bytes.len() {
        match ascii_char(enc, &bytes[pos..]) {
            Some((b'>', len)) => return Reference::Named { name: begin..pos, len: pos + len },
            Some((_, len)) => pos += len,
            None => pos += enc.step_len(&bytes[pos..]),
        }
    }
    Reference::Open
}

fn named_group(ctx: &mut Ctx, scan: &Scan, name: &[u8]) -> Result<Option<usize>> {
    if let Pattern::Regexp(re) = scan.pattern {
        let program = crate::regexp::search::program(ctx, re)?;
        if let Some(groups) = program.groups_of(name) {
            let matched = groups.iter().rev().find(|n| scan.captures.get(**n).is_some());
            return Ok(matched.or(groups.last()).copied());
        }
    }
    let text = String::from_utf8_lossy(name).into_owned();
    Err(ctx.index_error(&format!("undefined group name reference: {text}")))
}

/// Replaces the first match or all; nothing when there is none.
fn substitute(
    ctx: &mut Ctx,
    s: Str,
    args: Args,
    by: Replacement,
    all: bool,
    in_place: bool,
) -> Result<Option<(Vec<u8>, Encoding)>> {
    let pattern = pattern(ctx, args.at(0))?;
    let text = frozen_copy(ctx, s);
    let mut scan = Scan::new(ctx, pattern, text)?;
    let guarded = (all || in_place).then_some(s);
    // In place, what other threads do to the string meanwhile is lost: short substitutions are done at once.
    let polled = if in_place { 256 } else { 1 };
    let result = substitute_in(ctx, &mut scan, guarded, by, all, polled);
    scan.finish(ctx);
    result
}

/// `guarded`: the string that the program must not change meanwhile; `polled`: matches between two safepoints.
fn substitute_in(
    ctx: &mut Ctx,
    scan: &mut Scan,
    guarded: Option<Str>,
    by: Replacement,
    all: bool,
    polled: u32,
) -> Result<Option<(Vec<u8>, Encoding)>> {
    if !scan.next(ctx)? {
        ctx.set_last_match(Value::NIL);
        return Ok(None);
    }
    let text = scan.text;
    let ascii = text.is_ascii_only(ctx);
    let mut out = Output { bytes: room(text.len() + 16), encoding: text.encoding(), ascii };
    let mut done = 0;
    let mut count = 0u32;
    let mut last;
    loop {
        let range = scan.range.clone();
        out.put_source(ctx, text, done..range.start, all)?;
        last = match by {
            Replacement::Plain(with) => {
                out.push(ctx, with, text, range.end, all)?;
                None
            }
            Replacement::Text(with) => {
                let before = out.bytes.len();
                out.push(ctx, with, text, range.end, all)?;
                out.bytes.truncate(before);
                expand(ctx, &mut out.bytes, with, scan)?;
                None
            }
            Replacement::Table(_) | Replacement::Block(_) => {
                let m = scan.matched(ctx);
                let value = computed(ctx, by, m)?;
                out.push(ctx, value, text, range.end, all)?;
                // The copy shares a long string's bytes, which a change would have parted.
                let changed = |s: Str| !std::ptr::eq(s.bytes(ctx), text.bytes(ctx)) && s.bytes(ctx) != text.bytes(ctx);
                if guarded.is_some_and(changed) {
                    return Err(ctx.runtime_error("string modified"));
                }
                Some(m)
            }
        };
        done = range.end;
        if !all {
            break;
        }
        count += 1;
        if count.is_multiple_of(polled) {
            ctx.check_interrupts()?;
        }
        let from = scan.searched;
        if !scan.next(ctx)? {
            if last.is_none() {
                // The failed search has cleared the groups of the last match: find it again.
                scan.from = from;
                scan.next(ctx)?;
            }
            break;
        }
    }
    out.put_source(ctx, text, done..text.len(), all)?;
    let m = last.unwrap_or_else(|| scan.matched(ctx));
    ctx.set_last_match(m.value());
    Ok(Some((out.bytes, out.encoding)))
}

/// What a Hash or a block gives for a match, as a String.
fn computed(ctx: &mut Ctx, by: Replacement, m: MatchData) -> Result<Str> {
    let part = group_string(ctx, m, 0);
    let value = match by {
        Replacement::Table(hash) => {
            let name = ctx.names().op_aref;
            ctx.call(hash, name, &[part])?
        }
        Replacement::Block(block) => {
            ctx.set_last_match(m.value());
            ctx.yield_one(block, part)?
        }
        Replacement::Plain(text) | Replacement::Text(text) => text.value(),
    };
    ctx.to_s(value)
}

#[cold]
fn missing_replacement(ctx: &mut Ctx, args: Args) -> rubellite_vm::Unwind {
    ctx.arity_error(args.len(), 2, Some(2))
}

/// A replacement or a block: the pattern alone is too little.
fn check_count(ctx: &mut Ctx, args: Args) -> Result<()> {
    let least = if args.has_block() { 1 } else { 2 };
    if (least..=2).contains(&args.len()) { Ok(()) } else { Err(ctx.arity_error(args.len(), least, Some(2))) }
}

fn sub(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    check_count(ctx, args)?;
    let Some(by) = replacement(ctx, args)? else { return Err(missing_replacement(ctx, args)) };
    match substitute(ctx, s, args, by, false, false)? {
        Some((bytes, encoding)) => Ok(Str::from_vec(ctx, bytes, encoding).value()),
        None => Ok(s.dup(ctx).value()),
    }
}

/// Stores the result of a substitution.
fn store(ctx: &mut Ctx, string: Str, result: Option<(Vec<u8>, Encoding)>) -> Result {
    let Some((bytes, encoding)) = result else { return Ok(Value::NIL) };
    let s = modify(ctx, string)?;
    s.set_vec(ctx, bytes);
    s.set_encoding(encoding);
    Ok(string.value())
}

fn sub_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    check_count(ctx, args)?;
    let s = modify(ctx, string)?;
    let Some(by) = replacement(ctx, args)? else { return Err(missing_replacement(ctx, args)) };
    let result = substitute(ctx, s, args, by, false, true)?;
    store(ctx, string, result)
}

fn enumerator(ctx: &mut Ctx, recv: Value, name: &'static str, args: Args) -> Result {
    let symbol = Value::symbol(ctx.intern(name));
    let to_enum = ctx.intern("to_enum");
    ctx.call(recv, to_enum, &[symbol, args.at(0)])
}

fn gsub(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let Some(by) = replacement(ctx, args)? else { return enumerator(ctx, s.value(), "gsub", args) };
    match substitute(ctx, s, args, by, true, false)? {
        Some((bytes, encoding)) => Ok(Str::from_vec(ctx, bytes, encoding).value()),
        None => Ok(s.dup(ctx).value()),
    }
}

fn gsub_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let Some(by) = replacement(ctx, args)? else { return enumerator(ctx, string.value(), "gsub!", args) };
    let s = modify(ctx, string)?;
    let result = substitute(ctx, s, args, by, true, true)?;
    store(ctx, string, result)
}

fn scan(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let pattern = pattern(ctx, args.at(0))?;
    if matches!(pattern, Pattern::Text(_)) && !s.is_valid(ctx) {
        return Err(ctx.argument_error(&format!("invalid byte sequence in {}", s.encoding().name())));
    }
    let text = frozen_copy(ctx, s);
    let mut scan = Scan::new(ctx, pattern, text)?;
    let list = Array::new(ctx);
    let result = scan_in(ctx, &mut scan, s, list, args.block);
    scan.finish(ctx);
    result?;
    Ok(if args.has_block() { s.value() } else { list.value() })
}

/// One match as `scan` shows it: its text, or its groups.
fn scan_item(ctx: &mut Ctx, m: MatchData) -> Value {
    let groups = m.spans(ctx).len();
    if groups <= 1 {
        return group_string(ctx, m, 0);
    }
    let all = Array::with_capacity(ctx, groups - 1);
    for n in 1..groups {
        let group = group_string(ctx, m, n);
        all.push(ctx, group);
    }
    all.value()
}

fn scan_in(ctx: &mut Ctx, scan: &mut Scan, source: Str, list: Array, block: Value) -> Result<()> {
    let mut last = Value::NIL;
    while scan.next(ctx)? {
        let m = scan.matched(ctx);
        let item = scan_item(ctx, m);
        last = m.value();
        if block.is_nil() {
            list.push(ctx, item);
            // A match may cost a pass over the text.
            ctx.check_interrupts()?;
        } else {
            ctx.set_last_match(last);
            ctx.yield_one(block, item)?;
            check_length(ctx, source, scan.text.len())?;
        }
    }
    ctx.set_last_match(last);
    Ok(())
}
