//! The first thing a newcomer sees.

use crate::place::Place;

#[test]
fn the_demo_shows_every_view_and_leaves_nothing_behind() {
    let place = Place::new();
    let ran = place.run(&["demo"]);
    assert_eq!((ran.exit, ran.err.as_str(), place.left_behind()), (0, "", 0), "{}", ran.out);
    assert_eq!(std::fs::read_dir(place.work()).unwrap().count(), 0);
    let shown = [
        "● Glob",
        "✗ Bash bash test.sh",
        "2 failed",
        "● Read 3 files",
        "⊘ ",
        "Read(./.env)",
        "✗ Edit src/convert.sh",
        "`old_string`",
        "● Edit src/convert.sh",
        "src/convert.sh +2 -2",
        "● Bash bash test.sh",
        "all passed",
        "All tests pass.",
    ];
    let mut rest = ran.out.as_str();
    for part in shown {
        let at =
            rest.find(part).unwrap_or_else(|| panic!("`{part}` is not shown, or too early:\n{}", ran.out));
        rest = &rest[at + part.len()..];
    }
}
