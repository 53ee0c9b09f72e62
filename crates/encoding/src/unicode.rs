//! Grapheme clusters and normalization. Case is `case.rs`, character classes are `ctype.rs`.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use crate::{CodeRange, Encoding};

/// The four normal forms.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NormalizationForm {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
}

/// Normalizes text. Decode to `str` first; other Unicode encodings are transcoded by the caller. It asks now and then
/// whether it should stop: then nothing comes back.
pub fn normalize_until(text: &str, form: NormalizationForm, stop: &dyn Fn() -> bool) -> Option<String> {
    if text.is_ascii() {
        return Some(text.to_owned());
    }
    match form {
        NormalizationForm::Nfc => collect_until(text, text.nfc(), stop),
        NormalizationForm::Nfd => collect_until(text, text.nfd(), stop),
        NormalizationForm::Nfkc => collect_until(text, text.nfkc(), stop),
        NormalizationForm::Nfkd => collect_until(text, text.nfkd(), stop),
    }
}

fn collect_until(text: &str, chars: impl Iterator<Item = char>, stop: &dyn Fn() -> bool) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    for (step, c) in chars.enumerate() {
        if step & 0xffff == 0xffff && stop() {
            return None;
        }
        out.push(c);
    }
    Some(out)
}

pub fn is_normalized(text: &str, form: NormalizationForm) -> bool {
    match form {
        NormalizationForm::Nfc => unicode_normalization::is_nfc(text),
        NormalizationForm::Nfd => unicode_normalization::is_nfd(text),
        NormalizationForm::Nfkc => unicode_normalization::is_nfkc(text),
        NormalizationForm::Nfkd => unicode_normalization::is_nfkd(text),
    }
}

/// Splits a string into extended grapheme clusters; returns their byte lengths in order.
/// Broken bytes stand alone, and encodings outside Unicode yield their characters. It asks now and then whether it
/// should stop: then nothing comes back. A single cluster is not left before its end.
pub fn grapheme_clusters_until(enc: Encoding, bytes: &[u8], stop: &dyn Fn() -> bool) -> Option<Vec<usize>> {
    if !enc.is_unicode() || enc.is_dummy() {
        return lengths_until(enc.chars(bytes).map(<[u8]>::len), stop);
    }
    if enc.is_utf8_family()
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return lengths_until(text.graphemes(true).map(str::len), stop);
    }
    let mut lengths = Vec::new();
    let mut pos = 0;
    while pos < bytes.len() {
        let (text, sizes) = decode_run(enc, &bytes[pos..]);
        if text.is_empty() {
            let step = enc.step_len(&bytes[pos..]);
            lengths.push(step);
            pos += step;
            continue;
        }
        if stop() {
            return None;
        }
        let mut sizes = sizes.into_iter();
        for cluster in text.graphemes(true) {
            let len = sizes.by_ref().take(cluster.chars().count()).sum();
            lengths.push(len);
            pos += len;
        }
    }
    Some(lengths)
}

fn lengths_until(lengths: impl Iterator<Item = usize>, stop: &dyn Fn() -> bool) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for (step, len) in lengths.enumerate() {
        if step & 0xfff == 0xfff && stop() {
            return None;
        }
        all.push(len);
    }
    Some(all)
}

/// Decodes up to the first broken character: the text and each character's size in bytes.
fn decode_run(enc: Encoding, bytes: &[u8]) -> (String, Vec<usize>) {
    let mut text = String::new();
    let mut sizes = Vec::new();
    let mut pos = 0;
    while let Ok((code, len)) = enc.code_point(&bytes[pos..]) {
        let Some(c) = char::from_u32(code) else { break };
        text.push(c);
        sizes.push(len);
        pos += len;
    }
    (text, sizes)
}

impl Encoding {
    /// The bytes as `str`, where the encoding has UTF-8's structure and they are valid.
    pub fn as_str(self, bytes: &[u8], range: Option<CodeRange>) -> Option<&str> {
        if range == Some(CodeRange::Broken) || !(self.is_utf8_family() || self.is_ascii_only(bytes)) {
            return None;
        }
        simdutf8::basic::from_utf8(bytes).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grapheme_clusters(enc: Encoding, bytes: &[u8]) -> Vec<usize> {
        grapheme_clusters_until(enc, bytes, &|| false).unwrap_or_default()
    }

    #[test]
    fn clusters() {
        assert_eq!(grapheme_clusters(Encoding::UTF_8, "e\u{301}a🇫🇷".as_bytes()), [3, 1, 8]);
        assert_eq!(grapheme_clusters(Encoding::UTF_8, b"a\xFFb"), [1, 1, 1]);
        assert_eq!(grapheme_clusters(Encoding::UTF_16LE, b"e\0\x01\x03a\0"), [4, 2]);
    }

    #[test]
    fn forms() {
        assert_eq!(normalize_until("e\u{301}", NormalizationForm::Nfc, &|| false).as_deref(), Some("é"));
        assert_eq!(normalize_until("ﬁ", NormalizationForm::Nfkd, &|| false).as_deref(), Some("fi"));
        assert!(is_normalized("é", NormalizationForm::Nfc));
    }
}
