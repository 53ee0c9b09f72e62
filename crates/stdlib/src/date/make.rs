//! Dates: constructors and checks of their arguments.

use super::{DAY_SECONDS, ITALY, Moment, NANOS, arith, calendar, moment, zone};
use rubellite_core_time::exact;
use rubellite_vm::object::{Data, Float, Int, Rational, Str};
use rubellite_vm::{Args, Arity, Ctx, MethodDef, PrimitiveDef, Result, Unwind, Value, method, primitive};

/// What the Ruby parts are built on.
pub const PRIMITIVES: &[PrimitiveDef] = &[
    primitive("date_jd_of", Arity::range(4, 6), jd_of),
    primitive("date_at", Arity::exact(4), at),
    primitive("date_now", Arity::NONE, now),
    primitive("date_zone_to_diff", Arity::exact(1), zone::zone_to_diff),
    primitive("date_strptime", Arity::exact(2), super::strptime::strptime),
    primitive("date_load_parse", Arity::NONE, super::load_parse),
];

pub const DATE: &[MethodDef] = &[
    method("civil", Arity::range(0, 4), civil),
    method("jd", Arity::range(0, 2), jd),
    method("ordinal", Arity::range(0, 3), ordinal),
    method("commercial", Arity::range(0, 4), commercial),
];

pub const DATE_TIME: &[MethodDef] = &[
    method("new", Arity::range(0, 8), time_civil),
    method("civil", Arity::range(0, 8), time_civil),
    method("jd", Arity::range(0, 6), time_jd),
    method("ordinal", Arity::range(0, 7), time_ordinal),
    method("commercial", Arity::range(0, 8), time_commercial),
];

/// The Time now, whatever a program has made of `Time.now`.
fn now(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let now = rubellite_core_time::now(ctx);
    let class = ctx.named_class("Time")?;
    let state = rubellite_core_time::local_state(now, exact::Sub::default());
    Ok(rubellite_core_time::make(ctx, class.value(), state))
}

/// Date::Error "invalid date".
#[cold]
pub fn invalid(ctx: &mut Ctx) -> Unwind {
    error(ctx, "invalid date")
}

#[cold]
fn error(ctx: &mut Ctx, message: &str) -> Unwind {
    let class = ctx.named_class("Date::Error").or_else(|_| ctx.named_class("ArgumentError"));
    let Ok(class) = class else { return Unwind };
    let exception = ctx.new_error(class, message);
    ctx.raise(exception)
}

/// What an argument leaves after its whole part, in its own unit.
enum Rest {
    None,
    Exact(Int, Int),
    Float(f64),
}

/// The whole part of a number (rounded down) and its rest. TypeError "invalid year (not numeric)".
fn whole(ctx: &mut Ctx, value: Value, name: &str) -> Result<(i128, Rest)> {
    if let Some(n) = value.as_fixnum() {
        return Ok((n as i128, Rest::None));
    }
    if let Some(f) = Float::value_of(value).filter(|f| f.is_finite() && f.abs() < 1e18) {
        let floor = f.floor();
        return Ok((floor as i128, if floor == f { Rest::None } else { Rest::Float(f - floor) }));
    }
    let numeric = ctx.classes().numeric.get();
    if !ctx.is_a(value, numeric) {
        return Err(ctx.type_error(&format!("invalid {name} (not numeric)")));
    }
    let Some((num, den)) = exact::exact_terms(ctx, value)? else {
        return Err(ctx.type_error(&format!("invalid {name} (not numeric)")));
    };
    let Some((int, rest)) = num.divmod(&den) else { return Err(ctx.zero_division()) };
    let Some(int) = int.to_i128().filter(|n| n.unsigned_abs() < 1 << 108) else {
        return Err(ctx.range_error("bignum too big to convert into 'long'"));
    };
    Ok((int, if rest.is_zero() { Rest::None } else { Rest::Exact(rest, den) }))
}

/// The arguments of one constructor, read one after the other; only the last number may have a fraction.
struct Reader {
    args: Args,
    at: usize,
    /// How many of the arguments are numbers of the date and time.
    numbers: usize,
    rest: Rest,
    /// Units of the rest in a day.
    unit: i64,
}

impl Reader {
    fn new(args: Args, most: usize) -> Reader {
        Reader { args, at: 0, numbers: args.len().min(most), rest: Rest::None, unit: 1 }
    }

    /// A number whose fraction is dropped.
    fn int(&mut self, ctx: &mut Ctx, name: &str, default: i64) -> Result<i128> {
        let at = self.at;
        self.at += 1;
        match self.args.get(at) {
            None => Ok(default as i128),
            Some(value) => {
                let (int, rest) = whole(ctx, value, name)?;
                let cut = int < 0 && !matches!(rest, Rest::None);
                Ok(int + cut as i128)
            }
        }
    }

    /// A number that may have a fraction when it is the last one; `unit` of them are a day.
    fn last(&mut self, ctx: &mut Ctx, name: &str, default: i64, unit: i64) -> Result<i128> {
        let at = self.at;
        self.at += 1;
        let Some(value) = self.args.get(at).filter(|_| at < self.numbers) else { return Ok(default as i128) };
        let (int, rest) = whole(ctx, value, name)?;
        if !matches!(rest, Rest::None) {
            if at + 1 < self.numbers {
                return Err(error(ctx, "invalid fraction"));
            }
            self.rest = rest;
            self.unit = unit;
        }
        Ok(int)
    }

    /// The moment, moved by the fraction.
    fn finish(&self, ctx: &mut Ctx, moment: Moment) -> Result<Moment> {
        match &self.rest {
            Rest::None => Ok(moment),
            Rest::Exact(num, den) => arith::plus_fraction(ctx, &moment, num, &den.mul(&Int::from(self.unit))),
            Rest::Float(f) => arith::plus_float(ctx, &moment, f / self.unit as f64),
        }
    }

    fn start(&mut self, ctx: &mut Ctx) -> Result<f64> {
        let at = self.at;
        self.at += 1;
        match self.args.get(at) {
            None => Ok(ITALY),
            Some(value) => start(ctx, value),
        }
    }
}

/// The day of the reform; what cannot be one is ignored with a warning.
pub fn start(ctx: &mut Ctx, value: Value) -> Result<f64> {
    let what = if value.is_nil() {
        "nil"
    } else if Str::try_of(value).is_some() {
        "string"
    } else {
        ""
    };
    if !what.is_empty() {
        return Err(ctx.type_error(&format!("no implicit conversion to float from {what}")));
    }
    let start = ctx.to_float(value)?;
    if start.is_infinite() || (2_298_874.0..=2_426_355.0).contains(&start) {
        return Ok(start);
    }
    ctx.warn_verbose("invalid start is ignored")?;
    Ok(ITALY)
}

fn small(n: i128) -> i64 {
    n.clamp(-1_000_000, 1_000_000) as i64
}

fn make(ctx: &mut Ctx, class: Value, state: Moment) -> Result {
    let class = ctx.expect(class)?;
    let date = ctx.allocate(class)?;
    let data: Data = ctx.expect(date)?;
    data.install(ctx, state);
    Ok(date)
}

fn read_civil(ctx: &mut Ctx, args: Args) -> Result<Moment> {
    let mut reader = Reader::new(args, 3);
    let year = reader.int(ctx, "year", -4712)?;
    let mon = reader.int(ctx, "month", 1)?;
    let mday = reader.last(ctx, "day", 1, 1)?;
    let start = reader.start(ctx)?;
    match calendar::valid_civil(year, small(mon), small(mday), start) {
        Some(day) => plain(ctx, &reader, day, start),
        None => Err(invalid(ctx)),
    }
}

/// A Date has no time of day: the fraction of a day only counts when it makes whole days.
fn plain(ctx: &mut Ctx, reader: &Reader, day: i128, start: f64) -> Result<Moment> {
    let state = reader.finish(ctx, Moment::of_day(day, start))?;
    Ok(Moment::of_day(state.day, start))
}

fn civil(ctx: &mut Ctx, class: Value, args: Args) -> Result {
    let state = read_civil(ctx, args)?;
    make(ctx, class, state)
}

pub fn initialize(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    let state = read_civil(ctx, args)?;
    data.install(ctx, state);
    Ok(data.value())
}

pub fn initialize_copy(ctx: &mut Ctx, data: Data, args: Args) -> Result {
    ctx.check_frozen(data.value())?;
    let state = moment(ctx, args.at(0))?;
    data.install(ctx, state);
    Ok(data.value())
}

fn jd(ctx: &mut Ctx, class: Value, args: Args) -> Result {
    let mut reader = Reader::new(args, 1);
    let day = reader.last(ctx, "jd", 0, 1)?;
    let start = reader.start(ctx)?;
    let state = plain(ctx, &reader, day, start)?;
    make(ctx, class, state)
}

fn ordinal(ctx: &mut Ctx, class: Value, args: Args) -> Result {
    let mut reader = Reader::new(args, 2);
    let year = reader.int(ctx, "year", -4712)?;
    let yday = reader.last(ctx, "yday", 1, 1)?;
    let start = reader.start(ctx)?;
    let Some(day) = calendar::valid_ordinal(year, small(yday), start) else { return Err(invalid(ctx)) };
    let state = plain(ctx, &reader, day, start)?;
    make(ctx, class, state)
}

fn commercial(ctx: &mut Ctx, class: Value, args: Args) -> Result {
    let mut reader = Reader::new(args, 3);
    let year = reader.int(ctx, "year", -4712)?;
    let week = reader.int(ctx, "cweek", 1)?;
    let day = reader.last(ctx, "cwday", 1, 1)?;
    let start = reader.start(ctx)?;
    let Some(day) = calendar::valid_commercial(year, small(week), small(day), start) else { return Err(invalid(ctx)) };
    let state = plain(ctx, &reader, day, start)?;
    make(ctx, class, state)
}

// -- DateTime -------------------------------------------------------------------------------------

/// Hour, minute, second, offset and start, which follow the date; `day` is none when the date is not valid.
fn with_time(ctx: &mut Ctx, class: Value, reader: &mut Reader, find: impl FnOnce(f64) -> Option<i128>) -> Result {
    let hour = reader.last(ctx, "hour", 0, 24)?;
    let min = reader.last(ctx, "minute", 0, 1440)?;
    let sec = reader.last(ctx, "second", 0, DAY_SECONDS)?;
    let offset = match reader.args.get(reader.at) {
        Some(value) => zone::offset(ctx, value)?,
        None => 0,
    };
    reader.at += 1;
    let start = reader.start(ctx)?;
    let Some(day) = find(start) else { return Err(invalid(ctx)) };
    let Some(seconds) = seconds_of_day(hour, min, sec) else { return Err(invalid(ctx)) };
    let state = placed(day, seconds, offset, start);
    let state = reader.finish(ctx, state)?;
    make(ctx, class, state)
}

/// A local day and second as a moment.
fn placed(day: i128, seconds: i64, offset: i32, start: f64) -> Moment {
    let seconds = seconds - offset as i64;
    let nanos = seconds.rem_euclid(DAY_SECONDS) * NANOS;
    Moment { day: day + seconds.div_euclid(DAY_SECONDS) as i128, nanos, sub: None, offset, start }
}

/// The second of the day; negative parts count from the end, and 24:00:00 is the end of the day.
fn seconds_of_day(hour: i128, min: i128, sec: i128) -> Option<i64> {
    let from_end = |n: i128, most: i64| if n < 0 { small(n) + most } else { small(n) };
    let (hour, min, sec) = (from_end(hour, 24), from_end(min, 60), from_end(sec, 60));
    let valid =
        (0..24).contains(&hour) && (0..60).contains(&min) && (0..60).contains(&sec) || (hour, min, sec) == (24, 0, 0);
    valid.then_some(hour * 3600 + min * 60 + sec)
}

fn time_civil(ctx: &mut Ctx, class: Value, args: Args) -> Result {
    let mut reader = Reader::new(args, 6);
    let year = reader.int(ctx, "year", -4712)?;
    let mon = reader.int(ctx, "month", 1)?;
    let mday = reader.last(ctx, "day", 1, 1)?;
    with_time(ctx, class, &mut reader, |start| calendar::valid_civil(year, small(mon), small(mday), start))
}

fn time_jd(ctx: &mut Ctx, class: Value, args: Args) -> Result {
    let mut reader = Reader::new(args, 4);
    let day = reader.last(ctx, "jd", 0, 1)?;
    with_time(ctx, class, &mut reader, |_| Some(day))
}

fn time_ordinal(ctx: &mut Ctx, class: Value, args: Args) -> Result {
    let mut reader = Reader::new(args, 5);
    let year = reader.int(ctx, "year", -4712)?;
    let yday = reader.last(ctx, "yday", 1, 1)?;
    with_time(ctx, class, &mut reader, |start| calendar::valid_ordinal(year, small(yday), start))
}

fn time_commercial(ctx: &mut Ctx, class: Value, args: Args) -> Result {
    let mut reader = Reader::new(args, 6);
    let year = reader.int(ctx, "year", -4712)?;
    let week = reader.int(ctx, "cweek", 1)?;
    let day = reader.last(ctx, "cwday", 1, 1)?;
    with_time(ctx, class, &mut reader, |start| calendar::valid_commercial(year, small(week), small(day), start))
}

// -- for the part in Ruby ---------------------------------------------------------------------------

/// `date_jd_of(kind, start, year, a[, b[, first]]) -> Integer or nil`: the day number of a date that is given as
/// `:civil`, `:ordinal`, `:commercial` or `:weeknum`.
fn jd_of(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let kind = ctx.to_symbol(args.at(0))?;
    let kind = ctx.sym_str(kind);
    let start = start(ctx, args.at(1))?;
    let mut reader = Reader::new(args.from(2), 4);
    let year = reader.int(ctx, "year", 0)?;
    let a = small(reader.int(ctx, "month", 1)?);
    let b = small(reader.int(ctx, "day", 1)?);
    let first = small(reader.int(ctx, "day", 0)?);
    let found = match kind.as_str() {
        "civil" => calendar::valid_civil(year, a, b, start),
        "ordinal" => calendar::valid_ordinal(year, a, start),
        "commercial" => calendar::valid_commercial(year, a, b, start),
        _ => calendar::valid_weeknum(year, a, b, first, start),
    };
    Ok(match found {
        Some(jd) => Int::from(jd).into_value(ctx),
        None => Value::NIL,
    })
}

/// `date_at(jd, seconds, offset, start) -> date`: a local day number, seconds of that day (any number, a Rational for
/// fractions) and seconds east of UTC.
fn at(ctx: &mut Ctx, class: Value, args: Args) -> Result {
    let (day, _) = whole(ctx, args.at(0), "jd")?;
    let offset = ctx.to_int(args.at(2))? as i32;
    let start = start(ctx, args.at(3))?;
    let base = placed(day, 0, offset, start);
    let seconds = args.at(1);
    let (num, den) = match Rational::try_of(seconds) {
        Some(rational) => rational.parts(),
        None => (Int::from(ctx.to_int(seconds)?), Int::ONE),
    };
    let state = arith::plus_fraction(ctx, &base, &num, &den.mul(&Int::from(DAY_SECONDS)))?;
    make(ctx, class, state)
}
