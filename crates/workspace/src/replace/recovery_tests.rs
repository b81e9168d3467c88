//! What a kill leaves, at every step of a write in place.

use toolwright_testkit::TempWorkspace;

use super::*;

/// What a kill after each step of a write may leave: whether the record is there, and the file's bytes.
fn states(old: &[u8], new: &[u8]) -> Vec<(bool, Vec<u8>)> {
    let mut states = vec![(false, old.to_vec()), (true, old.to_vec())];
    let over = |new: &[u8], old: &[u8]| [new, old.get(new.len()..).unwrap_or_default()].concat();
    for written in 0..=new.len() {
        let half = over(&new[..written], old);
        // And a kill while that is undone.
        for undone in 0..=old.len() {
            states.push((true, over(&old[..undone], &half)));
        }
        states.push((true, half));
    }
    states.extend([(true, new.to_vec()), (false, new.to_vec())]);
    states
}

fn leave(
    workspace: &TempWorkspace,
    recovery: &Recovery,
    old: &[u8],
    new: &[u8],
    now: &[u8],
) -> io::Result<()> {
    let path = workspace.join("file");
    // As with a killed process: the lock goes, the record stays.
    drop(recovery.keep(&path, &fs::metadata(&path)?, old, new)?);
    fs::write(&path, now)
}

#[test]
fn a_kill_after_any_step_leaves_the_old_bytes_or_the_new() {
    let workspace = TempWorkspace::new();
    let recovery = Recovery::at(workspace.join("recovery"));
    let path = workspace.join("file");
    let texts: [(&[u8], &[u8]); 6] = [
        (b"the old text", b"a new one"),
        (b"short", b"what is longer than it was"),
        (b"same", b"sane"),
        (b"", b"new"),
        (b"old", b""),
        (b"aaaa", b"aaaaaaaa"),
    ];
    for (old, new) in texts {
        for (has_record, now) in states(old, new) {
            workspace.write("file", "");
            if has_record {
                leave(&workspace, &recovery, old, new, &now).unwrap();
            } else {
                fs::write(&path, &now).unwrap();
            }
            recovery.settle_all(SystemTime::now());
            let found = fs::read(&path).unwrap();
            assert!([old, new].contains(&&*found), "{old:?} {new:?} {now:?}: {found:?}");
            assert_eq!(fs::read_dir(workspace.join("recovery")).map_or(0, Iterator::count), 0);
        }
    }
}

#[test]
fn what_somebody_changed_since_stays() {
    let workspace = TempWorkspace::new();
    let recovery = Recovery::at(workspace.join("recovery"));
    for now in ["new ond", "new old text, and more", "mine", "old tex", "ne", ""] {
        workspace.write("file", "old text");
        leave(&workspace, &recovery, b"old text", b"new one", now.as_bytes()).unwrap();
        recovery.settle_all(SystemTime::now());
        assert_eq!(workspace.read("file"), now);
    }
}

#[test]
fn a_writer_that_lives_is_left_alone_and_another_name_finds_the_record() {
    let workspace = TempWorkspace::new();
    let recovery = Recovery::at(workspace.join("recovery"));
    workspace.write("file", "old");
    let path = workspace.join("file");
    let metadata = fs::metadata(&path).unwrap();
    let kept = recovery.keep(&path, &metadata, b"old", b"new").unwrap();
    fs::write(&path, "ned").unwrap();
    assert!(!recovery.settle(&path, &metadata).unwrap());
    assert!(recovery.keep(&path, &metadata, b"old", b"new").is_err());
    drop(kept);
    fs::hard_link(&path, workspace.join("other")).unwrap();
    std::os::unix::fs::symlink("other", workspace.join("link")).unwrap();
    let (link, other) = (workspace.join("link"), workspace.join("other"));
    assert!(!recovery.settle(&link, &fs::metadata(&link).unwrap()).unwrap(), "no link is followed");
    assert!(recovery.settle(&other, &fs::metadata(&other).unwrap()).unwrap());
    assert_eq!(workspace.read("other"), "old");
    // Its first name is that of another file by now: a start leaves it to whoever meets the other name.
    drop(recovery.keep(&path, &metadata, b"old", b"new").unwrap());
    fs::write(&path, "ned").unwrap();
    fs::remove_file(&path).unwrap();
    recovery.settle_all(SystemTime::now());
    workspace.write("file", "mine");
    recovery.settle_all(SystemTime::now());
    assert_eq!((workspace.read("file"), workspace.read("other")), ("mine".into(), "ned".into()));
    assert!(recovery.settle(&other, &fs::metadata(&other).unwrap()).unwrap());
    assert_eq!((workspace.read("file"), workspace.read("other")), ("mine".into(), "old".into()));
    let records = || fs::read_dir(workspace.join("recovery")).unwrap().count();
    assert_eq!(records(), 0);
    drop(recovery.keep(&other, &metadata, b"old", b"new").unwrap());
    fs::remove_file(&other).unwrap();
    recovery.settle_all(SystemTime::now());
    assert_eq!(records(), 1);
    recovery.settle_all(SystemTime::now() + Duration::from_secs(31 * 24 * 60 * 60));
    assert_eq!(records(), 0);
    // A record that is none, or half of one.
    for bytes in [&b"x"[..], MAGIC, &[MAGIC, &[255; 24]].concat()] {
        workspace.write("recovery/1-2.record", bytes);
        recovery.settle_all(SystemTime::now());
        assert!(!workspace.join("recovery/1-2.record").exists());
    }
}
