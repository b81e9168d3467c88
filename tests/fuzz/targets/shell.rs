//! Runs the property `shell` on whatever the fuzzer finds.
#![no_main]

#[path = "../../it/fuzzed/shell.rs"]
mod shell;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    // A panic of the parser, which is not ours, is caught and is no find; the fuzzer's own hook would end the process.
    drop(std::panic::take_hook());
    shell::check(data);
});
