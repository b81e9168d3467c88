//! Brace expansion, where bash would expand. 3.5.1: it comes first of all expansions and works on the text of a word, so
//! what it joins may be another expansion than what was read; such words are errors.

use std::vec::IntoIter;

use super::cursor::{is_name, is_name_start};
use super::parts::push_text;
use super::word::Mark;
use super::{Parser, Read};
use crate::tree::{BraceItem, Name, Parameter, Part};

/// More braces and commas in one word are refused: the search looks at some of them more than once.
const MAX_MARKS: usize = 1_000;

/// What a mark does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Text,
    Open,
    Comma,
    Close,
    /// Begins a sequence, which ends at the next [`Action::Close`].
    Sequence,
}

impl Parser<'_> {
    /// The parts of a word that began at `start` with its braces expanded.
    pub(super) fn braces(
        &mut self,
        parts: Vec<Part>,
        marks: &[Mark],
        start: usize,
        refuse: bool,
    ) -> Read<Vec<Part>> {
        if marks.len() > MAX_MARKS {
            return Err(self.wrong("too many braces and commas in one word"));
        }
        let mut actions = vec![Action::Text; marks.len()];
        self.choose(marks, 0, marks.len(), start, &mut actions)?;
        if actions.iter().all(|action| *action == Action::Text) {
            return Ok(parts);
        }
        if refuse {
            return Err(self.wrong_at(start, "braces that would make several words of one"));
        }
        if self.unclear_for_braces || self.slice(start, self.at).contains("\\\n") {
            return Err(self.wrong_at(start, "quotes, braces or joined lines within a word with braces"));
        }
        self.check_borders(&parts, marks, &actions, start)?;
        let mut builder = Builder::new(parts, marks, actions);
        let mut out = Vec::new();
        builder.sequence(&mut out);
        tildes(&mut out).map_err(|()| self.wrong_at(start, "`~` beside braces"))?;
        Ok(out)
    }

    /// Finds the braces of the marks from `from` to `to` that are expanded. `begins` is where their text begins.
    fn choose(
        &mut self,
        marks: &[Mark],
        from: usize,
        to: usize,
        begins: usize,
        actions: &mut [Action],
    ) -> Read<()> {
        self.enter()?;
        let mut begins = begins;
        let mut at = from;
        while let Some(open) = marks.get(at).filter(|_| at < to) {
            let hidden = open.at == begins && self.byte(open.at + 1) == b'}';
            if open.byte != b'{' || hidden {
                at += 1;
                continue;
            }
            let Some((close, commas)) = self.close_brace(marks, at, to)? else {
                at += 1;
                continue;
            };
            let end = marks.get(close).map_or(self.at, |mark| mark.at);
            let text = self.slice(open.at + 1, end);
            if commas {
                self.brace_list(marks, at, close, actions)?;
            } else if text.contains(',') {
                return Err(self.wrong_at(open.at, "a brace expansion that is read in two ways"));
            } else if self.is_sequence(open.at, text)? {
                set(actions, at, Action::Sequence);
                set(actions, close, Action::Close);
            }
            begins = end + 1;
            at = close + 1;
        }
        self.leave();
        Ok(())
    }

    /// The `}` that ends the braces at `open`, and whether commas stand between them.
    fn close_brace(&self, marks: &[Mark], open: usize, to: usize) -> Read<Option<(usize, bool)>> {
        let mut level = 0_u32;
        let mut commas = false;
        let mut dots = false;
        let mut before = marks.get(open).map_or(0, |mark| mark.at + 1);
        for (index, mark) in marks.iter().enumerate().take(to).skip(open + 1) {
            if level == 0 && !dots && !commas {
                dots = self.has_dots(before, mark.at)?;
            }
            before = mark.at + 1;
            match mark.byte {
                b'{' => level += 1,
                b'}' if level > 0 => level -= 1,
                b'}' if commas || dots => return Ok(Some((index, commas))),
                b',' if level == 0 => commas = true,
                _ => {}
            }
        }
        Ok(None)
    }

    /// Whether an unquoted `..` stands there, and not right before the `}` at the end.
    fn has_dots(&self, from: usize, to: usize) -> Read<bool> {
        let text = self.slice(from, to);
        let Some(dots) = text.find("..") else { return Ok(false) };
        if text.get(..dots).unwrap_or_default().contains(['\'', '"', '`', '\\', '(']) {
            return Err(self.wrong_at(from, "quotes before `..` in braces"));
        }
        Ok(dots + 2 < text.len() || self.byte(to) != b'}')
    }

    fn brace_list(&mut self, marks: &[Mark], open: usize, close: usize, actions: &mut [Action]) -> Read<()> {
        set(actions, open, Action::Open);
        set(actions, close, Action::Close);
        let mut level = 0_u32;
        let mut from = open + 1;
        let mut begins = marks.get(open).map_or(0, |mark| mark.at + 1);
        for (index, mark) in marks.iter().enumerate().take(close).skip(open + 1) {
            match mark.byte {
                b'{' => level += 1,
                b'}' => level = level.saturating_sub(1),
                _ if level == 0 => {
                    set(actions, index, Action::Comma);
                    self.choose(marks, from, index, begins, actions)?;
                    from = index + 1;
                    begins = mark.at + 1;
                }
                _ => {}
            }
        }
        self.choose(marks, from, close, begins, actions)
    }

    /// Whether bash counts from one to the other.
    fn is_sequence(&self, at: usize, text: &str) -> Read<bool> {
        let mut terms = text.split("..");
        let (Some(first), Some(last)) = (terms.next(), terms.next()) else { return Ok(false) };
        let step = terms.next();
        if terms.next().is_some() || text.contains("...") {
            return Ok(false);
        }
        let Some(step) = step.map_or(Some(Some(1)), number) else { return Ok(false) };
        let letter = |text: &str| text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        let known = match (number(first), number(last)) {
            (Some(first), Some(last)) => {
                let (Some(first), Some(last), Some(_)) = (first, last, step) else {
                    return Err(self.wrong_at(at, "a number in a sequence is too large"));
                };
                let far = first.abs_diff(last) > 1_000_000;
                if far {
                    return Err(self.wrong_at(at, "a sequence of more than a million words"));
                }
                true
            }
            (None, None) if letter(first) && letter(last) => {
                let upper = |text: &str| text.bytes().all(|byte| byte.is_ascii_uppercase());
                if upper(first) != upper(last) {
                    return Err(self.wrong_at(at, "a sequence of letters of both cases has quotes in it"));
                }
                true
            }
            _ => false,
        };
        Ok(known)
    }

    /// Refuses `$x{a,b}`, which is `$xa $xb`, and its like.
    fn check_borders(&self, parts: &[Part], marks: &[Mark], actions: &[Action], start: usize) -> Read<()> {
        for (index, (mark, action)) in marks.iter().zip(actions).enumerate() {
            if *action == Action::Text || mark.at == start {
                continue;
            }
            let before = self.byte(mark.at - 1);
            let literal = mark.offset > 0 && before == b'$';
            let bare = mark.offset == 0
                && before != b'}'
                && mark.part.checked_sub(1).and_then(|part| parts.get(part)).is_some_and(is_variable);
            let joins = bare
                && self
                    .next_bytes(marks, actions, index)
                    .any(|byte| is_name(byte) || byte == b'{' || byte == b'}' || byte == b',');
            if literal || joins {
                return Err(self
                    .wrong_at(mark.at, "an expansion that braces would make another one: write `${name}`"));
            }
        }
        Ok(())
    }

    /// What may come to stand behind the text before a mark.
    fn next_bytes<'a>(
        &'a self,
        marks: &'a [Mark],
        actions: &'a [Action],
        index: usize,
    ) -> impl Iterator<Item = u8> + 'a {
        let opens = matches!(actions.get(index), Some(Action::Open | Action::Sequence));
        let mut level = 0_u32;
        let mut over = false;
        marks.iter().zip(actions).skip(index).filter_map(move |(mark, action)| {
            if over {
                return None;
            }
            let begins = match action {
                Action::Open | Action::Sequence => {
                    level += 1;
                    opens && level == 1
                }
                Action::Comma => opens && level == 1,
                Action::Close if opens => {
                    level -= 1;
                    over = level == 0;
                    false
                }
                Action::Close => {
                    over = level == 0;
                    level = level.saturating_sub(1);
                    over
                }
                Action::Text => false,
            };
            begins.then(|| if mark.at + 1 < self.at { self.byte(mark.at + 1) } else { 0 })
        })
    }
}

fn set(actions: &mut [Action], index: usize, action: Action) {
    if let Some(place) = actions.get_mut(index) {
        *place = action;
    }
}

/// A number of a sequence; the inner nothing is one that is too large.
#[expect(clippy::option_option, reason = "no number, one too large, one")]
fn number(text: &str) -> Option<Option<i64>> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().ok().filter(|number: &i64| number.unsigned_abs() < 1 << 40))
}

fn is_variable(part: &Part) -> bool {
    match part {
        Part::Parameter(parameter) => matches!(&**parameter, Parameter { name: Name::Variable(_), .. }),
        _ => false,
    }
}

/// Puts the parts of a word into its braces.
struct Builder<'m> {
    parts: IntoIter<Part>,
    /// What is left of the text that a mark stands in.
    rest: String,
    /// Which part `rest` is of, and how much of it is gone.
    part: usize,
    gone: usize,
    marks: std::iter::Zip<std::slice::Iter<'m, Mark>, IntoIter<Action>>,
}

impl<'m> Builder<'m> {
    fn new(parts: Vec<Part>, marks: &'m [Mark], actions: Vec<Action>) -> Self {
        Self {
            parts: parts.into_iter(),
            rest: String::new(),
            part: 0,
            gone: 0,
            marks: marks.iter().zip(actions),
        }
    }

    /// Goes on to the next mark that does something and over it. Nothing at the end.
    fn next(&mut self, out: &mut Vec<Part>) -> Option<Action> {
        loop {
            let Some((mark, action)) = self.marks.next() else {
                push_text(out, &std::mem::take(&mut self.rest));
                out.extend(self.parts.by_ref());
                return None;
            };
            if action == Action::Text {
                continue;
            }
            while self.part <= mark.part {
                push_text(out, &std::mem::take(&mut self.rest));
                self.gone = 0;
                match self.parts.next() {
                    Some(Part::Text(text)) => self.rest = text,
                    Some(part) => out.push(part),
                    None => return None,
                }
                self.part += 1;
            }
            let rest = self.rest.split_off(mark.offset.saturating_sub(self.gone));
            push_text(out, &std::mem::replace(&mut self.rest, rest));
            self.rest.remove(0);
            self.gone = mark.offset + 1;
            return Some(action);
        }
    }

    /// Parts up to a comma or a brace that closes, or the end.
    fn sequence(&mut self, out: &mut Vec<Part>) -> Option<Action> {
        loop {
            match self.next(out) {
                Some(Action::Open) => {
                    let mut items = Vec::new();
                    loop {
                        let mut item = Vec::new();
                        let end = self.sequence(&mut item);
                        items.push(BraceItem::Parts(item));
                        if end != Some(Action::Comma) {
                            break;
                        }
                    }
                    out.push(Part::Braces(items));
                }
                Some(Action::Sequence) => {
                    let mut text = Vec::new();
                    self.next(&mut text);
                    let text = super::parts::constant(&text).unwrap_or_default();
                    out.push(Part::Braces(vec![BraceItem::Sequence(text)]));
                }
                other => return other,
            }
        }
    }
}

/// Tilde prefixes at the beginning of the words that braces make.
fn tildes(parts: &mut Vec<Part>) -> Result<(), ()> {
    let empty = |item: &BraceItem| matches!(item, BraceItem::Parts(parts) if parts.is_empty());
    match parts.as_mut_slice() {
        [Part::Text(text), ..] if text.starts_with('~') && !text.contains('/') => Err(()),
        [Part::Braces(items), rest @ ..] => {
            let next_is_tilde = matches!(rest.first(), Some(Part::Text(text)) if text.starts_with('~'));
            if items.iter().any(empty)
                && (next_is_tilde || matches!(rest.first(), Some(Part::Braces(_))))
                && rest_has_tilde(rest)
            {
                return Err(());
            }
            let alone = rest.is_empty();
            for item in items {
                if let BraceItem::Parts(parts) = item {
                    tilde_of_item(parts, alone)?;
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn rest_has_tilde(rest: &[Part]) -> bool {
    rest.iter().any(|part| match part {
        Part::Text(text) => text.starts_with('~'),
        Part::Braces(items) => items.iter().any(|item| match item {
            BraceItem::Parts(parts) => rest_has_tilde(parts),
            BraceItem::Sequence(_) => false,
        }),
        _ => false,
    })
}

fn tilde_of_item(parts: &mut Vec<Part>, alone: bool) -> Result<(), ()> {
    match parts.as_mut_slice() {
        [Part::Text(text), rest @ ..] if text.starts_with('~') => {
            let (prefix, path) = match text.split_once('/') {
                Some((prefix, _)) => (prefix.len(), text.split_off(prefix.len())),
                None if alone && rest.is_empty() => (text.len(), String::new()),
                None => return Err(()),
            };
            let name = text.get(1..prefix).unwrap_or_default();
            if !name.bytes().all(|byte| is_name_start(byte) || is_name(byte) || b".+-".contains(&byte)) {
                return Err(());
            }
            let tilde = Part::Tilde(name.to_owned());
            if path.is_empty() {
                parts.splice(0..1, [tilde]);
            } else {
                parts.splice(0..1, [tilde, Part::Text(path)]);
            }
            Ok(())
        }
        all @ [Part::Braces(_), ..] if rest_has_tilde(all) => Err(()),
        _ => Ok(()),
    }
}
