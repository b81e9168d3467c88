//! Starts, streams, caps and kills the whole tree of a child process. Knows no tool, no permission and no shell syntax.
//!
//! [`Process`] describes a child: program, arguments, folder, variables, limits. [`Process::run`] runs it to its end and
//! gives a [`Finished`]; [`Process::start`] hands out its pipes for a conversation (an MCP server) with a [`Running`] that
//! kills the tree when dropped.
//!
//! # How a tree is found
//!
//! Every child leads a session of its own and carries a marker variable ([`MARKER`]). A process belongs to a job when it
//! descends from the job's first process, is in its session, or carries its marker. The marker finds daemons that left
//! the session and lost their parents, so the host need not become a subreaper: that is a property of the whole process,
//! would hand it the orphans of every job alike, and would make reaping them its duty. Orphans are left to init as usual.
//! What hides from all three (a daemon with a cleared environment that outlived its parents) is for a sandbox to hold.

mod capture;
mod child;
mod environment;
mod error;
mod find;
mod finished;
mod limit;
mod process;
mod reader;
mod run;
mod running;
mod tree;

pub use capture::{Capture, Captured, Streams};
pub use environment::{MARKER, Variables, is_own_secret};
pub use error::ProcessError;
pub use find::bash_outside;
pub use finished::{Ended, Exit, Finished};
pub use limit::limit_self;
pub use process::Process;
pub use running::Running;
