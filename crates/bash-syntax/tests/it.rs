//! Tests of the parser through its one function.

#[path = "it/render.rs"]
mod render;

#[path = "it/commands.rs"]
mod commands;

use toolwright_bash_syntax::parse;

/// A text and the tree that is made of it.
#[track_caller]
fn check(text: &str, expect: &str) {
    let parsed = parse(text);
    assert_eq!(parsed.error, None, "{text}");
    assert_eq!(render::script(&parsed.script), expect, "{text}");
}
