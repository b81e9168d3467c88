//! Hooks that are commands: each is a bash text that reads one JSON object and answers with its exit code and what it prints.
//! Reads no settings: which commands there are is the host's to say.
//!
//! A hook gets `session_id`, `transcript_path`, `cwd`, `permission_mode`, `hook_event_name`, `agent_id` and what its event is
//! about (`tool_name`, `tool_input`, `tool_use_id`, `tool_response`; `prompt`) on standard input. All that match are run side
//! by side, and the strictest answer wins. What they may answer is said in [`answer`].
//!
//! A hook that fails never allows anything: it has no say, the rules decide, and a person is told. One that does not answer (it is
//! too slow, is killed, cannot be started, prints what cannot be read) is taken to object: the call needs a person.

mod answer;
mod combine;
mod matcher;

use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolwright_core::{BoxFuture, Cancel, Environment};
use toolwright_engine::event::ToolFinish;
use toolwright_process::{Capture, Process, ProcessError, Streams, Variables, bash_outside};

use crate::hooks::{AfterCall, BeforeCall, HookCall, Hooks, Occasion, OnPrompt};
use answer::Answer;
use matcher::Matcher;

/// The time limit of a hook without `timeout`.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Bytes of each of its outputs that are read: room for the rewritten input of a large file.
const MOST_OUTPUT: usize = 4 << 20;

/// A command to run when something happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandHook {
    /// When.
    pub event: CommandEvent,
    /// For which tools: a name, `A|B`, a regular expression that is looked for in the name; none, empty or `*`: all.
    pub matcher: Option<String>,
    /// A bash text.
    pub command: String,
    /// How long it may take; none: 60 seconds.
    pub timeout: Option<Duration>,
    /// Where it was configured, for messages: a file and line.
    pub origin: String,
}

/// When a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandEvent {
    /// Before a call; may refuse, allow, ask or rewrite it.
    PreToolUse,
    /// After a call that succeeded; may tell the model something.
    PostToolUse,
    /// A person sent a prompt; may keep it back or add to it.
    UserPromptSubmit,
}

impl CommandEvent {
    /// Its name, as hooks are told it.
    const fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::UserPromptSubmit => "UserPromptSubmit",
        }
    }
}

/// Why hooks cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HookError {
    /// Going on would skip what the hook forbids.
    #[error(
        "{origin}: the hook's matcher `{matcher}` is no pattern; write a tool's name, `A|B`, `*`, or a regular expression \
         without look-around: {source}"
    )]
    Matcher {
        /// Where it was configured.
        origin: String,
        /// As written.
        matcher: String,
        /// What is wrong with it.
        source: Box<regex::Error>,
    },
}

/// Runs commands as hooks.
pub struct CommandHooks {
    hooks: Vec<(Matcher, CommandHook)>,
    variables: Variables,
    project: PathBuf,
}

impl CommandHooks {
    /// These commands, in order, with the variables of `environment` but the agent's own secrets, and `CLAUDE_PROJECT_DIR`
    /// and `TOOLWRIGHT_PROJECT_DIR` naming `project`.
    ///
    /// # Errors
    /// When a matcher cannot be read.
    pub fn new(
        hooks: Vec<CommandHook>,
        environment: &Environment,
        project: &Path,
    ) -> Result<Self, HookError> {
        let read = |hook: CommandHook| match Matcher::new(hook.matcher.as_deref()) {
            Ok(matcher) => Ok((matcher, hook)),
            Err(source) => {
                let CommandHook { origin, matcher, .. } = hook;
                Err(HookError::Matcher {
                    origin,
                    matcher: matcher.unwrap_or_default(),
                    source: Box::new(source),
                })
            }
        };
        let folder = project.to_string_lossy();
        let variables = Variables::inherited(&environment.variables)
            .with("CLAUDE_PROJECT_DIR", folder.clone())
            .with("TOOLWRIGHT_PROJECT_DIR", folder);
        let hooks = hooks.into_iter().map(read).collect::<Result<_, _>>()?;
        Ok(Self { hooks, variables, project: project.into() })
    }

    /// The hooks of an event, each command once.
    fn matching(&self, event: CommandEvent, tool: Option<&str>) -> Vec<&CommandHook> {
        let mut found: Vec<&CommandHook> = Vec::new();
        for (matcher, hook) in &self.hooks {
            let fits = hook.event == event && tool.is_none_or(|tool| matcher.fits(tool));
            if fits && !found.iter().any(|other| other.command == hook.command) {
                found.push(hook);
            }
        }
        found
    }

    async fn ask(
        &self,
        event: CommandEvent,
        tool: Option<&str>,
        at: Occasion<'_>,
        about: Value,
    ) -> Vec<Answer> {
        let hooks = self.matching(event, tool);
        if hooks.is_empty() {
            return Vec::new();
        }
        let told = told(event, at, about);
        join_all(hooks.into_iter().map(|hook| self.run(hook, at.cwd, told.clone()))).await
    }

    async fn run(&self, hook: &CommandHook, cwd: &Path, told: Vec<u8>) -> Answer {
        let limit = hook.timeout.unwrap_or(TIME_LIMIT);
        // A call may have taken the folder away, and the project with it; hooks are not switched off by that.
        let folders = std::iter::once(cwd).chain(self.project.ancestors());
        let folder = folders.into_iter().find(|folder| folder.is_dir()).unwrap_or(Path::new("/"));
        // A hook is the person's word about the project: it is not handed to a shell that the project brought.
        let inside = |file: &Path| file.starts_with(&self.project) || file.starts_with(folder);
        let Some(shell) = bash_outside(self.variables.get("PATH"), &inside) else {
            return answer::of(hook, limit, Err(ProcessError::NotFound { program: "bash".into() }));
        };
        let ended = Process::bash(&hook.command, folder, self.variables.clone())
            .file(shell)
            .stdin(told)
            .streams(Streams::Separate)
            .capture(Capture { head: MOST_OUTPUT, tail: 0, ..Capture::default() })
            .time_limit(limit)
            .run(&Cancel::default())
            .await;
        answer::of(hook, limit, ended)
    }
}

impl Hooks for CommandHooks {
    fn cares_about(&self, tool: &str) -> bool {
        self.hooks.iter().any(|(matcher, hook)| match hook.event {
            CommandEvent::PreToolUse | CommandEvent::PostToolUse => matcher.fits(tool),
            CommandEvent::UserPromptSubmit => false,
        })
    }

    fn before<'a>(&'a self, call: HookCall<'a>) -> BoxFuture<'a, BeforeCall> {
        Box::pin(async move {
            let about = json!({
                "tool_name": call.tool,
                "tool_input": call.input,
                "tool_use_id": call.tool_use_id,
            });
            combine::before(self.ask(CommandEvent::PreToolUse, Some(call.tool), call.at, about).await)
        })
    }

    fn after<'a>(&'a self, call: HookCall<'a>, result: &'a ToolFinish) -> BoxFuture<'a, AfterCall> {
        Box::pin(async move {
            if result.outcome.is_failure() {
                return AfterCall::default();
            }
            // What has no structured output answers in words.
            let response = if result.output.is_null() { json!(result.answer) } else { result.output.clone() };
            let about = json!({
                "tool_name": call.tool,
                "tool_input": call.input,
                "tool_use_id": call.tool_use_id,
                "tool_response": response,
            });
            combine::after(self.ask(CommandEvent::PostToolUse, Some(call.tool), call.at, about).await)
        })
    }

    fn prompted<'a>(&'a self, at: Occasion<'a>, prompt: &'a str) -> BoxFuture<'a, OnPrompt> {
        Box::pin(async move {
            let about = json!({"prompt": prompt});
            combine::prompted(self.ask(CommandEvent::UserPromptSubmit, None, at, about).await)
        })
    }
}

/// What a hook reads.
fn told(event: CommandEvent, at: Occasion<'_>, about: Value) -> Vec<u8> {
    let mut told = json!({
        "session_id": at.session.id(),
        "transcript_path": at.session.transcript().unwrap_or_default(),
        "cwd": at.cwd,
        "permission_mode": at.mode.name(),
        "hook_event_name": event.name(),
        "agent_id": at.agent_id,
    });
    if let (Value::Object(told), Value::Object(about)) = (&mut told, about) {
        told.extend(about);
    }
    // Scripts read lines.
    format!("{told}\n").into_bytes()
}

impl std::fmt::Debug for CommandHooks {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hooks: Vec<_> = self.hooks.iter().map(|(_, hook)| hook).collect();
        formatter.debug_struct("CommandHooks").field("hooks", &hooks).finish_non_exhaustive()
    }
}
