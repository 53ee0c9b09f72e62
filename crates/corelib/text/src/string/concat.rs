//! String: making, joining, copying.

use crate::common::{common_encoding, encoding_label, incompatible, modify};
use rubellite_core_thread::outside;
use rubellite_encoding::{CodePointError, CodeRange, Encoding, compatible};
use rubellite_vm::object::{Array, Int, Str, copied, integer, room};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, flags, method, private_method};

pub static STRING: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    includes: &["Comparable"],
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::range(0, 1).with_keywords(), initialize),
        method("initialize_copy", Arity::ONE, replace),
        private_method("initialize_clone", Arity::ONE.with_keywords(), initialize_clone),
        method("replace", Arity::ONE, replace),
        method("+", Arity::ONE, op_plus),
        method("*", Arity::ONE, op_mul),
        method("%", Arity::ONE, op_mod),
        method("<<", Arity::ONE, op_shl),
        method("concat", Arity::ANY, concat),
        method("append_as_bytes", Arity::ANY, append_as_bytes),
        method("prepend", Arity::ANY, prepend),
        method("clear", Arity::NONE, clear),
        method("to_s", Arity::NONE, to_s),
        method("to_str", Arity::NONE, to_s),
        method("to_sym", Arity::NONE, to_sym),
        method("intern", Arity::NONE, to_sym),
        method("+@", Arity::NONE, op_plus_at),
        method("-@", Arity::NONE, op_minus_at),
        method("dedup", Arity::NONE, op_minus_at),
        method("freeze", Arity::NONE, freeze),
    ],
    singleton_methods: &[method("try_convert", Arity::ONE, try_convert)],
    ruby: include_str!("../string.rb"),
    ..ClassDef::EMPTY
};

fn allocate(ctx: &mut Ctx, klass: Value) -> Result {
    Ok(Str::new_in(ctx, klass, b"", Encoding::BINARY).value())
}

fn initialize(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    args.check_keywords(ctx, &["capacity", "encoding"])?;
    let capacity = match args.keyword(ctx, "capacity") {
        Some(v) if !v.is_nil() => ctx.to_int(v)?.max(0) as usize,
        _ => 0,
    };
    let encoding = match args.keyword(ctx, "encoding") {
        Some(v) if !v.is_nil() => Some(crate::to_encoding(ctx, v)?),
        _ => None,
    };
    let source = match args.positional().get(0) {
        Some(v) => Some(ctx.to_str(v)?),
        None => None,
    };
    if source.is_none() && capacity == 0 && encoding.is_none() {
        return Ok(string.value());
    }
    let s = modify(ctx, string)?;
    if let Some(source) = source {
        s.replace(ctx, source);
    }
    if capacity > s.len() {
        s.try_reserve(ctx, capacity - s.len()).map_err(|_| ctx.no_memory())?;
    }
    if let Some(encoding) = encoding {
        s.set_encoding(encoding);
    }
    Ok(string.value())
}

fn replace(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = modify(ctx, string)?;
    let other = ctx.to_str(args.at(0))?;
    s.replace(ctx, other);
    Ok(string.value())
}

/// A clone of a chilled string is chilled, too.
fn initialize_clone(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let source = args.positional().at(0);
    let name = ctx.names().initialize_copy;
    ctx.call(string.value(), name, &[source])?;
    if let Some(source) = Str::try_of(source) {
        string.set_chilled(source.chilled());
    }
    Ok(string.value())
}

fn try_convert(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    Ok(ctx.check_str(args.at(0))?.map_or(Value::NIL, Str::value))
}

/// An empty string that knows that it is ASCII, so that appends keep the code range.
fn empty(ctx: &mut Ctx, cap: usize, encoding: Encoding) -> Result<Str> {
    let s = Str::with_capacity(ctx, cap, encoding).map_err(|_| ctx.no_memory())?;
    if encoding.is_ascii_compatible() {
        s.set_code_range(Some(CodeRange::SevenBit));
    }
    Ok(s)
}

static PLUS_SITE: RegionSite = RegionSite::new("String#+");
/// Sums of this length and more, a millisecond of work, are made outside the lock.
const PLUS_OUTSIDE: usize = 2 << 20;

fn op_plus(ctx: &mut Ctx, a: Str, args: Args) -> Result {
    let b = ctx.to_str(args.at(0))?;
    let encoding = common_encoding(ctx, a, b)?;
    let len = a.len() + b.len();
    if (PLUS_OUTSIDE..=Str::MAX_LEN).contains(&len) && a.encoding() == b.encoding() {
        // Memory that was never touched costs more than the copy.
        let known = |range| a.cached_code_range() == Some(range) && b.cached_code_range() == Some(range);
        let range = [CodeRange::SevenBit, CodeRange::Valid].into_iter().find(|range| known(*range));
        let joined = outside::on_both(ctx, (a, b), &PLUS_SITE, |a, b, _| {
            let mut joined = room(a.len() + b.len());
            joined.extend_from_slice(a);
            joined.extend_from_slice(b);
            Some(joined)
        })?;
        let result = Str::from_vec(ctx, joined, encoding);
        result.set_code_range(range);
        return Ok(result.value());
    }
    let result = empty(ctx, len, encoding)?;
    if a.encoding() == encoding || a.is_ascii_only(ctx) {
        result.append_str(ctx, a);
    }
    result.append_str(ctx, b);
    if result.len() != a.len() + b.len() {
        // The left side was skipped: an empty string of another encoding.
        result.set_code_range(None);
    }
    result.set_encoding(encoding);
    Ok(result.value())
}

/// `*` copies pieces of about this many bytes between two safepoints: less than a millisecond.
pub(super) const REPEATED_PART: usize = 1 << 20;

fn op_mul(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let times = ctx.to_int(args.at(0))?;
    if times < 0 {
        return Err(ctx.argument_error("negative argument"));
    }
    let times = times as usize;
    let Some(total) = s.len().checked_mul(times).filter(|t| *t <= Str::MAX_LEN) else {
        return Err(ctx.argument_error("argument too big"));
    };
    let result = Str::with_capacity(ctx, total, s.encoding()).map_err(|_| ctx.no_memory())?;
    let range = if total == 0 { None } else { Some(s.code_range(ctx)).filter(|r| *r != CodeRange::Broken) };
    if total > REPEATED_PART {
        repeat(ctx, result, s, total)?;
    } else if total > 0 {
        result.append_str(ctx, s);
        while result.len() * 2 <= total {
            result.append_str(ctx, result);
        }
        let rest = copied(&result.bytes(ctx)[..total - result.len()]);
        result.append(ctx, &rest);
    }
    result.set_code_range(range);
    Ok(result.value())
}

/// Appends `total` bytes to `result`: the string, over and over, the last time as much of it as is left. Piece by
/// piece: others run in between.
pub(super) fn repeat(ctx: &mut Ctx, result: Str, s: Str, total: usize) -> Result<()> {
    if total == 0 {
        return Ok(());
    }
    let once = s.share(ctx);
    let joined = if once.len() < REPEATED_PART { once.repeat(REPEATED_PART / once.len()) } else { Vec::new() };
    let source = if joined.is_empty() { &once[..] } else { &joined };
    let (mut at, mut left) = (0, total);
    while left > 0 {
        let len = (source.len() - at).min(REPEATED_PART).min(left);
        result.append(ctx, &source[at..at + len]);
        left -= len;
        at = (at + len) % source.len();
        ctx.check_interrupts()?;
    }
    Ok(())
}

fn op_mod(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let values = match ctx.check_array(args.at(0))? {
        Some(values) => values,
        None => Array::from_slice(ctx, &[args.at(0)]),
    };
    rubellite_core_numeric::format::format(ctx, string, values).map(Str::value)
}

/// Appends a String or a code point.
pub fn append_value(ctx: &mut Ctx, s: Str, v: Value) -> Result<()> {
    if integer::is_integer(v) {
        return append_code(ctx, s, v);
    }
    let other = ctx.to_str(v)?;
    append_string(ctx, s, other)
}

/// `s << other` without a check for frozen strings.
pub fn append_string(ctx: &mut Ctx, s: Str, other: Str) -> Result<()> {
    let (a, b) = (s.encoding(), other.encoding());
    if a != b && !other.is_empty() {
        match compatible(s.side(ctx), other.side(ctx)) {
            Some(encoding) => s.set_encoding(encoding),
            None => return Err(incompatible(ctx, a, b)),
        }
    }
    s.append_str(ctx, other);
    Ok(())
}

fn append_code(ctx: &mut Ctx, s: Str, v: Value) -> Result<()> {
    let code = Int::try_of(v).and_then(|i| i.to_i64()).and_then(|n| u32::try_from(n).ok());
    let Some(code) = code else {
        let text = ctx.inspect(v)?;
        let message =
            if v.is_fixnum() { format!("{text} out of char range") } else { "bignum out of char range".to_string() };
        return Err(ctx.range_error(&message));
    };
    let encoding = s.encoding();
    if encoding == Encoding::US_ASCII && (0x80..0x100).contains(&code) {
        s.set_encoding(Encoding::BINARY);
    }
    let mut out = Vec::with_capacity(4);
    match s.encoding().encode_code_point(code, &mut out) {
        Ok(_) => s.append(ctx, &out),
        Err(error) => return Err(code_point_error(ctx, error, code, encoding)),
    }
    Ok(())
}

/// RangeError about a code point without a character.
#[cold]
pub fn code_point_error(ctx: &mut Ctx, error: CodePointError, code: u32, encoding: Encoding) -> rubellite_vm::Unwind {
    let message = error.message(code, encoding);
    match error {
        CodePointError::OutOfRange | CodePointError::Invalid => ctx.range_error(&message),
        CodePointError::InvalidBytes | CodePointError::Empty => ctx.argument_error(&message),
    }
}

fn op_shl(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    // What is no String is converted before the receiver is looked at.
    let item = args.at(0);
    let item = if integer::is_integer(item) { item } else { ctx.to_str(item)?.value() };
    let s = modify(ctx, string)?;
    append_value(ctx, s, item)?;
    Ok(string.value())
}

fn concat(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = modify(ctx, string)?;
    if args.len() == 1 {
        append_value(ctx, s, args.at(0))?;
        return Ok(string.value());
    }
    let parts = empty(ctx, 0, s.encoding())?;
    for i in 0..args.len() {
        append_value(ctx, parts, args.at(i))?;
    }
    append_string(ctx, s, parts)?;
    Ok(string.value())
}

fn append_as_bytes(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = modify(ctx, string)?;
    for i in 0..args.len() {
        let v = args.at(i);
        if integer::is_integer(v) || Str::try_of(v).is_some() {
            continue;
        }
        let class = ctx.real_class(v).inspect(ctx);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected String or Integer)")));
    }
    for i in 0..args.len() {
        let v = args.at(i);
        match Int::try_of(v) {
            Some(n) => s.append(ctx, &[n.low_u64() as u8]),
            None => {
                let bytes = ctx.expect::<Str>(v)?.share(ctx);
                s.append(ctx, &bytes);
            }
        }
        s.set_code_range(None);
    }
    Ok(string.value())
}

fn prepend(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    let s = modify(ctx, string)?;
    let joined = empty(ctx, 0, s.encoding())?;
    for i in 0..args.len() {
        let part = ctx.to_str(args.at(i))?;
        append_string(ctx, joined, part)?;
    }
    if joined.is_empty() {
        return Ok(string.value());
    }
    let encoding = common_encoding(ctx, s, joined)?;
    s.splice_str(ctx, 0..0, joined);
    s.set_encoding(encoding);
    Ok(string.value())
}

fn clear(ctx: &mut Ctx, string: Str, _: Args) -> Result {
    let s = modify(ctx, string)?;
    s.clear(ctx);
    Ok(string.value())
}

fn to_s(ctx: &mut Ctx, recv: Str, _: Args) -> Result {
    let string = ctx.classes().string.get();
    if ctx.real_class(recv.value()).value() == string {
        return Ok(recv.value());
    }
    Ok(recv.dup(ctx).value())
}

fn to_sym(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    if !s.is_valid(ctx) {
        let text = ctx.inspect(s.value())?;
        let label = encoding_label(s.encoding());
        return Err(ctx.raise_error("EncodingError", &format!("invalid symbol in encoding {label} :{text}")));
    }
    let encoding = if s.is_ascii_only(ctx) { Encoding::US_ASCII } else { s.encoding() };
    Ok(ctx.dynamic_symbol(s.bytes(ctx), encoding))
}

fn op_plus_at(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    if !s.guarded() {
        return Ok(s.value());
    }
    Ok(s.dup(ctx).value())
}

fn op_minus_at(ctx: &mut Ctx, s: Str, _: Args) -> Result {
    let string = ctx.classes().string.get();
    let plain = s.header().klass.get() == string;
    if !plain || s.header().has(flags::GENERIC_IVARS) {
        if s.header().frozen() {
            return Ok(s.value());
        }
        let class = ctx.real_class(s.value()).value();
        let copy = s.dup_in(ctx, class);
        copy.header().set(flags::FROZEN);
        return Ok(copy.value());
    }
    Ok(ctx.interned(s).value())
}

fn freeze(_: &mut Ctx, s: Str, _: Args) -> Result {
    s.set_chilled(None);
    s.header().set(flags::FROZEN);
    Ok(s.value())
}
