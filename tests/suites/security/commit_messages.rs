//! A commit message as agents write it, in a quoted here-document within `$(cat ..)`: any text runs under the rule for
//! commits, and is the message byte for byte.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use crate::{Decided, Scratch, Started};

/// Pieces that a reader of bash may trip over.
const PIECES: [&str; 40] = [
    "'",
    "\"",
    "`",
    "$",
    "$(",
    "${",
    "$((",
    ")",
    "(",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "\\",
    "\\\\",
    "#",
    " # ",
    "!",
    "!!",
    "*",
    "?",
    "~",
    "&&",
    "||",
    ";",
    "|",
    "<<EOF",
    "<<'EOF'",
    "EOF",
    "\nEOF ",
    "\n EOF",
    "\n\n",
    "\t",
    "é",
    "🎉",
    "👨‍👩‍👧",
    "日本",
    "$'a'",
    "`rm -rf x`",
];

fn message() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => select(&PIECES[..]).prop_map(str::to_owned),
        2 => "[a-zA-Z0-9 .,:_/=+-]{1,12}",
        1 => "\\PC{1,6}",
        1 => Just("\n".to_owned()),
    ];
    let long = (any::<char>(), 100..9_900_usize).prop_map(|(first, length)| {
        let unit = if first.is_control() { "x".to_owned() } else { format!("{first}'\"`$(\\") };
        unit.chars().cycle().take(length).collect()
    });
    prop_oneof![8 => prop::collection::vec(piece, 1..40).prop_map(|pieces| pieces.concat()), 1 => long]
        .prop_filter("what cannot be shown asks", |text: &String| !text.chars().any(is_unseen))
        // Git takes no message of nothing, and bash drops the last line ends.
        .prop_map(|text| format!("x{}.", text))
        .prop_filter("the end of the text itself", |text| !text.lines().any(|line| line == "EOF"))
        // New versions of bash end the document there, and run what stands behind it.
        .prop_filter("nearly the end", |text| {
            !text.lines().any(|line| line.starts_with("EOF") && line.contains(')'))
        })
}

/// What no question could show.
fn is_unseen(character: char) -> bool {
    let shown = matches!(character, '\n' | '\t');
    let joins = matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    !shown && (character.is_control() || joins || matches!(character, '\u{feff}' | '\u{e0000}'..='\u{e007f}'))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_message_is_committed_as_it_is(messages in prop::collection::vec(message(), 12)) {
        check(&messages);
    }
}

#[test]
fn messages_of_the_field() {
    let long = "a line of a message\n".repeat(499) + "the end of 10,000 ch";
    check(&[
        "fix: 1) first thing\n2) second (with `code`)\n\n- it's \"quoted\" $HOME".into(),
        "unpaired ) and ( and ${ and `".into(),
        "ends with a backslash \\".into(),
        "EOF\u{20}\n EOF\nEOFx".into(),
        long,
    ]);
}

fn check(messages: &[String]) {
    let scratch = Scratch::new("");
    scratch.write_json("home/rules.json", &json!({"permissions": {"allow": ["Bash(git commit *)"]}}));
    let settings = scratch.root().join("home/rules.json");
    let started =
        Started { cwd: "proj", mode: "default", settings: Some(&settings), runs: true, ..Started::default() };
    let input = |message: &String| {
        let options = "--allow-empty --cleanup=verbatim --quiet";
        json!({"tool": "Bash", "command": format!("git commit {options} -m \"$(cat <<'EOF'\n{message}\nEOF\n)\"")})
    };
    let inputs: Vec<_> = messages.iter().map(input).collect();
    for ((decided, answer), message) in scratch.calls(&started, &inputs).into_iter().zip(messages) {
        assert!(decided == Decided::Allow && answer == "(no output)", "{message:?}: {answer}");
    }
    let show = format!("git rev-list --reverse -n {} HEAD | git cat-file --batch", messages.len());
    let shown = scratch.shell(&show, &scratch.root().join("proj"));
    let mut rest = shown.stdout.as_slice();
    for message in messages {
        let (line, after) = split(rest, b"\n");
        let size: usize = String::from_utf8_lossy(line)
            .rsplit(' ')
            .next()
            .and_then(|size| size.parse().ok())
            .expect("a size");
        let (commit, after) = after.split_at_checked(size).expect("a commit");
        let (_, committed) = split(commit, b"\n\n");
        assert_eq!(String::from_utf8_lossy(committed), format!("{message}\n"));
        rest = after.strip_prefix(b"\n").expect("its end");
    }
}

fn split<'b>(bytes: &'b [u8], at: &[u8]) -> (&'b [u8], &'b [u8]) {
    let found = bytes.windows(at.len()).position(|window| window == at).expect("a part");
    let (before, after) = bytes.split_at(found);
    (before, after.get(at.len()..).unwrap_or_default())
}
