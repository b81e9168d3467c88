//! Hooks around a call and a prompt, as a seam: what runs them (a command, another program) is the host's.

use std::path::Path;

use serde_json::Value;
use toolwright_core::BoxFuture;
use toolwright_engine::event::ToolFinish;
use toolwright_permissions::{HookVerdict, Mode};

use crate::Session;

/// Asked before and after every call, and when a person sends a prompt.
pub trait Hooks: Send + Sync {
    /// Whether any hook would be asked about calls of `tool`. Cheap: asked for every call, and a call no hook cares about
    /// may start while the model still speaks.
    fn cares_about(&self, tool: &str) -> bool;

    /// Before a call is validated and decided. May rewrite the input: it is then parsed, validated and decided as if the
    /// model had written it.
    fn before<'a>(&'a self, call: HookCall<'a>) -> BoxFuture<'a, BeforeCall>;

    /// After a call, with its result as the model will read it; also of one that failed.
    fn after<'a>(&'a self, call: HookCall<'a>, result: &'a ToolFinish) -> BoxFuture<'a, AfterCall>;

    /// A person sent a prompt; not asked about what an agent tells its subagents. Default: it goes on as it is.
    fn prompted<'a>(&'a self, at: Occasion<'a>, prompt: &'a str) -> BoxFuture<'a, OnPrompt> {
        let _ = (at, prompt);
        Box::pin(async { OnPrompt::default() })
    }
}

/// Where a hook is asked, and for whom.
#[derive(Debug, Clone, Copy)]
pub struct Occasion<'a> {
    /// The session.
    pub session: &'a Session,
    /// The agent.
    pub agent_id: &'a str,
    /// Where the agent works.
    pub cwd: &'a Path,
    /// The agent's permission mode.
    pub mode: Mode,
}

/// The call a hook is asked about.
#[derive(Debug, Clone, Copy)]
pub struct HookCall<'a> {
    /// Where.
    pub at: Occasion<'a>,
    /// The tool use.
    pub tool_use_id: &'a str,
    /// The tool's name.
    pub tool: &'a str,
    /// The canonical input.
    pub input: &'a Value,
}

/// What hooks said before a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BeforeCall {
    /// Their opinion, the strictest of all.
    pub verdict: HookVerdict,
    /// Another input to use.
    pub input: Option<Value>,
    /// Text for the model, added to the call's answer.
    pub context: Option<String>,
    /// The call is refused and the turn ends; says why.
    pub stop: Option<String>,
    /// Sentences for a person.
    pub notices: Vec<String>,
}

/// What hooks said after a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AfterCall {
    /// Text for the model, added to the call's answer.
    pub context: Option<String>,
    /// The turn ends; says why.
    pub stop: Option<String>,
    /// Sentences for a person.
    pub notices: Vec<String>,
}

/// What hooks said to a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OnPrompt {
    /// It is not sent; says why.
    pub block: Option<String>,
    /// Text for the model, sent with it.
    pub context: Option<String>,
    /// Sentences for a person.
    pub notices: Vec<String>,
}

/// No hooks.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoHooks;

impl Hooks for NoHooks {
    fn cares_about(&self, _: &str) -> bool {
        false
    }

    fn before<'a>(&'a self, _: HookCall<'a>) -> BoxFuture<'a, BeforeCall> {
        Box::pin(async { BeforeCall::default() })
    }

    fn after<'a>(&'a self, _: HookCall<'a>, _: &'a ToolFinish) -> BoxFuture<'a, AfterCall> {
        Box::pin(async { AfterCall::default() })
    }
}
