//! NotebookEdit: replaces, inserts or deletes one cell of a Jupyter notebook, and leaves every other byte of the file as it
//! is. Reaches files through `Files` alone; runs no cell.

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

/// The NotebookEdit tool.
#[derive(Debug)]
pub struct NotebookEdit {
    files: Arc<dyn Files>,
}

register!(NotebookEdit);

/// What the model gives.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The notebook (`.ipynb`): absolute, or relative to the working directory.
    #[schemars(extend("x-aliases" = ["file_path", "path", "notebook", "file"]))]
    pub notebook_path: String,
    /// The cell, by the id Read shows. With `insert`: the new cell goes after it; left out: to the top.
    #[serde(default)]
    #[schemars(extend("x-aliases" = ["cell", "id"]))]
    pub cell_id: Option<String>,
    /// The whole new source. Not needed with `delete`.
    #[serde(default)]
    #[schemars(extend("x-aliases" = ["source", "content"]))]
    pub new_source: Option<String>,
    /// Needed with `insert`; with `replace`, changes the cell's type.
    #[serde(default)]
    pub cell_type: Option<CellType>,
    /// Default: replace.
    #[serde(default)]
    #[schemars(extend("x-aliases" = ["mode"]))]
    pub edit_mode: EditMode,
}

/// What kind of cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "their names say it, and words here would be the model's to read")]
pub enum CellType {
    Code,
    Markdown,
    Raw,
}

/// What is done with the cell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "their names say it, and words here would be the model's to read")]
pub enum EditMode {
    #[default]
    Replace,
    Insert,
    Delete,
}

/// What was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The notebook, absolute.
    pub path: PathBuf,
    /// What was done.
    pub edit_mode: EditMode,
    /// The cell's name: its id, or `cell-N`.
    pub cell: String,
    /// Its type now (before, where it was deleted).
    pub cell_type: String,
    /// Its place from 0 (before, where it was deleted).
    pub place: usize,
    /// How many cells there are now.
    pub cells: usize,
    /// The name of the cell it was put after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Outputs of the old source were removed.
    #[serde(default)]
    pub outputs_cleared: bool,
    /// Cells that have no id of their own and are called by another place now.
    #[serde(default)]
    pub renumbered: usize,
    /// What changed in the cell's source.
    pub patch: Patch,
}

impl Tool for NotebookEdit {
    const NAME: &'static str = "NotebookEdit";
    type Input = Input;
    type Output = Output;

    fn new(services: &Services) -> Result<Self, Unavailable> {
        Ok(Self { files: services.require::<dyn Files>()? })
    }

    fn effects(&self, _: &Input) -> Effects {
        Effects::WRITES
    }

    fn subjects(&self, input: &Input, cx: &ToolContext) -> Vec<Subject> {
        vec![Subject::path(self.files.absolute(&cx.cwd, &input.notebook_path), PathAccess::Write)]
    }

    async fn validate(&self, input: &Input, _: &ToolContext) -> Result<(), ToolError> {
        logic::validate(input)
    }

    async fn call(&self, input: &Input, cx: &ToolContext) -> Result<Reply<Output>, ToolError> {
        let files = self.files.for_call(cx);
        let path = files.absolute(&cx.cwd, &input.notebook_path);
        let change = logic::change(input)?;
        Ok(logic::edit(&*files, path, logic::cell_id(input), &change, &cx.cancel).await?.into())
    }

    fn classifier_text(&self, input: &Input) -> String {
        format!("{}\n{}", input.notebook_path, input.new_source.as_deref().unwrap_or_default())
    }
}

impl Output {
    /// `code cell`, or `cell` where it has no type.
    fn kind(&self) -> String {
        format!("{} cell", self.cell_type).trim_start().into()
    }
}

impl CellType {
    const fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Markdown => "markdown",
            Self::Raw => "raw",
        }
    }
}
