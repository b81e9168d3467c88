//! Which rules would let a call through. Each is tried before it is named, so that a suggestion never fails.

mod prefix;

use std::path::Path;
use std::sync::Arc;

use toolwright_core::{CommandPart, PathAccess, Reach, Subject};

use super::asked::text_of;
use crate::pattern::{escape_path, escape_stars, normalised, plain_host};
use crate::subject::PreparedSubject;
use crate::{Request, Roots, Rule, RuleKind, Scope, Source};

/// Above this nobody reads what they agree to, and nothing is suggested.
const MOST_RULES: usize = 16;

/// Rules that would let a call through.
#[derive(Debug)]
pub(super) struct Suggested {
    /// Any of them does, narrowest first.
    pub(super) suggestions: Vec<String>,
    /// Together they allow exactly the call.
    pub(super) together: Vec<String>,
    /// Together they allow the call and others of its kind.
    pub(super) of_kind: Vec<String>,
}

/// What to suggest for a call. `lacking` is the first subject that some rules beside those there are leave without cover, `allows`
/// whether they let the call through, `whole_tool` whether a rule for all of the tool may be among them.
pub(super) fn rules(
    request: &Request<'_>,
    subjects: &[PreparedSubject<'_>],
    whole_tool: impl Fn() -> bool,
    lacking: impl Fn(&[Rule]) -> Option<Subject>,
    allows: impl Fn(&[Rule]) -> bool,
) -> Suggested {
    let source = Arc::new(Source::new(Scope::Session, request.roots.start.clone()));
    let rule = |text: &String| Rule::parse(RuleKind::Allow, text, &source, None);
    let text = text_of(subjects);
    let mut together: Vec<String> = Vec::new();
    let mut tried: Vec<Rule> = Vec::new();
    let mut wider = Vec::new();
    let mut of_kind: Vec<String> = Vec::new();
    // Each round covers the first subject that still lacks it; a round that covers nothing new ends the search.
    for _ in 0..=subjects.len().min(MOST_RULES) {
        let Some(subject) = lacking(&tried) else { break };
        let mut candidates = candidates(&subject, request, subjects, &whole_tool).into_iter();
        match candidates.next() {
            Some(narrowest) if !together.contains(&narrowest) => {
                tried.push(rule(&narrowest));
                together.push(narrowest);
            }
            _ => {
                together.clear();
                break;
            }
        }
        let others: Vec<String> = candidates.collect();
        // The narrowest of the wider ones stands for the kind; a command without one is its own kind.
        if !others.iter().any(|text| of_kind.contains(text)) {
            let covers = |text: &&String| {
                let with: Vec<Rule> = of_kind.iter().chain([*text]).map(rule).collect();
                lacking(&with).as_ref() != Some(&subject)
            };
            let kind = others.iter().find(covers).or(together.last()).cloned();
            of_kind.extend(kind);
        }
        for candidate in others {
            if !wider.contains(&candidate) {
                wider.push(candidate);
            }
        }
    }
    let mut suggestions: Vec<String> = together.iter().chain(&wider).cloned().collect();
    // One rule for all of a text that takes several.
    if together.len() != 1
        && let Some(text) = text
    {
        suggestions.insert(0, for_text(text, request.tool.name));
    }
    suggestions.retain(|text| allows(&[rule(text)]));
    if !allows(&tried) {
        together.clear();
    }
    let whole_text = text.map(|text| for_text(text, request.tool.name));
    let is_narrow = of_kind == together || of_kind.iter().eq(whole_text.iter());
    if is_narrow || !allows(&of_kind.iter().map(rule).collect::<Vec<_>>()) {
        of_kind.clear();
    }
    Suggested { suggestions, together, of_kind }
}

/// Rules for one subject, narrowest first.
fn candidates(
    subject: &Subject,
    request: &Request<'_>,
    subjects: &[PreparedSubject<'_>],
    whole_tool: impl Fn() -> bool,
) -> Vec<String> {
    let tool = request.tool.name;
    let for_tool = || if whole_tool() { vec![tool.to_owned()] } else { Vec::new() };
    if request.tool.is_remote() {
        return for_tool();
    }
    let runs_commands =
        subjects.iter().any(|prepared| matches!(prepared.subject, Subject::Command(_) | Subject::Text(_)));
    match subject {
        Subject::Command(part) => for_command(part, tool),
        Subject::Path { path, access, .. } => for_path(path, *access, request.roots),
        Subject::Domain(host) => vec![format!("{tool}(domain:{})", plain_host(host))],
        Subject::Name(name) => vec![format!("{tool}({name})")],
        Subject::Unreadable(_) => Vec::new(),
        // A rule for all of a shell is never what one command should end in.
        _ if runs_commands => text_of(subjects).map(|text| for_text(text, tool)).into_iter().collect(),
        _ => for_tool(),
    }
}

fn for_text(text: &str, tool: &str) -> String {
    format!("{tool}({})", escape_stars(text))
}

fn for_command(part: &CommandPart, tool: &str) -> Vec<String> {
    let mut rules = vec![format!("{tool}({})", escape_stars(&part.for_allow))];
    if part.reach != Reach::ExactText && !part.runs_code {
        let prefixes = prefix::of(&part.for_allow).into_iter();
        rules.extend(prefixes.map(|prefix| format!("{tool}({prefix} *)")));
    }
    rules
}

fn for_path(path: &Path, access: PathAccess, roots: &Roots) -> Vec<String> {
    let tool = if access.is_read() { "Read" } else { "Edit" };
    let absolute = |path: &Path| escape_path(path.to_string_lossy().trim_start_matches('/'));
    let path = normalised(path);
    let mut rules = vec![format!("{tool}(//{})", absolute(&path))];
    // A folder that holds the home folder or the project holds far more than its kind.
    let holds_much = |folder: &Path| {
        folder.parent().is_none()
            || roots.protected_folders().any(|protected| protected.starts_with(folder) && protected != folder)
    };
    if let Some(folder) = path.parent().filter(|folder| !holds_much(folder)) {
        rules.push(format!("{tool}(//{}/**)", absolute(folder)));
    }
    rules
}
