//! Which conversions exist and how they chain. Most go through UTF-8; a few pairs convert
//! directly. What a conversion does is `step.rs`.

use std::collections::VecDeque;

use crate::{
    Encoding,
    tables::{cjk, emoji, emoji_exchange, single_byte},
};

/// Pairs that convert into each other without passing through UTF-8.
const DIRECT: [(Encoding, Encoding); 7] = [
    (Encoding::ISO_8859_1, Encoding::IBM037),
    (Encoding::EUC_JP, Encoding::SHIFT_JIS),
    (Encoding::EUC_JP, Encoding::STATELESS_ISO_2022_JP),
    (Encoding::STATELESS_ISO_2022_JP, Encoding::ISO_2022_JP),
    (Encoding::CP51932, Encoding::CP50220),
    (Encoding::CP51932, Encoding::CP50221),
    (Encoding::STATELESS_ISO_2022_JP_KDDI, Encoding::ISO_2022_JP_KDDI),
];

/// Whether the encoding converts from and to UTF-8 in one step.
fn converts_with_utf8(enc: Encoding) -> bool {
    match enc {
        Encoding::UTF_8 | Encoding::UTF8_DOCOMO | Encoding::UTF8_KDDI | Encoding::UTF8_SOFTBANK => false,
        Encoding::US_ASCII | Encoding::BINARY => true,
        _ if enc.is_unicode() => true,
        _ => single_byte::high_half(enc).is_some() || cjk::multi_byte(enc).is_some(),
    }
}

/// Whether one step converts `from` to `to`.
pub(super) fn is_direct(from: Encoding, to: Encoding) -> bool {
    match (from, to) {
        (from, to) if emoji_exchange::exchange(from, to).is_some() => true,
        (Encoding::UTF_8, other) | (other, Encoding::UTF_8) => converts_with_utf8(other),
        (from, to) if emoji::utf8_form(from) == Some(to) || emoji::utf8_form(to) == Some(from) => true,
        pair => DIRECT.iter().any(|&(a, b)| pair == (a, b) || pair == (b, a)),
    }
}

/// The shortest chain of conversions, as `Encoding::Converter.search_convpath` shows it.
/// Nothing where there is none, which includes an encoding with itself.
pub fn search_path(from: Encoding, to: Encoding) -> Option<Vec<(Encoding, Encoding)>> {
    if from == to {
        return None;
    }
    let mut came_from = [None; Encoding::COUNT];
    came_from[from.index()] = Some(from);
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        for next in Encoding::all() {
            if came_from[next.index()].is_none() && is_direct(at, next) {
                came_from[next.index()] = Some(at);
                queue.push_back(next);
            }
        }
        if came_from[to.index()].is_some() {
            break;
        }
    }
    let mut path = Vec::new();
    let mut at = to;
    while at != from {
        let previous = came_from[at.index()]?;
        path.push((previous, at));
        at = previous;
    }
    path.reverse();
    Some(path)
}

/// `Encoding::Converter.asciicompat_encoding`: what to convert text to before it is decorated,
/// for an encoding that is not compatible with ASCII.
pub fn ascii_compatible_counterpart(enc: Encoding) -> Option<Encoding> {
    match enc {
        Encoding::ISO_2022_JP => Some(Encoding::STATELESS_ISO_2022_JP),
        Encoding::CP50220 | Encoding::CP50221 => Some(Encoding::CP51932),
        Encoding::IBM037 => Some(Encoding::ISO_8859_1),
        Encoding::ISO_2022_JP_KDDI => Some(Encoding::STATELESS_ISO_2022_JP_KDDI),
        _ if enc.is_unicode() && !enc.is_utf8_family() && enc != Encoding::CESU_8 => Some(Encoding::UTF_8),
        _ => None,
    }
}

/// The name that messages about a conversion use: Windows and Macintosh code pages are
/// spelled in capitals there.
pub fn conversion_name(enc: Encoding) -> String {
    let name = enc.name();
    let capitals = (name.starts_with("Windows") && enc != Encoding::WINDOWS_31J) || name.starts_with("mac");
    if capitals { name.to_ascii_uppercase() } else { name.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let (u, e, s) = (Encoding::UTF_8, Encoding::EUC_JP, Encoding::SHIFT_JIS);
        assert_eq!(search_path(e, Encoding::UTF_16LE), Some(vec![(e, u), (u, Encoding::UTF_16LE)]));
        assert_eq!(search_path(e, s), Some(vec![(e, s)]));
        assert_eq!(search_path(u, u), None);
        assert_eq!(search_path(u, Encoding::UTF_7), None);
        let stateless = Encoding::STATELESS_ISO_2022_JP;
        let jis = Encoding::ISO_2022_JP;
        assert_eq!(search_path(u, jis), Some(vec![(u, e), (e, stateless), (stateless, jis)]));
    }
}
