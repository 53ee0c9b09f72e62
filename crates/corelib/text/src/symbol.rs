//! Symbol. Most methods do what String does with the symbol's name.

use crate::encoding_object;
use rubellite_encoding::{CaseOp, CodeRange, Encoding};
use rubellite_vm::object::{Array, Chilled, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Sym, Value, method};

pub static SYMBOL: ClassDef = ClassDef {
    name: "Symbol",
    superclass: "Object",
    includes: &["Comparable"],
    no_new: true,
    methods: &[
        method("to_s", Arity::NONE, to_s),
        method("id2name", Arity::NONE, to_s),
        method("name", Arity::NONE, name),
        method("to_sym", Arity::NONE, to_sym).leaf(0),
        method("intern", Arity::NONE, to_sym),
        method("to_proc", Arity::NONE, to_proc),
        method("inspect", Arity::NONE, inspect),
        method("==", Arity::ONE, op_eq),
        method("===", Arity::ONE, op_eq),
        method("hash", Arity::NONE, hash),
        method("<=>", Arity::ONE, op_cmp),
        method("casecmp", Arity::ONE, casecmp),
        method("casecmp?", Arity::ONE, casecmp_p),
        method("=~", Arity::ONE, op_match),
        method("match", Arity::ANY, match_),
        method("match?", Arity::range(1, 2), match_p),
        method("[]", Arity::range(1, 2), op_aref),
        method("slice", Arity::range(1, 2), op_aref),
        method("length", Arity::NONE, length).leaf(0),
        method("size", Arity::NONE, length).leaf(0),
        method("empty?", Arity::NONE, empty_p).leaf(0),
        method("encoding", Arity::NONE, encoding),
        method("succ", Arity::NONE, succ),
        method("next", Arity::NONE, succ),
        method("upcase", Arity::ANY, upcase),
        method("downcase", Arity::ANY, downcase),
        method("swapcase", Arity::ANY, swapcase),
        method("capitalize", Arity::ANY, capitalize),
        method("start_with?", Arity::ANY, start_with_p),
        method("end_with?", Arity::ANY, end_with_p),
    ],
    singleton_methods: &[method("all_symbols", Arity::NONE, all_symbols)],
    ..ClassDef::EMPTY
};

fn sym(v: Value) -> Sym {
    v.as_symbol().unwrap_or(Sym(0))
}

/// The name as a new String.
fn string(ctx: &mut Ctx, recv: Value) -> Str {
    let sym = sym(recv);
    let s = Str::of_symbol(ctx, sym);
    if s.encoding() == Encoding::US_ASCII {
        s.set_code_range(Some(CodeRange::SevenBit));
    }
    s
}

fn to_s(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let s = string(ctx, recv);
    s.set_chilled(Some(Chilled::SymbolToS));
    Ok(s.value())
}

/// The frozen String of the name, always the same one.
fn name(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let s = string(ctx, recv).value();
    let name = ctx.names().op_minus_at;
    ctx.call(s, name, &[])
}

fn to_sym(_: &mut Ctx, recv: Value, _: Args) -> Result {
    Ok(recv)
}

fn to_proc(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    Ok(ctx.symbol_proc(sym(recv)))
}

/// Whether a name can stand behind a colon without quotes.
fn is_plain(bytes: &[u8], encoding: Encoding) -> bool {
    let operators: [&[u8]; 27] = [
        b"+", b"-", b"*", b"/", b"%", b"**", b"==", b"!=", b"===", b"=~", b"!~", b"!", b"<", b"<=", b">", b">=",
        b"<=>", b"<<", b">>", b"&", b"|", b"^", b"~", b"+@", b"-@", b"[]", b"[]=",
    ];
    if bytes == b"`" || operators.contains(&bytes) {
        return true;
    }
    match bytes {
        [b'$', rest @ ..] => is_global(rest),
        [b'@', b'@', rest @ ..] | [b'@', rest @ ..] => is_identifier(rest, encoding),
        [rest @ .., b'?' | b'!'] => is_identifier(rest, encoding),
        [rest @ .., b'='] => is_identifier(rest, encoding),
        _ => is_identifier(bytes, encoding),
    }
}

fn is_identifier(bytes: &[u8], _: Encoding) -> bool {
    let start = |b: u8| b.is_ascii_alphabetic() || b == b'_' || b >= 0x80;
    bytes.first().is_some_and(|b| start(*b)) && bytes.iter().all(|b| start(*b) || b.is_ascii_digit())
}

fn is_global(rest: &[u8]) -> bool {
    match rest {
        [b'-', b] => b.is_ascii_alphanumeric() || *b == b'_',
        [b] if b.is_ascii_punctuation() => b"~*$?!@/\\;,.=:<>\"&`'+_".contains(b),
        _ if rest.iter().all(u8::is_ascii_digit) => !rest.is_empty(),
        _ => is_identifier(rest, Encoding::UTF_8),
    }
}

fn inspect(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let s = string(ctx, recv);
    let result = crate::inspect_encoding(ctx);
    let own = s.encoding();
    let shown_as_is = s.is_ascii_only(ctx) || own == result && printable(ctx, s);
    let mut out = vec![b':'];
    if shown_as_is && is_plain(s.bytes(ctx), own) {
        out.extend_from_slice(s.bytes(ctx));
        return Ok(Str::from_vec(ctx, out, own).value());
    } else {
        out.extend(crate::string::inspect_bytes(s.bytes(ctx), own, result));
    }
    Ok(Str::from_vec(ctx, out, result).value())
}

fn printable(ctx: &Ctx, s: Str) -> bool {
    let encoding = s.encoding();
    encoding
        .chars(s.bytes(ctx))
        .all(|c| encoding.code_point(c).is_ok_and(|(code, _)| rubellite_encoding::is_printable(code, encoding)))
}

fn op_eq(_: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(recv == args.at(0)))
}

fn hash(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let hash = rubellite_vm::object::hashing::hash_word(ctx.hash_seed(), recv.bits());
    Ok(ctx.hash_number(hash))
}

/// Calls a String method on the name of this symbol and of another one; nil for anything else.
fn with_symbol(ctx: &mut Ctx, recv: Value, args: Args, method: &'static str) -> Result {
    if !args.at(0).is_symbol() {
        return Ok(Value::NIL);
    }
    let (a, b) = (string(ctx, recv).value(), string(ctx, args.at(0)).value());
    ctx.call_name(a, method, &[b])
}

fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let (Some(a), Some(b)) = (recv.as_symbol(), args.at(0).as_symbol()) {
        let order = ctx.sym_bytes(a).cmp(ctx.sym_bytes(b));
        if a == b || order.is_ne() {
            return Ok(Value::fixnum(order as i64));
        }
    }
    with_symbol(ctx, recv, args, "<=>")
}

fn casecmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    with_symbol(ctx, recv, args, "casecmp")
}

fn casecmp_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    with_symbol(ctx, recv, args, "casecmp?")
}

/// Calls a String method on the name with the same arguments and block.
fn delegate(ctx: &mut Ctx, recv: Value, args: Args, method: &'static str) -> Result {
    let s = string(ctx, recv).value();
    let name = ctx.intern(method);
    ctx.call_args(s, name, args)
}

fn op_match(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    delegate(ctx, recv, args, "=~")
}

fn match_(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    delegate(ctx, recv, args, "match")
}

fn match_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    delegate(ctx, recv, args, "match?")
}

fn op_aref(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    delegate(ctx, recv, args, "[]")
}

fn length(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let sym = sym(recv);
    let count = ctx.sym_encoding(sym).char_count(ctx.sym_bytes(sym), None);
    Ok(Value::fixnum(count as i64))
}

fn empty_p(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    Ok(Value::from_bool(ctx.sym_bytes(sym(recv)).is_empty()))
}

fn encoding(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let encoding = ctx.sym_encoding(sym(recv));
    Ok(encoding_object(ctx, encoding))
}

/// A symbol from the String that `s` became.
fn symbol_of(ctx: &mut Ctx, bytes: &[u8], encoding: Encoding) -> Value {
    let encoding = if encoding.is_ascii_only(bytes) { Encoding::US_ASCII } else { encoding };
    ctx.dynamic_symbol(bytes, encoding)
}

fn succ(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = delegate(ctx, recv, args, "succ")?;
    let text = ctx.to_str(text)?;
    let bytes = text.share(ctx);
    Ok(symbol_of(ctx, &bytes, text.encoding()))
}

fn map(ctx: &mut Ctx, recv: Value, args: Args, op: CaseOp) -> Result {
    let s = string(ctx, recv);
    let bytes = crate::string::case_mapped(ctx, s, args, op)?;
    Ok(symbol_of(ctx, &bytes, s.encoding()))
}

fn upcase(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    map(ctx, recv, args, CaseOp::Upcase)
}

fn downcase(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    map(ctx, recv, args, CaseOp::Downcase)
}

fn swapcase(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    map(ctx, recv, args, CaseOp::Swapcase)
}

fn capitalize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    map(ctx, recv, args, CaseOp::Capitalize)
}

fn start_with_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    delegate(ctx, recv, args, "start_with?")
}

fn end_with_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    delegate(ctx, recv, args, "end_with?")
}

fn all_symbols(ctx: &mut Ctx, _: Value, _: Args) -> Result {
    let list = Array::new(ctx);
    for n in 0..ctx.symbol_count() {
        let sym = Sym(n as u32);
        if ctx.symbol_exists(sym) && !ctx.is_internal_symbol(sym) {
            list.push(ctx, Value::symbol(sym));
        }
    }
    Ok(list.value())
}
