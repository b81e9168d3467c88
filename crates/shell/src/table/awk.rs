//! `awk`: only programs that neither write files nor run commands nor read others than they are given.
//!
//! The program is read into tokens. Where one awk would read it in another way than the next, it asks.

mod tokens;

use crate::arguments::{Reads, lets_start};
use crate::word::Token;
use tokens::{Kind, Tokens};

pub(super) fn check(arguments: &[Token]) -> Option<Reads> {
    // The first operand is the program; flags come before it, and whatever comes behind is a file.
    let mut iterator = arguments.iter();
    let program = loop {
        let token = iterator.next()?;
        match token.text.as_str() {
            "-F" => drop(iterator.next()?.literal()?),
            "-v" => assignment(iterator.next()?)?,
            "--" => break iterator.next()?.literal()?,
            glued if glued.starts_with("-F") => drop(token.literal()?),
            glued if glued.starts_with("-v") => {
                assignment(&Token { text: glued.get(2..)?.into(), ..token.clone() })?;
            }
            flag if flag.starts_with('-') => return None,
            _ => break token.literal()?,
        }
    };
    if !is_plain(program) {
        return None;
    }
    // `name=value` among the files sets a variable, and a name may be that of one awk obeys.
    let file = |token: &Token| {
        let plain = !token.splits && lets_start(token) && !token.text.contains('=');
        plain && (!token.text.starts_with('-') || token.literal() == Some("-"))
    };
    let files = iterator.as_slice();
    if !files.iter().all(file) {
        return None;
    }
    let files = files.iter().filter(|token| token.literal() != Some("-"));
    Some(Reads::of(files.cloned().collect()))
}

/// A variable of the program's own: the name is known, and no array.
fn assignment(token: &Token) -> Option<()> {
    let (name, _) = token.text.split_once('=')?;
    (!token.splits && !token.glob && crate::names::is_name(name) && !REFUSED.contains(&name)).then_some(())
}

/// Words that read, write, run or change what is read.
const REFUSED: [&str; 13] = [
    "ARGV",
    "ARGC",
    "system",
    "getline",
    "close",
    "fflush",
    "include",
    "load",
    "extension",
    "bindtextdomain",
    "ENVIRON",
    "SYMTAB",
    "FUNCTAB",
];

/// No word and no operator of the program writes, runs, or reads what is not given.
fn is_plain(program: &str) -> bool {
    let mut tokens = Tokens::new(program);
    // Open parentheses, and how many there were where the statement began to print.
    let mut open = 0_usize;
    let mut prints: Option<usize> = None;
    loop {
        match tokens.next() {
            None => return false,
            Some(Kind::End) => return open == 0,
            Some(Kind::Word(word)) if REFUSED.contains(&word) || word == "PROCINFO" => return false,
            Some(Kind::Word("print" | "printf")) => prints = Some(open),
            Some(Kind::Open) => open += 1,
            Some(Kind::Close) => match open.checked_sub(1) {
                Some(fewer) => open = fewer,
                None => return false,
            },
            // A line feed among parentheses is not read alike.
            Some(Kind::Line { .. }) if open != 0 => return false,
            // Behind an operator or a comma the statement goes on.
            Some(Kind::Line { ends }) if ends => prints = None,
            Some(Kind::EndOfStatement) => prints = None,
            // It writes behind `print`, unless parentheses make it a comparison.
            Some(Kind::Greater) if prints.is_some_and(|before| open <= before) => return false,
            Some(Kind::Refused) => return false,
            Some(_) => {}
        }
    }
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
            "{ if ($1 > 5) print \"big\"; else print \"small\" }",
            "{ print ($1 > 5), $2 / 2, (a + b) / NR, x[1] / 2 }",
            "# a comment > x\n{ print } # another \" one",
            "$2 ~ /^[a-z]+$/ { print }",
            "{ x = $1 > 3 ? \"a\" : \"b\"; print x }",
            "BEGIN { printf \"%s\\n\", \"a > b\" }",
            "/a|b>c/ { print; next }",
            "function f(x) { return x * 2 } { print f($1) }",
            "{ s /= 2; print s }",
            "{ gsub(/\"/, \"\"); print }",
            "{ print $1\n  y = $2 > 3 }",
            "{ print }\n$1 > 3 { n++ }",
        ];
        plain.iter().for_each(|program| assert!(is_plain(program), "{program}"));
        let other = [
            r#"{print >> "f"}"#,
            r#"{printf "%s",$0 > "f"}"#,
            r#"{print("x") > "f"}"#,
            r#"{print ("x") > ("f")}"#,
            r#"{ if (1) print > "f"; else x }"#,
            "{ print $1,\n $2 > \"f\" }",
            "{ print a ||\n b > \"f\" }",
            r#"BEGIN{"touch f" | getline}"#,
            r#"{print | "touch f"}"#,
            r#"{print |& "touch f"}"#,
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
            "BEGIN { # }\nprint \"x\" > \"f\" }",
            "BEGIN { # \\\nprint \"x\" > \"f\" }",
            r#"BEGIN{SYMTAB["ARGV"][1]="f"} {print}"#,
            "/[/]/ { print } /x/",
            "/[]/]/ { print > \"f\" } /]/",
            "{ a++ /x/ > \"f\" }",
            "if (x) /y/",
            "{ if (x) / \" / { print > \"f\" } / \" / }",
            "{ x = length / 2 }",
            "{ print \"a\nb\" }",
            "{ print a \\",
            "{ print (a }",
            "{ if\n(x) / \" / { print > \"f\" } }",
        ];
        other.iter().for_each(|program| assert!(!is_plain(program), "{program}"));
    }
}
