//! Rules whose tool does not exist, and what was probably meant. Knows the names that rules may give, and no tool.

use crate::pattern::{Case, Glob};
use crate::rule::ToolPattern;
use crate::{Rule, RuleKind, RuleRef, RuleSet};

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

impl ToolPattern {
    /// Whether it names none of these tools, and none that may exist in other builds and programs or on a server.
    fn names_none_of(&self, tools: &[&str]) -> bool {
        match self {
            Self::Name(name) => {
                let name = name.as_str();
                !tools.contains(&name) && !ELSEWHERE.contains(&name) && !name.starts_with("mcp__")
            }
            Self::Wild(glob) => {
                let names = tools.iter().chain(&ELSEWHERE);
                let of_servers = || glob.overlaps(&Glob::stars("mcp__*"));
                !names.into_iter().any(|name| glob.matches(name, Case::Exact)) && !of_servers()
            }
            Self::Remote(_) | Self::Nothing => false,
        }
    }
}

impl RuleSet {
    /// What a person should know about rules that do not do what they seem to. Of those whose tool may not exist
    /// [`warnings_on_tools`](Self::warnings_on_tools) tells.
    pub fn warnings(&self) -> impl Iterator<Item = (RuleRef, &str)> {
        let known = self.all().filter(|rule| !rule.tool().names_none_of(&[]));
        known.filter_map(|rule| Some((rule.reference(), rule.warning()?)))
    }

    /// The same of rules whose tool may not exist: without it a rule does nothing, whatever else it says. `tools` are the names and
    /// aliases of the tools there are; tools of servers, and those that are known to exist in other builds and programs, count as
    /// existing too.
    #[must_use]
    pub fn warnings_on_tools(&self, tools: &[&str]) -> Vec<(RuleRef, String)> {
        let uncertain = self.all().filter(|rule| rule.tool().names_none_of(&[]));
        let warning = |rule: &Rule| {
            if rule.tool().names_none_of(tools) {
                Some(of_no_tool(rule, tools))
            } else {
                rule.warning().map(Into::into)
            }
        };
        uncertain.filter_map(|rule| Some((rule.reference(), warning(rule)?))).collect()
    }
}

fn of_no_tool(rule: &Rule, tools: &[&str]) -> String {
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
    format!("names no tool there is and {effect}{meant}")
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
