//! `\p{Age=6.0}`: the characters that a version of Unicode has, which the engine's tables do not know. They are written
//! out as a class.

use regex_syntax::hir::{Class, HirKind};

/// The class of a property's name, if it is that of an age.
pub(crate) fn class(name: &[u8]) -> Option<Vec<u8>> {
    let plain: String = name.iter().filter(|b| !matches!(b, b' ' | b'_' | b'-')).map(|b| *b as char).collect();
    let (negated, plain) = match plain.strip_prefix('^') {
        Some(rest) => (true, rest),
        None => (false, plain.as_str()),
    };
    let version = plain.get(..4).filter(|head| head.eq_ignore_ascii_case("age="))?.len();
    let (major, minor) = plain[version..].split_once('.')?;
    if ![major, minor].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())) {
        return None;
    }
    let parsed = regex_syntax::Parser::new().parse(&format!(r"\p{{age={major}.{minor}}}")).ok()?;
    let HirKind::Class(Class::Unicode(class)) = parsed.into_kind() else { return None };
    let mut out = if negated { b"[^".to_vec() } else { b"[".to_vec() };
    for range in class.ranges() {
        out.extend_from_slice(escaped(range.start()).as_bytes());
        out.push(b'-');
        out.extend_from_slice(escaped(range.end()).as_bytes());
    }
    out.push(b']');
    Some(out)
}

/// A character as a class takes it.
fn escaped(c: char) -> String {
    if c.is_ascii() { format!("\\x{:02x}", c as u32) } else { c.to_string() }
}

#[cfg(test)]
mod tests {
    use super::class;

    #[test]
    fn names_of_ages() {
        assert!(class(b"Age=6.0").is_some_and(|class| class.starts_with(b"[")));
        assert!(class(b"^age=15.1").is_some_and(|class| class.starts_with(b"[^")));
        assert_eq!(class(b"Age=99.0"), None);
        assert_eq!(class(b"Alpha"), None);
        assert_eq!(class(b"age=6.0}x"), None);
    }
}
