//! Runs the property `patch` on whatever the fuzzer finds.
#![no_main]

#[path = "../../it/fuzzed/patch.rs"]
mod patch;

libfuzzer_sys::fuzz_target!(|data: &[u8]| patch::check(data));
