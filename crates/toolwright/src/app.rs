//! Wires an agent: settings, services, tools, permissions and a model become one [`Agent`]. Decides nothing itself; each
//! part is decided by the crate it belongs to.

mod commands;
mod error;
mod models;
mod offers;
mod rules;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use toolwright_config::{Flags, Memory, MemoryScope, Places, Settings, Trust, load, memory_files};
use toolwright_core::{DynTool, Environment, Registry};
use toolwright_engine::{DeferralMode, DeferralPolicy, MemoryFile, PromptParts, SystemPrompt, Workplace};
use toolwright_model::Model;
use toolwright_permissions::Mode;
use toolwright_runtime::{
    Agent, AgentOptions, CheckpointLimits, Hooks, Journal, NoSink, Session, SessionOptions, SessionRoots,
    SessionStore, Sink, cleanup_period,
};
use toolwright_services::{Apart, Approver, DenyAll};

pub use error::AppError;
use offers::NoModel;

/// An agent in the making.
///
/// ```no_run
/// use std::path::PathBuf;
/// use toolwright::{App, Start, core::{Block, Cancel, Environment}};
///
/// # async fn run(environment: Environment) -> Result<(), Box<dyn std::error::Error>> {
/// let app = App::linked(environment, PathBuf::from("/home/me/project"))?;
/// let mut ready = app.build(Start::New)?;
/// let report = ready.agent.prompt(vec![Block::text("What is this project?")], &Cancel::default()).await?;
/// println!("{}", report.text);
/// # Ok(())
/// # }
/// ```
pub struct App {
    registry: Registry,
    environment: Environment,
    cwd: PathBuf,
    flags: Flags,
    model: Option<Arc<dyn Model>>,
    sink: Arc<dyn Sink>,
    approver: Arc<dyn Approver>,
    hooks: Option<Arc<dyn Hooks>>,
    apart: Option<Arc<dyn Apart>>,
    host_tools: Vec<Arc<dyn DynTool>>,
    remote_tools: Vec<Arc<dyn DynTool>>,
    requested_tools: Vec<String>,
    appended_prompt: Vec<String>,
    most_requests: Option<u64>,
}

/// How a session begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// A new session, kept.
    New,
    /// The newest session held in the working directory goes on.
    Continue,
    /// The session of this id, or of an id that begins so, goes on.
    Resume(String),
    /// Nothing is kept and no model is needed: listing tools, single calls.
    Unrecorded,
}

/// An agent that can be spoken to, and what a person should know.
#[derive(Debug)]
#[non_exhaustive]
pub struct Ready {
    /// The agent.
    pub agent: Agent,
    /// Where things are.
    pub places: Places,
    /// Sentences for a person: settings that do not do what they seem to, memory files left out, tools that changed.
    pub warnings: Vec<String>,
    /// What waits until the project is trusted.
    pub waiting: Vec<String>,
    /// The permission mode it starts in.
    pub mode: Mode,
    /// After how long sessions that nobody goes on with are to be removed, by [`SessionStore::clean`] when the host has
    /// time for it; none: they are not.
    pub cleanup_period: Option<Duration>,
}

impl App {
    /// The agent of these tools, in this environment, working in `cwd` (absolute).
    #[must_use]
    pub fn new(registry: Registry, environment: Environment, cwd: PathBuf) -> Self {
        Self {
            registry,
            environment,
            cwd,
            flags: Flags::default(),
            model: None,
            sink: Arc::new(NoSink),
            approver: Arc::new(DenyAll),
            hooks: None,
            apart: None,
            host_tools: Vec::new(),
            remote_tools: Vec::new(),
            requested_tools: Vec::new(),
            appended_prompt: Vec::new(),
            most_requests: None,
        }
    }

    /// The agent of the tools linked into this binary.
    ///
    /// # Errors
    /// When two crates registered one name, or an expected one was not linked.
    pub fn linked(environment: Environment, cwd: PathBuf) -> Result<Self, AppError> {
        Ok(Self::new(crate::tools()?, environment, cwd))
    }

    /// Settings from the command line.
    #[must_use]
    pub fn flags(mut self, flags: Flags) -> Self {
        self.flags = flags;
        self
    }

    /// This model, whatever the settings say.
    #[must_use]
    pub fn model(mut self, model: Arc<dyn Model>) -> Self {
        self.model = Some(model);
        self
    }

    /// Where events are shown.
    #[must_use]
    pub fn sink(mut self, sink: Arc<dyn Sink>) -> Self {
        self.sink = sink;
        self
    }

    /// Who answers what the rules leave open; without one, everything is refused.
    #[must_use]
    pub fn approver(mut self, approver: Arc<dyn Approver>) -> Self {
        self.approver = approver;
        self
    }

    /// Hooks around every call, in place of those of the settings.
    #[must_use]
    pub fn hooks(mut self, hooks: Arc<dyn Hooks>) -> Self {
        self.hooks = Some(hooks);
        self
    }

    /// Where tools do risky work apart (Read: the pages of a PDF); without one they do it within this process. A host whose
    /// `main` asks [`serve_apart`](crate::runtime::serve_apart) first gives
    /// [`OwnProgram`](crate::runtime::OwnProgram).
    #[must_use]
    pub fn apart(mut self, apart: Arc<dyn Apart>) -> Self {
        self.apart = Some(apart);
        self
    }

    /// A tool of the host's own.
    #[must_use]
    pub fn tool(mut self, tool: Arc<dyn DynTool>) -> Self {
        self.host_tools.push(tool);
        self
    }

    /// Tools of other programs.
    #[must_use]
    pub fn remote_tools(mut self, tools: Vec<Arc<dyn DynTool>>) -> Self {
        self.remote_tools = tools;
        self
    }

    /// Tools that come only on request, by name.
    #[must_use]
    pub fn request_tools(mut self, names: Vec<String>) -> Self {
        self.requested_tools = names;
        self
    }

    /// Text at the end of the system prompt.
    #[must_use]
    pub fn append_system_prompt(mut self, text: String) -> Self {
        self.appended_prompt.push(text);
        self
    }

    /// Requests to the model a turn may make at most.
    #[must_use]
    pub fn most_requests(mut self, most: u64) -> Self {
        self.most_requests = Some(most);
        self
    }

    /// Reads the settings and makes the agent.
    ///
    /// # Errors
    /// When settings are bad, no model is configured, or the session cannot be kept or found.
    pub fn build(self, start: Start) -> Result<Ready, AppError> {
        let places = Places::find(&self.environment, &self.cwd);
        let trusted = match Trust::of(&places) {
            Ok(trust) => trust.is_trusted(&places.project_root.spelled)?,
            Err(_) => false,
        };
        let settings = load(&places, &self.flags, trusted, &[])?;
        let own = self.environment.variables.clone();
        let environment = with_settings(self.environment, &settings);
        let find = models::finder(&settings, &own, &environment);
        let model: Arc<dyn Model> = match (self.model, &start) {
            (Some(model), _) => model,
            (None, Start::Unrecorded) => Arc::new(NoModel),
            (None, Start::New | Start::Continue | Start::Resume(_)) => find(settings.model.as_deref())?,
        };
        let Settings { permissions, mode, additional_directories, mut warnings, waiting, hooks, .. } =
            settings;
        let hooks = match self.hooks {
            Some(hooks) => hooks,
            None => {
                let project = &places.project_root.spelled;
                commands::hooks(hooks, &environment, project, &mut warnings)?
            }
        };
        let roots = SessionRoots {
            start: places.cwd.clone(),
            project: places.project_root.clone(),
            additional: additional_directories,
            readable: Vec::new(),
            home: places.home.clone(),
        };
        let mut services = offers::services(&environment, &places, &permissions, &roots)?;
        offers::check_settings(&self.registry, &services, &places)?;
        if let Some(apart) = self.apart {
            services.offer::<dyn Apart>(apart);
        }
        let memory = match start {
            Start::Unrecorded => Memory::default(),
            _ => memory_files(&places),
        };
        warnings.extend(memory.warnings.iter().cloned());
        let others = self.host_tools.iter().chain(&self.remote_tools);
        warnings.extend(rules::of_no_tool(&permissions, &self.registry, others));
        let shared_prompt = SharedPrompt::new(&memory, &places, &self.appended_prompt);
        let (journal, events) = open(&start, &places, &mut warnings)?;

        let mut options = SessionOptions::new(self.registry, roots);
        options.journal = journal;
        options.sink = self.sink;
        options.approver = self.approver;
        options.hooks = hooks;
        options.rules = permissions;
        options.trusted = trusted;
        options.checkpoints = CheckpointLimits::of(&environment)?;
        options.host_tools = self.host_tools;
        options.remote_tools = self.remote_tools;
        options.requested_tools = self.requested_tools;
        options.simple = environment.switched_on("TOOLWRIGHT_SIMPLE");
        options.deferral = DeferralPolicy {
            mode: DeferralMode::of(&environment)?,
            context_tokens: model.limits().context_tokens.into(),
            ..DeferralPolicy::default()
        };
        options.limits.requests = self.most_requests;
        options.limits.compaction =
            environment.settings::<Option<bool>>("autoCompactEnabled")?.unwrap_or(true)
                && !environment.switched_on("DISABLE_AUTO_COMPACT");
        options.subagent_context = shared_prompt.blocks(Some(""), None);
        options.find_model = Arc::new(move |name| find(Some(name)).map_err(|error| error.to_string()));
        let session = Session::new(options);
        let mut agent = Agent::new(session, AgentOptions::main(services, model, mode, self.cwd));
        if let Some(events) = events {
            warnings.extend(agent.resume(&events)?);
        }
        // Also a stored session may have none: one that was killed in its first moment.
        let has_prompt = !agent.state().system_prompt.is_empty();
        if !has_prompt && start != Start::Unrecorded {
            let blocks = {
                let pool = agent.pool();
                shared_prompt.blocks(None, Some(&pool))
            };
            agent.begin(blocks)?;
        }
        let cleanup_period = cleanup_period(&environment).map_err(|why| warnings.push(why.0)).ok();
        Ok(Ready { agent, places, warnings, waiting, mode, cleanup_period })
    }
}

type StoredEvents = Option<Vec<toolwright_engine::event::SessionEvent>>;

fn open(
    start: &Start,
    places: &Places,
    warnings: &mut Vec<String>,
) -> Result<(Journal, StoredEvents), AppError> {
    if *start == Start::Unrecorded {
        return Ok((Journal::nowhere(), None));
    }
    let store = sessions(places)?;
    let id = match start {
        Start::New | Start::Unrecorded => {
            let journal = store.create().unwrap_or_else(|error| {
                warnings.push(format!("this session is not kept and cannot be gone on with: {error}"));
                Journal::nowhere()
            });
            return Ok((journal, None));
        }
        Start::Continue => store.latest(&places.cwd.spelled)?,
        Start::Resume(id) => id.clone(),
    };
    let stored = store.open(&id)?;
    warnings.extend(stored.warnings);
    Ok((stored.journal, Some(stored.events)))
}

/// The person's sessions.
///
/// # Errors
/// When there is neither `HOME` nor `TOOLWRIGHT_HOME`.
pub fn sessions(places: &Places) -> Result<SessionStore, AppError> {
    let home = places.toolwright_home.as_ref().ok_or(toolwright_config::ConfigError::NoHome)?;
    Ok(SessionStore::new(home.join("sessions")).recording_in(home.join("last-used")))
}

fn with_settings(mut environment: Environment, settings: &Settings) -> Environment {
    for (name, value) in &settings.env {
        environment.variables.insert(name.clone(), value.clone());
    }
    environment.settings = settings.merged.clone();
    environment
}

/// What the system prompts of a session's agents have in common.
struct SharedPrompt<'a> {
    memory: Vec<MemoryFile>,
    workplace: Workplace,
    appended: &'a [String],
}

impl<'a> SharedPrompt<'a> {
    fn new(memory: &Memory, places: &Places, appended: &'a [String]) -> Self {
        let memory = memory.files.iter().map(|file| MemoryFile {
            path: file.path.clone(),
            scope: scope(file.scope),
            text: file.text.clone(),
        });
        Self { memory: memory.collect(), workplace: workplace(places), appended }
    }

    fn blocks(&self, base: Option<&str>, pool: Option<&toolwright_engine::Pool>) -> Vec<String> {
        let parts = PromptParts {
            base,
            pool,
            memory: &self.memory,
            workplace: Some(&self.workplace),
            appended: self.appended,
        };
        let prompt = SystemPrompt::assemble(&parts);
        prompt.blocks().iter().map(|block| block.clone().into_owned()).collect()
    }
}

const fn scope(scope: MemoryScope) -> toolwright_engine::MemoryScope {
    match scope {
        MemoryScope::User => toolwright_engine::MemoryScope::User,
        MemoryScope::Project => toolwright_engine::MemoryScope::Project,
        MemoryScope::Nested => toolwright_engine::MemoryScope::Nested,
    }
}

fn workplace(places: &Places) -> Workplace {
    let root: &Path = &places.project_root.spelled;
    Workplace {
        cwd: places.cwd.spelled.display().to_string(),
        platform: std::env::consts::OS.into(),
        is_git_repository: root.join(".git").exists(),
        more: Vec::new(),
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("App")
            .field("registry", &self.registry)
            .field("cwd", &self.cwd)
            .finish_non_exhaustive()
    }
}
