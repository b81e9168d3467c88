//! The three traits a tool author implements on one type. Not object-safe on purpose: erasure is the host's matter.

use std::borrow::Cow;
use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{
    Content, Detail, Effects, Environment, Progress, Reply, Role, Services, Subject, ToolContext, ToolError,
    Unavailable, Verdict, View,
};

/// What a tool does: names, types and wiring in `lib.rs`, the work itself on plain values in `logic.rs`.
///
/// Every default is the cautious answer, so that a tool that says nothing about itself is asked about, runs alone and is
/// taken to destroy.
///
/// What is costly to derive from an input is kept in it: `#[serde(skip)] analysis: OnceLock<Analysis>`. Other spellings of
/// a field are `#[schemars(extend("x-aliases" = ["path"]))]`, never `serde(alias)`: rules and hooks must see one name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool yet: `impl Tool for {Self}` is missing",
    note = "a tool implements `Tool` (lib.rs), `Prompt` (prompt.rs) and `Ui` (ui.rs)"
)]
pub trait Tool: Sized + Send + Sync + 'static {
    /// The name the model calls: a letter, then letters, digits, `_` or `-`, at most 64 in all (checked when compiled).
    const NAME: &'static str;
    /// Other names a stored session or a rule may use for it.
    const ALIASES: &'static [&'static str] = &[];
    /// What the model gives. Use `#[serde(deny_unknown_fields)]`; doc comments become the schema's words.
    type Input: DeserializeOwned + JsonSchema + Send + Sync + 'static;
    /// What the call produces: stored as JSON, and the source of the answer and of every view.
    type Output: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static;

    /// Takes the capabilities it needs.
    ///
    /// # Errors
    /// When one is missing: the tool is not offered, and `tools --explain` gives the reason.
    fn new(services: &Services) -> Result<Self, Unavailable>;

    /// Does the work. Ends soon after `cx.cancel` is cancelled, with what it has.
    ///
    /// # Errors
    /// What could not be done at all; a command that ran and failed is a [`Reply`] with `Outcome::Failure`.
    fn call(
        &self,
        input: &Self::Input,
        cx: &ToolContext,
    ) -> impl Future<Output = Result<Reply<Self::Output>, ToolError>> + Send;

    /// Load time: may this tool exist in this environment? Asked before [`new`](Self::new).
    ///
    /// # Errors
    /// The reason why not.
    fn when(environment: &Environment) -> Result<(), Unavailable> {
        let _ = environment;
        Ok(())
    }

    /// Run time: may it be offered now? Asked whenever a pool is assembled.
    ///
    /// # Errors
    /// The reason why not.
    fn is_enabled(&self) -> Result<(), Unavailable> {
        Ok(())
    }

    /// What this call may do. Default: destroys and runs alone.
    fn effects(&self, input: &Self::Input) -> Effects {
        let _ = input;
        Effects::default()
    }

    /// What this call touches. Default: one subject for the entire call, which only a rule that names the tool without a
    /// specifier allows.
    fn subjects(&self, input: &Self::Input, cx: &ToolContext) -> Vec<Subject> {
        let _ = (input, cx);
        vec![Subject::Whole]
    }

    /// What the schema cannot say: checked after parsing and before anybody is asked. Must not change anything.
    ///
    /// # Errors
    /// What is wrong with the input, and what would be right.
    fn validate(
        &self,
        input: &Self::Input,
        cx: &ToolContext,
    ) -> impl Future<Output = Result<(), ToolError>> + Send {
        let _ = (input, cx);
        async { Ok(()) }
    }

    /// The tool's own opinion of this call. It can tighten a decision and never loosens a rule. Default: none.
    fn check(&self, input: &Self::Input, cx: &ToolContext) -> impl Future<Output = Verdict> + Send {
        let _ = (input, cx);
        async { Verdict::Defer }
    }

    /// The text that this call hands to an interpreter, where it is not the input's own (see [`Authority`](crate::Authority)): recorded before
    /// the call runs. Default: none.
    fn runs(&self, input: &Self::Input, cx: &ToolContext) -> Option<String> {
        let _ = (input, cx);
        None
    }

    /// Words about this call for an outside safety classifier. Default: empty, which skips the call there.
    fn classifier_text(&self, input: &Self::Input) -> String {
        let _ = input;
        String::new()
    }
}

/// What the model reads (`prompt.rs`). Asked once a pool: the words are pinned for the session, because the prompt cache
/// depends on them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has nothing for the model: `impl Prompt for {Self}` is missing",
    note = "put it in prompt.rs; `description` and `answer` are required"
)]
pub trait Prompt: Tool {
    /// What the tool is for and how to use it. No clock, no path of this machine: the bytes must not move.
    fn description(&self) -> Cow<'static, str>;

    /// What the model reads of an output.
    fn answer(&self, output: &Self::Output) -> Vec<Content>;

    /// A paragraph for the system prompt, where the description is not the place.
    fn guidance(&self) -> Option<Cow<'static, str>> {
        None
    }

    /// Words a search for this tool may use and its name and description lack.
    fn search_hint(&self) -> &'static str {
        ""
    }

    /// Whether the model sees it from the start.
    fn loading(&self) -> Loading {
        Loading::Always
    }

    /// Characters of answer text above which the host stores the whole and shows a preview; media do not count.
    /// `usize::MAX`: the tool bounds itself.
    fn answer_limit(&self) -> usize {
        30_000
    }

    /// Example calls: documentation, and run by `contract_tests!`.
    fn examples() -> &'static [Example] {
        &[]
    }
}

/// An example call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// What it shows.
    pub title: &'static str,
    /// The input as JSON. `{cwd}` stands for the working directory.
    pub input: &'static str,
}

/// When a tool's definition is put before the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Loading {
    /// From the start.
    Always,
    /// Once a search revealed it.
    Deferred,
    /// Only where a host asks for it by name (MCP resources, structured output).
    OnRequest,
}

/// What a person sees (`ui.rs`): six views and three short texts. Roles and words, never colours or widths.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has nothing for people: `impl Ui for {Self}` is missing",
    note = "`impl Ui for {Self} {{}}` takes the default views"
)]
pub trait Ui: Tool {
    /// The call, before and while it runs.
    fn call_view(&self, input: &Self::Input, detail: Detail) -> View {
        let _ = (input, detail);
        View::words(Role::Name, Self::NAME)
    }

    /// How far it is.
    fn progress_view(&self, input: &Self::Input, progress: &Progress, detail: Detail) -> View {
        let _ = (input, detail);
        View::words(Role::Muted, progress.message.clone().unwrap_or_default())
    }

    /// What came of it.
    fn result_view(&self, input: &Self::Input, output: &Self::Output, detail: Detail) -> View {
        let _ = (input, detail);
        View::code(Some("json"), serde_json::to_string_pretty(output).unwrap_or_default())
    }

    /// The call, refused.
    fn rejected_view(&self, input: &Self::Input, detail: Detail) -> View {
        self.call_view(input, detail)
    }

    /// What went wrong.
    fn error_view(&self, input: &Self::Input, message: &str, detail: Detail) -> View {
        let _ = (input, detail);
        View::words(Role::Error, message)
    }

    /// Several calls beside each other as one, with the outputs there are so far. `None`: show them one by one.
    fn group_view(&self, calls: &[(&Self::Input, Option<&Self::Output>)], detail: Detail) -> Option<View> {
        let _ = (calls, detail);
        None
    }

    /// The tool's name for a person, for this call.
    fn person_name(&self, input: &Self::Input) -> String {
        let _ = input;
        Self::NAME.into()
    }

    /// What is going on, in a few words: `Reading src/main.rs`.
    fn activity(&self, input: &Self::Input) -> String {
        let _ = input;
        format!("Running {}", Self::NAME)
    }

    /// What came of it, in a few words: `120 lines`.
    fn summary(&self, input: &Self::Input, output: &Self::Output) -> Option<String> {
        let _ = (input, output);
        None
    }
}
