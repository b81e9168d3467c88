//! What a person sees of Read.

use toolwright_core::{Detail, Role, Ui, View};

use crate::prompt::counted;
use crate::{Input, Output, Read};

/// Lines shown where not all are wanted.
const SOME: usize = 20;

impl Ui for Read {
    fn call_view(&self, input: &Input, _: Detail) -> View {
        let mut words = vec![(Role::Name, "Read".into()), (Role::Path, input.file_path.clone())];
        if input.offset.is_some() || input.limit.is_some() {
            let first = input.offset.unwrap_or(1).max(1);
            let lines = match input.limit {
                Some(limit) => format!("lines {first}-{}", first.saturating_add(limit).saturating_sub(1)),
                None => format!("from line {first}"),
            };
            words.push((Role::Muted, lines));
        }
        View::Line(words)
    }

    fn result_view(&self, _: &Input, output: &Output, detail: Detail) -> View {
        let mut words = vec![(Role::Count, counted(output.lines, "line"))];
        if let Some(total) = output.total_lines.filter(|total| *total != output.lines) {
            words.push((Role::Muted, format!("of {total}")));
        }
        let found = View::Line(words);
        let most = match detail {
            Detail::Condensed => return found,
            Detail::Verbose => SOME,
            Detail::Transcript => usize::MAX,
        };
        let text: Vec<_> = output.text.lines().take(most).collect();
        let code = View::Code {
            language: output.path.extension().map(|extension| extension.to_string_lossy().into_owned()),
            text: text.join("\n"),
            first_line: usize::try_from(output.first_line).ok(),
        };
        View::List(vec![found, code])
    }

    fn group_view(&self, calls: &[(&Input, Option<&Output>)], detail: Detail) -> Option<View> {
        if detail != Detail::Condensed {
            return None;
        }
        let lines = calls.iter().filter_map(|(_, output)| *output).map(|output| output.lines).sum();
        Some(View::Line(vec![
            (Role::Name, "Read".into()),
            (Role::Plain, counted(calls.len() as u64, "file")),
            (Role::Count, counted(lines, "line")),
        ]))
    }

    fn activity(&self, input: &Input) -> String {
        format!("Reading {}", input.file_path)
    }

    fn summary(&self, _: &Input, output: &Output) -> Option<String> {
        Some(counted(output.lines, "line"))
    }
}
