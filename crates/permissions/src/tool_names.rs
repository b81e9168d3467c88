//! Rules whose tool does not exist, and what was probably meant. Knows the names that rules may give, and no tool.

use crate::pattern::{Case, Glob};
use crate::rule::ToolPattern;
use crate::{RuleKind, RuleRef, RuleSet};

/// Names in rules that are no mistake where the tool is not among those of this program: settings are shared between programs,
/// and a program may have been built without the tool.
#[rustfmt::skip]
const ELSEWHERE: [&str; 37] = [
    "Agent", "AskUserQuestion", "Bash", "BashOutput", "Edit", "EnterPlanMode", "EnterWorktree", "ExitPlanMode", "ExitWorktree", "Glob",
    "Grep", "KillBash", "KillShell", "LS", "LSP", "ListMcpResources", "ListMcpResourcesTool", "Monitor", "MultiEdit", "NotebookEdit",
    "NotebookRead", "PowerShell", "Read", "ReadMcpResource", "ReadMcpResourceTool", "SendMessage", "Skill", "SlashCommand", "Task",
    "TaskOutput", "TaskStop", "TodoRead", "TodoWrite", "ToolSearch", "WebFetch", "WebSearch", "Write",
];

/// Other words for what a tool does, in lower case.
#[rustfmt::skip]
const OTHER_WORDS: [(&str, &str); 27] = [
    ("cat", "Read"), ("open", "Read"), ("view", "Read"), ("readfile", "Read"), ("read_file", "Read"), ("file", "Read"),
    ("command", "Bash"), ("exec", "Bash"), ("execute", "Bash"), ("run", "Bash"), ("shell", "Bash"), ("sh", "Bash"),
    ("terminal", "Bash"), ("run_command", "Bash"), ("create", "Write"), ("save", "Write"), ("writefile", "Write"),
    ("write_file", "Write"), ("replace", "Edit"), ("patch", "Edit"), ("update", "Edit"), ("search", "Grep"), ("rg", "Grep"),
    ("find", "Glob"), ("fetch", "WebFetch"), ("web", "WebFetch"), ("curl", "WebFetch"),
];

/// Whether a rule may give this name though no tool of this program has it.
pub(crate) fn is_known_elsewhere(name: &str) -> bool {
    ELSEWHERE.contains(&name) || name.starts_with("mcp__")
}

impl RuleSet {
    /// What a person should know about rules for tools that do not exist: such a rule does nothing. `tools` are the names and
    /// aliases of the tools there are; tools of servers, and those that are known to exist in other builds and programs, count as
    /// existing too.
    #[must_use]
    pub fn warnings_on_tools(&self, tools: &[&str]) -> Vec<(RuleRef, String)> {
        let of_no_tool = |pattern: &ToolPattern| match pattern {
            ToolPattern::Name(name) => !tools.contains(&name.as_str()) && !is_known_elsewhere(name),
            ToolPattern::Wild(glob) => {
                let names = tools.iter().chain(&ELSEWHERE);
                let of_servers = || glob.overlaps(&Glob::stars("mcp__*"));
                !names.into_iter().any(|name| glob.matches(name, Case::Exact)) && !of_servers()
            }
            ToolPattern::Remote(_) | ToolPattern::Nothing => false,
        };
        let warning = |rule: &crate::Rule| {
            let effect = match rule.kind() {
                RuleKind::Allow => "allows nothing",
                RuleKind::Ask => "asks about nothing",
                RuleKind::Deny => "denies nothing",
            };
            let meant = match rule.tool() {
                ToolPattern::Name(name) => nearest(name, tools),
                _ => None,
            };
            let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            (rule.reference(), format!("names no tool there is and {effect}{meant}"))
        };
        self.all().filter(|rule| of_no_tool(rule.tool())).map(warning).collect()
    }
}

/// The tool that was probably meant.
fn nearest<'n>(name: &str, tools: &[&'n str]) -> Option<&'n str> {
    let folded = name.to_lowercase();
    if let Some((_, meant)) = OTHER_WORDS.iter().find(|(word, _)| *word == folded) {
        return Some(meant);
    }
    let names = tools.iter().chain(&ELSEWHERE);
    let distances = names.map(|known| (strsim::damerau_levenshtein(&folded, &known.to_lowercase()), *known));
    let near = distances.filter(|(distance, known)| *distance <= known.len().max(3) / 3);
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}
