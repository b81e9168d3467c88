//! The capabilities that hosts offer and tools ask for: small traits, each with a null that says no and, where a test needs
//! one, a fake. Nothing here knows how any of them is done.
//!
//! A tool takes what it needs in `Tool::new` with `services.require::<dyn Files>()?`; where the host offers none, the tool is
//! not offered either, with the reason.

mod agents;
mod apart;
mod approver;
mod background;
mod catalog;
mod conversation;
mod debug;
mod files;
mod path_policy;
mod person;
mod results;
mod small_model;
mod working_folders;

pub use agents::{AgentKind, AgentReport, AgentRequest, AgentSpawner, NoAgents};
pub use apart::{Apart, ApartError, Bounds, Chore};
pub use approver::{Approver, DenyAll, ScriptedApprover};
pub use background::{BackgroundTask, BackgroundTasks, NoBackground, TaskState};
pub use catalog::{CatalogEntry, FixedCatalog, ToolCatalog};
pub use conversation::{Conversation, FixedConversation};
pub use files::{
    CutLine, Document, FileChange, FileState, Files, FilesError, KeepsOld, LineEnds, NoFiles, OldFile,
    Splice, TextFormat, TextWindow, Window, Written,
};
pub use path_policy::{AllowAllPaths, DeniedPaths, PathPolicy};
pub use person::{AskPerson, NoPerson, Question};
pub use results::ResultFolder;
pub use small_model::{NoSmallModel, SmallModel};
pub use working_folders::WorkingFolders;

#[doc(hidden)]
pub mod __private {
    //! What [`chore!`](crate::chore) needs where it is used.
    pub use inventory;
}
