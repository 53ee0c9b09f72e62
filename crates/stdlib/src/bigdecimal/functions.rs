//! Decimal numbers: square root, exponential, logarithm and powers to a number of digits. Everything is done with whole
//! numbers that stand for multiples of a small unit; some digits more than asked for are carried.

use super::number::{Finite, Number, Rounding, power_of_ten};
use rubellite_vm::object::{Int, integer::TooBig};

/// Digits carried beyond those asked for.
pub const GUARD: u64 = 16;

/// The square root of a positive number to `digits` digits.
pub fn sqrt(f: &Finite, digits: u64, mode: Rounding) -> Result<Number, TooBig> {
    let wanted = 2 * (digits + GUARD);
    let mut shift = wanted.saturating_sub(f.digits());
    if (f.exponent - shift as i64) % 2 != 0 {
        shift += 1;
    }
    let raised = f.coefficient.mul(&power_of_ten(shift)?);
    let Some(root) = raised.isqrt() else { return Ok(Number::NaN) };
    let rest = root.mul(&root) != raised;
    Ok(Number::new(root, (f.exponent - shift as i64) / 2, false).round_digits(digits, mode, rest))
}

/// `x * y` of multiples of `unit`.
fn times(x: &Int, y: &Int, unit: &Int) -> Int {
    x.mul(y).div_floor(unit).unwrap_or(Int::ZERO)
}

/// A number as a multiple of `10 ** -places`, rounded down.
fn scaled(n: &Number, places: u64) -> Result<Int, TooBig> {
    n.shift(places as i64).to_int()
}

/// `e ** x` for `x` in units, `|x|` at most about 1: halved some times, summed as a series, squared again.
fn exp_units(x: &Int, places: u64) -> Result<Int, TooBig> {
    let halvings = ((places as f64).sqrt() as u64 + 4).min(4096);
    let extra = halvings / 3 + 8;
    let scale = power_of_ten(extra)?;
    let unit = power_of_ten(places + extra)?;
    let x = x.mul(&scale).shr_bits(halvings);
    let (mut sum, mut term, mut k) = (unit.add(&x), x.clone(), 2i64);
    while !term.is_zero() && term != Int::from(-1i64) {
        term = times(&term, &x, &unit).div_floor(&Int::from(k)).unwrap_or(Int::ZERO);
        sum = sum.add(&term);
        k += 1;
    }
    for _ in 0..halvings {
        sum = times(&sum, &sum, &unit);
    }
    Ok(sum.div_floor(&scale).unwrap_or(Int::ZERO))
}

/// `ln 10` in units.
fn ln_ten(places: u64) -> Result<Int, TooBig> {
    // 10 = 2 ** 3 * 5 / 4, and artanh sums logarithms of fractions near 1: ln 2 = 2 artanh(1/3), ln 5/4 = 2
    // artanh(1/9).
    let unit = power_of_ten(places)?;
    let artanh = |n: i64| -> Int {
        let square = Int::from(n * n);
        let mut power = unit.div_floor(&Int::from(n)).unwrap_or(Int::ZERO);
        let (mut sum, mut k) = (power.clone(), 3i64);
        while !power.is_zero() {
            power = power.div_floor(&square).unwrap_or(Int::ZERO);
            sum = sum.add(&power.div_floor(&Int::from(k)).unwrap_or(Int::ZERO));
            k += 2;
        }
        sum
    };
    Ok(artanh(3).mul(&Int::from(6i64)).add(&artanh(9).mul(&Int::from(2i64))))
}

/// `e ** x` of a finite number below 10 ** 20 to `digits` digits.
pub fn exp(x: &Finite, digits: u64, mode: Rounding) -> Result<Number, TooBig> {
    let whole = x.point().max(0) as u64;
    let places = digits + GUARD + whole;
    let number = Number::Finite(x.clone());
    // x = k ln 10 + r: the answer is 10 ** k times e ** r.
    let ten = ln_ten(places)?;
    let units = scaled(&number, places)?;
    let Some((k, rest)) = units.divmod(&ten) else { return Ok(Number::NaN) };
    let result = exp_units(&rest, places)?;
    let Some(k) = k.to_i64() else { return Ok(if x.negative { Number::Zero(false) } else { Number::Inf(false) }) };
    Ok(Number::new(result, -(places as i64), false).shift(k).round_digits(digits, mode, true))
}

/// The natural logarithm of a positive number other than 1, to `digits` digits.
pub fn log(x: &Finite, digits: u64, mode: Rounding) -> Result<Number, TooBig> {
    // Near 1 the answer is small: as many digits more as are zeros in x - 1.
    let near = match Number::Finite(x.clone()).add(&Number::from_int(Int::from(-1i64)), false)? {
        Number::Finite(difference) if x.point().abs() <= 1 => difference.point().min(0).unsigned_abs(),
        _ => 0,
    };
    let places = digits + GUARD + near + 4;
    let point = x.point();
    // x = m * 10 ** point with m in 0.1...1; near 1 from above without the power of ten.
    let power = if near > 0 { 0 } else { point };
    let mantissa = Number::Finite(x.clone()).shift(-power);
    let m = scaled(&mantissa, places)?;
    let unit = power_of_ten(places)?;
    let start = mantissa.to_f64().ln();
    let mut y = scaled(&super::text::parse(format!("{start:e}").as_bytes()).unwrap_or(Number::Zero(false)), places)?;
    // y += 2 (m - e^y) / (m + e^y) triples the digits that are right.
    let mut right = 14u64;
    loop {
        let e = exp_units(&y, places)?;
        let (difference, sum) = (m.sub(&e), m.add(&e));
        let step = difference.add(&difference).mul(&unit).div_floor(&sum).unwrap_or(Int::ZERO);
        y = y.add(&step);
        if right > places {
            break;
        }
        right *= 3;
    }
    let result = if power == 0 {
        y
    } else {
        y.add(&ln_ten(places + 20)?.mul(&Int::from(power)).div_floor(&power_of_ten(20)?).unwrap_or(Int::ZERO))
    };
    Ok(Number::new(result, -(places as i64), false).round_digits(digits, mode, true))
}

/// `x ** n` exactly; none when the exponent leaves its range.
pub fn power_exact(x: &Finite, n: u64) -> Result<Number, TooBig> {
    let negative = x.negative && n % 2 == 1;
    let Some(exponent) = i64::try_from(n).ok().and_then(|n| x.exponent.checked_mul(n)) else {
        return Ok(if x.point() > 0 { Number::Inf(negative) } else { Number::Zero(negative) });
    };
    let coefficient = x.coefficient.pow(n)?;
    Ok(Number::new(if negative { coefficient.neg() } else { coefficient }, exponent, negative))
}

/// `x ** n` of a positive number by squaring, every product rounded to `digits`.
pub fn power_rounded(x: &Finite, n: u64, digits: u64, mode: Rounding) -> Number {
    let (mut result, mut square, mut n) = (Number::one(), Number::Finite(x.clone()), n);
    while n > 0 {
        if n % 2 == 1 {
            result = result.mul(&square).round_digits(digits, mode, false);
        }
        n /= 2;
        if n > 0 {
            square = square.mul(&square).round_digits(digits, mode, false);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bigdecimal::text::{Format, parse, write};

    fn finite(text: &str) -> Finite {
        match parse(text.as_bytes()) {
            Some(Number::Finite(f)) => f,
            _ => panic!("{text}"),
        }
    }

    fn shown(n: Result<Number, TooBig>) -> String {
        n.ok().and_then(|n| write(&n, Format { plain: true, ..Format::default() })).unwrap_or_default()
    }

    #[test]
    fn known_values() {
        assert_eq!(shown(sqrt(&finite("2"), 30, Rounding::HalfUp)), "1.41421356237309504880168872421");
        assert_eq!(shown(sqrt(&finite("1e-9"), 10, Rounding::HalfUp)), "0.0000316227766");
        assert_eq!(shown(exp(&finite("1"), 40, Rounding::HalfUp)), "2.718281828459045235360287471352662497757");
        assert_eq!(shown(exp(&finite("-20.5"), 10, Rounding::HalfUp)), "0.000000001250152866");
        assert_eq!(shown(log(&finite("2"), 40, Rounding::HalfUp)), "0.6931471805599453094172321214581765680755");
        assert_eq!(shown(log(&finite("12345.678"), 20, Rounding::HalfUp)), "9.4210613212918319765");
        assert_eq!(shown(log(&finite("1.000001"), 12, Rounding::HalfUp)), "0.0000009999995");
    }
}
