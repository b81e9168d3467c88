//! The kinds of subagent that are built in: when to use each, its system prompt, its tools, its mode.

use toolwright_permissions::Mode;

pub(super) struct Kind {
    pub(super) name: &'static str,
    /// For the model that chooses.
    pub(super) when_to_use: &'static str,
    pub(super) prompt: &'static str,
    /// None: all its parent has.
    pub(super) tools: Option<&'static [&'static str]>,
    /// None: its parent's.
    pub(super) mode: Option<Mode>,
}

pub(super) const GENERAL: Kind = Kind {
    name: "general-purpose",
    when_to_use: "any task of several steps, with all tools",
    prompt: include_str!("general_purpose.md"),
    tools: None,
    mode: None,
};

/// What reads, and commands as far as they only read: the mode sees to that.
const READERS: &[&str] = &["Read", "Glob", "Grep", "Bash", "ToolSearch"];

pub(super) const KINDS: [Kind; 3] = [
    GENERAL,
    Kind {
        name: "Explore",
        when_to_use: "finding out where and how something is done in the code; reads only",
        prompt: include_str!("explore.md"),
        tools: Some(READERS),
        mode: Some(Mode::Plan),
    },
    Kind {
        name: "Plan",
        when_to_use: "working out the steps of a change before it is made; reads only",
        prompt: include_str!("plan.md"),
        tools: Some(READERS),
        mode: Some(Mode::Plan),
    },
];
