//! Mutated Ruby programs, run in a VM of their own with a time limit and without a way out of the process.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rubellite_fuzz::run_program(data));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 3 == 0 {
        libfuzzer_sys::fuzzer_mutate(data, size, max_size)
    } else {
        rubellite_fuzz::mutate_lines(data, size, max_size, seed)
    }
});
