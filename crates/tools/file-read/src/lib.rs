//! Read: shows lines of a text file with their numbers, and marks the file as read, so that it may be changed. Reaches files
//! through `Files` alone.

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

/// The Read tool.
pub struct Read {
    files: Arc<dyn Files>,
}

register!(Read);

/// What the model gives.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The file: absolute, or relative to the working directory.
    #[schemars(extend("x-aliases" = ["path", "filename", "file"]))]
    pub file_path: String,
    /// The first line to show, from 1. Default: 1.
    #[serde(default)]
    pub offset: Option<u64>,
    /// How many lines to show. Default: 2000.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub limit: Option<u64>,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The file, absolute.
    pub path: PathBuf,
    /// The number of the first line shown.
    pub first_line: u64,
    /// How many lines are shown.
    pub lines: u64,
    /// The lines, each followed by LF.
    pub text: String,
    /// Lines that were cut because they are too long.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<Cut>,
    /// How many lines the file has, where that is known.
    pub total_lines: Option<u64>,
    /// Whether lines follow that are not shown.
    pub more: bool,
    /// The text encoding, where it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// A line that was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cut {
    /// Its number.
    pub line: u64,
    /// How many bytes were left out.
    pub omitted: u64,
}

impl std::fmt::Debug for Read {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Read").finish_non_exhaustive()
    }
}

impl Tool for Read {
    const NAME: &'static str = "Read";
    type Input = Input;
    type Output = Output;

    fn new(services: &Services) -> Result<Self, Unavailable> {
        Ok(Self { files: services.require::<dyn Files>()? })
    }

    fn effects(&self, _: &Input) -> Effects {
        Effects::READ_ONLY
    }

    fn subjects(&self, input: &Input, cx: &ToolContext) -> Vec<Subject> {
        vec![Subject::path(self.files.absolute(&cx.cwd, &input.file_path), PathAccess::Read)]
    }

    async fn validate(&self, input: &Input, _: &ToolContext) -> Result<(), ToolError> {
        let wrong = if input.file_path.is_empty() {
            "`file_path` is empty; give the path of a file"
        } else if input.limit == Some(0) {
            "`limit` is 0; give at least 1, or leave it out"
        } else {
            return Ok(());
        };
        Err(ToolError::new(ErrorKind::InvalidInput, wrong))
    }

    async fn call(&self, input: &Input, cx: &ToolContext) -> Result<Reply<Output>, ToolError> {
        let path = self.files.absolute(&cx.cwd, &input.file_path);
        let output = logic::read(&*self.files, path, input.offset, input.limit, &cx.cancel).await?;
        Ok(output.into())
    }
}
