//! The description of a child: what to start, where, with which variables and limits.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use toolwright_core::Cancel;

use crate::run::REPORT;
use crate::tree::TABLE;
use crate::{Capture, Finished, ProcessError, Running, Streams, Variables, run, running};

/// A child to be started. Standard input is empty unless [`stdin`](Self::stdin) says otherwise.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use toolwright_core::Cancel;
/// use toolwright_process::{Exit, Process, Variables};
/// let variables = Variables::default().with("PATH", "/usr/bin:/bin");
/// let finished = Process::bash("echo out; echo err >&2; exit 3", "/", variables).run(&Cancel::default()).await.unwrap();
/// assert_eq!((finished.stdout.head.as_slice(), finished.exit), (b"out\nerr\n".as_slice(), Exit::Code(3)));
/// # })
/// ```
#[derive(Clone)]
pub struct Process {
    pub(crate) program: OsString,
    pub(crate) file: Option<PathBuf>,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) folder: PathBuf,
    pub(crate) variables: Variables,
    pub(crate) stdin: Option<Vec<u8>>,
    pub(crate) streams: Streams,
    pub(crate) capture: Capture,
    pub(crate) time_limit: Option<Duration>,
    pub(crate) grace: Duration,
    pub(crate) bash_exit_report: Option<String>,
    pub(crate) on_output: Option<OnOutput>,
    /// The table of processes in which its tree is looked for.
    pub(crate) table: PathBuf,
}

/// Called with the newest bytes and the number of bytes so far.
pub(crate) type OnOutput = Arc<dyn Fn(&[u8], u64) + Send + Sync>;

impl Process {
    /// A program with its arguments, in `folder`, with exactly these variables (and [`MARKER`](crate::MARKER)).
    pub fn new(program: impl Into<OsString>, folder: impl Into<PathBuf>, variables: Variables) -> Self {
        Self {
            program: program.into(),
            file: None,
            arguments: Vec::new(),
            folder: folder.into(),
            variables,
            stdin: None,
            streams: Streams::default(),
            capture: Capture::default(),
            time_limit: None,
            grace: Duration::from_secs(1),
            bash_exit_report: None,
            on_output: None,
            table: TABLE.into(),
        }
    }

    /// A bash script, handed to bash as it is. No start-up file is read. The program is the first `bash` on the child's `PATH`; see
    /// [`file`](Self::file) and [`bash_outside`](crate::bash_outside) for one that no project brought.
    pub fn bash(script: impl Into<OsString>, folder: impl Into<PathBuf>, variables: Variables) -> Self {
        // Without the first two, bash reads a start-up file also for `-c` where it takes its standard input for a network
        // connection.
        let process = Self::new("bash", folder, variables);
        process.argument("--norc").argument("--noprofile").argument("-c").argument(script)
    }

    /// The file that is executed, in the place of the one that the program's name stands for. The program is still called by its
    /// name.
    #[must_use]
    pub fn file(mut self, file: impl Into<PathBuf>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// One more argument.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// What it reads from standard input.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(bytes.into());
        self
    }

    /// Whether standard error has a pipe of its own. Default: one pipe for both, so that the order is kept.
    #[must_use]
    pub const fn streams(mut self, streams: Streams) -> Self {
        self.streams = streams;
        self
    }

    /// How much of the output is kept; of each stream where they are separate.
    #[must_use]
    pub fn capture(mut self, capture: Capture) -> Self {
        self.capture = capture;
        self
    }

    /// After how long the tree is killed. Default: never.
    #[must_use]
    pub const fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// How long the tree has between TERM and KILL. Default: one second.
    #[must_use]
    pub const fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Called with the newest bytes of the output (at most 4 KiB) and the number of bytes so far: at once for the first
    /// output, then at most ten times a second.
    #[must_use]
    pub fn on_output(mut self, report: impl Fn(&[u8], u64) + Send + Sync + 'static) -> Self {
        self.on_output = Some(Arc::new(report));
        self
    }

    /// For [`bash`](Self::bash) alone: commands that bash runs when the script is over, however it is (`exit`, an error, TERM),
    /// unless the script sets an `EXIT` trap of its own or replaces the shell by `exec`. What they print comes back in
    /// [`Finished::report`]. They change neither the script's line numbers, arguments, output nor its exit code; a script
    /// that lists its traps finds them.
    #[must_use]
    pub fn bash_exit_report(mut self, commands: impl Into<String>) -> Self {
        self.bash_exit_report = Some(commands.into());
        let prologue = self.prologue();
        if let Some(script) = self.arguments.last_mut() {
            let mut whole = OsString::from(prologue);
            whole.push(&*script);
            *script = whole;
        }
        self
    }

    /// What stands before the script, on its first line. `$_` is the shell's name behind it, as at the start of any script.
    pub(crate) fn prologue(&self) -> String {
        let Some(commands) = &self.bash_exit_report else { return String::new() };
        let trap = format!("{{ {commands}; }} 2>/dev/null >&{REPORT}").replace('\'', r"'\''");
        format!("trap -- '{trap}' EXIT; : \"$BASH\"; ")
    }

    /// Runs it to the end of its first process. A process that it left behind and that holds the output open is not
    /// waited for. On the time limit and on `cancel` the whole tree gets TERM, then KILL; the output so far is kept.
    /// Dropping the future kills the tree at once.
    ///
    /// # Errors
    /// When it could not be started.
    pub async fn run(self, cancel: &Cancel) -> Result<Finished, ProcessError> {
        run::run(self, cancel).await
    }

    /// Starts it with pipes for a conversation: limits, capture and `stdin` do not apply.
    ///
    /// # Errors
    /// When it could not be started.
    pub fn start(self) -> Result<Running, ProcessError> {
        running::start(&self)
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Process")
            .field("program", &self.program)
            .field("arguments", &self.arguments)
            .field("folder", &self.folder)
            .field("variables", &self.variables)
            .field("time_limit", &self.time_limit)
            .finish_non_exhaustive()
    }
}
