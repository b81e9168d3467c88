//! A tool of another author: counts the words of a text. Knows the contract, and nothing else of the workspace.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwright_core::{
    Content, Effects, Example, Prompt, Reply, Services, Tool, ToolContext, ToolError, Ui, Unavailable,
    register,
};

/// Counts words.
#[derive(Debug)]
pub struct WordCount;

/// What the model gives.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The text to count.
    pub text: String,
}

/// How many there are.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// Words, as whitespace parts them.
    pub words: usize,
}

register!(WordCount);

impl Tool for WordCount {
    const NAME: &'static str = "WordCount";
    type Input = Input;
    type Output = Output;

    fn new(_services: &Services) -> Result<Self, Unavailable> {
        Ok(Self)
    }

    fn effects(&self, _input: &Input) -> Effects {
        Effects::READ_ONLY
    }

    async fn call(&self, input: &Input, _context: &ToolContext) -> Result<Reply<Output>, ToolError> {
        Ok(Output { words: input.text.split_whitespace().count() }.into())
    }
}

impl Prompt for WordCount {
    fn description(&self) -> Cow<'static, str> {
        "Counts the words of a text.".into()
    }

    fn answer(&self, output: &Output) -> Vec<Content> {
        vec![Content::text(output.words.to_string())]
    }

    fn examples() -> &'static [Example] {
        &[Example { title: "two words", input: r#"{"text": "two words"}"# }]
    }
}

impl Ui for WordCount {}
