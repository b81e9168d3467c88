//! Runs the property `rule` on whatever the fuzzer finds.
#![no_main]

#[path = "../../it/fuzzed/rule.rs"]
mod rule;

libfuzzer_sys::fuzz_target!(|data: &[u8]| rule::check(data));
