//! The agent's own Glob. `registration!` makes its entry and links nothing, so that it does not clash with ours.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Deserialize;
use toolwright_core::{
    Content, Effects, Prompt, Reply, Services, Tool, ToolContext, ToolError, Ui, Unavailable, registration,
};

/// Finds nothing, wherever it looks.
#[derive(Debug)]
pub struct Glob;

/// What the model gives.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The pattern to match.
    pub pattern: String,
}

registration!(Glob);

impl Tool for Glob {
    const NAME: &'static str = "Glob";
    type Input = Input;
    type Output = String;

    fn new(_services: &Services) -> Result<Self, Unavailable> {
        Ok(Self)
    }

    fn effects(&self, _input: &Input) -> Effects {
        Effects::READ_ONLY
    }

    async fn call(&self, input: &Input, _context: &ToolContext) -> Result<Reply<String>, ToolError> {
        Ok(format!("nothing matches {} here", input.pattern).into())
    }
}

impl Prompt for Glob {
    fn description(&self) -> Cow<'static, str> {
        "Finds nothing.".into()
    }

    fn answer(&self, output: &String) -> Vec<Content> {
        vec![Content::text(output)]
    }
}

impl Ui for Glob {}
