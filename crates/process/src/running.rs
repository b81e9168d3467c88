//! A child one talks with over its pipes (an MCP server).

use std::io;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::time::timeout;

use crate::ProcessError;
use crate::finished::Exit;
use crate::process::Process;
use crate::run::{KillOnDrop, exit_of, spawn};

/// A running child whose tree is killed when this is dropped.
#[derive(Debug)]
#[non_exhaustive]
pub struct Running {
    /// Its standard input, until it is taken.
    pub stdin: Option<ChildStdin>,
    /// Its standard output, until it is taken.
    pub stdout: Option<ChildStdout>,
    /// Its standard error, until it is taken. Read it, or a talkative child stops.
    pub stderr: Option<ChildStderr>,
    child: Child,
    tree: KillOnDrop,
    grace: Duration,
}

pub(crate) fn start(process: &Process) -> Result<Running, ProcessError> {
    let (mut child, tree) = spawn(process, Stdio::piped(), Stdio::piped(), Stdio::piped(), None)?;
    Ok(Running {
        stdin: child.stdin.take(),
        stdout: child.stdout.take(),
        stderr: child.stderr.take(),
        child,
        tree: KillOnDrop(Some(tree)),
        grace: process.grace,
    })
}

impl Running {
    /// Waits for its first process to end. May be dropped and called again.
    ///
    /// # Errors
    /// When the system cannot say.
    pub async fn wait(&mut self) -> io::Result<Exit> {
        self.child.wait().await.map(exit_of)
    }

    /// Ends it: TERM to the whole tree, the grace, KILL.
    ///
    /// # Errors
    /// When the system cannot say how it ended.
    pub async fn stop(mut self) -> io::Result<Exit> {
        self.stdin = None;
        self.tree.terminate();
        _ = timeout(self.grace, self.child.wait()).await;
        self.tree.kill();
        self.wait().await
    }
}
