//! Commands generated from the grammar of bash. They run in a folder of their own, end by themselves, and do the same each
//! time: no process numbers, times, random numbers and line numbers are in them.

#[path = "generate/words.rs"]
mod words;

use super::random::Random;

/// A text, the same for the same seed.
pub(crate) fn command(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    // Small ones show more clearly what is wrong, large ones what is wrong with things beside each other.
    generator.depth = 1 + u32::try_from(seed % 4).unwrap_or(0);
    let text = generator.script(1 + generator.depth as usize / 2);
    if generator.random.once_in(4) { generator.continued(&text) } else { text }
}

struct Generator {
    random: Random,
    /// Here-documents that begin behind the next line feed.
    documents: Vec<String>,
    /// How many more pieces may nest.
    depth: u32,
    /// Within `$( )`, back-quotes or a construct on one line, where no here-document begins.
    no_documents: u32,
    /// Within back-quotes, where quotes and backslashes are left out.
    in_back_quotes: bool,
}

impl Generator {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            documents: Vec::new(),
            depth: 4,
            no_documents: 0,
            in_back_quotes: false,
        }
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.random.once_in(times)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        self.random.pick(from)
    }

    /// A backslash and a line feed where a blank is: before or behind it.
    fn continued(&mut self, text: &str) -> String {
        if text.contains("<<") || text.contains(['\'', '#']) {
            return text.to_owned();
        }
        let mut out = String::new();
        for character in text.chars() {
            if character == ' ' && self.one_in(6) {
                out.push_str(" \\\n");
            } else {
                out.push(character);
            }
        }
        out
    }

    /// Complete commands, each ended by a line feed.
    fn script(&mut self, most: usize) -> String {
        let mut out = String::new();
        for _ in 0..=self.random.below(most) {
            out.push_str(&self.list());
            if self.one_in(12) {
                out.push_str(" # it's a \"comment $(");
            }
            out.push('\n');
            for document in std::mem::take(&mut self.documents) {
                out.push_str(&document);
            }
        }
        out
    }

    /// And-or lists on one line.
    fn list(&mut self) -> String {
        let mut out = self.and_or();
        for _ in 0..self.random.below(2) {
            out.push_str(self.pick(&["; ", ";", " ; "]));
            out.push_str(&self.and_or());
        }
        if self.one_in(15) {
            out.push_str(" & wait");
        }
        out
    }

    fn and_or(&mut self) -> String {
        let mut out = self.pipeline();
        while self.one_in(4) {
            out.push_str(self.pick(&[" && ", " || ", "&&", "||"]));
            out.push_str(&self.pipeline());
        }
        out
    }

    fn pipeline(&mut self) -> String {
        let mut out = String::new();
        if self.one_in(12) {
            out.push_str(self.pick(&["! ", "! ", "time ", "time -p ", "! ! "]));
        }
        out.push_str(&self.command());
        while self.one_in(6) {
            out.push_str(self.pick(&[" | ", "|", " |& "]));
            let text = self.reader();
            out.push_str(&text);
        }
        out
    }

    /// A command behind `|`. It reads everything: where it ended first, the one before it would be stopped at some time or
    /// other when it writes. `wc -c` is left out, because messages that quote an expression have blanks where it was printed.
    fn reader(&mut self) -> String {
        let filter = self.pick(&["cat", "tr a-z A-Z", "wc -l", "sort", "cat -A"]).to_owned();
        match self.random.below(7) {
            0..=2 => filter,
            3 => format!("{{ {filter}; {}; }}", self.command()),
            4 => format!("( {filter}; {})", self.command()),
            5 => format!("if {filter}; then {}; fi", self.command()),
            _ => format!("while read -r x; do {}; done", self.command()),
        }
    }

    /// On one line, for a place within another construct.
    fn inner(&mut self) -> String {
        if self.depth == 0 {
            return "echo q;".to_owned();
        }
        self.depth -= 1;
        self.no_documents += 1;
        let out = self.list();
        self.no_documents -= 1;
        self.depth += 1;
        if out.ends_with("wait") { out + ";" } else { out + self.pick(&[";", "; "]) }
    }

    fn command(&mut self) -> String {
        if self.depth == 0 || !self.one_in(4) {
            return self.simple();
        }
        let compound = self.compound();
        if self.one_in(6) {
            let redirect = self.redirect();
            return format!("{compound} {redirect}");
        }
        compound
    }

    fn compound(&mut self) -> String {
        match self.random.below(13) {
            0 => format!("{{ {} }}", self.inner()),
            1 => format!("( {} )", self.inner()),
            2 => format!("({})", self.inner()),
            3 => {
                let (condition, yes) = (self.inner(), self.inner());
                let mut out = format!("if {condition} then {yes}");
                if self.one_in(3) {
                    out.push_str(&format!(" elif {} then {}", self.inner(), self.inner()));
                }
                if self.one_in(2) {
                    out.push_str(&format!(" else {}", self.inner()));
                }
                out + " fi"
            }
            4 => {
                let word = self.pick(&["while", "until"]);
                let test = if word == "while" { "-lt" } else { "-ge" };
                format!("n=0; {word} [ $n {test} 2 ]; do n=$((n+1)); {} done", self.inner())
            }
            5 | 6 => {
                let words = self.arguments(3);
                let name = self.pick(&["i", "j", "x"]);
                format!("for {name} in{words}; do {} echo \"<${name}>\"; done", self.inner())
            }
            7 => format!("for ((i=0; i<{}; i++)); do {} done", self.random.below(3), self.inner()),
            8 | 9 => self.case(),
            10 => format!("[[ {} ]]", self.test()),
            11 => format!("(( {} ))", self.arithmetic()),
            _ => {
                let name = self.pick(&["f", "g", "my-f", "a.b"]);
                let body = self.inner();
                let open = self.pick(&["()", " ()", "() "]);
                let body = if self.one_in(3) { format!("({body})") } else { format!("{{ {body} }}") };
                format!("{name}{open} {body}; {name} {}", self.arguments(2))
            }
        }
    }

    fn case(&mut self) -> String {
        let word = self.word();
        let mut out = format!("case {word} in ");
        for _ in 0..self.random.below(3) {
            let open = self.pick(&["(", ""]);
            let pattern = self.pattern_word();
            let more = if self.one_in(3) { format!("|{}", self.pattern_word()) } else { String::new() };
            let body = if self.one_in(5) { String::new() } else { self.inner() };
            let body = body.trim_end().trim_end_matches(';').to_owned();
            let end = self.pick(&[";;", ";;", ";;", ";&", ";;&"]);
            out.push_str(&format!("{open}{pattern}{more}) {body} {end} "));
        }
        out.push_str(&format!("*) echo other {};; esac", self.word()));
        out
    }

    fn test(&mut self) -> String {
        let one = match self.random.below(9) {
            0 => format!("{} == {}", self.word_without_braces(), self.pattern_word()),
            1 => format!("{} = {}", self.word_without_braces(), self.pattern_word()),
            2 => format!("{} != {}", self.word_without_braces(), self.pattern_word()),
            3 => {
                let expression = self.pick(&[
                    "^a",
                    "a.*b$",
                    "^(x|y)z?$",
                    "[a-c]+",
                    "\\.txt$",
                    "^[[:alpha:]]+$",
                    "\"a.b\"",
                    "'$'",
                    "$x",
                    "\"$x\"",
                    "^$",
                    "a{1,2}",
                    "(a b)",
                    "x$y",
                    "^\"a b\"",
                ]);
                format!("{} =~ {expression} && -n ${{BASH_REMATCH[0]}}", self.word_without_braces())
            }
            4 => {
                format!("{} {}", self.pick(&["-f", "-d", "-e", "-n", "-z", "-r"]), self.word_without_braces())
            }
            5 => format!(
                "{} {} {}",
                self.arithmetic_word(),
                self.pick(&["-eq", "-lt", "-ge"]),
                self.arithmetic_word()
            ),
            6 => format!(
                "{} {} {}",
                self.word_without_braces(),
                self.pick(&["<", ">"]),
                self.word_without_braces()
            ),
            7 => format!("! {}", self.word_without_braces()),
            _ => self.word_without_braces(),
        };
        match self.random.below(8) {
            0 => format!("{one} && {}", self.test()),
            1 => format!("{one} || {}", self.test()),
            2 => format!("( {one} )"),
            _ => one,
        }
    }

    fn simple(&mut self) -> String {
        let mut out = match self.random.below(25) {
            0..=10 => format!("printf '<%s>\\n'{}", self.arguments(4)),
            11 | 12 => format!("echo{}", self.arguments(3)),
            13 => self.assignments(),
            14 => format!(
                "{} {}",
                self.pick(&["export", "declare", "readonly", "typeset", "declare -a", "declare -i"]),
                self.assignments()
            ),
            15 => format!("y=1 {} sh -c 'printf \"[%s]\\n\" \"$x\" \"$y\"'", self.plain_assignment()),
            16 => format!("cat {}", self.input()),
            17 => self
                .pick(&[
                    "true",
                    "false",
                    ":",
                    "pwd",
                    "set -e",
                    "set +e",
                    "set -u",
                    "shift",
                    "unset x",
                    "set -f",
                    "set +f",
                    "! true",
                    "trap 'echo bye $?' EXIT",
                    "trap - EXIT",
                    "IFS=:",
                    "IFS=';'",
                    "IFS=x",
                    "unset IFS",
                    "cd d",
                    "cd ..",
                    "local z=1",
                    "return 3",
                    "exit 2",
                    "break",
                    "shopt -s nullglob",
                    "shopt -s dotglob",
                ])
                .to_owned(),
            18 => format!("set -- {}; printf '<%s>' \"$@\"; echo", self.arguments(3)),
            19 => {
                format!("read -r x y <<< {}; printf '<%s>' \"$x\" \"$y\"; echo", self.word_without_braces())
            }
            20 => format!("test {} = {}", self.quoted_word(), self.quoted_word()),
            21 => format!("x=({}); printf '<%s>' \"${{x[@]}}\" ${{#x[@]}}; echo", self.arguments(3)),
            // Names that would be something else without quotes. `time` is a program too, and prints another thing each time.
            23 => {
                let names = [
                    "'!'", "\\!", "'until'", "\\if", "\"{\"", "'}'", "'[['", "'x=1'", "x'='1", "'-p'",
                    "f\\[1]",
                ];
                let name = self.pick(&names);
                format!("{name}{}", self.arguments(2))
            }
            22 => format!(
                "eval {}",
                self.pick(&["'echo \"a  b\"'", "\"echo \\$x\"", "echo 'a  b'", "x=3 echo"])
            ),
            _ => format!(
                "echo in {} | while read -r x; do printf '<%s>\\n' \"$x\"{}; done",
                self.word(),
                self.arguments(1)
            ),
        };
        if self.one_in(8) {
            out.push(' ');
            out.push_str(&self.redirect());
        }
        out
    }

    /// What stands behind `cat`.
    fn input(&mut self) -> String {
        match self.random.below(8) {
            0..=2 if self.no_documents == 0 => self.document(),
            3 => format!("<<< {}", self.word_without_braces()),
            4 => format!("<({})", self.inner()),
            5 => "a.txt".to_owned(),
            6 => "< 'b c.txt'".to_owned(),
            _ => format!("- <<<\"{}\"", self.in_double_quotes()),
        }
    }

    /// `<<` and its like; the body waits for the end of the line.
    fn document(&mut self) -> String {
        let delimiter = self.pick(&["EOF", "END", "E_1", "x"]);
        let strip = self.one_in(4);
        let quoted = self.one_in(2);
        let mut body = String::new();
        for _ in 0..self.random.below(4) {
            if strip && self.one_in(2) {
                body.push('\t');
            }
            if quoted {
                let line = self.pick(&["it's $x", "a \\ b", "\"quoted\" `x`", "", "$(no", "# c", "a  b\\\\"]);
                body.push_str(line);
            } else {
                body.push_str(&self.in_document());
            }
            body.push('\n');
        }
        body.push_str(delimiter);
        body.push('\n');
        self.documents.push(body);
        let mark = if strip { "<<-" } else { "<<" };
        let blank = self.pick(&["", " "]);
        let delimiter = match (quoted, self.random.below(3)) {
            (false, _) => delimiter.to_owned(),
            (true, 0) => format!("'{delimiter}'"),
            (true, 1) => format!("\"{delimiter}\""),
            (true, _) => format!("\\{delimiter}"),
        };
        format!("{mark}{blank}{delimiter}")
    }

    fn redirect(&mut self) -> String {
        match self.random.below(14) {
            0 | 1 => format!("> {}", self.pick(&["o1", "o2", "\"o 3\"", "d/o4", "'o$x'"])),
            2 => format!(">>{}", self.pick(&["o1", "o2"])),
            3 => "2>&1".to_owned(),
            4 => "2>/dev/null".to_owned(),
            5 => "&> o5".to_owned(),
            6 => "&>>o5".to_owned(),
            7 => ">&o6".to_owned(),
            8 => ">|o1".to_owned(),
            9 => "< a.txt".to_owned(),
            10 => "3>o7 >&3".to_owned(),
            11 => ">&2".to_owned(),
            12 => format!("<<<{}", self.quoted_word()),
            _ if self.no_documents == 0 => self.document(),
            _ => "3<&-".to_owned(),
        }
    }
}
