//! Parameter expansions and subscripts.

use super::text::{is_name, is_plain};
use super::word::is_pattern;
use super::{Printed, Printer, unprintable};
use crate::tree::{Name, Operation, Parameter, Part, Subscript, Word};

/// Which quotes do something where an expansion stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    /// Outside of double quotes: single quotes.
    Outside,
    /// Within double quotes: double quotes, for a word of `${..}`.
    Inside,
    /// In arithmetic and subscripts: none that every version takes away.
    Unavailable,
}

/// What a word of `${..}` is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It takes the place of the value.
    Text,
    /// A pattern that ends at `}`.
    Pattern,
    /// A pattern that ends at `/`.
    Replaced,
    /// What takes the place of a match.
    Replacement,
}

impl Parameter {
    /// Whether it may stand for several words even within double quotes.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.name, Name::Special('@' | '*'))
            || matches!(self.subscript, Some(Subscript::All | Subscript::Joined))
            || matches!(self.operation, Operation::Names { .. } | Operation::Keys)
    }
}

impl Printer {
    pub(super) fn parameter(&mut self, parameter: &Parameter, quotes: Quotes) -> Printed {
        let Parameter { name, subscript, indirect, operation } = parameter;
        if !can_stand_with(parameter) {
            return unprintable("an operator on a special parameter whose name could be read as part of it");
        }
        self.push("${");
        if *indirect || matches!(operation, Operation::Names { .. } | Operation::Keys) {
            self.out.push('!');
        }
        if matches!(operation, Operation::Length) {
            self.out.push('#');
        }
        match name {
            Name::Variable(name) if is_name(name) => self.push(name),
            Name::Variable(name) => return unprintable(format!("`{name}` is no name of a variable")),
            Name::Positional(number) => self.push(&number.to_string()),
            Name::Special('*') if self.document => self.out.push('@'),
            Name::Special(special) => self.out.push(*special),
        }
        if let Some(subscript) = subscript {
            if !matches!(name, Name::Variable(_)) {
                return unprintable("a subscript of a parameter that is no variable");
            }
            self.subscript(subscript)?;
        }
        self.operation(operation, quotes)?;
        self.out.push('}');
        Ok(())
    }

    fn operation(&mut self, operation: &Operation, quotes: Quotes) -> Printed {
        match operation {
            Operation::Value | Operation::Length | Operation::Keys => Ok(()),
            Operation::Names { separate } => {
                self.out.push(if *separate || self.document { '@' } else { '*' });
                Ok(())
            }
            Operation::Default { kind, or_empty, word } => {
                if !matches!(kind, '-' | '=' | '?' | '+') {
                    return unprintable(format!("parameters have no operator `{kind}`"));
                }
                if *or_empty {
                    self.out.push(':');
                }
                self.out.push(*kind);
                self.operand_word(word, Use::Text, quotes)
            }
            Operation::Remove { suffix, longest, pattern } => {
                self.push(match (suffix, longest) {
                    (false, false) => "#",
                    (false, true) => "##",
                    (true, false) => "%",
                    (true, true) => "%%",
                });
                self.operand_word(pattern, Use::Pattern, quotes)
            }
            Operation::Replace { anchor, pattern, with } => {
                self.out.push('/');
                match anchor {
                    None => {}
                    Some(anchor @ ('/' | '#' | '%')) => self.out.push(*anchor),
                    Some(anchor) => return unprintable(format!("parameters have no operator `/{anchor}`")),
                }
                if pattern.parts.is_empty() && !matches!(anchor, Some('#' | '%')) {
                    return unprintable("a replacement without a pattern");
                }
                self.operand_word(pattern, Use::Replaced, quotes)?;
                if let Some(with) = with {
                    self.out.push('/');
                    self.operand_word(with, Use::Replacement, quotes)?;
                }
                Ok(())
            }
            Operation::Substring { offset, length } => {
                self.push(": ");
                self.arithmetic_operand(offset)?;
                if let Some(length) = length {
                    self.push(": ");
                    self.arithmetic_operand(length)?;
                }
                Ok(())
            }
            Operation::Case { kind, all, pattern } => {
                if !matches!(kind, '^' | ',') {
                    return unprintable(format!("parameters have no operator `{kind}`"));
                }
                self.out.push(*kind);
                if *all {
                    self.out.push(*kind);
                }
                pattern.as_ref().map_or(Ok(()), |pattern| self.operand_word(pattern, Use::Pattern, quotes))
            }
            Operation::Transform(letter) => {
                if !letter.is_ascii_alphabetic() {
                    return unprintable(format!("parameters have no operator `@{letter}`"));
                }
                self.out.push('@');
                self.out.push(*letter);
                Ok(())
            }
        }
    }

    /// A colon of `a ? b : c` would end an offset in some versions.
    fn arithmetic_operand(&mut self, expression: &crate::tree::Arithmetic) -> Printed {
        let start = self.out.len();
        self.arithmetic(expression)?;
        if self.out[start..].contains('?') {
            return unprintable("a condition in the offset or length of a substring");
        }
        Ok(())
    }

    fn operand_word(&mut self, word: &Word, purpose: Use, quotes: Quotes) -> Printed {
        for (index, part) in word.parts.iter().enumerate() {
            match part {
                Part::Text(text) => self.operand_text(text, purpose, quotes, index == 0)?,
                Part::Quoted(text) => self.operand_quoted(text, purpose, quotes, index == 0)?,
                Part::Parameter(_) | Part::Command(_) | Part::Arithmetic(_) => {
                    self.expansion(part, quotes)?
                }
                Part::Double(parts) => self.operand_double(parts, purpose, quotes, index == 0)?,
                Part::Tilde(prefix) => {
                    let expanded =
                        quotes == Quotes::Outside || quotes == Quotes::Inside && purpose == Use::Pattern;
                    if index > 0 || !expanded {
                        return unprintable("`~` is not expanded in the same way by every bash here");
                    }
                    // A `/` behind it would be quoted, which leaves no tilde prefix.
                    if matches!(purpose, Use::Replaced | Use::Replacement) && word.parts.len() > 1 {
                        return unprintable("`~` with something behind it in a replacement");
                    }
                    self.tilde(prefix, &word.parts[1..], false)?;
                }
                Part::Process { .. } => return unprintable("a process substitution in a word of `${..}`"),
                Part::Braces(_) => return unprintable("braces are not expanded in a word of `${..}`"),
            }
        }
        Ok(())
    }

    fn operand_text(&mut self, text: &str, purpose: Use, quotes: Quotes, first: bool) -> Printed {
        let plain = |character: char| is_plain(character) && !is_operator(character, purpose);
        match (purpose, quotes) {
            // Blanks separate words and pattern characters match files where the expansion is not quoted.
            (Use::Text, Quotes::Outside) => {
                let bare = |at, character| {
                    is_plain(character)
                        || matches!(character, ' ' | '\t' | '\n' | '=')
                        || is_pattern(text, at, character)
                };
                self.splits_at_others |= !text.char_indices().all(|(at, character)| bare(at, character));
                self.partly_quoted(text, bare);
                Ok(())
            }
            (Use::Replacement, Quotes::Outside) if text.contains('&') => {
                unprintable("an unquoted `&` in a replacement")
            }
            (Use::Replacement, Quotes::Outside) => {
                self.partly_quoted(text, |_, character| is_plain(character) && character != '/');
                Ok(())
            }
            (Use::Text | Use::Replacement, _) => self.operand_quoted(text, purpose, quotes, first),
            (Use::Pattern | Use::Replaced, Quotes::Outside) => {
                self.partly_quoted_operand(
                    text,
                    purpose,
                    |at, character| plain(character) || is_pattern(text, at, character),
                    Self::single_quoted,
                );
                Ok(())
            }
            (Use::Pattern | Use::Replaced, Quotes::Inside) => {
                self.partly_quoted_operand(
                    text,
                    purpose,
                    |at, character| plain(character) || is_pattern(text, at, character),
                    Self::double_quoted,
                );
                Ok(())
            }
            (Use::Pattern | Use::Replaced, Quotes::Unavailable) => {
                if !text
                    .char_indices()
                    .all(|(at, character)| plain(character) || is_pattern(text, at, character))
                {
                    return unprintable("a word in arithmetic that needs quotes");
                }
                self.push(text);
                Ok(())
            }
        }
    }

    fn operand_quoted(&mut self, text: &str, purpose: Use, quotes: Quotes, first: bool) -> Printed {
        match (quotes, purpose) {
            (Quotes::Outside, Use::Replaced) => {
                self.partly_quoted_operand(text, purpose, |_, _| false, Self::single_quoted)
            }
            (Quotes::Outside, _) => self.single_quoted(text),
            (Quotes::Inside, Use::Replacement) => return self.escaped(text, first),
            (Quotes::Inside, Use::Text)
                if text.chars().all(|character| is_plain(character) || matches!(character, ' ' | '=')) =>
            {
                self.push(text);
            }
            (Quotes::Inside, _) => {
                self.partly_quoted_operand(text, purpose, |_, _| false, Self::double_quoted)
            }
            (Quotes::Unavailable, _) => {
                if !text.chars().all(|character| is_plain(character) && !is_operator(character, purpose)) {
                    return unprintable("a word in arithmetic that needs quotes");
                }
                self.push(text);
            }
        }
        Ok(())
    }

    /// A slash ends the pattern that is replaced, in old versions a quoted one too: it is escaped.
    fn partly_quoted_operand(
        &mut self,
        text: &str,
        purpose: Use,
        bare: impl Fn(usize, char) -> bool,
        quote: fn(&mut Self, &str),
    ) {
        let mut quoted_from = None;
        for (at, character) in text.char_indices() {
            let slash = character == '/' && purpose == Use::Replaced;
            if slash || bare(at, character) {
                if let Some(from) = quoted_from.take() {
                    quote(self, &text[from..at]);
                }
                if slash {
                    self.out.push('\\');
                }
                self.out.push(character);
            } else if quoted_from.is_none() {
                quoted_from = Some(at);
            }
        }
        if let Some(from) = quoted_from {
            quote(self, &text[from..]);
        }
    }

    /// Bash before 4.3 keeps quotes in a replacement within double quotes, so characters are escaped there.
    fn escaped(&mut self, text: &str, first: bool) -> Printed {
        for (at, character) in text.char_indices() {
            match character {
                '"' | '$' | '`' | '\\' => self.out.push('\\'),
                '\'' | '{' | '}' | '&' => {
                    return unprintable(format!("`{character}` in a replacement within double quotes"));
                }
                '~' if first && at == 0 => return unprintable("`~` in a replacement within double quotes"),
                _ if character.is_ascii_control() || !character.is_ascii() => {
                    return unprintable(
                        "a control character, or one that is not ASCII, in a replacement within double quotes",
                    );
                }
                _ => {}
            }
            self.out.push(character);
        }
        Ok(())
    }

    fn operand_double(&mut self, parts: &[Part], purpose: Use, quotes: Quotes, first: bool) -> Printed {
        match (quotes, purpose) {
            (Quotes::Outside, Use::Replaced) | (Quotes::Inside, _) => {}
            (Quotes::Outside, _) => return self.double(parts),
            (Quotes::Unavailable, _) => return unprintable("a word in arithmetic that needs quotes"),
        }
        if quotes == Quotes::Inside && purpose == Use::Replacement {
            return unprintable("double quotes in a replacement within double quotes");
        }
        for part in parts {
            if let Part::Quoted(text) = part {
                self.operand_quoted(text, purpose, quotes, first)?;
                continue;
            }
            self.out.push('"');
            self.expansion(part, Quotes::Inside)?;
            self.out.push('"');
        }
        if parts.is_empty() {
            self.push("\"\"");
        }
        Ok(())
    }

    pub(super) fn subscript(&mut self, subscript: &Subscript) -> Printed {
        let word = match subscript {
            Subscript::All => return self.brackets("@"),
            Subscript::Joined => return self.brackets(if self.document { "@" } else { "*" }),
            Subscript::Expression(word) => word,
        };
        self.out.push('[');
        let start = self.out.len();
        for part in &word.parts {
            self.subscript_part(part)?;
        }
        if matches!(&self.out[start..], "" | "@" | "*") {
            return unprintable("a subscript that is no expression");
        }
        self.out.push(']');
        Ok(())
    }

    fn brackets(&mut self, text: &str) -> Printed {
        self.out.push('[');
        self.push(text);
        self.out.push(']');
        Ok(())
    }

    fn subscript_part(&mut self, part: &Part) -> Printed {
        match part {
            Part::Text(text) | Part::Quoted(text) => {
                let bare = |character: char| {
                    is_plain(character)
                        || matches!(
                            character,
                            ' ' | '*' | '(' | ')' | '=' | '<' | '>' | '&' | '|' | '!' | '^' | '?'
                        )
                };
                if !text.chars().all(bare) {
                    return unprintable(format!("the subscript `{text}` needs quotes"));
                }
                self.push(text);
                Ok(())
            }
            Part::Double(parts) => parts.iter().try_for_each(|part| self.subscript_part(part)),
            part => self.inserted(part),
        }
    }
}

/// Whether a character at the beginning of a pattern, or within it, could be read as part of the operator.
fn is_operator(character: char, purpose: Use) -> bool {
    match purpose {
        Use::Text => false,
        Use::Pattern => matches!(character, '%' | ',' | '@'),
        Use::Replaced => matches!(character, '%' | '/'),
        Use::Replacement => character == '/',
    }
}

/// `${#-}`, `${!-x}` and the like are read in more than one way.
fn can_stand_with(parameter: &Parameter) -> bool {
    let Parameter { name, indirect, operation, .. } = parameter;
    let value = matches!(operation, Operation::Value);
    match name {
        Name::Variable(_) => true,
        Name::Positional(number) => {
            *number > 0
                && i32::try_from(*number).is_ok()
                && !matches!(operation, Operation::Names { .. } | Operation::Keys)
        }
        Name::Special('#') => value,
        Name::Special('!') => value && !indirect,
        Name::Special('@' | '*') => {
            !indirect && !matches!(operation, Operation::Names { .. } | Operation::Keys)
        }
        Name::Special('0') => !matches!(operation, Operation::Names { .. } | Operation::Keys),
        Name::Special('?' | '-' | '$') => {
            !indirect && (value || matches!(operation, Operation::Default { or_empty: true, .. }))
        }
        Name::Special(_) => false,
    }
}
