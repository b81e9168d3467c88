//! Assembly: which of the tools there are make it into an agent's pool, and in which order.

use std::fmt;
use std::sync::{Arc, OnceLock};

use toolwright_core::{Built, Definition, DynTool, Loading, Origin};

use super::explain::{Explanation, Layer, Standing};
use super::{Exposure, Pool, PoolEntry, definition_hash, hash};
use crate::deferral::DeferralPolicy;

/// The tools simple mode keeps.
const SIMPLE: [&str; 3] = ["Bash", "Edit", "Read"];

/// Asked with a name a rule may be written for (`WebFetch`, `mcp__server`) and the tool's origin; gives the rule that denies
/// the whole of it, as written.
pub type DenyRules<'a> = dyn Fn(&str, &Origin) -> Option<String> + 'a;

/// The tools there are.
#[derive(Default)]
pub struct Candidates {
    /// What the registry built for this agent.
    pub built: Built,
    /// The host's own tools (closures).
    pub host: Vec<Arc<dyn DynTool>>,
    /// Tools of MCP servers.
    pub remote: Vec<Arc<dyn DynTool>>,
    /// Names of tools that exist and are not in this binary, for the explanation alone.
    pub not_linked: Vec<String>,
}

/// Which of them an agent may have.
#[derive(Default)]
pub struct Selection<'a> {
    /// Deny rules of the permissions. None: nothing is denied.
    pub deny: Option<&'a DenyRules<'a>>,
    /// Tools on request (`Loading::OnRequest`) that the host asks for by name.
    pub requested: &'a [String],
    /// The names this agent may have (a subagent's list); `mcp__server` stands for all of a server, `*` for all there is.
    /// None: no such list.
    pub allowed: Option<&'a [String]>,
    /// Simple mode (`TOOLWRIGHT_SIMPLE`): Bash, Read and Edit, and what was requested by name.
    pub simple: bool,
}

/// What came of tools that arrived after the start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrival {
    /// New, at the end of the pool, in this order.
    pub appended: Vec<String>,
    /// Known, with the same definition: the pool calls the newcomer from now on, and no byte moves.
    pub refreshed: Vec<String>,
    /// Known, with another definition, which took the old one's place. Where it was visible, the provider's cache ends there.
    pub changed: Vec<String>,
}

impl Pool {
    /// Assembles a pool: once, when an agent starts.
    #[must_use]
    pub fn assemble(candidates: Candidates, selection: &Selection<'_>, deferral: &DeferralPolicy) -> Self {
        let mut pool = Self::default();
        pool.left_out.extend(candidates.not_linked.into_iter().map(|name| Explanation {
            name,
            origin: None,
            standing: Standing::LeftOut {
                layer: Layer::Linked,
                reason: "its crate is not in this binary; build with its feature".into(),
            },
        }));
        pool.left_out.extend(candidates.built.unavailable.into_iter().map(|(registration, reason)| {
            Explanation {
                name: registration.name.into(),
                origin: Some(Origin::BuiltIn { package: registration.package.into() }),
                standing: Standing::LeftOut { layer: Layer::Built, reason: reason.to_string() },
            }
        }));
        let mut tools = candidates.built.tools;
        tools.extend(candidates.host);
        tools.extend(candidates.remote);
        tools.sort_by(|left, right| rank(left.definition()).cmp(&rank(right.definition())));
        pool.admit(tools, selection, deferral);
        pool
    }

    /// Takes in tools that came after the start: a server that connected late, one that says its list changed. Call it
    /// between turns alone.
    pub fn arrive(
        &mut self,
        mut tools: Vec<Arc<dyn DynTool>>,
        selection: &Selection<'_>,
        deferral: &DeferralPolicy,
    ) -> Arrival {
        let mut arrival = Arrival::default();
        tools.sort_by(|left, right| rank(left.definition()).cmp(&rank(right.definition())));
        tools.retain(|tool| !self.renew(tool, selection, &mut arrival));
        let before = self.entries.len();
        self.admit(tools, selection, deferral);
        arrival.appended =
            self.entries.iter().skip(before).map(|entry| entry.definition().name.clone()).collect();
        arrival
    }

    /// Whether `tool` is one the pool has, in a new guise; if so it takes its place.
    fn renew(&mut self, tool: &Arc<dyn DynTool>, selection: &Selection<'_>, arrival: &mut Arrival) -> bool {
        let definition = tool.definition();
        let index = self.by_name.get(&definition.name);
        let Some(entry) = index.and_then(|index| self.entries.get_mut(*index)) else { return false };
        if entry.definition().origin != definition.origin || selection.refuses(tool).is_some() {
            return false;
        }
        let hash = definition_hash(definition);
        // Keys in another order mean the same, but are other bytes.
        if *entry.hash == *hash && hash::wire(entry.definition()) == hash::wire(definition) {
            arrival.refreshed.push(definition.name.clone());
        } else {
            arrival.changed.push(definition.name.clone());
            self.fingerprint = OnceLock::new();
        }
        entry.tool = Arc::clone(tool);
        entry.hash = hash.into();
        true
    }

    /// Appends, in the order given, what the selection lets in and whose name is free.
    fn admit(&mut self, tools: Vec<Arc<dyn DynTool>>, selection: &Selection<'_>, deferral: &DeferralPolicy) {
        let before = self.entries.len();
        for tool in tools {
            match selection.refuses(&tool).or_else(|| self.duplicate_of(tool.definition())) {
                Some(refusal) => self.left_out.push(refusal),
                None => {
                    self.by_name.insert(tool.definition().name.clone(), self.entries.len());
                    self.entries.push(PoolEntry::new(tool, Exposure::Always));
                }
            }
        }
        let definitions: Vec<_> = self.entries.iter().map(PoolEntry::definition).collect();
        let deferred = deferral.decide(&definitions);
        for (index, deferred) in deferred.into_iter().enumerate().skip(before) {
            match self.entries.get_mut(index) {
                Some(entry) if deferred => entry.exposure = Exposure::Deferred,
                Some(_) => self.shown.push(index),
                None => {}
            }
        }
        self.fingerprint = OnceLock::new();
    }

    fn duplicate_of(&self, definition: &Definition) -> Option<Explanation> {
        let first = self.by_name.get(&definition.name).and_then(|index| self.entries.get(*index))?;
        let holder = match &first.definition().origin {
            Origin::BuiltIn { package } => format!("the built-in of {package}"),
            Origin::Remote { server, tool } => format!("`{tool}` of the server `{server}`"),
            Origin::Host => "a tool of the host".into(),
        };
        Some(Explanation::left_out(definition, Layer::Doubled, format!("{holder} has the name already")))
    }
}

impl Selection<'_> {
    /// The layer that keeps a tool out, if any does.
    fn refuses(&self, tool: &Arc<dyn DynTool>) -> Option<Explanation> {
        let definition = tool.definition();
        let out = |layer, reason| Some(Explanation::left_out(definition, layer, reason));
        if let Some(reason) = malformed(definition) {
            return out(Layer::WellFormed, reason);
        }
        if let Err(reason) = tool.is_enabled() {
            return out(Layer::Enabled, reason.to_string());
        }
        let names = rule_names(definition);
        let denied = self.deny.and_then(|deny| names.iter().find_map(|name| deny(name, &definition.origin)));
        if let Some(rule) = denied {
            return out(Layer::Denied, format!("the deny rule `{rule}` takes it out"));
        }
        let requested = self.requested.iter().any(|name| definition.answers_to(name));
        if self.simple && !requested && !SIMPLE.contains(&definition.name.as_str()) {
            return out(Layer::SimpleMode, format!("simple mode keeps {} alone", SIMPLE.join(", ")));
        }
        let listed =
            self.allowed.is_none_or(|list| list.iter().any(|entry| entry == "*" || names.contains(entry)));
        if !listed && !requested {
            return out(Layer::Allowed, "it is not on the list of tools this agent was given".into());
        }
        if definition.loading == Loading::OnRequest && !requested {
            return out(Layer::OnRequest, "it comes only where the host asks for it by name".into());
        }
        None
    }
}

impl fmt::Debug for Candidates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |tools: &[Arc<dyn DynTool>]| -> Vec<String> {
            tools.iter().map(|tool| tool.definition().name.clone()).collect()
        };
        formatter
            .debug_struct("Candidates")
            .field("built", &self.built)
            .field("host", &names(&self.host))
            .field("remote", &names(&self.remote))
            .field("not_linked", &self.not_linked)
            .finish()
    }
}

impl fmt::Debug for Selection<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Selection")
            .field("requested", &self.requested)
            .field("allowed", &self.allowed)
            .field("simple", &self.simple)
            .finish_non_exhaustive()
    }
}

/// The names a whole-tool rule or a list may use for a tool. A server's are made of its origin, never by cutting the tool's
/// name apart: a server's name may hold `__` itself.
pub(crate) fn rule_names(definition: &Definition) -> Vec<String> {
    let mut names = vec![definition.name.clone()];
    names.extend(definition.aliases.iter().cloned());
    if let Origin::Remote { server, .. } = &definition.origin {
        let plain: String =
            server.chars().map(|letter| if is_name_letter(letter) { letter } else { '_' }).collect();
        for server in [server, &plain] {
            for name in [format!("mcp__{server}"), format!("mcp__{server}__*")] {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    names
}

fn malformed(definition: &Definition) -> Option<String> {
    let name = &definition.name;
    if name.is_empty() || name.len() > 64 || !name.chars().all(is_name_letter) {
        return Some("a name has 1 to 64 of the characters A-Z a-z 0-9 _ -".into());
    }
    definition.schema_fault()
}

fn is_name_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

/// Built-ins, the host's, remote ones; by name in each. Two remote tools of one name go by server, not by which came first.
fn rank(definition: &Definition) -> (u8, &str, &str) {
    match &definition.origin {
        Origin::BuiltIn { .. } => (0, &definition.name, ""),
        Origin::Host => (1, &definition.name, ""),
        Origin::Remote { server, .. } => (2, &definition.name, server),
    }
}
