//! `RDiscount#to_html` of arbitrary bytes.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rubellite_fuzz::call(LAMBDA, data));

const LAMBDA: &str = r#"
->(input) { require 'rdiscount'; text = input.force_encoding('UTF-8'); RDiscount.new(text, :smart, :generate_toc).then { |m| m.to_html; m.toc_content } }
"#;
