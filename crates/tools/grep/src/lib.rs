//! Grep: searches the content of files by a regular expression, in process. Starts no other program.
//!
//! What it holds does not grow with what matches: rows up to `offset` and `head_limit` together, by each thread; of a file one
//! line, or where matches may span lines the whole, up to 32 MB. What is longer is named in the answer.
//!
//! The order of `files_with_matches` (last changed first) costs one `fstat` of each file with a match, asked while it is open,
//! and the walk to its end; `content`, in the order of paths, ends once it has enough.

mod input;
mod logic;
mod output;
mod prompt;
mod ui;

use std::sync::Arc;
use std::time::Duration;

use toolwright_core::{
    Effects, ErrorKind, PathAccess, Reply, Services, Subject, Tool, ToolContext, ToolError, Unavailable,
    register,
};
use toolwright_services::PathPolicy;
use toolwright_workspace::walk::{absolute, bounded, time_limit};

pub use input::{Input, OutputMode};
pub use output::{FileHits, Line, Output, Unfinished, Why};

use logic::{Query, search};

/// The Grep tool.
#[derive(Debug)]
pub struct Grep {
    policy: Arc<dyn PathPolicy>,
    time_limit: Duration,
}

register!(Grep);

impl Tool for Grep {
    const NAME: &'static str = "Grep";
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
        let path = absolute(&cx.cwd, input.path.as_deref().unwrap_or("."));
        vec![Subject::path(path, PathAccess::Read)]
    }

    async fn validate(&self, input: &Input, cx: &ToolContext) -> Result<(), ToolError> {
        query(input, cx).map(|_| ())
    }

    async fn call(&self, input: &Input, cx: &ToolContext) -> Result<Reply<Output>, ToolError> {
        let query = query(input, cx)?;
        let (policy, decided) = (self.policy.in_folder(&cx.cwd), cx.decided.clone());
        let search = move |bounds: &_| search(&query, &decided, &*policy, bounds);
        let found = bounded(cx, self.time_limit, search).await;
        let (found, timed_out) = found?;
        let mut output = found?;
        output.timed_out = timed_out;
        Ok(output.into())
    }
}

fn query(input: &Input, cx: &ToolContext) -> Result<Query, ToolError> {
    Query::new(input, &cx.cwd).map_err(|error| ToolError::new(ErrorKind::InvalidInput, error.to_string()))
}
