//! Reads a text as bash reads it: recursive descent over the bytes, each of them looked at once (a here-document, text in
//! back-quotes and the search for the end of an arithmetic expression apart). What is not certain to be read the same way
//! by bash 5.2 and 5.3 is an error.

mod arithmetic;
mod braces;
mod case;
mod command;
mod cursor;
mod document;
mod dollar;
mod parameter;
mod parts;
mod quote;
mod redirect;
mod scan;
mod script;
mod simple;
mod test;
mod word;

use std::collections::VecDeque;

use crate::tree::{Script, Word};
use crate::{Parsed, SyntaxError};

/// How deep constructs may stand within each other.
const MAX_DEPTH: u32 = 60;
/// How many words, commands and expansions a text may have.
const MAX_NODES: u32 = 200_000;
/// How many operators the expressions of one complete command may have: each makes the tree deeper.
const MAX_OPERATORS: u32 = 500;
/// Letters of a word that are named where it stands in the wrong place.
const LONGEST_NAMED: usize = 20;

type Read<T> = Result<T, SyntaxError>;

/// Reads a whole text.
pub(crate) fn script(text: &str) -> Parsed {
    let mut script = Script::default();
    if let Some(at) = text.bytes().position(|byte| byte == 0) {
        return Parsed { script, error: Some(SyntaxError { message: "a NUL character".to_owned(), at }) };
    }
    let mut parser = Parser::new(text);
    let error = parser.top(&mut script).err();
    Parsed { script, error }
}

/// A text and how far it is read.
struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// What stands before `text` where it is a part of another: only for the place of an error.
    base: usize,
    depth: u32,
    nodes: u32,
    operators: u32,
    /// Here-documents whose bodies begin behind the next line feed.
    pending: Vec<document::Pending>,
    /// Bodies in the order of their operators, until they are put into the tree.
    bodies: VecDeque<Word>,
    /// Within `$( )` and its like, where versions of bash disagree on the end of a here-document.
    in_parentheses: bool,
    /// Within `${..}` that stands within double quotes or a here-document.
    in_quoted_braces: bool,
    /// Within the list of an array that stands within `$( )` and its like.
    in_inner_list: bool,
    /// Since the word began there was a quote or an expansion that the search for braces does not pass over as a whole.
    unclear_for_braces: bool,
    /// Where what stands behind the redirections of a compound command begins: bash takes no word for a reserved one there.
    behind_redirects: Option<usize>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            base: 0,
            depth: 0,
            nodes: 0,
            operators: 0,
            pending: Vec::new(),
            bodies: VecDeque::new(),
            in_parentheses: false,
            in_quoted_braces: false,
            in_inner_list: false,
            unclear_for_braces: false,
            behind_redirects: None,
        }
    }

    /// Reads another text that came out of this one: back-quotes, a here-document.
    fn within<T>(
        &mut self,
        text: &str,
        base: usize,
        read: impl FnOnce(&mut Parser<'_>) -> Read<T>,
    ) -> Read<T> {
        self.enter()?;
        let mut inner = Parser::new(text);
        inner.base = self.base + base;
        inner.depth = self.depth;
        inner.nodes = self.nodes;
        inner.operators = self.operators;
        let result = read(&mut inner);
        self.nodes = inner.nodes;
        self.operators = inner.operators;
        self.leave();
        result
    }

    fn enter(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong("it is nested too deeply"));
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn count(&mut self) -> Read<()> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(self.wrong("it has too many parts"));
        }
        Ok(())
    }

    fn count_operator(&mut self) -> Read<()> {
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            return Err(self.wrong("its expressions have too many operators"));
        }
        Ok(())
    }

    #[cold]
    fn wrong(&self, message: impl Into<String>) -> SyntaxError {
        self.wrong_at(self.at, message)
    }

    #[cold]
    fn wrong_at(&self, at: usize, message: impl Into<String>) -> SyntaxError {
        SyntaxError { message: message.into(), at: self.base + at }
    }

    /// What stands where something else should.
    #[cold]
    fn unexpected(&mut self, wanted: &str) -> SyntaxError {
        self.peek();
        let rest = self.text.get(self.at..).unwrap_or_default();
        let word: String = rest.chars().take_while(char::is_ascii_alphabetic).take(LONGEST_NAMED).collect();
        let found = match rest.chars().next() {
            None => "the end of the text".to_owned(),
            Some('\n') => "the end of the line".to_owned(),
            Some(found) if word.is_empty() => format!("`{found}`"),
            Some(_) => format!("`{word}`"),
        };
        self.wrong(format!("{found} where {wanted} should stand"))
    }
}
