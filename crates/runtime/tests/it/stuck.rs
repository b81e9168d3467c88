//! What hangs, is deaf, slow or cannot be written: the turn ends all the same, with everything answered.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use toolwright_core::{BoxFuture, Definition, DynCall, DynReply, Effects, tool_fn};
use toolwright_engine::event::{EventBody, SessionEvent, ToolFinish};
use toolwright_engine::{Ending, acceptable};
use toolwright_permissions::{Approval, Mode, PermissionAsk};
use toolwright_runtime::{AfterCall, BeforeCall, HookCall, Hooks, Sink};
use toolwright_services::Approver;
use toolwright_testkit::{Behaviour, ProbeEvent};

use crate::bench::{Bench, interrupted, say, within};

/// Signals that it was reached, and never answers.
struct Silent(tokio::sync::watch::Sender<u32>);

impl Silent {
    fn new() -> Arc<Self> {
        Arc::new(Self(tokio::sync::watch::Sender::new(0)))
    }

    async fn reached(&self) {
        let _ = self.0.subscribe().wait_for(|times| *times > 0).await;
    }

    async fn hang(&self) {
        self.0.send_modify(|times| *times += 1);
        std::future::pending::<()>().await;
    }
}

impl Approver for Silent {
    fn approve<'a>(&'a self, _: &'a PermissionAsk) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            self.hang().await;
            Approval::Refuse { message: String::new(), interrupt: false }
        })
    }
}

struct HangsBefore(Arc<Silent>);
struct HangsAfter(Arc<Silent>);

impl Hooks for HangsBefore {
    fn cares_about(&self, _: &str) -> bool {
        true
    }

    fn before<'a>(&'a self, _: HookCall<'a>) -> BoxFuture<'a, BeforeCall> {
        Box::pin(async move {
            self.0.hang().await;
            BeforeCall::default()
        })
    }

    fn after<'a>(&'a self, _: HookCall<'a>, _: &'a ToolFinish) -> BoxFuture<'a, AfterCall> {
        Box::pin(async { AfterCall::default() })
    }
}

impl Hooks for HangsAfter {
    fn cares_about(&self, _: &str) -> bool {
        true
    }

    fn before<'a>(&'a self, _: HookCall<'a>) -> BoxFuture<'a, BeforeCall> {
        Box::pin(async { BeforeCall::default() })
    }

    fn after<'a>(&'a self, _: HookCall<'a>, _: &'a ToolFinish) -> BoxFuture<'a, AfterCall> {
        Box::pin(async move {
            self.0.hang().await;
            AfterCall::default()
        })
    }
}

/// Two writes, interrupted when `silent` is reached: what is recorded of them.
fn stuck(mut bench: Bench, silent: &Silent) -> Vec<String> {
    let script = json!([{"reply": [
        {"tool": "Write", "input": {"n": 1}, "id": "a"},
        {"tool": "Write", "input": {"n": 2}, "id": "b"},
    ]}]);
    let mut agent = bench.agent(script);
    agent.begin(vec![]).unwrap();
    let cancel = bench.cancel.clone();
    let report = within(async {
        let stop = async {
            silent.reached().await;
            cancel.cancel();
        };
        tokio::join!(say(&mut agent, "go", &cancel), stop).0.unwrap()
    });
    assert_eq!(report.ending, Ending::Interrupted);
    assert_eq!(acceptable(&agent.state().messages), Ok(()));
    bench.recorder.lines()
}

#[test]
fn who_never_answers_does_not_hold_an_interrupt_up() {
    let silent = Silent::new();
    let ends = ["finished a Failure Not run: interrupted.", "finished b Failure Not run: interrupted."];
    let before = Bench { hooks: Some(Arc::new(HangsBefore(Arc::clone(&silent)))), ..Bench::default() };
    assert_eq!(stuck(before, &silent)[2..4], ends);
    let silent = Silent::new();
    let asking = Bench { mode: Mode::Default, approver: Some(Arc::clone(&silent) as _), ..Bench::default() };
    assert_eq!(stuck(asking, &silent)[2..4], ends);
}

#[test]
fn what_a_call_answered_is_kept_when_a_hook_after_it_hangs() {
    let silent = Silent::new();
    let bench = Bench { hooks: Some(Arc::new(HangsAfter(Arc::clone(&silent)))), ..Bench::default() };
    let lines = stuck(bench, &silent);
    assert!(lines.contains(&"finished a Success {\"n\":1}".to_owned()), "{lines:?}");
}

#[test]
fn a_deaf_early_call_of_a_lost_message_is_given_up() {
    let mut bench = Bench::default();
    bench.tools = vec![bench.probes.tool("DeafRead", Effects::READ_ONLY, Behaviour::Deaf)];
    let script = json!([
        {"reply": [{"tool": "DeafRead", "input": {}, "id": "d"}, {"text": "never whole"}], "fail": {"cut": {"blocks": 1}}},
        {"expect": {"delivery": "whole"}, "reply": [{"tool": "Write", "input": {}, "id": "d"}]},
        {"reply": [{"text": "done"}]},
    ]);
    let mut agent = bench.agent(script);
    agent.begin(vec![]).unwrap();
    let cancel = bench.cancel.clone();
    let report = within(say(&mut agent, "go", &cancel)).unwrap();
    assert_eq!(report.ending, Ending::Done);
    assert_eq!(acceptable(&agent.state().messages), Ok(()));
    let lines = bench.recorder.lines();
    assert!(lines.contains(&"message  [Write:d-2]".to_owned()), "{lines:?}");
    let begun = lines.iter().filter(|line| line.starts_with("started ")).count();
    let ended = lines.iter().filter(|line| line.starts_with("finished ")).count();
    assert_eq!((begun, ended), (2, 2), "what began has an end, also in a lost message: {lines:?}");
}

#[test]
fn each_message_may_be_lost_once() {
    let lost = json!({"reply": [{"text": "never whole"}], "fail": {"cut": {"bytes": 5}}});
    let call = json!({"reply": [{"tool": "Echo", "input": {}}]});
    let script = json!([lost, call, lost, call, lost, {"reply": [{"text": "done"}]}]);
    let mut bench = Bench::default();
    let (_, report) = bench.turn(script, "go");
    assert_eq!((report.ending, report.requests), (Ending::Done, 3));
    let notices = bench.recorder.events();
    let notices = notices.iter().filter(|event| matches!(event.body, EventBody::Notice { .. })).count();
    assert_eq!(notices, 3, "a person sees why it begins again");
}

#[test]
fn a_tool_that_blocks_its_thread_is_left() {
    let (open, gate) = std::sync::mpsc::channel::<()>();
    let gate = Arc::new(std::sync::Mutex::new(gate));
    let mut bench = Bench::default();
    let probes = bench.probes.clone();
    let begun = probes.tool("Begun", Effects::READ_ONLY, Behaviour::Echo);
    bench.tools = vec![tool_fn(
        Definition::new("Block", "Blocks."),
        Effects::READ_ONLY,
        move |input: Arc<serde_json::Value>, cx| {
            let (gate, begun) = (Arc::clone(&gate), Arc::clone(&begun));
            async move {
                begun.parse((*input).clone())?.run(&cx).await?;
                let _ = gate.lock().unwrap().recv();
                Ok(DynReply::text("late"))
            }
        },
    )];
    let mut agent = bench.agent(json!([{"reply": [{"tool": "Block", "input": {}, "id": "a"}]}]));
    agent.begin(vec![]).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (probes, cancel) = (bench.probes.clone(), bench.cancel.clone());
    let report = runtime.block_on(async {
        let stop = async {
            probes.until(|events| !events.is_empty()).await;
            cancel.cancel();
        };
        tokio::join!(say(&mut agent, "go", &cancel), stop).0.unwrap()
    });
    drop(open);
    assert_eq!(report.ending, Ending::Interrupted);
    let lines = bench.recorder.lines();
    assert!(
        lines.iter().any(|line| line.starts_with("finished a Failure Interrupted; it did not")),
        "{lines:?}"
    );
}

#[test]
fn an_interrupt_before_the_first_word_ends_at_once() {
    let mut bench = Bench::default();
    let mut agent = bench.agent(json!([{"reply": [{"text": "x"}]}]));
    bench.cancel.cancel();
    let report = within(say(&mut agent, "go", &bench.cancel)).unwrap();
    assert_eq!(report.ending, Ending::Interrupted);
}

#[test]
fn an_interrupt_in_the_middle_of_a_stalled_message_keeps_what_was_said() {
    let mut bench = Bench::default();
    let script = json!([
        {"reply": [{"tool": "Wait", "input": {}, "id": "a"}, {"text": "half a sentence"}], "fail": {"stall": {"blocks": 1}}},
        {"reply": [{"text": "again"}]},
    ]);
    let mut agent = bench.agent(script);
    agent.begin(vec![]).unwrap();
    let report = interrupted(&mut bench, &mut agent, |events| matches!(events, [ProbeEvent::Started(_), ..]));
    assert_eq!(report.ending, Ending::Interrupted);
    assert_eq!(acceptable(&agent.state().messages), Ok(()));
    let lines = bench.recorder.lines();
    assert_eq!(lines[2..4], ["started a", "message  [Wait:a]"].map(str::to_owned), "{lines:?}");
    assert!(lines[4].starts_with("finished a Failure"), "{lines:?}");
}

/// Counts, slowly, and notes what comes out of order.
#[derive(Default)]
struct Slow(std::sync::Mutex<(Option<u64>, Vec<String>)>);

impl Sink for Slow {
    fn event(&self, event: &SessionEvent, _: Option<&Arc<dyn DynCall>>) {
        std::thread::yield_now();
        std::thread::sleep(Duration::from_micros(200));
        let mut seen = self.0.lock().unwrap();
        if event.body.is_kept() && seen.0.replace(event.seq).is_some_and(|before| before >= event.seq) {
            seen.1.push(format!("{} came late", event.seq));
        }
    }
}

#[test]
fn a_slow_sink_sees_everything_in_order() {
    let sink = Arc::new(Slow::default());
    let mut bench = Bench { sink: Some(Arc::clone(&sink) as _), ..Bench::default() };
    let mut first = bench.agent(json!([]));
    let session = Arc::clone(first.session());
    first.begin(vec![]).unwrap();
    let threads: Vec<_> = (0..4)
        .map(|number| {
            let session = Arc::clone(&session);
            let path = bench.workspace.path().to_path_buf();
            std::thread::spawn(move || {
                let model = Arc::new(toolwright_model::Scripted::new("[]".parse().unwrap(), &path));
                for _ in 0..20 {
                    let mut options = toolwright_runtime::AgentOptions::main(
                        Default::default(),
                        Arc::clone(&model) as _,
                        Mode::Default,
                        path.clone(),
                    );
                    options.id = format!("agent-{number}");
                    toolwright_runtime::Agent::new(Arc::clone(&session), options).begin(vec![]).unwrap();
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(sink.0.lock().unwrap().1, Vec::<String>::new());
}
