//! What the words of a query are: its topic, or content of the wish (a quoted text, a time, somebody's name), which says little of
//! the tool that is wanted; and what the kinds of content hint at. Knows no index.

use super::lexicon::Lexicon;
use super::words::{Word, all_words, is_unspaced};

/// A word of a query.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) word: Word<'static>,
    pub(super) part: Part,
}

/// What part a word plays in a wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// What is to be done, and with what.
    Topic,
    /// What is told or looked for: what follows `that` or `about`.
    Told,
    /// Names, times, quoted text.
    Content,
}

/// A query, read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) words: Vec<Said>,
    /// Words for what content hints at.
    pub(super) hints: Vec<&'static str>,
    /// Whether something is asked rather than wanted done.
    pub(super) question: bool,
}

/// Words that are read: who says more says no more of the tool.
const MOST_WORDS: usize = 64;
/// Marks that a quoted text stands between.
const QUOTES: [char; 6] = ['"', '“', '”', '„', '«', '»'];
/// Endings of names of files that say more than that it is one.
const TELLING: [&str; 8] = ["pdf", "csv", "xlsx", "xls", "docx", "png", "svg", "md"];
/// Other endings of names of files.
const ENDINGS: [&str; 22] = [
    "txt", "json", "yaml", "yml", "toml", "xml", "html", "css", "js", "ts", "py", "rs", "go", "java", "c",
    "log", "jpg", "jpeg", "gif", "mp4", "zip", "ini",
];

/// What leads to what is told.
const TELL: [&str; 8] =
    ["about", "saying", "mentioning", "called", "named", "regarding", "titled", "matching"];
/// What a question begins with.
const ASKING: [&str; 20] = [
    "what", "what's", "whats", "who", "who's", "which", "when", "where", "why", "how", "did", "does", "do",
    "is", "are", "was", "were", "has", "have", "am",
];

/// Whether a query asks rather than wants something done.
fn is_question(query: &str) -> bool {
    let first = query.split_whitespace().next().unwrap_or_default().to_lowercase();
    ASKING.contains(&first.as_str())
}

/// Reads a query.
pub(super) fn read(lexicon: &Lexicon, query: &str) -> Reading {
    let mut reading = Reading { question: is_question(query), ..Reading::default() };
    let mut part = Part::Topic;
    for (number, text) in query.split(QUOTES).enumerate() {
        // What is opened and not closed is no quotation.
        let quoted = number % 2 == 1 && query.matches(QUOTES).count() > number;
        text.split_whitespace().for_each(|token| part = reading.token(lexicon, token, quoted, part));
    }
    if reading.words.iter().all(|said| said.part == Part::Content || said.word.empty) {
        reading.words.iter_mut().for_each(|said| said.part = Part::Topic);
    }
    reading
}

impl Reading {
    /// Takes a token, and says what part those behind it play.
    fn token(&mut self, lexicon: &Lexicon, token: &str, quoted: bool, part: Part) -> Part {
        let ends = token.ends_with([',', ';', ':', '.', '!', '?']);
        let before = self.words.len();
        if before >= MOST_WORDS {
            return part;
        }
        let token = token.trim_matches(|character: char| ",;:!?.()[]'".contains(character));
        // `don't send` has a `not` in it.
        if token.ends_with("n't") || token.ends_with("n’t") {
            self.words.extend(all_words("not").map(|word| Said { word, part }));
            return part;
        }
        let hint = hint(token);
        self.hints.extend(hint);
        let words = all_words(token).flat_map(|word| segmented(lexicon, word.into_owned()));
        let room = MOST_WORDS.saturating_sub(before);
        for word in words.flat_map(|word| written_out(lexicon, word)).take(room) {
            let telling = TELLING.contains(&word.form.as_ref());
            let content = !telling && (quoted || hint.is_some() || token.starts_with('@'));
            let content = content || lexicon.is_faint(&word.stem) || is_measure(&word.form);
            self.words.push(Said { word, part: if content { Part::Content } else { part } });
        }
        // Where a link leads is no topic at all.
        if hint == Some("url") {
            self.words.truncate(before);
        }
        let says_something = self.words.iter().any(|said| !said.word.empty);
        match token.to_lowercase().as_str() {
            _ if ends || !says_something => Part::Topic,
            "and" | "then" | "or" | "but" => Part::Topic,
            token if TELL.contains(&token) => Part::Told,
            _ => part,
        }
    }
}

/// What a token's form hints at.
fn hint(token: &str) -> Option<&'static str> {
    if token.contains("://") || token.starts_with("www.") {
        return Some("url");
    }
    if token.strip_prefix('#').is_some_and(|name| name.starts_with(char::is_alphabetic)) {
        return Some("channel");
    }
    if is_clock(token) {
        return Some("event");
    }
    let (name, ending) = token.rsplit_once('.')?;
    let ending = ending.to_lowercase();
    let ends = TELLING.contains(&ending.as_str()) || ENDINGS.contains(&ending.as_str());
    (ends && !name.is_empty()).then_some("file")
}

/// `3pm`, `10:30`, `9:15am`.
fn is_clock(token: &str) -> bool {
    let token = token.to_ascii_lowercase();
    let half = token.strip_suffix("am").or_else(|| token.strip_suffix("pm"));
    let digits = half.unwrap_or(&token);
    let is_number =
        |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    match digits.split_once(':') {
        Some((hour, minute)) => is_number(hour) && is_number(minute),
        None => half.is_some() && is_number(digits),
    }
}

/// A number with its unit: `30min`, `5km`.
fn is_measure(form: &str) -> bool {
    form.starts_with(|first: char| first.is_ascii_digit()) && form.len() > 1
}

/// An abbreviation is what it is written for.
fn written_out(lexicon: &Lexicon, word: Word<'static>) -> Vec<Word<'static>> {
    lexicon.written_for(&word.stem).map_or_else(|| vec![word], <[Word<'_>]>::to_vec)
}

/// A run of a script without spaces is the known words in it, or itself.
fn segmented(lexicon: &Lexicon, word: Word<'static>) -> Vec<Word<'static>> {
    if !word.form.chars().any(is_unspaced) {
        return vec![word];
    }
    let end = word.form.char_indices().nth(MOST_WORDS).map_or(word.form.len(), |(end, _)| end);
    let segments = lexicon.segments(word.form.get(..end).unwrap_or(&word.form));
    if segments.is_empty() {
        return vec![word];
    }
    let known = |segment: &str| Word {
        form: segment.to_owned().into(),
        stem: segment.to_owned().into(),
        empty: false,
    };
    segments.into_iter().map(known).collect()
}

#[cfg(test)]
mod tests {
    use super::{Lexicon, Part, read};

    #[test]
    fn content_is_told_from_topic() {
        let check = |query: &str, topic: &[&str], hints: &[&str]| {
            let reading = read(Lexicon::get(), query);
            let said = reading.words.iter().filter(|said| said.part != Part::Content && !said.word.empty);
            let words: Vec<_> = said.map(|said| said.word.form.as_ref()).collect();
            assert_eq!((words.as_slice(), reading.hints.as_slice()), (topic, hints), "{query}");
        };
        check("add \"call the printer\" to my project", &["add", "project"], &[]);
        check("\"read file\"", &["read", "file"], &[]);
        check("open https://example.com/issues?x=1", &["open"], &["url"]);
        check("tell #deploys it is live", &["tell", "live"], &["channel"]);
        check("put report.pdf on the desk", &["put", "pdf", "desk"], &["file"]);
        check("meet at 10:30 on tuesday", &["meet"], &["event"]);
        check("tomorrow", &["tomorrow"], &[]);
        check("5\" screen", &["screen"], &[]);
    }
}
