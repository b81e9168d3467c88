//! Words: plain ones, quotes, patterns, braces, expansions, substitutions and arithmetic within each other.

use super::Writer;
use super::pieces::{NAMES, PLAIN, payload_bare};

impl Writer<'_> {
    pub(super) fn name(&mut self) -> &'static str {
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
    pub(super) fn within_quotes(&mut self, depth: usize, document: bool) -> String {
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

    pub(super) fn pattern(&mut self, depth: usize) -> String {
        if self.random.chance(50) {
            self.random.word(&["a", "*", "a*", "?", "[ab]", "''", "\"a\"", "-*"]).into()
        } else {
            self.word(depth)
        }
    }

    pub(super) fn arithmetic(&mut self, depth: usize) -> String {
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
