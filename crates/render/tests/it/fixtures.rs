//! Events and a call to draw.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{
    Block, BoxFuture, Content, Definition, Detail, DynCall, DynReply, DynTool, Effects, ErrorKind, Label,
    Message, Outcome, Role, Speaker, Stage, StopReason, ToolContext, ToolError, ToolInput, Usage, View,
};
use toolwright_engine::event::{EventBody, PoolTool, SessionEvent, ToolFinish};

/// A tool that looks at a thing.
pub(crate) struct Look(Definition);

impl Look {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(Definition::new("Look", "Looks.")))
    }
}

impl DynTool for Look {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn parse(self: Arc<Self>, input: Value) -> Result<Arc<dyn DynCall>, ToolError> {
        Ok(Arc::new(LookCall(input)))
    }

    fn group_view(&self, calls: &[(&dyn DynCall, Option<&Value>)], _: Detail) -> Option<View> {
        Some(View::Line(vec![
            (Role::Name, "Look".into()),
            (Role::Count, calls.len().to_string()),
            (Role::Plain, "things".into()),
        ]))
    }
}

struct LookCall(Value);

impl DynCall for LookCall {
    fn input(&self) -> &Value {
        &self.0
    }

    fn effects(&self) -> Effects {
        Effects::READ_ONLY
    }

    fn run<'a>(&'a self, _: &'a ToolContext) -> BoxFuture<'a, Result<DynReply, ToolError>> {
        Box::pin(async { Ok(DynReply::text("seen")) })
    }

    fn view(&self, stage: Stage<'_>, _: Detail) -> View {
        let thing = self.0["thing"].as_str().unwrap_or_default();
        match stage {
            Stage::Call => {
                View::Line(vec![(Role::Name, "Look".into()), (Role::Path, format!("/home/p/{thing}"))])
            }
            Stage::Rejected => {
                View::Line(vec![(Role::Muted, "not looked at:".into()), (Role::Path, thing.into())])
            }
            Stage::Progress(progress) => View::code(None, progress.tail.clone().unwrap_or_default()),
            Stage::Result(output) => View::code(None, output.as_str().unwrap_or_default()),
            Stage::Error(message) => View::words(Role::Error, message),
        }
    }

    fn label(&self, label: Label<'_>) -> Option<String> {
        match label {
            Label::PersonName => None,
            Label::Activity => Some(format!("Looking at {}", self.0["thing"].as_str().unwrap_or_default())),
            Label::Summary(_) => Some("seen".into()),
        }
    }
}

pub(crate) fn call(thing: &str) -> Arc<dyn DynCall> {
    Arc::new(LookCall(json!({"thing": thing})))
}

pub(crate) fn event(body: EventBody) -> SessionEvent {
    SessionEvent { v: 1, seq: 0, at: 1_000, agent: "main".into(), parent_tool_use_id: None, body }
}

pub(crate) fn started() -> SessionEvent {
    event(EventBody::Started {
        session_id: "s-1".into(),
        cwd: "/home/p".into(),
        model: "scripted:x".into(),
        mode: "default".into(),
        description: None,
    })
}

pub(crate) fn pool() -> SessionEvent {
    let tool = PoolTool { name: "Look".into(), hash: "h".into(), deferred: false };
    event(EventBody::Pool { tools: vec![tool] })
}

pub(crate) fn prompt() -> SessionEvent {
    event(EventBody::Prompt { message: Message::user("m-0", "look around") })
}

pub(crate) fn delta(text: &str) -> SessionEvent {
    event(EventBody::TextDelta { index: 0, text: text.into() })
}

/// What the model says, and the things it looks at: `(id, thing)`.
pub(crate) fn message(text: &str, uses: &[(&str, &str)]) -> SessionEvent {
    let mut content = Vec::new();
    if !text.is_empty() {
        content.push(Block::text(text));
    }
    content.extend(uses.iter().map(|(id, thing)| Block::ToolUse {
        id: (*id).into(),
        name: "Look".into(),
        input: ToolInput::Json(json!({"thing": thing})),
    }));
    let stop = if uses.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse };
    let message = Message { id: "m-1".into(), role: Speaker::Assistant, content, source_tool_use: None };
    event(EventBody::Message { message, stop: Some(stop), usage: Some(Usage::new(10, 5)) })
}

pub(crate) fn tool_started(id: &str, thing: &str) -> SessionEvent {
    event(EventBody::ToolStarted {
        tool_use_id: id.into(),
        tool: "Look".into(),
        input: json!({"thing": thing}),
        ran: None,
    })
}

pub(crate) fn tool_finished(id: &str, thing: &str, output: &str) -> SessionEvent {
    let result = ToolFinish {
        tool: "Look".into(),
        input: json!({"thing": thing}),
        output: output.into(),
        answer: vec![Content::text(output)],
        shortened: false,
        outcome: Outcome::Success,
        changes: Vec::new(),
        error: None,
    };
    event(EventBody::ToolFinished { tool_use_id: id.into(), result })
}

pub(crate) fn tool_failed(id: &str, thing: &str, kind: ErrorKind, message: &str) -> SessionEvent {
    let result = ToolFinish::error("Look", json!({"thing": thing}), kind, message);
    event(EventBody::ToolFinished { tool_use_id: id.into(), result })
}

pub(crate) fn finished(reason: &str, message: Option<&str>) -> SessionEvent {
    event(EventBody::Finished {
        reason: reason.into(),
        message: message.map(Into::into),
        usage: Usage::new(20, 10),
        requests: 2,
    })
}
