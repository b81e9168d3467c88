//! Runs a child to its end: output, limits, cancellation, and the kill of its tree.

use std::borrow::Cow;
use std::future::pending;
use std::io::{self, PipeReader, PipeWriter, Read as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use tokio::io::AsyncWriteExt as _;
use tokio::net::unix::pipe::Sender;
use tokio::time::{Instant, sleep, timeout};
use toolwright_core::Cancel;

use crate::child::{Child, Start};
use crate::finished::{Ended, Exit, Finished};
use crate::process::{OnOutput, Process};
use crate::reader::{Gather, Outputs};
use crate::tree::{Tree, fresh_marker};
use crate::{MARKER, ProcessError, Streams};

/// How long output is waited for once the first process is gone. Only a process it left behind makes this last.
const DRAIN: Duration = Duration::from_millis(150);

/// How long the end of a child is waited for after its tree was killed. One that another user's program has become cannot be
/// killed.
const KILLED: Duration = Duration::from_secs(5);

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
    let report = process.bash_exit_report.as_ref().map(|_| Report::new()).transpose().map_err(start)?;
    let stdin = process.stdin.as_ref().map(|_| io::pipe()).transpose().map_err(start)?;
    let (stdin_reader, stdin) = stdin.unzip();
    let (mut child, tree) = spawn(
        &process,
        stdin_reader.as_ref().map(AsFd::as_fd),
        stdout_writer.as_fd(),
        stderr_writer.as_fd(),
        report.as_ref(),
    )?;
    // Held open here, its input and output would never be at their end.
    drop((stdin_reader, stdout_writer, stderr_writer));
    let report = report.map(Report::into_reader);
    let tree = KillOnDrop(Some(tree));
    let prologue = process.prologue();
    let on_output = process.on_output.clone().map(|on_output| without(prologue.clone(), on_output));
    let mut outputs = Outputs::new(stdout, stderr, &process.capture, on_output).map_err(start)?;
    let _writing = write_stdin(stdin, process.stdin.clone()).map_err(start)?;

    let ended = tokio::select! {
        biased;
        () = cancel.cancelled() => Ended::Cancelled,
        () = limit(process.time_limit) => Ended::TimedOut,
        _ = child.wait() => Ended::ByItself,
        () = read_on(&mut outputs) => Ended::ByItself,
    };
    if ended != Ended::ByItself {
        tree.terminate();
        let both = async { tokio::join!(child.wait(), outputs.pump(Gather::Never)) };
        _ = timeout(process.grace, both).await;
        tree.kill();
        if timeout(KILLED, child.wait()).await.is_err() {
            let words = "it was killed and does not end; look for it with `ps`";
            return Err(lost(io::Error::new(io::ErrorKind::TimedOut, words)));
        }
    }
    let status = child.wait().await.map_err(lost)?;
    _ = timeout(DRAIN, outputs.pump(Gather::Never)).await;
    tree.release();

    let left_running = !outputs.at_end();
    let (mut stdout, mut stderr) = outputs.finish();
    for captured in [&mut stdout, &mut stderr] {
        captured.head = strip(&captured.head, &prologue).into_owned();
    }
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

/// Starts the child as the leader of a session of its own.
pub(crate) fn spawn(
    process: &Process,
    stdin: Option<BorrowedFd<'_>>,
    stdout: BorrowedFd<'_>,
    stderr: BorrowedFd<'_>,
    report: Option<&Report>,
) -> Result<(Child, Tree), ProcessError> {
    let fresh = fresh_marker();
    let marker =
        process.variables.get(MARKER).map_or_else(|| fresh.clone(), |outer| format!("{outer} {fresh}"));
    let start = Start {
        program: &process.program,
        file: process.file.as_deref(),
        arguments: &process.arguments,
        folder: &process.folder,
        variables: &process.variables.clone().with(MARKER, marker),
        stdin,
        stdout,
        stderr,
        extra: report.map(|report| (report.writer.as_fd(), REPORT)),
    };
    let child = start.spawn().map_err(|source| why_not(process, source))?;
    let tree = Tree::new(child.id(), &fresh, &process.table);
    Ok((child, tree))
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

/// The descriptor under which bash finds the place for its report. High, so that scripts that use descriptors of their own do
/// not meet it.
pub(crate) const REPORT: RawFd = 250;

/// A pipe for what bash has to say at its end.
pub(crate) struct Report {
    writer: OwnedFd,
    reader: PipeReader,
}

impl Report {
    fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        fcntl(&reader, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(Self { writer: above(&writer.into())?, reader })
    }

    /// Closes this side's writing end.
    fn into_reader(self) -> PipeReader {
        self.reader
    }
}

/// Bash shows the line in which it found a syntax error: what stands there before the script is none of its text.
fn without(prologue: String, on_output: OnOutput) -> OnOutput {
    Arc::new(move |newest, total| on_output(&strip(newest, &prologue), total))
}

fn strip<'b>(bytes: &'b [u8], prologue: &str) -> Cow<'b, [u8]> {
    let prologue = prologue.as_bytes();
    let found = if prologue.is_empty() {
        None
    } else {
        bytes.windows(prologue.len()).position(|window| window == prologue)
    };
    let Some((before, rest)) = found.and_then(|at| bytes.split_at_checked(at)) else {
        return Cow::Borrowed(bytes);
    };
    Cow::Owned([before, rest.get(prologue.len()..).unwrap_or_default()].concat())
}

/// A duplicate above the number it is put in place of, so that it is not closed with what stood there.
fn above(descriptor: &OwnedFd) -> io::Result<OwnedFd> {
    use std::os::fd::FromRawFd as _;
    let raw = fcntl(descriptor.as_fd(), FcntlArg::F_DUPFD_CLOEXEC(REPORT + 1))?;
    #[expect(unsafe_code, reason = "fcntl gives a new descriptor as a bare number")]
    // SAFETY: the number was made just here and nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(raw) })
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

fn write_stdin(stdin: Option<PipeWriter>, bytes: Option<Vec<u8>>) -> io::Result<Option<AbortOnDrop>> {
    let Some((stdin, bytes)) = stdin.zip(bytes) else { return Ok(None) };
    let mut stdin = Sender::from_owned_fd(stdin.into())?;
    Ok(Some(AbortOnDrop(tokio::spawn(async move {
        // A child that does not read to the end is no fault of anybody.
        _ = stdin.write_all(&bytes).await;
    }))))
}

async fn limit(limit: Option<Duration>) {
    match limit {
        Some(limit) => sleep(limit).await,
        None => pending().await,
    }
}

/// Reads for as long as the child lives: the end of its output is not its end.
async fn read_on(outputs: &mut Outputs) {
    outputs.pump(Gather::Allowed).await;
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
