//! Zones: offsets from UTC, the local zone of the process (the C library knows it), zone arguments.

use super::TimeState;
use super::exact::{ERA, NANOS, Sub, eras};
use super::leap;
use rubellite_vm::object::{Int, Str};
use rubellite_vm::{Ctx, Result, Value};
use std::cell::OnceCell;
use std::rc::Rc;

/// The zone of the process at an instant. The C library is asked when somebody wants to know; copies of a Time share
/// the answer.
#[derive(Debug)]
pub struct LocalZone {
    seconds: i128,
    found: OnceCell<Local>,
}

impl PartialEq for LocalZone {
    fn eq(&self, other: &LocalZone) -> bool {
        self.get() == other.get()
    }
}

/// Offset, name and daylight saving.
#[derive(PartialEq, Debug)]
pub struct Local {
    offset: i64,
    pub name: Box<str>,
    pub dst: bool,
}

impl LocalZone {
    pub fn get(&self) -> &Local {
        self.found.get_or_init(|| ask_libc(self.seconds))
    }
}

/// The zone that a Time shows itself in.
#[derive(Clone, PartialEq, Debug)]
pub enum Zone {
    Utc,
    Local(Rc<LocalZone>),
    /// Seconds east of UTC.
    Fixed(i64),
    /// Nanoseconds east of UTC and a fraction of one: an offset that is no whole number of seconds.
    Exact(Rc<(i128, Sub)>),
    /// A zone object of the program (held by the Time), and the offset it gave.
    Object(i64),
}

impl Zone {
    /// Whole seconds east of UTC, rounded down.
    #[inline]
    pub fn offset(&self) -> i64 {
        match self {
            Zone::Utc => 0,
            Zone::Local(local) => local.get().offset,
            Zone::Fixed(offset) | Zone::Object(offset) => *offset,
            Zone::Exact(exact) => exact.0.div_euclid(NANOS) as i64,
        }
    }

    /// The offset as texts give it: to the nearest second, halves away from zero.
    pub fn rounded_offset(&self) -> i64 {
        match self {
            Zone::Exact(exact) => {
                let above = exact.0.rem_euclid(NANOS);
                let half = (above, exact.1.is_some()).cmp(&(NANOS / 2, false));
                let up = half.is_gt() || half.is_eq() && exact.0 > 0;
                self.offset() + up as i64
            }
            _ => self.offset(),
        }
    }
}

/// The local zone at an instant.
pub fn local(seconds: i128) -> Zone {
    Zone::Local(Rc::new(LocalZone { seconds, found: OnceCell::new() }))
}

/// Seconds that take a time of another era to one whose zone is like that of all far times: the first that is known, or
/// what the last rule says.
pub fn cycles(eras: Option<&Int>) -> i128 {
    match eras {
        None => 0,
        Some(eras) if eras.is_negative() => -5 * ERA / NANOS,
        Some(_) => 5 * ERA / NANOS,
    }
}

/// Seconds from an instant to `shown`, of which eras are not looked at where the instant has any.
pub fn difference(shown: i128, from: &TimeState) -> i128 {
    let difference = shown - from.seconds();
    match eras(&from.sub) {
        None => difference,
        Some(_) => (difference + ERA / NANOS / 2).rem_euclid(ERA / NANOS) - ERA / NANOS / 2,
    }
}

/// The C library counts years in an int: what is later is asked for in another era.
const FAR: i128 = 60_000_000_000_000_000;

fn ask_libc(seconds: i128) -> Local {
    let seconds = if seconds > FAR { seconds.rem_euclid(ERA / NANOS) + cycles(Some(&Int::ONE)) } else { seconds };
    let time = seconds.max(-FAR) as libc::time_t;
    // SAFETY: the structure is ours; its name points to static data of the C library, copied at once.
    unsafe {
        let mut tm: libc::tm = std::mem::zeroed();
        if libc::localtime_r(&time, &mut tm).is_null() {
            return Local { offset: 0, name: "UTC".into(), dst: false };
        }
        let name = if tm.tm_zone.is_null() {
            "".into()
        } else {
            std::ffi::CStr::from_ptr(tm.tm_zone).to_string_lossy().into()
        };
        Local { offset: tm.tm_gmtoff, name, dst: tm.tm_isdst > 0 }
    }
}

/// The instant that the local zone shows as these seconds (of a date taken as UTC). A time that comes twice is the
/// later one unless `dst` asks for daylight saving, which comes first; one that is skipped moves forward. Without leap
/// seconds.
pub fn local_to_utc(ctx: &Ctx, shown: i128, dst: Option<bool>) -> i128 {
    let at = |seconds| ask_libc(leap::counted(ctx, seconds, false)).offset as i128;
    let (before, after) = (at(shown - 86_400), at(shown + 86_400));
    let fits = |offset: i128| at(shown - offset) == offset;
    match (fits(before), fits(after)) {
        (true, true) if before != after && dst == Some(true) => shown - before.max(after),
        (true, true) if before != after => shown - before.min(after),
        (true, _) => shown - before,
        (_, true) => shown - after,
        _ => shown - before,
    }
}

/// Calls a method that a zone object must have; without it the object is no zone.
pub fn ask(ctx: &mut Ctx, object: Value, name: &'static str, time: Value) -> Result {
    let name = ctx.intern(name);
    match ctx.check_call(object, name, &[time])? {
        Some(answer) => Ok(answer),
        None => {
            let class = ctx.class_title(object);
            Err(ctx.type_error(&format!("can't convert {class} into an exact number")))
        }
    }
}

/// What a zone argument names.
pub enum ZoneArg {
    Utc,
    Fixed(i64),
    /// As `Zone::Exact`.
    Exact(Rc<(i128, Sub)>),
    Object(Value),
    Local,
}

const DAY: i128 = 86_400;

const MESSAGE: &str = "\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: ";

/// A zone from an argument: nil (local), a String, a number of seconds, or a zone object. Names are asked of the
/// `find_timezone` of `class`.
pub fn parse(ctx: &mut Ctx, value: Value, class: Value) -> Result<ZoneArg> {
    if value.is_nil() {
        return Ok(ZoneArg::Local);
    }
    if let Some(text) = ctx.check_str(value)? {
        let bytes = text.bytes(ctx).to_vec();
        if !text.encoding().is_ascii_compatible() {
            return Err(ctx.argument_error("time zone name must be ASCII-compatible"));
        }
        return match from_text(&bytes) {
            Ok(zone) => Ok(zone),
            Err(true) => Err(ctx.argument_error("utc_offset out of range")),
            Err(false) => {
                let found = find_timezone(ctx, class, text)?;
                match found {
                    Some(object) => Ok(ZoneArg::Object(object)),
                    None => {
                        let text = String::from_utf8_lossy(&bytes).into_owned();
                        Err(ctx.argument_error(&format!("{MESSAGE}{text}")))
                    }
                }
            }
        };
    }
    if value.is_heap() && !rubellite_vm::object::integer::is_integer(value) {
        for name in ["utc_to_local", "local_to_utc"] {
            let name = ctx.intern(name);
            if ctx.respond_to(value, name, true)? {
                return Ok(ZoneArg::Object(value));
            }
        }
    }
    let (nanos, sub) = super::exact::exact(ctx, value)?;
    if !(-DAY * NANOS < nanos && nanos < DAY * NANOS) || eras(&sub).is_some() {
        return Err(ctx.argument_error("utc_offset out of range"));
    }
    Ok(if sub.is_none() && nanos % NANOS == 0 {
        ZoneArg::Fixed((nanos / NANOS) as i64)
    } else {
        ZoneArg::Exact(Rc::new((nanos, sub)))
    })
}

/// `Time.find_timezone(name)`, when the program defines it for the class.
pub fn find_timezone(ctx: &mut Ctx, class: Value, name: Str) -> Result<Option<Value>> {
    let method = ctx.intern("find_timezone");
    if !ctx.respond_to(class, method, false)? {
        return Ok(None);
    }
    let zone = ctx.call(class, method, &[name.value()])?;
    Ok((!zone.is_nil()).then_some(zone))
}

/// "UTC", "Z", a military letter, "+HH", "+HHMM", "+HH:MM", "+HH:MM:SS". `Err(true)`: well formed, out of range.
pub fn from_text(text: &[u8]) -> std::result::Result<ZoneArg, bool> {
    match text {
        b"Z" => return Ok(ZoneArg::Utc),
        _ if text.eq_ignore_ascii_case(b"UTC") => return Ok(ZoneArg::Utc),
        [c @ b'A'..=b'I'] => return Ok(ZoneArg::Fixed((c - b'A' + 1) as i64 * 3600)),
        [c @ b'K'..=b'M'] => return Ok(ZoneArg::Fixed((c - b'K' + 10) as i64 * 3600)),
        [c @ b'N'..=b'Y'] => return Ok(ZoneArg::Fixed(-((c - b'N' + 1) as i64) * 3600)),
        _ => {}
    }
    let (sign, rest) = match text.split_first() {
        Some((b'+', rest)) => (1, rest),
        Some((b'-', rest)) => (-1, rest),
        _ => return Err(false),
    };
    let two = |at: usize| -> Option<i64> {
        match rest.get(at..at + 2)? {
            [a @ b'0'..=b'9', b @ b'0'..=b'9'] => Some(((a - b'0') * 10 + (b - b'0')) as i64),
            _ => None,
        }
    };
    let colon = |at: usize| rest.get(at) == Some(&b':');
    let (hour, min, sec) = match rest.len() {
        2 => (two(0), Some(0), Some(0)),
        4 => (two(0), two(2), Some(0)),
        5 if colon(2) => (two(0), two(3), Some(0)),
        6 => (two(0), two(2), two(4)),
        8 if colon(2) && colon(5) => (two(0), two(3), two(6)),
        _ => return Err(false),
    };
    let (Some(hour), Some(min), Some(sec)) = (hour, min, sec) else { return Err(false) };
    if min > 59 || sec > 59 {
        return Err(false);
    }
    if hour > 23 {
        return Err(true);
    }
    let offset = hour * 3600 + min * 60 + sec;
    // The offset that nobody knows (RFC 3339).
    Ok(if sign < 0 && offset == 0 { ZoneArg::Utc } else { ZoneArg::Fixed(sign * offset) })
}

/// "+0900", with colons after "+09" (1) and before the seconds (2).
pub fn offset_text(offset: i64, colons: usize) -> String {
    let n = offset.abs();
    let parts = [n / 3600, n / 60 % 60, n % 60];
    let shown = if colons > 1 || colons == 0 && parts[2] != 0 { 3 } else { 2 };
    let mut text = String::with_capacity(9);
    text.push(if offset < 0 { '-' } else { '+' });
    for (i, part) in parts[..shown].iter().enumerate() {
        if i > 0 && colons > 0 {
            text.push(':');
        }
        text.extend([part / 10, part % 10].map(|digit| char::from(b'0' + digit as u8)));
    }
    text
}
