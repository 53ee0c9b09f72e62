//! Leap seconds, which times count where the zone of the process does (those below `right/`). The C library knows them;
//! whether there are any is asked again when the zone has changed.

use super::civil::{Civil, civil_from, seconds_from};
use rubellite_vm::Ctx;

/// What leap seconds do to an instant.
#[derive(Copy, Clone, Default, PartialEq, Debug)]
pub struct Leap {
    /// Leap seconds before it.
    behind: i32,
    /// It is one itself, the sixtieth second of a minute.
    extra: bool,
}

impl Leap {
    /// The date and time of day of these seconds since 1970, leap seconds among them.
    pub fn shown(&self, seconds: i128) -> Civil {
        let mut civil = civil_from(seconds - self.behind as i128 - self.extra as i128);
        civil.sec += self.extra as u8;
        civil
    }
}

/// Leap seconds are known from 1972 on, and none of those to come.
const FIRST: i128 = 63_072_000;
/// After all leap seconds that a table may know: the year 2100.
const LATE: i128 = 4_102_444_800;

/// What leap seconds do to an instant, in seconds since 1970 that count them.
pub fn at(ctx: &Ctx, seconds: i128) -> Leap {
    if !are_counted(ctx) || seconds < FIRST { Leap::default() } else { ask_libc(seconds.min(LATE)) }
}

/// Seconds since 1970 of a time in UTC whose seconds do not count leap seconds; `extra`: of the leap second before it,
/// if there is one.
pub fn counted(ctx: &Ctx, plain: i128, extra: bool) -> i128 {
    if !are_counted(ctx) || plain < FIRST {
        return plain;
    }
    if extra {
        let leap = counted(ctx, plain - 1, false) + 1;
        if at(ctx, leap).extra {
            return leap;
        }
    }
    let guess = plain + at(ctx, plain).behind as i128;
    let found = at(ctx, guess);
    plain + found.behind as i128 + found.extra as i128
}

/// Whether the zone of the process counts leap seconds.
fn are_counted(ctx: &Ctx) -> bool {
    let known = &ctx.vm().counts_leap_seconds;
    known.get().unwrap_or_else(|| {
        let are = ask_libc(LATE).behind != 0;
        known.set(Some(are));
        are
    })
}

fn ask_libc(seconds: i128) -> Leap {
    let time = seconds as libc::time_t;
    // SAFETY: the structure is ours.
    let tm = unsafe {
        let mut tm: libc::tm = std::mem::zeroed();
        if libc::gmtime_r(&time, &mut tm).is_null() {
            return Leap::default();
        }
        tm
    };
    let extra = tm.tm_sec == 60;
    let (year, mon, mday) = (tm.tm_year as i64 + 1900, tm.tm_mon as u8 + 1, tm.tm_mday as u8);
    let plain = seconds_from(year, mon, mday, tm.tm_hour as u8, tm.tm_min as u8, tm.tm_sec as u8 - extra as u8);
    Leap { behind: (seconds - plain) as i32 - extra as i32, extra }
}
