//! A conversation that no longer fits goes on as a summary, in the turn it is in, and after a resume.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{Cancel, ContextChange, Definition, DynReply, Effects, Loading, Message, tool_fn};
use toolwright_engine::event::EventBody;
use toolwright_engine::{AgentState, Ending, acceptable};
use toolwright_model::scripted::{Script, Scripted};
use toolwright_model::{Abilities, Limits, Model, ModelStream, Request};

use crate::bench::{Bench, block_on, say};

/// A scripted model that takes little.
struct Small(Scripted);

impl Model for Small {
    fn name(&self) -> &str {
        "small"
    }

    fn limits(&self) -> Limits {
        Limits { context_tokens: 1_000, max_output_tokens: 100 }
    }

    fn abilities(&self) -> Abilities {
        self.0.abilities()
    }

    fn stream(&self, request: Request<'_>, cancel: Cancel) -> ModelStream {
        self.0.stream(request, cancel)
    }
}

fn small(bench: &mut Bench, script: &Value) {
    let script: Script = script.to_string().parse().unwrap();
    bench.model = Some(Arc::new(Small(Scripted::new(script, bench.workspace.path()))));
}

/// The lines of a call of [`write`], one below the other.
const WRITTEN_A: &str = "message  [Write:a]\ndecision a allow\nstarted a\nfinished a Success";
const WRITTEN_B: &str = "message  [Write:b]\ndecision b allow\nstarted b\nfinished b Success";

/// What a call gave back is left out of the lines.
fn check(script: Value, ending: &Ending, lines: &[&str]) -> Vec<Message> {
    let mut bench = Bench::default();
    small(&mut bench, &script);
    let (agent, report) = bench.turn(json!([]), "do it");
    let recorded: Vec<String> = bench
        .recorder
        .lines()
        .iter()
        .map(|line| line.split_once(" {").map_or(line.as_str(), |(before, _)| before).to_owned())
        .collect();
    assert_eq!((&report.ending, recorded.join("\n")), (ending, lines.join("\n")));
    let bodies = bench.recorder.events();
    assert_eq!(AgentState::fold(bodies.iter().map(|event| &event.body)), *agent.state());
    assert_eq!(acceptable(&agent.state().messages), Ok(()));
    agent.state().messages.clone()
}

fn write(id: &str, tokens: u64) -> Value {
    json!({"reply": [{"tool": "Write", "input": {"a": "x".repeat(300)}, "id": id}], "usage": {"input_tokens": tokens}})
}

fn summary(text: &str) -> Value {
    json!({"expect": {"last_user_text": "Call no tool"}, "reply": [{"text": text}], "usage": {"input_tokens": 5}})
}

#[test]
fn it_is_summarised_in_the_middle_of_a_turn() {
    let messages = check(
        json!([
            write("a", 100),
            write("b", 800),
            summary("A was written."),
            {"expect": {"first_user_text": "A was written.", "tool": "Write"}, "reply": [{"text": "done"}]},
        ]),
        &Ending::Done,
        &["prompt do it", WRITTEN_A, WRITTEN_B, "compacted Crowded, 0 kept", "message done []", "end done"],
    );
    assert!(messages[0].text().contains("The person's last words were:\n\ndo it"), "{messages:#?}");
    let ids: std::collections::BTreeSet<_> = messages.iter().map(|message| &message.id).collect();
    assert_eq!((messages.len(), ids.len()), (2, 2));
}

#[test]
fn what_the_vendor_finds_too_long_is_summarised_from_less_and_less_of_it() {
    let full = || json!({"reply": [], "fail": {"http": {"status": 413}}});
    check(
        json!([
            write("a", 100),
            full(),
            full(),
            summary("A was written."),
            {"expect": {"first_user_text": "A was written."}, "reply": [{"text": "done"}]},
        ]),
        &Ending::Done,
        &["prompt do it", WRITTEN_A, "compacted Full, 0 kept", "message done []", "end done"],
    );
    // A prompt that is too long by itself, and a summary that is no help.
    check(json!([full()]), &Ending::ContextFull, &["prompt do it", "end context_full"]);
}

#[test]
fn without_a_summary_it_goes_on_as_long_as_it_fits() {
    let text =
        |stop: &str| json!({"reply": [{"text": "no summary"}], "stop": stop, "usage": {"input_tokens": 5}});
    let tool = || json!({"reply": [{"text": "Let me look first."}, {"tool": "Write", "input": {}}]});
    let failing = [
        vec![tool(), tool()],
        vec![text("refusal"), text("refusal")],
        vec![text("max_tokens"), text("refusal")],
        vec![text("pause_turn"), text("max_tokens")],
        vec![json!({"reply": [{"text": " "}]}), tool()],
        // Asked for again of less, each time.
        vec![text("context_full"), text("context_full"), text("context_full")],
        vec![json!({"reply": [], "fail": {"error": "server_error"}})],
    ];
    for failing in failing {
        let mut bench = Bench::default();
        let mut script = vec![write("a", 800)];
        script.extend(failing.clone());
        script.push(json!({"expect": {"first_user_text": "do it"}, "reply": [{"text": "done"}]}));
        small(&mut bench, &Value::Array(script));
        let (_, report) = bench.turn(json!([]), "do it");
        assert_eq!((report.ending, report.text.as_str()), (Ending::Done, "done"), "{failing:?}");
        assert!(!bench.recorder.lines().iter().any(|line| line.starts_with("compacted")), "{failing:?}");
    }
}

#[test]
fn an_answer_that_is_no_summary_is_asked_for_again() {
    let refused = || json!({"reply": [{"text": "I cannot help."}], "stop": "refusal"});
    let again = json!({"expect": {"last_user_text": "declined"}, "reply": [{"text": "A was written."}], "usage": {"input_tokens": 5}});
    let done = json!({"expect": {"first_user_text": "A was written."}, "reply": [{"text": "done"}]});
    check(
        json!([write("a", 800), refused(), again, done]),
        &Ending::Done,
        &["prompt do it", WRITTEN_A, "compacted Crowded, 0 kept", "message done []", "end done"],
    );
}

#[test]
fn the_prompt_outlives_every_summary_of_a_turn() {
    let long = "facts ".repeat(1_000);
    let messages = check(
        json!([
            write("a", 900),
            summary(&long),
            write("b", 10),
            write("c", 900),
            summary("Second."),
            {"expect": {"first_user_text": "Second."}, "reply": [{"text": "done"}]},
        ]),
        &Ending::Done,
        &[
            "prompt do it",
            WRITTEN_A,
            "compacted Crowded, 0 kept",
            WRITTEN_B,
            "message  [Write:c]\ndecision c allow\nstarted c\nfinished c Success",
            "compacted Crowded, 0 kept",
            "message done []",
            "end done",
        ],
    );
    let text = messages[0].text();
    assert!(text.contains("The person's last words were:\n\ndo it\n"), "{text}");
    assert_eq!(text.matches("last words").count(), 1, "{text}");
}

#[test]
fn a_lost_summary_is_asked_for_at_once() {
    let mut bench = Bench::default();
    small(
        &mut bench,
        &json!([
            write("a", 800),
            {"reply": [{"text": "half of a summary"}], "fail": {"cut": {"bytes": 4}}},
            {"expect": {"delivery": "whole"}, "reply": [{"text": "All of it."}]},
            {"expect": {"first_user_text": "All of it.", "delivery": "stream"}, "reply": [{"text": "done"}]},
        ]),
    );
    let (_, report) = bench.turn(json!([]), "do it");
    assert_eq!(report.text, "done");
}

#[test]
fn an_interrupt_ends_the_turn_and_leaves_the_conversation() {
    let mut bench = Bench::default();
    small(
        &mut bench,
        &json!([
            write("a", 800),
            {"reply": [{"text": "never whole"}], "fail": {"stall": {"bytes": 3}}},
            {"expect": {"last_user_text": "Call no tool"}, "reply": [{"text": "Summed up."}]},
            {"expect": {"first_user_text": "Summed up.", "last_user_text": "again"}, "reply": [{"text": "done"}]},
        ]),
    );
    let mut agent = bench.agent(json!([]));
    agent.begin(vec!["system".into()]).unwrap();
    let (recorder, cancel) = (Arc::clone(&bench.recorder), bench.cancel.clone());
    let report = crate::bench::within(async {
        let stop = async {
            let summarising = || {
                let is_notice = |body: &EventBody| matches!(body, EventBody::Notice { text } if text.contains("summarising"));
                recorder.events().iter().any(|event| is_notice(&event.body))
            };
            while !summarising() {
                tokio::task::yield_now().await;
            }
            cancel.cancel();
        };
        tokio::join!(say(&mut agent, "do it", &cancel), stop).0.unwrap()
    });
    assert_eq!((report.ending, agent.state().messages.len()), (Ending::Interrupted, 3));
    // The next turn begins with the summary that is still due.
    let report = block_on(say(&mut agent, "again", &Cancel::default())).unwrap();
    assert_eq!((report.ending, report.text.as_str()), (Ending::Done, "done"));
}

/// A tool that is kept back, and one that reveals it.
fn deferred_tools(bench: &mut Bench) {
    let mut hidden = Definition::new("Hidden", "Hides.");
    hidden.loading = Loading::Deferred;
    bench
        .tools
        .push(tool_fn(hidden, Effects::READ_ONLY, |_: Arc<Value>, _| async { Ok(DynReply::text("found")) }));
    let search = Definition::new("ToolSearch", "Reveals.");
    bench.tools.push(tool_fn(search, Effects::READ_ONLY, |_: Arc<Value>, _| async {
        let mut reply = DynReply::text("Hidden");
        reply.changes = vec![ContextChange::RevealTools(vec!["Hidden".into()])];
        Ok(reply)
    }));
}

#[test]
fn revealed_tools_stay_callable() {
    let mut bench = Bench::default();
    deferred_tools(&mut bench);
    small(
        &mut bench,
        &json!([
            {"reply": [{"tool": "ToolSearch", "input": {}, "id": "s"}], "usage": {"input_tokens": 900}},
            summary("Hidden was revealed."),
            {"expect": {"first_user_text": "revealed"}, "reply": [{"tool": "Hidden", "input": {}, "id": "h"}]},
            {"expect": {"tool_result": "found"}, "reply": [{"text": "done"}]},
        ]),
    );
    let (agent, report) = bench.turn(json!([]), "do it");
    assert_eq!(report.text, "done", "{:#?}", bench.recorder.lines());
    let check = |agent: &toolwright_runtime::Agent| {
        let pool = agent.pool();
        let entry = pool.get("Hidden").unwrap();
        assert!(entry.is_visible() && !entry.is_deferred(), "its reference is gone");
    };
    check(&agent);
    let events = bench.recorder.events();
    deferred_tools(&mut bench);
    let mut resumed = bench.agent(json!([]));
    assert_eq!(resumed.resume(&events).unwrap(), Vec::<String>::new());
    check(&resumed);
    assert_eq!(resumed.state().messages, agent.state().messages);
}
