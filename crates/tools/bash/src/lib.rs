//! The Bash tool: names, types and wiring. What happens is in `logic`, what the model reads in `prompt`, what a person
//! sees in `ui`; what a text touches is the `shell` crate's to say.

mod logic;
mod prompt;
mod ui;

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwright_core::{
    ContextChange, Effects, ErrorKind, Outcome, Progress, Reply, Services, Subject, Tool, ToolContext,
    ToolError, Unavailable, Verdict, register,
};
use toolwright_process::{Variables, bash_outside};
use toolwright_services::{ResultFolder, WorkingFolders};
use toolwright_shell::{Analysis, Place, analyse};

use logic::{Limits, Run};

/// Runs bash commands.
#[derive(Debug)]
pub struct Bash {
    limits: Limits,
    variables: Variables,
    /// Folders whose programs are nobody's that is trusted.
    working_folders: Vec<PathBuf>,
    /// By agent: where its last command ended that moved, and where that began.
    moved: Mutex<HashMap<Arc<str>, Moved>>,
    home: Option<PathBuf>,
    spill_to: PathBuf,
    spill_room: Option<Arc<AtomicU64>>,
}

register!(Bash);

#[derive(Debug)]
struct Moved {
    to: PathBuf,
    from: PathBuf,
}

/// What the model gives.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The command; any bash text.
    #[schemars(extend("x-aliases" = ["cmd", "script"]))]
    pub command: String,
    /// Milliseconds after which it is stopped. Default 120000, at most 600000.
    #[schemars(extend("x-aliases" = ["timeout_ms"]))]
    pub timeout: Option<u64>,
    /// What it does, in 5 to 10 words, for the person who watches.
    pub description: Option<String>,
    /// The text as understood in the folder that was asked about last: read once, asked often.
    #[serde(skip)]
    analysed: Mutex<Option<Arc<Analysed>>>,
}

#[derive(Debug)]
struct Analysed {
    cwd: PathBuf,
    analysis: Analysis,
    /// What follows from it that it may do more than read there, though the text alone does not; known once that was looked at
    /// and something found.
    may_do_more: OnceLock<Verdict>,
}

impl Analysed {
    fn effects(&self) -> Effects {
        match self.may_do_more.get() {
            Some(_) => Effects::DESTROYS,
            None => self.analysis.effects,
        }
    }
}

impl Input {
    fn last_analysed(&self) -> Option<Arc<Analysed>> {
        self.analysed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// Standard output and error as they came, without terminal codes; the middle left out where it was too long.
    pub text: String,
    /// The exit code; none when a signal ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Why it ended.
    pub end: End,
    /// Bytes left out of the text.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omitted_bytes: u64,
    /// The file that holds the whole output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_output: Option<PathBuf>,
    /// What the model should know besides: a folder that is gone, a process left running.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How long it took.
    pub elapsed_ms: u64,
}

/// Why a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// By itself.
    Exited,
    /// Its time was up.
    TimedOut,
    /// It was interrupted.
    Interrupted,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Tool for Bash {
    const NAME: &'static str = "Bash";
    type Input = Input;
    type Output = Output;

    fn new(services: &Services) -> Result<Self, Unavailable> {
        let environment = services.environment();
        let results = services.require::<dyn ResultFolder>().ok();
        Ok(Self {
            limits: Limits::of(environment)?,
            variables: logic::variables(environment),
            working_folders: services
                .require::<dyn WorkingFolders>()
                .map_or_else(|_| Vec::new(), |folders| folders.folders()),
            moved: Mutex::default(),
            home: environment.variable("HOME").map(PathBuf::from),
            spill_room: results.as_ref().and_then(|folder| folder.room()),
            spill_to: results
                .map_or_else(|| logic::temporary_folder(environment), |folder| folder.path().into()),
        })
    }

    /// Asked without a folder: what depends on one is judged cautiously until `validate` or `subjects` named it, and what
    /// depends on the files there until `check` looked at them.
    fn effects(&self, input: &Input) -> Effects {
        match input.last_analysed() {
            Some(analysed) => analysed.effects(),
            None => analyse(&input.command, &Place { home: self.home.clone(), ..Place::default() }).effects,
        }
    }

    fn subjects(&self, input: &Input, cx: &ToolContext) -> Vec<Subject> {
        self.analysed(input, &cx.cwd).analysis.subjects.clone()
    }

    async fn validate(&self, input: &Input, cx: &ToolContext) -> Result<(), ToolError> {
        self.analysed(input, &cx.cwd);
        logic::validate(&input.command, input.timeout, &self.limits)
            .map_err(|message| ToolError::new(ErrorKind::InvalidInput, message))
    }

    async fn check(&self, input: &Input, cx: &ToolContext) -> Verdict {
        let analysed = self.analysed(input, &cx.cwd);
        if let Some(why) = &analysed.analysis.critical {
            return Verdict::AskPerson(why.clone());
        }
        if let Some(verdict) = self.may_do_more(&analysed) {
            analysed.may_do_more.get_or_init(|| verdict);
        }
        analysed.may_do_more.get().cloned().unwrap_or(Verdict::Defer)
    }

    fn runs(&self, input: &Input, cx: &ToolContext) -> Option<String> {
        if cx.authority.runs_as_written() {
            return None;
        }
        let printed = self.analysed(input, &cx.cwd).analysis.printed.clone();
        printed.filter(|printed| *printed != input.command)
    }

    async fn call(&self, input: &Input, cx: &ToolContext) -> Result<Reply<Output>, ToolError> {
        if cx.cancel.is_cancelled() {
            return Err(ToolError::new(ErrorKind::Cancelled, "Bash: not run: interrupted before it began"));
        }
        let text = self.text_that_runs(input, cx)?;
        let report = cx.clone();
        let run = Run {
            command: &text,
            shell: bash_outside(self.variables.get("PATH"), &self.lies_inside(&cx.cwd)),
            cwd: &cx.cwd,
            variables: self.variables_for(input, cx),
            stays: self.stays(input, cx),
            time_limit: self.limits.time_limit(input.timeout),
            spill_to: &self.spill_to,
            spill_room: self.spill_room.clone(),
            progress: Box::new(move |tail, bytes| {
                report.report(Progress { done: bytes, tail: Some(tail), ..Progress::default() });
            }),
        };
        let (output, cwd) = logic::run(run, &cx.cancel).await?;
        if let Some(cwd) = &cwd {
            let moved = Moved { to: cwd.clone(), from: cx.cwd.to_path_buf() };
            self.moved.lock().unwrap_or_else(PoisonError::into_inner).insert(Arc::clone(&cx.agent_id), moved);
        }
        let outcome = match (output.end, output.exit_code) {
            (End::Exited, Some(0)) => Outcome::Success,
            _ => Outcome::Failure,
        };
        let changes = cwd.into_iter().map(ContextChange::SetCwd).collect();
        Ok(Reply { output, outcome, changes })
    }

    fn classifier_text(&self, input: &Input) -> String {
        input.command.clone()
    }
}

impl Bash {
    /// The text that somebody has seen, or what is printed from the analysis; never the one in place of the other.
    fn text_that_runs<'i>(&self, input: &'i Input, cx: &ToolContext) -> Result<Cow<'i, str>, ToolError> {
        if cx.authority.runs_as_written() {
            return Ok(Cow::Borrowed(&input.command));
        }
        let analysis = &self.analysed(input, &cx.cwd).analysis;
        match &analysis.printed {
            Some(printed) => Ok(Cow::Owned(printed.clone())),
            None => Err(ToolError::new(ErrorKind::Denied, logic::not_analysable(&analysis.subjects))),
        }
    }

    /// Whether what runs was analysed, and moves the shell nowhere.
    fn stays(&self, input: &Input, cx: &ToolContext) -> bool {
        !cx.authority.runs_as_written()
            && self.analysed(input, &cx.cwd).analysis.effects == Effects::READ_ONLY
    }

    /// What is let through as reading runs with the variables that reading was judged by. `OLDPWD` is the folder before this
    /// one, where an earlier command came here from it.
    fn variables_for(&self, input: &Input, cx: &ToolContext) -> Variables {
        let reads = self.analysed(input, &cx.cwd).effects().is_read_only();
        let mut variables = self.variables.clone();
        if let Some(moved) = self.moved.lock().unwrap_or_else(PoisonError::into_inner).get(&cx.agent_id)
            && moved.to == *cx.cwd
        {
            variables = variables.with("OLDPWD", moved.from.to_string_lossy());
        }
        if reads && !cx.authority.runs_as_written() {
            variables = logic::known(variables);
        }
        if reads { logic::calm(variables) } else { variables }
    }

    /// Whether a text that only reads may do more in this folder, with the files that are there. A rule may allow the programs
    /// that it may start. Which files it reads in the place of those it names is not known, so no rule covers that.
    fn may_do_more(&self, analysed: &Analysed) -> Option<Verdict> {
        let Analysed { cwd, analysis, .. } = analysed;
        let other_files = || {
            logic::name_taken_for_a_flag(&analysis.globs)
                .or_else(|| logic::name_taken_for_words(&analysis.names))
                .or_else(|| logic::folder_taken_for_a_file(&analysis.files))
        };
        let programs = || {
            let by_git =
                analysis.git_folders.iter().find_map(|folder| logic::what_git_would_start(folder, cwd));
            by_git.or_else(|| self.runs_a_projects_program(analysis, cwd))
        };
        other_files().map(Verdict::Ask).or_else(|| programs().map(Verdict::NotReadOnly))
    }

    /// Why what the analysis takes for programs of the system may be others.
    fn runs_a_projects_program(&self, analysis: &Analysis, cwd: &Path) -> Option<String> {
        // Git starts it for files that their attributes hand to it.
        let by_git = (!analysis.git_folders.is_empty()).then_some("git-lfs");
        let names = analysis.programs.iter().map(String::as_str).chain(by_git);
        logic::what_is_no_systems(names, self.variables.get("PATH"), &self.lies_inside(cwd))
    }

    /// Whether a file lies in a working folder or below `cwd`.
    fn lies_inside(&self, cwd: &Path) -> impl Fn(&Path) -> bool {
        let resolved = cwd.canonicalize().ok();
        let folders: Vec<_> = [cwd.to_owned()].into_iter().chain(resolved).collect();
        move |file| self.working_folders.iter().chain(&folders).any(|folder| file.starts_with(folder))
    }

    fn analysed(&self, input: &Input, cwd: &Path) -> Arc<Analysed> {
        let mut kept = input.analysed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(analysed) = kept.as_ref().filter(|analysed| analysed.cwd == cwd) {
            return Arc::clone(analysed);
        }
        // Another folder than before: the agent moved on in between, which is rare.
        let mut place = Place::new(cwd, self.home.as_deref());
        place.repository = logic::top_of_repository(cwd);
        let mut analysis = analyse(&input.command, &place);
        place.there = logic::there(&analysis.looked_for);
        place.links = logic::links_below(&analysis.followed);
        if place.links || !place.there.is_empty() {
            analysis = analyse(&input.command, &place);
        }
        let analysed = Arc::new(Analysed { cwd: cwd.into(), analysis, may_do_more: OnceLock::new() });
        *kept = Some(Arc::clone(&analysed));
        analysed
    }
}
