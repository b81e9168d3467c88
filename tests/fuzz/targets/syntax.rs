//! Runs the property `syntax` on whatever the fuzzer finds.
#![no_main]

#[path = "../../it/fuzzed/syntax.rs"]
mod syntax;

libfuzzer_sys::fuzz_target!(|data: &[u8]| syntax::check(data));
