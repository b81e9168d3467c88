//! A change of a piece of a file: what went and what came, with line numbers, and the words marked that differ.

use std::path::Path;
use std::time::Duration;

use similar::{ChangeTag, TextDiff};
use toolwright_core::Role;

use crate::code::{Gutter, beside};
use crate::line::{Line, Style};
use crate::view::{Layout, folded};

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// How long the search for the shortest difference may take; a longer one is shown all the same.
const PATIENCE: Duration = Duration::from_millis(100);

pub(crate) fn diff_lines(
    path: &Path,
    first_line: usize,
    before: &str,
    after: &str,
    layout: &Layout,
) -> Vec<Line> {
    // Where every line ends in CR LF the ends say nothing; where they differ they are what changed.
    let keep_ends = !(all_crlf(before) && all_crlf(after));
    let (before, after) = (with_end(before, keep_ends), with_end(after, keep_ends));
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(&before, &after);
    let last = first_line + diff.old_len().max(diff.new_len());
    let gutter = Gutter::new(first_line, last);
    let (mut added, mut removed) = (0, 0);
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            rows.push(vec![Line::of(Style::Gutter, "⋯")]);
        }
        for change in group.iter().flat_map(|operation| diff.iter_inline_changes(operation)) {
            let (mark, plain, marked) = match change.tag() {
                ChangeTag::Equal => (" ", Style::Role(Role::Plain), Style::Role(Role::Plain)),
                ChangeTag::Insert => ("+", Style::Added, Style::AddedWord),
                ChangeTag::Delete => ("-", Style::Removed, Style::RemovedWord),
            };
            added += usize::from(change.tag() == ChangeTag::Insert);
            removed += usize::from(change.tag() == ChangeTag::Delete);
            let number = change.new_index().or(change.old_index()).map(|index| first_line + index);
            let mut line = Line::default();
            for (emphasised, text) in change.iter_strings_lossy() {
                line.push(if emphasised { marked } else { plain }, text.strip_suffix('\n').unwrap_or(&text));
            }
            let prefix = Line::of(plain, &format!("{mark} ")).after(&gutter.line(number));
            rows.push(beside(&prefix, line, layout));
        }
    }
    let mut lines = vec![header(path, added, removed, layout)];
    let shown = layout.fold.filter(|limit| rows.len() > limit + 1).unwrap_or(rows.len());
    let more = rows.len() - shown;
    lines.extend(rows.into_iter().take(shown).flatten());
    if more > 0 {
        lines.push(folded(more, "line"));
    }
    lines
}

fn header(path: &Path, added: usize, removed: usize, layout: &Layout) -> Line {
    let line = Line::of(Style::Role(Role::Path), &layout.path(path)).and(Style::Gutter, " ");
    match (added, removed) {
        (0, 0) => line.and(Style::Role(Role::Muted), "unchanged"),
        (added, 0) => line.and(Style::Added, &format!("+{added}")),
        (0, removed) => line.and(Style::Removed, &format!("-{removed}")),
        (added, removed) => line
            .and(Style::Added, &format!("+{added}"))
            .and(Style::Gutter, " ")
            .and(Style::Removed, &format!("-{removed}")),
    }
}

fn all_crlf(text: &str) -> bool {
    text.is_empty() || text.split_inclusive('\n').all(|line| line.ends_with("\r\n") || !line.ends_with('\n'))
}

/// The text with a line end at its end, so that a last line is no different for want of one.
fn with_end(text: &str, keep_carriage_returns: bool) -> String {
    let mut text = if keep_carriage_returns { text.to_owned() } else { text.replace("\r\n", "\n") };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
