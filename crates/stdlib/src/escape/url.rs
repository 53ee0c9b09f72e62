//! URLs: percent encoding.

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'~')
}

/// The escaped text; none when there is nothing to escape. `plus`: a space becomes "+".
pub fn escape(bytes: &[u8], plus: bool) -> Option<Vec<u8>> {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let first = bytes.iter().position(|b| !is_plain(*b))?;
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 2 + 16);
    out.extend_from_slice(&bytes[..first]);
    for &byte in &bytes[first..] {
        if is_plain(byte) {
            out.push(byte);
        } else if plus && byte == b' ' {
            out.push(b'+');
        } else {
            out.extend_from_slice(&[b'%', HEX[(byte >> 4) as usize], HEX[(byte & 15) as usize]]);
        }
    }
    Some(out)
}

/// The text with its escapes replaced; none when there are none. `plus`: "+" becomes a space.
pub fn unescape(bytes: &[u8], plus: bool) -> Option<Vec<u8>> {
    let first = bytes.iter().position(|b| *b == b'%' || plus && *b == b'+')?;
    let mut out = Vec::with_capacity(bytes.len());
    out.extend_from_slice(&bytes[..first]);
    let mut at = first;
    let digit = |at: usize| bytes.get(at).and_then(|b| (*b as char).to_digit(16));
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'%'
            && let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2))
        {
            out.push((high << 4 | low) as u8);
            at += 3;
            continue;
        }
        out.push(if plus && byte == b'+' { b' ' } else { byte });
        at += 1;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        assert_eq!(escape("a b&é~".as_bytes(), true).as_deref(), Some(&b"a+b%26%C3%A9~"[..]));
        assert_eq!(escape(b"a b", false).as_deref(), Some(&b"a%20b"[..]));
        assert_eq!(unescape(b"a+b%26%4%zz%", true).as_deref(), Some(&b"a b&%4%zz%"[..]));
    }
}
