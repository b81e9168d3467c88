//! Agent: gives a task to a subagent and answers with what it said last. How an agent is driven is the host's matter; that a
//! subagent may no more than its parent is as well.

mod logic;
mod prompt;
mod ui;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwright_core::{
    Effects, Reply, Services, Subject, Tool, ToolContext, ToolError, Unavailable, register,
};
use toolwright_services::{AgentKind, AgentSpawner};

/// The Agent tool.
#[derive(Debug)]
pub struct Agent {
    spawner: Arc<dyn AgentSpawner>,
    kinds: Vec<AgentKind>,
}

register!(Agent);

/// What the model gives.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The task in three to five words.
    #[schemars(extend("x-aliases" = ["title"]))]
    pub description: String,
    /// The task, whole.
    #[schemars(extend("x-aliases" = ["task"]))]
    pub prompt: String,
    /// The type. Default: general-purpose.
    #[serde(default)]
    #[schemars(extend("x-aliases" = ["type", "agent_type", "agent"]))]
    pub subagent_type: Option<String>,
    /// Another model for it. Default: yours.
    #[serde(default)]
    pub model: Option<String>,
}

/// What the subagent came back with.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// Its id: its events in the session carry it.
    pub agent_id: String,
    /// What it said last.
    pub text: String,
    /// How many tools it used.
    pub tool_uses: u64,
    /// Tokens its model read anew.
    pub input_tokens: u64,
    /// Tokens its model wrote.
    pub output_tokens: u64,
    /// Tokens its model read from the vendor's cache.
    #[serde(default)]
    pub cache_read_input_tokens: u64,
    /// Tokens its model wrote into the vendor's cache.
    #[serde(default)]
    pub cache_creation_input_tokens: u64,
}

impl Tool for Agent {
    const NAME: &'static str = "Agent";
    /// Settings written for other programs call it so.
    const ALIASES: &'static [&'static str] = &["Task"];
    type Input = Input;
    type Output = Output;

    fn new(services: &Services) -> Result<Self, Unavailable> {
        let spawner = services.require::<dyn AgentSpawner>()?;
        let kinds = spawner.kinds();
        Ok(Self { spawner, kinds })
    }

    fn is_enabled(&self) -> Result<(), Unavailable> {
        match self.kinds.as_slice() {
            [] => Err(Unavailable("this host has no kind of subagent".into())),
            _ => Ok(()),
        }
    }

    fn effects(&self, _: &Input) -> Effects {
        Effects::DELEGATES
    }

    fn subjects(&self, input: &Input, _: &ToolContext) -> Vec<Subject> {
        vec![Subject::Name(logic::kind_name(&self.kinds, input.subagent_type.as_deref()))]
    }

    async fn validate(&self, input: &Input, _: &ToolContext) -> Result<(), ToolError> {
        logic::check(&self.kinds, input)
    }

    async fn call(&self, input: &Input, cx: &ToolContext) -> Result<Reply<Output>, ToolError> {
        logic::check(&self.kinds, input)?;
        let report = self.spawner.spawn(logic::request(&self.kinds, input), cx).await?;
        Ok(logic::output(report).into())
    }
}
