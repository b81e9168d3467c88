//! Finds and signals every process of a job: by descent, by session, by marker. Reads `/proc`, keeps nothing.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::MARKER;

/// One started child and all that came of it.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    root: i32,
    marker: Vec<u8>,
}

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
    pub(crate) fn new(root: i32, marker: &str) -> Self {
        Self { root, marker: marker.as_bytes().into() }
    }

    /// Asks every process to end. Stopped ones are woken to hear it.
    pub(crate) fn terminate(&self) {
        for pid in self.members() {
            _ = kill(Pid::from_raw(pid), Signal::SIGTERM);
            _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
        }
    }

    /// Kills until none is left. A process may fork between the look and the kill, so it looks again; a process that is
    /// killed forks no more, so few rounds are needed. While one cannot be told yet, it waits a little for that.
    pub(crate) fn kill(&self) {
        const ROUNDS: usize = 20;
        for _ in 0..ROUNDS {
            let (members, all_told) = self.look();
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

    /// All living members; the first process among them only while it lives. Dead ones that wait to be reaped are none.
    fn members(&self) -> Vec<i32> {
        self.look().0
    }

    /// The members, and whether of every other process it could be told that it is none.
    fn look(&self) -> (Vec<i32>, bool) {
        let seen = running();
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
        let this = i32::try_from(std::process::id()).unwrap_or_default();
        members.retain(|pid| *pid != this && *pid > 1);
        (members, all_told)
    }

    /// Nothing while it cannot be told: a process that becomes another program has neither variables nor arguments for a moment.
    fn carries_marker(&self, pid: i32) -> Option<bool> {
        // The block as it was when the program started; another user's cannot be read and is not ours.
        let Ok(block) = fs::read(format!("/proc/{pid}/environ")) else { return Some(false) };
        if block.is_empty() {
            let arguments = fs::read(format!("/proc/{pid}/cmdline"));
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
fn running() -> Vec<Seen> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(Result::ok)
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter_map(look_at)
        .collect()
}

fn look_at(pid: i32) -> Option<Seen> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
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
