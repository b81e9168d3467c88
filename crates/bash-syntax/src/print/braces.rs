//! Brace expansions. Steps and leading zeros came with bash 4, so such sequences are printed as lists.

use super::word::Place;
use super::{Printed, Printer, unprintable};
use crate::tree::BraceItem;

/// The longest list that a sequence is printed as.
const LONGEST: usize = 10_000;

impl Printer {
    pub(super) fn braces(&mut self, items: &[BraceItem], place: Place) -> Printed {
        if let [BraceItem::Sequence(sequence)] = items {
            self.sequence(sequence)?;
            self.braces_end = self.out.len();
            return Ok(());
        }
        if items.len() < 2 {
            return unprintable("braces around one word");
        }
        for (index, item) in items.iter().enumerate() {
            self.out.push(if index == 0 { '{' } else { ',' });
            match item {
                BraceItem::Parts(parts) => {
                    // The first piece of the word no longer stands at its beginning.
                    let place = if place == Place::Name { Place::Argument } else { place };
                    self.deeper(|printer| printer.item(parts, place))?;
                }
                BraceItem::Sequence(_) => return unprintable("a sequence in braces beside other words"),
            }
        }
        self.out.push('}');
        self.braces_end = self.out.len();
        Ok(())
    }

    /// A comma in an element would separate two.
    fn item(&mut self, parts: &[crate::tree::Part], place: Place) -> Printed {
        let bare = |part: &crate::tree::Part| matches!(part, crate::tree::Part::Text(text) if text.contains(',') || text.contains(".."));
        if parts.iter().any(bare) {
            return unprintable("a comma or `..` in an element of braces");
        }
        self.parts(parts, place)
    }

    fn sequence(&mut self, sequence: &str) -> Printed {
        let mut pieces = sequence.split("..");
        let (Some(first), Some(last)) = (pieces.next(), pieces.next()) else {
            return unprintable(format!("`{{{sequence}}}` is no sequence"));
        };
        let step = pieces.next();
        if pieces.next().is_some() {
            return unprintable(format!("`{{{sequence}}}` is no sequence"));
        }
        let unknown = || unprintable(format!("not every bash expands `{{{sequence}}}` in the same way"));
        let step_by = match step.map(number) {
            None => 1,
            Some(Some(step)) => step.unsigned_abs().max(1),
            Some(None) => return unknown(),
        };
        if let (Some(from), Some(to)) = (number(first), number(last)) {
            let width =
                if [first, last].into_iter().any(is_padded) { first.len().max(last.len()) } else { 0 };
            if step.is_none() && width == 0 {
                self.push(&format!("{{{from}..{to}}}"));
                return Ok(());
            }
            let numbers = steps(i64::from(from), i64::from(to), i64::from(step_by));
            return self.listed(numbers.map(|number| format!("{number:0width$}")));
        }
        if let (Some(from), Some(to)) = (letter(first), letter(last))
            && from.is_ascii_lowercase() == to.is_ascii_lowercase()
        {
            if step.is_none() {
                self.push(&format!("{{{}..{}}}", char::from(from), char::from(to)));
                return Ok(());
            }
            let letters = steps(i64::from(from), i64::from(to), i64::from(step_by));
            return self.listed(
                letters.filter_map(|code| u8::try_from(code).ok()).map(|code| char::from(code).to_string()),
            );
        }
        unknown()
    }

    fn listed(&mut self, items: impl Iterator<Item = String>) -> Printed {
        let items: Vec<String> = items.take(LONGEST + 1).collect();
        match items.as_slice() {
            [item] => self.push(item),
            items if items.len() > LONGEST => {
                return unprintable("a sequence in braces that is too long to be listed");
            }
            items => {
                self.out.push('{');
                self.push(&items.join(","));
                self.out.push('}');
            }
        }
        Ok(())
    }
}

fn steps(from: i64, to: i64, step: i64) -> impl Iterator<Item = i64> {
    let count = (to - from).abs() / step;
    let step = if to < from { -step } else { step };
    (0..=count).map(move |index| from + index * step)
}

/// A decimal number that every version reads: within 32 bits.
fn number(text: &str) -> Option<i32> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    decimal.then(|| text.parse().ok()).flatten()
}

fn is_padded(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.len() > 1 && digits.starts_with('0') || text == "-0"
}

fn letter(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(*letter),
        _ => None,
    }
}
