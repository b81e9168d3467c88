//! Text into words that compare equal where they mean the same: split at case and marks, lower case, endings taken off.

/// Words that say nothing of what a tool does.
const EMPTY: &[&str] = &[
    "a", "all", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "for", "from", "how", "i",
    "in", "into", "is", "it", "its", "me", "my", "of", "on", "or", "our", "please", "some", "that", "the",
    "their", "there", "this", "to", "tool", "use", "using", "want", "was", "we", "what", "when", "which",
    "with", "you", "your",
];

/// The words of `text`, in order. Words without meaning are left out.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|character: char| !character.is_alphanumeric())
        .flat_map(split_case)
        .map(|word| word.to_lowercase())
        .filter(|word| !EMPTY.contains(&word.as_str()))
        .map(|word| stem(&word))
}

/// `createIssueV2` is `create Issue V2`, `HTTPServer` is `HTTP Server`.
fn split_case(word: &str) -> Vec<&str> {
    let characters: Vec<(usize, char)> = word.char_indices().collect();
    let mut pieces = Vec::new();
    let mut start = 0;
    for window in characters.windows(2).enumerate() {
        let (index, [(_, before), (at, here)]) = window else { continue };
        let next_is_lower = characters.get(index + 2).is_some_and(|(_, next)| next.is_lowercase());
        let begins = here.is_uppercase() && (!before.is_uppercase() || next_is_lower);
        if begins {
            pieces.extend(word.get(start..*at));
            start = *at;
        }
    }
    pieces.extend(word.get(start..));
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Takes common endings off. Not a word of English in the end, but the same for its forms.
fn stem(word: &str) -> String {
    /// Shorter than this a stem stands for too many words.
    const SHORTEST: usize = 3;
    let cut = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.chars().count() >= SHORTEST);
    if let Some(stem) = cut("ies") {
        return format!("{stem}y");
    }
    let plain = match word {
        _ if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") => word,
        _ => cut("sses")
            .map_or_else(|| cut("s").unwrap_or(word), |_| word.get(..word.len() - 2).unwrap_or(word)),
    };
    let inner = |ending: &str| plain.strip_suffix(ending).filter(|stem| stem.chars().count() >= SHORTEST);
    let stem = inner("ing")
        .or_else(|| inner("ed"))
        .or_else(|| inner("ion"))
        .or_else(|| inner("er"))
        .unwrap_or(plain);
    let stem = stem.strip_suffix('e').filter(|stem| stem.chars().count() >= SHORTEST).unwrap_or(stem);
    undouble(stem).to_owned()
}

/// `runn` is `run`.
fn undouble(stem: &str) -> &str {
    let mut ends = stem.chars().rev();
    match (ends.next(), ends.next()) {
        (Some(last), Some(before))
            if last == before && !matches!(last, 'l' | 's' | 'z') && stem.len() > 3 =>
        {
            stem.get(..stem.len() - last.len_utf8()).unwrap_or(stem)
        }
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_are_split_and_forms_made_one() {
        let check =
            |text: &str, expect: &[&str]| assert_eq!(words(text).collect::<Vec<_>>(), expect, "{text}");
        check("createPullRequest", &["creat", "pull", "request"]);
        check("mcp__HTTPServer__list-files_v2", &["mcp", "http", "serv", "list", "fil", "v2"]);
        check("the repositories of my repository", &["repository", "repository"]);
        check("running runs run", &["run", "run", "run"]);
        check("status classes", &["status", "class"]);
        assert_eq!(words("Größe ÄB").count(), 2);
    }
}
