//! The contract between an agent and its tools. Tool crates, ours and third parties', depend on this crate alone
//! (and on `toolwright-services` for capabilities, `toolwright-testkit` for tests).
//!
//! A tool is one type with three traits: [`Tool`] is what it does, [`Prompt`] what the model reads, [`Ui`] what a person
//! sees. [`register!`] links it into every binary that names its crate. A host sees tools as [`DynTool`]s and their
//! parsed calls as [`DynCall`]s.
//!
//! This crate knows no runtime, no file, no process, no terminal and no model vendor, and no other crate of the workspace.
//!
//! # One whole tool
//!
//! ```
//! use std::borrow::Cow;
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use toolwright_core::*;
//!
//! /// Counts the words of a text.
//! struct WordCount;
//!
//! #[derive(Deserialize, JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! struct Input {
//!     /// The text to count.
//!     text: String,
//! }
//!
//! #[derive(Serialize, Deserialize, JsonSchema)]
//! struct Output { words: usize }
//!
//! register!(WordCount);
//!
//! impl Tool for WordCount {
//!     const NAME: &'static str = "WordCount";
//!     type Input = Input;
//!     type Output = Output;
//!     fn new(_: &Services) -> Result<Self, Unavailable> { Ok(Self) }
//!     fn effects(&self, _: &Input) -> Effects { Effects::READ_ONLY }
//!     async fn call(&self, input: &Input, _: &ToolContext) -> Result<Reply<Output>, ToolError> {
//!         Ok(Output { words: input.text.split_whitespace().count() }.into())
//!     }
//! }
//!
//! impl Prompt for WordCount {
//!     fn description(&self) -> Cow<'static, str> { "Counts the words of a text.".into() }
//!     fn answer(&self, output: &Output) -> Vec<Content> { vec![Content::text(output.words.to_string())] }
//! }
//!
//! impl Ui for WordCount {}
//!
//! let registry = Registry::of(&[REGISTRATION]).unwrap();
//! let built = registry.build(&Services::default());
//! let call = built.tools[0].clone().parse(serde_json::json!({"text": "two words"})).unwrap();
//! assert!(call.effects().is_read_only());
//! ```

mod authority;
mod cancel;
mod closure;
mod context;
mod decided;
mod definition;
mod dynamic;
mod effects;
mod erased;
mod error;
mod lenient;
mod message;
mod registration;
mod reply;
mod schema;
mod services;
mod subject;
mod tool;
mod usage;
mod view;

pub use authority::Authority;
pub use cancel::Cancel;
pub use closure::tool_fn;
pub use context::{Progress, ToolContext};
pub use decided::{DecidedPaths, Led};
pub use definition::{Definition, Origin};
pub use dynamic::{BoxFuture, DynCall, DynReply, DynTool, Label, Stage};
pub use effects::Effects;
pub use error::{ErrorKind, ToolError, Unavailable};
pub use message::{Block, Content, Message, Speaker, ToolInput};
pub use registration::{Built, Registration, Registry, RegistryError};
pub use reply::{ContextChange, Outcome, Reply};
pub use services::{Environment, Services};
pub use subject::{CommandPart, Cover, PathAccess, Reach, Subject, Verdict};
pub use tool::{Example, Loading, Prompt, Tool, Ui};
pub use usage::{StopReason, Usage};
pub use view::{Detail, Role, View};

/// What the macros need. Not part of the contract.
#[doc(hidden)]
pub mod __private {
    pub use crate::erased::{Schemas, build};
    pub use crate::registration::checked_name;
    pub use inventory;
}
