#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dojo_fuzz::run("sgf", bytes));
