//! Words: what they expand to as far as that can be known, and the commands hidden in them.

use std::rc::Rc;

use toolwright_bash_syntax::tree::{Name, Operation, Parameter, Part, Word};

use crate::state::{MOST_VALUES, Value, Variable};
use crate::walk::{SUBSTITUTION, Walk};
use crate::{Names, braces};

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
    /// A file somewhere below the folder in `text`, which its name begins with.
    pub(crate) found: bool,
    /// For git: what it is, with `HEAD` in the place of names of commits that are not known.
    pub(crate) revision: Option<Rc<str>>,
    /// What is not known of it may be a pattern: where it is split, bash lists the folder that it names.
    pub(crate) wild: bool,
    /// What is not known of it is a number, a date or the like, with nothing behind it that makes a name of a file of it.
    pub(crate) figures: bool,
}

impl Token {
    fn empty() -> Self {
        Self {
            text: String::new(),
            exact: true,
            glob: false,
            splits: false,
            found: false,
            revision: None,
            wild: false,
            figures: false,
        }
    }

    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::empty() }
    }

    /// One word that is not known.
    pub(crate) fn unknown_word() -> Self {
        Self { exact: false, wild: true, ..Self::empty() }
    }

    /// One that is not known, and holds no sign that stands in a pattern.
    pub(crate) fn unknown_plain() -> Self {
        Self { wild: false, ..Self::unknown_word() }
    }

    /// A number that is not known.
    pub(crate) fn number() -> Self {
        Self { figures: true, ..Self::unknown_plain() }
    }

    /// Words that are not known, and that no shell expands: from elsewhere, or numbers.
    pub(crate) fn handed_words() -> Self {
        Self { wild: false, ..Self::unknown_words() }
    }

    /// Whether bash may list a folder for it, of which nothing is known.
    pub(crate) fn lists_any(&self) -> bool {
        self.splits && self.wild
    }

    /// `below` ends with a slash.
    pub(crate) fn found(below: &str) -> Self {
        Self { text: below.into(), exact: false, found: true, ..Self::empty() }
    }

    /// The hexadecimal name of a commit.
    fn commit() -> Self {
        Self { revision: Some(COMMIT.into()), ..Self::number() }
    }

    /// What git takes it for, as far as that is known.
    fn as_revision(&self) -> Option<Rc<str>> {
        self.revision.clone().or_else(|| self.literal().map(Rc::from))
    }

    pub(crate) fn unknown_words() -> Self {
        Self { splits: true, ..Self::unknown_word() }
    }

    /// The text, where it is one known word.
    pub(crate) fn literal(&self) -> Option<&str> {
        (self.exact && !self.glob && !self.splits).then_some(self.text.as_str())
    }
}

/// Stands for a commit whose name is not known.
const COMMIT: &str = "HEAD";

/// Everything a word may become: each of these is the words of one way.
pub(crate) type Ways = Vec<Vec<Token>>;

/// More words than these from one are not followed.
const MOST_WORDS: usize = 64;
/// A longer value is not known.
const LONGEST_VALUE: usize = 4_096;
/// Bytes of known text put together in one analysis; what comes after is not known. A variable that doubles itself would fill
/// the memory.
const MOST_TEXT: usize = 512 << 10;
/// Words that one analysis makes of others by braces and splitting; what comes after is not known.
const MOST_WORDS_MADE: usize = 16_384;

/// Where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Among the words of a command: it is split and globbed.
    Command,
    /// In quotes, or where bash neither splits nor globs: the value of an assignment, a pattern.
    Whole,
}

impl Walk<'_> {
    /// What an argument may become. Commands in it are walked.
    pub(crate) fn word(&mut self, word: &Word) -> Ways {
        let mut ways = match word.parts.as_slice() {
            [Part::Parameter(parameter)] => self.split(parameter),
            _ => None,
        }
        .unwrap_or_else(|| self.parts(&word.parts, Place::Command));
        // Where nothing is left of an expansion that is the whole of a word, there is no word.
        if let [Part::Parameter(_) | Part::Command(_)] = word.parts.as_slice()
            && ways.iter().flatten().any(|token| token.revision.is_some())
        {
            ways.iter_mut().filter(|way| **way == [Token::empty()]).for_each(Vec::clear);
        }
        let made = ways.iter().map(Vec::len).sum::<usize>().saturating_sub(1);
        self.words_made += made;
        if made > 0 && self.words_made > MOST_WORDS_MADE {
            ways = alone(vec![Token::unknown_words()]);
        }
        // The test program's name is no glob.
        let names = ways.iter_mut().flatten().filter(|token| token.text == "[" && token.exact);
        names.for_each(|token| token.glob = false);
        ways
    }

    /// A known variable that is the whole of a word: bash splits its value at blanks, and none is left of an empty one.
    fn split(&mut self, parameter: &Parameter) -> Option<Ways> {
        let Name::Variable(name) = &parameter.name else { return None };
        let plain = parameter.subscript.is_none()
            && !parameter.indirect
            && parameter.operation == Operation::Value
            && self.state.get("IFS").is_none()
            && !self.unsteady;
        let Some(Variable::OneOf(values)) = self.state.get(name).filter(|_| plain) else { return None };
        let values = Rc::clone(values);
        let blanks = |value: &Value| value.text.contains([' ', '\t', '\n']) || value.text.is_empty();
        if !values.iter().any(blanks) || values.iter().any(|value| value.glob) {
            return None;
        }
        let words = |value: &Value| {
            let words = value.text.split([' ', '\t', '\n']).filter(|word| !word.is_empty());
            words.take(MOST_WORDS + 1).flat_map(|word| substituted(word, false)).flatten().collect()
        };
        let ways: Ways = values.iter().map(words).collect();
        let length: usize = ways.iter().flatten().map(|token| token.text.len()).sum();
        self.text_made += length;
        let fits = self.text_made <= MOST_TEXT && ways.iter().all(|way| way.len() <= MOST_WORDS);
        fits.then_some(ways)
    }

    /// What a word may become where it is neither split nor globbed: one word each way.
    pub(crate) fn value(&mut self, word: &Word) -> Vec<Token> {
        self.whole(&word.parts)
    }

    fn whole(&mut self, parts: &[Part]) -> Vec<Token> {
        let ways = self.parts(parts, Place::Whole);
        ways.into_iter()
            .map(|mut way| match (way.pop(), way.is_empty()) {
                (Some(only), true) => only,
                _ => Token::unknown_word(),
            })
            .collect()
    }

    pub(crate) fn parts(&mut self, parts: &[Part], place: Place) -> Ways {
        if let [part] = parts {
            let mut found = self.nested_word(|walk| walk.part_of_word(part, place));
            if let [way] = found.as_mut_slice()
                && let [token] = way.as_mut_slice()
            {
                self.text_made += token.text.len();
                if self.text_made > MOST_TEXT {
                    token.text.clear();
                    token.exact = false;
                }
                return found;
            }
            let mut ways = vec![vec![Token::empty()]];
            self.append(&mut ways, found);
            return ways;
        }
        let mut ways = vec![vec![Token::empty()]];
        for part in parts {
            let mut found = self.nested_word(|walk| walk.part_of_word(part, place));
            if parts.len() > 1 && matches!(part, Part::Process { .. }) {
                // Which file the text and the descriptor's name make together is not known.
                found = alone(vec![Token::unknown_word()]);
            }
            self.append(&mut ways, found);
        }
        ways
    }

    /// Each way so far with each of those found, their words put together.
    fn append(&mut self, ways: &mut Ways, found: Ways) {
        if let ([only], [single]) = (ways.as_mut_slice(), found.as_slice())
            && let ([token], [more]) = (only.as_mut_slice(), single.as_slice())
        {
            return self.join(token, more);
        }
        let words = |ways: &Ways| ways.iter().map(Vec::len).max().unwrap_or_default();
        if ways.len().saturating_mul(found.len()) > MOST_VALUES || words(ways) * words(&found) > MOST_WORDS {
            *ways = vec![vec![Token::unknown_words()]];
            return;
        }
        let mut all = Vec::new();
        for way in ways.iter() {
            for more in &found {
                let mut words = Vec::new();
                for token in way {
                    for after in more {
                        let mut word = token.clone();
                        self.join(&mut word, after);
                        words.push(word);
                    }
                }
                all.push(words);
            }
        }
        *ways = all;
    }

    fn join(&mut self, token: &mut Token, more: &Token) {
        self.text_made += more.text.len();
        let fits = self.text_made <= MOST_TEXT;
        let of_git = token.revision.is_some() || more.revision.is_some();
        let as_revision = if of_git { token.as_revision() } else { None };
        if token.exact && fits {
            token.text.push_str(&more.text);
        }
        token.revision = match (&token.revision, &more.revision) {
            (None, None) => None,
            _ => as_revision.zip(more.as_revision()).map(|(before, after)| [before, after].concat().into()),
        };
        token.figures = match (token.exact, more.exact) {
            (true, _) => more.figures,
            (false, true) => token.figures && !more.glob && more.text.chars().all(is_part_of_figures),
            (false, false) => token.figures && more.figures,
        };
        token.exact &= more.exact && fits;
        token.found = false;
        token.glob |= more.glob;
        token.splits |= more.splits;
        token.wild |= more.wild;
    }

    fn part_of_word(&mut self, part: &Part, place: Place) -> Ways {
        let quoted = place == Place::Whole;
        match part {
            Part::Text(text) => {
                let glob = !quoted && text.contains(['*', '?', '[']);
                vec![vec![Token { glob, ..Token::plain(text.clone()) }]]
            }
            Part::Quoted(text) => vec![vec![Token::plain(text.clone())]],
            Part::Double(parts) => self.double(parts),
            Part::Tilde(prefix) => alone(self.tilde(prefix)),
            Part::Parameter(parameter) => self.parameter(parameter, quoted),
            Part::Command(script) => {
                self.separately(|walk| walk.script(script));
                match self.top_of_repository(script).or_else(|| self.folder_printed(script)) {
                    Some(folder) => substituted(&folder, quoted),
                    None if crate::scripts::prints_commit(script) => {
                        alone(vec![Token::commit(), Token::empty()])
                    }
                    None if let Some(text) = self.printed_text(script) => {
                        substituted(text.trim_end_matches('\n'), quoted)
                    }
                    None => {
                        let figures = !self.changes_state && crate::scripts::prints_figures(script);
                        let wild = !figures && !crate::scripts::prints_no_pattern(script);
                        alone(vec![Token { wild, figures, ..unknown(quoted) }])
                    }
                }
            }
            Part::Arithmetic(expression) => {
                self.arithmetic(expression);
                // A number: one word, no flag of any program but with its sign.
                alone(vec![Token::number()])
            }
            Part::Process { script, .. } => {
                self.separately(|walk| walk.script(script));
                vec![vec![Token::plain(SUBSTITUTION)]]
            }
            Part::Braces(items) => {
                let words = items.iter().map(|item| self.brace_item(item, place)).collect::<Option<Vec<_>>>();
                // Every item is a word of its own.
                let mut ways = vec![Vec::new()];
                for more in words.unwrap_or_else(|| vec![vec![vec![Token::unknown_words()]]]) {
                    let several = ways.len().saturating_mul(more.len()) > MOST_VALUES;
                    let long = ways.first().map_or(0, Vec::len) > MOST_WORDS;
                    if several || long {
                        return vec![vec![Token::unknown_words()]];
                    }
                    ways = ways
                        .iter()
                        .flat_map(|way: &Vec<Token>| more.iter().map(|next| [way.as_slice(), next].concat()))
                        .collect();
                }
                ways
            }
        }
    }

    fn double(&mut self, parts: &[Part]) -> Ways {
        let mut ways = self.parts(parts, Place::Whole);
        // `"$@"` and `"${a[@]}"` are as many words as there are elements.
        let all =
            |part: &Part| matches!(part, Part::Parameter(parameter) if crate::parameter::is_list(parameter));
        if parts.iter().any(all) {
            ways.iter_mut().flatten().for_each(|token| token.splits = true);
        }
        // A name that a loop took from a glob is not expanded again; with what is not known behind it, nothing of it is.
        let open = ways.iter_mut().flatten().filter(|token| token.glob && !token.exact);
        open.for_each(|token| *token = unknown(!token.splits));
        ways
    }

    fn brace_item(&mut self, item: &toolwright_bash_syntax::tree::BraceItem, place: Place) -> Option<Ways> {
        use toolwright_bash_syntax::tree::BraceItem;
        match item {
            BraceItem::Parts(parts) => Some(self.parts(parts, place)),
            BraceItem::Sequence(text) => match braces::sequence(text) {
                Some(words) => Some(vec![words.into_iter().map(Token::plain).collect()]),
                None => braces::is_of_numbers(text)
                    .then(|| vec![vec![Token { figures: true, ..Token::handed_words() }]]),
            },
        }
    }

    fn tilde(&mut self, prefix: &str) -> Vec<Token> {
        match prefix {
            "" if self.state.get("HOME").is_none() => {
                let home = self.place.home.as_deref().and_then(|home| home.to_str());
                vec![home.map_or_else(Token::unknown_word, Token::plain)]
            }
            "+" => self.variable("PWD", true).into_iter().flatten().collect(),
            _ => vec![Token::unknown_word()],
        }
    }

    /// What is known of a variable's value.
    pub(crate) fn variable(&mut self, name: &str, quoted: bool) -> Ways {
        self.expands(name);
        let value = if self.unsteady { Some(&Variable::Unknown) } else { self.state.get(name) };
        match value {
            Some(Variable::OneOf(values)) if !values.is_empty() => {
                let values = Rc::clone(values);
                values.iter().flat_map(|value| self.given(value, quoted)).collect()
            }
            Some(Variable::Commit) => alone(vec![Token::commit(), Token::empty()]),
            Some(Variable::Number) => alone(vec![Token::number()]),
            Some(Variable::Figures) => alone(vec![Token { wild: false, figures: true, ..unknown(quoted) }]),
            Some(Variable::Plain) => alone(vec![Token { wild: false, ..unknown(quoted) }]),
            Some(_) => alone(vec![unknown(quoted)]),
            None => {
                let folder = self.state.folders.clone();
                let standing = match name {
                    "PWD" => folder.as_deref().and_then(|folders| match folders.as_slice() {
                        [only] => only.to_str(),
                        _ => None,
                    }),
                    "HOME" => self.place.home.as_deref().and_then(|home| home.to_str()),
                    _ => None,
                };
                // What tells of the machine is as it was handed to the shell.
                let wild = !crate::names::is_harmless(name);
                let figures = crate::names::is_always_number(name) || crate::names::tells_of_machine(name);
                let unknown = || alone(vec![Token { wild, figures, ..unknown(quoted) }]);
                standing.map_or_else(unknown, |value| substituted(value, quoted))
            }
        }
    }

    /// A known value in its place: unquoted it is split and globbed. One of the names of a glob is so too, and the host looks
    /// whether that makes a difference.
    fn given(&mut self, value: &Value, quoted: bool) -> Ways {
        if value.glob && !quoted {
            if value.text.contains("**") {
                return alone(vec![unknown(false)]);
            }
            self.taken_for_words(&value.text, Names::Meant);
        }
        if !quoted && self.is_split_at_others(&value.text) {
            return alone(vec![unknown(false)]);
        }
        let mut ways = substituted(&value.text, quoted);
        if value.glob {
            ways.iter_mut().flatten().for_each(|token| token.glob = true);
        }
        ways
    }

    /// Whether the script gave `IFS` characters at which bash splits this text, or may have.
    fn is_split_at_others(&self, text: &str) -> bool {
        match self.state.get("IFS") {
            None => false,
            Some(Variable::OneOf(values)) => {
                values.iter().any(|value| text.contains(|one| value.text.contains(one)))
            }
            Some(_) => !text.is_empty(),
        }
    }

    /// What a variable is known to be after it was given one of these.
    pub(crate) fn known(tokens: &[Token]) -> Variable {
        let is_commit = |token: &Token| token.revision.as_deref() == Some(COMMIT);
        if tokens.iter().any(is_commit)
            && tokens.iter().all(|token| is_commit(token) || *token == Token::empty())
        {
            return Variable::Commit;
        }
        let fits = |token: &Token| token.exact && !token.splits && token.text.len() <= LONGEST_VALUE;
        if tokens.is_empty() || tokens.len() > MOST_VALUES || !tokens.iter().all(fits) {
            let plain = |token: &Token| !token.exact && !token.wild && !token.glob && token.text.is_empty();
            return match () {
                () if tokens.is_empty() || !tokens.iter().all(plain) => Variable::Unknown,
                () if tokens.iter().all(|token| token.figures) => Variable::Figures,
                () => Variable::Plain,
            };
        }
        let value = |token: &Token| Value { text: token.text.as_str().into(), glob: token.glob };
        Variable::OneOf(Rc::new(tokens.iter().map(value).collect()))
    }
}

/// What may stand behind a number and leaves it one, as far as names of files go: `10s`, `2024-01`.
fn is_part_of_figures(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | ':' | '%')
}

fn substituted(value: &str, quoted: bool) -> Ways {
    if quoted {
        return vec![vec![Token::plain(value)]];
    }
    if value.contains([' ', '\t', '\n']) || value.is_empty() {
        return alone(vec![unknown(false)]);
    }
    vec![vec![Token { glob: value.contains(['*', '?', '[', '\\']), ..Token::plain(value) }]]
}

pub(crate) fn unknown(quoted: bool) -> Token {
    Token { splits: !quoted, ..Token::unknown_word() }
}

/// Ways of one word each.
pub(crate) fn alone(tokens: Vec<Token>) -> Ways {
    tokens.into_iter().map(|token| vec![token]).collect()
}
