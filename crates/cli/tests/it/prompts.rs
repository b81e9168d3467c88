//! `-p` from start to end.

use std::io::{BufRead as _, BufReader};

use serde_json::Value;

use crate::place::{Place, ran};

const SCRIPT: &str = r#"{"turns": [
  {"reply": [{"text": "I look."},
             {"tool": "Read", "input": {"file_path": "{cwd}/a.txt"}},
             {"tool": "Bash", "input": {"command": "touch made"}}]},
  {"reply": [{"text": "Done."}]},
  {"expect": {"last_user_text": "again"}, "reply": [{"text": "Heard: {last_user_text}"}]}
]}"#;

fn place() -> Place {
    let place = Place::new();
    place.write("a.txt", "hello\n");
    place.write("script.json", SCRIPT);
    place
}

#[test]
fn standard_output_has_the_final_text_alone() {
    let place = place();
    let ran = place.run(&["-p", "do it", "--model", "scripted:script.json"]);
    assert_eq!((ran.exit, ran.out.as_str(), ran.err.as_str()), (0, "Done.\n", ""));
    assert!(!place.work().join("made").exists());
    let ran = place.run(&["-p", "do it", "--model=scripted:script.json", "--allowedTools=Bash(touch *)"]);
    assert_eq!((ran.exit, ran.out.as_str()), (0, "Done.\n"));
    assert!(place.work().join("made").exists());
}

#[test]
fn a_result_object_names_what_was_refused() {
    let ran = place().run(&["-p", "do it", "--model", "scripted:script.json", "--output-format", "json"]);
    let result: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.exit, &result["subtype"], &result["result"]), (0, &"success".into(), &"Done.".into()));
    assert_eq!(result["permission_denials"][0]["tool_name"], "Bash");
    assert_eq!(result["num_turns"], 2);
}

#[test]
fn lines_come_in_the_order_people_know() {
    let ran =
        place().run(&["-p", "do it", "--model", "scripted:script.json", "--output-format", "stream-json"]);
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<_> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    let expect = ["system", "assistant", "assistant", "assistant", "user", "user", "assistant", "result"];
    assert_eq!(kinds, expect);
    assert_eq!(
        (lines[0]["subtype"].as_str(), lines[0]["permissionMode"].as_str()),
        (Some("init"), Some("default"))
    );
    assert!(
        lines.iter().all(|line| line["session_id"] == lines[0]["session_id"] && line["uuid"].is_string())
    );
}

#[test]
fn the_prompt_comes_from_the_pipe_too() {
    let place = Place::new();
    place.write("echo.json", r#"[{"reply": [{"text": "Heard: {last_user_text}"}]}]"#);
    let check = |arguments: &[&str], input: &str, expect: &str| {
        let arguments = [&["--model", "scripted:echo.json"], arguments].concat();
        assert_eq!(place.run_with(&arguments, input).out, expect, "{arguments:?}");
    };
    check(&["-p"], "from the pipe", "Heard: from the pipe\n");
    check(&[], "from the pipe", "Heard: from the pipe\n");
    check(&["-p", "from the flag"], "", "Heard: from the flag\n");
    check(&["-p", "from both"], "error: x", "Heard: from both\n\nerror: x\n");
}

#[test]
fn a_session_goes_on() {
    let place = Place::new();
    place.write("one.json", r#"[{"reply": [{"text": "One."}]}]"#);
    place.write("two.json", r#"[{"expect": {"first_user_text": "begin"}, "reply": [{"text": "Two."}]}]"#);
    assert_eq!(place.run(&["-p", "begin", "--model", "scripted:one.json"]).out, "One.\n");
    assert_eq!(place.run(&["-c", "-p", "on", "--model", "scripted:two.json"]).out, "Two.\n");
    let listed = place.run(&["sessions"]).out;
    let id = listed.split_whitespace().next().unwrap();
    assert!(listed.lines().count() == 1 && listed.trim_end().ends_with("begin"), "{listed}");
    assert_eq!(place.run(&["-r", id, "-p", "on", "--model", "scripted:two.json"]).out, "Two.\n");
}

#[test]
fn the_log_of_a_run_goes_to_standard_error() {
    let ran = place().run(&["-p", "do it", "--model", "scripted:script.json", "--verbose"]);
    assert_eq!(ran.out, "Done.\n");
    assert!(ran.err.contains("● Read a.txt") && !ran.err.contains('\u{1b}'), "{}", ran.err);
}

#[test]
fn the_limit_of_requests_is_a_failure_that_says_so() {
    let ran = place().run(&["-p", "do it", "--model", "scripted:script.json", "--max-turns", "1"]);
    assert_eq!(ran.exit, 1);
    assert!(ran.err.contains("--max-turns"), "{}", ran.err);
}

/// Whether this process, and with it whatever it starts, ignores the signal.
fn is_ignored(signal: nix::sys::signal::Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default().trim();
    u64::from_str_radix(mask, 16).is_ok_and(|mask| mask & (1 << (signal as i32 - 1)) != 0)
}

#[test]
fn a_signal_ends_the_turn_and_its_command_and_leaves_a_session_to_go_on_with() {
    use nix::sys::signal::Signal;
    for (signal, exit) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        if is_ignored(signal) {
            println!("skipped: {signal} is ignored where the tests run (nohup)");
            continue;
        }
        let place = Place::new();
        place.write(
            "wait.json",
            r#"[{"reply": [{"tool": "Bash", "input": {"command": "echo $$ > id; sleep 60"}}]}]"#,
        );
        place.write("after.json", r#"[{"expect": {"first_user_text": "wait"}, "reply": [{"text": "On."}]}]"#);
        let arguments = [
            "-p",
            "wait",
            "--model",
            "scripted:wait.json",
            "--allowedTools",
            "Bash",
            "--permission-mode",
            "acceptEdits",
            "--output-format",
            "stream-json",
        ];
        let mut child = place.command(&arguments).spawn().unwrap();
        drop(child.stdin.take());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // The line of the call is written before it is decided, so the call begins some time after it.
        assert!(lines.by_ref().map_while(Result::ok).any(|line| line.contains("\"tool_use\"")));
        let written = || std::fs::read_to_string(place.work().join("id")).unwrap_or_default();
        while !written().ends_with('\n') {
            assert!(child.try_wait().unwrap().is_none(), "it ended before its call began");
            std::thread::yield_now();
        }
        let id = |text: &str| nix::unistd::Pid::from_raw(text.trim().parse().unwrap());
        let command = id(&written());
        nix::sys::signal::kill(id(&child.id().to_string()), signal).unwrap();
        let last = lines.map_while(Result::ok).last().unwrap();
        assert!(last.contains("\"terminal_reason\":\"interrupted\""), "{signal}: {last}");
        assert_eq!(ran(child.wait_with_output().unwrap()).exit, exit, "{signal}");
        assert_eq!(nix::sys::signal::kill(command, None), Err(nix::errno::Errno::ESRCH), "{signal}");
        assert_eq!(place.run(&["-c", "-p", "go on", "--model", "scripted:after.json"]).out, "On.\n");
    }
}

#[test]
fn a_reader_that_goes_ends_the_run_in_silence() {
    let place = Place::new();
    place.write(
        "wait.json",
        r#"[{"reply": [{"text": "x"}, {"tool": "Bash", "input": {"command": "sleep 60"}}]}]"#,
    );
    let arguments = [
        "-p",
        "go",
        "--model",
        "scripted:wait.json",
        "--allowedTools",
        "Bash",
        "--output-format",
        "stream-json",
    ];
    let mut child = place.command(&arguments).spawn().unwrap();
    drop((child.stdin.take(), child.stdout.take()));
    let ran = ran(child.wait_with_output().unwrap());
    assert!(ran.exit != 0 && !ran.err.contains("panicked"), "{ran:?}");
}
