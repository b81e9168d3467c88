//! Runs the property `text` on whatever the fuzzer finds.
#![no_main]

#[path = "../../it/fuzzed/text.rs"]
mod text;

libfuzzer_sys::fuzz_target!(|data: &[u8]| text::check(data));
