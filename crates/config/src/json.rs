//! JSON with comments and trailing commas, where each value knows its line. Knows no key.

use std::collections::HashMap;
use std::path::Path;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Number, Value};

use crate::ConfigError;

/// A settings text, with the name that errors give it.
#[derive(Debug, Clone)]
pub(crate) struct Document<'t> {
    pub(crate) name: String,
    text: &'t str,
    /// Where each line begins.
    lines: Vec<usize>,
}

/// What the language allows beyond JSON: comments and trailing commas, nothing else.
const LANGUAGE: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

impl<'t> Document<'t> {
    pub(crate) fn new(name: impl Into<String>, text: &'t str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { name: name.into(), text, lines }
    }

    pub(crate) fn of_file(file: &Path, text: &'t str) -> Self {
        Self::new(file.display().to_string(), text)
    }

    /// The object at the root; nothing for an empty text.
    pub(crate) fn object(&self) -> Result<Option<ast::Object<'t>>, ConfigError> {
        let parsed = parse_to_ast(self.text, &CollectOptions::default(), &LANGUAGE);
        let parsed = parsed.map_err(|error| ConfigError::Syntax {
            file: self.name.clone(),
            line: number(error.line_display()),
            column: number(error.column_display()),
            message: lower_first(&error.kind().to_string()),
            hint: hint(error.kind()),
        })?;
        match parsed.value {
            None => Ok(None),
            Some(ast::Value::Object(object)) => {
                self.refuse_doubled_keys(&object)?;
                Ok(Some(object))
            }
            Some(other) => {
                let (line, column) = self.place(&other);
                Err(ConfigError::Syntax {
                    file: self.name.clone(),
                    line,
                    column,
                    message: format!("the settings are {}", kind(&other)),
                    hint: "put them into an object: `{ .. }`",
                })
            }
        }
    }

    /// An error about a value.
    pub(crate) fn wrong(&self, at: &impl Ranged, key: &str, message: impl Into<String>) -> ConfigError {
        let (line, column) = self.place(at);
        ConfigError::Value { file: self.name.clone(), line, column, key: key.into(), message: message.into() }
    }

    /// An error about a value of the wrong kind.
    pub(crate) fn not_a(&self, value: &ast::Value<'_>, key: &str, wanted: &str) -> ConfigError {
        self.wrong(value, key, format!("is {}; it must be {wanted}", kind(value)))
    }

    /// The line a value begins on, from 1.
    pub(crate) fn line(&self, at: &impl Ranged) -> u32 {
        self.place(at).0
    }

    /// The value without its places.
    pub(crate) fn plain(&self, value: &ast::Value<'_>, key: &str) -> Result<Value, ConfigError> {
        Ok(match value {
            ast::Value::StringLit(text) => Value::String(text.value.clone().into_owned()),
            ast::Value::BooleanLit(flag) => Value::Bool(flag.value),
            ast::Value::NullKeyword(_) => Value::Null,
            ast::Value::NumberLit(literal) => {
                let number: Number = serde_json::from_str(literal.value)
                    .map_err(|_| self.wrong(literal, key, format!("is no number: {}", literal.value)))?;
                Value::Number(number)
            }
            ast::Value::Array(array) => {
                let items: Result<Vec<Value>, ConfigError> =
                    array.elements.iter().map(|element| self.plain(element, key)).collect();
                Value::Array(items?)
            }
            ast::Value::Object(object) => {
                let mut map = Map::new();
                for property in &object.properties {
                    let name = property.name.as_str();
                    map.insert(name.into(), self.plain(&property.value, &format!("{key}.{name}"))?);
                }
                Value::Object(map)
            }
        })
    }

    /// Two of a name: which one counts is a guess, and a guess may lose a deny rule.
    fn refuse_doubled_keys(&self, object: &ast::Object<'_>) -> Result<(), ConfigError> {
        let mut seen = HashMap::new();
        for property in &object.properties {
            let name = property.name.as_str();
            if let Some(first) = seen.insert(name, property) {
                let message = format!("stands here and in line {}; make one of the two", self.line(first));
                return Err(self.wrong(property, name, message));
            }
            self.refuse_doubled_keys_in(&property.value)?;
        }
        Ok(())
    }

    fn refuse_doubled_keys_in(&self, value: &ast::Value<'_>) -> Result<(), ConfigError> {
        match value {
            ast::Value::Object(object) => self.refuse_doubled_keys(object),
            ast::Value::Array(array) => {
                array.elements.iter().try_for_each(|element| self.refuse_doubled_keys_in(element))
            }
            _ => Ok(()),
        }
    }

    fn place(&self, at: &impl Ranged) -> (u32, u32) {
        let line = self.lines.partition_point(|start| *start <= at.start());
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let before = self.text.get(start..at.start()).unwrap_or_default();
        (number(line), number(before.chars().count() + 1))
    }
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

fn kind(value: &ast::Value<'_>) -> &'static str {
    match value {
        ast::Value::StringLit(_) => "a text",
        ast::Value::NumberLit(_) => "a number",
        ast::Value::BooleanLit(_) => "true or false",
        ast::Value::Object(_) => "an object",
        ast::Value::Array(_) => "a list",
        ast::Value::NullKeyword(_) => "null",
    }
}

fn hint(kind: &ParseErrorKind) -> &'static str {
    match kind {
        ParseErrorKind::ExpectedComma => "put a comma here",
        ParseErrorKind::UnexpectedComma => "take out one comma",
        ParseErrorKind::SingleQuotedStringsNotAllowed => "write texts in double quotes",
        ParseErrorKind::ExpectedStringObjectProperty | ParseErrorKind::UnexpectedTokenInObject => {
            "write each key in double quotes, then a colon and its value"
        }
        ParseErrorKind::UnexpectedWord => "write texts in double quotes; true, false and null stand alone",
        ParseErrorKind::ExpectedColonAfterObjectKey | ParseErrorKind::ExpectedObjectValue => {
            "write each key in double quotes, then a colon and its value"
        }
        ParseErrorKind::UnterminatedArray => "close the list with `]`",
        ParseErrorKind::UnterminatedObject => "close the object with `}`",
        ParseErrorKind::UnterminatedCommentBlock => "close the comment with `*/`",
        ParseErrorKind::MultipleRootJsonValues => "keep one object in the file",
        ParseErrorKind::String(_) => "close the text with a double quote and write `\\` as `\\\\`",
        _ => "settings are JSON; comments and trailing commas are allowed",
    }
}
