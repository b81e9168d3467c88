//! Texts put together from pieces without any grammar: most of them are no commands at all, and where one is read by bash in
//! another way than by the parser, the markers and arguments that it prints differ.

use super::random::Random;

const PIECES: [&str; 96] = [
    " ",
    " ",
    " ",
    "\n",
    "\n",
    ";",
    "&&",
    "||",
    "|",
    "&",
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    "[[",
    "]]",
    "[",
    "]",
    "'",
    "'",
    "\"",
    "\"",
    "`",
    "\\",
    "\\\\",
    "\\\n",
    "\\'",
    "\\\"",
    "$",
    "$$",
    "\\$",
    "${",
    "${x",
    "${x:-",
    "${x#",
    "${x/",
    "${y+",
    "${#x}",
    "${!s}",
    "$(",
    "$((",
    "$[",
    "$'",
    "$\"",
    "$x",
    "${x}",
    "$1",
    "<<EOF",
    "<<'EOF'",
    "<<-EOF",
    "\nEOF\n",
    "EOF",
    "<<<",
    "<",
    ">",
    ">&",
    "<(",
    "#",
    " #",
    "# ",
    "x=",
    "a=(",
    "a[",
    "b[0]=",
    "touch m1",
    "touch m2",
    "; touch m3;",
    "echo",
    "echo ",
    "printf '<%s>' ",
    "m1",
    "a",
    "b",
    "if",
    "then",
    "fi",
    "do",
    "done",
    "for i in",
    "case a in",
    "esac",
    ";;",
    "while",
    "!",
    "~",
    "*",
    "?",
    ",",
    "{a,b}",
    "{1..2}",
    "..",
    ":",
    "=",
    "\t",
];

/// A text, the same for the same seed.
pub(crate) fn text(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut out = String::new();
    if random.once_in(2) {
        out.push_str(random.pick(&[
            "echo ",
            "printf '<%s>' ",
            "x=",
            "cat <<EOF\n",
            "echo \"",
            "[[ ",
            "((",
            "echo $((",
            "f() ",
        ]));
    }
    for _ in 0..=random.below(10) {
        out.push_str(random.pick(&PIECES));
    }
    if random.once_in(3) {
        // What was opened is closed, in the opposite order.
        out.push_str(&closing(&out));
    }
    out
}

fn closing(text: &str) -> String {
    let mut open = Vec::new();
    for character in text.chars() {
        match character {
            '(' => open.push(')'),
            '{' => open.push('}'),
            '"' | '\'' | '`' if open.last() == Some(&character) => drop(open.pop()),
            '"' | '\'' | '`' => open.push(character),
            ')' | '}' if open.last() == Some(&character) => drop(open.pop()),
            _ => {}
        }
    }
    open.iter().rev().collect()
}
