//! Subagents: agents of the same session with their own services, pool and conversation, and never more rights than the agent
//! that asks. Their events are in the session's journal under their own id.

mod kinds;

use std::sync::{Arc, Mutex, PoisonError};

use toolwright_core::{Block, BoxFuture, ErrorKind, Services, ToolContext, ToolError};
use toolwright_engine::Ending;
use toolwright_model::Model;
use toolwright_permissions::Mode;
use toolwright_services::{AgentKind, AgentReport, AgentRequest, AgentSpawner};

use crate::{Agent, AgentOptions, Session};
use kinds::{GENERAL, KINDS, Kind};

/// Spawns agents for one agent.
pub(crate) struct Subagents {
    pub(crate) session: Arc<Session>,
    /// What the parent was given, before its own conversation was added.
    pub(crate) services: Services,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) mode: SharedMode,
}

/// An agent's mode, as those it spawns see it when they begin.
#[derive(Debug, Clone)]
pub(crate) struct SharedMode(Arc<Mutex<Mode>>);

impl SharedMode {
    pub(crate) fn new(mode: Mode) -> Self {
        Self(Arc::new(Mutex::new(mode)))
    }

    pub(crate) fn get(&self) -> Mode {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set(&self, mode: Mode) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = mode;
    }
}

impl AgentSpawner for Subagents {
    fn kinds(&self) -> Vec<AgentKind> {
        KINDS
            .iter()
            .map(|kind| AgentKind { name: kind.name.into(), when_to_use: kind.when_to_use.into() })
            .collect()
    }

    fn spawn<'a>(
        &'a self,
        request: AgentRequest,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, Result<AgentReport, ToolError>> {
        Box::pin(async move {
            let kind = find_kind(request.kind.as_deref())?;
            let model = match &request.model {
                None => Arc::clone(&self.model),
                Some(name) => (self.session.options.find_model)(name)
                    .map_err(|reason| ToolError::new(ErrorKind::InvalidInput, reason))?,
            };
            let id = format!("agent-{}", cx.call_id);
            let mode = self.mode.get();
            let options = AgentOptions {
                id: id.clone(),
                parent_tool_use_id: Some(cx.call_id.to_string()),
                description: Some(request.description),
                services: self.services.fork(),
                model,
                mode: mode.for_subagent(kind.mode),
                cwd: cx.cwd.to_path_buf(),
                allowed_tools: kind.tools.map(|tools| tools.iter().map(|name| (*name).into()).collect()),
            };
            let mut agent = Agent::new(Arc::clone(&self.session), options);
            agent.may_ask = mode != Mode::DontAsk;
            agent.spawned_by = Some(cx.clone());
            let mut prompt = vec![kind.prompt.trim_end().to_owned()];
            prompt.extend(self.session.options.subagent_context.iter().cloned());
            agent.begin(prompt).map_err(|error| failed("could not be started", &error))?;
            let report = agent.prompt(vec![Block::text(request.prompt)], &cx.cancel).await;
            let report = report.map_err(|error| failed("broke off", &error))?;
            let tool_uses =
                agent.state().messages.iter().map(|message| message.tool_uses().count()).sum::<usize>();
            match report.ending {
                Ending::Done if !report.text.trim().is_empty() => Ok(AgentReport {
                    agent_id: id,
                    text: report.text,
                    tool_uses: u64::try_from(tool_uses).unwrap_or(u64::MAX),
                    usage: report.usage,
                }),
                ending => Err(no_answer(&ending, &report.text)),
            }
        })
    }
}

fn find_kind(name: Option<&str>) -> Result<&'static Kind, ToolError> {
    let Some(name) = name else { return Ok(&GENERAL) };
    KINDS.iter().find(|kind| kind.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
        let text = format!("there is no subagent type `{name}`; there are {}", names.join(", "));
        ToolError::new(ErrorKind::InvalidInput, text)
    })
}

fn failed(what: &str, error: &crate::RuntimeError) -> ToolError {
    ToolError::new(ErrorKind::Failed, format!("the subagent {what}: {error}"))
}

fn no_answer(ending: &Ending, text: &str) -> ToolError {
    let (kind, why) = match ending {
        Ending::Interrupted => (ErrorKind::Cancelled, "was interrupted".into()),
        Ending::Failed(how) => (ErrorKind::Failed, format!("failed: {how}")),
        Ending::HookStopped(why) => (ErrorKind::Denied, format!("was ended by a hook: {why}")),
        Ending::Repeating => (
            ErrorKind::Failed,
            "made the same call again and again with the same result, and was ended".into(),
        ),
        Ending::MaxRequests => (ErrorKind::Failed, "used up its requests before it was done".into()),
        Ending::OutputLimit => (ErrorKind::Failed, "was cut by the output limit".into()),
        Ending::ContextFull => (ErrorKind::Failed, "filled its context before it was done".into()),
        Ending::Refused => (ErrorKind::Failed, "declined the task".into()),
        _ => (ErrorKind::Failed, "ended without an answer".into()),
    };
    let said = if text.trim().is_empty() { String::new() } else { format!("\n\nIt said last:\n{text}") };
    ToolError::new(kind, format!("The subagent {why}. What it did until then may have taken effect.{said}"))
}
