//! The one door to the parser: its options are those of `bash -c`.

use brush_parser::ast::Program;
use brush_parser::word::{WordPiece, WordPieceWithSource};
use brush_parser::{ParserOptions, Token, tokenize_str_with_options, word};

/// What `bash -c` has: no extended globs.
fn options() -> ParserOptions {
    ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() }
}

pub(crate) fn program(text: &str) -> Result<Program, String> {
    if has_unusual_delimiter(text) {
        return Err("what ends a here-document is not a plain word".into());
    }
    if has_escaped_dollar(text) {
        return Err("a dollar sign before a brace or a quote may be read in two ways".into());
    }
    if text.lines().any(|line| {
        line.ends_with('\\') && (line.starts_with('#') || line.contains([' ', '\t']) && line.contains('#'))
    }) {
        return Err("a line with a comment ends with a backslash".into());
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
    if has_joined_bracket(text, &tokens) {
        return Err("a word stands directly at a bracket or a process substitution".into());
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

/// Whether `$$` or an escaped dollar sign stands before `{` or `'`: the tokenizer and bash disagree on what begins there.
fn has_escaped_dollar(text: &str) -> bool {
    let mut quote = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        match (quote, character) {
            (Some('\''), '\'') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => {
                characters.next();
                if next == Some('$') && quote.is_none() && matches!(characters.peek(), Some('{' | '\'')) {
                    return true;
                }
            }
            (Some(_), '"') => quote = None,
            (None, '"') => quote = Some('"'),
            (None, '\'') => quote = Some('\''),
            (_, '$') if next == Some('$') => {
                characters.next();
                if matches!(characters.peek(), Some('{' | '\'')) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Whether a word or a comment begins directly behind `)`, or a process substitution directly behind a word: for bash they are
/// one word.
fn has_joined_bracket(text: &str, tokens: &[Token]) -> bool {
    let characters: Vec<char> = text.chars().collect();
    let behind_bracket = tokens.iter().any(|token| match token {
        Token::Operator(operator, place) if operator == ")" => {
            let next = characters.get(place.end.index);
            let body = next == Some(&'{') && characters.get(place.start.index.wrapping_sub(1)) == Some(&'(');
            let ends =
                |next: &char| next.is_whitespace() || matches!(next, ';' | '&' | '|' | '<' | '>' | ')');
            !body && next.is_some_and(|next| !ends(next))
        }
        _ => false,
    });
    let behind_word = tokens.windows(2).any(|pair| match pair {
        [Token::Word(_, word), Token::Operator(operator, place)] => {
            matches!(operator.as_str(), "<" | ">")
                && word.end.index == place.start.index
                && characters.get(place.end.index) == Some(&'(')
        }
        _ => false,
    });
    behind_bracket || behind_word
}

/// Whether a here-document (or what looks like one) is ended by anything but a plain word, which may be quoted whole or begin
/// with a backslash: of the others the tokenizer and bash make different words.
fn has_unusual_delimiter(text: &str) -> bool {
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
        if word.is_empty() && after.starts_with('(') {
            return false;
        }
        let plain = |quote: char| word.strip_prefix(quote).and_then(|word| word.strip_suffix(quote));
        let word = plain('\'').or(plain('"')).or(word.strip_prefix('\\')).unwrap_or(word);
        word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
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
    whole(word::parse(word, &options()).map_err(|error| error.to_string())?)
}

/// The pieces, if the parser has read all of them: an expansion or a back-quote that it could not read it gives as text.
fn whole(pieces: Vec<WordPieceWithSource>) -> Result<Vec<WordPieceWithSource>, String> {
    match has_unread(&pieces, false) {
        true => Err("an expansion in it could not be read".into()),
        false => Ok(pieces),
    }
}

fn has_unread(pieces: &[WordPieceWithSource], quoted: bool) -> bool {
    let mut dollar = false;
    pieces.iter().any(|piece| {
        let behind_dollar = dollar;
        dollar = false;
        match &piece.piece {
            WordPiece::Text(text) => {
                dollar = text.ends_with('$');
                let opens = |after: &str| {
                    after.starts_with(['{', '(', '[']) || (!quoted && after.starts_with(['\'', '"']))
                };
                text.contains('`') || (behind_dollar && opens(text)) || text.split('$').skip(1).any(opens)
            }
            WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
                behind_dollar || has_unread(inner, true)
            }
            WordPiece::SingleQuotedText(_) | WordPiece::AnsiCQuotedText(_) => behind_dollar,
            _ => false,
        }
    })
}

pub(crate) fn heredoc_pieces(body: &str) -> Result<Vec<WordPieceWithSource>, String> {
    // Bash joins the lines before it looks for the end.
    if body.contains("\\\n") {
        return Err("a line of it goes on behind a backslash".into());
    }
    let pieces = word::parse_heredoc(body, &options()).map_err(|error| error.to_string())?;
    match has_unread(&pieces, true) {
        true => Err("an expansion in it could not be read".into()),
        false => Ok(pieces),
    }
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
