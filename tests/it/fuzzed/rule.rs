//! Whatever a permission rule says: it is read without a panic, never loosens as a deny or ask rule, and denies what it would
//! allow.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{Effects, Origin, PathAccess, Subject, Verdict};
use toolwright_permissions::{
    HookVerdict, Mode, Request, ResolvedSubject, Roots, RuleKind, RuleSet, Ruling, Scope, Source,
    ToolIdentity, decide,
};
use toolwright_shell::{Place, analyse};

/// The first line is the rule; the rest is a command and a path below the working directory.
pub(super) fn check(data: &[u8]) {
    let Ok(data) = std::str::from_utf8(data) else { return };
    let (rule, touched) = data.split_once('\n').unwrap_or((data, "src/main.rs"));
    let place = Place::new(Path::new("/work/project"), Some(Path::new("/home/ann")));
    let shell = analyse(touched, &place);
    let path = Path::new("/work/project").join(touched.lines().next().unwrap_or("a").trim_start_matches('/'));
    let file = |access| vec![Subject::path(path.clone(), access)];
    judge(rule, "Bash", shell.effects, shell.subjects);
    judge(rule, "Read", Effects::READ_ONLY, file(PathAccess::Read));
    judge(rule, "Edit", Effects::WRITES, file(PathAccess::Write));
    judge(rule, "WebFetch", Effects::READ_ONLY, vec![Subject::Domain(touched.to_owned())]);
}

fn judge(rule: &str, tool: &str, effects: Effects, subjects: Vec<Subject>) {
    let subjects: Vec<_> = subjects.into_iter().map(ResolvedSubject::from).collect();
    let ruling = |kinds: &[RuleKind]| {
        let source = Arc::new(Source::new(Scope::User, "/work/project"));
        let mut rules = RuleSet::default();
        for kind in kinds {
            rules.add(*kind, rule, &source, None);
        }
        let request = Request {
            tool: ToolIdentity {
                name: tool,
                aliases: &[],
                origin: &Origin::BuiltIn { package: "toolwright-tool-x".into() },
            },
            input: &Value::Null,
            effects,
            subjects: &subjects,
            verdict: &Verdict::Defer,
            hook: &HookVerdict::None,
            mode: Mode::Default,
            roots: &Roots::at("/work/project", Some("/home/ann".into())),
            trusted: true,
        };
        decide(&rules, &request).outcome
    };
    let without = ruling(&[]);
    let allowed = ruling(&[RuleKind::Allow]);
    assert!(allowed <= without, "an allow rule is no stricter: {rule:?} for {tool} {subjects:?}");
    for kind in [RuleKind::Ask, RuleKind::Deny] {
        assert!(ruling(&[kind]) >= without, "{kind} is no milder: {rule:?} for {tool} {subjects:?}");
        assert!(
            ruling(&[RuleKind::Allow, kind]) >= allowed,
            "{kind} is no milder: {rule:?} for {tool} {subjects:?}"
        );
    }
    // What a rule would allow it denies.
    if allowed < without {
        assert_eq!(ruling(&[RuleKind::Deny]), Ruling::Deny, "{rule:?} for {tool} {subjects:?}");
    }
}
