//! Finds and signals every process of a job: by descent, by session, by marker. Reads `/proc`, keeps nothing.
//!
//! Where `/proc` does not show this process (macOS, a container without it or with that of another PID namespace), signals go
//! to the child's process group: what left the group is then not found.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

use crate::MARKER;

/// One started child and all that came of it.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    root: i32,
    marker: Vec<u8>,
    /// The table of all processes.
    table: PathBuf,
}

/// Where the system shows all processes.
pub(crate) const TABLE: &str = "/proc";

/// A marker value no other job of this machine has at this time.
pub(crate) fn fresh_marker() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

struct Seen {
    pid: i32,
    parent: i32,
    session: i32,
}

impl Tree {
    /// The tree of a child, which is the leader of a session and must not be reaped while the tree is in use.
    pub(crate) fn new(root: i32, marker: &str, table: &Path) -> Self {
        Self { root, marker: marker.as_bytes().into(), table: table.into() }
    }

    /// Asks every process to end. Stopped ones are woken to hear it.
    pub(crate) fn terminate(&self) {
        let Some((members, _)) = self.look() else {
            self.signal_group(Signal::SIGTERM);
            self.signal_group(Signal::SIGCONT);
            return;
        };
        for pid in members {
            _ = kill(Pid::from_raw(pid), Signal::SIGTERM);
            _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
        }
    }

    /// Kills until none is left. A process may fork between the look and the kill, so it looks again; a process that is
    /// killed forks no more, so few rounds are needed. While one cannot be told yet, it waits a little for that.
    pub(crate) fn kill(&self) {
        const ROUNDS: usize = 20;
        for _ in 0..ROUNDS {
            let Some((members, all_told)) = self.look() else {
                self.signal_group(Signal::SIGKILL);
                return;
            };
            if members.is_empty() {
                if all_told {
                    return;
                }
                thread::sleep(Duration::from_millis(1));
            }
            for pid in members {
                _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            }
        }
    }

    fn signal_group(&self, signal: Signal) {
        // 0 and 1 would mean this process's own group and every process.
        if self.root > 1 {
            _ = killpg(Pid::from_raw(self.root), signal);
        }
    }

    /// All living members, and whether of every other process it could be told that it is none. Dead ones that wait to be
    /// reaped are none. Nothing where the table does not show this process.
    fn look(&self) -> Option<(Vec<i32>, bool)> {
        let this = i32::try_from(std::process::id()).unwrap_or_default();
        let own = fs::read_link(self.table.join("self")).ok()?;
        if own.to_str()?.parse() != Ok(this) {
            return None;
        }
        let seen = running(&self.table);
        let mut members: Vec<i32> = Vec::new();
        let mut all_told = true;
        for process in &seen {
            // Session 0 is that of processes whose session is outside this PID namespace: never ours.
            let own = self.root > 1 && (process.pid == self.root || process.session == self.root);
            let carries_marker = || self.carries_marker(process.pid);
            match if own { Some(true) } else { carries_marker() } {
                Some(true) => members.push(process.pid),
                Some(false) => {}
                None => all_told = false,
            }
        }
        // Descendants that cleared their environment and left the session.
        loop {
            let more: Vec<i32> = seen
                .iter()
                .filter(|process| !members.contains(&process.pid) && members.contains(&process.parent))
                .map(|process| process.pid)
                .collect();
            if more.is_empty() {
                break;
            }
            members.extend(more);
        }
        members.retain(|pid| *pid != this && *pid > 1);
        Some((members, all_told))
    }

    /// Nothing while it cannot be told: a process that becomes another program has neither variables nor arguments for a moment.
    fn carries_marker(&self, pid: i32) -> Option<bool> {
        // The block as it was when the program started; another user's cannot be read and is not ours.
        let Ok(block) = fs::read(self.table.join(format!("{pid}/environ"))) else { return Some(false) };
        if block.is_empty() {
            let arguments = fs::read(self.table.join(format!("{pid}/cmdline")));
            return if arguments.is_ok_and(|arguments| arguments.is_empty()) { None } else { Some(false) };
        }
        let name = [MARKER.as_bytes(), b"="].concat();
        // A host that runs inside another's job passes that job's marker on in front of its own.
        let mut markers =
            block.split(|byte| *byte == 0).filter_map(|entry| entry.strip_prefix(name.as_slice()));
        Some(markers.any(|value| value.split(|byte| *byte == b' ').any(|marker| marker == self.marker)))
    }
}

/// The flag of the kernel's own threads, which have neither variables nor arguments ever.
const KERNEL_THREAD: u64 = 0x0020_0000;

/// Every process that is not dead.
fn running(table: &Path) -> Vec<Seen> {
    let Ok(entries) = fs::read_dir(table) else { return Vec::new() };
    entries
        .filter_map(Result::ok)
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter_map(|pid| look_at(table, pid))
        .collect()
}

fn look_at(table: &Path, pid: i32) -> Option<Seen> {
    let line = fs::read_to_string(table.join(format!("{pid}/stat"))).ok()?;
    // The name in brackets may hold blanks and brackets itself; what follows the last bracket is plain.
    let (_, rest) = line.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    let flags: u64 = fields.nth(2)?.parse().ok()?;
    let is_dead = matches!(state, "Z" | "X");
    (!is_dead && flags & KERNEL_THREAD == 0).then_some(Seen { pid, parent, session })
}

#[cfg(test)]
mod tests {
    use toolwright_core::Cancel;

    use crate::{Ended, Exit, Process, Variables};

    use super::*;

    /// A folder in the place of `/proc`: none, an empty one, and that of another PID namespace.
    fn tables() -> (tempfile::TempDir, [PathBuf; 3]) {
        let folder = tempfile::tempdir().unwrap();
        let [none, empty, foreign] = ["none", "empty", "foreign"].map(|name| folder.path().join(name));
        fs::create_dir(&empty).unwrap();
        fs::create_dir(&foreign).unwrap();
        std::os::unix::fs::symlink("1", foreign.join("self")).unwrap();
        (folder, [none, empty, foreign])
    }

    /// Ends by itself only after a quarter of an hour, and so does its child, which writes its number first.
    fn long(table: &Path) -> Process {
        let variables = Variables::default().with("PATH", "/usr/bin:/bin");
        let script = "trap '' TERM; sleep 900 & echo $!; wait; sleep 900";
        let mut process = Process::bash(script, "/", variables).grace(Duration::from_millis(20));
        process.table = table.into();
        process
    }

    /// Whether the process is gone or dead. Bounded: a dead one is reaped by whoever adopts it.
    fn is_gone(pid: &str) -> bool {
        (0..2_000_000).any(|_| {
            thread::yield_now();
            fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|line| line.contains(") Z ")) || {
                !Path::new("/proc").join(pid).exists()
            }
        })
    }

    #[tokio::test]
    async fn where_processes_are_not_shown_the_group_is_ended() {
        let (_folder, tables) = tables();
        for table in &tables {
            let cancel = Cancel::default();
            let on_output = cancel.clone();
            let process = long(table).on_output(move |_, _| on_output.cancel());
            let finished = process.run(&cancel).await.unwrap();
            assert_eq!((finished.ended, finished.exit), (Ended::Cancelled, Exit::Signal(9)), "{table:?}");
            let child = String::from_utf8(finished.stdout.head).unwrap();
            assert!(is_gone(child.trim()), "{table:?}: {child} lives");
        }
    }

    #[tokio::test]
    async fn where_processes_are_not_shown_a_time_limit_and_a_stop_end_it() {
        let (_folder, tables) = tables();
        for table in &tables {
            // It may end before it has set its trap.
            let finished =
                long(table).time_limit(Duration::from_millis(50)).run(&Cancel::default()).await.unwrap();
            assert_eq!(finished.ended, Ended::TimedOut, "{table:?}");
            assert!(matches!(finished.exit, Exit::Signal(9 | 15)), "{table:?}: {:?}", finished.exit);
            let stopped = long(table).start().unwrap().stop().await.unwrap();
            assert!(matches!(stopped, Exit::Signal(9 | 15)), "{table:?}: {stopped:?}");
        }
    }
}
