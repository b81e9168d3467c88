//! Pieces of work in a process of their own, which is this program started again: within limits that the system keeps.

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use toolwright_core::{BoxFuture, Cancel};
use toolwright_process::{Capture, Ended, Process, Streams, Variables, limit_self};
use toolwright_services::{Apart, ApartError, Bounds, Chore};

/// The first argument of a process apart.
const APART: &str = "__apart";

/// Starts this program again for each piece of work. Its `main` must ask [`serve_apart`] before anything else.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnProgram;

impl Apart for OwnProgram {
    fn run<'a>(
        &'a self,
        chore: &'a Chore,
        input: Vec<u8>,
        bounds: Bounds,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Vec<u8>, ApartError>> {
        Box::pin(async move {
            let started = |error: String| ApartError::NotStarted(error);
            // No variable is passed on: the work needs none, and some are secrets.
            let process = Process::new(
                program().map_err(|error| started(error.to_string()))?,
                "/",
                Variables::default(),
            )
            .argument(APART)
            .argument(chore.name)
            .argument(bounds.memory.to_string())
            .argument(bounds.time.as_secs().to_string())
            .stdin(input)
            .streams(Streams::Separate)
            .capture(Capture { head: bounds.answer, tail: 0, ..Capture::default() })
            .time_limit(bounds.time)
            .grace(Duration::ZERO);
            let finished = process.run(cancel).await.map_err(|error| started(error.to_string()))?;
            match finished.ended {
                Ended::Cancelled => Err(ApartError::Cancelled),
                Ended::TimedOut => Err(ApartError::TooSlow),
                Ended::ByItself if finished.exit.is_success() && finished.stdout.omitted == 0 => {
                    Ok(finished.stdout.head)
                }
                Ended::ByItself => Err(ApartError::Broke),
            }
        })
    }
}

/// On Linux by what runs, not by its path: it may have been replaced by a newer one since.
fn program() -> io::Result<OsString> {
    if cfg!(target_os = "linux") {
        return Ok("/proc/self/exe".into());
    }
    std::env::current_exe().map(Into::into)
}

/// Does a piece of work and gives the code to leave with, if these are the arguments (the program's name first) of a process
/// apart; does nothing otherwise.
#[must_use]
pub fn serve_apart(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter().skip(1);
    if arguments.next()? != APART {
        return None;
    }
    let mut argument = || arguments.next().and_then(|argument| argument.into_string().ok());
    let chore = argument().and_then(|name| Chore::named(&name));
    let number = |text: Option<String>| text.and_then(|text| text.parse().ok());
    let (Some(chore), Some(memory), Some(seconds)) = (chore, number(argument()), number(argument())) else {
        return Some(ExitCode::from(2));
    };
    let done = limit_self(memory, Duration::from_secs(seconds)).and_then(|()| {
        let mut input = Vec::new();
        io::stdin().lock().read_to_end(&mut input)?;
        io::stdout().lock().write_all(&(chore.run)(&input))
    });
    Some(if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
