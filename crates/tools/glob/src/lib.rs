//! Glob: finds files by a pattern of their path, last changed first. Walks with the workspace's one walker; opens no file.

mod logic;
mod prompt;
mod ui;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwright_core::{
    Effects, ErrorKind, PathAccess, Reply, Services, Subject, Tool, ToolContext, ToolError, Unavailable,
    register,
};
use toolwright_services::PathPolicy;
use toolwright_workspace::walk::{absolute, bounded, time_limit};

use logic::{Plan, find, plan};

/// The Glob tool.
#[derive(Debug)]
pub struct Glob {
    policy: Arc<dyn PathPolicy>,
    time_limit: Duration,
}

register!(Glob);

/// What the model gives.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The pattern: `*` and `?` within a name, `**` over folders, `{a,b}`, `[a-z]`. May be absolute.
    #[schemars(extend("x-aliases" = ["glob", "query"]))]
    pub pattern: String,
    /// The folder to search. Default: the working directory.
    #[serde(default)]
    #[schemars(extend("x-aliases" = ["directory", "dir", "folder"]))]
    pub path: Option<String>,
}

/// What was found.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The working directory the answer's paths are relative to.
    pub cwd: PathBuf,
    /// The folder that was walked, absolute.
    pub root: PathBuf,
    /// The first of the matching files, absolute, last changed first.
    pub files: Vec<PathBuf>,
    /// How many files match.
    pub total: u64,
    /// Where none matched: how many matching ones ignore rules hide.
    #[serde(default)]
    pub hidden: u64,
    /// Folders and files that could not be looked at.
    #[serde(default)]
    pub unreadable: u64,
    /// The pattern is the plain name of a folder.
    #[serde(default)]
    pub is_folder: bool,
    /// The pattern has a comma that separates nothing.
    #[serde(default)]
    pub has_comma: bool,
    /// The search was interrupted: there may be more.
    #[serde(default)]
    pub interrupted: bool,
    /// It was the time limit that interrupted it.
    #[serde(default)]
    pub timed_out: bool,
}

impl Tool for Glob {
    const NAME: &'static str = "Glob";
    type Input = Input;
    type Output = Output;

    fn new(services: &Services) -> Result<Self, Unavailable> {
        Ok(Self {
            policy: services.require::<dyn PathPolicy>()?,
            time_limit: time_limit(services.environment())?,
        })
    }

    fn effects(&self, _: &Input) -> Effects {
        Effects::READ_ONLY
    }

    fn subjects(&self, input: &Input, cx: &ToolContext) -> Vec<Subject> {
        match planned(input, cx) {
            Ok(plan) => {
                // A plain pattern names what it looks for: a rule about that is one for this call.
                let named = plan.is_plain.then_some(plan.literal).filter(|named| *named != plan.root);
                let paths = std::iter::once(plan.root).chain(named);
                paths.map(|path| Subject::path(path, PathAccess::Read)).collect()
            }
            Err(error) => vec![Subject::Unreadable(error.message)],
        }
    }

    async fn validate(&self, input: &Input, cx: &ToolContext) -> Result<(), ToolError> {
        planned(input, cx).map(|_| ())
    }

    async fn call(&self, input: &Input, cx: &ToolContext) -> Result<Reply<Output>, ToolError> {
        let plan = planned(input, cx)?;
        let (policy, cwd) = (self.policy.in_folder(&cx.cwd), cx.cwd.to_path_buf());
        let decided = cx.decided.clone();
        let find = move |bounds: &_| find(&plan, cwd, &decided, &*policy, bounds);
        let found = bounded(cx, self.time_limit, find).await;
        let (found, timed_out) = found?;
        let mut output = found?;
        output.timed_out = timed_out;
        Ok(output.into())
    }
}

fn planned(input: &Input, cx: &ToolContext) -> Result<Plan, ToolError> {
    let base = absolute(&cx.cwd, input.path.as_deref().unwrap_or("."));
    plan(&input.pattern, &base).map_err(|error| ToolError::new(ErrorKind::InvalidInput, error.to_string()))
}
