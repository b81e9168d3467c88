//! What holds for any rules and any call.

use proptest::prelude::{Just, Strategy, any, prop, prop_assert, prop_oneof, proptest};
use toolwright_core::{Effects, PathAccess, Reach, Subject, Verdict};
use toolwright_permissions::{HookVerdict, Mode, Ruling};

use crate::support::{Call, command, operand, rules};

fn rule() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "Bash",
        "Bash(*)",
        "Bash(ls *)",
        "Bash(git *)",
        "Bash(rm -rf x)",
        "Bash(touch:*)",
        "Bash(git log && ls)",
        "Bash(git * && *)",
        "Read",
        "Read(**)",
        "Read(src/*)",
        "Read(.env)",
        "Edit(**)",
        "Edit(src/**)",
        "Edit(//r/**)",
        "Edit",
        "WebFetch",
        "WebFetch(domain:*.example.com)",
        "mcp__a",
        "mcp__a__*",
        "mcp__a__b",
        "*",
        "Bash(",
        "Read(!x)",
        "Agent(x)",
        "Write(a)",
    ])
    .prop_map(str::to_owned)
}

fn subject() -> impl Strategy<Value = Subject> {
    let text = prop::sample::select(vec!["ls", "ls -la", "git log", "rm -rf x", "touch a"]);
    let reach = prop::sample::select(vec![Reach::ReadOnly, Reach::Pattern, Reach::ExactText]);
    let path =
        prop::sample::select(vec!["src/a", ".env", "/r/out/x", ".git/config", "/r", "outlink/a", "src/b/c"]);
    let access = prop::sample::select(vec![
        PathAccess::Read,
        PathAccess::ReadBelow,
        PathAccess::Write,
        PathAccess::Remove,
    ]);
    prop_oneof![
        (text, reach).prop_map(|(text, reach)| command(text, reach)),
        (path.clone(), access.clone(), 0..3usize)
            .prop_map(|(path, access, index)| operand(path, access, index)),
        (path, access).prop_map(|(path, access)| {
            Subject::path(std::path::Path::new(crate::support::PROJECT).join(path), access)
        }),
        prop::sample::select(vec!["example.com", "a.example.com"])
            .prop_map(|host| Subject::Domain(host.into())),
        Just(Subject::Name("x".into())),
        Just(Subject::Whole),
        prop::sample::select(vec!["ls", "git log && ls", "rm -rf x"])
            .prop_map(|text| Subject::Text(text.into())),
        Just(Subject::Unreadable("why".into())),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let tool = prop::sample::select(vec!["Bash", "Read", "Edit", "WebFetch", "Agent", "mcp"]);
    let effects = prop::sample::select(vec![
        Effects::READ_ONLY,
        Effects::DELEGATES,
        Effects::WRITES,
        Effects::DESTROYS,
    ]);
    let verdict = prop::sample::select(vec![
        Verdict::Defer,
        Verdict::Allow,
        Verdict::NotReadOnly("x".into()),
        Verdict::Ask("x".into()),
        Verdict::AskPerson("x".into()),
    ]);
    let hook =
        prop::sample::select(vec![HookVerdict::None, HookVerdict::Allow, HookVerdict::Ask("x".into())]);
    let mode = prop::sample::select(Mode::ALL.to_vec());
    let subjects = prop::collection::vec(subject(), 0..4);
    (tool, effects, subjects, verdict, hook, mode, any::<bool>()).prop_map(
        |(tool, effects, subjects, verdict, hook, mode, trusted)| {
            let mut call =
                if tool == "mcp" { Call::remote("a", "b") } else { Call::new(tool, effects, Vec::new()) };
            call.effects = effects;
            let call = subjects.into_iter().fold(call, Call::and);
            Call { verdict, hook, mode, trusted, ..call }
        },
    )
}

fn lists() -> impl Strategy<Value = Vec<String>> {
    let kind = prop::sample::select(vec!["allow", "ask", "deny"]);
    prop::collection::vec((kind, rule()).prop_map(|(kind, rule)| format!("{kind} {rule}")), 0..5)
}

proptest! {
    #[test]
    fn more_deny_and_ask_and_less_allow_is_never_milder(
        call in call(), lines in lists(), added in rule(), at in any::<prop::sample::Index>(),
    ) {
        let before = call.decide(&rules(&lines.join("\n"))).outcome;
        for kind in ["ask", "deny"] {
            let mut more = lines.clone();
            more.insert(at.index(lines.len() + 1), format!("{kind} {added}"));
            let after = call.decide(&rules(&more.join("\n"))).outcome;
            prop_assert!(after >= before, "{kind} {added} turned {before:?} into {after:?}");
        }
        let fewer: Vec<String> = lines.iter().filter(|line| !line.starts_with("allow")).cloned().collect();
        prop_assert!(call.decide(&rules(&fewer.join("\n"))).outcome >= before);
    }

    #[test]
    fn a_compound_is_as_strict_as_its_strictest_part(
        parts in prop::collection::vec(subject(), 1..4), lines in lists(), backwards in any::<bool>(),
    ) {
        // Operands speak of their own command, which stands elsewhere when a part is alone.
        let parts: Vec<Subject> =
            parts.into_iter().filter(|part| matches!(part, Subject::Command(_))).collect();
        let rules = rules(&lines.join("\n"));
        let decide = |parts: Vec<Subject>| Call::new("Bash", Effects::DESTROYS, parts).decide(&rules).outcome;
        let strictest = parts.iter().map(|part| decide(vec![part.clone()])).max();
        let mut all = parts.clone();
        if backwards {
            all.reverse();
        }
        // Parts that need no rule leave the question what the call changes to those that do.
        let natural = parts.iter().any(|part| matches!(part, Subject::Command(one) if one.reach == Reach::ReadOnly));
        if let (Some(strictest), false) = (strictest, natural) {
            prop_assert!(decide(all) == strictest);
        }
    }

    #[test]
    fn look_alikes_never_match(tail in "[a-z0-9_.-]{1,8}") {
        let allowed = |rule: &str, call: &Call| call.decide(&rules(&format!("allow {rule}"))).outcome == Ruling::Allow;
        let denied = |rule: &str, call: &Call| call.decide(&rules(&format!("deny {rule}"))).outcome == Ruling::Deny;
        let none = |rule: &str, call: &Call| !allowed(rule, call) && !denied(rule, call);
        let sibling = Call::file("Edit", &format!("/r/side{tail}/x"));
        prop_assert!(none("Edit(//r/side/**)", &sibling));
        let program = Call::shell(&[&format!("git{tail} x")]);
        prop_assert!(none("Bash(git *)", &program));
        let label = tail.replace('.', "x");
        for host in [format!("{label}example.com"), format!("example.com.{label}")] {
            let call = Call::new("WebFetch", Effects::READ_ONLY, vec![Subject::Domain(host)]);
            prop_assert!(none("WebFetch(domain:example.com)", &call));
        }
        let name = tail.replace(['.', '-'], "_");
        let server = Call::remote(&format!("a{name}"), "b");
        prop_assert!(none("mcp__a", &server));
        prop_assert!(!allowed("mcp__a__*", &server));
        let outside = Call::file("Read", &format!("/r/proj{tail}/x"));
        prop_assert!(outside.decide(&rules("")).outcome == Ruling::Ask);
    }

    #[test]
    fn suggestions_allow(call in call(), lines in lists()) {
        let decision = call.decide(&rules(&lines.join("\n")));
        let with = |added: &[String]| {
            let added: Vec<String> = added.iter().map(|rule| format!("allow {rule}")).collect();
            let call = Call { trusted: true, ..call.clone() };
            call.decide(&rules(&[lines.clone(), added].concat().join("\n"))).outcome
        };
        if decision.outcome == Ruling::Ask {
            for rule in &decision.suggestions {
                prop_assert!(with(std::slice::from_ref(rule)) == Ruling::Allow, "{rule}");
            }
            prop_assert!(decision.together.is_empty() || with(&decision.together) == Ruling::Allow);
        }
    }

    #[test]
    fn any_text_is_read_without_panic(text in any::<String>(), path in "[/.~a-z*?\\[\\]!\\\\ -]{0,20}") {
        for kind in ["allow", "ask", "deny"] {
            let text = text.replace(['\n', '\r'], " ");
            for rule in [text, format!("Read({path})"), format!("Bash({path})"), format!("WebFetch(domain:{path})")] {
                let set = rules(&format!("{kind} {rule}"));
                let _ = Call::file("Edit", "a/b").decide(&set);
                let _ = Call::shell(&["a b"]).decide(&set);
            }
        }
    }
}
