//! `Debug` for every capability as tools hold it (`Arc<dyn Files>`), so that a tool can derive it. It says which capability it
//! is, and nothing of what is behind it.

use std::fmt;

use crate::{
    AgentSpawner, Apart, Approver, AskPerson, BackgroundTasks, Conversation, DeniedPaths, Files, PathPolicy,
    ResultFolder, SmallModel, ToolCatalog, WorkingFolders,
};

macro_rules! debug {
    ($($capability:ident),+ $(,)?) => {$(
        impl fmt::Debug for dyn $capability + '_ {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.debug_struct(stringify!($capability)).finish_non_exhaustive()
            }
        }
    )+};
}

debug!(
    AgentSpawner,
    Apart,
    Approver,
    AskPerson,
    BackgroundTasks,
    Conversation,
    DeniedPaths,
    Files,
    PathPolicy,
    ResultFolder,
    SmallModel,
    ToolCatalog,
    WorkingFolders,
);

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{AllowAllPaths, NoFiles};

    #[test]
    fn a_tool_that_holds_capabilities_derives_debug() {
        #[derive(Debug)]
        #[expect(dead_code, reason = "only its `Debug` is of interest")]
        struct Tool {
            files: Arc<dyn Files>,
            policy: Option<Arc<dyn PathPolicy>>,
        }
        let tool = Tool { files: Arc::new(NoFiles), policy: Some(Arc::new(AllowAllPaths)) };
        assert_eq!(format!("{tool:?}"), "Tool { files: Files { .. }, policy: Some(PathPolicy { .. }) }");
    }
}
