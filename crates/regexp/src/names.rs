//! Names of groups: Ruby allows more characters in them than Oniguruma. A name with other characters than those of
//! words is written in hexadecimal digits behind a prefix where the engine sees it, and shown as it was everywhere
//! else.

const PREFIX: &[u8] = b"_0x";

fn is_word(name: &[u8]) -> bool {
    name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80)
}

/// The engine's name of a group that the pattern calls `name`. Numbers and what cannot be a name stay as they are.
pub(crate) fn encode(name: &[u8]) -> Vec<u8> {
    let number = name.first().is_none_or(|b| b.is_ascii_digit() || *b == b'-');
    if number || name.contains(&b')') || is_word(name) && !name.starts_with(PREFIX) {
        return name.to_vec();
    }
    let mut out = PREFIX.to_vec();
    for b in name {
        out.extend_from_slice(format!("{b:02x}").as_bytes());
    }
    out
}

/// The same of a reference, which may end in a number or a level: `name`, `-1`, `name+1`.
pub(crate) fn encode_reference(name: &[u8]) -> Vec<u8> {
    let Some(sign) = name.iter().rposition(|b| matches!(b, b'+' | b'-')) else { return encode(name) };
    if sign == 0 || !name[sign + 1..].iter().all(u8::is_ascii_digit) {
        return name.to_vec();
    }
    [encode(&name[..sign]), name[sign..].to_vec()].concat()
}

/// The name of a group as the pattern has it.
pub(crate) fn decode(name: &[u8]) -> Vec<u8> {
    match name.strip_prefix(PREFIX) {
        Some(digits) => decode_digits(digits).0,
        None => name.to_vec(),
    }
}

/// Bytes written in hexadecimal digits at the front, and how many digits those are.
fn decode_digits(digits: &[u8]) -> (Vec<u8>, usize) {
    let value = |b: u8| (b as char).to_digit(16);
    let bytes: Vec<u8> =
        digits.chunks_exact(2).map_while(|pair| Some((value(pair[0])? << 4 | value(pair[1])?) as u8)).collect();
    let len = bytes.len() * 2;
    (bytes, len)
}

/// A message of the engine with the names of the pattern.
pub(crate) fn decode_message(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find("<_0x") {
        out.push_str(&rest[..=at]);
        let (name, len) = decode_digits(&rest.as_bytes()[at + 1 + PREFIX.len()..]);
        out.push_str(&String::from_utf8_lossy(&name));
        rest = &rest[at + 1 + PREFIX.len() + len..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_the_engine() {
        for name in ["@bar", "a b", "_0x41", "$", "é-x"] {
            let encoded = encode(name.as_bytes());
            assert!(is_word(&encoded), "{name}");
            assert_eq!(decode(&encoded), name.as_bytes());
        }
        assert_eq!(encode(b"plain"), b"plain");
        assert_eq!(encode(b"-1"), b"-1");
        assert_eq!(encode_reference(b"a+1"), b"a+1");
        assert_eq!(encode_reference(b"@a-1"), [encode(b"@a").as_slice(), b"-1"].concat());
    }

    #[test]
    fn messages_show_the_pattern_s_names() {
        let message = format!("undefined name <{}> reference", String::from_utf8_lossy(&encode(b"@b")));
        assert_eq!(decode_message(&message), "undefined name <@b> reference");
    }
}
