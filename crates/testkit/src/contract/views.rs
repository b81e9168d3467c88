//! What a person and the model see of each example, as text for snapshots.

use std::fmt::Write as _;

use serde_json::Value;
use toolwright_core::{Content, Detail, DynCall, Label, Progress, Stage, View};

use super::{Contract, Scene};
use crate::describe;

const DETAILS: [Detail; 3] = [Detail::Condensed, Detail::Verbose, Detail::Transcript];

/// A stage in all three details.
pub(super) fn views_of(call: &dyn DynCall, stage: Stage<'_>) -> Vec<View> {
    DETAILS.iter().map(|detail| call.view(stage, *detail)).collect()
}

impl Contract {
    /// For each example a name and a text: the answer, the short texts, and six views in three details.
    #[must_use]
    pub fn views(&self) -> Vec<(String, String)> {
        let named = self.examples().map(|(example, scene, call)| {
            let reply = scene.reply(example.title, &*call);
            let text = scene.all_views(&*call, &reply.answer, &reply.output);
            let text = format!("# {}: {}\n{text}", self.registration.name, example.title);
            let name = format!("{}_{}", self.registration.name, example.title);
            let name: String =
                name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            (name.to_lowercase(), scene.workspace.normalised(&text))
        });
        named.collect()
    }
}

impl Scene {
    fn all_views(&self, call: &dyn DynCall, answer: &[Content], output: &Value) -> String {
        let mut text = format!("input: {}\n\n## answer\n", call.input());
        for content in answer {
            let _ = match content {
                Content::Text { text: words } => writeln!(text, "{words}"),
                other => writeln!(text, "{}", serde_json::to_string(other).unwrap_or_default()),
            };
        }
        let labels = [
            ("person name", Label::PersonName),
            ("activity", Label::Activity),
            ("summary", Label::Summary(output)),
        ];
        text.push_str("\n## labels\n");
        for (title, label) in labels {
            let _ = writeln!(text, "{title}: {}", call.label(label).as_deref().unwrap_or("(none)"));
        }
        let progress = Progress {
            done: 3,
            total: Some(10),
            message: Some("some words".into()),
            tail: Some("the last line\n".into()),
        };
        let stages = [
            ("call", Stage::Call),
            ("progress", Stage::Progress(&progress)),
            ("result", Stage::Result(output)),
            ("rejected", Stage::Rejected),
            ("error", Stage::Error("it went wrong")),
        ];
        for (title, stage) in stages {
            let views: Vec<_> = views_of(call, stage).iter().map(describe).collect();
            write_details(&mut text, title, &views);
        }
        let group = [(call, Some(output)), (call, None)];
        let views = DETAILS.iter().map(|detail| self.tool.group_view(&group, *detail));
        let views: Vec<_> =
            views.map(|view| view.map_or_else(|| "(one by one)\n".into(), |view| describe(&view))).collect();
        write_details(&mut text, "group of two, one still running", &views);
        text
    }
}

/// Details that look the same are written once.
fn write_details(text: &mut String, title: &str, views: &[String]) {
    let _ = writeln!(text, "\n## {title}");
    let names = ["condensed", "verbose", "transcript"];
    let mut index = 0;
    while let Some(view) = views.get(index) {
        let same = views.iter().skip(index).take_while(|other| *other == view).count();
        let covered: Vec<_> = names.iter().skip(index).take(same).copied().collect();
        let _ = write!(text, "{}:\n{}", covered.join(", "), indented(view));
        index += same;
    }
}

fn indented(view: &str) -> String {
    view.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
}
