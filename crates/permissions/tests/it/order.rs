//! Which step speaks first.

use toolwright_core::{Cover, Effects, PathAccess, Reach, Subject, Verdict};
use toolwright_permissions::{Folder, HookVerdict, Mode, RuleSet, Ruling, Step};

use crate::support::{Call, command, operand, rules};

fn check(call: &Call, lines: &str, expect: (Ruling, Step)) {
    let decision = call.decide(&rules(lines));
    let subjects = &call.subjects;
    assert_eq!((decision.outcome, decision.step), expect, "{lines}\n{subjects:?}\n{decision:?}");
}

#[test]
fn deny_beats_everything() {
    let call = Call { hook: HookVerdict::Allow, ..Call::shell(&["rm x"]) }.mode(Mode::BypassPermissions);
    check(&call, "allow Bash(rm x)\nask Bash\ndeny Bash(rm *)", (Ruling::Deny, Step::DenyRule));
}

#[test]
fn a_blocking_hook_is_named_before_rules() {
    let call = Call { hook: HookVerdict::Deny("no".into()), ..Call::shell(&["ls"]) };
    check(&call, "deny Bash", (Ruling::Deny, Step::BlockingHook));
}

#[test]
fn unreadable_input_asks_after_deny_rules() {
    let call = Call::shell(&["ls"]).and(Subject::Unreadable("an open quote".into()));
    let bypass = call.clone().mode(Mode::BypassPermissions);
    // Whoever asks for nothing is asked where what cannot be read may be what a rule is about.
    for lines in
        ["", "allow Bash(ls)", "deny mcp__x", "ask WebFetch(domain:a.b)", "deny Bash(rm *", "deny Write(x)"]
    {
        let expect = match lines {
            "deny Bash(rm *" => (Ruling::Deny, Step::DenyRule),
            _ => (Ruling::Allow, Step::Mode),
        };
        check(&bypass, lines, expect);
    }
    for lines in ["deny Bash(rm *)", "ask Bash(rm *)", "deny Read(.env)", "ask Edit(.env)", "deny Edit(!x)"] {
        check(&bypass, lines, (Ruling::Ask, Step::Unreadable));
    }
    check(&call.clone().mode(Mode::DontAsk), "allow Bash", (Ruling::Deny, Step::Unreadable));
    check(&call, "deny Bash(ls)", (Ruling::Deny, Step::DenyRule));
    check(&Call::file("Read", "a\u{0}b"), "allow Read", (Ruling::Ask, Step::Unreadable));
    check(&Call::shell(&["printf \u{1b}[2J"]), "allow Bash", (Ruling::Ask, Step::Unreadable));
    check(&Call::shell(&[&"x".repeat(24_001)]), "allow Bash", (Ruling::Ask, Step::Unreadable));
}

#[test]
fn ask_rules_hold_in_every_mode() {
    let call = Call { hook: HookVerdict::Allow, ..Call::shell(&["git push"]) };
    let lines = "allow Bash(git *)\nask Bash(git push *)";
    check(&call, lines, (Ruling::Ask, Step::AskRule));
    check(&call.clone().mode(Mode::BypassPermissions), lines, (Ruling::Ask, Step::AskRule));
    check(&call.mode(Mode::DontAsk), lines, (Ruling::Deny, Step::AskRule));
}

#[test]
fn critical_removals_ask_even_under_bypass() {
    for path in ["/", "/*", "/usr", "/r/home", "/r/home/*", "/r", "/r/proj", ".", "./*", "src/../.."] {
        let call = Call::shell(&["rm -rf x"]).and(operand(path, PathAccess::Remove, 0));
        let decision = call.mode(Mode::BypassPermissions).decide(&rules("allow Bash"));
        assert_eq!((decision.outcome, decision.step), (Ruling::Ask, Step::NeedsPerson), "{path}");
    }
    let call = Call::shell(&["rm -rf src"]).and(operand("src", PathAccess::Remove, 0));
    check(&call.mode(Mode::BypassPermissions), "", (Ruling::Allow, Step::Mode));
}

#[test]
fn tool_verdicts_stand_at_their_steps() {
    let with = |verdict| Call { verdict, ..Call::shell(&["x"]) };
    check(&with(Verdict::Deny("no".into())), "allow Bash", (Ruling::Deny, Step::DenyRule));
    let person = with(Verdict::AskPerson("see".into())).mode(Mode::BypassPermissions);
    check(&person, "allow Bash", (Ruling::Ask, Step::NeedsPerson));
    check(&with(Verdict::Ask("see".into())), "allow Bash", (Ruling::Ask, Step::ProtectedPlace));
    check(&with(Verdict::Allow), "", (Ruling::Ask, Step::Nothing));
    let read =
        Call { verdict: Verdict::Allow, ..Call::new("List", Effects::READ_ONLY, vec![Subject::Whole]) };
    check(&read, "", (Ruling::Allow, Step::ReadOnly));
    check(&Call { verdict: Verdict::Defer, ..read }, "", (Ruling::Ask, Step::Nothing));
}

#[test]
fn what_may_do_more_than_read_needs_rules() {
    let call = Call::new("Bash", Effects::READ_ONLY, vec![command("git status", Reach::ReadOnly)]);
    check(&call, "", (Ruling::Allow, Step::ReadOnly));
    // The tool may say of a call that it changes something as soon as it knows.
    for effects in [Effects::READ_ONLY, Effects::DESTROYS] {
        let call = Call { verdict: Verdict::NotReadOnly("git starts x".into()), effects, ..call.clone() };
        check(&call, "", (Ruling::Ask, Step::Nothing));
        for rules in ["allow Bash", "allow Bash(git *)", "allow Bash(git status)"] {
            check(&call, rules, (Ruling::Allow, Step::AllowRule));
            check(&call.clone().mode(Mode::DontAsk), rules, (Ruling::Allow, Step::AllowRule));
        }
        check(&call, "allow Bash(ls *)", (Ruling::Ask, Step::Nothing));
        check(&call.clone().mode(Mode::AcceptEdits), "", (Ruling::Ask, Step::Nothing));
        check(&call.clone().mode(Mode::DontAsk), "", (Ruling::Deny, Step::Nothing));
        check(&call.clone().mode(Mode::Plan), "allow Bash", (Ruling::Ask, Step::Mode));
        check(&call, "deny Bash(git *)\nallow Bash", (Ruling::Deny, Step::DenyRule));
        let decision = call.decide(&rules(""));
        assert!(decision.reason.ends_with("; it may do more than read: git starts x"), "{}", decision.reason);
        assert_eq!(decision.suggestions, ["Bash(git status)", "Bash(git status *)"]);
    }
}

#[test]
fn plan_only_reads() {
    check(&Call::file("Read", "a").mode(Mode::Plan), "", (Ruling::Allow, Step::ReadOnly));
    check(&Call::file("Edit", "a").mode(Mode::Plan), "allow Edit", (Ruling::Deny, Step::Mode));
    check(&Call::file("Read", "/etc/passwd").mode(Mode::Plan), "", (Ruling::Ask, Step::Nothing));
}

#[test]
fn protected_places_ask_whatever_the_rules_allow() {
    let call = Call { hook: HookVerdict::Allow, ..Call::file("Edit", ".git/config") };
    check(&call, "allow Edit", (Ruling::Ask, Step::ProtectedPlace));
    check(&call.clone().mode(Mode::DontAsk), "allow Edit", (Ruling::Deny, Step::ProtectedPlace));
    check(&call.mode(Mode::BypassPermissions), "", (Ruling::Allow, Step::Mode));
    check(&Call::file("Read", ".git/config"), "", (Ruling::Allow, Step::ReadOnly));
    let redirect = Call::shell(&["git log"]).and(Subject::path("/r/home/.bashrc", PathAccess::Write));
    check(&redirect, "allow Bash(git *)\nallow Edit(~/**)", (Ruling::Ask, Step::ProtectedPlace));
}

#[test]
fn places_are_protected_by_their_names() {
    let edit = |path: &str, protected: bool| {
        let expect = if protected { Step::ProtectedPlace } else { Step::AllowRule };
        let ruling = if protected { Ruling::Ask } else { Ruling::Allow };
        check(&Call::file("Edit", path), "allow Edit", (ruling, expect));
    };
    // One of each kind, and the spellings under which a file system may take it for that.
    for name in [
        ".git/hooks/pre-commit",
        "sub/.HG/hgrc",
        ".toolwright/settings.json",
        ".claude/settings.local.json",
        ".cursor/mcp.json",
        ".vscode/tasks.json",
        "x.code-workspace",
        ".helix/languages.toml",
        ".dir-locals.el",
        ".husky/pre-push",
        "lefthook.yaml",
        ".envrc",
        "mise.toml",
        ".npmrc",
        ".pnp.cjs",
        ".cargo/config.toml",
        ".mvn/jvm.config",
        "NuGet.Config",
        ".ssh/authorized_keys",
        ".netrc",
        ".bash_aliases",
        ".zlogout",
        ".tcshrc",
        ".xprofile",
        "lib/sitecustomize.py",
        ".gdbinit",
        ".config/fish/config.fish",
        ".config/./autostart/x.desktop",
        ".Config/Git/config",
        ".config/systemd/user/x.service",
        ".tool-versions",
        "sub/.python-version",
        "rust-toolchain.toml",
        ".nvmrc",
        ".lintstagedrc.mjs",
        "lint-staged.config.js",
        ".iex.exs",
        ".direnv/bin/ls",
        ".run/x.run.xml",
        "node_modules/.bin/eslint",
        "web/Node_Modules/.BIN/tsc",
        ".venv/bin/python",
        "venv/Scripts/python.exe",
    ] {
        edit(name, true);
    }
    for name in [
        ".gitignore",
        ".github/workflows/x.yml",
        ".config/nextest.toml",
        ".config/dotnet-tools.json",
        "config/fish/x",
        ".editorconfig",
        ".env",
        "docs/git.md",
        "profile",
        "src/cargo/x.rs",
        ".rustfmt.toml",
        "workspace.code",
        "node_modules/x/index.js",
        "node_modules/bin/x",
        ".venv/lib/x.py",
        "bin/x",
        "src/env/bin.rs",
        ".env.example",
        "python-version",
        "lint-staged/config.js",
    ] {
        edit(name, false);
    }
}

#[test]
fn a_hook_allows_what_nothing_forbids() {
    let call = Call { hook: HookVerdict::Allow, ..Call::shell(&["touch x"]) };
    check(&call, "", (Ruling::Allow, Step::AllowRule));
}

#[test]
fn every_subject_needs_cover() {
    check(&Call::shell(&["git status"]), "allow Bash(git *)", (Ruling::Allow, Step::AllowRule));
    check(&Call::shell(&["git status", "rm -rf x"]), "allow Bash(git *)", (Ruling::Ask, Step::Nothing));
    let redirect = Call::shell(&["git log"]).and(Subject::path("/r/proj/out.txt", PathAccess::Write));
    check(&redirect, "allow Bash(git *)", (Ruling::Ask, Step::Nothing));
    check(&redirect, "allow Bash", (Ruling::Ask, Step::Nothing));
    check(&redirect, "allow Bash(git *)\nallow Edit(out.txt)", (Ruling::Allow, Step::AllowRule));
    let sed = Call::shell(&["sed -i s/a/b/ README.md"]).and(operand("README.md", PathAccess::Write, 0));
    check(&sed, "allow Bash(sed -i *)", (Ruling::Allow, Step::AllowRule));
    check(&sed, "allow Edit(**)", (Ruling::Ask, Step::Nothing));
    let exact = Call::new("Bash", Effects::DESTROYS, vec![command("watch date", Reach::ExactText)]);
    check(&exact, "allow Bash(watch *)", (Ruling::Ask, Step::Nothing));
    check(&exact, "allow Bash(watch date)", (Ruling::Allow, Step::AllowRule));
}

#[test]
fn project_rules_wait_for_trust_and_only_those_that_allow() {
    let call = Call { trusted: false, ..Call::shell(&["npm test"]) };
    check(&call, "allow Bash(npm test *)", (Ruling::Ask, Step::Nothing));
    check(&call, "ask Bash(npm test *)", (Ruling::Ask, Step::AskRule));
    check(&call, "deny Bash(npm test *)", (Ruling::Deny, Step::DenyRule));
}

#[test]
fn reading_inside_needs_no_rule() {
    let read = |path: &str, mut call: Call| {
        call.effects = Effects::READ_ONLY;
        call.and(operand(path, PathAccess::Read, 0))
    };
    let cat = || Call::new("Bash", Effects::READ_ONLY, vec![command("cat f", Reach::ReadOnly)]);
    check(&read("src/a", cat()), "", (Ruling::Allow, Step::ReadOnly));
    check(&read("/etc/passwd", cat()), "", (Ruling::Ask, Step::Nothing));
    check(&read("/etc/passwd", cat()), "allow Read(//etc/*)", (Ruling::Allow, Step::AllowRule));
    check(&read("secrets/key", cat()), "deny Read(secrets/**)", (Ruling::Deny, Step::DenyRule));
    check(&read("src/*.rs", cat()), "", (Ruling::Allow, Step::ReadOnly));
    // Any folder that `*` becomes may be a link.
    check(&read("*/a", cat()), "", (Ruling::Ask, Step::Nothing));
    // A call that says it changes things is not let through because it names only what it reads.
    let odd = Call::new("Deploy", Effects::DESTROYS, vec![Subject::path("/r/proj/a", PathAccess::Read)]);
    check(&odd, "allow Read", (Ruling::Allow, Step::AllowRule));
    check(&odd, "", (Ruling::Ask, Step::Nothing));
    check(&Call::new("Note", Effects::READ_ONLY, Vec::new()), "", (Ruling::Allow, Step::ReadOnly));
    check(&Call::new("Note", Effects::WRITES, Vec::new()), "", (Ruling::Ask, Step::Nothing));
}

#[test]
fn additional_roots_count_and_a_changed_directory_does_not() {
    let mut call = Call::file("Read", "/r/out/a");
    call.roots.cwd = Folder::from("/r/out");
    check(&call, "", (Ruling::Ask, Step::Nothing));
    call.roots.additional.push(Folder::from("/r/out"));
    check(&call, "", (Ruling::Allow, Step::ReadOnly));
    let mut edit = Call::file("Edit", "/r/proj/sub/src/a");
    edit.roots.cwd = Folder::from("/r/proj/sub");
    check(&edit, "allow Edit(src/**)", (Ruling::Ask, Step::Nothing));
    check(&edit, "deny Edit(src/*)", (Ruling::Deny, Step::DenyRule));
}

#[test]
fn accept_edits_covers_plain_file_commands_inside() {
    let at = |command_text: &str, path: &str| {
        Call::shell(&[command_text]).and(operand(path, PathAccess::Write, 0)).mode(Mode::AcceptEdits)
    };
    check(&at("touch a", "a"), "", (Ruling::Allow, Step::AcceptEdits));
    check(&at("touch ../out/a", "../out/a"), "", (Ruling::Ask, Step::Nothing));
    check(&at("touch outlink/a", "outlink/a"), "", (Ruling::Ask, Step::Nothing));
    check(&at("curl -o a", "a"), "", (Ruling::Ask, Step::Nothing));
    check(&at("X=1 touch a", "a"), "", (Ruling::Ask, Step::Nothing));
    check(&Call::shell(&["touch $x"]).mode(Mode::AcceptEdits), "", (Ruling::Ask, Step::Nothing));
    check(&Call::file("Edit", "a").mode(Mode::AcceptEdits), "", (Ruling::Allow, Step::AcceptEdits));
}

#[test]
fn accept_edits_covers_no_copy_that_may_make_names_nobody_sees() {
    let copies = |text: &str, from: &str, to: &str, expect: (Ruling, Step)| {
        let call = Call::shell(&[text]).and(operand(from, PathAccess::Read, 0));
        check(&call.and(operand(to, PathAccess::Write, 0)).mode(Mode::AcceptEdits), "", expect);
    };
    let (covered, asks) = ((Ruling::Allow, Step::AcceptEdits), (Ruling::Ask, Step::Nothing));
    copies("cp a b", "a", "b", covered);
    copies("cp -p a b", "a", "b", covered);
    copies("cp -- a sub", "a", "sub", covered);
    copies("cp ./*.md docs", "*.md", "docs", covered);
    for text in [
        "cp -r payload/. sub",
        "cp -pR payload/. sub",
        "cp -a payload/. sub",
        "cp \\-r payload/. sub",
        "cp \"-\"r payload/. sub",
        "cp $'-r' payload/. sub",
        "cp $flag payload/. sub",
        "cp {-r,payload/.} sub",
        "cp --recursive payload/. sub",
        "cp --arch payload/. sub",
        "cp --parents payload/x sub",
        "cp * sub",
    ] {
        copies(text, "payload", "sub", asks);
    }
    // In a folder it is called as it was.
    copies("cp tpl/.envrc sub", "tpl/.envrc", "sub", asks);
    copies("cp tpl/.mcp.json .", "tpl/.mcp.json", ".", asks);
}

#[test]
fn all_of_a_tool_is_not_offered_where_a_rule_for_some_uses_was_meant() {
    let offered = |call: &Call, lines: &str| {
        let decision = call.decide(&rules(lines));
        (decision.outcome == Ruling::Ask).then(|| [decision.suggestions, decision.together].concat())
    };
    let whole = |tool: &str| Call::new(tool, Effects::DESTROYS, vec![Subject::Whole]);
    let none = Some(Vec::new());
    assert_eq!(offered(&whole("Zsh"), ""), Some(vec!["Zsh".into(), "Zsh".into()]));
    assert_eq!(offered(&whole("Zsh"), "allow Zsh(git *)"), none);
    assert_eq!(offered(&whole("Zsh"), "allow Zsh(git status)"), none);
    assert_eq!(offered(&whole("Other"), "allow Zsh(git *)").map(|rules| rules.len()), Some(2));
    let mut commands = Call::shell(&["git status"]);
    commands.tool = "Zsh".into();
    assert_eq!(offered(&commands, ""), none);
    assert_eq!(offered(&commands, "allow Zsh(git *)"), none);
    assert_eq!(offered(&Call::remote("s", "t"), "allow mcp__s__t(x)"), none);
    assert_eq!(rules("allow Zsh(git *)").warnings_on_tools(&["Zsh"]).len(), 1);
}

#[test]
fn a_remote_tool_is_not_believed() {
    let mut call = Call::remote("evil", "Read");
    call.effects = Effects::READ_ONLY;
    call.verdict = Verdict::Allow;
    check(&call, "allow Read", (Ruling::Ask, Step::Nothing));
    call.subjects = vec![Subject::path("/r/proj/a", PathAccess::Read).into()];
    check(&call, "allow Read(**)", (Ruling::Ask, Step::Nothing));
    call.tool = "Read".into();
    check(&call, "allow Read", (Ruling::Ask, Step::Nothing));
}

#[test]
fn a_delegating_call_runs_unless_a_rule_speaks() {
    let call = Call::new("Agent", Effects::DELEGATES, vec![Subject::Name("Explore".into())]);
    check(&call, "", (Ruling::Allow, Step::ReadOnly));
    check(&call, "deny Agent(Explore)", (Ruling::Deny, Step::DenyRule));
    check(&call, "deny Agent(Explorer)", (Ruling::Allow, Step::ReadOnly));
}

#[test]
fn a_decision_names_rule_and_subject() {
    let decision = Call::shell(&["ls", "rm -rf x"]).decide(&rules("deny Bash(rm *)"));
    assert_eq!(decision.reason, "the deny rule `Bash(rm *)` (project) matches `rm -rf x`");
    assert_eq!(decision.rule.map(|rule| rule.text).as_deref(), Some("Bash(rm *)"));
    assert!(matches!(decision.subject, Some(Subject::Command(part)) if part.shown == "rm -rf x"));
}

#[test]
fn suggestions_are_narrow_and_work() {
    let suggest = |call: &Call, lines: &str| {
        let decision = call.decide(&rules(lines));
        (decision.suggestions, decision.together)
    };
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        suggest(&Call::shell(&["npm test --x *"]), ""),
        (owned(&["Bash(npm test --x \\*)", "Bash(npm test *)"]), owned(&["Bash(npm test --x \\*)"]))
    );
    assert_eq!(
        suggest(&Call::shell(&["git status", "touch pwned"]), ""),
        (vec![], owned(&["Bash(git status)", "Bash(touch pwned)"]))
    );
    assert_eq!(
        suggest(&Call::shell(&["git status", "touch pwned"]), "allow Bash(git *)")
            .0
            .first()
            .map(String::as_str),
        Some("Bash(touch pwned)")
    );
    assert_eq!(
        suggest(&Call::file("Read", "/r/out/[a]"), "").0,
        owned(&["Read(//r/out/\\[a\\])", "Read(//r/out/**)"])
    );
    assert_eq!(suggest(&Call::file("Read", "outlink/a"), ""), (vec![], vec![]));
    let many: Vec<String> = (0..600).map(|number| format!("touch {number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(suggest(&Call::shell(&many), "").1, Vec::<String>::new());
    assert_eq!(suggest(&Call::remote("x", "y"), "").0, owned(&["mcp__x__y"]));
    assert_eq!(suggest(&Call::file("Edit", ".git/config"), "").0, Vec::<String>::new());
}

#[test]
fn what_allows_others_of_a_kind_may_be_several_rules() {
    let of_kind = |calls: &[&str], lines: &str| Call::shell(calls).decide(&rules(lines)).of_kind;
    assert_eq!(of_kind(&["npm test --x"], ""), ["Bash(npm test *)"]);
    let commit = "git commit -m 'one\ntwo'";
    assert_eq!(of_kind(&["git add -A", commit], ""), ["Bash(git add *)", "Bash(git commit *)"]);
    assert_eq!(of_kind(&["git add -A", commit], "allow Bash(git add *)"), ["Bash(git commit *)"]);
    assert_eq!(of_kind(&["git add a", "git add b"], ""), ["Bash(git add *)"]);
    // What has no kind is kept as it is, and alone it is no kind.
    assert_eq!(of_kind(&["git add a", "python3 -c x"], ""), ["Bash(git add *)", "Bash(python3 -c x)"]);
    assert!(of_kind(&["python3 -c x"], "").is_empty());
    assert!(of_kind(&["python3 -c x", "perl -e y"], "").is_empty());
}

#[test]
fn a_refusal_says_which_rules_would_allow() {
    let reason = |call: Call| call.decide(&rules("")).reason;
    assert_eq!(
        reason(Call::shell(&["touch a"]).mode(Mode::DontAsk)),
        "no rule allows Bash to run `touch a` (`Bash(touch a)` would); the mode dontAsk denies what is not allowed beforehand"
    );
    assert_eq!(
        reason(Call::shell(&["git add a", "touch a"])),
        "no rule allows Bash to run `git add a` (`Bash(git add a)`, `Bash(touch a)` together would)"
    );
}

#[test]
fn a_subagent_never_has_more() {
    let parent = rules("deny Bash(rm *)");
    let own = rules("allow Bash\ndeny WebFetch");
    let (inherited, mode) = parent.for_subagent(Mode::Default, &own, Some(Mode::BypassPermissions));
    assert_eq!(mode, Mode::Default);
    assert_eq!(Mode::Default.for_subagent(Some(Mode::Plan)), Mode::Plan);
    let outcome = |parts: &[&str]| Call::shell(parts).decide(&inherited).outcome;
    assert_eq!((outcome(&["ls"]), outcome(&["rm x"])), (Ruling::Ask, Ruling::Deny));
    let fetch = Call::new("WebFetch", Effects::READ_ONLY, vec![Subject::Domain("a.b".into())]);
    assert_eq!(fetch.decide(&inherited).outcome, Ruling::Deny);
}

#[test]
fn operands_of_a_missing_command_are_not_covered() {
    let path = Subject::Path { path: "/etc/x".into(), access: PathAccess::Read, cover: Cover::With(7) };
    let decision = Call::shell(&["ls"]).and(path).decide(&rules("allow Bash(ls)"));
    assert_eq!(decision.outcome, Ruling::Ask);
    assert_eq!(Call::shell(&[]).decide(&RuleSet::default()).outcome, Ruling::Ask);
}

#[test]
fn a_public_file_needs_no_cover_and_a_deny_rule_sees_it() {
    let release = "/etc/os-release";
    let call = |access: PathAccess| {
        let path = Subject::Path { path: release.into(), access, cover: Cover::Unneeded };
        let mut call = Call::shell(&["cat"]).and(path);
        call.effects = Effects::READ_ONLY;
        call
    };
    let lines = "allow Bash(cat)";
    check(&call(PathAccess::Read), lines, (Ruling::Allow, Step::AllowRule));
    check(&call(PathAccess::Write), lines, (Ruling::Ask, Step::Nothing));
    let denied = "allow Bash(cat)\ndeny Read(//etc/**)";
    check(&call(PathAccess::Read), denied, (Ruling::Deny, Step::DenyRule));
}

#[test]
fn what_a_shell_may_expand_into_a_denied_path_asks() {
    let cat = |path: &str| {
        let mut call = Call::shell(&["cat"]).and(operand(path, PathAccess::Read, 0));
        call.effects = Effects::READ_ONLY;
        call
    };
    let lines = "allow Bash\ndeny Read(./secrets/**)\ndeny Read(.env)\ndeny Read(*.key)";
    for path in ["*/key.txt", "s?crets/a", "SEC*/a", "[a-z]*/a", ".e*", "a.k*", "src/*", "/r/p*/secrets/a"] {
        check(&cat(path), lines, (Ruling::Ask, Step::AskRule));
    }
    for path in ["*.md", "src/*.rs", "docs/x?.txt", "/r/q*/a.md"] {
        check(&cat(path), lines, (Ruling::Allow, Step::AllowRule));
    }
    // In a file tool's path a star is a star.
    check(&Call::file("Read", "*/key.txt"), lines, (Ruling::Allow, Step::ReadOnly));
    let remove = Call::shell(&["rm -r .gi*"]).and(operand(".gi*", PathAccess::Remove, 0));
    check(&remove, "allow Bash", (Ruling::Ask, Step::ProtectedPlace));
}

#[test]
fn the_sessions_own_folder_is_read_and_not_edited() {
    let mut call = Call::file("Read", "/r/sessions/1/results/a.txt");
    call.roots.readable.push("/r/sessions/1".into());
    check(&call, "", (Ruling::Allow, Step::ReadOnly));
    check(&Call::file("Read", "/r/sessions/1/results/a.txt"), "", (Ruling::Ask, Step::Nothing));
    let mut call = Call::file("Edit", "/r/sessions/1/session.jsonl").mode(Mode::AcceptEdits);
    call.roots.readable.push("/r/sessions/1".into());
    check(&call, "", (Ruling::Ask, Step::Nothing));
}
