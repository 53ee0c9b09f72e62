//! `date`: Date and DateTime. A date is an instant with an offset from UTC and the day of the calendar reform
//! ([`Moment`]); calendar arithmetic is `calendar`, constructors are `make`, methods of instances `methods`, reading by
//! a pattern `strptime`, names of zones `zone` and `zonetab`. What Ruby says best is `date.rb`; the free parser and the
//! fixed formats are `parse.rb`, loaded at their first use.

mod arith;
mod calendar;
mod make;
mod methods;
mod strptime;
mod zone;
mod zonetab;

use rubellite_core_time::exact;
use rubellite_core_time::exact::Sub;
use rubellite_vm::object::{Data, Int, NativeData};
use rubellite_vm::{Class, ClassDef, Ctx, Result, Value};

pub const DAY_SECONDS: i64 = 86_400;
pub const NANOS: i64 = 1_000_000_000;
pub const DAY_NANOS: i64 = DAY_SECONDS * NANOS;
/// The day number of 1 January 1970.
pub const UNIX_EPOCH: i128 = 2_440_588;
/// The first Gregorian day in Italy: 15 October 1582.
pub const ITALY: f64 = 2_299_161.0;

/// The state of a Date or DateTime.
#[derive(Clone)]
pub struct Moment {
    /// The day number in UTC.
    pub day: i128,
    /// Nanoseconds of that day in UTC, below 86,400 seconds.
    pub nanos: i64,
    /// What is below a nanosecond.
    pub sub: Sub,
    /// Seconds east of UTC.
    pub offset: i32,
    /// The day number of the first Gregorian day.
    pub start: f64,
}

impl NativeData for Moment {
    fn tells_stores() -> bool {
        true
    }

    fn frozen_shareable(&self) -> bool {
        true
    }
}

impl Moment {
    /// Midnight of a day in UTC.
    pub fn of_day(day: i128, start: f64) -> Moment {
        Moment { day, nanos: 0, sub: None, offset: 0, start }
    }

    /// The day number where the date is, and the second of that day.
    pub fn local(&self) -> (i128, i64) {
        let seconds = self.nanos / NANOS + self.offset as i64;
        (self.day + seconds.div_euclid(DAY_SECONDS) as i128, seconds.rem_euclid(DAY_SECONDS))
    }

    pub fn jd(&self) -> i128 {
        self.local().0
    }

    pub fn nsec(&self) -> u32 {
        (self.nanos % NANOS) as u32
    }

    /// Whether the time of day is midnight in UTC.
    pub fn is_plain(&self) -> bool {
        self.nanos == 0 && self.sub.is_none() && self.offset == 0
    }

    /// The instant as a fraction of nanoseconds since day 0.
    pub fn terms(&self) -> (Int, Int) {
        let whole = Int::from(self.day).mul(&Int::from(DAY_NANOS)).add(&Int::from(self.nanos));
        match &self.sub {
            None => (whole, Int::ONE),
            Some(sub) => (whole.mul(&sub.den).add(&sub.num), sub.den.clone()),
        }
    }

    /// The same place at another instant, a fraction of nanoseconds since day 0.
    pub fn at(&self, ctx: &mut Ctx, num: &Int, den: &Int) -> Result<Moment> {
        let far = exact::from_nanos(ctx, num, den)?;
        let (nanos, sub) = exact::near(ctx, far)?;
        let day_nanos = DAY_NANOS as i128;
        Ok(Moment { day: nanos.div_euclid(day_nanos), nanos: nanos.rem_euclid(day_nanos) as i64, sub, ..*self })
    }
}

static DATE: ClassDef = ClassDef {
    name: "Date",
    superclass: "Object",
    includes: &["Comparable"],
    alloc: Some(allocate),
    methods: methods::DATE,
    singleton_methods: make::DATE,
    primitives: make::PRIMITIVES,
    setup: Some(setup),
    ..ClassDef::EMPTY
};

static DATE_TIME: ClassDef = ClassDef {
    name: "DateTime",
    superclass: "Date",
    alloc: Some(allocate),
    methods: methods::DATE_TIME,
    singleton_methods: make::DATE_TIME,
    primitives: methods::PRIMITIVES,
    ..ClassDef::EMPTY
};

pub fn register(ctx: &mut Ctx) {
    rubellite_core_load::register_for_older(ctx, "date", |ctx| {
        load(ctx)?;
        ctx.run_internal(include_str!("older.rb"), "date").map(drop)
    });
    rubellite_core_load::register_extension(ctx, "date_core", load);
}

fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&DATE)?;
    ctx.install(&DATE_TIME)?;
    ctx.run_internal(include_str!("date.rb"), "date")?;
    Ok(())
}

/// The part in Ruby that reads text.
fn load_parse(ctx: &mut Ctx, _recv: Value, _args: rubellite_vm::Args) -> Result {
    ctx.run_internal(include_str!("parse.rb"), "date")
}

fn setup(ctx: &mut Ctx, date: Class) -> Result<()> {
    let numbers = [("ITALY", Value::fixnum(2_299_161)), ("ENGLAND", Value::fixnum(2_361_222))];
    for (name, value) in numbers {
        date.set_const(ctx, name, value);
    }
    for (name, value) in [("JULIAN", f64::INFINITY), ("GREGORIAN", f64::NEG_INFINITY)] {
        let value = ctx.float(value);
        date.set_const(ctx, name, value);
    }
    Ok(())
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, Moment::of_day(0, ITALY)).value())
}

/// The state of a Date; TypeError for anything else.
pub fn moment(ctx: &mut Ctx, value: Value) -> Result<Moment> {
    match try_moment(ctx, value) {
        Some(moment) => Ok(moment.clone()),
        None => Err(ctx.type_error("wrong argument type (expected Date)")),
    }
}

pub fn try_moment(ctx: &Ctx, value: Value) -> Option<&Moment> {
    Data::state_of::<Moment>(ctx, value)
}
