//! `Marshal.load` of arbitrary bytes.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rubellite_fuzz::call(LAMBDA, data));

const LAMBDA: &str = r#"
->(input) { Marshal.load(input) }
"#;
