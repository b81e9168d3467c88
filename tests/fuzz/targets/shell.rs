//! Runs the property `shell` on whatever the fuzzer finds.
#![no_main]

#[path = "../../it/fuzzed/shell.rs"]
mod shell;

libfuzzer_sys::fuzz_target!(|data: &[u8]| shell::check(data));
