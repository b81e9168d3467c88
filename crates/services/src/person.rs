//! A question to the person, in the model's words.

use toolwright_core::{BoxFuture, ErrorKind, ToolError};

/// A question with possible answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub text: String,
    /// Answers to choose from; empty: free text.
    pub choices: Vec<String>,
}

/// Asks the person.
pub trait AskPerson: Send + Sync {
    /// The answer, in the person's words or one of the choices.
    ///
    /// # Errors
    /// When nobody can answer.
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Result<String, ToolError>>;
}

/// Nobody is there.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPerson;

impl AskPerson for NoPerson {
    fn ask<'a>(&'a self, _: &'a Question) -> BoxFuture<'a, Result<String, ToolError>> {
        Box::pin(async {
            Err(ToolError::new(
                ErrorKind::Failed,
                "nobody can answer here; decide yourself and say what you assumed",
            ))
        })
    }
}
