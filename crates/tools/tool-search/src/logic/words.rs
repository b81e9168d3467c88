//! Text into words that compare equal where they mean the same: split at case, marks and scripts, lower case, accents and
//! endings taken off. Knows no meaning but which words have none.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word<'text> {
    /// In lower case, without accents.
    pub(super) form: Cow<'text, str>,
    /// Without its ending. Not a word of any language in the end, but the same for the forms of one.
    pub(super) stem: Cow<'text, str>,
    /// It says nothing of what a tool does.
    pub(super) empty: bool,
}

impl Word<'_> {
    pub(super) fn into_owned(self) -> Word<'static> {
        Word {
            form: Cow::Owned(self.form.into_owned()),
            stem: Cow::Owned(self.stem.into_owned()),
            empty: self.empty,
        }
    }
}

/// The stem of a word in lower case.
pub(super) fn stem_of(form: &str) -> String {
    stem(form).into_owned()
}

/// A way of writing that puts no space between words.
pub(super) fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// The words of `text`, in order. A run of a script without spaces is one word.
pub(super) fn all_words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.split(|character: char| !character.is_alphanumeric()).flat_map(pieces).map(|piece| word(fold(piece)))
}

/// The parts of a run of letters that are words of their own.
fn pieces(run: &str) -> Vec<&str> {
    // Most runs are a word as it is.
    if run.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return if run.is_empty() { Vec::new() } else { vec![run] };
    }
    // So are many of what is written in capitals: `PRs`.
    if run
        .strip_suffix('s')
        .is_some_and(|one| one.len() > 1 && one.bytes().all(|byte| byte.is_ascii_uppercase()))
    {
        return vec![run];
    }
    split_scripts(run).into_iter().flat_map(split_case).collect()
}

/// The stems of the words of `text` that say something, in order; of scripts without spaces, each pair of characters.
pub(super) fn stems(text: &str) -> impl Iterator<Item = String> {
    all_words(text).filter(|word| !word.empty).flat_map(|word| {
        if word.form.chars().any(is_unspaced) { pairs(&word.form) } else { vec![word.stem.into_owned()] }
    })
}

/// Each two characters that stand beside each other; a lone one by itself.
pub(super) fn pairs(run: &str) -> Vec<String> {
    let characters: Vec<char> = run.chars().collect();
    match characters.as_slice() {
        [_] => vec![run.to_owned()],
        characters => characters.windows(2).map(|pair| pair.iter().collect()).collect(),
    }
}

fn word(form: Cow<'_, str>) -> Word<'_> {
    static EMPTY: LazyLock<HashSet<Cow<'_, str>>> = LazyLock::new(|| {
        let lines = include_str!("../../lexicon/empty.txt").lines().filter(|line| !line.starts_with('#'));
        lines.flat_map(|line| line.split([' ', '\''])).map(fold).collect()
    });
    let number = form.bytes().all(|byte| byte.is_ascii_digit());
    let empty = number || EMPTY.contains(&form);
    match form {
        Cow::Borrowed(form) => Word { form: Cow::Borrowed(form), stem: stem(form), empty },
        Cow::Owned(form) => {
            Word { stem: Cow::Owned(stem(&form).into_owned()), form: Cow::Owned(form), empty }
        }
    }
}

/// Lower case, and the plain letter for one with a mark.
fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        let changes = text.bytes().any(|byte| byte.is_ascii_uppercase());
        return if changes { Cow::Owned(text.to_ascii_lowercase()) } else { Cow::Borrowed(text) };
    }
    let mut folded = String::with_capacity(text.len());
    for character in text.chars().flat_map(char::to_lowercase) {
        match character {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => folded.push('a'),
            'ç' | 'ć' | 'č' => folded.push('c'),
            'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' => folded.push('e'),
            'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' => folded.push('i'),
            'ł' => folded.push('l'),
            'ñ' | 'ń' | 'ň' => folded.push('n'),
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => folded.push('o'),
            'ś' | 'š' | 'ş' => folded.push('s'),
            'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ű' | 'ů' => folded.push('u'),
            'ý' | 'ÿ' => folded.push('y'),
            'ź' | 'ż' | 'ž' => folded.push('z'),
            'ё' => folded.push('е'),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            // What a lower case of its own leaves behind: a dot above.
            '\u{307}' => {}
            other => folded.push(other),
        }
    }
    Cow::Owned(folded)
}

/// `githubのissue` is `github`, `の`, `issue`.
fn split_scripts(word: &str) -> Vec<&str> {
    cut_where(word, |_, before, here, _| is_unspaced(before) != is_unspaced(here))
}

/// `createIssueV2` is `create Issue V2`, `HTTPServer` is `HTTP Server`.
fn split_case(word: &str) -> Vec<&str> {
    cut_where(word, |_, before, here, next| {
        here.is_uppercase() && (!before.is_uppercase() || next.is_some_and(char::is_lowercase))
    })
}

/// Cuts before each character that `begins` a piece, told its place, the one before it and the one after it.
fn cut_where(word: &str, begins: impl Fn(usize, char, char, Option<char>) -> bool) -> Vec<&str> {
    let characters: Vec<(usize, char)> = word.char_indices().collect();
    let mut pieces = Vec::new();
    let mut start = 0;
    for (index, pair) in characters.windows(2).enumerate() {
        let [(_, before), (at, here)] = pair else { continue };
        let next = characters.get(index + 2).map(|(_, next)| *next);
        if begins(index, *before, *here, next) {
            pieces.extend(word.get(start..*at));
            start = *at;
        }
    }
    pieces.extend(word.get(start..));
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Takes common endings off.
fn stem(word: &str) -> Cow<'_, str> {
    static IRREGULAR: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let lines = include_str!("../../lexicon/irregular.txt").lines().filter(|line| !line.starts_with('#'));
        let rows = lines.filter_map(|line| line.split_once(' '));
        rows.flat_map(|(stem, forms)| forms.split(' ').map(move |form| (form, stem))).collect()
    });
    if !word.is_ascii() {
        return Cow::Borrowed(word);
    }
    if let Some(stem) = IRREGULAR.get(word) {
        return Cow::Borrowed(stem);
    }
    if let Some(stem) = cut(word, "ies").or_else(|| cut(word, "ied")) {
        return Cow::Owned(format!("{stem}y"));
    }
    let plain = match word {
        _ if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") => word,
        _ if word.ends_with("sses") => word.strip_suffix("es").unwrap_or(word),
        _ => cut(word, "s").unwrap_or(word),
    };
    match american(plain) {
        Cow::Borrowed(plain) => Cow::Borrowed(without_ending(plain)),
        Cow::Owned(plain) => Cow::Owned(without_ending(&plain).to_owned()),
    }
}

/// A word for one without the ending that a verb's form or a noun of a verb has.
fn without_ending(word: &str) -> &str {
    let stem = ["ing", "ed", "ion", "er", "or"].iter().find_map(|ending| cut(word, ending)).unwrap_or(word);
    undouble(cut(stem, "e").unwrap_or(stem))
}

/// Without the ending, where what is left is long enough to stand for one word.
fn cut<'a>(word: &'a str, ending: &str) -> Option<&'a str> {
    /// Shorter than this a stem stands for too many words.
    const SHORTEST: usize = 3;
    word.strip_suffix(ending).filter(|stem| stem.len() >= SHORTEST)
}

/// `colour`, `organise`, `centre`, `catalogue` as they are written elsewhere.
fn american(word: &str) -> Cow<'_, str> {
    /// Shorter words with these endings are others: `hour`, `rise`.
    const SHORTEST: usize = 6;
    const ENDINGS: [(&str, &str); 8] = [
        ("our", "or"),
        ("oured", "ored"),
        ("ise", "ize"),
        ("ised", "ized"),
        ("ising", "izing"),
        ("isation", "ization"),
        ("tre", "ter"),
        ("ogue", "og"),
    ];
    if word.len() < SHORTEST {
        return Cow::Borrowed(word);
    }
    let change = |(ending, other): &(&str, &str)| Some(format!("{}{other}", word.strip_suffix(ending)?));
    ENDINGS.iter().find_map(change).map_or(Cow::Borrowed(word), Cow::Owned)
}

/// `runn` is `run`.
fn undouble(stem: &str) -> &str {
    let mut ends = stem.chars().rev();
    match (ends.next(), ends.next()) {
        (Some(last), Some(before))
            if last == before
                && stem.len() > 3
                && (!matches!(last, 'l' | 's' | 'z') || last == 'l' && stem.len() > 5) =>
        {
            stem.get(..stem.len() - last.len_utf8()).unwrap_or(stem)
        }
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::stems;

    #[test]
    fn names_are_split_and_forms_made_one() {
        let check =
            |text: &str, expect: &[&str]| assert_eq!(stems(text).collect::<Vec<_>>(), expect, "{text}");
        check("createPullRequest", &["creat", "pull", "request"]);
        check("mcp__HTTPServer__list-files_v2", &["mcp", "http", "server", "list", "fil", "v2"]);
        check("the repositories of my repository", &["repository", "repository"]);
        check("running runs run", &["run", "run", "run"]);
        check("status classes", &["status", "class"]);
        check("Größe ÄB İ", &["gross", "ab"]);
        check("githubのissueを検索", &["github", "の", "issu", "を検", "検索"]);
        check("30 files", &["fil"]);
        check("URLs of PRs", &["url", "pr"]);
        check("notes in Notion", &["not", "notion"]);
        check("colours, organised", &["col", "organiz"]);
    }
}
