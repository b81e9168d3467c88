//! A call built by hand, and a small world of links.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{CommandPart, Cover, Effects, Origin, PathAccess, Reach, Subject, Verdict};
use toolwright_permissions::{
    Decision, Folder, HookVerdict, Mode, Request, ResolvedSubject, Roots, RuleKind, RuleSet, Scope, Source,
    ToolIdentity, decide,
};
use toolwright_shell::{Place, analyse};

/// The project of every test; its home is `/r/home`.
pub(crate) const PROJECT: &str = "/r/proj";

const LINKS: [(&str, &str); 10] = [
    ("/r/proj/outlink", "/r/out"),
    ("/r/proj/flink", "/r/out/secret.txt"),
    ("/r/proj/dangling", "/r/out/none"),
    ("/r/proj/gitalias", "/r/proj/.git"),
    ("/r/proj/src/outl", "/r/out"),
    ("/r/proj/link.txt", "/r/proj/secrets/key.txt"),
    ("/r/proj/linkdir", "/r/proj/secrets"),
    ("/r/proj/inlink", "/r/proj/README.md"),
    ("/r/proj/chain1", "/r/out/secret.txt"),
    ("/proc/self/root", "/"),
];

/// All that a decision depends on; change the fields that matter.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) origin: Origin,
    pub(crate) input: Value,
    pub(crate) effects: Effects,
    pub(crate) subjects: Vec<ResolvedSubject>,
    pub(crate) verdict: Verdict,
    pub(crate) hook: HookVerdict,
    pub(crate) mode: Mode,
    pub(crate) roots: Roots,
    pub(crate) trusted: bool,
}

impl Call {
    pub(crate) fn new(tool: &str, effects: Effects, subjects: Vec<Subject>) -> Self {
        Self {
            tool: tool.into(),
            aliases: Vec::new(),
            origin: Origin::BuiltIn { package: "tests".into() },
            input: json!({}),
            effects,
            subjects: subjects.into_iter().map(resolved).collect(),
            verdict: Verdict::Defer,
            hook: HookVerdict::None,
            mode: Mode::Default,
            roots: Roots::at(PROJECT, Some(Folder::from("/r/home"))),
            trusted: true,
        }
    }

    /// A call of a file tool on one path, from the project.
    pub(crate) fn file(tool: &str, path: &str) -> Self {
        let path = Path::new(PROJECT).join(path);
        match tool {
            "Read" | "Glob" | "Grep" => {
                Self::new(tool, Effects::READ_ONLY, vec![Subject::path(path, PathAccess::Read)])
            }
            _ => Self::new(tool, Effects::WRITES, vec![Subject::path(path, PathAccess::Write)]),
        }
    }

    /// A call of the shell with these parts, each needing a rule whose pattern matches.
    pub(crate) fn shell(parts: &[&str]) -> Self {
        Self::new("Bash", Effects::DESTROYS, parts.iter().map(|part| command(part, Reach::Pattern)).collect())
    }

    /// A call of the shell with this text, as its analysis gives it.
    pub(crate) fn text(text: &str) -> Self {
        let mut place = Place::new(Path::new(PROJECT), Some(Path::new("/r/home")));
        place.repository = Some(PROJECT.into());
        let analysis = analyse(text, &place);
        let verdict = analysis.critical.map_or(Verdict::Defer, Verdict::AskPerson);
        Self { verdict, ..Self::new("Bash", analysis.effects, analysis.subjects) }
    }

    /// A call of a server's tool.
    pub(crate) fn remote(server: &str, tool: &str) -> Self {
        let mut call = Self::new(&format!("mcp__{server}__{tool}"), Effects::DESTROYS, vec![Subject::Whole]);
        call.origin = Origin::Remote { server: server.into(), tool: tool.into() };
        call
    }

    pub(crate) fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    pub(crate) fn and(mut self, subject: Subject) -> Self {
        self.subjects.push(resolved(subject));
        self
    }

    pub(crate) fn identity(&self) -> ToolIdentity<'_> {
        ToolIdentity { name: &self.tool, aliases: &self.aliases, origin: &self.origin }
    }

    pub(crate) fn decide(&self, rules: &RuleSet) -> Decision {
        decide(
            rules,
            &Request {
                tool: self.identity(),
                input: &self.input,
                effects: self.effects,
                subjects: &self.subjects,
                verdict: &self.verdict,
                hook: &self.hook,
                mode: self.mode,
                roots: &self.roots,
                trusted: self.trusted,
            },
        )
    }
}

/// One simple command that is its own text.
pub(crate) fn command(text: &str, reach: Reach) -> Subject {
    Subject::Command(CommandPart {
        shown: text.into(),
        program: text.split(' ').next().unwrap_or_default().into(),
        for_allow: text.into(),
        for_deny: vec![text.into()],
        reach,
        runs_code: false,
    })
}

/// A path that belongs to command `index`.
pub(crate) fn operand(path: &str, access: PathAccess, index: usize) -> Subject {
    Subject::Path { path: Path::new(PROJECT).join(path), access, cover: Cover::With(index) }
}

/// Rules as `allow Bash(ls)`, `deny Read(.env)`, one a line, of a trusted project.
pub(crate) fn rules(lines: &str) -> RuleSet {
    let source = Arc::new(Source::new(Scope::Project, PROJECT));
    let mut rules = RuleSet::default();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (kind, text) = line.split_once(' ').unwrap_or((line, ""));
        let kind = match kind {
            "allow" => RuleKind::Allow,
            "ask" => RuleKind::Ask,
            "deny" => RuleKind::Deny,
            other => panic!("{other} is no list"),
        };
        rules.add(kind, text, &source, None);
    }
    rules
}

/// The subject as a host gives it: with the path's links resolved.
pub(crate) fn resolved(subject: Subject) -> ResolvedSubject {
    let resolved = match &subject {
        Subject::Path { path, .. } => Some(real(path)).filter(|real| real != path),
        _ => None,
    };
    ResolvedSubject { subject, resolved, below: None }
}

fn real(path: &Path) -> PathBuf {
    let mut real = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::ParentDir => {
                real.pop();
            }
            other => real.push(other),
        }
        if let Some((_, target)) = LINKS.iter().find(|(link, _)| real == Path::new(link)) {
            real = PathBuf::from(target);
        }
    }
    real
}
