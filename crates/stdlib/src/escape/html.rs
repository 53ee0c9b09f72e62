//! HTML: the five characters that have a meaning.

use rubellite_encoding::Encoding;

fn entity(byte: u8) -> Option<&'static [u8]> {
    Some(match byte {
        b'\'' => b"&#39;",
        b'&' => b"&amp;",
        b'"' => b"&quot;",
        b'<' => b"&lt;",
        b'>' => b"&gt;",
        _ => return None,
    })
}

/// The escaped text; none when there is nothing to escape.
pub fn escape(bytes: &[u8]) -> Option<Vec<u8>> {
    let first = bytes.iter().position(|b| entity(*b).is_some())?;
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8 + 16);
    out.extend_from_slice(&bytes[..first]);
    for byte in &bytes[first..] {
        match entity(*byte) {
            Some(text) => out.extend_from_slice(text),
            None => out.push(*byte),
        }
    }
    Some(out)
}

/// The text with its character references replaced; none when there are none. Numeric ones beyond what the encoding
/// holds stay.
pub fn unescape(bytes: &[u8], encoding: Encoding) -> Option<Vec<u8>> {
    let mut next = memchr::memchr(b'&', bytes)?;
    let mut out = Vec::with_capacity(bytes.len());
    let mut done = 0;
    loop {
        out.extend_from_slice(&bytes[done..next]);
        done = next
            + 1
            + match reference(&bytes[next + 1..], encoding, &mut out) {
                Some(len) => len,
                None => {
                    out.push(b'&');
                    0
                }
            };
        match memchr::memchr(b'&', &bytes[done..]) {
            Some(at) => next = done + at,
            None => break,
        }
    }
    out.extend_from_slice(&bytes[done..]);
    Some(out)
}

/// Writes the character of the reference that begins behind its `&`; gives its length with the semicolon.
fn reference(bytes: &[u8], encoding: Encoding, out: &mut Vec<u8>) -> Option<usize> {
    for (name, byte) in [(&b"amp;"[..], b'&'), (b"lt;", b'<'), (b"gt;", b'>'), (b"quot;", b'"'), (b"apos;", b'\'')] {
        if bytes.starts_with(name) {
            out.push(byte);
            return Some(name.len());
        }
    }
    let digits = bytes.strip_prefix(b"#")?;
    let (radix, digits, prefix) = match digits {
        [b'x' | b'X', rest @ ..] => (16, rest, 2),
        rest => (10, rest, 1),
    };
    let count = digits.iter().take_while(|b| (**b as char).is_digit(radix)).count();
    if count == 0 || digits.get(count) != Some(&b';') {
        return None;
    }
    let code = digits[..count]
        .iter()
        .try_fold(0u32, |n, b| n.checked_mul(radix)?.checked_add((*b as char).to_digit(radix)?))?;
    let limit = match encoding {
        Encoding::UTF_8 => 0x10FFFF,
        Encoding::ISO_8859_1 => 256,
        _ => 128,
    };
    if code >= limit {
        return None;
    }
    if let (Encoding::UTF_8, 0xD800..=0xDFFF) = (encoding, code) {
        // No character, but a code point with bytes of its own: the text is not valid then.
        out.extend_from_slice(&[0xED, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8]);
        return Some(prefix + count + 1);
    }
    let mark = out.len();
    if encoding.encode_code_point(code, out).is_err() {
        out.truncate(mark);
        return None;
    }
    Some(prefix + count + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        assert_eq!(escape(b"plain"), None);
        assert_eq!(escape(b"<a href='x'>&").as_deref(), Some(&b"&lt;a href=&#39;x&#39;&gt;&amp;"[..]));
        let back = unescape(b"&lt;&#65;&#x42;&#xZ;&nope;&amp", Encoding::UTF_8);
        assert_eq!(back.as_deref(), Some(&b"<AB&#xZ;&nope;&amp"[..]));
    }
}
