//! Services that say no or nothing, and a context: what a tool is given where a test has nothing to say.

use std::future::Future;
use std::sync::Arc;

use toolwright_core::{Cancel, Services, ToolContext};
use toolwright_services::{
    AgentSpawner, AllowAllPaths, AskPerson, BackgroundTasks, Conversation, FixedCatalog, FixedConversation,
    NoAgents, NoBackground, NoPerson, NoSmallModel, PathPolicy, SmallModel, ToolCatalog,
};

use crate::TempWorkspace;

/// Every capability that has a null, as its null. Real ones (`Files`) are a test's own to add: `services.offer(..)`.
#[must_use]
pub fn test_services(_workspace: &TempWorkspace) -> Services {
    let mut services = Services::default();
    services.offer::<dyn PathPolicy>(Arc::new(AllowAllPaths));
    services.offer::<dyn Conversation>(Arc::new(FixedConversation::default()));
    services.offer::<dyn ToolCatalog>(Arc::new(FixedCatalog::default()));
    services.offer::<dyn AgentSpawner>(Arc::new(NoAgents));
    services.offer::<dyn BackgroundTasks>(Arc::new(NoBackground));
    services.offer::<dyn AskPerson>(Arc::new(NoPerson));
    services.offer::<dyn SmallModel>(Arc::new(NoSmallModel));
    services
}

/// A context of the main agent in `workspace`; its progress goes nowhere.
#[must_use]
pub fn context(workspace: &TempWorkspace) -> ToolContext {
    ToolContext::new("call-1", "main", workspace.path(), Cancel::default(), |_| {})
}

/// Runs a future to its end on a small runtime of its own. Not for use inside another runtime.
///
/// # Panics
/// When no runtime can be started.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    runtime().block_on(future)
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().expect("a runtime")
}
