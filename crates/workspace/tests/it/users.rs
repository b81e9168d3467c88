//! Files that belong to others, and folders that may not be written.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;

use toolwright_core::Cancel;
use toolwright_services::{Files, FilesError, Window};
use toolwright_testkit::{TempWorkspace, block_on};
use toolwright_workspace::LocalFiles;

use crate::child;

/// Somebody who owns nothing.
const NOBODY: u32 = 65_534;

fn overwrite(path: &Path, text: &str) -> Result<(), FilesError> {
    let files = LocalFiles::new(None);
    let window = Window { first_line: 1, lines: 100, bytes: 10_000, line_bytes: 1_000 };
    block_on(async {
        files.read(path, window, &Cancel::default()).await?;
        files.write(path, text).await.map(drop)
    })
}

fn is_root() -> bool {
    let probe = TempWorkspace::new();
    probe.write("probe", "");
    chown(probe.join("probe"), Some(NOBODY), None).is_ok()
}

fn make(path: &Path, owner: u32, mode: u32) {
    if !path.exists() {
        fs::write(path, "old\n").unwrap();
    }
    chown(path, Some(owner), Some(owner)).unwrap();
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn the_owner_and_the_mode_stay() {
    if !is_root() {
        println!("skipped: only root may give files away");
        return;
    }
    let workspace = TempWorkspace::new();
    let path = workspace.join("file");
    make(&path, 1_234, 0o4751);
    overwrite(&path, "new\n").unwrap();
    let found = fs::metadata(&path).unwrap();
    assert_eq!((found.uid(), found.gid(), found.mode() & 0o7777), (1_234, 1_234, 0o4751));
    assert_eq!(workspace.read("file"), "new\n");
}

#[test]
#[ignore = "the program of another test"]
fn nobody() {
    let Some(place) = child::place() else { return };
    let check = |name: &str, expect: &str| {
        let said = match overwrite(&place.join(name), "new\n") {
            Ok(()) => "written".into(),
            Err(error) => error.to_string(),
        };
        assert!(said.starts_with(expect), "{name}: {said}");
    };
    check("own/of-others", "written");
    check("own/read-only", "permission denied");
    check("of-others/open", "written");
    check("of-others/closed", "permission denied");
    check("own/of-group", "written");
}

#[test]
fn what_is_not_ones_own_is_written_in_place_or_not_at_all() {
    if !is_root() {
        println!("skipped: only root may become somebody else");
        return;
    }
    let workspace = TempWorkspace::new();
    let place = workspace.path();
    fs::set_permissions(place, Permissions::from_mode(0o755)).unwrap();
    for (folder, owner) in [("own", NOBODY), ("of-others", 0)] {
        fs::create_dir(workspace.join(folder)).unwrap();
        make(&workspace.join(folder), owner, 0o755);
    }
    let files = [
        ("own/of-others", 1_234, 0o666),
        ("own/read-only", NOBODY, 0o444),
        ("own/of-group", NOBODY, 0o2640),
        ("of-others/open", 0, 0o666),
        ("of-others/closed", 0, 0o644),
    ];
    for (name, owner, mode) in files {
        make(&workspace.join(name), owner, mode);
    }
    let mut command = child::command("users::nobody", place);
    let ran = match command.uid(NOBODY).gid(NOBODY).current_dir("/").output() {
        Ok(ran) => ran,
        Err(error) => {
            println!("skipped: nobody cannot run this program: {error}");
            return;
        }
    };
    let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
    for (name, owner, mode) in files {
        let found = fs::metadata(workspace.join(name)).unwrap();
        assert_eq!((found.uid(), found.mode() & 0o7777), (owner, mode), "{name}");
        let written = !matches!(name, "own/read-only" | "of-others/closed");
        assert_eq!(workspace.read(name) == "new\n", written, "{name}");
    }
    assert_eq!(fs::read_dir(workspace.join("own")).unwrap().count(), 3, "nothing is left beside them");
}
