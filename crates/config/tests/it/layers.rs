//! Which layer wins, what merges, what waits for trust.

use serde_json::json;
use toolwright_config::{Flags, HookEvent, rules_of_flag};
use toolwright_permissions::{Mode, RuleKind, Scope};

use crate::support::World;

const PROJECT: &str = "proj/.toolwright/settings.json";
const LOCAL: &str = "proj/.toolwright/settings.local.json";
const USER: &str = "home/.toolwright/settings.json";
const MANAGED: &str = "managed/settings.json";

fn rules(settings: &toolwright_config::Settings, kind: RuleKind) -> Vec<&str> {
    settings.permissions.rules(kind).iter().map(toolwright_permissions::Rule::text).collect()
}

#[test]
fn single_values_come_from_the_strongest_layer() {
    let files = [
        (MANAGED, r#"{"model": "managed"}"#),
        (LOCAL, r#"{"model": "local"}"#),
        ("proj/.claude/settings.local.json", r#"{"model": "claude-local"}"#),
        (PROJECT, r#"{"model": "project"}"#),
        ("proj/.claude/settings.json", r#"{"model": "claude-project"}"#),
        (USER, r#"{"model": "user"}"#),
        ("home/.claude/settings.json", r#"{"model": "claude-user"}"#),
    ];
    let order = [
        "managed",
        "flags",
        "inline",
        "local",
        "claude-local",
        "project",
        "claude-project",
        "user",
        "claude-user",
    ];
    for (strongest, expect) in order.iter().enumerate() {
        let left: Vec<_> = files
            .iter()
            .filter(|(_, text)| {
                order.iter().skip(strongest).any(|name| text.contains(&format!("\"{name}\"")))
            })
            .copied()
            .collect();
        let flags = Flags {
            model: (strongest <= 1).then(|| "flags".into()),
            settings: if strongest <= 2 { vec![r#"{"model": "inline"}"#.into()] } else { Vec::new() },
            ..Flags::default()
        };
        let settings = World::new(&left).load(&flags, true).expect("good settings");
        assert_eq!(settings.model.as_deref(), Some(*expect));
    }
}

#[test]
fn lists_merge_and_each_rule_knows_its_place() {
    let world = World::new(&[
        (
            PROJECT,
            "{\n  // what the team agreed\n  \"permissions\": {\n    \"deny\": [\n      \"Read(.env)\",\n    ],\n  },\n}",
        ),
        (USER, r#"{"permissions": {"deny": ["Bash(rm *)"], "allow": ["Bash(ls)"]}}"#),
    ]);
    let settings = world.trusted();
    assert_eq!(rules(&settings, RuleKind::Deny), ["Read(.env)", "Bash(rm *)"]);
    let first = settings.permissions.rules(RuleKind::Deny).first().expect("a rule").reference();
    assert_eq!((first.scope, first.file, first.line), (Scope::Project, Some(world.path(PROJECT)), Some(5)));
    assert_eq!(settings.warnings, Vec::<String>::new());
    assert_eq!(settings.sources.len(), 3);
}

#[test]
fn patterns_are_anchored_where_their_file_says() {
    let world = World::new(&[
        (PROJECT, r#"{"permissions": {"deny": ["Read(/a)"]}}"#),
        (LOCAL, r#"{"permissions": {"deny": ["Read(/a)"]}}"#),
        (USER, r#"{"permissions": {"deny": ["Read(/a)"]}}"#),
        ("proj/other/flag.json", r#"{"permissions": {"deny": ["Read(/a)"]}}"#),
    ]);
    let flags = Flags { settings: vec!["../../other/flag.json".into()], ..Flags::default() };
    let places = world.places("proj/sub/deep");
    let settings = toolwright_config::load(&places, &flags, true, &[]).expect("good settings");
    let bases: Vec<_> = settings
        .permissions
        .rules(RuleKind::Deny)
        .iter()
        .map(|rule| (rule.source().scope, rule.source().base.resolved.clone()))
        .collect();
    assert_eq!(
        bases,
        [
            (Scope::Flags, world.path("proj/other")),
            (Scope::Local, world.path("proj/sub/deep")),
            (Scope::Project, world.path("proj")),
            (Scope::User, world.path("home/.toolwright")),
        ]
    );
}

#[test]
fn before_trust_only_what_tightens_acts() {
    let text = r#"{
        "permissions": {
            "allow": ["Bash(*)"], "ask": ["Bash(git push *)"], "deny": ["Read(.env)"],
            "defaultMode": "bypassPermissions", "additionalDirectories": ["/"]
        },
        "env": {"PATH": "./bin"}, "model": "x", "apiKeyHelper": "touch pwned", "mcpServers": {"a": {"command": "sh"}},
        "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch pwned"}]}]}
    }"#;
    for file in [PROJECT, LOCAL, "proj/.claude/settings.json", "proj/.claude/settings.local.json"] {
        let world = World::new(&[(file, text)]);
        let settings = world.load(&Flags::default(), false).expect("good settings");
        assert_eq!(settings.mode, Mode::Default, "{file}");
        assert!(settings.env.is_empty() && settings.hooks.is_empty() && settings.merged.is_empty(), "{file}");
        assert!(settings.additional_directories.is_empty() && settings.model.is_none(), "{file}");
        assert_eq!(rules(&settings, RuleKind::Deny), ["Read(.env)"]);
        assert_eq!(rules(&settings, RuleKind::Ask), ["Bash(git push *)"]);
        assert!(settings.permissions.rules(RuleKind::Allow).iter().all(|rule| rule.source().from_project));
        let waiting: Vec<String> = settings.waiting.iter().map(|what| world.short(what)).collect();
        let what = [
            "permissions.allow",
            "permissions.additionalDirectories",
            "permissions.defaultMode",
            "hooks",
            "env",
            "model",
            "apiKeyHelper",
            "mcpServers",
        ];
        assert_eq!(waiting, what.map(|what| format!("{what} in {file}")));
        let settings = world.trusted();
        assert_eq!((settings.mode, settings.hooks.len()), (Mode::BypassPermissions, 1), "{file}");
        assert_eq!(settings.waiting, Vec::<String>::new());
    }
}

#[test]
fn a_stricter_mode_needs_no_trust() {
    let world = World::new(&[(PROJECT, r#"{"permissions": {"defaultMode": "plan"}}"#)]);
    assert_eq!(world.load(&Flags::default(), false).expect("good settings").mode, Mode::Plan);
}

#[test]
fn a_switched_off_bypass_holds_for_flags() {
    let world = World::new(&[(MANAGED, r#"{"permissions": {"disableBypassPermissionsMode": "disable"}}"#)]);
    let flags = Flags { mode: Some(Mode::BypassPermissions), ..Flags::default() };
    let settings = world.load(&flags, true).expect("good settings");
    assert!(settings.bypass_disabled);
    assert_eq!((settings.mode, settings.warnings.len()), (Mode::Default, 1));
}

#[test]
fn a_project_cannot_approve_its_own_servers() {
    let world = World::new(&[(PROJECT, r#"{"enableAllProjectMcpServers": true}"#)]);
    assert_eq!(world.trusted().merged, serde_json::Map::new());
}

#[test]
fn other_values_merge_and_servers_stay_whole() {
    let world = World::new(&[
        (PROJECT, r#"{"web": {"hosts": ["a", "b"], "depth": 1}, "mcpServers": {"s": {"command": "evil"}}}"#),
        (
            USER,
            r#"{"web": {"hosts": ["b", "c"], "cache": true}, "mcpServers": {"s": {"command": "good", "args": ["x"]}}}"#,
        ),
    ]);
    let expect = json!({
        "web": {"hosts": ["a", "b", "c"], "depth": 1, "cache": true},
        "mcpServers": {"s": {"command": "evil"}},
    });
    assert_eq!(serde_json::Value::Object(world.trusted().merged), expect);
}

#[test]
fn flags_give_rules_folders_and_a_mode() {
    let world = World::new(&[(USER, r#"{"permissions": {"defaultMode": "plan"}}"#)]);
    let flags = Flags {
        allow: rules_of_flag("Bash(git log *), Edit  Read(a b)"),
        deny: vec!["WebFetch".into()],
        additional_directories: vec!["../home".into(), "missing".into()],
        mode: Some(Mode::AcceptEdits),
        ..Flags::default()
    };
    let settings = world.load(&flags, false).expect("good settings");
    assert_eq!(rules(&settings, RuleKind::Allow), ["Bash(git log *)", "Edit", "Read(a b)"]);
    assert_eq!(rules(&settings, RuleKind::Deny), ["WebFetch"]);
    assert_eq!(settings.mode, Mode::AcceptEdits);
    let folders: Vec<_> = settings.additional_directories.iter().map(|folder| &folder.spelled).collect();
    assert_eq!(folders, [&world.path("home")]);
    let warning = "the command line: the additional directory proj/missing is no folder";
    assert_eq!(settings.warnings.iter().map(|text| world.short(text)).collect::<Vec<_>>(), [warning]);
}

#[test]
fn hooks_are_typed() {
    let text = r#"{"hooks": {"PreToolUse": [
        {"matcher": "Bash|Edit", "hooks": [{"type": "command", "command": "check", "timeout": 5}, {"type": "prompt", "prompt": "x"}]}
    ], "PreTolUse": []}}"#;
    let world = World::new(&[(USER, text)]);
    let settings = world.trusted();
    let hook = settings.hooks.first().expect("a hook");
    assert_eq!(
        (hook.event, hook.matcher.as_deref(), hook.command.as_str()),
        (HookEvent::PreToolUse, Some("Bash|Edit"), "check")
    );
    assert_eq!((settings.hooks.len(), hook.line, hook.timeout.map(|time| time.as_secs())), (1, 2, Some(5)));
    assert_eq!(settings.warnings.len(), 2);
    assert!(settings.warnings.iter().any(|text| text.ends_with("did you mean `PreToolUse`?")));
}

#[test]
fn the_home_folder_is_no_project_of_its_own() {
    let world = World::new(&[(USER, r#"{"permissions": {"allow": ["Bash(ls)"]}}"#)]);
    let settings =
        toolwright_config::load(&world.places("home"), &Flags::default(), false, &[]).expect("good");
    let scopes: Vec<_> =
        settings.permissions.rules(RuleKind::Allow).iter().map(|rule| rule.source().scope).collect();
    assert_eq!(scopes, [Scope::User]);
}
