//! A child one talks with over its pipes (an MCP server).

use std::io;
use std::os::fd::AsFd as _;
use std::time::Duration;

use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::time::timeout;

use crate::ProcessError;
use crate::child::Child;
use crate::finished::Exit;
use crate::process::Process;
use crate::run::{KillOnDrop, exit_of, spawn};

/// A running child whose tree is killed when this is dropped.
#[derive(Debug)]
#[non_exhaustive]
pub struct Running {
    /// Its standard input, until it is taken.
    pub stdin: Option<Sender>,
    /// Its standard output, until it is taken.
    pub stdout: Option<Receiver>,
    /// Its standard error, until it is taken. Read it, or a talkative child stops.
    pub stderr: Option<Receiver>,
    /// Dropped first: the child, once reaped, leaves its number to another process.
    tree: KillOnDrop,
    child: Child,
    grace: Duration,
}

pub(crate) fn start(process: &Process) -> Result<Running, ProcessError> {
    let not_started =
        |source| ProcessError::Start { program: process.program.to_string_lossy().into_owned(), source };
    let (stdin_reader, stdin) = io::pipe().map_err(not_started)?;
    let (stdout, stdout_writer) = io::pipe().map_err(not_started)?;
    let (stderr, stderr_writer) = io::pipe().map_err(not_started)?;
    let (child, tree) =
        spawn(process, Some(stdin_reader.as_fd()), stdout_writer.as_fd(), stderr_writer.as_fd(), None)?;
    let receiver = |pipe: io::PipeReader| Receiver::from_owned_fd(pipe.into()).map_err(not_started);
    Ok(Running {
        stdin: Some(Sender::from_owned_fd(stdin.into()).map_err(not_started)?),
        stdout: Some(receiver(stdout)?),
        stderr: Some(receiver(stderr)?),
        tree: KillOnDrop(Some(tree)),
        child,
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
