//! Which rules would let a call through. Each is tried before it is named, so that a suggestion never fails.

use std::path::Path;
use std::sync::Arc;

use toolwright_core::{CommandPart, PathAccess, Reach, Subject};

use super::coverage::{self, Coverage};
use crate::pattern::{escape_path, escape_stars, normalised, plain_host};
use crate::subject::Touched;
use crate::{Request, RuleKind, RuleSet, Scope, Source};

/// Programs that run what they are given, so that a rule for their prefix is a rule for anything.
const RUN_ANYTHING: [&str; 24] = [
    "bash", "sh", "zsh", "fish", "dash", "env", "sudo", "doas", "xargs", "find", "ssh", "python", "python3",
    "node", "deno", "bun", "perl", "ruby", "php", "lua", "awk", "eval", "exec", "docker",
];

/// Above this nobody reads what they agree to, and nothing is suggested.
const MOST_RULES: usize = 16;

/// Rules any of which allows the call, narrowest first; and rules that together allow exactly it.
pub(super) fn rules(
    rules: &RuleSet,
    request: &Request<'_>,
    subjects: &[Touched<'_>],
) -> (Vec<String>, Vec<String>) {
    let mut together: Vec<String> = Vec::new();
    let mut wider = Vec::new();
    // Each round covers the first subject that still lacks it; a round that covers nothing new ends the search.
    for _ in 0..=subjects.len().min(MOST_RULES) {
        let extended = with(rules, request, &together);
        let Coverage::Lacking(lacking) = coverage::of(&extended, request, subjects) else { break };
        let mut candidates = candidates(lacking, request).into_iter();
        match candidates.next() {
            Some(narrowest) if !together.contains(&narrowest) => together.push(narrowest),
            _ => {
                together.clear();
                break;
            }
        }
        wider.extend(candidates);
    }
    if together.is_empty() {
        // A path behind a link, say: no rule for what it is called covers what it is.
        let whole = vec![request.tool.name.to_owned()];
        return (if allows(rules, request, subjects, &whole) { whole } else { Vec::new() }, together);
    }
    let mut suggestions: Vec<String> = together.iter().chain(&wider).cloned().collect();
    suggestions.retain(|rule| allows(rules, request, subjects, std::slice::from_ref(rule)));
    if !allows(rules, request, subjects, &together) {
        together.clear();
    }
    (suggestions, together)
}

fn allows(rules: &RuleSet, request: &Request<'_>, subjects: &[Touched<'_>], added: &[String]) -> bool {
    !matches!(coverage::of(&with(rules, request, added), request, subjects), Coverage::Lacking(_))
}

fn with(rules: &RuleSet, request: &Request<'_>, added: &[String]) -> RuleSet {
    let source = Arc::new(Source::new(Scope::Session, request.roots.start.clone()));
    let mut extended = rules.clone();
    extended.add_all(RuleKind::Allow, added.iter().map(String::as_str), &source);
    extended
}

/// Rules for one subject, narrowest first.
fn candidates(subject: &Subject, request: &Request<'_>) -> Vec<String> {
    let tool = request.tool.name;
    if request.tool.is_remote() {
        return vec![tool.into()];
    }
    match subject {
        Subject::Command(part) => for_command(part, tool),
        Subject::Path { path, access, .. } => for_path(path, *access),
        Subject::Domain(host) => vec![format!("{tool}(domain:{})", plain_host(host))],
        Subject::Name(name) => vec![format!("{tool}({name})")],
        Subject::Unreadable(_) => Vec::new(),
        _ => vec![tool.into()],
    }
}

fn for_command(part: &CommandPart, tool: &str) -> Vec<String> {
    let mut rules = vec![format!("{tool}({})", escape_stars(&part.for_allow))];
    let mut words = part.for_allow.split(' ');
    let (Some(program), Some(sub_command)) = (words.next(), words.next()) else { return rules };
    let is_word =
        |word: &str| word.chars().all(|character| character.is_ascii_alphanumeric() || character == '-');
    let plain = is_word(program) && is_word(sub_command) && !sub_command.starts_with('-');
    if plain && part.reach == Reach::Pattern && !RUN_ANYTHING.contains(&program) {
        rules.push(format!("{tool}({program} {sub_command} *)"));
    }
    rules
}

fn for_path(path: &Path, access: PathAccess) -> Vec<String> {
    let tool = if access.is_read() { "Read" } else { "Edit" };
    let absolute = |path: &Path| escape_path(path.to_string_lossy().trim_start_matches('/'));
    let path = normalised(path);
    let mut rules = vec![format!("{tool}(//{})", absolute(&path))];
    if let Some(folder) = path.parent().filter(|folder| folder.parent().is_some()) {
        rules.push(format!("{tool}(//{}/**)", absolute(folder)));
    }
    rules
}
