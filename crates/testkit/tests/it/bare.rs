//! A tool that implements what is required and says nothing else.

use std::borrow::Cow;

use toolwright_core::{
    Content, Effects, Prompt, Reply, Services, Subject, Tool, ToolContext, ToolError, Ui, Unavailable,
    Verdict, registration,
};
use toolwright_testkit::{TempWorkspace, block_on, context, test_services};

struct Bare;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Input {}

registration!(Bare);

impl Tool for Bare {
    const NAME: &'static str = "Bare";
    type Input = Input;
    type Output = String;

    fn new(_: &Services) -> Result<Self, Unavailable> {
        Ok(Self)
    }

    async fn call(&self, _: &Input, _: &ToolContext) -> Result<Reply<String>, ToolError> {
        Ok(String::from("done").into())
    }
}

impl Prompt for Bare {
    fn description(&self) -> Cow<'static, str> {
        "Says nothing of itself.".into()
    }

    fn answer(&self, output: &String) -> Vec<Content> {
        vec![Content::text(output)]
    }
}

impl Ui for Bare {}

#[test]
fn defaults_are_cautious() {
    let workspace = TempWorkspace::new();
    let cx = context(&workspace);
    let tool = (REGISTRATION.build)(&test_services(&workspace)).expect("offered");
    let call = tool.parse(serde_json::json!({})).expect("takes nothing");
    assert_eq!(call.effects(), Effects::DESTROYS);
    assert!(!call.effects().is_concurrency_safe() && !call.effects().may_start_early());
    assert_eq!(call.subjects(&cx), [Subject::Whole]);
    assert_eq!(block_on(call.check(&cx)), Verdict::Defer);
    assert_eq!(call.classifier_text(), "");
}
