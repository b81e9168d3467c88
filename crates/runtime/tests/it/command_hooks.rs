//! Commands as hooks, run by a real bash: what they are told, what they may answer, and that a failure never allows.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use toolwright_core::Environment;
use toolwright_engine::event::EventBody;
use toolwright_engine::{Ending, acceptable};
use toolwright_permissions::Mode;
use toolwright_runtime::{CommandEvent, CommandHook, CommandHooks, HookError, Hooks, RuntimeError};

use crate::bench::{Bench, block_on, say, within};

fn hook(event: CommandEvent, matcher: &str, command: &str) -> CommandHook {
    CommandHook {
        event,
        matcher: Some(matcher.into()),
        command: command.into(),
        timeout: None,
        origin: "settings.json:3".into(),
    }
}

fn before(command: &str) -> CommandHook {
    hook(CommandEvent::PreToolUse, "Write", command)
}

fn running(hooks: Vec<CommandHook>, project: &Path) -> Arc<dyn Hooks> {
    running_with("/usr/bin:/bin", hooks, project)
}

fn running_with(path: &str, hooks: Vec<CommandHook>, project: &Path) -> Arc<dyn Hooks> {
    let variables = [("PATH", path), ("ANTHROPIC_API_KEY", "a-key"), ("KEPT", "kept")];
    let variables = variables.map(|(name, value)| (name.into(), value.into())).into();
    Arc::new(CommandHooks::new(hooks, &Environment::new(variables, Map::new()), project).unwrap())
}

fn bench(hooks: Vec<CommandHook>) -> Bench {
    let mut bench = Bench { mode: Mode::Default, ..Bench::default() };
    bench.hooks = Some(running(hooks, bench.workspace.path()));
    bench
}

/// One call of `Write`: whether it ran, what the model reads, what a person is told.
fn call(bench: &mut Bench, input: Value) -> (bool, String, String) {
    let mut agent = bench.agent(json!([]));
    let result = within(agent.call("Write", input, &bench.cancel)).unwrap().result;
    let answer: Vec<_> = result.answer.iter().filter_map(|content| content.as_text()).collect();
    (!result.outcome.is_failure(), answer.join("\n"), notices(bench))
}

fn notices(bench: &Bench) -> String {
    let events = bench.recorder.events();
    let texts = events.iter().filter_map(|event| match &event.body {
        EventBody::Notice { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// A project may have a folder on `PATH`: a `bash` in it would answer in the place of every hook.
#[test]
fn a_hook_is_no_word_of_a_shell_that_the_project_brought() {
    let mut bench = Bench { mode: Mode::Default, ..Bench::default() };
    let folder = bench.workspace.path().join("bin");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("bash"), "#!/bin/sh\nexit 0\n").unwrap();
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.join("bash"), permissions).unwrap();
    for path in [format!("{}:/usr/bin:/bin", folder.display()), "bin:/usr/bin:/bin".into()] {
        bench.hooks = Some(running_with(&path, vec![before(DENY)], bench.workspace.path()));
        let (ran, answer, _) = call(&mut bench, json!({"path": "a", "text": "x"}));
        assert!(!ran && answer.contains("policy"), "{path}: {answer}");
    }
}

const DENY: &str =
    r#"echo '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"policy"}}'"#;
const ASK: &str =
    r#"echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"look"}}'"#;
const ALLOW: &str = r#"echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'"#;

#[test]
fn what_a_hook_says_before_a_call() {
    enum Rule {
        None,
        Allow,
        Ask,
        Deny,
    }
    use Rule::{Allow, Ask, Deny, None};
    let check = |rule: Rule, command: &str, runs: bool, read: &str, told: &str| {
        let mut bench = bench(vec![before(command)]);
        match rule {
            None => {}
            Allow => bench.allow = vec!["Write"],
            Ask => bench.ask = vec!["Write"],
            Deny => bench.deny = vec!["Write(x:1)"],
        }
        let (ran, answer, notices) = call(&mut bench, json!({"x": 1}));
        assert_eq!(ran, runs, "{command}: {answer} / {notices}");
        assert!(answer.contains(read), "{command}: {answer}");
        assert_eq!(notices.is_empty(), told.is_empty(), "{command}: {notices}");
        assert!(notices.contains(told), "{command}: {notices}");
    };
    // Nothing said: the rules decide.
    check(Allow, "true", true, "", "");
    check(None, "true", false, "nobody can be asked", "");
    check(Allow, "echo plain words", true, "", "");
    check(Allow, "echo '{}'", true, "", "");
    // Blocked.
    check(Allow, "echo policy >&2; exit 2", false, "a hook blocked it: policy", "");
    check(Allow, "exit 2", false, "a hook blocked it", "");
    check(Allow, DENY, false, "a hook blocked it: policy", "");
    check(Allow, &format!("{DENY}; echo e >&2; exit 2"), false, "a hook blocked it: e", "");
    check(Allow, &format!("{DENY}; exit 2"), false, "a hook blocked it: policy", "");
    check(Allow, r#"echo '{"decision":"block","reason":"old"}'"#, false, "a hook blocked it: old", "");
    check(Allow, r#"echo '{"continue":false,"stopReason":"enough"}'"#, false, "ended the turn: enough", "");
    // Asked: nobody is there.
    check(Allow, ASK, false, "a hook wants a person to see it: look", "");
    // Allowed, but over no rule.
    check(None, ALLOW, true, "", "");
    check(Deny, ALLOW, false, "deny rule", "");
    check(Ask, ALLOW, false, "ask rule", "");
    check(None, r#"echo '{"systemMessage":"hello","decision":"approve"}'"#, true, "", "hello");
    // A failure allows nothing and forbids nothing, and is told.
    check(Allow, "echo warn >&2; exit 1", true, "", "settings.json:3 had no say: exit code 1: warn");
    check(None, "exit 1", false, "nobody can be asked", "exit code 1");
    check(None, &format!("{ALLOW}; exit 1"), false, "nobody can be asked", "exit code 1");
    check(Allow, &format!("{DENY}; exit 1"), false, "a hook blocked it: policy", "exit code 1");
    check(None, &format!("{ALLOW}; kill -9 $$"), false, "nobody can be asked", "signal 9");
    // No answer is no consent: a person has to see it.
    check(Allow, "kill -9 $$", false, "wants a person to see it", "gave no answer: signal 9");
    check(Allow, "/no/such/program", false, "wants a person to see it", "exit code 127");
    check(Allow, "echo '{\"hookSpecificOutput\":'", false, "wants a person to see it", "is no JSON");
    check(Allow, "echo 'ready'; echo '{\"decision\":\"bl'", false, "wants a person", "is no JSON");
    check(Allow, "echo '[1]'", false, "wants a person", "it printed a list");
    // An object among other text forbids, and does nothing else.
    for deny in [
        format!("echo ready; {DENY}"),
        format!("printf '\\357\\273\\277'; {DENY}"),
        format!("{DENY}; echo done"),
        format!("{DENY}; {DENY}"),
        format!("{DENY}; {ALLOW}"),
        format!("{ALLOW}; {DENY}"),
        format!("cat; {DENY}"),
        format!("printf '12:00 INFO '; {DENY}"),
        format!("echo '{{broken'; {DENY}"),
        r#"echo '[{"decision":"block","reason":"policy"}]'"#.into(),
        format!("{DENY}; head -c 5000000 /dev/zero | tr '\\0' x"),
    ] {
        let mut bench = bench(vec![before(&deny)]);
        bench.allow = vec!["Write"];
        let (ran, answer, notices) = call(&mut bench, json!({"x": 1}));
        assert!(!ran && answer.contains("policy"), "{deny}: {answer} / {notices}");
    }
    check(None, &format!("echo ready; {ALLOW}"), false, "nobody can be asked", "nothing else of it");
    check(None, &format!("{ALLOW}; {ALLOW}"), false, "nobody can be asked", "nothing else of it");
    check(Allow, "echo '[INFO] checked'; echo '{debug}'", true, "", "");
    check(Allow, "cat", true, "", "");
    check(Allow, r#"printf 'saw '; cat; echo '{"tool":{"decision":"block"}}'"#, true, "", "");
    // A word nobody knows was meant for something.
    check(Allow, r#"echo '{"decision":"denied"}'"#, false, "none of `allow`", "");
    check(Allow, r#"echo '{"decision":1}'"#, false, "none of `allow`", "");
}

#[test]
fn a_hook_that_hangs_is_ended_and_allows_nothing() {
    let check = |said: &str, rules: Vec<&'static str>, read: &str| {
        let slow = CommandHook {
            timeout: Some(Duration::from_millis(50)),
            ..before(&format!("{said}; while :; do sleep 1000; done"))
        };
        let mut bench = bench(vec![slow]);
        bench.allow = rules;
        let (ran, answer, notices) = call(&mut bench, json!({}));
        assert!(!ran && answer.contains(read), "{said}: {answer}");
        assert!(notices.contains("took longer than 0.05 s and was ended"), "{notices}");
    };
    check(ALLOW, vec![], "wants a person to see it");
    check(ALLOW, vec!["Write"], "wants a person to see it");
    check("true", vec!["Write"], "wants a person to see it");
    check(DENY, vec!["Write"], "a hook blocked it: policy");
    check(&format!("echo ready; {DENY}"), vec!["Write"], "a hook blocked it: policy");
}

#[test]
fn hooks_run_where_the_project_is_gone() {
    let mut bench = Bench { mode: Mode::Default, ..Bench::default() };
    let project = bench.workspace.path().to_path_buf();
    let forbids = "grep -q FORBIDDEN && exit 2; exit 0";
    bench.hooks = Some(running(vec![before(forbids)], &project));
    bench.allow = vec!["Write"];
    std::fs::remove_dir_all(&project).unwrap();
    let (ran, answer, _) = call(&mut bench, json!({"x": "FORBIDDEN"}));
    assert!(!ran && answer.contains("a hook blocked it"), "{answer}");
    let (ran, answer, notices) = call(&mut bench, json!({"x": "other"}));
    assert!(ran && notices.is_empty(), "{answer} / {notices}");
    // Where nothing can be started, nobody has looked at the call.
    bench.hooks = Some(running_with("/no/such/folder", vec![before("exit 0")], &project));
    let (ran, answer, notices) = call(&mut bench, json!({"x": "other"}));
    assert!(!ran && notices.contains("gave no answer"), "{answer} / {notices}");
}

#[test]
fn the_strictest_of_several_wins() {
    let check = |commands: &[&str], runs: bool, read: &str| {
        for turned in [false, true] {
            let mut hooks: Vec<_> = commands.iter().map(|command| before(command)).collect();
            if turned {
                hooks.reverse();
            }
            let (ran, answer, _) = call(&mut bench(hooks), json!({}));
            assert_eq!(ran, runs, "{commands:?}: {answer}");
            assert!(answer.contains(read), "{commands:?}: {answer}");
        }
    };
    check(&[ALLOW, "exit 1"], true, "");
    check(&[ALLOW, ASK], false, "look");
    check(&[ALLOW, DENY], false, "policy");
    check(&[ASK, DENY], false, "policy");
    // What allows did not see what another makes of the call.
    let rewrites = r#"echo '{"hookSpecificOutput":{"updatedInput":{"y":2}}}'"#;
    check(&[ALLOW, rewrites], false, "nobody can be asked");
    // A hook for another tool says nothing.
    let other = hook(CommandEvent::PreToolUse, "Writer|Edit", "exit 2");
    assert!(call(&mut bench(vec![other, before(ALLOW)]), json!({})).0);
}

#[test]
fn what_a_hook_rewrites_is_decided_again() {
    let rewrites = r#"echo '{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"y":2}}}'"#;
    let (ran, answer, _) = call(&mut bench(vec![before(rewrites)]), json!({"x": 1}));
    assert_eq!((ran, answer.as_str()), (true, r#"{"y":2}"#));

    let mut denied = bench(vec![before(rewrites)]);
    denied.deny = vec!["Write(y:2)"];
    let (ran, answer, _) = call(&mut denied, json!({"x": 1}));
    assert!(!ran && answer.contains("deny rule"), "{answer}");

    let other = before(r#"echo '{"hookSpecificOutput":{"updatedInput":{"z":3}}}'"#);
    let mut two = bench(vec![before(rewrites), other]);
    let (_, answer, notices) = call(&mut two, json!({"x": 1}));
    assert_eq!(answer, r#"{"y":2}"#);
    assert!(notices.contains("two hooks rewrote"), "{notices}");
}

#[test]
fn a_hook_is_told_the_call_and_keeps_no_secret() {
    let mut bench = bench(vec![before(
        "cat > told.json; echo \"[$ANTHROPIC_API_KEY] [$KEPT] $CLAUDE_PROJECT_DIR $TOOLWRIGHT_PROJECT_DIR\" > variables",
    )]);
    call(&mut bench, json!({"x": 1}));
    let folder = bench.workspace.path();
    let told: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("told.json")).unwrap()).unwrap();
    assert_eq!(
        told,
        json!({
            "session_id": "none", "transcript_path": "", "cwd": folder, "permission_mode": "default",
            "hook_event_name": "PreToolUse", "agent_id": "main", "tool_name": "Write", "tool_input": {"x": 1},
            "tool_use_id": "call-1",
        })
    );
    let project = folder.display();
    assert_eq!(
        std::fs::read_to_string(folder.join("variables")).unwrap(),
        format!("[] [kept] {project} {project}\n")
    );
}

#[test]
fn what_hooks_add_is_read_by_the_model() {
    let adds = |event, text: &str| {
        let answer =
            json!({"hookSpecificOutput": {"additionalContext": text, "permissionDecision": "allow"}});
        hook(event, "", &format!("echo '{answer}'"))
    };
    let mut bench = bench(vec![
        adds(CommandEvent::PreToolUse, "be brief"),
        hook(CommandEvent::PostToolUse, "Write", "grep -q tool_response && echo 'format it' >&2; exit 2"),
        hook(CommandEvent::UserPromptSubmit, "", "echo it is Monday"),
        hook(CommandEvent::UserPromptSubmit, "", "grep -o '\"prompt\":\"go\"' > prompt"),
    ]);
    bench.deny = vec!["SlowWrite"];
    let script = json!([
        {"reply": [{"tool": "Write", "input": {}, "id": "w"}, {"tool": "Panic", "input": {}, "id": "p"}]},
        {"reply": [{"text": "done"}]},
    ]);
    let (agent, report) = bench.turn(script, "go");
    assert_eq!(report.ending, Ending::Done);
    let messages = serde_json::to_string(&agent.state().messages).unwrap();
    for text in ["A hook adds to this prompt: it is Monday", "A hook after this call objects: format it"] {
        assert_eq!(messages.matches(text).count(), 1, "{text}: {messages}");
    }
    assert_eq!(messages.matches("A hook before this call says: be brief").count(), 2, "{messages}");
    assert!(std::fs::read_to_string(bench.workspace.path().join("prompt")).unwrap().contains("go"));
}

#[test]
fn hooks_end_a_turn_and_every_call_has_its_result() {
    let stop = r#"echo '{"continue":false,"stopReason":"enough"}'"#;
    for event in [CommandEvent::PreToolUse, CommandEvent::PostToolUse] {
        let mut bench = bench(vec![hook(event, "Write", stop)]);
        bench.mode = Mode::BypassPermissions;
        let script = json!([{"reply": [
            {"tool": "Write", "input": {}, "id": "a"},
            {"tool": "SlowWrite", "input": {}, "id": "b"},
        ]}]);
        let (agent, report) = bench.turn(script, "go");
        assert_eq!(report.ending, Ending::HookStopped("enough".into()), "{event:?}");
        let lines = bench.recorder.lines();
        let ran = lines.iter().any(|line| line.starts_with("finished a Success"));
        assert_eq!(ran, event == CommandEvent::PostToolUse, "{lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("finished b Failure")), "{lines:?}");
        assert!(acceptable(&agent.state().messages).is_ok(), "{lines:?}");
    }
}

#[test]
fn a_blocked_prompt_is_not_sent() {
    for command in [
        "echo not so >&2; exit 2",
        r#"echo '{"decision":"block","reason":"not so"}'"#,
        r#"echo ready; echo '{"decision":"block","reason":"not so"}'"#,
        r#"echo '{"decision":"block","reason":"not so"}'; echo '{"continue":true}'"#,
    ] {
        let mut bench = bench(vec![hook(CommandEvent::UserPromptSubmit, "", command)]);
        let mut agent = bench.agent(json!([{"reply": [{"text": "done"}]}]));
        agent.begin(vec!["system".into()]).unwrap();
        let said = block_on(say(&mut agent, "go", &bench.cancel));
        assert!(matches!(said, Err(RuntimeError::PromptBlocked { ref why }) if why == "not so"), "{said:?}");
        assert!(agent.state().messages.is_empty());
    }
}

#[test]
fn a_matcher_that_is_no_pattern_is_an_error_with_its_place() {
    let hooks = vec![hook(CommandEvent::PreToolUse, "^(?!Bash)", "exit 2")];
    let error = CommandHooks::new(hooks, &Environment::default(), Path::new("/")).unwrap_err();
    let HookError::Matcher { .. } = &error else { panic!("{error}") };
    assert!(error.to_string().starts_with("settings.json:3: the hook's matcher `^(?!Bash)`"), "{error}");
}
