//! On whose word a call runs: what its tool is told, and what is recorded of the text that runs.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{
    BoxFuture, CommandPart, Definition, DynCall, DynReply, DynTool, Effects, PathAccess, Reach, Subject,
    ToolContext, ToolError,
};
use toolwright_engine::event::EventBody;
use toolwright_permissions::{Approval, Mode};
use toolwright_services::ScriptedApprover;

use crate::bench::{Bench, block_on};

/// Hands another text to its interpreter than it was given, unless somebody has seen that.
struct Shell(Definition);
struct ShellCall(Value);

impl DynTool for Shell {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn parse(self: Arc<Self>, input: Value) -> Result<Arc<dyn DynCall>, ToolError> {
        Ok(Arc::new(ShellCall(input)))
    }
}

impl DynCall for ShellCall {
    fn input(&self) -> &Value {
        &self.0
    }

    fn effects(&self) -> Effects {
        if self.0["text"] == "look" { Effects::READ_ONLY } else { Effects::WRITES }
    }

    fn subjects(&self, _: &ToolContext) -> Vec<Subject> {
        let text = self.0["text"].as_str().unwrap_or_default().to_owned();
        let reach = if text == "look" { Reach::ReadOnly } else { Reach::Pattern };
        let parts = text.split(';').map(|part| {
            let text = part.trim().to_owned();
            if text == "fi" {
                return Subject::Unreadable(text);
            }
            if let Some(target) = text.strip_prefix("> ") {
                return Subject::path(format!("/out/{target}"), PathAccess::Write);
            }
            Subject::Command(CommandPart {
                shown: text.clone(),
                program: "make".into(),
                for_allow: text.clone(),
                for_deny: vec![text],
                reach,
                runs_code: false,
            })
        });
        [Subject::Text(text.clone())].into_iter().chain(parts).collect()
    }

    fn runs(&self, cx: &ToolContext) -> Option<String> {
        assert_ne!(self.0["text"], "panic", "a tool's own fault");
        (!cx.authority.runs_as_written()).then(|| "printed".into())
    }

    fn run<'a>(&'a self, cx: &'a ToolContext) -> BoxFuture<'a, Result<DynReply, ToolError>> {
        Box::pin(async { Ok(DynReply::text(format!("{:?}", cx.authority))) })
    }
}

/// What the tool was told and what was recorded, for a call of another program and for one of the model.
fn check(mode: Mode, allow: &[&'static str], yes: bool, text: &str, expected: (&str, Option<&str>)) {
    let bench = || Bench {
        mode,
        allow: allow.to_vec(),
        approver: yes.then(|| Arc::new(ScriptedApprover::new(vec![Approval::allow()])) as Arc<_>),
        tools: vec![Arc::new(Shell(Definition::new("Shell", "Runs a text.")))],
        ..Bench::default()
    };
    let ran = |bench: &Bench| {
        let events = bench.recorder.events();
        let started = events.iter().find_map(|event| match &event.body {
            EventBody::ToolStarted { ran, .. } => Some(ran.clone()),
            _ => None,
        });
        let told = events.iter().find_map(|event| match &event.body {
            EventBody::ToolFinished { result, .. } => {
                result.answer.first().and_then(|content| content.as_text()).map(str::to_owned)
            }
            _ => None,
        });
        (told.unwrap(), started.flatten())
    };
    let expected = (expected.0.to_owned(), expected.1.map(str::to_owned));
    let mut single = bench();
    let mut agent = single.agent(json!([]));
    block_on(agent.call("Shell", json!({"text": text}), &single.cancel)).unwrap();
    assert_eq!(ran(&single), expected, "{text} by another program");
    let mut turn = bench();
    let script = json!([
        {"reply": [{"tool": "Shell", "input": {"text": text}}]},
        {"reply": [{"text": "done"}]},
    ]);
    turn.turn(script, "go");
    assert_eq!(ran(&turn), expected, "{text} by the model");
}

#[test]
fn a_question_has_the_commands_of_a_text_where_they_are_not_the_text() {
    let check = |text: &str, expected: &[&str]| {
        let approver = Arc::new(ScriptedApprover::new(Vec::new()));
        let mut bench = Bench {
            mode: Mode::Default,
            approver: Some(approver.clone()),
            tools: vec![Arc::new(Shell(Definition::new("Shell", "Runs a text.")))],
            ..Bench::default()
        };
        let mut agent = bench.agent(json!([]));
        block_on(agent.call("Shell", json!({"text": text}), &bench.cancel)).unwrap();
        assert_eq!(approver.asked()[0].parts, expected, "{text}");
    };
    check("make a", &[]);
    check(" make a\n", &[]);
    check("make a; make b", &["make a", "make b"]);
    check("make a; make b; make a", &["make a", "make b"]);
    check("make a; make a", &["make a"]);
    check("make a; > f; > f", &["make a", "> /out/f"]);
    check("make a; fi", &[]);
}

#[test]
fn a_tool_is_told_who_let_its_call_run() {
    let analysis = ("Analysis", Some("printed"));
    check(Mode::Default, &[], true, "make", ("Person", None));
    check(Mode::Default, &["Shell"], false, "make", analysis);
    check(Mode::Default, &[], false, "look", analysis);
    check(Mode::BypassPermissions, &[], false, "make", ("Bypass", None));
    check(Mode::BypassPermissions, &[], false, "panic", ("Bypass", None));
}
