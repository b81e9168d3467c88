//! What the index finds is what trying every rule finds.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::{Just, Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};
use serde_json::json;
use toolwright_core::{CommandPart, Cover, Effects, Origin, PathAccess, Reach, Subject, Verdict};

use crate::decide::asked::Asked;
use crate::pattern::{Extent, normal_names};
use crate::subject::PreparedSubject;
use crate::{
    Folder, HiddenPaths, HookVerdict, Mode, Request, ResolvedSubject, Roots, Rule, RuleKind, RuleSet, Scope,
    Source, ToolIdentity,
};

fn path_pattern() -> impl Strategy<Value = String> {
    let anchor = prop::sample::select(vec!["", "./", "/", "~/", "//", "//r/p/", "../", "../../"]);
    let segment = prop::sample::select(vec![
        "a", "b", "A", "ab", "*", "**", "*.k", "a*", "?", "[ab]", "[!a]", ".e", ".E*", "Σ", "[ς]b", "a*b*",
        "x.k",
    ]);
    let segments = prop::collection::vec(segment, 0..4);
    (anchor, segments, any::<bool>()).prop_map(|(anchor, segments, folder)| {
        format!("{anchor}{}{}", segments.join("/"), if folder { "/" } else { "" })
    })
}

fn rule() -> impl Strategy<Value = String> {
    let command = prop::collection::vec(
        prop::sample::select(vec!["a", "b", "ab", "*", " ", "  ", " *", "a*b", ":*", "|", "\\*", "&& b"]),
        1..5,
    );
    let host = prop::sample::select(vec!["a.b", "*.a.b", "*", "a.*", "x*.b", "A.B.", "*.b"]);
    let tool = prop::sample::select(vec![
        "Bash",
        "Read",
        "Edit",
        "*",
        "B*",
        "Alias",
        "mcp__s",
        "mcp__s__*",
        "mcp__s_t__a*",
        "mcp__s.t",
        "mcp__s__b",
        "Bash(",
        "Read(!a)",
        "Bash(run:*)",
        "Agent(run:tr*)",
        "Agent(x)",
        "Bash(x)",
        "Alias(x)",
    ]);
    prop_oneof![
        path_pattern().prop_map(|path| format!("Read({path})")),
        path_pattern().prop_map(|path| format!("Edit({path})")),
        command.prop_map(|words| format!("Bash({})", words.concat())),
        host.prop_map(|host| format!("WebFetch(domain:{host})")),
        tool.prop_map(str::to_owned),
    ]
}

fn path() -> impl Strategy<Value = PathBuf> {
    let start = prop::sample::select(vec!["/", "/r", "/r/p", "/r/p/a", "/r/q", "/R/P", "/h", "/s", "/r/*"]);
    let name = prop::sample::select(vec![
        "a", "b", "A", "ab", "x.k", ".e", ".E1", "ς", "Σ", "σb", "*", "**", ".*", "a?", "[ab]", "axbx", "r",
        "p",
    ]);
    (start, prop::collection::vec(name, 0..4))
        .prop_map(|(start, names)| names.iter().fold(PathBuf::from(start), |path, name| path.join(name)))
}

fn subject() -> impl Strategy<Value = ResolvedSubject> {
    let text = || {
        let word = prop::sample::select(vec!["a", "b", "ab", " ", "  ", "*", "|", ":", "&& b"]);
        prop::collection::vec(word, 1..5).prop_map(|words| words.concat())
    };
    let access = prop::sample::select(vec![
        PathAccess::Read,
        PathAccess::ReadBelow,
        PathAccess::MayWrite,
        PathAccess::Write,
        PathAccess::WriteBelow,
        PathAccess::Remove,
    ]);
    let cover = prop::sample::select(vec![Cover::Own, Cover::With(0), Cover::Unneeded, Cover::IfPresent]);
    let below = prop::option::weighted(0.3, prop::collection::vec(path(), 0..3));
    let command = (text(), prop::collection::vec(text(), 0..3)).prop_map(|(text, for_deny)| {
        let (shown, program) = (text.clone(), text.clone());
        Subject::Command(CommandPart {
            shown,
            program,
            for_allow: text,
            for_deny,
            reach: Reach::Pattern,
            runs_code: false,
        })
    });
    let path = (path(), prop::option::of(path()), access, cover, below);
    prop_oneof![
        command.prop_map(ResolvedSubject::from),
        text().prop_map(|text| Subject::Text(text).into()),
        path.prop_map(|(path, resolved, access, cover, below)| ResolvedSubject {
            subject: Subject::Path { path, access, cover },
            resolved,
            below,
        }),
        prop::sample::select(vec!["a.b", "x.a.b", "A.b.", "a.c", "xy.b"])
            .prop_map(|host| Subject::Domain(host.into()).into()),
        prop::sample::select(vec!["x", "y"]).prop_map(|name| Subject::Name(name.into()).into()),
        Just(Subject::Whole.into()),
    ]
}

fn roots() -> Roots {
    let linked =
        |spelled: &str, resolved: &str| Folder { spelled: spelled.into(), resolved: resolved.into() };
    Roots {
        cwd: Folder::from("/r/p/a"),
        additional: vec![linked("/r/q", "/s"), Folder::from("/r/p")],
        ..Roots::at("/r/p", Some(Folder::from("/h")))
    }
}

fn tried(rules: &[Rule], speaks: impl Fn(&Rule) -> bool) -> Option<String> {
    rules.iter().find(|rule| speaks(rule)).map(|rule| rule.text().to_owned())
}

proptest! {
    #[test]
    fn the_index_finds_what_trying_every_rule_finds(
        rules in prop::collection::vec(rule(), 0..12), subject in subject(), remote in any::<bool>(),
        beside_commands in any::<bool>(),
    ) {
        let source = Arc::new(Source::new(Scope::User, "/r/p/b"));
        let mut set = RuleSet::default();
        for kind in [RuleKind::Allow, RuleKind::Deny] {
            set.add_all(kind, rules.iter().map(String::as_str), &source);
        }
        let origin = if remote {
            Origin::Remote { server: "s.t".into(), tool: "a".into() }
        } else {
            Origin::BuiltIn { package: "tests".into() }
        };
        let name = if remote { "mcp__s_t__a" } else { "Bash" };
        let roots = roots();
        let aliases = ["Alias".to_owned(), "Agent".to_owned()];
        let request = Request {
            tool: ToolIdentity { name, aliases: &aliases, origin: &origin },
            input: &json!({"run": true, "command": "x"}),
            effects: Effects::DESTROYS,
            subjects: &[],
            verdict: &Verdict::Defer,
            hook: &HookVerdict::None,
            mode: Mode::Default,
            roots: &roots,
            trusted: true,
        };
        let prepared = PreparedSubject::new(&subject, beside_commands);
        let text = |found: Option<(u32, &Rule)>| found.map(|(_, rule)| rule.text().to_owned());
        let (deny, allow) = (set.rules(RuleKind::Deny), set.rules(RuleKind::Allow));
        let asked = Asked::new(&set, RuleKind::Deny, &request);
        let expect = tried(deny, |rule| rule.matches(&prepared, &request));
        prop_assert_eq!(text(asked.on(&prepared)), expect);
        let expect = tried(deny, |rule| rule.may_match(&prepared, &request));
        prop_assert_eq!(text(asked.perhaps_on(&prepared)), expect);
        let expect = tried(deny, |rule| rule.matches_call(&request));
        prop_assert_eq!(text(asked.on_call()), expect);
        let expect = tried(deny, |rule| rule.takes_whole_tool(request.tool));
        prop_assert_eq!(set.denies_tool(request.tool).map(|rule| rule.text), expect);
        let asked = Asked::new(&set, RuleKind::Allow, &request);
        let expect = tried(allow, |rule| rule.covers(&prepared, &request));
        prop_assert_eq!(asked.covering(&prepared).map(|rule| rule.text().to_owned()), expect);
        if let Subject::Text(whole) = &subject.subject {
            let expect = tried(allow, |rule| rule.is_whole_text(whole, &request));
            prop_assert_eq!(asked.for_text(whole).map(|rule| rule.text().to_owned()), expect);
        }
        if let Subject::Path { path, .. } = &subject.subject {
            let names = normal_names(path);
            let expect = tried(deny, |rule| rule.hides(&names, Extent::Itself, &roots));
            prop_assert_eq!(HiddenPaths::new(&set, roots.clone()).rule(path).map(str::to_owned), expect);
        }
    }

    #[test]
    fn what_is_hidden_is_below_each_folder_above_it(pattern in path_pattern(), path in path()) {
        let source = Arc::new(Source::new(Scope::User, "/r/p/b"));
        let mut set = RuleSet::default();
        set.add(RuleKind::Deny, &format!("Read({pattern})"), &source, None);
        let hidden = HiddenPaths::new(&set, roots());
        let rule = hidden.rule(&path);
        for folder in path.ancestors().filter(|_| rule.is_some()) {
            prop_assert_eq!(hidden.rule_below(folder), rule, "{}", folder.display());
        }
        // And a folder that holds nothing of the kind is not said to: nothing is anchored beside the roots.
        if pattern.starts_with(['a', 'b']) {
            prop_assert_eq!(hidden.rule_below(Path::new("/elsewhere")), None);
        }
    }
}
