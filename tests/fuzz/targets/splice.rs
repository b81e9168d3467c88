//! Runs the property `splice` on whatever the fuzzer finds.
#![no_main]

#[path = "../../it/fuzzed/splice.rs"]
mod splice;

libfuzzer_sys::fuzz_target!(|data: &[u8]| splice::check(data));
