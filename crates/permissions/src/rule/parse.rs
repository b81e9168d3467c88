//! From a rule's text to its meaning. Never fails: what is not understood says so and is kept on the safe side.

use crate::RuleKind;
use crate::pattern::{CommandPattern, DomainPattern, Glob, PathPattern};

use super::{FileRule, Specifier, ToolPattern};

/// What a text means, and a warning where it does not mean what it seems to.
pub(super) struct Parsed {
    pub(super) tool: ToolPattern,
    pub(super) specifier: Specifier,
    pub(super) parameter: Option<(String, Glob)>,
    pub(super) warning: Option<String>,
}

/// Tools whose path rules are written for `Read` or `Edit` instead.
const PATH_RULES_ELSEWHERE: [(&str, &str); 7] = [
    ("Write", "Edit"),
    ("MultiEdit", "Edit"),
    ("NotebookEdit", "Edit"),
    ("NotebookRead", "Read"),
    ("Glob", "Read"),
    ("Grep", "Read"),
    ("LS", "Read"),
];

/// Parameters that other forms of rule speak of: a rule for the text of one would be easily got around.
const PRIMARY: [&str; 5] = ["command", "file_path", "path", "notebook_path", "url"];

pub(super) fn parse(kind: RuleKind, text: &str) -> Parsed {
    let text = text.trim();
    let (name, brackets) = match text.split_once('(') {
        Some((name, rest)) => (name.trim_end(), Some(rest)),
        None => (text, None),
    };
    if let Some(word) = first_word_of_bad_name(name) {
        let (tool, _) = tool_pattern(kind, word);
        return unsupported(kind, tool, word, "is no tool's name; write `Tool` or `Tool(specifier)`");
    }
    let (tool, tool_warning) = tool_pattern(kind, name);
    let mut parsed = match brackets {
        None => Parsed { tool, specifier: Specifier::Whole, parameter: None, warning: None },
        Some(rest) => match rest.strip_suffix(')') {
            Some(inner) if holds_another_rule(inner) => {
                unsupported(kind, tool, name, "holds more than one rule; write each as a rule of its own")
            }
            Some(inner) if !inner.trim().is_empty() => specified(kind, tool, name, inner),
            Some(_) => unsupported(kind, tool, name, "has nothing in its brackets"),
            None => unsupported(kind, tool, name, "has no closing bracket at its end"),
        },
    };
    parsed.warning = tool_warning.or(parsed.warning);
    parsed
}

/// Where the name has what no tool's name has (`Bash rm`), the tool that was probably meant.
fn first_word_of_bad_name(name: &str) -> Option<&str> {
    let bad = |character: char| character.is_whitespace() || character.is_control() || character == ')';
    name.find(bad).and_then(|at| name.get(..at))
}

/// `ls *),Read(.env`: the brackets close, and another rule follows.
fn holds_another_rule(inner: &str) -> bool {
    let mut open = 0_usize;
    for (at, character) in inner.char_indices() {
        match character {
            '(' => open += 1,
            ')' if open > 0 => open -= 1,
            ')' => {
                let behind = inner.get(at + 1..).unwrap_or_default();
                let rule = behind.trim_start_matches([',', ';', ' ', '\t', '\n']);
                let name = rule.split('(').next().filter(|name| *name != rule);
                let is_name = |name: &str| {
                    name.starts_with(|first: char| first.is_ascii_alphabetic())
                        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
                };
                return rule.len() < behind.len() && name.is_some_and(is_name);
            }
            _ => {}
        }
    }
    false
}

fn tool_pattern(kind: RuleKind, name: &str) -> (ToolPattern, Option<String>) {
    let wild = name.contains('*');
    if name.is_empty() {
        return (
            ToolPattern::Nothing,
            Some("names no tool, so it means nothing; write a tool's name".into()),
        );
    }
    if kind != RuleKind::Allow {
        let tool = if wild { ToolPattern::Wild(Glob::stars(name)) } else { ToolPattern::Name(name.into()) };
        return (tool, None);
    }
    let Some(rest) = name.strip_prefix("mcp__") else {
        let warning = "allows nothing: `*` in a tool's name works in deny and ask rules, and in allow rules after \
                       `mcp__server__`; name the tools one by one";
        return if wild {
            (ToolPattern::Nothing, Some(warning.into()))
        } else {
            (ToolPattern::Name(name.into()), None)
        };
    };
    let literal = rest.split('*').next().unwrap_or_default();
    let anchored = literal.find("__").is_some_and(|at| at > 0);
    if wild && !anchored {
        let warning = "allows nothing: in an allow rule `*` may only follow a whole `mcp__server__`";
        return (ToolPattern::Nothing, Some(warning.into()));
    }
    (ToolPattern::Remote(name.into()), None)
}

fn specified(kind: RuleKind, tool: ToolPattern, name: &str, inner: &str) -> Parsed {
    if inner.trim() == "*" {
        return Parsed { tool, specifier: Specifier::Whole, parameter: None, warning: None };
    }
    let parameter = parameter(inner);
    let allow = kind == RuleKind::Allow;
    let specifier = match name {
        "Bash" => CommandPattern::parse(inner).map(Specifier::Command),
        "Read" => PathPattern::parse(inner.trim()).map(|pattern| Specifier::Path(FileRule::Read, pattern)),
        "Edit" => PathPattern::parse(inner.trim()).map(|pattern| Specifier::Path(FileRule::Edit, pattern)),
        "WebFetch" | "WebSearch" if inner.trim().starts_with("domain:") => {
            let host = inner.trim().trim_start_matches("domain:");
            DomainPattern::parse(host).map(Specifier::Domain)
        }
        _ => return other(kind, tool, name, inner.trim(), parameter),
    };
    match specifier {
        Err(misread) => unsupported(kind, tool, name, &misread),
        Ok(specifier) => {
            let warning = (name != "Bash" && inner.contains(['{', '}'])).then(|| {
                "has braces, which stand for themselves in a path; write one rule for each alternative".into()
            });
            // A Bash rule such as `run_in_background:true` is both a command and a parameter; deny and ask take both.
            let parameter =
                parameter.filter(|(parameter, _)| !allow && !PRIMARY.contains(&parameter.as_str()));
            Parsed { tool, specifier, parameter, warning }
        }
    }
}

fn other(
    kind: RuleKind,
    tool: ToolPattern,
    name: &str,
    inner: &str,
    parameter: Option<(String, Glob)>,
) -> Parsed {
    let allow = kind == RuleKind::Allow;
    let is_primary = parameter.as_ref().is_some_and(|(parameter, _)| PRIMARY.contains(&parameter.as_str()));
    if let Some((_, instead)) = PATH_RULES_ELSEWHERE.iter().find(|(tool, _)| *tool == name)
        && (parameter.is_none() || is_primary || allow)
    {
        let warning =
            format!("is never matched: rules for paths are written `{instead}(..)`, which {name} obeys");
        return Parsed { tool, specifier: Specifier::Never, parameter: None, warning: Some(warning) };
    }
    if is_primary {
        return unsupported(kind, tool, name, "speaks of a parameter that has its own form of rule");
    }
    if name.starts_with("mcp__")
        || matches!(tool, ToolPattern::Wild(_) | ToolPattern::Nothing)
        || name == "WebFetch"
    {
        return match parameter {
            Some(parameter) if !allow => {
                Parsed { tool, specifier: Specifier::Never, parameter: Some(parameter), warning: None }
            }
            _ => unsupported(kind, tool, name, "has brackets that this tool has no rules for"),
        };
    }
    if inner.contains('*') && parameter.is_none() {
        return unsupported(kind, tool, name, "has a `*` where only a whole name is understood");
    }
    let warning = (allow && parameter.is_some()).then(|| {
        "allows only what is called exactly so: rules for a parameter work in deny and ask alone".into()
    });
    Parsed {
        tool,
        specifier: Specifier::Name(inner.into()),
        parameter: parameter.filter(|_| !allow),
        warning,
    }
}

/// `param:value`, where the first part can be a parameter's name.
fn parameter(inner: &str) -> Option<(String, Glob)> {
    let (name, value) = inner.trim().split_once(':')?;
    let begins = name.starts_with(|character: char| character.is_ascii_alphabetic() || character == '_');
    let is_name =
        begins && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    is_name.then(|| (name.into(), Glob::stars(value.trim())))
}

fn unsupported(kind: RuleKind, tool: ToolPattern, name: &str, why: &str) -> Parsed {
    let effect = match kind {
        RuleKind::Allow => "it allows nothing".into(),
        RuleKind::Ask => format!("to be safe it asks about every use of {name}"),
        RuleKind::Deny => format!("to be safe it denies every use of {name}"),
    };
    let warning = Some(format!("{why}; {effect}"));
    Parsed { tool, specifier: Specifier::Unsupported, parameter: None, warning }
}
