//! From flags to an agent: what the command line says, in the facade's words.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde_json::Map;
use toolwright::config::{Flags, Places, rules_of_flag};
use toolwright::core::{DynTool, Environment};
use toolwright::engine::Pool;
use toolwright::model::Model;
use toolwright::permissions::Mode;
use toolwright::runtime::{NoSink, OwnProgram, SessionStore, Sink};
use toolwright::services::{Approver, DenyAll};
use toolwright::{App, AppError, Ready, Start, sessions};
use toolwright_render::FindTool;

use crate::environment::Surroundings;
use crate::flags::Common;
use crate::stdout::say;

/// What the program lends the agent.
pub(crate) struct Hands {
    /// Where events are shown.
    pub(crate) sink: Arc<dyn Sink>,
    /// Who answers questions.
    pub(crate) approver: Arc<dyn Approver>,
    /// A model in place of the one that flags and settings name.
    pub(crate) model: Option<Arc<dyn Model>>,
}

impl Default for Hands {
    fn default() -> Self {
        Self { sink: Arc::new(NoSink), approver: Arc::new(DenyAll), model: None }
    }
}

/// The agent that a command line asks for.
///
/// # Errors
/// What is wrong, and what would be right, in words for a person.
pub(crate) fn prepare(
    common: &Common,
    surroundings: Surroundings,
    hands: Hands,
    start: Start,
) -> Result<Ready, AppError> {
    let Surroundings { variables, cwd } = surroundings;
    let environment = Environment::new(variables, Map::new());
    let mut app = App::linked(environment, cwd)?.apart(Arc::new(OwnProgram));
    app = app.flags(flags(common)).sink(hands.sink).approver(hands.approver);
    if let Some(model) = hands.model {
        app = app.model(model);
    }
    if let Some(text) = common.append_system_prompt.as_ref().filter(|text| !text.is_empty()) {
        app = app.append_system_prompt(text.clone());
    }
    if let Some(most) = common.max_turns {
        app = app.most_requests(most.into());
    }
    let ready = app.build(start)?;
    if ready.mode == Mode::BypassPermissions && nix::unistd::geteuid().is_root() {
        say("warning: running as root without questions: anything on this machine can be changed");
    }
    Ok(ready)
}

/// The person's sessions.
///
/// # Errors
/// When there is no place for them.
pub(crate) fn store(surroundings: &Surroundings) -> Result<SessionStore, String> {
    let environment = Environment::new(surroundings.variables.clone(), Map::new());
    sessions(&Places::find(&environment, &surroundings.cwd)).map_err(|error| error.to_string())
}

fn flags(common: &Common) -> Flags {
    let rules = |values: &[String]| values.iter().flat_map(|value| rules_of_flag(value)).collect();
    Flags {
        settings: common.settings.clone(),
        allow: rules(&common.allowed_tools),
        deny: rules(&common.disallowed_tools),
        additional_directories: common.add_dir.clone(),
        mode: common.mode(),
        model: common.model.clone(),
        ..Flags::default()
    }
}

/// The tools of an agent by name, for drawing calls beside each other: known only once the agent is made, which needs the
/// drawing first.
#[derive(Clone, Default)]
pub(crate) struct ToolShelf(Arc<OnceLock<HashMap<String, Arc<dyn DynTool>>>>);

impl ToolShelf {
    /// The agent's tools, once.
    pub(crate) fn fill(&self, pool: &Pool) {
        let tools =
            pool.entries().iter().map(|entry| (entry.definition().name.clone(), Arc::clone(entry.tool())));
        self.0.get_or_init(|| tools.collect());
    }

    /// Finds among them.
    pub(crate) fn finder(&self) -> FindTool {
        let shelf = self.clone();
        Box::new(move |name| shelf.0.get()?.get(name).cloned())
    }
}
