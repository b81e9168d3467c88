//! Work that goes on after the call that began it. How it is run and stored is the host's matter.

use toolwright_core::{BoxFuture, ErrorKind, ToolError};

/// One background task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackgroundTask {
    /// Its id in the session.
    pub id: String,
    /// What it is, for a person.
    pub description: String,
    /// How far it is.
    pub state: TaskState,
}

/// How far a background task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskState {
    /// It goes on.
    Running,
    /// It ended well.
    Completed,
    /// It ended badly.
    Failed,
    /// It was stopped.
    Stopped,
}

/// Keeps and stops background tasks.
pub trait BackgroundTasks: Send + Sync {
    /// All tasks of the session, oldest first.
    fn list(&self) -> Vec<BackgroundTask>;

    /// A task's output from byte `from` on.
    ///
    /// # Errors
    /// When there is no such task.
    fn output<'a>(&'a self, id: &'a str, from: u64) -> BoxFuture<'a, Result<String, ToolError>>;

    /// Stops a task; stopping an ended one changes nothing.
    ///
    /// # Errors
    /// When there is no such task.
    fn stop<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), ToolError>>;
}

/// Keeps none.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoBackground;

impl NoBackground {
    fn missing(id: &str) -> ToolError {
        ToolError::new(
            ErrorKind::NotFound,
            format!("there is no background task `{id}`: this host runs none"),
        )
    }
}

impl BackgroundTasks for NoBackground {
    fn list(&self) -> Vec<BackgroundTask> {
        Vec::new()
    }

    fn output<'a>(&'a self, id: &'a str, _: u64) -> BoxFuture<'a, Result<String, ToolError>> {
        Box::pin(async move { Err(Self::missing(id)) })
    }

    fn stop<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), ToolError>> {
        Box::pin(async move { Err(Self::missing(id)) })
    }
}
