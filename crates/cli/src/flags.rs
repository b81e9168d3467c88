//! The command line, under the names people know. Parses alone: what a flag means is decided where it is used.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use toolwright::permissions::Mode;

/// A coding agent made of tools.
#[derive(Debug, Parser)]
#[command(name = "toolwright", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(override_usage = "toolwright -p PROMPT [OPTIONS]\n       toolwright COMMAND [OPTIONS]")]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Run this prompt and print the answer; what is piped in is added to it.
    #[arg(short = 'p', long = "print", value_name = "PROMPT")]
    print: Option<Option<String>>,

    /// The prompt, where `-p` stands without one.
    #[arg(value_name = "PROMPT", hide = true)]
    word: Option<String>,

    /// Go on with the newest session of this folder.
    #[arg(short = 'c', long = "continue", conflicts_with = "resume")]
    pub(crate) go_on: bool,

    /// Go on with this session (the beginning of its id is enough).
    #[arg(short = 'r', long, value_name = "ID")]
    pub(crate) resume: Option<String>,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// Flags of every command.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Common {
    /// The model: a name of the Messages API, openai:NAME, or scripted:FILE.
    #[arg(long, value_name = "MODEL", global = true)]
    pub(crate) model: Option<String>,

    /// How the answer is printed.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, global = true)]
    pub(crate) output_format: OutputFormat,

    /// Rules for what runs without a question: "Bash(git log *),Edit".
    #[arg(long = "allowedTools", alias = "allowed-tools", value_name = "RULES", num_args = 1.., global = true)]
    pub(crate) allowed_tools: Vec<String>,

    /// Rules for what never runs; a tool's name alone takes it away.
    #[arg(long = "disallowedTools", alias = "disallowed-tools", value_name = "RULES", num_args = 1.., global = true)]
    pub(crate) disallowed_tools: Vec<String>,

    /// What runs without a question: default, acceptEdits, plan, dontAsk, bypassPermissions.
    #[arg(long, value_name = "MODE", global = true)]
    pub(crate) permission_mode: Option<Mode>,

    /// The same as --permission-mode bypassPermissions.
    #[arg(long, global = true, conflicts_with = "permission_mode")]
    pub(crate) dangerously_skip_permissions: bool,

    /// A further folder to work in.
    #[arg(long, value_name = "FOLDER", num_args = 1.., global = true)]
    pub(crate) add_dir: Vec<PathBuf>,

    /// More settings: a file, or JSON.
    #[arg(long, value_name = "FILE_OR_JSON", global = true)]
    pub(crate) settings: Vec<String>,

    /// Text at the end of the system prompt.
    #[arg(long, value_name = "TEXT", global = true)]
    pub(crate) append_system_prompt: Option<String>,

    /// Stop after this many requests to the model.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), global = true)]
    pub(crate) max_turns: Option<u32>,

    /// Show more, and show what goes on where there is no terminal too.
    #[arg(long, global = true)]
    pub(crate) verbose: bool,
}

/// What to do instead of running a prompt.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Command {
    /// List the tools of this binary.
    Tools {
        /// As a list of {name, package, origin, loading}.
        #[arg(long, conflicts_with = "explain")]
        json: bool,
        /// Those left out too, and which layer took them out.
        #[arg(long)]
        explain: bool,
    },
    /// Call a tool without a model.
    #[command(
        override_usage = "toolwright call TOOL JSON [OPTIONS]\n       toolwright call --stdin [OPTIONS]"
    )]
    Call {
        /// The tool's name.
        #[arg(required_unless_present = "stdin")]
        tool: Option<String>,
        /// Its input as a JSON object.
        #[arg(value_name = "JSON", required_unless_present = "stdin")]
        input: Option<String>,
        /// Calls from standard input, one {"tool", "input"} a line; a {"is_error", "content"} a line comes out.
        #[arg(long, conflicts_with_all = ["tool", "input"])]
        stdin: bool,
    },
    /// Watch a small task from start to end: no key, no network, nothing left behind.
    Demo,
    /// List the sessions there are; of one session, its prompts.
    Sessions {
        /// A session (the beginning of its id is enough).
        session: Option<String>,
        /// As a list of {id, at, cwd, prompt}, or of {id, at, prompt, files}; `at` in milliseconds since 1970.
        #[arg(long)]
        json: bool,
    },
    /// Take back what tools changed: files are put as they were before a prompt.
    ///
    /// What Edit, Write and NotebookEdit changed is kept with the session and can be put back, that of subagents included.
    /// What commands changed is not kept. Files that somebody else changed since are left alone. Neither git nor the
    /// conversation is touched.
    Rewind {
        /// The session (the beginning of its id is enough); `toolwright sessions` lists them.
        session: String,
        /// The prompt to go back to before, as `toolwright sessions SESSION` lists them. Default: the last one.
        #[arg(long, value_name = "MESSAGE")]
        to: Option<String>,
        /// Only say what would be done.
        #[arg(long)]
        dry_run: bool,
        /// Also overwrite or remove files that somebody else changed since.
        #[arg(long)]
        force: bool,
    },
    /// Ask ToolSearch about a catalogue of tools, to measure how well it finds them.
    ///
    /// Reads {"query", "k"} lines from standard input and prints for each a list of mcp__SERVER__NAME, best first.
    ToolSearch {
        /// A JSON list of {"server", "name", "title", "description", "input_schema"}.
        #[arg(long, value_name = "FILE")]
        catalogue: PathBuf,
    },
    /// Trust the project of a folder: what its settings allow, run and set counts from then on.
    ///
    /// Until a project is trusted, its settings only tighten: deny and ask rules count at once; allow rules, further
    /// folders, variables and hooks wait. Read them first: they run with your rights. Nothing asks for trust by itself; what
    /// waits is said on standard error. A repository inside a trusted folder is trusted on its own.
    Trust {
        /// A folder of the project, in place of this one.
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Take the trust back.
        #[arg(long)]
        remove: bool,
    },
}

/// How the answer is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// The final text.
    #[default]
    Text,
    /// One result object.
    Json,
    /// A JSON object a line, as things happen.
    StreamJson,
}

/// The prompt of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AskedFor {
    /// No `-p`.
    Nothing,
    /// `-p`, and its text comes from standard input.
    Standard,
    /// This text.
    Text(String),
}

impl CommandLine {
    /// Reads the arguments, the program's name first.
    ///
    /// # Errors
    /// Help, version, or what is wrong and what would be right.
    pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let line = Self::try_parse_from(arguments)?;
        match (&line.print, &line.word, &line.command) {
            (Some(Some(first)), Some(second), _) => Err(usage(format!(
                "`{second}` is left over after the prompt `{first}`; put the whole prompt in quotes"
            ))),
            (None, Some(word), None) => Err(usage(unknown_word(word))),
            (Some(_), _, Some(_)) => {
                Err(usage("`-p` runs a prompt; leave out the command, or the `-p`".into()))
            }
            _ => match line.unknown_format() {
                Some(message) => Err(usage(message)),
                None => Ok(line),
            },
        }
    }

    /// Why the command has no output of the format asked for.
    fn unknown_format(&self) -> Option<String> {
        let format = self.common.output_format;
        let (name, has_json) = match self.command.as_ref()? {
            Command::Call { .. } => return None,
            Command::Tools { explain, .. } => (if *explain { "tools --explain" } else { "tools" }, !*explain),
            Command::Sessions { .. } => ("sessions", true),
            Command::Demo => ("demo", false),
            Command::Rewind { .. } => ("rewind", false),
            Command::ToolSearch { .. } => ("tool-search", false),
            Command::Trust { .. } => ("trust", false),
        };
        match (format, has_json) {
            (OutputFormat::Text, _) | (OutputFormat::Json, true) => None,
            (OutputFormat::StreamJson, true) => {
                Some(format!("`{name}` has no --output-format stream-json; use --output-format json"))
            }
            (OutputFormat::Json | OutputFormat::StreamJson, false) => {
                Some(format!("`{name}` has one form of output; leave out --output-format"))
            }
        }
    }

    /// The prompt that was asked for.
    pub(crate) fn prompt(&self) -> AskedFor {
        match (&self.print, &self.word) {
            (Some(Some(text)), _) | (Some(None), Some(text)) => AskedFor::Text(text.clone()),
            (Some(None), None) => AskedFor::Standard,
            (None, _) => AskedFor::Nothing,
        }
    }
}

impl Common {
    /// The mode asked for.
    pub(crate) const fn mode(&self) -> Option<Mode> {
        if self.dangerously_skip_permissions { Some(Mode::BypassPermissions) } else { self.permission_mode }
    }
}

/// A usage error in the parser's own form.
pub(crate) fn usage(message: String) -> clap::Error {
    clap::Error::raw(clap::error::ErrorKind::InvalidValue, message + "\n")
}

fn unknown_word(word: &str) -> String {
    const COMMANDS: [&str; 7] = ["tools", "call", "demo", "sessions", "rewind", "tool-search", "trust"];
    let near = |name: &&&str| strsim::damerau_levenshtein(name, word) <= 2;
    match COMMANDS.iter().filter(near).min_by_key(|name| strsim::damerau_levenshtein(name, word)) {
        Some(name) => format!("there is no command `{word}`; did you mean `{name}`?"),
        None => format!("to run a prompt write: toolwright -p {word:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{AskedFor, CommandLine, OutputFormat};
    use toolwright::permissions::Mode;

    fn read(arguments: &[&str]) -> Result<CommandLine, String> {
        let arguments = ["toolwright"].iter().chain(arguments).map(Into::into);
        CommandLine::read(arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn the_prompt_is_found_wherever_it_stands() {
        let check = |arguments: &[&str], expect: AskedFor| {
            assert_eq!(read(arguments).unwrap().prompt(), expect, "{arguments:?}");
        };
        let text = |text: &str| AskedFor::Text(text.into());
        check(&["-p", "do it"], text("do it"));
        check(&["-p=do it"], text("do it"));
        check(&["--print", "do it", "--model", "scripted:x"], text("do it"));
        check(&["-p", "--model", "scripted:x", "do it"], text("do it"));
        check(&["-p", "demo"], text("demo"));
        check(&["-p", "x", "--allowedTools", "Read", "Edit"], text("x"));
        check(&["-p"], AskedFor::Standard);
        check(&["-p", "-c"], AskedFor::Standard);
        check(&["tools"], AskedFor::Nothing);
    }

    #[test]
    fn flags_have_the_names_people_know() {
        let line = read(&[
            "-p",
            "x",
            "--output-format=stream-json",
            "--allowedTools",
            "Read,Edit",
            "Bash(git *)",
            "--disallowed-tools=WebFetch",
            "--permission-mode",
            "acceptEdits",
            "--add-dir",
            "a",
            "b",
            "--max-turns=3",
            "--verbose",
            "-r",
            "abc",
            "--append-system-prompt",
            "",
        ])
        .unwrap();
        assert_eq!(line.common.output_format, OutputFormat::StreamJson);
        assert_eq!(line.common.allowed_tools, ["Read,Edit", "Bash(git *)"]);
        assert_eq!(line.common.disallowed_tools, ["WebFetch"]);
        assert_eq!(line.common.mode(), Some(Mode::AcceptEdits));
        assert_eq!(line.common.add_dir.len(), 2);
        assert_eq!(line.common.max_turns, Some(3));
        assert_eq!(line.common.append_system_prompt.as_deref(), Some(""));
        assert_eq!(line.resume.as_deref(), Some("abc"));
        assert!(line.common.verbose);
        let line = read(&["tools", "--dangerously-skip-permissions", "--json"]).unwrap();
        assert_eq!(line.common.mode(), Some(Mode::BypassPermissions));
    }

    #[test]
    fn what_is_wrong_is_named_with_what_would_be_right() {
        let check = |arguments: &[&str], parts: &[&str]| {
            let error = read(arguments).unwrap_err();
            for part in parts {
                assert!(error.contains(part), "{arguments:?}: {error}");
            }
        };
        check(&["-p", "x", "--modle", "y"], &["--modle", "--model"]);
        check(&["tolls"], &["tolls", "tools"]);
        check(&["mend the tests"], &["toolwright -p \"mend the tests\""]);
        check(&["-p", "x", "y"], &["`y`", "quotes"]);
        check(&["-p", "x", "--permission-mode", "yolo"], &["yolo", "bypassPermissions"]);
        check(&["-p", "x", "--output-format", "xml"], &["xml", "stream-json"]);
        check(&["-p", "x", "--max-turns", "0"], &["--max-turns", "0"]);
        check(&["-p", "x", "-c", "-r", "id"], &["--continue", "--resume"]);
        check(&["call"], &["TOOL", "--stdin"]);
        let one_form = "one form of output; leave out --output-format";
        check(&["trust", "--output-format", "json"], &["`trust`", one_form]);
        check(&["rewind", "id", "--output-format=stream-json"], &["`rewind`", one_form]);
        check(&["demo", "--output-format=json"], &["`demo`", one_form]);
        check(&["tools", "--explain", "--output-format=json"], &["`tools --explain`", one_form]);
        check(&["sessions", "--output-format=stream-json"], &["`sessions`", "use --output-format json"]);
    }
}
