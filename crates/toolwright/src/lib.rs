//! The facade: Cargo features choose tools, each of which is a crate of its own; this crate links those chosen and
//! re-exports what an agent is made of; [`App`] wires it. It has no logic of its own, and knows no flag and no terminal.
//!
//! A tool whose feature is off is not in the binary. The tools of this binary:
//!
//! ```
//! let registry = toolwright::tools()?;
//! for tool in registry.registrations() {
//!     println!("{} of {}", tool.name, tool.package);
//! }
//! # Ok::<(), toolwright::core::RegistryError>(())
//! ```
//!
//! Features: a tool's is named after its crate (`glob` links `toolwright-tool-glob`); `full` (the default) and `read-only`
//! are lists of them. An agent with tools of its own adds or replaces them in the registry ([`core::Registry::with`],
//! [`core::Registry::replace`]).

mod app;

pub use app::{App, AppError, Ready, Start, sessions};
pub use toolwright_config as config;
pub use toolwright_core as core;
pub use toolwright_engine as engine;
pub use toolwright_model as model;
pub use toolwright_permissions as permissions;
pub use toolwright_runtime as runtime;
pub use toolwright_services as services;

// A dependency that nobody names is dropped by the linker without a word, and its registration with it.
#[cfg(feature = "agent")]
extern crate toolwright_tool_agent as _;
#[cfg(feature = "bash")]
extern crate toolwright_tool_bash as _;
#[cfg(feature = "file-edit")]
extern crate toolwright_tool_file_edit as _;
#[cfg(feature = "file-read")]
extern crate toolwright_tool_file_read as _;
#[cfg(feature = "file-write")]
extern crate toolwright_tool_file_write as _;
#[cfg(feature = "glob")]
extern crate toolwright_tool_glob as _;
#[cfg(feature = "grep")]
extern crate toolwright_tool_grep as _;
#[cfg(feature = "notebook-edit")]
extern crate toolwright_tool_notebook_edit as _;
#[cfg(feature = "tool-search")]
extern crate toolwright_tool_tool_search as _;

/// The names of the tools this binary was built to have: what [`core::Registry::linked`] is checked against.
pub const EXPECTED: &[&str] = &[
    #[cfg(feature = "agent")]
    "Agent",
    #[cfg(feature = "bash")]
    "Bash",
    #[cfg(feature = "file-edit")]
    "Edit",
    #[cfg(feature = "file-read")]
    "Read",
    #[cfg(feature = "file-write")]
    "Write",
    #[cfg(feature = "glob")]
    "Glob",
    #[cfg(feature = "grep")]
    "Grep",
    #[cfg(feature = "notebook-edit")]
    "NotebookEdit",
    #[cfg(feature = "tool-search")]
    "ToolSearch",
];

/// The tools linked into this binary, those of the agent's own crates included.
///
/// # Errors
/// When two crates registered one name, or one of [`EXPECTED`] was not linked.
pub fn tools() -> Result<core::Registry, core::RegistryError> {
    core::Registry::linked(EXPECTED)
}
