//! `jq`: filters on what is given, without files of its own and without the environment.

use crate::arguments::{Reads, lets_start};
use crate::word::Token;

pub(super) fn check(arguments: &[Token]) -> Option<Reads> {
    const SHORT: &str = "crnsaSCMejR";
    const LONG: [&str; 16] = [
        "--compact-output",
        "--raw-output",
        "--raw-output0",
        "--null-input",
        "--slurp",
        "--sort-keys",
        "--exit-status",
        "--raw-input",
        "--tab",
        "--join-output",
        "--ascii-output",
        "--monochrome-output",
        "--color-output",
        "--unbuffered",
        "--stream",
        "--seq",
    ];
    let mut filter = None;
    let mut paths = Vec::new();
    let mut rest = arguments.iter();
    let mut words = false;
    while let Some(token) = rest.next() {
        if token.splits || !lets_start(token) {
            return None;
        }
        if !token.text.starts_with('-') || token.text == "-" {
            match filter {
                None => filter = Some(token.literal()?),
                // Behind `--args` they are values.
                Some(_) if words => {}
                Some(_) => paths.push(token.clone()),
            }
            continue;
        }
        let mut value = || rest.next().filter(|token| !token.splits && !token.glob);
        match token.literal()? {
            "--arg" | "--argjson" => {
                value()?.literal()?;
                value()?;
            }
            "--indent" => {
                value()?.literal().filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))?;
            }
            "--args" | "--jsonargs" => words = true,
            long if LONG.contains(&long) => {}
            short => {
                let cluster = short.get(1..).filter(|cluster| !cluster.is_empty())?;
                cluster.chars().all(|flag| SHORT.contains(flag)).then_some(())?;
            }
        }
    }
    is_plain(filter?).then(|| Reads::of(paths))
}

/// Neither the environment nor a file is named. A name behind one point is that of a field.
fn is_plain(filter: &str) -> bool {
    const WORDS: [&str; 7] =
        ["env", "ENV", "import", "include", "modulemeta", "input_filename", "get_search_list"];
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    WORDS.iter().all(|word| {
        filter.match_indices(word).all(|(at, _)| {
            let before = filter.get(..at).unwrap_or_default();
            let after = filter.get(at + word.len()..).unwrap_or_default();
            let within = before.ends_with(is_part) || after.starts_with(is_part);
            within || (before.ends_with('.') && !before.ends_with(".."))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn filters() {
        for filter in [".environment", ".env", ".a.env.b", ".items[] | select(.name == $n)", "included"] {
            assert!(is_plain(filter), "{filter}");
        }
        for filter in [
            "env",
            ". | env.PATH",
            "$ENV",
            "$ENV.PATH",
            "..env",
            "\"\\(env)\"",
            "import \"a\" as a; .",
            "{env}",
            "input_filename",
            "\"a\" | modulemeta",
        ] {
            assert!(!is_plain(filter), "{filter}");
        }
    }
}
