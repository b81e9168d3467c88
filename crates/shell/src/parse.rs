//! The one door to the parser: its options are those of `bash -c`.

use brush_parser::ast::Program;
use brush_parser::word::WordPieceWithSource;
use brush_parser::{ParserOptions, Token, tokenize_str_with_options, word};

/// What `bash -c` has: no extended globs.
fn options() -> ParserOptions {
    ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() }
}

pub(crate) fn program(text: &str) -> Result<Program, String> {
    if has_computed_delimiter(text) {
        return Err("what ends a here-document is computed".into());
    }
    let options = options();
    let tokens =
        tokenize_str_with_options(text, &options.tokenizer_options()).map_err(|error| error.to_string())?;
    let steps = tokens.iter().filter_map(|token| match token {
        Token::Operator(text, _) if text == "(" => Some(Step::In),
        Token::Operator(text, _) if text == ")" => Some(Step::Out),
        _ => None,
    });
    if deepest(steps) > DEEPEST {
        return Err("its brackets are nested too deep to be read".into());
    }
    if tokens.windows(2).any(is_unknown_descriptor) {
        return Err("a redirection names a descriptor that no program has".into());
    }
    brush_parser::parse_tokens(&tokens, &options).map_err(|error| error.to_string())
}

/// The parser tries `((` as arithmetic first, and there each bracket within that does not close before a `;` or the end
/// doubles its work.
const DEEPEST: usize = 12;

/// How deep brackets are nested, at most. One that closes nothing (a pattern of `case`) makes nothing deeper.
fn deepest(steps: impl Iterator<Item = Step>) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for step in steps {
        match step {
            Step::In => depth += 1,
            Step::Out => depth = depth.saturating_sub(1),
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// A bracket.
enum Step {
    In,
    Out,
}

/// Whether a here-document (or what looks like one) is ended by a word with a command or a variable in it, or by an empty one.
/// Bash takes it literally; the tokenizer looks for an end within the command, and for ever where there is none.
fn has_computed_delimiter(text: &str) -> bool {
    text.match_indices("<<").any(|(at, _)| {
        let after = text.get(at + 2..).unwrap_or_default();
        // Three are a here-string.
        let is_string = after.starts_with('<') || text.get(..at).is_some_and(|before| before.ends_with('<'));
        if is_string && !after.starts_with("<<") && !after.starts_with("<-") {
            return false;
        }
        let after = after.trim_start_matches(['<', '-', ' ', '\t']);
        let word = delimiter(after);
        // A shift may have brackets at its right.
        let is_missing = word.is_empty() && !after.starts_with('(');
        let is_quotes = |character| matches!(character, '\'' | '"' | '\\' | '\n');
        let is_empty = word.len() >= 2 && word.chars().all(is_quotes);
        is_missing || is_empty || ["$(", "${", "$[", "`"].iter().any(|mark| word.contains(mark))
    })
}

/// The word at the beginning, quotes and escapes included; `$(` does not end it.
fn delimiter(text: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    for (at, character) in text.char_indices() {
        let escaped = before == '\\' && quote != Some('\'');
        match quote {
            Some(open) if character == open && !escaped => quote = None,
            None if escaped => {}
            None if matches!(character, '\'' | '"') => quote = Some(character),
            None if character.is_whitespace()
                || (matches!(character, '<' | '>' | '|' | '&' | ';' | '(' | ')') && before != '$') =>
            {
                return text.get(..at).unwrap_or_default();
            }
            Some(_) | None => {}
        }
        before = if escaped { ' ' } else { character };
    }
    text
}

/// Whether these are a number that the parser cannot hold, and an operator that redirects it.
fn is_unknown_descriptor(tokens: &[Token]) -> bool {
    let [Token::Word(number, place), Token::Operator(operator, next)] = tokens else { return false };
    operator.starts_with(['<', '>'])
        && place.end.index == next.start.index
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && number.parse::<u16>().is_err()
}

/// Whether it has a number in a place where the parser takes every number for one that it can hold.
fn has_unknown_number(word: &str, mark: &str) -> bool {
    const LONGEST: usize = 18;
    let digits = |run: &str| run.len() > LONGEST;
    word.contains(mark) && word.split(|character: char| !character.is_ascii_digit()).any(digits)
}

pub(crate) fn pieces(word: &str) -> Result<Vec<WordPieceWithSource>, String> {
    if has_unknown_number(word, "~") {
        return Err("it has a number too large to be read".into());
    }
    word::parse(word, &options()).map_err(|error| error.to_string())
}

pub(crate) fn heredoc_pieces(body: &str) -> Result<Vec<WordPieceWithSource>, String> {
    word::parse_heredoc(body, &options()).map_err(|error| error.to_string())
}

pub(crate) fn braces(word: &str) -> Option<Vec<word::BraceExpressionOrText>> {
    // Each brace that does not close doubles the parser's work, and more.
    const DEEPEST: usize = 4;
    let steps = word.bytes().filter_map(|byte| match byte {
        b'{' => Some(Step::In),
        b'}' => Some(Step::Out),
        _ => None,
    });
    if has_unknown_number(word, "..") || deepest(steps) > DEEPEST {
        return None;
    }
    word::parse_brace_expansions(word, &options()).ok().flatten()
}
