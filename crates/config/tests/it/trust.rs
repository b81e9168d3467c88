//! Trust holds for a folder and what is in it, and stops at another repository.

use std::fs;

use toolwright_config::Trust;

use crate::support::World;

#[test]
fn trust_holds_below_and_not_beside() {
    let world = World::new(&[("proj-evil/x", ""), ("proj/clone/.git/HEAD", ""), ("proj/clone/sub/x", "")]);
    let trust = Trust::of(&world.places("proj")).expect("a store");
    let is_trusted = |name: &str| trust.is_trusted(&world.path(name)).expect("a good store");
    assert!(!is_trusted("proj"));
    trust.trust(&world.path("proj")).expect("written");
    for (name, expect) in [
        ("proj", true),
        ("proj/sub/deep", true),
        ("proj-evil", false),
        ("proj/clone", false),
        ("proj/clone/sub", false),
        ("proj/missing", false),
        ("", false),
    ] {
        assert_eq!(is_trusted(name), expect, "{name}");
    }
    trust.trust(&world.path("proj/clone")).expect("written");
    assert!(is_trusted("proj/clone/sub"));
    trust.distrust(&world.path("proj")).expect("written");
    assert!(!is_trusted("proj") && !is_trusted("proj/sub") && is_trusted("proj/clone"));
}

#[test]
fn a_torn_line_trusts_nothing_and_harms_no_other() {
    let world = World::new(&[]);
    let trust = Trust::of(&world.places("proj")).expect("a store");
    let folder = world.path("proj");
    let torn = format!("{{\"folder\": {:?}, \"trus", folder.display().to_string());
    world.write("home/.toolwright/trust.jsonl", &torn);
    assert!(!trust.is_trusted(&folder).expect("a good store"));
    trust.trust(&folder).expect("written");
    assert!(trust.is_trusted(&folder).expect("a good store"));
}

#[cfg(unix)]
#[test]
fn trust_is_of_the_folder_and_not_of_its_name() {
    let world = World::new(&[("other/x", "")]);
    let trust = Trust::of(&world.places("proj")).expect("a store");
    std::os::unix::fs::symlink(world.path("proj"), world.path("link")).expect("a link");
    trust.trust(&world.path("link")).expect("written");
    assert!(trust.is_trusted(&world.path("proj")).expect("a good store"));
    fs::remove_file(world.path("link")).expect("the link");
    std::os::unix::fs::symlink(world.path("other"), world.path("link")).expect("a link");
    assert!(!trust.is_trusted(&world.path("link")).expect("a good store"));
}

#[test]
fn the_project_root_is_the_nearest_marked_folder() {
    let world =
        World::new(&[("proj/sub/.toolwright/settings.json", "{}"), ("home/.claude/x", ""), ("home/a/x", "")]);
    for (cwd, root) in [("proj/sub/deep", "proj/sub"), ("proj", "proj"), ("home/a", "home/a")] {
        assert_eq!(world.places(cwd).project_root.spelled, world.path(root), "{cwd}");
    }
    fs::remove_dir_all(world.path("proj/sub/.toolwright")).expect("the folder");
    assert_eq!(world.places("proj/sub/deep").project_root.spelled, world.path("proj"));
}
