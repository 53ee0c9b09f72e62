//! Small integers and lengths as Marshal's format 4.8 has them. Time, which marshals itself, writes the same.

/// Appends a number in the form of lengths: one byte when it is small, else a count of bytes and these, little-endian.
/// Numbers have at most 32 bits; callers check.
pub fn write_long(out: &mut Vec<u8>, n: i64) {
    debug_assert!(i32::try_from(n).is_ok());
    match n {
        0 => out.push(0),
        1..=122 => out.push(n as u8 + 5),
        -123..=-1 => out.push((n - 5) as u8),
        _ => {
            let end = if n < 0 { -1 } else { 0 };
            let at = out.len();
            out.push(0);
            let (mut rest, mut count) = (n, 0);
            while rest != end {
                out.push(rest as u8);
                rest >>= 8;
                count += 1;
            }
            out[at] = if n < 0 { -count as i8 as u8 } else { count as u8 };
        }
    }
}

/// Reads what [`write_long`] wrote from the front of `bytes`; gives the number and how many bytes it took.
pub fn read_long(bytes: &[u8]) -> Option<(i64, usize)> {
    let first = *bytes.first()? as i8;
    match first {
        0 => Some((0, 1)),
        5.. => Some((first as i64 - 5, 1)),
        ..=-5 => Some((first as i64 + 5, 1)),
        _ => {
            let count = first.unsigned_abs() as usize;
            let mut n: i64 = if first < 0 { -1 } else { 0 };
            for (i, byte) in bytes.get(1..1 + count)?.iter().enumerate() {
                n &= !(0xff << (8 * i));
                n |= (*byte as i64) << (8 * i);
            }
            Some((n, 1 + count))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_go_both_ways() {
        for n in [
            0,
            1,
            122,
            123,
            255,
            256,
            65535,
            65536,
            i32::MAX as i64,
            -1,
            -123,
            -124,
            -256,
            -257,
            -65536,
            -65537,
            i32::MIN as i64,
        ] {
            let mut out = Vec::new();
            write_long(&mut out, n);
            assert_eq!(read_long(&out), Some((n, out.len())), "{n}");
        }
        assert_eq!(read_long(&[]), None);
        assert_eq!(read_long(&[3, 1]), None);
    }
}
