//! HTML: the five characters that have a meaning.

use rubellite_encoding::Encoding;
use rubellite_vm::object::room;

/// The bytes that stand for a byte, behind them zeros, and how many they are.
const ENTITIES: [([u8; WIDTH], usize); 256] = {
    let mut entities = [([0; WIDTH], 1); 256];
    let mut byte = 0;
    while byte < entities.len() {
        entities[byte].0[0] = byte as u8;
        byte += 1;
    }
    entities[b'\'' as usize] = (*b"&#39;\0\0\0", 5);
    entities[b'&' as usize] = (*b"&amp;\0\0\0", 5);
    entities[b'"' as usize] = (*b"&quot;\0\0", 6);
    entities[b'<' as usize] = (*b"&lt;\0\0\0\0", 4);
    entities[b'>' as usize] = (*b"&gt;\0\0\0\0", 4);
    entities
};
const WIDTH: usize = 8;

/// How many bytes are looked at in one step.
const STEP: usize = 16;

/// How many bytes more than these stand for them. Sums of comparisons are what the compiler makes vector instructions
/// of.
fn growth(step: &[u8; STEP]) -> u8 {
    let is = |byte: u8, wanted: u8| u8::from(byte == wanted);
    step.iter().fold(0, |sum: u8, &byte| {
        let four = is(byte, b'&') + is(byte, b'\'');
        sum + 5 * is(byte, b'"') + 4 * four + 3 * (is(byte, b'<') + is(byte, b'>'))
    })
}

/// The escaped text; none when there is nothing to escape.
pub fn escape(bytes: &[u8]) -> Option<Vec<u8>> {
    let (steps, rest) = bytes.as_chunks::<STEP>();
    let mut last = [0; STEP];
    last[..rest.len()].copy_from_slice(rest);
    let more: usize = steps.iter().chain([&last]).map(|step| usize::from(growth(step))).sum();
    if more == 0 {
        return None;
    }
    let len = bytes.len() + more;
    // Entries of the table and steps are written whole, and what follows over their ends.
    let mut out = room(len + STEP + WIDTH);
    out.resize(len + STEP + WIDTH, 0);
    let mut end = 0;
    for step in steps.iter().chain([&last]) {
        if growth(step) == 0 {
            out[end..end + STEP].copy_from_slice(step);
            end += STEP;
            continue;
        }
        for byte in step {
            let (entity, width) = &ENTITIES[usize::from(*byte)];
            out[end..end + WIDTH].copy_from_slice(entity);
            end += width;
        }
    }
    out.truncate(len);
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
        assert_eq!(escape(b"<").as_deref(), Some(&b"&lt;"[..]));
        assert_eq!(escape(&[b'"'; 40]).map(|text| text.len()), Some(240));
        assert_eq!(
            escape(b"a text of more than a step, & so on").as_deref(),
            Some(&b"a text of more than a step, &amp; so on"[..])
        );
        assert_eq!(escape(b"<a href='x'>&").as_deref(), Some(&b"&lt;a href=&#39;x&#39;&gt;&amp;"[..]));
        let back = unescape(b"&lt;&#65;&#x42;&#xZ;&nope;&amp", Encoding::UTF_8);
        assert_eq!(back.as_deref(), Some(&b"<AB&#xZ;&nope;&amp"[..]));
    }
}
