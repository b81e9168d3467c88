//! `Files` through its trait, on temporary folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolwright_core::Cancel;
use toolwright_services::{DeniedPaths, Files, FilesError, Splice, Window};
use toolwright_testkit::{TempWorkspace, block_on};

use super::LocalFiles;
use crate::target::Call;

mod random;

const ALL: Window = Window { first_line: 1, lines: u64::MAX, bytes: usize::MAX, line_bytes: usize::MAX };

fn local() -> LocalFiles {
    LocalFiles::new(None)
}

fn read(files: &LocalFiles, path: &Path, window: Window) -> Result<String, FilesError> {
    block_on(files.read(path, window, &Cancel::default())).map(|seen| seen.text)
}

fn edit(files: &LocalFiles, path: &Path, old: &str, new: &str) -> Result<(), FilesError> {
    block_on(async {
        let document = files.open(path, &Cancel::default()).await?;
        let start = document.text.find(old).expect("the old text is there");
        files.splice(&document, vec![Splice { range: start..start + old.len(), text: new.into() }]).await
    })
}

#[test]
fn only_what_was_read_and_is_unchanged_is_written() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("a.txt");
    workspace.write("a.txt", "one\ntwo\n");
    assert!(matches!(edit(&files, &path, "one", "1"), Err(FilesError::NotRead { .. })));
    assert!(matches!(block_on(files.write(&path, "x")), Err(FilesError::NotRead { .. })));
    read(&files, &path, Window { lines: 1, ..ALL }).unwrap();
    edit(&files, &path, "one", "1").unwrap();
    edit(&files, &path, "two", "2").unwrap();
    workspace.write("a.txt", "1\n3\n");
    assert!(matches!(edit(&files, &path, "1", "x"), Err(FilesError::Changed { .. })));
    assert!(matches!(block_on(files.write(&path, "x")), Err(FilesError::Changed { .. })));
    assert_eq!(workspace.read("a.txt"), "1\n3\n");
}

#[test]
fn bytes_that_were_not_shown_are_not_read() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("a.txt");
    workspace.write("a.txt", "one\n");
    let bytes = block_on(files.read_bytes(&path, 100, &Cancel::default())).unwrap();
    assert!(matches!(edit(&files, &path, "one", "1"), Err(FilesError::NotRead { .. })));
    files.shown(&path, &bytes).unwrap();
    edit(&files, &path, "one", "1").unwrap();
}

#[test]
fn a_change_between_open_and_splice_is_seen() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("a.txt");
    workspace.write("a.txt", "one\n");
    read(&files, &path, ALL).unwrap();
    let document = block_on(files.open(&path, &Cancel::default())).unwrap();
    workspace.write("a.txt", "two\n");
    let splice = vec![Splice { range: 0..3, text: "1".into() }];
    assert!(matches!(block_on(files.splice(&document, splice)), Err(FilesError::Changed { .. })));
    assert_eq!(workspace.read("a.txt"), "two\n");
}

#[test]
fn two_programs_lose_none_of_each_others_changes() {
    const EACH: usize = 60;
    let workspace = TempWorkspace::new();
    let lines: String = (0..2 * EACH).map(|line| format!("line {line}: old\n")).collect();
    workspace.write("a.txt", lines);
    let path = workspace.join("a.txt");
    std::thread::scope(|threads| {
        for first in [0, EACH] {
            let path = &path;
            // Files of their own, which share nothing: as two programs.
            threads.spawn(move || {
                let files = local();
                for line in first..first + EACH {
                    let (old, new) = (format!("line {line}: old"), format!("line {line}: new"));
                    loop {
                        read(&files, path, ALL).expect("a file");
                        match edit(&files, path, &old, &new) {
                            Ok(()) => break,
                            Err(FilesError::Changed { .. }) => {}
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
            });
        }
    });
    assert_eq!(workspace.read("a.txt").matches("old").count(), 0);
}

#[test]
fn state_is_copied_by_fork_and_restored_from_data() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("a.txt");
    workspace.write("a.txt", "one\n");
    read(&files, &path, ALL).unwrap();
    let fork = files.fork();
    block_on(fork.write(&path, "two\n")).unwrap();
    assert!(matches!(edit(&files, &path, "two", "1"), Err(FilesError::Changed { .. })));
    let states = fork.take_changed();
    assert_eq!((states.len(), fork.take_changed().len()), (1, 0));
    let resumed = local();
    resumed.restore(&states);
    edit(&resumed, &path, "two", "three").unwrap();
    assert_eq!(workspace.read("a.txt"), "three\n");
}

#[test]
fn a_large_file_counts_as_read_in_part() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("big.txt");
    let text: String = (0..200_000).map(|line| format!("line {line}\r\n")).collect();
    workspace.write("big.txt", &text);
    let window = Window { first_line: 150_001, lines: 2, ..ALL };
    assert_eq!(read(&files, &path, window).unwrap(), "line 150000\nline 150001\n");
    assert!(matches!(block_on(files.write(&path, "x")), Err(FilesError::PartlyRead { .. })));
    edit(&files, &path, "line 7\n", "line seven\nand more\n").unwrap();
    assert_eq!(workspace.read("big.txt"), text.replace("line 7\r\n", "line seven\r\nand more\r\n"));
    let now = workspace.read("big.txt");
    for elsewhere in ["line 150000\r", "line 100\r"] {
        read(&files, &path, window).unwrap();
        // At the same length, in what was shown and outside of it.
        workspace.write("big.txt", now.replace(elsewhere, &elsewhere.to_uppercase()));
        assert!(matches!(edit(&files, &path, "line 98\n", "x\n"), Err(FilesError::Changed { .. })));
    }
    // A formatter that finds nothing to do.
    workspace.write("big.txt", &now);
    read(&files, &path, window).unwrap();
    fs::remove_file(&path).unwrap();
    workspace.write("big.txt", &now);
    edit(&files, &path, "line 98\n", "x\n").unwrap();
    // Shown as a whole.
    read(&files, &path, ALL).unwrap();
    block_on(files.write(&path, "x")).unwrap();
}

#[test]
fn a_file_too_large_to_be_hashed_is_changed_when_it_was_touched() {
    let (workspace, files) = (TempWorkspace::new(), local());
    let path = workspace.join("huge.txt");
    let text = "0123456789abcde\n".repeat((16 << 20) / 16 + 1);
    workspace.write("huge.txt", &text);
    let window = Window { first_line: 2, lines: 2, ..ALL };
    read(&files, &path, window).unwrap();
    let resumed = local();
    resumed.restore(&files.take_changed());
    for files in [&files, &resumed] {
        block_on(files.open(&path, &Cancel::default())).unwrap();
    }
    workspace.write("huge.txt", format!("{}X\n", &text[..text.len() - 2]));
    for files in [&files, &resumed] {
        let refused = block_on(files.open(&path, &Cancel::default())).unwrap_err();
        assert!(matches!(refused, FilesError::Changed { .. }), "{refused}");
    }
}

#[test]
fn an_overwritten_file_keeps_how_it_is_stored() {
    fn check(before: &[u8], text: &str, expect: &[u8]) {
        let (workspace, files) = (TempWorkspace::new(), local());
        let path = workspace.join("a.txt");
        workspace.write("a.txt", before);
        read(&files, &path, ALL).unwrap();
        block_on(files.write(&path, text)).unwrap();
        assert_eq!(workspace.read_bytes("a.txt"), expect, "{text:?}");
    }
    check(b"a\nb\n", "x\ny", b"x\ny");
    check(b"a\r\nb\r\n", "x\ny\n", b"x\r\ny\r\n");
    check(b"a\nb\n", "x\r\ny\r\n", b"x\r\ny\r\n");
    check(b"a\r\nb\n", "x\ny\n", b"x\ny\n");
    check(b"\xEF\xBB\xBFa\n", "x\n", b"\xEF\xBB\xBFx\n");
    check(b"\xEF\xBB\xBFa\n", "\u{feff}x\n", b"\xEF\xBB\xBFx\n");
    check(b"\xFF\xFEa\0\r\0\n\0", "x\n", b"\xFF\xFEx\0\r\0\n\0");
}

#[test]
fn what_is_no_text_file_is_named_for_what_it_is() {
    let (workspace, files) = (TempWorkspace::new(), local());
    workspace.write("src/main.rs", "fn main() {}\n");
    workspace.write("bin", b"\x7fELF\x00\x01");
    workspace.write("late", [b"text\n".repeat(300_000), b"\xff\n".to_vec()].concat());
    let error = |name: &str| read(&files, &workspace.join(name), ALL).unwrap_err();
    assert!(matches!(error("src"), FilesError::Folder { .. }));
    assert!(matches!(error("bin"), FilesError::Binary { .. }));
    assert!(matches!(error("late"), FilesError::Encoding { .. }));
    assert!(matches!(error("a\0b"), FilesError::BadPath { .. }));
    let near = |name: &str| match error(name) {
        FilesError::NotFound { near, .. } => near,
        other => panic!("{other}"),
    };
    assert_eq!(near("src/mian.rs"), [workspace.join("src/main.rs")]);
    assert_eq!(near("src/main.ts"), [workspace.join("src/main.rs")]);
    assert_eq!(near("srv/main.rs"), [workspace.join("src/main.rs")]);
    assert_eq!(near("src/main.rs/x"), [] as [PathBuf; 0]);
    workspace.write("Shot 3.04.05\u{202f}PM.txt", "");
    workspace.write("cafe\u{301}", "");
    let names = |name: &str, expect: &str| {
        let said = error(name).to_string();
        assert!(said.contains(expect), "{said}");
    };
    names(
        "Shot 3.04.05 PM.txt",
        "\u{202f}PM.txt (it has U+202F (narrow no-break space) where the path given has U+0020 (space))?",
    );
    names(
        "caf\u{e9}",
        "(it has U+0065 (e) U+0301 (combining mark) where the path given has U+00E9 (\u{e9}))?",
    );
    assert_eq!(near("zzz"), [] as [PathBuf; 0]);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_opened() {
    let (workspace, files) = (TempWorkspace::new(), local());
    // A socket's file is there without anybody to talk to, as a pipe's is.
    let _socket = std::os::unix::net::UnixListener::bind(workspace.join("socket")).unwrap();
    for path in [workspace.join("socket"), "/dev/zero".into(), "/dev/stdin".into(), "/proc/self/fd/0".into()]
    {
        let error = read(&files, &path, ALL).unwrap_err();
        assert!(matches!(error, FilesError::Special { .. }), "{error}");
        assert!(matches!(block_on(files.write(&path, "x")), Err(FilesError::Special { .. })));
    }
}

#[cfg(unix)]
#[test]
fn a_write_keeps_links_modes_other_names_and_attributes() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    let (workspace, files) = (TempWorkspace::new(), local());
    workspace.write("real", "a\n");
    fs::set_permissions(workspace.join("real"), fs::Permissions::from_mode(0o741)).unwrap();
    symlink("real", workspace.join("link")).unwrap();
    let attributes = xattr::set(workspace.join("real"), "user.note", b"kept").is_ok();
    read(&files, &workspace.join("link"), ALL).unwrap();
    edit(&files, &workspace.join("real"), "a", "b").unwrap();
    assert_eq!(workspace.read("real"), "b\n");
    assert!(workspace.join("link").is_symlink());
    assert_eq!(fs::metadata(workspace.join("real")).unwrap().mode() & 0o7777, 0o741);
    if attributes {
        assert_eq!(xattr::get(workspace.join("real"), "user.note").unwrap().as_deref(), Some(&b"kept"[..]));
    } else {
        println!("skipped: extended attributes, which this file system has not");
    }
    fs::hard_link(workspace.join("real"), workspace.join("other")).unwrap();
    edit(&files, &workspace.join("link"), "b", "longer").unwrap();
    edit(&files, &workspace.join("link"), "longer", "c").unwrap();
    assert_eq!(workspace.read("other"), "c\n");
    symlink("new/made", workspace.join("dangling")).unwrap();
    block_on(files.write(&workspace.join("dangling"), "made")).unwrap();
    assert_eq!(workspace.read("new/made"), "made");
    assert_eq!(workspace.tree().paths().filter(|path| path.to_string_lossy().contains("tmp")).count(), 0);
}

/// Rules against changing one file.
struct Unchangeable(Vec<(PathBuf, String)>);

impl DeniedPaths for Unchangeable {
    fn denies_read(&self, _: &Path) -> Option<String> {
        None
    }

    fn named(&self) -> &[PathBuf] {
        &[]
    }

    fn named_for_changing(&self) -> &[(PathBuf, String)] {
        &self.0
    }
}

#[cfg(unix)]
#[test]
fn another_name_of_what_must_not_be_changed_is_read_and_not_changed() {
    let workspace = TempWorkspace::new();
    for name in ["key", "own"] {
        workspace.write(name, "a\n");
    }
    let (hard, own) = (workspace.join("hard"), workspace.join("own"));
    fs::hard_link(workspace.join("key"), &hard).unwrap();
    let named = vec![
        (workspace.join("absent"), "Edit(absent)".to_owned()),
        (workspace.join("key"), "Edit(key)".to_owned()),
    ];
    let call = Call { denied: Some(Arc::new(Unchangeable(named))), ..Call::default() };
    let files = LocalFiles { call, ..local() };
    for path in [&hard, &own] {
        read(&files, path, ALL).unwrap();
    }
    let denied = |error| matches!(error, Err(FilesError::Denied { rule, .. }) if rule == "Edit(key)");
    assert!(denied(edit(&files, &hard, "a", "b")));
    assert!(denied(block_on(files.write(&hard, "b\n")).map(|_| ())));
    edit(&files, &own, "a", "b").unwrap();
    assert_eq!((workspace.read("key"), workspace.read("own")), ("a\n".into(), "b\n".into()));
    // It gets that name between the opening and the change.
    let document = block_on(files.open(&own, &Cancel::default())).unwrap();
    workspace.write("key", "b\n");
    fs::remove_file(&own).unwrap();
    fs::hard_link(workspace.join("key"), &own).unwrap();
    let splice = Splice { range: 0..1, text: "c".into() };
    assert!(denied(block_on(files.splice(&document, vec![splice]))));
    assert_eq!(workspace.read("key"), "b\n");
}
