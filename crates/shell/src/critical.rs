//! Removals that no rule may allow: the root, what stands directly in it, home, the working folder and those above
//! it, and globs below a variable that may be empty.

use std::path::Path;

use crate::Place;
use crate::state::{State, plain};
use crate::word::Token;

pub(crate) fn removal(program: &str, arguments: &[Token], state: &State, place: &Place) -> Option<String> {
    let name = program.rsplit('/').next().unwrap_or(program);
    let removes = match name {
        "rm" | "rmdir" | "unlink" | "shred" => true,
        "find" => arguments.iter().any(|token| token.text == "-delete" || token.text == "rm"),
        _ => false,
    };
    if !removes {
        return None;
    }
    arguments.iter().filter(|token| name == "find" || !token.text.starts_with('-')).find_map(|token| {
        if !token.exact {
            // `"$VAR"/*`: the text before the variable is empty, so an unset one leaves `/*`.
            let bare = token.text.is_empty() && token.glob;
            return bare.then(|| "it removes a glob below a variable that may be empty".into());
        }
        let folders = state.folders.as_deref().cloned().unwrap_or_default();
        let starts = if token.text.starts_with('/') { vec!["/".into()] } else { folders };
        starts.iter().find_map(|start: &std::path::PathBuf| {
            let path = plain(&start.join(&token.text));
            let why = dangerous(&path, state, place)?;
            let removed = if name == "find" { "what it finds in " } else { "" };
            Some(format!("it removes {removed}{}, which {why}", path.display()))
        })
    })
}

/// What the path is, where losing it is critical.
fn dangerous(path: &Path, state: &State, place: &Place) -> Option<&'static str> {
    // `/*` and `/home/*` name what stands in the folder.
    let whole = if path.ends_with("*") { path.parent().unwrap_or(path) } else { path };
    if whole.parent().is_none() || path.parent().is_some_and(|parent| parent.parent().is_none()) {
        return Some("stands at the root of the file system");
    }
    if place.home.as_deref().is_some_and(|home| home.starts_with(whole)) {
        return Some("is or holds the home folder");
    }
    let within = |folder: &Path| folder.starts_with(path);
    let current = place
        .cwd
        .iter()
        .chain(state.folders.iter().flat_map(|folders| folders.iter()))
        .any(|folder| within(folder));
    current.then_some("is or holds the working directory")
}
