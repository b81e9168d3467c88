//! What a person sees of Edit.

use toolwright_core::{Detail, Role, Ui, View};
use toolwright_workspace::patch::of_texts;

use crate::prompt::counted;
use crate::{Edit, Input, Output};

/// Changed pieces shown where not all are wanted.
const SOME: usize = 3;

impl Ui for Edit {
    fn call_view(&self, input: &Input, detail: Detail) -> View {
        let mut words = vec![(Role::Name, "Edit".into()), (Role::Path, input.file_path.clone())];
        if input.replace_all {
            words.push((Role::Muted, "every occurrence".into()));
        }
        let line = View::Line(words);
        // What a person is asked about is what would be replaced; where it stands is known once it is done.
        let change = of_texts(&input.old_string, &input.new_string);
        let pieces = change.hunks.iter().map(|hunk| View::Diff {
            path: input.file_path.clone().into(),
            first_line: hunk.first_line,
            before: hunk.before.clone(),
            after: hunk.after.clone(),
        });
        match detail {
            Detail::Condensed => line,
            Detail::Verbose | Detail::Transcript => View::List(std::iter::once(line).chain(pieces).collect()),
        }
    }

    fn result_view(&self, _: &Input, output: &Output, detail: Detail) -> View {
        let most = match detail {
            Detail::Condensed => 1,
            Detail::Verbose => SOME,
            Detail::Transcript => usize::MAX,
        };
        let hunks = &output.patch.hunks;
        let diffs = hunks.iter().take(most).map(|hunk| View::Diff {
            path: output.path.clone(),
            first_line: hunk.first_line,
            before: hunk.before.clone(),
            after: hunk.after.clone(),
        });
        let mut views: Vec<_> =
            std::iter::once(View::words(Role::Count, done(output))).chain(diffs).collect();
        let hidden = hunks.len().saturating_sub(most) + output.patch.left_out;
        if hidden > 0 {
            views.push(View::words(Role::Muted, format!("and {}", counted(hidden, "more place"))));
        }
        View::List(views)
    }

    fn rejected_view(&self, input: &Input, _: Detail) -> View {
        self.call_view(input, Detail::Condensed)
    }

    fn activity(&self, input: &Input) -> String {
        format!("Editing {}", input.file_path)
    }

    fn summary(&self, _: &Input, output: &Output) -> Option<String> {
        Some(done(output))
    }
}

fn done(output: &Output) -> String {
    match output.aid {
        _ if output.created => "created".into(),
        None => counted(output.replaced, "replacement"),
        Some(aid) => format!("{}, found {}", counted(output.replaced, "replacement"), aid.words()),
    }
}
