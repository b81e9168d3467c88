//! What a person sees of Agent.

use toolwright_core::{Detail, Progress, Role, Ui, View};

use crate::logic::GENERAL;
use crate::prompt::{counted, tokens, used};
use crate::{Agent, Input, Output};

/// Lines shown of an answer where detail is condensed, and where it is not.
const FEW: usize = 3;
const SOME: usize = 40;

impl Ui for Agent {
    fn call_view(&self, input: &Input, detail: Detail) -> View {
        let line = View::Line(vec![
            (Role::Name, "Agent".into()),
            (Role::Plain, input.description.clone()),
            (Role::Muted, with(input)),
        ]);
        match detail {
            Detail::Condensed => line,
            Detail::Verbose => View::List(vec![line, View::code(None, first_lines(&input.prompt, SOME))]),
            Detail::Transcript => View::List(vec![line, View::code(None, input.prompt.clone())]),
        }
    }

    fn progress_view(&self, _: &Input, progress: &Progress, _: Detail) -> View {
        let mut words = Vec::new();
        if progress.done > 0 {
            words.push((Role::Count, counted(progress.done, "tool use")));
        }
        words.extend(progress.message.clone().map(|message| (Role::Muted, message)));
        if words.is_empty() {
            words.push((Role::Muted, "at work".into()));
        }
        View::Line(words)
    }

    fn result_view(&self, _: &Input, output: &Output, detail: Detail) -> View {
        let text = output.text.trim();
        let text = match detail {
            Detail::Condensed => first_lines(text, FEW),
            Detail::Verbose => first_lines(text, SOME),
            Detail::Transcript => text.into(),
        };
        View::List(vec![
            View::Line(vec![(Role::Count, used(output)), (Role::Muted, output.agent_id.clone())]),
            View::code(Some("markdown"), text),
        ])
    }

    fn group_view(&self, calls: &[(&Input, Option<&Output>)], detail: Detail) -> Option<View> {
        if detail != Detail::Condensed {
            return None;
        }
        let outputs = || calls.iter().filter_map(|(_, output)| *output);
        let total = u64::try_from(calls.len()).unwrap_or(u64::MAX);
        let mut head = vec![(Role::Name, "Agent".into()), (Role::Plain, counted(total, "subagent"))];
        let done = outputs().count();
        if done < calls.len() {
            head.push((Role::Muted, format!("{done} done")));
        } else {
            let tokens = outputs().map(tokens).fold(0, u64::saturating_add);
            head.push((Role::Count, counted(tokens, "token")));
        }
        let mut lines = vec![View::Line(head)];
        lines.extend(calls.iter().map(|(input, output)| {
            let state = output.map_or((Role::Muted, "at work".into()), |output| (Role::Count, used(output)));
            View::Line(vec![(Role::Plain, input.description.clone()), (Role::Muted, with(input)), state])
        }));
        Some(View::List(lines))
    }

    fn activity(&self, input: &Input) -> String {
        format!("Agent at work: {}", input.description)
    }

    fn summary(&self, _: &Input, output: &Output) -> Option<String> {
        Some(used(output))
    }
}

/// The kind, and the model where it is another one.
fn with(input: &Input) -> String {
    let kind = input.subagent_type.as_deref().unwrap_or(GENERAL);
    input.model.as_ref().map_or_else(|| kind.to_owned(), |model| format!("{kind}, {model}"))
}

fn first_lines(text: &str, most: usize) -> String {
    let rest = text.lines().count().saturating_sub(most);
    // A mark in the place of a single line would win nothing.
    if rest < 2 {
        return text.into();
    }
    let shown: Vec<&str> = text.lines().take(most).collect();
    format!("{}\n… {rest} more lines", shown.join("\n"))
}
