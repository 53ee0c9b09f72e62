//! JSON: the text of strings and numbers.

/// Which characters of a string are written as escapes beside those that must be.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Escapes {
    Least,
    /// Also `/`, U+2028 and U+2029, so that the text can stand in a script.
    ScriptSafe,
    /// Also all that is not ASCII.
    Ascii,
    AsciiScriptSafe,
}

const CHUNK: usize = 16;

#[inline(always)]
fn must_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Writes a string in quotes. `bytes` are valid UTF-8.
#[inline]
pub fn string(out: &mut Vec<u8>, bytes: &[u8], escapes: Escapes) {
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    if escapes == Escapes::Least {
        least(out, bytes);
    } else {
        more(out, bytes, escapes);
    }
    out.push(b'"');
}

fn least(out: &mut Vec<u8>, bytes: &[u8]) {
    let (mut run, mut at) = (0, 0);
    loop {
        while let Some(chunk) = bytes.get(at..at + CHUNK) {
            if chunk.iter().fold(false, |any, byte| any | must_escape(*byte)) {
                break;
            }
            at += CHUNK;
        }
        while at < bytes.len() && !must_escape(bytes[at]) {
            at += 1;
        }
        out.extend_from_slice(&bytes[run..at]);
        let Some(&byte) = bytes.get(at) else { return };
        escape_byte(out, byte);
        at += 1;
        run = at;
    }
}

fn escape_byte(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' | b'/' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        8 => b'b',
        12 => b'f',
        _ => return escape_unit(out, byte as u16),
    };
    out.extend_from_slice(&[b'\\', short]);
}

fn escape_unit(out: &mut Vec<u8>, unit: u16) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let digit = |shift: u16| HEX[(unit >> shift & 15) as usize];
    out.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
}

fn more(out: &mut Vec<u8>, bytes: &[u8], escapes: Escapes) {
    let script = matches!(escapes, Escapes::ScriptSafe | Escapes::AsciiScriptSafe);
    let ascii = matches!(escapes, Escapes::Ascii | Escapes::AsciiScriptSafe);
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '\0'..='\x1F' | '"' | '\\' => escape_byte(out, char as u8),
                '/' if script => escape_byte(out, b'/'),
                '\u{2028}' | '\u{2029}' if script => escape_unit(out, char as u32 as u16),
                '\u{80}'.. if ascii => {
                    for unit in char.encode_utf16(&mut [0; 2]) {
                        escape_unit(out, *unit);
                    }
                }
                _ => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        out.extend_from_slice(chunk.invalid());
    }
}

/// Writes an integer.
pub fn integer(out: &mut Vec<u8>, n: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
}

/// Writes a finite float: the shortest digits that read back as the same float, without an exponent from 1e-9 up to
/// 1e15 (and for more digits below one).
pub fn float(out: &mut Vec<u8>, f: f64) {
    if f.is_sign_negative() {
        out.push(b'-');
    }
    if f == 0.0 {
        out.extend_from_slice(b"0.0");
        return;
    }
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(f.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = [0u8; 64];
    let mut len = 0;
    for byte in whole.bytes().chain(fraction.bytes()).take(digits.len()) {
        digits[len] = byte;
        len += 1;
    }
    // The value is DIGITS times ten to the `scale`.
    let mut scale = exponent.parse::<i32>().unwrap_or(0) - fraction.len() as i32;
    while len > 1 && digits[len - 1] == b'0' {
        len -= 1;
        scale += 1;
    }
    let zeros = digits[..len - 1].iter().take_while(|b| **b == b'0').count();
    positional(out, &digits[zeros..len], scale);
}

fn positional(out: &mut Vec<u8>, digits: &[u8], scale: i32) {
    let count = digits.len() as i32;
    let exponent = (scale + count - 1).abs();
    let zeros = |out: &mut Vec<u8>, n: i32| out.resize(out.len() + n.max(0) as usize, b'0');
    if scale >= 0 && exponent < 15 {
        out.extend_from_slice(digits);
        zeros(out, scale);
        out.extend_from_slice(b".0");
    } else if scale < 0 && (scale > -7 || exponent < 10) {
        let point = count + scale;
        if point <= 0 {
            out.extend_from_slice(b"0.");
            zeros(out, -point);
            out.extend_from_slice(digits);
        } else {
            let (whole, fraction) = digits.split_at(point as usize);
            out.extend_from_slice(whole);
            out.push(b'.');
            out.extend_from_slice(fraction);
        }
    } else {
        out.push(digits[0]);
        if count > 1 {
            out.push(b'.');
            out.extend_from_slice(&digits[1..]);
        }
        out.extend_from_slice(if scale + count - 1 < 0 { b"e-" } else { b"e+" });
        integer(out, exponent as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(f: f64) -> String {
        let mut out = Vec::new();
        float(&mut out, f);
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn writes_floats() {
        for (f, text) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e20, "1e+20"),
            (1.5e-7, "0.00000015"),
            (123456789.123, "123456789.123"),
            (1e-20, "1e-20"),
        ] {
            assert_eq!(shown(f), text);
        }
    }

    #[test]
    fn escapes() {
        let mut out = Vec::new();
        string(&mut out, "aé\n/\u{2028}\u{1F600}".as_bytes(), Escapes::AsciiScriptSafe);
        assert_eq!(String::from_utf8_lossy(&out), r#""a\u00e9\n\/\u2028\ud83d\ude00""#);
    }
}
