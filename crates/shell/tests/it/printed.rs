//! The printed form of a text is the same to the analysis: it reads where the text reads, and can be printed.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use toolwright_core::Subject;
use toolwright_shell::{Analysis, Place, analyse};

const CASES: [&str; 3] = [
    include_str!("../data/security.jsonl"),
    include_str!("../../../../tests/cases/security/handed-2.jsonl"),
    include_str!("../../../../tests/cases/security/everyday.jsonl"),
];

fn place() -> Place {
    let mut place = Place::new(Path::new("/work"), Some(Path::new("/home/me")));
    place.repository = Some("/work".into());
    place
}

/// What it touches, and which programs it counts on.
fn touched(analysis: &Analysis) -> BTreeSet<String> {
    let path = |subject: &Subject| match subject {
        Subject::Path { path, access, .. } => Some(format!("{access:?} {}", path.display())),
        Subject::Domain(host) => Some(host.clone()),
        _ => None,
    };
    let programs = analysis.programs.iter().map(|program| format!("program {program}"));
    analysis.subjects.iter().filter_map(path).chain(programs).collect()
}

/// What differs between a text and its printed form, if anything does.
fn difference(text: &str) -> Option<String> {
    let first = analyse(text, &place());
    if first != analyse(text, &place()) {
        return Some(format!("{text:?} is not read in the same way twice"));
    }
    let printed = first.printed.as_deref()?;
    let second = analyse(printed, &place());
    // `$'\\e'` is printed as the character it stands for, which no text may hold as written.
    let unseen =
        |subject: &Subject| matches!(subject, Subject::Unreadable(why) if why.contains("cannot be shown"));
    if second.subjects.iter().any(unseen) {
        return None;
    }
    let same = first.effects == second.effects
        && first.critical == second.critical
        && touched(&first) == touched(&second)
        && second.printed.is_some();
    (!same).then(|| {
        format!(
            "{text:?} is printed as {printed:?}, {:?} and {:?}\n{:?}\n{:?}\n{:?}",
            first.effects,
            second.effects,
            touched(&first),
            touched(&second),
            second.printed
        )
    })
}

#[test]
fn cases_mean_the_same_as_printed() {
    let text = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        case["command"].as_str().or(case["input"]["command"].as_str()).map(str::to_owned)
    };
    let texts = CASES.iter().flat_map(|cases| cases.lines()).filter_map(text);
    let different: Vec<String> = texts.filter_map(|text| difference(&text)).collect();
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n\n"));
}

/// Commands made of pieces that mean something to bash.
fn texts() -> impl Strategy<Value = String> {
    const PIECES: [&str; 56] = [
        "cat",
        "ls",
        "echo",
        "x=a",
        "$x",
        "\"$x\"",
        "'a b'",
        "{a,b}",
        "{1..3}",
        "*",
        "~",
        "../a",
        "-n",
        "--",
        ">",
        "<",
        "2>&1",
        "<<<",
        "|",
        "&&",
        "||",
        ";",
        "&",
        "\n",
        "(",
        ")",
        "{ ",
        "; }",
        "if",
        "then",
        "else",
        "fi",
        "for i in",
        "do",
        "done",
        "while",
        "case a in",
        "a)",
        ";;",
        "esac",
        "$(",
        "`",
        "((",
        "))",
        "$((",
        "[[",
        "]]",
        "${x:-",
        "}",
        "!",
        "-eq",
        "1",
        "+",
        "<<E\n",
        "\nE\n",
        "f()",
    ];
    let piece = (0..PIECES.len(), any::<bool>());
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| {
        pieces
            .iter()
            .map(|(index, blank)| format!("{}{}", PIECES[*index], if *blank { " " } else { "" }))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..Default::default() })]
    #[test]
    fn texts_mean_the_same_as_printed(text in texts(), any in "\\PC{0,40}") {
        prop_assert_eq!(difference(&text), None);
        prop_assert_eq!(difference(&any), None);
    }
}
