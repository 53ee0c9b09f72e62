//! Dates: methods of instances; sums and comparison are `arith`.

use super::arith::{like, rational};
use super::calendar::{self, Day};
use super::{DAY_NANOS, DAY_SECONDS, Moment, NANOS, UNIX_EPOCH, arith, make, moment, zone};
use rubellite_core_time::civil::Civil;
use rubellite_core_time::exact;
use rubellite_core_time::strftime;
use rubellite_core_time::strftime::Fields;
use rubellite_core_time::zone::Zone;
use rubellite_vm::object::{Array, Data, Int, Str};
use rubellite_vm::{
    Args, Arity, Ctx, Encoding, MethodDef, PrimitiveDef, Result, Value, method, primitive, private_method,
};

/// What the Ruby parts are built on.
pub const PRIMITIVES: &[PrimitiveDef] = &[
    primitive("date_offset", Arity::NONE, offset_seconds),
    primitive("date_with_offset", Arity::exact(1), with_offset),
];

pub const DATE: &[MethodDef] = &[
    private_method("initialize", Arity::range(0, 4), make::initialize),
    private_method("initialize_copy", Arity::exact(1), make::initialize_copy),
    method("ajd", Arity::NONE, ajd),
    method("amjd", Arity::NONE, amjd),
    method("jd", Arity::NONE, jd),
    method("mjd", Arity::NONE, mjd),
    method("ld", Arity::NONE, ld),
    method("year", Arity::NONE, year),
    method("yday", Arity::NONE, yday),
    method("mon", Arity::NONE, mon),
    method("month", Arity::NONE, mon),
    method("mday", Arity::NONE, mday),
    method("day", Arity::NONE, mday),
    method("day_fraction", Arity::NONE, day_fraction),
    method("cwyear", Arity::NONE, cwyear),
    method("cweek", Arity::NONE, cweek),
    method("cwday", Arity::NONE, cwday),
    method("wday", Arity::NONE, wday),
    private_method("hour", Arity::NONE, hour),
    private_method("min", Arity::NONE, min),
    private_method("minute", Arity::NONE, min),
    private_method("sec", Arity::NONE, sec),
    private_method("second", Arity::NONE, sec),
    method("julian?", Arity::NONE, julian_p),
    method("gregorian?", Arity::NONE, gregorian_p),
    method("leap?", Arity::NONE, leap_p),
    method("start", Arity::NONE, start),
    method("new_start", Arity::range(0, 1), new_start),
    method("+", Arity::exact(1), arith::op_plus),
    method("-", Arity::exact(1), arith::op_minus),
    method(">>", Arity::exact(1), arith::op_shift_right),
    method("<=>", Arity::exact(1), arith::op_cmp),
    method("===", Arity::exact(1), arith::op_case_eq),
    method("eql?", Arity::exact(1), arith::eql_p),
    method("hash", Arity::NONE, arith::hash),
    method("to_s", Arity::NONE, to_s),
    method("iso8601", Arity::NONE, to_s),
    method("xmlschema", Arity::NONE, to_s),
    method("inspect", Arity::NONE, inspect),
    method("strftime", Arity::range(0, 1), date_strftime),
    method("marshal_dump", Arity::NONE, marshal_dump),
    method("marshal_load", Arity::exact(1), marshal_load),
];

pub const DATE_TIME: &[MethodDef] = &[
    method("hour", Arity::NONE, hour),
    method("min", Arity::NONE, min),
    method("minute", Arity::NONE, min),
    method("sec", Arity::NONE, sec),
    method("second", Arity::NONE, sec),
    method("sec_fraction", Arity::NONE, sec_fraction),
    method("second_fraction", Arity::NONE, sec_fraction),
    method("offset", Arity::NONE, offset),
    method("zone", Arity::NONE, zone_text),
    method("new_offset", Arity::range(0, 1), new_offset),
    method("to_s", Arity::NONE, time_to_s),
    method("strftime", Arity::range(0, 1), time_strftime),
];

/// Days in one period of the calendar as marshalled dates count them.
const PERIOD: i128 = 213_447_717;

fn integer(ctx: &mut Ctx, n: i128) -> Value {
    Int::from(n).into_value(ctx)
}

/// The instant as a Rational of days since noon of day 0.
pub fn ajd(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    days_since(ctx, recv, DAY_NANOS as i128 / 2)
}

/// The instant as a Rational of days since 17 November 1858.
fn amjd(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    days_since(ctx, recv, 2_400_001 * DAY_NANOS as i128)
}

fn days_since(ctx: &mut Ctx, recv: Value, nanos: i128) -> Result {
    let (num, den) = moment(ctx, recv)?.terms();
    let num = num.sub(&den.mul(&Int::from(nanos)));
    Ok(rational(ctx, &num, &den.mul(&Int::from(DAY_NANOS))))
}

fn jd(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let jd = moment(ctx, recv)?.jd();
    Ok(integer(ctx, jd))
}

fn mjd(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let jd = moment(ctx, recv)?.jd();
    Ok(integer(ctx, jd - 2_400_001))
}

fn ld(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let jd = moment(ctx, recv)?.jd();
    Ok(integer(ctx, jd - 2_299_160))
}

fn day_of(ctx: &mut Ctx, recv: Value) -> Result<Day> {
    let me = moment(ctx, recv)?;
    Ok(calendar::jd_to_civil(me.jd(), me.start))
}

fn year(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let day = day_of(ctx, recv)?;
    Ok(integer(ctx, day.year))
}

fn mon(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(day_of(ctx, recv)?.mon))
}

fn mday(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(day_of(ctx, recv)?.mday))
}

fn yday(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = moment(ctx, recv)?;
    Ok(Value::fixnum(calendar::jd_to_ordinal(me.jd(), me.start).1))
}

fn wday(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let jd = moment(ctx, recv)?.jd();
    Ok(Value::fixnum((jd + 1).rem_euclid(7) as i64))
}

fn week_of(ctx: &mut Ctx, recv: Value) -> Result<(i128, i64, i64)> {
    let me = moment(ctx, recv)?;
    Ok(calendar::jd_to_commercial(me.jd(), me.start))
}

fn cwyear(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let year = week_of(ctx, recv)?.0;
    Ok(integer(ctx, year))
}

fn cweek(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(week_of(ctx, recv)?.1))
}

fn cwday(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(week_of(ctx, recv)?.2))
}

fn second_of_day(ctx: &mut Ctx, recv: Value) -> Result<i64> {
    Ok(moment(ctx, recv)?.local().1)
}

fn hour(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(second_of_day(ctx, recv)? / 3600))
}

fn min(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(second_of_day(ctx, recv)? / 60 % 60))
}

fn sec(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(second_of_day(ctx, recv)? % 60))
}

/// The nanoseconds of the second, a fraction.
fn nano_terms(me: &Moment) -> (Int, Int) {
    let nanos = Int::from(me.nsec() as i64);
    match &me.sub {
        None => (nanos, Int::ONE),
        Some(sub) => (nanos.mul(&sub.den).add(&sub.num), sub.den.clone()),
    }
}

fn sec_fraction(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (num, den) = nano_terms(&moment(ctx, recv)?);
    Ok(rational(ctx, &num, &den.mul(&Int::from(NANOS))))
}

fn day_fraction(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = moment(ctx, recv)?;
    if me.is_plain() && !is_date_time(ctx, recv)? {
        return Ok(Value::fixnum(0));
    }
    let (num, den) = nano_terms(&me);
    let num = num.add(&Int::from(me.local().1).mul(&Int::from(NANOS)).mul(&den));
    Ok(rational(ctx, &num, &den.mul(&Int::from(DAY_NANOS))))
}

fn is_date_time(ctx: &mut Ctx, value: Value) -> Result<bool> {
    let class = ctx.named_class("DateTime")?.value();
    Ok(ctx.is_a(value, class))
}

fn offset(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let offset = moment(ctx, recv)?.offset;
    Ok(rational(ctx, &Int::from(offset as i64), &Int::from(DAY_SECONDS)))
}

fn offset_seconds(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(moment(ctx, recv)?.offset as i64))
}

/// "+09:00"
fn offset_name(offset: i32) -> String {
    let n = offset.abs();
    format!("{}{:02}:{:02}", if offset < 0 { '-' } else { '+' }, n / 3600, n / 60 % 60)
}

fn zone_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let offset = moment(ctx, recv)?.offset;
    Ok(Str::ascii(ctx, &offset_name(offset)).value())
}

/// `new_offset(offset = 0) -> date`: the same instant elsewhere.
fn new_offset(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let offset = match args.get(0) {
        Some(value) => zone::offset(ctx, value)?,
        None => 0,
    };
    let me = moment(ctx, recv)?;
    Ok(like(ctx, recv, Moment { offset, ..me }))
}

/// `date_with_offset(seconds) -> date`
fn with_offset(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let offset = ctx.to_int(args.at(0))? as i32;
    let me = moment(ctx, recv)?;
    Ok(like(ctx, recv, Moment { offset, ..me }))
}

fn julian_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = moment(ctx, recv)?;
    Ok(Value::from_bool(!calendar::is_gregorian(me.jd(), me.start)))
}

fn gregorian_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = moment(ctx, recv)?;
    Ok(Value::from_bool(calendar::is_gregorian(me.jd(), me.start)))
}

/// Whether the day before the first of March of the year is the 29th.
fn leap_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = moment(ctx, recv)?;
    let year = calendar::jd_to_civil(me.jd(), me.start).year;
    let march = calendar::civil_to_jd(year, 3, 1, me.start);
    Ok(Value::from_bool(calendar::jd_to_civil(march - 1, me.start).mday == 29))
}

fn start(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let start = moment(ctx, recv)?.start;
    Ok(ctx.float(start))
}

fn new_start(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let start = match args.get(0) {
        Some(value) => make::start(ctx, value)?,
        None => super::ITALY,
    };
    let me = moment(ctx, recv)?;
    Ok(like(ctx, recv, Moment { start, ..me }))
}

// -- text -----------------------------------------------------------------------------------------

fn iso_date(me: &Moment) -> String {
    let day = calendar::jd_to_civil(me.jd(), me.start);
    let sign = if day.year < 0 { "-" } else { "" };
    format!("{sign}{:04}-{:02}-{:02}", day.year.unsigned_abs(), day.mon, day.mday)
}

fn iso_date_time(me: &Moment) -> String {
    let second = me.local().1;
    format!(
        "{}T{:02}:{:02}:{:02}{}",
        iso_date(me),
        second / 3600,
        second / 60 % 60,
        second % 60,
        offset_name(me.offset)
    )
}

fn to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = iso_date(&moment(ctx, recv)?);
    Ok(Str::ascii(ctx, &text).value())
}

fn time_to_s(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let text = iso_date_time(&moment(ctx, recv)?);
    Ok(Str::ascii(ctx, &text).value())
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = moment(ctx, recv)?;
    let text = ctx.to_s(recv)?.to_lossy(ctx).into_owned();
    let class = ctx.real_class(recv).inspect(ctx);
    let (num, den) = nano_terms(&me);
    let nanos = if den == Int::ONE { num.to_radix(10) } else { format!("({}/{})", num.to_radix(10), den.to_radix(10)) };
    let start = if me.start.is_infinite() {
        if me.start > 0.0 { "Inf" } else { "-Inf" }.to_string()
    } else {
        format!("{}", me.start)
    };
    let text = format!("#<{class}: {text} (({}j,{}s,{nanos}n),{:+}s,{start}j)>", me.day, me.nanos / NANOS, me.offset);
    Ok(Str::ascii(ctx, &text).value())
}

fn date_strftime(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    formatted(ctx, recv, args, "%F")
}

fn time_strftime(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    formatted(ctx, recv, args, "%FT%T%:z")
}

fn formatted(ctx: &mut Ctx, recv: Value, args: Args, default: &str) -> Result {
    let (pattern, encoding) = match args.get(0) {
        None => (default.as_bytes().to_vec(), Encoding::US_ASCII),
        Some(value) => {
            let text = ctx.to_str(value)?;
            if !text.encoding().is_ascii_compatible() {
                return Err(ctx.argument_error("format should have ASCII compatible encoding"));
            }
            (text.bytes(ctx).to_vec(), text.encoding())
        }
    };
    let me = moment(ctx, recv)?;
    let limit = 1024 * pattern.len().max(1);
    let text = if widest(&pattern) > limit { None } else { format(&me, &pattern).filter(|text| text.len() <= limit) };
    match text {
        Some(text) => Ok(Str::new(ctx, &text, encoding).value()),
        None => Err(rubellite_core_object::errno::fail(ctx, libc::ERANGE, &String::from_utf8_lossy(&pattern))),
    }
}

/// The largest number in a pattern.
fn widest(pattern: &[u8]) -> usize {
    let number =
        |digits: &[u8]| digits.iter().fold(0usize, |n, d| n.saturating_mul(10).saturating_add((d - b'0') as usize));
    pattern.split(|b| !b.is_ascii_digit()).map(number).max().unwrap_or(0)
}

fn format(me: &Moment, pattern: &[u8]) -> Option<Vec<u8>> {
    let (jd, second) = me.local();
    let day = calendar::jd_to_civil(jd, me.start);
    let (week_year, week, _) = calendar::jd_to_commercial(jd, me.start);
    let civil = Civil {
        year: 0,
        mon: day.mon as u8,
        mday: day.mday as u8,
        hour: (second / 3600) as u8,
        min: (second / 60 % 60) as u8,
        sec: (second % 60) as u8,
        wday: (jd + 1).rem_euclid(7) as u8,
        yday: calendar::jd_to_ordinal(jd, me.start).1 as u16,
    };
    let fields = Fields {
        civil,
        year: Int::from(day.year),
        iso_week: (Int::from(week_year), week as u32),
        date: true,
        nanos: me.nsec(),
        sub: exact::fraction(&me.sub),
        seconds: Int::from(me.day - UNIX_EPOCH).mul(&Int::from(DAY_SECONDS)).add(&Int::from(me.nanos / NANOS)),
        zone: &Zone::Fixed(me.offset as i64),
        zone_name: &offset_name(me.offset),
    };
    strftime::format(pattern, &fields).ok()
}

// -- Marshal ----------------------------------------------------------------------------------------

/// `[period, day, seconds, nanoseconds, offset, start]`
fn marshal_dump(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = moment(ctx, recv)?;
    let list = Array::new(ctx);
    let period = integer(ctx, me.day.div_euclid(PERIOD));
    list.push(ctx, period);
    for n in [me.day.rem_euclid(PERIOD) as i64, me.nanos / NANOS] {
        list.push(ctx, Value::fixnum(n));
    }
    let (num, den) = nano_terms(&me);
    let nanos = rubellite_core_time::exact::number(ctx, &num, &den);
    list.push(ctx, nanos);
    list.push(ctx, Value::fixnum(me.offset as i64));
    let start = ctx.float(me.start);
    list.push(ctx, start);
    Ok(list.value())
}

/// The array of `marshal_dump`, or the older forms `[ajd, offset, start]` and `[jd, start]`.
fn marshal_load(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    ctx.check_frozen(data.value())?;
    let Some(list) = Array::try_of(args.at(0)) else { return Err(ctx.type_error("expected an array")) };
    let at = |i: usize| list.get(i).unwrap_or(Value::NIL);
    let state = match list.len() {
        6 => load_parts(ctx, [at(0), at(1), at(2), at(3), at(4), at(5)])?,
        2 | 3 => {
            let old = list.len() == 2;
            let offset = if old { 0.0 } else { ctx.to_float(at(1))? };
            let start = old_start(ctx, at(list.len() - 1))?;
            let offset = (offset * DAY_SECONDS as f64).round() as i32;
            let base = Moment { day: 0, nanos: DAY_NANOS / 2, sub: None, offset, start };
            let base = if old { Moment { nanos: 0, ..base } } else { base };
            arith::plus(ctx, &base, at(0))?
        }
        _ => return Err(ctx.type_error("invalid size")),
    };
    data.install(ctx, state);
    Ok(data.value())
}

/// The start of older forms: a number, or whether the Gregorian calendar always holds.
fn old_start(ctx: &mut Ctx, value: Value) -> Result<f64> {
    if value == Value::TRUE || !value.truthy() {
        return Ok(if value.truthy() { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    ctx.to_float(value)
}

fn load_parts(ctx: &mut Ctx, parts: [Value; 6]) -> Result<Moment> {
    let period = ctx.to_int(parts[0])? as i128;
    let day = ctx.to_int(parts[1])? as i128 + period * PERIOD;
    let seconds = ctx.to_int(parts[2])?;
    let offset = ctx.to_int(parts[4])?;
    let start = ctx.to_float(parts[5])?;
    if !(0..DAY_SECONDS).contains(&seconds) || offset.abs() > DAY_SECONDS {
        return Err(ctx.argument_error("invalid second fraction"));
    }
    let base = Moment { day, nanos: seconds * NANOS, sub: None, offset: offset as i32, start };
    match rubellite_core_time::exact::exact_terms(ctx, parts[3])? {
        Some((num, den)) => arith::plus_fraction(ctx, &base, &num, &den.mul(&Int::from(DAY_NANOS))),
        None => Err(ctx.type_error("expected numeric")),
    }
}
