//! The one door to the parser: its options are those of `bash -c`.

use brush_parser::ast::Program;
use brush_parser::word::WordPieceWithSource;
use brush_parser::{ParserOptions, Token, tokenize_str_with_options, word};

/// What `bash -c` has: no extended globs.
fn options() -> ParserOptions {
    ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() }
}

pub(crate) fn program(text: &str) -> Result<Program, String> {
    let options = options();
    let tokens =
        tokenize_str_with_options(text, &options.tokenizer_options()).map_err(|error| error.to_string())?;
    if depth(&tokens) > DEEPEST {
        return Err("its brackets are nested too deep to be read".into());
    }
    brush_parser::parse_tokens(&tokens, &options).map_err(|error| error.to_string())
}

/// The parser tries `((` as arithmetic first, and there each bracket within that does not close before a `;` or the end
/// doubles its work.
const DEEPEST: usize = 12;

/// How deep brackets are nested, at most. One that closes nothing (a pattern of `case`) makes nothing deeper.
fn depth(tokens: &[Token]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for token in tokens {
        match token {
            Token::Operator(text, _) if text == "(" => depth += 1,
            Token::Operator(text, _) if text == ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

pub(crate) fn pieces(word: &str) -> Result<Vec<WordPieceWithSource>, String> {
    word::parse(word, &options()).map_err(|error| error.to_string())
}

pub(crate) fn heredoc_pieces(body: &str) -> Result<Vec<WordPieceWithSource>, String> {
    word::parse_heredoc(body, &options()).map_err(|error| error.to_string())
}

pub(crate) fn braces(word: &str) -> Option<Vec<word::BraceExpressionOrText>> {
    word::parse_brace_expansions(word, &options()).ok().flatten()
}
