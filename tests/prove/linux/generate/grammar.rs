//! Scripts from bash's grammar: lists, pipes, compound commands, functions, words of every kind within each other,
//! here-documents. In all kinds of nests stand commands that would show if they ran.

use crate::linux::generate::corpus::Corpus;
use crate::linux::generate::programs;
use crate::linux::random::Random;

/// What is still to be written behind the end of the line.
#[derive(Debug, Default)]
struct Documents(Vec<String>);

struct Writer<'a> {
    random: &'a mut Random,
    corpus: &'a Corpus,
    documents: Documents,
}

pub(crate) fn script(random: &mut Random, corpus: &Corpus) -> String {
    let mut writer = Writer { random, corpus, documents: Documents::default() };
    let mut text = writer.list(3);
    text.push_str(&writer.newline());
    text.trim_end_matches('\n').into()
}

pub(crate) fn word(random: &mut Random, corpus: &Corpus, depth: usize) -> String {
    Writer { random, corpus, documents: Documents::default() }.word(depth)
}

/// Something that shows where it is read as a command.
pub(crate) fn payload(random: &mut Random) -> String {
    const PAYLOADS: &[&str] = &[
        "$(touch pwned)",
        "`touch pwned`",
        ";touch pwned;",
        "\ntouch pwned\n",
        ">pwned",
        "<(touch pwned)",
        "a[$(touch pwned)]",
        "&&touch pwned",
        "|touch pwned",
        "$(./evil)",
        "${x@P}",
        "$((a[$(touch pwned)]))",
        "../out/secret.txt",
        "$(<../out/secret.txt)",
        "${ touch pwned; }",
        "touch pwned",
        "${x:-$(touch pwned)}",
        "'$(touch pwned)'",
        "\"$(touch pwned)\"",
        "\\$(touch pwned)",
        "{touch,pwned}",
        "eval touch pwned",
    ];
    random.word(PAYLOADS).into()
}

/// A substitution that runs a command.
pub(crate) fn substitution(random: &mut Random, command: &str) -> String {
    match random.below(5) {
        0 => format!("`{command}`"),
        1 => format!("$( {command} )"),
        2 => format!("<({command})"),
        3 => format!("$(\n{command}\n)"),
        _ => format!("\"$({command})\""),
    }
}

const NAMES: &[&str] = &[
    "x",
    "y",
    "i",
    "a",
    "b",
    "HOME",
    "PWD",
    "PATH",
    "IFS",
    "_",
    "1",
    "@",
    "*",
    "#",
    "?",
    "-",
    "!",
    "$",
    "0",
    "RANDOM",
    "LINENO",
    "BASH_REMATCH",
    "REPLY",
];
const PLAIN: &[&str] = &[
    "a",
    "README.md",
    "f0",
    "f1",
    "x",
    "src",
    "--",
    "-n",
    "1",
    "2",
    "b=c",
    "x=",
    "%s",
    "foo#bar",
    "#",
    "~",
    "~/x",
    "a:b",
    "{}",
    "!",
    "=",
    "+",
    "pwned",
    "EOF",
    "it",
    "do",
    "in",
    "a/b",
];
const FOR_READING: &[&str] = &[
    "echo",
    "echo",
    "echo",
    "printf '%s\\n'",
    "cat",
    "ls",
    "head -1",
    "wc -l",
    "grep x",
    "true",
    ":",
    "test",
    "[",
    "sort",
    "git log -1",
    "git status",
    "date",
    "pwd",
    "basename",
    "dirname",
    "tr a b",
    "cut -c1",
    "seq 3",
    "find . -maxdepth 1 -name",
    "stat",
    "file",
    "sed -n 1p",
    "awk 1",
    "jq .",
    "diff f0",
    "uniq",
    "tac",
    "nl",
    "rev",
    "read x",
    "local x",
    "declare",
    "export",
    "unset",
    "set --",
    "shift",
    "return",
    "break",
    "exit",
    "type",
    "command -v",
    "which",
    "let",
    "cd",
    "eval",
    "source",
    "mapfile a",
    "trap",
    "sleep 0",
];

impl Writer<'_> {
    fn list(&mut self, depth: usize) -> String {
        let mut text = self.pipeline(depth);
        for _ in 0..self.random.word(&["", "", "x", "xx"]).len() {
            match self.random.below(8) {
                0 | 1 => text.push_str("; "),
                2 | 3 => text.push_str(" && "),
                4 => text.push_str(" || "),
                5 => text.push_str(" & "),
                _ => {
                    let newline = self.newline();
                    text.push_str(&newline);
                }
            }
            let next = self.pipeline(depth);
            text.push_str(&next);
        }
        text
    }

    /// The end of a line, with the here-documents that begin there.
    fn newline(&mut self) -> String {
        let mut text = String::from("\n");
        for document in std::mem::take(&mut self.documents.0) {
            text.push_str(&document);
        }
        text
    }

    fn pipeline(&mut self, depth: usize) -> String {
        let mut text = String::from(if self.random.chance(4) { "! " } else { "" });
        text.push_str(&self.command(depth));
        while self.random.chance(18) {
            text.push_str(self.random.word(&[" | ", "|", " |& ", " |\n"]));
            text.push_str(&self.command(depth));
        }
        text
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(70) {
            return self.simple(depth);
        }
        let below = depth - 1;
        let mut text = match self.random.below(15) {
            0 => format!("{{ {}; }}", self.list(below)),
            1 => format!("( {} )", self.list(below)),
            2 => format!("if {}; then {}; else {}; fi", self.list(below), self.list(below), self.list(below)),
            3 => format!("if {}\nthen {}\nfi", self.list(below), self.list(below)),
            4 => format!(
                "for {} in {} {}; do {}; done",
                self.name(),
                self.word(below),
                self.word(below),
                self.list(below)
            ),
            5 => format!(
                "for (({}; {}; {})); do {}; break; done",
                self.arithmetic(1),
                self.arithmetic(1),
                self.arithmetic(1),
                self.list(below)
            ),
            6 => format!("while {}; do {}; break; done", self.list(below), self.list(below)),
            7 => format!("until {}; do {}; break; done", self.list(below), self.list(below)),
            8 => format!(
                "case {} in {}) {};; *) {};; esac",
                self.word(below),
                self.pattern(below),
                self.list(below),
                self.list(below)
            ),
            9 => format!(
                "case {} in ({}|{}) {} ;& {}) {}\nesac",
                self.word(below),
                self.pattern(below),
                self.word(below),
                self.list(below),
                self.word(below),
                self.list(below)
            ),
            10 => format!(
                "[[ {} {} {} ]]",
                self.word(below),
                self.random.word(&["==", "=~", "-eq", "!=", "<", "-nt", "&&", "-ef", "="]),
                self.word(below)
            ),
            11 => format!(
                "[[ {} {} ]]",
                self.random.word(&["-v", "-n", "-f", "-z", "!", "-R", "-o", "-t"]),
                self.word(below)
            ),
            12 => format!("(({}))", self.arithmetic(2)),
            13 => format!("f() {{ {}; }}; f {}", self.list(below), self.word(below)),
            _ => format!("time {}", self.simple(below)),
        };
        // A document that began within belongs behind the line, wherever that ends.
        if self.random.chance(12) {
            text.push(' ');
            text.push_str(&self.redirect(below));
        }
        text
    }

    fn simple(&mut self, depth: usize) -> String {
        if self.random.chance(15) {
            return programs::simple(self.random, self.corpus);
        }
        if self.random.chance(35) {
            return self.corpus.everyday(self.random);
        }
        let mut words = Vec::new();
        while self.random.chance(12) {
            words.push(self.assignment(depth));
        }
        if words.is_empty() || self.random.chance(60) {
            words.push(self.random.word(FOR_READING).into());
            for _ in 0..self.random.below(4) {
                words.push(self.word(depth));
            }
        }
        while self.random.chance(12) {
            let redirect = self.redirect(depth);
            let at = self.random.below(words.len() + 1);
            words.insert(at, redirect);
        }
        let blank = if self.random.chance(4) { " \\\n" } else { " " };
        words.join(blank)
    }

    fn assignment(&mut self, depth: usize) -> String {
        let name = self.random.word(&["x", "y", "i", "a", "b", "IFS", "LC_ALL"]);
        match self.random.below(9) {
            0 => format!(
                "{name}=({} {})",
                self.word(depth.saturating_sub(1)),
                self.word(depth.saturating_sub(1))
            ),
            1 => format!("{name}=([{}]={})", self.arithmetic(1), self.word(0)),
            2 => format!("{name}+={}", self.word(depth)),
            3 => format!("{name}[{}]={}", self.arithmetic(1), self.word(0)),
            4 => format!("{name}={}", payload_quoted(self.random)),
            _ => format!("{name}={}", self.word(depth)),
        }
    }

    fn redirect(&mut self, depth: usize) -> String {
        match self.random.below(8) {
            0 | 1 => self.document(depth),
            2 => format!("<<<{}", self.word(depth)),
            3 => format!("< {}", self.word(0)),
            _ => programs::redirect(self.random).into(),
        }
    }

    fn document(&mut self, depth: usize) -> String {
        let (written, end) = *self
            .random
            .of(&[
                ("EOF", "EOF"),
                ("'EOF'", "EOF"),
                ("\"EOF\"", "EOF"),
                ("\\EOF", "EOF"),
                ("E\\OF", "EOF"),
                ("'E F'", "E F"),
                ("$'EOF'", "EOF"),
                ("E$x", "E$x"),
                ("\"E\"OF", "EOF"),
            ])
            .unwrap_or(&("EOF", "EOF"));
        let dash = if self.random.chance(15) { "-" } else { "" };
        let mut body = String::new();
        for _ in 0..self.random.below(4) {
            body.push_str(&self.within_quotes(depth.min(1), true));
            body.push_str(self.random.word(&["\n", "\n", "\n", "\\\n", " # \n"]));
        }
        if !body.is_empty() && !body.ends_with('\n') {
            body.push('\n');
        }
        self.documents.0.push(format!("{body}{end}\n"));
        format!("<<{dash}{written}")
    }

    fn name(&mut self) -> &'static str {
        self.random.word(NAMES)
    }

    /// A word of up to three parts.
    pub(super) fn word(&mut self, depth: usize) -> String {
        let mut text = self.part(depth);
        while self.random.chance(25) {
            text.push_str(&self.part(depth));
        }
        text
    }

    fn part(&mut self, depth: usize) -> String {
        let below = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 12 } else { 22 }) {
            0..5 => self.random.word(PLAIN).into(),
            5 => format!("'{}'", self.within_single()),
            6 => format!("\"{}\"", self.random.word(PLAIN)),
            7 => format!("${}", self.name()),
            8 => format!(
                "\\{}",
                self.random.word(&["a", "$", "`", "'", "\"", "\n", " ", "(", "#", "\\", "*", "~", "{", "!"])
            ),
            9 => self
                .random
                .word(&["*", "?", "[ab]", "f*", "*.md", "**", ".*", "[!a]*", "src/*", "@(a|b)", "!(x)"])
                .into(),
            10 => self
                .random
                .word(&[
                    "{a,b}",
                    "{1..3}",
                    "{01..02}",
                    "f{0,2}",
                    "{a,}",
                    "{a..c}",
                    "{1..5..2}",
                    "{,}",
                    "f{0..1}",
                    "{a,b{c,d}}",
                    "{x}",
                    "{\"a\",b}",
                ])
                .into(),
            11 => format!(
                "$'{}'",
                self.random.word(&[
                    "a",
                    "\\'",
                    "\\n",
                    "\\x41",
                    "\\\\",
                    "\\'$(touch pwned)",
                    "\\cA",
                    "\\u41",
                    "a\\"
                ])
            ),
            12..15 => format!("\"{}\"", self.within_quotes(below, false)),
            15 | 16 => self.expansion(below, false),
            17 => format!("$({})", self.inner(below)),
            18 => format!("`{}`", self.inner(below).replace('`', "\\`")),
            19 => format!("$(({}))", self.arithmetic(below.min(2))),
            20 => format!("<({})", self.inner(below)),
            _ => format!("$\"{}\"", self.within_quotes(below, false)),
        }
    }

    /// A list with the here-documents that begin in it.
    fn inner(&mut self, depth: usize) -> String {
        let outside = std::mem::take(&mut self.documents);
        let mut text = self.list(depth);
        if !self.documents.0.is_empty() {
            text.push_str(&self.newline());
        }
        self.documents = outside;
        text
    }

    fn within_single(&mut self) -> String {
        if self.random.chance(40) { payload_bare(self.random) } else { self.random.word(PLAIN).into() }
    }

    /// What stands between double quotes, or in a here-document.
    fn within_quotes(&mut self, depth: usize, document: bool) -> String {
        let mut text = String::new();
        for _ in 0..=self.random.below(3) {
            let piece = match self.random.below(if depth == 0 { 9 } else { 13 }) {
                0 | 1 => self.random.word(PLAIN).into(),
                2 => self
                    .random
                    .word(&[
                        "'", "it's", "''", "$'", "\\\"", "\\$", "\\`", "\\\\", "\\a", "\\\n", "#", " # ",
                        ")", "(", "}", "{", "*", "~", "`", "<<EOF", "\"\"",
                    ])
                    .to_owned(),
                3 => format!("${}", self.name()),
                4 => format!("'{}'", payload_bare(self.random)),
                5 => format!("\\{}", payload_bare(self.random)),
                6 => " ".into(),
                7 | 8 => self.expansion(depth.saturating_sub(1), true),
                9 => format!("$({})", self.inner(depth.saturating_sub(1))),
                10 => format!("`{}`", self.inner(depth.saturating_sub(1)).replace('`', "\\`")),
                11 => format!("$(({}))", self.arithmetic(1)),
                _ => format!("\"{}\"", self.random.word(PLAIN)),
            };
            // Quotes within would end it.
            let ends = !document && (piece == "`" || piece == "\"\"");
            text.push_str(if ends { "x" } else { &piece });
        }
        text
    }

    /// `${name..}` with an operator.
    fn expansion(&mut self, depth: usize, quoted: bool) -> String {
        let name = match self.random.below(8) {
            0 => format!("{}[{}]", self.random.word(&["a", "b", "x"]), self.arithmetic(1)),
            1 => format!("!{}", self.name()),
            2 => format!("#{}", self.name()),
            3 => self
                .random
                .word(&[
                    "a[@]", "a[*]", "!a[@]", "#a[@]", "!x*", "!x@", "#", "##", "#?", "@", "x@Q", "x@P", "x@A",
                ])
                .into(),
            _ => self.name().into(),
        };
        let operator = self.random.word(&[
            "", ":-", "-", ":=", "=", ":+", "+", ":?", "?", "#", "##", "%", "%%", "/", "//", "/#", "/%", ":",
            "^", "^^", ",", ",,", "@", "~", "~~",
        ]);
        let value = if operator.is_empty() {
            String::new()
        } else if operator == ":" {
            format!("{}:{}", self.arithmetic(1), self.arithmetic(0))
        } else {
            match self.random.below(7) {
                0 if quoted => format!("'{}'", payload_bare(self.random)),
                1 => self
                    .random
                    .word(&["'", "it's", "\"", "}", "\\}", "$'", "(", "#", "/", "<<EOF", "`", "\\'"])
                    .into(),
                2 => format!("\"{}\"", self.within_quotes(depth.min(1), false)),
                3 => format!("'{}'", self.within_single()),
                _ => self.word(depth),
            }
        };
        format!("${{{name}{operator}{value}}}")
    }

    fn pattern(&mut self, depth: usize) -> String {
        if self.random.chance(50) {
            self.random.word(&["a", "*", "a*", "?", "[ab]", "''", "\"a\"", "-*"]).into()
        } else {
            self.word(depth)
        }
    }

    fn arithmetic(&mut self, depth: usize) -> String {
        let below = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 7 } else { 16 }) {
            0..3 => self.random.word(&["0", "1", "2", "07", "0x1f", "2#1", "10"]).into(),
            3 => self.random.word(&["x", "y", "i", "a", "b"]).into(),
            4 => self.random.word(&["i++", "++i", "i=1", "i+=1", "x--", "a[0]", "a[x]", "a[i++]"]).into(),
            5 => "$x".into(),
            6 => "${x}".into(),
            7..10 => format!(
                "{}{}{}",
                self.arithmetic(below),
                self.random
                    .word(&["+", "-", "*", "<", "==", "&&", "||", ",", "**", "%", "<<", "&", "^", "|"]),
                self.arithmetic(below)
            ),
            10 => format!("{}?{}:{}", self.arithmetic(below), self.arithmetic(below), self.arithmetic(below)),
            11 => format!("({})", self.arithmetic(below)),
            12 => format!("-{}", self.arithmetic(below)),
            13 => format!("$(echo {})", self.arithmetic(0)),
            14 => self
                .random
                .word(&[
                    "'x'",
                    "\"x\"",
                    "x y",
                    "1 # 2",
                    "\"a[$(touch pwned)]\"",
                    "'a[$(touch pwned)]'",
                    "${#x}",
                    "${#b[x]}",
                    "$(( 1 ))",
                    "x[1",
                    "@",
                    "$[",
                ])
                .into(),
            _ => format!("{}={}", self.random.word(&["x", "y", "i", "a[1]"]), self.arithmetic(below)),
        }
    }
}

/// A payload as a text that must stay one.
fn payload_bare(random: &mut Random) -> String {
    let payload = payload(random);
    payload.replace('\'', "")
}

fn payload_quoted(random: &mut Random) -> String {
    format!("'{}'", payload_bare(random))
}
