//! `YAML.safe_load` of arbitrary bytes, and back.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rubellite_fuzz::call(LAMBDA, data));

const LAMBDA: &str = r#"
->(input) { require 'yaml'; YAML.dump(YAML.safe_load(input.force_encoding('UTF-8'), aliases: true)) }
"#;
