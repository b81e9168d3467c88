//! Read: shows lines of a text file with their numbers, cells of a notebook, a picture, or the text of a PDF's pages, and
//! marks the file as read, so that it may be changed. Reaches files through `Files` alone.

mod logic;
mod output;
mod prompt;
mod ui;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use toolwright_core::{
    Effects, ErrorKind, PathAccess, Reply, Services, Subject, Tool, ToolContext, ToolError, Unavailable,
    register,
};
use toolwright_services::{Apart, Conversation, Files};

use logic::{Limits, Means, Shown, Wanted};
pub use output::{Cut, Image, Media, Notebook, Output, PagePicture, Part, Pdf, Text, Unchanged};

/// The Read tool.
pub struct Read {
    files: Arc<dyn Files>,
    /// Without it nothing is known to be still shown, and everything is shown again.
    conversation: Option<Arc<dyn Conversation>>,
    apart: Option<Arc<dyn Apart>>,
    shown: Shown,
    limits: Limits,
}

register!(Read);

/// What the model gives.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The file: absolute, or relative to the working directory.
    #[schemars(extend("x-aliases" = ["path", "filename", "file"]))]
    pub file_path: String,
    /// The first line (of a notebook: cell) to show, from 1. Default: 1.
    #[serde(default)]
    pub offset: Option<u64>,
    /// How many lines (cells) to show. Default: 2000 lines.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub limit: Option<u64>,
    /// Pages of a PDF: `3`, `1-5` or `7-`. Default: the first 20.
    #[serde(default)]
    pub pages: Option<String>,
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
        Ok(Self {
            files: services.require::<dyn Files>()?,
            conversation: services.require::<dyn Conversation>().ok(),
            apart: services.require::<dyn Apart>().ok(),
            shown: Shown::default(),
            limits: services.environment().settings("read")?,
        })
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
            return Wanted::of(input).map(|_| ());
        };
        Err(ToolError::new(ErrorKind::InvalidInput, wrong))
    }

    async fn call(&self, input: &Input, cx: &ToolContext) -> Result<Reply<Output>, ToolError> {
        let files = self.files.for_call(cx);
        let path = files.absolute(&cx.cwd, &input.file_path);
        let wanted = Wanted::of(input)?;
        let means = Means { files: &*files, apart: self.apart.as_deref(), limits: self.limits };
        let output = logic::read(means, path, wanted, &cx.cancel).await?;
        let still_shows = |id: &str| self.conversation.as_ref().is_some_and(|seen| seen.still_shows(id));
        Ok(self.shown.or_unchanged(output, wanted, &cx.call_id, still_shows).into())
    }
}
