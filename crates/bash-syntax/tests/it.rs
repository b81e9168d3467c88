//! Tests of the parser and the printer through their two functions.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "helpers of tests stand outside of the tests themselves"
)]

#[path = "it/bash.rs"]
mod bash;
#[path = "it/bounded.rs"]
mod bounded;
#[path = "it/bytes.rs"]
mod bytes;
#[path = "it/cases.rs"]
mod cases;
#[path = "it/constructs.rs"]
mod constructs;
#[path = "it/finds.rs"]
mod finds;
#[path = "it/generate.rs"]
mod generate;
#[path = "it/normal.rs"]
mod normal;
#[path = "it/pieces.rs"]
mod pieces;
#[path = "it/printed.rs"]
mod printed;
#[path = "it/random.rs"]
mod random;
#[path = "it/render.rs"]
mod render;

use toolwright_bash_syntax::parse;

/// A text and the tree that is made of it.
#[track_caller]
fn check(text: &str, expect: &str) {
    let parsed = parse(text);
    assert_eq!(parsed.error, None, "{text}");
    assert_eq!(render::script(&parsed.script), expect, "{text}");
}
