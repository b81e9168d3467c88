//! Lists, pipelines, compound commands, functions, redirections.

use super::check;

#[test]
fn lists_and_pipelines() {
    check("echo a", "<echo> <a>");
    check("a; b & c && d || e\nf", "<a>; <b> &; <c> && <d> || <e> ⏎ <f>");
    check("a | b |& c", "<a> |> <b> 2>&<1> |> <c>");
    check("! a; ! ! a; time a; time -p ! a", "! <a>; <a>; time <a>; time -p ! <a>");
}
