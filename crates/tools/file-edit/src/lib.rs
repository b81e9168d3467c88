//! Edit: replaces one piece of a text file, or every occurrence of it. Reaches files through `Files` alone.

mod logic;
mod prompt;
mod ui;

use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwright_core::{
    Effects, PathAccess, Reply, Services, Subject, Tool, ToolContext, ToolError, Unavailable, register,
};
use toolwright_services::Files;
use toolwright_workspace::patch::Patch;

pub use logic::Aid;

/// The Edit tool.
#[derive(Debug)]
pub struct Edit {
    files: Arc<dyn Files>,
    settings: Settings,
}

/// The setting `edit`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Settings {
    /// Only the exact text is replaced; what is near is shown.
    strict: bool,
    /// How large a file may be: `Files` sees to it, and it stands here so that a misspelt key is found.
    max_file_bytes: Option<u64>,
}

register!(Edit);

/// What the model gives.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The file: absolute, or relative to the working directory.
    #[schemars(extend("x-aliases" = ["path", "filename", "file"]))]
    pub file_path: String,
    /// The text to replace, exactly as it stands in the file. Empty: creates the file.
    #[schemars(extend("x-aliases" = ["old_str", "old_text", "old"]))]
    pub old_string: String,
    /// The text to put in its place.
    #[schemars(extend("x-aliases" = ["new_str", "new_text", "new"]))]
    pub new_string: String,
    /// Replace every occurrence. Default: false.
    #[serde(default)]
    pub replace_all: bool,
}

/// What was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The file, absolute.
    pub path: PathBuf,
    /// The file was made, or was empty before.
    pub created: bool,
    /// How many occurrences were replaced.
    pub replaced: usize,
    /// What changed.
    pub patch: Patch,
    /// What differed between the text asked for and the one place it was found at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aid: Option<Aid>,
}

impl Tool for Edit {
    const NAME: &'static str = "Edit";
    type Input = Input;
    type Output = Output;

    fn new(services: &Services) -> Result<Self, Unavailable> {
        let settings = services.environment().settings("edit")?;
        Ok(Self { files: services.require::<dyn Files>()?, settings })
    }

    fn effects(&self, _: &Input) -> Effects {
        Effects::WRITES
    }

    fn subjects(&self, input: &Input, cx: &ToolContext) -> Vec<Subject> {
        vec![Subject::path(self.files.absolute(&cx.cwd, &input.file_path), PathAccess::Write)]
    }

    async fn validate(&self, input: &Input, _: &ToolContext) -> Result<(), ToolError> {
        logic::validate(&input.file_path, &input.old_string, &input.new_string)
    }

    async fn call(&self, input: &Input, cx: &ToolContext) -> Result<Reply<Output>, ToolError> {
        let files = self.files.for_call(cx);
        let path = files.absolute(&cx.cwd, &input.file_path);
        let output = if input.old_string.is_empty() {
            logic::create(&*files, path, &input.new_string, &cx.cancel).await?
        } else {
            let change = logic::Change {
                old: &input.old_string,
                new: &input.new_string,
                replace_all: input.replace_all,
                strict: self.settings.strict,
            };
            logic::edit(&*files, path, &change, &cx.cancel).await?
        };
        Ok(output.into())
    }

    fn classifier_text(&self, input: &Input) -> String {
        format!("{}\n{}", input.file_path, input.new_string)
    }
}
