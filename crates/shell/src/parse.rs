//! The one door to the parser: its options are those of `bash -c`.

use brush_parser::ast::Program;
use brush_parser::word::WordPieceWithSource;
use brush_parser::{ParserOptions, tokenize_str_with_options, word};

/// What `bash -c` has: no extended globs.
fn options() -> ParserOptions {
    ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() }
}

pub(crate) fn program(text: &str) -> Result<Program, String> {
    let options = options();
    let tokens =
        tokenize_str_with_options(text, &options.tokenizer_options()).map_err(|error| error.to_string())?;
    brush_parser::parse_tokens(&tokens, &options).map_err(|error| error.to_string())
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
