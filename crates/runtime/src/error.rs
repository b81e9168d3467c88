//! What stops a session, as opposed to a call or a request: the journal cannot be kept, a prompt is not let through.

use std::io;
use std::path::PathBuf;

/// Why a session cannot begin or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// A hook blocked the prompt: it was not sent.
    #[error("the prompt was not sent: a hook blocked it: {why}")]
    PromptBlocked {
        /// In the hook's words.
        why: String,
    },
    /// The journal or a stored result cannot be written or read.
    #[error("{what} {}: {source}; check that the disk has room and the folder is yours", path.display())]
    Storage {
        /// What was tried.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// There is no such session.
    #[error("there is no session `{id}` under {}; `toolwright sessions` lists those there are", root.display())]
    NoSession {
        /// As asked for.
        id: String,
        /// Where it was looked for.
        root: PathBuf,
    },
    /// A session's journal is empty, missing, or without a readable line of the agent that is to go on.
    #[error(
        "nothing of the agent `{agent}` is in the session `{id}` (its journal is {}): it cannot be gone on with; start a new \
         session without --resume, or choose another of `toolwright sessions`",
        journal.display()
    )]
    NothingStored {
        /// The session.
        id: String,
        /// The agent.
        agent: String,
        /// The session's journal.
        journal: PathBuf,
    },
    /// No session was held in this folder.
    #[error("no session was held in {} yet; start one without --continue", cwd.display())]
    NothingToContinue {
        /// The working directory.
        cwd: PathBuf,
    },
    /// The beginning of an id fits several sessions.
    #[error("`{id}` begins several sessions ({}); give more of it", candidates.join(", "))]
    Ambiguous {
        /// As asked for.
        id: String,
        /// The sessions it fits.
        candidates: Vec<String>,
    },
    /// A session has no prompt of this id, or none at all.
    #[error(
        "the session `{session}` has no prompt `{id}`; `toolwright sessions {session}` lists those it has"
    )]
    NoPrompt {
        /// As asked for; empty for the last one.
        id: String,
        /// The session.
        session: String,
    },
    /// Another process has the session open.
    #[error("the session `{id}` is in use by another process; end that one first")]
    InUse {
        /// The session.
        id: String,
    },
}

impl RuntimeError {
    pub(crate) fn storage(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Storage { what, path, source }
    }
}
