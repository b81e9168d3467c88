//! Write: makes a text file, or replaces one that was read. Reaches files through `Files` alone.

mod logic;
mod prompt;
mod ui;

use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwright_core::{
    Effects, ErrorKind, PathAccess, Reply, Services, Subject, Tool, ToolContext, ToolError, Unavailable,
    register,
};
use toolwright_services::Files;
use toolwright_workspace::patch::Patch;

/// The Write tool.
#[derive(Debug)]
pub struct Write {
    files: Arc<dyn Files>,
}

register!(Write);

/// What the model gives.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The file: absolute, or relative to the working directory. Missing folders are made.
    #[schemars(extend("x-aliases" = ["path", "filename", "file"]))]
    pub file_path: String,
    /// The whole text of the file.
    #[schemars(extend("x-aliases" = ["contents", "text", "file_text"]))]
    pub content: String,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The file, absolute.
    pub path: PathBuf,
    /// There was no such file before.
    pub created: bool,
    /// How many lines it has now.
    pub lines: usize,
    /// What changed in a file that was there.
    pub patch: Patch,
    /// How the text is stored, where that is not plain UTF-8 with LF: kept from the file that was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored_as: Option<String>,
}

impl Tool for Write {
    const NAME: &'static str = "Write";
    type Input = Input;
    type Output = Output;

    fn new(services: &Services) -> Result<Self, Unavailable> {
        Ok(Self { files: services.require::<dyn Files>()? })
    }

    fn effects(&self, _: &Input) -> Effects {
        Effects::WRITES
    }

    fn subjects(&self, input: &Input, cx: &ToolContext) -> Vec<Subject> {
        vec![Subject::path(self.files.absolute(&cx.cwd, &input.file_path), PathAccess::Write)]
    }

    async fn validate(&self, input: &Input, _: &ToolContext) -> Result<(), ToolError> {
        let wrong = if input.file_path.is_empty() {
            "`file_path` is empty; give the path of a file"
        } else if input.file_path.ends_with('/') {
            "`file_path` ends in a slash, which names a folder; give the path of a file"
        } else if input.content.contains('\0') {
            "`content` has a NUL character, with which no program takes the file for a text; write such bytes with a command"
        } else {
            return Ok(());
        };
        Err(ToolError::new(ErrorKind::InvalidInput, wrong))
    }

    async fn call(&self, input: &Input, cx: &ToolContext) -> Result<Reply<Output>, ToolError> {
        let files = self.files.for_call(cx);
        let path = files.absolute(&cx.cwd, &input.file_path);
        Ok(logic::write(&*files, path, &input.content, &cx.cancel).await?.into())
    }

    fn classifier_text(&self, input: &Input) -> String {
        format!("{}\n{}", input.file_path, input.content)
    }
}
