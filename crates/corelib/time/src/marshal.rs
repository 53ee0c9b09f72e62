//! Time in a dump: `_dump` packs date and time of day in UTC into eight bytes; what they cannot hold (nanoseconds,
//! offset, zone) are instance variables of that String. `_load` reads them back.
//!
//! First word: 1 bit that the form is this one, 1 bit UTC, 16 bits year since 1900, 4 bits month, 5 bits day, 5 bits
//! hour. Second: 6 bits minute, 6 bits second, 20 bits microsecond. Years outside 1900 to 67435 append their distance.

use super::civil::{Civil, seconds_from};
use super::exact::{NANOS, Sub, eras_later, exact_terms, fraction, from_nanos};
use super::leap;
use super::methods::offset_value;
use super::new::in_eras;
use super::zone::{self, Zone, ZoneArg};
use super::{TimeState, in_zone, install, local_state, make, state};
use rubellite_core_object::marshal_words::{read_long, write_long};
use rubellite_vm::object::{Int, Rational, Str};
use rubellite_vm::{Args, Arity, Ctx, Encoding, MethodDef, Result, Value, private_method};

pub const INSTANCE: MethodDef = private_method("_dump", Arity::range(0, 1), dump);
pub const SINGLETON: MethodDef = private_method("_load", Arity::ONE, load);

const FIRST_YEAR: i64 = 1900;
const LAST_YEAR: i64 = 1900 + 0xffff;

fn dump(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let me = state(ctx, recv)?;
    let civil = me.utc_civil();
    let text = Str::binary(ctx, &packed(&civil, &me.full_year(civil.year), me.nsec() / 1000, me.zone == Zone::Utc));
    let text = text.value();
    ctx.ivar_copy(recv, text);
    let rest = (me.nsec() % 1000) as i64;
    if rest != 0 || fraction(&me.sub).is_some() {
        let (num, den) = match fraction(&me.sub) {
            None => (Int::from(rest), Int::ONE),
            Some((num, den)) => (Int::from(rest).mul(den).add(num), den.clone()),
        };
        set(ctx, text, "nano_num", |ctx| Ok(num.into_value(ctx)))?;
        set(ctx, text, "nano_den", |ctx| Ok(den.into_value(ctx)))?;
    }
    if rest != 0 {
        // Three decimal digits, half a byte each: what Ruby 1.9.1 reads.
        let digits = [(((rest / 100) << 4) | (rest / 10 % 10)) as u8, ((rest % 10) << 4) as u8];
        let digits = if digits[1] == 0 { &digits[..1] } else { &digits[..] };
        set(ctx, text, "submicro", |ctx| Ok(Str::binary(ctx, digits).value()))?;
    }
    if me.zone != Zone::Utc {
        set(ctx, text, "offset", |ctx| Ok(offset_value(ctx, &me.zone)))?;
    }
    set(ctx, text, "zone", |ctx| {
        let zone = ctx.call_name(recv, "zone", &[])?;
        let is_object = matches!(me.zone, Zone::Object(_));
        if is_object {
            return ctx.call_name(zone, "name", &[]);
        }
        // All times of a zone share the String of its name: it is written once.
        Ok(Str::try_of(zone).map_or(zone, |name| ctx.interned(name).value()))
    })?;
    Ok(text)
}

fn set(ctx: &mut Ctx, text: Value, name: &'static str, value: impl FnOnce(&mut Ctx) -> Result) -> Result<()> {
    let value = value(ctx)?;
    let name = ctx.intern(name);
    ctx.ivar_set(text, name, value);
    Ok(())
}

/// `full_year` instead of the year of `civil`.
fn packed(civil: &Civil, full_year: &Int, micros: u32, utc: bool) -> Vec<u8> {
    let nearest = if full_year.is_negative() { FIRST_YEAR } else { LAST_YEAR };
    let year = full_year.to_i64().map_or(nearest, |year| year.clamp(FIRST_YEAR, LAST_YEAR));
    let date = 1 << 31
        | (utc as u32) << 30
        | ((year - FIRST_YEAR) as u32) << 14
        | (civil.mon as u32 - 1) << 10
        | (civil.mday as u32) << 5
        | civil.hour as u32;
    let time = (civil.min as u32) << 26 | (civil.sec as u32) << 20 | micros;
    let mut out = [date.to_le_bytes(), time.to_le_bytes()].concat();
    let distance = full_year.sub(&Int::from(year));
    if !distance.is_zero() {
        let distance: Vec<u8> = distance.magnitude_words().iter().flat_map(|word| word.to_le_bytes()).collect();
        let len = distance.iter().rposition(|b| *b != 0).map_or(0, |at| at + 1);
        write_long(&mut out, len as i64);
        out.extend_from_slice(&distance[..len]);
    }
    out
}

fn load(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    let take = |name: &'static str| {
        let name = ctx.intern(name);
        ctx.ivar_remove(text.value(), name).filter(|v| !v.is_nil())
    };
    let (nano_num, nano_den, submicro) = (take("nano_num"), take("nano_den"), take("submicro"));
    let (offset, zone, year) = (take("offset"), take("zone"), take("year"));
    let time = make(ctx, recv, local_state(0, None));
    ctx.ivar_copy(text.value(), time);
    let year = match year {
        Some(year) => Some(ctx.to_int(year)?),
        None => None,
    };
    let Some(Packed { plain, extra, eras, micros, utc, old }) = unpacked(text.bytes(ctx), year) else {
        return Err(ctx.type_error("marshaled time format differ"));
    };
    let seconds = if old { plain } else { leap::counted(ctx, plain, extra) };
    let (mut nanos, mut sub): (i128, Sub) = (seconds * NANOS + micros as i128 * 1000, None);
    if let (Some(num), Some(den)) = (nano_num, nano_den) {
        let (more, fraction) = nanoseconds(ctx, num, den)?;
        (nanos, sub) = (nanos + more, fraction);
    } else if let Some(digits) = submicro.and_then(Str::try_of) {
        nanos += old_digits(digits.bytes(ctx));
    }
    let (nanos, sub) = eras_later(ctx, (nanos, sub), &eras)?;
    let me = local_state(nanos, sub);
    let me = match offset.filter(|_| !old) {
        _ if utc => in_zone(ctx, me, ZoneArg::Utc)?,
        Some(offset) if Int::try_of(offset).is_some() || Rational::try_of(offset).is_some() => {
            let error = ctx.classes().standard_error.get();
            // An offset that is no offset is as good as none.
            match ctx.rescue(error, |ctx| zone::parse(ctx, offset, recv).map(Some), |_, _| Ok(None))? {
                Some(arg) => in_zone(ctx, me, arg)?,
                None => me,
            }
        }
        _ => me,
    };
    let me = named_zone(ctx, recv, me, zone)?;
    install(ctx, time, me)?;
    Ok(time)
}

/// What a dump says.
struct Packed {
    /// Seconds since 1970 without leap seconds, and whether it is the leap second before it.
    plain: i128,
    extra: bool,
    /// To add to the seconds.
    eras: Int,
    micros: u32,
    utc: bool,
    /// The form before 1.6: seconds, all of them, and microseconds.
    old: bool,
}

fn unpacked(bytes: &[u8], year: Option<i64>) -> Option<Packed> {
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let (date, time) = (word(0)?, word(4)?);
    if date >> 31 == 0 {
        let (plain, micros) = (date as i128, time);
        return Some(Packed { plain, extra: false, eras: Int::ZERO, micros, utc: false, old: true });
    }
    let mut year = year.unwrap_or((date >> 14 & 0xffff) as i64 + FIRST_YEAR);
    let mut eras = Int::ZERO;
    if let Some(more) = bytes.get(8..).filter(|more| !more.is_empty()) {
        let (len, used) = read_long(more)?;
        let distance = more.get(used..used.checked_add(usize::try_from(len).ok()?)?)?;
        let words: Vec<u64> =
            distance.chunks(8).map(|part| part.iter().rev().fold(0, |word, byte| word << 8 | *byte as u64)).collect();
        let all = Int::from(year).add(&Int::from_words(year == FIRST_YEAR, &words));
        (year, eras) = in_eras(&all);
    }
    let mut month = date >> 10 & 15;
    if month >= 12 {
        month -= 12;
        year = year.checked_add(1)?;
    }
    let (day, hour) = ((date >> 5 & 31) as u8, (date & 31) as u8);
    let (min, sec) = ((time >> 26) as u8, (time >> 20 & 63) as u8);
    let plain = seconds_from(year, month as u8 + 1, day, hour, min, sec);
    let (micros, utc) = (time & 0xf_ffff, date >> 30 & 1 == 1);
    Some(Packed { plain, extra: sec == 60, eras, micros, utc, old: false })
}

/// `num / den` nanoseconds, both any exact numbers.
fn nanoseconds(ctx: &mut Ctx, num: Value, den: Value) -> Result<(i128, Sub)> {
    let terms = |ctx: &mut Ctx, v: Value| match exact_terms(ctx, v)? {
        Some(terms) => Ok(terms),
        None => {
            let class = ctx.real_class(v).inspect(ctx);
            Err(ctx.type_error(&format!("can't convert {class} into an exact number")))
        }
    };
    let ((a, b), (c, d)) = (terms(ctx, num)?, terms(ctx, den)?);
    from_nanos(ctx, &a.mul(&d), &b.mul(&c))
}

fn old_digits(bytes: &[u8]) -> i128 {
    let halves = bytes.iter().take(2).flat_map(|b| [b >> 4, b & 15]).take(3);
    halves.zip([100, 10, 1]).take_while(|(digit, _)| *digit < 10).map(|(digit, weight)| digit as i128 * weight).sum()
}

/// Shows the time in the zone of this name: a zone object when the program finds one, else the name alone.
fn named_zone(ctx: &mut Ctx, class: Value, me: TimeState, name: Option<Value>) -> Result<TimeState> {
    let usable = |name: &Str| name.encoding().is_ascii_compatible() && !name.bytes(ctx).contains(&0);
    let Some(name) = name.and_then(Str::try_of).filter(usable) else { return Ok(me) };
    if me.zone == Zone::Utc {
        return Ok(me);
    }
    let error = ctx.classes().standard_error.get();
    let found = ctx.rescue(error, |ctx| zone::find_timezone(ctx, class, name), |_, _| Ok(None))?;
    match found {
        Some(object) if !object.has_tag(rubellite_vm::Tag::String) => in_zone(ctx, me, ZoneArg::Object(object)),
        _ => {
            let own = name.dup(ctx);
            let label = if own.is_ascii_only(ctx) { Encoding::US_ASCII } else { own.encoding() };
            own.set_encoding(label);
            Ok(TimeState { zone_object: own.value(), ..me })
        }
    }
}
