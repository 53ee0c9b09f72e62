//! Formatting of floats and exact fractions: `%f %e %E %g %G %a %A`. Integers and Rationals are printed exactly by
//! `%f`.

use super::tie::{self, Place};
use super::{Spec, reserve};
use crate::num::{self, Num};
use crate::{integer, kernel};
use rubellite_vm::object::{Float, Int};
use rubellite_vm::{Ctx, Result, Value};

const DEFAULT_PRECISION: usize = 6;

/// No double has more decimal digits behind the point; further ones are zeros.
const DIGITS_MAX: usize = 1100;

/// Appends a number.
pub fn convert(ctx: &mut Ctx, out: &mut Vec<u8>, spec: &Spec, value: Value, letter: u8) -> Result<()> {
    if letter == b'f' {
        match num::kind(value) {
            Num::Int(n) => return exact(ctx, out, spec, &n, &Int::ONE),
            Num::Rational(r) => {
                let (n, d) = r.parts();
                return exact(ctx, out, spec, &n, &d);
            }
            _ => {}
        }
    }
    let value = kernel::to_float(ctx, value)?;
    let f = Float::value_of(value).unwrap_or(0.0);
    if !f.is_finite() {
        let digits = if f.is_nan() { "NaN" } else { "Inf" };
        return pad(ctx, out, spec, f < 0.0, b"", digits.as_bytes(), 0, false);
    }
    let magnitude = f.abs();
    let (prefix, body, zeros): (&[u8], String, usize) = match letter {
        b'f' => {
            let (body, zeros) = fixed(magnitude, spec.precision.unwrap_or(DEFAULT_PRECISION), spec.sharp);
            (b"", body, zeros)
        }
        b'e' | b'E' => (b"", exponential(magnitude, spec.precision.unwrap_or(DEFAULT_PRECISION), spec.sharp), 0),
        b'g' | b'G' => (b"", general(magnitude, spec.precision.unwrap_or(DEFAULT_PRECISION), spec.sharp), 0),
        _ => (b"0x", hexadecimal(magnitude, spec.precision, spec.sharp), 0),
    };
    let mut text = body;
    let mut prefix = prefix.to_vec();
    if letter.is_ascii_uppercase() {
        text.make_ascii_uppercase();
        prefix.make_ascii_uppercase();
    }
    pad(ctx, out, spec, f.is_sign_negative(), &prefix, text.as_bytes(), zeros, true)
}

/// Writes sign, prefix, digits and trailing zeros, padded to the width.
#[allow(clippy::too_many_arguments)]
fn pad(
    ctx: &mut Ctx,
    out: &mut Vec<u8>,
    spec: &Spec,
    negative: bool,
    prefix: &[u8],
    digits: &[u8],
    zeros: usize,
    finite: bool,
) -> Result<()> {
    let sign = match (negative, spec.plus, spec.space) {
        (true, _, _) => Some(b'-'),
        (_, true, _) => Some(b'+'),
        (_, _, true) => Some(b' '),
        _ => None,
    };
    let len = sign.is_some() as usize + prefix.len() + digits.len() + zeros;
    let fill = spec.width.unwrap_or(0).saturating_sub(len);
    reserve(ctx, out, len + fill)?;
    let by_zeros = spec.zero && !spec.minus && finite;
    if !spec.minus && !by_zeros {
        out.resize(out.len() + fill, b' ');
    }
    out.extend(sign);
    out.extend_from_slice(prefix);
    if by_zeros {
        out.resize(out.len() + fill, b'0');
    }
    out.extend_from_slice(digits);
    out.resize(out.len() + zeros, b'0');
    if spec.minus {
        out.resize(out.len() + fill, b' ');
    }
    Ok(())
}

/// An exact fraction with the digits behind the point rounded half up.
fn exact(ctx: &mut Ctx, out: &mut Vec<u8>, spec: &Spec, n: &Int, d: &Int) -> Result<()> {
    let precision = spec.precision.unwrap_or(DEFAULT_PRECISION);
    let negative = n.is_negative();
    if *d == Int::ONE {
        let mut text = integer::big_to_radix(ctx, &n.abs(), 10)?;
        if precision > 0 {
            text.push('.');
        }
        return pad(ctx, out, spec, negative, b"", text.as_bytes(), precision, true);
    }
    let Ok(scale) = Int::power_of_ten(precision as u64) else {
        return Err(ctx.argument_error("exponent is too large"));
    };
    let half = d.shr_bits(1);
    let (scaled, _) = integer::divide(ctx, &n.abs().mul(&scale).add(&half), d)?;
    let mut text = integer::big_to_radix(ctx, &scaled, 10)?;
    if text.len() <= precision {
        text.insert_str(0, &"0".repeat(precision + 1 - text.len()));
    }
    if precision > 0 {
        text.insert(text.len() - precision, '.');
    }
    pad(ctx, out, spec, negative, b"", text.as_bytes(), 0, true)
}

/// `%f`: the text, and how many zeros follow it.
fn fixed(f: f64, precision: usize, sharp: bool) -> (String, usize) {
    let shown = precision.min(DIGITS_MAX);
    let write = |more: usize| format!("{f:.*}", shown + more);
    let mut text = if tie::is_tie(f, Place::AfterPoint(shown)) { tie::rounded(write).0 } else { write(0) };
    if precision == 0 && sharp {
        text.push('.');
    }
    (text, precision - shown)
}

/// Decimal digits (`precision` + 1 of them) and exponent.
fn scientific(f: f64, precision: usize) -> (String, i32) {
    let shown = precision.min(DIGITS_MAX);
    let write = |more: usize| format!("{f:.*e}", shown + more);
    let text = write(0);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut exponent = exponent.parse().unwrap_or(0);
    let plain = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let mut digits = plain(mantissa);
    if tie::is_tie(f, Place::Significant(shown + 1)) {
        // With more digits the exponent is that of the number itself, not of the number rounded up.
        let long = write(tie::BEHIND);
        let (mantissa, before) = long.split_once('e').unwrap_or((&long, "0"));
        let (text, carried) = tie::rounded(|_| mantissa.to_string());
        digits = plain(&text);
        digits.truncate(shown + 1);
        exponent = before.parse().unwrap_or(0) + i32::from(carried);
    }
    digits.extend(std::iter::repeat_n('0', precision - shown));
    (digits, exponent)
}

fn with_exponent(digits: &str, exponent: i32, sharp: bool) -> String {
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() && !sharp { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{first}{point}{rest}e{sign}{:02}", exponent.abs())
}

/// `%e`
fn exponential(f: f64, precision: usize, sharp: bool) -> String {
    let (digits, exponent) = scientific(f, precision);
    with_exponent(&digits, exponent, sharp)
}

/// `%g`: `%e` for very large and small numbers, else `%f`; without trailing zeros unless `#`.
fn general(f: f64, precision: usize, sharp: bool) -> String {
    let precision = precision.max(1);
    let (digits, exponent) = scientific(f, precision - 1);
    let significant = if sharp { digits.as_str() } else { digits.trim_end_matches('0') };
    let significant = if significant.is_empty() { "0" } else { significant };
    if exponent < -4 || exponent >= precision as i32 {
        return with_exponent(significant, exponent, sharp);
    }
    if exponent < 0 {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("0.{zeros}{significant}");
    }
    let whole = exponent as usize + 1;
    let mut text = digits[..whole].to_string();
    let fraction = significant.get(whole..).unwrap_or("");
    if !fraction.is_empty() || sharp {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// `%a` without its `0x`.
fn hexadecimal(f: f64, precision: Option<usize>, sharp: bool) -> String {
    let bits = f.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let biased = (bits >> 52) as i32;
    let (mut mantissa, mut exponent) = match biased {
        0 if fraction == 0 => (0, 0),
        0 => {
            // A subnormal number, shifted until its first bit is in front of the point.
            let shift = fraction.leading_zeros() as i32 - 11;
            (fraction << shift, -1022 - shift)
        }
        _ => (fraction | 1 << 52, biased - 1023),
    };
    let mut zeros = 0;
    if let Some(precision) = precision {
        let dropped = 13usize.saturating_sub(precision) as u32 * 4;
        zeros = precision.saturating_sub(13);
        if dropped > 0 {
            let (kept, rest, half) = (mantissa >> dropped, mantissa & ((1 << dropped) - 1), 1u64 << (dropped - 1));
            let up = rest > half || rest == half && kept & 1 == 1;
            mantissa = (kept + up as u64) << dropped;
        }
        if mantissa >> 53 != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let mut digits = format!("{:013x}", mantissa & ((1 << 52) - 1));
    match precision {
        Some(precision) => {
            digits.truncate(precision.min(13));
            digits.extend(std::iter::repeat_n('0', zeros));
        }
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let point = if digits.is_empty() && !sharp { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}{point}{digits}p{sign}{}", mantissa >> 52, exponent.abs())
}
