//! The rules of one list by what they speak of, so that a decision tries only those that may speak of its call. What a rule
//! means is `rule` alone: whatever is found here is tried there.

mod literals;
mod paths;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use serde_json::Value;
use toolwright_core::{CommandPart, Origin, PathAccess, Subject};

use super::{FileRule, Rule, Specifier, ToolPattern, plain_name};
use crate::pattern::{Extent, Literal, PathName, names_of, plain_host, squeezed, words_of};
use crate::subject::PreparedSubject;
use crate::{Request, Roots, ToolIdentity};
use literals::Literals;
use paths::{Paths, Sight};

/// Numbers of rules in their list.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Rules that may speak of a whole tool.
    tools: Tools,
    /// Rules for a parameter, by its name.
    parameters: HashMap<String, Vec<u32>>,
    commands: Literals,
    first_of_commands: Option<u32>,
    /// Rules that are a whole text.
    texts: HashMap<String, Vec<u32>>,
    reads: Paths,
    edits: Paths,
    domains: Literals,
    names: HashMap<String, Vec<u32>>,
    /// Rules that could not be understood, which speak of all of their kind.
    unsupported: Vec<u32>,
}

/// Where path patterns begin in one call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sights {
    reads: Sight,
    edits: Sight,
}

impl Index {
    pub(crate) fn of(rules: &[Rule]) -> Self {
        let mut index = Self::default();
        let (mut commands, mut domains, mut tools) = (Vec::new(), Vec::new(), Vec::new());
        let (mut reads, mut edits) = (Vec::new(), Vec::new());
        for (rule, number) in rules.iter().zip(0..) {
            if let Some((name, _)) = &rule.parameter {
                index.parameters.entry(name.clone()).or_default().push(number);
            }
            match &rule.specifier {
                Specifier::Whole => tools.push((&rule.tool, number)),
                Specifier::Unsupported => {
                    if rule.tool == ToolPattern::Name("Bash".into()) {
                        index.first_of_commands.get_or_insert(number);
                    }
                    tools.push((&rule.tool, number));
                    index.unsupported.push(number);
                }
                Specifier::Command(pattern) => {
                    index.first_of_commands.get_or_insert(number);
                    commands.push((pattern.literal(), number));
                    if let Some(text) = pattern.whole_text() {
                        index.texts.entry(text.to_owned()).or_default().push(number);
                    }
                }
                Specifier::Path(FileRule::Read, pattern) => reads.push((pattern, &rule.source.base, number)),
                Specifier::Path(FileRule::Edit, pattern) => edits.push((pattern, &rule.source.base, number)),
                Specifier::Domain(pattern) => domains.push((pattern.literal(), number)),
                Specifier::Name(name) => index.names.entry(name.clone()).or_default().push(number),
                Specifier::Never => {}
            }
        }
        index.tools = Tools::of(tools);
        index.commands = Literals::of(commands);
        index.domains = Literals::of(domains);
        index.reads = Paths::of(reads);
        index.edits = Paths::of(edits);
        index
    }

    pub(crate) fn sights(&self, roots: &Roots) -> Sights {
        Sights { reads: self.reads.sight(roots), edits: self.edits.sight(roots) }
    }

    /// The first rule that speaks of commands.
    pub(crate) fn first_of_commands<'r>(&self, rules: &'r [Rule]) -> Option<&'r Rule> {
        self.first_of_commands.and_then(|number| rules.get(usize::try_from(number).ok()?))
    }

    /// Whether any rule speaks of paths.
    pub(crate) fn speaks_of_paths(&self) -> bool {
        !self.reads.is_empty() || !self.edits.is_empty() || !self.unsupported.is_empty()
    }

    /// Rules that may speak of the call as a whole.
    pub(crate) fn of_call(&self, request: &Request<'_>) -> Vec<u32> {
        let mut found = Vec::new();
        self.tools.find(request.tool, &mut found);
        if let Value::Object(fields) = request.input
            && !self.parameters.is_empty()
        {
            found.extend(fields.keys().filter_map(|name| self.parameters.get(name)).flatten());
        }
        in_order(found)
    }

    /// Rules that may speak of one subject.
    pub(crate) fn of_subject(&self, prepared: &PreparedSubject<'_>, sights: &Sights) -> Vec<u32> {
        let mut found = Vec::new();
        match prepared.subject {
            Subject::Command(part) => {
                return in_order([self.of_command(part), self.unsupported.clone()].concat());
            }
            Subject::Text(text) => {
                self.of_form(text, &mut found);
            }
            Subject::Path { access, .. } => {
                for path in prepared.paths() {
                    self.of_path(&names_of(path), *access, sights, &mut found);
                }
            }
            Subject::Domain(host) => self.domains.find(&plain_host(host), &mut found),
            Subject::Name(name) => found.extend(self.names.get(name).into_iter().flatten()),
            _ => {}
        }
        found.extend(&self.unsupported);
        in_order(found)
    }

    /// Rules that may speak of what a path stands for, or of what lies below it.
    pub(crate) fn perhaps_of_path(&self, prepared: &PreparedSubject<'_>, sights: &Sights) -> Vec<u32> {
        let mut found = Vec::new();
        let Subject::Path { access, .. } = prepared.subject else { return found };
        let reads = prepared.open_extent(false);
        let edits = prepared.open_extent(true).filter(|_| !access.is_read() && !self.edits.is_empty());
        if reads.is_some() || edits.is_some() {
            for path in prepared.paths() {
                let names = if prepared.is_expanded() { words_of(path) } else { names_of(path) };
                reads.iter().for_each(|extent| self.reads.find(&sights.reads, &names, *extent, &mut found));
                edits.iter().for_each(|extent| self.edits.find(&sights.edits, &names, *extent, &mut found));
            }
        }
        for path in prepared.denied_below() {
            self.of_path(&names_of(path), *access, sights, &mut found);
        }
        in_order(found)
    }

    /// Rules that may hide a path from reading.
    pub(crate) fn of_reading(&self, names: &[PathName<'_>], extent: Extent, sights: &Sights) -> Vec<u32> {
        let mut found = self.unsupported.clone();
        self.reads.find(&sights.reads, names, extent, &mut found);
        in_order(found)
    }

    /// Rules that may be the whole text of a call.
    pub(crate) fn of_text(&self, text: &str) -> &[u32] {
        self.texts.get(text).map_or(&[], Vec::as_slice)
    }

    /// Rules for whole tools that may cover a subject of a call.
    pub(crate) fn of_tools(&self, tool: ToolIdentity<'_>) -> Vec<u32> {
        let mut found = Vec::new();
        self.tools.find(tool, &mut found);
        for name in ["Read", "Edit"] {
            found.extend(self.tools.exact.get(name).into_iter().flatten());
        }
        in_order(found)
    }

    /// Rules that may speak of a command.
    pub(crate) fn of_command(&self, part: &CommandPart) -> Vec<u32> {
        let mut found = Vec::new();
        if !self.commands.is_empty() {
            for form in part.for_deny.iter().chain([&part.for_allow]) {
                self.of_form(form, &mut found);
            }
        }
        in_order(found)
    }

    fn of_form(&self, form: &str, found: &mut Vec<u32>) {
        self.commands.find(form, found);
        let squeezed = squeezed(form.trim());
        if squeezed != form {
            self.commands.find(&squeezed, found);
        }
    }

    fn of_path(&self, names: &[PathName<'_>], access: PathAccess, sights: &Sights, found: &mut Vec<u32>) {
        self.reads.find(&sights.reads, names, Extent::Itself, found);
        if !access.is_read() {
            self.edits.find(&sights.edits, names, Extent::Itself, found);
        }
    }
}

/// Rules by the tool they name.
#[derive(Debug, Default)]
struct Tools {
    exact: HashMap<String, Vec<u32>>,
    remote: Literals,
    wild: Vec<u32>,
}

impl Tools {
    fn of<'r>(rules: impl IntoIterator<Item = (&'r ToolPattern, u32)>) -> Self {
        let mut tools = Self::default();
        let mut remote = Vec::new();
        for (tool, number) in rules {
            match tool {
                ToolPattern::Name(name) => tools.exact.entry(name.clone()).or_default().push(number),
                ToolPattern::Wild(_) => tools.wild.push(number),
                ToolPattern::Remote(name) => match name.split_once('*') {
                    Some((beginning, _)) => remote.push((Literal::Beginning(beginning.into()), number)),
                    None => remote.push((Literal::Whole(name.clone()), number)),
                },
                ToolPattern::Nothing => {}
            }
        }
        tools.remote = Literals::of(remote);
        tools
    }

    fn find(&self, tool: ToolIdentity<'_>, found: &mut Vec<u32>) {
        found.extend(&self.wild);
        let names = [tool.name].into_iter().chain(tool.aliases.iter().map(String::as_str));
        for name in names {
            found.extend(self.exact.get(name).into_iter().flatten());
        }
        let Origin::Remote { server, .. } = tool.origin else { return };
        self.remote.find(tool.name, found);
        for server in [format!("mcp__{server}"), format!("mcp__{}", plain_name(server))] {
            found.extend(self.exact.get(&server).into_iter().flatten());
            self.remote.find(&server, found);
        }
    }
}

fn in_order(mut found: Vec<u32>) -> Vec<u32> {
    found.sort_unstable();
    found.dedup();
    found
}
