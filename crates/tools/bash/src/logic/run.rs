//! Runs one command and tells what came of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use toolwright_core::{Cancel, ErrorKind, ToolError};
use toolwright_process::{Capture, Captured, Ended, Exit, Finished, Process, ProcessError, Variables};

use super::folder::{LastFolder, nearest_existing};
use super::text::readable;
use crate::{End, Output};

/// Bytes kept of a long output. Its end says more than its beginning; both together stay below what a host would store.
const HEAD: usize = 10_000;
const TAIL: usize = 18_000;

/// One command to run.
pub(crate) struct Run<'a> {
    pub(crate) command: &'a str,
    /// The file of bash; none where there is none that may be trusted.
    pub(crate) shell: Option<PathBuf>,
    pub(crate) cwd: &'a Path,
    pub(crate) variables: Variables,
    /// Whether it surely ends in the folder it begins in, so that bash need not tell.
    pub(crate) stays: bool,
    pub(crate) time_limit: Duration,
    pub(crate) spill_to: &'a Path,
    pub(crate) spill_room: Option<Arc<AtomicU64>>,
    pub(crate) progress: Box<dyn Fn(String, u64) + Send + Sync>,
}

/// Runs it. Gives the folder it ended in beside the output, where that is another than it was called for.
pub(crate) async fn run(run: Run<'_>, cancel: &Cancel) -> Result<(Output, Option<PathBuf>), ToolError> {
    let Run { command, shell, cwd, variables, stays, time_limit, spill_to, spill_room, progress } = run;
    let shell = shell.ok_or_else(|| {
        let message = "Bash: there is no `bash` on the PATH that lies outside the project; install it";
        ToolError::new(ErrorKind::Failed, message)
    })?;
    let folder = nearest_existing(cwd);
    let mut notes = Vec::new();
    if folder != cwd {
        notes.push(format!(
            "{} no longer exists; the command ran in {}, which is the working directory now",
            cwd.display(),
            folder.display()
        ));
    }
    let last_folder = (!stays).then(LastFolder::new);
    let spill_to = Some(spill_to.into());
    let capture = Capture { head: HEAD, tail: TAIL, spill_to, spill_room, ..Capture::default() };
    // Bash takes PWD from here where it names the same folder, so that links in the path stay as the person knows them.
    let variables = variables.with("PWD", folder.to_string_lossy());
    let mut process =
        Process::bash(command, folder, variables).file(shell).capture(capture).time_limit(time_limit);
    if let Some(last_folder) = &last_folder {
        process = process.bash_exit_report(last_folder.commands());
    }
    let finished = process
        .on_output(move |newest, total| progress(readable(newest, true, true), total))
        .run(cancel)
        .await
        .map_err(not_run)?;

    let reported = last_folder.as_ref().and_then(|last_folder| last_folder.read(&finished.report));
    if !stays && reported.is_none() && finished.ended == Ended::ByItself && may_move(command) {
        notes.push(format!(
            "the folder it ended in is not known: it set an EXIT trap of its own, replaced the shell by `exec`, or was killed; \
             the working directory is still {}",
            folder.display()
        ));
    }
    let ended_in = reported.unwrap_or_else(|| folder.into());
    let moved = ended_in != cwd;
    if moved && ended_in != folder {
        notes.push(format!("the working directory is now {}", ended_in.display()));
    }
    notes.extend(what_to_know(&finished, time_limit));
    Ok((output(finished, notes), moved.then_some(ended_in)))
}

/// Whether a text has a word that may move the shell to another folder.
fn may_move(command: &str) -> bool {
    let ends_word = |character: char| character.is_whitespace() || "'\"();&|{}`$\\<>".contains(character);
    command.split(ends_word).any(|word| matches!(word, "cd" | "pushd" | "popd" | "source" | "." | "eval"))
}

fn not_run(error: ProcessError) -> ToolError {
    let message = match &error {
        ProcessError::NotFound { .. } => "Bash: there is no `bash` on the PATH; install it".into(),
        other => format!("Bash: {other}"),
    };
    ToolError::new(ErrorKind::Failed, message).caused_by(error)
}

fn what_to_know(finished: &Finished, time_limit: Duration) -> Vec<String> {
    let mut notes = Vec::new();
    match finished.ended {
        Ended::TimedOut => notes.push(format!(
            "timed out: stopped after {} ms, with all it had started; give a larger `timeout` (milliseconds) if it needs more",
            time_limit.as_millis()
        )),
        Ended::Cancelled => notes.push("interrupted: stopped with all it had started".into()),
        Ended::ByItself if finished.left_running => {
            notes.push("a process it started is still running; its later output is not shown".into());
        }
        Ended::ByItself => {}
    }
    notes
}

fn output(finished: Finished, notes: Vec<String>) -> Output {
    let (exit_code, signal) = match finished.exit {
        Exit::Code(code) => (Some(code), None),
        Exit::Signal(signal) => (None, Some(signal)),
    };
    let Captured { omitted, spilled_to, spill_cut, .. } = &finished.stdout;
    let mut notes = notes;
    if *omitted > 0 {
        notes.push(match spilled_to {
            Some(file) if *spill_cut => format!("the beginning of the output is in {}", file.display()),
            Some(file) => format!("the whole output is in {}", file.display()),
            None => "the rest of the output is lost: no file could take it".into(),
        });
    }
    Output {
        text: text(&finished.stdout),
        exit_code,
        signal,
        end: match finished.ended {
            Ended::ByItself => End::Exited,
            Ended::TimedOut => End::TimedOut,
            Ended::Cancelled => End::Interrupted,
        },
        omitted_bytes: *omitted,
        whole_output: spilled_to.clone(),
        notes,
        elapsed_ms: u64::try_from(finished.elapsed.as_millis()).unwrap_or(u64::MAX),
    }
}

fn text(captured: &Captured) -> String {
    if captured.omitted == 0 {
        return readable(&captured.head, false, false).trim_end_matches('\n').into();
    }
    let head = readable(&captured.head, false, true);
    let tail = readable(&captured.tail, true, false);
    let tail = tail.trim_end_matches('\n');
    format!("{head}\n[... {} bytes omitted ...]\n{tail}", captured.omitted)
}
