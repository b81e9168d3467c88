//! What no rule can be about, because nobody can say what it is.

use toolwright_core::Subject;

use crate::pattern::is_host_character;

/// Characters of a single command above which it counts as unreadable. The analysis of a shell text has a limit of its own, which
/// is lower for all but the here-documents in it.
const LONGEST_COMMAND: usize = 24_000;

/// Why a subject cannot be judged, if so.
pub(super) fn why(subject: &Subject) -> Option<String> {
    let control = |text: &str| text.chars().any(|character| character.is_control());
    match subject {
        Subject::Unreadable(why) => Some(why.clone()),
        Subject::Command(part) => {
            let texts = [&part.shown, &part.for_allow];
            let odd = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
            if texts.iter().any(|text| text.contains(odd)) {
                return Some("a command has a control character in it".into());
            }
            texts
                .iter()
                .any(|text| text.chars().count() > LONGEST_COMMAND)
                .then(|| format!("a command is longer than {LONGEST_COMMAND} characters"))
        }
        Subject::Path { path, .. } => match path.to_str() {
            None => Some(format!("the path {} is no text", path.display())),
            Some(text) if control(text) => Some(format!("the path {text:?} has a control character in it")),
            // ` ..` is a name like any other, and hardly ever meant as one.
            Some(text) => text
                .split('/')
                .any(|name| matches!(name.trim(), "." | "..") && name.trim() != name)
                .then(|| format!("the path {text:?} has a name of dots and blanks in it")),
        },
        Subject::Domain(host) => (host.is_empty()
            || host.contains(|character| !is_host_character(character)))
        .then(|| format!("{host:?} is no plain host name")),
        Subject::Name(name) => {
            control(name).then(|| format!("the name {name:?} has a control character in it"))
        }
        _ => None,
    }
}
