//! Time: constructors (`now`, `at`, `new`, `utc`, `local`) and the text form of `Time.new`.

use super::civil;
use super::exact::{NANOS, Sub, combine, eras, eras_later, exact, exact_terms, from_nanos};
use super::leap;
use super::zone::{self, Zone, ZoneArg};
use super::{TimeState, in_zone, install, local_state, make, now, shown_seconds, try_state};
use rubellite_vm::object::{Int, Str};
use rubellite_vm::{Args, Arity, Class, Ctx, MethodDef, Result, Value, method, private_method};

pub const SINGLETON: &[MethodDef] = &[
    method("now", Arity::exact(0).with_keywords(), time_now),
    method("at", Arity::range(1, 3).with_keywords(), time_at),
    method("utc", Arity::ANY, time_utc),
    method("gm", Arity::ANY, time_utc),
    method("local", Arity::ANY, time_local),
    method("mktime", Arity::ANY, time_local),
];

pub const PRIVATE: &[MethodDef] = &[
    private_method("initialize", Arity::range(0, 7).with_keywords(), initialize),
    private_method("initialize_copy", Arity::exact(1), initialize_copy),
];

/// The fields of a date and time, before a zone is known.
struct Fields {
    year: i64,
    /// 400 years each, of a year that is no machine word.
    eras: Int,
    mon: u8,
    mday: u8,
    hour: u8,
    min: u8,
    sec: u8,
    nanos: i128,
    sub: Sub,
}

impl Fields {
    /// Seconds since 1970, without leap seconds.
    fn seconds(&self) -> i128 {
        civil::seconds_from(self.year, self.mon, self.mday, self.hour, self.min, self.sec)
    }

    /// The instant at which a clock shows them that is so many seconds before UTC's.
    fn instant(&self, ctx: &mut Ctx, offset: i128) -> Result<(i128, Sub)> {
        let seconds = leap::counted(ctx, self.seconds() - offset, self.sec == 60);
        eras_later(ctx, (seconds * NANOS + self.nanos, self.sub.clone()), &self.eras)
    }
}

fn in_keyword(ctx: &mut Ctx, class: Value, args: Args) -> Result<Option<ZoneArg>> {
    match args.keyword(ctx, "in").filter(|v| !v.is_nil()) {
        Some(value) => zone::parse(ctx, value, class).map(Some),
        None => Ok(None),
    }
}

/// `Time.now(in: nil)`
fn time_now(ctx: &mut Ctx, class: Class, args: Args) -> Result {
    args.check_keywords(ctx, &["in"])?;
    let zone = in_keyword(ctx, class.value(), args)?;
    let new = ctx.names().allocate;
    let object = if ctx.is_builtin(class.value(), new) && !class.is_singleton() {
        None
    } else {
        Some(ctx.call(class.value(), new, &[])?)
    };
    let mut state = local_state(now(ctx), None);
    if let Some(zone) = zone {
        state = in_zone(ctx, state, zone)?;
    }
    let Some(object) = object else { return Ok(make(ctx, class.value(), state)) };
    install(ctx, object, state)?;
    Ok(object)
}

/// `Time.at(time, subsec = 0, unit = :microsecond, in: nil)`
fn time_at(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &["in"])?;
    let zone = in_keyword(ctx, recv, args)?;
    let positional = args.positional();
    let first = positional.at(0);
    let mut state = match try_state(ctx, first) {
        Some(state) if positional.len() == 1 => state,
        _ => {
            let (nanos, sub) = exact(ctx, first)?;
            local_state(nanos, sub)
        }
    };
    if let Some(part) = positional.get(1) {
        let scale = unit_nanos(ctx, positional.get(2))?;
        let Some((num, den)) = exact_terms(ctx, part)? else {
            let class = ctx.class_title(part);
            return Err(ctx.type_error(&format!("can't convert {class} into an exact number")));
        };
        let added = from_nanos(ctx, &num.mul(&Int::from(scale)), &den)?;
        let (nanos, sub) = combine(ctx, (state.nanos, state.sub), added, false)?;
        state = local_state(nanos, sub);
    }
    if let Some(zone) = zone {
        state = in_zone(ctx, state, zone)?;
    }
    Ok(make(ctx, recv, state))
}

fn unit_nanos(ctx: &mut Ctx, unit: Option<Value>) -> Result<i64> {
    let Some(unit) = unit else { return Ok(1000) };
    if let Some(sym) = unit.as_symbol() {
        match ctx.sym_bytes(sym) {
            b"millisecond" => return Ok(1_000_000),
            b"usec" | b"microsecond" => return Ok(1000),
            b"nsec" | b"nanosecond" => return Ok(1),
            _ => {}
        }
    }
    let text = ctx.to_s(unit)?.to_lossy(ctx).into_owned();
    Err(ctx.argument_error(&format!("unexpected unit: {text}")))
}

// -- fields as arguments --------------------------------------------------------------------------

/// An Integer field; Strings are read as decimal numbers.
fn integer(ctx: &mut Ctx, value: Value) -> Result<i64> {
    let value = read_integer(ctx, value)?;
    ctx.to_int(value)
}

/// The number that a String says, any other value itself.
fn read_integer(ctx: &mut Ctx, value: Value) -> Result {
    match Str::try_of(value) {
        Some(text) => {
            let kernel = ctx.classes().kernel.get();
            let ten = Value::fixnum(10);
            ctx.call_name(kernel, "Integer", &[text.value(), ten])
        }
        None => Ok(value),
    }
}

fn ranged(ctx: &mut Ctx, value: Value, low: i64, high: i64, name: &str) -> Result<u8> {
    let n = integer(ctx, value)?;
    if n < low || n > high {
        let message = if fits(n, high) { format!("{name} out of range") } else { "argument out of range".to_string() };
        return Err(ctx.argument_error(&message));
    }
    Ok(n as u8)
}

/// Whether `n` fits into as many bits as `high` needs: what does not is no part of a time to CRuby, whatever its name.
fn fits(n: i64, high: i64) -> bool {
    (0..(high as u64 + 1).next_power_of_two() as i64).contains(&n)
}

/// A month: a number or an English name's first three letters.
fn month(ctx: &mut Ctx, value: Value) -> Result<u8> {
    if value.is_nil() {
        return Ok(1);
    }
    if let Some(text) = ctx.check_str(value)? {
        let bytes = text.bytes(ctx).to_ascii_lowercase();
        if bytes.len() == 3 {
            let found = super::strftime::MONTHS.iter().position(|m| m.as_bytes()[..3].eq_ignore_ascii_case(&bytes));
            if let Some(index) = found {
                return Ok(index as u8 + 1);
            }
        }
        return ranged(ctx, text.value(), 1, 12, "mon");
    }
    ranged(ctx, value, 1, 12, "mon")
}

/// Seconds with their fraction, which a String has none of.
fn second(ctx: &mut Ctx, value: Value) -> Result<(u8, i128, Sub)> {
    if value.is_nil() {
        return Ok((0, 0, None));
    }
    let (nanos, sub) = match Str::try_of(value) {
        Some(_) => (integer(ctx, value)? as i128 * NANOS, None),
        None => exact(ctx, value)?,
    };
    let whole = nanos.div_euclid(NANOS);
    if i32::try_from(whole).is_err() || eras(&sub).is_some() {
        return Err(match i64::try_from(if eras(&sub).is_some() { i128::MAX } else { whole }) {
            Ok(_) => {
                let size = if whole < 0 { "small" } else { "big" };
                ctx.range_error(&format!("integer {whole} too {size} to convert to 'int'"))
            }
            Err(_) => ctx.range_error("bignum too big to convert into 'long'"),
        });
    }
    if !(0..=60).contains(&whole) {
        return Err(ctx.argument_error(if fits(whole as i64, 60) {
            "sec out of range"
        } else {
            "argument out of range"
        }));
    }
    Ok((whole as u8, nanos.rem_euclid(NANOS), sub))
}

/// A year, and the eras to add to it.
fn year(ctx: &mut Ctx, value: Value) -> Result<(i64, Int)> {
    if value.is_nil() {
        return Err(ctx.type_error("no implicit conversion of nil into Integer"));
    }
    let value = read_integer(ctx, value)?;
    let year = ctx.to_integer(value)?;
    Ok(in_eras(&Int::try_of(year).unwrap_or(Int::ZERO)))
}

/// A year that is a machine word, and the eras to add to it.
pub fn in_eras(year: &Int) -> (i64, Int) {
    if let Some(year) = year.to_i64() {
        return (year, Int::ZERO);
    }
    let (eras, rest) = year.divmod(&Int::from(400i64)).unwrap_or((Int::ZERO, Int::ZERO));
    (rest.to_i64().unwrap_or(0), eras)
}

/// `(year, mon, mday, hour, min, sec)`; days beyond the month's end run on.
fn fields(ctx: &mut Ctx, args: &[Value]) -> Result<Fields> {
    let arg = |i: usize| args.get(i).copied().unwrap_or(Value::NIL);
    let (year, eras) = year(ctx, arg(0))?;
    let mon = month(ctx, arg(1))?;
    let mday = if arg(2).is_nil() { 1 } else { ranged(ctx, arg(2), 1, 31, "mday")? };
    let hour = if arg(3).is_nil() { 0 } else { ranged(ctx, arg(3), 0, 24, "hour")? };
    let min = if arg(4).is_nil() { 0 } else { ranged(ctx, arg(4), 0, 59, "min")? };
    let (sec, nanos, sub) = second(ctx, arg(5))?;
    if hour == 24 && (min > 0 || sec > 0) {
        return Err(ctx.argument_error(if min > 0 { "min out of range" } else { "sec out of range" }));
    }
    Ok(Fields { year, eras, mon, mday, hour, min, sec, nanos, sub })
}

/// The arguments of `utc` and `local`: year first with microseconds seventh, or the ten of `to_a`.
fn class_fields(ctx: &mut Ctx, args: Args) -> Result<(Fields, Option<bool>)> {
    if args.len() == 10 {
        let order = [args.at(5), args.at(4), args.at(3), args.at(2), args.at(1), args.at(0)];
        let dst = args.at(8);
        return Ok((fields(ctx, &order)?, if dst.is_nil() { None } else { Some(dst.truthy()) }));
    }
    if args.is_empty() || args.len() > 8 {
        return Err(ctx.arity_error(args.len(), 1, Some(8)));
    }
    let mut read = fields(ctx, &args.slice()[..args.len().min(6)])?;
    // With eight arguments the last two are a zone and a day of the week, which are not looked at.
    if let Some(micros) = args.non_nil(6).filter(|_| args.len() == 7) {
        let value = match Str::try_of(micros) {
            Some(_) => {
                let n = integer(ctx, micros)?;
                ctx.int(n)
            }
            None => micros,
        };
        let Some((num, den)) = exact_terms(ctx, value)? else {
            let class = ctx.class_title(value);
            return Err(ctx.type_error(&format!("can't convert {class} into an exact number")));
        };
        let (nanos, sub) = from_nanos(ctx, &num.mul(&Int::from(1000i64)), &den)?;
        if !(0..NANOS).contains(&nanos) || eras(&sub).is_some() {
            return Err(ctx.argument_error("subsecx out of range"));
        }
        read.nanos = nanos;
        read.sub = sub;
    }
    Ok((read, None))
}

fn time_utc(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (read, _) = class_fields(ctx, args)?;
    let (nanos, sub) = read.instant(ctx, 0)?;
    Ok(make(ctx, recv, TimeState::new(nanos, sub, Zone::Utc, Value::NIL)))
}

fn time_local(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (read, dst) = class_fields(ctx, args)?;
    let state = place(ctx, read, ZoneArg::Local, dst)?;
    Ok(make(ctx, recv, state))
}

// -- Time.new -------------------------------------------------------------------------------------

/// `Time.new(year = nil, mon, mday, hour, min, sec, zone = nil, in: nil, precision: 9)`
fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &["in", "precision"])?;
    let positional = args.positional();
    let keyword = args.keyword(ctx, "in").filter(|v| !v.is_nil());
    let mut zone_value = positional.at(6);
    if let Some(value) = keyword {
        if !zone_value.is_nil() {
            return Err(ctx.argument_error("timezone argument given as positional and keyword arguments"));
        }
        zone_value = value;
    }
    if try_state(ctx, recv).is_some() {
        return Err(ctx.type_error("already initialized Time"));
    }
    let class = ctx.real_class(recv).value();
    if positional.is_empty() {
        let mut state = local_state(now(ctx), None);
        if !zone_value.is_nil() {
            let zone = zone::parse(ctx, zone_value, class)?;
            state = in_zone(ctx, state, zone)?;
        }
        install(ctx, recv, state)?;
        return Ok(recv);
    }
    let mut from_text = None;
    let read = match Str::try_of(positional.at(0)) {
        Some(text) if positional.len() == 1 => {
            let precision = match args.keyword(ctx, "precision") {
                Some(Value::NIL) => -1,
                Some(v) => ctx.to_int(v)?,
                None => 9,
            };
            // Negative: all digits.
            let precision = usize::try_from(precision).unwrap_or(usize::MAX);
            let (read, zone) = parse_text(ctx, class, text, precision)?;
            from_text = zone;
            read
        }
        _ => fields(ctx, &positional.slice()[..positional.len().min(6)])?,
    };
    // `:dst` and `:std` choose between the two times that a local clock shows twice.
    let dst = match zone_value.as_symbol().map(|name| ctx.sym_bytes(name)) {
        Some(b"dst") => Some(true),
        Some(b"std") => Some(false),
        _ => None,
    };
    let zone = match from_text {
        Some(zone) => zone,
        None if dst.is_some() => ZoneArg::Local,
        None => zone::parse(ctx, zone_value, class)?,
    };
    let state = place(ctx, read, zone, dst)?;
    install(ctx, recv, state)?;
    Ok(recv)
}

/// The instant at which a zone shows these fields; `dst` as for `local_to_utc`.
fn place(ctx: &mut Ctx, read: Fields, zone: ZoneArg, dst: Option<bool>) -> Result<TimeState> {
    let shown = read.seconds();
    Ok(match zone {
        ZoneArg::Local => {
            let cycles = zone::cycles((!read.eras.is_zero()).then_some(&read.eras));
            let utc = zone::local_to_utc(ctx, shown + cycles, dst) - cycles;
            let (nanos, sub) = read.instant(ctx, shown - utc)?;
            let state = local_state(nanos, sub);
            in_zone(ctx, state, ZoneArg::Local)?
        }
        ZoneArg::Utc => {
            let (nanos, sub) = read.instant(ctx, 0)?;
            TimeState::new(nanos, sub, Zone::Utc, Value::NIL)
        }
        ZoneArg::Fixed(offset) => {
            let (nanos, sub) = read.instant(ctx, offset as i128)?;
            TimeState::new(nanos, sub, Zone::Fixed(offset), Value::NIL)
        }
        ZoneArg::Exact(offset) => {
            let shown = read.instant(ctx, 0)?;
            let (nanos, sub) = combine(ctx, shown, (*offset).clone(), true)?;
            TimeState::new(nanos, sub, Zone::Exact(offset), Value::NIL)
        }
        ZoneArg::Object(object) => {
            let class = ctx.classes().time.get();
            let (nanos, sub) = read.instant(ctx, 0)?;
            let local = TimeState::new(nanos, sub, Zone::Utc, Value::NIL);
            let zoned = make(ctx, class, local.clone());
            let utc = zone::ask(ctx, object, "local_to_utc", zoned)?;
            let utc = match try_state(ctx, utc) {
                Some(state) => state.seconds(),
                None => shown_seconds(ctx, utc)?,
            };
            let offset = -zone::difference(utc, &local) as i64;
            if !(-86_400 < offset && offset < 86_400) {
                return Err(ctx.argument_error("utc_offset out of range"));
            }
            let (nanos, sub) = read.instant(ctx, offset as i128)?;
            TimeState::new(nanos, sub, Zone::Object(offset), object)
        }
    })
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let state = super::state(ctx, args.at(0))?;
    if recv != args.at(0) && try_state(ctx, recv).is_some() {
        return Err(ctx.type_error("already initialized Time"));
    }
    install(ctx, recv, state)?;
    Ok(recv)
}

// -- text -----------------------------------------------------------------------------------------

/// A reader over the text of `Time.new("2000-12-31 23:59:59 +0900")`.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn digits(&self) -> usize {
        self.text[self.at..].iter().take_while(|b| b.is_ascii_digit()).count()
    }

    /// What is left, at most `n` bytes, for messages.
    fn rest(&self, n: usize) -> String {
        let end = (self.at + n).min(self.text.len());
        String::from_utf8_lossy(&self.text[self.at..end]).into_owned()
    }
}

/// Two digits behind a separator, which is named unless it is the one before the time of day.
fn two(ctx: &mut Ctx, scan: &mut Scan, name: &str, high: u8) -> Result<u8> {
    let separator = scan.text[scan.at];
    scan.at += 1;
    if scan.digits() != 2 {
        scan.at -= 1;
        let rest = scan.rest(11);
        let after =
            if matches!(separator, b'-' | b':') { format!(" after '{}'", separator as char) } else { String::new() };
        return Err(ctx.argument_error(&format!("two digits {name} is expected{after}: {rest}")));
    }
    let n = (scan.text[scan.at] - b'0') * 10 + (scan.text[scan.at + 1] - b'0');
    scan.at += 2;
    if n > high || (n == 0 && matches!(name, "mon" | "mday")) {
        return Err(ctx.argument_error(&format!("{name} out of range")));
    }
    Ok(n)
}

/// A year, or date and time of day, then a zone. Without a zone the time of day is needed.
fn parse_text(ctx: &mut Ctx, class: Value, text: Str, precision: usize) -> Result<(Fields, Option<ZoneArg>)> {
    if !text.encoding().is_ascii_compatible() {
        return Err(ctx.argument_error("time string should have ASCII compatible encoding"));
    }
    let bytes = text.bytes(ctx).to_vec();
    let mut scan = Scan { text: &bytes, at: 0 };
    let negative = scan.peek() == Some(b'-');
    scan.at = negative as usize;
    let digits = scan.digits();
    if digits == 0 || bytes.last().is_some_and(|b| is_space(*b)) {
        let shown = ctx.inspect(text.value())?;
        return Err(ctx.argument_error(&format!("can't parse: {shown}")));
    }
    if memchr::memchr(0, &bytes).is_some() {
        return Err(ctx.null_byte_error());
    }
    if digits < 4 {
        let shown = String::from_utf8_lossy(&bytes[scan.at..scan.at + digits]).into_owned();
        return Err(ctx.argument_error(&format!("year must be 4 or more digits: {shown}")));
    }
    let year = Int::from_digits(&bytes[scan.at..scan.at + digits], 10).unwrap_or(Int::ZERO);
    let (year, eras) = in_eras(&if negative { year.neg() } else { year });
    scan.at += digits;
    let mut read = Fields { year, eras, mon: 1, mday: 1, hour: 0, min: 0, sec: 0, nanos: 0, sub: None };
    if scan.peek().is_none() {
        return Ok((read, None));
    }
    let timed = date(ctx, &mut scan, &mut read)? && clock(ctx, &mut scan, &mut read, precision)?;
    let zone = zone_part(ctx, class, &mut scan)?;
    if zone.is_none() && !timed {
        return Err(ctx.argument_error("no time information"));
    }
    Ok((read, zone))
}

/// `-MM-DD` and the separator before a digit; false when something is missing, which a zone may follow.
fn date(ctx: &mut Ctx, scan: &mut Scan, read: &mut Fields) -> Result<bool> {
    if scan.peek() != Some(b'-') {
        return Ok(false);
    }
    read.mon = two(ctx, scan, "mon", 12)?;
    if scan.peek() != Some(b'-') {
        return Ok(false);
    }
    read.mday = two(ctx, scan, "mday", 31)?;
    let digit = scan.text.get(scan.at + 1).is_some_and(u8::is_ascii_digit);
    Ok(matches!(scan.peek(), Some(b' ' | b'T')) && digit)
}

fn clock(ctx: &mut Ctx, scan: &mut Scan, read: &mut Fields, precision: usize) -> Result<bool> {
    let start = scan.at + 1;
    read.hour = two(ctx, scan, "hour", 24)?;
    let mut before = "hour";
    for (name, high) in [("min", 59), ("sec", 60)] {
        let so_far = String::from_utf8_lossy(&scan.text[start..scan.text.len().min(scan.at + 1)]).into_owned();
        match scan.peek() {
            Some(b':') => {}
            Some(b'.') => return Err(ctx.argument_error(&format!("fraction {before} is not supported: {so_far}"))),
            _ => return Err(ctx.argument_error(&format!("missing {name} part: {so_far}"))),
        }
        let n = two(ctx, scan, name, high)?;
        if name == "min" {
            read.min = n
        } else {
            read.sec = n
        }
        before = name;
    }
    if read.hour == 24 && (read.min > 0 || read.sec > 0) {
        return Err(ctx.argument_error(if read.min > 0 { "min out of range" } else { "sec out of range" }));
    }
    if scan.peek() == Some(b'.') {
        scan.at += 1;
        let digits = scan.digits();
        let used = digits.min(precision);
        if used == 0 {
            let so_far = String::from_utf8_lossy(&scan.text[start..scan.text.len().min(scan.at + 1)]).into_owned();
            return Err(ctx.argument_error(&format!("subsecond expected after dot: {so_far}")));
        }
        let num = std::str::from_utf8(&scan.text[scan.at..scan.at + used])
            .unwrap_or("")
            .bytes()
            .fold(Int::ZERO, |n, d| n.mul(&Int::from(10i64)).add(&Int::from((d - b'0') as i64)));
        let den = Int::from(10i64).pow(used as u64).unwrap_or(Int::ONE);
        let (nanos, sub) = from_nanos(ctx, &num.mul(&Int::from(NANOS)), &den)?;
        read.nanos = nanos;
        read.sub = sub;
        scan.at += digits;
    }
    Ok(true)
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// The zone: one word at the end.
fn zone_part(ctx: &mut Ctx, class: Value, scan: &mut Scan) -> Result<Option<ZoneArg>> {
    let skip = |at: usize, space: bool| at + scan.text[at..].iter().take_while(|b| is_space(**b) == space).count();
    let start = skip(scan.at, true);
    let end = skip(start, false);
    scan.at = skip(end, true);
    if scan.peek().is_some() {
        let rest = String::from_utf8_lossy(&scan.text[scan.at..]).into_owned();
        return Err(ctx.argument_error(&format!("can't parse at: {rest}")));
    }
    if start == end {
        return Ok(None);
    }
    let text = Str::new(ctx, &scan.text[start..end], rubellite_vm::Encoding::UTF_8).value();
    zone::parse(ctx, text, class).map(Some)
}
