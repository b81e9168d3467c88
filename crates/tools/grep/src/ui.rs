//! What a person sees of Grep.

use toolwright_core::{Detail, Role, Ui, View};

use crate::prompt::counted;
use crate::{FileHits, Grep, Input, Line, Output, OutputMode};

/// Rows shown where not all are wanted.
const SOME: usize = 20;

impl Ui for Grep {
    fn call_view(&self, input: &Input, _: Detail) -> View {
        let mut words = vec![(Role::Name, "Grep".into()), (Role::Match, input.pattern.clone())];
        if let Some(path) = &input.path {
            words.extend([(Role::Muted, "in".into()), (Role::Path, path.clone())]);
        }
        let filter = input.glob.as_ref().or(input.kind.as_ref());
        words.extend(filter.map(|filter| (Role::Muted, filter.clone())));
        View::Line(words)
    }

    fn result_view(&self, _: &Input, output: &Output, detail: Detail) -> View {
        let mut rows: Vec<View> = output.files.iter().flat_map(|file| rows(file, output.mode)).collect();
        let most = match detail {
            Detail::Condensed => 0,
            Detail::Verbose => SOME,
            Detail::Transcript => rows.len(),
        };
        let left_out = rows.len().saturating_sub(most);
        rows.truncate(most);
        if rows.is_empty() {
            return found(output);
        }
        if left_out > 0 {
            rows.push(View::words(Role::Muted, format!("and {left_out} more")));
        }
        View::List(std::iter::once(found(output)).chain(rows).collect())
    }

    fn group_view(&self, calls: &[(&Input, Option<&Output>)], detail: Detail) -> Option<View> {
        if detail != Detail::Condensed {
            return None;
        }
        let files =
            calls.iter().filter_map(|(_, output)| *output).map(|output| output.files.len() as u64).sum();
        Some(View::Line(vec![
            (Role::Name, "Grep".into()),
            (Role::Plain, counted(calls.len() as u64, "pattern")),
            (Role::Count, counted(files, "file")),
        ]))
    }

    fn activity(&self, input: &Input) -> String {
        format!("Searching for {}", input.pattern)
    }

    fn summary(&self, _: &Input, output: &Output) -> Option<String> {
        Some(count(output))
    }
}

fn count(output: &Output) -> String {
    let more = if output.has_more() { "+" } else { "" };
    match output.mode {
        OutputMode::Content => format!("{}{more}", counted(output.shown, "line")),
        OutputMode::FilesWithMatches => counted(output.total.unwrap_or(output.shown), "file"),
        OutputMode::Count => counted(output.matching_lines, "matching line"),
    }
}

fn found(output: &Output) -> View {
    let mut words = vec![(Role::Count, count(output))];
    if output.mode != OutputMode::FilesWithMatches && !output.files.is_empty() {
        words.push((Role::Plain, format!("in {}", counted(output.files.len() as u64, "file"))));
    }
    if output.hidden > 0 {
        words.push((Role::Muted, format!("{} hidden by ignore rules", output.hidden)));
    }
    if output.unfinished_total > 0 {
        let files = counted(output.unfinished_total, "file");
        words.push((Role::Warning, format!("{files} not searched to the end")));
    }
    if output.timed_out {
        words.push((Role::Warning, "ended by the time limit".into()));
    } else if output.interrupted {
        words.push((Role::Warning, "interrupted".into()));
    }
    View::Line(words)
}

fn rows(file: &FileHits, mode: OutputMode) -> Vec<View> {
    let path = (Role::Path, file.path.to_string_lossy().into_owned());
    match mode {
        OutputMode::FilesWithMatches => vec![View::Line(vec![path])],
        OutputMode::Count => vec![View::Line(vec![path, (Role::Count, file.count.to_string())])],
        OutputMode::Content if file.binary => {
            vec![View::Line(vec![path, (Role::Muted, "binary file matches".into())])]
        }
        OutputMode::Content => {
            std::iter::once(View::Line(vec![path])).chain(file.lines.iter().map(line)).collect()
        }
    }
}

/// The line with its matches as words of their own; plain words and matches beside each other are one text.
fn line(line: &Line) -> View {
    let mut words = vec![(Role::Muted, format!("{} ", line.number))];
    let plain = if line.matches { Role::Plain } else { Role::Muted };
    let mut from = 0;
    for (start, end) in &line.marks {
        let piece = |from: usize, to: usize| line.text.get(from..to).unwrap_or_default().to_owned();
        words.push((plain, piece(from, *start)));
        words.push((Role::Match, piece(*start, *end)));
        from = *end;
    }
    words.push((plain, line.text.get(from..).unwrap_or_default().to_owned()));
    words.retain(|(_, words)| !words.is_empty());
    View::Line(words)
}
