//! What the agents of one session share: the journal, the rules, the approver, the hooks, and how tools are found.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use toolwright_core::{DynCall, DynTool, Registry};
use toolwright_engine::event::EventBody;
use toolwright_engine::{DeferralPolicy, Limits};
use toolwright_model::Model;
use toolwright_permissions::{Folder, Roots, RuleKind, RuleSet, Scope, Source};
use toolwright_services::Approver;

use crate::checkpoints::{CheckpointLimits, Kept};
use crate::store::JOURNAL;
use crate::{Hooks, Journal, RuntimeError, Sink};

/// Finds a model by the name a person or a call gives; or says why not.
pub type FindModel = Arc<dyn Fn(&str) -> Result<Arc<dyn Model>, String> + Send + Sync>;

/// What a host gives a session.
#[non_exhaustive]
pub struct SessionOptions {
    /// Where events are kept.
    pub journal: Journal,
    /// Where events are shown.
    pub sink: Arc<dyn Sink>,
    /// Around every call.
    pub hooks: Arc<dyn Hooks>,
    /// Who answers what the rules leave open.
    pub approver: Arc<dyn Approver>,
    /// The rules of all layers.
    pub rules: RuleSet,
    /// Whether the project is trusted.
    pub trusted: bool,
    /// The working roots.
    pub roots: SessionRoots,
    /// The tools linked or listed.
    pub registry: Registry,
    /// The host's own tools.
    pub host_tools: Vec<Arc<dyn DynTool>>,
    /// Tools of other programs.
    pub remote_tools: Vec<Arc<dyn DynTool>>,
    /// Tools on request that the host wants.
    pub requested_tools: Vec<String>,
    /// Simple mode: Bash, Read and Edit alone.
    pub simple: bool,
    /// Which definitions wait for a search.
    pub deferral: DeferralPolicy,
    /// How far a turn may go.
    pub limits: Limits,
    /// How long a cancelled call may take to answer by itself.
    pub grace: Duration,
    /// Other models, for subagents.
    pub find_model: FindModel,
    /// What every subagent's system prompt ends with: memory files, the environment.
    pub subagent_context: Vec<String>,
    /// How much of what tools change is kept for taking it back.
    pub checkpoints: CheckpointLimits,
}

impl SessionOptions {
    /// The cautious session: kept nowhere, shown nowhere, nobody to ask, no rule.
    #[must_use]
    pub fn new(registry: Registry, roots: SessionRoots) -> Self {
        Self {
            journal: Journal::nowhere(),
            sink: Arc::new(crate::NoSink),
            hooks: Arc::new(crate::NoHooks),
            approver: Arc::new(toolwright_services::DenyAll),
            rules: RuleSet::default(),
            trusted: false,
            roots,
            registry,
            host_tools: Vec::new(),
            remote_tools: Vec::new(),
            requested_tools: Vec::new(),
            simple: false,
            deferral: DeferralPolicy::default(),
            limits: Limits::default(),
            grace: Duration::from_secs(2),
            find_model: Arc::new(|name| Err(format!("this host knows no model `{name}`"))),
            subagent_context: Vec::new(),
            checkpoints: CheckpointLimits::default(),
        }
    }
}

/// The folders of a session that do not change with an agent's working directory.
#[derive(Debug, Clone)]
pub struct SessionRoots {
    /// Where the session started.
    pub start: Folder,
    /// The project's root.
    pub project: Folder,
    /// Further working roots.
    pub additional: Vec<Folder>,
    /// Folders that may be read besides: the session adds its own, where stored results lie.
    pub readable: Vec<Folder>,
    /// The person's home.
    pub home: Option<Folder>,
}

impl SessionRoots {
    /// The folders that matter to an agent that works in `cwd`: what its calls are decided by, and what its walks leave out.
    #[must_use]
    pub fn seen_from(&self, cwd: &Path) -> Roots {
        Roots {
            cwd: if cwd == self.start.spelled { self.start.clone() } else { resolved_folder(cwd) },
            start: self.start.clone(),
            additional: self.additional.clone(),
            readable: self.readable.clone(),
            project: self.project.clone(),
            home: self.home.clone(),
        }
    }

    /// Everything at one folder, links resolved where it exists.
    #[must_use]
    pub fn at(folder: &Path) -> Self {
        let folder = resolved_folder(folder);
        Self {
            start: folder.clone(),
            project: folder,
            additional: Vec::new(),
            readable: Vec::new(),
            home: None,
        }
    }
}

/// A folder with its links resolved; as spelled where that cannot be done.
#[must_use]
pub fn resolved_folder(path: &Path) -> Folder {
    let resolved = path.canonicalize().unwrap_or_else(|_| PathBuf::from(path));
    Folder { spelled: path.into(), resolved }
}

/// One session, shared by its agents.
pub struct Session {
    journal: Mutex<Journal>,
    /// Held while an event is written and shown, so that events of agents beside each other are seen in their order.
    publishing: Mutex<()>,
    rules: RwLock<Arc<RuleSet>>,
    /// None where the session is kept nowhere.
    pub(crate) kept: Option<Arc<Kept>>,
    pub(crate) asking: tokio::sync::Mutex<()>,
    pub(crate) options: SharedOptions,
}

/// The parts of the options that do not change.
pub(crate) struct SharedOptions {
    pub(crate) sink: Arc<dyn Sink>,
    pub(crate) hooks: Arc<dyn Hooks>,
    pub(crate) approver: Arc<dyn Approver>,
    pub(crate) trusted: bool,
    pub(crate) roots: SessionRoots,
    pub(crate) registry: Registry,
    pub(crate) host_tools: Vec<Arc<dyn DynTool>>,
    pub(crate) remote_tools: Vec<Arc<dyn DynTool>>,
    pub(crate) requested_tools: Vec<String>,
    pub(crate) simple: bool,
    pub(crate) deferral: DeferralPolicy,
    pub(crate) limits: Limits,
    pub(crate) grace: Duration,
    pub(crate) find_model: FindModel,
    pub(crate) subagent_context: Vec<String>,
}

impl Session {
    /// A session of these options.
    #[must_use]
    pub fn new(options: SessionOptions) -> Arc<Self> {
        let SessionOptions { journal, sink, hooks, approver, rules, trusted, mut roots, .. } = options;
        if let Some(folder) = journal.folder() {
            // Stored results are named in answers: the model may read them.
            roots.readable.push(resolved_folder(folder));
        }
        let kept = journal.folder().map(|folder| Arc::new(Kept::of(folder, options.checkpoints)));
        Arc::new(Self {
            kept,
            journal: Mutex::new(journal),
            publishing: Mutex::default(),
            rules: RwLock::new(Arc::new(rules)),
            asking: tokio::sync::Mutex::default(),
            options: SharedOptions {
                sink,
                hooks,
                approver,
                trusted,
                roots,
                registry: options.registry,
                host_tools: options.host_tools,
                remote_tools: options.remote_tools,
                requested_tools: options.requested_tools,
                simple: options.simple,
                deferral: options.deferral,
                limits: options.limits,
                grace: options.grace,
                find_model: options.find_model,
                subagent_context: options.subagent_context,
            },
        })
    }

    /// The session's id.
    #[must_use]
    pub fn id(&self) -> String {
        self.journal().id().into()
    }

    /// The file its events are kept in; none for a session that is kept nowhere.
    #[must_use]
    pub fn transcript(&self) -> Option<PathBuf> {
        self.journal().folder().map(|folder| folder.join(JOURNAL))
    }

    /// The rules as they are now, those kept for the session included.
    #[must_use]
    pub fn rules(&self) -> Arc<RuleSet> {
        Arc::clone(&self.rules.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keeps allow rules until the session ends.
    pub(crate) fn remember(&self, texts: &[String]) {
        if texts.is_empty() {
            return;
        }
        let source = Arc::new(Source::new(Scope::Session, self.options.roots.start.clone()));
        let mut rules = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        let mut changed = (**rules).clone();
        changed.add_all(RuleKind::Allow, texts.iter().map(String::as_str), &source);
        *rules = Arc::new(changed);
    }

    /// Writes and shows an event.
    pub(crate) fn publish(
        &self,
        agent: &str,
        parent: Option<&str>,
        body: EventBody,
        call: Option<&Arc<dyn DynCall>>,
    ) -> Result<EventBody, RuntimeError> {
        let _in_order = self.publishing.lock().unwrap_or_else(PoisonError::into_inner);
        let event = self.journal().append(agent, parent, body)?;
        // A sink calls view code of third parties. If it panics, the event is not shown and the session goes on.
        let _ = catch_unwind(AssertUnwindSafe(|| self.options.sink.event(&event, call)));
        Ok(event.body)
    }

    pub(crate) fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Session").field("journal", &self.journal).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for SessionOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SessionOptions").field("journal", &self.journal).finish_non_exhaustive()
    }
}
