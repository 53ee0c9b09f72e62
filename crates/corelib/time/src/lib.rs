//! Time: an exact instant shown in a zone. Constructors are `new`, calendar arithmetic `civil`, zones `zone`, exact
//! numbers `exact`, formats `strftime`; what Ruby says best is `time.rb`.

pub mod civil;
pub mod exact;
mod leap;
mod marshal;
mod methods;
mod new;
pub mod strftime;
pub mod zone;

use civil::Civil;
use exact::{NANOS, Sub};
use rubellite_core_thread::interval::seconds_of;
use rubellite_vm::object::{Data, Int, NativeData};
use rubellite_vm::{Class, ClassDef, Ctx, Result, Unwind, Value};
use zone::{Zone, ZoneArg};

/// Every class of this part.
pub static DEFS: &[&ClassDef] = &[&TIME];

pub static TIME: ClassDef = ClassDef {
    name: "Time",
    superclass: "Object",
    includes: &["Comparable"],
    alloc: Some(allocate),
    methods: methods::METHODS,
    singleton_methods: new::SINGLETON,
    ruby: include_str!("time.rb"),
    setup: Some(setup),
    ..ClassDef::EMPTY
};

/// The state of a Time.
#[derive(Clone)]
pub struct TimeState {
    /// Nanoseconds since 1970, rounded down.
    pub nanos: i128,
    pub sub: Sub,
    pub zone: Zone,
    /// The zone object of the program, or the name of a zone of which only that is known, or nil.
    pub zone_object: Value,
    /// Looked up when the Time is made.
    leap: leap::Leap,
}

impl NativeData for TimeState {
    fn tells_stores() -> bool {
        true
    }

    fn frozen_shareable(&self) -> bool {
        true
    }

    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.zone_object);
    }
}

impl TimeState {
    pub fn new(nanos: i128, sub: Sub, zone: Zone, zone_object: Value) -> TimeState {
        TimeState { nanos, sub, zone, zone_object, leap: leap::Leap::default() }
    }

    /// Without its eras.
    pub fn seconds(&self) -> i128 {
        civil::div_rem(self.nanos, NANOS as i64).0
    }

    /// All seconds since 1970.
    pub fn all_seconds(&self) -> Int {
        let seconds = Int::from(self.seconds());
        match exact::eras(&self.sub) {
            None => seconds,
            Some(eras) => eras.mul(&Int::from(exact::ERA / NANOS)).add(&seconds),
        }
    }

    /// A year of `civil`, with the eras.
    pub fn full_year(&self, year: i64) -> Int {
        match exact::eras(&self.sub) {
            None => Int::from(year),
            Some(eras) => eras.mul(&Int::from(400i64)).add(&Int::from(year)),
        }
    }

    pub fn nsec(&self) -> u32 {
        civil::div_rem(self.nanos, NANOS as i64).1 as u32
    }

    /// Date and time of day in the zone; the year is without eras.
    pub fn civil(&self) -> Civil {
        self.leap.shown(match &self.zone {
            Zone::Exact(_) => self.shown().0.div_euclid(NANOS),
            zone => self.seconds() + zone.offset() as i128,
        })
    }

    /// The same in UTC.
    pub fn utc_civil(&self) -> Civil {
        self.leap.shown(self.seconds())
    }

    /// Nanoseconds from 1970 to what the zone shows, taken as UTC, without leap seconds.
    pub fn shown(&self) -> (i128, Sub) {
        match &self.zone {
            Zone::Exact(offset) => exact::sum(&(self.nanos, self.sub.clone()), offset),
            zone => (self.nanos + zone.offset() as i128 * NANOS, self.sub.clone()),
        }
    }
}

fn setup(ctx: &mut Ctx, time: Class) -> Result<()> {
    for def in new::PRIVATE {
        ctx.define_native(time, def);
    }
    ctx.define_native(time, &marshal::INSTANCE);
    if let Some(singleton) = Class::singleton_class(ctx, time.value()) {
        ctx.define_native(singleton, &marshal::SINGLETON);
    }
    Ok(())
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new_empty(ctx, class).value())
}

/// A Time object of a class.
pub fn make(ctx: &mut Ctx, class: Value, mut state: TimeState) -> Value {
    state.leap = leap::at(ctx, state.seconds());
    Data::new(ctx, class, state).value()
}

/// The state of a Time: TypeError "uninitialized Time".
pub fn state(ctx: &mut Ctx, value: Value) -> Result<TimeState> {
    look(ctx, value, TimeState::clone)
}

/// What `read` finds in a Time: TypeError "uninitialized Time".
#[inline]
pub fn look<R>(ctx: &mut Ctx, value: Value, read: impl FnOnce(&TimeState) -> R) -> Result<R> {
    match Data::state_of::<TimeState>(ctx, value).map(read) {
        Some(found) => Ok(found),
        None => Err(ctx.type_error("uninitialized Time")),
    }
}

/// How two Times are to each other; none: one is no Time.
#[inline]
pub fn order(ctx: &Ctx, one: Value, other: Value) -> Option<std::cmp::Ordering> {
    let of = |value| Data::state_of::<TimeState>(ctx, value);
    let (one, other) = (of(one)?, of(other)?);
    Some(exact::compare((one.nanos, &one.sub), (other.nanos, &other.sub)))
}

pub fn try_state(ctx: &Ctx, value: Value) -> Option<TimeState> {
    Data::state_of::<TimeState>(ctx, value).cloned()
}

/// A state in the local zone.
pub fn local_state(nanos: i128, sub: Sub) -> TimeState {
    let seconds = nanos.div_euclid(NANOS) + zone::cycles(exact::eras(&sub));
    TimeState::new(nanos, sub, zone::local(seconds), Value::NIL)
}

/// The same instant in another zone.
pub fn in_zone(ctx: &mut Ctx, state: TimeState, zone: ZoneArg) -> Result<TimeState> {
    Ok(match zone {
        // What the zone of the process is now holds from here on.
        ZoneArg::Local => {
            let state = if matches!(state.zone, Zone::Local(_)) { state } else { local_state(state.nanos, state.sub) };
            state.zone.offset();
            state
        }
        ZoneArg::Utc => TimeState { zone: Zone::Utc, zone_object: Value::NIL, ..state },
        ZoneArg::Fixed(offset) => TimeState { zone: Zone::Fixed(offset), zone_object: Value::NIL, ..state },
        ZoneArg::Exact(offset) => TimeState { zone: Zone::Exact(offset), zone_object: Value::NIL, ..state },
        ZoneArg::Object(object) => {
            let offset = object_offset(ctx, &state, object)?;
            TimeState { zone: Zone::Object(offset), zone_object: object, ..state }
        }
    })
}

/// What `object.utc_to_local` makes of the instant, as an offset.
fn object_offset(ctx: &mut Ctx, state: &TimeState, object: Value) -> Result<i64> {
    let class = ctx.classes().time.get();
    let utc = make(ctx, class, TimeState { zone: Zone::Utc, zone_object: Value::NIL, ..state.clone() });
    let shown = zone::ask(ctx, object, "utc_to_local", utc)?;
    let shown = shown_seconds(ctx, shown)?;
    let offset = zone::difference(shown, state);
    if !(-86_400 < offset && offset < 86_400) {
        return Err(ctx.argument_error("utc_offset out of range"));
    }
    Ok(offset as i64)
}

/// What a zone object answered: a Time's fields taken as UTC, or a number of seconds.
pub fn shown_seconds(ctx: &mut Ctx, value: Value) -> Result<i128> {
    match try_state(ctx, value) {
        Some(state) => Ok(state.seconds() + state.zone.offset() as i128),
        None => {
            let to_i = ctx.intern("to_i");
            let number = ctx.call(value, to_i, &[])?;
            Ok(ctx.to_int(number)? as i128)
        }
    }
}

/// A local Time of seconds and nanoseconds since 1970.
pub fn at(ctx: &mut Ctx, secs: i64, nanos: i64) -> Result {
    let class = ctx.classes().time.get();
    Ok(make(ctx, class, local_state(secs as i128 * NANOS + nanos as i128, None)))
}

/// Seconds and nanoseconds of a Time or a number of seconds. RangeError, for a Time ArgumentError, when they are no C
/// long.
pub fn timespec_of(ctx: &mut Ctx, value: Value) -> Result<(i64, i64)> {
    let Some(state) = try_state(ctx, value) else {
        return seconds_of(ctx, value, "time");
    };
    match state.all_seconds().to_i64() {
        Some(secs) => Ok((secs, state.nsec() as i64)),
        None => Err(ctx.argument_error("time out of system range")),
    }
}

/// The time now, in nanoseconds since 1970.
pub fn now(ctx: &Ctx) -> i128 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the timespec is ours.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &mut time) };
    let time = rubellite_core_thread::schedule::clock(ctx, libc::CLOCK_REALTIME).unwrap_or(time);
    time.tv_sec as i128 * NANOS + time.tv_nsec as i128
}

/// Gives an allocated object its state.
fn install(ctx: &mut Ctx, recv: Value, mut state: TimeState) -> Result<()> {
    state.leap = leap::at(ctx, state.seconds());
    let Some(data) = Data::try_of(recv) else { return Err(Unwind) };
    data.install(ctx, state);
    Ok(())
}
