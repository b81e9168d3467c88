//! What a person sees of Write.

use toolwright_core::{Detail, Role, Ui, View};

use crate::prompt::counted;
use crate::{Input, Output, Write};

/// Lines of a new file, and changed pieces of an old one, shown where not all are wanted.
const SOME_LINES: usize = 20;
const SOME_PIECES: usize = 3;

impl Ui for Write {
    fn call_view(&self, input: &Input, detail: Detail) -> View {
        let line = View::Line(vec![
            (Role::Name, "Write".into()),
            (Role::Path, input.file_path.clone()),
            (Role::Count, counted(input.content.lines().count(), "line")),
        ]);
        match detail {
            Detail::Condensed => line,
            Detail::Verbose => View::List(vec![line, content(input, SOME_LINES)]),
            Detail::Transcript => View::List(vec![line, content(input, usize::MAX)]),
        }
    }

    fn result_view(&self, input: &Input, output: &Output, detail: Detail) -> View {
        let done = if output.created { "created" } else { "replaced" };
        let mut words = vec![(Role::Plain, done.into()), (Role::Count, counted(output.lines, "line"))];
        words.extend(output.stored_as.iter().map(|kept| (Role::Muted, kept.clone())));
        let line = View::Line(words);
        let (lines, pieces) = match detail {
            Detail::Condensed => (0, 1),
            Detail::Verbose => (SOME_LINES, SOME_PIECES),
            Detail::Transcript => (usize::MAX, usize::MAX),
        };
        if output.created {
            return if lines == 0 { line } else { View::List(vec![line, content(input, lines)]) };
        }
        let hunks = &output.patch.hunks;
        let diffs = hunks.iter().take(pieces).map(|hunk| View::Diff {
            path: output.path.clone(),
            first_line: hunk.first_line,
            before: hunk.before.clone(),
            after: hunk.after.clone(),
        });
        let mut views: Vec<_> = std::iter::once(line).chain(diffs).collect();
        let hidden = hunks.len().saturating_sub(pieces) + output.patch.left_out;
        if hidden > 0 {
            views.push(View::words(Role::Muted, format!("and {}", counted(hidden, "more place"))));
        }
        View::List(views)
    }

    fn rejected_view(&self, input: &Input, _: Detail) -> View {
        self.call_view(input, Detail::Condensed)
    }

    fn activity(&self, input: &Input) -> String {
        format!("Writing {}", input.file_path)
    }

    fn summary(&self, _: &Input, output: &Output) -> Option<String> {
        Some(counted(output.lines, "line"))
    }
}

fn content(input: &Input, most: usize) -> View {
    let lines: Vec<_> = input.content.lines().take(most).collect();
    let language = input.file_path.rsplit_once('.').map(|(_, extension)| extension.to_owned());
    View::Code { language, text: lines.join("\n"), first_line: Some(1) }
}
