//! Settings layers, trust, memory files: the one crate that opens a settings file. Knows no runtime, starts no process
//! and asks the environment for nothing: the binary gives it a snapshot.
//!
//! [`Places::find`] says where things are, [`load`] reads the layers into [`Settings`], [`Trust`] remembers which folders a
//! person trusts, [`memory_files`] finds what the model is always told.

mod addresses;
mod error;
mod flags;
mod hooks;
mod json;
mod keys;
mod layer;
mod memory;
mod merge;
mod places;
mod settings;
mod trust;

pub use error::ConfigError;
pub use flags::{Flags, rules_of_flag};
pub use hooks::{Hook, HookEvent};
pub use memory::{Memory, MemoryFile, MemoryScope, memory_files};
pub use places::Places;
pub use settings::{Settings, SettingsSource, load};
pub use trust::Trust;
