//! Hooks around a call, as a seam: what runs them (a command, another program) is the host's.

use serde_json::Value;
use toolwright_core::{BoxFuture, Content, Outcome};
use toolwright_permissions::HookVerdict;

/// Asked before and after every call.
pub trait Hooks: Send + Sync {
    /// Whether any hook would be asked about calls of `tool`. Cheap: asked for every call, and a call no hook cares about
    /// may start while the model still speaks.
    fn cares_about(&self, tool: &str) -> bool;

    /// Before a call is validated and decided. May rewrite the input: it is then parsed, validated and decided as if the
    /// model had written it.
    fn before<'a>(&'a self, call: HookCall<'a>) -> BoxFuture<'a, BeforeCall>;

    /// After a call, with what the model will read. Adds text for the model, or nothing.
    fn after<'a>(
        &'a self,
        call: HookCall<'a>,
        answer: &'a [Content],
        outcome: Outcome,
    ) -> BoxFuture<'a, Option<String>>;
}

/// The call a hook is asked about.
#[derive(Debug, Clone, Copy)]
pub struct HookCall<'a> {
    /// The tool use.
    pub tool_use_id: &'a str,
    /// The agent.
    pub agent_id: &'a str,
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

    fn after<'a>(&'a self, _: HookCall<'a>, _: &'a [Content], _: Outcome) -> BoxFuture<'a, Option<String>> {
        Box::pin(async { None })
    }
}
