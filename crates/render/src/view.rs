//! A [`View`] as lines: roles become styles, paths become relative, long output is folded. Knows no tool and no terminal.

use std::path::{Path, PathBuf};

use toolwright_core::{Role, View};

use crate::code::code_lines;
use crate::diff::diff_lines;
use crate::line::{Line, Style};
use crate::wrap::{Break, wrap};

/// Spaces before the later rows of a line that is too long.
const HANGING: usize = 2;

/// Where lines are to fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Columns; none where nothing should be broken (a file, a pipe).
    pub width: Option<usize>,
    /// Lines of one block above which the rest is folded; none for all of it.
    pub fold: Option<usize>,
    /// The working directory: paths in it are shown relative to it.
    pub cwd: PathBuf,
}

impl Layout {
    /// The same with `columns` fewer.
    #[must_use]
    pub fn narrower(&self, columns: usize) -> Self {
        Self { width: self.width.map(|width| width.saturating_sub(columns).max(10)), ..self.clone() }
    }

    /// A path as a person reads it.
    #[must_use]
    pub fn path(&self, path: &Path) -> String {
        match path.strip_prefix(&self.cwd) {
            Ok(inner) if inner.as_os_str().is_empty() => ".".into(),
            Ok(inner) => inner.display().to_string(),
            Err(_) => path.display().to_string(),
        }
    }
}

/// What a view looks like.
#[must_use]
pub fn lines(view: &View, layout: &Layout) -> Vec<Line> {
    match view {
        View::Line(words) => words_lines(words, layout),
        View::Code { language, text, first_line } => {
            code_lines(language.as_deref(), text, *first_line, layout)
        }
        View::Diff { path, first_line, before, after } => {
            diff_lines(path, *first_line, before, after, layout)
        }
        View::List(views) => views.iter().flat_map(|view| lines(view, layout)).collect(),
        // A view of a later version shows nothing rather than something wrong.
        _ => Vec::new(),
    }
}

/// The mark of what is folded away.
pub(crate) fn folded(count: usize, what: &str) -> Line {
    let plural = if count == 1 { "" } else { "s" };
    Line::of(Style::Gutter, &format!("… {count} more {what}{plural}"))
}

fn words_lines(words: &[(Role, String)], layout: &Layout) -> Vec<Line> {
    if words.iter().all(|(_, text)| text.is_empty()) {
        return Vec::new();
    }
    // A paragraph stays a block; a row that goes on after a name or a command is set in.
    let hanging = match words {
        [(Role::Plain | Role::Muted | Role::Warning | Role::Error, _)] => 0,
        _ => HANGING,
    };
    let mut logical = vec![Line::default()];
    let mut previous: Option<&(Role, String)> = None;
    for word in words.iter().filter(|(_, text)| !text.is_empty()) {
        let (role, text) = word;
        let style = Style::Role(*role);
        if previous.is_some_and(|previous| are_apart(previous, word)) {
            push(&mut logical, Style::Role(Role::Plain), " ");
        }
        previous = Some(word);
        match role {
            Role::Path => push(&mut logical, style, &layout.path(Path::new(text))),
            // A name or a path with a line feed in it would look like a line of ours.
            Role::Name | Role::Count | Role::Match => push(&mut logical, style, text),
            _ => {
                let text = text.strip_suffix('\n').unwrap_or(text);
                for (index, piece) in text.split('\n').enumerate() {
                    if index > 0 {
                        logical.push(Line::of(style, &" ".repeat(hanging)));
                    }
                    push(&mut logical, style, piece.strip_suffix('\r').unwrap_or(piece));
                }
            }
        }
    }
    let rows = logical.iter().flat_map(|line| wrap(line, layout.width, hanging, Break::Words));
    fold(rows.collect(), layout.fold)
}

/// Words stand apart, unless a space or a mark that belongs to its neighbour is there already. A match and the plain words
/// beside it are one text.
fn are_apart((before_role, before): &(Role, String), (after_role, after): &(Role, String)) -> bool {
    let is_prose = |role: &Role| matches!(role, Role::Plain | Role::Muted);
    let ends_joined = before.ends_with(char::is_whitespace)
        || is_prose(before_role) && before.ends_with(['(', '[', '`', '"', '\'', '/']);
    let begins_joined = after.starts_with(char::is_whitespace)
        || is_prose(after_role) && after.starts_with([',', ';', ':', '.', ')', ']', '`', '"', '\'']);
    let one_text = matches!(
        (before_role, after_role),
        (Role::Plain, Role::Match) | (Role::Match, Role::Plain | Role::Match)
    );
    !ends_joined && !begins_joined && !one_text
}

fn push(lines: &mut [Line], style: Style, text: &str) {
    if let Some(last) = lines.last_mut() {
        last.push(style, text);
    }
}

/// Keeps the first lines. One line more than fits is shown: the mark would take as much room.
fn fold(mut lines: Vec<Line>, limit: Option<usize>) -> Vec<Line> {
    let Some(limit) = limit.filter(|limit| lines.len() > limit + 1) else { return lines };
    let more = lines.len() - limit;
    lines.truncate(limit);
    lines.push(folded(more, "line"));
    lines
}
