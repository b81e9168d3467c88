//! Words: quotes, expansions, arithmetic.

use super::Generator;

const TEXTS: [&str; 24] = [
    "a", "b", "abc", "a.txt", "1", "-n", "x=y", "time", "if", "done", "in", "{", "}", "d/e.txt", "%s", "a:b",
    "!", "[", "]", "@", "+", "ä", "a,b", "~x",
];
const SPECIAL: [&str; 20] =
    [" ", "  ", "$", "\"", "'", "\\", "`", "*", "?", "#", ";", "&", "|", "(", ")", "<", ">", "!", "~", "é"];
const NAMES: [&str; 8] = ["x", "y", "e", "u", "s", "HOME", "p", "l"];

impl Generator {
    /// Words with a blank before each.
    pub(super) fn arguments(&mut self, most: usize) -> String {
        let mut out = String::new();
        for _ in 0..=self.random.below(most) {
            out.push(' ');
            out.push_str(&self.word());
        }
        out
    }

    pub(super) fn word(&mut self) -> String {
        match self.random.below(12) {
            0 => self
                .pick(&["*", "*.txt", "f?", "[fo]*", "d/*", ".*h", "nothing*", "f[!1]", "*' '*", "[a-b].txt"])
                .to_owned(),
            1 => self.pick(&["~", "~/a", "a~", "x=~", "~+", "\"~\"", "a:~", "~/\"x y\""]).to_owned(),
            2 => self.braces(),
            _ => self.word_without_braces(),
        }
    }

    fn braces(&mut self) -> String {
        match self.random.below(5) {
            0 => self
                .pick(&[
                    "{1..3}",
                    "{a..c}",
                    "{3..1}",
                    "{01..03}",
                    "{1..9..3}",
                    "{-1..1}",
                    "{a,b}",
                    "{a,}",
                    "{,a}b",
                    "x{1,2}y{3,4}",
                    "{a,{b,c}d}",
                    "{}",
                    "{a}",
                    "a{b",
                    "{a,b",
                    "\\{a,b}",
                    "\"{a,b}\"",
                    "{a','b}",
                    "{1..x}",
                    "{a..1}",
                ])
                .to_owned(),
            1 => format!("{{{},{}}}", self.quoted_word(), self.quoted_word()),
            2 => format!("{}{{x,y}}", self.quoted_word()),
            3 => format!("{{{},b}}", self.word_without_braces()),
            _ => format!("{{1..2}}{}", self.quoted_word()),
        }
    }

    pub(super) fn word_without_braces(&mut self) -> String {
        let mut out = self.piece();
        while self.one_in(3) {
            let piece = self.piece();
            out.push_str(&piece);
        }
        out
    }

    /// A word that is neither split nor globbed.
    pub(super) fn quoted_word(&mut self) -> String {
        match self.random.below(3) {
            0 => format!("'{}'", self.single()),
            1 => format!("\"{}\"", self.in_double_quotes()),
            _ => self.pick(&["a", "b", "x1", "f1"]).to_owned(),
        }
    }

    pub(super) fn arithmetic_word(&mut self) -> String {
        self.pick(&["1", "0", "$n", "\"$n\"", "n", "n+1", "${#x}", "$((1+2))", "'3'"]).to_owned()
    }

    fn single(&mut self) -> String {
        let mut out = String::new();
        for _ in 0..self.random.below(3) {
            out.push_str(if self.one_in(2) { self.pick(&SPECIAL) } else { self.pick(&TEXTS) });
        }
        if self.one_in(15) {
            out.push('\n');
        }
        out.replace('\'', "")
    }

    fn piece(&mut self) -> String {
        if self.in_back_quotes {
            return match self.random.below(4) {
                0 => format!("${}", self.pick(&NAMES)),
                1 => format!("'{}'", self.pick(&TEXTS)),
                2 => format!("\"{}\"", self.pick(&["a b", "$x", "${x}y", ""])),
                _ => self.pick(&["a", "b1", "c.d", "-x"]).to_owned(),
            };
        }
        match self.random.below(14) {
            0..=2 => self.text(),
            3 | 4 => format!("'{}'", self.single()),
            5 | 6 => format!("\"{}\"", self.in_double_quotes()),
            7 => format!("\\{}", self.pick(&SPECIAL)),
            8 => self.ansi(),
            9 => self.pick(&["\"\"", "''"]).to_owned(),
            _ => self.expansion(false),
        }
    }

    fn text(&mut self) -> String {
        let text = self.pick(&TEXTS);
        if matches!(text, "{" | "}" | "!" | "[" | "]" | "a,b") && !self.one_in(4) {
            "a".to_owned()
        } else {
            text.to_owned()
        }
    }

    fn ansi(&mut self) -> String {
        let mut out = String::from("$'");
        for _ in 0..self.random.below(4) {
            out.push_str(self.pick(&[
                "a", " ", "\\n", "\\t", "\\'", "\"", "\\\\", "\\x41", "\\101", "\\u00e9", "$x", "`", "\\e",
                "\\q", "\\cA", "é",
            ]));
        }
        out + "'"
    }

    pub(super) fn in_double_quotes(&mut self) -> String {
        let mut out = String::new();
        for _ in 0..self.random.below(4) {
            let piece = match self.random.below(9) {
                0 | 1 => self.pick(&TEXTS).to_owned(),
                2 => self
                    .pick(&[
                        " ", "  ", "'", "it's", "\\\"", "\\$", "\\\\", "\\`", "\\a", "*", "#", ";", "$",
                        "$ ", "~", "!", "\n", "é", "(", ")", "{a,b}", "$'x'",
                    ])
                    .to_owned(),
                3 => "\\\n".to_owned(),
                _ => self.expansion(true),
            };
            out.push_str(&piece);
        }
        out
    }

    pub(super) fn in_document(&mut self) -> String {
        let mut out = String::new();
        for _ in 0..self.random.below(4) {
            let piece = match self.random.below(8) {
                0 | 1 => self.pick(&TEXTS).to_owned(),
                2 | 3 => self
                    .pick(&[
                        " ", "it's", "\"q\"", "\\$", "\\\\", "\\`", "\\a", "\\\"", "*", "$", "#", "(", ")",
                        "é",
                    ])
                    .to_owned(),
                _ => self.expansion(true),
            };
            out.push_str(&piece);
        }
        out
    }

    /// What begins with `$` or a back-quote. `quoted`: it stands within double quotes or a here-document.
    fn expansion(&mut self, quoted: bool) -> String {
        if self.depth == 0 {
            return format!("${{{}}}", self.pick(&NAMES));
        }
        self.depth -= 1;
        let out = match self.random.below(14) {
            0 | 1 => format!("${}", self.pick(&NAMES)),
            2 => self
                .pick(&[
                    "$1",
                    "$@",
                    "$*",
                    "$#",
                    "$?",
                    "${10}",
                    "${a[0]}",
                    "${a[@]}",
                    "${a[*]}",
                    "${#a[@]}",
                    "${!a[@]}",
                    "$0",
                    "${@:2}",
                    "${*:1:1}",
                    "${a[@]:1}",
                    "${!s}",
                    "${!s*}",
                    "${a[n]}",
                    "${m[k]}",
                    "${#x}",
                    "${#}",
                    "$-",
                ])
                .to_owned(),
            3..=7 => self.parameter(quoted),
            8 | 9 => {
                self.no_documents += 1;
                let inner = self.inner();
                self.no_documents -= 1;
                let blank = if inner.starts_with('(') { " " } else { "" };
                format!("$({blank}{})", inner.trim_end().trim_end_matches(';'))
            }
            10 => self.substituted_document(),
            11 if !self.in_back_quotes => {
                self.in_back_quotes = true;
                let words = self.arguments(2);
                self.in_back_quotes = false;
                if quoted { format!("`echo{}`", words.replace('"', "")) } else { format!("`echo{words}`") }
            }
            _ => format!("$(({}))", self.arithmetic()),
        };
        self.depth += 1;
        out
    }

    fn substituted_document(&mut self) -> String {
        if self.no_documents > 0 {
            return "$(echo a; echo b)".to_owned();
        }
        let before = std::mem::take(&mut self.documents);
        let operator = self.document();
        let body = std::mem::replace(&mut self.documents, before).concat();
        format!("$(cat {operator}\n{body})")
    }

    fn parameter(&mut self, quoted: bool) -> String {
        let name = if self.one_in(6) {
            self.pick(&["1", "@", "*", "a[@]", "a[1]", "a[*]"])
        } else {
            self.pick(&NAMES)
        };
        let rest = match self.random.below(12) {
            0..=2 => {
                let operator = self.pick(&[":-", "-", ":+", "+", ":=", "=", ":?", "?"]);
                if name.contains(['@', '*', '1']) && operator.contains('=') {
                    String::new()
                } else {
                    format!("{operator}{}", self.operand(quoted))
                }
            }
            3 | 4 => format!("{}{}", self.pick(&["#", "##", "%", "%%"]), self.pattern()),
            5 | 6 => {
                let anchor = self.pick(&["/", "//", "/#", "/%"]);
                let pattern = self.pattern();
                let pattern = if pattern.is_empty() { "b".to_owned() } else { pattern };
                if self.one_in(4) {
                    format!("{anchor}{pattern}")
                } else {
                    format!("{anchor}{pattern}/{}", self.replacement())
                }
            }
            7 => format!("{}{}", self.pick(&["^", "^^", ",", ",,"]), self.pick(&["", "a", "[a-c]", "?"])),
            8 => self
                .pick(&[":1", ":0:2", ": -2", ":n", ":n:1", ":1:-1", ":${n}", ":n+1", ": -2:1"])
                .to_owned(),
            9 => self.pick(&["@Q", "@U", "@L", "@a", "@E"]).to_owned(),
            _ => String::new(),
        };
        format!("${{{name}{rest}}}")
    }

    /// The word of `${x:-..}`.
    fn operand(&mut self, quoted: bool) -> String {
        let mut out = String::new();
        for _ in 0..self.random.below(3) {
            let piece = match self.random.below(7) {
                0 => self.pick(&TEXTS).replace(['{', '}'], ""),
                1 => self
                    .pick(&[
                        " ", "a b", "*", "\\}", "\\$", "#", "/", ":", "~", "=", ";", "|", "[!f]*", "a;b",
                        "a:b", "[a-d]?",
                    ])
                    .to_owned(),
                2 if quoted => self.pick(&["'", "it's", "'a'", "\"a b\"", "\"$x\""]).to_owned(),
                2 => format!("'{}'", self.single()),
                3 => format!(
                    "\"{}\"",
                    if quoted { self.pick(&["a", "$x", "a  b"]).to_owned() } else { self.in_double_quotes() }
                ),
                _ => self.expansion(quoted),
            };
            out.push_str(&piece);
        }
        out
    }

    /// A pattern within `${..}`.
    fn pattern(&mut self) -> String {
        let mut out = String::new();
        for _ in 0..=self.random.below(2) {
            let piece = match self.random.below(8) {
                0..=3 => self
                    .pick(&[
                        "*", "?", "[a-c]", "[!a]", "a", "b", ".", "*.", "x", "/", "-", " ", "\\*", "\\/",
                        "%", "#",
                    ])
                    .to_owned(),
                4 => format!("'{}'", self.pick(&["*", "a", " ", "}", "/", "\"", "$", "é"])),
                5 => format!("\"{}\"", self.pick(&["*", "a", "$x", "'", "?", "}"])),
                6 => format!("${}", self.pick(&NAMES)),
                _ => self.pick(&["${x}", "$(echo a)", "\\\\", "\\}", "~"]).to_owned(),
            };
            out.push_str(&piece);
        }
        out
    }

    fn replacement(&mut self) -> String {
        let mut out = String::new();
        for _ in 0..self.random.below(3) {
            let piece = match self.random.below(6) {
                0..=2 => self.pick(&["a", "_", "x y", "/", ".", "", "-", "é"]).to_owned(),
                3 => self.pick(&["'q'", "\"q\"", "\\\\", "\\/", "\\&", "&", "~"]).to_owned(),
                _ => format!("${}", self.pick(&NAMES)),
            };
            out.push_str(&piece);
        }
        out
    }

    /// A pattern of `case` and `[[ == ]]`.
    pub(super) fn pattern_word(&mut self) -> String {
        let mut out = String::new();
        for _ in 0..=self.random.below(2) {
            let piece = match self.random.below(6) {
                0 | 1 => self
                    .pick(&[
                        "*",
                        "?",
                        "a",
                        "[ab]*",
                        "[!x]",
                        "a*",
                        "*.txt",
                        "[[:alpha:]]",
                        "x",
                        "[]a]",
                        "-*",
                        "-?",
                        "[!-]*",
                    ])
                    .to_owned(),
                2 => format!("'{}'", self.single()),
                3 => format!("\"{}\"", self.in_double_quotes()),
                4 => format!("\\{}", self.pick(&SPECIAL)),
                _ => self.expansion(false),
            };
            out.push_str(&piece);
        }
        out
    }

    pub(super) fn assignments(&mut self) -> String {
        let mut out = self.plain_assignment();
        if self.one_in(3) {
            out.push(' ');
            out.push_str(&self.plain_assignment());
        }
        out
    }

    pub(super) fn plain_assignment(&mut self) -> String {
        let name = self.pick(&["x", "y", "n", "e", "a[1]", "p"]);
        let operator = self.pick(&["=", "=", "=", "+="]);
        let value = match self.random.below(6) {
            0 => String::new(),
            1 => self.pick(&["~/a:~", "a:~:~/b", "*", "a=b", "~", "\"a b\"", "{a,b}"]).to_owned(),
            2 if !name.contains('[') => format!("({})", self.arguments(2)),
            _ => self.word_without_braces(),
        };
        let name = if value.starts_with('(') { "a" } else { name };
        format!("{name}{operator}{value}")
    }

    pub(super) fn arithmetic(&mut self) -> String {
        if self.depth == 0 || self.one_in(3) {
            return self
                .pick(&[
                    "1", "n", "$n", "2", "07", "0x1F", "16#ff", "${n}", "u", "a[1]", "${#x}", "n++", "--n",
                ])
                .to_owned();
        }
        self.depth -= 1;
        let out = match self.random.below(8) {
            0 => format!("({})", self.arithmetic()),
            1 => format!("{}{}", self.pick(&["-", "!", "~", "+"]), self.arithmetic()),
            2 => format!("{} ? {} : {}", self.arithmetic(), self.arithmetic(), self.arithmetic()),
            3 => format!(
                "{}{}{}",
                self.pick(&["n", "k"]),
                self.pick(&["=", "+=", "*=", "-="]),
                self.arithmetic()
            ),
            4 => format!("{}, {}", self.arithmetic(), self.arithmetic()),
            _ => {
                let operator = self.pick(&[
                    "+", "-", "*", "/", "%", "**", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^",
                    "|", "&&", "||",
                ]);
                let right =
                    if matches!(operator, "**" | "<<" | ">>") { "2".to_owned() } else { self.arithmetic() };
                let blank = self.pick(&["", " "]);
                format!("{}{blank}{operator}{blank}{right}", self.arithmetic())
            }
        };
        self.depth += 1;
        out
    }
}
