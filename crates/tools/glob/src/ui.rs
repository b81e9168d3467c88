//! What a person sees of Glob.

use toolwright_core::{Detail, Role, Ui, View};

use crate::prompt::counted;
use crate::{Glob, Input, Output};

/// Names shown where not all are wanted.
const SOME: usize = 10;

impl Ui for Glob {
    fn call_view(&self, input: &Input, _: Detail) -> View {
        let mut words = vec![(Role::Name, "Glob".into()), (Role::Match, input.pattern.clone())];
        if let Some(path) = &input.path {
            words.extend([(Role::Muted, "in".into()), (Role::Path, path.clone())]);
        }
        View::Line(words)
    }

    fn result_view(&self, _: &Input, output: &Output, detail: Detail) -> View {
        let mut lines = vec![found(output)];
        let most = match detail {
            Detail::Condensed => 0,
            Detail::Verbose => SOME,
            Detail::Transcript => output.files.len(),
        };
        let name = |path: &std::path::PathBuf| View::words(Role::Path, path.to_string_lossy());
        lines.extend(output.files.iter().take(most).map(name));
        if most > 0 && output.files.len() > most {
            lines.push(View::words(Role::Muted, format!("and {} more", output.files.len() - most)));
        }
        match (lines.pop(), lines.is_empty()) {
            (Some(only), true) => only,
            (last, _) => View::List(lines.into_iter().chain(last).collect()),
        }
    }

    fn group_view(&self, calls: &[(&Input, Option<&Output>)], detail: Detail) -> Option<View> {
        if detail != Detail::Condensed {
            return None;
        }
        let total = calls.iter().filter_map(|(_, output)| *output).map(|output| output.total).sum();
        Some(View::Line(vec![
            (Role::Name, "Glob".into()),
            (Role::Plain, counted(calls.len() as u64, "pattern")),
            (Role::Count, counted(total, "file")),
        ]))
    }

    fn activity(&self, input: &Input) -> String {
        format!("Finding {}", input.pattern)
    }

    fn summary(&self, _: &Input, output: &Output) -> Option<String> {
        Some(counted(output.total, "file"))
    }
}

fn found(output: &Output) -> View {
    let mut words = vec![(Role::Count, counted(output.total, "file"))];
    if output.hidden > 0 {
        words.push((Role::Muted, format!("{} hidden by ignore rules", output.hidden)));
    }
    if output.timed_out {
        words.push((Role::Warning, "ended by the time limit".into()));
    } else if output.interrupted {
        words.push((Role::Warning, "interrupted".into()));
    }
    View::Line(words)
}
