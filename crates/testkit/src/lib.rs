//! What tests of tools and hosts stand on: temporary workspaces, null services, probe tools whose behaviour a test
//! dictates, and [`contract_tests!`], the suite that every tool passes. Knows no concrete tool.
//!
//! A test library speaks by panicking: each panic says what is wrong and how to mend it.
#![expect(clippy::expect_used, reason = "a test library's panics are its reports")]

mod contract;
mod describe;
mod fakes;
mod probe;
#[cfg(feature = "server")]
mod server;
mod workspace;

pub use contract::Contract;
pub use describe::describe;
pub use fakes::{block_on, context, test_services};
pub use probe::{Behaviour, ProbeEvent, Probes};
#[cfg(feature = "server")]
pub use server::{ModelServer, Recorded};
pub use workspace::{TempWorkspace, Tree};

/// What [`contract_tests!`] needs. Not part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use insta;
}

/// The contract every tool keeps, as tests. Call it once a tool, in the tool's integration test:
///
/// ```
/// # mod tool {
/// #     use std::borrow::Cow;
/// #     use toolwright_core::*;
/// #     pub struct Hello;
/// #     #[derive(serde::Deserialize, schemars::JsonSchema)]
/// #     #[serde(deny_unknown_fields)]
/// #     pub struct Input { /** Whom to greet. */ pub name: String }
/// #     registration!(Hello);
/// #     impl Tool for Hello {
/// #         const NAME: &'static str = "Hello";
/// #         type Input = Input;
/// #         type Output = String;
/// #         fn new(_: &Services) -> Result<Self, Unavailable> { Ok(Self) }
/// #         async fn call(&self, i: &Input, _: &ToolContext) -> Result<Reply<String>, ToolError> { Ok(i.name.clone().into()) }
/// #     }
/// #     impl Prompt for Hello {
/// #         fn description(&self) -> Cow<'static, str> { "Greets.".into() }
/// #         fn answer(&self, output: &String) -> Vec<Content> { vec![Content::text(output)] }
/// #     }
/// #     impl Ui for Hello {}
/// # }
/// toolwright_testkit::contract_tests!(
///     tool::REGISTRATION,
///     // Both may be left out. `services` default to `test_services`; give your own where the tool needs real files.
///     services = |workspace| toolwright_testkit::test_services(workspace),
///     setup = |workspace, _services| workspace.write("a.txt", "some text\n"),
/// );
/// ```
///
/// The closures run outside any runtime: wait for async work (reading a file before an edit) with
/// [`block_on`]. Views are snapshots beside the calling file: one for each example.
#[macro_export]
macro_rules! contract_tests {
    ($registration:expr $(, services = $services:expr)? $(, setup = $setup:expr)? $(,)?) => {
        fn contract() -> $crate::Contract {
            $crate::Contract::new($registration)
                $(.services($services))?
                $(.setup($setup))?
        }

        #[test]
        fn contract_definition_is_plain_and_still() {
            contract().definition_is_plain_and_still();
        }

        #[test]
        fn contract_unknown_fields_are_refused_with_the_nearest_name() {
            contract().unknown_fields_are_refused();
        }

        #[test]
        fn contract_inputs_that_are_no_object_are_refused() {
            contract().lists_are_refused();
        }

        #[test]
        fn contract_examples_run() {
            contract().examples_run();
        }

        #[test]
        fn contract_read_only_examples_change_nothing() {
            contract().read_only_examples_change_nothing();
        }

        #[test]
        fn contract_output_survives_json() {
            contract().output_survives_json();
        }

        #[test]
        fn contract_cancelled_calls_end_and_change_nothing() {
            contract().cancelled_calls_end();
        }

        #[test]
        fn contract_views_match_snapshots() {
            for (name, text) in contract().views() {
                $crate::__private::insta::assert_snapshot!(name, text);
            }
        }
    };
}
