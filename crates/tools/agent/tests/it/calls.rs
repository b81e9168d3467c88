//! Which subagent a call means, what is refused before anybody is asked, and where the tool is not offered.

use serde_json::{Value, json};
use toolwright_core::Subject;
use toolwright_testkit::{TempWorkspace, block_on, context, test_services};

use crate::fake;

/// The subject rules see, and the answer's first line or the refusal.
fn call(input: Value) -> (Vec<Subject>, String) {
    let workspace = TempWorkspace::new();
    let tool = (toolwright_tool_agent::REGISTRATION.build)(&fake::services(&workspace)).unwrap();
    let call = tool.parse(input).unwrap();
    let cx = context(&workspace);
    let reply = block_on(async {
        call.validate(&cx).await?;
        call.run(&cx).await
    });
    let text = reply.map_or_else(
        |error| error.message,
        |reply| reply.answer[0].as_text().unwrap().lines().next().unwrap_or_default().to_owned(),
    );
    (call.subjects(&cx), text)
}

#[test]
fn a_call_means_one_kind_however_it_is_spelled() {
    let check = |kind: Value, subject: &str, expect: &str| {
        let found = call(json!({"description": "d", "prompt": "p", "subagent_type": kind, "model": "m"}));
        assert_eq!(found, (vec![Subject::Name(subject.into())], expect.into()), "{kind}");
    };
    check(json!("Explore"), "Explore", "Explore of m asked: p");
    check(json!(" eXPLORE "), "Explore", "Explore of m asked: p");
    check(json!(null), "general-purpose", "general-purpose of m asked: p");
    check(json!(""), "general-purpose", "general-purpose of m asked: p");
    check(
        json!("Guess"),
        "Guess",
        "there is no `subagent_type` `Guess`; use one of general-purpose, Explore",
    );
}

#[test]
fn an_empty_task_is_refused() {
    let (_, text) = call(json!({"description": "d", "prompt": " \n"}));
    assert!(text.starts_with("`prompt` is empty"), "{text}");
}

#[test]
fn it_is_offered_where_subagents_are() {
    let workspace = TempWorkspace::new();
    let mut services = test_services(&workspace);
    let build = toolwright_tool_agent::REGISTRATION.build;
    // The null spawner has no kind.
    assert!(build(&services).unwrap().is_enabled().is_err());
    services.withdraw::<dyn toolwright_services::AgentSpawner>();
    assert!(build(&services).is_err());
}
