//! Which files are looked at: globs on their path, and kinds of file by name.

use std::path::Path;

use globset::{GlobBuilder, GlobSet};
use ignore::types::{Types, TypesBuilder};

/// Which files are looked at.
#[derive(Debug)]
pub(crate) struct Filter {
    wanted: Vec<Pattern>,
    unwanted: Vec<Pattern>,
    kinds: Option<Types>,
}

/// Why there is no filter.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FilterError {
    #[error(
        "the glob `{glob}` is not valid: {reason}; to match a character itself, put it in brackets: `[[]`"
    )]
    Glob { glob: String, reason: String },
    #[error("there is no file type `{kind}`{near}; use `glob` for other files (`*.{kind}`)")]
    Kind { kind: String, near: String },
}

#[derive(Debug)]
struct Pattern {
    matcher: GlobSet,
    names_only: bool,
}

impl Filter {
    /// For files below `root`.
    pub(crate) fn new(root: &Path, glob: Option<&str>, kind: Option<&str>) -> Result<Self, FilterError> {
        let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
        for part in parts(glob.unwrap_or_default()) {
            match part.strip_prefix('!') {
                Some(part) => unwanted.extend(patterns(part, root)?),
                None => wanted.extend(patterns(part, root)?),
            }
        }
        Ok(Self { wanted, unwanted, kinds: kind.filter(|kind| !kind.is_empty()).map(kinds).transpose()? })
    }

    /// Whether the file at `relative` (to the searched folder) is looked at.
    pub(crate) fn keeps(&self, relative: &Path) -> bool {
        let any = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(relative));
        (self.wanted.is_empty() || any(&self.wanted))
            && !any(&self.unwanted)
            && self.kinds.as_ref().is_none_or(|kinds| kinds.matched(relative, false).is_whitelist())
    }
}

impl Pattern {
    fn matches(&self, relative: &Path) -> bool {
        let name = self.names_only.then(|| relative.file_name()).flatten();
        self.matcher.is_match(name.map_or(relative, Path::new))
    }
}

/// Splits at commas that stand in no braces: `*.ts, *.{js,jsx}` is two. So is `*.ts *.js`, where every part can be nothing else
/// than a glob.
fn parts(globs: &str) -> impl Iterator<Item = &str> {
    let is_glob = |part: &str| ["*.", "**/", "!"].iter().any(|start| part.starts_with(start));
    let at_blanks = globs.split_whitespace().all(is_glob);
    let mut depth = 0_usize;
    let split = globs.split(move |character: char| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (character == ',' || at_blanks && character.is_whitespace())
    });
    split.map(str::trim).filter(|part| !part.is_empty())
}

/// Without `/`: names at any depth. With one: from the searched folder, or from any folder below it. With one at its end: all
/// that is in that folder. An absolute one that leads into the searched folder goes on from there.
fn patterns(glob: &str, root: &Path) -> Result<Vec<Pattern>, FilterError> {
    let wrong =
        |error: globset::Error| FilterError::Glob { glob: glob.to_owned(), reason: error.kind().to_string() };
    let build = |text: &str, names_only| {
        let mut builder = GlobBuilder::new(text);
        let built = builder.literal_separator(true).backslash_escape(true).empty_alternates(true).build();
        let built = built.map_err(wrong)?;
        // A set also of one: it knows quick ways for the usual forms.
        let matcher = GlobSet::builder().add(built).build().map_err(wrong)?;
        Ok(Pattern { matcher, names_only })
    };
    let inside = root.to_str().and_then(|root| glob.strip_prefix(root));
    let glob = inside.filter(|rest| rest.starts_with('/')).unwrap_or(glob);
    let all_in_it = glob.ends_with('/').then(|| format!("{glob}**"));
    let glob = all_in_it.as_deref().unwrap_or(glob);
    match glob.strip_prefix('/').or_else(|| glob.strip_prefix("./")) {
        Some(from_root) => Ok(vec![build(from_root, false)?]),
        None if glob.contains('/') => Ok(vec![build(glob, false)?, build(&format!("**/{glob}"), false)?]),
        None => Ok(vec![build(glob, true)?]),
    }
}

/// One kind, or several with commas.
fn kinds(kinds: &str) -> Result<Types, FilterError> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for kind in kinds.split(',').map(|kind| kind.trim().to_lowercase()) {
        // An ending is often given as the glob or with its dot: `*.rs`, `.rs`.
        let kind = kind.strip_prefix('*').unwrap_or(&kind).trim_start_matches('.').to_owned();
        let known = builder.definitions();
        // `all` stands for every kind in the library, and is none.
        if known.iter().any(|known| known.name() == kind) || kind == "all" {
            builder.select(&kind);
            continue;
        }
        // Not the kind's name but its files' ending: those alone are meant.
        let ending = format!("*.{kind}");
        let ends_so = known.iter().any(|known| known.globs().contains(&ending));
        if !ends_so || builder.add(&kind, &ending).is_err() {
            return Err(unknown(&builder, kind));
        }
        builder.select(&kind);
    }
    builder.build().map_err(|_| unknown(&builder, kinds.to_owned()))
}

fn unknown(builder: &TypesBuilder, kind: String) -> FilterError {
    /// Below this two names have too little in common for a guess (Jaro-Winkler, 0 to 1).
    const NEAR: f64 = 0.75;
    let definitions = builder.definitions();
    let scored = definitions.iter().map(|known| (strsim::jaro_winkler(known.name(), &kind), known.name()));
    let best = scored.filter(|(score, _)| *score > NEAR).max_by(|one, other| one.0.total_cmp(&other.0));
    let near = best.map(|(_, name)| format!("; did you mean `{name}`?")).unwrap_or_default();
    FilterError::Kind { kind, near }
}
