//! The [`Model`] trait and its clients.
//!
//! A client turns a borrowed [`Request`] into a vendor's bytes and the vendor's stream into [`ModelEvent`]s. It retries what
//! nothing has come of yet, and nothing else: what a lost stream means for a turn is the driver's to decide. It knows no
//! tool, no session and no terminal. Without features this crate is the trait and its words alone; [`select`] finds the
//! client for a name.

#[cfg(feature = "anthropic")]
mod anthropic;
mod error;
mod event;
#[cfg(any(feature = "http", feature = "scripted"))]
mod generate;
#[cfg(feature = "http")]
mod http;
#[cfg(any(feature = "anthropic", feature = "openai"))]
mod ids;
#[cfg(feature = "http")]
mod loose;
mod model;
#[cfg(feature = "openai")]
mod openai;
mod request;
#[cfg(feature = "scripted")]
pub mod scripted;
mod select;

#[cfg(feature = "anthropic")]
pub use anthropic::Anthropic;
pub use error::{ModelError, ModelErrorKind};
pub use event::ModelEvent;
#[cfg(feature = "http")]
pub use http::Options;
pub use model::{Abilities, Limits, Model, ModelStream};
#[cfg(feature = "openai")]
pub use openai::{LocalServer, OpenAi, local_servers};
pub use request::{Delivery, Request, ToolEntry};
#[cfg(feature = "scripted")]
pub use scripted::Scripted;
pub use select::select;
