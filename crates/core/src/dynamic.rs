//! What a host sees of a tool: built-in, MCP, closure and WASM tools alike. Small and open, with cautious defaults.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;

use crate::{
    Content, ContextChange, Definition, Detail, Effects, Outcome, Progress, Subject, ToolContext, ToolError,
    Unavailable, Verdict, View,
};

/// A boxed future, boxed once, at the erased edge.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A tool as the host holds it.
pub trait DynTool: Send + Sync {
    /// All a model, a ranker or a rule needs to know of it. The same on every call.
    fn definition(&self) -> &Definition;

    /// Run time: may it be offered now?
    ///
    /// # Errors
    /// The reason why not.
    fn is_enabled(&self) -> Result<(), Unavailable> {
        Ok(())
    }

    /// JSON is read here and nowhere else. A stored call of an old session comes in by the same door.
    ///
    /// # Errors
    /// `InvalidInput`, with the field and what it should be.
    fn parse(self: Arc<Self>, input: Value) -> Result<Arc<dyn DynCall>, ToolError>;

    /// Several calls of this tool as one view.
    fn group_view(&self, calls: &[(&dyn DynCall, Option<&Value>)], detail: Detail) -> Option<View> {
        let _ = (calls, detail);
        None
    }
}

/// One parsed call, alive until its last view is drawn. The defaults are cautious, so that an open implementation is small.
pub trait DynCall: Any + Send + Sync {
    /// The input as it was understood: what hooks are shown, what the journal keeps.
    fn input(&self) -> &Value;

    /// What it may do. Default: destroys, alone.
    fn effects(&self) -> Effects {
        Effects::default()
    }

    /// What it touches. Default: the whole.
    fn subjects(&self, cx: &ToolContext) -> Vec<Subject> {
        let _ = cx;
        vec![Subject::Whole]
    }

    /// What the schema cannot say.
    fn validate<'a>(&'a self, cx: &'a ToolContext) -> BoxFuture<'a, Result<(), ToolError>> {
        let _ = cx;
        Box::pin(async { Ok(()) })
    }

    /// The tool's own opinion.
    fn check<'a>(&'a self, cx: &'a ToolContext) -> BoxFuture<'a, Verdict> {
        let _ = cx;
        Box::pin(async { Verdict::Defer })
    }

    /// Does the work.
    fn run<'a>(&'a self, cx: &'a ToolContext) -> BoxFuture<'a, Result<DynReply, ToolError>>;

    /// What a person sees at a stage. Default: the JSON.
    fn view(&self, stage: Stage<'_>, detail: Detail) -> View {
        let _ = detail;
        View::code(Some("json"), stage.words(self.input()))
    }

    /// A short text for a person.
    fn label(&self, label: Label<'_>) -> Option<String> {
        let _ = label;
        None
    }

    /// The text that is handed to an interpreter, where it is not the input's own. Recorded before the call runs.
    fn runs(&self, cx: &ToolContext) -> Option<String> {
        let _ = cx;
        None
    }

    /// Words for an outside safety classifier; empty skips the call there.
    fn classifier_text(&self) -> String {
        String::new()
    }
}

/// The moment of a call that is shown. The output is JSON, so that a live view and one rebuilt from a journal go one way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stage<'a> {
    /// Before and while it runs.
    Call,
    /// How far it is.
    Progress(&'a Progress),
    /// What came of it: the stored output.
    Result(&'a Value),
    /// Refused.
    Rejected,
    /// Went wrong: the message.
    Error(&'a str),
}

impl Stage<'_> {
    fn words(self, input: &Value) -> String {
        match self {
            Self::Result(output) => output.to_string(),
            Self::Error(message) => message.into(),
            Self::Progress(progress) => progress.message.clone().unwrap_or_default(),
            Self::Call | Self::Rejected => input.to_string(),
        }
    }
}

/// Which short text is wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Label<'a> {
    /// The tool's name for a person.
    PersonName,
    /// What is going on.
    Activity,
    /// What came of it: the stored output.
    Summary(&'a Value),
}

/// A reply whose output is JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct DynReply {
    /// Stored; views are rebuilt from it.
    pub output: Value,
    /// What the model reads.
    pub answer: Vec<Content>,
    /// Whether the model is told that it failed.
    pub outcome: Outcome,
    /// What the host should change.
    pub changes: Vec<ContextChange>,
}

impl DynReply {
    /// A success whose output and answer are one text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            output: Value::String(text.clone()),
            answer: vec![Content::text(text)],
            outcome: Outcome::Success,
            changes: Vec::new(),
        }
    }
}
