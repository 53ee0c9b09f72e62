//! `JSON.parse` of arbitrary bytes, and back.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rubellite_fuzz::call(LAMBDA, data));

const LAMBDA: &str = r#"
->(input) { require 'json'; JSON.generate(JSON.parse(input.force_encoding('UTF-8'))) }
"#;
