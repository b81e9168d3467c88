//! One rule: its text, where it stands, and whether it speaks of a call or a subject. Knows no other rule and no order.

mod index;
mod parse;

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{CommandPart, Cover, Origin, PathAccess, Reach, Subject};

use crate::pattern::{
    Case, CommandPattern, DomainPattern, Extent, Glob, PathName, PathPattern, names_of, words_of,
};
use crate::subject::PreparedSubject;
use crate::{Request, Roots, RuleKind, RuleRef, Source, ToolIdentity};

pub(crate) use index::{Index, Sights};

/// One rule as read: `Tool` or `Tool(specifier)`.
#[derive(Debug, Clone)]
pub struct Rule {
    kind: RuleKind,
    text: String,
    source: Arc<Source>,
    line: Option<u32>,
    tool: ToolPattern,
    specifier: Specifier,
    /// `Tool(param:value)`, beside whatever else the specifier may mean. In deny and ask rules alone.
    parameter: Option<(String, Glob)>,
    warning: Option<String>,
}

/// The part before the brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ToolPattern {
    Name(String),
    /// `mcp__..`, in an allow rule: compared with the server and tool the registry gives.
    Remote(String),
    /// With `*`, in deny and ask rules alone.
    Wild(Glob),
    /// Means no tool.
    Nothing,
}

/// The part in the brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Specifier {
    Whole,
    Command(CommandPattern),
    Path(FileRule, PathPattern),
    Domain(DomainPattern),
    Name(String),
    /// Accepted and without meaning; a warning says what to write.
    Never,
    /// Not understood: matches everything of its kind in deny and ask, covers nothing in allow.
    Unsupported,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileRule {
    Read,
    Edit,
}

impl FileRule {
    /// Whether a deny or ask rule of this kind speaks of what happens to a path.
    fn concerns(self, access: PathAccess) -> bool {
        match self {
            // What must not be seen must not be changed either.
            Self::Read => true,
            Self::Edit => !access.is_read() && access != PathAccess::MayWrite,
        }
    }

    /// Whether it may speak of that: where only a person can tell.
    fn may_concern(self, access: PathAccess) -> bool {
        match self {
            // What is written below a folder shows nothing of what is there.
            Self::Read => access != PathAccess::WriteBelow,
            Self::Edit => !access.is_read(),
        }
    }
}

impl Rule {
    /// Reads a rule. Never fails: see [`RuleSet::add`](crate::RuleSet::add) for what a bad one does.
    #[must_use]
    pub fn parse(kind: RuleKind, text: &str, source: &Arc<Source>, line: Option<u32>) -> Self {
        let parsed = parse::parse(kind, text);
        Self {
            kind,
            text: text.into(),
            source: Arc::clone(source),
            line,
            tool: parsed.tool,
            specifier: parsed.specifier,
            parameter: parsed.parameter,
            warning: parsed.warning,
        }
    }

    /// Its text as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) const fn kind(&self) -> RuleKind {
        self.kind
    }

    pub(crate) const fn tool(&self) -> &ToolPattern {
        &self.tool
    }

    /// Where it was read.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Its text, list, layer and place.
    #[must_use]
    pub fn reference(&self) -> RuleRef {
        RuleRef {
            text: self.text.clone(),
            kind: self.kind,
            scope: self.source.scope,
            file: self.source.file.clone(),
            line: self.line,
        }
    }

    /// Why it does not do what it seems to, if it does not.
    #[must_use]
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Whether it speaks of the whole of this tool. One that could not be understood does, in deny and ask.
    #[must_use]
    pub fn takes_whole_tool(&self, tool: ToolIdentity<'_>) -> bool {
        let whole = match self.specifier {
            Specifier::Whole => true,
            Specifier::Unsupported => self.kind != RuleKind::Allow,
            _ => false,
        };
        whole && self.names(tool)
    }

    /// Whether it was written for some uses of this tool, whether or not that could be understood.
    pub(crate) fn speaks_of_some_uses(&self, tool: ToolIdentity<'_>) -> bool {
        self.specifier != Specifier::Whole && self.names(tool)
    }

    /// For deny and ask: whether it matches the call as a whole.
    pub(crate) fn matches_call(&self, request: &Request<'_>) -> bool {
        let parameter = self.parameter.as_ref().is_some_and(|(name, value)| {
            scalar(request.input.get(name)).is_some_and(|given| value.matches(&given, Case::Exact))
        });
        self.takes_whole_tool(request.tool) || (parameter && self.names(request.tool))
    }

    /// For deny and ask: whether it matches this subject, whichever tool touches it.
    pub(crate) fn matches(&self, prepared: &PreparedSubject<'_>, request: &Request<'_>) -> bool {
        match (&self.specifier, prepared.subject) {
            (Specifier::Command(pattern), Subject::Command(part)) => {
                let forms = part.for_deny.iter().chain([&part.for_allow]);
                forms.into_iter().any(|form| pattern.matches_widely(form))
            }
            (Specifier::Command(pattern), Subject::Text(text)) => pattern.means_text(text),
            (Specifier::Path(file_rule, pattern), Subject::Path { access, .. }) => {
                let matches =
                    |path| self.matches_path(pattern, &names_of(path), Extent::Itself, request.roots);
                file_rule.concerns(*access) && prepared.paths().any(matches)
            }
            (Specifier::Domain(pattern), Subject::Domain(host)) => pattern.matches(host),
            (Specifier::Name(name), Subject::Name(given)) => name == given && self.names(request.tool),
            (Specifier::Unsupported, subject) => self.is_of_the_kind(subject),
            _ => false,
        }
    }

    /// For deny and ask: whether it may match what a shell makes of this path, or something below it that is read with it.
    /// That is not known here, so it asks.
    pub(crate) fn may_match(&self, prepared: &PreparedSubject<'_>, request: &Request<'_>) -> bool {
        match (&self.specifier, prepared.subject) {
            (Specifier::Path(file_rule, pattern), Subject::Path { access, .. }) => {
                let matches =
                    |names: &[PathName<'_>], extent| self.matches_path(pattern, names, extent, request.roots);
                let names = |path| if prepared.is_expanded() { words_of(path) } else { names_of(path) };
                let open = prepared
                    .open_extent(*file_rule == FileRule::Edit)
                    .is_some_and(|extent| prepared.paths().any(|path| matches(&names(path), extent)));
                let below =
                    || prepared.denied_below().iter().any(|path| matches(&names_of(path), Extent::Itself));
                file_rule.may_concern(*access) && (open || below())
            }
            _ => false,
        }
    }

    /// For allow: whether it covers this subject of the call.
    pub(crate) fn covers(&self, prepared: &PreparedSubject<'_>, request: &Request<'_>) -> bool {
        if self.source.from_project && !request.trusted {
            return false;
        }
        let own = self.names(request.tool);
        if request.tool.is_remote() {
            // What a remote tool says it touches is not believed: only a rule for the tool itself helps.
            return own && self.specifier == Specifier::Whole;
        }
        let is_file_rule = |name: &str| self.tool == ToolPattern::Name(name.into());
        match (&self.specifier, prepared.subject) {
            (_, Subject::Unreadable(_)) => false,
            (Specifier::Whole, Subject::Path { access, cover, .. }) if access.is_read() => {
                is_file_rule("Read") || (own && !prepared.is_redirect(*cover))
            }
            (Specifier::Whole, Subject::Path { cover, .. }) => {
                is_file_rule("Edit") || (own && !prepared.is_redirect(*cover))
            }
            // A host that a shell text opens by redirect is no part of a command either.
            (Specifier::Whole, Subject::Domain(_)) => own && !prepared.beside_commands,
            (Specifier::Whole, _) => own,
            (Specifier::Command(pattern), Subject::Command(part)) => {
                own && match part.reach {
                    Reach::ReadOnly | Reach::Pattern => pattern.matches(&part.for_allow),
                    Reach::ExactText => pattern.is_exactly(&part.for_allow),
                }
            }
            (Specifier::Path(file_rule, pattern), Subject::Path { access, .. }) => {
                let reads = access.is_read();
                let concerns = reads == (*file_rule == FileRule::Read);
                let covers = |path| pattern.covers(path, reads, &self.source.base, request.roots);
                concerns && prepared.paths().all(covers)
            }
            (Specifier::Domain(pattern), Subject::Domain(host)) => own && pattern.matches(host),
            (Specifier::Name(name), Subject::Name(given)) => own && name == given,
            _ => false,
        }
    }

    /// For allow: whether it is exactly the whole text of the call, so that whoever wrote it has seen all of it.
    pub(crate) fn is_whole_text(&self, text: &str, request: &Request<'_>) -> bool {
        match &self.specifier {
            Specifier::Command(pattern) if self.counts(request) => pattern.is_text(text),
            _ => false,
        }
    }

    /// For allow: whether it gives exactly this command.
    pub(crate) fn is_exactly(&self, part: &CommandPart, request: &Request<'_>) -> bool {
        match &self.specifier {
            Specifier::Command(pattern) if self.counts(request) => pattern.is_exactly(&part.for_allow),
            _ => false,
        }
    }

    /// For allow: whether it is one that may speak of this tool's commands.
    fn counts(&self, request: &Request<'_>) -> bool {
        let trusted = !self.source.from_project || request.trusted;
        trusted && !request.tool.is_remote() && self.names(request.tool)
    }

    /// For deny: whether it hides this path from reading.
    pub(crate) fn hides(&self, path: &[PathName<'_>], extent: Extent, roots: &Roots) -> bool {
        match &self.specifier {
            Specifier::Path(FileRule::Read, pattern) => self.matches_path(pattern, path, extent, roots),
            Specifier::Unsupported => self.tool == ToolPattern::Name("Read".into()),
            _ => false,
        }
    }

    /// For deny and ask: the files that it names literally.
    pub(crate) fn literal_paths(&self, roots: &Roots) -> Vec<PathBuf> {
        match &self.specifier {
            Specifier::Path(_, pattern) => pattern.literal(&self.source.base, roots),
            _ => Vec::new(),
        }
    }

    /// Whether it is a rule for the reading of paths.
    pub(crate) const fn is_for_reading(&self) -> bool {
        matches!(self.specifier, Specifier::Path(FileRule::Read, _))
    }

    fn matches_path(
        &self,
        pattern: &PathPattern,
        path: &[PathName<'_>],
        extent: Extent,
        roots: &Roots,
    ) -> bool {
        pattern.concerns(path, extent, &self.source.base, roots)
    }

    fn is_of_the_kind(&self, subject: &Subject) -> bool {
        let ToolPattern::Name(name) = &self.tool else { return false };
        match subject {
            Subject::Command(_) => name == "Bash",
            Subject::Path { access, .. } if !FileRule::Edit.concerns(*access) => name == "Read",
            Subject::Path { .. } => name == "Read" || name == "Edit",
            Subject::Domain(_) => name == "WebFetch",
            _ => false,
        }
    }

    fn names(&self, tool: ToolIdentity<'_>) -> bool {
        match (&self.tool, tool.origin) {
            (ToolPattern::Nothing, _) => false,
            (ToolPattern::Name(name), Origin::Remote { server, .. }) if self.kind != RuleKind::Allow => {
                tool.answers_to(name)
                    || name.strip_prefix("mcp__").is_some_and(|named| is_server(named, server))
            }
            // A remote tool that took a built-in's name is not what an allow rule means.
            (ToolPattern::Name(_), Origin::Remote { .. }) => false,
            (ToolPattern::Name(name), _) => tool.answers_to(name),
            (ToolPattern::Wild(glob), _) => glob_names(glob, tool),
            (ToolPattern::Remote(name), Origin::Remote { server, .. }) => {
                covers_remote(name, tool.name, server)
            }
            (ToolPattern::Remote(_), _) => false,
        }
    }
}

fn glob_names(glob: &Glob, tool: ToolIdentity<'_>) -> bool {
    let named = |name: &str| glob.matches(name, Case::Exact);
    let server = match tool.origin {
        Origin::Remote { server, .. } => named(&format!("mcp__{server}")),
        Origin::BuiltIn { .. } | Origin::Host => false,
    };
    named(tool.name) || server || tool.aliases.iter().any(|alias| named(alias))
}

fn is_server(named: &str, server: &str) -> bool {
    named == server || named == plain_name(server)
}

/// Whether an allow rule's `mcp__..` means this tool of this server. The server is the registry's: a name is never split,
/// and a rule for a tool `b` of a server `a` is not one for a server `a__b`.
fn covers_remote(rule: &str, tool_name: &str, server: &str) -> bool {
    let server = plain_name(server);
    let whole_server =
        rule.strip_prefix("mcp__").is_some_and(|named| named == server && !named.contains("__"));
    let prefix = format!("mcp__{server}__");
    let tool_rule = rule.strip_prefix(prefix.as_str()).zip(tool_name.strip_prefix(prefix.as_str()));
    whole_server || tool_rule.is_some_and(|(rule, tool)| Glob::stars(rule).matches(tool, Case::Exact))
}

/// A server's name as it stands in its tools' names.
fn plain_name(server: &str) -> String {
    let plain =
        |character: char| if character.is_ascii_alphanumeric() || character == '-' { character } else { '_' };
    server.chars().map(plain).collect()
}

fn scalar(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

impl PreparedSubject<'_> {
    /// Whether a path stands beside commands and is not part of one: a redirect's target, which no rule for the shell covers.
    fn is_redirect(&self, cover: Cover) -> bool {
        self.beside_commands && cover == Cover::Own
    }
}
