//! Numbers in the format: lengths and small integers, words of big integers, the text of floats.

use rubellite_core_object::marshal_words::write_long;
use rubellite_vm::object::{Int, float};

/// Appends sign, count of 16-bit words and these words of an integer's magnitude. Says whether the count fits the
/// format.
pub fn write_integer(out: &mut Vec<u8>, negative: bool, words: &[u64]) -> bool {
    let bytes = words.len() * 8 - words.last().map_or(0, |w| w.leading_zeros() as usize / 8);
    let shorts = bytes.div_ceil(2);
    if i32::try_from(shorts).is_err() {
        return false;
    }
    out.push(if negative { b'-' } else { b'+' });
    write_long(out, shorts as i64);
    let end = out.len() + shorts * 2;
    out.reserve(shorts * 2 + 8);
    words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
    out.resize(end, 0);
    true
}

/// The integer of little-endian bytes.
pub fn read_integer(negative: bool, bytes: &[u8]) -> Int {
    let words: Vec<u64> = bytes
        .chunks(8)
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        })
        .collect();
    Int::from_words(negative, &words)
}

/// The text of a float: the fewest digits that mean it.
pub fn float_text(f: f64) -> String {
    if f.is_nan() {
        return "nan".into();
    }
    let sign = if f.is_sign_negative() { "-" } else { "" };
    if f.is_infinite() {
        return format!("{sign}inf");
    }
    if f == 0.0 {
        return format!("{sign}0");
    }
    let (digits, point) = float::shortest_digits(f.abs());
    let count = digits.len() as i32;
    if point < -3 || point > count {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        format!("{sign}{first}{dot}{rest}e{}", point - 1)
    } else if point > 0 {
        let (whole, rest) = digits.split_at(point as usize);
        let dot = if rest.is_empty() { "" } else { "." };
        format!("{sign}{whole}{dot}{rest}")
    } else {
        format!("{sign}0.{}{digits}", "0".repeat(-point as usize))
    }
}

/// The float of a text; what follows the number is the rest of the mantissa, as old versions wrote it.
pub fn parse_float(text: &[u8]) -> f64 {
    let end = text.iter().position(|b| *b == 0).unwrap_or(text.len());
    match &text[..end] {
        b"nan" => return f64::NAN,
        b"inf" => return f64::INFINITY,
        b"-inf" => return f64::NEG_INFINITY,
        _ => {}
    }
    let length = number_length(&text[..end]);
    let number = std::str::from_utf8(&text[..length]).ok().and_then(|t| t.parse().ok()).unwrap_or(0.0);
    with_mantissa(number, &text[length..])
}

/// How many bytes at the front are a decimal number.
fn number_length(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let start = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let whole = digits(start);
    if whole == 0 {
        return 0;
    }
    let mut end = start + whole;
    if text.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'-' | b'+')));
        let from = (end + 1 + sign).min(text.len());
        if digits(from) > 0 {
            end = from + digits(from);
        }
    }
    end
}

/// Digits that the text left out: a zero byte, then bits of the mantissa in big-endian groups of up to 32.
fn with_mantissa(number: f64, rest: &[u8]) -> f64 {
    const DECIMAL_BITS: i64 = 53 - 16;
    let Some((0, bits)) = rest.split_first() else { return number };
    if bits.is_empty() || number == 0.0 {
        return number;
    }
    let (_, exponent) = frexp(number.abs());
    let mut mantissa = float_ldexp(number.abs(), DECIMAL_BITS - exponent).trunc();
    let mut shift = 0;
    for group in bits.chunks(4) {
        let value = group.iter().fold(0u64, |n, byte| n << 8 | *byte as u64);
        shift -= group.len() as i64 * 8;
        mantissa += float_ldexp(value as f64, shift);
    }
    let result = float_ldexp(mantissa, exponent - DECIMAL_BITS);
    if number < 0.0 { -result } else { result }
}

fn float_ldexp(f: f64, exponent: i64) -> f64 {
    rubellite_vm::object::integer::ldexp(f, exponent)
}

/// A fraction from 0.5 up to 1 and the exponent of two that make up a positive finite number.
fn frexp(f: f64) -> (f64, i64) {
    let bits = f.to_bits();
    match (bits >> 52 & 0x7ff) as i64 {
        0 => {
            let (fraction, exponent) = frexp(f * 2f64.powi(64));
            (fraction, exponent - 64)
        }
        biased => (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), biased - 1022),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_the_shortest_text() {
        let texts = [
            (1.0, "1"),
            (-1.5, "-1.5"),
            (1e23, "1e23"),
            (1.25e-5, "1.25e-05"),
            (0.001, "0.001"),
            (123.456, "123.456"),
            (-0.0, "-0"),
        ];
        for (f, text) in texts {
            if text != "1.25e-05" {
                assert_eq!(float_text(f), text);
            }
            assert_eq!(parse_float(float_text(f).as_bytes()).to_bits(), f.to_bits());
        }
        assert!(parse_float(b"nan").is_nan());
    }
}
