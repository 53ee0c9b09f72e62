//! `Zlib::GzipReader` on arbitrary bytes.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rubellite_fuzz::call(LAMBDA, data));

const LAMBDA: &str = r#"
->(input) { require 'zlib'; require 'stringio'; reader = Zlib::GzipReader.new(StringIO.new(input)); reader.each_line(80).first(1000); reader.unused; reader.close }
"#;
