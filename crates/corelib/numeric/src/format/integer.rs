//! Formatting of integers: `%d %i %u %o %x %X %b %B`. Negative numbers in the bases 2, 8 and 16 show as endless two's
//! complement (`..f01`) unless a sign was asked for.

use super::{Spec, reserve};
use crate::integer::big_to_radix;
use crate::kernel;
use rubellite_vm::object::Int;
use rubellite_vm::{Ctx, Result, Value};

/// Appends an integer.
pub fn convert(ctx: &mut Ctx, out: &mut Vec<u8>, spec: Spec, value: Value, letter: u8) -> Result<()> {
    let value = kernel::to_integer(ctx, value)?;
    let n = Int::try_of(value).unwrap_or(Int::ZERO);
    let radix = match letter {
        b'o' => 8,
        b'x' | b'X' => 16,
        b'b' | b'B' => 2,
        _ => 10,
    };
    let signed = radix == 10 || spec.plus || spec.space;
    let endless = !signed && n.is_negative();
    let mut digits =
        if endless { complement_digits(&n, radix) } else { big_to_radix(ctx, &n.abs(), radix)?.into_bytes() };
    if letter == b'X' {
        digits.make_ascii_uppercase();
    }
    let sign = match (n.is_negative(), spec.plus, spec.space) {
        _ if !signed => None,
        (true, _, _) => Some(b'-'),
        (_, true, _) => Some(b'+'),
        (_, _, true) => Some(b' '),
        _ => None,
    };
    let parts = Parts { digits, sign, endless, letter };
    parts.append(ctx, out, &spec)
}

/// The shortest two's complement digits of a negative number: the first one is the highest digit, and
/// stands for endlessly many of it.
fn complement_digits(n: &Int, radix: u32) -> Vec<u8> {
    let bits = radix.trailing_zeros() as u64;
    let count = n.bit_length().div_ceil(bits) + 1;
    // 2^(bits * count) + n has the digits of the complement.
    let modulus = Int::ONE.shl_bits(bits * count).unwrap_or(Int::ONE);
    let text = modulus.add(n).to_radix(radix).into_bytes();
    let repeated = text.iter().take_while(|d| **d == top_digit(radix)).count();
    text[repeated.saturating_sub(1)..].to_vec()
}

/// The highest digit of a radix.
fn top_digit(radix: u32) -> u8 {
    match radix {
        2 => b'1',
        8 => b'7',
        _ => b'f',
    }
}

/// The pieces of one number.
struct Parts {
    digits: Vec<u8>,
    sign: Option<u8>,
    endless: bool,
    letter: u8,
}

impl Parts {
    /// What `#` puts in front.
    fn prefix(&mut self, spec: &Spec, precision: &mut i64) -> &'static [u8] {
        let zero = self.digits == b"0";
        if !spec.sharp {
            return b"";
        }
        match self.letter {
            b'o' if self.endless => b"",
            b'o' if zero => {
                self.digits.clear();
                if spec.precision.is_some() {
                    *precision -= 1;
                }
                b"0"
            }
            b'o' if spec.precision.is_some() && *precision > self.digits.len() as i64 => b"",
            b'o' => b"0",
            _ if zero => b"",
            b'x' => b"0x",
            b'X' => b"0X",
            b'b' => b"0b",
            b'B' => b"0B",
            _ => b"",
        }
    }

    fn append(mut self, ctx: &mut Ctx, out: &mut Vec<u8>, spec: &Spec) -> Result<()> {
        let dots: &[u8] = if self.endless { b".." } else { b"" };
        let mut precision = spec.precision.map_or(-1, |p| p as i64) - dots.len() as i64;
        let prefix = self.prefix(spec, &mut precision);
        let taken = self.sign.is_some() as i64 + dots.len() as i64 + prefix.len() as i64;
        let mut width = spec.width.map_or(-1, |w| w as i64) - taken;
        let len = self.digits.len() as i64;
        if spec.zero && !spec.minus && spec.precision.is_none() {
            precision = width;
            width = 0;
        } else {
            if precision < len {
                if prefix.is_empty() && precision == 0 && self.digits == b"0" {
                    self.digits.clear();
                }
                precision = self.digits.len() as i64;
            }
            width -= precision;
        }
        let len = self.digits.len() as i64;
        let (blanks, fill) = (width.max(0) as usize, (precision - len).max(0) as usize);
        reserve(ctx, out, blanks + fill + self.digits.len() + 8)?;
        if !spec.minus {
            out.resize(out.len() + blanks, b' ');
        }
        out.extend(self.sign);
        out.extend_from_slice(prefix);
        out.extend_from_slice(dots);
        let filler = if self.endless { self.high_digit() } else { b'0' };
        out.resize(out.len() + fill, filler);
        out.extend_from_slice(&self.digits);
        if spec.minus {
            out.resize(out.len() + blanks, b' ');
        }
        Ok(())
    }

    fn high_digit(&self) -> u8 {
        match self.letter {
            b'o' => b'7',
            b'x' => b'f',
            b'X' => b'F',
            _ => b'1',
        }
    }
}
