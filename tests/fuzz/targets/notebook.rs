//! Runs the property `notebook` on whatever the fuzzer finds.
#![no_main]

#[path = "../../it/fuzzed/notebook.rs"]
mod notebook;

libfuzzer_sys::fuzz_target!(|data: &[u8]| notebook::check(data));
