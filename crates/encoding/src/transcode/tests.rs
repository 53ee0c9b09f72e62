//! Tests of chains, errors and replacement.

use super::*;

/// Converts in one call: the outcome and what was written.
fn run(from: Encoding, to: Encoding, bytes: &[u8]) -> (Outcome, Vec<u8>) {
    let mut transcoder = Transcoder::new(Some((from, to)), &[]).unwrap();
    let mut source = bytes;
    let mut out = Vec::new();
    let outcome = transcoder.convert(&mut source, &mut out, ConvertOptions::default());
    (outcome, out)
}

fn error(from: Encoding, to: Encoding, bytes: &[u8]) -> (ErrorKind, Vec<u8>, Vec<u8>, String) {
    match run(from, to, bytes).0 {
        Outcome::Error(e) => (e.kind, e.error_bytes.clone(), e.readagain_bytes.clone(), e.source_name()),
        other => panic!("{other:?}"),
    }
}

fn decorated(decorators: &[Decorator], bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut transcoder = Transcoder::new(None, decorators).unwrap();
    let outcome = transcoder.convert(&mut &bytes[..], &mut out, ConvertOptions::default());
    assert_eq!(outcome, Outcome::Finished);
    out
}

use Encoding as E;

#[test]
fn converts() {
    let ok = |from, to, bytes: &[u8], want: &[u8]| {
        assert_eq!(run(from, to, bytes), (Outcome::Finished, want.to_vec()), "{from:?} {to:?}");
    };
    ok(E::UTF_8, E::EUC_JP, "aあ".as_bytes(), b"a\xA4\xA2");
    ok(E::EUC_JP, E::UTF_16LE, b"a\xA4\xA2", b"a\0\x42\x30");
    ok(E::EUC_JP, E::SHIFT_JIS, b"\xA4\xA2\x8E\xB1", b"\x82\xA0\xB1");
    ok(E::SHIFT_JIS, E::EUC_JP, b"\x82\xA0\xB1", b"\xA4\xA2\x8E\xB1");
    ok(E::UTF_8, E::UTF_16, b"a", b"\xFE\xFF\0a");
    ok(E::UTF_16, E::UTF_8, b"\xFF\xFEa\0", b"a");
    ok(E::UTF_8, E::ISO_2022_JP, "あa".as_bytes(), b"\x1B$B$\"\x1B(Ba");
    ok(E::ISO_2022_JP, E::UTF_8, b"\x1B$B$\"\x1B(Ba", "あa".as_bytes());
    ok(E::UTF_8, E::CP50220, "ｶﾞｷﾟｱ".as_bytes(), b"\x1B$B%,%-!,%\"\x1B(B");
    ok(E::UTF_8, E::CP50221, "ｱ".as_bytes(), b"\x1B(I1\x1B(B");
    ok(E::UTF_8, E::GB18030, "\u{80}\u{10000}".as_bytes(), b"\x81\x30\x81\x30\x90\x30\x81\x30");
    ok(E::UTF_8, E::IBM037, b"a", b"\x81");
    ok(E::UTF_8, E::UTF8_MAC, "é".as_bytes(), "e\u{301}".as_bytes());
    ok(E::UTF8_MAC, E::UTF_8, "e\u{301}a".as_bytes(), "éa".as_bytes());
    ok(E::UTF_8, E::CESU_8, "😀".as_bytes(), b"\xED\xA0\xBD\xED\xB8\x80");
    ok(E::UTF_8, E::WINDOWS_1252, "€".as_bytes(), b"\x80");
}

#[test]
fn reports_errors() {
    use ErrorKind::*;
    let check = |from, to, bytes: &[u8], kind, error_bytes: &[u8], again: &[u8], source: &str| {
        let want = (kind, error_bytes.to_vec(), again.to_vec(), source.to_string());
        assert_eq!(error(from, to, bytes), want);
    };
    check(E::UTF_8, E::EUC_JP, b"\xE3a", Invalid, b"\xE3", b"a", "UTF-8");
    check(E::UTF_8, E::EUC_JP, b"\xE3\x81", Incomplete, b"\xE3\x81", b"", "UTF-8");
    check(E::UTF_8, E::EUC_JP, b"\xF0\x80", Invalid, b"\xF0", b"\x80", "UTF-8");
    check(E::UTF_8, E::EUC_JP, "😀".as_bytes(), Undefined, "😀".as_bytes(), b"", "UTF-8");
    check(E::EUC_JP, E::UTF_8, b"\x8F\xA1a", Invalid, b"\x8F\xA1", b"a", "EUC-JP");
    check(E::UTF_16BE, E::UTF_8, b"\xD8\0\0a", Invalid, b"\xD8\0", b"\0", "UTF-16BE");
    check(E::UTF_16LE, E::UTF_8, b"\0\xD8\0\0", Invalid, b"\0\xD8", b"\0\0", "UTF-16LE");
    check(E::UTF_16BE, E::UTF_8, b"\xD8\0\xDC", Incomplete, b"\xD8\0\xDC", b"", "UTF-16BE");
    check(E::UTF_32LE, E::UTF_8, b"\0\0\x11\0", Invalid, b"\0\0\x11\0", b"", "UTF-32LE");
    check(E::UTF_16, E::UTF_8, b"\0a", Invalid, b"\0a", b"", "UTF-16");
    check(E::US_ASCII, E::UTF_8, b"\x80", Invalid, b"\x80", b"", "US-ASCII");
    check(E::BINARY, E::UTF_8, b"\x80", Undefined, b"\x80", b"", "ASCII-8BIT");
    check(E::ISO_2022_JP, E::UTF_8, b"\x1B$Z", Invalid, b"\x1B$", b"Z", "ISO-2022-JP");
    check(E::WINDOWS_1253, E::UTF_8, b"\xFF", Undefined, b"\xFF", b"", "WINDOWS-1253");
}

#[test]
fn words_errors() {
    let message = |from, to, bytes: &[u8]| match encode(bytes, from, to, &EncodeOptions::default(), None) {
        Err(EncodeError::Conversion { message, .. }) => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(message(E::UTF_8, E::UTF_16LE, b"\xE3a"), "\"\\xE3\" followed by \"a\" on UTF-8");
    assert_eq!(message(E::UTF_8, E::UTF_16LE, b"\xE3"), "incomplete \"\\xE3\" on UTF-8");
    assert_eq!(message(E::UTF_8, E::EUC_KR, "é".as_bytes()), "U+00E9 from UTF-8 to EUC-KR");
    let chained = "U+1F600 to EUC-JP in conversion from UTF-16LE to UTF-8 to EUC-JP";
    assert_eq!(message(E::UTF_16LE, E::EUC_JP, b"\x3D\xD8\0\xDE"), chained);
    let binary = "\"\\xFF\" to UTF-8 in conversion from ASCII-8BIT to UTF-8 to UTF-16LE";
    assert_eq!(message(E::BINARY, E::UTF_16LE, b"\xFF"), binary);
}

#[test]
fn goes_on_after_errors() {
    let mut transcoder = Transcoder::new(Some((E::UTF_8, E::UTF_16BE)), &[]).unwrap();
    let mut source: &[u8] = b"\xE3ab";
    let mut out = Vec::new();
    assert!(matches!(transcoder.convert(&mut source, &mut out, ConvertOptions::default()), Outcome::Error(_)));
    assert_eq!(source, b"b");
    assert_eq!(transcoder.put_back(None), b"a");
    assert!(transcoder.insert_output(b"?", E::UTF_8));
    assert_eq!(transcoder.convert(&mut source, &mut out, ConvertOptions::default()), Outcome::Finished);
    assert_eq!(out, b"\0?\0b");
}

#[test]
fn works_byte_by_byte() {
    let mut transcoder = Transcoder::new(Some((E::UTF_8, E::EUC_JP)), &[Decorator::CrlfNewline]).unwrap();
    let mut out = Vec::new();
    let options = ConvertOptions { partial_input: true, ..Default::default() };
    for &b in "aあ\nい".as_bytes() {
        assert_eq!(transcoder.convert(&mut &[b][..], &mut out, options), Outcome::SourceBufferEmpty);
    }
    assert_eq!(transcoder.convert(&mut &[][..], &mut out, ConvertOptions::default()), Outcome::Finished);
    assert_eq!(out, b"a\xA4\xA2\r\n\xA4\xA4");
}

#[test]
fn keeps_limits() {
    let mut transcoder = Transcoder::new(Some((E::UTF_8, E::UTF_16BE)), &[]).unwrap();
    let mut source: &[u8] = b"abc";
    let mut out = Vec::new();
    let options = ConvertOptions { limit: Some(3), ..Default::default() };
    assert_eq!(transcoder.convert(&mut source, &mut out, options), Outcome::DestinationBufferFull);
    assert_eq!(out, b"\0a\0");
    let options = ConvertOptions { limit: Some(8), ..Default::default() };
    assert_eq!(transcoder.convert(&mut source, &mut out, options), Outcome::Finished);
    assert_eq!(out, b"\0a\0b\0c");
}

#[test]
fn single_byte_runs_stop_at_holes() {
    let text: Vec<u8> = b"caf\xE9 \xFC\0".repeat(100);
    assert_eq!(
        encode(&text, E::ISO_8859_1, E::UTF_8, &EncodeOptions::default(), None).unwrap(),
        "café ü\0".repeat(100).as_bytes()
    );
    let replace = EncodeOptions { replace_undefined: true, ..Default::default() };
    assert_eq!(encode(b"\x80\x81a", E::WINDOWS_1252, E::UTF_8, &replace, None).unwrap(), "€\u{FFFD}a".as_bytes());
}

#[test]
fn decorates() {
    use Decorator::*;
    assert_eq!(decorated(&[UniversalNewline], b"a\nb\r\nc\rd\r"), b"a\nb\nc\nd\n");
    assert_eq!(decorated(&[CrlfNewline], b"a\nb"), b"a\r\nb");
    assert_eq!(decorated(&[CrNewline], b"a\nb"), b"a\rb");
    assert_eq!(decorated(&[XmlText], b"<\"&'>"), b"&lt;\"&amp;'&gt;");
    assert_eq!(decorated(&[XmlAttrContent, XmlAttrQuote], b"<\"&'>"), b"\"&lt;&quot;&amp;&apos;&gt;\"");
    assert_eq!(decorated(&[XmlAttrContent, XmlAttrQuote], b""), b"\"\"");
}

#[test]
fn replaces() {
    let both = EncodeOptions { replace_invalid: true, replace_undefined: true, ..Default::default() };
    let ok = |from, to, bytes: &[u8], options: &EncodeOptions| encode(bytes, from, to, options, None).unwrap();
    assert_eq!(ok(E::UTF_8, E::US_ASCII, "é😀".as_bytes(), &both), b"??");
    assert_eq!(ok(E::UTF_8, E::UTF_16BE, b"\xFFa", &both), b"\xFF\xFD\0a");
    assert_eq!(ok(E::UTF_8, E::ISO_2022_JP, "あ😀あ".as_bytes(), &both), b"\x1B$B$\"\x1B(B?\x1B$B$\"\x1B(B");
    assert_eq!(ok(E::STATELESS_ISO_2022_JP, E::ISO_2022_JP, b"\x92\xA1x", &both), b"?x");
    let xml =
        EncodeOptions { undefined_as_reference: true, decorators: vec![Decorator::XmlText], ..Default::default() };
    assert_eq!(ok(E::UTF_8, E::US_ASCII, "<é>".as_bytes(), &xml), b"&lt;&#xE9;&gt;");
    let scrubbed = scrub(E::UTF_8, b"a\xE3\x81b\xFF", |_, out| out.push(b'?'));
    assert_eq!(scrubbed.as_deref(), Some(&b"a?b?"[..]));
}
