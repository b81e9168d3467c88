//! Runs one program under trace: every system call of it and of what it starts that opens, changes, executes or connects is
//! shown to a judge before it happens. What the judge refuses ends the whole tree there, so that it never happens.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::io;
use std::os::fd::RawFd;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::ptrace;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::linux::filter;
use crate::linux::memory::{Call, call_at_stop};

/// What is about to happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// A program starts.
    Execute { path: PathBuf, arguments: Vec<String> },
    /// A file is opened.
    Open { path: PathBuf, writes: bool, follows: bool },
    /// A name is created, changed or removed; says by which call.
    Change { call: &'static str, path: PathBuf },
    /// Another name for what is there, which the first one loses where it `moves`.
    Name { call: &'static str, from: PathBuf, to: PathBuf, moves: bool },
    /// Something that no reading needs; says what.
    Other(String),
}

/// What to start. Texts end in NUL, so that nothing is allocated between fork and exec.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) program: CString,
    pub(crate) arguments: Vec<CString>,
    pub(crate) variables: Vec<CString>,
    pub(crate) folder: CString,
    /// Where its output goes, and the descriptor that gets the report of the last folder.
    pub(crate) output: RawFd,
    pub(crate) report: Option<RawFd>,
    /// The user it runs as, where the harness may choose.
    pub(crate) user: Option<u32>,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself.
    Exited,
    /// Its time was up.
    TimedOut,
    /// The judge refused.
    Refused,
}

/// Kills what runs too long: waiting for stops cannot be given a limit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watchdog(Arc<Mutex<Watched>>);

#[derive(Debug, Default)]
struct Watched {
    until: Option<Instant>,
    alive: BTreeSet<i32>,
    late: bool,
}

impl Watchdog {
    pub(crate) fn start() -> Self {
        let watchdog = Self::default();
        let own = watchdog.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_millis(50));
                let mut watched = own.lock();
                if watched.until.is_some_and(|until| Instant::now() > until) {
                    watched.late = true;
                    kill_all(&watched.alive);
                }
            }
        });
        watchdog
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Watched> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, first: Pid, limit: Duration) {
        *self.lock() = Watched {
            until: Instant::now().checked_add(limit),
            alive: BTreeSet::from([first.as_raw()]),
            late: false,
        };
    }

    fn add(&self, pid: Pid) {
        self.lock().alive.insert(pid.as_raw());
    }

    /// Whether none is left.
    fn remove(&self, pid: Pid) -> bool {
        let mut watched = self.lock();
        watched.alive.remove(&pid.as_raw());
        watched.alive.is_empty()
    }

    fn kill(&self) {
        kill_all(&self.lock().alive);
    }

    fn end(&self) -> bool {
        let mut watched = self.lock();
        watched.until = None;
        watched.late
    }
}

fn kill_all(alive: &BTreeSet<i32>) {
    for pid in alive {
        _ = kill(Pid::from_raw(*pid), Signal::SIGKILL);
    }
}

/// How long what a first process left behind may go on.
const LEFT_BEHIND: Duration = Duration::from_millis(150);

/// Runs it to the end of the last process of its tree.
pub(crate) fn run(
    start: &Start,
    limit: Duration,
    watchdog: &Watchdog,
    mut judge: impl FnMut(&Event) -> bool,
) -> io::Result<End> {
    let first = crate::linux::child::fork(start)?;
    watchdog.begin(first, limit);
    let stopped = waitpid(first, None)?;
    if !matches!(stopped, WaitStatus::Stopped(_, Signal::SIGSTOP)) {
        watchdog.end();
        if matches!(stopped, WaitStatus::Exited(_, crate::linux::child::NO_FOLDER)) {
            let folder = start.folder.to_string_lossy();
            return Err(io::Error::other(format!("the user that commands run as cannot enter {folder}")));
        }
        return Err(io::Error::other(format!("the child did not stop to be traced: {stopped:?}")));
    }
    ptrace::setoptions(first, options())?;
    ptrace::cont(first, None)?;
    let mut began = BTreeSet::from([first.as_raw()]);
    // What ended before its parent's stop told of it.
    let mut ended = BTreeSet::new();
    let mut refused = false;
    loop {
        let status = match waitpid(None, Some(WaitPidFlag::__WALL)) {
            Ok(status) => status,
            Err(Errno::EINTR) => continue,
            Err(Errno::ECHILD) => break,
            Err(error) => return Err(error.into()),
        };
        match status {
            WaitStatus::PtraceEvent(pid, _, event) if event == libc::PTRACE_EVENT_SECCOMP => {
                let allowed = !refused
                    && match call_at_stop(pid) {
                        Ok(call) => event_of(pid, &call).is_none_or(|event| judge(&event)),
                        // It was killed meanwhile.
                        Err(Errno::ESRCH) => true,
                        Err(_) => judge(&Event::Other("a call that cannot be read".into())),
                    };
                if allowed {
                    go_on(pid, None);
                } else {
                    refused = true;
                    watchdog.kill();
                }
            }
            WaitStatus::PtraceEvent(pid, _, event) => {
                if matches!(
                    event,
                    libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK | libc::PTRACE_EVENT_CLONE
                ) && let Ok(new) = ptrace::getevent(pid)
                {
                    let new = i32::try_from(new).unwrap_or_default();
                    if !ended.remove(&new) {
                        watchdog.add(Pid::from_raw(new));
                    }
                    if refused {
                        watchdog.kill();
                    }
                }
                go_on(pid, None);
            }
            WaitStatus::Stopped(pid, signal) => {
                // What was just made stops once, which is no signal of its own.
                let new = began.insert(pid.as_raw());
                if new {
                    watchdog.add(pid);
                }
                go_on(pid, Some(signal).filter(|signal| !(new && *signal == Signal::SIGSTOP)));
            }
            WaitStatus::Exited(pid, _) | WaitStatus::Signaled(pid, ..) => {
                began.remove(&pid.as_raw());
                ended.insert(pid.as_raw());
                if watchdog.remove(pid) {
                    break;
                }
                if pid == first {
                    let mut watched = watchdog.lock();
                    let soon = Instant::now().checked_add(LEFT_BEHIND);
                    watched.until = watched.until.min(soon);
                }
            }
            _ => {}
        }
    }
    let late = watchdog.end();
    Ok(match (refused, late) {
        (true, _) => End::Refused,
        (false, true) => End::TimedOut,
        (false, false) => End::Exited,
    })
}

fn options() -> ptrace::Options {
    use ptrace::Options;
    Options::PTRACE_O_TRACESECCOMP
        | Options::PTRACE_O_TRACEFORK
        | Options::PTRACE_O_TRACEVFORK
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEEXEC
        | Options::PTRACE_O_EXITKILL
}

fn go_on(pid: Pid, signal: Option<Signal>) {
    // It may have been killed meanwhile: then its end is what comes next.
    _ = ptrace::cont(pid, signal);
}

/// What a call would do; none where it does nothing that is judged.
fn event_of(pid: Pid, call: &Call) -> Option<Event> {
    use filter::Kind;
    let (name, kind) = filter::call(call.number)?;
    let path_at = |at: bool, index: usize| call.path(pid, at.then(|| index.saturating_sub(1)), index);
    match kind {
        Kind::Execute { at } => {
            let index = usize::from(at);
            let arguments = call.arguments(pid, index + 1);
            Some(Event::Execute { path: path_at(at, index), arguments })
        }
        Kind::Open { at } => {
            let index = usize::from(at);
            open(path_at(at, index), call.argument(index + 1))
        }
        Kind::OpenHow => open(path_at(true, 1), call.word(pid, 2)),
        Kind::Change { at } => {
            let index = usize::from(at);
            Some(Event::Change { call: name, path: path_at(at, index) })
        }
        Kind::ChangeOpen => Some(Event::Change { call: name, path: call.open_file(pid, 0) }),
        Kind::Rename { at } | Kind::HardLink { at } => {
            let (from, to) = if at { (1, 3) } else { (0, 1) };
            let (from, to) = (path_at(at, from), path_at(at, to));
            let moves = matches!(kind, Kind::Rename { .. });
            Some(Event::Name { call: name, from, to, moves })
        }
        Kind::Link { at } => {
            let index = if at { 2 } else { 1 };
            Some(Event::Change { call: name, path: path_at(at, index) })
        }
        Kind::Network => {
            // A socket of this machine alone does nothing before it is connected; what the kernel tells of the machine's
            // addresses and of its sockets is no network, and nobody but its owner may change them there.
            let (family, protocol) = (i32::try_from(call.argument(0)), i32::try_from(call.argument(2)));
            let local = match family {
                Ok(libc::AF_UNIX) => true,
                Ok(libc::AF_NETLINK) => {
                    matches!(protocol, Ok(libc::NETLINK_ROUTE | libc::NETLINK_SOCK_DIAG))
                }
                _ => false,
            };
            (!local).then(|| Event::Other(format!("a socket of family {}", call.argument(0))))
        }
        Kind::Address { index } => {
            let address = call.socket_address(pid, call.argument(index));
            address.map(|address| Event::Other(format!("{name} to {address}")))
        }
        Kind::Message => {
            let address = call.socket_address(pid, call.word(pid, 1));
            address.map(|address| Event::Other(format!("{name} to {address}")))
        }
        Kind::Signal { index } => {
            #[expect(clippy::cast_possible_truncation, reason = "the system looks at the lower half alone")]
            let to = call.argument(index) as i32;
            // The signal 0 is none: whether there is such a process is asked.
            let asks = call.argument(index + 1) == 0;
            (!asks && !is_traced(to)).then(|| Event::Other(format!("{name} {to}")))
        }
        Kind::Never => Some(Event::Other(name.into())),
    }
}

/// Whether a signal goes to what is traced here, or to nobody: 0 is the group of the sender, and a negative number the group of
/// that leader, all of which began in this trace.
fn is_traced(to: i32) -> bool {
    if to == -1 {
        return false;
    }
    let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", to.unsigned_abs())) else {
        return true;
    };
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    // What has ended, and waits for its parent to ask how, is traced no longer.
    let ended = field("State:").is_some_and(|state| state.starts_with(['Z', 'X']));
    let tracer = field("TracerPid:");
    to == 0 || ended || tracer.and_then(|tracer| tracer.parse().ok()) == Some(std::process::id())
}

fn open(path: PathBuf, flags: u64) -> Option<Event> {
    let has = |flag: i32| flags & u64::try_from(flag).unwrap_or_default() != 0;
    if has(libc::O_PATH) {
        return None;
    }
    let writes = has(libc::O_WRONLY)
        || has(libc::O_RDWR)
        || has(libc::O_CREAT)
        || has(libc::O_TRUNC)
        || flags & TEMPORARY == TEMPORARY;
    Some(Event::Open { path, writes, follows: !has(libc::O_NOFOLLOW) })
}

/// `O_TMPFILE`, which is several bits.
const TEMPORARY: u64 = 0o20_000_000;
