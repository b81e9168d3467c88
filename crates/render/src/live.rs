//! A session on a terminal: text as it comes, a line for each call while it runs, what came of it when it is done.
//!
//! What is done is printed once and scrolls away; what is going on is a region at the bottom that is drawn again. Knows no
//! clock (the host says how late it is) and no terminal but a writer and its width.

mod call;
mod flow;
mod screen;

use std::collections::{HashMap, VecDeque};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{Block, Detail, DynCall, DynTool, Role, Speaker};
use toolwright_engine::event::{EventBody, MAIN_AGENT, SessionEvent, Step};

use crate::line::{Line, Paint, Style};
use crate::view::Layout;
use call::{ShownCall, can_group, unit_lines};
use flow::Flow;
use screen::Screen;

/// Finds a tool by its name: only tools can draw several calls as one.
pub type FindTool = Box<dyn Fn(&str) -> Option<Arc<dyn DynTool>> + Send>;

/// How a session is shown.
#[derive(Debug, Clone)]
pub struct LiveOptions {
    /// Whether colours are used.
    pub paint: Paint,
    /// Whether the writer is a terminal that can be drawn on again. Without it each thing is printed once, when it is done.
    pub redraw: bool,
    /// How much of calls and results is shown.
    pub detail: Detail,
    /// Whether the session, decisions and costs are shown too.
    pub facts: bool,
    /// Lines of one block above which the rest is folded.
    pub fold: Option<usize>,
    /// The working directory: paths are shown relative to it.
    pub cwd: PathBuf,
}

/// Draws a session as it goes. A writer that fails is written to no more; the session goes on.
pub struct Live<W: Write> {
    screen: Screen<W>,
    options: LiveOptions,
    find_tool: Option<FindTool>,
    flow: Flow,
    streamed: bool,
    /// What was decided about calls that have not begun.
    decisions: HashMap<String, String>,
    calls: Vec<ShownCall>,
    /// The calls of the newest message that were not printed yet, in order.
    expected: VecDeque<Expected>,
    /// Whether a message is being written: calls that start early wait for it, to be shown in its order.
    writing: bool,
    status: Option<(String, u64)>,
    /// What failed, when it is tried again, and until when: in milliseconds since 1970.
    retrying: Option<(String, u64, Option<u64>)>,
    now: u64,
    frame: usize,
    last: Last,
}

struct Expected {
    id: String,
    tool: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Text,
    ShortCall,
    LongCall,
}

impl<W: Write> Live<W> {
    /// Draws to `writer`, which is as wide as `width` says; that is asked before each drawing.
    pub fn new(writer: W, width: impl Fn() -> Option<usize> + Send + 'static, options: LiveOptions) -> Self {
        Self {
            screen: Screen::new(writer, Box::new(width), options.paint, options.redraw),
            options,
            find_tool: None,
            flow: Flow::default(),
            streamed: false,
            decisions: HashMap::new(),
            calls: Vec::new(),
            expected: VecDeque::new(),
            writing: false,
            status: None,
            retrying: None,
            now: 0,
            frame: 0,
            last: Last::Nothing,
        }
    }

    /// Lets calls beside each other be drawn as one.
    #[must_use]
    pub fn with_tools(mut self, find_tool: FindTool) -> Self {
        self.find_tool = Some(find_tool);
        self
    }

    /// Shows an event. `call` is the parsed call of a tool event.
    pub fn event(&mut self, event: &SessionEvent, call: Option<&Arc<dyn DynCall>>) {
        self.now = self.now.max(event.at);
        let layout = self.layout();
        if event.agent == MAIN_AGENT {
            self.main_event(&event.body, call, &layout);
        } else if let (Some(parent), EventBody::ToolStarted { tool, .. }) =
            (&event.parent_tool_use_id, &event.body)
            && let Some(parent) = self.calls.iter_mut().find(|shown| shown.id() == parent)
        {
            parent.child(tool, call);
        }
        self.draw(&layout);
    }

    /// Draws the moving parts again. `now` in milliseconds since 1970.
    pub fn tick(&mut self, now: u64) {
        if !self.options.redraw {
            return;
        }
        self.now = self.now.max(now);
        self.frame += 1;
        self.draw(&self.layout());
    }

    /// Prints lines of the host's own above what is going on.
    pub fn print(&mut self, lines: &[Line]) {
        self.screen.print(lines);
        self.last = Last::LongCall;
        self.draw(&self.layout());
    }

    /// Takes the moving parts away and draws nothing until [`resume`](Self::resume): a person is being asked.
    pub fn suspend(&mut self) {
        self.screen.suspend();
    }

    /// Goes on drawing.
    pub fn resume(&mut self) {
        self.screen.resume();
        self.last = Last::LongCall;
        self.draw(&self.layout());
    }

    /// The run is over: prints what is left and takes the moving parts away.
    pub fn finish(&mut self) {
        let layout = self.layout();
        self.screen.end_suspension();
        self.end_text(&layout);
        self.writing = false;
        self.status = None;
        self.retrying = None;
        self.print_calls(&layout, true);
        self.screen.draw(&[]);
    }

    /// Where lines fit now.
    #[must_use]
    pub fn layout(&self) -> Layout {
        Layout { width: self.screen.width(), fold: self.options.fold, cwd: self.options.cwd.clone() }
    }

    fn main_event(&mut self, body: &EventBody, call: Option<&Arc<dyn DynCall>>, layout: &Layout) {
        self.retrying = None;
        match body {
            EventBody::Started { session_id, model, mode, .. } if self.options.facts => {
                let words = format!("session {session_id} · model {model} · mode {mode}");
                self.screen.print(&[Line::of(Style::Role(Role::Muted), &words)]);
                self.last = Last::LongCall;
            }
            EventBody::Prompt { .. } => self.wait("Waiting for the model"),
            EventBody::TextDelta { text, .. } => {
                self.status = None;
                self.writing = true;
                self.streamed = true;
                self.text(text, layout);
            }
            EventBody::ThinkingDelta { .. } => {
                self.writing = true;
                self.wait("Thinking");
            }
            EventBody::Message { message, .. } if message.role == Speaker::Assistant => {
                if !std::mem::take(&mut self.streamed) {
                    self.text(&message.text(), layout);
                }
                self.end_text(layout);
                self.status = None;
                self.writing = false;
                self.print_calls_of_a_lost_message(&message.content, layout);
                self.print_calls(layout, false);
            }
            EventBody::Decision { tool_use_id, step, rule, reason, outcome } if self.options.facts => {
                let rule = rule.as_ref().map(|rule| format!(" by `{rule}`")).unwrap_or_default();
                self.decisions.insert(
                    tool_use_id.clone(),
                    format!("{outcome}{rule}{}: {reason}", step_in_words(*step)),
                );
            }
            EventBody::ToolStarted { tool_use_id, tool, input, ran } => {
                self.status = None;
                let differs = |ran: &&String| {
                    let written = input.as_object().into_iter().flat_map(|fields| fields.values());
                    written.filter_map(|value| value.as_str()).all(|text| text.trim() != ran.trim())
                };
                if let Some(ran) = ran.as_ref().filter(|_| self.options.facts).filter(differs) {
                    let words = format!("it runs as:\n{ran}");
                    let decision = self.decisions.remove(tool_use_id);
                    let words = decision.map_or_else(|| words.clone(), |said| format!("{said}\n{words}"));
                    self.decisions.insert(tool_use_id.clone(), words);
                }
                self.start(tool_use_id, tool, input, call);
            }
            EventBody::ToolProgress { tool_use_id, progress } => {
                if let Some(shown) = self.calls.iter_mut().find(|shown| shown.id() == tool_use_id) {
                    shown.progress(progress);
                }
            }
            EventBody::ToolFinished { tool_use_id, result } => {
                if !self.calls.iter().any(|shown| shown.id() == tool_use_id) {
                    self.start(tool_use_id, &result.tool, &result.input, call);
                }
                if let Some(shown) = self.calls.iter_mut().find(|shown| shown.id() == tool_use_id) {
                    shown.finished(result, call);
                }
                self.print_calls(layout, false);
                if self.calls.is_empty() && self.expected.is_empty() {
                    self.wait("Waiting for the model");
                }
            }
            EventBody::Retrying { wait_ms, left_ms, text, .. } if self.options.redraw => {
                let at = |milliseconds: u64| self.now.saturating_add(milliseconds);
                self.retrying = Some((text.clone(), at(*wait_ms), left_ms.map(at)));
            }
            EventBody::Notice { .. } | EventBody::Retrying { .. } => {
                let text = body.notice().unwrap_or_default();
                self.end_text(layout);
                self.screen.print(&[
                    Line::of(Style::Role(Role::Warning), "! ").and(Style::Role(Role::Warning), &text)
                ]);
                self.last = Last::LongCall;
            }
            EventBody::Compacted { .. } => {
                let words = "What came before is a summary to the model now.";
                self.screen.print(&[Line::of(Style::Role(Role::Muted), words)]);
                self.last = Last::LongCall;
                self.wait("Waiting for the model");
            }
            EventBody::Finished { usage, requests, .. } => {
                self.finish();
                if self.options.facts {
                    let words = format!(
                        "{requests} requests · {} tokens read, {} written",
                        usage.context_tokens(),
                        usage.output_tokens
                    );
                    self.screen.print(&[Line::of(Style::Role(Role::Muted), &words)]);
                }
            }
            _ => {}
        }
    }

    fn start(&mut self, id: &str, tool: &str, input: &Value, call: Option<&Arc<dyn DynCall>>) {
        let decision = self.decisions.remove(id);
        self.calls.push(ShownCall::started(id, tool, input, call, self.now).decided(decision));
    }

    fn wait(&mut self, what: &str) {
        if self.status.as_ref().is_none_or(|(status, _)| status != what) {
            self.status = Some((what.into(), self.now));
        }
    }

    fn text(&mut self, text: &str, layout: &Layout) {
        let text = if self.flow.is_empty() && self.last != Last::Text {
            text.trim_start_matches('\n')
        } else {
            text
        };
        if text.is_empty() {
            return;
        }
        if !matches!(self.last, Last::Nothing | Last::Text) {
            self.screen.print(&[Line::default()]);
        }
        self.last = Last::Text;
        let rows = self.flow.push(text, layout.width);
        self.screen.print(&rows);
    }

    fn end_text(&mut self, layout: &Layout) {
        let rows = self.flow.end(layout.width);
        self.screen.print(&rows);
    }

    /// A message that was lost half-way takes its early calls with it: they are printed as they ended.
    fn print_calls_of_a_lost_message(&mut self, content: &[Block], layout: &Layout) {
        self.expected = content
            .iter()
            .filter_map(|block| match block {
                Block::ToolUse { id, name, .. } => Some(Expected { id: id.clone(), tool: name.clone() }),
                _ => None,
            })
            .collect();
        let is_expected = |shown: &ShownCall| self.expected.iter().any(|expected| expected.id == shown.id());
        let (kept, lost): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.calls).into_iter().partition(is_expected);
        self.calls = kept;
        for shown in lost {
            self.print_unit(&[shown], layout);
        }
    }

    /// Prints what is finished, in the order of the message. Calls beside each other that may be one view wait for each other.
    fn print_calls(&mut self, layout: &Layout, even_unfinished: bool) {
        while !self.writing
            && let Some(first) = self.expected.front()
        {
            let tool = first.tool.clone();
            let run = self.expected.iter().take_while(|expected| expected.tool == tool).count();
            let finished = |expected: &Expected| {
                self.calls.iter().find(|shown| shown.id() == expected.id && shown.is_finished())
            };
            let run_is_grouped = run > 1
                && self.find_tool.is_some()
                && self.calls.iter().filter(|shown| shown.tool() == tool).all(can_group);
            let wanted = if run_is_grouped && !even_unfinished { run } else { 1 };
            let ready = self.expected.iter().take(wanted).map_while(finished).count();
            if ready < wanted && !even_unfinished {
                return;
            }
            let ids: Vec<_> = self.expected.drain(..wanted).map(|expected| expected.id).collect();
            let (unit, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.calls)
                .into_iter()
                .partition(|shown| ids.iter().any(|id| id == shown.id()));
            self.calls = rest;
            let mut unit = unit;
            unit.sort_by_key(|shown| ids.iter().position(|id| id == shown.id()));
            if !unit.is_empty() {
                self.print_unit(&unit, layout);
            }
        }
        if even_unfinished {
            for shown in std::mem::take(&mut self.calls) {
                self.print_unit(&[shown], layout);
            }
        }
    }

    fn print_unit(&mut self, unit: &[ShownCall], layout: &Layout) {
        for lines in unit_lines(unit, self.find_tool.as_ref(), self.options.detail, layout) {
            let this = if lines.len() > 2 { Last::LongCall } else { Last::ShortCall };
            if matches!(
                (self.last, this),
                (Last::Text | Last::LongCall, _) | (Last::ShortCall, Last::LongCall)
            ) {
                self.screen.print(&[Line::default()]);
            }
            self.screen.print(&lines);
            self.last = this;
        }
    }

    fn draw(&mut self, layout: &Layout) {
        if !self.options.redraw {
            return;
        }
        let mut region = Vec::new();
        region.extend(self.flow.row());
        for shown in &self.calls {
            region.extend(shown.running_lines(self.frame, self.now, layout));
        }
        if let Some((text, next, end)) = self.retrying.as_ref().filter(|(_, next, _)| *next > self.now) {
            let seconds = |until: u64| until.saturating_sub(self.now).div_ceil(1000);
            let mut words =
                format!("{} {text}. Trying again in {} s", call::spinner(self.frame), seconds(*next));
            if let Some(end) = end {
                words.push_str(&format!(", for {} s at most", seconds(*end)));
            }
            region.push(Line::of(Style::Role(Role::Warning), &words));
        } else if let Some((status, since)) = &self.status {
            let mut line = Line::of(Style::Gutter, &format!("{} {status}", call::spinner(self.frame)));
            line = line.and(Style::Gutter, &call::elapsed(*since, self.now));
            region.push(line);
        }
        self.screen.draw(&region);
    }
}

impl<W: Write> std::fmt::Debug for Live<W> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Live").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Which step of the order decided, where the reason does not say so itself.
fn step_in_words(step: Option<Step>) -> &'static str {
    match step {
        Some(Step::Unreadable) => " (not analysable)",
        Some(Step::NeedsPerson) => " (only a person may allow it)",
        Some(Step::Mode) => " (by the mode)",
        Some(Step::ProtectedPlace) => " (protected place)",
        Some(Step::ReadOnly) => " (reading)",
        Some(
            Step::BlockingHook
            | Step::DenyRule
            | Step::AskRule
            | Step::AllowRule
            | Step::AcceptEdits
            | Step::Nothing,
        )
        | None => "",
    }
}
