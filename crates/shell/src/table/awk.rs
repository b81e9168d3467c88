//! `awk`: only programs without a character or word by which its language writes files or runs commands.

use crate::arguments::{Operands, Reads, Row, check as check_row};
use crate::word::Token;

const AWK: Row = Row { short_value: "Fv", ..Row::of(&["awk"], Operands::PatternThenPaths) };

pub(super) fn check(arguments: &[Token]) -> Option<Reads> {
    // The first operand is the program; flags with a value come before it.
    let mut iterator = arguments.iter();
    let program = loop {
        let token = iterator.next()?;
        match token.literal()? {
            "-F" | "-v" => drop(iterator.next()?.literal()?),
            flag if flag.starts_with("-F") || flag.starts_with("-v") => {}
            flag if flag.starts_with('-') => return None,
            program => break program,
        }
    };
    if !is_plain(program) {
        return None;
    }
    let reads = check_row(&AWK, arguments)?;
    // `name=value` among the files sets a variable, and a name may be that of one awk obeys.
    reads.paths.iter().all(|path| !path.text.contains('=')).then_some(reads)
}

/// Outside strings and comparisons there is no `|`, `>`, `@`, and no word that reads, runs or closes.
fn is_plain(program: &str) -> bool {
    let code = without_strings(program);
    const WORDS: [&str; 12] = [
        "ARGV", "ARGC", "system", "getline", "close", "fflush", "include", "load", "ENVIRON", "PROCINFO",
        "SYMTAB", "FUNCTAB",
    ];
    if WORDS.iter().any(|word| code.contains(word)) || code.contains('@') {
        return false;
    }
    let pipes = code.replace("||", "  ");
    if pipes.contains('|') {
        return false;
    }
    // After `print` a `>` writes; in a pattern it compares.
    let prints = code.contains("print");
    // With a slash an expression may hide braces, and where the pattern ends is not known.
    !code.contains(">>") && (!code.contains('>') || !prints || (!code.contains('/') && only_compares(&code)))
}

/// `>` before the first brace is in the pattern; `>=` is always a comparison.
fn only_compares(code: &str) -> bool {
    let code = code.replace(">=", "  ");
    // With several rules a later brace may close before a pattern; each piece outside braces is one.
    let mut depth = 0_i32;
    for character in code.chars() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            '>' if depth != 0 => return false,
            _ => {}
        }
    }
    true
}

/// Strings blanked out; a slash may begin an expression or divide, so its content stays and is judged as code.
fn without_strings(program: &str) -> String {
    let mut code = String::with_capacity(program.len());
    let mut characters = program.chars();
    while let Some(character) = characters.next() {
        if character != '"' {
            code.push(character);
            continue;
        }
        // A quote inside an expression would make text into code and code into text: the rest is then kept as code too.
        let rest = characters.as_str();
        let mut end = None;
        let mut escaped = false;
        for (at, inner) in rest.char_indices() {
            match inner {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    end = Some(at);
                    break;
                }
                _ => {}
            }
        }
        // And so would one inside a comment.
        let ambiguous = program.contains(['/', '#']);
        match end.filter(|_| !ambiguous) {
            Some(at) => {
                code.push_str("\"\"");
                characters = rest.get(at + 1..).unwrap_or_default().chars();
            }
            None => code.push('"'),
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn programs() {
        let plain = [
            "{print $1}",
            "NR>1{s+=$1} END{print s}",
            "/ERROR/ {n++} END {print n}",
            "$1 > 1",
            "!/2/",
            r#"BEGIN { x = "a;b"; print x }"#,
            "$1 >= 2 || $2 {print}",
            r#"{print "a|b>c"}"#,
        ];
        plain.iter().for_each(|program| assert!(is_plain(program), "{program}"));
        let other = [
            r#"{print >> "f"}"#,
            r#"{printf "%s",$0 > "f"}"#,
            r#"BEGIN{"touch f" | getline}"#,
            r#"{print | "touch f"}"#,
            r#"BEGIN{system("touch f")}"#,
            "@include \"x\"",
            r#"BEGIN{f="system"; @f("x")}"#,
            r#"/"/ {print > "f"} /"/"#,
            "{print ENVIRON[\"A\"]}",
            r#"BEGIN { while (("x") | getline) }"#,
            r#"/}/{print > "f"}"#,
            "BEGIN{ARGV[1]=\"x\"} {print}",
            "{ # \"\n print > \"f\" # \"\n}",
            "BEGIN { # \"\n system(\"touch f\") # \"\n}",
            r#"BEGIN{SYMTAB["ARGV"][1]="f"} {print}"#,
        ];
        other.iter().for_each(|program| assert!(!is_plain(program), "{program}"));
    }
}
