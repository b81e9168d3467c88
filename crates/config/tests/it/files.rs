//! Bad files: an error with file, line, column and what to do. Odd ones: a warning.

use toolwright_config::Flags;

use crate::support::World;

const FILE: &str = "proj/.toolwright/settings.json";

#[test]
fn a_bad_file_is_an_error_with_its_place() {
    for (text, expect) in [
        ("{\"model\": \"a\"\n  \"env\": {}}", "1:14: expected comma; put a comma here"),
        ("{\n  'model': 1}", "2:3: single-quoted strings are not allowed; write texts in double quotes"),
        ("{model: 1}", "1:2: "),
        ("{\"model\": \"a\"", "1:1: unterminated object; close the object with `}`"),
        ("{} {}", "1:4: "),
        ("[]", "1:1: the settings are a list; put them into an object: `{ .. }`"),
        ("{\"model\": 0x1}", "1:11: "),
        (
            "{\"permissions\": []}",
            "1:17: `permissions` is a list; it must be an object with `allow`, `ask` and `deny`",
        ),
        (
            "{\"permissions\": {\n\"deny\": \"Read\"}}",
            "2:9: `permissions.deny` is a text; it must be a list of rules such as \"Bash(git diff *)\"",
        ),
        (
            "{\"permissions\": {\"deny\": [1]}}",
            "1:27: `permissions.deny` is a number; it must be a list of rules",
        ),
        ("{\"permissions\": {\"deny\": [\" \"]}}", "1:27: `permissions.deny` has an empty entry"),
        (
            "{\"permissions\": {\"defaultMode\": \"yolo\"}}",
            "1:33: `permissions.defaultMode` is wrong: `yolo` is no",
        ),
        ("{\"env\": {\"A=B\": \"x\"}}", "1:10: `env` has \"A=B\", which is no variable"),
        ("{\"env\": {\"A\": []}}", "1:15: `env.A` is a list; it must be a text"),
        ("{\"hooks\": {\"Stop\": [{}]}}", "1:21: `hooks.Stop` has an entry without `hooks`"),
        (
            "{\"permissions\": {\"deny\": [\"Read\"],\n \"deny\": []}}",
            "2:2: `deny` stands here and in line 1; make one of the two",
        ),
    ] {
        let error = World::new(&[(FILE, text)]).error();
        let expect = format!("{FILE}:{expect}");
        assert!(error.starts_with(&expect), "{text}\n{error}\n{expect}");
    }
}

#[test]
fn no_layer_hides_another_ones_error() {
    for file in ["managed/settings.json", "home/.claude/settings.json", "proj/.claude/settings.local.json"] {
        let error = World::new(&[(file, "{"), (FILE, "{}")]).error();
        assert!(error.starts_with(&format!("{file}:1:1: ")), "{error}");
    }
}

#[test]
fn what_is_no_file_is_an_error() {
    let world = World::new(&[("proj/.toolwright/settings.json/x", "")]);
    let error = world.error();
    assert_eq!(error, format!("{FILE} is no file; repair it or move it away, settings are never skipped"));
    let world = World::new(&[(FILE, &" ".repeat((1 << 20) + 1))]);
    assert!(world.error().starts_with(&format!("{FILE} is larger than 1 MiB")));
    let world = World::new(&[(FILE, "")]);
    std::fs::write(world.path(FILE), [b'{', 0xff, b'}']).expect("a file");
    assert!(world.error().starts_with(&format!("{FILE} is not in UTF-8")));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_an_error() {
    let world = World::new(&[(FILE, "")]);
    std::fs::remove_file(world.path(FILE)).expect("the file");
    std::os::unix::fs::symlink("nowhere", world.path(FILE)).expect("a link");
    assert!(world.error().starts_with(&format!("{FILE} is a link that leads nowhere")));
}

#[test]
fn comments_commas_and_empty_files_are_fine() {
    for text in ["", " \n", "// nothing yet\n", "{}", "\u{feff}{}", "{/* a */\"model\": \"x\",}"] {
        let world = World::new(&[(FILE, text)]);
        assert_eq!(world.trusted().warnings, Vec::<String>::new(), "{text:?}");
    }
}

#[test]
fn keys_that_something_reads_do_not_warn() {
    let text = "{\"autoCompactEnabled\": true, \"bash\": {}, \"enableToolSearch\": true, \"files\": {}}";
    assert_eq!(World::new(&[(FILE, text)]).trusted().warnings, Vec::<String>::new());
}

#[test]
fn unknown_keys_warn_with_the_nearest_name() {
    let text = "{\n\"modle\": \"x\",\n\"permissions\": {\"denny\": []},\n\"zzzzzz\": 1, \"mine\": 2}";
    let world = World::new(&[(FILE, text)]);
    let settings = toolwright_config::load(&world.places("proj"), &Flags::default(), true, &["mine"])
        .expect("good settings");
    let warnings: Vec<String> = settings.warnings.iter().map(|text| world.short(text)).collect();
    assert_eq!(
        warnings,
        [
            format!("{FILE}:2: `modle` is no setting and does nothing; did you mean `model`?"),
            format!("{FILE}:3: `denny` is no setting and does nothing; did you mean `deny`?"),
            format!("{FILE}:4: `zzzzzz` is no setting and does nothing"),
        ]
    );
    let foreign = World::new(&[("proj/.claude/settings.json", "{\"zzzzzz\": 1}")]);
    assert_eq!(foreign.trusted().warnings, Vec::<String>::new());
}

#[test]
fn rules_that_do_not_do_what_they_seem_to_warn() {
    let world = World::new(&[(FILE, "{\"permissions\": {\n\"deny\": [\"Write(a)\"]}}")]);
    let warnings = world.trusted().warnings;
    let expect = format!("the deny rule `Write(a)` (project, {FILE}:2) is never matched");
    assert!(warnings.iter().any(|text| world.short(text).starts_with(&expect)), "{warnings:?}");
}

#[test]
fn settings_by_flag() {
    let world = World::new(&[("proj/s.json", r#"{"model": "file"}"#)]);
    let load = |given: &str| world.load(&Flags { settings: vec![given.into()], ..Flags::default() }, false);
    assert_eq!(load("s.json").expect("good settings").model.as_deref(), Some("file"));
    assert_eq!(load(r#" {"model": "inline"}"#).expect("good settings").model.as_deref(), Some("inline"));
    let text = |given: &str| world.short(&load(given).expect_err("bad settings").to_string());
    assert_eq!(
        text("t.json"),
        "--settings: there is no file proj/t.json; give a file or JSON that begins with `{`"
    );
    assert!(text("{").starts_with("--settings:1:1: unterminated object"));
}

#[test]
fn deep_nesting_is_an_error() {
    let text = format!("{{\"tools\": {}", "[".repeat(100_000));
    assert!(World::new(&[(FILE, &text)]).error().contains("nesting"));
}
