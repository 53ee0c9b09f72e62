//! Exact instants: nanoseconds and, for the rare Rational, a fraction of one.

use rubellite_vm::object::{Float, Int, Rational, float};
use rubellite_vm::{Ctx, Result, Value};
use std::cmp::Ordering;
use std::rc::Rc;

pub const NANOS: i128 = 1_000_000_000;

/// Instants further from 1970 are refused: the years of others are 64-bit numbers.
const MAX: u128 = 1 << 117;

/// A fraction of a nanosecond, at least 0 and less than 1, in lowest terms; none: 0.
pub type Sub = Option<Rc<(Int, Int)>>;

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
    let Some(whole) = whole.to_i128().filter(|n| n.unsigned_abs() < MAX) else {
        return Err(ctx.range_error("out of Time range"));
    };
    if rest.is_zero() {
        return Ok((whole, None));
    }
    let terms = rubellite_vm::object::lowest_terms(&rest, den);
    Ok((whole, terms.map(Rc::new)))
}

/// The instant as a fraction of nanoseconds.
pub fn terms(nanos: i128, sub: &Sub) -> (Int, Int) {
    match sub {
        None => (Int::from(nanos), Int::ONE),
        Some(sub) => (Int::from(nanos).mul(&sub.1).add(&sub.0), sub.1.clone()),
    }
}

/// `a + b`, or `a - b`.
pub fn combine(ctx: &mut Ctx, a: (i128, Sub), b: (i128, Sub), minus: bool) -> Result<(i128, Sub)> {
    if a.1.is_none() && b.1.is_none() {
        return Ok((if minus { a.0 - b.0 } else { a.0 + b.0 }, None));
    }
    let ((an, ad), (bn, bd)) = (terms(a.0, &a.1), terms(b.0, &b.1));
    let (left, right) = (an.mul(&bd), bn.mul(&ad));
    let num = if minus { left.sub(&right) } else { left.add(&right) };
    from_nanos(ctx, &num, &ad.mul(&bd))
}

/// `a + b`, where both are known to be small enough.
pub fn sum(a: &(i128, Sub), b: &(i128, Sub)) -> (i128, Sub) {
    let (Some(x), Some(y)) = (&a.1, &b.1) else {
        return (a.0 + b.0, a.1.clone().or_else(|| b.1.clone()));
    };
    let (num, den) = (x.0.mul(&y.1).add(&y.0.mul(&x.1)), x.1.mul(&y.1));
    let (carry, rest) = if num >= den { (1, num.sub(&den)) } else { (0, num) };
    let sub = if rest.is_zero() { None } else { rubellite_vm::object::lowest_terms(&rest, &den).map(Rc::new) };
    (a.0 + b.0 + carry, sub)
}

pub fn compare(a: &(i128, Sub), b: &(i128, Sub)) -> Ordering {
    a.0.cmp(&b.0).then_with(|| match (&a.1, &b.1) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(a), Some(b)) => a.0.mul(&b.1).cmp(&b.0.mul(&a.1)),
    })
}

/// A number from a fraction: an Integer when it is whole, else a Rational.
pub fn number(ctx: &mut Ctx, num: &Int, den: &Int) -> Value {
    match rubellite_vm::object::lowest_terms(num, den) {
        Some((num, den)) if den == Int::ONE => num.into_value(ctx),
        _ => Rational::reduce(ctx, num, den).map_or(Value::NIL, Rational::value),
    }
}
