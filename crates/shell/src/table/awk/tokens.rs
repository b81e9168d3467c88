//! A program of awk as tokens, as every awk reads them; none where they differ.

/// What is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind<'p> {
    Word(&'p str),
    /// A number, a text, a regular expression.
    Value,
    Open,
    Close,
    /// A line feed, and whether the statement before it ends there.
    Line {
        ends: bool,
    },
    /// `;` or `}`.
    EndOfStatement,
    Greater,
    /// An operator that writes or runs, or a character of no known meaning.
    Refused,
    /// Any other operator or bracket.
    Other,
    End,
}

/// What stands before: it says whether a slash divides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A value ends here.
    Operand,
    /// An operator, an opening bracket, the beginning of a statement.
    Operator,
    /// Neither is certain.
    Unclear,
}

pub(super) struct Tokens<'p> {
    rest: &'p str,
    before: Before,
    /// A statement may end behind what stands before.
    may_end: bool,
    /// For each open parenthesis, whether it is the one of `if`, `while` or `for`.
    open: Vec<bool>,
    /// The word before is one of these three.
    heads: bool,
}

impl<'p> Tokens<'p> {
    pub(super) fn new(program: &'p str) -> Self {
        Self { rest: program, before: Before::Operator, may_end: false, open: Vec::new(), heads: false }
    }

    /// The next token; none where it is not certain what it is.
    pub(super) fn next(&mut self) -> Option<Kind<'p>> {
        self.skip()?;
        let Some(first) = self.rest.chars().next() else { return Some(Kind::End) };
        let heads = std::mem::take(&mut self.heads);
        if heads && first != '(' {
            return None;
        }
        match first {
            '\n' => {
                self.take(1)?;
                self.before = Before::Operator;
                return Some(Kind::Line { ends: std::mem::replace(&mut self.may_end, false) });
            }
            '"' => {
                self.text()?;
                (self.before, self.may_end) = (Before::Unclear, true);
                return Some(Kind::Value);
            }
            '/' => return self.slash(),
            'a'..='z' | 'A'..='Z' | '_' => {
                let end = self
                    .rest
                    .find(|character: char| !character.is_ascii_alphanumeric() && character != '_')
                    .unwrap_or(self.rest.len());
                return Some(Kind::Word(self.word(end)?));
            }
            '0'..='9' => self.number()?,
            '.' if self.rest.get(1..)?.starts_with(|next: char| next.is_ascii_digit()) => self.number()?,
            '(' => {
                self.take(1)?;
                self.open.push(heads);
                (self.before, self.may_end) = (Before::Operator, false);
                return Some(Kind::Open);
            }
            ')' => {
                self.take(1)?;
                // Behind the condition of a statement another begins.
                let condition = self.open.pop()?;
                self.before = if condition { Before::Unclear } else { Before::Operand };
                self.may_end = true;
                return Some(Kind::Close);
            }
            _ => return self.operator(),
        }
        (self.before, self.may_end) = (Before::Operand, true);
        Some(Kind::Value)
    }

    fn take(&mut self, bytes: usize) -> Option<&'p str> {
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(taken)
    }

    /// Blanks, comments, and lines that go on. A comment that ends in a backslash may go on as well.
    fn skip(&mut self) -> Option<()> {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            if let Some(after) = self.rest.strip_prefix("\\\n") {
                self.rest = after;
            } else if self.rest.starts_with('#') {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                let comment = self.take(end)?;
                (!comment.ends_with('\\') && !comment.contains('\r')).then_some(())?;
            } else {
                return Some(());
            }
        }
    }

    fn word(&mut self, end: usize) -> Option<&'p str> {
        const OPERATORS: [&str; 3] = ["print", "printf", "return"];
        // Some have a value without parentheses, and none is followed by a slash that every awk reads alike.
        const UNCLEAR: [&str; 18] = [
            "in",
            "else",
            "do",
            "exit",
            "delete",
            "case",
            "default",
            "switch",
            "length",
            "next",
            "nextfile",
            "break",
            "continue",
            "BEGIN",
            "END",
            "BEGINFILE",
            "ENDFILE",
            "function",
        ];
        const HEADS: [&str; 3] = ["if", "while", "for"];
        let word = self.take(end)?;
        self.before = match word {
            word if OPERATORS.contains(&word) => Before::Operator,
            word if UNCLEAR.contains(&word) || HEADS.contains(&word) => Before::Unclear,
            _ => Before::Operand,
        };
        self.may_end = !matches!(word, "in" | "else" | "do");
        self.heads = HEADS.contains(&word);
        Some(word)
    }

    /// To the next quote that no backslash stands before, on the same line.
    fn text(&mut self) -> Option<()> {
        let end = unescaped(self.rest.get(1..)?, '"')?;
        self.take(end + 2).map(drop)
    }

    fn number(&mut self) -> Option<()> {
        let is_part = |character: char| character.is_ascii_digit() || character == '.';
        let digits = self.rest.find(|character| !is_part(character)).unwrap_or(self.rest.len());
        self.take(digits)?;
        // `1e5` and `0x1f` are a number to one and a number and a name to another, which is the same here.
        Some(())
    }

    fn slash(&mut self) -> Option<Kind<'p>> {
        match self.before {
            Before::Unclear => None,
            Before::Operand => {
                let length = if self.rest.starts_with("/=") { 2 } else { 1 };
                self.take(length)?;
                (self.before, self.may_end) = (Before::Operator, false);
                Some(Kind::Other)
            }
            Before::Operator => {
                let end = unescaped(self.rest.get(1..)?, '/')?;
                let body = self.rest.get(1..=end)?;
                // Some take `/=` for an operator everywhere, and some let a bracket hide a slash.
                let certain = !body.starts_with('=') && brackets_are_closed(body);
                certain.then_some(())?;
                self.take(end + 2)?;
                (self.before, self.may_end) = (Before::Unclear, true);
                Some(Kind::Value)
            }
        }
    }

    fn operator(&mut self) -> Option<Kind<'p>> {
        // Longer ones first.
        const KNOWN: &[&str] = &[
            "**=", "<<", ">>", "|&", "||", "&&", "++", "--", "+=", "-=", "*=", "%=", "^=", "**", "==", "<=",
            ">=", "!=", "!~", "+", "-", "*", "%", "^", "!", ">", "<", "|", "?", ":", "~", "$", "=", ",", ";",
            "{", "}", "[", "]", "@", "&",
        ];
        let operator = *KNOWN.iter().find(|operator| self.rest.starts_with(**operator))?;
        self.take(operator.len())?;
        self.before = match operator {
            "]" => Before::Operand,
            "++" | "--" => Before::Unclear,
            _ => Before::Operator,
        };
        self.may_end = matches!(operator, "]" | "++" | "--" | "{" | "}" | ";");
        Some(match operator {
            ";" | "}" => Kind::EndOfStatement,
            ">" => Kind::Greater,
            ">>" | "<<" | "|" | "|&" | "@" | "&" => Kind::Refused,
            _ => Kind::Other,
        })
    }
}

/// Where the first such character is that no backslash stands before; none where a line ends first.
fn unescaped(text: &str, wanted: char) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            '\n' | '\r' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == wanted => return Some(at),
            _ => {}
        }
    }
    None
}

/// Whether every bracket of an expression is closed, with a backslash in it an escape and without, with named classes and without.
fn brackets_are_closed(body: &str) -> bool {
    let closed = |escapes: bool, classes: bool| {
        let mut rest = body;
        let mut inside = false;
        loop {
            let mut characters = rest.chars();
            let Some(character) = characters.next() else { return !inside };
            let after = characters.as_str();
            rest = match (inside, character) {
                (false, '\\') => {
                    let mut escaped = after.chars();
                    escaped.next();
                    escaped.as_str()
                }
                (false, '[') => {
                    inside = true;
                    let after = after.strip_prefix('^').unwrap_or(after);
                    after.strip_prefix(']').unwrap_or(after)
                }
                (true, '\\') if escapes => {
                    let mut escaped = after.chars();
                    escaped.next();
                    escaped.as_str()
                }
                (true, '[') if classes && after.starts_with([':', '.', '=']) => {
                    let end = after.get(1..).and_then(|name| name.find(']'));
                    end.and_then(|end| after.get(end + 2..)).unwrap_or_default()
                }
                (true, ']') => {
                    inside = false;
                    after
                }
                _ => after,
            };
        }
    };
    [(true, true), (true, false), (false, true), (false, false)]
        .iter()
        .all(|(escapes, classes)| closed(*escapes, *classes))
}
