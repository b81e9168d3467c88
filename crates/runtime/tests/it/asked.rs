//! Questions to an approver: what they carry, and which are put again when the answer rewrites the call.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{
    BoxFuture, Definition, DynCall, DynReply, DynTool, Effects, PathAccess, Subject, ToolContext, ToolError,
    Verdict,
};
use toolwright_permissions::{Approval, Mode, PermissionAsk};
use toolwright_services::{Approver, ScriptedApprover};

use crate::bench::{Bench, block_on};

/// What its calls are is said by their input.
struct Odd(Definition);
struct OddCall(Value);

impl OddCall {
    fn kind(&self) -> &str {
        self.0.get("kind").and_then(Value::as_str).unwrap_or_default()
    }
}

impl DynTool for Odd {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn parse(self: Arc<Self>, input: Value) -> Result<Arc<dyn DynCall>, ToolError> {
        Ok(Arc::new(OddCall(input)))
    }
}

impl DynCall for OddCall {
    fn input(&self) -> &Value {
        &self.0
    }

    fn effects(&self) -> Effects {
        Effects::WRITES
    }

    fn subjects(&self, cx: &ToolContext) -> Vec<Subject> {
        match self.kind() {
            "unreadable" => vec![Subject::Unreadable("it has a hole".into())],
            "names" => vec![Subject::Name("one".into()), Subject::Name("two".into())],
            "path" => vec![Subject::path(cx.cwd.join("link/file"), PathAccess::Write)],
            "far" | "far-odd" => vec![Subject::path(cx.cwd.join("smb:/host/file"), PathAccess::Read)],
            _ => vec![Subject::Whole],
        }
    }

    fn check<'a>(&'a self, _: &'a ToolContext) -> BoxFuture<'a, Verdict> {
        let verdict = match self.kind() {
            "protected" => Verdict::Ask("it is protected".into()),
            "far-odd" => Verdict::AskPerson("it was looked at".into()),
            "person" => Verdict::AskPerson("it needs a person".into()),
            _ => Verdict::Defer,
        };
        Box::pin(async move { verdict })
    }

    fn run<'a>(&'a self, _: &'a ToolContext) -> BoxFuture<'a, Result<DynReply, ToolError>> {
        Box::pin(async { Ok(DynReply::text("ran")) })
    }
}

fn asked(answers: Vec<Approval>, kind: &str) -> (bool, Vec<PermissionAsk>) {
    asked_in(Mode::Default, &[], answers, kind)
}

fn asked_in(
    mode: Mode,
    deny: &[&'static str],
    answers: Vec<Approval>,
    kind: &str,
) -> (bool, Vec<PermissionAsk>) {
    let approver = Arc::new(ScriptedApprover::new(answers));
    let mut bench = Bench { mode, allow: vec!["Odd", "Read"], deny: deny.to_vec(), ..Bench::default() };
    if mode == Mode::Default {
        bench.allow.clear();
    }
    bench.workspace.write("smb:/elsewhere", "");
    std::fs::create_dir(bench.workspace.join("smb:/host")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", bench.workspace.join("smb:/host/file")).unwrap();
    bench.approver = Some(approver.clone());
    bench.tools = vec![Arc::new(Odd(Definition::new("Odd", "Is odd.")))];
    let mut agent = bench.agent(json!([]));
    let result = block_on(agent.call("Odd", json!({"kind": kind}), &bench.cancel)).unwrap().result;
    (!result.outcome.is_failure(), approver.asked())
}

#[test]
fn what_no_rule_settles_is_asked_again_after_a_rewrite() {
    let check = |rewritten: &str, again: bool| {
        let rewrite = Approval::Allow { input: Some(json!({"kind": rewritten})), remember: Vec::new() };
        let (ran, asked) = asked(vec![rewrite.clone()], "plain");
        assert_eq!((ran, asked.len()), (!again, if again { 2 } else { 1 }), "{rewritten}");
        if again {
            assert_eq!(asked[1].input, json!({"kind": rewritten}));
            let (ran, _) = self::asked(vec![rewrite, Approval::allow()], "plain");
            assert!(ran, "{rewritten}");
        }
    };
    check("other", false);
    check("unreadable", true);
    check("protected", true);
    check("person", true);
}

#[test]
fn a_question_names_the_rules_that_together_allow_the_call() {
    let (_, asked) = asked(Vec::new(), "names");
    assert_eq!(asked[0].together, ["Odd(one)", "Odd(two)"]);
    let keep = Approval::Allow { input: None, remember: asked[0].always().to_vec() };
    assert!(self::asked(vec![keep], "names").0);
}

/// Puts a link in the way while it is asked, and allows what it was asked about.
struct Turns(PathBuf);

impl Approver for Turns {
    fn approve<'a>(&'a self, _: &'a PermissionAsk) -> BoxFuture<'a, Approval> {
        std::fs::remove_file(self.0.join("link")).unwrap();
        std::os::unix::fs::symlink("elsewhere", self.0.join("link")).unwrap();
        Box::pin(async { Approval::allow() })
    }
}

#[test]
fn what_leads_elsewhere_by_the_answer_is_not_run() {
    let mut bench = Bench { mode: Mode::Default, ..Bench::default() };
    bench.workspace.write("here/file", "");
    bench.workspace.write("elsewhere/file", "");
    std::os::unix::fs::symlink("here", bench.workspace.join("link")).unwrap();
    bench.approver = Some(Arc::new(Turns(bench.workspace.path().into())));
    bench.tools.push(Arc::new(Odd(Definition::new("Odd", "Odd."))));
    let mut agent = bench.agent(json!([]));
    let called = block_on(agent.call("Odd", json!({"kind": "path"}), &bench.cancel)).unwrap();
    let said = called.result.answer.first().and_then(|content| content.as_text()).unwrap_or_default();
    assert!(said.contains("leads elsewhere now"), "{said}");
}

#[test]
fn another_machine_is_asked_about_first_and_judged_when_it_may_be_looked_at() {
    let check = |mode: Mode, deny: &[&'static str], kind: &str, agreed: usize, expect: (bool, &[&str])| {
        let (ran, asked) = asked_in(mode, deny, vec![Approval::allow(); agreed], kind);
        assert_eq!((ran, asked.len()), (expect.0, expect.1.len()), "{kind} {deny:?}: {asked:?}");
        for (asked, part) in asked.iter().zip(expect.1) {
            assert!(asked.reason.contains(part), "{kind}: {}", asked.reason);
        }
    };
    let far = "another machine (smb://host)";
    for mode in [Mode::Default, Mode::BypassPermissions, Mode::AcceptEdits] {
        check(mode, &[], "far", 1, (true, &[far]));
        check(mode, &[], "far", 0, (false, &[far]));
        check(mode, &["Read(//**/host/**)"], "far", 1, (false, &[]));
        // What the tool itself looks at comes second, and so does a rule for where a link leads.
        check(mode, &[], "far-odd", 1, (false, &[far, "it was looked at"]));
        check(mode, &[], "far-odd", 2, (true, &[far, "it was looked at"]));
        check(mode, &["Read(//**/elsewhere)"], "far", 1, (false, &[far]));
    }
    check(Mode::DontAsk, &[], "far", 1, (false, &[]));
}
