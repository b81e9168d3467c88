//! Words that name what a command leaves out: nothing of that is read.

use std::borrow::Cow;

use crate::word::Token;

/// Long flags whose value is a pattern of names to leave out, of whichever program.
const FLAGS: [&str; 7] = [
    "--exclude",
    "--exclude-dir",
    "--ignore",
    "--ignore-dir",
    "--exclude-standard",
    "--exclude-glob",
    "--skip",
];

/// The arguments without those.
pub(super) fn without<'t>(program: &str, arguments: &'t [Token]) -> Cow<'t, [Token]> {
    let is_find = matches!(program, "find" | "gfind" | "bfs");
    let prunes = is_find && arguments.iter().any(|token| token.text == "-prune");
    let mut left: Option<Vec<Token>> = None;
    let mut at = 0;
    while let Some(token) = arguments.get(at) {
        let text = token.text.as_str();
        let before =
            at.checked_sub(1).and_then(|at| arguments.get(at)).map_or("", |token| token.text.as_str());
        let is_test = matches!(text, "-name" | "-iname" | "-path" | "-ipath" | "-wholename");
        let taken =
            if FLAGS.contains(&text) || (is_find && is_test && (prunes || matches!(before, "!" | "-not"))) {
                2
            } else if text.split_once('=').is_some_and(|(flag, _)| FLAGS.contains(&flag)) {
                1
            } else if program == "zip" && matches!(text, "-x" | "--exclude") {
                let names = arguments.iter().skip(at + 1);
                1 + names.take_while(|token| !token.text.starts_with('-') && token.text != "@").count()
            } else {
                0
            };
        match (&mut left, taken) {
            (None, 0) => {}
            (None, _) => left = Some(arguments.get(..at).unwrap_or_default().to_vec()),
            (Some(left), 0) => left.push(token.clone()),
            (Some(_), _) => {}
        }
        at += taken.max(1);
    }
    left.map_or(Cow::Borrowed(arguments), Cow::Owned)
}
