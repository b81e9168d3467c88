//! What a person sees of ToolSearch.

use toolwright_core::{Detail, Role, Ui, View};

use crate::{Input, Output, ToolSearch};

impl Ui for ToolSearch {
    fn call_view(&self, input: &Input, _: Detail) -> View {
        View::Line(vec![(Role::Name, "ToolSearch".into()), (Role::Plain, input.query.clone())])
    }

    fn result_view(&self, _: &Input, output: &Output, detail: Detail) -> View {
        let count = View::words(Role::Count, counted(output));
        let tools = output.found.iter().map(|found| {
            View::Line(vec![(Role::Name, found.name.clone()), (Role::Muted, found.purpose.clone())])
        });
        let unknown = output.unknown.iter().map(|unknown| {
            View::Line(vec![(Role::Plain, unknown.name.clone()), (Role::Warning, "is no tool".into())])
        });
        match detail {
            Detail::Condensed => count,
            Detail::Verbose | Detail::Transcript => {
                View::List(std::iter::once(count).chain(tools).chain(unknown).collect())
            }
        }
    }

    fn person_name(&self, _: &Input) -> String {
        "Tool search".into()
    }

    fn activity(&self, input: &Input) -> String {
        format!("Looking for tools: {}", input.query)
    }

    fn summary(&self, _: &Input, output: &Output) -> Option<String> {
        Some(counted(output))
    }
}

fn counted(output: &Output) -> String {
    match output.found.len() {
        1 => "1 tool".into(),
        count => format!("{count} tools"),
    }
}
