//! A small host: one tool, a working directory that calls may change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{
    Authority, Cancel, Content, ContextChange, DynTool, Environment, Registry, Services, ToolContext,
};
use toolwright_tool_bash::REGISTRATION;

pub(crate) struct Session {
    tool: Arc<dyn DynTool>,
    pub(crate) cwd: PathBuf,
    /// On whose word its calls run.
    pub(crate) authority: Authority,
}

/// What a host would pass on.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) is_error: bool,
    pub(crate) text: String,
}

impl Session {
    pub(crate) fn new(cwd: &Path, variables: BTreeMap<String, String>) -> Self {
        let environment = Environment::new(variables, serde_json::Map::new());
        let built = Registry::of(&[REGISTRATION]).unwrap().build(&Services::new(Arc::new(environment)));
        Self { tool: Arc::clone(&built.tools[0]), cwd: cwd.into(), authority: Authority::default() }
    }

    /// What is recorded before a call: the text that runs, where that is not the one of the input.
    pub(crate) fn recorded(&self, input: Value) -> Option<String> {
        let cx = ToolContext::new("call", "main", &self.cwd, Cancel::default(), |_| {});
        let call = Arc::clone(&self.tool).parse(input).unwrap();
        call.runs(&cx.with_authority(self.authority))
    }

    pub(crate) async fn call(&mut self, input: Value) -> Answer {
        let cx = ToolContext::new("call", "main", &self.cwd, Cancel::default(), |_| {});
        let cx = cx.with_authority(self.authority);
        let call = match Arc::clone(&self.tool).parse(input) {
            Ok(call) => call,
            Err(error) => return Answer { is_error: true, text: error.message },
        };
        if let Err(error) = call.validate(&cx).await {
            return Answer { is_error: true, text: error.message };
        }
        match call.run(&cx).await {
            Ok(reply) => {
                for change in reply.changes {
                    if let ContextChange::SetCwd(folder) = change {
                        self.cwd = folder;
                    }
                }
                let texts = reply.answer.iter().filter_map(Content::as_text).collect::<Vec<_>>();
                Answer { is_error: reply.outcome.is_failure(), text: texts.join("\n") }
            }
            Err(error) => Answer { is_error: true, text: error.message },
        }
    }
}

/// The variables a test passes on: enough to find programs.
pub(crate) fn variables() -> BTreeMap<String, String> {
    [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LANG", "C.UTF-8")]
        .map(|(name, value)| (name.into(), value.into()))
        .into()
}
