//! A quick model for small jobs: a title, a summary of a page.

use toolwright_core::{BoxFuture, Cancel, ErrorKind, ToolError};

/// Answers a short prompt.
pub trait SmallModel: Send + Sync {
    /// The model's text.
    ///
    /// # Errors
    /// When the model cannot be reached or was interrupted.
    fn complete<'a>(
        &'a self,
        prompt: &'a str,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<String, ToolError>>;
}

/// There is none.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSmallModel;

impl SmallModel for NoSmallModel {
    fn complete<'a>(&'a self, _: &'a str, _: &'a Cancel) -> BoxFuture<'a, Result<String, ToolError>> {
        Box::pin(async { Err(ToolError::new(ErrorKind::Failed, "this host has no small model")) })
    }
}
