//! The stock coding agent: flags, output formats, wiring. Whatever another crate can own is not here.

mod approver;
mod call;
mod catalogue;
mod demo;
mod echo;
mod environment;
mod exit;
mod flags;
mod output;
mod prompt;
mod rewind;
mod run;
mod sessions;
mod setup;
mod signals;
mod stdout;
mod terminal;
mod tools;
mod trust;
mod watch;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use environment::Surroundings;
use exit::Exit;
use flags::{AskedFor, Command, CommandLine, OutputFormat};
use stdout::{print, say};

/// What a person sees who gives no arguments.
const SHORT_HELP: &str = "\
toolwright is a coding agent made of tools.

  toolwright demo                   watch a small task: no key, no network
  toolwright -p \"mend the tests\"    run a prompt in this folder
  toolwright -c -p \"and the docs\"   go on with the newest session here
  toolwright tools                  what it can do
  toolwright --help                 everything else
";

fn main() -> ExitCode {
    if let Some(code) = toolwright::runtime::serve_apart(std::env::args_os()) {
        return code;
    }
    let line = match CommandLine::read(std::env::args_os()) {
        Ok(line) => line,
        Err(error) => {
            if error.use_stderr() {
                let _ = error.print();
                return Exit::Usage.into();
            }
            // Help and version are no fault.
            return print(&error.render().to_string()).map_or(Exit::Failed, |()| Exit::Done).into();
        }
    };
    let surroundings = match Surroundings::take() {
        Ok(surroundings) => surroundings,
        Err(error) => {
            say(&format!("the working directory cannot be used: {error}; change to one that is there"));
            return Exit::Failed.into();
        }
    };
    match (dispatch(line, surroundings), stdout::finish()) {
        (Exit::Done, Err(_)) => Exit::Failed,
        (exit, _) => exit,
    }
    .into()
}

fn dispatch(line: CommandLine, surroundings: Surroundings) -> Exit {
    let json_format = line.common.output_format == OutputFormat::Json;
    match &line.command {
        Some(Command::Tools { json, explain }) => {
            run::tools(&line.common, surroundings, *json || json_format, *explain)
        }
        Some(Command::Call { tool, input, stdin }) => {
            let one = tool.as_deref().zip(input.as_deref()).filter(|_| !*stdin);
            call::call(&line.common, surroundings, one)
        }
        Some(Command::Demo) => demo::demo(&line.common, surroundings),
        Some(Command::Sessions { session, json }) => {
            run::sessions(&surroundings, session.as_deref(), *json || json_format)
        }
        Some(Command::Rewind { session, to, dry_run, force }) => {
            let asked = rewind::Asked { session, to: to.as_deref(), dry_run: *dry_run, force: *force };
            rewind::rewind(&surroundings, &asked)
        }
        Some(Command::ToolSearch { catalogue }) => catalogue::tool_search(&surroundings, catalogue),
        Some(Command::Trust { folder, remove }) => trust::trust(&surroundings, folder.as_deref(), *remove),
        None if is_bare(&line) => match print(SHORT_HELP) {
            Ok(()) => Exit::Done,
            Err(_) => Exit::Failed,
        },
        None => run::prompt(&line, surroundings),
    }
}

/// Nothing is asked for, and nothing is piped in.
fn is_bare(line: &CommandLine) -> bool {
    line.prompt() == AskedFor::Nothing && !line.go_on && line.resume.is_none() && io::stdin().is_terminal()
}
