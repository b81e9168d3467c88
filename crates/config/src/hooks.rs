//! The shape of hooks in settings, as typed data. Runs none.

use std::sync::Arc;
use std::time::Duration;

use jsonc_parser::ast;
use toolwright_permissions::Source;

use crate::ConfigError;
use crate::json::Document;
use crate::keys;

/// A command to run when something happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// When.
    pub event: HookEvent,
    /// For which tools, as a pattern over their names; none or empty: for all.
    pub matcher: Option<String>,
    /// A shell text.
    pub command: String,
    /// How long it may take; none: as the host sees fit.
    pub timeout: Option<Duration>,
    /// Where it was read.
    pub source: Arc<Source>,
    /// The line there, from 1.
    pub line: u32,
}

/// When a hook runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HookEvent {
    /// Before a tool is called; may block, allow or rewrite.
    PreToolUse,
    /// After a tool did its work.
    PostToolUse,
    /// Before a person is asked for permission.
    PermissionRequest,
    /// A person sent a prompt.
    UserPromptSubmit,
    /// Something wants attention.
    Notification,
    /// The agent is about to end its turn.
    Stop,
    /// A subagent begins.
    SubagentStart,
    /// A subagent is about to end.
    SubagentStop,
    /// Before a conversation is shortened.
    PreCompact,
    /// A session begins or is resumed.
    SessionStart,
    /// A session ends.
    SessionEnd,
}

impl HookEvent {
    /// All events.
    pub const ALL: [Self; 11] = [
        Self::PreToolUse,
        Self::PostToolUse,
        Self::PermissionRequest,
        Self::UserPromptSubmit,
        Self::Notification,
        Self::Stop,
        Self::SubagentStart,
        Self::SubagentStop,
        Self::PreCompact,
        Self::SessionStart,
        Self::SessionEnd,
    ];

    /// The name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::PermissionRequest => "PermissionRequest",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::Notification => "Notification",
            Self::Stop => "Stop",
            Self::SubagentStart => "SubagentStart",
            Self::SubagentStop => "SubagentStop",
            Self::PreCompact => "PreCompact",
            Self::SessionStart => "SessionStart",
            Self::SessionEnd => "SessionEnd",
        }
    }
}

/// Reads `{ "PreToolUse": [ { "matcher": "Bash", "hooks": [ { "type": "command", "command": ".." } ] } ] }`. What is
/// known elsewhere and not here is a warning; what has the wrong shape is an error.
pub(crate) fn read(
    document: &Document<'_>,
    value: &ast::Value<'_>,
    source: &Arc<Source>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Hook>, ConfigError> {
    let ast::Value::Object(events) = value else {
        return Err(document.not_a(value, "hooks", "an object of events"));
    };
    let mut hooks = Vec::new();
    for property in &events.properties {
        let name = property.name.as_str();
        let Some(event) = HookEvent::ALL.into_iter().find(|event| event.name() == name) else {
            let names = HookEvent::ALL.map(HookEvent::name);
            let meant = keys::nearest(name, &names)
                .map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            let line = document.line(property);
            warnings.push(format!(
                "{}:{line}: `hooks.{name}` is no event, its hooks never run{meant}",
                document.name
            ));
            continue;
        };
        let key = format!("hooks.{name}");
        for group in list(document, &property.value, &key)? {
            let ast::Value::Object(group) = group else {
                return Err(document.not_a(group, &key, "a list of objects with `matcher` and `hooks`"));
            };
            let matcher = text(document, group, "matcher", &key)?;
            let Some(commands) = group.get("hooks") else {
                return Err(document.wrong(group, &key, "has an entry without `hooks`"));
            };
            for command in list(document, &commands.value, &key)? {
                hooks.extend(read_one(document, command, &key, event, matcher.as_deref(), source, warnings)?);
            }
        }
    }
    Ok(hooks)
}

fn read_one(
    document: &Document<'_>,
    value: &ast::Value<'_>,
    key: &str,
    event: HookEvent,
    matcher: Option<&str>,
    source: &Arc<Source>,
    warnings: &mut Vec<String>,
) -> Result<Option<Hook>, ConfigError> {
    let ast::Value::Object(object) = value else {
        return Err(document.not_a(value, key, "a list of objects with `type` and `command`"));
    };
    let line = document.line(object);
    let hook_type = text(document, object, "type", key)?.unwrap_or_else(|| "command".into());
    if hook_type != "command" {
        let name = &document.name;
        warnings.push(format!("{name}:{line}: a hook of the type `{hook_type}` does not run; use `command`"));
        return Ok(None);
    }
    let command = text(document, object, "command", key)?
        .ok_or_else(|| document.wrong(object, key, "has a hook without `command`"))?;
    let timeout = match object.get("timeout").map(|property| &property.value) {
        None => None,
        Some(value) => {
            let seconds = value.as_number_lit().and_then(|number| number.value.parse::<f64>().ok());
            let timeout = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            Some(
                timeout
                    .ok_or_else(|| document.not_a(value, &format!("{key}.timeout"), "a number of seconds"))?,
            )
        }
    };
    let source = Arc::clone(source);
    Ok(Some(Hook { event, matcher: matcher.map(str::to_owned), command, timeout, source, line }))
}

fn list<'v, 't>(
    document: &Document<'_>,
    value: &'v ast::Value<'t>,
    key: &str,
) -> Result<&'v [ast::Value<'t>], ConfigError> {
    match value {
        ast::Value::Array(array) => Ok(&array.elements),
        other => Err(document.not_a(other, key, "a list")),
    }
}

fn text(
    document: &Document<'_>,
    object: &ast::Object<'_>,
    name: &str,
    key: &str,
) -> Result<Option<String>, ConfigError> {
    match object.get(name).map(|property| &property.value) {
        None => Ok(None),
        Some(ast::Value::StringLit(text)) => Ok(Some(text.value.clone().into_owned())),
        Some(other) => Err(document.not_a(other, &format!("{key}.{name}"), "a text")),
    }
}
