//! Scripts from bash's grammar: lists, pipes, compound commands, functions, words of every kind within each other,
//! here-documents. In all kinds of nests stand commands that would show if they ran.

mod pieces;
mod words;

use crate::linux::generate::corpus::Corpus;
use crate::linux::generate::programs;
use crate::linux::random::Random;

use self::pieces::{FOR_READING, payload_quoted};
pub(crate) use self::pieces::{payload, substitution};

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
}
