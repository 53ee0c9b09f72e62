//! Dates: sums, differences and comparison.

use super::{DAY_NANOS, DAY_SECONDS, Moment, calendar, moment, try_moment};
use rubellite_core_time::exact;
use rubellite_vm::object::{Data, Float, Int, Rational};
use rubellite_vm::{Args, Ctx, Result, Value};
use std::cmp::Ordering;

/// A new object of the receiver's class.
pub fn like(ctx: &mut Ctx, recv: Value, state: Moment) -> Value {
    let class = ctx.real_class(recv).value();
    Data::new(ctx, class, state).value()
}

/// `days` later: an Integer, a Float (to the nanosecond), or any number that has an exact fraction.
pub fn plus(ctx: &mut Ctx, me: &Moment, days: Value) -> Result<Moment> {
    if let Some(n) = days.as_fixnum() {
        return Ok(Moment { day: me.day + n as i128, ..me.clone() });
    }
    if let Some(f) = Float::value_of(days) {
        return plus_float(ctx, me, f);
    }
    let terms = if let Some(int) = Int::try_of(days) {
        Some((int, Int::ONE))
    } else if let Some(rational) = Rational::try_of(days) {
        Some(rational.parts())
    } else {
        let numeric = ctx.classes().numeric.get();
        if ctx.is_a(days, numeric) { exact::exact_terms(ctx, days)? } else { None }
    };
    match terms {
        Some((num, den)) => plus_fraction(ctx, me, &num, &den),
        None => Err(ctx.type_error("expected numeric")),
    }
}

/// `num / den` days later.
pub fn plus_fraction(ctx: &mut Ctx, me: &Moment, num: &Int, den: &Int) -> Result<Moment> {
    let (my_num, my_den) = me.terms();
    let num = num.mul(&Int::from(DAY_NANOS)).mul(&my_den).add(&my_num.mul(den));
    me.at(ctx, &num, &my_den.mul(den))
}

/// A Float of days is taken apart into days, seconds and rounded nanoseconds.
pub fn plus_float(ctx: &mut Ctx, me: &Moment, days: f64) -> Result<Moment> {
    if !days.is_finite() {
        return Err(ctx.float_domain_error(days));
    }
    let size = days.abs();
    let seconds = size.fract() * DAY_SECONDS as f64;
    let nanos = seconds.trunc() as i64 * super::NANOS + (seconds.fract() * 1e9).round() as i64;
    if size >= 1e30 {
        return Err(ctx.range_error("out of Time range"));
    }
    let total = size.trunc() as i128 * DAY_NANOS as i128 + nanos as i128;
    let total = if days < 0.0 { -total } else { total } + me.nanos as i128;
    Ok(Moment {
        day: me.day + total.div_euclid(DAY_NANOS as i128),
        nanos: total.rem_euclid(DAY_NANOS as i128) as i64,
        ..me.clone()
    })
}

pub fn op_plus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let me = moment(ctx, recv)?;
    let state = plus(ctx, &me, args.at(0))?;
    Ok(like(ctx, recv, state))
}

/// `date - date -> Rational` (days), `date - days -> date`
pub fn op_minus(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let me = moment(ctx, recv)?;
    let other = args.at(0);
    if let Some(other) = try_moment(ctx, other).cloned() {
        if me.nanos == other.nanos && me.sub.is_none() && other.sub.is_none() {
            return Ok(rational(ctx, &Int::from(me.day - other.day), &Int::ONE));
        }
        let ((an, ad), (bn, bd)) = (me.terms(), other.terms());
        let num = an.mul(&bd).sub(&bn.mul(&ad));
        return Ok(rational(ctx, &num, &ad.mul(&bd).mul(&Int::from(DAY_NANOS))));
    }
    let numeric = ctx.classes().numeric.get();
    if other.is_nil() || !ctx.is_a(other, numeric) {
        return Err(ctx.type_error("expected numeric"));
    }
    let negative = ctx.call_name(other, "-@", &[])?;
    let state = plus(ctx, &me, negative)?;
    Ok(like(ctx, recv, state))
}

/// A Rational, whole or not.
pub fn rational(ctx: &mut Ctx, num: &Int, den: &Int) -> Value {
    Rational::reduce(ctx, num, den).map_or(Value::NIL, Rational::value)
}

/// `date >> months -> date`: the same day of a later month, or its last one.
pub fn op_shift_right(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let months = args.at(0);
    let months = match Float::value_of(months) {
        Some(f) => ctx.float(f.floor()),
        None => {
            let numeric = ctx.classes().numeric.get();
            if !ctx.is_a(months, numeric) {
                let class = ctx.describe_for_conversion(months);
                return Err(ctx.type_error(&format!("{class} can't be coerced into Integer")));
            }
            months
        }
    };
    let months = ctx.to_integer(months)?;
    let Some(months) = Int::try_of(months).and_then(|n| n.to_i128()).filter(|n| n.unsigned_abs() < 1 << 100) else {
        return Err(ctx.range_error("out of Time range"));
    };
    let me = moment(ctx, recv)?;
    let jd = me.jd();
    let day = calendar::jd_to_civil(jd, me.start);
    let total = day.year * 12 + (day.mon - 1) as i128 + months;
    let (year, mon) = (total.div_euclid(12), total.rem_euclid(12) as i64 + 1);
    let found = (1..=day.mday).rev().find_map(|mday| calendar::valid_civil(year, mon, mday, me.start));
    match found {
        Some(found) => Ok(like(ctx, recv, Moment { day: me.day + (found - jd), ..me })),
        None => Err(super::make::invalid(ctx)),
    }
}

pub fn compare(a: &Moment, b: &Moment) -> Ordering {
    let whole = (a.day, a.nanos).cmp(&(b.day, b.nanos));
    whole.then_with(|| exact::compare((0, &a.sub), (0, &b.sub)))
}

/// `date <=> date or number -> -1, 0, 1 or nil`; a number is an astronomical day number.
pub fn op_cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    let me = moment(ctx, recv)?;
    if let Some(other) = try_moment(ctx, other) {
        return Ok(Value::fixnum(compare(&me, other) as i64));
    }
    let numeric = ctx.classes().numeric.get();
    if !other.is_nil() && ctx.is_a(other, numeric) {
        let ajd = super::methods::ajd(ctx, recv, Args::none())?;
        return ctx.call_name(ajd, "<=>", &[other]);
    }
    Ok(Value::NIL)
}

/// `date === date or number -> true or false`: the same day where each of them is.
pub fn op_case_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    let me = moment(ctx, recv)?;
    if let Some(other) = try_moment(ctx, other) {
        return Ok(Value::from_bool(me.jd() == other.jd()));
    }
    let numeric = ctx.classes().numeric.get();
    if !other.is_nil() && ctx.is_a(other, numeric) {
        let jd = Int::from(me.jd()).into_value(ctx);
        return Ok(Value::from_bool(ctx.equal(jd, other)?));
    }
    Ok(Value::NIL)
}

pub fn eql_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let me = moment(ctx, recv)?;
    Ok(Value::from_bool(try_moment(ctx, args.at(0)).is_some_and(|other| compare(&me, other) == Ordering::Equal)))
}

pub fn hash(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    use std::hash::{Hash, Hasher};
    let me = moment(ctx, recv)?;
    let mut state = std::hash::DefaultHasher::new();
    ctx.hash_seed().hash(&mut state);
    (me.day, me.nanos, me.sub.as_ref().map(|s| (s.num.to_f64().to_bits(), s.den.to_f64().to_bits()))).hash(&mut state);
    Ok(Value::fixnum((state.finish() >> 2) as i64))
}
