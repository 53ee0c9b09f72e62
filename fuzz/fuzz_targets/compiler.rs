//! Arbitrary bytes through the parser, the compiler and the verifier.

#![no_main]

use rubellite_compiler::{Options, compile};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(program) = compile(data, &Options { path: "fuzz.rb", verbose: true, ..Options::default() }) {
        let faults = rubellite_bytecode::verify(&program.iseq);
        assert!(faults.is_empty(), "{}", faults.iter().map(|fault| fault.to_string()).collect::<Vec<_>>().join("\n"));
    }
});
