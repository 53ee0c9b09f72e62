//! Time: methods of instances.

use super::exact::{NANOS, combine, eras, exact, fraction, from_nanos, number, terms};
use super::strftime::{self, Fields, offset_suffix};
use super::zone::{self, Zone};
use super::{Civil, TimeState, in_zone, install, local_state, look, make, order, state, try_state};
use rubellite_vm::object::{Array, Int, Str};
use rubellite_vm::{Args, Arity, Ctx, Encoding, MethodDef, Result, Value, method};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

pub const METHODS: &[MethodDef] = &[
    method("+", Arity::exact(1), op_plus),
    method("-", Arity::exact(1), op_minus),
    method("<=>", Arity::exact(1), op_cmp),
    method("eql?", Arity::exact(1), eql_p),
    method("hash", Arity::NONE, hash),
    method("to_i", Arity::NONE, to_i),
    method("tv_sec", Arity::NONE, to_i),
    method("to_f", Arity::NONE, to_f),
    method("to_r", Arity::NONE, to_r),
    method("usec", Arity::NONE, usec),
    method("tv_usec", Arity::NONE, usec),
    method("nsec", Arity::NONE, nsec),
    method("tv_nsec", Arity::NONE, nsec),
    method("subsec", Arity::NONE, subsec),
    method("year", Arity::NONE, year),
    method("month", Arity::NONE, mon),
    method("mon", Arity::NONE, mon),
    method("day", Arity::NONE, mday),
    method("mday", Arity::NONE, mday),
    method("hour", Arity::NONE, hour),
    method("min", Arity::NONE, min),
    method("sec", Arity::NONE, sec),
    method("wday", Arity::NONE, wday),
    method("yday", Arity::NONE, yday),
    method("zone", Arity::NONE, zone_name_method),
    method("utc_offset", Arity::NONE, utc_offset),
    method("gmt_offset", Arity::NONE, utc_offset),
    method("gmtoff", Arity::NONE, utc_offset),
    method("utc?", Arity::NONE, utc_p),
    method("gmt?", Arity::NONE, utc_p),
    method("dst?", Arity::NONE, dst_p),
    method("isdst", Arity::NONE, dst_p),
    method("utc", Arity::NONE, utc),
    method("gmtime", Arity::NONE, utc),
    method("getutc", Arity::NONE, getutc),
    method("getgm", Arity::NONE, getutc),
    method("localtime", Arity::range(0, 1), localtime),
    method("getlocal", Arity::range(0, 1), getlocal),
    method("round", Arity::range(0, 1), round),
    method("floor", Arity::range(0, 1), floor),
    method("ceil", Arity::range(0, 1), ceil),
    method("strftime", Arity::exact(1), time_strftime),
    method("to_s", Arity::NONE, to_s),
    method("inspect", Arity::NONE, inspect),
    method("ctime", Arity::NONE, ctime),
    method("asctime", Arity::NONE, ctime),
    method("to_a", Arity::NONE, to_a),
    method("xmlschema", Arity::range(0, 1), xmlschema),
    method("iso8601", Arity::range(0, 1), xmlschema),
];

fn op_plus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let me = state(ctx, recv)?;
    if try_state(ctx, args.at(0)).is_some() {
        return Err(ctx.type_error("time + time?"));
    }
    let other = exact(ctx, args.at(0))?;
    moved(ctx, me, other, false)
}

/// The Time that is so many seconds later or earlier, in the same zone.
fn moved(ctx: &mut Ctx, me: TimeState, by: (i128, super::exact::Sub), minus: bool) -> Result {
    let (nanos, sub) = combine(ctx, (me.nanos, me.sub.clone()), by, minus)?;
    let class = ctx.classes().time.get();
    let moved = TimeState { nanos, sub, ..me };
    let placed = match moved.zone {
        Zone::Local(..) => local_state(moved.nanos, moved.sub),
        Zone::Object(_) => {
            let object = moved.zone_object;
            in_zone(ctx, moved, zone::ZoneArg::Object(object))?
        }
        _ => moved,
    };
    Ok(make(ctx, class, placed))
}

/// `time - time -> Float`, `time - seconds -> Time`
fn op_minus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let me = state(ctx, recv)?;
    if let Some(other) = try_state(ctx, args.at(0)) {
        let (nanos, sub) = combine(ctx, (me.nanos, me.sub), (other.nanos, other.sub), true)?;
        let seconds = match (sub.is_none(), i64::try_from(nanos)) {
            (true, Ok(nanos)) => nanos as f64 / NANOS as f64,
            _ => {
                let (num, den) = terms(nanos, &sub);
                num.fdiv(&den.mul(&Int::from(NANOS)))
            }
        };
        return Ok(ctx.float(seconds));
    }
    let other = exact(ctx, args.at(0))?;
    moved(ctx, me, other, true)
}

fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let Some(order) = order(ctx, recv, args.at(0)) {
        return Ok(Value::fixnum(order as i64));
    }
    look(ctx, recv, |_| ())?;
    let operation = ctx.intern("<=>");
    let other = args.at(0);
    ctx.guard_recursion(
        operation,
        recv,
        other,
        |_| Ok(Value::NIL),
        |ctx| {
            let name = ctx.intern("<=>");
            if !ctx.respond_to(other, name, false)? {
                return Ok(Value::NIL);
            }
            let order = ctx.call(other, name, &[recv])?;
            if order.is_nil() {
                return Ok(Value::NIL);
            }
            let zero = Value::fixnum(0);
            let (more, less) = (ctx.intern(">"), ctx.intern("<"));
            if ctx.call(order, more, &[zero])?.truthy() {
                return Ok(Value::fixnum(-1));
            }
            let less = ctx.call(order, less, &[zero])?.truthy();
            Ok(Value::fixnum(less as i64))
        },
    )
}

fn eql_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    look(ctx, recv, |_| ())?;
    Ok(Value::from_bool(order(ctx, recv, args.at(0)) == Some(Ordering::Equal)))
}

fn hash(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    let mut hasher = std::collections::hash_map::DefaultHasher::new();
    let rest = me.sub.as_ref().map(|rest| (rest.num.low_u64(), rest.den.low_u64(), rest.eras.low_u64()));
    (ctx.hash_seed(), me.nanos, rest).hash(&mut hasher);
    Ok(Value::fixnum((hasher.finish() >> 2) as i64))
}

fn to_i(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(look(ctx, recv, TimeState::all_seconds)?.into_value(ctx))
}

fn to_f(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    let (num, den) = terms(me.nanos, &me.sub);
    let seconds = num.fdiv(&den.mul(&Int::from(NANOS)));
    Ok(ctx.float(seconds))
}

fn to_r(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    let (num, den) = terms(me.nanos, &me.sub);
    Ok(rubellite_vm::object::Rational::reduce(ctx, &num, &den.mul(&Int::from(NANOS))).map_or(Value::NIL, |r| r.value()))
}

fn usec(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(look(ctx, recv, TimeState::nsec)? as i64 / 1000))
}

fn nsec(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(look(ctx, recv, TimeState::nsec)? as i64))
}

fn subsec(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    let nanos = Int::from(me.nsec() as i64);
    let (num, den) = match fraction(&me.sub) {
        None => (nanos, Int::ONE),
        Some((num, den)) => (nanos.mul(den).add(num), den.clone()),
    };
    Ok(number(ctx, &num, &den.mul(&Int::from(NANOS))))
}

macro_rules! fields {
    ($($name:ident: |$civil:ident| $value:expr;)*) => {
        $(fn $name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
            let $civil = look(ctx, recv, TimeState::civil)?;
            Ok(ctx.int($value as i64))
        })*
    };
}

fn year(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let year = look(ctx, recv, |me| me.full_year(me.civil().year))?;
    Ok(year.into_value(ctx))
}

fields! {
    mon: |c| c.mon;
    mday: |c| c.mday;
    hour: |c| c.hour;
    min: |c| c.min;
    sec: |c| c.sec;
    wday: |c| c.wday;
    yday: |c| c.yday;
}

/// The zone's abbreviation; none for a fixed offset.
fn zone_name(ctx: &mut Ctx, recv: Value, me: &TimeState) -> Result<Option<String>> {
    match &me.zone {
        Zone::Utc => Ok(Some("UTC".into())),
        Zone::Local(local) => Ok(Some(local.get().name.to_string())),
        Zone::Fixed(_) | Zone::Exact(_) => Ok(Str::try_of(me.zone_object).map(|name| name.to_lossy(ctx).into_owned())),
        Zone::Object(_) => {
            let abbr = ctx.intern("abbr");
            if !ctx.respond_to(me.zone_object, abbr, false)? {
                return Ok(None);
            }
            let text = ctx.call(me.zone_object, abbr, &[recv])?;
            Ok(Str::try_of(text).map(|s| s.to_lossy(ctx).into_owned()))
        }
    }
}

fn zone_name_method(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    if !me.zone_object.is_nil() {
        return Ok(me.zone_object);
    }
    match zone_name(ctx, recv, &me)? {
        Some(name) if name.is_ascii() => Ok(Str::ascii(ctx, &name).value()),
        Some(name) => Ok(Str::utf8(ctx, &name).value()),
        None => Ok(Value::NIL),
    }
}

fn utc_offset(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    Ok(offset_value(ctx, &me.zone))
}

/// Seconds east of UTC: an Integer, or a Rational.
pub fn offset_value(ctx: &mut Ctx, zone: &Zone) -> Value {
    match zone {
        Zone::Exact(offset) => {
            let (num, den) = terms(offset.0, &offset.1);
            number(ctx, &num, &den.mul(&Int::from(NANOS)))
        }
        zone => Value::fixnum(zone.offset()),
    }
}

fn utc_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(look(ctx, recv, |me| me.zone == Zone::Utc)?))
}

fn dst_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    match &me.zone {
        Zone::Local(local) => Ok(Value::from_bool(local.get().dst)),
        Zone::Object(_) => {
            let dst = ctx.intern("dst?");
            if !ctx.respond_to(me.zone_object, dst, false)? {
                return Ok(Value::FALSE);
            }
            let answer = ctx.call(me.zone_object, dst, &[recv])?;
            Ok(Value::from_bool(answer.truthy()))
        }
        _ => Ok(Value::FALSE),
    }
}

/// Changes the receiver's zone in place.
fn rezone(ctx: &mut Ctx, recv: Value, zone: zone::ZoneArg) -> Result {
    let me = state(ctx, recv)?;
    let changed = in_zone(ctx, me.clone(), zone)?;
    if changed.zone != me.zone {
        ctx.check_frozen(recv)?;
    }
    install(ctx, recv, changed)?;
    Ok(recv)
}

fn utc(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    rezone(ctx, recv, zone::ZoneArg::Utc)
}

fn localtime(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let class = ctx.real_class(recv).value();
    let zone = zone::parse(ctx, args.at(0), class)?;
    rezone(ctx, recv, zone)
}

fn getutc(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    let class = ctx.real_class(recv).value();
    let changed = in_zone(ctx, me, zone::ZoneArg::Utc)?;
    Ok(make(ctx, class, changed))
}

fn getlocal(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let class = ctx.real_class(recv).value();
    let zone = zone::parse(ctx, args.at(0), class)?;
    let me = state(ctx, recv)?;
    let changed = in_zone(ctx, me, zone)?;
    Ok(make(ctx, class, changed))
}

/// How `round`, `floor` and `ceil` treat what is cut off.
#[derive(Copy, Clone, PartialEq)]
enum Cut {
    Nearest,
    Down,
    Up,
}

fn cut(ctx: &mut Ctx, recv: Value, args: Args, how: Cut) -> Result {
    let digits = match args.non_nil(0) {
        Some(v) => ctx.to_int(v)?,
        None => 0,
    };
    if digits < 0 {
        return Err(ctx.argument_error("negative ndigits given"));
    }
    let me = state(ctx, recv)?;
    // The instant in units of the last digit: num * 10^digits / (den * 10^9).
    let (num, den) = terms(me.nanos, &me.sub);
    if digits >= 9 && den == Int::ONE {
        // Whole nanoseconds.
        let class = ctx.classes().time.get();
        return Ok(make(ctx, class, me));
    }
    let scale = Int::from(10i64).pow(digits as u64).unwrap_or(Int::ONE);
    let (num, den) = (num.mul(&scale), den.mul(&Int::from(NANOS)));
    let Some((mut units, rest)) = num.divmod(&den) else { return Ok(recv) };
    let up = match how {
        Cut::Down => false,
        Cut::Up => !rest.is_zero(),
        Cut::Nearest => rest.add(&rest) >= den,
    };
    if up {
        units = units.add(&Int::ONE);
    }
    let rounded = from_nanos(ctx, &units.mul(&Int::from(NANOS)), &scale)?;
    let class = ctx.classes().time.get();
    Ok(make(ctx, class, TimeState { nanos: rounded.0, sub: rounded.1, ..me }))
}

fn round(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    cut(ctx, recv, args, Cut::Nearest)
}

fn floor(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    cut(ctx, recv, args, Cut::Down)
}

fn ceil(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    cut(ctx, recv, args, Cut::Up)
}

// -- text -----------------------------------------------------------------------------------------

fn formatted(ctx: &mut Ctx, recv: Value, me: &TimeState, pattern: &[u8]) -> Result<Vec<u8>> {
    let name = zone_name(ctx, recv, me)?.unwrap_or_default();
    let civil = me.civil();
    let (week_year, week) = civil.iso_week();
    let shown = me.shown();
    let fields = Fields {
        civil,
        year: me.full_year(civil.year),
        iso_week: (me.full_year(week_year), week),
        date: false,
        nanos: shown.0.rem_euclid(NANOS) as u32,
        sub: fraction(&shown.1),
        seconds: me.all_seconds(),
        zone: &me.zone,
        zone_name: &name,
    };
    match strftime::format(pattern, &fields) {
        Ok(text) => Ok(text),
        Err(strftime::Refusal::TooWide) => {
            Err(rubellite_core_object::errno::fail(ctx, libc::ERANGE, &String::from_utf8_lossy(pattern)))
        }
        Err(strftime::Refusal::Cut) => {
            Err(ctx.argument_error(&format!("invalid format: {}", String::from_utf8_lossy(pattern))))
        }
    }
}

fn time_strftime(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let pattern = ctx.to_str(args.at(0))?;
    if !pattern.encoding().is_ascii_compatible() {
        return Err(ctx.argument_error("format should have ASCII compatible encoding"));
    }
    let encoding = pattern.encoding();
    let bytes = pattern.bytes(ctx).to_vec();
    if bytes.is_empty() {
        ctx.warn_verbose("strftime called with empty format string")?;
    }
    let me = state(ctx, recv)?;
    let text = formatted(ctx, recv, &me, &bytes)?;
    Ok(Str::from_vec(ctx, text, encoding).value())
}

fn to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    let text = formatted(ctx, recv, &me, b"%Y-%m-%d %H:%M:%S")?;
    let text = [text, offset_suffix(&me.zone, false).into_bytes()].concat();
    Ok(Str::from_vec(ctx, text, Encoding::US_ASCII).value())
}

/// Like `to_s`, with the fraction: decimals when they are exact, else a Rational.
fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    let mut text = formatted(ctx, recv, &me, b"%Y-%m-%d %H:%M:%S")?;
    match fraction(&me.sub) {
        None if me.nsec() == 0 => {}
        None => {
            let digits = format!(".{:09}", me.nsec());
            text.extend_from_slice(digits.trim_end_matches('0').as_bytes());
        }
        Some(_) => {
            let part = subsec(ctx, recv, Args::none())?;
            let part = ctx.to_s(part)?;
            text.push(b' ');
            text.extend_from_slice(part.bytes(ctx));
        }
    }
    text.extend_from_slice(offset_suffix(&me.zone, true).as_bytes());
    Ok(Str::from_vec(ctx, text, Encoding::US_ASCII).value())
}

fn ctime(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    let text = formatted(ctx, recv, &me, b"%a %b %e %T %Y")?;
    Ok(Str::from_vec(ctx, text, Encoding::US_ASCII).value())
}

fn to_a(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let me = state(ctx, recv)?;
    let c = me.civil();
    let year = me.full_year(c.year).into_value(ctx);
    let small = |n: u16| Value::fixnum(n as i64);
    let dst = dst_p(ctx, recv, args)?;
    let zone = zone_name_method(ctx, recv, args)?;
    let list = [
        small(c.sec as u16),
        small(c.min as u16),
        small(c.hour as u16),
        small(c.mday as u16),
        small(c.mon as u16),
        year,
        small(c.wday as u16),
        small(c.yday),
        dst,
        zone,
    ];
    Ok(Array::from_slice(ctx, &list).value())
}

fn xmlschema(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let digits = match args.get(0) {
        Some(v) => ctx.to_int(v)?.max(0),
        None => 0,
    };
    if digits > strftime::WIDTH_MAX as i64 {
        return Err(ctx.no_memory());
    }
    let me = state(ctx, recv)?;
    let civil = me.civil();
    let four_digits = (0..=9999).contains(&civil.year) && eras(&me.sub).is_none();
    let mut text = if digits <= 9 && four_digits && !matches!(me.zone, Zone::Exact(_)) {
        plain_xmlschema(&civil, me.nsec(), digits as usize)
    } else {
        let mut pattern = b"%Y-%m-%dT%H:%M:%S".to_vec();
        if digits > 0 {
            pattern.extend_from_slice(format!(".%{digits}N").as_bytes());
        }
        formatted(ctx, recv, &me, &pattern)?
    };
    match me.zone {
        Zone::Utc => text.push(b'Z'),
        _ => text.extend_from_slice(zone::offset_text(me.zone.rounded_offset(), 1).as_bytes()),
    }
    Ok(Str::from_vec(ctx, text, Encoding::US_ASCII).value())
}

/// "2000-01-31T12:34:56.789" of a year of four digits, with up to nine digits of the second.
fn plain_xmlschema(civil: &Civil, nanos: u32, digits: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(40);
    let (century, year) = ((civil.year / 100) as u8, (civil.year % 100) as u8);
    let parts = [
        (century, b"" as &[u8]),
        (year, b""),
        (civil.mon, b"-"),
        (civil.mday, b"-"),
        (civil.hour, b"T"),
        (civil.min, b":"),
        (civil.sec, b":"),
    ];
    for (number, before) in parts {
        text.extend_from_slice(before);
        text.extend_from_slice(&[b'0' + number / 10, b'0' + number % 10]);
    }
    if digits > 0 {
        text.push(b'.');
        let mut unit = 100_000_000;
        for _ in 0..digits {
            text.push(b'0' + (nanos / unit % 10) as u8);
            unit /= 10;
        }
    }
    text
}
