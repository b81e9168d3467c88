//! The queries, each as our tool's input and as rg's arguments that give the same.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{Cancel, DynTool, ToolContext, ToolError};
use toolwright_testkit::{TempWorkspace, test_services};

/// One query.
pub(crate) struct Query {
    pub(crate) name: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) input: &'static str,
    pub(crate) rg: &'static [&'static str],
    /// Whether both look at everything: only such queries say who is faster.
    pub(crate) alike: bool,
}

const fn grep(name: &'static str, input: &'static str, rg: &'static [&'static str]) -> Query {
    Query { name, tool: "Grep", input, rg, alike: true }
}

pub(crate) const SMALL: &[Query] = &[
    grep("files, rare", r#"{"pattern":"rare_needle"}"#, &["-l", "rare_needle"]),
    grep("files, common", r#"{"pattern":"vector string"}"#, &["-l", "vector string"]),
    grep("lines, rare", r#"{"pattern":"rare_needle","output_mode":"content"}"#, &["-n", "rare_needle"]),
    grep("count, common", r#"{"pattern":"struct","output_mode":"count"}"#, &["-c", "struct"]),
    grep("no match", r#"{"pattern":"no such thing"}"#, &["-l", "no such thing"]),
    Query {
        name: "glob",
        tool: "Glob",
        input: r#"{"pattern":"**/*7.rs"}"#,
        rg: &["--files", "-g", "**/*7.rs"],
        alike: true,
    },
];

pub(crate) const LARGE: &[Query] = &[
    grep("rare literal", r#"{"pattern":"rq_offline_rt","output_mode":"content"}"#, &["-n", "rq_offline_rt"]),
    grep("common word, counted", r#"{"pattern":"struct","output_mode":"count"}"#, &["-c", "struct"]),
    Query {
        name: "common word, first 250",
        tool: "Grep",
        input: r#"{"pattern":"struct","output_mode":"content"}"#,
        rg: &["-n", "struct"],
        alike: false,
    },
    grep(
        "regex with a literal",
        r#"{"pattern":"[A-Z]+_SUSPEND","output_mode":"content","head_limit":0}"#,
        &["-n", "[A-Z]+_SUSPEND"],
    ),
    grep(
        "case-insensitive",
        r#"{"pattern":"Mutex_TryLock","-i":true,"output_mode":"content","head_limit":0}"#,
        &["-n", "-i", "Mutex_TryLock"],
    ),
    grep("files with matches", r#"{"pattern":"mutex_lock"}"#, &["-l", "mutex_lock"]),
    grep(
        "multiline",
        r#"{"pattern":"struct \\w+ \\{\\n\\tspinlock_t","multiline":true,"output_mode":"content","head_limit":0}"#,
        &["-n", "-U", "--multiline-dotall", r"struct \w+ \{\n\tspinlock_t"],
    ),
    Query {
        name: "glob **/*.c",
        tool: "Glob",
        input: r#"{"pattern":"**/*.c"}"#,
        rg: &["--files", "-g", "**/*.c"],
        alike: true,
    },
];

/// Our two tools, in a folder.
pub(crate) struct Tools {
    glob: Arc<dyn DynTool>,
    grep: Arc<dyn DynTool>,
    folder: PathBuf,
}

impl Tools {
    pub(crate) fn new(folder: &Path, home: &TempWorkspace) -> Self {
        let services = test_services(home);
        let build =
            |registration: toolwright_core::Registration| (registration.build)(&services).expect("offered");
        Self {
            glob: build(toolwright_tool_glob::REGISTRATION),
            grep: build(toolwright_tool_grep::REGISTRATION),
            folder: folder.to_owned(),
        }
    }

    /// One call, from its input to the answer's text.
    pub(crate) async fn call(&self, query: &Query) -> String {
        self.answer(query.tool, query.input, Cancel::default()).await.expect("an answer")
    }

    /// The same, of a call that may be cancelled.
    pub(crate) async fn answer(&self, tool: &str, input: &str, cancel: Cancel) -> Result<String, ToolError> {
        let tool = if tool == "Glob" { &self.glob } else { &self.grep };
        let input: Value = serde_json::from_str(input).expect("JSON");
        let call = Arc::clone(tool).parse(input).expect("an input");
        let context = ToolContext::new("call", "main", &self.folder, cancel, |_| {});
        call.validate(&context).await.expect("valid");
        let reply = call.run(&context).await?;
        Ok(reply.answer.first().and_then(|content| content.as_text()).unwrap_or_default().to_owned())
    }
}
