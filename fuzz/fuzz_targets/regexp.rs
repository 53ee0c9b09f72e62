//! `Regexp.new` of the first half, matched against the second.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rubellite_fuzz::call(LAMBDA, data));

const LAMBDA: &str = r#"
->(input) { pattern, text = input.byteslice(0, input.bytesize / 2), input.byteslice(input.bytesize / 2, 200); Regexp.new(pattern.force_encoding('UTF-8'), timeout: 0.2).match(text.force_encoding('UTF-8'))&.named_captures }
"#;
