//! Memory files: which, in which order, how much of them.

use toolwright_config::{MemoryScope, memory_files};

use crate::support::World;

#[test]
fn the_persons_first_and_the_nearest_last() {
    let world = World::new(&[
        ("home/.toolwright/AGENTS.md", "me"),
        ("home/.claude/CLAUDE.md", "me too"),
        ("proj/AGENTS.md", "team"),
        ("proj/CLAUDE.md", "team too"),
        ("proj/sub/CLAUDE.md", "sub"),
        ("proj/sub/deep/AGENTS.md", "deep"),
        ("proj/other/AGENTS.md", "not on the way"),
        ("AGENTS.md", "above the project"),
    ]);
    let memory = memory_files(&world.places("proj/sub/deep"));
    let found: Vec<_> = memory.files.iter().map(|file| (file.scope, file.text.as_str())).collect();
    assert_eq!(
        found,
        [
            (MemoryScope::User, "me"),
            (MemoryScope::User, "me too"),
            (MemoryScope::Project, "team"),
            (MemoryScope::Project, "team too"),
            (MemoryScope::Nested, "sub"),
            (MemoryScope::Nested, "deep"),
        ]
    );
    assert_eq!(memory.warnings, Vec::<String>::new());
}

#[test]
fn the_same_text_under_both_names_is_read_once() {
    let world =
        World::new(&[("proj/AGENTS.md", "same"), ("proj/CLAUDE.md", "same"), ("proj/sub/AGENTS.md", " \n")]);
    let memory = memory_files(&world.places("proj/sub"));
    assert_eq!(
        memory.files.iter().map(|file| &file.path).collect::<Vec<_>>(),
        [&world.path("proj/AGENTS.md")]
    );
}

#[cfg(unix)]
#[test]
fn a_link_stays_in_the_project() {
    use std::os::unix::fs::symlink;
    let world = World::new(&[("home/secret", "key"), ("proj/docs/rules.md", "rules")]);
    symlink(world.path("home/secret"), world.path("proj/AGENTS.md")).expect("a link");
    symlink("docs/rules.md", world.path("proj/CLAUDE.md")).expect("a link");
    let memory = memory_files(&world.places("proj"));
    assert_eq!(memory.files.iter().map(|file| file.text.as_str()).collect::<Vec<_>>(), ["rules"]);
    let expect = "proj/AGENTS.md was left out: it leads out of the project, to home/secret";
    assert_eq!(memory.warnings.iter().map(|text| world.short(text)).collect::<Vec<_>>(), [expect]);
}

#[cfg(unix)]
#[test]
fn where_a_link_leads_is_told_without_a_look() {
    use std::os::unix::fs::symlink;
    let check = |links: &[(&str, &str)], said: Option<&str>| {
        let world = World::new(&[("proj/docs/rules.md", "rules"), ("beside/x", "key")]);
        for (name, target) in links {
            symlink(target.replace("{proj}", &world.path("proj").to_string_lossy()), world.path(name))
                .expect("a link");
        }
        let memory = memory_files(&world.places("proj"));
        assert_eq!(memory.files.len(), usize::from(said.is_none()), "{links:?}");
        let warnings: Vec<_> = memory.warnings.iter().map(|text| world.short(text)).collect();
        assert!(
            warnings.iter().all(|text| said.is_some_and(|said| text.ends_with(said))),
            "{links:?}: {warnings:?}"
        );
    };
    // Where nothing is, a look would have said so instead.
    check(&[("proj/AGENTS.md", "/net/host/x")], Some("leads out of the project, to /net/host/x"));
    check(
        &[("proj/AGENTS.md", "d/x"), ("proj/d", "/net/host")],
        Some("leads out of the project, to /net/host"),
    );
    check(&[("proj/AGENTS.md", "../beside/x")], Some("leads out of the project, to beside/x"));
    check(&[("proj/AGENTS.md", "../proj/docs/rules.md")], None);
    check(&[("proj/AGENTS.md", "{proj}/docs/../docs/rules.md")], None);
    check(&[("proj/AGENTS.md", "d/rules.md"), ("proj/d", "docs")], None);
}

#[test]
fn a_large_file_is_cut_with_a_mark_and_too_many_are_left_out() {
    let large = "ä".repeat(40_000);
    let world = World::new(&[("proj/AGENTS.md", &large)]);
    let memory = memory_files(&world.places("proj"));
    let text = &memory.files.first().expect("a file").text;
    assert!(text.len() < 33_000 && text.ends_with("AGENTS.md has 80000 bytes, the first 32768 are shown]\n"));

    let folders: String = "x/".repeat(6);
    let names: Vec<String> =
        (0..=6).map(|depth| format!("proj/{}AGENTS.md", &folders[..depth * 2])).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), large.as_str())).collect();
    let memory = memory_files(&World::new(&files).places(&format!("proj/{folders}")));
    assert_eq!((memory.files.len(), memory.warnings.len()), (3, 4));
}

#[test]
fn what_cannot_be_read_is_a_warning() {
    let world = World::new(&[("proj/AGENTS.md/x", ""), ("proj/CLAUDE.md", "read")]);
    let memory = memory_files(&world.places("proj"));
    assert_eq!((memory.files.len(), memory.warnings.len()), (1, 1));
    #[cfg(unix)]
    {
        let world = World::new(&[("proj/CLAUDE.md", "read")]);
        let _socket = std::os::unix::net::UnixListener::bind(world.path("proj/AGENTS.md")).expect("a socket");
        let memory = memory_files(&world.places("proj"));
        assert_eq!((memory.files.len(), memory.warnings.len()), (1, 1));
        assert!(memory.warnings.iter().all(|text| text.ends_with("it is no file")), "{:?}", memory.warnings);
    }
}
