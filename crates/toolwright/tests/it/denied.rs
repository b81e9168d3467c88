//! A deny rule is one answer for every way to a file, whichever tool takes it.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use toolwright::core::{Cancel, Environment};
use toolwright::permissions::Mode;
use toolwright::{App, Start};
use toolwright_testkit::{TempWorkspace, block_on};

/// The project with a secret in `private/keys`, and links to it.
fn place() -> TempWorkspace {
    let workspace = TempWorkspace::new();
    for (name, text) in [
        ("p/private/keys/x", "SECRET"),
        ("p/private/open", "OPEN"),
        ("p/sub/config/secrets/x", "HIDDEN"),
        ("p/sub/open", "OPEN"),
        ("p/key", "LINKED"),
        ("p/open", "OPEN"),
        ("added/.env", "ADDED"),
        ("added/open", "OPEN"),
    ] {
        workspace.write(name, text);
    }
    let links = [
        ("private", "p/alias"),
        ("private/keys/x", "p/aliasfile"),
        ("..", "p/sub/up"),
        ("../p/private", "added/private"),
        // A link to a link, whose second half climbs.
        ("sub/up", "p/chain"),
    ];
    links.iter().for_each(|(target, link)| symlink(target, workspace.join(link)).unwrap());
    std::fs::hard_link(workspace.join("p/key"), workspace.join("p/hard")).unwrap();
    std::fs::hard_link(workspace.join("p/key"), workspace.join("p/sub/hard")).unwrap();
    workspace
}

/// Every way to the folder `private`, from `p`: by links that are it, lie above it or lead back to it, and by its name.
const WAYS: [&str; 13] = [
    "private",
    "./private",
    "private/.",
    "sub/../private",
    "private//",
    "alias",
    "sub/up/private",
    "sub/up/sub/up/alias",
    "../p/private",
    "../added/private",
    "{P}/alias",
    "/proc/self/root{P}/private",
    "chain/alias",
];

/// What calls answer, one after the other: `deny` rules hold, `../added` was added.
fn answers(deny: &[&str], calls: &[(&str, Value)]) -> Vec<String> {
    let workspace = place();
    let project = workspace.path().canonicalize().unwrap().join("p");
    // `{P}` stands for the project.
    let placed = |text: &str| text.replace("{P}", project.to_str().unwrap());
    let flags = toolwright::config::Flags {
        deny: deny.iter().map(|rule| placed(rule)).collect(),
        additional_directories: vec![project.parent().unwrap().join("added")],
        mode: Some(Mode::AcceptEdits),
        allow: vec!["Bash(cd *)".into()],
        ..Default::default()
    };
    let app = App::linked(Environment::default(), project.clone()).unwrap().flags(flags);
    let mut agent = app.build(Start::Unrecorded).unwrap().agent;
    block_on(async {
        let mut answers = Vec::new();
        for (tool, input) in calls {
            let input = serde_json::from_str(&placed(&input.to_string())).unwrap();
            let result = agent.call(tool, input, &Cancel::default()).await.unwrap().result;
            answers.push(result.answer.iter().filter_map(|part| part.as_text()).collect());
        }
        answers
    })
}

fn read(path: &str) -> (&'static str, Value) {
    ("Read", json!({"file_path": path}))
}

fn grep(path: &str) -> (&'static str, Value) {
    ("Grep", json!({"pattern": "[A-Z]+", "path": path, "output_mode": "content"}))
}

fn glob(pattern: &str) -> (&'static str, Value) {
    ("Glob", json!({"pattern": pattern}))
}

#[test]
fn no_way_leads_to_what_is_denied() {
    // Of the last call: what must be in its answer, and what must not.
    let check = |deny: &str, calls: &[(&str, Value)], shown: &[&str], hidden: &[&str]| {
        let answers = answers(&[deny], calls);
        let answer = answers.last().unwrap();
        shown.iter().for_each(|text| assert!(answer.contains(text), "{deny} {calls:?}: {answer}"));
        hidden.iter().for_each(|text| assert!(!answer.contains(text), "{deny} {calls:?}: {answer}"));
    };
    let keys = "Read(./private/keys/**)";
    check(keys, &[read("private/keys/x")], &["keys"], &["SECRET"]);
    check(keys, &[read("aliasfile")], &["keys"], &["SECRET"]);
    check(keys, &[grep(".")], &["OPEN"], &["SECRET"]);
    // A link is the root, above the root, or leads back from below.
    check(keys, &[grep("alias")], &["OPEN"], &["SECRET"]);
    check(keys, &[grep("alias/keys")], &["deny rule"], &["SECRET"]);
    check(keys, &[grep("aliasfile")], &["keys"], &["SECRET"]);
    check(keys, &[grep("sub/up/private")], &["OPEN"], &["SECRET"]);
    check(keys, &[grep("sub/up/alias")], &["OPEN"], &["SECRET"]);
    check(keys, &[grep("../added/private")], &["OPEN"], &["SECRET"]);
    check(keys, &[glob("alias/**")], &["open"], &["keys/x"]);
    check(keys, &[glob("sub/up/alias/**/x")], &["No file matches"], &["keys/x"]);
    // The rule is about the spelled form.
    check("Read(./alias/keys/**)", &[grep("alias")], &["OPEN"], &["SECRET"]);
    check("Read(./alias/keys/**)", &[read("alias/keys/x")], &["alias"], &["SECRET"]);
    // A changed directory: the rule holds from there, too.
    let cd = ("Bash", json!({"command": "cd sub"}));
    let secrets = "Read(./config/secrets/**)";
    check(secrets, &[cd.clone(), read("config/secrets/x")], &["secrets"], &["HIDDEN"]);
    check(secrets, &[cd.clone(), grep(".")], &["OPEN"], &["HIDDEN"]);
    check(secrets, &[cd, glob("**/x")], &["No file matches"], &["secrets/x"]);
}

#[test]
fn a_denied_file_is_answered_as_denied_whether_it_is_there_or_not() {
    let deny = ["Read(./private/keys/**)"];
    let same = |call: fn(&str) -> (&'static str, Value), is: &str, is_not: &str| {
        let answers = answers(&deny, &[call(is), call(is_not)]);
        assert!(answers[0].contains("den"), "{answers:?}");
        assert_eq!(answers[0].replace(is, "IT"), answers[1].replace(is_not, "IT"));
        assert!(!answers[0].contains("folder"), "{answers:?}");
    };
    same(read, "private/keys/x", "private/keys/y");
    same(grep, "private/keys/x", "private/keys/y");
    same(glob, "private/keys/x", "private/keys/y");
    // A guess names nothing that is denied.
    let answers = answers(&["Read(./key)"], &[read("kex"), grep("kex")]);
    answers.iter().for_each(|answer| assert!(!answer.contains("/key"), "{answer}"));
}

#[test]
fn a_hard_link_is_the_file_that_a_rule_names() {
    let bash = |command: &str| ("Bash", json!({"command": command}));
    let edit = |path: &str| ("Edit", json!({"file_path": path, "old_string": "LINKED", "new_string": "x"}));
    let calls = [
        read("hard"),
        read("sub/hard"),
        read("sub/up/hard"),
        grep("hard"),
        grep("."),
        grep("sub"),
        glob("h*"),
        glob("hard"),
        glob("sub/hard"),
        edit("hard"),
        bash("cat hard"),
        bash("cat h*"),
        bash("cat sub/hard"),
        bash("cd sub && cat hard"),
        bash("head -n 1 < hard"),
    ];
    for rule in ["Read(./key)", "Read(key)", "Read(/key)", "Read(sub/../key)"] {
        for (call, answer) in calls.iter().zip(answers(&[rule], &calls)) {
            let named = call.0 == "Glob" && answer.lines().any(|line| line.ends_with("hard"));
            assert!(!answer.contains("LINKED") && !named, "{rule} {call:?}: {answer}");
        }
    }
    // A rule against changing it.
    let changed = answers(&["Edit(./key)"], &[read("hard"), edit("hard"), read("key")]);
    assert!(changed[1].contains("Edit(./key)") && changed[2].contains("LINKED"), "{changed:?}");
    // A file that no rule names is shown by all its names.
    let shown = answers(&["Read(./open)"], &[read("hard"), grep("sub"), glob("h*")]);
    assert!(
        shown[..2].iter().all(|answer| answer.contains("LINKED")) && shown[2].contains("hard"),
        "{shown:?}"
    );
}

#[test]
fn ten_spellings_of_a_rule_hold_for_every_tool_and_every_way() {
    let rules = [
        "Read(./private/keys/**)".to_owned(),
        "Read(private/keys/**)".into(),
        "Read(/private/keys/**)".into(),
        "Read(/private/keys)".into(),
        "Read(./private/keys/x)".into(),
        "Read(private/./keys//x)".into(),
        "Read(sub/../private/keys/*)".into(),
        "Read(**/keys/x)".into(),
        "Read(keys/)".into(),
        "Read(PRIVATE/Keys/**)".into(),
        "Read(**/x)".into(),
        "Read(x)".into(),
        "Read(/{P}/private/keys/**)".into(),
        "Read(//**/private/keys/**)".into(),
    ];
    let bash = |command: String| ("Bash", json!({"command": command}));
    let calls: Vec<(&str, Value)> = WAYS
        .iter()
        .flat_map(|way| {
            let file = format!("{way}/keys/x");
            [
                read(&file),
                read(&format!("{file}/")),
                grep(way),
                grep(&format!("{way}/keys")),
                grep(&file),
                ("Grep", json!({"pattern": "SE", "path": way, "glob": "**/x"})),
                glob(&format!("{way}/keys/*")),
                glob(&format!("{way}/**/x")),
                glob(&file),
                ("Glob", json!({"pattern": "{keys,y}/x", "path": way})),
                ("Edit", json!({"file_path": file, "old_string": "SECRET", "new_string": "GONE"})),
                ("Write", json!({"file_path": file, "content": "GONE"})),
                ("NotebookEdit", json!({"notebook_path": file, "cell_id": "a", "new_source": "GONE"})),
                bash(format!("cat {file}")),
                bash(format!("cat {way}/keys/*")),
                bash(format!("cat {way}/k*/x")),
                bash(format!("head < {file}")),
                bash(format!("cd {way} && cat keys/x")),
            ]
        })
        .collect();
    for rule in rules {
        for ((tool, input), answer) in calls.iter().zip(answers(&[&rule], &calls)) {
            let named = *tool == "Glob"
                && answer.lines().any(|line| line.ends_with("keys/x") && !line.contains("rule"));
            assert!(!answer.contains("SECRET") && !named, "{rule} {tool} {input}: {answer}");
        }
    }
}
