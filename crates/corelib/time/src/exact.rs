//! Exact instants: nanoseconds and, for the rare Rational, a fraction of one. Instants that are too far away for 128
//! bits count whole cycles of the calendar beside the nanoseconds, whose dates are those of the cycle that begins in
//! 1970.

use rubellite_vm::object::{Float, Int, Rational, float};
use rubellite_vm::{Ctx, Result, Value};
use std::cmp::Ordering;
use std::rc::Rc;

pub const NANOS: i128 = 1_000_000_000;

/// Nanoseconds of the 400 years after which the calendar repeats, days of the week included.
pub const ERA: i128 = 146_097 * 86_400 * NANOS;

/// Instants further from 1970 than these nanoseconds count eras.
const MAX: u128 = 1 << 117;

/// What nanoseconds in 128 bits do not say.
#[derive(PartialEq, Eq, Debug)]
pub struct Rest {
    /// A fraction of a nanosecond, at least 0 and less than 1, in lowest terms.
    pub num: Int,
    pub den: Int,
    /// Eras to add; if any, the nanoseconds are those of a time within one.
    pub eras: Int,
}

/// None: neither a fraction nor eras.
pub type Sub = Option<Rc<Rest>>;

/// The fraction of a nanosecond, if there is one.
pub fn fraction(sub: &Sub) -> Option<(&Int, &Int)> {
    sub.as_ref().filter(|rest| !rest.num.is_zero()).map(|rest| (&rest.num, &rest.den))
}

/// The eras, if there are any.
pub fn eras(sub: &Sub) -> Option<&Int> {
    sub.as_ref().map(|rest| &rest.eras).filter(|eras| !eras.is_zero())
}

/// The same number where it counts no eras, else RangeError.
pub fn near(ctx: &mut Ctx, number: (i128, Sub)) -> Result<(i128, Sub)> {
    match eras(&number.1) {
        None => Ok(number),
        Some(_) => Err(ctx.range_error("out of Time range")),
    }
}

/// The time `eras` eras later.
pub fn eras_later(ctx: &mut Ctx, number: (i128, Sub), eras: &Int) -> Result<(i128, Sub)> {
    if eras.is_zero() {
        return Ok(number);
    }
    let (num, den) = terms(number.0, &number.1);
    from_nanos(ctx, &num.add(&eras.mul(&Int::from(ERA)).mul(&den)), &den)
}

/// A number of seconds as nanoseconds. TypeError "can't convert X into an exact number".
pub fn exact(ctx: &mut Ctx, value: Value) -> Result<(i128, Sub)> {
    match exact_terms(ctx, value)? {
        Some((num, den)) => from_seconds(ctx, &num, &den),
        None => Err(refused(ctx, value)),
    }
}

#[cold]
fn refused(ctx: &mut Ctx, value: Value) -> rubellite_vm::Unwind {
    let class = ctx.class_title(value);
    ctx.type_error(&format!("can't convert {class} into an exact number"))
}

/// A number as a fraction in lowest terms; none for what is no number.
pub fn exact_terms(ctx: &mut Ctx, value: Value) -> Result<Option<(Int, Int)>> {
    if let Some(int) = Int::try_of(value) {
        return Ok(Some((int, Int::ONE)));
    }
    if let Some(f) = Float::value_of(value) {
        return match float::fraction(f) {
            Some(terms) => Ok(Some(terms)),
            None => Err(ctx.float_domain_error(f)),
        };
    }
    if let Some(rational) = Rational::try_of(value) {
        return Ok(Some(rational.parts()));
    }
    if value.is_immediate() || value.has_tag(rubellite_vm::Tag::String) {
        return Ok(None);
    }
    let (to_r, to_int) = (ctx.intern("to_r"), ctx.names().to_int);
    if ctx.respond_to(value, to_r, true)? {
        if !ctx.respond_to(value, to_int, true)? {
            return Ok(None);
        }
        let number = ctx.call(value, to_r, &[])?;
        return match Rational::try_of(number) {
            Some(rational) => Ok(Some(rational.parts())),
            None => Ok(Int::try_of(number).map(|n| (n, Int::ONE))),
        };
    }
    match ctx.check_call(value, to_int, &[])? {
        Some(int) => Ok(Int::try_of(int).map(|n| (n, Int::ONE))),
        None => Ok(None),
    }
}

/// `num / den` seconds.
pub fn from_seconds(ctx: &mut Ctx, num: &Int, den: &Int) -> Result<(i128, Sub)> {
    from_nanos(ctx, &num.mul(&Int::from(NANOS)), den)
}

/// `num / den` nanoseconds.
pub fn from_nanos(ctx: &mut Ctx, num: &Int, den: &Int) -> Result<(i128, Sub)> {
    let Some((whole, rest)) = num.divmod(den) else { return Err(ctx.zero_division()) };
    let (whole, eras) = match whole.to_i128().filter(|n| n.unsigned_abs() < MAX) {
        Some(whole) => (whole, Int::ZERO),
        None => match whole.divmod(&Int::from(ERA)) {
            Some((eras, within)) => (within.to_i128().unwrap_or(0), eras),
            None => return Err(ctx.zero_division()),
        },
    };
    if rest.is_zero() && eras.is_zero() {
        return Ok((whole, None));
    }
    let (num, den) = rubellite_vm::object::lowest_terms(&rest, den).unwrap_or((Int::ZERO, Int::ONE));
    Ok((whole, Some(Rc::new(Rest { num, den, eras }))))
}

/// The instant as a fraction of nanoseconds.
pub fn terms(nanos: i128, sub: &Sub) -> (Int, Int) {
    match sub {
        None => (Int::from(nanos), Int::ONE),
        Some(rest) => {
            let whole = rest.eras.mul(&Int::from(ERA)).add(&Int::from(nanos));
            (whole.mul(&rest.den).add(&rest.num), rest.den.clone())
        }
    }
}

/// `a + b`, or `a - b`.
pub fn combine(ctx: &mut Ctx, a: (i128, Sub), b: (i128, Sub), minus: bool) -> Result<(i128, Sub)> {
    if a.1.is_none() && b.1.is_none() {
        let sum = if minus { a.0 - b.0 } else { a.0 + b.0 };
        if sum.unsigned_abs() < MAX {
            return Ok((sum, None));
        }
    }
    let ((an, ad), (bn, bd)) = (terms(a.0, &a.1), terms(b.0, &b.1));
    let (left, right) = (an.mul(&bd), bn.mul(&ad));
    let num = if minus { left.sub(&right) } else { left.add(&right) };
    from_nanos(ctx, &num, &ad.mul(&bd))
}

/// `a + b`, where `b` counts no eras. The eras of `a` remain.
pub fn sum(a: &(i128, Sub), b: &(i128, Sub)) -> (i128, Sub) {
    let (Some(x), Some(y)) = (&a.1, &b.1) else {
        return (a.0 + b.0, a.1.clone().or_else(|| b.1.clone()));
    };
    let (num, den) = (x.num.mul(&y.den).add(&y.num.mul(&x.den)), x.den.mul(&y.den));
    let (carry, rest) = if num >= den { (1, num.sub(&den)) } else { (0, num) };
    let (num, den) = rubellite_vm::object::lowest_terms(&rest, &den).unwrap_or((Int::ZERO, Int::ONE));
    let sub = Rest { num, den, eras: x.eras.clone() };
    (a.0 + b.0 + carry, (!sub.num.is_zero() || !sub.eras.is_zero()).then(|| Rc::new(sub)))
}

pub fn compare(a: (i128, &Sub), b: (i128, &Sub)) -> Ordering {
    let whole = match (a.1, b.1) {
        (None, None) => return a.0.cmp(&b.0),
        (x, y) => eras(x).unwrap_or(&Int::ZERO).cmp(eras(y).unwrap_or(&Int::ZERO)),
    };
    whole.then_with(|| a.0.cmp(&b.0)).then_with(|| match (fraction(a.1), fraction(b.1)) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(a), Some(b)) => a.0.mul(b.1).cmp(&b.0.mul(a.1)),
    })
}

/// A number from a fraction: an Integer when it is whole, else a Rational.
pub fn number(ctx: &mut Ctx, num: &Int, den: &Int) -> Value {
    match rubellite_vm::object::lowest_terms(num, den) {
        Some((num, den)) if den == Int::ONE => num.into_value(ctx),
        _ => Rational::reduce(ctx, num, den).map_or(Value::NIL, Rational::value),
    }
}
