//! Flags by which git commands that change something, or tell names alone, show the content of files besides.

use crate::word::Token;

/// A command and its flags by which it shows changed lines.
struct Row {
    names: &'static [&'static str],
    letters: &'static str,
    /// Letters whose value is what follows them.
    valued: &'static str,
    long: &'static [&'static str],
    /// The changed lines are those of the paths among its operands, where there are any.
    of_operands: bool,
}

const ROWS: [Row; 9] = [
    Row { names: &["status"], letters: "v", valued: "uM", long: &["verbose"], of_operands: false },
    Row {
        names: &["commit"],
        letters: "vp",
        valued: "mFCctuSU",
        long: &["verbose", "patch", "interactive"],
        of_operands: false,
    },
    Row {
        names: &["add", "stage"],
        letters: "pie",
        valued: "U",
        long: &["patch", "interactive", "edit"],
        of_operands: true,
    },
    Row { names: &["checkout"], letters: "p", valued: "bBU", long: &["patch"], of_operands: true },
    Row { names: &["reset"], letters: "p", valued: "U", long: &["patch"], of_operands: true },
    Row { names: &["restore"], letters: "p", valued: "sU", long: &["patch"], of_operands: true },
    Row { names: &["stash"], letters: "p", valued: "mU", long: &["patch"], of_operands: false },
    Row {
        names: &["am", "rebase"],
        letters: "",
        valued: "",
        long: &["show-current-patch"],
        of_operands: false,
    },
    Row { names: &["request-pull"], letters: "p", valued: "", long: &[], of_operands: false },
];

/// What a command shows because of a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    /// Whatever it is about, which may be every file.
    All,
    /// The files that its operands name, or every one.
    Operands,
}

/// `--verb` is `--verbose` for git; one that may be several of them counts.
pub(super) fn by_flag(name: &str, words: &[Token]) -> Option<Shows> {
    let row = ROWS.iter().find(|row| row.names.contains(&name))?;
    let flags = words.iter().map(|token| token.text.as_str()).take_while(|word| *word != "--");
    let shows = |flag: &str| match flag.strip_prefix("--") {
        Some(long) => {
            let begins = long.split('=').next().unwrap_or_default();
            row.long.iter().any(|known| known.starts_with(begins))
        }
        // What stands behind a sign is the text of a message.
        None => flag.strip_prefix('-').is_some_and(|cluster| {
            let is_flag = |letter: &char| letter.is_ascii_alphanumeric() && !row.valued.contains(*letter);
            let mut letters = cluster.chars().take_while(is_flag);
            letters.any(|letter| row.letters.contains(letter))
        }),
    };
    let all = if row.of_operands { Shows::Operands } else { Shows::All };
    flags.into_iter().any(shows).then_some(all)
}

/// Commands that show content without a flag for it.
pub(super) fn by_command(name: &str, words: &[Token]) -> Option<Shows> {
    let first = words.first().and_then(Token::literal);
    let shows = match name {
        "bisect" => matches!(first, Some("view" | "visualize")),
        "rerere" => first == Some("diff"),
        "pack-objects" | "diff-pairs" | "unpack-file" => true,
        "merge-tree" => !words.iter().any(|word| word.literal() == Some("--write-tree")),
        _ => false,
    };
    shows.then_some(Shows::All)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shows(command: &str) -> bool {
        let words: Vec<Token> = command.split(' ').map(Token::plain).collect();
        words.split_first().is_some_and(|(name, rest)| {
            by_flag(&name.text, rest).is_some() || by_command(&name.text, rest).is_some()
        })
    }

    #[test]
    fn flags_that_show_changed_lines() {
        for command in [
            "status --verb",
            "status -sv",
            "commit -v",
            "commit -av",
            "commit --dry-run --verbose",
            "commit --verb -m x",
            "commit --pat",
            "add -p",
            "add -Ai",
            "add --e",
            "checkout -p main",
            "reset --patch",
            "restore -p .",
            "stash push -kp",
            "stash -p",
            "rebase --show-current-patch",
            "am --show-current-patch=diff",
            "bisect view -p",
            "rerere diff",
        ] {
            assert!(shows(command), "{command}");
        }
        for command in [
            "status -sb",
            "status -uv",
            "commit -m v",
            "commit -mv",
            "commit -am verbose",
            "commit -a --no-verify",
            "commit --amend --no-edit",
            "commit -- -v",
            "add -A",
            "add -f .",
            "add --update",
            "checkout -b p",
            "checkout -bp",
            "reset --hard",
            "restore --staged a",
            "stash",
            "stash pop",
            "rebase -i",
            "am --skip",
            "commit -m -",
            "bisect log",
            "rerere",
        ] {
            assert!(!shows(command), "{command}");
        }
    }
}
