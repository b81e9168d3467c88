//! One agent of a session: its own services, pool, state and model. What it does in a turn is in `drive`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use toolwright_core::{DecidedPaths, DynCall, Services, ToolContext};
use toolwright_engine::event::{EventBody, MAIN_AGENT, SessionEvent};
use toolwright_engine::{
    AgentState, Candidates, Explanation, Pool, PoolDifference, Selection, announce_deferred,
};
use toolwright_model::Model;
use toolwright_permissions::{Mode, ToolIdentity};
use toolwright_services::{
    AgentSpawner, Conversation, FileState, Files, KeepsOld, ResultFolder, ToolCatalog,
};

use crate::checkpoints::Keeper;
use crate::journal::{RESULTS, StoredResults};
use crate::subagents::{SharedMode, Subagents};
use crate::views::{SharedCatalog, SharedConversation};
use crate::{RuntimeError, Session};

/// What makes an agent.
#[non_exhaustive]
pub struct AgentOptions {
    /// Its id; `main` for the one a person talks to.
    pub id: String,
    /// For a subagent: the tool use that spawned it.
    pub parent_tool_use_id: Option<String>,
    /// For a subagent: what it is for, in a few words.
    pub description: Option<String>,
    /// What its tools may ask for. The runtime adds the conversation, the catalog and, for a main agent, subagents.
    pub services: Services,
    /// Its model.
    pub model: Arc<dyn Model>,
    /// Its permission mode.
    pub mode: Mode,
    /// Where it works: absolute.
    pub cwd: PathBuf,
    /// The tools it may have; none: all.
    pub allowed_tools: Option<Vec<String>>,
}

impl AgentOptions {
    /// The main agent.
    #[must_use]
    pub fn main(services: Services, model: Arc<dyn Model>, mode: Mode, cwd: PathBuf) -> Self {
        Self {
            id: MAIN_AGENT.into(),
            parent_tool_use_id: None,
            description: None,
            services,
            model,
            mode,
            cwd,
            allowed_tools: None,
        }
    }
}

/// An agent.
pub struct Agent {
    pub(crate) session: Arc<Session>,
    pub(crate) id: Arc<str>,
    parent_tool_use_id: Option<String>,
    pub(crate) files: Option<Arc<dyn Files>>,
    /// Keeps what its calls change; none where the session is kept nowhere.
    pub(crate) keeper: Option<Arc<Keeper>>,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) state: Arc<RwLock<AgentState>>,
    pub(crate) pool: Arc<RwLock<Pool>>,
    pub(crate) mode: SharedMode,
    /// Where the next call works; the state follows when the message's calls are all done.
    pub(crate) cwd: Arc<Path>,
    /// No call may make the mode looser than this: a subagent's is its parent's.
    pub(crate) loosest_mode: Mode,
    /// The model's vendor refused an image or document of the conversation: from then on they are sent as words.
    pub(crate) media_refused: Arc<AtomicBool>,
    /// Whether a person may be asked: not by a subagent of an agent whose mode asks nobody.
    pub(crate) may_ask: bool,
    /// A subagent's: the call that spawned it, which says how far it is.
    pub(crate) spawned_by: Option<ToolContext>,
    /// How many tools it began to use.
    pub(crate) began: u64,
    description: Option<String>,
    calls: u64,
}

impl Agent {
    /// An agent with its pool assembled, and nothing recorded yet: for listing tools and single calls.
    #[must_use]
    pub fn new(session: Arc<Session>, options: AgentOptions) -> Self {
        let AgentOptions {
            id,
            parent_tool_use_id,
            description,
            mut services,
            model,
            mode,
            cwd,
            allowed_tools,
        } = options;
        let state = Arc::new(RwLock::new(AgentState::default()));
        let pool = Arc::new(RwLock::new(Pool::default()));
        // No agent but the main one may become looser than it began: it began as its parent was.
        let loosest_mode = if id == MAIN_AGENT { Mode::BypassPermissions } else { mode };
        let mode = SharedMode::new(mode);
        if parent_tool_use_id.is_none() {
            services.offer::<dyn AgentSpawner>(Arc::new(Subagents {
                session: Arc::clone(&session),
                services: services.clone(),
                model: Arc::clone(&model),
                mode: mode.clone(),
            }));
        }
        let results = {
            let journal = session.journal();
            let room = Arc::clone(journal.room());
            journal.folder().map(|folder| StoredResults { folder: folder.join(RESULTS), room })
        };
        if let Some(results) = results {
            services.offer::<dyn ResultFolder>(Arc::new(results));
        }
        let media_refused = Arc::new(AtomicBool::new(false));
        services.offer::<dyn Conversation>(Arc::new(SharedConversation {
            state: Arc::downgrade(&state),
            abilities: model.abilities(),
            media_refused: Arc::clone(&media_refused),
        }));
        services.offer::<dyn ToolCatalog>(Arc::new(SharedCatalog::new(&pool)));
        let assembled = assemble(&session, &services, allowed_tools.as_deref());
        *pool.write().unwrap_or_else(PoisonError::into_inner) = assembled;
        let files = services.require::<dyn Files>().ok();
        let keeper = Keeper::new(&session, &id, parent_tool_use_id.as_deref());
        if let (Some(files), Some(keeper)) = (&files, &keeper) {
            files.keep_with(Arc::clone(keeper) as Arc<dyn KeepsOld>);
        }
        Self {
            session,
            id: id.as_str().into(),
            parent_tool_use_id,
            files,
            keeper,
            model,
            state,
            pool,
            mode,
            cwd: cwd.into(),
            loosest_mode,
            media_refused,
            may_ask: true,
            spawned_by: None,
            began: 0,
            description,
            calls: 0,
        }
    }

    /// Begins: records where, with which tools and under which system prompt.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn begin(&mut self, mut system_prompt: Vec<String>) -> Result<(), RuntimeError> {
        self.record_start()?;
        let (tools, announcement) = {
            let pool = self.pool();
            let names: Vec<_> = pool.deferred().map(|entry| entry.definition().name.clone()).collect();
            (pool.record(), announce_deferred(names.iter().map(String::as_str)))
        };
        system_prompt.extend(announcement);
        self.record(EventBody::SystemPrompt { blocks: system_prompt }, None)?;
        self.record(EventBody::Pool { tools }, None)
    }

    /// Goes on with a stored session: the same conversation, system prompt and order of tools. What was left open gets its
    /// answer and is recorded. Gives what differs from then, in words for a person. A session that was killed in its first
    /// moment has no system prompt: [`begin`](Self::begin) it then.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn resume(&mut self, events: &[SessionEvent]) -> Result<Vec<String>, RuntimeError> {
        let own = events.iter().filter(|event| *event.agent == *self.id).map(|event| &event.body);
        let state = AgentState::fold(own);
        let unanswered = state.unanswered();
        let mut warnings = Vec::new();
        let mut cwd = state.cwd.clone().unwrap_or_else(|| self.cwd.to_path_buf());
        if !cwd.is_dir() {
            warnings.push(format!("{} is gone; going on in {}", cwd.display(), self.cwd.display()));
            cwd = self.cwd.to_path_buf();
        }
        self.cwd = cwd.into();
        self.session.remember(&state.remembered);
        // A session that was killed before its tools were recorded has none to differ from.
        let differences = if state.pool.is_empty() {
            Vec::new()
        } else {
            let mut pool = self.pool.write().unwrap_or_else(PoisonError::into_inner);
            let differences = pool.restore(&state.pool, &state.revealed);
            pool.settle(state.revealed.iter().take(state.settled).map(String::as_str));
            differences
        };
        warnings.extend(differences.iter().map(words));
        if let Some(files) = &self.files {
            let states: Vec<FileState> = state
                .file_states
                .iter()
                .filter_map(|value| serde_json::from_value(value.clone()).ok())
                .collect();
            files.restore(&states);
        }
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
        self.record_start()?;
        self.close_subagents(events)?;
        for (tool_use_id, result) in unanswered {
            self.record(EventBody::ToolFinished { tool_use_id, result }, None)?;
        }
        let tools = self.pool().record();
        self.record(EventBody::Pool { tools }, None)?;
        Ok(warnings)
    }

    /// Subagents are not gone on with: what their calls left open gets its answer, so that nothing stays without one.
    fn close_subagents(&self, events: &[SessionEvent]) -> Result<(), RuntimeError> {
        let mut states: BTreeMap<&str, (Option<&str>, AgentState)> = BTreeMap::new();
        for event in events.iter().filter(|event| *event.agent != *self.id) {
            let (parent, state) = states.entry(&event.agent).or_default();
            *parent = event.parent_tool_use_id.as_deref();
            state.apply(&event.body);
        }
        for (agent, (parent, state)) in states {
            for (tool_use_id, result) in state.unanswered() {
                let body = EventBody::ToolFinished { tool_use_id, result };
                self.session.publish(agent, parent, body, None)?;
            }
        }
        Ok(())
    }

    /// Its tools now.
    pub fn pool(&self) -> RwLockReadGuard<'_, Pool> {
        self.pool.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tool by tool, why it is there or which layer took it out.
    #[must_use]
    pub fn explain_tools(&self) -> Vec<Explanation> {
        self.pool().explain()
    }

    /// The session it belongs to.
    #[must_use]
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// Whether a call of another agent spawned it.
    pub(crate) fn is_subagent(&self) -> bool {
        self.parent_tool_use_id.is_some()
    }

    /// Its state: the conversation and what goes with it.
    pub fn state(&self) -> RwLockReadGuard<'_, AgentState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records an event, lets the state follow and shows it.
    pub(crate) fn record(
        &self,
        body: EventBody,
        call: Option<&Arc<dyn DynCall>>,
    ) -> Result<(), RuntimeError> {
        let body = self.session.publish(&self.id, self.parent_tool_use_id.as_deref(), body, call)?;
        self.state.write().unwrap_or_else(PoisonError::into_inner).apply(&body);
        Ok(())
    }

    /// A call is about to run: what it changes is kept as changed by it.
    pub(crate) fn call_begins(&self, tool_use_id: &str) {
        if let Some(keeper) = &self.keeper {
            keeper.begins(tool_use_id);
        }
    }

    /// Records what files were read and written since this was last asked.
    pub(crate) fn record_files(&self) -> Result<(), RuntimeError> {
        let Some(files) = &self.files else { return Ok(()) };
        for state in files.take_changed() {
            if let Ok(state) = serde_json::to_value(state) {
                self.record(EventBody::FileState { state }, None)?;
            }
        }
        Ok(())
    }

    /// Counts files as not read, of which the model was shown less than the tool that read them gave.
    pub(crate) fn forget_files(&self, paths: &DecidedPaths) -> Result<(), RuntimeError> {
        self.record_files()?;
        let Some(files) = &self.files else { return Ok(()) };
        let read = files.states();
        for path in paths.real().filter(|path| read.iter().any(|state| state.path == **path)) {
            // A state without a hash is that of a file that was not read.
            let state = FileState { path: path.into(), hash: String::new() };
            files.restore(std::slice::from_ref(&state));
            if let Ok(state) = serde_json::to_value(state) {
                self.record(EventBody::FileState { state }, None)?;
            }
        }
        Ok(())
    }

    /// An id no message of this agent has.
    pub(crate) fn next_message_id(&self, kind: &str) -> String {
        format!("{}-{kind}-{}", self.id, self.state().message_count())
    }

    /// An id no call of this agent has, nor had in a session that is gone on with.
    pub(crate) fn next_call_id(&mut self) -> String {
        loop {
            self.calls += 1;
            let id = format!("call-{}", self.calls);
            if !self.state().has_tool_use(&id) {
                return id;
            }
        }
    }

    fn record_start(&self) -> Result<(), RuntimeError> {
        let event = EventBody::Started {
            session_id: self.session.id(),
            cwd: self.cwd.to_path_buf(),
            model: self.model.name().into(),
            mode: self.mode.get().name().into(),
            description: self.description.clone(),
        };
        self.record(event, None)
    }
}

impl std::fmt::Debug for Agent {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Agent")
            .field("id", &self.id)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for AgentOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("AgentOptions")
            .field("id", &self.id)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}

fn assemble(session: &Session, services: &Services, allowed: Option<&[String]>) -> Pool {
    let shared = &session.options;
    let rules = session.rules();
    let deny = |name: &str, origin: &toolwright_core::Origin| {
        let identity = ToolIdentity { name, aliases: &[], origin };
        rules.denies_tool(identity).map(|rule| rule.text)
    };
    let candidates = Candidates {
        built: shared.registry.build(services),
        host: shared.host_tools.clone(),
        remote: shared.remote_tools.clone(),
        not_linked: Vec::new(),
    };
    let selection =
        Selection { deny: Some(&deny), requested: &shared.requested_tools, allowed, simple: shared.simple };
    Pool::assemble(candidates, &selection, &shared.deferral)
}

fn words(difference: &PoolDifference) -> String {
    match difference {
        PoolDifference::Missing { name } => format!("the tool {name} of this session is not here any more"),
        PoolDifference::Changed { name, .. } => {
            format!("the tool {name} has changed since this session began")
        }
        PoolDifference::New { name } => format!("the tool {name} is new to this session"),
        _ => "the tools differ from those of this session".into(),
    }
}
