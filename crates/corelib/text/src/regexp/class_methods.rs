//! Regexp: methods of the class. Escaping, `union`, `last_match`, time limits.

use super::object::{embedded, is_match, program_of, state_of};
use super::search::RegexpGlobals;
use crate::common::{copy_bytes, text, text_of};
use rubellite_core_thread::outside;
use rubellite_encoding::{CodeRange, Encoding};
use rubellite_regexp::escape_until;
use rubellite_vm::object::{Regexp, Str};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Unwind, Value, method};
use std::time::Duration;

pub static TIMEOUT_ERROR: ClassDef =
    ClassDef { name: "Regexp::TimeoutError", superclass: "RegexpError", ..ClassDef::EMPTY };

pub static REGEXP_CLASS: ClassDef = ClassDef {
    name: "Regexp",
    superclass: "Object",
    singleton_methods: &[
        method("escape", Arity::ONE, escape_),
        method("quote", Arity::ONE, escape_),
        method("union", Arity::ANY, union),
        method("last_match", Arity::range(0, 1), last_match),
        method("try_convert", Arity::ONE, try_convert),
        method("linear_time?", Arity::range(1, 2).with_keywords(), linear_time_p),
        method("timeout", Arity::NONE, timeout),
        method("timeout=", Arity::ONE, set_timeout),
        method("compile", Arity::ANY.with_keywords(), compile),
    ],
    ..ClassDef::EMPTY
};

/// A String or the name of a Symbol.
fn operand(ctx: &mut Ctx, v: Value) -> Result<Str> {
    match v.as_symbol() {
        Some(sym) => Ok(Str::of_symbol(ctx, sym)),
        None => ctx.to_str(v),
    }
}

/// The escaped bytes of a string, and their encoding.
pub fn quote(ctx: &mut Ctx, s: Str) -> Result<(Vec<u8>, Encoding)> {
    let (own, ascii) = (s.encoding(), s.is_ascii_only(ctx));
    let bytes = outside::on_bytes(ctx, s, &ESCAPE_SITE, |bytes, stop| escape_until(bytes, own, &|| stop.requested()))?;
    Ok((bytes, if ascii { Encoding::US_ASCII } else { own }))
}

static ESCAPE_SITE: RegionSite = RegionSite::new("Regexp.escape");

fn escape_(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    let s = operand(ctx, args.at(0))?;
    let (bytes, encoding) = quote(ctx, s)?;
    Ok(text_of(ctx, bytes, encoding))
}

/// What the members of a union agree on.
#[derive(Default)]
struct UnionEncoding {
    /// Of members that prescribe their encoding.
    fixed: Option<Encoding>,
    /// Of members that are not ASCII-compatible.
    wide: Option<Encoding>,
    any_ascii_compatible: bool,
}

impl UnionEncoding {
    fn add(&mut self, ctx: &mut Ctx, encoding: Encoding, fixed: bool) -> Result<()> {
        if !encoding.is_ascii_compatible() {
            if self.wide.is_some_and(|w| w != encoding) || self.fixed.is_some() || self.any_ascii_compatible {
                let other = self.wide.or(self.fixed);
                return Err(mismatch(ctx, other, encoding));
            }
            self.wide = Some(encoding);
            return Ok(());
        }
        self.any_ascii_compatible = true;
        if self.wide.is_some() {
            return Err(mismatch(ctx, self.wide, encoding));
        }
        if fixed {
            if self.fixed.is_some_and(|f| f != encoding) {
                return Err(mismatch(ctx, self.fixed, encoding));
            }
            self.fixed = Some(encoding);
        }
        Ok(())
    }
}

#[cold]
fn mismatch(ctx: &mut Ctx, a: Option<Encoding>, b: Encoding) -> Unwind {
    let a = a.map_or("ASCII compatible encoding", |encoding| encoding.name());
    ctx.argument_error(&format!("incompatible encodings: {a} and {}", b.name()))
}

fn union(ctx: &mut Ctx, klass: Value, args: Args) -> Result {
    let list = match args.len() {
        1 => ctx.check_array(args.at(0))?,
        _ => None,
    };
    let count = list.map_or(args.len(), |l| l.len());
    let at = |i: usize| list.map_or_else(|| args.at(i), |l| l.get(i).unwrap_or(Value::NIL));
    if count == 0 {
        let source = Str::utf8(ctx, "(?!)").value();
        let name = ctx.names().new;
        return ctx.call(klass, name, &[source]);
    }
    if count == 1 {
        let only = at(0);
        if Regexp::try_of(only).is_some() {
            return Ok(only);
        }
        if let Some(re) = to_regexp(ctx, only)? {
            return Ok(re.value());
        }
        let s = operand(ctx, only)?;
        let (bytes, encoding) = quote(ctx, s)?;
        let source = text(ctx, &bytes, encoding);
        let name = ctx.names().new;
        return ctx.call(klass, name, &[source]);
    }
    let mut out = Vec::new();
    let mut agreed = UnionEncoding::default();
    for i in 0..count {
        if i > 0 {
            match agreed.wide {
                Some(wide) => _ = wide.encode_code_point(b'|' as u32, &mut out),
                None => out.push(b'|'),
            }
        }
        if let Some(re) = to_regexp(ctx, at(i))? {
            let state = state_of(ctx, re.value())?;
            agreed.add(ctx, state.encoding, state.fixed_encoding)?;
            out.extend(embedded(&state, false));
        } else {
            // One of several is no Symbol.
            let s = ctx.to_str(at(i))?;
            let fixed = s.code_range(ctx) != CodeRange::SevenBit;
            let (bytes, encoding) = quote(ctx, s)?;
            agreed.add(ctx, encoding, fixed)?;
            out.extend(bytes);
        }
        outside::poll(ctx, i)?;
    }
    let encoding = agreed.fixed.or(agreed.wide).unwrap_or(Encoding::US_ASCII);
    let source = text_of(ctx, out, encoding);
    let name = ctx.names().new;
    ctx.call(klass, name, &[source])
}

fn to_regexp(ctx: &mut Ctx, v: Value) -> Result<Option<Regexp>> {
    if let Some(re) = Regexp::try_of(v) {
        return Ok(Some(re));
    }
    if v.is_immediate() {
        return Ok(None);
    }
    let name = ctx.intern("to_regexp");
    match ctx.check_call(v, name, &[])? {
        None | Some(Value::NIL) => Ok(None),
        Some(re) => match Regexp::try_of(re) {
            Some(re) => Ok(Some(re)),
            None => Err(ctx.bad_conversion(v, re, "Regexp", "to_regexp")),
        },
    }
}

fn last_match(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    let m = ctx.last_match();
    match (args.get(0), is_match(m)) {
        (Some(n), Some(_)) => {
            let name = ctx.names().op_aref;
            if n.is_fixnum() {
                return ctx.call(m, name, &[n]);
            }
            super::matchdata::group_argument(ctx, m, n)
        }
        _ => Ok(m),
    }
}

fn try_convert(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    Ok(to_regexp(ctx, args.at(0))?.map_or(Value::NIL, Regexp::value))
}

fn linear_time_p(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    let args = args.positional();
    if let Some(re) = Regexp::try_of(args.at(0)) {
        if args.len() > 1 {
            ctx.warn("flags ignored")?;
        }
        let program = super::search::program(ctx, re)?;
        return Ok(Value::from_bool(program.is_linear_time()));
    }
    let s = ctx.to_str(args.at(0))?;
    let bits = args.get(1).and_then(Value::as_fixnum).unwrap_or(0) as u32;
    let (source, encoding) = (copy_bytes(ctx, s), s.encoding());
    let program = program_of(ctx, &source, encoding, bits)?;
    Ok(Value::from_bool(program.is_linear_time()))
}

/// A time limit in seconds.
pub fn timeout_of(ctx: &mut Ctx, v: Value) -> Result<Duration> {
    let seconds = rubellite_core_thread::support::seconds_of(ctx, v)?;
    if seconds <= 0.0 || seconds.is_nan() {
        let text = ctx.inspect(v)?;
        return Err(ctx.argument_error(&format!("invalid timeout: {text}")));
    }
    let longest = Duration::from_nanos(u64::MAX);
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(longest).min(longest))
}

fn timeout(ctx: &mut Ctx, _: Value, _: Args) -> Result {
    Ok(match ctx.extension::<RegexpGlobals>().timeout.get() {
        Some(t) => ctx.float(t.as_secs_f64()),
        None => Value::NIL,
    })
}

fn set_timeout(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    let limit = match args.non_nil(0) {
        Some(v) => Some(timeout_of(ctx, v)?),
        None => None,
    };
    ctx.extension::<RegexpGlobals>().timeout.set(limit);
    Ok(args.at(0))
}

fn compile(ctx: &mut Ctx, klass: Value, args: Args) -> Result {
    let name = ctx.names().new;
    ctx.call_args(klass, name, args)
}
