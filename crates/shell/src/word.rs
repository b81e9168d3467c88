//! Words: what they expand to as far as that can be known, and the commands hidden in them.

use brush_parser::word::{
    BraceExpressionMember, BraceExpressionOrText, Parameter, ParameterExpr, ParameterTransformOp, TildeExpr,
    WordPiece, WordPieceWithSource,
};

use crate::ansi::decoded;
use crate::parse;
use crate::state::Variable;
use crate::walk::Walk;

/// One word after expansion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    /// The text, as far as it is known; up to the first unknown piece where it is not.
    pub(crate) text: String,
    /// All of it is known, globs apart.
    pub(crate) exact: bool,
    /// It holds unquoted glob characters.
    pub(crate) glob: bool,
    /// It may become no word or several.
    pub(crate) splits: bool,
}

impl Token {
    fn empty() -> Self {
        Self { text: String::new(), exact: true, glob: false, splits: false }
    }

    pub(crate) fn unknown_words() -> Self {
        Self { exact: false, splits: true, ..Self::empty() }
    }

    /// The text, where it is one known word.
    pub(crate) fn literal(&self) -> Option<&str> {
        (self.exact && !self.glob && !self.splits).then_some(self.text.as_str())
    }
}

/// More words than this from one are not followed.
const MOST_WORDS: usize = 64;

/// A longer text is not known: one that doubles itself would fill the memory.
const LONGEST_VALUE: usize = 20_000;

impl Walk<'_> {
    /// Everything a word may become. Commands in it are walked.
    pub(crate) fn word(&mut self, raw: &str) -> Vec<Token> {
        let pieces = match parse::pieces(raw) {
            Ok(pieces) => pieces,
            Err(error) => {
                self.unreadable(format!("the word `{raw}` is not understood: {error}"));
                return vec![Token::unknown_words()];
            }
        };
        let unquoted: Vec<&str> = pieces.iter().filter_map(unquoted_text).collect();
        let text = unquoted.concat();
        let braces = text.contains('{') && (text.contains(',') || text.contains(".."));
        if !braces {
            let mut tokens = self.expanded(&pieces, false);
            // The test program's name is no glob.
            tokens
                .iter_mut()
                .filter(|token| token.text == "[" && token.exact)
                .for_each(|token| token.glob = false);
            return tokens;
        }
        let plain = unquoted.len() == pieces.len();
        match (plain && !has_padded_number(raw))
            .then(|| parse::braces(raw))
            .flatten()
            .and_then(|parsed| spread(&parsed))
        {
            Some(words) => words
                .iter()
                .flat_map(|word| match parse::pieces(word) {
                    Ok(pieces) => self.expanded(&pieces, false),
                    Err(_) => vec![Token::unknown_words()],
                })
                .collect(),
            None => {
                self.expanded(&pieces, false);
                vec![Token::unknown_words()]
            }
        }
    }

    /// The value of an assignment: no braces, no splitting.
    pub(crate) fn value(&mut self, raw: &str) -> Vec<Token> {
        match parse::pieces(raw) {
            Ok(pieces) => {
                let mut tokens = self.expanded(&pieces, true);
                tokens.iter_mut().for_each(|token| token.glob = false);
                tokens
            }
            Err(error) => {
                self.unreadable(format!("the value `{raw}` is not understood: {error}"));
                vec![Token::unknown_words()]
            }
        }
    }

    pub(crate) fn heredoc(&mut self, pieces: &[WordPieceWithSource]) {
        self.expanded(pieces, true);
    }

    fn expanded(&mut self, pieces: &[WordPieceWithSource], quoted: bool) -> Vec<Token> {
        let mut tokens = vec![Token::empty()];
        for piece in pieces {
            let found = self.piece(&piece.piece, quoted);
            let joined: Vec<Token> =
                tokens.iter().flat_map(|token| found.iter().map(|more| join(token, more))).collect();
            let long = joined.iter().any(|token| token.text.len() > LONGEST_VALUE);
            tokens = if long || joined.len() > MOST_WORDS { vec![Token::unknown_words()] } else { joined };
        }
        tokens
    }

    fn piece(&mut self, piece: &WordPiece, quoted: bool) -> Vec<Token> {
        let literal = |text: String| vec![Token { text, ..Token::empty() }];
        match piece {
            WordPiece::Text(text) => {
                let glob = !quoted && text.contains(['*', '?', '[']);
                vec![Token { text: text.clone(), glob, ..Token::empty() }]
            }
            WordPiece::SingleQuotedText(text) => literal(text.clone()),
            WordPiece::AnsiCQuotedText(text) => decoded(text).map_or_else(|| unknown(true), literal),
            WordPiece::EscapeSequence(text) => match text.strip_prefix('\\') {
                Some("\n") => literal(String::new()),
                Some(character) => literal(character.into()),
                None => literal(text.clone()),
            },
            WordPiece::DoubleQuotedSequence(pieces) => self.expanded(pieces, true),
            WordPiece::GettextDoubleQuotedSequence(pieces) => {
                self.expanded(pieces, true);
                unknown(true)
            }
            WordPiece::TildeExpansion(TildeExpr::Home) if !self.state.variables.contains_key("HOME") => {
                match self.place.home.as_deref().and_then(|home| home.to_str()) {
                    Some(home) => literal(home.into()),
                    None => unknown(true),
                }
            }
            WordPiece::TildeExpansion(TildeExpr::WorkingDir) => self.variable("PWD", true),
            WordPiece::TildeExpansion(_) => unknown(true),
            WordPiece::CommandSubstitution(script) => {
                if has_unclear_comment(script) {
                    self.unreadable("a comment within `$(..)` may end in two places");
                }
                self.script_apart(script);
                unknown(quoted)
            }
            WordPiece::BackquotedCommandSubstitution(script) => {
                self.script_apart(&unescaped(script, quoted));
                unknown(quoted)
            }
            WordPiece::ArithmeticExpression(expression) => {
                self.arithmetic(&expression.value);
                // A number: one word, no flag of any program but with its sign.
                unknown(true)
            }
            WordPiece::ParameterExpansion(expression) => self.parameter(expression, quoted),
        }
    }

    fn parameter(&mut self, expression: &ParameterExpr, quoted: bool) -> Vec<Token> {
        if let ParameterExpr::Parameter { parameter: Parameter::Named(name), indirect: false } = expression {
            return self.variable(name, quoted);
        }
        let (parameter, indirect, words) = taken_apart(expression);
        if indirect {
            self.unreadable("`${!name}` reads a variable whose name is data");
        }
        if let Some(Parameter::NamedWithIndex { index, .. }) = parameter
            && !index.bytes().all(|byte| byte.is_ascii_digit())
        {
            self.arithmetic(index);
        }
        match expression {
            ParameterExpr::AssignDefaultValues { parameter, .. } => match parameter {
                Parameter::Named(name) => self.set(name, Variable::Unknown),
                _ => self.changes_state = true,
            },
            ParameterExpr::Substring { offset, length, .. } => {
                self.arithmetic(&offset.value);
                if let Some(length) = length {
                    self.arithmetic(&length.value);
                }
            }
            ParameterExpr::Transform {
                op:
                    ParameterTransformOp::Quoted
                    | ParameterTransformOp::ToLowerCase
                    | ParameterTransformOp::ToUpperCase,
                ..
            } => {}
            ParameterExpr::Transform { .. } => {
                self.unreadable("`${name@..}` may evaluate the variable's value as code");
            }
            _ => {}
        }
        for word in words {
            if word.contains("<<") || (quoted && word.contains('\'') && word.contains(['$', '`'])) {
                self.unreadable(format!("`{word}` in an expansion may be read in two ways"));
            }
            if word.contains("<(") || word.contains(">(") {
                self.unreadable("a process substitution within `${..}` is not followed");
            }
            match parse::pieces(word) {
                Ok(pieces) => drop(self.expanded(&pieces, quoted)),
                Err(error) => self.unreadable(format!("`{word}` in an expansion is not understood: {error}")),
            }
        }
        unknown(quoted)
    }

    fn variable(&mut self, name: &str, quoted: bool) -> Vec<Token> {
        if let Some(variable) = self.state.variables.get(name) {
            return match variable {
                Variable::OneOf(values) if !values.is_empty() => {
                    values.iter().flat_map(|value| substituted(value, quoted)).collect()
                }
                _ => unknown(quoted),
            };
        }
        let standing = match name {
            "PWD" => match self.state.folders.as_deref() {
                Some([only]) => only.to_str(),
                _ => None,
            },
            "HOME" => self.place.home.as_deref().and_then(|home| home.to_str()),
            _ => None,
        };
        standing.map_or_else(|| unknown(quoted), |value| substituted(value, quoted))
    }
}

/// A known value in its place: unquoted it is split and globbed.
fn substituted(value: &str, quoted: bool) -> Vec<Token> {
    let glob = value.contains(['*', '?', '[', '\\']);
    if quoted {
        // A loop over a glob holds names it stands for, quoted or not.
        return vec![Token { text: value.into(), glob, ..Token::empty() }];
    }
    if value.contains([' ', '\t', '\n']) || value.is_empty() {
        return unknown(false);
    }
    vec![Token { text: value.into(), glob, ..Token::empty() }]
}

fn unknown(quoted: bool) -> Vec<Token> {
    vec![Token { exact: false, splits: !quoted, ..Token::empty() }]
}

fn join(left: &Token, right: &Token) -> Token {
    let text = if left.exact { format!("{}{}", left.text, right.text) } else { left.text.clone() };
    Token {
        text,
        exact: left.exact && right.exact,
        glob: left.glob || right.glob,
        splits: left.splits || right.splits,
    }
}

fn unquoted_text(piece: &WordPieceWithSource) -> Option<&str> {
    match &piece.piece {
        WordPiece::Text(text) => Some(text),
        _ => None,
    }
}

/// Within back-quotes a backslash before these characters is taken away before the text is read.
fn unescaped(script: &str, quoted: bool) -> String {
    let mut text = String::with_capacity(script.len());
    let mut characters = script.chars().peekable();
    while let Some(character) = characters.next() {
        let escapes =
            |next: &char| character == '\\' && (matches!(next, '$' | '`' | '\\') || (quoted && *next == '"'));
        text.push(characters.next_if(escapes).unwrap_or(character));
    }
    text
}

/// Whether a comment in it ends with the text, or holds what may end it elsewhere.
fn has_unclear_comment(script: &str) -> bool {
    let starts = |line: &str| {
        let blank = |at: usize| {
            line.get(..at).is_some_and(|before| {
                before.is_empty() || before.ends_with([' ', '\t', ';', '&', '|', '(', ')'])
            })
        };
        line.match_indices('#').map(|(at, _)| at).find(|at| blank(*at))
    };
    let mut lines = script.split('\n').peekable();
    while let Some(line) = lines.next() {
        let Some(comment) = starts(line).and_then(|at| line.get(at..)) else { continue };
        if lines.peek().is_none() || comment.contains(['\\', '\'', '"', '(', ')', '`', '$']) {
            return true;
        }
    }
    false
}

/// Whether a number of a sequence may begin with zeros, which the words then keep.
fn has_padded_number(word: &str) -> bool {
    let padded = |number: &str| {
        number.trim_start_matches(['-', '+']).strip_prefix('0').is_some_and(|rest| !rest.is_empty())
    };
    word.contains("..") && word.split(['{', '}', ',', '.']).any(padded)
}

/// The words of a brace expression; none where it is too large.
fn spread(parsed: &[BraceExpressionOrText]) -> Option<Vec<String>> {
    let mut words = vec![String::new()];
    for piece in parsed {
        let ends: Vec<String> = match piece {
            BraceExpressionOrText::Text(text) => vec![text.clone()],
            BraceExpressionOrText::Expr(members) => {
                let mut ends = Vec::new();
                for member in members {
                    match member {
                        BraceExpressionMember::Child(child) => ends.extend(spread(child)?),
                        BraceExpressionMember::NumberSequence { start, end, increment: _ } => {
                            let (low, high) = (start.min(end), start.max(end));
                            if high.checked_sub(*low)? > 32 {
                                return None;
                            }
                            ends.extend((*low..=*high).map(|number| number.to_string()));
                        }
                        BraceExpressionMember::CharSequence { .. } => return None,
                    }
                }
                ends
            }
        };
        words = words.iter().flat_map(|word| ends.iter().map(move |end| format!("{word}{end}"))).collect();
        if words.len() > MOST_WORDS {
            return None;
        }
    }
    Some(words)
}

/// The parameter, whether it is read indirectly, and the words inside.
fn taken_apart(expression: &ParameterExpr) -> (Option<&Parameter>, bool, Vec<&str>) {
    use ParameterExpr as Expr;
    match expression {
        Expr::Parameter { parameter, indirect } | Expr::ParameterLength { parameter, indirect } => {
            (Some(parameter), *indirect, Vec::new())
        }
        Expr::UseDefaultValues { parameter, indirect, default_value: word, .. }
        | Expr::AssignDefaultValues { parameter, indirect, default_value: word, .. }
        | Expr::IndicateErrorIfNullOrUnset { parameter, indirect, error_message: word, .. }
        | Expr::UseAlternativeValue { parameter, indirect, alternative_value: word, .. }
        | Expr::RemoveSmallestSuffixPattern { parameter, indirect, pattern: word }
        | Expr::RemoveLargestSuffixPattern { parameter, indirect, pattern: word }
        | Expr::RemoveSmallestPrefixPattern { parameter, indirect, pattern: word }
        | Expr::RemoveLargestPrefixPattern { parameter, indirect, pattern: word }
        | Expr::UppercaseFirstChar { parameter, indirect, pattern: word }
        | Expr::UppercasePattern { parameter, indirect, pattern: word }
        | Expr::LowercaseFirstChar { parameter, indirect, pattern: word }
        | Expr::LowercasePattern { parameter, indirect, pattern: word } => {
            (Some(parameter), *indirect, word.iter().map(String::as_str).collect())
        }
        Expr::ReplaceSubstring { parameter, indirect, pattern, replacement, .. } => {
            let words = std::iter::once(pattern).chain(replacement).map(String::as_str);
            (Some(parameter), *indirect, words.collect())
        }
        Expr::Substring { parameter, indirect, .. } | Expr::Transform { parameter, indirect, .. } => {
            (Some(parameter), *indirect, Vec::new())
        }
        Expr::VariableNames { .. } | Expr::MemberKeys { .. } => (None, false, Vec::new()),
    }
}
