//! `\p{Age=6.0}`: the characters that a version of Unicode has, which the engine's tables do not know. They are written
//! out as a class.

use regex_syntax::hir::{Class, HirKind};

/// A version of Unicode by its two numbers, and whether its characters are meant or the others.
struct Age {
    negated: bool,
    major: u8,
    minor: u8,
}

/// The age that a property's name says.
fn parse(name: &[u8]) -> Option<Age> {
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
    Some(Age { negated, major: major.parse().ok()?, minor: minor.parse().ok()? })
}

/// The characters of a version.
fn characters(major: u8, minor: u8) -> Option<Vec<(char, char)>> {
    let parsed = regex_syntax::Parser::new().parse(&format!(r"\p{{age={major}.{minor}}}")).ok()?;
    let HirKind::Class(Class::Unicode(class)) = parsed.into_kind() else { return None };
    Some(class.ranges().iter().map(|range| (range.start(), range.end())).collect())
}

/// The class of a property's name, if it is that of an age.
pub(crate) fn class(name: &[u8]) -> Option<Vec<u8>> {
    let age = parse(name)?;
    let mut out = if age.negated { b"[^".to_vec() } else { b"[".to_vec() };
    for (start, end) in characters(age.major, age.minor)? {
        out.extend_from_slice(escaped(start).as_bytes());
        out.push(b'-');
        out.extend_from_slice(escaped(end).as_bytes());
    }
    out.push(b']');
    Some(out)
}

/// A number for the age of a property's name: the version's first number and, in the low byte, the second.
pub(crate) fn number(name: &[u8]) -> Option<u16> {
    let age = parse(name).filter(|age| !age.negated)?;
    characters(age.major, age.minor)?;
    Some(u16::from_be_bytes([age.major, age.minor]))
}

/// The code points of an age, in order, with those of surrogates, which are as old as version 2.0.
pub(crate) fn points(number: u16) -> Option<Vec<(u32, u32)>> {
    let [major, minor] = number.to_be_bytes();
    let mut all: Vec<(u32, u32)> =
        characters(major, minor)?.into_iter().map(|(start, end)| (start as u32, end as u32)).collect();
    if major >= 2 {
        all.push((0xd800, 0xdfff));
        all.sort_unstable();
    }
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (start, end) in all {
        match joined.last_mut() {
            Some(last) if last.1 + 1 == start => last.1 = end,
            _ => joined.push((start, end)),
        }
    }
    Some(joined)
}

/// A character as a class takes it.
fn escaped(c: char) -> String {
    if c.is_ascii() { format!("\\x{:02x}", c as u32) } else { c.to_string() }
}

#[cfg(test)]
mod tests {
    use super::{class, number, points};

    #[test]
    fn names_of_ages() {
        assert!(class(b"Age=6.0").is_some_and(|class| class.starts_with(b"[")));
        assert!(class(b"^age=15.1").is_some_and(|class| class.starts_with(b"[^")));
        assert_eq!(class(b"Age=99.0"), None);
        assert_eq!(class(b"Alpha"), None);
        assert_eq!(class(b"age=6.0}x"), None);
        assert_eq!(number(b"AGE=15_.1"), Some(15 << 8 | 1));
        assert_eq!([number(b"^age=6.0"), number(b"age=99.0"), number(b"alpha")], [None; 3]);
    }

    #[test]
    fn points_of_ages() {
        let has = |number, point| points(number).unwrap().iter().any(|(start, end)| (*start..=*end).contains(&point));
        assert!(has(2 << 8, 0xd800) && !has(1 << 8 | 1, 0xd800));
        assert!(has(6 << 8, 0x1f600) != has(6 << 8 | 1, 0x1f600));
        let joined = points(2 << 8).unwrap();
        assert!(joined.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0));
        assert_eq!(points(99 << 8), None);
    }
}
