//! Where the paths of a call really lead: permissions decide on what is spelled and on what it reaches. Looks at names and
//! links, and opens no file.

use std::path::{Component, Path, PathBuf};

use toolwright_core::Subject;
use toolwright_permissions::ResolvedSubject;

/// The subjects with where they lead. A path that a shell expands (`*.md`) is joined by the links it may stand for: each
/// of them leads wherever its maker wanted.
pub(crate) fn reached(subjects: Vec<Subject>) -> Vec<ResolvedSubject> {
    let shell = subjects.iter().any(|subject| matches!(subject, Subject::Command(_)));
    let mut reached = Vec::with_capacity(subjects.len());
    for subject in subjects {
        if let (true, Subject::Path { path, access, cover }) = (shell, &subject) {
            for link in links_meant(path) {
                let subject = Subject::Path { path: link, access: *access, cover: *cover };
                reached.push(resolve(subject));
            }
        }
        reached.push(resolve(subject));
    }
    reached
}

fn resolve(subject: Subject) -> ResolvedSubject {
    let resolved = match &subject {
        Subject::Path { path, .. } if climbs_from_wild(path) => Some(PathBuf::from("/")),
        Subject::Path { path, .. } => real_path(path).filter(|real| real != path),
        _ => None,
    };
    ResolvedSubject { subject, resolved }
}

/// `link*/../x`: taken back by the text alone it names `x` here, and really what is beside the folder the link leads to.
fn climbs_from_wild(path: &Path) -> bool {
    let mut parts = path.components().skip_while(|part| !wild(part.as_os_str().to_str()));
    parts.any(|part| part == Component::ParentDir)
}

fn wild(name: Option<&str>) -> bool {
    name.is_some_and(|name| name.contains(['*', '?', '[']))
}

/// The links in the folder of `path` that its last name may stand for.
fn links_meant(path: &Path) -> Vec<PathBuf> {
    let word = path.file_name().and_then(|name| name.to_str());
    let (Some(word), Some(folder)) = (word.filter(|word| wild(Some(word))), path.parent()) else {
        return Vec::new();
    };
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()))
        .filter(|entry| entry.file_name().to_str().is_none_or(|name| may_mean(word, name)))
        .map(|entry| entry.path())
        .collect()
}

/// Whether a shell may expand `word` to `name`; where that is hard to say, it may.
fn may_mean(word: &str, name: &str) -> bool {
    if name.starts_with('.') && !word.starts_with('.') {
        return false;
    }
    if word.contains(['[', '\\']) {
        return true;
    }
    let (word, name): (Vec<char>, Vec<char>) = (word.chars().collect(), name.chars().collect());
    // The ends of the beginnings of `name` that the word read so far stands for.
    let mut ends = vec![false; name.len() + 1];
    if let Some(first) = ends.first_mut() {
        *first = true;
    }
    for token in word {
        let mut next = vec![false; ends.len()];
        for at in 0..ends.len() {
            let before = at.checked_sub(1);
            let stood =
                |ends: &[bool], at: Option<usize>| at.and_then(|at| ends.get(at)).copied() == Some(true);
            let here = match token {
                '*' => stood(&ends, Some(at)) || stood(&next, before),
                '?' => stood(&ends, before),
                own => stood(&ends, before) && before.and_then(|at| name.get(at)) == Some(&own),
            };
            if let Some(slot) = next.get_mut(at) {
                *slot = here;
            }
        }
        ends = next;
    }
    ends.last() == Some(&true)
}

/// The path with every link resolved; for what does not exist, its nearest existing ancestor resolved and the rest appended.
fn real_path(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = path.canonicalize() {
        return Some(real);
    }
    // A link that leads nowhere yet: what it names is what a write would make.
    if let Ok(target) = std::fs::read_link(path) {
        let target = path.parent().map_or_else(|| target.clone(), |parent| parent.join(&target));
        if target != path {
            return real_path_of_missing(&target);
        }
    }
    real_path_of_missing(path)
}

fn real_path_of_missing(path: &Path) -> Option<PathBuf> {
    let mut rest = Vec::new();
    let mut ancestor = path;
    loop {
        rest.push(ancestor.file_name()?);
        ancestor = ancestor.parent()?;
        if let Ok(mut real) = ancestor.canonicalize() {
            real.extend(rest.iter().rev());
            return Some(real);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_word_may_become() {
        let check =
            |word: &str, name: &str, expect: bool| assert_eq!(may_mean(word, name), expect, "{word} {name}");
        check("*", "a", true);
        check("*.md", "a.md", true);
        check("*.md", "a.txt", false);
        check("a?c*", "abcd", true);
        check("a?c*", "ac", false);
        check("*a*b", "xaayb", true);
        check("*", ".a", false);
        check(".*", ".a", true);
        check("[x]", "a", true);
    }
}
