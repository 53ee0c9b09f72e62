//! `strscan`: StringScanner. Scanning itself is `scan.rs`, what a match left behind `matched.rs`; `strscan.rb`
//! completes them.
//!
//! Positions are bytes. Groups of a regexp match count from where the match was told that the text begins (the scan
//! position, or the beginning of the string with `fixed_anchor: true`); everything here is kept from the beginning.

mod matched;
mod scan;

use rubellite_regexp::Captures;
use rubellite_vm::object::{Data, NativeData, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Result, Value, flags, method, private_method};
use std::cell::Cell;
use std::rc::Rc;

static SCANNER: ClassDef = ClassDef {
    name: "StringScanner",
    alloc: Some(allocate),
    singleton_methods: &[method("must_C_version", Arity::NONE, itself)],
    methods: &[
        private_method("initialize", Arity::range(1, 2).with_keywords(), initialize),
        private_method("initialize_copy", Arity::exact(1), initialize_copy),
        method("reset", Arity::NONE, reset),
        method("terminate", Arity::NONE, terminate),
        method("string", Arity::NONE, string),
        method("string=", Arity::exact(1), set_string),
        method("concat", Arity::exact(1), concat),
        method("<<", Arity::exact(1), concat),
        method("pos", Arity::NONE, pos),
        method("pointer", Arity::NONE, pos),
        method("pos=", Arity::exact(1), set_pos),
        method("pointer=", Arity::exact(1), set_pos),
        method("charpos", Arity::NONE, charpos),
        method("scan", Arity::exact(1), scan::scan),
        method("skip", Arity::exact(1), scan::skip),
        method("match?", Arity::exact(1), scan::match_p),
        method("check", Arity::exact(1), scan::check),
        method("scan_full", Arity::exact(3), scan::scan_full),
        method("scan_until", Arity::exact(1), scan::scan_until),
        method("skip_until", Arity::exact(1), scan::skip_until),
        method("exist?", Arity::exact(1), scan::exist_p),
        method("check_until", Arity::exact(1), scan::check_until),
        method("search_full", Arity::exact(3), scan::search_full),
        method("getch", Arity::NONE, scan::getch),
        method("get_byte", Arity::NONE, scan::get_byte),
        method("scan_byte", Arity::NONE, scan::scan_byte),
        method("peek", Arity::exact(1), scan::peek),
        method("peek_byte", Arity::NONE, scan::peek_byte),
        private_method("scan_base10_integer", Arity::NONE, scan::scan_decimal),
        private_method("scan_base16_integer", Arity::NONE, scan::scan_hexadecimal),
        method("unscan", Arity::NONE, unscan),
        method("beginning_of_line?", Arity::NONE, bol_p),
        method("bol?", Arity::NONE, bol_p),
        method("eos?", Arity::NONE, eos_p),
        method("rest?", Arity::NONE, rest_p),
        method("rest", Arity::NONE, rest),
        method("rest_size", Arity::NONE, rest_size),
        method("matched?", Arity::NONE, matched::matched_p),
        method("matched", Arity::NONE, matched::matched),
        method("matched_size", Arity::NONE, matched::matched_size),
        method("[]", Arity::exact(1), matched::op_aref),
        method("integer_at", Arity::range(1, 2), matched::integer_at),
        method("size", Arity::NONE, matched::size),
        method("captures", Arity::NONE, matched::captures),
        method("values_at", Arity::ANY, matched::values_at),
        method("named_captures", Arity::NONE, matched::named_captures),
        method("pre_match", Arity::NONE, matched::pre_match),
        method("post_match", Arity::NONE, matched::post_match),
        method("inspect", Arity::NONE, inspect),
        method("fixed_anchor?", Arity::NONE, fixed_anchor_p),
    ],
    setup: Some(setup),
    ..ClassDef::EMPTY
};

static ERROR: ClassDef = ClassDef { name: "StringScanner::Error", superclass: "StandardError", ..ClassDef::EMPTY };

pub fn register(ctx: &mut Ctx) {
    rubellite_core_load::register(ctx, "strscan", load);
}

fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&SCANNER)?;
    ctx.install(&ERROR)?;
    ctx.run_internal(include_str!("strscan.rb"), "strscan")?;
    Ok(())
}

fn setup(ctx: &mut Ctx, class: Class) -> Result<()> {
    for (name, text) in [("Version", "3.1.6"), ("Id", "$Id$")] {
        let text = Str::ascii(ctx, text);
        text.header().set(flags::FROZEN);
        class.set_const(ctx, name, text.value());
    }
    Ok(())
}

/// The state of a scanner.
pub struct Scanner {
    /// A String, nil before `initialize`.
    string: Cell<Value>,
    prev: Cell<usize>,
    curr: Cell<usize>,
    /// Which the last match was made with, nil for none.
    regex: Cell<Value>,
    fixed_anchor: Cell<bool>,
    /// The whole match, from the beginning of the string.
    whole: Cell<Option<(usize, usize)>>,
    /// Groups beside the whole match lie in `captures` and count from `base`.
    grouped: Cell<bool>,
    base: Cell<usize>,
    /// Taken out while a match runs.
    captures: Cell<Option<Captures>>,
}

struct Holder(Rc<Scanner>);

impl NativeData for Holder {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.0.string.get());
        visit(self.0.regex.get());
    }

    fn memory_size(&self) -> usize {
        size_of::<Scanner>()
    }
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let scanner = Scanner {
        string: Cell::new(Value::NIL),
        prev: Cell::new(0),
        curr: Cell::new(0),
        regex: Cell::new(Value::NIL),
        fixed_anchor: Cell::new(false),
        whole: Cell::new(None),
        grouped: Cell::new(false),
        base: Cell::new(0),
        captures: Cell::new(None),
    };
    Ok(Data::new(ctx, class, Holder(Rc::new(scanner))).value())
}

impl Scanner {
    fn any(ctx: &mut Ctx, object: Value) -> Result<Rc<Scanner>> {
        if let Some(holder) = Data::state_of::<Holder>(ctx, object) {
            return Ok(holder.0.clone());
        }
        let class = ctx.real_class(object).inspect(ctx);
        Err(ctx.type_error(&format!("wrong argument type {class} (expected StringScanner)")))
    }

    /// The scanner and its string; ArgumentError before `initialize`.
    #[inline]
    fn of(ctx: &mut Ctx, object: Value) -> Result<(Rc<Scanner>, Str)> {
        let scanner = Scanner::any(ctx, object)?;
        match Str::try_of(scanner.string.get()) {
            Some(string) => Ok((scanner, string)),
            None => Err(ctx.argument_error("uninitialized StringScanner object")),
        }
    }

    fn clear_match(&self) {
        self.whole.set(None);
        self.regex.set(Value::NIL);
    }

    /// Notes a match without groups from `prev` to the current position.
    fn note_plain(&self, start: usize, end: usize) {
        self.whole.set(Some((start, end)));
        self.grouped.set(false);
    }

    fn set_string(&self, ctx: &mut Ctx, object: Value, string: Str) {
        self.string.set(string.value());
        ctx.write_barrier(object, string.value());
        self.curr.set(0);
        self.clear_match();
    }
}

/// Part of the string, clipped at its end; nil behind it.
#[inline]
fn extract(ctx: &mut Ctx, string: Str, start: usize, end: usize) -> Value {
    let len = string.len();
    if start > len {
        return Value::NIL;
    }
    string.substring(ctx, start..end.clamp(start, len)).value()
}

fn itself(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

/// `StringScanner.new(string, fixed_anchor: false)`
fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let scanner = Scanner::any(ctx, recv)?;
    let string = ctx.to_str(args.at(0))?;
    let name = ctx.intern("fixed_anchor");
    if let Some(keywords) = args.keywords() {
        args.check_keywords(ctx, &["fixed_anchor"])?;
        scanner.fixed_anchor.set(keywords.get_sym(ctx, name).is_some_and(Value::truthy));
    }
    scanner.set_string(ctx, recv, string);
    Ok(recv)
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (to, from) = (Scanner::any(ctx, recv)?, Scanner::any(ctx, args.at(0))?);
    if Rc::ptr_eq(&to, &from) {
        return Ok(recv);
    }
    for (a, b) in [(&to.string, &from.string), (&to.regex, &from.regex)] {
        a.set(b.get());
        ctx.write_barrier(recv, b.get());
    }
    to.prev.set(from.prev.get());
    to.curr.set(from.curr.get());
    to.fixed_anchor.set(from.fixed_anchor.get());
    to.whole.set(from.whole.get());
    to.grouped.set(from.grouped.get());
    to.base.set(from.base.get());
    let captures = from.captures.take();
    to.captures.set(captures.clone());
    from.captures.set(captures);
    Ok(recv)
}

fn reset(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, _) = Scanner::of(ctx, recv)?;
    scanner.curr.set(0);
    scanner.clear_match();
    Ok(recv)
}

fn terminate(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    scanner.curr.set(string.len());
    scanner.clear_match();
    Ok(recv)
}

fn string(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Scanner::of(ctx, recv)?.1.value())
}

fn set_string(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let scanner = Scanner::any(ctx, recv)?;
    let string = ctx.to_str(args.at(0))?;
    scanner.set_string(ctx, recv, string);
    Ok(string.value())
}

/// `scanner << string -> scanner`: appends to the string that is scanned.
fn concat(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (_, string) = Scanner::of(ctx, recv)?;
    let more = ctx.to_str(args.at(0))?;
    rubellite_core_text::modify_string(ctx, string)?;
    rubellite_core_text::append_string(ctx, string, more)?;
    Ok(recv)
}

fn pos(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, _) = Scanner::of(ctx, recv)?;
    Ok(Value::fixnum(scanner.curr.get() as i64))
}

/// `pos = n`: negative ones count from the end.
fn set_pos(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    let given = ctx.to_int(args.at(0))?;
    let len = string.len() as i64;
    let at = if given < 0 { given + len } else { given };
    if !(0..=len).contains(&at) {
        return Err(ctx.range_error("index out of range"));
    }
    scanner.curr.set(at as usize);
    Ok(args.at(0))
}

fn charpos(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    let at = scanner.curr.get().min(string.len());
    if string.single_byte_optimizable(ctx) {
        return Ok(Value::fixnum(at as i64));
    }
    let before = &string.bytes(ctx)[..at];
    Ok(Value::fixnum(string.encoding().char_count(before, None) as i64))
}

fn unscan(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, _) = Scanner::of(ctx, recv)?;
    if scanner.whole.get().is_none() {
        return Err(ctx.raise_error("StringScanner::Error", "unscan failed: previous match record not exist"));
    }
    scanner.curr.set(scanner.prev.get());
    scanner.clear_match();
    Ok(recv)
}

fn bol_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    let at = scanner.curr.get();
    if at > string.len() {
        return Ok(Value::NIL);
    }
    Ok(Value::from_bool(at == 0 || string.byte(at - 1) == Some(b'\n')))
}

fn eos_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    Ok(Value::from_bool(scanner.curr.get() >= string.len()))
}

fn rest_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    Ok(Value::from_bool(scanner.curr.get() < string.len()))
}

fn rest(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    let at = scanner.curr.get().min(string.len());
    Ok(extract(ctx, string, at, string.len()))
}

fn rest_size(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    Ok(Value::fixnum(string.len().saturating_sub(scanner.curr.get()) as i64))
}

fn fixed_anchor_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(Scanner::any(ctx, recv)?.fixed_anchor.get()))
}

/// How many bytes `inspect` shows on each side.
const SHOWN: usize = 5;

/// `#<StringScanner 3/11 "Fri" @ " Dec ...">`
fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let scanner = Scanner::any(ctx, recv)?;
    let class = ctx.real_class(recv).inspect(ctx);
    let text = match Str::try_of(scanner.string.get()) {
        None => format!("#<{class} (uninitialized)>"),
        Some(string) if scanner.curr.get() >= string.len() => format!("#<{class} fin>"),
        Some(string) => {
            let (at, len) = (scanner.curr.get(), string.len());
            let after = &string.bytes(ctx)[at..(at + SHOWN).min(len)];
            let after = [after, if len - at > SHOWN { b"..." } else { b"" }].concat();
            let after = dumped(ctx, &after)?;
            if at == 0 {
                format!("#<{class} {at}/{len} @ {after}>")
            } else {
                let before = &string.bytes(ctx)[at.saturating_sub(SHOWN)..at];
                let before = [if at > SHOWN { &b"..."[..] } else { b"" }, before].concat();
                let before = dumped(ctx, &before)?;
                format!("#<{class} {at}/{len} {before} @ {after}>")
            }
        }
    };
    Ok(Str::utf8(ctx, &text).value())
}

fn dumped(ctx: &mut Ctx, bytes: &[u8]) -> Result<String> {
    let text = Str::binary(ctx, bytes).value();
    let dumped = ctx.call_name(text, "dump", &[])?;
    Ok(ctx.to_str(dumped)?.to_lossy(ctx).into_owned())
}
