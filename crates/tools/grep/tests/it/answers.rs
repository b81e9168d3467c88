//! Patterns in, answers out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use toolwright_core::{Cancel, Environment, Services, ToolContext};
use toolwright_services::{DeniedPaths, PathPolicy};
use toolwright_testkit::{TempWorkspace, block_on, context, test_services};

fn grep(workspace: &TempWorkspace, input: Value) -> Result<String, String> {
    let tool = (toolwright_tool_grep::REGISTRATION.build)(&test_services(workspace)).expect("offered");
    let call = tool.parse(input).map_err(|error| error.to_string())?;
    let cx = context(workspace);
    let reply = block_on(async {
        call.validate(&cx).await?;
        call.run(&cx).await
    });
    let reply = reply.map_err(|error| workspace.normalised(&error.to_string()))?;
    Ok(workspace.normalised(reply.answer[0].as_text().expect("text")))
}

fn tree(files: &[(&str, &str)]) -> TempWorkspace {
    let workspace = TempWorkspace::new();
    for (age, (name, content)) in files.iter().enumerate() {
        workspace.write(name, content);
        workspace.set_modified(name, 1_000_000 - age as u64);
    }
    workspace
}

#[test]
fn content_shows_lines_by_file() {
    let workspace = tree(&[
        ("b.txt", "one\ntwo needle\nthree\nfour\nfive\nneedle six\n"),
        ("a/c.rs", "needle\r\n"),
        ("->x.clj", "(defn ->foo [])\n--ctx-size N\n"),
    ]);
    let check = |input: Value, expect: &str| {
        let mut input = input;
        input["output_mode"] = json!("content");
        assert_eq!(grep(&workspace, input), Ok(expect.trim_end().into()));
    };
    check(json!({"pattern": "needle"}), "a/c.rs\n1:needle\n\nb.txt\n2:two needle\n6:needle six\n");
    check(json!({"pattern": "needle", "path": "b.txt", "-n": false}), "b.txt\ntwo needle\nneedle six\n");
    check(
        json!({"pattern": "NEEDLE", "-i": true, "path": "b.txt", "-A": 1}),
        "b.txt\n2:two needle\n3-three\n--\n6:needle six\n",
    );
    check(
        json!({"pattern": "needle", "glob": "*.{txt,{md,sh}}", "-B": 1}),
        "b.txt\n1-one\n2:two needle\n--\n5-five\n6:needle six\n",
    );
    check(json!({"pattern": "->foo"}), "->x.clj\n1:(defn ->foo [])\n");
    check(json!({"pattern": "--ctx-size"}), "->x.clj\n2:--ctx-size N\n");
    check(json!({"pattern": "one.*three", "multiline": true}), "b.txt\n1:one\n2:two needle\n3:three\n");
    check(json!({"pattern": "one.*three"}), "No match in /workspace (3 files searched).\n");
    check(json!({"pattern": "needle", "type": "py"}), "No file to search in /workspace.\n");
}

#[test]
fn a_glob_with_a_folder_finds_deeper_copies_and_a_bang_leaves_out() {
    let workspace =
        tree(&[("r/.github/ci.yml", "K\n"), ("r/b.yml", "K\n"), ("c.min.js", "K\n"), ("c.js", "K\n")]);
    let check = |glob: &str, expect: &str| {
        assert_eq!(grep(&workspace, json!({"pattern": "K", "glob": glob})), Ok(expect.into()), "{glob}");
    };
    check(".github/*.yml", "r/.github/ci.yml");
    check("/r/*.yml", "r/b.yml");
    check("*.js, !*.min.js", "c.js");
}

#[test]
fn kinds_and_globs_are_understood_in_the_forms_they_come_in() {
    let workspace =
        tree(&[("a/x.rs", "K\n"), ("a/y.ts", "K\n"), ("b/z.tsx", "K\n"), ("b/my copy.md", "K\n")]);
    let check = |input: Value, expect: &[&str]| {
        let mut asked = input.clone();
        asked["pattern"] = json!("K");
        assert_eq!(grep(&workspace, asked), Ok(expect.join("\n")), "{input}");
    };
    check(json!({"type": "rust,ts"}), &["a/x.rs", "a/y.ts", "b/z.tsx"]);
    check(json!({"type": "Rust"}), &["a/x.rs"]);
    check(json!({"type": "rs"}), &["a/x.rs"]);
    check(json!({"type": ".rs"}), &["a/x.rs"]);
    check(json!({"type": "*.rs"}), &["a/x.rs"]);
    check(json!({"type": "tsx, rs"}), &["a/x.rs", "b/z.tsx"]);
    check(json!({"glob": "*.rs *.ts"}), &["a/x.rs", "a/y.ts"]);
    check(json!({"glob": "my copy.*"}), &["b/my copy.md"]);
    check(json!({"glob": "a/"}), &["a/x.rs", "a/y.ts"]);
    check(json!({"glob": "!a/"}), &["b/z.tsx", "b/my copy.md"]);
    check(json!({"glob": workspace.join("a").to_string_lossy() + "/*.rs"}), &["a/x.rs"]);
}

#[test]
fn an_unknown_kind_is_named_as_an_ending() {
    let workspace = tree(&[("a.zzq", "K\n")]);
    assert_eq!(
        grep(&workspace, json!({"pattern": "K", "type": ".zzq"})),
        Err("there is no file type `zzq`; did you mean `z`?; use `glob` for other files (`*.zzq`)".into())
    );
}

#[test]
fn every_line_of_matches_that_follow_each_other_is_counted() {
    let check = |text: &str, pattern: &str, count: u64| {
        let workspace = tree(&[("x", text)]);
        let input = json!({"pattern": pattern, "output_mode": "count", "multiline": true});
        let lines = if count == 1 { "line" } else { "lines" };
        let expect = format!("x:{count}\n{count} matching {lines} in 1 file");
        assert_eq!(grep(&workspace, input), Ok(expect), "{text:?} {pattern}");
    };
    check("start\nx\nend\nstart\ny\nend\n", "start.*?end", 6);
    check("start\n1\nend\nstart\n2\nend\nstart\n3\nend\n", "start\\n.\\nend", 9);
    check("a\na\na\na\n", "a\\n", 4);
    check("a\na\na\na\n", "a\\na", 4);
    check("start\nend\nbetween\nstart\nend\n", "start.*?end", 4);
    check("one two one\n", "one", 1);
}

#[test]
fn an_escaped_bar_is_explained_where_nothing_is_found() {
    let workspace = tree(&[("x", "foo\n")]);
    let check = |pattern: &str, expect: &str| {
        assert_eq!(grep(&workspace, json!({"pattern": pattern})), Ok(expect.into()), "{pattern}");
    };
    let none = "No match in /workspace (1 file searched).";
    check(
        r"foo\|bar",
        &format!("{none}\n`\\|` in the pattern is the character `|`; for one or the other write `foo|bar`."),
    );
    check(r"zzz\\|yyy", none);
    check("zzz|yyy", none);
}

#[test]
fn a_line_ends_before_its_carriage_return() {
    let workspace = tree(&[("dos.txt", "one;\r\n\r\ntwo; \r\n"), ("unix.txt", "one;\n")]);
    let check = |input: Value, expect: &str| {
        let mut input = input;
        input["output_mode"] = json!("content");
        assert_eq!(grep(&workspace, input), Ok(expect.into()));
    };
    check(json!({"pattern": ";$"}), "dos.txt\n1:one;\n\nunix.txt\n1:one;");
    check(json!({"pattern": "^$"}), "dos.txt\n2:");
    check(json!({"pattern": ";$\\s+^two", "multiline": true}), "dos.txt\n1:one;\n2:\n3:two;");
    check(json!({"pattern": "one;\\r"}), "dos.txt\n1:one;");
    check(
        json!({"pattern": "\\r$", "path": "unix.txt"}),
        "No match in /workspace/unix.txt (1 file searched).",
    );
}

#[test]
fn rows_are_limited_and_the_answer_says_so() {
    let lines: String = (1..=50).map(|number| format!("hit{number}\n")).collect();
    let workspace = tree(&[("s.txt", &lines), ("t.txt", &lines)]);
    let content = |limit: u32, offset: u32| {
        let input =
            json!({"pattern": "hit", "output_mode": "content", "head_limit": limit, "offset": offset});
        grep(&workspace, input).expect("an answer")
    };
    assert_eq!(
        content(2, 10),
        "s.txt\n11:hit11\n12:hit12\n\n(lines 11 to 12; there are more: use offset 12, or a narrower pattern)"
    );
    assert!(content(3, 48).starts_with("s.txt\n49:hit49\n50:hit50\n\nt.txt\n1:hit1\n\n(lines 49 to 51"));
    assert!(content(100, 0).ends_with("50:hit50"), "exactly all: no word of more");
    assert_eq!(content(10, 100), "There are only 100 lines; use an offset below that.");
    let files = grep(&workspace, json!({"pattern": "hit", "head_limit": 1})).expect("an answer");
    assert_eq!(files, "s.txt\n\n(files 1 to 1 of 2; there are more: use offset 1, or a narrower pattern)");
    let count = grep(&workspace, json!({"pattern": "hit1", "output_mode": "count"})).expect("an answer");
    assert_eq!(count, "s.txt:11\nt.txt:11\n22 matching lines in 2 files");
}

#[test]
fn nothing_is_not_said_of_what_was_not_searched() {
    let workspace = tree(&[
        (".git/HEAD", ""),
        (".gitignore", "hooks/\n.env\n"),
        (".env", "KEY=1\n"),
        ("hooks/h.py", "TODO\n"),
    ]);
    workspace.write("b.bin", [b"NEEDLE ".as_slice(), &[0, 1, 2]].concat());
    let check = |input: Value, expect: &str| assert_eq!(grep(&workspace, input), Ok(expect.into()));
    check(json!({"pattern": "KEY", "path": ".env"}), ".env");
    check(json!({"pattern": "TODO", "path": "hooks"}), "hooks/h.py");
    check(
        json!({"pattern": "TODO"}),
        "No match in /workspace (2 files searched).\nIgnore rules (.gitignore, .ignore) kept 2 files out of the search; \
         give the ignored file or folder as `path` to search it.\n1 binary file left out; give one as `path` to search it.",
    );
    check(
        json!({"pattern": "NEEDLE", "path": "b.bin", "output_mode": "content"}),
        "b.bin: binary file, 1 matching line, not shown",
    );
}

#[test]
fn other_texts_are_read_as_text() {
    let workspace = tree(&[("u8.txt", "Straße ÄÖ\n")]);
    let utf16: Vec<u8> = "\u{feff}wide needle\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    workspace.write("u16.txt", utf16);
    let late_nul = [b"WARN a\n".repeat(10), b"x\0y\n".to_vec(), b"WARN b\n".repeat(10)].concat();
    workspace.write("late.log", late_nul);
    workspace.write("half.log", [b"WARN a\nb\n", &b"-\n".repeat(40_000)[..], b"\0\nWARN c\n"].concat());
    let half = grep(&workspace, json!({"pattern": "WARN", "glob": "half*", "-A": 1}));
    let note = "(a NUL byte follows, where the search of a file that was not named ends)";
    assert_eq!(half, Ok(format!("half.log\n1:WARN a\n2-b\n{note}")));
    assert_eq!(grep(&workspace, json!({"pattern": "äö", "-i": true})), Ok("u8.txt".into()));
    assert_eq!(grep(&workspace, json!({"pattern": "wide needle"})), Ok("u16.txt".into()));
    let late = grep(&workspace, json!({"pattern": "WARN", "path": "late.log", "output_mode": "count"}));
    assert_eq!(late, Ok("late.log:20\n20 matching lines in 1 file".into()));
}

#[test]
fn what_is_too_long_to_be_held_is_named() {
    let workspace = tree(&[]);
    let long = "a".repeat(33 * 1024 * 1024);
    workspace.write("one line", format!("needle\n{long}needle\n"));
    let note = "not searched to its end; a line, or with `multiline` the whole file, is longer than the 32 MB that are searched at once.";
    let check = |input: Value, expect: &str| {
        let mut input = input;
        input["output_mode"] = json!("content");
        assert_eq!(grep(&workspace, input), Ok(expect.into()));
    };
    check(
        json!({"pattern": "^needle", "path": "one line"}),
        &format!("one line\n1:needle\none line: {note}"),
    );
    check(
        json!({"pattern": "^needle", "multiline": true}),
        &format!("No match in /workspace (1 file searched).\none line: {note}"),
    );
}

#[cfg(feature = "look-around")]
#[test]
fn a_pattern_may_look_around_and_refer_back() {
    let workspace =
        tree(&[("a.txt", "foobar\nfoobaz\nabab\nFOObaz ä\n"), ("slow.txt", &("a".repeat(64) + "\n"))]);
    workspace.write("latin1.txt", b"\xe4 foobaz\n");
    let check = |input: Value, expect: &str| {
        let mut input = input;
        input["output_mode"] = json!("content");
        assert_eq!(grep(&workspace, input), Ok(expect.trim_end().into()));
    };
    check(json!({"pattern": "foo(?!bar)", "path": "a.txt"}), "a.txt\n2:foobaz\n");
    check(json!({"pattern": "(?<=foo)baz", "-i": true, "path": "a.txt"}), "a.txt\n2:foobaz\n4:FOObaz ä\n");
    check(json!({"pattern": "(?<two>ab)\\k<two>$", "path": "a.txt"}), "a.txt\n3:abab\n");
    check(json!({"pattern": "(?>ab)ab", "path": "a.txt"}), "a.txt\n3:abab\n");
    check(json!({"pattern": "(ab)\\1$", "path": "a.txt"}), "a.txt\n3:abab\n");
    check(json!({"pattern": "baz\\n(?=abab)", "multiline": true, "path": "a.txt"}), "a.txt\n2:foobaz\n");
    check(json!({"pattern": "foo(?=baz)", "path": "latin1.txt"}), "latin1.txt\n1:\u{fffd} foobaz\n");
    // What takes too long is not passed over in silence, and the rest is searched.
    workspace.write("slow.txt", "a".repeat(64) + "\naaab\n");
    let slow = "slow.txt: the pattern takes too long on a line of it, which was passed over; make the pattern simpler.";
    let pattern = "^(?=(a+)+b?$)(a|aa)+\\1?b";
    check(json!({"pattern": pattern, "path": "slow.txt"}), &format!("slow.txt\n2:aaab\n{slow}"));
    check(json!({"pattern": pattern}), &format!("slow.txt\n2:aaab\n{slow}"));
}

#[test]
fn wrong_input_says_where_and_what_is_right() {
    let workspace = tree(&[("source/a.rs", "x\n")]);
    let check = |input, expect: &str| {
        let error = grep(&workspace, input).expect_err("refused");
        assert!(error.contains(expect), "`{expect}` is not in: {error}");
    };
    if cfg!(not(feature = "look-around")) {
        check(
            json!({"pattern": "foo(?!bar)"}),
            "look-around, including look-ahead and look-behind, is not supported\n  foo(?!bar)\n     ^^^\nThis build has no",
        );
        check(json!({"pattern": "(a)\\1"}), "no back-references");
    }
    if cfg!(feature = "look-around") {
        check(json!({"pattern": "(?<=a+)b"}), "must have a fixed length");
    }
    check(json!({"pattern": "fn main("}), "  fn main(\n         ^\nTo match");
    check(json!({"pattern": "a\\nb"}), "set `multiline` to true");
    check(json!({"pattern": ""}), "is empty");
    check(json!({"pattern": "x", "type": "rusty"}), "did you mean `rust`?");
    check(json!({"pattern": "x", "glob": "a{b"}), "the glob `a{b` is not valid");
    check(json!({"pattern": "x", "offset": 100_001}), "at most 100000");
    check(json!({"pattern": "x", "path": "sorce"}), "does not exist; did you mean /workspace/source?");
    check(json!({"pattern": "x", "path": "sorce/a.rs"}), "did you mean /workspace/source/a.rs?");
}

#[test]
fn a_time_limit_ends_the_search_and_says_so() {
    let workspace = tree(&[("a.txt", "x\n")]);
    let settings = json!({"limits": {"searchTimeoutMs": 0}});
    let environment = Environment::new(BTreeMap::default(), settings.as_object().expect("an object").clone());
    let mut services = Services::new(Arc::new(environment));
    let over = Arc::new(AtomicBool::new(false));
    services.offer::<dyn PathPolicy>(Arc::new(Held(Arc::clone(&over))));
    let tool = (toolwright_tool_grep::REGISTRATION.build)(&services).expect("offered");
    let call = tool.parse(json!({"pattern": "none"})).expect("an input");
    // It is told how far it is once its time is over.
    let tell = move |_| over.store(true, Ordering::Release);
    let cx = ToolContext::new("call", "main", workspace.path(), Cancel::default(), tell);
    let reply = block_on(async { call.run(&cx).await }).expect("an answer");
    let answer = reply.answer[0].as_text().expect("text");
    assert!(
        answer.contains("searched so far") && answer.contains("The time limit ended the search"),
        "{answer}"
    );
}

/// Holds a search up until its time is over.
struct Held(Arc<AtomicBool>);

impl PathPolicy for Held {
    fn in_folder(&self, _: &Path) -> Arc<dyn DeniedPaths> {
        Arc::new(Self(Arc::clone(&self.0)))
    }
}

impl DeniedPaths for Held {
    fn denies_read(&self, _: &Path) -> Option<String> {
        while !self.0.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
        None
    }

    fn named(&self) -> &[PathBuf] {
        &[]
    }
}
