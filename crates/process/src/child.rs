//! Starts one child as the leader of a session of its own, and waits for it.
//!
//! The child is made by `posix_spawn`, not by `fork`: a fork copies the tables of the host's memory, and the host then pays for
//! every page that it writes to again. The end of a child is told by `SIGCHLD`, which every Unix has.
//!
//! A child that has ended is reaped when it is dropped, not when its end is seen: until then no other process is given its
//! number, so that a signal to it, its group or its session reaches nobody else.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, BorrowedFd, RawFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use nix::sys::signal::{Signal as Number, kill};
use nix::unistd::{AccessFlags, Pid, access};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::Variables;

/// What a child is made of.
pub(crate) struct Start<'a> {
    pub(crate) program: &'a OsStr,
    /// The file to execute, where it is not to be looked for.
    pub(crate) file: Option<&'a Path>,
    pub(crate) arguments: &'a [OsString],
    pub(crate) folder: &'a Path,
    pub(crate) variables: &'a Variables,
    /// Its standard input; none stands for an empty one.
    pub(crate) stdin: Option<BorrowedFd<'a>>,
    pub(crate) stdout: BorrowedFd<'a>,
    pub(crate) stderr: BorrowedFd<'a>,
    /// One more descriptor, and the number that it has in the child. Its number here is above that one.
    pub(crate) extra: Option<(BorrowedFd<'a>, RawFd)>,
}

/// A child that was started. It is killed when dropped before its end.
#[derive(Debug)]
pub(crate) struct Child {
    pid: libc::pid_t,
    /// Made before the child, so that its end is not missed.
    ended: Signal,
    status: Option<ExitStatus>,
}

/// Children that were dropped while they still ran: the system keeps what it knows of each until it is asked for.
static DROPPED: Mutex<Vec<libc::pid_t>> = Mutex::new(Vec::new());

impl Start<'_> {
    /// Starts it.
    ///
    /// # Errors
    /// What the system says, of kind `NotFound` where there is no such program.
    pub(crate) fn spawn(&self) -> io::Result<Child> {
        DROPPED.lock().unwrap_or_else(PoisonError::into_inner).retain(|pid| matches!(reap(*pid), Ok(None)));
        let program = terminated(self.path()?.into_os_string())?;
        let words = [self.program.to_os_string()].into_iter().chain(self.arguments.iter().cloned());
        let arguments = Texts::new(words)?;
        let variables =
            Texts::new(self.variables.iter().map(|(name, value)| format!("{name}={value}").into()))?;
        let actions = self.actions()?;
        let attributes = Attributes::new()?;
        let ended = signal(SignalKind::child())?;
        let mut pid = 0;
        #[expect(unsafe_code, reason = "posix_spawn is called with pointers")]
        // SAFETY: every pointer is to a value that lives until the call is over; both lists end in a null pointer.
        let failed = unsafe {
            libc::posix_spawn(
                &raw mut pid,
                program.as_ptr(),
                &raw const actions.0,
                &raw const attributes.0,
                arguments.pointers.as_ptr(),
                variables.pointers.as_ptr(),
            )
        };
        succeeded(failed)?;
        Ok(Child { pid, ended, status: None })
    }

    /// The program's file: as it is spelled where that names a place, else the first of the child's `PATH`. What is relative is
    /// so to the child's folder.
    fn path(&self) -> io::Result<PathBuf> {
        if let Some(file) = self.file {
            return Ok(file.into());
        }
        if self.program.as_bytes().contains(&b'/') {
            return Ok(self.program.into());
        }
        let folders = self.variables.get("PATH").unwrap_or("/bin:/usr/bin").split(':');
        let mut paths = folders.map(|folder| Path::new(if folder.is_empty() { "." } else { folder }));
        let is_program = |path: &PathBuf| {
            let seen = self.folder.join(path);
            access(&seen, AccessFlags::X_OK).is_ok() && seen.is_file()
        };
        paths
            .find_map(|folder| Some(folder.join(self.program)).filter(is_program))
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn actions(&self) -> io::Result<Actions> {
        let mut actions = Actions::new()?;
        match self.stdin {
            Some(stdin) => actions.duplicate(stdin, libc::STDIN_FILENO)?,
            None => actions.open_empty(libc::STDIN_FILENO)?,
        }
        actions.duplicate(self.stdout, libc::STDOUT_FILENO)?;
        actions.duplicate(self.stderr, libc::STDERR_FILENO)?;
        if let Some((descriptor, number)) = self.extra {
            actions.duplicate(descriptor, number)?;
        }
        actions.change_folder(self.folder)?;
        Ok(actions)
    }
}

impl Child {
    /// Its process ID.
    pub(crate) const fn id(&self) -> i32 {
        self.pid
    }

    /// Waits for its end, and leaves it to be reaped. May be dropped and called again.
    ///
    /// # Errors
    /// When the system cannot say how it ended.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        loop {
            if self.status.is_none() {
                self.status = look(self.pid)?;
            }
            if let Some(status) = self.status {
                return Ok(status);
            }
            self.ended.recv().await;
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.status.is_some() {
            _ = reap(self.pid);
            return;
        }
        _ = kill(Pid::from_raw(self.pid), Number::SIGKILL);
        if let Ok(None) = reap(self.pid) {
            DROPPED.lock().unwrap_or_else(PoisonError::into_inner).push(self.pid);
        }
    }
}

/// How a child ended; none while it runs. It stays to be reaped.
fn look(pid: libc::pid_t) -> io::Result<Option<ExitStatus>> {
    let id = libc::id_t::try_from(pid).map_err(io::Error::other)?;
    let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    let mut seen = MaybeUninit::<libc::siginfo_t>::zeroed();
    #[expect(unsafe_code, reason = "the safe wrapper fails on real-time signals")]
    // SAFETY: the pointer is to a value that lives until the call is over; all zeros are a value of it, and what is read of it
    // was set by the call, or is 0 where no child has ended.
    let (failed, ended, code, status) = unsafe {
        let failed = libc::waitid(libc::P_PID, id, seen.as_mut_ptr(), flags);
        let seen = seen.assume_init();
        (failed, seen.si_pid(), seen.si_code, seen.si_status())
    };
    match (failed, ended) {
        (0, 0) => Ok(None),
        (0, _) if code == libc::CLD_EXITED => Ok(Some(ExitStatus::from_raw((status & 0xff) << 8))),
        (0, _) => Ok(Some(ExitStatus::from_raw(status))),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Reaps a child that has ended, and says how it did; none while it runs.
fn reap(pid: libc::pid_t) -> io::Result<Option<ExitStatus>> {
    let mut status = 0;
    #[expect(unsafe_code, reason = "the safe wrapper fails on real-time signals")]
    // SAFETY: the pointer is to a value that lives until the call is over.
    let reaped = unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG) };
    match reaped {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(None),
        _ => Ok(Some(ExitStatus::from_raw(status))),
    }
}

/// Texts as C reads them, and the list of where each begins.
struct Texts {
    pointers: Vec<*mut libc::c_char>,
    /// What the pointers lead to.
    _texts: Vec<CString>,
}

impl Texts {
    fn new(texts: impl Iterator<Item = OsString>) -> io::Result<Self> {
        let texts = texts.map(terminated).collect::<io::Result<Vec<_>>>()?;
        let pointers = texts.iter().map(|text| text.as_ptr().cast_mut()).chain([ptr::null_mut()]).collect();
        Ok(Self { pointers, _texts: texts })
    }
}

fn terminated(text: OsString) -> io::Result<CString> {
    CString::new(text.into_vec()).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}

/// What the child does before it becomes the program.
struct Actions(libc::posix_spawn_file_actions_t);

impl Actions {
    fn new() -> io::Result<Self> {
        let mut actions = MaybeUninit::uninit();
        #[expect(unsafe_code, reason = "made in place by the system")]
        // SAFETY: the value is taken as made only where the call says so.
        unsafe {
            succeeded(libc::posix_spawn_file_actions_init(actions.as_mut_ptr()))?;
            Ok(Self(actions.assume_init()))
        }
    }

    fn duplicate(&mut self, from: BorrowedFd<'_>, to: RawFd) -> io::Result<()> {
        #[expect(unsafe_code, reason = "a call with pointers")]
        // SAFETY: the value was made by `new`; the descriptor is only used while the caller holds it.
        succeeded(unsafe { libc::posix_spawn_file_actions_adddup2(&raw mut self.0, from.as_raw_fd(), to) })
    }

    fn open_empty(&mut self, to: RawFd) -> io::Result<()> {
        #[expect(unsafe_code, reason = "a call with pointers")]
        // SAFETY: the value was made by `new`; the text is static.
        succeeded(unsafe {
            libc::posix_spawn_file_actions_addopen(
                &raw mut self.0,
                to,
                c"/dev/null".as_ptr(),
                libc::O_RDONLY,
                0,
            )
        })
    }

    fn change_folder(&mut self, folder: &Path) -> io::Result<()> {
        let folder = terminated(folder.as_os_str().to_os_string())?;
        #[expect(unsafe_code, reason = "a call with pointers")]
        // SAFETY: the value was made by `new`; the system copies the text.
        succeeded(unsafe { libc::posix_spawn_file_actions_addchdir_np(&raw mut self.0, folder.as_ptr()) })
    }
}

impl Drop for Actions {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "a call with pointers")]
        // SAFETY: the value was made by `new` and is not used behind this.
        unsafe {
            libc::posix_spawn_file_actions_destroy(&raw mut self.0);
        }
    }
}

/// How the child begins: in a session of its own, with no signal blocked, and dying of a pipe that nobody reads as programs
/// expect to; this process ignores that signal.
struct Attributes(libc::posix_spawnattr_t);

#[cfg(not(target_vendor = "apple"))]
const SESSION: libc::c_int = libc::POSIX_SPAWN_SETSID as libc::c_int;
/// `POSIX_SPAWN_SETSID` of `<spawn.h>`.
#[cfg(target_vendor = "apple")]
const SESSION: libc::c_int = 0x400;

impl Attributes {
    fn new() -> io::Result<Self> {
        let flags = SESSION | libc::POSIX_SPAWN_SETSIGMASK | libc::POSIX_SPAWN_SETSIGDEF;
        let flags = libc::c_short::try_from(flags).map_err(io::Error::other)?;
        let mut attributes = MaybeUninit::uninit();
        let mut signals = MaybeUninit::uninit();
        #[expect(unsafe_code, reason = "made in place by the system")]
        // SAFETY: the values are taken as made only where the calls say so.
        unsafe {
            succeeded(libc::posix_spawnattr_init(attributes.as_mut_ptr()))?;
            let mut made = Self(attributes.assume_init());
            succeeded(libc::posix_spawnattr_setflags(&raw mut made.0, flags))?;
            libc::sigemptyset(signals.as_mut_ptr());
            succeeded(libc::posix_spawnattr_setsigmask(&raw mut made.0, signals.as_ptr()))?;
            libc::sigaddset(signals.as_mut_ptr(), libc::SIGPIPE);
            succeeded(libc::posix_spawnattr_setsigdefault(&raw mut made.0, signals.as_ptr()))?;
            Ok(made)
        }
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "a call with pointers")]
        // SAFETY: the value was made by `new` and is not used behind this.
        unsafe {
            libc::posix_spawnattr_destroy(&raw mut self.0);
        }
    }
}

/// These calls give the number of the error, and do not set `errno`.
fn succeeded(error: libc::c_int) -> io::Result<()> {
    if error == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(error)) }
}

#[cfg(test)]
mod tests {
    use nix::errno::Errno;

    use super::*;

    #[tokio::test]
    async fn a_child_keeps_its_number_until_it_is_dropped() {
        let check = async |script: &str, expect: ExitStatus| {
            let empty = std::fs::File::options().read(true).write(true).open("/dev/null").unwrap();
            let descriptor = std::os::fd::AsFd::as_fd(&empty);
            let start = Start {
                program: OsStr::new("/bin/sh"),
                file: None,
                arguments: &["-c".into(), script.into()],
                folder: Path::new("/"),
                variables: &Variables::default(),
                stdin: None,
                stdout: descriptor,
                stderr: descriptor,
                extra: None,
            };
            let mut child = start.spawn().unwrap();
            let pid = Pid::from_raw(child.id());
            assert_eq!(child.wait().await.unwrap(), expect, "{script}");
            assert_eq!(child.wait().await.unwrap(), expect, "{script}");
            assert_eq!(kill(pid, None), Ok(()), "{script}: its number was given away");
            drop(child);
            assert_eq!(kill(pid, None), Err(Errno::ESRCH), "{script}: it was not reaped");
        };
        check("exit 0", ExitStatus::from_raw(0)).await;
        check("exit 3", ExitStatus::from_raw(3 << 8)).await;
        check("exit 255", ExitStatus::from_raw(255 << 8)).await;
        check("kill -9 $$", ExitStatus::from_raw(9)).await;
        check("kill -40 $$", ExitStatus::from_raw(40)).await;
    }
}
