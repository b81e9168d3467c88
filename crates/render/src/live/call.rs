//! One call on a terminal: its line while it runs, and what is printed when it is done.

use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{Detail, DynCall, ErrorKind, Label, Progress, Role, Stage, View};
use toolwright_engine::event::ToolFinish;

use super::FindTool;
use crate::line::{Line, Style};
use crate::view::{Layout, lines};

/// Columns before what came of a call.
const INDENT: usize = 2;

/// Lines of progress shown below a running call.
const TAIL_LINES: usize = 4;

/// Milliseconds a thing lasts before it is said how long.
const WORTH_SAYING: u64 = 2_000;

pub(super) struct ShownCall {
    id: String,
    tool: String,
    input: Value,
    call: Option<Arc<dyn DynCall>>,
    since: u64,
    decision: Option<String>,
    progress: Option<Progress>,
    result: Option<ToolFinish>,
    children: usize,
    child_activity: Option<String>,
}

impl ShownCall {
    pub(super) fn started(
        id: &str,
        tool: &str,
        input: &Value,
        call: Option<&Arc<dyn DynCall>>,
        now: u64,
    ) -> Self {
        Self {
            id: id.into(),
            tool: tool.into(),
            input: input.clone(),
            call: call.cloned(),
            since: now,
            decision: None,
            progress: None,
            result: None,
            children: 0,
            child_activity: None,
        }
    }

    /// What was decided about it, to be shown with it.
    pub(super) fn decided(self, decision: Option<String>) -> Self {
        Self { decision, ..self }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn tool(&self) -> &str {
        &self.tool
    }

    pub(super) const fn is_finished(&self) -> bool {
        self.result.is_some()
    }

    pub(super) fn progress(&mut self, progress: &Progress) {
        self.progress = Some(progress.clone());
    }

    /// The call as it ran may differ from the one that was shown: a hook may have rewritten it.
    pub(super) fn finished(&mut self, result: &ToolFinish, call: Option<&Arc<dyn DynCall>>) {
        if let Some(call) = call {
            self.call = Some(Arc::clone(call));
        }
        self.result = Some(result.clone());
    }

    /// A subagent that this call spawned made a call.
    pub(super) fn child(&mut self, tool: &str, call: Option<&Arc<dyn DynCall>>) {
        self.children += 1;
        let activity = call.and_then(|call| call.label(Label::Activity));
        self.child_activity = Some(activity.unwrap_or_else(|| tool.into()));
    }

    /// Its lines in the moving region.
    pub(super) fn running_lines(&self, frame: usize, now: u64, layout: &Layout) -> Vec<Line> {
        let activity = self.call.as_ref().and_then(|call| call.label(Label::Activity));
        let activity = activity.unwrap_or_else(|| format!("Running {}", self.tool));
        if let Some(result) = &self.result {
            let summary = self.call.as_ref().and_then(|call| call.label(Label::Summary(&result.output)));
            let line = mark(Some(result)).and(Style::Role(Role::Muted), &one_line(&activity));
            let line = match summary {
                Some(summary) => line.and(Style::Gutter, &format!(" · {}", one_line(&summary))),
                None => line,
            };
            return vec![line];
        }
        let mut line = Line::of(Style::Role(Role::Count), &format!("{} ", spinner(frame)));
        line = line.and(Style::Role(Role::Plain), &one_line(&activity));
        if let Some(Progress { done, total: Some(total), .. }) = &self.progress {
            line = line.and(Style::Gutter, &format!(" {done}/{total}"));
        }
        // A tool that reports how far it is says more than a count of calls.
        if self.children > 0 && self.progress.is_none() {
            let calls = if self.children == 1 { "1 call" } else { &format!("{} calls", self.children) };
            let doing = self.child_activity.as_deref().map(one_line).unwrap_or_default();
            line = line.and(Style::Gutter, &format!(" · {calls} · {doing}"));
        }
        let mut lines = vec![line.and(Style::Gutter, &elapsed(self.since, now))];
        if let (Some(call), Some(progress)) = (&self.call, &self.progress) {
            let view = call.view(Stage::Progress(progress), Detail::Condensed);
            let rows = indented(&view, &Layout { fold: Some(TAIL_LINES), ..layout.clone() });
            lines.extend(rows.into_iter().take(TAIL_LINES + 1));
        }
        lines
    }

    /// What is printed when it is done.
    fn done_lines(&self, detail: Detail, layout: &Layout) -> Vec<Line> {
        let denied = self.result.as_ref().is_some_and(|result| result.error == Some(ErrorKind::Denied));
        let stage = if denied { Stage::Rejected } else { Stage::Call };
        // What came of a call shows the rest of it: an edit's change would stand there twice.
        let head_detail = if detail == Detail::Transcript { detail } else { Detail::Condensed };
        let head = match &self.call {
            Some(call) => call.view(stage, head_detail),
            None => View::Line(vec![
                (Role::Name, self.tool.clone()),
                (Role::Muted, if self.input.is_null() { String::new() } else { self.input.to_string() }),
            ]),
        };
        let mut rows = marked(&mark(self.result.as_ref()), &head, layout);
        if let Some(decision) = &self.decision {
            rows.extend(indented(&View::words(Role::Muted, decision), layout));
        }
        match &self.result {
            Some(result) => rows.extend(indented(&self.result_view(result, detail), layout)),
            None => rows.extend(indented(&View::words(Role::Warning, "not finished"), layout)),
        }
        rows
    }

    fn result_view(&self, result: &ToolFinish, detail: Detail) -> View {
        let answer: Vec<_> = result.answer.iter().filter_map(|content| content.as_text()).collect();
        let answer = answer.join("\n");
        match (result.error, &self.call) {
            (Some(ErrorKind::Denied), _) => View::words(Role::Warning, answer),
            (Some(_), Some(call)) => call.view(Stage::Error(&answer), detail),
            (Some(_), None) => View::words(Role::Error, answer),
            (None, Some(call)) => call.view(Stage::Result(&result.output), detail),
            (None, None) => View::code(None, answer),
        }
    }
}

/// Whether a call may be drawn with others as one: it changes nothing, and it did not go wrong.
pub(super) fn can_group(shown: &ShownCall) -> bool {
    let went_well = shown.result.as_ref().is_none_or(|result| result.error.is_none());
    went_well && shown.call.as_ref().is_some_and(|call| call.effects().is_read_only())
}

/// What is printed of calls beside each other: one block where their tool draws them as one, a block each otherwise.
pub(super) fn unit_lines(
    unit: &[ShownCall],
    find_tool: Option<&FindTool>,
    detail: Detail,
    layout: &Layout,
) -> Vec<Vec<Line>> {
    match group_view(unit, find_tool, detail) {
        Some(view) => {
            let result = unit.iter().find_map(|shown| shown.result.as_ref());
            vec![marked(&mark(result), &view, layout)]
        }
        None => unit.iter().map(|shown| shown.done_lines(detail, layout)).collect(),
    }
}

fn group_view(unit: &[ShownCall], find_tool: Option<&FindTool>, detail: Detail) -> Option<View> {
    let first = unit.first().filter(|_| unit.len() > 1 && unit.iter().all(can_group))?;
    let tool = find_tool?(&first.tool)?;
    let mut calls = Vec::with_capacity(unit.len());
    for shown in unit {
        let output = shown.result.as_ref().map(|result| &result.output);
        calls.push((&**shown.call.as_ref()?, output));
    }
    // A tool may draw a group in few words only.
    tool.group_view(&calls, detail).or_else(|| tool.group_view(&calls, Detail::Condensed))
}

/// The mark before a call: how it went.
fn mark(result: Option<&ToolFinish>) -> Line {
    match result {
        Some(result) if result.error == Some(ErrorKind::Denied) => Line::of(Style::Role(Role::Warning), "⊘ "),
        Some(result) if result.outcome.is_failure() => Line::of(Style::Role(Role::Error), "✗ "),
        Some(_) => Line::of(Style::Success, "● "),
        None => Line::of(Style::Role(Role::Warning), "○ "),
    }
}

fn marked(mark: &Line, view: &View, layout: &Layout) -> Vec<Line> {
    let rows = lines(view, &layout.narrower(INDENT));
    if rows.is_empty() {
        return vec![mark.clone()];
    }
    let blank = blank();
    rows.into_iter()
        .enumerate()
        .map(|(index, row)| row.after(if index == 0 { mark } else { &blank }))
        .collect()
}

fn indented(view: &View, layout: &Layout) -> Vec<Line> {
    let blank = blank();
    lines(view, &layout.narrower(INDENT)).into_iter().map(|row| row.after(&blank)).collect()
}

fn blank() -> Line {
    Line::of(Style::Gutter, "  ")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn spinner(frame: usize) -> char {
    const FRAMES: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
    FRAMES.get(frame % FRAMES.len()).copied().unwrap_or('·')
}

/// How long something lasts, where that is worth saying.
pub(super) fn elapsed(since: u64, now: u64) -> String {
    let lasted = now.saturating_sub(since);
    if lasted < WORTH_SAYING {
        return String::new();
    }
    let seconds = lasted / 1_000;
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!(" {seconds}s"),
        (minutes, seconds) => format!(" {minutes}m {seconds:02}s"),
    }
}
