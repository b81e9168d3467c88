//! Links and folders that change places while the file tools run: nothing lands elsewhere, and nothing that is denied or
//! outside is shown. With a small number of calls of each tool; `TOOLWRIGHT_LINK_CALLS` says another.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde_json::{Value, json};
use toolwright::core::{Cancel, Environment};
use toolwright::permissions::Mode;
use toolwright::{App, Start};
use toolwright_testkit::{TempWorkspace, block_on};

const NOTEBOOK: &str = r#"{"cells":[{"cell_type":"code","id":"one","metadata":{},"outputs":[],"execution_count":null,"source":["1"]}],"metadata":{},"nbformat":4,"nbformat_minor":5}"#;

/// What of the files outside and of the denied ones must be in no answer.
const SECRETS: [&str; 4] = ["OUTSIDE MARKER", "DENIED MARKER", "outside-only", "denied-only"];

#[expect(clippy::disallowed_methods, reason = "a test is told by its own environment how long it runs")]
fn calls() -> usize {
    std::env::var("TOOLWRIGHT_LINK_CALLS").ok().and_then(|calls| calls.parse().ok()).unwrap_or(100)
}

fn place() -> (TempWorkspace, PathBuf) {
    let workspace = TempWorkspace::new();
    for (folder, marker) in
        [("project/a", "INSIDE MARKER"), ("project/denied", "DENIED MARKER"), ("outside", "OUTSIDE MARKER")]
    {
        workspace.write(format!("{folder}/file"), format!("{marker}\nvalue 0\n"));
        workspace.write(format!("{folder}/n.ipynb"), NOTEBOOK);
        workspace.write(format!("{folder}/deep/file"), format!("{marker}\n"));
    }
    workspace.write("project/denied/denied-only", "DENIED MARKER\n");
    workspace.write("outside/outside-only", "OUTSIDE MARKER\n");
    workspace.write("project/tree/sub/file", "INSIDE MARKER\n");
    workspace.write("project/tree/other/file", "INSIDE MARKER\n");
    // Two folders deep, the outer one of which flips.
    for (folder, marker) in [("project/nest", "INSIDE MARKER"), ("outside/nest", "OUTSIDE MARKER")] {
        workspace.write(format!("{folder}/inner/file"), format!("{marker}\nvalue 0\n"));
        workspace.write(format!("{folder}/inner/n.ipynb"), NOTEBOOK);
    }
    // What is a file at one moment and a link at the next.
    workspace.write("project/plain/file", "INSIDE MARKER\nvalue 0\n");
    workspace.write("project/plain/n.ipynb", NOTEBOOK);
    // What is a file of its own and another name of a denied one.
    workspace.write("project/denied/named", "DENIED MARKER\nvalue 0\n");
    workspace.write("project/own", "INSIDE MARKER\nvalue 0\n");
    workspace.write("project/.git/hooks/sample", "HOOK MARKER\n");
    let project = workspace.path().canonicalize().unwrap().join("project");
    (workspace, project)
}

/// Lets a name be a link to each of these in turn.
fn flip_link(project: &Path, name: &str, targets: &[&str], over: &AtomicBool) {
    let next = project.join(format!("{}.next", name.replace('/', "-")));
    while !over.load(Relaxed) {
        for target in targets {
            symlink(target, &next).unwrap();
            fs::rename(&next, project.join(name)).unwrap();
        }
    }
}

/// Lets a name be a hard link to each of these in turn.
fn flip_hard_link(project: &Path, name: &str, targets: &[&str], over: &AtomicBool) {
    let next = project.join(format!("{name}.next"));
    while !over.load(Relaxed) {
        for target in targets {
            fs::hard_link(project.join(target), &next).unwrap();
            fs::rename(&next, project.join(name)).unwrap();
            // A name that is one of the same file already stays.
            let _ = fs::remove_file(&next);
        }
    }
}

/// Lets a name be a folder or a file, and a link, in turn.
fn flip_in_place(project: &Path, name: &str, target: &str, over: &AtomicBool) {
    let beside = |end: &str| project.join(format!("{}.{end}", name.replace('/', "-")));
    let (here, aside, link) = (project.join(name), beside("aside"), beside("next"));
    while !over.load(Relaxed) {
        symlink(target, &link).unwrap();
        fs::rename(&here, &aside).unwrap();
        put(&link, &here);
        std::thread::yield_now();
        fs::remove_file(&here).unwrap();
        put(&aside, &here);
    }
}

/// A call may have made the folder or the file in the moment in which it was missing.
fn put(from: &Path, to: &Path) {
    while fs::rename(from, to).is_err() {
        let _ = fs::remove_dir_all(to);
    }
}

/// What must stay as it is.
fn untouched(project: &Path) -> [BTreeMap<PathBuf, Vec<u8>>; 3] {
    ["../outside", "denied", ".git"].map(|folder| files(&project.join(folder)))
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
            // An empty one counts, too.
            found.insert(entry.path(), Vec::new());
        } else {
            found.insert(entry.path(), fs::read(entry.path()).unwrap());
        }
    }
    found
}

/// Makes calls of a tool as long as links flip; gives how many succeeded.
fn run(tool: &str, input: impl Fn(usize) -> Value) -> usize {
    let (workspace, project) = place();
    // A call that came before the first link would make a folder in its place.
    for (name, target) in [("flip", "a"), ("flipnest", "nest"), ("hooks", "a")] {
        symlink(target, project.join(name)).unwrap();
    }
    let before = untouched(&project);
    let mut app = App::linked(Environment::default(), project.clone()).unwrap();
    let flags = toolwright::config::Flags {
        deny: ["Read(./denied/**)", "Edit(./denied/**)", "Read(./denied/named)"].map(Into::into).into(),
        mode: Some(Mode::AcceptEdits),
        ..Default::default()
    };
    app = app.flags(flags);
    let mut agent = app.build(Start::Unrecorded).unwrap().agent;
    let (over, met) = (AtomicBool::new(false), AtomicBool::new(false));
    let (mut succeeded, mut shown) = (0, BTreeSet::new());
    std::thread::scope(|threads| {
        let (project, over) = (&project, &over);
        threads.spawn(move || flip_link(project, "flip", &["a", "../outside", "a", "denied"], over));
        threads.spawn(move || {
            flip_link(project, "flipfile", &["a/file", "../outside/file", "a/file", "denied/file"], over);
        });
        threads.spawn(move || {
            flip_link(project, "newfile", &["a/made", "../outside/made", "a/made", "denied/made"], over);
        });
        threads.spawn(move || flip_link(project, "flipnest", &["nest", "../outside/nest"], over));
        threads.spawn(move || flip_link(project, "hooks", &["a", ".git/hooks"], over));
        threads.spawn(move || flip_hard_link(project, "hard", &["own", "denied/named"], over));
        threads.spawn(move || flip_in_place(project, "tree/sub", "../../outside", over));
        threads.spawn(move || flip_in_place(project, "plain/file", "../../outside/file", over));
        threads.spawn(move || flip_in_place(project, "plain/n.ipynb", "../../outside/n.ipynb", over));
        block_on(async {
            let mut call = async |tool: &str, input: Value| {
                let result = agent.call(tool, input, &Cancel::default()).await.unwrap().result;
                let answer: String = result.answer.iter().filter_map(|part| part.as_text()).collect();
                (!result.outcome.is_failure(), answer)
            };
            // What is changed must have been read; and made for the links to begin with.
            call("Read", json!({"file_path": "a/file"})).await;
            call("Read", json!({"file_path": "a/n.ipynb"})).await;
            call("Read", json!({"file_path": "nest/inner/file"})).await;
            call("Read", json!({"file_path": "nest/inner/n.ipynb"})).await;
            call("Read", json!({"file_path": "own"})).await;
            call("Read", json!({"file_path": "tree/other/file"})).await;
            // How often links flip between two calls is the system's matter.
            let (least, most) = (calls(), calls().max(100) * 100);
            for number in (0..most).take_while(|number| *number < least || !met.load(Relaxed)) {
                let (good, answer) = call(tool, input(number)).await;
                met.fetch_or(good, Relaxed);
                succeeded += usize::from(good);
                if SECRETS.iter().any(|secret| answer.contains(secret)) {
                    shown.insert(answer);
                }
            }
        });
        over.store(true, Relaxed);
    });
    assert!(
        shown.is_empty(),
        "{tool} shows {} answers with what is hidden: {:?}",
        shown.len(),
        shown.first()
    );
    assert_eq!(untouched(&project), before, "{tool} changes what is elsewhere");
    drop(workspace);
    succeeded
}

/// Runs a tool, which must succeed where it meets a moment in which it may.
#[expect(clippy::print_stdout, reason = "a test tells what it tried")]
fn check(tool: &str, input: impl Fn(usize) -> Value) {
    let succeeded = run(tool, input);
    assert!(succeeded > 0, "no call of {tool} met the moment in which it may run");
    println!("{tool}: {succeeded} calls of {} succeeded", calls());
}

fn pick(paths: &[&str], number: usize) -> String {
    paths[number % paths.len()].to_owned()
}

#[test]
fn read_shows_nothing_elsewhere() {
    check("Read", |number| {
        let paths = [
            "flip/file",
            "flipfile",
            "flip/denied-onl",
            "flip/outside-onl",
            "tree/sub/file",
            "flipnest/inner/file",
            "plain/file",
            "plain/n.ipynb",
            "hard",
        ];
        json!({"file_path": pick(&paths, number)})
    });
}

#[test]
fn grep_shows_nothing_elsewhere() {
    check("Grep", |number| {
        let paths =
            ["flip", "tree", "flipfile", "tree/sub", "flip/dep", "flipnest", "plain", "plain/file", "hard"];
        let mode = pick(&["content", "files_with_matches"], number / 9);
        json!({"pattern": "MARKER", "path": pick(&paths, number), "output_mode": mode})
    });
}

#[test]
fn glob_shows_nothing_elsewhere() {
    check("Glob", |number| {
        let patterns = ["flip/*", "tree/**", "flip/deep/*", "tree/sub/*", "flip/*-onl?", "flipnest/**", "h*"];
        json!({"pattern": pick(&patterns, number)})
    });
}

#[test]
fn write_lands_nowhere_else() {
    check("Write", |number| {
        let paths = [
            "flip/new-",
            "tree/sub/new-",
            "flip/folder/new-",
            "tree/sub/folder/new-",
            "flipnest/inner/new-",
            "hooks/new-",
        ];
        let path = match number % 8 {
            6 => "newfile".into(),
            7 => "hard".into(),
            _ => format!("{}{number}", pick(&paths, number % 8)),
        };
        json!({"file_path": path, "content": "made"})
    });
}

#[test]
fn edit_lands_nowhere_else() {
    check("Edit", |number| {
        let (old, new) = if number % 2 == 0 { ("value 0", "value 1") } else { ("value 1", "value 0") };
        let paths = ["flip/file", "flipfile", "flipnest/inner/file", "plain/file", "hard"];
        json!({"file_path": pick(&paths, number / 2), "old_string": old, "new_string": new})
    });
}

#[test]
fn notebook_edit_lands_nowhere_else() {
    check("NotebookEdit", |number| {
        let paths = ["flip/n.ipynb", "flipnest/inner/n.ipynb", "plain/n.ipynb"];
        json!({"notebook_path": pick(&paths, number), "cell_id": "one", "new_source": format!("{number}")})
    });
}
