//! A tool that breaks its promises one by one: the suite must say so each time.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use toolwright_core::{
    Content, Effects, Example, Prompt, Reply, Services, Tool, ToolContext, ToolError, Ui, Unavailable,
    registration,
};
use toolwright_testkit::Contract;

/// Takes any field, says it only reads and writes `touched`, hears no cancellation, and cannot read its output back.
struct Broken;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Input {
    #[expect(dead_code, reason = "read by nobody on purpose")]
    undocumented: Option<u8>,
}

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Output {
    #[serde(rename(serialize = "written", deserialize = "read"))]
    value: u8,
}

registration!(Broken);

impl Tool for Broken {
    const NAME: &'static str = "Broken";
    type Input = Input;
    type Output = Output;

    fn new(_: &Services) -> Result<Self, Unavailable> {
        Ok(Self)
    }

    fn effects(&self, _: &Input) -> Effects {
        Effects::READ_ONLY
    }

    async fn call(&self, _: &Input, cx: &ToolContext) -> Result<Reply<Output>, ToolError> {
        std::fs::write(cx.cwd.join("touched"), "x").expect("written");
        Ok(Output { value: 1 }.into())
    }
}

impl Prompt for Broken {
    fn description(&self) -> Cow<'static, str> {
        "Breaks its promises.".into()
    }

    fn answer(&self, output: &Output) -> Vec<Content> {
        if output.value == 0 { vec![Content::text("0")] } else { Vec::new() }
    }

    fn examples() -> &'static [Example] {
        &[Example { title: "any", input: r#"{"undocumented": 1}"# }]
    }
}

impl Ui for Broken {}

/// A tool whose input is a choice, which no provider takes at the root.
mod choice {
    use super::*;

    pub(super) struct Choice;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(tag = "kind", deny_unknown_fields)]
    #[expect(dead_code, reason = "the input is read and not used")]
    pub(super) enum Input {
        /// A number.
        Number {
            /// The number.
            number: u32,
        },
        /// A text.
        Text {
            /// The text.
            text: String,
        },
    }

    registration!(Choice);

    impl Tool for Choice {
        const NAME: &'static str = "Choice";
        type Input = Input;
        type Output = String;

        fn new(_: &Services) -> Result<Self, Unavailable> {
            Ok(Self)
        }

        async fn call(&self, _: &Input, _: &ToolContext) -> Result<Reply<String>, ToolError> {
            Ok(String::new().into())
        }
    }

    impl Prompt for Choice {
        fn description(&self) -> Cow<'static, str> {
            "Takes one of two.".into()
        }

        fn answer(&self, output: &String) -> Vec<Content> {
            vec![Content::text(output.as_str())]
        }
    }

    impl Ui for Choice {}
}

fn check(promise: impl FnOnce(&Contract), expect: &str) {
    check_of(&Contract::new(REGISTRATION), promise, expect);
}

fn check_of(contract: &Contract, promise: impl FnOnce(&Contract), expect: &str) {
    let report = catch_unwind(AssertUnwindSafe(|| promise(contract))).expect_err("nothing was noticed");
    let words = report.downcast_ref::<String>().map(String::as_str).unwrap_or_default();
    assert!(words.contains(expect), "`{expect}` is not in: {words}");
}

#[test]
fn each_broken_promise_is_named() {
    check(Contract::definition_is_plain_and_still, "`undocumented` has no doc comment");
    let choice = Contract::new(choice::REGISTRATION);
    check_of(&choice, Contract::definition_is_plain_and_still, "`oneOf` at the root");
    check(Contract::unknown_fields_are_refused, "deny_unknown_fields");
    check(Contract::examples_run, "answers the model nothing");
    check(Contract::read_only_examples_change_nothing, "says read-only and changed [\"touched\"]");
    check(Contract::output_survives_json, "cannot be read back");
    check(Contract::cancelled_calls_end, "cancelled before it began and changed");
}
