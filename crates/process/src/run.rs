//! Runs a child to its end: output, limits, cancellation, and the kill of its tree.

use std::future::pending;
use std::io::{self, PipeReader, Read as _};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd, RawFd};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};
use toolwright_core::Cancel;

use crate::finished::{Ended, Exit, Finished};
use crate::process::Process;
use crate::reader::Outputs;
use crate::tree::{Tree, fresh_marker};
use crate::{MARKER, ProcessError, Streams};

/// How long output is waited for once the first process is gone. Only a process it left behind makes this last.
const DRAIN: Duration = Duration::from_millis(150);

pub(crate) async fn run(process: Process, cancel: &Cancel) -> Result<Finished, ProcessError> {
    let began = Instant::now();
    let name = process.program.to_string_lossy().into_owned();
    let start = |source| ProcessError::Start { program: name.clone(), source };
    let lost = |source| ProcessError::Wait { program: name.clone(), source };

    let (stdout, stdout_writer) = io::pipe().map_err(start)?;
    let (stderr, stderr_writer) = match process.streams {
        Streams::Merged => (None, stdout_writer.try_clone().map_err(start)?),
        Streams::Separate => io::pipe().map(|(reader, writer)| (Some(reader), writer)).map_err(start)?,
    };
    let report = process.bash_exit_report.as_deref().map(Report::new).transpose().map_err(start)?;
    let stdin = if process.stdin.is_some() { Stdio::piped() } else { Stdio::null() };
    let (mut child, tree) = spawn(&process, stdin, stdout_writer, stderr_writer, report.as_ref())?;
    let report = report.map(Report::into_reader);
    let tree = KillOnDrop(Some(tree));
    let mut outputs =
        Outputs::new(stdout, stderr, &process.capture, process.on_output.clone()).map_err(start)?;
    let _writing = write_stdin(&mut child, process.stdin.clone());

    let ended = tokio::select! {
        biased;
        () = cancel.cancelled() => Ended::Cancelled,
        () = limit(process.time_limit) => Ended::TimedOut,
        _ = child.wait() => Ended::ByItself,
        () = read_on(&mut outputs) => Ended::ByItself,
    };
    if ended != Ended::ByItself {
        tree.terminate();
        let both = async { tokio::join!(child.wait(), outputs.pump()) };
        _ = timeout(process.grace, both).await;
        tree.kill();
    }
    let status = child.wait().await.map_err(lost)?;
    _ = timeout(DRAIN, outputs.pump()).await;
    tree.release();

    let left_running = !outputs.at_end();
    let (stdout, stderr) = outputs.finish();
    Ok(Finished {
        ended,
        exit: exit_of(status),
        stdout,
        stderr,
        left_running,
        report: report.map(read_what_there_is).unwrap_or_default(),
        elapsed: began.elapsed(),
    })
}

/// Starts the child as leader of a session of its own.
pub(crate) fn spawn(
    process: &Process,
    stdin: Stdio,
    stdout: impl Into<Stdio>,
    stderr: impl Into<Stdio>,
    report: Option<&Report>,
) -> Result<(Child, Tree), ProcessError> {
    let fresh = fresh_marker();
    let marker =
        process.variables.get(MARKER).map_or_else(|| fresh.clone(), |outer| format!("{outer} {fresh}"));
    #[expect(clippy::disallowed_methods, reason = "this is the place that starts children")]
    let mut command = Command::new(&process.program);
    command
        .args(&process.arguments)
        .current_dir(&process.folder)
        .env_clear()
        .envs(process.variables.iter())
        .env(MARKER, marker)
        .stdin(stdin)
        .stdout(stdout)
        .stderr(stderr)
        .kill_on_drop(true);
    let handed = report.map(Report::handed);
    if handed.is_some() {
        command.env("BASH_ENV", format!("/proc/self/fd/{SCRIPT}"));
    }
    let before_exec = move || {
        nix::unistd::setsid()?;
        if let Some((script, report)) = handed {
            duplicate(script, SCRIPT)?;
            duplicate(report, REPORT)?;
        }
        Ok(())
    };
    #[expect(unsafe_code, reason = "setsid and dup2 alone, both async-signal-safe; nothing is allocated")]
    // SAFETY: between fork and exec only async-signal-safe calls are made.
    unsafe {
        command.pre_exec(before_exec);
    }
    let child = command.spawn().map_err(|source| why_not(process, source))?;
    let root = child.id().and_then(|id| i32::try_from(id).ok()).unwrap_or_default();
    Ok((child, Tree::new(root, &fresh)))
}

fn why_not(process: &Process, source: io::Error) -> ProcessError {
    let program = process.program.to_string_lossy().into_owned();
    if let Err(folder) = std::fs::read_dir(&process.folder) {
        return ProcessError::Folder { path: process.folder.clone(), source: folder };
    }
    match source.kind() {
        io::ErrorKind::NotFound => ProcessError::NotFound { program },
        _ => ProcessError::Start { program, source },
    }
}

/// Kills the tree when dropped before it was released.
#[derive(Debug)]
pub(crate) struct KillOnDrop(pub(crate) Option<Tree>);

impl KillOnDrop {
    pub(crate) fn terminate(&self) {
        self.0.iter().for_each(Tree::terminate);
    }

    pub(crate) fn kill(&self) {
        self.0.iter().for_each(Tree::kill);
    }

    fn release(mut self) {
        self.0 = None;
    }
}

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The descriptors under which bash finds its start-up script and the place for its report. High, so that scripts that
/// use descriptors of their own do not meet them.
const SCRIPT: RawFd = 249;
const REPORT: RawFd = 250;

/// A script that bash reads before the real one, and a pipe for what it has to say at its end.
pub(crate) struct Report {
    script: OwnedFd,
    writer: OwnedFd,
    reader: PipeReader,
}

impl Report {
    fn new(commands: &str) -> io::Result<Self> {
        let trap = format!("{{ {commands}; }} 2>/dev/null >&{REPORT}").replace('\'', r"'\''");
        let script = format!("unset BASH_ENV; exec {SCRIPT}<&-\ntrap '{trap}' EXIT\n");
        let (script_reader, mut script_writer) = io::pipe()?;
        // Far below what a pipe holds, so this cannot block.
        io::Write::write_all(&mut script_writer, script.as_bytes())?;
        let (reader, writer) = io::pipe()?;
        fcntl(&reader, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(Self { script: above(&script_reader.into())?, writer: above(&writer.into())?, reader })
    }

    fn handed(&self) -> (RawFd, RawFd) {
        (self.script.as_raw_fd(), self.writer.as_raw_fd())
    }

    /// Closes this side's writing end.
    fn into_reader(self) -> PipeReader {
        self.reader
    }
}

/// A duplicate above the two numbers, so that putting one in place never closes the other.
fn above(descriptor: &OwnedFd) -> io::Result<OwnedFd> {
    use std::os::fd::FromRawFd as _;
    let raw = fcntl(descriptor.as_fd(), FcntlArg::F_DUPFD_CLOEXEC(REPORT + 1))?;
    #[expect(unsafe_code, reason = "fcntl gives a new descriptor as a bare number")]
    // SAFETY: the number was made just here and nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(raw) })
}

fn duplicate(from: RawFd, to: RawFd) -> io::Result<()> {
    #[expect(
        unsafe_code,
        reason = "the safe wrapper wants an owned target, and there is none in a fresh child"
    )]
    // SAFETY: dup2 on two numbers; at worst it fails.
    let done = unsafe { libc::dup2(from, to) };
    if done == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// What is in the pipe now: a process left behind may hold it open for ever.
fn read_what_there_is(mut reader: PipeReader) -> Vec<u8> {
    let mut bytes = vec![0; 16 << 10];
    let length = reader.read(&mut bytes).unwrap_or_default();
    bytes.truncate(length);
    bytes
}

struct AbortOnDrop(tokio::task::JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn write_stdin(child: &mut Child, bytes: Option<Vec<u8>>) -> Option<AbortOnDrop> {
    let (mut stdin, bytes) = child.stdin.take().zip(bytes)?;
    Some(AbortOnDrop(tokio::spawn(async move {
        // A child that does not read to the end is no fault of anybody.
        _ = stdin.write_all(&bytes).await;
    })))
}

async fn limit(limit: Option<Duration>) {
    match limit {
        Some(limit) => sleep(limit).await,
        None => pending().await,
    }
}

/// Reads for as long as the child lives: the end of its output is not its end.
async fn read_on(outputs: &mut Outputs) {
    outputs.pump().await;
    pending().await
}

pub(crate) fn exit_of(status: ExitStatus) -> Exit {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Code(-1),
    }
}
